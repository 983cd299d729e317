//! 2D drawing over images, and images as files.

use crate::error;
use numpy::{PyArray3, PyArrayMethods, PyReadonlyArray2, PyReadonlyArray3, PyUntypedArrayMethods};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sinew_render::{Film, FilmError, Frame, Sheet, write_png};
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

/// Draws on an array (height, width, 3) of bytes whose rows start at the bottom.
fn draw(rgb: &Bound<'_, PyArray3<u8>>, work: impl FnOnce(&mut Sheet)) -> PyResult<()> {
    let shape = rgb.shape();
    let size = [shape[1], shape[0]];
    let mut array = rgb.try_readwrite().map_err(|e| PyValueError::new_err(e.to_string()))?;
    let bytes = array.as_slice_mut().map_err(|e| PyValueError::new_err(e.to_string()))?;
    let mut sheet = Sheet::new(bytes, size, true).ok_or_else(|| PyValueError::new_err("three bytes per pixel"))?;
    work(&mut sheet);
    Ok(())
}

/// Fills a rectangle: left, bottom, width, height.
#[pyfunction]
fn _draw_rectangle(rgb: &Bound<'_, PyArray3<u8>>, rect: [i32; 4], rgba: [f32; 4]) -> PyResult<()> {
    draw(rgb, |sheet| sheet.rectangle(rect, rgba))
}

/// Writes a line of text, with letters of 8 times `scale` pixels, starting at its lower left corner.
#[pyfunction]
fn _draw_text(rgb: &Bound<'_, PyArray3<u8>>, text: &str, at: [i32; 2], scale: usize, rgba: [f32; 4]) -> PyResult<()> {
    draw(rgb, |sheet| sheet.text(text, at, scale.clamp(1, 64), rgba))
}

/// Draws a polyline, or lines between pairs of points.
#[pyfunction]
fn _draw_lines(
    rgb: &Bound<'_, PyArray3<u8>>,
    points: PyReadonlyArray2<'_, f32>,
    pairs: bool,
    width: f32,
    rgba: [f32; 4],
) -> PyResult<()> {
    let points = points.as_slice().map_err(|e| PyValueError::new_err(e.to_string()))?.as_chunks::<2>().0;
    draw(rgb, |sheet| {
        for pair in points.windows(2).step_by(if pairs { 2 } else { 1 }) {
            sheet.line(pair[0], pair[1], width, rgba);
        }
    })
}

/// Buffer that a video writer fills and Python empties.
#[derive(Clone, Default)]
struct Bytes(Arc<Mutex<Vec<u8>>>);

impl Bytes {
    fn take(&self) -> Vec<u8> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for Bytes {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn refused(e: FilmError) -> PyErr {
    match e {
        FilmError::Write(_) => PyOSError::new_err(e.to_string()),
        e => PyValueError::new_err(e.to_string()),
    }
}

fn contiguous<'a>(picture: &'a PyReadonlyArray3<'_, u8>) -> PyResult<(&'a [u8], [usize; 2])> {
    let &[height, width, 3] = picture.shape() else {
        return Err(PyValueError::new_err("a picture has the shape (height, width, 3)"));
    };
    Ok((picture.as_slice().map_err(|e| PyValueError::new_err(e.to_string()))?, [width, height]))
}

/// A video to which images are added one by one; `finish` returns the file, of format `gif` or `mp4`.
#[pyclass(frozen, name = "_Film", module = "sinew")]
struct PyFilm {
    film: Mutex<Option<Film<Bytes>>>,
    bytes: Bytes,
}

#[pymethods]
impl PyFilm {
    #[new]
    fn new(format: &str, height: usize, width: usize, fps: f64) -> PyResult<Self> {
        let bytes = Bytes::default();
        let film = match format {
            "gif" => Film::gif(bytes.clone(), [width, height], fps),
            "mp4" => Film::mp4(bytes.clone(), [width, height], fps),
            _ => return Err(PyValueError::new_err(format!("films are gif or mp4, not '{format}'"))),
        };
        Ok(PyFilm { film: Mutex::new(Some(film.map_err(refused)?)), bytes })
    }

    fn add(&self, py: Python<'_>, picture: PyReadonlyArray3<'_, u8>) -> PyResult<()> {
        let (rgb, _) = contiguous(&picture)?;
        let mut held = self.film.lock().unwrap_or_else(PoisonError::into_inner);
        let film = held.as_mut().ok_or_else(|| PyValueError::new_err("this film is finished"))?;
        py.detach(|| error::guarded(|| film.add_rgb(rgb)))?.map_err(refused)
    }

    fn finish<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let film = self.film.lock().unwrap_or_else(PoisonError::into_inner).take();
        film.ok_or_else(|| PyValueError::new_err("this film is finished"))?.finish().map_err(refused)?;
        Ok(PyBytes::new(py, &self.bytes.take()))
    }
}

/// An image as a PNG file.
#[pyfunction]
fn _png<'py>(py: Python<'py>, picture: PyReadonlyArray3<'_, u8>) -> PyResult<Bound<'py, PyBytes>> {
    let (rgb, [width, height]) = contiguous(&picture)?;
    let mut frame = Frame::new(width, height);
    frame.rgb.copy_from_slice(rgb);
    let mut out = Vec::new();
    write_png(&frame, &mut out).map_err(|e| PyOSError::new_err(e.to_string()))?;
    Ok(PyBytes::new(py, &out))
}

/// Adds functions and the class.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(_draw_rectangle, module)?)?;
    module.add_function(wrap_pyfunction!(_draw_text, module)?)?;
    module.add_function(wrap_pyfunction!(_draw_lines, module)?)?;
    module.add_function(wrap_pyfunction!(_png, module)?)?;
    module.add_class::<PyFilm>()
}
