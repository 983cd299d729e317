//! Height fields: PNG, binary file or inline elevations.

use crate::asset::{self, bad, image};
use crate::error::Result;
use crate::schema::attr;
use crate::spec;
use sinew_engine::Model;

/// A height field ready for the model; elevations are normalised to [0, 1].
#[derive(Clone, Debug, Default)]
pub struct CompiledHField {
    /// Name; taken from the file name if none was given.
    pub name: String,
    /// File, as stored in the model's paths.
    pub file: String,
    /// X and Y half-size, top and base thickness. (m)
    pub size: [f64; 4],
    /// Rows.
    pub nrow: usize,
    /// Columns.
    pub ncol: usize,
    /// Elevations, row-major, first row at the lowest y.
    pub data: Vec<f32>,
}

impl CompiledHField {
    /// Compiles a height field; `data` is the content of its file, if it has one.
    pub(crate) fn new(hfield: &spec::HField, data: Option<&[u8]>) -> Result<CompiledHField> {
        if let Some(s) = hfield.size.iter().find(|s| s.is_nan() || **s <= 0.0) {
            return Err(bad(format!("height field sizes must be positive, got {s}")).attribute(attr::SIZE));
        }
        let (nrow, ncol, mut data) = match data {
            Some(file) => {
                if !hfield.userdata.is_empty() {
                    return Err(
                        bad("elevations are given both in the file and in the element").attribute(attr::ELEVATION)
                    );
                }
                load(hfield, file)?
            }
            None => inline(hfield)?,
        };
        normalize(&mut data)?;
        let name = &hfield.meta.name;
        Ok(CompiledHField {
            name: if name.is_empty() { asset::stem(&hfield.file).to_string() } else { name.clone() },
            file: String::new(),
            size: hfield.size,
            nrow,
            ncol,
            data,
        })
    }
}

fn load(hfield: &spec::HField, file: &[u8]) -> Result<(usize, usize, Vec<f32>)> {
    match asset::media_type(&hfield.file, &hfield.content_type).as_str() {
        "image/png" => {
            let image = image::png(file, 1)?;
            let rows = image.data.chunks_exact(image.width).rev();
            let data = rows.flatten().map(|&x| f32::from(x)).collect();
            Ok((image.height, image.width, data))
        }
        "" | "image/vnd.mujoco.hfield" => image::raw_hfield(file),
        other => Err(bad(format!("unsupported height field type '{other}'")).hint("use PNG or MuJoCo's binary format")),
    }
}

/// Inline elevations, in image order with the top row first; without elevations the field is flat.
fn inline(hfield: &spec::HField) -> Result<(usize, usize, Vec<f32>)> {
    let count = |n: i32| usize::try_from(n).ok().filter(|&n| n > 0);
    let (Some(nrow), Some(ncol)) = (count(hfield.nrow), count(hfield.ncol)) else {
        return Err(bad("height field has neither a file nor elevations").hint("give file, or nrow and ncol"));
    };
    let total = nrow.checked_mul(ncol).filter(|&n| n <= 1 << 28);
    let total = total.ok_or_else(|| bad(format!("height field of {nrow} x {ncol} is too large")))?;
    if hfield.userdata.is_empty() {
        return Ok((nrow, ncol, vec![0.0; total]));
    }
    if hfield.userdata.len() != total {
        let message = "elevation data length must match nrow*ncol";
        let hint = format!("give {total} numbers instead of {}", hfield.userdata.len());
        return Err(bad(message).attribute(attr::ELEVATION).hint(hint));
    }
    Ok((nrow, ncol, hfield.userdata.chunks_exact(ncol).rev().flatten().copied().collect()))
}

/// Shifts and scales elevations to [0, 1]; a flat field becomes 0.
fn normalize(data: &mut [f32]) -> Result<()> {
    let (mut min, mut max) = (1e10f32, -1e10f32);
    for &x in data.iter() {
        min = min.min(x);
        max = max.max(x);
    }
    if min > max {
        return Err(bad("elevations of the height field are not finite or out of range"));
    }
    for x in data {
        *x -= min;
        if f64::from(max - min) > 1e-14 {
            *x /= max - min;
        }
    }
    Ok(())
}

/// Writes all height fields to the model.
pub(crate) fn fill(hfields: &[CompiledHField], m: &mut Model) {
    let mut next = 0;
    for (i, hfield) in hfields.iter().enumerate() {
        m.hfield_size[i] = hfield.size;
        m.hfield_nrow[i] = hfield.nrow as i32;
        m.hfield_ncol[i] = hfield.ncol as i32;
        m.hfield_adr[i] = next as i32;
        m.hfield_data[next..next + hfield.data.len()].copy_from_slice(&hfield.data);
        next += hfield.data.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inline_rows_are_flipped_and_normalised() {
        let spec = spec::HField {
            size: [1.0; 4],
            nrow: 2,
            ncol: 2,
            userdata: vec![1.0, 2.0, 3.0, 5.0],
            ..spec::HField::default()
        };
        assert_eq!(CompiledHField::new(&spec, None).unwrap().data, [0.5, 1.0, 0.0, 0.25]);
        let short = spec::HField { userdata: vec![1.0], ..spec };
        assert!(CompiledHField::new(&short, None).is_err());
    }
}
