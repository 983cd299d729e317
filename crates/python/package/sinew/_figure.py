"""`MjvFigure`: 2D line plots, drawn over an image."""

import numpy as _np

from ._drawing import mjMAXLINE, mjMAXLINEPNT
from ._sinew import mju_Halton

__all__ = ["MjvFigure", "mjv_defaultFigure"]

_TEXTS = {"xformat": 20, "yformat": 20, "minwidth": 20, "title": 1000, "xlabel": 100}
_INTS = {"flg_legend": 1, "flg_extend": 1, "flg_barplot": 0, "flg_selection": 0, "flg_symmetric": 0, "legendoffset": 0,
         "subplot": 0, "highlightid": -1}
_FLOATS = {"linewidth": 3.0, "gridwidth": 1.0, "selection": 0.0}
_PALETTE = ((1, 0.3, 0.3), (0.1, 1, 0.1), (0.3, 0.3, 1), (0.1, 1, 1), (1, 0.2, 1), (1, 1, 0.1), (1, 0.6, 0.2), (0.6, 0.7, 0.4))


def _arrays():
    f, i = _np.float32, _np.int32
    shades = [[0.1 + 0.8 * mju_Halton(n, base) for base in (2, 3, 5)] for n in range(len(_PALETTE), mjMAXLINE)]
    return {
        "flg_ticklabel": _np.ones(2, i), "gridsize": _np.full(2, 2, i), "gridrgb": _np.full(3, 0.4, f),
        "figurergba": _np.array([0, 0, 0, 1], f), "panergba": _np.array([0, 0, 0, 1], f),
        "legendrgba": _np.array([0, 0, 0, 0.3], f), "textrgb": _np.ones(3, f),
        "linergb": _np.array([*_PALETTE, *shades], f), "range": _np.array([[0, 1], [0, 1]], f),
        "linename": _np.zeros(mjMAXLINE, "S100"), "highlight": _np.zeros(2, i), "linepnt": _np.zeros(mjMAXLINE, i),
        "linedata": _np.zeros((mjMAXLINE, 2 * mjMAXLINEPNT), f), "xaxispixel": _np.zeros(2, i),
        "yaxispixel": _np.zeros(2, i), "xaxisdata": _np.zeros(2, f), "yaxisdata": _np.zeros(2, f),
    }


class MjvFigure:
    """A line plot; its attributes set what is shown and in which colours."""

    def __init__(self):
        values = {**_INTS, **_FLOATS, **_arrays(), "xformat": "%.0f", "yformat": "%.2g", "minwidth": "XXX", "title": "",
                  "xlabel": ""}
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def __setattr__(self, name, value):
        if name in _TEXTS:
            if len(value) >= _TEXTS[name]:
                raise ValueError(f"len({name}) cannot exceed {_TEXTS[name] - 1}: got length {len(value)}")
            object.__setattr__(self, name, str(value))
        elif name in _INTS:
            object.__setattr__(self, name, int(value))
        elif name in _FLOATS:
            object.__setattr__(self, name, float(value))
        elif name in self.__dict__:
            getattr(self, name)[:] = value
        else:
            raise AttributeError(f"'MjvFigure' object has no attribute '{name}'")

    def __copy__(self):
        other = MjvFigure()
        for name, value in self.__dict__.items():
            setattr(other, name, value)
        return other

    def __deepcopy__(self, memo):
        return self.__copy__()

    def __eq__(self, other):
        return isinstance(other, MjvFigure) and all(
            _np.array_equal(value, getattr(other, name)) for name, value in self.__dict__.items())

    __hash__ = None


MjvFigure.__module__ = "sinew"


def mjv_defaultFigure(fig):
    """Set default figure."""
    for name, value in MjvFigure().__dict__.items():
        setattr(fig, name, value)
