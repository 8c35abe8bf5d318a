//! Minds of the soldiers that lack something, to measure what it is worth.

use sentir::soldier::SoldierMind;
use sentir::squad::AssetError;
use sentir::squad::coordinator::{Queries, QueryName};
use sentir::squad::soldier::Soldier;
use sentir::squad::tactical_map::TacticalMap;
use sentir::squad::tuning::Tuning;

use super::reload::{Files, QUERIES, TREE, TUNING};
use sentir_harness::info::{Setting, SettingKind};

/// Which minds the soldiers have: the soldier's, or one to compare it with.
pub(crate) const MIND_SETTING: Setting = Setting {
    name: "mind",
    about: "the soldiers' minds: those of the library; without the flank test; by the shortest ways; looking anywhere; or \
            the base game's, which always knows where the target is and runs at it",
    kind: SettingKind::Choice(&["soldier", "no-flank", "plain-paths", "random-search", "base"]),
    stock: "soldier",
};

const NO_FLANK: [(QueryName, &str, &str); 2] = [
    (
        QueryName::Attack,
        "attack_no_flank.yaml",
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/firefight/attack_no_flank.yaml")),
    ),
    (
        QueryName::Advance,
        "advance_no_flank.yaml",
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/firefight/advance_no_flank.yaml")),
    ),
];
const RANDOM_SEARCH: (QueryName, &str, &str) = (
    QueryName::Search,
    "search_random.yaml",
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/firefight/search_random.yaml")),
);

/// The soldier's mind by the files of a match, or one that lacks something.
pub(crate) fn variant(tactical_map: TacticalMap, files: &Files) -> Result<SoldierMind, AssetError> {
    let text = |name: &str| files.text(name).unwrap_or_default();
    let mut tuning = Tuning::read(text(TUNING).as_bytes(), TUNING)?;
    let mut queries = Queries::stock()?;
    for (query, file) in QUERIES {
        queries = queries.with(query, (file, text(file).as_bytes()))?;
    }
    match files.mind.as_str() {
        "no-flank" => {
            for (query, file, text) in NO_FLANK {
                queries = queries.with(query, (file, text.as_bytes()))?;
            }
        }
        "plain-paths" => (tuning.exposure_weight, tuning.fire_line_m) = (0.0, 0.0),
        "random-search" => {
            let (query, file, text) = RANDOM_SEARCH;
            queries = queries.with(query, (file, text.as_bytes()))?;
        }
        _ => {}
    }
    Ok(SoldierMind::new(Soldier::new(tactical_map, (TREE, text(TREE)), tuning)?, queries))
}
