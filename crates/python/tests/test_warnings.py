"""Warnings reach the user's handler, or Python's `warnings`."""

import ctypes
import warnings

import mujoco
import numpy as np
import pytest
import sinew

XML = '<mujoco><worldbody><body><freejoint/><geom size=".1"/></body></worldbody></mujoco>'


def heard(engine, autoreset=True):
    """Messages of a simulation that becomes unstable three times."""
    m = engine.MjModel.from_xml_string(XML)
    d = engine.MjData(m)
    if not autoreset:
        m.opt.disableflags |= int(engine.mjtDisableBit.mjDSBL_AUTORESET)
    messages = []
    engine.set_mju_user_warning(messages.append)
    try:
        assert engine.get_mju_user_warning() is not None
        engine.mj_step(m, d, 5)
        d.qvel[2] = np.nan
        engine.mj_step(m, d, 3)
        d.qpos[0] = 1e30
        engine.mj_step(m, d, 3)
        engine.mj_resetData(m, d)
        d.qvel[3] = np.inf
        engine.mj_forward(m, d)
        engine.mj_checkVel(m, d)
    finally:
        engine.set_mju_user_warning(None)
    return messages, d.warning.number.tolist(), d.warning.lastinfo.tolist()


@pytest.mark.parametrize("autoreset", [True, False])
def test_the_users_handler(autoreset):
    mine, theirs = heard(sinew, autoreset), heard(mujoco, autoreset)
    assert mine == theirs and len(mine[0]) > 1


def test_python_warnings():
    m = sinew.MjModel.from_xml_string(XML)
    d = sinew.MjData(m)
    d.qvel[0] = np.nan
    with pytest.warns(RuntimeWarning, match="QVEL at DOF 0. The simulation is unstable. Time = 0.0000."):
        sinew.mj_step(m, d)
    d.qvel[0] = np.nan
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sinew.mj_step(m, d)  # only the first is reported, as in MuJoCo
    sinew.mj_resetData(m, d)
    d.qvel[0] = np.nan
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(RuntimeWarning):
            sinew.mj_step(m, d)


def test_exceptions_of_the_handler():
    for engine in (sinew, mujoco):
        m = engine.MjModel.from_xml_string(XML)
        d = engine.MjData(m)
        d.qvel[0] = np.nan

        def refuse(message):
            raise KeyError(message)

        engine.set_mju_user_warning(refuse)
        try:
            with pytest.raises(KeyError, match="QVEL at DOF 0"):
                engine.mj_step(m, d)
        finally:
            engine.set_mju_user_warning(None)


def test_c_functions():
    for engine in (sinew, mujoco):
        m = engine.MjModel.from_xml_string(XML)
        d = engine.MjData(m)
        d.qvel[0] = np.nan
        messages = []
        handler = ctypes.CFUNCTYPE(None, ctypes.c_char_p)(messages.append)
        engine.set_mju_user_warning(handler)
        try:
            engine.mj_step(m, d)
        finally:
            engine.set_mju_user_warning(None)
        assert [text.split(b" Time")[0] for text in messages] == [
            b"Nan, Inf or huge value in QVEL at DOF 0. The simulation is unstable."
        ]


def test_texts():
    for code in range(len(sinew.mjtWarning) - 1):
        for info in (0, 3, 12345):
            assert sinew.mju_warningText(code, info) == mujoco.mju_warningText(code, info)
    with pytest.raises(ValueError):
        sinew.mju_warningText(99, 0)
    with pytest.raises(TypeError):
        sinew.set_mju_user_warning(3)


def test_clocks():
    for engine in (sinew, mujoco):
        m = engine.MjModel.from_xml_string(XML)
        d = engine.MjData(m)
        assert engine.get_mjcb_time() is None
        ticks = iter(range(10**6))
        try:
            engine.set_mjcb_time(lambda: float(next(ticks)))
            engine.mj_step(m, d)
            assert d.timer[0].duration >= 2
        finally:
            engine.set_mjcb_time(None)


IGNORED = '<mujoco>\n<body name="lost"/>\n<worldbody><geom size=".1"/></worldbody></mujoco>'


def test_ignored_content():
    """MuJoCo ignores it silently."""
    assert mujoco.MjModel.from_xml_string(IGNORED).nbody == 1
    with pytest.warns(RuntimeWarning, match="2:1.*body"):
        assert sinew.MjModel.from_xml_string(IGNORED).nbody == 1
    messages = []
    sinew.set_mju_user_warning(messages.append)
    try:
        sinew.MjModel.from_xml_string(IGNORED)
    finally:
        sinew.set_mju_user_warning(None)
    assert len(messages) == 1 and "body" in messages[0]
