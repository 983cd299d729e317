//! Sites: pose and size; site arrays.

use super::flat::{Flat, FlatSite, Names};
use super::frames::{Pose, orientation, same_frame, unit};
use super::geom::{check_size, from_to};
use super::shared::{check_user, fill_user, id_or_none};
use crate::error::{Error, Result};
use crate::schema::attr;
use crate::spec::{Compiler, Site};
use sinew_engine::Model;
use sinew_engine::model::enums::{GeomType, ObjType};

/// Final attributes of a site; the material is looked up later, by [`bind`].
pub(crate) fn resolve(site: &Site, frames: &[Pose], compiler: &Compiler, nuser: usize) -> Result<Site> {
    convert(site, frames, compiler, nuser).map_err(|e| e.at(site.meta.loc).element("site"))
}

fn convert(site: &Site, frames: &[Pose], compiler: &Compiler, nuser: usize) -> Result<Site> {
    check_user(site.userdata.len(), nuser, "nuser_site")?;
    let not_allowed = matches!(site.kind, GeomType::Mesh | GeomType::Hfield | GeomType::Plane);
    if not_allowed || site.kind as i32 > GeomType::Sdf as i32 {
        return Err(Error::invalid(format!("{:?} is not a shape of sites", site.kind)).attribute(attr::TYPE));
    }
    let mut s = site.clone();
    let mut pose = match s.fromto {
        Some(ends) => from_to(s.kind, ends, s.pos, &mut s.size)?,
        None => Pose::new(s.pos, orientation(s.quat, &s.alt, compiler)?),
    };
    if let Some(frame) = s.frame {
        pose = frames[frame].then(&pose);
    }
    unit(&mut pose.quat);
    (s.pos, s.quat) = (pose.pos, pose.quat);
    check_size(s.kind, s.size)?;
    Ok(s)
}

/// Looks up the material, unless visual properties are discarded.
pub(crate) fn bind(site: &mut FlatSite, names: &Names, discard: bool) -> Result<()> {
    let s = &site.spec;
    if !discard && !s.material.is_empty() {
        let place = |e: Error| e.element("site").attribute(attr::MATERIAL);
        site.matid = Some(names.require(ObjType::Material, &s.material, s.meta.loc).map_err(place)?);
    }
    Ok(())
}

/// Writes the site arrays.
pub(crate) fn fill(flat: &Flat, m: &mut Model) {
    for (i, site) in flat.sites.iter().enumerate() {
        let s = &site.spec;
        let body = &flat.bodies[site.body].spec;
        m.site_type[i] = s.kind.into();
        m.site_bodyid[i] = site.body as i32;
        m.site_matid[i] = id_or_none(site.matid);
        m.site_group[i] = s.group;
        m.site_sameframe[i] = same_frame(&Pose::new(s.pos, s.quat), Some(&Pose::new(body.com(), body.iquat)));
        m.site_size[i] = s.size;
        m.site_pos[i] = s.pos;
        m.site_quat[i] = s.quat;
        m.site_rgba[i] = s.rgba;
    }
    let width = m.nuser_site;
    fill_user(&mut m.site_user, width, flat.sites.iter().map(|s| &s.spec.userdata[..]));
}
