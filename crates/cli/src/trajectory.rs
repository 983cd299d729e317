//! Records a simulation to a file: NumPy's `.npz`, or `.csv`.

use ndarray::{Array1, Array2};
use ndarray_npy::{NpzWriter, WriteNpzError};
use sinew::{Data, Model};
use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// File format.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Npz,
    Csv,
}

/// States at the start and after every step.
pub struct Trajectory {
    file: File,
    path: PathBuf,
    format: Format,
    time: Vec<f64>,
    /// Name, number of values per state, and the values.
    columns: [(&'static str, usize, Vec<f64>); 5],
}

impl Trajectory {
    /// Creates the file; its extension determines the format.
    ///
    /// # Errors
    /// An extension other than `.npz` or `.csv`, or a file that cannot be created.
    pub fn create(path: &str, m: &Model) -> Result<Self, String> {
        let path = Path::new(path);
        let format = match path.extension().and_then(|e| e.to_str()) {
            Some("npz") => Format::Npz,
            Some("csv") => Format::Csv,
            _ => return Err(format!("{}: a trajectory is written as .npz or .csv", path.display())),
        };
        let file = File::create(path).map_err(|e| format!("cannot write {}: {e}", path.display()))?;
        let columns = [("qpos", m.nq), ("qvel", m.nv), ("act", m.na), ("ctrl", m.nu), ("sensordata", m.nsensordata)];
        let columns = columns.map(|(name, n)| (name, n, Vec::new()));
        Ok(Trajectory { file, path: path.into(), format, time: Vec::new(), columns })
    }

    /// Records the current state.
    pub fn push(&mut self, d: &Data) {
        self.time.push(d.state.time);
        let parts = [&d.state.qpos, &d.state.qvel, &d.state.act, &d.state.ctrl, &d.sensor.sensordata];
        self.columns.iter_mut().zip(parts).for_each(|((.., values), part)| values.extend_from_slice(part));
    }

    /// Writes everything; returns the path.
    ///
    /// # Errors
    /// The error of the file system.
    pub fn finish(mut self) -> Result<PathBuf, String> {
        let written = match self.format {
            Format::Npz => self.npz().map_err(|e| e.to_string()),
            Format::Csv => self.file.write_all(self.csv().as_bytes()).map_err(|e| e.to_string()),
        };
        written.map_err(|e| format!("cannot write {}: {e}", self.path.display()))?;
        Ok(self.path)
    }

    fn npz(&mut self) -> Result<(), WriteNpzError> {
        let mut npz = NpzWriter::new_compressed(&mut self.file);
        let rows = self.time.len();
        npz.add_array("time", &Array1::from_vec(std::mem::take(&mut self.time)))?;
        for (name, n, values) in &mut self.columns {
            let values = Array2::from_shape_vec((rows, *n), std::mem::take(values)).expect("so many were pushed");
            npz.add_array(*name, &values)?;
        }
        npz.finish()?;
        Ok(())
    }

    fn csv(&self) -> String {
        let mut text = String::from("time");
        for (name, n, _) in &self.columns {
            (0..*n).for_each(|i| _ = write!(text, ",{name}{i}"));
        }
        text.push('\n');
        for (row, time) in self.time.iter().enumerate() {
            _ = write!(text, "{time}");
            for (_, n, values) in &self.columns {
                values[row * n..(row + 1) * n].iter().for_each(|v| _ = write!(text, ",{v}"));
            }
            text.push('\n');
        }
        text
    }
}
