//! Laws of bending: from the angle at a hinge between two triangles to a moment.
//!
//! MuJoCo's own law, by cotangents, is what a flex follows without any of these.

mod hinge;

use super::flex_law::{PerFlex, is_sheet};
use crate::data::Pose;
use crate::model::Model;
pub use hinge::{Hinge, HingeRest, hinges, mujoco_hinges, rest};

/// The law of hinges. Instances carry its parameters.
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

    /// Its derivative; by centred differences unless the law knows better.
    fn moment(&self, hinge: &HingeRest, angle: f64) -> f64 {
        let e = 1e-6;
        (self.energy(hinge, angle + e) - self.energy(hinge, angle - e)) / (2.0 * e)
    }

    /// Derivative of the moment.
    fn stiffness(&self, hinge: &HingeRest, angle: f64) -> f64 {
        let e = 1e-6;
        (self.moment(hinge, angle + e) - self.moment(hinge, angle - e)) / (2.0 * e)
    }

    /// Moment per angular velocity against it.
    fn damping(&self, _hinge: &HingeRest) -> f64 {
        0.0
    }

    /// Whether integrators that take the force at the beginning of a step get it scaled down to what they can bear.
    fn is_limited(&self) -> bool {
        true
    }
}

/// Hinges as springs: `½ k (θ − θ₀)²`, and a moment `c θ̇` against their motion. Bridson, Marino, Fedkiw, Simulation of Clothing
/// with Folds and Wrinkles, 2003.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dihedral {
    /// Stiffness of all hinges; `None` for that of the material, with which small deflections are MuJoCo's.
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
    /// Hinges of one stiffness.
    pub fn new(stiffness: f64) -> Self {
        Dihedral { stiffness: Some(stiffness), ..Self::default() }
    }
}

/// How far an angle is from rest, the short way round.
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

/// Energy of the hinges of a sheet that follows a law.
pub fn energy<L: BendingModel + ?Sized>(m: &Model, pose: &Pose, law: &L, f: usize) -> f64 {
    let rest = rest(m);
    let of = |(hinge, rest): (Hinge, &HingeRest)| {
        let (angle, _) = Hinge::angle(hinge.verts.map(|v| pose.flexvert_xpos[v]))?;
        Some(law.energy(rest, angle))
    };
    hinges(m, f, &rest).filter_map(of).sum()
}

/// Which flexes follow which law of bending. Only sheets do.
pub trait Bending {
    /// The laws; an enum where there are several.
    type Law: BendingModel + ?Sized;

    /// The law of a flex; `None` for MuJoCo's.
    fn law<'a>(&'a self, m: &'a Model, flex: usize) -> Option<&'a Self::Law>;

    /// Gets ready for a model.
    ///
    /// # Errors
    /// A sentence that says what does not fit.
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
