//! Equality constraints. Anchors and relative poses missing from the file stay zero here; the engine's `set_const`
//! fills them in at the initial configuration.

use super::Section;
use super::flat::{Flat, Names};
use super::shared::id_or_none;
use crate::error::{Error, ErrorKind, Result, gather};
use crate::schema::attr;
use crate::spec::{self, Spec};
use sinew_engine::model::enums::{EqType, JointType, ObjType};
use sinew_engine::support::flex::held_by;
use sinew_engine::{Model, Sizes};

/// Equality constraints with resolved objects.
#[derive(Clone, Debug, Default)]
pub(crate) struct CompiledEqualities {
    list: Vec<Equality>,
}

#[derive(Clone, Debug)]
struct Equality {
    spec: spec::Equality,
    obj1: usize,
    obj2: Option<usize>,
}

/// Looks up the objects of every constraint and checks that they can be constrained.
pub(crate) fn resolve(spec: &Spec, flat: &Flat, names: &Names) -> Result<CompiledEqualities> {
    let one = |eq: &spec::Equality| {
        resolve_one(eq, flat, names)
            .map_err(|e| e.at(eq.meta.loc).element(format!("{:?}", eq.kind).to_ascii_lowercase()))
    };
    Ok(CompiledEqualities { list: gather(spec.equalities.iter().map(one))? })
}

fn resolve_one(eq: &spec::Equality, flat: &Flat, names: &Names) -> Result<Equality> {
    let objtype = match eq.kind {
        EqType::Connect | EqType::Weld if matches!(eq.objtype, ObjType::Body | ObjType::Site) => eq.objtype,
        EqType::Connect | EqType::Weld => return Err(Error::invalid("only bodies and sites can be connected")),
        EqType::Joint => ObjType::Joint,
        EqType::Tendon => ObjType::Tendon,
        EqType::Flex | EqType::Flexvert => ObjType::Flex,
        EqType::Distance => {
            return Err(Error::invalid("distance constraints no longer exist").hint("use a tendon equality instead"));
        }
    };
    let attribute = |n| format!("{}{n}", format!("{objtype:?}").to_ascii_lowercase());
    let find = |name: &str, n| names.require(objtype, name, eq.meta.loc).map_err(|e| e.attribute(attribute(n)));
    let obj1 = find(&eq.name1, 1)?;
    let obj2 = match eq.name2.as_str() {
        "" if objtype == ObjType::Body => Some(0),
        "" if objtype == ObjType::Site => return Err(Error::new(ErrorKind::Missing("site2".into()))),
        "" => None,
        _ if objtype == ObjType::Flex => return Err(Error::invalid("a flex is not constrained to anything else")),
        name => Some(find(name, 2)?),
    };
    if obj2 == Some(obj1) {
        return Err(Error::invalid(format!("'{}' cannot be constrained to itself", eq.name1))
            .attribute(attribute(2))
            .hint("the two objects must differ; a missing body2 is the world"));
    }
    if objtype == ObjType::Joint {
        check_scalar(flat, obj1).map_err(|e| e.attribute(attr::JOINT1))?;
        obj2.map_or(Ok(()), |id| check_scalar(flat, id)).map_err(|e| e.attribute(attr::JOINT2))?;
    }
    Ok(Equality { spec: eq.clone(), obj1, obj2 })
}

fn check_scalar(flat: &Flat, joint: usize) -> Result<()> {
    match flat.joints[joint].spec.kind {
        JointType::Hinge | JointType::Slide => Ok(()),
        _ => Err(Error::invalid("joint constraints need hinge or slide joints")),
    }
}

impl Section for CompiledEqualities {
    fn count(&self, sizes: &mut Sizes) {
        sizes.neq = self.list.len();
        // the bounds that MuJoCo stores, one above the six rows of a weld
        let rows = |eq: &Equality| match eq.spec.kind {
            EqType::Connect => 3,
            EqType::Weld => 7,
            _ => 1,
        };
        sizes.nemax = self.list.iter().map(rows).sum();
    }

    fn fill(&self, m: &mut Model) {
        for (i, eq) in self.list.iter().enumerate() {
            m.eq_type[i] = eq.spec.kind.into();
            m.eq_obj1id[i] = eq.obj1 as i32;
            m.eq_obj2id[i] = id_or_none(eq.obj2);
            // joint and tendon couplings do not set the object type
            let connects = matches!(eq.spec.kind, EqType::Connect | EqType::Weld);
            m.eq_objtype[i] = if connects { eq.spec.objtype } else { ObjType::Unknown }.into();
            m.eq_active0[i] = eq.spec.active.into();
            m.eq_solref[i] = eq.spec.solref;
            m.eq_solimp[i] = eq.spec.solimp;
            m.eq_data[i] = eq.spec.data;
            if matches!(eq.spec.kind, EqType::Flex | EqType::Flexvert) && m.flex_edgeequality[eq.obj1] == 0 {
                m.flex_edgeequality[eq.obj1] = held_by(eq.spec.kind);
            }
        }
    }
}
