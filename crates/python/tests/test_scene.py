"""Scenes equal MuJoCo's: every field of every shape, light and camera; and the effects of the mouse."""

import mujoco
import numpy as np
import pytest
import samples
import sinew

import tolerances

SHAPE = ("type dataid objtype objid category matid texcoord segid size pos mat rgba emission specular shininess "
         "reflectance label modelrbound").split()
LIGHT = "id pos dir type texid attenuation cutoff exponent ambient diffuse specular headlight castshadow range".split()
EYE = "pos forward up frustum_center frustum_width frustum_bottom frustum_top frustum_near frustum_far orthographic".split()
FLAGS = [n for n in dir(sinew.mjtVisFlag) if n.startswith("mjVIS_")]
FRAMES = [n for n in dir(sinew.mjtFrame) if n.startswith("mjFRAME_")]
LABELS = [n for n in dir(sinew.mjtLabel) if n.startswith("mjLABEL_")]
PULLED = '<mujoco><worldbody><body pos="0 0 1"><freejoint/><geom size=".1 .2 .3" type="box"/><body pos=".5 0 0">' \
         '<joint axis="0 1 0"/><geom size=".1"/></body></body><camera pos="0 -3 1" xyaxes="1 0 0 0 0 1"/></worldbody></mujoco>'


def simulation(engine, xml=samples.RICH):
    m = engine.MjModel.from_xml_string(xml)
    d = engine.MjData(m)
    engine.mj_step(m, d, 5)
    engine.mj_forward(m, d)
    return m, d


def scene(engine, m, d, change=lambda opt: None, select=0):
    opt, cam, pert, scn = engine.MjvOption(), engine.MjvCamera(), engine.MjvPerturb(), engine.MjvScene(m, maxgeom=5000)
    engine.mjv_defaultFreeCamera(m, cam)
    change(opt)
    if select:
        pert.select, pert.active, pert.active2, pert.refselpos = select, 3, 1, [0.1, 0.2, 0.3]
    engine.mjv_updateScene(m, d, opt, pert, cam, 7, scn)
    return scn


def same(mine, theirs):
    assert mine.ngeom == theirs.ngeom and mine.nlight == theirs.nlight and mine.status == theirs.status
    for names, a, b in [(SHAPE, mine.geoms[:mine.ngeom], theirs.geoms[:theirs.ngeom]),
                        (LIGHT, mine.lights[:mine.nlight], theirs.lights[:theirs.nlight]),
                        (EYE, mine.camera, theirs.camera)]:
        for i, (x, y) in enumerate(zip(a, b)):
            for name in names:
                want, got = getattr(y, name), getattr(x, name)
                if isinstance(want, str):
                    assert got == want, (i, name)
                else:
                    np.testing.assert_allclose(got, want, **tolerances.SCENE, err_msg=f"{i} {name}")


@pytest.fixture(scope="module")
def both():
    return simulation(sinew), simulation(mujoco)


@pytest.mark.parametrize("flag", FLAGS)
def test_flags(both, flag):
    def toggle(opt):
        opt.flags[int(getattr(sinew.mjtVisFlag, flag))] ^= 1
        opt.geomgroup[:] = opt.sitegroup[:] = 1

    same(scene(sinew, *both[0], toggle, 1), scene(mujoco, *both[1], toggle, 1))


@pytest.mark.parametrize("kind,name", [("frame", n) for n in FRAMES] + [("label", n) for n in LABELS])
def test_frames_and_labels(both, kind, name):
    def choose(opt):
        setattr(opt, kind, int(getattr(sinew.mjtFrame if kind == "frame" else sinew.mjtLabel, name)))
        opt.flags[:] = 1

    same(scene(sinew, *both[0], choose, 1), scene(mujoco, *both[1], choose, 1))


def test_no_room(both):
    (m, d), _ = both
    scn = sinew.MjvScene(m, maxgeom=1)
    with pytest.warns(RuntimeWarning, match="maxgeom"):
        sinew.mjv_updateScene(m, d, sinew.MjvOption(), None, sinew.MjvCamera(), 7, scn)
    assert scn.status == 1 and scn.ngeom == 1
    assert d.warning[int(sinew.mjtWarning.mjWARN_VGEOMFULL)].number == 1


def test_shapes_of_the_users_own(both):
    shapes = []
    for engine, (m, d) in zip((sinew, mujoco), both):
        scn = scene(engine, m, d)
        geom = scn.geoms[scn.ngeom]
        engine.mjv_initGeom(geom, engine.mjtGeom.mjGEOM_CAPSULE, np.array([0.1, 0.2, 0.3]), np.ones(3),
                            np.eye(3).flatten(), np.array([1, 0, 0, 1], np.float32))
        geom.label = "mine"
        scn.ngeom += 1
        other = scn.geoms[scn.ngeom]
        engine.mjv_initGeom(other, engine.mjtGeom.mjGEOM_NONE, np.zeros(3), np.zeros(3), np.zeros(9), np.zeros(4, np.float32))
        engine.mjv_connector(other, engine.mjtGeom.mjGEOM_ARROW, 0.01, np.zeros(3), np.array([1.0, 2, 3]))
        shapes.append([geom, other])
    for mine, theirs in zip(*shapes):
        for name in "type size pos mat rgba label specular".split():
            assert np.allclose(getattr(mine, name), getattr(theirs, name), atol=1e-6) if name != "label" else \
                mine.label == theirs.label
    with pytest.raises(ValueError, match="99"):
        shapes[0][0].label = "x" * 100
    with pytest.raises(sinew.FatalError, match="connector"):
        sinew.mjv_connector(sinew.MjvGeom(), sinew.mjtGeom.mjGEOM_BOX, 1, np.zeros(3), np.ones(3))


def test_mouse():
    results = []
    for engine in (sinew, mujoco):
        m, d = simulation(engine, PULLED)
        scn, cam, pert = scene(engine, m, d), engine.MjvCamera(), engine.MjvPerturb()
        engine.mjv_defaultFreeCamera(m, cam)
        numbers = []
        for action in range(1, 8):
            engine.mjv_moveCamera(m, action, 0.11, 0.07, scn, cam)
            numbers += [*cam.lookat, cam.distance, cam.azimuth, cam.elevation]
        point, ids = np.zeros(3), [np.zeros(1, np.int32) for _ in range(3)]
        body = engine.mjv_select(m, d, engine.MjvOption(), 1.5, 0.5, 0.5, scn, point, *ids)
        numbers += [body, *(i[0] for i in ids), *point]
        pert.select, pert.localpos = 2, [0.01, 0.02, 0.03]
        engine.mjv_initPerturb(m, d, scn, pert)
        numbers += [pert.localmass, pert.scale, *pert.refpos, *pert.refquat, *pert.refselpos]
        for action in (1, 2, 3, 4, 6, 7):
            engine.mjv_movePerturb(m, d, action, 0.3, 0.2, scn, pert)
        numbers += [*pert.refpos, *pert.refquat, *pert.refselpos]
        for active in (1, 2, 3):
            pert.active = active
            engine.mjv_applyPerturbForce(m, d, pert)
            numbers += list(d.xfrc_applied.flatten())
        engine.mjv_applyPerturbPose(m, d, pert, 1)
        numbers += [*d.qpos, engine.mjv_frustumHeight(scn)]
        head, ahead, up, turned = np.zeros(3), np.zeros(3), np.zeros(3), np.zeros(3)
        engine.mjv_cameraInModel(head, ahead, up, scn)
        engine.mjv_alignToCamera(turned, np.array([1.0, 2, 3]), ahead)
        scn.enabletransform, scn.scale, scn.translate = 1, 2, [1, 2, 3]
        scn.rotate = [0.5, 0.5, 0.5, 0.5]
        pos, quat = np.zeros(3), np.zeros(4)
        engine.mjv_room2model(pos, quat, np.array([1.0, 0, 2]), np.array([1.0, 0, 0, 0]), scn)
        numbers += [*head, *ahead, *up, *turned, *pos, *quat]
        for action in range(1, 8):
            engine.mjv_moveModel(m, action, 0.1, 0.2, np.array([0, 0, 1.0]), scn)
        numbers += [*scn.translate, *scn.rotate, scn.scale]
        results.append(numbers)
    np.testing.assert_allclose(*results, **tolerances.SCENE)


def test_figures():
    mine, theirs = sinew.MjvFigure(), mujoco.MjvFigure()
    for name in dir(theirs):
        if not name.startswith("_"):
            a, b = getattr(mine, name), getattr(theirs, name)
            assert np.array_equal(a, b) or np.allclose(a, b), name
    mine.linepnt[0] = 3
    mine.title = "title"
    sinew.mjv_defaultFigure(mine)
    assert mine.linepnt[0] == 0 and mine.title == ""


def test_bad_cameras(both):
    (m, d), _ = both
    scn, cam = sinew.MjvScene(m, 10), sinew.MjvCamera()
    for kind, message in [(9, "camera type"), (2, "fixed camera"), (1, "track body")]:
        cam.type, cam.fixedcamid, cam.trackbodyid = kind, 99, 99
        with pytest.raises(sinew.FatalError, match=message):
            sinew.mjv_updateCamera(m, d, cam, scn)


SHOWN = """
<mujoco>
  <worldbody>
    <light name="lamp" pos="0 0 3"/><geom type="plane" size="1 1 1"/>
    <body name="ball" pos="0 0 1"><freejoint/><geom name="ball" size=".1" rgba="1 0 0 .5"/><site name="spot"/></body>
    <flexcomp name="cloth" type="grid" count="3 3 1" dim="2" spacing=".1 .1 .1" pos="0 0 2" mass="1" radius=".01"/>
  </worldbody>
</mujoco>
"""


@pytest.mark.parametrize("number", ["% -9.2g", "%12.5e"])
@pytest.mark.parametrize("moved", [0, 1])
def test_text_of_scenes(tmp_path, number, moved):
    texts = []
    for engine in (sinew, mujoco):
        m = engine.MjModel.from_xml_string(SHOWN)
        d, scn, opt = engine.MjData(m), engine.MjvScene(m, 50), engine.MjvOption()
        engine.mj_forward(m, d)
        opt.label = engine.mjtLabel.mjLABEL_GEOM
        engine.mjv_updateScene(m, d, opt, None, engine.MjvCamera(), engine.mjtCatBit.mjCAT_ALL, scn)
        scn.enabletransform, scn.scale, scn.translate = moved, 2, [1, 2, 3]
        # zeros that are rounding errors in both are not compared
        for light in scn.lights:
            light.dir = [0, 0.5, -0.5]
        for camera in scn.camera:
            camera.forward, camera.up = [0, 1, 0], [0, 0, 1]
        engine.mj_printFormattedScene(scn, str(tmp_path / "scene.txt"), number)
        texts.append((tmp_path / "scene.txt").read_text())
    assert texts[0] == texts[1]
