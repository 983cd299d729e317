"""Models whose contacts exercise every kind of constraint row. For tests only."""

import itertools

import numpy as np

PILE = """
<mujoco>
  <option cone="%(cone)s" jacobian="%(jacobian)s" solver="%(solver)s" impratio="%(impratio)s" iterations="%(iterations)s"
          tolerance="%(tolerance)s" noslip_iterations="%(noslip)s" integrator="%(integrator)s">
    <flag island="%(island)s" warmstart="%(warmstart)s"/>
  </option>
  <default><geom condim="%(condim)s" friction=".7 .01 .002"/></default>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1"/>
    <body pos="0 0 .095"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body pos=".02 0 .29"><freejoint/><geom type="box" size=".1 .1 .1" margin=".02" gap=".01"/></body>
    <body pos="1 0 .098"><freejoint/><geom name="ball" type="sphere" size=".1"/></body>
    <body pos="1.5 0 .11"><freejoint/><geom type="sphere" size=".1" margin=".02" gap=".015" solref="-3000 -20"/></body>
    <body pos="2 0 .3"><joint axis="0 1 0" frictionloss=".3"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".05"/>
      <body pos=".3 0 0"><joint axis="0 1 0" range="-20 20" limited="true"/>
        <geom type="capsule" fromto="0 0 0 .3 0 -.26" size=".05"/></body></body>
    <body name="grip" pos="3 0 .12"><joint type="slide" axis="0 0 1"/><geom type="sphere" size=".12" margin=".1" gap=".1"/>
    </body>
  </worldbody>
  <contact><pair geom1="floor" geom2="ball" condim="%(condim)s" friction=".7 .6 .01 .002 .003" solreffriction=".03 1.1"/>
  </contact>
  <actuator><adhesion body="grip" ctrlrange="0 1" gain="5"/></actuator>
  <sensor><force site="here"/></sensor>
</mujoco>
""".replace('<geom name="ball"', '<site name="here"/><geom name="ball"')

DEFAULTS = dict(
    cone="pyramidal",
    jacobian="dense",
    solver="Newton",
    impratio=1,
    iterations=100,
    tolerance=1e-8,
    noslip=0,
    integrator="Euler",
    island="enable",
    warmstart="enable",
    condim=3,
)


def pile(**changes):
    """Boxes, balls, an arm at its limit and a gripper on a floor."""
    return PILE % {**DEFAULTS, **changes}


def kicked(om, od, seed=0):
    """Gives all dofs some speed and the actuators some control."""
    od.qvel[:] = 0.5 * np.random.default_rng(seed).normal(size=om.nv)
    od.ctrl[:] = 0.7


KINDS = list(itertools.product(("pyramidal", "elliptic"), ("dense", "sparse"), (1, 3, 4, 6)))
