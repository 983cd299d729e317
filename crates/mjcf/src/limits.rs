//! How large a model may be, and whether the memory for it is there.

use crate::error::{Error, ErrorKind, Result};
use sinew_engine::data::memory;

/// Bounds on what a file may ask for. A few bytes of text can ask for terabytes (`replicate count="1000000000"`), and a
/// process that runs out of memory ends without an error. [`Loader::limits`](crate::Loader::limits) raises them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Elements of the model after replication and attachment; long names and inline data count more than once.
    pub elements: usize,
    /// Numbers in one array of the model.
    pub numbers: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { elements: 1 << 20, numbers: 1 << 28 }
    }
}

/// Memory that reading and compiling takes per element, measured with replicated boxes and rounded up. (byte)
const BYTES_PER_ELEMENT: usize = 8 << 10;
/// Elements for which there is always memory.
const FEW: usize = 4096;

/// How to go beyond a limit.
const RAISE: &str = "raise it with Loader::limits if the model is meant to be this large";

impl Limits {
    /// Refuses models with too many elements, or more than memory holds.
    pub(crate) fn check_elements(&self, elements: usize) -> Result<()> {
        if elements > self.elements {
            let kind =
                ErrorKind::Limit(format!("the model has {elements} elements or more, at most {}", self.elements));
            return Err(Error::new(kind).hint(RAISE));
        }
        if elements < FEW { Ok(()) } else { check_memory("the model", elements as u128 * BYTES_PER_ELEMENT as u128) }
    }

    /// Refuses an array that is too long.
    pub(crate) fn check_len(&self, what: &str, len: u64) -> Result<usize> {
        if len > self.numbers {
            let kind = ErrorKind::Limit(format!("{what} would have {len} numbers, at most {}", self.numbers));
            return Err(Error::new(kind).hint(RAISE));
        }
        Ok(len as usize)
    }
}

/// Refuses what cannot be allocated at present. The memory is only asked for, not kept.
pub(crate) fn check_memory(what: &str, bytes: u128) -> Result<()> {
    let missing =
        |_| Error::new(ErrorKind::Limit(format!("{what} needs {bytes} bytes of memory, which are not available")));
    memory::probe(bytes).map_err(missing)
}
