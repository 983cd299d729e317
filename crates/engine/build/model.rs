//! Generates sizes and the compiled model.

use crate::reflect;
use crate::table::Row;
use proc_macro2::TokenStream;
use quote::quote;

pub fn generate(rows: &[Row]) -> TokenStream {
    let (sizes, arrays): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(|r| r.section == "sizes");
    let (sizes, model) = (sizes_struct(&sizes), model_struct(&arrays));
    quote!(#sizes #model)
}

fn sizes_struct(sizes: &[&Row]) -> TokenStream {
    let docs = sizes.iter().map(|r| r.docs());
    let names: Vec<TokenStream> = sizes.iter().map(|r| r.ident()).collect();
    let texts: Vec<&str> = sizes.iter().map(|r| &*r.name).collect();
    let count = sizes.len();
    quote! {
        /// Every size of a model; fixed once compiled.
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct Sizes { #(#[doc = #docs] pub #names: usize),* }

        impl Sizes {
            /// Name and value of every size, in table order.
            pub fn list(&self) -> [(&'static str, usize); #count] {
                [#((#texts, self.#names)),*]
            }
            /// Mutable access by name, for loading a saved model.
            pub fn get_mut(&mut self, name: &str) -> Option<&mut usize> {
                Some(match name {
                    #(#texts => &mut self.#names,)*
                    _ => return None,
                })
            }
        }
    }
}

fn model_struct(arrays: &[&Row]) -> TokenStream {
    let declarations = arrays.iter().map(|r| r.declaration());
    let zeros = arrays.iter().map(|r| {
        let (name, ty, count) = (r.ident(), r.rust_type(), r.count());
        quote!(#name: <#ty>::zeroed(#count))
    });
    let fields = reflect::fields(&quote!(Model), arrays, |_| quote!(self));
    let codes = reflect::codes(arrays.iter().copied());
    quote! {
        /// A compiled model: constant arrays under MuJoCo's names. Sizes never change after compilation.
        #[derive(Clone, Debug)]
        pub struct Model {
            sizes: Sizes,
            /// Physics options.
            pub opt: Options,
            /// Visualisation settings.
            pub vis: Visual,
            /// Statistics at `qpos0`.
            pub stat: Statistic,
            names_index: names::NameIndex,
            pub(crate) plugins: crate::plugin::Plugins,
            extension: extension::Extension,
            /// For each mesh, an index that speeds up support searches on its hull.
            pub(crate) hulls: Vec<sinew_geometry::collide::convex::HullIndex>,
            #(#declarations),*
        }

        impl Model {
            /// A model of the given sizes with all arrays zero, for the compiler to fill.
            pub fn zeroed(sizes: Sizes) -> Self {
                let s = &sizes;
                Model {
                    opt: Options::default(),
                    vis: Visual::default(),
                    stat: Statistic::default(),
                    names_index: Default::default(),
                    plugins: Default::default(),
                    extension: Default::default(),
                    hulls: Default::default(),
                    #(#zeros,)*
                    sizes,
                }
            }
            #codes
        }
        #fields
    }
}
