//! `mjcf.schema` as a table of rules.

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

/// How many values an attribute holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Count {
    One,
    Exactly(usize),
    AtMost(usize),
    Any,
}

impl Count {
    /// Nothing at all always passes: it means that the attribute is absent.
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
    pub(super) name: String,
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
    uses: Vec<String>,
    group: bool,
    /// Rule with the same content.
    like: Option<usize>,
}

impl Rule {
    pub(super) fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|f| f.name == name)
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
    /// The schema of this build. Its text is part of the source, so that a mistake in it is a bug, caught by tests.
    pub(super) fn get() -> &'static Schema {
        static SCHEMA: OnceLock<Schema> = OnceLock::new();
        SCHEMA.get_or_init(|| Schema::parse(include_str!("../mjcf.schema")))
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

    /// Code of a keyword.
    pub(super) fn code(&self, group: usize, word: &str) -> Result<i32, ErrorKind> {
        let codes = &self.words[group].codes;
        codes.iter().find(|(w, _)| w == word).map(|&(_, code)| code).ok_or_else(|| {
            let expected = codes.iter().map(|(w, _)| w.as_str()).collect::<Vec<_>>().join(", ");
            ErrorKind::BadKeyword { got: word.into(), expected }
        })
    }

    fn parse(text: &str) -> Schema {
        let mut schema = Schema { rules: Vec::new(), words: Vec::new(), root: 0 };
        let mut open: Vec<usize> = Vec::new();
        for line in text.lines().filter(|l| !l.trim().is_empty() && !l.starts_with('#')) {
            let body = line.trim_start();
            open.truncate((line.len() - body.len()) / 4);
            schema.line(body, &mut open);
        }
        for i in 0..schema.rules.len() {
            // a rule like another one comes after it, so that the other one is complete
            let (fields, children) = schema.expand(schema.rules[i].like.unwrap_or(i));
            schema.rules[i].fields = fields;
            schema.rules[i].children = children;
            schema.rules[i].uses.clear();
        }
        schema
    }

    fn line(&mut self, body: &str, open: &mut Vec<usize>) {
        if let Some(list) = body.strip_prefix("words ") {
            self.words.push(words(list));
        // inside an element, `group` is an attribute
        } else if let Some(name) = body.strip_prefix("group ").filter(|_| open.is_empty()) {
            open.push(self.rules.len());
            self.rules.push(Rule { name: name.into(), group: true, ..Rule::default() });
        } else if let Some(name) = body.strip_prefix("use ") {
            let owner = open[open.len() - 1];
            self.rules[owner].uses.push(name.into());
        } else if let Some((names, marks)) = body.strip_prefix('<').and_then(|b| b.split_once('>')) {
            self.elements(names, marks, open);
        } else {
            let (names, kind) = body.split_once(": ").expect("a line of attributes has a colon");
            let owner = open[open.len() - 1];
            let fields: Vec<Field> = names.split(' ').map(|name| self.field(name, kind)).collect();
            self.rules[owner].fields.extend(fields);
        }
    }

    /// Elements with the same content; the first one is left open.
    fn elements(&mut self, names: &str, marks: &str, open: &mut Vec<usize>) {
        let first = self.rules.len();
        for name in names.split(' ') {
            let id = self.rules.len();
            match open.last() {
                Some(&parent) => self.rules[parent].children.push(id),
                None => self.root = id,
            }
            let (once, loose) = (marks.contains('?'), marks.contains("loose"));
            let like = (id > first).then_some(first);
            self.rules.push(Rule { name: name.into(), once, loose, like, ..Rule::default() });
        }
        open.push(first);
    }

    fn field(&self, name: &str, text: &str) -> Field {
        let (text, required) = match text.strip_suffix('!') {
            Some(text) => (text, true),
            None => (text, false),
        };
        let (kind, count) = text.split_once('[').unwrap_or((text, ""));
        let kind = match kind {
            "text" => Kind::Text,
            "real" => Kind::Real,
            "float" => Kind::Float,
            "int" => Kind::Int,
            list => Kind::Words(self.words.iter().position(|w| w.name == list).expect("a known keyword list")),
        };
        let count = match count.trim_end_matches(']') {
            "" => Count::One,
            "*" => Count::Any,
            n => match n.strip_prefix("..") {
                Some(n) => Count::AtMost(n.parse().expect("a count")),
                None => Count::Exactly(n.parse().expect("a count")),
            },
        };
        Field { name: name.into(), kind, count, required }
    }

    /// A rule's own fields and children, and those of the groups it uses.
    fn expand(&self, rule: usize) -> (Vec<Field>, Vec<usize>) {
        let rule = &self.rules[rule];
        let (mut fields, mut children) = (rule.fields.clone(), rule.children.clone());
        for name in &rule.uses {
            let group = self.rules.iter().position(|r| r.group && &r.name == name).expect("a known group");
            let (more_fields, more_children) = self.expand(group);
            fields.extend(more_fields);
            children.extend(more_children);
        }
        (fields, children)
    }
}

fn words(line: &str) -> Words {
    let (head, list) = line.split_once(": ").expect("a keyword list has a colon");
    let (name, prefix) = head.split_once(' ').unwrap_or((head, ""));
    let codes = list.split(' ').enumerate().map(|(i, entry)| {
        let (word, member) = entry.split_once('=').unwrap_or((entry, entry));
        let code = if prefix.is_empty() { i as i32 } else { enum_code(&format!("{prefix}{}", member.to_uppercase())) };
        (word.to_string(), code)
    });
    Words { name: name.into(), codes: codes.collect() }
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
