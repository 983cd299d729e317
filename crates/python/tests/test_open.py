"""Physics beyond MuJoCo: files that both load, simulations with parts of one's own choice."""

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
