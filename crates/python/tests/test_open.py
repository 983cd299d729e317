"""Physics beyond MuJoCo: files that both load, simulations with user-defined solvers and laws."""

import mujoco
import numpy as np
import pytest
import sinew
import tolerances

FILE = """<mujoco><worldbody><geom type="plane" size="2 2 1"/>
  <body pos="0 0 .1"><joint name="z" type="slide" axis="0 0 1"/><geom type="box" size=".1 .1 .1" mass="1"/></body>
  <body pos="1 0 1"><joint name="knee" axis="0 1 0"/><geom type="capsule" size=".03" fromto="0 0 0 .3 0 0"/></body></worldbody>
  <actuator><general name="knee" joint="knee" dyntype="user" actdim="1"/></actuator>TEXTS</mujoco>"""
TEXTS = """<custom><text name="sinew:solver" data="xpbd substeps=2"/>
  <text name="sinew:actuator:knee" data="series_elastic 3 .1 2"/></custom>"""


def run(module, m, steps=200):
    d = module.MjData(m)
    d.ctrl[0] = 0.2
    module.mj_step(m, d, steps)
    return d


def test_a_file_with_extensions_is_mujocos_there_and_plain_without_them():
    theirs = run(mujoco, mujoco.MjModel.from_xml_string(FILE.replace("TEXTS", TEXTS)))
    plain = run(sinew, sinew.MjModel.from_xml_string(FILE.replace("TEXTS", "")))
    np.testing.assert_allclose(plain.qpos, theirs.qpos, rtol=0, atol=tolerances.OPEN["rollout"])
    other = run(sinew, sinew.MjModel.from_xml_string(FILE.replace("TEXTS", TEXTS)))
    assert abs(other.qpos[1] - plain.qpos[1]) > 0.01
    assert other.act[0] == 0.2


def test_a_simulation_asks_for_the_same():
    plain = sinew.MjModel.from_xml_string(FILE.replace("TEXTS", ""))
    sim = sinew.Sim(plain, solver="xpbd substeps=2", actuators={"knee": "series_elastic 3 .1 2"})
    sim.data.ctrl[0] = 0.2
    sim.step(200)
    from_file = run(sinew, sinew.MjModel.from_xml_string(FILE.replace("TEXTS", TEXTS)))
    np.testing.assert_array_equal(sim.data.qpos, from_file.qpos)
    again = run(sinew, plain)
    usual = sinew.Sim(plain)
    usual.data.ctrl[0] = 0.2
    usual.step(200)
    np.testing.assert_array_equal(usual.data.qpos, again.qpos)


def test_the_solver_changes_between_steps():
    sim = sinew.Sim(sinew.MjModel.from_xml_string(FILE.replace("TEXTS", "")))
    assert sim.solver == "convex"
    sim.step(100, strict=True)
    sim.solver = "xpbd soft"
    assert sim.solver == "xpbd iterations=20 substeps=4 soft"
    sim.step(1000)
    depth = -min(sim.data.contact.dist)
    sim.solver = "convex"
    sim.step(1000)
    assert depth == pytest.approx(-min(sim.data.contact.dist), rel=0.02)
    sim.reset()
    assert sim.data.time == 0


def test_batches_are_the_same_to_the_last_bit():
    m = sinew.MjModel.from_xml_string(FILE.replace("TEXTS", TEXTS))
    sim = sinew.BatchSim(m, 8, nstep=50)
    sim.step(np.full((8, 1), 0.2))
    d = run(sinew, m, 50)
    for world in sim.qpos:
        np.testing.assert_array_equal(world, d.qpos)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"solver": "xpdb"}, "did you mean 'xpbd'"),
        ({"solver": "xpbd substeps=-1"}, "whole number"),
        ({"actuators": {"kene": "series_elastic 1 1 1"}}, "did you mean 'knee'"),
        ({"actuators": {"knee": "series_elastic"}}, "k is missing"),
    ],
)
def test_mistakes_are_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        sinew.Sim(sinew.MjModel.from_xml_string(FILE.replace("TEXTS", "")), **arguments)


def test_the_integrator_must_suit_the_solver():
    m = sinew.MjModel.from_xml_string(FILE.replace("TEXTS", ""))
    m.opt.integrator = sinew.mjtIntegrator.mjINT_RK4
    with pytest.raises(ValueError, match="Euler"):
        sinew.Sim(m, solver="xpbd")


FLEXES = """<mujoco><option timestep=".001"/><worldbody><body name="a" pos="0 0 1">
  <flexcomp name="block" type="grid" count="3 3 3" spacing=".1 .1 .1" dim="3" mass="1"><pin id="0 1 2"/>
  <elasticity young="2e4" poisson=".3" damping=".001"/><contact contype="0" conaffinity="0" selfcollide="none"/></flexcomp></body>
  <body name="b"><flexcomp name="sheet" type="grid" count="4 4 1" spacing=".1 .1 .1" dim="2" mass="1">
  <elasticity young="2e4" poisson=".3" thickness=".01" elastic2d="both"/>
  <contact contype="0" conaffinity="0" selfcollide="none"/></flexcomp></body></worldbody>TEXTS</mujoco>"""


def scattered(sim):
    sim.data.qpos[:] = 0.01 * np.random.default_rng(0).standard_normal(sim.model.nq)
    sim.forward()
    return sim.data.qfrc_passive.copy()


def test_flexes_follow_laws():
    m = sinew.MjModel.from_xml_string(FLEXES.replace("TEXTS", ""))
    texts = """<custom><text name="sinew:elasticity:block" data="neo_hookean"/><text name="sinew:bending:sheet" data="bridson"/></custom>"""
    words = FLEXES.replace("TEXTS", texts)
    named = sinew.Sim(m, elasticity={"block": "neo_hookean"}, bending="bridson")
    from_file = sinew.Sim(sinew.MjModel.from_xml_string(words))
    assert np.abs(scattered(named) - scattered(sinew.Sim(m))).max() > 1e-3
    np.testing.assert_array_equal(scattered(named), scattered(from_file))
    theirs = mujoco.MjModel.from_xml_string(words)
    d = mujoco.MjData(theirs)
    mujoco.mj_step(theirs, d, 20)
    plain = sinew.Sim(m)
    plain.step(20)
    np.testing.assert_allclose(plain.data.qpos, d.qpos, rtol=0, atol=tolerances.OPEN["rollout"])
    sim = sinew.BatchSim(sinew.MjModel.from_xml_string(words), 3, nstep=20)
    sim.step(np.zeros((3, 0)))
    from_file.reset()
    from_file.step(20)
    for world in sim.qpos:
        np.testing.assert_array_equal(world, from_file.data.qpos)


def neo_hookean(mu, lam):
    def stress(f):
        inverse = np.linalg.inv(f).transpose(0, 2, 1)
        return mu * (f - inverse) + lam * np.log(np.linalg.det(f))[:, None, None] * inverse

    return stress


def test_laws_may_be_python_functions():
    m = sinew.MjModel.from_xml_string(FLEXES.replace("TEXTS", ""))
    mu, lam = 2e4 / 2.6, 2e4 * 0.3 / (1.3 * 0.4)
    ours, theirs = sinew.Sim(m, elasticity={"block": neo_hookean(mu, lam)}), sinew.Sim(m, elasticity={"block": "neo_hookean"})
    # velocities are zero, so there is no damping
    want = scattered(theirs)
    np.testing.assert_allclose(scattered(ours), want, rtol=0, atol=tolerances.OPEN["law"] * np.abs(want).max())
    ours.step(3)
    assert sinew.get_mjcb_passive() is None
    motor = sinew.MjModel.from_xml_string(FILE.replace("TEXTS", "").replace('dyntype="user" actdim="1"', ""))
    spring = sinew.Sim(motor, actuators={"knee": lambda length, velocity, u: 3 * (2 * u - length) - 0.1 * velocity})
    words = sinew.Sim(motor, actuators={"knee": "dc_motor 1 1"})
    spring.data.ctrl[0] = words.data.ctrl[0] = 0.2
    spring.data.qpos[1] = 0.3
    spring.forward()
    assert spring.data.actuator_force[0] == pytest.approx(3 * (0.4 - 0.3))
    words.forward()
    assert words.data.actuator_force[0] == pytest.approx(0.2)
