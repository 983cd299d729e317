#!/usr/bin/env python3
"""Speed of batches on a GPU: sinew and, if it can be imported, MuJoCo Warp, interleaved.

    python bench/gpu.py humanoid.xml --nworld 1024 8192 32768 --nstep 500

The protocol follows MuJoCo Warp's own benchmark (`mujoco_warp.testspeed`): keyframe 0 if there is one; control noise of
0.01 of the range with a correlation time of a tenth of a second, drawn on the device before each step; a
synchronisation before and after each step; host time around the launch. Without PyTorch the noise is drawn on the host;
the GPU then idles for milliseconds and starts more slowly. Results are medians of the rounds; contacts, rows and
iterations are means over the worlds.

    python bench/gpu.py bench/gpu.txt --json gpu.jsonl                 # all models of a list, a line each: name, file, nconmax, njmax
    python bench/gpu.py gpu.jsonl --plot docs/img/gpu_worlds.svg       # what --json wrote, by the number of worlds
"""

import argparse
import json
import statistics
import sys
import time
from pathlib import Path

import numpy as np

NOISE, MEMORY = 0.01, 0.1


class Ours:
    name = "sinew"

    def __init__(self, path, nworld, nconmax, njmax):
        import sinew
        import sinew.gpu

        model = sinew.MjModel.from_xml_path(path)
        begin = time.perf_counter()
        self.sim = sinew.gpu.BatchSim(model, nworld, nconmax=nconmax, njmax=njmax)
        self.seconds, self.model = time.perf_counter() - begin, model
        self.centre = model.key_ctrl[0] if model.nkey else np.zeros(model.nu)

    def reset(self):
        self.sim.reset(key=0 if self.model.nkey else None)

    def control(self, ctrl):
        self.sim.ctrl[:] = ctrl

    def tensor(self, torch):
        return torch.from_dlpack(self.sim.ctrl)

    def step(self):
        self.sim.step(1)

    def wait(self):
        self.sim.synchronize()

    def counts(self):
        found = self.sim.counts()
        flagged = {name: int(found[name].sum()) for name in ("no_room", "not_converged", "bad_number")}
        means = {name: float(found[name].mean()) for name in ("contacts", "rows", "iterations")}
        report = self.sim.report
        return {**means, **flagged, "bytes": report["device_bytes"], "registers": report["registers"],
                "spilled": report["spilled_bytes"], "shared_bytes": report["shared_bytes"]}


class Peer:
    name = "mujoco_warp"

    def __init__(self, path, nworld, nconmax, njmax):
        import mujoco
        import mujoco_warp
        import warp

        model = mujoco.MjModel.from_xml_path(path)
        data = mujoco.MjData(model)
        if model.nkey:
            mujoco.mj_resetDataKeyframe(model, data, 0)
        mujoco.mj_forward(model, data)
        self.warp, self.package, self.start = warp, mujoco_warp, (model, data, nworld, nconmax, njmax)
        begin = time.perf_counter()
        self.m = mujoco_warp.put_model(model)
        self.reset()
        mujoco_warp.step(self.m, self.d)
        with warp.ScopedCapture() as capture:
            mujoco_warp.step(self.m, self.d)
        self.graph, self.model = capture.graph, model
        warp.synchronize()
        self.seconds = time.perf_counter() - begin
        self.centre = data.ctrl.copy()

    def reset(self):
        model, data, nworld, nconmax, njmax = self.start
        if not hasattr(self, "d"):
            self.d = self.package.put_data(model, data, nworld=nworld, nconmax=nconmax, njmax=njmax)
            return
        rows = {"qpos": data.qpos, "qvel": data.qvel, "qacc_warmstart": np.zeros(model.nv)}
        for name, row in rows.items():
            array = getattr(self.d, name)
            self.warp.copy(array, self.warp.array(np.tile(row, (nworld, 1)).astype(np.float32), dtype=array.dtype))

    def control(self, ctrl):
        self.warp.copy(self.d.ctrl, self.warp.array(ctrl, dtype=self.d.ctrl.dtype))

    def tensor(self, torch):
        return self.warp.to_torch(self.d.ctrl)

    def step(self):
        self.warp.capture_launch(self.graph)

    def wait(self):
        self.warp.synchronize()

    def counts(self):
        worlds = self.start[2]
        contacts = getattr(self.d, "nacon", getattr(self.d, "ncon", None))
        return {"contacts": float(contacts.numpy().sum()) / worlds, "rows": float(self.d.nefc.numpy().mean()),
                "iterations": float(self.d.solver_niter.numpy().mean())}


def noise(side, nworld, seed):
    """A function that draws the next controls of all worlds."""
    m = side.model
    keep = float(np.exp(-m.opt.timestep / MEMORY))
    limited, (low, high) = m.actuator_ctrllimited.astype(bool), m.actuator_ctrlrange.T
    size = NOISE * np.sqrt(1 - keep**2) * np.where(limited, 0.5 * (high - low), 1.0)
    low, high = np.where(limited, low, -np.inf), np.where(limited, high, np.inf)
    rows = [np.asarray(row, np.float32) for row in (side.centre, size, low, high)]
    try:
        import torch
    except ImportError:
        return on_host(side, np.tile(rows[0], (nworld, 1)), rows, keep, np.random.default_rng(seed))
    ctrl, (centre, size, low, high) = side.tensor(torch), (torch.from_numpy(row).cuda() for row in rows)
    torch.manual_seed(seed)
    ctrl[:] = centre

    def draw():
        step = size * (2 * torch.rand(ctrl.shape, device=ctrl.device) - 1)
        torch.clamp(keep * ctrl + (1 - keep) * centre + step, low, high, out=ctrl)

    return draw


def on_host(side, ctrl, rows, keep, rng):
    centre, size, low, high = rows

    def draw():
        step = size * rng.uniform(-1, 1, ctrl.shape)
        ctrl[:] = np.clip(keep * ctrl + (1 - keep) * centre + step, low, high)
        side.control(ctrl)

    return draw


def measure(side, nworld, nstep, seed):
    """Nanoseconds per world and step."""
    side.reset()
    draw = noise(side, nworld, seed) if side.model.nu else lambda: None
    spent = 0.0
    for _ in range(nstep):
        draw()
        side.wait()
        begin = time.perf_counter()
        side.step()
        side.wait()
        spent += time.perf_counter() - begin
    return spent * 1e9 / (nworld * nstep)


def sides(model, nconmax, njmax, nworld):
    # sinew determines its capacities itself
    for kind, room in ((Peer, (nconmax, njmax)), (Ours, (None, None))):
        try:
            yield kind(model, nworld, *room)
        except ImportError as error:
            print(f"without {kind.name}: {error}", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", help="or a list of models; with --plot, what --json wrote")
    parser.add_argument("--nworld", type=int, nargs="+", default=[8192])
    parser.add_argument("--nstep", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--nconmax", type=int, help="room for contacts of a world, for MuJoCo Warp")
    parser.add_argument("--njmax", type=int, help="room for rows of a world, for MuJoCo Warp")
    parser.add_argument("--json", help="file that gets a line a measurement")
    parser.add_argument("--plot", help="draw measurements, do not measure")
    arguments = parser.parse_args()
    if arguments.plot:
        plot(arguments.plot, arguments.model)
        return
    for name, *model in listed(arguments):
        for nworld in arguments.nworld:
            compare(name, model, nworld, arguments)


def listed(arguments):
    """Models with their names, and MuJoCo Warp's capacities for contacts and rows per world."""
    path = Path(arguments.model)
    if path.suffix != ".txt":
        yield path.stem, arguments.model, arguments.nconmax, arguments.njmax
        return
    lines = (line.split("#")[0].split() for line in path.read_text(encoding="utf-8").splitlines())
    for name, file, nconmax, njmax in filter(None, lines):
        yield name.replace("_", " "), str(path.parent / file), int(nconmax), int(njmax)


def compare(name, model, nworld, arguments):
    chosen = list(sides(*model, nworld))
    found = {side.name: [] for side in chosen}
    for round in range(arguments.rounds):
        for side in chosen:
            if round == 0:
                measure(side, nworld, 20, 0)  # warm-up
            found[side.name].append(measure(side, nworld, arguments.nstep, round))
    for side in chosen:
        ns = statistics.median(found[side.name])
        line = {"model": name, "side": side.name, "nworld": nworld, "ns": round_(ns),
                "all": [round_(x) for x in found[side.name]], "seconds_to_build": round_(side.seconds), **side.counts()}
        print(json.dumps(line), flush=True)
        if arguments.json:
            with open(arguments.json, "a", encoding="utf-8") as file:
                print(json.dumps(line), file=file)
    if len(chosen) == 2:
        peer, ours = (statistics.median(found[side.name]) for side in chosen)
        print(f"{name}, {nworld} worlds: {peer / ours:.2f} times", flush=True)


def plot(path, measurements):
    """One panel per model: nanoseconds per world and step against the number of worlds."""
    from common import figure

    models = {}
    with open(measurements, encoding="utf-8") as file:
        for line in map(json.loads, file):
            sides = models.setdefault(line["model"], {})
            sides.setdefault(line["side"], []).append((line["nworld"], line["ns"]))
    columns = min(5, len(models))
    rows = -(-len(models) // columns)

    def draw(axes):
        axes = np.atleast_1d(axes).ravel()
        for ax in axes[len(models):]:
            ax.remove()
        for ax, (model, sides) in zip(axes, models.items()):
            for side, found in sorted(sides.items()):
                ax.loglog(*zip(*sorted(found)), "o-", label=side)
            worlds = sorted({worlds for found in sides.values() for worlds, _ in found})
            ax.set_xticks(worlds, [f"{n:,}" for n in worlds])
            ax.set_ylim(10, 10_000)
            ax.minorticks_off()
            ax.set_title(model)
            ax.grid(alpha=0.3)
        axes[0].legend()
        for ax in axes[:len(models):columns]:
            ax.set_ylabel("ns a world and step")

    figure(path, draw, (2.6 * columns, 2.8 * rows), rows, columns)


def round_(x):
    return float(f"{x:.4g}")


if __name__ == "__main__":
    main()
