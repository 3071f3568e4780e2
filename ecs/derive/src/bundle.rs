//! `#[derive(Bundle)]`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, Field, Index, Meta, Result};

/// Maximum number of components in a tuple that is a bundle.
const TUPLE: usize = 12;

pub(crate) fn derive(input: &DeriveInput) -> Result<TokenStream> {
    let name = &input.ident;
    let Data::Struct(data) = &input.data else {
        return Err(Error::new_spanned(name, "only a struct can be a bundle: its fields are the components"));
    };
    let mut parts = Vec::new();
    let mut components = Vec::new();
    for (at, field) in data.fields.iter().enumerate() {
        let value = match &field.ident {
            Some(name) => quote!(self.#name),
            None => {
                let index = Index::from(at);
                quote!(self.#index)
            }
        };
        if is_bundle(field)? {
            parts.extend(tuple(&mut components));
            let kind = &field.ty;
            parts.push((quote!(#kind), value));
        } else {
            components.push((&field.ty, value));
            if components.len() == TUPLE {
                parts.extend(tuple(&mut components));
            }
        }
    }
    parts.extend(tuple(&mut components));
    let (kinds, values): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
    let both = |all: Vec<TokenStream>, join: fn(TokenStream, TokenStream) -> TokenStream| {
        all.into_iter().reduce(join).unwrap_or_else(|| quote!(()))
    };
    let kind = both(kinds, |first, second| quote!(::ecs::component::Both<#first, #second>));
    let value = both(values, |first, second| quote!(::ecs::component::Bundle::and(#first, #second)));
    let mut generics = input.generics.clone();
    for param in input.generics.type_params() {
        let ident = &param.ident;
        generics.make_where_clause().predicates.push(syn::parse_quote!(#ident: ::ecs::Component));
    }
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    let mut never = generics.clone();
    never.params.insert(0, syn::parse_quote!('__bundle));
    never
        .make_where_clause()
        .predicates
        .push(syn::parse_quote!(::ecs::component::Never<'__bundle>: ::core::marker::Unpin));
    let (impl_never, _, where_never) = never.split_for_impl();
    Ok(quote! {
        #[automatically_derived]
        impl #impl_generics ::ecs::component::StructOfComponents for #name #type_generics #where_clause {
            type Parts = #kind;

            #[inline(always)]
            #[allow(clippy::unused_unit)]
            fn into_parts(self) -> Self::Parts {
                #value
            }
        }

        // Never, so that it cannot become one component by mistake.
        #[automatically_derived]
        impl #impl_never ::core::marker::Unpin for #name #type_generics #where_never {}
    })
}

/// Whether a field is a bundle and not a component.
fn is_bundle(field: &Field) -> Result<bool> {
    let attribute = field.attrs.iter().find(|attribute| attribute.path().is_ident("bundle"));
    match attribute.map(|attribute| &attribute.meta) {
        None => Ok(false),
        Some(Meta::Path(_)) => Ok(true),
        Some(other) => Err(Error::new_spanned(other, "this attribute takes nothing: write `#[bundle]`")),
    }
}

/// The tuple of some components, and its value; `None` without components.
fn tuple(components: &mut Vec<(&syn::Type, TokenStream)>) -> Option<(TokenStream, TokenStream)> {
    let (kinds, values): (Vec<_>, Vec<_>) = components.drain(..).unzip();
    (!kinds.is_empty()).then(|| (quote!((#(#kinds,)*)), quote!((#(#values,)*))))
}
