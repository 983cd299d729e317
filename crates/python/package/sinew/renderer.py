"""`Renderer`: images of a simulation as arrays."""

from ._drawing import mjtFontScale
from ._enums import mjtCamera, mjtCatBit, mjtObj
from ._sinew import (MjvCamera, MjvOption, MjvScene, _Canvas, mj_name2id, mjv_defaultFreeCamera, mjv_updateScene)
from ._video import html_image

__all__ = ["Renderer"]


def find_camera(model, which):
    """The camera of a model by name or id, or the free camera for -1."""
    index = which
    if isinstance(which, str):
        index = mj_name2id(model, mjtObj.mjOBJ_CAMERA.value, which)
        if index == -1:
            raise ValueError(f'The camera "{which}" does not exist.')
    if index < -1 or index >= model.ncam:
        raise ValueError(f"The camera id {index} is out of range [-1, {model.ncam}).")
    camera = MjvCamera()
    if index == -1:
        mjv_defaultFreeCamera(model, camera)
    else:
        camera.type, camera.fixedcamid = mjtCamera.mjCAMERA_FIXED, index
    return camera


class Renderer:
    """Software renderer on the CPU: no display, no driver, nothing to install."""

    def __init__(self, model, height=240, width=320, max_geom=10000, font_scale=mjtFontScale.mjFONTSCALE_150):
        for side, size, most in (("width", width, model.vis.global_.offwidth),
                                 ("height", height, model.vis.global_.offheight)):
            if size > most:
                raise ValueError(
                    f"Image {side} {size} > framebuffer {side} {most}. Either reduce the image\n"
                    f"{side} or specify a larger offscreen framebuffer in the model XML using the\nclause:\n"
                    f'<visual>\n  <global off{side}="my_{side}"/>\n</visual>')
        if width <= 0 or height <= 0:
            raise ValueError(f"an image of {width} by {height} pixels is empty")
        self._width, self._height, self._model, self._max_geom = width, height, model, max_geom
        self._scene = MjvScene(model=model, maxgeom=max_geom)
        self._scene_option = MjvOption()
        self._canvas = _Canvas(model)
        self._depth_rendering = self._segmentation_rendering = False

    model = property(lambda self: self._model)
    scene = property(lambda self: self._scene)
    height = property(lambda self: self._height)
    width = property(lambda self: self._width)

    def enable_depth_rendering(self):
        """Makes `render` return depths in metres, float32 of shape (height, width)."""
        self._depth_rendering, self._segmentation_rendering = True, False

    def disable_depth_rendering(self):
        """Makes `render` return colours."""
        self._depth_rendering = False

    def enable_segmentation_rendering(self):
        """Makes `render` return ids and types of objects, int32 of shape (height, width, 2), -1 for the background."""
        self._depth_rendering, self._segmentation_rendering = False, True

    def disable_segmentation_rendering(self):
        """Makes `render` return colours."""
        self._segmentation_rendering = False

    def render(self, *, out=None):
        """Renders the scene as last updated, rows from the top; into `out` if given."""
        if self._canvas is None:
            raise RuntimeError("render cannot be called after close.")
        shape = (self._height, self._width) if self._depth_rendering else (self._height, self._width, 3)
        if out is not None and out.shape != shape:
            raise ValueError(
                f"Expected `out.shape == {shape}`. Got `out.shape={out.shape}` instead. When using depth rendering, the out"
                " array should be of shape `(width, height)` and otherwise (width, height, 3). Got"
                f" `(self.height, self.width)={(self.height, self.width)}` and"
                f" `self._depth_rendering={self._depth_rendering}`.")
        size = (self._scene, self._height, self._width)
        if self._segmentation_rendering:
            return self._canvas.objects(*size)
        picture = self._canvas.depths(*size) if self._depth_rendering else self._canvas.colours(*size)[0]
        if out is None:
            return picture
        out[:] = picture
        return out

    def update_scene(self, data, camera=-1, scene_option=None):
        """Updates the scene from a simulation, seen by a camera: a name, an id, -1 for the free camera, or an
        `MjvCamera`."""
        if not isinstance(camera, MjvCamera):
            camera = find_camera(self._model, camera)
        options = scene_option or self._scene_option
        mjv_updateScene(self._model, data, options, None, camera, mjtCatBit.mjCAT_ALL.value, self._scene)

    def close(self):
        """Releases the renderer; `render` cannot be called afterwards."""
        self._canvas = None

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc_value, traceback):
        self.close()

    def __del__(self):
        self.close()

    def _repr_html_(self):
        """Colour image of the scene as last updated, for notebooks."""
        if self._canvas is None or self._scene.camera[0].frustum_near <= 0:
            return f"<code>{type(self).__name__}: nothing to show yet</code>"
        return html_image(self._canvas.colours(self._scene, self._height, self._width)[0])

    def __reduce__(self):
        return Renderer, (self._model, self._height, self._width, self._max_geom)


Renderer.__module__ = "sinew"
