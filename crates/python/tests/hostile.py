"""Writes garbage into every field of a model and its data and calls everything callable. Run as a program, by
`test_hostile.py` or by hand: `python hostile.py SEED SECONDS [SAMPLE…]`. Ends with status 0 unless something aborts or
hangs; prints each action to stdout, so that the last line names the culprit."""

import copy
import faulthandler
import inspect
import sys
import time

import contact_models
import dynamics_models
import models
import numpy as np
import samples
import sinew

# meshes, a height field and bounding volume hierarchies; bodies that sleep
SHAPES = """
<mujoco>
  <option integrator="implicitfast"><flag sleep="enable" multiccd="enable" energy="enable"/></option>
  <asset>
    <mesh name="rock" vertex="0 0 0  1 0 0  0 1 0  0 0 1  .8 .8 .8  .2 .9 .7  .5 .1 .9" scale=".2 .2 .2"/>
    <mesh name="ball" builtin="sphere" params="2" scale=".1 .1 .1"/>
    <hfield name="ground" nrow="4" ncol="5" size="2 2 .3 .1" elevation="0 1 2 1 0 1 2 3 2 1 0 1 2 1 0 0 0 1 0 0"/>
  </asset>
  <worldbody>
    <geom type="hfield" hfield="ground"/>
    <camera name="eye" pos="0 0 3" resolution="3 2" output="depth"/>
    <body pos="0 0 .5"><freejoint/><geom type="mesh" mesh="rock"/><geom type="mesh" mesh="ball" pos=".2 0 0"/>
      <geom size=".1" pos="-.2 0 0"/><geom type="box" size=".1 .1 .1" pos="0 .3 0"/></body>
    <body pos=".1 .1 .9"><freejoint/><geom type="mesh" mesh="ball"/><geom type="cylinder" size=".1 .1" pos=".3 0 0"/>
      <geom type="ellipsoid" size=".1 .2 .1" pos="-.3 0 0"/><site name="s"/></body>
    <body name="sdf" pos="0 0 1.4"><freejoint/><geom type="sdf" mesh="ball"/></body>
    <body name="box" pos="3 0 2"><freejoint/><geom type="box" size=".1 .2 .1"/></body>
  </worldbody>
  <sensor>
    <rangefinder site="s"/><rangefinder camera="eye"/><touch site="s"/><contact body1="sdf" num="3" data="force dist pos"/>
    <distance body1="sdf" body2="box" cutoff="5"/>
  </sensor>
</mujoco>
"""


MODELS = {
    "rich": samples.RICH,
    "shapes": SHAPES,
    "tendons": models.TENDONS % "sparse",
    "joints": models.JOINTS,
    "actuators": dynamics_models.ACTUATORS,
    "delays": dynamics_models.DELAYS,
    "sensors": dynamics_models.SENSORS % "enable",
    "newton": contact_models.pile(condim=6, cone="elliptic", jacobian="sparse", solver="Newton"),
    "pgs": contact_models.pile(condim=4, solver="PGS", noslip=5, jacobian="dense", integrator="RK4"),
    "cg": contact_models.pile(condim=3, solver="CG", island="enable", integrator="implicit"),
}

# everything callable with a model and its data; a call that takes longer counts as hanging (s)
CALL_SECONDS = 20
INTEGERS = (-(2**31), -100, -3, -2, -1, 0, 1, 2, 3, 5, 7, 8, 64, 1000, 10**6, 2**31 - 1)
FLOATS = (np.nan, np.inf, -np.inf, 0.0, -0.0, 5e-324, -5e-324, 1e-310, 1e308, -1e308, 1e30, -1.0, 1.0, 0.5, 2.0**31, 2.0**63)

STAGES = [
    name
    for name in dir(sinew)
    if name.startswith("mj_") and getattr(getattr(sinew, name), "__text_signature__", None) in ("(m, d)", "(m, d, nstep=1)")
]


def more(m, d):
    """Calls that need further arguments."""
    nv, x, v = m.nv, np.zeros(3), np.array([0.1, 0.2, -1.0])
    geom, dist, rays = np.zeros(1, "i4"), np.zeros(4), np.random.default_rng(1).normal(size=12)
    yield lambda: sinew.mj_ray(m, d, x + [0, 0, 2], v, None, 1, -1, geom)
    yield lambda: sinew.mj_multiRay(m, d, x, rays, None, 1, -1, np.zeros(4, "i4"), dist, None, 4, 10.0)
    yield lambda: sinew.mj_fullM(m, np.zeros((nv, nv)), d.qM)
    yield lambda: sinew.mj_mulM(m, d, np.zeros(nv), np.ones(nv))
    yield lambda: sinew.mj_solveM(m, d, np.zeros((1, nv)), np.ones((1, nv)))
    yield lambda: sinew.mj_jacBody(m, d, np.zeros((3, nv)), np.zeros((3, nv)), m.nbody - 1)
    yield lambda: sinew.mj_jacSubtreeCom(m, d, np.zeros((3, nv)), 0)
    yield lambda: sinew.mj_rne(m, d, 1, np.zeros(nv))
    yield lambda: sinew.mj_applyFT(m, d, v, v, x, m.nbody - 1, np.zeros(nv))
    yield lambda: sinew.mj_objectVelocity(m, d, sinew.mjtObj.mjOBJ_BODY, m.nbody - 1, np.zeros(6), 0)
    yield lambda: [sinew.mj_contactForce(m, d, i, np.zeros(6)) for i in range(d.ncon)]
    yield lambda: sinew.mj_geomDistance(m, d, 0, m.ngeom - 1, 1.0, np.zeros(6))
    yield lambda: sinew.mj_integratePos(m, np.array(m.qpos0), np.ones(nv), 0.1)
    yield lambda: sinew.mj_differentiatePos(m, np.zeros(nv), 0.1, np.array(m.qpos0), np.array(m.qpos0))
    yield lambda: sinew.mjd_transitionFD(m, d, 1e-6, 0, np.zeros((2 * nv + m.na,) * 2), None, None, None)
    yield lambda: sinew.mj_resetDataKeyframe(m, d, 0)
    yield lambda: sinew.mj_setConst(m, d)
    yield lambda: sinew.mj_mulJacVec(m, d, np.zeros(d.nefc), np.ones(nv))
    yield lambda: sinew.mj_constraintUpdate(m, d, np.zeros(d.nefc), None, 1)
    yield lambda: copy.copy(d)
    yield lambda: copy.copy(m)
    yield lambda: repr(d.contact[0]) if d.ncon else None
    yield lambda: sinew.BatchSim(m, 2, 1).step()


def scribble(rng, owner, name):
    """Writes garbage to a few elements of one field; returns the old values, to be restored."""
    try:
        value = getattr(owner, name)
    except sinew.FatalError:
        return None
    if isinstance(value, np.ndarray):
        if value.size == 0:
            return None
        before = value.copy()
        pool = FLOATS if value.dtype.kind == "f" else INTEGERS
        for _ in range(rng.integers(1, 4)):
            with np.errstate(all="ignore"):
                value.flat[rng.integers(value.size)] = np.array(rng.choice(pool)).astype(value.dtype)
        return before
    if isinstance(value, (int, float)):
        garbage = float(rng.choice(FLOATS)) if isinstance(value, float) else int(rng.choice(INTEGERS))
        try:
            setattr(owner, name, garbage)
        except (AttributeError, TypeError, ValueError, OverflowError, sinew.FatalError):
            return None
        return value
    return None


def restore(owner, name, before):
    if isinstance(before, np.ndarray):
        now = getattr(owner, name)
        if now.shape == before.shape:
            now[...] = before
    elif before is not None:
        setattr(owner, name, before)


def attempt(work):
    faulthandler.dump_traceback_later(CALL_SECONDS, exit=True)
    try:
        work()
    except BaseException as e:
        if isinstance(e, KeyboardInterrupt) or type(e).__name__ == "PanicException":
            raise
        if "engine stopped" in str(e):
            print("  stopped:", e)
    finally:
        faulthandler.cancel_dump_traceback_later()


def fields(owner, kind):
    return [(owner, name) for name, *_ in sinew._sinew._tables()[kind]]


def one_round(rng, pristine, call):
    """Corrupts a few fields of one of the models, runs some of everything through `call(what, work)`, then restores
    all."""
    name = list(pristine)[rng.integers(len(pristine))]
    m = copy.copy(pristine[name])
    d = sinew.MjData(m)
    sinew.mj_step(m, d, int(rng.integers(0, 20)))
    places = fields(m, "MjModel") + fields(d, "MjData") + fields(m.opt, "MjOption") + fields(m.stat, "MjStatistic")
    if d.ncon and rng.random() < 0.2:
        places = [(d.contact[int(rng.integers(d.ncon))], k) for k in ("dim", "geom", "efc_address", "dist", "frame", "exclude", "friction", "solref", "mu", "H")]
    chosen = [places[i] for i in rng.integers(len(places), size=rng.integers(1, 3))]
    before = [(owner, field, scribble(rng, owner, field)) for owner, field in chosen]
    calls = [(s, lambda s=s: getattr(sinew, s)(m, d)) for s in STAGES] + [(str(i), w) for i, w in enumerate(more(m, d))]
    main = [("mj_forward", lambda: sinew.mj_forward(m, d)), ("mj_step", lambda: sinew.mj_step(m, d, 3))]
    picked = main + [calls[i] for i in rng.integers(len(calls), size=6)]
    rng.shuffle(picked)
    for what, work in picked:
        call(f"{name} {[(type(o).__name__, f) for o, f, _ in before]} {what}", work)
    # everything can be restored
    for owner, field, old in reversed(before):
        if type(owner).__name__ in ("MjModel", "MjOption", "MjStatistic"):
            restore(owner, field, old)
    sinew.mj_resetData(m, d)
    sinew.mj_step(m, d)


def tell(what, work):
    print(what, flush=True)
    attempt(work)


def run(seed, seconds, names):
    rng = np.random.default_rng(seed)
    end = time.time() + seconds
    pristine = {name: sinew.MjModel.from_xml_string(MODELS[name]) for name in names}
    tries = 0
    while time.time() < end:
        one_round(rng, pristine, tell)
        tries += 1
    print("done", tries)


if __name__ == "__main__":
    run(int(sys.argv[1]), float(sys.argv[2]), sys.argv[3:] or list(MODELS))
