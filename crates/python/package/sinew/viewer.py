"""MuJoCo's viewer, in a browser tab: `launch`, `launch_from_path`, `launch_passive`.

A page is served on this machine only, at an address with a token, which is printed and opened. `SINEW_VIEWER_OPEN=0`
disables opening, for example over ssh, where the port must be forwarded; `SINEW_VIEWER_PORT` sets the port.
"""

import base64
import contextlib
import json
import os
import struct
import sys
import threading
import time
import webbrowser
import zlib

import numpy as np

import sinew as mujoco
from ._overlay import film_of_figure
from ._sinew import _look, _page_built, _replay_page, _Viewer

__all__ = ["BatchHandle", "Handle", "launch", "launch_batch", "launch_from_path", "launch_passive", "replay"]

# capacity for the user's shapes
MAX_GEOM = 10_000
# maximum lag behind real time that is caught up with (s), and time spent on it per frame (s)
_MOST_OWED, _BUDGET = 0.1, 0.05
_TURN = 0.005


def ensure():
    """Raises RuntimeError, with advice, if the page is not part of this build."""
    _page_built()


def _start(model, data, role):
    viewer = _Viewer(model, data, int(os.environ.get("SINEW_VIEWER_PORT", "0")), role)
    address = viewer.address()
    print(f"sinew viewer: {address}", file=sys.stderr, flush=True)
    if os.environ.get("SINEW_VIEWER_OPEN", "1") != "0":
        # some browsers block the caller
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    return viewer


class Handle:
    """Handle of a viewer that does not run the simulation itself."""

    def __init__(self, model, data, viewer):
        self._m, self._d, self._viewer = model, data, viewer
        self._cam, self._opt, self._pert = mujoco.MjvCamera(), mujoco.MjvOption(), mujoco.MjvPerturb()
        mujoco.mjv_defaultFreeCamera(model, self._cam)
        if 0 <= model.vis.global_.cameraid < model.ncam:
            self._cam.type, self._cam.fixedcamid = mujoco.mjtCamera.mjCAMERA_FIXED, model.vis.global_.cameraid
        self._user_scn = mujoco.MjvScene(model, MAX_GEOM)
        self._lock = threading.RLock()
        self._over = {}

    @property
    def cam(self):
        return self._cam

    @property
    def opt(self):
        return self._opt

    @property
    def perturb(self):
        return self._pert

    @property
    def user_scn(self):
        return self._user_scn

    @property
    def m(self):
        return self._m

    @property
    def d(self):
        return self._d

    @property
    def viewport(self):
        """Size of the view; zeros before a page shows it."""
        return mujoco.MjrRect(0, 0, *self._viewer.size())

    @property
    def address(self):
        """Address of the page."""
        return self._viewer.address()

    def lock(self):
        """Keeps the viewer from reading while the simulation changes."""
        return self._lock if self.is_running() else contextlib.nullcontext()

    def sync(self, state_only=False):
        """Sends the present state, and receives changes made on pages."""
        with self._lock:
            self._viewer.sync(self._m, self._d, self._cam, self._opt, self._pert, self._user_scn, state_only)

    def is_running(self):
        """False once the viewer is closed, or its last page has been gone for 5 s."""
        return self._viewer.is_running()

    def close(self):
        self._viewer.close()

    def update_mesh(self, meshid):
        self._renew("mesh", meshid, self._m.nmesh)

    def update_hfield(self, hfieldid):
        self._renew("height field", hfieldid, self._m.nhfield)

    def update_texture(self, texid):
        self._renew("texture", texid, self._m.ntex)

    def _renew(self, kind, number, count):
        if not 0 <= number < count:
            raise ValueError(f"{kind} {number} does not exist; the model has {count}")
        with self._lock:
            self._viewer.replace_model(self._m)

    def set_texts(self, texts):
        """Draws texts over the view: tuples of font, position (`mjtGridPos`), left and right column; any may be
        None."""
        rows = []
        for _, place, left, right in [texts] if isinstance(texts, tuple) else texts:
            place = mujoco.mjtGridPos.mjGRID_TOPLEFT if place is None else place
            rows.append({"place": int(place), "left": left or "", "right": right or ""})
        self._lay("texts", rows)

    def clear_texts(self):
        self._lay("texts", [])

    def set_images(self, viewports_images):
        """Draws images over the view: tuples of a rectangle and an array (height, width, 3) of its size."""
        rows = []
        for rect, image in [viewports_images] if isinstance(viewports_images, tuple) else viewports_images:
            image = np.asarray(image)
            if image.shape[:2] != (rect.height, rect.width):
                raise ValueError(f"Image shape {image.shape[:2]} does not match target shape {(rect.height, rect.width)}")
            rows.append(_placed(rect, image))
        self._lay("images", rows)

    def clear_images(self):
        self._lay("images", [])

    def set_figures(self, viewports_figures):
        """Draws figures over the view: tuples of a rectangle and an `MjvFigure`."""
        figures = [viewports_figures] if isinstance(viewports_figures, tuple) else viewports_figures
        self._lay("figures", [_placed(rect, film_of_figure(figure, *_numbers(rect))) for rect, figure in figures])

    def clear_figures(self):
        self._lay("figures", [])

    def _lay(self, kind, rows):
        self._over[kind] = rows
        self._viewer.overlay(json.dumps(self._over))

    def _repr_html_(self):
        return f'<a href="{self.address}" target="_blank">sinew viewer</a>' if self.is_running() else "sinew viewer (closed)"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class BatchHandle(Handle):
    """Handle of a viewer of several worlds of a batch, shown side by side."""

    def __init__(self, sim, worlds, spacing, viewer, data):
        super().__init__(sim.model, data, viewer)
        self._sim, self._worlds = sim, worlds
        columns = int(np.ceil(np.sqrt(len(worlds))))
        rows = -(-len(worlds) // columns)
        step = sim.model.stat.extent if spacing is None else spacing
        self._places = [(step * (i % columns), step * (i // columns), 0.0) for i in range(len(worlds))]
        self._cam.lookat[:2] += 0.5 * step * np.array([columns - 1, rows - 1])
        self._cam.distance += step * (max(columns, rows) - 1)

    def sync(self, state_only=False):
        """Shows the worlds in their present states and receives camera and options. The worlds are not changed."""
        with self._lock:
            markers = self._user_scn.ngeom
            _look(self._sim, self._d, self._worlds, self._places, self._opt, self._user_scn)
            super().sync(state_only)
            self._user_scn.ngeom = markers


def _numbers(rect):
    return [rect.left, rect.bottom, rect.width, rect.height]


def _placed(rect, image):
    return {"rect": _numbers(rect), "png": base64.b64encode(_png(image)).decode()}


def _png(image):
    """An image of three or four channels as a PNG file."""
    height, width, channels = image.shape
    rows = np.ascontiguousarray(image, np.uint8).reshape(height, -1)
    raw = np.hstack([np.zeros((height, 1), np.uint8), rows]).tobytes()

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", width, height, 8, 6 if channels == 4 else 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(raw, 1)) + chunk(b"IEND", b"")


def _deliver(viewer, callback):
    """Delivers keys, even while the simulation does not call `sync`."""
    while viewer.is_running():
        for key in viewer.keys():
            callback(key)
        time.sleep(0.01)


def launch_passive(model, data, *, key_callback=None, show_left_ui=True, show_right_ui=True):
    """Opens a viewer of a simulation that the caller steps, and returns its handle. Panels are shown or hidden on the
    page itself."""
    del show_left_ui, show_right_ui
    if not isinstance(model, mujoco.MjModel):
        raise ValueError(f"`model` is not a mujoco.MjModel: got {model!r}")
    if not isinstance(data, mujoco.MjData):
        raise ValueError(f"`data` is not a mujoco.MjData: got {data!r}")
    if key_callback is not None and not callable(key_callback):
        raise ValueError(f"`key_callback` is not callable: got {key_callback!r}")
    mujoco.mj_forward(model, data)
    handle = Handle(model, data, _start(model, data, "look"))
    handle.sync()
    if key_callback is not None:
        threading.Thread(target=_deliver, args=(handle._viewer, key_callback), daemon=True).start()
    return handle


def launch_batch(sim, worlds=16, spacing=None):
    """Opens a viewer of worlds of a `BatchSim` and returns its handle; `sync` after a step shows them.

    `worlds` is a list of indices, or a number of worlds to show from the first; `spacing` is the distance between
    neighbours, by default the extent of the model. Infinite floors are shown once; flexes and skins are those of the
    first world."""
    if not isinstance(sim, mujoco.BatchSim):
        raise ValueError(f"`sim` is not a sinew.BatchSim: got {sim!r}")
    numbers = list(range(min(worlds, sim.num_worlds))) if np.ndim(worlds) == 0 else [int(w) for w in worlds]
    if not numbers or not all(0 <= w < sim.num_worlds for w in numbers):
        raise ValueError(f"worlds are numbers from 0 to {sim.num_worlds - 1}, at least one of them: got {worlds!r}")
    data = mujoco.MjData(sim.model)
    mujoco.mj_forward(sim.model, data)
    handle = BatchHandle(sim, numbers, spacing, _start(sim.model, data, "look"), data)
    handle.sync()
    return handle


def launch(model=None, data=None, *, loader=None, show_left_ui=True, show_right_ui=True):
    """Runs a simulation and shows it until the page is closed."""
    del show_left_ui, show_right_ui
    if model is None and data is not None:
        raise ValueError("mjData is specified but mjModel is not")
    if callable(model) and data is not None:
        raise ValueError("mjData should not be specified when an mjModel loader is used")
    if loader is not None and model is not None:
        raise ValueError("model and loader are both specified")
    if callable(model) and not isinstance(model, mujoco.MjModel):
        model, data = model()[:2]
    elif loader is not None:
        model, data = loader()[:2]
    elif model is None:
        model = mujoco.MjModel.from_xml_string("<mujoco/>")
    data = mujoco.MjData(model) if data is None else data
    mujoco.mj_forward(model, data)
    _run(Handle(model, data, _start(model, data, "manage")))


def launch_from_path(path):
    """Runs a model file and shows it until the page is closed."""
    load = mujoco.MjModel.from_binary_path if path.endswith(".mjb") else mujoco.MjModel.from_xml_path
    launch(load(path))


def _run(handle):
    """Runs the simulation with the settings of the pages."""
    model, data, viewer = handle.m, handle.d, handle._viewer
    running, speed, owed, last = True, 1.0, 0.0, time.perf_counter()
    while viewer.is_running():
        for name, value in viewer.commands():
            if name == "run":
                running = value != 0
            elif name == "speed":
                speed = min(max(value, 1e-3), 1e3)
            else:
                _obey(model, data, name, value, running)
        viewer.set_clock(running, speed)
        now = time.perf_counter()
        owed = min(owed + (now - last) * speed, _MOST_OWED * max(speed, 1.0)) if running else 0.0
        last = now
        while owed >= model.opt.timestep and time.perf_counter() - now < _BUDGET:
            mujoco.mj_step(model, data)
            owed -= model.opt.timestep
        if not running:
            mujoco.mj_forward(model, data)
        handle.sync()
        time.sleep(_TURN)


def _obey(model, data, name, value, running):
    if name == "step" and not running:
        for _ in range(int(min(max(value, 0), 10_000))):
            mujoco.mj_step(model, data)
    elif name == "reset":
        mujoco.mj_resetData(model, data)
    elif name == "keyframe" and 0 <= value < model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, int(value))
    elif name == "clear":
        data.ctrl[:] = 0


class Replay:
    """A recorded motion as a single-file page, which notebooks show."""

    def __init__(self, html):
        self.html = html

    def save(self, path):
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)

    def _repr_html_(self):
        text = self.html.replace("&", "&amp;").replace('"', "&quot;")
        return f'<iframe srcdoc="{text}" style="width:100%;height:520px;border:0" sandbox="allow-scripts allow-downloads"></iframe>'


def replay(model, time, qpos):
    """A recorded motion, `time` (n,) and `qpos` (n, nq), as a `Replay`."""
    qpos = np.ascontiguousarray(qpos, float)
    return Replay(_replay_page(model, np.asarray(time, float).tolist(), qpos.ravel().tolist()))
