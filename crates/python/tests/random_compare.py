"""One document in both engines: the first stage at which they differ, and by how much.

    python random_compare.py FIRST LAST [--flex]       compare seeds, list differences by field
    python random_compare.py FILE.xml [--shrink]       compare a file; look for the smallest part of it that differs
"""

import argparse
import collections
import multiprocessing
import re
import sys
import xml.etree.ElementTree as ET

import field_depth
import mujoco
import numpy as np
import sinew
from oracle import copy_state, model_from_mujoco
from random_flex import add as add_flexes
from random_models import model
from stopping import stopped
from tolerances import DROWNED, FLEX, ROUNDED

POSE = (
    "xpos xquat xmat xipos ximat xanchor xaxis geom_xpos geom_xmat site_xpos site_xmat cam_xpos cam_xmat light_xpos "
    "light_xdir subtree_com cdof cinert flexvert_xpos flexelem_aabb flexedge_length ten_length ten_wrapadr ten_wrapnum actuator_length"
).split()
SMOOTH = (
    "crb cvel cdof_dot flexedge_velocity ten_velocity actuator_velocity qfrc_bias qfrc_spring qfrc_damper qfrc_gravcomp qfrc_fluid "
    "qfrc_passive act_dot actuator_force qfrc_actuator qfrc_smooth qacc_smooth"
).split()
ROWS = (
    "efc_type efc_id efc_pos efc_margin efc_frictionloss efc_diagApprox efc_KBIP efc_D efc_R efc_vel efc_aref"
).split()
MOTION = "qpos qvel act time".split()
# Memory layout, names, rendering, and internals of mesh hulls.
UNCOMPARED = (
    "signature nbuffer narena names_map mesh_ nmesh bvh nbvh body_bvh names nnames mat_ tex_ nJ nmeshpoly"
).split()
TOLERANCE = {
    "compile": 1e-9, "pose": 1e-9, "smooth": 1e-9, "contact": 1e-6, "rows": 1e-7, "solve": 1e-6, "sensor": 1e-6,
    "step": 1e-6, "inverse": 1e-7, "free": 1e-6,
}  # fmt: skip


class Sinew:
    """The engine under test."""

    module = sinew

    def take(self, cd, od):
        copy_state(cd, od)


class Nudged:
    """MuJoCo with each state perturbed by 1e-15 to 1e-13, which shows the conditioning of a result."""

    module = mujoco

    def __init__(self, seed):
        self.rng, self.size = np.random.default_rng(seed), (1e-15, 1e-14, 1e-13)[seed % 3]

    def take(self, cd, od):
        copy_state(cd, od)
        for name in ("qpos", "qvel", "qacc_warmstart", "ctrl", "act"):
            values = getattr(cd, name)
            values[:] *= 1 + self.size * self.rng.integers(-2, 3, values.shape)
        if cd.flexvert_xpos.size:
            # flat sheets at rest are symmetric, with zero positions: perturb them absolutely
            cd.qpos[:] += self.size * self.rng.integers(-2, 3, cd.qpos.shape)


class Differs(Exception):
    """The engines disagree: stage, field, size, note."""


def same(stage, field, got, want, note="", floor=1.0):
    got, want = np.asarray(got, float).ravel(), np.asarray(want, float).ravel()
    if got.shape != want.shape:
        raise Differs(stage, field, np.inf, f"{note} {got.size} numbers, not {want.size}")
    if want.size == 0:
        return
    if not np.array_equal(np.isfinite(got), np.isfinite(want)):
        raise Differs(stage, field, np.inf, f"{note} not finite")
    ok = np.isfinite(want)
    got, want = got[ok], want[ok]
    if want.size == 0:
        return
    at = int(np.argmax(np.abs(got - want)))
    size = abs(got[at] - want[at]) / max(floor, float(np.max(np.abs(want))))
    if size > TOLERANCE[stage]:
        raise Differs(stage, field, size, f"{note} [{at}] {got[at]:.12g} != {want[at]:.12g}")


def fields(stage, names, cd, od, note):
    for name in names:
        same(stage, name, getattr(cd, name), getattr(od, name), note)


def compiled(cm, om):
    for name in dir(om):
        want = getattr(om, name)
        number = isinstance(want, (int, float, np.number, np.ndarray)) and not isinstance(want, bool)
        if name.startswith("_") or not number or name.startswith(tuple(UNCOMPARED)):
            continue
        small = name in ("body_mass", "body_inertia")
        floor = max(1e-9, float(np.max(np.abs(want), initial=0))) if small else 1.0
        same("compile", name, getattr(cm, name), want, floor=floor)
    for name in ("meaninertia", "meanmass", "extent", "center", "meansize"):
        same("compile", "stat." + name, getattr(cm.stat, name), getattr(om.stat, name))


def overlaps(om):
    """Whether Jacobians of edges share memory; see docs/deviations.md."""
    start, count = om.flexedge_J_rowadr, om.flexedge_J_rownnz
    rows = sorted((int(a), int(a + n)) for a, n in zip(start, count) if n)
    start, count = om.flexvert_J_rowadr.ravel(), om.flexvert_J_rownnz.ravel()
    vert = sorted((int(a), int(a + n)) for a, n in zip(start, count) if n)
    return any(a[1] > b[0] for list_ in (rows, vert) for a, b in zip(list_, list_[1:]))


def defect(text, refusal):
    """Whether MuJoCo accepts the document without fused bodies or with dense Jacobians, or has edge Jacobians that
    share memory."""
    spec = mujoco.MjSpec.from_string(text)
    lost = ("unknown body" in refusal and "in flex" in refusal) or "of sensorized object" in refusal
    if spec.compiler.fusestatic and lost:
        spec.compiler.fusestatic = False
        return compiled_by_mujoco(spec) is not None
    if "ne mis-allocation" in refusal:
        return counts_empty_edges(spec, text, refusal)
    if "rank-deficient" not in refusal:
        return False
    spec.option.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT)
    om = compiled_by_mujoco(spec)
    if om is None or overlaps(om):
        return om is not None
    spec = mujoco.MjSpec.from_string(text)
    spec.option.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
    return compiled_by_mujoco(spec) is not None


def counts_empty_edges(spec, text, refusal):
    """Whether the rows that MuJoCo lacks with sparse Jacobians are those of edges that no dof moves; with dense ones it
    accepts the document."""
    found, allocated = map(int, re.findall(r"ne=(\d+) but allocated (\d+)", refusal)[0])
    spec.option.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
    om, cm = compiled_by_mujoco(spec), sinew.MjModel.from_xml_string(text)
    if om is None:
        return False
    sinew.mj_forward(cm, cd := sinew.MjData(cm))
    flexes = om.eq_obj1id[(om.eq_type == int(mujoco.mjtEq.mjEQ_FLEX)) & (om.eq_active0 != 0)]
    edges = np.concatenate([np.arange(om.flex_edgeadr[f], om.flex_edgeadr[f] + om.flex_edgenum[f]) for f in flexes] or [[]]).astype(int)
    return cd.ne == found == allocated - np.sum(om.flexedge_J_rownnz[edges] == 0)


def compiled_by_mujoco(spec):
    """The model, or `None` if MuJoCo refuses it."""
    try:
        return spec.compile()
    except ValueError:
        return None


class HullOrder(Exception):
    """A mesh touches a plane with different corners besides the deepest one; see docs/deviations.md."""


# Repetitions of a MuJoCo step that may read uninitialised memory.
TRIES = 8


class Unset(Exception):
    """MuJoCo reads memory that it has not written; see docs/deviations.md."""


def turns_elements(om, d):
    """Whether an element of a flex has torsional or rolling friction, with sparse Jacobians."""
    return bool(mujoco.mj_isSparse(om)) and any(c.dim > 3 and max(c.elem) >= 0 for c in d.contact)


def misplaced_nodes(om):
    """Whether MuJoCo misplaces control nodes, those of a flex on a rotating body, where it matters."""
    implicit = om.opt.integrator in (mujoco.mjtIntegrator.mjINT_IMPLICIT, mujoco.mjtIntegrator.mjINT_IMPLICITFAST)
    turning = om.dof_jntid[np.isin(om.jnt_type[om.dof_jntid], (0, 1, 3))]
    turns = {int(om.jnt_bodyid[j]) for j in turning}
    for f in range(om.nflex):
        if om.flex_interp[f] and (implicit or not om.flex_centered[f]):
            for body in om.flex_nodebodyid[om.flex_nodeadr[f] :][: om.flex_nodenum[f]]:
                while body:
                    if int(body) in turns:
                        return True
                    body = om.body_parentid[body]
    return False


def field_unset(om, cd, od):
    """Whether MuJoCo's distances between height fields and flex elements are wrong or missing, and the other engine's
    are correct."""
    kind, limit = mujoco.mjtGeom.mjGEOM_HFIELD, FLEX["depth"]
    if not om.nhfield:
        return False
    ours, theirs = ([float(d.contact[i].dist) for i, _ in field_depth.contacts(om, d, kind)] for d in (cd, od))
    if len(ours) == len(theirs) and np.max(np.abs(np.subtract(ours, theirs)), initial=0) <= limit:
        return False
    return field_depth.error(om, cd, kind) < limit and (len(theirs) < len(ours) or limit < field_depth.error(om, od, kind))


def unlike_itself(om, start, cd):
    """Whether MuJoCo's step from a state gives sinew's result when it is repeated: also in Runge-Kutta stages, it may
    read uninitialised distances between height fields and flexes."""
    if not (om.nflex and om.nhfield):
        return False
    for _ in range(TRIES):
        od = mujoco.MjData(om)
        copy_state(od, start)
        mujoco.mj_step(om, od)
        if agree("step", MOTION, cd, od):
            return True
    return False


def on_plane(om, d):
    """Distances and positions of the contacts of each mesh with a plane."""
    found = {}
    kinds = {int(mujoco.mjtGeom.mjGEOM_PLANE), int(mujoco.mjtGeom.mjGEOM_MESH)}
    for i in range(d.ncon):
        pair = tuple(int(g) for g in d.contact[i].geom)
        if min(pair) >= 0 and {int(om.geom_type[g]) for g in pair} == kinds:  # -1 is a flex
            found.setdefault(pair, []).append([float(d.contact[i].dist), *d.contact[i].pos])
    return found


def lowest(om, d, pair):
    """Lowest height of a mesh's corners above a plane, over all corners."""
    plane, mesh = pair if om.geom_type[pair[0]] == mujoco.mjtGeom.mjGEOM_PLANE else pair[::-1]
    data = om.geom_dataid[mesh]
    corners = om.mesh_vert[om.mesh_vertadr[data] :][: om.mesh_vertnum[data]]
    corners = corners @ np.reshape(d.geom_xmat[mesh], (3, 3)).T + d.geom_xpos[mesh] - d.geom_xpos[plane]
    return float(np.min(corners @ np.reshape(d.geom_xmat[plane], (3, 3))[:, 2]))


def meshes_on_planes(om, cd, od, note):
    """The deepest corners agree; raises `HullOrder` if the others do not, and `Unset` where MuJoCo has no result."""
    if om.nflex and (turns_elements(om, od) or field_unset(om, cd, od)):
        raise Unset
    ours, theirs = on_plane(om, cd), on_plane(om, od)
    same("contact", "meshes on planes", len(ours), len(theirs), note)
    # the last contacts of an RK4 step are at computed poses: each engine uses its own
    late = om.opt.integrator == mujoco.mjtIntegrator.mjINT_RK4 and note.startswith("t=")
    for pair, corners in theirs.items():
        want = lowest(om, cd, pair) if late else min(corners)[0]
        same("contact", "deepest corner", min(ours.get(pair, [[np.inf]]))[0], want, note)
        if len(ours[pair]) != len(corners) or np.max(np.abs(np.subtract(ours[pair], corners))) > TOLERANCE["contact"]:
            raise HullOrder


def contacts(om, cd, od, note):
    meshes_on_planes(om, cd, od, note)
    same("contact", "ncon", cd.ncon, od.ncon, note)
    for i in range(od.ncon):
        for name in ("geom", "flex", "elem", "vert", "dim", "dist", "pos", "includemargin", "friction", "solref", "solreffriction", "solimp", "exclude"):
            same("contact", name, getattr(cd.contact[i], name), getattr(od.contact[i], name), f"{note} contact {i}")
        same("contact", "frame", cd.contact[i].frame[:3], od.contact[i].frame[:3], f"{note} contact {i}")


def jacobian(module, m, d):
    if not module.mj_isSparse(m):
        return np.array(d.efc_J).ravel()[: d.nefc * m.nv].reshape(d.nefc, m.nv)
    full = np.zeros((d.nefc, m.nv))
    for row in range(d.nefc):
        at = slice(d.efc_J_rowadr[row], d.efc_J_rowadr[row] + d.efc_J_rownnz[row])
        full[row, d.efc_J_colind[at]] = np.asarray(d.efc_J).ravel()[at]
    return full


def moving(module, m, d):
    """Mask of the constraint rows that exist for certain: excludes edges whose length nothing changes; see
    docs/deviations.md."""
    edges = np.array(d.efc_type) == int(mujoco.mjtConstraint.mjCNSTR_EQUALITY)
    edges[edges] = np.array(m.eq_type)[np.array(d.efc_id)[edges]] == int(mujoco.mjtEq.mjEQ_FLEX)
    return ~edges | (np.max(np.abs(jacobian(module, m, d)), axis=1, initial=0) > ROUNDED)


def weights(om, e):
    """Inverse weights of all rows that a flex equality may have."""
    flex = om.eq_obj1id[e]
    if om.eq_type[e] == int(mujoco.mjtEq.mjEQ_FLEX):
        start, count = om.flex_edgeadr[flex], om.flex_edgenum[flex]
        return om.flexedge_invweight0[start:][:count][om.flexedge_rigid[start:][:count] == 0]
    bodies = om.flex_vertbodyid[om.flex_vertadr[flex] :][: om.flex_vertnum[flex]]
    return np.repeat(om.body_invweight0[bodies, 0], 2)


def writes_on(om, od):
    """Whether MuJoCo has written inverse weights of skipped flex rows over those of later rows; see
    docs/deviations.md."""
    kinds = (int(mujoco.mjtEq.mjEQ_FLEX), int(mujoco.mjtEq.mjEQ_FLEXVERT))
    for e in np.flatnonzero(np.isin(om.eq_type, kinds) & (od.eq_active != 0)):
        at = np.flatnonzero((od.efc_type == int(mujoco.mjtConstraint.mjCNSTR_EQUALITY)) & (od.efc_id == e))
        all_ = weights(om, e)
        written = od.efc_diagApprox[at[0] :][: all_.size] if 0 < at.size < all_.size else []
        # zeros are written as 9e-15
        if len(written) and np.allclose(written, all_[: len(written)], rtol=1e-9, atol=1e-13):
            return True
    return False


def rows(module, cm, om, cd, od, note):
    """The values of the constraint rows that some dof moves."""
    ours, theirs = moving(module, cm, cd), moving(mujoco, om, od)
    same("rows", "nefc", ours.sum(), theirs.sum(), note)
    if writes_on(om, od):
        raise Unset
    for name in ROWS:
        same("rows", name, np.array(getattr(cd, name))[ours], np.array(getattr(od, name))[theirs], note)
    same("rows", "efc_J", jacobian(module, cm, cd)[ours], jacobian(mujoco, om, od)[theirs], note)


def solved(stage, names, by, cm, om, cd, od, state, note):
    """Whether fields that depend on the solver's result agree; raises `Differs` if not, except where CG stops early;
    see docs/deviations.md."""
    try:
        fields(stage, names, cd, od, note)
        return True
    except Differs:
        if by.module is sinew and stopped(cm, om, state, stage, lambda cd, od: agree(stage, names, cd, od), jacobian):
            return False
        raise


def agree(stage, names, cd, od):
    """Whether fields are equal."""
    try:
        fields(stage, names, cd, od, "")
        return True
    except Differs:
        return False


def in_place(om, od):
    """Mask of the values of `flexvert_length` that MuJoCo has not overwritten with bounding boxes of flexes; see
    docs/deviations.md."""
    length, boxes = od.flexvert_length, od.bvh_aabb_dyn
    at = om.flex_bvhadr[om.flex_bvhadr >= 0]
    before = max(om.nbvhstatic - int(np.min(at, initial=om.nbvhstatic)), 0)
    start = boxes.ctypes.data - before * boxes.itemsize * 6
    # strains that are computed are written after the boxes
    kept = np.repeat((om.flex_dim == 2) & (om.flex_edgeequality == 2), om.flex_vertnum)
    free = length.ctypes.data + length.itemsize * np.arange(length.size) < start
    return free.reshape(length.shape) | kept[:, None]


def forward(by, cm, om, cd, od, state, note):
    """All stages of `mj_forward`, run by both from a state; returns whether CG, if it is the solver, stops at the same
    point."""
    module = by.module
    fields("pose", POSE, cd, od, note)
    if om.nflex:
        written = in_place(om, od)
        same("pose", "flexvert_length", cd.flexvert_length[written], od.flexvert_length[written], note)
    # first, because passive contacts and adhesion are among the forces
    contacts(om, cd, od, note)
    mass = [np.zeros((om.nv, om.nv)) for _ in range(2)]
    module.mj_fullM(cm, mass[0], cd.qM)
    mujoco.mj_fullM(om, mass[1], od.qM)
    same("smooth", "qM", *mass, note)
    fields("smooth", SMOOTH, cd, od, note)
    rows(module, cm, om, cd, od, note)
    if not solved("solve", ["qacc", "qfrc_constraint"], by, cm, om, cd, od, state, note):
        return False
    sensors(om, cd, od, note)
    return True


def sensors(om, cd, od, note):
    # see docs/deviations.md: MuJoCo's kinetic energy sensor lags by one step
    kinetic = om.sensor_type == mujoco.mjtSensor.mjSENS_E_KINETIC
    late = om.opt.enableflags & mujoco.mjtEnableBit.mjENBL_ENERGY or np.any(om.sensor_delay[kinetic] > 0)
    for i in range(om.nsensor):
        kind = mujoco.mjtSensor(om.sensor_type[i])
        if not (late and kind == mujoco.mjtSensor.mjSENS_E_KINETIC):
            at = slice(om.sensor_adr[i], om.sensor_adr[i] + om.sensor_dim[i])
            same("sensor", kind.name[7:].lower(), cd.sensordata[at], od.sensordata[at], f"{note} sensor {i}")
    shown = slice(0, 1 if kinetic.any() and np.any(om.sensor_delay[kinetic] > 0) else 2)
    same("sensor", "energy", cd.energy[shown], od.energy[shown], note)


def disturb(om, od, rng, size):
    qpos = np.array(od.qpos)
    mujoco.mj_integratePos(om, qpos, size * rng.standard_normal(om.nv), 1.0)
    od.qpos[:] = qpos
    od.qvel[:] = size * rng.standard_normal(om.nv)
    od.ctrl[:] = rng.uniform(-1, 1, om.nu)
    od.act[:] = rng.uniform(0, 1, om.na)
    od.qfrc_applied[:] = size * rng.standard_normal(om.nv)
    od.xfrc_applied[1:] = size * rng.standard_normal((om.nbody - 1, 6))


def histories(om, d):
    """Histories of sensors and controls, without the kinetic energies, which lag by one step in MuJoCo."""
    kept = np.array(d.history)
    kinetic = om.sensor_type == mujoco.mjtSensor.mjSENS_E_KINETIC
    for i in np.flatnonzero(kinetic & (om.sensor_historyadr >= 0)):
        kept[om.sensor_historyadr[i] :][: 2 + 2 * om.sensor_history[i][0]] = 0
    return kept


def stable(od, before):
    return od.time > before and np.max(np.abs(od.qacc), initial=0) < 1e6 and np.max(np.abs(od.qvel), initial=0) < 1e3


def load(text):
    """The model in both engines, or `None` if both refuse it."""
    try:
        om = mujoco.MjModel.from_xml_string(text)
    except ValueError as refusal:
        try:
            sinew.MjModel.from_xml_string(text)
        except ValueError:
            return None
        # see docs/deviations.md: rows so stiff that neither engine has a result; a singular pivot in the implicit
        # integrator; edge Jacobians that share memory; flex equalities; islands of rows that move nothing
        known = ("diagonal element too small", "pre and post-count", "flex equality does not yet support sleeping", "treeFirst")
        if any(words in str(refusal) for words in known) or defect(text, str(refusal)):
            return None
        if "rank-deficient" in str(refusal) and not_finite(text):
            return None
        raise Differs("compile", "accepted", np.inf, str(refusal).replace("\n", " ")) from None
    try:
        cm = sinew.MjModel.from_xml_string(text)
    except ValueError as refusal:
        raise Differs("compile", "refused", np.inf, str(refusal)) from None
    if om.nflex and overlaps(om):
        return None
    if rename(text, cm, om):
        return None
    if not singular(om):
        compiled(cm, om)
    return cm, om


def rename(text, cm, om):
    """Updates stale geom and site ids in MuJoCo's pairs and sensors, if sinew's are correct; returns whether tendons,
    actuators or equalities have stale ids, which affects many fields; see docs/deviations.md."""
    spec = mujoco.MjSpec.from_string(text)
    if not spec.compiler.fusestatic:
        return False
    spec.compiler.fusestatic = False
    whole = compiled_by_mujoco(spec)
    if whole is None:
        return False
    rename_pairs(whole, present(whole, cm, "geom"), cm, om)
    for kind, code in (("geom", mujoco.mjtObj.mjOBJ_GEOM), ("site", mujoco.mjtObj.mjOBJ_SITE)):
        rename_sensors(whole, present(whole, cm, kind), int(code), cm, om)
    return former_sites(whole, present(whole, cm, "site"), cm, om)


def former_sites(whole, now, cm, om):
    """Whether MuJoCo's tendons, actuators or equalities have stale site ids, and sinew's are correct."""
    ends = om.eq_objtype == int(mujoco.mjtObj.mjOBJ_SITE)
    moved = (int(mujoco.mjtTrn.mjTRN_SITE), int(mujoco.mjtTrn.mjTRN_SLIDERCRANK))
    places = (
        ("wrap_objid", om.wrap_type == int(mujoco.mjtWrap.mjWRAP_SITE)), ("eq_obj1id", ends), ("eq_obj2id", ends),
        ("actuator_trnid", np.isin(om.actuator_trntype, moved)),
    )  # fmt: skip
    other = False
    for name, where in places:
        former, ours, theirs = (np.ravel(getattr(m, name)[where]) for m in (whole, cm, om))
        right = [now.get(int(i), -1) for i in former]
        if not np.array_equal(ours, right) or not (np.array_equal(theirs, former) or np.array_equal(theirs, right)):
            return False
        other |= not np.array_equal(ours, theirs)
    return other


def present(whole, cm, kind):
    """Current ids of named geoms or sites, compared with those in the model without fused bodies."""
    names = [getattr(whole, kind)(former).name for former in range(getattr(whole, f"n{kind}"))]
    return {former: getattr(cm, kind)(name).id for former, name in enumerate(names) if name}


def rename_pairs(whole, now, cm, om):
    pairs = [sorted(zip(m.pair_geom1.tolist(), m.pair_geom2.tolist())) for m in (whole, cm, om)]
    right = sorted(tuple(sorted(now.get(g, -1) for g in pair)) for pair in pairs[0])
    if sorted(map(tuple, map(sorted, pairs[1]))) == right and pairs[2] == pairs[0]:
        for name in ("pair_geom1", "pair_geom2", "pair_signature"):
            getattr(om, name)[:] = getattr(cm, name)


def rename_sensors(whole, now, code, cm, om):
    for kind, number in (("sensor_objtype", "sensor_objid"), ("sensor_reftype", "sensor_refid")):
        for i in np.flatnonzero(getattr(om, kind) == code):
            former = int(getattr(whole, number)[i])
            if getattr(om, number)[i] == former and getattr(cm, number)[i] == now.get(former):
                getattr(om, number)[i] = now[former]


def singular(om):
    """Whether a dof has no inertia: rounding then decides everything."""
    return not np.max(om.dof_invweight0, initial=0) < 1e9


def drowned(om, od):
    """Whether the cost of rows that nothing moves is so large that relevant accelerations vanish in its rounding, and
    the cost decides when solvers stop; see docs/deviations.md."""
    still = np.max(np.abs(jacobian(mujoco, om, od)), axis=1, initial=0) <= ROUNDED
    constant = 0.5 * np.sum((od.efc_D * od.efc_aref**2)[still])
    unseen = np.sqrt(2 * np.finfo(float).eps * constant / om.stat.meaninertia)
    return unseen > DROWNED * np.max(np.abs(od.qacc), initial=0)


def not_finite(text):
    """Whether sinew's initial accelerations are not finite."""
    m = sinew.MjModel.from_xml_string(text)
    d = sinew.MjData(m)
    sinew.mj_forward(m, d)
    return not np.isfinite(d.qacc).all()


def compare(by, cm, om, nstep=40):
    """Raises `Differs`, or returns the outcome: "singular", "unstable", "same", or "iterations" where CG stops
    elsewhere."""
    if singular(om):
        return "singular"
    if misplaced_nodes(om):
        raise Unset
    od, cd = mujoco.MjData(om), by.module.MjData(cm)
    rng = np.random.default_rng(1)
    # flex elements are small
    near, far = (0.002, 0.02) if om.nflex else (0.1, 0.7)
    alike = True
    for note, size in (("at rest", 0.0), ("disturbed", near), ("far", far)):
        # with passive flex contacts MuJoCo's result depends on earlier contents of its data, even after a reset
        od = mujoco.MjData(om)
        by.module.mj_resetData(cm, cd)
        disturb(om, od, rng, size)
        copy_state(state := mujoco.MjData(om), od)
        by.take(cd, od)
        mujoco.mj_forward(om, od)
        by.module.mj_forward(cm, cd)
        if not np.max(np.abs(od.qacc), initial=0) < 1e6:
            return "unstable"
        if drowned(om, od):
            return "singular"
        alike &= forward(by, cm, om, cd, od, state, note)
        inverse(by, cm, om, cd, od, note)
    reached = steps(by, cm, om, nstep)
    return reached if alike or reached != "same" else "iterations"


def inverse(by, cm, om, cd, od, note):
    mujoco.mj_inverse(om, od)
    by.take(cd, od)
    cd.qacc[:] = od.qacc
    by.module.mj_inverse(cm, cd)
    # recomputed: where MuJoCo reads uninitialised memory, the contacts may differ from those in its forward dynamics
    contacts(om, cd, od, f"{note}, inverse")
    floor = max(1.0, np.max(np.abs(od.qfrc_constraint), initial=0))
    same("inverse", "qfrc_inverse", cd.qfrc_inverse, od.qfrc_inverse, note, floor)


def start(om):
    """MuJoCo's data near the initial state, where the compared steps begin."""
    od = mujoco.MjData(om)
    disturb(om, od, np.random.default_rng(2), 0.002 if om.nflex else 0.1)
    od.qfrc_applied[:], od.xfrc_applied[:] = 0, 0
    return od


def steps(by, cm, om, nstep):
    """Compares each step from MuJoCo's state, then a free run of all steps, unless CG stopped elsewhere in one."""
    od, cd, alike = start(om), by.module.MjData(cm), True
    first, last = mujoco.MjData(om), mujoco.MjData(om)
    copy_state(first, od)
    for t in range(nstep):
        by.take(cd, od)
        copy_state(last, od)
        mujoco.mj_step(om, od)
        if not stable(od, last.time):
            return "unstable"
        if om.opt.enableflags & mujoco.mjtEnableBit.mjENBL_SLEEP:
            continue  # sleep is not part of the state
        by.module.mj_step(cm, cd)
        meshes_on_planes(om, cd, od, f"t={t}")
        try:
            same_step = solved("step", MOTION, by, cm, om, cd, od, last, f"t={t}")
        except Differs:
            if by.module is sinew and unlike_itself(om, last, cd):
                raise Unset from None
            raise
        if not same_step:
            alike = False
            continue
        same("step", "history", histories(om, cd), histories(om, od), f"t={t}")
        sensors(om, cd, od, f"t={t}")
    if not alike:
        return "iterations"
    od, cd = mujoco.MjData(om), by.module.MjData(cm)
    copy_state(od, first)
    by.take(cd, first)
    for t in range(nstep):
        mujoco.mj_step(om, od)
        by.module.mj_step(cm, cd)
        meshes_on_planes(om, cd, od, f"t={t}")
        for name in ("qpos", "qvel", "act"):
            same("free", name, getattr(cd, name), getattr(od, name), f"t={t}")
    return "same"


def judge(text, nstep=40, tries=6):
    """Outcome and details. "rounding": MuJoCo under perturbations differs from itself by at least a tenth of the
    difference."""
    try:
        pair = load(text)
        return ("refused", None) if pair is None else (compare(Sinew(), *pair, nstep), None)
    except Differs as d:
        details = d.args
    except HullOrder:
        return "hull order", None
    except Unset:
        return "unset", None
    except mujoco.FatalError as e:
        return "fatal", str(e)
    except Exception as e:  # includes a panic in sinew
        return "differs", ("error", type(e).__name__, np.inf, str(e)[:200])
    # a large force times a moment that is zero up to rounding can be any force
    conditioned = details[0] in ("compile", "pose", "smooth") and details[1] != "qfrc_actuator"
    if not conditioned and own_scatter(pair[1], details, nstep, tries) >= 0.1 * details[2]:
        return "rounding", details
    if details[0] in ("contact", "rows", "solve", "sensor", "step", "inverse", "free") and by_hulls(*pair, nstep):
        return "hull order", details
    return "differs", details


def corners(m):
    """Distinct corners of each mesh's convex hull, sorted."""
    for start, begin in zip(m.mesh_graphadr, m.mesh_vertadr):
        if start >= 0:
            count = m.mesh_graph[start]
            numbers = np.array(m.mesh_graph[start + 2 + count :][:count])
            yield np.unique(np.array(m.mesh_vert)[begin + numbers], axis=0)


def by_hulls(cm, om, nstep):
    """Whether sinew agrees when it uses MuJoCo's hulls, with the same corners in another order: among equally deep
    corners, searches then start elsewhere."""
    ours, theirs = list(corners(cm)), list(corners(om))
    if not theirs or len(ours) != len(theirs) or not all(map(np.array_equal, ours, theirs)):
        return False
    try:
        return compare(Sinew(), model_from_mujoco(om), om, nstep) == "same"
    except (Differs, HullOrder, Unset, mujoco.FatalError):
        return False


def own_scatter(om, details, nstep, tries):
    """How far MuJoCo under perturbations is from itself, in the field where sinew differs by `details`."""
    worst = 0.0
    limits = dict(TOLERANCE)
    # earlier fields and stages may differ by less
    least = 0.1 * details[2] if np.isfinite(details[2]) else 0.0
    TOLERANCE.update({stage: max(limit, least) for stage, limit in limits.items()})
    TOLERANCE[details[0]] = least or limits[details[0]]
    for seed in range(tries):
        try:
            compare(Nudged(seed), om, om, nstep)
        except Differs as d:
            worst = max(worst, d.args[2])
        except (HullOrder, Unset, mujoco.FatalError):
            continue
    TOLERANCE.update(limits)
    return worst


def _work(seeds, extra, pipe):
    for seed in seeds:
        pipe.send((seed, *judge(model(seed, extra))))
    pipe.close()


def survey(seeds, extra=None):
    """Yields (seed, outcome, details); a seed that ends the process is "crashed", and the next ones continue without
    it."""
    context = multiprocessing.get_context("fork")
    left = list(seeds)
    while left:
        ours, theirs = context.Pipe(False)
        worker = context.Process(target=_work, args=(left, extra, theirs))
        worker.start()
        theirs.close()
        try:
            while left:
                if not ours.poll(120):
                    worker.kill()
                    raise EOFError
                result = ours.recv()
                left.remove(result[0])
                yield result
        except EOFError:
            yield left.pop(0), "crashed", None
        worker.join()


def shrink(text):
    """Removes elements and attributes as long as the same field of the same stage differs."""
    kind = judge(text)[1][:2]

    def still(root):
        shorter = ET.tostring(root, encoding="unicode")
        reader, writer = multiprocessing.Pipe(False)
        worker = multiprocessing.get_context("fork").Process(target=lambda: writer.send(judge(shorter)))
        worker.start()
        answer = reader.recv() if reader.poll(20) else (None, None)
        worker.join()
        return answer[0] == "differs" and answer[1][:2] == kind

    root = ET.fromstring(text)
    changed = True
    while changed:
        changed = False
        for parent in list(root.iter()):
            for child in list(parent):
                at = list(parent).index(child)
                parent.remove(child)
                if still(root):
                    changed = True
                else:
                    parent.insert(at, child)
            for name, value in list(parent.attrib.items()):
                del parent.attrib[name]
                if still(root):
                    changed = True
                else:
                    parent.set(name, value)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="+")
    parser.add_argument("--shrink", action="store_true")
    parser.add_argument("--flex", action="store_true", help="add flexes to the models")
    args = parser.parse_args()
    if not args.what[0].isdigit():
        text = open(args.what[0]).read()
        print(judge(text), file=sys.stderr)
        if args.shrink:
            print(shrink(text))
        return
    counts, kinds = collections.Counter(), collections.defaultdict(list)
    for seed, outcome, details in survey(range(int(args.what[0]), int(args.what[1])), add_flexes if args.flex else None):
        counts[outcome] += 1
        if outcome != "same":
            kinds[(outcome, *(details[:2] if outcome in ("differs", "rounding") else ()))].append((seed, details))
    print(dict(counts))
    for kind, cases in sorted(kinds.items(), key=lambda item: -len(item[1])):
        print(len(cases), *kind, [seed for seed, _ in cases[:6]], cases[0][1][2:] if cases[0][1] else "")


if __name__ == "__main__":
    main()
