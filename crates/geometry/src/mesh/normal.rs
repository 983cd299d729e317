//! Vertex normals and circumcentres.

use super::corners;
use sinew_math::vec3;

/// The compiler's vector normalisation treats squared lengths below this as zero.
const EPS: f64 = 1e-14;

/// Normal of a face and twice its area; a degenerate face keeps its tiny cross product and gets zero area.
fn face_normal(v: [[f64; 3]; 3]) -> ([f64; 3], f64) {
    normalize(vec3::cross(vec3::sub(v[1], v[0]), vec3::sub(v[2], v[0])))
}

fn normalize(v: [f64; 3]) -> ([f64; 3], f64) {
    let square = vec3::dot(v, v);
    if square < EPS {
        return (v, 0.0);
    }
    let length = square.sqrt();
    if (length - 1.0).abs() > EPS { (v.map(|x| x / length), length) } else { (v, length) }
}

/// Area-weighted vertex normals. Unless `smooth`, faces at a large angle to the average (cosine below 0.8) are
/// subtracted again, so that flat regions stay flat next to sharp edges. Sums are kept in single precision.
pub fn vertex_normals(vert: &[[f64; 3]], face: &[[i32; 3]], smooth: bool) -> Vec<[f32; 3]> {
    let mut normal = vec![[0f32; 3]; vert.len()];
    let face_normals: Vec<_> = face.iter().map(|&f| face_normal(corners(vert, f))).collect();
    for (f, (n, area)) in face.iter().zip(&face_normals) {
        for &i in f {
            accumulate(&mut normal[i as usize], *n, *area);
        }
    }
    if !smooth {
        let mut remove = vec![[0f32; 3]; vert.len()];
        for (f, (n, area)) in face.iter().zip(&face_normals) {
            for &i in f {
                let (mean, _) = normalize(normal[i as usize].map(f64::from));
                if vec3::dot(*n, mean) < 0.8 {
                    accumulate(&mut remove[i as usize], *n, *area);
                }
            }
        }
        for (n, r) in normal.iter_mut().zip(&remove) {
            *n = [n[0] - r[0], n[1] - r[1], n[2] - r[2]];
        }
    }
    for n in &mut normal {
        let length = (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]).sqrt();
        *n = if f64::from(length) > sinew_math::MINVAL { n.map(|x| x / length) } else { [0.0, 0.0, 1.0] };
    }
    normal
}

/// `sum += n · area` in double precision, rounded to single precision once.
#[inline]
fn accumulate(sum: &mut [f32; 3], n: [f64; 3], area: f64) {
    for k in 0..3 {
        sum[k] = (f64::from(sum[k]) + n[k] * area) as f32;
    }
}

/// Circumcentre of a triangle; not finite for a degenerate one.
pub fn circumcenter(v: [[f64; 3]; 3]) -> [f64; 3] {
    let a = vec3::sub(v[0], v[2]);
    let b = vec3::sub(v[1], v[2]);
    let n = vec3::cross(a, b);
    let (aa, bb) = (vec3::dot(a, a), vec3::dot(b, b));
    let area = vec3::norm(n);
    let w = [0, 1, 2].map(|k| aa * b[k] - bb * a[k]);
    let r = vec3::cross(w, n);
    [0, 1, 2].map(|k| r[k] / (2.0 * area * area) + v[2][k])
}
