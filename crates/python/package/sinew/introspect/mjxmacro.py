"""Shapes of the arrays of models and data: name -> number of rows, values per row; for MuJoCo's MJX."""

from .._sinew import _shapes

__all__ = ["MJDATA", "MJMODEL"]


def _of(owner):
    return {name: (dims[0], dims[1] if len(dims) > 1 else "1") for name, dims in _shapes(owner) if dims}


MJMODEL = _of("MjModel")
MJDATA = _of("MjData")
