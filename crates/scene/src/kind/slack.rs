//! The curve of a string that hangs between two points.

use sinew_math::{MINVAL, Vec3, vec3};

/// Above this ratio of its length to the horizontal distance, a string is drawn as if a bead hung on it.
const NEARLY_VERTICAL: f64 = 100.0;

/// Residual at which the solution for the curve counts as converged.
const TOLERANCE: f64 = 1e-9;

/// `count` points along a string of a given length between two points: 2 if it is taut, 3 if it hangs almost vertically.
#[doc(alias = "mjv_catenary")]
pub fn catenary(from: Vec3, to: Vec3, gravity: Vec3, length: f64, count: usize) -> Vec<Vec3> {
    if vec3::dist(from, to) > length {
        return vec![from, to];
    }
    let up = vec3::normalize(vec3::scale(gravity, -1.0)).0;
    let span = vec3::sub(to, from);
    let (across, width) = vec3::normalize(vec3::add_scaled(span, up, -vec3::dot(up, span)));
    let across = if width < MINVAL { [0.0; 3] } else { across };
    let (h, v) = (vec3::dot(span, across), vec3::dot(span, up));
    let at = |x: f64, y: f64| vec3::add_scaled(vec3::add_scaled(from, across, x), up, y);
    if length > NEARLY_VERTICAL * h {
        let down = -0.5 * ((length * length - h * h).sqrt() - v);
        return vec![from, at(h * down / (2.0 * down - v), down), to];
    }
    // y = s cosh((x − a) / s) + c through both end points
    let s = flatness(v, h, length) * h;
    let a = 0.5 * (h - ((length + v) / (length - v)).ln() * s);
    let c = -(a / s).cosh() * s;
    let inner = (1..count.saturating_sub(1)).map(|i| {
        let x = i as f64 * h / count as f64;
        at(x, s * ((x - a) / s).cosh() + c)
    });
    std::iter::once(from).chain(inner).chain(std::iter::once(to)).collect()
}

/// The scale `b` of the curve, in units of its width: the root of `1/√(2 b sinh(1/2b) − 1) = 1/√(√(l² − v²)/h − 1)`,
/// which is almost linear in `b`. Newton's method with step halving.
///
/// *Source*: <https://math.stackexchange.com/a/1002996>.
fn flatness(v: f64, h: f64, length: f64) -> f64 {
    let wanted = 1.0 / ((length * length - v * v).sqrt() / h - 1.0).sqrt();
    let stretch = |b: f64| 2.0 * b * (0.5 / b).sinh() - 1.0;
    let residual = |b: f64| 1.0 / stretch(b).sqrt() - wanted;
    let mut b = wanted / 24f64.sqrt();
    for _ in 0..50 {
        let now = residual(b);
        if now.abs() < TOLERANCE {
            break;
        }
        let a = 0.5 / b;
        let slope = (a * a.cosh() - a.sinh()) * stretch(b).powf(-1.5);
        let mut step = -now / slope;
        for _ in 0..10 {
            if residual(b + step).abs() < now.abs() {
                break;
            }
            step *= 0.5;
        }
        b += step;
    }
    b
}
