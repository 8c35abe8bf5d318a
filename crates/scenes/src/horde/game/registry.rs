//! Minds by name: one body can wear any of them. A mind is a file over the leaves of the game.

use sentir_asset::AssetError;
use sentir_harness::info::{SceneError, Setup, asset_error, did_you_mean};
use sentir_think::brain::Brain;
use sentir_think::key::Keys;
use sentir_think::registry::Leaves;

use super::leaf::Game;
use super::{bot_leaf, zombie_leaf};

macro_rules! mind_files {
    ($($name:literal),+) => {
        /// Every mind: name of its asset, and text.
        pub(crate) const FILES: &[(&str, &str)] = &[$((
            concat!("horde/", $name, ".yaml"),
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/horde/minds/", $name, ".yaml")),
        )),+];
    };
}
mind_files!(
    "dummy_v1",
    "dummy_v2",
    "dummy_v3",
    "dummy_v4",
    "dummy_v5",
    "barker_v1",
    "barker_v2",
    "barker_v3",
    "barker_v4",
    "stealthy",
    "thrower",
    "prototype",
    "bot"
);

/// A mind that can be worn.
pub(crate) struct MindFile {
    /// What it is called.
    pub(crate) name: &'static str,
    /// Its file, and the text of it.
    pub(crate) file: &'static str,
    pub(crate) text: String,
    pub(crate) brain: Brain<Game>,
}

/// All minds of a match.
pub(crate) struct Registry(pub(crate) Vec<MindFile>);

/// All that the files may name.
pub(crate) fn leaves() -> Leaves<Game> {
    let mut leaves = Leaves::default();
    zombie_leaf::add(&mut leaves);
    bot_leaf::add(&mut leaves);
    leaves
}

/// What is wrong with a mind for the leaves of the horde; `file` is its name in errors.
pub(crate) fn check(file: &str, bytes: &[u8]) -> Result<(), AssetError> {
    Brain::read(bytes, file, &Keys::default(), &leaves()).map(drop)
}

/// The brain in the text of a file.
pub(crate) fn read(file: &str, text: &str) -> Result<Brain<Game>, SceneError> {
    Brain::read(text.as_bytes(), file, &Keys::default(), &leaves()).map_err(|error| asset_error(&error))
}

impl Registry {
    /// All minds, as a setup has them.
    pub(crate) fn of(setup: &Setup) -> Result<Registry, SceneError> {
        let one = |&(file, _): &(&'static str, &'static str)| {
            let text = setup.asset(file).to_owned();
            let name = file.trim_start_matches("horde/").trim_end_matches(".yaml");
            Ok(MindFile { name, file, brain: read(file, &text)?, text })
        };
        FILES.iter().map(one).collect::<Result<_, _>>().map(Registry)
    }

    /// The number of a mind by its name.
    pub(crate) fn named(&self, name: &str) -> Result<u8, SceneError> {
        let place = self.0.iter().position(|mind| mind.name == name);
        place.map(|place| place as u8).ok_or_else(|| {
            let nearest = sentir_asset::nearest(name, self.0.iter().map(|mind| mind.name));
            let what = format!("there is no mind '{name}'{}", did_you_mean(&nearest));
            SceneError::Asset { name: super::RULES.to_owned(), line: 0, column: 0, what }
        })
    }

    /// The mind of a number.
    pub(crate) fn mind(&self, number: u8) -> Option<&MindFile> {
        self.0.get(usize::from(number))
    }
}
