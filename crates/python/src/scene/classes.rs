//! The scene classes.

use crate::model::MjModel;
use crate::views::records::Records;
use crate::views::{Shared, Struct, install};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};
use sinew_engine::fields::Fields;
use sinew_scene::{Camera, Perturb, Scene, SceneFields, ViewOptions};

macro_rules! own {
    ($($class:ident, $native:ty, $doc:literal;)*) => {$(
        #[doc = $doc]
        #[pyclass(extends = Struct, subclass, frozen, module = "sinew")]
        pub struct $class {
            /// The native value.
            pub shared: Shared<$native>,
        }

        impl $class {
            const TAG: &'static str = stringify!($class);

            fn of(py: Python<'_>, value: $native) -> PyResult<PyClassInitializer<Self>> {
                let shared = Shared::new(py, value, Self::TAG)?;
                let fields = Struct::over(py, Self::TAG, &shared, |v| v, &[])?;
                Ok(PyClassInitializer::from(fields).add_subclass($class { shared }))
            }
        }

        #[pymethods]
        impl $class {
            #[new]
            fn new(py: Python<'_>) -> PyResult<PyClassInitializer<Self>> {
                Self::of(py, <$native>::default())
            }

            fn __copy__(slf: &Bound<'_, Self>) -> PyResult<Py<Self>> {
                let value = slf.get().shared.read()?.clone();
                Py::new(slf.py(), Self::of(slf.py(), value)?)
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

    fn register_own(module: &Bound<'_, PyModule>) -> PyResult<()> {
        $(
            module.add_class::<$class>()?;
            install::<$native>(&module.py().get_type::<$class>(), $class::TAG, 0)?;
        )*
        Ok(())
    }
    };
}

own! {
    MjvCamera, Camera, "From where to look.";
    MjvOption, ViewOptions, "What to show.";
    MjvPerturb, Perturb, "What is selected, and pulled or turned by hand.";
}

const SCENE: &str = "MjvScene";

/// Minimum capacity of scenes of subclasses, which may choose their size after the scene is created.
const ROOM: i64 = 10_000;

/// The contents of a scene to be drawn.
#[pyclass(extends = Struct, subclass, frozen, module = "sinew")]
pub struct MjvScene {
    /// The native value.
    pub shared: Shared<Scene>,
    #[pyo3(get)]
    geoms: Py<PyAny>,
    #[pyo3(get)]
    lights: Py<PyAny>,
    #[pyo3(get)]
    camera: Py<PyAny>,
}

impl MjvScene {
    fn of(py: Python<'_>, value: Scene) -> PyResult<PyClassInitializer<Self>> {
        let shared = Shared::new(py, value, SCENE)?;
        let fields = Struct::over(py, SCENE, &shared, Scene::fields_mut, &[])?;
        let [geoms, lights, camera] = Records::scene(py, &shared)?;
        Ok(PyClassInitializer::from(fields).add_subclass(MjvScene { shared, geoms, lights, camera }))
    }
}

#[pymethods]
impl MjvScene {
    /// The scene is created here; `__init__` (in Python) only accepts the arguments that constructors of subclasses
    /// pass on. Their arguments may have other names, and their model may be an object that holds one as `ptr`.
    #[new]
    #[classmethod]
    #[pyo3(signature = (model=None, maxgeom=None, **others))]
    fn new<'py>(
        cls: &Bound<'py, PyType>,
        model: Option<Bound<'py, PyAny>>,
        maxgeom: Option<i64>,
        others: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<PyClassInitializer<Self>> {
        let py = cls.py();
        let plain = cls.is(py.get_type::<MjvScene>());
        if let (true, Some(others)) = (plain, others) {
            return Err(PyTypeError::new_err(format!("MjvScene takes a model and maxgeom, not {}", others.keys())));
        }
        let inner = |held: Bound<'py, PyAny>| if plain { Ok(held) } else { held.getattr("ptr") };
        let of = |m: Bound<'py, PyAny>| -> PyResult<Bound<'py, MjModel>> {
            m.cast_into().or_else(|e| Ok(inner(e.into_inner())?.cast_into()?))
        };
        let model = model.map(of).transpose()?;
        let maxgeom = if plain || model.is_none() { maxgeom } else { Some(maxgeom.map_or(ROOM, |n| n.max(ROOM))) };
        match (model, maxgeom) {
            (None, None) => Self::of(py, Scene::new(None, 0)),
            (Some(model), Some(maxgeom)) => {
                let room = usize::try_from(maxgeom).ok().filter(|n| *n <= 1 << 26);
                let room = room.ok_or_else(|| PyValueError::new_err(format!("maxgeom cannot be {maxgeom}")))?;
                Self::of(py, Scene::new(Some(&*model.get().read()?), room))
            }
            _ => Err(PyTypeError::new_err("MjvScene takes a model and maxgeom, or nothing")),
        }
    }

    fn __copy__(slf: &Bound<'_, Self>) -> PyResult<Py<Self>> {
        let value = slf.get().shared.read()?.clone();
        Py::new(slf.py(), Self::of(slf.py(), value)?)
    }

    fn __deepcopy__(slf: &Bound<'_, Self>, _memo: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
        Self::__copy__(slf)
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        slf.as_super().get().describe(slf.as_any(), SceneFields::FIELDS.iter().map(|f| f.name))
    }
}

/// Adds the classes with their fields.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    register_own(module)?;
    module.add_class::<MjvScene>()?;
    install::<SceneFields>(&module.py().get_type::<MjvScene>(), SCENE, 0)
}
