"""Base classes of the elements of an `MjSpec`."""

from .fields import FORMS


class Element:
    """An element of a model. The object stays valid whatever is added or deleted around it."""

    _kind = None
    _struct = ""
    _orientations = ()
    _label = ""

    def __init__(self, spec, id, part=None):
        self._spec, self._id, self._class, self._extra = spec, id, part, {}

    def _get(self, index):
        if self._class is not None:
            return self._spec._native.class_get(self._class, int(self._kind), index)
        return self._spec._native.get(self._id, index)

    def _set(self, index, value):
        if self._class is not None:
            self._spec._native.class_set(self._class, int(self._kind), index, value)
        else:
            self._spec._native.set(self._id, index, value)

    @property
    def name(self):
        """Name; empty if there is none."""
        return self._class if self._class is not None else self._spec._native.meta(self._id)[0]

    @name.setter
    def name(self, text):
        other = self._spec._native.find(int(self._kind), text) if text else None
        if other is not None and other != self._id and self._spec._native.meta(other)[0] == text:
            raise ValueError(f"Error: repeated name '{text}' in {self._label}")
        self._spec._native.set_meta(self._id, text, None, None)

    @property
    def info(self):
        """A note that is appended to error messages."""
        return self._spec._native.meta(self._id)[2]

    @info.setter
    def info(self, text):
        self._spec._native.set_meta(self._id, None, None, text)

    @property
    def classname(self):
        """The default class."""
        return self._spec.find_default(self._spec._native.meta(self._id)[1] or "main")

    @classname.setter
    def classname(self, default):
        name = default.name
        self._spec._native.set_meta(self._id, None, "" if name == "main" else name, None)

    @property
    def id(self):
        """Index among the elements of its kind, as in the compiled model."""
        return self._spec._native.all(int(self._kind)).index(self._id)

    @property
    def signature(self):
        """Signature of the model the specification was last compiled to."""
        return self._spec._signature

    def __repr__(self):
        return f"<{type(self).__name__} {self.name!r}>"

    def _assign(self, values):
        """Sets attributes from keyword arguments."""
        for prefix in self._orientations:
            given = [prefix + form for form in FORMS if prefix + form in values]
            if len(given) > 1:
                names = [prefix + form for form in FORMS]
                raise ValueError(f"Only one of: {', '.join(names[:-1])}, or {names[-1]} can be set.")
            if given:
                setattr(getattr(self, prefix + "alt"), given[0][len(prefix):], values.pop(given[0]))
        for key, value in values.items():
            if isinstance(getattr(type(self), key, None), property):
                setattr(self, key, value)
            else:
                raise TypeError(f"Invalid {key} keyword argument. Valid options are: {', '.join(self._options())}.")

    @classmethod
    def _options(cls):
        return sorted(key for key in dir(cls) if isinstance(getattr(cls, key), property))


class TreeElement(Element):
    """An element that belongs to a body."""

    @property
    def parent(self):
        """The body it belongs to."""
        return self._spec._element(self._spec._native.parent(self._id))

    @property
    def frame(self):
        """The frame that contains it."""
        return self._spec._element(self._spec._native.frame_of(self._id))

    def set_frame(self, frame):
        """Moves it into a frame of the same body."""
        self._spec._native.set_frame(self._id, None if frame is None else frame._id)
