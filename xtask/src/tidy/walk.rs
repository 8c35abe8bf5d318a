//! ARCHITECTURE.md walks through one tick in a block tagged `walk`, one line a call: `FILE FUNCTION`, indented by two spaces
//! a level. Every file and function must exist, and each function must call those indented below it, in that order.

use super::{Breach, Source};

const MAP: &str = "ARCHITECTURE.md";
const TAG: &str = "```walk";

/// A line of the block.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Line<'a> {
    /// Counted from 1.
    number: usize,
    /// How deep it is indented.
    depth: usize,
    file: &'a str,
    function: &'a str,
}

/// Files and functions that are not there, and calls that are not made in the order of the map.
pub fn check(sources: &[Source]) -> Vec<Breach> {
    let Some(map) = sources.iter().find(|source| source.path == MAP) else { return Vec::new() };
    let lines = block(&map.text);
    if lines.is_empty() {
        return vec![map.breach(1, format!("there is no block tagged {TAG} that walks through one tick"))];
    }
    let mut breaches = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let Some(source) = sources.iter().find(|source| source.path == line.file) else {
            breaches.push(map.breach(line.number, format!("there is no file {}", line.file)));
            continue;
        };
        let bodies = bodies(&source.text, line.function);
        if bodies.is_empty() {
            breaches.push(map.breach(line.number, format!("{} has no function {}", line.file, line.function)));
            continue;
        }
        let below = lines[index + 1..].iter().take_while(|other| other.depth > line.depth);
        let children: Vec<&Line> = below.filter(|other| other.depth == line.depth + 1).collect();
        let missing = bodies.iter().map(|body| first_missing(body, &children)).min_by_key(Option::is_some).flatten();
        if let Some(child) = missing {
            let sentence = format!("{} does not call {} here, or not in this order", line.function, child.function);
            breaches.push(map.breach(child.number, sentence));
        }
    }
    breaches
}

/// The first of the functions that a body does not call after the one before it.
fn first_missing<'a, 'b>(body: &str, children: &[&'a Line<'b>]) -> Option<&'a Line<'b>> {
    let mut from = 0;
    for child in children {
        match call(&body[from..], child.function) {
            Some(at) => from += at,
            None => return Some(child),
        }
    }
    None
}

/// Where a call of a function ends in a text: its name with a parenthesis, or as a value handed on.
fn call(text: &str, name: &str) -> Option<usize> {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let calls = |at: usize| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        !before.ends_with(is_word) && !before.ends_with("fn ") && after.starts_with(['(', ':'])
    };
    text.match_indices(name).map(|(at, _)| at).find(|&at| calls(at)).map(|at| at + name.len())
}

/// The texts of all functions of that name, from the line that declares it to its closing brace.
fn bodies<'a>(text: &'a str, name: &str) -> Vec<&'a str> {
    let heads = [format!("fn {name}("), format!("fn {name}<")];
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if heads.iter().any(|head| line.contains(head.as_str())) {
            let indent = &line[..line.len() - line.trim_start().len()];
            let end = format!("\n{indent}}}\n");
            let rest = &text[at..];
            let len = rest.find(&end).map_or(rest.len(), |place| place + end.len());
            found.push(&rest[line.len().min(len)..len]);
        }
        at += line.len();
    }
    found
}

fn block(text: &str) -> Vec<Line<'_>> {
    let lines = text.lines().enumerate().skip_while(|(_, line)| *line != TAG).skip(1);
    let inside = lines.take_while(|(_, line)| !line.starts_with("```"));
    inside
        .filter_map(|(index, line)| {
            let mut words = line.split_whitespace();
            let (file, function) = (words.next()?, words.next()?);
            let depth = (line.len() - line.trim_start().len()) / 2;
            Some(Line { number: index + 1, depth, file, function })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(map: &str, code: &str) -> Vec<String> {
        let source = |path: &str, text: &str| Source { path: path.to_owned(), text: text.to_owned() };
        let sources = [source(MAP, map), source("a.rs", code)];
        check(&sources).into_iter().map(|breach| format!("{}: {}", breach.line, breach.sentence)).collect()
    }

    const CODE: &str =
        "fn step(x: u8) {\n    sense(x);\n    think::<u8>(x);\n}\n\nfn sense(x: u8) {\n}\n\nfn think<T>(x: T) {\n}\n";

    #[test]
    fn a_true_walk_passes() {
        assert!(found("```walk\na.rs step plays\n  a.rs sense\n  a.rs think\n```\n", CODE).is_empty());
    }

    #[test]
    fn what_is_not_there_or_not_in_order_is_found() {
        assert_eq!(
            found("```walk\na.rs step\n  a.rs think\n  a.rs sense\n```\n", CODE),
            ["4: step does not call sense here, or not in this order"]
        );
        assert_eq!(
            found("```walk\na.rs step\n  b.rs think\n  a.rs act\n```\n", CODE),
            [
                "4: step does not call act here, or not in this order",
                "3: there is no file b.rs",
                "4: a.rs has no function act"
            ]
        );
        assert_eq!(found("# Map\n", CODE), ["1: there is no block tagged ```walk that walks through one tick"]);
    }

    #[test]
    fn a_declaration_or_another_name_is_no_call() {
        let code = "fn step() {\n    resense();\n    fn sense() {}\n}\n\nfn sense() {\n}\n";
        assert_eq!(found("```walk\na.rs step\n  a.rs sense\n```\n", code).len(), 1);
    }
}
