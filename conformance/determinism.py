#!/usr/bin/env python3
"""Bitwise equal results, however a simulation is run.

    determinism.py [MODEL.xml ...] [--steps 1000] [--only WORDS] [--lanes N] [--write]

Twenty models, and those given, are stepped alone, by one, two and four threads, in a batch, from a state saved halfway,
from a pickle, from the binary form of the model, and by the build for other processors, if there is one. All must give
the same hash of positions, velocities, activations, sensors and numbers of contacts at every hundredth step; runs with
an `MjData` also the same hash of contacts. `--lanes N` emulates a GPU for N of the models that have kernels; single
precision has separate hashes. `--write` writes the table of this platform and release to docs/determinism.md.
"""
import argparse
import hashlib
import json
import os
import pathlib
import pickle
import platform
import re
import subprocess
import sys
import tempfile

import numpy as np
import sinew

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "crates" / "python" / "tests"))

import contact_models  # noqa: E402
import dynamics_models  # noqa: E402
import models  # noqa: E402
import samples  # noqa: E402

PAGE = ROOT / "docs" / "determinism.md"
FLOOR = '<geom type="plane" size="3 3 .1"/>'
CLOTH = '<flexcomp name="f" type="grid" dim="{}" count="{}" spacing=".06 .06 .06" pos="0 0 .5" radius=".01" mass=".2">{}</flexcomp>'
BALL = '<geom size=".2" pos=".05 .02 .2"/>'
BOXES = "".join(
    f'<body pos="{.25 * (i % 5)} {.25 * (i // 5 % 5)} {.15 + .3 * (i // 25)}"><freejoint/><geom type="{kind}" size=".1 .08 .06"/></body>'
    for i, kind in enumerate(["box", "capsule", "ellipsoid", "cylinder", "sphere"] * 8))


def world(inside, more="", option=""):
    return f'<mujoco><option timestep=".002" {option}/><worldbody>{FLOOR}{inside}</worldbody>{more}</mujoco>'


def own():
    """Models in the repository, by name: all integrators, solvers and cones, tendons, actuators, delays, sensors,
    flexes."""
    dynamics, pile = dynamics_models.DYNAMICS, contact_models.pile
    yield "humanoid", (ROOT / "models" / "humanoid.xml").read_text(encoding="utf-8")
    yield from ((name, dynamics[name]) for name in dynamics if name.startswith("chain "))
    yield from ((name, dynamics[name]) for name in ("fluid 1.2 0", "passive", "delays", "sensors with energy"))
    yield "joints", models.JOINTS
    yield "tendons", models.TENDONS % "sparse"
    yield "everything", samples.RICH
    yield "pile, Newton, pyramids", pile()
    yield "pile, Newton, cones", pile(cone="elliptic", condim=6)
    yield "pile, CG, no slip", pile(solver="CG", cone="elliptic", noslip=3)
    yield "pile, PGS", pile(solver="PGS")
    yield "forty bodies, many islands", world(BOXES)
    yield "cloth", world(BALL + CLOTH.format(2, "7 7 1", '<edge equality="true" damping=".01"/>'), option='solver="CG"')
    yield "solid", world(BALL + CLOTH.format(3, "3 3 3", '<elasticity young="5e3" poisson=".2" damping=".002"/>'))
    yield "cloth by positions", world(BALL + CLOTH.format(2, "9 9 1", ""), '<custom><text name="sinew:deformable:f" data="cotton"/></custom>')


class Print:
    """Hash of a run."""

    def __init__(self):
        self.state, self.contacts = hashlib.sha256(), hashlib.sha256()

    def take(self, qpos, qvel, act, sensordata, ncon, contact=None):
        for field in (qpos, qvel, act, sensordata):
            self.state.update(np.ascontiguousarray(field).tobytes())
        self.state.update(int(ncon).to_bytes(4, "little"))
        for field in () if contact is None else (contact.geom, contact.dist, contact.pos, contact.frame):
            self.contacts.update(np.ascontiguousarray(field).tobytes())

    def data(self, d):
        self.take(d.qpos, d.qvel, d.act, d.sensordata, d.ncon, d.contact)

    @property
    def text(self):
        return self.state.hexdigest()[:16]


def control(m, step):
    """Controls that are exact in floating point, hence the same everywhere."""
    return ((7 * np.arange(m.nu) + step // 8) % 17 - 8) / 16


def start(m):
    return ((3 * np.arange(m.nv)) % 7 - 3) / 32


def alone(m, steps, half=None):
    """Plain steps; `half` may replace model and data halfway. Returns the hashes of states and contacts."""
    d, found = sinew.MjData(m), Print()
    d.qvel[:] = start(m)
    for step in range(steps):
        if half and step == steps // 2:
            m, d = half(m, d)
        d.ctrl[:] = control(m, step)
        sinew.mj_step(m, d)
        if step % 100 == 99:
            found.data(d)
    return found.text, found.contacts.hexdigest()


def batch(m, steps, worlds, threads):
    """A batch of equal worlds. Returns their hashes, as one if they are equal."""
    sim, found = sinew.BatchSim(m, worlds, num_threads=threads), [Print() for _ in range(worlds)]
    sim.scatter("qvel", start(m))
    for step in range(steps):
        sim.step(control(m, step))
        if step % 100 == 99:
            fields = [sim.gather(name) for name in ("qpos", "qvel", "act", "sensordata", "ncon")]
            for world, one in enumerate(found):
                one.take(*(field[world] for field in fields))
    return {one.text for one in found}


def saved(m, d):
    kind = sinew.mjtState.mjSTATE_INTEGRATION
    state, fresh = np.empty(sinew.mj_stateSize(m, kind)), sinew.MjData(m)
    sinew.mj_getState(m, d, state, kind)
    sinew.mj_setState(m, fresh, state, kind)
    fresh.tree_asleep[:] = d.tree_asleep
    return m, fresh


def binary(m):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.sinew")
        sinew.mj_saveModel(m, path)
        return sinew.MjModel.from_binary_path(path)


def lanes(m, steps):
    """Runs on emulated GPU lanes, in batches of two sizes."""
    import sinew.gpu

    found = set()
    for worlds in (2, 5):
        sim, one = sinew.gpu.BatchSim(m, worlds, device="emulated"), hashlib.sha256()
        sim.qvel[:] = np.tile(start(m), (worlds, 1))
        for step in range(steps):
            sim.ctrl[:] = np.tile(control(m, step), (worlds, 1))
            sim.step()
        sim.check()
        rows = np.concatenate([np.asarray(sim.qpos), np.asarray(sim.qvel)], axis=1)
        assert (rows == rows[0]).all(), "worlds of a batch differ"
        one.update(np.ascontiguousarray(rows[0]).tobytes())
        found.add(one.hexdigest()[:16])
    return found


def ways(m, steps):
    """Hashes by the way a model is run; pairs where contacts are included."""
    yield "saved halfway", alone(m, steps, saved)
    yield "pickled halfway", alone(m, steps, lambda m, d: pickle.loads(pickle.dumps((m, d))))
    yield "binary model", alone(binary(m), steps)
    for threads in (1, 2, 4):
        yield f"{threads} threads", batch(m, steps, 1, threads)
    yield "batch of five", batch(m, steps, 5, 2)


def other_level(sources, steps):
    """Hashes from the other build for this processor, in a separate process; none if there is only one build."""
    levels = {"x86-64": "x86-64-v3", "x86-64-v3": "x86-64"}
    if sinew.level() not in levels or sinew._build._file("_sinew_v3") is None:
        return {}
    env = {**os.environ, "SINEW_LEVEL": levels[sinew.level()]}
    command = [sys.executable, __file__, "--steps", str(steps), "--plain", *sources]
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode == 0 else {}


def chosen(args):
    for name, xml in own():
        if not args.only or any(word in name for word in args.only.split(",")):
            yield name, sinew.MjModel.from_xml_string(xml)
    for path in args.models:
        yield path, sinew.MjModel.from_xml_path(path)


def compare(args):
    """Rows of the table; prints differences."""
    others = other_level([*args.models, *(["--only", args.only] if args.only else [])], args.steps)
    rows, wrong, emulated = [], 0, args.lanes
    for name, m in chosen(args):
        (plain, contacts), differ, count = alone(m, args.steps), [], 0
        for way, found in ways(m, args.steps):
            count += 1
            same = found == (plain, contacts) if isinstance(found, tuple) else found == {plain}
            differ += [] if same else [way]
        if name in others:
            count += 1
            differ += [] if others[name] == plain else ["other processors"]
        single = "–"
        if emulated:
            try:
                found = lanes(m, min(args.steps, 50))
                emulated, differ = emulated - 1, differ + (["emulated lanes"] if len(found) > 1 else [])
                single = f"`{min(found)}`"
            except sinew.gpu.Refusal as error:
                single = "refused"
                print(f"{name}: {error}")
        wrong += bool(differ)
        print(f"{name:28s} {m.nv:4d} dofs {plain} {count - len(differ)} of {count} ways" + (f": not {', '.join(differ)}" if differ else ""))
        rows.append(f"| {name} | {m.nv} | `{plain}` | {count - len(differ)} of {count} | {single} |")
    return rows, wrong


def write(rows, steps, lanes):
    """Writes the table into the page, replacing an older one of the same platform and release."""
    title = f"## {sinew.__sinew_version__}, {platform.system()} {platform.machine()}"
    head = f"{title}\n\n{steps} steps, `python conformance/determinism.py --lanes {lanes} --write`.\n\n"
    table = "| model | dofs | hash | runs that match | on emulated lanes, 50 steps |\n|---|---:|---|---|---|\n" + "\n".join(rows) + "\n"
    text = re.sub(rf"\n{re.escape(title)}\n.*?(?=\n## |\Z)", "", PAGE.read_text(encoding="utf-8"), flags=re.S)
    PAGE.write_text(text.rstrip() + "\n\n" + head + table, encoding="utf-8")


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("models", nargs="*", help="more models")
    ap.add_argument("--steps", type=int, default=1000, help="a multiple of 100")
    ap.add_argument("--only", help="those of the twenty whose names have one of these words, with commas between")
    ap.add_argument("--lanes", type=int, default=0, help="how many models to run on emulated lanes")
    ap.add_argument("--plain", action="store_true", help="print prints of plain runs as JSON")
    ap.add_argument("--write", action="store_true", help="write the table into docs/determinism.md")
    args = ap.parse_args()
    if args.steps < 100 or args.steps % 100:
        ap.error("--steps is a multiple of 100")
    if args.plain:
        print(json.dumps({name: alone(m, args.steps)[0] for name, m in chosen(args)}))
        return 0
    rows, wrong = compare(args)
    if args.write:
        write(rows, args.steps, args.lanes)
    print(f"{len(rows) - wrong} of {len(rows)} models have the same bits every way")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
