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
    """Whether there is a GPU that can be used."""
    return _sinew._gpu_available()


@functools.lru_cache(maxsize=None)
def _load_compiler():
    """Opens NVRTC where pip has put it, which the system's loader does not search."""
    found = importlib.util.find_spec("nvidia")
    for folder in (found.submodule_search_locations or ()) if found else ():
        for file in sorted(glob.glob(os.path.join(folder, "*", "lib", "libnvrtc.so.*")), reverse=True):
            try:
                ctypes.CDLL(file, mode=ctypes.RTLD_GLOBAL)
                return
            except OSError:
                continue


def emulated():
    """Whether `device="emulated"` can be used: there is a C++ compiler."""
    return _sinew._gpu_emulated()


class BatchSim:
    """`nworld` worlds of a model on a GPU, stepped together.

    Args:
      nstep: steps a call of `step` takes.
      nconmax, njmax: room for contacts and constraint rows of a world; estimated from a short roll-out if not given. A
        world that needs more is stepped by a build with four times the room; one that needs still more stands still,
        with a flag in its `status`.
      outputs: fields of MjData that `step` and `forward` fill, such as "xpos".
      fields: fields of MjModel that each world has its own of, such as "body_mass": `sim.fields["body_mass"][:] = values`,
        then `sim.set_const()`.
      device: number of the GPU, or "emulated" to run the kernels on the CPU: slow, for tests.
      fast_math: approximate divisions and sines.
      fallback: "cpu" steps the model on the CPU, after a message, where there is no GPU or no kernel for it.

    `sim.qpos`, `sim.qvel`, `sim.act`, `sim.ctrl`, `sim.time`, `sim.qacc_warmstart`, `sim.mocap_pos`, `sim.mocap_quat`,
    `sim.status` and the outputs are `Array`s. `stream` in calls is a number or a stream of PyTorch; PyTorch's current
    one if not given and PyTorch is loaded. `step` allocates nothing and reads nothing, so that it can be captured in a graph.
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
        """Steps all worlds; returns before they are done."""
        self._batch.step(self.nstep if nstep is None else nstep, stream_number(stream, self._batch))

    def forward(self, mask=None, stream=None):
        """Computes outputs of the present states, of the worlds of a mask or of all; states stay as they are."""
        self._batch.forward(self._mask(mask), stream_number(stream, self._batch))

    def reset(self, mask=None, key=None, stream=None):
        """Puts the worlds of a mask, or all, into the initial state, the keyframe `key`, or the states (nworld, nq + nv + na)
        given as `key`. Controls, time and poses of mocap bodies are the model's or the keyframe's. Flags are cleared.
        """
        given = None
        if key is not None and not isinstance(key, (int, np.integer)):
            m = self.model
            given, key = self._place(key, (self.nworld, m.nq + m.nv + m.na), np.float32, "key"), None
        elif key is not None and key < 0:
            raise IndexError(f"no keyframe {key}")
        self._batch.reset(self._mask(mask), key, given, stream_number(stream, self._batch))

    def set_const(self, mask=None, stream=None):
        """Makes new values of `fields` count, in the worlds of a mask or in all, with everything that follows from them, as
        `mj_setConst`. It is computed on the host.
        """
        mask = None if mask is None else np.ascontiguousarray(host(mask), bool)
        self._batch.set_const(mask, stream_number(stream, self._batch))

    def _mask(self, mask):
        return None if mask is None else self._place(mask, (self.nworld,), np.bool_, "mask")

    def _place(self, value, shape, dtype, name):
        """An address on the device, or an array of the host."""
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
        """Waits until everything is done."""
        self._batch.synchronize(stream_number(stream, self._batch))

    def counts(self):
        """What steps needed and what went wrong, a copy on the host: `contacts`, `rows`, `iterations` of the last step, the
        most of each since the world began, `left` steps that were not taken, and a mask for each flag.
        """
        words = self.status.numpy()
        found = {name: words[:, k] for k, name in enumerate(_WORDS)}
        found.update((name, (found["flags"] & bit) != 0) for name, bit in _FLAGS.items())
        return found

    def check(self):
        """Raises if a world has not taken a step since it began, with the room it needs."""
        self.synchronize()
        self._batch.check()

    @property
    def report(self):
        """How the batch was made: device, bytes of a world, registers, seconds of compilation, room."""
        return self._batch.report()

    def __repr__(self):
        return f"gpu.BatchSim({self.nworld} worlds, {self.report['device']})"
