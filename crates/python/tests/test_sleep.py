"""Trees that fall asleep and wake, step by step against MuJoCo."""

import mujoco
import numpy as np
import pytest
import sinew

OPTION = '<option integrator="{integrator}" density="1" viscosity=".01"><flag sleep="enable" energy="enable"/></option>'

STACK = """
<mujoco>
  {option}
  <worldbody>
    <light pos="0 0 3"/>
    <geom name="floor" type="plane" size="5 5 .1"/>
    <body name="low" pos="0 0 .1"><freejoint/><geom type="box" size=".2 .2 .1"/></body>
    <body name="high" pos="0 0 .3"><freejoint/><geom type="box" size=".1 .1 .1"/><camera pos="0 0 1"/>
      <site name="high"/></body>
    <body name="ball" pos="2 0 .1"><freejoint/><geom size=".1" condim="6" friction="1 .1 .1"/></body>
    <body name="late" pos="0 .05 {height}"><freejoint/><geom size=".05"/></body>
    <body name="pendulum" pos="4 0 1" sleep="allowed"><joint name="p" axis="0 1 0" damping="2" stiffness="1" frictionloss=".1"/>
      <geom size=".1" pos="0 0 -.3"/><site name="tip" pos="0 0 -.3"/></body>
    <body name="held" pos="4 2 1" gravcomp="1" sleep="allowed"><joint name="h" axis="0 1 0" damping="2"/>
      <geom type="box" size=".1 .1 .1" pos=".3 0 0" fluidshape="ellipsoid"/><light mode="trackcom"/></body>
    <body name="busy" pos="4 1 1"><joint name="b" axis="0 1 0"/><geom size=".1" pos="0 0 -.3"/></body>
    <body name="hand" pos="2 0 1.5" mocap="true"><geom size=".1"/></body>
    <body name="still" pos="0 0 5"><geom size=".1"/><site name="still"/></body>
  </worldbody>
  <tendon>
    <fixed name="one" stiffness="2" damping="1" armature=".1" frictionloss=".1"><joint joint="p" coef="1"/></fixed>
    <fixed name="two"><joint joint="h" coef="1"/><joint joint="b" coef="-1"/></fixed>
  </tendon>
  <actuator><motor joint="p"/><motor joint="b"/><general joint="h" dyntype="filter" dynprm=".1"/>
    <motor tendon="one"/></actuator>
  <sensor>
    <framepos objtype="body" objname="high"/><accelerometer site="high"/><jointpos joint="p"/><actuatorfrc actuator="0"/>
    <framelinvel objtype="site" objname="tip" reftype="body" refname="busy"/><subtreelinvel body="low"/>
    <framepos objtype="site" objname="still" reftype="site" refname="high"/><clock/>
    <contact geom1="floor" num="3" data="found force"/>
  </sensor>
</mujoco>
""".replace('actuator="0"', 'actuator="m"').replace('<motor joint="p"/>', '<motor name="m" joint="p"/>')

TIED = """
<mujoco>
  {option}
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body name="a" pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/><site name="a"/></body>
    <body name="b" pos="1 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/><site name="b"/></body>
    <body name="c" pos="2 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/><site name="c"/></body>
    <body pos="0 2 1"><joint name="d" axis="0 1 0" damping="1"/><geom size=".1" pos="0 0 -.2"/></body>
    <body pos="1 2 1"><joint name="e" axis="0 1 0" damping="1"/><geom size=".1" pos="0 0 -.2"/></body>
  </worldbody>
  <tendon><spatial name="t" limited="true" range="0 1.05"><site site="a"/><site site="b"/></spatial></tendon>
  <equality>
    <connect body1="b" body2="c" anchor=".5 0 0" active="false"/>
    <joint joint1="d" joint2="e" active="false"/>
  </equality>
  <keyframe><key name="shifted" qpos="0 0 .1 1 0 0 0 1 0 .1 1 0 0 0 2 0 .15 1 0 0 0 .3 0"/></keyframe>
</mujoco>
"""

AWAKE = "ntree_awake nbody_awake nparent_awake nv_awake tree_awake body_awake".split()
DEPENDENT = (
    "qpos qvel qacc qacc_warmstart xpos xquat xipos geom_xpos cam_xpos site_xpos light_xpos subtree_com cinert cdof crb M "
    "qLD ten_length ten_velocity ten_J actuator_length actuator_velocity actuator_force qfrc_actuator act act_dot cvel "
    "cdof_dot qfrc_bias qfrc_spring qfrc_damper qfrc_gravcomp qfrc_fluid qfrc_passive qfrc_smooth qacc_smooth "
    "qfrc_constraint sensordata energy"
).split()


class Both:
    """One model in both engines, stepped together."""

    def __init__(self, xml, **fill):
        xml = xml.format(option=OPTION.format(integrator=fill.pop("integrator", "Euler")), **fill)
        self.models = mujoco.MjModel.from_xml_string(xml), sinew.MjModel.from_xml_string(xml)
        self.datas = mujoco.MjData(self.models[0]), sinew.MjData(self.models[1])
        self.history = []
        self.compare()

    def set(self, change):
        for m, d in zip(self.models, self.datas):
            change(m, d)

    def compare(self):
        od, d = self.datas
        assert np.array_equal(d.tree_asleep, od.tree_asleep), od.time
        for name in AWAKE:
            assert np.array_equal(getattr(d, name), getattr(od, name)), (name, od.time)
        for name, count in (("body", od.nbody_awake), ("parent", od.nparent_awake), ("dof", od.nv_awake)):
            field = f"{name}_awake_ind"
            assert np.array_equal(getattr(d, field)[:count], getattr(od, field)[:count]), (field, od.time)
        for name in DEPENDENT:
            want, got = getattr(od, name), getattr(d, name)
            assert np.abs(got - want).max(initial=0) < 1e-6 * max(1, np.abs(want).max(initial=0)), (name, od.time)
        self.history.append(tuple(od.tree_asleep >= 0))

    def step(self, count):
        for _ in range(count):
            mujoco.mj_step(self.models[0], self.datas[0])
            sinew.mj_step(self.models[1], self.datas[1])
            self.compare()
        return self

    def asleep(self):
        return self.history[-1]


INTEGRATORS = ["Euler", "RK4", "implicit", "implicitfast"]


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_stack_sleeps_and_wakes_when_touched(integrator):
    both = Both(STACK, integrator=integrator, height=".8").step(170)
    assert any(h[:2] == (True, True) and not h[3] for h in both.history)
    assert any(not h[0] for h in both.history[100:])


CHANGES = {
    "force on a body": lambda m, d: d.xfrc_applied.__setitem__((1, 2), 1.0),
    "force on a dof": lambda m, d: d.qfrc_applied.__setitem__(6, 0.1),
    "velocity": lambda m, d: d.qvel.__setitem__(slice(0, 3), (0.5, 0, 0)),
    "position": lambda m, d: d.qpos.__setitem__(2, 0.2),
    "negative zero": lambda m, d: d.qvel.__setitem__(0, -0.0),
    "control": lambda m, d: d.ctrl.__setitem__(slice(None), 0.4),
    "mocap body": lambda m, d: d.mocap_pos.__setitem__(0, (2, 0, 0.25)),
    "tree_asleep": lambda m, d: d.tree_asleep.__setitem__(slice(None), -11),
    "gravity": lambda m, d: m.opt.gravity.__setitem__(0, 1.0),
    "sleep disabled": lambda m, d: setattr(m.opt, "enableflags", 0),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_wakes(change):
    both = Both(STACK, height="30").step(150)
    before = both.asleep()
    assert before == (True, True, True, False, True, True, False)
    both.set(CHANGES[change])
    both.step(40)
    woken = {"control": 0, "gravity": 0, "negative zero": 2, "mocap body": 0}.get(change)
    after = both.history[-39]
    if woken is not None:
        assert sum(before) - sum(after) == woken
    both.set(lambda m, d: d.xfrc_applied.fill(0))
    both.set(lambda m, d: d.qfrc_applied.fill(0))
    both.step(60)


def test_ties():
    both = Both(TIED).step(150)
    assert both.asleep() == (True,) * 5
    # trees that sleep separately wake when connected
    both.set(lambda m, d: d.eq_active.fill(1))
    both.step(1)
    assert both.asleep() == (True, False, False, False, False)
    both.step(150)
    # moving one end of a tendon wakes the other when it is taut
    both.set(lambda m, d: d.eq_active.fill(0))
    both.step(100)
    assert both.asleep() == (True,) * 5
    both.set(lambda m, d: d.qvel.__setitem__(0, -1.5))
    both.step(60)
    assert any(h[:2] == (False, True) for h in both.history[-60:])
    assert any(h[:2] == (False, False) for h in both.history[-60:])


def test_keyframe_and_reset():
    both = Both(TIED).step(60)
    for m, d, engine in zip(both.models, both.datas, (mujoco, sinew)):
        engine.mj_resetDataKeyframe(m, d, 0)
    both.compare()
    both.step(80)
    assert any(both.asleep())
    for m, d, engine in zip(both.models, both.datas, (mujoco, sinew)):
        engine.mj_resetData(m, d)
    both.compare()
    both.step(30)


def test_forward_alone_puts_nothing_to_sleep():
    both = Both(TIED).step(3)
    for _ in range(30):
        mujoco.mj_forward(*(x[0] for x in (both.models, both.datas)))
        sinew.mj_forward(*(x[1] for x in (both.models, both.datas)))
        both.compare()
    assert not any(both.asleep())


def test_start_asleep():
    start = STACK.replace('name="low"', 'name="low" sleep="init"').replace('name="high"', 'name="high" sleep="init"', 1)
    both = Both(start, height=".8")
    assert both.asleep()[:2] == (True, True)
    assert both.datas[1].ncon == both.datas[0].ncon > 0
    both.step(170)
    assert any(not h[0] for h in both.history)


def test_cannot_start_asleep():
    xml = STACK.replace('name="low"', 'name="low" sleep="init"')
    xml = xml.format(option=OPTION.format(integrator="Euler"), height="8").replace('pos="0 0 .3"', 'pos="0 0 .299"')
    for engine in (mujoco, sinew):
        with pytest.raises(ValueError, match="asleep|slept"):
            engine.MjModel.from_xml_string(xml)
    # without the flag the policy has no effect, until the flag is set
    off = xml.replace('sleep="enable"', 'sleep="disable"')
    m = sinew.MjModel.from_xml_string(off)
    d = sinew.MjData(m)
    m.opt.enableflags |= int(sinew.mjtEnableBit.mjENBL_SLEEP)
    with pytest.raises(sinew.FatalError, match="1 trees should start asleep but 0 can"):
        sinew.mj_resetData(m, d)
    with pytest.raises(sinew.FatalError, match="1 trees should start asleep but 0 can"):
        sinew.MjData(m)


def test_without_islands_nothing_constrained_sleeps():
    both = Both(TIED)
    both.set(lambda m, d: setattr(m.opt, "disableflags", int(mujoco.mjtDisableBit.mjDSBL_ISLAND)))
    both.step(150)
    assert not any(both.asleep())


@pytest.mark.parametrize("solver", ["mjSOL_PGS", "mjSOL_CG"])
def test_other_solvers(solver):
    both = Both(TIED)
    both.set(lambda m, d: setattr(m.opt, "solver", int(getattr(mujoco.mjtSolver, solver))))
    both.step(200)
    assert sum(both.asleep()) > 1
