import os
import sys

import mujoco
import pytest
import sinew

sys.path.insert(0, os.path.dirname(__file__))

import samples  # noqa: E402
import oracle  # noqa: E402


class Pair:
    """One model in both engines."""

    def __init__(self, xml):
        self.om = mujoco.MjModel.from_xml_string(xml)
        self.od = mujoco.MjData(self.om)
        self.m = oracle.model_from_mujoco(self.om)
        self.d = sinew.MjData(self.m)


@pytest.fixture
def rich():
    return Pair(samples.RICH)


@pytest.fixture(params=list(samples.ALL))
def pair(request):
    return Pair(samples.ALL[request.param])
