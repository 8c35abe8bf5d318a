//! Signatures say what they take: values do not hide in tuples, where they have no names. A parameter counts by the values
//! in it: a tuple by its elements, wherever it stands in the type (a slice of tuples as one of them, also by an alias of the
//! same file), everything else, a struct above all, as one. `self` is not counted, nor are the arguments of functions that
//! are handed in. Reads the code by `syn`; tests are free to take what they like.

use std::collections::BTreeMap;

use syn::visit::{self, Visit};
use syn::{
    Attribute, FnArg, GenericArgument, ImplItemFn, Item, ItemFn, ItemMod, Meta, PathArguments, ReturnType, Signature,
    TraitItemFn, Type, TypeParamBound,
};

use super::{Breach, Source};

/// Most values of a function that takes a tuple, and most elements of a tuple in a signature.
const VALUES_MAX: usize = 4;
/// Most values that a function returns in a tuple.
const RETURNED_MAX: usize = 3;
/// Functions with too many values in tuples.
pub fn check(source: &Source) -> Vec<Breach> {
    if !source.is_rust() || source.is_test() {
        return Vec::new();
    }
    breaches(source)
}

fn breaches(source: &Source) -> Vec<Breach> {
    match syn::parse_file(&source.text) {
        Ok(file) => {
            let mut walk = Walk { source, aliases: aliases(&file.items), line: None, breaches: Vec::new() };
            walk.visit_file(&file);
            walk.breaches
        }
        Err(error) => vec![source.breach(1, format!("this is no Rust that can be read: {error}"))],
    }
}

/// By name: how many values the aliases of tuples stand for.
type Aliases = BTreeMap<String, usize>;

/// The aliases of a file that stand for tuples.
fn aliases(items: &[Item]) -> Aliases {
    let mut known = Aliases::new();
    for item in items {
        if let Item::Type(alias) = item
            && let Some(count) = hidden(&alias.ty, &known)
        {
            known.insert(alias.ident.to_string(), count);
        }
    }
    known
}

/// How many values are hidden in the tuples of a type; none if there is no tuple.
fn hidden(ty: &Type, aliases: &Aliases) -> Option<usize> {
    match ty {
        Type::Tuple(tuple) if tuple.elems.is_empty() => None,
        Type::Tuple(tuple) => Some(tuple.elems.iter().map(|one| hidden(one, aliases).unwrap_or(1)).sum()),
        Type::Reference(inner) => hidden(&inner.elem, aliases),
        Type::Slice(inner) => hidden(&inner.elem, aliases),
        Type::Array(inner) => hidden(&inner.elem, aliases),
        Type::Paren(inner) => hidden(&inner.elem, aliases),
        Type::Group(inner) => hidden(&inner.elem, aliases),
        Type::Path(path) => {
            let alias = path.path.segments.last().and_then(|last| aliases.get(&last.ident.to_string()));
            alias.copied().or_else(|| hidden_in_arguments(&path.path, aliases))
        }
        Type::ImplTrait(bounds) => hidden_in_bounds(&bounds.bounds, aliases),
        Type::TraitObject(bounds) => hidden_in_bounds(&bounds.bounds, aliases),
        _ => None,
    }
}

/// The same for the types between `<` and `>`.
fn hidden_in_arguments(path: &syn::Path, aliases: &Aliases) -> Option<usize> {
    let mut sum = None;
    for segment in &path.segments {
        let PathArguments::AngleBracketed(arguments) = &segment.arguments else { continue };
        for argument in &arguments.args {
            let found = match argument {
                GenericArgument::Type(ty) => hidden(ty, aliases),
                GenericArgument::AssocType(ty) => hidden(&ty.ty, aliases),
                _ => None,
            };
            sum = found.map_or(sum, |count| Some(sum.unwrap_or(0) + count));
        }
    }
    sum
}

fn hidden_in_bounds<'a>(bounds: impl IntoIterator<Item = &'a TypeParamBound>, aliases: &Aliases) -> Option<usize> {
    let of = |bound: &TypeParamBound| match bound {
        TypeParamBound::Trait(bound) => hidden_in_arguments(&bound.path, aliases),
        _ => None,
    };
    bounds.into_iter().filter_map(of).max()
}

/// Whether attributes make something a part of the tests.
fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let is_cfg = attribute.path().is_ident("cfg");
        let names_test = |list: &syn::MetaList| list.tokens.to_string() == "test";
        attribute.path().is_ident("test") || (is_cfg && matches!(&attribute.meta, Meta::List(list) if names_test(list)))
    })
}

struct Walk<'a> {
    source: &'a Source,
    aliases: Aliases,
    /// The line, counted from 0, of the function that was come to last; the next is looked for after it.
    line: Option<usize>,
    breaches: Vec<Breach>,
}

impl Walk<'_> {
    fn add(&mut self, sentence: String) {
        self.breaches.push(self.source.breach(self.line.map_or(1, |line| line + 1), sentence));
    }

    /// Goes on to the line that declares a function. `syn` knows no lines without a feature that every derive would pay for.
    fn come_to(&mut self, name: &str) {
        let declares = |line: &str| {
            let mut after = line.match_indices("fn ").map(|(at, _)| &line[at + 3..]);
            after.any(|rest| rest.strip_prefix(name).is_some_and(|rest| rest.starts_with(['(', '<'])))
        };
        let mut lines = self.source.text.lines().enumerate().skip(self.line.map_or(0, |line| line + 1));
        self.line = lines.find(|(_, line)| declares(line)).map(|(number, _)| number).or(self.line);
    }

    fn judge(&mut self, signature: &Signature) {
        let name = signature.ident.to_string();
        self.come_to(&name);
        let (mut values, mut in_tuples) = (0, 0);
        for input in &signature.inputs {
            let FnArg::Typed(input) = input else { continue };
            let found = hidden(&input.ty, &self.aliases);
            values += found.unwrap_or(1);
            in_tuples += found.unwrap_or(0);
        }
        if in_tuples > 0 && values > VALUES_MAX {
            let sentence = format!(
                "`{name}` takes {values} values, {in_tuples} of them in tuples, over the limit of {VALUES_MAX}; name them \
                 in a struct"
            );
            self.add(sentence);
        }
        let ReturnType::Type(_, output) = &signature.output else { return };
        if let Some(count) = hidden(output, &self.aliases).filter(|&count| count > RETURNED_MAX) {
            let sentence = format!(
                "`{name}` returns {count} values in tuples, over the limit of {RETURNED_MAX}; name them in a struct"
            );
            self.add(sentence);
        }
    }
}

impl<'a> Visit<'a> for Walk<'_> {
    fn visit_item_mod(&mut self, item: &'a ItemMod) {
        if !is_for_tests(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_fn(&mut self, item: &'a ItemFn) {
        if !is_for_tests(&item.attrs) {
            self.judge(&item.sig);
            visit::visit_item_fn(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'a ImplItemFn) {
        if !is_for_tests(&item.attrs) {
            self.judge(&item.sig);
            visit::visit_impl_item_fn(self, item);
        }
    }

    fn visit_trait_item_fn(&mut self, item: &'a TraitItemFn) {
        self.judge(&item.sig);
        visit::visit_trait_item_fn(self, item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::sentences;

    fn found(text: &str) -> Vec<String> {
        sentences(check, "crates/nav/src/a.rs", text)
    }

    #[test]
    fn values_that_hide_in_tuples_are_counted_by_element() {
        let takes = |count: usize, hidden: usize| {
            format!(
                "1: `f` takes {count} values, {hidden} of them in tuples, over the limit of 4; name them in a struct"
            )
        };
        assert_eq!(found("fn f((a, b): (A, B), (c, (d, e)): (C, (D, E))) {}"), [takes(5, 5)]);
        assert_eq!(found("fn f(a: A, b: B, c: C, (d, e): (D, E)) {}"), [takes(5, 2)]);
        assert_eq!(found("fn f(a: A, b: B, all: &[(C, D, E)]) {}"), [takes(5, 3)]);
        assert_eq!(found("fn f(a: A, b: B, all: impl Iterator<Item = (C, D, E)>) {}"), [takes(5, 3)]);
        assert_eq!(found("fn f(a: A, b: B, c: Option<&mut (C, D, E)>) {}"), [takes(5, 3)]);
        assert_eq!(found("trait T { fn f(&self, a: A, b: B, c: [(C, D, E); 2]); }"), [takes(5, 3)]);
        assert_eq!(found("impl A { fn f(&self, a: (A, B, C, D, E)) {} }"), [takes(5, 5)]);
    }

    #[test]
    fn an_alias_hides_nothing() {
        let alias = "type Way = (f64, DVec2);\nfn f(from: Way, to: Way, line: u32) {}\n";
        assert_eq!(found(alias).len(), 1);
        assert!(found("type Way = (f64, DVec2);\nfn f(from: Way, to: Way) {}\n").is_empty());
    }

    #[test]
    fn more_than_three_values_are_not_returned_in_a_tuple() {
        let breach = "1: `f` returns 4 values in tuples, over the limit of 3; name them in a struct";
        assert_eq!(found("fn f() -> (A, B, C, D) {}"), [breach]);
        assert_eq!(found("fn f() -> Result<(A, (B, C)), (D,)> {}"), [breach]);
        assert!(found("fn f() -> Option<(A, B, C)> {}").is_empty());
    }

    #[test]
    fn structs_small_tuples_functions_and_tests_pass() {
        for text in [
            "fn f(a: A, b: B, c: C, d: D) {}",
            "impl A { fn f(&mut self, a: A, (b, c): (B, C), d: D) {} }",
            "fn f(a: A, b: B, c: C, visit: impl FnMut(A, B, C) -> (D, E, F)) {}",
            "fn f(a: A, b: B, c: C, d: D, e: E) -> Result<(), F> {}",
            "#[cfg(test)]\nmod tests {\n    fn f(a: (A, B, C), b: (D, E, F)) {}\n}\n",
            "#[test]\nfn f(a: (A, B, C), b: (D, E, F)) {}\n",
        ] {
            assert!(found(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn tests_take_what_they_like() {
        let bad = "fn f(a: (A, B, C), b: (D, E, F)) {}";
        assert!(sentences(check, "crates/nav/tests/a.rs", bad).is_empty());
        assert_eq!(found(bad).len(), 1);
    }

    #[test]
    fn a_breach_names_the_line_of_its_function() {
        let text = "fn f() {}\n\nimpl A {\n    /// As fn f, but more.\n    fn f<T>(a: (A, B, C), b: (D, E, F)) {}\n}\n";
        assert!(found(text)[0].starts_with("5: `f` takes 6 values"), "{:?}", found(text));
        assert!(found("fn f(\n")[0].starts_with("1: this is no Rust that can be read"));
    }
}
