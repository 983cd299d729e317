"""How large models may be and what they may read: MuJoCo has no such limits, so they are set for the whole process."""

import os
from typing import NamedTuple, Optional

from ._sinew import _limits, _set_limits

_unpacked = None


class Limits(NamedTuple):
    """Bounds on what a model may ask for; `unpacked` is None where the size of the archive decides."""

    memory: int
    elements: int
    numbers: int
    unpacked: Optional[int]
    confined: bool


def get_limits():
    """The limits of models that are loaded."""
    memory, elements, numbers, confined = _limits()
    given = os.environ.get("SINEW_MAX_UNPACKED") if _unpacked is None else _unpacked
    return Limits(memory, elements, numbers, None if given is None else int(given), confined)


def set_limits(*, memory=None, elements=None, numbers=None, unpacked=None, confined=None):
    """Sets limits for all models that are loaded from now on, by all threads; what is None stays as it is.

    `memory` (bytes) is that of a model and one simulation of it, `elements` are those after replication and attachment,
    `numbers` those in one array, `unpacked` (bytes) is what an archive may unpack to. With `confined`, models read files in
    their own directory and what `assets` hold; models given as text read nothing on disk. Returns the limits before.
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
