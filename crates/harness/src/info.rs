//! What can be played: scenes by family, their settings and assets, and what can be wrong with those.

mod controls;
mod look;
mod setting;

pub use controls::{BY_PERSON, Binding, ControlAction, ControlMode, Controls};
pub(crate) use look::names;
pub use look::{Ground, KindLook, Model, SceneLook, View};
pub use setting::{Setting, SettingError, SettingKind, Settings};

use sentir::core::draw::Layer;
use sentir::core::state::hash_bytes;
use sentir::core::tick::TickRate;
use sentir_asset::{AssetError, nearest};
use sentir_level::{Level, LevelError, LevelSpec};
use thiserror::Error;

use crate::game_match::Match;

/// A scene of the registry.
#[derive(Clone, Copy)]
pub struct SceneInfo {
    /// Short name, as typed.
    pub name: &'static str,
    /// One line.
    pub title: &'static str,
    /// What there is to see, a few sentences.
    pub about: &'static str,
    /// How a person plays it; none if nobody can.
    pub controls: Option<Controls>,
    /// Its kinds of agents and their looks, by ascending kind; those before the first are persons.
    pub kinds: &'static [KindLook],
    /// How it looks beside them.
    pub look: SceneLook,
    /// The layers that it draws, in the order of [`Layer::ALL`].
    pub layers: &'static [Layer],
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

/// Scenes that show one part of the product.
#[derive(Clone, Copy)]
pub struct Family {
    /// Short name; the folder of its scenes.
    pub name: &'static str,
    /// What its scenes show, in a few words.
    pub about: &'static str,
    /// Its scenes.
    pub scenes: &'static [SceneInfo],
}

/// Every scene that a program knows, by family.
#[derive(Clone, Copy)]
pub struct Catalog {
    /// The families, in the order of lists.
    pub families: &'static [Family],
}

impl Catalog {
    /// Every scene, family by family.
    pub fn scenes(&self) -> impl Iterator<Item = &'static SceneInfo> + Clone + use<> {
        self.families.iter().flat_map(|family| family.scenes)
    }

    /// The scene of that name.
    pub fn find(&self, name: &str) -> Result<&'static SceneInfo, SceneError> {
        self.scenes().find(|scene| scene.name == name).ok_or_else(|| SceneError::Unknown {
            name: name.to_owned(),
            nearest: nearest(name, self.scenes().map(|scene| scene.name)),
        })
    }
}

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

/// What differs from a scene's own settings and files.
#[derive(Clone, Copy, Debug, Default)]
pub struct Changes<'a> {
    /// Setting and value.
    pub settings: &'a [(String, String)],
    /// Name and content of files.
    pub assets: &'a [(String, String)],
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
        nearest: Option<String>,
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
        nearest: Option<String>,
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

impl SceneError {
    /// A file that no brain of the match thinks by.
    pub(crate) fn fixed(name: &str) -> SceneError {
        SceneError::Fixed { name: name.to_owned() }
    }
}

/// ", did you mean 'x'?", or nothing.
pub fn did_you_mean(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or_else(String::new, |name| format!(", did you mean '{name}'?"))
}

impl SceneInfo {
    /// How agents of a kind look; none for kinds before the first of the table.
    pub fn look_of(&self, kind: u16) -> Option<&'static KindLook> {
        self.kinds.iter().rev().find(|look| look.kind <= kind)
    }

    /// A setup of this scene: stock but for `changes`.
    pub fn setup(&self, seed: u64, changes: Changes<'_>) -> Result<Setup, SceneError> {
        let settings = Settings::resolve(self.settings, changes.settings)?;
        let stock = |&(name, content): &(&str, &str)| Asset {
            name: name.to_owned(),
            content: content.to_owned(),
            is_stock: true,
        };
        let mut all: Vec<Asset> = self.assets.iter().map(stock).collect();
        for (name, content) in changes.assets {
            let Some(asset) = all.iter_mut().find(|asset| asset.name == *name) else {
                // A file named without its folder is the likeliest slip.
                let mut names = self.assets.iter().map(|&(known, _)| known);
                let inside = names.clone().find(|known| known.rsplit('/').next() == Some(name.as_str()));
                let nearest = inside.map(str::to_owned).or_else(|| nearest(name, &mut names));
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
pub fn spec_of(text: &str, name: &str) -> Result<LevelSpec, LevelError> {
    match unfold(text) {
        Some((bytes, ending)) => sentir_level::parse(&bytes, &format!("{name}.{ending}")),
        None => sentir_level::parse(text.as_bytes(), name),
    }
}

/// What is wrong with a level, as scenes say it.
pub fn level_error(error: &LevelError) -> SceneError {
    let (line, column) = (error.place.line as usize, error.place.column as usize);
    SceneError::Asset { name: error.file.clone(), line, column, what: error.problem.to_string() }
}

/// What is wrong with an authored file, with its place in it.
pub fn asset_error(error: &AssetError) -> SceneError {
    let (line, column) = (error.place.line as usize, error.place.column as usize);
    SceneError::Asset { name: error.file.clone(), line, column, what: error.problem.to_string() }
}
