"""Worlds and roll-outs over a Ray cluster: `pip install "sinew[ray]"`.

    sim = sinew.ray.BatchSim(m, 100_000)                # the names of sinew.BatchSim, one actor per node
    states, sensordata = sinew.ray.rollout(m, initial_state, control)

A failed actor is replaced, and what the others have computed is kept.
"""

from .batch import BatchSim
from .rollout import Rollout, rollout

__all__ = ["BatchSim", "Rollout", "rollout"]
