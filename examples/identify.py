"""Identifies masses, damping and friction of an arm and of a box on the floor from a recording of their motion.

    python examples/identify.py [--plot docs/img/identify.svg]

A hidden model is moved by random controls and its positions are recorded with noise. Levenberg–Marquardt with the
derivatives of the rollout with respect to the parameters (`sinew.identify`) recovers the parameters, from guesses that
are wrong by factors of up to three.
"""
import argparse
import pathlib
import sys

import numpy as np

import sinew
import sinew.identify

ROOT = pathlib.Path(__file__).resolve().parents[1]

XML = """<mujoco model="arm and box">
  <option timestep=".005" integrator="implicitfast" cone="elliptic"/>
  <default><geom contype="0" conaffinity="0"/><motor ctrlrange="-1 1"/></default>
  <worldbody>
    <geom name="floor" type="plane" size="3 3 .1" contype="1"/>
    <body name="upper" pos="0 0 1.2">
      <joint name="shoulder" axis="0 1 0" damping=".3" frictionloss=".1"/>
      <geom type="capsule" size=".03" fromto="0 0 0 0 0 -.4" mass="1"/>
      <body name="lower" pos="0 0 -.4">
        <joint name="elbow" axis="0 1 0" damping=".3" frictionloss=".1"/>
        <geom type="capsule" size=".025" fromto="0 0 0 0 0 -.35" mass="1"/>
      </body>
    </body>
    <body name="box" pos="1 0 .099">
      <joint name="x" type="slide" axis="1 0 0"/>
      <joint name="z" type="slide" axis="0 0 1"/>
      <geom name="box" type="box" size=".15 .15 .1" mass="1" conaffinity="1" friction=".5"/>
    </body>
  </worldbody>
  <actuator>
    <motor joint="shoulder" gear="12"/>
    <motor joint="elbow" gear="5"/>
    <motor joint="x" gear="20"/>
  </actuator>
</mujoco>"""

NAMES = ["mass of the upper arm", "mass of the lower arm", "mass of the box", "damping of the shoulder",
         "damping of the elbow", "dry friction of the joints", "friction of box and floor"]
TRUTH = np.array([1.6, 0.7, 1.9, 0.5, 0.2, 0.25, 0.35])
GUESS = np.array([1.0, 1.0, 1.0, 0.3, 0.3, 0.1, 0.8])


def apply(m, logarithms):
    """Parameters are logarithms, which keeps them positive and equally scaled."""
    values = np.exp(logarithms)
    for name, mass in zip(("upper", "lower", "box"), values):
        body = m.body(name)
        body.inertia[:] *= mass / body.mass[0]
        body.mass[:] = mass
    m.joint("shoulder").damping[:], m.joint("elbow").damping[:] = values[3], values[4]
    m.dof_frictionloss[:2] = values[5]
    m.geom_friction[[m.geom("floor").id, m.geom("box").id], 0] = values[6]


def experiments(m, n, steps, rng):
    """Initial states, in which the box slides, and controls that change every tenth of a second."""
    state = np.tile(np.concatenate([m.qpos0, np.zeros(m.nv)]), (n, 1))
    state[:, m.nq + m.joint("x").dofadr[0]] = 2
    hold = 20
    ctrl = rng.uniform(-1, 1, (n, -(-steps // hold), m.nu)).repeat(hold, axis=1)[:, :steps]
    return state, ctrl


def fit(parametric, guess, state, ctrl, measured, rounds=15):
    """Levenberg–Marquardt; returns parameters and error of every round."""
    nq, p, damping, history = measured.shape[-1], guess.copy(), 1e-2, []

    def error(found):
        return found[..., :nq] - measured

    states, jacobian = parametric.jacobian(p, state, ctrl)
    for _ in range(rounds):
        r, J = error(states).ravel(), jacobian[:, :, :nq].reshape(-1, len(p))
        history.append((p.copy(), np.sqrt(np.mean(r**2))))
        H = J.T @ J
        for _ in range(8):
            step = np.linalg.solve(H + damping * np.diag(np.diag(H)), J.T @ r)
            near = p - np.clip(step, -0.7, 0.7)             # changes by at most a factor of two
            better = np.mean(error(parametric.rollout(near, state, ctrl)) ** 2) < np.mean(r**2)
            damping *= 0.2 if better else 8
            if better:
                break
        if not better or np.abs(near - p).max() < 1e-5:
            break
        p = near
        states, jacobian = parametric.jacobian(p, state, ctrl)
    # uncertainty of each parameter for noise of this size
    spread = np.sqrt(np.diag(np.linalg.inv(H))) * history[-1][1]
    return p, spread, history


def run(n=8, steps=150, noise=1e-3, seed=0):
    m, rng = sinew.MjModel.from_xml_string(XML), np.random.default_rng(seed)
    parametric = sinew.identify.Parametric(m, apply)
    state, ctrl = experiments(m, n, steps, rng)
    measured = parametric.rollout(np.log(TRUTH), state, ctrl)[..., : m.nq]
    measured = measured + noise * rng.standard_normal(measured.shape)
    p, spread, history = fit(parametric, np.log(GUESS), state, ctrl, measured)
    start = parametric.rollout(np.log(GUESS), state, ctrl)
    end = parametric.rollout(p, state, ctrl)
    return np.exp(p), spread, history, (measured, start, end, m.opt.timestep)


def plot(path, history, signals):
    sys.path.insert(0, str(ROOT / "bench"))
    from common import figure

    measured, start, end, dt = signals

    def draw(axes):
        values = np.exp([p for p, _ in history]) / TRUTH
        axes[0].semilogy(values, "o-", ms=3, label=NAMES)
        axes[0].set(ylabel="parameter / truth", xlabel="round")
        axes[0].legend(fontsize=7, loc="upper right")
        t = dt * np.arange(1, measured.shape[1] + 1)
        for k, name in ((1, "elbow, rad"), (2, "box, m")):
            axes[k].plot(t, measured[0, :, k], "k.", ms=2, label="recorded")
            axes[k].plot(t, start[0, :, k], lw=1, label="first guess")
            axes[k].plot(t, end[0, :, k], lw=1, label="found")
            axes[k].set(ylabel=name, xlabel="time, s")
        axes[1].legend(fontsize=7)
        for ax in axes:
            ax.grid(alpha=0.3)

    figure(path, draw, (7, 8), rows=3)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--noise", type=float, default=1e-3, help="of recorded positions, m and rad")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--plot", help="an SVG file")
    args = parser.parse_args()
    found, spread, history, signals = run(noise=args.noise, seed=args.seed)
    for i, (p, error) in enumerate(history):
        print(f"round {i:2d}: error {error:.2e}, parameters {np.exp(p).round(3)}")
    for name, value, truth, part in zip(NAMES, found, TRUTH, spread):
        print(f"{name:28s} {value:.4f} ± {value * part:.4f}, true {truth:.4f}")
    if args.plot:
        plot(args.plot, history, signals)


if __name__ == "__main__":
    main()
