//! The story of `patrol`: what a guard must do, whatever the seed.

use super::*;
use sentir::core::state;
use sentir_harness::info::Changes;

fn start(seed: u64, changes: &[(&str, &str)]) -> Box<dyn Match> {
    let changes: Vec<_> = changes.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
    let scene = crate::CATALOG.find("patrol").unwrap();
    scene.start(&scene.setup(seed, Changes { settings: &changes, assets: &[] }).unwrap()).unwrap()
}

/// Plays to the end; the names of the guards' decisions, in order.
fn play(game: &mut dyn Match) -> Vec<u16> {
    let mut decisions = Vec::new();
    while game.ending().is_none() {
        game.step(&[], &Serial);
        decisions.extend(game.events().iter().filter_map(|event| match event.kind {
            EventKind::Decided { decision } if decision < Mode::Sneak as u16 => Some(decision),
            _ => None,
        }));
    }
    decisions
}

fn metric(game: &dyn Match, name: &str) -> f64 {
    game.metrics().iter().find(|metric| metric.name == name).unwrap().value
}

#[test]
fn the_guard_follows_gives_up_and_returns_to_its_round() {
    let mut stories = 0;
    for seed in 0..40 {
        let mut game = start(seed, &[]);
        let decisions = play(&mut *game);
        assert_ne!(game.ending(), Some(TIME_UP), "seed {seed} never ends");
        if game.ending() == Some("gave up") {
            stories += 1;
            let at = |mode: Mode| decisions.iter().position(|&one| one == mode as u16);
            assert!(at(Mode::Follow).is_some() && at(Mode::Search) > at(Mode::Follow), "seed {seed}: {decisions:?}");
            assert!(metric(&*game, "give_ups") >= 1.0);
            assert!(metric(&*game, "noticed_s") > 2.0 && metric(&*game, "least_distance_m") < 11.0);
            let last = decisions.last().copied();
            assert!(last == Some(Mode::Patrol as u16) || last == Some(Mode::Wait as u16));
        }
    }
    assert!(stories >= 14, "only {stories} of 40 seeds tell the whole story");
}

#[test]
fn a_faster_guard_catches_more() {
    let caught = |speed| {
        let ends_caught = |&seed: &u64| {
            let mut game = start(seed, &[("run_m_per_s", speed)]);
            play(&mut *game);
            game.ending() == Some("caught")
        };
        (0..40).filter(ends_caught).count()
    };
    let (slow, fast) = (caught("2"), caught("7"));
    assert!(fast >= 12 && fast > slow + 5, "{slow} caught by the slow one, {fast} by the fast one");
}

#[test]
fn a_blind_guard_notices_nobody_and_goes_on() {
    let mut game = start(3, &[("sight_m", "1")]);
    let decisions = play(&mut *game);
    assert_eq!(game.ending(), Some("unnoticed"));
    assert!(metric(&*game, "noticed_s").is_nan() && metric(&*game, "waypoints") >= 1.0);
    assert!(decisions.iter().all(|&one| one == Mode::Patrol as u16 || one == Mode::Wait as u16));
}

#[test]
fn guards_do_not_push_against_walls() {
    // Slow while it wants to be fast, for half a second on end, is pushing on the spot.
    for seed in 0..20 {
        let setup = crate::CATALOG.find("patrol").unwrap().setup(seed, Changes::default()).unwrap();
        let mut patrol = begin(&setup).unwrap();
        let mut stuck = 0;
        while patrol.ending().is_none() {
            patrol.step(&[], &Serial);
            for (it, motion) in patrol.brains().motions() {
                let wants = motion.velocity.length() > 0.5;
                let moves = it.body.velocity.length() > 0.2;
                stuck = if wants && !moves { stuck + 1 } else { 0 };
                assert!(stuck < 30, "seed {seed}: {} is stuck at {}", it.agent, it.body.pose.position);
            }
        }
    }
}

#[test]
fn a_person_moves_the_intruder() {
    let mut still = start(5, &[("intruder", "input")]);
    let mut moved = start(5, &[("intruder", "input")]);
    let input = Input::quantized(0, Vec2::new(-1.0, 0.0), 0.0, 0.0, Stance::Stand, Actions::default());
    for tick in 0..900 {
        still.step(&[], &Serial);
        moved.step(if tick == 600 { std::slice::from_ref(&input) } else { &[] }, &Serial);
        assert_eq!(still.hash() == moved.hash(), tick < 600, "at tick {tick}");
    }
}

#[test]
fn every_field_of_the_state_counts() {
    let followed = |seed| {
        let setup = crate::CATALOG
            .find("patrol")
            .unwrap()
            .setup(seed, Changes { settings: &[("guards".to_owned(), "2".to_owned())], assets: &[] })
            .unwrap();
        let mut patrol = begin(&setup).unwrap();
        while patrol.world().tally.follows == 0 && patrol.ending().is_none() {
            patrol.step(&[Input { player: 0, east: 3, ..Input::default() }], &Serial);
        }
        (patrol.world().tally.follows > 0).then_some(patrol)
    };
    let patrol = (0..20).find_map(followed).expect("one seed of twenty has a chase");
    let report = patrol.perturb();
    assert!(report.len() > 150);
    for one in report {
        match one.outcome {
            state::Noticed::Yes => {}
            state::Noticed::Refused(why) => {
                // `places`: the table by which bodies are found has to fit their keys.
                let is_checked = [
                    "agent",
                    "key",
                    "team",
                    "squad",
                    "members",
                    "generation",
                    "rate",
                    "version",
                    "kept_from",
                    "places",
                ];
                let may = one.is_shape || is_checked.iter().any(|word| one.path.contains(word));
                assert!(may, "{} was refused: {why}", one.path);
            }
            state::Noticed::No => panic!("{} can change unnoticed", one.path),
        }
    }
}
