//! The smallest wasm host: plays any scene and gives the state's hash after each tick, to compare with the native ones.
//!
//! The interface is plain numbers and bytes, so that any wasm runtime can call it without glue: `alloc` gives room for a
//! request, `run` plays it, `out_ptr` and `out_len` give the answer. A request is text: scene, seed, where to
//! stop at the latest (ticks, 0 for the end), then one `key=value` a line. The answer is one hash a line, or a sentence when `run` returned 1.
#![expect(unsafe_code, reason = "an exported symbol needs an unmangled name; no pointer is followed here")]

use sentir::prelude::Serial;
use sentir_harness::info::Changes;
use std::cell::RefCell;

thread_local! {
    static REQUEST: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Room for a request of `len` bytes.
#[unsafe(no_mangle)]
pub extern "C" fn alloc(len: u32) -> *mut u8 {
    REQUEST.with_borrow_mut(|request| {
        request.clear();
        request.resize(len as usize, 0);
        request.as_mut_ptr()
    })
}

/// Plays the request that was written into the room of the last `alloc`. 0 when it worked, 1 when the answer says why
/// not. The arguments are where and how long it is; they are known, and taken for the sake of a plain calling order.
#[unsafe(no_mangle)]
pub extern "C" fn run(_at: *const u8, _len: u32) -> u32 {
    let request = REQUEST.with_borrow(|bytes| String::from_utf8_lossy(bytes).into_owned());
    let (answer, code) = match play(&request) {
        Ok(hashes) => (hashes, 0),
        Err(sentence) => (sentence, 1),
    };
    ANSWER.with_borrow_mut(|kept| *kept = answer);
    code
}

/// Where the answer is.
#[unsafe(no_mangle)]
pub extern "C" fn out_ptr() -> *const u8 {
    ANSWER.with_borrow(|answer| answer.as_ptr())
}

/// How long the answer is.
#[unsafe(no_mangle)]
pub extern "C" fn out_len() -> u32 {
    ANSWER.with_borrow(|answer| answer.len() as u32)
}

/// The hash after each tick, one a line.
fn play(request: &str) -> Result<String, String> {
    let mut lines = request.lines();
    let scene = lines.next().unwrap_or_default();
    let seed = lines.next().unwrap_or_default();
    let seed = seed.parse().map_err(|_| format!("'{seed}' is no seed"))?;
    let ticks = lines.next().unwrap_or_default();
    let ticks_max: u64 = ticks.parse().map_err(|_| format!("'{ticks}' is no count of ticks"))?;
    let pair = |line: &str| match line.split_once('=') {
        Some((name, value)) => Ok((name.to_owned(), value.to_owned())),
        None => Err(format!("'{line}' is not of the form KEY=VALUE")),
    };
    let changes = lines.map(pair).collect::<Result<Vec<_>, _>>()?;
    let scene = sentir_scenes::CATALOG.find(scene).map_err(|error| error.to_string())?;
    let setup = scene.setup(seed, Changes { settings: &changes, assets: &[] }).map_err(|error| error.to_string())?;
    let mut game = scene.start(&setup).map_err(|error| error.to_string())?;
    let mut hashes = String::new();
    while game.ending().is_none() && (ticks_max == 0 || game.tick().0 < ticks_max) {
        game.step(&[], &Serial);
        hashes.push_str(&format!("{:016x}\n", game.hash()));
    }
    Ok(hashes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_played_to_its_end() {
        let hashes = play("patrol\n7\n0\nguards=2").unwrap();
        assert!(hashes.lines().count() > 60 && hashes.lines().all(|line| line.len() == 16));
        let first = play("patrol\n7\n60\nguards=2").unwrap();
        assert!(first.lines().count() == 60 && hashes.starts_with(&first));
    }

    #[test]
    fn a_bad_request_gets_a_sentence() {
        assert_eq!(play("patrl\n7\n0").unwrap_err(), "there is no scene 'patrl', did you mean 'patrol'?");
        assert_eq!(play("patrol\nx").unwrap_err(), "'x' is no seed");
        assert_eq!(play("patrol\n1\n0\nguards").unwrap_err(), "'guards' is not of the form KEY=VALUE");
        assert_eq!(play("").unwrap_err(), "'' is no seed");
        assert_eq!(play("patrol\n1\nmany").unwrap_err(), "'many' is no count of ticks");
    }
}
