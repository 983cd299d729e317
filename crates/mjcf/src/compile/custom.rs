//! Custom numbers, texts and tuples.

use super::Section;
use super::flat::Names;
use crate::error::{Error, Result, gather};
use crate::schema::attr;
use crate::spec::{self, Spec};
use sinew_engine::model::enums::ObjType;
use sinew_engine::{Model, Sizes};

/// Custom elements with the objects of tuples resolved.
#[derive(Clone, Debug, Default)]
pub(crate) struct CompiledCustom {
    numerics: Vec<Numeric>,
    texts: Vec<String>,
    tuples: Vec<Vec<Entry>>,
}

#[derive(Clone, Debug)]
struct Numeric {
    data: Vec<f64>,
    size: usize,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    objtype: i32,
    objid: usize,
    prm: f64,
}

/// Checks sizes and looks up the objects of tuples.
pub(crate) fn resolve(spec: &Spec, names: &Names) -> Result<CompiledCustom> {
    let numeric = |n: &spec::Numeric| resolve_numeric(n).map_err(|e| e.at(n.meta.loc).element("numeric"));
    let text = |t: &spec::Text| {
        if t.data.is_empty() {
            return Err(Error::invalid("a custom text cannot be empty").at(t.meta.loc).element("text"));
        }
        Ok(t.data.clone())
    };
    let tuple = |t: &spec::Tuple| resolve_tuple(t, names).map_err(|e| e.at(t.meta.loc).element("tuple"));
    let numerics = gather(spec.numerics.iter().map(numeric))?;
    spec.limits.check_len("numeric_data", numerics.iter().map(|n| n.size as u64).sum())?;
    Ok(CompiledCustom {
        numerics,
        texts: gather(spec.texts.iter().map(text))?,
        tuples: gather(spec.tuples.iter().map(tuple))?,
    })
}

fn resolve_numeric(numeric: &spec::Numeric) -> Result<Numeric> {
    let given = numeric.data.len();
    let size = match usize::try_from(numeric.size) {
        Ok(0) => given,
        Ok(size) if size >= given => size,
        _ => return Err(Error::invalid("size is smaller than the number of values").attribute(attr::SIZE)),
    };
    if size == 0 {
        return Err(Error::invalid("a custom number array cannot be empty").hint("give data or size"));
    }
    Ok(Numeric { data: numeric.data.clone(), size })
}

fn resolve_tuple(tuple: &spec::Tuple, names: &Names) -> Result<Vec<Entry>> {
    if tuple.objtype.is_empty() {
        return Err(Error::invalid("the tuple is empty").hint("add at least one element"));
    }
    if tuple.objtype.len() != tuple.objname.len() || tuple.objtype.len() != tuple.objprm.len() {
        return Err(Error::invalid("a tuple has as many types as names and numbers"));
    }
    let find = |(objtype, name, prm): (ObjType, &str, f64)| {
        let objid =
            names.require(objtype, name, tuple.meta.loc).map_err(|e| e.element("element").attribute(attr::OBJNAME))?;
        Ok(Entry { objtype: objtype.into(), objid, prm })
    };
    tuple.objects().map(find).collect()
}

impl Section for CompiledCustom {
    fn count(&self, sizes: &mut Sizes) {
        sizes.nnumeric = self.numerics.len();
        sizes.nnumericdata = self.numerics.iter().map(|n| n.size).sum();
        sizes.ntext = self.texts.len();
        sizes.ntextdata = self.texts.iter().map(|t| t.len() + 1).sum();
        sizes.ntuple = self.tuples.len();
        sizes.ntupledata = self.tuples.iter().map(Vec::len).sum();
    }

    fn fill(&self, m: &mut Model) {
        let mut adr = 0;
        for (i, numeric) in self.numerics.iter().enumerate() {
            m.numeric_adr[i] = adr as i32;
            m.numeric_size[i] = numeric.size as i32;
            m.numeric_data[adr..adr + numeric.data.len()].copy_from_slice(&numeric.data);
            adr += numeric.size;
        }
        adr = 0;
        for (i, text) in self.texts.iter().enumerate() {
            m.text_adr[i] = adr as i32;
            m.text_size[i] = text.len() as i32 + 1;
            m.text_data[adr..adr + text.len()].copy_from_slice(text.as_bytes());
            adr += text.len() + 1;
        }
        adr = 0;
        for (i, tuple) in self.tuples.iter().enumerate() {
            m.tuple_adr[i] = adr as i32;
            m.tuple_size[i] = tuple.len() as i32;
            for (j, entry) in (adr..).zip(tuple) {
                m.tuple_objtype[j] = entry.objtype;
                m.tuple_objid[j] = entry.objid as i32;
                m.tuple_objprm[j] = entry.prm;
            }
            adr += tuple.len();
        }
    }
}
