//! The model's header for the kernels: sizes, structure as constant tables, and accessors of numbers.

use crate::fluid::keeps_qderiv;
use crate::geom_distances::GeomDistance;
use crate::geom_shapes::{MeshPolygons, SIDE};
use crate::hull_faces::HullRange;
use crate::outputs::known;
pub use crate::outputs::{NAMES, OUTPUTS, outputs};
use crate::pairs::Kind;
use crate::plan::{Plan, has};
use crate::ray_meshes::rays_see;
use crate::scalar_rows::{ScalarRowType, TYPES};
use crate::sensors::{self, SensorStage};
use crate::tables::{HINGE, ROTATION, SLIDE, Shape, dof_kind};
use crate::transmissions::{self, TransmissionType};
use crate::trees::{Tree, mass_entries};
use sinew_engine::Model;
use sinew_engine::collision::Possible;
use sinew_engine::model::enums::{
    BiasType, CamLight, ConeType, DisableFlags, DynType, GainType, GeomType, Integrator, JointType, SensorType, TrnType,
};
use sinew_engine::support::activation::is_disabled;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The header.
pub fn write(m: &Model, plan: &Plan) -> String {
    let mut h = Header::default();
    sizes(m, plan, &mut h);
    switches(m, plan, &mut h);
    team(m, plan, &mut h);
    tree(m, plan, &mut h);
    transmissions(m, plan, &mut h);
    scalar_rows(m, plan, &mut h);
    actuators(m, plan, &mut h);
    fluid(m, plan, &mut h);
    pairs(m, plan, &mut h);
    geom_shapes(m, plan, &mut h);
    sensing(m, &mut h);
    ray_meshes(m, plan, &mut h);
    geom_distances(m, plan, &mut h);
    readers(plan, &mut h);
    results(m, plan, &mut h);
    h.text
}

#[derive(Default)]
struct Header {
    text: String,
}

impl Header {
    fn constant(&mut self, name: &str, value: usize) {
        let _ = writeln!(self.text, "constexpr int {name} = {value};");
    }

    fn switch(&mut self, name: &str, value: bool) {
        let _ = writeln!(self.text, "constexpr bool {name} = {value};");
    }

    fn table<T: Into<i64>>(&mut self, name: &str, values: impl IntoIterator<Item = T>) {
        let values: Vec<i64> = values.into_iter().map(Into::into).collect();
        // the narrowest type, because the worlds leave little of a multiprocessor's L1 cache for tables
        let within = |low: i64, high: i64| values.iter().all(|v| (low..=high).contains(v));
        let kind = match () {
            () if within(i8::MIN.into(), i8::MAX.into()) => "signed char",
            () if within(i16::MIN.into(), i16::MAX.into()) => "short",
            () => "int",
        };
        self.typed(kind, name, values.iter().map(ToString::to_string).collect());
    }

    /// A constexpr function, so that unrolled loops see the values.
    fn known(&mut self, name: &str, values: impl Iterator<Item = i64>) {
        let values: Vec<String> = values.map(|v| v.to_string()).collect();
        let list = values.join(",");
        let _ = writeln!(self.text, "DEV constexpr int {name}(int i) {{ const int of[] = {{{list}}}; return of[i]; }}");
    }

    /// An empty table gets one entry, because C has no empty arrays.
    fn typed(&mut self, kind: &str, name: &str, mut values: Vec<String>) {
        if values.is_empty() {
            values.push("0".into());
        }
        let _ = writeln!(self.text, "TABLE {kind} {name}[] = {{{}}};", values.join(","));
    }
}

fn sizes(m: &Model, plan: &Plan, h: &mut Header) {
    let condim = plan.pairs.all.iter().map(|p| p.common.dim as usize).max().unwrap_or(1);
    for (name, value) in [
        ("NQ", m.nq),
        ("NV", m.nv),
        ("NU", m.nu),
        ("NA", m.na),
        ("NBODY", m.nbody),
        ("NJNT", m.njnt),
        ("NGEOM", m.ngeom),
        ("NTENDON", m.ntendon),
        ("NTRN", m.nu + m.ntendon),
        ("NMOMENT", plan.structure.moments.len()),
        ("NSEGMENT", plan.structure.segments.len()),
        ("NFLUID", plan.structure.fluid_shapes.len()),
        ("NMOCAP", m.nmocap),
        ("NWELD", plan.structure.welds.len()),
        ("NSCALAR", plan.structure.scalar_rows.len()),
        ("NPAIR", plan.pairs.all.len()),
        ("NCON", plan.capacity.contacts),
        ("NROW", plan.capacity.rows),
        ("CONDIM", condim),
        ("NROOT", plan.structure.roots.len()),
        ("ROUNDS", plan.structure.body_ancestors.len()),
        ("DOF_ROUNDS", plan.structure.dof_ancestors.len()),
        ("WORDS", m.nv.div_ceil(32)),
        ("ITERATIONS", m.opt.iterations.max(0) as usize),
        ("LS_ITERATIONS", m.opt.ls_iterations.max(0) as usize),
    ] {
        h.constant(name, value);
    }
    let kinds: [(&str, i64); 13] = [
        ("JNT_FREE", JointType::Free as i64),
        ("JNT_BALL", JointType::Ball as i64),
        ("JNT_SLIDE", JointType::Slide as i64),
        ("JNT_HINGE", JointType::Hinge as i64),
        ("DOF_ROTATION", ROTATION),
        ("DOF_HINGE", HINGE),
        ("DOF_SLIDE", SLIDE),
        ("DYN_INTEGRATOR", DynType::Integrator as i64),
        ("DYN_FILTER", DynType::Filter as i64),
        ("DYN_FILTEREXACT", DynType::Filterexact as i64),
        ("DYN_MUSCLE", DynType::Muscle as i64),
        ("GAIN_MUSCLE", GainType::Muscle as i64),
        ("BIAS_MUSCLE", BiasType::Muscle as i64),
    ];
    kinds.iter().for_each(|(name, code)| h.constant(name, *code as usize));
}

fn switches(m: &Model, plan: &Plan, h: &mut Header) {
    let off = |flag| m.opt.disabled(flag);
    let constrained = !off(DisableFlags::CONSTRAINT);
    let damped = !off(DisableFlags::DAMPER) && m.dof_damping.iter().any(|b| *b != 0.0);
    let by = |integrator| m.opt.integrator == integrator;
    h.switch("HAS_FREE", has(m, JointType::Free));
    h.switch("HAS_BALL", has(m, JointType::Ball));
    h.switch("HAS_SLIDE", has(m, JointType::Slide));
    h.switch("HAS_SPRINGS", !off(DisableFlags::SPRING) && m.jnt_stiffness.iter().any(|k| *k != 0.0));
    h.switch("HAS_DAMPERS", damped);
    let limited = (0..m.nv).any(|i| limited(m, i));
    h.switch("HAS_LIMITS", constrained && !off(DisableFlags::LIMIT) && limited);
    let rubs = m.dof_frictionloss.iter().any(|f| *f != 0.0);
    h.switch("HAS_FRICTION", constrained && !off(DisableFlags::FRICTIONLOSS) && rubs);
    h.switch("CONE_ELLIPTIC", m.opt.cone == ConeType::Elliptic);
    h.switch("IMPLICIT", by(Integrator::Implicit));
    h.switch("IMPLICIT_FAST", by(Integrator::Implicitfast));
    h.switch("RUNGE_KUTTA", by(Integrator::Rk4));
    h.switch("IMPLICIT_DAMPING", by(Integrator::Euler) && damped && !off(DisableFlags::EULERDAMP));
    h.switch("HAS_TENDON_ARMATURE", m.tendon_armature.iter().any(|a| *a != 0.0));
    h.switch("HAS_TENDON_ACTFRCLIMIT", m.tendon_actfrclimited.iter().any(|l| *l != 0));
    h.switch("KEEPS_QDERIV", keeps_qderiv(m, !plan.structure.fluid_shapes.is_empty()));
    h.switch("WARM_START", !off(DisableFlags::WARMSTART));
    h.switch("MOVING_MOMENTS", plan.structure.transmissions.iter().any(|s| s.kind != TransmissionType::Fixed));
    let all_off = off(DisableFlags::ACTUATION) || m.nu == 0;
    h.switch("ACTUATION_DISABLED", all_off);
    h.switch("SOME_ACTUATORS_DISABLED", all_off || (0..m.nu).any(|u| is_disabled(m, u)));
    let muscles = (0..m.nu).any(|u| {
        let kinds = (m.actuator_dyntype(u), m.actuator_gaintype(u), m.actuator_biastype(u));
        kinds.0 == DynType::Muscle || kinds.1 == GainType::Muscle || kinds.2 == BiasType::Muscle
    });
    h.switch("HAS_MUSCLES", muscles);
}

fn limited(m: &Model, i: usize) -> bool {
    let j = m.dof_jntid[i] as usize;
    m.jnt_limited[j] != 0 && matches!(m.jnt_type(j), JointType::Hinge | JointType::Slide)
}

/// The dof with whose velocity the axis of a dof rotates.
fn before(m: &Model, i: usize) -> i64 {
    let j = m.dof_jntid[i] as usize;
    let first = m.jnt_dofadr[j];
    match m.jnt_type(j) {
        JointType::Free if i < first as usize + 3 => -2,
        JointType::Free => i64::from(first) + 2,
        JointType::Ball => i64::from(m.dof_parentid[first as usize]),
        _ => i64::from(m.dof_parentid[i]),
    }
}

/// The last dof of the same rotation or translation.
fn after(m: &Model, i: usize) -> i64 {
    let j = m.dof_jntid[i] as usize;
    let first = i64::from(m.jnt_dofadr[j]);
    match m.jnt_type(j) {
        JointType::Free if (i as i64) < first + 3 => first + 2,
        JointType::Free => first + 5,
        JointType::Ball => first + 2,
        _ => i as i64,
    }
}

fn index(of: Option<usize>) -> i64 {
    of.map_or(-1, |i| i as i64)
}

fn team(m: &Model, plan: &Plan, h: &mut Header) {
    let team = &plan.team;
    h.constant("TEAM", team.warps);
    h.constant("NGROUP", team.groups.len());
    h.constant("GROUP_MAX", team.groups.iter().map(ExactSizeIterator::len).max().unwrap_or(0));
    h.table("dof_group", (0..m.nv).map(|i| team.of(i) as i64));
    let column = |i: usize| i - team.groups[team.of(i)].start;
    h.table("dof_column", (0..m.nv).map(|i| column(i) as i64));
    h.table("group_first", team.groups.iter().map(|g| g.start as i64));
    h.table("lane_dof", team.lanes(m.nv).map(|i| i as i64));
}

fn tree(m: &Model, plan: &Plan, h: &mut Header) {
    let s = &plan.structure;
    h.table("body_parentid", m.body_parentid.iter().copied());
    h.table("body_rootid", m.body_rootid.iter().copied());
    h.table("body_mocapid", m.body_mocapid.iter().copied());
    h.table("body_jntadr", m.body_jntadr.iter().copied());
    h.table("body_jntnum", m.body_jntnum.iter().copied());
    h.table("body_ancestor", s.body_ancestors.iter().flatten().map(|a| *a as i64));
    h.table("body_lastdof", s.last_dof.iter().map(|i| index(*i)));
    h.table("root_body", s.roots.iter().map(|r| r.0 as i64));
    h.table("root_size", s.roots.iter().map(|r| r.1 as i64));
    let off = |flag| m.opt.disabled(flag);
    let carried: Vec<_> = if off(DisableFlags::GRAVITY) || off(DisableFlags::SPRING) && off(DisableFlags::DAMPER) {
        Vec::new()
    } else {
        (1..m.nbody).filter(|&b| m.body_gravcomp[b] != 0.0).map(|b| b as i64).collect()
    };
    h.constant("NGRAVCOMP", carried.len());
    h.table("gravcomp_body", carried);
    h.typed("unsigned", "body_dofs", (0..m.nbody).flat_map(|b| masks(m, s.last_dof[b])).collect());
    h.table("site_bodyid", m.site_bodyid.iter().copied());
    h.table("geom_bodyid", m.geom_bodyid.iter().copied());
    h.table("jnt_type", m.jnt_type.iter().copied());
    h.table("jnt_qposadr", m.jnt_qposadr.iter().copied());
    h.table("jnt_dofadr", m.jnt_dofadr.iter().copied());
    h.table("jnt_actgravcomp", m.jnt_actgravcomp.iter().copied());
    h.table("jnt_actfrclimited", m.jnt_actfrclimited.iter().copied());
    h.table("dof_bodyid", m.dof_bodyid.iter().copied());
    h.table("dof_jntid", m.dof_jntid.iter().copied());
    h.table("dof_parentid", m.dof_parentid.iter().copied());
    h.table("dof_simplenum", m.dof_simplenum.iter().copied());
    h.table("dof_kind", (0..m.nv).map(|i| dof_kind(m, i)));
    h.table("dof_before", (0..m.nv).map(|i| before(m, i)));
    h.table("dof_after", (0..m.nv).map(|i| after(m, i)));
    h.table("dof_ancestor", s.dof_ancestors.iter().flatten().map(|a| index(*a)));
    h.table("dof_limited", (0..m.nv).map(|i| i64::from(limited(m, i))));
    h.table("dof_hasfriction", (0..m.nv).map(|i| i64::from(m.dof_frictionloss[i] != 0.0)));
    let entries = mass_entries(m);
    h.switch("ABOUT_SUBTREE_COM", plan.about_subtree_com);
    h.constant("NMASS", entries.len());
    h.table("mass_row", entries.iter().map(|e| e.0 as i64));
    h.table("mass_column", entries.iter().map(|e| e.1 as i64));
    common_tree(m, plan, h);
}

/// The tree that all roots have in common as constexpr functions, if there is one.
fn common_tree(m: &Model, plan: &Plan, h: &mut Header) {
    let tree = Tree::common(m, &plan.structure);
    h.switch("TREES_ALIKE", tree.is_some());
    let tree = tree.unwrap_or(Tree { bodies: vec![0], dofs: vec![None] });
    h.constant("TREE_BODIES", tree.bodies.len());
    h.constant("TREE_DOFS", tree.dofs.len());
    h.known("tree_parent", tree.bodies.iter().map(|p| *p as i64));
    h.known("tree_dof_parent", tree.dofs.iter().map(|p| index(*p)));
}

/// Bit mask of the dofs that move a body.
fn masks(m: &Model, last: Option<usize>) -> Vec<String> {
    let mut words = vec![0u32; m.nv.div_ceil(32)];
    let mut next = last;
    while let Some(i) = next {
        words[i / 32] |= 1 << (i % 32);
        next = usize::try_from(m.dof_parentid[i]).ok();
    }
    words.iter().map(|w| format!("{w}u")).collect()
}

fn transmissions(m: &Model, plan: &Plan, h: &mut Header) {
    let (all, entries) = (&plan.structure.transmissions, &plan.structure.moments);
    transmissions::KINDS.iter().for_each(|(name, kind)| h.constant(name, *kind as usize));
    h.table("trn_type", all.iter().map(|s| s.kind as i64));
    h.table("trn_object", all.iter().flat_map(|s| s.objects));
    let in_parent = |u: usize| i64::from(m.actuator_trntype(u) == TrnType::Jointinparent);
    h.table("trn_inparent", (0..m.nu).map(in_parent));
    let segments = &plan.structure.segments;
    h.table("segment_site", segments.iter().flat_map(|s| s.sites).map(|site| site as i64));
    h.table("segment_geom", segments.iter().map(|s| index(s.geom)));
    h.table("segment_sidesite", segments.iter().map(|s| index(s.side_site)));
    h.table("segment_cylinder", segments.iter().map(|s| i64::from(s.cylinder)));
    h.table("moment_trn", entries.iter().map(|e| e.transmission as i64));
    h.table(
        "trn_momentadr",
        (0..=m.nu + m.ntendon).map(|k| entries.iter().filter(|e| e.transmission < k).count() as i64),
    );
    h.table("moment_qpos", entries.iter().map(|e| e.qpos as i64));
    h.table("moment_dof", entries.iter().map(|e| e.dof as i64));
    h.switch("MOMENTS_DISJOINT", transmissions::disjoint(entries, m.nv));
    // the same sorted by dof
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by_key(|&k| entries[k].dof);
    h.table("dof_momentadr", (0..=m.nv).map(|i| entries.iter().filter(|e| e.dof < i).count() as i64));
    h.table("dof_moment", order.iter().map(|&k| k as i64));
    h.table("dof_trn", order.iter().map(|&k| entries[k].transmission as i64));
}

fn scalar_rows(m: &Model, plan: &Plan, h: &mut Header) {
    let all = &plan.structure.scalar_rows;
    TYPES.iter().for_each(|(name, kind)| h.constant(name, *kind as usize));
    h.switch(
        "HAS_BOTH_LIMITS",
        all.iter().any(|l| matches!(l.kind, ScalarRowType::JointBothLimits | ScalarRowType::TendonBothLimits)),
    );
    let both = |i: usize| {
        let joint = Some(m.dof_jntid[i] as usize);
        all.iter().any(|l| l.kind == ScalarRowType::JointBothLimits && l.joints[0] == joint)
    };
    h.table("dof_bothlimits", (0..m.nv).map(|i| i64::from(both(i))));
    h.table("scalar_type", all.iter().map(|l| l.kind as i64));
    let tendons = all.iter().flat_map(|l| l.tendons);
    h.table("scalar_trn", tendons.map(|t| index(t.map(|t| m.nu + t))));
    h.table("scalar_weld", all.iter().map(|l| l.weld.0 as i64));
    h.table("scalar_component", all.iter().map(|l| l.weld.1 as i64));
    let welds = &plan.structure.welds;
    h.table("weld_body", welds.iter().flat_map(|t| t.bodies).map(|b| b as i64));
    h.table("weld_ancestor", welds.iter().map(|t| common_ancestor(m, t.bodies) as i64));
    let joints = || all.iter().flat_map(|l| l.joints);
    h.table("scalar_qpos", joints().map(|j| j.map_or(-1, |j| i64::from(m.jnt_qposadr[j]))));
    h.table("scalar_dof", joints().map(|j| j.map_or(-1, |j| i64::from(m.jnt_dofadr[j]))));
}

/// The nearest common ancestor; parents have lower numbers than their children.
fn common_ancestor(m: &Model, [mut a, mut b]: [usize; 2]) -> usize {
    while a != b {
        let later = if a > b { &mut a } else { &mut b };
        *later = m.body_parentid[*later] as usize;
    }
    a
}

fn actuators(m: &Model, plan: &Plan, h: &mut Header) {
    let clamps = !m.opt.disabled(DisableFlags::CLAMPCTRL);
    h.table("actuator_ctrllimited", m.actuator_ctrllimited.iter().map(|l| i64::from(clamps && *l != 0)));
    let off = m.opt.disabled(DisableFlags::ACTUATION);
    h.table("actuator_disabled", (0..m.nu).map(|u| i64::from(off || is_disabled(m, u))));
    h.table("actuator_gaintype", m.actuator_gaintype.iter().copied());
    h.table("actuator_biastype", m.actuator_biastype.iter().copied());
    h.table("actuator_forcelimited", m.actuator_forcelimited.iter().copied());
    h.table("actuator_actlimited", m.actuator_actlimited.iter().copied());
    h.table("actuator_actearly", m.actuator_actearly.iter().copied());
    h.table("actuator_dyntype", m.actuator_dyntype.iter().copied());
    h.table("tendon_actfrclimited", m.tendon_actfrclimited.iter().copied());
    let pulls = |u: usize| if m.actuator_trntype(u) == TrnType::Tendon { m.actuator_trnid[u][0] } else { -1 };
    h.table("actuator_tendon", (0..m.nu).map(pulls));
    let adheres = |u: usize| if m.actuator_trntype(u) == TrnType::Body { m.actuator_trnid[u][0] } else { -1 };
    h.table("actuator_body", (0..m.nu).map(adheres));
    let bodies: Vec<_> = (0..m.nu).map(adheres).filter(|b| *b >= 0).collect();
    h.switch("HAS_ADHESION", !bodies.is_empty());
    h.switch("CLAMP_AFTER_ADHESION", !bodies.is_empty() && m.jnt_actfrclimited.iter().any(|l| *l != 0));
    let gap = |p: &Possible| p.margin > p.common.includemargin;
    let felt = asked(plan, "sensordata") && (0..m.nsensor).any(|i| m.sensor_type(i) == SensorType::Contact);
    let held = |p: &&Possible| gap(p) && (felt || p.geoms.iter().any(|g| bodies.contains(&m.geom_bodyid[*g])));
    h.switch("KEEPS_GAP_CONTACTS", plan.pairs.all.iter().any(|p| held(&p)));
    h.table("actuator_act", (0..m.nu).map(|u| index(m.actuator_act(u))));
}

fn fluid(m: &Model, plan: &Plan, h: &mut Header) {
    let all = &plan.structure.fluid_shapes;
    h.table("fluid_adr", (0..=m.nbody).map(|b| all.iter().filter(|s| s.body < b).count() as i64));
    h.table("fluid_body", all.iter().map(|s| s.body as i64));
    h.table("fluid_geom", all.iter().map(|s| index(s.geom)));
}

fn pairs(m: &Model, plan: &Plan, h: &mut Header) {
    let all = &plan.pairs.all;
    h.table("pair_geom1", all.iter().map(|p| p.geoms[0] as i64));
    h.table("pair_geom2", all.iter().map(|p| p.geoms[1] as i64));
    h.table("pair_body1", all.iter().map(|p| m.geom_bodyid[p.geoms[0]]));
    h.table("pair_body2", all.iter().map(|p| m.geom_bodyid[p.geoms[1]]));
    h.table("pair_rank", plan.pairs.ranks.iter().map(|rank| *rank as i64));
    h.table("pair_dim", all.iter().map(|p| p.common.dim));
    let bit = |g: usize| plan.structure.last_dof[m.geom_bodyid[g] as usize].map_or(0, |i| 1 << plan.team.of(i));
    h.table("pair_groups", all.iter().map(|p| bit(p.geoms[0]) | bit(p.geoms[1])));
    let broadphase = &plan.pairs.broadphase;
    // a team distributes all pairs over its warps, and distance searches overwrite the body frames
    let bounded = plan.team.warps == 1 && plan.geom_distances.is_empty();
    h.constant("NBODYPAIR", if bounded { broadphase.pairs.len() } else { 0 });
    h.table("bodypair_first", broadphase.pairs.iter().map(|b| b.first as i64).chain([all.len() as i64]));
    h.table("bodypair_bound", broadphase.pairs.iter().flat_map(|b| b.bounds).map(|l| l as i64));
    h.table("bodybound_body", broadphase.bounds.iter().map(|l| l.body as i64));
    let each = |k: &Kind| {
        let [first, last] = k.range;
        format!(" {}({}, {first}, {last})", format!("{:?}", k.work).to_uppercase(), k.name)
    };
    let (few, other): (Vec<&Kind>, Vec<&Kind>) = plan.pairs.kinds.iter().partition(|k| k.few());
    h.constant("MAX_FEW_CONTACTS", few.iter().map(|k| k.most).max().unwrap_or(1));
    h.constant("FEW_PAIRS", few.iter().map(|k| k.range[1]).max().unwrap_or(0));
    for (name, kinds) in [("FEW_COLLIDERS", few), ("COLLIDERS", other)] {
        let _ = writeln!(h.text, "#define {name}{}", kinds.into_iter().map(each).collect::<String>());
    }
}

fn geom_shapes(m: &Model, plan: &Plan, h: &mut Header) {
    let s = &plan.geom_shapes;
    h.switch("HAS_CONVEX", s.per_warp);
    let [sides, around] = s.faces.as_ref().map_or([1; 2], MeshPolygons::max_counts);
    h.switch("MULTICCD", s.faces.is_some());
    h.constant("FACE_SIDES", sides);
    h.constant("VERTEX_FACES", around);
    h.constant("CCD_ITERATIONS", m.opt.ccd_iterations.max(0) as usize);
    let types = [
        ("GEOM_PLANE", GeomType::Plane),
        ("GEOM_SPHERE", GeomType::Sphere),
        ("GEOM_CAPSULE", GeomType::Capsule),
        ("GEOM_ELLIPSOID", GeomType::Ellipsoid),
        ("GEOM_CYLINDER", GeomType::Cylinder),
        ("GEOM_BOX", GeomType::Box),
        ("GEOM_MESH", GeomType::Mesh),
        ("GEOM_HFIELD", GeomType::Hfield),
    ];
    types.iter().for_each(|(name, kind)| h.constant(name, *kind as usize));
    h.table("geom_type", m.geom_type.iter().copied());
    h.table("geom_dataadr", s.of_geom.iter().map(|r| r.start as i64));
    h.table("geom_datanum", s.of_geom.iter().map(|r| r.len() as i64));
    h.table("geom_hfieldrows", s.rows.iter().map(|n| *n as i64));
    h.constant("HULL_SIDE", SIDE);
    h.table("geom_hull", s.hull.iter().map(|seeds| index(*seeds)));
    let hull_faces = &plan.pairs.hull_faces;
    let hull_range =
        |name: &str, of: fn(&HullRange) -> i64, h: &mut Header| h.table(name, hull_faces.of_geom.iter().map(of));
    hull_range("geom_hullfaceadr", |s| s.planes.start as i64, h);
    hull_range("geom_hullfaceend", |s| s.planes.end as i64, h);
    hull_range("geom_hulledgeadr", |s| s.edges.start as i64, h);
    hull_range("geom_hulledgeend", |s| s.edges.end as i64, h);
}

/// Accessors of numbers: `body_mass(n, i)`, or `jnt_range(n, j, 0)` if an item has several.
fn readers(plan: &Plan, h: &mut Header) {
    h.text.push_str("struct Numbers { const float *shared, *per_world; };\n");
    let (mut shared, mut per_world) = (0, 0);
    for (f, each) in plan.numbers.fields.iter().zip(&plan.world_fields.tables) {
        let (name, width) = (f.name, f.shape.width());
        let count = f.values.len() / width;
        let (base, start) = if *each { ("per_world", per_world) } else { ("shared", shared) };
        let at = |c: usize| format!("ld(n.{base} + {} + i)", start + c * count);
        let parts = |k: usize| (0..k).map(at).collect::<Vec<_>>().join(", ");
        let _ = match f.shape {
            Shape::Scalar => writeln!(h.text, "DEV float {name}(Numbers n, int i) {{ return {}; }}", at(0)),
            Shape::Vector => writeln!(h.text, "DEV v3 {name}(Numbers n, int i) {{ return {{{}}}; }}", parts(3)),
            Shape::Quaternion => writeln!(h.text, "DEV q4 {name}(Numbers n, int i) {{ return {{{}}}; }}", parts(4)),
            Shape::Integer => writeln!(
                h.text,
                "DEV int {name}(Numbers n, int i) {{ return ld((const int*)n.{base} + {start} + i); }}"
            ),
            Shape::Row(_) => writeln!(
                h.text,
                "DEV float {name}(Numbers n, int i, int c) {{ return ld(n.{base} + {start} + c * {count} + i); }}"
            ),
        };
        shared += f.values.len();
        per_world += if *each { f.values.len() } else { 0 };
    }
    h.constant("SHARED", shared);
    h.constant("PER_WORLD", per_world);
}

fn sensing(m: &Model, h: &mut Header) {
    h.constant("NSENSOR", if m.opt.disabled(DisableFlags::SENSOR) { 0 } else { m.nsensor });
    h.constant("NSENSORDATA", m.nsensordata);
    h.constant("NSITE", m.nsite);
    sensors::STAGES.iter().for_each(|(name, stage)| h.constant(name, *stage as usize));
    sensors::KINDS.iter().for_each(|(name, kind, _)| h.constant(&format!("SENS_{name}"), *kind as usize));
    // large sensors are compiled only if they are used
    let uses = |kind: SensorType| (0..m.nsensor).any(|i| m.sensor_type(i) == kind);
    for name in ["TOUCH", "CONTACT", "RANGEFINDER", "INSIDESITE", "POTENTIAL", "KINETIC"] {
        h.switch(&format!("USES_{name}"), sensors::KINDS.iter().any(|k| k.0 == name && uses(k.1)));
    }
    let kinds = ["OBJ_XBODY", "OBJ_BODY", "OBJ_GEOM", "OBJ_SITE", "OBJ_CAMERA"];
    kinds.iter().enumerate().for_each(|(k, name)| h.constant(name, k));
    let all = 0..m.nsensor;
    let of = |i: usize| sensors::object(m, m.sensor_objtype(i), m.sensor_objid[i]);
    let from = |i: usize| sensors::object(m, m.sensor_reftype(i), m.sensor_refid[i]);
    h.table("sensor_type", m.sensor_type.iter().copied());
    h.table("sensor_stage", all.clone().map(|i| sensors::stage(m, i).map_or(-1, |t| t as i64)));
    h.table("sensor_objid", m.sensor_objid.iter().copied());
    h.table("sensor_refid", m.sensor_refid.iter().copied());
    h.table("sensor_objkind", all.clone().map(|i| of(i).0));
    h.table("sensor_body", all.clone().map(|i| of(i).1));
    h.table("sensor_refkind", all.clone().map(|i| from(i).0));
    h.table("sensor_refbody", all.clone().map(|i| from(i).1));
    h.table("sensor_adr", m.sensor_adr.iter().copied());
    h.table("sensor_dim", m.sensor_dim.iter().copied());
    h.table("sensor_cutofftype", all.map(|i| sensors::cutoff_type(m, i)));
    h.table("sensor_fields", m.sensor_intprm.iter().map(|p| p[0]));
    h.table("sensor_reduce", m.sensor_intprm.iter().map(|p| p[1]));
    h.table("site_type", m.site_type.iter().copied());
    h.table("geom_visible", (0..m.ngeom).map(|g| i64::from(sensors::is_visible(m, g))));
    let mut size = vec![1i64; m.nbody];
    (1..m.nbody).rev().for_each(|b| size[m.body_parentid[b] as usize] += size[b]);
    h.table("body_subtree", size);
}

fn ray_meshes(m: &Model, plan: &Plan, h: &mut Header) {
    let boxes = &plan.geom_shapes.ray_meshes.of_geom;
    h.switch("RAYS_SEE_MESHES", rays_see(m, GeomType::Mesh));
    h.switch("RAYS_SEE_HFIELDS", rays_see(m, GeomType::Hfield));
    h.switch("USES_RAYDATA", (0..m.nsensor).any(|i| sensors::asks_fields(m, i)));
    h.table("geom_bvhadr", boxes.iter().map(|b| b.start as i64));
    h.table("geom_bvhend", boxes.iter().map(|b| b.end as i64));
    h.switch("USES_CAMERAS", sensors::use_cameras(m));
    h.switch("USES_WORLD_MOMENTUM", (0..m.nsensor).any(|i| sensors::moving_world(m, i)));
    let modes = [
        ("CAM_TRACK", CamLight::Track),
        ("CAM_TRACKCOM", CamLight::Trackcom),
        ("CAM_TARGETBODY", CamLight::Targetbody),
        ("CAM_TARGETBODYCOM", CamLight::Targetbodycom),
    ];
    modes.iter().for_each(|(name, mode)| h.constant(name, *mode as usize));
    h.table("cam_mode", m.cam_mode.iter().copied());
    h.table("cam_bodyid", m.cam_bodyid.iter().copied());
    h.table("cam_targetbodyid", m.cam_targetbodyid.iter().copied());
}

fn geom_distances(m: &Model, plan: &Plan, h: &mut Header) {
    let all = &plan.geom_distances;
    h.switch("USES_GEOMDIST", !all.is_empty() && asked(plan, "sensordata"));
    h.table("geomdist_adr", (0..=m.nsensor).map(|i| all.iter().filter(|g| g.sensor < i).count() as i64));
    h.table("geomdist_geom1", all.iter().map(|g| g.geoms[0] as i64));
    h.table("geomdist_geom2", all.iter().map(|g| g.geoms[1] as i64));
    h.table("geomdist_flipped", all.iter().map(|g| i64::from(g.flipped)));
    let kinds: BTreeSet<&str> = all.iter().map(|g| g.collider).collect();
    let kind = |g: &GeomDistance| kinds.iter().position(|name| *name == g.collider);
    h.table("geomdist_collider", all.iter().map(|g| index(kind(g))));
    let each = |(k, name): (usize, &&str)| format!(" KIND({name}, {k})");
    let _ = writeln!(h.text, "#define GEOMDIST_COLLIDERS{}", kinds.iter().enumerate().map(each).collect::<String>());
}

/// Whether an output is requested.
fn asked(plan: &Plan, name: &str) -> bool {
    plan.outputs.iter().any(|o| o.0 == name)
}

fn results(m: &Model, plan: &Plan, h: &mut Header) {
    let asked = |name: &str| asked(plan, name);
    let has_stage = |stage| asked("sensordata") && (0..m.nsensor).any(|i| sensors::stage(m, i) == Some(stage));
    h.switch("KEEPS_ACTUATION", asked("qfrc_actuator") || has_stage(SensorStage::Force));
    let limits = (0..m.nsensor).any(|i| m.sensor_type(i) == SensorType::Jointlimitfrc);
    h.switch("KEEPS_LIMIT_FORCES", asked("sensordata") && limits);
    h.switch("NEEDS_CFRC_INT", has_stage(SensorStage::Acceleration));
    h.switch("SENSES_ADHESION_VELOCITY", has_stage(SensorStage::Contact));
    h.switch("KEEPS_CONTACTS", asked("cfrc_ext") || has_stage(SensorStage::Acceleration));
    for (name, _) in known(m) {
        h.switch(&format!("OUT_{name}"), asked(name));
    }
    let list: String = known(m).iter().map(|(name, count)| format!(" OUTPUT({name}, {count})")).collect();
    let _ = writeln!(h.text, "#define OUTPUTS{list}");
}
