//! Small vectors, quaternions, rotations and poses: MuJoCo's `mju_` functions of fixed sizes.
#![allow(non_snake_case)] // functions carry MuJoCo's names

use crate::arrays::{Out, fixed};
use crate::error;
use crate::text::Text;
use pyo3::prelude::*;
use sinew_engine::model::enums::GeomType;
use sinew_engine::support::muscle;
use sinew_math::{MINVAL, mat3, quat, spatial, vec3};

/// `N` input values.
pub(super) struct In<const N: usize>(pub [f64; N]);

impl<'py, const N: usize> FromPyObject<'_, 'py> for In<N> {
    type Error = PyErr;
    fn extract(obj: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        fixed(&obj, "it").map(In)
    }
}

/// `N` output values, also inputs where a function works in place.
pub(super) struct Res<'py, const N: usize>(Out<'py>);

impl<'py, const N: usize> FromPyObject<'_, 'py> for Res<'py, N> {
    type Error = PyErr;
    fn extract(obj: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        Out::new(&obj, "it")?.vector(N).map(Res)
    }
}

impl<const N: usize> Res<'_, N> {
    pub fn set(&self, values: [f64; N]) -> PyResult<()> {
        self.0.store(&values)
    }

    fn get(&self) -> PyResult<[f64; N]> {
        let mut values = [0.0; N];
        values.copy_from_slice(&self.0.values()?);
        Ok(values)
    }
}

/// Defines functions that store one result.
macro_rules! store {
    ($register:ident: $($name:ident($res:ident: $size:literal $(, $arg:ident: $ty:ty)*): $doc:literal, $value:expr;)*) => {
        $(
            #[doc = $doc]
            #[pyfunction]
            fn $name($res: Res<'_, $size> $(, $arg: $ty)*) -> PyResult<()> {
                let value = $value;
                $res.set(value)
            }
        )*
        fn $register(module: &Bound<'_, PyModule>) -> PyResult<()> {
            super::add!(module, $($name),*);
            Ok(())
        }
    };
}

store! { register_vectors:
    mju_zero3(res: 3): "Sets a vector to zero.", [0.0; 3];
    mju_copy3(res: 3, data: In<3>): "Copies a vector.", data.0;
    mju_scl3(res: 3, vec: In<3>, scl: f64): "A vector times a number.", vec3::scale(vec.0, scl);
    mju_add3(res: 3, vec1: In<3>, vec2: In<3>): "Sum of two vectors.", vec3::add(vec1.0, vec2.0);
    mju_sub3(res: 3, vec1: In<3>, vec2: In<3>): "Difference of two vectors.", vec3::sub(vec1.0, vec2.0);
    mju_addTo3(res: 3, vec: In<3>): "Adds a vector.", vec3::add(res.get()?, vec.0);
    mju_subFrom3(res: 3, vec: In<3>): "Subtracts a vector.", vec3::sub(res.get()?, vec.0);
    mju_addToScl3(res: 3, vec: In<3>, scl: f64): "Adds a vector times a number.",
        vec3::add_scaled(res.get()?, vec.0, scl);
    mju_addScl3(res: 3, vec1: In<3>, vec2: In<3>, scl: f64): "Sum of a vector and another times a number.",
        vec3::add_scaled(vec1.0, vec2.0, scl);
    mju_cross(res: 3, a: In<3>, b: In<3>): "Cross product.", vec3::cross(a.0, b.0);
    mju_mulMatVec3(res: 3, mat: In<9>, vec: In<3>): "A 3×3 matrix times a vector.", mat3::mul_vec(&mat.0, vec.0);
    mju_mulMatTVec3(res: 3, mat: In<9>, vec: In<3>): "A transposed 3×3 matrix times a vector.",
        mat3::mul_vec_t(&mat.0, vec.0);
    mju_zero4(res: 4): "Sets a quaternion to zero.", [0.0; 4];
    mju_unit4(res: 4): "Sets a quaternion to no rotation.", [1.0, 0.0, 0.0, 0.0];
    mju_copy4(res: 4, data: In<4>): "Copies a quaternion.", data.0;
}

store! { register_rotations:
    mju_rotVecQuat(res: 3, vec: In<3>, quat: In<4>): "A vector turned by a quaternion.", quat::rotate(quat.0, vec.0);
    mju_negQuat(res: 4, quat: In<4>): "The opposite rotation.", quat::conj(quat.0);
    mju_mulQuat(res: 4, quat1: In<4>, quat2: In<4>): "Product of two quaternions.", quat::mul(quat1.0, quat2.0);
    mju_mulQuatAxis(res: 4, quat: In<4>, axis: In<3>): "Product of a quaternion and an axis.",
        quat::mul_axis(quat.0, axis.0);
    mju_axisAngle2Quat(res: 4, axis: In<3>, angle: f64): "Quaternion of a turn about an axis.",
        quat::from_axis_angle(axis.0, angle);
    mju_quat2Vel(res: 3, quat: In<4>, dt: f64): "Angular velocity that turns by a quaternion in `dt`.",
        quat::to_velocity(quat.0, dt);
    mju_subQuat(res: 3, qa: In<4>, qb: In<4>): "Rotation vector from `qb` to `qa`.", quat::sub(qa.0, qb.0);
    mju_quat2Mat(res: 9, quat: In<4>): "Rotation matrix of a quaternion.", quat::to_mat(quat.0);
    mju_mat2Quat(quat: 4, mat: In<9>): "Quaternion of a rotation matrix.", quat::from_mat(&mat.0);
    mju_derivQuat(res: 4, quat: In<4>, vel: In<3>): "Time derivative of a quaternion.",
        quat::mul([0.0, vel.0[0], vel.0[1], vel.0[2]], quat.0).map(|x| 0.5 * x);
    mju_quatIntegrate(quat: 4, vel: In<3>, scale: f64): "Turns a quaternion by an angular velocity times a time.",
        quat::integrate(quat.get()?, vel.0, scale);
    mju_quatZ2Vec(quat: 4, vec: In<3>): "Quaternion that turns the z axis to a vector.", quat::z_to(vec.0);
    mju_trnVecPose(res: 3, pos: In<3>, quat: In<4>, vec: In<3>): "A vector moved by a pose.",
        vec3::add(quat::rotate(quat.0, vec.0), pos.0);
    mju_euler2Quat(quat: 4, euler: In<3>, seq: Text): "Quaternion of Euler angles about axes such as `xyz`.",
        euler_quat(euler.0, &seq)?;
}

/// Lower-case axes are intrinsic, upper-case ones extrinsic.
fn euler_quat(angles: [f64; 3], seq: &str) -> PyResult<[f64; 4]> {
    if seq.len() != 3 {
        return Err(error::fatal("mju_euler2Quat: seq must contain exactly 3 characters"));
    }
    let mut q = [1.0, 0.0, 0.0, 0.0];
    for (i, (angle, axis)) in angles.into_iter().zip(seq.chars()).enumerate() {
        let mut turn = [(angle / 2.0).cos(), 0.0, 0.0, 0.0];
        let place = "xyz".find(axis.to_ascii_lowercase()).ok_or_else(|| {
            error::fatal(format!("mju_euler2Quat: seq[{i}] is '{axis}', should be one of x, y, z, X, Y, Z"))
        })?;
        turn[1 + place] = (angle / 2.0).sin();
        q = if axis.is_ascii_lowercase() { quat::mul(q, turn) } else { quat::mul(turn, q) };
    }
    Ok(q)
}

/// Defines functions that return a scalar.
macro_rules! give {
    ($($name:ident($($arg:ident: $ty:ty),*) -> $ret:ty: $doc:literal, $value:expr;)*) => {
        $(
            #[doc = $doc]
            #[pyfunction]
            fn $name($($arg: $ty),*) -> PyResult<$ret> {
                Ok($value)
            }
        )*
        fn register_numbers(module: &Bound<'_, PyModule>) -> PyResult<()> {
            super::add!(module, $($name),*);
            Ok(())
        }
    };
}

give! {
    mju_dot3(vec1: In<3>, vec2: In<3>) -> f64: "Dot product.", vec3::dot(vec1.0, vec2.0);
    mju_norm3(vec: In<3>) -> f64: "Length of a vector.", vec3::norm(vec.0);
    mju_dist3(pos1: In<3>, pos2: In<3>) -> f64: "Distance of two points.", vec3::dist(pos1.0, pos2.0);
    mju_normalize3(vec: Res<'_, 3>) -> f64: "Makes a vector unit length; returns what its length was.", {
        let (unit, length) = vec3::normalize(vec.get()?);
        vec.set(unit)?;
        length
    };
    mju_normalize4(vec: Res<'_, 4>) -> f64: "Makes a quaternion unit length; returns what its length was.", {
        let (unit, length) = quat::normalize(vec.get()?);
        vec.set(unit)?;
        length
    };
    mju_min(a: f64, b: f64) -> f64: "The smaller number.", if a < b { a } else { b };
    mju_max(a: f64, b: f64) -> f64: "The larger number.", if a > b { a } else { b };
    mju_clip(x: f64, min: f64, max: f64) -> f64: "A number kept within limits.", sinew_math::clip(x, min, max);
    mju_sign(x: f64) -> f64: "−1, 0 or 1.", f64::from(i8::from(x > 0.0) - i8::from(x < 0.0));
    mju_round(x: f64) -> i64: "The nearest integer; halves go up.",
        if x - x.floor() < x.ceil() - x { x.floor() as i64 } else { x.ceil() as i64 };
    mju_isBad(x: f64) -> i32: "Whether a number is not one, or beyond ±mjMAXVAL.",
        i32::from(x.is_nan() || x.abs() > 1e10);
    mju_sigmoid(x: f64) -> f64: "A smooth step from 0 to 1.", muscle::sigmoid(x);
    mju_muscleGain(len: f64, vel: f64, lengthrange: In<2>, acc0: f64, prm: In<9>) -> f64:
        "Active force of a muscle.", muscle::gain(len, vel, lengthrange.0, acc0, &prm.0);
    mju_muscleBias(len: f64, lengthrange: In<2>, acc0: f64, prm: In<9>) -> f64:
        "Passive force of a muscle.", muscle::bias(len, lengthrange.0, acc0, &prm.0);
    mju_muscleDynamics(ctrl: f64, act: f64, prm: In<3>) -> f64:
        "Rate of activation of a muscle.", muscle::dynamics(ctrl, act, &prm.0);
    mju_springDamper(pos0: f64, vel0: f64, Kp: f64, Kv: f64, dt: f64) -> f64:
        "Position of a damped spring of unit mass after a time.", spring_damper(pos0, vel0, Kp, Kv, dt);
    mju_Halton(index: i64, base: i64) -> f64: "An element of the Halton sequence.", halton(index, base)?;
}

/// The three solutions of `x″ + b x′ + k x = 0`, by the sign of the discriminant.
fn spring_damper(x: f64, v: f64, k: f64, b: f64, t: f64) -> f64 {
    let det = b * b - 4.0 * k;
    let w = det.abs().sqrt() / 2.0;
    if det > MINVAL {
        let (r1, r2) = (-b / 2.0 + w, -b / 2.0 - w);
        (x * r2 - v) / (r2 - r1) * (r1 * t).exp() + (x * r1 - v) / (r1 - r2) * (r2 * t).exp()
    } else if det >= -MINVAL {
        (-b * t / 2.0).exp() * (x + (v + b * x / 2.0) * t)
    } else {
        (-b * t / 2.0).exp() * (x * (w * t).cos() + (v + b * x / 2.0) / w * (w * t).sin())
    }
}

fn halton(index: i64, base: i64) -> PyResult<f64> {
    if base < 2 {
        return Err(error::fatal(format!("mju_Halton: base must be at least 2, got {base}")));
    }
    let (mut rest, mut weight, mut value) = (index.max(0), 1.0 / base as f64, 0.0);
    while rest > 0 {
        value += weight * (rest % base) as f64;
        weight /= base as f64;
        rest /= base;
    }
    Ok(value)
}

/// Product of two poses.
#[pyfunction]
fn mju_mulPose(
    posres: Res<'_, 3>,
    quatres: Res<'_, 4>,
    pos1: In<3>,
    quat1: In<4>,
    pos2: In<3>,
    quat2: In<4>,
) -> PyResult<()> {
    posres.set(vec3::add(quat::rotate(quat1.0, pos2.0), pos1.0))?;
    quatres.set(quat::normalize(quat::mul(quat1.0, quat2.0)).0)
}

/// The inverse of a pose.
#[pyfunction]
fn mju_negPose(posres: Res<'_, 3>, quatres: Res<'_, 4>, pos: In<3>, quat: In<4>) -> PyResult<()> {
    let back = quat::conj(quat.0);
    posres.set(vec3::scale(quat::rotate(back, pos.0), -1.0))?;
    quatres.set(back)
}

/// Transforms a motion (or force, if `flg_force`) vector to another point and other axes.
#[pyfunction]
fn mju_transformSpatial(
    res: Res<'_, 6>,
    vec: In<6>,
    flg_force: i32,
    newpos: In<3>,
    oldpos: In<3>,
    rotnew2old: Option<In<9>>,
) -> PyResult<()> {
    let axes = rotnew2old.as_ref().map(|r| &r.0);
    let move_to = if flg_force != 0 { spatial::transform_force } else { spatial::transform_motion };
    res.set(move_to(&vec.0, newpos.0, oldpos.0, axes))
}

/// Eigenvalues and eigenvectors of a symmetric 3×3 matrix; returns the number of iterations.
#[pyfunction]
fn mju_eig3(eigval: Res<'_, 3>, eigvec: Res<'_, 9>, quat: Res<'_, 4>, mat: In<9>) -> PyResult<usize> {
    let found = mat3::eig(&mat.0);
    eigval.set(found.values)?;
    eigvec.set(found.vectors)?;
    quat.set(found.quat)?;
    Ok(found.iterations)
}

/// Refines a quaternion to the rotation nearest to a matrix; returns the number of iterations.
#[pyfunction]
fn mju_mat2Rot(quat: Res<'_, 4>, mat: In<9>) -> PyResult<usize> {
    let (nearest, iterations) = quat::nearest(quat.get()?, &mat.0);
    quat.set(nearest)?;
    Ok(iterations)
}

/// Distance along a ray to a primitive shape, or -1; writes the normal of its surface.
#[pyfunction]
#[pyo3(signature = (pos, mat, size, pnt, vec, geomtype, normal=None))]
fn mju_rayGeom(
    pos: In<3>,
    mat: In<9>,
    size: In<3>,
    pnt: In<3>,
    vec: In<3>,
    geomtype: i32,
    normal: Option<Res<'_, 3>>,
) -> PyResult<f64> {
    use sinew_engine::support::ray::{Frame, Ray, ray_shape};
    let kind = GeomType::try_from(geomtype).ok().filter(|k| (*k as i32) < GeomType::Mesh as i32);
    let Some(kind) = kind.filter(|k| *k != GeomType::Hfield) else {
        return Err(error::fatal(format!("mju_rayGeom: unexpected geom type {geomtype}")));
    };
    let hit = ray_shape(kind, Frame { pos: pos.0, mat: &mat.0 }, size.0, Ray { origin: pnt.0, dir: vec.0 });
    if let Some(out) = normal {
        out.set(hit.map_or([0.0; 3], |h| h.normal))?;
    }
    Ok(hit.map_or(-1.0, |h| h.dist))
}

/// Adds the functions.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    register_vectors(module)?;
    register_rotations(module)?;
    register_numbers(module)?;
    super::add!(module, mju_mulPose, mju_negPose, mju_transformSpatial, mju_eig3, mju_mat2Rot, mju_rayGeom);
    Ok(())
}
