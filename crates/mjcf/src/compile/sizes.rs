//! Sizes determined by the `size` element and by the model as a whole.

use super::order::Node;
use super::shared::user_size;
use crate::error::Result;
use crate::spec::{Body, Spec};
use sinew_engine::fields::FieldInfo;
use sinew_engine::{Data, Fields, Model, Sizes};

/// Number of user values per element of the tree.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct UserSizes {
    pub body: usize,
    pub jnt: usize,
    pub geom: usize,
    pub site: usize,
    pub cam: usize,
}

impl UserSizes {
    /// Sizes given in the specification; otherwise the length of the longest list of user values.
    pub fn new(spec: &Spec, nodes: &[Node]) -> Self {
        fn longest<'a>(nodes: &'a [Node<'a>], max: impl Fn(&'a Body) -> Option<usize>) -> impl Iterator<Item = usize> {
            nodes.iter().filter_map(move |n| max(n.body))
        }
        let size = &spec.size;
        let width = |given, max: fn(&Body) -> Option<usize>| user_size(given, longest(nodes, max));
        UserSizes {
            body: width(size.nuser_body, |b| Some(b.userdata.len())),
            jnt: width(size.nuser_jnt, |b| b.joints.iter().map(|e| e.userdata.len()).max()),
            geom: width(size.nuser_geom, |b| b.geoms.iter().map(|e| e.userdata.len()).max()),
            site: width(size.nuser_site, |b| b.sites.iter().map(|e| e.userdata.len()).max()),
            cam: width(size.nuser_cam, |b| b.cameras.iter().map(|e| e.userdata.len()).max()),
        }
    }

    /// Writes the user data sizes.
    pub fn count(&self, sizes: &mut Sizes) {
        sizes.nuser_body = self.body;
        sizes.nuser_jnt = self.jnt;
        sizes.nuser_geom = self.geom;
        sizes.nuser_site = self.site;
        sizes.nuser_cam = self.cam;
    }
}

/// Memory for contacts and constraints, from the `size` element or the model's dimensions. (byte)
pub(crate) fn arena(spec: &Spec, s: &Sizes) -> usize {
    const CONTACT: u128 = 576;
    const MEGABYTE: u128 = 1 << 20;
    let given = |n: i64| u64::try_from(n).ok().map(u128::from);
    let total = |sizes: &[usize]| sizes.iter().map(|&n| n as u128).sum::<u128>();
    let bytes = given(spec.size.memory).unwrap_or_else(|| {
        let nconmax = given(i64::from(spec.size.nconmax)).unwrap_or(100);
        let njmax = given(i64::from(spec.size.njmax)).unwrap_or(500);
        let nv = s.nv as u128;
        let stack = given(i64::from(spec.size.nstack)).unwrap_or_else(|| {
            let rows = njmax + total(&[s.neq, s.nv]);
            let coordinates = total(&[s.nq, s.nv, s.nu, s.na]);
            let elements = total(&[s.nbody, s.njnt, s.ngeom, s.nsite, s.neq, s.ntendon, s.nwrap]);
            (5 * rows * rows + 20 * (coordinates + elements)).max(1000)
        });
        let rows = njmax * (8 * 4 + 14 * 8) + njmax * nv * (2 * 4 + 2 * 8) + njmax * njmax * (4 + 8);
        let bytes = 8 * stack + nconmax * CONTACT + nv * 3 * 4 + rows;
        bytes.div_ceil(MEGABYTE) * MEGABYTE
    });
    usize::try_from(bytes).unwrap_or(usize::MAX)
}

/// Computes the sizes that need all others; refuses sizes that a small file could make too large.
pub(crate) fn finish(spec: &Spec, s: &mut Sizes) -> Result<()> {
    spec.limits.check_len("the mass matrix", s.nD.max(s.nB) as u64)?;
    let users = [
        ("nuser_body", s.nuser_body, s.nbody),
        ("nuser_jnt", s.nuser_jnt, s.njnt),
        ("nuser_geom", s.nuser_geom, s.ngeom),
        ("nuser_site", s.nuser_site, s.nsite),
        ("nuser_cam", s.nuser_cam, s.ncam),
        ("nuser_tendon", s.nuser_tendon, s.ntendon),
        ("nuser_actuator", s.nuser_actuator, s.nu),
        ("nuser_sensor", s.nuser_sensor, s.nsensor),
        ("nuserdata", usize::try_from(spec.size.nuserdata).unwrap_or(0), 1),
    ];
    for (name, width, count) in users {
        let place = |e: crate::Error| e.element("size").attribute(name);
        spec.limits.check_len("user data", (width as u64).saturating_mul(count as u64)).map_err(place)?;
    }
    // unspecified limits are stored as -1
    s.njmax = spec.size.njmax as usize;
    s.nconmax = spec.size.nconmax as usize;
    s.nuserdata = usize::try_from(spec.size.nuserdata).unwrap_or(0);
    s.narena = arena(spec, s);
    s.nbuffer = buffer(s);
    // the compiler also simulates the model, to compute constants
    let data: usize = Data::FIELDS.iter().map(|f| bytes(f, s)).sum();
    spec.limits.check_memory("the model", s.nbuffer as u128 + data as u128)
}

/// Length of an array; an array that grows during simulation is counted by its initial size. (byte)
fn bytes(f: &FieldInfo, s: &Sizes) -> usize {
    f.dims.iter().map(|d| d.len(s)).product::<usize>() * f.dtype.bytes()
}

/// Length of all arrays of the model, each aligned to 64 bytes. (byte)
fn buffer(s: &Sizes) -> usize {
    const ALIGN: usize = 64;
    let padded = |n: usize| n.div_ceil(ALIGN) * ALIGN;
    let total: usize = Model::FIELDS.iter().map(|f| padded(bytes(f, s))).sum::<usize>() + padded(4 * s.nnames_map);
    let last = Model::FIELDS.last().map_or(0, |f| bytes(f, s));
    total - (padded(last) - last)
}
