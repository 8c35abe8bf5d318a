//! Bytes to values: a strict subset of YAML, without anchors, aliases, tags and merge keys; one document, at most 1 MB
//! and 64 levels deep.

use serde::de::DeserializeOwned;
use serde_saphyr::budget::BudgetBreach;
use serde_saphyr::{Error, MergeKeyPolicy, Options};

use crate::error::{AssetError, FilePosition, Problem, Refusal, shortened};
use crate::node::{Node, RawNode};

/// Bytes of a file at most.
pub const BYTES_MAX: usize = 1 << 20;
/// Nesting at most.
pub const DEPTH_MAX: usize = 64;

/// Reads a file. The shape is checked here; what names and numbers mean is the caller's.
///
/// A typed value is made of the tree of [`Node`]s that the bytes are read into: the reader of YAML is a large program, and would else
/// be in every program once more for each type.
pub fn parse<T: DeserializeOwned>(bytes: &[u8], file: &str) -> Result<T, AssetError> {
    read(bytes).and_then(|node| node.read()).map_err(|refusal| AssetError::new(file, refusal))
}

fn read(bytes: &[u8]) -> Result<Node, Refusal> {
    if bytes.len() > BYTES_MAX {
        let problem = Problem::TooLong { bytes: bytes.len() as u64, limit: BYTES_MAX as u64 };
        return Err(Refusal::new(FilePosition::default(), problem));
    }
    let text = std::str::from_utf8(bytes).map_err(|_| Refusal::new(FilePosition::default(), Problem::NotText))?;
    if let Some((place, what)) = first_forbidden(text) {
        return Err(Refusal::new(place, Problem::Forbidden(what)));
    }
    serde_saphyr::from_str_with_options(text, options()).map(|RawNode(node)| node).map_err(|refused| {
        let refused = refused.without_snippet();
        let place =
            refused.location().map_or_else(FilePosition::default, |at| FilePosition::new(at.line(), at.column()));
        Refusal::new(place, problem(refused))
    })
}

fn options() -> Options {
    serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_depth: DEPTH_MAX,
            max_aliases: 0,
            max_anchors: 0,
            max_documents: 1,
        },
        merge_keys: MergeKeyPolicy::Error,
        reject_unsupported_tags: true,
        strict_booleans: true,
        with_snippet: false,
    }
}

fn problem(refused: &Error) -> Problem {
    let unknown = |what, name: &str, expected: &[&'static str]| Problem::unknown(what, name, expected.iter().copied());
    match refused {
        Error::SerdeUnknownField { field, expected, .. } => unknown("key", field, expected),
        Error::SerdeUnknownVariant { variant, expected, .. } => unknown("kind", variant, expected),
        Error::SerdeMissingField { field, .. } => Problem::Missing((*field).to_owned()),
        Error::DuplicateMappingKey { key, .. } => {
            Problem::Twice { what: "keys", name: shortened(key.as_deref().unwrap_or("?")) }
        }
        Error::NonFiniteFloat { value, .. } => {
            Problem::Wrong(format!("found `{}`: expected a finite number", shortened(value)))
        }
        Error::InvalidScalar { ty, .. } => Problem::Syntax(match *ty {
            "floating point" => "cannot read the value: expected a number".to_owned(),
            ty => format!("cannot read the value: expected a valid {ty}"),
        }),
        Error::InvalidBooleanStrict { .. } => {
            Problem::Syntax("cannot read the value: expected `true` or `false`".to_owned())
        }
        Error::Unexpected { expected, .. } => {
            let expected = match *expected {
                "mapping start" => "keys with values",
                "sequence start" => "a list",
                "string scalar" => "text",
                other => other,
            };
            Problem::Syntax(format!("cannot read the value: expected {expected}"))
        }
        Error::SerdeInvalidType { unexpected, expected, .. } => {
            Problem::Syntax(format!("found {}: expected {expected}", shortened(unexpected)))
        }
        Error::SerdeInvalidLength { len, expected, .. } => {
            Problem::Syntax(format!("found {len} values: expected {expected}"))
        }
        Error::Budget { breach: BudgetBreach::Documents { .. }, .. } | Error::MultipleDocuments { .. } => {
            Problem::Wrong("a second document begins here: expected one a file".to_owned())
        }
        Error::Budget { breach, .. } => Problem::Wrong(match breach {
            BudgetBreach::Depth { .. } => format!("nested too deeply here: expected at most {DEPTH_MAX} levels"),
            _ => "the file has too many values: expected fewer".to_owned(),
        }),
        other => Problem::Syntax(sentence(&other.to_string())),
    }
}

/// The first line of a message, without the place, which stands before it already.
fn sentence(message: &str) -> String {
    let line = message.lines().next().unwrap_or_default();
    let line = line.split(" at line ").next().unwrap_or_default();
    let line = line.split_once(" column ").map_or(line, |(before, rest)| {
        if before.starts_with("line ") || before.starts_with("error: line ") {
            rest.split_once(": ").map_or(line, |(_, rest)| rest)
        } else {
            line
        }
    });
    line.to_owned()
}

/// The first word that begins like a tag, anchor, alias or merge key, outside of quotes and comments.
fn first_forbidden(text: &str) -> Option<(FilePosition, &'static str)> {
    let mut quote: Option<char> = None;
    for (line, content) in (1..).zip(text.lines()) {
        let mut before = ' ';
        let mut column = 0;
        let mut letters = content.chars().peekable();
        while let Some(letter) = letters.next() {
            column += 1;
            let starts = before.is_whitespace() || matches!(before, '[' | '{' | ',');
            match (quote, letter) {
                (Some('"'), '\\') => {
                    letters.next();
                    column += 1;
                }
                (Some(open), close) if open == close => quote = None,
                (Some(_), _) => {}
                (None, '"' | '\'') if starts => quote = Some(letter),
                (None, '#') if before.is_whitespace() => break,
                (None, '!') if starts => return Some((FilePosition::new(line, column), "tags (`!`)")),
                (None, '&') if starts => return Some((FilePosition::new(line, column), "anchors (`&`)")),
                (None, '*') if starts => return Some((FilePosition::new(line, column), "aliases (`*`)")),
                (None, '<') if starts && letters.peek() == Some(&'<') => {
                    return Some((FilePosition::new(line, column), "merge keys (`<<`)"));
                }
                (None, _) => {}
            }
            before = letter;
        }
    }
    None
}
