//! Parsers of `sinew:elasticity:<flex>` and `sinew:bending:<flex>`.

use super::text::{Settings, Words};
use super::{Fault, Model};
use crate::support::bending::{self, Dihedral};
use crate::support::elastic::{Lame, Material, MooneyRivlin, Ogden, lame};
use crate::support::flex_law::{is_elastic, is_sheet};

/// Names of the moduli that all materials accept, in order.
const MODULI: [&str; 3] = ["young", "poisson", "thickness"];

impl Model {
    /// Parses an elasticity law; `None` for MuJoCo's.
    pub(super) fn flex_material(&self, f: usize, mut words: Words<'_>) -> Result<Option<Material>, Fault> {
        let kind = words.kind(&["mujoco", "st_venant", "neo_hookean", "mooney_rivlin", "ogden"])?;
        if kind == "mujoco" {
            return Settings::of(words, &[]).map(|_| None);
        }
        if !is_elastic(self, f) {
            let advice = "use it for dim=\"2\" or dim=\"3\" with vertices that move on their own";
            return Err(("the flex has no elements that could follow the law".into(), advice.into()));
        }
        let [a, b, c] = MODULI;
        Ok(Some(match kind {
            "st_venant" => Material::StVenant(self.moduli(f, &Settings::of(words, &MODULI)?)?.into()),
            "neo_hookean" => Material::NeoHookean(self.moduli(f, &Settings::of(words, &MODULI)?)?.into()),
            "mooney_rivlin" => {
                let known = [a, b, c, "share"];
                let s = Settings::of(words, &known)?;
                let share = s.at_least("share", Some(MooneyRivlin::SHARE), 0.0)?;
                if share > 1.0 {
                    return Err((format!("share = {share} is too large"), "use 0 to 1".into()));
                }
                Material::MooneyRivlin(MooneyRivlin::new(self.moduli(f, &s)?, share))
            }
            _ => {
                let known = [a, b, c, "mu1", "alpha1", "mu2", "alpha2", "mu3", "alpha3"];
                let s = Settings::of(words, &known)?;
                Material::Ogden(Ogden::scaled(terms(&s)?, self.moduli(f, &s)?))
            }
        }))
    }

    /// Moduli of a flex: from the text if given, else from the flex's `<elasticity>`.
    fn moduli(&self, f: usize, s: &Settings<'_>) -> Result<Lame, Fault> {
        if !s.has("young") {
            let found = lame(self, f).filter(|_| !s.has("poisson") && !s.has("thickness"));
            let advice = "give young, poisson and, for sheets, thickness; or <elasticity> of the flex, for sheets with elastic2d=\"stretch\" or \"both\"";
            return found.ok_or_else(|| ("the moduli are missing".into(), advice.into()));
        }
        let (young, poisson) = (s.positive("young", None)?, s.number("poisson", Some(0.0))?);
        if !(0.0..0.5).contains(&poisson) {
            return Err((format!("poisson = {poisson} is out of range"), "use 0 to below 0.5".into()));
        }
        let Lame { mu, lambda } = Lame::new(young, poisson);
        let thickness = if self.flex_dim[f] == 2 { s.positive("thickness", None)? } else { 1.0 };
        Ok(Lame { mu: mu * thickness, lambda: lambda * thickness })
    }

    /// Parses a bending law; `None` for MuJoCo's.
    pub(super) fn flex_bending_law(&self, f: usize, mut words: Words<'_>) -> Result<Option<Dihedral>, Fault> {
        if words.kind(&["cotangent", "bridson"])? == "cotangent" {
            return Settings::of(words, &[]).map(|_| None);
        }
        if !is_sheet(self, f) {
            let advice = "use it for dim=\"2\" with vertices that move on their own";
            return Err(("the flex has no hinges that could follow the law".into(), advice.into()));
        }
        let limited = words.take("unlimited").is_none();
        let s = Settings::of(words, &["stiffness", "damping"])?;
        let stiffness = if s.has("stiffness") { Some(s.at_least("stiffness", None, 0.0)?) } else { None };
        if stiffness.is_none() && bending::rest(self).iter().all(|hinge| hinge.stiffness == 0.0) {
            let advice = "give stiffness; or <elasticity> with thickness and elastic2d=\"bend\" or \"both\"";
            return Err(("the stiffness is missing".into(), advice.into()));
        }
        Ok(Some(Dihedral { stiffness, damping: s.at_least("damping", Some(0.0), 0.0)?, limited }))
    }
}

/// Terms of an Ogden material; the default is rubber.
fn terms(s: &Settings<'_>) -> Result<[(f64, f64); 3], Fault> {
    let names = [("mu1", "alpha1"), ("mu2", "alpha2"), ("mu3", "alpha3")];
    if names.iter().all(|(mu, alpha)| !s.has(mu) && !s.has(alpha)) {
        return Ok(Ogden::RUBBER);
    }
    let mut terms = [(0.0, 1.0); 3];
    for (term, (mu, alpha)) in terms.iter_mut().zip(names) {
        if s.has(mu) || s.has(alpha) {
            *term = (s.number(mu, None)?, s.number(alpha, None)?);
        }
        if term.0 * term.1 < 0.0 || term.1 == 0.0 {
            return Err((format!("{mu} {alpha} is no stable term"), "use two numbers of the same sign".into()));
        }
    }
    if terms.iter().any(|(mu, _)| *mu != 0.0) {
        Ok(terms)
    } else {
        Err(("all terms are 0".into(), "give mu1 and alpha1".into()))
    }
}
