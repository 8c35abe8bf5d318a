//! `firefight`: one player against a few soldiers, in three arenas.

use super::game::setting::{CONTROLS, KINDS, LAYERS, SETTINGS};
use super::game::{COMPOUND_FILE, RATE, STREET, WAREHOUSE, build, reload};
use sentir_harness::info::{Ground, SceneInfo, SceneLook};

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "firefight",
    title: "One player against four soldiers",
    about: "Soldiers walk their posts. When one hears or sees the player, all know: they search where the player may be, look for \
            places to shoot from on different flanks, hide when they are hit or must reload, push on when the player hides and \
            shoot at where the player would come out. Tinted cells are where the player may be; rings are places that somebody has \
            claimed; ways are green out of the player's sight, red in it, orange across a friend's line of fire; the words say \
            what each is at.",
    controls: Some(CONTROLS),
    kinds: KINDS,
    look: SceneLook::on(Ground::Concrete),
    layers: LAYERS,
    settings: SETTINGS,
    assets: &reload::with_soldier::<3, 9>([
        COMPOUND_FILE,
        (WAREHOUSE, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/firefight/warehouse.yaml"))),
        (STREET, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/firefight/street.yaml"))),
    ]),
    rate: RATE,
    ticks_max: 60 * 180,
    trials: &[
        &[],
        &["player=input", "soldiers=3", "seconds=40"],
        &["arena=warehouse", "seconds=50", "obstacle_s=1"],
        &["arena=street", "seconds=50"],
    ],
    build,
};
