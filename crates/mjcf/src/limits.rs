//! Limits on model size, and checks that enough memory is available.

use crate::error::{Error, ErrorKind, Result};
use sinew_engine::data::memory;
use std::sync::{OnceLock, PoisonError, RwLock};

/// Bounds on what a file may request. A few bytes of text can request terabytes (`replicate count="1000000000"`), and a
/// process that runs out of memory is killed without an error message. [`Loader::limits`](crate::Loader::limits) raises
/// the limits of one loader; the environment variables `SINEW_MAX_ELEMENTS`, `SINEW_MAX_NUMBERS` and `SINEW_MAX_MEMORY`
/// raise those of any program, and [`Limits::make_default`] those of the current process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Number of elements after replication and attachment; long names and inline data count as several.
    pub elements: usize,
    /// Number of values in one array of the model.
    pub numbers: u64,
    /// Memory for the model, for one simulation of it, and for compiling it. Each element and attribute written in the
    /// file (not made by replication) raises this limit by the memory of one element. (byte)
    pub memory: u64,
}

/// Limits set by the program for the whole process.
static CHOSEN: RwLock<Option<Limits>> = RwLock::new(None);

impl Default for Limits {
    fn default() -> Self {
        static GIVEN: OnceLock<Limits> = OnceLock::new();
        if let Some(chosen) = *CHOSEN.read().unwrap_or_else(PoisonError::into_inner) {
            return chosen;
        }
        let given =
            |name: &str, otherwise: u64| std::env::var(name).ok().and_then(|s| s.parse().ok()).unwrap_or(otherwise);
        *GIVEN.get_or_init(|| Limits {
            elements: given("SINEW_MAX_ELEMENTS", 1 << 20) as usize,
            numbers: given("SINEW_MAX_NUMBERS", 1 << 28),
            memory: given("SINEW_MAX_MEMORY", 3 << 29),
        })
    }
}

/// Memory for reading and compiling one element, measured with replicated boxes and rounded up. (byte)
const BYTES_PER_ELEMENT: u64 = 8 << 10;
/// Memory for a simulation per byte of a saved model; far above that of any model in the tests.
const BYTES_PER_BYTE: u64 = 64;
/// Memory is not checked below this number of elements.
const FEW: usize = 4096;

/// Hint on how to raise a limit.
fn raise(field: &str) -> String {
    let variable = field.to_uppercase();
    format!(
        "if the model is meant to be this large, raise '{field}' with Loader::limits, sinew.set_limits, --max-{field} or \
         SINEW_MAX_{variable}"
    )
}

impl Limits {
    /// Makes these the limits of all later loads that set none.
    pub fn make_default(self) {
        *CHOSEN.write().unwrap_or_else(PoisonError::into_inner) = Some(self);
    }

    /// Raises the memory limit for the elements and attributes of a file.
    pub(crate) fn justify(&mut self, nodes: usize) {
        self.memory = self.memory.saturating_add(nodes as u64 * BYTES_PER_ELEMENT);
    }

    /// Raises the memory limit for the bytes of a saved model.
    pub(crate) fn justify_bytes(&mut self, bytes: usize) {
        self.memory = self.memory.saturating_add(bytes as u64 * BYTES_PER_BYTE);
    }

    /// Refuses models with too many elements, and work that grows like such a model.
    pub(crate) fn check_count(&self, elements: usize) -> Result<()> {
        if elements > self.elements {
            let kind =
                ErrorKind::Limit(format!("the model has {elements} elements or more, at most {}", self.elements));
            return Err(Error::new(kind).hint(raise("elements")));
        }
        Ok(())
    }

    /// Refuses models with too many elements, or with more than fit in memory.
    pub(crate) fn check_elements(&self, elements: usize) -> Result<()> {
        self.check_count(elements)?;
        let bytes = elements as u128 * u128::from(BYTES_PER_ELEMENT);
        if elements < FEW { Ok(()) } else { self.check_memory("the model", bytes) }
    }

    /// Refuses an array that is too long.
    pub(crate) fn check_len(&self, what: &str, len: u64) -> Result<usize> {
        if len > self.numbers {
            let kind = ErrorKind::Limit(format!("{what} would have {len} numbers, at most {}", self.numbers));
            return Err(Error::new(kind).hint(raise("numbers")));
        }
        Ok(len as usize)
    }

    /// Refuses what takes too much memory, or cannot be allocated now. The test allocation is freed at once.
    pub(crate) fn check_memory(&self, what: &str, bytes: u128) -> Result<()> {
        if bytes > u128::from(self.memory) {
            let message = format!("{what} needs {bytes} bytes of memory, at most {}", self.memory);
            return Err(Error::new(ErrorKind::Limit(message)).hint(raise("memory")));
        }
        let missing = |_| {
            let message = format!("{what} needs {bytes} bytes of memory, which are not available");
            Error::new(ErrorKind::Limit(message))
        };
        memory::probe(bytes).map_err(missing)
    }
}
