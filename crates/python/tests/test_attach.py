"""`attach` against MuJoCo."""

import pytest
import sinew
from compiled import check_files

CUBE = "\n".join(f"v {x} {y} {z}" for x in (-1, 1) for y in (-1, 1.5) for z in (-1, 2))

ARM = """<mujoco model="arm">
  <compiler angle="radian" eulerseq="zyx" meshdir="m" autolimits="false"/>
  <default><geom rgba="1 0 0 1"/><default class="c"><joint damping="3"/><geom mass=".5"/></default></default>
  <asset>
    <mesh file="cube.obj"/><mesh name="two" file="cube.obj" scale="2 2 2"/>
    <texture name="tx" type="2d" builtin="checker" width="8" height="8"/><material name="mat" texture="tx"/>
    <hfield name="h" nrow="2" ncol="2" size="1 1 1 1"/>
  </asset>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1" material="mat"/><site name="ws"/>
    <light name="l" target="arm"/><camera name="cam" target="arm" mode="targetbody"/>
    <body name="arm" pos="0 0 1" euler="0.1 0.2 0.3" childclass="c">
      <joint name="j" range="-1 1" limited="true" ref=".2"/>
      <geom type="mesh" mesh="cube" material="mat"/><site name="as" pos="1 0 0"/>
      <body name="hand" pos="1 0 0">
        <joint name="h" type="ball"/><site name="hs" pos="0 1 0"/>
        <geom name="hg" type="cylinder" size=".1" fromto="0 0 0 1 0 0"/>
      </body>
    </body>
    <body name="mo" mocap="true" pos="3 3 3"/>
  </worldbody>
  <tendon>
    <spatial name="t"><site site="as"/><site site="hs"/></spatial>
    <spatial name="tw"><site site="ws"/><site site="hs"/></spatial>
    <spatial name="tg"><site site="as"/><geom geom="hg" sidesite="hs"/><site site="hs"/></spatial>
    <spatial name="tn"><site site="as"/><geom geom="hg"/><site site="hs"/></spatial>
  </tendon>
  <actuator><motor name="a" joint="j"/><general name="b" tendon="t" dyntype="integrator"/></actuator>
  <sensor>
    <jointpos name="p" joint="j"/><framepos name="fp" objtype="site" objname="hs" reftype="body" refname="arm"/>
    <clock name="ck"/><tendonpos tendon="tw" name="twp"/>
  </sensor>
  <equality><weld name="w" body1="hand"/><tendon name="te" tendon1="t"/></equality>
  <contact><exclude name="ex" body1="arm" body2="hand"/><pair geom1="floor" geom2="hg"/></contact>
  <custom>
    <numeric name="n" data="1 2"/><text name="tt" data="x"/>
    <tuple name="tu"><element objtype="body" objname="arm" prm="1"/></tuple>
  </custom>
  <keyframe>
    <key name="home" qpos=".5 1 0 0 0" ctrl="1 2" act="3" mpos="1 1 1"/><key name="zero" time="2"/>
  </keyframe>
</mujoco>"""


def main(world, rest="", asset='<model name="arm" file="arm.xml"/>'):
    ground = '<geom name="ground" type="plane" size="1 1 1"/>'
    return f"<mujoco><asset>{asset}</asset><worldbody>{ground}{world}</worldbody>{rest}</mujoco>"


def attach(prefix, body="arm", model="arm"):
    named = f'body="{body}"' if body else ""
    return f'<attach model="{model}" {named} prefix="{prefix}"/>'


OTHER = '<body name="q"><joint name="qj"/><geom size="1"/></body>'

CASES = {
    "a body": main(attach("x_")),
    "the world": main(attach("x_", None)),
    "three times": main(
        f'<frame pos="1 0 0">{attach("l_")}</frame><body name="q"><freejoint/><geom size="1"/>'
        f'<frame euler="0 0 90">{attach("r_", "hand")}</frame></body>{attach("w_", None)}',
        '<sensor><jointpos joint="l_j"/></sensor><keyframe><key qpos="1 2 3 1 0 0 0"/><key qvel="1"/></keyframe>',
    ),
    "own keyframe": main(OTHER + attach("r_"), '<keyframe><key name="mine" qpos="1"/></keyframe>'),
    "replicated": main(f'<replicate count="2" offset="0 2 0">{attach("r_", "hand")}</replicate>'),
    "class": main(attach("r_") + '<body><joint class="r_c"/><geom class="r_main" size=".1"/></body>'),
    "unknown body": main(attach("r_", "nope")),
    "unknown model": main(attach("r_", "arm", "nope")),
    "already there": main(attach("r_") + attach("r_")),
    "elsewhere": main(attach("r_") + f"<body>{attach('r_')}</body>"),
    "no prefix": main(attach("")),
    "model without a name": main(attach("r_"), asset='<model file="arm.xml"/>'),
}


@pytest.mark.parametrize("xml", CASES.values(), ids=CASES.keys())
def test_attach(tmp_path, xml):
    check_files(tmp_path, {"main.xml": xml, "arm.xml": ARM, "m/cube.obj": CUBE})


def test_nested(tmp_path):
    middle = main(
        f'<body name="base"><joint name="bj"/><geom size=".1"/>{attach("m_")}</body>',
        '<keyframe><key name="mid" qpos="1"/></keyframe>',
    )
    top = main(attach("A", None, "mid") + attach("B", "base", "mid"), asset='<model name="mid" file="sub/mid.xml"/>')
    check_files(tmp_path, {"main.xml": top, "sub/mid.xml": middle, "sub/arm.xml": ARM, "sub/m/cube.obj": CUBE})


def test_settings_stay_with_their_model(tmp_path):
    settings = 'fusestatic="false" balanceinertia="true" boundmass="3" inertiafromgeom="true"'
    child = f"""<mujoco><compiler {settings}/><worldbody>
      <body name="p"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><geom size="1"/>
        <body name="q"><joint/><geom size=".1"/></body></body></worldbody></mujoco>"""
    top = main(attach("A", "p", "u"), asset='<model name="u" file="c.xml"/>')
    top = top.replace("<mujoco>", '<mujoco><compiler fusestatic="true"/>')
    check_files(tmp_path, {"main.xml": top, "c.xml": child})


def test_keyframe_of_a_wrong_size(tmp_path):
    child = f"<mujoco><worldbody>{OTHER}</worldbody><keyframe><key qpos='1 2'/></keyframe></mujoco>"
    top = main(attach("A", "q", "u"), asset='<model name="u" file="c.xml"/>')
    check_files(tmp_path, {"main.xml": top, "c.xml": child})


def test_a_model_inside_itself_is_refused(tmp_path):
    path = tmp_path / "main.xml"
    path.write_text(main(attach("A", None, "me"), asset='<model name="me" file="main.xml"/>'))
    with pytest.raises(ValueError, match="deep"):
        sinew.MjModel.from_xml_path(str(path))
