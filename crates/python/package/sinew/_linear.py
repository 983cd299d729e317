"""The linear system about a step."""

from typing import NamedTuple as _NamedTuple

import numpy as _np

from . import _sinew


class Transition(_NamedTuple):
    """`dx⁺ = A dx + B du`, `ds = C dx + D du`: state (position in tangent space, velocity, activation), controls and
    sensors."""

    A: _np.ndarray
    B: _np.ndarray
    C: _np.ndarray
    D: _np.ndarray


def transition(m, d, eps=1e-6, centered=True):
    """Matrices of the linear system about a step from the present state, by differences of size `eps`.

    Unlike `mjd_transitionFD` this makes the arrays, refuses an `eps` that gives no derivative, and has the true sign
    of `D`.
    """
    nx = 2 * m.nv + m.na
    shapes = (nx, nx), (nx, m.nu), (m.nsensordata, nx), (m.nsensordata, m.nu)
    return Transition(*(a.reshape(shape) for a, shape in zip(_sinew._transition(m, d, eps, centered), shapes)))
