//! `cover`: an agent hides from a watcher on its round.

use super::env_queries::{Plan, RATE, TICKS_MAX, begin, query_of};
use sentir::core::draw::Layer;
use sentir_harness::game_match::Match;
use sentir_harness::info::{Ground, KindLook, Model, SceneError, SceneInfo, SceneLook, Setting, SettingKind, Setup};

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "cover",
    title: "Out of sight of a watcher who walks",
    about: "The red one walks its round and sees what is tinted red. Whenever it sees the orange one, that one asks the stock \
            query `cover` and goes to the best place. Edges of cover are drawn along the walls: blue covers who stands, \
            orange who crouches, with longer ticks where one may lean out. The rose at the orange one is the map of its cell: \
            from where it is covered, and how far one sees elsewhere.",
    controls: None,
    kinds: &[KindLook::new(0, "walker", Model::Person)],
    look: SceneLook::map(Ground::Paper),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::NAMES, Layer::SENSES, Layer::PATHS, Layer::QUERIES],
    settings: SETTINGS,
    assets: &[("vantage.yaml", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/space/vantage.yaml")))],
    rate: RATE,
    ticks_max: TICKS_MAX + 60,
    trials: &[&[], &["hides=no"]],
    build,
};

const SETTINGS: &[Setting] = &[Setting {
    name: "hides",
    about: "whether the one who is seen hides",
    kind: SettingKind::Choice(&["yes", "no"]),
    stock: "yes",
}];

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let plan = Plan {
        query: query_of("cover", "query")?,
        period_s: 0.25,
        goes: setup.settings.word("hides") == "yes",
        is_shy: true,
        shows_cover: true,
        shows_rumor: false,
    };
    Ok(Box::new(begin(setup, plan)?))
}

#[cfg(test)]
mod tests {
    use crate::walk_scene::play;

    #[test]
    fn who_hides_is_seen_less() {
        let (ending, hidden) = play("cover", 1, &[]);
        let (_, open) = play("cover", 1, &[("hides", "no")]);
        assert_eq!(ending, Some(sentir_harness::scene::TIME_UP));
        assert!(hidden("seen_s") < 0.5 * open("seen_s"), "{} of {}", hidden("seen_s"), open("seen_s"));
        assert!(hidden("asked") > 0.0);
    }
}
