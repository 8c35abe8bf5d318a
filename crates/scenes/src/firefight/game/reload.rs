//! The soldier's files as assets of the scene: a tree, a sheet of tuning and four queries, and other versions of them while a
//! match goes on.

use sentir::prelude::*;
use sentir::squad::coordinator::QueryName;
use sentir::squad::stock;

use super::mind::FirefightMind;
use super::{Firefight, ground, variant};
use sentir_harness::info::{SceneError, Setup, asset_error};

/// The tree's name among the assets.
pub(crate) const TREE: &str = "soldier/tree.yaml";
pub(crate) const TUNING: &str = "soldier/tuning.yaml";
/// The queries that are files of the scene.
pub(crate) const QUERIES: [(QueryName, &str); 4] = [
    (QueryName::Search, "soldier/search.yaml"),
    (QueryName::Cover, "soldier/cover.yaml"),
    (QueryName::Attack, "soldier/attack.yaml"),
    (QueryName::Advance, "soldier/advance.yaml"),
];
/// All of them as assets.
const ASSETS: [(&str, &str); 6] = [
    (TREE, stock::TREE.1),
    (TUNING, stock::TUNING.1),
    (QUERIES[0].1, stock::SEARCH),
    (QUERIES[1].1, stock::COVER),
    (QUERIES[2].1, stock::ATTACK),
    (QUERIES[3].1, stock::ADVANCE),
];

/// Levels with the soldier's files behind them: `ALL` is `LEVELS` and as many as those are.
pub(crate) const fn with_soldier<const LEVELS: usize, const ALL: usize>(
    levels: [(&'static str, &'static str); LEVELS],
) -> [(&'static str, &'static str); ALL] {
    assert!(ALL == LEVELS + ASSETS.len());
    let mut all = [ASSETS[0]; ALL];
    let mut at = 0;
    while at < ALL {
        all[at] = if at < LEVELS { levels[at] } else { ASSETS[at - LEVELS] };
        at += 1;
    }
    all
}

/// The texts of a match, and whose minds they make.
#[derive(Clone, Debug)]
pub(crate) struct Files {
    texts: [String; ASSETS.len()],
    /// The word of the setting `mind`.
    pub(crate) mind: String,
}

impl Files {
    pub(crate) fn of(setup: &Setup) -> Files {
        Files {
            texts: ASSETS.map(|(name, _)| setup.asset(name).to_owned()),
            mind: setup.settings.word("mind").to_owned(),
        }
    }

    /// The text of a file; none if there is no such file.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        ASSETS.iter().zip(&self.texts).find(|(asset, _)| asset.0 == name).map(|(_, text)| text.as_str())
    }

    /// The same with another version of a file.
    fn with(&self, name: &str, text: &str) -> Result<Files, SceneError> {
        let place = ASSETS.iter().position(|asset| asset.0 == name);
        let place = place.ok_or_else(|| SceneError::Fixed { name: name.to_owned() })?;
        let mut files = self.clone();
        text.clone_into(&mut files.texts[place]);
        Ok(files)
    }
}

impl Firefight {
    /// What minds another version of a file would make.
    pub(crate) fn edited(&self, name: &str, text: &str) -> Result<(Files, FirefightMind), SceneError> {
        let files = self.files.with(name, text)?;
        let tactical_map = self.mind.soldiers.soldier.tactical_map.clone();
        let mut soldiers = variant::variant(tactical_map, &files).map_err(|error| asset_error(&error))?;
        ground::stretch(&mut soldiers.soldier.tuning, &soldiers.soldier.tactical_map);
        Ok((files, FirefightMind { soldiers, spots: self.mind.spots.clone() }))
    }

    /// Takes another version of a file. Those of `brains` go on where they were.
    pub(crate) fn adopt(
        &mut self,
        name: &str,
        text: &str,
        brains: Option<&mut Loop<FirefightMind>>,
    ) -> Result<(), SceneError> {
        let (files, mind) = self.edited(name, text)?;
        let old = std::mem::replace(&mut self.mind, mind);
        self.files = files;
        self.edition += 1;
        let Some(brains) = brains.filter(|_| name == TREE) else { return Ok(()) };
        brains.adopt(&old, &self.mind);
        Ok(())
    }
}
