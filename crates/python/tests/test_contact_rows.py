"""Constraint rows of contacts, and what is computed from their forces, against MuJoCo."""

import mujoco
import numpy as np
import pytest
import sinew
from contact_models import KINDS, kicked, pile
from oracle import copy_state, model_from_mujoco
from tolerances import INVERSE

ROWS = (
    "efc_type efc_id efc_J efc_pos efc_margin efc_frictionloss efc_diagApprox efc_D efc_R efc_KBIP efc_vel efc_aref efc_b"
).split()
SPARSE = "efc_J_rownnz efc_J_rowadr efc_J_rowsuper efc_J_colind".split()
DUAL = "efc_AR_rownnz efc_AR_rowadr efc_AR_colind".split()


def close(got, want, tol, what=""):
    got, want = np.ravel(got).astype(float), np.ravel(want).astype(float)
    assert got.shape == want.shape, what
    if got.size:
        assert np.abs(got - want).max() <= tol * max(1.0, np.abs(want).max()), what


def pair(xml, seed=0):
    om = mujoco.MjModel.from_xml_string(xml)
    od = mujoco.MjData(om)
    kicked(om, od, seed)
    m = model_from_mujoco(om)
    return om, od, m, sinew.MjData(m)


@pytest.mark.parametrize("cone, jacobian, condim", KINDS)
def test_rows(cone, jacobian, condim):
    om, od, m, d = pair(pile(cone=cone, jacobian=jacobian, condim=condim, impratio=3))
    for _ in range(5):
        copy_state(d, od)
        mujoco.mj_forward(om, od)
        sinew.mj_forward(m, d)
        assert od.nefc > 8 and (d.ne, d.nf, d.nl, d.nefc, d.nJ) == (od.ne, od.nf, od.nl, od.nefc, od.nJ)
        for name in ROWS + (SPARSE if jacobian == "sparse" else []):
            close(getattr(d, name), getattr(od, name), 1e-10, name)
        for name in ("mu", "efc_address", "exclude"):
            close(getattr(d.contact, name), getattr(od.contact, name), 1e-12, name)
        mujoco.mj_step(om, od)


@pytest.mark.parametrize("cone", ("pyramidal", "elliptic"))
@pytest.mark.parametrize("jacobian", ("dense", "sparse"))
def test_dual_matrix(cone, jacobian):
    om, od, m, d = pair(pile(cone=cone, jacobian=jacobian, condim=4, solver="PGS"))
    copy_state(d, od)
    mujoco.mj_forward(om, od)
    sinew.mj_forward(m, d)
    assert d.nA == od.nA > 0 and sinew.mj_isDual(m) == 1
    for name in ["efc_AR"] + (DUAL if jacobian == "sparse" else []):
        close(getattr(d, name), getattr(od, name), 1e-10, name)


@pytest.mark.parametrize("cone", ("pyramidal", "elliptic"))
@pytest.mark.parametrize("jacobian", ("dense", "sparse"))
def test_products_and_costs(cone, jacobian):
    om, od, m, d = pair(pile(cone=cone, jacobian=jacobian, condim=6))
    copy_state(d, od)
    mujoco.mj_forward(om, od)
    sinew.mj_forward(m, d)
    rng = np.random.default_rng(1)
    for size_in, size_out, name in ((om.nv, od.nefc, "mj_mulJacVec"), (od.nefc, om.nv, "mj_mulJacTVec")):
        x = rng.normal(size=size_in)
        got, want = np.zeros(size_out), np.zeros(size_out)
        getattr(sinew, name)(m, d, got, x)
        getattr(mujoco, name)(om, od, want, x)
        close(got, want, 1e-12, name)
    for scale in (0.1, 10, 1000):
        jar = scale * rng.normal(size=od.nefc)
        got, want = np.zeros(1), np.zeros(1)
        sinew.mj_constraintUpdate(m, d, jar, got, 1)
        mujoco.mj_constraintUpdate(om, od, jar, want, 1)
        close(got, want, 1e-12, "cost")
        for name in ("efc_force", "efc_state", "qfrc_constraint"):
            close(getattr(d, name), getattr(od, name), 1e-12, name)
        curved = [i for i, c in enumerate(od.contact) if c.efc_address >= 0 and od.efc_state[c.efc_address] == 4]
        for i in curved:
            close(d.contact[i].H, od.contact[i].H, 1e-12, "H")
        assert curved or cone == "pyramidal"


def test_pyramids():
    rng = np.random.default_rng(0)
    for n in (1, 2, 3, 5):
        mu, force = rng.uniform(0.1, 1, n), rng.normal(size=n + 1)
        got, want = np.zeros(2 * n), np.zeros(2 * n)
        if n > 1:
            sinew.mju_encodePyramid(got, force, mu)
            mujoco.mju_encodePyramid(want, force, mu)
            close(got, want, 1e-14)
        edges = rng.uniform(size=2 * n)
        got, want = np.zeros(n + 1), np.zeros(n + 1)
        sinew.mju_decodePyramid(got, edges, mu)
        mujoco.mju_decodePyramid(want, edges, mu)
        close(got, want, 1e-14)
    with pytest.raises(TypeError):
        sinew.mju_decodePyramid(np.zeros(2), np.zeros(4), np.zeros(2))


@pytest.mark.parametrize("cone", ("pyramidal", "elliptic"))
@pytest.mark.parametrize("jacobian", ("dense", "sparse"))
def test_forces_of_contacts(cone, jacobian):
    """Contact forces, body forces and adhesion moments."""
    om, od, m, d = pair(pile(cone=cone, jacobian=jacobian, condim=4, tolerance=0))
    moved = 0
    for _ in range(5):
        copy_state(d, od)
        mujoco.mj_forward(om, od)
        sinew.mj_forward(m, d)
        mujoco.mj_rnePostConstraint(om, od)
        sinew.mj_rnePostConstraint(m, d)
        for name in ("cacc", "cfrc_ext", "cfrc_int", "sensordata"):
            close(getattr(d, name), getattr(od, name), 1e-7, name)
        got, want = np.zeros(6), np.zeros(6)
        for i in range(od.ncon):
            sinew.mj_contactForce(m, d, i, got)
            mujoco.mj_contactForce(om, od, i, want)
            close(got, want, 1e-6, f"contact {i}")
        n = od.moment_rownnz[0]
        for name in ("moment_colind", "actuator_moment"):
            close(np.ravel(getattr(d, name))[:n], np.ravel(getattr(od, name))[:n], 1e-12, name)
        close(d.qfrc_actuator, od.qfrc_actuator, 1e-12, "qfrc_actuator")
        moved += np.abs(od.qfrc_actuator).sum() > 0
        mujoco.mj_step(om, od)
    assert moved


@pytest.mark.parametrize("solver, memory", (("CG", 44), ("PGS", 70)))
def test_full_arena(solver, memory):
    """Rows that do not fit are dropped, with a warning."""
    xml = pile(solver=solver, condim=6, island="disable").replace("<option", f'<size memory="{memory}K"/><option', 1)
    xml = xml.replace('<force site="here"/>', "")
    om, od, m, d = pair(xml)
    for k in range(1, 3):
        copy_state(d, od)
        mujoco.mj_forward(om, od)
        sinew.mj_forward(m, d)
        for w in range(len(od.warning)):
            assert (d.warning[w].number, d.warning[w].lastinfo) == (od.warning[w].number, od.warning[w].lastinfo)
        assert d.nefc == od.nefc == 0 and d.ncon == od.ncon > 8
        assert od.warning[int(mujoco.mjtWarning.mjWARN_CNSTRFULL)].number == k
        close(d.qacc, od.qacc, 1e-9)


@pytest.mark.parametrize("solver, island", (("CG", "enable"), ("PGS", "disable")))
def test_inverse_dynamics_needs_less_of_the_arena(solver, island):
    """Islands and a dual solver's matrix do not fit; inverse dynamics needs neither and keeps its rows."""
    xml = pile(solver=solver, condim=6, island=island).replace("<option", '<size memory="70K"/><option', 1)
    om, od, m, d = pair(xml.replace('<force site="here"/>', ""))
    copy_state(d, od)
    full = int(mujoco.mjtWarning.mjWARN_CNSTRFULL)
    for module, model, data in ((mujoco, om, od), (sinew, m, d)):
        module.mj_forward(model, data)
        assert data.nefc == 0 and data.warning[full].number == 1
    d.qacc[:] = od.qacc
    for module, model, data in ((mujoco, om, od), (sinew, m, d)):
        module.mj_inverse(model, data)
        assert data.warning[full].number == 1 and data.nisland == 0
    assert d.nefc == od.nefc > 0
    close(d.qfrc_inverse, od.qfrc_inverse, INVERSE["arena"], "qfrc_inverse")
