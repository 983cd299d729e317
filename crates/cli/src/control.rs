//! Controls from a file: one row per step, or per time.

use ndarray::Array2;
use ndarray_npy::ReadNpyExt;
use sinew::Model;
use sinew_engine::model::enums::ObjType;
use sinew_mjcf::error::nearest;
use std::fs::File;

/// Controls over time.
pub struct Control {
    /// Start time of each row; without times there is one row per step. (s)
    times: Option<Vec<f64>>,
    /// The actuator of each column.
    actuators: Vec<usize>,
    /// Controls, row by row.
    values: Vec<f64>,
    /// Current row.
    row: usize,
}

impl Control {
    /// Reads `.csv` or `.npy`.
    ///
    /// # Errors
    /// What is wrong with the file, with line and column if applicable.
    pub fn read(path: &str, m: &Model) -> Result<Self, String> {
        let read = match path.rsplit_once('.').map(|(_, extension)| extension) {
            Some("csv") => std::fs::read_to_string(path).map_err(|e| e.to_string()).and_then(|text| csv(&text, m)),
            Some("npy") => npy(path, m),
            _ => Err("controls are read from .csv or .npy".into()),
        };
        read.map_err(|e| format!("{path}: {e}"))
    }

    /// Sets the controls of a step; after the end of the file the last row is kept.
    pub fn apply(&mut self, step: u64, time: f64, ctrl: &mut [f64]) {
        let (width, rows) = (self.actuators.len(), self.values.len() / self.actuators.len().max(1));
        match &self.times {
            // tolerance of half a nanosecond, because times in files are rounded
            Some(times) => {
                while self.row + 1 < rows && times[self.row + 1] <= time + 5e-10 {
                    self.row += 1;
                }
                if times.first().is_none_or(|&first| time + 5e-10 < first) {
                    return;
                }
            }
            None => self.row = (step as usize).min(rows.saturating_sub(1)),
        }
        let values = self.values.iter().skip(self.row * width);
        self.actuators.iter().zip(values).for_each(|(&i, &value)| ctrl[i] = value);
    }
}

fn npy(path: &str, m: &Model) -> Result<Control, String> {
    let file = File::open(path).map_err(|e| e.to_string())?;
    let array = Array2::<f64>::read_npy(file).map_err(|e| e.to_string())?;
    if array.ncols() != m.nu {
        return Err(format!("{} columns, and the model has {} actuators", array.ncols(), m.nu));
    }
    finite(array.iter().copied().collect(), (0..m.nu).collect(), None)
}

fn csv(text: &str, m: &Model) -> Result<Control, String> {
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let (_, head) = lines.next().ok_or("the file is empty")?;
    let head: Vec<&str> = head.split(',').map(str::trim).collect();
    let timed = head[0].eq_ignore_ascii_case("time");
    let numbers = head.iter().all(|cell| cell.parse::<f64>().is_ok());
    let actuators: Vec<usize> = match numbers {
        true if head.len() == m.nu => (0..m.nu).collect(),
        true => return Err(format!("{} columns without names, and the model has {} actuators", head.len(), m.nu)),
        false => head.iter().skip(usize::from(timed)).map(|name| actuator(m, name)).collect::<Result<_, _>>()?,
    };
    let first = numbers.then_some((0, text.lines().find(|l| !l.trim().is_empty()).unwrap_or_default()));
    let (mut times, mut values) = (Vec::new(), Vec::new());
    for (number, line) in first.into_iter().chain(lines) {
        let cells: Vec<&str> = line.split(',').collect();
        if cells.len() != head.len() {
            return Err(format!("line {}: {} cells, expected {}", number + 1, cells.len(), head.len()));
        }
        for (column, cell) in cells.iter().enumerate() {
            let value = cell.trim().parse::<f64>().map_err(|_| {
                format!("line {}, column {}: '{}' is not a number", number + 1, column + 1, cell.trim())
            })?;
            if timed && column == 0 { times.push(value) } else { values.push(value) }
        }
    }
    if times.windows(2).any(|pair| pair[0].is_nan() || pair[1] < pair[0]) {
        return Err("times must not decrease".into());
    }
    finite(values, actuators, timed.then_some(times))
}

fn finite(values: Vec<f64>, actuators: Vec<usize>, times: Option<Vec<f64>>) -> Result<Control, String> {
    match values.iter().position(|v| !v.is_finite()) {
        Some(i) => Err(format!("value {} is {}", i + 1, values[i])),
        None => Ok(Control { times, actuators, values, row: 0 }),
    }
}

/// The actuator of a column: by name, or `ctrl` and an index as in a recorded trajectory.
fn actuator(m: &Model, name: &str) -> Result<usize, String> {
    let numbered = || name.strip_prefix("ctrl")?.parse().ok().filter(|&i: &usize| i < m.nu);
    m.name2id(ObjType::Actuator, name).or_else(numbered).ok_or_else(|| {
        let names = (0..m.nu).filter_map(|i| m.id2name(ObjType::Actuator, i));
        match nearest(name, names) {
            Some(near) => format!("there is no actuator '{name}'; did you mean '{near}'?"),
            None => {
                format!("there is no actuator '{name}'; columns are 'time', names of actuators, or ctrl0, ctrl1, …")
            }
        }
    })
}
