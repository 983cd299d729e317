//! Tables of what is drawn and from where: shapes, lights, cameras and options. `sinew-scene` fills them.

use crate::fields::{DType, Dim, FieldInfo, Fields, Holds, Record, Slice, SliceMut, Zero};
use crate::model::enums::{RndFlag, VisFlag};

include!(concat!(env!("OUT_DIR"), "/view.rs"));

impl ViewOptions {
    /// Whether a kind of object is shown.
    pub fn shows(&self, flag: VisFlag) -> bool {
        self.flags[flag as usize] != 0
    }
}

impl SceneFields {
    /// Whether a rendering effect is on.
    pub fn draws(&self, flag: RndFlag) -> bool {
        self.flags[flag as usize] != 0
    }
}

impl Shape {
    /// The label drawn next to the shape.
    pub fn label(&self) -> &str {
        let end = self.label.iter().position(|b| *b == 0).unwrap_or(self.label.len());
        std::str::from_utf8(&self.label[..end]).unwrap_or("")
    }

    /// Sets the label, truncated to the available length.
    pub fn set_label(&mut self, text: &str) {
        let mut end = text.len().min(self.label.len() - 1);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        self.label = [0; 100];
        self.label[..end].copy_from_slice(&text.as_bytes()[..end]);
    }
}
