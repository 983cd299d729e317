//! Connectivity of elements: edges, hinges, the surface and the layers below it, neighbours.

use sinew_engine::support::flex::{TETRAHEDRON_EDGES, TRIANGLE_EDGES};
use sinew_math::{Vec3, vec3};
use std::collections::HashMap;

/// Corners of the edges of an element, by dimension.
const EDGES: [&[[usize; 2]]; 3] = [&[[0, 1]], &TRIANGLE_EDGES, &TETRAHEDRON_EDGES];

/// Corners of the sides of an element, by dimension: vertices, edges, faces. Faces of a solid look outward.
const SIDES: [&[&[usize]]; 3] =
    [&[&[0], &[1]], &[&[0, 1], &[1, 2], &[2, 0]], &[&[0, 1, 2], &[0, 2, 3], &[0, 3, 1], &[1, 3, 2]]];

/// Corners of the edges of an element of this dimension.
pub(super) fn edges_of(dim: usize) -> &'static [[usize; 2]] {
    EDGES[dim - 1]
}

/// An edge of a shell with the vertices opposite to it in its two triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Flap {
    /// Ends, in the order of the first triangle.
    pub ends: [i32; 2],
    /// Vertices opposite to the edge; −1 for none.
    pub across: [i32; 2],
}

/// Everything that is determined by the elements alone.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Topology {
    /// Ends of each edge, the smaller first; in order of first appearance.
    pub edges: Vec<[i32; 2]>,
    /// Edges of the elements.
    pub elem_edges: Vec<i32>,
    /// One hinge per edge of a shell.
    pub flaps: Vec<Flap>,
    /// Vertices of the sides that belong to only one element.
    pub shell: Vec<i32>,
    /// Layers between each element and the surface; 0 for lines and shells.
    pub layer: Vec<i32>,
    /// Element and vertex of a neighbour, for neighbours at the border of lines and shells.
    pub evpair: Vec<[i32; 2]>,
}

/// A side of an element.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Side {
    /// Vertices in ascending order, equal for all elements that share the side.
    key: Vec<i32>,
    elem: usize,
    /// Vertices in the order of the element.
    verts: Vec<i32>,
}

/// Swaps two vertices of every tetrahedron whose faces point inward.
pub(super) fn turn_outward(elem: &mut [i32], at: &[Vec3]) {
    for e in elem.chunks_exact_mut(4) {
        let [a, b, c, d] = [e[0], e[1], e[2], e[3]].map(|i| at[i as usize]);
        let normal = vec3::cross(vec3::sub(b, a), vec3::sub(c, a));
        if vec3::dot(normal, vec3::sub(d, a)) > 0.0 {
            e.swap(1, 2);
        }
    }
}

impl Topology {
    pub fn new(elem: &[i32], dim: usize) -> Self {
        let mut out = Topology::default();
        out.find_edges(elem, dim);
        out.find_sides(elem, dim);
        out
    }

    fn find_edges(&mut self, elem: &[i32], dim: usize) {
        let mut known: HashMap<[i32; 2], usize> = HashMap::new();
        for e in elem.chunks_exact(dim + 1) {
            for &[a, b] in edges_of(dim) {
                let ends = [e[a].min(e[b]), e[a].max(e[b])];
                let new = self.edges.len();
                let id = *known.entry(ends).or_insert(new);
                if id == new {
                    self.edges.push(ends);
                }
                self.elem_edges.push(id as i32);
                if dim != 2 {
                    continue;
                }
                let across = e[3 - a - b];
                if id == new {
                    self.flaps.push(Flap { ends: [e[a], e[b]], across: [across, -1] });
                } else {
                    self.flaps[id].across[1] = across;
                }
            }
        }
    }

    /// Finds the sides of only one element, which make up the shell, and the sides shared between elements.
    fn find_sides(&mut self, elem: &[i32], dim: usize) {
        let nelem = elem.len() / (dim + 1);
        let mut sides: Vec<Side> = Vec::with_capacity(nelem * (dim + 1));
        for (i, e) in elem.chunks_exact(dim + 1).enumerate() {
            for corners in SIDES[dim - 1] {
                let verts: Vec<i32> = corners.iter().map(|&k| e[k]).collect();
                let mut key = verts.clone();
                key.sort_unstable();
                sides.push(Side { key, elem: i, verts });
            }
        }
        sides.sort_unstable();
        let mut border = vec![false; nelem];
        let mut ties = Vec::new();
        for same in sides.chunk_by(|a, b| a.key == b.key) {
            if let [single] = same {
                border[single.elem] = true;
                self.shell.extend(&single.verts);
            }
            ties.extend(same.windows(2).map(|pair| (pair[0].elem, pair[1].elem, &pair[0].key)));
        }
        self.layer = if dim == 3 { layers(&border, &ties) } else { vec![0; nelem] };
        if dim == 3 {
            return;
        }
        for (a, b, shared) in ties.into_iter().filter(|t| border[t.0] || border[t.1]) {
            for (own, other) in [(a, b), (b, a)] {
                let corners = &elem[own * (dim + 1)..(own + 1) * (dim + 1)];
                if let Some(&free) = corners.iter().find(|v| !shared.contains(v)) {
                    self.evpair.push([other as i32, free]);
                }
            }
        }
    }
}

/// Number of steps from each element to the nearest one at the border, through shared sides.
fn layers(border: &[bool], ties: &[(usize, usize, &Vec<i32>)]) -> Vec<i32> {
    let far = border.len() as i32 + 1;
    let mut neighbours = vec![Vec::new(); border.len()];
    for &(a, b, _) in ties {
        neighbours[a].push(b);
        neighbours[b].push(a);
    }
    let mut layer: Vec<i32> = border.iter().map(|&b| if b { 0 } else { far }).collect();
    let mut queue: std::collections::VecDeque<usize> = (0..border.len()).filter(|&e| border[e]).collect();
    while let Some(e) = queue.pop_front() {
        for &n in &neighbours[e] {
            if layer[n] == far {
                layer[n] = layer[e] + 1;
                queue.push_back(n);
            }
        }
    }
    layer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_of_two_triangles() {
        let t = Topology::new(&[0, 1, 2, 0, 2, 3], 2);
        assert_eq!(t.edges, [[1, 2], [0, 2], [0, 1], [2, 3], [0, 3]]);
        assert_eq!(t.elem_edges, [0, 1, 2, 3, 4, 1]);
        assert_eq!(t.flaps[1].across, [1, 3]);
        assert_eq!(t.flaps[0].across, [0, -1]);
        assert_eq!(t.shell.len(), 2 * 4);
        assert_eq!(t.evpair, [[1, 1], [0, 3]]);
    }

    #[test]
    fn a_tetrahedron_inside_others_is_one_layer_deep() {
        // one tetrahedron, with another on each of its faces
        let mut elem = vec![0, 2, 1, 3];
        for (i, f) in [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]].iter().enumerate() {
            elem.extend([f[0], f[1], f[2], 4 + i as i32]);
        }
        let t = Topology::new(&elem, 3);
        assert_eq!(t.layer, [1, 0, 0, 0, 0]);
        assert_eq!(t.shell.len(), 3 * 12);
    }

    #[test]
    fn tetrahedra_look_outward() {
        let at = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let mut elem = [0, 1, 2, 3];
        turn_outward(&mut elem, &at);
        assert_eq!(elem, [0, 2, 1, 3]);
        turn_outward(&mut elem, &at);
        assert_eq!(elem, [0, 2, 1, 3]);
    }
}
