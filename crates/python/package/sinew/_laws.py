"""Force laws written in Python, run as callbacks: for experiments, not for speed."""

import numpy as np

from . import _enums, _sinew

# callbacks that laws use, in the order of `PythonLaws._calls`
_NAMES = ("passive", "act_gain", "act_bias")


class PythonLaws:
    """Python functions as force laws of a simulation. As a context manager, it installs itself in front of existing
    callbacks."""

    def __init__(self, m):
        self._m, self._actuators, self._flexes = m, {}, []

    def add_actuator(self, name, law):
        """Sets the law `force = law(length, velocity, input)` of an actuator; `input` is its activation, or else its
        control."""
        i = self._m.actuator(name).id
        self._m.actuator_gaintype[i] = _enums.mjtGain.mjGAIN_USER
        self._m.actuator_biastype[i] = _enums.mjtBias.mjBIAS_USER
        self._actuators[i] = law

    def add_flex(self, name, law):
        """Sets the law `P = law(F)` for all elements of a flex, replacing that of the model."""
        m, f = self._m, _sinew.mj_name2id(self._m, _enums.mjtObj.mjOBJ_FLEX, name)
        if f < 0:
            raise ValueError(f"no flex is named '{name}'")
        if m.flex_dim[f] < 2 or m.flex_rigid[f] or m.flex_interp[f]:
            raise ValueError(f"flex '{name}' has no elements that could follow the law; use dim 2 or 3")
        self._flexes.append(_Elements(m, f, law))
        m.flex_stiffness[m.flex_elemadr[f] : m.flex_elemadr[f] + m.flex_elemnum[f]] = 0

    def __enter__(self):
        if self._actuators or self._flexes:
            self._before = [getattr(_sinew, f"get_mjcb_{name}")() for name in _NAMES]
            for name, call in zip(_NAMES, (self._passive, self._gain, self._bias)):
                getattr(_sinew, f"set_mjcb_{name}")(call)

    def __exit__(self, *_):
        if self._actuators or self._flexes:
            for name, call in zip(_NAMES, self._before):
                getattr(_sinew, f"set_mjcb_{name}")(call)

    def _passive(self, m, d):
        if self._before[0]:
            self._before[0](m, d)
        for elements in self._flexes:
            elements.push(m, d)

    def _gain(self, m, d, i):
        if i in self._actuators:
            return 0.0
        return self._before[1](m, d, i) if self._before[1] else 1.0

    def _bias(self, m, d, i):
        if i in self._actuators:
            last = m.actuator_actadr[i] + m.actuator_actnum[i] - 1
            drive = d.act[last] if m.actuator_actnum[i] else d.ctrl[i]
            return float(self._actuators[i](d.actuator_length[i], d.actuator_velocity[i], drive))
        return self._before[2](m, d, i) if self._before[2] else 0.0


class _Elements:
    """Elements of a flex and their rest shapes."""

    def __init__(self, m, f, law):
        self._law, dim = law, int(m.flex_dim[f])
        start, count = m.flex_elemdataadr[f], m.flex_elemnum[f]
        corners = m.flex_elem[start : start + count * (dim + 1)].reshape(count, dim + 1)
        self._verts = corners + m.flex_vertadr[f]
        d = _sinew.MjData(m)
        _sinew.mj_fwdPosition(m, d)
        rest = self._edges(d)
        if dim == 2:
            # edges in the local plane of each triangle
            rest = np.linalg.qr(rest)[1]
        self._inverse = np.linalg.inv(rest)
        self._size = np.abs(np.linalg.det(rest)) / (2 if dim == 2 else 6)

    def _edges(self, d):
        x = d.flexvert_xpos.reshape(-1, 3)[self._verts]
        return (x[:, 1:] - x[:, :1]).transpose(0, 2, 1)

    def push(self, m, d):
        stress = np.asarray(self._law(self._edges(d) @ self._inverse))
        slopes = self._size[:, None, None] * stress @ self._inverse.transpose(0, 2, 1)
        force = np.zeros((m.nflexvert, 3))
        np.add.at(force, self._verts[:, 1:], -slopes.transpose(0, 2, 1))
        np.add.at(force, self._verts[:, 0], slopes.sum(axis=2))
        for v in np.unique(self._verts):
            body, at = m.flex_vertbodyid[v], d.flexvert_xpos.reshape(-1, 3)[v]
            if m.body_weldid[body]:
                _sinew.mj_applyFT(m, d, force[v], np.zeros(3), at.copy(), body, d.qfrc_passive)
