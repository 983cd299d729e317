"""Open-loop trajectories from many initial states, on one or several threads."""

import atexit

import numpy as np

from . import _sinew
from ._enums import mjtState

_PHYSICS = int(mjtState.mjSTATE_FULLPHYSICS)
_USER = int(mjtState.mjSTATE_USER)

__all__ = ["Rollout", "rollout", "shutdown_persistent_pool"]


class Rollout:
    """Rolls out trajectories on a pool of `nthread` threads, or on the calling thread if that is 0."""

    def __init__(self, *, nthread=None):
        self.nthread = 0 if nthread is None else nthread
        self.rollout_ = _sinew._Rollout(nthread=self.nthread)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Stops the threads; later calls are refused."""
        self.rollout_ = None

    def rollout(
        self,
        model,
        data,
        initial_state,
        control=None,
        *,
        control_spec=int(mjtState.mjSTATE_CTRL),
        skip_checks=False,
        nstep=None,
        initial_warmstart=None,
        state=None,
        sensordata=None,
        chunk_size=None,
    ):
        """Steps from initial states under given controls; returns the states and sensor values after every step.

        Args:
          model: one MjModel, or one per trajectory, all of the same sizes.
          data: one MjData, or a list of one per thread.
          initial_state: `mjSTATE_FULLPHYSICS` vectors, (nbatch or 1) x nstate.
          control: controls, (nbatch or 1) x (nstep or 1) x ncontrol.
          control_spec: contents of the controls, bits of mjtState.
          skip_checks: use the arrays as given: no inference, no tiling, no allocation.
          nstep: number of steps; inferred from the arrays if not given.
          initial_warmstart: initial accelerations of the solver, (nbatch or 1) x nv.
          state: output array for states, nbatch x nstep x nstate.
          sensordata: output array for sensor values, nbatch x nstep x nsensordata.
          chunk_size: number of trajectories a thread takes at a time; by default nbatch / (10 nthread).

        Ctrl-C ends the call between steps. Given output arrays then hold the steps taken so far and are unchanged
        beyond them; each simulation in `data` is in the last state of its last trajectory. All objects remain usable.

        Returns:
          (state, sensordata)
        """
        if self.rollout_ is None:
            raise RuntimeError("rollout requested after thread pool shutdown")
        if skip_checks:
            arrays = (initial_state, initial_warmstart, control, state, sensordata)
            self.rollout_.rollout(model, data, nstep, int(control_spec), *arrays, chunk_size)
            return state, sensordata

        models = [model] if isinstance(model, _sinew.MjModel) else list(model)
        if not models:
            raise ValueError("the list of models is empty")
        if initial_state is None:
            raise ValueError("initial_state is needed")
        if control_spec & ~_USER:
            raise ValueError("control_spec can only contain bits in mjSTATE_USER")
        for name, count in (("nstep", nstep), ("chunk_size", chunk_size)):
            if count and not isinstance(count, int):
                raise ValueError(f"{name} must be an integer")
        inputs = _Arrays(initial_state=(2, initial_state), initial_warmstart=(2, initial_warmstart),
                         control=(3, control), state=(3, state), sensordata=(3, sensordata))
        nbatch = inputs.infer(0, 1)
        if nbatch == 1:
            nbatch = len(models)
        if len(models) > 1 and len(models) != nbatch:
            raise ValueError(f"nbatch inferred as {nbatch} but model is length {len(models)}")
        nstep = inputs.infer(1, nstep or 1, ("control", "state", "sensordata"))
        sizes = [(_sinew.mj_stateSize(m, _PHYSICS), _sinew.mj_stateSize(m, control_spec), m.nv, m.nsensordata)
                 for m in models]
        if any(s != sizes[0] for s in sizes):
            raise ValueError("models are not compatible")
        nstate, ncontrol, nv, nsensordata = sizes[0]
        inputs.check_last(initial_state=nstate, state=nstate, control=ncontrol, initial_warmstart=nv,
                          sensordata=nsensordata)
        state, sensordata = inputs.arrays["state"], inputs.arrays["sensordata"]
        if state is None:
            state = np.empty((nbatch, nstep, nstate))
        if sensordata is None:
            sensordata = np.empty((nbatch, nstep, nsensordata))
        self.rollout_.rollout(
            models,
            data if isinstance(data, list) else [data],
            nstep,
            int(control_spec),
            inputs.arrays["initial_state"],
            inputs.arrays["initial_warmstart"],
            inputs.arrays["control"],
            state,
            sensordata,
            chunk_size,
            nbatch,
        )
        return state, sensordata


class _Arrays:
    """The array arguments, expanded to full rank: a batch dimension, and for some a time dimension, come first."""

    def __init__(self, **ranked):
        self.arrays = {}
        for name, (rank, value) in ranked.items():
            if value is not None and not isinstance(value, (np.ndarray, float)):
                raise ValueError(f"{name} must be a numpy array or float")
        for name, (rank, value) in ranked.items():
            if value is not None and np.ndim(value) > rank:
                raise ValueError(f"{name} can have at most {rank} dimensions")
        for name, (rank, value) in ranked.items():
            if value is not None:
                value = np.asarray(value)
                value = np.ascontiguousarray(value.reshape((1,) * (rank - value.ndim) + value.shape), np.float64)
            self.arrays[name] = value

    def infer(self, axis, value, names=None):
        """The common length along an axis; arrays of length 1 are broadcast."""
        for name in names or self.arrays:
            array = self.arrays[name]
            if array is None:
                continue
            size = array.shape[axis]
            if size != value and value == 1:
                value = size
            elif size not in (1, value):
                raise ValueError(f"dimension {axis} inferred as {value} but {name} has {size}")
        return value

    def check_last(self, **wanted):
        for name, size in wanted.items():
            array = self.arrays[name]
            if array is not None and array.shape[-1] != size:
                raise ValueError(f"trailing dimension of {name} must be {size}, got {array.shape[-1]}")


_persistent = None


def shutdown_persistent_pool():
    """Stops the threads started by `persistent_pool=True`."""
    global _persistent
    if _persistent is not None:
        _persistent.close()
    _persistent = None


atexit.register(shutdown_persistent_pool)


def rollout(
    model,
    data,
    initial_state,
    control=None,
    *,
    control_spec=int(mjtState.mjSTATE_CTRL),
    skip_checks=False,
    nstep=None,
    initial_warmstart=None,
    state=None,
    sensordata=None,
    chunk_size=None,
    persistent_pool=False,
):
    """Rolls out trajectories with one thread per element of `data`; see `Rollout.rollout` for the other arguments.

    Args:
      persistent_pool: keep the threads for the next call; `shutdown_persistent_pool` stops them.
    """
    global _persistent
    data = data if isinstance(data, list) else [data]
    nthread = len(data) if len(data) > 1 else 0
    pool = _persistent if persistent_pool else None
    if pool is None or pool.nthread != nthread:
        pool = Rollout(nthread=nthread)
    if persistent_pool:
        _persistent = pool
    return pool.rollout(
        model,
        data,
        initial_state,
        control,
        control_spec=control_spec,
        skip_checks=skip_checks,
        nstep=nstep,
        initial_warmstart=initial_warmstart,
        state=state,
        sensordata=sensordata,
        chunk_size=chunk_size,
    )
