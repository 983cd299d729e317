"""MuJoCo's own MJX: models and data are put on JAX, stepped there, and brought back."""

import pathlib

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
    yield "pendulum and ball", lambda: start(lambda mujoco: mujoco.MjModel.from_xml_string(PENDULUM))
    path = pathlib.Path(__file__).parents[2] / "models" / "humanoid.xml"
    yield "humanoid", lambda: start(lambda mujoco: light(mujoco.MjModel.from_xml_path(str(path))))


def light(m):
    """Few iterations: JAX compiles them one by one."""
    m.opt.iterations, m.opt.ls_iterations = 3, 5
    return m


def start(load):
    import jax
    import mujoco
    from mujoco import mjx

    jax.config.update("jax_enable_x64", True)
    m = load(mujoco)
    d = mujoco.MjData(m)
    model = mjx.put_model(m)
    state = [mjx.put_data(m, d)]
    advance = jax.jit(mjx.step)

    def shown():
        back = mjx.get_data(m, state[0])
        assert isinstance(back, mujoco.MjData)
        return back.qpos.copy(), back.qvel.copy(), back.sensordata.copy(), back.time, state[0].xpos

    def step(rng):
        state[0] = advance(model, state[0].replace(ctrl=jax.numpy.asarray(rng.uniform(-1, 1, m.nu))))
        return shown()

    return shown, step
