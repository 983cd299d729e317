"""Wrong arguments raise; they never crash or change anything."""

import inspect
import itertools

import mujoco
import numpy as np
import pytest
import sinew


def functions():
    return {n: f for n, f in vars(sinew).items() if n.startswith("mj_") and callable(f)}


def test_signatures_are_mujocos():
    for name, f in functions().items():
        theirs = getattr(mujoco, name).__doc__.split("->")[0]
        params = list(inspect.signature(f).parameters)
        for p in params:
            assert f"{p}:" in theirs, (name, p, theirs)
        assert len(params) == theirs.count(": ") - theirs.count('": '), (name, params, theirs)


BAD = [
    None, 0, -1, 3, 10**6, 2**40, -(2**70), 1.5, float("nan"), "", "x", b"x", [], [1, 2, 3], {}, object(), np.zeros(0),
    np.zeros(3), np.zeros((3, 3)), np.zeros((3, 11)), np.zeros(3, np.float32), np.zeros((11, 3)).T, np.array("a"),
    np.zeros(11, int), np.zeros((2, 2, 2)), np.full(3, np.nan), (i for i in range(3)), slice(None), type,
]


def arguments(rich):
    frozen = np.zeros(11)
    frozen.flags.writeable = False
    return BAD + [rich.m, rich.d, rich.om, rich.od, rich.d.qpos, rich.d.qvel, rich.d.efc_force, frozen]


def test_fuzzed_arguments(rich, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # some write files
    rng = np.random.default_rng(0)
    good = {"m": rich.m, "d": rich.d}
    values = arguments(rich)
    allowed = (TypeError, ValueError, OverflowError, IndexError, KeyError, OSError, RuntimeWarning, sinew.FatalError)
    for name, f in functions().items():
        params = list(inspect.signature(f).parameters)
        for trial in range(60):
            n = len(params) if trial % 10 else rng.integers(0, len(params) + 2)
            args = [values[rng.integers(len(values))] for _ in range(n)]
            if trial % 3:
                args = [good.get(p, a) for p, a in zip(params, args)]
            if name == "mj_step" and len(args) > 2:
                args[2] = min(args[2], 3) if isinstance(args[2], int) else args[2]
            try:
                f(*args)
            except allowed:
                pass


def test_fuzzed_constructors(rich):
    for args in itertools.chain([(v,) for v in arguments(rich)], [(rich.m, rich.m), ()]):
        if len(args) == 1 and args[0] is rich.m:
            continue
        with pytest.raises(TypeError):
            sinew.MjData(*args)
    with pytest.raises(TypeError):
        sinew.MjModel()
    for bad in BAD:
        with pytest.raises((TypeError, ValueError)):
            sinew.MjModel.from_xml_string(bad)
        with pytest.raises((TypeError, ValueError)):
            sinew.MjModel.from_xml_path(bad)
        with pytest.raises((TypeError, ValueError)):
            sinew.MjModel.from_xml_string("<mujoco/>x", {"a": bad})


def test_outputs_are_checked_like_mujocos(rich):
    m, d = rich.m, rich.d
    with pytest.raises(TypeError, match="dst should be of shape"):
        sinew.mj_fullM(m, np.zeros((2, 2)), d.qM)
    with pytest.raises(TypeError):
        sinew.mj_fullM(m, np.zeros((m.nv, m.nv), np.float32), d.qM)
    with pytest.raises(TypeError):
        sinew.mj_fullM(m, np.zeros((m.nv, m.nv), order="F"), d.qM)
    frozen = np.zeros((m.nv, m.nv))
    frozen.flags.writeable = False
    with pytest.raises(TypeError, match="writeable"):
        sinew.mj_fullM(m, frozen, d.qM)
    with pytest.raises(TypeError):
        sinew.mj_mulM(m, d, np.zeros(m.nv), np.zeros(m.nv + 1))
    sinew.mj_mulM(m, d, np.zeros(m.nv), [0] * m.nv)


def test_data_of_another_model(rich):
    other = sinew.MjModel._from_bytes(rich.m._to_bytes())
    sinew.mj_forward(other, rich.d)  # same sizes: allowed, as in MuJoCo
    import samples
    import oracle

    small = oracle.model_from_mujoco(mujoco.MjModel.from_xml_string(samples.PENDULUM))
    with pytest.raises(ValueError, match="other sizes"):
        sinew.mj_forward(small, rich.d)


def test_overwritten_indices_raise(rich):
    m, d = rich.m, rich.d
    m.body_parentid[:] = 10**8
    with pytest.raises(sinew.FatalError):
        sinew.mj_forward(m, d)
    m.body_parentid[:] = rich.om.body_parentid
    sinew.mj_forward(m, d)


def test_outputs_may_alias(rich):
    m, d = rich.m, rich.d
    sinew.mj_forward(m, d)
    x = np.random.default_rng(0).standard_normal(m.nv)
    want = np.zeros(m.nv)
    sinew.mj_mulM(m, d, want, x)
    sinew.mj_mulM(m, d, x, x)
    assert np.array_equal(x, want)
    sinew.mj_solveM(m, d, x[None], x[None])
    sinew.mj_mulM(m, d, d.qfrc_applied, d.qvel)
    sinew.mj_mulM(m, d, d.M[: m.nv], d.qvel)
