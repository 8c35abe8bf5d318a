//! `#[derive(State)]`: the one derive by which working types are saved, loaded, hashed and compared.
//!
//! It writes the three functions of `sentir_core::state::State`; everything else (hash, difference by field path,
//! perturbation) follows from `save` with another sink. Every field takes part: there is no way to skip one, because a
//! cache does not belong into state.
//!
//! Attributes on the type: `#[state(version = 2)]` enters the schema (raise it when the meaning of a field changes but
//! not its type), `#[state(check)]` calls `self.check() -> Result<(), &'static str>` after loading.
//!
//! There are two of it: `State` names the core as `::sentir_core`, for the library's own crates; `FacadeState`, which the
//! facade exports under the name `State`, as `::sentir::core`, for everybody else.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Data, DeriveInput, Fields, Generics, Ident, LitInt, Path, Type, parse_quote};

/// Derives `State` for a struct or an enum all of whose fields are `State`.
#[proc_macro_derive(State, attributes(state))]
pub fn derive_state(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    derive(input, &parse_quote!(::sentir_core))
}

/// The same for crates that know the core only through the facade.
#[proc_macro_derive(FacadeState, attributes(state))]
pub fn derive_facade_state(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    derive(input, &parse_quote!(::sentir::core))
}

fn derive(input: proc_macro::TokenStream, core: &Path) -> proc_macro::TokenStream {
    match syn::parse::<DeriveInput>(input).and_then(|input| expand(core, &input)) {
        Ok(tokens) => tokens.into(),
        Err(error) => error.into_compile_error().into(),
    }
}

/// What the type's `#[state(...)]` attributes ask for.
#[derive(Default)]
struct Options {
    version: u32,
    check: bool,
}

/// The bodies of the three generated functions.
struct Bodies {
    save: TokenStream,
    load: TokenStream,
    schema: TokenStream,
}

fn expand(core: &Path, input: &DeriveInput) -> syn::Result<TokenStream> {
    let options = options(input)?;
    let name = &input.ident;
    let bodies = match &input.data {
        Data::Struct(data) => struct_bodies(core, &data.fields),
        Data::Enum(data) => enum_bodies(core, name, data)?,
        Data::Union(_) => {
            return Err(syn::Error::new_spanned(name, "State cannot be derived for a union: use an enum"));
        }
    };
    let Bodies { save, load, schema } = bodies;
    let bounded = with_bounds(core, &input.generics, &field_types(&input.data));
    let (impl_generics, type_generics, where_clause) = bounded.split_for_impl();
    let type_name = name.to_string();
    let version = options.version;
    let check = options.check.then(|| {
        quote! { value.check().map_err(|why| #core::state::LoadError::invalid(source, why))?; }
    });
    Ok(quote! {
        #[automatically_derived]
        impl #impl_generics #core::state::State for #name #type_generics #where_clause {
            fn save<SinkType: #core::state::Sink>(&self, sink: &mut SinkType) { #save }
            fn load(
                source: &mut #core::state::StateReader<'_>,
            ) -> ::core::result::Result<Self, #core::state::LoadError> {
                let value = { #load };
                #check
                ::core::result::Result::Ok(value)
            }
            fn schema(schema: &mut #core::state::Schema) {
                schema.open(#type_name, #version);
                #schema
                schema.close();
            }
        }
    })
}

fn options(input: &DeriveInput) -> syn::Result<Options> {
    let mut options = Options::default();
    for attribute in input.attrs.iter().filter(|one| one.path().is_ident("state")) {
        attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("check") {
                options.check = true;
                Ok(())
            } else if meta.path.is_ident("version") {
                options.version = meta.value()?.parse::<LitInt>()?.base10_parse()?;
                Ok(())
            } else {
                Err(meta.error("unknown state option: expected `version = N` or `check`"))
            }
        })?;
    }
    Ok(options)
}

fn field_types(data: &Data) -> Vec<Type> {
    let of = |fields: &Fields| fields.iter().map(|field| field.ty.clone()).collect::<Vec<_>>();
    match data {
        Data::Struct(data) => of(&data.fields),
        Data::Enum(data) => data.variants.iter().flat_map(|one| of(&one.fields)).collect(),
        Data::Union(_) => Vec::new(),
    }
}

/// A generic type is `State` when each of its fields is: a bound per field type, not per parameter.
fn with_bounds(core: &Path, generics: &Generics, types: &[Type]) -> Generics {
    let mut bounded = generics.clone();
    if generics.type_params().next().is_some() {
        let clause = bounded.make_where_clause();
        for ty in types {
            clause.predicates.push(parse_quote!(#ty: #core::state::State));
        }
    }
    bounded
}

/// A field's name in paths: its own, or its position in a tuple.
fn field_name(position: usize, ident: Option<&Ident>) -> String {
    ident.map_or_else(|| position.to_string(), ToString::to_string)
}

fn save_field(core: &Path, name: &str, value: &TokenStream) -> TokenStream {
    quote! {
        sink.enter(#core::state::Key::Field(#name));
        #core::state::State::save(#value, sink);
        sink.leave();
    }
}

fn schema_of(core: &Path, fields: &Fields) -> TokenStream {
    fields
        .iter()
        .enumerate()
        .map(|(position, field)| {
            let name = field_name(position, field.ident.as_ref());
            let ty = &field.ty;
            quote! { schema.field(#name); <#ty as #core::state::State>::schema(schema); }
        })
        .collect()
}

/// `{ a: load, b: load }`, `(load, load)` or nothing, to follow a constructor's name.
fn load_of(core: &Path, fields: &Fields) -> TokenStream {
    let loads = fields.iter().map(|field| {
        let load = quote! { #core::state::State::load(source)? };
        match &field.ident {
            Some(ident) => quote! { #ident: #load },
            None => load,
        }
    });
    match fields {
        Fields::Named(_) => quote! { { #(#loads),* } },
        Fields::Unnamed(_) => quote! { ( #(#loads),* ) },
        Fields::Unit => quote! {},
    }
}

fn struct_bodies(core: &Path, fields: &Fields) -> Bodies {
    let save = fields
        .iter()
        .enumerate()
        .map(|(position, field)| {
            let value = match &field.ident {
                Some(ident) => quote! { &self.#ident },
                None => {
                    let index = syn::Index::from(position);
                    quote! { &self.#index }
                }
            };
            save_field(core, &field_name(position, field.ident.as_ref()), &value)
        })
        .collect();
    let load = load_of(core, fields);
    Bodies { save, load: quote! { Self #load }, schema: schema_of(core, fields) }
}

fn enum_bodies(core: &Path, name: &Ident, data: &syn::DataEnum) -> syn::Result<Bodies> {
    if data.variants.is_empty() {
        return Err(syn::Error::new_spanned(name, "State cannot be derived for an enum without variants"));
    }
    let type_name = name.to_string();
    let (mut save, mut load, mut schema) = (Vec::new(), Vec::new(), Vec::new());
    for (index, variant) in data.variants.iter().enumerate() {
        // A tag is one byte in the saved form.
        let index =
            u8::try_from(index).map_err(|_| syn::Error::new_spanned(variant, "State allows 256 variants at most"))?;
        let ident = &variant.ident;
        let label = ident.to_string();
        let binds: Vec<_> = (0..variant.fields.len()).map(|position| format_ident!("field_{position}")).collect();
        let fields: Vec<_> = variant.fields.iter().collect();
        let pattern = match &variant.fields {
            Fields::Named(_) => {
                let idents = fields.iter().map(|field| &field.ident);
                quote! { Self::#ident { #(#idents: #binds),* } }
            }
            Fields::Unnamed(_) => quote! { Self::#ident( #(#binds),* ) },
            Fields::Unit => quote! { Self::#ident },
        };
        let saves = fields.iter().zip(&binds).enumerate().map(|(position, (field, bind))| {
            save_field(core, &field_name(position, field.ident.as_ref()), &quote! { #bind })
        });
        save.push(quote! { #pattern => {
            sink.leaf(#core::state::Leaf::Tag { index: #index, name: #label });
            #(#saves)*
        } });
        let construct = load_of(core, &variant.fields);
        load.push(quote! { #index => Self::#ident #construct, });
        let inner = schema_of(core, &variant.fields);
        schema.push(quote! { schema.field(#label); #inner });
    }
    Ok(Bodies {
        save: quote! { match self { #(#save)* } },
        load: quote! {
            match source.tag()? {
                #(#load)*
                other => return ::core::result::Result::Err(
                    #core::state::LoadError::unknown_tag(source, #type_name, other),
                ),
            }
        },
        schema: quote! { #(#schema)* },
    })
}
