"""Differentiable steps and rollouts for PyTorch: `pip install "sinew[torch]"`.

    dynamics = sinew.torch.Dynamics(m)
    state = dynamics.initial(64)                        # (64, nq + nv + na), double precision
    state = dynamics.step(state, controls)              # controls (64, nu)
    states = dynamics.rollout(state, controls)          # controls (64, steps, nu) -> states (64, steps, nq + nv + na)
"""

import torch

from ._dynamics import Dynamics as _Dynamics

__all__ = ["Dynamics"]


class Dynamics:
    """Steps of a model as a differentiable function of states and controls, over batches and on all cores.

    A state is `qpos`, `qvel` and `act` in one row of `nx` values. Any number of leading dimensions is allowed; those of
    states and controls are broadcast. Computed in double precision on the CPU; results have the dtype and the device of
    the state. `nstep` steps are taken per control. A world that fails is NaN from there on, and so is its gradient.
    `method` and `eps` are those of `sinew.vjp`.
    """

    def __init__(self, model, nstep=1, num_threads=None, method="hybrid", eps=1e-6):
        self._core = _Dynamics(model, nstep, num_threads, method, eps)
        self.model, self.nstep, self.nx, self.nu = model, nstep, self._core.nx, self._core.nu

    def initial(self, *shape, key=None, dtype=torch.float64, device=None):
        """Initial states, or the states of a keyframe: a tensor (*shape, nx)."""
        state = torch.as_tensor(self._core.initial(key), dtype=dtype, device=device)
        return state.expand(*shape, -1).clone()

    def step(self, state, ctrl):
        """Next states (..., nx) of states (..., nx) under controls (..., nu)."""
        self._core.check(state, ctrl, 1)
        return self.rollout(state, ctrl.unsqueeze(-2)).squeeze(-2)

    __call__ = step

    def rollout(self, state, ctrl):
        """States after each step (..., steps, nx), from an initial state (..., nx) under controls (..., steps, nu)."""
        lead = self._core.check(state, ctrl, 2)
        state = state.expand(*lead, -1)
        ctrl = ctrl.expand(*lead, -1, -1)
        flat = _Rollout.apply(self._core, state.reshape(-1, self.nx), ctrl.reshape(-1, *ctrl.shape[-2:]))
        return flat.reshape(*lead, ctrl.shape[-2], self.nx)


def _array(tensor):
    return tensor.detach().to("cpu", torch.float64).numpy()


class _Rollout(torch.autograd.Function):
    @staticmethod
    def forward(ctx, core, state, ctrl):
        ctx.core, ctx.ctrl = core, _array(ctrl)
        ctx.states, ctx.tape = core.forward(_array(state), ctx.ctrl)
        return torch.from_numpy(ctx.states).to(state, copy=True)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, by_states):
        found = ctx.core.backward(ctx.states, ctx.tape, ctx.ctrl, _array(by_states))
        return None, *(torch.from_numpy(values).to(by_states) for values in found)
