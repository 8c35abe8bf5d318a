//! `war-tastes`: one of each kind on the same errands, each by the ground it likes.

use super::game::{self, FormOrder, KINDS, LAYERS, Mission, Plan, RATE, SEARCH, TICKS_MAX, asset, lead_of, pull_of};
use sentir::core::draw::Layer;
use sentir_harness::game_match::Match;
use sentir_harness::info::{Ground, SceneError, SceneInfo, SceneLook, Setup, View};
use sentir_nav::grid::LayerUse;

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "war-tastes",
    title: "Five kinds, one list of errands",
    about: "A worker, light and heavy foot, an archer and a spy go to the same places one after the other. The worker goes straight, \
            foot keeps to the roads, the archer to the grass, the spy to the forests.",
    controls: None,
    kinds: KINDS,
    look: SceneLook::on(Ground::Grass).seen(&[View::Above, View::Orbit, View::Follow]),
    layers: TASTES_LAYERS,
    settings: &[SEARCH],
    assets: asset::ALL,
    rate: RATE,
    ticks_max: TICKS_MAX,
    trials: &[&[]],
    build,
};

/// Nobody strikes here.
const TASTES_LAYERS: &[Layer] = &[LAYERS[0], LAYERS[1], LAYERS[2], LAYERS[3]];

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let plan = Plan {
        mission: Mission::Tastes,
        leads: [lead_of("defend"); 2],
        armies: [[1, 1, 1, 1, 1], [0; 5]],
        has_fog: true,
        pull: pull_of("off"),
        layers: if setup.settings.word("search") == "heuristic" { LayerUse::Heuristic } else { LayerUse::Cost },
        pattern: FormOrder::default(),
        seconds: 900.0,
    };
    game::build(setup, &plan)
}

#[cfg(test)]
mod tests {
    use crate::walk_scene::play;

    #[test]
    fn each_kind_is_on_its_favorite_ground_half_as_much_again_as_the_worker() {
        let (ending, metric) = play("war-tastes", 1, &[]);
        assert_eq!(ending, Some("done"));
        for (kind, worker) in [
            ("light_on_path", "worker_on_path"),
            ("heavy_on_path", "worker_on_path"),
            ("ranged_on_grass", "worker_on_grass"),
            ("spy_in_forest", "worker_in_forest"),
        ] {
            let ratio = metric(kind) / metric(worker);
            assert!(ratio >= 1.5, "{kind} {} is {ratio} of {worker} {}", metric(kind), metric(worker));
        }
    }
}
