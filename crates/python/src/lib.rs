//! Python module of sinew.

use pyo3::prelude::*;

#[pymodule]
fn _sinew(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add("__version__", env!("CARGO_PKG_VERSION"))
}
