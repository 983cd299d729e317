"""Gymnasium's MuJoCo tasks on a GPU: observations, rewards, episode ends and resets are computed on the device."""

import types

import numpy as np
from gymnasium.spaces import Box
from gymnasium.vector.utils import batch_space

from .._enums import mjtSolver
from ..gym.vector import TaskEnv
from .batch import BatchSim


class VectorEnv(TaskEnv):
    """`num_envs` copies of a task, like `sinew.gym.VectorEnv`, in single precision on a GPU.

    Args:
      task: name of a task, such as "Ant" or "Ant-v5".
      device: index of the GPU, or "emulated" for tests.
      seed: seed of the initial states, which follow Gymnasium's distributions but not its random generators.
      max_episode_steps: steps until an episode is truncated; by default as in Gymnasium's registry.
      **options: options of the task, named as in Gymnasium.

    Actions, observations, rewards and episode ends are PyTorch tensors on the device, or NumPy arrays if emulated
    without PyTorch. Nothing is read back. An environment whose episode has ended is reset by the next step, whose
    action it ignores; a world that is stopped ends its episode. Tasks whose file selects the PGS solver use Newton's
    method.
    """

    def __init__(self, task, num_envs=1, *, device=0, seed=0, max_episode_steps=None, **options):
        self._describe(task, num_envs, max_episode_steps, options)
        if self.model.opt.solver == mjtSolver.mjSOL_PGS:  # PGS has no kernel; the solution is the same if it converges
            self.model.opt.solver = mjtSolver.mjSOL_NEWTON
        state = [name for name in self.task.fields if name not in ("qpos", "qvel")]
        self.sim = BatchSim(self.model, num_envs, self.task.frame_skip, outputs=state, device=device)
        self._xp = _library(device)
        self.task.attach(self.model, self.model.qpos0, self._dt, self._xp.module)
        view = self._xp.view
        self._state = types.SimpleNamespace(**{name: view(getattr(self.sim, name)) for name in self.task.fields})
        self._ctrl, self._status = view(self.sim.ctrl), view(self.sim.status)
        self._draw = self._xp.generator(seed, self._ctrl)
        self._ended = self._status[:, 0] != 0
        self._elapsed = self._status[:, 0] * 0
        self.reset()
        size = self.task.observe(self._state).shape[1]
        self.single_observation_space = Box(low=-np.inf, high=np.inf, shape=(size,), dtype=np.float32)
        self.observation_space = batch_space(self.single_observation_space, num_envs)

    def reset(self, *, seed=None, options=None):
        """Starts new episodes in all environments."""
        if seed is not None:
            self._draw = self._xp.generator(seed, self._ctrl)
        self._start(self._ended | True)
        self._ended = self._ended & False
        return self.task.observe(self._state), self.task.reset_info(self._state)

    def _start(self, mask):
        """Starts new episodes in the environments of a mask."""
        qpos, qvel = self.task.starts(self._draw, self.num_envs)
        rest = self._draw.uniform(0.0, 0.0, (self.num_envs, self.model.na))
        states = self._xp.module.concatenate((qpos, qvel, rest), axis=1)
        self.sim.reset(mask, key=self._xp.dense(states))
        self.sim.forward(mask)
        if "cfrc_ext" in self.task.fields:  # known after a step only, as in Gymnasium
            self._state.cfrc_ext[:] = self._state.cfrc_ext * ~mask[:, None, None]
        self._elapsed = self._elapsed * ~mask

    def step(self, actions):
        """Takes one step in every environment; those whose episodes have ended are reset instead."""
        where, fresh = self._xp.module.where, self._ended
        before = self.task.place(self._state)
        self._ctrl[:] = actions
        self.sim.step()
        self._elapsed = self._elapsed + 1
        rewards, over, infos = self.task.evaluate(self._state, before, self._ctrl, self._ctrl)
        over = (over | ((self._status[:, 3] & 5) != 0)) & ~fresh
        truncated = (self._elapsed >= self.max_episode_steps) & ~fresh
        rewards = where(fresh, rewards * 0, rewards)
        self._start(fresh)
        self._ended = over | truncated
        return self.task.observe(self._state), rewards, over, truncated, infos


def _library(device):
    try:
        return _Torch()
    except ImportError:
        if device == "emulated":
            return _NumPy()
        raise ImportError("sinew.gpu.VectorEnv needs PyTorch on a GPU: pip install torch") from None


class _NumPy:
    """Array functions for emulated worlds, by NumPy."""

    module = np

    def view(self, array):
        return np.from_dlpack(array)

    def dense(self, values):
        return np.ascontiguousarray(values, np.float32)

    def generator(self, seed, like):
        return _NumPyDraw(seed)


class _NumPyDraw:
    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def uniform(self, low, high, shape):
        return self.rng.uniform(low, high, shape).astype(np.float32)

    def normal(self, shape):
        return self.rng.standard_normal(shape, np.float32)


class _Torch:
    """Array functions for worlds on a GPU, or emulated ones, by PyTorch."""

    def __init__(self):
        import torch

        self.module = torch

    def view(self, array):
        return self.module.from_dlpack(array)

    def dense(self, values):
        return values.to(self.module.float32).contiguous()

    def generator(self, seed, like):
        return _TorchDraw(self.module, seed, like.device)


class _TorchDraw:
    def __init__(self, torch, seed, device):
        self.torch, self.device = torch, device
        self.generator = torch.Generator(device).manual_seed(seed)

    def uniform(self, low, high, shape):
        unit = self.torch.rand(shape, generator=self.generator, device=self.device)
        return low + (high - low) * unit

    def normal(self, shape):
        return self.torch.randn(shape, generator=self.generator, device=self.device)
