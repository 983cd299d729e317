"""The linear system about a step."""

from typing import NamedTuple as _NamedTuple

import numpy as _np

from . import _sinew


class Transition(_NamedTuple):
    """`dx⁺ = A dx + B du`, `ds = C dx + D du`: state (position in tangent space, velocity, activation), controls and
    sensors. `differenced` names what was not in closed form, by columns of positions, velocities, activations and
    controls, and the sensors, if there are any in `C` and `D`."""

    A: _np.ndarray
    B: _np.ndarray
    C: _np.ndarray | None
    D: _np.ndarray | None
    differenced: dict[str, list[str]]


class InverseDerivatives(_NamedTuple):
    """Derivatives of inverse dynamics, laid out as `mjd_inverseFD` does: row `i` holds the change of all forces (`Df…`, nv x nv),
    sensors (`Ds…`, nv x nsensordata) or entries of `qM` (`DmDq`, nv x nM) with input `i`, so that `df = DfDq.T @ dq`.
    `differenced` names what was not in closed form, by positions, velocities and accelerations, and the sensors."""

    DfDq: _np.ndarray
    DfDv: _np.ndarray
    DfDa: _np.ndarray
    DsDq: _np.ndarray | None
    DsDv: _np.ndarray | None
    DsDa: _np.ndarray | None
    DmDq: _np.ndarray | None
    differenced: dict[str, list[str]]


def inverse_derivatives(m, d, method="hybrid", eps=1e-6, centered=False, actuation=False, sensors=False, mass=False):
    """Derivatives of the force of inverse dynamics, `qfrc_inverse`, by position in tangent space, velocity and acceleration, at the
    state and `qacc` of `d`, which does not change; with `actuation`, of what is left of it without `qfrc_actuator`.

    `method` is "analytic" for closed forms, "hybrid" to difference single terms that have none, "fd" to difference all of
    inverse dynamics, as `mjd_inverseFD` does. `sensors` asks for those of sensors, `mass` for those of the mass matrix.
    """
    found, terms, ids = _sinew._inverse_derivatives(m, d, method, (eps, centered, actuation), (sensors, mass))
    wanted = [True] * 3 + [sensors] * 3 + [mass]
    widths = [m.nv] * 3 + [m.nsensordata] * 3 + [m.nM]
    matrices = [a.reshape(m.nv, n) if want else None for a, want, n in zip(found, wanted, widths)]
    return InverseDerivatives(*matrices, _named(m, ("positions", "velocities", "accelerations"), terms, ids))


def smooth_vel(m, d, eps=1e-6):
    """Derivative of smooth forces, `qfrc_passive + qfrc_actuator - qfrc_bias`, by velocity (nv x nv, a row per force), at the state of
    `d`. It has every entry, where `qDeriv` keeps those that implicit integrators use. `eps` is for elastic flexes, which are differenced."""
    return _sinew._smooth_vel(m, d, eps).reshape(m.nv, m.nv)


def _named(m, columns, terms, ids):
    named = dict(zip(columns, terms))
    if ids:
        named["sensors"] = [m.sensor(i).name or f"sensor {i}" for i in ids]
    return named


def transition(m, d, method="hybrid", eps=1e-6, centered=False, sensors=False):
    """Matrices of the linear system about a step from the present state; `C` and `D` only with `sensors`.

    `method` is "analytic" for closed forms, which refuses what has none; "hybrid" to difference single terms that
    have none; "fd" to difference whole steps, with steps of `eps`, as `mjd_transitionFD` does. Unlike that function it
    refuses an `eps` that gives no derivative, and has the true sign of `D`.
    """
    found, terms, ids = _sinew._transition(m, d, method, eps, centered, sensors)
    return Transition(*_shaped(m, found, sensors), _named(m, _COLUMNS, terms, ids))


_COLUMNS = "positions", "velocities", "activations", "controls"


def _shaped(m, found, sensors, worlds=()):
    """`A`, `B`, `C` and `D` from their numbers."""
    nx, ns = 2 * m.nv + m.na, m.nsensordata
    shapes = (nx, nx), (nx, m.nu), (ns, nx), (ns, m.nu)
    return [a.reshape(*worlds, *shape) if k < 2 or sensors else None for k, (a, shape) in enumerate(zip(found, shapes))]


class TransitionCheck(_NamedTuple):
    """How far `A`, `B`, `C` and `D` are from centred differences of whole steps, relative to their largest entries, and how far
    those `differences` are from ones with a tenth of their step: about as far as they can be trusted."""

    errors: dict[str, float]
    differences: dict[str, float]


def check_transition(m, d, method="hybrid", eps=1e-6, sensors=False):
    """Compares the derivatives of the step from the present state with differences. Where the set of active constraints changes
    within `eps`, differences disagree with each other, and with the derivative."""
    found = _sinew._check_transition(m, d, method, eps, sensors)
    return TransitionCheck(*[dict(zip("ABCD" if sensors else "AB", values)) for values in found])


class BatchTransition(_NamedTuple):
    """`Transition` of every world: matrices with one row of them per world, and a list of what was differenced."""

    A: _np.ndarray
    B: _np.ndarray
    C: _np.ndarray | None
    D: _np.ndarray | None
    differenced: list[dict[str, list[str]]]


def batch_transition(sim, method, eps, centered, sensors):
    """That of a `BatchSim`."""
    m = sim.model
    found, reports = _sinew._batch_transition(sim, method, eps, centered, sensors)
    named = [_named(m, _COLUMNS, terms, ids) for terms, ids in reports]
    return BatchTransition(*_shaped(m, found, sensors, (sim.num_worlds,)), named)


def jvp(m, d, dx, du, method="hybrid", eps=1e-6):
    """`A dx + B du` of a step from the present state, without building `A` and `B`."""
    return _sinew._jvp(m, d, method, eps, _flat(dx), _flat(du))


def vjp(m, d, next, method="hybrid", eps=1e-6):
    """Gradients of a loss by the present state and by controls, `Aᵀ next` and `Bᵀ next`, from that by the next state."""
    return tuple(_sinew._vjp(m, d, method, eps, _flat(next)))


def rollout_vjp(m, d, ctrl, loss, checkpoint=None, method="hybrid", eps=1e-6):
    """Gradients of a loss over a roll-out from the present state, by that state and by all controls.

    `ctrl` has one row per step, `loss` too: derivatives of the loss by the state after that step (2 nv + na numbers, in
    tangent space). Every `checkpoint`-th state is kept, and those between are computed again; by default the square
    root of the number of steps, which keeps the fewest numbers.
    """
    ctrl = _np.asarray(ctrl, float)
    every = checkpoint or fewest(len(ctrl))
    (by_x, by_u), _ = _sinew._rollout_vjp(m, d, method, eps, _flat(ctrl), _flat(loss), every)
    return by_x, by_u.reshape(ctrl.shape)


def fewest(steps):
    """Steps between checkpoints that keep the fewest numbers."""
    return max(1, round(steps**0.5))


def _flat(values):
    return _np.ascontiguousarray(values, float).reshape(-1)
