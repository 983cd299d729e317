//! Depth-first order of the bodies, and the ids and addresses that follow from it.

use super::flat::Flat;
use crate::error::{Error, ErrorKind, Result};
use crate::schema::attr;
use crate::spec::{Body, Spec};
use sinew_engine::model::enums::SleepPolicy;
use sinew_engine::{Model, Sizes};

/// Maximum nesting depth of bodies.
const MAX_DEPTH: usize = 1023;
/// Models with this many bodies or more are refused.
const MAX_BODIES: usize = 65534;

/// A body of the specification at its position in the model.
#[derive(Clone, Copy)]
pub(crate) struct Node<'a> {
    pub body: &'a Body,
    /// Parent body id; 0 for the world itself.
    pub parent: usize,
}

/// Bodies, world first, each followed by its descendants.
pub(crate) fn walk(spec: &Spec) -> Result<Vec<Node<'_>>> {
    if let Some(joint) = spec.world.joints.first() {
        let error = Error::invalid("the world body cannot have joints").at(joint.meta.loc).element("joint");
        return Err(error.hint("put the joint in a body"));
    }
    let mut nodes = Vec::new();
    let mut open = vec![(Node { body: &spec.world, parent: 0 }, 0)];
    while let Some((node, depth)) = open.pop() {
        if depth > MAX_DEPTH {
            let error = Error::new(ErrorKind::Limit(format!("bodies nested deeper than {MAX_DEPTH}")));
            return Err(error.at(node.body.meta.loc).element("body"));
        }
        let id = nodes.len();
        nodes.push(node);
        open.extend(node.body.bodies.iter().rev().map(|body| (Node { body, parent: id }, depth + 1)));
    }
    if nodes.len() >= MAX_BODIES {
        return Err(Error::new(ErrorKind::Limit(format!("number of bodies must be less than {MAX_BODIES}"))));
    }
    Ok(nodes)
}

/// Assigns ids and addresses: element ranges, coordinate addresses, roots, welds, mocap ids, trees. Elements are
/// already grouped by body.
pub(crate) fn number(flat: &mut Flat) {
    let (mut nq, mut nv, mut nmocap) = (0, 0, 0);
    let (mut joint, mut geom) = (0, 0);
    flat.ntree = 0;
    flat.bodies.iter_mut().for_each(|b| b.has_children = false);
    for i in 0..flat.bodies.len() {
        let joints = joint..joint + flat.joints[joint..].iter().take_while(|j| j.body == i).count();
        let geoms = geom..geom + flat.geoms[geom..].iter().take_while(|g| g.body == i).count();
        (joint, geom) = (joints.end, geoms.end);
        let first_dof = nv;
        for j in &mut flat.joints[joints.clone()] {
            (j.qposadr, j.dofadr) = (nq, nv);
            nq += super::joint::nq(j.spec.kind);
            nv += super::joint::nv(j.spec.kind);
        }
        let parent = flat.bodies[i].parent;
        let parent_weld = flat.bodies[parent].weld;
        if i > 0 && parent_weld == 0 && !joints.is_empty() {
            flat.ntree += 1;
        }
        let root = if parent == 0 { i } else { flat.bodies[parent].root };
        if i > 0 {
            flat.bodies[parent].has_children = true;
        }
        let body = &mut flat.bodies[i];
        body.root = root;
        body.weld = if joints.is_empty() { parent_weld } else { i };
        body.mocapid = body.spec.mocap.then_some(nmocap);
        nmocap += usize::from(body.spec.mocap);
        (body.joints, body.geoms, body.dofs) = (joints, geoms, first_dof..nv);
    }
    (flat.nq, flat.nv, flat.nmocap) = (nq, nv, nmocap);
}

/// Counts the sizes of the tree.
pub(crate) fn count(flat: &Flat, s: &mut Sizes) {
    (s.nq, s.nv, s.ntree, s.nmocap) = (flat.nq, flat.nv, flat.ntree, flat.nmocap);
    (s.nbody, s.njnt, s.ngeom) = (flat.bodies.len(), flat.joints.len(), flat.geoms.len());
    (s.nsite, s.ncam, s.nlight) = (flat.sites.len(), flat.cameras.len(), flat.lights.len());
}

/// Writes which tree each body and degree of freedom belongs to, and the sleep policy of trees. `dof_parentid` is
/// already filled.
pub(crate) fn fill_trees(flat: &Flat, m: &mut Model) -> Result<()> {
    let mut tree = -1;
    for dof in 0..m.nv {
        tree += i32::from(m.dof_parentid[dof] == -1);
        m.dof_treeid[dof] = tree;
    }
    m.tree_sleep_policy.fill(SleepPolicy::Auto.into());
    for (i, body) in flat.bodies.iter().enumerate() {
        let dofs = &flat.bodies[body.weld].dofs;
        m.body_treeid[i] = if dofs.is_empty() { -1 } else { m.dof_treeid[dofs.start] };
        if i > 0 && body.spec.sleep != SleepPolicy::Auto {
            let first = m.body_treeid[i] != m.body_treeid[i - 1];
            let Some(tree) = usize::try_from(m.body_treeid[i]).ok().filter(|_| first) else {
                let error = Error::invalid("only the first moving body of a tree can have a sleep policy");
                return Err(error.at(body.spec.meta.loc).element("body").attribute(attr::SLEEP));
            };
            m.tree_sleep_policy[tree] = body.spec.sleep.into();
        }
    }
    Ok(())
}
