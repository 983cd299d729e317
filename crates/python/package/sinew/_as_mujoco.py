"""Provides sinew under the name mujoco, for programs and packages that import mujoco."""

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys
import types

from ._contexts import Finder as _ContextFinder

__all__ = ["as_mujoco"]

_NAME = "mujoco"
# submodule of mujoco -> submodule of sinew, where the names differ; "" is sinew itself
_ALIASES = {
    **dict.fromkeys(("_callbacks", "_errors", "_functions", "_specs", "_structs"), ""),
    # rendering needs no GL context, so one that does nothing serves for all platforms
    **dict.fromkeys(("cgl", "egl", "glfw", "osmesa"), "gl_context"),
}
# submodules that importing mujoco also imports
_AT_ONCE = ("_callbacks", "_constants", "_enums", "_errors", "_functions", "_render", "_specs", "_structs", "gl_context",
            "renderer")
# installed Python packages that import mujoco and work with any implementation of it
_BESIDE = ("mjx", "sysid")
_REFUSED = {
    "usd": "sinew does not write USD scenes: save the model with MjSpec.to_xml and convert that, "
           "or write pictures with sinew.Renderer",
    "mjpython": "sinew needs no launcher on macOS: run `python`",
}


class _Finder(importlib.abc.MetaPathFinder):
    """Finds `mujoco.x` as `sinew.x`, the same module under both names."""

    def find_spec(self, fullname, path=None, target=None):
        parent, _, rest = fullname.partition(".")
        if parent != _NAME or not rest:
            return None
        first = rest.partition(".")[0]
        if first in _BESIDE:
            return _installed(fullname, path, rest)
        if first in _REFUSED:
            raise ModuleNotFoundError(_REFUSED[first], name=fullname)
        name = ".".join(filter(None, ("sinew", _ALIASES.get(rest, rest))))
        spec = importlib.util.find_spec(name)
        if spec is None:
            raise ModuleNotFoundError(f"sinew stands for mujoco, and has no '{rest}'", name=fullname)
        return importlib.util.spec_from_loader(fullname, _Loader(name), origin=spec.origin)


class _Loader(importlib.abc.Loader):
    def __init__(self, name):
        self.name = name

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        # the import system takes the entry found here instead of the new module
        sys.modules[module.__name__] = importlib.import_module(self.name)

    def get_code(self, fullname):
        """Needed by `python -m mujoco.msh2obj`."""
        return importlib.util.find_spec(self.name).loader.get_code(self.name)


class _Mujoco(types.ModuleType):
    """sinew under another module name, so that the import system looks for submodules under that name."""

    def __init__(self, sinew):
        super().__init__(_NAME, sinew.__doc__)
        vars(self).update((name, value) for name, value in vars(sinew).items()
                          if not name.startswith("__") or name.endswith("version__"))
        self.__path__, self.__file__, self.__package__ = list(sinew.__path__), sinew.__file__, _NAME
        self.__spec__ = importlib.util.spec_from_loader(_NAME, loader=None, origin=sinew.__file__, is_package=True)
        self.__spec__.submodule_search_locations = self.__path__
        self._sinew_itself = sinew

    def __getattr__(self, name):
        return getattr(self._sinew_itself, name)


def _installed(fullname, path, rest):
    """Finds an installed package in a folder `mujoco` anywhere on the path."""
    first = rest.partition(".")[0]
    folders = path if rest != first else [os.path.join(entry or ".", _NAME) for entry in sys.path]
    spec = importlib.machinery.PathFinder.find_spec(fullname, folders)
    if spec is None and rest == first:
        advice = ": `pip install --no-deps mujoco-mjx==3.5.0`" if rest == "mjx" else ""
        raise ModuleNotFoundError(f"no '{rest}' is installed for mujoco{advice}", name=fullname)
    return spec


def as_mujoco():
    """Makes `import mujoco` give sinew, `import mujoco.rollout` give `sinew.rollout`, and so on.

    Call it before anything imports mujoco; `python -m sinew program.py` does so for a whole program. Returns the module
    that replaces mujoco; its classes and functions are sinew's."""
    there = sys.modules.get(_NAME)
    if isinstance(there, _Mujoco):
        return there
    if there is not None:
        raise ImportError("mujoco has been imported already, and modules that have it would keep it: "
                          "call sinew.as_mujoco() at the beginning of the program", name=_NAME)
    module = sys.modules[_NAME] = _Mujoco(sys.modules["sinew"])
    sys.meta_path[:0] = [_Finder(), _ContextFinder()]
    for name in _AT_ONCE:
        importlib.import_module(f"{_NAME}.{name}")
    # windows that programs open themselves become browser pages
    sys.modules.setdefault("glfw", importlib.import_module("sinew._glfw"))
    return module
