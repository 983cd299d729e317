//! The machine a batch runs on: a GPU, or this CPU in its place.
#![allow(unsafe_code)] // host memory behind addresses; every access is within its bounds

use crate::cuda::Cuda;
use crate::emulate::Emulator;
use crate::{Arguments, GpuError};
use cudarc::driver::{CudaContext, result};
use std::sync::Arc;

/// A CUDA stream handle; 0 is the default stream.
pub type Stream = u64;

/// A kernel of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kernel {
    /// Steps or evaluates worlds.
    Step,
    /// Resets worlds to a state.
    Reset,
}

/// A model's compiled kernels, and the machine to run them on.
#[derive(Debug)]
pub enum Machine {
    /// A GPU.
    Cuda(Cuda),
    /// This CPU, for tests.
    Emulated(Emulator),
}

/// A memory allocation that kernels use. It outlives the batch as long as somebody holds it.
#[derive(Debug)]
pub struct Memory {
    address: u64,
    bytes: usize,
    owner: Owner,
}

#[derive(Debug)]
enum Owner {
    Cuda(Arc<CudaContext>),
    Host,
}

/// Alignment of host memory, as for vector loads.
type Grain = u128;

impl Memory {
    /// Zeroed memory on a GPU.
    pub(crate) fn on_gpu(context: &Arc<CudaContext>, bytes: usize) -> Result<Self, GpuError> {
        context.bind_to_thread()?;
        // SAFETY: a new allocation of at least a byte, initialized before anyone sees it
        let address = unsafe {
            let address = result::malloc_sync(bytes.max(1))?;
            result::memset_d8_sync(address, 0, bytes.max(1))?;
            address
        };
        Ok(Memory { address, bytes, owner: Owner::Cuda(context.clone()) })
    }

    fn on_host(bytes: usize) -> Self {
        let grains = vec![0 as Grain; bytes.div_ceil(16).max(1)].into_boxed_slice();
        Memory { address: Box::into_raw(grains).cast::<u8>() as u64, bytes, owner: Owner::Host }
    }

    /// Its address.
    pub fn address(&self) -> u64 {
        self.address
    }

    /// Its length in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Checks that a range lies within.
    fn holds(&self, at: usize, bytes: usize) -> Result<(), GpuError> {
        let end = at.checked_add(bytes).filter(|end| *end <= self.bytes);
        end.map(|_| ()).ok_or(GpuError::Bounds { at, bytes, of: self.bytes })
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        match &self.owner {
            // SAFETY: nobody else frees it; if the driver has shut down, it has freed the memory already
            Owner::Cuda(context) => unsafe {
                let _ = context.bind_to_thread();
                let _ = result::free_sync(self.address);
            },
            // SAFETY: allocated by `on_host` with this many grains
            Owner::Host => unsafe {
                let grains = self.bytes.div_ceil(16).max(1);
                drop(Box::from_raw(std::ptr::slice_from_raw_parts_mut(self.address as *mut Grain, grains)));
            },
        }
    }
}

impl Machine {
    /// New memory, zeroed.
    pub fn zeros(&self, bytes: usize) -> Result<Arc<Memory>, GpuError> {
        Ok(Arc::new(match self {
            Machine::Cuda(gpu) => Memory::on_gpu(gpu.context(), bytes)?,
            Machine::Emulated(_) => Memory::on_host(bytes),
        }))
    }

    /// New memory with these numbers.
    pub fn filled(&self, values: &[f32]) -> Result<Arc<Memory>, GpuError> {
        let memory = self.zeros(4 * values.len())?;
        self.write(&memory, 0, words(values), 0)?;
        Ok(memory)
    }

    /// Copies bytes from the host to an offset.
    pub fn write(&self, memory: &Memory, at: usize, from: &[u8], stream: Stream) -> Result<(), GpuError> {
        memory.holds(at, from.len())?;
        let to = memory.address + at as u64;
        match self {
            Machine::Cuda(gpu) => gpu.write(to, from, stream),
            // SAFETY: within the bounds; source and target do not overlap
            Machine::Emulated(_) => unsafe {
                std::ptr::copy(from.as_ptr(), to as *mut u8, from.len());
                Ok(())
            },
        }
    }

    /// Synchronizes, then copies bytes from an offset to the host.
    pub fn read(&self, memory: &Memory, at: usize, to: &mut [u8], stream: Stream) -> Result<(), GpuError> {
        memory.holds(at, to.len())?;
        let from = memory.address + at as u64;
        match self {
            Machine::Cuda(gpu) => gpu.read(from, to, stream),
            // SAFETY: within the bounds; source and target do not overlap
            Machine::Emulated(_) => unsafe {
                std::ptr::copy(from as *const u8, to.as_mut_ptr(), to.len());
                Ok(())
            },
        }
    }

    /// Copies from an address on the same machine.
    ///
    /// # Safety
    /// The address holds this many bytes.
    pub unsafe fn copy(&self, to: &Memory, at: usize, from: u64, bytes: usize, on: Stream) -> Result<(), GpuError> {
        to.holds(at, bytes)?;
        match self {
            Machine::Cuda(gpu) => gpu.copy(to.address + at as u64, from, bytes, on),
            // SAFETY: the caller's guarantee, and within the bounds
            Machine::Emulated(_) => unsafe {
                std::ptr::copy(from as *const u8, (to.address + at as u64) as *mut u8, bytes);
                Ok(())
            },
        }
    }

    /// Launches a kernel over all worlds; returns before it is done.
    pub fn launch(&self, kernel: Kernel, arguments: &Arguments, stream: Stream) -> Result<(), GpuError> {
        match self {
            Machine::Cuda(gpu) => gpu.launch(kernel, arguments, stream),
            Machine::Emulated(emulator) => {
                emulator.launch(kernel, arguments, 0);
                Ok(())
            }
        }
    }

    /// Waits for everything on a stream.
    pub fn synchronize(&self, stream: Stream) -> Result<(), GpuError> {
        match self {
            Machine::Cuda(gpu) => gpu.synchronize(stream),
            Machine::Emulated(_) => Ok(()),
        }
    }
}

/// Numbers as bytes.
pub(crate) fn words<T: Copy>(values: &[T]) -> &[u8] {
    // SAFETY: plain numbers without padding, of this many bytes
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }
}

/// The same, mutable.
pub(crate) fn words_mut<T: Copy>(values: &mut [T]) -> &mut [u8] {
    // SAFETY: plain numbers for which any bit pattern is valid
    unsafe { std::slice::from_raw_parts_mut(values.as_mut_ptr().cast(), size_of_val(values)) }
}
