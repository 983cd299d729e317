"""Thousands of worlds of one model on one NVIDIA GPU, in single precision.

    sim = sinew.gpu.BatchSim(m, 8192, outputs=("xpos",))
    torch.from_dlpack(sim.ctrl)[:] = policy(observation)
    sim.step()
    sim.check()

Without a GPU the module can be imported and `available()` is False.
"""

from .arrays import Array
from .batch import BatchSim, Refusal, Unavailable, available, emulated

__all__ = ["Array", "BatchSim", "Refusal", "Unavailable", "VectorEnv", "available", "emulated"]


def __getattr__(name):
    if name == "VectorEnv":  # needs gymnasium
        from .vector import VectorEnv

        return VectorEnv
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
