//! Generates one struct per `struct` or `element` of the schema.

use crate::syntax::{Attribute, Count, Entry, Struct, Syntax};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use std::collections::BTreeSet;

pub fn generate(syntax: &Syntax) -> TokenStream {
    let structs = syntax.structs.iter().map(|s| one(syntax, s));
    quote!(#(#structs)*)
}

/// One constant per attribute name, and their table, in order.
pub fn names(syntax: &Syntax) -> TokenStream {
    let all = syntax.rules.iter().flat_map(|rule| &rule.entries);
    let names = all.filter_map(|entry| if let Entry::Attribute(a) = entry { Some(a.name.as_str()) } else { None });
    let names: Vec<&str> = names.collect::<BTreeSet<_>>().into_iter().collect();
    let constants = names.iter().map(|name| constant(name));
    let index = 0..names.len() as u16;
    quote! {
        pub(super) static NAMES: &[&str] = &[#(#names),*];
        #(pub(crate) const #constants: Attr = Attr(#index);)*
    }
}

fn constant(attribute: &str) -> proc_macro2::Ident {
    format_ident!("{}", attribute.to_ascii_uppercase())
}

/// A field of a struct: where it comes from, and its Rust type and default.
struct Field<'a> {
    from: &'a Attribute,
    /// The attribute that sets it; empty for none.
    attribute: &'a str,
    rust: TokenStream,
    default: TokenStream,
    /// Its kind in the reflection; `None` for fields of Rust types.
    kind: Option<TokenStream>,
}

fn one(syntax: &Syntax, s: &Struct) -> TokenStream {
    let given = s.groups.iter().flat_map(|group| syntax.expand(syntax.group(group)).0);
    let given = given.filter(|a| a.field != "-").map(|a| field(syntax, a, &a.name));
    let fields: Vec<Field> = given.chain(s.fields.iter().map(|a| field(syntax, a, ""))).collect();
    let (name, doc) = (format_ident!("{}", s.name), format!(" {}", s.doc));
    let idents: Vec<_> = fields.iter().map(|f| format_ident!("{}", f.from.field)).collect();
    let docs: Vec<String> = fields.iter().map(|f| format!(" {}", f.from.doc)).collect();
    let (types, defaults) = (fields.iter().map(|f| &f.rust), fields.iter().map(|f| &f.default));
    let (meta, no_meta) = match s.element {
        true => (quote!(#[doc = " Name, class, place."] pub meta: Meta,), quote!(meta: Meta::default(),)),
        false => (quote!(), quote!()),
    };
    let element = s.element.then(|| element(&name));
    let record = record(&name, &s.name, &fields);
    quote! {
        #[doc = #doc]
        #[derive(Clone, Debug, PartialEq)]
        pub struct #name { #meta #(#[doc = #docs] pub #idents: #types,)* }
        #[allow(clippy::derivable_impls)]
        impl Default for #name {
            fn default() -> Self {
                #name { #no_meta #(#idents: #defaults,)* }
            }
        }
        #element
        #record
    }
}

/// Methods that elements have and other structs do not.
fn element(name: &proc_macro2::Ident) -> TokenStream {
    quote! {
        impl Element for #name {
            fn meta(&self) -> &Meta {
                &self.meta
            }
            fn meta_mut(&mut self) -> &mut Meta {
                &mut self.meta
            }
        }
        impl #name {
            /// An element with a name and otherwise the defaults of the format. Errors about it report the line of this
            /// call.
            #[track_caller]
            pub fn named(name: impl Into<String>) -> Self {
                #name { meta: Meta { name: name.into(), loc: Loc::caller(), ..Meta::default() }, ..#name::default() }
            }
        }
    }
}

/// Reflection over the fields, and setters for programs that build models.
fn record(name: &proc_macro2::Ident, text: &str, fields: &[Field]) -> TokenStream {
    let seen: Vec<(&Field, &TokenStream)> = fields.iter().filter_map(|f| Some((f, f.kind.as_ref()?))).collect();
    // the web page does not need the meanings, and its binary should be small
    let page = std::env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "wasm32");
    let rows = seen.iter().map(|(f, kind)| {
        let (name, optional) = (&f.from.field, f.from.optional);
        let attribute = match f.attribute {
            "" => quote!(None),
            name => {
                let name = constant(name);
                quote!(Some(attr::#name))
            }
        };
        let doc = if page { "" } else { &f.from.doc };
        let count = count(f.from.count);
        quote!(Field { name: #name, attribute: #attribute, kind: #kind, count: #count, optional: #optional, doc: #doc })
    });
    let idents: Vec<_> = seen.iter().map(|(f, _)| format_ident!("{}", f.from.field)).collect();
    let (index, count) = (0..seen.len(), seen.len());
    let index2 = index.clone();
    let setters = seen.iter().map(|(f, _)| {
        let (ident, rust, doc) = (format_ident!("{}", f.from.field), &f.rust, format!(" Sets: {}", f.from.doc));
        let setter = format_ident!("with_{}", f.from.field.trim_end_matches('_'));
        quote! {
            #[doc = #doc]
            pub fn #setter(mut self, #ident: impl Into<#rust>) -> Self {
                self.#ident = #ident.into();
                self
            }
        }
    });
    quote! {
        impl Record for #name {
            const NAME: &'static str = #text;
            const FIELDS: &'static [Field] = {
                static ROWS: [Field; #count] = [#(#rows),*];
                &ROWS
            };
            fn slot(&mut self, index: usize) -> Option<&mut dyn Slot> {
                match index {
                    #(#index => Some(&mut self.#idents),)*
                    _ => None,
                }
            }
            fn value(&self, index: usize) -> Value {
                match index {
                    #(#index2 => self.#idents.value(),)*
                    _ => Value::Absent,
                }
            }
        }
        // some structs are used only by the reader and are not public
        #[allow(dead_code)]
        impl #name { #(#setters)* }
    }
}

fn count(count: Count) -> TokenStream {
    match count {
        Count::One => quote!(Count::One),
        Count::Exactly(n) => quote!(Count::Exactly(#n)),
        Count::AtMost(n) => quote!(Count::AtMost(#n)),
        Count::Any => quote!(Count::Any),
    }
}

/// Rust type, default and reflected kind of a field.
fn field<'a>(syntax: &Syntax, a: &'a Attribute, attribute: &'a str) -> Field<'a> {
    let parse = |text: &str| text.parse::<TokenStream>().unwrap_or_else(|e| panic!("{}: {text}: {e}", a.name));
    if let Some(rust) = a.kind.strip_prefix("rust ") {
        let default = if a.default.is_empty() { quote!(Default::default()) } else { parse(&a.default) };
        return Field { from: a, attribute, rust: parse(rust), default, kind: None };
    }
    let words = syntax.words.iter().find(|w| w.name == a.kind);
    let list = words.map_or("", |w| w.name.as_str());
    let scalar = match (a.kind.as_str(), words) {
        ("text", _) => "String",
        ("real", _) => "f64",
        ("float", _) => "f32",
        ("int", _) => "i32",
        ("orientation", _) => "Orientation",
        (_, Some(words)) => words.rust.as_str(),
        (other, None) => other,
    };
    let kind = match scalar {
        "String" => quote!(Kind::Text),
        "f64" if list.is_empty() => quote!(Kind::Real),
        "f32" => quote!(Kind::Float),
        "i32" if list.is_empty() => quote!(Kind::Int),
        "bool" => quote!(Kind::Bool(#list)),
        "Orientation" => quote!(Kind::Orientation),
        "f64" | "i32" => quote!(Kind::Code(#list, None)),
        rust => {
            let rust = format_ident!("{rust}");
            quote!(Kind::Code(#list, Some(&#rust::INFO)))
        }
    };
    let (rust, default) = (parse(scalar), default(scalar, a, &parse));
    let (rust, default) = match a.count {
        Count::One | Count::Exactly(1) => (rust, default),
        Count::Any => (quote!(Vec<#rust>), quote!(Vec::new())),
        Count::Exactly(n) | Count::AtMost(n) => (quote!([#rust; #n]), default),
    };
    let (rust, default) = match (a.optional, a.default.as_str()) {
        (true, "") => (quote!(Option<#rust>), quote!(None)),
        (true, _) => (quote!(Option<#rust>), quote!(Some(#default))),
        (false, _) => (rust, default),
    };
    Field { from: a, attribute, rust, default, kind: Some(kind) }
}

/// The default as an expression; lists are written out in full.
fn default(scalar: &str, a: &Attribute, parse: &dyn Fn(&str) -> TokenStream) -> TokenStream {
    let number = |text: &str| match scalar {
        "f64" | "f32" if !text.contains('.') => parse(&format!("{text}.0")),
        _ => parse(text),
    };
    let n = match a.count {
        Count::Exactly(n) | Count::AtMost(n) => n,
        Count::One | Count::Any => 1,
    };
    let text = match (a.default.as_str(), scalar) {
        ("", "f64" | "f32" | "i32") => "0",
        ("", "bool") => "false",
        ("", _) => return quote!(Default::default()),
        (text, _) => text,
    };
    match scalar {
        "f64" | "f32" | "i32" if !matches!(a.count, Count::One | Count::Exactly(1)) => {
            let mut list: Vec<TokenStream> = text.split(' ').map(number).collect();
            assert!(list.len() == 1 || list.len() == n, "{}: one default or {n}", a.name);
            list.resize(n, list[0].clone());
            quote!([#(#list),*])
        }
        "f64" | "f32" | "i32" | "bool" => number(text),
        "String" => quote!(String::from(#text)),
        _ => {
            let (rust, member) = (format_ident!("{scalar}"), format_ident!("{text}"));
            quote!(#rust::#member)
        }
    }
}
