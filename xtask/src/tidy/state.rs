//! One derive writes, reads and hashes working state. Written by hand, a field would be forgotten one day.

use super::{Breach, Source};

/// Where the derive's own ground lies.
const GROUND: [&str; 2] = ["crates/core/src/state/", "crates/derive/"];

/// Hand-written implementations of the state trait.
pub fn check(source: &Source) -> Vec<Breach> {
    if !source.is_rust() || GROUND.iter().any(|folder| source.path.starts_with(folder)) {
        return Vec::new();
    }
    let by_hand = |line: &str| {
        let line = line.trim_start();
        (line.starts_with("impl ") || line.starts_with("impl<") || line.starts_with("unsafe impl"))
            && line.match_indices("State for ").any(|(at, _)| !line[..at].ends_with(is_name_letter))
    };
    source
        .text
        .lines()
        .enumerate()
        .filter(|(_, line)| by_hand(line))
        .map(|(index, _)| source.breach(index + 1, "state is written by hand; use `#[derive(State)]`"))
        .collect()
}

fn is_name_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::sentences;

    #[test]
    fn state_by_hand_is_found() {
        let breach = ["1: state is written by hand; use `#[derive(State)]`"];
        for line in ["impl State for Guard {", "impl<T: State> sentir_core::State for Pair<T> {"] {
            assert_eq!(sentences(check, "crates/scenes/src/brain/guard.rs", line), breach, "{line}");
        }
    }

    #[test]
    fn the_derive_and_other_traits_pass() {
        assert!(sentences(check, "crates/core/src/state/plain.rs", "impl State for u8 {").is_empty());
        for line in ["impl Display for State {", "impl DoorState for Door {", "// impl State for Guard"] {
            assert!(sentences(check, "crates/scenes/src/brain/guard.rs", line).is_empty(), "{line}");
        }
    }
}
