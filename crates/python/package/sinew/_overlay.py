"""Text, labels and figures drawn over the image of a context. Positions are in pixels from the lower left."""

import numpy as _np

from ._drawing import mjtFont, mjtGridPos
from ._sinew import _draw_lines, _draw_rectangle, _draw_text

__all__ = ["mjr_figure", "mjr_label", "mjr_overlay", "mjr_text"]

_PAD = 5
_MOST_TICKS = 20


def letter(scale, font):
    """Size of a letter in pixels; letters are 8 x 8 squares, big ones twice as large."""
    return 8 * max(1, (scale + 25) // 75) * (2 if font == mjtFont.mjFONT_BIG else 1)


def _write(picture, text, at, side, rgb, shadow=False):
    x, y = int(at[0]), int(at[1])
    if shadow:
        _draw_text(picture, text, (x + 1, y - 1), side // 8, (0, 0, 0, 0.5))
    _draw_text(picture, text, (x, y), side // 8, (*map(float, rgb), 1))


def mjr_text(font, txt, con, x, y, r, g, b):
    """Draw text at (x,y) in relative coordinates of the part that was drawn last; font is mjtFont."""
    con._ready()
    view = con._viewport
    at = view.left + x * view.width, view.bottom + y * view.height
    _write(con._target.rgb, txt, at, letter(con.fontScale, font), (r, g, b), font == mjtFont.mjFONT_SHADOW)


def mjr_label(viewport, font, txt, r, g, b, a, rt, gt, bt, con):
    """Draw rectangle with centered text."""
    con._ready()
    if viewport.width <= 0 or viewport.height <= 0:
        return
    side = letter(con.fontScale, font)
    rect = (viewport.left, viewport.bottom, viewport.width, viewport.height)
    _draw_rectangle(con._target.rgb, rect, (r, g, b, a))
    left = viewport.left + max(0, (viewport.width - side * len(txt)) // 2)
    _write(con._target.rgb, txt, (left, viewport.bottom + (viewport.height - side) // 2), side, (rt, gt, bt))


def _column(con, font, gridpos, viewport, skip, text, rgb):
    """Draws one column of an overlay on a dark background; returns its width."""
    side, lines = letter(con.fontScale, font), text.split("\n")
    width = _PAD + side * max(map(len, lines)) + 8
    height = _PAD + len(lines) * (side + _PAD) - _PAD
    where = mjtGridPos(gridpos).name
    if "LEFT" in where:
        left = viewport.left + skip + _PAD
    elif "RIGHT" in where:
        left = viewport.left + viewport.width - skip - 1 - _PAD - width
    else:
        left = viewport.left + (viewport.width - skip - width) // 2 - 1 - _PAD
    if "TOP" in where:
        bottom = viewport.bottom + viewport.height - 1 - _PAD - height
    elif "BOTTOM" in where:
        bottom = viewport.bottom + _PAD
    else:
        bottom = viewport.bottom + (viewport.height - height) // 2 - 1 - _PAD
    _draw_rectangle(con._target.rgb, (left, bottom, width, height), (0, 0, 0, 0.5))
    for i, line in enumerate(lines):
        at = left + 3, bottom + height - side - i * (side + _PAD)
        _write(con._target.rgb, line, at, side, rgb, font == mjtFont.mjFONT_SHADOW)
    return width - 2


def mjr_overlay(font, gridpos, viewport, overlay, overlay2, con):
    """Draw text overlay; font is mjtFont; gridpos is mjtGridPos."""
    con._ready()
    if viewport.width <= 0 or viewport.height <= 0:
        return
    if con._window is not None:
        con._window.lay(gridpos, overlay, overlay2)
        return
    white, grey = (1, 1, 1), (0.7, 0.7, 0.7)
    if not overlay2:
        _column(con, font, gridpos, viewport, 0, overlay, white)
        return
    columns = [(overlay, grey), (overlay2, white)]
    if gridpos not in (mjtGridPos.mjGRID_TOPLEFT, mjtGridPos.mjGRID_BOTTOMLEFT):
        columns.reverse()
    skip = 0
    for text, rgb in columns:
        skip += _column(con, font, gridpos, viewport, skip, text, rgb)


def _ranges(fig):
    """Ranges of the axes: the figure's or those of its lines; the vertical one is rounded out to whole decimal
    steps."""
    ranges = []
    for axis in (0, 1):
        low, high = map(float, fig.range[axis])
        fixed = low < high
        if not fixed or fig.flg_extend:
            values = [fig.linedata[n, axis:2 * count:2] for n, count in enumerate(fig.linepnt) if count > 0]
            values = _np.concatenate(values) if values else _np.zeros(0)
            values = values[_np.isfinite(values)]
            if values.size:
                least, most = float(values.min()), float(values.max())
                low, high = (min(low, least), max(high, most)) if fixed else (least, most)
        lack = max(0.0, 1e-5 - (high - low))
        low, high = low - 0.5 * lack, high + 0.5 * lack
        if axis == 1:
            step = 10.0 ** _np.floor(_np.log10(high - low))
            low, high = _np.floor(low / step) * step, _np.ceil(high / step) * step
            if fig.flg_symmetric:
                high = max(abs(low), abs(high))
                low = -high
        ranges.append((low, high))
    return ranges


def _number(form, value):
    """Formats a number without redundant trailing zeros."""
    text = form % value
    return text.rstrip("0").rstrip(".") if "." in text and text.strip("-0123456789.") == "" else text


class _Pane:
    """The part of an image that a figure occupies, from outside to inside."""

    def __init__(self, picture, fig, side):
        self.picture, self.fig, self.side, self.pad = picture, fig, side, side // 2
        self.left, self.bottom = 0, 0
        self.height, self.width = picture.shape[:2]

    def text(self, text, x, y, rgb, shadow=False):
        _write(self.picture, text, (self.left + x, self.bottom + y), self.side, rgb, shadow)

    def shrink(self, left=0, bottom=0, right=0, top=0):
        self.left, self.bottom = self.left + left, self.bottom + bottom
        self.width, self.height = self.width - left - right, self.height - bottom - top

    def fill(self, rgba):
        _draw_rectangle(self.picture, (self.left, self.bottom, self.width, self.height), tuple(map(float, rgba)))

    def titles(self):
        fig, pad = self.fig, self.pad
        titles = [part for part in fig.title.split("  ") if part.strip()]
        if titles:
            title = titles[min(max(fig.subplot, 0), len(titles) - 1)].strip()
            left = max(0, self.width // 2 - len(title) * self.side // 2)
            self.text(title, left, self.height - pad - self.side, fig.textrgb)
        if fig.xlabel:
            self.text(fig.xlabel, max(0, self.width // 2 - len(fig.xlabel) * self.side // 2), pad, fig.textrgb)
        self.shrink(bottom=self.side + pad // 2 if fig.xlabel else 0, top=self.side + pad if titles else 0)

    def ticks(self, ranges):
        fig, side, pad = self.fig, self.side, self.pad
        if min(fig.gridsize) < 2:
            return
        texts = [[_number(form, low + (high - low) * i / (n - 1)) for i in range(n)]
                 for form, (low, high), n in zip((fig.xformat, fig.yformat), ranges, _np.minimum(fig.gridsize, _MOST_TICKS))]
        below = side + pad if fig.flg_ticklabel[0] else 0
        beside = side * max(map(len, [fig.minwidth, *texts[1]])) + pad if fig.flg_ticklabel[1] else 0
        if below:
            last, room = len(texts[0]) - 1, self.width - 2 * pad - beside
            for i, text in enumerate(texts[0]):
                back = len(text) * side * (0 if i == 0 else 1 if i == last else 0.5)
                self.text(text, pad + beside - back + room * i / last, pad, fig.textrgb)
        if beside:
            last, room = len(texts[1]) - 1, self.height - 2 * pad - below
            for i, text in enumerate(texts[1]):
                self.text(text, beside - len(text) * side, pad + below - side // 2 + room * i / last, fig.textrgb)
        self.shrink(left=beside, bottom=below)

    def lines(self, points, ranges, width, rgb, pairs):
        low, span = _np.transpose(ranges)[0], _np.ptp(ranges, axis=1)
        share = (_np.asarray(points, float) - low) / span
        places = [self.left, self.bottom] + share * [self.width - 1, self.height - 1]
        # clipping far outside the image does not change what is visible
        places = _np.ascontiguousarray(_np.clip(places, -1e6, 1e6), _np.float32)
        _draw_lines(self.picture, places, bool(pairs), float(width), (*map(float, rgb), 1))

    def grid(self):
        unit = [(0, 1), (0, 1)]
        if min(self.fig.gridsize) < 2:
            return
        for axis in (0, 1):
            for at in _np.linspace(0, 1, min(self.fig.gridsize[axis], _MOST_TICKS)):
                ends = [(at, 0), (at, 1)] if axis == 0 else [(0, at), (1, at)]
                self.lines(ends, unit, self.fig.gridwidth, self.fig.gridrgb, True)

    def curve(self, n, ranges, width):
        points = self.fig.linedata[n, :2 * self.fig.linepnt[n]].reshape(-1, 2)
        self.lines(points, ranges, width, self.fig.linergb[n], self.fig.flg_barplot)

    def legend(self, corner):
        """Draws the names of lines in the upper right, with the highlighted one."""
        fig, side, pad = self.fig, self.side, self.pad
        named = [n for n in range(max(fig.legendoffset, 0), len(fig.linename)) if fig.linename[n]]
        named = named[:max(0, (self.height - 2 * pad - 1) // side)]
        if not named:
            return -1
        texts = [bytes(fig.linename[n]).decode(errors="replace") for n in named]
        width, height = side * max(map(len, texts)), side * len(texts)
        rect = (self.left + self.width - 2 * pad - width, self.bottom + self.height - 2 * pad - height,
                width + 2 * pad, height + 2 * pad)
        _draw_rectangle(self.picture, rect, tuple(map(float, fig.legendrgba)))
        for i, (n, text) in enumerate(zip(named, texts)):
            at = self.width - pad - len(text) * side, self.height - pad - (i + 1) * side
            self.text(text, *at, fig.linergb[n], shadow=True)
        x, y = fig.highlight[0] - corner[0] - self.left, fig.highlight[1] - corner[1] - self.bottom
        row = (self.height - pad - y) // side
        inside = self.width - pad - width <= x <= self.width - pad and 0 <= row < len(named)
        return named[row] if inside else -1

    def reading(self, n, ranges):
        """The point of a line nearest to the selection."""
        points = self.fig.linedata[n, :2 * self.fig.linepnt[n]].reshape(-1, 2)
        if len(points):
            x, y = points[_np.argmin(_np.abs(points[:, 0] - self.fig.selection))]
            self.text(f"( {x:.4g} : {y:.4g} )", 0.1 * self.width, 0.1 * self.height, self.fig.textrgb, shadow=True)


def mjr_figure(viewport, fig, con):
    """Draw 2D figure."""
    con._ready()
    part = viewport._within(*con._target.z.shape)
    picture = _np.ascontiguousarray(con._target.rgb[part])
    if 0 in picture.shape:
        return
    draw_figure(picture, fig, con.fontScale, (part[1].start, part[0].start))
    con._target.rgb[part] = picture


def draw_figure(picture, fig, scale, corner):
    """Draws a figure over a whole image; `corner` is its lower left corner in the viewport."""
    ranges = _ranges(fig)
    pane = _Pane(picture, fig, letter(scale, mjtFont.mjFONT_NORMAL))
    pane.fill(fig.figurergba)
    pane.titles()
    pane.ticks(ranges)
    pane.shrink(pane.pad, pane.pad, pane.pad, pane.pad)
    if pane.width > 0 and pane.height > 0:
        fig.xaxispixel = corner[0] + pane.left, corner[0] + pane.left + pane.width - 1
        fig.yaxispixel = corner[1] + pane.bottom, corner[1] + pane.bottom + pane.height - 1
        fig.xaxisdata, fig.yaxisdata = ranges
        _plot(pane, fig, ranges, corner)


def film_of_figure(fig, left, bottom, width, height, scale=100):
    """A figure as an RGBA image (height, width, 4), rows from the top, with transparency."""
    dark, light = (_np.full((max(height, 0), max(width, 0), 3), ground, _np.uint8) for ground in (0, 255))
    if dark.size:
        for picture in (dark, light):
            draw_figure(picture, fig, scale, (left, bottom))
    alpha = 255 - (light.astype(int) - dark).max(axis=2, initial=0)
    colour = dark * 255.0 / _np.maximum(alpha, 1)[..., None]
    return _np.dstack([colour.clip(0, 255), alpha]).astype(_np.uint8)[::-1]


def _plot(pane, fig, ranges, corner):
    """Draws the contents of the axes."""
    whole = pane.picture
    rows, columns = slice(pane.bottom, pane.bottom + pane.height), slice(pane.left, pane.left + pane.width)
    pane.fill(fig.panergba)
    # lines are clipped at the axes
    pane.picture = _np.ascontiguousarray(whole[rows, columns])
    corner = corner[0] + pane.left, corner[1] + pane.bottom
    pane.left = pane.bottom = 0
    pane.grid()
    for n in _np.flatnonzero(fig.linepnt > 0)[::-1]:
        pane.curve(n, ranges, fig.linewidth)
    if fig.flg_selection:
        pane.lines([(fig.selection, y) for y in ranges[1]], ranges, 3, (1, 1, 1), True)
    pointed = pane.legend(corner) if fig.flg_legend else -1
    chosen = pointed if pointed >= 0 else fig.highlightid
    if 0 <= chosen < len(fig.linepnt):
        pane.curve(chosen, ranges, 5 * fig.linewidth)
        if fig.flg_selection:
            pane.reading(chosen, ranges)
    whole[rows, columns] = pane.picture
