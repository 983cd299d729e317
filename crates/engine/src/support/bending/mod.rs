//! Bending laws: from the angle at a hinge between two triangles to a moment.
//!
//! A flex without such a law follows MuJoCo's cotangent law.

mod hinge;

use super::flex_law::{PerFlex, is_sheet};
use crate::data::Pose;
use crate::model::Model;
pub use hinge::{Hinge, HingeRest, hinges, mujoco_hinges, rest};

/// A bending law of hinges. Instances hold its parameters.
///
/// ```
/// use sinew_engine::support::bending::{BendingModel, HingeRest};
///
/// /// Bends freely up to an angle, as paper that is creased.
/// struct Crease { k: f64, free: f64 }
///
/// impl BendingModel for Crease {
///     fn energy(&self, _: &HingeRest, angle: f64) -> f64 {
///         0.5 * self.k * (angle.abs() - self.free).max(0.0).powi(2)
///     }
/// }
/// ```
pub trait BendingModel: Send + Sync {
    /// Energy at an angle, in radians; 0 is flat.
    fn energy(&self, hinge: &HingeRest, angle: f64) -> f64;

    /// Derivative of the energy; by central differences unless overridden.
    fn moment(&self, hinge: &HingeRest, angle: f64) -> f64 {
        let e = 1e-6;
        (self.energy(hinge, angle + e) - self.energy(hinge, angle - e)) / (2.0 * e)
    }

    /// Derivative of the moment.
    fn stiffness(&self, hinge: &HingeRest, angle: f64) -> f64 {
        let e = 1e-6;
        (self.moment(hinge, angle + e) - self.moment(hinge, angle - e)) / (2.0 * e)
    }

    /// Damping coefficient: resisting moment per angular velocity.
    fn damping(&self, _hinge: &HingeRest) -> f64 {
        0.0
    }

    /// Whether explicit integrators scale the moment down to keep the step stable.
    fn is_limited(&self) -> bool {
        true
    }
}

/// Hinges as torsion springs: `½ k (θ − θ₀)²`, with a damping moment `c θ̇`. Bridson, Marino, Fedkiw, Simulation of
/// Clothing with Folds and Wrinkles, 2003.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dihedral {
    /// Stiffness of all hinges; `None` takes it from the material, which agrees with MuJoCo at small deflections.
    pub stiffness: Option<f64>,
    /// Damping of all hinges.
    pub damping: f64,
    /// [`BendingModel::is_limited`].
    pub limited: bool,
}

impl Default for Dihedral {
    fn default() -> Self {
        Dihedral { stiffness: None, damping: 0.0, limited: true }
    }
}

impl Dihedral {
    /// Hinges with one stiffness.
    pub fn new(stiffness: f64) -> Self {
        Dihedral { stiffness: Some(stiffness), ..Self::default() }
    }
}

/// Deviation of an angle from rest, wrapped to ±π.
fn beyond(hinge: &HingeRest, angle: f64) -> f64 {
    let turn = angle - hinge.angle;
    turn - std::f64::consts::TAU * (turn / std::f64::consts::TAU).round()
}

impl BendingModel for Dihedral {
    fn energy(&self, hinge: &HingeRest, angle: f64) -> f64 {
        0.5 * self.stiffness(hinge, angle) * beyond(hinge, angle).powi(2)
    }

    #[inline]
    fn moment(&self, hinge: &HingeRest, angle: f64) -> f64 {
        self.stiffness(hinge, angle) * beyond(hinge, angle)
    }

    #[inline]
    fn stiffness(&self, hinge: &HingeRest, _angle: f64) -> f64 {
        self.stiffness.unwrap_or(hinge.stiffness)
    }

    #[inline]
    fn damping(&self, _hinge: &HingeRest) -> f64 {
        self.damping
    }

    fn is_limited(&self) -> bool {
        self.limited
    }
}

/// Energy of the hinges of a sheet under a law.
pub fn energy<L: BendingModel + ?Sized>(m: &Model, pose: &Pose, law: &L, f: usize) -> f64 {
    let rest = rest(m);
    let of = |(hinge, rest): (Hinge, &HingeRest)| {
        let (angle, _) = Hinge::angle(hinge.verts.map(|v| pose.flexvert_xpos[v]))?;
        Some(law.energy(rest, angle))
    };
    hinges(m, f, &rest).filter_map(of).sum()
}

/// Assigns bending laws to flexes. Only sheets can have one.
pub trait Bending {
    /// Type of the laws; an enum if there are several.
    type Law: BendingModel + ?Sized;

    /// The law of a flex; `None` for MuJoCo's.
    fn law<'a>(&'a self, m: &'a Model, flex: usize) -> Option<&'a Self::Law>;

    /// Prepares for a model.
    ///
    /// # Errors
    /// A message that says what does not fit.
    fn prepare(&mut self, _m: &Model) -> Result<(), String> {
        Ok(())
    }
}

/// One law for all sheets.
impl<L: BendingModel> Bending for L {
    type Law = L;

    #[inline(always)]
    fn law<'a>(&'a self, _m: &'a Model, _flex: usize) -> Option<&'a L> {
        Some(self)
    }
}

impl<L: BendingModel> Bending for PerFlex<L> {
    type Law = L;

    #[inline]
    fn law<'a>(&'a self, _m: &'a Model, flex: usize) -> Option<&'a L> {
        self.get(flex)
    }

    fn prepare(&mut self, m: &Model) -> Result<(), String> {
        self.find(m, is_sheet)
    }
}
