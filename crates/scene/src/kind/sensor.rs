//! Rays of rangefinders, lines between geoms with a distance sensor, readings of tactile sensors.

use crate::draw::{Draw, Of};
use sinew_engine::model::enums::{GeomType, ObjType, RayDataField as Field, SensorType, VisFlag};
use sinew_engine::model::sensors::{RAY_FIELDS, selected};
use sinew_engine::sensor::pixel_ray;
use sinew_engine::support::ray::Ray;
use sinew_math::{MINVAL, Vec3, mat3, vec3};

const LINE_WIDTH: f64 = 3.0;

/// Draws rangefinder rays up to the hit, with the sensed points and normals.
pub(crate) fn rays(draw: &mut Draw) {
    if !draw.shows(VisFlag::Rangefinder) {
        return;
    }
    let (m, pose) = (draw.m, &draw.d.pose);
    for i in 0..m.nsensor {
        let (of, adr) = ((ObjType::Sensor, i), m.sensor_adr[i] as usize);
        let rgba = m.vis.rgba.rangefinder;
        match SensorType::try_from(m.sensor_type[i]) {
            Ok(SensorType::Rangefinder) => {
                let id = m.sensor_objid[i] as usize;
                let size = selected(&RAY_FIELDS, m.sensor_intprm[i][0]);
                if m.sensor_objtype(i) == ObjType::Site {
                    let along = Ray { origin: pose.site_xpos[id], dir: mat3::col(&pose.site_xmat[id], 2) };
                    ray(draw, of, adr, along, 1.5);
                } else {
                    let pixels = m.cam_resolution[id].iter().map(|n| (*n).max(0) as usize).product();
                    for k in 0..pixels {
                        ray(draw, of, adr + k * size, pixel_ray(m, pose, id, k), 1.3);
                    }
                }
            }
            Ok(SensorType::Geomfromto) => {
                let [a, b, c, x, y, z] = std::array::from_fn(|k| draw.d.sensor.sensordata[adr + k]);
                if [a, b, c, x, y, z] != [0.0; 6] {
                    draw.add_link(of, GeomType::Line, LINE_WIDTH, [[a, b, c], [x, y, z]], rgba);
                }
            }
            _ => {}
        }
    }
}

/// Draws one ray whose readings start at an address; `dot` is the size of the hit point, in frame widths.
fn ray(draw: &mut Draw, of: Of, adr: usize, along: Ray, dot: f64) {
    let m = draw.m;
    let bits = m.sensor_intprm[of.1][0];
    let read = |field: Field| -> Option<&[f64]> {
        let k = field as usize;
        let before = selected(&RAY_FIELDS[..k], bits);
        (bits >> k & 1 == 1).then(|| &draw.d.sensor.sensordata[adr + before..][..RAY_FIELDS[k]])
    };
    let vector = |field: Field| read(field).map(|v| [v[0], v[1], v[2]]);
    let dist = read(Field::Dist).map_or(-1.0, |v| v[0]);
    let (sensed, normal) = (vector(Field::Point).filter(|p| *p != [0.0; 3]), vector(Field::Normal));
    let (width, length) =
        (f64::from(m.vis.scale.framewidth) * draw.scale, f64::from(m.vis.scale.framelength) * draw.scale);
    let rgba = m.vis.rgba.rangefinder;
    let mut point: Option<Vec3> = None;
    if dist >= 0.0 {
        let end = along.at(dist);
        point = Some(end);
        draw.add_link(of, GeomType::Line, LINE_WIDTH, [along.origin, end], rgba);
    }
    if let Some(at) = sensed {
        point = Some(at);
        let shape = draw.ball(of, dot * width, at, rgba);
        draw.add(shape);
    }
    if let (Some(at), Some(normal)) = (point, normal) {
        let end = vec3::add_scaled(at, normal, 2.0 * length);
        draw.add_link(of, GeomType::Arrow1, width, [at, end], rgba);
    }
}

/// Draws triangles of tactile sensors: normal force in red, the two tangential forces in green and blue, relative to
/// the largest normal force.
pub(crate) fn tactile(draw: &mut Draw) {
    if !draw.shows(VisFlag::Contactpoint) {
        return;
    }
    let m = draw.m;
    for i in (0..m.nsensor).filter(|i| m.sensor_type[*i] == SensorType::Tactile as i32) {
        let (mesh, geom) = (m.sensor_objid[i] as usize, m.sensor_refid[i] as usize);
        let count = m.mesh_vertnum[mesh] as usize;
        let data = &draw.d.sensor.sensordata[m.sensor_adr[i] as usize..][..m.sensor_dim[i] as usize];
        let channels: Vec<&[f64]> = data.chunks_exact(count.max(1)).take(3).collect();
        let most = channels.first().map_or(0.0, |c| c.iter().fold(0.0f64, |a, x| a.max(x.abs())));
        if most == 0.0 || m.geom_rbound[geom] < MINVAL {
            continue;
        }
        let (pos, mat) = (draw.d.pose.geom_xpos[geom], draw.d.pose.geom_xmat[geom]);
        let verts = &m.mesh_vert[m.mesh_vertadr[mesh] as usize..];
        for face in &m.mesh_face[m.mesh_faceadr[mesh] as usize..][..m.mesh_facenum[mesh] as usize] {
            let corners = face.map(|v| vec3::add(mat3::mul_vec(&mat, verts[v as usize].map(f64::from)), pos));
            let mut rgba = [0.0, 0.0, 0.0, 1.0];
            for (colour, channel) in rgba.iter_mut().zip(&channels) {
                let felt = face.map(|v| channel[v as usize].abs() / most);
                let touched = felt.iter().filter(|x| **x != 0.0).count();
                *colour = (felt.iter().sum::<f64>() / touched.max(1) as f64) as f32;
            }
            if rgba[..3] == [0.0; 3] {
                rgba[3] = 0.1;
            }
            draw.add_triangle((ObjType::Sensor, i), corners, rgba);
        }
    }
}
