//! Bounding-volume trees over the geoms of each body.

use super::flat::{Flat, FlatBody};
use sinew_engine::{Model, Sizes};
use sinew_geometry::mesh::bvh::{Leaf, Tree};
use sinew_math::{quat, vec3};

/// The trees of all bodies, in the inertial frames of the bodies.
pub(crate) struct BodyTrees(Vec<Tree>);

impl BodyTrees {
    pub fn new(flat: &Flat) -> Self {
        BodyTrees(flat.bodies.iter().map(|body| Tree::build(&leaves(flat, body))).collect())
    }

    pub fn count(&self, sizes: &mut Sizes) {
        let nodes: usize = self.0.iter().map(Tree::len).sum();
        sizes.nbvh += nodes;
        sizes.nbvhstatic += nodes;
    }

    /// Writes the trees at the start of the arrays.
    pub fn fill(&self, m: &mut Model) {
        let mut adr = 0;
        for (i, tree) in self.0.iter().enumerate() {
            let nodes = adr..adr + tree.len();
            m.body_bvhadr[i] = if tree.is_empty() { -1 } else { adr as i32 };
            m.body_bvhnum[i] = tree.len() as i32;
            m.bvh_depth[nodes.clone()].copy_from_slice(&tree.level);
            m.bvh_child[nodes.clone()].copy_from_slice(&tree.child);
            m.bvh_nodeid[nodes.clone()].copy_from_slice(&tree.nodeid);
            m.bvh_aabb[nodes.clone()].copy_from_slice(&tree.aabb);
            adr = nodes.end;
        }
    }
}

/// Colliding geoms of a body.
fn leaves(flat: &Flat, body: &FlatBody) -> Vec<Leaf> {
    let back = quat::conj(body.spec.iquat);
    body.geoms
        .clone()
        .map(|i| (i, &flat.geoms[i]))
        .filter(|(_, g)| g.spec.contype != 0 || g.spec.conaffinity != 0)
        .map(|(geom, g)| {
            let arm = vec3::sub(g.spec.pos, body.spec.com());
            let (mut low, mut high) = ([f64::MAX; 3], [f64::MIN; 3]);
            for corner in 0..8 {
                let sign = |i: usize| if corner >> i & 1 == 1 { 1.0 } else { -1.0 };
                let point = std::array::from_fn(|i| g.aabb[i] + sign(i) * g.aabb[i + 3]);
                let point = quat::rotate(back, vec3::add(quat::rotate(g.spec.quat, point), arm));
                low = std::array::from_fn(|i| low[i].min(point[i]));
                high = std::array::from_fn(|i| high[i].max(point[i]));
            }
            Leaf { id: geom as i32, center: quat::rotate(back, arm), min: low, max: high }
        })
        .collect()
}
