//! Contacts: points, frames, forces.

use crate::colour;
use crate::draw::Draw;
use crate::text;
use sinew_engine::Model;
use sinew_engine::data::Contact;
use sinew_engine::model::enums::{CatBits, FrameType, GeomType, LabelType, ObjType, VisFlag};
use sinew_engine::support::contact::contact_force;
use sinew_math::{MINVAL, Mat3, Vec3, mat3, vec3};

/// Maximum length of the name of one side in a label.
const SIDE_LABEL: usize = 47;

pub(crate) fn contacts(draw: &mut Draw) {
    let (points, frames) = (draw.shows(VisFlag::Contactpoint), draw.frames(FrameType::Contact));
    let forces = draw.shows(VisFlag::Contactforce);
    if !points && !forces && !frames {
        return;
    }
    let d = draw.d;
    for (i, con) in d.contact.iter().enumerate() {
        if points {
            point(draw, i, con);
        }
        if frames {
            draw.add_frame(i, con.pos, &mat3::transpose(&con.frame), 0.5);
        }
        if forces && con.efc_address >= 0 {
            force(draw, i, con);
        }
    }
}

/// Draws a disc perpendicular to the normal, as thick as the geoms overlap.
fn point(draw: &mut Draw, i: usize, con: &Contact) {
    let (m, sizes) = (draw.m, &draw.m.vis.scale);
    let width = f64::from(sizes.contactwidth) * draw.scale;
    let height = (f64::from(sizes.contactheight) * draw.scale).max(-con.dist / 2.0);
    let [n, t, b] = [0, 1, 2].map(|row| mat3::row(&con.frame, row));
    let axes = [t, b, n];
    let mat: Mat3 = std::array::from_fn(|k| axes[k % 3][k / 3]);
    let row = usize::try_from(con.efc_address).ok();
    let rgba = match row {
        Some(row) if draw.shows(VisFlag::Island) => colour::island(island_dof(draw, row), true),
        Some(_) => m.vis.rgba.contactpoint,
        None => m.vis.rgba.contactgap,
    };
    let of = (ObjType::Unknown, i);
    let mut shape = draw.decor(of, GeomType::Cylinder, [width, width, height], con.pos, &mat, rgba);
    if draw.labels(LabelType::Contactpoint) {
        shape.set_label(&format!("{} | {}", side(m, con, 0), side(m, con, 1)));
    }
    draw.add(shape);
}

/// First dof of the island of a constraint row.
fn island_dof(draw: &Draw, row: usize) -> Option<usize> {
    let islands = &draw.d.island;
    let island = usize::try_from(*islands.efc_island.get(row)?).ok().filter(|_| islands.nisland > 0)?;
    usize::try_from(*islands.island_dofadr.get(island)?).ok()
}

/// Name of one side of a contact.
fn side(m: &Model, con: &Contact, k: usize) -> String {
    let name = |objtype, id: i32| usize::try_from(id).ok().and_then(|id| m.id2name(objtype, id));
    let mut text = if con.geom[k] >= 0 {
        name(ObjType::Geom, con.geom[k]).map_or_else(|| format!("g{}", con.geom[k]), String::from)
    } else {
        let flex = name(ObjType::Flex, con.flex[k]).map_or_else(|| format!("f{}", con.flex[k]), String::from);
        match con.elem[k] {
            elem if elem >= 0 => format!("{flex}.e{elem}"),
            _ => format!("{flex}.v{}", con.vert[k]),
        }
    };
    let mut end = text.len().min(SIDE_LABEL);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    text
}

/// Index of a body, or of a flex counted after all bodies.
fn carrier(m: &Model, con: &Contact, k: usize) -> i32 {
    match usize::try_from(con.geom[k]) {
        Ok(geom) => m.geom_bodyid[geom],
        Err(_) => m.nbody as i32 + con.flex[k],
    }
}

/// Draws an arrow towards the body of higher index, or one each for normal and friction force; double-headed between
/// moving bodies.
fn force(draw: &mut Draw, i: usize, con: &Contact) {
    let m = draw.m;
    let mut local: Vec3 = [0.0; 3];
    let count = (con.dim as usize).min(3);
    local[..count].copy_from_slice(&contact_force(m, con, &draw.d.solution)[..count]);
    let size = vec3::norm(local);
    if size < MINVAL {
        return;
    }
    let split = draw.shows(VisFlag::Contactsplit) && con.dim > 1;
    let [normal, x, y] = local;
    let parts: &[(Vec3, [f32; 4])] = match split {
        true => &[([normal, 0.0, 0.0], m.vis.rgba.contactforce), ([0.0, x, y], m.vis.rgba.contactfriction)],
        false => &[(local, m.vis.rgba.contactforce)],
    };
    let [first, second] = [0, 1].map(|k| carrier(m, con, k));
    let towards = if first > second { -1.0 } else { 1.0 };
    let kind = if first > 0 && second > 0 && !split { GeomType::Arrow2 } else { GeomType::Arrow };
    let length = towards * f64::from(m.vis.map.force) / m.stat.meanmass;
    for (k, (part, rgba)) in parts.iter().enumerate() {
        let to = vec3::add_scaled(con.pos, mat3::mul_vec_t(&con.frame, *part), length);
        let width = f64::from(m.vis.scale.forcewidth) * draw.scale;
        let mut shape = draw.link((ObjType::Unknown, i), CatBits::DECOR, kind, width, [con.pos, to]);
        shape.rgba = *rgba;
        if k == 0 && draw.labels(LabelType::Contactforce) {
            shape.set_label(&text::general(size, 3));
        }
        draw.add(shape);
    }
}
