"""`MjSpec`: models built and edited by programs."""

import os
import zipfile
import zlib
from typing import Union

import numpy as np

from .. import _enums, _sinew
from .._limits import get_limits
from .._sinew import MjData, mj_forward
from .elements import KINDS, LISTED, TREE, MjsDefault
from .elements import *  # noqa: F403
from .elements import __all__ as _elements
from .fields import MjsOrientation, Texts, properties

_RANGES = ("mode", "useexisting", "uselimit", "accel", "maxforce", "timeconst", "timestep", "inttotal", "interval", "tolrange")

# Limits on the unpacked size of an archive: this many bytes, or this multiple of its own size.
_UNPACKED, _RATIO = 256 << 20, 100


class _Settings:
    """Settings of a model: the fields of one struct of the table."""

    _struct = ""

    def __init__(self, spec):
        self._spec = spec

    def _get(self, index):
        return self._spec._native.setting(self._struct, index)

    def _set(self, index, value):
        self._spec._native.set_setting(self._struct, index, value)


class MjsCompiler(_Settings):
    """Compiler settings."""

    _struct = "Compiler"
    #: Has no effect: assets are always compiled on as many threads as there are cores.
    usethread = True
    #: Options for computing length ranges of actuators.
    LRopt = None

    @property
    def eulerseq(self):
        """Axis order of Euler angles, lower case intrinsic, upper case extrinsic."""
        return Texts(self._spec._native.eulerseq, self._store)

    def _store(self, letters):
        self._spec._native.eulerseq = "".join(letters)

    @eulerseq.setter
    def eulerseq(self, letters):
        self._store(letters)


class _Sizes(_Settings):
    _struct = "SpecSizes"


for _cls in (MjsCompiler, _Sizes):
    for _name, _property in properties(_cls._struct).items():
        setattr(_cls, _name, _property)


def _bytes(content):
    return content.encode() if isinstance(content, str) else bytes(content)


class MjSpec:
    """An editable model.

    Elements are added with `spec.worldbody.add_body(name="arm")` or `spec.add_sensor(...)`, found with
    `spec.geom("name")`, changed by their properties, deleted with `spec.delete(element)`; the model is compiled with
    `spec.compile()` or written with `spec.to_xml()`.
    """

    #: The model to which this one was attached.
    parent = None
    #: Whether files of an attached model replace those of the same name.
    override_assets = True
    #: Has no effect: attaching always copies.
    copy_during_attach = False
    #: A comment; it is not written to files.
    comment = ""
    hasImplicitPluginElem = False
    nemax = -1
    #: Compiler settings.
    compiler = None

    def __init__(self, _native=None, _assets=None):
        self._native = _native or _sinew._Spec()
        self._cache, self._assets, self._hidden = {}, dict(_assets or {}), {}
        self._signature, self._layout = 0, None
        self._holder = self._native.holder()
        self._native.show(self._holder)
        self.compiler, self._sizes = MjsCompiler(self), _Sizes(self)
        self.compiler.LRopt = _sinew.MjLROpt()
        for name, value in zip(_RANGES, self._native.lengthrange):
            setattr(self.compiler.LRopt, name, type(getattr(self.compiler.LRopt, name))(value))

    @staticmethod
    def from_file(filename, include=None, assets=None):
        """Reads a model file. `include` and `assets` map names of files to contents."""
        files = {**(include or {}), **(assets or {})}
        native = _sinew._Spec.from_path(filename, {name: _bytes(content) for name, content in files.items()})
        return MjSpec(native, assets)

    @staticmethod
    def from_string(xml, include=None, assets=None):
        """Reads a model given as text. `include` and `assets` map names of files to contents."""
        files = {**(include or {}), **(assets or {})}
        native = _sinew._Spec.from_text(xml, {name: _bytes(content) for name, content in files.items()})
        return MjSpec(native, assets)

    @staticmethod
    def from_zip(file):
        """Reads an archive with a model and its files, from a path or an open file."""
        return from_zip(file)

    def to_zip(self, file):
        """Writes an archive with the model and its files, to a path or an open file."""
        to_zip(self, file)

    def to_file(self, filename):
        """Writes the model as MJCF."""
        with open(os.fspath(filename), "w", encoding="utf-8") as out:
            out.write(self.to_xml())

    def to_xml(self):
        """The model as MJCF text. Default classes are kept; numbers have the shortest form that reads back equal."""
        self._settle()
        return self._native.to_xml(self._files())

    def to_urdf(self):
        """The kinematic tree as URDF text. Joints that the format cannot express are refused by name."""
        self._settle()
        return self._native.to_urdf(self._files())

    def _settle(self):
        """Passes settings that are kept in Python to the native side."""
        self._native.take(self._holder)
        self._native.lengthrange = [float(getattr(self.compiler.LRopt, name)) for name in _RANGES]

    def _files(self):
        return {name: _bytes(content) for name, content in {**self._hidden, **self._assets}.items()}

    def compile(self):
        """Compiles the model."""
        self._settle()
        model = self._native.compile(self._files())
        self._signature = model.signature
        self._layout = self._native.layout(model)
        return model

    def recompile(self, model, data):
        """Compiles again and transfers the state of elements that still exist. Returns model and data."""
        before = self._layout
        if before is not None:
            before.fits(data)  # checked first, so that a refusal leaves the specification unchanged
        new_model = self.compile()
        new_data = MjData(new_model)
        if before is not None:
            before.carry(data, self._layout, new_data)
        mj_forward(new_model, new_data)
        return new_model, new_data

    def copy(self):
        """An independent copy."""
        self._settle()
        other = MjSpec(self._native.copy(), self._assets)
        other._hidden, other.comment = dict(self._hidden), self.comment
        for id, element in self._cache.items():
            if element._extra:
                other._element(id)._extra = dict(element._extra)
        return other

    __copy__ = copy

    def __deepcopy__(self, memo):
        return self.copy()

    def __reduce__(self):
        return MjSpec.from_string, (self.to_xml(), None, self._assets)

    def _element(self, id):
        if id is None:
            return None
        if id not in self._cache:
            self._cache[id] = KINDS[self._native.kind(id)](self, id)
        return self._cache[id]

    @property
    def worldbody(self):
        """The world body, root of all bodies."""
        return self._element(self._native.world())

    @property
    def assets(self):
        """Contents of files by name."""
        return self._assets

    @assets.setter
    def assets(self, files):
        self._assets.update(files)

    option = property(lambda self: self._holder.opt, doc="Options of the physics.")
    visual = property(lambda self: self._holder.vis, doc="Settings of drawing.")
    stat = property(lambda self: self._holder.stat, doc="Statistics that were given; `nan` for those to be computed.")
    _address = property(id)

    @property
    def default(self):
        """The root default class."""
        return MjsDefault(self, "main")

    def add_default(self, name, parent=None):
        """Adds a default class inside another one."""
        self._native.add_class(name, parent.name if parent is not None else "main")
        return MjsDefault(self, name)

    def find_default(self, name):
        """The default class with a given name."""
        return MjsDefault(self, name) if any(known == name for known, _ in self._native.classes()) else None

    def activate_plugin(self, name):
        """Activates a plugin in the model."""
        self._native.activate_plugin(name)

    def delete(self, element):
        """Deletes an element with all its children, or a default class."""
        if isinstance(element, MjsDefault):
            self._native.delete_class(element.name)
        else:
            element._spec._native.delete(element._id)
            element._spec._cache.pop(element._id, None)

    @staticmethod
    def resolve_orientation(degree, sequence=None, orientation=None):
        """The quaternion of an alternative orientation."""
        return np.array(_sinew._Spec.orientation(list(orientation._numbers()), bool(degree), "".join(sequence or "xyz")))

    def _frame_at(self, site):
        frame = site.parent.add_frame(site.frame) if site.frame is not None else site.parent.add_frame()
        frame.pos, frame.quat, frame.alt = site.pos, site.quat, site.alt
        return frame

    def _place(self, which, kind):
        if isinstance(which, str):
            which = getattr(self, kind)(which)
            if which is None:
                raise ValueError(f"{kind.capitalize()} not found.")
        return which

    def attach(self, child, prefix=None, suffix=None, site=None, frame=None):
        """Attaches all of another model to a frame or a site; returns the frame that contains it."""
        prefix, suffix = prefix or "", suffix or ""
        if (site is None) == (frame is None):
            raise ValueError("Either a frame or a site must be given." if site is None
                             else "Only one of frame and site can be given.")
        frame = self._place(frame, "frame") if site is None else self._frame_at(self._place(site, "site"))
        self._join(frame, child, None, prefix, suffix)
        for name, content in child._assets.items():
            head, tail = os.path.split(name)
            stem, extension = os.path.splitext(tail)
            new = f"{head}/{'/' if suffix else ''}{prefix}{stem}{suffix}{extension}" if head else \
                f"{prefix}{stem}{suffix}{extension}"
            if new in self._assets and not self.override_assets:
                raise ValueError(f"Asset {new} already exists in parent spec.")
            self._assets[new] = content
        child.parent = self
        return frame

    def _attach_part(self, frame, part, prefix, suffix):
        child = part._spec
        if child is self:
            child = self.copy()
        body = part._id if part._kind == _enums.mjtObj.mjOBJ_BODY else None
        self._join(frame, child, body, prefix, suffix)
        return part

    def _join(self, frame, child, body, prefix, suffix):
        child._settle()
        pairs = self._native.attach(frame._id, child._native, body, prefix, suffix)
        self._hidden = {**child._hidden, **child._assets, **self._hidden}
        # existing references to elements of the other model now refer to their copies
        for old, new in pairs:
            element = child._cache.pop(old, None)
            if element is not None:
                element._spec, element._id = self, new
                self._cache[new] = element

    @property
    def modelname(self):
        """Name of the model."""
        return self._native.modelname

    @modelname.setter
    def modelname(self, name):
        self._native.modelname = name

    @property
    def memory(self):
        """Size of the arena; −1 for automatic."""
        return self._native.memory

    @memory.setter
    def memory(self, bytes):
        self._native.memory = bytes


def _through(holder, name):
    def get(self):
        return getattr(getattr(self, holder), name)

    def put(self, value):
        setattr(getattr(self, holder), name, value)

    return property(get, put)


for _name in properties("SpecSizes"):
    setattr(MjSpec, _name, _through("_sizes", _name))
for _name in ("meshdir", "texturedir", "modelfiledir", "strippath"):
    setattr(MjSpec, _name, _through("compiler", _name))


def _lists(name, cls):
    code = int(cls._kind)

    def listed(self):
        return [self._element(id) for id in self._native.all(code)]

    def find(self, name):
        return self._element(self._native.find(code, name))

    def add(self, default=None, **values):
        known = None if default is None else default.name
        element = self._element(self._native.add(code, "" if known in (None, "main") else known))
        if name == "plugin":
            element.active = False  # until set to active
        try:
            element._assign(dict(values))
        except Exception:
            self.delete(element)
            raise
        return element

    plural = {"body": "bodies", "mesh": "meshes", "flex": "flexes", "equality": "equalities"}.get(name, name + "s")
    setattr(MjSpec, plural, property(listed, doc=f"Every {name}."))
    setattr(MjSpec, name, find)
    if name in LISTED:
        setattr(MjSpec, "add_" + name, add)


for _name, _cls in {**TREE, **LISTED}.items():
    _lists(_name, _cls)

MjStruct = Union[tuple(KINDS.values())]


def view(self, element):
    """The view of a model or data that corresponds to an element of a specification."""
    if element._spec._signature == 0 or element._spec._signature != self.signature:
        raise ValueError("The mjSpec does not match mjModel. Please recompile the mjSpec.")
    return getattr(self, element._label)(element.id)


def to_zip(spec, file):
    """Writes an archive with a model and its files, to a path or an open file."""
    _no_descriptor(file)
    files = {**spec.assets, spec.modelname + ".xml": spec.to_xml()}
    if isinstance(file, str) and os.path.dirname(file):
        os.makedirs(os.path.dirname(file), exist_ok=True)
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content)


def from_zip(file):
    """Reads an archive with a model and its files, from a path or an open file."""
    _no_descriptor(file)
    if not zipfile.is_zipfile(file):
        raise ValueError(f"File {file} is not a zip file.")
    text, home, assets = None, "", {}
    try:
        with zipfile.ZipFile(file) as archive:
            _check_unpacked(archive)
            for name in archive.namelist():
                if name.endswith(".xml"):
                    text, home = archive.read(name), os.path.dirname(name)
                elif not name.endswith("/"):
                    assets[name] = archive.read(name)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OverflowError) as e:
        raise ValueError(f"File {file} is damaged, or no plain zip file: {e}") from None
    if text is None:
        raise ValueError("No XML file found in zip file.")
    return MjSpec.from_string(text, assets={os.path.relpath(name, home or "."): data for name, data in assets.items()})


def _no_descriptor(file):
    """Refuses a number: it would be used as a file descriptor of the process, and closed."""
    if isinstance(file, int):
        raise TypeError("a path or an open file is needed")


def _check_unpacked(archive):
    """Checks the unpacked size: a small archive may hold gigabytes of the same byte."""
    unpacked = sum(info.file_size for info in archive.infolist())
    packed = sum(info.compress_size for info in archive.infolist())
    given = get_limits().unpacked
    limit = max(_UNPACKED, _RATIO * packed) if given is None else given
    if unpacked > limit:
        raise ValueError(
            f"The archive unpacks to {unpacked} bytes, at most {limit}: call set_limits(unpacked=...) or set the environment "
            "variable SINEW_MAX_UNPACKED to read it."
        )


__all__ = ["MjSpec", "MjsCompiler", "MjsOrientation", "MjStruct", "to_zip", "from_zip", *_elements]
