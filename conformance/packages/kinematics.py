"""mink: inverse kinematics of a humanoid and of an arm, with all kinds of tasks and limits."""

import pathlib

import numpy as np

ARM = """
<mujoco>
  <worldbody>
    <body name="a" pos="0 0 .2"><joint name="a" axis="0 0 1" range="-170 170"/><geom name="a" type="capsule" fromto="0 0 0 0 0 .2" size=".04"/>
      <body name="b" pos="0 0 .25"><joint name="b" axis="0 1 0" range="-120 120"/><geom name="b" type="capsule" fromto="0 0 0 .3 0 0" size=".04"/>
        <body name="c" pos=".3 0 0"><joint name="c" axis="0 1 0" range="-150 150"/><geom name="c" type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
          <body name="d" pos=".3 0 0"><joint name="d" axis="1 0 0" range="-170 170"/><joint name="e" axis="0 1 0" range="-90 90"/>
            <geom name="d" size=".04"/><site name="tip" pos=".05 0 0"/></body>
        </body>
      </body>
    </body>
    <geom name="wall" type="box" size=".02 .5 .5" pos=".65 0 .5"/>
  </worldbody>
  <equality><joint joint1="e" joint2="d" polycoef="0 .5 0 0 0"/></equality>
</mujoco>
"""


def tasks():
    yield "humanoid: hands, feet, centre of mass", humanoid
    yield "arm: tip, limits, equality, wall", arm


def solve(mink, configuration, tasks, limits, place):
    """Follows a target; every step solves the quadratic program once."""
    dt = 0.02
    time = [0.0]

    def reset():
        return configuration.q

    def step(rng):
        time[0] += dt
        place(time[0])
        velocity = mink.solve_ik(configuration, tasks, dt, solver="daqp", damping=1e-3, limits=limits)
        configuration.integrate_inplace(velocity, dt)
        return configuration.q, velocity

    return reset, step


def humanoid():
    import mink
    import mujoco

    m = mujoco.MjModel.from_xml_path(str(pathlib.Path(__file__).parents[2] / "models" / "humanoid.xml"))
    configuration = mink.Configuration(m)
    names = [n for n in (m.body(i).name for i in range(m.nbody)) if n.startswith(("hand", "foot"))]
    frames = [mink.FrameTask(name, "body", position_cost=1.0, orientation_cost=0.1, lm_damping=1.0) for name in names]
    posture, com = mink.PostureTask(m, cost=1e-2), mink.ComTask(cost=1.0)
    for task in (*frames, posture, com):
        task.set_target_from_configuration(configuration)
    starts = [task.transform_target_to_world.translation().copy() for task in frames]

    def place(t):
        for i, (task, at) in enumerate(zip(frames, starts)):
            shift = 0.1 * np.array([np.sin(t + i), np.cos(t + i) - np.cos(i), 0.5 * np.sin(2 * t)])
            task.set_target(mink.SE3.from_rotation_and_translation(
                task.transform_target_to_world.rotation(), at + shift))

    return solve(mink, configuration, [*frames, posture, com], [mink.ConfigurationLimit(m)], place)


def arm():
    import mink
    import mujoco

    m = mujoco.MjModel.from_xml_string(ARM)
    configuration = mink.Configuration(m, np.array([0.1, 0.4, 0.5, 0.2, 0.1]))
    frame = mink.FrameTask("tip", "site", position_cost=1.0, orientation_cost=0.0)
    frame.set_target_from_configuration(configuration)
    damping, equality = mink.DampingTask(m, cost=1e-2), mink.EqualityConstraintTask(m, cost=1.0)
    at = frame.transform_target_to_world.translation().copy()

    def place(t):
        frame.set_target(mink.SE3.from_translation(at + 0.15 * np.array([np.sin(3 * t), np.cos(3 * t) - 1, 0])))

    limits = [mink.ConfigurationLimit(m), mink.VelocityLimit(m, {"a": 1.0, "b": 1.0}),
              mink.CollisionAvoidanceLimit(m, geom_pairs=[(["c", "d"], ["wall"])])]
    return solve(mink, configuration, [frame, damping, equality], limits, place)
