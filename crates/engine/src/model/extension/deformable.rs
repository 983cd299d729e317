//! Flexes with position-based dynamics: parser of `sinew:deformable:<flex>` texts, and the material presets.

use super::Fault;
use super::text::{Settings, Words};
use crate::model::Model;
use crate::model::enums::JointType;
use crate::support::flex;

/// Material of a deformable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Substance {
    /// Young's modulus (Pa). Infinite: edges keep their lengths.
    pub young: f64,
    /// Poisson's ratio.
    pub poisson: f64,
    /// Density (kg/m³). The model's masses are used; this is the density they would be computed from.
    pub density: f64,
    /// Coefficient of sliding friction.
    pub friction: f64,
    /// Thickness of a sheet or radius of a rope (m).
    pub thickness: f64,
    /// Fraction of a solid sheet's or rod's bending stiffness; below 1 for a rope, whose strands slide on each other.
    pub bending: f64,
    /// Loss time, by which stress leads strain (s): `σ = E (ε + loss ε̇)`.
    pub loss: f64,
}

/// A flex with position-based dynamics; see [`deformable`](crate::deformable).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deformable {
    /// The flex.
    pub flex: usize,
    /// Its material.
    pub substance: Substance,
    /// Substeps per time step.
    pub substeps: usize,
    /// Sweeps over all constraints per substep.
    pub iterations: usize,
    /// Contact detections per time step.
    pub detections: usize,
    /// Decay rate of velocities (1/s), like air drag.
    pub damping: f64,
    /// Minimum distance between vertices of different parts (m); 0: derived from the edges and `flex_radius`.
    pub distance: f64,
}

impl Deformable {
    /// Maximum number of substeps and of iterations.
    pub const MOST: usize = 1000;
    /// Maximum number of contact detections per step.
    pub const MOST_DETECTIONS: usize = 4;
}

/// Named material presets for one dimension of flexes.
type Presets = &'static [(&'static str, Substance)];

/// A material from its values, in the order of the fields of [`Substance`].
const fn substance([young, poisson, density, friction, thickness, bending, loss]: [f64; 7]) -> Substance {
    Substance { young, poisson, density, friction, thickness, bending, loss }
}

/// Materials of ropes: `thickness` is the radius.
const ROPES: Presets = &[
    ("rope", substance([1e8, 0.0, 1000.0, 0.5, 0.01, 0.01, 0.02])),
    ("steel_cable", substance([2e11, 0.0, 7800.0, 0.3, 0.005, 0.01, 0.005])),
    ("hair", substance([4e9, 0.0, 1300.0, 0.3, 5e-5, 1.0, 0.005])),
    ("chain", substance([f64::INFINITY, 0.0, 7800.0, 0.4, 0.008, 0.0, 0.01])),
];

/// Materials of sheets.
const SHEETS: Presets = &[
    ("cotton", substance([1e6, 0.3, 400.0, 0.6, 0.5e-3, 1.0, 0.01])),
    ("silk", substance([5e6, 0.3, 1300.0, 0.3, 0.15e-3, 1.0, 0.005])),
    ("leather", substance([5e7, 0.4, 900.0, 0.7, 1.5e-3, 1.0, 0.02])),
    ("rubber", substance([1e6, 0.48, 1100.0, 0.9, 1e-3, 1.0, 0.03])),
    ("paper", substance([2e9, 0.3, 800.0, 0.5, 0.1e-3, 1.0, 0.005])),
    ("membrane", substance([1e5, 0.45, 1000.0, 0.5, 0.2e-3, 1.0, 0.02])),
];

/// Materials of solids.
const SOLIDS: Presets = &[
    ("rubber", substance([1e6, 0.48, 1100.0, 0.9, 0.0, 0.0, 0.03])),
    ("gelatin", substance([5e3, 0.45, 1000.0, 0.4, 0.0, 0.0, 0.02])),
    ("tissue", substance([1e4, 0.45, 1050.0, 0.5, 0.0, 0.0, 0.05])),
    ("muscle", substance([3e4, 0.45, 1060.0, 0.5, 0.0, 0.0, 0.05])),
    ("foam", substance([5e4, 0.2, 60.0, 0.8, 0.0, 0.0, 0.05])),
    ("stiff", substance([1e8, 0.3, 1200.0, 0.6, 0.0, 0.0, 0.005])),
];

/// Material presets for flexes of a dimension, by name.
pub fn substances(dim: usize) -> &'static [(&'static str, Substance)] {
    match dim {
        1 => ROPES,
        2 => SHEETS,
        _ => SOLIDS,
    }
}

const SETTINGS: [&str; 11] = [
    "substeps",
    "iterations",
    "detections",
    "damping",
    "young",
    "poisson",
    "friction",
    "thickness",
    "bending",
    "loss",
    "distance",
];

/// Parses the settings of a deformable flex.
pub(super) fn read(flex: usize, dim: usize, mut words: Words<'_>) -> Result<Deformable, Fault> {
    let known = substances(dim);
    let names: Vec<&'static str> = known.iter().map(|(name, _)| *name).collect();
    let name = words.kind(&names)?;
    let preset = known.iter().find(|(n, _)| *n == name).map_or(known[0].1, |(_, substance)| *substance);
    let s = Settings::of(words, &SETTINGS)?;
    let substance = Substance {
        young: s.positive("young", Some(preset.young))?,
        poisson: s.at_least("poisson", Some(preset.poisson), 0.0)?,
        friction: s.at_least("friction", Some(preset.friction), 0.0)?,
        thickness: if dim < 3 { s.positive("thickness", Some(preset.thickness))? } else { 0.0 },
        bending: s.at_least("bending", Some(preset.bending), 0.0)?,
        loss: s.at_least("loss", Some(preset.loss), 0.0)?,
        density: preset.density,
    };
    if substance.poisson > 0.5 {
        return Err((format!("poisson = {} is above 0.5", substance.poisson), "use a number from 0 to 0.5".into()));
    }
    let finite = |name: &str| s.at_least(name, Some(0.0), 0.0).map(|x| (name.to_string(), x));
    for (name, x) in [
        finite("damping")?,
        finite("distance")?,
        ("friction".into(), substance.friction),
        ("loss".into(), substance.loss),
    ] {
        if !x.is_finite() {
            return Err((format!("{name} = {x} is not finite"), "use a finite number".into()));
        }
    }
    Ok(Deformable {
        flex,
        substance,
        substeps: s.count("substeps", 8, Deformable::MOST)?,
        iterations: s.count("iterations", 1, Deformable::MOST)?,
        detections: s.count("detections", 1, Deformable::MOST_DETECTIONS)?,
        damping: s.at_least("damping", Some(0.0), 0.0)?,
        distance: s.at_least("distance", Some(0.0), 0.0)?,
    })
}

impl Model {
    /// Checks that a flex can be deformable: its vertices must be point masses that move freely or are fixed to a body.
    pub(super) fn may_deform(&self, f: usize) -> Result<(), Fault> {
        let advice = "make it with <flexcomp> and dof=\"full\", in a body that does not move".to_string();
        if self.flex_interp[f] != 0 {
            return Err(("the flex is interpolated".into(), advice));
        }
        if self.flex_rigid[f] != 0 {
            return Err(("the flex is rigid".into(), "leave some vertices unpinned".into()));
        }
        for v in flex::verts(self, f) {
            let (body, vertex) = (self.flex_vertbodyid[v] as usize, v - self.flex_vertadr[f] as usize);
            let Some(dof) = flex::slide_dofs(self, body) else {
                let slides = |j: usize| self.jnt_type(j) == JointType::Slide;
                if self.body_jntnum[body] > 0 && self.body_joints(body).all(slides) {
                    return Err((format!("vertex {vertex} does not move along three slides of its own"), advice));
                }
                continue;
            };
            if self.flex_centered[f] == 0 && self.flex_vert[v] != [0.0; 3] {
                return Err((format!("vertex {vertex} is not at the origin of its body"), advice));
            }
            let armature = &self.dof_armature[dof..dof + 3];
            if armature.iter().any(|a| *a != armature[0]) {
                return Err((
                    format!("vertex {vertex} is heavier along some axes"),
                    "give its joints one armature".into(),
                ));
            }
        }
        if flex::verts(self, f).all(|v| flex::slide_dofs(self, self.flex_vertbodyid[v] as usize).is_none()) {
            return Err(("no vertex of the flex moves along three slides".into(), advice));
        }
        Ok(())
    }

    /// Removes the flex's elastic forces and edge constraints, which position-based dynamics replaces.
    pub(super) fn loosen(&mut self, f: usize) {
        let edges = flex::edges(self, f);
        let first = self.flex_elemadr[f] as usize;
        let elems = first..first + self.flex_elemnum[f] as usize;
        self.flex_stiffness[elems].fill([0.0; 21]);
        self.flex_bending[edges].fill([0.0; 17]);
        self.flex_damping[f] = 0.0;
        self.flex_edgestiffness[f] = 0.0;
        self.flex_edgedamping[f] = 0.0;
        self.flex_edgeequality[f] = 0;
        for i in 0..self.neq {
            if flex::held_by(self.eq_type(i)) != 0 && self.eq_obj1id[i] as usize == f {
                self.eq_active0[i] = 0;
            }
        }
    }
}
