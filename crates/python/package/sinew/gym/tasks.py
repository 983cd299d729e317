"""Observations, rewards and episode ends of Gymnasium's tasks (version 5), for all environments at once.

Options carry Gymnasium's names. Arrays have one row per environment; they are NumPy's, or PyTorch's on a GPU.
"""

import dataclasses
from typing import ClassVar, Tuple

import numpy as np

from .._sinew import mj_name2id
from .._enums import mjtObj

_INF = float("inf")
_TRIES = 16
_dot = getattr(np, "vecdot", None) or (lambda a, b: np.einsum("ij,ij->i", a, b))


def _norm(rows):
    if not isinstance(rows, np.ndarray):
        return rows.norm(dim=1)
    rows = np.ascontiguousarray(rows)
    return np.sqrt(_dot(rows, rows))


def _squares(rows):
    """Sum of squares over each environment's values."""
    return (rows * rows).reshape(len(rows), -1).sum(axis=1)


def _copy(rows):
    return rows.copy() if isinstance(rows, np.ndarray) else rows.clone()


def _never(rows):
    """All false: episodes never terminate."""
    return np.zeros(len(rows), bool) if isinstance(rows, np.ndarray) else rows.new_zeros(len(rows), dtype=bool)


def _flat(rows):
    return rows.reshape(len(rows), -1)


def _between(low, rows, high):
    return (low < rows) & (rows < high)


@dataclasses.dataclass
class Task:
    """Base class of tasks. `fields` are the arrays of MjData that it reads."""

    fields: ClassVar[Tuple[str, ...]] = ("qpos", "qvel")

    def attach(self, model, qpos0, dt, xp=np):
        """Stores the model, its initial position, the time between two steps, and the array library."""
        self.model, self.qpos0, self.dt, self.xp = model, np.array(qpos0), dt, xp
        self._bodies = {}

    def body(self, name):
        if name not in self._bodies:
            self._bodies[name] = mj_name2id(self.model, int(mjtObj.mjOBJ_BODY), name)
        return self._bodies[name]

    def start(self, rng):
        """Position and velocity at the beginning of an episode."""
        scale, nq = self.reset_noise_scale, self.model.nq
        noise = rng.uniform(-scale, scale, nq + self.model.nv)  # one draw for both, as in Gymnasium
        return self.qpos0 + noise[:nq], noise[nq:]

    def starts(self, draw, count):
        """Positions and velocities at the beginning of many episodes; `draw` has `uniform(low, high, shape)` and
        `normal(shape)`."""
        scale = self.reset_noise_scale
        qpos = draw.uniform(-scale, scale, (count, self.model.nq))
        return qpos + self.like(self.qpos0, qpos), self.start_velocities(draw, count, scale)

    def start_velocities(self, draw, count, scale):
        return draw.uniform(-scale, scale, (count, self.model.nv))

    def first(self, x, y, low, high):
        """The first of several candidate points whose distance from the origin is within bounds; out of 16, the chance
        of none is about one in a million."""
        within = _between(low, (x * x + y * y) ** 0.5, high)
        chosen = self.xp.argmax(within * 1, 1)[:, None]
        take = getattr(self.xp, "take_along_dim", None) or np.take_along_axis
        return self.xp.concatenate((take(x, chosen, 1), take(y, chosen, 1)), axis=1)

    def like(self, values, array):
        """Converts values to an array of the same library and on the same device as another array."""
        if isinstance(array, np.ndarray):
            return np.asarray(values, array.dtype)
        return self.xp.as_tensor(values, dtype=array.dtype, device=array.device)

    def place(self, d):
        """Position before a step, from which velocities are computed by differences."""

    def observe(self, d):
        return self.xp.concatenate((d.qpos, d.qvel), axis=1)

    def evaluate(self, d, before, action, ctrl):
        """Rewards, which episodes are over, and infos, after a step."""
        raise NotImplementedError

    def reset_info(self, d):
        return {}


class _NormalVelocity:
    """Initial velocities with a normal distribution."""

    def start(self, rng):
        scale = self.reset_noise_scale
        qpos = self.qpos0 + rng.uniform(-scale, scale, self.model.nq)
        return qpos, scale * rng.standard_normal(self.model.nv)

    def start_velocities(self, draw, count, scale):
        return scale * draw.normal((count, self.model.nv))


class _Plane:
    """Infos on the position in the plane."""

    def reset_info(self, d):
        x, y = _copy(d.qpos[:, 0]), _copy(d.qpos[:, 1])
        return {"x_position": x, "y_position": y, "distance_from_origin": _norm(d.qpos[:, :2])}

    def travel(self, d, before):
        """Velocities in the plane."""
        x, y = ((self.place(d) - before) / self.dt).T
        return {"x_velocity": _copy(x), "y_velocity": _copy(y)}


@dataclasses.dataclass
class Ant(_NormalVelocity, _Plane, Task):
    fields: ClassVar = ("qpos", "qvel", "xpos", "cfrc_ext")
    xml_file: str = "ant.xml"
    frame_skip: int = 5
    forward_reward_weight: float = 1
    ctrl_cost_weight: float = 0.5
    contact_cost_weight: float = 5e-4
    healthy_reward: float = 1.0
    main_body: object = 1
    terminate_when_unhealthy: bool = True
    healthy_z_range: tuple = (0.2, 1.0)
    contact_force_range: tuple = (-1.0, 1.0)
    reset_noise_scale: float = 0.1
    exclude_current_positions_from_observation: bool = True
    include_cfrc_ext_in_observation: bool = True

    def place(self, d):
        main = self.body(self.main_body) if isinstance(self.main_body, str) else self.main_body
        return _copy(d.xpos[:, main, :2])

    def observe(self, d):
        parts = [d.qpos[:, 2 * self.exclude_current_positions_from_observation :], d.qvel]
        if self.include_cfrc_ext_in_observation:
            parts.append(_flat(self.xp.clip(d.cfrc_ext, *self.contact_force_range)[:, 1:]))
        return self.xp.concatenate(parts, axis=1)

    def evaluate(self, d, before, action, ctrl):
        low, high = self.healthy_z_range
        finite = self.xp.isfinite(d.qpos).all(axis=1) & self.xp.isfinite(d.qvel).all(axis=1)
        healthy = finite & (low <= d.qpos[:, 2]) & (d.qpos[:, 2] <= high)
        travel = self.travel(d, before)
        forward, survive = travel["x_velocity"] * self.forward_reward_weight, healthy * self.healthy_reward
        ctrl_cost = self.ctrl_cost_weight * _squares(action)
        contact_cost = self.contact_cost_weight * _squares(self.xp.clip(d.cfrc_ext, *self.contact_force_range))
        info = {**self.reset_info(d), **travel, "reward_forward": forward, "reward_ctrl": -ctrl_cost,
                "reward_contact": -contact_cost, "reward_survive": survive}
        return forward + survive - (ctrl_cost + contact_cost), ~healthy & self.terminate_when_unhealthy, info


class _Line:
    """Motion along x."""

    def place(self, d):
        return _copy(d.qpos[:, 0])

    def observe(self, d):
        return self.xp.concatenate((d.qpos[:, 1 * self.exclude_current_positions_from_observation :], self.speeds(d)), axis=1)

    def speeds(self, d):
        return d.qvel

    def reset_info(self, d):
        return {"x_position": _copy(d.qpos[:, 0])}

    def forward(self, d, before, action):
        """Reward without the health term, and infos."""
        speed = (d.qpos[:, 0] - before) / self.dt
        forward, cost = self.forward_reward_weight * speed, self.ctrl_cost_weight * _squares(action)
        info = {**self.reset_info(d), "x_velocity": speed, "reward_forward": forward, "reward_ctrl": -cost}
        return forward, cost, info


@dataclasses.dataclass
class HalfCheetah(_NormalVelocity, _Line, Task):
    xml_file: str = "half_cheetah.xml"
    frame_skip: int = 5
    forward_reward_weight: float = 1.0
    ctrl_cost_weight: float = 0.1
    reset_noise_scale: float = 0.1
    exclude_current_positions_from_observation: bool = True

    def evaluate(self, d, before, action, ctrl):
        forward, cost, info = self.forward(d, before, action)
        return forward - cost, _never(cost), info


class _Upright(_Line):
    """Motion along x that ends with a fall."""

    def speeds(self, d):
        return self.xp.clip(d.qvel, -10, 10)

    def reset_info(self, d):
        return {**super().reset_info(d), "z_distance_from_origin": d.qpos[:, 1] - self.qpos0[1]}

    def healthy(self, d):
        return _between(self.healthy_z_range[0], d.qpos[:, 1], self.healthy_z_range[1]) & _between(
            self.healthy_angle_range[0], d.qpos[:, 2], self.healthy_angle_range[1]
        )

    def evaluate(self, d, before, action, ctrl):
        healthy = self.healthy(d)
        forward, cost, info = self.forward(d, before, action)
        info["reward_survive"] = survive = healthy * self.healthy_reward
        return forward + survive - cost, ~healthy & self.terminate_when_unhealthy, info


@dataclasses.dataclass
class Hopper(_Upright, Task):
    xml_file: str = "hopper.xml"
    frame_skip: int = 4
    forward_reward_weight: float = 1.0
    ctrl_cost_weight: float = 1e-3
    healthy_reward: float = 1.0
    terminate_when_unhealthy: bool = True
    healthy_state_range: tuple = (-100.0, 100.0)
    healthy_z_range: tuple = (0.7, _INF)
    healthy_angle_range: tuple = (-0.2, 0.2)
    reset_noise_scale: float = 5e-3
    exclude_current_positions_from_observation: bool = True

    def healthy(self, d):
        low, high = self.healthy_state_range
        state = self.xp.concatenate((d.qpos, d.qvel), axis=1)[:, 2:]
        return super().healthy(d) & _between(low, state, high).all(axis=1)


@dataclasses.dataclass
class Walker2d(_Upright, Task):
    xml_file: str = "walker2d_v5.xml"
    frame_skip: int = 4
    forward_reward_weight: float = 1.0
    ctrl_cost_weight: float = 1e-3
    healthy_reward: float = 1.0
    terminate_when_unhealthy: bool = True
    healthy_z_range: tuple = (0.8, 2.0)
    healthy_angle_range: tuple = (-1.0, 1.0)
    reset_noise_scale: float = 5e-3
    exclude_current_positions_from_observation: bool = True


class _Person:
    """Observations of both humanoids."""

    def observe(self, d):
        parts = [d.qpos[:, 2 * self.exclude_current_positions_from_observation :], d.qvel]
        for wanted, part in (
            (self.include_cinert_in_observation, d.cinert[:, 1:]),
            (self.include_cvel_in_observation, d.cvel[:, 1:]),
            (self.include_qfrc_actuator_in_observation, d.qfrc_actuator[:, 6:]),
            (self.include_cfrc_ext_in_observation, d.cfrc_ext[:, 1:]),
        ):
            if wanted:
                parts.append(_flat(part))
        return self.xp.concatenate(parts, axis=1)

    def tendons(self, d):
        return {"tendon_length": _copy(d.ten_length), "tendon_velocity": _copy(d.ten_velocity)}


_PERSON = ("qpos", "qvel", "xipos", "cinert", "cvel", "qfrc_actuator", "cfrc_ext", "ten_length", "ten_velocity")


@dataclasses.dataclass
class Humanoid(_Person, _Plane, Task):
    fields: ClassVar = _PERSON
    xml_file: str = "humanoid.xml"
    frame_skip: int = 5
    forward_reward_weight: float = 1.25
    ctrl_cost_weight: float = 0.1
    contact_cost_weight: float = 5e-7
    contact_cost_range: tuple = (-_INF, 10.0)
    healthy_reward: float = 5.0
    terminate_when_unhealthy: bool = True
    healthy_z_range: tuple = (1.0, 2.0)
    reset_noise_scale: float = 1e-2
    exclude_current_positions_from_observation: bool = True
    include_cinert_in_observation: bool = True
    include_cvel_in_observation: bool = True
    include_qfrc_actuator_in_observation: bool = True
    include_cfrc_ext_in_observation: bool = True

    def place(self, d):
        mass = self.like(self.model.body_mass, d.xipos)
        return (self.xp.einsum("b,nbj->nj", mass, d.xipos) / mass.sum())[:, :2]

    def reset_info(self, d):
        return {**super().reset_info(d), **self.tendons(d)}

    def evaluate(self, d, before, action, ctrl):
        healthy = _between(self.healthy_z_range[0], d.qpos[:, 2], self.healthy_z_range[1])
        travel = self.travel(d, before)
        forward, survive = self.forward_reward_weight * travel["x_velocity"], healthy * self.healthy_reward
        ctrl_cost = self.ctrl_cost_weight * _squares(ctrl)
        contact_cost = self.xp.clip(self.contact_cost_weight * _squares(d.cfrc_ext), *self.contact_cost_range)
        info = {**self.reset_info(d), **travel, "reward_survive": survive, "reward_forward": forward,
                "reward_ctrl": -ctrl_cost, "reward_contact": -contact_cost}
        return forward + survive - (ctrl_cost + contact_cost), ~healthy & self.terminate_when_unhealthy, info


@dataclasses.dataclass
class HumanoidStandup(_Person, Task):
    fields: ClassVar = _PERSON
    xml_file: str = "humanoidstandup.xml"
    frame_skip: int = 5
    uph_cost_weight: float = 1
    ctrl_cost_weight: float = 0.1
    impact_cost_weight: float = 0.5e-6
    impact_cost_range: tuple = (-_INF, 10.0)
    reset_noise_scale: float = 1e-2
    exclude_current_positions_from_observation: bool = True
    include_cinert_in_observation: bool = True
    include_cvel_in_observation: bool = True
    include_qfrc_actuator_in_observation: bool = True
    include_cfrc_ext_in_observation: bool = True

    def reset_info(self, d):
        return {"x_position": _copy(d.qpos[:, 0]), "y_position": _copy(d.qpos[:, 1]),
                "z_distance_from_origin": d.qpos[:, 2] - self.qpos0[2], **self.tendons(d)}

    def evaluate(self, d, before, action, ctrl):
        # Gymnasium accepts uph_cost_weight and does not use it
        up = d.qpos[:, 2] / self.model.opt.timestep
        ctrl_cost = self.ctrl_cost_weight * _squares(ctrl)
        impact_cost = self.xp.clip(self.impact_cost_weight * _squares(d.cfrc_ext), *self.impact_cost_range)
        info = {**self.reset_info(d), "reward_linup": up, "reward_quadctrl": -ctrl_cost, "reward_impact": -impact_cost}
        return up - ctrl_cost - impact_cost + 1, _never(up), info


@dataclasses.dataclass
class InvertedPendulum(Task):
    xml_file: str = "inverted_pendulum.xml"
    frame_skip: int = 2
    reset_noise_scale: float = 0.01

    def evaluate(self, d, before, action, ctrl):
        fallen = ~self.xp.isfinite(self.observe(d)).all(axis=1) | (self.xp.abs(d.qpos[:, 1]) > 0.2)
        reward = (~fallen) * 1
        return reward, fallen, {"reward_survive": reward}


@dataclasses.dataclass
class InvertedDoublePendulum(_NormalVelocity, Task):
    fields: ClassVar = ("qpos", "qvel", "qfrc_constraint", "site_xpos")
    xml_file: str = "inverted_double_pendulum.xml"
    frame_skip: int = 5
    healthy_reward: float = 10.0
    reset_noise_scale: float = 0.1

    def observe(self, d):
        angles = _copy(d.qpos[:, 1:])
        force = self.xp.clip(d.qfrc_constraint, -10, 10)[:, :1]
        return self.xp.concatenate((d.qpos[:, :1], self.xp.sin(angles), self.xp.cos(angles), self.xp.clip(d.qvel, -10, 10), force), axis=1)

    def evaluate(self, d, before, action, ctrl):
        x, y = d.site_xpos[:, 0, 0], d.site_xpos[:, 0, 2]
        fallen = y <= 1
        distance = 0.01 * x**2 + (y - 2) ** 2
        speed = 1e-3 * d.qvel[:, 1] ** 2 + 5e-3 * d.qvel[:, 2] ** 2
        survive = self.healthy_reward * (~fallen) * 1
        info = {"reward_survive": survive, "distance_penalty": -distance, "velocity_penalty": -speed}
        return survive - distance - speed, fallen, info


@dataclasses.dataclass
class Pusher(Task):
    fields: ClassVar = ("qpos", "qvel", "xpos")
    xml_file: str = "pusher_v5.xml"
    frame_skip: int = 5
    reward_near_weight: float = 0.5
    reward_dist_weight: float = 1
    reward_control_weight: float = 0.1

    def bodies(self, d):
        return (d.xpos[:, self.body(name)] for name in ("tips_arm", "object", "goal"))

    def start(self, rng):
        while True:
            place = np.concatenate([rng.uniform(low=-0.3, high=0, size=1), rng.uniform(low=-0.2, high=0.2, size=1)])
            if np.linalg.norm(place) > 0.17:
                break
        qvel = rng.uniform(low=-0.005, high=0.005, size=self.model.nv)
        qvel[-4:] = 0
        return np.concatenate((self.qpos0[:-4], place, [0, 0])), qvel

    def starts(self, draw, count):
        place = self.first(draw.uniform(-0.3, 0.0, (count, _TRIES)), draw.uniform(-0.2, 0.2, (count, _TRIES)), 0.17, _INF)
        qpos, qvel = draw.uniform(0.0, 0.0, (count, self.model.nq)), draw.uniform(-0.005, 0.005, (count, self.model.nv))
        qpos[:, :-4] = self.like(self.qpos0[:-4], qpos)
        qpos[:, -4:-2] = place
        qvel[:, -4:] = 0
        return qpos, qvel

    def observe(self, d):
        return self.xp.concatenate((d.qpos[:, :7], d.qvel[:, :7], *self.bodies(d)), axis=1)

    def evaluate(self, d, before, action, ctrl):
        tip, thing, goal = self.bodies(d)
        near, dist = -_norm(thing - tip) * self.reward_near_weight, -_norm(thing - goal) * self.reward_dist_weight
        cost = -_squares(action) * self.reward_control_weight
        info = {"reward_dist": dist, "reward_ctrl": cost, "reward_near": near}
        return dist + cost + near, _never(near), info


@dataclasses.dataclass
class Reacher(Task):
    fields: ClassVar = ("qpos", "qvel", "xpos")
    xml_file: str = "reacher.xml"
    frame_skip: int = 2
    reward_dist_weight: float = 1
    reward_control_weight: float = 1

    def gap(self, d):
        return d.xpos[:, self.body("fingertip")] - d.xpos[:, self.body("target")]

    def start(self, rng):
        qpos = rng.uniform(low=-0.1, high=0.1, size=self.model.nq) + self.qpos0
        while True:
            goal = rng.uniform(low=-0.2, high=0.2, size=2)
            if np.linalg.norm(goal) < 0.2:
                break
        qpos[-2:] = goal
        qvel = rng.uniform(low=-0.005, high=0.005, size=self.model.nv)
        qvel[-2:] = 0
        return qpos, qvel

    def starts(self, draw, count):
        qpos, qvel = draw.uniform(-0.1, 0.1, (count, self.model.nq)), draw.uniform(-0.005, 0.005, (count, self.model.nv))
        qpos = qpos + self.like(self.qpos0, qpos)
        qpos[:, -2:] = self.first(draw.uniform(-0.2, 0.2, (count, _TRIES)), draw.uniform(-0.2, 0.2, (count, _TRIES)), 0.0, 0.2)
        qvel[:, -2:] = 0
        return qpos, qvel

    def observe(self, d):
        angles = _copy(d.qpos[:, :2])
        return self.xp.concatenate(
            (self.xp.cos(angles), self.xp.sin(angles), d.qpos[:, 2:], d.qvel[:, :2], self.gap(d)[:, :2]), axis=1
        )

    def evaluate(self, d, before, action, ctrl):
        dist = -_norm(self.gap(d)) * self.reward_dist_weight
        cost = -_squares(action) * self.reward_control_weight
        return dist + cost, _never(dist), {"reward_dist": dist, "reward_ctrl": cost}


@dataclasses.dataclass
class Swimmer(_Plane, Task):
    xml_file: str = "swimmer.xml"
    frame_skip: int = 4
    forward_reward_weight: float = 1.0
    ctrl_cost_weight: float = 1e-4
    reset_noise_scale: float = 0.1
    exclude_current_positions_from_observation: bool = True

    def place(self, d):
        return _copy(d.qpos[:, :2])

    def observe(self, d):
        return self.xp.concatenate((d.qpos[:, 2 * self.exclude_current_positions_from_observation :], d.qvel), axis=1)

    def evaluate(self, d, before, action, ctrl):
        travel = self.travel(d, before)
        forward = self.forward_reward_weight * travel["x_velocity"]
        cost = self.ctrl_cost_weight * _squares(action)
        info = {**self.reset_info(d), **travel, "reward_forward": forward, "reward_ctrl": -cost}
        return forward - cost, _never(cost), info


TASKS = {
    task.__name__: task
    for task in (Ant, HalfCheetah, Hopper, Humanoid, HumanoidStandup, InvertedPendulum, InvertedDoublePendulum, Pusher,
                 Reacher, Swimmer, Walker2d)
}
