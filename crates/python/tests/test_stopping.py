"""Tests which differences the comparison of random models attributes to CG stopping elsewhere, and which not."""

import mujoco
import numpy as np
import pytest
import sinew
from random_compare import agree, jacobian
from stopping import equally_far, stopped

STACK = """
<mujoco>
  <option solver="CG" iterations="300"/>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .2 .1"/></body>
    <body pos=".03 0 .298"><freejoint/><geom type="box" size=".2 .1 .1"/></body>
    <body pos="0 .04 .496"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  </worldbody>
</mujoco>
"""


@pytest.fixture
def stack():
    om, cm = mujoco.MjModel.from_xml_string(STACK), sinew.MjModel.from_xml_string(STACK)
    state = mujoco.MjData(om)
    state.qvel[:] = 0.1 * np.random.default_rng(0).standard_normal(om.nv)
    return cm, om, state


def excused(cm, om, state):
    return stopped(cm, om, state, "solve", lambda cd, od: agree("solve", ["qacc"], cd, od), jacobian)


def test_iterations_that_stop_alike(stack):
    assert excused(*stack)
    cm, om, state = stack
    assert (int(cm.opt.solver), cm.opt.tolerance, om.opt.iterations) == (1, om.opt.tolerance, 300)


def test_iterations_that_stop_early_are_not_excused(stack):
    cm, om, state = stack
    cm.opt.iterations = 3
    assert not equally_far(cm, om, state, jacobian)
    assert not excused(cm, om, state)


def test_other_solutions_are_not_excused(stack):
    cm, om, state = stack
    cm.opt.gravity[2] += 1e-4
    assert not excused(cm, om, state)


def test_only_conjugate_gradients_are_excused(stack):
    cm, om, state = stack
    om.opt.solver = cm.opt.solver = mujoco.mjtSolver.mjSOL_NEWTON
    assert not excused(cm, om, state)
