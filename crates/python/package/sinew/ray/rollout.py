"""Open-loop trajectories from many initial states, on a cluster."""

import numpy as np
import ray

from .. import _sinew
from .. import rollout as _local
from .cluster import LOST, Actors


class Worker:
    """Threads of one node and their simulations, for one model at a time."""

    def __init__(self, num_threads):
        self.threads, self.model, self.key = num_threads, None, None
        self.pool = _local.Rollout(nthread=num_threads if num_threads > 1 else None)

    def rollout(self, model, key, initial_state, control, nstep, options):
        if key != self.key:
            self.key, self.model = key, model
            self.data = [_sinew.MjData(model) for _ in range(self.threads)]
        return self.pool.rollout(self.model, self.data, initial_state, control, nstep=nstep, **options)


class Rollout:
    """Rolls out trajectories on a Ray cluster: one actor per node, using all its cores; see `sinew.rollout`.

    Trajectories are distributed in chunks. The chunk of a lost actor is given to another; nothing is lost.
    """

    def __init__(self, *, num_actors=None, num_threads=None):
        self._actors = Actors(num_actors, num_threads)
        self.num_actors = len(self._actors)
        self._actors.start(lambda i, threads: (Worker, (threads,)))
        self._calls = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Terminates the actors."""
        self._actors.close()

    def rollout(self, model, initial_state, control=None, *, nstep=None, initial_warmstart=None, chunk_size=None, **options):
        """States and sensor values after every step; arguments as in `sinew.rollout.rollout`.

        `chunk_size` is the number of trajectories an actor takes at a time, by default a quarter of its share.
        """
        initial_state = np.atleast_2d(np.asarray(initial_state, float))
        control = None if control is None else np.asarray(control, float)
        if control is not None:
            control = control.reshape((1,) * (3 - control.ndim) + control.shape)
            nstep = nstep or control.shape[1]
        warm = None if initial_warmstart is None else np.atleast_2d(np.asarray(initial_warmstart, float))
        n = max(len(a) for a in (initial_state, control, warm) if a is not None)
        size = chunk_size or max(1, -(-n // (4 * self.num_actors)))
        chunks = [slice(first, min(first + size, n)) for first in range(0, n, size)]
        self._calls += 1
        sent, key = ray.put(model), self._calls

        def submit(i, chunk):
            def part(array):
                return array if array is None or len(array) == 1 else array[chunk]

            first = np.broadcast_to(part(initial_state), (chunk.stop - chunk.start, initial_state.shape[1]))
            extra = {"initial_warmstart": part(warm), **options}
            return self._actors[i].rollout.remote(sent, key, first, part(control), nstep, extra)

        found = self._share(chunks, submit)
        return tuple(map(np.concatenate, zip(*found)))

    def _share(self, chunks, submit):
        """Results of all chunks in order; an actor that has finished one takes the next."""
        todo, results, busy = list(range(len(chunks)))[::-1], [None] * len(chunks), {}

        def give(i):
            if todo:
                c = todo.pop()
                busy[submit(i, chunks[c])] = (i, c)

        for i in range(self.num_actors):
            give(i)
        while busy:
            (ready,), _ = ray.wait(list(busy), num_returns=1)
            i, c = busy.pop(ready)
            try:
                results[c] = ray.get(ready)
                self._actors.answered(i)
            except LOST as error:
                self._actors.replace(i, error)
                todo.append(c)
            give(i)
        return results


def rollout(model, initial_state, control=None, *, num_actors=None, num_threads=None, **options):
    """Rolls out trajectories on temporary actors; `Rollout` keeps them between calls."""
    with Rollout(num_actors=num_actors, num_threads=num_threads) as pool:
        return pool.rollout(model, initial_state, control, **options)
