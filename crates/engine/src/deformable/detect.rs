//! Which particles are near which geoms.

use super::near::{Near, near};
use super::plan::{Held, Plan};
use super::rigid::Rigid;
use super::touch::Touch;
use crate::data::Pose;
use crate::model::Model;
use crate::model::enums::{EnableFlags, GeomType};
use crate::support::shape::{settings, with_shape};
use sinew_geometry::collide::Work;
use sinew_math::{Vec3, vec3};

/// A geom that a deformable may touch.
#[derive(Clone, Copy, Debug)]
pub struct Meeting {
    pub part: usize,
    pub geom: usize,
    pub friction: f64,
    /// Which of the bodies near deformables carries the geom.
    pub rigid: Option<u32>,
}

/// Contacts of a particle there is room for, on average.
pub const ROOM: usize = 3;

/// All geoms that deformables may touch by contact types, and the bodies that carry them, after those in `bodies`.
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
            let rigid = (body != 0 && m.body_dofnum[body] > 0 || moves(m, body)).then(|| {
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

/// Whether a body has dofs of its own or above it.
fn moves(m: &Model, body: usize) -> bool {
    m.body_treeid[body] >= 0
}

/// Friction as geoms mix it: that of the higher priority, else the greater.
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

/// Positions and motion of particles when contacts are looked for.
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
    /// Adds the particles that a geom may meet. Returns how many found no room.
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
                // as if the body had not moved since the step began
                let at = rigid.map_or(x[i], |r| r.uncarry(x[i]));
                let far = bound + reach;
                let gap = vec3::sub(at, center);
                if !endless && vec3::dot(gap, gap) > far * far || !matches!(plan.particles[i].held, Held::Free(_)) {
                    continue;
                }
                let Some(Near { dist, normal }) = near(shape, at, reach, &settings, work) else { continue };
                if touches.len() == touches.capacity() {
                    refused += 1;
                    continue;
                }
                touches.push(Touch {
                    particle: i as u32,
                    rigid: meeting.rigid,
                    geom: g as u32,
                    point: vec3::add_scaled(at, normal, -dist),
                    normal,
                    radius,
                    friction: meeting.friction,
                    press: 0.0,
                    drag: [0.0; 3],
                });
            }
        });
        refused
    }
}
