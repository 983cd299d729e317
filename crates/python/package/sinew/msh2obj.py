"""Meshes in MuJoCo's former binary format (.msh) as Wavefront text: `python -m sinew.msh2obj -i in.msh -o out.obj`."""

import argparse
import dataclasses
import pathlib

import numpy as np

__all__ = ["Msh", "msh_to_obj"]

# array of the file -> values per row and dtype, in the order of the counts in the header
_PARTS = {"vertex_positions": (3, "<f4"), "vertex_normals": (3, "<f4"), "vertex_texcoords": (2, "<f4"),
          "face_vertex_indices": (3, "<i4")}


@dataclasses.dataclass(frozen=True)
class Msh:
    """Contents of a .msh file. The v texture coordinate starts at the bottom, as in Wavefront files."""

    vertex_positions: np.ndarray
    vertex_normals: np.ndarray
    vertex_texcoords: np.ndarray
    face_vertex_indices: np.ndarray

    @staticmethod
    def create(file):
        """Reads a file."""
        file = pathlib.Path(file)
        if not file.exists():
            raise FileNotFoundError(f"{file} does not exist.")
        content = file.read_bytes()
        at = 4 * len(_PARTS)
        if len(content) < at:
            raise ValueError(f"{file} is too short for a mesh: {len(content)} bytes.")
        counts = np.frombuffer(content, "<i4", len(_PARTS)).tolist()
        need = at + sum(4 * count * width for count, (width, _) in zip(counts, _PARTS.values()))
        if min(counts) < 0 or len(content) < need:
            raise ValueError(f"{file} has {len(content)} bytes, not the {need} that its head calls for: {counts}.")
        parts = {}
        for (name, (width, kind)), count in zip(_PARTS.items(), counts):
            parts[name] = np.frombuffer(content, kind, count * width, at).reshape(-1, width).copy()
            at += 4 * count * width
        parts["vertex_texcoords"][:, 1] = 1 - parts["vertex_texcoords"][:, 1]
        return Msh(**parts)


def msh_to_obj(msh_file):
    """The same mesh as the text of a Wavefront file."""
    msh = Msh.create(msh_file)
    lines = [f"{key} {' '.join(map(str, row))}"
             for key, rows in (("v", msh.vertex_positions), ("vn", msh.vertex_normals), ("vt", msh.vertex_texcoords))
             for row in rows]
    # a corner has indices of its position, texture coordinate and normal, all equal here
    lines += ["f " + " ".join(f"{i}/{i}/{i}" for i in corners) for corners in msh.face_vertex_indices + 1]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-i", "--input", required=True, help="the .msh file")
    parser.add_argument("-o", "--output", required=True, help="the .obj file to write")
    arguments = parser.parse_args()
    pathlib.Path(arguments.output).write_text(msh_to_obj(arguments.input))
