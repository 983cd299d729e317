"""Actors on the nodes of a cluster, and their replacement."""

import logging

import ray
from ray.exceptions import ObjectLostError, RayActorError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

_log = logging.getLogger("sinew.ray")

LOST = (RayActorError, ObjectLostError)  # a lost actor, or a lost node with a result that was not fetched yet
TRIES = 3  # consecutive lost actors before the cluster counts as broken


class Actors:
    """One actor per node with all its cores, or `num_actors` spread evenly over the nodes."""

    def __init__(self, num_actors=None, num_threads=None):
        if not ray.is_initialized():
            ray.init()
        nodes = [(node["NodeID"], node["Resources"]["CPU"])
                 for node in ray.nodes() if node["Alive"] and node["Resources"].get("CPU")]
        if not nodes:
            raise RuntimeError("no node of the Ray cluster offers processors")
        count = len(nodes) if num_actors is None else num_actors
        if count < 1:
            raise ValueError(f"num_actors = {count}: at least one is needed")
        self._places, self._actors, self._lost = [], [], [0] * count
        for i in range(count):
            node, cores = nodes[i % len(nodes)]
            there = len(range(i % len(nodes), count, len(nodes)))
            self._places.append((node, num_threads or max(1, int(cores) // there)))

    def start(self, make):
        """Starts all actors; `make(i, num_threads)` gives the class of one and its arguments."""
        self._make = make
        self._actors = [self._one(i, soft=False) for i in range(len(self))]

    def __len__(self):
        return len(self._places)

    def __getitem__(self, i):
        return self._actors[i]

    def _one(self, i, soft):
        node, threads = self._places[i]
        cls, arguments = self._make(i, threads)
        where = NodeAffinitySchedulingStrategy(node_id=node, soft=soft)
        # no cores are reserved: otherwise two batches in one program would wait for each other forever
        return ray.remote(cls).options(num_cpus=0, scheduling_strategy=where).remote(*arguments)

    def replace(self, i, error):
        """Starts a new actor in place of one that was lost, on another node if its own is gone."""
        self._lost[i] += 1
        if self._lost[i] > TRIES:
            raise RuntimeError(f"actor {i} was lost {self._lost[i]} times in a row; see the logs of the cluster") from error
        _log.warning("actor %d was lost and is replaced: %s", i, str(error).splitlines()[0])
        ray.kill(self._actors[i])
        self._actors[i] = self._one(i, soft=True)

    def answered(self, i):
        """Records that an actor works."""
        self._lost[i] = 0

    def close(self):
        """Terminates all actors."""
        for actor in self._actors:
            ray.kill(actor)
        self._actors = []
