//! Physics beyond MuJoCo that a model asks for, in custom texts whose names begin with `sinew:`. MuJoCo loads such a file
//! and ignores them; without them every model is MuJoCo's.

mod deformable;
mod flex;
mod text;

use super::Model;
use super::enums::{ObjType, WrapType};
use super::names::nearest;
use crate::support::actuator::{ActuatorModel, DcMotor, Law, SeriesElastic};
use crate::support::bending::Dihedral;
use crate::support::elastic::Material;
pub use deformable::{Deformable, Substance, substances};
use std::fmt;
use text::{Settings, Words};

/// What a model asks for. Empty for a plain one.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Extension {
    /// A solver in place of MuJoCo's.
    pub solver: Option<Xpbd>,
    /// Law of bending of each flex; no entries if none has one.
    pub bending: Vec<Option<Dihedral>>,
    /// Law of elasticity of each flex; no entries if none has one.
    pub elasticity: Vec<Option<Material>>,
    /// Law of each actuator; no entries if none has one.
    pub actuators: Vec<Option<Law>>,
    /// Geoms on which cables rub, or that they turn.
    pub pulleys: Vec<Pulley>,
    /// Flexes that move by positions.
    pub deformables: Vec<Deformable>,
}

/// A geom that a cable rubs on or turns; see [`capstan`](crate::support::capstan).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pulley {
    /// The tendon.
    pub tendon: usize,
    /// The element of its path, in the `wrap_*` arrays.
    pub wrap: usize,
    /// Coefficient of friction.
    pub friction: f64,
    /// Moment of inertia about its axis; the cable turns it without slip.
    pub inertia: f64,
}

impl Extension {
    /// Whether the model is MuJoCo's in every respect.
    pub fn is_plain(&self) -> bool {
        *self == Extension::default()
    }

    /// Refuses a flex that would move by positions and by a law of forces.
    fn one_law_each(&self) -> Result<(), Fault> {
        let law = |f: usize| {
            self.elasticity.get(f).is_some_and(Option::is_some) || self.bending.get(f).is_some_and(Option::is_some)
        };
        if self.deformables.iter().any(|d| law(d.flex)) {
            let advice = "leave out sinew:deformable, or sinew:elasticity and sinew:bending".into();
            return Err(("the flex is to move by positions and by a law of forces".into(), advice));
        }
        Ok(())
    }

    /// Whether a flex moves by positions.
    #[inline]
    pub fn deforms(&self, flex: usize) -> bool {
        self.deformables.iter().any(|d| d.flex == flex)
    }
}

/// Position-based solver of the constraint rows; see [`xpbd`](crate::solver::xpbd).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Xpbd {
    /// Sweeps over all rows in each substep.
    pub iterations: usize,
    /// Substeps of a time step.
    pub substeps: usize,
    /// Whether rows give way.
    pub compliance: Compliance,
    /// Part of the approaching speed with which bodies part after an impact, 0 to 1.
    pub restitution: f64,
    /// Whether multipliers begin with those of the step before.
    pub warmstart: bool,
}

impl Default for Xpbd {
    fn default() -> Self {
        Xpbd { iterations: 20, substeps: 4, compliance: Compliance::Rigid, restitution: 0.0, warmstart: true }
    }
}

impl Xpbd {
    /// Most iterations, and most substeps, of a step.
    pub const MOST: usize = 10_000;

    /// The usual solver with another number of substeps.
    pub fn new(substeps: usize) -> Self {
        Xpbd { substeps, ..Xpbd::default() }
    }
}

/// The words that ask for it.
impl fmt::Display for Xpbd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let soft = if self.compliance == Compliance::Soft { " soft" } else { "" };
        let cold = if self.warmstart { "" } else { " cold" };
        write!(f, "xpbd iterations={} substeps={}{soft}{cold}", self.iterations, self.substeps)?;
        if self.restitution > 0.0 { write!(f, " restitution={}", self.restitution) } else { Ok(()) }
    }
}

/// Whether rows give way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compliance {
    /// They do not.
    #[default]
    Rigid,
    /// As far as `solref` and `solimp` say: at rest, depths are MuJoCo's.
    Soft,
}

/// A `sinew:` text that cannot be understood or does not fit the model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}; {advice}")]
pub struct ExtensionError {
    /// Which of the model's custom texts; as many as there are for one that is not in the model.
    pub text: usize,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub advice: String,
}

/// What is wrong, and what to do about it.
type Fault = (String, String);

/// What `sinew:` can be followed by.
const KINDS: [&str; 7] = ["actuator", "bending", "deformable", "elasticity", "integrator", "pulley", "solver"];

impl Model {
    /// Physics beyond MuJoCo that the model asks for.
    #[inline(always)]
    pub fn extension(&self) -> &Extension {
        &self.extension
    }

    /// Reads the `sinew:` texts. The compiler calls this once arrays and names are there.
    ///
    /// # Errors
    /// [`ExtensionError`]; the model is then as plain as MuJoCo would have it.
    pub fn read_extension(&mut self) -> Result<(), ExtensionError> {
        self.extension = Extension::default();
        let mut extension = Extension::default();
        for text in 0..self.ntext {
            let Some(name) = self.id2name(ObjType::Text, text) else { continue };
            let Some(rest) = name.strip_prefix("sinew:") else { continue };
            let data = self.custom_text(text);
            let read = self.read_one(rest, &data, &mut extension);
            read.map_err(|(message, advice)| ExtensionError { text, message, advice })?;
        }
        self.set_extension(extension);
        Ok(())
    }

    /// Asks for other physics than the file does. Flexes that move by positions lose the forces that would hold them
    /// together otherwise.
    pub fn set_extension(&mut self, extension: Extension) {
        self.extension = extension;
        for i in 0..self.extension.deformables.len() {
            self.loosen(self.extension.deformables[i].flex);
        }
    }

    /// Asks for what the text `sinew:<name>` of a file would, such as `solver` or `actuator:knee`.
    ///
    /// # Errors
    /// [`ExtensionError`], of a text that the model does not have; the model is then unchanged.
    pub fn extend(&mut self, name: &str, data: &str) -> Result<(), ExtensionError> {
        let mut extension = self.extension.clone();
        let read = self.read_one(name, data, &mut extension);
        read.map_err(|(message, advice)| ExtensionError { text: self.ntext, message, advice })?;
        self.set_extension(extension);
        Ok(())
    }

    /// The characters of a custom text.
    fn custom_text(&self, text: usize) -> String {
        let start = self.text_adr[text] as usize;
        let bytes = &self.text_data[start..start + self.text_size[text] as usize];
        String::from_utf8_lossy(bytes).trim_end_matches('\0').to_string()
    }

    /// Reads the text `sinew:<name>`.
    fn read_one(&self, name: &str, data: &str, out: &mut Extension) -> Result<(), Fault> {
        let (kind, target) = name.split_once(':').map_or((name, None), |(kind, target)| (kind, Some(target)));
        let mut words = Words::new(data);
        match (kind, target) {
            ("solver", None) => out.solver = solver(words)?,
            ("actuator", Some(actuator)) => {
                let i = self.target(ObjType::Actuator, actuator)?;
                let law = law(words)?;
                self.fits(i, &law)?;
                out.actuators.resize(self.nu, None);
                out.actuators[i] = Some(law);
            }
            ("bending", Some(flex)) => {
                let f = self.target(ObjType::Flex, flex)?;
                out.bending.resize(self.nflex, None);
                out.bending[f] = self.flex_bending_law(f, words)?;
            }
            ("elasticity", Some(flex)) => {
                let f = self.target(ObjType::Flex, flex)?;
                out.elasticity.resize(self.nflex, None);
                out.elasticity[f] = self.flex_material(f, words)?;
            }
            ("pulley", Some(target)) => {
                let pulley = self.pulley(target, words)?;
                out.pulleys.retain(|other| other.wrap != pulley.wrap);
                out.pulleys.push(pulley);
            }
            ("deformable", Some(target)) => {
                let f = self.target(ObjType::Flex, target)?;
                let read = deformable::read(f, self.flex_dim[f] as usize, words)?;
                self.may_deform(f)?;
                out.deformables.retain(|other| other.flex != f);
                out.deformables.push(read);
            }
            ("deformable", None) => {
                return Err((format!("'sinew:{kind}' names no flex"), "write sinew:deformable:<flex>".into()));
            }
            ("pulley", None) => {
                return Err((format!("'sinew:{kind}' names no tendon"), "write sinew:pulley:<tendon>:<geom>".into()));
            }
            // the option itself was set when the file was read
            ("integrator", None) => drop(words.kind(&["implicitspringdamper"])?),
            ("actuator", None) => {
                return Err((format!("'sinew:{kind}' names no actuator"), "write sinew:actuator:<name>".into()));
            }
            ("bending" | "elasticity", None) => {
                return Err((format!("'sinew:{kind}' names no flex"), format!("write sinew:{kind}:<name>")));
            }
            _ => {
                let advice = match nearest(kind, KINDS) {
                    Some(near) if near != kind => format!("did you mean 'sinew:{near}'?"),
                    _ => format!("known are {}", KINDS.map(|kind| format!("sinew:{kind}")).join(", ")),
                };
                return Err((format!("unknown extension 'sinew:{name}'"), advice));
            }
        }
        out.one_law_each()
    }

    /// The element that a text is about.
    fn target(&self, kind: ObjType, name: &str) -> Result<usize, Fault> {
        let (word, count) = match kind {
            ObjType::Actuator => ("actuator", self.nu),
            ObjType::Flex => ("flex", self.nflex),
            _ => ("tendon", self.ntendon),
        };
        let names = || (0..count).filter_map(|i| self.id2name(kind, i));
        self.name2id(kind, name).ok_or_else(|| {
            let advice = match nearest(name, names()) {
                Some(near) => format!("did you mean '{near}'?"),
                None => format!("the model has {count} of that kind"),
            };
            (format!("no {word} is named '{name}'"), advice)
        })
    }

    /// A geom on the path of a tendon, `<tendon>:<number>`, counted from 0 among the geoms of the path.
    fn pulley(&self, target: &str, words: Words<'_>) -> Result<Pulley, Fault> {
        let advice = || "write sinew:pulley:<tendon>:<geom>, geoms counted from 0 along the path".to_string();
        let (name, number) = target.rsplit_once(':').ok_or_else(|| ("no geom is given".into(), advice()))?;
        let tendon = self.target(ObjType::Tendon, name)?;
        let first = self.tendon_adr[tendon] as usize;
        let path = first..first + self.tendon_num[tendon] as usize;
        let mut geoms = path.filter(|&w| matches!(self.wrap_type(w), WrapType::Sphere | WrapType::Cylinder));
        let wrap = number.parse().ok().and_then(|n| geoms.nth(n));
        let wrap = wrap.ok_or_else(|| (format!("the path of '{name}' has no geom '{number}'"), advice()))?;
        let s = Settings::of(words, &["friction", "inertia"])?;
        let (friction, inertia) = (s.at_least("friction", Some(0.0), 0.0)?, s.at_least("inertia", Some(0.0), 0.0)?);
        if !s.has("friction") && !s.has("inertia") {
            return Err((
                "neither friction nor inertia is given".into(),
                "add friction=<number> or inertia=<number>".into(),
            ));
        }
        Ok(Pulley { tendon, wrap, friction, inertia })
    }

    /// Whether an actuator has the activations that a law needs.
    fn fits(&self, actuator: usize, law: &Law) -> Result<(), Fault> {
        let (needs, has) = (law.state_size(), self.actuator_acts(actuator).len());
        if needs <= has {
            return Ok(());
        }
        let message = format!("the law needs {needs} activation, the actuator has {has}");
        Err((message, format!("give the actuator dyntype=\"user\" actdim=\"{needs}\"")))
    }
}

fn solver(mut words: Words<'_>) -> Result<Option<Xpbd>, Fault> {
    match words.kind(&["xpbd", "convex"])? {
        "convex" => {
            Settings::of(words, &[])?;
            Ok(None)
        }
        _ => {
            let mut xpbd = Xpbd::default();
            if words.take("soft").is_some() {
                xpbd.compliance = Compliance::Soft;
            } else {
                words.take("rigid");
            }
            xpbd.warmstart = words.take("cold").is_none();
            let s = Settings::of(words, &["iterations", "substeps", "restitution"])?;
            xpbd.restitution = s.at_least("restitution", Some(0.0), 0.0)?;
            if xpbd.restitution > 1.0 {
                return Err((format!("restitution = {} is too large", xpbd.restitution), "use 0 to 1".into()));
            }
            xpbd.iterations = s.count("iterations", xpbd.iterations, Xpbd::MOST)?;
            xpbd.substeps = s.count("substeps", xpbd.substeps, Xpbd::MOST)?;
            Ok(Some(xpbd))
        }
    }
}

fn law(mut words: Words<'_>) -> Result<Law, Fault> {
    match words.kind(&["series_elastic", "dc_motor"])? {
        "series_elastic" => {
            let s = Settings::of(words, &["k", "d", "gear"])?;
            let (k, d) = (s.at_least("k", None, 0.0)?, s.at_least("d", Some(0.0), 0.0)?);
            Ok(Law::SeriesElastic(SeriesElastic { k, d, gear: s.number("gear", Some(1.0))? }))
        }
        _ => {
            let names = ["k", "resistance", "thermal_resistance", "thermal_capacity", "limit"];
            let s = Settings::of(words, &names)?;
            let cold = DcMotor::new(s.number("k", None)?, s.positive("resistance", None)?);
            if !s.has("thermal_capacity") {
                return Ok(Law::DcMotor(cold));
            }
            Ok(Law::DcMotor(DcMotor {
                thermal_capacity: s.positive("thermal_capacity", None)?,
                thermal_resistance: s.positive("thermal_resistance", None)?,
                limit: s.positive("limit", Some(f64::INFINITY))?,
                ..cold
            }))
        }
    }
}
