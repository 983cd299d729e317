//! Meshes: file or inline arrays → vertices in the inertial frame, hull graph, polygons, volumes.

use crate::error::{Error, Result};
use sinew_engine::model::enums::{GeomType, MeshInertia};

/// A mesh ready for the model. Vertices are centred at the centre of mass and turned to the principal axes.
#[derive(Clone, Debug)]
pub struct CompiledMesh {
    /// Name; from the file name when none was given.
    pub name: String,
    /// File, as stored in the model's paths; empty for inline meshes.
    pub file: String,
    /// Material of geoms that have none of their own.
    pub material: String,
    /// Centre of mass in the frame of the file. [m]
    pub pos: [f64; 3],
    /// Principal axes in the frame of the file.
    pub quat: [f64; 4],
    /// Scale that was applied.
    pub scale: [f64; 3],
    /// Half-sizes of the box with the same inertia. [m]
    pub boxsz: [f64; 3],
    /// Bounding box in the mesh frame: minimum, maximum. [m]
    pub aamm: [f64; 6],
    /// Volume; 0 for shells. [m³]
    pub volume: f64,
    /// Surface area; only for shells. [m²]
    pub surface: f64,
    /// How mass is distributed.
    pub inertia: MeshInertia,
    /// Vertices. [m]
    pub vert: Vec<[f32; 3]>,
    /// Normals.
    pub normal: Vec<[f32; 3]>,
    /// Texture coordinates.
    pub texcoord: Vec<[f32; 2]>,
    /// Faces.
    pub face: Vec<[i32; 3]>,
    /// Normal of each face corner.
    pub facenormal: Vec<[i32; 3]>,
    /// Texture coordinate of each face corner.
    pub facetexcoord: Vec<[i32; 3]>,
    /// Convex hull graph in the layout of `mesh_graph`; empty when no hull was asked for.
    pub graph: Vec<i32>,
}

/// Primitive fitted to a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// Size parameters of the primitive. [m]
    pub size: [f64; 3],
    /// Centre in the mesh frame. [m]
    pub center: [f64; 3],
}

impl CompiledMesh {
    /// Volume, or surface area if the mass is on the surface.
    pub fn volume_ref(&self) -> f64 {
        if self.inertia == MeshInertia::Shell { self.surface } else { self.volume }
    }

    /// Fits a primitive to the inertia box, or to the bounding box if `fitaabb`. Sizes that the primitive
    /// does not have are 0.
    pub fn fit_geom(&self, kind: GeomType, fitaabb: bool, fitscale: f64) -> Result<Fit> {
        let mut center = [0.0; 3];
        let mut half = self.boxsz;
        if fitaabb {
            for i in 0..3 {
                center[i] = (self.aamm[i] + self.aamm[i + 3]) / 2.0;
                half[i] = self.aamm[i + 3] - center[i];
            }
        }
        let [x, y, z] = half;
        let size = match (kind, fitaabb) {
            (GeomType::Sphere, false) => [(x + y + z) / 3.0, 0.0, 0.0],
            (GeomType::Sphere, true) => [x.max(y).max(z), 0.0, 0.0],
            (GeomType::Capsule, false) => {
                let radius = (x + y) / 2.0;
                [radius, (z - radius / 2.0).max(0.0), 0.0]
            }
            (GeomType::Capsule, true) => [x.max(y), z - x.max(y), 0.0],
            (GeomType::Cylinder, false) => [(x + y) / 2.0, z, 0.0],
            (GeomType::Cylinder, true) => [x.max(y), z, 0.0],
            (GeomType::Ellipsoid | GeomType::Box, _) => half,
            _ => return Err(Error::invalid(format!("a {kind:?} cannot be fitted to mesh '{}'", self.name))),
        };
        Ok(Fit { size: size.map(|s| s * fitscale), center })
    }
}
