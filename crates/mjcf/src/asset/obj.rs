//! Wavefront OBJ as read by MuJoCo's loader: all vertices, and the faces of the first group or object that has any.
//! Polygons are triangulated by ear clipping.

use super::{RawMesh, bad};
use crate::error::Result;

/// Faces with more corners are silently left out, as in MuJoCo's loader.
const MOST_CORNERS: usize = 100;

/// Corner of a face: vertex, texture coordinate, normal; −1 when absent.
type Corner = [i32; 3];

/// Reads an OBJ file. `mirrored` turns faces inside out.
pub fn read(data: &[u8], mirrored: bool) -> Result<RawMesh> {
    let mut reader = Reader::default();
    for (number, row) in data.split(|&b| b == b'\n').enumerate() {
        for line in row.split(|&b| b == b'\r') {
            // a NUL ends the line in MuJoCo's loader
            let line = line.split(|&b| b == 0).next().unwrap_or_default();
            reader.line(skip_blank(line)).map_err(|e| e.hint(format!("see line {} of the OBJ file", number + 1)))?;
        }
    }
    Ok(reader.finish(mirrored))
}

#[derive(Default)]
struct Reader {
    mesh: RawMesh,
    /// Faces of the current group, not yet triangulated.
    faces: Vec<Vec<Corner>>,
    triangles: Vec<[Corner; 3]>,
    /// Set once a group with triangles is complete; later groups are ignored.
    done: bool,
}

impl Reader {
    fn line(&mut self, line: &[u8]) -> Result<()> {
        let keyword = line.iter().position(|b| is_blank(*b)).unwrap_or(line.len());
        let rest = &line[(keyword + 1).min(line.len())..];
        let blank = keyword < line.len();
        match &line[..keyword] {
            b"v" if blank => self.mesh.vert.push(numbers(rest)),
            b"vn" if blank => self.mesh.normal.push(numbers(rest)),
            b"vt" if blank => {
                let [u, v] = numbers(rest);
                self.mesh.texcoord.push([u, 1.0 - v]);
            }
            b"f" if blank && !self.done => self.face(rest)?,
            b"g" | b"o" if blank => self.flush(),
            _ => {}
        }
        Ok(())
    }

    fn face(&mut self, mut rest: &[u8]) -> Result<()> {
        let mut corners = Vec::with_capacity(4);
        rest = skip_blank(rest);
        while !rest.is_empty() {
            let end = rest.iter().position(|b| is_blank(*b)).unwrap_or(rest.len());
            corners.push(self.corner(&rest[..end])?);
            rest = skip_blank(&rest[end..]);
        }
        if corners.len() <= MOST_CORNERS {
            self.faces.push(corners);
        }
        Ok(())
    }

    /// Parses `v`, `v/t`, `v//n` or `v/t/n`; negative numbers count from the end.
    fn corner(&self, word: &[u8]) -> Result<Corner> {
        let resolve = |part: &[u8], n: usize| match integer(part) {
            0 => Err(bad("OBJ file has a face with an invalid index")),
            i if i > 0 => Ok(i - 1),
            i => Ok(n as i32 + i),
        };
        let mut parts = word.split(|&b| b == b'/');
        let vertex = resolve(parts.next().unwrap_or_default(), self.mesh.vert.len())?;
        let (texcoord, normal) = match (parts.next(), parts.next()) {
            (None, _) => (-1, -1),
            (Some(b""), Some(n)) => (-1, resolve(n, self.mesh.normal.len())?),
            (Some(t), None) => (resolve(t, self.mesh.texcoord.len())?, -1),
            (Some(t), Some(n)) => (resolve(t, self.mesh.texcoord.len())?, resolve(n, self.mesh.normal.len())?),
        };
        Ok([vertex, texcoord, normal])
    }

    /// Ends a group.
    fn flush(&mut self) {
        for face in std::mem::take(&mut self.faces) {
            cut(&self.mesh.vert, face, &mut self.triangles);
        }
        self.done |= !self.triangles.is_empty();
    }

    fn finish(mut self, mirrored: bool) -> RawMesh {
        if !self.done {
            self.flush();
        }
        if mirrored {
            self.triangles.iter_mut().for_each(|t| t.swap(1, 2));
        }
        let column = |k: usize| self.triangles.iter().map(|t| t.map(|c| c[k])).collect();
        let mut mesh = self.mesh;
        mesh.face = column(0);
        if !mesh.texcoord.is_empty() {
            mesh.facetexcoord = column(1);
        }
        if !mesh.normal.is_empty() {
            mesh.facenormal = column(2);
        }
        mesh
    }
}

/// Triangulates a polygon by ear clipping in the coordinate plane it is most parallel to, in single precision. If no
/// ear is left, the polygon stays incomplete.
fn cut(vert: &[[f32; 3]], face: Vec<Corner>, out: &mut Vec<[Corner; 3]>) {
    let n = face.len();
    if n == 3 {
        out.push([face[0], face[1], face[2]]);
    }
    if n <= 3 {
        return;
    }
    let point = |c: &Corner| usize::try_from(c[0]).ok().and_then(|i| vert.get(i));
    let axes = projection(&face, point);
    let flat = |c: &Corner| point(c).map(|p| [p[axes[0]], p[axes[1]]]);
    let mut area = 0.0f32;
    for k in 0..n {
        if let (Some(p), Some(q)) = (flat(&face[k]), flat(&face[(k + 1) % n])) {
            area += (p[0] * q[1] - p[1] * q[0]) * 0.5;
        }
    }
    let mut rest = face;
    let mut guess = 0;
    let mut patience = rest.len();
    let mut before = rest.len();
    while rest.len() > 3 && patience > 0 {
        let n = rest.len();
        guess = if guess >= n { guess - n } else { guess };
        patience = if before != n { n } else { patience - 1 };
        before = n;
        let at = [0, 1, 2].map(|k| (guess + k) % n);
        let ear = at.map(|i| flat(&rest[i]).unwrap_or([0.0; 2]));
        let others = (3..n).map(|k| &rest[(guess + k) % n]);
        let reflex = cross(ear) * area < 0.0;
        if reflex || others.filter_map(flat).any(|p| inside(ear, p)) {
            guess += 1;
            continue;
        }
        out.push(at.map(|i| rest[i]));
        rest.remove(at[1]);
    }
    if let [a, b, c] = rest[..] {
        out.push([a, b, c]);
    }
}

/// Twice the signed area of a triangle.
fn cross([a, b, c]: [[f32; 2]; 3]) -> f32 {
    (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])
}

/// The two axes that preserve most of the polygon's area, judged at its first non-collinear corner.
fn projection<'a>(face: &[Corner], point: impl Fn(&Corner) -> Option<&'a [f32; 3]>) -> [usize; 2] {
    let n = face.len();
    for k in 0..n {
        let corner = [0, 1, 2].map(|j| point(&face[(k + j) % n]));
        let [Some(a), Some(b), Some(c)] = corner else { continue };
        let e: [f32; 3] = std::array::from_fn(|i| b[i] - a[i]);
        let f: [f32; 3] = std::array::from_fn(|i| c[i] - b[i]);
        let x = (e[1] * f[2] - e[2] * f[1]).abs();
        let y = (e[2] * f[0] - e[0] * f[2]).abs();
        let z = (e[0] * f[1] - e[1] * f[0]).abs();
        if x > f32::EPSILON || y > f32::EPSILON || z > f32::EPSILON {
            return match () {
                () if x > y && x > z => [1, 2],
                () if z > x && z > y => [0, 1],
                () => [0, 2],
            };
        }
    }
    [1, 2]
}

/// Whether a point is in a triangle, by counting the sides to its right.
fn inside(v: [[f32; 2]; 3], p: [f32; 2]) -> bool {
    let mut odd = false;
    for i in 0..3 {
        let (a, b) = (v[i], v[(i + 2) % 3]);
        if (a[1] > p[1]) != (b[1] > p[1]) && p[0] < (b[0] - a[0]) * (p[1] - a[1]) / (b[1] - a[1]) + a[0] {
            odd = !odd;
        }
    }
    odd
}

fn is_blank(b: u8) -> bool {
    b == b' ' || b == b'\t'
}

fn skip_blank(text: &[u8]) -> &[u8] {
    let start = text.iter().position(|b| !is_blank(*b)).unwrap_or(text.len());
    &text[start..]
}

/// The first `N` numbers of a line; missing or malformed ones are 0.
fn numbers<const N: usize>(mut rest: &[u8]) -> [f32; N] {
    std::array::from_fn(|_| {
        rest = skip_blank(rest);
        let end = rest.iter().position(|b| is_blank(*b)).unwrap_or(rest.len());
        let (word, tail) = rest.split_at(end);
        rest = tail;
        number(word).unwrap_or(0.0) as f32
    })
}

/// Leading integer of a word; 0 if there is none.
fn integer(word: &[u8]) -> i32 {
    let (negative, digits) = match word {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, word),
    };
    let value = digits
        .iter()
        .take_while(|b| b.is_ascii_digit())
        .fold(0i32, |n, b| n.saturating_mul(10).saturating_add(i32::from(b - b'0')));
    if negative { -value } else { value }
}

/// Parses a decimal number, summing digits from the left in double precision: this gives the same rounding as MuJoCo's
/// loader, unlike correctly rounded parsing. Trailing characters are ignored.
fn number(word: &[u8]) -> Option<f64> {
    let (sign, mut rest) = match word {
        [b'-', rest @ ..] => (-1.0, rest),
        [b'+', rest @ ..] => (1.0, rest),
        _ => (1.0, word),
    };
    let digits = |text: &[u8]| text.iter().take_while(|b| b.is_ascii_digit()).count();
    let whole = digits(rest);
    if whole == 0 && rest.first() != Some(&b'.') {
        return None;
    }
    let mut mantissa = rest[..whole].iter().fold(0.0, |m, b| m * 10.0 + f64::from(b - b'0'));
    rest = &rest[whole..];
    if let [b'.', tail @ ..] = rest {
        let n = digits(tail);
        for (i, b) in tail[..n].iter().enumerate() {
            mantissa += f64::from(b - b'0') * POWERS.get(i).copied().unwrap_or_else(|| 10f64.powf(-(i as f64) - 1.0));
        }
        rest = &tail[n..];
    }
    let mut exponent = 0i32;
    if let [b'e' | b'E', tail @ ..] = rest {
        let (negative, tail) = match tail {
            [b'-', tail @ ..] => (true, tail),
            [b'+', tail @ ..] => (false, tail),
            _ => (false, tail),
        };
        let n = digits(tail);
        if n == 0 {
            return None;
        }
        exponent = integer(&tail[..n]).min(9999);
        exponent = if negative { -exponent } else { exponent };
    }
    if exponent != 0 {
        // 10^e = 5^e 2^e; the power of two is applied in two halves so that it cannot overflow
        let half = exponent / 2;
        mantissa = mantissa * 5f64.powf(f64::from(exponent)) * 2f64.powi(half) * 2f64.powi(exponent - half);
    }
    Some(sign * mantissa)
}

/// Values of the first decimal places.
const POWERS: [f64; 7] = [0.1, 0.01, 0.001, 0.0001, 0.00001, 0.000001, 0.0000001];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tolerance::{EXACT, SINGLE};

    #[test]
    fn numbers_are_lenient() {
        let cases: [(&str, f64); 7] = [
            ("1", 1.0),
            ("-2.5", -2.5),
            (".5", 0.5),
            ("+1e2", 100.0),
            ("1.5E-3x", 0.0015),
            ("7abc", 7.0),
            ("-.25", -0.25),
        ];
        for (text, value) in cases {
            assert!((number(text.as_bytes()).unwrap() - value).abs() < EXACT, "{text}");
        }
        assert!(number(b"x").is_none() && number(b"1e").is_none() && number(b"").is_none());
    }

    #[test]
    fn first_group_with_faces_wins_and_quads_are_cut() {
        let text =
            b"o empty\nv 0 0 0\nv 1 0 0\r\nv 1 1 0\nv 0 1 0\nvt 0 0.25\ng a\nf -4/1 -3/1 -2/1 -1/1\ng b\nf 1 2 3\n";
        let mesh = read(text, false).unwrap();
        assert_eq!(mesh.face, [[0, 1, 2], [0, 2, 3]]);
        assert_eq!(mesh.texcoord, [[0.0, 0.75]]);
        assert_eq!(mesh.facetexcoord, [[0; 3]; 2]);
        assert_eq!(read(text, true).unwrap().face, [[0, 2, 1], [0, 3, 2]]);
    }

    #[test]
    fn concave_polygon_keeps_its_area() {
        let text = b"v 0 0 0\nv 4 0 0\nv 4 4 0\nv 2 1 0\nv 0 4 0\nf 1 2 3 4 5\n";
        let mesh = read(text, false).unwrap();
        assert_eq!(mesh.face.len(), 3);
        let area: f32 =
            mesh.face.iter().map(|f| cross(f.map(|i| [mesh.vert[i as usize][0], mesh.vert[i as usize][1]]))).sum();
        assert!(f64::from(area / 2.0 - 10.0).abs() < SINGLE);
    }

    #[test]
    fn zero_index_is_an_error() {
        assert!(read(b"v 0 0 0\nf 0 1 1\n", false).is_err());
    }
}
