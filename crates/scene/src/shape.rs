//! Construction of shapes from sizes, poses and end points.

use crate::{Error, Result};
use sinew_engine::fields::Zero;
use sinew_engine::model::enums::GeomType;
use sinew_engine::view::Shape;
use sinew_math::{Mat3, Vec3, quat, vec3};

/// Converts to the single precision of scenes.
pub(crate) fn single<const N: usize>(v: &[f64; N]) -> [f32; N] {
    v.map(|x| x as f32)
}

/// A shape with MuJoCo's defaults.
pub(crate) fn blank() -> Shape {
    let mut shape = Shape::ZERO;
    init(&mut shape, GeomType::None as i32, None, None, None, None);
    shape
}

/// Sets type, size, pose and colour, each to its default if not given, and a plain material. The element that the shape
/// represents is unchanged.
#[doc(alias = "mjv_initGeom")]
pub fn init(
    shape: &mut Shape,
    kind: i32,
    size: Option<Vec3>,
    pos: Option<Vec3>,
    mat: Option<&Mat3>,
    rgba: Option<[f32; 4]>,
) {
    shape.r#type = kind;
    shape.size = size.map_or([0.1; 3], |s| single(&sizes(kind, s)));
    shape.pos = pos.map_or([0.0; 3], |p| single(&p));
    shape.mat = mat.map_or([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0], single);
    shape.rgba = rgba.unwrap_or([0.5, 0.5, 0.5, 1.0]);
    (shape.dataid, shape.matid, shape.texcoord) = (-1, -1, 0);
    (shape.emission, shape.specular, shape.shininess, shape.reflectance) = (0.0, 0.5, 0.5, 0.0);
    (shape.label[0], shape.modelrbound) = (0, 0.0);
}

/// Sizes along x, y and z of a geom with the given size parameters.
fn sizes(kind: i32, [a, b, c]: Vec3) -> Vec3 {
    match GeomType::try_from(kind) {
        Ok(GeomType::Sphere) => [a, a, a],
        Ok(GeomType::Capsule | GeomType::Cylinder) => [a, a, b],
        _ => [a, b, c],
    }
}

/// Makes a shape connect two points: capsules and cylinders are centred between them, arrows and lines start at the
/// first.
#[doc(alias = "mjv_connector")]
pub fn connect(shape: &mut Shape, kind: i32, width: f64, from: Vec3, to: Vec3) -> Result<()> {
    let along = vec3::sub(to, from);
    let (length, width) = (vec3::norm(along) as f32, width as f32);
    let (pos, length) = match GeomType::try_from(kind) {
        Ok(GeomType::Capsule | GeomType::Cylinder) => (vec3::scale(vec3::add(from, to), 0.5), 0.5 * length),
        Ok(GeomType::Arrow | GeomType::Arrow1 | GeomType::Arrow2 | GeomType::Line) => (from, length),
        _ => return Err(Error::Connector(kind)),
    };
    shape.r#type = kind;
    shape.size = [width, width, length];
    shape.pos = single(&pos);
    shape.mat = single(&quat::to_mat(quat::z_to(along)));
    Ok(())
}
