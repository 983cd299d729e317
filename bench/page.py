"""Writes docs/benchmarks.md: sinew against MuJoCo on this machine, with plots in docs/img.

    python bench/page.py [LIST.txt|MODEL.xml ...] [--seconds 0.5] [--repeat 5]

Speeds are those of rollouts on one thread: both engines advance a model from the same state under the same smooth
random controls, interleaved, and medians count. Ratios above 1 mean that sinew is faster. Needs matplotlib.
"""
import argparse
import os
import platform

import batch_speed
import mujoco
import mujoco.rollout
import numpy as np
import scaling
import sinew
import sinew.rollout
import stages
from common import ROOT, expand, figure, in_turn, label, load, seconds, state

STEPS = 20000


def controls(m, steps):
    """Slowly varying noise around the middle of the control ranges."""
    rng = np.random.default_rng(7)
    limited = np.asarray(m.actuator_ctrllimited, bool)[:, None]
    low, high = np.where(limited, m.actuator_ctrlrange, (-0.1, 0.1)).T
    noise = rng.standard_normal((steps, m.nu))
    for t in range(1, steps):
        noise[t] = 0.9 * noise[t - 1] + 0.1 * noise[t]
    return np.clip(0.5 * (low + high) + 0.15 * (high - low) * noise, low, high)[None]


def speed(path, args):
    """Degrees of freedom, and microseconds per step of MuJoCo and of sinew."""
    sides = [(module, *load(module, path)) for module in (mujoco, sinew)]
    start = state(*sides[0], "FULLPHYSICS")[None]
    ctrl = controls(sides[0][1], STEPS)

    def work(side, steps):
        module, m, d = side
        return lambda: module.rollout.rollout(m, d, start, ctrl[:, :steps] if m.nu else None, nstep=steps)

    steps = int(np.clip(200 * args.seconds / seconds(work(sides[0], 200)), 50, STEPS))
    times = in_turn([work(side, steps) for side in sides], args.repeat)
    return sides[0][1].nv, *(1e6 / steps * np.median(times, axis=0))


def table(head, rows):
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def speed_section(paths, args):
    found = [(label(path), *speed(path, args)) for path in paths]
    ratios = np.array([theirs / ours for _, _, theirs, ours in found])
    rows = [[f"`{name}`", f"{nv}", f"{a:.1f}", f"{b:.1f}", f"{a / b:.2f}"] for name, nv, a, b in found]

    def bars(ax):
        order = np.argsort(ratios)
        ax.barh([found[i][0] for i in order], ratios[order])
        ax.axvline(1, color="k", lw=1)
        ax.set(xlabel="times as fast as MuJoCo")

    figure(os.path.join(ROOT, "docs", "img", "speed.svg"), bars, (7, 1.2 + 0.25 * len(found)))
    return f"""## Speed on one core

Models: {len(found)}. Geometric mean {np.exp(np.log(ratios).mean()):.2f} × MuJoCo's speed, lowest {ratios.min():.2f}.

![Speed of sinew relative to MuJoCo, by model](img/speed.svg)

{table(["model", "dofs", "MuJoCo, µs per step", "sinew, µs per step", "ratio"], rows)}"""


def scaling_section():
    rows = [(count, *scaling.measure(count)) for count in scaling.COUNTS]
    scaling.plot(os.path.join(ROOT, "docs", "img", "scaling.svg"), rows)
    cells = [[f"{n}", f"{contacts}", f"{a:.0f}", f"{b:.0f}", f"{a / b:.2f}"] for n, contacts, a, b in rows]
    return f"""## Collision of many bodies

Boxes, spheres and capsules on a plane, at constant density.

![Collision time by number of bodies](img/scaling.svg)

{table(["bodies", "contacts", "MuJoCo, µs", "sinew, µs", "ratio"], cells)}"""


def batch_section(args):
    worlds, threads, nsteps = (16, 64, 256, 1024, 4096), sorted({1, os.cpu_count()}), (1, 5)

    def measure(n, nstep, read=()):
        return batch_speed.measure(batch_speed.HUMANOID, n, threads, repeat=args.repeat, nstep=nstep, read=read)

    found = {(nstep, n): measure(n, nstep) for nstep in nsteps for n in worlds}
    batch_speed.plot(os.path.join(ROOT, "docs", "img", "batch.svg"), worlds, threads, [found[5, n][1] for n in worlds])
    rows = [
        [f"{nstep}", f"{n}", f"{t}", *(f"{v:,.0f}" for v in speeds[:, k]), f"{speeds[0, k] / speeds[1, k]:.3f}",
         f"{speeds[0, k] / speeds[0, 0]:.2f}", f"{by_cpu[k]:.2f}"]
        for (nstep, n), (_, speeds, by_cpu) in found.items()
        for k, t in enumerate(threads)
    ]
    head = ["steps per call", "worlds", "threads", "BatchSim", "rollout", "MuJoCo rollout", "BatchSim / rollout", "scaling", "by CPU time"]
    size, fields = found[5, 256][0], "xpos,xquat,cvel,sensordata,actuator_force"
    seen = measure(1024, 5, fields.split(","))
    return f"""## Many worlds

Steps per second of the humanoid; controls are held for all steps of a call. A world takes {size / 1024:.1f} KiB. A rollout finishes one
world before it starts the next. With {fields.replace(",", ", ")} of 1024 worlds read after every call of 5 steps, a world takes
{seen[0] / 1024:.1f} KiB and `BatchSim` reaches {seen[1][0, -1] / seen[1][1, -1]:.3f} of the rollout's speed with {threads[-1]} threads. "Scaling" is the
speed of `BatchSim` relative to one thread and needs a quiet machine. "By CPU time" is an upper bound, because it leaves out the time that
threads spend waiting.

![Steps per second by number of worlds, 5 steps per call](img/batch.svg)

{table(head, rows)}"""


def stage_section(path, args):
    sides = stages.prepare(path, 200)
    rows = [
        ["&emsp;" * (line.count("  ")) + f"`{line.strip()}`", f"{a:.2f}", f"{b:.2f}", f"{a / b:.2f}"]
        for line, a, b in stages.measure(sides, 3 * args.repeat)
    ]
    d = sides[0][2]
    return f"""<details><summary>{label(path)}: {d.ncon} contacts, {d.nefc} constraint rows</summary>

{table(["stage", "MuJoCo, µs", "sinew, µs", "ratio"], rows)}
</details>
"""


def processor():
    try:
        with open("/proc/cpuinfo") as lines:
            name = next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        name = platform.processor() or platform.machine()
    return f"{name}, {os.cpu_count()} cores, {platform.system()}, load {os.getloadavg()[0]:.1f} at the start"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", default=[os.path.join(ROOT, "models", "humanoid.xml")])
    parser.add_argument("--seconds", type=float, default=0.5, help="target duration of one timed MuJoCo rollout")
    parser.add_argument("--repeat", type=int, default=5)
    args = parser.parse_args()
    paths, machine = list(expand(args.paths)), processor()
    os.makedirs(os.path.join(ROOT, "docs", "img"), exist_ok=True)
    command = "python bench/page.py " + " ".join(os.path.relpath(path, ROOT) for path in args.paths)
    sections = [
        "# Benchmarks\n",
        f"Generated by `{command}` with MuJoCo {mujoco.__version__}. Machine: {machine}.",
        "Timings of the two engines are interleaved in one process. Values are medians over repeats, except under \"Many worlds\", where they are",
        "the best repeat. Ratios above 1 mean that sinew is faster.\n",
        speed_section(paths, args),
        scaling_section(),
        batch_section(args),
        "## Stages\n",
        "CPU time of each stage on identical states, after 200 steps of MuJoCo. Both engines are called through Python, so stages shorter than a",
        "microsecond measure the bindings more than the engines.\n",
        *(stage_section(path, args) for path in paths),
    ]
    with open(os.path.join(ROOT, "docs", "benchmarks.md"), "w") as page:
        page.write("\n".join(sections))


if __name__ == "__main__":
    main()
