"""URDF files against MuJoCo."""

import mujoco
import numpy as np
import pytest
import sinew
from compiled import check_files

CUBE = "\n".join(f"v {x} {y} {z}" for x in (-1, 1) for y in (-1, 1.5) for z in (-1, 2))
SHAPES = ('box size="1 2 3"', 'sphere radius=".4"', 'cylinder radius=".1" length="2"', 'capsule radius=".1" length="2"')


def link(name, shape=SHAPES[0]):
    return f"""<link name="{name}">
      <inertial><origin xyz=".1 .2 .3" rpy=".1 .2 .3"/><mass value="2"/>
        <inertia ixx="1" iyy="2" izz="2.5" ixy=".1" ixz=".2" iyz=".05"/></inertial>
      <collision><origin xyz="1 0 0" rpy="0 0 1"/><geometry><{shape}/></geometry></collision></link>"""


def joint(kind, name, parent, child, more=""):
    return f"""<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>
      <origin xyz="0 .1 .2" rpy=".3 .2 .1"/>{more}</joint>"""


def robot(*content, settings=""):
    block = f"<mujoco>{settings}</mujoco>" if settings else ""
    return f'<robot name="r">{block}{"".join(content)}</robot>'


def shape(tag, name, content='<box size="1 1 1"/>', material=""):
    return f'<{tag} name="{name}"><geometry>{content}</geometry>{material}</{tag}>'


MORE = '<axis xyz="0 1 1"/><dynamics damping="1" friction="2"/><limit lower="-1" upper="1" effort="-5" velocity="3"/>'
KINDS = "revolute continuous prismatic fixed planar revolute fixed revolute".split()
CHAIN = "".join(link(f"l{i}", SHAPES[i % 4]) for i in range(len(KINDS) + 1)) + "".join(
    joint(kind, f"j{i}", f"l{i}", f"l{i + 1}", MORE) for i, kind in enumerate(KINDS)
)
RED = '<material name="red"><color rgba="1 0 0 1"/></material>'
ZERO = '<inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="0" iyz="0"/>'
NEGATIVE = ZERO.replace('ixx="0"', 'ixx="-1"')


def inertial(inertia):
    body = f'<link name="b"><inertial><mass value="1"/>{inertia}</inertial>{shape("collision", "c")}</link>'
    return robot('<link name="a"/>', body, joint("revolute", "j", "a", "b"))


def mesh(tag, name, file, scale=""):
    return shape(tag, name, f'<mesh filename="{file}" {scale}/>')


COLOURS = (
    RED,
    '<link name="a">',
    shape("collision", "c0"),
    shape("visual", "v0", material='<material name="red"/>'),
    shape("collision", "c1"),
    shape("visual", "v0"),
    shape("visual", "v1", material='<material name="nope"/>'),
    shape("visual", "v2", material=RED.replace("red", "blue")),
    shape("collision", "c2"),
    "</link>",
)
MESHES = (
    '<link name="a">',
    mesh("collision", "a", "package://foo/bar/cube.obj"),
    mesh("collision", "b", "cube.obj", 'scale="2 2 2"'),
    mesh("visual", "c", "x/cube.obj", 'scale="2 2 2"'),
    mesh("collision", "d", "cube.obj", 'scale="1 2 1"'),
    "</link>",
)
SETTINGS = """<compiler fusestatic="false" discardvisual="false" balanceinertia="true" angle="degree" colour="1"/>
  <option timestep=".01" colour="1"/><size nkey="2"/><worldbody><nothing/></worldbody>"""
AB = link("a") + link("b")

CASES = {
    "kinds of joints": robot(CHAIN),
    "settings": robot(CHAIN, settings=SETTINGS),
    "ball": robot(AB, joint("spherical", "j", "a", "b")),
    "floating": robot('<link name="world"/>', AB, joint("floating", "f", "world", "a"), joint("fixed", "j", "a", "b")),
    "swapped limits": robot(AB, joint("revolute", "j", "a", "b", '<limit lower="1" upper="-1"/>')),
    "one limit": robot(AB, joint("revolute", "j", "a", "b", '<limit upper="1"/>')),
    "colours": robot(*COLOURS),
    "colours of visuals": robot(*COLOURS, settings='<compiler discardvisual="false"/>'),
    "meshes": robot(*MESHES, settings='<compiler discardvisual="false" meshdir="meshes"/>'),
    "meshes with paths": robot(
        '<link name="a">',
        mesh("collision", "m", "meshes/cube.obj"),
        "</link>",
        settings='<compiler strippath="false"/>',
    ),
    "no inertia": inertial(ZERO),
    "balanced inertia": inertial(ZERO.replace('"0"', '"1"', 1)),
    "negative inertia": inertial(NEGATIVE),
    "missing inertia": inertial(""),
    "several roots": robot(
        link("b"), '<link name="world"/>', link("a"), link("c"), joint("prismatic", "j", "world", "c"),
        joint("continuous", "k", "b", "a"),
    ),
    "shapes of the world": robot(
        '<link name="world">', shape("collision", "w"), "</link>", AB, joint("revolute", "j", "world", "a"),
        joint("fixed", "k", "world", "b"),
    ),
    "upper case": robot(AB).replace("robot", "Robot"),
    "unknown elements": robot(
        "<transmission/><gazebo><x/></gazebo>", AB, joint("revolute", "j", "a", "b", '<mimic joint="q"/><calibration/>')
    ),
    "empty": robot(),
    "loop": robot(AB, joint("revolute", "j", "a", "b"), joint("revolute", "k", "b", "a")),
    "two parents": robot(AB, link("c"), joint("fixed", "j", "a", "c"), joint("fixed", "k", "b", "c")),
    "repeated link": robot(AB, link("a")),
    "repeated joint": robot(AB, link("c"), joint("revolute", "j", "a", "b"), joint("revolute", "j", "a", "c")),
    "unnamed link": robot("<link/>"),
    "unknown link": robot(AB, joint("revolute", "j", "a", "c")),
    "unknown joint type": robot(AB, joint("screw", "j", "a", "b")),
    "no shape": robot('<link name="a"><collision><geometry/></collision></link>'),
    "bad number": robot(link("a", 'sphere radius="x"')),
    "too few numbers": robot(link("a", 'box size="1 2"')),
    "repeated origin": robot('<link name="a"><collision><origin/><origin/></collision></link>'),
}  # fmt: skip


@pytest.mark.parametrize("urdf", CASES.values(), ids=CASES.keys())
def test_urdf(tmp_path, urdf):
    check_files(tmp_path, {"main.urdf": urdf, "meshes/cube.obj": CUBE})


def test_attached(tmp_path):
    top = """<mujoco><asset><model name="u" file="r.urdf"/></asset><worldbody>
      <attach model="u" prefix="A" body="b"/></worldbody></mujoco>"""
    check_files(tmp_path, {"main.xml": top, "r.urdf": robot(AB, joint("revolute", "j", "a", "b"))})


TREE = """
<mujoco model="tree"><compiler angle="radian"/>
  <asset><mesh name="m" file="m.obj" scale=".1 .2 .3"/></asset>
  <worldbody><geom name="base" type="box" size=".1 .2 .3" pos="0 0 -1"/>
    <body name="a" pos=".1 .2 .3" euler=".3 .2 .1"><freejoint name="f"/><geom type="mesh" mesh="m" euler="1 .5 0" pos=".2 0 0"/>
      <body name="b" pos="0 .1 .5" euler="0 1.5707963267948966 .4">
        <joint name="h" axis="0 1 0" pos=".1 .05 .2" range="-.5 1" damping=".3" frictionloss=".1"/>
        <geom type="capsule" size=".05 .1" pos=".1 0 0" rgba="1 0 0 1"/><geom type="cylinder" size=".05 .1" contype="0" conaffinity="0"/>
        <body name="c" pos="0 0 .2"><joint name="s" type="slide" axis="1 0 0" range="0 .4" actuatorfrcrange="-3 3"/>
          <inertial pos=".01 .02 .03" mass=".7" diaginertia=".03 .02 .04" euler="0 .1 .2"/><geom size=".04"/></body>
        <body name="d" pos="0 0 -.2"><joint name="w" axis="0 0 1" pos="0 0 .1"/><geom size=".06" pos="0 .1 0"/></body>
      </body></body></worldbody></mujoco>
"""
FILES = {"m.obj": b"v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"}


@pytest.mark.parametrize("engine", [mujoco, sinew])
def test_written_trees_move_as_they_did(engine):
    spec = sinew.MjSpec.from_string(TREE, assets=FILES)
    before = spec.compile()
    text = spec.to_urdf().replace("</robot>", '<mujoco><compiler fusestatic="false" discardvisual="false"/></mujoco></robot>')
    after = engine.MjModel.from_xml_string(text, FILES)
    assert after.nq == before.nq
    np.testing.assert_allclose(after.body_mass, before.body_mass, rtol=1e-12)
    np.testing.assert_allclose(after.jnt_range, before.jnt_range, atol=1e-12)
    np.testing.assert_allclose(after.dof_damping, before.dof_damping)
    states = [module.MjData(m) for module, m in ((sinew, before), (engine, after))]
    qpos = np.random.default_rng(0).normal(size=before.nq)
    for module, m, d in ((sinew, before, states[0]), (engine, after, states[1])):
        d.qpos[:] = qpos
        module.mj_kinematics(m, d)
        module.mj_comPos(m, d)
        module.mj_makeM(m, d)
    # link frames are at joints; masses are where they were
    np.testing.assert_allclose(states[0].xipos, states[1].xipos, atol=1e-9)
    np.testing.assert_allclose(states[0].M, states[1].M, atol=1e-9)
    shown = [i for i in range(after.ngeom) if after.geom_contype[i] == 0]
    np.testing.assert_allclose(states[1].geom_xpos[shown], states[0].geom_xpos, atol=1e-9)


@pytest.mark.parametrize("part, name", [
    ('<body name="x"><joint name="y" type="ball"/><geom size=".1"/></body>', "ball joint 'y'"),
    ('<body name="x"><joint/><joint axis="1 0 0"/><geom size=".1"/></body>', "several joints of body 'x'"),
    ('<geom name="floor" type="plane" size="1 1 1"/>', "geom 'floor'"),
])
def test_what_cannot_be_said_is_refused(part, name):
    spec = sinew.MjSpec.from_string(f"<mujoco><worldbody>{part}</worldbody></mujoco>")
    with pytest.raises(ValueError, match=name):
        spec.to_urdf()
