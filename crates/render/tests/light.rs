//! Shadows and mirrors: what blocks light, and what does not.

mod common;

use sinew_render::{Assets, Frame, Quality, render};

const SIDE: usize = 60;

/// An image from 5 m above the origin of a floor, covering 4 m × 4 m, with things above the floor.
fn from_above(floor: &str, things: &str) -> Frame {
    let xml = format!(
        "<mujoco><visual><map znear='.01' zfar='40'/><headlight ambient='.2 .2 .2' diffuse='0 0 0' specular='0 0 0'/></visual>
         <asset><material name='floor' {floor} rgba='.5 .5 .5 1'/></asset>
         <worldbody><camera pos='0 0 5' fovy='{fovy}'/><geom type='plane' size='9 9 1' material='floor'/>{things}</worldbody>
         </mujoco>",
        fovy = 2.0 * (2.0f64 / 5.0).atan().to_degrees()
    );
    let (m, scene) = common::scene(&xml);
    let mut frame = Frame::new(SIDE, SIDE);
    render(&Assets::new(&m), &scene, Quality::Fast, &mut frame).expect("a picture");
    frame
}

fn bright(frame: &Frame, x: usize, y: usize) -> u8 {
    frame.rgb[3 * (y * SIDE + x)]
}

/// A ball one metre up, lit at 45°: its shadow is an ellipse, displaced by one metre.
#[test]
fn far_lights_cast_shadows_of_shapes_and_not_of_their_boxes() {
    let light = "<light type='directional' dir='1 0 -1' diffuse='.7 .7 .7' specular='0 0 0'/>";
    let ball = "<geom size='.4' pos='-1 0 1'/>";
    let frame = from_above("", &format!("{light}{ball}"));
    let mut dark = 0;
    for y in 0..SIDE {
        for x in 0..SIDE {
            let [px, py] = [x, y].map(|k| (k as f64 + 0.5) / SIDE as f64 * 4.0 - 2.0);
            let ball = (px * 4.0 / 5.0 + 1.0).hypot(py * 4.0 / 5.0) < 0.5;
            // perpendicular to the light the shadow is as wide as the ball
            let away = (px / 2f64.sqrt()).hypot(py) - 0.4;
            if ball || away.abs() < 0.06 {
                continue;
            }
            dark += usize::from(away < 0.0);
            assert_eq!(bright(&frame, x, y) < 40, away < 0.0, "at {px:.2}, {py:.2}");
        }
    }
    assert!(dark > 60, "{dark} pixels of shadow");
}

/// A mirror adds light only where it reflects something.
#[test]
fn mirrors_show_shapes_and_nothing_beside_them() {
    let ball =
        "<geom size='.4' pos='0 0 1' rgba='1 1 1 1' contype='0'/><geom type='box' size='.3 .3 .01' pos='1 1 1'/>";
    let (plain, shiny) = (from_above("", ball), from_above("reflectance='.5'", ball));
    let more = plain.rgb.iter().zip(&shiny.rgb).filter(|(a, b)| a != b).count() / 3;
    // seen from above, the box's image is partly next to the box itself
    let mut beside = 0;
    for y in 0..SIDE {
        for x in 0..SIDE {
            let [px, py] = [x, y].map(|k| ((k as f64 + 0.5) / SIDE as f64 * 4.0 - 2.0) * 6.0 / 5.0);
            let box_image = (px - 1.0).abs() < 0.35 && (py + 1.0).abs() < 0.35;
            let ball_image = px.hypot(py) < 0.6;
            let differs = bright(&plain, x, y) != bright(&shiny, x, y);
            assert!(!differs || box_image || ball_image, "at {px:.2}, {py:.2}");
            beside += usize::from(differs && box_image);
        }
    }
    assert!(beside > 5 && more >= beside, "{beside} of {more} pixels");
}
