"""Models that do not compile: MuJoCo refuses them, so sinew must too, with an exception that says why."""

from pathlib import Path

import mujoco
import numpy as np
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


def models(name):
    for text in (DATA / name).read_text().split("\n=== ")[1:]:
        heading, body = text.split("\n", 1)
        xml, *files = body.split("--- ")
        assets = dict(file.split("\n", 1) for file in files)
        yield pytest.param(xml, {name: content.encode() for name, content in assets.items()}, id=heading)


@pytest.mark.parametrize("xml, assets", list(models("models.txt")))
def test_model_refused(xml, assets):
    for module in (mujoco, sinew):
        with pytest.raises((ValueError, mujoco.FatalError), match=r"\w+"):
            module.MjModel.from_xml_string(xml, assets)


@pytest.mark.parametrize("xml, assets", list(models("flex.txt")))
def test_flex_refused(xml, assets, tmp_path):
    """MuJoCo reads flex files only from disk."""
    for name, content in assets.items():
        (tmp_path / name).write_bytes(content)
    path = tmp_path / "model.xml"
    path.write_text(xml)
    for module in (mujoco, sinew):
        with pytest.raises((ValueError, mujoco.FatalError), match=r"\w+"):
            module.MjModel.from_xml_path(str(path))


@pytest.mark.parametrize("xml, assets", list(models("odd.txt")))
def test_odd_model_accepted(xml, assets):
    want = mujoco.MjModel.from_xml_string(xml, assets)
    got = sinew.MjModel.from_xml_string(xml, assets)
    for field in ("nq", "nv", "nbody", "ngeom", "nsensor", "nu"):
        assert getattr(got, field) == getattr(want, field)
    np.testing.assert_allclose(got.geom_size, want.geom_size)
    np.testing.assert_allclose(got.body_quat, want.body_quat, atol=1e-15)
    np.testing.assert_equal(got.opt.timestep, want.opt.timestep)
    np.testing.assert_equal(got.opt.gravity, want.opt.gravity)
    np.testing.assert_equal(got.actuator_biastype, want.actuator_biastype)
