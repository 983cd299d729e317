#!/usr/bin/env python3
"""Plots of docs/open-physics.md: effects of other laws and solvers, compared with closed forms and with MuJoCo's own.

    open_physics.py [bar cloth pulley pile elastic]

Draws all plots, or the named ones. Simulations are dots, closed forms lines.
"""
import os
import sys

import numpy as np
import sinew
from common import ROOT, figure

YOUNG, POISSON = 1e5, 0.45
MU, LAMBDA = YOUNG / (2 * (1 + POISSON)), YOUNG * POISSON / ((1 + POISSON) * (1 - 2 * POISSON))
RUBBER = [(6.3e5, 1.3), (1.2e3, 5.0), (-1e4, -2.0)]


def save(name, draw, size=(6, 4), columns=1):
    path = os.path.join(ROOT, "docs", "img", f"open_{name}.svg")
    figure(path, draw, size, columns=columns)
    print(path)


def slopes(kind, along, across):
    """Derivatives of the energy with respect to the stretch along a bar and across it."""
    log = np.log(along * across**2)

    def of(s, others):
        if kind == "st_venant":
            trace = (along**2 - 1) / 2 + across**2 - 1
            return s * (MU * (s**2 - 1) + LAMBDA * trace)
        if kind == "neo_hookean":
            return MU * (s - 1 / s) + LAMBDA * log / s
        if kind == "mooney_rivlin":
            c2 = 0.1 * MU
            c1 = MU / 2 - c2
            return 2 * c1 * s + 2 * c2 * s * others + (-2 * c1 - 4 * c2 + (LAMBDA - 4 * c2) * log) / s
        scale = MU / sum(m * a / 2 for m, a in RUBBER)
        return sum(scale * m * (s ** (a - 1) - 1 / s) for m, a in RUBBER) + LAMBDA * log / s

    return of(along, 2 * across**2), of(across, along**2 + across**2)


def closed_form(kind, along):
    """Force per rest area of a bar stretched by a factor, with free sides."""
    low, high = 0.3, 1.5
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (low, middle) if slopes(kind, along, middle)[1] > 0 else (middle, high)
    return slopes(kind, along, low)[0]


def stretched(kind, stresses):
    """Lengths, relative to the rest length, of a bar of tetrahedra that is pulled at both ends until it is at rest."""
    xml = f"""<mujoco><option gravity="0 0 0" timestep=".01"/><worldbody><body name="b">
      <flexcomp name="bar" type="grid" count="7 3 3" spacing=".1 .1 .1" dim="3" mass="1" radius=".001">
      <elasticity young="{YOUNG}" poisson="{POISSON}" damping=".02"/>
      <contact contype="0" conaffinity="0" selfcollide="none"/></flexcomp></body></worldbody>
      <custom><text name="sinew:elasticity:bar" data="{kind}"/>
      <text name="sinew:integrator" data="implicitspringdamper"/></custom></mujoco>"""
    m = sinew.MjModel.from_xml_string(xml)
    d = sinew.MjData(m)
    rest = m.body_pos[2:]
    ends = np.abs(rest[:, 0]) > 0.29
    # nodal forces equivalent to a uniform stress at the ends
    d.qpos.reshape(-1, 3)[:, 0] = 1e-3 * rest[:, 0]
    sinew.mj_forward(m, d)
    share = -d.qfrc_spring.reshape(-1, 3)[:, 0] * ends
    share /= np.abs(share).sum() / 2
    sinew.mj_resetData(m, d)
    lengths = []
    for stress in stresses:
        d.qfrc_applied.reshape(-1, 3)[:, 0] = stress * 0.2**2 * share
        for _ in range(400):
            sinew.mj_step(m, d)
        x = rest[:, 0] + d.qpos.reshape(-1, 3)[:, 0]
        lengths.append((x[rest[:, 0] > 0.29].mean() - x[rest[:, 0] < -0.29].mean()) / 0.6)
    return np.array(lengths)


def bar():
    """Four materials under tension."""
    kinds = {"st_venant": (1.0, 1.25), "neo_hookean": (1.0, 2.5), "mooney_rivlin": (1.0, 2.5), "ogden": (1.0, 2.5)}

    def draw(ax):
        for i, (kind, (low, high)) in enumerate(kinds.items()):
            line = np.linspace(low, high, 60)
            ax.plot(line, [closed_form(kind, s) / 1e3 for s in line], color=f"C{i}", label=kind.replace("_", "-"))
            dots = np.linspace(low, high, 7)[1:]
            forces = np.array([closed_form(kind, s) for s in dots])
            lengths = stretched(kind, forces)
            ax.plot(lengths, forces / 1e3, "o", color=f"C{i}", ms=4)
            print(f"{kind}: lengths differ by {np.abs(lengths / dots - 1).max():.1e} at most")
        ax.set(xlabel="length / rest length", ylabel="force / rest area (kPa)")
        ax.legend(frameon=False)

    save("bar", draw)


def cloth():
    """A sheet clamped at one side, with hinges of four stiffnesses."""
    pins = " ".join(str(i) for i in range(10))  # two rows: one would act as a hinge

    def hang(bending, stretch):
        # pinned sheets cannot use MuJoCo's bending; hinges can
        elastic = f'<elasticity young="3e4" poisson=".3" thickness=".01" damping=".01" elastic2d="{stretch}"/>'
        xml = f"""<mujoco><option timestep=".005"/><worldbody><body name="b">
          <flexcomp name="cloth" type="grid" count="15 5 1" spacing=".05 .05 .05" dim="2" mass=".1" radius=".001">
          <pin id="{pins}"/>{elastic}<contact contype="0" conaffinity="0" selfcollide="none"/></flexcomp></body></worldbody>
          <custom><text name="sinew:integrator" data="implicitspringdamper"/>
          <text name="sinew:bending:cloth" data="{bending}"/></custom></mujoco>"""
        m = sinew.MjModel.from_xml_string(xml)
        d = sinew.MjData(m)
        for _ in range(400):
            sinew.mj_step(m, d)
            d.qvel[:] *= 0.95  # strong damping, to reach the state of rest
        x = d.flexvert_xpos.reshape(15, 5, 3)[:, 2]
        return x[:, 0] - x[0, 0], x[:, 2] - x[0, 2]

    def draw(ax):
        for k in (1e-4, 1e-2, 3e-2, 1e-1):
            ax.plot(*hang(f"bridson stiffness={k} damping={k / 100}", "stretch"), "o-", ms=3, label=f"k = {k:g} N m")
        ax.set(xlabel="x (m)", ylabel="z (m)", xlim=(-0.05, 0.75), aspect="equal")
        ax.legend(frameon=False, title="bridson")

    save("cloth", draw)


def pulley():
    """Two masses on a cable over a fixed cylinder, with and without friction."""

    def drop(mu, ratio):
        text = f'<text name="sinew:pulley:cable:0" data="friction={mu}"/>' if mu else ""
        xml = f"""<mujoco><option timestep=".0005"/><worldbody><geom name="drum" type="cylinder" size=".1 .2" euler="90 0 0" pos="0 0 1"
          contype="0" conaffinity="0"/>
          <body pos="-.1 0 0"><joint name="a" type="slide" axis="0 0 1" damping=".2"/><geom size=".05" mass="1"/><site name="a"/></body>
          <body pos=".1 0 0"><joint name="b" type="slide" axis="0 0 1" damping=".2"/><geom size=".05" mass="{ratio}"/><site name="b"/></body>
          <site name="top" pos="0 0 1.3"/></worldbody>
          <tendon><spatial name="cable" stiffness="1e4" damping="20" springlength="0 2.2"><site site="a"/>
          <geom geom="drum" sidesite="top"/><site site="b"/></spatial></tendon><custom><text name="none" data="none"/>{text}</custom></mujoco>"""
        m = sinew.MjModel.from_xml_string(xml)
        d = sinew.MjData(m)
        m.tendon_lengthspring[0] = 0, d.ten_length[0] if sinew.mj_forward(m, d) is None else 0
        rows = []
        for _ in range(60):
            sinew.mj_step(m, d, 10)
            rows.append((d.time, d.qpos[0]))
        return np.array(rows).T

    def draw(ax):
        for i, ratio in enumerate((2.0, 2.4, 2.8, 4.0)):
            ax.plot(*drop(0, ratio), "--", color=f"C{i}")
            ax.plot(*drop(0.3, ratio), color=f"C{i}", label=f"mass ratio {ratio:g}")
        ax.set(xlabel="time (s)", ylabel="height of the lighter mass (m)")
        ax.legend(frameon=False, title="μ = 0.3 (dashed: 0)\nslides above e^{0.3π} = 2.57")

    save("pulley", draw)


def pile():
    """A pile of boxes with both solvers: maximum penetration, and speed."""
    bodies = "".join(
        f'<body pos="{0.012 * (i % 3)} {-0.01 * (i % 2)} {0.11 + 0.21 * i}"><freejoint/><geom type="box" size=".1 .1 .1" mass="1"/></body>'
        for i in range(6)
    )
    xml = f'<mujoco><worldbody><geom type="plane" size="3 3 1"/>{bodies}</worldbody></mujoco>'

    def settle(solver):
        sim = sinew.Sim(sinew.MjModel.from_xml_string(xml), solver=solver)
        rows = []
        for _ in range(100):
            sim.step(10)
            rows.append((sim.data.time, -min(sim.data.contact.dist, default=0), np.abs(sim.data.qvel).max()))
        return np.array(rows).T

    def draw(ax):
        for i, (name, solver) in enumerate({"Newton": "convex", "XPBD": "xpbd", "XPBD, soft": "xpbd soft"}.items()):
            time, depth, speed = settle(solver)
            ax[0].semilogy(time, np.maximum(depth, 1e-7), color=f"C{i}", label=name)
            ax[1].semilogy(time, np.maximum(speed, 1e-7), color=f"C{i}")
            print(f"{name}: depth {depth[-1]:.1e} m, speed {speed[-1]:.1e} at {time[-1]:.0f} s")
        ax[0].set(xlabel="time (s)", ylabel="deepest contact (m)")
        ax[1].set(xlabel="time (s)", ylabel="largest velocity (m/s, rad/s)")
        ax[0].legend(frameon=False)

    save("pile", draw, (8, 3.5), columns=2)


def elastic():
    """A joint driven by a stiff position servo and by a series elastic actuator, hitting a wall."""
    xml = """<mujoco><option timestep=".001" integrator="implicitfast"/><worldbody><geom type="box" size=".02 .2 .2" pos=".45 0 .3"/>
      <body pos="0 0 .3"><joint name="x" type="slide" axis="1 0 0" damping=".5"/><geom size=".05" mass="1"/></body></worldbody>
      <actuator>DRIVE</actuator><custom><text name="none" data="none"/>TEXT</custom></mujoco>"""
    stiff = xml.replace("DRIVE", '<position name="drive" joint="x" kp="5000" kv="100"/>').replace("TEXT", "")
    drive = '<general name="drive" joint="x" dyntype="user" actdim="1"/>'
    soft = xml.replace("DRIVE", drive).replace("TEXT", '<text name="sinew:actuator:drive" data="series_elastic 300 15 1"/>')

    def run(text):
        m = sinew.MjModel.from_xml_string(text)
        d = sinew.MjData(m)
        rows = []
        for _ in range(1200):
            d.ctrl[0] = min(0.5, 0.6 * d.time)
            sinew.mj_step(m, d)
            rows.append((d.time, d.qpos[0], d.actuator_force[0]))
        return np.array(rows).T

    def draw(ax):
        for i, (name, text) in enumerate({"stiff": stiff, "series elastic": soft}.items()):
            time, place, force = run(text)
            ax[0].plot(time, place, color=f"C{i}", label=name)
            ax[1].plot(time, force, color=f"C{i}")
        ax[0].axhline(0.38, color="grey", lw=0.8)
        ax[0].text(0.02, 0.385, "wall")
        ax[0].set(xlabel="time (s)", ylabel="position (m)")
        ax[1].set(xlabel="time (s)", ylabel="force of the drive (N)")
        ax[0].legend(frameon=False, loc="lower right")

    save("elastic", draw, (8, 3.5), columns=2)


if __name__ == "__main__":
    plots = {plot.__name__: plot for plot in (bar, cloth, pulley, pile, elastic)}
    for name in sys.argv[1:] or plots:
        if name not in plots:
            sys.exit(f"no plot '{name}'; known are {', '.join(plots)}")
        plots[name]()
