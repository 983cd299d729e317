"""Plugins compared with MuJoCo's own, and plugins in Python."""

import copy
import pickle

import mujoco
import numpy as np
import pytest
import sinew
from tolerances import PLUGIN

SHAPES = {
    "bolt": {"radius": 0.2}, "bowl": {"height": 0.3, "radius": 0.8, "thickness": 0.03},
    "gear": {"diameter": 2, "teeth": 17, "innerdiameter": 0.7, "alpha": 0.1}, "nut": {}, "torus": {"radius1": 0.3},
}
FIELDS = "plugin plugin_attr plugin_attradr plugin_stateadr plugin_statenum body_plugin geom_plugin actuator_plugin " \
    "sensor_plugin name_pluginadr names sensor_dim sensor_adr sensor_needstage actuator_actadr actuator_actnum".split()


def config(**settings):
    return "".join(f'<config key="{key}" value="{value}"/>' for key, value in settings.items())


def both(xml, **kw):
    return mujoco.MjModel.from_xml_string(xml, **kw), sinew.MjModel.from_xml_string(xml, **kw)


def close(got, want, bound, what=""):
    scale = max(1.0, float(np.max(np.abs(want), initial=0)))
    np.testing.assert_allclose(got, want, rtol=0, atol=bound * scale, err_msg=what)


def arm(extension, actuators, joints="j k"):
    bodies = "".join(f'<body pos="{i} 0 0"><joint name="{j}" damping=".2"/><geom type="capsule" size=".05" fromto="0 0 0 .4 0 0"/>'
                     "</body>" for i, j in enumerate(joints.split()))
    return f"""<mujoco><extension>{extension}</extension><worldbody>{bodies}</worldbody>
      <actuator>{actuators}</actuator></mujoco>"""


CABLE = """<mujoco><extension><plugin plugin="mujoco.elasticity.cable"/></extension><worldbody><geom type="plane" size="2 2 1"/>
  <composite type="cable" prefix="c" curve="{curve}" count="{count} 1 1" size="1 .2 2" offset="0 0 .3" initial="{initial}">
    <plugin plugin="mujoco.elasticity.cable">{config}</plugin><joint kind="main" damping=".02"/>
    <geom type="{geom}" size="{size}"/></composite></worldbody></mujoco>"""

GRID = """<mujoco><extension><plugin plugin="mujoco.sensor.touch_grid"/></extension><worldbody><geom type="plane" size="2 2 1"/>
  <body pos="0 0 .1"><freejoint/><geom type="box" size=".2 .15 .1"/><site name="s" euler="10 20 30"/>
    <body pos="0 0 .22"><joint axis="0 1 0"/><geom size=".1"/></body></body>
  <body pos=".1 0 .5"><freejoint/><geom type="capsule" size=".05 .1"/></body></worldbody>
  <sensor><clock/><plugin name="grid" plugin="mujoco.sensor.touch_grid" objtype="site" objname="s" cutoff="{cutoff}">
    {config}</plugin><clock/></sensor></mujoco>"""

PID = """<plugin plugin="mujoco.pid"><instance name="a">{}</instance><instance name="b">{}</instance></plugin>""".format(
    config(kp=30, ki=5, kd=1, imax=2, slewmax=0.7), config(kp=20, kd=0.5))
MODELS = {
    "pid": arm(PID, '<plugin joint="j" instance="a" actdim="2" ctrlrange="-1 1" forcerange="-3 3"/>'
                    '<plugin joint="k" instance="b" dyntype="filterexact" dynprm=".1" actdim="1" actearly="true"/>'),
    "pid shared": arm(PID, '<plugin joint="j" instance="b"/><plugin joint="k" plugin="mujoco.pid" actdim="1" '
                           'dyntype="integrator" gear="2"><config key="kp" value="9"/></plugin><plugin joint="k" instance="b"/>'
                           '<plugin name="last" joint="j" instance="a" actdim="2"/>'),
    "cable": CABLE.format(curve="s", count=15, initial="none", geom="capsule", size=".01", config=config(twist=1e6, bend=2e6)),
    "coil": CABLE.format(curve="cos(s) sin(s) s", count=12, initial="free", geom="box", size=".01 .02 .03",
                         config=config(twist=1e5, bend=1e6, flat="true")),
    "helix": CABLE.format(curve="cos(s) sin(s) s", count=12, initial="ball", geom="cylinder", size=".015",
                          config=config(twist=1e6, bend=1e6)),
    "grid": GRID.format(cutoff=0, config=config(size="6 5", fov="120 80", gamma=0.4, nchannel=6)),
    "grid with cutoff": GRID.format(cutoff=3, config=config(size="3 3", fov="180 90")),
}


@pytest.mark.parametrize("name", MODELS)
def test_forces_and_sensors(name):
    om, m = both(MODELS[name])
    od, d = mujoco.MjData(om), sinew.MjData(m)
    for field in FIELDS:
        want = getattr(om, field)
        assert np.array_equal(getattr(m, field), want) if not isinstance(want, bytes) else getattr(m, field) == want, field
    rng = np.random.default_rng(0)
    moved = False
    for step in range(300):
        if step % 20 == 0:
            od.ctrl[:] = rng.normal(size=om.nu)
            od.qvel[:] += 0.2 * rng.normal(size=om.nv)
        state = np.empty(mujoco.mj_stateSize(om, mujoco.mjtState.mjSTATE_INTEGRATION))
        mujoco.mj_getState(om, od, state, mujoco.mjtState.mjSTATE_INTEGRATION)
        sinew.mj_setState(m, d, state, sinew.mjtState.mjSTATE_INTEGRATION)
        mujoco.mj_step(om, od)
        sinew.mj_step(m, d)
        for field in "act_dot actuator_force qfrc_passive qfrc_actuator".split():
            close(getattr(d, field), getattr(od, field), PLUGIN["force"], f"{field} at {step}")
        for field in "act sensordata qvel".split():
            close(getattr(d, field), getattr(od, field), PLUGIN["step"], f"{field} at {step}")
        moved |= bool(np.any(od.sensordata[1:-1]) if om.nsensor else np.any(od.qfrc_passive) or om.nu)
    assert moved


@pytest.mark.parametrize("shape", SHAPES)
def test_shapes(shape):
    """Meshes, inertias, rays and contacts of signed distance fields."""
    bodies = ['<geom type="sphere" size=".15"/>', '<geom type="box" size=".1 .12 .15"/>', '<geom type="capsule" size=".08 .1"/>',
              '<geom type="ellipsoid" size=".1 .2 .15"/>', '<geom type="cylinder" size=".1 .1"/>',
              '<geom type="sdf" mesh="m"><plugin instance="i"/></geom>']
    falling = "".join(f'<body pos="{3 * i} 0 0"><freejoint/>{geom}</body>' for i, geom in enumerate(bodies))
    fixed = "".join(f'<geom type="sdf" mesh="m" pos="{3 * i} 0 0" euler="{20 * i} 0 {30 * i}"><plugin instance="i"/></geom>'
                    for i in range(len(bodies)))
    om, m = both(f"""<mujoco><option sdf_iterations="8" sdf_initpoints="15"/><extension><plugin plugin="mujoco.sdf.{shape}">
      <instance name="i">{config(**SHAPES[shape])}</instance></plugin></extension>
      <asset><mesh name="m"><plugin instance="i"/></mesh></asset><worldbody>{fixed}{falling}</worldbody></mujoco>""")
    for field in "mesh_vert mesh_face mesh_normal geom_size geom_aabb geom_pos geom_quat geom_plugin".split():
        close(getattr(m, field), getattr(om, field), PLUGIN["exact"], field)
    for field in "body_mass body_inertia body_ipos geom_rbound".split():
        close(getattr(m, field), getattr(om, field), PLUGIN["model"], field)
    od, d = mujoco.MjData(om), sinew.MjData(m)
    rng = np.random.default_rng(1)
    count = 0
    for _ in range(10):
        q = rng.normal(size=(len(bodies), 7)) * [0.4, 0.4, 0.3, 1, 1, 1, 1] + np.arange(len(bodies))[:, None] * [3, 0, 0, 0, 0, 0, 0]
        od.qpos[:] = d.qpos[:] = q.ravel()
        mujoco.mj_forward(om, od)
        sinew.mj_forward(m, d)
        assert np.array_equal(d.contact.geom, od.contact.geom)
        for field in ("dist", "pos", "frame"):
            close(getattr(d.contact, field), getattr(od.contact, field), PLUGIN["contact"], field)
        count += od.ncon
        start, along = rng.normal(size=3) * 2, rng.normal(size=3)
        hits = [engine.mj_ray(*pair, start, along, None, 1, -1, np.zeros(1, np.int32))
                for engine, pair in ((mujoco, (om, od)), (sinew, (m, d)))]
        close(hits[1], hits[0], PLUGIN["contact"])
    assert count > 20


def test_attachments():
    """Attached plugins have separate instances. MuJoCo crashes if plugins are replicated."""
    child = arm(PID, '<plugin name="p" joint="j" plugin="mujoco.pid" instance="a" actdim="2"/>').replace("<body ", '<body name="b" ', 1)
    xml = """<mujoco><asset><model name="c" file="c.xml"/></asset><worldbody><attach model="c" body="b" prefix="l-"/>
      <attach model="c" body="b" prefix="r-"/></worldbody></mujoco>"""
    om, m = both(xml, assets={"c.xml": child.encode()})
    assert np.array_equal(m.actuator_plugin, om.actuator_plugin) and m.nplugin == om.nplugin == 2
    names = [[engine.mj_id2name(model, engine.mjtObj.mjOBJ_PLUGIN, i) for i in range(2)]
             for engine, model in ((mujoco, om), (sinew, m))]
    assert names[0] == names[1] == ["l-a", "r-a"]


@pytest.mark.parametrize("wrong", [
    arm('<plugin plugin="mujoco.none"/>', ""),
    arm(PID, '<plugin joint="j" instance="c"/>'),
    arm(PID, '<plugin joint="j" instance="a"/><plugin joint="j" instance="b"/>'),
    arm("", '<plugin joint="j" plugin="mujoco.pid"/>'),
    arm('<plugin plugin="mujoco.pid"/>', f'<plugin joint="j" plugin="mujoco.pid">{config(kpp=1)}</plugin>'),
    arm('<plugin plugin="mujoco.pid"/>', f'<plugin joint="j" plugin="mujoco.pid" actdim="1">{config(slewmax=-1)}</plugin>'),
    GRID.format(cutoff=0, config=config(size="6 5", fov="190 80")),
    GRID.format(cutoff=0, config=config(fov="90 80", size="2")),
    CABLE.format(curve="s", count=8, initial="none", geom="capsule", size=".01", config=config(bend="stiff")),
])
def test_refusals(wrong):
    with pytest.raises((ValueError, mujoco.FatalError)):
        mujoco.MjData(mujoco.MjModel.from_xml_string(wrong))
    with pytest.raises(ValueError, match=r"line|\d:\d"):
        sinew.MjModel.from_xml_string(wrong)


def test_saving():
    m = sinew.MjModel.from_xml_string(MODELS["cable"])
    copies = [m, copy.copy(m), pickle.loads(pickle.dumps(m))]
    ends = []
    for model in copies:
        d = sinew.MjData(model)
        d.qvel[:] = 1
        sinew.mj_step(model, d, 20)
        ends.append(d.qpos.copy())
        assert d.nplugin == 1 and np.array_equal(d.plugin, m.plugin) and d.plugin_data.shape == (1,)
    assert np.array_equal(ends[0], ends[1]) and np.array_equal(ends[0], ends[2])


class Spring(sinew.Plugin):
    """A spring whose state is a clock."""

    name = "test.spring"
    attributes = ["stiffness"]
    capabilities = sinew.mjtPluginCapabilityBit.mjPLUGIN_PASSIVE | sinew.mjtPluginCapabilityBit.mjPLUGIN_SENSOR
    needstage = sinew.mjtStage.mjSTAGE_VEL
    nsensordata = 2

    def __init__(self, config, users):
        self.stiffness, self.users = float(config.get("stiffness", 1)), users

    @staticmethod
    def nstate(config):
        return 1

    def reset(self):
        return [5.0]

    def passive(self, m, d):
        d.qfrc_passive[:] -= self.stiffness * d.qpos

    def sense(self, m, d):
        for i in self.users["sensor"]:
            d.sensordata[m.sensor_adr[i]:][:2] = d.qpos[0], d.plugin_state[0]

    def advance(self, m, d):
        d.plugin_state[0] += 1


OWN = """<mujoco><extension><plugin plugin="test.spring"><instance name="s"><config key="stiffness" value="{}"/></instance></plugin>
  </extension><worldbody><body><joint type="slide"/><geom size=".1"/><plugin instance="s"/></body></worldbody>
  <sensor><plugin plugin="test.spring" instance="s"/></sensor></mujoco>"""


def test_plugins_in_python():
    m = sinew.MjModel.from_xml_string(OWN.format(7), plugins=[Spring])
    plain = '<mujoco><worldbody><body><joint type="slide" stiffness="7"/><geom size=".1"/></body></worldbody></mujoco>'
    same = sinew.MjModel.from_xml_string(plain)
    d, e = sinew.MjData(m), sinew.MjData(same)
    d.qpos[0] = e.qpos[0] = 0.3
    for _ in range(30):
        sinew.mj_step(m, d)
        sinew.mj_step(same, e)
    assert np.array_equal(d.qpos, e.qpos)
    sinew.mj_forward(m, d)
    assert d.plugin_state[0] == 35 and np.array_equal(d.sensordata, [d.qpos[0], 35])
    other = pickle.loads(pickle.dumps(m))
    assert sinew.MjData(other).plugin_state[0] == 5
    with pytest.raises(RuntimeError, match="Python"):
        sinew.BatchSim(m, 2).step()


def test_errors_of_plugins_in_python():
    with pytest.raises(ValueError, match="stiffness|could not convert"):
        sinew.MjModel.from_xml_string(OWN.format("soft"), plugins=[Spring])
    with pytest.raises(ValueError, match="known plugins are"):
        sinew.MjModel.from_xml_string(OWN.format(1))
    with pytest.raises(ValueError, match="already"):
        sinew.MjModel.from_xml_string(OWN.format(1), plugins=[Spring, Spring])
    with pytest.raises(TypeError, match="name"):
        sinew.MjModel.from_xml_string("<mujoco/>", plugins=[object])

    class Broken(Spring):
        def passive(self, m, d):
            raise KeyError("lost")

    m = sinew.MjModel.from_xml_string(OWN.format(1), plugins=[Broken])
    with pytest.raises(KeyError, match="lost"):
        sinew.mj_step(m, sinew.MjData(m))
