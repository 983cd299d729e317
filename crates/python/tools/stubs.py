#!/usr/bin/env python3
"""Writes the type stubs of the package from the engine's tables: `stubs.py` writes, `stubs.py --check` compares."""

import enum
import inspect
import pathlib
import sys

import sinew
from sinew import _constants, _drawing, _sinew
from sinew.spec import fields as spec_fields

TARGET = pathlib.Path(__file__).parent.parent / "package" / "sinew" / "__init__.pyi"

ARRAYS = {
    "float64": "NDArray[np.float64]", "float32": "NDArray[np.float32]", "int32": "NDArray[np.int32]",
    "int64": "NDArray[np.int64]", "uint8": "NDArray[np.uint8]", "char": "NDArray[np.int8]",
}
SCALARS = {"float64": "float", "float32": "float", "int32": "int", "int64": "int", "uint8": "int"}
BYTES = {"names", "paths", "text_data"}

# Accessor -> kind, for both owners if the kind has data.
ACCESSORS = {
    "body": "Body", "joint": "Joint", "jnt": "Joint", "geom": "Geom", "site": "Site", "camera": "Camera",
    "cam": "Camera", "light": "Light", "mesh": "Mesh", "skin": "Skin", "hfield": "Hfield", "texture": "Texture",
    "tex": "Texture", "material": "Material", "mat": "Material", "pair": "Pair", "exclude": "Exclude",
    "equality": "Equality", "eq": "Equality", "tendon": "Tendon", "ten": "Tendon", "actuator": "Actuator",
    "sensor": "Sensor", "numeric": "Numeric", "text": "Text", "tuple": "Tuple", "keyframe": "Keyframe",
    "key": "Keyframe",
}

# Parameters by name; the default is an input array.
PARAMETERS = {
    "m": "MjModel", "d": "MjData", "dest": "MjData", "opt": "MjLROpt",
    **dict.fromkeys("sig srcsig dstsig key k type id body geom site objtype objid flg_local flg_acc flg_actuation "
                    "flg_centered skipstage skipsensor nstep N index flg_static bodyexclude nray".split(), "int"),
    **dict.fromkeys("dt eps newmass distmax cutoff".split(), "float"),
    "name": "str", "warning": "int", "info": "int", "debug_value": "int", "msg": "str", "float_format": "str",
    "filename": "str | bytes | os.PathLike[str]", "buffer": "NDArray[np.uint8] | None",
    "solref": "NDArray[np.float64]", "solimp": "NDArray[np.float64]",
    **dict.fromkeys("res result dst mat x qvel_out qfrc_target state".split(), "NDArray[np.float64]"),
    **dict.fromkeys("jacp jacr jacPoint jacAxis fromto normal".split(), "NDArray[np.float64] | None"),
    "geomgroup": "ArrayLike | None", "geomid": "NDArray[np.int32] | None",
}
EXCEPTIONS = {
    ("mj_copyState", "src"): "MjData", ("mj_copyState", "dst"): "MjData", ("mj_copyData", "src"): "MjData",
    ("mj_integratePos", "qpos"): "NDArray[np.float64]", ("mj_normalizeQuat", "qpos"): "NDArray[np.float64]",
    ("mj_multiRay", "geomid"): "NDArray[np.int32]", ("mj_multiRay", "dist"): "NDArray[np.float64]",
    ("mj_differentiatePos", "qvel"): "NDArray[np.float64]", ("mj_setState", "state"): "ArrayLike",
}
RETURNS = {
    "mj_name2id": "int", "mj_id2name": "str | None", "mj_version": "int", "mj_versionString": "str",
    "mj_stateSize": "int", "mj_isSparse": "int", "mj_isPyramidal": "int", "mj_isDual": "int", "mj_getTotalmass": "float",
    "mj_geomDistance": "float", "mj_ray": "float",
    **dict.fromkeys("mju_dot3 mju_norm3 mju_dist3 mju_normalize3 mju_normalize4 mju_min mju_max mju_clip mju_sign "
                    "mju_Halton mju_sum mju_L1 mju_dot mju_norm mju_normalize mju_mulVecMatVec".split(), "float"),
    **dict.fromkeys("mju_round mju_isBad mju_isZero mju_cholFactor".split(), "int"),
}

# Types of all parameters in order, and of the result: f float, i int, s text, a input array, w output array, n integer
# output array, ? after parameters that may be None.
CODES = {
    "f": "float", "i": "int", "s": "str", "a": "ArrayLike", "w": "NDArray[np.float64]", "n": "NDArray[np.int32]",
    "m": "MjModel", "d": "MjData", "c": "MjContact", "w4": "NDArray[np.float32]",
    "p": "str | bytes | os.PathLike[str]", "b": "NDArray[np.uint8]", "A": "NDArray[Any]",
    "O": "MjvOption", "P": "MjvPerturb", "C": "MjvCamera", "S": "MjvScene", "G": "MjvGeom", "E": "MjvGLCamera",
    "F": "MjvFigure", "R": "MjrRect", "X": "MjrContext",
}
SIGNATURES = {
    "mju_muscleGain": "f f a f a > float", "mju_muscleBias": "f a f a > float", "mju_muscleDynamics": "f f a > float",
    "mju_sigmoid": "f > float", "mju_springDamper": "f f f f f > float", "mju_eig3": "w w w a > int",
    "mju_mat2Rot": "w a > int", "mju_rayGeom": "a a a a a i w? > float", "mju_bandDiag": "i i i i > int",
    "mju_band2Dense": "w a i i i i", "mju_dense2Band": "w a i i i", "mju_bandMulMatVec": "w a a i i i i i",
    "mju_cholFactorBand": "w i i i f f > float", "mju_cholSolveBand": "w a a i i i", "mju_cholUpdate": "w w i > int",
    "mju_sparse2dense": "w a a a a", "mju_dense2sparse": "w a n n n > int", "mju_boxQP": "w w n? a a a? a? > int",
    "mju_sqrMatTD": "w a a?", "mju_n2f": "w4 a", "mju_insertionSort": "w", "mju_insertionSortInt": "n",
    "mju_encodePyramid": "w a a", "mju_decodePyramid": "w a a", "mju_str2Type": "s > int",
    "mju_type2Str": "i > str | None", "mju_writeNumBytes": "i > str", "mjd_subQuat": "a a w? w?",
    "mjd_quatIntegrate": "a f w w w", "mjd_transitionFD": "m d f i w? w? w? w?",
    "mjd_inverseFD": "m d f i w? w? w? w? w? w? w?", "mj_readCtrl": "m d i f i > float",
    "mj_readSensor": "m d i f w i > NDArray[np.float64]", "mj_initCtrlHistory": "m d i a? a",
    "mj_initSensorHistory": "m d i a? a f", "mj_rayMesh": "m d i a a w? > float", "mj_rayHfield": "m d i a a w? > float",
    "mj_rayFlex": "m d i i i i i i a a n? w? > float", "mju_raySkin": "i i a a a a n? > float",
    "mj_addContact": "m d c > int", "mj_addM": "m d w a a a", "mj_local2Global": "d w w a a i i",
    "mj_setTotalmass": "m f", "mju_printMat": "a", "mju_printMatSparse": "a a a a",
    "mju_standardNormal": "f? > float", "mju_writeLog": "s s", "mju_warningText": "i i > str",
    "mj_saveModel": "m p? b?", "mj_sizeModel": "m > int",
    "mjv_updateScene": "m d O P? C i S", "mjv_addGeoms": "m d O P? i S", "mjv_updateCamera": "m d C S",
    "mjv_makeLights": "m d S", "mjv_updateSkin": "m d S", "mjv_initGeom": "G i a? a? a? a?",
    "mjv_connector": "G i f a a", "mjv_defaultOption": "O", "mjv_defaultPerturb": "P", "mjv_initPerturb": "m d S P",
    "mjv_movePerturb": "m d i f f S P", "mjv_moveCamera": "m i f f S C", "mjv_moveModel": "m i f f a S",
    "mjv_applyPerturbPose": "m d P i", "mjv_applyPerturbForce": "m d P", "mjv_select": "m d O f f f S w n n n > int",
    "mjv_defaultCamera": "C", "mjv_defaultFreeCamera": "m C", "mjv_cameraFrame": "w? w? w? w? d C",
    "mjv_cameraFrustum": "w4? w4? w4? m C", "mjv_cameraInModel": "w? w? w? S", "mjv_cameraInRoom": "w? w? w? S",
    "mjv_room2model": "w w a a S", "mjv_model2room": "w w a a S", "mjv_frustumHeight": "S > float",
    "mjv_alignToCamera": "w a a", "mjv_averageCamera": "E E > MjvGLCamera", "mjv_defaultFigure": "F",
    "mjr_render": "R S X", "mjr_readPixels": "A? A? R X", "mjr_drawPixels": "A? A? R X", "mjr_setBuffer": "i X",
    "mjr_restoreBuffer": "X", "mjr_resizeOffscreen": "i i X", "mjr_maxViewport": "X > MjrRect",
    "mjr_uploadMesh": "m X i", "mjr_uploadHField": "m X i", "mjr_uploadTexture": "m X i",
    "mjr_findRect": "i i i R > int", "mjr_finish": "", "mjr_getError": " > int", "mjr_addAux": "i i i i X",
    "mjr_setAux": "i X", "mjr_blitAux": "i R i i X", "mjr_blitBuffer": "R R i i X", "mjr_changeFont": "i X",
    "mjr_rectangle": "R f f f f", "mjr_label": "R i s f f f f f f f X", "mjr_text": "i s X f f f f f",
    "mjr_overlay": "i i R s s? X", "mjr_figure": "R F X",
}


def coded(name):
    """Types by parameter, and of the result, for a function in SIGNATURES."""
    parameters, _, result = SIGNATURES[name].partition(" > ")
    kinds = [CODES[c.rstrip("?")] + (" | None" if c.endswith("?") else "") for c in parameters.split()]
    return dict(zip(inspect.signature(getattr(sinew, name)).parameters, kinds, strict=True)), result or "None"


def field(name, dtype, scalar, doc):
    kind = "bytes" if name in BYTES else SCALARS[dtype] if scalar else ARRAYS[dtype]
    yield f"    {name}: {kind}"
    if doc:
        yield f'    """{doc}"""'


def struct(name, rows, extra=()):
    yield f"class {name}:"
    yield f'    """{getattr(sinew, name).__doc__}"""'
    for row in rows:
        yield from field(*row)
    yield from extra
    yield ""


def accessors(owner, named):
    for method, kind in ACCESSORS.items():
        view = f"_Mj{owner}{kind}Views"
        if view in named and hasattr(getattr(sinew, f"Mj{owner}"), method):
            yield f"    def {method}(self, name: str | int = ...) -> {view}: ..."


def copies(name):
    yield f"    def __copy__(self) -> {name}: ..."
    yield f"    def __deepcopy__(self, memo: object) -> {name}: ..."


def enums():
    for name, value in vars(sinew).items():
        if isinstance(value, enum.EnumMeta):
            yield f"class {name}(enum.IntEnum):"
            yield from (f"    {member.name} = {member.value}" for member in value)
            yield ""


def constants():
    for name, value in {**vars(_constants), **vars(_drawing)}.items():
        if name.startswith("mj") and isinstance(value, (int, float, tuple)):
            pairs = isinstance(value, tuple) and isinstance(value[0], tuple)
            kind = "tuple[tuple[str, str, str], ...]" if pairs else "tuple[str, ...]"
            kind = kind if isinstance(value, tuple) else type(value).__name__
            yield f"{name}: {kind}"
    yield ""


def written(name, parameter):
    """Output arrays of `mju_` functions."""
    if name in ("mju_norm", "mju_cholSolve") and parameter in ("res", "mat"):
        return name == "mju_cholSolve" and parameter == "res"
    return parameter in ("res", "posres", "quatres") or (name, parameter) in {
        ("mju_normalize3", "vec"), ("mju_normalize4", "vec"), ("mju_mat2Quat", "quat"), ("mju_quatIntegrate", "quat"),
        ("mju_quatZ2Vec", "quat"), ("mju_euler2Quat", "quat"), ("mju_eye", "mat"), ("mju_cholFactor", "mat"),
    }


def callback(name):
    """Type of the function that a `set_` or `get_` function handles."""
    if name.endswith("_user_warning"):
        return "Callable[[str], object] | None"
    if name.endswith(("_passive", "_control")):
        return "Callable[[MjModel, MjData], object] | None"
    if name.endswith("_time"):
        return "Callable[[], float] | None"
    if name.endswith("contactfilter"):
        return "Callable[[MjModel, MjData, int, int], int] | None"
    returned = "object" if name.endswith("_sensor") else "float"
    return f"Callable[[MjModel, MjData, int], {returned}] | None"


def kind_of(name, parameter):
    if name in SIGNATURES:
        return coded(name)[0][parameter]
    if name in ("mj_defaultOption", "mj_defaultVisual"):
        return name.replace("mj_default", "Mj")
    if name.startswith("set_mj"):
        return callback(name)
    if not name.startswith("mju_"):
        return EXCEPTIONS.get((name, parameter)) or PARAMETERS.get(parameter, "ArrayLike")
    if parameter in ("scl", "angle", "dt", "scale", "val", "mindiag") or parameter in ("x", "min", "max"):
        return "float"
    if name in ("mju_min", "mju_max"):
        return "float"
    if parameter in ("index", "base", "flg_force"):
        return "int"
    if parameter == "seq":
        return "str"
    return "NDArray[np.float64]" if written(name, parameter) else "ArrayLike"


def functions():
    for name, f in sorted(vars(sinew).items()):
        named = name.startswith(("mj_", "mju_", "mjd_", "mjv_", "mjr_", "set_mj", "get_mj")) or name == "step_strict"
        if not named or not callable(f):
            continue
        params = []
        for p in inspect.signature(f).parameters.values():
            kind = kind_of(name, p.name)
            optional = " = ..." if p.default is not inspect.Parameter.empty else ""
            params.append(f"{p.name}: {kind}{optional}")
        returned = callback(name) if name.startswith("get_mj") else RETURNS.get(name, "None")
        if name in SIGNATURES:
            returned = coded(name)[1]
        yield f"def {name}({', '.join(params)}) -> {returned}:"
        yield f'    """{f.__doc__}"""'
        yield ""


def views(named, tables):
    kinds = {name: dtype for table in ("MjModel", "MjData") for name, dtype, _, _ in tables[table]}
    for view, attrs in named.items():
        yield f"class {view}:"
        yield "    id: int"
        yield "    name: str"
        for attr, source in attrs:
            if attr.isidentifier():
                yield f"    {attr}: {'bytes' if source in BYTES else ARRAYS[kinds[source]]}"
        yield ""


LISTED = ("MjContact", "MjWarningStat", "MjTimerStat", "MjSolverStat", "MjvGeom", "MjvLight", "MjvGLCamera")


def lists():
    for element in LISTED:
        members = []
        for name in sorted(dir(getattr(sinew, element))):
            value = None if name.startswith("_") else getattr(getattr(sinew, element)(), name)
            if value is not None:
                members.append((name, value))
        yield f"class {element}:"
        yield "    def __init__(self) -> None: ..."
        for name, value in members:
            array = getattr(value, "dtype", None)
            yield f"    {name}: {ARRAYS[str(array)] if array is not None else type(value).__name__}"
        yield from copies(element)
        yield ""
        yield f"class _{element}List:"
        yield "    def __len__(self) -> int: ..."
        yield f"    def __iter__(self) -> Iterator[{element}]: ..."
        yield "    @overload"
        yield f"    def __getitem__(self, index: int) -> {element}: ..."
        yield "    @overload"
        yield f"    def __getitem__(self, index: slice) -> _{element}List: ..."
        for name, value in members:
            array = getattr(value, "dtype", None)
            kind = {float: "float64", int: "int32", str: "char"}.get(type(value)) if array is None else str(array)
            yield "    @property"
            yield f"    def {name}(self) -> {ARRAYS[kind]}: ..."
        yield ""


def plain(name):
    """A class whose attributes are plain values."""
    yield f"class {name}:"
    yield f'    """{getattr(sinew, name).__doc__}"""'
    yield "    def __init__(self) -> None: ..."
    for attr, value in ((a, getattr(getattr(sinew, name)(), a)) for a in dir(getattr(sinew, name))):
        if isinstance(value, (int, float)) and not attr.startswith("_"):
            yield f"    {attr}: {type(value).__name__}"
    yield from copies(name)
    yield ""


def drawn():
    """Drawing classes that are written in Python."""
    number = {int: "int", float: "float", str: "str", tuple: "tuple[int, ...]"}
    made = {"MjvFigure": sinew.MjvFigure(), "MjrRect": sinew.MjrRect(0, 0, 0, 0), "MjrContext": sinew.MjrContext()}
    starts = {"MjrRect": "left: int, bottom: int, width: int, height: int",
              "MjrContext": "model: MjModel | None = ..., fontscale: int | None = ..."}
    for name, value in made.items():
        yield f"class {name}:"
        yield f'    """{value.__doc__}"""'
        yield f"    def __init__(self{', ' if name in starts else ''}{starts.get(name, '')}) -> None: ..."
        for attr, content in sorted(vars(value).items()):
            if not attr.startswith("_"):
                yield f"    {attr}: {number.get(type(content), 'NDArray[Any]')}"
        if name == "MjrContext":
            yield "    def free(self) -> None: ..."
        yield ""
    yield "class GLContext:"
    yield "    def __init__(self, max_width: int, max_height: int) -> None: ..."
    yield "    def make_current(self) -> None: ..."
    yield "    def free(self) -> None: ..."
    yield ""
    yield "class Renderer:"
    yield f'    """{sinew.Renderer.__doc__}"""'
    yield "    def __init__(self, model: MjModel, height: int = ..., width: int = ..., max_geom: int = ...,"
    yield "                 font_scale: mjtFontScale = ...) -> None: ..."
    yield from properties(model="MjModel", scene="MjvScene", height="int", width="int")
    yield "    def render(self, *, out: NDArray[Any] | None = ...) -> NDArray[Any]: ..."
    yield "    def update_scene(self, data: MjData, camera: int | str | MjvCamera = ...,"
    yield "                     scene_option: MjvOption | None = ...) -> None: ..."
    for what in ("depth", "segmentation"):
        yield f"    def enable_{what}_rendering(self) -> None: ..."
        yield f"    def disable_{what}_rendering(self) -> None: ..."
    yield "    def close(self) -> None: ..."
    yield "    def __enter__(self) -> Renderer: ..."
    yield "    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None: ..."
    yield ""
    yield "class Video:"
    yield f'    """{sinew.Video.__doc__}"""'
    yield "    mp4: bytes"
    yield "    def __init__(self, frames: Iterable[NDArray[Any]], fps: float = ...) -> None: ..."
    yield ""
    for name, given, gives in (("show_video", "", "Video"), ("write_video", "path: str, ", "None")):
        yield f"def {name}({given}frames: Iterable[NDArray[Any]], fps: float = ...) -> {gives}:"
        yield f'    """{getattr(sinew, name).__doc__}"""'
    yield "def write_picture(path: str, picture: NDArray[Any]) -> None:"
    yield f'    """{sinew.write_picture.__doc__}"""'
    yield ""


def properties(**kinds):
    """Read-only attributes."""
    for name, kind in kinds.items():
        yield "    @property"
        yield f"    def {name}(self) -> {kind}: ..."


# Types of BatchSim's parameters and results; fields are added from the table of MjData.
BATCH = {
    "ctrl": "ArrayLike | None", "worlds": "ArrayLike | slice | None", "name": "str", "out": "NDArray[Any] | None",
    "values": "ArrayLike", "qpos": "ArrayLike", "qvel": "ArrayLike", "method": "str", "eps": "float",
    "centered": "bool", "next": "ArrayLike", "camera": "int | str | MjvCamera", "height": "int", "width": "int",
    "sensors": "bool", "dx": "ArrayLike", "du": "ArrayLike", "loss": "ArrayLike", "checkpoint": "int | None",
    "depth": "bool", "scene_option": "MjvOption | None", "max_geom": "int",
}
BATCH_GIVES = {
    "gather": "NDArray[Any]", "render": "NDArray[Any]", "failed": "NDArray[np.bool_]", "errors": "list[str | None]", "model": "MjModel",
    "num_worlds": "int", "num_threads": "int", "nstep": "int", "nbytes": "int", "strict": "bool",
    "transition": "BatchTransition", "jvp": "NDArray[np.float64]",
    "vjp": "tuple[NDArray[np.float64], NDArray[np.float64]]", "rollout_vjp": "tuple[NDArray[np.float64], NDArray[np.float64]]",
}


def batch(tables):
    yield "class BatchSim:"
    yield f'    """{inspect.cleandoc(sinew.BatchSim.__doc__).splitlines()[0]}"""'
    yield "    def __init__("
    yield "        self, model: MjModel, num_worlds: int, num_threads: int | None = ..., nstep: int = ..., task: Any = ...,"
    yield "        strict: bool = ..."
    yield "    ) -> None: ..."
    yield "    task: Any"
    yield "    rewards: NDArray[np.float64]"
    yield "    terminated: NDArray[np.bool_]"
    yield "    truncated: NDArray[np.bool_]"
    yield "    def __len__(self) -> int: ..."
    for name, member in sorted({**vars(_sinew.BatchSim), **vars(sinew.BatchSim)}.items()):
        if name.startswith("_"):
            continue
        given = BATCH_GIVES.get(name, "None")
        if not callable(member):
            yield "    @property"
            yield f"    def {name}(self) -> {given}: ..."
            continue
        params = ["self"]
        for p in list(inspect.signature(member).parameters.values())[1:]:
            params.append(f"{p.name}: {BATCH[p.name]}" + (" = ..." if p.default is not p.empty else ""))
        yield f"    def {name}({', '.join(params)}) -> {given}:"
        yield f'        """{inspect.cleandoc(member.__doc__)}"""'
    sim = sinew.BatchSim(sinew.MjModel.from_xml_string("<mujoco/>"), 1)
    for name, dtype, _, _ in tables["MjData"]:
        if hasattr(sim, name):
            yield "    @property"
            yield f"    def {name}(self) -> {ARRAYS[dtype]}: ..."
    yield ""


def spec_property(cls, name, member):
    """A property of an element of a specification, with the type given by the table of attributes."""
    rows = {spec_fields.RENAMED.get(row[0], row[0]): row for row in spec_fields.FIELDS.get(getattr(cls, "_struct", ""), ())}
    _, kind, of, count, _, doc = rows.get(name, (name, "", "", 0, False, member.__doc__))
    many = {"real": "NDArray[np.float64]", "float": "NDArray[np.float32]", "int": "NDArray[np.int32]", "text": "Any"}
    one = {"real": "float", "float": "float", "int": "int", "text": "str", "bool": "bool", "code": of or "int",
           "orientation": "MjsOrientation"}
    read = (many if count else one).get(kind, "Any")
    yield "    @property"
    yield f"    def {name}(self) -> {read}:"
    yield f'        """{doc or ""}"""'
    if member.fset is not None:
        yield f"    @{name}.setter"
        yield f"    def {name}(self, value: {'ArrayLike' if 'NDArray' in read else 'Any' if kind == 'code' else read}) -> None: ..."


def spec():
    """`MjSpec` and its elements."""
    for cls in (sinew.MjSpec, *(getattr(sinew, n) for n in sorted(vars(sinew)) if n.startswith("Mjs"))):
        yield f"class {cls.__name__}:"
        yield f'    """{inspect.cleandoc(cls.__doc__ or "").splitlines()[0] if cls.__doc__ else ""}"""'
        yield "    def __init__(self, *args: Any, **values: Any) -> None: ..."
        for name in sorted(n for n in dir(cls) if not n.startswith("_") and n not in dir(list)):
            member = inspect.getattr_static(cls, name)
            if isinstance(member, property):
                yield from spec_property(cls, name, member)
            elif isinstance(member, staticmethod):
                yield "    @staticmethod"
                yield f"    def {name}(*args: Any, **values: Any) -> Any: ..."
            elif callable(member):
                yield f"    def {name}(self, *args: Any, **values: Any) -> Any: ..."
            else:
                yield f"    {name}: Any"
        yield ""
    yield "MjStruct = Any"
    yield "MjStruct: Any"
    yield "def to_zip(spec: MjSpec, file: Any) -> None: ..."
    yield "def from_zip(file: Any) -> MjSpec: ..."
    yield ""


def limits():
    yield "class Limits(NamedTuple):"
    yield f'    """{sinew.Limits.__doc__}"""'
    yield from (f"    {name}: {'int | None' if name == 'unpacked' else kind.__name__}" for name, kind in sinew.Limits.__annotations__.items())
    yield "def get_limits() -> Limits:"
    yield f'    """{sinew.get_limits.__doc__}"""'
    yield "def set_limits(*, memory: int | None = None, elements: int | None = None, numbers: int | None = None, unpacked: int | None = None, confined: bool | None = None) -> Limits:"
    yield f'    """{sinew.set_limits.__doc__}"""'


def module():
    tables = _sinew._tables()
    named = {view: attrs for view, attrs in _sinew._named() if attrs}
    yield "# Written by tools/stubs.py from the engine's tables."
    yield "# ruff: noqa"
    yield "import enum"
    yield "import os"
    yield "import types"
    yield "from collections.abc import Callable, Iterable, Iterator, Mapping"
    yield "from typing import Any, NamedTuple, overload"
    yield ""
    yield "import numpy as np"
    yield "from numpy.typing import ArrayLike, NDArray"
    yield ""
    yield "from . import gl_context as gl_context"
    yield "from . import minimize as minimize"
    yield "from . import msh2obj as msh2obj"
    yield "from . import renderer as renderer"
    yield "from . import viewer as viewer"
    yield "from . import rollout as rollout"
    yield "from . import spec as spec"
    yield ""
    yield "__version__: str"
    yield "__sinew_version__: str"
    yield ""
    yield "class FatalError(Exception): ..."
    yield "class StepError(FatalError): ..."
    yield "class UnexpectedError(Exception): ..."
    yield ""
    yield from constants()
    yield from enums()
    for name in ("MjOption", "MjStatistic", "MjvCamera", "MjvOption", "MjvPerturb"):
        yield from struct(name, tables[name], ["    def __init__(self) -> None: ...", *copies(name)])
    yield from plain("MjLROpt")
    yield "def as_mujoco() -> types.ModuleType: ..."
    yield "def level() -> str: ..."
    yield from limits()
    yield ""
    terms = "dict[str, list[str]]"
    for name, differenced in (("Transition", terms), ("BatchTransition", f"list[{terms}]")):
        yield f"class {name}(NamedTuple):"
        yield from (f"    {name}: NDArray[np.float64]" for name in "AB")
        yield from (f"    {name}: NDArray[np.float64] | None" for name in "CD")
        yield f"    differenced: {differenced}"
        yield ""
    yield "class InverseDerivatives(NamedTuple):"
    yield f'    """{inspect.cleandoc(sinew.InverseDerivatives.__doc__)}"""'
    yield from (f"    Df{name}: NDArray[np.float64]" for name in ("Dq", "Dv", "Da"))
    yield from (f"    {name}: NDArray[np.float64] | None" for name in ("DsDq", "DsDv", "DsDa", "DmDq"))
    yield f"    differenced: {terms}"
    yield ""
    yield "class TransitionCheck(NamedTuple):"
    yield "    errors: dict[str, float]"
    yield "    differences: dict[str, float]"
    yield ""
    yield "def check_transition(m: MjModel, d: MjData, method: str = ..., eps: float = ..., sensors: bool = ...) -> TransitionCheck:"
    yield f'    """{inspect.cleandoc(sinew.check_transition.__doc__)}"""'
    yield "def smooth_vel(m: MjModel, d: MjData, eps: float = ...) -> NDArray[np.float64]:"
    yield f'    """{inspect.cleandoc(sinew.smooth_vel.__doc__)}"""'
    how = "method: str = ..., eps: float = ..., centered: bool = ..."
    yield f"def transition(m: MjModel, d: MjData, {how}, sensors: bool = ...) -> Transition:"
    yield f'    """{inspect.cleandoc(sinew.transition.__doc__)}"""'
    what = "actuation: bool = ..., sensors: bool = ..., mass: bool = ..."
    yield f"def inverse_derivatives(m: MjModel, d: MjData, {how}, {what}) -> InverseDerivatives:"
    yield f'    """{inspect.cleandoc(sinew.inverse_derivatives.__doc__)}"""'
    pair = "tuple[NDArray[np.float64], NDArray[np.float64]]"
    options = "method: str = ..., eps: float = ..."
    for name, given, gives in (
        ("jvp", "dx: ArrayLike, du: ArrayLike", "NDArray[np.float64]"),
        ("vjp", "next: ArrayLike", pair),
        ("rollout_vjp", "ctrl: ArrayLike, loss: ArrayLike, checkpoint: int | None = ...", pair),
    ):
        yield f"def {name}(m: MjModel, d: MjData, {given}, {options}) -> {gives}:"
        yield f'    """{inspect.cleandoc(getattr(sinew, name).__doc__)}"""'
    yield ""
    yield "class Sim:"
    yield f'    """{inspect.cleandoc(sinew.Sim.__doc__)}"""'
    yield "    model: MjModel"
    yield "    data: MjData"
    yield "    solver: str"
    laws = "str | Mapping[str, str | Callable] | None = ..."
    yield "    def __init__(self, m: MjModel, solver: str | None = ..., actuators: Mapping[str, str | Callable] | None = ...,"
    yield f"        elasticity: {laws}, bending: str | Mapping[str, str] | None = ...) -> None: ..."
    yield "    def step(self, nstep: int = ..., strict: bool = ...) -> None: ..."
    yield "    def forward(self) -> None: ..."
    yield "    def reset(self) -> None: ..."
    yield ""
    yield "class MjVisual:"
    yield from copies("MjVisual")
    groups = ["Global", "Quality", "Headlight", "Map", "Scale", "Rgba"]
    for group in groups:
        yield f"    class {group}:"
        yield from ("    " + line for row in tables[group] for line in field(*row))
    for group in groups:
        attribute = "global_" if group == "Global" else group.lower()
        yield "    @property"
        yield f"    def {attribute}(self) -> MjVisual.{group}: ..."
    yield "MjVisualHeadlight: type[MjVisual.Headlight]"
    yield "MjVisualRgba: type[MjVisual.Rgba]"
    yield ""
    yield from lists()
    yield from views(named, tables)
    sizes = [line for n in tables["Sizes"] for line in ("    @property", f"    def {n}(self) -> int: ...")]
    assets = "assets: Mapping[str | bytes, bytes] | None = ..., *, plugins: Sequence[type[Plugin]] | None = ..."
    path = f"filename: str | bytes | os.PathLike[str], {assets}"
    bound = [
        "    def bind(self, elements: Any) -> Any: ...", "    def bind_scalar(self, element: Any) -> Any: ...",
        *properties(signature="int"),
    ]
    yield from plugin()
    yield from struct("MjModel", tables["MjModel"], [
        *sizes,
        *properties(opt="MjOption", vis="MjVisual", stat="MjStatistic", names_map="NDArray[np.int32]"),
        "    @staticmethod", f"    def from_xml_string(xml: str | bytes, {assets}) -> MjModel: ...",
        "    @staticmethod", f"    def from_xml_path({path}) -> MjModel: ...",
        "    @staticmethod", f"    def from_binary_path({path}) -> MjModel: ...",
        *bound, *accessors("Model", named), *copies("MjModel"),
    ])
    yield from struct("MjData", tables["MjData"], [
        "    def __init__(self, model: MjModel) -> None: ...",
        *properties(
            model="MjModel", contact="_MjContactList", warning="_MjWarningStatList", timer="_MjTimerStatList",
            solver="_MjSolverStatList", plugin="NDArray[np.int32]", plugin_data="NDArray[np.uint64]",
            maxuse_threadstack="NDArray[np.uint64]",
        ),
        *properties(**dict.fromkeys(
            "narena nbuffer nplugin parena pbase pstack maxuse_stack maxuse_arena threadpool".split(), "int"
        )),
        *bound, *accessors("Data", named), *copies("MjData"),
    ])
    yield from struct("MjvScene", tables["MjvScene"], [
        "    def __init__(self, model: MjModel | None = ..., maxgeom: int | None = ...) -> None: ...",
        *properties(geoms="_MjvGeomList", lights="_MjvLightList", camera="_MjvGLCameraList"), *copies("MjvScene"),
    ])
    yield from drawn()
    yield from batch(tables)
    yield from spec()
    yield from functions()


def plugin():
    """The base class of plugins in Python, with the methods that objects may have."""
    yield "class Plugin:"
    yield f'    """{inspect.cleandoc(sinew.Plugin.__doc__)}"""'
    yield "    name: str"
    yield "    attributes: list[str]"
    yield from (f"    {name}: int" for name in ("capabilities", "needstage"))
    yield from (f"    {name}: int | Callable[[dict[str, str]], int]" for name in ("nstate", "nsensordata"))
    yield "    config: dict[str, str]"
    yield "    users: dict[str, Any] | None"
    yield "    def __init__(self, config: dict[str, str], users: dict[str, Any] | None) -> None: ..."
    yield ""


def text():
    return "\n".join(module()).rstrip() + "\n"


if __name__ == "__main__":
    if "--check" in sys.argv:
        if TARGET.read_text(encoding="utf-8") != text():
            sys.exit(f"{TARGET} is out of date: run {__file__}")
    else:
        TARGET.write_text(text(), encoding="utf-8")
