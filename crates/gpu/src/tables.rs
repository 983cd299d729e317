//! The model's numbers as the kernels read them: one array in device memory.

use crate::broadphase;
use crate::fluid::coefficients;
use crate::geom_shapes::{GeomShapes, MeshPolygons, aabb};
use crate::hull_faces::HullFaces;
use crate::pairs::Pairs;
use crate::plan::Structure;
use crate::scalar_rows::ScalarRowType;
use crate::sensors;
use sinew_engine::Model;
use sinew_engine::constraint::impedance::hold;
use sinew_engine::model::enums::{BiasType, CamLight, DisableFlags, GainType, GeomType, JointType};
use sinew_engine::support::camera::focal;
use sinew_math::quat;

/// Smallest divisor (mjMINVAL).
const MINVAL: f64 = 1e-15;

/// How kernels read an item of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A number.
    Scalar,
    /// An integer, stored by its bits.
    Integer,
    /// A vector of three.
    Vector,
    /// A quaternion.
    Quaternion,
    /// This many numbers, read one by one.
    Row(usize),
}

impl Shape {
    /// Numbers per item.
    pub fn width(self) -> usize {
        match self {
            Shape::Scalar | Shape::Integer => 1,
            Shape::Vector => 3,
            Shape::Quaternion => 4,
            Shape::Row(n) => n,
        }
    }
}

/// A field of numbers, item by item.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name in the kernels; MuJoCo's name if it has one.
    pub name: &'static str,
    /// Type of an item.
    pub shape: Shape,
    /// The numbers, one row per item.
    pub values: Vec<f32>,
}

/// Numbers of a model.
#[derive(Debug, Default)]
pub struct Numbers {
    /// Fields in the order they are stored.
    pub fields: Vec<Field>,
    /// The scalar rows they are for; ranges and margins decide which there are.
    pub scalar_rows: Vec<(ScalarRowType, Option<usize>)>,
}

impl Numbers {
    fn rows<const N: usize>(&mut self, name: &'static str, shape: Shape, rows: impl IntoIterator<Item = [f64; N]>) {
        debug_assert_eq!(shape.width(), N, "{name}");
        let values = rows.into_iter().flatten().map(|x| x as f32).collect();
        self.fields.push(Field { name, shape, values });
    }

    fn list(&mut self, name: &'static str, values: impl IntoIterator<Item = f64>) {
        self.rows(name, Shape::Scalar, values.into_iter().map(|x| [x]));
    }

    fn integers(&mut self, name: &'static str, values: &[usize]) {
        let values = values.iter().map(|x| f32::from_bits(*x as u32)).collect();
        self.fields.push(Field { name, shape: Shape::Integer, values });
    }

    /// All numbers in the kernels' layout.
    pub fn packed(&self) -> Vec<f32> {
        self.fields.iter().flat_map(Field::packed).collect()
    }
}

impl Field {
    /// Its numbers component by component, so that loads of adjacent lanes coalesce.
    pub fn packed(&self) -> Vec<f32> {
        let width = self.shape.width();
        (0..width).flat_map(|c| self.values.iter().skip(c).step_by(width).copied()).collect()
    }
}

/// Numbers of a model with the given structure.
pub fn numbers(m: &Model, s: &Structure, pairs: &Pairs, geoms: &GeomShapes) -> Numbers {
    let scalar_rows = s.scalar_rows.iter().map(|l| (l.kind, l.joints[0])).collect();
    let mut n = Numbers { scalar_rows, ..Numbers::default() };
    settings(m, &mut n);
    bodies(m, &mut n);
    joints(m, &mut n);
    actuators(m, s, &mut n);
    tendons(m, s, &mut n);
    fluid(m, s, &mut n);
    contacts(m, pairs, &mut n);
    shapes(m, geoms, &mut n);
    hull_faces(&pairs.hull_faces, &mut n);
    cameras(m, &mut n);
    n
}

/// Smallest solver tolerance that single precision resolves.
const LEAST_TOLERANCE: f64 = 1e-6;

fn settings(m: &Model, n: &mut Numbers) {
    let still = m.opt.disabled(DisableFlags::GRAVITY);
    n.rows("gravity", Shape::Vector, [if still { [0.0; 3] } else { m.opt.gravity }]);
    n.list("timestep", [m.opt.timestep]);
    n.list("impratio", [m.opt.impratio.max(1e-15)]);
    n.list("tolerance", [m.opt.tolerance.max(LEAST_TOLERANCE)]);
    n.list("ls_tolerance", [m.opt.ls_tolerance]);
    n.list("meaninertia", [m.stat.meaninertia]);
    n.list("density", [m.opt.density.max(0.0)]);
    n.list("viscosity", [m.opt.viscosity.max(0.0)]);
    n.rows("magnetic", Shape::Vector, [m.opt.magnetic]);
    n.list("sensor_cutoff", m.sensor_cutoff.iter().copied());
    n.rows("wind", Shape::Vector, [m.opt.wind]);
}

fn bodies(m: &Model, n: &mut Numbers) {
    n.rows("body_pos", Shape::Vector, m.body_pos.iter().copied());
    n.rows("body_quat", Shape::Quaternion, m.body_quat.iter().copied());
    n.rows("body_ipos", Shape::Vector, m.body_ipos.iter().copied());
    n.rows("body_iquat", Shape::Quaternion, m.body_iquat.iter().copied());
    n.rows("body_inertia", Shape::Vector, m.body_inertia.iter().copied());
    n.list("body_mass", m.body_mass.iter().copied());
    n.list("body_gravcomp", m.body_gravcomp.iter().copied());
    n.rows("body_invweight0", Shape::Row(2), m.body_invweight0.iter().copied());
    n.rows("site_pos", Shape::Vector, m.site_pos.iter().copied());
    n.rows("site_quat", Shape::Quaternion, m.site_quat.iter().copied());
    n.rows("site_size", Shape::Vector, m.site_size.iter().copied());
    n.rows("geom_pos", Shape::Vector, m.geom_pos.iter().copied());
    n.rows("geom_quat", Shape::Quaternion, m.geom_quat.iter().copied());
    n.rows("geom_size", Shape::Vector, m.geom_size.iter().copied());
}

fn joints(m: &Model, n: &mut Numbers) {
    let springs = !m.opt.disabled(DisableFlags::SPRING);
    let dampers = !m.opt.disabled(DisableFlags::DAMPER);
    n.list("qpos0", m.qpos0.iter().copied());
    n.list("qpos_spring", m.qpos_spring.iter().copied());
    n.rows("jnt_pos", Shape::Vector, m.jnt_pos.iter().copied());
    n.rows("jnt_axis", Shape::Vector, m.jnt_axis.iter().copied());
    n.list("jnt_stiffness", m.jnt_stiffness.iter().map(|k| if springs { *k } else { 0.0 }));
    n.rows("jnt_range", Shape::Row(2), m.jnt_range.iter().copied());
    n.list("jnt_margin", m.jnt_margin.iter().copied());
    n.rows("jnt_actfrcrange", Shape::Row(2), m.jnt_actfrcrange.iter().copied());
    let limits: Vec<_> = (0..m.njnt).map(|j| hold(m, m.jnt_solref[j], [0.0; 2], m.jnt_solimp[j])).collect();
    n.rows("jnt_kb", Shape::Row(2), limits.iter().map(|h| h.first));
    n.rows("jnt_solimp", Shape::Row(5), limits.iter().map(|h| h.solimp));
    n.list("dof_armature", m.dof_armature.iter().copied());
    n.list("dof_damping", m.dof_damping.iter().map(|b| if dampers { *b } else { 0.0 }));
    n.list("dof_invweight0", m.dof_invweight0.iter().copied());
    n.list("dof_frictionloss", m.dof_frictionloss.iter().copied());
    let friction: Vec<_> = (0..m.nv).map(|i| hold(m, m.dof_solref[i], [0.0; 2], m.dof_solimp[i])).collect();
    n.rows("dof_kb", Shape::Row(2), friction.iter().map(|h| h.first));
    n.rows("dof_solimp", Shape::Row(5), friction.iter().map(|h| h.solimp));
}

fn actuators(m: &Model, s: &Structure, n: &mut Numbers) {
    let affine = |p: &[f64; 10]| [p[0], p[1], p[2]];
    n.list("moment_coef", s.moments.iter().map(|e| e.coef));
    n.list("segment_scale", s.segments.iter().map(|s| s.scale));
    n.rows(
        "actuator_gain",
        Shape::Row(3),
        (0..m.nu).map(|u| match m.actuator_gaintype(u) {
            GainType::Affine => affine(&m.actuator_gainprm[u]),
            _ => [m.actuator_gainprm[u][0], 0.0, 0.0],
        }),
    );
    n.rows(
        "actuator_bias",
        Shape::Row(3),
        (0..m.nu).map(|u| match m.actuator_biastype(u) {
            BiasType::Affine => affine(&m.actuator_biasprm[u]),
            _ => [0.0; 3],
        }),
    );
    n.rows("actuator_ctrlrange", Shape::Row(2), m.actuator_ctrlrange.iter().copied());
    n.rows("actuator_forcerange", Shape::Row(2), m.actuator_forcerange.iter().copied());
    n.rows("actuator_actrange", Shape::Row(2), m.actuator_actrange.iter().copied());
    n.rows("actuator_dynprm", Shape::Row(3), m.actuator_dynprm.iter().map(|p| [p[0], p[1], p[2]]));
    n.rows("actuator_gear", Shape::Row(6), m.actuator_gear.iter().copied());
    n.list("actuator_cranklength", m.actuator_cranklength.iter().copied());
    muscles(m, n);
}

/// Muscle curves in absolute units: peak force, start of the scaled length range, optimal length, and curve
/// parameters.
fn muscles(m: &Model, n: &mut Numbers) {
    let scaled = |u: usize, p: &[f64; 10]| {
        let force = if p[2] < 0.0 { p[3] / m.actuator_acc0[u].max(MINVAL) } else { p[2] };
        let [low, high] = m.actuator_lengthrange[u];
        [force, p[0], low, ((high - low) / (p[1] - p[0]).max(MINVAL)).max(MINVAL)]
    };
    let active = |u: usize| {
        let p = &m.actuator_gainprm[u];
        let [force, start, low, optimum] = scaled(u, p);
        [force, start, low, optimum, p[4], p[5], (optimum * p[6]).max(MINVAL), p[8]]
    };
    let passive = |u: usize| {
        let p = &m.actuator_biasprm[u];
        let [force, start, low, optimum] = scaled(u, p);
        [force, start, low, optimum, p[5], p[7]]
    };
    let is = |u: usize| [m.actuator_gaintype(u) == GainType::Muscle, m.actuator_biastype(u) == BiasType::Muscle];
    n.rows("muscle_active", Shape::Row(8), (0..m.nu).map(|u| if is(u)[0] { active(u) } else { [0.0; 8] }));
    n.rows("muscle_passive", Shape::Row(6), (0..m.nu).map(|u| if is(u)[1] { passive(u) } else { [0.0; 6] }));
}

fn fluid(m: &Model, s: &Structure, n: &mut Numbers) {
    let all: Vec<_> = s.fluid_shapes.iter().map(|shape| coefficients(m, shape)).collect();
    n.rows("fluid_size", Shape::Vector, all.iter().map(|c| c.0));
    n.rows("fluid_coef", Shape::Row(12), all.iter().map(|c| c.1));
}

fn tendons(m: &Model, s: &Structure, n: &mut Numbers) {
    let springs = !m.opt.disabled(DisableFlags::SPRING);
    let dampers = !m.opt.disabled(DisableFlags::DAMPER);
    n.list("tendon_stiffness", m.tendon_stiffness.iter().map(|k| if springs { *k } else { 0.0 }));
    n.list("tendon_damping", m.tendon_damping.iter().map(|b| if dampers { *b } else { 0.0 }));
    n.list("tendon_armature", m.tendon_armature.iter().copied());
    n.rows("tendon_actfrcrange", Shape::Row(2), m.tendon_actfrcrange.iter().copied());
    n.list("tendon_length0", m.tendon_length0.iter().copied());
    n.rows("tendon_lengthspring", Shape::Row(2), m.tendon_lengthspring.iter().copied());
    n.rows("scalar_range", Shape::Row(2), s.scalar_rows.iter().map(|l| l.range));
    n.list("scalar_margin", s.scalar_rows.iter().map(|l| l.margin));
    n.list("scalar_invweight", s.scalar_rows.iter().map(|l| l.invweight));
    n.rows("scalar_kb", Shape::Row(2), s.scalar_rows.iter().map(|l| l.hold.first));
    n.rows("scalar_solimp", Shape::Row(5), s.scalar_rows.iter().map(|l| l.hold.solimp));
    for k in 0..2 {
        n.rows(["weld_pos1", "weld_pos2"][k], Shape::Vector, s.welds.iter().map(|t| t.points[k]));
        n.rows(["weld_quat1", "weld_quat2"][k], Shape::Quaternion, s.welds.iter().map(|t| t.frames[k]));
    }
    n.list("weld_torquescale", s.welds.iter().map(|t| t.scale));
    n.rows("scalar_polycoef", Shape::Row(5), s.scalar_rows.iter().map(|l| l.polycoef));
}

fn contacts(m: &Model, pairs: &Pairs, n: &mut Numbers) {
    let holds: Vec<_> =
        pairs.all.iter().map(|p| hold(m, p.common.solref, p.common.solreffriction, p.common.solimp)).collect();
    n.list(
        "pair_reach",
        pairs.all.iter().map(|p| {
            let reach = p.geoms.iter().map(|&g| m.geom_rbound[g]).sum::<f64>() + p.margin;
            let endless = p.geoms.iter().any(|&g| m.geom_type(g) == GeomType::Plane);
            if endless { f64::from(f32::MAX) } else { reach * reach }
        }),
    );
    let broadphase = &pairs.broadphase;
    n.list("bodypair_reach", (0..broadphase.pairs.len()).map(|k| broadphase::reach(m, pairs, k)));
    n.rows(
        "bodybound_centre",
        Shape::Vector,
        broadphase.bounds.iter().map(|bound| broadphase::bounding_sphere(m, bound).0),
    );
    n.list("pair_margin", pairs.all.iter().map(|p| p.margin));
    n.list("pair_includemargin", pairs.all.iter().map(|p| p.common.includemargin));
    n.rows("pair_friction", Shape::Row(5), pairs.all.iter().map(|p| p.common.friction));
    n.rows("pair_kb", Shape::Row(4), holds.iter().map(|h| [h.first[0], h.first[1], h.others[0], h.others[1]]));
    n.rows("pair_solimp", Shape::Row(5), holds.iter().map(|h| h.solimp));
}

fn shapes(m: &Model, s: &GeomShapes, n: &mut Numbers) {
    n.list("ccd_tolerance", [m.opt.ccd_tolerance]);
    n.list("geom_rbound", m.geom_rbound.iter().copied());
    for k in 0..2 {
        n.rows(["geom_aabbcentre", "geom_aabbhalf"][k], Shape::Vector, (0..m.ngeom).map(|g| aabb(m, g)[k]));
    }
    n.rows("mesh_hullvert", Shape::Vector, s.points.iter().copied());
    n.rows("geom_hfieldsize", Shape::Row(4), s.sizes.iter().copied());
    n.list("hfield_height", s.heights.iter().copied());
    n.integers("hull_adr", &s.adr);
    n.integers("hull_next", &s.next);
    n.integers("hull_seed", &s.seeds);
    let none = MeshPolygons::default();
    let faces = s.faces.as_ref().unwrap_or(&none);
    n.rows("mesh_polynormal", Shape::Vector, faces.normals.iter().copied());
    n.integers("mesh_polyvertadr", &faces.adr);
    n.integers("mesh_polyvert", &faces.corners);
    n.integers("mesh_polymapadr", &faces.around_adr);
    n.integers("mesh_polymap", &faces.around);
    for k in 0..2 {
        n.rows(["bvh_centre", "bvh_half"][k], Shape::Vector, s.ray_meshes.boxes.iter().map(|b| b[k]));
    }
    n.integers("bvh_skip", &s.ray_meshes.skip);
    n.integers("bvh_triangle", &s.ray_meshes.face);
    n.rows("triangle_corner", Shape::Vector, s.ray_meshes.corners.iter().copied());
}

fn hull_faces(f: &HullFaces, n: &mut Numbers) {
    n.rows("hullface_normal", Shape::Vector, f.planes.iter().map(|p| p.normal));
    n.list("hullface_offset", f.planes.iter().map(|p| p.offset));
    n.rows("hulledge_pos", Shape::Vector, f.edges.iter().map(|e| e.from));
    n.rows("hulledge_vec", Shape::Vector, f.edges.iter().map(|e| e.along));
    for k in 0..2 {
        n.rows(["hulledge_normal1", "hulledge_normal2"][k], Shape::Vector, f.edges.iter().map(|e| e.normals[k]));
    }
}

/// Camera positions, relative to the body or, for tracking modes, offsets in the world; orientations; and lenses.
fn cameras(m: &Model, n: &mut Numbers) {
    let all = || 0..if sensors::use_cameras(m) { m.ncam } else { 0 };
    let place = |c: usize| match m.cam_mode(c) {
        CamLight::Track => m.cam_pos0[c],
        CamLight::Trackcom => m.cam_poscom0[c],
        _ => m.cam_pos[c],
    };
    // focal lengths and image centre, in pixels
    let lens = |c: usize| {
        let ([fx, fy], [x, y]) = (focal(m, c), m.cam_resolution[c].map(|n| 0.5 * f64::from(n)));
        [fx, fy, x, y]
    };
    n.rows("cam_pos", Shape::Vector, all().map(place));
    n.rows("cam_quat", Shape::Quaternion, all().map(|c| m.cam_quat[c]));
    n.rows("cam_quat0", Shape::Quaternion, all().map(|c| quat::from_mat(&m.cam_mat0[c])));
    n.rows("cam_focal", Shape::Row(4), all().map(lens));
}

/// Kind of a dof: below `ROTATION` a translation axis of a free joint, below `HINGE` a rotation axis.
pub fn dof_kind(m: &Model, i: usize) -> i64 {
    let j = m.dof_jntid[i] as usize;
    let k = i as i64 - i64::from(m.jnt_dofadr[j]);
    match m.jnt_type(j) {
        JointType::Free => k,
        JointType::Ball => ROTATION + k,
        JointType::Hinge => HINGE,
        JointType::Slide => SLIDE,
    }
}

/// First rotation about the body's own axes.
pub const ROTATION: i64 = 3;
/// A hinge.
pub const HINGE: i64 = 6;
/// A slide.
pub const SLIDE: i64 = 7;
