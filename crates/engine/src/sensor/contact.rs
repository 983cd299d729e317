//! Contact sensor: contacts that match a rule, reduced to a fixed number of slots.

use super::Inputs;
use super::pos::inside_site;
use crate::data::Contact;
use crate::model::Model;
use crate::model::enums::{ConDataField as Field, ObjType};
use crate::support::contact::contact_force;
use sinew_math::spatial::Vec6;
use sinew_math::{MINVAL, Vec3, mat3, vec3};

const MINDIST: i32 = 1;
const MAXFORCE: i32 = 2;
const NETFORCE: i32 = 3;

/// Bodies of the two geoms of a contact; −1 for a flex.
pub fn bodies(m: &Model, contact: &Contact) -> [i32; 2] {
    contact.geom.map(|g| usize::try_from(g).map_or(-1, |g| m.geom_bodyid[g]))
}

/// A matching contact; `flip` if its first object is the sensor's second.
#[derive(Clone, Copy)]
struct Match<'a> {
    index: usize,
    contact: &'a Contact,
    flip: bool,
}

/// One side of the rule: an object that must be part of the contact, or none.
#[derive(Clone, Copy)]
struct Side {
    kind: ObjType,
    id: i32,
}

impl Side {
    fn new(kind: i32, id: i32) -> Self {
        Side { kind: ObjType::try_from(kind).unwrap_or(ObjType::Unknown), id }
    }

    fn is_given(self) -> bool {
        self.kind != ObjType::Unknown
    }

    /// Whether a geom and its body are, or belong to, the object; sites are tested before.
    fn matches(self, m: &Model, mut body: i32, geom: i32) -> bool {
        match self.kind {
            ObjType::Unknown | ObjType::Site => true,
            ObjType::Geom => geom == self.id,
            ObjType::Body => body == self.id,
            ObjType::Xbody => {
                while body > self.id {
                    body = m.body_parentid[body as usize];
                }
                body == self.id
            }
            _ => false,
        }
    }
}

/// Whether the normal of a contact points from the second object to the first; `None` if the contact does not match.
fn direction(x: &Inputs, contact: &Contact, [first, second]: [Side; 2]) -> Option<bool> {
    if !first.is_given() && !second.is_given() {
        return Some(false);
    }
    if first.kind == ObjType::Site && !inside_site(x, first.id as usize, contact.pos) {
        return None;
    }
    let bodies = bodies(x.m, contact);
    let [f, s] = [first, second].map(|side| [0, 1].map(|k| side.matches(x.m, bodies[k], contact.geom[k])));
    if !(f[0] || f[1]) || !(s[0] || s[1]) {
        return None;
    }
    match (first.is_given(), second.is_given()) {
        (true, true) if f[0] && s[1] => Some(false),
        (true, true) => (f[1] && s[0]).then_some(true),
        (true, false) => Some(!f[0]),
        _ => Some(!s[1]),
    }
}

fn matching<'a>(x: &Inputs<'a>, i: usize) -> impl Iterator<Item = Match<'a>> {
    let (m, x) = (x.m, *x);
    let sides = [Side::new(m.sensor_objtype[i], m.sensor_objid[i]), Side::new(m.sensor_reftype[i], m.sensor_refid[i])];
    x.contact
        .iter()
        .enumerate()
        .filter_map(move |(index, contact)| direction(&x, contact, sides).map(|flip| Match { index, contact, flip }))
}

/// Writes the requested fields of the contacts that match sensor `i`, slot by slot; unused slots are zero.
pub fn contact(x: &Inputs, i: usize, out: &mut [f64]) {
    let [fields, reduce, ..] = x.m.sensor_intprm[i];
    out.fill(0.0);
    let found = matching(x, i).count();
    if reduce == NETFORCE {
        return net_force(x, i, found, &mut Sheet { fields, out });
    }
    let mut sheet = Sheet { fields, out };
    if reduce == MINDIST || reduce == MAXFORCE {
        return sorted(x, i, found, &mut sheet);
    }
    for c in matching(x, i) {
        if sheet.out.is_empty() {
            break;
        }
        slot(x, c, found, &mut sheet);
    }
}

/// Fills the slots with the nearest contacts, or those with the largest forces.
fn sorted(x: &Inputs, i: usize, found: usize, sheet: &mut Sheet) {
    let by_distance = x.m.sensor_intprm[i][1] == MINDIST;
    let criterion = |c: &Match| {
        if by_distance {
            return c.contact.dist;
        }
        let [a, b, c, ..] = contact_force(x.m, c.contact, x.solution);
        -vec3::dot([a, b, c], [a, b, c])
    };
    // repeatedly select the smallest of the rest: slots are few
    let order = |a: &(f64, Match), b: &(f64, Match)| a.0.total_cmp(&b.0).then(a.1.index.cmp(&b.1.index));
    let mut last: Option<(f64, Match)> = None;
    while !sheet.out.is_empty() {
        let rest = matching(x, i).map(|c| (criterion(&c), c));
        last = rest.filter(|c| last.is_none_or(|l| order(c, &l).is_gt())).min_by(order);
        let Some((_, c)) = last else { break };
        slot(x, c, found, sheet);
    }
}

/// Writer of the requested fields.
struct Sheet<'a> {
    /// Bits of [`Field`].
    fields: i32,
    /// Remaining output.
    out: &'a mut [f64],
}

impl Sheet<'_> {
    fn wants(&self, field: Field) -> bool {
        self.fields >> field as i32 & 1 == 1
    }

    fn put(&mut self, field: Field, values: &[f64]) {
        if self.wants(field) {
            let (head, rest) = std::mem::take(&mut self.out).split_at_mut(values.len());
            head.copy_from_slice(values);
            self.out = rest;
        }
    }
}

/// Writes the fields of one contact. If it is flipped, normal and tangent are negated and the third axis stays.
fn slot(x: &Inputs, c: Match, found: usize, sheet: &mut Sheet) {
    let sign = if c.flip { -1.0 } else { 1.0 };
    sheet.put(Field::Found, &[found as f64]);
    if sheet.wants(Field::Force) || sheet.wants(Field::Torque) {
        let [n, t, b, rn, rt, rb] = contact_force(x.m, c.contact, x.solution);
        sheet.put(Field::Force, &[n, t, sign * b]);
        sheet.put(Field::Torque, &[rn, rt, sign * rb]);
    }
    let [nx, ny, nz, tx, ty, tz, ..] = c.contact.frame;
    sheet.put(Field::Dist, &[c.contact.dist]);
    sheet.put(Field::Pos, &c.contact.pos);
    sheet.put(Field::Normal, &[nx, ny, nz].map(|v| sign * v));
    sheet.put(Field::Tangent, &[tx, ty, tz].map(|v| sign * v));
}

/// Writes the net force and torque of all contacts in world coordinates, about their force-weighted centroid.
fn net_force(x: &Inputs, i: usize, found: usize, sheet: &mut Sheet) {
    let wrench = |c: &Match| -> Vec6 {
        let sign = if c.flip { -1.0 } else { 1.0 };
        contact_force(x.m, c.contact, x.solution).map(|f| sign * f)
    };
    let (mut point, mut total): (Vec3, f64) = ([0.0; 3], 0.0);
    for c in matching(x, i) {
        let [a, b, d, ..] = wrench(&c);
        let weight = vec3::norm([a, b, d]);
        point = vec3::add_scaled(point, c.contact.pos, weight);
        total += weight;
    }
    point = vec3::scale(point, 1.0 / total.max(MINVAL));
    let (mut force, mut torque): (Vec3, Vec3) = ([0.0; 3], [0.0; 3]);
    for c in matching(x, i) {
        let [a, b, d, e, f, g] = wrench(&c);
        let [push, turn] = [[a, b, d], [e, f, g]].map(|v| mat3::mul_vec_t(&c.contact.frame, v));
        force = vec3::add(force, push);
        torque = vec3::add(torque, turn);
        torque = vec3::add(torque, vec3::cross(vec3::sub(c.contact.pos, point), push));
    }
    sheet.put(Field::Found, &[found as f64]);
    sheet.put(Field::Force, &force);
    sheet.put(Field::Torque, &torque);
    sheet.put(Field::Dist, &[0.0]);
    sheet.put(Field::Pos, &point);
    sheet.put(Field::Normal, &[1.0, 0.0, 0.0]);
    sheet.put(Field::Tangent, &[0.0, 1.0, 0.0]);
}
