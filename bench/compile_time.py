"""Compile time of sinew and MuJoCo, interleaved in one run.

    python bench/compile_time.py LIST.txt|MODEL.xml ... [--repeat 3] [--cached | --fresh] [--cpu] [--json out.json]

Each model is compiled from its file by both engines, which alternate in going first; the best of the repeats counts.
Both keep compiled meshes and textures in a cache of the process: with `--cached` every model is compiled once before
the clock runs, with `--fresh` the caches are emptied each time. `--cpu` measures CPU time, for a machine under load.
Above 1 sinew is faster.
"""
import argparse
import json
import os

import mujoco
import sinew
from common import cpu_seconds, expand, seconds


def once(module, path, args):
    if args.fresh:
        module.mj_clearCache(module.mj_getCache())
    return (cpu_seconds if args.cpu else seconds)(lambda: module.MjModel.from_xml_path(path))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--worst", type=int, default=10, help="how many of the slowest models to list")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--cached", action="store_true", help="models that the process has compiled before")
    which.add_argument("--fresh", action="store_true", help="with empty caches")
    parser.add_argument("--cpu", action="store_true", help="processor time instead of the clock")
    parser.add_argument("--json")
    args = parser.parse_args()
    rows, failed = [], 0
    for i, path in enumerate(expand(args.paths)):
        engines = [mujoco, sinew] if i % 2 else [sinew, mujoco]
        best = {}
        try:
            for k in range(args.repeat + args.cached):
                for module in engines:
                    took = once(module, path, args)
                    if k >= args.cached:
                        best[module.__name__] = min(took, best.get(module.__name__, took))
        except ValueError:
            failed += 1
            continue
        rows.append((path, best["mujoco"], best["sinew"]))
    rows.sort(key=lambda r: r[1] - r[2])
    print(f"{'model':60s} {'mujoco ms':>10s} {'sinew ms':>10s} {'ratio':>7s}")
    for path, oracle, own in rows[: args.worst]:
        print(f"{'/'.join(path.split(os.sep)[-3:]):60s} {1e3 * oracle:10.2f} {1e3 * own:10.2f} {oracle / own:7.2f}")
    oracle, own = sum(r[1] for r in rows), sum(r[2] for r in rows)
    print(f"\nmodels {len(rows)} ({failed} not compiled by both)")
    print(f"total: mujoco {oracle:.2f} s, sinew {own:.2f} s, ratio {oracle / own:.2f}")
    if args.json:
        with open(args.json, "w") as out:
            json.dump([dict(model=p, mujoco=a, sinew=b) for p, a, b in rows], out, indent=1)


if __name__ == "__main__":
    main()
