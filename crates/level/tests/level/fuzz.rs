//! Contract: no bytes make a reader panic or allocate hugely; whatever builds can be asked.

use proptest::prelude::*;
use sentir_level::{LOADERS, STOCK};
use std::panic::catch_unwind;

/// Something valid for each reader.
fn seeds() -> Vec<Vec<u8>> {
    let mut seeds: Vec<Vec<u8>> = STOCK.iter().map(|(_, bytes)| bytes.to_vec()).collect();
    seeds.push(crate::refusal::TILES.as_bytes().to_vec());
    seeds.push(crate::refusal::OBJ.as_bytes().to_vec());
    seeds.push(sentir_level::bsp::write::BspWriter::sample().bytes());
    seeds.push(crate::refusal::png(8, 6, |x, y| if (x + y) % 3 == 0 { 0 } else { 255 }));
    seeds
}

/// Words that have a meaning somewhere.
const WORDS: [&str; 14] =
    ["NaN", ".inf", "-", "1e39", "99999999999", "[[", "{", "&a", "*a", "!x", "\n", "\u{fffd}", "f 1 2 -9", "map:"];

proptest! {
    #[test]
    fn random_bytes_never_panic(bytes in any::<Vec<u8>>()) {
        for (name, load) in LOADERS {
            prop_assert!(catch_unwind(|| load(&bytes)).is_ok(), "the reader of {name} panicked");
        }
    }

    #[test]
    fn mutated_files_never_panic(
        seed in any::<prop::sample::Index>(),
        edits in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..WORDS.len(), 0..5u8), 1..6),
    ) {
        let seeds = seeds();
        let mut bytes = seed.get(&seeds).clone();
        for (at, byte, word, how) in edits {
            let at = at.index(bytes.len().max(1)).min(bytes.len());
            match how {
                0 if at < bytes.len() => bytes[at] = byte,
                1 if at < bytes.len() => bytes[at] ^= 1 << (byte % 8),
                2 => drop(bytes.splice(at..at, WORDS[word].bytes())),
                3 => drop(bytes.splice(at..(at + usize::from(byte)).min(bytes.len()), [])),
                _ => bytes.truncate(at),
            }
        }
        for (name, load) in LOADERS {
            prop_assert!(catch_unwind(|| load(&bytes)).is_ok(), "the reader of {name} panicked");
        }
    }
}

#[test]
fn the_table_names_every_reader_and_valid_files_pass() {
    let names: Vec<&str> = LOADERS.iter().map(|(name, _)| *name).collect();
    assert_eq!(names[..5], ["yaml", "tile", "image", "obj", "bsp"]);
    assert_eq!(&names[5..], if cfg!(feature = "gltf") { &["gltf"][..] } else { &[] });
    for seed in seeds() {
        for (_, load) in LOADERS {
            load(&seed);
        }
    }
}

#[test]
fn a_picture_that_announces_more_than_it_holds_is_refused_before_it_allocates() {
    let announce = |width: u32, height: u32| {
        let mut bytes = crate::refusal::png(8, 6, |_, _| 255);
        bytes[16..20].copy_from_slice(&width.to_be_bytes());
        bytes[20..24].copy_from_slice(&height.to_be_bytes());
        let sum = crate::refusal::crc(&bytes[12..29]).to_be_bytes();
        bytes[29..33].copy_from_slice(&sum);
        sentir_level::parse(&bytes, "huge.png").unwrap_err().to_string()
    };
    assert_eq!(announce(4097, 4), "huge.png: 4097 pixels along one side are too many: expected at most 4096");
    let error = announce(4096, 4096);
    assert!(error.contains("bytes cannot hold 4096 × 4096 pixels"), "{error}");
}
