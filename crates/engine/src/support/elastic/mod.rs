//! Elasticity laws of flexes: from stretches to an energy, with the derivatives that forces and implicit integrators
//! need.
//!
//! A flex without such a law follows MuJoCo's; [`Mujoco`] is the same law in this form.

pub mod element;
pub mod lame;
mod material;
mod rubber;

use super::flex_law::{PerFlex, is_elastic};
use crate::data::Pose;
use crate::model::Model;
pub use element::Element;
pub use lame::{Lame, lame};
pub use material::{Material, Mujoco, NeoHookean, StVenant};
pub use rubber::{MooneyRivlin, Ogden};

/// Energy with its first and second derivatives at given stretches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Response<const N: usize> {
    /// Energy per rest volume; for sheets, per rest area.
    pub energy: f64,
    /// First derivatives with respect to the stretches.
    pub slope: [f64; N],
    /// Second derivatives.
    pub curvature: [[f64; N]; N],
}

/// The law of one isotropic elastic material. Instances hold its moduli. The arguments are three stretches along
/// orthogonal axes; the last one is negative in inverted elements.
///
/// ```
/// use sinew_engine::support::elastic::ElasticModel;
///
/// /// Each axis a spring of its own.
/// struct Cork { k: f64 }
///
/// impl ElasticModel for Cork {
///     fn energy(&self, s: [f64; 3]) -> f64 {
///         s.iter().map(|s| 0.5 * self.k * (s - 1.0) * (s - 1.0)).sum()
///     }
/// }
/// ```
pub trait ElasticModel: Send + Sync {
    /// Energy per rest volume.
    fn energy(&self, s: [f64; 3]) -> f64;

    /// Energy with its derivatives; by central differences unless overridden.
    fn response(&self, s: [f64; 3]) -> Response<3> {
        let shifted = |by: &[(usize, f64)]| {
            let mut s = s;
            by.iter().for_each(|&(k, e)| s[k] += e);
            self.energy(s)
        };
        let (near, far, energy) = (1e-6, 1e-4, self.energy(s));
        let second = |i: usize, j: usize| {
            let corner = |a: f64, b: f64| shifted(&[(i, a * far), (j, b * far)]);
            (corner(1.0, 1.0) - corner(1.0, -1.0) - corner(-1.0, 1.0) + corner(-1.0, -1.0)) / (4.0 * far * far)
        };
        Response {
            energy,
            slope: std::array::from_fn(|i| (shifted(&[(i, near)]) - shifted(&[(i, -near)])) / (2.0 * near)),
            curvature: std::array::from_fn(|i| std::array::from_fn(|j| second(i, j))),
        }
    }

    /// Energy of a sheet per rest area, for a material whose moduli have been multiplied by the thickness. Plane
    /// stress: the third stretch is the one without stress.
    fn sheet(&self, s: [f64; 2]) -> Response<2> {
        let at = |third: f64| self.response([s[0], s[1], third]);
        let mut third = 1.0;
        let mut full = at(third);
        for _ in 0..NEWTON {
            let curve = full.curvature[2][2];
            let change = if curve > 0.0 { -full.slope[2] / curve } else { -full.slope[2].signum() * third };
            let next = (third + change).clamp(0.5 * third, 2.0 * third);
            let settled = (next - third).abs() < f64::EPSILON * third;
            third = next;
            full = at(third);
            if settled {
                break;
            }
        }
        let c = full.curvature;
        let free = |i: usize, j: usize| c[i][j] - c[i][2] * c[2][j] / c[2][2];
        Response {
            energy: full.energy,
            slope: [full.slope[0], full.slope[1]],
            curvature: std::array::from_fn(|i| std::array::from_fn(|j| free(i, j))),
        }
    }
}

/// Elastic energy of a flex under a law.
pub fn energy<L: ElasticModel + ?Sized>(m: &Model, pose: &Pose, law: &L, f: usize) -> f64 {
    if m.flex_dim[f] == 2 {
        element::triangles(m, f).map(|(_, e)| e.size * law.sheet(e.strain(pose).axes.s).energy).sum()
    } else {
        element::tetrahedra(m, f).map(|(_, e)| e.size * law.response(e.strain(pose).axes.s).energy).sum()
    }
}

/// Maximum number of Newton iterations for the third stretch of a sheet.
const NEWTON: usize = 40;

/// Assigns laws to flexes. Line flexes, rigid flexes and interpolated flexes have none.
pub trait Elasticity {
    /// Type of the laws; an enum if there are several.
    type Law: ElasticModel + ?Sized;

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

/// One law for all flexes. For sheets, its moduli are those of the material times the thickness.
impl<L: ElasticModel> Elasticity for L {
    type Law = L;

    #[inline(always)]
    fn law<'a>(&'a self, _m: &'a Model, _flex: usize) -> Option<&'a L> {
        Some(self)
    }
}

impl<L: ElasticModel> Elasticity for PerFlex<L> {
    type Law = L;

    #[inline]
    fn law<'a>(&'a self, _m: &'a Model, flex: usize) -> Option<&'a L> {
        self.get(flex)
    }

    fn prepare(&mut self, m: &Model) -> Result<(), String> {
        self.find(m, is_elastic)
    }
}

/// One kind of law for all flexes, with the moduli of each flex from the model file.
#[derive(Clone, Debug)]
pub struct FromModel<L> {
    of: Vec<Option<L>>,
}

impl<L> Default for FromModel<L> {
    fn default() -> Self {
        FromModel { of: Vec::new() }
    }
}

impl<L: ElasticModel + From<Lame>> Elasticity for FromModel<L> {
    type Law = L;

    #[inline]
    fn law<'a>(&'a self, _m: &'a Model, flex: usize) -> Option<&'a L> {
        self.of.get(flex)?.as_ref()
    }

    fn prepare(&mut self, m: &Model) -> Result<(), String> {
        self.of = (0..m.nflex).map(|f| lame(m, f).map(L::from)).collect();
        Ok(())
    }
}
