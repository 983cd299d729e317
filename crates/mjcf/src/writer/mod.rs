//! [`Spec`] → MJCF text, as a person would write it.
//!
//! Default classes are kept, and an element lists only how it differs from its class. Frames are kept. What the reader
//! has expanded (includes, replicas, attached models, composites, shortcuts of actuators) is written in expanded form.

mod asset;
mod motion;
mod plugin;
mod sensor;
mod settings;
mod text;
mod tree;
mod urdf;

use crate::compile::compile;
use crate::loader::on_deep_stack;
use crate::schema::attr;
use crate::source::{self, Source};
use crate::spec::class::{Classes, Defaults};
use crate::spec::{Compiler, Meta, Spec};
use text::Node;

impl Spec {
    /// The model as MJCF text, which compiles to the same model.
    ///
    /// ```
    /// let xml = r#"<mujoco><default><geom size=".1"/></default><worldbody><geom name="ball"/></worldbody></mujoco>"#;
    /// let spec = sinew_mjcf::read_str(xml, &Default::default())?;
    /// assert!(spec.to_xml().contains(r#"<geom name="ball"/>"#));
    /// # Ok::<(), sinew_mjcf::Error>(())
    /// ```
    #[doc(alias = "mj_saveXML")]
    pub fn to_xml(&self) -> String {
        self.to_xml_with(&Source::disk())
    }

    /// As [`Spec::to_xml`], for a model whose files are in `source`: keyframes of attached models may have to be
    /// completed by compiling the model.
    pub fn to_xml_with(&self, source: &Source) -> String {
        on_deep_stack(|| {
            let mut spec = self.settled();
            let heirs = Writer::new(&spec).heirs();
            // files cannot leave a part of a keyframe to the initial state
            if (!heirs.is_empty() || spec.keys.iter().any(|key| !key.open.is_empty()))
                && let Ok(model) = compile(&spec, source)
            {
                spec.to_mut().settle_keys(&model);
                for i in heirs {
                    let actuator = &mut spec.to_mut().actuators[i];
                    actuator.inheritrange = 0.0;
                    (actuator.ctrlrange, actuator.actrange) = (model.actuator_ctrlrange[i], model.actuator_actrange[i]);
                }
            }
            let mut out = String::new();
            Writer::new(&spec).document().write(0, &mut out);
            out
        })
    }
}

struct Writer<'a> {
    spec: &'a Spec,
    main: &'a Compiler,
    /// Whether angles are written in degrees: only if all models use degrees, since degrees convert to radians without
    /// loss.
    degree: bool,
    /// Whether free joints without their own setting are aligned.
    alignfree: bool,
}

impl<'a> Writer<'a> {
    fn new(spec: &'a Spec) -> Self {
        let degree = spec.compilers.iter().all(|c| c.degree);
        Writer { spec, main: &spec.compilers[0], degree, alignfree: tree::alignfree(spec) }
    }

    fn document(&self) -> Node {
        let sections = [
            self.compiler(),
            self.option(),
            self.size(),
            self.visual(),
            self.statistic(),
            self.defaults(0),
            self.extension(),
            Node::of("custom", self.custom()),
            Node::of("asset", self.assets()),
            Node::of("worldbody", self.contents(&self.spec.world, "")),
            Node::of("deformable", self.flexes()),
            Node::of("contact", self.contact()),
            Node::of("equality", self.spec.equalities.iter().filter_map(|e| self.equality(e))),
            Node::of("tendon", self.spec.tendons.iter().map(|t| self.tendon(t))),
            Node::of("actuator", self.spec.actuators.iter().map(|a| self.actuator(a))),
            Node::of("sensor", self.spec.sensors.iter().map(|s| self.sensor(s))),
            Node::of("keyframe", self.keys()),
        ];
        let mut root = Node::of("mujoco", sections.into_iter().filter(|s| !s.is_empty()));
        root.put(attr::MODEL, &self.spec.modelname);
        root
    }

    /// A class with the classes inside it; the root class has no name in files.
    fn defaults(&self, id: usize) -> Node {
        let classes = &self.spec.classes;
        let class = &classes[id];
        let standard = Defaults::default();
        let base = class.parent.map_or(&standard, |p| classes[p].defaults());
        let mut node = Node::new("default");
        if id > 0 {
            node.put(attr::CLASS, &class.name);
        }
        let own = class.defaults();
        let mut add = |part: Node| node.children.extend((!part.is_empty()).then_some(part));
        let mut simple = Node::new("mesh");
        simple.record(&own.mesh, &base.mesh, &[]);
        add(simple);
        add(self.material_like(&own.material, &base.material));
        let mut simple = Node::new("joint");
        simple.record(&own.joint, &base.joint, &[]);
        add(simple);
        add(tree::geom(&own.geom, &base.geom));
        add(tree::site(&own.site, &base.site));
        add(tree::camera(&own.camera, &base.camera));
        let mut simple = Node::new("light");
        simple.record(&own.light, &base.light, &[]);
        add(simple);
        let mut simple = Node::new("pair");
        simple.record(&own.pair, &base.pair, &[]);
        add(simple);
        let mut simple = Node::new("equality");
        simple.record(&own.equality, &base.equality, &[]);
        add(simple);
        let mut simple = Node::new("tendon");
        simple.record(&own.tendon, &base.tendon, &[]);
        add(simple);
        let drive = motion::drive(&own.actuator, &base.actuator);
        // even without attributes a shortcut changes the defaults
        if own.actuator != base.actuator {
            node.children.push(drive);
        }
        let inside = classes.iter().enumerate().filter(|(_, c)| c.parent == Some(id)).map(|(i, _)| self.defaults(i));
        node.children.extend(inside.collect::<Vec<_>>());
        node
    }

    fn classes(&self) -> &Classes {
        &self.spec.classes
    }

    /// The class of an element as written in files: the root class if it is unknown.
    fn class<'m>(&self, meta: &'m Meta) -> &'m str {
        if self.classes().find(&meta.class).unwrap_or(0) == 0 { "" } else { &meta.class }
    }

    /// Starts an element outside the tree, with its name and class.
    fn start(&self, name: &'static str, meta: &Meta) -> Node {
        let mut node = named(name, meta);
        node.text(attr::CLASS, self.class(meta));
        node
    }

    /// Settings of the file that an element came from, if they differ from those that will be written.
    fn foreign(&self, meta: &Meta) -> Option<&Compiler> {
        self.spec.compilers.get(meta.compiler).filter(|c| *c != self.main)
    }

    /// A file name. For another model the path is absolute, because that model's directories are not written.
    fn file(&self, meta: &Meta, file: &str, dir: impl Fn(&Compiler) -> &str) -> String {
        match self.foreign(meta) {
            Some(compiler) if !file.is_empty() => {
                let path = source::join(&source::join(&compiler.modelfiledir, dir(compiler)), file);
                std::path::absolute(&path).map_or(path, |p| p.to_string_lossy().into_owned())
            }
            _ => file.to_string(),
        }
    }
}

/// Starts an element of a kind without classes.
fn named(name: &'static str, meta: &Meta) -> Node {
    let mut node = Node::new(name);
    node.text(attr::NAME, &meta.name);
    node
}
