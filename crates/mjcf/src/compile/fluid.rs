//! Coefficients of the ellipsoid fluid model.

use super::frames::EPS;
use crate::spec::Geom;
use sinew_engine::model::enums::GeomType;
use std::f64::consts::PI;

/// Non-negative nodes of the 15-point Gauss–Kronrod rule on [−1, 1] and their weights (Piessens et al., QUADPACK, 1983).
const KRONROD: [[f64; 2]; 8] = [
    [0.0, 0.209_482_141_084_727_82],
    [0.207_784_955_007_898_47, 0.204_432_940_075_298_89],
    [0.405_845_151_377_397_2, 0.190_350_578_064_785_41],
    [0.586_087_235_467_691_1, 0.169_004_726_639_267_9],
    [0.741_531_185_599_394_4, 0.140_653_259_715_525_92],
    [0.864_864_423_359_769_1, 0.104_790_010_322_250_19],
    [0.949_107_912_342_758_5, 0.063_092_092_629_978_56],
    [0.991_455_371_120_812_6, 0.022_935_322_010_529_224],
];

/// ∫ f(l) dl over l ≥ 0, where f decays beyond l ≈ `scale`; substitutes l = scale · t³/(1−t)², t in [0, 1].
fn integral(scale: f64, f: impl Fn(f64) -> f64) -> f64 {
    // MuJoCo's nodes and weights have eight digits, which is visible in the inertias: differences of such integrals
    let rounded = |x: f64| (1e8 * x).round() * 1e-8;
    let term = |node: f64, weight: f64| {
        let (t, weight) = (rounded(0.5 * (1.0 + node)), rounded(0.5 * weight));
        let rest = 1.0 - t;
        let point = t * t * t / (rest * rest);
        let slope = t * t * (3.0 - t) / (rest * rest * rest);
        scale * slope * f(scale * point) * weight
    };
    let pair = |&[node, weight]: &[f64; 2]| {
        if node == 0.0 { term(0.0, weight) } else { term(-node, weight) + term(node, weight) }
    };
    KRONROD.iter().map(pair).sum()
}

/// Added-mass integral ∫ x y z / √((x²+l)³ (y²+l) (z²+l)) dl over l ≥ 0.
fn kappa(x: f64, y: f64, z: f64) -> f64 {
    let [along, across, other] = [x, y, z].map(|axis| move |l: f64| 1.0 + l / (axis * axis));
    let scale = (x * x * x * y * z).powf(0.4);
    integral(scale, |l| 1.0 / (along(l).powi(3) * across(l) * other(l)).sqrt()) / (x * x)
}

/// `geom_fluid` of a geom: switch, drag and lift coefficients, virtual mass, virtual inertia.
pub(crate) fn coefficients(geom: &Geom) -> [f64; 12] {
    let [a, b, c] = geom.size;
    let [x, y, z] = match geom.kind {
        GeomType::Sphere => [a, a, a],
        GeomType::Capsule => [a, a, b + a],
        GeomType::Cylinder => [a, a, b],
        _ => [a, b, c],
    };
    let volume = 4.0 / 3.0 * PI * x * y * z;
    let (kx, ky, kz) = (kappa(x, y, z), kappa(y, z, x), kappa(z, x, y));
    let mass = |k: f64| volume * k / (2.0 - k).max(EPS);
    let inertia = |p: f64, q: f64, kp: f64, kq: f64| {
        let d = p * p - q * q;
        let factor = d * d * (kq - kp).abs() / (2.0 * d + (p * p + q * q) * (kp - kq)).abs().max(EPS);
        volume * factor / 5.0
    };
    let [blunt, slender, angular, kutta, magnus] = geom.fluid_coefs;
    [
        geom.fluid_ellipsoid,
        blunt,
        slender,
        angular,
        kutta,
        magnus,
        mass(kx),
        mass(ky),
        mass(kz),
        inertia(y, z, ky, kz),
        inertia(z, x, kz, kx),
        inertia(x, y, kx, ky),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tolerance::{DUAL, SOLVED, TABULATED};

    #[test]
    fn the_integrals_of_an_ellipsoid_add_up_to_two() {
        let (x, y, z) = (0.2, 0.5, 0.3);
        let sum = kappa(x, y, z) + kappa(y, z, x) + kappa(z, x, y);
        assert!((sum - 2.0).abs() < TABULATED, "{sum}");
    }

    #[test]
    fn a_ball_carries_half_its_volume_and_no_inertia() {
        let ball = Geom { kind: GeomType::Sphere, size: [0.1, 0.0, 0.0], ..Geom::default() };
        let fluid = coefficients(&ball);
        let half = 0.5 * 4.0 / 3.0 * PI * 1e-3;
        assert!((fluid[6] / half - 1.0).abs() < DUAL);
        assert!(fluid[9].abs() < SOLVED);
    }
}
