//! No text makes the readers panic, and what they read can be searched.

use proptest::prelude::*;
use sentir_nav::mesh::load;
use std::panic::catch_unwind;

const MESH: &str = "mesh\n2\n6 2\n0 0 2 0 -1\n1 0 3 0 1 -1\n2 0 2 1 -1\n2 1 2 1 -1\n1 1 3 1 0 -1\n0 1 2 0 -1\n4 0 1 4 5 \
                    -1 1 -1 -1\n4 1 2 3 4 -1 -1 -1 0\n";
const WORDS: [&str; 10] = ["-1", "0", "1", "3", "NaN", "1e39", "4294967295", "99999999999", "0.5", "\u{fffd}"];

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in any::<Vec<u8>>()) {
        prop_assert!(catch_unwind(|| load::fuzz(&bytes)).is_ok());
    }

    #[test]
    fn a_mesh_with_other_words_is_read_or_refused(
        changes in proptest::collection::vec((any::<prop::sample::Index>(), 0..WORDS.len()), 1..5),
        cut in any::<prop::sample::Index>(),
        is_cut in any::<bool>(),
    ) {
        let mut words: Vec<&str> = MESH.split(' ').flat_map(|part| part.split_inclusive('\n')).collect();
        for (place, word) in changes {
            let at = place.index(words.len());
            words[at] = WORDS[word];
        }
        let text = words.join(" ");
        let end = if is_cut { cut.index(text.len() + 1) } else { text.len() };
        prop_assert!(catch_unwind(|| load::fuzz(&text.as_bytes()[..end])).is_ok());
    }
}
