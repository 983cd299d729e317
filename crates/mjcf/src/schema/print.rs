//! The schema in readable form: elements with their cardinality and attributes.

use super::table::{Rule, Schema};
use std::fmt::Write;

/// Column where attributes start, and the column after which a new line is started.
const COLUMNS: (usize, usize) = (30, 60);

/// The schema as text, or as an HTML table whose rows are indented by depth if `pad`.
#[doc(alias = "mj_printSchema")]
pub fn describe(html: bool, pad: bool) -> String {
    let schema = Schema::get();
    let mut out = String::new();
    if html {
        out.push_str("<table border=\"1\">\n");
    }
    rows(schema, schema.root(), &mut Vec::new(), &mut |name, mark, rule, depth| {
        let mut attributes: Vec<&str> = rule.fields.iter().map(|f| f.name.name()).collect();
        attributes.sort_unstable();
        if html {
            cell(&mut out, name, mark, &attributes, pad.then_some(depth));
        } else {
            line(&mut out, name, mark, &attributes, depth);
        }
    });
    if html {
        out.push_str("</table>\n");
    }
    out
}

/// Calls `f` with the name, mark, rule and depth of every element. An element that can contain itself is marked `R` and
/// shown once; one that can contain one of its ancestors, such as a frame in a body, is shown without its content.
fn rows<'a>(
    schema: &'a Schema,
    rule: &'a Rule,
    above: &mut Vec<&'a str>,
    f: &mut impl FnMut(&str, char, &'a Rule, usize),
) {
    let inside: Vec<&Rule> = schema.children(rule).collect();
    let nested = inside.iter().any(|r| above.contains(&r.name.as_str()));
    let recursive = nested || inside.iter().any(|r| r.name == rule.name);
    let world = rule.name == "worldbody";
    // the world is a body without pose and joints
    let shown = if world { inside.iter().find(|r| r.name == "body").copied().unwrap_or(rule) } else { rule };
    let mark = match (above.is_empty(), recursive || world, rule.once) {
        (true, ..) => '!',
        (_, true, _) => 'R',
        (_, _, true) => '?',
        _ => '*',
    };
    f(if world { "(world)body" } else { &rule.name }, mark, shown, above.len());
    if nested {
        return;
    }
    above.push(&shown.name);
    for child in schema.children(shown).filter(|r| r.name != shown.name) {
        if !above.contains(&child.name.as_str()) {
            rows(schema, child, above, f);
        }
    }
    above.pop();
}

fn line(out: &mut String, name: &str, mark: char, attributes: &[&str], depth: usize) {
    let head = format!("{:indent$}{name} ({mark})", "", indent = 3 * depth);
    let mut row = format!("{head:<width$}", width = COLUMNS.0);
    for attribute in attributes {
        if row.len() > COLUMNS.1 {
            out.push_str(&row);
            out.push('\n');
            row = " ".repeat(COLUMNS.0);
        }
        row.push_str(attribute);
        row.push(' ');
    }
    out.push_str(&row);
    out.push('\n');
}

fn cell(out: &mut String, name: &str, mark: char, attributes: &[&str], depth: Option<usize>) {
    let style = depth.map_or(String::new(), |d| format!(" style=\"padding-left:{}\"", 5 + 15 * d));
    let names = match attributes {
        [] => "<i>no attributes</i>".to_string(),
        list => list.join(" "),
    };
    let _ = write!(
        out,
        "<tr>\n\t<td{style} class=\"el\">{name}</td>\n\t<td class=\"ty\">{mark}</td>\n\t<td class=\"at\">{names}</td>\n</tr>\n"
    );
}
