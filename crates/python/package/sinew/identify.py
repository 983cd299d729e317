"""Derivatives with respect to model parameters: masses, friction coefficients, anything a function can write into the
model."""

import copy

import numpy as np

from . import _sinew
from ._dynamics import Dynamics
from .batch import BatchSim

__all__ = ["Parametric"]

_WORLDS = 64  # worlds stepped together: enough for all cores, few enough to be created quickly


class Parametric:
    """A model as a function of a vector of parameters, which `apply(model, parameters)` writes into it.

        def apply(m, p):
            m.body_mass[2] = p[0]
            m.geom_friction[3, 0] = p[1]

    Derived constants are recomputed (`mj_setConst`). A state is `qpos`, `qvel` and `act` in one row. `eps` is the
    perturbation of a parameter in finite differences, so parameters should be of order one; `method` is that of
    `sinew.transition`.
    """

    def __init__(self, model, apply, num_threads=None, method="hybrid", eps=1e-6):
        self._base, self._apply = model, apply
        self._threads, self._method, self._eps = num_threads, method, eps

    def model(self, parameters):
        """A copy of the model with these parameters."""
        m = copy.copy(self._base)
        self._apply(m, np.asarray(parameters, float))
        _sinew.mj_setConst(m, _sinew.MjData(m))
        return m

    def rollout(self, parameters, state, ctrl):
        """States after each step (n x steps x nx), from initial states (n x nx) under controls (n x steps x nu)."""
        return self._dynamics(parameters).forward(*_doubles(state, ctrl))[0]

    def jacobian(self, parameters, state, ctrl):
        """States as from `rollout`, and their derivatives with respect to parameters, n x steps x (2 nv + na) x
        parameters.

        Derivatives of positions are in tangent space. With `A` of every step in closed form and `F`, finite differences
        of single steps with respect to parameters, the sensitivity follows `S⁺ = A S + F`. This keeps
        `n steps (2 nv + na)²` values in memory.
        """
        state, ctrl = _doubles(state, ctrl)
        parameters = np.asarray(parameters, float)
        n, steps, nu = ctrl.shape
        dynamics = self._dynamics(parameters)
        m = dynamics.model
        states, tape = dynamics.forward(state, ctrl)
        starts = {name: np.stack([kept[k] for kept in tape], 1).reshape(n * steps, -1)
                  for k, name in enumerate(("qpos", "qvel", "act", "qacc_warmstart"))}
        starts["ctrl"] = ctrl.reshape(n * steps, nu)
        A = np.concatenate([sim.transition(method=self._method)[0] for sim in self._worlds(m, starts)])
        F = np.stack([self._column(parameters, k, starts) for k in range(len(parameters))], -1)
        A, F = A.reshape(n, steps, *A.shape[1:]), F.reshape(n, steps, *F.shape[1:])
        out = F.copy()
        for t in range(1, steps):
            out[:, t] += A[:, t] @ out[:, t - 1]
        return states, out

    def difference(self, ends, starts):
        """Difference between two states, (..., 2 nv + na), with positions in tangent space as in
        `mj_differentiatePos`."""
        m, ends, starts = self._base, *np.broadcast_arrays(ends, starts)
        out = np.zeros((*ends.shape[:-1], 2 * m.nv + m.na))
        for i in np.ndindex(*ends.shape[:-1]):
            _sinew.mj_differentiatePos(m, out[i][: m.nv], 1, starts[i][: m.nq].copy(), ends[i][: m.nq].copy())
            out[i][m.nv :] = ends[i][m.nq :] - starts[i][m.nq :]
        return out

    def _dynamics(self, parameters):
        return Dynamics(self.model(parameters), 1, self._threads)

    def _worlds(self, m, starts):
        """Worlds in the initial states of all steps, some at a time."""
        total, sim = len(starts["qpos"]), None
        for first in range(0, total, _WORLDS):
            some = slice(first, min(first + _WORLDS, total))
            if sim is None or sim.num_worlds != some.stop - first:
                sim = BatchSim(m, some.stop - first, self._threads)
            for name, values in starts.items():
                sim.scatter(name, values[some])
            yield sim

    def _column(self, parameters, k, starts):
        """Derivatives of the final states of all steps with respect to a parameter, by centred differences."""
        ends = []
        for sign in (1, -1):
            near = parameters.copy()
            near[k] += sign * self._eps
            found = []
            for sim in self._worlds(self.model(near), starts):
                sim.step()
                found.append(np.concatenate([sim.qpos, sim.qvel, sim.act], axis=1))
            ends.append(np.concatenate(found))
        return self.difference(*ends) / (2 * self._eps)


def _doubles(state, ctrl):
    state, ctrl = np.asarray(state, float), np.asarray(ctrl, float)
    if state.ndim != 2 or ctrl.ndim != 3 or len(state) != len(ctrl):
        raise ValueError(f"states have shape {state.shape} and controls {ctrl.shape}; they should be (n, nx) and (n, steps, nu)")
    return state, ctrl
