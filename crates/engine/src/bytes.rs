//! Little-endian serialisation of table-generated structs, for saving, pickling and copying between processes.

use crate::data::memory::OutOfMemory;
use crate::data::validate::InvalidData;
use crate::fields::{FieldInfo, Fields, Slice, SliceMut};
use crate::model::InvalidModel;
use crate::model::enums::UnknownCode;
use crate::model::extension::ExtensionError;
use crate::plugin::UnboundPlugin;

/// Why bytes could not be read as a saved object.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BytesError {
    /// The bytes do not start with the magic of this kind of object.
    #[error("not a saved {0}; only files that sinew has written can be read, not those of MuJoCo (.mjb)")]
    Magic(&'static str),
    /// Saved by a version with different fields.
    #[error("saved with a different set of fields (layout {found:016x}, this version has {expected:016x})")]
    Layout {
        /// Layout in the bytes.
        found: u64,
        /// Layout of this version.
        expected: u64,
    },
    /// The bytes differ from those that were saved.
    #[error("damaged: the checksum is {found:016x} where {expected:016x} was saved")]
    Checksum {
        /// Checksum of the bytes given.
        found: u64,
        /// Checksum that was saved.
        expected: u64,
    },
    /// There is not enough memory.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// A `sinew:` text that this version does not understand.
    #[error(transparent)]
    Extension(#[from] ExtensionError),
    /// An integer that is invalid in a simulation.
    #[error(transparent)]
    Data(#[from] InvalidData),
    /// Shorter or longer than the sizes in the bytes require.
    #[error("expected {expected} bytes, got {found}")]
    Length {
        /// Bytes that the sizes require.
        expected: u128,
        /// Bytes given.
        found: usize,
    },
    /// A size no model can have.
    #[error("size {name} = {value} is out of range")]
    Size {
        /// The size.
        name: &'static str,
        /// Its value.
        value: u64,
    },
    /// An integer that is not a value of its enum.
    #[error(transparent)]
    Code(#[from] UnknownCode),
    /// An integer that is invalid in a model.
    #[error(transparent)]
    Model(#[from] InvalidModel),
    /// A plugin that is not registered, or that rejects the model.
    #[error(transparent)]
    Plugin(#[from] UnboundPlugin),
    /// Data of a model with different sizes.
    #[error("field {field} has {found} values where the model calls for {expected}")]
    Shape {
        /// The field.
        field: &'static str,
        /// Number of values that the model requires.
        expected: usize,
        /// Number of values in the bytes.
        found: u64,
    },
}

/// Appends values to a byte string.
#[derive(Default)]
pub(crate) struct Writer(pub(crate) Vec<u8>);

impl Writer {
    pub(crate) fn u64(&mut self, v: u64) {
        self.0.extend_from_slice(&v.to_le_bytes());
    }

    pub(crate) fn slice(&mut self, s: Slice<'_>) {
        match s {
            Slice::F64(s) => s.iter().for_each(|v| self.0.extend_from_slice(&v.to_le_bytes())),
            Slice::F32(s) => s.iter().for_each(|v| self.0.extend_from_slice(&v.to_le_bytes())),
            Slice::I32(s) => s.iter().for_each(|v| self.0.extend_from_slice(&v.to_le_bytes())),
            Slice::I64(s) => s.iter().for_each(|v| self.0.extend_from_slice(&v.to_le_bytes())),
            Slice::U8(s) => self.0.extend_from_slice(s),
            Slice::Code(code) => self.0.extend_from_slice(&code.to_le_bytes()),
        }
    }

    /// Appends every field of a struct whose shapes the reader will know.
    pub(crate) fn fields<T: Fields>(&mut self, value: &T) {
        (0..T::FIELDS.len()).for_each(|i| self.slice(value.field(i)));
    }
}

/// Reads values from a byte string.
pub(crate) struct Reader<'a>(pub(crate) &'a [u8]);

impl<'a> Reader<'a> {
    pub(crate) fn take(&mut self, len: usize) -> Result<&'a [u8], BytesError> {
        let found = self.0.len();
        let (head, rest) = self.0.split_at_checked(len).ok_or(BytesError::Length { expected: len as u128, found })?;
        self.0 = rest;
        Ok(head)
    }

    pub(crate) fn u64(&mut self) -> Result<u64, BytesError> {
        let mut b = [0; 8];
        b.copy_from_slice(self.take(8)?);
        Ok(u64::from_le_bytes(b))
    }

    pub(crate) fn slice(&mut self, s: SliceMut<'_>) -> Result<(), BytesError> {
        macro_rules! fill {
            ($s:expr, $t:ty) => {{
                const N: usize = size_of::<$t>();
                let bytes = self.take(N.saturating_mul($s.len()))?;
                for (v, b) in $s.iter_mut().zip(bytes.chunks_exact(N)) {
                    let mut word = [0; N];
                    word.copy_from_slice(b);
                    *v = <$t>::from_le_bytes(word);
                }
            }};
        }
        match s {
            SliceMut::F64(s) => fill!(s, f64),
            SliceMut::F32(s) => fill!(s, f32),
            SliceMut::I32(s) => fill!(s, i32),
            SliceMut::I64(s) => fill!(s, i64),
            SliceMut::U8(s) => s.copy_from_slice(self.take(s.len())?),
            SliceMut::Code(value) => {
                let mut code = [0];
                fill!(code, i32);
                value.set_code(code[0])?;
            }
        }
        Ok(())
    }

    pub(crate) fn fields<T: Fields>(&mut self, value: &mut T) -> Result<(), BytesError> {
        (0..T::FIELDS.len()).try_for_each(|i| self.slice(value.field_mut(i)))
    }

    /// Checks the header and checksum that [`header`] and [`sealed`] write around the contents.
    pub(crate) fn open(&mut self, magic: &'static str, layout: u64) -> Result<(), BytesError> {
        let whole = self.0;
        if self.take(magic.len()).ok() != Some(magic.as_bytes()) {
            return Err(BytesError::Magic(magic));
        }
        let found = self.u64()?;
        if found != layout {
            return Err(BytesError::Layout { found, expected: layout });
        }
        let (contents, seal) =
            self.0.split_last_chunk().ok_or(BytesError::Length { expected: 8, found: self.0.len() })?;
        let (found, expected) = (checksum(&whole[..whole.len() - seal.len()]), u64::from_le_bytes(*seal));
        if found != expected {
            return Err(BytesError::Checksum { found, expected });
        }
        self.0 = contents;
        Ok(())
    }

    /// Checks that nothing follows.
    pub(crate) fn end(&self) -> Result<(), BytesError> {
        if self.0.is_empty() { Ok(()) } else { Err(BytesError::Length { expected: 0, found: self.0.len() }) }
    }
}

/// Starts a saved object: its magic and the layout hash of its fields.
pub(crate) fn header(magic: &'static str, layout: u64) -> Writer {
    let mut w = Writer(magic.as_bytes().to_vec());
    w.u64(layout);
    w
}

/// Appends a checksum to the bytes, as in saved objects.
pub fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let sum = checksum(&bytes);
    bytes.extend_from_slice(&sum.to_le_bytes());
    bytes
}

/// FNV-1a over words of eight bytes.
fn checksum(bytes: &[u8]) -> u64 {
    let mix = |hash: u64, word: u64| (hash ^ word).wrapping_mul(0x0100_0000_01b3);
    let (words, rest) = bytes.as_chunks::<8>();
    let hash = words.iter().fold(0xcbf2_9ce4_8422_2325, |h: u64, w| mix(h.rotate_left(29), u64::from_le_bytes(*w)));
    rest.iter().fold(hash, |h, b| mix(h, u64::from(*b)))
}

/// FNV-1a hash of field names and types, which detects bytes of another version.
pub(crate) fn layout<'a>(fields: impl IntoIterator<Item = &'a FieldInfo>, names: &[&str]) -> u64 {
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let word = |hash: u64, s: &str| s.bytes().chain([0]).fold(hash, mix);
    let hash = names.iter().fold(0xcbf2_9ce4_8422_2325, |h, n| word(h, n));
    fields.into_iter().fold(hash, |h, f| mix(word(h, f.name), f.dtype as u8))
}
