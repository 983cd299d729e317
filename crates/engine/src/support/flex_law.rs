//! Common parts of elasticity and bending laws: which flexes can follow one, and laws by flex name.

use crate::model::Model;
use crate::model::enums::ObjType;
use crate::model::names::nearest;

/// Whether the elements of a flex can follow a law: triangles or tetrahedra with moving vertices.
#[inline]
pub fn is_elastic(m: &Model, f: usize) -> bool {
    m.flex_dim[f] > 1 && m.flex_rigid[f] == 0 && m.flex_interp[f] == 0
}

/// Whether the hinges of a flex can follow a law: it is made of triangles with moving vertices.
#[inline]
pub fn is_sheet(m: &Model, f: usize) -> bool {
    m.flex_dim[f] == 2 && is_elastic(m, f)
}

/// Laws for individual flexes by name; all other flexes follow MuJoCo's.
#[derive(Clone, Debug)]
pub struct PerFlex<L> {
    named: Vec<(String, L)>,
    /// Index into `named` for each flex of the prepared model.
    of: Vec<Option<usize>>,
}

impl<L> PerFlex<L> {
    /// No laws.
    pub fn new() -> Self {
        PerFlex { named: Vec::new(), of: Vec::new() }
    }

    /// Adds a law for the flex with this name; the last law for a name wins.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, law: L) -> Self {
        self.named.push((name.into(), law));
        self
    }

    /// The law of a flex.
    #[inline]
    pub(super) fn get(&self, flex: usize) -> Option<&L> {
        let law = (*self.of.get(flex)?)?;
        Some(&self.named[law].1)
    }

    /// Resolves flex names to indices.
    pub(super) fn find(&mut self, m: &Model, fits: impl Fn(&Model, usize) -> bool) -> Result<(), String> {
        self.of = vec![None; m.nflex];
        for (law, (name, _)) in self.named.iter().enumerate() {
            let Some(f) = m.name2id(ObjType::Flex, name) else {
                let names = (0..m.nflex).filter_map(|f| m.id2name(ObjType::Flex, f));
                let near = nearest(name, names).map_or(String::new(), |near| format!("; did you mean '{near}'?"));
                return Err(format!("no flex is named '{name}'{near}"));
            };
            if !fits(m, f) {
                return Err(format!("flex '{name}' has no elements that could follow the law"));
            }
            self.of[f] = Some(law);
        }
        Ok(())
    }
}

impl<L> Default for PerFlex<L> {
    fn default() -> Self {
        Self::new()
    }
}
