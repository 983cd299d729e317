//! Parses the field tables.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};
use std::{env, fs, path::Path};

/// One field.
pub struct Row {
    pub section: String,
    pub name: String,
    /// Element type: `char` is a byte of text; the type of a setting may be an enum or a set of flags.
    pub ty: String,
    pub holds: Holds,
    /// `reused` after the type: a long array whose memory is reused for the next model.
    pub reused: bool,
    pub shape: Vec<Dim>,
    /// Default values of a setting, after ` = `.
    pub default: Vec<String>,
    pub unit: String,
    pub doc: String,
}

/// A dimension of a shape such as `nkey x nmocap*3`.
#[derive(Clone, PartialEq)]
pub enum Dim {
    Const(usize),
    /// A size of the model times a constant.
    Size(String, usize),
    /// A count that depends on the state: a scalar of the same table.
    Growing(String),
}

/// What the integers of a field mean, written after the element type.
pub enum Holds {
    /// Nothing: any value.
    Number,
    /// `of Enum`: values of that enum.
    Code(String),
    /// `in size`: indices below a size.
    Index(Dim),
    /// `in size or -1`.
    IndexOrNone(Dim),
    /// `above`: index of an earlier row of the same array; the first row holds its own index.
    Above,
    /// `above or -1`: index of an earlier row of the same array, or −1.
    AboveOrNone,
    /// `adr size by field`: start of a range, whose length is in another field.
    Start(Dim, String),
    /// `count`: at least zero.
    Count,
}

pub fn text(name: &str) -> String {
    let path = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("set by cargo")).join("tables").join(name);
    println!("cargo:rerun-if-changed={}", path.display());
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

pub fn read(name: &str) -> Vec<Row> {
    let mut section = String::new();
    let mut rows = Vec::new();
    for (i, line) in text(name).lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(s) = line.strip_prefix('[') {
            section = s.trim_end_matches(']').to_string();
            continue;
        }
        rows.push(Row::parse(&section, line).unwrap_or_else(|e| panic!("{name}:{}: {e}: {line}", i + 1)));
    }
    let counts: Vec<String> = rows.iter().filter(|r| r.scalar() && r.ty != "size").map(|r| r.name.clone()).collect();
    for dim in rows.iter_mut().flat_map(|r| &mut r.shape) {
        if let Dim::Size(size, 1) = dim
            && counts.contains(size)
        {
            *dim = Dim::Growing(size.clone());
        }
    }
    rows
}

/// Rows grouped by section, in table order.
pub fn sections(rows: &[Row]) -> Vec<(&str, Vec<&Row>)> {
    let mut out: Vec<(&str, Vec<&Row>)> = Vec::new();
    for r in rows {
        match out.iter_mut().find(|(name, _)| *name == r.section) {
            Some((_, list)) => list.push(r),
            None => out.push((&r.section, vec![r])),
        }
    }
    out
}

impl Row {
    fn parse(section: &str, line: &str) -> Result<Row, String> {
        let cells: Vec<&str> = line.splitn(5, '|').map(str::trim).collect();
        let [name, ty, shape, unit, doc] = cells[..] else { return Err("expected 5 cells".into()) };
        if doc.is_empty() {
            return Err("no meaning".into());
        }
        let (shape, default) = shape.split_once(" = ").unwrap_or((shape, ""));
        let shape = match shape.trim() {
            "-" | "scalar" => Vec::new(),
            s => s.split(" x ").map(Dim::parse).collect(),
        };
        let (ty, reused) = ty.strip_suffix(" reused").map_or((ty, false), |ty| (ty, true));
        let (ty, holds) = ty.split_once(' ').unwrap_or((ty, ""));
        Ok(Row {
            section: section.into(),
            name: name.into(),
            ty: ty.into(),
            holds: Holds::parse(ty, holds)?,
            reused,
            shape,
            default: default.split_whitespace().map(String::from).collect(),
            unit: unit.into(),
            doc: doc.into(),
        })
    }

    pub fn scalar(&self) -> bool {
        self.shape.is_empty()
    }

    /// Whether the length depends on the state.
    pub fn growing(&self) -> bool {
        matches!(self.shape.first(), Some(Dim::Growing(_)))
    }

    /// Whether the element type is an enum or a set of flags.
    pub fn typed(&self) -> bool {
        self.ty.starts_with(char::is_uppercase)
    }

    /// Constant trailing dimension that becomes a fixed array, as in `nbody x 3`.
    pub fn width(&self) -> Option<usize> {
        match self.shape[..] {
            [Dim::Const(_), _] => None,
            [_, Dim::Const(n)] => Some(n),
            _ => None,
        }
    }

    /// Total length of an array that is stored inline in its struct; `None` for scalars and heap arrays.
    pub fn inline(&self) -> Option<usize> {
        let lengths = self.shape.iter().map(|d| if let Dim::Const(n) = d { Some(*n) } else { None });
        if self.scalar() { None } else { lengths.product() }
    }

    pub fn ident(&self) -> TokenStream {
        let ident = if self.name == "type" { format_ident!("r#type") } else { format_ident!("{}", self.name) };
        quote!(#ident)
    }

    /// Type of one element.
    pub fn elem(&self) -> TokenStream {
        let ty = format_ident!("{}", if self.ty == "char" { "u8" } else { &self.ty });
        quote!(#ty)
    }

    /// Type of one item: an element, or a fixed array of them.
    pub fn item(&self) -> TokenStream {
        let elem = self.elem();
        self.width().map_or(elem.clone(), |n| quote!([#elem; #n]))
    }

    pub fn rust_type(&self) -> TokenStream {
        let item = self.item();
        match self.inline() {
            _ if self.scalar() => item,
            Some(n) => quote!([#item; #n]),
            None if self.growing() => quote!(Vec<#item>),
            None if self.reused => quote!(Pixels),
            None => quote!(Array<#item>),
        }
    }

    /// Number of items (not elements) as an expression over `s: &Sizes`.
    pub fn count(&self) -> TokenStream {
        let dims = if self.width().is_some() { &self.shape[..1] } else { &self.shape[..] };
        let mut sizes = dims.iter().map(Dim::expr);
        let first = sizes.next();
        quote!(#first #(* #sizes)*)
    }

    pub fn docs(&self) -> String {
        let shape: Vec<String> = self.shape.iter().map(Dim::text).collect();
        let shape = if self.scalar() { String::new() } else { format!(" Shape `{}`.", shape.join(" x ")) };
        let unit = if self.unit == "-" { String::new() } else { format!(" ({})", self.unit) };
        format!(" {}{unit}.{shape}", capitalised(&self.doc))
    }

    /// Declaration of the field in a struct.
    pub fn declaration(&self) -> TokenStream {
        let (docs, name, ty) = (self.docs(), self.ident(), self.rust_type());
        quote!(#[doc = #docs] pub #name: #ty)
    }
}

impl Dim {
    fn parse(text: &str) -> Dim {
        let text = text.trim();
        match (text.parse(), text.split_once('*')) {
            (Ok(n), _) => Dim::Const(n),
            (_, Some((size, times))) => Dim::Size(size.into(), times.parse().expect("a size times a number")),
            _ => Dim::Size(text.into(), 1),
        }
    }

    pub fn text(&self) -> String {
        match self {
            Dim::Const(n) => n.to_string(),
            Dim::Size(size, 1) | Dim::Growing(size) => size.clone(),
            Dim::Size(size, times) => format!("{size}*{times}"),
        }
    }

    /// The dimension as an expression over `s: &Sizes`.
    pub fn expr(&self) -> TokenStream {
        let size = |size: &str| {
            let size = format_ident!("{size}");
            quote!(s.#size)
        };
        match self {
            Dim::Const(n) => {
                let n = Literal::usize_unsuffixed(*n);
                quote!(#n)
            }
            Dim::Size(name, 1) => size(name),
            Dim::Size(name, times) => {
                let (size, times) = (size(name), Literal::usize_unsuffixed(*times));
                quote!(#size * #times)
            }
            Dim::Growing(name) => panic!("{name} is not known beforehand"),
        }
    }
}

impl Holds {
    fn parse(ty: &str, text: &str) -> Result<Holds, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        Ok(match words[..] {
            [] if ty.starts_with(char::is_uppercase) => Holds::Code(ty.into()),
            [] => Holds::Number,
            ["of", code] => Holds::Code(code.into()),
            ["in", size] => Holds::Index(Dim::parse(size)),
            ["in", size, "or", "-1"] => Holds::IndexOrNone(Dim::parse(size)),
            ["above"] => Holds::Above,
            ["above", "or", "-1"] => Holds::AboveOrNone,
            ["adr", size, "by", count] => Holds::Start(Dim::parse(size), count.into()),
            ["count"] => Holds::Count,
            _ => return Err(format!("unknown type '{ty} {text}'")),
        })
    }
}

pub fn capitalised(s: &str) -> String {
    let mut chars = s.chars();
    chars.next().map_or(String::new(), |c| c.to_uppercase().chain(chars).collect())
}
