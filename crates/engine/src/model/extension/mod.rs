//! Physics extensions beyond MuJoCo, requested by custom texts whose names begin with `sinew:`. MuJoCo loads such a
//! file and ignores the texts; a model without them has MuJoCo's physics only.

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

/// The extensions that a model requests; empty for a plain model.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Extension {
    /// A solver that replaces MuJoCo's.
    pub solver: Option<Xpbd>,
    /// Bending law of each flex; empty if no flex has one.
    pub bending: Vec<Option<Dihedral>>,
    /// Elasticity law of each flex; empty if no flex has one.
    pub elasticity: Vec<Option<Material>>,
    /// Law of each actuator; empty if no actuator has one.
    pub actuators: Vec<Option<Law>>,
    /// Geoms with cable friction or with rotor inertia.
    pub pulleys: Vec<Pulley>,
    /// Flexes with position-based dynamics.
    pub deformables: Vec<Deformable>,
}

/// A geom with friction or rotor inertia in the path of a tendon; see [`capstan`](crate::support::capstan).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pulley {
    /// The tendon.
    pub tendon: usize,
    /// The path element, an index into the `wrap_*` arrays.
    pub wrap: usize,
    /// Coefficient of friction.
    pub friction: f64,
    /// Moment of inertia about the geom's axis; the cable turns the geom without slip.
    pub inertia: f64,
}

impl Extension {
    /// Whether the model uses no extension.
    pub fn is_plain(&self) -> bool {
        *self == Extension::default()
    }

    /// Rejects a flex with both position-based dynamics and a force law.
    fn one_law_each(&self) -> Result<(), Fault> {
        let law = |f: usize| {
            self.elasticity.get(f).is_some_and(Option::is_some) || self.bending.get(f).is_some_and(Option::is_some)
        };
        if self.deformables.iter().any(|d| law(d.flex)) {
            let advice = "leave out sinew:deformable, or sinew:elasticity and sinew:bending".into();
            return Err(("the flex has both sinew:deformable and a force law".into(), advice));
        }
        Ok(())
    }

    /// Whether a flex has position-based dynamics.
    #[inline]
    pub fn deforms(&self, flex: usize) -> bool {
        self.deformables.iter().any(|d| d.flex == flex)
    }
}

/// Position-based solver of the constraint rows; see [`xpbd`](crate::solver::xpbd).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Xpbd {
    /// Sweeps over all rows per substep.
    pub iterations: usize,
    /// Substeps per time step.
    pub substeps: usize,
    /// Whether rows are rigid or soft.
    pub compliance: Compliance,
    /// Coefficient of restitution, 0 to 1.
    pub restitution: f64,
    /// Whether multipliers start from those of the previous step.
    pub warmstart: bool,
}

impl Default for Xpbd {
    fn default() -> Self {
        Xpbd { iterations: 20, substeps: 4, compliance: Compliance::Rigid, restitution: 0.0, warmstart: true }
    }
}

impl Xpbd {
    /// Maximum number of iterations and of substeps.
    pub const MOST: usize = 10_000;

    /// The default solver with another number of substeps.
    pub fn new(substeps: usize) -> Self {
        Xpbd { substeps, ..Xpbd::default() }
    }
}

/// The text that requests this solver.
impl fmt::Display for Xpbd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let soft = if self.compliance == Compliance::Soft { " soft" } else { "" };
        let cold = if self.warmstart { "" } else { " cold" };
        write!(f, "xpbd iterations={} substeps={}{soft}{cold}", self.iterations, self.substeps)?;
        if self.restitution > 0.0 { write!(f, " restitution={}", self.restitution) } else { Ok(()) }
    }
}

/// Whether rows are rigid or soft.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compliance {
    /// No compliance.
    #[default]
    Rigid,
    /// Compliance from `solref` and `solimp`: penetration at rest is as in MuJoCo.
    Soft,
}

/// A `sinew:` text that cannot be parsed or does not fit the model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}; {advice}")]
pub struct ExtensionError {
    /// Index of the custom text; the number of custom texts if the text is not in the model.
    pub text: usize,
    /// What is wrong.
    pub message: String,
    /// How to fix it.
    pub advice: String,
}

/// An error and how to fix it.
type Fault = (String, String);

/// Keywords that may follow `sinew:`.
const KINDS: [&str; 7] = ["actuator", "bending", "deformable", "elasticity", "integrator", "pulley", "solver"];

impl Model {
    /// The extensions that the model requests.
    #[inline(always)]
    pub fn extension(&self) -> &Extension {
        &self.extension
    }

    /// Parses the `sinew:` texts. The compiler calls this once arrays and names are filled.
    ///
    /// # Errors
    /// [`ExtensionError`]; the model then has no extension.
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

    /// Replaces the extensions that the file requested. Flexes with position-based dynamics lose their elastic forces
    /// and edge constraints.
    pub fn set_extension(&mut self, extension: Extension) {
        self.extension = extension;
        for i in 0..self.extension.deformables.len() {
            self.loosen(self.extension.deformables[i].flex);
        }
    }

    /// Adds an extension as the text `sinew:<name>` in a file would; `name` is for example `solver` or `actuator:knee`.
    ///
    /// # Errors
    /// [`ExtensionError`], whose text is not in the model; the model is then unchanged.
    pub fn extend(&mut self, name: &str, data: &str) -> Result<(), ExtensionError> {
        let mut extension = self.extension.clone();
        let read = self.read_one(name, data, &mut extension);
        read.map_err(|(message, advice)| ExtensionError { text: self.ntext, message, advice })?;
        self.set_extension(extension);
        Ok(())
    }

    /// The contents of a custom text.
    fn custom_text(&self, text: usize) -> String {
        let start = self.text_adr[text] as usize;
        let bytes = &self.text_data[start..start + self.text_size[text] as usize];
        String::from_utf8_lossy(bytes).trim_end_matches('\0').to_string()
    }

    /// Parses the text `sinew:<name>`.
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

    /// The element that a text names.
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

    /// Parses a pulley; `target` is `<tendon>:<number>`, where the number counts the geoms of the path from 0.
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

    /// Checks that an actuator has the activations that a law needs.
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
