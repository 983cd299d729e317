"""MuJoCo's own MJX: a model and its data are put on a JAX device and stepped there."""

import numpy as np

PENDULUM = """
<mujoco>
  <option timestep="0.005"/>
  <worldbody>
    <geom type="plane" size="2 2 .1"/>
    <body pos="0 0 1"><joint name="a" axis="0 1 0" damping=".1"/><geom type="capsule" fromto="0 0 0 .4 0 0" size=".03"/>
      <body pos=".4 0 0"><joint name="b" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/></body>
    </body>
    <body pos="1 0 .3"><freejoint/><geom type="sphere" size=".1"/></body>
  </worldbody>
  <actuator><motor joint="a" ctrlrange="-1 1"/></actuator>
  <sensor><jointpos joint="a"/><jointvel joint="b"/></sensor>
</mujoco>
"""


def tasks():
    yield "pendulum and ball", start


def start():
    import jax
    import mujoco
    from mujoco import mjx

    jax.config.update("jax_enable_x64", True)
    m = mujoco.MjModel.from_xml_string(PENDULUM)
    d = mujoco.MjData(m)
    model = mjx.put_model(m)
    state = [mjx.put_data(m, d)]
    advance = jax.jit(mjx.step)

    def shown():
        now = state[0]
        return [np.asarray(x) for x in (now.qpos, now.qvel, now.sensordata, now.time, now.xpos, now.qacc)]

    def step(rng):
        state[0] = advance(model, state[0].replace(ctrl=jax.numpy.asarray(rng.uniform(-1, 1, m.nu))))
        return shown()

    return shown, step
