//! `MjOption`, `MjStatistic`, `MjVisual` and its groups.

use crate::views::{Field, Keeper, Struct, entries};
use pyo3::prelude::*;
use sinew_engine::Sizes;
use sinew_engine::fields::Fields;
use sinew_engine::model::options::*;

macro_rules! groups {
    ($($class:ident, $python:literal, $native:ty, $doc:literal;)*) => {$(
        #[doc = $doc]
        #[pyclass(extends = Struct, frozen, name = $python, module = "sinew")]
        pub struct $class;

        impl $class {
            /// An object over settings that `base` keeps alive where they are.
            pub fn over(py: Python<'_>, value: &mut $native, base: Py<PyAny>) -> PyResult<Py<Self>> {
                let fields = entries(value, &Sizes::default());
                Py::new(py, PyClassInitializer::from(Struct::new($python, fields, base, None)).add_subclass($class))
            }
        }
    )*

    /// Adds the classes with their fields.
    pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
        $(
            module.add_class::<$class>()?;
            install::<$native>(&module.py().get_type::<$class>(), $python, 0)?;
        )*
        module.add_class::<MjVisual>()
    }
    };
}

groups! {
    MjOption, "MjOption", Options, "Physics options.";
    MjStatistic, "MjStatistic", Statistic, "Model statistics.";
    Global, "Global", VisualGlobal, "Global drawing settings.";
    Quality, "Quality", VisualQuality, "Rendering quality.";
    Headlight, "Headlight", VisualHeadlight, "The light at the camera.";
    Map, "Map", VisualMap, "Mapping from physical to drawn quantities.";
    Scale, "Scale", VisualScale, "Sizes of decorations.";
    Rgba, "Rgba", VisualRgba, "Colours of decorations.";
}

/// Puts a descriptor for each row of a table on a class; `first` is the entry of row 0.
pub fn install<T: Fields>(class: &Bound<'_, pyo3::types::PyType>, tag: &'static str, first: usize) -> PyResult<()> {
    for (i, f) in T::FIELDS.iter().enumerate() {
        let unit = if f.unit == "-" { String::new() } else { format!(" [{}]", f.unit) };
        class.setattr(f.name, Field::new(tag, first + i, f.name, format!("{}{unit}", f.doc)))?;
    }
    Ok(())
}

/// Drawing settings, in groups.
#[pyclass(frozen, module = "sinew")]
pub struct MjVisual {
    #[pyo3(get)]
    global_: Py<Global>,
    #[pyo3(get)]
    quality: Py<Quality>,
    #[pyo3(get)]
    headlight: Py<Headlight>,
    #[pyo3(get)]
    map: Py<Map>,
    #[pyo3(get)]
    scale: Py<Scale>,
    #[pyo3(get)]
    rgba: Py<Rgba>,
}

impl MjVisual {
    /// An object over settings that `base` keeps alive where they are.
    pub fn over(py: Python<'_>, v: &mut Visual, base: &Py<PyAny>) -> PyResult<Py<Self>> {
        let base = || base.clone_ref(py);
        let groups = MjVisual {
            global_: Global::over(py, &mut v.global, base())?,
            quality: Quality::over(py, &mut v.quality, base())?,
            headlight: Headlight::over(py, &mut v.headlight, base())?,
            map: Map::over(py, &mut v.map, base())?,
            scale: Scale::over(py, &mut v.scale, base())?,
            rgba: Rgba::over(py, &mut v.rgba, base())?,
        };
        Py::new(py, groups)
    }
}

/// A keeper for something shared.
pub fn keeper<T: Send + Sync + 'static>(py: Python<'_>, owner: std::sync::Arc<T>) -> PyResult<Py<PyAny>> {
    Ok(Py::new(py, Keeper(owner))?.into_any())
}
