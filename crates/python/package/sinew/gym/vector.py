"""A vector environment over `BatchSim`."""

import os
import types

import gymnasium
import numpy as np
from gymnasium.spaces import Box
from gymnasium.utils import seeding
from gymnasium.vector.utils import batch_space

from .._sinew import BatchSim, MjModel
from .tasks import TASKS

try:
    from gymnasium.vector import AutoresetMode
except ImportError as e:
    raise ImportError("sinew.gym needs gymnasium 1.1 or newer") from e


def _model_path(xml_file):
    """Path of a model file; names without a folder are Gymnasium's own files."""
    if xml_file.startswith((".", "/", "~")):
        return os.path.expanduser(xml_file)
    return os.path.join(os.path.dirname(gymnasium.__file__), "envs", "mujoco", "assets", xml_file)


class TaskEnv(gymnasium.vector.VectorEnv):
    """Base class of the vector environments, on the CPU and on a GPU."""

    def _describe(self, task, num_envs, max_episode_steps, options):
        name = task[: -len("-v5")] if task.endswith("-v5") else task
        if name not in TASKS:
            raise ValueError(f"unknown task {task!r}; there are {', '.join(TASKS)}, all of version 5")
        self.spec = gymnasium.spec(f"{name}-v5")
        self.max_episode_steps = max_episode_steps or self.spec.max_episode_steps
        self.task = TASKS[name](**options)
        self.model = MjModel.from_xml_path(_model_path(self.task.xml_file))
        self.num_envs = num_envs
        self._dt = self.model.opt.timestep * self.task.frame_skip
        self.render_mode = None
        self.metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP, "render_modes": [], "render_fps": round(1 / self._dt)}
        low, high = self.model.actuator_ctrlrange.astype(np.float32).T
        self.single_action_space = Box(low=low, high=high, dtype=np.float32)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def render(self):
        raise NotImplementedError("sinew does not render")

    def close_extras(self, **_):
        """There is nothing to close."""


class VectorEnv(TaskEnv):
    """`num_envs` copies of a task, equal to a `SyncVectorEnv` of Gymnasium's own environments.

    Args:
      task: name of a task, such as "Ant" or "Ant-v5".
      num_envs: number of environments.
      num_threads: threads that step them; by default the number of cores. Results do not depend on it.
      max_episode_steps: steps until an episode is truncated; by default as in Gymnasium's registry.
      **options: options of the task, named as in Gymnasium.

    An environment whose episode has ended is reset by the next step, whose action it ignores. One whose state has become
    invalid ends its episode.
    """

    def __init__(self, task, num_envs=1, num_threads=None, *, max_episode_steps=None, **options):
        self._describe(task, num_envs, max_episode_steps, options)
        self.sim = BatchSim(self.model, num_envs, num_threads, self.task.frame_skip)
        self.task.attach(self.model, self.sim.qpos[0] if num_envs else self.model.qpos0, self._dt)
        self._fields = {name: self.sim.gather(name) for name in self.task.fields}
        if "cfrc_ext" in self._fields:
            self.sim.rne_post_constraint()  # all later steps compute it too
        self._state = types.SimpleNamespace(**self._fields)
        size = self.task.observe(self._state).shape[1]
        self.single_observation_space = Box(low=-np.inf, high=np.inf, shape=(size,), dtype=np.float64)
        self.observation_space = batch_space(self.single_observation_space, num_envs)

        self._generators = [None] * num_envs
        self._seeds = [None] * num_envs
        self._starts = np.zeros((num_envs, self.model.nq)), np.zeros((num_envs, self.model.nv))
        self._ended = np.zeros(num_envs, bool)
        self._elapsed = np.zeros(num_envs, int)

    @property
    def np_random(self):
        """One random generator per environment."""
        return tuple(self._generator(i) for i in range(self.num_envs))

    @property
    def np_random_seed(self):
        """The seeds of the generators; −1 for one that was not seeded here."""
        return tuple(-1 if seed is None else seed for seed in self._seeds)

    def _generator(self, i, seed=None):
        if seed is not None or self._generators[i] is None:
            self._generators[i], self._seeds[i] = seeding.np_random(seed)
        return self._generators[i]

    def _look(self):
        """Updates the arrays that the task reads."""
        for name, array in self._fields.items():
            self.sim.gather(name, array)
        return self._state

    def _draw(self, mask, seeds=None):
        """Draws the initial states of new episodes of some environments."""
        qpos, qvel = self._starts
        for i in np.flatnonzero(mask):
            qpos[i], qvel[i] = self.task.start(self._generator(i, seeds[i] if seeds else None))
        self._elapsed[mask] = 0

    def reset(self, *, seed=None, options=None):
        """Starts new episodes in all environments, or in those of the boolean array `options["reset_mask"]`.

        Args:
          seed: a seed s for which environment i gets s + i, one seed per environment, or None to continue at random.
        """
        mask = (options or {}).get("reset_mask")
        if mask is None:
            mask = np.ones(self.num_envs, bool)
        elif not isinstance(mask, np.ndarray) or mask.dtype != bool or mask.shape != (self.num_envs,) or not mask.any():
            raise ValueError(f"reset_mask must be a boolean array of shape ({self.num_envs},) that chooses something")
        if isinstance(seed, (int, np.integer)):
            seed = [int(seed) + i for i in range(self.num_envs)]
        if seed is not None and len(seed) != self.num_envs:
            raise ValueError(f"{len(seed)} seeds for {self.num_envs} environments")
        self._draw(mask, seed)
        self._ended[mask] = False
        qpos, qvel = self._starts
        self.sim.reset(mask)
        self.sim.set_state(mask, qpos[mask], qvel[mask])
        self.sim.forward(mask)
        state = self._look()
        return self.task.observe(state), _masked({}, self.task.reset_info(state), mask)

    def step(self, actions):
        """Takes one step in every environment; those whose episodes have ended are reset instead.

        After Ctrl-C some environments have taken the step and others have not: `reset` begins new episodes.
        """
        actions, fresh = np.asarray(actions), self._ended
        if actions.shape != (self.num_envs, self.model.nu):
            raise ValueError(f"actions must be of shape {(self.num_envs, self.model.nu)}, got {actions.shape}")
        before = self.task.place(self._state)
        ctrl = actions.astype(np.float64)
        self._elapsed += 1
        anew = np.count_nonzero(fresh)
        if anew:
            self._draw(fresh)
            self.sim._step_or_start(ctrl, fresh, *self._starts)
        else:
            self.sim.step(ctrl)
        state = self._look()
        rewards, terminations, infos = self.task.evaluate(state, before, actions, ctrl)
        rewards = np.asarray(rewards, np.float64)
        terminations = terminations | self.sim.failed
        truncations = self._elapsed >= self.max_episode_steps
        infos = _masked({}, infos, ~fresh)
        if anew:
            infos = _masked(infos, self.task.reset_info(state), fresh)
            rewards[fresh], terminations[fresh], truncations[fresh] = 0.0, False, False
        self._ended = terminations | truncations
        return self.task.observe(state), rewards, terminations, truncations, infos


def _masked(infos, values, mask):
    """Adds values of the environments in `mask`, with Gymnasium's `_key` arrays that mark which environments have
    them."""
    chosen = np.count_nonzero(mask)
    if chosen == len(mask):
        for key, value in values.items():
            infos[key], infos[f"_{key}"] = value, mask.copy()
    elif chosen:
        for key, value in values.items():
            kept = infos.setdefault(key, np.zeros(value.shape, value.dtype))
            np.copyto(kept, value, where=mask if value.ndim == 1 else mask[:, None])
            infos[f"_{key}"] = infos.get(f"_{key}", False) | mask
    return infos
