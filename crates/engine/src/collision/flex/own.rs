//! Self-collision of flexes.

use super::element::{Corners, is_active};
use super::{Finder, query};
use crate::collision::param::{self, Owner};
use crate::data::Contact;
use crate::model::enums::FlexSelf;
use crate::support::flex;
use sinew_geometry::collide::{self, element as collider};
use sinew_math::vec3;

/// Corners of each face of a tetrahedron, followed by the opposite corner.
const FACES: [[usize; 4]; 4] = [[0, 1, 2, 3], [0, 2, 3, 1], [0, 3, 1, 2], [1, 3, 2, 0]];

impl Finder<'_> {
    /// Contacts of a flex with itself. Margins and gaps are ignored: neighbours would always be in contact.
    pub(super) fn own(&mut self, f: usize) {
        let m = self.m;
        let both = [Owner::Flex(f); 2];
        let common = Contact { includemargin: 0.0, ..param::of_owners(m, both, 0.0) };
        if m.flex_internal[f] != 0 {
            self.neighbours(f, &common);
            if m.flex_dim[f] == 3 {
                self.inverted(f, &Contact { dim: 1, ..common });
            }
        }
        if m.flex_selfcollide[f] == FlexSelf::None as i32 {
            return;
        }
        let count = m.flex_elemnum[f] as usize;
        if m.flex_selfcollide[f] == FlexSelf::Narrow as i32 || !self.has_tree(f) {
            for e1 in (0..count).filter(|&e| is_active(m, f, e)) {
                for e2 in (e1 + 1..count).filter(|&e| is_active(m, f, e)) {
                    self.elements([f; 2], [e1, e2], 0.0, &common);
                }
            }
            return;
        }
        let mode = m.flex_selfcollide[f];
        if mode == FlexSelf::Bvh as i32 || mode == FlexSelf::Auto as i32 && m.flex_dim[f] == 3 {
            query::near_itself(m, self.pose, f, self.query);
        } else {
            query::sweep_itself(m, self.pose, f, self.query);
        }
        for k in 0..self.query.pairs.len() {
            self.near_elements([f; 2], query::unpair(self.query.pairs[k]), 0.0, &common);
        }
    }

    /// Contacts of elements with the unshared vertices of their neighbours.
    fn neighbours(&mut self, f: usize, common: &Contact) {
        let (m, pose) = (self.m, self.pose);
        let Ok(start) = usize::try_from(m.flex_evpairadr[f]) else { return };
        let radius = m.flex_radius[f];
        let reach = super::margin(m, m.flex_margin[f]) + radius;
        for k in start..start + m.flex_evpairnum[f] as usize {
            let [e, v] = m.flex_evpair[k];
            let at = pose.flexvert_xpos[m.flex_vertadr[f] as usize + v as usize];
            let aabb = &pose.flexelem_aabb[(m.flex_elemadr[f] + e) as usize];
            let around = [at[0], at[1], at[2], reach, reach, reach];
            if !query::overlap(aabb, &around, 0.0) || !self.has_room() {
                continue;
            }
            let corners = Corners::new(m, pose, f, e as usize);
            collider::vertex(at, radius, &corners.element(), self.settings, self.colliders);
            self.add(common, |c| (c.elem, c.vert) = ([-1, e], [v, -1]));
        }
    }

    /// Contacts that keep tetrahedra from inverting: corners about to cross the opposite face.
    fn inverted(&mut self, f: usize, common: &Contact) {
        let (m, pose) = (self.m, self.pose);
        let radius = m.flex_radius[f];
        let first = m.flex_vertadr[f] as usize;
        for (e, (_, verts)) in flex::elems(m, f).enumerate() {
            for face in FACES {
                let [a, b, c, corner] = face.map(|k| pose.flexvert_xpos[first + verts[k] as usize]);
                let outward = vec3::normalize(vec3::cross(vec3::sub(b, a), vec3::sub(c, a))).0;
                let height = vec3::dot(vec3::sub(corner, a), outward);
                if height <= -2.0 * radius || !self.has_room() {
                    continue;
                }
                self.colliders.contacts.clear();
                self.colliders.contacts.push(collide::Contact {
                    dist: -height - 2.0 * radius,
                    pos: vec3::add_scaled(corner, outward, -0.5 * height),
                    normal: vec3::scale(outward, -1.0),
                    tangent: [0.0; 3],
                });
                self.add(common, |c| (c.elem, c.vert) = ([e as i32, -1], [-1, verts[face[3]]]));
            }
        }
    }
}
