//! The elements and attributes that a model may have, from the MJCF schema.

use super::syntax::{Attribute, Count, Syntax};
use crate::common::Random;

/// The schema, with groups resolved.
pub(super) struct Table {
    rules: Vec<Rule>,
    words: Vec<(String, Vec<String>)>,
    root: usize,
}

/// What an element may contain.
pub(super) struct Rule {
    pub attributes: Vec<Attribute>,
    /// Names of sub-elements and their rules.
    pub children: Vec<(String, usize)>,
}

/// Valid numbers and, from the tenth on, values that often cause bugs.
const NUMBERS: &str =
    "0 1 .5 2 -1 .1 .01 3 10 100 1e-9 1e9 -1e-20 1e20 1e-310 1e308 -1e308 nan inf 65536 4294967296 1e15";
const FINE: usize = 10;
const INTEGERS: &str = "0 1 2 3 4 5 6 -1 10 7 100 1000 65535 100000 1000000 16777216 2147483647 -2147483648 4294967296";
const TEXTS: &str = "a.stl|a.obj|a.msh|a.png|a.xml|a.bin|tet.msh|text.msh|part.xml|..|/|world||mujoco.pid|mujoco.elasticity.cable|mujoco.sensor.touch_grid|mujoco.sdf.gear|kp|twist|nchannel|image/png|model/obj|main|&#0;|1 0 0 0 1 0 0 0 1|0 1 2|0 1 2 3|0 1 2 0 2 3|R U D L F B|.U............|xyz|ZYX";

impl Table {
    pub fn new() -> Self {
        let syntax = Syntax::parse(include_str!("../../../mjcf/src/mjcf.schema"));
        let rule = |i: usize| {
            let (attributes, children) = syntax.expand(syntax.rules[i].like.unwrap_or(i));
            let children = children.into_iter().map(|c| (syntax.rules[c].name.clone(), c));
            Rule { attributes: attributes.into_iter().cloned().collect(), children: children.collect() }
        };
        let rules = (0..syntax.rules.len()).map(rule).collect();
        let words = syntax.words.iter().map(|w| (w.name.clone(), w.words.iter().map(|w| w.0.clone()).collect()));
        Table { words: words.collect(), rules, root: syntax.root }
    }

    pub fn root(&self) -> usize {
        self.root
    }

    pub fn rule(&self, index: usize) -> &Rule {
        &self.rules[index]
    }

    /// The rule of a sub-element.
    pub fn child(&self, rule: usize, name: &str) -> Option<usize> {
        self.rules[rule].children.iter().find(|c| c.0 == name).map(|c| c.1)
    }

    /// A valid or nearly valid value of an attribute. `names` are names of elements.
    pub fn value(&self, attribute: &Attribute, names: &[String], random: &mut Random) -> String {
        let n = match attribute.count {
            Count::One => 1,
            Count::Exactly(n) => n,
            Count::AtMost(n) => 1 + random.below(n),
            Count::Any => random.below(13),
        };
        // sometimes one number too many or too few
        let n = if random.below(40) == 0 { (n + 2 * random.below(2)).saturating_sub(1) } else { n };
        let one = |random: &mut Random| match attribute.kind.as_str() {
            "text" => text(names, random),
            "real" | "float" => number(NUMBERS, random),
            "int" => number(INTEGERS, random),
            list => match self.words.iter().find(|w| w.0 == list) {
                Some((_, words)) => random.pick(words).clone(),
                None => String::new(),
            },
        };
        (0..n).map(|_| one(random)).collect::<Vec<_>>().join(" ")
    }
}

fn number(list: &str, random: &mut Random) -> String {
    let list: Vec<&str> = list.split(' ').collect();
    let n = if random.below(12) == 0 { list.len() } else { FINE };
    list[random.below(n)].into()
}

fn text(names: &[String], random: &mut Random) -> String {
    let list: Vec<&str> = TEXTS.split('|').collect();
    if names.is_empty() || random.below(4) == 0 { (*random.pick(&list)).into() } else { random.pick(names).clone() }
}
