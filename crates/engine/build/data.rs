//! Generates the blocks of `Data`.

use crate::reflect;
use crate::table::{Row, capitalised, sections};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

pub fn generate(rows: &[Row]) -> TokenStream {
    let blocks = sections(rows).into_iter().map(|(section, rows)| block(section, &rows));
    let names: Vec<_> = sections(rows).into_iter().map(|(section, _)| format_ident!("{section}")).collect();
    let growth = growing_storage(rows);
    let all: Vec<&Row> = rows.iter().collect();
    let fields = reflect::fields(&quote!(Data), &all, |r| {
        let section = format_ident!("{}", r.section);
        quote!(self.#section)
    });
    // the state is the first block, so that its rows have the same indices in both tables
    let state: Vec<&Row> = rows.iter().filter(|r| r.section == "state").collect();
    let state = reflect::fields(&quote!(State), &state, |_| quote!(self));
    quote! {
        #(#blocks)*
        #state
        impl Data {
            fn each_block_zero(&mut self) {
                #(self.#names.zero();)*
            }
            fn each_block_copy(&mut self, src: &Data) {
                #(self.#names.copy_from(&src.#names);)*
            }
        }
        #growth
        #fields
    }
}

fn block(section: &str, rows: &[&Row]) -> TokenStream {
    let (docs, name) = (format!(" The `{section}` block of [`Data`]."), format_ident!("{}", capitalised(section)));
    let declarations = rows.iter().map(|r| r.declaration());
    let (new, (zero, copy)): (Vec<_>, (Vec<_>, Vec<_>)) = rows.iter().map(|r| (new(r), (zero(r), copy(r)))).unzip();
    let codes = reflect::codes(rows.iter().copied());
    quote! {
        #[doc = #docs]
        #[derive(Clone, Debug)]
        pub struct #name { #(#declarations),* }

        impl #name {
            pub(crate) fn new(s: &Sizes) -> Self {
                let _ = s;
                #name { #(#new),* }
            }
            /// Sets every value to zero and empties growing fields; frees no memory.
            pub(crate) fn zero(&mut self) {
                #(#zero;)*
            }
            /// Copies another block of the same model without allocating.
            pub(crate) fn copy_from(&mut self, src: &Self) {
                #(#copy;)*
            }
            #codes
        }
    }
}

fn new(r: &Row) -> TokenStream {
    let name = r.ident();
    match r.inline() {
        _ if r.scalar() => quote!(#name: Default::default()),
        Some(n) => quote!(#name: [Default::default(); #n]),
        None if r.growing() => quote!(#name: Vec::new()),
        None => {
            let count = r.count();
            quote!(#name: Array::zeroed(#count))
        }
    }
}

fn zero(r: &Row) -> TokenStream {
    let name = r.ident();
    match () {
        () if r.scalar() => quote!(self.#name = Default::default()),
        () if r.growing() => quote!(self.#name.clear()),
        () if r.width().is_some() => quote!(self.#name.as_flattened_mut().fill(Default::default())),
        () => quote!(self.#name.fill(Default::default())),
    }
}

fn copy(r: &Row) -> TokenStream {
    let name = r.ident();
    match () {
        () if r.scalar() || r.inline().is_some() => quote!(self.#name = src.#name),
        () if r.growing() => quote!(self.#name.clear(); self.#name.extend_from_slice(&src.#name)),
        () => quote!(self.#name.copy_from_slice(&src.#name)),
    }
}

/// Length and storage of growing fields, by table row.
fn growing_storage(rows: &[Row]) -> TokenStream {
    let (mut grow, mut detach, mut room) = (Vec::new(), Vec::new(), Vec::new());
    for (i, r) in rows.iter().enumerate().filter(|(_, r)| r.growing()) {
        let (section, name, item) = (format_ident!("{}", r.section), r.ident(), r.item());
        let items = r.width().map_or(quote!(len), |n| quote!(len / #n));
        grow.push(quote!(#i => self.#section.#name.resize(#items, Zero::ZERO)));
        detach.push(quote!(#i => Box::new(replace_storage(&mut self.#section.#name))));
        room.push(quote!(#i => self.#section.#name.capacity() * size_of::<#item>()));
    }
    quote! {
        impl Data {
            /// Resizes a growing field to `len` elements; other fields keep their length.
            pub(crate) fn grow(&mut self, index: usize, len: usize) {
                match index {
                    #(#grow,)*
                    _ => {}
                }
            }
            /// Moves a growing field to new storage and returns the old one, so that existing views can keep it alive.
            /// `None` for fields of fixed length, whose storage never moves.
            pub fn detach(&mut self, index: usize) -> Option<Box<dyn std::any::Any + Send + Sync>> {
                Some(match index {
                    #(#detach,)*
                    _ => return None,
                })
            }
            /// Bytes reserved for a growing field; 0 for others.
            fn room(&self, index: usize) -> usize {
                match index {
                    #(#room,)*
                    _ => 0,
                }
            }
        }
    }
}
