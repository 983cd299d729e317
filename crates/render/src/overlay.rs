//! 2D drawing over images: rectangles, lines, text. Positions are in pixels from the lower left.

use crate::frame::byte;
use font8x8::legacy::BASIC_LEGACY;

/// Width and height of a letter at scale one, in pixels.
pub const LETTER: usize = 8;

/// An image to draw on.
pub struct Sheet<'a> {
    rgb: &'a mut [u8],
    size: [i32; 2],
    /// Whether rows are stored bottom first.
    upwards: bool,
}

impl<'a> Sheet<'a> {
    /// Wraps an image of three bytes per pixel with its width and height; `None` if the sizes do not match.
    pub fn new(rgb: &'a mut [u8], [width, height]: [usize; 2], upwards: bool) -> Option<Self> {
        let size = [i32::try_from(width).ok()?, i32::try_from(height).ok()?];
        (rgb.len() == 3 * width * height).then_some(Sheet { rgb, size, upwards })
    }

    /// Blends a colour into a pixel, if it is inside the image.
    fn dot(&mut self, x: i32, y: i32, [r, g, b, alpha]: [f32; 4]) {
        let [width, height] = self.size;
        if !(0..width).contains(&x) || !(0..height).contains(&y) {
            return;
        }
        let row = if self.upwards { y } else { height - 1 - y };
        let at = 3 * (row as usize * width as usize + x as usize);
        for (under, over) in self.rgb[at..at + 3].iter_mut().zip([r, g, b]) {
            *under = byte(f32::from(*under) / 255.0 * (1.0 - alpha) + over * alpha);
        }
    }

    /// Fills a rectangle, given as left, bottom, width and height.
    pub fn rectangle(&mut self, [left, bottom, width, height]: [i32; 4], rgba: [f32; 4]) {
        let side = |first: i32, count: i32, most: i32| first.clamp(0, most)..first.saturating_add(count).clamp(0, most);
        for y in side(bottom, height, self.size[1]) {
            side(left, width, self.size[0]).for_each(|x| self.dot(x, y, rgba));
        }
    }

    /// Writes one line of text from its lower left, each letter `scale` times [`LETTER`] pixels wide and high.
    /// Non-ASCII characters are drawn as question marks.
    pub fn text(&mut self, text: &str, [left, bottom]: [i32; 2], scale: usize, rgba: [f32; 4]) {
        let side = LETTER as i32 * scale as i32;
        for (i, letter) in text.chars().enumerate() {
            let first = left.saturating_add(side.saturating_mul(i as i32));
            if first > self.size[0] {
                return;
            }
            let rows = BASIC_LEGACY.get(letter as usize).unwrap_or(&BASIC_LEGACY['?' as usize]);
            for (k, row) in rows.iter().enumerate() {
                for column in (0..LETTER).filter(|c| row >> c & 1 == 1) {
                    let [x, y] = [column, LETTER - 1 - k].map(|p| (p * scale) as i32);
                    let corner = [first.saturating_add(x), bottom.saturating_add(y)];
                    self.rectangle([corner[0], corner[1], scale as i32, scale as i32], rgba);
                }
            }
        }
    }

    /// Draws a line between two points, `width` pixels wide.
    pub fn line(&mut self, a: [f32; 2], b: [f32; 2], width: f32, rgba: [f32; 4]) {
        let across = [b[0] - a[0], b[1] - a[1]];
        let main = usize::from(across[1].abs() > across[0].abs());
        let (from, to) = if a[main] <= b[main] { (a[main], b[main]) } else { (b[main], a[main]) };
        if !(from.is_finite() && to.is_finite()) || to < 0.0 || from > self.size[main] as f32 {
            return;
        }
        let wide = width.round().clamp(1.0, 100.0) as i32;
        for step in from.max(0.0).round() as i32..=to.min(self.size[main] as f32).round() as i32 {
            let share =
                if across[main] == 0.0 { 0.0 } else { ((step as f32 - a[main]) / across[main]).clamp(0.0, 1.0) };
            let middle = a[1 - main] + share * across[1 - main];
            let first = (middle - 0.5 * (wide - 1) as f32).round() as i32;
            for k in first..first.saturating_add(wide) {
                let [x, y] = if main == 0 { [step, k] } else { [k, step] };
                self.dot(x, y, rgba);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pixels that are set, rows from the top.
    fn drawn(upwards: bool, draw: impl Fn(&mut Sheet)) -> Vec<String> {
        let mut rgb = vec![0; 3 * 10 * 9];
        draw(&mut Sheet::new(&mut rgb, [10, 9], upwards).expect("it fits"));
        let row = |row: &[u8]| row.chunks(3).map(|p| if p[0] > 0 { '#' } else { '.' }).collect();
        let rows: Vec<String> = rgb.chunks(30).map(row).collect();
        if upwards { rows.into_iter().rev().collect() } else { rows }
    }

    #[test]
    fn letters_stand_upright() {
        let draw = |s: &mut Sheet| s.text("L", [1, 1], 1, [1.0; 4]);
        let (down, up) = (drawn(false, draw), drawn(true, draw));
        assert_eq!(down, up);
        let count = |row: &str| row.matches('#').count();
        // a letter L: its foot is wider than its top
        let (top, foot) = (down.iter().find(|r| count(r) > 0), down.iter().rev().find(|r| count(r) > 0));
        assert!(count(foot.expect("a foot")) > count(top.expect("a top")));
    }

    #[test]
    fn rectangles_and_lines_stay_inside() {
        let square = drawn(false, |s| s.rectangle([8, 7, i32::MAX, i32::MAX], [1.0; 4]));
        assert_eq!(square.iter().map(|r| r.matches('#').count()).sum::<usize>(), 4);
        assert!(square[0].ends_with("##") && square[1].ends_with("##"));
        let line = drawn(false, |s| s.line([-5.0, -5.0], [50.0, 50.0], 1.0, [1.0; 4]));
        assert!((0..9).all(|k| &line[8 - k][k..=k] == "#"), "{line:?}");
        let none = drawn(false, |s| s.line([f32::NAN, 0.0], [5.0, 5.0], 1.0, [1.0; 4]));
        assert!(none.iter().all(|r| !r.contains('#')));
    }
}
