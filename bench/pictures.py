"""CPU time of rendering against MuJoCo's with OSMesa, interleaved in one run.

    python bench/pictures.py [MODEL.xml ...] [--sizes 64x64 240x320 480x640] [--seconds 1] [--first] [--batch] [--endurance N]

Medians in milliseconds of `update_scene` and `render`, summed over all threads: colours with shadows, reflections and
antialiasing, depths, and ids; the ratio is sinew's time over MuJoCo's. `--first` adds a new renderer and its first
image, `--batch` images of 64 by 64 pixels per second and core; `--endurance` measures only sinew's memory over N images
and N / 100 renderers. MuJoCo's side needs libosmesa, or another `MUJOCO_GL`.
"""
import argparse
import os

os.environ.setdefault("MUJOCO_GL", "osmesa")

import mujoco  # noqa: E402
import numpy as np  # noqa: E402
import sinew  # noqa: E402
from common import ROOT, cpu_seconds, in_turn, label, load  # noqa: E402

MODES = {"colours": None, "depth": "enable_depth_rendering", "ids": "enable_segmentation_rendering"}


def ready(module, path, side):
    m, d = load(module, path)
    m.vis.global_.offwidth = m.vis.global_.offheight = side
    module.mj_forward(m, d)
    return m, d


def picture(renderer, d, mode):
    if mode:
        getattr(renderer, mode)()
    else:
        renderer.disable_depth_rendering()
        renderer.disable_segmentation_rendering()

    def draw():
        renderer.update_scene(d)
        return renderer.render()
    return draw


def frames(path, sides, size, seconds):
    """Medians for both sides, mode by mode."""
    renderers = [module.Renderer(m, *size) for module, (m, _) in zip((mujoco, sinew), sides)]
    for name, mode in MODES.items():
        works = [picture(r, d, mode) for r, (_, d) in zip(renderers, sides)]
        trial = in_turn(works, 2, cpu_seconds)[1]
        # the faster side renders several images per turn: clocks are coarse
        many = max(1, int(0.02 / max(trial[1], 1e-6)))

        def turn(draw=works[1], many=many):
            for _ in range(many):
                draw()
        repeat = max(3, int(seconds / (trial[0] + many * trial[1])))
        other, own = np.median(in_turn([works[0], turn], repeat, cpu_seconds), axis=0) * 1e3 / [1, many]
        print(f"| {label(path)} | {size[0]}×{size[1]} | {name} | {other:.2f} | {own:.2f} | {own / other:.3f} |", flush=True)
    for r in renderers:
        r.close()


def first(path, sides):
    """A new renderer and its first image."""
    def work(module, m, d):
        def draw():
            with module.Renderer(m, 480, 640) as r:
                r.update_scene(d)
                r.render()
        return draw
    works = [work(module, *side) for module, side in zip((mujoco, sinew), sides)]
    once = in_turn(works, 1, cpu_seconds)[0] * 1e3
    other, own = np.median(in_turn(works, 3, cpu_seconds), axis=0) * 1e3
    print(f"| {label(path)} | 480×640 | first of the model | {once[0]:.1f} | {once[1]:.1f} | {once[1] / once[0]:.3f} |")
    print(f"| {label(path)} | 480×640 | first of a renderer | {other:.1f} | {own:.1f} | {own / other:.3f} |", flush=True)


def batch(path, worlds=64):
    """Images per second of CPU time, for worlds of one model."""
    m = sinew.MjModel.from_xml_path(path)
    sim = sinew.BatchSim(m, worlds, num_threads=1, nstep=5)
    sim.step()
    per = np.median(in_turn([lambda: sim.render(-1, 64, 64)], 9, cpu_seconds)) / worlds
    print(f"\n{label(path)}: {1 / per:,.0f} pictures of 64×64 per second and core")


def resident():
    """Memory of this process. (MB)"""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def endurance(path, pictures, side=32):
    """Memory before and after many images, and after many renderers; the first tenth fills caches."""
    m, d = ready(sinew, path, side)

    def draw(renderer, count):
        for _ in range(count):
            sinew.mj_step(m, d)
            renderer.update_scene(d)
            renderer.render()

    def renew(count):
        for _ in range(count):
            with sinew.Renderer(m, side, side) as r:
                draw(r, 1)
    with sinew.Renderer(m, side, side) as r:
        draw(r, pictures // 10)
        before = resident()
        draw(r, pictures - pictures // 10)
        print(f"{label(path)}: {before:.1f} MB after {pictures // 10} pictures, {resident():.1f} MB after {pictures}")
    renderers = pictures // 100
    renew(renderers // 10)
    before = resident()
    renew(renderers - renderers // 10)
    print(f"{label(path)}: {before:.1f} MB after {renderers // 10} renderers, {resident():.1f} MB after {renderers}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", default=[os.path.join(ROOT, "models", "humanoid.xml")])
    parser.add_argument("--sizes", nargs="*", default=["64x64", "240x320", "480x640"], help="height and width")
    parser.add_argument("--seconds", type=float, default=1.0, help="aimed length of each comparison")
    parser.add_argument("--first", action="store_true")
    parser.add_argument("--batch", action="store_true")
    parser.add_argument("--endurance", type=int, metavar="N")
    args = parser.parse_args()
    if args.endurance:
        for path in args.models:
            endurance(path, args.endurance)
        return
    sizes = [tuple(map(int, s.split("x"))) for s in args.sizes]
    print("| model | size | picture | MuJoCo, ms | sinew, ms | ratio |\n|---|---|---|---|---|---|")
    for path in args.models:
        sides = [ready(module, path, max(640, *map(max, sizes))) for module in (mujoco, sinew)]
        if args.first:
            first(path, sides)
        for size in sizes:
            frames(path, sides, size, args.seconds)
    if args.batch:
        for path in args.models:
            batch(path)


if __name__ == "__main__":
    main()
