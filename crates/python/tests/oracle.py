"""Models compiled by MuJoCo, passed to sinew through its byte format. For tests only."""

import struct

import numpy as np
import sinew

_GROUPS = ("MjOption", "MjStatistic", "Global", "Quality", "Headlight", "Map", "Scale", "Rgba")
_NUMPY = {"float64": "<f8", "float32": "<f4", "int32": "<i4", "int64": "<i8", "uint8": "u1", "char": "u1"}


# MuJoCo's own Python module shows these two as empty arrays.
_HIDDEN = {"bv": (0, 1, 0, 0.5), "bvactive": (1, 0, 0, 0.5)}


def _pack(owner, rows):
    for name, dtype, _, _ in rows:
        value = getattr(owner, name)
        if name in _HIDDEN and np.size(value) == 0:
            value = _HIDDEN[name]
        if isinstance(value, bytes):
            yield value
        else:
            yield np.ascontiguousarray(value).astype(_NUMPY[dtype]).tobytes()


def model_from_mujoco(om):
    """The sinew model with exactly the sizes, options and arrays of a `mujoco.MjModel`."""
    tables = sinew._sinew._tables()
    header = sinew._sinew._model_header()
    sizes = b"".join(struct.pack("<q", getattr(om, name)) for name in tables["Sizes"])
    v = om.vis
    owners = (om.opt, om.stat, v.global_, v.quality, v.headlight, v.map, v.scale, v.rgba)
    parts = [header, sizes]
    for owner, group in zip(owners, _GROUPS):
        parts += _pack(owner, tables[group])
    parts += _pack(om, tables["MjModel"])
    return sinew.MjModel._from_bytes(sinew._sinew._sealed(b"".join(parts)))


STATE = (
    "time qpos qvel act history mocap_pos mocap_quat ctrl qfrc_applied xfrc_applied eq_active qacc_warmstart userdata"
).split()


def copy_state(dst, src):
    """Copies the state of `src` to `dst` (either may be sinew or mujoco)."""
    for name in STATE:
        value = getattr(src, name)
        if name == "time":
            dst.time = float(value)
        elif np.size(value):
            getattr(dst, name)[...] = value


# Fields that MuJoCo does not have.
_OURS = ("ten_force", "jnt_limit_frc")


def copy_all(dst, src):
    """Copies the real-valued fields of a `mujoco.MjData` into a sinew one, where the sizes agree.

    Counts, codes and indices are recomputed by every step; MuJoCo's may be uninitialised memory."""
    for name, dtype, scalar, _ in sinew._sinew._tables()["MjData"]:
        if dtype != "float64" or name in _OURS:
            continue
        value = getattr(src, name)
        if scalar:
            setattr(dst, name, value)
        elif getattr(dst, name).shape == np.shape(value):
            getattr(dst, name)[...] = value
