//! `compiler`, `option`, `size`, `visual` and `statistic`.

use super::Writer;
use super::text::{Node, join};
use crate::schema::attr;
use crate::spec::{Compiler, LengthRange, SpecSizes, StatisticOverride};
use sinew_engine::model::{Options, Visual};

impl Writer<'_> {
    pub(super) fn compiler(&self) -> Node {
        let (c, base) = (self.main, Compiler::default());
        let mut node = Node::new("compiler");
        node.record(&Compiler { degree: self.degree, alignfree: self.alignfree, ..c.clone() }, &base, &[]);
        if c.eulerseq != base.eulerseq {
            node.put(attr::EULERSEQ, String::from_utf8_lossy(&c.eulerseq));
        }
        let mut part = Node::new("lengthrange");
        part.record(&c.lengthrange, &LengthRange::default(), &[]);
        node.children.extend((!part.is_empty()).then_some(part));
        node
    }

    pub(super) fn option(&self) -> Node {
        let (o, base) = (&self.spec.option, Options::default());
        let mut node = Node::new("option");
        let keep = |name: &str| !matches!(name, "disableflags" | "enableflags" | "disableactuator");
        node.settings_where(o, &base, words, keep);
        if o.disableactuator != 0 {
            let groups = (0..31).filter(|i| o.disableactuator & (1 << i) != 0);
            node.put(attr::ACTUATORGROUPDISABLE, join(groups.map(|i: i32| i.to_string())));
        }
        let mut flags = Node::new("flag");
        for (name, _) in o.disableflags.iter_names() {
            flags.put_other(&name.to_ascii_lowercase(), "disable");
        }
        for (name, _) in o.enableflags.iter_names() {
            flags.put_other(&name.to_ascii_lowercase(), "enable");
        }
        node.children.extend((!flags.is_empty()).then_some(flags));
        node
    }

    pub(super) fn size(&self) -> Node {
        let mut node = Node::new("size");
        if self.spec.size.memory != -1 {
            node.put(attr::MEMORY, self.spec.size.memory.to_string());
        }
        node.record(&self.spec.size, &SpecSizes::default(), &[]);
        node
    }

    pub(super) fn statistic(&self) -> Node {
        let mut node = Node::new("statistic");
        node.record(&self.spec.stat, &StatisticOverride::default(), &[]);
        node
    }

    pub(super) fn visual(&self) -> Node {
        let (v, base) = (&self.spec.visual, Visual::default());
        let none = |_: &str| "";
        let mut parts = ["global", "quality", "headlight", "map", "scale", "rgba"].map(Node::new);
        parts[0].settings_where(&v.global, &base.global, global_words, |_| true);
        parts[1].settings_where(&v.quality, &base.quality, none, |_| true);
        parts[2].settings_where(&v.headlight, &base.headlight, none, |_| true);
        parts[3].settings_where(&v.map, &base.map, none, |_| true);
        parts[4].settings_where(&v.scale, &base.scale, none, |_| true);
        parts[5].settings_where(&v.rgba, &base.rgba, none, |_| true);
        Node::of("visual", parts.into_iter().filter(|part| !part.is_empty()))
    }
}

/// Keyword lists of options.
fn words(name: &str) -> &'static str {
    match name {
        "integrator" => "integrator",
        "cone" => "cone",
        "jacobian" => "jacobian",
        "solver" => "solver",
        _ => "",
    }
}

fn global_words(name: &str) -> &'static str {
    match name {
        "orthographic" | "ellipsoidinertia" | "bvactive" => "bool",
        _ => "",
    }
}
