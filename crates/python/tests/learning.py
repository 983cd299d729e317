"""Shared by the tests of `sinew.torch` and `sinew.jax`: a model whose state has all components."""

import numpy as np
import sinew

# a free body with a hinge and an actuator with activation, in contact with the floor or not, and a ball joint
XML = """<mujoco><option timestep=".01" tolerance="0"/><worldbody><geom type="plane" size="2 2 .1"/>
  <body pos="0 0 .3"><freejoint/><geom type="box" size=".1 .15 .05"/>
    <body pos=".1 0 0"><joint name="a" axis="0 1 0" damping=".1"/><geom type="capsule" size=".03" fromto="0 0 0 .2 0 -.2"/></body></body>
  <body pos="1 0 1"><joint name="b" type="ball" damping=".1"/><geom type="capsule" size=".03" fromto="0 0 0 .1 .1 -.3"/></body>
</worldbody>
<actuator><motor joint="a"/><general joint="b" gear="1 .5 .2" dyntype="filter" dynprm=".1"/></actuator></mujoco>"""

WORLDS, STEPS = 3, 4


def model():
    return sinew.MjModel.from_xml_string(XML)


def states(m, worlds=WORLDS, seed=0):
    """States in the air and on the floor, with quaternions that are not exactly normalised."""
    rng = np.random.default_rng(seed)
    sim = sinew.BatchSim(m, worlds, num_threads=1, nstep=1)
    sim.scatter("qvel", rng.normal(size=(worlds, m.nv)))
    for _ in range(40):
        sim.step(0.1 * rng.normal(size=(worlds, m.nu)))
    assert sim.ncon.max() > 0
    qpos = sim.qpos.copy()
    qpos[:, 3:7] *= 1.1
    return np.concatenate([qpos, sim.qvel, sim.act], axis=1)


def controls(m, *shape, seed=1):
    return 0.3 * np.random.default_rng(seed).normal(size=(*shape, m.nu))


def stepped(m, state, ctrl, nstep=1):
    """States after each control of one world, by `mj_step`."""
    d = sinew.MjData(m)
    d.qpos, d.qvel, d.act = np.split(state, [m.nq, m.nq + m.nv])
    found = []
    for row in ctrl:
        d.ctrl = row
        sinew.mj_step(m, d, nstep)
        found.append(np.concatenate([d.qpos, d.qvel, d.act]))
    return np.array(found)
