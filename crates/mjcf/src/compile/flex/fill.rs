//! Writes flexes to the arrays of the model.

use super::super::Section;
use super::super::shared::id_or_none;
use super::topology::edges_of;
use super::{CompiledFlex, CompiledFlexes};
use sinew_engine::{Model, Sizes};

/// Array positions where the next flex starts.
#[derive(Default)]
struct Cursor {
    vert: usize,
    node: usize,
    edge: usize,
    elem: usize,
    elemdata: usize,
    elemedge: usize,
    shell: usize,
    evpair: usize,
    texcoord: usize,
    bvh: usize,
}

impl Section for CompiledFlexes {
    fn count(&self, sizes: &mut Sizes) {
        let mut seen = vec![false; self.chains.parent.len()];
        sizes.nflex = self.list.len();
        for flex in &self.list {
            let nelem = flex.topology.layer.len();
            sizes.nflexnode += flex.nodes.len();
            sizes.nflexvert += flex.nvert();
            sizes.nflexedge += flex.topology.edges.len();
            sizes.nflexelem += nelem;
            sizes.nflexelemdata += flex.spec.elem.len();
            sizes.nflexelemedge += nelem * edges_of(flex.dim()).len();
            sizes.nflexshelldata += flex.topology.shell.len();
            sizes.nflexevpair += flex.topology.evpair.len();
            sizes.nflextexcoord += flex.spec.texcoord.len();
            sizes.nbvh += flex.tree.len();
            sizes.nbvhdynamic += flex.tree.len();
            if flex.rigid || flex.interpolated() {
                continue;
            }
            for ends in &flex.topology.edges {
                sizes.nJfe += self.chains.count(ends.iter().map(|&v| flex.bodies[v as usize]), &mut seen);
            }
            for around in flex.neighbourhoods() {
                sizes.nJfv += self.chains.count(around.iter().map(|&v| flex.bodies[v]), &mut seen);
            }
        }
    }

    fn fill(&self, m: &mut Model) {
        let mut at = Cursor { bvh: m.nbvhstatic, ..Cursor::default() };
        for (i, flex) in self.list.iter().enumerate() {
            flex.fill_settings(i, m);
            flex.fill_vertices(i, &at, m);
            flex.fill_elements(i, &at, m);
            self.fill_edges(flex, &at, m);
            flex.fill_tree(i, &at, m);
            at.advance(flex);
        }
    }
}

impl Cursor {
    fn advance(&mut self, flex: &CompiledFlex) {
        let nelem = flex.topology.layer.len();
        self.vert += flex.nvert();
        self.node += flex.nodes.len();
        self.edge += flex.topology.edges.len();
        self.elem += nelem;
        self.elemdata += flex.spec.elem.len();
        self.elemedge += flex.topology.elem_edges.len();
        self.shell += flex.topology.shell.len();
        self.evpair += flex.topology.evpair.len();
        self.texcoord += flex.spec.texcoord.len();
        self.bvh += flex.tree.len();
    }
}

impl CompiledFlexes {
    fn fill_edges(&self, flex: &CompiledFlex, at: &Cursor, m: &mut Model) {
        let t = &flex.topology;
        let edges = at.edge..at.edge + t.edges.len();
        m.flex_edge[edges.clone()].copy_from_slice(&t.edges);
        for (k, ends) in t.edges.iter().enumerate() {
            let bends = flex.dim() == 2 && flex.spec.bends();
            m.flex_edgeflap[at.edge + k] = if bends { t.flaps[k].across } else { [-1; 2] };
            let welded = |ends: &[i32; 2]| {
                let [a, b] = ends.map(|v| self.chains.weld[flex.bodies[v as usize]]);
                a == b
            };
            m.flexedge_rigid[at.edge + k] = (flex.rigid || (!flex.interpolated() && welded(ends))).into();
        }
        if !flex.bending.is_empty() {
            m.flex_bending[edges].copy_from_slice(&flex.bending);
        }
    }
}

impl CompiledFlex {
    /// Each vertex with the vertices that share an edge with it.
    fn neighbourhoods(&self) -> Vec<Vec<usize>> {
        let mut around: Vec<Vec<usize>> = (0..self.nvert()).map(|v| vec![v]).collect();
        for &[a, b] in &self.topology.edges {
            around[a as usize].push(b as usize);
            around[b as usize].push(a as usize);
        }
        around
    }

    fn fill_settings(&self, i: usize, m: &mut Model) {
        let flex = &self.spec;
        m.flex_contype[i] = flex.contype;
        m.flex_conaffinity[i] = flex.conaffinity;
        m.flex_condim[i] = flex.condim;
        m.flex_priority[i] = flex.priority;
        m.flex_solmix[i] = flex.solmix;
        m.flex_solref[i] = flex.solref;
        m.flex_solimp[i] = flex.solimp;
        m.flex_friction[i] = flex.friction;
        m.flex_margin[i] = flex.margin;
        m.flex_gap[i] = flex.gap;
        m.flex_internal[i] = flex.internal.into();
        m.flex_selfcollide[i] = flex.selfcollide.into();
        m.flex_activelayers[i] = flex.activelayers;
        m.flex_passive[i] = flex.passive.into();
        m.flex_dim[i] = flex.dim;
        m.flex_matid[i] = id_or_none(self.matid);
        m.flex_group[i] = flex.group;
        m.flex_interp[i] = self.order as i32;
        m.flex_radius[i] = flex.radius;
        m.flex_size[i] = self.extent().0;
        m.flex_damping[i] = flex.damping;
        m.flex_edgestiffness[i] = flex.edgestiffness;
        m.flex_edgedamping[i] = flex.edgedamping;
        m.flex_rigid[i] = self.rigid.into();
        m.flex_centered[i] = self.centered.into();
        m.flex_flatskin[i] = flex.flatskin.into();
        m.flex_rgba[i] = flex.rgba;
    }

    fn fill_vertices(&self, i: usize, at: &Cursor, m: &mut Model) {
        let (nvert, nnode) = (self.nvert(), self.nodes.len());
        (m.flex_vertadr[i], m.flex_vertnum[i]) = (at.vert as i32, nvert as i32);
        (m.flex_nodeadr[i], m.flex_nodenum[i]) = (at.node as i32, nnode as i32);
        let verts = at.vert..at.vert + nvert;
        for (slot, v) in m.flex_vert[verts.clone()].iter_mut().zip(&self.spec.vert) {
            *slot = *v;
        }
        for (slot, v) in m.flex_vert0[verts.clone()].iter_mut().zip(self.relative()) {
            *slot = v;
        }
        for (k, slot) in m.flex_vertbodyid[verts].iter_mut().enumerate() {
            *slot = id_or_none(self.bodies.get(k).copied());
        }
        for k in 0..nnode {
            m.flex_nodebodyid[at.node + k] = self.nodes[k] as i32;
            m.flex_node[at.node + k] = self.spec.node.get(k).copied().unwrap_or_default();
            m.flex_node0[at.node + k] = self.world_nodes[k];
        }
        m.flex_texcoordadr[i] = if self.spec.texcoord.is_empty() { -1 } else { at.texcoord as i32 };
        m.flex_texcoord[at.texcoord..at.texcoord + self.spec.texcoord.len()].copy_from_slice(&self.spec.texcoord);
    }

    fn fill_elements(&self, i: usize, at: &Cursor, m: &mut Model) {
        let t = &self.topology;
        let nelem = t.layer.len();
        (m.flex_elemadr[i], m.flex_elemnum[i]) = (at.elem as i32, nelem as i32);
        (m.flex_edgeadr[i], m.flex_edgenum[i]) = (at.edge as i32, t.edges.len() as i32);
        (m.flex_elemdataadr[i], m.flex_elemedgeadr[i]) = (at.elemdata as i32, at.elemedge as i32);
        m.flex_shellnum[i] = (t.shell.len() / self.dim()) as i32;
        m.flex_shelldataadr[i] = if t.shell.is_empty() { -1 } else { at.shell as i32 };
        m.flex_evpairnum[i] = t.evpair.len() as i32;
        m.flex_evpairadr[i] = if t.evpair.is_empty() { -1 } else { at.evpair as i32 };
        let data = at.elemdata..at.elemdata + self.spec.elem.len();
        m.flex_elem[data.clone()].copy_from_slice(&self.spec.elem);
        let texture = if self.spec.elemtexcoord.is_empty() { &self.spec.elem } else { &self.spec.elemtexcoord };
        m.flex_elemtexcoord[data].iter_mut().zip(texture).for_each(|(slot, &t)| *slot = t);
        m.flex_elemedge[at.elemedge..at.elemedge + t.elem_edges.len()].copy_from_slice(&t.elem_edges);
        m.flex_elemlayer[at.elem..at.elem + nelem].copy_from_slice(&t.layer);
        m.flex_shell[at.shell..at.shell + t.shell.len()].copy_from_slice(&t.shell);
        m.flex_evpair[at.evpair..at.evpair + t.evpair.len()].copy_from_slice(&t.evpair);
        if !self.stiffness.is_empty() {
            m.flex_stiffness[at.elem..at.elem + nelem].copy_from_slice(&self.stiffness);
        }
    }

    /// Boxes depend on the state and are not stored.
    fn fill_tree(&self, i: usize, at: &Cursor, m: &mut Model) {
        let nodes = at.bvh..at.bvh + self.tree.len();
        m.flex_bvhadr[i] = if self.tree.is_empty() { -1 } else { at.bvh as i32 };
        m.flex_bvhnum[i] = self.tree.len() as i32;
        m.bvh_child[nodes.clone()].copy_from_slice(&self.tree.child);
        m.bvh_depth[nodes.clone()].copy_from_slice(&self.tree.level);
        m.bvh_nodeid[nodes].copy_from_slice(&self.tree.nodeid);
    }
}
