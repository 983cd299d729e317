//! Messages to a page: the model once, then frames. Both are sequences of four-byte words, little-endian.

mod frame;
mod model;

pub use frame::FrameWriter;
pub use model::model_message;

/// A sequence of words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words(Vec<u32>);

impl Words {
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    pub(crate) fn put(&mut self, word: u32) {
        self.0.push(word);
    }

    pub(crate) fn int(&mut self, value: i32) {
        self.0.push(value.cast_unsigned());
    }

    pub(crate) fn count(&mut self, value: usize) {
        self.0.push(value as u32);
    }

    pub(crate) fn double(&mut self, value: f64) {
        let bits = value.to_bits();
        self.0.extend([bits as u32, (bits >> 32) as u32]);
    }

    pub(crate) fn floats(&mut self, values: &[f32]) {
        self.0.extend(values.iter().map(|v| v.to_bits()));
    }

    /// Appends bytes, padded with zeros to whole words.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        let (whole, rest) = bytes.as_chunks::<4>();
        self.0.extend(whole.iter().map(|word| u32::from_le_bytes(*word)));
        if !rest.is_empty() {
            let mut last = [0; 4];
            last[..rest.len()].copy_from_slice(rest);
            self.0.push(u32::from_le_bytes(last));
        }
    }

    /// The words.
    pub fn words(&self) -> &[u32] {
        &self.0
    }

    /// The bytes to send.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.0.iter().flat_map(|word| word.to_le_bytes()).collect()
    }
}
