"""Enums and constants have MuJoCo's names and values."""

import mujoco
import pytest
import sinew


EXTENSIONS = ["mjINT_IMPLICITSPRINGDAMPER"]


def test_enums():
    for name, members in sinew._sinew._enums().items():
        mine, theirs = getattr(sinew, name), getattr(mujoco, name, None)
        if theirs is None:
            continue
        for member, value in members:
            if member in EXTENSIONS:
                assert not hasattr(theirs, member) and value >= 1000
                continue
            assert int(getattr(theirs, member)) == value == getattr(mine, member), member
            assert getattr(mine, member).value == value


def test_enum_behaviour():
    e = sinew.mjtObj.mjOBJ_BODY
    assert e == 1 and int(e) == 1 and e.value == 1 and e.name == "mjOBJ_BODY"
    assert repr(e) == repr(mujoco.mjtObj.mjOBJ_BODY) and str(e) == str(mujoco.mjtObj.mjOBJ_BODY)
    assert sinew.mjtObj(1) is e
    assert sinew.mjtDisableBit.mjDSBL_CONTACT | sinew.mjtDisableBit.mjDSBL_LIMIT == 24
    assert [10, 20, 30][e] == 20
    with pytest.raises(ValueError):
        sinew.mjtJoint(77)
    import pickle

    assert pickle.loads(pickle.dumps(e)) is e


def test_names_and_ids():
    import samples
    import oracle

    om = mujoco.MjModel.from_xml_string(samples.RICH)
    m = oracle.model_from_mujoco(om)
    for kind in range(-2, 30):
        for i in range(-1, 8):
            name = mujoco.mj_id2name(om, kind, i)
            assert sinew.mj_id2name(m, kind, i) == name, (kind, i)
            if name:
                assert sinew.mj_name2id(m, kind, name) == i
        assert sinew.mj_name2id(m, kind, "no such name") == -1
    assert sinew.mj_name2id(m, sinew.mjtObj.mjOBJ_GEOM, "ball") == 1
    assert sinew.mj_versionString() == mujoco.mj_versionString() and sinew.mj_version() == mujoco.mj_version()


def test_constants():
    from sinew import _constants

    names = [n for n in vars(_constants) if n.startswith("mj")]
    assert len(names) > 20
    for name in names:
        assert getattr(sinew, name) == getattr(mujoco, name), name


def test_order_and_completeness():
    for name in dir(mujoco):
        if name.startswith("mjt"):
            theirs = {k: int(v) for k, v in getattr(mujoco, name).__members__.items()}
            mine = {k: int(v) for k, v in getattr(sinew, name).__members__.items() if k not in EXTENSIONS}
            assert list(mine.items()) == list(theirs.items()), name
    assert list(sinew.mjtDisableBit)[-1].name == "mjNDISABLE"


def test_constants_of_drawing():
    for name in dir(mujoco):
        value = getattr(mujoco, name)
        if name.startswith("mj") and isinstance(value, (int, float, tuple)):
            assert getattr(sinew, name) == value, name


def test_zero_is_true_and_prints():
    for engine in (mujoco, sinew):
        e = engine.mjtObj.mjOBJ_UNKNOWN
        assert e and f"{e}" == "mjtObj.mjOBJ_UNKNOWN" and "%d" % e == "0" and e == 0 and hash(e) == hash(0)
