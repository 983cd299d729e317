//! `sinew bench --gpu`: speed of batches on a GPU.

use comfy_table::{Table, presets::UTF8_FULL_CONDENSED};
use serde_json::{Value, json};
use sinew::Model;
use sinew_gpu::{BatchSim, Device, GpuError, Report, Settings, Speed, speed};

/// Number of steps of a measurement.
const STEPS: usize = 200;

/// The result of measuring one batch size.
pub struct Measured {
    worlds: usize,
    report: Report,
    speed: Speed,
}

/// Measures batches of several sizes.
///
/// # Errors
/// There is no GPU, or no kernel supports the model.
pub fn measure(m: &Model, sizes: &[usize]) -> Result<Vec<Measured>, GpuError> {
    let one = |&worlds: &usize| {
        let mut sim = BatchSim::new(m, worlds, Device::Gpu(0), &Settings::default())?;
        speed(m, &mut sim, STEPS / 10)?; // warm-up
        Ok(Measured { worlds, speed: speed(m, &mut sim, STEPS)?, report: sim.report.clone() })
    };
    sizes.iter().map(one).collect()
}

/// Formats the results as a table.
pub fn table(file: &str, all: &[Measured]) -> String {
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED);
    table.set_header([
        "worlds",
        "ns a step",
        "M steps/s",
        "contacts",
        "rows",
        "iterations",
        "stand still",
        "compiled in",
    ]);
    for Measured { worlds, report, speed } in all {
        table.add_row([
            worlds.to_string(),
            format!("{:.1}", speed.nanoseconds),
            format!("{:.2}", 1e3 / speed.nanoseconds),
            format!("{:.1}", speed.contacts),
            format!("{:.1}", speed.rows),
            format!("{:.2}", speed.iterations),
            (speed.flagged[0] + speed.flagged[2]).to_string(),
            format!("{:.2} s", report.compiling.as_secs_f64()),
        ]);
    }
    let device = all.first().map_or("", |m| m.report.device.as_str());
    format!("{file} on {device}\n{table}\n")
}

/// Formats the results as JSON.
pub fn json(file: &str, all: &[Measured]) -> Value {
    let one = |m: &Measured| {
        json!({
            "worlds": m.worlds,
            "nanoseconds": m.speed.nanoseconds,
            "contacts": m.speed.contacts,
            "rows": m.speed.rows,
            "iterations": m.speed.iterations,
            "flagged": m.speed.flagged,
            "seconds_to_compile": m.report.compiling.as_secs_f64(),
            "device_bytes": m.report.device_bytes,
            "shared_bytes": m.report.shared_bytes,
            "registers": m.report.registers,
        })
    };
    let device = all.first().map_or("", |m| m.report.device.as_str());
    json!({ "model": file, "device": device, "batches": all.iter().map(one).collect::<Vec<_>>() })
}
