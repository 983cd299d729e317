"""Gymnasium's `human` mode with sinew for mujoco: a page replaces its window. Prints what the page receives."""

import os
import threading

os.environ["SINEW_VIEWER_OPEN"] = "0"
os.environ.pop("MUJOCO_GL", None)

import sinew  # noqa: E402

sinew.as_mujoco()

import glfw  # noqa: E402
import numpy as np  # noqa: E402
import page  # noqa: E402
from gymnasium.envs.mujoco.inverted_pendulum_v5 import InvertedPendulumEnv  # noqa: E402

assert glfw is sinew._glfw and glfw.KEY_SPACE == 32 and glfw.KEY_TAB == 258

env = InvertedPendulumEnv(render_mode="human", width=320, height=240)
env.reset(seed=0)
env.render()
viewer = env.mujoco_renderer.viewer
remote = viewer.window.viewer
tab = page.Page(remote.address())
first = list(page.shapes(tab.frame()))
assert len(first) == viewer.scn.ngeom, (first, viewer.scn.ngeom)

azimuth = viewer.cam.azimuth
tab.send(page.SIZE, 640, 480)
tab.send(page.MOVE_CAMERA, 1, 0.1, 0.0)
tab.send(page.KEY, glfw.KEY_C)
ended = threading.Event()
threading.Thread(target=lambda: [tab.frame() for _ in range(3)] and ended.set(), daemon=True).start()
for _ in range(200):
    env.step(env.action_space.sample())
    env.render()
    if ended.is_set() and viewer.cam.azimuth != azimuth and viewer._contacts and viewer.viewport.width == 640:
        break
assert ended.is_set(), "no frames come"
assert viewer.cam.azimuth != azimuth, "a drag does not turn the camera"
assert viewer._contacts, "keys do not come"
assert viewer.viewport.width == 640

pixels = np.zeros((480, 640, 3), np.uint8)
sinew.mjr_readPixels(pixels, None, viewer.viewport, viewer.con)
assert len(np.unique(pixels)) > 10, "what the page shows can be read as well"
env.close()
assert not remote.is_running()
print("ok")
