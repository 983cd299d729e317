//! Outputs that a step can write besides the state.

use crate::refuse::Refusal;
use sinew_engine::Model;

/// Number of outputs.
pub const OUTPUTS: usize = 22;
/// Their names, in the order of the kernels.
pub const NAMES: [&str; OUTPUTS] = [
    "xpos",
    "xquat",
    "xmat",
    "xipos",
    "geom_xpos",
    "site_xpos",
    "subtree_com",
    "cdof",
    "cinert",
    "cvel",
    "M",
    "ten_length",
    "ten_velocity",
    "actuator_length",
    "actuator_velocity",
    "actuator_force",
    "qfrc_actuator",
    "qfrc_smooth",
    "qfrc_constraint",
    "qacc",
    "cfrc_ext",
    "sensordata",
];

/// All outputs and their sizes per world.
pub fn known(m: &Model) -> [(&'static str, usize); OUTPUTS] {
    let size = |name| match name {
        "xpos" | "xipos" | "subtree_com" => 3 * m.nbody,
        "xquat" => 4 * m.nbody,
        "xmat" => 9 * m.nbody,
        "cinert" => 10 * m.nbody,
        "cvel" | "cfrc_ext" => 6 * m.nbody,
        "geom_xpos" => 3 * m.ngeom,
        "site_xpos" => 3 * m.nsite,
        "cdof" => 6 * m.nv,
        "M" => m.nv * m.nv,
        "ten_length" | "ten_velocity" => m.ntendon,
        "sensordata" => m.nsensordata,
        name if name.starts_with("actuator") => m.nu,
        _ => m.nv,
    };
    NAMES.map(|name| (name, size(name)))
}

/// Requested outputs, in the order of the kernels.
pub fn outputs(m: &Model, asked: &[String]) -> Result<Vec<(&'static str, usize)>, Refusal> {
    if let Some(name) = asked.iter().find(|name| !NAMES.contains(&name.as_str())) {
        let what = format!("the output {name}; there are {}", NAMES.join(", "));
        return Err(Refusal::advised(what, "read others from the batches of the CPU"));
    }
    if asked.iter().any(|name| name == "sensordata") {
        crate::sensors::check(m)?;
    }
    Ok(known(m).into_iter().filter(|k| asked.iter().any(|name| name == k.0)).collect())
}
