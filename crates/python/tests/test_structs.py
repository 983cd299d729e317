"""Settings, contacts, warnings, timers and solver statistics as small objects and lists."""

import copy

import numpy as np
import pytest
import sinew


def test_settings_compare_and_copy(rich):
    opt = rich.m.opt
    assert opt == copy.copy(opt) == copy.deepcopy(opt)
    other = copy.copy(opt)
    other.gravity[2] = 0
    assert other != opt and opt.gravity[2] == pytest.approx(-9.81)
    assert opt != 3 and opt != rich.m.stat
    with pytest.raises(TypeError):
        hash(opt)


def test_settings_defaults_are_mujocos():
    import mujoco

    mine, theirs = sinew.MjOption(), mujoco.MjOption()
    for field, *_ in sinew._sinew._tables()["MjOption"]:
        assert np.array_equal(getattr(mine, field), getattr(theirs, field)), field


def test_settings_repr(rich):
    assert repr(rich.m.opt).split("\n")[0] == repr(rich.om.opt).split("\n")[0]
    mine = [line.split(":")[0] for line in repr(rich.m.opt).splitlines()]
    theirs = [line.split(":")[0] for line in repr(rich.om.opt).splitlines()]
    assert mine == theirs
    assert repr(rich.m.vis).startswith("<MjVisual\n  global_: <Global\n")


def test_contact_members_are_mujocos():
    import mujoco

    mine, theirs = sinew.MjContact(), mujoco.MjContact()
    for name in dir(theirs):
        if name.startswith("_"):
            continue
        a, b = getattr(mine, name), getattr(theirs, name)
        assert type(a) is type(b), name
        assert np.shape(a) == np.shape(b) and np.asarray(a).dtype == np.asarray(b).dtype, name


def test_a_contact_of_its_own():
    c = sinew.MjContact()
    c.dist = -0.5
    c.geom = [3, 4]
    assert (c.geom1, c.geom2) == (3, 4)
    c.geom2 = 9
    assert c.geom[1] == 9
    c.frame[0] = 1
    other = copy.copy(c)
    assert other == c
    other.frame[0] = 2
    assert other != c and c.frame[0] == 1
    assert repr(c).startswith("<MjContact\n  H: ")


def test_no_contacts(rich):
    d = rich.d
    assert len(d.contact) == 0 == d.ncon
    assert d.contact.geom.shape == (0, 2) and d.contact.H.shape == (0, 36) and d.contact.dist.shape == (0,)
    for i in (0, -1, 5):
        with pytest.raises(IndexError):
            d.contact[i]
    with pytest.raises(TypeError):
        d.contact["a"]
    assert list(d.contact) == []
    with pytest.raises(AttributeError):
        d.contact.dist = 3


def test_warnings(rich):
    d, od = rich.d, rich.od
    assert len(d.warning) == len(od.warning)
    d.warning[2].number = 7
    assert np.array_equal(d.warning.number, [0, 0, 7, 0, 0, 0, 0, 0])
    d.warning.lastinfo[:] = 4
    assert d.warning[sinew.mjtWarning.mjWARN_BADQPOS].lastinfo == 4
    sinew.mj_resetData(rich.m, d)
    assert not d.warning.number.any()
    assert len(d.warning[1:3]) == 2
    with pytest.raises(IndexError):
        d.warning[len(d.warning)]


def test_lists_have_mujocos_shape(rich):
    for name in ("timer", "solver", "warning", "contact"):
        mine, theirs = getattr(rich.d, name), getattr(rich.od, name)
        assert len(mine) == len(theirs)
        assert type(mine).__name__ == type(theirs).__name__
        for member in dir(theirs):
            if not member.startswith("_"):
                a, b = getattr(mine, member), getattr(theirs, member)
                assert (a.shape, a.dtype) == (b.shape, b.dtype), (name, member)
        if len(mine):
            assert type(mine[0]).__name__ == type(theirs[0]).__name__
            assert repr(mine[0]).splitlines()[0] == repr(theirs[0]).splitlines()[0]
