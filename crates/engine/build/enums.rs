//! Generates enums, and sets of flags where the section head says so.

use crate::table::capitalised;
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

/// A row: MuJoCo's name, the Rust name (`-` for a count), the code, the documentation.
struct Member<'a> {
    c_name: &'a str,
    name: &'a str,
    code: i32,
    doc: String,
}

pub fn generate(text: &str) -> TokenStream {
    let mut names = Vec::new();
    let mut out = TokenStream::new();
    for block in text.split("\n[").skip(1) {
        let (head, body) = block.split_once(']').expect("a head in brackets");
        let words: Vec<&str> = head.split(' ').collect();
        let (&[c_name, name] | &[c_name, name, _]) = &words[..] else { panic!("[{head}]: C name, Rust name") };
        let members: Vec<Member> = body.lines().filter(|l| l.starts_with("mj")).map(member).collect();
        let (ident, flags) = (format_ident!("{name}"), words.get(2) == Some(&"flags"));
        out.extend(if flags { flag_set(c_name, name, &members) } else { code_enum(c_name, name, &members) });
        let count = members.len();
        let list = members.iter().map(|Member { c_name, code, .. }| quote!((#c_name, #code)));
        out.extend(quote! {
            impl #ident {
                /// The enum and its members, for reflection.
                pub const INFO: EnumInfo = {
                    // a static, because the data of a constant would be duplicated at each use
                    static MEMBERS: [(&str, i32); #count] = [#(#list),*];
                    EnumInfo { name: #c_name, flags: #flags, members: &MEMBERS }
                };
            }
        });
        names.push(ident);
    }
    quote! {
        #out
        /// Every enum, with its members under MuJoCo's names.
        pub static ENUMS: &[EnumInfo] = &[#(#names::INFO),*];
    }
}

fn member(line: &str) -> Member<'_> {
    let cells: Vec<&str> = line.splitn(4, '|').map(str::trim).collect();
    let [c_name, name, code, doc] = cells[..] else { panic!("expected 4 cells: {line}") };
    let code = code.parse().unwrap_or_else(|e| panic!("{line}: {e}"));
    Member { c_name, name, code, doc: format!(" {}.", capitalised(doc)) }
}

/// For each member: documentation, Rust name, code.
fn parts<'a>(members: &'a [Member<'a>]) -> impl Iterator<Item = (TokenStream, proc_macro2::Ident, Literal)> + 'a {
    members.iter().filter(|m| m.name != "-").map(|Member { c_name, name, code, doc }| {
        (quote!(#[doc = #doc] #[doc(alias = #c_name)]), format_ident!("{name}"), Literal::i32_unsuffixed(*code))
    })
}

fn code_enum(c_name: &str, name: &str, members: &[Member]) -> TokenStream {
    let (docs, name) = (format!(" `{c_name}`."), format_ident!("{name}"));
    let variants = parts(members).map(|(docs, name, code)| quote!(#docs #name = #code));
    let (names, codes): (Vec<_>, Vec<_>) = parts(members).map(|(_, name, code)| (name, code)).unzip();
    let (last, names) = names.split_last().expect("an enum has members");
    let codes = &codes[..names.len()];
    quote! {
        #[doc = #docs]
        #[doc(alias = #c_name)]
        #[repr(i32)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum #name { #(#variants),* }
        impl #name {
            /// The member with a code; the last member for an unknown code.
            #[inline(always)]
            pub(crate) fn of(code: i32) -> Self {
                match code {
                    #(#codes => Self::#names,)*
                    _ => Self::#last,
                }
            }
        }
        impl From<#name> for i32 {
            fn from(v: #name) -> i32 {
                v as i32
            }
        }
        impl TryFrom<i32> for #name {
            type Error = UnknownCode;
            fn try_from(code: i32) -> Result<Self, UnknownCode> {
                let member = Self::of(code);
                if member as i32 == code { Ok(member) } else { Err(UnknownCode { of: &Self::INFO, code }) }
            }
        }
        impl Code for #name {
            fn code(&self) -> i32 {
                *self as i32
            }
            fn set_code(&mut self, code: i32) -> Result<(), UnknownCode> {
                *self = Self::try_from(code)?;
                Ok(())
            }
        }
    }
}

fn flag_set(c_name: &str, name: &str, members: &[Member]) -> TokenStream {
    let (docs, name) = (format!(" `{c_name}`."), format_ident!("{name}"));
    let flags = parts(members).map(|(docs, name, code)| quote!(#docs const #name = #code;));
    quote! {
        bitflags::bitflags! {
            #[doc = #docs]
            #[doc(alias = #c_name)]
            #[repr(transparent)]
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
            pub struct #name: i32 { #(#flags)* }
        }
        impl Code for #name {
            fn code(&self) -> i32 {
                self.bits()
            }
            fn set_code(&mut self, code: i32) -> Result<(), UnknownCode> {
                *self = Self::from_bits_retain(code);
                Ok(())
            }
        }
    }
}
