"""Replaces GLFW windows by viewer pages: the drawing of programs that open windows themselves appears in a browser tab.

`sinew.as_mujoco()` lets `import glfw` find this module, unless glfw has already been imported. `swap_buffers` shows the
scene that `mjr_render` drew last, `poll_events` delivers keys, drags and wheel events. A page receives the scene rather
than images, so nothing is rendered here.
"""

import collections
import json
import time

FALSE, TRUE = 0, 1
RELEASE, PRESS, REPEAT = 0, 1, 2
MOUSE_BUTTON_LEFT, MOUSE_BUTTON_RIGHT, MOUSE_BUTTON_MIDDLE = MOUSE_BUTTON_1, MOUSE_BUTTON_2, MOUSE_BUTTON_3 = 0, 1, 2
MOD_SHIFT, MOD_CONTROL, MOD_ALT, MOD_SUPER = 1, 2, 4, 8
VISIBLE, RESIZABLE, DOUBLEBUFFER, SAMPLES = 0x20004, 0x20003, 0x21010, 0x2100D

KEY_UNKNOWN = -1
globals().update({f"KEY_{letter}": ord(letter) for letter in "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"})
globals().update({f"KEY_F{n}": 289 + n for n in range(1, 26)})
globals().update({f"KEY_{name}": ord(sign) for name, sign in dict(
    SPACE=" ", APOSTROPHE="'", COMMA=",", MINUS="-", PERIOD=".", SLASH="/", SEMICOLON=";", EQUAL="=", LEFT_BRACKET="[",
    BACKSLASH="\\", RIGHT_BRACKET="]", GRAVE_ACCENT="`").items()})
globals().update({f"KEY_{name}": 256 + n for n, name in enumerate(
    "ESCAPE ENTER TAB BACKSPACE INSERT DELETE RIGHT LEFT DOWN UP PAGE_UP PAGE_DOWN HOME END".split())})
globals().update({f"KEY_{side}_{name}": first + n for side, first in (("LEFT", 340), ("RIGHT", 344))
                  for n, name in enumerate("SHIFT CONTROL ALT SUPER".split())})
KEY_LEFT_SHIFT, KEY_LAST = 340, 348

# minimum time between frames (s); pages show no more
_FRAME = 1 / 60
# actions of a drag (`mjtMouse`) -> button and whether shift is held
_ROTATE_V, _ROTATE_H, _MOVE_V, _MOVE_H, _ZOOM = range(1, 6)
_DRAGS = {_ROTATE_V: (MOUSE_BUTTON_LEFT, False), _ROTATE_H: (MOUSE_BUTTON_LEFT, True),
          _MOVE_V: (MOUSE_BUTTON_RIGHT, False), _MOVE_H: (MOUSE_BUTTON_RIGHT, True)}
# camera motion per wheel event, the same in pages and in programs
_WHEEL = 0.05

_VideoMode = collections.namedtuple("GLFWvidmode", "size bits refresh_rate")
_Size = collections.namedtuple("Size", "width height")
_Bits = collections.namedtuple("Bits", "red green blue")

_windows = []
_current = None


def __getattr__(name):
    raise AttributeError(f"sinew stands for glfw and shows windows as pages: it has no '{name}'")


class _Window:
    def __init__(self, width, height, title):
        self.asked, self.title = (int(width), int(height)), title
        self.viewer = self.scene = self.model = None
        self.texts, self.laid = [], "{}"
        self.callbacks, self.buttons, self.keys = {}, set(), set()
        self.cursor, self.close, self.swapped, self.interval = (0.0, 0.0), False, 0.0, 0
        self.user = None

    def size(self):
        shown = self.viewer.size() if self.viewer else (0, 0)
        return shown if min(shown) > 0 else self.asked

    def draw(self, model, scene):
        """Stores the scene to be shown by the next `swap_buffers`."""
        self.model, self.scene, self.texts = model, scene, []

    def lay(self, place, left, right):
        self.texts.append({"place": int(place), "left": _text(left), "right": _text(right)})

    def show(self):
        if self.scene is None or self.close:
            return
        if self.viewer is None:
            from . import MjData, viewer
            self.viewer = viewer._start(self.model, MjData(self.model), "window")
        self.viewer.show_scene(self.scene)
        words = json.dumps({"texts": self.texts})
        if words != self.laid:
            self.viewer.overlay(words)
            self.laid = words

    def call(self, kind, *args):
        if (callback := self.callbacks.get(kind)) is not None:
            callback(self, *args)

    def poll(self):
        if self.viewer is None:
            return
        for key in self.viewer.keys():
            for action in (PRESS, RELEASE):
                (self.keys.add if action else self.keys.discard)(key)
                self.call("key", key, 0, action, 0)
        for action, dx, dy in self.viewer.drags():
            self.drag(action, dx, dy)

    def drag(self, action, dx, dy):
        """Part of a drag, as a mouse button that is pressed, moved and released."""
        if action == _ZOOM:
            self.call("scroll", 0.0, -dy / _WHEEL)
        if action not in _DRAGS:
            return
        (button, shift), (_, height) = _DRAGS[action], self.size()
        mods = MOD_SHIFT if shift else 0
        self.buttons.add(button)
        if shift:
            self.keys.add(KEY_LEFT_SHIFT)
        self.call("mouse_button", button, PRESS, mods)
        self.cursor = self.cursor[0] + dx * height, self.cursor[1] + dy * height
        self.call("cursor_pos", *self.cursor)
        self.buttons.discard(button)
        self.keys.discard(KEY_LEFT_SHIFT)
        self.call("mouse_button", button, RELEASE, mods)


def _text(text):
    return text.decode() if isinstance(text, bytes) else str(text or "")


def current():
    """The window that this program currently draws in."""
    return _current


def init():
    return TRUE


def terminate():
    for window in list(_windows):
        destroy_window(window)


def create_window(width, height, title, monitor=None, share=None):
    """Creates a window; its page is opened when there is something to show."""
    from . import viewer
    viewer.ensure()
    _windows.append(_Window(width, height, title))
    return _windows[-1]


def destroy_window(window):
    global _current
    if window in _windows:
        _windows.remove(window)
    if window is not None:
        window.close = True
        if window.viewer is not None:
            window.viewer.close()
            window.viewer = None
    if _current is window:
        _current = None


def make_context_current(window):
    global _current
    _current = window


def get_current_context():
    return _current


def window_should_close(window):
    """Whether the page has been closed for a while."""
    return window.close or (window.viewer is not None and not window.viewer.is_running())


def set_window_should_close(window, value):
    window.close = bool(value)


def swap_interval(interval):
    if _current is not None:
        _current.interval = interval


def swap_buffers(window):
    """Shows the drawn scene and waits like a vertical sync."""
    window.show()
    rest = window.swapped + window.interval * _FRAME - time.monotonic()
    if rest > 0:
        time.sleep(rest)
    window.swapped = time.monotonic()


def poll_events():
    for window in list(_windows):
        window.poll()


def wait_events_timeout(timeout):
    time.sleep(min(max(timeout, 0.0), _FRAME))
    poll_events()


def wait_events():
    wait_events_timeout(_FRAME)


def get_framebuffer_size(window):
    return window.size()


get_window_size = get_framebuffer_size


def set_window_size(window, width, height):
    window.asked = int(width), int(height)


def set_window_title(window, title):
    window.title = title


def get_window_pos(window):
    return 0, 0


def get_cursor_pos(window):
    return window.cursor


def get_mouse_button(window, button):
    return PRESS if button in window.buttons else RELEASE


def get_key(window, key):
    return PRESS if key in window.keys else RELEASE


def get_primary_monitor():
    return "page"


def get_video_mode(monitor):
    return _VideoMode(_Size(1280, 720), _Bits(8, 8, 8), 60)


def set_window_user_pointer(window, pointer):
    window.user = pointer


def get_window_user_pointer(window):
    return window.user


def get_time():
    return time.monotonic()


def get_version():
    return 3, 4, 0


def _ignored(*_):
    """Does nothing: the browser decides."""


window_hint = default_window_hints = show_window = hide_window = focus_window = set_window_pos = set_input_mode = _ignored
set_error_callback = set_window_size_callback = set_framebuffer_size_callback = set_window_close_callback = _ignored
set_char_callback = set_drop_callback = set_window_refresh_callback = _ignored


def _setter(kind):
    def set_callback(window, callback):
        old, window.callbacks[kind] = window.callbacks.get(kind), callback
        return old
    set_callback.__doc__ = f"What is called for events of the kind '{kind}'; returns what was."
    return set_callback


for _kind in ("key", "mouse_button", "cursor_pos", "scroll"):
    globals()[f"set_{_kind}_callback"] = _setter(_kind)
