"""Steps of many worlds as a differentiable function of states and controls; shared by `sinew.torch` and `sinew.jax`.

A state is `qpos`, `qvel` and `act` in one row. Steps depend on state and controls only: the constraint solver has no
warmstart at the first step and uses its last solution after that; time starts at zero.
"""

import threading

import numpy as np

from ._enums import mjtJoint
from .batch import BatchSim

_FIELDS = ("qpos", "qvel", "act", "qacc_warmstart")
_SIZES = 3  # batch sizes whose worlds are kept: for training, validation, and a single world


class Coordinates:
    """Converts gradients between the coordinates of `qpos` and its tangent space, which differ for quaternions."""

    def __init__(self, m):
        kinds = np.asarray(m.jnt_type)
        quaternions = [(q + 3, v + 3) if kind == mjtJoint.mjJNT_FREE else (q, v)
                       for q, v, kind in zip(m.jnt_qposadr, m.jnt_dofadr, kinds)
                       if kind in (mjtJoint.mjJNT_FREE, mjtJoint.mjJNT_BALL)]
        self.nv = m.nv
        self.nq = m.nq
        self.quat = np.array([q for q, _ in quaternions], int)[:, None] + np.arange(4)
        self.turn = np.array([v for _, v in quaternions], int)[:, None] + np.arange(3)
        self.plain_q = np.setdiff1d(np.arange(m.nq), self.quat)
        self.plain_v = np.setdiff1d(np.arange(m.nv), self.turn)

    def _moved(self, qpos):
        """Derivatives of unit quaternions with respect to rotation about each of their axes (..., n, 4, 3), and their
        norms."""
        quat = qpos[..., self.quat]
        length = np.linalg.norm(quat, axis=-1)
        w, x, y, z = np.moveaxis(quat / length[..., None], -1, 0)
        axes = [(-x, w, z, -y), (-y, -z, w, x), (-z, y, -x, w)]
        return np.stack([np.stack(axis, -1) for axis in axes], -1) / 2, length[..., None]

    def to_tangent(self, qpos, by_qpos):
        """Gradients (..., nv) in tangent space from gradients with respect to `qpos`."""
        out = np.empty((*by_qpos.shape[:-1], self.nv))
        out[..., self.plain_v] = by_qpos[..., self.plain_q]
        if len(self.quat):
            moved, _ = self._moved(qpos)
            out[..., self.turn] = np.einsum("...qt,...q->...t", moved, by_qpos[..., self.quat])
        return out

    def from_tangent(self, qpos, by_turn):
        """Gradients (..., nq) from gradients in tangent space; zero in the direction of a quaternion's norm."""
        out = np.empty((*by_turn.shape[:-1], self.nq))
        out[..., self.plain_q] = by_turn[..., self.plain_v]
        if len(self.quat):
            moved, length = self._moved(qpos)
            # columns of `moved` are orthogonal, of length one half
            out[..., self.quat] = 4 * np.einsum("...qt,...t->...q", moved, by_turn[..., self.turn]) / length
        return out


class Dynamics:
    """The model, its worlds, and forward and backward steps over numpy arrays."""

    def __init__(self, model, nstep=1, num_threads=None, method="hybrid", eps=1e-6):
        if nstep < 1:
            raise ValueError(f"nstep = {nstep}: at least one step is taken per control")
        if model.nhistory:
            raise ValueError("the model has delays, whose buffers are no part of the state; remove `delay` and `nsample`")
        self.model = model
        self.nstep = nstep
        self.nx = model.nq + model.nv + model.na
        self.nu = model.nu
        self._options = {"method": method, "eps": eps}
        self._threads = num_threads
        self._coordinates = Coordinates(model)
        self._worlds = {}
        self._lock = threading.Lock()  # backward passes run on other threads

    def initial(self, key=None):
        """The model's initial state, or a keyframe selected by name or id."""
        m = self.model
        if key is None:
            return np.concatenate([m.qpos0, np.zeros(m.nv + m.na)])
        key = m.key(key)
        return np.concatenate([key.qpos, key.qvel, key.act])

    def _batch(self, n):
        if n not in self._worlds:
            if len(self._worlds) == _SIZES:
                del self._worlds[next(iter(self._worlds))]
            self._worlds[n] = BatchSim(self.model, n, self._threads)
        return self._worlds[n]

    def _split(self, states):
        m = self.model
        return np.split(states, [m.nq, m.nq + m.nv], axis=-1)

    def check(self, state, ctrl, rank):
        """Leading dimensions of state and controls; `rank` is the number of dimensions of the controls of one world."""
        if state.ndim < 1 or state.shape[-1] != self.nx:
            raise ValueError(f"state has shape {tuple(state.shape)}; its last dimension should be nq + nv + na = {self.nx}")
        if ctrl.ndim < rank or ctrl.shape[-1] != self.nu:
            what = "(..., nu)" if rank == 1 else "(..., steps, nu)"
            raise ValueError(f"ctrl has shape {tuple(ctrl.shape)}; it should be {what} with nu = {self.nu}")
        return np.broadcast_shapes(tuple(state.shape[:-1]), tuple(ctrl.shape[:-rank]))

    def forward(self, state, ctrl):
        """States after each control (n x steps x nx), and the tape for `backward`: the initial state of every step.

        A world that fails is NaN from there on.
        """
        with self._lock:
            return self._forward(state, ctrl)

    def _forward(self, state, ctrl):
        n, steps = ctrl.shape[:2]
        sim, alive = self._batch(n), np.ones(n, bool)
        sim.reset()
        for name, values in zip(_FIELDS, self._split(state)):
            sim.scatter(name, values)
        states, tape = np.empty((n, steps, self.nx)), []
        for t in range(steps):
            for _ in range(self.nstep):
                tape.append([sim.gather(name) for name in _FIELDS])
                sim.step(ctrl[:, t])
                alive &= ~sim.failed
            states[:, t] = np.concatenate([sim.gather(name) for name in _FIELDS[:3]], axis=1)
            states[~alive, t] = np.nan
        return states, tape

    def backward(self, states, tape, ctrl, by_states):
        """Gradients with respect to the first state (n x nx) and the controls, from those of all states; NaN for failed
        worlds."""
        with self._lock:
            return self._backward(states, tape, ctrl, by_states)

    def _backward(self, states, tape, ctrl, by_states):
        n, steps = ctrl.shape[:2]
        m, sim, back = self.model, self._batch(n), self._coordinates
        failed = np.isnan(states).any(axis=(1, 2))
        after, by_ctrl = np.zeros((n, 2 * m.nv + m.na)), np.zeros_like(ctrl)
        sim.reset()
        for t in reversed(range(steps)):
            by_qpos, rest = np.split(by_states[:, t], [m.nq], axis=1)
            ends = np.where(failed[:, None], m.qpos0, states[:, t, : m.nq])
            after += np.concatenate([back.to_tangent(ends, by_qpos), rest], axis=1)
            sim.scatter("ctrl", ctrl[:, t])
            for kept in reversed(tape[t * self.nstep : (t + 1) * self.nstep]):
                for name, values in zip(_FIELDS, kept):
                    sim.scatter(name, values[~failed], ~failed)
                after, by_u = sim.vjp(after, **self._options)
                by_ctrl[:, t] += by_u
        by_q = back.from_tangent(tape[0][0], after[:, : m.nv]) if steps else after[:, : m.nq]
        by_state = np.concatenate([by_q, after[:, m.nv :]], axis=1)
        by_state[failed], by_ctrl[failed] = np.nan, np.nan
        return by_state, by_ctrl
