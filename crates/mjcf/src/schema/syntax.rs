//! Parser of `mjcf.schema`, shared by the build script, which generates the structs, and by the checks of files.

/// How many values an attribute holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Count {
    /// One.
    One,
    /// Exactly this many.
    Exactly(usize),
    /// Up to this many.
    AtMost(usize),
    /// Any number.
    Any,
}

/// An attribute of an element, or a field of a struct.
#[derive(Clone, Debug)]
pub(crate) struct Attribute {
    pub(crate) name: String,
    /// `text`, `real`, `float`, `int`, a keyword list, an enum, or a Rust type after `rust `.
    pub(crate) kind: String,
    pub(crate) count: Count,
    pub(crate) required: bool,
    /// Whether "not given" is a value.
    pub(crate) optional: bool,
    /// Field of the struct; `-` for none.
    pub(crate) field: String,
    pub(crate) default: String,
    pub(crate) doc: String,
}

/// A line of an element or a group.
#[derive(Clone, Debug)]
pub(crate) enum Entry {
    Attribute(Attribute),
    Use(String),
    /// A sub-element, by its index.
    Child(usize),
}

/// An element, or a group.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rule {
    pub(crate) name: String,
    pub(crate) once: bool,
    pub(crate) loose: bool,
    pub(crate) group: bool,
    /// Rule with the same content.
    pub(crate) like: Option<usize>,
    pub(crate) entries: Vec<Entry>,
}

/// A keyword list: each word and the enum member that has its code.
#[derive(Clone, Debug)]
pub(crate) struct Words {
    pub(crate) name: String,
    pub(crate) prefix: String,
    pub(crate) rust: String,
    pub(crate) words: Vec<(String, String)>,
}

/// A struct of the editable model.
#[derive(Clone, Debug)]
pub(crate) struct Struct {
    pub(crate) name: String,
    /// Has a name, a class and a source position.
    pub(crate) element: bool,
    pub(crate) groups: Vec<String>,
    pub(crate) doc: String,
    pub(crate) fields: Vec<Attribute>,
}

/// The whole schema.
#[derive(Clone, Debug, Default)]
pub(crate) struct Syntax {
    pub(crate) words: Vec<Words>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) structs: Vec<Struct>,
    pub(crate) root: usize,
}

impl Syntax {
    /// Parses the schema. Its text is part of the source, so an error in it is a bug that tests catch.
    pub(crate) fn parse(text: &str) -> Syntax {
        let mut out = Syntax::default();
        let mut open: Vec<usize> = Vec::new();
        let mut in_struct = false;
        for line in text.lines().filter(|l| !l.trim().is_empty() && !l.starts_with('#')) {
            let body = line.trim_start();
            open.truncate((line.len() - body.len()) / 4);
            if line.len() == body.len() {
                in_struct = body.starts_with("struct ") || body.starts_with("element ");
            }
            match out.structs.last_mut().filter(|_| in_struct && line.len() > body.len()) {
                Some(last) => last.fields.extend(attributes(body)),
                None if in_struct => out.structs.push(head(body)),
                None => out.line(body, &mut open),
            }
        }
        out
    }

    fn line(&mut self, body: &str, open: &mut Vec<usize>) {
        if let Some(list) = body.strip_prefix("words ") {
            self.words.push(words(list));
        // inside an element, `group` is an attribute
        } else if let Some(name) = body.strip_prefix("group ").filter(|_| open.is_empty()) {
            open.push(self.rules.len());
            self.rules.push(Rule { name: name.into(), group: true, ..Rule::default() });
        } else if let Some((names, marks)) = body.strip_prefix('<').and_then(|b| b.split_once('>')) {
            self.elements(names, marks, open);
        } else {
            let owner = &mut self.rules[open[open.len() - 1]].entries;
            match body.strip_prefix("use ") {
                Some(name) => owner.push(Entry::Use(name.into())),
                None => owner.extend(attributes(body).into_iter().map(Entry::Attribute)),
            }
        }
    }

    /// Adds elements with the same content; leaves the first one open.
    fn elements(&mut self, names: &str, marks: &str, open: &mut Vec<usize>) {
        let first = self.rules.len();
        for name in names.split(' ') {
            let id = self.rules.len();
            match open.last() {
                Some(&parent) => self.rules[parent].entries.push(Entry::Child(id)),
                None => self.root = id,
            }
            let (once, loose) = (marks.contains('?'), marks.contains("loose"));
            let like = (id > first).then_some(first);
            self.rules.push(Rule { name: name.into(), once, loose, like, ..Rule::default() });
        }
        open.push(first);
    }

    /// A rule's own attributes and sub-elements and those of the groups it uses, in the order of the text.
    pub(crate) fn expand(&self, rule: usize) -> (Vec<&Attribute>, Vec<usize>) {
        let (mut attributes, mut children) = (Vec::new(), Vec::new());
        for entry in &self.rules[rule].entries {
            match entry {
                Entry::Attribute(attribute) => attributes.push(attribute),
                Entry::Child(child) => children.push(*child),
                Entry::Use(name) => {
                    let (more_attributes, more_children) = self.expand(self.group(name));
                    attributes.extend(more_attributes);
                    children.extend(more_children);
                }
            }
        }
        (attributes, children)
    }

    /// Index of a group.
    pub(crate) fn group(&self, name: &str) -> usize {
        self.rules.iter().position(|r| r.group && r.name == name).unwrap_or_else(|| panic!("no group '{name}'"))
    }
}

/// `NAME PREFIX as TYPE: list`.
fn words(line: &str) -> Words {
    let (head, list) = line.split_once(": ").expect("a keyword list has a colon");
    let (head, rust) = head.split_once(" as ").unwrap_or((head, "i32"));
    let (name, prefix) = head.split_once(' ').unwrap_or((head, ""));
    let word = |entry: &str| entry.split_once('=').map_or((entry.into(), entry.into()), |(a, b)| (a.into(), b.into()));
    let words = list.split(' ').map(word).collect();
    Words { name: name.into(), prefix: prefix.into(), rust: rust.into(), words }
}

/// `struct NAME from groups | meaning`.
fn head(line: &str) -> Struct {
    let (head, doc) = line.split_once(" | ").expect("a struct has a meaning");
    let mut parts = head.split(' ');
    let element = parts.next() == Some("element");
    let name = parts.next().expect("a struct has a name").to_string();
    Struct { name, element, groups: parts.skip(1).map(String::from).collect(), doc: doc.into(), fields: Vec::new() }
}

/// `names: type = default -> field | meaning`.
fn attributes(line: &str) -> Vec<Attribute> {
    let (line, doc) = line.split_once(" | ").unwrap_or((line, ""));
    let (line, field) = line.split_once(" -> ").unwrap_or((line, ""));
    let (names, rest) = line.split_once(": ").expect("a line of attributes has a colon");
    let (kind, default) = rest.split_once(" = ").unwrap_or((rest, ""));
    let (kind, required) = kind.strip_suffix('!').map_or((kind, false), |kind| (kind, true));
    let (kind, optional) = kind.strip_suffix('?').map_or((kind, false), |kind| (kind, true));
    let rust = kind.starts_with("rust ");
    let (kind, count) = if rust { (kind, "") } else { kind.split_once('[').unwrap_or((kind, "")) };
    let number = |n: &str| n.parse().expect("a count");
    let count = match count.trim_end_matches(']') {
        "" => Count::One,
        "*" => Count::Any,
        n => n.strip_prefix("..").map_or_else(|| Count::Exactly(number(n)), |n| Count::AtMost(number(n))),
    };
    let attribute = |name: &str| Attribute {
        name: name.into(),
        kind: kind.into(),
        count,
        required,
        optional,
        field: if field.is_empty() { name.into() } else { field.into() },
        default: default.into(),
        doc: doc.into(),
    };
    names.split(' ').map(attribute).collect()
}
