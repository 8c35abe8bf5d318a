//! Forged states of every scene: the first two bytes say which, the others are its state. What is taken for a state is played.

use sentir::core::draw::DrawList;
use sentir::core::state::{self, Envelope, FileKind};
use sentir::prelude::Serial;
use sentir_harness::game_match::Match;
use sentir_harness::info::{Changes, SceneInfo};
use std::cell::RefCell;

/// How long a forged state is played, ticks.
const TICKS: u32 = 20;
/// Bytes of a state that is a seed, at most: of longer ones a mutation changes little, and a copy costs much.
const STATE_BYTES_MAX: usize = 256 << 10;

thread_local! {
    /// Matches that were begun here already, by the number of their scene: building one may bake a level.
    static MATCHES: RefCell<Vec<(usize, Box<dyn Match>)>> = const { RefCell::new(Vec::new()) };
}

fn scenes() -> Vec<&'static SceneInfo> {
    sentir_scenes::CATALOG.scenes().collect()
}

fn begun(scene: &SceneInfo) -> Option<Box<dyn Match>> {
    let setup = scene.setup(1, Changes::default()).ok()?;
    scene.start(&setup).ok()
}

/// The state of any scene in a whole envelope.
pub(crate) fn feed_state(bytes: &[u8]) {
    let Some((number, content)) = bytes.split_at_checked(2) else { return };
    let scenes = scenes();
    let number = usize::from(u16::from_le_bytes([number[0], number[1]])) % scenes.len();
    let kept = MATCHES.with_borrow_mut(|all| {
        let place = all.iter().position(|(one, _)| *one == number)?;
        Some(all.swap_remove(place).1)
    });
    let Some(mut game) = kept.or_else(|| begun(scenes[number])) else { return };
    let Ok(stock) = state::unpack(FileKind::Snapshot, &game.snapshot()) else { return };
    let forged = Envelope { content: content.to_vec(), ..stock };
    if game.restore(&forged.to_file()).is_ok() {
        for _ in 0..TICKS {
            game.step(&[], &Serial);
        }
        game.draw(&mut DrawList::default());
        game.metrics();
    }
    // A match that panicked is not kept.
    MATCHES.with_borrow_mut(|all| all.push((number, game)));
}

/// A second of every scene whose state is small enough.
pub(crate) fn seed_state() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for (number, scene) in scenes().into_iter().enumerate() {
        let Some(mut game) = begun(scene) else { continue };
        for _ in 0..scene.rate.hz() {
            game.step(&[], &Serial);
        }
        let content = state::unpack(FileKind::Snapshot, &game.snapshot()).map(|file| file.content).unwrap_or_default();
        if content.len() <= STATE_BYTES_MAX {
            seeds.push([(number as u16).to_le_bytes().as_slice(), content.as_slice()].concat());
        }
    }
    seeds
}
