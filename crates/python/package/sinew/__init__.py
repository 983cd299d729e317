"""MuJoCo's physics in Rust, under MuJoCo's Python names."""

from ._build import level  # first: it chooses the build of `_sinew`
from ._sinew import *  # noqa: F403
from ._sinew import __sinew_version__, __version__
from ._as_mujoco import as_mujoco
from ._constants import *  # noqa: F403
from ._enums import *  # noqa: F403
from ._drawing import *  # noqa: F403
from ._figure import *  # noqa: F403
from ._print import *  # noqa: F403
from ._limits import Limits, get_limits, set_limits
from ._linear import BatchTransition, InverseDerivatives, Transition, TransitionCheck
from ._linear import check_transition, inverse_derivatives, jvp, rollout_vjp, smooth_vel, transition, vjp
from ._plugin import Plugin
from ._sim import Sim
from ._render import *  # noqa: F403
from .gl_context import GLContext
from .renderer import Renderer
from ._video import Video, show_video, write_picture, write_video
from .batch import BatchSim
from .spec import *  # noqa: F403
from . import _classes
from ._sinew import _realloc_con_efc

# MuJoCo's names for these classes in an `MjSpec`
MjVisualHeadlight, MjVisualRgba = MjVisual.Headlight, MjVisual.Rgba  # noqa: F405


def __getattr__(name):
    if name == "viewer":
        import importlib

        return importlib.import_module(".viewer", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
