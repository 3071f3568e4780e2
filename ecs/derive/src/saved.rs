//! `#[derive(Saved)]`.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{DeriveInput, Error, Ident, LitInt, LitStr, Result};

const KINDS: [&str; 4] = ["component", "resource", "event", "system"];

pub(crate) fn derive(input: &DeriveInput) -> Result<TokenStream> {
    let (mut kind, mut name, mut version) = (None, None::<LitStr>, None::<LitInt>);
    for attribute in input.attrs.iter().filter(|attribute| attribute.path().is_ident("saved")) {
        attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("name") {
                name = Some(meta.value()?.parse()?);
            } else if meta.path.is_ident("version") {
                version = Some(meta.value()?.parse()?);
            } else if let Some(known) = KINDS.iter().find(|kind| meta.path.is_ident(kind)) {
                kind = Some(Ident::new(known, Span::call_site()));
            } else {
                return Err(
                    meta.error("expected `name`, `version`, or what it is: `component`, `resource`, `event`, `system`")
                );
            }
            Ok(())
        })?;
    }
    let of = &input.ident;
    let Some(name) = name else {
        return Err(Error::new_spanned(of, "a saved type needs a stable name: `#[saved(name = \"…\")]`"));
    };
    let kind = kind.unwrap_or_else(|| Ident::new(KINDS[0], Span::call_site()));
    // Without the feature, the engine saves nothing.
    let version = version.filter(|_| cfg!(feature = "serde"));
    let save = version.map(|version| quote!(?.save::<Self>(#version)));
    let (impl_generics, type_generics, where_clause) = input.generics.split_for_impl();
    Ok(quote! {
        #[automatically_derived]
        impl #impl_generics ::ecs::snapshot::Saved for #of #type_generics #where_clause {
            const NAME: &'static str = #name;

            fn register(
                types: &mut ::ecs::snapshot::TypeRegistry,
            ) -> ::core::result::Result<&mut ::ecs::snapshot::TypeRegistry, ::ecs::snapshot::SnapshotError> {
                types.#kind::<Self>(Self::NAME)#save
            }
        }
    })
}
