"""Compile time of sinew beside MuJoCo, interleaved in one run.

    python bench/compile_time.py LIST.txt|MODEL.xml ... [--repeat 3] [--json out.json]

Each model is compiled from its file by both engines in turn, which one goes first alternating; the best of the repeats
counts. Files are read once before timing, so that neither engine pays for a cold disk. Above 1 sinew is faster.
"""
import argparse
import json
import os

import mujoco
import sinew
from common import expand, seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--worst", type=int, default=10, help="how many of the slowest models to list")
    parser.add_argument("--json")
    args = parser.parse_args()
    rows, failed = [], 0
    for i, path in enumerate(expand(args.paths)):
        engines = [mujoco, sinew] if i % 2 else [sinew, mujoco]
        best = {}
        try:
            for _ in range(args.repeat):
                for module in engines:
                    once = seconds(lambda: module.MjModel.from_xml_path(path))
                    best[module.__name__] = min(once, best.get(module.__name__, once))
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
