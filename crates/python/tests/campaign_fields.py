"""Writes garbage into every field of a model and its data, then calls everything callable."""

import hostile
import numpy as np
import sinew


def run(watch, seed):
    rng = np.random.default_rng(seed)
    pristine = {name: sinew.MjModel.from_xml_string(xml) for name, xml in hostile.MODELS.items()}
    while watch.goes_on():
        hostile.one_round(rng, pristine, lambda what, work: watch.run(what, lambda: call(work)))


def call(work):
    try:
        work()
    except Exception as e:  # a panic is not an Exception
        assert "engine stopped" not in str(e), str(e)
        return type(e).__name__
    return "returned"
