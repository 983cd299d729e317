//! The MJCF schema, which defines names, cardinality, types, counts and keywords.
//!
//! [`bind`] checks a whole document against `mjcf.schema` and returns it as [`Item`]s with parsed values, so that only
//! semantic checks are left to the reader.

pub(crate) mod attr;
mod item;
mod print;
#[allow(dead_code)] // the build script reads the rest
mod syntax;
mod table;

pub use attr::Attr;
pub(crate) use item::Item;
pub use print::describe;
pub use syntax::Count;
use table::{Field, Kind, Rule, Schema};

use crate::error::{Error, ErrorKind, Errors, Report, Result, nearest};
use crate::numbers;
use crate::spec::field::Value;
use crate::xml::{Attribute, Element};

/// Checks a `mujoco` element and everything below it. All problems are reported: first names and cardinality of the
/// whole document, then, if these are correct, the values. MuJoCo reports in this order too.
pub(crate) fn bind(root: &Element, warnings: &mut Vec<Report>) -> Result<Item> {
    let schema = Schema::get();
    let rule = schema.root();
    if root.name != rule.name {
        return Err(root.error(ErrorKind::UnknownElement).hint(format!("the root element must be '{}'", rule.name)));
    }
    let mut errors = Errors::default();
    check(schema, root, rule, &mut errors)?;
    errors.finish()?;
    for child in root.children.iter().filter(|c| misplaced(schema, rule, c).is_some()) {
        let kind = ErrorKind::Ignored("only what is in 'worldbody' becomes part of the model".into());
        warnings.push(child.error(kind).hint("move it into 'worldbody'").into_report());
    }
    let mut errors = Errors::default();
    let item = item(schema, root, rule, false, &mut errors)?;
    errors.finish().map(|()| item)
}

/// The keyword with the given code.
pub(crate) fn word(list: &str, code: i32) -> Option<&'static str> {
    Schema::get().word(list, code)
}

/// Parses the values of a `mujoco` element without checking names.
pub(crate) fn bind_loose(root: &Element) -> Result<Item> {
    let schema = Schema::get();
    let mut errors = Errors::default();
    let item = item(schema, root, schema.root(), true, &mut errors)?;
    errors.finish().map(|()| item)
}

/// The rule of a body or frame that is a sibling of `worldbody` instead of its child: checked and then ignored, as in
/// MuJoCo.
fn misplaced(schema: &'static Schema, parent: &Rule, child: &Element) -> Option<&'static Rule> {
    let tree = schema.child(parent, "worldbody").filter(|_| parent.name == schema.root().name)?;
    schema.child(tree, &child.name).filter(|r| r.name == "body" || r.name == "frame")
}

/// First pass: names and cardinality.
fn check(schema: &'static Schema, element: &Element, rule: &'static Rule, errors: &mut Errors) -> Result<()> {
    for a in element.attributes.iter().filter(|a| rule.field(&a.name).is_none()) {
        let error = Error::new(ErrorKind::UnknownAttribute).at(a.loc).element(&element.name).attribute(&a.name);
        let known = rule.fields.iter().map(|f| f.name.name());
        errors.push(suggest(error, &a.name, known, "no attributes belong here"))?;
    }
    let mut seen: Vec<&str> = Vec::new();
    for child in &element.children {
        let known = match child_rule(schema, element, child, rule) {
            Ok(known) => known,
            Err(error) => {
                errors.push(error)?;
                continue;
            }
        };
        if known.once && seen.contains(&known.name.as_str()) {
            let hint = format!("merge it with the first one in '{}'", element.name);
            errors.push(child.error(ErrorKind::RepeatedElement).hint(hint))?;
        }
        seen.push(&known.name);
        if !known.loose {
            check(schema, child, known, errors)?;
        }
    }
    Ok(())
}

fn child_rule(schema: &'static Schema, parent: &Element, child: &Element, rule: &Rule) -> Result<&'static Rule> {
    schema.child(rule, &child.name).or_else(|| misplaced(schema, rule, child)).ok_or_else(|| {
        let names = schema.children(rule).map(|r| r.name.as_str());
        let none = format!("'{}' has no sub-elements of this name", parent.name);
        suggest(child.error(ErrorKind::UnknownElement), &child.name, names, &none)
    })
}

fn suggest<'a>(error: Error, name: &str, known: impl Iterator<Item = &'a str>, none: &str) -> Error {
    let mut known: Vec<&str> = known.collect();
    known.sort_unstable();
    match nearest(name, known.iter().copied()) {
        Some(near) => error.hint(format!("did you mean '{near}'?")),
        None if known.is_empty() => error.hint(none),
        None => error.hint(format!("known here: {}", known.join(", "))),
    }
}

/// Second pass: values. Below a loose element unknown attributes are ignored, as in MuJoCo.
fn item(
    schema: &'static Schema,
    element: &Element,
    rule: &'static Rule,
    loose: bool,
    errors: &mut Errors,
) -> Result<Item> {
    let loose = loose || rule.loose;
    let mut out = Item { name: &rule.name, loc: element.loc, values: Vec::new(), children: Vec::new() };
    let mut wrong = false;
    for attribute in &element.attributes {
        let Some(field) = rule.field(&attribute.name) else { continue };
        let parsed = value(schema, attribute, field)
            .map_err(|kind| Error::new(kind).at(attribute.loc).element(&element.name).attribute(&attribute.name));
        match errors.keep(parsed)? {
            Some(parsed) => out.values.extend(parsed.map(|v| (field.name, v, attribute.loc))),
            None => wrong = true,
        }
    }
    if let Some(field) = rule.fields.iter().find(|f| f.required && !wrong && !out.has(f.name)) {
        let kind = ErrorKind::Missing(format!("attribute '{}'", field.name));
        errors.push(element.error(kind).attribute(field.name))?;
    }
    for child in element.children.iter().filter(|c| misplaced(schema, rule, c).is_none()) {
        match child_rule(schema, element, child, rule) {
            Ok(known) => out.children.push(item(schema, child, known, loose, errors)?),
            // An unknown element in the body tree is an error even below a loose element.
            Err(e) if !loose || schema.child(rule, "body").is_some() => errors.push(e)?,
            Err(_) => {}
        }
    }
    Ok(out)
}

/// The parsed value; `None` for an empty list.
fn value(schema: &Schema, attribute: &Attribute, field: &Field) -> std::result::Result<Option<Value>, ErrorKind> {
    let text = attribute.value.as_str();
    let many = |parse: fn(&str) -> std::result::Result<f64, ErrorKind>| {
        let numbers = numbers::words(text).map(parse).collect::<std::result::Result<Vec<f64>, _>>()?;
        field.count.check(numbers.len())?;
        Ok((!numbers.is_empty()).then_some(Value::Numbers(numbers)))
    };
    let int = |word: &str| numbers::int(word).map(f64::from);
    match field.kind {
        Kind::Text => Ok(Some(Value::Text(text.into()))),
        Kind::Real => many(numbers::real),
        Kind::Float => many(numbers::float),
        Kind::Int if field.count == Count::One && numbers::words(text).next().is_none() => {
            Err(ErrorKind::BadNumber(text.into()))
        }
        Kind::Int => many(int),
        Kind::Words(group) if field.count == Count::Any => {
            let mut codes: Vec<i32> = Vec::new();
            for word in numbers::words(text) {
                let code = schema.code(group, word)?;
                if codes.contains(&code) {
                    return Err(ErrorKind::Invalid(format!("keyword '{word}' is repeated")));
                }
                codes.push(code);
            }
            Ok((!codes.is_empty()).then_some(Value::Codes(codes)))
        }
        Kind::Words(group) => Ok(Some(Value::Codes(vec![schema.code(group, text)?]))),
    }
}
