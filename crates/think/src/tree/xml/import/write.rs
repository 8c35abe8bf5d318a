//! Writing a tree of values as YAML.

use std::fmt::Write;

use sentir_asset::{Node, Value};

/// Writes a tree of values as a file, two spaces a level.
pub(super) fn write_block(node: &Node, depth: usize, out: &mut String) {
    match &node.value {
        Value::Map(entries) => {
            for (index, entry) in entries.iter().enumerate() {
                if index > 0 {
                    out.extend(std::iter::repeat_n("  ", depth));
                }
                out.push_str(&scalar(&entry.key));
                out.push(':');
                write_value(&entry.node, depth, out);
            }
        }
        Value::List(nodes) => {
            for (index, node) in nodes.iter().enumerate() {
                if index > 0 {
                    out.extend(std::iter::repeat_n("  ", depth));
                }
                out.push_str("- ");
                write_block(node, depth + 1, out);
            }
        }
        value => {
            out.push_str(&plain(value));
            out.push('\n');
        }
    }
}

fn write_value(node: &Node, depth: usize, out: &mut String) {
    match &node.value {
        Value::Null => out.push('\n'),
        Value::Map(_) | Value::List(_) => {
            out.push('\n');
            out.extend(std::iter::repeat_n("  ", depth + 1));
            write_block(node, depth + 1, out);
        }
        value => {
            out.push(' ');
            out.push_str(&plain(value));
            out.push('\n');
        }
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Float(value) => format!("{value:?}"),
        Value::Text(text) => scalar(text),
        _ => "~".to_owned(),
    }
}

/// Text as YAML: bare if that is safe, else in quotes.
fn scalar(text: &str) -> String {
    let is_word = |text: &str| {
        let body = text.strip_prefix('$').unwrap_or(text);
        let starts = body.chars().next().is_some_and(|first| first.is_alphabetic() || first == '_');
        starts && body.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '.' | '-' | ' '))
    };
    let is_special =
        matches!(text.to_ascii_lowercase().as_str(), "true" | "false" | "null" | "yes" | "no" | "on" | "off");
    if is_word(text) && !is_special && !text.ends_with(' ') {
        return text.to_owned();
    }
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            control if control.is_control() => {
                let _ = write!(out, "\\u{:04x}", control as u32);
            }
            other => out.push(other),
        }
    }
    out.push('"');
    out
}
