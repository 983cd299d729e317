//! Finds the particles that are near geoms.

use super::near::{Near, near};
use super::plan::{Held, Plan};
use super::rigid::Rigid;
use super::touch::Touch;
use crate::data::Pose;
use crate::model::Model;
use crate::model::enums::{EnableFlags, GeomType};
use crate::support::shape::{settings, with_shape};
use sinew_geometry::collide::element::{self, Element};
use sinew_geometry::collide::{Kind, Shape, Work};
use sinew_math::{Vec3, vec3};

/// A geom that a deformable may touch.
#[derive(Clone, Copy, Debug)]
pub struct Meeting {
    pub part: usize,
    pub geom: usize,
    pub friction: f64,
    /// Index into [`Seen::rigids`] of the body that carries the geom; `None` if that body is static.
    pub rigid: Option<u32>,
}

/// Capacity for contacts, per particle on average.
pub const ROOM: usize = 4;

/// All pairs of deformable and geom that may touch by contact type. Bodies that carry such geoms are appended to
/// `bodies`.
pub fn meetings(m: &Model, plan: &Plan, bodies: &mut Vec<usize>) -> Vec<Meeting> {
    let mut list = Vec::new();
    for (part, d) in plan.settings.iter().enumerate() {
        let f = d.flex;
        for geom in 0..m.ngeom {
            let shared =
                m.geom_contype[geom] & m.flex_conaffinity[f] != 0 || m.flex_contype[f] & m.geom_conaffinity[geom] != 0;
            if !shared {
                continue;
            }
            let body = m.body_weldid[m.geom_bodyid[geom] as usize] as usize;
            // mocap bodies and bodies fixed to the world have no dofs
            let rigid = (m.body_treeid[body] >= 0).then(|| {
                let at = bodies.iter().position(|&b| b == body).unwrap_or_else(|| {
                    bodies.push(body);
                    bodies.len() - 1
                });
                at as u32
            });
            list.push(Meeting { part, geom, friction: friction(m, geom, f, d.substance.friction), rigid });
        }
    }
    list
}

/// Combined friction, by the rule for geoms: that of the higher priority, otherwise the greater one.
fn friction(m: &Model, geom: usize, flex: usize, own: f64) -> f64 {
    if m.opt.enabled(EnableFlags::OVERRIDE) {
        return m.opt.o_friction[0];
    }
    let other = m.geom_friction[geom][0];
    match m.geom_priority[geom].cmp(&m.flex_priority[flex]) {
        std::cmp::Ordering::Greater => other,
        std::cmp::Ordering::Less => own,
        std::cmp::Ordering::Equal => own.max(other),
    }
}

/// Positions and motion of particles at the time of a contact search.
pub struct Seen<'a> {
    pub m: &'a Model,
    pub pose: &'a Pose,
    pub plan: &'a Plan,
    pub x: &'a [Vec3],
    pub rigids: &'a [Rigid],
    /// How far each particle may move towards a geom before the next search.
    pub reach: &'a [f64],
}

impl Seen<'_> {
    /// Adds contacts of the particles that a geom may meet. Returns how many exceeded the capacity.
    pub fn add(&self, meeting: &Meeting, touches: &mut Vec<Touch>, work: &mut Work) -> usize {
        let Seen { m, pose, plan, x, .. } = *self;
        let (g, f) = (meeting.geom, plan.settings[meeting.part].flex);
        let radius = m.flex_radius[f];
        let rigid = meeting.rigid.map(|r| &self.rigids[r as usize]);
        let settings = settings(m);
        let (center, bound) = (pose.geom_xpos[g], m.geom_rbound[g]);
        let endless = matches!(m.geom_type(g), GeomType::Plane) || bound <= 0.0;
        let mut refused = 0;
        with_shape(m, pose, g, |shape| {
            for i in plan.first[meeting.part]..plan.first[meeting.part + 1] {
                let reach = radius + self.reach[i];
                // in the body's frame at the start of the step
                let at = rigid.map_or(x[i], |r| r.uncarry(x[i]));
                let far = bound + reach;
                let gap = vec3::sub(at, center);
                if !endless && vec3::dot(gap, gap) > far * far || !matches!(plan.particles[i].held, Held::Free(_)) {
                    continue;
                }
                let Some(Near { dist, normal }) = near(shape, at, reach, &settings, work) else { continue };
                let point = vec3::add_scaled(at, normal, -dist);
                refused += self.push(touches, meeting.touch([i as u32; 3], [1.0, 0.0, 0.0], point, normal, radius));
            }
            if let Kind::Hfield(field) = &shape.kind {
                let [dx, dy] = field.spacing();
                let parts = (2.0 * plan.longest[meeting.part] / dx.min(dy)).ceil();
                refused += self.spots(meeting, shape, parts.min(MOST_SPOTS) as usize, touches, work);
            } else if pokes(shape, plan.longest[meeting.part]) {
                refused += self.sides(meeting, shape, touches, work);
            }
        });
        refused
    }

    /// Adds a contact. Returns 1 if the list was full, otherwise 0.
    fn push(&self, touches: &mut Vec<Touch>, touch: Touch) -> usize {
        let full = touches.len() >= ROOM * self.x.len();
        if !full {
            touches.push(touch);
        }
        usize::from(full)
    }

    /// Segments and triangles of a deformable that are near a geom, as if its body had not moved since the start of the
    /// step.
    fn near_sides(&self, meeting: &Meeting, shape: &Shape) -> impl Iterator<Item = Side> {
        let Seen { m, plan, x, reach, .. } = *self;
        let (radius, longest) = (m.flex_radius[plan.settings[meeting.part].flex], plan.longest[meeting.part]);
        let rigid = meeting.rigid.map(|r| &self.rigids[r as usize]);
        let (pos, bound) = (shape.pos, shape.rbound);
        let sides = &plan.sides[plan.first_side[meeting.part]..plan.first_side[meeting.part + 1]];
        sides.iter().filter_map(move |&at| {
            let count = if at[1] == at[2] { 2 } else { 3 };
            let corners = at.map(|i| rigid.map_or(x[i as usize], |r| r.uncarry(x[i as usize])));
            let center =
                vec3::scale(corners[..count].iter().fold([0.0; 3], |a, &b| vec3::add(a, b)), 1.0 / count as f64);
            let reach = at.iter().fold(0.0, |a: f64, &i| a.max(reach[i as usize]));
            let far = bound + longest + radius + reach;
            let gap = vec3::sub(center, pos);
            let near = bound <= 0.0 || vec3::dot(gap, gap) <= far * far;
            let carried = at.iter().any(|i| plan.particles[*i as usize].held.carrier().is_some());
            (near && !carried).then_some(Side { at, corners, count, center, reach, radius })
        })
    }

    /// Adds contacts of points between particles (on segments and triangles) that a geom may meet.
    fn sides(&self, meeting: &Meeting, shape: &Shape, touches: &mut Vec<Touch>, work: &mut Work) -> usize {
        let settings = settings(self.m);
        let mut refused = 0;
        for side in self.near_sides(meeting, shape) {
            let (points, radius) = (&side.corners[..side.count], side.radius);
            element::shape(shape, &Element { points, center: side.center, radius }, side.reach, &settings, work);
            for c in work.contacts.iter().take(MOST_OF_SIDE) {
                let share = shares(vec3::add_scaled(c.pos, c.normal, 0.5 * c.dist + radius), points);
                // points at a corner are found by the search over particles
                if share.iter().any(|s| *s > AT_CORNER) {
                    continue;
                }
                let point = vec3::add_scaled(c.pos, c.normal, -0.5 * c.dist);
                refused += self.push(touches, meeting.touch(side.at, share, point, c.normal, radius));
            }
        }
        refused
    }

    /// Adds the deepest point of each side near a height field with finer cells, among points that divide each edge
    /// into `parts` intervals. The general colliders are not used, because they also see the vertical walls between
    /// cells of a field.
    fn spots(
        &self,
        meeting: &Meeting,
        shape: &Shape,
        parts: usize,
        touches: &mut Vec<Touch>,
        work: &mut Work,
    ) -> usize {
        let settings = settings(self.m);
        let mut refused = 0;
        for side in self.near_sides(meeting, shape) {
            let mut deepest: Option<(Near, [f64; 3], Vec3)> = None;
            for i in 0..=parts {
                for j in 0..=if side.count == 3 { parts - i } else { 0 } {
                    let share = [parts - i - j, i, j].map(|k| k as f64 / parts as f64);
                    let at = (0..3).fold([0.0; 3], |at, k| vec3::add_scaled(at, side.corners[k], share[k]));
                    let found = near(shape, at, side.radius + side.reach, &settings, work);
                    if let Some(found) = found
                        && share.iter().all(|s| *s < AT_CORNER)
                        && deepest.is_none_or(|(other, ..)| found.dist < other.dist)
                    {
                        deepest = Some((found, share, at));
                    }
                }
            }
            if let Some((Near { dist, normal }, share, at)) = deepest {
                let point = vec3::add_scaled(at, normal, -dist);
                refused += self.push(touches, meeting.touch(side.at, share, point, normal, side.radius));
            }
        }
        refused
    }
}

/// A segment or triangle between particles.
struct Side {
    at: [u32; 3],
    corners: [Vec3; 3],
    /// Number of corners.
    count: usize,
    center: Vec3,
    reach: f64,
    radius: f64,
}

/// Maximum number of intervals an edge is divided into.
const MOST_SPOTS: f64 = 16.0;
/// Maximum number of contacts kept between a side and a geom.
const MOST_OF_SIDE: usize = 4;
/// A point with a barycentric weight above this counts as the corner itself.
const AT_CORNER: f64 = 0.95;
/// Spheres and capsules whose radius is at least this many edge lengths cannot pass between particles.
const SMOOTH: f64 = 1.0;

impl Meeting {
    fn touch(&self, at: [u32; 3], share: [f64; 3], point: Vec3, normal: Vec3, radius: f64) -> Touch {
        let Meeting { rigid, friction, .. } = *self;
        Touch { at, share, rigid, point, normal, radius, friction, press: 0.0, drag: [0.0; 3] }
    }
}

/// Whether a geom can pass between particles that are at most `longest` apart.
fn pokes(shape: &Shape, longest: f64) -> bool {
    match shape.kind {
        Kind::Plane => false,
        Kind::Sphere | Kind::Capsule => shape.size[0] < SMOOTH * longest,
        _ => true,
    }
}

/// Barycentric weights of `p` projected on a segment or triangle; outside it, those of an approximately nearest point.
fn shares(p: Vec3, corners: &[Vec3]) -> [f64; 3] {
    let [u, d] = [vec3::sub(corners[1], corners[0]), vec3::sub(p, corners[0])];
    let (uu, ud) = (vec3::dot(u, u), vec3::dot(u, d));
    let Some(last) = corners.get(2) else {
        let t = if uu > 0.0 { (ud / uu).clamp(0.0, 1.0) } else { 0.0 };
        return [1.0 - t, t, 0.0];
    };
    let v = vec3::sub(*last, corners[0]);
    let (vv, uv, vd) = (vec3::dot(v, v), vec3::dot(u, v), vec3::dot(v, d));
    let size = uu * vv - uv * uv;
    if size <= 0.0 {
        return [1.0, 0.0, 0.0];
    }
    let (b, c) = ((vv * ud - uv * vd) / size, (uu * vd - uv * ud) / size);
    let all = [1.0 - b - c, b, c].map(|s| s.max(0.0));
    all.map(|s| s / all.iter().sum::<f64>())
}
