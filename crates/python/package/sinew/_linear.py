"""The linear system about a step."""

from typing import NamedTuple as _NamedTuple

import numpy as _np

from . import _sinew


class Transition(_NamedTuple):
    """`dx⁺ = A dx + B du`, `ds = C dx + D du`: state (position in tangent space, velocity, activation), controls and
    sensors. `differenced` names what was not in closed form, by columns of positions, velocities, activations and
    controls."""

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
    found, differenced = _sinew._transition(m, d, method, eps, centered, sensors)
    matrices = [a.reshape(shape) for a, shape in zip(found[: 4 if sensors else 2], shapes)]
    columns = ("positions", "velocities", "activations", "controls")
    return Transition(*matrices, *[None] * (4 - len(matrices)), dict(zip(columns, differenced)))
