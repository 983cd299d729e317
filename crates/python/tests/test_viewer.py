"""The viewer without a browser: handles, messages to and from pages, and access control."""

import pathlib
import struct
import subprocess
import sys
import time

import numpy as np
import page
import pytest
import sinew

HERE = pathlib.Path(__file__).parent
XML = """<mujoco><worldbody><light pos="0 0 3"/><geom type="plane" size="2 2 .1"/>
<body name="ball" pos="0 0 1"><freejoint/><geom size=".1"/></body>
<body name="arm" pos="1 0 1"><joint name="hinge"/><geom type="capsule" size=".05 .2"/></body></worldbody>
<actuator><motor joint="hinge" ctrlrange="-1 1"/></actuator></mujoco>"""


def until(true, seconds=10):
    end = time.time() + seconds
    while not true():
        assert time.time() < end, "it does not happen"
        time.sleep(0.01)


@pytest.fixture
def world(monkeypatch):
    monkeypatch.setenv("SINEW_VIEWER_OPEN", "0")
    m = sinew.MjModel.from_xml_string(XML)
    return m, sinew.MjData(m)


@pytest.fixture
def handle(world):
    try:
        with sinew.viewer.launch_passive(*world) as made:
            yield made
    except RuntimeError as e:
        if "cargo xtask page" not in str(e):
            raise
        pytest.skip(str(e))


def test_wrong_arguments(world):
    m, d = world
    with pytest.raises(ValueError, match="`model` is not"):
        sinew.viewer.launch_passive(d, d)
    with pytest.raises(ValueError, match="`data` is not"):
        sinew.viewer.launch_passive(m, m)
    with pytest.raises(ValueError, match="not callable"):
        sinew.viewer.launch_passive(m, d, key_callback=3)
    with pytest.raises(ValueError, match="mjData is specified"):
        sinew.viewer.launch(None, d)


def test_handle(handle, world):
    m, d = world
    assert handle.m is m and handle.d is d and handle.is_running()
    free = sinew.MjvCamera()
    sinew.mjv_defaultFreeCamera(m, free)
    assert handle.cam == free
    with handle.lock():
        d.qpos[2] = 2
    handle.sync()
    handle.set_texts((None, None, "left", "right"))
    handle.set_images((sinew.MjrRect(0, 0, 4, 2), np.zeros((2, 4, 3), np.uint8)))
    with pytest.raises(ValueError, match="does not match"):
        handle.set_images((sinew.MjrRect(0, 0, 3, 2), np.zeros((2, 4, 3), np.uint8)))
    handle.set_figures((sinew.MjrRect(0, 0, 90, 50), sinew.MjvFigure()))
    handle.clear_texts(), handle.clear_images(), handle.clear_figures()
    with pytest.raises(ValueError, match="has 0"):
        handle.update_mesh(0)
    assert "href" in handle._repr_html_()
    handle.close()
    assert not handle.is_running() and handle._repr_html_().endswith("(closed)")
    handle.sync()


def test_state_and_markers_go_out(handle, world):
    m, d = world
    tab = page.Page(handle.address)
    before = tab.frame()
    d.time = 1.25
    scene = handle.user_scn
    sinew.mjv_initGeom(scene.geoms[0], sinew.mjtGeom.mjGEOM_SPHERE, np.full(3, 0.1), np.zeros(3), np.eye(3).ravel(),
                       np.array([1, 0, 0, 1], np.float32))
    scene.geoms[0].label = "a marker"
    scene.ngeom = 1
    handle.sync()
    after = tab.frame()
    while page.time_of(after) != 1.25:
        after = tab.frame()
    assert b"a marker" in after and b"a marker" not in before
    d.qvel[2] = 3
    handle.sync(state_only=True)
    tab.close()


def test_what_pages_do_comes_in(handle, world):
    m, d = world
    tab = page.Page(handle.address)
    tab.frame()
    tab.send(page.CTRL, 0, 0.5)
    tab.send(page.FLAG, int(sinew.mjtVisFlag.mjVIS_JOINT), 1)
    tab.send(page.SELECT_BODY, 1)
    tab.send(page.SIZE, 640, 480)
    until(lambda: handle.viewport.width == 640)

    def synced():
        handle.sync()
        return d.ctrl[0] == 0.5 and handle.perturb.select == 1
    until(synced)
    assert handle.opt.flags[sinew.mjtVisFlag.mjVIS_JOINT] == 1
    # values set in Python win, and no other option is lost
    handle.cam.azimuth = 12
    handle.opt.flags[sinew.mjtVisFlag.mjVIS_JOINT] = 0
    handle.sync()
    assert handle.cam.azimuth == 12 and handle.opt.flags[sinew.mjtVisFlag.mjVIS_JOINT] == 0
    tab.close()


def test_keys_come_without_sync(world, handle):
    pressed = []
    with sinew.viewer.launch_passive(*world, key_callback=pressed.append) as other:
        tab = page.Page(other.address)
        tab.send(page.KEY, 32)
        until(lambda: pressed == [32])
        tab.close()


def test_it_ends_when_the_last_page_has_gone(handle):
    first, second = page.Page(handle.address), page.Page(handle.address)
    first.frame()
    first.close()
    time.sleep(0.5)
    second.frame()
    second.close()
    gone = time.time()
    until(lambda: not handle.is_running())
    assert 4 < time.time() - gone < 9


def test_nonsense_and_strangers_are_refused(handle):
    origin = handle.address.partition("/?")[0]
    assert page.get(origin)[0] == 403
    assert page.get(f"{origin}/?token={'0' * 32}")[0] == 403
    assert page.get(handle.address, Host="evil.example")[0] == 403
    assert page.get(handle.address, Origin="http://evil.example")[0] == 403
    rng = np.random.default_rng(0)
    bodies = [b"", b"x", bytes(64), struct.pack("<2d", 6, np.nan), struct.pack("<d", 1e300), bytes(72), *map(rng.bytes, range(0, 100, 7))]
    for body in bodies:
        tab = page.Page(handle.address)
        tab.say(body, 2)
        tab.close()
    wild = page.Page(handle.address)
    wild.say(b"text", 1)
    with pytest.raises((ConnectionError, OSError)):
        while True:
            wild.frame()
    # commands for things that the model lacks do nothing
    tab = page.Page(handle.address)
    for code in range(50):
        if code == page.NEXT:
            continue
        for args in ((), (1e9,), (-5, 1), (3, -1, 1e18)):
            tab = page.Page(handle.address)
            tab.send(code, *args)
            tab.close()
    until(lambda: handle._viewer.tabs() == 0)
    good = page.Page(handle.address)
    handle.sync()
    assert good.frame()
    good.close()


def test_replay(handle, world):
    m, d = world
    shown = sinew.viewer.replay(m, [0, 1], np.zeros((2, m.nq)))
    assert 'id="motion"' in shown.html and "srcdoc" in shown._repr_html_()
    with pytest.raises(sinew.FatalError):
        sinew.viewer.replay(m, [0], np.zeros((2, m.nq)))


def test_worlds_side_by_side(handle, world):
    m, _ = world
    sim = sinew.BatchSim(m, 5, num_threads=1)
    qpos = sim.qpos.copy()
    qpos[:, 2] = np.arange(5) + 1
    sim.scatter("qpos", qpos)
    sim.forward()
    with sinew.viewer.launch_batch(sim, worlds=[1, 3, 4], spacing=2) as many:
        tab = page.Page(many.address)
        balls = page.spheres(tab.frame())
        assert np.allclose(sorted(balls, key=lambda p: p[2]), [[0, 0, 2], [2, 0, 4], [0, 2, 5]]), balls
        assert many.user_scn.ngeom == 0
        sim.step()
        many.sync()
        while page.time_of(tab.frame()) == 0:
            pass
        tab.close()
    with pytest.raises(ValueError, match="0 to 4"):
        sinew.viewer.launch_batch(sim, worlds=[7])
    with pytest.raises(ValueError, match="not a sinew.BatchSim"):
        sinew.viewer.launch_batch(m)


def test_windows_of_programs_are_pages(handle):
    """Gymnasium's `human` mode, in a process where mujoco is sinew."""
    done = subprocess.run([sys.executable, HERE / "window.py"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "ok" in done.stdout


def test_under_the_name_of_mujoco():
    code = "import sinew; sinew.as_mujoco(); from mujoco import viewer; import mujoco.viewer; assert viewer.launch is sinew.viewer.launch"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
