//! A batch of worlds on a GPU.

use crate::arguments::{FORWARD_ONLY, LARGER_FOLLOWS, RESUME, STATE};
use crate::cuda::{self, Cuda};
use crate::device::{Kernel, Machine, Memory, Stream, words, words_mut};
use crate::emulate::Emulator;
use crate::request::{Chosen, Device, Given, Report};
use crate::{Arguments, GpuError, Plan, Settings, Status, Worlds, compile, initial_states, world_fields};
use cudarc::driver::CudaContext;
use sinew_engine::Model;
use sinew_engine::data::memory;
use sinew_engine::fields::Fields;
use std::sync::Arc;
use std::time::Instant;

/// Worlds of one model on one GPU.
#[derive(Debug)]
pub struct BatchSim {
    plan: Plan,
    machine: Machine,
    larger: Larger,
    arrays: Vec<Array>,
    /// Numbers of the model; owned here because kernels read them as long as the batch lives.
    _shared: Arc<Memory>,
    per_world: Arc<Memory>,
    fields: Vec<Array>,
    /// The model, if worlds have fields of their own.
    model: Option<Box<Model>>,
    status: Arc<Memory>,
    initial_states: Arc<Memory>,
    mask: Arc<Memory>,
    /// Arguments that all launches have in common: addresses do not change.
    common: Arguments,
    nworld: usize,
    nkey: usize,
    /// How the batch was created.
    pub report: Report,
}

/// An array with one row per world.
#[derive(Clone, Debug)]
pub struct Array {
    /// Its name.
    pub name: &'static str,
    /// Numbers per world.
    pub width: usize,
    /// The numbers, world by world.
    pub memory: Arc<Memory>,
}

/// The build with more capacity.
#[derive(Debug)]
enum Larger {
    /// The first build already has the maximum capacity, or a larger world does not fit.
    Never,
    /// Emulated: built when it is first needed.
    Planned(Box<Plan>),
    Built(Machine),
}

impl BatchSim {
    /// Worlds at the model's initial state.
    ///
    /// # Errors
    /// There is no GPU, or the model has something that no kernel implements.
    pub fn new(m: &Model, nworld: usize, device: Device, settings: &Settings) -> Result<Self, GpuError> {
        count("nworld", nworld)?;
        let plan = Plan::new(m, settings)?;
        let large = plan.larger(m, settings)?;
        let more = large.as_ref().map(|plan| plan.capacity);
        probe(m, &plan, nworld, device)?;
        let start = Instant::now();
        let (machine, larger, mut report) = match device {
            Device::Gpu(id) => on_gpu(&plan, large.as_ref(), id, settings.fast_math)?,
            Device::Emulated => emulated(&plan, large)?,
        };
        let more = more.filter(|_| !matches!(larger, Larger::Never));
        let sizes: Vec<_> = state_sizes(m).into_iter().chain(plan.outputs.iter().copied()).collect();
        report.compiling = start.elapsed();
        report.room = [Some(plan.capacity), more];
        report.device_bytes = 4 * (sizes.iter().map(|s| s.1).sum::<usize>() + Status::WORDS) + 1;
        let array = |(name, width)| Ok(Array { name, width, memory: machine.zeros(4 * width * nworld)? });
        let arrays = sizes.into_iter().map(array).collect::<Result<Vec<_>, GpuError>>()?;
        let shared = machine.filled(&plan.shared())?;
        let initial_states = machine.filled(&initial_states::initial_states(m))?;
        let status = machine.zeros(4 * Status::WORDS * nworld)?;
        let (mask, per_world) =
            (machine.zeros(nworld)?, machine.filled(&plan.world_fields.packed(&plan.numbers).repeat(nworld))?);
        let fields = plan.world_fields.fields.iter().map(|row| {
            let values = world_fields::values(m, *row);
            let memory = machine.filled(&values.repeat(nworld))?;
            Ok(Array { name: Model::FIELDS[*row].name, width: values.len(), memory })
        });
        let fields = fields.collect::<Result<Vec<_>, GpuError>>()?;
        report.device_bytes += 4 * fields.iter().map(|f| f.width).sum::<usize>() + per_world.bytes() / nworld.max(1);
        let (nkey, model) = (m.nkey, (!fields.is_empty()).then(|| Box::new(m.clone())));
        let address = |name: &str| arrays.iter().find(|a: &&Array| a.name == name).map_or(0, |a| a.memory.address());
        let common = Arguments {
            state: STATE.map(address),
            shared: shared.address(),
            per_world: per_world.address(),
            initial: initial_states.address(),
            status: status.address(),
            outputs: crate::header::NAMES.map(address),
            nworld: nworld as i32,
            ..Arguments::default()
        };
        let mut sim = BatchSim {
            plan,
            machine,
            larger,
            arrays,
            _shared: shared,
            per_world,
            fields,
            model,
            status,
            initial_states,
            mask,
            common,
            nworld,
            nkey,
            report,
        };
        sim.reset(Chosen::All, None, None, 0)?;
        sim.synchronize(0)?;
        Ok(sim)
    }

    /// Number of worlds.
    pub fn nworld(&self) -> usize {
        self.nworld
    }

    /// The plan for the model.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The machine that steps the batch.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// All arrays: those of the state, then outputs.
    pub fn arrays(&self) -> &[Array] {
        &self.arrays
    }

    /// Per-world fields of the model. Call [`BatchSim::set_const`] after changing their values.
    pub fn fields(&self) -> &[Array] {
        &self.fields
    }

    /// Computes on the host what depends on per-world fields, like `mj_setConst`; for all worlds or those of a mask.
    ///
    /// # Errors
    /// The mask has the wrong size, the values need other kernels or are invalid, or the driver fails.
    pub fn set_const(&mut self, mask: Option<&[bool]>, stream: Stream) -> Result<(), GpuError> {
        let Some(model) = &self.model else { return Ok(()) };
        if let Some(got) = mask.map(<[bool]>::len).filter(|n| *n != self.nworld) {
            return Err(GpuError::Size { name: "the mask".into(), want: self.nworld, got });
        }
        let mut lists = Vec::new();
        for field in &self.fields {
            let mut values = vec![0f32; field.width * self.nworld];
            self.machine.read(&field.memory, 0, words_mut(&mut values), stream)?;
            lists.push((field.width, values));
        }
        let worlds: Vec<usize> = (0..self.nworld).filter(|w| mask.is_none_or(|m| m[*w])).collect();
        let rows = world_fields::rows(&self.plan, model, &worlds, &lists)?;
        let width = self.per_world.bytes() / self.nworld.max(1);
        for (w, row) in worlds.iter().zip(&rows) {
            self.machine.write(&self.per_world, w * width, words(row), stream)?;
        }
        Ok(())
    }

    /// Memory of the statuses ([`Status`]), one per world.
    pub fn status_memory(&self) -> &Arc<Memory> {
        &self.status
    }

    /// Steps all worlds. Returns before they are done, allocates nothing and reads nothing back.
    ///
    /// # Errors
    /// [`GpuError::Count`], or the driver refuses the launch.
    pub fn step(&mut self, nstep: usize, stream: Stream) -> Result<(), GpuError> {
        self.run(count("nstep", nstep)?, 0, 0, stream)
    }

    /// Computes outputs and counts for the present states, which do not change.
    ///
    /// # Errors
    /// The mask has the wrong size, or the driver fails.
    pub fn forward(&mut self, chosen: Chosen<'_>, stream: Stream) -> Result<(), GpuError> {
        let mask = self.masked(chosen, stream)?;
        self.run(1, FORWARD_ONLY, mask, stream)
    }

    /// Resets worlds to the model's initial state or to a keyframe. Positions, velocities and activations are taken
    /// from the given states, one row per world of the batch, if there are any. Flags and counts are cleared.
    ///
    /// # Errors
    /// There is no such keyframe, the mask has the wrong size, or the driver fails.
    pub fn reset(
        &mut self,
        chosen: Chosen<'_>,
        key: Option<usize>,
        given: Option<Given<'_>>,
        stream: Stream,
    ) -> Result<(), GpuError> {
        if let Some(key) = key.filter(|key| *key >= self.nkey) {
            return Err(GpuError::Key { key, count: self.nkey });
        }
        let mask = self.masked(chosen, stream)?;
        let mut arguments = self.arguments(0, 0, mask);
        let row = self.initial_states.bytes() / (1 + self.nkey);
        arguments.initial += (row * key.map_or(0, |k| k + 1)) as u64;
        let lent = match given {
            Some(Given::Host(values)) => Some(self.lend(values)?),
            _ => None,
        };
        arguments.given = match (&lent, given) {
            (Some(memory), _) => memory.address(),
            (None, Some(Given::Device(address))) => address.get(),
            _ => 0,
        };
        self.machine.launch(Kernel::Reset, &arguments, stream)?;
        lent.map_or(Ok(()), |_| self.machine.synchronize(stream))
    }

    /// Copies states from the host to the device.
    fn lend(&self, values: &[f32]) -> Result<Arc<Memory>, GpuError> {
        let width: usize = ["qpos", "qvel", "act"].iter().filter_map(|n| Some(self.array(n).ok()?.width)).sum();
        if values.len() != width * self.nworld {
            return Err(GpuError::Size { name: "states".into(), want: width * self.nworld, got: values.len() });
        }
        self.machine.filled(values)
    }

    /// Waits for everything on a stream.
    ///
    /// # Errors
    /// A step failed.
    pub fn synchronize(&self, stream: Stream) -> Result<(), GpuError> {
        self.machine.synchronize(stream)
    }

    /// An array of all worlds, world by world.
    ///
    /// # Errors
    /// There is no such array, or the driver fails.
    pub fn read(&self, name: &str) -> Result<Vec<f32>, GpuError> {
        let array = self.array(name)?;
        let mut values = vec![0f32; array.width * self.nworld];
        self.machine.read(&array.memory, 0, words_mut(&mut values), 0)?;
        Ok(values)
    }

    /// Sets an array of all worlds.
    ///
    /// # Errors
    /// There is no such array, it has another size, or the driver fails.
    pub fn write(&mut self, name: &str, values: &[f32]) -> Result<(), GpuError> {
        let array = self.array(name)?;
        let want = array.width * self.nworld;
        if want != values.len() {
            return Err(GpuError::Size { name: name.to_owned(), want, got: values.len() });
        }
        self.machine.write(&array.memory, 0, words(values), 0)
    }

    /// Copies states in, steps them, and copies states, statuses and outputs out.
    ///
    /// # Errors
    /// The number of worlds differs, or the driver fails.
    pub fn run_worlds(&mut self, worlds: &mut Worlds, nstep: usize) -> Result<(), GpuError> {
        let lists = STATE.into_iter().zip(worlds.lists_mut());
        lists.into_iter().try_for_each(|(name, list)| self.write(name, list))?;
        self.step(nstep, 0)?;
        for (name, list) in STATE.into_iter().zip(worlds.lists_mut()) {
            *list = self.read(name)?;
        }
        worlds.status = self.status()?;
        worlds.outputs = self.plan.outputs.iter().map(|o| self.read(o.0)).collect::<Result<_, _>>()?;
        Ok(())
    }

    /// Counts and flags of each world.
    ///
    /// # Errors
    /// The driver fails.
    pub fn status(&self) -> Result<Vec<Status>, GpuError> {
        let mut words = vec![0i32; Status::WORDS * self.nworld];
        self.machine.read(&self.status, 0, words_mut(&mut words), 0)?;
        Ok(Status::all(&words))
    }

    /// Checks that all worlds took all steps since their last reset.
    ///
    /// # Errors
    /// Some did not: how many, one of them, and the capacity it needs.
    pub fn check(&self) -> Result<(), GpuError> {
        let status = self.status()?;
        let with = |flag: i32| status.iter().enumerate().filter(move |(_, s)| s.flags & flag != 0);
        let mut faults = Vec::new();
        if let Some((w, s)) = with(Status::NO_ROOM).max_by_key(|(_, s)| (s.most_rows, s.most_contacts)) {
            let count = with(Status::NO_ROOM).count();
            faults.push(format!(
                "{count} worlds exceed their capacity and stand still: world {w} has {} contacts and {} rows; set nconmax and njmax",
                s.most_contacts, s.most_rows
            ));
        }
        if let Some((w, _)) = with(Status::BAD_NUMBER).next() {
            let count = with(Status::BAD_NUMBER).count();
            faults.push(format!(
                "{count} worlds stand still because numbers are not finite or huge, the first is world {w}; reset them"
            ));
        }
        if faults.is_empty() { Ok(()) } else { Err(GpuError::Failed(faults.join("; "))) }
    }

    /// An array by its name.
    ///
    /// # Errors
    /// There is none.
    pub fn array(&self, name: &str) -> Result<&Array, GpuError> {
        self.arrays.iter().find(|a| a.name == name).ok_or_else(|| GpuError::Name(name.to_owned()))
    }

    fn run(&mut self, nstep: i32, mode: i32, mask: u64, stream: Stream) -> Result<(), GpuError> {
        let follows = if matches!(self.larger, Larger::Never) { 0 } else { LARGER_FOLLOWS };
        let mut arguments = self.arguments(nstep, mode | follows, mask);
        self.machine.launch(Kernel::Step, &arguments, stream)?;
        if let Larger::Planned(plan) = &self.larger
            && self.status()?.iter().any(|s| s.left > 0)
        {
            self.larger = Larger::Built(Machine::Emulated(Emulator::cached(plan)?));
        }
        arguments.mode = mode | RESUME;
        match &self.larger {
            Larger::Built(machine) => machine.launch(Kernel::Step, &arguments, stream),
            _ => Ok(()),
        }
    }

    /// Address of a mask on the device; 0 for all worlds.
    fn masked(&self, chosen: Chosen<'_>, stream: Stream) -> Result<u64, GpuError> {
        match chosen {
            Chosen::All => Ok(0),
            Chosen::Device(address) => Ok(address.get()),
            Chosen::Mask(mask) if mask.len() == self.nworld => {
                self.machine.write(&self.mask, 0, words(mask), stream)?;
                Ok(self.mask.address())
            }
            Chosen::Mask(mask) => Err(GpuError::Size { name: "the mask".into(), want: self.nworld, got: mask.len() }),
        }
    }

    fn arguments(&self, nstep: i32, mode: i32, mask: u64) -> Arguments {
        Arguments { mask, nstep, mode, ..self.common }
    }
}

/// Converts a count to the integer type of the kernels.
fn count(what: &'static str, got: usize) -> Result<i32, GpuError> {
    i32::try_from(got).map_err(|_| GpuError::Count { what, got })
}

/// Checks that the host has enough memory for arrays over all worlds: per-world numbers on their way to a GPU, and
/// everything if it emulates one. The driver reports it if device memory is insufficient.
fn probe(m: &Model, plan: &Plan, nworld: usize, device: Device) -> Result<(), GpuError> {
    let fields: usize = plan.world_fields.fields.iter().map(|row| world_fields::values(m, *row).len()).sum();
    let mut numbers = 2 * (fields + plan.world_fields.packed(&plan.numbers).len());
    if device == Device::Emulated {
        let arrays = state_sizes(m).into_iter().chain(plan.outputs.iter().copied());
        numbers += arrays.map(|(_, width)| width).sum::<usize>() + Status::WORDS + 1;
    }
    Ok(memory::probe(4 * numbers as u128 * nworld as u128)?)
}

/// Compiles both builds in parallel while the driver creates its context.
fn on_gpu(
    plan: &Plan,
    large: Option<&Plan>,
    device: usize,
    fast_math: bool,
) -> Result<(Machine, Larger, Report), GpuError> {
    let capability = cuda::capability(device)?;
    let (context, codes) = std::thread::scope(|scope| {
        let compiled = |plan| scope.spawn(move || compile::cubin(plan, capability, fast_math));
        let compiling: Vec<_> = [Some(plan), large].into_iter().flatten().map(compiled).collect();
        let context = CudaContext::new(device);
        let stopped = |_| Err(GpuError::Compile("the compiler stopped".into()));
        let codes = compiling.into_iter().map(|thread| thread.join().unwrap_or_else(stopped));
        (context, codes.collect::<Result<Vec<_>, _>>())
    });
    let (context, codes) = (context?, codes?);
    let mut builds = codes.iter().map(|code| Cuda::load(&context, code));
    let first = builds.next().ok_or(GpuError::Unavailable("nothing was compiled"))??;
    let larger = match builds.next() {
        None | Some(Err(GpuError::Large { .. })) => Larger::Never,
        Some(second) => Larger::Built(Machine::Cuda(second?)),
    };
    let [registers, spilled, resident] = first.occupancy()?;
    let (device, shared_bytes) = (context.name()?, first.world_bytes);
    let report = Report { device, shared_bytes, registers, spilled, resident, ..Report::default() };
    Ok((Machine::Cuda(first), larger, report))
}

fn emulated(plan: &Plan, large: Option<Plan>) -> Result<(Machine, Larger, Report), GpuError> {
    let report = Report { device: "emulated".into(), ..Report::default() };
    let larger = large.map_or(Larger::Never, |plan| Larger::Planned(Box::new(plan)));
    Ok((Machine::Emulated(Emulator::cached(plan)?), larger, report))
}

/// Arrays of the state and their sizes per world.
fn state_sizes(m: &Model) -> Vec<(&'static str, usize)> {
    STATE.into_iter().zip([m.nq, m.nv, m.na, m.nv, 1, m.nu, 7 * m.nmocap]).collect()
}
