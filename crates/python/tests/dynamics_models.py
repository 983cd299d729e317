"""Small models that together use every feature of the velocity, force, sensor and integration stages."""

FLUID = """
<mujoco>
  <option density="%s" viscosity="%s" wind="1 -.5 .3"/>
  <worldbody>
    <body pos="0 0 1"><freejoint/><geom type="box" size=".1 .2 .3" pos=".05 0 0" quat="1 .1 0 .3"/></body>
    <body pos="1 0 1"><freejoint/>
      <geom type="ellipsoid" size=".02 .1 .3" pos=".1 .2 0" quat="1 .4 0 .3" fluidshape="ellipsoid"
            fluidcoef=".6 .3 1.7 1.1 .9"/>
      <geom type="capsule" size=".05 .1" pos="0 .1 .2" fluidshape="ellipsoid"/>
      <body pos="0 0 .3"><joint type="ball" pos="0 0 .1"/><geom type="cylinder" size=".1 .05" fluidshape="ellipsoid"/>
        <body pos=".2 0 0"><joint axis="0 1 0"/><joint axis="1 0 0"/><geom size=".05" pos=".1 0 0" fluidshape="ellipsoid"/>
        </body>
      </body>
    </body>
    <body pos="3 0 0"><joint type="slide" axis="1 1 0"/><geom type="box" size=".1 .1 .1"/>
      <body pos="0 0 .5"><joint axis="0 1 0"/><geom type="capsule" size=".02 .2"/></body>
    </body>
    <body pos="5 0 0"><geom size=".1"/></body>
  </worldbody>
</mujoco>
"""

PASSIVE = """
<mujoco>
  <option gravity="1 2 -9"/>
  <worldbody>
    <body pos="0 0 1" gravcomp=".7"><joint type="free" stiffness="20" damping=".5"/><geom size=".1" pos=".1 0 0"/>
      <body pos=".3 0 0" gravcomp="1"><joint type="ball" stiffness="3" damping=".2" springref="0" armature=".1"/>
        <geom size=".05" pos="0 0 .2"/>
        <body pos="0 0 .4" gravcomp="1.5"><joint name="h" stiffness="4" springref="30" ref="10" actuatorgravcomp="true"
              damping=".1" actuatorfrcrange="-2 3"/><geom type="capsule" size=".03 .1" pos=".2 0 0"/><site name="a"/></body>
      </body>
    </body>
    <body pos="2 0 1"><joint name="s" type="slide" axis="1 0 1" stiffness="10" springref=".2"/><geom size=".1"/>
      <site name="b" pos="0 .1 0"/>
      <body pos="0 0 .4"><joint name="h2"/><geom size=".1" pos=".1 0 0"/><site name="c" pos=".1 .1 0"/></body></body>
  </worldbody>
  <tendon>
    <spatial stiffness="30" damping="3" springlength=".1 .5"><site site="a"/><site site="b"/><site site="c"/></spatial>
    <spatial armature=".3" stiffness="7" springlength="3"><site site="a"/><site site="c"/><pulley divisor="2"/>
      <site site="b"/><site site="c"/></spatial>
    <fixed name="f" stiffness="5" damping="2" armature=".2"><joint joint="h" coef="2"/><joint joint="h2" coef="-1"/>
      <joint joint="s" coef=".5"/></fixed>
  </tendon>
  <actuator><motor joint="h"/></actuator>
</mujoco>
"""

ACTUATORS = """
<mujoco>
  <option timestep=".004" actuatorgroupdisable="3"/>
  <worldbody>
    <body><joint name="a" axis="0 1 0" damping=".3" actuatorfrcrange="-4 4"/><geom type="capsule" size=".05 .2" pos="0 0 .2"/>
      <site name="s0" pos=".1 0 .1"/>
      <body pos="0 0 .4"><joint name="b" axis="1 0 0" damping=".2"/><geom type="capsule" size=".05 .2" pos="0 0 .2"/>
        <site name="s1" pos=".1 0 .1"/>
        <body pos="0 0 .4"><joint name="c" type="ball"/><geom size=".1" pos=".1 0 0"/><site name="s2"/></body>
      </body>
    </body>
  </worldbody>
  <tendon>
    <spatial name="t"><site site="s0"/><site site="s1"/><site site="s2"/></spatial>
    <fixed name="f" actuatorfrcrange="-1 2"><joint joint="a" coef="1"/><joint joint="b" coef="-2"/></fixed>
  </tendon>
  <actuator>
    <motor joint="a" ctrlrange="-1 1" gear="3"/>
    <position joint="b" kp="10" kv="2" forcerange="-3 3"/>
    <velocity joint="a" kv="3"/>
    <intvelocity joint="b" kp="7" actrange="-.3 .3"/>
    <damper joint="a" kv="2" ctrlrange="0 5"/>
    <cylinder tendon="t" area=".01" timeconst=".1" bias="1 2 3"/>
    <muscle tendon="t" lengthrange=".5 1.5" timeconst=".02 .06"/>
    <muscle tendon="t" lengthrange=".5 1.5" tausmooth=".3" force="40"/>
    <general joint="c" gear="1 2 3" dyntype="filter" dynprm=".05" gaintype="affine" gainprm="1 2 -3" biastype="affine"
             biasprm=".1 .2 -.3" actearly="true"/>
    <general joint="a" dyntype="filterexact" dynprm=".03" gainprm="4" actlimited="true" actrange="-.5 .4" actearly="true"/>
    <general joint="b" dyntype="integrator" gaintype="affine" gainprm="0 0 -2" forcerange="-.1 .1"/>
    <general tendon="f" gainprm="30"/>
    <general tendon="f" gainprm="20" biastype="affine" biasprm="0 0 -4"/>
    <motor joint="a" group="3"/>
    <general joint="b" group="3" dyntype="integrator"/>
    <general joint="a" dyntype="user" gaintype="user" biastype="user"/>
  </actuator>
</mujoco>
"""

DELAYS = """
<mujoco>
  <option timestep=".01"/>
  <worldbody>
    <body><joint name="a" axis="0 1 0" damping=".3"/><geom type="capsule" size=".05 .2" pos="0 0 .2"/><site name="s"/>
      <body pos="0 0 .4"><joint name="b" axis="0 1 0"/><geom type="capsule" size=".05 .2" pos="0 0 .2"/></body></body>
  </worldbody>
  <actuator>
    <motor joint="a" nsample="5" delay=".02"/><motor joint="a" nsample="9" delay=".035" interp="linear"/>
    <position joint="b" nsample="7" delay=".033" interp="cubic"/><motor joint="b" nsample="3"/><motor joint="b"/>
  </actuator>
  <sensor>
    <jointpos joint="a" nsample="5" delay=".03"/>
    <jointvel joint="a" nsample="6" delay=".025" interp="linear"/>
    <accelerometer site="s" nsample="4" delay=".015" interp="cubic" cutoff="9"/>
    <jointpos joint="b" nsample="4" interval=".03"/>
    <gyro site="s" nsample="8" interval=".025 -.01" delay=".04" interp="linear"/>
    <jointvel joint="b" nsample="3"/>
    <clock/>
  </sensor>
</mujoco>
"""

SENSORS = """
<mujoco>
  <option magnetic=".1 .2 -.5"><flag energy="%s"/></option>
  <worldbody>
    <camera name="cam" pos="0 -3 1" xyaxes="1 0 0 0 0 1" resolution="64 48" fovy="50"/>
    <camera name="lens" pos="1 -3 1" xyaxes="1 0 0 0 0 1" resolution="80 60" focal=".02 .03" sensorsize=".03 .02"/>
    <site name="zone" size=".4 .5 .6" type="box" pos=".1 0 1"/>
    <body name="f" pos="0 0 1"><freejoint/><geom name="g" type="box" size=".1 .2 .3" pos=".05 .02 .1" quat="1 .2 .3 .1"/>
      <site name="s" pos=".1 .2 .3" quat="1 .5 .2 .1"/><camera name="on" pos="0 0 .5" quat="1 .2 .1 0"/>
      <body name="p" pos=".4 0 0"><joint name="b" type="ball" stiffness="2" damping=".1"/>
        <geom name="h" type="capsule" size=".05 .2" pos="0 0 .3"/><site name="t" pos="0 0 .3" quat="1 0 .7 .1"/>
        <body name="q" pos="0 0 .6"><joint name="j" axis="0 1 0" range="-90 90"/><geom size=".1" pos=".2 0 0"/><site name="u" pos=".2 0 .1"/>
        </body></body></body>
    <body name="w" pos="2 0 0"><joint name="k" type="slide" axis="1 0 0"/><geom size=".1"/><site name="v"/></body>
  </worldbody>
  <tendon><spatial name="ten" stiffness="3" springlength=".2 .3"><site site="t"/><site site="v"/></spatial></tendon>
  <actuator><motor name="m" joint="j" ctrlrange="-1 1"/><motor name="n" tendon="ten" gear="2"/>
    <position joint="j" kp="5"/></actuator>
  <sensor>
    <accelerometer site="s"/><velocimeter site="s"/><gyro site="t"/><force site="t"/><torque site="u"/>
    <magnetometer site="u"/><camprojection site="u" camera="cam"/><camprojection site="t" camera="lens"/>
    <jointpos joint="j"/><jointvel joint="k" cutoff=".05"/><tendonpos tendon="ten"/><tendonvel tendon="ten"/>
    <actuatorpos actuator="m"/><actuatorvel actuator="n"/><actuatorfrc actuator="m"/><jointactuatorfrc joint="j"/>
    <tendonactuatorfrc tendon="ten"/><ballquat joint="b"/><ballangvel joint="b"/>
    <framepos objtype="body" objname="p"/><framepos objtype="site" objname="u" reftype="camera" refname="on"/>
    <framequat objtype="geom" objname="h"/><framequat objtype="xbody" objname="q" reftype="body" refname="p"/>
    <framequat objtype="camera" objname="on" reftype="site" refname="s"/>
    <framexaxis objtype="geom" objname="g"/><frameyaxis objtype="xbody" objname="q" reftype="geom" refname="g"/>
    <framezaxis objtype="site" objname="t" reftype="xbody" refname="w"/>
    <framelinvel objtype="body" objname="q"/><framelinvel objtype="site" objname="u" reftype="xbody" refname="f"/>
    <frameangvel objtype="geom" objname="h" reftype="site" refname="s"/><frameangvel objtype="camera" objname="on"/>
    <framelinacc objtype="body" objname="q"/><frameangacc objtype="geom" objname="h"/><framelinacc objtype="xbody" objname="w"/>
    <framelinacc objtype="camera" objname="cam"/>
    <subtreecom body="p"/><subtreelinvel body="f"/><subtreeangmom body="f"/><subtreeangmom body="p"/>
    <insidesite site="zone" objtype="body" objname="f"/><insidesite site="zone" objtype="site" objname="v"/>
    <jointlimitpos joint="j"/><jointlimitvel joint="j"/><jointlimitfrc joint="j"/>
    <e_potential/><e_kinetic/><clock cutoff=".003"/><user dim="3" needstage="vel"/>
  </sensor>
</mujoco>
"""

CHAIN = """
<mujoco>
  <option timestep=".003" integrator="%s"/>
  <worldbody>
    <body pos="0 0 1"><freejoint/><geom type="box" size=".1 .2 .3" pos=".05 0 0"/>
      <body pos=".3 0 0"><joint type="ball" damping=".4"/><joint type="slide" axis="1 0 1" damping=".1"/>
        <geom type="capsule" size=".05 .1" pos=".1 0 0"/>
        <body pos=".3 0 0"><joint name="x" axis="0 1 0"/><joint name="y" axis="1 0 0"/><geom size=".1" pos=".2 0 0"/></body>
        <body pos="0 .3 0"><joint name="z" axis="0 0 1" damping=".2"/><geom size=".1" pos="0 .2 0"/>
          <body pos="0 .3 0"><geom size=".02"/><body pos="0 .1 0"><joint type="ball"/><geom size=".05" pos="0 0 .1"/></body></body>
        </body>
      </body>
    </body>
  </worldbody>
  <tendon><fixed name="cross" damping=".7"><joint joint="x" coef="1"/><joint joint="z" coef="-2"/></fixed></tendon>
  <actuator><velocity joint="y" kv="2"/><velocity tendon="cross" kv=".3"/></actuator>
</mujoco>
"""

DYNAMICS = {
    **{f"fluid {d} {v}": FLUID % (d, v) for d, v in ((1.2, 0), (0, 0.3), (900, 0.01))},
    "passive": PASSIVE,
    "passive, sparse": PASSIVE.replace("<option", '<option jacobian="sparse"'),
    "passive, no springs": PASSIVE.replace("<worldbody>", '<option><flag spring="disable"/></option><worldbody>'),
    "passive, no dampers": PASSIVE.replace("<worldbody>", '<option><flag damper="disable"/></option><worldbody>'),
    "passive, neither": PASSIVE.replace(
        "<worldbody>", '<option><flag damper="disable" spring="disable"/></option><worldbody>'
    ),
    "passive, no gravity": PASSIVE.replace("<worldbody>", '<option><flag gravity="disable"/></option><worldbody>'),
    "actuators": ACTUATORS,
    "actuators, not clamped": ACTUATORS.replace(
        "<worldbody>", '<option><flag clampctrl="disable"/></option><worldbody>'
    ),
    "actuators, disabled": ACTUATORS.replace("<worldbody>", '<option><flag actuation="disable"/></option><worldbody>'),
    "delays": DELAYS,
    "delays, RK4": DELAYS.replace("<option", '<option integrator="RK4"'),
    "sensors": SENSORS % "disable",
    "sensors with energy": SENSORS % "enable",
    **{f"chain {i}": CHAIN % i for i in ("Euler", "RK4", "implicit", "implicitfast")},
    "chain, no eulerdamp": (CHAIN % "Euler").replace(
        "<worldbody>", '<option><flag eulerdamp="disable"/></option><worldbody>'
    ),
}
