//! Deformable bodies: cables, shells and solids whose vertices are carried by ordinary bodies.

use super::Meta;
use super::body::{SOLIMP, SOLREF};
use sinew_engine::model::enums::FlexSelf;

/// Which elastic forces of a shell act.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Elastic2d {
    /// None.
    #[default]
    None,
    /// Out of the plane.
    Bend,
    /// In the plane.
    Stretch,
    /// Both.
    Both,
}

impl Elastic2d {
    /// Whether the shell resists bending.
    pub fn bends(self) -> bool {
        matches!(self, Elastic2d::Bend | Elastic2d::Both)
    }

    /// Whether the shell resists stretching.
    pub fn stretches(self) -> bool {
        matches!(self, Elastic2d::Stretch | Elastic2d::Both)
    }
}

/// A `flex`, or what a `flexcomp` became.
#[derive(Clone, Debug, PartialEq)]
pub struct Flex {
    /// Name and place.
    pub meta: Meta,
    /// 1 for lines, 2 for triangles, 3 for tetrahedra.
    pub dim: i32,
    /// Thickness radius around the elements. (m)
    pub radius: f64,
    /// Contact type bits.
    pub contype: i32,
    /// Contact affinity bits.
    pub conaffinity: i32,
    /// Contact dimension.
    pub condim: i32,
    /// Contact priority.
    pub priority: i32,
    /// Sliding, spinning and rolling friction.
    pub friction: [f64; 3],
    /// Weight when contact parameters are mixed.
    pub solmix: f64,
    /// Contact solver reference.
    pub solref: [f64; 2],
    /// Contact solver impedance.
    pub solimp: [f64; 5],
    /// Distance below which a contact is reported. (m)
    pub margin: f64,
    /// Part of the margin in which a contact exerts no force. (m)
    pub gap: f64,
    /// Elements collide with the vertices of their neighbours.
    pub internal: bool,
    /// Self-collision mode.
    pub selfcollide: FlexSelf,
    /// A sphere at every vertex body collides.
    pub vertcollide: bool,
    /// Contacts act as passive forces.
    pub passive: bool,
    /// Element layers below the surface that collide, for solids.
    pub activelayers: i32,
    /// Stiffness of edge springs. (N/m)
    pub edgestiffness: f64,
    /// Damping of edges. (N s/m)
    pub edgedamping: f64,
    /// Young's modulus; 0 for no elasticity. (Pa)
    pub young: f64,
    /// Poisson's ratio.
    pub poisson: f64,
    /// Rayleigh damping. (s)
    pub damping: f64,
    /// Shell thickness; negative when not given. (m)
    pub thickness: f64,
    /// Elastic forces of a shell.
    pub elastic2d: Elastic2d,
    /// Colour without a material.
    pub rgba: [f32; 4],
    /// Material; may be empty.
    pub material: String,
    /// Drawn with flat shading.
    pub flatskin: bool,
    /// Visibility group.
    pub group: i32,
    /// Bodies that carry the control nodes; empty unless vertices are interpolated.
    pub nodebody: Vec<String>,
    /// Bodies that carry the vertices, or one body for all of them.
    pub vertbody: Vec<String>,
    /// Nodes in the frames of their bodies; empty when all are at the origins. (m)
    pub node: Vec<[f64; 3]>,
    /// Vertices in the frames of their bodies; empty when all are at the origins. (m)
    pub vert: Vec<[f64; 3]>,
    /// Vertices of the elements, `dim + 1` of each.
    pub elem: Vec<i32>,
    /// Texture coordinates.
    pub texcoord: Vec<[f32; 2]>,
    /// Texture coordinates of the elements; those of the vertices when empty.
    pub elemtexcoord: Vec<i32>,
}

impl Default for Flex {
    fn default() -> Self {
        Flex {
            meta: Meta::default(),
            dim: 2,
            radius: 0.005,
            contype: 1,
            conaffinity: 1,
            condim: 3,
            priority: 0,
            friction: [1.0, 0.005, 0.0001],
            solmix: 1.0,
            solref: SOLREF,
            solimp: SOLIMP,
            margin: 0.0,
            gap: 0.0,
            internal: false,
            selfcollide: FlexSelf::Auto,
            vertcollide: false,
            passive: false,
            activelayers: 1,
            edgestiffness: 0.0,
            edgedamping: 0.0,
            young: 0.0,
            poisson: 0.0,
            damping: 0.0,
            thickness: -1.0,
            elastic2d: Elastic2d::None,
            rgba: [0.5, 0.5, 0.5, 1.0],
            material: String::new(),
            flatskin: false,
            group: 0,
            nodebody: Vec::new(),
            vertbody: Vec::new(),
            node: Vec::new(),
            vert: Vec::new(),
            elem: Vec::new(),
            texcoord: Vec::new(),
            elemtexcoord: Vec::new(),
        }
    }
}
