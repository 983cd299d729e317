//! What the kernels do not implement, by name.

use sinew_engine::Model;
use sinew_engine::model::enums::{
    BiasType, DynType, EnableFlags, EqType, GainType, Integrator, ObjType, SolverType, TrnType,
};
use sinew_engine::model::extension::Extension;

/// Something in a model that has no kernel.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no kernel for {what}{}; {advice}", self.asker())]
pub struct Refusal {
    /// What it is.
    pub what: String,
    /// The element that uses it, in words.
    pub of: Option<String>,
    /// Its type and number.
    pub element: Option<(ObjType, usize)>,
    /// Its position in a file, if that is known.
    pub place: Option<String>,
    /// What to do about it.
    pub advice: &'static str,
}

const CPU: &str = "step this model with the batches of the CPU";
const SETTING: &str = "change the setting, or step this model with the batches of the CPU";

impl Refusal {
    /// A refusal because of an element.
    pub fn element(m: &Model, what: impl Into<String>, kind: ObjType, id: usize) -> Self {
        let name = m.id2name(kind, id).filter(|n| !n.is_empty());
        let which = name.map_or_else(|| format!("number {id}"), |n| format!("\"{n}\""));
        let of = format!("{} {which}", format!("{kind:?}").to_lowercase());
        Refusal { what: what.into(), of: Some(of), element: Some((kind, id)), place: None, advice: CPU }
    }

    /// Adds the element's position in a file, looked up by a function.
    pub fn placed(self, find: impl FnOnce(ObjType, usize) -> Option<String>) -> Self {
        let place = self.element.and_then(|(kind, id)| find(kind, id));
        Refusal { place, ..self }
    }

    /// The element and its position, in brackets.
    fn asker(&self) -> String {
        let words: Vec<&str> = self.of.iter().chain(&self.place).map(String::as_str).collect();
        if words.is_empty() { String::new() } else { format!(" ({})", words.join(", ")) }
    }

    fn plain(what: &str) -> Self {
        Refusal::advised(what.to_owned(), CPU)
    }

    /// A refusal because of a setting.
    pub fn setting(what: String) -> Self {
        Refusal::advised(what, SETTING)
    }

    /// A refusal without an element.
    pub fn advised(what: String, advice: &'static str) -> Self {
        Refusal { what, of: None, element: None, place: None, advice }
    }
}

/// Maximum number of dofs: beyond 64 matrices do not fit the registers of a warp, beyond this not shared memory.
const MOST_DOFS: usize = 96;

/// Refuses the first thing that has no kernel, if any.
pub fn check(m: &Model) -> Result<(), Refusal> {
    sizes(m)?;
    options(m)?;
    equalities(m)?;
    actuators(m)
}

fn sizes(m: &Model) -> Result<(), Refusal> {
    let absent = [(m.nflex, "flexes"), (m.nplugin, "plugins"), (m.nhistory, "delays")];
    if let Some((_, what)) = absent.iter().find(|(n, _)| *n > 0) {
        return Err(Refusal::plain(what));
    }
    match m.nv {
        0 => Err(Refusal::plain("a model that cannot move")),
        n if n > MOST_DOFS => Err(Refusal::plain(&format!("{n} degrees of freedom, more than {MOST_DOFS}"))),
        _ => Ok(()),
    }
}

fn options(m: &Model) -> Result<(), Refusal> {
    let o = &m.opt;
    if o.integrator == Integrator::Implicitspringdamper {
        return Err(Refusal::setting(format!("the integrator {:?}", o.integrator)));
    }
    if o.solver == SolverType::Pgs {
        return Err(Refusal::setting(format!("the solver {:?}", o.solver)));
    }
    if o.noslip_iterations > 0 {
        return Err(Refusal::setting("noslip iterations".into()));
    }
    if o.enabled(EnableFlags::SLEEP) {
        return Err(Refusal::setting("sleeping trees".into()));
    }
    if *m.extension() != Extension::default() {
        return Err(Refusal::setting("extensions".into()));
    }
    Ok(())
}

fn equalities(m: &Model) -> Result<(), Refusal> {
    let known = |e: &usize| matches!(m.eq_type(*e), EqType::Joint | EqType::Tendon | EqType::Connect | EqType::Weld);
    match (0..m.neq).find(|e| !known(e)) {
        Some(e) => Err(Refusal::element(m, format!("the equality {:?}", m.eq_type(e)), ObjType::Equality, e)),
        None => Ok(()),
    }
}

/// Whether the force of an actuator depends on its velocity.
fn feels_velocity(m: &Model, u: usize) -> bool {
    let gain = m.actuator_gaintype(u) == GainType::Affine && m.actuator_gainprm[u][2] != 0.0;
    let bias = m.actuator_biastype(u) == BiasType::Affine && m.actuator_biasprm[u][2] != 0.0;
    gain || bias || m.actuator_gaintype(u) == GainType::Muscle || m.actuator_biastype(u) == BiasType::Muscle
}

fn actuators(m: &Model) -> Result<(), Refusal> {
    for u in 0..m.nu {
        let refused = |what: String| Err(Refusal::element(m, what, ObjType::Actuator, u));
        // contacts are found after actuator forces
        if m.actuator_trntype(u) == TrnType::Body && feels_velocity(m, u) {
            return refused("adhesion by velocity".into());
        }
        if m.actuator_dyntype(u) == DynType::User {
            return refused(format!("the dynamics {:?}", m.actuator_dyntype(u)));
        }
        if m.actuator_gaintype(u) == GainType::User {
            return refused(format!("the gain {:?}", m.actuator_gaintype(u)));
        }
        if m.actuator_biastype(u) == BiasType::User {
            return refused(format!("the bias {:?}", m.actuator_biastype(u)));
        }
    }
    Ok(())
}
