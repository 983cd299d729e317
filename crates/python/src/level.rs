//! Which processors this build of the module targets, and which builds the present processor can run.

use pyo3::prelude::*;

/// The processors that this build targets. All builds sum in the same order and use no fused multiply-add: results are
/// identical.
const LEVEL: &str = if cfg!(not(target_arch = "x86_64")) {
    std::env::consts::ARCH
} else if cfg!(target_feature = "avx2") {
    "x86-64-v3"
} else {
    "x86-64"
};

/// Whether the processor and the operating system support `x86-64-v3`.
fn has_v3() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("f16c")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("movbe")
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        false
    }
}

pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add("_level", LEVEL)?;
    m.add("_sources", env!("SINEW_SOURCES"))?;
    m.add("_has_v3", has_v3())
}
