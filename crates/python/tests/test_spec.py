"""`MjSpec`: the same program gives the same model as with MuJoCo, and both read saved text alike."""

import copy
import pickle

import mujoco
import numpy as np
import pytest
import sinew

ROBOT = """
<mujoco model="robot">
  <default><default class="thin"><geom type="capsule" size=".02 .1"/></default></default>
  <asset><mesh name="tet" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>
  <worldbody>
    <body name="base" pos="0 0 .1"><freejoint name="root"/><geom name="shell" type="mesh" mesh="tet"/>
      <frame name="mount" euler="0 0 30"><site name="tip" pos="0 0 .3"/></frame>
      <body name="arm" childclass="thin"><joint name="elbow" axis="0 1 0" range="-90 90"/><geom name="link"/></body>
    </body>
  </worldbody>
  <actuator><position name="drive" joint="elbow" kp="5" kv=".5"/></actuator>
  <sensor><jointpos name="angle" joint="elbow"/><framepos name="where" objtype="site" objname="tip"/></sensor>
  <keyframe><key name="bent" qpos="0 0 1 1 0 0 0 .5"/></keyframe>
</mujoco>
"""
FIELDS = ("body_pos", "body_quat", "body_mass", "body_inertia", "geom_type", "geom_size", "geom_pos", "geom_rgba", "jnt_type",
          "jnt_axis", "jnt_range", "site_pos", "site_quat", "actuator_gainprm", "actuator_biasprm", "sensor_type", "key_qpos",
          "tendon_range", "wrap_type", "qpos0", "eq_type", "numeric_data")


def same(a, b):
    assert (a.nbody, a.nq, a.nu, a.nsensor, a.nmesh) == (b.nbody, b.nq, b.nu, b.nsensor, b.nmesh)
    for name in FIELDS:
        np.testing.assert_allclose(getattr(a, name), getattr(b, name), atol=1e-12, err_msg=name)


def scene(module):
    """A model built from scratch."""
    spec = module.MjSpec()
    spec.modelname, spec.option.timestep, spec.compiler.degree = "built", 0.001, False
    thin = spec.add_default("thin", spec.default)
    thin.geom.type, thin.geom.size = module.mjtGeom.mjGEOM_CAPSULE, [0.02, 0.1, 0]
    spec.worldbody.add_geom(type=module.mjtGeom.mjGEOM_PLANE, size=[1, 1, 0.1])
    arm = spec.worldbody.add_body(name="arm", pos=[0, 0, 1], euler=[0, 0.3, 0])
    arm.add_joint(name="shoulder", axis=[0, 1, 0], range=[-1, 1])
    arm.add_geom(thin, name="upper", rgba=[1, 0, 0, 1])
    hand = arm.add_body(name="hand", pos=[0, 0, 0.2])
    frame = hand.add_frame(pos=[0, 0.1, 0])
    frame.add_site(name="grip", size=[0.01])
    hand.add_joint(name="wrist", type=module.mjtJoint.mjJNT_SLIDE)
    hand.add_geom(size=[0.05, 0, 0], mass=0.3)
    motor = spec.add_actuator(name="motor", trntype=module.mjtTrn.mjTRN_JOINT, target="shoulder")
    motor.set_to_position(kp=3, kv=0.2)
    spec.add_sensor(name="at", type=module.mjtSensor.mjSENS_FRAMEPOS, objtype=module.mjtObj.mjOBJ_SITE, objname="grip")
    tendon = spec.add_tendon(name="rope", range=[0, 1])
    tendon.wrap_joint("wrist", 2.0)
    spec.add_numeric(name="n", data=[1, 2, 3], size=3)
    spec.add_key(name="start", qpos=[0.1, 0.02])
    return spec


def test_a_built_model_is_mujocos():
    own, oracle = scene(sinew), scene(mujoco)
    same(own.compile(), oracle.compile())


@pytest.mark.parametrize("make", [scene, lambda module: module.MjSpec.from_string(ROBOT)])
def test_saved_text_means_the_same_to_both(make):
    own, oracle = make(sinew), make(mujoco).compile()
    text = own.to_xml()
    same(mujoco.MjModel.from_xml_string(text), oracle)
    same(sinew.MjModel.from_xml_string(text), oracle)
    assert sinew.MjSpec.from_string(text).to_xml() == text


def test_saved_text_keeps_default_classes():
    text = sinew.MjSpec.from_string(ROBOT).to_xml()
    assert '<default class="thin">' in text and '<geom name="link"/>' in text
    assert '<position name="drive" joint="elbow" kp="5" kv="0.5"/>' in text


def edited(module):
    spec = module.MjSpec.from_string(ROBOT)
    spec.body("arm").pos[2] = 0.4
    spec.geom("link").size[1] = 0.2
    spec.joint("elbow").range = [-45, 45]
    spec.delete(spec.sensor("angle"))
    return spec


def test_edits_reach_the_model():
    same(edited(sinew).compile(), edited(mujoco).compile())


def joined(module):
    world = module.MjSpec()
    world.worldbody.add_geom(type=module.mjtGeom.mjGEOM_PLANE, size=[2, 2, 0.1])
    for i in range(2):
        frame = world.worldbody.add_frame(pos=[i, 0, 0], euler=[0, 0, 90 * i])
        world.attach(module.MjSpec.from_string(ROBOT), prefix=f"r{i}_", frame=frame)
    return world


def test_attached_models_are_mujocos():
    own, oracle = joined(sinew).compile(), joined(mujoco).compile()
    assert [own.body(i).name for i in range(own.nbody)] == [oracle.body(i).name for i in range(oracle.nbody)]
    for name in ("body_pos", "body_quat", "geom_pos", "jnt_range", "sensor_objid", "actuator_trnid"):
        np.testing.assert_allclose(getattr(own, name), getattr(oracle, name), atol=1e-12, err_msg=name)
    same(mujoco.MjModel.from_xml_string(joined(sinew).to_xml()), oracle)


def test_elements_survive_what_happens_around_them():
    spec = sinew.MjSpec.from_string(ROBOT)
    link, base = spec.geom("link"), spec.body("base")
    spec.worldbody.add_body(name="other")
    for _ in range(3):
        base.add_geom(size=[0.1, 0, 0])
    spec.delete(spec.geom("shell"))
    assert link.name == "link" and link.parent is spec.body("arm") and base.parent is spec.worldbody
    spec.delete(spec.body("arm"))
    assert spec.joint("elbow") is None and spec.actuators == [] and len(spec.sensors) == 1
    with pytest.raises(ValueError, match="no such element"):
        link.pos  # noqa: B018


def test_recompiling_keeps_the_state():
    spec = sinew.MjSpec.from_string(ROBOT)
    model = spec.compile()
    data = sinew.MjData(model)
    sinew.mj_resetDataKeyframe(model, data, 0)
    sinew.mj_step(model, data, 10)
    spec.worldbody.add_body(name="new").add_freejoint()
    spec.body("new").add_geom(size=[0.1, 0, 0])
    more, state = spec.recompile(model, data)
    assert more.nq == model.nq + 7 and state.time == data.time
    np.testing.assert_array_equal(state.qpos[:8], data.qpos)
    np.testing.assert_array_equal(state.qvel[:7], data.qvel)


def grown(module):
    spec = module.MjSpec.from_string(ROBOT)
    spec.add_key(name="empty")
    ball = spec.worldbody.add_body(name="new", mocap=False)
    ball.add_joint(type=module.mjtJoint.mjJNT_SLIDE, ref=0.25)
    ball.add_geom(size=[0.1, 0, 0])
    frame = spec.worldbody.add_frame(pos=[0, 1, 0])
    spec.attach(module.MjSpec.from_string(ROBOT), prefix="b_", frame=frame)
    return spec


def shrunk(module):
    spec = grown(module)
    spec.compile()
    spec.delete(spec.body("arm"))
    return spec


@pytest.mark.parametrize("make", [grown, shrunk])
def test_keyframes_follow_the_model(make):
    own, oracle = make(sinew), make(mujoco)
    mine, theirs = own.compile(), oracle.compile()
    assert [key.name for key in own.keys] == [key.name for key in oracle.keys]
    for name in ("key_qpos", "key_qvel", "key_ctrl"):
        np.testing.assert_array_equal(getattr(mine, name), getattr(theirs, name), err_msg=name)
    same(mujoco.MjModel.from_xml_string(own.to_xml()), theirs)


KEYED = """
<mujoco>
  <worldbody>
    <body><joint name="a"/><joint name="b" axis="1 0 0"/><geom size="1"/>
      <body pos="1 0 0"><joint name="c"/><geom size="1"/></body></body>
  </worldbody>
  <actuator><motor joint="b"/><motor joint="c"/></actuator>
  <keyframe><key qpos="1 2 3" ctrl="5 6"/></keyframe>
</mujoco>
"""


def test_keyframes_keep_numbers_of_deleted_joints():
    own, oracle = specs = [module.MjSpec.from_string(KEYED) for module in (sinew, mujoco)]
    for spec in specs:
        spec.delete(spec.joint("a"))
        spec.delete(spec.actuators[0])
        assert list(spec.keys[0].qpos) == [1, 2, 3] and list(spec.keys[0].ctrl) == [5, 6]
        with pytest.raises(ValueError, match="qpos|ctrl"):
            spec.compile()
        spec.keys[0].qpos, spec.keys[0].ctrl = [2, 3], [6]
    np.testing.assert_array_equal(own.compile().key_qpos, oracle.compile().key_qpos)
    np.testing.assert_array_equal(own.compile().key_ctrl, oracle.compile().key_ctrl)


def plugged(module):
    spec = module.MjSpec()
    for name in ("mujoco.pid", "mujoco.elasticity.cable"):
        spec.activate_plugin(name)
    cable = spec.add_plugin(name="stiff", plugin_name="mujoco.elasticity.cable", active=True)
    cable.config = {"twist": "10", "bend": "2"}
    spare = spec.add_plugin(name="spare", plugin_name="mujoco.pid", active=True)
    body = spec.worldbody.add_body(name="rope", pos=[0, 0, 1])
    body.plugin = cable
    body.add_geom(type=module.mjtGeom.mjGEOM_CAPSULE, size=[0.02, 0.1, 0])
    body.add_joint(name="turn", type=module.mjtJoint.mjJNT_BALL)
    spec.delete(spare)
    return spec


def test_plugins_compile():
    own, oracle = plugged(sinew).compile(), plugged(mujoco).compile()
    same(own, oracle)
    for name in ("body_plugin", "plugin_attr", "nplugin"):
        np.testing.assert_array_equal(getattr(own, name), getattr(oracle, name), err_msg=name)
    text = plugged(sinew).to_xml()
    again = sinew.MjSpec.from_string(text)
    assert [p.name for p in again.plugins] == ["stiff"] and again.plugins[0].config == {"twist": "10", "bend": "2"}
    body = again.body("rope")
    assert body.plugin.active and body.plugin.name == "stiff"
    body.plugin.active = False
    assert list(again.compile().body_plugin) == [-1, -1]
    again.plugins[0].config = {"twisted": "1"}
    with pytest.raises(ValueError, match="unrecognized attribute 'plugin:twisted'"):
        again.compile()
    with pytest.raises(ValueError, match="did you mean 'mujoco.pid'"):
        again.activate_plugin("mujoco.pit")


def test_binding_shows_what_an_element_has_become():
    spec = sinew.MjSpec.from_string(ROBOT)
    model = spec.compile()
    data = sinew.MjData(model)
    sinew.mj_forward(model, data)
    np.testing.assert_array_equal(data.bind(spec.body("arm")).xpos, data.body("arm").xpos)
    assert model.bind([spec.joint("root"), spec.joint("elbow")]).qposadr == [0, 7]
    with pytest.raises(ValueError, match="recompile"):
        model.bind(sinew.MjSpec().worldbody)


def test_copies_are_independent():
    spec = sinew.MjSpec.from_string(ROBOT)
    for other in (spec.copy(), copy.deepcopy(spec), pickle.loads(pickle.dumps(spec))):
        other.geom("link").mass = 7
        same(spec.compile(), mujoco.MjModel.from_xml_string(ROBOT))
        assert other.compile().body_mass[2] == 7


def test_archives(tmp_path):
    spec = sinew.MjSpec.from_string('<mujoco model="m"><asset><mesh name="c" file="c.obj"/></asset></mujoco>',
                                    assets={"c.obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"})
    spec.worldbody.add_geom(type=sinew.mjtGeom.mjGEOM_MESH, meshname="c")
    spec.to_zip(str(tmp_path / "a" / "m.zip"))
    assert sinew.MjSpec.from_zip(str(tmp_path / "a" / "m.zip")).compile().nmeshvert == spec.compile().nmeshvert == 4


def test_the_last_model_can_be_saved(tmp_path):
    model = sinew.MjModel.from_xml_string(ROBOT)
    sinew.mj_saveLastXML(str(tmp_path / "m.xml"), model)
    same(mujoco.MjModel.from_xml_path(str(tmp_path / "m.xml")), model)


def changed(module, path):
    m = module.MjModel.from_xml_string(ROBOT)
    m.opt.timestep, m.stat.extent = 0.004, 7.0
    m.body("arm").pos[:] = [0.1, 0.2, 0.3]
    if module is sinew:
        m.body("base").mass[:] = 5  # MuJoCo does not save inferred masses
    m.joint("elbow").range[:] = [-1, 0.5]
    m.joint("elbow").damping[:] = 0.7
    m.qpos0[7] = 0.25
    m.geom("link").size[0] = 0.03
    m.geom("link").rgba[:] = [1, 0, 0, 1]
    m.site("tip").pos[:] = [0, 0.1, 0.4]
    m.actuator("drive").gainprm[0] = 9
    m.key("bent").qpos[7] = 0.125
    module.mj_saveLastXML(str(path), m)
    return mujoco.MjModel.from_xml_path(str(path))


def test_the_last_model_is_saved_as_it_is_now(tmp_path):
    own, oracle = changed(sinew, tmp_path / "own.xml"), changed(mujoco, tmp_path / "oracle.xml")
    assert own.opt.timestep == 0.004 and own.stat.extent == 7
    assert own.body("base").mass[0] == 5
    for name in {*FIELDS, "dof_damping"} - {"body_mass", "body_inertia"}:
        np.testing.assert_allclose(getattr(own, name), getattr(oracle, name), rtol=1e-5, atol=1e-6, err_msg=name)
    with pytest.raises(sinew.FatalError, match="is not the one"):
        sinew.mj_saveLastXML(str(tmp_path / "no.xml"), sinew.MjSpec().compile())


def test_wrong_values_are_refused():
    spec = sinew.MjSpec()
    with pytest.raises(ValueError, match="pos should be a list/array of size 3"):
        spec.worldbody.add_geom(pos=[1, 2])
    with pytest.raises(TypeError, match="Invalid colour keyword"):
        spec.worldbody.add_geom(colour=[1, 2])
    with pytest.raises(ValueError, match="Only one of"):
        spec.worldbody.add_geom(euler=[1, 2, 3], zaxis=[1, 2, 3])
    assert spec.geoms == []
    spec.add_material(name="m")
    with pytest.raises(ValueError, match="repeated name 'm' in material"):
        spec.add_material(name="m")


def test_meshes_are_compiled_once():
    cache = sinew.mj_getCache()
    sinew.mj_clearCache(cache)
    assert sinew.mj_getCacheSize(cache) == 0 and sinew.mj_getCacheCapacity(cache) == mujoco.mj_getCacheCapacity(mujoco.mj_getCache())
    xml = '<mujoco><asset><mesh file="c.obj" scale="{} 1 1"/></asset><worldbody><geom type="mesh" mesh="c"/></worldbody></mujoco>'
    files = {"c.obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"}
    first = sinew.MjModel.from_xml_string(xml.format(1), files)
    size = sinew.mj_getCacheSize(cache)
    again = sinew.MjModel.from_xml_string(xml.format(1), files)
    assert sinew.mj_getCacheSize(cache) == size > 0
    assert bytes(first._to_bytes()) == bytes(again._to_bytes())
    # another scale gives other contents
    other = sinew.MjModel.from_xml_string(xml.format(2), files)
    larger = sinew.MjModel.from_xml_string(xml.format(1), {"c.obj": files["c.obj"].replace(b"v 0 0 1", b"v 0 0 3")})
    assert other.mesh_vert[:, 0].max() != first.mesh_vert[:, 0].max()
    assert np.ptp(larger.mesh_vert[:, 2]) != np.ptp(first.mesh_vert[:, 2])
    assert sinew.mj_setCacheCapacity(cache, 0) == 0 and sinew.mj_getCacheSize(cache) == 0
    sinew.mj_setCacheCapacity(cache, mujoco.mj_getCacheCapacity(mujoco.mj_getCache()))
