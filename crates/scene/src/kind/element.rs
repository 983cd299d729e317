//! Flexes, skins and sites.

use crate::draw::{Draw, in_group};
use crate::shape::single;
use sinew_engine::model::enums::{CatBits, GeomType, LabelType, ObjType, VisFlag};

/// Draws flexes; their faces come from the scene's arrays.
pub(crate) fn flexes(draw: &mut Draw) {
    let flags = [VisFlag::Flexvert, VisFlag::Flexedge, VisFlag::Flexface, VisFlag::Flexskin];
    if !draw.cats.contains(CatBits::DYNAMIC) || !flags.iter().any(|f| draw.shows(*f)) {
        return;
    }
    for i in 0..draw.m.nflex {
        if !in_group(&draw.opt.flexgroup, draw.m.flex_group[i]) {
            continue;
        }
        let of = (ObjType::Flex, i);
        let mut shape = draw.shape(of, CatBits::DYNAMIC);
        shape.r#type = GeomType::Flex as i32;
        shape.size[0] = draw.m.flex_radius[i] as f32;
        shape.pos = single(&draw.d.pose.flexvert_xpos[draw.m.flex_vertadr[i] as usize]);
        draw.paint(&mut shape, draw.m.flex_matid[i], draw.m.flex_rgba[i]);
        shape.texcoord = i32::from(draw.m.flex_texcoordadr[i] >= 0);
        if shape.texcoord == 0 {
            shape.matid = -1;
        }
        if draw.pert.flexselect == i as i32 {
            draw.glow(&mut shape);
        }
        if shape.rgba[3] != 0.0 {
            draw.label(&mut shape, LabelType::Flex, of);
            draw.add(shape);
        }
    }
}

/// Draws skins; their vertices come from the scene's arrays.
pub(crate) fn skins(draw: &mut Draw) {
    if !draw.cats.contains(CatBits::DYNAMIC) || !draw.shows(VisFlag::Skin) {
        return;
    }
    for i in 0..draw.m.nskin {
        if !in_group(&draw.opt.skingroup, draw.m.skin_group[i]) {
            continue;
        }
        let of = (ObjType::Skin, i);
        let mut shape = draw.shape(of, CatBits::DYNAMIC);
        let body = draw.m.skin_bonebodyid.get(draw.m.skin_boneadr[i] as usize).map_or(0, |b| *b as usize);
        shape.r#type = GeomType::Skin as i32;
        shape.pos = single(&draw.d.pose.xpos[body]);
        draw.paint(&mut shape, draw.m.skin_matid[i], draw.m.skin_rgba[i]);
        shape.texcoord = i32::from(draw.m.skin_texcoordadr[i] >= 0);
        if draw.pert.skinselect == i as i32 {
            draw.glow(&mut shape);
        }
        if shape.rgba[3] != 0.0 {
            draw.label(&mut shape, LabelType::Skin, of);
            draw.add(shape);
        }
    }
}

/// Draws sites.
pub(crate) fn sites(draw: &mut Draw) {
    for i in 0..draw.m.nsite {
        let body = draw.m.site_bodyid[i] as usize;
        if !draw.admits(body) || !in_group(&draw.opt.sitegroup, draw.m.site_group[i]) {
            continue;
        }
        let (of, pose) = ((ObjType::Site, i), &draw.d.pose);
        let (kind, size) = (draw.m.site_type[i], draw.m.site_size[i]);
        let mut shape = draw.solid(of, draw.category(body), kind, size, pose.site_xpos[i], &pose.site_xmat[i]);
        draw.paint(&mut shape, draw.m.site_matid[i], draw.m.site_rgba[i]);
        if shape.rgba[3] == 0.0 {
            continue;
        }
        if draw.pert.select > 0 && draw.pert.select == body as i32 {
            draw.glow(&mut shape);
        }
        draw.label(&mut shape, LabelType::Site, of);
        draw.add(shape);
    }
}
