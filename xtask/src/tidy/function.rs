//! Finds functions in formatted code: from a line that declares one to the `}` at the same indentation.

/// A function with a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function<'a> {
    /// Its name.
    pub name: &'a str,
    /// First and last line, counted from 0.
    pub first: usize,
    /// See `first`.
    pub last: usize,
    /// Whether an attribute above makes it a test.
    pub is_test: bool,
    /// Whether an attribute above expects a panic.
    pub should_panic: bool,
}

/// All functions of a file, also nested ones.
pub fn functions<'a>(lines: &[&'a str]) -> Vec<Function<'a>> {
    let mut found = Vec::new();
    for (first, line) in lines.iter().enumerate() {
        let Some(name) = declared_name(line) else { continue };
        let Some(last) = last_line(lines, first) else { continue };
        let has = |attribute: &str| attributes(lines, first).any(|line| line.starts_with(attribute));
        found.push(Function { name, first, last, is_test: has("#[test]"), should_panic: has("#[should_panic") });
    }
    found
}

/// The line, counted from 0, where a test module that ends the file begins; the length when there is none.
pub fn test_start(lines: &[&str]) -> usize {
    let last = lines.iter().rposition(|line| !line.trim().is_empty());
    let opens = |index: usize| {
        lines[index] == "#[cfg(test)]"
            && lines.get(index + 1).is_some_and(|next| next.starts_with("mod ") && next.ends_with('{'))
    };
    (0..lines.len()).find(|&index| opens(index) && closing_brace(lines, index + 2, 0) == last).unwrap_or(lines.len())
}

/// The line without a comment at its end. A `//` inside a text counts as one too: harmless here.
pub fn code(line: &str) -> &str {
    line.split_once("//").map_or(line, |(code, _)| code).trim_end()
}

/// The name a line declares, if it begins a function.
fn declared_name(line: &str) -> Option<&str> {
    let mut rest = line.trim_start();
    loop {
        if let Some(after) = rest.strip_prefix("fn ") {
            let end = after.find(|letter: char| !letter.is_alphanumeric() && letter != '_')?;
            return Some(&after[..end]);
        }
        let (word, after) = rest.split_once(' ')?;
        let is_modifier = word.starts_with("pub")
            || matches!(word, "const" | "async" | "unsafe" | "extern" | "default")
            || word.starts_with('"');
        if !is_modifier {
            return None;
        }
        rest = after;
    }
}

/// The last line of the function that begins at `first`; none for a declaration without a body.
fn last_line(lines: &[&str], first: usize) -> Option<usize> {
    for (index, line) in lines.iter().enumerate().skip(first) {
        match code(line).chars().last() {
            Some('{') => return closing_brace(lines, index + 1, indent(lines[first])),
            Some('}') => return Some(index),
            Some(';') => return None,
            _ => {}
        }
    }
    None
}

fn closing_brace(lines: &[&str], from: usize, indentation: usize) -> Option<usize> {
    let closes = |line: &&str| line.trim() == "}" && indent(line) == indentation;
    lines.iter().skip(from).position(closes).map(|offset| from + offset)
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The attributes right above a line.
fn attributes<'a>(lines: &[&'a str], first: usize) -> impl Iterator<Item = &'a str> {
    lines[..first]
        .iter()
        .rev()
        .map(|line| line.trim())
        .take_while(|line| line.starts_with("#[") || line.starts_with("//"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CODE: &str = "\
impl A {
    pub(crate) const fn one() -> u8 {
        if true {
            return 1;
        }
        2
    }

    #[test]
    /// Why.
    #[should_panic(expected = \"x\")]
    fn two(
        a: [u8; 2], // why
    ) -> u8
    where
        u8: Copy,
    { // opens
    }

    fn three();
    fn four() {}
    unsafe extern \"C\" fn five(
        a: u8,
    );
}
";

    #[test]
    fn functions_reach_to_their_closing_brace() {
        let lines: Vec<&str> = CODE.lines().collect();
        let found = functions(&lines);
        let spans: Vec<_> = found.iter().map(|each| (each.name, each.first, each.last)).collect();
        assert_eq!(spans, [("one", 1, 6), ("two", 11, 17), ("four", 20, 20)]);
        assert!(found[1].is_test && found[1].should_panic);
        assert!(!found[0].is_test && !found[2].is_test);
    }

    #[test]
    fn only_a_test_module_at_the_end_counts() {
        let last: Vec<&str> = "fn a() {}\n#[cfg(test)]\nmod tests {\n    fn b() {}\n}\n".lines().collect();
        assert_eq!(test_start(&last), 1);
        let first: Vec<&str> = "#[cfg(test)]\nmod tests {\n}\nfn a() {}\n".lines().collect();
        assert_eq!(test_start(&first), 4);
    }
}
