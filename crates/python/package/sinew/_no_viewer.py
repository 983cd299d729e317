"""Stands for a viewer, so that packages which import one can be imported."""

__all__ = []


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    raise RuntimeError(f"viewer.{name}: sinew has no viewer yet; draw with sinew.Renderer")
