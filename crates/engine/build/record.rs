//! Generates small structs that are stored in lists: contacts, and statistics per warning, stage and iteration.

use crate::reflect;
use crate::table::{Row, sections};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

pub fn generate(rows: &[Row]) -> TokenStream {
    sections(rows).into_iter().map(|(head, rows)| record(head, &rows)).collect()
}

/// `head` is the struct's name and, after a colon, its documentation.
pub fn record(head: &str, rows: &[&Row]) -> TokenStream {
    let (name, meaning) = head.split_once(": ").unwrap_or_else(|| panic!("[{head}] says not what it is"));
    let (name, docs) = (format_ident!("{name}"), format!(" {meaning}."));
    let declarations = rows.iter().map(|r| r.declaration());
    let names: Vec<_> = rows.iter().map(|r| r.ident()).collect();
    let fields = reflect::fields(&quote!(#name), rows, |_| quote!(self));
    quote! {
        #[doc = #docs]
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct #name { #(#declarations),* }
        impl Zero for #name {
            const ZERO: Self = #name { #(#names: Zero::ZERO),* };
        }
        impl Default for #name {
            fn default() -> Self {
                Self::ZERO
            }
        }
        impl Record for #name {
            const OFFSETS: &'static [usize] = &[#(std::mem::offset_of!(#name, #names)),*];
        }
        #fields
    }
}
