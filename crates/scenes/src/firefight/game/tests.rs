//! What soldiers must do, each in its scene.

use sentir::squad::soldier::SoldierBehavior;

use super::*;
use sentir_harness::honesty::{TrialConfig, examine};
use sentir_harness::info::Changes;

fn play(scene: &str, seed: u64, changes: &[(&str, &str)]) -> Box<dyn Match> {
    let changes: Vec<_> = changes.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
    let scene = crate::CATALOG.find(scene).unwrap();
    let mut game = scene.start(&scene.setup(seed, Changes { settings: &changes, assets: &[] }).unwrap()).unwrap();
    while game.ending().is_none() {
        game.step(&[], &Serial);
    }
    game
}

fn metric(game: &dyn Match, name: &str) -> f64 {
    game.metrics().iter().chain(&game.stupidity()).find(|metric| metric.name == name).unwrap().value
}

#[test]
fn a_soldier_low_on_rounds_reloads_behind_cover_and_fights_on() {
    for seed in 1..4 {
        let game = play("hide-cover", seed, &[]);
        assert!(metric(&*game, "hide_s") > 0.5, "seed {seed}: {:?}", game.metrics());
        assert!(metric(&*game, "reloads_in_cover") >= 1.0, "seed {seed}: {:?}", game.metrics());
    }
}

#[test]
fn no_more_reloads_are_in_cover_than_the_soldiers_began() {
    // The player of a duel thinks as a soldier does, so it hides and reloads as well.
    let mut others = 0;
    for scene in
        ["duel", "firefight", "hide-cover", "attack", "supply", "group-attack", "push", "suppression", "search"]
    {
        for seed in 1..if scene == "duel" { 9 } else { 4 } {
            let game = play(scene, seed, &[]);
            let [hidden, all] = ["reloads_in_cover", "soldier_reloads"].map(|name| metric(&*game, name));
            assert!(hidden <= all, "{scene}, seed {seed}: {hidden} of {all}");
            others += u32::from(hidden < all);
        }
    }
    assert!(others > 0, "some are not in cover");
}

#[test]
fn what_the_player_reloads_in_cover_is_not_counted_as_the_soldiers() {
    let scene = crate::CATALOG.find("duel").unwrap();
    let drill = Drill { player: None, soldiers: 1, health: 300.0, soldier_health: 300.0, ..Drill::default() };
    let (mut soldiers, mut players) = (0, 0);
    for seed in 1..6 {
        let mut game = begin(&scene.setup(seed, Changes::default()).unwrap(), &drill).unwrap();
        let mut hidden = 0;
        while game.ending().is_none() {
            game.step(&[], &Serial);
            let is_reload = |event: &&GameEvent| event.kind == EventKind::Reloaded;
            for agent in game.events().iter().filter(is_reload).filter_map(|event| event.agent) {
                let hides = game.brains().brain(agent).and_then(Head::behavior) == Some(SoldierBehavior::Hide);
                let is_player = game.brains().agent_of(PLAYER_KEY) == Some(agent);
                hidden += u32::from(hides && !is_player);
                players += u32::from(hides && is_player);
            }
        }
        assert_eq!(metric(&game, "reloads_in_cover"), f64::from(hidden), "seed {seed}");
        soldiers += hidden;
    }
    assert!(soldiers > 0 && players > 0, "{soldiers} of the soldiers, {players} of the players");
}

#[test]
fn a_soldier_pushes_on_a_hidden_target_and_finds_it() {
    for seed in 1..4 {
        let game = play("push", seed, &[]);
        assert!(metric(&*game, "push_s") > 0.5, "seed {seed}: {:?}", game.metrics());
        assert!(metric(&*game, "soldier_hits") >= 1.0, "seed {seed}: {:?}", game.metrics());
    }
}

#[test]
fn two_soldiers_suppress_at_two_points_from_two_sides() {
    let games: Vec<_> = (1..5).map(|seed| play("suppression", seed, &[])).collect();
    // Half a radian at twelve meters is six meters.
    let is_both =
        |game: &dyn Match| metric(game, "suppressed_points_max") >= 2.0 && metric(game, "suppressed_angle_rad") > 0.5;
    let both = games.iter().filter(|game| is_both(&***game)).count();
    assert!(both >= 3, "{both} of 4: {:?}", games.iter().map(|game| game.metrics()).collect::<Vec<_>>());
}

#[test]
fn a_soldier_hides_when_it_is_hit() {
    for seed in 1..4 {
        let game = play("hide-cover", seed, &[("rounds", "1")]);
        assert!(metric(&*game, "hide_s") > 0.5, "seed {seed}: {:?}", game.metrics());
    }
}

#[test]
fn a_soldier_holds_a_good_place_to_shoot_from() {
    for seed in 1..4 {
        let game = play("attack", seed, &[]);
        assert!(metric(&*game, "attack_s") > 4.0, "seed {seed}: {:?}", game.metrics());
        assert!(metric(&*game, "held_s") > 3.0, "seed {seed}: {:?}", game.metrics());
        assert!(metric(&*game, "soldier_hits") > 5.0, "seed {seed}: {:?}", game.metrics());
    }
}

#[test]
fn a_soldier_leaves_its_place_under_fire() {
    let games: Vec<_> = (1..9).map(|seed| play("attack", seed, &[("player", "late")])).collect();
    let sum = |name| games.iter().map(|game| metric(&**game, name)).sum::<f64>();
    assert!(sum("left_under_fire") >= 6.0, "{:?}", games.iter().map(|game| game.metrics()).collect::<Vec<_>>());
    assert_eq!(sum("stayed_under_fire"), 0.0);
}

#[test]
fn a_soldier_rushes_at_who_is_close() {
    for seed in 1..5 {
        let game = play("attack", seed, &[("begins", "close")]);
        assert!(metric(&*game, "rush_s") > 1.0, "seed {seed}: {:?}", game.metrics());
    }
}

#[test]
fn a_soldier_without_rounds_fetches_some_and_comes_back() {
    for seed in 1..5 {
        let game = play("supply", seed, &[]);
        assert!(metric(&*game, "supply_s") > 1.0, "seed {seed}: {:?}", game.metrics());
        // It began with twelve.
        assert!(metric(&*game, "soldier_shots") > 60.0, "seed {seed}: {:?}", game.metrics());
        assert!(metric(&*game, "soldier_reloads") >= 1.0, "seed {seed}: {:?}", game.metrics());
    }
}

#[test]
fn a_player_without_rounds_fetches_some() {
    let game = play("duel", 2, &[("player", "camper"), ("health", "5000")]);
    assert!(metric(&*game, "player_shots") > 160.0, "more than can be carried: {:?}", game.metrics());
}

#[test]
fn either_side_may_have_the_base_games_mind() {
    let game = play("duel", 3, &[("player", "base")]);
    assert!(metric(&*game, "player_shots") > 10.0, "{:?}", game.metrics());
    assert_ne!(game.ending(), Some(TIME_UP));
}

#[test]
fn who_is_searched_for_begins_out_of_sight() {
    for seed in 1..30 {
        let scene = crate::CATALOG.find("search").unwrap();
        let mut game = scene.start(&scene.setup(seed, Changes::default()).unwrap()).unwrap();
        (0..20).for_each(|_| game.step(&[], &Serial));
        assert_eq!(game.ending(), None, "seed {seed}");
    }
}

#[test]
fn the_base_games_mind_finds_him_and_fights_without_ever_hiding() {
    for seed in 1..5 {
        let game = play("duel", seed, &[("mind", "base")]);
        assert!(metric(&*game, "soldier_shots") > 10.0, "seed {seed}: {:?}", game.metrics());
        assert_eq!(metric(&*game, "hide_s"), 0.0);
        assert_ne!(game.ending(), Some(TIME_UP), "seed {seed}");
    }
}

#[test]
fn soldiers_without_something_differ_from_soldiers_with_it() {
    let with = |mind| metric(&*play("search", 4, &[("mind", mind)]), "match_s");
    assert_ne!(with("soldier"), with("random-search"));
    let angle = |mind| {
        (1..7).map(|seed| metric(&*play("group-attack", seed, &[("mind", mind)]), "least_angle_rad")).sum::<f64>()
    };
    assert!(angle("soldier") > angle("no-flank"), "{} and {}", angle("soldier"), angle("no-flank"));
}

#[test]
fn a_group_attacks_from_different_flanks() {
    let mean = (1..4).map(|seed| metric(&*play("group-attack", seed, &[]), "least_angle_rad")).sum::<f64>() / 3.0;
    assert!(mean > 0.25, "{mean} rad");
}

#[test]
fn four_searchers_find_who_hides() {
    let found = (1..9).filter(|&seed| metric(&*play("search", seed, &[]), "found_s") < 30.0).count();
    assert!(found >= 6, "{found} of 8");
}

#[test]
fn a_match_shows_every_behavior_and_no_friend_is_killed() {
    let mut seen = [0.0; 5];
    for seed in 1..5 {
        let game = play("firefight", seed, &[]);
        for (sum, name) in seen.iter_mut().zip(["search_s", "hide_s", "push_s", "attack_s", "suppress_s"]) {
            *sum += metric(&*game, name);
        }
        assert_eq!(metric(&*game, "stupid_killed_a_friend"), 0.0, "seed {seed}");
    }
    assert!(seen.iter().all(|&sum| sum > 0.0), "{seen:?}");
}

#[test]
fn what_no_soldier_could_sense_changes_no_decision() {
    let scene = crate::CATALOG.find("firefight").unwrap();
    let setup =
        scene.setup(1, Changes { settings: &[("player".to_owned(), "hider".to_owned())], assets: &[] }).unwrap();
    let config = TrialConfig { changes: 15, draws_max: 4000, ..TrialConfig::default() };
    let found = examine(scene, &setup, &config).unwrap().unwrap();
    assert_eq!(found.leak().map(ToString::to_string), None);
    assert!(found.cases.len() >= 10, "{} cases; {} were seen", found.cases.len(), found.seen_too_soon);
}

/// The soldier's tree with another look around at each post.
fn calmer() -> String {
    let tree = sentir::squad::stock::TREE.1;
    tree.replace(
        "          - {task: look_around}\n  search:",
        "          - {task: look_around}\n          - {task: look_around}\n  search:",
    )
}

#[test]
fn a_soldiers_tree_is_edited_while_the_match_goes_on() {
    let scene = crate::CATALOG.find("firefight").unwrap();
    let start = || scene.start(&scene.setup(1, Changes::default()).unwrap()).unwrap();
    let (mut edited, mut plain) = (start(), start());
    for _ in 0..400 {
        edited.step(&[], &Serial);
        plain.step(&[], &Serial);
    }
    assert_eq!(edited.hash(), plain.hash());
    let error = edited
        .editor_mut()
        .unwrap()
        .edit(reload::TREE, "sentir: tree 1\ntrees:\n  main: {task: dance}\n")
        .unwrap_err()
        .to_string();
    assert!(error.contains("soldier/tree.yaml:3") && error.contains("dance"), "{error}");
    assert_eq!(edited.hash(), plain.hash(), "a broken version changes nothing");
    let tree = calmer();
    assert_ne!(tree, sentir::squad::stock::TREE.1);
    edited.editor_mut().unwrap().edit(reload::TREE, &tree).unwrap();
    // What the edit did not touch goes on as it was.
    for tick in 0..200 {
        edited.step(&[], &Serial);
        plain.step(&[], &Serial);
        let bodies = |game: &dyn Match| game.hash_parts().iter().find(|part| part.0 == "bodies").unwrap().1;
        assert_eq!(bodies(&*edited), bodies(&*plain), "{tick} ticks later");
    }
    let file = edited.snapshot();
    let mut again = start();
    again.restore(&file).unwrap();
    assert_eq!(again.editor().unwrap().text(reload::TREE), Some(tree.as_str()));
    assert_eq!(again.hash(), edited.hash());
}

#[test]
fn tuning_and_queries_are_files_of_the_scene_too() {
    let scene = crate::CATALOG.find("firefight").unwrap();
    let mut game = scene.start(&scene.setup(1, Changes::default()).unwrap()).unwrap();
    let tuning = sentir::squad::stock::TUNING.1.replace("run_m_per_s: 3.8", "run_m_per_s: 2.9");
    game.editor_mut().unwrap().edit(reload::TUNING, &tuning).unwrap();
    let error = game
        .editor_mut()
        .unwrap()
        .edit("soldier/cover.yaml", "sentir: query 1\nname: x\npoints: []\n")
        .unwrap_err()
        .to_string();
    assert!(error.contains("soldier/cover.yaml"), "{error}");
    let mut fastest: f32 = 0.0;
    while game.ending().is_none() {
        game.step(&[], &Serial);
        let mut all = Vec::new();
        game.agents(&mut all);
        let soldiers = all.iter().filter(|it| it.team == SOLDIER_TEAM);
        fastest = soldiers.map(|it| it.body.velocity.length()).fold(fastest, sentir::core::math::max);
    }
    assert!(fastest < 3.3, "nobody runs: {fastest} m/s");
    let own = [("soldier/tuning.yaml".to_owned(), tuning)];
    let refused = [("soldier/tuning.yaml".to_owned(), "sentir: soldier 1\nsight_m: far\n".to_owned())];
    assert!(scene.start(&scene.setup(1, Changes { settings: &[], assets: &own }).unwrap()).is_ok());
    let error =
        scene.start(&scene.setup(1, Changes { settings: &[], assets: &refused }).unwrap()).err().unwrap().to_string();
    assert!(error.contains("soldier/tuning.yaml:"), "{error}");
}

#[test]
fn a_breakpoint_in_a_soldiers_tree_is_told_by_its_name() {
    let scene = crate::CATALOG.find("attack").unwrap();
    let mut game = scene.start(&scene.setup(1, Changes::default()).unwrap()).unwrap();
    let tree = sentir::squad::stock::TREE.1.replace(
        "            - {task: stand, with: {for_s: 0.6, reload: $wants_reload, reload_now: $must_reload}}",
        "            - {name: here, breakpoint: {task: stand, with: {for_s: 0.6, reload: $wants_reload, reload_now: $must_reload}}}",
    );
    game.editor_mut().unwrap().edit(reload::TREE, &tree).unwrap();
    let mut hits = Vec::new();
    while game.ending().is_none() {
        game.step(&[], &Serial);
        hits.extend(game.editor().unwrap().breakpoint());
    }
    assert!(!hits.is_empty() && hits.iter().all(|hit| hit.node == "here"), "{hits:?}");
}
