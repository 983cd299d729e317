"""Plugins in Python."""

from __future__ import annotations


class Plugin:
    """Base class of plugins in Python: a subclass is a plugin, an object of it an instance in a model.

    The class declares its name in models, its settings and its capabilities:

        class Spring(sinew.Plugin):
            name = "example.spring"
            attributes = ["stiffness"]
            capabilities = sinew.mjtPluginCapabilityBit.mjPLUGIN_PASSIVE

            def __init__(self, config, users):
                self.stiffness = float(config.get("stiffness", 1))

            def passive(self, m, d):
                d.qfrc_passive[:] -= self.stiffness * d.qpos

        m = sinew.MjModel.from_xml_string(xml, plugins=[Spring])

    An instance may have these methods, called at the same points as in MuJoCo:

        passive(m, d)       adds to d.qfrc_passive                      mjPLUGIN_PASSIVE
        act_dot(m, d)       writes d.act_dot of its actuators           mjPLUGIN_ACTUATOR
        actuate(m, d)       writes d.actuator_force of its actuators    mjPLUGIN_ACTUATOR
        sense(m, d)         writes d.sensordata of its sensors          mjPLUGIN_SENSOR
        advance(m, d)       advances d.plugin_state
        reset()             returns the initial state, in place of zeros
        distance(p), aabb() and, if there is a formula, gradient(p)     mjPLUGIN_SDF

    Every call costs microseconds, and `distance` is called many times. State that changes during a simulation belongs
    in `d.plugin_state`, not in the object, which all simulations of a model share.
    """

    name: str
    attributes: list[str] = []
    capabilities: int = 0
    needstage: int = 1
    nstate = 0
    """Numbers in the state: an integer, or a static method of the settings."""
    nsensordata = 0
    """Outputs of a sensor: an integer, or a static method of the settings."""

    def __init__(self, config: dict[str, str], users: dict | None):
        """`config` has the given settings; `users` has the ids of elements that use the instance, under "body", "geom",
        "actuator" and "sensor", and the instance's id under "instance". `users` is None where only a shape is
        computed."""
        self.config, self.users = config, users
