//! Traversal and size of the body tree.

use super::{Body, Spec};

impl Body {
    /// Calls `f` with this body and all below it, depth first.
    pub(crate) fn each(&self, f: &mut impl FnMut(&Body)) {
        f(self);
        self.bodies.iter().for_each(|child| child.each(f));
    }

    /// Calls `f` with this body and all below it, depth first.
    pub(crate) fn each_mut(&mut self, f: &mut impl FnMut(&mut Body)) {
        f(self);
        self.bodies.iter_mut().for_each(|child| child.each_mut(f));
    }

    /// Number of elements in this body and below; long names count more than once.
    pub(crate) fn weight(&self) -> usize {
        let mut weight = 0;
        let mut add = |name: &str, userdata: usize| weight += 1 + (name.len() + userdata) / 64;
        self.each(&mut |body| {
            add(&body.meta.name, body.userdata.len());
            body.frames.iter().for_each(|e| add(&e.meta.name, 0));
            body.joints.iter().for_each(|e| add(&e.meta.name, e.userdata.len()));
            body.geoms.iter().for_each(|e| add(&e.meta.name, e.userdata.len()));
            body.sites.iter().for_each(|e| add(&e.meta.name, e.userdata.len()));
            body.cameras.iter().for_each(|e| add(&e.meta.name, e.userdata.len()));
            body.lights.iter().for_each(|e| add(&e.meta.name, 0));
        });
        weight
    }

    /// Length of the longest chain of bodies from this one down.
    pub(crate) fn height(&self) -> usize {
        1 + self.bodies.iter().map(Body::height).max().unwrap_or(0)
    }

    /// Child indices of the path to the first body of this name.
    fn find(&self, name: &str, path: &mut Vec<usize>) -> bool {
        if self.meta.name == name {
            return true;
        }
        for (i, child) in self.bodies.iter().enumerate() {
            path.push(i);
            if child.find(name, path) {
                return true;
            }
            path.pop();
        }
        false
    }
}

/// Deep trees are dismantled level by level: recursive drop can need more stack than a thread has.
impl Drop for Spec {
    fn drop(&mut self) {
        let mut open = std::mem::take(&mut self.world.bodies);
        while let Some(mut body) = open.pop() {
            open.append(&mut body.bodies);
        }
    }
}

impl Spec {
    /// The body at the end of a path of child indices from the world.
    ///
    /// # Panics
    /// When there is no such body.
    pub(crate) fn body(&self, path: &[usize]) -> &Body {
        path.iter().fold(&self.world, |body, &i| &body.bodies[i])
    }

    /// The body at the end of a path of child indices from the world.
    ///
    /// # Panics
    /// When there is no such body.
    pub(crate) fn body_mut(&mut self, path: &[usize]) -> &mut Body {
        path.iter().fold(&mut self.world, |body, &i| &mut body.bodies[i])
    }

    /// Child indices of the path to the first body of this name, depth first.
    pub(crate) fn find_body(&self, name: &str) -> Option<Vec<usize>> {
        let mut path = Vec::new();
        self.world.find(name, &mut path).then_some(path)
    }

    /// Number of elements of the whole model; large ones count more than once.
    pub(crate) fn weight(&self) -> usize {
        let meshes = self.meshes.iter().map(|m| 1 + (m.uservert.len() + m.userface.len()) / 64);
        let fields = self.hfields.iter().map(|h| 1 + h.userdata.len() / 64);
        let skins = self.skins.iter().map(|s| 1 + (s.vert.len() + s.face.len()) / 64 + s.bones.len());
        let flexes = self.flexes.iter().map(|f| 1 + (f.vert.len() + f.elem.len()) / 64);
        let tendons = self.tendons.iter().map(|t| 1 + t.path.len());
        let numerics = self.numerics.iter().map(|n| 1 + n.data.len() / 64);
        let texts = self.texts.iter().map(|t| 1 + t.data.len() / 64);
        let tuples = self.tuples.iter().map(|t| 1 + t.objname.len());
        let rest = [
            self.textures.len(),
            self.materials.len(),
            self.pairs.len(),
            self.excludes.len(),
            self.equalities.len(),
            self.actuators.len(),
            self.sensors.len(),
        ];
        self.world.weight()
            + meshes
                .chain(fields)
                .chain(skins)
                .chain(flexes)
                .chain(tendons)
                .chain(numerics)
                .chain(texts)
                .chain(tuples)
                .sum::<usize>()
            + rest.iter().sum::<usize>()
    }
}
