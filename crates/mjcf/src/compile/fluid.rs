//! Coefficients of the ellipsoid fluid model.

use super::frames::EPS;
use crate::spec::Geom;
use sinew_engine::model::enums::GeomType;
use std::f64::consts::PI;

/// Weights of the 15-point Kronrod rule on [0, 1].
const WEIGHT: [f64; 15] = [
    0.01146766, 0.03154605, 0.05239501, 0.07032663, 0.08450236, 0.09517529, 0.10221647, 0.10474107, 0.10221647,
    0.09517529, 0.08450236, 0.07032663, 0.05239501, 0.03154605, 0.01146766,
];
/// Its points carried to [0, ∞) by x³/(1−x)².
const POINT: [f64; 15] = [
    7.865151709349917e-08,
    1.7347976913907274e-05,
    0.0003548008144506193,
    0.002846636252924549,
    0.014094260903596077,
    0.053063261727396636,
    0.17041978741317773,
    0.5,
    1.4036301548686991,
    3.9353484827022642,
    11.644841677041734,
    39.53187807410903,
    177.5711362220801,
    1429.4772912937397,
    54087.416549217705,
];
/// Derivative of that map at the points.
const SLOPE: [f64; 15] = [
    5.538677720489877e-05,
    0.002080868285293228,
    0.016514126520723166,
    0.07261900344370877,
    0.23985243401862602,
    0.6868318249020725,
    1.8551129519182894,
    5.0,
    14.060031152313941,
    43.28941239611009,
    156.58546376397112,
    747.9826085305024,
    5827.4042950027115,
    116754.0197944512,
    25482945.327264845,
];

/// Added-mass integral ∫ x y z / √((x²+l)³ (y²+l) (z²+l)) dl over l ≥ 0.
fn kappa(x: f64, y: f64, z: f64) -> f64 {
    let (xx, yy, zz) = (1.0 / (x * x), 1.0 / (y * y), 1.0 / (z * z));
    let scale = (x * x * x * y * z).powf(0.4);
    let mut sum = 0.0;
    for i in 0..15 {
        let l = scale * POINT[i];
        let denominator = (1.0 + l * xx) * ((1.0 + l * xx) * (1.0 + l * yy) * (1.0 + l * zz)).sqrt();
        sum += scale * SLOPE[i] / denominator * WEIGHT[i];
    }
    sum * xx
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

    #[test]
    fn the_integrals_of_an_ellipsoid_add_up_to_two() {
        let (x, y, z) = (0.2, 0.5, 0.3);
        let sum = kappa(x, y, z) + kappa(y, z, x) + kappa(z, x, y);
        assert!((sum - 2.0).abs() < 1e-4, "{sum}");
    }

    #[test]
    fn a_ball_carries_half_its_volume_and_no_inertia() {
        let ball = Geom { kind: GeomType::Sphere, size: [0.1, 0.0, 0.0], ..Geom::default() };
        let fluid = coefficients(&ball);
        let half = 0.5 * 4.0 / 3.0 * PI * 1e-3;
        assert!((fluid[6] / half - 1.0).abs() < 1e-3);
        assert!(fluid[9].abs() < 1e-9);
    }
}
