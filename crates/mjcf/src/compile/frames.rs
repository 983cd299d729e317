//! Poses as the compiler composes them, orientation alternatives, and principal axes.
//!
//! Quaternions are renormalised by division after every product, unlike in the engine, so that compiled values match
//! MuJoCo's bit for bit; ties in the principal axes of symmetric bodies depend on it.

use crate::error::{Error, Result};
use crate::schema::attr;
use crate::spec::{Compiler, Frame, Orientation};
use sinew_engine::model::enums::SameFrame;
use sinew_math::mat3::Eigen;
use sinew_math::{Mat3, Quat, Vec3, mat3, quat, vec3};
use std::f64::consts::PI;

/// Lengths, masses and volumes below this count as zero in the compiler.
pub(crate) const EPS: f64 = 1e-14;

/// Scales to unit length in place, and returns the former length; 0 if it was too short to scale.
pub(crate) fn unit<const N: usize>(v: &mut [f64; N]) -> f64 {
    let squares: f64 = v.iter().fold(0.0, |sum, x| sum + x * x);
    if squares < EPS {
        return 0.0;
    }
    let norm = squares.sqrt();
    if (norm - 1.0).abs() > EPS {
        v.iter_mut().for_each(|x| *x /= norm);
    }
    norm
}

/// Product of two rotations, first `b`, then `a`; normalised.
pub(crate) fn mul(a: Quat, b: Quat) -> Quat {
    let mut q = quat::mul(a, b);
    unit(&mut q);
    q
}

/// Position and orientation of a frame in its parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pose {
    pub pos: Vec3,
    pub quat: Quat,
}

impl Pose {
    /// The frame that coincides with its parent.
    pub const IDENTITY: Pose = Pose { pos: [0.0; 3], quat: quat::IDENTITY };

    pub fn new(pos: Vec3, quat: Quat) -> Self {
        Pose { pos, quat }
    }

    /// Pose in this frame's parent of an object given in this frame.
    pub fn then(&self, child: &Pose) -> Pose {
        let offset = mat3::mul_vec(&quat::to_mat(self.quat), child.pos);
        Pose { pos: vec3::add(self.pos, offset), quat: mul(self.quat, child.quat) }
    }

    /// Position in this frame's parent of a point given in this frame.
    pub fn point(&self, p: Vec3) -> Vec3 {
        vec3::add(self.pos, mat3::mul_vec(&quat::to_mat(self.quat), p))
    }

    /// Pose of the parent in this frame.
    pub fn inverse(&self) -> Pose {
        let back = quat::conj(self.quat);
        Pose { pos: mat3::mul_vec(&quat::to_mat(back), self.pos).map(|x| -x), quat: back }
    }
}

/// Shortest rotation that takes the Z axis to the direction of `v`.
pub(crate) fn z_to(v: Vec3) -> Quat {
    let mut axis = vec3::cross([0.0, 0.0, 1.0], v);
    let sin = unit(&mut axis);
    if sin < 1e-10 {
        axis = [1.0, 0.0, 0.0];
    }
    let angle = sin.atan2(v[2]);
    let s = (angle / 2.0).sin();
    [(angle / 2.0).cos(), axis[0] * s, axis[1] * s, axis[2] * s]
}

/// Rotation whose matrix has the given columns.
pub(crate) fn from_axes(x: Vec3, y: Vec3, z: Vec3) -> Quat {
    let mut q = quat::from_mat(&[x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]]);
    unit(&mut q);
    q
}

/// Orientation of an element: `quat`, or the alternative if one was given.
pub(crate) fn orientation(quat: Quat, alt: &Orientation, compiler: &Compiler) -> Result<Quat> {
    let radian = |a: f64| if compiler.degree { a / 180.0 * PI } else { a };
    let short = |what: &str, attribute: &str| {
        Error::invalid(format!("{what} is too short to give a direction")).attribute(attribute)
    };
    Ok(match *alt {
        Orientation::Quat => quat,
        Orientation::AxisAngle([x, y, z, angle]) => {
            let half = radian(angle) / 2.0;
            let mut axis = [x, y, z];
            if unit(&mut axis) < EPS {
                return Err(short("the axis", "axisangle"));
            }
            [half.cos(), half.sin() * axis[0], half.sin() * axis[1], half.sin() * axis[2]]
        }
        Orientation::XyAxes([x0, x1, x2, y0, y1, y2]) => {
            let (mut x, mut y) = ([x0, x1, x2], [y0, y1, y2]);
            if unit(&mut x) < EPS {
                return Err(short("the X axis", "xyaxes"));
            }
            let d = vec3::dot(x, y);
            (0..3).for_each(|i| y[i] -= x[i] * d);
            if unit(&mut y) < EPS {
                return Err(short("the part of the Y axis normal to X", "xyaxes"));
            }
            let mut z = vec3::cross(x, y);
            if unit(&mut z) < EPS {
                return Err(short("the cross product of the axes", "xyaxes"));
            }
            from_axes(x, y, z)
        }
        Orientation::ZAxis(mut z) => {
            if unit(&mut z) < EPS {
                return Err(short("the Z axis", "zaxis"));
            }
            z_to(z)
        }
        Orientation::Euler(angles) => euler(angles.map(radian), &compiler.eulerseq)?,
    })
}

/// Rotation from three angles: lower-case axes are intrinsic, upper-case ones extrinsic.
fn euler(angles: Vec3, sequence: &[u8; 3]) -> Result<Quat> {
    let mut q = quat::IDENTITY;
    for (angle, axis) in angles.iter().zip(sequence) {
        let index = match axis.to_ascii_lowercase() {
            b'x' => 1,
            b'y' => 2,
            b'z' => 3,
            _ => {
                let error = Error::invalid("a Euler sequence consists of the letters x, y, z, X, Y, Z");
                return Err(error.element("compiler").attribute(attr::EULERSEQ));
            }
        };
        let mut turn = [(angle / 2.0).cos(), 0.0, 0.0, 0.0];
        turn[index] = (angle / 2.0).sin();
        q = if axis.is_ascii_lowercase() { mul(q, turn) } else { mul(turn, q) };
    }
    unit(&mut q);
    Ok(q)
}

/// Poses of a body's frames relative to the body, including nesting.
pub(crate) fn resolve_frames(frames: &[Frame], compilers: &[Compiler]) -> Result<Vec<Pose>> {
    let mut done: Vec<Option<Pose>> = vec![None; frames.len()];
    let mut chain = Vec::new();
    for start in 0..frames.len() {
        // walk outwards to the first frame already resolved, then back inwards
        let mut next = Some(start);
        while let Some(i) = next.filter(|&i| done[i].is_none()) {
            if chain.len() > frames.len() {
                return Err(Error::invalid("a frame encloses itself").at(frames[start].meta.loc).element("frame"));
            }
            chain.push(i);
            next = frames[i].parent;
        }
        while let Some(i) = chain.pop() {
            let frame = &frames[i];
            let place = |e: Error| e.at(frame.meta.loc).element("frame");
            let own = orientation(frame.quat, &frame.alt, &compilers[frame.meta.compiler]).map_err(place)?;
            let mut pose = Pose::new(frame.pos, own);
            if let Some(outer) = frame.parent.and_then(|p| done[p]) {
                pose = outer.then(&pose);
            }
            unit(&mut pose.quat);
            done[i] = Some(pose);
        }
    }
    Ok(done.into_iter().flatten().collect())
}

/// Principal axes of a symmetric matrix.
pub(crate) fn principal(m: &Mat3) -> Eigen {
    mat3::eig_by(m, |mut q| {
        unit(&mut q);
        q
    })
}

/// Whether two positions agree to 1e-6 per component.
fn same_pos(a: Vec3, b: Vec3) -> bool {
    (0..3).all(|i| (a[i] - b[i]).abs() < 1e-6)
}

/// Whether two unit quaternions represent the same rotation, to 1e-6 per component.
fn same_quat(a: Quat, b: Quat) -> bool {
    (0..4).all(|i| (a[i] - b[i]).abs() < 1e-6) || (0..4).all(|i| (a[i] + b[i]).abs() < 1e-6)
}

/// Which frame a frame coincides with: that of the body or else the inertial frame, as a `SameFrame` code.
pub(crate) fn same_frame(pose: &Pose, inertial: Option<&Pose>) -> u8 {
    let relation = if same_quat(pose.quat, quat::IDENTITY) {
        if same_pos(pose.pos, [0.0; 3]) { SameFrame::Body } else { SameFrame::Bodyrot }
    } else if let Some(inertial) = inertial.filter(|i| same_quat(pose.quat, i.quat)) {
        if same_pos(pose.pos, inertial.pos) { SameFrame::Inertia } else { SameFrame::Inertiarot }
    } else {
        SameFrame::None
    };
    relation as u8
}

/// Whether a position is the origin, to 1e-6 per component.
pub(crate) fn is_origin(pos: Vec3) -> bool {
    same_pos(pos, [0.0; 3])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tolerance::{EXACT, SINGLE};

    #[test]
    fn principal_axes_rebuild_the_matrix() {
        let m = [2.0, 0.3, -0.4, 0.3, 1.5, 0.2, -0.4, 0.2, 3.0];
        let p = principal(&m);
        assert!(p.values[0] >= p.values[1] && p.values[1] >= p.values[2]);
        let r = quat::to_mat(p.quat);
        let d = [p.values[0], 0.0, 0.0, 0.0, p.values[1], 0.0, 0.0, 0.0, p.values[2]];
        let back = mat3::mul(&mat3::mul(&r, &d), &mat3::transpose(&r));
        for (a, b) in m.iter().zip(back) {
            assert!((a - b).abs() < SINGLE, "{a} {b}");
        }
    }

    #[test]
    fn frames_nest_in_any_order() {
        let turn = Orientation::Euler([0.0, 0.0, 90.0]);
        let inner = Frame { parent: Some(1), pos: [1.0, 0.0, 0.0], ..Frame::default() };
        let outer = Frame { pos: [0.0, 0.0, 1.0], alt: turn, ..Frame::default() };
        let poses = resolve_frames(&[inner, outer], &[Compiler::default()]).unwrap();
        for (got, want) in poses[0].pos.iter().zip([0.0, 1.0, 1.0]) {
            assert!((got - want).abs() < EXACT);
        }
    }

    #[test]
    fn a_frame_inside_itself_is_an_error() {
        let frame = Frame { parent: Some(0), ..Frame::default() };
        assert!(resolve_frames(&[frame], &[Compiler::default()]).is_err());
    }

    #[test]
    fn inverse_undoes_a_pose() {
        let pose = Pose::new([1.0, 2.0, 3.0], z_to([0.6, 0.0, 0.8]));
        let back = pose.inverse().then(&pose);
        assert!(is_origin(back.pos) && same_quat(back.quat, quat::IDENTITY));
    }
}
