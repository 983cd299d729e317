//! Every `unsafe` is listed with its reason in `docs/unsafe.md` and has a SAFETY note next to it.

use crate::root;
use std::collections::BTreeMap;
use std::fs;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// The list: `| file | count | why | what checks it |`.
const LIST: &str = "docs/unsafe.md";
/// Maximum distance, in lines, of a SAFETY note above its `unsafe`.
const ABOVE: usize = 6;

/// Lines of a file with unsafe blocks, functions, implementations and exported names.
#[derive(Default)]
struct Unsafe {
    lines: Vec<usize>,
    /// Exported names, which consist of the attribute only.
    exported: usize,
}

impl<'ast> Visit<'ast> for Unsafe {
    fn visit_expr_unsafe(&mut self, e: &'ast syn::ExprUnsafe) {
        self.lines.push(e.span().start().line);
        visit::visit_expr_unsafe(self, e);
    }

    fn visit_item_impl(&mut self, i: &'ast syn::ItemImpl) {
        if i.unsafety.is_some() {
            self.lines.push(i.span().start().line);
        }
        visit::visit_item_impl(self, i);
    }

    fn visit_signature(&mut self, s: &'ast syn::Signature) {
        if matches!(s.safety, syn::Safety::Unsafe(_)) {
            self.lines.push(s.span().start().line);
        }
        visit::visit_signature(self, s);
    }

    fn visit_attribute(&mut self, a: &'ast syn::Attribute) {
        self.exported += usize::from(a.path().is_ident("unsafe"));
        visit::visit_attribute(self, a);
    }
}

/// The violations in a file, and its number of `unsafe` items.
pub(crate) fn look(file: &str, text: &str, tree: &syn::File) -> (usize, Vec<String>) {
    let mut found = Unsafe::default();
    found.visit_file(tree);
    let lines: Vec<&str> = text.lines().collect();
    let said =
        |line: usize| lines[line.saturating_sub(ABOVE + 1)..line].iter().any(|l| l.to_lowercase().contains("safety"));
    let faults = found.lines.iter().filter(|&&line| !said(line));
    let faults = faults.map(|line| format!("{file}:{line}: 'unsafe' without a SAFETY note")).collect();
    (found.lines.len() + found.exported, faults)
}

/// Compares the counts with the list.
pub(crate) fn compare(counted: &BTreeMap<String, usize>) -> Vec<String> {
    let text = fs::read_to_string(root().join(LIST)).unwrap_or_default();
    let row = |l: &str| {
        let cells: Vec<&str> = l.split('|').map(str::trim).collect();
        let [_, file, count, reason, checked, ..] = cells[..] else { return None };
        let count = count.parse().ok()?;
        (!reason.is_empty() && !checked.is_empty()).then(|| (file.trim_matches('`').to_string(), count))
    };
    let listed: BTreeMap<String, usize> = text.lines().filter_map(row).collect();
    let all = counted.keys().chain(listed.keys()).collect::<std::collections::BTreeSet<_>>();
    let number = |map: &BTreeMap<String, usize>, file: &str| map.get(file).copied().unwrap_or(0);
    all.into_iter()
        .filter(|file| number(counted, file) != number(&listed, file))
        .map(|file| {
            format!("{file} has 'unsafe' {} times, {LIST} says {}", number(counted, file), number(&listed, file))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsafe_needs_a_note() {
        let count = |text: &str| {
            let (count, faults) = look("a.rs", text, &syn::parse_file(text).expect("it is Rust"));
            (count, faults.len())
        };
        assert_eq!(count("fn f() { unsafe { g() } }"), (1, 1));
        assert_eq!(count("// SAFETY: none needed\nunsafe impl Send for A {}"), (1, 0));
        assert_eq!(count("#[unsafe(no_mangle)]\nextern \"C\" fn f() {}"), (1, 0));
        assert_eq!(count("unsafe fn f() {}"), (1, 1));
        assert!(!compare(&BTreeMap::from([("none.rs".into(), 1)])).is_empty());
    }
}
