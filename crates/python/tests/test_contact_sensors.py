"""Sensors that read contacts, against MuJoCo on the same states."""

import mujoco
import numpy as np
import pytest
import sinew

FIELDS = "found force torque dist pos normal tangent"

SCENE = """
<mujoco>
  <option cone="{cone}" timestep="0.004"/>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1" friction="1 .05 .02" condim="{condim}"/>
    <site name="zone" pos=".1 0 0" size=".6 .4 .2" type="box"/>
    <body name="box" pos="0 0 .22" euler="5 -8 20"><freejoint/>
      <geom name="box" type="box" size=".2 .15 .1" condim="{condim}"/>
      <site name="pad" type="box" size=".25 .2 .15"/><site name="under" type="sphere" size=".05" pos="0 0 -.1"/>
      <body name="arm" pos=".2 0 .1"><joint axis="0 1 0" damping=".1"/>
        <geom name="arm" type="capsule" fromto="0 0 0 .3 0 .02" size=".04"/>
        <site name="tip" type="ellipsoid" size=".06 .05 .07" pos=".3 0 .02"/>
        <site name="rod" type="cylinder" size=".05 .2" pos=".15 0 .02" euler="0 90 0"/></body>
    </body>
    <body name="ball" pos=".05 .02 .45"><freejoint/><geom name="ball" size=".1"/><site name="skin" size=".11"/></body>
    <body name="other" pos="-.6 0 .12"><freejoint/><geom name="other" type="capsule" size=".08 .15" euler="0 80 0"/>
      <site name="caps" type="capsule" size=".1 .15" euler="0 80 0"/></body>
  </worldbody>
  <sensor>
    <touch site="pad"/><touch site="under"/><touch site="tip"/><touch site="rod"/><touch site="skin"/>
    <touch site="caps" cutoff="2"/>
    {contacts}
  </sensor>
</mujoco>"""


def rules():
    yield ""
    for one in ('geom1="floor"', 'geom1="box"', 'body1="box"', 'subtree1="box"', 'body1="ball"', 'site="zone"'):
        yield one
    for two in ('geom2="box"', 'body2="box"', 'subtree2="box"'):
        yield two
        yield 'geom1="floor" ' + two
        yield 'site="zone" ' + two
    yield 'geom1="box" geom2="floor"'
    yield 'subtree1="box" geom2="ball"'
    yield 'body1="ball" body2="box"'
    yield 'subtree1="box" subtree2="box"'


def contact_sensors():
    for rule in rules():
        for reduce in ("none", "mindist", "maxforce", "netforce"):
            for num in (1, 3):
                yield f'<contact {rule} reduce="{reduce}" num="{num}" data="{FIELDS}"/>'
        yield f'<contact {rule} num="2"/><contact {rule} data="force dist normal" reduce="maxforce" num="5"/>'


def same(got, want, what):
    scale = 1e-6 + np.abs(want).max()
    assert np.abs(got - want).max() < 1e-6 * scale, (what, got, want)


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("condim", [1, 3, 6])
def test_touch_and_contact(cone, condim):
    sensors = list(contact_sensors())
    xml = SCENE.format(cone=cone, condim=condim, contacts="\n".join(sensors))
    om, m = mujoco.MjModel.from_xml_string(xml), sinew.MjModel.from_xml_string(xml)
    od, d = mujoco.MjData(om), sinew.MjData(m)
    touched, found = 0, 0
    for step in range(400):
        mujoco.mj_step(om, od)
        if step % 40 < 38:
            continue
        d.qpos[:], d.qvel[:], d.time = od.qpos, od.qvel, od.time
        d.qacc_warmstart[:] = od.qacc_warmstart
        mujoco.mj_forward(om, od)
        sinew.mj_forward(m, d)
        assert d.ncon == od.ncon
        forces = [np.zeros((od.ncon, 6)) for _ in range(2)]
        for i in range(od.ncon):
            mujoco.mj_contactForce(om, od, i, forces[0][i])
            sinew.mj_contactForce(m, d, i, forces[1][i])
        same(forces[1], forces[0], "contact forces") if od.ncon else None
        for i in range(om.nsensor):
            part = slice(om.sensor_adr[i], om.sensor_adr[i] + om.sensor_dim[i])
            same(d.sensordata[part], od.sensordata[part], (step, i))
        touched += np.count_nonzero(od.sensordata[:6])
        found = max(found, od.ncon)
    assert touched > 20 and found > 6, "the scene is at rest in contact"


TACTILE = """
<mujoco>
  <asset>
    <mesh name="pad" builtin="plate" params="4 5" scale=".1 .08 .1"/>
    <mesh name="rock" builtin="supersphere" params="12 .7 .7" scale=".1 .1 .1"/>
  </asset>
  <worldbody>
    <body name="hand" pos="0 0 .1"><joint type="slide" axis="0 0 1"/><joint type="slide" axis="1 0 0"/>
      <geom name="hand" type="box" size=".2 .2 .02" mass="1"/>
      <geom name="pad" type="mesh" mesh="pad" contype="0" conaffinity="0" pos="0 0 -.015" mass="0"/></body>
    {other}
  </worldbody>
  <sensor><tactile geom="pad" mesh="pad"/></sensor>
</mujoco>"""


@pytest.mark.parametrize(
    "other",
    [
        '<geom type="sphere" size=".1" pos=".01 .02 0"/>',
        '<geom type="box" size=".05 .1 .08" pos=".02 0 .012" euler="3 4 0"/>',
        '<geom type="capsule" size=".08 .1" euler="0 90 0" pos="0 0 .03"/>',
        '<geom type="ellipsoid" size=".1 .12 .09" pos="0 .02 0"/>',
        '<geom type="cylinder" size=".1 .085" pos=".02 0 .01"/>',
        # a mesh has a signed distance field if another geom needs one
        '<geom type="mesh" mesh="rock" euler="10 20 0"/><geom type="sdf" mesh="rock" pos="3 0 0"/>',
        '<body pos="0 0 .01"><freejoint/><geom size=".08"/></body><geom type="plane" size="1 1 1"/>',
    ],
)
def test_tactile(other):
    xml = TACTILE.format(other=other)
    om, m = mujoco.MjModel.from_xml_string(xml), sinew.MjModel.from_xml_string(xml)
    od, d = mujoco.MjData(om), sinew.MjData(m)
    seen = 0
    for height in (0.0, -0.01, -0.03):
        for dst, model, forward in ((od, om, mujoco.mj_forward), (d, m, sinew.mj_forward)):
            dst.qpos[0] = height
            dst.qvel[:2] = 0.3, -0.7
            forward(model, dst)
        assert d.ncon == od.ncon
        same(d.sensordata, od.sensordata, other)
        seen += np.count_nonzero(od.sensordata)
    assert seen > 0
