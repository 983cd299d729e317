"""Models that do not compile: refused by MuJoCo, so refused here, with an exception that says why."""

from pathlib import Path

import mujoco
import pytest
import sinew

CASES = Path(__file__).parents[2] / "mjcf" / "tests" / "malformed" / "compile.cases"


def cases():
    _, *blocks = CASES.read_text().split("\n# ")
    pairs = [block.split("\n", 1) for block in blocks]
    base = pairs[0][1]
    for head, fragment in pairs[1:]:
        yield pytest.param(f"<mujoco>{base}{fragment}</mujoco>", id=head.split(": ")[0])


@pytest.mark.parametrize("xml", cases())
def test_refused(xml):
    for module in (mujoco, sinew):
        with pytest.raises(ValueError, match=r"\w+"):
            module.MjModel.from_xml_string(xml)
