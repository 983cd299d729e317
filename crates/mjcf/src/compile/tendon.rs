//! Tendons and their paths.

use super::Section;
use super::flat::{Flat, Names};
use super::shared::{check_autolimits, check_range, check_user, fill_user, id_or_none, is_limited, user_size};
use crate::error::{Error, Result, gather};
use crate::schema::attr;
use crate::spec::{self, Loc, Spec};
use sinew_engine::model::enums::{GeomType, ObjType, WrapType};
use sinew_engine::{Model, Sizes};

/// Tendons with resolved path objects.
#[derive(Clone, Debug, Default)]
pub(crate) struct CompiledTendons {
    list: Vec<Tendon>,
    nuser: usize,
}

#[derive(Clone, Debug)]
struct Tendon {
    spec: spec::Tendon,
    matid: Option<usize>,
    path: Vec<Wrap>,
}

/// A path object as the model stores it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Wrap {
    kind: WrapType,
    objid: Option<usize>,
    prm: f64,
}

/// Looks up the objects of every path and checks that the path is valid.
pub(crate) fn resolve(spec: &Spec, flat: &Flat, names: &Names) -> Result<CompiledTendons> {
    let nuser = user_size(spec.size.nuser_tendon, spec.tendons.iter().map(|t| t.userdata.len()));
    let one = |tendon: &spec::Tendon| {
        let element = if tendon.spatial { "spatial" } else { "fixed" };
        resolve_one(tendon, nuser, spec, flat, names).map_err(|e| e.at(tendon.meta.loc).element(element))
    };
    Ok(CompiledTendons { list: gather(spec.tendons.iter().map(one))?, nuser })
}

fn resolve_one(tendon: &spec::Tendon, nuser: usize, spec: &Spec, flat: &Flat, names: &Names) -> Result<Tendon> {
    check_user(tendon.userdata.len(), nuser, "nuser_tendon")?;
    check_limits(tendon, spec.compilers[tendon.meta.compiler].autolimits)?;
    let Some((first, _)) = tendon.path.first() else {
        return Err(Error::invalid("the path is empty").hint("add the joints, sites or geoms the tendon follows"));
    };
    let spatial = !matches!(first, spec::Wrap::Joint { .. });
    if spatial && tendon.path.len() < 2 {
        return Err(Error::invalid("a spatial path needs at least two objects"));
    }
    if spatial && tendon.width <= 0.0 {
        return Err(Error::invalid("width must be positive").attribute(attr::WIDTH));
    }
    if spatial && tendon.armature < 0.0 {
        return Err(Error::invalid("armature must not be negative").attribute(attr::ARMATURE));
    }
    let path = tendon
        .path
        .iter()
        .map(|(wrap, loc)| find(wrap, *loc, flat, names).map_err(|e| e.at(*loc)))
        .collect::<Result<Vec<_>>>()?;
    for i in 0..path.len() {
        let check = if spatial { check_spatial(&path, i, tendon.armature) } else { check_fixed(&path[i]) };
        check.map_err(|e| e.at(tendon.path[i].1))?;
    }
    // there are no materials when visual elements are discarded
    let matid = if tendon.material.is_empty() || spec.compilers[0].discardvisual {
        None
    } else {
        Some(
            names
                .require(ObjType::Material, &tendon.material, tendon.meta.loc)
                .map_err(|e| e.attribute(attr::MATERIAL))?,
        )
    };
    Ok(Tendon { spec: tendon.clone(), matid, path })
}

fn check_limits(tendon: &spec::Tendon, autolimits: bool) -> Result<()> {
    check_autolimits(autolimits, "", tendon.limited, tendon.range)?;
    check_range("range", tendon.limited, tendon.range)?;
    check_autolimits(autolimits, "actuatorfrc", tendon.actfrclimited, tendon.actfrcrange)?;
    check_range("actuatorfrcrange", tendon.actfrclimited, tendon.actfrcrange)?;
    let [low, high] = tendon.actfrcrange;
    if is_limited(tendon.actfrclimited, tendon.actfrcrange) && (low > 0.0 || high < 0.0) {
        return Err(Error::invalid("the force range must contain zero").attribute(attr::ACTUATORFRCRANGE));
    }
    if tendon.springlength[0] > tendon.springlength[1] {
        return Err(Error::invalid("springlength must not decrease").attribute(attr::SPRINGLENGTH));
    }
    Ok(())
}

fn find(wrap: &spec::Wrap, loc: Loc, flat: &Flat, names: &Names) -> Result<Wrap> {
    let find = |obj, name: &str, attribute: &str| names.require(obj, name, loc).map_err(|e| e.attribute(attribute));
    Ok(match wrap {
        spec::Wrap::Joint { joint, coef } => {
            Wrap { kind: WrapType::Joint, objid: Some(find(ObjType::Joint, joint, "joint")?), prm: *coef }
        }
        spec::Wrap::Site { site } => {
            Wrap { kind: WrapType::Site, objid: Some(find(ObjType::Site, site, "site")?), prm: 0.0 }
        }
        spec::Wrap::Pulley { divisor } if *divisor < 0.0 => {
            return Err(Error::invalid("a pulley's divisor must not be negative").attribute(attr::DIVISOR));
        }
        spec::Wrap::Pulley { divisor } => Wrap { kind: WrapType::Pulley, objid: None, prm: *divisor },
        spec::Wrap::Geom { geom, sidesite } => {
            let id = find(ObjType::Geom, geom, "geom")?;
            let kind = match flat.geoms[id].spec.kind {
                GeomType::Sphere => WrapType::Sphere,
                GeomType::Cylinder => WrapType::Cylinder,
                _ => {
                    return Err(Error::invalid(format!("geom '{geom}' is neither a sphere nor a cylinder"))
                        .attribute(attr::GEOM)
                        .hint("tendons wrap around spheres and cylinders only"));
                }
            };
            let side = match sidesite.as_str() {
                "" => -1.0,
                name => find(ObjType::Site, name, "sidesite")? as f64,
            };
            Wrap { kind, objid: Some(id), prm: side }
        }
    })
}

fn check_fixed(wrap: &Wrap) -> Result<()> {
    match wrap.kind {
        WrapType::Joint => Ok(()),
        _ => Err(Error::invalid("a path of joints cannot go through sites, geoms or pulleys")),
    }
}

/// Checks object `i` of a spatial path against its neighbours.
fn check_spatial(path: &[Wrap], i: usize, armature: f64) -> Result<()> {
    let kind = |i: usize| path.get(i).map(|w| w.kind);
    let before = i.checked_sub(1).and_then(kind);
    let after = kind(i + 1);
    let breaks = |neighbour| matches!(neighbour, None | Some(WrapType::Pulley));
    let problem = match path[i].kind {
        WrapType::Pulley if before == Some(WrapType::Pulley) => "two pulleys follow each other",
        WrapType::Pulley if after.is_none() => "the path ends with a pulley",
        WrapType::Site if breaks(before) && breaks(after) => "the site has no neighbour other than pulleys",
        WrapType::Site if path.get(i + 1) == Some(&path[i]) => "the site is repeated",
        WrapType::Sphere | WrapType::Cylinder if before != Some(WrapType::Site) || after != Some(WrapType::Site) => {
            "a geom needs a site before and after it"
        }
        WrapType::Sphere | WrapType::Cylinder if armature > 0.0 => "a tendon with armature cannot wrap around geoms",
        WrapType::Joint => "a spatial path cannot contain joints",
        _ => return Ok(()),
    };
    Err(Error::invalid(problem))
}

impl Section for CompiledTendons {
    fn count(&self, sizes: &mut Sizes) {
        sizes.ntendon = self.list.len();
        sizes.nwrap = self.list.iter().map(|t| t.path.len()).sum();
        sizes.nuser_tendon = self.nuser;
    }

    fn fill(&self, m: &mut Model) {
        let mut adr = 0;
        for (i, tendon) in self.list.iter().enumerate() {
            let t = &tendon.spec;
            m.tendon_adr[i] = adr as i32;
            m.tendon_num[i] = tendon.path.len() as i32;
            m.tendon_matid[i] = id_or_none(tendon.matid);
            m.tendon_group[i] = t.group;
            m.tendon_limited[i] = is_limited(t.limited, t.range).into();
            m.tendon_actfrclimited[i] = is_limited(t.actfrclimited, t.actfrcrange).into();
            m.tendon_width[i] = t.width;
            m.tendon_solref_lim[i] = t.solref_limit;
            m.tendon_solimp_lim[i] = t.solimp_limit;
            m.tendon_solref_fri[i] = t.solref_friction;
            m.tendon_solimp_fri[i] = t.solimp_friction;
            m.tendon_range[i] = t.range;
            m.tendon_actfrcrange[i] = t.actfrcrange;
            m.tendon_margin[i] = t.margin;
            m.tendon_stiffness[i] = t.stiffness;
            m.tendon_damping[i] = t.damping;
            m.tendon_armature[i] = t.armature;
            m.tendon_frictionloss[i] = t.frictionloss;
            m.tendon_lengthspring[i] = t.springlength;
            m.tendon_rgba[i] = t.rgba;
            for (j, wrap) in (adr..).zip(&tendon.path) {
                m.wrap_type[j] = wrap.kind.into();
                m.wrap_objid[j] = id_or_none(wrap.objid);
                m.wrap_prm[j] = wrap.prm;
            }
            adr += tendon.path.len();
        }
        fill_user(&mut m.tendon_user, self.nuser, self.list.iter().map(|t| t.spec.userdata.as_slice()));
    }
}
