//! Detection of NaN and huge values.

/// Largest magnitude that a position, velocity, acceleration or control may have.
#[doc(alias = "mjMAXVAL")]
pub const MAXVAL: f64 = 1e10;

/// Whether a value is NaN or too large.
#[doc(alias = "mju_isBad")]
#[inline(always)]
pub fn is_bad(x: f64) -> bool {
    x.is_nan() || !(-MAXVAL..=MAXVAL).contains(&x)
}
