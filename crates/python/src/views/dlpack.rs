//! DLPack export of a batch's arrays to other libraries.
#![allow(unsafe_code)] // the protocol's structs and capsules; see the safety notes

use pyo3::ffi;
use pyo3::prelude::*;
use sinew_gpu::{Address, GpuError, Machine, Memory, Stream};
use std::ffi::{CStr, c_void};
use std::sync::Arc;

const FRESH: &CStr = c"dltensor";
const FRESH_VERSIONED: &CStr = c"dltensor_versioned";
const CPU: i32 = 1;
const CUDA: i32 = 2;
const INT: u8 = 0;
const FLOAT: u8 = 2;

/// `DLTensor`, with its nested structs flattened.
#[repr(C)]
struct Tensor {
    data: *mut c_void,
    device: [i32; 2],
    ndim: i32,
    code: u8,
    bits: u8,
    lanes: u16,
    shape: *mut i64,
    strides: *mut i64,
    byte_offset: u64,
}

/// `DLManagedTensor`.
#[repr(C)]
struct Managed {
    tensor: Tensor,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Managed)>,
}

/// `DLManagedTensorVersioned`, which consumers may write to.
#[repr(C)]
struct Versioned {
    version: [u32; 2],
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Versioned)>,
    flags: u64,
    tensor: Tensor,
}

/// The owners that a tensor keeps alive.
struct Kept {
    sizes: Vec<i64>,
    memory: Arc<Memory>,
}

/// Device of a batch's arrays, in DLPack's terms.
pub fn device(machine: &Machine) -> (i32, i32) {
    match machine {
        Machine::Cuda(gpu) => (CUDA, gpu.context().ordinal() as i32),
        Machine::Emulated(_) => (CPU, 0),
    }
}

/// A capsule over four-byte values, with `shape` and `strides` counted in values; of the versioned or the older form.
pub fn capsule<'py>(
    py: Python<'py>,
    machine: &Machine,
    memory: &Arc<Memory>,
    offset: usize,
    [shape, strides]: [&[i64]; 2],
    [integers, versioned]: [bool; 2],
) -> PyResult<Bound<'py, PyAny>> {
    let (kind, id) = device(machine);
    let mut kept = Box::new(Kept { sizes: [shape, strides].concat(), memory: memory.clone() });
    let sizes = kept.sizes.as_mut_ptr();
    let tensor = Tensor {
        data: kept.memory.address() as *mut c_void,
        device: [kind, id],
        ndim: shape.len() as i32,
        code: if integers { INT } else { FLOAT },
        bits: 32,
        lanes: 1,
        shape: sizes,
        // SAFETY: the list has twice this length
        strides: unsafe { sizes.add(shape.len()) },
        byte_offset: 4 * offset as u64,
    };
    let context = Box::into_raw(kept).cast();
    let (pointer, name): (*mut c_void, _) = if versioned {
        let made = Versioned { version: [1, 0], context, deleter: Some(delete_versioned), flags: 0, tensor };
        (Box::into_raw(Box::new(made)).cast(), FRESH_VERSIONED)
    } else {
        let made = Managed { tensor, context, deleter: Some(delete) };
        (Box::into_raw(Box::new(made)).cast(), FRESH)
    };
    // SAFETY: the capsule owns the box until a consumer renames it
    unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyCapsule_New(pointer, name.as_ptr(), Some(dropped))) }
}

/// Deleter, called once by the owner of the tensor.
unsafe extern "C" fn delete(managed: *mut Managed) {
    // SAFETY: made by `capsule`, deleted once by the protocol
    unsafe { drop(Box::from_raw(Box::from_raw(managed).context.cast::<Kept>())) }
}

/// Deleter of the versioned form.
unsafe extern "C" fn delete_versioned(managed: *mut Versioned) {
    // SAFETY: made by `capsule`, deleted once by the protocol
    unsafe { drop(Box::from_raw(Box::from_raw(managed).context.cast::<Kept>())) }
}

/// Destructor of a capsule: one that was never consumed still owns its tensor.
unsafe extern "C" fn dropped(capsule: *mut ffi::PyObject) {
    // SAFETY: Python passes the destructor its own capsule; the capsule's name tells who owns the pointer, and its form
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, FRESH.as_ptr()) == 1 {
            delete(ffi::PyCapsule_GetPointer(capsule, FRESH.as_ptr()).cast());
        } else if ffi::PyCapsule_IsValid(capsule, FRESH_VERSIONED.as_ptr()) == 1 {
            delete_versioned(ffi::PyCapsule_GetPointer(capsule, FRESH_VERSIONED.as_ptr()).cast());
        }
    }
}

/// Address of another library's array, as that library reports it.
pub fn address(address: u64) -> Address {
    // SAFETY: `sinew.gpu` has checked the size, type and device that the array's library reports
    unsafe { Address::new(address) }
}

/// Fills memory from such an array.
pub fn copy(machine: &Machine, to: &Memory, from: u64, stream: Stream) -> Result<(), GpuError> {
    // SAFETY: as above
    unsafe { machine.copy(to, 0, from, to.bytes(), stream) }
}
