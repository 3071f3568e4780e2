//! `#[derive(StableHash)]`.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Data, DeriveInput, Error, Field, Fields, LitStr, Path, Result, parse_quote};

pub(crate) fn derive(input: &DeriveInput) -> Result<TokenStream> {
    let name = &input.ident;
    let body = match &input.data {
        Data::Struct(data) => {
            let (pattern, hashes) = parts(&data.fields)?;
            quote! {
                let Self #pattern = self;
                #(#hashes)*
            }
        }
        Data::Enum(data) => {
            let arms = data.variants.iter().zip(0_u64..).map(|(variant, number)| {
                let (ident, (pattern, hashes)) = (&variant.ident, parts(&variant.fields)?);
                Ok(quote!(Self::#ident #pattern => { hash.number(#number); #(#hashes)* }))
            });
            let arms = arms.collect::<Result<Vec<_>>>()?;
            match data.variants.is_empty() {
                true => quote!(match *self {}),
                false => quote!(match self { #(#arms)* }),
            }
        }
        Data::Union(_) => return Err(Error::new_spanned(name, "which field of a union counts is not known")),
    };
    let mut generics = input.generics.clone();
    for param in input.generics.type_params() {
        let ident = &param.ident;
        generics.make_where_clause().predicates.push(parse_quote!(#ident: ::ecs::snapshot::StableHash));
    }
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    Ok(quote! {
        #[automatically_derived]
        impl #impl_generics ::ecs::snapshot::StableHash for #name #type_generics #where_clause {
            #[allow(unused_variables)]
            fn stable_hash(&self, hash: &mut ::ecs::snapshot::StateHasher) {
                #body
            }
        }
    })
}

/// A pattern that binds all fields, and what hashes each.
fn parts(fields: &Fields) -> Result<(TokenStream, Vec<TokenStream>)> {
    let bound: Vec<_> = (0..fields.len()).map(|at| format_ident!("field_{at}")).collect();
    let pattern = match fields {
        Fields::Named(named) => {
            let names = named.named.iter().map(|field| &field.ident);
            quote!({ #(#names: #bound),* })
        }
        Fields::Unnamed(_) => quote!((#(#bound),*)),
        Fields::Unit => quote!(),
    };
    let hashes = fields.iter().zip(bound).map(|(field, bound)| {
        Ok(match function_of(field)? {
            Some(function) => quote!(#function(#bound, hash);),
            None => quote!(hash.add(#bound);),
        })
    });
    Ok((pattern, hashes.collect::<Result<_>>()?))
}

/// The function that hashes a field, if an attribute names one.
fn function_of(field: &Field) -> Result<Option<Path>> {
    let mut function = None;
    for attribute in field.attrs.iter().filter(|attribute| attribute.path().is_ident("stable_hash")) {
        attribute.parse_nested_meta(|meta| {
            if !meta.path.is_ident("with") {
                return Err(meta.error("write `with = \"function\"`: it hashes the field"));
            }
            function = Some(meta.value()?.parse::<LitStr>()?.parse()?);
            Ok(())
        })?;
    }
    Ok(function)
}
