//! Bounding volumes visited by collision where flexes are involved. The collision stage traverses these trees
//! differently and finds the same contacts faster; this is the traversal whose nodes MuJoCo shows.

use sinew_engine::model::enums::{DisableFlags, EnableFlags, FlexSelf};
use sinew_engine::{Data, Model};
use sinew_math::{Mat3, Vec3, mat3, vec3};

/// A tree of a body or of a flex.
#[derive(Clone, Copy, PartialEq)]
enum Owner {
    Body(usize),
    Flex(usize),
}

/// Visited flag of each node; empty without flexes.
pub(super) fn looked_into(m: &Model, d: &Data) -> Vec<bool> {
    let mut marks = vec![false; if m.nflex > 0 { m.nbvh } else { 0 }];
    if m.nflex == 0 || m.opt.disabled(DisableFlags::MIDPHASE) || m.opt.disabled(DisableFlags::CONTACT) {
        return marks;
    }
    let walk = &mut Walk { m, d, marks: &mut marks };
    let with_tree = |f: &usize| m.flex_bvhadr[*f] >= 0;
    for f in (0..m.nflex).filter(with_tree) {
        let bodies = (0..m.nbody).filter(|b| m.body_bvhnum[*b] > 0);
        bodies.for_each(|b| walk.pair(Owner::Body(b), Owner::Flex(f)));
        (f + 1..m.nflex).filter(with_tree).for_each(|g| walk.pair(Owner::Flex(f), Owner::Flex(g)));
        let mode = m.flex_selfcollide[f];
        let by_tree = mode == FlexSelf::Bvh as i32 || mode == FlexSelf::Auto as i32 && m.flex_dim[f] == 3;
        if by_tree && m.flex_rigid[f] == 0 {
            walk.pair(Owner::Flex(f), Owner::Flex(f));
        }
    }
    marks
}

/// A box with its pose in the world.
struct Placed<'a> {
    aabb: &'a [f64; 6],
    pos: Vec3,
    mat: &'a Mat3,
}

impl Placed<'_> {
    /// Centre and half-extent along an axis.
    fn along(&self, axis: Vec3) -> (f64, f64) {
        let [x, y, z, sx, sy, sz] = *self.aabb;
        let centre = vec3::add(mat3::mul_vec(self.mat, [x, y, z]), self.pos);
        let local = mat3::mul_vec_t(self.mat, axis);
        (vec3::dot(centre, axis), (sx * local[0]).abs() + (sy * local[1]).abs() + (sz * local[2]).abs())
    }

    /// Whether no face normal of either box separates them by more than a margin.
    fn near(&self, other: &Placed, margin: f64) -> bool {
        let axes = (0..6).map(|k| mat3::col(if k < 3 { self.mat } else { other.mat }, k % 3));
        axes.into_iter().all(|axis| {
            let ((a, ra), (b, rb)) = (self.along(axis), other.along(axis));
            (a - b).abs() <= ra + rb + margin
        })
    }
}

struct Walk<'a> {
    m: &'a Model,
    d: &'a Data,
    marks: &'a mut [bool],
}

impl<'a> Walk<'a> {
    fn root(&self, of: Owner) -> usize {
        match of {
            Owner::Body(b) => self.m.body_bvhadr[b] as usize,
            Owner::Flex(f) => self.m.flex_bvhadr[f] as usize,
        }
    }

    fn placed(&self, of: Owner, node: usize) -> Placed<'a> {
        let (m, pose) = (self.m, &self.d.pose);
        match of {
            Owner::Body(b) => Placed { aabb: &m.bvh_aabb[node], pos: pose.xipos[b], mat: &pose.ximat[b] },
            Owner::Flex(_) => {
                let aabb = &pose.bvh_aabb_dyn[node - m.nbvhstatic];
                Placed { aabb, pos: [0.0; 3], mat: &mat3::IDENTITY }
            }
        }
    }

    fn margin(&self, of: Owner) -> f64 {
        match of {
            Owner::Body(b) => self.m.body_margin[b],
            Owner::Flex(f) => self.m.flex_margin[f],
        }
    }

    fn bits(&self, of: Owner) -> [i32; 2] {
        match of {
            Owner::Body(b) => [self.m.body_contype[b], self.m.body_conaffinity[b]],
            Owner::Flex(f) => [self.m.flex_contype[f], self.m.flex_conaffinity[f]],
        }
    }

    /// Recursively opens nodes that are near each other, the larger first, down to pairs of leaves.
    fn pair(&mut self, a: Owner, b: Owner) {
        let m = self.m;
        let ([type_a, affinity_a], [type_b, affinity_b]) = (self.bits(a), self.bits(b));
        if type_a & affinity_b == 0 && type_b & affinity_a == 0 {
            return;
        }
        let own = self.margin(a) + self.margin(b);
        let margin = if m.opt.enabled(EnableFlags::OVERRIDE) { m.opt.o_margin } else { own };
        let roots = [self.root(a), self.root(b)];
        let mut stack = vec![roots];
        while let Some([x, y]) = stack.pop() {
            if a == b && x > y {
                continue;
            }
            let (box_x, box_y) = (self.placed(a, x), self.placed(b, y));
            let leaves = [x, y].map(|n| m.bvh_child[n] == [-1, -1]);
            let flexes = matches!(a, Owner::Flex(_)) && leaves == [true, true];
            if !flexes && !box_x.near(&box_y, margin) {
                continue;
            }
            self.marks[x] = true;
            self.marks[y] = true;
            let open_first = match leaves {
                [true, true] => continue,
                [false, true] => true,
                [true, false] => false,
                [false, false] => surface(box_x.aabb) > surface(box_y.aabb),
            };
            let children = |k: usize, node: usize| {
                m.bvh_child[node].into_iter().filter_map(move |c| Some(roots[k] + usize::try_from(c).ok()?))
            };
            match open_first {
                true => stack.extend(children(0, x).map(|c| [c, y])),
                false => stack.extend(children(1, y).map(|c| [x, c])),
            }
        }
    }
}

/// Measure by which MuJoCo chooses the node to open: uses half-sizes minus centre, as if they were corners.
fn surface(b: &[f64; 6]) -> f64 {
    let [x, y, z] = [b[3] - b[0], b[4] - b[1], b[5] - b[2]];
    x * y + y * z + z * x
}
