//! Which method collides which kinds of shape.

use super::Method::{self, Analytic};
use super::{
    Kind, box_box, capsule_box, capsule_capsule, plane_box, plane_cylinder, plane_mesh, plane_round, sphere_box,
    sphere_cylinder, sphere_round,
};

const NO: Method = Method::None;
const CVX: Method = Method::Convex;
const HF: Method = Method::Hfield;
const SDF: Method = Method::Sdf;

const PLA_SPH: Method = Analytic(plane_round::sphere);
const PLA_CAP: Method = Analytic(plane_round::capsule);
const PLA_ELL: Method = Analytic(plane_round::ellipsoid);
const PLA_CYL: Method = Analytic(plane_cylinder::collide);
const PLA_BOX: Method = Analytic(plane_box::collide);
const PLA_MSH: Method = Analytic(plane_mesh::collide);
const SPH_SPH: Method = Analytic(sphere_round::sphere);
const SPH_CAP: Method = Analytic(sphere_round::capsule);
const SPH_CYL: Method = Analytic(sphere_cylinder::collide);
const SPH_BOX: Method = Analytic(sphere_box::collide);
const CAP_CAP: Method = Analytic(capsule_capsule::collide);
const CAP_BOX: Method = Analytic(capsule_box::collide);
const BOX_BOX: Method = Analytic(box_box::collide);

/// Rows and columns in the order of [`Kind`]; empty below the diagonal, because shapes come in that order. MuJoCo has
/// no method for a height field with signed distances either.
#[rustfmt::skip]
const TABLE: [[Method; 9]; 9] = [
    //           plane hfield sphere  capsule  ellips.  cylinder box      mesh     sdf
    /* plane  */ [NO,  NO,    PLA_SPH, PLA_CAP, PLA_ELL, PLA_CYL, PLA_BOX, PLA_MSH, PLA_MSH],
    /* hfield */ [NO,  NO,    HF,      HF,      HF,      HF,      HF,      HF,      NO],
    /* sphere */ [NO,  NO,    SPH_SPH, SPH_CAP, CVX,     SPH_CYL, SPH_BOX, CVX,     SDF],
    /* capsule*/ [NO,  NO,    NO,      CAP_CAP, CVX,     CVX,     CAP_BOX, CVX,     SDF],
    /* ellips.*/ [NO,  NO,    NO,      NO,      CVX,     CVX,     CVX,     CVX,     SDF],
    /* cylind.*/ [NO,  NO,    NO,      NO,      NO,      CVX,     CVX,     CVX,     SDF],
    /* box    */ [NO,  NO,    NO,      NO,      NO,      NO,      BOX_BOX, CVX,     SDF],
    /* mesh   */ [NO,  NO,    NO,      NO,      NO,      NO,      NO,      CVX,     SDF],
    /* sdf    */ [NO,  NO,    NO,      NO,      NO,      NO,      NO,      NO,      SDF],
];

/// Method for a pair of shapes; [`Method::None`] also for a pair in the wrong order.
#[inline]
pub fn method(a: &Kind, b: &Kind) -> Method {
    TABLE[a.index()][b.index()]
}
