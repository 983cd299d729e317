"""MuJoCo's renderer under its names: contexts hold pictures, functions draw into them and read them."""

import numpy as _np

from ._drawing import mjtDepthMap, mjtFramebuffer
from ._sinew import _Canvas

__all__ = ["MjrContext", "MjrRect"]


class MjrRect:
    """A part of a picture, in pixels from its lower left."""

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
        return f"MjrRect({self.left}, {self.bottom}, {self.width}, {self.height})"

    def _within(self, height, width):
        """Rows and columns of this part of a picture."""
        top, right = min(self.bottom + self.height, height), min(self.left + self.width, width)
        return slice(max(self.bottom, 0), top), slice(max(self.left, 0), right)


_ZERO = """baseBuiltin baseFontBig baseFontNormal baseFontShadow baseHField baseMesh basePlane charHeight charHeightBig
fontScale glInitialized nskin ntexture offColor offColor_r offDepthStencil offDepthStencil_r offFBO offFBO_r offHeight
offSamples offWidth rangeBuiltin rangeFont rangeHField rangeMesh rangePlane readDepthMap readPixelFormat shadowFBO
shadowSize shadowTex windowAvailable windowDoublebuffer windowSamples windowStereo""".split()


class MjrContext:
    """Where pictures of a model are drawn: an offscreen buffer of the model's size. Rows are from the bottom."""

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
        self._canvas, self._aux = None, {}
        if model is not None:
            self._make(model, fontscale)

    def _make(self, model, fontscale):
        vis, extent = model.vis, model.stat.extent
        self._canvas = _Canvas(model)
        self.fontScale, self.glInitialized = int(fontscale or 0), 1
        self.fogStart, self.fogEnd = vis.map.fogstart * extent, vis.map.fogend * extent
        self.shadowClip, self.shadowScale = extent * vis.map.shadowclip, vis.map.shadowscale
        self.lineWidth, self.shadowSize = vis.global_.linewidth, vis.quality.shadowsize
        self.fogRGBA[:] = vis.rgba.fog
        self.nskin, self.ntexture, self.offSamples = model.nskin, model.ntex, vis.quality.offsamples
        self._resize(vis.global_.offwidth, vis.global_.offheight)

    def _resize(self, width, height):
        self.offWidth, self.offHeight = int(width), int(height)
        self._rgb = _np.zeros((self.offHeight, self.offWidth, 3), _np.uint8)
        self._z = _np.zeros((self.offHeight, self.offWidth), _np.float32)

    def free(self):
        """Gives up what is drawn; the context cannot be used afterwards."""
        self._canvas, self._aux = None, {}

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
    rgb, z = canvas.colours(scn, viewport.height, viewport.width, True)
    rows, columns = viewport._within(con.offHeight, con.offWidth)
    part = (slice(rows.start - viewport.bottom, rows.stop - viewport.bottom),
            slice(columns.start - viewport.left, columns.stop - viewport.left))
    con._rgb[rows, columns] = rgb[::-1][part]
    con._z[rows, columns] = z[::-1][part]


def _fitting(array, name, count):
    if array.size != count:
        raise TypeError(f"{name} should have {count} elements, got {array.size}")
    return array


def mjr_readPixels(rgb, depth, viewport, con):
    """Read pixels from current OpenGL framebuffer to client buffer. Rows are from the bottom."""
    con._ready()
    part = viewport._within(con.offHeight, con.offWidth)
    if con._z[part].shape != (viewport.height, viewport.width):
        raise ValueError(f"{viewport} is not inside the buffer of {con.offWidth} by {con.offHeight} pixels")
    count = viewport.width * viewport.height
    if rgb is not None:
        _fitting(rgb, "rgb", 3 * count)[...] = con._rgb[part].reshape(rgb.shape)
    if depth is not None:
        z = con._z[part] if con.readDepthMap == mjtDepthMap.mjDEPTH_ZEROFAR else 1 - con._z[part]
        _fitting(depth, "depth", count)[...] = z.reshape(depth.shape)


def mjr_drawPixels(rgb, depth, viewport, con):
    """Draw pixels from client buffer to current OpenGL framebuffer. Rows are from the bottom."""
    con._ready()
    part, count = viewport._within(con.offHeight, con.offWidth), viewport.width * viewport.height
    if con._z[part].shape != (viewport.height, viewport.width):
        raise ValueError(f"{viewport} is not inside the buffer of {con.offWidth} by {con.offHeight} pixels")
    if rgb is not None:
        con._rgb[part] = _fitting(rgb, "rgb", 3 * count).reshape(viewport.height, viewport.width, 3)
    if depth is not None:
        con._z[part] = _fitting(depth, "depth", count).reshape(viewport.height, viewport.width)


def mjr_setBuffer(framebuffer, con):
    """Set the buffer for rendering. There is only one, which is used whatever is asked for."""
    if framebuffer not in (mjtFramebuffer.mjFB_WINDOW, mjtFramebuffer.mjFB_OFFSCREEN):
        raise ValueError(f"no framebuffer {framebuffer}")


def mjr_restoreBuffer(con):
    """Make con->currentBuffer current again."""


def mjr_resizeOffscreen(width, height, con):
    """Resize offscreen buffers."""
    con._resize(width, height)


def mjr_maxViewport(con):
    """Get maximum viewport for active buffer."""
    return MjrRect(0, 0, con.offWidth, con.offHeight)


def mjr_uploadMesh(m, con, meshid):
    """Take over a mesh that has changed in the model."""
    con._ready().update_mesh(m, meshid)


def mjr_uploadHField(m, con, hfieldid):
    """Take over a height field that has changed in the model."""
    con._ready().update_hfield(m, hfieldid)


def mjr_uploadTexture(m, con, texid):
    """Take over a texture that has changed in the model."""
    con._ready().update_texture(m, texid)


def mjr_findRect(x, y, nrect, rect):
    """Find first rectangle containing mouse, -1: not found."""
    rects = [rect] if isinstance(rect, MjrRect) else list(rect)
    inside = (r.left <= x < r.left + r.width and r.bottom <= y < r.bottom + r.height for r in rects[:nrect])
    return next((i for i, hit in enumerate(inside) if hit), -1)


def mjr_finish():
    """Wait until everything is drawn, which it always is."""


def mjr_getError():
    """The error of OpenGL, of which there is none."""
    return 0


__all__ += [name for name in list(globals()) if name.startswith("mjr_")]
