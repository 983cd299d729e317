//! `MjModel`.

use crate::error;
use crate::named::{Elements, Kind, Side, Views, with_accessors};
use crate::names_map;
use crate::plugin;
use crate::settings::{self, MjOption, MjStatistic, MjVisual};
use crate::text::{FilePath, Text};
use crate::views::{Field, Shared, Struct, Table, install};
use crate::warnings;
use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sinew_engine::fields::Fields;
use sinew_engine::parts::ByModel;
use sinew_engine::solver::ConstraintSolver;
use sinew_engine::{Model, Sizes};
use sinew_mjcf::spec::Places;
use sinew_mjcf::{Loaded, Loader, Source};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock, RwLockReadGuard, RwLockWriteGuard};

/// A compiled model.
#[pyclass(extends = Struct, subclass, frozen, module = "sinew")]
pub struct MjModel {
    shared: Shared<Model>,
    /// The sizes, which never change.
    sizes: Sizes,
    fields: Arc<Table>,
    options: Arc<Table>,
    #[pyo3(get)]
    opt: Py<MjOption>,
    #[pyo3(get)]
    vis: Py<MjVisual>,
    #[pyo3(get)]
    stat: Py<MjStatistic>,
    elements: Elements,
    /// Source positions of its elements.
    places: Places,
    names_map: OnceLock<Py<PyArray1<i32>>>,
}

impl MjModel {
    /// Wraps a compiled model that was not read from a file.
    pub fn wrap(py: Python<'_>, model: Model) -> PyResult<Py<Self>> {
        Self::placed(py, model, Places::default())
    }

    /// Wraps a compiled model with the source positions of its elements.
    pub fn placed(py: Python<'_>, model: Model, places: Places) -> PyResult<Py<Self>> {
        let sizes = Sizes::clone(&model);
        let shared = Shared::new(py, model, "MjModel")?;
        let fields = Struct::over(py, "MjModel", &shared, |m| m, &sizes.list())?;
        let (opt, vis, stat) = settings::of_model(py, &shared)?;
        let options = opt.bind(py).as_super().get();
        let init = MjModel {
            shared,
            sizes,
            fields: fields.clone(),
            options: Arc::clone(options),
            opt,
            vis,
            stat,
            elements: Elements::default(),
            places,
            names_map: OnceLock::new(),
        };
        Py::new(py, PyClassInitializer::from(fields).add_subclass(init))
    }

    /// Source positions of its elements.
    pub fn places(&self) -> &Places {
        &self.places
    }

    /// The sizes.
    pub fn sizes(&self) -> &Sizes {
        &self.sizes
    }

    /// Shared access for a native call, after checking the model's indices.
    pub fn read(&self) -> PyResult<RwLockReadGuard<'_, Model>> {
        let model = self.shared.read()?;
        self.check(&model)?;
        Ok(model)
    }

    /// Checks the integers that Python may have written.
    pub fn check(&self, model: &Model) -> PyResult<()> {
        self.options.check_codes()?;
        self.fields.check(|| model.validate().map_err(|e| error::fatal(format!("MjModel.{e}"))))
    }

    /// Exclusive access for a native call that changes the model.
    pub fn write(&self) -> PyResult<RwLockWriteGuard<'_, Model>> {
        let model = self.shared.write()?;
        self.check(&model)?;
        Ok(model)
    }

    /// A handle to the native model.
    pub fn shared(&self) -> &Shared<Model> {
        &self.shared
    }

    fn element(slf: &Bound<'_, Self>, kind: &'static Kind, which: Option<&Bound<'_, PyAny>>) -> PyResult<Py<Views>> {
        let owner = (&**slf.as_super().get(), &slf.get().shared, Side::Model);
        slf.get().elements.get(slf.py(), owner, kind, which)
    }

    /// Whether data made for one of the two models fits the other.
    pub fn same_shape(&self, other: &MjModel) -> bool {
        self.shared.same(&other.shared) || self.sizes == other.sizes
    }
}

/// The files of an assets dictionary. As in MuJoCo, base names must be unique across folders.
fn files(assets: Assets) -> PyResult<Source> {
    let assets = assets.unwrap_or_default();
    let mut seen = HashSet::new();
    for path in assets.keys() {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        if !seen.insert(name) {
            return Err(PyValueError::new_err(format!("Repeated file name in assets dict: {name}")));
        }
    }
    Ok(Source::with_files(assets.into_iter().map(|(path, content)| (path.0, content))))
}

/// Loads a model with the GIL released and reports its warnings.
fn load(
    py: Python<'_>,
    source: Source,
    plugins: Plugins<'_>,
    read: impl Fn(Loader<'_>) -> sinew_mjcf::Result<Loaded> + Sync,
) -> PyResult<Py<MjModel>> {
    let registry = plugin::registry(py, plugins)?;
    let loader = || Loader::new().source(&source).plugins(&registry);
    let mut loaded = py.detach(|| error::guarded(|| read(loader())))?.map_err(|e| error::model(&e))?;
    let places = Places::of(&mut loaded.spec, &loaded.model);
    loaded.warnings.iter().try_for_each(|report| warnings::emit(py, &report.to_string()))?;
    crate::spec::remember(loaded.spec, source);
    MjModel::placed(py, loaded.model, places)
}

/// Plugin classes.
type Plugins<'py> = Option<Vec<Bound<'py, PyAny>>>;

/// How a model is pickled: the function that reads it, its bytes, and its plugin classes.
type Reduced<'py> = (Bound<'py, PyAny>, (Bound<'py, PyBytes>, Vec<Bound<'py, PyAny>>));

/// Files given as names and contents.
pub(crate) type Assets = Option<HashMap<Text, Vec<u8>>>;

with_accessors! {
    MjModel,
    [
        body = BODY, joint = JOINT, jnt = JOINT, geom = GEOM, site = SITE, camera = CAMERA, cam = CAMERA,
        light = LIGHT, mesh = MESH, skin = SKIN, hfield = HFIELD, texture = TEXTURE, tex = TEXTURE,
        material = MATERIAL, mat = MATERIAL, pair = PAIR, exclude = EXCLUDE, equality = EQUALITY, eq = EQUALITY,
        tendon = TENDON, ten = TENDON, actuator = ACTUATOR, sensor = SENSOR, numeric = NUMERIC, text = TEXT,
        tuple = TUPLE, keyframe = KEY, key = KEY,
    ],
    {
        /// Compiles a model given as MJCF or URDF text. `assets` maps file names to contents.
        /// `plugins` are classes of plugins that the model may use besides MuJoCo's own.
        #[staticmethod]
        #[pyo3(signature = (xml, assets=None, *, plugins=None))]
        fn from_xml_string(py: Python<'_>, xml: Text, assets: Assets, plugins: Plugins<'_>) -> PyResult<Py<Self>> {
            let source = files(assets)?;
            load(py, source, plugins, |loader| loader.text(&xml))
        }

        /// Compiles a model file. `assets` maps names of files to contents that shadow those on disk.
        /// `plugins` are classes of plugins that the model may use besides MuJoCo's own.
        #[staticmethod]
        #[pyo3(signature = (filename, assets=None, *, plugins=None))]
        fn from_xml_path(py: Python<'_>, filename: FilePath, assets: Assets, plugins: Plugins<'_>) -> PyResult<Py<Self>> {
            let source = files(assets)?;
            let path = filename.0.to_string_lossy().into_owned();
            load(py, source, plugins, |loader| loader.path(&path))
        }

        /// Reads a model that `mj_saveModel` wrote. `assets` may hold the file.
        /// `plugins` are classes of plugins that the model may use besides MuJoCo's own.
        #[staticmethod]
        #[pyo3(signature = (filename, assets=None, *, plugins=None))]
        fn from_binary_path(py: Python<'_>, filename: FilePath, assets: Assets, plugins: Plugins<'_>) -> PyResult<Py<Self>> {
            let name = Text(filename.0.to_string_lossy().into_owned());
            let bytes = match assets.unwrap_or_default().remove(&name) {
                Some(bytes) => bytes,
                None => std::fs::read(&filename.0)
                    .map_err(|e| PyValueError::new_err(format!("mj_loadModel: cannot read '{}': {e}", &*name)))?,
            };
            Self::_from_bytes(py, &bytes, plugins)
                .map_err(|e| PyValueError::new_err(format!("mj_loadModel: '{}': {}", &*name, e.value(py))))
        }

        /// Ids by the hash of their names, as MuJoCo stores them.
        #[getter]
        fn names_map(&self, py: Python<'_>) -> PyResult<Py<PyArray1<i32>>> {
            if let Some(map) = self.names_map.get() {
                return Ok(map.clone_ref(py));
            }
            let map = PyArray1::from_vec(py, names_map::names_map(&*self.read()?)).unbind();
            Ok(self.names_map.get_or_init(|| map).clone_ref(py))
        }

        /// A number shared by models of the same structure.
        #[getter]
        pub fn signature(&self) -> PyResult<u64> {
            Ok(names_map::signature(&*self.read()?))
        }

        /// All sizes.
        #[getter]
        fn _sizes<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
            PyArray1::from_iter(py, self.sizes.list().iter().map(|(_, n)| *n as i64))
        }

        /// Address of the model in memory.
        #[getter]
        fn _address(&self) -> usize {
            self.shared.address()
        }

        /// The element of this model that corresponds to `element`, a view of a model or data of the same structure.
        fn bind_scalar(slf: &Bound<'_, Self>, element: &Bound<'_, Views>) -> PyResult<Py<Views>> {
            let (kind, id) = element.get().which(&slf.get().shared)?;
            Self::element(slf, kind, Some(id.into_pyobject(slf.py())?.as_any()))
        }

        fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
            let names = slf.get().sizes.list().into_iter().map(|(name, _)| name).chain(Model::FIELDS.iter().map(|f| f.name));
            slf.as_super().get().describe(slf.as_any(), names)
        }

        /// Reads what `_to_bytes` wrote.
        #[staticmethod]
        #[pyo3(signature = (bytes, plugins=None))]
        fn _from_bytes(py: Python<'_>, bytes: &[u8], plugins: Plugins<'_>) -> PyResult<Py<Self>> {
            let registry = plugin::registry(py, plugins)?;
            let model = error::guarded(|| Loader::new().plugins(&registry).saved(bytes))?;
            Self::wrap(py, model.map_err(|e| PyValueError::new_err(e.to_string()))?)
        }

        /// The whole model as bytes.
        fn _to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
            Ok(PyBytes::new(py, &self.read()?.to_bytes()))
        }

        /// Has the effect of a custom text `sinew:<name>` in the model file.
        fn _extend(&self, name: &str, words: &str) -> PyResult<()> {
            let mut model = self.write()?;
            let before = model.extension().clone();
            model.extend(name, words).map_err(|e| PyValueError::new_err(e.to_string()))?;
            ByModel.check(&model).map_err(|e| {
                model.set_extension(before);
                PyValueError::new_err(e)
            })
        }

        /// The solver, in the format of a `sinew:solver` text.
        fn _solver(&self) -> PyResult<String> {
            Ok(self.read()?.extension().solver.map_or_else(|| "convex".into(), |xpbd| xpbd.to_string()))
        }

        fn __copy__(&self, py: Python<'_>) -> PyResult<Py<Self>> {
            let copy = self.read()?.clone();
            Self::wrap(py, copy)
        }

        fn __deepcopy__(&self, py: Python<'_>, memo: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
            let _ = memo;
            self.__copy__(py)
        }

        fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
            let plugins = plugin::classes(py, self.read()?.plugins());
            Ok((py.get_type::<MjModel>().getattr("_from_bytes")?, (self._to_bytes(py)?, plugins)))
        }
    }
}

/// Adds the class with its fields.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<MjModel>()?;
    let class = module.py().get_type::<MjModel>();
    let sizes = Sizes::default().list();
    for (i, (name, _)) in sizes.iter().enumerate() {
        class.setattr(*name, Field::new("MjModel", i, name, String::new()))?;
    }
    install::<Model>(&class, "MjModel", sizes.len())
}
