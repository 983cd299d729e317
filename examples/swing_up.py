"""Swings up a cart-pole and balances it under pushes: model-predictive control by iLQR on sinew's derivatives.

    python examples/swing_up.py [--plot docs/img/swing_up.svg]

At every step the plan for the next second is improved and its first control applied. An improvement linearises all
steps of the plan at once (`BatchSim.transition`, one world per step), runs the backward Riccati recursion over them,
and tries several step sizes in parallel (one world per step size).
"""
import argparse
import pathlib
import sys

import numpy as np

import sinew

ROOT = pathlib.Path(__file__).resolve().parents[1]

XML = """<mujoco model="cart-pole">
  <option timestep=".02" integrator="implicitfast"/>
  <worldbody>
    <geom type="plane" size="4 1 .1" pos="0 0 -1"/>
    <body name="cart">
      <joint name="slide" type="slide" axis="1 0 0" range="-1.8 1.8" limited="true" damping=".1"/>
      <geom type="box" size=".15 .1 .06" mass="1"/>
      <body name="pole">
        <joint name="hinge" axis="0 1 0" damping=".002"/>
        <geom type="capsule" size=".02" fromto="0 0 0 0 0 -.6" mass=".2"/>
        <geom type="sphere" size=".05" pos="0 0 -.6" mass=".1"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="slide" gear="12" ctrlrange="-1 1"/></actuator>
</mujoco>"""

WEIGHTS = np.array([0.3, 1, 0.03, 0.03])       # for position, angle and both velocities
EFFORT = 0.5
LENGTHS = np.array([1, 0.7, 0.4, 0.2, 0.1, 0.03, 0.01, 0])


def residual(x):
    """The residual of the cost: the pole hangs at angle zero and stands at π."""
    return np.stack([x[..., 0], 2 * np.cos(x[..., 1] / 2), x[..., 2], x[..., 3]], -1)


def cost(x, u):
    return (WEIGHTS * residual(x) ** 2).sum(-1) / 2 + EFFORT * (u**2).sum(-1) / 2


class Planner:
    """Controls of the next `horizon` steps, improved with each call."""

    def __init__(self, m, horizon=50):
        self.linear = sinew.BatchSim(m, horizon)
        self.trials = sinew.BatchSim(m, len(LENGTHS))
        self.nv, self.ctrl = m.nv, np.full((horizon, m.nu), 0.1)

    def _roll(self, x0, follow):
        """States and controls of all trials, with the controls `follow(t, x)`."""
        sim = self.trials
        sim.set_state(None, x0[: self.nv], x0[self.nv :])
        sim.scatter("qacc_warmstart", np.zeros(self.nv))
        x, xs, us = np.tile(x0, (len(LENGTHS), 1)), [], []
        for t in range(len(self.ctrl)):
            u = np.clip(follow(t, x), -1, 1)
            xs.append(x)
            us.append(u)
            sim.step(u)
            x = np.concatenate([sim.qpos, sim.qvel], axis=1)
        return np.array([*xs, x]), np.array(us)

    def _back(self, x, u):
        """Changes and feedback gains of controls: the Riccati recursion about a trajectory, with Gauss–Newton curvature
        of the cost."""
        self.linear.set_state(None, x[:-1, : self.nv], x[:-1, self.nv :])
        self.linear.scatter("ctrl", u)
        A, B, *_ = self.linear.transition()
        slope = np.stack([np.ones(len(x)), -np.sin(x[:, 1] / 2), np.ones(len(x)), np.ones(len(x))], -1)
        gradient, curvature = WEIGHTS * slope * residual(x), WEIGHTS * slope**2
        v, V = 10 * gradient[-1], np.diag(10 * curvature[-1])       # terminal cost for the time beyond the horizon
        changes, gains = np.empty_like(u), np.empty((*u.shape, x.shape[1]))
        for t in reversed(range(len(u))):
            by_u, by_x = EFFORT * u[t] + B[t].T @ v, gradient[t] + A[t].T @ v
            uu, ux = EFFORT * np.eye(u.shape[1]) + B[t].T @ V @ B[t], B[t].T @ V @ A[t]
            changes[t], gains[t] = -np.linalg.solve(uu, by_u), -np.linalg.solve(uu, ux)
            v = by_x + gains[t].T @ by_u
            V = np.diag(curvature[t]) + A[t].T @ V @ A[t] + gains[t].T @ ux
        return changes, gains

    def improve(self, x0, rounds=1):
        """Improves the plan from `x0`, and returns its cost."""
        for _ in range(rounds):
            x, u = (found[:, 0] for found in self._roll(x0, lambda t, x: np.tile(self.ctrl[t], (len(x), 1))))
            changes, gains = self._back(x, u)
            xs, us = self._roll(x0, lambda t, now: u[t] + LENGTHS[:, None] * changes[t] + (now - x[t]) @ gains[t].T)
            total = cost(xs[:-1], us).sum(0) + 10 * cost(xs[-1], 0 * us[0])
            best = total.argmin()
            self.ctrl = us[:, best]
        return total[best]

    def next(self):
        """Returns the first control of the plan, and shifts the plan by one step."""
        first = self.ctrl[0].copy()
        self.ctrl = np.concatenate([self.ctrl[1:], self.ctrl[-1:]])
        return first


def run(seconds=8.0, pushes=((4.0, 0.8), (6.0, -0.8)), horizon=50):
    """Position, angle, control and planned cost for each step; a push changes the velocity of the cart."""
    m = sinew.MjModel.from_xml_string(XML)
    d = sinew.MjData(m)
    planner, rows = Planner(m, horizon), []
    planner.improve(np.zeros(4), 10)
    pushes = {round(at / m.opt.timestep): by for at, by in pushes}
    for t in range(round(seconds / m.opt.timestep)):
        d.qvel[0] += pushes.get(t, 0)
        value = planner.improve(np.r_[d.qpos, d.qvel])
        d.ctrl[:] = planner.next()
        rows.append([d.time, *d.qpos, d.ctrl[0], value])
        sinew.mj_step(m, d)
    return np.array(rows)


def plot(path, rows):
    sys.path.insert(0, str(ROOT / "bench"))
    from common import figure

    def draw(axes):
        t = rows[:, 0]
        axes[0].plot(t, np.degrees(rows[:, 2]))
        axes[0].set(ylabel="pole, degrees\n(180 is up)", yticks=np.arange(-90, 181, 90))
        axes[1].plot(t, rows[:, 1])
        axes[1].set(ylabel="cart, m")
        axes[2].plot(t, 12 * rows[:, 3])
        axes[2].set(ylabel="force, N")
        axes[3].semilogy(t, rows[:, 4])
        axes[3].set(ylabel="planned cost", xlabel="time, s")
        for ax in axes:
            ax.grid(alpha=0.3)

    figure(path, draw, (7, 7), rows=4)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--plot", help="an SVG file")
    args = parser.parse_args()
    rows = run(args.seconds)
    off = np.abs(residual(np.c_[rows[:, 1:3], 0 * rows[:, 1:3]])[:, 1])
    away = rows[off > 0.3, 0]
    print(f"within 0.3 rad of upright from {away[-1]:.2f} s on; "
          f"at the end {np.degrees(off[-1]):.2f} degrees from upright, cart at {rows[-1, 1]:.3f} m")
    if args.plot:
        plot(args.plot, rows)


if __name__ == "__main__":
    main()
