"""Compiler output for everything outside the body tree, field by field against MuJoCo."""

import mujoco
import numpy as np
import pytest
import sinew

BODIES = """
<asset>
  <mesh name="pad" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/> <material name="red" rgba="1 0 0 1"/>
</asset>
<worldbody>
  <camera name="eye" pos="0 0 3" resolution="3 2"/> <site name="origin" size=".2"/> <geom name="floor" type="plane" size="1 1 1"/>
  <body name="arm" pos="0 0 2"> <joint name="hinge" range="-30 60" ref="20"/> <geom name="ball" size=".1" priority="1"/>
    <geom name="rod" type="cylinder" size=".1 .1" pos="0 .2 0"/> <site name="s1" pos="0 0 .2"/> <site name="s2" pos="0 .3 .1"/>
    <body name="hand" pos="0 .4 0"> <joint name="slide" type="slide" range="0 1"/> <geom name="tip" size=".1"/>
      <site name="s3" pos="0 .1 0"/> <site name="side" pos="0 0 .3"/> </body> </body>
  <body name="swing" pos="0 2 2"> <joint name="socket" type="ball" range="0 40"/> <geom name="knob" size=".1"/> </body>
  <body name="stone" pos="2 0 2" quat="0 1 1 0"> <freejoint name="free"/> <geom name="pebble" size=".1"/> <site name="s5"/> </body>
  <body name="target" mocap="true" pos="1 2 3" quat="2 0 2 0"> <site name="s4"/> </body>
  <body name="other" mocap="true" pos="4 5 6"/>
</worldbody>
"""

TENDONS = """
<tendon>
  <fixed name="pull" range="-1 1" user="1"> <joint joint="hinge" coef="1"/> <joint joint="slide" coef="-2"/> </fixed>
  <spatial name="rope" material="red" width=".01" springlength=".1 .5" stiffness="2" user="3 4" actuatorfrcrange="-1 1">
    <site site="s1"/> <geom geom="rod" sidesite="s2"/> <site site="s3"/> <geom geom="tip"/> <site site="side"/>
    <pulley divisor="2"/> <site site="s1"/> <site site="s5"/>
  </spatial>
  <spatial name="string" armature=".1" limited="true" range="0 2" actuatorfrclimited="true" actuatorfrcrange="-1 0" rgba="0 1 0 1">
    <site site="origin"/> <site site="s4"/>
  </spatial>
</tendon>
"""

ACTUATORS = """
<actuator>
  <motor name="a0" joint="hinge" ctrlrange="-1 1" gear="2" user="1 2 3"/> <motor jointinparent="socket" gear="1 2 3"/>
  <position name="a2" joint="slide" inheritrange=".5" kp="10" dampratio="1"/> <position tendon="pull" inheritrange="1" timeconst=".1"/>
  <intvelocity joint="hinge" inheritrange="2" kp="3" kv="1"/> <velocity tendon="rope" kv="2" forcerange="-1 2"/>
  <cylinder cranksite="s1" slidersite="s2" cranklength=".5" timeconst=".2" area="3"/> <damper site="s3" refsite="s1" kv="1" ctrlrange="0 1"/>
  <adhesion body="hand" ctrlrange="0 1" gain="3"/> <muscle joint="slide" lengthrange="0 1" nsample="3" interp="linear" delay=".01"/>
  <general name="a10" joint="free" dyntype="user" actdim="3" gaintype="user" biastype="user" actlimited="true" actrange="0 1" group="2"/>
  <general site="s5" dyntype="filterexact" actearly="true" nsample="2" gear="0 0 0 1 0 0"/> <general joint="hinge" actdim="0"/>
</actuator>
"""

SENSORS = """
<sensor>
  <touch site="s1" cutoff="2"/> <accelerometer site="s1" noise=".1"/> <velocimeter site="s1"/> <gyro site="s1" user="1 2"/>
  <force site="s1"/> <torque site="s1"/> <magnetometer site="s1"/> <camprojection site="s1" camera="eye"/>
  <rangefinder site="s1"/> <rangefinder camera="eye" data="dist dir normal"/>
  <jointpos joint="hinge" nsample="4" delay=".1" interp="cubic"/> <jointvel joint="slide" interval=".1 -.05" nsample="2"/>
  <tendonpos tendon="rope"/> <tendonvel tendon="rope"/> <actuatorpos actuator="a0"/> <actuatorvel actuator="a0"/>
  <actuatorfrc actuator="a10"/> <jointactuatorfrc joint="hinge"/> <tendonactuatorfrc tendon="pull"/>
  <ballquat joint="socket"/> <ballangvel joint="socket"/>
  <jointlimitpos joint="hinge"/> <jointlimitvel joint="slide"/> <jointlimitfrc joint="socket"/>
  <tendonlimitpos tendon="pull"/> <tendonlimitvel tendon="pull"/> <tendonlimitfrc tendon="string"/>
  <framepos objtype="body" objname="arm" reftype="camera" refname="eye"/> <framequat objtype="xbody" objname="arm" reftype="site" refname="s5"/>
  <framexaxis objtype="geom" objname="ball"/> <frameyaxis objtype="site" objname="s1"/> <framezaxis objtype="camera" objname="eye"/>
  <framelinvel objtype="body" objname="arm" reftype="xbody" refname="world"/> <frameangvel objtype="body" objname="arm"/>
  <framelinacc objtype="body" objname="arm"/> <frameangacc objtype="body" objname="arm"/>
  <subtreecom body="arm"/> <subtreelinvel body="arm"/> <subtreeangmom body="arm"/> <insidesite site="origin" objtype="site" objname="s1"/>
  <distance geom1="ball" body2="stone" cutoff="1"/> <normal body1="arm" geom2="pebble" cutoff="1"/> <fromto geom1="ball" geom2="pebble"/>
  <contact/> <contact geom1="ball" subtree2="stone" data="found force pos tangent" reduce="netforce" num="3"/>
  <contact site="origin" body2="hand" data="dist" reduce="mindist" num="2"/> <contact subtree1="arm" reduce="maxforce"/>
  <e_potential/> <e_kinetic/> <clock/> <tactile geom="ball" mesh="pad"/>
  <user dim="0"/> <user name="u" dim="4" datatype="quaternion" needstage="vel" objtype="tendon" objname="rope"/>
</sensor>
"""

MODELS = {
    "contact": BODIES
    + """<default><default class="soft"><pair friction="2" solref=".1 2" margin=".2"/></default></default>
    <contact> <pair name="p0" geom1="pebble" geom2="ball" condim="4" friction="1 2 3 4 5" solreffriction=".1 1" gap=".1"/>
    <pair class="soft" name="p1" geom1="tip" geom2="floor"/> <pair name="p2" geom1="floor" geom2="ball"/> <pair name="p3" geom1="rod" geom2="floor"/>
    <exclude name="e0" body1="stone" body2="arm"/> <exclude name="e1" body1="swing" body2="world"/> <exclude body1="hand" body2="arm"/> </contact>
    <custom> <tuple name="t"> <element objtype="pair" objname="p0"/> <element objtype="exclude" objname="e0" prm="2"/> </tuple> </custom>""",
    "equality": BODIES
    + TENDONS
    + """<equality> <connect name="c" body1="hand" body2="stone" anchor="1 2 3"/> <connect body1="hand" anchor="0 0 1" active="false"/>
    <connect site1="s1" site2="s5" solref=".1 1"/> <weld body1="hand" body2="stone" torquescale=".5"/> <weld body1="swing" anchor="1 0 0"/>
    <weld body1="arm" body2="stone" relpose="1 2 3 2 0 0 0" solimp=".8 .9"/> <weld site1="s1" site2="s4"/>
    <joint joint1="hinge" joint2="slide" polycoef="1 2 3"/> <joint joint1="slide"/> <tendon tendon1="rope" tendon2="pull"/> <tendon tendon1="string"/>
    </equality>""",
    "tendon": BODIES + TENDONS,
    "actuator": BODIES + TENDONS + ACTUATORS,
    "sensor": BODIES + TENDONS + ACTUATORS + SENSORS,
    "custom": BODIES
    + """<custom> <numeric name="n" data="1 2"/> <numeric name="m" size="4" data="1 2"/> <numeric name="z" size="3"/> <text name="x" data="words"/>
    <text name="y" data="naïve"/> <tuple name="t"> <element objtype="body" objname="arm" prm="1.5"/> <element objtype="xbody" objname="arm"/>
    <element objtype="material" objname="red"/> <element objtype="numeric" objname="m"/> <element objtype="text" objname="y"/> </tuple> </custom>""",
    "key": BODIES
    + TENDONS
    + ACTUATORS
    + """<size nkey="7"/> <keyframe> <key/> <key name="k" time="2" qpos="1 2  3 0 0 4  1 2 3 0 0 5 0" qvel="1 2 3 4 5 6 7 8 9 10 11"/>
    <key qpos="1"/> <key qvel="1 2" act="3" ctrl="4 5" mpos="7 8 9" mquat="0 3 0 0"/> <key qpos="0 0  0 0 0 0  0 0 0 0 0 0 0"/> </keyframe>""",
    "key beyond the hinge": """<worldbody> <body> <joint/> <geom size=".1"/> </body> <body> <joint ref="30"/> <geom size=".1"/> </body>
    <body> <joint type="slide" ref="2"/> <geom size=".1"/> </body> </worldbody> <keyframe> <key qpos="1"/> </keyframe>""",
    "user sizes": """<size nuser_tendon="3" nuser_actuator="0" nuser_sensor="2"/> <worldbody> <body> <joint name="j"/> <geom size=".1"/> </body>
    </worldbody> <tendon> <fixed user="1"> <joint joint="j" coef="1"/> </fixed> </tendon> <actuator> <motor joint="j"/> </actuator>
    <sensor> <clock user="5"/> <clock/> </sensor>""",
}

PREFIXES = (
    "pair_ exclude_ eq_ tendon_ wrap_ actuator_ sensor_ numeric_ text_ tuple_ key_ name_ names nu na npair nexclude neq "
    "ntendon nwrap nsensor nnumeric ntext ntuple nkey nmocap nuser nhistory nJmom nemax nnames"
).split()


@pytest.mark.parametrize("name", MODELS)
def test_sections(name):
    xml = f"<mujoco>{MODELS[name]}</mujoco>"
    want, got = (module.MjModel.from_xml_string(xml) for module in (mujoco, sinew))
    compared = 0
    for field in dir(want):
        value = getattr(want, field)
        if not field.startswith(tuple(PREFIXES)) or field == "names_map" or callable(value):
            continue
        compared += 1
        if isinstance(value, bytes):
            assert getattr(got, field) == value, field
        else:
            np.testing.assert_allclose(getattr(got, field), value, rtol=1e-12, atol=1e-12, err_msg=field)
    assert compared > 100
