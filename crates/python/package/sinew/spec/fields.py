"""Properties of the elements of an `MjSpec`, generated from the table of attributes that the parser uses."""

import numpy as np

from .. import _enums, _sinew

FIELDS = dict(_sinew._Spec.fields())
DTYPES = {"real": np.float64, "float": np.float32, "int": np.int32, "code": np.int32}
#: Fields whose MJCF names are Rust keywords.
RENAMED = {"kind": "type", "ref_": "ref"}
FORMS = ("axisangle", "xyaxes", "zaxis", "euler")


class Array(np.ndarray):
    """Values of an element: writes to the array are passed on to the element."""

    _store = None

    def __setitem__(self, key, value):
        super().__setitem__(key, value)
        if self._store is not None:
            self._store(np.asarray(self))


def array(values, dtype, store):
    out = np.array(values, dtype=dtype).view(Array)
    out._store = store
    return out


class Texts:
    """Texts of an element, a list of fixed length."""

    def __init__(self, values, store):
        self._values, self._store = list(values), store

    def __getitem__(self, index):
        if not isinstance(index, slice) and not 0 <= int(index) < len(self._values):
            raise IndexError(f"index {int(index)} out of range")
        return self._values[index]

    def __setitem__(self, index, text):
        if not 0 <= int(index) < len(self._values):
            raise IndexError(f"index {int(index)} out of range")
        self._values[int(index)] = text
        self._store(self._values)

    def __iter__(self):
        return iter(self._values)

    def __len__(self):
        return len(self._values)

    def __eq__(self, other):
        return self._values == list(other)

    def __repr__(self):
        return repr(self._values)


class MjsOrientation:
    """An alternative to a quaternion: the type and its values."""

    def __init__(self, owner=None, index=None):
        self._owner, self._index, self._own = owner, index, [0.0]

    def _numbers(self):
        return self._own if self._owner is None else list(self._owner._get(self._index))

    def _write(self, numbers):
        if self._owner is None:
            self._own = list(numbers)
        else:
            self._owner._set(self._index, list(numbers))

    @property
    def type(self):
        return _enums.mjtOrientation(int(self._numbers()[0]))

    @type.setter
    def type(self, code):
        self._write([float(code)] + self._numbers()[1:])


def _form(code, name, size):
    def get(self):
        numbers = self._numbers()
        values = numbers[1:] if int(numbers[0]) == code else [0.0] * size
        return array(values, np.float64, lambda new: self._write([code, *new]))

    def put(self, values):
        values = np.asarray(values, dtype=np.float64).ravel()
        if values.size != size:
            raise ValueError(f"{name} should be a list/array of size {size}.")
        self._write([code, *values])

    return property(get, put)


for _code, (_name, _size) in enumerate(zip(FORMS, (4, 6, 3, 3)), start=1):
    setattr(MjsOrientation, _name, _form(_code, _name, _size))


def numbers(name, value, count):
    """Converts values for a field and checks their number."""
    if isinstance(value, (str, bytes)) or value is None:
        raise TypeError(f"{name} should be a list or array of numbers, got {type(value).__name__}")
    values = np.asarray(value, dtype=np.float64).ravel()
    if count < 0 or values.size == count:
        return values
    if name == "size" and count == 3:
        if 1 <= values.size <= 3:
            return np.concatenate([values, np.zeros(3 - values.size)])
        raise ValueError("size should be a list/array of size 1, 2, or 3.")
    raise ValueError(f"{name} should be a list/array of size {count}.")


def integer(name, value):
    if isinstance(value, (str, bytes)) or not hasattr(value, "__int__"):
        raise TypeError(f"{name} should be a number, got {type(value).__name__}")
    return int(value)


def number(name, value):
    if isinstance(value, (str, bytes)):
        raise TypeError(f"{name} should be a number, got {type(value).__name__}")
    return float(value)


def _getter(index, name, kind, enum, count, optional):
    dtype = DTYPES.get(kind)

    def one(self):
        raw = self._get(index)
        if raw is None:
            return float("nan")
        if kind == "text":
            return raw
        value = raw[0]
        if kind == "bool":
            return bool(value)
        if kind == "code" and enum:
            try:
                return getattr(_enums, enum)(int(value))
            except ValueError:
                return int(value)
        return float(value) if kind in ("real", "float") else int(value)

    def many(self):
        raw = self._get(index)
        if kind == "text":
            return Texts(raw, lambda new: self._set(index, list(new)))
        values = np.full(max(count, 0), np.nan) if raw is None else raw
        return array(values, dtype, lambda new: self._set(index, new.ravel().tolist()))

    if kind == "orientation":
        return lambda self: MjsOrientation(self, index)
    return many if count else one


def _setter(index, name, kind, enum, count, optional):
    def put(self, value):
        if kind == "orientation":
            self._set(index, value._numbers())
        elif kind == "text" and not count:
            if not isinstance(value, str):
                raise TypeError(f"{name} should be a str, got {type(value).__name__}")
            self._set(index, value)
        elif kind == "text":
            value = value.split() if isinstance(value, str) else [str(v) for v in value]
            if count > 0 and len(value) != count:
                raise ValueError(f"{name} must have exactly {count} elements, got {len(value)}")
            self._set(index, value)
        elif count:
            self._set(index, numbers(name, value, count).tolist())
        elif kind in ("real", "float"):
            self._set(index, number(name, value))
        else:
            self._set(index, integer(name, value))

    return put


def properties(struct):
    """The properties of a struct of the table."""
    out = {}
    for index, (name, kind, enum, count, optional, doc) in enumerate(FIELDS[struct]):
        name = RENAMED.get(name, name)
        row = (index, name, kind, enum, count, optional)
        out[name] = property(_getter(*row), _setter(*row), doc=doc)
    return out
