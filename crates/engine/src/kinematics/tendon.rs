//! Tendon paths, lengths and Jacobians.

use super::wrap::{Obstacle, wrap};
use crate::data::{Awake, Pose, State};
use crate::model::Model;
use crate::model::enums::WrapType;
use crate::support::awake as subset;
use crate::support::cable::{Leg, Span, legs};
use crate::support::row::{RowSum, RowWork};
use crate::support::{chain, is_sparse};
use sinew_math::{Vec3, vec3};

/// Lengths, Jacobians and paths of all tendons.
///
/// *Equation*: fixed: `L = Σ c_j q_j`; spatial: `L = Σ |segment| / divisor`, with
/// `∂L/∂q = Σ uᵀ (J_end − J_start) / divisor`, `u` along the segment.
/// *Reads* `qpos`, `site_xpos`, `geom_xpos`, `geom_xmat`, `cdof`, `subtree_com`.
/// *Writes* `ten_length`, `ten_J` (with its sparsity if [`is_sparse`]), `ten_wrapadr`, `ten_wrapnum`,
/// `wrap_obj`, `wrap_xpos`.
#[doc(alias = "mj_tendon")]
pub fn tendon(m: &Model, state: &State, awake: &Awake, pose: &mut Pose, work: &mut RowWork) {
    if m.ntendon == 0 {
        return;
    }
    let skips = subset::skips_trees(m, awake);
    let sparse = is_sparse(m);
    pose.ten_length.fill(0.0);
    if sparse {
        pose.ten_J_rownnz.fill(0);
    } else {
        pose.ten_J.fill(0.0);
    }
    let mut path = Path { next: 0 };
    for i in 0..m.ntendon {
        if skips && subset::tendon_asleep(m, awake, i) {
            continue;
        }
        pose.ten_wrapadr[i] = path.next as i32;
        if sparse {
            pose.ten_J_rowadr[i] = if i > 0 { pose.ten_J_rowadr[i - 1] + pose.ten_J_rownnz[i - 1] } else { 0 };
        }
        let mut row = Row::new(work, sparse);
        if m.wrap_type(m.tendon_adr[i] as usize) == WrapType::Joint {
            fixed(m, state, pose, &mut row, i);
        } else {
            spatial(m, pose, &mut row, &mut path, i);
        }
        pose.ten_wrapnum[i] = path.next as i32 - pose.ten_wrapadr[i];
        row.store(m, pose, i);
    }
}

/// Weighted sum of joint positions.
fn fixed(m: &Model, state: &State, pose: &mut Pose, row: &mut Row, i: usize) {
    let first = m.tendon_adr[i] as usize;
    for w in first..first + m.tendon_num[i] as usize {
        let joint = m.wrap_objid[w] as usize;
        let coef = m.wrap_prm[w];
        pose.ten_length[i] += coef * state.qpos[m.jnt_qposadr[joint] as usize];
        let dof = m.jnt_dofadr[joint] as usize;
        // for a joint listed twice, a sparse row sums the coefficients, a dense one keeps the last
        match row {
            Row::Dense(values) => values[dof] = coef,
            Row::Sparse(sum) => *sum.at(dof) += coef,
        }
    }
}

/// Path through sites, around geoms and across pulleys.
#[inline]
fn spatial(m: &Model, pose: &mut Pose, row: &mut Row, path: &mut Path, i: usize) {
    for leg in legs(m, i) {
        let Leg::Span(Span { ends, around, divisor, last }) = leg else {
            path.push(pose, [0.0; 3], -2);
            continue;
        };
        let start = Point::site(m, pose, m.wrap_objid[ends[0]] as usize);
        let stop = Point::site(m, pose, m.wrap_objid[ends[1]] as usize);
        path.push(pose, start.pos, -1);
        match around.and_then(|w| touch(m, pose, w, start.pos, stop.pos).map(|touch| (m.wrap_objid[w], touch))) {
            None => {
                pose.ten_length[i] += vec3::dist(start.pos, stop.pos) / divisor;
                pull(m, pose, row, start, stop, divisor);
            }
            Some((geom, touch)) => {
                let body = m.geom_bodyid[geom as usize] as usize;
                let [on, off] = touch.points.map(|pos| Point { pos, body });
                let straight = [vec3::dist(start.pos, on.pos), vec3::dist(off.pos, stop.pos)];
                pose.ten_length[i] += (straight[0] + touch.length + straight[1]) / divisor;
                pull(m, pose, row, start, on, divisor);
                pull(m, pose, row, off, stop, divisor);
                path.push(pose, on.pos, geom);
                path.push(pose, off.pos, geom);
            }
        }
        if last {
            path.push(pose, stop.pos, -1);
        }
    }
}

/// The wrapping geom of path element `w`, and the position of its side site if it has one.
#[inline(always)]
pub fn obstacle<'a>(m: &Model, pose: &'a Pose, w: usize) -> (Obstacle<'a>, Option<Vec3>) {
    let geom = m.wrap_objid[w] as usize;
    let side = m.wrap_prm[w].round();
    let obstacle = Obstacle {
        pos: pose.geom_xpos[geom],
        mat: &pose.geom_xmat[geom],
        radius: m.geom_size[geom][0],
        cylinder: m.wrap_type(w) == WrapType::Cylinder,
    };
    (obstacle, if side >= 0.0 { pose.site_xpos.get(side as usize).copied() } else { None })
}

/// Where the path from `x0` to `x1` touches the geom of path element `w`, if it does.
#[inline(always)]
fn touch(m: &Model, pose: &Pose, w: usize, x0: Vec3, x1: Vec3) -> Option<super::wrap::Touch> {
    let (obstacle, side) = obstacle(m, pose, w);
    wrap(x0, x1, &obstacle, side)
}

/// A point of a path and the body it is fixed to.
#[derive(Clone, Copy)]
struct Point {
    pos: Vec3,
    body: usize,
}

impl Point {
    #[inline(always)]
    fn site(m: &Model, pose: &Pose, site: usize) -> Self {
        Point { pos: pose.site_xpos[site], body: m.site_bodyid[site] as usize }
    }
}

/// Adds the Jacobian of the distance from `a` to `b`, divided by `divisor`, to `row`.
#[inline]
fn pull(m: &Model, pose: &Pose, row: &mut Row, a: Point, b: Point, divisor: f64) {
    if a.body == b.body {
        return;
    }
    let dir = vec3::normalize(vec3::sub(b.pos, a.pos)).0;
    let arm = [a, b].map(|p| chain::offset(m, pose, p.body, p.pos));
    let inv = 1.0 / divisor;
    let [mut i, mut j] = [a, b].map(|p| chain::last_dof(m, p.body));
    // first the dofs that move only one of the two bodies, then their common ancestors
    while i != j {
        let first = i > j;
        let last = if first { &mut i } else { &mut j };
        let dof = *last as usize;
        *last = m.dof_parentid[dof];
        let column = chain::column(&pose.cdof[dof], arm[usize::from(!first)]);
        let column = if first { vec3::sub([0.0; 3], column) } else { column };
        row.add(dof, vec3::dot(column, dir) * inv);
    }
    while let Ok(dof) = usize::try_from(i) {
        i = m.dof_parentid[dof];
        let [from, to] = arm.map(|arm| chain::column(&pose.cdof[dof], arm));
        row.add(dof, vec3::dot(vec3::sub(to, from), dir) * inv);
    }
}

/// Jacobian row under construction.
enum Row<'a> {
    /// One value per dof.
    Dense(&'a mut [f64]),
    /// Values of the dofs added so far.
    Sparse(RowSum<'a>),
}

impl<'a> Row<'a> {
    #[inline(always)]
    fn new(work: &'a mut RowWork, sparse: bool) -> Self {
        if sparse {
            return Row::Sparse(RowSum::new(work));
        }
        work.values.fill(0.0);
        Row::Dense(&mut work.values)
    }

    #[inline(always)]
    fn add(&mut self, dof: usize, value: f64) {
        match self {
            Row::Dense(values) => values[dof] += value,
            Row::Sparse(sum) => *sum.at(dof) += value,
        }
    }

    /// Writes the row to `ten_J` as the row of tendon `i`.
    #[inline(always)]
    fn store(self, m: &Model, pose: &mut Pose, i: usize) {
        let sum = match self {
            Row::Dense(values) => return pose.ten_J[i * m.nv..][..m.nv].copy_from_slice(values),
            Row::Sparse(sum) => sum,
        };
        let mut adr = pose.ten_J_rowadr[i] as usize;
        let start = adr;
        sum.drain(|dof, value| {
            pose.ten_J_colind[adr] = dof;
            pose.ten_J[adr] = value;
            adr += 1;
        });
        pose.ten_J_rownnz[i] = (adr - start) as i32;
    }
}

/// Writer of path points, shared by all tendons.
struct Path {
    next: usize,
}

impl Path {
    /// Appends a point; `obj` is a geom id, −1 for a site, −2 for a pulley.
    #[inline]
    fn push(&mut self, pose: &mut Pose, pos: Vec3, obj: i32) {
        pose.wrap_xpos.as_flattened_mut()[3 * self.next..3 * self.next + 3].copy_from_slice(&pos);
        pose.wrap_obj.as_flattened_mut()[self.next] = obj;
        self.next += 1;
    }
}
