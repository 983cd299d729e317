"""Compares compiled models: all values and all names."""

import mujoco
import numpy as np
import pytest
import sinew

# Buffers whose size is MuJoCo's choice, and mesh hulls and trees, which have separate tests.
_SKIPPED = ("signature", "nbuffer", "narena", "names_map", "nmesh", "mesh_", "bvh", "nbvh", "body_bvh")

_NAMED = {
    "BODY": "nbody", "JOINT": "njnt", "GEOM": "ngeom", "SITE": "nsite", "CAMERA": "ncam", "LIGHT": "nlight",
    "MESH": "nmesh", "SKIN": "nskin", "HFIELD": "nhfield", "TEXTURE": "ntex", "MATERIAL": "nmat", "PAIR": "npair",
    "EXCLUDE": "nexclude", "EQUALITY": "neq", "TENDON": "ntendon", "ACTUATOR": "nu", "SENSOR": "nsensor",
    "NUMERIC": "nnumeric", "TEXT": "ntext", "TUPLE": "ntuple", "KEY": "nkey",
}  # fmt: skip


def names(module, model):
    """All names, by kind, in order."""
    kinds = {kind: int(getattr(mujoco.mjtObj, "mjOBJ_" + kind)) for kind in _NAMED}
    return {
        kind: [module.mj_id2name(model, code, i) or None for i in range(getattr(model, _NAMED[kind]))]
        for kind, code in kinds.items()
    }


def assert_same(cm, om, tol=1e-9):
    """Asserts that `cm` (sinew) has the names and values of `om` (mujoco)."""
    assert names(sinew, cm) == names(mujoco, om)
    for field in dir(om):
        want = getattr(om, field)
        number = isinstance(want, (int, float, np.number, np.ndarray)) and not isinstance(want, bool)
        if field.startswith("_") or not number or field.startswith(_SKIPPED):
            continue
        want, got = np.asarray(want), np.asarray(getattr(cm, field))
        assert got.size == want.size, field
        if want.dtype.kind in "fiub" and want.size:
            scale = max(1.0, float(np.max(np.abs(want))))
            np.testing.assert_allclose(got.ravel(), want.ravel(), rtol=0, atol=tol * scale, err_msg=field)


def check(load):
    """Asserts that `load(module)` gives the same model in both modules, or is refused by both."""
    try:
        om = load(mujoco)
    except ValueError:
        with pytest.raises(ValueError) as refused:
            load(sinew)
        assert len(str(refused.value)) > 10
        return
    assert_same(load(sinew), om)


def check_string(xml):
    check(lambda module: module.MjModel.from_xml_string(xml))


def check_files(directory, files):
    """Writes the files and compares the models compiled from the first one."""
    for name, text in files.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    main = str(directory / next(iter(files)))
    check(lambda module: module.MjModel.from_xml_path(main))
