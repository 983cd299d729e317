//! Random edits of a specification, for the test of edits and for campaigns.

use super::{Random, changed, seeds, unsaid};
use sinew_engine::model::enums::ObjType;
use sinew_mjcf::compile::compile;
use sinew_mjcf::spec::edit::{AnyElement, KINDS};
use sinew_mjcf::spec::field::{Count, Field, Kind, Value};
use sinew_mjcf::spec::{Id, Spec, Tendon, Wrap};
use sinew_mjcf::{Source, read_str};

/// Field values, mostly harmless; the last three are rare.
const NUMBERS: &str = "0|0.1|0.5|1|2|-1|-0.3|3|0.001|10|1e-9|1e5|-7|1e20|nan|inf";

/// Plugins whose instances keep their order in files; those of composites do not.
const PLUGINS: &str = r#"<mujoco model="plugins"><extension><plugin plugin="mujoco.pid"><instance name="i">
  <config key="kp" value="2"/></instance></plugin><plugin plugin="mujoco.sensor.touch_grid"/></extension>
  <worldbody><body name="b"><joint name="j"/><geom size=".1"/><site name="s"/></body></worldbody>
  <actuator><plugin name="p" joint="j" plugin="mujoco.pid" instance="i"/></actuator>
  <sensor><plugin name="t" plugin="mujoco.sensor.touch_grid" objtype="site" objname="s"><config key="nchannel" value="1"/>
  <config key="size" value="2 2"/><config key="fov" value="45 45"/></plugin></sensor></mujoco>"#;

/// Fields that files cannot always express: looks of fixed tendons, inertia that applies only to bodies without geoms,
/// a fluid coefficient other than 0 and 1, a camera without output, and data that the element's (new) kind has no
/// attribute for.
const UNSAID: [(ObjType, &str); 5] = [
    (ObjType::Tendon, "width material rgba"),
    (ObjType::Body, "mass inertia iquat ialt fullinertia explicitinertial"),
    (ObjType::Geom, "fluid_ellipsoid"),
    (ObjType::Camera, "output"),
    (ObjType::Equality, "data"),
];

/// A model being edited, and a log of the edits.
struct Edited<'a> {
    spec: Spec,
    others: &'a [Spec],
    random: Random,
    log: &'a mut Vec<String>,
}

impl Edited<'_> {
    fn any(&mut self, kind: ObjType) -> Option<Id> {
        let all = self.spec.all(kind);
        (!all.is_empty()).then(|| *self.random.pick(&all))
    }

    /// The name of a random element of a kind, a new name, or none.
    fn name(&mut self, kind: ObjType) -> String {
        match self.random.below(8) {
            0 => String::new(),
            1 | 2 => format!("new{}", self.random.below(50)),
            _ => {
                let id = self.any(kind);
                id.and_then(|id| self.spec.element(id).ok().map(|e| e.meta().name.clone())).unwrap_or_default()
            }
        }
    }

    fn number(&mut self) -> f64 {
        let list: Vec<&str> = NUMBERS.split('|').collect();
        // NaN and infinities are rare, because most models are refused for them
        let n = if self.random.below(20) == 0 { list.len() } else { list.len() - 3 };
        list[self.random.below(n)].parse().expect("a number")
    }

    fn value(&mut self, field: &Field) -> Option<Value> {
        let n = match field.count {
            Count::One => 1,
            Count::Exactly(n) | Count::AtMost(n) => n,
            Count::Any => self.random.below(5),
        };
        Some(match field.kind {
            Kind::Text if field.count == Count::One => {
                let kind = *self.random.pick(&KINDS);
                Value::Text(self.name(kind))
            }
            Kind::Text => return None,
            Kind::Real | Kind::Float => Value::Numbers((0..n).map(|_| self.number()).collect()),
            Kind::Int => Value::Numbers((0..n).map(|_| self.random.below(5) as f64).collect()),
            Kind::Bool(_) => Value::Codes(vec![self.random.below(2) as i32]),
            Kind::Code(_, Some(info)) if !info.flags => {
                // some codes are internal to the compiler
                let said: Vec<_> = info.members.iter().filter(|m| !m.0.contains("_AUTO_")).copied().collect();
                Value::Codes(vec![self.random.pick(&said).1])
            }
            Kind::Code(..) => Value::Numbers(vec![self.random.below(3) as f64]),
            Kind::Orientation => {
                Value::Numbers([self.random.below(5) as f64].into_iter().chain((0..6).map(|_| self.number())).collect())
            }
        })
    }

    /// Changes some fields of an element.
    fn change(&mut self, id: Id, times: usize) {
        let fields = self.spec.element(id).map(|e| e.fields()).unwrap_or_default();
        for _ in 0..times.min(fields.len()) {
            let index = self.random.below(fields.len());
            let kind = self.spec.kind_of(id);
            let unsaid = |(of, names): &(ObjType, &str)| {
                Some(*of) == kind && names.split(' ').any(|name| name == fields[index].name)
            };
            if UNSAID.iter().any(unsaid) || id == self.spec.world_id() {
                continue;
            }
            let value = self.value(&fields[index]);
            if let (Some(value), Ok(element)) = (value, self.spec.element(id)) {
                self.log.push(format!("{}: {} = {value:?}", element.meta().name, fields[index].name));
                element.slot(index).expect("a listed field").fill(&value);
            }
        }
    }

    fn add(&mut self) {
        let kind = *self.random.pick(&KINDS);
        let classes: Vec<String> = self.spec.classes.iter().map(|c| c.name.clone()).collect();
        let class = self.random.pick(&classes).clone();
        let body = self.any(ObjType::Body).expect("the world is a body");
        let frame = self.spec.children(body, ObjType::Frame).first().copied();
        let id = match self.spec.add(kind, &class) {
            Ok(id) => Ok(id),
            Err(_) => self.spec.add_to(body, frame, kind, (self.random.below(2) == 0).then_some(class.as_str())),
        };
        let Ok(id) = id else { return };
        self.log.push(format!("add {kind:?} of class {class}"));
        self.rename(id, kind);
        match (kind, self.spec.element(id)) {
            // most elements would be refused without valid values here
            (ObjType::Geom, Ok(e)) => fill(e, "size", &[0.1, 0.1, 0.1]),
            (ObjType::Tendon, _) => self.path(),
            (ObjType::Actuator, Ok(_)) => {
                let joint = self.name(ObjType::Joint);
                let actuator = self.spec.actuators.last_mut().expect("just added");
                (actuator.target, actuator.trntype) = (joint, sinew_engine::model::enums::TrnType::Joint);
            }
            _ => {}
        }
        let times = self.random.below(3);
        self.change(id, times);
    }

    fn path(&mut self) {
        let names: Vec<String> = (0..2).map(|_| self.name(ObjType::Site)).collect();
        let tendon = self.spec.tendons.last_mut().expect("just added");
        tendon.spatial = true;
        tendon.path = names.into_iter().map(|site| (Wrap::Site { site }, Default::default())).collect();
    }

    fn rename(&mut self, id: Id, kind: ObjType) {
        if id == self.spec.world_id() {
            return;
        }
        let name = match self.random.below(6) {
            // elements of these kinds can be named in files
            0 if !matches!(kind, ObjType::Numeric | ObjType::Text | ObjType::Tuple) => self.name(kind),
            _ => format!("new{}", self.random.below(1000)),
        };
        if let Ok(element) = self.spec.element(id) {
            self.log.push(format!("rename {kind:?} {} to {name}", element.meta().name));
            element.meta_mut().name = name;
        }
    }

    fn attach(&mut self) {
        let body = self.any(ObjType::Body).expect("the world is a body");
        let Ok(frame) = self.spec.add_to(body, None, ObjType::Frame, None) else { return };
        let which = self.random.below(self.others.len() + 1);
        let mut child = self.others.get(which).unwrap_or(&self.spec).clone();
        let bodies = child.all(ObjType::Body);
        let part = (self.random.below(2) == 0).then(|| *self.random.pick(&bodies)).filter(|id| *id != bodies[0]);
        let (prefix, suffix) = (["p_", "", "q_"][self.random.below(3)], ["", "_s"][self.random.below(2)]);
        self.log.push(format!("attach {} ({part:?}) as {prefix}*{suffix}", child.modelname));
        let _ = self.spec.attach(frame, &mut child, part, prefix, suffix);
    }

    fn classes(&mut self) {
        let n = self.spec.classes.iter().count();
        let id = self.random.below(n);
        match self.random.below(3) {
            0 => {
                let name = format!("class{}", self.random.below(1000));
                if self.spec.classes.find(&name).is_none() {
                    self.spec.classes.add(&name, id);
                }
            }
            1 if id > 0 => self.spec.classes.delete(id),
            _ => {
                let (size, damping) = (self.number(), self.number());
                let defaults = self.spec.classes.get_mut(id).expect("a listed class").defaults_mut();
                (defaults.geom.size[0], defaults.joint.damping) = (size, damping);
            }
        }
        self.log.push(format!("class {id}"));
    }

    fn edit(&mut self) {
        let kind = *self.random.pick(&KINDS);
        let id = self.any(kind);
        match (self.random.below(12), id) {
            (0..=3, _) => self.add(),
            (4 | 5, Some(id)) => {
                let done = self.spec.delete(id);
                self.log.push(format!("delete {kind:?} {id:?}: {}", done.is_ok()));
            }
            (6 | 7, Some(id)) => self.change(id, 2),
            (8, Some(id)) => self.rename(id, kind),
            (9, _) => self.attach(),
            (10, _) => self.classes(),
            (11, Some(id)) => {
                let done = if kind == ObjType::Body {
                    self.spec.to_frame(id).is_ok()
                } else {
                    let frame = self.any(ObjType::Frame);
                    self.spec.set_frame(id, frame).is_ok()
                };
                self.log.push(format!("move {kind:?} {id:?}: {done}"));
            }
            _ => {}
        }
    }
}

fn fill(element: &mut dyn AnyElement, name: &str, numbers: &[f64]) {
    let index = element.fields().iter().position(|f| f.name == name).expect("a field");
    element.slot(index).expect("a listed field").fill(&Value::Numbers(numbers.to_vec()));
}

/// The models to edit.
pub struct Edits {
    specs: Vec<Spec>,
    source: Source,
}

impl Edits {
    pub fn new() -> Self {
        let seeds = seeds();
        let source = Source::with_files(seeds[0].files.clone());
        let texts = seeds.iter().map(|s| String::from_utf8_lossy(&s.xml).into_owned()).chain([PLUGINS.to_string()]);
        let mut specs: Vec<Spec> = texts.map(|text| read_str(&text, &source).expect("a seed")).collect();
        specs.retain(|spec| spec.plugins.len() < 2);
        // a file has only one set of these settings, shared by attached models
        for spec in &mut specs {
            let c = &mut spec.compilers[0];
            (c.boundmass, c.boundinertia, c.balanceinertia) = (0.0, 0.0, false);
            // nor can it express the looks of fixed tendons once their class has changed
            spec.classes.get_mut(0).expect("the root class").defaults_mut().tendon.width = Tendon::default().width;
            spec.tendons.iter_mut().for_each(|t| t.width = Tendon::default().width);
        }
        Edits { specs, source }
    }

    /// Edits a random model; the edits are determined by `number`. Returns whether it compiles, or what saving loses.
    /// `log` lists the edits, even if this panics.
    pub fn one(&self, number: u64, log: &mut Vec<String>) -> Result<bool, String> {
        let mut random = Random(number);
        let spec = random.pick(&self.specs).clone();
        let mut edited = Edited { spec, others: &self.specs, random, log };
        for _ in 0..=edited.random.below(8) {
            edited.edit();
            if edited.random.below(4) == 0 {
                let _ = compile(&edited.spec, &self.source).map(|model| edited.spec.settle_keys(&model));
            }
        }
        if compile(&edited.spec, &self.source).is_err() {
            return Ok(false);
        }
        let lost = match compile(&unsaid::left_out(&edited.spec), &self.source) {
            Ok(model) => changed(&model, &edited.spec, &self.source),
            Err(e) => Some(format!("what makes it a model: {e}")),
        };
        match lost {
            None => Ok(true),
            Some(what) => {
                edited.log.push(edited.spec.to_xml());
                Err(what)
            }
        }
    }
}
