//! Runs as files: everything it takes to play a match again, and the hashes to check it by.
//!
//! A recording holds the scene, seed, settings, content hashes of all assets (other than stock ones embedded), inputs,
//! edits, a short hash each tick and full hashes by part each second. Replaying plays the match again and compares; the first
//! tick that differs is told with the part of the state it is in, and with what is known to have changed since.
//!
//! The short hash is of what can be seen (bodies, decisions, noises), so that a recorded tick costs little more than a bare
//! one. What parts in memories alone is found by the next full hashes, and the answer says how long ago all was alike.

use sentir::State;
use sentir::core::pool::Pool;
use sentir::core::state::{EnvelopeError, FileKind, pack, unpack};
use sentir::core::tick::{Tick, TickRate};
use thiserror::Error;

use crate::edit::{EditAt, editor};
use crate::game_match::Match;
use crate::info::{Catalog, Changes, SceneError, SceneInfo, Setup};
use sentir_sim::input::{Input, InputAt};

/// Number of the recording format.
const FORMAT: u32 = 6;
/// Ticks of a recording at most: a day and a half at 60 ticks a second.
pub const TICKS_MAX: usize = 8_000_000;

/// A run as it was played.
#[derive(Clone, Debug, PartialEq, State)]
#[state(check)]
pub struct Recording {
    /// Name of the scene.
    pub scene: String,
    /// The world seed.
    pub seed: u64,
    /// Ticks per second.
    pub rate: TickRate,
    /// Every setting and its value.
    pub settings: Vec<(String, String)>,
    /// Every asset.
    pub assets: Vec<AssetMark>,
    /// What players did, ascending by tick.
    pub inputs: Vec<InputAt>,
    /// What was made of its files while it went on, ascending by tick.
    pub edits: Vec<EditAt>,
    /// How it ended; none if it was stopped.
    pub ending: Option<String>,
    /// The [short hash](Match::short_hash) after each tick.
    pub hashes: Vec<u32>,
    /// The hashes of the parts, once a second and at the end.
    pub parts: Vec<PartsAt>,
    /// What the match reported when the parts were noted for the last time; figures without a value are left out.
    pub metrics: Vec<(String, f64)>,
}

/// An asset as a recording knows it.
#[derive(Clone, Debug, PartialEq, Eq, State)]
pub struct AssetMark {
    /// Its name in the scene.
    pub name: String,
    /// Hash of its content.
    pub hash: u64,
    /// Its content, unless it was stock.
    pub content: Option<String>,
}

/// The hashes of the parts of the state after a tick.
#[derive(Clone, Debug, PartialEq, Eq, State)]
pub struct PartsAt {
    /// How many ticks were played.
    pub ticks: u64,
    /// Name and hash of each part.
    pub parts: Vec<(String, u64)>,
}

impl PartsAt {
    /// The names of the parts that are other ones in a match.
    fn differing(&self, game: &dyn Match) -> Vec<String> {
        let now = game.hash_parts();
        let differs = |(name, hash): &&(String, u64)| !now.iter().any(|(n, h)| n == name && h == hash);
        self.parts.iter().filter(differs).map(|(name, _)| name.clone()).collect()
    }
}

/// Why a recording cannot be played again.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ReplayError {
    /// The file is not a whole recording of this version.
    #[error(transparent)]
    File(#[from] EnvelopeError),
    /// Its scene, settings or assets are none of this program's.
    #[error("cannot be played by this program: {0}")]
    Setup(#[from] SceneError),
}

/// How a replay went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// Ticks played.
    pub ticks: u64,
    /// The first difference of the state; none if every tick was the same.
    pub difference: Option<FirstDifference>,
    /// What else is not the same at the end, as sentences: the ending, the figures, how long it took.
    pub outcome: Vec<String>,
    /// What is known to have changed since the recording, as sentences. May be there without any difference.
    pub changes: Vec<String>,
}

impl Replay {
    /// Whether something was played, and state, ending and figures are those of the recording.
    pub fn is_identical(&self) -> bool {
        self.ticks > 0 && self.difference.is_none() && self.outcome.is_empty()
    }
}

/// Where a replay first differed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstDifference {
    /// The tick that came out otherwise, as far as could be seen.
    pub tick: Tick,
    /// How many ticks all of the state was the same for, at the least: the last full check that agreed.
    pub alike_ticks: u64,
    /// Parts of the state that differ at the next full check; empty if the runs have become one again by then.
    pub parts: Vec<String>,
}

impl Recording {
    /// Begins the recording of a match that has not been stepped yet.
    pub fn new(scene: &SceneInfo, setup: &Setup) -> Recording {
        let mark = |asset: &crate::info::Asset| AssetMark {
            name: asset.name.clone(),
            hash: asset.hash(),
            content: (!asset.is_stock).then(|| asset.content.clone()),
        };
        Recording {
            scene: scene.name.to_owned(),
            seed: setup.seed,
            rate: scene.rate,
            settings: setup.settings.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
            assets: setup.assets.iter().map(mark).collect(),
            inputs: Vec::new(),
            edits: Vec::new(),
            ending: None,
            hashes: Vec::new(),
            parts: Vec::new(),
            metrics: Vec::new(),
        }
    }

    /// Notes what a match has become after a step, and the inputs of that step.
    pub fn note(&mut self, game: &dyn Match, inputs: &[Input]) {
        let tick = game.tick() - 1;
        self.inputs.extend(inputs.iter().map(|&input| InputAt { tick, input }));
        self.hashes.push(game.short_hash());
        self.ending = game.ending().map(str::to_owned);
        if (self.hashes.len() as u64).is_multiple_of(u64::from(self.rate.hz())) {
            self.finish(game);
        }
    }

    /// Notes the hashes of the parts as they are now: once a second by itself, and to be called when the match is left.
    pub fn finish(&mut self, game: &dyn Match) {
        let ticks = self.hashes.len() as u64;
        if ticks > 0 && self.parts.last().is_none_or(|last| last.ticks < ticks) {
            let parts = game.hash_parts().into_iter().map(|(name, hash)| (name.to_owned(), hash)).collect();
            self.parts.push(PartsAt { ticks, parts });
            self.metrics = figures(game);
        }
    }

    /// As the bytes of a file.
    pub fn to_file(&self) -> Vec<u8> {
        pack(FileKind::Recording, FORMAT, self)
    }

    /// Back from the bytes of a file.
    pub fn from_file(file: &[u8]) -> Result<Recording, EnvelopeError> {
        unpack(FileKind::Recording, file)?.open(FORMAT)
    }

    /// The inputs that begin to hold at a tick.
    pub fn inputs_at(&self, tick: Tick) -> &[InputAt] {
        at(&self.inputs, tick, |one| one.tick)
    }

    /// The edits that begin to hold at a tick.
    pub fn edits_at(&self, tick: Tick) -> &[EditAt] {
        at(&self.edits, tick, |one| one.tick)
    }

    fn check(&self) -> Result<(), &'static str> {
        if self.hashes.len() > TICKS_MAX {
            return Err("there are more ticks than a recording may have, 8000000");
        }
        if self.parts.last().is_some_and(|last| last.ticks > self.hashes.len() as u64) {
            return Err("there are hashes of parts after the last tick");
        }
        let is_sorted = self.inputs.is_sorted_by_key(|one| one.tick) && self.edits.is_sorted_by_key(|one| one.tick);
        if is_sorted { Ok(()) } else { Err("inputs or edits are not in the order of their ticks") }
    }

    /// The setup it was played with, and what of it is no longer the same. `changes` change it on purpose.
    fn setup(&self, scene: &SceneInfo, changes: Changes<'_>) -> Result<(Setup, Vec<String>), SceneError> {
        let mut settings = self.settings.clone();
        settings.extend_from_slice(changes.settings);
        let embedded = self.assets.iter().filter_map(|mark| Some((mark.name.clone(), mark.content.clone()?)));
        let assets: Vec<_> = embedded.chain(changes.assets.iter().cloned()).collect();
        let setup = scene.setup(self.seed, Changes { settings: &settings, assets: &assets })?;
        let mut told = Vec::new();
        for (name, value) in setup.settings.iter() {
            match self.settings.iter().find(|(other, _)| other == name) {
                Some((_, old)) if old == value => {}
                Some((_, old)) => told.push(format!("the setting '{name}' changed from {old} to {value}")),
                None => told.push(format!("the setting '{name}' is new; it is {value} here")),
            }
        }
        for asset in &setup.assets {
            match self.assets.iter().find(|mark| mark.name == asset.name) {
                Some(mark) if mark.hash == asset.hash() => {}
                Some(_) => told.push(format!("the asset '{}' changed", asset.name)),
                None => told.push(format!("the asset '{}' is new", asset.name)),
            }
        }
        for mark in self.assets.iter().filter(|mark| !setup.assets.iter().any(|asset| asset.name == mark.name)) {
            told.push(format!("the asset '{}' is gone", mark.name));
        }
        if self.rate != scene.rate {
            told.push(format!("the tick rate changed from {} to {} Hz", self.rate.hz(), scene.rate.hz()));
        }
        Ok((setup, told))
    }

    /// Plays the recording again and compares. `changes` change it on purpose, to see what they do;
    /// `progress` is called after each tick.
    pub fn replay(
        &self,
        catalog: &Catalog,
        changes: Changes<'_>,
        pool: &dyn Pool,
        mut progress: impl FnMut(&dyn Match),
    ) -> Result<Replay, ReplayError> {
        let scene = catalog.find(&self.scene)?;
        let (setup, told) = self.setup(scene, changes)?;
        let mut game = scene.start(&setup)?;
        let mut first: Option<FirstDifference> = None;
        let (mut checks, mut alike_ticks, mut inputs) = (self.parts.iter(), 0, Vec::new());
        let mut outcome = Vec::new();
        for (tick, &hash) in (0..).map(Tick).zip(&self.hashes) {
            if let Some(ending) = game.ending() {
                let more = self.hashes.len() as u64 - tick.0;
                outcome.push(format!(
                    "the match is over after {tick} ticks ('{ending}'), {more} ticks before the recording"
                ));
                break;
            }
            for edit in self.edits_at(tick) {
                editor(&mut *game, &edit.name)?.edit(&edit.name, &edit.text)?;
            }
            inputs.clear();
            inputs.extend(self.inputs_at(tick).iter().map(|one| one.input));
            game.step(&inputs, pool);
            progress(&*game);
            if game.short_hash() != hash && first.is_none() {
                first = Some(FirstDifference { tick, alike_ticks, parts: Vec::new() });
            }
            let played = tick.0 + 1;
            if let Some(check) = checks.clone().next().filter(|check| check.ticks == played) {
                checks.next();
                let parts = check.differing(&*game);
                match &mut first {
                    Some(first) => first.parts = parts,
                    // What cannot be seen may part before what can.
                    None if !parts.is_empty() => first = Some(FirstDifference { tick, alike_ticks, parts }),
                    None => alike_ticks = played,
                }
            }
            if self.parts.last().is_some_and(|last| last.ticks == played) {
                self.compare_figures(&figures(&*game), &mut outcome);
            }
            if first.as_ref().is_some_and(|first| !first.parts.is_empty()) {
                break;
            }
        }
        let is_whole = game.tick().0 == self.hashes.len() as u64;
        if is_whole && game.ending() != self.ending.as_deref() {
            let told = |ending: Option<&str>| ending.map_or_else(|| "none".to_owned(), |ending| format!("'{ending}'"));
            let (was, is) = (told(self.ending.as_deref()), told(game.ending()));
            outcome.push(format!("the ending was {was}, and is {is}"));
        }
        Ok(Replay { ticks: game.tick().0, difference: first, outcome, changes: told })
    }

    /// Tells of each figure that is another one.
    fn compare_figures(&self, now: &[(String, f64)], told: &mut Vec<String>) {
        let found =
            |list: &[(String, f64)], name: &str| list.iter().find(|(one, _)| one == name).map(|(_, value)| *value);
        let text = |value: Option<f64>| value.map_or_else(|| "without a value".to_owned(), |value| value.to_string());
        let gone = now.iter().filter(|(name, _)| found(&self.metrics, name).is_none());
        for (name, _) in self.metrics.iter().chain(gone) {
            let (was, is) = (found(&self.metrics, name), found(now, name));
            if was.map(f64::to_bits) != is.map(f64::to_bits) {
                told.push(format!("the figure '{name}' was {}, and is {}", text(was), text(is)));
            }
        }
    }
}

/// What a match reports now, as far as it has a value.
fn figures(game: &dyn Match) -> Vec<(String, f64)> {
    let finite = game.metrics().into_iter().filter(|metric| metric.value.is_finite());
    finite.map(|metric| (metric.name.to_owned(), metric.value)).collect()
}

/// The items of a tick in a list that ascends by tick.
fn at<T>(list: &[T], tick: Tick, tick_of: impl Fn(&T) -> Tick) -> &[T] {
    let from = list.partition_point(|one| tick_of(one) < tick);
    let to = list.partition_point(|one| tick_of(one) <= tick);
    &list[from..to]
}
