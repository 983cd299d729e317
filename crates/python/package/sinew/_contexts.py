"""Gives packages that create OpenGL contexts themselves dummy ones, since rendering needs none here."""

import importlib
import importlib.abc
import importlib.util

from .gl_context import GLContext

# module of a package -> the class that is imported from it
_MODULES = {
    "dm_control._render.glfw_renderer": "GLFWContext",
    "dm_control._render.pyopengl.egl_renderer": "EGLContext",
    "dm_control._render.pyopengl.osmesa_renderer": "OSMesaContext",
    "robosuite.renderers.context.glfw_context": "GLFWGLContext",
    "robosuite.renderers.context.egl_context": "EGLGLContext",
    "robosuite.renderers.context.osmesa_context": "OSMesaGLContext",
}


class Finder(importlib.abc.MetaPathFinder):
    """Finds the modules listed above only."""

    def find_spec(self, fullname, path=None, target=None):
        return importlib.util.spec_from_loader(fullname, _Loader()) if fullname in _MODULES else None


class _Loader(importlib.abc.Loader):
    def create_module(self, spec):
        return None

    def exec_module(self, module):
        name = _MODULES[module.__name__]
        bases = _dm_control() if module.__name__.startswith("dm_control") else (GLContext,)
        setattr(module, name, type(name, bases, {"__module__": module.__name__, "__doc__": "Does nothing."}))


def _dm_control():
    """dm_control's contexts count their users and pass calls to a thread; the platform methods do nothing here."""
    base = importlib.import_module("dm_control._render.base")
    executor = importlib.import_module("dm_control._render.executor")

    class Context(base.ContextBase):
        def __init__(self, max_width, max_height):
            super().__init__(max_width, max_height, executor.PassthroughRenderExecutor)

        def _platform_init(self, max_width, max_height):
            pass

        def _platform_make_current(self):
            pass

        def _platform_free(self):
            pass

    return (Context,)
