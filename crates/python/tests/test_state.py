"""State vectors, keyframes and copies against MuJoCo's."""

import mujoco
import numpy as np
import pytest
import sinew


def scramble(pair):
    rng = np.random.default_rng(3)
    for name in "qpos qvel act ctrl qfrc_applied xfrc_applied mocap_pos mocap_quat userdata qacc_warmstart".split():
        value = rng.standard_normal(getattr(pair.od, name).shape)
        getattr(pair.od, name)[...] = value
        getattr(pair.d, name)[...] = value
    pair.od.time = pair.d.time = 1.25
    pair.od.eq_active[...] = pair.d.eq_active[...] = 0


def test_every_signature(rich):
    scramble(rich)
    whole = int(mujoco.mjtState.mjSTATE_INTEGRATION)
    signatures = [1 << i for i in range(whole.bit_length())] + [whole, int(mujoco.mjtState.mjSTATE_FULLPHYSICS), 0]
    for sig in signatures:
        size = mujoco.mj_stateSize(rich.om, sig)
        assert sinew.mj_stateSize(rich.m, sig) == size
        a, b = np.zeros(size), np.zeros(size)
        mujoco.mj_getState(rich.om, rich.od, a, sig)
        sinew.mj_getState(rich.m, rich.d, b, sig)
        assert np.array_equal(a, b)
        sinew.mj_setState(rich.m, rich.d, b * 0.5, sig)
        sinew.mj_getState(rich.m, rich.d, b, sig)
        if sig != int(sinew.mjtState.mjSTATE_EQ_ACTIVE):
            assert np.allclose(b, a * 0.5)
        sinew.mj_setState(rich.m, rich.d, a, sig)
        part = np.zeros(size)
        full = np.zeros(sinew.mj_stateSize(rich.m, whole))
        sinew.mj_getState(rich.m, rich.d, full, whole)
        if sig & whole == sig:
            sinew.mj_extractState(rich.m, full, whole, part, sig)
            assert np.array_equal(part, a)


def test_bad_signatures(rich):
    m, d = rich.m, rich.d
    for sig in (-1, 1 << 20):
        with pytest.raises(sinew.FatalError):
            sinew.mj_stateSize(m, sig)
        with pytest.raises(sinew.FatalError):
            sinew.mj_getState(m, d, np.zeros(1), sig)
    with pytest.raises(TypeError, match="state size should equal"):
        sinew.mj_getState(m, d, np.zeros(3), 1)
    with pytest.raises(TypeError, match="state size should equal"):
        sinew.mj_setState(m, d, np.zeros(3), 1)
    with pytest.raises(sinew.FatalError):
        sinew.mj_extractState(m, np.zeros(1), 1, np.zeros(1 + m.nq), 3)


@pytest.mark.parametrize("key", [-1, 0, 1, 7])
def test_keyframes(rich, key):
    scramble(rich)
    mujoco.mj_resetDataKeyframe(rich.om, rich.od, key)
    sinew.mj_resetDataKeyframe(rich.m, rich.d, key)
    for name in "time qpos qvel act ctrl mocap_pos mocap_quat eq_active qfrc_applied userdata".split():
        assert np.array_equal(getattr(rich.d, name), getattr(rich.od, name)), name


def test_set_keyframe(rich):
    scramble(rich)
    mujoco.mj_setKeyframe(rich.om, rich.od, 1)
    sinew.mj_setKeyframe(rich.m, rich.d, 1)
    for name in "key_time key_qpos key_qvel key_act key_ctrl key_mpos key_mquat".split():
        assert np.array_equal(getattr(rich.m, name), getattr(rich.om, name)), name
    for bad in (-1, 2):
        with pytest.raises(sinew.FatalError):
            sinew.mj_setKeyframe(rich.m, rich.d, bad)


def test_copies(rich):
    scramble(rich)
    m, d = rich.m, rich.d
    other = sinew.MjData(m)
    view = other.qpos
    sinew.mj_copyState(m, d, other, int(sinew.mjtState.mjSTATE_QPOS))
    assert np.array_equal(view, d.qpos) and not other.qvel.any()
    sinew.mj_copyData(other, m, d)
    assert np.array_equal(other.qvel, d.qvel) and other.time == d.time
    sinew.mj_copyData(d, m, d)
