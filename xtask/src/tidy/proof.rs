//! A test that asserts nothing proves nothing.

use super::function::{code, functions};
use super::{Breach, Source};

/// What can fail in a test: a body without any of these cannot.
const PROOFS: &[&str] = &["assert", "panic!", "unreachable!", "expect", "unwrap_err", "?;", "?.", "?)", "?,"];

/// Tests without an assertion.
pub fn check(source: &Source) -> Vec<Breach> {
    if !source.is_rust() {
        return Vec::new();
    }
    let lines: Vec<&str> = source.text.lines().collect();
    let proves = |line: &str| {
        let code = code(line);
        code.ends_with('?') || PROOFS.iter().any(|proof| code.contains(proof))
    };
    functions(&lines)
        .iter()
        .filter(|function| function.is_test && !function.should_panic)
        .filter(|function| {
            // The name may hold such a word; a body on the same line starts after its brace.
            let first = lines[function.first].split_once('{').map_or("", |(_, body)| body);
            !lines[function.first + 1..=function.last].iter().any(|line| proves(line)) && !proves(first)
        })
        .map(|function| source.breach(function.first + 1, format!("test `{}` asserts nothing", function.name)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::sentences;

    #[test]
    fn a_test_without_an_assertion_is_found() {
        let breach = ["2: test `it_asserts_a_lot` asserts nothing"];
        for body in ["    run();\n", "    // assert!(false);\n", ""] {
            let text = format!("#[test]\nfn it_asserts_a_lot() {{\n{body}}}\n");
            assert_eq!(sentences(check, "a/src/b.rs", &text), breach, "{body}");
        }
    }

    #[test]
    fn a_test_that_can_fail_passes() {
        for body in ["assert_eq!(1, 1);", "read()?;", "prop_assert!(true);", "f().unwrap_err();", "panic!()"] {
            let text = format!("#[test]\nfn one() {{\n    {body}\n}}\n");
            assert!(sentences(check, "a/tests/b.rs", &text).is_empty(), "{body}");
        }
        assert!(sentences(check, "a/b.rs", "#[test]\n#[should_panic]\nfn one() {\n    f();\n}\n").is_empty());
        assert!(sentences(check, "a/b.rs", "fn plain() {\n    f();\n}\n").is_empty());
    }
}
