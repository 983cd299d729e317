"""Saved models and data with altered contents and a correct checksum: loading must raise, or give a model that can be
stepped. `python hostile_bytes.py SEED SECONDS`."""

import sys
import time

import hostile
import numpy as np
import sinew


def altered(rng, good):
    bad = bytearray(good[:-8])
    for _ in range(rng.integers(1, 4)):
        start = int(rng.integers(19, len(bad) - 8))
        if rng.random() < 0.5:
            bad[start] ^= 1 << int(rng.integers(8))
        else:
            start &= ~3
            bad[start : start + 4] = int(rng.choice(hostile.INTEGERS)).to_bytes(4, "little", signed=True)
    return sinew._sinew._sealed(bytes(bad))


def run(seed, seconds):
    rng = np.random.default_rng(seed)
    end = time.time() + seconds
    kept = []
    for xml in hostile.MODELS.values():
        m = sinew.MjModel.from_xml_string(xml)
        d = sinew.MjData(m)
        sinew.mj_step(m, d, 20)
        kept.append((m, m._to_bytes(), d._to_bytes()))
    loaded = tries = 0
    while time.time() < end:
        m, model, data = kept[rng.integers(len(kept))]
        tries += 1
        try:
            if rng.random() < 0.5:
                m = sinew.MjModel._from_bytes(altered(rng, model))
                d = sinew.MjData(m)
            else:
                d = sinew.MjData(m)
                d.__setstate__(altered(rng, data))
        except (ValueError, sinew.FatalError, MemoryError):
            continue
        loaded += 1
        for work in (sinew.mj_fwdConstraint, sinew.mj_step, sinew.mj_inverse):
            hostile.attempt(lambda: work(m, d))
    print("done", loaded, "of", tries)


if __name__ == "__main__":
    run(int(sys.argv[1]), float(sys.argv[2]))
