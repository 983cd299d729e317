"""Batches on a GPU."""

import ctypes
import functools
import glob
import importlib.util
import os
import sys

import numpy as np

from .. import _sinew
from .arrays import arrays, field_arrays, host, stream_number
from .fallback import CpuBatch

Unavailable = _sinew._GpuUnavailable
Refusal = _sinew._GpuRefusal

_FLAGS = {"no_room": 1, "not_converged": 2, "bad_number": 4}
_WORDS = ("contacts", "rows", "iterations", "flags", "most_contacts", "most_rows", "most_iterations", "left")


def available():
    """Whether a usable GPU is present."""
    return _sinew._gpu_available()


@functools.lru_cache(maxsize=None)
def _load_compiler():
    """Loads NVRTC from where pip installs it, which the system's loader does not search."""
    found = importlib.util.find_spec("nvidia")
    for folder in (found.submodule_search_locations or ()) if found else ():
        for file in sorted(glob.glob(os.path.join(folder, "*", "lib", "libnvrtc.so.*")), reverse=True):
            try:
                ctypes.CDLL(file, mode=ctypes.RTLD_GLOBAL)
                return
            except OSError:
                continue


def emulated():
    """Whether `device="emulated"` is available, which takes a C++ compiler."""
    return _sinew._gpu_emulated()


class BatchSim:
    """`nworld` worlds of a model on a GPU, stepped together.

    Args:
      nstep: time steps per call of `step`.
      nconmax, njmax: capacity for contacts and constraint rows per world; by default estimated from a short rollout. A
        world that needs more is stepped by kernels with four times the capacity; one that needs still more is stopped,
        with a flag in its `status`.
      outputs: fields of MjData that `step` and `forward` fill, such as "xpos".
      fields: fields of MjModel stored per world, such as "body_mass": `sim.fields["body_mass"][:] = values`,
        then `sim.set_const()`.
      device: index of the GPU, or "emulated" to run the kernels on the CPU: slow, for tests.
      fast_math: use approximate division and sine.
      fallback: "cpu" steps the model on the CPU, after a message, where there is no GPU or no kernel for it.

    `sim.qpos`, `sim.qvel`, `sim.act`, `sim.ctrl`, `sim.time`, `sim.qacc_warmstart`, `sim.mocap_pos`, `sim.mocap_quat`,
    `sim.status` and the outputs are `Array`s. `stream` in calls is a raw handle or a PyTorch stream; by default
    PyTorch's current one, if PyTorch is loaded. `step` neither allocates nor reads back, so it can be captured in a
    CUDA graph.
    """

    def __new__(cls, model, nworld, nstep=1, nconmax=None, njmax=None, outputs=(), fields=(), device=0, fast_math=False,
                fallback=None):
        if fallback not in (None, "cpu"):
            raise ValueError(f"fallback is None or 'cpu', not {fallback!r}")
        self = super().__new__(cls)
        try:
            self._make(model, nworld, nconmax, njmax, outputs, fields, device, fast_math)
        except (Unavailable, Refusal) as error:
            if fallback is None or fields:
                raise
            print(f"sinew.gpu: {error}; stepping {nworld} worlds on the CPU", file=sys.stderr)
            return CpuBatch(model, nworld, nstep, outputs)
        self.model, self.nworld, self.nstep, self.device = model, nworld, nstep, device
        return self

    def _make(self, model, nworld, nconmax, njmax, outputs, fields, device, fast_math):
        if device != "emulated" and not (isinstance(device, int) and device >= 0):
            raise ValueError(f"device is the number of a GPU or 'emulated', not {device!r}")
        capacity = None
        if nconmax is not None or njmax is not None:
            contacts = nconmax if nconmax is not None else njmax
            rows = njmax if njmax is not None else 3 * nconmax
            capacity = [contacts, -4 * (-rows // 4)]
        number = None if device == "emulated" else device
        if number is not None:
            _load_compiler()
        self._batch = _sinew._GpuBatch(model, nworld, number, capacity, list(outputs), list(fields), fast_math)
        self._cuda = device != "emulated"
        self._arrays = dict(arrays(self._batch, model, nworld))
        self.fields = field_arrays(self._batch, model, nworld)

    def __getattr__(self, name):
        arrays = self.__dict__.get("_arrays", {})
        if name in arrays:
            return arrays[name]
        raise AttributeError(f"no array '{name}'; there are {', '.join(arrays)}; `outputs` asks for more")

    def __setattr__(self, name, value):
        if name in self.__dict__.get("_arrays", ()):
            raise AttributeError(f"sim.{name}[:] = values sets it")
        super().__setattr__(name, value)

    def __len__(self):
        return self.nworld

    @property
    def num_worlds(self):
        return self.nworld

    @property
    def arrays(self):
        """All arrays by name."""
        return dict(self._arrays)

    def step(self, nstep=None, stream=None):
        """Steps all worlds; returns before the work is done."""
        self._batch.step(self.nstep if nstep is None else nstep, stream_number(stream, self._batch))

    def forward(self, mask=None, stream=None):
        """Computes outputs of the present states, for the worlds of a mask or all; states do not change."""
        self._batch.forward(self._mask(mask), stream_number(stream, self._batch))

    def reset(self, mask=None, key=None, stream=None):
        """Resets the worlds of a mask, or all, to the initial state, the keyframe `key`, or the states (nworld, nq + nv
        + na) given as `key`. Controls, time and poses of mocap bodies are the model's or the keyframe's. Status flags
        are cleared.
        """
        given = None
        if key is not None and not isinstance(key, (int, np.integer)):
            m = self.model
            given, key = self._place(key, (self.nworld, m.nq + m.nv + m.na), np.float32, "key"), None
        elif key is not None and key < 0:
            raise IndexError(f"no keyframe {key}")
        self._batch.reset(self._mask(mask), key, given, stream_number(stream, self._batch))

    def set_const(self, mask=None, stream=None):
        """Recomputes the constants that depend on new values of `fields`, in the worlds of a mask or in all, as
        `mj_setConst`. It runs on the host.
        """
        mask = None if mask is None else np.ascontiguousarray(host(mask), bool)
        self._batch.set_const(mask, stream_number(stream, self._batch))

    def _mask(self, mask):
        return None if mask is None else self._place(mask, (self.nworld,), np.bool_, "mask")

    def _place(self, value, shape, dtype, name):
        """An address on the device, or an array on the host."""
        interface = getattr(value, "__cuda_array_interface__", None) if self._cuda else None
        if interface is None:
            value = host(value)
            if value.shape != shape or (dtype is np.bool_) != (value.dtype == np.bool_):
                raise ValueError(f"{name} must be of shape {shape} and type {np.dtype(dtype)}, got {value.shape}, {value.dtype}")
            return np.ascontiguousarray(value, dtype).reshape(-1)
        bits = {"|b1", "|u1"} if dtype is np.bool_ else {np.dtype(dtype).str}
        if tuple(interface["shape"]) != shape or interface["typestr"] not in bits or interface.get("strides"):
            raise ValueError(f"{name} must be of shape {shape}, type {np.dtype(dtype)} and without gaps")
        return int(interface["data"][0])

    def synchronize(self, stream=None):
        """Waits until all queued work is done."""
        self._batch.synchronize(stream_number(stream, self._batch))

    def counts(self):
        """Resource use and failures, a copy on the host: `contacts`, `rows` and `iterations` of the last step, the
        maximum of each since the world was reset, `left` for the number of steps not taken, and a mask for each status
        flag.
        """
        words = self.status.numpy()
        found = {name: words[:, k] for k, name in enumerate(_WORDS)}
        found.update((name, (found["flags"] & bit) != 0) for name, bit in _FLAGS.items())
        return found

    def check(self):
        """Raises an error if a world has not taken a step since its reset; the message gives the capacity it needs."""
        self.synchronize()
        self._batch.check()

    @property
    def report(self):
        """How the batch was built: device, bytes per world, registers, compilation time (s), capacities."""
        return self._batch.report()

    def __repr__(self):
        return f"gpu.BatchSim({self.nworld} worlds, {self.report['device']})"
