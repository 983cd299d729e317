"""Gymnasium's tasks on a GPU, emulated, compared with the same tasks on the CPU."""

from pathlib import Path

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

import sinew.gpu
from sinew.gym import TASKS, VectorEnv
from tolerances import GPU

pytestmark = pytest.mark.skipif(not sinew.gpu.emulated(), reason="no C++ compiler to emulate a GPU with")


def array(values):
    return np.asarray(values)


def made(task, *, count=3, **options):
    return sinew.gpu.VectorEnv(task, count, device="emulated", **options)


def by_newton(task, folder):
    """A task's file with the solver that the GPU uses instead of PGS."""
    file = Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets" / TASKS[task]().xml_file
    text = file.read_text()
    (folder / file.name).write_text(text.replace('solver="PGS"', 'solver="Newton"'))
    return str(folder / file.name) if 'solver="PGS"' in text else TASKS[task]().xml_file


@pytest.mark.parametrize("task", TASKS)
def test_steps_are_those_of_the_cpu(task, tmp_path):
    ours, cpu = made(task), VectorEnv(task, 3, xml_file=by_newton(task, tmp_path))
    assert ours.observation_space.shape == cpu.observation_space.shape
    cpu.reset(seed=0)
    rng = np.random.default_rng(1)
    for _ in range(3):
        # from the same states
        states = np.hstack((cpu.sim.qpos, cpu.sim.qvel, cpu.sim.act))
        ours.sim.reset(key=states)
        cpu.sim.set_state(None, *(states[:, k].astype(np.float32) for k in np.split(range(states.shape[1]), [cpu.model.nq])))
        for sim in (ours.sim, cpu.sim):
            sim.forward()
        cpu._look()
        actions = rng.uniform(cpu.action_space.low, cpu.action_space.high).astype(np.float32)
        got, want = ours.step(actions), cpu.step(actions)
        scale = np.abs(want[0]).max()
        np.testing.assert_allclose(array(got[0]), want[0], atol=GPU["task"] * scale)
        np.testing.assert_allclose(array(got[1]), want[1], atol=GPU["task"] * max(1, np.abs(want[1]).max()))
        np.testing.assert_array_equal(array(got[2]), want[2])
        if (want[2] | want[3]).any():
            break


def test_episodes_end_and_begin_anew():
    ours = made("HalfCheetah", count=4, max_episode_steps=3)
    first, _ = ours.reset(seed=3)
    again, _ = ours.reset(seed=3)
    np.testing.assert_array_equal(array(first), array(again))
    assert len({row.tobytes() for row in array(first)}) == 4
    still = np.zeros(ours.action_space.shape, np.float32)
    for k in range(3):
        _, _, over, truncated, _ = ours.step(still)
        assert not array(over).any() and (array(truncated) == (k == 2)).all()
    seen, rewards, over, truncated, _ = ours.step(still)
    assert (array(rewards) == 0).all() and not (array(over) | array(truncated)).any()
    assert (np.abs(array(ours.sim.time.numpy())) < GPU["single"]).all()
    np.testing.assert_allclose(array(seen)[:, :8], np.tile(ours.model.qpos0[1:], (4, 1)), atol=0.11)


def test_forces_of_contacts_are_zero_until_the_first_step():
    ours, cpu = made("HumanoidStandup"), VectorEnv("HumanoidStandup", 3)
    forces = slice(-6 * (cpu.model.nbody - 1), None)
    for env in (ours, cpu):
        assert not array(env.reset(seed=0)[0])[:, forces].any()
        action = np.zeros(env.action_space.shape, np.float32)
        assert any(array(env.step(action)[0])[:, forces].any() for _ in range(20))  # it falls to the ground
