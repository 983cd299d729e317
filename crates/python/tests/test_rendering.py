"""Rendering where users need it: batches, Gymnasium, dm_control, MuJoCo's own tests; and memory that does not grow."""

import gc
import os
import resource
import subprocess
import sys

import numpy as np
import pytest
import sinew

XML = """
<mujoco>
  <worldbody>
    <light pos="0 0 3"/>
    <camera name="side" pos="0 -3 1" xyaxes="1 0 0 0 .3 1"/>
    <geom type="plane" size="2 2 .1"/>
    <body pos="0 0 1"><freejoint/><geom type="box" size=".2 .3 .1" rgba=".8 .2 .2 1"/></body>
  </worldbody>
</mujoco>
"""


@pytest.mark.parametrize("threads", [1, 3])
def test_batches(threads):
    m = sinew.MjModel.from_xml_string(XML)
    sim = sinew.BatchSim(m, 5, threads)
    velocity = np.arange(30.0).reshape(5, 6) / 10
    sim.set_state(None, np.tile(m.qpos0, (5, 1)), velocity)
    for _ in range(50):
        sim.step()
    colours, depths = sim.render("side", 40, 56), sim.render("side", 40, 56, depth=True)
    assert colours.shape == (5, 40, 56, 3) and colours.dtype == np.uint8
    assert depths.shape == (5, 40, 56) and depths.dtype == np.float32
    d = sinew.MjData(m)
    with sinew.Renderer(m, 40, 56) as r:
        for i in range(5):
            d.qpos[:], d.qvel[:] = m.qpos0, velocity[i]
            for _ in range(50):
                sinew.mj_step(m, d)
            r.disable_depth_rendering()
            r.update_scene(d, "side")
            assert np.array_equal(r.render(), colours[i])
            r.enable_depth_rendering()
            assert np.array_equal(r.render(), depths[i])
    assert not np.array_equal(colours[0], colours[4])
    for camera, message in (("none", "does not exist"), (3, "out of range")):
        with pytest.raises(ValueError, match=message):
            sim.render(camera, 8, 8)
    with pytest.raises(ValueError, match="pixels along each side"):
        sim.render(0, 1 << 20, 1)


GYMNASIUM = """
import sinew
sinew.as_mujoco()
import gymnasium, numpy as np
shapes = {"rgb_array": (48, 64, 3), "depth_array": (48, 64)}
for mode in ("rgb_array", "depth_array", "rgbd_tuple"):
    env = gymnasium.make("Hopper-v5", render_mode=mode, width=64, height=48)
    env.reset(seed=1)
    picture = env.render()
    parts = dict(zip(shapes, picture)) if mode == "rgbd_tuple" else {mode: picture}
    for name, part in parts.items():
        assert part.shape == shapes[name] and part.std() > 0, (mode, name, part.shape)
    # the robot is where the ids say
    with sinew.Renderer(env.unwrapped.model, 48, 64) as renderer:
        cam = env.unwrapped.mujoco_renderer._get_viewer(mode).cam
        renderer.update_scene(env.unwrapped.data, cam)
        renderer.enable_segmentation_rendering()
        robot = renderer.render()[:, :, 0] > 0
        assert 20 < robot.sum() < 1500, robot.sum()
        if "rgb_array" in parts:
            moved = parts["rgb_array"]
            env.unwrapped.data.qpos[1] += 5
            sinew.mj_forward(env.unwrapped.model, env.unwrapped.data)
            other = env.render()
            other = other[0] if mode == "rgbd_tuple" else other
            assert (other != moved).any(axis=2)[robot].mean() > 0.5
    env.close()
print("done")
"""

DM_CONTROL = """
import sinew
sinew.as_mujoco()
from dm_control import mujoco
physics = mujoco.Physics.from_xml_string('''%s''')
picture = physics.render(40, 56, camera_id="side")
assert picture.shape == (40, 56, 3) and picture.std() > 0
assert physics.render(40, 56, camera_id=0, depth=True).shape == (40, 56)
ids = physics.render(40, 56, camera_id=0, segmentation=True)
assert ids.shape == (40, 56, 2) and set(np.unique(ids[:, :, 0])) >= {0, 1}
print("done")
""".replace("import sinew\n", "import sinew\nimport numpy as np\n", 1) % XML


@pytest.mark.parametrize("package, program", [("gymnasium", GYMNASIUM), ("dm_control", DM_CONTROL)])
def test_packages(package, program):
    """In a process in which `mujoco` is sinew."""
    pytest.importorskip(package)
    env = {k: v for k, v in os.environ.items() if k != "MUJOCO_GL"}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, env=env)
    assert done.returncode == 0 and "done" in done.stdout, done.stderr


def grown(work, count):
    """Growth of the peak resident size while `work` is repeated, after some warm-up rounds. (byte)"""
    for _ in range(count // 4 + 1):
        work()
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(count):
        work()
    gc.collect()
    return 1024 * (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)


# rounds: SINEW_FRAMES=100000 and SINEW_RENDERERS=1000 are the long run
FRAMES, RENDERERS = int(os.environ.get("SINEW_FRAMES", 400)), int(os.environ.get("SINEW_RENDERERS", 40))


def test_memory_is_flat():
    m = sinew.MjModel.from_xml_string(XML)
    d = sinew.MjData(m)
    sinew.mj_forward(m, d)

    def renderer():
        with sinew.Renderer(m, 64, 64) as r:
            r.update_scene(d)
            r.render()

    assert grown(renderer, RENDERERS) < 4 << 20
    with sinew.Renderer(m, 32, 32) as r:
        def frame():
            r.update_scene(d)
            r.render()

        assert grown(frame, FRAMES) < 2 << 20
