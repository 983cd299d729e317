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


def transition(m, d, method="hybrid", eps=1e-6, centered=False, sensors=False):
    """Matrices of the linear system about a step from the present state; `C` and `D` only with `sensors`.

    `method` is "analytic" for closed forms, which refuses what has none; "hybrid" to difference single terms that
    have none; "fd" to difference whole steps, with steps of `eps`, as `mjd_transitionFD` does. Unlike that function it
    refuses an `eps` that gives no derivative, and has the true sign of `D`.
    """
    nx = 2 * m.nv + m.na
    shapes = (nx, nx), (nx, m.nu), (m.nsensordata, nx), (m.nsensordata, m.nu)
    found, differenced, ids = _sinew._transition(m, d, method, eps, centered, sensors)
    matrices = [a.reshape(shape) for a, shape in zip(found[: 4 if sensors else 2], shapes)]
    columns = ("positions", "velocities", "activations", "controls")
    terms = dict(zip(columns, differenced))
    if ids:
        terms["sensors"] = [m.sensor(i).name or f"sensor {i}" for i in ids]
    return Transition(*matrices, *[None] * (4 - len(matrices)), terms)


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
    steps = max(len(ctrl), 1)
    every = checkpoint or max(1, round(steps**0.5))
    (by_x, by_u), _ = _sinew._rollout_vjp(m, d, method, eps, _flat(ctrl), _flat(loss), every)
    return by_x, by_u.reshape(ctrl.shape)


def _flat(values):
    return _np.ascontiguousarray(values, float).reshape(-1)
