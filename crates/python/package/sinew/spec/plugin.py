"""Plugins of an `MjSpec`: instances and references to them."""

from .. import _enums
from .base import Element
from .fields import properties


class MjsPlugin(Element):
    """A plugin instance, or the reference of an element to one."""

    _kind = _enums.mjtObj.mjOBJ_PLUGIN
    _struct = "PluginInstance"
    _label = "plugin"
    plugin_name = properties("PluginInstance")["plugin"]

    @property
    def active(self):
        """Whether an element with this reference uses the plugin."""
        return self._extra.get("active", True)

    @active.setter
    def active(self, on):
        self._extra["active"] = bool(on)

    @property
    def config(self):
        """Settings."""
        return dict(self._spec._native.config(self._id))

    @config.setter
    def config(self, settings):
        self._spec._native.set_config(self._id, _settings(settings))


def _settings(config):
    return [(str(key), str(value)) for key, value in dict(config).items()]


class _PluginOf(MjsPlugin):
    """The plugin reference of an element. It takes effect when active; until then it is only stored here."""

    def __init__(self, owner):
        super().__init__(owner._spec, None)
        self._owner = owner

    def _part(self, index):
        noted = self._owner._extra.setdefault("plugin", ["", "", []])
        asked = self._owner._class is None and self._owner._spec._native.plugin_of(self._owner._id)
        return (asked or noted)[index]

    def _change(self, index, value, active=None):
        parts = [self._part(i) for i in range(3)]
        active = self.active if active is None else active
        if index is not None:
            parts[index] = value
        self._owner._extra["plugin"] = parts
        if self._owner._class is None:
            self._owner._spec._native.set_plugin_of(self._owner._id, tuple(parts) if active else None)

    name = property(lambda self: self._part(1), lambda self, text: self._change(1, text), doc="Name of the instance.")
    plugin_name = property(lambda self: self._part(0), lambda self, text: self._change(0, text), doc="The plugin.")
    info = property(lambda self: self._owner._extra.get("plugin info", ""),
                    lambda self, text: self._owner._extra.__setitem__("plugin info", text), doc="A note.")
    id = property(lambda self: self._instance().id if self._instance() is not None else -1, doc="Place of the instance.")

    def _instance(self):
        return self._owner._spec.plugin(self.name) if self.name else None

    @property
    def active(self):
        """Whether the element uses the plugin."""
        return self._owner._class is None and self._owner._spec._native.plugin_of(self._owner._id) is not None

    @active.setter
    def active(self, on):
        self._change(None, None, bool(on))

    @property
    def config(self):
        """Settings: those of the instance, or inline settings if the element names none."""
        instance = self._instance()
        return dict(self._part(2)) if instance is None else instance.config

    @config.setter
    def config(self, settings):
        instance = self._instance()
        if instance is None:
            self._change(2, _settings(settings))
        else:
            instance.config = settings


def plugin():
    """The plugin property of an element."""

    def put(self, plugin):
        own = [] if plugin.name else _settings(plugin.config)
        _PluginOf(self)._change(None, None, False)
        self._extra["plugin"] = [plugin.plugin_name, plugin.name, own]
        _PluginOf(self).active = plugin.active
        _PluginOf(self).info = plugin.info

    return property(_PluginOf, put, doc="The plugin of the element.")
