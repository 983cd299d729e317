//! Generates `impl Fields`: the reflection that views, saving, copying and comparison use.

use crate::table::{Dim, Holds, Row};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

/// Reflection of `owner`, whose row `r` is in the struct `place(r)`.
pub fn fields(owner: &TokenStream, rows: &[&Row], place: impl Fn(&Row) -> TokenStream) -> TokenStream {
    let infos = rows.iter().map(|r| info(r, rows));
    let arms = |mutable: bool| {
        let arms = rows.iter().enumerate().map(|(i, r)| {
            let slice = slice(r, &place(r), mutable);
            quote!(#i => #slice)
        });
        quote!(#(#arms,)* _ => panic!("field index {index} out of range"))
    };
    let (read, write, count) = (arms(false), arms(true), rows.len());
    quote! {
        impl Fields for #owner {
            const FIELDS: &'static [FieldInfo] = {
                // a static, because the data of a constant would be duplicated at each use
                static ROWS: [FieldInfo; #count] = [#(#infos),*];
                &ROWS
            };
            fn field(&self, index: usize) -> Slice<'_> {
                match index { #read }
            }
            fn field_mut(&mut self, index: usize) -> SliceMut<'_> {
                match index { #write }
            }
        }
    }
}

fn variant(r: &Row) -> proc_macro2::Ident {
    match &*r.ty {
        "char" => format_ident!("U8"),
        _ if r.typed() => format_ident!("I32"),
        ty => format_ident!("{}", ty.to_uppercase()),
    }
}

fn slice(r: &Row, owner: &TokenStream, mutable: bool) -> TokenStream {
    let name = r.ident();
    let place = quote!(#owner.#name);
    let variant = variant(r);
    let body = match (r.scalar(), r.width().is_some(), mutable) {
        (true, _, false) => quote!(std::slice::from_ref(&#place)),
        (true, _, true) => quote!(std::slice::from_mut(&mut #place)),
        (_, true, false) => quote!(#place.as_flattened()),
        (_, true, true) => quote!(#place.as_flattened_mut()),
        (_, _, false) => quote!(&#place[..]),
        (_, _, true) => quote!(&mut #place[..]),
    };
    match (r.typed(), mutable) {
        (true, false) => quote!(Slice::Code(#place.code())),
        (true, true) => quote!(SliceMut::Code(&mut #place)),
        (false, false) => quote!(Slice::#variant(#body)),
        (false, true) => quote!(SliceMut::#variant(#body)),
    }
}

fn info(r: &Row, rows: &[&Row]) -> TokenStream {
    let Row { section, name, .. } = r;
    // a web page never shows units and meanings; leaving them out keeps it small
    let page = std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "wasm32");
    let (unit, doc) = if page { ("", "") } else { (&*r.unit, &*r.doc) };
    let dtype = if r.ty == "char" { format_ident!("Char") } else { variant(r) };
    let dims = r.shape.iter().map(dim);
    let holds = match &r.holds {
        Holds::Number => quote!(Number),
        Holds::Code(code) => {
            let code = format_ident!("{code}");
            quote!(Code(&enums::#code::INFO))
        }
        Holds::Index(d) => {
            let d = dim(d);
            quote!(Index(#d))
        }
        Holds::IndexOrNone(d) => {
            let d = dim(d);
            quote!(IndexOrNone(#d))
        }
        Holds::Above => quote!(Above),
        Holds::AboveOrNone => quote!(AboveOrNone),
        Holds::Start(d, count) => {
            let d = dim(d);
            let row = rows.iter().position(|r| r.name == *count).unwrap_or_else(|| panic!("{name}: no {count}"));
            quote!(Start(#d, #row))
        }
        Holds::Count => quote!(Count),
    };
    quote!(FieldInfo {
        name: #name, section: #section, dtype: DType::#dtype, holds: Holds::#holds, dims: &[#(#dims),*],
        unit: #unit, doc: #doc,
    })
}

fn dim(d: &Dim) -> TokenStream {
    let text = d.text();
    match d {
        Dim::Const(n) => quote!(Dim::Const(#n)),
        Dim::Growing(_) => quote!(Dim::Growing(#text)),
        Dim::Size(..) => {
            let expr = d.expr();
            quote!(Dim::Size(#text, |s| #expr))
        }
    }
}

/// Typed accessors of rows that hold enum codes, in addition to the integers that users see.
pub fn codes<'a>(rows: impl IntoIterator<Item = &'a Row>) -> TokenStream {
    let readers = rows.into_iter().filter_map(|r| match &r.holds {
        Holds::Code(code) if !r.typed() => {
            let (name, code) = (r.ident(), format_ident!("{code}"));
            let value = if r.ty == "i32" { quote!(self.#name[i]) } else { quote!(self.#name[i].into()) };
            let docs = format!(
                " [`{0}`](Self::{0}) of element `i` as its type. A code that is none, which [`Model::validate`](crate::Model::validate) \
                 refuses, reads as the last.",
                r.name
            );
            Some(quote! {
                #[doc = #docs]
                #[inline(always)]
                pub fn #name(&self, i: usize) -> enums::#code {
                    enums::#code::of(#value)
                }
            })
        }
        _ => None,
    });
    quote!(#(#readers)*)
}
