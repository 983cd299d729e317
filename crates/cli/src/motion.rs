//! A recorded motion, as written by `sinew run --output`.

use ndarray::{Array1, Array2, ArrayD};
use ndarray_npy::NpzReader;
use sinew::Model;
use std::fs::File;

/// Times and coordinates.
pub struct Motion {
    /// Time of each state. (s)
    pub time: Vec<f64>,
    /// Coordinates, one row per state.
    pub qpos: Array2<f64>,
}

/// Opens the archive at a path.
pub fn archive(path: &str) -> Result<NpzReader<File>, String> {
    let file = File::open(path).map_err(|e| format!("{path}: {e}"))?;
    NpzReader::new(file).map_err(|e| format!("{path} is no .npz archive of arrays: {e}"))
}

/// Names of the arrays in an archive, without the extension that NumPy adds.
pub fn names(npz: &mut NpzReader<File>, path: &str) -> Result<Vec<String>, String> {
    let names = npz.names().map_err(|e| format!("{path}: {e}"))?;
    Ok(names.into_iter().map(|n| n.trim_end_matches(".npy").to_string()).collect())
}

/// Reads an array of an archive.
pub fn array(npz: &mut NpzReader<File>, path: &str, name: &str) -> Result<ArrayD<f64>, String> {
    let all = names(npz, path)?;
    if !all.iter().any(|n| n == name) {
        return Err(format!("{path} has no array '{name}'; it has {}", all.join(", ")));
    }
    npz.by_name(name).or_else(|_| npz.by_name(&format!("{name}.npy"))).map_err(|e| format!("{path}, {name}: {e}"))
}

/// Reads a motion.
fn read(path: &str) -> Result<Motion, String> {
    let mut npz = archive(path)?;
    let shape = |name: &str| format!("{path}: '{name}' has another shape than `sinew run --output` writes");
    let time: Array1<f64> = array(&mut npz, path, "time")?.into_dimensionality().map_err(|_| shape("time"))?;
    let qpos: Array2<f64> = array(&mut npz, path, "qpos")?.into_dimensionality().map_err(|_| shape("qpos"))?;
    if qpos.nrows() != time.len() || time.iter().chain(&qpos).any(|x| !x.is_finite()) {
        return Err(shape("qpos"));
    }
    Ok(Motion { time: time.to_vec(), qpos })
}

/// Reads a motion and checks it against a model.
pub fn of(path: &str, m: &Model) -> Result<Motion, String> {
    let motion = read(path)?;
    if motion.qpos.ncols() != m.nq || motion.time.is_empty() {
        let (has, wants) = (motion.qpos.ncols(), m.nq);
        return Err(format!("{path}: {} states of {has} coordinates, but the model has {wants}", motion.time.len()));
    }
    Ok(motion)
}
