//! A plane with a box.

use super::{Contact, Shape};
use sinew_math::{mat3, vec3};

/// Up to four contacts: corners that point down and are near enough, in binary order of their signs.
pub(super) fn collide(a: &Shape, b: &Shape, margin: f64, out: &mut Vec<Contact>) {
    let normal = mat3::col(a.mat, 2);
    let height = vec3::dot(vec3::sub(b.pos, a.pos), normal);
    let mut left = 4;
    for i in 0..8usize {
        let local = std::array::from_fn(|k| if i >> k & 1 == 1 { b.size[k] } else { -b.size[k] });
        let corner = mat3::mul_vec(b.mat, local);
        let drop = vec3::dot(normal, corner);
        if height + drop > margin || drop > 0.0 {
            continue;
        }
        let dist = height + drop;
        let pos = vec3::add_scaled(vec3::add(corner, b.pos), normal, -dist / 2.0);
        out.push(Contact { dist, pos, normal, ..Default::default() });
        left -= 1;
        if left == 0 {
            return;
        }
    }
}
