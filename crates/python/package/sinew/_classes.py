"""Methods of native classes that are written in Python."""

from collections.abc import Sequence as _Sequence

import numpy as _np

from . import _sinew
from ._sinew import MjData, MjModel, MjOption, MjvScene, MjVisual
from .spec import view as _view
from .spec.base import Element as _Element

_tables = _sinew._tables()


class _Bound:
    """Several elements of a model or data as one object: its attributes concatenate those of the elements."""

    def __init__(self, elements):
        object.__setattr__(self, "_elements", elements)

    def __getattr__(self, name):
        found = [getattr(element, name) for element in self._elements]
        return [x for value in found for x in (value if isinstance(value, _np.ndarray) else [value])]

    def __setattr__(self, name, values):
        values = list(values)
        if len(values) != len(self._elements):
            raise ValueError(f"{len(values)} values for {len(self._elements)} elements")
        for element, value in zip(self._elements, values):
            setattr(element, name, value)


def _bind(self, elements):
    """Views of this object for elements of a model of the same structure: one element, or a sequence as one object."""
    if isinstance(elements, _Sequence) and not isinstance(elements, (str, bytes)):
        return _Bound([_bind(self, element) for element in elements])
    if isinstance(elements, _Element):
        return _view(self, elements)
    return self.bind_scalar(elements)


def _init(self, model):
    """Accepts the arguments that a subclass's constructor passes on; `__new__` has already created the simulation."""
    if model is not self.model:
        raise TypeError("MjData.__init__ was given another model than the constructor of its subclass")


def _init_scene(self, model=None, maxgeom=None, **others):
    """Accepts the arguments that a subclass's constructor passes on; `__new__` has already created the scene."""
    if maxgeom is not None and maxgeom > self.maxgeom:
        raise ValueError(f"there is room for {self.maxgeom} shapes: hand maxgeom={maxgeom} to the constructor of the subclass")


def _names(kind, accept=lambda dtype, scalar: True):
    return tuple(name for name, dtype, scalar, _ in _tables[kind] if accept(dtype, scalar))


MjData.__init__ = _init
MjvScene.__init__ = _init_scene
MjModel.bind = MjData.bind = _bind
setattr(MjVisual, "global", MjVisual.global_)

MjModel._size_fields = tuple(_tables["Sizes"])
MjModel._all_fields = MjModel._size_fields + _names("MjModel") + ("names_map",)
_MEMORY = ("narena", "nbuffer", "nplugin", "pstack", "pbase", "parena", "maxuse_stack", "maxuse_arena", "threadpool",
           "plugin", "plugin_data")
MjData._all_fields = _MEMORY + _names("MjData")
MjOption._all_fields = _names("MjOption")
MjOption._float_fields = _names("MjOption", lambda dtype, scalar: dtype == "float64" and scalar)
MjOption._floatarray_fields = _names("MjOption", lambda dtype, scalar: dtype == "float64" and not scalar)
MjOption._int_fields = _names("MjOption", lambda dtype, scalar: dtype == "int32")
