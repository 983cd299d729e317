"""The control examples do what their page says."""

import importlib.util
import pathlib

import mujoco
import numpy as np
import pytest
import sinew

ROOT = pathlib.Path(__file__).resolve().parents[3]


def example(name):
    spec = importlib.util.spec_from_file_location(f"example_{name}", ROOT / "examples" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def balance():
    module = example("balance")
    return module, module.prepare()


def test_one_leg(balance):
    module, (m, qpos, ctrl, K, linear) = balance
    noise = module.noise(2500, m.nu, m.opt.timestep, 0.1, np.random.default_rng(0))
    rows, d = module.simulate(sinew, m, qpos, ctrl, K, noise)
    assert rows[:, 0].min() > qpos[2] - 0.02 and np.abs(np.diff(rows[:, 1:3], axis=0)).max() < 0.01
    assert d.xpos[m.body("foot_right").id, 2] > 0.3, "the other foot stays up"
    assert module.simulate(sinew, m, qpos, ctrl, 0 * K, noise)[0][-1, 0] < 0.5, "it falls without feedback"


def test_one_leg_on_mujoco(balance):
    module, (m, qpos, ctrl, K, _) = balance
    om = mujoco.MjModel.from_xml_path(str(module.MODEL))
    noise = module.noise(750, m.nu, m.opt.timestep, 0.1, np.random.default_rng(1))
    assert module.simulate(mujoco, om, qpos, ctrl, K, noise)[0][:, 0].min() > qpos[2] - 0.02


def test_riccati(balance):
    module, _ = balance
    rng = np.random.default_rng(0)
    A, B = rng.normal(size=(5, 5)), rng.normal(size=(5, 2))
    K = module.riccati(A, B, np.eye(5), np.eye(2))
    P = np.eye(5)
    for _ in range(500):
        gain = np.linalg.solve(np.eye(2) + B.T @ P @ B, B.T @ P @ A)
        P = np.eye(5) + A.T @ P @ (A - B @ gain)
    assert np.allclose(K, gain, rtol=1e-8)


def test_swing_up():
    rows = example("swing_up").run(2.2, pushes=())
    assert abs(rows[0, 2]) < 0.01 and np.abs(np.abs(rows[-10:, 2]) - np.pi).max() < 0.2
    assert np.abs(rows[:, 1]).max() < 1.8, "the cart stays on its rail"


def test_identify():
    module = example("identify")
    found, _, history, _ = module.run(n=4, steps=100, noise=0)
    assert np.allclose(found, module.TRUTH, rtol=1e-3)
    assert history[0][1] > 0.05
