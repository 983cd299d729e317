//! XML text → element tree, with the source position of every element and attribute.
//!
//! As lenient as the parser behind MuJoCo: double hyphens in comments, undeclared namespaces, unknown
//! entities and stray text are accepted. Nesting depth and node count are bounded.

use crate::error::{Error, ErrorKind, Result};
use crate::spec::Loc;
use quick_xml::Reader;
use quick_xml::events::Event;
use std::cell::Cell;

/// Maximum nesting depth of elements, as in MuJoCo.
pub const MAX_DEPTH: usize = 498;
/// Maximum number of elements and attributes in a document.
pub const MAX_NODES: usize = 4_000_000;

/// An attribute; entities in `value` are resolved.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// Name, with its namespace prefix if it has one.
    pub name: String,
    /// Text between the quotes.
    pub value: String,
    /// Position of the name.
    pub loc: Loc,
}

/// An element. Text and comments are dropped: neither MJCF nor URDF gives them a meaning.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Element {
    /// Tag name.
    pub name: String,
    /// Position of the opening bracket.
    pub loc: Loc,
    /// Attributes, in file order.
    pub attributes: Vec<Attribute>,
    /// Child elements, in file order.
    pub children: Vec<Element>,
}

impl Element {
    /// Text of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|a| a.name == name).map(|a| a.value.as_str())
    }

    /// First child with a name.
    pub fn child(&self, name: &str) -> Option<&Element> {
        self.children.iter().find(|c| c.name == name)
    }

    /// All children with a name.
    pub fn children_named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Element> {
        self.children.iter().filter(move |c| c.name == name)
    }

    /// An error at this element.
    pub fn error(&self, kind: ErrorKind) -> Error {
        Error::new(kind).at(self.loc).element(&self.name)
    }
}

/// Parses a document and returns its root element. `file` is the index that goes into every [`Loc`].
pub fn parse(text: &str, file: u32) -> Result<Element> {
    Parser::new(text, file).run()
}

struct Parser<'a> {
    text: &'a str,
    lines: Vec<usize>,
    /// Byte offset of the last lookup, and the number of characters before it on its line. Most lookups come in order,
    /// so the characters of a long line are counted only once.
    last: Cell<(usize, usize)>,
    file: u32,
    nodes: usize,
    open: Vec<Element>,
    root: Option<Element>,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, file: u32) -> Self {
        // A NUL ends the text, as in a C string.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let text = &text[..text.find('\0').unwrap_or(text.len())];
        let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i + 1)).collect();
        Parser { text, lines, last: Cell::new((0, 0)), file, nodes: 0, open: Vec::new(), root: None }
    }

    fn loc(&self, at: usize) -> Loc {
        let line = self.lines.partition_point(|&start| start <= at).max(1) - 1;
        let start = self.lines[line];
        let (from, before) =
            Some(self.last.get()).filter(|(byte, _)| (start..=at).contains(byte)).unwrap_or((start, 0));
        let column = match self.text.get(from..at) {
            Some(s) => before + s.chars().count(),
            None => at - start,
        };
        if self.text.is_char_boundary(at) {
            self.last.set((at, column));
        }
        Loc { file: self.file, line: line as u32 + 1, column: column as u32 + 1, element: 0 }
    }

    fn fail(&self, at: usize, message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Xml(message.into())).at(self.loc(at))
    }

    fn run(mut self) -> Result<Element> {
        let mut reader = Reader::from_str(self.text);
        let config = reader.config_mut();
        config.allow_dangling_amp = true;
        config.allow_unmatched_ends = true;
        config.check_end_names = false;
        loop {
            let start = reader.buffer_position() as usize;
            let event = reader.read_event().map_err(|e| self.fail(start, e.to_string()))?;
            let end = reader.buffer_position() as usize;
            match event {
                Event::Start(_) => self.start(start, end - 1, false)?,
                Event::Empty(_) => self.start(start, end - 2, true)?,
                // MuJoCo's parser stops at a closing tag that closes nothing.
                Event::End(_) if self.open.is_empty() => break,
                Event::End(_) => self.end(start, end)?,
                Event::Text(_) if end == self.text.len() && !self.text[start..end].trim().is_empty() => {
                    return Err(self.fail(start, "text after the last element"));
                }
                Event::Decl(_) | Event::PI(_) if !self.open.is_empty() || self.root.is_some() => {
                    return Err(self.fail(start, "declarations belong before the first element"));
                }
                Event::Eof => break,
                _ => {}
            }
        }
        if let Some(open) = self.open.last() {
            let message = format!("element '{}' is never closed", open.name);
            return Err(Error::new(ErrorKind::Xml(message)).at(open.loc).element(&open.name));
        }
        self.root.ok_or_else(|| Error::new(ErrorKind::Xml("the document has no element".into())))
    }

    /// Opens the element whose tag starts at `at` and has its content end at `end`.
    fn start(&mut self, at: usize, end: usize, empty: bool) -> Result<()> {
        let mut scan = Scan { text: self.text, at: at + 1, end };
        scan.space();
        let name = scan.name().ok_or_else(|| self.fail(at, "bad element name"))?;
        if self.open.len() >= MAX_DEPTH {
            let kind = ErrorKind::Limit(format!("elements are nested more than {MAX_DEPTH} deep"));
            return Err(Error::new(kind).at(self.loc(at)).element(name));
        }
        let mut element = Element { name: name.into(), loc: self.loc(at), ..Element::default() };
        self.attributes(&mut scan, &mut element)?;
        self.nodes += 1 + element.attributes.len();
        if self.nodes > MAX_NODES {
            let kind = ErrorKind::Limit(format!("the document has more than {MAX_NODES} elements and attributes"));
            return Err(Error::new(kind).at(element.loc));
        }
        self.open.push(element);
        if empty { self.close() } else { Ok(()) }
    }

    fn attributes(&self, scan: &mut Scan<'a>, element: &mut Element) -> Result<()> {
        loop {
            scan.space();
            if scan.at >= scan.end {
                return Ok(());
            }
            let at = scan.at;
            let bad = |what: &str| self.fail(at, what).element(&element.name);
            let name = scan.name().ok_or_else(|| bad("bad attribute name"))?;
            scan.space();
            if !scan.eat('=') {
                return Err(bad("attribute without a value").attribute(name));
            }
            scan.space();
            let value = scan.quoted().ok_or_else(|| bad("attribute value must be in quotes").attribute(name))?;
            if element.attribute(name).is_some() {
                return Err(bad("attribute is given twice").attribute(name));
            }
            element.attributes.push(Attribute { name: name.into(), value: resolve(value), loc: self.loc(at) });
        }
    }

    fn end(&mut self, at: usize, end: usize) -> Result<()> {
        let name = self.text[at + 2..end - 1].trim();
        match self.open.last() {
            Some(open) if open.name == name => self.close(),
            Some(open) => {
                let message = format!("closing tag '{name}' does not match '{}' of line {}", open.name, open.loc.line);
                Err(self.fail(at, message).element(&open.name))
            }
            None => Ok(()),
        }
    }

    fn close(&mut self) -> Result<()> {
        let Some(element) = self.open.pop() else { return Ok(()) };
        match self.open.last_mut() {
            Some(parent) => parent.children.push(element),
            // Only the first top-level element counts.
            None => {
                self.root.get_or_insert(element);
            }
        }
        Ok(())
    }
}

/// A cursor inside one tag.
struct Scan<'a> {
    text: &'a str,
    at: usize,
    end: usize,
}

impl<'a> Scan<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..self.end).unwrap_or("")
    }

    fn space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn eat(&mut self, c: char) -> bool {
        let found = self.rest().starts_with(c);
        self.at += if found { c.len_utf8() } else { 0 };
        found
    }

    fn name(&mut self) -> Option<&'a str> {
        let rest = self.rest();
        let first = |c: char| c.is_ascii_alphabetic() || c == ':' || c == '_' || !c.is_ascii();
        let later = |c: char| first(c) || c.is_ascii_digit() || c == '.' || c == '-';
        rest.chars().next().filter(|&c| first(c))?;
        let len = rest.find(|c| !later(c)).unwrap_or(rest.len());
        self.at += len;
        Some(&rest[..len])
    }

    fn quoted(&mut self) -> Option<&'a str> {
        let rest = self.rest();
        let quote = rest.chars().next().filter(|&c| c == '"' || c == '\'')?;
        let len = rest[1..].find(quote)?;
        self.at += len + 2;
        Some(&rest[1..len + 1])
    }
}

/// Replaces the five named and all numeric character references; leaves anything else unchanged.
fn resolve(value: &str) -> String {
    let value = value.replace("\r\n", "\n").replace('\r', "\n");
    if !value.contains('&') {
        return value;
    }
    let mut out = String::with_capacity(value.len());
    let mut rest = value.as_str();
    while let Some(i) = rest.find('&') {
        out.push_str(&rest[..i]);
        rest = &rest[i..];
        let known = rest.find(';').filter(|&n| n <= 12).and_then(|n| Some((n, reference(&rest[1..n])?)));
        let (n, c) = known.unwrap_or((0, '&'));
        out.push(c);
        rest = &rest[n + 1..];
    }
    out + rest
}

fn reference(name: &str) -> Option<char> {
    let code = name.strip_prefix('#');
    match (name, code) {
        ("quot", _) => Some('"'),
        ("amp", _) => Some('&'),
        ("apos", _) => Some('\''),
        ("lt", _) => Some('<'),
        ("gt", _) => Some('>'),
        (_, Some(code)) => match code.strip_prefix('x') {
            Some(hex) => char::from_u32(u32::from_str_radix(hex, 16).ok()?),
            None => char::from_u32(code.parse().ok()?),
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_entities() {
        let root =
            parse("\u{feff}<?xml version='1.0'?>\n<!-- a -- b -->\n<a>\n  <b x:y='1&lt;&#50;&foo; & '/>t</a>\n", 3)
                .unwrap();
        let b = root.child("b").unwrap();
        assert_eq!((b.loc.file, b.loc.line, b.loc.column), (3, 4, 3));
        assert_eq!(b.attributes[0].loc.column, 6);
        assert_eq!(b.attribute("x:y"), Some("1<2&foo; & "));
    }

    #[test]
    fn columns_count_characters() {
        let text = "<a é='1'><ü x='–'/><b\n q='2' r='ß' s='3'/></a>";
        let root = parse(text, 0).unwrap();
        let place = |loc: Loc| (loc.line, loc.column);
        let [u, b] = &root.children[..] else { panic!("two children") };
        assert_eq!(place(root.attributes[0].loc), (1, 4));
        assert_eq!((place(u.loc), place(u.attributes[0].loc), place(b.loc)), ((1, 10), (1, 13), (1, 20)));
        assert_eq!(b.attributes.iter().map(|a| place(a.loc)).collect::<Vec<_>>(), [(2, 2), (2, 8), (2, 14)]);
        // an error may point back to the start of what was read
        let parser = Parser::new(text, 0);
        let byte = text.find("<b").unwrap();
        assert_eq!([byte, 1, byte].map(|at| parser.loc(at).column), [20, 2, 20]);
    }

    /// The time to read one long line grows linearly, as it does for many short lines.
    #[test]
    fn one_long_line() {
        let body = "<body name='ä'><geom size='.1' pos='0 0 1'/></body>";
        let [one, many] = ["", "\n"].map(|end| format!("<a>{}</a>", format!("{body}{end}").repeat(20_000)));
        let time = |text: &str| {
            let best = |_| {
                let start = std::time::Instant::now();
                let root = parse(text, 0).unwrap();
                (start.elapsed(), root.children[19_999].loc)
            };
            (0..3).map(best).min_by_key(|(time, _)| *time).unwrap()
        };
        let ((line, at), (lines, _)) = (time(&one), time(&many));
        assert_eq!(at.column as usize, 4 + 19_999 * body.chars().count());
        assert!(line < 4 * lines, "{line:?} on one line, {lines:?} on many");
    }

    #[test]
    fn refuses_what_is_not_xml() {
        let bad = [
            "",
            " ",
            "<a>",
            "<a></b>",
            "</a>",
            "<a b/>",
            "<a b=c/>",
            "<a b='1' b='2'/>",
            "<a",
            "<a></a",
            "<a/>x",
            "<1/>",
            "<a><!-- </a>",
            "<a><?x?></a>",
            "<a b='1/>",
        ];
        for text in bad {
            assert!(matches!(parse(text, 0).unwrap_err().kind, ErrorKind::Xml(_)), "{text}");
        }
        let deep = "<a>".repeat(MAX_DEPTH + 1);
        assert!(matches!(parse(&deep, 0).unwrap_err().kind, ErrorKind::Limit(_)));
    }
}
