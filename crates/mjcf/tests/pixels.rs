//! Pixel memory is reused; its previous content must not show.

use sinew_engine::{Model, Sizes};
use sinew_mjcf::Loader;

fn painted(red: u8) -> Model {
    let rgb = f64::from(red) / 255.0 + 1e-6;
    let texture = format!(r#"<texture name="t" type="2d" builtin="flat" width="1024" height="512" rgb1="{rgb} 0 0"/>"#);
    let xml = format!("<mujoco><asset>{texture}</asset></mujoco>");
    Loader::new().text(&xml).unwrap().model
}

#[test]
fn a_model_has_its_own_pixels_in_memory_of_another() {
    for red in [10, 20, 30] {
        let m = painted(red);
        assert_eq!(m.ntexdata, 3 * 1024 * 512);
        assert!(m.tex_data.chunks(3).all(|pixel| pixel == [red, 0, 0]));
    }
    let kept = painted(40);
    let other = painted(50);
    assert_eq!((kept.tex_data[0], other.tex_data[0]), (40, 50));
}

#[test]
fn what_no_part_covers_is_zero() {
    let ntexdata = painted(60).ntexdata;
    let mut m = Model::zeroed(Sizes { ntexdata, ..Sizes::default() });
    m.tex_data.join([[1, 2].as_slice(), &[3]].into_iter());
    assert_eq!(m.tex_data[..3], [1, 2, 3]);
    assert!(m.tex_data[3..].iter().all(|&byte| byte == 0));
}
