"""MuJoCo's enums, made from the engine's table."""

import enum as _enum

from . import _sinew

__all__ = []


def _text(self):
    return f"{type(self).__name__}.{self.name}"


def _make(name, members):
    """An enum whose members are also integers, always truthy, and printed as MuJoCo prints them."""
    cls = _enum.IntEnum(name, members, module="sinew")
    cls.__str__ = _text
    cls.__bool__ = lambda self: True
    cls.__format__ = lambda self, spec: format(self.value if spec else _text(self), spec)
    return cls


for _name, _members in _sinew._enums().items():
    globals()[_name] = _make(_name, _members)
    __all__.append(_name)
