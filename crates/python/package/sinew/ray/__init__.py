"""Worlds and rollouts on a Ray cluster: `pip install "sinew[ray]"`.

    sim = sinew.ray.BatchSim(m, 100_000)                # interface of sinew.BatchSim, one actor per node
    states, sensordata = sinew.ray.rollout(m, initial_state, control)

A failed actor is replaced; results of the others are kept.
"""

from .batch import BatchSim
from .rollout import Rollout, rollout

__all__ = ["BatchSim", "Rollout", "rollout"]
