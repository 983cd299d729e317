"""The same contacts as MuJoCo's, in the same order, with the same parameters."""

import mujoco
import numpy as np
import pytest
import sinew

from conftest import Pair

MEMBERS = (
    "dist pos frame includemargin friction solref solreffriction solimp mu H dim geom flex elem vert exclude efc_address"
).split()


def collide(p, qpos=None):
    """Collides in both engines."""
    for engine, m, d in ((mujoco, p.om, p.od), (sinew, p.m, p.d)):
        if qpos is not None:
            d.qpos[:] = qpos
        engine.mj_kinematics(m, d)
        engine.mj_comPos(m, d)
        engine.mj_collision(m, d)
    return p


def assert_same(p, tolerance=1e-12):
    assert p.od.ncon == p.d.ncon == len(p.d.contact)
    assert p.od.contact.geom.tolist() == p.d.contact.geom.tolist()
    for name in MEMBERS:
        a, b = getattr(p.od.contact, name), getattr(p.d.contact, name)
        np.testing.assert_allclose(b, a, rtol=tolerance, atol=tolerance, err_msg=name)
    assert (p.od.bvh_active == p.d.bvh_active).all()


def check(xml, contacts, qpos=None, **settings):
    """Asserts equal contacts and the expected number of them, which shows that the model tests something."""
    p = Pair(xml)
    for m in (p.om, p.m):
        for name, value in settings.items():
            setattr(m.opt, name, value)
    assert_same(collide(p, qpos))
    assert p.d.ncon == contacts
    return p


def bodies(*lines, flags="", rest="", default=""):
    return f"<mujoco><option>{flags}</option><default>{default}</default><worldbody>{''.join(lines)}</worldbody>{rest}</mujoco>"


def ball(x, geom="", size=0.1, joint="<freejoint/>", inside=""):
    return f'<body pos="{x} 0 0">{joint}<geom size="{size}" {geom}/>{inside}</body>'


FLOOR = '<geom type="plane" size="1 1 1" pos="0 0 -.05"/>'
HINGE = "<joint/>"


@pytest.mark.parametrize("first,second,contacts", [
    ((1, 1), (1, 1), 1), ((1, 0), (0, 1), 1), ((0, 1), (1, 0), 1), ((1, 0), (1, 0), 0), ((2, 1), (4, 8), 0),
    ((2, 1), (1, 8), 1), ((0, 0), (7, 7), 0), ((6, 0), (0, 4), 1),
])
def test_types_and_affinities(first, second, contacts):
    bits = [f'contype="{t}" conaffinity="{a}"' for t, a in (first, second)]
    check(bodies(ball(0, bits[0]), ball(0.15, bits[1])), contacts)


CHAIN = ball(0, joint=HINGE, inside=ball(0.1, joint=HINGE, inside=ball(0.1, joint="", inside=ball(-0.15, joint=HINGE))))


@pytest.mark.parametrize("flags,contacts", [("", 5), ('<flag filterparent="disable"/>', 8)])
def test_parents_and_welded_bodies(flags, contacts):
    check(bodies(FLOOR, CHAIN, flags=flags), contacts)


def test_static_bodies():
    static = '<body pos="0 0 .05"><geom size=".1"/><body pos=".02 0 0"><geom type="plane" size="1 1 1"/></body></body>'
    mocap = '<body mocap="true" pos=".05 0 0"><geom size=".1"/></body>'
    check(bodies(FLOOR, static, mocap, ball(0), ball(0.1), ball(0.3, joint="")), 10)


def test_children_of_static_bodies():
    # a body hinged to a static one collides with it, as it does with the world
    check(bodies(ball(0, joint="", inside=ball(0.1, joint=HINGE))), 1)


def test_excluded_bodies():
    rest = '<contact><exclude body1="a" body2="c"/><exclude body1="world" body2="b"/></contact>'
    named = [ball(x).replace("<body", f'<body name="{n}"') for n, x in (("a", 0), ("b", 0.1), ("c", 0.15))]
    check(bodies(FLOOR, *named), 6)
    check(bodies(FLOOR, *named, rest=rest), 4)


PAIRS = """<contact>
  <pair geom1="g3" geom2="g0" margin=".3" gap=".1" condim="6" friction="1 .8 .1 .2 .3" solref=".01 1.5"
    solreffriction=".03 1" solimp=".5 .6 .01 .4 3"/>
  <pair geom1="g1" geom2="g0" condim="1"/>
  <pair geom1="g1" geom2="floor" condim="4" friction="0 0 0 0 0"/>
  <pair geom1="g4" geom2="g3"/>
  <exclude body1="b0" body2="b1"/>
</contact>"""


@pytest.mark.parametrize("settings", [{}, {"enableflags": 1}])
def test_explicit_pairs(settings):
    """Pairs come first among the geoms of their bodies, collide whatever filters say, and only once."""
    def body(i, x, more=""):
        return f'<body name="b{i}" pos="{x} 0 {0.01 * i}"><freejoint/><geom name="g{i}" size=".1"/>{more}</body>'

    floor = '<geom name="floor" type="plane" size="1 1 1" pos="0 0 -.05"/>'
    quiet = body(3, 0.15).replace("size", 'contype="0" conaffinity="0" size')
    two = body(2, 0.1, '<geom type="box" size=".05 .05 .05" pos=".05 0 .1"/>')
    child = body(1, 0.05, '<geom size=".05" pos="0 0 .1"/>')
    last = body(4, 0.12)
    p = check(bodies(floor, body(0, 0), child, two, quiet, last, rest=PAIRS), 16, **settings)
    assert p.d.contact.dim.tolist().count(6) == 1


def test_two_pairs_of_one_body_pair_stay_in_order():
    one = '<body name="a"><freejoint/><geom name="a0" size=".1"/><geom name="a1" type="box" size=".1 .1 .1"/></body>'
    two = '<body name="b" pos=".1 0 0"><freejoint/><geom name="b0" size=".1"/><geom name="b1" size=".05"/></body>'
    rest = '<contact><pair geom1="b1" geom2="a1"/><pair geom1="a0" geom2="b0"/></contact>'
    check(bodies(one, two, rest=rest), 4)


@pytest.mark.parametrize("gap1,gap2,exclude", [(0, 0, 0), (0.02, 0.03, 0), (0.05, 0.06, 1)])
def test_margins_and_gaps_add(gap1, gap2, exclude):
    geoms = [f'margin=".1" gap="{gap1}"', f'margin=".05" gap="{gap2}"']
    p = check(bodies(ball(0, geoms[0]), ball(0.26, geoms[1])), 1)
    assert p.d.contact.exclude == exclude
    check(bodies(ball(0, geoms[0]), ball(0.351, geoms[1])), 0)


@pytest.mark.parametrize("first,second", [
    ('priority="1" condim="1" friction=".1 .2 .3"', 'condim="6" solref=".1 .2"'),
    ('condim="1" friction=".1 .2 .3"', 'priority="2" condim="4" solref=".1 .2" solimp=".1 .2 .3 .4 5"'),
    ('condim="3" friction="2 .001 .3" solmix="3"', 'condim="6" friction="1 .2 .1" solref=".1 .2" solimp=".1 .2 .3 .4 5"'),
    ('solmix="0"', 'solref=".1 .2" solimp=".1 .2 .3 .4 5"'),
    ('solmix="1" solref=".3 .1"', 'solmix="0" solref=".1 .2" solimp=".1 .2 .3 .4 5"'),
    ('solmix="0" solref=".3 .1"', 'solmix="0" solref=".1 .2"'),
    ('solref="-100 -2"', 'solref=".1 .2"'),
    ('solref="-100 -2"', 'solref="-50 -20"'),
    ('friction="0 0 0"', 'friction="0 0 0"'),
    ('condim="1"', 'type="capsule" fromto="0 0 0 .1 0 0" friction="1 2 3"'),
])
@pytest.mark.parametrize("enableflags", [0, 1])
def test_parameters(first, second, enableflags):
    flags = '<flag override="enable"/>' if enableflags else ""
    xml = bodies(ball(0, first), ball(0.15, second), flags=flags)
    xml = xml.replace("<option", '<option o_margin=".2" o_solref=".05 2" o_solimp=".3 .4 .5 .6 2" o_friction="0 1 2 3 4"')
    check(xml, 1)
    check(xml.replace("0.15", "0.25"), enableflags)


@pytest.mark.parametrize("flag", ["contact", "constraint"])
def test_disabled(flag):
    xml = bodies(FLOOR, ball(0), flags=f'<flag {flag}="disable"/>')
    check(xml, 0)


def test_bodies_that_barely_touch():
    """Bounding box ends are compared in single precision, the lower body first."""
    for x in (0.2, 0.2 + 1e-9, 0.2 - 1e-9, 0.2 - 1e-6, 0.3, 0.7):
        for size in (0.1, x / 2):
            xml = bodies(ball(0, size=size), ball(x, size=size))
            assert_same(collide(Pair(xml)))
            assert_same(collide(Pair(bodies(ball(x, size=size), ball(0, size=size)))))
    # at exactly a margin's distance, and exactly on the floor
    assert_same(collide(Pair(bodies(ball(0, 'margin=".125"'), ball(0.375)))))
    box = '<body pos="0 0 {}"><freejoint/><geom type="box" size=".1 .1 .1"/><geom size=".05"/></body>'
    for z in (0.1, 0.1 + 1e-16, 0.3 - 0.2):
        assert_same(collide(Pair(bodies('<geom type="plane" size="1 1 1"/>', box.format(z)))))


SHAPES = (
    'type="sphere" size="{0}"', 'type="capsule" size="{0} {1}"', 'type="box" size="{0} {1} {2}"',
    'type="ellipsoid" size="{0} {1} {2}"', 'type="cylinder" size="{0} {1}"',
)


def pile(seed, shapes, count=40, children=0, spread=0.5):
    """Bodies of random geoms in a heap on a bumpy floor."""
    rng = np.random.default_rng(seed)

    def numbers(values):
        return " ".join(f"{v:.6f}" for v in values)

    def geom(reach):
        shape = shapes[rng.integers(len(shapes))].format(*(f"{s:.4f}" for s in rng.uniform(0.03, 0.12, 3)))
        extra = f'condim="{rng.choice([1, 3, 4, 6])}" margin="{rng.choice([0, 0.02])}" contype="{rng.integers(1, 4)}"'
        return f'<geom {shape} pos="{numbers(rng.uniform(-reach, reach, 3))}" euler="{numbers(rng.uniform(-90, 90, 3))}" {extra}/>'

    def body(depth, place, joint):
        geoms = "".join(geom(0.1) for _ in range(rng.integers(1, 5)))
        nested = "".join(body(depth - 1, rng.uniform(-0.2, 0.2, 3), HINGE) for _ in range(2 if depth else 0))
        return f'<body pos="{numbers(place)}">{joint}{geoms}{nested}</body>'

    lines = [geom(spread) for _ in range(8)]
    lines += [body(children, rng.uniform(-spread, spread, 3) + [0, 0, spread], "<freejoint/>") for _ in range(count)]
    return bodies(FLOOR, *lines)


def by_geoms(contact):
    """All members, sorted by geom ids."""
    order = np.lexsort(contact.geom.T)
    return [getattr(contact, name)[order] for name in MEMBERS]


@pytest.mark.parametrize("children", [0, 2])
@pytest.mark.parametrize("seed", range(4))
def test_piles(seed, children):
    p = Pair(pile(seed, SHAPES[: 2 + seed], 40 if children == 0 else 8, children))
    rng = np.random.default_rng(seed)
    for _ in range(4):
        qpos = p.om.qpos0.copy()
        mujoco.mj_integratePos(p.om, qpos, rng.normal(size=p.om.nv), 0.05)
        assert_same(collide(p, qpos), 1e-9)
        assert p.d.ncon > 20
        with_trees = by_geoms(p.d.contact)
        for m in (p.om, p.m):
            m.opt.disableflags = mujoco.mjtDisableBit.mjDSBL_MIDPHASE
        assert_same(collide(p), 1e-9)
        assert all((a == b).all() for a, b in zip(with_trees, by_geoms(p.d.contact)))
        for m in (p.om, p.m):
            m.opt.disableflags = 0


def test_many_bodies():
    """More bodies than one sweep handles, of very different sizes, spread along each axis."""
    rng = np.random.default_rng(7)
    for axis in range(3):
        places = rng.uniform(-1, 1, (300, 3)) * np.roll([3, 1, 0.3], axis)
        sizes = np.where(rng.random(300) < 0.03, 0.8, rng.uniform(0.02, 0.1, 300))
        lines = [
            f'<body pos="{x:.5f} {y:.5f} {z:.5f}"><freejoint/><geom size="{s:.5f}"/></body>'
            for (x, y, z), s in zip(places, sizes)
        ]
        p = collide(Pair(bodies(*lines)))
        assert_same(p)
        assert p.d.ncon > 200
        for _ in range(3):
            qpos = p.om.qpos0 + rng.normal(scale=0.05, size=p.om.nq)
            assert_same(collide(p, qpos))


def test_full_arena():
    """When MuJoCo's arena is full, pairs are skipped and counted."""
    lines = [f'<body pos="{0.001 * i} 0 0"><freejoint/><geom size=".1"/></body>' for i in range(60)]
    p = Pair(bodies(*lines, rest='<size memory="200K"/>'))
    assert_same(collide(p))
    full = mujoco.mjtWarning.mjWARN_CONTACTFULL
    assert 0 < p.d.ncon < 60 * 59 // 2
    for a, b in zip(p.od.warning, p.d.warning):
        assert (a.number, a.lastinfo) == (b.number, b.lastinfo)
    assert p.d.warning[full].number > 0


def test_rows_of_former_contacts_are_gone():
    xml = bodies(ball(0, joint='<joint type="slide" range="1 2" limited="true"/>'))
    p = Pair(xml)
    sinew.mj_forward(p.m, p.d)
    assert p.d.nefc == 1
    sinew.mj_collision(p.m, p.d)
    assert p.d.nefc == 0 and p.d.ncon == 0


@pytest.fixture
def filters():
    yield
    for engine in (mujoco, sinew):
        engine.set_mjcb_contactfilter(None)


def test_contact_filter(filters):
    """The filter replaces the check of contype and conaffinity, except for explicit pairs, and sees the contacts found
    so far."""
    named = [ball(x, f'name="g{i}"') for i, x in enumerate((0, 0.05, 0.1))]
    hidden = ball(0.12, 'name="h" contype="0" conaffinity="1"')
    rest = '<contact><pair geom1="g0" geom2="g2"/></contact>'
    p = Pair(bodies(FLOOR, *named, hidden, rest=rest))
    calls = []

    def some(m, d, geom1, geom2):
        calls.append((geom1, geom2, d.ncon, len(d.contact)))
        return int(geom1 == 1 or geom2 == 2)

    for engine in (mujoco, sinew):
        engine.set_mjcb_contactfilter(some)
        assert engine.get_mjcb_contactfilter() is some
    assert_same(collide(p))
    half = len(calls) // 2
    assert calls[:half] == calls[half:] and half > 5
    sinew.set_mjcb_contactfilter(lambda m, d, geom1, geom2: "no")
    with pytest.raises(TypeError, match="integer"):
        sinew.mj_collision(p.m, p.d)
    sinew.set_mjcb_contactfilter(None)
    mujoco.set_mjcb_contactfilter(None)
    assert_same(collide(p))
