//! Ray casting against the geoms of a model.

use super::shape::values;
use crate::data::Pose;
use crate::model::Model;
use crate::model::enums::GeomType;
use sinew_geometry::ray as shape;
use sinew_math::{MINVAL, Vec3, mat3, vec3};
use std::f64::consts::PI;

pub use sinew_geometry::ray::{Frame, Ray};

/// Number of rays that [`multi_ray`] casts together, so that per-geom work is shared.
pub const BATCH: usize = 64;

/// The nearest intersection of a ray with a geom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Distance in units of the length of the ray's direction.
    pub dist: f64,
    /// The geom.
    pub geomid: usize,
    /// Unit normal of its surface.
    pub normal: Vec3,
}

/// Which geoms a ray can hit. Geoms that are invisible by their colour or material are always skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filter<'a> {
    /// Which geom groups to include; all if `None`.
    pub geomgroup: Option<&'a [u8; 6]>,
    /// Whether to include geoms fixed to the world.
    pub flg_static: bool,
    /// Body whose geoms to exclude; −1 for none.
    pub bodyexclude: i32,
}

impl Filter<'_> {
    /// All visible geoms except those of one body.
    pub fn without(bodyexclude: i32) -> Self {
        Filter { geomgroup: None, flg_static: true, bodyexclude }
    }

    fn admits(&self, m: &Model, geom: usize) -> bool {
        let body = m.geom_bodyid[geom];
        let rgba = match usize::try_from(m.geom_matid[geom]) {
            Ok(mat) => m.mat_rgba[mat],
            Err(_) => m.geom_rgba[geom],
        };
        let group = m.geom_group[geom].clamp(0, 5) as usize;
        body != self.bodyexclude
            && rgba[3] != 0.0
            && (self.flg_static || m.body_weldid[body as usize] != 0)
            && self.geomgroup.is_none_or(|shown| shown[group] != 0)
    }
}

/// Intersection of a ray with one geom.
#[doc(alias = "mj_rayMesh")]
#[doc(alias = "mj_rayHfield")]
pub fn ray_geom(m: &Model, pose: &Pose, geom: usize, ray: Ray) -> Option<shape::Hit> {
    let frame = Frame { pos: pose.geom_xpos[geom], mat: &pose.geom_xmat[geom] };
    match m.geom_type(geom) {
        GeomType::Mesh => shape::mesh(frame, mesh_tree(m, geom)?, ray),
        GeomType::Hfield => shape::height_field(frame, height_field(m, geom)?, ray),
        GeomType::Sdf => shape::sdf(frame, m.geom_size[geom], &values(m, geom)?, ray),
        kind => ray_shape(kind, frame, m.geom_size[geom], ray),
    }
}

/// Intersection of a ray with a primitive shape.
#[doc(alias = "mju_rayGeom")]
pub fn ray_shape(kind: GeomType, frame: Frame, size: Vec3, ray: Ray) -> Option<shape::Hit> {
    match kind {
        GeomType::Plane => shape::plane(frame, size, ray),
        GeomType::Sphere => shape::sphere(frame.pos, size[0], ray),
        GeomType::Capsule => shape::capsule(frame, size, ray),
        GeomType::Ellipsoid => shape::ellipsoid(frame, size, ray),
        GeomType::Cylinder => shape::cylinder(frame, size, ray),
        GeomType::Box => shape::cuboid(frame, size, ray),
        _ => None,
    }
}

pub(crate) fn mesh_tree(m: &Model, geom: usize) -> Option<shape::MeshTree<'_>> {
    let id = usize::try_from(m.geom_dataid[geom]).ok()?;
    let tree = usize::try_from(m.mesh_bvhadr[id]).ok()?;
    let nodes = tree..tree + m.mesh_bvhnum[id] as usize;
    Some(shape::MeshTree {
        size: m.geom_size[geom],
        vert: &m.mesh_vert[m.mesh_vertadr[id] as usize..],
        face: &m.mesh_face[m.mesh_faceadr[id] as usize..],
        aabb: &m.bvh_aabb[nodes.clone()],
        child: &m.bvh_child[nodes.clone()],
        leaf: &m.bvh_nodeid[nodes],
    })
}

pub(crate) fn height_field(m: &Model, geom: usize) -> Option<shape::HeightField<'_>> {
    let id = usize::try_from(m.geom_dataid[geom]).ok()?;
    let (nrow, ncol) = (m.hfield_nrow[id] as usize, m.hfield_ncol[id] as usize);
    let start = m.hfield_adr[id] as usize;
    Some(shape::HeightField { size: m.hfield_size[id], nrow, ncol, data: &m.hfield_data[start..start + nrow * ncol] })
}

/// Keeps a geom's intersection if it is nearer than the best so far; on a tie the first one stays.
fn take(best: &mut Option<Hit>, geomid: usize, hit: Option<shape::Hit>) {
    if let Some(shape::Hit { dist, normal }) = hit
        && best.is_none_or(|b| dist < b.dist)
    {
        *best = Some(Hit { dist, geomid, normal });
    }
}

/// The nearest geom that a ray hits. A ray without direction hits nothing.
///
/// *Reads* `geom_xpos`, `geom_xmat`.
#[doc(alias = "mj_ray")]
pub fn ray(m: &Model, pose: &Pose, ray: Ray, filter: Filter) -> Option<Hit> {
    let mut best = None;
    if vec3::norm(ray.dir) >= MINVAL {
        for geom in (0..m.ngeom).filter(|&g| filter.admits(m, g)) {
            take(&mut best, geom, ray_geom(m, pose, geom, ray));
        }
    }
    best
}

/// A direction in spherical coordinates: azimuth about z, and polar angle from z.
#[derive(Clone, Copy, Debug)]
struct Angles {
    azimuth: f64,
    polar: f64,
}

impl Angles {
    fn of(v: Vec3) -> Self {
        Angles { azimuth: v[1].atan2(v[0]), polar: (v[0] * v[0] + v[1] * v[1]).sqrt().atan2(v[2]) }
    }
}

/// Angular bounds of a geom seen from a point.
#[derive(Clone, Copy, Debug)]
struct Window {
    low: Angles,
    high: Angles,
}

impl Window {
    const ALL: Window = Window { low: Angles { azimuth: -PI, polar: 0.0 }, high: Angles { azimuth: PI, polar: PI } };

    /// Bounds of the geom's bounding box, widened for edges that curve between its corners.
    fn of_geom(m: &Model, pose: &Pose, geom: usize, from: Vec3) -> Self {
        let (pos, mat) = (pose.geom_xpos[geom], &pose.geom_xmat[geom]);
        let [cx, cy, cz, hx, hy, hz] = m.geom_aabb[geom];
        let (center, half) = ([cx, cy, cz], [hx, hy, hz]);
        let local = vec3::sub(mat3::mul_vec_t(mat, vec3::sub(from, pos)), center);
        if (0..3).all(|k| local[k].abs() <= half[k]) {
            return Window::ALL;
        }
        let (mut low, mut high) = (Angles { azimuth: PI, polar: PI }, Angles { azimuth: -PI, polar: 0.0 });
        for corner in 0..8 {
            let at = [0, 1, 2].map(|k| if corner >> k & 1 == 1 { center[k] + half[k] } else { center[k] - half[k] });
            let seen = Angles::of(vec3::sub(vec3::add(mat3::mul_vec(mat, at), pos), from));
            low = Angles { azimuth: low.azimuth.min(seen.azimuth), polar: low.polar.min(seen.polar) };
            high = Angles { azimuth: high.azimuth.max(seen.azimuth), polar: high.polar.max(seen.polar) };
        }
        let away = vec3::dist(from, pos);
        if away > MINVAL {
            let margin = hx.max(hy.max(hz)).atan2(away);
            low = Angles { azimuth: low.azimuth - margin, polar: low.polar - margin };
            high = Angles { azimuth: high.azimuth + margin, polar: high.polar + margin };
        }
        // wide bounds may straddle the jump of the azimuth at ±π
        if high.azimuth - low.azimuth > PI || high.polar - low.polar > PI {
            return Window::ALL;
        }
        Window { low, high }
    }

    fn shows(&self, toward: Angles) -> bool {
        let (low, high) = (self.low, self.high);
        if toward.polar < low.polar || toward.polar > high.polar {
            return false;
        }
        let mut aside = toward.azimuth - (low.azimuth + high.azimuth) * 0.5;
        if aside > PI {
            aside -= 2.0 * PI;
        } else if aside < -PI {
            aside += 2.0 * PI;
        }
        aside.abs() <= (high.azimuth - low.azimuth) * 0.5
    }
}

/// The nearest geom on each of up to [`BATCH`] rays from one point; geoms beyond `cutoff` are skipped.
///
/// Bodies and geoms are culled by bounds, as in MuJoCo, so that results near the bounds may differ from [`ray`]: the
/// sphere about a body's geoms is centred as if the body were not rotated.
///
/// *Reads* `geom_xpos`, `geom_xmat`, `xipos`.
#[doc(alias = "mj_multiRay")]
pub fn multi_ray(
    m: &Model,
    pose: &Pose,
    from: Vec3,
    dirs: &[Vec3],
    filter: Filter,
    cutoff: f64,
) -> [Option<Hit>; BATCH] {
    let mut best = [None; BATCH];
    let mut angles = [Angles { azimuth: 0.0, polar: 0.0 }; BATCH];
    let count = dirs.len().min(BATCH);
    let to = |k: usize| Ray { origin: from, dir: dirs[k] };
    // skip rays without direction
    let all = (0..count).filter(|&k| vec3::dot(dirs[k], dirs[k]) >= MINVAL).fold(0u64, |set, k| set | 1 << k);
    for (angle, dir) in angles.iter_mut().zip(dirs) {
        *angle = Angles::of(*dir);
    }
    for body in 0..m.nbody {
        let bounds = usize::try_from(m.body_bvhadr[body]).ok();
        let mut rays = all;
        if let Some(node) = bounds {
            let [cx, cy, cz, hx, hy, hz] = m.bvh_aabb[node];
            let center = vec3::add([cx, cy, cz], pose.xipos[body]);
            let square = hx * hx + hy * hy + hz * hz;
            for k in (0..count).filter(|&k| !shape::passes_sphere(center, square, to(k))) {
                rays &= !(1 << k);
            }
        }
        if rays == 0 {
            continue;
        }
        let first = m.body_geomadr[body].max(0) as usize;
        for geom in (first..first + m.body_geomnum[body] as usize).filter(|&g| filter.admits(m, g)) {
            let mut window = None;
            if bounds.is_some() {
                if vec3::dist(pose.geom_xpos[geom], from) > cutoff + m.geom_rbound[geom] {
                    continue;
                }
                window = Some(Window::of_geom(m, pose, geom, from));
            }
            for k in (0..count).filter(|&k| rays >> k & 1 == 1) {
                if window.is_none_or(|w| w.shows(angles[k])) {
                    take(&mut best[k], geom, ray_geom(m, pose, geom, to(k)));
                }
            }
        }
    }
    best
}
