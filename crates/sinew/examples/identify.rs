//! System identification: damping and stiffness of a joint from a recording of its motion, by Gauss–Newton.

use sinew::prelude::*;

const PENDULUM: &str = r#"<mujoco>
  <worldbody><body><joint name="hinge" axis="0 1 0" damping=".05" stiffness="1"/>
    <geom type="capsule" size=".02" fromto="0 0 0 0 0 -.5"/></body></worldbody>
</mujoco>"#;

const STEPS: usize = 1000;

/// Angles of a swing with given damping and stiffness.
fn swing(model: &mut Model, [damping, stiffness]: [f64; 2]) -> Vec<f64> {
    model.dof_damping[0] = damping;
    model.jnt_stiffness[0] = stiffness;
    let mut data = Data::new(model);
    data.state.qpos[0] = 1.0;
    let record = |_| {
        step(model, &mut data);
        data.state.qpos[0]
    };
    (0..STEPS).map(record).collect()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut model = load_str(PENDULUM, &Source::default())?;
    let truth = [0.031, 0.42];
    let recorded = swing(&mut model, truth);

    let mut guess = [0.05, 1.0];
    for round in 0..8 {
        let angles = swing(&mut model, guess);
        let residual: Vec<f64> = recorded.iter().zip(&angles).map(|(a, b)| a - b).collect();
        println!("round {round}: {guess:.4?}, error {:.2e}", residual.iter().map(|r| r * r).sum::<f64>().sqrt());
        let slopes = [0, 1].map(|k| {
            let mut near = guess;
            near[k] += 1e-6;
            swing(&mut model, near).iter().zip(&angles).map(|(a, b)| (a - b) / 1e-6).collect::<Vec<f64>>()
        });
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let [[a, b], [_, d]] = slopes.each_ref().map(|row| slopes.each_ref().map(|col| dot(row, col)));
        let [x, y] = slopes.each_ref().map(|col| dot(col, &residual));
        let det = a * d - b * b;
        guess = [guess[0] + (d * x - b * y) / det, guess[1] + (a * y - b * x) / det];
    }
    println!("found {guess:.4?}, true {truth:.4?}");
    assert!(guess.iter().zip(truth).all(|(g, t)| (g - t).abs() < 1e-6));
    Ok(())
}
