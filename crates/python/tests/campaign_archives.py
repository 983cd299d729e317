"""Zip files of models: damaged, with names that leave the folder, with content that unpacks to gigabytes."""

import io
import pathlib
import tempfile
import zipfile

import numpy as np
import sinew

MODEL = '<mujoco model="a"><asset><mesh name="m" file="m.obj"/></asset><worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>'
MESH = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
NAMES = ("a.xml", "a/a.xml", "m.obj", "a/m.obj", "../up.xml", "/root.xml", "a/../../up.obj", "a\\b.xml", "", "a/", "a/a/a.xml")
ALLOWED = (ValueError, TypeError, OSError, KeyError, MemoryError, sinew.FatalError, zipfile.BadZipFile, NotImplementedError, RuntimeError)


def run(watch, seed):
    rng = np.random.default_rng(seed)
    with tempfile.TemporaryDirectory() as folder:
        inner = pathlib.Path(folder) / "in"
        inner.mkdir()
        while watch.goes_on():
            data = archive(rng)
            (inner / "a.zip").write_bytes(data)
            watch.run(data.hex(), lambda: one(inner / "a.zip"))
            left = {p.name for p in pathlib.Path(folder).rglob("*")} - {"in", "a.zip"}
            if left:
                watch.found("wrong", f"files were written: {left}", data.hex())


def archive(rng):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as files:
        for _ in range(rng.integers(1, 5)):
            name = NAMES[rng.integers(len(NAMES))]
            content = MESH if name.endswith("obj") else MODEL
            if rng.random() < 0.001:
                content += " " * (200 << 20)  # small in the archive, large when unpacked
            files.writestr(zipfile.ZipInfo(name or "x"), content, zipfile.ZIP_DEFLATED)
    data = bytearray(out.getvalue())
    for _ in range(rng.integers(0, 4)):
        at = int(rng.integers(len(data)))
        data[at : at + int(rng.integers(1, 5))] = rng.bytes(int(rng.integers(0, 5)))
    return bytes(data)


def one(path):
    try:
        spec = sinew.MjSpec.from_zip(str(path))
        spec.compile()
    except ALLOWED:
        return "refused"
    return "loaded"
