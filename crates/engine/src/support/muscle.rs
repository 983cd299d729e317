//! Muscle model: active force over length and velocity, passive force, activation dynamics.
//!
//! Parameters `prm` are `range (2), force, scale, lmin, lmax, vmax, fpmax, fvmax`; lengths are in units of
//! the optimal length, which maps `range` to the actuator's `lengthrange`.

use sinew_math::{MINVAL, clip};

/// Active force over length: 1 at the optimal length, 0 outside `[lmin, lmax]`, and two parabolas on each side that
/// meet halfway.
#[doc(alias = "mju_muscleGainLength")]
pub fn gain_length(length: f64, lmin: f64, lmax: f64) -> f64 {
    length_curve(length, lmin, lmax)[0]
}

/// [`gain_length`] and its slope.
fn length_curve(length: f64, lmin: f64, lmax: f64) -> [f64; 2] {
    if length < lmin || length > lmax {
        return [0.0; 2];
    }
    let end = if length <= 1.0 { lmin } else { lmax };
    let run = (1.0 - end).abs().max(2.0 * MINVAL);
    // distances from the end and to the optimum, as signed fractions of `run`
    let (near, away) = ((length - end) / run, (1.0 - length) / run);
    if near.abs() <= 0.5 { [2.0 * near * near, 4.0 * near / run] } else { [1.0 - 2.0 * away * away, 4.0 * away / run] }
}

/// Active force over velocity (in units of the maximum speed), with its first two derivatives: a parabola from 0 at
/// full shortening speed to 1 at rest, and another that rises to `fvmax` at velocity `fvmax − 1`.
fn gain_velocity(v: f64, fvmax: f64) -> [f64; 3] {
    if v <= 0.0 {
        let above = (v + 1.0).max(0.0);
        [above * above, 2.0 * above, if v > -1.0 { 2.0 } else { 0.0 }]
    } else {
        let run = MINVAL.max(fvmax - 1.0);
        let left = (fvmax - 1.0 - v).max(0.0);
        [fvmax - left * left / run, 2.0 * left / run, if v <= fvmax - 1.0 { -2.0 / run } else { 0.0 }]
    }
}

/// A muscle's parameters in absolute units.
struct Scaled {
    /// Peak force.
    force: f64,
    /// Optimal length.
    optimum: f64,
    /// Current length over the optimal length.
    length: f64,
}

impl Scaled {
    fn new(len: f64, lengthrange: [f64; 2], acc0: f64, prm: &[f64]) -> Self {
        // a negative force selects the force that accelerates by `scale` at `qpos0`
        let force = if prm[2] < 0.0 { prm[3] / MINVAL.max(acc0) } else { prm[2] };
        let optimum = (lengthrange[1] - lengthrange[0]) / MINVAL.max(prm[1] - prm[0]);
        Scaled { force, optimum, length: prm[0] + (len - lengthrange[0]) / MINVAL.max(optimum) }
    }

    /// Maximum shortening velocity, at zero force.
    fn top_speed(&self, vmax: f64) -> f64 {
        MINVAL.max(self.optimum * vmax)
    }
}

/// Active force of a fully excited muscle; negative, as muscles pull.
#[doc(alias = "mju_muscleGain")]
pub fn gain(len: f64, vel: f64, lengthrange: [f64; 2], acc0: f64, prm: &[f64]) -> f64 {
    let s = Scaled::new(len, lengthrange, acc0, prm);
    let [value, ..] = gain_velocity(vel / s.top_speed(prm[6]), prm[8]);
    -s.force * gain_length(s.length, prm[4], prm[5]) * value
}

/// Derivative of [`gain`] with respect to velocity.
#[doc(alias = "mjd_muscleGain_vel")]
pub fn gain_vel(len: f64, vel: f64, lengthrange: [f64; 2], acc0: f64, prm: &[f64]) -> f64 {
    let s = Scaled::new(len, lengthrange, acc0, prm);
    let top = s.top_speed(prm[6]);
    let [_, slope, _] = gain_velocity(vel / top, prm[8]);
    -s.force * gain_length(s.length, prm[4], prm[5]) * slope / top
}

/// Second derivatives and slope of [`gain`]: `∂gain/∂len`, `∂gain_vel/∂len`, `∂gain_vel/∂vel`.
pub fn gain_slopes(len: f64, vel: f64, lengthrange: [f64; 2], acc0: f64, prm: &[f64]) -> [f64; 3] {
    let s = Scaled::new(len, lengthrange, acc0, prm);
    let (optimum, top) = (MINVAL.max(s.optimum), s.top_speed(prm[6]));
    let [fv, slope, curve] = gain_velocity(vel / top, prm[8]);
    let [fl, fl_slope] = length_curve(s.length, prm[4], prm[5]);
    let fl_slope = fl_slope / optimum;
    [-s.force * fl_slope * fv, -s.force * fl_slope * slope / top, -s.force * fl * curve / (top * top)]
}

/// Derivative of [`bias`] with respect to length.
pub fn bias_slope(len: f64, lengthrange: [f64; 2], acc0: f64, prm: &[f64]) -> f64 {
    let s = Scaled::new(len, lengthrange, acc0, prm);
    let run = MINVAL.max(0.5 * (1.0 + prm[5]) - 1.0);
    let x = ((s.length - 1.0) / run).clamp(0.0, 1.0);
    -s.force * prm[7] * x / (run * MINVAL.max(s.optimum))
}

/// Passive force of a stretched muscle: parabolic up to the middle of `[1, lmax]`, then linear along the tangent.
#[doc(alias = "mju_muscleBias")]
pub fn bias(len: f64, lengthrange: [f64; 2], acc0: f64, prm: &[f64]) -> f64 {
    let s = Scaled::new(len, lengthrange, acc0, prm);
    let middle = 0.5 * (1.0 + prm[5]);
    let run = MINVAL.max(middle - 1.0);
    let rise = if s.length <= 1.0 {
        0.0
    } else if s.length <= middle {
        0.5 * ((s.length - 1.0) / run).powi(2)
    } else {
        0.5 + (s.length - middle) / run
    };
    -s.force * prm[7] * rise
}

/// Time constant of activation: blended from `tau_act` (rising) and `tau_deact` (falling) over `smoothing_width`.
#[doc(alias = "mju_muscleDynamicsTimescale")]
pub fn timescale(dctrl: f64, tau_act: f64, tau_deact: f64, smoothing_width: f64) -> f64 {
    if smoothing_width >= MINVAL {
        tau_deact + (tau_act - tau_deact) * sigmoid(dctrl / smoothing_width + 0.5)
    } else if dctrl > 0.0 {
        tau_act
    } else {
        tau_deact
    }
}

/// Activation rate; `prm` is rise time, fall time, smoothing width.
/// Source: Millard et al., "Flexing computational muscle", 2013.
#[doc(alias = "mju_muscleDynamics")]
pub fn dynamics(ctrl: f64, act: f64, prm: &[f64]) -> f64 {
    let excess = clip(ctrl, 0.0, 1.0) - act;
    let level = 0.5 + 1.5 * clip(act, 0.0, 1.0);
    excess / MINVAL.max(timescale(excess, prm[0] * level, prm[1] / level, prm[2]))
}

/// Derivatives of [`dynamics`] with respect to control and activation.
pub fn dynamics_slopes(ctrl: f64, act: f64, prm: &[f64]) -> [f64; 2] {
    let within = |x: f64| f64::from((0.0..=1.0).contains(&x));
    let excess = clip(ctrl, 0.0, 1.0) - act;
    let level = 0.5 + 1.5 * clip(act, 0.0, 1.0);
    let (rise, fall) = (prm[0] * level, prm[1] / level);
    // weight of the rise time, and its slope over the excess; at the kink, the one-sided derivative for increasing
    // control, and for increasing activation
    let (shares, steep) = if prm[2] >= MINVAL {
        let x = excess / prm[2] + 0.5;
        ([sigmoid(x); 2], sigmoid_slope(x) / prm[2])
    } else {
        ([f64::from(excess >= 0.0), f64::from(excess > 0.0)], 0.0)
    };
    let rate = |share: f64, excess_by: f64, level_by: f64| {
        let tau = MINVAL.max(fall + (rise - fall) * share);
        let by_level = prm[0] * share - prm[1] / (level * level) * (1.0 - share);
        excess_by / tau - excess / (tau * tau) * ((rise - fall) * steep * excess_by + by_level * level_by)
    };
    [rate(shares[0], within(ctrl), 0.0), rate(shares[1], -1.0, 1.5 * within(act))]
}

/// Derivative of [`sigmoid`].
fn sigmoid_slope(x: f64) -> f64 {
    if x <= 0.0 || x >= 1.0 { 0.0 } else { 30.0 * x * x * (x - 1.0) * (x - 1.0) }
}

/// Smooth step from 0 at `x ≤ 0` to 1 at `x ≥ 1`, with zero first and second derivatives at both ends.
#[doc(alias = "mju_sigmoid")]
pub fn sigmoid(x: f64) -> f64 {
    if x <= 0.0 {
        0.0
    } else if x >= 1.0 {
        1.0
    } else {
        x * x * x * (3.0 * x * (2.0 * x - 5.0) + 10.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRM: [f64; 9] = [0.75, 1.05, -1.0, 200.0, 0.5, 1.6, 1.5, 1.3, 1.2];
    const RANGE: [f64; 2] = [0.2, 0.5];

    #[test]
    fn velocity_slope_matches_differences() {
        for vel in [-2.0, -1.2, -0.3, 0.1, 0.25, 2.0] {
            let f = |v| gain(0.42, v, RANGE, 3.0, &PRM);
            let numeric = (f(vel + 1e-6) - f(vel - 1e-6)) / 2e-6;
            assert!((gain_vel(0.42, vel, RANGE, 3.0, &PRM) - numeric).abs() < 1e-6, "{vel}");
        }
    }

    #[test]
    fn other_slopes_match_differences() {
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-6 * (1.0 + a.abs()), "{a} {b}");
        let central = |f: &dyn Fn(f64) -> f64, x: f64| (f(x + 1e-6) - f(x - 1e-6)) / 2e-6;
        for (len, vel) in [(0.02, 0.1), (0.1, -0.3), (0.3, 0.05), (0.5, -2.0), (0.65, 0.4), (0.9, 0.1)] {
            let [by_len, vel_len, vel_vel] = gain_slopes(len, vel, RANGE, 3.0, &PRM);
            near(by_len, central(&|x| gain(x, vel, RANGE, 3.0, &PRM), len));
            near(vel_len, central(&|x| gain_vel(x, vel, RANGE, 3.0, &PRM), len));
            near(vel_vel, central(&|x| gain_vel(len, x, RANGE, 3.0, &PRM), vel));
            near(bias_slope(len, RANGE, 3.0, &PRM), central(&|x| bias(x, RANGE, 3.0, &PRM), len));
        }
        for prm in [[0.01, 0.04, 0.0], [0.01, 0.04, 0.3]] {
            for (ctrl, act) in [(0.7, 0.2), (0.2, 0.7), (0.5, 0.45), (1.4, 0.3), (-0.3, 1.2)] {
                let [by_ctrl, by_act] = dynamics_slopes(ctrl, act, &prm);
                near(by_ctrl, central(&|x| dynamics(x, act, &prm), ctrl));
                near(by_act, central(&|x| dynamics(ctrl, x, &prm), act));
            }
        }
    }

    #[test]
    fn curves_are_continuous_and_peak_at_one() {
        assert_eq!(gain_length(1.0, 0.5, 1.6), 1.0);
        for knot in [0.5, 0.75, 1.0, 1.3, 1.6] {
            let jump = gain_length(knot + 1e-9, 0.5, 1.6) - gain_length(knot - 1e-9, 0.5, 1.6);
            assert!(jump.abs() < 1e-7, "{knot}");
        }
        assert_eq!([sigmoid(-1.0), sigmoid(0.5), sigmoid(2.0)], [0.0, 0.5, 1.0]);
    }
}
