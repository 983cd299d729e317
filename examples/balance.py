"""The humanoid balances on one leg for ten seconds under noise: a linear-quadratic regulator from sinew's derivatives.

    python examples/balance.py [--plot docs/img/balance.svg] [--picture docs/img/balance.png]

1. A pose: the left foot flat on the floor, the centre of mass above it, the other leg and the arms raised.
2. Equilibrium: inverse dynamics at rest gives the missing force. A search over the height finds where the floor carries
   the weight; small changes of root and neck bring the force to zero in dofs without motors; motors supply the rest.
3. Feedback: `sinew.transition` at the equilibrium gives A and B, and the Riccati equation the gains.
"""
import argparse
import pathlib
import sys

import numpy as np

import sinew

ROOT = pathlib.Path(__file__).resolve().parents[1]
MODEL = ROOT / "models" / "humanoid.xml"

STANCE, TARGET = "foot_left", (0.035, 0.01)    # target of the centre of mass on the sole, in the frame of the foot
SOLE = 0.068                                   # from the frame of the foot to the floor
RAISED = {"hip_pitch_right": 0.25, "knee_right": 0.95, "ankle_pitch_right": 0.1, "hip_roll_right": 0.25,
          "shoulder_roll_left": 0.9, "shoulder_roll_right": 0.9, "elbow_left": -0.3, "elbow_right": -0.3,
          "knee_left": 0.15, "hip_pitch_left": -0.1}


def jacobian(function, m, d, body):
    jac = np.zeros((3, m.nv))
    function(m, d, jac, body)
    return jac


def turn(m, d, body):
    """The rotation that makes a body upright, facing x."""
    out = np.zeros(3)
    sinew.mju_quat2Vel(out, [d.xquat[body, 0], *-d.xquat[body, 1:]], 1)
    return out


def pose(m, d):
    """Puts `d` on one leg near the desired posture, by Gauss–Newton on the positions of foot and centre of mass."""
    foot, wished = m.body(STANCE).id, d.qpos.copy()
    for name, angle in RAISED.items():
        wished[m.joint(name).qposadr[0]] = angle
    d.qpos[:] = wished
    for _ in range(50):
        sinew.mj_kinematics(m, d)
        sinew.mj_comPos(m, d)
        away = np.zeros(m.nv)
        sinew.mj_differentiatePos(m, away, 1, d.qpos, wished)
        place, rotation = np.zeros((3, m.nv)), np.zeros((3, m.nv))
        sinew.mj_jacBody(m, d, place, rotation, foot)
        com = jacobian(sinew.mj_jacSubtreeCom, m, d, 1)[:2] - place[:2]
        over = d.xpos[foot, :2] + TARGET - d.subtree_com[1, :2]
        posture = np.diag(np.r_[np.zeros(6), np.full(m.nv - 6, 0.03)])
        rows = np.vstack([place, rotation, com, posture])
        miss = np.concatenate([[0, 0, SOLE] - d.xpos[foot], turn(m, d, foot), over, posture @ away])
        move = np.linalg.lstsq(rows, miss, rcond=None)[0]
        sinew.mj_integratePos(m, d.qpos, move, 1)
    assert np.abs(miss[:8]).max() < 0.02, "no pose on one leg near the one that was wished"


def missing(m, d):
    """The force needed to keep the present state at rest."""
    d.qvel[:], d.qacc[:] = 0, 0
    sinew.mj_inverse(m, d)
    return d.qfrc_inverse.copy()


def equilibrium(m, d):
    """Moves `d` to an equilibrium, and returns the controls that hold it there."""
    low, high = d.qpos[2] - 0.01, d.qpos[2]    # in the floor: it pushes too much; above: nothing carries the weight
    for _ in range(40):
        d.qpos[2] = (low + high) / 2
        low, high = (d.qpos[2], high) if missing(m, d)[2] < 0 else (low, d.qpos[2])

    moment = np.zeros((m.nu, m.nv))
    sinew.mju_sparse2dense(moment, d.actuator_moment, d.moment_rownnz, d.moment_rowadr, d.moment_colind)
    free = ~np.any(moment, axis=0)             # dofs of root and neck, which no motor moves
    for _ in range(20):
        force = missing(m, d)
        slope = sinew.inverse_derivatives(m, d).DfDq.T
        move = np.zeros(m.nv)
        move[free] = -np.linalg.lstsq(slope[np.ix_(free, free)], force[free], rcond=None)[0]
        sinew.mj_integratePos(m, d.qpos, move, 1)
    force = missing(m, d)
    ctrl = np.linalg.lstsq(moment.T, force, rcond=None)[0]
    assert np.abs(moment.T @ ctrl - force).max() < 1e-3, "no equilibrium near this pose"
    assert np.all(np.abs(ctrl) < 1), "the motors are too weak for this pose"
    return ctrl


def riccati(A, B, Q, R, rounds=60):
    """Gains of u = -K x that minimise the sum of xᵀ Q x + uᵀ R u; each round doubles the horizon."""
    one = np.eye(len(A))
    a, g, h = A, B @ np.linalg.solve(R, B.T), Q
    for _ in range(rounds):
        w = np.linalg.solve(one + g @ h, np.hstack([a, g]))
        wa, wg = np.hsplit(w, 2)
        a, g, h, before = a @ wa, g + a @ wg @ a.T, h + a.T @ h @ wa, h
        if np.abs(h - before).max() < 1e-9 * np.abs(h).max():
            break
    return np.linalg.solve(R + B.T @ h @ B, B.T @ h @ A)


def gains(m, d, ctrl):
    """Feedback gains about the state and controls of `d`, which keep first the centre of mass above the foot, then the
    posture."""
    d.ctrl[:] = ctrl
    linear = sinew.transition(m, d)
    sinew.mj_forward(m, d)
    foot = m.body(STANCE).id
    over = jacobian(sinew.mj_jacSubtreeCom, m, d, 1) - jacobian(lambda m, d, j, b: sinew.mj_jacBody(m, d, j, None, b), m, d, foot)
    joints = np.r_[np.zeros(6), np.full(m.nv - 6, 0.3)]
    for name in ("hip_roll_left", "hip_yaw_left", "hip_pitch_left", "knee_left", "ankle_pitch_left", "ankle_roll_left",
                 "abdomen_yaw", "abdomen_pitch", "abdomen_roll"):
        joints[m.joint(name).dofadr[0]] = 3
    Q = np.zeros((2 * m.nv, 2 * m.nv))
    Q[: m.nv, : m.nv] = 1000 * over.T @ over + np.diag(joints)
    return riccati(linear.A, linear.B, Q, np.eye(m.nu)), linear


def noise(steps, nu, dt, scale, rng, memory=0.1):
    """Control disturbances with a correlation time of `memory` seconds."""
    out, rate = np.zeros((steps, nu)), np.exp(-dt / memory)
    for t in range(1, steps):
        out[t] = rate * out[t - 1] + np.sqrt(1 - rate**2) * scale * rng.standard_normal(nu)
    return out


def simulate(engine, m, qpos, ctrl, K, disturbance):
    """Height of the pelvis, position of the centre of mass relative to the foot, and controls for each step; and the
    final state."""
    d = engine.MjData(m)
    d.qpos[:] = qpos
    foot, dx, rows = m.body(STANCE).id, np.zeros(2 * m.nv), []
    for extra in disturbance:
        engine.mj_differentiatePos(m, dx[: m.nv], 1, qpos, d.qpos)
        dx[m.nv :] = d.qvel
        d.ctrl[:] = np.clip(ctrl - K @ dx + extra, -1, 1)
        engine.mj_step(m, d)
        rows.append(np.r_[d.qpos[2], d.subtree_com[1, :2] - d.xpos[foot, :2], d.ctrl])
    return np.array(rows), d


def prepare():
    m = sinew.MjModel.from_xml_path(str(MODEL))
    d = sinew.MjData(m)
    pose(m, d)
    ctrl = equilibrium(m, d)
    qpos = d.qpos.copy()
    K, linear = gains(m, d, ctrl)
    return m, qpos, ctrl, K, linear


def plot(path, dt, qpos, ctrl, held, free):
    sys.path.insert(0, str(ROOT / "bench"))
    from common import figure

    held, free = held[::10], free[::10]        # for a small file
    t = 10 * dt * np.arange(len(held))

    def draw(axes):
        for rows, name in ((held, "with feedback"), (free, "equilibrium controls alone")):
            axes[0].plot(t, rows[:, 0], label=name)
        axes[1].plot(t, 1e3 * held[:, 1], label="forwards")
        axes[1].plot(t, 1e3 * held[:, 2], label="sideways")
        axes[2].plot(t, held[:, 3:] - ctrl, lw=0.5)
        axes[0].set(ylabel="height of the pelvis, m")
        axes[1].set(ylabel="centre of mass\nover the foot, mm")
        axes[2].set(ylabel="controls less those\nof the equilibrium", xlabel="time, s", ylim=(-1, 1))
        axes[0].legend(loc="center right")
        axes[1].legend(loc="upper right")
        for ax in axes:
            ax.grid(alpha=0.3)

    figure(path, draw, (7, 6), rows=3)


def picture(path, m, d):
    from PIL import Image

    camera = sinew.MjvCamera()
    camera.lookat, camera.distance, camera.azimuth, camera.elevation = d.subtree_com[1] - [0, 0, 0.1], 2.7, 205, -12
    with sinew.Renderer(m, 480, 480) as renderer:
        renderer.scene.flags[sinew.mjtRndFlag.mjRND_REFLECTION] = 0
        renderer.update_scene(d, camera)
        Image.fromarray(renderer.render()).save(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--noise", type=float, default=0.1, help="of every motor, as a part of its range")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--plot", help="an SVG file")
    parser.add_argument("--picture", help="a PNG file of the last moment")
    args = parser.parse_args()
    m, qpos, ctrl, K, linear = prepare()
    dt, steps = m.opt.timestep, int(args.seconds / m.opt.timestep)
    print(f"equilibrium: pelvis at {qpos[2]:.4f} m, largest control {np.abs(ctrl).max():.2f}; "
          f"differenced: {linear.differenced['positions']}")
    extra = noise(steps, m.nu, dt, args.noise, np.random.default_rng(args.seed))
    held, d = simulate(sinew, m, qpos, ctrl, K, extra)
    free, _ = simulate(sinew, m, qpos, ctrl, 0 * K, extra)
    fallen = np.flatnonzero(free[:, 0] < 0.7)
    print(f"after {args.seconds:g} s the pelvis is at {held[-1, 0]:.3f} m (lowest {held[:, 0].min():.3f}); without feedback "
          + (f"it falls within {dt * fallen[0]:.1f} s" if len(fallen) else "it stands too"))
    if args.plot:
        plot(args.plot, dt, qpos, ctrl, held, free)
    if args.picture:
        picture(args.picture, m, d)


if __name__ == "__main__":
    main()
