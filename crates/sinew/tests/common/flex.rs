//! Flexes of every kind, random states, and material constants, for the identities of flexes.

use sinew_engine::{Data, Model, step};
use sinew_math::{Mat3, Vec3, mat3, vec3};
use sinew_mjcf::{Source, load_str};

pub const YOUNG: f64 = 2e4;
pub const POISSON: f64 = 0.3;
pub const THICKNESS: f64 = 0.01;

/// A flexcomp in a body at the origin, without gravity and contacts.
pub fn flex(attributes: &str, inner: &str) -> Model {
    let xml = format!(
        r#"<mujoco><option gravity="0 0 0"/><worldbody><body name="b">
        <flexcomp name="f" spacing=".1 .1 .1" radius=".001" {attributes}>{inner}<contact selfcollide="none" contype="0"
        conaffinity="0"/></flexcomp></body></worldbody></mujoco>"#
    );
    load_str(&xml, &Source::default()).expect("the model compiles")
}

fn elastic(more: &str) -> String {
    format!(r#"<elasticity young="{YOUNG}" poisson="{POISSON}" thickness="{THICKNESS}" {more}/>"#)
}

pub fn cable(edge: &str) -> Model {
    flex(r#"type="grid" count="6 1 1" dim="1""#, &format!("<edge {edge}/>"))
}

pub fn shell(mode: &str, more: &str) -> Model {
    flex(r#"type="grid" count="4 4 1" dim="2""#, &elastic(&format!(r#"elastic2d="{mode}" {more}"#)))
}

/// A shell whose rest shape is curved in both directions.
pub fn curved_shell(mode: &str) -> Model {
    let (mut points, mut elements) = (String::new(), String::new());
    for i in 0..16 {
        let (x, y) = (0.1 * f64::from(i / 4), 0.1 * f64::from(i % 4));
        points += &format!("{x} {y} {} ", 0.8 * x * x - 0.5 * y * y + 0.3 * x * y);
    }
    for i in (0..12).filter(|i| i % 4 != 3) {
        elements += &format!("{i} {} {} {i} {} {} ", i + 4, i + 5, i + 5, i + 1);
    }
    let attributes = format!(r#"type="direct" dim="2" point="{points}" element="{elements}""#);
    flex(&attributes, &elastic(&format!(r#"elastic2d="{mode}""#)))
}

pub fn solid(more: &str) -> Model {
    flex(r#"type="grid" count="3 3 3" dim="3""#, &elastic(more))
}

/// A solid interpolated from the nodes of a box: `trilinear` or `quadratic`.
pub fn boxed(dof: &str, more: &str) -> Model {
    flex(&format!(r#"type="grid" count="5 5 5" dim="3" dof="{dof}""#), &elastic(more))
}

/// Pseudo-random values of the given magnitude.
pub fn noise(n: usize, size: f64) -> Vec<f64> {
    let mut seed = 12345u64;
    let mut next = || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((seed >> 33) as f64 / f64::from(1 << 30) - 1.0) * size
    };
    (0..n).map(|_| next()).collect()
}

/// Evaluates the model at positions, with zero velocity.
pub fn at(m: &Model, qpos: &[f64]) -> Data {
    let mut d = Data::new(m);
    d.state.qpos.copy_from_slice(qpos);
    step::forward(m, &mut d);
    d
}

/// Positions that move every point body by a function of its position.
pub fn moved(m: &Model, to: impl Fn(Vec3) -> Vec3) -> Vec<f64> {
    let mut qpos = vec![0.0; m.nq];
    for (q, body) in qpos.chunks_exact_mut(3).zip(2..) {
        q.copy_from_slice(&vec3::sub(to(m.body_pos[body]), m.body_pos[body]));
    }
    qpos
}

pub fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |a, x| a.max(x.abs()))
}

/// Derivative of a function with respect to position `i`, by central differences.
pub fn slope(qpos: &[f64], i: usize, f: impl Fn(&[f64]) -> f64) -> f64 {
    let h = 1e-6;
    let [plus, minus] = [h, -h].map(|s| {
        let mut q = qpos.to_vec();
        q[i] += s;
        f(&q)
    });
    (plus - minus) / (2.0 * h)
}

/// Lamé's constants of the material.
pub fn lame() -> (f64, f64) {
    (YOUNG / (2.0 * (1.0 + POISSON)), YOUNG * POISSON / ((1.0 + POISSON) * (1.0 - 2.0 * POISSON)))
}

/// Determinant of the matrix with three columns.
pub fn det(a: Vec3, b: Vec3, c: Vec3) -> f64 {
    vec3::dot(vec3::cross(a, b), c)
}

/// Inverse of a matrix.
pub fn inverse(a: &Mat3) -> Mat3 {
    let [x, y, z] = [0, 1, 2].map(|k| mat3::col(a, k));
    let d = det(x, y, z);
    let rows = [vec3::cross(y, z), vec3::cross(z, x), vec3::cross(x, y)];
    std::array::from_fn(|k| rows[k / 3][k % 3] / d)
}
