//! Balances a pole on a cart with the linear-quadratic regulator of the linearised step.

use sinew::prelude::*;

const CART_POLE: &str = r#"<mujoco>
  <worldbody>
    <body name="cart"><joint name="slide" type="slide" axis="1 0 0" damping=".1"/><geom type="box" size=".1 .05 .05" mass="1"/>
      <body name="pole"><joint name="hinge" axis="0 1 0" damping=".002"/>
        <geom type="capsule" size=".02" fromto="0 0 0 0 0 .6" mass=".2" contype="0"/></body></body>
  </worldbody>
  <actuator><motor joint="slide" ctrlrange="-30 30"/></actuator>
</mujoco>"#;

type Mat = [[f64; 4]; 4];
type Vec4 = [f64; 4];

fn mul(a: &Mat, b: &Mat) -> Mat {
    std::array::from_fn(|i| std::array::from_fn(|j| (0..4).map(|k| a[i][k] * b[k][j]).sum()))
}

fn transposed(a: &Mat) -> Mat {
    std::array::from_fn(|i| std::array::from_fn(|j| a[j][i]))
}

/// Gain `K` of the optimal control `u = −K x` for `x⁺ = A x + B u`, by iterating the Riccati equation.
fn regulator(a: &Mat, b: &Vec4, cost: Vec4, effort: f64) -> Vec4 {
    let mut p: Mat = std::array::from_fn(|i| std::array::from_fn(|j| if i == j { cost[i] } else { 0.0 }));
    let mut gain = [0.0; 4];
    for _ in 0..5000 {
        let pb: Vec4 = std::array::from_fn(|i| (0..4).map(|k| p[i][k] * b[k]).sum());
        let scale = effort + (0..4).map(|i| b[i] * pb[i]).sum::<f64>();
        gain = std::array::from_fn(|j| (0..4).map(|i| pb[i] * a[i][j]).sum::<f64>() / scale);
        // the closed-loop cost as a sum of squares, which rounding cannot make negative
        let closed: Mat = std::array::from_fn(|i| std::array::from_fn(|j| a[i][j] - b[i] * gain[j]));
        let next = mul(&transposed(&closed), &mul(&p, &closed));
        p = std::array::from_fn(|i| {
            std::array::from_fn(|j| next[i][j] + effort * gain[i] * gain[j] + if i == j { cost[i] } else { 0.0 })
        });
    }
    gain
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = load_str(CART_POLE, &Source::default())?;
    let mut data = Data::new(&model);
    // about the upright position: dx⁺ = A dx + B du, x = (cart, pole, their velocities)
    let about = transition_fd(&model, &mut data, &mut (), 1e-6, true, [true, true, false, false])?;
    let a: Mat = std::array::from_fn(|i| std::array::from_fn(|j| about.A[4 * i + j]));
    let b: Vec4 = std::array::from_fn(|i| about.B[i]);
    let gain = regulator(&a, &b, [10.0, 10.0, 1.0, 1.0], 0.1);
    println!("gains {gain:.1?}");

    data.state.qpos[1] = 0.3; // pushed over
    while data.state.time < 5.0 {
        let x = [data.state.qpos[0], data.state.qpos[1], data.state.qvel[0], data.state.qvel[1]];
        data.state.ctrl[0] = -gain.iter().zip(x).map(|(k, x)| k * x).sum::<f64>();
        step(&model, &mut data);
    }
    println!(
        "after {:.0} s the cart is at {:.3} m, the pole at {:.4} rad",
        data.state.time, data.state.qpos[0], data.state.qpos[1]
    );
    assert!(data.state.qpos.iter().all(|q| q.abs() < 0.01));
    Ok(())
}
