"""Least squares: MuJoCo's iterates, bounds, norms, and derivative checks."""

import inspect
import io

import mujoco.minimize as theirs
import numpy as np
import pytest
import sinew.minimize as ours

# finite differences may be taken to the other side
CLOSE = dict(rtol=1e-6, atol=1e-7)


def rosenbrock(x):
    return np.stack([1 - x[0], 10 * (x[1] - x[0] ** 2)])


def chain(x):
    return np.concatenate([1 - x[:-1], 10 * (x[:-1] - x[1:] ** 2)])


def curve(x):
    """An exponential fitted to samples of another one."""
    t = np.linspace(0, 2, 15)[:, None]
    return x[0] * np.exp(-x[1] * t) + x[2] - (2 * np.exp(-1.5 * t) + 0.5 + 0.01 * np.sin(20 * t))


def gradient(x, r):
    return np.array([[-1.0, 0], [-20 * x[0, 0], 10]])


PROBLEMS = {
    "rosenbrock": (np.zeros(2), rosenbrock, {}),
    "jacobian": (np.array([-1.2, 1]), rosenbrock, dict(jacobian=gradient, check_derivatives=True)),
    "bounds": (np.zeros(2), rosenbrock, dict(bounds=[np.array([-2.0, -2]), np.array([0.5, 2])])),
    "start outside": (np.full(2, 9.0), rosenbrock, dict(bounds=[np.array([-2.0, 2]), np.array([0.5, 3])])),
    "few iterations": (np.zeros(20), chain, dict(max_iter=20)),
    "twenty": (np.zeros(20), chain, {}),
    "curve": (np.array([[1.0], [1], [0]]), curve, dict(xtol=1e-12)),
    "at the minimum": (np.ones(2), rosenbrock, {}),
    "none": (np.ones(2), rosenbrock, dict(max_iter=0)),
}


@pytest.mark.parametrize("name", PROBLEMS)
def test_path(name):
    x0, residual, options = PROBLEMS[name]
    found = []
    for module in (theirs, ours):
        out, calls = io.StringIO(), []
        x, trace = module.least_squares(x0, residual, output=out, verbose=3, iter_callback=lambda t: calls.append(len(t)),
                                        **options)
        assert calls == list(range(1, len(trace) + 1))
        found.append((x, trace, out.getvalue()))
    (want_x, want, want_text), (x, trace, text) = found
    assert x.shape == x0.shape and len(trace) == len(want)
    np.testing.assert_allclose(x, want_x, **CLOSE)
    for a, b in zip(trace, want):
        assert vars(a).keys() == vars(b).keys()
        np.testing.assert_allclose(a.candidate, b.candidate, **CLOSE)
        np.testing.assert_allclose(a.objective, b.objective, **CLOSE)
        np.testing.assert_allclose(float(a.regularizer), float(b.regularizer), **CLOSE)
        assert (a.step is None) == (b.step is None) and (a.jacobian is None) == (b.jacobian is None)
    # everything except times
    assert [line for line in text.splitlines() if "y:" not in line and "time" not in line] == \
        [line for line in want_text.splitlines() if "y:" not in line and "time" not in line]
    last = [t.split("y:")[0] for t in (text.splitlines()[-2], want_text.splitlines()[-2])]
    assert last[0] == last[1]


def test_signature():
    mine, other = (inspect.signature(m.least_squares).parameters for m in (ours, theirs))
    assert list(mine) == list(other)
    for name in set(mine) - {"norm", "verbose"}:
        assert mine[name].default == other[name].default or mine[name].default is other[name].default, name
    assert [s.name for s in ours.Status] == [s.name for s in theirs.Status]


def test_points_stay_within_bounds():
    """MuJoCo steps out of bounds that are far from zero."""
    seen = []

    def residual(x):
        seen.append(x.copy())
        return x - 12.0

    x, _ = ours.least_squares(np.array([10.0, 11.0]), residual, bounds=[np.array([10.0, 10]), np.array([11.0, 11])],
                              verbose=0)
    assert x.tolist() == [11, 11]
    assert all(np.all((x >= 10) & (x <= 11)) for x in seen)


def test_residuals_that_are_not_numbers():
    """A step into a region where the residual is NaN is shortened."""
    x, _ = ours.least_squares(np.array([2.0]), lambda x: np.log(np.where(x > 0, x, np.nan)), verbose=0)
    assert x == pytest.approx(1)


class SoftL1(ours.Norm):
    def value(self, r):
        return np.sum(np.sqrt(r**2 + 1) - 1)

    def grad_hess(self, r, proj):
        s = np.sqrt(r**2 + 1)
        return proj.T @ (r / s), proj.T @ ((1 - (r / s) ** 2) / s * proj)


def test_norm():
    out = io.StringIO()
    x, _ = ours.least_squares(np.zeros(2), rosenbrock, norm=SoftL1(), output=out, check_derivatives=True)
    assert x == pytest.approx([1, 1]) and "norm Hessian matches" in out.getvalue()


@pytest.mark.parametrize("part, factor, says", [(0, 1.01, "gradient does not match"), (1, 1.01, "Hessian does not match"),
                                                (1, -1, "not positive definite"), (1, np.array([[1, 2]]), "not symmetric")])
def test_wrong_derivatives(part, factor, says):
    class Wrong(SoftL1):
        def grad_hess(self, r, proj):
            result = list(super().grad_hess(r, proj))
            # off the diagonal, so that a factor per column can make it asymmetric
            result[part] = (result[part] + (0.1 if np.ndim(factor) else 0)) * factor
            return result

    with pytest.raises(ValueError, match=says):
        ours.least_squares(np.zeros(2), rosenbrock, norm=Wrong(), check_derivatives=True, verbose=0)


@pytest.mark.parametrize("options", [
    dict(bounds=[0, 1, 2]), dict(bounds=[np.zeros(3), np.ones(3)]), dict(bounds=[np.zeros(2), np.full(2, np.inf)]),
    dict(bounds=[np.ones(2), np.zeros(2)]), dict(mu_factor=1.0), dict(verbose=9),
    dict(jacobian=lambda x, r: 1.1 * gradient(x, r), check_derivatives=True),
])
def test_refusals(options):
    for module in (theirs, ours):
        with pytest.raises(ValueError):
            module.least_squares(np.zeros(2), rosenbrock, **options)
