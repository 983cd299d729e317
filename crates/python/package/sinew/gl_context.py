"""Dummy OpenGL contexts, for programs that create them. Rendering needs none here."""

__all__ = ["GLContext"]


class GLContext:
    """Does nothing."""

    def __init__(self, max_width, max_height, device_id=None):
        self._size = (max_width, max_height)

    def make_current(self):
        """Does nothing."""

    def free(self):
        """Does nothing."""

    def __del__(self):
        self.free()
