// Initial model of a playground, to edit or to replace by dropping another one.
export const NAME = 'model.xml';

export const TEXT = `<mujoco model="playground">
  <!-- Change anything: the model runs as you type. Or drop your own, as files, a folder or a zip archive. -->
  <visual><global azimuth="125" elevation="-22"/></visual>
  <statistic center="0 0 .75" extent="2.1"/>

  <asset>
    <texture type="skybox" builtin="gradient" rgb1=".55 .7 .85" rgb2=".1 .15 .25" width="256" height="256"/>
    <texture name="tiles" type="2d" builtin="checker" rgb1=".23 .28 .34" rgb2=".29 .35 .42" width="256" height="256"/>
    <material name="tiles" texture="tiles" texrepeat="1 1" texuniform="true" reflectance=".15"/>
  </asset>

  <worldbody>
    <light pos="1 -2 4" dir="-.3 .5 -1" diffuse=".8 .8 .8"/>
    <geom name="floor" type="plane" size="0 0 .1" material="tiles"/>

    <body name="crane" pos="0 0 1.6">
      <joint name="turn" axis="0 0 1" damping=".5"/>
      <geom type="capsule" fromto="0 0 0  .8 0 0" size=".05" rgba=".95 .55 .2 1"/>
      <geom type="cylinder" fromto="0 0 -1.6  0 0 .1" size=".06" rgba=".35 .4 .48 1"/>
      <body name="rope" pos=".8 0 0">
        <joint name="swing" type="ball" damping=".01"/>
        <geom type="capsule" fromto="0 0 0  0 0 -.8" size=".02" rgba=".8 .85 .9 1"/>
        <geom name="load" pos="0 0 -.95" size=".15" rgba=".25 .6 .95 1"/>
      </body>
    </body>

    <replicate count="6" offset="0 0 .21">
      <body name="brick" pos="-.8 0 .1">
        <freejoint/>
        <geom type="box" size=".12 .2 .1" rgba=".8 .3 .3 1"/>
      </body>
    </replicate>
  </worldbody>

  <actuator>
    <motor name="turn" joint="turn" ctrlrange="-6 6"/>
  </actuator>

  <sensor>
    <jointpos name="angle" joint="turn"/>
    <framepos name="load" objtype="geom" objname="load"/>
  </sensor>
</mujoco>
`;
