//! Models with deformables, their simulation, and the volume of solids.

use sinew_engine::{Data, Model, step};
use sinew_math::vec3;
use sinew_mjcf::{Source, load_str};

/// A model with position-based flexes, given as names and materials.
pub fn model(options: &str, assets: &str, bodies: &str, texts: &[(&str, &str)]) -> Model {
    let texts: String =
        texts.iter().map(|(name, data)| format!(r#"<text name="sinew:deformable:{name}" data="{data}"/>"#)).collect();
    let xml = format!(
        "<mujoco><option {options}/><asset>{assets}</asset><worldbody>{bodies}</worldbody><custom>{texts}</custom></mujoco>"
    );
    load_str(&xml, &Source::default()).expect("the model compiles")
}

/// The state after some seconds, which must pass without warnings.
pub fn run(m: &Model, seconds: f64) -> Data {
    let mut d = Data::new(m);
    while d.state.time < seconds {
        step::step(m, &mut d);
    }
    assert!(d.warning.iter().all(|w| w.number == 0), "{:?}", d.warning);
    step::forward(m, &mut d);
    d
}

/// Volume of all tetrahedra.
pub fn volume(m: &Model, d: &Data) -> f64 {
    let corners = m.flex_elem.as_chunks::<4>().0.iter().map(|c| c.map(|v| d.pose.flexvert_xpos[v as usize]));
    corners.map(|[a, b, c, d]| vec3::dot(vec3::cross(vec3::sub(b, a), vec3::sub(c, a)), vec3::sub(d, a)) / 6.0).sum()
}
