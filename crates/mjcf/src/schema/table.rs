//! `mjcf.schema` as a table of rules.

use super::attr::Attr;
pub(super) use super::syntax::Count;
use super::syntax::{self, Syntax};
use crate::error::ErrorKind;
use sinew_engine::model::enums::ENUMS;
use std::sync::OnceLock;

/// What an attribute holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Text,
    Real,
    Float,
    Int,
    /// Index of a keyword list.
    Words(usize),
}

impl Count {
    /// Checks the number of values. No values at all is always accepted: the attribute then counts as absent.
    pub(super) fn check(self, got: usize) -> Result<(), ErrorKind> {
        let (valid, expected) = match self {
            Count::One => (got <= 1, "one number".to_string()),
            Count::Exactly(n) => (got == n || got == 0, format!("{n} numbers")),
            Count::AtMost(n) => (got <= n, format!("at most {n} numbers")),
            Count::Any => return Ok(()),
        };
        if valid { Ok(()) } else { Err(ErrorKind::WrongCount { expected, got }) }
    }
}

/// An attribute of an element.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) name: Attr,
    pub(super) kind: Kind,
    pub(super) count: Count,
    pub(super) required: bool,
}

/// An element, or a group of attributes and elements.
#[derive(Clone, Debug, Default)]
pub(super) struct Rule {
    pub(super) name: String,
    pub(super) once: bool,
    pub(super) loose: bool,
    pub(super) fields: Vec<Field>,
    children: Vec<usize>,
}

impl Rule {
    pub(super) fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|f| f.name.name() == name)
    }
}

/// A keyword list: each word and its code.
struct Words {
    name: String,
    codes: Vec<(String, i32)>,
}

pub(super) struct Schema {
    rules: Vec<Rule>,
    words: Vec<Words>,
    root: usize,
}

impl Schema {
    /// The schema of this build. Its text is part of the source, so an error in it is a bug that tests catch.
    pub(super) fn get() -> &'static Schema {
        static SCHEMA: OnceLock<Schema> = OnceLock::new();
        SCHEMA.get_or_init(|| Schema::parse(include_str!(concat!(env!("OUT_DIR"), "/rules.schema"))))
    }

    pub(super) fn root(&self) -> &Rule {
        &self.rules[self.root]
    }

    pub(super) fn children<'a>(&'a self, rule: &'a Rule) -> impl Iterator<Item = &'a Rule> {
        rule.children.iter().map(|&i| &self.rules[i])
    }

    pub(super) fn child(&'static self, rule: &Rule, name: &str) -> Option<&'static Rule> {
        rule.children.iter().map(|&i| &self.rules[i]).find(|r| r.name == name)
    }

    /// The keyword with the given code.
    pub(super) fn word(&self, list: &str, code: i32) -> Option<&str> {
        let codes = &self.words.iter().find(|w| w.name == list)?.codes;
        codes.iter().find(|(_, c)| *c == code).map(|(word, _)| word.as_str())
    }

    /// Code of a keyword.
    pub(super) fn code(&self, group: usize, word: &str) -> Result<i32, ErrorKind> {
        let codes = &self.words[group].codes;
        codes.iter().find(|(w, _)| w == word).map(|&(_, code)| code).ok_or_else(|| {
            let expected = codes.iter().map(|(w, _)| w.as_str()).collect::<Vec<_>>().join(", ");
            ErrorKind::BadKeyword { got: word.into(), expected }
        })
    }

    fn parse(text: &str) -> Schema {
        let syntax = Syntax::parse(text);
        let words: Vec<Words> = syntax.words.iter().map(Words::new).collect();
        let rules = syntax.rules.iter().enumerate().map(|(i, rule)| {
            let (attributes, children) = syntax.expand(rule.like.unwrap_or(i));
            let fields = attributes.into_iter().map(|a| Field::new(a, &words)).collect();
            Rule { name: rule.name.clone(), once: rule.once, loose: rule.loose, fields, children }
        });
        Schema { rules: rules.collect(), root: syntax.root, words }
    }
}

impl Field {
    fn new(attribute: &syntax::Attribute, words: &[Words]) -> Self {
        let kind = match attribute.kind.as_str() {
            "text" => Kind::Text,
            "real" => Kind::Real,
            "float" => Kind::Float,
            "int" => Kind::Int,
            list => Kind::Words(words.iter().position(|w| w.name == list).expect("a known keyword list")),
        };
        let name = Attr::find(&attribute.name).expect("a constant for every name");
        Field { name, kind, count: attribute.count, required: attribute.required }
    }
}

impl Words {
    fn new(list: &syntax::Words) -> Self {
        let code = |i: usize, member: &str| match list.prefix.as_str() {
            "" => i as i32,
            prefix => enum_code(&format!("{prefix}{}", member.to_ascii_uppercase())),
        };
        let codes = list.words.iter().enumerate().map(|(i, (word, member))| (word.clone(), code(i, member)));
        Words { name: list.name.clone(), codes: codes.collect() }
    }
}

fn enum_code(member: &str) -> i32 {
    let members = ENUMS.iter().flat_map(|e| e.members);
    members.into_iter().find(|(name, _)| *name == member).expect("a member of the enum table").1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_is_well_formed() {
        let schema = Schema::get();
        assert_eq!(schema.root().name, "mujoco");
        for rule in &schema.rules {
            for (i, field) in rule.fields.iter().enumerate() {
                assert!(rule.fields[..i].iter().all(|f| f.name != field.name), "{} {}", rule.name, field.name);
            }
            let names: Vec<&str> = schema.children(rule).map(|r| r.name.as_str()).collect();
            for (i, name) in names.iter().enumerate() {
                assert!(!names[..i].contains(name), "{} {name}", rule.name);
            }
        }
    }
}
