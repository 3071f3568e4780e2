//! The derives of `lockstep_ecs`. Use them through its feature `derive`, and read about them there.

mod bundle;
mod param;
mod saved;
mod stable_hash;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Makes a struct of components a bundle; see `ecs::component::StructOfComponents`.
#[proc_macro_derive(Bundle, attributes(bundle))]
pub fn bundle(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    bundle::derive(&input).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// Makes a struct of parameters a parameter of systems; see `ecs::Param`.
#[proc_macro_derive(Param)]
pub fn param(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    param::derive(&input).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// Hashes all fields in their order, those with `#[stable_hash(with = "function")]` by a function; see
/// `ecs::snapshot::StableHash`.
#[proc_macro_derive(StableHash, attributes(stable_hash))]
pub fn stable_hash(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    stable_hash::derive(&input).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// Gives a type its stable name and the version of its saved form; see `ecs::snapshot::Saved`.
#[proc_macro_derive(Saved, attributes(saved))]
pub fn saved(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    saved::derive(&input).unwrap_or_else(|error| error.to_compile_error()).into()
}
