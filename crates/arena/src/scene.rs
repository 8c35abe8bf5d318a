//! Scenes: what can be played, with which settings and assets, and the match that comes of it.

mod setting;

pub use sentir_vision::Eyesight;
pub use setting::{Setting, SettingError, SettingKind, Settings};

use sentir::core::chart::Chart;
use sentir::core::draw::DrawList;
use sentir::core::event::GameEvent;
use sentir::core::id::AgentId;
use sentir::core::pool::Pool;
use sentir::core::state::{EnvelopeError, hash_bytes};
use sentir::core::tick::{Tick, TickRate};
use sentir::core::why::WhyLog;
use sentir::{Presence, Why};
use sentir_asset::AssetError;
use sentir_level::{Level, LevelError, LevelSpec};
use thiserror::Error;

use crate::edit::Breakpoint;
use crate::hud::{Fallen, Hud};
use crate::input::Input;
use crate::inspection::Inspection;
use crate::story::Backstage;

/// A scene of the registry.
#[derive(Clone, Copy)]
pub struct Scene {
    /// Short name, as typed.
    pub name: &'static str,
    /// One line.
    pub title: &'static str,
    /// What there is to see, a few sentences.
    pub about: &'static str,
    /// How a person plays it; empty if nobody can.
    pub controls: &'static str,
    /// What can be set.
    pub settings: &'static [Setting],
    /// The files it is made of: name and stock content.
    pub assets: &'static [(&'static str, &'static str)],
    /// Ticks per second.
    pub rate: TickRate,
    /// When a match ends at the latest, ticks.
    pub ticks_max: u64,
    /// Sets of settings (`key=value`) that checks of determinism go through, beside the stock ones.
    pub trials: &'static [&'static [&'static str]],
    /// Makes the match.
    pub build: fn(&Setup) -> Result<Box<dyn Match>, SceneError>,
}

/// Every scene, by name.
pub const SCENES: &[Scene] = &[
    crate::patrol::SCENE,
    crate::guard::SCENE,
    crate::guard::SOLDIER_PLAN,
    crate::range::SCENE,
    crate::crowd::SCENE,
    crate::collapse::SCENE,
    crate::ruin::SCENE,
    crate::skirmish::SCENE,
    crate::firefight::SCENE,
    crate::firefight::DUEL,
    crate::firefight::LEVEL,
    crate::firefight::SEARCH,
    crate::firefight::HIDE_COVER,
    crate::firefight::PUSH,
    crate::firefight::SUPPRESSION,
    crate::firefight::ATTACK,
    crate::firefight::GROUP_ATTACK,
    crate::firefight::SUPPLY,
    crate::senses::SCENE,
    crate::hide_and_seek::SCENE,
    crate::honesty::stage::SCENE,
    crate::steering::basic::SCENE,
    crate::steering::delegated::SCENE,
    crate::steering::collision::SCENE,
    crate::steering::head_on::SCENE,
    crate::steering::wall::SCENE,
    crate::steering::hide::SCENE,
    crate::steering::interpose::SCENE,
    crate::steering::path::SCENE,
    crate::steering::leader::SCENE,
    crate::steering::shark::SCENE,
    crate::steering::fox::SCENE,
    crate::steering::ghost::SCENE,
    crate::steering::herding::SCENE,
    crate::steering::flow::SCENE,
    crate::circle::SCENE,
    crate::doorway::SCENE,
    crate::lanes::SCENE,
    crate::commute::SCENE,
    crate::formation::SCENE,
    crate::formation::ROLES,
    crate::column::SCENE,
    crate::flock::SCENE,
    crate::locomotion::SCENE,
    crate::tile::zones::SCENE,
    crate::tile::maze::SCENE,
    crate::tile::stream::SCENE,
    crate::levels::SCENE,
    crate::trek::safe_path::SCENE,
    crate::trek::unit_tastes::SCENE,
    crate::town::visibility::SCENE,
    crate::town::control::SCENE,
    crate::town::watched::SCENE,
    crate::town::predict::SCENE,
    crate::vantage::queries::SCENE,
    crate::vantage::cover::SCENE,
    crate::bronto::SCENE,
    crate::bronto::LEVEL,
    crate::bronto::BALL,
    crate::bronto::HIGHER_FLOOR,
    crate::bronto::PERSPECTIVE,
    crate::bronto::LOOKING_FOR,
    crate::bronto::missile::SCENE,
    crate::bronto::driver::SCENE,
];

/// What a scene is built from: everything that decides how a match goes, but for the inputs.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    /// The world seed.
    pub seed: u64,
    /// All settings, checked.
    pub settings: Settings,
    /// All assets, stock or not.
    pub assets: Vec<Asset>,
}

/// A file that a scene is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asset {
    /// Its name in the scene.
    pub name: String,
    /// Its content.
    pub content: String,
    /// Whether it is the program's own.
    pub is_stock: bool,
}

impl Asset {
    /// The hash of the content.
    pub fn hash(&self) -> u64 {
        hash_bytes(self.content.as_bytes())
    }
}

/// Why a scene could not be set up.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SceneError {
    /// There is no such scene.
    #[error("there is no scene '{name}'{}", did_you_mean(nearest))]
    Unknown {
        /// As typed.
        name: String,
        /// The nearest one there is.
        nearest: Option<&'static str>,
    },
    /// A setting is wrong.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// The scene has no such asset.
    #[error("the scene '{scene}' has no asset '{name}'{}", did_you_mean(nearest))]
    UnknownAsset {
        /// Which scene.
        scene: &'static str,
        /// As typed.
        name: String,
        /// The nearest one it has.
        nearest: Option<&'static str>,
    },
    /// An asset stays as it is once a match is set up.
    #[error("the file '{name}' cannot be edited while a match goes on: no brain thinks by it here")]
    Fixed {
        /// As given.
        name: String,
    },
    /// An asset is wrong.
    #[error("{name}:{line}:{column}: {what}")]
    Asset {
        /// Which asset.
        name: String,
        /// Line, from 1; 0 if the whole file is meant.
        line: usize,
        /// Column, from 1; 0 if the whole line is meant.
        column: usize,
        /// What is wrong.
        what: String,
    },
}

/// ", did you mean 'x'?", or nothing.
pub fn did_you_mean(nearest: &Option<&'static str>) -> String {
    nearest.map_or_else(String::new, |name| format!(", did you mean '{name}'?"))
}

/// The nearest of the valid words, if any is near enough to be meant.
pub fn nearest<'a>(word: &str, valid: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let mut best: Option<(f64, &str)> = None;
    for name in valid {
        let likeness = strsim::jaro_winkler(word, name);
        if likeness > 0.75 && best.is_none_or(|(old, _)| likeness > old) {
            best = Some((likeness, name));
        }
    }
    best.map(|(_, name)| name)
}

impl Scene {
    /// The scene of that name.
    pub fn find(name: &str) -> Result<&'static Scene, SceneError> {
        SCENES.iter().find(|scene| scene.name == name).ok_or_else(|| SceneError::Unknown {
            name: name.to_owned(),
            nearest: nearest(name, SCENES.iter().map(|scene| scene.name)),
        })
    }

    /// A setup of this scene: stock but for `changes` (setting and value) and `assets` (name and content).
    pub fn setup(
        &self,
        seed: u64,
        changes: &[(String, String)],
        assets: &[(String, String)],
    ) -> Result<Setup, SceneError> {
        let settings = Settings::resolve(self.settings, changes)?;
        let stock = |&(name, content): &(&str, &str)| Asset {
            name: name.to_owned(),
            content: content.to_owned(),
            is_stock: true,
        };
        let mut all: Vec<Asset> = self.assets.iter().map(stock).collect();
        for (name, content) in assets {
            let Some(asset) = all.iter_mut().find(|asset| asset.name == *name) else {
                let nearest = nearest(name, self.assets.iter().map(|&(name, _)| name));
                return Err(SceneError::UnknownAsset { scene: self.name, name: name.clone(), nearest });
            };
            asset.is_stock = asset.content == *content;
            asset.content.clone_from(content);
        }
        Ok(Setup { seed, settings, assets: all })
    }

    /// A match of this scene.
    pub fn start(&self, setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
        (self.build)(setup)
    }
}

impl Setup {
    /// The content of an asset; empty if the scene has none of that name.
    pub fn asset(&self, name: &str) -> &str {
        self.assets.iter().find(|asset| asset.name == name).map_or("", |asset| &asset.content)
    }
}

/// Bytes as the text of an asset, with the ending of the file they come from: how a level that is no text is given.
pub fn embedded(bytes: &[u8], ending: &str) -> String {
    let digit = |half: u8| char::from(if half < 10 { b'0' + half } else { b'a' + half - 10 });
    let hex = bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]);
    format!("{EMBEDDED}{ending},").chars().chain(hex).collect()
}

/// How the text of embedded bytes begins.
const EMBEDDED: &str = "data:";

/// The bytes and the ending of an embedded file; none if the text is none.
fn unfold(text: &str) -> Option<(Vec<u8>, &str)> {
    let (ending, hex) = text.strip_prefix(EMBEDDED)?.split_once(',')?;
    let half = |digit: u8| char::from(digit).to_digit(16).map(|half| half as u8);
    let pairs = hex.trim_end().as_bytes().chunks_exact(2);
    pairs
        .map(|pair| Some(half(pair[0])? << 4 | half(pair[1])?))
        .collect::<Option<Vec<u8>>>()
        .map(|bytes| (bytes, ending))
}

/// The level of an asset, built: of its text, or of the file [`embedded`] in it.
pub fn level_asset(setup: &Setup, name: &str) -> Result<Level, SceneError> {
    level_of(setup.asset(name), name)
}

/// The level of a text, built; `name` is the file's in errors.
pub fn level_of(text: &str, name: &str) -> Result<Level, SceneError> {
    spec_of(text, name).and_then(|spec| spec.build()).map_err(|error| level_error(&error))
}

/// The level of a text, as it is authored.
pub(crate) fn spec_of(text: &str, name: &str) -> Result<LevelSpec, LevelError> {
    match unfold(text) {
        Some((bytes, ending)) => sentir_level::parse(&bytes, &format!("{name}.{ending}")),
        None => sentir_level::parse(text.as_bytes(), name),
    }
}

/// What is wrong with a level, as scenes say it.
pub(crate) fn level_error(error: &LevelError) -> SceneError {
    let (line, column) = (error.place.line as usize, error.place.column as usize);
    SceneError::Asset { name: error.file.clone(), line, column, what: error.problem.to_string() }
}

/// What is wrong with an authored file, with its place in it.
pub(crate) fn asset_error(error: &AssetError) -> SceneError {
    let (line, column) = (error.place.line as usize, error.place.column as usize);
    SceneError::Asset { name: error.file.clone(), line, column, what: error.problem.to_string() }
}

/// A number that a match reports.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Metric {
    /// Name with its unit, as in `walked_m`.
    pub name: &'static str,
    /// Value; NaN where there is nothing to tell, as the time of something that did not happen.
    pub value: f64,
}

impl Metric {
    /// A metric from a single-precision figure, in its shortest decimal form: 0.1 stays 0.1.
    pub fn new(name: &'static str, value: f32) -> Metric {
        Metric { name, value: value.to_string().parse().unwrap_or(f64::NAN) }
    }
}

/// A match being played. Everything that a lab, a studio or a test does with a scene goes through this.
pub trait Match: Send {
    /// Plays one tick. `inputs` are the controls that begin to hold at this tick.
    fn step(&mut self, inputs: &[Input], pool: &dyn Pool);
    /// The tick that the next step will play.
    fn tick(&self) -> Tick;
    /// How it ended, once it has.
    fn ending(&self) -> Option<&'static str>;
    /// What is measured so far.
    fn metrics(&self) -> Vec<Metric>;
    /// What was stupid so far: a figure for each kind of [`stupidity`](crate::stupidity), and the sum.
    fn stupidity(&self) -> Vec<Metric>;
    /// How many agents there are.
    fn agent_count(&self) -> usize;
    /// The truth about every agent, in slot order: replaces what was in `list`.
    fn agents(&self, list: &mut Vec<Presence>);
    /// Looks into an agent; none if it is not there.
    fn inspect(&self, agent: AgentId) -> Option<Inspection<'_>>;
    /// The brain of an agent as one can look at it; none if it is not there, or has nothing to show. Reasons are in it
    /// while somebody [listens](Match::listen).
    fn chart(&self, agent: AgentId) -> Option<Chart>;
    /// A file of the scene as it is now; none if it cannot be edited while the match goes on.
    fn text(&self, name: &str) -> Option<&str>;
    /// What is wrong with another version of a file; nothing is changed.
    fn check_edit(&self, name: &str, text: &str) -> Result<(), SceneError>;
    /// Takes another version of a file between two ticks: who thinks by it goes on where it was, node by node. A broken one
    /// is refused, and nothing is changed.
    fn edit(&mut self, name: &str, text: &str) -> Result<(), SceneError>;
    /// The file that an agent's brain is read from; none if it is not there, or its brain is no file that can be edited.
    fn brain_file(&self, agent: AgentId) -> Option<&'static str>;
    /// The first breakpoint that somebody's brain entered in the last tick.
    fn breakpoint(&self) -> Option<Breakpoint>;
    /// What an agent that sees by synthetic vision sees now; none if it is not there, or does not see so.
    fn eyesight(&self, agent: AgentId) -> Option<Eyesight>;
    /// What a person who plays may know of the body that is his; none where nobody plays.
    fn hud(&self) -> Option<Hud>;
    /// Who lies dead, oldest first.
    fn fallen(&self) -> &[Fallen];
    /// Adds what an agent weighs just now, as the points of its query; nothing if it is not there, or weighs nothing.
    fn study(&self, agent: AgentId, list: &mut DrawList);
    /// The hash of the whole state.
    fn hash(&self) -> u64;
    /// A hash of what the last tick came to, at little cost: bodies, decisions, what was to be heard and felt. What only
    /// minds remember may be left out; it is in [`hash`](Match::hash).
    fn short_hash(&self) -> u32;
    /// The hashes of the parts of the state, by name: which part differs first says where to look.
    fn hash_parts(&self) -> Vec<(&'static str, u64)>;
    /// The whole state as the bytes of a file.
    fn snapshot(&self) -> Vec<u8>;
    /// Goes on from a snapshot of the same scene and setup.
    fn restore(&mut self, file: &[u8]) -> Result<(), EnvelopeError>;
    /// Forgets everything that is not state.
    fn drop_caches(&mut self);
    /// What happened in the last tick.
    fn events(&self) -> &[GameEvent];
    /// The name of a decision that those events speak of; empty if it has none.
    fn decision_name(&self, decision: u16) -> &'static str;
    /// Starts or stops noting reasons.
    fn listen(&mut self, is_on: bool);
    /// Forgets the reasons noted before a moment.
    fn forget_before(&mut self, tick: Tick);
    /// The reasons noted.
    fn whys(&self) -> &WhyLog<Why>;
    /// Adds what there is to see.
    fn draw(&self, list: &mut DrawList);
    /// What the test of [`honesty`](crate::honesty) needs; none if it cannot be tested.
    fn backstage(&mut self) -> Option<&mut dyn Backstage> {
        None
    }
}
