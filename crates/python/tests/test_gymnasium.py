"""Gymnasium's tasks run unchanged with sinew and give MuJoCo's observations and rewards."""

import subprocess
import sys

import numpy as np
import oracle
import pytest
import sinew

pytest.importorskip("gymnasium")

from gymnasium_twice import MUJOCO, SINEW, TASKS  # noqa: E402

STEPS = 1000
# Largest difference after one call (up to five time steps), relative to 1 + |value|.
TOLERANCE = 1e-9


def close(a, b):
    return np.max(np.abs(np.asarray(a) - b) / (1 + np.abs(b)), initial=0.0)


@pytest.mark.parametrize("task", TASKS)
def test_like_mujoco(task):
    """Random actions; sinew starts every step from MuJoCo's state, so differences do not accumulate."""
    theirs, ours = MUJOCO.make(task), SINEW.make(task)
    assert isinstance(ours.data, sinew.MjData) and not isinstance(theirs.data, sinew.MjData)
    assert ours.observation_space == theirs.observation_space and ours.action_space == theirs.action_space
    theirs.action_space.seed(7)
    start, ended, worst = theirs.reset(seed=7)[0], False, 0.0
    assert close(ours.reset(seed=7)[0], start) < TOLERANCE
    for step in range(STEPS):
        if ended:
            assert close(ours.reset()[0], theirs.reset()[0]) < TOLERANCE
        oracle.copy_all(ours.data, theirs.data)
        action = theirs.action_space.sample()
        want, got = theirs.step(action), ours.step(action)
        worst = max(worst, close(got[0], want[0]), close(got[1], want[1]))
        assert got[2:4] == want[2:4], f"step {step}"
        assert got[4].keys() == want[4].keys()
        worst = max(worst, *(close(got[4][key], want[4][key]) for key in want[4]))
        assert worst < TOLERANCE, f"step {step}: {worst}"
        ended = want[2] or step % 200 == 199


DROP_IN = """
import sys
import sinew
sys.modules["mujoco"] = sinew
import gymnasium
for task in sys.argv[1:]:
    env = gymnasium.make(task + "-v5")
    env.action_space.seed(1)
    observation, _ = env.reset(seed=1)
    assert env.observation_space.contains(observation), task
    for _ in range(20):
        observation, reward, terminated, truncated, _ = env.step(env.action_space.sample())
        assert env.observation_space.contains(observation), task
        if terminated:
            env.reset()
    assert isinstance(env.unwrapped.data, sinew.MjData)
    env.close()
    print(task)
env = gymnasium.make("Hopper-v5", render_mode="rgb_array")
env.reset()
try:
    env.render()
except RuntimeError as e:
    print(e)
with sinew.Renderer(env.unwrapped.model, 48, 64) as renderer:
    renderer.update_scene(env.unwrapped.data)
    assert renderer.render().std() > 0
assert callable(sinew.viewer.launch_passive)
"""


def test_drop_in():
    """A process in which `mujoco` is sinew: everything works except Gymnasium's own rendering, which says why."""
    done = subprocess.run([sys.executable, "-c", DROP_IN, *TASKS], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    *tasks, message = done.stdout.split("\n")[:-1]
    assert tasks == list(TASKS)
    assert "No OpenGL backend" in message
