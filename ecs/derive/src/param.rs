//! `#[derive(Param)]`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, Fields, GenericParam, Result};

/// Maximum number of parameters in a tuple that is itself a parameter.
const TUPLE: usize = 8;

pub(crate) fn derive(input: &DeriveInput) -> Result<TokenStream> {
    let name = &input.ident;
    let Data::Struct(data) = &input.data else {
        return Err(Error::new_spanned(name, "only a struct can be a parameter of systems"));
    };
    let Fields::Named(fields) = &data.fields else {
        return Err(Error::new_spanned(name, "a struct of parameters has named fields"));
    };
    let fields: Vec<_> = fields.named.iter().collect();
    if fields.len() > TUPLE * TUPLE {
        return Err(Error::new_spanned(name, "a struct of parameters has at most 64 fields: nest another one"));
    }
    let types = fields.chunks(TUPLE).map(|chunk| {
        let types = chunk.iter().map(|field| &field.ty);
        quote!((#(#types,)*))
    });
    let names = fields.iter().map(|field| &field.ident);
    let patterns = fields.chunks(TUPLE).map(|chunk| {
        let names = chunk.iter().map(|field| &field.ident);
        quote!((#(#names,)*))
    });
    let arguments = input.generics.params.iter().map(|param| match param {
        GenericParam::Lifetime(_) => quote!('__g),
        GenericParam::Type(param) => {
            let ident = &param.ident;
            quote!(#ident)
        }
        GenericParam::Const(param) => {
            let ident = &param.ident;
            quote!(#ident)
        }
    });
    let (impl_generics, type_generics, where_clause) = input.generics.split_for_impl();
    Ok(quote! {
        #[automatically_derived]
        impl #impl_generics ::ecs::system::DerivedParam for #name #type_generics #where_clause {
            type Fields = (#(#types,)*);
            type This<'__g> = #name<#(#arguments),*>;

            #[inline]
            fn from_fields<'__g>((#(#patterns,)*): <Self::Fields as ::ecs::Param>::Item<'__g>) -> Self::This<'__g> {
                #name { #(#names),* }
            }
        }
    })
}
