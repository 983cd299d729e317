"""Arrays whose length changes from step to step: live until the next call, valid forever."""

import gc

import numpy as np
import sinew

FIELDS = [name for name, *_ in sinew._sinew._tables()["MjData"] if name.startswith("efc_")]


def test_rows_appear_and_vanish(rich):
    m, d = rich.m, rich.d
    assert d.efc_force.shape == (0,) and d.efc_force.flags.owndata
    sinew.mj_forward(m, d)
    assert d.nefc > 0
    for name in FIELDS:
        value = getattr(d, name)
        assert value.shape[0] in (d.nefc, d.nJ, d.nA), name
    sinew.mj_resetData(m, d)
    assert d.nefc == 0 and d.efc_J.shape == (0,)


def test_live_until_the_next_call(rich):
    m, d = rich.m, rich.d
    sinew.mj_forward(m, d)
    a, b = d.efc_force, d.efc_force
    a[0] = 17
    assert b[0] == 17 and d.efc_force[0] == 17
    part = a[:1]
    sinew.mj_forward(m, d)
    assert part[0] == 17 and a[0] == 17, "what was looked at stays as it was"
    assert d.efc_force[0] != 17
    assert np.shares_memory(d.efc_force, d.efc_force) and not np.shares_memory(a, d.efc_force)


def test_old_views_survive_everything(rich):
    m, d = rich.m, rich.d
    old = []
    for i in range(50):
        m.opt.disableflags = [0, 4, 8, 2, 15][i % 5]  # a different number of rows each time
        sinew.mj_step(m, d)
        old.append((d.nefc, [getattr(d, n) for n in FIELDS], [getattr(d, n).copy() for n in FIELDS]))
    assert len({n for n, _, _ in old}) > 2
    del d, rich.d
    gc.collect()
    for _, views, copies in old:
        for v, c in zip(views, copies):
            assert np.array_equal(v, c, equal_nan=True)


def test_nothing_is_copied_without_viewers(rich):
    m, d = rich.m, rich.d
    sinew.mj_forward(m, d)
    address = d.efc_J.__array_interface__["data"][0]
    sinew.mj_forward(m, d)
    assert d.efc_J.__array_interface__["data"][0] == address
    view = d.efc_J
    sinew.mj_forward(m, d)
    assert d.efc_J.__array_interface__["data"][0] != view.__array_interface__["data"][0] == address
