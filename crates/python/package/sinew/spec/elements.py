"""Elements of an `MjSpec`: bodies, geoms, sensors and all others."""

import numpy as np

from .. import _enums
from .base import Element, TreeElement
from .fields import properties
from .plugin import MjsPlugin, plugin

_OBJ = _enums.mjtObj


class MjsElement:
    """MuJoCo's base class of elements, only for its name: elements here are of the classes below."""


class MjsTendonPath(list):
    """The path of a tendon."""


def _output(size):
    """Values that compilation sets in the model; zeros here, as in MuJoCo."""
    return property(lambda self: np.zeros(size, np.float32), doc="Filled in the compiled model.")


def _make(label, struct, kind, base=Element, orientations=(), extra=None):
    body = {**properties(struct), "_kind": kind, "_struct": struct, "_label": label, "_orientations": orientations}
    return type("Mjs" + struct, (base,), {**body, **(extra or {}), "__module__": "sinew"})


def _adder(kind):
    def add(self, default=None, **values):
        return self._add(kind, default, values)

    add.__name__ = "add_" + kind
    return add


class _Container:
    """Base class of bodies and frames, to which elements can be added."""

    def _home(self):
        return self, None

    def _add(self, kind, default, values):
        body, frame = self._home()
        cls = TREE[kind]
        inside = self._spec._native
        where = None if frame is None else frame._id
        if kind == "frame" and default is not None:
            where, default = default._id, None
        name = None if default is None else default.name
        element = self._spec._element(inside.add_to(body._id, where, int(cls._kind), name))
        try:
            element._assign(dict(values))
        except Exception:
            self._spec.delete(element)
            raise
        return element

    add_body, add_geom, add_site = _adder("body"), _adder("geom"), _adder("site")
    add_joint, add_camera, add_light, add_frame = _adder("joint"), _adder("camera"), _adder("light"), _adder("frame")


def _walks(name):
    plural = {"body": "bodies"}.get(name, name + "s")

    def children(self):
        ids = self._spec._native.children(self._id, int(TREE[name]._kind))
        return [self._spec._element(id) for id in ids]

    def first(self):
        found = children(self)
        return found[0] if found else None

    def following(self, child):
        found = children(self)
        place = found.index(child) + 1
        return found[place] if place < len(found) else None

    return {plural: property(children), "first_" + name: first, "next_" + name: following}


def _find_all(self, kind):
    """All elements of a kind in this body and its descendants, depth first."""
    if isinstance(kind, str):
        known = TREE.get(kind)
    else:
        known = next((cls for cls in TREE.values() if cls._kind == kind), None)
    if known is None:
        raise ValueError("body.find_all supports the types: body, frame, geom, site, joint, light, camera.")
    native, out = self._spec._native, []

    def walk(body):
        out.extend(native.children(body, int(known._kind))) if known is not TREE["body"] else None
        for child in native.children(body, int(_OBJ.mjOBJ_BODY)):
            if known is TREE["body"]:
                out.append(child)
            walk(child)

    walk(self._id)
    return [self._spec._element(id) for id in out]


def _find_child(self, name):
    """The descendant body with a given name."""
    return next((body for body in _find_all(self, "body") if body.name == name), None)


def _add_freejoint(self, **values):
    """Adds a free joint."""
    for key in values:
        if key not in ("align", "group", "name"):
            raise TypeError(f"Invalid {key} keyword argument. Valid options are: align, group, name.")
    return self._add("joint", None, {"type": _enums.mjtJoint.mjJNT_FREE, **values})


def _to_frame(self):
    """Replaces the body by a frame with the same contents."""
    return self._spec._element(self._spec._native.to_frame(self._id))


def _attach_frame(self, frame, prefix="", suffix=""):
    """Attaches a frame of another model, with all its contents, to this body."""
    return self._spec._attach_part(self.add_frame(), frame, prefix or "", suffix or "")


def _attach_body(self, body, prefix="", suffix=""):
    """Attaches a body of another model."""
    frame = self
    if self._kind == _OBJ.mjOBJ_SITE:
        frame = self._spec._frame_at(self)
    return self._spec._attach_part(frame, body, prefix or "", suffix or "")


_body = {"plugin": plugin(), "find_all": _find_all, "find_child": _find_child, "add_freejoint": _add_freejoint,
         "to_frame": _to_frame, "attach_frame": _attach_frame, "__bool__": lambda self: True}
for _name in ("body", "frame", "joint", "geom", "site", "camera", "light"):
    _body.update(_walks(_name))


class _BodyBase(_Container, TreeElement):
    pass


class _FrameBase(_Container, TreeElement):
    def _home(self):
        return self.parent, self


MjsBody = _make("body", "Body", _OBJ.mjOBJ_BODY, _BodyBase, ("", "i"), _body)
MjsFrame = _make("frame", "Frame", _OBJ.mjOBJ_FRAME, _FrameBase, ("",), {"attach_body": _attach_body})
MjsJoint = _make("joint", "Joint", _OBJ.mjOBJ_JOINT, TreeElement)
MjsGeom = _make("geom", "Geom", _OBJ.mjOBJ_GEOM, TreeElement, ("",), {"plugin": plugin()})
MjsSite = _make("site", "Site", _OBJ.mjOBJ_SITE, TreeElement, ("",), {"attach_body": _attach_body})
MjsCamera = _make("camera", "Camera", _OBJ.mjOBJ_CAMERA, TreeElement, ("",), {"intrinsic": _output(4)})
MjsLight = _make("light", "Light", _OBJ.mjOBJ_LIGHT, TreeElement)
TREE = {"body": MjsBody, "frame": MjsFrame, "joint": MjsJoint, "geom": MjsGeom, "site": MjsSite, "camera": MjsCamera,
        "light": MjsLight}


class MjsWrap:
    """A part of the path of a tendon."""

    def __init__(self, tendon, index):
        self._tendon, self._index = tendon, index

    def _part(self):
        return self._tendon._spec._native.path(self._tendon._id)[self._index]

    def __eq__(self, other):
        return isinstance(other, MjsWrap) and (self._tendon, self._index) == (other._tendon, other._index)

    def __hash__(self):
        return hash((id(self._tendon), self._index))

    info = ""

    @property
    def type(self):
        """Type of the object; whether a wrapping geom is a sphere or a cylinder depends on the geom."""
        wrap = _enums.mjtWrap
        kind = self._part()[0]
        if kind == "geom":
            cylinder = self.target is not None and self.target.type == _enums.mjtGeom.mjGEOM_CYLINDER
            return wrap.mjWRAP_CYLINDER if cylinder else wrap.mjWRAP_SPHERE
        return {"joint": wrap.mjWRAP_JOINT, "site": wrap.mjWRAP_SITE, "pulley": wrap.mjWRAP_PULLEY}[kind]

    @property
    def target(self):
        """The joint, site or geom."""
        kind, name, _, _ = self._part()
        return None if kind == "pulley" else getattr(self._tendon._spec, kind)(name)

    @property
    def sidesite(self):
        """The side site of a geom."""
        kind, _, side, _ = self._part()
        return self._tendon._spec.site(side) if kind == "geom" and side else None

    @property
    def coef(self):
        """The coefficient of a joint."""
        return self._part()[3]

    @property
    def divisor(self):
        """The divisor of a pulley."""
        return self._part()[3]


def _wrap(kind, make):
    def wrap(self, *args):
        self._spec._native.wrap_part(self._id, kind, *make(*args))
        return MjsWrap(self, len(self._spec._native.path(self._id)) - 1)

    return wrap


def _path(self):
    return MjsTendonPath(MjsWrap(self, i) for i in range(len(self._spec._native.path(self._id))))


_tendon = {
    "wrap_site": _wrap("site", lambda name: (name, "", 0.0)),
    "wrap_geom": _wrap("geom", lambda name, side="": (name, side, 0.0)),
    "wrap_joint": _wrap("joint", lambda name, coef: (name, "", coef)),
    "wrap_pulley": _wrap("pulley", lambda divisor: ("", "", divisor)),
    "path": property(_path, doc="What the tendon passes."),
    "default": Element.classname,
}


def _kept(name, convert=list, doc=""):
    """A property that the element stores as given, and passes to the native side in converted form."""

    def get(self):
        if name not in self._extra:
            self._extra[name] = self._fetch(name)
        return self._extra[name]

    def put(self, value):
        self._extra[name] = convert(value)
        self._store(name, self._extra[name])

    return property(get, put, doc=doc)


def _floats(values):
    return np.asarray(values, dtype=np.float64).ravel()


_flex = {
    "size": _output(3),
    "vert": _kept("vert", _floats, "Vertices in the frames of their bodies."),
    "node": _kept("node", _floats, "Nodes in the frames of their bodies."),
    "texcoord": _kept("texcoord", _floats, "Texture coordinates."),
    "_fetch": lambda self, name: np.array(self._spec._native.rows(self._id, name)),
    "_store": lambda self, name, value: self._spec._native.set_rows(self._id, name, list(value)),
}

_BONES = ("bodyname", "bindpos", "bindquat", "vertid", "vertweight")
_skin = {
    **{name: _kept(name) for name in _BONES},
    "_fetch": lambda self, name: self._spec._native.bones(self._id)[_BONES.index(name)],
    "_store": lambda self, name, value: self._spec._native.set_bones(self._id, name, value),
}


def _layout(value):
    value = list(value)
    if any(len(c) != 1 for c in value):
        raise ValueError("gridlayout list elements must be single characters")
    if len(value) != 12:
        raise ValueError("gridlayout should have length 12")
    return value


_texture = {
    "gridlayout": _kept("gridlayout", _layout, "Layout of a composite file."),
    "data": _kept("data", bytes, "Pixels, row by row."),
    "_fetch": lambda self, name: getattr(self._spec._native, name)(self._id),
    "_store": lambda self, name, value: getattr(self._spec._native, "set_" + name)(self._id, value),
}


def _maker(code, make):
    def method(self, *args, **values):
        params = [float(x) for x in np.concatenate([np.ravel(p) for p in make(*args, **values)])]
        self._spec._native.make_mesh(self._id, int(code), params)

    return method


_SHAPES = _enums.mjtMeshBuiltin
_mesh = {
    "plugin": plugin(),
    "make_sphere": _maker(_SHAPES.mjMESH_BUILTIN_SPHERE, lambda subdivision: [subdivision]),
    "make_hemisphere": _maker(_SHAPES.mjMESH_BUILTIN_HEMISPHERE, lambda resolution: [resolution]),
    "make_cone": _maker(_SHAPES.mjMESH_BUILTIN_CONE, lambda nedge, radius: [nedge, radius]),
    "make_wedge": _maker(_SHAPES.mjMESH_BUILTIN_WEDGE, lambda resolution, fov, gamma=0.0: [resolution, fov, gamma]),
    "make_plate": _maker(_SHAPES.mjMESH_BUILTIN_PLATE, lambda resolution: [resolution]),
    "make_supersphere": _maker(_SHAPES.mjMESH_BUILTIN_SUPERSPHERE, lambda resolution, e, n: [resolution, e, n]),
    "make_supertorus": _maker(_SHAPES.mjMESH_BUILTIN_SUPERTORUS,
                              lambda resolution, radius, s, t: [resolution, radius, s, t]),
}

_DIMENSIONS = {3: ("ACCELEROMETER", "VELOCIMETER", "GYRO", "FORCE", "TORQUE", "MAGNETOMETER", "BALLANGVEL", "FRAMEPOS",
                   "FRAMEXAXIS", "FRAMEYAXIS", "FRAMEZAXIS", "FRAMELINVEL", "FRAMEANGVEL", "FRAMELINACC", "FRAMEANGACC",
                   "SUBTREECOM", "SUBTREELINVEL", "SUBTREEANGMOM", "GEOMNORMAL"),
               4: ("BALLQUAT", "FRAMEQUAT"), 2: ("CAMPROJECTION",), 6: ("GEOMFROMTO",)}


def _data_size(self):
    """Dimension of the sensor."""
    word = self.type.name.removeprefix("mjSENS_")
    if word == "USER":
        return self.dim
    if word == "CONTACT":
        widths = (1, 3, 3, 1, 3, 3, 3)
        return self.intprm[2] * sum(w for i, w in enumerate(widths) if self.intprm[0] & 1 << i)
    if word == "RANGEFINDER":
        widths = (1, 3, 3, 3, 3, 1)
        return sum(w for i, w in enumerate(widths) if self.intprm[0] & 1 << i)
    return next((n for n, words in _DIMENSIONS.items() if word in words), 1)


def _drive(self, gain, bias, dyn, gainprm=None, biasprm=None, dynprm=None):
    self.gaintype, self.biastype, self.dyntype = (
        getattr(_enums.mjtGain, "mjGAIN_" + gain), getattr(_enums.mjtBias, "mjBIAS_" + bias),
        getattr(_enums.mjtDyn, "mjDYN_" + dyn))
    for name, entries in (("gainprm", gainprm), ("biasprm", biasprm), ("dynprm", dynprm)):
        values = getattr(self, name)
        for i, value in (entries or {}).items():
            values[i] = value


def _set_to_motor(self):
    """Sets a motor: the force is the control."""
    _drive(self, "FIXED", "NONE", "NONE", {0: 1.0})


def _set_to_position(self, kp, kv=None, dampratio=None, timeconst=None, inheritrange=False):
    """Sets a position servo."""
    if kv is not None and dampratio is not None:
        raise ValueError("kv and dampratio cannot both be set")
    bias = {0: 0.0, 1: -kp}
    if kv is not None:
        if kv < 0:
            raise ValueError("kv cannot be negative")
        bias[2] = -kv
    if dampratio is not None:
        if dampratio < 0:
            raise ValueError("dampratio cannot be negative")
        bias[2] = dampratio
    dyn = "NONE" if not timeconst else "FILTEREXACT"
    _drive(self, "FIXED", "AFFINE", dyn, {0: kp}, bias, {0: timeconst} if timeconst is not None else None)
    self.inheritrange = float(inheritrange)


def _set_to_intvelocity(self, kp, kv=None, dampratio=None, timeconst=None, inheritrange=False):
    """Sets a position servo whose control is a velocity."""
    _set_to_position(self, kp, kv, dampratio, timeconst, inheritrange)
    self.dyntype = _enums.mjtDyn.mjDYN_INTEGRATOR
    self.actlimited = 1


def _set_to_velocity(self, kv):
    """Sets a velocity servo."""
    _drive(self, "FIXED", "AFFINE", "NONE", {0: kv}, {**dict.fromkeys(range(10), 0.0), 2: -kv})


def _set_to_damper(self, kv):
    """Sets a damper whose control is the damping."""
    if kv < 0:
        raise ValueError("kv cannot be negative")
    _drive(self, "AFFINE", "NONE", "NONE", {**dict.fromkeys(range(10), 0.0), 2: -kv})
    self.ctrllimited = 1


def _set_to_cylinder(self, timeconst, bias, area, diameter=-1.0):
    """Sets a pneumatic or hydraulic cylinder."""
    area = np.pi / 4 * diameter**2 if diameter >= 0 else area
    biases = dict(enumerate(np.atleast_1d(np.asarray(bias, dtype=float)).tolist()))
    _drive(self, "FIXED", "AFFINE", "FILTER", {0: area}, biases, {0: timeconst})


def _set_to_muscle(self, timeconst=(0.01, 0.04), tausmooth=0.0, range=(0.75, 1.05), force=-1.0, scale=200.0, lmin=0.5,
                   lmax=1.6, vmax=1.5, fpmax=1.3, fvmax=1.2):
    """Sets a muscle."""
    timeconst = np.atleast_1d(timeconst).tolist()
    prm = dict(enumerate([*range, force, scale, lmin, lmax, vmax, fpmax, fvmax]))
    dyn = {**dict(enumerate((timeconst * 2)[:2])), 2: tausmooth}
    _drive(self, "MUSCLE", "MUSCLE", "MUSCLE", prm, prm, dyn)


def _set_to_adhesion(self, gain):
    """Sets adhesion of a body."""
    if gain < 0:
        raise ValueError("adhesion gain cannot be negative")
    _drive(self, "FIXED", "NONE", "NONE", {0: gain})
    self.ctrllimited = 1


_actuator = {name.removeprefix("_"): method for name, method in list(globals().items()) if name.startswith("_set_to_")}
_actuator["plugin"] = plugin()

LISTED = {
    "mesh": _make("mesh", "Mesh", _OBJ.mjOBJ_MESH, extra=_mesh),
    "hfield": _make("hfield", "HField", _OBJ.mjOBJ_HFIELD),
    "skin": _make("skin", "Skin", _OBJ.mjOBJ_SKIN, extra=_skin),
    "flex": _make("flex", "Flex", _OBJ.mjOBJ_FLEX, extra=_flex),
    "texture": _make("texture", "Texture", _OBJ.mjOBJ_TEXTURE, extra=_texture),
    "material": _make("material", "Material", _OBJ.mjOBJ_MATERIAL),
    "pair": _make("pair", "Pair", _OBJ.mjOBJ_PAIR),
    "exclude": _make("exclude", "Exclude", _OBJ.mjOBJ_EXCLUDE),
    "equality": _make("equality", "Equality", _OBJ.mjOBJ_EQUALITY),
    "tendon": _make("tendon", "Tendon", _OBJ.mjOBJ_TENDON, extra=_tendon),
    "actuator": _make("actuator", "Actuator", _OBJ.mjOBJ_ACTUATOR, extra=_actuator),
    "sensor": _make("sensor", "Sensor", _OBJ.mjOBJ_SENSOR, extra={"get_data_size": _data_size, "plugin": plugin()}),
    "numeric": _make("numeric", "Numeric", _OBJ.mjOBJ_NUMERIC),
    "text": _make("text", "Text", _OBJ.mjOBJ_TEXT),
    "tuple": _make("tuple", "Tuple", _OBJ.mjOBJ_TUPLE),
    "key": _make("key", "Key", _OBJ.mjOBJ_KEY),
}
MjsMesh, MjsHField, MjsSkin, MjsFlex, MjsTexture, MjsMaterial, MjsPair, MjsExclude = list(LISTED.values())[:8]
MjsEquality, MjsTendon, MjsActuator, MjsSensor, MjsNumeric, MjsText, MjsTuple, MjsKey = list(LISTED.values())[8:]
LISTED["plugin"] = MjsPlugin

KINDS = {int(cls._kind): cls for cls in (*TREE.values(), *LISTED.values())}


class MjsDefault:
    """A default class: the initial values of new elements, for each kind."""

    #: Its name.
    name = ""

    def __init__(self, spec, name):
        self._spec, self.name = spec, name

    def __eq__(self, other):
        return isinstance(other, MjsDefault) and (self._spec, self.name) == (other._spec, other.name)

    def __hash__(self):
        return hash(self.name)


    @property
    def flex(self):
        """Files have no default classes for flexes; these are the initial values of new ones."""
        return MjsFlex(self._spec, None, self.name)


for _name in ("mesh", "material", "joint", "geom", "site", "camera", "light", "pair", "equality", "tendon", "actuator"):
    _cls = {**TREE, **LISTED}[_name]
    setattr(MjsDefault, _name, property(lambda self, cls=_cls: cls(self._spec, None, self.name)))

__all__ = [name for name in globals() if name.startswith("Mjs")]
