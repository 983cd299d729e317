//! Materials with more parameters, for rubber at large stretches.

use super::material::{add_volume, continued};
use super::{ElasticModel, FromModel, Lame, Response};

/// Mooney–Rivlin material, `W = c₁ (I₁ − 3) + c₂ (I₂ − 3) − (2c₁ + 4c₂) ln J + λ'/2 ln²J`. At small strains
/// `μ = 2 (c₁ + c₂)` and `λ = λ' + 4c₂`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MooneyRivlin {
    c1: f64,
    c2: f64,
    lambda: f64,
}

impl MooneyRivlin {
    /// Default fraction of the shear modulus that comes from the second invariant.
    pub const SHARE: f64 = 0.2;

    /// A material with given moduli at small strains; `share` is the fraction of `mu` from the second invariant.
    pub fn new(Lame { mu, lambda }: Lame, share: f64) -> Self {
        let c2 = 0.5 * share * mu;
        MooneyRivlin { c1: 0.5 * mu - c2, c2, lambda: lambda - 4.0 * c2 }
    }

    /// This material for every flex, with the moduli from the model file.
    pub fn from_model() -> FromModel<Self> {
        FromModel::default()
    }
}

impl From<Lame> for MooneyRivlin {
    fn from(lame: Lame) -> Self {
        MooneyRivlin::new(lame, Self::SHARE)
    }
}

impl ElasticModel for MooneyRivlin {
    fn energy(&self, s: [f64; 3]) -> f64 {
        self.response(s).energy
    }

    fn response(&self, s: [f64; 3]) -> Response<3> {
        let MooneyRivlin { c1, c2, lambda } = *self;
        let q = s.map(|s| s * s);
        let first: f64 = q.iter().sum();
        let second = q[0] * q[1] + q[1] * q[2] + q[2] * q[0];
        let by = q.map(|q| 2.0 * c1 + 2.0 * c2 * (first - q));
        let curve = |i: usize, j: usize| if i == j { by[i] } else { 4.0 * c2 * s[i] * s[j] };
        let mut out = Response {
            energy: c1 * (first - 3.0) + c2 * (second - 3.0),
            slope: std::array::from_fn(|i| by[i] * s[i]),
            curvature: std::array::from_fn(|i| std::array::from_fn(|j| curve(i, j))),
        };
        add_volume(&mut out, s, 2.0 * c1 + 4.0 * c2, lambda);
        out
    }
}

/// Ogden material, `W = Σ_p μ_p/α_p (Σ s^α_p − 3) − Σ μ_p ln J + λ/2 ln²J`. At small strains `μ = ½ Σ μ_p α_p`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ogden {
    /// Moduli and exponents; terms with modulus 0 are skipped.
    terms: [(f64, f64); 3],
    lambda: f64,
}

impl Ogden {
    /// Ogden's fit to Treloar's measurements of rubber, in Pa.
    pub const RUBBER: [(f64, f64); 3] = [(6.3e5, 1.3), (1.2e3, 5.0), (-1e4, -2.0)];

    /// A material from up to three terms (modulus, non-zero exponent).
    pub fn new(terms: [(f64, f64); 3], lambda: f64) -> Self {
        Ogden { terms, lambda }
    }

    /// Terms in given proportions, scaled to given moduli at small strains.
    pub fn scaled(terms: [(f64, f64); 3], Lame { mu, lambda }: Lame) -> Self {
        let factor = mu / shear(&terms);
        Ogden { terms: terms.map(|(m, a)| (m * factor, a)), lambda }
    }

    /// This material for every flex, with the moduli from the model file.
    pub fn from_model() -> FromModel<Self> {
        FromModel::default()
    }
}

/// Shear modulus of a sum of terms.
pub(crate) fn shear(terms: &[(f64, f64); 3]) -> f64 {
    terms.iter().map(|(m, a)| 0.5 * m * a).sum()
}

impl From<Lame> for Ogden {
    fn from(lame: Lame) -> Self {
        Ogden::scaled(Self::RUBBER, lame)
    }
}

impl ElasticModel for Ogden {
    fn energy(&self, s: [f64; 3]) -> f64 {
        self.response(s).energy
    }

    fn response(&self, s: [f64; 3]) -> Response<3> {
        let mut out = Response { energy: 0.0, slope: [0.0; 3], curvature: [[0.0; 3]; 3] };
        let mut sum = 0.0;
        for (m, a) in self.terms.into_iter().filter(|term| term.0 != 0.0) {
            sum += m;
            for (i, s) in s.into_iter().enumerate() {
                let power = |x: f64| [(x.powf(a) - 1.0) / a, x.powf(a - 1.0), (a - 1.0) * x.powf(a - 2.0)];
                let [value, slope, curve] = continued(s, power);
                out.energy += m * value;
                out.slope[i] += m * slope;
                out.curvature[i][i] += m * curve;
            }
        }
        add_volume(&mut out, s, sum, self.lambda);
        out
    }
}
