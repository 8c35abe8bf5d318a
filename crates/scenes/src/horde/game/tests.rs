//! The rules are played, the pool allocates nothing, the minds have the figures of the source, and nobody cheats.

use super::registry::FILES;
use super::rules::{Rules, schema};
use super::*;
use sentir_harness::game_match::Match;
use sentir_harness::info::{Changes, SceneInfo};
use sentir_think::key::Keys;
use sentir_think::tree::asset::Library;

fn scene(name: &str) -> &'static SceneInfo {
    crate::CATALOG.find(name).unwrap()
}

fn pairs(changes: &[(&str, &str)]) -> Vec<(String, String)> {
    changes.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// A match at its beginning.
fn start(name: &str, seed: u64, changes: &[(&str, &str)]) -> Box<dyn Match> {
    let scene = scene(name);
    scene.start(&scene.setup(seed, Changes { settings: &pairs(changes), assets: &[] }).unwrap()).unwrap()
}

fn metric(game: &dyn Match, name: &str) -> f64 {
    game.metrics().iter().find(|it| it.name == name).map(|it| it.value).unwrap()
}

/// Plays a match to its end.
fn play(name: &str, seed: u64, changes: &[(&str, &str)]) -> Box<dyn Match> {
    let mut game = start(name, seed, changes);
    while game.ending().is_none() {
        game.step(&[], &Serial);
    }
    game
}

#[test]
fn the_schema_of_the_rules_is_the_one_beside_them() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/horde/rules.schema.json");
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    // Compared as values: the order of keys is no matter.
    let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).ok();
    if value(&kept) != value(&schema()) {
        std::fs::write(path, schema()).unwrap();
        panic!("the schema was not current: it is written anew now, look at it and commit it");
    }
}

#[test]
fn a_wrong_rule_is_refused_with_a_sentence() {
    let stock = scene("horde").assets.iter().find(|(name, _)| *name == RULES).unwrap().1;
    let refusal = |from: &str, to: &str| {
        let text = stock.replacen(from, to, 1);
        assert_ne!(text, stock);
        Rules::read(&text, RULES).unwrap_err().to_string()
    };
    assert!(refusal("near_m:", "nera_m:").contains("near_m"), "{}", refusal("near_m:", "nera_m:"));
    assert!(refusal("node_count: 3", "node_count: 9").contains("1 to 8 nodes"));
    assert!(refusal("interval_s: 0.1,", "interval_s: 0,").contains("interval of 0.01 s"));
    assert!(refusal("radius_m: 0.3", "radius_m: 9").contains("radius of 0.1 to 1.5 m"));
    let bad = pairs(&[("rules.yaml", &stock.replacen("dummy: dummy_v2", "dummy: dumy_v2", 1))]);
    let scene = scene("horde");
    let setup = scene.setup(1, Changes { settings: &[], assets: &bad }).unwrap();
    let said = scene.start(&setup).err().unwrap().to_string();
    assert!(said.contains("there is no mind 'dumy_v2', did you mean 'dummy_v2'?"), "{said}");
}

#[test]
fn the_shapes_of_the_minds_give_the_figures_of_the_source() {
    // Nodes but the root over nodes with children, the same when every sequence fails at once, and depth. The source says a
    // depth of 3 for barker_v2, whose deepest leaves are a step further down.
    let expected = [
        ("dummy_v1", (10, 4), (7, 4), 2),
        ("dummy_v2", (15, 6), (10, 6), 3),
        ("dummy_v3", (15, 6), (10, 6), 3),
        ("dummy_v4", (15, 6), (10, 6), 3),
        ("barker_v1", (14, 5), (9, 5), 2),
        ("barker_v2", (19, 8), (9, 5), 4),
        ("barker_v3", (18, 7), (12, 6), 4),
        ("barker_v4", (18, 7), (12, 6), 4),
    ];
    for (name, branching, effective, depth) in expected {
        let file = format!("horde/{name}.yaml");
        let text = FILES.iter().find(|(known, _)| *known == file).unwrap().1;
        let library = Library::read(&Keys::default(), [(file.as_str(), text.as_bytes())]).unwrap();
        let found = library.tree("main", &registry::leaves()).unwrap().analyze();
        assert_eq!((found.branching.nodes, found.branching.branches), branching, "{name}");
        assert_eq!((found.effective.nodes, found.effective.branches), effective, "{name}");
        assert_eq!(found.depth, depth, "{name}");
    }
}

#[test]
fn rounds_bring_the_same_pool_back_stronger_and_their_change_allocates_nothing() {
    let settings = [("difficulty", "easy"), ("rounds", "3"), ("director", "off"), ("seconds", "600")];
    let (scene, mut changes) = (scene("horde"), 0);
    let setup = scene.setup(3, Changes { settings: &pairs(&settings), assets: &[] }).unwrap();
    let mut game = plan::begin(&setup, horde_plan(&setup)).unwrap();
    let pool = game.world().zombies.len();
    let mut number = 1;
    while game.ending().is_none() && changes < 2 {
        let is_change = game.world().round.break_until.is_some_and(|until| game.brains().tick() + 1 >= until);
        let counted = allocation_counter::measure(|| game.step(&[], &Serial));
        assert_eq!(game.world().zombies.len(), pool, "the pool never grows");
        let now = game.world().round.number;
        if now != number {
            assert!(is_change && now == number + 1);
            assert_eq!(counted.count_total, 0, "the change to round {now} allocates");
            (number, changes) = (now, changes + 1);
            assert_eq!(game.world().left() as usize, pool);
        }
    }
    assert!(changes >= 1, "the bot did not survive a round: {:?}", game.ending());
}

/// The plan of `horde` on easy, for tests that look closer.
fn horde_plan(setup: &sentir_harness::info::Setup) -> Plan {
    let rules = plan::rules(setup).unwrap();
    let base = Plan::new(setup, TickRate::new(60), ARENA).difficulty(rules.rounds.count, &rules.difficulty.easy);
    Plan { rounds: 3, ..base }
}

#[test]
fn alarms_bring_them_and_without_alarms_they_stay_where_they_are() {
    let sum = |changes: &[(&str, &str)], name: &str| -> f64 {
        (0..6).map(|seed| metric(&*play("horde-battery", seed, changes), name)).sum()
    };
    let base = [("version", "v3"), ("seconds", "40")];
    let (with, without) = (base, [base[0], base[1], ("alarms", "off")]);
    assert!(sum(&with, "alarms") > 0.0 && sum(&without, "alarms") == 0.0);
    assert!(sum(&with, "hits_taken") > sum(&without, "hits_taken"), "an alarm brings more bites");
}

#[test]
fn seats_are_lost_by_the_bug_alone() {
    let lost = |seats: &str| -> f64 {
        let changes = [("version", "v4"), ("seats", seats), ("seconds", "40")];
        (0..4).map(|seed| metric(&*play("horde-battery", seed, &changes), "lost_seats")).sum()
    };
    assert_eq!(lost("sound"), 0.0);
    assert!(lost("seats_kept") > 0.0);
}

#[test]
fn a_touch_of_the_prototype_loses() {
    let endings: Vec<_> = (0..6).filter_map(|seed| play("horde-prototype", seed, &[("count", "8")]).ending()).collect();
    assert!(endings.contains(&"lost"), "{endings:?}");
}

#[test]
fn every_kind_does_what_it_is_for() {
    let mut throws = 0.0;
    for seed in 0..4 {
        throws += metric(&*play("horde-kinds", seed, &[("each", "2"), ("seconds", "40")]), "throws");
    }
    assert!(throws > 0.0, "throwers throw");
}
