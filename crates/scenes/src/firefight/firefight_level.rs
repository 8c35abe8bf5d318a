//! `firefight-level`: the firefight in any level.

use super::game::setting::{CONTROLS, KINDS, LAYERS, SETTINGS};
use super::game::{ANY, RATE, build, reload};
use sentir_harness::info::{Ground, SceneInfo, SceneLook};

/// The same on any level.
pub const SCENE: SceneInfo = SceneInfo {
    name: "firefight-level",
    title: "The firefight in a level of your own",
    about: "The match of 'firefight' in any level: one of your own, or of a game, given by --asset level.yaml=PATH (YAML, OBJ, \
            a Quake III BSP). Spawns of the teams 'soldier' and 'player', annotations 'post' (where soldiers walk) and 'spot' \
            (where players go) are taken from it; what it lacks is chosen from the ground. Doors are open, and what moves \
            stands still.",
    controls: Some(CONTROLS),
    kinds: KINDS,
    look: SceneLook::on(Ground::Concrete),
    layers: LAYERS,
    settings: SETTINGS.split_at(1).1,
    assets: &reload::with_soldier::<1, 7>([(
        ANY,
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/navigation/levels.yaml")),
    )]),
    rate: RATE,
    ticks_max: 60 * 180,
    trials: &[&["seconds=50"]],
    build,
};
