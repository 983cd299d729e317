//! Source positions of the elements of a compiled model, for error messages of code that has only the model.

use super::{Loc, Spec};
use sinew_engine::Model;
use sinew_engine::model::enums::ObjType;

/// Source positions of elements, by kind and id.
#[derive(Clone, Debug, Default)]
pub struct Places {
    files: Vec<String>,
    kinds: Vec<(ObjType, Vec<Loc>)>,
}

impl Places {
    /// Collects the positions from a specification, by the ids of the model it was compiled to. Where compilation has
    /// dropped or merged elements, the others of that kind cannot be identified and have no position.
    pub fn of(spec: &mut Spec, m: &Model) -> Self {
        let sizes = [
            (ObjType::Joint, m.njnt),
            (ObjType::Geom, m.ngeom),
            (ObjType::Tendon, m.ntendon),
            (ObjType::Equality, m.neq),
            (ObjType::Actuator, m.nu),
            (ObjType::Sensor, m.nsensor),
        ];
        let mut kinds = Vec::with_capacity(sizes.len());
        for (kind, size) in sizes {
            let mut all = Vec::with_capacity(size);
            spec.visit(kind, &mut |meta, _, _| all.push(meta.loc));
            if all.len() == size {
                kinds.push((kind, all));
            }
        }
        Places { files: spec.files.clone(), kinds }
    }

    /// File, line and column of an element that comes from a file, as formatted in errors.
    pub fn find(&self, kind: ObjType, id: usize) -> Option<String> {
        let (_, all) = self.kinds.iter().find(|(of, _)| *of == kind)?;
        let loc = all.get(id).filter(|loc| !loc.is_made())?;
        let file = loc.file_name(&self.files).filter(|name| !name.is_empty());
        Some(file.map_or(String::new(), |name| format!("{name}:")) + &format!("{}:{}", loc.line, loc.column))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Loader;

    #[test]
    fn elements_are_found_by_their_numbers() {
        let xml = "<mujoco><worldbody>\n<body><joint name='a'/><geom size='.1'/>\n  <body><joint name='b'/><geom size='.1'/></body></body>
            </worldbody><actuator>\n<motor joint='b'/></actuator></mujoco>";
        let mut loaded = Loader::new().text(xml).expect("a model");
        let places = Places::of(&mut loaded.spec, &loaded.model);
        let line = |kind, id| places.find(kind, id).and_then(|at| at.rsplit(':').nth(1).map(str::to_owned));
        assert_eq!(line(ObjType::Joint, 0).as_deref(), Some("2"));
        assert_eq!(line(ObjType::Joint, 1).as_deref(), Some("3"));
        assert_eq!(line(ObjType::Actuator, 0).as_deref(), Some("5"));
        assert_eq!(places.find(ObjType::Joint, 2), None);
        assert_eq!(places.find(ObjType::Mesh, 0), None);
    }
}
