//! Shared settings of the pair tests.

use sinew_geometry::collide::Settings;

/// MuJoCo's defaults.
pub const SETTINGS: Settings = Settings {
    ccd_tolerance: 1e-6,
    ccd_iterations: 35,
    nativeccd: true,
    multiccd: false,
    sdf_initpoints: 0,
    sdf_iterations: 0,
};
