//! Elastic forces of flexes are minus the gradient of their energy, for every kind. The energies are computed here from
//! strains, not from the stored coefficients.

mod common;

use common::flex::{
    THICKNESS, at, boxed, cable, curved_shell, det, flex, inverse, lame, largest, moved, noise, shell, slope, solid,
};
use common::tolerance::{DIFFERENCED, ROUNDING_SUMS, SINGLE};
use sinew_engine::support::flex::{basis, basis_slope};
use sinew_engine::{Data, Model};
use sinew_math::{Mat3, Vec3, mat3, vec3};

/// Requires `force = −∂energy/∂q` at a random state, for every fifth position.
fn conservative(m: &Model, qpos: &[f64], energy: impl Fn(&Model, &Data) -> f64, what: &str) {
    let force = at(m, qpos).force.qfrc_spring.to_vec();
    let scale = largest(&force);
    assert!(scale > 1e-3, "{what}: {scale}");
    for i in (0..m.nq).step_by(5) {
        let slope = slope(qpos, i, |q| energy(m, &at(m, q)));
        assert!((force[i] + slope).abs() < DIFFERENCED * scale.max(1.0), "{what}, {i}: {} {slope}", force[i]);
    }
}

#[test]
fn of_edges() {
    let m = cable(r#"stiffness="40""#);
    let energy = |m: &Model, d: &Data| -> f64 {
        let rest = m.flexedge_length0.iter();
        d.pose.flexedge_length.iter().zip(rest).map(|(l, rest)| 20.0 * (l - rest).powi(2)).sum()
    };
    conservative(&m, &noise(m.nq, 0.02), energy, "edges");
}

/// Potential energy counts springs of edges.
#[test]
fn of_edges_is_what_the_engine_reports() {
    let mut m = cable(r#"stiffness="40""#);
    m.opt.enableflags |= sinew_engine::model::enums::EnableFlags::ENERGY;
    let qpos = noise(m.nq, 0.02);
    conservative(&m, &qpos, |_, d| d.sensor.energy[0], "reported");
}

/// Rest and current positions of an element's vertices.
fn corners(m: &Model, d: &Data, verts: &[i32]) -> Vec<(Vec3, Vec3)> {
    let one = |&v: &i32| (m.body_pos[m.flex_vertbodyid[v as usize] as usize], d.pose.flexvert_xpos[v as usize]);
    verts.iter().map(one).collect()
}

/// Traces of the strain `G = ½ (FᵀF − 1)` and of its square, and the volume or area of the element.
fn strain(corners: &[(Vec3, Vec3)]) -> (f64, f64, f64) {
    let sides = |pick: fn(&(Vec3, Vec3)) -> Vec3| -> Vec<Vec3> {
        corners[1..].iter().map(|c| vec3::sub(pick(c), pick(&corners[0]))).collect()
    };
    let (mut rest, mut now) = (sides(|c| c.0), sides(|c| c.1));
    let shell = rest.len() == 2;
    if shell {
        // mapping a unit normal to the unit normal adds no strain
        let carry = |s: &[Vec3]| vec3::normalize(vec3::cross(s[0], s[1])).0;
        rest.push(carry(&rest));
        now.push(carry(&now));
    }
    let columns = |s: &[Vec3]| -> Mat3 { std::array::from_fn(|k| s[k % 3][k / 3]) };
    let f = mat3::mul(&columns(&now), &inverse(&columns(&rest)));
    let square = mat3::mul(&mat3::transpose(&f), &f);
    let g: Mat3 = std::array::from_fn(|k| 0.5 * (square[k] - mat3::IDENTITY[k]));
    let size = det(rest[0], rest[1], rest[2]).abs() / if shell { 2.0 } else { 6.0 };
    (g[0] + g[4] + g[8], g.iter().map(|x| x * x).sum(), size)
}

/// `V (μ tr G² + λ (tr G)²)` of solids, a quarter of it per thickness of shells.
fn of_strain(m: &Model, d: &Data) -> f64 {
    let (mu, lambda) = lame();
    let dim = m.flex_dim[0] as usize;
    let depth = if dim == 2 { THICKNESS / 4.0 } else { 1.0 };
    let one = |verts: &[i32]| {
        let (trace, squares, size) = strain(&corners(m, d, verts));
        size * depth * (mu * squares + lambda * trace * trace)
    };
    m.flex_elem.chunks_exact(dim + 1).map(one).sum()
}

#[test]
fn of_solids() {
    let m = solid("");
    conservative(&m, &noise(m.nq, 0.01), of_strain, "solid");
}

#[test]
fn of_stretched_shells() {
    for m in [shell("stretch", ""), curved_shell("stretch")] {
        conservative(&m, &noise(m.nq, 0.01), of_strain, "shell");
    }
}

/// `½ xᵀ B x` over the vertices of each hinge, and the volume they span times the coefficient of curved rest shapes.
fn of_hinges(m: &Model, d: &Data) -> f64 {
    let mut sum = 0.0;
    for (e, across) in m.flex_edgeflap.iter().enumerate().filter(|(_, across)| across[1] >= 0) {
        let [a, b] = m.flex_edge[e];
        let x = [a, b, across[0], across[1]].map(|v| d.pose.flexvert_xpos[v as usize]);
        let coefficients = &m.flex_bending[e];
        for i in 0..4 {
            sum += (0..4).map(|j| 0.5 * coefficients[4 * i + j] * vec3::dot(x[i], x[j])).sum::<f64>();
        }
        sum += coefficients[16] * det(vec3::sub(x[1], x[0]), vec3::sub(x[2], x[0]), vec3::sub(x[3], x[0]));
    }
    sum
}

#[test]
fn of_bending() {
    for m in [shell("bend", ""), curved_shell("bend")] {
        conservative(&m, &noise(m.nq, 0.01), of_hinges, "hinges");
    }
}

#[test]
fn of_bending_and_stretching_adds_up() {
    let m = shell("both", "");
    conservative(&m, &noise(m.nq, 0.01), |m, d| of_hinges(m, d) + of_strain(m, d), "both");
}

/// The cotangent weights of a flat hinge, from the angles of its triangles: two right ones with legs of 0.1.
#[test]
fn of_a_flat_hinge_in_closed_form() {
    let element = r#"type="direct" dim="2" point="0 0 0 .1 0 0 .1 .1 0 0 .1 0" element="0 1 2 0 2 3""#;
    let m = flex(element, r#"<elasticity young="2e4" poisson=".3" thickness=".01" elastic2d="bend"/>"#);
    let hinge = m.flex_edgeflap.iter().position(|f| f[1] >= 0).expect("the diagonal");
    let stiffness = lame().0 * THICKNESS.powi(3) / 8.0 / 0.01;
    // both angles at either end of the diagonal are 45°
    let weights = [2.0, 2.0, -2.0, -2.0];
    for i in 0..4 {
        for j in 0..4 {
            let want = stiffness * weights[i] * weights[j];
            assert!((m.flex_bending[hinge][4 * i + j] - want).abs() < ROUNDING_SUMS * stiffness);
        }
    }
    assert!(m.flex_bending[hinge][16].abs() < ROUNDING_SUMS);
}

/// `½ ∫ λ (tr ε)² + μ ε:ε` of the displacement of a box, by MuJoCo's quadrature.
fn of_small_strain(m: &Model, displacement: &[Vec3]) -> f64 {
    let order = m.flex_interp[0] as usize;
    let rule: Vec<(f64, f64)> = if order == 1 {
        let d = 0.5 / 3f64.sqrt();
        vec![(0.5 - d, 0.5), (0.5 + d, 0.5)]
    } else {
        let d = 0.5 / 0.6f64.sqrt();
        vec![(0.5 - d, 5.0 / 18.0), (0.5, 8.0 / 18.0), (0.5 + d, 5.0 / 18.0)]
    };
    let side = vec3::sub(m.flex_node0[m.nflexnode - 1], m.flex_node0[0]);
    let volume = side[0] * side[1] * side[2];
    let (mu, lambda) = lame();
    let mut sum = 0.0;
    for (p, w) in rule.iter().flat_map(|x| rule.iter().flat_map(|y| rule.iter().map(|z| point(*x, *y, *z)))) {
        let mut gradient = [0.0; 9];
        for (n, u) in displacement.iter().enumerate() {
            let g = node_gradient(order, n, p, side);
            (0..9).for_each(|k| gradient[k] += u[k / 3] * g[k % 3]);
        }
        let strain: Mat3 = std::array::from_fn(|k| 0.5 * (gradient[k] + gradient[3 * (k % 3) + k / 3]));
        let trace = strain[0] + strain[4] + strain[8];
        let squares: f64 = strain.iter().map(|x| x * x).sum();
        sum += 0.5 * w * volume * (lambda * trace * trace + mu * squares);
    }
    sum
}

fn point(x: (f64, f64), y: (f64, f64), z: (f64, f64)) -> (Vec3, f64) {
    ([x.0, y.0, z.0], x.1 * y.1 * z.1)
}

/// Gradient of the shape function of a node at a point of the unit cube.
fn node_gradient(order: usize, n: usize, p: Vec3, side: Vec3) -> Vec3 {
    let place = [n / (order + 1).pow(2), n / (order + 1) % (order + 1), n % (order + 1)];
    let (value, slope) = (p.map(|s| basis(order, s)), p.map(|s| basis_slope(order, s)));
    std::array::from_fn(|k| {
        let factor = |l: usize| if l == k { slope[l][place[l]] / side[l] } else { value[l][place[l]] };
        factor(0) * factor(1) * factor(2)
    })
}

/// Forces of boxes rotate with the rotation at their centre and neglect its derivative. Without rotation they are minus
/// the gradient of the energy.
#[test]
fn of_boxes_that_do_not_turn() {
    for (m, what) in [(boxed("trilinear", ""), "trilinear"), (boxed("quadratic", ""), "quadratic")] {
        let rest = at(&m, &vec![0.0; m.nq]);
        // equal displacements of opposite nodes have no gradient at the centre, so nothing rotates there
        let mut qpos = noise(m.nq, 0.002);
        let n = m.nq / 3;
        for k in 0..n / 2 {
            let (low, high) = qpos.split_at_mut(3 * (n - 1 - k));
            high[..3].copy_from_slice(&low[3 * k..3 * k + 3]);
        }
        let stretched = moved(&m, |x| vec3::scale(x, 1.01));
        qpos.iter_mut().zip(&stretched).for_each(|(q, s)| *q += s);
        let force = at(&m, &qpos).force.qfrc_spring.to_vec();
        let energy = |q: &[f64]| {
            let nodes: Vec<Vec3> = q.as_chunks::<3>().0.to_vec();
            of_small_strain(&m, &nodes)
        };
        let scale = largest(&force);
        assert!(scale > 1e-2 && largest(&rest.force.qfrc_spring) < ROUNDING_SUMS * scale, "{what}");
        for i in (0..m.nq).step_by(5) {
            let slope = slope(&qpos, i, energy);
            assert!((force[i] + slope).abs() < SINGLE * scale, "{what}, {i}: {} {slope}", force[i]);
        }
    }
}
