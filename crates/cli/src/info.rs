//! `sinew info`: what a model contains.

use crate::{input, output};
use comfy_table::{Table, presets::UTF8_FULL_CONDENSED};
use serde_json::{Value, json};
use sinew::{Data, Model};
use sinew_engine::data::Start;
use sinew_engine::model::enums::{GeomType, JointType, ObjType, SensorType, TrnType};
use std::process::ExitCode;

/// Show what a model contains
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  sinew info robot.xml\n  sinew info --json robot.xml | jq .bodies\n  sinew info --memory robot.xml"
)]
pub struct Args {
    /// Model file; the embedded humanoid when absent, standard input when -
    model: Option<String>,
    /// Treat warnings as errors
    #[arg(long)]
    strict: bool,
    /// Show the memory of the fields of a simulation, the largest first, and how much of it a world of a batch keeps
    #[arg(long)]
    memory: bool,
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
}

/// A table with title, column headings and rows.
struct Section {
    title: &'static str,
    head: Vec<&'static str>,
    rows: Vec<Vec<Value>>,
}

/// Prints the description.
pub fn main(args: &Args) -> ExitCode {
    let Some(model) = input::open(args.model.as_deref(), args.strict).report() else { return ExitCode::FAILURE };
    let sections = if args.memory { vec![blocks(&model), fields(&model)] } else { describe(&model) };
    let text = if args.json { format!("{:#}\n", as_json(&model, &sections)) } else { as_tables(&model, &sections) };
    output::print(&text);
    ExitCode::SUCCESS
}

/// The description as JSON.
pub fn json(m: &Model) -> Value {
    as_json(m, &describe(m))
}

fn name(m: &Model, obj: ObjType, id: usize) -> Value {
    m.id2name(obj, id).map_or(json!(format!("#{id}")), |n| json!(n))
}

fn word<T: std::fmt::Debug>(code: Result<T, impl std::fmt::Debug>) -> Value {
    code.map_or(json!("?"), |c| json!(format!("{c:?}").to_lowercase()))
}

/// Rounds to four significant digits, for readability.
fn round(x: f64) -> Value {
    let text = format!("{x:.3e}");
    json!(text.parse::<f64>().unwrap_or(x))
}

fn range(limited: u8, range: [f64; 2]) -> Value {
    if limited != 0 { json!([round(range[0]), round(range[1])]) } else { Value::Null }
}

fn describe(m: &Model) -> Vec<Section> {
    vec![sizes(m), bodies(m), joints(m), geoms(m), actuators(m), sensors(m)]
}

/// Memory of the blocks of a simulation, and of a world of a batch. (byte)
fn blocks(m: &Model) -> Section {
    let mut found: Vec<(&str, usize)> = Vec::new();
    for (block, _, bytes) in Data::new(m).bytes_by_field() {
        match found.iter_mut().find(|(name, _)| *name == block) {
            Some((_, sum)) => *sum += bytes,
            None => found.push((block, bytes)),
        }
    }
    let all = found.iter().map(|(_, bytes)| bytes).sum();
    found.extend([("all blocks", all), ("kept by a world of a batch", 2 * Start::new(m).nbytes())]);
    let rows = found.into_iter().map(|(name, bytes)| vec![json!(name), json!(bytes)]).collect();
    Section { title: "blocks", head: vec!["block", "bytes"], rows }
}

/// Memory of the fields of a simulation, the largest first. (byte)
fn fields(m: &Model) -> Section {
    let mut found = Data::new(m).bytes_by_field();
    found.retain(|(_, _, bytes)| *bytes > 0);
    found.sort_by_key(|(_, _, bytes)| std::cmp::Reverse(*bytes));
    let rows = found.into_iter().map(|(block, name, bytes)| vec![json!(name), json!(block), json!(bytes)]).collect();
    Section { title: "fields", head: vec!["field", "block", "bytes"], rows }
}

fn sizes(m: &Model) -> Section {
    let shown = [
        "nq", "nv", "nu", "na", "nbody", "njnt", "ngeom", "nsite", "nmesh", "neq", "ntendon", "nsensor", "nkey",
        "nmocap",
    ];
    let rows =
        m.list().iter().filter(|(n, v)| shown.contains(n) && *v > 0).map(|(n, v)| vec![json!(n), json!(v)]).collect();
    Section { title: "sizes", head: vec!["size", "count"], rows }
}

fn bodies(m: &Model) -> Section {
    let rows = (1..m.nbody)
        .map(|b| {
            vec![
                name(m, ObjType::Body, b),
                name(m, ObjType::Body, m.body_parentid[b] as usize),
                round(m.body_mass[b]),
                json!(m.body_jntnum[b]),
                json!(m.body_geomnum[b]),
            ]
        })
        .collect();
    Section { title: "bodies", head: vec!["body", "parent", "mass", "joints", "geoms"], rows }
}

fn joints(m: &Model) -> Section {
    let rows = (0..m.njnt)
        .map(|j| {
            vec![
                name(m, ObjType::Joint, j),
                word(JointType::try_from(m.jnt_type[j])),
                name(m, ObjType::Body, m.jnt_bodyid[j] as usize),
                range(m.jnt_limited[j], m.jnt_range[j]),
            ]
        })
        .collect();
    Section { title: "joints", head: vec!["joint", "type", "body", "range"], rows }
}

fn geoms(m: &Model) -> Section {
    let rows = (0..m.ngeom)
        .map(|g| {
            vec![
                name(m, ObjType::Geom, g),
                word(GeomType::try_from(m.geom_type[g])),
                name(m, ObjType::Body, m.geom_bodyid[g] as usize),
                json!(m.geom_size[g].map(round)),
                json!([m.geom_contype[g], m.geom_conaffinity[g]]),
            ]
        })
        .collect();
    Section { title: "geoms", head: vec!["geom", "type", "body", "size", "contype/affinity"], rows }
}

fn actuators(m: &Model) -> Section {
    let rows = (0..m.nu)
        .map(|i| {
            vec![
                name(m, ObjType::Actuator, i),
                word(TrnType::try_from(m.actuator_trntype[i])),
                round(m.actuator_gear[i][0]),
                range(m.actuator_ctrllimited[i], m.actuator_ctrlrange[i]),
            ]
        })
        .collect();
    Section { title: "actuators", head: vec!["actuator", "acts on", "gear", "control range"], rows }
}

fn sensors(m: &Model) -> Section {
    let rows = (0..m.nsensor)
        .map(|s| {
            vec![name(m, ObjType::Sensor, s), word(SensorType::try_from(m.sensor_type[s])), json!(m.sensor_dim[s])]
        })
        .collect();
    Section { title: "sensors", head: vec!["sensor", "type", "dim"], rows }
}

fn as_json(m: &Model, sections: &[Section]) -> Value {
    let tables = sections.iter().map(|s| {
        let rows: Vec<Value> = s
            .rows
            .iter()
            .map(|r| {
                s.head.iter().zip(r).map(|(h, v)| (h.to_string(), v.clone())).collect::<serde_json::Map<_, _>>().into()
            })
            .collect();
        (s.title.to_string(), Value::from(rows))
    });
    let mut all: serde_json::Map<String, Value> = tables.collect();
    all.insert("model".into(), json!(m.model_name()));
    all.insert("timestep".into(), json!(m.opt.timestep));
    all.insert("mass".into(), json!(m.body_subtreemass[0]));
    all.into()
}

fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(s) => s.clone(),
        Value::Array(a) => a.iter().map(cell).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}

fn as_tables(m: &Model, sections: &[Section]) -> String {
    let mut text = format!("{}: timestep {} s, mass {:.4} kg\n", m.model_name(), m.opt.timestep, m.body_subtreemass[0]);
    for s in sections.iter().filter(|s| !s.rows.is_empty()) {
        let mut table = Table::new();
        table.load_style(UTF8_FULL_CONDENSED).set_header(&s.head);
        s.rows.iter().for_each(|r| {
            table.add_row(r.iter().map(cell));
        });
        text += &format!("\n{} ({})\n{table}\n", s.title, s.rows.len());
    }
    text
}
