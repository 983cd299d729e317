"""Selects which build of the native module is loaded: the fastest that the processor can run.

`_sinew` runs on every processor of the architecture; wheels for x86-64 also contain `_sinew_v3` for those with AVX2.
Both give identical results, bit by bit. `SINEW_LEVEL=x86-64` or `SINEW_LEVEL=x86-64-v3` selects one of them.
"""

import importlib.machinery
import importlib.util
import os
import sys

_NAME = "sinew._sinew"
_FOLDER = os.path.dirname(os.path.abspath(__file__))


def _file(name):
    """Path of the extension module with this name, if there is one."""
    paths = (os.path.join(_FOLDER, name + suffix) for suffix in importlib.machinery.EXTENSION_SUFFIXES)
    return next(filter(os.path.exists, paths), None)


def _load(path):
    spec = importlib.util.spec_from_file_location(_NAME, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _faster(plain):
    """The build for newer processors, or the reason why it cannot replace the plain one."""
    path = _file("_sinew_v3")
    if path is None:
        return None, "it is not installed: `cargo xtask venv` or `cargo xtask wheel` builds it"
    if not plain._has_v3:
        return None, "this processor, or the system, lacks AVX2"
    module = _load(path)
    if module._sources != plain._sources:
        return None, "it was built from other sources: `cargo xtask venv` builds both"
    return module, None


def _choose(wanted):
    """The build for the requested level, or the fastest one."""
    plain = importlib.import_module(_NAME)
    if wanted == plain._level:
        return plain
    if wanted not in (None, "x86-64-v3"):
        raise ImportError(f"SINEW_LEVEL={wanted}: there are x86-64 and x86-64-v3, and this is a build for {plain._level}")
    faster, reason = _faster(plain)
    if wanted and not faster:
        raise ImportError(f"SINEW_LEVEL={wanted}: {reason}")
    return faster or plain


def level():
    """The processors that the native module was built for: `x86-64-v3` are those with AVX2. Results do not depend on it."""
    return sys.modules[_NAME]._level


sys.modules[_NAME] = sys.modules["sinew"]._sinew = _choose(os.environ.get("SINEW_LEVEL"))
