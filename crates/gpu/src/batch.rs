//! A batch of worlds on a GPU.
#![allow(unsafe_code)] // launches; the kernel's arguments are the batch's own arrays, sized by its plan

use crate::{GpuError, Plan, Settings, Worlds, compile};
use cudarc::driver::sys::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES as SHARED_BYTES;
use cudarc::driver::{
    CudaContext, CudaFunction, CudaSlice, CudaStream, DevicePtr, DeviceRepr, LaunchConfig, PushKernelArg, sys,
};
use sinew_engine::Model;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Warps of a block; as in `step.cu`.
const WARPS: usize = 4;

/// The kernel's argument: as `Batch` in `step.cu`.
#[repr(C)]
#[derive(Clone, Copy)]
struct Arguments {
    state: [u64; 5],
    ctrl: u64,
    mocap: u64,
    shared: u64,
    own: u64,
    status: u64,
    outputs: [u64; crate::header::OUTPUTS],
    nworld: i32,
    nstep: i32,
}
// SAFETY: plain integers
unsafe impl DeviceRepr for Arguments {}

/// Worlds of one model on one GPU.
#[derive(Debug)]
pub struct BatchSim {
    plan: Plan,
    stream: Arc<CudaStream>,
    function: CudaFunction,
    launch: LaunchConfig,
    arrays: Vec<Array>,
    shared: CudaSlice<f32>,
    status: CudaSlice<i32>,
    nworld: usize,
    /// How the batch was made.
    pub report: Report,
}

#[derive(Debug)]
struct Array {
    name: &'static str,
    slice: CudaSlice<f32>,
}

/// How a batch was made.
#[derive(Clone, Debug)]
pub struct Report {
    /// The GPU.
    pub device: String,
    /// Time to get the kernels.
    pub compiling: Duration,
    /// Bytes of a world in shared memory.
    pub shared_bytes: usize,
    /// Bytes of a world in device memory, outputs included.
    pub device_bytes: usize,
    /// Registers of a thread.
    pub registers: usize,
    /// Bytes of a thread that did not fit its registers.
    pub spilled: usize,
    /// Worlds that are on the GPU together.
    pub resident: usize,
}

/// Whether there is a GPU that can be used.
pub fn available() -> bool {
    // SAFETY: it only looks for the library
    let driver = unsafe { sys::is_culib_present() };
    driver && CudaContext::device_count().is_ok_and(|n| n > 0)
}

impl BatchSim {
    /// Worlds at the model's initial state.
    ///
    /// # Errors
    /// There is no GPU, or the model has something that no kernel does.
    pub fn new(m: &Model, nworld: usize, device: usize, settings: &Settings) -> Result<Self, GpuError> {
        let plan = Plan::new(m, settings)?;
        if !available() {
            return Err(GpuError::Unavailable("the CUDA driver finds none; use the batches of the CPU"));
        }
        let context = CudaContext::new(device)?;
        let stream = context.new_stream()?;
        let start = Instant::now();
        let code = compile::cubin(&plan.source(), context.compute_capability()?, settings.fast_math)?;
        let module = context.load_module(cudarc::nvrtc::Ptx::from_binary(code))?;
        let compiling = start.elapsed();
        let function = module.load_function("step")?;
        let bytes = stream.clone_dtoh(&module.get_global("world_bytes", &stream)?)?;
        let shared_bytes = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as usize;
        function.set_attribute(SHARED_BYTES, (WARPS * shared_bytes) as i32)?;
        let threads = (WARPS * 32) as u32;
        let blocks = function.occupancy_max_active_blocks_per_multiprocessor(threads, WARPS * shared_bytes, None)?;
        let cores = context.attribute(sys::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?;
        let grid = (nworld.div_ceil(WARPS) as u32).max(1);
        let sizes = state_sizes(m);
        let named = sizes.iter().copied().chain(plan.outputs.iter().copied());
        let arrays = named
            .map(|(name, n)| Ok(Array { name, slice: stream.alloc_zeros((n * nworld).max(1))? }))
            .collect::<Result<Vec<_>, GpuError>>()?;
        let report = Report {
            device: context.name()?,
            compiling,
            shared_bytes,
            device_bytes: sizes.iter().chain(&plan.outputs).map(|s| 4 * s.1).sum::<usize>() + 16,
            registers: function.num_regs()? as usize,
            spilled: function.local_size_bytes()? as usize,
            resident: blocks as usize * cores as usize * WARPS,
        };
        let shared = stream.clone_htod(&plan.shared())?;
        let status = stream.alloc_zeros(4 * nworld.max(1))?;
        let shared_mem_bytes = (WARPS * shared_bytes) as u32;
        let launch = LaunchConfig { grid_dim: (grid, 1, 1), block_dim: (threads, 1, 1), shared_mem_bytes };
        let mut sim = BatchSim { plan, stream, function, launch, arrays, shared, status, nworld, report };
        let qpos: Vec<f32> = m.qpos0.iter().map(|x| *x as f32).collect();
        sim.write("qpos", &qpos.repeat(nworld))?;
        if m.nmocap > 0 {
            sim.write("mocap", &mocap_poses(m).repeat(nworld))?;
        }
        Ok(sim)
    }

    /// Number of worlds.
    pub fn nworld(&self) -> usize {
        self.nworld
    }

    /// What was planned for the model.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Steps all worlds; returns before they are done.
    ///
    /// # Errors
    /// The driver refuses the launch.
    pub fn step(&mut self, nstep: usize) -> Result<(), GpuError> {
        let arguments = self.arguments(nstep);
        let mut launch = self.stream.launch_builder(&self.function);
        launch.arg(&arguments);
        // SAFETY: the arrays live as long as the batch and have the sizes that the kernel was compiled for
        unsafe { launch.launch(self.launch) }?;
        Ok(())
    }

    /// Waits for all steps.
    ///
    /// # Errors
    /// A step failed.
    pub fn synchronize(&self) -> Result<(), GpuError> {
        Ok(self.stream.synchronize()?)
    }

    /// An array of all worlds, world by world.
    ///
    /// # Errors
    /// There is no such array, or the driver refuses.
    pub fn read(&self, name: &str) -> Result<Vec<f32>, GpuError> {
        Ok(self.stream.clone_dtoh(&self.array(name)?.slice)?)
    }

    /// Sets an array of all worlds.
    ///
    /// # Errors
    /// There is no such array, it has another size, or the driver refuses.
    pub fn write(&mut self, name: &str, values: &[f32]) -> Result<(), GpuError> {
        let stream = self.stream.clone();
        let array = self.arrays.iter_mut().find(|a| a.name == name).ok_or_else(|| GpuError::Name(name.to_owned()))?;
        if array.slice.len() != values.len() {
            return Err(GpuError::Size { name: name.to_owned(), want: array.slice.len(), got: values.len() });
        }
        Ok(stream.memcpy_htod(values, &mut array.slice)?)
    }

    /// Takes over states, steps them and gives them back with everything the steps say.
    ///
    /// # Errors
    /// The states are those of another number of worlds, or the driver refuses.
    pub fn run(&mut self, worlds: &mut Worlds, nstep: usize) -> Result<(), GpuError> {
        let Worlds { qpos, qvel, act, qacc_warmstart, time, ctrl, mocap, .. } = worlds;
        let lists = [
            ("qpos", qpos),
            ("qvel", qvel),
            ("act", act),
            ("qacc_warmstart", qacc_warmstart),
            ("time", time),
            ("ctrl", ctrl),
            ("mocap", mocap),
        ];
        let filled = || lists.iter().filter(|(_, list)| !list.is_empty());
        filled().try_for_each(|(name, list)| self.write(name, list))?;
        self.step(nstep)?;
        for (name, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
            *list = self.read(name)?;
        }
        worlds.status = self.status()?;
        worlds.outputs = self.plan.outputs.iter().map(|o| self.read(o.0)).collect::<Result<_, _>>()?;
        Ok(())
    }

    /// Of each world: contacts, rows, iterations of the last step, and flags of all steps so far.
    ///
    /// # Errors
    /// The driver refuses.
    pub fn status(&self) -> Result<Vec<[i32; 4]>, GpuError> {
        let flat = self.stream.clone_dtoh(&self.status)?;
        Ok(flat.chunks_exact(4).map(|s| [s[0], s[1], s[2], s[3]]).collect())
    }

    fn array(&self, name: &str) -> Result<&Array, GpuError> {
        self.arrays.iter().find(|a| a.name == name).ok_or_else(|| GpuError::Name(name.to_owned()))
    }

    fn arguments(&self, nstep: usize) -> Arguments {
        let address = |name: &str| self.array(name).map_or(0, |a| a.slice.device_ptr(&self.stream).0);
        Arguments {
            state: ["qpos", "qvel", "act", "qacc_warmstart", "time"].map(address),
            ctrl: address("ctrl"),
            mocap: address("mocap"),
            shared: self.shared.device_ptr(&self.stream).0,
            own: 0,
            status: self.status.device_ptr(&self.stream).0,
            outputs: crate::header::NAMES.map(address),
            nworld: self.nworld as i32,
            nstep: nstep as i32,
        }
    }
}

/// Poses of mocap bodies at the start: those of their frames.
pub(crate) fn mocap_poses(m: &Model) -> Vec<f32> {
    let mut poses = vec![0.0; 7 * m.nmocap];
    for (b, k) in m.body_mocapid.iter().enumerate().filter_map(|(b, k)| Some((b, usize::try_from(*k).ok()?))) {
        let pose = m.body_pos[b].iter().chain(&m.body_quat[b]);
        poses[7 * k..7 * k + 7].iter_mut().zip(pose).for_each(|(p, x)| *p = *x as f32);
    }
    poses
}

/// Arrays of the state and their sizes in a world.
fn state_sizes(m: &Model) -> [(&'static str, usize); 7] {
    [
        ("qpos", m.nq),
        ("qvel", m.nv),
        ("act", m.na),
        ("qacc_warmstart", m.nv),
        ("time", 1),
        ("ctrl", m.nu),
        ("mocap", 7 * m.nmocap),
    ]
}
