//! Forces of a surrounding fluid. They rotate with the body, and depend on its velocity relative to the medium in the
//! body frame; both effects are added to the terms of the tree.
//!
//! *Equation*: `∂f_k = S_j ×* f_k + Xᵀ B X (Ṡ_j + ω_j × wind)` with respect to position, `Xᵀ B X S_j` with respect to
//! velocity, with `B` the derivative of the force in the body frame and `X` the transform from the tree's reference
//! point to the body.

use super::ellipsoid;
use super::tree::{Mat6, Tree};
use crate::data::Data;
use crate::derivative::fluid::box_vel;
use crate::model::Model;
use crate::model::enums::ObjType;
use crate::passive::fluid::{box_force, ellipsoid_force};
use crate::support::fluid::{self, Ellipsoid, Shape};
use crate::support::object::{ObjectFrame, object_frame};
use sinew_math::spatial::{Vec6, dot, from_frame, transform_force, transform_motion};

/// Subtracts fluid forces and their velocity derivatives from the terms of bodies.
pub(super) fn subtract(m: &Model, d: &Data, tree: &mut Tree) {
    let (density, viscosity) = (m.opt.density, m.opt.viscosity);
    for b in 1..m.nbody {
        match fluid::shape(m, b) {
            None => {}
            Some(Shape::Box) => {
                let at = ObjectFrame { body: b, pos: d.pose.xipos[b], mat: &d.pose.ximat[b] };
                let flow = fluid::local_flow(m, &d.pose, &d.motion, &at);
                let edges = fluid::inertia_box(m, b);
                let force = box_force(edges, &flow, density, viscosity);
                push(m, d, &at, &force, &box_vel(edges, &flow, density, viscosity), 1.0, tree);
            }
            Some(Shape::Ellipsoids) => {
                for g in m.body_geoms(b).filter(|&g| m.geom_fluid[g][0] != 0.0) {
                    let Some(at) = object_frame(m, &d.pose, ObjType::Geom, g) else { continue };
                    let flow = fluid::local_flow(m, &d.pose, &d.motion, &at);
                    let e = Ellipsoid::of_geom(m, g);
                    let force = ellipsoid_force(&e, &flow, density, viscosity);
                    let slope = ellipsoid::slopes(&e, &flow, density, viscosity);
                    push(m, d, &at, &force, &slope, e.interaction, tree);
                }
            }
        }
    }
}

fn push(m: &Model, d: &Data, at: &ObjectFrame, force: &Vec6, slope: &Mat6, scale: f64, tree: &mut Tree) {
    let com = d.pose.subtree_com[m.body_rootid[at.body] as usize];
    let out = |local: &Vec6| transform_force(&from_frame(local, at.mat), com, at.pos, None);
    let world = out(force);
    (0..6).for_each(|k| tree.force[at.body][k] -= scale * world[k]);
    for c in 0..6 {
        let mut x = [0.0; 6];
        x[c] = 1.0;
        let seen = transform_motion(&x, at.pos, com, Some(at.mat));
        let column = out(&std::array::from_fn(|r| dot(&slope[r], &seen)));
        (0..6).for_each(|r| tree.drag[at.body][r][c] -= scale * column[r]);
    }
}
