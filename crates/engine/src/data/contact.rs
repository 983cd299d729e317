//! One detected contact.

use crate::model::Model;

/// Bytes of a contact in MuJoCo's arena, whose size bounds their number.
pub const ARENA_BYTES: usize = 576;

/// Contacts to make room for beforehand: more than bodies at rest have, and no more than the arena allows.
pub(super) fn capacity(m: &Model) -> usize {
    (64 + 8 * m.ngeom).min(m.narena / ARENA_BYTES)
}

/// A contact point with the parameters that its constraint rows use; MuJoCo's `mjContact`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Distance between nearest points; negative when the geoms overlap. (m)
    pub dist: f64,
    /// Midpoint between the nearest points, in the world frame. (m)
    pub pos: [f64; 3],
    /// Rows: normal from `geom[0]` to `geom[1]`, then two tangents.
    pub frame: [f64; 9],
    /// The contact enters the solver when `dist < includemargin`. (m)
    pub includemargin: f64,
    /// Two tangential, one spinning and two rolling coefficients.
    pub friction: [f64; 5],
    /// Solver reference of the normal direction.
    pub solref: [f64; 2],
    /// Solver reference of the friction directions; zeros mean `solref`.
    pub solreffriction: [f64; 2],
    /// Solver impedance.
    pub solimp: [f64; 5],
    /// Friction of the regularised cone, set by the constraint stage.
    pub mu: f64,
    /// Hessian of the elliptic cone, set by the solver.
    #[allow(non_snake_case)]
    pub H: [f64; 36],
    /// Dimension of the contact space: 1, 3, 4 or 6.
    pub dim: i32,
    /// Geom ids; −1 for a flex.
    pub geom: [i32; 2],
    /// Flex ids; −1 for a geom.
    pub flex: [i32; 2],
    /// Flex element ids; −1 for a geom or a vertex.
    pub elem: [i32; 2],
    /// Flex vertex ids; −1 for a geom or an element.
    pub vert: [i32; 2],
    /// 0: included, 1: in the gap, 2: fused, 3: no dofs affected.
    pub exclude: i32,
    /// First constraint row; −1 when not included.
    pub efc_address: i32,
}
