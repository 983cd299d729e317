"""Contacts of every pair of geom types against MuJoCo, at random, aligned, parallel, nested and grazing poses.

What is compared, and how closely:

| what               | closed form | iterations    | why                                                              |
|--------------------|-------------|---------------|------------------------------------------------------------------|
| number of contacts | 99.9 %      | 99.9 %        | rounding decides at the edge of a margin or of a face            |
| distance           | 1e-12 size  | 1e-6 size,    | closed forms differ by rounding; iterations stop at 1e-6, and    |
|                    |             | 99.95 %       | rounding can decide whether there is one more, or whether shapes |
|                    |             |               | that touch exactly overlap                                       |
| position           | 1e-12 size  | 1e-6 size,    | where faces are parallel or directions equally deep, rounding    |
| normal and tangent | 1e-12       | 1e-6, 99.9 %  | decides which point and which direction are given                |

Sizes are those of the larger geom of a pair. Poses are bitwise equal in both engines: geom frames are written directly,
and only `mj_collision` is run. One call collides all pairs of a model, which are listed explicitly.
"""

import mujoco
import numpy as np
import pytest
import sinew
from oracle import model_from_mujoco

PAIRS = 125  # in one model, each with different sizes
POSES = 10_000

KINDS = "plane hfield sphere capsule ellipsoid cylinder box mesh sdf".split()
CLOSED = {("plane", b) for b in KINDS[2:]} | {
    (a, b) for a, b in zip("sphere sphere sphere sphere capsule capsule box".split(),
                           "sphere capsule cylinder box capsule box box".split())}
# descents on signed distance fields take a millisecond, and have no margin
SLOW = {(a, "sdf") for a in KINDS[2:]}


def types():
    return [(a, b) for i, a in enumerate(KINDS) for b in KINDS[max(i, 2):] 
            if (a, b) not in (("hfield", "sdf"), ("mesh", "sdf"))]


def numbers(a):
    return " ".join(map(repr, np.asarray(a, float).ravel().tolist()))


def assets(rng):
    hull = rng.normal(size=(40, 3))
    hull *= 0.3 / np.linalg.norm(hull, axis=1)[:, None] * rng.uniform(0.7, 1, (40, 1))
    wedge = np.array([[x, y, z] for x in (-0.3, 0.3) for y in (-0.2, 0.2) for z in (-0.1, 0.1 + 0.1 * (x > 0))])
    return f"""
      <mesh name="mesh0" vertex="{numbers(hull)}"/>
      <mesh name="mesh1" vertex="{numbers(wedge)}"/>
      <mesh name="mesh2" vertex=".3 0 0  -.2 .2 0  -.2 -.2 0  0 0 .3"/>
      <mesh name="mesh3" builtin="sphere" params="2" scale=".3 .25 .2"/>
      <mesh name="sdf0" builtin="supertorus" params="12 .4 1 1" scale=".2 .2 .2"/>
      <hfield name="hfield0" nrow="9" ncol="7" size=".6 .5 .3 .2" elevation="{numbers(rng.uniform(0, 1, 63))}"/>
      <hfield name="hfield1" nrow="4" ncol="5" size=".4 .4 .1 .3" elevation="{numbers(np.round(rng.uniform(0, 1, 20)))}"/>
    """


def geom(kind, k, rng):
    if kind == "sdf":
        return '<geom type="sdf" mesh="sdf0"'
    if kind == "mesh":
        return f'<geom type="mesh" mesh="mesh{k % 4}"'
    if kind == "hfield":
        return f'<geom type="hfield" hfield="hfield{k % 2}"'
    # every other pair has round sizes, so that faces and edges can coincide exactly
    size = rng.choice([0.1, 0.2, 0.25, 0.5], 3) if k % 2 else rng.uniform(0.04, 0.5, 3)
    return f'<geom type="{kind}" size="{numbers(size)}"'


def model(kinds, rng, margin, flags="", count=PAIRS):
    bodies, pairs = [], []
    for k in range(count):
        for side, kind in enumerate(kinds):
            shape = geom(kind, k, rng)
            bodies.append(f'<body mocap="true">{shape} name="{"ab"[side]}{k}" contype="0" conaffinity="0"/></body>')
        pairs.append(f'<pair geom1="a{k}" geom2="b{k}" margin="{margin}"/>')
    return mujoco.MjModel.from_xml_string(f"""<mujoco><size memory="60M"/><option>{flags}</option>
      <asset>{assets(rng)}</asset><worldbody>{"".join(bodies)}</worldbody>
      <contact>{"".join(pairs)}</contact></mujoco>""")


class Both:
    def __init__(self, om):
        self.om, self.od = om, mujoco.MjData(om)
        self.m = model_from_mujoco(om)
        self.d = sinew.MjData(self.m)
        mujoco.mj_kinematics(self.om, self.od)
        self.extent = np.where(om.geom_rbound > 0, om.geom_rbound, 1).reshape(-1, 2)

    def want(self, pos, mat):
        return collide(mujoco, self.om, self.od, pos, mat)

    def got(self, pos, mat):
        return collide(sinew, self.m, self.d, pos, mat)


def collide(lib, m, d, pos, mat):
    d.geom_xpos[:] = pos.reshape(-1, 3)
    d.geom_xmat[:] = mat.reshape(-1, 9)
    lib.mj_collision(m, d)
    c = d.contact
    pair = np.asarray(c.geom).reshape(-1, 2).min(1) // 2
    frame = np.asarray(c.frame).reshape(-1, 9)
    return pair, np.asarray(c.dist).ravel(), np.asarray(c.pos).reshape(-1, 3), frame


def turns(rng, n):
    q = rng.normal(size=(n, 4))
    return matrices(q / np.linalg.norm(q, axis=1)[:, None])


def matrices(q):
    w, x, y, z = q.T
    return np.stack([
        w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y),
        2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x),
        2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z], 1).reshape(-1, 3, 3)


def right_turns(rng, n):
    """Random exact permutations of axes."""
    out = np.zeros((n, 3, 3))
    for m in out:
        m[np.arange(3), rng.permutation(3)] = rng.choice([-1.0, 1.0], 3)
        m[:, 0] *= np.linalg.det(m)
    return out


def poses(both, rng, style):
    """Positions and frames of all pairs in one of five styles."""
    n, reach = len(both.extent), both.extent.sum(1)
    frame = turns(rng, n)
    mats = np.stack([frame, turns(rng, n)], 1)
    way = rng.normal(size=(n, 3))
    way /= np.linalg.norm(way, axis=1)[:, None]
    away = rng.uniform(-1, 1, (n, 3))
    if style == "aligned":  # exactly parallel axes, centres on a grid, at the origin
        mats = np.stack([right_turns(rng, n), right_turns(rng, n)], 1)
        step = np.round(way * reach[:, None] * rng.choice([0.3, 0.6, 0.9], (n, 1)) * 20) / 20
        return np.stack([np.zeros((n, 3)), step], 1), mats
    if style == "parallel":  # axes parallel up to rounding, or one of them
        turn = right_turns(rng, n)
        half = rng.random(n) < 0.5
        spin = turns(rng, n)
        about = rng.uniform(-3, 3, n)
        spin[half] = matrices(np.stack([np.cos(about), 0 * about, 0 * about, np.sin(about)], 1))[half]
        spin[~half] = np.eye(3)
        mats[:, 1] = frame @ turn @ spin
    if style == "nested":
        far = reach * rng.choice([0, 1e-9, 0.05, 0.1], n)
    else:
        far = reach * rng.uniform(0.1, 1, n)
    low = np.zeros(n)
    if style == "grazing":
        # from touching at low to separated at high, bisected until they graze
        high = 1.5 * reach
        for _ in range(12):
            middle = (low + high) / 2
            pair = both.want(np.stack([away, away + way * middle[:, None]], 1), mats)[0]
            hit = np.isin(np.arange(n), pair)
            low, high = np.where(hit, middle, low), np.where(hit, high, middle)
        far = low - reach * rng.choice([0, 1e-4, 1e-2], n)
    return np.stack([away, away + way * far[:, None]], 1), mats


STYLES = ("random", "aligned", "parallel", "nested", "grazing")


class Tally:
    def __init__(self):
        self.poses = self.unequal = self.contacts = 0
        self.dist, self.pos, self.frame = [], [], []

    def add(self, want, got, extent):
        n = len(extent)
        counts = [np.bincount(c[0], minlength=n) for c in (want, got)]
        same = counts[0] == counts[1]
        self.poses += n
        self.unequal += np.count_nonzero(~same)
        w, g = same[want[0]], same[got[0]]
        size = extent.max(1)[want[0][w]]
        self.contacts += len(size)
        self.dist.append(np.abs(want[1][w] - got[1][g]) / size)
        self.pos.append(np.abs(want[2][w] - got[2][g]).max(1, initial=0) / size)
        self.frame.append(np.abs(want[3][w] - got[3][g]).max(1, initial=0))

    def finish(self):
        self.dist, self.pos, self.frame = map(np.concatenate, (self.dist, self.pos, self.frame))
        return self


def run(kinds, margins, flags="", count=POSES, styles=STYLES):
    """Compares and counts by style."""
    rng = np.random.default_rng(KINDS.index(kinds[0]) * 9 + KINDS.index(kinds[1]))
    tallies = {style: Tally() for style in styles}
    for margin in margins:
        both = Both(model(kinds, rng, margin, flags))
        for k in range(count // PAIRS // len(margins)):
            style = styles[k % len(styles)]
            at = poses(both, rng, style)
            tallies[style].add(both.want(*at), both.got(*at), both.extent)
    return {style: t.finish() for style, t in tallies.items()}


def share(values, limit):
    return np.mean(values <= limit) if len(values) else 1.0


def report(kinds, tallies):
    rows = [f"{' '.join(kinds)}:"]
    for style, t in tallies.items():
        worst = max(t.dist, default=0)
        rows.append(f"  {style}: {t.poses} poses, {t.contacts} contacts, {t.unequal} unequal counts, dist {worst:.1e}, "
                    f"pos {max(t.pos, default=0):.1e} ({share(t.pos, 1e-6):.4f}), "
                    f"frame {max(t.frame, default=0):.1e} ({share(t.frame, 1e-6):.4f})")
    return "\n".join(rows)


def check(kinds, tallies):
    text = report(kinds, tallies)
    print(text)
    unequal = sum(t.unequal for t in tallies.values())
    total = sum(t.poses for t in tallies.values())
    assert unequal <= total / 1000, text
    dist, pos, frame = (np.concatenate([getattr(t, f) for t in tallies.values()]) for f in ("dist", "pos", "frame"))
    assert len(dist) > total / 4, text
    if kinds in CLOSED:
        assert max(dist) < 1e-12 and max(pos) < 1e-12 and max(frame) < 1e-12, text
    else:
        assert share(dist, 1e-6) >= 0.9995 and share(pos, 1e-6) >= 0.999 and share(frame, 1e-6) >= 0.999, text


@pytest.mark.parametrize("kinds", types(), ids="-".join)
def test_pair(kinds):
    if kinds in SLOW:
        check(kinds, run(kinds, (0,), count=4 * PAIRS, styles=STYLES[:4]))
    else:
        check(kinds, run(kinds, (0, 0.05)))


@pytest.mark.parametrize("kinds", [(a, b) for a, b in types() if (a, b) not in CLOSED and a != "hfield" and b != "sdf"
                                   and not {a, b} & {"sphere", "ellipsoid"}], ids="-".join)
def test_many_points(kinds):
    """Pairs that search for additional contact points where the multiccd flag is set."""
    check(kinds, run(kinds, (0, 0.05), '<flag multiccd="enable"/>', POSES // 2))


PORTALS = [k for k in types() if k not in CLOSED and k[1] != "sdf"]


@pytest.mark.parametrize("kinds", PORTALS, ids="-".join)
def test_portals(kinds):
    """MuJoCo's older pipeline (libccd)."""
    check(kinds, run(kinds, (0, 0.05), '<flag nativeccd="disable"/>', POSES // 4))


@pytest.mark.parametrize("kinds", [k for k in PORTALS if k[0] != "hfield" and not {*k} & {"sphere", "ellipsoid"}],
                         ids="-".join)
def test_many_points_of_portals(kinds):
    check(kinds, run(kinds, (0, 0.05), '<flag nativeccd="disable" multiccd="enable"/>', POSES // 4))


def test_distances_by_portals():
    """Without the native pipeline, distances come from contacts with a wide margin."""
    rng, seen = np.random.default_rng(4), 0
    for kinds in PORTALS[6:] + [("box", "box"), ("capsule", "box")]:
        both = Both(model(kinds, rng, 0, '<flag nativeccd="disable"/>', count=10))
        for style in STYLES[:4]:
            at = poses(both, rng, style)
            both.want(*at), both.got(*at)
            for k in range(10):
                for reach in (0.02, 0.3):
                    want, got = np.zeros(6), np.zeros(6)
                    pair = (2 * k, 2 * k + 1)[:: 1 if k % 2 else -1]
                    dist = mujoco.mj_geomDistance(both.om, both.od, *pair, reach, want)
                    assert abs(sinew.mj_geomDistance(both.m, both.d, *pair, reach, got) - dist) < 1e-6
                    assert np.abs(want - got).max() < 1e-5
                    seen += dist < reach
    assert seen > 200


def test_height_fields_ignore_signed_distances():
    both = Both(model(("hfield", "sdf"), np.random.default_rng(1), 0))
    mujoco.set_mju_user_warning(lambda _: None)
    try:
        for style in STYLES[:4]:
            at = poses(both, np.random.default_rng(2), style)
            assert len(both.want(*at)[0]) == len(both.got(*at)[0]) == 0
    finally:
        mujoco.set_mju_user_warning(None)


def test_mesh_and_signed_distances():
    """MuJoCo looks up the octree by geom id, so only the first geoms are well defined."""
    rng = np.random.default_rng(3)
    both, tally = Both(model(("mesh", "sdf"), rng, 0, count=1)), Tally()
    for k in range(400):
        at = poses(both, rng, STYLES[k % 4])
        tally.add(both.want(*at), both.got(*at), both.extent)
    check(("mesh", "sdf"), {"all": tally.finish()})
