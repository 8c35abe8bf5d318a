//! Nobody but the loop writes into brains: hosts notify, squads coordinate. What would go round that stays out, wherever it is
//! called or declared.

use super::{Breach, Source};

/// The loop's own.
const LOOP: &str = "crates/sentir/";
/// What this file is about.
const SELF: &str = "xtask/src/tidy/brain.rs";
/// Names that reach into what others remember.
const REACHES: &[&str] = &["brain_mut", "motor_mut"];
/// What answered the brains' questions between two ticks: that is a stage of the loop now.
const ANSWERS: &str = "serve";

/// Rust code and the samples of documents.
pub fn check(source: &Source) -> Vec<Breach> {
    let is_checked = source.is_rust() || source.path.ends_with(".md");
    if !is_checked || source.path.starts_with(LOOP) || source.path == SELF {
        return Vec::new();
    }
    let lines = source.text.lines().enumerate();
    lines.flat_map(|(index, line)| sentences(line).into_iter().map(move |it| source.breach(index + 1, it))).collect()
}

fn sentences(line: &str) -> Vec<String> {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let is_whole =
        |at: usize, word: &str| !line[..at].ends_with(is_word) && !line[at + word.len()..].starts_with(is_word);
    let has = |word: &str| line.match_indices(word).any(|(at, _)| is_whole(at, word));
    let reaches = REACHES.iter().filter(|word| has(word));
    let mut found: Vec<String> =
        reaches.map(|word| format!("`{word}` writes into what a brain remembers: notify it, or coordinate")).collect();
    let mut answers = line.match_indices(ANSWERS);
    if answers.any(|(at, word)| is_whole(at, word) && line[at + word.len()..].starts_with('(')) {
        found.push(format!("`{ANSWERS}(` answers between two ticks: that is what `coordinate` is for"));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::sentences;

    fn found(path: &str, text: &str) -> Vec<String> {
        sentences(check, path, text)
    }

    #[test]
    fn whoever_writes_into_a_brain_is_found() {
        let line = "    if let Some(brain) = brains.brain_mut(agent) {";
        let sentence = "1: `brain_mut` writes into what a brain remembers: notify it, or coordinate";
        for path in ["crates/scenes/src/crowd/crowd.rs", "crates/scenes/src/crowd/collapse/tests.rs", "README.md"] {
            assert_eq!(found(path, line), [sentence], "{path}");
        }
        assert_eq!(found("a.rs", "x\nbrains.motor_mut(place);").len(), 1);
        assert!(found("crates/sentir/src/coordinate.rs", "motor_mut(place);").is_empty());
        // Coordination, too: a path is brought by the loop.
        assert_eq!(found("crates/scenes/src/war/game/side.rs", "let it = roster.motor_mut(place);").len(), 1);
        for line in ["let brain_mutation = 1;", "brains.brain(agent)", "my_brain_mut()"] {
            assert!(found("a.rs", line).is_empty(), "{line}");
        }
    }

    #[test]
    fn who_answers_between_two_ticks_is_found() {
        for line in ["fn serve(a: u8) {", "serve(&mut desk)", "desk.serve(1)"] {
            let sentence = "1: `serve(` answers between two ticks: that is what `coordinate` is for";
            assert_eq!(found("a.rs", line), [sentence], "{line}");
        }
        assert!(found("crates/sentir/src/soldier.rs", "serve(1)").is_empty());
        for line in ["preserve(1)", "serve_all(1)", "// any server can serve it", "self.reserve(4)"] {
            assert!(found("a.rs", line).is_empty(), "{line}");
        }
    }
}
