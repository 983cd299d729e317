//! Lines with a constant width in pixels at any distance.

use crate::assets::Assets;
use crate::frame::{Frame, byte};
use crate::lens::Lens;
use crate::vector::{V3, add, column, mul, turn};
use sinew_engine::model::enums::GeomType;
use sinew_scene::{Scene, Shape};

/// Line width of box edges.
const BOX_WIDTH: f32 = 1.5;
/// Relative depth tolerance: a line on a surface is drawn in front of it.
const TIE: f32 = 1e-4;

/// Draws the lines of a scene over the image where nothing is in front of them; in id images they are drawn as shapes.
pub(crate) fn draw_lines(assets: &Assets, scene: &Scene, lens: &Lens, ids: bool, frame: &mut Frame) {
    for shape in scene.shapes() {
        let (ends, width) = match GeomType::try_from(shape.r#type) {
            Ok(GeomType::Line) => {
                (vec![[shape.pos, add(shape.pos, mul(column(&shape.mat, 2), shape.size[2]))]], shape.size[0])
            }
            Ok(GeomType::Linebox) => (box_edges(shape), BOX_WIDTH),
            _ => continue,
        };
        let pen = Pen { shape, ids, width: (width * assets.look.line_width).round().max(1.0) as i32 };
        for [a, b] in ends {
            if let Some([a, b]) = lens.clip(a, b) {
                pen.line(lens, a, b, frame);
            }
        }
    }
}

/// The twelve edges of a box.
fn box_edges(shape: &Shape) -> Vec<[V3; 2]> {
    let corner = |k: usize| {
        let sign = |bit: usize| if k >> bit & 1 == 1 { 1.0 } else { -1.0 };
        let local: V3 = [0, 1, 2].map(|axis| sign(axis) * shape.size[axis]);
        add(shape.pos, turn(&shape.mat, local))
    };
    let pairs = (0..8).flat_map(|k| (0..3).map(move |axis| [k, k | 1 << axis]));
    pairs.filter(|[a, b]| a != b).map(|[a, b]| [corner(a), corner(b)]).collect()
}

struct Pen<'a> {
    shape: &'a Shape,
    ids: bool,
    width: i32,
}

impl Pen<'_> {
    /// Rasterises a line along its longer axis, pixel by pixel.
    fn line(&self, lens: &Lens, a: V3, b: V3, frame: &mut Frame) {
        let ((pa, da), (pb, db)) = (lens.project(a), lens.project(b));
        let across = [pb[0] - pa[0], pb[1] - pa[1]];
        let main = usize::from(across[1].abs() > across[0].abs());
        let limit = if main == 0 { frame.width } else { frame.height } as f32;
        let (from, to) = if pa[main] <= pb[main] { (pa[main], pb[main]) } else { (pb[main], pa[main]) };
        if !(from.is_finite() && to.is_finite()) || to < 0.0 || from > limit {
            return;
        }
        for step in from.max(0.0).floor() as usize..to.min(limit).ceil() as usize {
            let share = ((step as f32 + 0.5 - pa[main]) / across[main]).clamp(0.0, 1.0);
            let minor = pa[1 - main] + share * across[1 - main];
            // depth is not linear in the image, its inverse is
            let depth = match lens.parallel {
                true => da + share * (db - da),
                false => 1.0 / (1.0 / da + share * (1.0 / db - 1.0 / da)),
            };
            let first = (minor - 0.5 * self.width as f32).round() as i32;
            for k in first..first + self.width {
                let [x, y] = if main == 0 { [step as i32, k] } else { [k, step as i32] };
                if (0..frame.width as i32).contains(&x) && (0..frame.height as i32).contains(&y) {
                    self.dot(y as usize * frame.width + x as usize, depth, frame);
                }
            }
        }
    }

    fn dot(&self, i: usize, depth: f32, frame: &mut Frame) {
        if depth > frame.depth[i] * (1.0 + TIE) {
            return;
        }
        if self.ids {
            if self.shape.segid >= 0 {
                (frame.depth[i], frame.ids[i]) = (depth, self.shape.segid);
            }
            return;
        }
        let [.., alpha] = self.shape.rgba;
        for c in 0..3 {
            let under = f32::from(frame.rgb[3 * i + c]) / 255.0;
            frame.rgb[3 * i + c] = byte(under + alpha * (self.shape.rgba[c] - under));
        }
    }
}
