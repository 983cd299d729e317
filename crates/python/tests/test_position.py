"""Position stages and derived constants against MuJoCo, on models MuJoCo compiled."""

import mujoco
import numpy as np
import pytest
import sinew
from models import CORPUS, INLINE, ROOT, corpus_files
from oracle import copy_state, model_from_mujoco

FRAMES = (
    "xpos xquat xmat xipos ximat xanchor xaxis geom_xpos geom_xmat site_xpos site_xmat cam_xpos cam_xmat light_xpos "
    "light_xdir subtree_com cdof cinert ten_length ten_wrapadr ten_wrapnum actuator_length moment_rownnz crb qM M qLD "
    "qLDiagInv"
).split()
AWAKE = "ntree_awake nbody_awake nparent_awake nv_awake tree_awake body_awake tree_asleep".split()
CONSTANTS = (
    "body_subtreemass body_invweight0 dof_invweight0 dof_M0 dof_length tendon_length0 tendon_invweight0 actuator_length0 "
    "actuator_acc0 cam_pos0 cam_poscom0 cam_mat0 light_pos0 light_poscom0 light_dir0"
).split()
RESOLVED = (
    "eq_data tendon_lengthspring actuator_biasprm body_treeid tree_bodyadr tree_bodynum tree_dofadr tree_dofnum "
    "tendon_treenum tendon_treeid tree_sleep_policy"
).split()


def close(name, got, want, tol=1e-10):
    got, want = np.asarray(got, float).ravel(), np.asarray(want, float).ravel()
    assert got.shape == want.shape, name
    scale = max(1.0, np.nanmax(np.abs(want), initial=0.0))
    np.testing.assert_allclose(got, want, rtol=0, atol=tol * scale, err_msg=name)


def dense(m, rows, values, nnz, adr, col):
    out = np.zeros((rows, m.nv))
    values, col = np.ravel(values), np.ravel(col)
    for r in range(rows):
        at = slice(adr[r], adr[r] + nnz[r])
        out[r, col[at]] = values[at]
    return out


def compare_position(om, od, cd):
    for name in FRAMES:
        close(name, getattr(cd, name), getattr(od, name))
    if om.nu:
        of = [dense(om, om.nu, d.actuator_moment, d.moment_rownnz, d.moment_rowadr, d.moment_colind) for d in (cd, od)]
        close("actuator_moment", *of)
    if om.ntendon:
        if mujoco.mj_isSparse(om):
            close("ten_J_rownnz", cd.ten_J_rownnz, od.ten_J_rownnz)
            of = [dense(om, om.ntendon, d.ten_J, d.ten_J_rownnz, d.ten_J_rowadr, d.ten_J_colind) for d in (cd, od)]
            close("ten_J", *of)
        else:
            close("ten_J", cd.ten_J, od.ten_J)
        used = int(np.max(od.ten_wrapadr + od.ten_wrapnum))
        close("wrap_obj", np.ravel(cd.wrap_obj)[:used], np.ravel(od.wrap_obj)[:used])
        close("wrap_xpos", np.ravel(cd.wrap_xpos)[: 3 * used], np.ravel(od.wrap_xpos)[: 3 * used])


def check_position(om):
    """Reference, keyframe and two random positions (the last one with unnormalised quaternions)."""
    om.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT  # adhesion transmissions wait for contacts
    cm = model_from_mujoco(om)
    od, cd = mujoco.MjData(om), sinew.MjData(cm)
    for name in AWAKE if not om.opt.enableflags & mujoco.mjtEnableBit.mjENBL_SLEEP else []:
        close(name, getattr(cd, name), getattr(od, name))
    rng = np.random.default_rng(1)
    for kick in (0.0, 0.3, 1.0):
        if om.nkey and kick == 0.0:
            mujoco.mj_resetDataKeyframe(om, od, 0)
        if om.nv:
            qpos = np.array(od.qpos)
            mujoco.mj_integratePos(om, qpos, kick * rng.standard_normal(om.nv), 1.0)
            od.qpos[:] = qpos + 0.01 * kick * rng.standard_normal(om.nq)
        if om.nmocap:
            od.mocap_pos[:] += kick * rng.standard_normal((om.nmocap, 3))
            od.mocap_quat[:] += kick * rng.standard_normal((om.nmocap, 4))
        copy_state(cd, od)
        mujoco.mj_fwdPosition(om, od)
        sinew.mj_fwdPosition(cm, cd)
        compare_position(om, od, cd)


def check_constants(om):
    """Every derived constant, recomputed from NaN."""
    cm = model_from_mujoco(om)
    mujoco.mj_setConst(om, mujoco.MjData(om))  # removes statistics that a user may have overridden
    for name in CONSTANTS:
        getattr(cm, name)[...] = np.nan
    sinew.mj_setConst(cm, sinew.MjData(cm))
    for name in CONSTANTS + RESOLVED:
        close(name, getattr(cm, name), getattr(om, name), 1e-9)
    for name in "meaninertia meanmass meansize extent center".split():
        close("stat." + name, getattr(cm.stat, name), getattr(om.stat, name), 1e-9)


@pytest.fixture(params=[*INLINE, "humanoid"])
def model(request):
    if request.param == "humanoid":
        return mujoco.MjModel.from_xml_path(str(ROOT / "models" / "humanoid.xml"))
    return mujoco.MjModel.from_xml_string(INLINE[request.param])


def test_position_stages(model):
    check_position(model)


def test_constants(model):
    check_constants(model)


def test_dampratio_and_spring_lengths_are_resolved():
    """A model as it leaves the compiler: damping ratios, rest lengths and weld poses still unresolved."""
    om = mujoco.MjModel.from_xml_string(INLINE["joints"])
    om.actuator_biasprm[1, 2] = 0.7
    om.eq_data[1, 3:10] = 0
    cm = model_from_mujoco(om)
    mujoco.mj_setConst(om, mujoco.MjData(om))
    sinew.mj_setConst(cm, sinew.MjData(cm))
    assert om.actuator_biasprm[1, 2] < 0
    close("actuator_biasprm", cm.actuator_biasprm, om.actuator_biasprm)
    close("eq_data", cm.eq_data, om.eq_data)

    om = mujoco.MjModel.from_xml_string(INLINE["tendons, dense"])
    om.tendon_lengthspring[:] = -1
    cm = model_from_mujoco(om)
    mujoco.mj_setConst(om, mujoco.MjData(om))
    sinew.mj_setConst(cm, sinew.MjData(cm))
    close("tendon_lengthspring", cm.tendon_lengthspring, om.tendon_lengthspring)


def test_massless_slider_is_refused():
    om = mujoco.MjModel.from_xml_string(INLINE["joints"])
    cm = model_from_mujoco(om)
    body = mujoco.mj_name2id(om, mujoco.mjtObj.mjOBJ_BODY, "slider")
    assert om.body_simple[body] == 2
    cm.body_mass[body] = 0
    with pytest.raises(Exception, match=f"moving body {body} has 0 mass"):
        sinew.mj_setConst(cm, sinew.MjData(cm))


@pytest.mark.parametrize("path", corpus_files(), ids=lambda p: str(p.relative_to(CORPUS)))
def test_corpus(path):
    om = mujoco.MjModel.from_xml_path(str(path))
    check_constants(om)
    check_position(om)
