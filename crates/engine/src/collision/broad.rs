//! Broad phase: pairs of bodies whose bounding boxes overlap.

use super::filter::{can_collide, may_meet};
use super::sweep;
use super::work::{BodyTraits, BroadWork, SweepWork};
use crate::data::{Awake, Pose};
use crate::model::Model;
use crate::model::enums::{DisableFlags, EnableFlags, GeomType};
use crate::support::awake as subset;
use crate::support::flex;
use sinew_math::bounds::SphereBox;
use sinew_math::{Mat3, Vec3, mat3, vec3};

/// Pairs of bodies that may be in contact, sorted by the lower, then by the higher body id.
///
/// The world and static bodies with planes are paired with every body. Others are paired where the boxes around their
/// geoms' bounding spheres overlap, with the principal axes of all geom positions as box axes. Interval ends on the
/// first axis are compared in single precision, ties going to the body with the lower id, as in MuJoCo; this decides
/// whether bodies that barely touch are found.
#[doc(alias = "mj_broadphase")]
pub fn pairs(m: &Model, awake: &Awake, pose: &Pose, work: &mut BroadWork, pairs: &mut Vec<u64>) {
    pairs.clear();
    let BroadWork { traits, sweep } = work;
    collect_traits(m, awake, traits);
    let with_parents = m.opt.disabled(DisableFlags::FILTERPARENT);
    let mut add = |b1: usize, b2: usize| {
        if may_meet(&traits[b1], &traits[b2], with_parents) {
            pairs.push((b1.min(b2) as u64) << 32 | b1.max(b2) as u64);
        }
        pairs.len()
    };
    let sorted = everywhere(m, &mut add);
    if any_may_meet(traits, with_parents)
        && let Some(frame) = principal_frame(m, pose)
    {
        spans(m, pose, &frame, sweep);
        sweep::overlaps(sweep, |b1, b2| {
            add(b1, b2);
        });
    }
    pairs[sorted..].sort_unstable();
    pairs.dedup();
}

/// Collects the properties of each body and flex that the pair filter tests.
pub fn collect_traits(m: &Model, awake: &Awake, traits: &mut Vec<BodyTraits>) {
    let sleep = subset::skips_bodies(m, awake);
    traits.clear();
    traits.extend((0..m.nbody).map(|b| {
        let weld = m.body_weldid[b];
        BodyTraits {
            weld,
            parent: m.body_weldid[m.body_parentid[weld as usize] as usize],
            asleep: sleep && subset::body_asleep(awake, b),
            ..BodyTraits::default()
        }
    }));
    for g in 0..m.ngeom {
        let body = &mut traits[m.geom_bodyid[g] as usize];
        body.contype |= m.geom_contype[g];
        body.conaffinity |= m.geom_conaffinity[g];
    }
    // a flex gets a unique weld id and no parent
    traits.extend((0..m.nflex).map(|f| BodyTraits {
        contype: m.flex_contype[f],
        conaffinity: m.flex_conaffinity[f],
        weld: -1 - f as i32,
        parent: i32::MIN,
        asleep: false,
    }));
}

/// Adds the pairs of unbounded bodies: the world and static bodies with planes. Returns the number of pairs with the
/// world, which come first and are already sorted.
fn everywhere(m: &Model, mut add: impl FnMut(usize, usize) -> usize) -> usize {
    let has_plane = |b: usize| m.body_geoms(b).any(|g| m.geom_type(g) == GeomType::Plane);
    let endless =
        |b: usize| can_collide(m, b) && (b == 0 && m.body_geomnum[b] > 0 || m.body_weldid[b] == 0 && has_plane(b));
    let mut world = 0;
    for b1 in (0..m.nbody).filter(|&b| endless(b)) {
        for b2 in (0..m.nbody + m.nflex).filter(|&b| can_collide(m, b)) {
            let count = add(b1, b2);
            if b1 == 0 {
                world = count;
            }
        }
    }
    world
}

/// Whether any two bodies or flexes other than the world may collide, regardless of position. Robots often collide with
/// the world only.
fn any_may_meet(traits: &[BodyTraits], with_parents: bool) -> bool {
    /// With more bodies than this, only their combined contact types are tested, not each pair.
    const FEW: usize = 8;
    let others = &traits[1..];
    let bits = others.iter().fold([0; 2], |bits, t| [bits[0] | t.contype, bits[1] | t.conaffinity]);
    if bits[0] & bits[1] == 0 {
        return false;
    }
    let meets = |(i, a): (usize, &BodyTraits)| others[..i].iter().any(|b| may_meet(a, b, with_parents));
    others.len() > FEW || others.iter().enumerate().any(meets)
}

/// Principal axes, as rows, of the positions of all geoms and flex vertices outside the world body; `None` if there are
/// none.
fn principal_frame(m: &Model, pose: &Pose) -> Option<Mat3> {
    // the world's geoms come first
    let geoms = &pose.geom_xpos[m.body_geoms(0).len()..];
    let verts = pose.flexvert_xpos.iter().zip(m.flex_vertbodyid.iter()).filter(|(_, b)| **b != 0).map(|(p, _)| p);
    let count = geoms.len() + if m.nflex > 0 { verts.clone().count() } else { 0 };
    if count == 0 {
        return None;
    }
    let mut sum = [0.0; 3];
    geoms.iter().for_each(|p| sum = vec3::add(sum, *p));
    verts.clone().for_each(|p| sum = vec3::add(sum, *p));
    let inv = 1.0 / count as f64;
    let center = vec3::scale(sum, inv);
    let mut cov = [0.0; 6];
    let mut add = |p: &Vec3| {
        let [x, y, z] = vec3::sub(*p, center);
        let products = [x * x, x * y, x * z, y * y, y * z, z * z];
        cov = std::array::from_fn(|k| cov[k] + products[k]);
    };
    geoms.iter().for_each(&mut add);
    verts.for_each(&mut add);
    let [xx, xy, xz, yy, yz, zz] = cov.map(|c| c * inv);
    Some(mat3::eig(&[xx, xy, xz, xy, yy, yz, xz, yz, zz]).vectors)
}

/// Boxes of all bodies and flexes that can collide, except the world.
fn spans(m: &Model, pose: &Pose, frame: &Mat3, out: &mut SweepWork) {
    let margin = m.opt.enabled(EnableFlags::OVERRIDE).then_some(0.5 * m.opt.o_margin);
    out.spans.clear();
    let empty = SphereBox::new(frame);
    for body in (1..m.nbody).filter(|&b| can_collide(m, b)) {
        let (mut around, geoms) = (empty, m.body_geoms(body));
        let spheres = pose.geom_xpos[geoms.clone()].iter().zip(&m.geom_rbound[geoms.clone()]);
        for ((center, bound), own) in spheres.zip(&m.geom_margin[geoms]) {
            around.add(*center, *bound, margin.unwrap_or(*own));
        }
        let [low, high] = around.ends();
        out.push(body, low, high);
    }
    for f in (0..m.nflex).filter(|&f| can_collide(m, m.nbody + f)) {
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for v in flex::verts(m, f) {
            let at = mat3::mul_vec(frame, pose.flexvert_xpos[v]);
            low = std::array::from_fn(|j| low[j].min(at[j]));
            high = std::array::from_fn(|j| high[j].max(at[j]));
        }
        let reach = m.flex_radius[f] + margin.unwrap_or(m.flex_margin[f]);
        out.push(m.nbody + f, low.map(|x| x - reach), high.map(|x| x + reach));
    }
}
