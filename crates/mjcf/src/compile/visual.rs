//! Removes geoms and meshes that are only drawn.

use super::assets::CompiledAssets;
use super::flat::Flat;
use crate::spec::{Spec, Wrap};
use sinew_engine::model::enums::ObjType;
use std::collections::HashSet;

/// Names of geoms and meshes that other elements refer to.
fn referenced(spec: &Spec, obj: ObjType) -> HashSet<&str> {
    let mut names = HashSet::new();
    if obj == ObjType::Geom {
        names.extend(spec.pairs.iter().flat_map(|p| [p.geomname1.as_str(), p.geomname2.as_str()]));
        let wrapped = spec.tendons.iter().flat_map(|t| &t.path).filter_map(|(wrap, _)| match wrap {
            Wrap::Geom { geom, .. } => Some(geom.as_str()),
            _ => None,
        });
        names.extend(wrapped);
        names.extend(spec.tuples.iter().flat_map(|t| t.objects()).filter(|o| o.0 == obj).map(|o| o.1));
    }
    names.extend(spec.sensors.iter().filter(|s| s.objtype == obj).map(|s| s.objname.as_str()));
    names.extend(spec.sensors.iter().filter(|s| s.reftype == obj).map(|s| s.refname.as_str()));
    names.remove("");
    names
}

/// Drops geoms that neither collide nor are referred to, and the meshes that no other geom uses. Bodies keep the
/// inertia that was computed with them.
pub(crate) fn discard(spec: &Spec, flat: &mut Flat, assets: &mut CompiledAssets) {
    let kept = referenced(spec, ObjType::Geom);
    flat.geoms.retain(|g| g.spec.contype != 0 || g.spec.conaffinity != 0 || kept.contains(g.spec.meta.name.as_str()));
    let used: HashSet<&str> = flat.geoms.iter().map(|g| g.spec.meshname.as_str()).collect();
    let sensed = referenced(spec, ObjType::Mesh);
    let keep: Vec<bool> =
        assets.meshes.iter().map(|m| used.contains(m.name.as_str()) || sensed.contains(m.name.as_str())).collect();
    let mut next = 0;
    let ids: Vec<Option<usize>> = keep
        .iter()
        .map(|&stays| {
            next += usize::from(stays);
            stays.then(|| next - 1)
        })
        .collect();
    for g in flat.geoms.iter_mut().filter(|g| !g.spec.meshname.is_empty()) {
        g.dataid = g.dataid.and_then(|id| ids[id]);
    }
    assets.retain_meshes(&keep);
}
