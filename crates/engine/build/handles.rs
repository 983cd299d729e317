//! Generates typed handles of model elements: one type per kind, with an accessor for each of its fields.

use crate::table::{Dim, Holds, Row, capitalised};
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use std::collections::HashSet;

/// A kind of element: its name, its plural, the size that counts it, the prefixes of its fields.
struct Kind(&'static str, &'static str, &'static str, &'static [&'static str]);

const KINDS: [Kind; 21] = [
    Kind("body", "bodies", "nbody", &["body_"]),
    Kind("joint", "joints", "njnt", &["jnt_"]),
    Kind("geom", "geoms", "ngeom", &["geom_"]),
    Kind("site", "sites", "nsite", &["site_"]),
    Kind("camera", "cameras", "ncam", &["cam_"]),
    Kind("light", "lights", "nlight", &["light_"]),
    Kind("mesh", "meshes", "nmesh", &["mesh_"]),
    Kind("skin", "skins", "nskin", &["skin_"]),
    Kind("hfield", "hfields", "nhfield", &["hfield_"]),
    Kind("texture", "textures", "ntex", &["tex_"]),
    Kind("material", "materials", "nmat", &["mat_"]),
    Kind("pair", "pairs", "npair", &["pair_"]),
    Kind("exclude", "excludes", "nexclude", &["exclude_"]),
    Kind("equality", "equalities", "neq", &["eq_"]),
    Kind("tendon", "tendons", "ntendon", &["tendon_", "ten_"]),
    Kind("actuator", "actuators", "nu", &["actuator_"]),
    Kind("sensor", "sensors", "nsensor", &["sensor_"]),
    Kind("numeric", "numerics", "nnumeric", &["numeric_"]),
    Kind("text", "texts", "ntext", &["text_"]),
    Kind("tuple", "tuples", "ntuple", &["tuple_"]),
    Kind("key", "keys", "nkey", &["key_"]),
];

/// Blocks of `Data` whose values belong to elements; the other blocks hold indices and matrices.
const BLOCKS: [&str; 7] = ["state", "pose", "inertia", "trn", "motion", "force", "accel"];

pub fn generate(model: &[Row], data: &[Row]) -> TokenStream {
    KINDS.iter().map(|kind| handle(kind, model, data)).collect()
}

fn handle(kind: &Kind, model: &[Row], data: &[Row]) -> TokenStream {
    let Kind(word, plural, size, _) = kind;
    let marker = format_ident!("{}", capitalised(word));
    let (alias, method, methods) = (format_ident!("{marker}Ref"), format_ident!("{word}"), format_ident!("{plural}"));
    let size = format_ident!("{size}");
    let docs = [
        format!(" The kind of a {word}."),
        format!(" A {word} of a model, by [`Model::{word}`]."),
        format!(" The {word} with a name."),
        format!(" Every {word}, in order."),
    ];
    let [marker_docs, alias_docs, method_docs, methods_docs] = docs.each_ref();
    let mut taken = HashSet::from(["id".to_string(), "name".to_string()]);
    let mut readers = Vec::new();
    for r in model.iter().filter(|r| r.section != "sizes" && !r.section.starts_with("names")) {
        readers.extend(of_model(kind, r, &mut taken));
    }
    for r in data.iter().filter(|r| BLOCKS.contains(&&*r.section)) {
        readers.extend(of_data(kind, r, &mut taken));
    }
    quote! {
        #[doc = #marker_docs]
        #[derive(Clone, Copy, Debug)]
        pub enum #marker {}
        impl Kind for #marker {
            const OBJ: ObjType = ObjType::#marker;
            const WORD: &'static str = #word;
            fn count(sizes: &Sizes) -> usize {
                sizes.#size
            }
        }
        #[doc = #alias_docs]
        pub type #alias<'m> = Ref<'m, #marker>;
        impl Model {
            #[doc = #method_docs]
            ///
            /// # Errors
            /// [`UnknownName`], with the nearest existing name.
            pub fn #method(&self, name: &str) -> Result<#alias<'_>, UnknownName> {
                self.find(name)
            }
            #[doc = #methods_docs]
            pub fn #methods(&self) -> impl ExactSizeIterator<Item = #alias<'_>> {
                self.all()
            }
        }
        impl<'m> #alias<'m> { #(#readers)* }
    }
}

/// Where the values of an element are in a field.
enum Part {
    Item,
    /// For a joint, the range of its degrees of freedom or coordinates.
    Range(Ident),
}

fn part(kind: &Kind, r: &Row) -> Option<(Part, String)> {
    let Some(Dim::Size(size, 1)) = r.shape.first() else { return None };
    let short = |prefixes: &[&str]| prefixes.iter().find_map(|p| r.name.strip_prefix(p)).map(str::to_string);
    let name = || short(kind.3).unwrap_or(r.name.clone());
    match (&**size, kind.0) {
        (size, _) if size == kind.2 => Some((Part::Item, name())),
        ("nv", "joint") => Some((Part::Range(format_ident!("dofs")), short(&["dof_"]).unwrap_or(r.name.clone()))),
        ("nq", "joint") => Some((Part::Range(format_ident!("coordinates")), r.name.clone())),
        _ => None,
    }
}

fn method(name: &str) -> Ident {
    format_ident!("{}", if name == "type" { "kind" } else { name })
}

fn of_model(kind: &Kind, r: &Row, taken: &mut HashSet<String>) -> Option<TokenStream> {
    let (part, name) = part(kind, r)?;
    if !taken.insert(name.clone()) || r.name.starts_with("name_") || ["B_rownnz", "B_rowadr"].contains(&&*r.name) {
        return None;
    }
    let (docs, method, field, item) = (r.docs(), method(&name), r.ident(), r.item());
    let body = match (part, &r.holds, &r.shape[1..]) {
        (Part::Range(range), ..) => quote!(-> &'m [#item] { &self.m.#field[self.#range()] }),
        (Part::Item, Holds::Code(code), []) => {
            let code = format_ident!("{code}");
            quote!(-> enums::#code { self.m.#field(self.index()) })
        }
        (Part::Item, _, [Dim::Size(..)]) => {
            let width = r.shape[1].expr();
            quote!(-> &'m [#item] {
                let s: &Sizes = self.m;
                &self.m.#field[self.index() * (#width)..][..#width]
            })
        }
        (Part::Item, ..) => quote!(-> #item { self.m.#field[self.index()] }),
    };
    Some(quote!(#[doc = #docs] pub fn #method(&self) #body))
}

fn of_data(kind: &Kind, r: &Row, taken: &mut HashSet<String>) -> Option<TokenStream> {
    let (part, name) = part(kind, r)?;
    if r.ty == "i32" || r.shape.len() > 1 && r.width().is_none() || !taken.insert(name.clone()) {
        return None;
    }
    let (docs, method, field, item) = (r.docs(), method(&name), r.ident(), r.item());
    let block = format_ident!("{}", r.section);
    let (read, place, ty) = match &part {
        Part::Item => (quote!(-> #item { d.#block.#field[self.index()] }), quote!(self.index()), item),
        Part::Range(range) => {
            (quote!(-> &'d [#item] { &d.#block.#field[self.#range()] }), quote!(self.#range()), quote!([#item]))
        }
    };
    let write = (r.section == "state").then(|| {
        let (docs, method) = (format!(" [`Self::{method}`], to write to."), format_ident!("{method}_mut"));
        quote!(#[doc = #docs] pub fn #method<'d>(&self, d: &'d mut Data) -> &'d mut #ty { &mut d.#block.#field[#place] })
    });
    Some(match part {
        Part::Item => quote!(#[doc = #docs] pub fn #method(&self, d: &Data) #read #write),
        Part::Range(_) => quote!(#[doc = #docs] pub fn #method<'d>(&self, d: &'d Data) #read #write),
    })
}
