//! Turns the field tables under `tables/` into plain Rust: structs, allocation, reset, copy, reflection.
//!
//! A row is `name | type | shape | unit | meaning`; a `[section]` line groups rows. Shapes are products
//! of dimensions (`nbody x 3`), each a number, a model size, or a size times a number (`nmocap*3`);
//! a settings row gives its default after the shape (`3 = 0 0 -9.81`). The type of a setting may be an enum or a set of
//! flags from `enums.table`.

use std::fmt::Write as _;
use std::{env, fs, path::Path};

struct Row {
    section: String,
    name: String,
    ty: String,
    shape: Vec<String>,
    default: Vec<String>,
    unit: String,
    doc: String,
}

/// Dimensions that follow the state of a simulation rather than the model.
const GROWING: [&str; 5] = ["nefc", "nJ", "nA", "nisland", "nidof"];

impl Row {
    fn elem(&self) -> &str {
        if self.ty == "char" { "u8" } else { &self.ty }
    }
    fn scalar(&self) -> bool {
        self.shape.is_empty()
    }
    /// Whether the type is an enum or a set of flags.
    fn coded(&self) -> bool {
        self.ty.starts_with(char::is_uppercase)
    }
    fn growing(&self) -> bool {
        self.shape.first().is_some_and(|d| GROWING.contains(&d.as_str()))
    }
    /// Constant trailing dimension that becomes a fixed array, as in `nbody x 3`.
    fn width(&self) -> Option<usize> {
        if self.shape.len() == 2 { self.shape[1].parse().ok() } else { None }
    }
    fn item(&self) -> String {
        match self.width() {
            Some(n) => format!("[{}; {n}]", self.elem()),
            None => self.elem().to_string(),
        }
    }
    fn rust_type(&self) -> String {
        if self.scalar() {
            self.elem().to_string()
        } else if let [d] = self.shape.as_slice()
            && let Ok(n) = d.parse::<usize>()
        {
            format!("[{}; {n}]", self.elem())
        } else if self.growing() {
            format!("Vec<{}>", self.item())
        } else {
            format!("Array<{}>", self.item())
        }
    }
    fn fixed(&self) -> bool {
        self.scalar() || self.rust_type().starts_with('[')
    }
    fn variant(&self) -> String {
        if self.coded() { "I32".into() } else { self.elem().to_uppercase() }
    }
    /// Number of items (not elements) as an expression over `s: &Sizes`.
    fn count(&self) -> String {
        let dims = if self.width().is_some() { &self.shape[..1] } else { &self.shape[..] };
        dims.iter().map(|d| size_expr(d)).collect::<Vec<_>>().join(" * ")
    }
    fn docs(&self) -> String {
        let shape = if self.scalar() { String::new() } else { format!(" Shape `{}`.", self.shape.join(" x ")) };
        let unit = if self.unit == "-" { String::new() } else { format!(" ({})", self.unit) };
        format!("/// {}{unit}.{shape}\n", capitalised(&self.doc))
    }
    fn slice(&self, owner: &str, mutable: bool) -> String {
        let (r, m) = if mutable { ("&mut ", "_mut") } else { ("&", "") };
        let place = format!("{owner}.{}", self.name);
        if self.coded() {
            return if mutable {
                format!("SliceMut::Code(&mut {place})")
            } else {
                format!("Slice::Code({place}.code())")
            };
        }
        let body = if self.scalar() {
            format!("std::slice::from_{}({r}{place})", if mutable { "mut" } else { "ref" })
        } else if self.width().is_some() {
            format!("{place}.as_flattened{m}()")
        } else {
            format!("{r}{place}[..]")
        };
        format!("Slice{}::{}({body})", if mutable { "Mut" } else { "" }, self.variant())
    }
    fn info(&self) -> String {
        let dims: Vec<String> = self
            .shape
            .iter()
            .map(|d| match d.parse::<usize>() {
                Ok(n) => format!("Dim::Const({n})"),
                Err(_) if GROWING.contains(&d.as_str()) => "Dim::Growing".into(),
                Err(_) => format!("Dim::Size(|s| {})", size_expr(d)),
            })
            .collect();
        format!(
            "FieldInfo {{ name: {:?}, section: {:?}, dtype: DType::{}, codes: {}, dims: &[{}], unit: {:?}, doc: {:?} }},\n",
            self.name,
            self.section,
            if self.ty == "char" { "Char".into() } else { self.variant() },
            if self.coded() { format!("Some(&{}::INFO)", self.ty) } else { "None".into() },
            dims.join(", "),
            self.unit,
            self.doc
        )
    }
}

fn size_expr(d: &str) -> String {
    match d.split_once('*') {
        Some((s, n)) => format!("s.{s} * {n}"),
        None if d.parse::<usize>().is_ok() => d.to_string(),
        None => format!("s.{d}"),
    }
}

fn read(path: &Path) -> Vec<Row> {
    println!("cargo:rerun-if-changed={}", path.display());
    let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut section = String::new();
    let mut rows = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(s) = line.strip_prefix('[') {
            section = s.trim_end_matches(']').to_string();
            continue;
        }
        let cell: Vec<&str> = line.splitn(5, '|').map(str::trim).collect();
        let [name, ty, shape, unit, doc] = cell[..] else {
            panic!("{}:{}: expected 5 cells: {line}", path.display(), i + 1);
        };
        let (shape, default) = shape.split_once(" = ").unwrap_or((shape, ""));
        let shape = match shape.trim() {
            "-" | "scalar" => Vec::new(),
            s => s.split(" x ").map(|d| d.trim().to_string()).collect(),
        };
        rows.push(Row {
            section: section.clone(),
            name: name.into(),
            ty: ty.into(),
            shape,
            default: default.split_whitespace().map(String::from).collect(),
            unit: unit.into(),
            doc: doc.into(),
        });
        assert!(!doc.is_empty(), "{}:{}: '{name}' has no meaning", path.display(), i + 1);
    }
    rows
}

fn sections(rows: &[Row]) -> Vec<&str> {
    let mut seen: Vec<&str> = Vec::new();
    for r in rows {
        if !seen.contains(&r.section.as_str()) {
            seen.push(&r.section);
        }
    }
    seen
}

/// `impl Fields for Owner`: the reflection that views, saving, copying and comparison go through.
fn reflection(out: &mut String, owner: &str, rows: &[&Row], place: impl Fn(&Row) -> String) {
    writeln!(out, "impl Fields for {owner} {{\n    const FIELDS: &'static [FieldInfo] = &[").unwrap();
    rows.iter().for_each(|r| out.push_str(&r.info()));
    out.push_str("    ];\n");
    for (func, slf, ret, mutable) in
        [("field", "&self", "Slice<'_>", false), ("field_mut", "&mut self", "SliceMut<'_>", true)]
    {
        writeln!(out, "    fn {func}({slf}, index: usize) -> {ret} {{\n        match index {{").unwrap();
        for (i, r) in rows.iter().enumerate() {
            writeln!(out, "            {i} => {},", r.slice(&place(r), mutable)).unwrap();
        }
        out.push_str("            _ => panic!(\"field index {index} out of range\"),\n        }\n    }\n");
    }
    out.push_str("}\n\n");
}

fn struct_rows(out: &mut String, rows: &[&Row]) {
    for r in rows {
        writeln!(out, "    {}    pub {}: {},", r.docs(), r.name, r.rust_type()).unwrap();
    }
}

fn model(rows: &[Row]) -> String {
    let (sizes, arrays): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(|r| r.section == "sizes");
    let mut out = String::from(
        "/// Every size of a model; fixed once compiled.\n#[derive(Clone, Debug, Default, PartialEq, Eq)]\npub struct Sizes {\n",
    );
    for r in &sizes {
        writeln!(out, "    {}    pub {}: usize,", r.docs(), r.name).unwrap();
    }
    out.push_str("}\n\nimpl Sizes {\n    /// Name and value of every size, in table order.\n");
    writeln!(out, "    pub fn list(&self) -> [(&'static str, usize); {}] {{\n        [", sizes.len()).unwrap();
    for r in &sizes {
        writeln!(out, "            ({:?}, self.{}),", r.name, r.name).unwrap();
    }
    out.push_str("        ]\n    }\n    /// Mutable access by name; used when a saved model is read back.\n");
    out.push_str("    pub fn get_mut(&mut self, name: &str) -> Option<&mut usize> {\n        Some(match name {\n");
    for r in &sizes {
        writeln!(out, "            {:?} => &mut self.{},", r.name, r.name).unwrap();
    }
    out.push_str("            _ => return None,\n        })\n    }\n}\n\n");
    out.push_str("/// A compiled model: constant arrays under MuJoCo's names. Sizes never change after compilation.\n");
    out.push_str("#[derive(Clone, Debug)]\npub struct Model {\n    sizes: Sizes,\n    /// Physics options.\n    pub opt: Options,\n    /// Drawing settings.\n    pub vis: Visual,\n    /// Statistics at `qpos0`.\n    pub stat: Statistic,\n    names_index: names::NameIndex,\n");
    struct_rows(&mut out, &arrays);
    out.push_str("}\n\nimpl Model {\n    /// A model of the given sizes with every array zero, for the compiler to fill.\n    pub fn zeroed(sizes: Sizes) -> Self {\n        let s = &sizes;\n        Model {\n            opt: Options::default(),\n            vis: Visual::default(),\n            stat: Statistic::default(),\n            names_index: Default::default(),\n");
    for r in &arrays {
        writeln!(out, "            {}: Array::zeroed({}),", r.name, r.count()).unwrap();
    }
    out.push_str("            sizes,\n        }\n    }\n}\n\n");
    reflection(&mut out, "Model", &arrays, |_| "self".into());
    out
}

fn capitalised(s: &str) -> String {
    let mut chars = s.chars();
    chars.next().map_or(String::new(), |c| c.to_uppercase().chain(chars).collect())
}

fn data(rows: &[Row]) -> String {
    let mut out = String::new();
    for section in sections(rows) {
        let rows: Vec<&Row> = rows.iter().filter(|r| r.section == section).collect();
        let name = capitalised(section);
        writeln!(out, "/// The `{section}` block of [`Data`].\n#[derive(Clone, Debug)]\npub struct {name} {{").unwrap();
        struct_rows(&mut out, &rows);
        writeln!(
            out,
            "}}\n\nimpl {name} {{\n    pub(crate) fn new(s: &Sizes) -> Self {{\n        let _ = s;\n        {name} {{"
        )
        .unwrap();
        for r in &rows {
            let init = if r.scalar() {
                "Default::default()".into()
            } else if r.fixed() {
                format!("[Default::default(); {}]", r.shape[0])
            } else if r.growing() {
                "Vec::new()".into()
            } else {
                format!("Array::zeroed({})", r.count())
            };
            writeln!(out, "            {}: {init},", r.name).unwrap();
        }
        out.push_str("        }\n    }\n    /// Sets every value to zero and empties what grows; frees nothing.\n    pub(crate) fn zero(&mut self) {\n");
        for r in &rows {
            let stmt = if r.scalar() {
                format!("self.{} = Default::default()", r.name)
            } else if r.growing() {
                format!("self.{}.clear()", r.name)
            } else if r.width().is_some() {
                format!("self.{}.as_flattened_mut().fill(Default::default())", r.name)
            } else {
                format!("self.{}.fill(Default::default())", r.name)
            };
            writeln!(out, "        {stmt};").unwrap();
        }
        out.push_str("    }\n    /// Copies another block of the same model without allocating.\n    pub(crate) fn copy_from(&mut self, src: &Self) {\n");
        for r in &rows {
            let stmt = if r.fixed() {
                format!("self.{0} = src.{0}", r.name)
            } else if r.growing() {
                format!("self.{0}.clear(); self.{0}.extend_from_slice(&src.{0})", r.name)
            } else {
                format!("self.{0}.copy_from_slice(&src.{0})", r.name)
            };
            writeln!(out, "        {stmt};").unwrap();
        }
        out.push_str("    }\n}\n\n");
    }
    out.push_str("impl Data {\n    fn each_block_zero(&mut self) {\n");
    sections(rows).iter().for_each(|s| writeln!(out, "        self.{s}.zero();").unwrap());
    out.push_str("    }\n    fn each_block_copy(&mut self, src: &Data) {\n");
    sections(rows).iter().for_each(|s| writeln!(out, "        self.{s}.copy_from(&src.{s});").unwrap());
    out.push_str("    }\n}\n\n");
    out.push_str(&growing_storage(rows));
    let all: Vec<&Row> = rows.iter().collect();
    reflection(&mut out, "Data", &all, |r| format!("self.{}", r.section));
    out
}

/// Length and storage of the fields that grow, by table row.
fn growing_storage(rows: &[Row]) -> String {
    let mut grow = String::new();
    let mut detach = String::new();
    let mut room = String::new();
    for (i, r) in rows.iter().enumerate().filter(|(_, r)| r.growing()) {
        let place = format!("self.{}.{}", r.section, r.name);
        let items = r.width().map_or("len".into(), |n| format!("len / {n}"));
        writeln!(grow, "            {i} => {place}.resize({items}, Zero::ZERO),").unwrap();
        writeln!(room, "            {place}.capacity() * size_of::<{}>(),", r.item()).unwrap();
        writeln!(detach, "            {i} => Box::new(replace_storage(&mut {place})),").unwrap();
    }
    format!(
        "impl Data {{\n    /// Resizes a field that grows to `len` elements; other fields keep their length.\n    \
         pub(crate) fn grow(&mut self, index: usize, len: usize) {{\n        match index {{\n{grow}            _ => {{}}\n        }}\n    }}\n    \
         /// Moves a field that grows to fresh storage and hands out the old one, so that whoever still looks at it\n    \
         /// can keep it alive. `None` for fields of fixed length, whose storage never moves.\n    \
         pub fn detach(&mut self, index: usize) -> Option<Box<dyn std::any::Any + Send + Sync>> {{\n        Some(match index {{\n{detach}            _ => return None,\n        }})\n    }}\n    \
         /// Bytes reserved for fields that grow.\n    fn room(&self) -> usize {{\n        [\n{room}        ]\n        .iter()\n        .sum()\n    }}\n}}\n\n"
    )
}

fn settings(rows: &[Row]) -> String {
    let mut out = String::new();
    for section in sections(rows) {
        let rows: Vec<&Row> = rows.iter().filter(|r| r.section == section).collect();
        writeln!(out, "/// Settings group `{section}`.\n#[derive(Clone, Debug, PartialEq)]\npub struct {section} {{")
            .unwrap();
        struct_rows(&mut out, &rows);
        writeln!(out, "}}\n\nimpl Default for {section} {{\n    fn default() -> Self {{\n        {section} {{")
            .unwrap();
        for r in &rows {
            let value = r.default.join(", ");
            let value = match (r.coded(), r.scalar()) {
                (true, _) => format!("{}::{value}", r.ty),
                (false, true) => value,
                (false, false) => format!("[{value}]"),
            };
            writeln!(out, "            {}: {value},", r.name).unwrap();
        }
        out.push_str("        }\n    }\n}\n\n");
        reflection(&mut out, section, &rows, |_| "self".into());
    }
    out
}

/// An enum, or a set of flags if its head says so, with its members and their codes.
fn enums(path: &Path) -> String {
    println!("cargo:rerun-if-changed={}", path.display());
    let text = fs::read_to_string(path).unwrap();
    let mut out = String::new();
    let mut table =
        String::from("/// Every enum with its members under MuJoCo's names.\npub const ENUMS: &[EnumInfo] = &[\n");
    for block in text.split("\n[").skip(1) {
        let (head, body) = block.split_once(']').unwrap();
        let [c_name, name, ref flags @ ..] = head.split(' ').collect::<Vec<_>>()[..] else {
            panic!("expected [C name, Rust name], got [{head}]");
        };
        let rows: Vec<Vec<&str>> = body
            .lines()
            .filter(|l| l.contains('|') && !l.starts_with('#'))
            .map(|l| l.splitn(4, '|').map(str::trim).collect())
            .collect();
        out.push_str(&if flags == ["flags"] { flag_set(c_name, name, &rows) } else { code_enum(c_name, name, &rows) });
        writeln!(out, "impl {name} {{\n    /// Its members, for reflection.\n    pub const INFO: EnumInfo = EnumInfo {{ name: {c_name:?}, flags: {}, members: &[", !flags.is_empty()).unwrap();
        rows.iter().for_each(|r| writeln!(out, "        ({:?}, {}),", r[0], r[2]).unwrap());
        out.push_str("    ] };\n}\n\n");
        writeln!(table, "    {name}::INFO,").unwrap();
    }
    out + &table + "];\n"
}

fn code_enum(c_name: &str, name: &str, rows: &[Vec<&str>]) -> String {
    let mut out = format!(
        "/// `{c_name}`.\n#[doc(alias = {c_name:?})]\n#[repr(i32)]\n#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]\npub enum {name} {{\n"
    );
    let members = || rows.iter().filter(|r| r[1] != "-");
    for r in members() {
        writeln!(out, "    /// {}.\n    #[doc(alias = {:?})]\n    {} = {},", capitalised(r[3]), r[0], r[1], r[2])
            .unwrap();
    }
    writeln!(
        out,
        "}}\n\nimpl From<{name}> for i32 {{\n    fn from(v: {name}) -> i32 {{\n        v as i32\n    }}\n}}\n"
    )
    .unwrap();
    writeln!(out, "impl TryFrom<i32> for {name} {{\n    type Error = UnknownCode;\n    fn try_from(code: i32) -> Result<Self, UnknownCode> {{\n        Ok(match code {{").unwrap();
    for r in members() {
        writeln!(out, "            {} => {name}::{},", r[2], r[1]).unwrap();
    }
    writeln!(out, "            _ => return Err(UnknownCode {{ of: &Self::INFO, code }}),\n        }})\n    }}\n}}\n")
        .unwrap();
    writeln!(out, "impl Code for {name} {{\n    fn code(&self) -> i32 {{\n        *self as i32\n    }}\n    fn set_code(&mut self, code: i32) -> Result<(), UnknownCode> {{\n        *self = Self::try_from(code)?;\n        Ok(())\n    }}\n}}\n").unwrap();
    out
}

fn flag_set(c_name: &str, name: &str, rows: &[Vec<&str>]) -> String {
    let mut out = format!(
        "bitflags::bitflags! {{\n/// `{c_name}`.\n#[doc(alias = {c_name:?})]\n#[repr(transparent)]\n#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]\npub struct {name}: i32 {{\n"
    );
    for r in rows.iter().filter(|r| r[1] != "-") {
        writeln!(out, "    /// {}.\n    #[doc(alias = {:?})]\n    const {} = {};", capitalised(r[3]), r[0], r[1], r[2])
            .unwrap();
    }
    writeln!(out, "}}\n}}\n\nimpl Code for {name} {{\n    fn code(&self) -> i32 {{\n        self.bits()\n    }}\n    fn set_code(&mut self, code: i32) -> Result<(), UnknownCode> {{\n        *self = Self::from_bits_retain(code);\n        Ok(())\n    }}\n}}\n").unwrap();
    out
}

fn main() {
    let out = env::var("OUT_DIR").unwrap();
    let tables = Path::new(&env::var("CARGO_MANIFEST_DIR").unwrap()).join("tables");
    let write = |name: &str, text: String| fs::write(Path::new(&out).join(name), text).unwrap();
    write("model.rs", model(&read(&tables.join("model.fields"))));
    write("data.rs", data(&read(&tables.join("data.fields"))));
    write("settings.rs", settings(&read(&tables.join("settings.fields"))));
    write("enums.rs", enums(&tables.join("enums.table")));
}
