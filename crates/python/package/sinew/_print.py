"""Models, simulations and matrices as text."""

import contextlib as _contextlib
import os as _os
import random as _random
import time as _time

import numpy as _np

from . import _print_scene
from ._sinew import MjData, MjModel, MjvScene, mj_resetData

_DEFAULT = "%9.2g"


def _row(values, float_format):
    real = values.dtype.kind == "f"
    return " ".join(float_format % x if real else str(x) for x in values.ravel().tolist())


def _array(name, value, float_format):
    """Lines of one field: the name and value on one line if short, else one line per row."""
    if isinstance(value, bytes):
        yield f"{name:<22} {value!r}"
    elif not isinstance(value, _np.ndarray):
        yield f"{name:<22} {float_format % value if isinstance(value, float) else value}"
    elif value.size:
        rows = value.reshape(len(value), -1)
        yield name
        yield from (f"  {i:<6} {_row(row, float_format)}" for i, row in enumerate(rows))
        yield ""


def _fields(owner, names, float_format):
    for name in names:
        yield from _array(name, getattr(owner, name), float_format)


def _group(title, group, float_format):
    yield title
    for line in repr(group).splitlines()[1:-1]:
        name, _, value = line.strip().partition(": ")
        yield f"  {name:<20} {float_format % float(value) if '.' in value and '[' not in value else value}"
    yield ""


def _model(m, float_format):
    yield f"model name     {m.names.split(bytes(1))[0].decode(errors='replace')}"
    yield ""
    yield "SIZES"
    yield from (f"  {name:<20} {n}" for name in m._size_fields if (n := getattr(m, name)))
    yield ""
    for title, group in (("OPTION", m.opt), ("STATISTIC", m.stat), ("VISUAL", m.vis)):
        yield from _group(title, group, float_format)
    yield from _fields(m, m._all_fields[len(m._size_fields):], float_format)


def _data(d, float_format):
    counts = [name for name in d._all_fields if not isinstance(getattr(d, name), _np.ndarray)]
    yield "SIZES"
    yield from (f"  {line}" for line in _fields(d, counts, float_format))
    yield ""
    for title, records in (("WARNING", d.warning), ("TIMER", d.timer)):
        yield title
        yield from (f"  {i}: " + " ".join(repr(record).split()[1:-1]) for i, record in enumerate(records))
        yield ""
    yield from (f"CONTACT {i}\n{record!r}\n" for i, record in enumerate(d.contact))
    yield from _fields(d, [name for name in d._all_fields if name not in counts], float_format)


def _write(filename, lines):
    with open(_os.fspath(filename), "w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in lines)


def _check(*typed):
    for value, kind in typed:
        if not isinstance(value, kind):
            raise TypeError(f"expected {kind.__name__}, got {type(value).__name__}")


def mj_printFormattedModel(m, filename, float_format):
    """Writes a model to a text file; `float_format` is a `%` format for numbers."""
    _check((m, MjModel), (float_format, str))
    _write(filename, _model(m, float_format))


def mj_printModel(m, filename):
    """Writes a model to a text file."""
    mj_printFormattedModel(m, filename, _DEFAULT)


def mj_printFormattedData(m, d, filename, float_format):
    """Writes a simulation to a text file; `float_format` is a `%` format for numbers."""
    _check((m, MjModel), (d, MjData), (float_format, str))
    _write(filename, _data(d, float_format))


def mj_printData(m, d, filename):
    """Writes a simulation to a text file."""
    mj_printFormattedData(m, d, filename, _DEFAULT)


def mj_printFormattedScene(s, filename, float_format):
    """Writes a scene to a text file; `float_format` is a `%` format for numbers."""
    _check((s, MjvScene), (float_format, str))
    _write(filename, _print_scene.lines(s, float_format))


def mj_printScene(s, filename):
    """Writes a scene to a text file."""
    mj_printFormattedScene(s, filename, "% -9.2g")


def mju_printMat(mat):
    """Prints a matrix."""
    rows = _np.atleast_1d(_np.asarray(mat, dtype=float))
    for row in rows.reshape(len(rows), -1) if rows.size else ():
        print("".join(f"{x:.8f} " for x in row))
    print()


def mju_printMatSparse(mat, rownnz, rowadr, colind):
    """Prints the entries of a matrix in compressed rows."""
    mat, rownnz, rowadr, colind = (_np.ravel(a).tolist() for a in (mat, rownnz, rowadr, colind))
    for row, (count, first) in enumerate(zip(rownnz, rowadr)):
        print("".join(f"({row} {colind[k]}): {mat[k]:9.6f}  " for k in range(first, first + count)))
    print()


def mju_standardNormal(num2=None):
    """A standard normal random number, from Python's generator."""
    return _random.gauss(0.0, 1.0)


def mju_writeLog(type, msg):
    """Appends a message with a timestamp to MUJOCO_LOG.TXT; does nothing if the file cannot be written."""
    with _contextlib.suppress(OSError), open("MUJOCO_LOG.TXT", "a", encoding="utf-8") as file:
        file.write(f"{_time.asctime()}\n{type}: {msg}\n\n")


def mj_resetDataDebug(m, d, debug_value):
    """Same as `mj_resetData`: a reset leaves no memory unset that could be filled with `debug_value`."""
    mj_resetData(m, d)
