"""MuJoCo's physics in Rust, under MuJoCo's Python names."""

from ._sinew import *  # noqa: F403
from ._sinew import __sinew_version__, __version__
from ._constants import *  # noqa: F403
from ._enums import *  # noqa: F403
from ._drawing import *  # noqa: F403
from ._print import *  # noqa: F403
from ._linear import Transition, jvp, rollout_vjp, transition, vjp
from ._plugin import Plugin
from ._sim import Sim
from .batch import BatchSim
from .spec import *  # noqa: F403
from . import _classes

_DRAWING = ("Mjv", "Mjr", "mjv_", "mjr_", "Renderer", "GLContext", "viewer", "renderer")


def __getattr__(name):
    if name.startswith(_DRAWING):
        raise AttributeError(f"sinew does not render: it has no '{name}'; everything else of MuJoCo works without")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
