//! `queries`: one asks for places, one watches, one has its place already; every query, and every test alone.

use super::env_queries::{Plan, RATE, TICKS_MAX, begin, query_of};
use sentir::core::draw::Layer;
use sentir_harness::game_match::Match;
use sentir_harness::info::{Ground, KindLook, Model, SceneError, SceneInfo, SceneLook, Setting, SettingKind, Setup};

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "queries",
    title: "Which place is best?",
    about: "The orange one asks an environment query twice a second: points from red over yellow to green, worst to best; \
            dropped points are small gray rings. What the red one sees, walking its round, is tinted red; the blue friend has \
            claimed the place where it stands. Set `query` to one of the six stock queries, or `test` to see one test alone. \
            With `goes=yes` the asker walks to the best point.",
    controls: None,
    kinds: &[KindLook::new(0, "asker", Model::Person)],
    look: SceneLook::map(Ground::Paper),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::NAMES, Layer::SENSES, Layer::PATHS, Layer::INFLUENCE, Layer::QUERIES],
    settings: SETTINGS,
    assets: &[("vantage.yaml", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/space/vantage.yaml")))],
    rate: RATE,
    ticks_max: TICKS_MAX + 60,
    trials: &[&[], &["query=search", "goes=yes"], &["query=suppression"], &["test=flank"], &["test=path_cost"]],
    build,
};

const SETTINGS: &[Setting] = &[
    Setting {
        name: "query",
        about: "which query is asked",
        kind: SettingKind::Choice(&["search", "cover", "attack", "advance", "suppression", "clear_line"]),
        stock: "attack",
    },
    Setting {
        name: "test",
        about: "one test alone over the whole yard, or all tests of the query",
        kind: SettingKind::Choice(&[
            "query",
            "path_cost",
            "distance",
            "visibility",
            "behind_cover",
            "obstacles",
            "influence",
            "spread",
            "flank",
            "repetition",
            "line_of_fire",
            "facing",
            "height",
            "cover_quality",
            "clearance",
        ]),
        stock: "query",
    },
    Setting {
        name: "goes",
        about: "whether the one who asks goes to what it finds",
        kind: SettingKind::Choice(&["no", "yes"]),
        stock: "no",
    },
];

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let (name, test) = (setup.settings.word("query"), setup.settings.word("test"));
    let plan = Plan {
        query: query_of(name, test)?,
        period_s: 0.5,
        goes: setup.settings.word("goes") == "yes",
        is_shy: false,
        shows_cover: false,
        shows_rumor: (name == "search" && test == "query") || test == "influence",
    };
    Ok(Box::new(begin(setup, plan)?))
}

#[cfg(test)]
mod tests {
    use crate::walk_scene::play;

    #[test]
    fn every_query_and_every_test_alone_is_answered() {
        for query in ["search", "cover", "attack", "advance", "suppression"] {
            let changes = [("query", query)];
            let (ending, metric) = play("queries", 1, &changes);
            assert_eq!(ending, Some(sentir_harness::scene::TIME_UP));
            assert!(metric("answered") > 0.9 * metric("asked"), "{query}: {}", metric("answered"));
        }
        for test in ["path_cost", "behind_cover", "flank", "cover_quality", "line_of_fire", "clearance"] {
            let changes = [("test", test)];
            let (_, metric) = play("queries", 1, &changes);
            assert!(metric("kept") > 20.0, "{test}: {}", metric("kept"));
        }
    }
}
