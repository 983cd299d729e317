"""Everything in MuJoCo's Python module exists here, or is listed with a reason."""

import mujoco
import mujoco.rollout
import numpy as np
import pytest
import sinew
import sinew.rollout

XML = """
<mujoco>
  <asset>
    <texture name="t" builtin="flat" type="2d" width="2" height="2"/><material name="m"/>
    <hfield name="h" nrow="2" ncol="2" size="1 1 1 1"/><mesh name="tet" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
    <skin name="s" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2">
      <bone body="b" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/>
    </skin>
  </asset>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body name="b" pos="0 0 .09"><freejoint/><geom name="g" size=".1"/><camera name="c"/><light name="l"/><site name="s"/>
      <body name="c"><joint name="h"/><geom name="g2" size=".1"/></body>
    </body>
  </worldbody>
  <actuator><motor name="a" joint="h"/><general name="a2" joint="h" dyntype="filter"/></actuator>
  <sensor><jointpos name="p" joint="h"/></sensor>
  <tendon><fixed name="t"><joint joint="h" coef="1"/></fixed></tendon>
  <equality><joint name="e" joint1="h"/></equality>
  <contact><exclude name="x" body1="b" body2="world"/><pair name="p" geom1="g" geom2="g2"/></contact>
  <custom>
    <numeric name="n" data="1"/><text name="w" data="a"/>
    <tuple name="u"><element objtype="body" objname="b"/></tuple>
  </custom>
  <keyframe><key name="k"/></keyframe>
</mujoco>
"""

# Name prefixes -> why the names are absent.
ABSENT = {
    "glfw": "no windows",
    "_specs": "of MjSpec",
    **dict.fromkeys(["MjByteVec", "MjCharVec", "MjDoubleVec", "MjFloatVec", "MjIntVec", "MjStringVec"], "of MjSpec"),
    "mj_loadPluginLibrary": "plugins are Rust or Python", "mj_loadAllPluginLibraries": "plugins are Rust or Python",
    "PLUGIN": "plugins are Rust or Python", "_load_all_bundled_plugins": "plugins are Rust or Python",
    **dict.fromkeys(["set_mju_user_malloc", "get_mju_user_malloc", "set_mju_user_free", "get_mju_user_free"],
                    "memory is Rust's"),
    # imports and submodules of the module itself
    **dict.fromkeys("Any IO Sequence TypeAlias Union ctypes os platform subprocess warnings zipfile typing".split(),
                    "an import"),
    **dict.fromkeys("_callbacks _errors _functions _rollout _structs _SYSTEM HEADERS_DIR _bind _MjBind".split(), "internal"),
    "_pybind11_conduit_v1_": "of pybind11", "_from_model_ptr": "takes an address of MuJoCo's",
    "__setstate__": "models pickle by their constructor", "__entries": "of pybind11",
}

KINDS = ("body joint jnt geom site camera cam light mesh skin hfield texture tex material mat pair exclude equality eq "
         "tendon ten actuator sensor numeric tuple keyframe key").split()


def missing(theirs, mine):
    names = [name for name in dir(theirs) if not hasattr(mine, name)]
    return [name for name in names if not name.startswith(tuple(ABSENT))]


@pytest.fixture(scope="module")
def both():
    pairs = []
    for engine in (mujoco, sinew):
        m = engine.MjModel.from_xml_string(XML)
        d = engine.MjData(m)
        engine.mj_step(m, d)
        pairs.append((m, d))
    return pairs


def test_module():
    assert missing(mujoco, sinew) == []


def test_the_list_of_absences_is_true():
    """Every entry of the list is still needed."""
    theirs = {name for name in dir(mujoco)} | set(dir(mujoco.MjModel)) | set(dir(mujoco.mjtObj))
    absent = {name for name in theirs if not hasattr(sinew, name)}
    for start in ABSENT:
        assert any(name.startswith(start) for name in absent) or start in ("typing",), start


def test_classes():
    for name in dir(mujoco):
        cls = getattr(mujoco, name)
        if isinstance(cls, type) and hasattr(sinew, name) and not name.startswith("mjt"):
            mine = getattr(sinew, name)
            # attributes of these are created with the object
            mine = {"MjrContext": mine, "MjvFigure": mine, "MjrRect": lambda: mine(0, 0, 0, 0)}.get(name, lambda: mine)()
            assert missing(cls, mine) == [], name


def test_objects(both):
    (om, od), (m, d) = both
    assert missing(om, m) == [] and missing(od, d) == []
    for name in ("opt", "vis", "stat"):
        assert missing(getattr(om, name), getattr(m, name)) == [], name
    for name in ("global_", "quality", "headlight", "map", "scale", "rgba"):
        assert missing(getattr(om.vis, name), getattr(m.vis, name)) == [], name
    assert isinstance(sinew.MjSpec().visual.headlight, sinew.MjVisualHeadlight)
    assert isinstance(sinew.MjSpec().visual.rgba, sinew.MjVisualRgba)
    for name in ("contact", "warning", "timer", "solver"):
        assert missing(getattr(od, name), getattr(d, name)) == [], name
        assert missing(getattr(od, name)[0], getattr(d, name)[0]) == [], name


def test_elements(both):
    seen = 0
    for theirs, mine in zip(*both):
        for kind in KINDS:
            if hasattr(theirs, kind):
                seen += 1
                assert missing(getattr(theirs, kind)(0), getattr(mine, kind)(0)) == [], kind
    assert seen > 30


def test_fields_of_classes():
    assert sinew.MjModel._size_fields == mujoco.MjModel._size_fields
    assert set(mujoco.MjModel._all_fields) <= set(sinew.MjModel._all_fields)
    native = {name for name in mujoco.MjData._all_fields if hasattr(sinew.MjData, name)}
    assert native == set(mujoco.MjData._all_fields)
    for name in ("_all_fields", "_float_fields", "_floatarray_fields", "_int_fields"):
        assert set(getattr(sinew.MjOption, name)) == set(getattr(mujoco.MjOption, name)), name


def test_memory(both):
    (om, od), (m, d) = both
    assert np.array_equal(m._sizes, om._sizes) and m._sizes.dtype == om._sizes.dtype
    assert np.array_equal(m.names_map, om.names_map) and m.names_map.dtype == om.names_map.dtype
    assert d.narena == od.narena and d.maxuse_con == od.maxuse_con and d.maxuse_efc == od.maxuse_efc
    for name in "nplugin pstack pbase threadpool".split():
        assert getattr(d, name) == getattr(od, name) == 0, name
    for name in "plugin plugin_data maxuse_threadstack".split():
        mine, theirs = getattr(d, name), getattr(od, name)
        assert np.array_equal(mine, theirs) and mine.dtype == theirs.dtype, name
    assert 0 < d.parena <= od.parena and d.nbuffer > 0


def test_most_contacts_and_rows():
    drop = '<mujoco><worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 .1"><freejoint/>' \
           '<geom type="box" size=".1 .1 .1" pos="0 0 .001"/></body></worldbody></mujoco>'
    for engine in (mujoco, sinew):
        m = engine.MjModel.from_xml_string(drop)
        d = engine.MjData(m)
        engine.mj_step(m, d, 50)
        d.qpos[2] = 5
        engine.mj_step(m, d, 3)
        assert (d.ncon, d.nefc, d.maxuse_con, d.maxuse_efc) == (0, 0, 4, 16)
        engine.mj_resetData(m, d)
        assert d.maxuse_con == d.maxuse_efc == 0


def test_signatures_and_addresses(both):
    (_, _), (m, d) = both
    assert m.signature == d.signature == sinew.MjModel.from_xml_string(XML).signature
    assert m.signature != sinew.MjModel.from_xml_string(XML.replace('name="h"', 'name="H"', 1)).signature
    assert m._address != d._address != sinew.MjData(m)._address


def test_moments(both):
    (_, _), (m, d) = both
    dense = np.zeros((m.nu, m.nv))
    sinew.mju_sparse2dense(dense, d.actuator_moment, d.moment_rownnz, d.moment_rowadr, d.moment_colind)
    assert dense.any()
    for i in range(m.nu):
        assert np.array_equal(d.actuator(i).moment, dense[i])
    with pytest.raises(ValueError):
        d.actuator(0).moment = 1


def test_bind(both):
    (_, _), (m, d) = both
    assert m.bind(m.body("b")) is m.body("b") and d.bind(m.body("b")) is d.body("b")
    bodies = [m.body("b"), m.body("c")]
    assert np.array_equal(m.bind(bodies).mass, m.body_mass[1:]) and m.bind(bodies).id == [1, 2]
    bound = d.bind([m.joint("h")])
    bound.qpos = [0.25]
    assert d.joint("h").qpos[0] == 0.25 and bound.qpos == [0.25]
    with pytest.raises(ValueError):
        bound.qpos = [1, 2]
    other = sinew.MjModel.from_xml_string("<mujoco><worldbody><body name='b'/></worldbody></mujoco>")
    with pytest.raises(ValueError, match="another model"):
        other.bind(m.body("b"))


def test_saved_models(both, tmp_path):
    (_, _), (m, _) = both
    path = tmp_path / "model.bin"
    sinew.mj_saveModel(m, path)
    assert path.stat().st_size == sinew.mj_sizeModel(m)
    buffer = np.zeros(sinew.mj_sizeModel(m), np.uint8)
    sinew.mj_saveModel(m, None, buffer)
    loaded = [sinew.MjModel.from_binary_path(str(path)), sinew.MjModel.from_binary_path(path),
              sinew.MjModel.from_binary_path("a.bin", {"a.bin": buffer.tobytes()})]
    for other in loaded:
        assert other._to_bytes() == m._to_bytes()
    with pytest.raises(ValueError, match="none.bin"):
        sinew.MjModel.from_binary_path(tmp_path / "none.bin")
    with pytest.raises(ValueError):
        sinew.MjModel.from_binary_path("a", {"a": b"MuJoCo's"})
    with pytest.raises(ValueError, match="bytes"):
        sinew.mj_saveModel(m, None, buffer[:-1])
    with pytest.raises(TypeError):
        sinew.mj_saveModel(m)


def test_printing(both, tmp_path, capfd):
    (_, _), (m, d) = both
    mat = np.array([[1.0, 2, 3], [4, 5, 6.5]])
    compressed = (np.array([1.0, 2, 3]), *(np.array(a, np.int32) for a in ([2, 1], [0, 2], [0, 2, 1])))
    printed = []
    for engine in (mujoco, sinew):
        engine.mju_printMat(mat)
        engine.mju_printMatSparse(*compressed)
    text = capfd.readouterr().out
    assert text[: len(text) // 2] == text[len(text) // 2:], printed
    sinew.mj_printModel(m, tmp_path / "m.txt")
    text = (tmp_path / "m.txt").read_text()
    assert all(name in text for name in ("SIZES", "OPTION", "timestep", "body_pos", "  nq "))
    sinew.mj_printFormattedData(m, d, str(tmp_path / "d.txt"), "%.12e")
    assert f"{d.qpos[2]:.12e}" in (tmp_path / "d.txt").read_text()
    sinew.mj_printData(m, d, tmp_path / "d2.txt")
    sinew.mj_printFormattedModel(m, tmp_path / "m2.txt", "%.3f")


def test_log_and_noise(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for engine in (sinew, mujoco):
        engine.mju_writeLog("KIND", "words")
    first, second = (tmp_path / "MUJOCO_LOG.TXT").read_text().strip().split("\n\n")
    assert first.splitlines()[1] == second.splitlines()[1] == "KIND: words"
    draws = np.array([sinew.mju_standardNormal(None) for _ in range(4000)])
    assert abs(draws.mean()) < 0.1 and abs(draws.std() - 1) < 0.1


def test_reset_for_debugging(both):
    (_, _), (m, _) = both
    d = sinew.MjData(m)
    sinew.mj_step(m, d, 3)
    sinew.mj_resetDataDebug(m, d, 5)
    assert d.time == 0 and np.array_equal(d.qpos, m.qpos0)
