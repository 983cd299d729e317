"""Images and videos, as files and in notebooks."""

import base64
import itertools
import os

import numpy as np

from ._sinew import _Film, _png

__all__ = ["Video", "show_video", "write_picture", "write_video"]


def _bytes(frames, fps, form):
    frames = iter(frames)
    first = next(frames, None)
    if first is None:
        raise ValueError("a film needs at least one picture")
    height, width = np.shape(first)[:2]
    if form == "mp4":
        # H.264 requires even dimensions
        height, width = height - height % 2, width - width % 2
    film = _Film(form, height, width, float(fps))
    for frame in itertools.chain([first], frames):
        film.add(np.ascontiguousarray(np.asarray(frame)[:height, :width], np.uint8))
    return film.finish()


def write_picture(path, picture):
    """Writes an image, an array (height, width, 3) of bytes as returned by `Renderer.render`, to a file ending in
    .png."""
    if os.path.splitext(path)[1].lower() != ".png":
        raise ValueError(f"{path}: pictures are files ending in .png")
    data = _png(np.ascontiguousarray(picture, np.uint8))
    with open(path, "wb") as file:
        file.write(data)


def write_video(path, frames, fps=30.0):
    """Writes images, arrays (height, width, 3) of bytes, to a file ending in .gif or .mp4."""
    form = os.path.splitext(path)[1][1:].lower()
    if form not in ("gif", "mp4"):
        raise ValueError(f"{path}: films are files ending in .gif or .mp4")
    data = _bytes(frames, fps, form)
    with open(path, "wb") as file:
        file.write(data)


class Video:
    """A video that notebooks display."""

    def __init__(self, frames, fps=30.0):
        self.mp4 = _bytes(frames, fps, "mp4")

    def _repr_html_(self):
        data = base64.b64encode(self.mp4).decode()
        return f'<video controls autoplay loop muted src="data:video/mp4;base64,{data}"></video>'


def show_video(frames, fps=30.0):
    """Shows images, arrays (height, width, 3) of bytes, as a video in a notebook."""
    return Video(frames, fps)


def html_image(picture):
    """An image embedded in HTML."""
    data = base64.b64encode(_png(np.ascontiguousarray(picture))).decode()
    return f'<img src="data:image/png;base64,{data}">'


for _object in (Video, show_video, write_picture, write_video):
    _object.__module__ = "sinew"
