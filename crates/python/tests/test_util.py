"""Every `mju_` function against MuJoCo's, on random arguments generated from MuJoCo's signatures."""

import inspect
import re

import mujoco
import numpy as np
import pytest
import sinew

# functions with dependent or non-numeric arguments are tested elsewhere
SPECIAL = """mju_band2Dense mju_bandDiag mju_bandMulMatVec mju_boxQP mju_cholFactorBand mju_cholSolveBand mju_cholUpdate
mju_decodePyramid mju_encodePyramid mju_dense2Band mju_dense2sparse mju_sparse2dense mju_f2n mju_getXMLDependencies mju_n2f
mju_insertionSortInt mju_printMat mju_printMatSparse mju_rayGeom mju_raySkin mju_standardNormal mju_str2Type mju_type2Str mju_warningText mju_writeLog
mju_writeNumBytes""".split()
ALL = sorted(n for n in vars(sinew) if n.startswith("mju_"))
FUNCTIONS = [n for n in ALL if n not in SPECIAL]
N = 5  # size of vectors and square matrices


def parameters(name):
    """(name, shape or None for a scalar, whether it is an output) of each parameter."""
    text = getattr(mujoco, name).__doc__.split("\n")[0]
    text = text[text.index("(") + 1 : text.rindex(") ->")]
    for part in re.split(r", (?=\w+: )", text):
        arg, kind = part.split(": ", 1)
        shape = re.search(r'"\[(\w+), (\w+)\]"', kind)
        if shape is None:
            yield arg, None, False
        elif shape.group(1) == "m":
            yield arg, (N,) if shape.group(2) == "1" else (N, N), "writeable" in kind
        else:
            yield arg, (int(shape.group(1)),), "writeable" in kind


def arguments(name, rng):
    for arg, shape, _ in parameters(name):
        if arg == "seq":
            yield "".join(rng.choice(list("xyzXYZ"), 3))
        elif arg in ("index", "base"):
            yield int(rng.integers(2, 50))
        elif arg == "flg_force":
            yield int(rng.integers(2))
        elif shape is None:
            yield float(rng.standard_normal())
        else:
            value = rng.standard_normal(shape)
            if shape == (4,):
                value /= np.linalg.norm(value)
            if shape == (9,):
                mujoco.mju_quat2Mat(value, rng.standard_normal(4))
            if name == "mju_eig3" and arg == "mat":
                square = rng.standard_normal((3, 3))
                value = (square + square.T).ravel()
            if name == "mju_cholFactor":
                # well-conditioned: near a singular matrix the order of operations has more effect than rounding
                value = value @ value.T + np.eye(len(value))
            yield value


@pytest.mark.parametrize("name", FUNCTIONS)
def test_against_mujoco(name):
    rng = np.random.default_rng(7)
    for _ in range(50):
        args = list(arguments(name, rng))
        mine, theirs = ([np.copy(a) if isinstance(a, np.ndarray) else a for a in args] for _ in range(2))
        got, want = getattr(sinew, name)(*mine), getattr(mujoco, name)(*theirs)
        assert np.allclose(got, want, rtol=1e-14, atol=1e-14) if want is not None else got is None
        for a, b in zip(mine, theirs):
            if isinstance(a, np.ndarray):
                assert np.allclose(a, b, rtol=1e-13, atol=1e-14), (a, b)


@pytest.mark.parametrize("name", ALL)
def test_parameters(name):
    assert list(inspect.signature(getattr(sinew, name)).parameters) == [p for p, _, _ in parameters(name)]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_wrong_arguments(name):
    rng = np.random.default_rng(7)
    bad = [None, "x", [], np.zeros(2), np.zeros((2, 3)), np.zeros(3, np.float32), np.zeros((2, 2, 2)), object(), 10**30]
    for _ in range(60):
        args = list(arguments(name, rng))
        if args:
            args[rng.integers(len(args))] = bad[rng.integers(len(bad))]
        try:
            getattr(sinew, name)(*args)
        except (TypeError, ValueError, OverflowError, sinew.FatalError):
            pass


def test_aliasing():
    q = np.array([0.5, 0.5, 0.5, 0.5])
    sinew.mju_mulQuat(q, q, q)
    assert np.allclose(q, [-0.5, 0.5, 0.5, 0.5])
    with pytest.raises(TypeError, match="'quat1'"):
        sinew.mju_mulQuat(q, q[:3], q)
