//! Named access: `m.body("torso").mass`, `d.joint("knee").qpos`.
//!
//! Which attributes a kind of element has follows from the field tables: a field belongs to a kind if its first
//! dimension is the number of elements of that kind. Fields that are addressed indirectly (dofs, sensor data, texture
//! pixels) are listed here.

use crate::error;
use crate::text::Text;
use crate::views::{Shared, Table};
use numpy::PyArray1;
use pyo3::exceptions::{PyAttributeError, PyIndexError, PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyInt, PyString};
use sinew_engine::fields::{Dim, FieldInfo, Fields};
use sinew_engine::model::enums::{JointType, ObjType};
use sinew_engine::{Data, Model, Sizes};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Range of one element's values along the first dimension of a field.
#[derive(Clone, Copy)]
enum Span {
    /// One row.
    Row,
    /// Degrees of freedom of a joint.
    Dofs,
    /// Positions of a joint.
    Qpos,
    /// `adr[id] .. adr[id] + num[id]`, by the names of two model fields.
    Range(&'static str, &'static str),
    /// Elevations: rows × columns.
    Elevation,
    /// Pixels: height × width × channels.
    Pixels,
    /// A row of the actuator moments, made dense.
    Moment,
}

/// One attribute: entry of the owner and its span.
#[derive(Clone, Copy)]
struct Attr {
    entry: usize,
    span: Span,
}

type Attrs = BTreeMap<&'static str, Attr>;

/// Fields whose names begin with `prefix` and whose first dimension is the size `count`.
struct Family {
    prefix: &'static str,
    count: &'static str,
    span: Span,
}

/// A field addressed through another: attribute, field, span.
type Special = (&'static str, &'static str, Span);

/// A kind of named element.
pub struct Kind {
    label: &'static str,
    obj: ObjType,
    model: &'static [Family],
    model_special: &'static [Special],
    data: &'static [Family],
    data_special: &'static [Special],
}

const fn rows(prefix: &'static str, count: &'static str) -> Family {
    Family { prefix, count, span: Span::Row }
}

const fn dofs(prefix: &'static str) -> Family {
    Family { prefix, count: "nv", span: Span::Dofs }
}

macro_rules! kinds {
    ($($name:ident: $label:literal, $obj:ident,
        model [$($mf:expr),*] [$($ms:expr),*], data [$($df:expr),*] [$($ds:expr),*];)*) => {$(
        pub static $name: Kind = Kind {
            label: $label,
            obj: ObjType::$obj,
            model: &[$($mf),*],
            model_special: &[$($ms),*],
            data: &[$($df),*],
            data_special: &[$($ds),*],
        };
    )*};
}

kinds! {
    BODY: "Body", Body, model [rows("body_", "nbody")] [], data [rows("", "nbody")] [];
    JOINT: "Joint", Joint,
        model [dofs("dof_"), rows("jnt_", "njnt")]
            [("bodyid", "dof_bodyid", Span::Dofs), ("qpos0", "qpos0", Span::Qpos),
             ("qpos_spring", "qpos_spring", Span::Qpos)],
        data [dofs(""), rows("", "njnt")] [("qpos", "qpos", Span::Qpos)];
    GEOM: "Geom", Geom, model [rows("geom_", "ngeom")] [], data [rows("geom_", "ngeom")] [];
    SITE: "Site", Site, model [rows("site_", "nsite")] [], data [rows("site_", "nsite")] [];
    CAMERA: "Camera", Camera, model [rows("cam_", "ncam")] [], data [rows("cam_", "ncam")] [];
    LIGHT: "Light", Light, model [rows("light_", "nlight")] [], data [rows("light_", "nlight")] [];
    MESH: "Mesh", Mesh, model [rows("mesh_", "nmesh")] [], data [] [];
    SKIN: "Skin", Skin, model [rows("skin_", "nskin")] [], data [] [];
    HFIELD: "Hfield", Hfield, model [rows("hfield_", "nhfield")] [("data", "hfield_data", Span::Elevation)],
        data [] [];
    TEXTURE: "Texture", Texture, model [rows("tex_", "ntex")] [("data", "tex_data", Span::Pixels)], data [] [];
    MATERIAL: "Material", Material, model [rows("mat_", "nmat")] [], data [] [];
    PAIR: "Pair", Pair, model [rows("pair_", "npair")] [], data [] [];
    EXCLUDE: "Exclude", Exclude, model [rows("exclude_", "nexclude")] [], data [] [];
    EQUALITY: "Equality", Equality, model [rows("eq_", "neq")] [], data [rows("eq_", "neq")] [];
    TENDON: "Tendon", Tendon, model [rows("tendon_", "ntendon"), rows("tendon", "ntendon")] [],
        data [rows("ten_", "ntendon"), rows("tendon_", "ntendon")] [];
    ACTUATOR: "Actuator", Actuator, model [rows("actuator_", "nu")] [],
        data [rows("actuator_", "nu")]
            [("ctrl", "ctrl", Span::Row), ("moment", "actuator_moment", Span::Moment),
             ("act", "act", Span::Range("actuator_actadr", "actuator_actnum")),
             ("act_dot", "act_dot", Span::Range("actuator_actadr", "actuator_actnum"))];
    SENSOR: "Sensor", Sensor, model [rows("sensor_", "nsensor")] [],
        data [] [("data", "sensordata", Span::Range("sensor_adr", "sensor_dim"))];
    NUMERIC: "Numeric", Numeric, model [rows("numeric_", "nnumeric")]
        [("data", "numeric_data", Span::Range("numeric_adr", "numeric_size"))], data [] [];
    TEXT: "Text", Text, model [rows("text_", "ntext")]
        [("data", "text_data", Span::Range("text_adr", "text_size"))], data [] [];
    TUPLE: "Tuple", Tuple, model [rows("tuple_", "ntuple")]
        [("objtype", "tuple_objtype", Span::Range("tuple_adr", "tuple_size")),
         ("objid", "tuple_objid", Span::Range("tuple_adr", "tuple_size")),
         ("objprm", "tuple_objprm", Span::Range("tuple_adr", "tuple_size"))], data [] [];
    KEY: "Keyframe", Key, model [rows("key_", "nkey")] [], data [] [];
}

fn counts(info: &FieldInfo, count: &str) -> bool {
    matches!(info.dims.first(), Some(Dim::Size(name, _)) if *name == count)
}

fn attrs<T: Fields>(families: &[Family], special: &[Special], first: usize) -> Attrs {
    let mut map = Attrs::new();
    for family in families {
        for (i, f) in T::FIELDS.iter().enumerate() {
            if let Some(name) = f.name.strip_prefix(family.prefix)
                && counts(f, family.count)
            {
                map.insert(name, Attr { entry: first + i, span: family.span });
            }
        }
    }
    for (name, field, span) in special {
        if let Some(i) = T::index_of(field) {
            map.insert(name, Attr { entry: first + i, span: *span });
        }
    }
    map
}

impl Kind {
    fn index(&self) -> usize {
        self.obj as usize
    }

    fn class(&self, side: Side) -> String {
        let side = if side == Side::Model { "Model" } else { "Data" };
        format!("_Mj{side}{}Views", self.label)
    }

    fn attrs(&'static self, side: Side) -> &'static Attrs {
        const KINDS: usize = 32;
        static MODEL: [OnceLock<Attrs>; KINDS] = [const { OnceLock::new() }; KINDS];
        static DATA: [OnceLock<Attrs>; KINDS] = [const { OnceLock::new() }; KINDS];
        match side {
            Side::Model => MODEL[self.index()]
                .get_or_init(|| attrs::<Model>(self.model, self.model_special, Sizes::default().list().len())),
            Side::Data => DATA[self.index()].get_or_init(|| attrs::<Data>(self.data, self.data_special, 0)),
        }
    }

    fn count(&self, m: &Model) -> usize {
        m.name_adr(self.obj).len()
    }

    /// Id of the element given by a Python argument (name or number).
    fn find(&self, m: &Model, which: Option<&Bound<'_, PyAny>>) -> PyResult<usize> {
        let name = match which {
            None => String::new(),
            Some(arg) => match Text::of(arg) {
                Some(name) => name?.0,
                None => return self.check(m, arg),
            },
        };
        m.name2id(self.obj, &name).ok_or_else(|| self.unknown(m, &name))
    }

    fn check(&self, m: &Model, arg: &Bound<'_, PyAny>) -> PyResult<usize> {
        let id = number(arg)?;
        let count = self.count(m);
        usize::try_from(id).ok().filter(|i| *i < count).ok_or_else(|| {
            PyIndexError::new_err(match count {
                0 => format!("Invalid index {id}. There are none"),
                _ => format!("Invalid index {id}. Valid indices from 0 to {}", count - 1),
            })
        })
    }

    fn unknown(&self, m: &Model, name: &str) -> PyErr {
        let mut names: Vec<&str> = (0..self.count(m)).filter_map(|i| m.id2name(self.obj, i)).collect();
        names.sort_unstable();
        let list = names.iter().map(|n| format!("'{n}'")).collect::<Vec<_>>().join(", ");
        let hint =
            sinew_mjcf::error::nearest(name, names).map(|n| format!(". Did you mean '{n}'?")).unwrap_or_default();
        PyKeyError::new_err(format!("Invalid name '{name}'. Valid names: [{list}]{hint}"))
    }
}

/// The index given by an argument: anything that `int()` accepts, such as an array with one value, except fractions.
fn number(arg: &Bound<'_, PyAny>) -> PyResult<i64> {
    let whole = || arg.py().get_type::<PyInt>().call1((arg,))?.extract();
    match arg.extract() {
        Err(_) if !arg.is_instance_of::<PyFloat>() => whole(),
        found => found,
    }
    .map_err(|_: PyErr| PyTypeError::new_err(format!("expected a name or an index, got {}", arg.get_type())))
}

/// Whose fields an element shows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Model,
    Data,
}

/// Views of one element of a model or its data.
#[pyclass(frozen, weakref, name = "_Views", module = "sinew")]
pub struct Views {
    table: Arc<Table>,
    model: Shared<Model>,
    side: Side,
    kind: &'static Kind,
    id: usize,
    name: String,
    made: Mutex<HashMap<&'static str, Py<PyAny>>>,
}

/// The element views of a model or data that have been accessed.
#[derive(Default)]
pub struct Elements(Mutex<HashMap<(usize, usize), Py<Views>>>);

impl Elements {
    /// The element given by a Python argument; the same object each time.
    pub fn get(
        &self,
        py: Python<'_>,
        (table, model, side): (&Arc<Table>, &Shared<Model>, Side),
        kind: &'static Kind,
        which: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<Views>> {
        let (id, name) = {
            let m = model.read()?;
            let id = kind.find(&m, which)?;
            let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(views) = known.get(&(kind.index(), id)) {
                return Ok(views.clone_ref(py));
            }
            (id, m.id2name(kind.obj, id).unwrap_or_default().to_string())
        };
        let (table, model) = (table.clone(), model.clone());
        let views = Py::new(py, Views { table, model, side, kind, id, name, made: Mutex::default() })?;
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(known.entry((kind.index(), id)).or_insert(views).clone_ref(py))
    }
}

impl Views {
    fn attr(&self, name: &str) -> PyResult<(&'static str, Attr)> {
        self.kind.attrs(self.side).get_key_value(name).map(|(name, attr)| (*name, *attr)).ok_or_else(|| {
            let known = self.kind.attrs(self.side).keys().copied();
            let hint = sinew_mjcf::error::nearest(name, known).map(|n| format!("; did you mean '{n}'?"));
            PyAttributeError::new_err(format!(
                "'{}' object has no attribute '{name}'{}",
                self.class(),
                hint.unwrap_or_default()
            ))
        })
    }

    fn class(&self) -> String {
        self.kind.class(self.side)
    }

    fn value<'py>(&self, py: Python<'py>, attr: Attr) -> PyResult<Bound<'py, PyAny>> {
        let (first, shape) = self.place(&*self.model.read()?, attr.span)?;
        match attr.span {
            Span::Row => self.table.row(py, attr.entry, self.id),
            Span::Elevation | Span::Pixels => self.table.block(py, attr.entry, first, &shape),
            _ => self.table.rows(py, attr.entry, first, shape[0]),
        }
    }

    /// The kind and id of the element, for a model of the same structure.
    pub fn which(&self, m: &Shared<Model>) -> PyResult<(&'static Kind, usize)> {
        let same = m.same(&self.model) || **m.read()? == **self.model.read()?;
        let fits = same && m.read()?.id2name(self.kind.obj, self.id).unwrap_or_default() == self.name;
        let wrong = || PyValueError::new_err(format!("{} '{}' is of another model", self.class(), self.name));
        fits.then_some((self.kind, self.id)).ok_or_else(wrong)
    }

    /// Moments of an actuator for all degrees of freedom: a copy, since they are stored as compressed rows.
    fn moment<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let cell = self.table.data().ok_or_else(|| error::fatal("moments outside MjData"))?;
        let data = cell.read()?;
        let trn = &data.trn;
        let mut row = vec![0.0; data.state.qvel.len()];
        let at = |values: &[i32]| values.get(self.id).map_or(0, |v| *v as usize);
        let (first, count) = (at(&trn.moment_rowadr), at(&trn.moment_rownnz));
        let columns = trn.moment_colind.iter().zip(&*trn.actuator_moment).skip(first).take(count);
        for (column, value) in columns {
            row.get_mut(*column as usize).into_iter().for_each(|x| *x = *value);
        }
        let array = PyArray1::from_vec(py, row);
        array.call_method1("setflags", (false,))?;
        Ok(array.into_any())
    }

    /// Value of an attribute; the same array each time.
    fn get<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        if let Some(array) = self.made.lock().unwrap_or_else(PoisonError::into_inner).get(name) {
            return Ok(array.bind(py).clone());
        }
        let (name, attr) = self.attr(name)?;
        if matches!(attr.span, Span::Moment) {
            return self.moment(py);
        }
        let array = self.value(py, attr)?;
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(made.entry(name).or_insert(array.unbind()).bind(py).clone())
    }

    /// First index and shape of a span.
    fn place(&self, m: &Model, span: Span) -> PyResult<(usize, Vec<usize>)> {
        let at = |values: &[i32]| values.get(self.id).and_then(|v| usize::try_from(*v).ok()).unwrap_or(0);
        let joint = || m.jnt_type.get(self.id).and_then(|t| JointType::try_from(*t).ok());
        Ok(match span {
            Span::Row | Span::Moment => (self.id, vec![1]),
            Span::Dofs => {
                let dofs = match joint() {
                    Some(JointType::Free) => 6,
                    Some(JointType::Ball) => 3,
                    _ => 1,
                };
                (at(&m.jnt_dofadr), vec![dofs])
            }
            Span::Qpos => {
                let width = match joint() {
                    Some(JointType::Free) => 7,
                    Some(JointType::Ball) => 4,
                    _ => 1,
                };
                (at(&m.jnt_qposadr), vec![width])
            }
            Span::Range(adr, num) => (self.lookup(m, adr)?, vec![self.lookup(m, num)?]),
            Span::Elevation => (at(&m.hfield_adr), vec![at(&m.hfield_nrow), at(&m.hfield_ncol)]),
            Span::Pixels => {
                let first = m.tex_adr.get(self.id).and_then(|v| usize::try_from(*v).ok()).unwrap_or(0);
                (first, vec![at(&m.tex_height), at(&m.tex_width), at(&m.tex_nchannel)])
            }
        })
    }

    fn lookup(&self, m: &Model, field: &str) -> PyResult<usize> {
        let row = Model::index_of(field).ok_or_else(|| error::fatal(format!("no field {field}")))?;
        match m.field(row) {
            sinew_engine::fields::Slice::I32(values) => {
                Ok(values.get(self.id).and_then(|v| usize::try_from(*v).ok()).unwrap_or(0))
            }
            _ => Err(error::fatal(format!("{field} holds no integers"))),
        }
    }
}

#[pymethods]
impl Views {
    /// Looks up element attributes first: the default order would raise and drop an exception each time.
    fn __getattribute__<'py>(slf: &Bound<'py, Self>, name: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyAny>> {
        let (py, text, views) = (slf.py(), name.to_cow()?, slf.get());
        match &*text {
            "id" => Ok(views.id.into_pyobject(py)?.into_any()),
            "name" => Ok(PyString::new(py, &views.name).into_any()),
            _ if text.starts_with("__") => py.get_type::<PyAny>().getattr("__getattribute__")?.call1((slf, name)),
            _ => views.get(py, &text),
        }
    }

    /// Called when `__getattribute__` has failed; raises the error message.
    fn __getattr__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        self.get(py, name)
    }

    fn __setattr__(&self, py: Python<'_>, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        if name == "id" || name == "name" {
            let class = self.class();
            return Err(PyAttributeError::new_err(format!("property of '{class}' object has no setter")));
        }
        self.get(py, name)?.set_item(py.Ellipsis(), value)
    }

    fn __dir__(&self) -> Vec<&'static str> {
        self.kind.attrs(self.side).keys().copied().chain(["id", "name"]).collect()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mut names = self.__dir__();
        names.sort_unstable();
        let mut text = format!("<{}\n", self.class());
        for name in names {
            let value = match name {
                "id" => self.id.to_string(),
                "name" => format!("'{}'", self.name),
                _ => self.get(py, name)?.repr()?.to_string(),
            };
            text.push_str(&format!("  {name}: {value}\n"));
        }
        Ok(text + ">")
    }
}

/// Attributes of every kind of element: `(class, [(attribute, field)])`.
#[pyfunction]
fn _named() -> Vec<(String, Vec<(&'static str, &'static str)>)> {
    let kinds: [&'static Kind; 21] = [
        &BODY, &JOINT, &GEOM, &SITE, &CAMERA, &LIGHT, &MESH, &SKIN, &HFIELD, &TEXTURE, &MATERIAL, &PAIR, &EXCLUDE,
        &EQUALITY, &TENDON, &ACTUATOR, &SENSOR, &NUMERIC, &TEXT, &TUPLE, &KEY,
    ];
    let first = Sizes::default().list().len();
    let list = |kind: &'static Kind, side: Side| {
        let field = |attr: &Attr| match side {
            Side::Model => Model::FIELDS[attr.entry - first].name,
            Side::Data => Data::FIELDS[attr.entry].name,
        };
        (kind.class(side), kind.attrs(side).iter().map(|(name, attr)| (*name, field(attr))).collect())
    };
    kinds.into_iter().flat_map(|k| [list(k, Side::Model), list(k, Side::Data)]).collect()
}

/// Adds the function.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(_named, module)?)
}

/// Expands to `#[pymethods]` of a class with an accessor for each kind in addition to the given methods. The class has
/// a function `element` that finds the views.
macro_rules! with_accessors {
    ($class:ident, [$($method:ident = $kind:ident),* $(,)?], { $($body:tt)* }) => {
        #[pymethods]
        impl $class {
            $(
                #[doc = concat!("The ", stringify!($method), " with a name or index.")]
                #[pyo3(signature = (name=None))]
                fn $method(slf: &Bound<'_, Self>, name: Option<&Bound<'_, PyAny>>) -> PyResult<Py<$crate::named::Views>> {
                    $class::element(slf, &$crate::named::$kind, name)
                }
            )*
            $($body)*
        }
    };
}
pub(crate) use with_accessors;
