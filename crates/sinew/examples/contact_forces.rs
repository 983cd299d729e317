//! A box comes to rest on a slope: where it touches, how hard, and what that sums up to.

use sinew::prelude::*;

const SLOPE: &str = r#"<mujoco>
  <option cone="elliptic"/>
  <worldbody>
    <geom name="slope" type="plane" size="2 2 .1" euler="0 15 0" friction=".8"/>
    <body name="crate" pos="0 0 .16" euler="0 15 0"><freejoint/><geom name="crate" type="box" size=".1 .1 .1" mass="4"/></body>
  </worldbody>
</mujoco>"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = load_str(SLOPE, &Source::default())?;
    let mut data = Data::new(&model);
    while data.state.time < 2.0 {
        try_step_strict(&model, &mut data, &mut ())?;
    }
    forward(&model, &mut data);
    let mut total = [0.0; 3];
    for contact in &data.contact {
        let force = data.contact_force(&model, contact);
        let [a, b] = contact.geoms(&model).map(|geom| geom.and_then(|g| g.name()).unwrap_or("?"));
        println!(
            "{a} on {b} at {:6.2?}: {:5.2} N along the normal, {:5.2?} N of friction",
            contact.pos,
            force[0],
            &force[1..3]
        );
        // rows of the frame are the normal and two tangents
        for (axis, row) in contact.frame.chunks_exact(3).enumerate() {
            (0..3).for_each(|k| total[k] += force[axis] * row[k]);
        }
    }
    let weight = model.body("crate")?.mass() * 9.81;
    println!("they sum up to {total:.2?} N; the crate weighs {weight:.2} N");
    assert!((total[2] - weight).abs() < 0.01 * weight && total[0].abs() < 0.01 * weight);
    Ok(())
}
