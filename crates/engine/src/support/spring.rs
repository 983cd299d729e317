//! What springs and dampers of joints and tendons pull with.

/// How far a length is beyond a dead band: positive above, negative below, zero within.
#[inline]
pub fn stretch(length: f64, [lower, upper]: [f64; 2]) -> f64 {
    if length > upper {
        length - upper
    } else if length < lower {
        length - lower
    } else {
        0.0
    }
}
