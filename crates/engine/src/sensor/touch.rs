//! Touch sensor: contact normal forces on a body within a site.

use super::Inputs;
use super::contact::bodies;
use crate::data::{Contact, Pose, Solution};
use crate::model::Model;
use crate::support::contact::contact_force;
use crate::support::ray::{Frame, Ray, ray_shape};
use sinew_math::vec3;

/// Sum of the normal forces of those contacts of the site's body for which a ray from the contact point along the
/// normal, towards the other body, intersects the site.
pub fn touch(x: &Inputs, site: usize) -> f64 {
    let felt = x.contact.iter().filter_map(|contact| felt(x.m, x.pose, x.solution, contact, site));
    felt.fold(0.0, |sum, force| sum + force)
}

/// Normal force of a contact, if the site senses it.
pub fn felt(m: &Model, pose: &Pose, solution: &Solution, contact: &Contact, site: usize) -> Option<f64> {
    let body = m.site_bodyid[site];
    let pair = bodies(m, contact);
    if contact.efc_address < 0 || !pair.contains(&body) {
        return None;
    }
    let force = contact_force(m, contact, solution)[0];
    if force <= 0.0 {
        return None;
    }
    let [nx, ny, nz, ..] = contact.frame;
    let along = vec3::normalize(vec3::scale([nx, ny, nz], force)).0;
    let dir = if pair[1] == body { vec3::scale(along, -1.0) } else { along };
    let frame = Frame { pos: pose.site_xpos[site], mat: &pose.site_xmat[site] };
    let ray = Ray { origin: contact.pos, dir };
    ray_shape(m.site_type(site), frame, m.site_size[site], ray).map(|_| force)
}
