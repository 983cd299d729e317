//! Pressure on a body within a site.

use super::Inputs;
use super::contact::bodies;
use crate::support::contact::contact_force;
use crate::support::ray::{Frame, Ray, ray_shape};
use sinew_math::vec3;

/// Sum of the normal forces on the site's body of contacts whose normal, followed from the contact towards the
/// other body, meets the site.
pub fn touch(x: &Inputs, site: usize) -> f64 {
    let m = x.m;
    let kind = m.site_type(site);
    let body = m.site_bodyid[site];
    let frame = Frame { pos: x.pose.site_xpos[site], mat: &x.pose.site_xmat[site] };
    let mut sum = 0.0;
    for contact in x.contact.iter().filter(|c| c.efc_address >= 0) {
        let pair = bodies(m, contact);
        if !pair.contains(&body) {
            continue;
        }
        let force = contact_force(m, contact, x.solution)[0];
        if force <= 0.0 {
            continue;
        }
        let [nx, ny, nz, ..] = contact.frame;
        let along = vec3::normalize(vec3::scale([nx, ny, nz], force)).0;
        let dir = if pair[1] == body { vec3::scale(along, -1.0) } else { along };
        if ray_shape(kind, frame, m.site_size[site], Ray { origin: contact.pos, dir }).is_some() {
            sum += force;
        }
    }
    sum
}
