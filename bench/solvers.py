#!/usr/bin/env python3
"""Iterations and time of CG, PGS and Newton against the number of contacts, in piles of boxes.

    solvers.py [--boxes 1 2 5 10 20 50 100 200] [--steps 20] [--cone pyramidal] [--tolerance 1e-8] [--mujoco]

Each pile falls for `--settle` steps with Newton; from there every solver takes the same number of steps. Printed per
solver: mean iterations per step (maximum over islands) and mean time of the constraint stage including the solver's
setup (such as the dual matrix of PGS). `--mujoco` adds MuJoCo's results.
"""
import argparse, time
import numpy as np

SOLVERS = {"CG": 1, "PGS": 0, "Newton": 2}


def pile(boxes, cone, tolerance):
    side = max(2, round((boxes / 3) ** 0.5))
    bodies = []
    for i in range(boxes):
        x, y, z = i % side, i // side % side, i // side**2
        pos = f"{.21 * x + .015 * (z % 3)} {.21 * y - .01 * (z % 2)} {.105 + .205 * z}"
        bodies.append(f'<body pos="{pos}"><freejoint/><geom type="box" size=".1 .1 .1"/></body>')
    return f"""<mujoco><option cone="{cone}" tolerance="{tolerance}" iterations="1000"/><size memory="500M"/>
      <worldbody><geom type="plane" size="9 9 1"/>{"".join(bodies)}</worldbody></mujoco>"""


def measure(module, xml, settle, steps):
    m = module.MjModel.from_xml_string(xml)
    start = module.MjData(m)
    m.opt.solver = SOLVERS["Newton"]
    for _ in range(settle):
        module.mj_step(m, start)
    rows = {}
    for name, solver in SOLVERS.items():
        m.opt.solver = solver
        d = module.MjData(m)
        d.qpos[:], d.qvel[:], d.qacc_warmstart[:] = start.qpos, start.qvel, start.qacc_warmstart
        spent, iterations, contacts = [], [], 0
        for _ in range(steps):
            module.mj_fwdPosition(m, d)
            begin = time.perf_counter()
            module.mj_projectConstraint(m, d)
            project = time.perf_counter() - begin
            module.mj_fwdVelocity(m, d)
            module.mj_fwdActuation(m, d)
            module.mj_fwdAcceleration(m, d)
            begin = time.perf_counter()
            module.mj_fwdConstraint(m, d)
            spent.append(time.perf_counter() - begin + project)
            iterations.append(np.max(d.solver_niter))
            contacts += d.ncon
            module.mj_Euler(m, d)
        rows[name] = np.mean(iterations), np.mean(spent) * 1e6, contacts / steps
    return rows


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--boxes", type=int, nargs="+", default=[1, 2, 5, 10, 20, 50, 100, 200])
    ap.add_argument("--settle", type=int, default=100)
    ap.add_argument("--steps", type=int, default=20)
    ap.add_argument("--cone", choices=["pyramidal", "elliptic"], default="pyramidal")
    ap.add_argument("--tolerance", type=float, default=1e-8)
    ap.add_argument("--mujoco", action="store_true")
    a = ap.parse_args()
    import sinew
    modules = [sinew]
    if a.mujoco:
        import mujoco
        modules.append(mujoco)
    for module in modules:
        print(f"{module.__name__}, {a.cone} cones, tolerance {a.tolerance:g}")
        print(f"{'boxes':>6} {'contacts':>9}" + "".join(f" {n + ' iter':>12} {'us':>9}" for n in SOLVERS) + f" {'CG / PGS':>9}")
        overtaken = None
        for boxes in a.boxes:
            rows = measure(module, pile(boxes, a.cone, a.tolerance), a.settle, a.steps)
            cells = "".join(f" {it:12.1f} {us:9.0f}" for it, us, _ in rows.values())
            print(f"{boxes:6d} {rows['CG'][2]:9.1f}{cells} {rows['CG'][1] / rows['PGS'][1]:9.2f}", flush=True)
            if rows["CG"][1] > rows["PGS"][1]:
                overtaken = None
            elif overtaken is None:
                overtaken = rows["CG"][2]
        print("PGS is faster throughout" if overtaken is None else f"CG is faster from {overtaken:.0f} contacts on")


if __name__ == "__main__":
    main()
