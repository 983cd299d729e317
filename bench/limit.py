#!/usr/bin/env python3
"""Writes docs/speed.md: where the time of a step goes, and how far that is from the limits of the processor.

    python bench/limit.py LIST.txt|MODEL.xml ... [--only humanoid.xml unitree_g1 ...] [--repeat 15]

Every stage in the state that MuJoCo reaches after 200 steps: its time against MuJoCo's, instructions and misses of both
engines by callgrind (`apt-get install valgrind`), cycles by `perf stat` if hardware counters are available, and the
minimum of operations and bytes where those are simple to count (`work.py`). Reports missing tools. The part of the page
after the mark is kept.
"""
import argparse
import os
import tempfile

import counters
import mujoco
import numpy as np
import sinew
import stages
import work
from common import ROOT, expand, label, state
from page import processor, table

PAGE = os.path.join(ROOT, "docs", "speed.md")
MARK = "<!-- by hand from here on -->\n"
WARM = 200
CALLS = 20  # number of counted calls: counts hardly vary, and callgrind is slow


def counts(kind, engine, path, at, names):
    """Counts of one call of each stage, minus those of an empty call."""
    counter = kind(engine, path, at)
    calls = CALLS if kind is counters.Callgrind else stages.CALLS
    nothing = counter.count("nothing", calls)
    found = {name: np.maximum(counter.count(name, calls) - nothing, 0) for name in names}
    counter.close()
    return found


def thousands(x):
    return f"{x / 1000:,.1f}" if x < 1e5 else f"{x / 1000:,.0f}"


def row(line, theirs, ours, of, need):
    """Table cells of a stage: times, then counts."""
    name = line.strip()
    cells = ["&emsp;" * line.count("  ") + f"`{name}`", f"{theirs:.2f}", f"{ours:.2f}", f"{theirs / ours:.2f}"]
    if "callgrind" in of:
        a, b = (of["callgrind"][engine][name] for engine in ("mujoco", "sinew"))
        cells += [thousands(a[0]), thousands(b[0]), f"{b[0] / (1000 * ours):.1f}", *(f"{x:.0f}" for x in b[1:])]
    if "perf" in of:
        a, b = (of["perf"][engine][name] for engine in ("mujoco", "sinew"))
        cells += [thousands(a[0]), thousands(b[0]), f"{b[1] / max(b[0], 1):.2f}"]
    if name in need:
        flops, size = need[name]
        return cells + [thousands(flops), f"{size / 1024:.1f}", f"{flops / (1000 * ours):.2f}"]
    return cells + ["", "", ""]


def section(path, repeat):
    print(label(path), flush=True)
    sides = stages.prepare(path, WARM)
    timed = list(stages.measure(sides, repeat))
    names = [line.strip() for line, *_ in timed]
    of = {}
    with tempfile.TemporaryDirectory() as folder:
        at = os.path.join(folder, "state.npy")
        np.save(at, state(*sides[0], "INTEGRATION"))
        for key, kind, there in (("callgrind", counters.Callgrind, counters.has_callgrind()),
                                 ("perf", counters.Perf, counters.has_perf())):
            if there:
                of[key] = {engine: counts(kind, engine, path, at, names) for engine in ("mujoco", "sinew")}
    _, m, d = sides[1]
    need = {name: count(m, d) for name, count in work.STAGES.items()}
    head = ["stage", "MuJoCo, µs", "sinew, µs", "ratio"]
    if "callgrind" in of:
        head += ["MuJoCo, 1000 instr.", "sinew, 1000 instr.", "instr. per ns", "L1 code misses", "L1 data misses",
                 "last misses", "branch misses"]
    if "perf" in of:
        head += ["MuJoCo, 1000 cycles", "sinew, 1000 cycles", "instr. per cycle"]
    head += ["needed, 1000 flops", "needed, KiB", "flops per ns"]
    rows = [row(line, a, b, of, need) for line, a, b in timed]
    return f"### {label(path)}\n\n{m.nv} dofs, {d.ncon} contacts, {d.nefc} rows.\n\n{table(head, rows)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--only", nargs="+", default=[""], help="those whose paths have one of these words")
    parser.add_argument("--repeat", type=int, default=15)
    args = parser.parse_args()
    paths = [path for path in expand(args.paths) if any(word in path for word in args.only)]
    missing = [text for there, text in (
        (counters.has_callgrind(), "callgrind is not installed: no instructions and misses."),
        (counters.has_perf(), "`perf stat` is missing or may not count cycles on this machine: no cycles.")) if not there]
    with open(PAGE) as page:
        kept = page.read().split(MARK, 1)[1]
    command = " ".join(["python bench/limit.py", *(os.path.relpath(path, ROOT) for path in args.paths)]
                       + (["--only", *args.only] if args.only != [""] else []))
    sections = [
        "# Where a step's time goes\n",
        f"Written by `{command}` beside MuJoCo {mujoco.__version__}, sinew at level `{sinew.level()}`, on: {processor()}.",
        *missing,
        "Times are processor times of calls through Python, medians in turn. Instructions and misses are of one call, by callgrind's own",
        "model of caches and branch prediction, at level `x86-64`, without those of the call. What is needed is counted by `bench/work.py`; a core that",
        "begins two sums and two products per cycle at 3.7 GHz does 15 flops per ns one at a time, 30 in lanes of two, 59 in lanes of",
        "four. Rows of a matrix are short here, and each pivot waits for the one before, so that stages are far from that.\n",
        "## Stages\n",
        *(section(path, args.repeat) for path in paths),
    ]
    with open(PAGE, "w") as page:
        page.write("\n".join(sections) + "\n" + MARK + kept)


if __name__ == "__main__":
    main()
