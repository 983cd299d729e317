"""Models the tests run on, as MJCF text."""

# Every kind of named element, joints of every type, limits, contacts in the initial pose.
RICH = """
<mujoco model="rich">
  <size nuserdata="3"/>
  <option timestep="0.004"/>
  <asset>
    <mesh name="tetra" vertex="0 0 0  1 0 0  0 1 0  0 0 1"/>
    <texture name="flat" type="2d" builtin="flat" width="4" height="6"/>
    <material name="paint" texture="flat" rgba="1 0 0 1"/>
    <hfield name="ground" nrow="2" ncol="3" size="1 1 1 1" elevation="0 1 2 3 4 5"/>
  </asset>
  <worldbody>
    <light name="lamp"/>
    <camera name="eye" pos="0 -2 1"/>
    <geom name="floor" type="plane" size="5 5 0.1"/>
    <body name="torso" pos="0 0 0.25">
      <freejoint name="root"/>
      <geom name="ball" size="0.3" friction="0.7"/>
      <site name="tip" pos="0.1 0 0"/>
      <body name="arm" pos="0.5 0 0.4">
        <joint name="hinge" range="-1 1" damping="0.3" frictionloss="0.1" armature="0.01"/>
        <joint name="slide" type="slide" axis="1 0 0"/>
        <geom name="link" type="capsule" size="0.05" fromto="0 0 0 0.4 0 0" rgba="0 1 0 1"/>
        <body name="hand" pos="0.5 0 0">
          <joint name="wrist" type="ball"/>
          <geom size="0.06"/>
          <site name="palm"/>
        </body>
      </body>
    </body>
    <body name="target" mocap="true" pos="1 1 1"/>
  </worldbody>
  <contact>
    <pair name="touch" geom1="ball" geom2="link"/>
    <exclude name="apart" body1="torso" body2="arm"/>
  </contact>
  <equality><joint name="couple" joint1="hinge" joint2="slide"/></equality>
  <tendon>
    <fixed name="cable" range="0 1" limited="true"><joint joint="hinge" coef="1"/><joint joint="slide" coef="2"/></fixed>
    <spatial name="rope"><site site="tip"/><site site="palm"/></spatial>
  </tendon>
  <actuator>
    <general name="servo" joint="hinge" dyntype="integrator" gainprm="3"/>
    <motor name="motor" joint="slide" ctrlrange="-1 1"/>
    <motor name="pull" tendon="cable"/>
  </actuator>
  <sensor>
    <jointpos name="angle" joint="hinge"/>
    <framepos name="where" objtype="body" objname="torso"/>
    <framequat name="turn" objtype="site" objname="palm"/>
  </sensor>
  <custom>
    <numeric name="gains" data="1 2 3"/>
    <numeric name="more" data="4 5"/>
    <text name="note" data="hello"/>
    <tuple name="group"><element objtype="body" objname="torso" prm="2"/><element objtype="geom" objname="ball"/></tuple>
  </custom>
  <keyframe>
    <key name="home" time="1.5" qpos="0 0 1 1 0 0 0 0.2 0.1 1 0 0 0" ctrl="0.1 0.2 0.3"/>
    <key name="away" qvel="1 0 0 0 0 0 0 0 0 0 0"/>
  </keyframe>
</mujoco>
"""

PENDULUM = """
<mujoco>
  <worldbody>
    <body name="rod"><joint name="pivot" axis="0 1 0"/><geom name="bob" size="0.1" pos="0 0 -1"/></body>
  </worldbody>
</mujoco>
"""

EMPTY = "<mujoco/>"

ALL = {"rich": RICH, "pendulum": PENDULUM, "empty": EMPTY}
