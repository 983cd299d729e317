//! Comparison of derivatives with finite differences, for users.

use super::{DerivativeConfig, DifferenceError, Method, Transition, TransitionWork, transition};
use crate::data::Data;
use crate::model::Model;

/// Result of [`validate`], relative to the largest entry of each matrix; zero for matrices that are not wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Validation {
    /// Errors of `A`, `B`, `C` and `D` with respect to centred differences of whole steps.
    pub errors: [f64; 4],
    /// Change of those differences at a tenth of their step: an estimate of their accuracy; large where the active set
    /// of constraints changes.
    pub differences: [f64; 4],
}

/// Compares the derivatives of a step with centred differences of step `config.eps`.
///
/// # Errors
/// Those of [`transition`].
pub fn validate(
    m: &Model,
    d: &Data,
    config: &DerivativeConfig,
    work: &mut TransitionWork,
) -> Result<Validation, DifferenceError> {
    let mut found = |config: &DerivativeConfig| {
        let mut out = Transition::default();
        transition(m, d, config, work, &mut out).map(|_| [out.A, out.B, out.C, out.D])
    };
    let coarse = DerivativeConfig { method: Method::Fd, centered: true, ..*config };
    let (got, want) = (found(config)?, found(&coarse)?);
    let finer = found(&DerivativeConfig { eps: config.eps / 10.0, ..coarse })?;
    let off = |from: &[Vec<f64>; 4]| std::array::from_fn(|k| relative_error(&from[k], &want[k]));
    Ok(Validation { errors: off(&got), differences: off(&finer) })
}

/// Maximum difference of two matrices, relative to the largest entry of the second.
fn relative_error(found: &[f64], want: &[f64]) -> f64 {
    let scale = want.iter().fold(f64::MIN_POSITIVE, |max, x| max.max(x.abs()));
    found.iter().zip(want).fold(0.0_f64, |max, (f, w)| max.max((f - w).abs())) / scale
}
