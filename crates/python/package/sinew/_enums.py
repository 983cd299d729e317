"""MuJoCo's enums, made from the engine's table."""

import enum as _enum

from . import _sinew

__all__ = []


def _text(self):
    return f"{type(self).__name__}.{self.name}"


for _name, _members in _sinew._enums().items():
    _class = _enum.IntEnum(_name, _members, module="sinew")
    _class.__str__ = _text
    globals()[_name] = _class
    __all__.append(_name)
