//! Mutations of a document within the schema: most mutants are accepted by the parser.

use super::table::Table;
use crate::common::Random;
use sinew_mjcf::xml::{Attribute, Element};
use std::fmt::Write;

/// Maximum number of elements; documents do not grow beyond it.
const MOST: usize = 600;

/// Changes a document at one or a few positions; `other` is a source of fragments.
pub(super) fn mutate(root: &mut Element, other: &Element, table: &Table, random: &mut Random) {
    let names = names(root);
    for _ in 0..=random.below(4) {
        let places = size(root);
        let target = random.below(places);
        let kind = if places > MOST { 2 } else { random.below(9) };
        let mut at = target;
        visit(root, table.root(), table, &mut at, &mut |element, rule| match kind {
            0 | 1 => change(element, rule, table, &names, random),
            2 => remove(element, random),
            3 => repeat(element, random),
            4 => drop_attribute(element, random),
            5 | 6 => grow(element, rule, table, &names, random),
            7 => lend(element, rule, other, table, random),
            _ => swap(element, random),
        });
    }
}

/// All values of `name` attributes.
fn names(root: &Element) -> Vec<String> {
    let mut out: Vec<String> = root.attribute("name").map(str::to_owned).into_iter().collect();
    root.children.iter().for_each(|c| out.extend(names(c)));
    out
}

fn size(root: &Element) -> usize {
    1 + root.children.iter().map(size).sum::<usize>()
}

/// Calls `f` with the element at index `at` and its rule; elements that are not in the schema are skipped.
fn visit(e: &mut Element, rule: usize, table: &Table, at: &mut usize, f: &mut impl FnMut(&mut Element, usize)) -> bool {
    if *at == 0 {
        f(e, rule);
        return true;
    }
    *at -= 1;
    e.children.iter_mut().any(|c| table.child(rule, &c.name.clone()).is_some_and(|r| visit(c, r, table, at, f)))
}

/// Changes the value of an attribute, or adds one.
fn change(e: &mut Element, rule: usize, table: &Table, names: &[String], random: &mut Random) {
    let all = &table.rule(rule).attributes;
    let known: Vec<usize> =
        (0..e.attributes.len()).filter(|&i| all.iter().any(|a| a.name == e.attributes[i].name)).collect();
    if known.is_empty() || random.below(3) == 0 {
        return add(e, rule, table, names, random);
    }
    let slot = &mut e.attributes[*random.pick(&known)];
    if let Some(attribute) = all.iter().find(|a| a.name == slot.name) {
        slot.value = table.value(attribute, names, random);
    }
}

fn add(e: &mut Element, rule: usize, table: &Table, names: &[String], random: &mut Random) {
    let all = &table.rule(rule).attributes;
    if all.is_empty() {
        return;
    }
    let attribute = random.pick(all);
    if e.attribute(&attribute.name).is_none() {
        let value = table.value(attribute, names, random);
        e.attributes.push(Attribute { name: attribute.name.clone(), value, loc: e.loc });
    }
}

fn remove(e: &mut Element, random: &mut Random) {
    if !e.children.is_empty() {
        let at = random.below(e.children.len());
        e.children.remove(at);
    }
}

fn repeat(e: &mut Element, random: &mut Random) {
    if !e.children.is_empty() {
        let at = random.below(e.children.len());
        let mut copy = e.children[at].clone();
        // names must be unique
        copy.attributes.retain(|a| a.name != "name");
        e.children.insert(at, copy);
    }
}

fn drop_attribute(e: &mut Element, random: &mut Random) {
    if !e.attributes.is_empty() {
        let at = random.below(e.attributes.len());
        e.attributes.remove(at);
    }
}

fn swap(e: &mut Element, random: &mut Random) {
    if e.children.len() > 1 {
        let (a, b) = (random.below(e.children.len()), random.below(e.children.len()));
        e.children.swap(a, b);
    }
}

/// Adds a sub-element with its required and some other attributes.
fn grow(e: &mut Element, rule: usize, table: &Table, names: &[String], random: &mut Random) {
    let all = &table.rule(rule).children;
    if all.is_empty() {
        return;
    }
    let (name, rule) = random.pick(all);
    let mut child = Element { name: name.clone(), loc: e.loc, ..Element::default() };
    for attribute in table.rule(*rule).attributes.iter().filter(|a| a.required) {
        let value = table.value(attribute, names, random);
        child.attributes.push(Attribute { name: attribute.name.clone(), value, loc: e.loc });
    }
    for _ in 0..random.below(6) {
        add(&mut child, *rule, table, names, random);
    }
    if random.below(3) == 0 {
        grow(&mut child, *rule, table, names, random);
    }
    e.children.push(child);
}

/// Copies a subtree of another document to a position where the schema allows it.
fn lend(e: &mut Element, rule: usize, other: &Element, table: &Table, random: &mut Random) {
    let mut found: Vec<&Element> = Vec::new();
    collect(other, &mut found);
    found.retain(|c| table.child(rule, &c.name).is_some());
    if !found.is_empty() {
        e.children.push((*random.pick(&found)).clone());
    }
}

fn collect<'a>(e: &'a Element, into: &mut Vec<&'a Element>) {
    into.push(e);
    e.children.iter().for_each(|c| collect(c, into));
}

/// The document as text.
pub(super) fn print(e: &Element, out: &mut String) {
    let _ = write!(out, "<{}", e.name);
    for a in &e.attributes {
        let value = a.value.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
        let _ = write!(out, " {}=\"{value}\"", a.name);
    }
    if e.children.is_empty() {
        out.push_str("/>\n");
        return;
    }
    out.push_str(">\n");
    e.children.iter().for_each(|c| print(c, out));
    let _ = writeln!(out, "</{}>", e.name);
}
