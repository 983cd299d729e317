"""Bytes where text is expected, as MuJoCo takes them."""

import pathlib

import mujoco
import numpy as np
import pytest
import samples
import sinew

BOTH = [mujoco, sinew]


@pytest.fixture(params=BOTH, ids=["mujoco", "sinew"])
def engine(request):
    return request.param


def test_models_from_bytes(engine, tmp_path):
    text = samples.RICH.encode()
    want = engine.MjModel.from_xml_string(samples.RICH)
    path = tmp_path / "model.xml"
    path.write_bytes(text)
    for m in (
        engine.MjModel.from_xml_string(text),
        engine.MjModel.from_xml_string(bytearray(text)),
        engine.MjModel.from_xml_string(xml=text, assets={b"unused.txt": b""}),
        engine.MjModel.from_xml_path(str(path).encode()),
        engine.MjModel.from_xml_path(str(path)),
    ):
        assert m.names == want.names and np.array_equal(m.body_pos, want.body_pos)


def test_paths_may_be_objects(tmp_path):
    path = tmp_path / "model.xml"
    path.write_text(samples.RICH)
    assert sinew.MjModel.from_xml_path(pathlib.Path(path)).nq == sinew.MjModel.from_xml_path(str(path)).nq


def test_assets_by_bytes(engine):
    xml = '<mujoco><asset><hfield name="h" file="h.bin" size="1 1 1 1"/></asset></mujoco>'
    data = np.array([2, 2], np.int32).tobytes() + np.arange(4, dtype=np.float32).tobytes()
    for key in ("h.bin", b"h.bin"):
        m = engine.MjModel.from_xml_string(xml, {key: data})
        assert m.hfield("h").data.shape == (2, 2)


def test_names(engine):
    m = engine.MjModel.from_xml_string(samples.RICH)
    d = engine.MjData(m)
    name = next(engine.mj_id2name(m, 1, i) for i in range(1, m.nbody) if engine.mj_id2name(m, 1, i))
    raw = name.encode()
    assert engine.mj_name2id(m, 1, raw) == engine.mj_name2id(m, 1, name) > 0
    assert engine.mj_name2id(m, engine.mjtObj.mjOBJ_BODY, b"no such body") == -1
    assert m.body(raw).id == m.body(name).id == d.body(raw).id
    assert engine.mju_str2Type(b"body") == engine.mju_str2Type("body") == 1
    quat = np.zeros(4)
    engine.mju_euler2Quat(quat, np.array([0.1, 0.2, 0.3]), b"xyz")
    assert quat[0] > 0.9
    with pytest.raises(KeyError):
        m.body(b"no such body")


def test_bytes_that_are_no_text(engine):
    assert engine.MjModel.from_xml_string(b'<mujoco model="\xff"/>').nbody == 1


def test_errors_say_the_line(engine):
    wrong = ['<geom sise="1"/>', '<geom size="a"/>', '<geom size=".1" material="x"/>', "<body><joint/></body>", "<foo/>"]
    for element in wrong:
        with pytest.raises(ValueError, match=r"line 3\b"):
            engine.MjModel.from_xml_string(f"<mujoco>\n<worldbody>\n{element}</worldbody></mujoco>")


def test_schema_reads_like_mujocos():
    """MuJoCo's schema leaves out frames and replicas."""
    theirs = mujoco.mj_printSchema(False, False).splitlines()
    lines = sinew.mj_printSchema(False, False).splitlines()
    extra = [line.split("(")[0].strip() for line in lines if line not in theirs and "(" in line]
    assert sorted(set(extra)) == ["frame", "replicate"]
    assert [line for line in theirs if line not in lines] == []
    assert sinew.mj_printSchema(True, True).count("<tr>") == sum("(" in line.replace("(w", "") for line in lines)
    assert "padding-left" not in sinew.mj_printSchema(True, False)


def test_dependencies_are_mujocos(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "more.xml").write_text(
        '<mujoco><asset><texture file="sky.png"/><mesh file="b.stl"/></asset></mujoco>')
    model = tmp_path / "m.xml"
    model.write_text("""<mujoco><compiler assetdir="a" meshdir="m"/><include file="parts/more.xml"/>
      <asset><mesh file="x.obj"/><texture fileright="r.png"/><hfield file="h.png"/></asset></mujoco>""")
    assert sorted(sinew.mju_getXMLDependencies(str(model))) == sorted(mujoco.mju_getXMLDependencies(str(model)))
    with pytest.raises(sinew.FatalError):
        sinew.mju_getXMLDependencies(str(tmp_path / "absent.xml"))
