//! Formats elements as text: attributes in order, numbers in the shortest form that reads back equal.

use crate::schema::{self, Attr, attr};
use crate::spec::field::{Count, Field, Kind, Record, Value};
use sinew_engine::fields::{Fields, Slice};

/// An element to be written.
#[derive(Clone, Debug, Default)]
pub(super) struct Node {
    name: &'static str,
    attributes: Vec<(String, String)>,
    pub(super) children: Vec<Node>,
}

impl Node {
    pub(super) fn new(name: &'static str) -> Self {
        Node { name, ..Node::default() }
    }

    /// An element with children.
    pub(super) fn of(name: &'static str, children: impl IntoIterator<Item = Node>) -> Self {
        Node { name, children: children.into_iter().collect(), ..Node::default() }
    }

    /// Whether it has neither attributes nor children.
    pub(super) fn is_empty(&self) -> bool {
        self.attributes.is_empty() && self.children.is_empty()
    }

    pub(super) fn put(&mut self, name: Attr, value: impl Into<String>) {
        self.put_other(name.name(), value);
    }

    /// An attribute that is not in the schema of MJCF: a flag, a setting, or an attribute of another format.
    pub(super) fn put_other(&mut self, name: &str, value: impl Into<String>) {
        self.attributes.push((name.into(), value.into()));
    }

    /// Text that is only written if not empty.
    pub(super) fn text(&mut self, name: Attr, value: &str) {
        if !value.is_empty() {
            self.put(name, value);
        }
    }

    pub(super) fn numbers(&mut self, name: Attr, numbers: &[f64]) {
        self.put(name, join(numbers.iter().map(|&x| real(x))));
    }

    /// The attributes of a struct that differ from `base`, without those in `except`.
    pub(super) fn record<R: Record>(&mut self, record: &R, base: &R, except: &[Attr]) {
        for (i, field) in R::FIELDS.iter().enumerate() {
            let Some(attribute) = field.attribute.filter(|a| !except.contains(a)) else { continue };
            let (value, before) = (record.value(i), base.value(i));
            if !same(&value, &before)
                && let Some(text) = text(field, &value, &before)
            {
                self.put(attribute, text);
            }
        }
    }

    /// Whether the element has this name.
    pub(super) fn is(&self, name: &str) -> bool {
        self.name == name
    }

    /// An empty element of the same name.
    pub(super) fn like(&self) -> Self {
        Node::new(self.name)
    }

    /// Moves the attributes and children of another element into this one.
    pub(super) fn absorb(&mut self, other: Node) {
        self.name = other.name;
        self.attributes.extend(other.attributes);
        self.children.extend(other.children);
    }

    /// The attributes of a settings struct that differ from the defaults; `words` gives the keyword list of a setting.
    pub(super) fn settings_where<T: Fields>(
        &mut self,
        settings: &T,
        base: &T,
        words: impl Fn(&str) -> &'static str,
        keep: impl Fn(&str) -> bool,
    ) {
        for (i, field) in T::FIELDS.iter().enumerate().filter(|(_, field)| keep(field.name)) {
            let (value, before) = (slice(settings.field(i)), slice(base.field(i)));
            if same(&value, &before) {
                continue;
            }
            let list = words(field.name);
            match value {
                Value::Numbers(numbers) if list.is_empty() => {
                    let single = matches!(settings.field(i), Slice::F32(_));
                    self.put_other(field.name, join(numbers.iter().map(|&x| number(x, single))));
                }
                Value::Numbers(numbers) => {
                    if let Some(word) = schema::word(list, numbers[0] as i32) {
                        self.put_other(field.name, word);
                    }
                }
                _ => {}
            }
        }
    }

    /// Appends the element and its children to the output.
    pub(super) fn write(&self, depth: usize, out: &mut String) {
        let indent = "  ".repeat(depth);
        out.push_str(&indent);
        out.push('<');
        out.push_str(self.name);
        for (name, value) in &self.attributes {
            out.push(' ');
            out.push_str(name);
            out.push_str("=\"");
            escape(value, out);
            out.push('"');
        }
        if self.children.is_empty() {
            out.push_str("/>\n");
            return;
        }
        out.push_str(">\n");
        for (i, child) in self.children.iter().enumerate() {
            // separate sections by blank lines
            if depth == 0 && i > 0 {
                out.push('\n');
            }
            child.write(depth + 1, out);
        }
        out.push_str(&indent);
        out.push_str("</");
        out.push_str(self.name);
        out.push_str(">\n");
    }
}

fn slice(slice: Slice<'_>) -> Value {
    Value::Numbers(match slice {
        Slice::F64(x) => x.to_vec(),
        Slice::F32(x) => x.iter().map(|&x| f64::from(x)).collect(),
        Slice::I32(x) => x.iter().map(|&x| f64::from(x)).collect(),
        Slice::I64(x) => x.iter().map(|&x| x as f64).collect(),
        Slice::U8(x) => x.iter().map(|&x| f64::from(x)).collect(),
        Slice::Code(code) => vec![f64::from(code)],
    })
}

/// Equality under which NaN equals NaN.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Numbers(a), Value::Numbers(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(x, y)| x == y || (x.is_nan() && y.is_nan()))
        }
        _ => a == b,
    }
}

/// The text of an attribute; `None` if a file cannot express it.
fn text(field: &Field, value: &Value, before: &Value) -> Option<String> {
    let single = matches!(field.kind, Kind::Float);
    match (value, field.kind) {
        // NaN resets a value set by the class
        (Value::Absent, Kind::Real | Kind::Float) if *before != Value::Absent => Some("nan".into()),
        (Value::Absent, _) => None,
        (Value::Text(text), _) => Some(text.clone()),
        (Value::Texts(texts), _) => Some(texts.join(" ")),
        (Value::Codes(codes), Kind::Bool(list) | Kind::Code(list, _)) => schema::word(list, codes[0]).map(String::from),
        (Value::Numbers(numbers), Kind::Code(list, _)) => schema::word(list, numbers[0] as i32).map(String::from),
        (Value::Numbers(numbers), _) if numbers.is_empty() => None,
        (Value::Numbers(numbers), _) => {
            let numbers = shorten(field, numbers, before);
            Some(join(numbers.iter().map(|&x| number(x, single))))
        }
        (Value::Codes(codes), _) => Some(join(codes.iter().map(i32::to_string))),
    }
}

/// Drops trailing values of a list that equal the values the reader starts from.
fn shorten<'a>(field: &Field, numbers: &'a [f64], before: &Value) -> &'a [f64] {
    let Value::Numbers(before) = before else { return numbers };
    // a single resting length sets both ends of the range
    if !matches!(field.count, Count::AtMost(_)) || field.attribute == Some(attr::SPRINGLENGTH) {
        return numbers;
    }
    let last = numbers.iter().zip(before).rposition(|(x, y)| x != y);
    &numbers[..last.map_or(1, |i| i + 1)]
}

/// Joins words with spaces.
pub(super) fn join(words: impl Iterator<Item = String>) -> String {
    words.collect::<Vec<_>>().join(" ")
}

/// The shortest text that reads back equal.
pub(super) fn real(x: f64) -> String {
    number(x, false)
}

/// The same for a single-precision number.
pub(super) fn single(x: f32) -> String {
    number(f64::from(x), true)
}

fn number(x: f64, single: bool) -> String {
    let (plain, scientific) = match single {
        true => (format!("{}", x as f32), format!("{:e}", x as f32)),
        false => (format!("{x}"), format!("{x:e}")),
    };
    match x {
        _ if x.is_nan() => "nan".into(),
        _ if x.is_infinite() => if x > 0.0 { "inf" } else { "-inf" }.into(),
        // whole numbers keep the plain form: integers are read without exponents
        _ if scientific.len() + 2 < plain.len() && x.fract() != 0.0 => scientific,
        _ if scientific.len() + 8 < plain.len() => scientific,
        _ => plain,
    }
}

fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            c => out.push(c),
        }
    }
}
