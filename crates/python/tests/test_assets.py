"""Meshes, height fields, textures, materials and skins: every field against MuJoCo."""

import itertools
import struct
import zlib

import mujoco
import numpy as np
import pytest
import sinew
from mesh_compare import HULL_FACES, NUMBERED, check_hulls

PREFIXES = ("mesh_", "nmesh", "hfield_", "nhfield", "tex_", "ntex", "mat_", "nmat", "skin_", "nskin", "oct_", "noct", "bvh_", "nbvh")
OTHERS = ("paths", "npaths", "geom_pos", "geom_quat", "geom_size", "geom_dataid", "geom_matid", "geom_rbound", "body_inertia")
RNG = np.random.default_rng(7)


def check(xml, assets=None, tol=1e-9):
    """Compiles with both and compares; sinew must refuse what MuJoCo refuses."""
    try:
        want = mujoco.MjModel.from_xml_string(xml, assets)
    except ValueError:
        with pytest.raises(ValueError):
            sinew.MjModel.from_xml_string(xml, assets)
        return None
    got = sinew.MjModel.from_xml_string(xml, assets)
    names = [n for n in dir(want) if n.startswith(PREFIXES) or n in OTHERS]
    assert len(names) > 80
    check_hulls(want, got)
    names = [n for n in names if n not in NUMBERED and (n not in HULL_FACES or "face=" in xml or assets)]
    for name in names:
        w, g = np.asarray(getattr(want, name)), np.asarray(getattr(got, name))
        if w.dtype.kind in "SO":
            assert bytes(w) == bytes(g), name
            continue
        assert g.shape == w.shape, name
        if w.dtype.kind in "iub":
            assert np.array_equal(g, w), name
        else:
            bound = 1e-6 if w.dtype == np.float32 else tol
            np.testing.assert_allclose(g, w, rtol=0, atol=bound * max(1.0, np.abs(w).max(initial=0)), err_msg=name)
    return want


def scene(asset, geom="<geom type='mesh' mesh='m'/>", compiler=""):
    return f"<mujoco><compiler {compiler}/><asset>{asset}</asset><worldbody><body>{geom}</body></worldbody></mujoco>"


def numbers(values):
    return " ".join(repr(float(x)) for x in np.asarray(values, np.float32).ravel())


def cube(center=(0.3, -0.2, 0.1), half=(0.1, 0.2, 0.3)):
    vert = np.array(list(itertools.product((-1, 1), repeat=3))) * half + center
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return vert, np.array([t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))])


def stl(vert, face):
    records = b"".join(bytes(12) + vert[f].astype("<f4").tobytes() + bytes(2) for f in face)
    return bytes(80) + struct.pack("<I", len(face)) + records


def msh(vert, face, normal=None, texcoord=None):
    n, t = (0 if a is None else len(a) for a in (normal, texcoord))
    parts = [np.array([len(vert), n, t, len(face)], "<i4"), vert.astype("<f4")]
    parts += [a.astype("<f4") for a in (normal, texcoord) if a is not None] + [face.astype("<i4")]
    return b"".join(p.tobytes() for p in parts)


def png(pixels, color, depth=8, extra=b""):
    """`color` is PNG's colour type: 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGBA."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    h, w = pixels.shape[:2]
    rows = b"".join(b"\0" + row.tobytes() for row in np.ascontiguousarray(pixels))
    head = struct.pack(">IIBBBBB", w, h, depth, color, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + extra + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def srgb():
    return struct.pack(">I", 1) + b"sRGB\0" + struct.pack(">I", zlib.crc32(b"sRGB\0"))


@pytest.mark.parametrize("inertia", ["convex", "exact", "legacy", "shell"])
@pytest.mark.parametrize("scale", ["1 1 1", ".5 2 -1", "-1 -1 -3"])
def test_inertia_and_scale(inertia, scale):
    vert, face = cube()
    name = f"{inertia}{scale}.stl".replace(" ", "_")
    asset = f"<mesh name='m' file='{name}' inertia='{inertia}' scale='{scale}'/>"
    check(scene(asset), {name: stl(vert, face)})


@pytest.mark.parametrize("geom", ["sphere", "capsule", "cylinder", "ellipsoid", "box", "mesh"])
@pytest.mark.parametrize("fitaabb", ["true", "false"])
def test_fitted_primitives(geom, fitaabb):
    vert = RNG.standard_normal((40, 3)) * (0.3, 0.5, 0.9) + (1, 2, 3)
    asset = f"<mesh name='m' vertex='{numbers(vert)}' refpos='.1 .2 .3' refquat='1 2 3 4'/>"
    check(scene(asset, f"<geom type='{geom}' mesh='m' fitscale='1.3' pos='1 0 0' euler='10 20 30'/>", f"fitaabb='{fitaabb}'"))


def test_concave_mesh_without_hull():
    corners = np.array([(0, 0), (4, 0), (4, 1), (1, 1), (1, 3), (0, 3)], float)
    vert = np.array([(x, y, z) for z in (0, 1) for x, y in corners])
    sides = [t for i in range(6) for t in ((i, (i + 1) % 6, 6 + i), ((i + 1) % 6, 6 + (i + 1) % 6, 6 + i))]
    caps = [(0, 3, 1), (1, 3, 2), (0, 5, 4), (0, 4, 3)]
    face = np.array(sides + caps + [(a + 6, c + 6, b + 6) for a, b, c in caps])
    for inertia in ("exact", "legacy", "shell"):
        asset = f"<mesh name='m' inertia='{inertia}' vertex='{numbers(vert)}' face='{' '.join(map(str, face.ravel()))}'/>"
        check(scene(asset, "<geom type='mesh' mesh='m' contype='0' conaffinity='0'/>"))
        check(scene(asset))


@pytest.mark.parametrize("builtin, params", [
    ("sphere", "0"), ("sphere", "3"), ("hemisphere", "0"), ("hemisphere", "5"), ("cone", "3 0"), ("cone", "17 .5"),
    ("supersphere", "9 .3 1.5"), ("supersphere", "12 2 1"), ("supertorus", "8 .3 1 1"), ("supertorus", "13 .5 .4 2"),
    ("wedge", "6 8 40 30 0"), ("wedge", "9 5 170 80 .7"), ("plate", "4 6"), ("plate", "2 2"),
])
def test_builtin_meshes(builtin, params):
    asset = f"<mesh name='m' builtin='{builtin}' params='{params}' scale='1 .7 .4' smoothnormal='true'/>"
    collide = "" if builtin not in ("plate",) else " contype='0' conaffinity='0'"
    check(scene(asset, f"<geom type='mesh' mesh='m'{collide}/>"))


def test_obj_polygons_normals_texcoords():
    text = b"""# comment
v 0 0 0
v 1.5e0 0 0 0.1 0.2 0.3
v 1.25 1.125 .0625
v -.5 1 0
v .25 .5 2
vn 0 0 1
vn 0 1 0
vt 0.1 0.9
vt 0.3 0.7 0
o first
g nothing
usemtl none
f 4//1 3//1 2//1 1//1
f 1/1/2 2/2/2 5/2/2
f -4/1/1 -3/2/1 -1/1/1
f 3 4 5
f 4 1 5
g second
f 1 2 3
"""
    check(scene("<mesh file='a.obj' name='m'/>"), {"a.obj": text})
    check(scene("<mesh file='b.obj' name='m' scale='1 1 -1'/>"), {"b.obj": text.replace(b"\n", b"\r\n")})


@pytest.mark.parametrize("corners", [5, 100, 101])
def test_obj_face_of_many_corners(corners):
    turn = 2 * np.pi * np.arange(corners) / corners
    outline = "".join(f"v {x:.6f} {y:.6f} 0\n" for x, y in zip(np.cos(turn), np.sin(turn)))
    sides = "".join(f"f {k + 1} {(k + 1) % corners + 1} {corners + 1}\n" for k in range(corners))
    text = f"{outline}v 0 0 -1\nf {' '.join(map(str, range(1, corners + 1)))}\n{sides}"
    check(scene("<mesh file='a.obj' name='m' inertia='shell'/>"), {"a.obj": text.encode()})


def test_msh_and_paths():
    vert, face = cube()
    normal = RNG.standard_normal((8, 3))
    texcoord = RNG.random((8, 2))
    files = {"meshes/a.msh": msh(vert, face), "meshes/b.msh": msh(vert, face, normal, texcoord)}
    asset = "<mesh file='a.msh'/> <mesh file='b.msh' scale='1 -2 1'/> <mesh name='c' file='b.msh'/>"
    geoms = "<geom type='mesh' mesh='a'/> <geom type='mesh' mesh='b'/> <geom type='mesh' mesh='c' contype='0' conaffinity='0'/>"
    check(scene(asset, geoms, "meshdir='meshes'"), files)
    check(scene(asset.replace("file='", "file='sub/"), geoms, "strippath='true' meshdir='meshes'"), files)


def test_hull_limit():
    vert = RNG.standard_normal((300, 3))
    for limit in (-1, 4, 5, 6):
        check(scene(f"<mesh name='m' vertex='{numbers(vert)}' maxhullvert='{limit}'/>"))
    rounded = np.round(vert * 3) / 3
    check(scene(f"<mesh name='m' vertex='{numbers(rounded)}'/>"))
    limited = sinew.MjModel.from_xml_string(scene(f"<mesh name='m' vertex='{numbers(rounded)}' maxhullvert='20'/>"))
    assert 8 <= limited.mesh_graph[0] <= 20


def test_hulls_of_many_shapes():
    circle = np.linspace(0, 2 * np.pi, 33)[:-1]
    rings = [np.stack([np.cos(circle) * r, np.sin(circle) * r, 0 * circle + z], -1) for r in (0.5, 1) for z in (0, 0.3, 1)]
    grid = np.stack(np.meshgrid(*[np.linspace(0, 1, 4)] * 3), -1).reshape(-1, 3)
    for points in (np.concatenate(rings), grid, np.concatenate([grid, grid + 1e-7])):
        turn = np.linalg.qr(RNG.standard_normal((3, 3)))[0]
        # moments that are equal in single precision: rounding of sums over faces, in any order, rotates the axes
        for p in (points, points @ turn, points @ turn * 1e-3 + 5):
            check(scene(f"<mesh name='m' vertex='{numbers(p)}' inertia='convex'/>"), tol=1e-7)


def test_signed_distance_field():
    vert, face = cube(center=(0, 0, 0))
    asset = f"<mesh name='m' vertex='{numbers(vert)}' face='{' '.join(map(str, face.ravel()))}'/>"
    model = check(scene(asset, "<geom type='sdf' mesh='m'/>"))
    assert model.noct > 100


def test_height_fields():
    image = RNG.integers(0, 255, (5, 7), np.uint8)
    deep = RNG.integers(0, 65535, (4, 3)).astype(">u2")
    color = RNG.integers(0, 255, (3, 4, 3), np.uint8)
    raw = np.array([2, 3], "<i4").tobytes() + RNG.random(6).astype("<f4").tobytes()
    files = {"grey.png": png(image, 0), "deep.png": png(deep, 0, 16), "color.png": png(color, 2), "raw.bin": raw}
    rows = "".join(f"<hfield file='{name}' size='1 2 .5 .1'/>" for name in files)
    inline = "<hfield name='inline' nrow='2' ncol='3' size='1 1 1 1' elevation='1 2 3 4 5 7'/>"
    flat = "<hfield name='flat' nrow='2' ncol='2' size='1 1 1 1'/>"
    geoms = "<geom type='hfield' hfield='grey'/> <geom type='hfield' hfield='inline'/>"
    xml = f"<mujoco><asset>{rows}{inline}{flat}</asset><worldbody>{geoms}</worldbody></mujoco>"
    check(xml, files)


@pytest.mark.parametrize("kind", ["2d", "cube", "skybox"])
@pytest.mark.parametrize("builtin", ["gradient", "checker", "flat"])
def test_procedural_textures(kind, builtin):
    marks = "".join(
        f"<texture name='{mark}{w}' type='{kind}' builtin='{builtin}' mark='{mark}' random='.2' width='{w}' height='9'"
        " rgb1='.1 .5 .9' rgb2='.9 .3 0' markrgb='1 0 .5'/>"
        for mark in ("none", "edge", "cross", "random") for w in (2, 8, 11))
    check(f"<mujoco><asset>{marks}</asset></mujoco>")


def test_texture_files():
    rgb = RNG.integers(0, 255, (6, 6, 3), np.uint8)
    rgba = RNG.integers(0, 255, (6, 8, 4), np.uint8)
    palette = struct.pack(">I", 6) + b"PLTE" + bytes(range(6)) + struct.pack(">I", zlib.crc32(b"PLTE" + bytes(range(6))))
    files = {
        "rgb.png": png(rgb, 2), "srgb.png": png(rgb, 2, extra=srgb()), "rgba.png": png(rgba, 6),
        "grey.png": png(rgb[..., 0], 0), "alpha.png": png(rgba[..., :2], 4),
        "palette.png": png(RNG.integers(0, 2, (3, 5), np.uint8), 3, extra=palette),
        "raw.bin": np.array([4, 2], "<i4").tobytes() + bytes(range(24)),
    }
    plain = "".join(f"<texture type='2d' file='{f}'/>" for f in files)
    flips = "".join(f"<texture name='{a}{b}' type='2d' file='rgba.png' hflip='{a}' vflip='{b}' nchannel='{n}'/>"
                    for n, (a, b) in zip((1, 3, 4), (("true", "false"), ("false", "true"), ("true", "true"))))
    single = "<texture name='one' type='cube' file='rgb.png'/> <texture name='auto' type='cube' file='srgb.png' colorspace='linear'/>"
    grid = "<texture name='grid' type='skybox' file='grid.png' gridsize='3 4' gridlayout='.U..LFRB.D..' rgb1='1 0 0'/>"
    files["grid.png"] = png(RNG.integers(0, 255, (9, 12, 3), np.uint8), 2)
    six = "<texture name='six' type='cube' fileright='rgb.png' fileup='srgb.png' fileback='rgb.png' rgb1='0 1 0'/>"
    check(f"<mujoco><asset>{plain}{flips}{single}{grid}{six}</asset></mujoco>", files)


def test_materials_and_layers():
    asset = """
      <texture name='t' type='2d' builtin='flat' width='2' height='2'/> <texture name='u' builtin='flat' width='2'/>
      <material name='plain'/> <material name='full' texture='t' texuniform='true' texrepeat='2 3' emission='.1' specular='.2'
        shininess='.3' reflectance='.4' metallic='.5' roughness='.6' rgba='1 0 0 .5'/>
      <material name='layered'> <layer texture='u' role='rgb'/> <layer texture='t' role='normal'/> </material>
      <mesh name='m' material='full' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/>"""
    check(scene(asset, "<geom type='mesh' mesh='m'/> <geom size='1' material='layered'/>"))


def skn(vert, face, bones, texcoord=None):
    parts = [struct.pack("<4i", len(vert), 0 if texcoord is None else len(texcoord), len(face), len(bones)), vert.astype("<f4").tobytes()]
    parts += [] if texcoord is None else [texcoord.astype("<f4").tobytes()]
    parts.append(face.astype("<i4").tobytes())
    for name, pos, quat, ids, weights in bones:
        parts.append(struct.pack("<40s3f4fi", name.encode(), *pos, *quat, len(ids)))
        parts += [np.array(ids, "<i4").tobytes(), np.array(weights, "<f4").tobytes()]
    return b"".join(parts)


def test_skins():
    vert, face = cube()
    bones = [("a", (0, 0, 0), (1, 0, 0, 0), range(8), [1] * 8), ("b", (1, 2, 3), (1, 1, 0, 0), (2, 5), (3, 0.5))]
    files = {"s.skn": skn(vert, face, bones, RNG.random((8, 2)))}
    inline = f"""<skin name='inline' vertex='{numbers(vert)}' face='{' '.join(map(str, face.ravel()))}' inflate='.1' group='2' material='x'>
      <bone body='b' bindpos='1 1 1' bindquat='2 0 0 0' vertid='{' '.join(map(str, range(8)))}' vertweight='{'1 ' * 8}'/></skin>"""
    xml = f"""<mujoco><asset><material name='x'/> <skin file='s.skn' rgba='1 0 1 1'/> {inline}</asset>
      <worldbody><body name='a'><geom size='1'/><body name='b'><geom size='1'/></body></body></worldbody></mujoco>"""
    check(xml, files)


@pytest.mark.parametrize("discard", ["true", "false"])
def test_discarded_visuals(discard):
    vert, face = cube()
    asset = "<texture name='t' builtin='flat' width='2'/> <material name='x' texture='t'/> <mesh name='seen' file='seen.stl'/> <mesh name='m' file='hit.stl'/>"
    geoms = "<geom type='mesh' mesh='seen' contype='0' conaffinity='0' material='x'/> <geom type='mesh' mesh='m'/>"
    check(scene(asset, geoms, f"discardvisual='{discard}'"), {"seen.stl": stl(vert * 2, face), "hit.stl": stl(vert, face)})


def test_pairs_need_hulls():
    asset = "".join(f"<mesh name='{n}' vertex='{numbers(RNG.standard_normal((20, 3)))}' face='0 1 2 3 4 5 6 7 8'/>" for n in "ab")
    geoms = "<geom name='g{0}' type='mesh' mesh='{0}' contype='0' conaffinity='0'/>"
    xml = scene(asset, geoms.format("a") + geoms.format("b")).replace(
        "</mujoco>", "<contact><pair geom1='ga' geom2='gf'/></contact></mujoco>").replace(
        "<worldbody>", "<worldbody><geom name='gf' type='plane' size='1 1 1'/>")
    check(xml)


BROKEN = {
    "empty.stl": b"", "short.stl": bytes(60), "ascii.stl": b"solid x\n" * 40, "size.stl": bytes(80) + struct.pack("<I", 5),
    "many.stl": bytes(80) + struct.pack("<I", 2**31 - 1) + bytes(50), "nan.stl": stl(np.full((3, 3), np.nan), np.array([[0, 1, 2]])),
    "few.msh": struct.pack("<4i", 3, 0, 0, 0) + bytes(36), "huge.msh": struct.pack("<4i", 2**30, 0, 0, 2**30), "bad.obj": b"v 0 0 0\nf 0 1 2\n",
    "index.obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 9\n", "flat.obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\n", "x.foo": b"1",
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_meshes_are_refused(name):
    xml = scene(f"<mesh name='m' file='{name}'/>")
    for module in (mujoco, sinew):
        with pytest.raises(ValueError):
            module.MjModel.from_xml_string(xml, {name: BROKEN[name]})


@pytest.mark.parametrize("asset", [
    "<hfield name='h' file='h.png' size='1 1 1 1'/>", "<hfield name='h' file='h.bin' size='1 1 1 1'/>", "<texture name='t' type='2d' file='h.png'/>",
    "<texture name='t' type='2d' file='h.bin'/>", "<hfield name='h' nrow='2' ncol='2' size='1 1 0 1'/>", "<texture name='t' builtin='flat' width='0'/>",
    "<skin file='h.skn'/>", "<material name='m' texture='none'/>", "<mesh file='missing.stl'/>", "<texture name='t' type='cube'/>",
])
def test_broken_files_are_refused(asset):
    files = {"h.png": b"\x89PNG no", "h.bin": struct.pack("<2i", 2**30, 2**30), "h.skn": struct.pack("<4i", 2**28, 0, 0, 1)}
    for module in (mujoco, sinew):
        with pytest.raises(ValueError):
            module.MjModel.from_xml_string(f"<mujoco><asset>{asset}</asset></mujoco>", files)
