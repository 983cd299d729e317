"""Small models that together use every feature of the position stages, and the corpus if it exists."""

import os
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[3]
CORPUS = ROOT.parent / "shared" / "corpus"

JOINTS = """
<mujoco>
  <option timestep="0.005"/>
  <worldbody>
    <light mode="trackcom" pos="0 0 3" dir="0.1 0 -1"/>
    <light mode="targetbody" target="tip" pos="1 0 2"/>
    <light mode="targetbodycom" target="arm" pos="-1 0 2"/>
    <camera name="still" pos="1 2 3" xyaxes="1 0 0 0 1 1"/>
    <geom type="plane" size="3 3 .1"/>
    <body name="free" pos="0 0 1" quat="1 .2 .3 .4">
      <freejoint/>
      <light mode="track" pos=".1 .2 .3"/>
      <camera mode="track" pos="0 -1 1"/>
      <camera mode="trackcom" pos="0 -1 1"/>
      <camera mode="targetbody" target="arm" pos="0 -1 1"/>
      <camera mode="targetbodycom" target="free" pos="1 -1 1"/>
      <geom type="box" size=".1 .2 .3" pos=".05 0 0" quat="1 .1 0 0"/>
      <body pos=".3 0 0" euler="10 20 30">
        <joint type="ball" pos=".01 .02 .03" armature=".01"/>
        <geom size=".1"/>
        <site name="hand" pos=".1 0 .1" quat="1 1 0 0"/>
      </body>
    </body>
    <body name="arm" pos="1 0 1">
      <joint name="slide" type="slide" axis="1 1 0" pos="0 .1 0"/>
      <joint name="hinge" axis="0 1 1" pos=".1 0 0" ref="20"/>
      <joint name="twist" axis="0 0 1" range="-90 90"/>
      <geom type="capsule" size=".05" fromto="0 0 0 .5 0 .1"/>
      <site name="elbow" pos=".4 0 0"/>
      <body name="tip" pos=".5 0 .1">
        <joint name="bend" axis="0 1 0" springref="30" stiffness="2"/>
        <geom type="ellipsoid" size=".05 .1 .15"/>
        <inertial pos=".01 0 .02" mass="2" diaginertia=".03 .02 .01"/>
        <body pos="0 0 .2"><geom size=".03"/><site name="end" pos="0 0 .1" euler="0 40 0"/></body>
      </body>
    </body>
    <body name="slider" pos="0 2 1"><joint type="slide" axis="0 0 1"/><geom size=".1" mass="3"/></body>
    <body name="mocap" mocap="true" pos="0 -2 1" quat="1 0 1 0">
      <geom size=".1"/>
      <body pos=".2 0 0"><geom size=".05"/><site name="target"/></body>
    </body>
  </worldbody>
  <equality>
    <connect body1="tip" body2="slider" anchor="0 0 .1"/>
    <weld body1="free" body2="mocap"/>
    <weld body1="slider" body2="arm" relpose="0 0 .1 1 0 0 .1"/>
    <connect site1="hand" site2="end"/>
    <joint joint1="hinge" joint2="twist" polycoef="0 2 .1 0 0"/>
  </equality>
  <actuator>
    <motor joint="slide" gear="3"/>
    <position joint="hinge" kp="20" dampratio="0.7"/>
    <motor site="end" gear="1 2 3 .1 .2 .3"/>
    <position site="hand" refsite="end" gear="1 0 0 0 0 0" kp="4"/>
    <motor site="hand" refsite="elbow" gear="0 0 0 .5 1 0"/>
    <general slidersite="elbow" cranksite="end" cranklength=".9" gear="2"/>
    <general slidersite="elbow" cranksite="end" cranklength=".001"/>
  </actuator>
  <keyframe><key time="1" qpos="0 0 1 1 0 0 0 1 0 0 0 .1 .2 .3 .4 .1" mpos="0 1 2"/></keyframe>
</mujoco>
"""

FREE_ACTUATORS = """
<mujoco>
  <worldbody>
    <body><freejoint name="free"/><geom size=".1" pos=".1 0 0"/>
      <body pos="0 0 .3"><joint name="ball" type="ball"/><geom size=".1" pos="0 0 .2"/></body>
    </body>
  </worldbody>
  <actuator>
    <motor joint="free" gear="1 2 3 4 5 6"/><motor jointinparent="free" gear="1 2 3 4 5 6"/>
    <motor joint="ball" gear=".1 .2 .3"/><motor jointinparent="ball" gear=".1 .2 .3"/>
  </actuator>
</mujoco>
"""

TENDONS = """
<mujoco>
  <option jacobian="%s"/>
  <worldbody>
    <geom name="post" type="cylinder" size=".1 .5" pos="0 0 1" euler="90 0 0"/>
    <geom name="knob" type="sphere" size=".15" pos=".5 0 1"/>
    <geom name="ring" type="cylinder" size=".2 .5" pos="1.5 0 1" euler="90 0 0"/>
    <site name="anchor" pos="-.4 0 .9"/><site name="above" pos=".5 0 1.6"/><site name="inside" pos="1.5 0 1"/>
    <site name="far" pos="1.2 .1 .7"/>
    <body name="a" pos="-.3 0 .7">
      <joint name="j1" axis="0 1 0"/><joint name="j2" axis="1 0 0"/>
      <geom type="capsule" size=".03" fromto="0 0 0 .4 0 0"/><site name="s1" pos=".4 0 0"/>
      <body pos=".45 0 0">
        <joint name="j3" axis="0 1 0"/>
        <geom type="capsule" size=".03" fromto="0 0 0 .4 0 0"/><site name="s2" pos=".2 .05 0"/><site name="s3" pos=".5 0 .3"/>
      </body>
    </body>
    <body name="b" pos="2 0 1">
      <joint name="j4" type="slide" axis="0 0 1"/><joint name="j5" axis="0 1 0"/>
      <geom size=".05"/><site name="s4" pos=".1 0 0"/>
    </body>
  </worldbody>
  <tendon>
    <fixed name="sum" range="0 1" stiffness="1"><joint joint="j1" coef="1.5"/><joint joint="j4" coef="-2"/></fixed>
    <spatial name="straight" armature=".1"><site site="anchor"/><site site="s1"/><site site="s2"/><site site="s4"/></spatial>
    <spatial name="around" springlength=".3"><site site="anchor"/><geom geom="post"/><site site="s2"/></spatial>
    <spatial name="over"><site site="s1"/><geom geom="knob" sidesite="above"/><site site="s3"/></spatial>
    <spatial name="through"><site site="far"/><geom geom="ring" sidesite="inside"/><site site="s4"/></spatial>
    <spatial name="pulley">
      <site site="anchor"/><site site="s1"/><pulley divisor="2"/><site site="s2"/><geom geom="post" sidesite="above"/>
      <site site="anchor"/><pulley divisor="3"/><site site="s3"/><site site="s4"/>
    </spatial>
  </tendon>
  <actuator>
    <motor tendon="sum" gear="2"/><motor tendon="around"/><muscle tendon="pulley" lengthrange=".1 1"/><motor tendon="straight"/>
  </actuator>
</mujoco>
"""

INLINE = {
    "joints": JOINTS,
    "free actuators": FREE_ACTUATORS,
    "tendons, dense": TENDONS % "dense",
    "tendons, sparse": TENDONS % "sparse",
}


def corpus_files():
    """Corpus models to compare with; SINEW_CORPUS names a list in the corpus folder (default quick.txt)."""
    listing = CORPUS / os.environ.get("SINEW_CORPUS", "quick.txt")
    if not listing.exists():
        return []
    return [CORPUS / line.strip() for line in listing.read_text().splitlines() if line.strip()]
