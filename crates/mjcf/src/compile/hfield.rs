//! Height fields: PNG, binary file or inline elevations.

/// A height field ready for the model; elevations are normalised to [0, 1].
#[derive(Clone, Debug, Default)]
pub struct CompiledHField {
    /// Name; from the file name when none was given.
    pub name: String,
    /// File, as stored in the model's paths.
    pub file: String,
    /// X and Y half-size, top and base thickness. [m]
    pub size: [f64; 4],
    /// Rows.
    pub nrow: usize,
    /// Columns.
    pub ncol: usize,
    /// Elevations, row-major.
    pub data: Vec<f32>,
}
