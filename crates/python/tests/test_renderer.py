"""Images: shapes and types of arrays, and their contents. Comparisons with MuJoCo's own images need OpenGL and are made
by the conformance harness."""

import os
import pickle
import threading

import numpy as np
import pytest
import sinew

BALL = """
<mujoco>
  <visual><global offwidth="200" offheight="100" fovy="45"/><map znear="0.01" zfar="50"/></visual>
  <statistic extent="1" center="0 0 0"/>
  <asset><texture name="sky" type="skybox" builtin="flat" rgb1="0 0 1" width="8" height="8"/></asset>
  <worldbody>
    <light pos="0 0 3" dir="0 0 -1"/>
    <geom name="ball" size=".5" rgba="1 0 0 1"/>
    <camera name="side" pos="0 -4 0" xyaxes="1 0 0 0 0 1"/>
  </worldbody>
</mujoco>
"""


@pytest.fixture(scope="module")
def ball():
    m = sinew.MjModel.from_xml_string(BALL)
    d = sinew.MjData(m)
    sinew.mj_forward(m, d)
    return m, d


def test_what_is_seen(ball):
    m, d = ball
    with sinew.Renderer(m, 100, 200) as r:
        r.update_scene(d, camera="side")
        rgb = r.render()
        assert rgb.shape == (100, 200, 3) and rgb.dtype == np.uint8
        assert rgb[50, 100, 0] > 100 and rgb[50, 100, 2] < 100 and list(rgb[5, 5]) == [0, 0, 255]
        r.enable_depth_rendering()
        depth = r.render()
        assert depth.shape == (100, 200) and depth.dtype == np.float32
        # the sphere is rendered as a polyhedron, as in MuJoCo
        assert depth[50, 100] == pytest.approx(3.5, abs=0.01) and depth[5, 5] == pytest.approx(50)
        r.enable_segmentation_rendering()
        ids = r.render()
        assert ids.shape == (100, 200, 2) and ids.dtype == np.int32
        assert list(ids[50, 100]) == [0, sinew.mjtObj.mjOBJ_GEOM] and list(ids[5, 5]) == [-1, -1]
        # radius over distance to the silhouette, in pixels
        radius = 0.5 / np.sqrt(16 - 0.25) / np.tan(np.pi / 8) * 50
        assert (ids[:, :, 0] == 0).sum() == pytest.approx(np.pi * radius**2, rel=0.02)


def test_arguments(ball):
    m, d = ball
    with pytest.raises(ValueError, match="framebuffer width 200"):
        sinew.Renderer(m, 10, 201)
    r = sinew.Renderer(m, 10, 20)
    for camera, message in [("none", "does not exist"), (7, "out of range"), (-2, "out of range")]:
        with pytest.raises(ValueError, match=message):
            r.update_scene(d, camera=camera)
    with pytest.raises(sinew.FatalError, match="camera"):
        r.render()
    r.update_scene(d)
    out = np.zeros((10, 20, 3))
    assert r.render(out=out) is out and out.any()
    with pytest.raises(ValueError, match="Expected"):
        r.render(out=np.zeros((20, 10, 3)))
    copy = pickle.loads(pickle.dumps(r))
    copy.update_scene(d)
    assert np.array_equal(copy.render(), r.render())
    r.close()
    with pytest.raises(RuntimeError, match="close"):
        r.render()


def test_context(ball):
    m, d = ball
    scn, con, rect = sinew.MjvScene(m, 100), sinew.MjrContext(m, 150), sinew.MjrRect(10, 20, 60, 40)
    cam = sinew.MjvCamera()
    cam.type, cam.fixedcamid = sinew.mjtCamera.mjCAMERA_FIXED, 0
    sinew.mjv_updateScene(m, d, sinew.MjvOption(), None, cam, 7, scn)
    sinew.mjr_setBuffer(sinew.mjtFramebuffer.mjFB_OFFSCREEN, con)
    sinew.mjr_render(rect, scn, con)
    rgb, depth = np.zeros((40, 60, 3), np.uint8), np.zeros((40, 60), np.float32)
    sinew.mjr_readPixels(rgb, depth, rect, con)
    with sinew.Renderer(m, 40, 60) as r:
        r.update_scene(d, camera=0)
        assert np.array_equal(r.render(), rgb[::-1])
    con.readDepthMap = sinew.mjtDepthMap.mjDEPTH_ZEROFAR
    other = np.zeros(40 * 60, np.float32)
    sinew.mjr_readPixels(None, other, rect, con)
    assert np.allclose(other.reshape(40, 60), 1 - depth) and depth.max() == 1
    assert sinew.mjr_maxViewport(con) == sinew.MjrRect(0, 0, 200, 100)
    with pytest.raises(ValueError, match="not inside"):
        sinew.mjr_readPixels(rgb, None, sinew.MjrRect(190, 0, 60, 40), con)
    con.free()
    with pytest.raises(RuntimeError):
        sinew.mjr_render(rect, scn, con)


def test_threads_and_forks(ball):
    m, d = ball
    with sinew.Renderer(m, 60, 80) as r:
        r.update_scene(d)
        want = r.render()
        pictures = [None] * 4

        def draw(i):
            with sinew.Renderer(m, 60, 80) as own:
                own.update_scene(d)
                pictures[i] = own.render()

        threads = [threading.Thread(target=draw, args=(i,)) for i in range(4)]
        [t.start() for t in threads], [t.join() for t in threads]
        assert all(np.array_equal(p, want) for p in pictures)
        child = os.fork()
        if child == 0:
            os._exit(0 if np.array_equal(r.render(), want) else 1)
        assert os.waitpid(child, 0)[1] == 0


def test_changed_texture_and_empty_picture():
    m = sinew.MjModel.from_xml_string("<mujoco/>")
    d = sinew.MjData(m)
    sinew.mj_forward(m, d)
    with sinew.Renderer(m, 8, 8) as r:
        r.update_scene(d)
        assert not r.render().any()
