//! Materials with two moduli.

use super::{ElasticModel, FromModel, Lame, MooneyRivlin, Ogden, Response};

/// Volume ratio or stretch below which logarithms and powers are continued as parabolas, so that forces of flat or
/// inverted elements stay finite and restoring.
pub(super) const FLOOR: f64 = 0.2;

/// A function of one variable with its first two derivatives `[f, f', f'']`, continued below [`FLOOR`] as a parabola.
pub(super) fn continued(x: f64, f: impl Fn(f64) -> [f64; 3]) -> [f64; 3] {
    if x >= FLOOR {
        return f(x);
    }
    let ([value, slope, curve], d) = (f(FLOOR), x - FLOOR);
    [value + d * (slope + 0.5 * d * curve), slope + d * curve, curve]
}

/// Adds `−a ln J + λ/2 ln²J`, with `J` the volume ratio.
pub(super) fn add_volume(out: &mut Response<3>, s: [f64; 3], a: f64, lambda: f64) {
    let [log, slope, curve] = continued(s[0] * s[1] * s[2], |j| [j.ln(), 1.0 / j, -1.0 / (j * j)]);
    out.energy += log * (0.5 * lambda * log - a);
    // derivatives of the energy with respect to J
    let (first, second) = ((lambda * log - a) * slope, lambda * slope * slope + (lambda * log - a) * curve);
    let by: [f64; 3] = std::array::from_fn(|i| s[(i + 1) % 3] * s[(i + 2) % 3]);
    for i in 0..3 {
        out.slope[i] += first * by[i];
        for j in 0..3 {
            let mixed = if i == j { 0.0 } else { s[3 - i - j] };
            out.curvature[i][j] += second * by[i] * by[j] + first * mixed;
        }
    }
}

/// Restricts a response to the two stretches of a sheet, with the third stretch held fixed.
fn held(full: Response<3>) -> Response<2> {
    let c = full.curvature;
    Response {
        energy: full.energy,
        slope: [full.slope[0], full.slope[1]],
        curvature: [[c[0][0], c[0][1]], [c[1][0], c[1][1]]],
    }
}

/// Saint-Venant–Kirchhoff material in its textbook form, `W = μ tr G² + λ/2 (tr G)²` with `G = ½ (FᵀF − 1)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StVenant {
    /// Shear modulus.
    pub mu: f64,
    /// First Lamé parameter.
    pub lambda: f64,
}

impl From<Lame> for StVenant {
    fn from(Lame { mu, lambda }: Lame) -> Self {
        StVenant { mu, lambda }
    }
}

/// `μ Σ G² + λ/2 (Σ G)²` with `G = ½ (s² − 1)`.
fn green<const N: usize>(mu: f64, lambda: f64, s: [f64; N]) -> Response<N> {
    let g = s.map(|s| 0.5 * (s * s - 1.0));
    let trace: f64 = g.iter().sum();
    let by: [f64; N] = g.map(|g| 2.0 * mu * g + lambda * trace);
    let second = |i: usize, j: usize| {
        let own = if i == j { by[i] + 2.0 * mu * s[i] * s[i] } else { 0.0 };
        own + lambda * s[i] * s[j]
    };
    Response {
        energy: mu * g.iter().map(|g| g * g).sum::<f64>() + 0.5 * lambda * trace * trace,
        slope: std::array::from_fn(|i| by[i] * s[i]),
        curvature: std::array::from_fn(|i| std::array::from_fn(|j| second(i, j))),
    }
}

impl ElasticModel for StVenant {
    fn energy(&self, s: [f64; 3]) -> f64 {
        self.response(s).energy
    }

    fn response(&self, s: [f64; 3]) -> Response<3> {
        green(self.mu, self.lambda, s)
    }

    fn sheet(&self, s: [f64; 2]) -> Response<2> {
        let Lame { mu, lambda } = Lame { mu: self.mu, lambda: self.lambda }.plane();
        green(mu, lambda, s)
    }
}

/// MuJoCo's material: λ counts twice in solids; in sheets μ is a quarter and λ half of the textbook value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mujoco {
    /// Shear modulus.
    pub mu: f64,
    /// First Lamé parameter.
    pub lambda: f64,
}

impl From<Lame> for Mujoco {
    fn from(Lame { mu, lambda }: Lame) -> Self {
        Mujoco { mu, lambda }
    }
}

impl ElasticModel for Mujoco {
    fn energy(&self, s: [f64; 3]) -> f64 {
        self.response(s).energy
    }

    fn response(&self, s: [f64; 3]) -> Response<3> {
        green(self.mu, 2.0 * self.lambda, s)
    }

    fn sheet(&self, s: [f64; 2]) -> Response<2> {
        green(0.25 * self.mu, 0.5 * self.lambda, s)
    }
}

/// Compressible Neo-Hookean material, `W = μ/2 (Σ s² − 3) − μ ln J + λ/2 ln²J`; stable under inversion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NeoHookean {
    /// Shear modulus.
    pub mu: f64,
    /// First Lamé parameter.
    pub lambda: f64,
}

impl NeoHookean {
    /// A material with given moduli.
    pub fn new(mu: f64, lambda: f64) -> Self {
        NeoHookean { mu, lambda }
    }

    /// This material for every flex, with the moduli from the model file.
    pub fn from_model() -> FromModel<Self> {
        FromModel::default()
    }
}

impl From<Lame> for NeoHookean {
    fn from(Lame { mu, lambda }: Lame) -> Self {
        NeoHookean { mu, lambda }
    }
}

impl ElasticModel for NeoHookean {
    fn energy(&self, s: [f64; 3]) -> f64 {
        self.response(s).energy
    }

    fn response(&self, s: [f64; 3]) -> Response<3> {
        let squares: f64 = s.iter().map(|s| s * s).sum();
        let diagonal = |i: usize, j: usize| if i == j { self.mu } else { 0.0 };
        let mut out = Response {
            energy: 0.5 * self.mu * (squares - 3.0),
            slope: s.map(|s| self.mu * s),
            curvature: std::array::from_fn(|i| std::array::from_fn(|j| diagonal(i, j))),
        };
        add_volume(&mut out, s, self.mu, self.lambda);
        out
    }

    fn sheet(&self, s: [f64; 2]) -> Response<2> {
        let plane = Lame { mu: self.mu, lambda: self.lambda }.plane();
        held(NeoHookean::from(plane).response([s[0], s[1], 1.0]))
    }
}

/// Materials that a model file can request.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Material {
    /// [`StVenant`].
    StVenant(StVenant),
    /// [`NeoHookean`].
    NeoHookean(NeoHookean),
    /// [`MooneyRivlin`].
    MooneyRivlin(MooneyRivlin),
    /// [`Ogden`].
    Ogden(Ogden),
}

/// Calls the same method on any variant.
macro_rules! each {
    ($self:expr, $law:ident => $call:expr) => {
        match $self {
            Material::StVenant($law) => $call,
            Material::NeoHookean($law) => $call,
            Material::MooneyRivlin($law) => $call,
            Material::Ogden($law) => $call,
        }
    };
}

impl ElasticModel for Material {
    fn energy(&self, s: [f64; 3]) -> f64 {
        each!(self, law => law.energy(s))
    }

    fn response(&self, s: [f64; 3]) -> Response<3> {
        each!(self, law => law.response(s))
    }

    fn sheet(&self, s: [f64; 2]) -> Response<2> {
        each!(self, law => law.sheet(s))
    }
}
