"""Meshes in MuJoCo's former binary format, converted to Wavefront text of the same mesh."""

import subprocess
import sys

import numpy as np
import pytest
import sinew
import sinew.msh2obj

FIELDS = "vertadr vertnum faceadr facenum normaladr normalnum texcoordadr texcoordnum vert normal face facenormal " \
         "facetexcoord texcoord".split()


@pytest.fixture
def msh(tmp_path):
    """A tetrahedron with rounded coordinates, one normal and one texture coordinate per vertex."""
    rng = np.random.default_rng(2)
    vertices = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]) + 0.1 * rng.random((4, 3))
    faces = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], "<i4")
    normals = vertices - vertices.mean(0)
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    parts = [np.array([4, 4, 4, 4], "<i4"), vertices.astype("<f4"), normals.astype("<f4"), rng.random((4, 2)).astype("<f4")]
    path = tmp_path / "mesh.msh"
    path.write_bytes(b"".join(part.tobytes() for part in (*parts, faces)))
    return path


def load(name, content):
    return sinew.MjModel.from_xml_string(f'<mujoco><asset><mesh file="{name}"/></asset></mujoco>', {name: content})


def test_same_mesh(msh):
    a = load("mesh.msh", msh.read_bytes())
    b = load("mesh.obj", sinew.msh2obj.msh_to_obj(msh).encode())
    for field in FIELDS:
        np.testing.assert_allclose(getattr(a, "mesh_" + field), getattr(b, "mesh_" + field), atol=1e-6, err_msg=field)


def test_same_numbers(msh):
    """MuJoCo writes more digits than single precision has."""
    import mujoco.msh2obj

    mine, theirs = (module.msh_to_obj(msh).splitlines() for module in (sinew.msh2obj, mujoco.msh2obj))
    assert mine[-4:] == theirs[-4:] and len(mine) == len(theirs)
    for a, b in zip(mine[:-4], theirs[:-4]):
        assert a.split()[0] == b.split()[0]
        assert [np.float32(x) for x in a.split()[1:]] == [np.float32(x) for x in b.split()[1:]]


def test_program(msh, tmp_path):
    out = tmp_path / "out.obj"
    subprocess.run([sys.executable, "-m", "sinew.msh2obj", "-i", msh, "-o", out], check=True)
    assert out.read_text() == sinew.msh2obj.msh_to_obj(str(msh))


@pytest.mark.parametrize("content", [b"", b"\1\0\0\0" * 3, b"\1\0\0\0" * 4, b"\xff" * 16])
def test_refusals(tmp_path, content):
    (tmp_path / "bad.msh").write_bytes(content)
    with pytest.raises(ValueError, match="bytes"):
        sinew.msh2obj.Msh.create(tmp_path / "bad.msh")
    with pytest.raises(FileNotFoundError):
        sinew.msh2obj.Msh.create(tmp_path / "none.msh")
