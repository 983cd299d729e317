"""MuJoCo's rendering functions: contexts hold images, functions draw into them and read them."""

import threading as _threading
import weakref as _weakref

import numpy as _np

from . import _glfw, _overlay
from ._drawing import mjtDepthMap, mjtFramebuffer
from ._overlay import *  # noqa: F403
from ._sinew import _Canvas, _draw_rectangle

__all__ = ["MjrContext", "MjrRect", *_overlay.__all__]

# the current context of each thread, used by functions without a context argument, as in OpenGL
_current = _threading.local()


class MjrRect:
    """A rectangle of an image, in pixels from its lower left."""

    def __init__(self, left, bottom, width, height):
        self.left, self.bottom, self.width, self.height = int(left), int(bottom), int(width), int(height)

    def __eq__(self, other):
        return isinstance(other, MjrRect) and self.__dict__ == other.__dict__

    __hash__ = None

    def __copy__(self):
        return MjrRect(self.left, self.bottom, self.width, self.height)

    def __deepcopy__(self, memo):
        return self.__copy__()

    def __repr__(self):
        return (f"<MjrRect\n  left: {self.left}\n  bottom: {self.bottom}\n  width: {self.width}\n"
                f"  height: {self.height}\n>")

    def _within(self, height, width):
        """Slices of the rows and columns of this rectangle, within an image."""
        top, right = min(self.bottom + self.height, height), min(self.left + self.width, width)
        return slice(max(self.bottom, 0), top), slice(max(self.left, 0), right)


class _Buffer:
    """Colour and depth buffers of an image."""

    def __init__(self, width, height):
        self.rgb = _np.zeros((height, width, 3), _np.uint8)
        self.z = _np.zeros((height, width), _np.float32)

    def part(self, viewport):
        """The slices of a rectangle, which must lie inside the image."""
        part = viewport._within(*self.z.shape)
        if self.z[part].shape != (viewport.height, viewport.width):
            height, width = self.z.shape
            raise ValueError(f"{viewport!r} is not inside the buffer of {width} by {height} pixels")
        return part


_ZERO = """baseBuiltin baseFontBig baseFontNormal baseFontShadow baseHField baseMesh basePlane charHeight charHeightBig
fontScale glInitialized nskin ntexture offColor offColor_r offDepthStencil offDepthStencil_r offFBO offFBO_r offHeight
offSamples offWidth rangeBuiltin rangeFont rangeHField rangeMesh rangePlane readDepthMap readPixelFormat shadowFBO
shadowSize shadowTex windowAvailable windowDoublebuffer windowSamples windowStereo""".split()


class MjrContext:
    """Render target for a model: an offscreen buffer of the model's size. Rows are from the bottom."""

    def __init__(self, model=None, fontscale=None):
        for name in _ZERO:
            setattr(self, name, 0)
        self.fogStart = self.fogEnd = self.lineWidth = self.shadowClip = self.shadowScale = 0.0
        self.fogRGBA = _np.zeros(4, _np.float32)
        self.auxWidth, self.auxHeight, self.auxSamples = (_np.zeros(10, _np.int32) for _ in range(3))
        self.auxFBO, self.auxFBO_r, self.auxColor, self.auxColor_r = (_np.zeros(10, _np.uint32) for _ in range(4))
        self.charWidth, self.charWidthBig = (_np.zeros(127, _np.int32) for _ in range(2))
        self.mat_texid, self.mat_texuniform = _np.full(10000, -1, _np.int32), _np.zeros(1000, _np.int32)
        self.mat_texrepeat = _np.zeros(2000, _np.float32)
        self.texture, self.textureType = _np.zeros(1000, _np.uint32), _np.zeros(1000, _np.int32)
        self.skinvertVBO = self.skinnormalVBO = self.skintexcoordVBO = self.skinfaceVBO = ()
        self.currentBuffer = int(mjtFramebuffer.mjFB_OFFSCREEN)
        self._canvas, self._main, self._aux = None, _Buffer(0, 0), {}
        self._model = self._window = None  # the page that shows the drawing, if it does not go to the buffer
        self._target, self._viewport = self._main, MjrRect(0, 0, 0, 0)
        if model is not None:
            self._make(model, fontscale)

    def _make(self, model, fontscale):
        vis, extent = model.vis, model.stat.extent
        self._canvas, self._model = _Canvas(model), model
        self.glInitialized = 1
        self._set_font(int(fontscale or 100))
        self.fogStart, self.fogEnd = vis.map.fogstart * extent, vis.map.fogend * extent
        self.shadowClip, self.shadowScale = extent * vis.map.shadowclip, vis.map.shadowscale
        self.lineWidth, self.shadowSize = vis.global_.linewidth, vis.quality.shadowsize
        self.fogRGBA[:] = vis.rgba.fog
        self.nskin, self.ntexture, self.offSamples = model.nskin, model.ntex, vis.quality.offsamples
        self._resize(vis.global_.offwidth, vis.global_.offheight)

    def _set_font(self, scale):
        self.fontScale = scale
        for font, height, widths in ((0, "charHeight", self.charWidth), (2, "charHeightBig", self.charWidthBig)):
            side = _overlay.letter(scale, font)
            setattr(self, height, side)
            widths[32:] = side
        self.rangeFont = len(self.charWidth)

    def _resize(self, width, height):
        self.offWidth, self.offHeight = int(width), int(height)
        self._main = _Buffer(self.offWidth, self.offHeight)
        self._viewport = MjrRect(0, 0, self.offWidth, self.offHeight)
        self._aim(self._main)

    def _aim(self, buffer):
        self._target, _current.context = buffer, _weakref.ref(self)

    def free(self):
        """Releases the buffers; the context cannot be used afterwards."""
        self._canvas, self._main, self._aux = None, _Buffer(0, 0), {}
        self._model = self._window = None
        self._target = self._main

    def _ready(self):
        if self._canvas is None:
            raise RuntimeError("this MjrContext was made without a model, or has been freed")
        return self._canvas


for _class in (MjrRect, MjrContext):
    _class.__module__ = "sinew"


def mjr_render(viewport, scn, con):
    """Render 3D scene."""
    canvas = con._ready()
    if viewport.width <= 0 or viewport.height <= 0:
        return
    if con._window is not None:
        con._window.draw(con._model, scn)
        return
    rgb, z = canvas.colours(scn, viewport.height, viewport.width, True)
    target, con._viewport = con._target, viewport
    rows, columns = viewport._within(*target.z.shape)
    part = (slice(rows.start - viewport.bottom, rows.stop - viewport.bottom),
            slice(columns.start - viewport.left, columns.stop - viewport.left))
    target.rgb[rows, columns] = rgb[::-1][part]
    target.z[rows, columns] = z[::-1][part]


def _fitting(array, name, count):
    if array.size != count:
        raise TypeError(f"{name} should have {count} elements, got {array.size}")
    return array


def _picture_of_window(viewport, con):
    """Renders the scene shown on a page, because its pixels are being read."""
    con._resize(viewport.left + viewport.width, viewport.bottom + viewport.height)
    window, con._window = con._window, None
    if window.scene is not None:
        mjr_render(viewport, window.scene, con)
    con._window = window


def mjr_readPixels(rgb, depth, viewport, con):
    """Read pixels from current OpenGL framebuffer to client buffer. Rows are from the bottom."""
    con._ready()
    if con._window is not None:
        _picture_of_window(viewport, con)
    buffer, count = con._main, viewport.width * viewport.height
    part = buffer.part(viewport)
    if rgb is not None:
        _fitting(rgb, "rgb", 3 * count)[...] = buffer.rgb[part].reshape(rgb.shape)
    if depth is not None:
        z = buffer.z[part] if con.readDepthMap == mjtDepthMap.mjDEPTH_ZEROFAR else 1 - buffer.z[part]
        _fitting(depth, "depth", count)[...] = z.reshape(depth.shape)


def mjr_drawPixels(rgb, depth, viewport, con):
    """Draw pixels from client buffer to current OpenGL framebuffer. Rows are from the bottom."""
    con._ready()
    buffer, count = con._target, viewport.width * viewport.height
    part = buffer.part(viewport)
    if rgb is not None:
        buffer.rgb[part] = _fitting(rgb, "rgb", 3 * count).reshape(viewport.height, viewport.width, 3)
    if depth is not None:
        buffer.z[part] = _fitting(depth, "depth", count).reshape(viewport.height, viewport.width)


def mjr_setBuffer(framebuffer, con):
    """Set the buffer for rendering. There is only one, unless a page replaces a glfw window."""
    if framebuffer not in (mjtFramebuffer.mjFB_WINDOW, mjtFramebuffer.mjFB_OFFSCREEN):
        raise ValueError(f"no framebuffer {framebuffer}")
    con._window = _glfw.current() if framebuffer == mjtFramebuffer.mjFB_WINDOW else None
    con._aim(con._main)


def mjr_restoreBuffer(con):
    """Make con->currentBuffer current again."""
    con._aim(con._main)


def _aux_index(index, con):
    if not 0 <= index < len(con.auxWidth):
        raise ValueError(f"there is no auxiliary buffer {index}: take 0 to {len(con.auxWidth) - 1}")
    return index


def mjr_addAux(index, width, height, samples, con):
    """Add Aux buffer with given index to context; free previous Aux buffer."""
    con._ready()
    if width < 1 or height < 1:
        raise ValueError(f"a buffer of {width} by {height} pixels is empty")
    con._aux[_aux_index(index, con)] = _Buffer(width, height)
    con.auxWidth[index], con.auxHeight[index], con.auxSamples[index] = width, height, samples
    con.auxFBO[index] = con.auxFBO_r[index] = con.auxColor[index] = con.auxColor_r[index] = index + 1


def mjr_setAux(index, con):
    """Draw into an Aux buffer, until mjr_restoreBuffer."""
    if _aux_index(index, con) not in con._aux:
        raise ValueError(f"auxiliary buffer {index} does not exist: add it with mjr_addAux")
    con._aim(con._aux[index])


def mjr_blitAux(index, src, left, bottom, con):
    """Copy colours from a part of an Aux buffer to the context's image."""
    if _aux_index(index, con) not in con._aux:
        return
    colours = con._aux[index].rgb[con._aux[index].part(src)]
    con._main.rgb[con._main.part(MjrRect(left, bottom, src.width, src.height))] = colours
    con._aim(con._main)


def mjr_blitBuffer(src, dst, flg_color, flg_depth, con):
    """Copy between window and offscreen buffer: does nothing here, as there is only one buffer."""


def mjr_changeFont(fontscale, con):
    """Change font of existing context."""
    con._set_font(int(fontscale))


def mjr_rectangle(viewport, r, g, b, a):
    """Draw rectangle in the context that this thread created or made current last."""
    con = getattr(_current, "context", lambda: None)()
    if con is None:
        raise RuntimeError("no MjrContext to draw in: make one, or call mjr_setBuffer")
    con._viewport = viewport
    _draw_rectangle(con._target.rgb, (viewport.left, viewport.bottom, viewport.width, viewport.height), (r, g, b, a))


def mjr_resizeOffscreen(width, height, con):
    """Resize offscreen buffers."""
    con._resize(width, height)


def mjr_maxViewport(con):
    """Get maximum viewport for active buffer."""
    return MjrRect(0, 0, con.offWidth, con.offHeight)


def mjr_uploadMesh(m, con, meshid):
    """Upload a mesh that has changed in the model."""
    con._ready().update_mesh(m, meshid)


def mjr_uploadHField(m, con, hfieldid):
    """Upload a height field that has changed in the model."""
    con._ready().update_hfield(m, hfieldid)


def mjr_uploadTexture(m, con, texid):
    """Upload a texture that has changed in the model."""
    con._ready().update_texture(m, texid)


def mjr_findRect(x, y, nrect, rect):
    """Find first rectangle containing mouse, -1: not found."""
    rects = [rect] if isinstance(rect, MjrRect) else list(rect)
    inside = (r.left <= x < r.left + r.width and r.bottom <= y < r.bottom + r.height for r in rects[:nrect])
    return next((i for i, hit in enumerate(inside) if hit), -1)


def mjr_finish():
    """Wait until drawing is complete: returns at once, as drawing is synchronous."""


def mjr_getError():
    """The OpenGL error code: always 0."""
    return 0


__all__ += [name for name in list(globals()) if name.startswith("mjr_") and name not in __all__]
