"""Arrays of a GPU batch, shared with other libraries."""

import math
import sys

import numpy as np

from .. import _sinew


_CUDA = 2  # DLPack's device type


def stream_number(stream, batch):
    """Handle of a stream: the caller's, PyTorch's current one if it is loaded and uses GPUs, or the default one."""
    kind, device = batch.device()
    if stream is None and kind == _CUDA:
        torch = sys.modules.get("torch")
        if torch is not None and torch.cuda.is_initialized():
            # use PyTorch's function for the raw handle if it exists: creating a stream object takes microseconds
            number = getattr(torch._C, "_cuda_getCurrentRawStream", None)
            stream = number(device) if number else torch.cuda.current_stream(device)
    if stream is None:
        return 0
    return int(getattr(stream, "cuda_stream", getattr(stream, "ptr", stream)))


class Array:
    """Values of all worlds on the device, one row per world: float32, or int32 for the status.

    Other libraries share the memory: `torch.from_dlpack(a)`, `jax.dlpack.from_dlpack(a)`, `cupy.asarray(a)`.
    `a.numpy()` is a copy. `a[:] = x` accepts arrays on the host and on the device; other indices go through PyTorch if
    it is loaded, else through the host.
    """

    def __init__(self, batch, name, address, shape, strides, offset=0):
        self._batch, self._name, self._address, self._offset = batch, name, address, offset
        self.shape, self._strides = tuple(shape), tuple(strides)
        self.dtype = np.dtype(np.int32 if name == "status" else np.float32)
        self.ndim, self.size = len(self.shape), math.prod(self.shape)

    def __len__(self):
        return self.shape[0]

    def __repr__(self):
        return f"Array({self._name}, shape={self.shape}, dtype={self.dtype})"

    @property
    def _whole(self):
        """Whether the array covers all of its memory, without gaps."""
        return self._offset == 0 and self._strides == _dense(self.shape)

    @property
    def __cuda_array_interface__(self):
        if self._batch.device()[0] != _CUDA:
            raise AttributeError("the array is in the memory of the host")
        return self._interface()

    def _interface(self):
        strides = tuple(4 * s for s in self._strides)
        address = self._address + 4 * self._offset if self.size else 0
        return {"shape": self.shape, "typestr": self.dtype.str, "strides": strides, "data": (address, False), "version": 3}

    def __dlpack_device__(self):
        return self._batch.device()

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if copy:
            raise BufferError("the array is shared, never copied")
        if self._batch.device()[0] == _CUDA:
            mine, theirs = stream_number(None, self._batch), 0 if stream in (None, 1, 2) else stream
            if theirs not in (-1, mine):
                self._batch.synchronize(mine)
        versioned = max_version is not None and max_version >= (1, 0)
        return self._batch.dlpack(self._name, self._offset, list(self.shape), list(self._strides), versioned)

    def numpy(self):
        """A copy on the host, after all previously queued work is done."""
        flat = self._batch.read(self._name, stream_number(None, self._batch)).view(self.dtype)
        strides = [4 * s for s in self._strides]
        return np.lib.stride_tricks.as_strided(flat[self._offset :], self.shape, strides).copy()

    def __array__(self, dtype=None, copy=None):
        return self.numpy().astype(dtype or self.dtype, copy=False)

    def __getitem__(self, index):
        return self.numpy()[index]

    def __setitem__(self, index, value):
        cuda, stream = self._batch.device()[0] == _CUDA, stream_number(None, self._batch)
        everything = index is Ellipsis or isinstance(index, slice) and index == slice(None)
        if cuda and hasattr(value, "__cuda_array_interface__"):
            if everything and self._whole and self._copied(value.__cuda_array_interface__, stream):
                return
            torch = sys.modules.get("torch")
            if torch is None:
                raise TypeError("give an array of float32, of the same shape and without gaps, or load PyTorch")
            torch.from_dlpack(self)[index] = torch.as_tensor(value)
            return
        value = host(value)
        flat = self._batch.read(self._name, stream).view(self.dtype)
        strides = [4 * s for s in self._strides]
        np.lib.stride_tricks.as_strided(flat[self._offset :], self.shape, strides)[index] = value
        self._batch.write(self._name, flat.view(np.uint8), stream)

    def _copied(self, given, stream):
        """Copies an array on the device if type, shape and layout match."""
        strides = given.get("strides")
        dense = strides is None or tuple(strides) == tuple(4 * s for s in _dense(given["shape"]))
        if not dense or tuple(given["shape"]) != self.shape or given["typestr"] != self.dtype.str:
            return False
        self._batch.copy(self._name, given["data"][0], stream)
        return True


def _dense(shape):
    return tuple(math.prod(shape[k + 1 :]) for k in range(len(shape)))


def host(value):
    """Converts anything array-like to an array on the host."""
    if not isinstance(value, np.ndarray) and hasattr(value, "__dlpack__") and not hasattr(value, "__array__"):
        return np.from_dlpack(value)
    return np.asarray(value)


def arrays(batch, model, nworld):
    for name, address, width in batch.arrays():
        if name == "mocap":
            # position and quaternion of a mocap body are adjacent
            for part, at, size in (("mocap_pos", 0, 3), ("mocap_quat", 3, 4)):
                yield part, Array(batch, name, address, (nworld, width // 7, size), (width, 7, 1), at)
            continue
        yield name, _array(batch, model, nworld, name, address, width)


def _array(batch, model, nworld, name, address, width):
    shape = (nworld, *((width,) if name == "status" else _shape(model, name, width)))
    return Array(batch, name, address, shape, _dense(shape))


def _shape(model, name, width):
    """Shape of a field in a world: MjData's if it has the same number of values."""
    if name == "time":
        return ()
    shape = _sinew._field_shape(model, name)
    if shape is not None and math.prod(shape) == width:
        return tuple(shape)
    return (model.nv, model.nv) if name == "M" else (width,)


def field_arrays(batch, model, nworld):
    """Model fields stored per world, by name."""
    return {name.split(".")[1]: _array(batch, model, nworld, name, address, width) for name, address, width in batch.fields()}
