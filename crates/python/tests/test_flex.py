"""Flexes against the oracle: compiled fields, forces, contacts and steps."""

import numpy as np
import mujoco
import pytest
import sinew

import field_depth
from random_compare import in_place
from tolerances import FLEX

GRID = '<flexcomp name="f" type="{kind}" count="{count}" spacing=".1 .1 .1" dim="{dim}" radius=".01" {more}>{inner}</flexcomp>'


def model(kind="grid", count="4 4 1", dim=2, more="", inner="", outer="", option=""):
    flex = GRID.format(kind=kind, count=count, dim=dim, more=more, inner=inner)
    return (
        f'<mujoco><option {option}/><worldbody><geom type="plane" size="3 3 .1" pos="0 0 -1"/>'
        f'<body name="parent" pos="0 0 .2">{flex}</body>{outer}</worldbody></mujoco>'
    )


ELASTIC = '<elasticity young="2e3" poisson=".3" damping=".01"/>'
SHELL = '<elasticity young="2e3" poisson=".2" thickness=".01" elastic2d="{}"/>'
QUIET = '<contact selfcollide="none"/>'

MODELS = {
    "cable": model(count="5 1 1", dim=1, inner='<edge stiffness="50" damping="1"/>'),
    "circle": model(kind="circle", count="9 1 1", dim=1, inner='<edge equality="true"/>'),
    "grid": model(),
    "held edges": model(inner='<edge equality="true"/>'),
    "held vertices": model(inner='<edge equality="vert"/>'),
    "bending": model(inner=SHELL.format("bend")),
    "stretching": model(inner=SHELL.format("stretch")),
    "both": model(inner=SHELL.format("both")),
    "disc": model(kind="disc", count="5 5 1"),
    "square": model(kind="square", count="4 3 1"),
    "solid": model(count="3 3 3", dim=3, inner=ELASTIC),
    "box": model(kind="box", count="4 4 4", dim=3, inner=ELASTIC),
    "cylinder": model(kind="cylinder", count="4 4 3", dim=3, inner=ELASTIC),
    "ellipsoid": model(kind="ellipsoid", count="4 5 3", dim=3, inner=ELASTIC),
    "surface": model(kind="box", count="4 4 4", dim=2),
    "wires": model(kind="box", count="4 3 4", dim=1, inner='<edge equality="true"/>'),
    "round wires": model(kind="ellipsoid", count="3 3 3", dim=1, inner='<edge stiffness="20" damping=".5"/>'),
    "radial": model(kind="ellipsoid", count="4 4 4", dim=3, more='dof="radial"', inner=ELASTIC),
    "trilinear": model(count="4 4 4", dim=3, more='dof="trilinear"', inner=ELASTIC + QUIET),
    "quadratic": model(count="5 5 5", dim=3, more='dof="quadratic"', inner=ELASTIC + QUIET),
    "pinned": model(count="3 3 3", dim=3, inner=ELASTIC + '<pin id="0 1 2"/>'),
    "pinned grid": model(inner='<edge equality="true"/><pin gridrange="0 0 0 3"/>'),
    "rigid": model(more='rigid="true"'),
    "direct": model(kind="direct", dim=3, more='point="0 0 0 .2 0 0 0 .2 0 0 0 .2 9 9 9" element="0 1 2 3"', inner=ELASTIC),
}

GEOMS = {
    "sphere": '<geom size=".05" pos=".02 .01 .155"/>',
    "capsule": '<geom type="capsule" size=".03" fromto="-.05 0 .165 .05 .02 .165"/>',
    "box": '<geom type="box" size=".06 .05 .04" pos=".01 .02 .155"/>',
    "cylinder": '<geom type="cylinder" size=".05 .04" pos=".01 .02 .155"/>',
    "ellipsoid": '<geom type="ellipsoid" size=".06 .05 .04" pos=".01 .02 .165"/>',
}


def pair(xml):
    m, c = mujoco.MjModel.from_xml_string(xml), sinew.MjModel.from_xml_string(xml)
    return m, mujoco.MjData(m), c, sinew.MjData(c)


def close(got, want, tolerance, what):
    got, want = np.asarray(got, float), np.asarray(want, float)
    scale = max(1.0, np.abs(want).max(initial=0))
    assert got.shape == want.shape, what
    assert np.abs(got - want).max(initial=0) <= tolerance * scale, what


@pytest.mark.parametrize("name", MODELS)
def test_compiled_fields(name):
    m, _, c, _ = pair(MODELS[name])
    for field in dir(m):
        if field.startswith(("flex", "nflex", "nJf")):
            close(getattr(c, field), getattr(m, field), FLEX["model"], field)


# both engines diverge at the same step with the default step: explicit forces of small elements have a stability limit
TIMESTEP = {"cylinder": ".0005", "quadratic": ".0001"}


@pytest.mark.parametrize("integrator", ["Euler", "implicit", "implicitfast"])
@pytest.mark.parametrize("name", MODELS)
def test_moving(name, integrator):
    option = f'<option integrator="{integrator}" timestep="{TIMESTEP.get(name, ".002")}" '
    m, d, c, e = pair(MODELS[name].replace("<option ", option))
    rng = np.random.default_rng(7)
    d.qpos[:] += 0.01 * rng.normal(size=m.nq)
    d.qvel[:] = 0.3 * rng.normal(size=m.nv)
    for _ in range(5):
        e.qpos[:], e.qvel[:], e.qacc_warmstart[:] = d.qpos, d.qvel, d.qacc_warmstart
        sinew.mj_forward(c, e)
        mujoco.mj_forward(m, d)
        for field in ("flexvert_xpos", "flexelem_aabb", "flexedge_length", "flexedge_velocity", "flexvert_length"):
            close(getattr(e, field), getattr(d, field), FLEX["kinematics"], field)
        for field in ("qfrc_spring", "qfrc_damper", "qfrc_passive", "qacc"):
            close(getattr(e, field), getattr(d, field), FLEX["force"], field)
        mujoco.mj_step(m, d)
        sinew.mj_step(c, e)
        close(e.qvel, d.qvel, FLEX["force"], "qvel")


def test_boxes_of_flexes_have_their_place():
    """With fused bodies MuJoCo writes the bounding boxes of flexes before their array, over strains that are not
    computed."""
    bodies = "".join(f'<body><geom size=".1" pos="{x} 0 0"/></body>' for x in range(2, 6))
    m, d, c, e = pair(f"""<mujoco><compiler fusestatic="true"/><worldbody>{bodies}
      <flexcomp name="s" dim="3" radius=".01" mass="1" type="direct" element="0 1 2 3 1 2 3 4"
        point="0 0 0  .1 0 0  0 .1 0  .02 .03 .12  .1 .1 .1"/></worldbody></mujoco>""")
    mujoco.mj_forward(m, d)
    sinew.mj_forward(c, e)
    assert not in_place(m, d).any() and d.flexvert_length.all()
    assert not e.flexvert_length.any()
    c.opt.disableflags = m.opt.disableflags = int(mujoco.mjtDisableBit.mjDSBL_MIDPHASE)
    d = mujoco.MjData(m)
    mujoco.mj_forward(m, d)
    np.testing.assert_array_equal(e.flexvert_length, d.flexvert_length)


def touching(d):
    """Contacts in order: their geoms and elements, then positions."""
    c = d.contact
    return np.hstack([c.geom, c.flex, c.elem, c.vert, c.dist[:, None], c.pos, c.frame[:, :3], c.friction])


def paired(got, want):
    """Reorders contacts like others: same elements, nearest first."""
    assert got.shape == want.shape
    left = list(got)
    rows = []
    for w in want:
        same = [k for k, g in enumerate(left) if (g[:8] == w[:8]).all()]
        assert same, w[:8]
        rows.append(left.pop(min(same, key=lambda k: np.abs(left[k][9:12] - w[9:12]).max())))
    return np.reshape(rows, want.shape)


@pytest.mark.parametrize("dim, count", [(1, "5 1 1"), (2, "4 4 1"), (3, "3 3 3")])
@pytest.mark.parametrize("name", GEOMS)
@pytest.mark.parametrize("native", ["enable", "disable"])
def test_contacts(native, name, dim, count):
    height = "0 0 .1" if dim == 3 else "0 0 0"
    xml = model(count=count, dim=dim, inner=QUIET, more=f'pos="{height}"', outer=GEOMS[name])
    m, d, c, e = pair(xml.replace("<option ", f'<option><flag nativeccd="{native}"/></option><option '))
    rng = np.random.default_rng(3)
    for _ in range(5):
        d.qpos[:] = 0.005 * rng.normal(size=m.nq)
        e.qpos[:] = d.qpos
        mujoco.mj_forward(m, d)
        sinew.mj_forward(c, e)
        assert d.ncon > 0
        close(touching(e), touching(d), FLEX["contact"], name)
        close(e.efc_J, d.efc_J, FLEX["contact"], "efc_J")
        close(e.efc_diagApprox, d.efc_diagApprox, FLEX["contact"], "efc_diagApprox")


@pytest.mark.parametrize("midphase", ["enable", "disable"])
@pytest.mark.parametrize("other", ["", '<geom size=".1" pos="2 0 0"/>'])
def test_planes_of_other_masks(other, midphase):
    """In BVH searches, a body's collision masks apply to all its planes."""
    xml = model(outer=other).replace("<option ", f'<option><flag midphase="{midphase}"/></option><option ')
    xml = xml.replace('<geom type="plane"', '<geom type="plane" size="3 3 .1" pos="0 0 .195" contype="0" conaffinity="2"/><geom type="plane" contype="4"')
    m, d, c, e = pair(xml)
    mujoco.mj_forward(m, d)
    sinew.mj_forward(c, e)
    assert d.ncon == (16 if midphase == "enable" else 0)
    close(touching(e), touching(d), FLEX["contact"], xml)


@pytest.mark.parametrize("mode", ["none", "narrow", "bvh", "sap", "auto"])
def test_self_collision(mode):
    """A folded sheet: all broad phases find the same contacts as the oracle."""
    xml = model(count="6 4 1", inner=f'<contact selfcollide="{mode}" internal="true"/>')
    m, d, c, e = pair(xml)
    d.qpos[:] = 0
    for i in range(12):
        # the last three rows are folded over the first three, a little above them
        d.qpos[3 * (12 + i) : 3 * (13 + i)] = -0.1 * (2 * (i // 4) + 1) + 0.03, 0.02, 0.012
    e.qpos[:] = d.qpos
    mujoco.mj_forward(m, d)
    sinew.mj_forward(c, e)
    assert mode == "none" or d.ncon > 10
    got, want = touching(e), touching(d)
    # BVH search order differs
    close(paired(got, want) if mode == "bvh" else got, want, FLEX["contact"], mode)


def test_passive_contacts():
    xml = model(inner='<contact passive="true" selfcollide="none"/>', outer=GEOMS["sphere"])
    m, d, c, e = pair(xml)
    mujoco.mj_forward(m, d)
    sinew.mj_forward(c, e)
    assert np.abs(d.qfrc_spring).max() > 1
    close(e.qfrc_spring, d.qfrc_spring, FLEX["force"], "qfrc_spring")


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
def test_passive_contacts_that_move_nothing(jacobian):
    """Only sparse Jacobians reveal that a contact has no dofs."""
    xml = f"""<mujoco><option jacobian="{jacobian}"/><worldbody><geom type="plane" size="1 1 .1"/>
      <body name="b" pos="0 0 3"><joint/><geom size=".1"/></body>
      <flexcomp name="f" type="grid" dim="2" count="3 3 1" spacing=".1 .1 .1" pos="0 0 -.01" radius=".02"><pin id="0"/>
      <contact passive="true" selfcollide="none"/></flexcomp></worldbody></mujoco>"""
    found = []
    for module in (mujoco, sinew):
        m = module.MjModel.from_xml_string(xml)
        d = module.MjData(m)
        module.mj_forward(m, d)
        found.append([int(c.exclude) for c in d.contact])
    assert found[0] == found[1] and 4 in found[0] and (3 in found[0]) == (jacobian == "sparse")


@pytest.mark.parametrize("dim, count, kind", [(1, "4 1 1", "grid"), (2, "4 4 1", "grid"), (3, "3 3 3", "grid")])
@pytest.mark.parametrize("margin", [0, 0.03])
def test_depth_in_height_fields(dim, count, kind, margin):
    """Against exact geometry: MuJoCo reads uninitialised parts of the height field's shape."""
    xml = model(kind, count, dim, inner=QUIET, outer=f'<geom type="hfield" hfield="hills" pos=".02 .01 .16" margin="{margin}" euler="4 3 0"/>')
    hills = '<asset><hfield name="hills" nrow="4" ncol="5" size=".5 .5 .2 .3" elevation="1 3 2 4 5 2 4 1 3 2 5 1 2 3 4 1 2 4 2 3"/></asset>'
    c = sinew.MjModel.from_xml_string(xml.replace("<worldbody>", hills + "<worldbody>"))
    e = sinew.MjData(c)
    rng = np.random.default_rng(3)
    touched = 0
    for _ in range(2):
        sinew.mj_resetData(c, e)
        e.qpos[:] = 0.02 * rng.standard_normal(c.nq)
        sinew.mj_forward(c, e)
        touched += sum(1 for _ in field_depth.contacts(c, e, sinew.mjtGeom.mjGEOM_HFIELD))
        assert field_depth.error(c, e, sinew.mjtGeom.mjGEOM_HFIELD) < FLEX["depth"]
    assert touched > 5


def shaken_state(module, at, joint, integrator, pin=""):
    """Control nodes on a joint, with a perturbed state."""
    flex = GRID.format(kind="grid", count="4 4 4", dim=3, more='dof="trilinear"', inner=ELASTIC + QUIET + pin)
    m = module.MjModel.from_xml_string(
        f'<mujoco><option gravity="0 0 0" integrator="{integrator}"/><worldbody><body name="parent" pos="{at}">'
        f'<joint type="{joint}" axis="1 .5 0"/><geom size=".05" pos="0 .1 .1"/>{flex}</body></worldbody></mujoco>'
    )
    d = module.MjData(m)
    rng = np.random.default_rng(1)
    d.qpos[:], d.qvel[:] = 0.02 * rng.standard_normal(m.nq), 0.3 * rng.standard_normal(m.nv)
    d.qpos[0] = 0.7
    return m, d


def test_pinned_control_nodes_are_where_they_are():
    """The torque on a hinge follows from forces on its nodes at their positions; MuJoCo takes local node positions for
    world positions."""
    apart = []
    for module in (sinew, mujoco):
        m, d = shaken_state(module, "3 2 1", "hinge", "Euler", '<pin id="0"/>')
        module.mj_forward(m, d)
        bodies, turn = m.flex_nodebodyid, d.xmat[1].reshape(3, 3)
        assert list(bodies).count(1) == 1
        force = np.array([turn @ d.qfrc_spring[m.body_dofadr[b] :][:3] if b != 1 else np.zeros(3) for b in bodies])
        # internal spring forces sum to zero
        force[list(bodies).index(1)] = -force.sum(0)
        places = np.array([d.xpos[b] + d.xmat[b].reshape(3, 3) @ x for b, x in zip(bodies, m.flex_node)])
        torque = np.cross(places - d.xanchor[0], force).sum(0) @ d.xaxis[0]
        apart.append(abs(d.qfrc_spring[0] - torque))
    assert apart[0] < FLEX["torque"] and apart[1] > 1e-2, apart


@pytest.mark.parametrize("integrator", ["implicitfast", "implicit"])
def test_velocities_of_control_nodes(integrator):
    """The same for implicit integrators: MuJoCo's node velocities differ if the body that carries the nodes rotates."""
    for joint, least, most in (("slide", 0, FLEX["kinematics"]), ("hinge", 1e-6, 1e-2)):
        ends = []
        for module in (sinew, mujoco):
            m, d = shaken_state(module, "3 2 1", joint, integrator)
            module.mj_step(m, d)
            ends.append(np.array(d.qvel))
        apart = np.abs(ends[0] - ends[1]).max()
        assert least <= apart <= most, (joint, apart)


BAD = {
    "no name of the parent": ('<mujoco><worldbody><body>' + GRID.format(kind="grid", count="3 3 1", dim=2, more="", inner="") + "</body></worldbody></mujoco>", "name"),
    "dimension": (model(dim=4), "dim"),
    "count": (model(count="0 3 1"), "count"),
    "spacing": (model().replace('radius=".01"', 'radius=".1"'), "thick"),
    "mass": (model(more='mass="0"'), "positive"),
    "pin": (model(inner='<pin id="99"/>'), "point 99"),
    "pin range": (model(inner='<pin range="1"/>'), "multiple"),
    "pin grid": (model(inner='<pin grid="9 9"/>'), "outside"),
    "edge springs of shells": (model(inner='<edge stiffness="1"/>'), "spring"),
    "elasticity and equality": (model(inner='<edge equality="true"/>' + SHELL.format("both")), "both"),
    "Poisson": (model(inner='<elasticity young="1" poisson=".6"/>'), "Poisson"),
    "self-collision of interpolated": (model(count="4 4 4", dim=3, more='dof="trilinear"'), "itself"),
    "bending with pins": (model(inner=SHELL.format("bend") + '<pin id="0"/>'), "pinned"),
    "few elements": (model(count="2 2 2", dim=3, more='dof="trilinear"', inner=ELASTIC + QUIET), "elements"),
    "element": (model(kind="direct", dim=2, more='point="0 0 0 1 0 0 0 1 0" element="0 1 5"'), "refers"),
    "repeated vertex": (model(kind="direct", dim=2, more='point="0 0 0 1 0 0 0 1 0" element="0 1 2 0 1 1"'), "twice"),
    "file": (model(kind="mesh", dim=2), "file"),
}


@pytest.mark.parametrize("name", BAD)
def test_refused(name):
    xml, words = BAD[name]
    with pytest.raises(ValueError):
        mujoco.MjModel.from_xml_string(xml)
    with pytest.raises(ValueError, match=words):
        sinew.MjModel.from_xml_string(xml)
