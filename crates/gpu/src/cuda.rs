//! A GPU through the CUDA driver: a model's kernels, launches, and copies on the caller's stream.
#![allow(unsafe_code)] // calls of the driver; handles live as long as the struct, addresses come from `Memory`

use crate::device::{Kernel, Stream};
use crate::{Arguments, GpuError};
use cudarc::driver::sys::{self, CUfunction_attribute};
use cudarc::driver::{CudaContext, result};
use std::ffi::{CString, c_void};
use std::sync::Arc;

/// Maximum shared memory of a block.
const SM_BYTES: usize = 227 * 1024;

/// A model's kernels on a GPU.
#[derive(Debug)]
pub struct Cuda {
    context: Arc<CudaContext>,
    module: sys::CUmodule,
    step: sys::CUfunction,
    reset: sys::CUfunction,
    /// Shared memory per world, in bytes.
    pub world_bytes: usize,
    /// Worlds per block.
    worlds: usize,
    /// Lanes per world.
    lanes: usize,
    /// Worlds that a team scans for work.
    worlds_scanned: usize,
}
// SAFETY: the driver may be called from any thread that is bound to the context, which every call ensures
unsafe impl Send for Cuda {}
// SAFETY: as above; nothing changes after construction
unsafe impl Sync for Cuda {}

/// Whether there is a GPU that can be used.
pub fn available() -> bool {
    // SAFETY: only checks whether the library can be loaded
    let driver = unsafe { sys::is_culib_present() };
    driver && CudaContext::device_count().is_ok_and(|n| n > 0)
}

/// The compute capability of a GPU by its number. This creates no context.
pub fn capability(device: usize) -> Result<(i32, i32), GpuError> {
    if !available() {
        return Err(GpuError::Unavailable("the CUDA driver finds none; use the batches of the CPU"));
    }
    let gpu = result::device::get(device as i32)?;
    // SAFETY: the driver's own handle
    let number = |attribute| unsafe { result::device::get_attribute(gpu, attribute) };
    let major = number(sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?;
    Ok((major, number(sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?))
}

impl Cuda {
    /// Loads kernels from machine code.
    pub fn load(context: &Arc<CudaContext>, code: &[u8]) -> Result<Self, GpuError> {
        context.bind_to_thread()?;
        // SAFETY: the image is complete; names are those of `step.cu`
        unsafe {
            let module = result::module::load_data(code.as_ptr().cast())?;
            let function = |name: &str| result::module::get_function(module, CString::new(name).unwrap_or_default());
            let (step, reset) = (function("step")?, function("reset")?);
            let (at, _) = result::module::get_global(module, c"build".to_owned())?;
            let mut build = [0u32; 5];
            result::memcpy_dtoh_sync(&mut build, at)?;
            let [world_bytes, worlds, lanes, worlds_scanned, argument_bytes] = build.map(|x| x as usize);
            let gpu =
                Cuda { context: context.clone(), module, step, reset, world_bytes, worlds, lanes, worlds_scanned };
            if world_bytes > SM_BYTES {
                return Err(GpuError::Large { bytes: world_bytes, most: SM_BYTES });
            }
            if argument_bytes != size_of::<Arguments>() {
                return Err(GpuError::Compile("arguments of another size than the kernels read".into()));
            }
            let attribute = CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
            result::function::set_function_attribute(step, attribute, gpu.block_bytes() as i32)?;
            Ok(gpu)
        }
    }

    /// The context of the GPU.
    pub fn context(&self) -> &Arc<CudaContext> {
        &self.context
    }

    fn block_bytes(&self) -> usize {
        self.worlds * self.world_bytes
    }

    /// Registers per thread, bytes of local memory per thread, and resident worlds on the GPU.
    pub fn occupancy(&self) -> Result<[usize; 3], GpuError> {
        self.context.bind_to_thread()?;
        // SAFETY: the function lives as long as the module
        let [registers, spilled, blocks] = unsafe {
            let attribute = |a| result::function::get_function_attribute(self.step, a);
            let threads = (self.lanes * self.worlds) as i32;
            [
                attribute(CUfunction_attribute::CU_FUNC_ATTRIBUTE_NUM_REGS)?,
                attribute(CUfunction_attribute::CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)?,
                result::occupancy::max_active_block_per_multiprocessor(self.step, threads, self.block_bytes())?,
            ]
        };
        let cores = self.context.attribute(sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?;
        Ok([registers as usize, spilled as usize, blocks as usize * cores as usize * self.worlds])
    }

    pub(crate) fn launch(&self, kernel: Kernel, arguments: &Arguments, stream: Stream) -> Result<(), GpuError> {
        let (function, bytes, worlds_scanned) = match kernel {
            Kernel::Step => (self.step, self.block_bytes(), self.worlds_scanned),
            Kernel::Reset => (self.reset, 0, 1),
        };
        let grid = (arguments.nworld as usize).div_ceil(worlds_scanned * self.worlds).max(1) as u32;
        let mut list = [std::ptr::from_ref(arguments).cast_mut().cast::<c_void>()];
        self.context.bind_to_thread()?;
        // SAFETY: the argument is copied by the call; its addresses are arrays of the sizes the kernel was compiled
        // for
        unsafe {
            let block = ((self.lanes * self.worlds) as u32, 1, 1);
            result::launch_kernel(function, (grid, 1, 1), block, bytes as u32, handle(stream), &mut list)?;
        }
        Ok(())
    }

    pub(crate) fn write(&self, to: u64, from: &[u8], stream: Stream) -> Result<(), GpuError> {
        self.context.bind_to_thread()?;
        // SAFETY: the target is large enough; from pageable memory the call returns once the source may change
        Ok(unsafe { result::memcpy_htod_async(to, from, handle(stream)) }?)
    }

    pub(crate) fn read(&self, from: u64, to: &mut [u8], stream: Stream) -> Result<(), GpuError> {
        self.context.bind_to_thread()?;
        // SAFETY: the source is large enough; the target outlives the synchronization
        unsafe {
            result::memcpy_dtoh_async(to, from, handle(stream))?;
            result::stream::synchronize(handle(stream))?;
        }
        Ok(())
    }

    pub(crate) fn copy(&self, to: u64, from: u64, bytes: usize, stream: Stream) -> Result<(), GpuError> {
        self.context.bind_to_thread()?;
        // SAFETY: the caller guarantees the source, the target is large enough
        Ok(unsafe { result::memcpy_dtod_async(to, from, bytes, handle(stream)) }?)
    }

    pub(crate) fn synchronize(&self, stream: Stream) -> Result<(), GpuError> {
        self.context.bind_to_thread()?;
        // SAFETY: a stream of the caller, or the default one
        Ok(unsafe { result::stream::synchronize(handle(stream)) }?)
    }
}

impl Drop for Cuda {
    fn drop(&mut self) {
        let _ = self.context.bind_to_thread();
        // SAFETY: loaded once, unloaded once
        let _ = unsafe { result::module::unload(self.module) };
    }
}

fn handle(stream: Stream) -> sys::CUstream {
    stream as sys::CUstream
}
