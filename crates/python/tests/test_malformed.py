"""Models that do not compile: refused by MuJoCo, so refused here, with an exception that says why."""

from pathlib import Path

import mujoco
import pytest
import sinew

DATA = Path(__file__).parents[2] / "mjcf" / "tests" / "malformed"


def cases():
    _, *blocks = (DATA / "compile.cases").read_text().split("\n# ")
    pairs = [block.split("\n", 1) for block in blocks]
    base = pairs[0][1]
    for head, fragment in pairs[1:]:
        yield pytest.param(f"<mujoco>{base}{fragment}</mujoco>", id=head.split(": ")[0])


@pytest.mark.parametrize("xml", list(cases()))
def test_refused(xml):
    for module in (mujoco, sinew):
        with pytest.raises(ValueError, match=r"\w+"):
            module.MjModel.from_xml_string(xml)


def models():
    for text in (DATA / "models.txt").read_text().split("\n=== ")[1:]:
        heading, body = text.split("\n", 1)
        xml, *files = body.split("--- ")
        assets = dict(file.split("\n", 1) for file in files)
        yield pytest.param(xml, {name: content.encode() for name, content in assets.items()}, id=heading)


@pytest.mark.parametrize("xml, assets", list(models()))
def test_model_refused(xml, assets):
    for module in (mujoco, sinew):
        with pytest.raises((ValueError, mujoco.FatalError), match=r"\w+"):
            module.MjModel.from_xml_string(xml, assets)
