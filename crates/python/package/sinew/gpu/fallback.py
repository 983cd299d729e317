"""CPU fallback of GPU batches."""

import numpy as np

from .. import _sinew
from ..batch import BatchSim


class CpuBatch:
    """CPU batches with the interface of `gpu.BatchSim`: arrays are NumPy float64, and steps copy them."""

    def __init__(self, model, nworld, nstep, outputs):
        self.sim = BatchSim(model, nworld, nstep=nstep)
        self.model, self.nworld, self.nstep, self.device, self.report = model, nworld, nstep, "cpu", {"device": "cpu"}
        self._outputs = ("qpos", "qvel", "act", "qacc_warmstart", "time", "mocap_pos", "mocap_quat", *outputs)
        self.ctrl = np.zeros((nworld, model.nu))
        self._look()

    def _look(self):
        for name in self._outputs:
            setattr(self, name, self.sim.gather(name))

    def _show(self):
        for name in ("qpos", "qvel", "act", "qacc_warmstart", "time", "mocap_pos", "mocap_quat"):
            self.sim.scatter(name, getattr(self, name))
        self.sim.scatter("ctrl", self.ctrl)

    def __len__(self):
        return self.nworld

    def step(self, nstep=None, stream=None):
        self._show()
        for _ in range((self.nstep if nstep is None else nstep) // self.nstep):
            self.sim.step(self.ctrl)
        self._look()

    def forward(self, mask=None, stream=None):
        self._show()
        self.sim.forward(mask)
        self._look()

    def reset(self, mask=None, key=None, stream=None):
        mask = np.ones(self.nworld, bool) if mask is None else np.asarray(mask)
        self._show()
        self.sim.reset(mask)
        self._look()
        self.ctrl[mask] = 0
        if key is None:
            return
        m = self.model
        if isinstance(key, (int, np.integer)):
            self.qpos[mask], self.qvel[mask], self.act[mask] = m.key_qpos[key], m.key_qvel[key], m.key_act[key]
            self.ctrl[mask], self.time[mask] = m.key_ctrl[key], m.key_time[key]
            self.mocap_pos[mask], self.mocap_quat[mask] = m.key_mpos[key].reshape(-1, 3), m.key_mquat[key].reshape(-1, 4)
        else:
            parts = np.split(np.asarray(key), [m.nq, m.nq + m.nv], axis=1)
            self.qpos[mask], self.qvel[mask], self.act[mask] = (part[mask] for part in parts)

    def synchronize(self, stream=None):
        """Does nothing: on the CPU, steps are done when they return."""

    def check(self):
        if self.sim.failed.any():
            raise _sinew.FatalError(next(e for e in self.sim.errors if e))
