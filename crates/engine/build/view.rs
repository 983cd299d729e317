//! Generates the tables of what is drawn and from where: settings and records with per-instance array lengths.

use crate::table::{Dim, Row, sections};
use crate::{record, settings};
use proc_macro2::TokenStream;

pub fn generate(mut rows: Vec<Row>) -> TokenStream {
    for dim in rows.iter_mut().flat_map(|r| &mut r.shape) {
        if let Dim::Size(..) = dim {
            *dim = Dim::Growing(dim.text());
        }
    }
    let one = |(head, rows): (&str, Vec<&Row>)| match head.contains(": ") {
        true => record::record(head, &rows),
        false => settings::group(head, &rows),
    };
    sections(&rows).into_iter().map(one).collect()
}
