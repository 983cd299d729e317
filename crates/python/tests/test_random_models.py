"""Random models against MuJoCo: compiled fields, every stage, inverse dynamics and free motion.

`SINEW_RANDOM_MODELS=5000` sets their number; the default is small enough for a quick run.
"""

import os

import mujoco
import numpy as np
import pytest
import sinew
from random_compare import Differs, by_hulls, judge, rows, survey
from random_flex import add

COUNT = int(os.environ.get("SINEW_RANDOM_MODELS", "240"))
SHARE = 40


@pytest.mark.parametrize("first", range(0, COUNT, SHARE))
def test_random_models(first):
    found = list(survey(range(first, min(first + SHARE, COUNT))))
    differences = [(seed, details) for seed, outcome, details in found if outcome == "differs"]
    assert not differences
    # the test is meaningful only if most models are compared to the end
    assert sum(outcome in ("same", "rounding") for _, outcome, _ in found) >= 0.7 * len(found)


@pytest.mark.parametrize("first", range(0, COUNT // 3, SHARE))
def test_random_flexes(first):
    """The same models with flexes of all kinds among their bodies."""
    found = list(survey(range(first, first + SHARE), add))
    differences = [(seed, details) for seed, outcome, details in found if outcome == "differs"]
    assert not differences
    assert sum(outcome in ("same", "rounding") for _, outcome, _ in found) >= 0.6 * len(found)


# the edge between "a" and "b" ends on the hinge's axis, and no joint changes its length
UNMOVED = """
<mujoco>
  <option jacobian="dense"/>
  <worldbody>
    <body name="a" euler="10 20 0">
      <freejoint/><geom size=".1"/>
      <body name="b" pos=".2 0 0"><joint axis="0 1 0"/><geom size=".1"/></body>
      <body name="c" pos="0 .3 .2"><joint type="slide" axis="1 1 1"/><geom size=".1"/></body>
    </body>
  </worldbody>
  <deformable>
    <flex name="f" dim="2" body="a b c" vertex="0 .1 0 0 .05 0 .1 0 0" element="0 1 2"><contact contype="0" conaffinity="0"/></flex>
  </deformable>
  <equality><flex flex="f"/></equality>
</mujoco>
"""


def test_rows_of_edges_that_nothing_moves():
    """Rounding decides whether such rows exist; all other rows must."""
    om, cm = mujoco.MjModel.from_xml_string(UNMOVED), sinew.MjModel.from_xml_string(UNMOVED)
    od, cd = mujoco.MjData(om), sinew.MjData(cm)
    mujoco.mj_forward(om, od)
    sinew.mj_forward(cm, cd)
    assert (od.nefc, cd.nefc) == (3, 2)
    assert np.max(np.abs(od.efc_J[-om.nv :])) < 1e-16
    assert judge(UNMOVED)[0] == "same"
    cd.eq_active[:] = 0
    sinew.mj_forward(cm, cd)
    with pytest.raises(Differs):
        rows(sinew, cm, om, cd, od, "")


# two corners of the mesh are equally deep in the cylinder
EDGE = """
<mujoco>
  <asset>
    <mesh name="m" vertex="-0.119 .1 0 .0571 0 .1 -0.0547 -0.139 -0.0109 -0.133 -0.1 -0.149 .0695 .1 -0.107 .1 -0.00939 -0.1 .1 .0942 .1
     -0.0893 .0277 -0.0994 .14 -0.1 .1 -0.034 .126 .0652 .1 .1 .1 -.1 .1 0 0 -.1 .1 0 0 -.13"/>
  </asset>
  <worldbody>
    <geom type="mesh" mesh="m"/>
    <body pos="-0.1796 .245 .04764" quat=".6188 -0.7477 -0.2406 -0.009449"><freejoint/><geom type="cylinder" size=".082 .1466"/></body>
  </worldbody>
</mujoco>
"""


def test_order_of_hulls():
    """The order of a hull's corners decides the search path along an edge. Where sinew's order is not MuJoCo's, `by_hulls`
    looks whether it takes the same path with MuJoCo's hull of the same corners."""
    om, cm = mujoco.MjModel.from_xml_string(EDGE), sinew.MjModel.from_xml_string(EDGE)
    od, cd = mujoco.MjData(om), sinew.MjData(cm)
    mujoco.mj_forward(om, od)
    sinew.mj_forward(cm, cd)
    assert abs(od.contact[0].dist - cd.contact[0].dist) < 1e-3 * om.opt.ccd_tolerance
    assert by_hulls(cm, om, 1)
    cm.mesh_vert[0] += 1e-6
    assert not by_hulls(cm, om, 1)
