//! Generates settings: structs with defaults.

use crate::reflect;
use crate::table::{Row, sections};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

pub fn generate(rows: &[Row]) -> TokenStream {
    sections(rows).into_iter().map(|(section, rows)| group(section, &rows)).collect()
}

pub fn group(section: &str, rows: &[&Row]) -> TokenStream {
    let name = format_ident!("{section}");
    let docs = format!(" Settings group `{section}`.");
    let declarations = rows.iter().map(|r| r.declaration());
    let defaults = rows.iter().map(|r| {
        let (field, ty) = (r.ident(), r.elem());
        let values = r.default.iter().map(|v| v.parse::<TokenStream>().expect("a default is an expression"));
        match (r.typed(), r.scalar()) {
            _ if r.growing() => quote!(#field: Vec::new()),
            (true, _) => quote!(#field: #ty::#(#values)*),
            (false, true) => quote!(#field: #(#values)*),
            (false, false) => quote!(#field: [#(#values),*]),
        }
    });
    let fields = reflect::fields(&quote!(#name), rows, |_| quote!(self));
    quote! {
        #[doc = #docs]
        #[derive(Clone, Debug, PartialEq)]
        pub struct #name { #(#declarations),* }
        impl Default for #name {
            fn default() -> Self {
                #name { #(#defaults),* }
            }
        }
        #fields
    }
}
