"""Scenes as text, in MuJoCo's layout."""

import numpy as _np

from ._drawing import mjRNDSTRING

_GEOM = ("type category label objtype objid pos mat size segid dataid matid texcoord rgba emission specular shininess "
         "reflectance").split()
_LIGHT = ("id pos dir type castshadow headlight intensity range ambient diffuse specular texid exponent attenuation cutoff "
          "bulbradius").split()
_CAMERA = ("pos forward up orthographic frustum_center frustum_width frustum_bottom frustum_top frustum_near "
           "frustum_far").split()
# fields of a deformable: printed name -> array of the scene; other fields are printed as "..."
_FLEX = {"face_used": "flexfaceused", "edge_adr": "flexedgeadr", "edge_num": "flexedgenum", "vert_adr": "flexvertadr",
         "vert_num": "flexvertnum", "face_adr": "flexfaceadr", "face_num": "flexfacenum"}
_SKIN = {"face_num": "skinfacenum", "vert_adr": "skinvertadr", "vert_num": "skinvertnum"}


def _line(name, value, float_format):
    if isinstance(value, bytes):
        value = value.decode(errors="replace")
    if isinstance(value, str):
        text = value
    elif isinstance(value, _np.ndarray):
        text = "".join(float_format % x + " " for x in value.ravel())
    elif isinstance(value, (float, _np.floating)):
        text = float_format % value
    else:
        text = f" {int(value)}"
    return f"{name:<21}{text}"


def _records(title, records, fields, float_format):
    yield f"{title}S {len(records)}"
    for i, record in enumerate(records):
        yield f"  {title} {i}"
        yield from (_line(f"    {name}", getattr(record, name), float_format) for name in fields)
        yield ""
    yield ""


def _parts(title, scene, count, arrays, hidden):
    yield f"{title} DATA {count}"
    for i in range(count):
        yield f"  {title} DATA {i}"
        yield from (_line(f"    {name}", getattr(scene, array)[i], "") for name, array in arrays.items())
        yield from (_line(f"    {name}", "...", "") for name in hidden.split())
        yield ""
    yield ""


def lines(scene, float_format):
    """The text of a scene."""
    yield from _records("GEOM", scene.geoms[:scene.ngeom], _GEOM, float_format)
    yield from _records("LIGHT", scene.lights[:scene.nlight], _LIGHT, float_format)
    yield from _records("CAMERA", scene.camera, _CAMERA, float_format)
    yield from _parts("FLEX", scene, scene.nflex, _FLEX, "edges verts faces normals texcoords")
    yield from _parts("SKIN", scene, scene.nskin, _SKIN, "verts normals")
    yield "FLAGS"
    yield from (f"  {name:<21} {int(on)}" for (name, _, _), on in zip(mjRNDSTRING, scene.flags))
    for name in ("flexvertopt", "flexedgeopt", "flexfaceopt", "flexskinopt", "stereo"):
        yield _line(f"  {name}", getattr(scene, name), float_format)
    yield f"\n\nTRANSFORM {int(scene.enabletransform)}"
    if scene.enabletransform:
        yield from (_line(f"  {name}", getattr(scene, name), float_format) for name in ("translate", "rotate", "scale"))
        yield ""
    yield ""
