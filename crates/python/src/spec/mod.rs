//! The native part of `MjSpec`: a specification whose elements and fields are accessed by index. The user-facing
//! classes are Python's (`package/sinew/spec/`), built from the same table of attributes.

mod parts;
mod values;

use crate::data::MjData;
use crate::error;
use crate::model::{Assets, MjModel};
use crate::text::{FilePath, Text};
use crate::warnings;
use parts::{Bones, Path};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sinew_engine::model::enums::{MeshBuiltin, ObjType, UnknownCode};
use sinew_mjcf::spec::edit::AnyElement;
use sinew_mjcf::spec::field::{Count, Record, Slot, Value};
use sinew_mjcf::spec::{self, Id, Orientation};
use sinew_mjcf::{Loader, Source};
use std::sync::{Mutex, MutexGuard};
use values::{Row, blame, class_slot, class_value, failed, put, structs, to_python};

/// A specification.
#[pyclass(name = "_Spec", frozen, module = "sinew")]
pub struct PySpec(Mutex<spec::Spec>);

/// The files of a specification; unlike elsewhere, files in different folders may have the same base name.
fn files(assets: Assets) -> Source {
    Source::with_files(assets.unwrap_or_default().into_iter().map(|(path, content)| (path.0, content)))
}

fn kind(code: i32) -> PyResult<ObjType> {
    ObjType::try_from(code).map_err(|e| PyValueError::new_err(e.to_string()))
}

impl PySpec {
    fn lock(&self) -> PyResult<MutexGuard<'_, spec::Spec>> {
        self.0.try_lock().map_err(|_| error::busy("MjSpec"))
    }

    fn wrap(spec: spec::Spec) -> Self {
        PySpec(Mutex::new(spec))
    }

    fn with<R>(&self, id: u32, work: impl FnOnce(&mut dyn AnyElement) -> R) -> PyResult<R> {
        let mut spec = self.lock()?;
        let element = spec.element(Id(id)).map_err(|e| failed(&e))?;
        Ok(work(element))
    }
}

#[pymethods]
impl PySpec {
    #[new]
    fn new() -> Self {
        Self::wrap(spec::Spec::default())
    }

    /// Reads a model given as text.
    #[staticmethod]
    fn from_text(py: Python<'_>, xml: Text, assets: Assets) -> PyResult<Self> {
        let source = files(assets);
        Self::read(py, &source, |loader| loader.read_text(&xml))
    }

    /// Reads a model file.
    #[staticmethod]
    fn from_path(py: Python<'_>, path: FilePath, assets: Assets) -> PyResult<Self> {
        let source = files(assets);
        let path = path.0.to_string_lossy().into_owned();
        Self::read(py, &source, |loader| loader.read_path(&path))
    }

    /// The fields of all structs.
    #[staticmethod]
    fn fields() -> Vec<(&'static str, Vec<Row>)> {
        structs()
    }

    fn copy(&self) -> PyResult<Self> {
        Ok(Self::wrap(self.lock()?.clone()))
    }

    /// The model as text.
    fn to_xml(&self, py: Python<'_>, assets: Assets) -> PyResult<String> {
        let source = files(assets);
        let guard = self.lock()?;
        let spec: &spec::Spec = &guard;
        py.detach(|| error::guarded(|| spec.to_xml_with(&source)))
    }

    /// The kinematic tree as URDF.
    fn to_urdf(&self, py: Python<'_>, assets: Assets) -> PyResult<String> {
        let source = files(assets);
        let guard = self.lock()?;
        let spec: &spec::Spec = &guard;
        py.detach(|| error::guarded(|| spec.to_urdf(&source)))?.map_err(|e| failed(&e))
    }

    /// The compiled model.
    fn compile(&self, py: Python<'_>, assets: Assets) -> PyResult<Py<MjModel>> {
        let source = files(assets);
        let mut guard = self.lock()?;
        let spec: &spec::Spec = &guard;
        let compiled = py.detach(|| error::guarded(|| Loader::new().source(&source).compile(spec)))?;
        let (model, notes) = compiled.map_err(|e| blame(&mut guard, &e))?;
        guard.settle_keys(&model);
        notes.iter().try_for_each(|report| warnings::emit(py, &report.to_string()))?;
        let places = spec::Places::of(&mut guard, &model);
        MjModel::placed(py, model, places)
    }

    /// An empty model, which exposes options and drawing settings to Python.
    #[staticmethod]
    fn holder(py: Python<'_>) -> PyResult<Py<MjModel>> {
        let (model, _) = Loader::new().compile(&spec::Spec::default()).map_err(|e| failed(&e))?;
        MjModel::wrap(py, model)
    }

    /// Layout of the state of each element in a model compiled from this specification.
    fn layout(&self, model: &MjModel) -> PyResult<PyLayout> {
        Ok(PyLayout(spec::Layout::of(&mut *self.lock()?, &*model.read()?)))
    }

    fn get<'py>(&self, py: Python<'py>, id: u32, index: usize) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, self.with(id, |e| e.value(index))?)
    }

    fn set(&self, id: u32, index: usize, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.with(id, |e| {
            let count = e.fields().get(index).map(|f| f.count);
            put(e.slot(index), count, value)
        })?
    }

    /// Name, class and note of an element.
    fn meta(&self, id: u32) -> PyResult<(String, String, String)> {
        self.with(id, |e| (e.meta().name.clone(), e.meta().class.clone(), e.meta().info.clone()))
    }

    fn set_meta(&self, id: u32, name: Option<String>, class: Option<String>, info: Option<String>) -> PyResult<()> {
        self.with(id, |e| {
            let meta = e.meta_mut();
            for (slot, text) in [(&mut meta.name, name), (&mut meta.class, class), (&mut meta.info, info)] {
                if let Some(text) = text {
                    *slot = text;
                }
            }
        })
    }

    fn world(&self) -> PyResult<u32> {
        Ok(self.lock()?.world_id().0)
    }

    fn kind(&self, id: u32) -> PyResult<Option<i32>> {
        Ok(self.lock()?.kind_of(Id(id)).map(i32::from))
    }

    fn add(&self, code: i32, class: &str) -> PyResult<u32> {
        self.lock()?.add(kind(code)?, class).map(|id| id.0).map_err(|e| failed(&e))
    }

    fn add_to(&self, body: u32, frame: Option<u32>, code: i32, class: Option<&str>) -> PyResult<u32> {
        let id = self.lock()?.add_to(Id(body), frame.map(Id), kind(code)?, class);
        id.map(|id| id.0).map_err(|e| failed(&e))
    }

    fn delete(&self, id: u32) -> PyResult<()> {
        self.lock()?.delete(Id(id)).map_err(|e| failed(&e))
    }

    fn all(&self, code: i32) -> PyResult<Vec<u32>> {
        Ok(self.lock()?.all(kind(code)?).into_iter().map(|id| id.0).collect())
    }

    fn children(&self, body: u32, code: i32) -> PyResult<Vec<u32>> {
        Ok(self.lock()?.children(Id(body), kind(code)?).into_iter().map(|id| id.0).collect())
    }

    fn find(&self, code: i32, name: &str) -> PyResult<Option<u32>> {
        Ok(self.lock()?.find(kind(code)?, name).ok().map(|id| id.0))
    }

    fn parent(&self, id: u32) -> PyResult<Option<u32>> {
        Ok(self.lock()?.parent(Id(id)).map(|id| id.0))
    }

    fn frame_of(&self, id: u32) -> PyResult<Option<u32>> {
        Ok(self.lock()?.frame_of(Id(id)).map(|id| id.0))
    }

    fn set_frame(&self, id: u32, frame: Option<u32>) -> PyResult<()> {
        self.lock()?.set_frame(Id(id), frame.map(Id)).map_err(|e| failed(&e))
    }

    /// Attaches a body of another model, or all of it; returns the new id of each element.
    fn attach(
        &self,
        frame: u32,
        child: &PySpec,
        body: Option<u32>,
        prefix: &str,
        suffix: &str,
    ) -> PyResult<Vec<(u32, u32)>> {
        let pairs = self.lock()?.attach(Id(frame), &mut *child.lock()?, body.map(Id), prefix, suffix);
        pairs.map(|list| list.into_iter().map(|(a, b)| (a.0, b.0)).collect()).map_err(|e| failed(&e))
    }

    /// Names of the default classes with their parents.
    fn classes(&self) -> PyResult<Vec<(String, Option<String>)>> {
        let spec = self.lock()?;
        let parent = |p: usize| spec.classes[p].name.clone();
        Ok(spec.classes.iter().map(|c| (c.name.clone(), c.parent.map(parent))).collect())
    }

    fn add_class(&self, name: &str, parent: &str) -> PyResult<()> {
        let mut spec = self.lock()?;
        let parent = spec.classes.find(parent).ok_or_else(|| PyValueError::new_err("no such class"))?;
        if spec.classes.find(name).is_some() {
            return Err(PyValueError::new_err(format!("Default class '{name}' already exists")));
        }
        spec.classes.add(name, parent);
        Ok(())
    }

    fn delete_class(&self, name: &str) -> PyResult<()> {
        let mut spec = self.lock()?;
        if let Some(id) = spec.classes.find(name) {
            spec.classes.delete(id);
        }
        Ok(())
    }

    fn class_get<'py>(&self, py: Python<'py>, name: &str, code: i32, index: usize) -> PyResult<Bound<'py, PyAny>> {
        let value = class_value(self.lock()?.classes.of(name), kind(code)?, index);
        to_python(py, value)
    }

    fn class_set(&self, name: &str, code: i32, index: usize, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut spec = self.lock()?;
        let id = spec.classes.find(name).ok_or_else(|| PyValueError::new_err("no such class"))?;
        let class = spec.classes.get_mut(id).ok_or_else(|| PyValueError::new_err("no such class"))?;
        put(class_slot(class.defaults_mut(), kind(code)?, index), Some(Count::Any), value)
    }

    fn setting<'py>(&self, py: Python<'py>, of: &str, index: usize) -> PyResult<Bound<'py, PyAny>> {
        let spec = self.lock()?;
        let value = match of {
            "Compiler" => Record::value(&spec.compilers[0], index),
            "SpecSizes" => Record::value(&spec.size, index),
            _ => Record::value(&spec.stat, index),
        };
        to_python(py, value)
    }

    fn set_setting(&self, of: &str, index: usize, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut spec = self.lock()?;
        let slot = match of {
            "Compiler" => Record::slot(&mut spec.compilers[0], index),
            "SpecSizes" => Record::slot(&mut spec.size, index),
            _ => Record::slot(&mut spec.stat, index),
        };
        put(slot, None, value)
    }

    #[getter]
    fn modelname(&self) -> PyResult<String> {
        Ok(self.lock()?.modelname.clone())
    }

    #[setter]
    fn set_modelname(&self, name: String) -> PyResult<()> {
        self.lock()?.modelname = name;
        Ok(())
    }

    #[getter]
    fn memory(&self) -> PyResult<i64> {
        Ok(self.lock()?.size.memory)
    }

    #[setter]
    fn set_memory(&self, bytes: i64) -> PyResult<()> {
        self.lock()?.size.memory = bytes;
        Ok(())
    }

    #[getter]
    fn eulerseq(&self) -> PyResult<String> {
        Ok(String::from_utf8_lossy(&self.lock()?.compilers[0].eulerseq).into_owned())
    }

    #[setter]
    fn set_eulerseq(&self, letters: &str) -> PyResult<()> {
        let letters = letters.as_bytes().try_into();
        self.lock()?.compilers[0].eulerseq =
            letters.map_err(|_| PyValueError::new_err("eulerseq must have three letters"))?;
        Ok(())
    }

    /// Options for computing length ranges, in the order of `MjLROpt`.
    #[getter]
    fn lengthrange(&self) -> PyResult<[f64; 10]> {
        let l = self.lock()?.compilers[0].lengthrange.clone();
        let flag = |on: bool| f64::from(u8::from(on));
        let mode = f64::from(l.mode as i32);
        let times = [l.timeconst, l.timestep, l.inttotal, l.interval, l.tolrange];
        let [a, b, c, d, e] = times;
        Ok([mode, flag(l.useexisting), flag(l.uselimit), l.accel, l.maxforce, a, b, c, d, e])
    }

    #[setter]
    fn set_lengthrange(&self, values: [f64; 10]) -> PyResult<()> {
        let [mode, existing, limit, accel, maxforce, timeconst, timestep, inttotal, interval, tolrange] = values;
        let mode = (mode as i32).try_into();
        let mode = mode.map_err(|e: UnknownCode| PyValueError::new_err(e.to_string()))?;
        let (useexisting, uselimit) = (existing != 0.0, limit != 0.0);
        self.lock()?.compilers[0].lengthrange = spec::LengthRange {
            mode,
            useexisting,
            uselimit,
            accel,
            maxforce,
            timeconst,
            timestep,
            inttotal,
            interval,
            tolrange,
        };
        Ok(())
    }

    /// Copies options and drawing settings into a model that exposes them to Python.
    fn show(&self, holder: &MjModel) -> PyResult<()> {
        let (spec, mut model) = (self.lock()?, holder.write()?);
        model.opt = spec.option.clone();
        model.vis = spec.visual.clone();
        let s = &spec.stat;
        model.stat.meaninertia = s.meaninertia.unwrap_or(f64::NAN);
        model.stat.meanmass = s.meanmass.unwrap_or(f64::NAN);
        model.stat.meansize = s.meansize.unwrap_or(f64::NAN);
        model.stat.extent = s.extent.unwrap_or(f64::NAN);
        model.stat.center = s.center.unwrap_or([f64::NAN; 3]);
        Ok(())
    }

    /// Copies options and drawing settings back from such a model.
    fn take(&self, holder: &MjModel) -> PyResult<()> {
        let (mut spec, model) = (self.lock()?, holder.read()?);
        spec.option = model.opt.clone();
        spec.visual = model.vis.clone();
        let given = |x: f64| Some(x).filter(|x| !x.is_nan());
        spec.stat.meaninertia = given(model.stat.meaninertia);
        spec.stat.meanmass = given(model.stat.meanmass);
        spec.stat.meansize = given(model.stat.meansize);
        spec.stat.extent = given(model.stat.extent);
        spec.stat.center = Some(model.stat.center).filter(|c| !c[0].is_nan());
        Ok(())
    }

    /// The quaternion of an alternative orientation.
    #[staticmethod]
    fn orientation(numbers: Vec<f64>, degree: bool, sequence: &str) -> PyResult<[f64; 4]> {
        let mut alt = Orientation::default();
        if numbers.is_empty() {
            return Err(PyValueError::new_err("an orientation has a type"));
        }
        alt.fill(&Value::Numbers(numbers));
        let eulerseq = sequence.as_bytes().try_into().map_err(|_| PyValueError::new_err("three letters are needed"))?;
        let compiler = spec::Compiler { degree, eulerseq, ..Default::default() };
        alt.resolve([1.0, 0.0, 0.0, 0.0], &compiler).map_err(|e| failed(&e))
    }

    /// Fills a mesh with a builtin shape.
    fn make_mesh(&self, id: u32, builtin: i32, params: Vec<f64>) -> PyResult<()> {
        let mut spec = self.lock()?;
        let builtin = MeshBuiltin::try_from(builtin).map_err(|e| PyValueError::new_err(e.to_string()))?;
        let mesh = spec.all(ObjType::Mesh).iter().position(|m| m.0 == id);
        let mesh = mesh.and_then(|i| spec.meshes.get_mut(i)).ok_or_else(|| PyValueError::new_err("not a mesh"))?;
        sinew_mjcf::asset::builtin::builtin(builtin, &params, mesh).map_err(|e| failed(&e))
    }

    /// The path of a tendon: type, name, side site, number.
    fn path(&self, id: u32) -> PyResult<Vec<Path>> {
        let mut spec = self.lock()?;
        let tendon = spec.all(ObjType::Tendon).iter().position(|t| t.0 == id);
        let tendon = tendon.and_then(|i| spec.tendons.get(i)).ok_or_else(|| PyValueError::new_err("not a tendon"))?;
        Ok(tendon.path.iter().map(|(wrap, _)| parts::shown(wrap)).collect())
    }

    /// Appends to the path of a tendon.
    fn wrap_part(&self, id: u32, of: &str, name: String, sidesite: String, number: f64) -> PyResult<()> {
        let mut spec = self.lock()?;
        let tendon = spec.all(ObjType::Tendon).iter().position(|t| t.0 == id);
        let tendon =
            tendon.and_then(|i| spec.tendons.get_mut(i)).ok_or_else(|| PyValueError::new_err("not a tendon"))?;
        tendon.spatial = of != "joint";
        tendon.path.push((parts::wrap(of, name, sidesite, number), spec::Loc::default()));
        Ok(())
    }

    /// The plugin reference of an element: plugin, instance, inline settings.
    fn plugin_of(&self, id: u32) -> PyResult<Option<Asked>> {
        let mut spec = self.lock()?;
        let asked = spec.plugin_of(Id(id)).map_err(|e| failed(&e))?.clone();
        Ok(asked.map(|u| (u.plugin, u.instance, u.config.into_iter().map(|s| (s.key, s.value)).collect())))
    }

    fn set_plugin_of(&self, id: u32, asked: Option<Asked>) -> PyResult<()> {
        let mut spec = self.lock()?;
        let loc = spec.element(Id(id)).map_err(|e| failed(&e))?.meta().loc;
        let slot = spec.plugin_of(Id(id)).map_err(|e| failed(&e))?;
        *slot = asked.map(|(plugin, instance, config)| {
            // an existing child keeps its position in the order
            let before = slot.take().unwrap_or_default();
            spec::PluginUse { plugin, instance, config: settings(config), loc, ..before }
        });
        Ok(())
    }

    /// Settings of a plugin instance.
    fn config(&self, id: u32) -> PyResult<Vec<(String, String)>> {
        self.instance(id, |p| p.config.iter().map(|s| (s.key.clone(), s.value.clone())).collect())
    }

    fn set_config(&self, id: u32, config: Vec<(String, String)>) -> PyResult<()> {
        self.instance(id, |p| p.config = settings(config))
    }

    fn activate_plugin(&self, name: &str) -> PyResult<()> {
        self.lock()?.activate_plugin(name).map_err(|e| failed(&e))
    }

    /// Converts a body to a frame.
    fn to_frame(&self, id: u32) -> PyResult<u32> {
        self.lock()?.to_frame(Id(id)).map(|id| id.0).map_err(|e| failed(&e))
    }

    fn gridlayout(&self, id: u32) -> PyResult<Vec<char>> {
        self.texture(id, |t| t.gridlayout.iter().map(|&c| char::from(c)).collect())
    }

    fn set_gridlayout(&self, id: u32, letters: Vec<char>) -> PyResult<()> {
        self.texture(id, |t| t.gridlayout.iter_mut().zip(&letters).for_each(|(slot, &c)| *slot = c as u8))
    }

    fn data<'py>(&self, py: Python<'py>, id: u32) -> PyResult<Bound<'py, PyBytes>> {
        self.texture(id, |t| PyBytes::new(py, &t.data))
    }

    fn set_data(&self, id: u32, pixels: &[u8]) -> PyResult<()> {
        self.texture(id, |t| t.data = pixels.to_vec())
    }

    /// Bones of a skin: bodies, bind positions, orientations, vertices, weights.
    fn bones(&self, id: u32) -> PyResult<Bones> {
        self.skin(id, |skin| parts::bones(skin))
    }

    /// Sets one of the lists of bones; the number of bones is that of the longest list.
    fn set_bones(&self, id: u32, of: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.skin(id, |skin| parts::set_bones(skin, of, value))?
    }

    /// Points, nodes or texture coordinates of a flex.
    fn rows(&self, id: u32, of: &str) -> PyResult<Vec<f64>> {
        let mut spec = self.lock()?;
        let flex = spec.all(ObjType::Flex).iter().position(|t| t.0 == id);
        let flex = flex.and_then(|i| spec.flexes.get(i)).ok_or_else(|| PyValueError::new_err("not a flex"))?;
        Ok(match of {
            "vert" => flex.vert.concat(),
            "node" => flex.node.concat(),
            _ => flex.texcoord.concat().into_iter().map(f64::from).collect(),
        })
    }

    fn set_rows(&self, id: u32, of: &str, numbers: Vec<f64>) -> PyResult<()> {
        let mut spec = self.lock()?;
        let flex = spec.all(ObjType::Flex).iter().position(|t| t.0 == id);
        let flex = flex.and_then(|i| spec.flexes.get_mut(i)).ok_or_else(|| PyValueError::new_err("not a flex"))?;
        let points = |n: &[f64]| n.chunks_exact(3).map(|c| [c[0], c[1], c[2]]).collect();
        match of {
            "vert" => flex.vert = points(&numbers),
            "node" => flex.node = points(&numbers),
            _ => flex.texcoord = numbers.chunks_exact(2).map(|c| [c[0] as f32, c[1] as f32]).collect(),
        }
        Ok(())
    }
}

/// The plugin reference of an element: plugin, instance, inline settings.
type Asked = (String, String, Vec<(String, String)>);

fn settings(config: Vec<(String, String)>) -> Vec<spec::Setting> {
    config.into_iter().map(|(key, value)| spec::Setting { key, value, ..Default::default() }).collect()
}

impl PySpec {
    fn instance<R>(&self, id: u32, work: impl FnOnce(&mut spec::PluginInstance) -> R) -> PyResult<R> {
        let mut spec = self.lock()?;
        let place = spec.all(ObjType::Plugin).iter().position(|t| t.0 == id);
        let instance = place.and_then(|i| spec.plugins.get_mut(i));
        instance.map(work).ok_or_else(|| PyValueError::new_err("not a plugin instance"))
    }

    fn texture<R>(&self, id: u32, work: impl FnOnce(&mut spec::Texture) -> R) -> PyResult<R> {
        let mut spec = self.lock()?;
        let place = spec.all(ObjType::Texture).iter().position(|t| t.0 == id);
        let texture = place.and_then(|i| spec.textures.get_mut(i));
        texture.map(work).ok_or_else(|| PyValueError::new_err("not a texture"))
    }

    fn skin<R>(&self, id: u32, work: impl FnOnce(&mut spec::Skin) -> R) -> PyResult<R> {
        let mut spec = self.lock()?;
        let place = spec.all(ObjType::Skin).iter().position(|t| t.0 == id);
        let skin = place.and_then(|i| spec.skins.get_mut(i));
        skin.map(work).ok_or_else(|| PyValueError::new_err("not a skin"))
    }

    fn read(
        py: Python<'_>,
        source: &Source,
        read: impl Fn(Loader<'_>) -> sinew_mjcf::Result<(spec::Spec, Vec<sinew_mjcf::Report>)> + Sync,
    ) -> PyResult<Self> {
        let read = py.detach(|| error::guarded(|| read(Loader::new().source(source))))?;
        let (spec, notes) = read.map_err(|e| failed(&e))?;
        notes.iter().try_for_each(|report| warnings::emit(py, &report.to_string()))?;
        Ok(Self::wrap(spec))
    }
}

/// The specification of the last model loaded from XML, and its files.
static LAST: Mutex<Option<(spec::Spec, Source)>> = Mutex::new(None);

/// Remembers the source of a model for `mj_saveLastXML`.
pub fn remember(spec: spec::Spec, source: Source) {
    if let Ok(mut last) = LAST.lock() {
        *last = Some((spec, source));
    }
}

/// Writes the model last loaded from XML as MJCF, including values changed in the model since.
#[pyfunction(name = "mj_saveLastXML")]
#[pyo3(signature = (filename, m))]
fn save_last_xml(filename: FilePath, m: &MjModel) -> PyResult<()> {
    let last = LAST.lock().map_err(|_| error::busy("the last model"))?;
    let (spec, source) = last.as_ref().ok_or_else(|| error::fatal("no XML model has been loaded"))?;
    let (mut spec, now) = (spec.clone(), m.read()?);
    let text = error::guarded(|| {
        let (before, _) = Loader::new().source(source).compile(&spec)?;
        spec.settle_keys(&before);
        spec.copy_back(&before, &now)?;
        Ok(spec.to_xml_with(source))
    })?;
    let text = text.map_err(|e: sinew_mjcf::Error| error::fatal(format!("mj_saveLastXML: {e}")))?;
    std::fs::write(&filename.0, text).map_err(|e| error::fatal(format!("cannot write the file: {e}")))
}

/// Layout of the state of each element in a compiled model.
#[pyclass(name = "_Layout", frozen, module = "sinew")]
struct PyLayout(spec::Layout);

#[pymethods]
impl PyLayout {
    /// Raises an error if a simulation belongs to another model.
    fn fits(&self, data: &MjData) -> PyResult<()> {
        let held = data.cell.read()?;
        self.0.fits(&held).map_err(|e| failed(&e))
    }

    /// Copies the state to a simulation of another model, for the elements that exist in both.
    fn carry(&self, from: &MjData, layout: &PyLayout, to: &MjData) -> PyResult<()> {
        let (old, mut new) = (from.cell.read()?, to.cell.lock()?);
        self.0.carry(&old, &layout.0, &mut new).map_err(|e| failed(&e))
    }
}

/// Adds the classes and functions.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(save_last_xml, module)?)?;
    module.add_class::<PyLayout>()?;
    module.add_class::<PySpec>()
}
