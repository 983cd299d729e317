//! Building blocks of the generated field tables: fixed-length arrays and reflection over them.

use crate::model::Sizes;
use crate::model::enums::{Code, EnumInfo};
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

/// An array whose length is fixed when its model is compiled; only its values change.
#[derive(Clone, Debug, PartialEq)]
pub struct Array<T>(Box<[T]>);

impl<T: Copy + Zero> Array<T> {
    pub(crate) fn zeroed(len: usize) -> Self {
        Array(vec![T::ZERO; len].into_boxed_slice())
    }
}

impl<T> Deref for Array<T> {
    type Target = [T];
    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T> DerefMut for Array<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

/// Pixels of textures, many megabytes in some models. Recompiling such a model after an edit would mostly wait for
/// fresh memory, so the buffer of the last dropped model is reused.
#[derive(Clone, Debug, PartialEq)]
pub struct Pixels(Vec<u8>);

/// Lengths worth keeping: shorter buffers gain little, longer ones hold too much memory. (byte)
const SPARE: std::ops::Range<usize> = 1 << 20..128 << 20;

/// Buffer of the last dropped model.
static LAST: Mutex<Vec<u8>> = Mutex::new(Vec::new());

impl Pixels {
    pub(crate) fn zeroed(len: usize) -> Self {
        Pixels(vec![0; len])
    }

    /// Fills the pixels with the concatenation of `parts`, then zeros.
    pub fn join<'a>(&mut self, parts: impl Iterator<Item = &'a [u8]>) {
        let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
        if last.len() == self.0.len() {
            self.0 = std::mem::take(&mut last);
        }
        drop(last);
        let mut rest = &mut self.0[..];
        for part in parts {
            let (to, after) = rest.split_at_mut(part.len());
            to.copy_from_slice(part);
            rest = after;
        }
        rest.fill(0);
    }

    /// Frees the buffer that is kept for the next model.
    pub fn forget() {
        *LAST.lock().unwrap_or_else(PoisonError::into_inner) = Vec::new();
    }
}

impl Drop for Pixels {
    fn drop(&mut self) {
        if SPARE.contains(&self.0.len()) {
            *LAST.lock().unwrap_or_else(PoisonError::into_inner) = std::mem::take(&mut self.0);
        }
    }
}

impl Deref for Pixels {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl DerefMut for Pixels {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

/// Types with an all-zero value, including fixed arrays of them.
pub trait Zero: Copy {
    /// The zero value.
    const ZERO: Self;
}

macro_rules! zero {
    ($($t:ty => $z:expr),*) => {$(
        impl Zero for $t { const ZERO: Self = $z; }
    )*};
}
zero!(f64 => 0.0, f32 => 0.0, i32 => 0, i64 => 0, u8 => 0);

impl<T: Zero, const N: usize> Zero for [T; N] {
    const ZERO: Self = [T::ZERO; N];
}

/// Element type of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DType {
    /// Double precision.
    F64,
    /// Single precision.
    F32,
    /// 32-bit integer.
    I32,
    /// 64-bit integer.
    I64,
    /// Byte used as a flag or small code.
    U8,
    /// Byte of text.
    Char,
}

impl DType {
    /// Bytes of one element.
    pub fn bytes(self) -> usize {
        match self {
            DType::F64 | DType::I64 => 8,
            DType::F32 | DType::I32 => 4,
            DType::U8 | DType::Char => 1,
        }
    }
}

/// One dimension of a field.
#[derive(Clone, Copy, Debug)]
pub enum Dim {
    /// A constant.
    Const(usize),
    /// A size of the model or a multiple of one: its text in the table, and a function that computes it.
    Size(&'static str, fn(&Sizes) -> usize),
    /// Follows the current number of constraints or islands: the name of the field that counts them.
    Growing(&'static str),
}

impl Dim {
    /// Length for a model; 0 if it depends on the state.
    pub fn len(&self, sizes: &Sizes) -> usize {
        match self {
            Dim::Const(n) => *n,
            Dim::Size(_, size) => size(sizes),
            Dim::Growing(_) => 0,
        }
    }
}

/// What the integers of a field mean.
#[derive(Clone, Copy, Debug)]
pub enum Holds {
    /// Any value.
    Number,
    /// Values of an enum.
    Code(&'static EnumInfo),
    /// Indices below a length.
    Index(Dim),
    /// Indices below a length, or −1.
    IndexOrNone(Dim),
    /// Indices of earlier rows of the same array; the first row holds its own index.
    Above,
    /// Indices of earlier rows of the same array, or −1.
    AboveOrNone,
    /// Starts of ranges within a length; with the table row that holds the lengths of the ranges.
    Start(Dim, usize),
    /// Non-negative integers.
    Count,
}

/// A row of a field table.
#[derive(Clone, Copy, Debug)]
pub struct FieldInfo {
    /// MuJoCo's name.
    pub name: &'static str,
    /// Section of the table; for `Data`, the block.
    pub section: &'static str,
    /// Element type.
    pub dtype: DType,
    /// What the field's integers mean.
    pub holds: Holds,
    /// Dimensions; empty for a scalar.
    pub dims: &'static [Dim],
    /// Unit, or `-`.
    pub unit: &'static str,
    /// Meaning.
    pub doc: &'static str,
}

impl FieldInfo {
    /// Whether the field is a single value.
    pub fn is_scalar(&self) -> bool {
        self.dims.is_empty()
    }

    /// Whether the field's length follows the state.
    pub fn grows(&self) -> bool {
        self.dims.iter().any(|d| matches!(d, Dim::Growing(_)))
    }

    /// The enum whose values the field holds.
    pub fn codes(&self) -> Option<&'static EnumInfo> {
        if let Holds::Code(of) = self.holds { Some(of) } else { None }
    }

    /// Shape of the field when it holds `len` elements.
    pub fn shape(&self, sizes: &Sizes, len: usize) -> Vec<usize> {
        let known = |d: &Dim| (!matches!(d, Dim::Growing(_))).then(|| d.len(sizes));
        let others: usize = self.dims.iter().filter_map(known).product();
        self.dims.iter().map(|d| known(d).unwrap_or(len.checked_div(others).unwrap_or(0))).collect()
    }
}

/// A field's values, flat.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum Slice<'a> {
    F64(&'a [f64]),
    F32(&'a [f32]),
    I32(&'a [i32]),
    I64(&'a [i64]),
    U8(&'a [u8]),
    Code(i32),
}

macro_rules! lengths {
    ($($t:ident),*) => {$(
        impl $t<'_> {
            /// Number of elements.
            pub fn len(&self) -> usize {
                match self {
                    $t::F64(s) => s.len(),
                    $t::F32(s) => s.len(),
                    $t::I32(s) => s.len(),
                    $t::I64(s) => s.len(),
                    $t::U8(s) => s.len(),
                    $t::Code(_) => 1,
                }
            }
            /// Whether there are none.
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }
        }
    )*};
}
lengths!(Slice, SliceMut);

impl Slice<'_> {
    /// Size of the elements in bytes.
    pub fn bytes(&self) -> usize {
        match self {
            Slice::F64(s) => size_of_val(*s),
            Slice::F32(s) => size_of_val(*s),
            Slice::I32(s) => size_of_val(*s),
            Slice::I64(s) => size_of_val(*s),
            Slice::U8(s) => size_of_val(*s),
            Slice::Code(code) => size_of_val(code),
        }
    }
}

/// A field's values, flat and writable.
#[allow(missing_docs)]
pub enum SliceMut<'a> {
    F64(&'a mut [f64]),
    F32(&'a mut [f32]),
    I32(&'a mut [i32]),
    I64(&'a mut [i64]),
    U8(&'a mut [u8]),
    Code(&'a mut dyn Code),
}

/// Reflection over a table-generated struct.
pub trait Fields {
    /// The table rows.
    const FIELDS: &'static [FieldInfo];
    /// Values of row `index`.
    fn field(&self, index: usize) -> Slice<'_>;
    /// Writable values of row `index`.
    fn field_mut(&mut self, index: usize) -> SliceMut<'_>;
    /// Row of the field with a name.
    fn index_of(name: &str) -> Option<usize> {
        Self::FIELDS.iter().position(|f| f.name == name)
    }
}

/// A small table-generated struct that is stored in lists.
pub trait Record: Fields + Zero {
    /// Byte offset of each member.
    const OFFSETS: &'static [usize];
}
