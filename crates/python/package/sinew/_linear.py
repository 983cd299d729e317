"""The linear system about a step."""

from typing import NamedTuple as _NamedTuple

import numpy as _np

from . import _sinew


class Transition(_NamedTuple):
    """`dx⁺ = A dx + B du`, `ds = C dx + D du`: state (position in tangent space, velocity, activation), controls and
    sensors. `differenced` names the terms computed by finite differences, for columns of positions, velocities,
    activations and controls, and, with `C` and `D`, the sensors."""

    A: _np.ndarray
    B: _np.ndarray
    C: _np.ndarray | None
    D: _np.ndarray | None
    differenced: dict[str, list[str]]


class InverseDerivatives(_NamedTuple):
    """Derivatives of inverse dynamics, in the layout of `mjd_inverseFD`: row `i` holds the derivatives of all forces
    (`Df…`, nv x nv), sensors (`Ds…`, nv x nsensordata) or entries of `qM` (`DmDq`, nv x nM) with respect to input `i`,
    so that `df = DfDq.T @ dq`. `differenced` names the terms computed by finite differences, for positions, velocities
    and accelerations, and the sensors."""

    DfDq: _np.ndarray
    DfDv: _np.ndarray
    DfDa: _np.ndarray
    DsDq: _np.ndarray | None
    DsDv: _np.ndarray | None
    DsDa: _np.ndarray | None
    DmDq: _np.ndarray | None
    differenced: dict[str, list[str]]


def inverse_derivatives(m, d, method="hybrid", eps=1e-6, centered=False, actuation=False, sensors=False, mass=False):
    """Derivatives of the inverse dynamics force `qfrc_inverse` with respect to position (in tangent space), velocity
    and acceleration, at the state and `qacc` of `d`, which is not changed; with `actuation`, derivatives of
    `qfrc_inverse - qfrc_actuator`.

    `method` is "analytic" for closed forms, "hybrid" for closed forms with finite differences of single terms that have
    none, "fd" for finite differences of all of inverse dynamics, as `mjd_inverseFD`. `sensors` adds the derivatives of
    sensors, `mass` those of the mass matrix.
    """
    found, terms, ids = _sinew._inverse_derivatives(m, d, method, (eps, centered, actuation), (sensors, mass))
    wanted = [True] * 3 + [sensors] * 3 + [mass]
    widths = [m.nv] * 3 + [m.nsensordata] * 3 + [m.nM]
    matrices = [a.reshape(m.nv, n) if want else None for a, want, n in zip(found, wanted, widths)]
    return InverseDerivatives(*matrices, _named(m, ("positions", "velocities", "accelerations"), terms, ids))


def smooth_vel(m, d, eps=1e-6):
    """Derivative of smooth forces, `qfrc_passive + qfrc_actuator - qfrc_bias`, with respect to velocity (nv x nv, one
    row per force), at the state of `d`. It has all entries, while `qDeriv` has only those that implicit integrators
    use. `eps` is for elastic flexes, which use finite differences."""
    return _sinew._smooth_vel(m, d, eps).reshape(m.nv, m.nv)


def _named(m, columns, terms, ids):
    named = dict(zip(columns, terms))
    if ids:
        named["sensors"] = [m.sensor(i).name or f"sensor {i}" for i in ids]
    return named


def transition(m, d, method="hybrid", eps=1e-6, centered=False, sensors=False):
    """Matrices of the linear system about a step from the present state; `C` and `D` only with `sensors`.

    `method` is "analytic" for closed forms, which refuses terms that have none; "hybrid" for closed forms with finite
    differences of single terms that have none; "fd" for finite differences of whole steps, with perturbations of `eps`,
    as `mjd_transitionFD`. Unlike that function it refuses an `eps` that gives no derivative, and has the correct sign
    of `D`.
    """
    found, terms, ids = _sinew._transition(m, d, method, eps, centered, sensors)
    return Transition(*_shaped(m, found, sensors), _named(m, _COLUMNS, terms, ids))


_COLUMNS = "positions", "velocities", "activations", "controls"


def _shaped(m, found, sensors, worlds=()):
    """Shapes flat arrays into `A`, `B`, `C` and `D`."""
    nx, ns = 2 * m.nv + m.na, m.nsensordata
    shapes = (nx, nx), (nx, m.nu), (ns, nx), (ns, m.nu)
    return [a.reshape(*worlds, *shape) if k < 2 or sensors else None for k, (a, shape) in enumerate(zip(found, shapes))]


class TransitionCheck(_NamedTuple):
    """Differences of `A`, `B`, `C` and `D` from centred finite differences of whole steps, relative to their largest
    entries, and `differences`: how far those finite differences are from ones with a tenth of the step, which estimates
    their own error."""

    errors: dict[str, float]
    differences: dict[str, float]


def check_transition(m, d, method="hybrid", eps=1e-6, sensors=False):
    """Compares the derivatives of the step from the present state with finite differences. Where the set of active
    constraints changes within `eps`, finite differences are consistent neither with each other nor with the
    derivative."""
    found = _sinew._check_transition(m, d, method, eps, sensors)
    return TransitionCheck(*[dict(zip("ABCD" if sensors else "AB", values)) for values in found])


class BatchTransition(_NamedTuple):
    """`Transition` of every world: each array has one matrix per world, and `differenced` is a list with one entry per
    world."""

    A: _np.ndarray
    B: _np.ndarray
    C: _np.ndarray | None
    D: _np.ndarray | None
    differenced: list[dict[str, list[str]]]


def batch_transition(sim, method, eps, centered, sensors):
    """The `BatchTransition` of a `BatchSim`."""
    m = sim.model
    found, reports = _sinew._batch_transition(sim, method, eps, centered, sensors)
    named = [_named(m, _COLUMNS, terms, ids) for terms, ids in reports]
    return BatchTransition(*_shaped(m, found, sensors, (sim.num_worlds,)), named)


def jvp(m, d, dx, du, method="hybrid", eps=1e-6):
    """`A dx + B du` of a step from the present state, without building `A` and `B`."""
    return _sinew._jvp(m, d, method, eps, _flat(dx), _flat(du))


def vjp(m, d, next, method="hybrid", eps=1e-6):
    """Gradients of a loss with respect to the present state and the controls, `Aᵀ next` and `Bᵀ next`; `next` is the
    gradient with respect to the next state."""
    return tuple(_sinew._vjp(m, d, method, eps, _flat(next)))


def rollout_vjp(m, d, ctrl, loss, checkpoint=None, method="hybrid", eps=1e-6):
    """Gradients of a loss over a rollout from the present state, with respect to that state and to all controls.

    `ctrl` has one row per step, and so has `loss`: derivatives of the loss with respect to the state after that step (2
    nv + na values, in tangent space). Every `checkpoint`-th state is kept, and the states between are recomputed; the
    default is the square root of the number of steps, which needs the least memory.
    """
    ctrl = _np.asarray(ctrl, float)
    every = checkpoint or fewest(len(ctrl))
    (by_x, by_u), _ = _sinew._rollout_vjp(m, d, method, eps, _flat(ctrl), _flat(loss), every)
    return by_x, by_u.reshape(ctrl.shape)


def fewest(steps):
    """Checkpoint interval that needs the least memory."""
    return max(1, round(steps**0.5))


def _flat(values):
    return _np.ascontiguousarray(values, float).reshape(-1)
