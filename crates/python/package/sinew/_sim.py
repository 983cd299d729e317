"""A simulation with physics of one's own choice."""

import copy as _copy

from . import _sinew


class Sim:
    """A model, its data and the physics that steps them.

    `solver` and the values of `actuators`, laws by the names of actuators, are words as in the `sinew:` texts of a file:
    `Sim(m, solver="xpbd substeps=4", actuators={"knee": "series_elastic 1000 10 50"})`. The model given is left as it is.
    """

    def __init__(self, m, solver=None, actuators=None):
        self.model = _copy.copy(m)
        if solver is not None:
            self.solver = solver
        for name, law in (actuators or {}).items():
            self.model._extend(f"actuator:{name}", law)
        self.data = _sinew.MjData(self.model)

    @property
    def solver(self):
        """What solves the constraints; may be set between steps. "convex" is MuJoCo's choice by `opt.solver`."""
        return self.model._solver()

    @solver.setter
    def solver(self, words):
        self.model._extend("solver", words)

    def step(self, nstep=1, strict=False):
        """Advances by `nstep` time steps; if `strict`, raises `StepError` where forces or the state are not sound."""
        (_sinew.step_strict if strict else _sinew.mj_step)(self.model, self.data, nstep)

    def forward(self):
        """Forces and accelerations of the present state."""
        _sinew.mj_forward(self.model, self.data)

    def reset(self):
        """The initial state."""
        _sinew.mj_resetData(self.model, self.data)
