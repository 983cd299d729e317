//! `MjOption`, `MjStatistic`, `MjVisual` and its groups.
#![allow(non_snake_case)] // functions carry MuJoCo's names

use crate::views::{Shared, Struct, install};
use pyo3::prelude::*;
use sinew_engine::fields::Fields;
use sinew_engine::model::options::*;
use sinew_engine::{Model, Sizes};

macro_rules! groups {
    ($($class:ident, $native:ty, $doc:literal;)*) => {$(
        #[doc = $doc]
        #[pyclass(extends = Struct, subclass, frozen, module = "sinew")]
        pub struct $class;

        impl $class {
            const TAG: &'static str = stringify!($class);

            /// An object over part of a shared value.
            fn over<O: Send + Sync + 'static>(
                py: Python<'_>,
                owner: &Shared<O>,
                part: impl FnOnce(&mut O) -> &mut $native,
            ) -> PyResult<Py<Self>> {
                let fields = Struct::over(py, Self::TAG, owner, part, &[])?;
                Py::new(py, PyClassInitializer::from(fields).add_subclass($class))
            }
        }

        #[pymethods]
        impl $class {
            #[new]
            fn new(py: Python<'_>) -> PyResult<PyClassInitializer<Self>> {
                let owner = Shared::new(py, <$native>::default(), Self::TAG)?;
                let fields = Struct::over(py, Self::TAG, &owner, |v| v, &[])?;
                Ok(PyClassInitializer::from(fields).add_subclass($class))
            }

            fn __copy__(slf: &Bound<'_, Self>) -> PyResult<Py<Self>> {
                let copy = Py::new(slf.py(), Self::new(slf.py())?)?;
                copy.bind(slf.py()).as_super().get().assign(slf.py(), slf.as_super().get())?;
                Ok(copy)
            }

            fn __deepcopy__(slf: &Bound<'_, Self>, _memo: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
                Self::__copy__(slf)
            }

            fn __eq__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
                match other.cast::<Struct>() {
                    Ok(other) => slf.as_super().get().equal(slf.py(), other.get()),
                    Err(_) => Ok(false),
                }
            }

            fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
                slf.as_super().get().describe(slf.as_any(), <$native>::FIELDS.iter().map(|f| f.name))
            }
        }
    )*

    /// Adds the classes with their fields.
    pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add_class::<MjVisual>()?;
        module.add_function(wrap_pyfunction!(mj_defaultOption, module)?)?;
        module.add_function(wrap_pyfunction!(mj_defaultVisual, module)?)?;
        $(
            let class = module.py().get_type::<$class>();
            install::<$native>(&class, $class::TAG, 0)?;
            if $class::TAG.starts_with("Mj") {
                module.add_class::<$class>()?;
            } else {
                module.py().get_type::<MjVisual>().setattr($class::TAG, class)?;
            }
        )*
        Ok(())
    }
    };
}

groups! {
    MjOption, Options, "Physics options.";
    MjStatistic, Statistic, "Model statistics.";
    Global, VisualGlobal, "Global drawing settings.";
    Quality, VisualQuality, "Rendering quality.";
    Headlight, VisualHeadlight, "The light at the camera.";
    Map, VisualMap, "Mapping from physical to drawn quantities.";
    Scale, VisualScale, "Sizes of decorations.";
    Rgba, VisualRgba, "Colours of decorations.";
}

/// Sets physics options to their defaults.
#[pyfunction]
pub fn mj_defaultOption(opt: &Bound<'_, MjOption>) -> PyResult<()> {
    let fresh = Py::new(opt.py(), MjOption::new(opt.py())?)?;
    opt.as_super().get().assign(opt.py(), fresh.bind(opt.py()).as_super().get())
}

/// Drawing settings, in groups.
#[pyclass(frozen, subclass, module = "sinew")]
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

#[pymethods]
impl MjVisual {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let groups: [(&str, &Py<PyAny>); 6] = [
            ("global_", self.global_.as_any()),
            ("quality", self.quality.as_any()),
            ("headlight", self.headlight.as_any()),
            ("map", self.map.as_any()),
            ("scale", self.scale.as_any()),
            ("rgba", self.rgba.as_any()),
        ];
        let mut text = String::from("<MjVisual\n");
        for (name, group) in groups {
            let body = group.bind(py).repr()?.to_string().replace('\n', "\n  ");
            text.push_str(&format!("  {name}: {body}\n"));
        }
        Ok(text + ">")
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
        Ok(MjVisual {
            global_: Global::__copy__(self.global_.bind(py))?,
            quality: Quality::__copy__(self.quality.bind(py))?,
            headlight: Headlight::__copy__(self.headlight.bind(py))?,
            map: Map::__copy__(self.map.bind(py))?,
            scale: Scale::__copy__(self.scale.bind(py))?,
            rgba: Rgba::__copy__(self.rgba.bind(py))?,
        })
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.__copy__(py)
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<MjVisual>() else { return Ok(false) };
        let other = other.get();
        for (a, b) in self.groups(py).iter().zip(other.groups(py)) {
            if !a.equal(py, b)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl MjVisual {
    /// The tables of all groups.
    fn groups<'a>(&'a self, py: Python<'a>) -> [&'a Struct; 6] {
        [
            self.global_.bind(py).as_super().get(),
            self.quality.bind(py).as_super().get(),
            self.headlight.bind(py).as_super().get(),
            self.map.bind(py).as_super().get(),
            self.scale.bind(py).as_super().get(),
            self.rgba.bind(py).as_super().get(),
        ]
    }
}

/// Sets drawing settings to their defaults.
#[pyfunction]
pub fn mj_defaultVisual(py: Python<'_>, vis: &Bound<'_, MjVisual>) -> PyResult<()> {
    let owner = Shared::new(py, Model::zeroed(Sizes::default()), "MjModel")?;
    let (_, fresh, _) = of_model(py, &owner)?;
    vis.get().groups(py).iter().zip(fresh.get().groups(py)).try_for_each(|(to, from)| to.assign(py, from))
}

/// The settings of a model.
pub fn of_model(py: Python<'_>, owner: &Shared<Model>) -> PyResult<(Py<MjOption>, Py<MjVisual>, Py<MjStatistic>)> {
    let visual = MjVisual {
        global_: Global::over(py, owner, |m| &mut m.vis.global)?,
        quality: Quality::over(py, owner, |m| &mut m.vis.quality)?,
        headlight: Headlight::over(py, owner, |m| &mut m.vis.headlight)?,
        map: Map::over(py, owner, |m| &mut m.vis.map)?,
        scale: Scale::over(py, owner, |m| &mut m.vis.scale)?,
        rgba: Rgba::over(py, owner, |m| &mut m.vis.rgba)?,
    };
    let opt = MjOption::over(py, owner, |m| &mut m.opt)?;
    Ok((opt, Py::new(py, visual)?, MjStatistic::over(py, owner, |m| &mut m.stat)?))
}
