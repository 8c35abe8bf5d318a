//! Every rule is really played, and neither side is favored.

use super::*;
use sentir_harness::info::Changes;
use sentir_sim::input::Input;

/// Plays a match to its end.
fn play(seed: u64, changes: &[(&str, &str)]) -> Box<dyn Match> {
    let scene = crate::CATALOG.find("skirmish").unwrap();
    let changes: Vec<_> = changes.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
    let mut game = scene.start(&scene.setup(seed, Changes { settings: &changes, assets: &[] }).unwrap()).unwrap();
    while game.ending().is_none() {
        game.step(&[], &Serial);
    }
    game
}

#[test]
fn every_rule_is_played_by_both_sides() {
    let mut sums: Vec<(&str, f64)> = Vec::new();
    let mut endings = Vec::new();
    for seed in 0..8 {
        let game = play(seed, &[]);
        endings.extend(game.ending());
        for metric in game.metrics() {
            match sums.iter_mut().find(|(name, _)| *name == metric.name) {
                Some((_, sum)) => *sum += metric.value,
                None => sums.push((metric.name, metric.value)),
            }
        }
    }
    for (name, sum) in &sums {
        assert!(*sum > 0.0, "{name} is never played: {sums:?}");
    }
    assert!(endings.iter().any(|ending| ending.ends_with("wins")), "{endings:?}");
}

#[test]
fn the_sides_are_about_even() {
    let mut wins = [0, 0];
    for seed in 100..140 {
        match play(seed, &[("win", "last"), ("rounds", "1"), ("team", "2")]).ending() {
            Some("red wins") => wins[0] += 1,
            Some("blue wins") => wins[1] += 1,
            _ => {}
        }
    }
    assert!(wins.iter().all(|&count| count >= 13), "{wins:?} of 40");
    assert!(wins[0] + wins[1] >= 30, "{wins:?} of 40: too many draws");
}

#[test]
fn who_is_played_does_what_the_input_says() {
    let scene = crate::CATALOG.find("skirmish").unwrap();
    let changes = [("who".to_owned(), "input".to_owned()), ("team".to_owned(), "1".to_owned())];
    let mut skirmish = begin(&scene.setup(1, Changes { settings: &changes, assets: &[] }).unwrap()).unwrap();
    let fire = Input::quantized(0, Vec2::NEG_X, 0.0, 0.0, Stance::Stand, Actions::FIRE);
    let place =
        |skirmish: &SceneMatch<Skirmish>| skirmish.world().bodies.iter().next().map(|(_, walker)| walker.pose).unwrap();
    skirmish.step(&[fire], &Serial);
    let before = place(&skirmish);
    (0..30).for_each(|_| skirmish.step(&[], &Serial));
    assert!(place(&skirmish).position.x < before.position.x - 0.5, "walks west, as told");
    assert!(skirmish.world().sides[0].shots >= 4, "and fires");
}
