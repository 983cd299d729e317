"""Differentiable steps and rollouts for JAX: `pip install "sinew[jax]"`.

    dynamics = sinew.jax.Dynamics(m)
    state = dynamics.initial(64)                        # (64, nq + nv + na)
    state = dynamics.step(state, controls)              # controls (64, nu)
    states = dynamics.rollout(state, controls)          # controls (64, steps, nu) -> states (64, steps, nq + nv + na)

They work under `jit`, `vmap`, `scan` and `grad`. JAX uses single precision unless `jax_enable_x64` is set.
"""

import functools

import jax
import jax.numpy as jnp
import numpy as np

from ._dynamics import Dynamics as _Dynamics

__all__ = ["Dynamics"]


class Dynamics:
    """Steps of a model as a differentiable function of states and controls, over batches and on all cores.

    A state is `qpos`, `qvel` and `act` in one row of `nx` values. Any number of leading dimensions is allowed; those of
    states and controls are broadcast, and so are those of `vmap`. Computed in double precision on the CPU; results have
    the dtype of the state. `nstep` steps are taken per control. A world that fails is NaN from there on, and so is its
    gradient. `method` and `eps` are those of `sinew.vjp`. The backward pass repeats the rollout, so that nothing has to
    be stored.
    """

    def __init__(self, model, nstep=1, num_threads=None, method="hybrid", eps=1e-6):
        self._core = _Dynamics(model, nstep, num_threads, method, eps)
        self.model, self.nstep, self.nx, self.nu = model, nstep, self._core.nx, self._core.nu

    def initial(self, *shape, key=None):
        """Initial states, or the states of a keyframe: an array (*shape, nx)."""
        return jnp.broadcast_to(jnp.asarray(self._core.initial(key)), (*shape, self.nx))

    def step(self, state, ctrl):
        """Next states (..., nx) of states (..., nx) under controls (..., nu)."""
        state, ctrl = jnp.asarray(state), jnp.asarray(ctrl)
        self._core.check(state, ctrl, 1)
        return self.rollout(state, ctrl[..., None, :])[..., 0, :]

    __call__ = step

    def rollout(self, state, ctrl):
        """States after each step (..., steps, nx), from an initial state (..., nx) under controls (..., steps, nu)."""
        state, ctrl = jnp.asarray(state), jnp.asarray(ctrl)
        lead = self._core.check(state, ctrl, 2)
        state = jnp.broadcast_to(state, (*lead, self.nx))
        ctrl = jnp.broadcast_to(ctrl, (*lead, *ctrl.shape[-2:])).astype(state.dtype)
        return _rollout(self._core, state, ctrl)


def _flat(core, state, ctrl):
    """Flattens worlds into one dimension, in double precision."""
    state, ctrl = np.asarray(state, np.float64), np.asarray(ctrl, np.float64)
    return state.reshape(-1, core.nx), ctrl.reshape(-1, *ctrl.shape[-2:])


def _forward(core, state, ctrl):
    states, _ = core.forward(*_flat(core, state, ctrl))
    return states.reshape(*ctrl.shape[:-1], core.nx).astype(state.dtype)


def _backward(core, state, ctrl, by_states):
    first, controls = _flat(core, state, ctrl)
    states, tape = core.forward(first, controls)
    by_states = np.asarray(by_states, np.float64).reshape(states.shape)
    by_state, by_ctrl = core.backward(states, tape, controls, by_states)
    return by_state.reshape(state.shape).astype(state.dtype), by_ctrl.reshape(ctrl.shape).astype(ctrl.dtype)


def _like(array, shape=None):
    return jax.ShapeDtypeStruct(array.shape if shape is None else shape, array.dtype)


@functools.partial(jax.custom_vjp, nondiff_argnums=(0,))
def _rollout(core, state, ctrl):
    shape = _like(state, (*ctrl.shape[:-1], core.nx))
    return jax.pure_callback(functools.partial(_forward, core), shape, state, ctrl, vmap_method="broadcast_all")


def _rollout_fwd(core, state, ctrl):
    return _rollout(core, state, ctrl), (state, ctrl)


def _rollout_bwd(core, kept, by_states):
    shapes = tuple(_like(array) for array in kept)
    return jax.pure_callback(functools.partial(_backward, core), shapes, *kept, by_states, vmap_method="broadcast_all")


_rollout.defvjp(_rollout_fwd, _rollout_bwd)
