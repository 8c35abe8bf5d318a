//! Files under 600 lines without their tests (900 for a file of tests), functions under 70. A file that is one
//! big table says so by a line `// tidy: table` near its head, and may be of any size.

use super::function::{functions, test_start};
use super::{Breach, Source};

const FILE_LINES_MAX: usize = 600;
const TEST_FILE_LINES_MAX: usize = 900;
const FUNCTION_LINES_MAX: usize = 70;
const EXEMPTION: &str = "// tidy: table";
const EXEMPTION_LINES: usize = 10;

/// Files and functions that are too long.
pub fn check(source: &Source) -> Vec<Breach> {
    if !source.is_rust() {
        return Vec::new();
    }
    let lines: Vec<&str> = source.text.lines().collect();
    if lines.iter().take(EXEMPTION_LINES).any(|line| line.trim() == EXEMPTION) {
        return Vec::new();
    }
    let mut breaches = Vec::new();
    let end = if source.is_test() { lines.len() } else { test_start(&lines) };
    let limit = if source.is_test() { TEST_FILE_LINES_MAX } else { FILE_LINES_MAX };
    if end > limit {
        let sentence = format!("the file has {end} lines, over the limit of {limit}; split it by topic");
        breaches.push(source.breach(limit + 1, sentence));
    }
    if source.is_test() {
        return breaches;
    }
    for function in functions(&lines).iter().filter(|function| function.first < end && !function.is_test) {
        let length = function.last - function.first + 1;
        if length > FUNCTION_LINES_MAX {
            let name = function.name;
            let sentence = format!("function `{name}` has {length} lines, over the limit of {FUNCTION_LINES_MAX}");
            breaches.push(source.breach(function.first + 1, sentence));
        }
    }
    breaches
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::sentences;

    fn found(path: &str, text: &str) -> Vec<String> {
        sentences(check, path, text)
    }

    #[test]
    fn files_have_a_limit() {
        let long = "//\n".repeat(601);
        let breach = "601: the file has 601 lines, over the limit of 600; split it by topic";
        assert_eq!(found("a/src/b.rs", &long), [breach]);
        assert!(found("a/src/b.rs", &"//\n".repeat(600)).is_empty());
        assert!(found("a/b.md", &long).is_empty());
    }

    #[test]
    fn test_code_has_its_own_limit() {
        let long = "//\n".repeat(601);
        assert!(found("a/tests/b.rs", &long).is_empty());
        assert_eq!(found("a/tests/b.rs", &"//\n".repeat(901)).len(), 1);
        let tests = format!("fn a() {{}}\n#[cfg(test)]\nmod tests {{\n{long}}}\n");
        assert!(found("a/src/b.rs", &tests).is_empty());
    }

    #[test]
    fn tables_are_exempt() {
        let table = format!("//! Table.\n// tidy: table\n{}", "//\n".repeat(700));
        assert!(found("a/src/b.rs", &table).is_empty());
    }

    #[test]
    fn functions_have_a_limit() {
        let function = |lines: usize| format!("fn long() {{\n{}}}\n", "    a();\n".repeat(lines - 2));
        assert_eq!(found("a/src/b.rs", &function(71)), ["1: function `long` has 71 lines, over the limit of 70"]);
        assert!(found("a/src/b.rs", &function(70)).is_empty());
        assert!(found("a/tests/b.rs", &function(71)).is_empty());
    }
}
