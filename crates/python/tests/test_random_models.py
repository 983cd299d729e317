"""Random models beside MuJoCo: compiled fields, every stage, inverse dynamics and free motion.

`SINEW_RANDOM_MODELS=5000` compares so many instead of the few that a quick run can afford.
"""

import os

import pytest
from random_compare import survey
from random_flex import add

COUNT = int(os.environ.get("SINEW_RANDOM_MODELS", "240"))
SHARE = 40


@pytest.mark.parametrize("first", range(0, COUNT, SHARE))
def test_random_models(first):
    found = list(survey(range(first, min(first + SHARE, COUNT))))
    differences = [(seed, details) for seed, outcome, details in found if outcome == "differs"]
    assert not differences
    # most models must be compared to the end for this to mean anything
    assert sum(outcome in ("same", "rounding") for _, outcome, _ in found) >= 0.7 * len(found)


@pytest.mark.parametrize("first", range(0, COUNT // 3, SHARE))
def test_random_flexes(first):
    """The same models with flexes of all kinds among their bodies."""
    found = list(survey(range(first, first + SHARE), add))
    differences = [(seed, details) for seed, outcome, details in found if outcome == "differs"]
    assert not differences
    assert sum(outcome in ("same", "rounding") for _, outcome, _ in found) >= 0.6 * len(found)
