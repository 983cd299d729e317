"""MuJoCo's physics in Rust, under MuJoCo's Python names."""

from ._sinew import *  # noqa: F403
from ._sinew import __version__
from ._constants import *  # noqa: F403
from ._enums import *  # noqa: F403
