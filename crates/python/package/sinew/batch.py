"""Many worlds of one model with a task: rewards and episode ends."""

import numpy as np

from . import _sinew
from ._linear import _flat, batch_transition, fewest
from .renderer import find_camera

__all__ = ["BatchSim"]

_FIELDS = {name for name, *_ in _sinew._tables()["MjData"]}
_HOOKS = ("reward", "terminated", "truncated", "reset")


class BatchSim(_sinew.BatchSim):
    """Worlds of one model that are stepped together, in parallel threads with the GIL released.

    Arrays have one row per world. Attributes named like those of MjData give read-only copies: `sim.qpos`, `sim.xpos`.

    `task` defines the rewards: a function `f(sim)` that returns one reward per world, or an object with any of
    `reward(sim)`, `terminated(sim)`, `truncated(sim)`, which return one value per world, and `reset(sim, worlds)`,
    which may change the initial state of the worlds just reset. They are called once per step, for all worlds together.
    The results are in `rewards`, `terminated` and `truncated`; a world that has failed has reward 0 and is terminated.

    With `strict=True` a step fails if its constraint forces are not within the solver's tolerance.
    """

    def __new__(cls, model, num_worlds, num_threads=None, nstep=1, task=None, strict=False):
        return super().__new__(cls, model, num_worlds, num_threads, nstep, strict)

    def __init__(self, model, num_worlds, num_threads=None, nstep=1, task=None, strict=False):
        if task is not None and not callable(task) and not any(hasattr(task, name) for name in _HOOKS):
            raise TypeError(f"a task is a function of the batch, or has one of {', '.join(_HOOKS)}")
        self.task = task
        self._clear()
        if hasattr(task, "reset"):
            task.reset(self, np.arange(num_worlds))

    def _clear(self):
        self.rewards = np.zeros(self.num_worlds)
        self.terminated = np.zeros(self.num_worlds, bool)
        self.truncated = np.zeros(self.num_worlds, bool)

    def __setattr__(self, name, value):
        if name in _FIELDS:
            raise AttributeError(f"'{name}' is a copy; scatter('{name}', values) sets it in the worlds")
        super().__setattr__(name, value)

    def _ask(self, name, dtype):
        hook = getattr(self.task, name, None)
        if hook is None and name == "reward" and callable(self.task):
            hook = self.task
        values = np.asarray(0 if hook is None else hook(self))
        try:
            return np.broadcast_to(values, self.num_worlds).astype(dtype)
        except ValueError as error:
            raise ValueError(f"{name} of the task has shape {values.shape}, not ({self.num_worlds},)") from error

    def transition(self, method="hybrid", eps=1e-6, centered=False, sensors=False):
        """`A` (num_worlds x nx x nx), `B` and, with `sensors`, `C` and `D` of a step of every world, and for each world
        the terms computed by finite differences, as `sinew.transition`."""
        return batch_transition(self, method, eps, centered, sensors)

    def jvp(self, dx, du, method="hybrid", eps=1e-6):
        """`A dx + B du` of every world (num_worlds x nx), as `sinew.jvp`, from one row of `dx` and `du` per world."""
        return _sinew._batch_jvp(self, method, eps, _flat(dx), _flat(du)).reshape(self.num_worlds, -1)

    def vjp(self, next, method="hybrid", eps=1e-6):
        """Gradients with respect to states (num_worlds x nx) and controls (num_worlds x nu), from the gradients with
        respect to the next states."""
        return self._split(_sinew._batch_vjp(self, method, eps, _flat(next)))

    def rollout_vjp(self, ctrl, loss, checkpoint=None, method="hybrid", eps=1e-6):
        """Gradients of losses over rollouts from the present states, with respect to those states (num_worlds x nx) and
        to the controls, as `sinew.rollout_vjp`; `ctrl` is num_worlds x steps x nu, `loss` is num_worlds x steps x
        nx."""
        ctrl = np.asarray(ctrl, float)
        if ctrl.ndim != 3:
            raise ValueError(f"ctrl should be of shape (num_worlds, steps, nu), got {ctrl.shape}")
        steps = ctrl.shape[1]
        kept = steps, checkpoint or fewest(steps)
        found = _sinew._batch_rollout_vjp(self, (method, eps), _flat(ctrl), _flat(loss), kept)
        return self._split(found, (steps,))

    def _split(self, found, steps=()):
        by_x, by_u = found
        n, m = self.num_worlds, self.model
        return by_x.reshape(n, 2 * m.nv + m.na), by_u.reshape(n, *steps, m.nu)

    def render(self, camera=-1, height=64, width=64, depth=False, scene_option=None, max_geom=10000):
        """Images of all worlds in their present state, one world per thread: colours, uint8 of shape (num_worlds,
        height, width, 3), or depths in metres, float32 of shape (num_worlds, height, width). The camera is a name, an
        id, -1 for the free camera, or an `MjvCamera`.
        """
        if not isinstance(camera, _sinew.MjvCamera):
            camera = find_camera(self.model, camera)
        draw = self._depths if depth else self._colours
        pictures = draw(camera, scene_option or _sinew.MjvOption(), (height, width), max_geom)
        return pictures.reshape((self.num_worlds, height, width) + (() if depth else (3,)))

    def step(self, ctrl=None):
        """Steps all worlds under controls (num_worlds x nu, or nu for all); by default those set last.

        A world that fails is reported in `failed` and `errors` and is reset at the next call; the others continue. The
        caller resets worlds that the task has ended.

        Ctrl-C ends the call between steps. Worlds may then have taken different numbers of steps, from none to all;
        `time` shows how many. `rewards`, `terminated` and `truncated` are still those of the previous call. The batch
        remains usable; `reset` synchronises its worlds again.
        """
        if self.task is None:
            super().step(ctrl)
            self.terminated = self.failed
            return
        failed = np.flatnonzero(self.failed)
        if failed.size:
            self.reset(failed)
        super().step(ctrl)
        failed = self.failed
        self.rewards = np.where(failed, 0.0, self._ask("reward", float))
        self.terminated = failed | self._ask("terminated", bool)
        self.truncated = ~failed & self._ask("truncated", bool)

    def reset(self, worlds=None):
        """Resets worlds, selected by a mask or indices, to their initial state; all of them by default."""
        super().reset(worlds)
        if hasattr(self.task, "reset"):
            self.task.reset(self, np.arange(self.num_worlds) if worlds is None else np.arange(self.num_worlds)[worlds])
