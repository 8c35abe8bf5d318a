//! The guard and the soldier: what they must do, whatever their brain.

use super::*;
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
    game.metrics().iter().find(|metric| metric.name == name).unwrap().value
}

#[test]
fn every_brain_patrols_investigates_talks_fights_and_flees() {
    for (brain, ..) in stock::GUARD {
        let game = play("guard", 3, &[("brain", brain)]);
        for activity in ["patrol_s", "investigate_s", "talk_s", "attack_s", "flee_s"] {
            assert!(metric(&*game, activity) > 0.5, "{brain}: {activity} {:?}", game.metrics());
        }
        assert!(metric(&*game, "answered") >= 1.0 && metric(&*game, "won") >= 1.0, "{brain}: {:?}", game.metrics());
    }
}

#[test]
fn after_a_call_the_guard_goes_back_to_the_leg_it_left() {
    let mut back = 0.0;
    for (brain, ..) in stock::GUARD {
        for seed in 0..4 {
            let game = play("guard", seed, &[("brain", brain)]);
            assert_eq!(metric(&*game, "back_to_another_leg"), 0.0, "{brain}, seed {seed}");
            back += metric(&*game, "back_to_the_same_leg");
        }
    }
    assert!(back >= 16.0, "{back} calls were answered from a leg");
}

#[test]
fn a_coward_flees_more_than_a_hero() {
    let flees = |nerve| (0..4).map(|seed| metric(&*play("guard", seed, &[("nerve", nerve)]), "flee_s")).sum::<f64>();
    let (hero, coward) = (flees("0.1"), flees("0.8"));
    assert!(coward > hero + 1.0, "{hero} s and {coward} s");
}

#[test]
fn the_soldier_shoots_while_it_has_rounds_and_else_uses_its_knife() {
    let (mut rifle, mut knife) = (0.0, 0.0);
    for seed in 0..6 {
        let game = play("soldier-plan", seed, &[]);
        assert_eq!(metric(&*game, "shots_without_rounds"), 0.0, "seed {seed}");
        rifle += metric(&*game, "by_rifle");
        knife += metric(&*game, "by_knife");
        // It stands watch with the room in view: nobody stays unseen.
        let dealt_with = metric(&*game, "by_rifle") + metric(&*game, "by_knife");
        let targets = metric(&*game, "targets");
        assert!(targets >= 6.0 && dealt_with >= targets - 1.0, "seed {seed}: {dealt_with} of {targets}");
    }
    assert!(rifle >= 6.0 && knife >= 6.0, "{rifle} by rifle, {knife} by knife");
}
