"""Nonlinear least squares with bounds: Gauss-Newton steps, damped until they reduce the objective."""

from __future__ import annotations

import abc
import dataclasses
import enum
import time

import numpy as np

from ._sinew import mju_boxQP

__all__ = ["IterLog", "Norm", "Quadratic", "Status", "Verbosity", "check_jacobian", "check_norm", "jacobian_fd",
           "least_squares"]

# fraction of the predicted reduction that a step must achieve
_SUFFICIENT = 1e-2
# tolerance against finite differences, relative to the sum of all entries
_MATCH = 1e-5


class Verbosity(enum.Enum):
    """Levels of printed output."""

    SILENT = 0
    FINAL = 1
    ITER = 2
    FULLITER = 3


class Status(enum.Enum):
    """Why the search ended."""

    FACTORIZATION_FAILED = enum.auto()
    NO_IMPROVEMENT = enum.auto()
    MAX_ITER = enum.auto()
    DX_TOL = enum.auto()
    G_TOL = enum.auto()


_MESSAGES = {
    Status.FACTORIZATION_FAILED: "factorization failed.",
    Status.NO_IMPROVEMENT: "insufficient reduction.",
    Status.MAX_ITER: "maximum iterations reached.",
    Status.DX_TOL: "norm(dx) < tol.",
    Status.G_TOL: "norm(gradient) < tol.",
}


@dataclasses.dataclass(frozen=True)
class IterLog:
    """Log of one iteration: where it began, its reduction, its damping; the rest with `Verbosity.FULLITER` only."""

    candidate: np.ndarray
    objective: np.float64
    reduction: np.float64
    regularizer: np.float64
    residual: np.ndarray | None = None
    jacobian: np.ndarray | None = None
    grad: np.ndarray | None = None
    step: np.ndarray | None = None


class Norm(abc.ABC):
    """Norm of a residual."""

    @abc.abstractmethod
    def value(self, r):
        """The value, for a column of residuals."""

    @abc.abstractmethod
    def grad_hess(self, r, proj):
        """`projᵀ g` and `projᵀ H proj` with gradient `g` and Hessian `H` of the norm at `r`."""


class Quadratic(Norm):
    """Half the sum of squares."""

    def value(self, r):
        return 0.5 * np.vdot(r, r)

    def grad_hess(self, r, proj):
        return proj.T @ r, proj.T @ proj


class _Damping:
    """The multiple of the identity that is added to the Hessian. It grows by a constant factor and shrinks at an
    increasing rate."""

    def __init__(self, smallest, largest, factor):
        if factor <= 1:
            raise ValueError("mu_factor must be > 1.")
        self.smallest, self.largest, self.factor = smallest, largest, factor
        self.value, self.shrinks = np.float64(0), 0

    def grow(self):
        """Increases the damping; returns False at the maximum."""
        if self.value >= self.largest:
            return False
        self.value, self.shrinks = max(self.smallest, self.factor * self.value), 0
        return True

    def shrink(self):
        value = self.value * self.factor ** -(2.0**self.shrinks)
        self.value, self.shrinks = (value if value >= self.smallest else 0.0), self.shrinks + 1


class _Problem:
    """The residual, its Jacobian and its norm, with counts and times of calls."""

    def __init__(self, residual, jacobian, norm, eps, bounds):
        self.user_residual, self.user_jacobian, self.norm = residual, jacobian, norm
        self.eps, self.bounds = np.float64(eps), bounds
        self.residuals = self.jacobians = 0
        self.residual_time = self.jacobian_time = 0.0

    def residual(self, x):
        start = time.perf_counter()
        r = self.user_residual(x)
        self.residual_time += time.perf_counter() - start
        self.residuals += x.shape[1]
        return r

    def jacobian(self, x, r):
        if self.user_jacobian is None:
            return jacobian_fd(self.residual, x, r, self.eps, 0, self.bounds)[0]
        start = time.perf_counter()
        jac = self.user_jacobian(x, r)
        self.jacobian_time += time.perf_counter() - start
        self.jacobians += 1
        return jac

    def check(self, x, r, jac, output):
        if self.user_jacobian is not None:
            check_jacobian(self.residual, x, r, jac, self.eps, 0, self.bounds, output)
        if not isinstance(self.norm, Quadratic):
            check_norm(r, self.norm, self.eps, output)

    def free(self, x, grad):
        """The entries of the gradient where no bound blocks descent."""
        if self.bounds is None:
            return grad
        lower, upper = self.bounds
        return grad[~((x == lower) & (grad > 0) | (x == upper) & (grad < 0))]


class _Step:
    """Searches for a change of the candidate that reduces the objective enough."""

    def __init__(self, n):
        self.dx, self.scratch = np.zeros((n, 1)), np.zeros((n, n + 7))

    def find(self, problem, damping, x, y, grad, hess):
        """Returns the change, the new residual and the reduction, or the reason why there is none."""
        lower, upper = (None, None) if problem.bounds is None else (bound - x for bound in problem.bounds)
        while True:
            damped = hess + damping.value * np.eye(x.size)
            if mju_boxQP(self.dx, self.scratch, None, damped, grad, lower, upper) < 0:
                if not damping.grow():
                    return Status.FACTORIZATION_FAILED
                continue
            dx = self.dx.copy()
            r = problem.residual(x + dx)
            gain = y - problem.norm.value(r)
            # a NaN reduction is not accepted
            if gain + _SUFFICIENT * np.vdot(grad, dx) >= 0:
                return dx, r, gain
            if not damping.grow():
                return Status.NO_IMPROVEMENT


def least_squares(
    x0,
    residual,
    bounds=None,
    jacobian=None,
    norm=Quadratic(),
    eps=np.finfo(np.float64).eps ** 0.5,
    mu_min=1e-6,
    mu_max=1e8,
    mu_factor=10.0**0.1,
    xtol=1e-8,
    gtol=1e-8,
    max_iter=100,
    verbose=Verbosity.ITER,
    output=None,
    iter_callback=None,
    check_derivatives=False,
):
    """Minimizes the norm of a residual, within optional bounds.

    Args:
      x0: the initial point.
      residual: a function of one or more points, the columns of an array, that returns a column of residuals for each.
      bounds: the lower and upper bounds, two arrays like `x0`.
      jacobian: a function of a point and its residual; by default finite differences of the residual.
      norm: the norm of a residual; by default half the sum of squares.
      eps: the step of finite differences, relative where values are greater than one.
      mu_min, mu_max, mu_factor: minimum and maximum regularizer, and the factor by which it changes.
      xtol: ends the search when a step is shorter than this fraction of the candidate.
      gtol: ends the search when the gradient is shorter than this.
      max_iter: maximum number of iterations.
      verbose: what to print; a `Verbosity`.
      output: where to print; by default standard output.
      iter_callback: called with the list of `IterLog`s after every iteration.
      check_derivatives: first compare the given Jacobian and norm with finite differences.

    Returns:
      (x, trace): the best point, and one `IterLog` per iteration and one for the end.
    """
    begin = time.perf_counter()
    verbose = Verbosity(verbose).value
    damping = _Damping(mu_min, mu_max, mu_factor)
    x, bounds = _start(x0, bounds)
    problem = _Problem(residual, jacobian, norm, eps, bounds)
    step, trace, full = _Step(x.size), [], verbose >= Verbosity.FULLITER.value

    def log(**values):
        trace.append(IterLog(**values))
        if iter_callback is not None:
            iter_callback(trace)

    r = problem.residual(x)
    if r.dtype != np.float64:
        raise ValueError("residual function must return float64 arrays.")
    status, i = Status.MAX_ITER, 0
    for i in range(max_iter):
        y = norm.value(r)
        jac = problem.jacobian(x, r)
        if i == 0 and check_derivatives:
            problem.check(x, r, jac, output)
        grad, hess = norm.grad_hess(r, jac)
        slope = np.linalg.norm(problem.free(x, grad))
        if slope <= gtol:
            if slope == 0:
                print("Zero gradient norm: exact minimum found?", file=output)
            status = Status.G_TOL
            break
        found = step.find(problem, damping, x, y, grad, hess)
        if isinstance(found, Status):
            status = found
            break
        dx, r_next, gain = found
        ratio = _ratio(gain, grad, hess, dx, verbose, output)
        length = np.linalg.norm(dx)
        if verbose >= Verbosity.ITER.value:
            mu = np.log10(damping.value) if damping.value > 0 else -np.inf
            print(f"iter: {i:<3d}  y: {y:<9.4g}  log10mu: {mu:>4.1f}  ratio: {ratio:<7.2g}  dx: {length:<7.2g}  "
                  f"reduction: {gain:<7.2g}", file=output)
        more = dict(residual=r, jacobian=jac, grad=grad, step=dx) if full else {}
        log(candidate=x, objective=y, reduction=gain, regularizer=damping.value, **more)
        if length < xtol * (xtol + np.linalg.norm(x)):
            status = Status.DX_TOL
            break
        if ratio > 0.75:
            damping.shrink()
        elif ratio < 0.25:
            damping.grow()
        x, r = x + dx, r_next

    y, more = norm.value(r), {}
    if full:
        jac = problem.jacobian(x, r)
        more = dict(residual=r, jacobian=jac, grad=norm.grad_hess(r, jac)[0])
    log(candidate=x, objective=y, reduction=np.float64(0), regularizer=damping.value, **more)
    if verbose > Verbosity.SILENT.value:
        _report(problem, i, status, y, time.perf_counter() - begin, output)
    return x.reshape(x0.shape), trace


def _start(x0, bounds):
    """The initial candidate, a column within bounds, and the bounds as columns."""
    x = x0.astype(np.float64).reshape(-1, 1)
    if bounds is not None:
        if len(bounds) != 2:
            raise ValueError("bounds must have 2 elements.")
        if any(np.size(bound) != x.size for bound in bounds):
            raise ValueError("bounds must have the same size as x0.")
        if not all(np.all(np.isfinite(bound)) for bound in bounds):
            raise ValueError("bounds must be finite.")
        lower, upper = bounds = [np.asarray(bound, np.float64).reshape(-1, 1) for bound in bounds]
        if not np.all(lower < upper):
            raise ValueError("bounds[0] must be smaller than bounds[1].")
        x = np.clip(x, lower, upper)
    if not np.all(np.isfinite(x)):
        raise ValueError("x0 must be finite.")
    return x, bounds


def _ratio(gain, grad, hess, dx, verbose, output):
    """Ratio of the reduction to that predicted by the quadratic model."""
    promised = -(np.vdot(grad, dx) + 0.5 * np.vdot(dx, hess @ dx))
    if promised > 0:
        return gain / promised
    if verbose > Verbosity.SILENT.value:
        what = "Zero expected reduction: exact minimum found?" if promised == 0 else \
            "Negative expected reduction: should not occur."
        print(what, file=output)
    return 0.0


def _report(problem, iterations, status, y, total, output):
    message = f"Terminated after {iterations} iterations: {_MESSAGES[status]} y: {y:<.4g}, " \
              f"Residual evals: {problem.residuals:d}"
    if problem.jacobians:
        message += f", Jacobian evals: {problem.jacobians:d}"
    print(message, file=output)
    if total > 0:
        scale, unit = (1, "s") if total > 1 else (1000, "ms")
        message = f"total time {scale * total:<.1f}{unit} of which residual {100 * problem.residual_time / total:<.1f}%"
        if problem.jacobian_time > 0:
            message += f" Jacobian {100 * problem.jacobian_time / total:<.1f}%"
        print(message, file=output)


def jacobian_fd(residual, x, r, eps, n_res, bounds=None):
    """The Jacobian by forward differences, directed away from the nearer bound, and `n_res` plus the number of calls.

    `residual` is called once, with one point per column."""
    eps = np.full_like(x, eps)
    if bounds is not None:
        eps[2 * x > bounds[0] + bounds[1]] *= -1
    eps *= np.maximum(1.0, np.abs(x))
    # the step that is left after rounding
    eps = (x + eps) - x
    return (residual(x + np.diag(eps.ravel())) - r) / eps.T, n_res + x.size


def check_jacobian(residual, x, r, jac, eps, n_res, bounds=None, output=None, name="Jacobian"):
    """Refuses a Jacobian that differs from finite differences; returns `n_res` plus the number of calls."""
    wanted, n_res = jacobian_fd(residual, x, r, eps, n_res, bounds)
    scale = np.abs(jac).sum() + np.abs(wanted).sum() + 1e-8
    if np.any(np.abs(jac - wanted) > _MATCH * scale):
        raise ValueError(
            f"User-provided {name} does not match finite-differences to a relative tolerance of {_MATCH:g}.")
    print(f"User-provided {name} matches finite-differences.", file=output)
    return n_res


def check_norm(r, norm, eps, output=None):
    """Refuses a norm whose derivatives differ from finite differences, or whose Hessian is invalid."""
    eye = np.eye(r.size)
    grad, hess = norm.grad_hess(r, eye)
    if not np.allclose(hess, hess.T):
        raise ValueError("User-provided norm Hessian is not symmetric.")
    least = np.linalg.eigvalsh(hess).min()
    if least < 0:
        raise ValueError(f"User-provided norm Hessian is not positive definite. Minimum eigenvalue is {least:<.4g}")

    def each(function):
        return lambda points: np.hstack([np.atleast_2d(function(column[:, None])) for column in points.T])

    check_jacobian(each(norm.value), r, np.atleast_2d(norm.value(r)), grad.T, eps, 0, None, output, "norm gradient")
    check_jacobian(each(lambda v: norm.grad_hess(v, eye)[0]), r, grad, hess, eps, 0, None, output, "norm Hessian")
