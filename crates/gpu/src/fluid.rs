//! Fluid interaction shapes.

use sinew_engine::Model;
use sinew_engine::model::enums::{DisableFlags, Integrator};
use sinew_engine::support::fluid::{Shape, present, semi_axes, shape};

/// A shape in the fluid: a body, and the geom whose ellipsoid it is, or the body's inertia box if there is none.
#[derive(Clone, Copy, Debug)]
pub struct FluidShape {
    /// The body.
    pub body: usize,
    /// The geom.
    pub geom: Option<usize>,
}

/// Fluid shapes of a model, body by body.
pub fn fluid_shapes(m: &Model) -> Vec<FluidShape> {
    // without springs and dampers there are no passive forces at all
    let off = m.opt.disabled(DisableFlags::SPRING) && m.opt.disabled(DisableFlags::DAMPER);
    if off || !present(m) {
        return Vec::new();
    }
    let of_body = |body: usize| match shape(m, body) {
        None => Vec::new(),
        Some(Shape::Box) => vec![FluidShape { body, geom: None }],
        Some(Shape::Ellipsoids) => m
            .body_geoms(body)
            .filter(|&g| m.geom_fluid[g][0] != 0.0)
            .map(|g| FluidShape { body, geom: Some(g) })
            .collect(),
    };
    (0..m.nbody).flat_map(of_body).collect()
}

/// Semi-axes and fluid coefficients.
pub fn coefficients(m: &Model, shape: &FluidShape) -> ([f64; 3], [f64; 12]) {
    shape.geom.map_or(([0.0; 3], [0.0; 12]), |g| (semi_axes(m.geom_type[g], m.geom_size[g]), m.geom_fluid[g]))
}

/// Whether velocity derivatives of forces have to be kept until the integrator needs them.
pub fn keeps_qderiv(m: &Model, fluid: bool) -> bool {
    m.opt.integrator == Integrator::Implicit || m.opt.integrator == Integrator::Implicitfast && fluid
}
