"""A simulation whose solver and force laws can be chosen."""

import copy as _copy

from . import _enums, _sinew
from ._laws import PythonLaws as _PythonLaws


class Sim:
    """A model, its data and the solver and force laws that step them.

    `solver` and the values of `actuators`, `elasticity` and `bending`, the laws by actuator and flex names, have the
    format of the `sinew:` texts of a model file:
    `Sim(m, solver="xpbd substeps=4", actuators={"knee": "series_elastic 1000 10 50"})`. A plain string for `elasticity`
    or `bending` applies to all flexes that support it. The given model is not changed.

    For experiments, laws can be Python functions: `actuators={"knee": lambda length, velocity, input: force}` and
    `elasticity={"block": lambda F: P}`, from the deformation gradients of all elements, (n, 3, dim), to their stresses
    (first Piola-Kirchhoff; for sheets, times the thickness). Each step then calls back into Python, which is slow.
    """

    def __init__(self, m, solver=None, actuators=None, elasticity=None, bending=None):
        self.model = _copy.copy(m)
        self._python = _PythonLaws(self.model)
        if solver is not None:
            self.solver = solver
        for name, law in (actuators or {}).items():
            if callable(law):
                self._python.add_actuator(name, law)
            else:
                self.model._extend(f"actuator:{name}", law)
        for kind, laws in (("elasticity", elasticity), ("bending", bending)):
            for name, law in self._by_flex(kind, laws).items():
                if callable(law) and kind == "elasticity":
                    self._python.add_flex(name, law)
                else:
                    self.model._extend(f"{kind}:{name}", law)
        self.data = _sinew.MjData(self.model)

    def _by_flex(self, kind, laws):
        if laws is None or isinstance(laws, dict):
            return laws or {}
        m, dims = self.model, (2,) if kind == "bending" else (2, 3)
        fits = [f for f in range(m.nflex) if m.flex_dim[f] in dims and not m.flex_rigid[f] and not m.flex_interp[f]]
        if not fits:
            raise ValueError(f"{kind}: the model has no flex that could follow '{laws}'")
        names = [_sinew.mj_id2name(m, _enums.mjtObj.mjOBJ_FLEX, f) for f in fits]
        if None in names:
            raise ValueError(f"{kind}: a flex has no name; name it in the file")
        return dict.fromkeys(names, laws)

    @property
    def solver(self):
        """The constraint solver; may be set between steps. "convex" is the MuJoCo solver selected by `opt.solver`."""
        return self.model._solver()

    @solver.setter
    def solver(self, words):
        self.model._extend("solver", words)

    def step(self, nstep=1, strict=False):
        """Advances by `nstep` time steps; if `strict`, raises `StepError` where forces or the state are invalid."""
        with self._python:
            (_sinew.step_strict if strict else _sinew.mj_step)(self.model, self.data, nstep)

    def forward(self):
        """Computes forces and accelerations of the present state."""
        with self._python:
            _sinew.mj_forward(self.model, self.data)

    def reset(self):
        """Resets to the initial state."""
        _sinew.mj_resetData(self.model, self.data)
