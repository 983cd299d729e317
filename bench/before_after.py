#!/usr/bin/env python3
"""Cost of a change: steps of models by two builds of sinew, interleaved.

    before_after.py BEFORE AFTER LIST.txt|MODEL.xml ... [--rounds 15] [--seconds .05] [--bound 1.02]

BEFORE and AFTER are Python interpreters, each with its build of sinew, both in the release profile:

    git worktree add ../before COMMIT~1 && python -m venv ../before/venv
    ../before/venv/bin/python -m pip install maturin numpy ../before/crates/python

One process per build steps every model from its first keyframe. The two take turns and CPU time is measured, so that
other programs affect both alike. The result for a model is the median over rounds of the time after over the time
before; a model slower than `--bound` is measured again with four times the rounds. Exits with 1 if it is still slower.
Passing the same interpreter twice shows the noise.
"""
import argparse
import subprocess
import sys

import numpy as np
from common import expand, label

WORKER = """
import sys, time
import sinew
for line in sys.stdin:
    word, value = line.rstrip("\\n").split(" ", 1)
    if word == "load":
        try:
            m = sinew.MjModel.from_xml_path(value)
            d = sinew.MjData(m)
            if m.nkey:
                sinew.mj_resetDataKeyframe(m, d, 0)
            sinew.mj_step(m, d, 20)
            print("ok", flush=True)
        except Exception as e:
            print("refused", type(e).__name__, flush=True)
    else:
        begin = time.process_time()
        sinew.mj_step(m, d, int(value))
        print(time.process_time() - begin, flush=True)
"""


class Build:
    def __init__(self, python):
        self.process = subprocess.Popen([python, "-c", WORKER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, text):
        print(text, file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline().strip()
        if not answer:
            sys.exit(f"a build has ended: {self.process.args[0]}")
        return answer


def ratio(builds, count, rounds):
    """Median over rounds of the second build's time over the first's; the builds alternate in going first."""
    each = []
    for k in range(rounds):
        order = builds if k % 2 else builds[::-1]
        spent = {b: float(b.ask(f"step {count}")) for b in order}
        each.append(spent[builds[1]] / max(spent[builds[0]], 1e-9))
    return np.median(each)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("before")
    ap.add_argument("after")
    ap.add_argument("models", nargs="+")
    ap.add_argument("--rounds", type=int, default=15)
    ap.add_argument("--seconds", type=float, default=0.05, help="time of a measurement")
    ap.add_argument("--bound", type=float, default=1.02)
    args = ap.parse_args()
    builds = [Build(args.before), Build(args.after)]
    found = {}
    for path in expand(args.models):
        if any(b.ask(f"load {path}") != "ok" for b in builds):
            continue
        once = max(float(builds[1].ask("step 50")) / 50, 1e-7)
        count = max(1, int(args.seconds / once))
        found[path] = ratio(builds, count, args.rounds)
        if found[path] > args.bound:
            found[path] = ratio(builds, count, 4 * args.rounds)
        print(f"{found[path]:7.3f}  {label(path)}", flush=True)
    if not found:
        sys.exit("no model that both builds load")
    slower = [path for path, r in found.items() if r > args.bound]
    values = list(found.values())
    print(f"{len(found)} models: median {np.median(values):.3f}, from {min(values):.3f} to {max(values):.3f}")
    print(f"{'FAILED' if slower else 'ok'}: {len(slower)} models slower than {args.bound}")
    return int(bool(slower))


if __name__ == "__main__":
    sys.exit(main())
