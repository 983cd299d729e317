//! Labels of shapes, drawn over everything.

use crate::frame::Frame;
use crate::lens::Lens;
use crate::overlay::{LETTER, Sheet};
use sinew_scene::Scene;

/// Draws the labels of a scene into its image: white text with a shadow, centred on their shapes.
pub(crate) fn draw_labels(scene: &Scene, lens: &Lens, frame: &mut Frame) {
    if scene.shapes().iter().all(|s| s.label[0] == 0) {
        return;
    }
    let size = [frame.width, frame.height];
    // scaled with the image, so that labels do not cover small images
    let scale = (frame.height / 300).max(1);
    let Some(mut sheet) = Sheet::new(&mut frame.rgb, size, false) else { return };
    for shape in scene.shapes() {
        let text: String = shape.label.iter().take_while(|b| **b != 0).map(|b| char::from(*b)).collect();
        let ([x, y], depth) = lens.project(shape.pos);
        if text.is_empty() || !(lens.near..lens.far).contains(&depth) {
            continue;
        }
        let left = x.round() as i32 - (text.len() * LETTER * scale / 2) as i32;
        let bottom = size[1] as i32 - y.round() as i32 - (LETTER * scale / 2) as i32;
        sheet.text(&text, [left.saturating_add(scale as i32), bottom.saturating_sub(scale as i32)], scale, SHADOW);
        sheet.text(&text, [left, bottom], scale, [1.0; 4]);
    }
}

const SHADOW: [f32; 4] = [0.0, 0.0, 0.0, 0.5];
