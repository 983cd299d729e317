"""Native vector environments equal Gymnasium's own, value by value."""

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

import sinew.gym  # noqa: E402
from gymnasium_twice import SINEW, TASKS  # noqa: E402

N = 5


def reference(task, limit, **options):
    """Gymnasium's environments with sinew, with a time limit, one after another."""

    def one():
        return gymnasium.wrappers.TimeLimit(SINEW.make(task, **options), limit)

    return gymnasium.vector.SyncVectorEnv([one] * N)


def same(got, want, where):
    assert got.keys() == want.keys(), (where, got.keys() ^ want.keys())
    for key in want:
        assert got[key].dtype == want[key].dtype and np.array_equal(got[key], want[key]), (where, key)


def compare(task, steps, limit, threads=2, **options):
    theirs = reference(task, limit, **options)
    ours = sinew.gym.VectorEnv(task, N, num_threads=threads, max_episode_steps=limit, **options)
    assert ours.single_observation_space == theirs.single_observation_space
    assert ours.observation_space == theirs.observation_space and ours.action_space == theirs.action_space
    assert ours.metadata["autoreset_mode"] == theirs.metadata["autoreset_mode"]
    theirs.action_space.seed(3)
    want, got = theirs.reset(seed=11), ours.reset(seed=11)
    assert np.array_equal(got[0], want[0])
    same(got[1], want[1], "reset")
    ends = 0
    for step in range(steps):
        actions = theirs.action_space.sample()
        want, got = theirs.step(actions), ours.step(actions)
        for name, a, b in zip(("observations", "rewards", "terminations", "truncations"), got, want):
            assert a.dtype == b.dtype and np.array_equal(a, b), (task, step, name, np.abs(a - b).max())
        same(got[4], want[4], step)
        ends += np.count_nonzero(want[2] | want[3])
    return ends


@pytest.mark.parametrize("task", TASKS)
def test_like_sync_vector_env(task):
    assert compare(task, 60, limit=25) >= N


@pytest.mark.parametrize(
    "task, options",
    [
        ("Ant", dict(frame_skip=2, include_cfrc_ext_in_observation=False, main_body="torso", healthy_reward=2.0)),
        ("HalfCheetah", dict(exclude_current_positions_from_observation=False, ctrl_cost_weight=1.0)),
        ("Hopper", dict(terminate_when_unhealthy=False, reset_noise_scale=0.2, healthy_state_range=(-1, 1))),
        ("Humanoid", dict(include_cinert_in_observation=False, contact_cost_weight=1e-3)),
        ("Walker2d", dict(healthy_z_range=(1.0, 1.3))),
    ],
)
def test_options(task, options):
    compare(task, 30, limit=20, threads=1, **options)


def test_seeds_and_masks():
    theirs, ours = reference("Reacher", 50), sinew.gym.VectorEnv("Reacher-v5", N)
    seeds = [5, None, 9, 1, None]
    for envs in (theirs, ours):
        envs.reset(seed=0)
    assert np.array_equal(theirs.reset(seed=seeds)[0], ours.reset(seed=seeds)[0])
    mask = np.array([True, False, False, True, False])
    for _ in range(2):
        want, got = (envs.reset(options={"reset_mask": mask}) for envs in (theirs, ours))
        assert np.array_equal(got[0], want[0])
    actions = np.ones((N, 2), np.float32)
    assert np.array_equal(theirs.step(actions)[0], ours.step(actions)[0])
    assert ours.np_random_seed == theirs.np_random_seed and len(ours.np_random) == N
    assert ours.reset()[0].shape == ours.observation_space.shape


def test_episodes_of_the_registry():
    assert sinew.gym.VectorEnv("Pusher", 1).max_episode_steps == 100
    assert sinew.gym.VectorEnv("Ant", 1).max_episode_steps == 1000


def test_a_failed_world_ends_its_episode():
    envs = sinew.gym.VectorEnv("HalfCheetah", N)
    envs.reset(seed=0)
    actions = np.zeros((N, 6), np.float32)
    actions[2, 1] = np.nan
    assert envs.step(actions)[2].tolist() == [False, False, True, False, False]
    actions[2, 1] = 0
    observations, rewards, terminations, _, _ = envs.step(actions)
    assert np.isfinite(observations).all() and rewards[2] == 0 and not terminations.any()


def test_refusals():
    with pytest.raises(ValueError, match="unknown task 'Cow'"):
        sinew.gym.VectorEnv("Cow", 2)
    with pytest.raises(TypeError, match="wings"):
        sinew.gym.VectorEnv("Ant", 2, wings=2)
    envs = sinew.gym.VectorEnv("Hopper", 2)
    envs.reset(seed=0)
    with pytest.raises(ValueError, match="shape"):
        envs.step(np.zeros((3, 3)))
    with pytest.raises(ValueError, match="seeds"):
        envs.reset(seed=[1])
    with pytest.raises(ValueError, match="reset_mask"):
        envs.reset(options={"reset_mask": [True, False]})
    with pytest.raises(NotImplementedError, match="does not render"):
        envs.render()
    envs.close()
