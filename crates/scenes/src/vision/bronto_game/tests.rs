//! That Bronto gets along by its eyes, that each defect is one of the old way and none of ours, and that what it does not see
//! does not matter.

use sentir::core::state;

use super::super::{bronto, bronto_ball, bronto_level, driver, higher_floor, looking_for, missile, perspective};
use super::*;
use sentir_harness::game_match::Match;
use sentir_harness::info::{Changes, SceneInfo};

fn start(scene: &SceneInfo, seed: u64, changes: &[(&str, &str)]) -> Box<dyn Match> {
    let changes: Vec<_> = changes.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    scene.start(&scene.setup(seed, Changes { settings: &changes, assets: &[] }).unwrap()).unwrap()
}

fn played(scene: &SceneInfo, seed: u64, changes: &[(&str, &str)]) -> impl Fn(&str) -> f64 + use<> {
    let mut game = start(scene, seed, changes);
    while game.ending().is_none() {
        game.step(&[], &Serial);
    }
    let metrics = game.metrics();
    move |name: &str| metrics.iter().find(|metric| metric.name == name).unwrap().value
}

#[test]
fn a_low_box_holds_the_old_way_and_not_ours() {
    for seed in 1..=4 {
        let metric = played(&higher_floor::SCENE, seed, &[("seconds", "25")]);
        assert!(metric("source_stuck_times") >= 1.0, "{seed}");
        assert_eq!(metric("ours_stuck_times"), 0.0, "{seed}");
        assert!(metric("ours_longest_stand_s") < 3.0, "{seed}: {}", metric("ours_longest_stand_s"));
    }
}

#[test]
fn a_narrow_gap_holds_the_old_way_and_not_ours() {
    for seed in 1..=4 {
        let metric = played(&perspective::SCENE, seed, &[("seconds", "30")]);
        assert!(metric("source_stuck_times") >= 1.0, "{seed}");
        assert_eq!(metric("ours_stuck_times"), 0.0, "{seed}");
        assert!(metric("ours_longest_stand_s") < 3.0, "{seed}: {}", metric("ours_longest_stand_s"));
    }
}

#[test]
fn what_is_behind_an_open_stair_is_reached_by_ours_alone() {
    for seed in 1..=4 {
        let metric = played(&looking_for::SCENE, seed, &[("seconds", "25")]);
        assert!(metric("source_stuck_times") >= 1.0 && metric("source_taken") == 0.0, "{seed}");
        assert!(metric("ours_stuck_times") == 0.0 && metric("ours_taken") >= 1.0, "{seed}");
        assert!(metric("ours_longest_stand_s") < 3.0, "{seed}: {}", metric("ours_longest_stand_s"));
    }
}

#[test]
fn ours_lives_on_every_level_and_is_never_stuck() {
    for (seed, level) in [(1, "rooms"), (2, "hall"), (3, "warren"), (4, "rooms")] {
        let metric = played(&bronto::SCENE, seed, &[("seconds", "150"), ("level", level), ("width", "80")]);
        assert_eq!(metric("stuck_s"), 0.0, "{level}: {}", metric("longest_stand_s"));
        assert!(metric("walked_m") > 120.0, "{level}: {}", metric("walked_m"));
        assert!(metric("health_taken") + metric("ammo_taken") >= 4.0, "{level}");
    }
}

#[test]
fn balls_are_caught_by_who_is_well_and_avoided_by_who_is_not() {
    let well = played(
        &bronto_ball::SCENE,
        1,
        &[("seconds", "60"), ("level", "hall"), ("health_loss", "0"), ("ammo_loss", "0")],
    );
    assert!(well("caught") >= 3.0 && well("avoids") == 0.0, "{} {}", well("caught"), well("avoids"));
    let unwell =
        [("seconds", "60"), ("level", "hall"), ("start_health", "60"), ("health_loss", "0"), ("health_gain", "0")];
    let unwell = played(&bronto_ball::SCENE, 1, &unwell);
    assert!(unwell("avoids") >= 2.0 && unwell("caught") == 0.0, "{} {}", unwell("avoids"), unwell("caught"));
}

#[test]
fn without_anything_to_take_health_ends_at_170_s() {
    let metric =
        played(&bronto::SCENE, 1, &[("seconds", "200"), ("health_gain", "0"), ("ammo_gain", "0"), ("width", "40")]);
    // A health of nothing starts the time anew, so that it may take a little longer.
    assert!(metric("survived_s") >= 170.0 && metric("survived") == 0.0, "{}", metric("survived_s"));
}

#[test]
fn what_was_taken_is_neither_there_nor_seen_until_it_is_back() {
    let setup = bronto::SCENE.setup(1, Changes::default()).unwrap();
    let (host, brains, mut world) = stage(&setup, "hall.yaml").unwrap();
    let supply = host.supplies[0];
    let eye = sentir_vision::Eye { position: supply.position + Vec3::new(0.0, 1.5, 2.0), yaw: 0.0, pitch: -0.6 };
    let sees = |world: &World, now: Tick| {
        let view = host.seen(world, &eye, Way::Ours, now).unwrap();
        (0..120).any(|row| (0..160).any(|column| view.class(column, row) == supply.class))
    };
    assert!(sees(&world, brains.tick()));
    world.back_at[0] = Tick(600);
    assert!(!sees(&world, Tick(599)) && sees(&world, Tick(600)));
}

#[test]
fn what_it_does_not_see_changes_nothing() {
    let setup =
        bronto::SCENE.setup(3, Changes { settings: &[("width".to_owned(), "80".to_owned())], assets: &[] }).unwrap();
    let (mut hidden, mut shown) = (0, 0);
    for seed in 0..40u64 {
        let mut random = Streams { seed }.stream(0, Purpose::new("meddle"));
        let play = |meddle: Option<Ball>| {
            let (host, brains, mut world) = stage(&setup, "rooms.yaml").unwrap();
            world.balls.extend(meddle);
            let mut game = SceneMatch::new(host, brains, world);
            game.step(&[], &Serial);
            let agent = game.brains().agent_of(HostKey(0)).unwrap();
            let (brain, beliefs) = (game.brains().brain(agent).unwrap(), game.brains().beliefs(agent).unwrap());
            state::hash(&(state::hash(brain), state::hash(beliefs)))
        };
        let place = Vec3::new(random.between(-15.0, 15.0), random.between(0.5, 2.0), random.between(-11.0, 11.0));
        let ball = Ball { position: place, velocity: Vec3::new(0.0, 0.0, 1.0) };
        let (host, brains, mut world) = stage(&setup, "rooms.yaml").unwrap();
        let agent = brains.agent_of(HostKey(0)).unwrap();
        let body = brains.presence(agent).unwrap().body;
        let eye = brains.brain(agent).unwrap().bronto.eye(&host.mind.config(0), body.eye(), body.pose.yaw);
        world.balls.push(ball);
        let view = host.seen(&world, &eye, Way::Ours, Tick(0)).unwrap();
        let is_seen = (0..60).any(|row| (0..80).any(|column| view.class(column, row) == sentir_vision::ENEMY));
        let is_same = play(None) == play(Some(ball));
        assert!(is_seen || is_same, "a ball at {place} was not seen and mattered");
        hidden += u32::from(!is_seen);
        shown += u32::from(is_seen && !is_same);
    }
    assert!(hidden >= 10 && shown >= 1, "{hidden} hidden, {shown} seen and minded");
}

#[test]
fn who_senses_seldom_looks_as_often_as_it_senses() {
    let setup =
        bronto::SCENE.setup(1, Changes { settings: &[("width".to_owned(), "40".to_owned())], assets: &[] }).unwrap();
    for importance in [Importance::Full, Importance::Near, Importance::Far, Importance::Least] {
        let (host, mut brains, world) = stage(&setup, "hall.yaml").unwrap();
        let agent = brains.agent_of(HostKey(0)).unwrap();
        brains.set_importance(agent, importance);
        let every = brains.config().detail_of(importance).sense_every.max(6);
        let mut game = SceneMatch::new(host, brains, world);
        let mut last = None;
        for tick in 0..120u64 {
            game.step(&[], &Serial);
            last = game.brains().beliefs(agent).unwrap().percept.at.or(last);
            let since = last.map_or(tick + 1, |last| Tick(tick).since(last));
            assert!(since < 2 * u64::from(every), "{importance:?} at {tick}");
        }
    }
}

#[test]
fn eyes_that_the_brain_does_not_need_make_no_picture() {
    let game = |balls: &str| {
        let changes = [("width", "40"), ("mind", "source-away"), ("level", "hall"), ("balls", balls)];
        let changes: Vec<_> = changes.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let setup = bronto::SCENE.setup(3, Changes { settings: &changes, assets: &[] }).unwrap();
        let (host, brains, world) = stage(&setup, "hall.yaml").unwrap();
        let mut game = SceneMatch::new(host, brains, world);
        let (mut idle, mut looks) = (0, 0);
        for _ in 0..900 {
            let agent = game.brains().agent_of(HostKey(0)).unwrap();
            let was_idle = game.brains().intents(agent).unwrap().attention.is_idle;
            let now = game.brains().tick();
            game.step(&[], &Serial);
            let percept = &game.brains().beliefs(agent).unwrap().percept;
            if percept.at == Some(now) {
                let is_blank = percept.objects.is_empty() && percept.landmarks.is_empty();
                assert!(!was_idle || is_blank, "{now:?}");
                idle += u32::from(was_idle);
                looks += 1;
            }
        }
        (idle, looks)
    };
    let (idle, looks) = game("0");
    assert!(looks == 150 && idle > 50 && idle < 150, "{idle} of {looks}");
    let (idle, _) = game("3");
    assert!(idle < 50, "something may fly at it: {idle}");
}

#[test]
fn odd_levels_and_thresholds_are_refused_with_a_sentence() {
    let refusal = |changes: &[(&str, &str)], text: &str| {
        let changes: Vec<_> = changes.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let setup = bronto_level::SCENE
            .setup(1, Changes { settings: &changes, assets: &[("level.yaml".to_owned(), text.to_owned())] })
            .unwrap();
        bronto_level::SCENE.start(&setup).err().unwrap().to_string()
    };
    let floor = "name: t\nsolids:\n- slab: {outline: [[0, 0], [9, 0], [9, 9], [0, 9]]}\n";
    assert!(refusal(&[], floor).contains("expected at least one spawn"));
    let begun = format!("{floor}spawns:\n- {{team: a, at: [4, 4]}}\n");
    assert!(refusal(&[("health_low", "80")], &begun).contains("expected 0 < low < high < 100"));
    assert!(refusal(&[], "nonsense").contains("level.yaml:1"));
}

#[test]
fn a_level_of_another_program_is_given_by_its_bytes() {
    use sentir_harness::info::embedded;
    let start = |content: String| {
        bronto_level::SCENE
            .start(
                &bronto_level::SCENE
                    .setup(1, Changes { settings: &[], assets: &[("level.yaml".to_owned(), content)] })
                    .unwrap(),
            )
            .err()
            .unwrap()
            .to_string()
    };
    // A floor without a spawn, as a mesh; then a file that is cut off, and one that is none.
    let mesh = "v -5 0 -5\nv 5 0 -5\nv 5 0 5\nv -5 0 5\nf 1 4 3 2\n";
    assert!(start(embedded(mesh.as_bytes(), "obj")).contains("expected at least one spawn"));
    assert!(start(embedded(b"IBSP", "bsp")).contains("level.yaml.bsp"));
    assert!(start(embedded(&[0, 255], "what")).contains("level.yaml.what"));
    assert!(start("data:bsp,xyz".to_owned()).contains("level.yaml:"));
}

#[test]
fn a_ball_keeps_its_speed_and_stays_in_the_hall() {
    let setup = bronto_ball::SCENE.setup(5, Changes::default()).unwrap();
    let (host, _, mut world) = stage(&setup, "hall.yaml").unwrap();
    let bounds = host.level.bounds();
    for _ in 0..3000 {
        let view = sentir_level::LevelView { level: &host.level, state: &world.bodies.level };
        for ball in &mut world.balls {
            ball.fly(&view, RATE.tick_s());
            assert!((ball.velocity.length() - 2.5).abs() < 1e-2);
            let (low, high) = (bounds.low - Vec3::splat(0.1), bounds.high + Vec3::Y * 100.0);
            assert!(ball.position.cmpge(low).all() && ball.position.cmple(high).all(), "{}", ball.position);
        }
    }
}

#[test]
fn the_driver_laps_its_track_without_being_held_up() {
    for seed in 1..=2 {
        let metric = played(&driver::SCENE, seed, &[("seconds", "60")]);
        assert!(metric("laps") > 2.0, "{}", metric("laps"));
        assert!(metric("held_s") < 1.0, "{}", metric("held_s"));
    }
}

#[test]
fn missiles_hit_what_is_hot_and_the_gun_hits_missiles() {
    let (mut alone, mut defended) = (0.0, 0.0);
    for seed in 1..=3 {
        let metric = played(&missile::SCENE, seed, &[("gun", "off"), ("seconds", "60")]);
        assert!(metric("hits") >= 3.0 && metric("hits") > metric("missed"), "{} {}", metric("hits"), metric("missed"));
        alone += metric("hits");
        let metric = played(&missile::SCENE, seed, &[("seconds", "60")]);
        assert!(metric("shot_down") >= 1.0, "{}", metric("shot_down"));
        defended += metric("hits");
    }
    assert!(defended < alone, "{defended} with the gun, {alone} without");
}
