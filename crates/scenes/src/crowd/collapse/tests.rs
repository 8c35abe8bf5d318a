//! What `collapse` must show.

use sentir::core::plane;
use sentir::prelude::*;

use super::mind::WalkerBrain;
use super::{Ruin, SCENE, begin, script};
use crate::walk_scene::play;
use sentir_harness::game_match::Match;
use sentir_harness::info::Changes;
use sentir_harness::scene_match::SceneMatch;

#[test]
fn fifty_people_get_along_while_walls_fall() {
    for seed in 1..=8 {
        let (_, metric) = play("collapse", seed, &[("seconds", "90")]);
        assert!(metric("trips") >= 150.0, "{} trips", metric("trips"));
        assert!(metric("slabs_fallen") >= 3.0 && metric("doors_turned") >= 3.0, "nothing happens with seed {seed}");
        assert_eq!((metric("in_walls"), metric("changes_refused")), (0.0, 0.0), "seed {seed}");
        for cause in ["failed_bad_goal", "failed_out_of_budget", "failed_stuck"] {
            assert_eq!(metric(cause), 0.0, "{cause} with seed {seed}");
        }
        // Nobody is stuck where a way exists: not by itself, nor in a crowd, which holds people up for a while.
        assert!(metric("stood_share") < 0.005, "{}", metric("stood_share"));
        for (count, longest) in [("stuck_with_a_way", "longest_stall_s"), ("jammed_with_a_way", "longest_jam_s")] {
            let (count, longest_s) = (metric(count), metric(longest));
            assert!(count == 0.0 && longest_s < 2.0, "seed {seed}: {count} times, for {longest_s} s at most");
        }
    }
}

#[test]
fn without_a_crowd_nobody_is_stuck_where_a_way_exists() {
    for seed in 1..=6 {
        let (_, metric) = play("collapse", seed, &[("count", "3"), ("seconds", "120")]);
        assert_eq!(metric("stuck_with_a_way"), 0.0, "seed {seed}: {} s", metric("longest_stall_s"));
        assert!(metric("longest_stall_s") <= 2.0 && metric("in_walls") == 0.0, "seed {seed}");
        assert!(metric("trips") > 8.0, "{} trips with seed {seed}", metric("trips"));
    }
}

/// A match with few people and no script.
fn quiet(sight: &str) -> SceneMatch<Ruin> {
    let settings = [("count", "1"), ("seconds", "600"), ("script", "off"), ("sight", sight)];
    let settings = settings.map(|(name, value)| (name.to_owned(), value.to_owned()));
    begin(&SCENE.setup(7, Changes { settings: &settings, assets: &[] }).unwrap()).unwrap()
}

/// Puts the one person somewhere, on the way to a place.
fn send(game: &mut SceneMatch<Ruin>, from: Vec2, to: Option<Vec2>) {
    let (brains, world) = game.parts_mut();
    let agent = brains.agent_of(HostKey(0)).unwrap();
    let yaw = to.map_or(0.0, |to| plane::yaw(to - from));
    world.bodies.remove(HostKey(0));
    let walker = *world.bodies.add(HostKey(0), 0, Pose { position: plane::lift(from, 0.02), yaw });
    brains.teleport(agent, walker.pose);
    brains.observe(agent, walker.body());
    let errand = to.map_or(WalkerBrain::Stay, |to| WalkerBrain::To(plane::lift(to, 0.0)));
    brains.notify(agent, errand);
}

fn place(game: &SceneMatch<Ruin>) -> Vec2 {
    plane::ground(game.world().bodies.walker(HostKey(0)).unwrap().pose.position)
}

/// Walks until it is there; how near it came to a point, how far it walked and how long it took.
fn walked(game: &mut SceneMatch<Ruin>, to: Vec2, past: Vec2) -> (f32, f32, u32) {
    let (mut near_m, mut way_m) = (f32::INFINITY, 0.0);
    for tick in 0..3000 {
        let here = place(game);
        if here.distance(to) < 0.6 {
            return (near_m, way_m, tick);
        }
        game.step(&[], &Serial);
        near_m = sentir::core::math::min(near_m, here.distance(past));
        way_m += here.distance(place(game));
    }
    panic!("still at {} after {way_m} m", place(game));
}

/// Shuts the door in the southwest, and lets it come to rest.
fn shut(game: &mut SceneMatch<Ruin>) {
    let level = sentir_level::parse(SCENE.assets[0].1.as_bytes(), "collapse.yaml").unwrap().build().unwrap();
    let door = level.piece_named("door southwest").unwrap();
    game.parts_mut().1.bodies.level.close_door(&level, door);
    (0..60).for_each(|_| game.step(&[], &Serial));
}

#[test]
fn who_could_not_know_of_a_shut_door_walks_to_it_first() {
    let door = Vec2::new(-8.0, -3.4);
    let (from, to) = (Vec2::new(-12.0, -6.0), Vec2::new(-4.0, -4.0));
    // Sees it shut.
    let mut game = quiet("18");
    send(&mut game, from, None);
    shut(&mut game);
    send(&mut game, from, Some(to));
    let saw = walked(&mut game, to, door);
    // Twin: was north of the wall when it shut, and has short sight now.
    let mut game = quiet("18");
    send(&mut game, Vec2::new(-12.0, 6.0), None);
    shut(&mut game);
    let mut blind = quiet("0");
    send(&mut blind, Vec2::new(-12.0, 6.0), None);
    shut(&mut blind);
    send(&mut blind, from, Some(to));
    let felt = walked(&mut blind, to, door);
    assert!(felt.0 < 1.5 && saw.0 > 3.0, "came as near as {} m, and {} m who saw it", felt.0, saw.0);
    assert!(felt.1 > saw.1 + 4.0, "{} m and {} m", felt.1, saw.1);
    // It may touch the door again while it turns.
    let figures = &blind.world().figures;
    assert!((1..=2).contains(&figures.felt) && figures.trips.failed == [0; 4], "felt {}", figures.felt);
    // From where it cannot see the door it sets out for it, and turns back when it comes into sight.
    let before = Vec2::new(-22.0, 6.0);
    send(&mut game, before, Some(to));
    game.step(&[], &Serial);
    game.step(&[], &Serial);
    let agent = game.brains().agent_of(HostKey(0)).unwrap();
    let ahead = game.brains().motor(agent).unwrap().follower.ahead().to_vec();
    let passes = |corners: &[Vec3]| corners.windows(2).any(|pair| is_through([pair[0], pair[1]], door));
    assert!(passes(&ahead), "{ahead:?}");
    let honest = walked(&mut game, to, door);
    assert!(honest.1 > 20.0 && game.world().figures.felt == 0, "{honest:?}");
}

/// Whether a stretch crosses the wall of a door within the door.
fn is_through(ends: [Vec3; 2], door: Vec2) -> bool {
    let [a, b] = ends.map(plane::ground);
    let share = (door.x - a.x) / (b.x - a.x);
    (0.0..=1.0).contains(&share) && (a.y + (b.y - a.y) * share - door.y).abs() < 1.6
}

#[test]
fn who_leaves_leaves_nothing_behind() {
    let mut game = quiet("18");
    send(&mut game, Vec2::new(-12.0, -6.0), Some(Vec2::new(-4.0, -4.0)));
    shut(&mut game);
    (0..5).for_each(|_| game.step(&[], &Serial));
    let (brains, world) = game.parts_mut();
    let agent = brains.agent_of(HostKey(0)).unwrap();
    assert!(!brains.senses(agent).unwrap().knowledge.beliefs().is_empty());
    // The crate moves all the time: what it left is believed in by nobody else.
    assert!(brains.despawn(agent));
    world.bodies.remove(HostKey(0));
    world.stills.clear();
    (0..60).for_each(|_| game.step(&[], &Serial));
    let world = game.world();
    assert_eq!(world.obstacles.footprints().filter(|it| it.is_ghost()).count(), 0);
    assert!(game.brains().squads().all(|(_, members, it)| members.is_empty() && it.open_count() == 0));
}

#[test]
fn a_slab_waits_for_who_stands_in_its_way_and_he_goes() {
    for sight in ["18", "0"] {
        let mut game = quiet(sight);
        let passage = Vec2::new(-7.4, 11.4);
        send(&mut game, passage, None);
        let level = sentir_level::parse(SCENE.assets[0].1.as_bytes(), "collapse.yaml").unwrap().build().unwrap();
        let slab = level.piece_named("slab northwest").unwrap();
        let table =
            sentir_nav::bake::level(&level, &sentir_level::LevelState::new(&level), &Default::default(), &super::BAKE);
        let now = game.brains().tick();
        script::turn(&level, &table.unwrap(), slab, now, game.parts_mut().1).unwrap();
        send(&mut game, passage, Some(Vec2::new(-16.0, 7.0)));
        for _ in 0..300 {
            game.step(&[], &Serial);
        }
        let world = game.world();
        assert_eq!(world.figures.inside, 0);
        assert_eq!(world.bodies.level.piece(slab).unwrap().openness, 1.0, "sight {sight}");
        assert!(place(&game).distance(passage) > 2.0);
    }
}

#[test]
fn every_field_of_the_state_counts() {
    let mut game = quiet("18");
    (0..40).for_each(|_| game.step(&[], &Serial));
    assert!(game.perturb().iter().all(|one| one.outcome != sentir::core::state::Noticed::No));
    assert!(game.metrics().len() > 15);
}
