"""Shared by the benchmarks: lists of models, interleaved timing, reproducible plots."""
import os
import time

import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def expand(paths):
    """Model files: those given and, for a `.txt`, the files that it lists, relative to its folder."""
    for path in paths:
        if path.endswith(".txt"):
            base = os.path.dirname(os.path.abspath(path))
            with open(path) as lines:
                names = [line.split("#")[0].strip() for line in lines]
            yield from (os.path.join(base, name) for name in names if name)
        else:
            yield path


def label(path):
    return "/".join(path.split(os.sep)[-2:])


def load(module, path):
    """Model and simulation of a file, in the first keyframe if there is one."""
    m = module.MjModel.from_xml_path(path)
    d = module.MjData(m)
    if m.nkey:
        module.mj_resetDataKeyframe(m, d, 0)
    return m, d


def state(module, m, d, spec):
    """The state components in `spec`, as one vector."""
    spec = getattr(module.mjtState, "mjSTATE_" + spec)
    vector = np.empty(module.mj_stateSize(m, spec))
    module.mj_getState(m, d, vector, spec)
    return vector


def seconds(work, clock=time.perf_counter):
    """Duration of a call; its result is freed after the clock is read."""
    start = clock()
    result = work()
    elapsed = clock() - start
    del result
    return elapsed


def cpu_seconds(work):
    """CPU time of a call, which excludes other programs."""
    return seconds(work, time.process_time)


def in_turn(works, repeat, measure=seconds):
    """Seconds of each piece of work, interleaved: one row per repeat."""
    return np.array([[measure(work) for work in works] for _ in range(repeat)])


def figure(path, draw, size=(6, 4), rows=1, columns=1):
    """Writes an SVG file of what `draw(axes)` draws; the same values give the same file."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "sinew", "svg.fonttype": "none"})
    import matplotlib.pyplot as plt

    fig, ax = plt.subplots(rows, columns, figsize=size)
    draw(ax)
    fig.tight_layout()
    fig.savefig(path, metadata={"Date": None})
    plt.close(fig)
