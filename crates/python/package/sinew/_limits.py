"""Limits on the size of models and on the files they may read. MuJoCo has none, so they apply to the whole process."""

import os
from typing import NamedTuple, Optional

from ._sinew import _limits, _set_limits

_unpacked = None


class Limits(NamedTuple):
    """Limits on what a model may use; with `unpacked` None, the limit follows from the size of the archive."""

    memory: int
    elements: int
    numbers: int
    unpacked: Optional[int]
    confined: bool


def get_limits():
    """Returns the limits for loading models."""
    memory, elements, numbers, confined = _limits()
    given = os.environ.get("SINEW_MAX_UNPACKED") if _unpacked is None else _unpacked
    return Limits(memory, elements, numbers, None if given is None else int(given), confined)


def set_limits(*, memory=None, elements=None, numbers=None, unpacked=None, confined=None):
    """Sets limits for all models loaded from now on, on all threads; None leaves a limit unchanged.

    `memory` (bytes) is for a model and one simulation of it, `elements` is the number after replication and attachment,
    `numbers` the number of values in one array, `unpacked` (bytes) the unpacked size of an archive. With `confined`,
    models may read only files in their own directory and in `assets`; models given as text read nothing from disk.
    Returns the previous limits.
    """
    global _unpacked
    before = get_limits()
    given = {"memory": memory, "elements": elements, "numbers": numbers, "unpacked": unpacked}
    for name, value in given.items():
        if value is not None and value < 0:
            raise ValueError(f"{name} is {value}, expected at least 0")
    now = [old if value is None else value for old, value in zip(before[:3], (memory, elements, numbers))]
    _set_limits(*now, before.confined if confined is None else bool(confined))
    _unpacked = _unpacked if unpacked is None else unpacked
    return before
