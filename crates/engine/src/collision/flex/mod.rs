//! Contacts of flexes: with geoms, with other flexes, with themselves.
//!
//! The broad phase treats flexes as additional bodies and emits a [`Task`] for each pair with a flex. Tasks are
//! processed together with the geom pairs, in the order in which they were found.

mod element;
mod own;
mod query;

use super::{margin, param};
use crate::data::{Contact, Pose};
use crate::model::Model;
use crate::model::enums::{DisableFlags, FlexSelf, GeomType};
use crate::support::flex;
use crate::support::shape::with_shape;
use element::Corners;
use param::Owner;
pub use query::QueryWork;
use sinew_geometry::collide::{self, Settings, element as collider};
use sinew_math::{mat3, vec3};

/// A pair that involves a flex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// The geoms of a body with a flex.
    Body(usize, usize),
    /// Two flexes.
    Flexes(usize, usize),
    /// A flex with itself.
    Own(usize),
}

/// Whether a flex can collide with itself at all.
pub fn meets_itself(m: &Model, f: usize) -> bool {
    let wanted = m.flex_internal[f] != 0 || m.flex_selfcollide[f] != FlexSelf::None as i32;
    m.flex_rigid[f] == 0 && !m.extension().deforms(f) && m.flex_contype[f] & m.flex_conaffinity[f] != 0 && wanted
}

/// A contact search: its inputs, buffers and output.
pub struct Finder<'a> {
    pub m: &'a Model,
    pub pose: &'a Pose,
    pub settings: &'a Settings,
    pub contact: &'a mut Vec<Contact>,
    pub colliders: &'a mut collide::Work,
    pub query: &'a mut QueryWork,
    /// A pair is dropped if there are already more contacts than this; `None` if there is no room for any.
    pub most: Option<usize>,
    /// Number of pairs dropped for lack of room.
    pub refused: usize,
}

impl Finder<'_> {
    /// Adds the contacts of a task.
    pub fn run(&mut self, task: Task) {
        match task {
            Task::Body(b, f) => self.m.body_geoms(b).for_each(|g| self.geom(g, f)),
            Task::Flexes(f1, f2) => self.flexes(f1, f2),
            Task::Own(f) => self.own(f),
        }
    }

    /// Whether there is room for the contacts of another pair; if not, counts the pair as dropped.
    pub fn has_room(&mut self) -> bool {
        let room = self.most.is_some_and(|most| self.contact.len() <= most);
        self.refused += usize::from(!room);
        room
    }

    /// Whether a flex has a bounding volume hierarchy that is updated each step.
    fn has_tree(&self, f: usize) -> bool {
        !self.m.opt.disabled(DisableFlags::MIDPHASE) && self.m.flex_bvhadr[f] >= 0
    }

    fn geom(&mut self, g: usize, f: usize) {
        let (m, pose) = (self.m, self.pose);
        let bits = |contype: &[i32], affinity: &[i32], i: usize| [contype[i], affinity[i]];
        let (a, b) = (bits(&m.geom_contype, &m.geom_conaffinity, g), bits(&m.flex_contype, &m.flex_conaffinity, f));
        let (plane, body) = (m.geom_type[g] == GeomType::Plane as i32, m.geom_bodyid[g]);
        // with a tree search, MuJoCo collides all planes of a body that may touch the flex, ignoring contact types
        let admitted = plane && self.has_tree(f) && m.body_bvhadr[body as usize] >= 0;
        if !admitted && !super::filter::share_bits(a, b) {
            return;
        }
        let margin = margin(m, m.geom_margin[g] + m.flex_margin[f]);
        let common = param::of_owners(m, [Owner::Geom(g), Owner::Flex(f)], margin);
        if plane {
            return self.plane(g, f, margin, &common);
        }
        if self.has_tree(f) {
            query::near_geom(m, pose, [f, g], margin, self.query);
        } else {
            self.query.all(m.flex_elemnum[f] as usize);
        }
        for k in 0..self.query.elems.len() {
            let e = self.query.elems[k] as usize;
            if element::bodies(m, f, e).contains(&body) || !self.has_room() {
                continue;
            }
            let corners = Corners::new(m, pose, f, e);
            let Finder { settings, colliders, .. } = self;
            let found = with_shape(m, pose, g, |a| collider::shape(a, &corners.element(), margin, settings, colliders));
            if found.is_some() {
                self.add(&common, |c| c.elem = [-1, e as i32]);
            }
        }
    }

    /// Contacts of a plane with all vertices near it.
    fn plane(&mut self, g: usize, f: usize, margin: f64, common: &Contact) {
        let (m, pose) = (self.m, self.pose);
        let (origin, normal) = (pose.geom_xpos[g], mat3::col(&pose.geom_xmat[g], 2));
        let radius = m.flex_radius[f];
        for (i, v) in flex::verts(m, f).enumerate() {
            let at = pose.flexvert_xpos[v];
            let height = vec3::dot(vec3::sub(at, origin), normal);
            if height > margin + radius || !self.has_room() {
                continue;
            }
            let dist = height - radius;
            let pos = vec3::add_scaled(at, normal, -0.5 * dist - radius);
            self.colliders.contacts.clear();
            self.colliders.contacts.push(collide::Contact { dist, pos, normal, tangent: [0.0; 3] });
            self.add(common, |c| c.vert = [-1, i as i32]);
        }
    }

    fn flexes(&mut self, f1: usize, f2: usize) {
        let m = self.m;
        let margin = margin(m, m.flex_margin[f1] + m.flex_margin[f2]);
        let common = param::of_owners(m, [Owner::Flex(f1), Owner::Flex(f2)], margin);
        if self.has_tree(f1) && self.has_tree(f2) {
            query::near_each_other(m, self.pose, [f1, f2], margin, self.query);
            for k in 0..self.query.pairs.len() {
                self.elements([f1, f2], query::unpair(self.query.pairs[k]), margin, &common);
            }
            return;
        }
        for e1 in 0..m.flex_elemnum[f1] as usize {
            for e2 in 0..m.flex_elemnum[f2] as usize {
                self.elements([f1, f2], [e1, e2], margin, &common);
            }
        }
    }

    /// Contacts of two elements, unless they are far apart or share a body.
    fn elements(&mut self, flexes: [usize; 2], elems: [usize; 2], margin: f64, common: &Contact) {
        let (m, pose) = (self.m, self.pose);
        let aabb = |k: usize| &pose.flexelem_aabb[m.flex_elemadr[flexes[k]] as usize + elems[k]];
        if !query::overlap(aabb(0), aabb(1), margin) {
            return;
        }
        let [a, b] = [0, 1].map(|k| element::bodies(m, flexes[k], elems[k]));
        if !element::share(&a, &b) {
            self.near_elements(flexes, elems, margin, common);
        }
    }

    /// Contacts of two elements, without a box test.
    fn near_elements(&mut self, flexes: [usize; 2], elems: [usize; 2], margin: f64, common: &Contact) {
        if !self.has_room() {
            return;
        }
        let a = Corners::new(self.m, self.pose, flexes[0], elems[0]);
        let b = Corners::new(self.m, self.pose, flexes[1], elems[1]);
        collider::pair(&a.element(), &b.element(), margin, self.settings, self.colliders);
        self.add(common, |c| c.elem = elems.map(|e| e as i32));
    }

    /// Adds the contacts that a collider found; `name` fills in the element and vertex ids.
    fn add(&mut self, common: &Contact, name: impl FnOnce(&mut Contact)) {
        if !self.colliders.contacts.is_empty() {
            let mut common = *common;
            name(&mut common);
            param::add(self.contact, &common, &self.colliders.contacts);
        }
    }
}
