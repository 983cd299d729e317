//! What is fixed before the first step: structure, capacities, outputs.

use crate::fluid::{FluidShape, fluid_shapes};
use crate::geom_distances::{GeomDistance, geom_distances};
use crate::geom_shapes::{GeomShapes, geom_shapes};
use crate::header;
use crate::pairs::{Pairs, pairs};
use crate::precision::loses_precision;
use crate::refuse::{self, Refusal};
use crate::scalar_rows::{ScalarRow, Weld, scalar_rows, welds};
use crate::spatial_tendons::{TendonSegment, segments};
use crate::tables::{Numbers, numbers};
use crate::team::Team;
use crate::transmissions::{self, Moment, Transmission};
use crate::world_fields::WorldFields;
use sinew_engine::Model;
use sinew_engine::data::Data;
use sinew_engine::model::enums::JointType;
use sinew_engine::step::step;

/// What the user requests besides the model.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Capacity for contacts and rows; estimated from short roll-outs if it is `None`.
    pub capacity: Option<Capacity>,
    /// Fields of `Data` to write out after each call.
    pub outputs: Vec<String>,
    /// Fields of the model of which each world has its own values.
    pub fields: Vec<String>,
    /// Approximate reciprocals and sines, and flush denormals to zero: slightly faster, less accurate.
    pub fast_math: bool,
}

/// Capacity of a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capacity {
    /// Contacts.
    pub contacts: usize,
    /// Rows of contacts in their own frames, and of other constraints.
    pub rows: usize,
}

impl Capacity {
    /// The smaller of both.
    fn within(self, most: Capacity) -> Self {
        Capacity { contacts: self.contacts.min(most.contacts), rows: self.rows.min(most.rows) }
    }
}

/// A model prepared for the kernels.
#[derive(Debug)]
pub struct Plan {
    pub(crate) structure: Structure,
    pub(crate) pairs: Pairs,
    pub(crate) geom_distances: Vec<GeomDistance>,
    pub(crate) geom_shapes: GeomShapes,
    pub(crate) numbers: Numbers,
    pub(crate) world_fields: WorldFields,
    pub(crate) team: Team,
    /// Whether inertias and forces of subtrees are about their own centres of mass.
    pub(crate) about_subtree_com: bool,
    /// Capacity for contacts and rows.
    pub capacity: Capacity,
    /// Minimum capacity of the larger build: what the initial state needs.
    initial: Capacity,
    /// Outputs and their sizes per world.
    pub outputs: Vec<(&'static str, usize)>,
    header: String,
    /// Whether this is the build with more capacity.
    larger: bool,
}

/// Lists derived from the tree, transmissions and equalities.
#[derive(Debug, Default)]
pub struct Structure {
    /// Children of the world, and the sizes of their subtrees.
    pub roots: Vec<(usize, usize)>,
    /// Last dof that moves a body.
    pub last_dof: Vec<Option<usize>>,
    /// 1st, 2nd, 4th … ancestors of bodies; the world if there are fewer.
    pub body_ancestors: Vec<Vec<usize>>,
    /// The same for dofs.
    pub dof_ancestors: Vec<Vec<Option<usize>>>,
    /// Transmissions of actuators, then tendons.
    pub transmissions: Vec<Transmission>,
    /// Their moments.
    pub moments: Vec<Moment>,
    /// Segments of spatial tendons.
    pub segments: Vec<TendonSegment>,
    /// Shapes that the fluid acts on.
    pub fluid_shapes: Vec<FluidShape>,
    /// Scalar constraint rows.
    pub scalar_rows: Vec<ScalarRow>,
    /// Connects and welds.
    pub welds: Vec<Weld>,
}

impl Plan {
    /// Plans the kernels for a model.
    ///
    /// # Errors
    /// The model has something that no kernel implements.
    pub fn new(m: &Model, settings: &Settings) -> Result<Self, Refusal> {
        refuse::check(m)?;
        let mut d = Data::new(m);
        let pairs = pairs(m, &d)?;
        let structure = Structure::new(m);
        let geom_distances = geom_distances(m);
        let geom_shapes = geom_shapes(m, &pairs, &geom_distances);
        let numbers = numbers(m, &structure, &pairs, &geom_shapes);
        let team = Team::new(m);
        let [capacity, initial] = match settings.capacity {
            Some(asked) => [asked.within(most(&pairs, structure.scalar_rows.len())); 2],
            None => estimate(m, &mut d, &pairs, structure.scalar_rows.len(), team.warps),
        };
        let outputs = header::outputs(m, &settings.outputs)?;
        let world_fields = WorldFields::new(m, &numbers, &settings.fields)?;
        let mut plan = Plan {
            structure,
            pairs,
            geom_distances,
            geom_shapes,
            numbers,
            world_fields,
            team,
            about_subtree_com: loses_precision(m),
            capacity,
            initial,
            outputs,
            header: String::new(),
            larger: false,
        };
        plan.header = header::write(&plan.world_fields.general(m), &plan);
        Ok(plan)
    }

    /// The same with more capacity, for worlds that need it; `None` if this plan has the maximum capacity.
    ///
    /// # Errors
    /// As [`Plan::new`].
    pub fn larger(&self, m: &Model, settings: &Settings) -> Result<Option<Self>, Refusal> {
        let most = most(&self.pairs, self.structure.scalar_rows.len());
        let Capacity { contacts, rows } = self.capacity;
        let capacity = Capacity {
            contacts: (contacts * GROWTH).max(self.initial.contacts).clamp(1, most.contacts.max(1)),
            rows: (rows * GROWTH).max(self.initial.rows).clamp(4, most.rows.max(4)),
        };
        if capacity.contacts <= contacts && capacity.rows <= rows {
            return Ok(None);
        }
        let plan = Plan::new(m, &Settings { capacity: Some(capacity), ..settings.clone() })?;
        Ok(Some(Plan { larger: true, ..plan }))
    }

    /// Whether this is the build with more capacity.
    pub(crate) fn is_larger(&self) -> bool {
        self.larger
    }

    /// The CUDA source for this model.
    pub fn source(&self) -> String {
        let text = crate::sources::joined("step.cu", &self.header, false);
        if self.larger { format!("#define LARGER\n{text}") } else { text }
    }

    /// The C++ source for a CPU: a library that runs the same kernels on emulated lanes.
    pub fn emulator(&self) -> String {
        crate::sources::joined("emulate.cpp", &self.header, true)
    }

    /// Numbers that all worlds share, in the kernels' layout.
    pub fn shared(&self) -> Vec<f32> {
        self.numbers.packed()
    }
}

/// Tables of a model.
pub(crate) fn tables_of(m: &Model) -> Result<Numbers, Refusal> {
    let (pairs, structure) = (pairs(m, &Data::new(m))?, Structure::new(m));
    Ok(numbers(m, &structure, &pairs, &geom_shapes(m, &pairs, &geom_distances(m))))
}

impl Structure {
    pub(crate) fn new(m: &Model) -> Self {
        let parent = |b: usize| m.body_parentid[b] as usize;
        let mut size = vec![1; m.nbody];
        (1..m.nbody).rev().for_each(|b| size[parent(b)] += size[b]);
        let roots = (1..m.nbody).filter(|&b| parent(b) == 0).map(|b| (b, size[b])).collect();
        let mut last_dof = vec![None; m.nbody];
        for b in 1..m.nbody {
            let own = m.body_dofnum[b] > 0;
            last_dof[b] =
                if own { Some((m.body_dofadr[b] + m.body_dofnum[b] - 1) as usize) } else { last_dof[parent(b)] };
        }
        let up = |i: usize| usize::try_from(m.dof_parentid[i]).ok();
        let bodies = doubled((0..m.nbody).map(|b| (parent(b) > 0).then(|| parent(b))).collect());
        let transmissions = transmissions::transmissions(m);
        Structure {
            roots,
            body_ancestors: bodies.into_iter().map(|r| r.into_iter().map(|a| a.unwrap_or(0)).collect()).collect(),
            dof_ancestors: doubled((0..m.nv).map(up).collect()),
            moments: transmissions::moments(m, &transmissions, &last_dof),
            transmissions,
            last_dof,
            segments: segments(m),
            fluid_shapes: fluid_shapes(m),
            scalar_rows: scalar_rows(m),
            welds: welds(m),
        }
    }
}

/// From parents to 1st, 2nd, 4th … ancestors, until there are none.
fn doubled(parents: Vec<Option<usize>>) -> Vec<Vec<Option<usize>>> {
    let mut rounds = Vec::new();
    let mut now = parents;
    while now.iter().any(Option::is_some) {
        let next = now.iter().map(|a| a.and_then(|a| now[a])).collect();
        rounds.push(now);
        now = next;
    }
    rounds
}

/// Factor by which the larger build has more capacity.
const GROWTH: usize = 4;

/// Maximum number of contacts and rows of all pairs and scalar constraints.
fn most(pairs: &Pairs, scalar_rows: usize) -> Capacity {
    let dim = pairs.all.iter().map(|p| p.common.dim as usize).max().unwrap_or(0);
    Capacity { contacts: pairs.most, rows: (dim * pairs.most + scalar_rows).next_multiple_of(4) }
}

/// Blocks that a warp holds with one per lane.
const LANES: usize = 32;

/// Capacity for contacts even if roll-outs rarely have so many, and even if they have none.
const RARE_CAPACITY: usize = 16;
const MIN_CAPACITY: usize = 8;

/// How controls change during a roll-out that samples contact counts.
#[derive(Clone, Copy, PartialEq)]
enum Controls {
    /// As at its start: things come to rest.
    Stay,
    /// Random in each step; that moves little.
    Noise,
    /// Random, and held for some steps.
    Held,
}

/// Roll-outs: how controls change, and the number of steps. The last is for the initial state of a model with
/// keyframes.
const TRIALS: [(Controls, usize); 3] = [(Controls::Stay, 200), (Controls::Noise, 100), (Controls::Held, 100)];
const INITIAL_STEPS: usize = 10;
/// Steps for which controls are held.
const HOLD_STEPS: usize = 25;

/// Estimates the capacity of both builds from short roll-outs. It is a quarter more than the maximum, or a half more
/// for teams, which do not use all shared memory; but no more than twice the 80th percentile of a roll-out, and never
/// more than all pairs can need. Capacity costs every world, and so does a second contact per lane; the few worlds
/// that need more continue in the larger build. Roll-outs begin at the first keyframe if there is one: the initial
/// state of such a model is often not used, and may have interpenetrating arms. The larger build, the second here,
/// has enough capacity for it.
fn estimate(m: &Model, d: &mut Data, pairs: &Pairs, scalar_rows: usize, warps: usize) -> [Capacity; 2] {
    let most = most(pairs, scalar_rows);
    let mut random = 1;
    let steps = if m.nkey > 0 { INITIAL_STEPS } else { 0 };
    let initial = trial(m, d, &mut random, (Controls::Noise, steps)).into_iter().max().unwrap_or_default();
    let initial = Capacity { contacts: initial.0 * 3 / 2, rows: (initial.1 * 3 / 2 + scalar_rows).next_multiple_of(4) };
    let (mut largest, mut usual) = ((0, 0), 0);
    for kind in TRIALS {
        d.reset(m);
        if m.nkey > 0 {
            let _ = d.reset_keyframe(m, 0usize);
        }
        let mut seen = trial(m, d, &mut random, kind);
        seen.sort_unstable();
        largest = largest.max(seen[kind.1 - 1]);
        usual = usual.max(seen[kind.1 * 4 / 5].0);
    }
    let lanes = (LANES * warps).saturating_sub(scalar_rows);
    let margin = if warps > 1 { largest.0 / 2 } else { largest.0 / 4 };
    let wanted = (largest.0 + margin).clamp(MIN_CAPACITY, RARE_CAPACITY.max(2 * usual + 4));
    let contacts = wanted.min(if usual <= lanes { lanes } else { usize::MAX });
    // as many rows per contact as at the maximum; if there was no contact, as many as one can have
    let (rows, of) = if largest.0 > 0 { (largest.1, largest.0) } else { (most.rows, most.contacts.max(1)) };
    let rows = (contacts * rows).div_ceil(of) + scalar_rows;
    [Capacity { contacts, rows: rows.max(4).next_multiple_of(4) }, initial].map(|capacity| capacity.within(most))
}

/// Numbers of contacts and of their rows in each step of a roll-out.
fn trial(m: &Model, d: &mut Data, random: &mut u64, (controls, steps): (Controls, usize)) -> Vec<(usize, usize)> {
    let mut seen = Vec::with_capacity(steps);
    for k in 0..steps {
        let redraw = controls == Controls::Noise || controls == Controls::Held && k % HOLD_STEPS == 0;
        for u in 0..if redraw { m.nu } else { 0 } {
            *random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let x = (*random >> 33) as f64 / f64::from(1u32 << 31);
            let [low, high] = if m.actuator_ctrllimited[u] != 0 { m.actuator_ctrlrange[u] } else { [-1.0, 1.0] };
            d.state.ctrl[u] = low + x * (high - low);
        }
        step(m, d);
        seen.push((d.contact.len(), d.contact.iter().map(|c| c.dim as usize).sum()));
    }
    seen
}

/// Whether a model has joints of a type.
pub(crate) fn has(m: &Model, kind: JointType) -> bool {
    (0..m.njnt).any(|j| m.jnt_type(j) == kind)
}
