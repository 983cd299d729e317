//! Triangle surfaces with normals and texture coordinates at their corners.

use crate::block::Block;
use crate::tree::{Bounds, NOTHING, Tree, around};
use crate::vector::{V3, cross, dot, sub, unit};
use sinew_engine::Model;

/// Shading data of a triangle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Face {
    pub normals: [V3; 3],
    pub uv: [[f32; 2]; 3],
}

/// A surface in its local frame. Its triangles are indexed by their positions in the leaves of its tree.
#[derive(Clone, Debug, Default)]
pub(crate) struct Surface {
    pub tree: Tree,
    /// One per leaf.
    pub blocks: Vec<Block>,
    /// In model order.
    faces: Vec<Face>,
}

fn flat_normal([a, b, c]: [V3; 3]) -> V3 {
    unit(cross(sub(b, a), sub(c, a)))
}

impl Surface {
    pub fn new(corners: &[[V3; 3]], face: impl Fn(usize) -> Face) -> Surface {
        let boxes: Vec<Bounds> = corners.iter().map(|t| around(*t)).collect();
        let tree = Tree::build(&boxes, 4);
        let block = |items: &[u32; 4]| {
            let mut block = Block::default();
            let there = items.iter().enumerate().filter(|(_, i)| **i != NOTHING);
            there.for_each(|(place, i)| block.set(place, corners[*i as usize]));
            block
        };
        let blocks = tree.order.as_chunks::<4>().0.iter().map(block).collect();
        Surface { tree, blocks, faces: (0..corners.len()).map(face).collect() }
    }

    /// Shading data of the triangle at a position.
    #[inline(always)]
    pub fn face(&self, place: usize) -> &Face {
        &self.faces[self.tree.order[place] as usize]
    }

    /// An edge, 1 or 2, of the triangle at a position.
    pub fn edge(&self, place: usize, edge: usize) -> V3 {
        self.blocks[place / 4].triangle(place % 4)[edge]
    }

    /// Triangles with one normal each.
    pub fn flat(corners: &[[V3; 3]]) -> Surface {
        Surface::new(corners, |i| Face { normals: [flat_normal(corners[i]); 3], uv: [[0.0; 2]; 3] })
    }

    /// A mesh of the model. Without texture coordinates, normals that differ much from the face's are replaced by it;
    /// corners without a normal get the face's.
    pub fn mesh(m: &Model, id: usize) -> Surface {
        const ALIKE: f32 = 0.8;
        let faces = m.mesh_faceadr[id] as usize..(m.mesh_faceadr[id] + m.mesh_facenum[id]) as usize;
        let verts = &m.mesh_vert[m.mesh_vertadr[id] as usize..];
        let normals = &m.mesh_normal[m.mesh_normaladr[id] as usize..];
        let textured = usize::try_from(m.mesh_texcoordadr[id]).ok();
        let first = faces.start;
        let corners: Vec<[V3; 3]> = m.mesh_face[faces].iter().map(|f| f.map(|v| verts[v as usize])).collect();
        Surface::new(&corners, |i| {
            let flat = flat_normal(corners[i]);
            let own = m.mesh_facenormal[first + i].map(|n| usize::try_from(n).map_or(flat, |n| normals[n]));
            let Some(adr) = textured else {
                return Face { normals: own.map(|n| if dot(n, flat) < ALIKE { flat } else { n }), uv: [[0.0; 2]; 3] };
            };
            let place = |t: i32| usize::try_from(t).map_or([0.0; 2], |t| m.mesh_texcoord[adr + t]);
            let uv = m.mesh_facetexcoord[first + i].map(place);
            Face { normals: own, uv }
        })
    }

    /// The convex hull of a mesh.
    pub fn hull(m: &Model, id: usize) -> Surface {
        let Ok(adr) = usize::try_from(m.mesh_graphadr[id]) else { return Surface::default() };
        let (verts, graph) = (&m.mesh_vert[m.mesh_vertadr[id] as usize..], &m.mesh_graph[adr..]);
        let [nvert, nface] = [graph[0] as usize, graph[1] as usize];
        let faces = graph[2 + 3 * nvert + 3 * nface..][..3 * nface].chunks_exact(3);
        let corners: Vec<[V3; 3]> = faces.map(|f| [0, 1, 2].map(|k| verts[f[k] as usize])).collect();
        Surface::flat(&corners)
    }

    /// A height field with its sides and bottom.
    pub fn height_field(m: &Model, id: usize) -> Surface {
        let [sx, sy, sz, base] = m.hfield_size[id].map(|s| s as f32);
        let (rows, cols) = (m.hfield_nrow[id] as usize, m.hfield_ncol[id] as usize);
        let data = &m.hfield_data[m.hfield_adr[id] as usize..][..rows * cols];
        if rows < 2 || cols < 2 {
            return Surface::default();
        }
        let x = |c: usize| sx * (2.0 * c as f32 / (cols - 1) as f32 - 1.0);
        let y = |r: usize| sy * (2.0 * r as f32 / (rows - 1) as f32 - 1.0);
        let top = |r: usize, c: usize| [x(c), y(r), data[r * cols + c] * sz];
        let low = |p: V3| [p[0], p[1], -base];
        let mut out: Vec<[V3; 3]> = Vec::with_capacity(2 * rows * cols);
        for r in 0..rows - 1 {
            for c in 0..cols - 1 {
                let (a, b) = (top(r, c), top(r, c + 1));
                let (d, e) = (top(r + 1, c), top(r + 1, c + 1));
                out.extend([[d, a, e], [a, b, e]]);
            }
        }
        let mut wall = |a: V3, b: V3| out.extend([[low(a), low(b), b], [low(a), b, a]]);
        for r in 0..rows - 1 {
            wall(top(r + 1, 0), top(r, 0));
            wall(top(r, cols - 1), top(r + 1, cols - 1));
        }
        for c in 0..cols - 1 {
            wall(top(0, c), top(0, c + 1));
            wall(top(rows - 1, c + 1), top(rows - 1, c));
        }
        let [a, b, c, d] = [[-sx, -sy, -base], [-sx, sy, -base], [sx, sy, -base], [sx, -sy, -base]];
        out.extend([[a, b, c], [a, c, d]]);
        Surface::flat(&out)
    }

    /// Bounds in the surface's local frame.
    pub fn bounds(&self) -> Bounds {
        self.tree.bounds
    }
}
