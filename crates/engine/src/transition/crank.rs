//! Transmissions between two sites: slider-cranks, and sites with a reference site.

use super::lever::Lever;
use super::path::group;
use crate::data::{Data, Pose};
use crate::model::Model;
use crate::support::chain::{Shared, column, merged, offset};
use crate::transition::lever::related;
use sinew_math::spatial::rot;
use sinew_math::{Vec3, mat3, quat, vec3};

/// Velocity of a point per unit velocity of dof `i`.
pub(super) fn field(m: &Model, pose: &Pose, i: usize, point: Vec3) -> Vec3 {
    column(&pose.cdof[i], offset(m, pose, m.dof_bodyid[i] as usize, point))
}

/// Whether the axis of dof `i` rotates as dof `j` moves.
fn turns_with(m: &Model, i: usize, j: usize) -> bool {
    (j < i && related(m, i, j)) || group(m, i) == group(m, j)
}

/// `∂c_i/∂q_j` at a point that moves by `shift` per unit of dof `j`.
pub(super) fn field_change(m: &Model, pose: &Pose, [i, j]: [usize; 2], point: Vec3, shift: Vec3) -> Vec3 {
    let [wi, wj] = [i, j].map(|dof| rot(&pose.cdof[dof]));
    let swept = vec3::cross(wi, shift);
    if !turns_with(m, i, j) {
        return swept;
    }
    let carried = vec3::cross(wi, field(m, pose, j, point));
    vec3::add(swept, vec3::sub(vec3::cross(wj, field(m, pose, i, point)), carried))
}

/// `∂ω_i/∂q_j`.
fn axis_change(m: &Model, pose: &Pose, i: usize, j: usize) -> Vec3 {
    if turns_with(m, i, j) { vec3::cross(rot(&pose.cdof[j]), rot(&pose.cdof[i])) } else { [0.0; 3] }
}

/// The two sites of an actuator, the reference first.
struct Sites {
    bodies: [usize; 2],
    points: [Vec3; 2],
    ids: [usize; 2],
}

impl Sites {
    fn of(m: &Model, d: &Data, i: usize) -> Self {
        let ids = [m.actuator_trnid[i][1] as usize, m.actuator_trnid[i][0] as usize];
        Sites { bodies: ids.map(|s| m.site_bodyid[s] as usize), points: ids.map(|s| d.pose.site_xpos[s]), ids }
    }

    /// Motion of each site per unit of a dof.
    fn shifts(&self, m: &Model, pose: &Pose, s: &Shared) -> [Vec3; 2] {
        [0, 1].map(|k| if s.moves[k] { field(m, pose, s.dof, self.points[k]) } else { [0.0; 3] })
    }

    /// Dofs that move exactly one of the sites; the others do not change the relative pose.
    fn movers<'a>(&self, m: &'a Model) -> impl Iterator<Item = Shared> + 'a {
        merged(m, self.bodies[0], self.bodies[1]).filter(|s| s.moves != [true, true])
    }
}

/// A wrench `(f, t)` fixed to the reference site acts on the site, its opposite on the reference:
/// `J_i = ±(f · c_i + t · ω_i)`.
pub(super) fn site_pair(m: &Model, d: &Data, i: usize, lever: &mut Lever) {
    let (sites, gear) = (Sites::of(m, d, i), &m.actuator_gear[i]);
    let mat = &d.pose.site_xmat[sites.ids[0]];
    let force = mat3::mul_vec(mat, [gear[0], gear[1], gear[2]]);
    let torque = mat3::mul_vec(mat, [gear[3], gear[4], gear[5]]);
    let side = |s: &Shared| if s.moves[1] { (1, 1.0) } else { (0, -1.0) };
    // dofs that move both sites have no moment, but may have a slope; see `turn_slopes`
    let all = || merged(m, sites.bodies[0], sites.bodies[1]);
    lever.set(all().map(|s| {
        let (k, sign) = side(&s);
        let along = vec3::dot(field(m, &d.pose, s.dof, sites.points[k]), force);
        let moment = sign * (along + vec3::dot(rot(&d.pose.cdof[s.dof]), torque));
        (s.dof, if s.moves == [true, true] { 0.0 } else { moment })
    }));
    lever.bend();
    let spin = turn_slopes(m, d, i, &sites);
    let way = vec3::sub(sites.points[1], sites.points[0]);
    for (slot, s) in all().enumerate() {
        let w = rot(&d.pose.cdof[s.dof]);
        let mut moved = if s.moves[0] { vec3::cross(way, w) } else { [0.0; 3] };
        let mut turned = [0.0; 3];
        for (k, sign) in [(0, -1.0), (1, 1.0)].into_iter().filter(|e| s.moves[e.0]) {
            moved = vec3::add_scaled(moved, field(m, &d.pose, s.dof, sites.points[k]), sign);
            turned = vec3::add(turned, spin[k]);
        }
        lever.slope[slot] = vec3::dot(force, moved) + vec3::dot(turned, w);
    }
    for j in sites.movers(m) {
        let wj = rot(&d.pose.cdof[j.dof]);
        let shifts = sites.shifts(m, &d.pose, &j);
        for i in sites.movers(m) {
            let (k, sign) = side(&i);
            let mut change = vec3::dot(force, field_change(m, &d.pose, [i.dof, j.dof], sites.points[k], shifts[k]))
                + vec3::dot(torque, axis_change(m, &d.pose, i.dof, j.dof));
            if j.moves[0] {
                change += vec3::dot(vec3::cross(wj, force), field(m, &d.pose, i.dof, sites.points[k]))
                    + vec3::dot(vec3::cross(wj, torque), rot(&d.pose.cdof[i.dof]));
            }
            lever.add_curve(i.dof, j.dof, sign * change);
        }
    }
}

/// Derivative of the angle between the sites, along the gear, as the body of each rotates about the world axes. MuJoCo
/// multiplies the orientations of site and body in the opposite order, so the angle also changes when both rotate
/// together.
fn turn_slopes(m: &Model, d: &Data, i: usize, sites: &Sites) -> [Vec3; 2] {
    let gear: Vec3 = std::array::from_fn(|k| m.actuator_gear[i][3 + k]);
    let of = |k: usize| quat::mul(m.site_quat[sites.ids[k]], d.pose.xquat[sites.bodies[k]]);
    let [reference, own] = [of(0), of(1)];
    let by = quat::sub_derivative(own, reference);
    let local = [vec3::scale(mat3::mul_vec(&by, gear), -1.0), mat3::mul_vec_t(&by, gear)];
    [0, 1].map(|k| {
        let world = quat::rotate([reference, own][k], local[k]);
        quat::rotate(quat::conj(m.site_quat[sites.ids[k]]), world)
    })
}

/// Position of a slider along its axis `a`, given the vector `v` to the crank: its gradients with respect to `a` and
/// `v`, and their derivatives.
struct Rod {
    axis: Vec3,
    vec: Vec3,
    along: f64,
    /// Zero if the crank is out of reach.
    root: f64,
}

impl Rod {
    fn gradients(&self) -> [Vec3; 2] {
        let Rod { axis, vec, along, root } = *self;
        if root == 0.0 {
            return [vec, axis];
        }
        let k = 1.0 - along / root;
        [vec3::scale(vec, k), vec3::add(vec3::scale(axis, k), vec3::scale(vec, 1.0 / root))]
    }

    /// Changes of the gradients for changes of the axis and of the vector.
    fn changes(&self, axis: Vec3, vec: Vec3) -> [Vec3; 2] {
        if self.root == 0.0 {
            return [vec, axis];
        }
        let (k, inv) = (1.0 - self.along / self.root, 1.0 / self.root);
        let along = vec3::dot(vec, self.axis) + vec3::dot(self.vec, axis);
        let root = (self.along * along - vec3::dot(self.vec, vec)) * inv;
        let dk = (self.along * root * inv - along) * inv;
        let by_axis = vec3::add(vec3::scale(self.vec, dk), vec3::scale(vec, k));
        let turned = vec3::add(vec3::scale(self.axis, dk), vec3::scale(axis, k));
        [by_axis, vec3::add(turned, vec3::scale(vec3::add_scaled(vec, self.vec, -root * inv), inv))]
    }
}

/// A crank with a rod whose other end slides along the axis of a site: `l = a·v − √((a·v)² + r² − v·v)`.
pub(super) fn slider_crank(m: &Model, d: &Data, i: usize, lever: &mut Lever) {
    let sites = Sites::of(m, d, i);
    let (axis, vec) = (mat3::col(&d.pose.site_xmat[sites.ids[0]], 2), vec3::sub(sites.points[1], sites.points[0]));
    let along = vec3::dot(vec, axis);
    let det = along * along + m.actuator_cranklength[i].powi(2) - vec3::dot(vec, vec);
    let rod = Rod { axis, vec, along, root: det.max(0.0).sqrt() };
    let [by_axis, by_vec] = rod.gradients();
    // motion of the axis and of the vector between the sites
    let moved = |s: &Shared| {
        let [from, to] = sites.shifts(m, &d.pose, s);
        let turn = if s.moves[0] { vec3::cross(rot(&d.pose.cdof[s.dof]), axis) } else { [0.0; 3] };
        [turn, vec3::sub(to, from)]
    };
    lever.set(sites.movers(m).map(|s| {
        let [turn, way] = moved(&s);
        (s.dof, vec3::dot(by_axis, turn) + vec3::dot(by_vec, way))
    }));
    lever.bend();
    for j in sites.movers(m) {
        let [turn, way] = moved(&j);
        let ([axis_j, vec_j], shifts) = (rod.changes(turn, way), sites.shifts(m, &d.pose, &j));
        for i in sites.movers(m) {
            let ([turn_i, way_i], wi) = (moved(&i), rot(&d.pose.cdof[i.dof]));
            let mut change = vec3::dot(axis_j, turn_i) + vec3::dot(vec_j, way_i);
            for (k, sign) in [(0, -1.0), (1, 1.0)].into_iter().filter(|e| i.moves[e.0]) {
                let field = field_change(m, &d.pose, [i.dof, j.dof], sites.points[k], shifts[k]);
                change += sign * vec3::dot(by_vec, field);
            }
            if i.moves[0] {
                let turned = vec3::cross(axis_change(m, &d.pose, i.dof, j.dof), axis);
                change += vec3::dot(by_axis, vec3::add(turned, vec3::cross(wi, turn)));
            }
            lever.add_curve(i.dof, j.dof, change);
        }
    }
    lever.scale(m.actuator_gear[i][0]);
}
