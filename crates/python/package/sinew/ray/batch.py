"""Many worlds of one model on a cluster."""

import numpy as np
import ray

from .._linear import BatchTransition
from ..batch import BatchSim as _Local
from .cluster import LOST, Actors

# the state from which a step starts
_STATE = ("time", "qpos", "qvel", "act", "history", "qacc_warmstart", "ctrl", "qfrc_applied", "xfrc_applied", "eq_active",
          "mocap_pos", "mocap_quat", "userdata", "plugin_state")
_OUTPUTS = ("rewards", "terminated", "truncated", "failed", "errors")


class Worker:
    """The worlds of one actor."""

    def __init__(self, model, num_worlds, num_threads, options):
        self.sim = _Local(model, num_worlds, num_threads, **options)

    def ask(self, name, *args):
        """Returns the result of a method."""
        return getattr(self.sim, name)(*args)

    def change(self, keep, name, *args):
        """Changes the worlds; returns the outputs of a step and, with `keep`, the states after it."""
        getattr(self.sim, name)(*args)
        outputs = [getattr(self.sim, output) for output in _OUTPUTS] if name == "step" else None
        return outputs, {field: self.sim.gather(field) for field in _STATE} if keep else None

    def restore(self, state):
        for name, values in state.items():
            self.sim.scatter(name, values)


class BatchSim:
    """Worlds of one model on a Ray cluster, with the interface of `sinew.BatchSim`: one actor per node, using all its
    cores.

    `num_actors` overrides one actor per node; `num_threads` applies to each actor. Arrays have one row per world, in
    the same order whatever the number of actors. A task is sent to the actors and sees only the worlds of its actor.
    The model is copied at construction: later changes to it have no effect.

    An actor that is lost is replaced, and the others continue. With `keep=True` the states are copied back after every
    call that changes them, and the new actor continues from there: only a task's internal state is lost. Without it,
    the worlds of the lost actor are reset, and the step counts as failed for them.
    """

    def __init__(self, model, num_worlds, num_actors=None, num_threads=None, nstep=1, task=None, strict=False, keep=False):
        self.model, self.num_worlds, self.nstep, self.strict, self.task, self.keep = model, num_worlds, nstep, strict, task, keep
        self._actors = Actors(num_actors, num_threads)
        self.num_actors = len(self._actors)
        if num_worlds < self.num_actors:
            raise ValueError(f"{num_worlds} worlds are fewer than {self.num_actors} actors; lower num_actors")
        self._bounds = np.linspace(0, num_worlds, self.num_actors + 1).round().astype(int)
        self._one = _Local(model, 1, 1)        # a single local world that knows names and shapes
        self._kept = [None] * self.num_actors
        self.rewards, self.terminated, self.truncated, self.failed = (np.zeros(num_worlds, t) for t in (float, bool, bool, bool))
        self.errors = [None] * num_worlds
        sent, options = ray.put(model), {"nstep": nstep, "task": task, "strict": strict}
        self._actors.start(lambda i, threads: (Worker, (sent, int(np.diff(self._bounds)[i]), threads, options)))

    def __len__(self):
        return self.num_worlds

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Terminates the actors."""
        self._actors.close()

    def __repr__(self):
        return f"sinew.ray.BatchSim({self.num_worlds} worlds, {self.num_actors} actors, {self.nstep} steps per call)"

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        array = self.gather(name)
        array.setflags(write=False)
        return array

    def step(self, ctrl=None):
        """Steps all worlds under controls (num_worlds x nu, or nu for all); by default those set last."""
        if ctrl is None:
            parts = [()] * self.num_actors
        else:
            ctrl = np.asarray(ctrl, float)
            if ctrl.shape not in ((self.model.nu,), (self.num_worlds, self.model.nu)):
                raise ValueError(f"ctrl should be of shape {(self.num_worlds, self.model.nu)}, got {ctrl.shape}")
            parts = [(ctrl if ctrl.ndim == 1 else ctrl[a:b],) for a, b in self._ranges()]
        results = self._change("step", parts)
        for name, values in zip(_OUTPUTS[:4], zip(*results)):
            setattr(self, name, np.concatenate(values))
        self.errors = [error for result in results for error in result[4]]

    def reset(self, worlds=None):
        """Resets worlds, selected by a mask or indices, to their initial state; all of them by default."""
        self._change("reset", [(rows,) for rows, _ in self._chosen(worlds)])

    def forward(self, worlds=None):
        """Computes positions, velocities, forces and accelerations at the present state, as `mj_forward`."""
        self._change("forward", [(rows,) for rows, _ in self._chosen(worlds)])

    def scatter(self, name, values, worlds=None):
        """Sets a field of MjData in worlds selected by a mask or indices, or in all of them by default."""
        chosen = self._chosen(worlds)
        shape = (sum(len(rows) for rows, _ in chosen), *self._one.gather(name).shape[1:])
        values = np.broadcast_to(values, shape)
        self._change("scatter", [(name, values[places], rows) for rows, places in chosen])

    def set_state(self, worlds, qpos, qvel):
        """Sets positions and velocities of worlds selected by a mask or indices, or of all of them if None."""
        self.scatter("qpos", qpos, worlds)
        self.scatter("qvel", qvel, worlds)

    def gather(self, name):
        """A field of MjData of all worlds."""
        self._one.gather(name)
        return np.concatenate(self._ask("gather", [(name,)] * self.num_actors))

    def transition(self, method="hybrid", eps=1e-6, centered=False, sensors=False):
        """`A`, `B` and, with `sensors`, `C` and `D` of a step of every world, as `sinew.BatchSim.transition`."""
        found = self._ask("transition", [(method, eps, centered, sensors)] * self.num_actors)
        *matrices, differenced = zip(*found)
        joined = [None if parts[0] is None else np.concatenate(parts) for parts in matrices]
        return BatchTransition(*joined, sum(differenced, []))

    def vjp(self, next, method="hybrid", eps=1e-6):
        """Gradients with respect to states (num_worlds x nx) and controls (num_worlds x nu), from those of the next
        states."""
        next = np.asarray(next, float).reshape(self.num_worlds, -1)
        found = self._ask("vjp", [(next[a:b], method, eps) for a, b in self._ranges()])
        return tuple(map(np.concatenate, zip(*found)))

    def _ranges(self):
        return list(zip(self._bounds[:-1], self._bounds[1:]))

    def _chosen(self, worlds):
        """For every actor, the local indices of its selected worlds, and their positions within the whole selection."""
        which = np.arange(self.num_worlds)
        if worlds is not None:
            index = worlds if isinstance(worlds, slice) else np.asarray(worlds, None if np.size(worlds) else int)
            which = np.atleast_1d(which[index])
        parts = []
        for a, b in self._ranges():
            places = np.flatnonzero((which >= a) & (which < b))
            parts.append((which[places] - a, places))
        return parts

    def _ask(self, name, arguments):
        return self._collect(lambda i: self._actors[i].ask.remote(name, *arguments[i]))

    def _change(self, name, arguments):
        """Outputs of all actors; worlds lost with their actor count as failed."""
        def submit(i):
            return self._actors[i].change.remote(self.keep, name, *arguments[i])

        results = []
        for i, found in enumerate(self._collect(submit, redo=self.keep or name != "step")):
            outputs, self._kept[i] = found if found is not None else (self._lost(i), None)
            results.append(outputs)
        return results

    def _lost(self, i):
        n = int(np.diff(self._bounds)[i])
        return np.zeros(n), np.ones(n, bool), np.zeros(n, bool), np.ones(n, bool), ["the actor of this world was lost"] * n

    def _collect(self, submit, redo=True):
        """Results of all actors. One that is lost is replaced and called again or, without `redo`, gives None."""
        waiting, results = [submit(i) for i in range(self.num_actors)], [None] * self.num_actors
        for i in range(self.num_actors):
            while True:
                try:
                    results[i] = ray.get(waiting[i])
                    self._actors.answered(i)
                    break
                except LOST as error:
                    self._actors.replace(i, error)
                if self._kept[i] is not None:
                    self._actors[i].restore.remote(self._kept[i])
                if not redo:
                    break
                waiting[i] = submit(i)
        return results
