//! Particles of a deformable and the constraints between them at rest. Built once per model.

use super::blocks::Blocks;
use super::color;
use crate::model::Model;
use crate::model::extension::{Deformable, Substance};
use crate::support::flex;
use sinew_math::{Vec3, mat3, quat, vec3};

/// A vertex of a position-based flex.
#[derive(Clone, Copy, Debug)]
pub struct Particle {
    /// The vertex.
    pub vert: usize,
    /// Its body.
    pub body: usize,
    /// Index into [`Plan::settings`].
    pub part: u32,
    /// What moves it.
    pub held: Held,
}

/// What moves a particle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// Three slide joints; the value is the first dof.
    Free(usize),
    /// Nothing: the particle is fixed.
    Still,
    /// A body; the value is an index into [`Plan::carriers`].
    Carried(u32),
}

impl Held {
    /// The carrier, if there is one.
    pub fn carrier(self) -> Option<usize> {
        match self {
            Held::Carried(r) => Some(r as usize),
            Held::Free(_) | Held::Still => None,
        }
    }
}

/// Keeps the distance of two particles.
#[derive(Clone, Copy, Debug)]
pub struct Distance {
    pub at: [u32; 2],
    pub length: f64,
    pub compliance: f64,
    pub loss: f64,
}

/// Keeps the length of a weighted sum of particles: the curvature across an edge, or at the joint of two segments.
#[derive(Clone, Copy, Debug)]
pub struct Bend {
    pub at: [u32; 4],
    pub weight: [f64; 4],
    pub length: f64,
    pub compliance: f64,
    pub loss: f64,
    /// Impulse per unit error, and per unit rate, for a given substep length; see [`Plan::fit_bends`].
    pub answer: f64,
    pub fade: f64,
}

/// Keeps the volume of a tetrahedron.
#[derive(Clone, Copy, Debug)]
pub struct Volume {
    pub at: [u32; 4],
    pub volume: f64,
    pub compliance: f64,
}

/// All deformables of a model.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    pub settings: Vec<Deformable>,
    /// First particle of each deformable, then the total.
    pub first: Vec<usize>,
    pub particles: Vec<Particle>,
    /// Inverse masses; 0 for particles that do not move freely.
    pub weight: Vec<f64>,
    /// Positions at `qpos0`.
    pub rest: Vec<Vec3>,
    pub distances: Vec<Distance>,
    pub bends: Vec<Bend>,
    pub volumes: Vec<Volume>,
    pub blocks: Blocks,
    /// Bodies that carry particles.
    pub carriers: Vec<usize>,
    /// Number of particles on each carrier.
    pub loads: Vec<usize>,
    /// Carried particles with the indices of their carriers.
    pub carried: Vec<(usize, usize)>,
    /// Segments and outer triangles, which can be hit between their corners; a segment repeats its second end.
    pub sides: Vec<[u32; 3]>,
    /// First side of each deformable, then the total.
    pub first_side: Vec<usize>,
    /// Longest edge of each deformable.
    pub longest: Vec<f64>,
    /// Minimum distance of each deformable's particles from those of other parts.
    pub apart: Vec<f64>,
}

/// Curvatures below this, relative to the weights, count as flat.
const FLAT: f64 = 1e-9;

impl Plan {
    pub fn new(m: &Model) -> Self {
        let mut plan = Plan { settings: m.extension().deformables.clone(), ..Plan::default() };
        for part in 0..plan.settings.len() {
            plan.add_particles(m, part);
            plan.add_constraints(m, part);
            plan.add_sides(m, part);
        }
        plan.first.push(plan.particles.len());
        plan.first_side.push(plan.sides.len());
        color::spread(&mut plan.distances, plan.particles.len(), |c| &c.at);
        color::spread(&mut plan.bends, plan.particles.len(), |c| &c.at);
        color::spread(&mut plan.volumes, plan.particles.len(), |c| &c.at);
        plan.blocks = Blocks::new(plan.particles.len(), &mut plan.distances, &mut plan.bends, &mut plan.volumes);
        let carrier = |(i, p): (usize, &Particle)| p.held.carrier().map(|r| (i, r));
        plan.carried = plan.particles.iter().enumerate().filter_map(carrier).collect();
        plan
    }

    /// Substeps per step: the maximum over all deformables, since they move together.
    pub fn substeps(&self) -> usize {
        self.settings.iter().map(|d| d.substeps).max().unwrap_or(1).clamp(1, Deformable::MOST)
    }

    /// Sweeps per substep.
    pub fn iterations(&self) -> usize {
        self.settings.iter().map(|d| d.iterations).max().unwrap_or(1).clamp(1, Deformable::MOST)
    }

    /// Contact searches per step.
    pub fn detections(&self) -> usize {
        self.settings.iter().map(|d| d.detections).max().unwrap_or(1).clamp(1, Deformable::MOST_DETECTIONS)
    }

    /// Deformable that a particle belongs to.
    pub fn part(&self, particle: usize) -> usize {
        self.particles[particle].part as usize
    }

    /// Particles of a deformable.
    pub fn particles_of(&self, part: usize) -> std::ops::Range<usize> {
        self.first[part]..self.first[part + 1]
    }

    /// Computes the bending coefficients for substeps of length `s` and inverse masses `w`.
    pub fn fit_bends(&mut self, s: f64, w: &[f64]) {
        for c in &mut self.bends {
            let w = (0..4).fold(0.0, |sum, k| sum + w[c.at[k] as usize] * c.weight[k] * c.weight[k]);
            let (all, lost) = (w + c.compliance / (s * s), c.compliance + s * c.loss * w);
            c.answer = if all > 0.0 { 1.0 / all } else { 0.0 };
            c.fade = if lost > 0.0 { s * c.loss / lost } else { 0.0 };
        }
    }

    fn add_particles(&mut self, m: &Model, part: usize) {
        let f = self.settings[part].flex;
        self.first.push(self.particles.len());
        for vert in flex::verts(m, f) {
            let body = m.flex_vertbodyid[vert] as usize;
            let (held, weight) = match flex::slide_dofs(m, body) {
                Some(dof) => (Held::Free(dof), 1.0 / (m.body_mass[body] + m.dof_armature[dof])),
                None if m.body_weldid[body] == 0 => (Held::Still, 0.0),
                None => (Held::Carried(self.carrier(m.body_weldid[body] as usize)), 0.0),
            };
            self.particles.push(Particle { vert, body, part: part as u32, held });
            self.weight.push(weight);
            self.rest.push(at_rest(m, body, m.flex_vert[vert]));
        }
    }

    fn carrier(&mut self, body: usize) -> u32 {
        let at = self.carriers.iter().position(|&b| b == body).unwrap_or_else(|| {
            self.carriers.push(body);
            self.loads.push(0);
            self.carriers.len() - 1
        });
        self.loads[at] += 1;
        at as u32
    }

    /// Whether a particle is fixed.
    fn is_still(&self, particle: u32) -> bool {
        self.particles[particle as usize].held == Held::Still
    }

    fn add_constraints(&mut self, m: &Model, part: usize) {
        let Deformable { flex: f, substance, distance, .. } = self.settings[part];
        let first = self.first[part] as u32;
        let (dim, edges) = (m.flex_dim[f] as usize, flex::edges(m, f));
        let at = |v: i32| first + v as u32;
        let share = self.shares(m, f, first);
        let across = if dim == 2 { flex::across(m, f) } else { vec![[-1; 2]; edges.len()] };
        let (mut shortest, mut longest) = (f64::INFINITY, 0.0f64);
        for ((e, share), across) in edges.clone().zip(&share).zip(across) {
            let ends = m.flex_edge[e].map(at);
            let length = vec3::dist(self.rest[ends[0] as usize], self.rest[ends[1] as usize]);
            (shortest, longest) = (shortest.min(length), longest.max(length));
            let area = match dim {
                1 => std::f64::consts::PI * substance.thickness * substance.thickness,
                2 => substance.thickness * share / length,
                _ => share / length,
            };
            if !ends.iter().all(|&p| self.is_still(p)) && length > 0.0 {
                let compliance = length / (substance.young * area);
                self.distances.push(Distance { at: ends, length, compliance, loss: substance.loss });
            }
            if dim == 2
                && substance.bending > 0.0
                && let [Ok(a), Ok(b)] = across.map(u32::try_from)
            {
                self.add_hinge([ends[0], ends[1], first + a, first + b], &substance);
            }
        }
        self.longest.push(longest);
        let apart = if distance > 0.0 { distance } else { shortest.max(2.0 * m.flex_radius[f]) };
        // with a larger distance, everything would be near everything
        self.apart.push(apart.min(2.0 * longest));
        match dim {
            1 if substance.bending > 0.0 => self.add_joints(m, f, first, &substance),
            3 => self.add_volumes(m, f, first, &substance),
            _ => {}
        }
    }

    fn add_sides(&mut self, m: &Model, part: usize) {
        let f = self.settings[part].flex;
        let first = self.first[part] as u32;
        let at = |v: i32| first + v as u32;
        self.first_side.push(self.sides.len());
        match m.flex_dim[f] {
            1 => self.sides.extend(flex::corners::<2>(m, f).iter().map(|&[a, b]| [at(a), at(b), at(b)])),
            2 => self.sides.extend(flex::corners::<3>(m, f).iter().map(|c| c.map(at))),
            _ => {
                let shell = &m.flex_shell[m.flex_shelldataadr[f].max(0) as usize..][..3 * m.flex_shellnum[f] as usize];
                self.sides.extend(shell.as_chunks::<3>().0.iter().map(|c| c.map(at)));
            }
        }
    }

    /// Share of the flex's area or volume attributed to each edge.
    fn shares(&self, m: &Model, f: usize, first: u32) -> Vec<f64> {
        let edges = flex::edges(m, f);
        let mut share = vec![0.0; edges.len()];
        let per_elem = [1, 3, 6][m.flex_dim[f] as usize - 1];
        let of_elem = &m.flex_elemedge[m.flex_elemedgeadr[f] as usize..];
        for ((_, corners), sides) in flex::elems(m, f).zip(of_elem.chunks_exact(per_elem)) {
            let p = |k: usize| self.rest[(first + corners[k] as u32) as usize];
            let size = match corners.len() {
                2 => 0.0,
                3 => area([p(0), p(1), p(2)]) / 3.0,
                _ => volume([p(0), p(1), p(2), p(3)]).abs() / 6.0,
            };
            sides.iter().for_each(|&e| share[e as usize] += size);
        }
        share
    }

    /// Adds the curvature across an edge, by the cotangents of the adjacent angles; Bergou et al., A quadratic bending
    /// model, 2006.
    fn add_hinge(&mut self, at: [u32; 4], substance: &Substance) {
        let p = at.map(|i| self.rest[i as usize]);
        let cot = |corner: usize, a: usize, b: usize| {
            let (u, v) = (vec3::sub(p[a], p[corner]), vec3::sub(p[b], p[corner]));
            vec3::dot(u, v) / vec3::norm(vec3::cross(u, v))
        };
        let (a, b, c, d) = (cot(0, 1, 2), cot(1, 0, 2), cot(0, 1, 3), cot(1, 0, 3));
        let areas = area([p[0], p[1], p[2]]) + area([p[0], p[1], p[3]]);
        let t = substance.thickness;
        // MuJoCo's law, `μ t³/(8 A)`
        let shear = substance.young / (2.0 * (1.0 + substance.poisson));
        let compliance = 8.0 * areas / (shear * t * t * t * substance.bending);
        self.add_bend(at, [b + d, a + c, -(a + b), -(c + d)], compliance, substance.loss);
    }

    /// Adds bending constraints between segments that share a particle.
    fn add_joints(&mut self, m: &Model, f: usize, first: u32, substance: &Substance) {
        let mut near = vec![Vec::new(); m.flex_vertnum[f] as usize];
        for &[a, b] in flex::corners::<2>(m, f) {
            near[a as usize].push(first + b as u32);
            near[b as usize].push(first + a as u32);
        }
        let inertia = std::f64::consts::FRAC_PI_4 * substance.thickness.powi(4);
        let stiffness = substance.young * inertia * substance.bending;
        for (middle, ends) in (first..).zip(&near) {
            let &[a, b] = &ends[..] else { continue };
            let [x, y, z] = [a, middle, b].map(|i| self.rest[i as usize]);
            let [p, q] = [vec3::dist(x, y), vec3::dist(y, z)].map(|l| 1.0 / l);
            let compliance = 0.5 * (1.0 / p + 1.0 / q) / stiffness;
            self.add_bend([a, middle, b, b], [p, -p - q, q, 0.0], compliance, substance.loss);
        }
    }

    fn add_bend(&mut self, at: [u32; 4], weight: [f64; 4], compliance: f64, loss: f64) {
        let finite = compliance.is_finite() && weight.iter().all(|w| w.is_finite());
        if !finite || at.iter().all(|&p| self.is_still(p)) {
            return;
        }
        let sum = (0..4).fold([0.0; 3], |sum, k| vec3::add_scaled(sum, self.rest[at[k] as usize], weight[k]));
        let scale: f64 = weight.iter().map(|w| w.abs()).sum();
        let reach = self.rest[at[0] as usize].map(f64::abs).iter().sum::<f64>() + 1.0;
        let length = vec3::norm(sum);
        let length = if length > FLAT * scale * reach { length } else { 0.0 };
        self.bends.push(Bend { at, weight, length, compliance, loss, answer: 0.0, fade: 0.0 });
    }

    fn add_volumes(&mut self, m: &Model, f: usize, first: u32, substance: &Substance) {
        for corners in flex::corners::<4>(m, f) {
            let at = corners.map(|v| first + v as u32);
            let rest = volume(at.map(|i| self.rest[i as usize]));
            let compliance = 3.0 * (1.0 - 2.0 * substance.poisson) * rest.abs() / substance.young;
            if !at.iter().all(|&p| self.is_still(p)) {
                self.volumes.push(Volume { at, volume: rest, compliance });
            }
        }
    }
}

/// World position of a body-fixed point at `qpos0`, with all joints at their references.
fn at_rest(m: &Model, mut body: usize, mut point: Vec3) -> Vec3 {
    while body != 0 {
        point = vec3::add(mat3::mul_vec(&quat::to_mat(m.body_quat[body]), point), m.body_pos[body]);
        body = m.body_parentid[body] as usize;
    }
    point
}

fn area([a, b, c]: [Vec3; 3]) -> f64 {
    0.5 * vec3::norm(vec3::cross(vec3::sub(b, a), vec3::sub(c, a)))
}

/// Signed volume of a tetrahedron, negative for the opposite corner order.
pub fn volume([a, b, c, d]: [Vec3; 4]) -> f64 {
    vec3::dot(vec3::cross(vec3::sub(b, a), vec3::sub(c, a)), vec3::sub(d, a)) / 6.0
}
