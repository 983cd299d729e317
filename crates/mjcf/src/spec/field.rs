//! Reflection over the structs of a specification, used by the reader, the writer and bindings to other languages.

use super::{Meta, Orientation};
pub use crate::schema::{Attr, Count};
use sinew_engine::model::enums::*;

/// A value of an attribute or of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Not given.
    Absent,
    /// Text.
    Text(String),
    /// A list of texts.
    Texts(Vec<String>),
    /// Numbers of any kind: single precision and 32-bit integers fit exactly.
    Numbers(Vec<f64>),
    /// Codes of keywords.
    Codes(Vec<i32>),
}

/// What a field holds.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Text.
    Text,
    /// Double precision.
    Real,
    /// Single precision.
    Float,
    /// Integer.
    Int,
    /// True or false; if it is an attribute, the list of its two keywords.
    Bool(&'static str),
    /// A keyword of a list, and the enum it belongs to.
    Code(&'static str, Option<&'static EnumInfo>),
    /// An alternative orientation: the code of its form, then its numbers.
    Orientation,
}

/// A field of a struct.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Name in the struct.
    pub name: &'static str,
    /// The attribute that sets it, if there is one of the same meaning.
    pub attribute: Option<Attr>,
    /// Its type.
    pub kind: Kind,
    /// Number of values.
    pub count: Count,
    /// Whether "not given" is a value.
    pub optional: bool,
    /// Meaning, with the unit in parentheses.
    pub doc: &'static str,
}

/// A struct whose fields are listed in the schema.
pub trait Record: Clone {
    /// Name of the struct.
    const NAME: &'static str;
    /// Reflection of its fields.
    const FIELDS: &'static [Field];
    /// Storage of a field.
    fn slot(&mut self, index: usize) -> Option<&mut dyn Slot>;
    /// The value of a field.
    fn value(&self, index: usize) -> Value;
}

/// A struct with a name, a default class and a source position.
pub trait Element: Record + Default {
    /// Name, class and source position.
    fn meta(&self) -> &Meta;
    /// Name, class and source position.
    fn meta_mut(&mut self) -> &mut Meta;
}

/// Storage for a value.
pub trait Slot {
    /// Stores a value of the right kind. Short lists fill the front of an array.
    fn fill(&mut self, value: &Value);
    /// The stored value.
    fn value(&self) -> Value;
}

impl Slot for String {
    fn fill(&mut self, value: &Value) {
        if let Value::Text(text) = value {
            self.clone_from(text);
        }
    }

    fn value(&self) -> Value {
        Value::Text(self.clone())
    }
}

/// Names, separated by whitespace in files.
impl Slot for Vec<String> {
    fn fill(&mut self, value: &Value) {
        match value {
            Value::Text(text) => *self = text.split_ascii_whitespace().map(String::from).collect(),
            Value::Texts(texts) => self.clone_from(texts),
            _ => {}
        }
    }

    fn value(&self) -> Value {
        Value::Texts(self.clone())
    }
}

impl<const N: usize> Slot for [String; N] {
    fn fill(&mut self, value: &Value) {
        if let Value::Texts(texts) = value {
            self.iter_mut().zip(texts).for_each(|(slot, text)| slot.clone_from(text));
        }
    }

    fn value(&self) -> Value {
        Value::Texts(self.to_vec())
    }
}

impl Slot for bool {
    fn fill(&mut self, value: &Value) {
        match value {
            Value::Codes(codes) => *self = codes.first().map_or(*self, |&code| code != 0),
            Value::Numbers(numbers) => *self = numbers.first().map_or(*self, |&x| x != 0.0),
            _ => {}
        }
    }

    fn value(&self) -> Value {
        Value::Codes(vec![i32::from(*self)])
    }
}

impl<T: Slot + Default> Slot for Option<T> {
    fn fill(&mut self, value: &Value) {
        *self = match value {
            Value::Absent => None,
            // files, and MuJoCo's structs, encode "not given" as NaN
            Value::Numbers(numbers) if numbers.first().is_some_and(|x| x.is_nan()) => None,
            value => {
                let mut inner = self.take().unwrap_or_default();
                inner.fill(value);
                Some(inner)
            }
        };
    }

    fn value(&self) -> Value {
        self.as_ref().map_or(Value::Absent, Slot::value)
    }
}

/// The code of the form, then its numbers.
impl Slot for Orientation {
    fn fill(&mut self, value: &Value) {
        let Value::Numbers(numbers) = value else { return };
        let Some((&code, numbers)) = numbers.split_first() else { return };
        let mut rest = [0.0; 6];
        rest.iter_mut().zip(numbers).for_each(|(slot, &x)| *slot = x);
        let [a, b, c, d, ..] = rest;
        *self = match code as i32 {
            1 => Orientation::AxisAngle([a, b, c, d]),
            2 => Orientation::XyAxes(rest),
            3 => Orientation::ZAxis([a, b, c]),
            4 => Orientation::Euler([a, b, c]),
            _ => Orientation::Quat,
        };
    }

    fn value(&self) -> Value {
        let (code, numbers): (f64, &[f64]) = match self {
            Orientation::Quat => (0.0, &[]),
            Orientation::AxisAngle(n) => (1.0, n),
            Orientation::XyAxes(n) => (2.0, n),
            Orientation::ZAxis(n) => (3.0, n),
            Orientation::Euler(n) => (4.0, n),
        };
        Value::Numbers([&[code], numbers].concat())
    }
}

macro_rules! number_slots {
    ($($t:ty),*) => {$(
        impl Slot for $t {
            fn fill(&mut self, value: &Value) {
                match value {
                    Value::Numbers(numbers) => *self = numbers.first().map_or(*self, |&x| x as $t),
                    Value::Codes(codes) => *self = codes.first().map_or(*self, |&x| x as $t),
                    _ => {}
                }
            }

            fn value(&self) -> Value {
                Value::Numbers(vec![*self as f64])
            }
        }
        impl<const N: usize> Slot for [$t; N] {
            fn fill(&mut self, value: &Value) {
                if let Value::Numbers(numbers) = value {
                    self.iter_mut().zip(numbers).for_each(|(s, &x)| *s = x as $t);
                }
            }

            fn value(&self) -> Value {
                Value::Numbers(self.iter().map(|&x| x as f64).collect())
            }
        }
        impl Slot for Vec<$t> {
            fn fill(&mut self, value: &Value) {
                if let Value::Numbers(numbers) = value {
                    *self = numbers.iter().map(|&x| x as $t).collect();
                }
            }

            fn value(&self) -> Value {
                Value::Numbers(self.iter().map(|&x| x as f64).collect())
            }
        }
    )*};
}

number_slots!(f64, f32, i32, i64);

macro_rules! enum_slots {
    ($($t:ty),* $(,)?) => {$(
        impl Slot for $t {
            fn fill(&mut self, value: &Value) {
                let code = match value {
                    Value::Codes(codes) => codes.first().copied(),
                    Value::Numbers(numbers) => numbers.first().map(|&x| x as i32),
                    _ => None,
                };
                if let Some(Ok(member)) = code.map(<$t>::try_from) {
                    *self = member;
                }
            }

            fn value(&self) -> Value {
                Value::Codes(vec![*self as i32])
            }
        }
    )*};
}

enum_slots!(
    AlignFree,
    BiasType,
    CamLight,
    ColorSpace,
    DataType,
    DynType,
    EqType,
    FlexSelf,
    GainType,
    GeomInertia,
    GeomType,
    InertiaFromGeom,
    JointType,
    LengthRangeMode,
    LightType,
    Limited,
    MeshInertia,
    ObjType,
    Projection,
    SensorType,
    SleepPolicy,
    Stage,
    TextureBuiltin,
    TextureMark,
    TextureType,
    TrnType,
);
