"""Copies and pickles are complete and independent."""

import copy
import io
import pickle

import numpy as np
import pytest
import sinew

TABLES = sinew._sinew._tables()


def equal(a, b, table):
    for name, *_ in TABLES[table]:
        assert np.array_equal(getattr(a, name), getattr(b, name)), name


@pytest.mark.parametrize("how", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_model(rich, how):
    m = rich.m
    m.opt.timestep = 0.125
    m.vis.rgba.haze[:] = 0.5
    c = how(m)
    equal(c, m, "MjModel")
    assert c.opt == m.opt and c.stat == m.stat and c.vis.rgba == m.vis.rgba
    assert c.body("torso").id == m.body("torso").id
    c.body_mass[1] = 99
    c.opt.gravity[0] = 99
    assert m.body_mass[1] != 99 and m.opt.gravity[0] != 99


@pytest.mark.parametrize("how", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_data(rich, how):
    m, d = rich.m, rich.d
    rng = np.random.default_rng(0)
    d.qpos[:] += 0.1 * rng.standard_normal(m.nq)
    d.qvel[:] = rng.standard_normal(m.nv)
    sinew.mj_forward(m, d)
    d.time = 4.5
    c = how(d)
    equal(c, d, "MjData")
    c.qpos[0] = 99
    assert d.qpos[0] != 99
    sinew.mj_forward(c.model, c)


def test_which_model_a_copy_has(rich):
    assert copy.copy(rich.d).model is rich.m
    assert copy.deepcopy(rich.d).model is not rich.m
    assert pickle.loads(pickle.dumps(rich.d)).model is not rich.m
    both = copy.deepcopy([rich.m, rich.d])
    assert both[1].model is both[0]
    m, d = pickle.loads(pickle.dumps((rich.m, rich.d)))
    assert d.model is m


def test_hostile_bytes(rich):
    good = rich.m._to_bytes()
    rng = np.random.default_rng(0)
    for _ in range(300):
        bad = bytearray(good)
        bad[rng.integers(len(bad) if rng.random() < 0.5 else 800)] = rng.integers(256)
        try:
            m = sinew.MjModel._from_bytes(bytes(bad))
            d = sinew.MjData(m)
            sinew.mj_forward(m, d)
            m.body(0), d.body(0)
        except (ValueError, sinew.FatalError):
            pass
    for bad in (b"", b"x", good[:-1], good + b"x", b"\0" * 1000):
        with pytest.raises(ValueError):
            sinew.MjModel._from_bytes(bad)
        with pytest.raises(ValueError):
            sinew.MjData(rich.m).__setstate__(bad)
    with pytest.raises((pickle.UnpicklingError, ValueError, EOFError)):
        pickle.load(io.BytesIO(pickle.dumps(rich.m)[:-100]))
