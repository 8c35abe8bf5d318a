//! What the formation scenes must show, whatever the seed.

use super::*;
use march::SQUAD;
use mind::{Task, What};
use sentir::core::{plane, state};
use sentir_act::formation::{Formation, Recruit};
use sentir_harness::info::Changes;
use sentir_sim::input::Input;
use world::{formation, leader};

fn start(scene: &str, seed: u64, changes: &[(&str, &str)]) -> Box<dyn Match> {
    let changes: Vec<_> = changes.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
    let scene = crate::CATALOG.find(scene).unwrap();
    scene.start(&scene.setup(seed, Changes { settings: &changes, assets: &[] }).unwrap()).unwrap()
}

fn metric(game: &dyn Match, name: &str) -> f64 {
    game.metrics().iter().find(|metric| metric.name == name).unwrap().value
}

fn play(game: &mut dyn Match) {
    while game.ending().is_none() {
        game.step(&[], &Serial);
    }
}

#[test]
fn every_pattern_marches_round_the_corners_through_the_door_and_comes_to_rest() {
    for pattern in PATTERNS {
        for seed in 0..2 {
            let mut game = start("formation", seed, &[("pattern", pattern)]);
            play(&mut *game);
            let figures = game.metrics();
            assert_eq!(game.ending(), Some("in formation"), "{pattern} {seed}: {figures:?}");
            assert!(metric(&*game, "corner_error_m") < 1.0, "{pattern} {seed}: {figures:?}");
            assert!(
                metric(&*game, "form_s") < 10.0 && metric(&*game, "arrive_s") < 70.0,
                "{pattern} {seed}: {figures:?}"
            );
            assert!(metric(&*game, "error_mean_m") < 0.5, "{pattern} {seed}: {figures:?}");
            assert!(metric(&*game, "rest_m") < 0.03, "{pattern} {seed}: {figures:?}");
        }
    }
}

#[test]
fn hard_roles_break_no_rule_and_soft_roles_leave_no_slot_empty() {
    for mix in ["even", "foot", "shadows", "chance"] {
        for pattern in ["fixed1", "squares", "triangle"] {
            let set = |roles| [("roles", roles), ("mix", mix), ("pattern", pattern), ("count", "9")];
            let mut hard = start("formation-roles", 5, &set("hard"));
            play(&mut *hard);
            assert_eq!(hard.ending(), Some("in formation"), "{mix} {pattern}: {:?}", hard.metrics());
            assert_eq!((metric(&*hard, "rules_broken"), metric(&*hard, "role_cost")), (0.0, 0.0));
            let mut soft = start("formation-roles", 5, &set("soft"));
            play(&mut *soft);
            assert_eq!(soft.ending(), Some("in formation"), "{mix} {pattern}: {:?}", soft.metrics());
            assert_eq!(metric(&*soft, "empty_slots_max"), 0.0);
            // Of nine, three deaths and three joins move few.
            assert!(metric(&*soft, "reassigned") <= 8.0, "{mix} {pattern}: {:?}", soft.metrics());
        }
    }
    let mut foot = start("formation-roles", 5, &[("mix", "foot"), ("pattern", "fixed1")]);
    play(&mut *foot);
    assert!(metric(&*foot, "empty_slots_max") >= 1.0, "foot has nobody for the flank");
}

#[test]
fn a_march_succeeds_only_at_its_goal() {
    for pattern in ["fixed1", "fixed2", "circle", "squares"] {
        for mix in ["even", "foot", "shadows", "chance"] {
            for seed in 1..3 {
                let mut game = start("formation-roles", seed, &[("roles", "soft"), ("mix", mix), ("pattern", pattern)]);
                play(&mut *game);
                let is_through = game.ending() == Some("in formation");
                // It is nineteen meters away: who did not go there has not arrived.
                let arrive_s = metric(&*game, "arrive_s");
                assert_eq!(
                    is_through,
                    arrive_s > 5.0,
                    "{pattern} {mix} {seed}: {:?} {:?}",
                    game.ending(),
                    game.metrics()
                );
            }
        }
    }
}

#[test]
fn an_order_to_march_outlives_its_leader_and_whoever_takes_over() {
    // More soldiers than slots: facing about gives the slots to others, and so the lead.
    for (mix, pattern) in [("foot", "fixed2"), ("even", "fixed2"), ("chance", "fixed1")] {
        let mut game = start("formation-roles", 1, &[("roles", "soft"), ("mix", mix), ("pattern", pattern)]);
        play(&mut *game);
        assert_eq!(game.ending(), Some("in formation"), "{mix} {pattern}: {:?}", game.metrics());
    }
}

#[test]
fn either_search_leads_the_march_to_its_goal() {
    for search in ["astar", "lrta"] {
        let mut game = start("formation", 2, &[("pattern", "squares"), ("search", search)]);
        play(&mut *game);
        assert_eq!(game.ending(), Some("in formation"), "{search}: {:?}", game.metrics());
    }
}

#[test]
fn a_march_to_where_no_way_leads_says_so() {
    let shut = layout::STOCK.replace("[2, 6.3]", "[2, 7.7]");
    let scene = crate::CATALOG.find("formation").unwrap();
    let settings = [("pattern".to_owned(), "squares".to_owned())];
    let assets = [(layout::NAME.to_owned(), shut)];
    let setup = scene.setup(1, Changes { settings: &settings, assets: &assets }).unwrap();
    let mut game = scene.start(&setup).unwrap();
    play(&mut *game);
    assert_eq!(game.ending(), Some("no path to the goal"));
}

fn press(game: &mut dyn Match, input: Input) {
    game.step(&[input], &Serial);
    game.step(&[Input { key: 0, actions: Actions::default(), ..input }], &Serial);
}

/// A click selects one; with Ctrl another joins, and a second click on it takes it out again.
fn adds_and_takes_out(game: &mut SceneMatch<Parade>) {
    let places: Vec<(AgentId, Vec2)> =
        game.brains().motions().map(|(it, _)| (it.agent, plane::ground(it.body.pose.position))).collect();
    let mut click = |place: Vec2, is_adding: bool| {
        let input = Input { is_adding, actions: Actions::FIRE, ..Input::default().with_spot(place) };
        press(game, input);
        game.world().selected.clone()
    };
    let [(first, here), .., (last, there)] = places[..] else { panic!("somebody") };
    assert_eq!(click(here, false), [first]);
    assert_eq!(click(there, true), [first, last]);
    assert_eq!(click(there, true), [first]);
    assert_eq!(click(there, false), [last]);
}

#[test]
fn a_person_selects_forms_and_sends() {
    let setup = crate::CATALOG.find("formation").unwrap().setup(3, Changes::default()).unwrap();
    let plan = Plan { patterns: vec![Pattern::Line], legs: 9, ..plan_of(&setup) };
    let mut game = begin(&setup, plan, |_, _| 0).unwrap();
    let at = |spot: [f32; 2], actions| Input { actions, ..Input::default().with_spot(spot.into()) };
    game.step(&[at([-21.0, -13.5], Actions::FIRE)], &Serial);
    assert!(game.world().is_played);
    game.step(&[at([0.0, -2.0], Actions::default())], &Serial);
    assert_eq!(game.world().selected.len(), 12);
    for (key, pattern) in [
        ('z', Pattern::Diamond),
        ('x', Pattern::Pairs),
        ('c', Pattern::Circle),
        ('v', Pattern::Triangle),
        ('b', Pattern::Squares),
    ] {
        press(&mut game, Input::default().with_key(key));
        assert_eq!(formation(game.brains()).unwrap().pattern(), pattern);
    }
    press(&mut game, Input::default().with_key('n'));
    let formed = formation(game.brains()).unwrap();
    assert_eq!((formed.rule(), formed.pattern()), (Rule::Hard, Pattern::Squares));
    press(&mut game, Input::default().with_key('m'));
    assert_eq!(formation(game.brains()).unwrap().rule(), Rule::Soft);
    press(&mut game, Input::default().with_key('b'));
    press(&mut game, at([-4.0, 8.0], Actions::USE));
    let first = leader(game.brains()).unwrap();
    for _ in 0..60 * 75 {
        game.step(&[], &Serial);
    }
    let place = plane::ground(game.brains().presence(first).unwrap().body.pose.position);
    assert!(place.distance(Vec2::new(-4.0, 8.0)) < 0.5, "the leader stands at {place}");
    assert!(game.world().error_m[1] < 0.5, "{:?}", game.world().error_m);
    // With four in a diamond and all selected, an order dissolves it and everybody goes.
    press(&mut game, Input::default().with_key('z'));
    press(&mut game, at([-12.0, 8.0], Actions::USE));
    assert_eq!(leader(game.brains()), None);
    for _ in 0..60 * 15 {
        game.step(&[], &Serial);
    }
    adds_and_takes_out(&mut game);
    let far = |it: &Presence| plane::ground(it.body.pose.position).distance(Vec2::new(-12.0, 8.0));
    assert!(game.brains().motions().all(|(it, _)| far(it) < 4.0));
}

#[test]
fn when_the_leader_falls_on_the_march_the_next_one_leads_on() {
    let setup = crate::CATALOG.find("formation").unwrap().setup(3, Changes::default()).unwrap();
    let plan = Plan { patterns: vec![Pattern::Triangle], legs: 9, ..plan_of(&setup) };
    let layout = Layout::of(level_asset(&setup, layout::NAME).unwrap()).unwrap();
    let game = begin(&setup, plan, |_, _| 0).unwrap();
    let (mut game, mut scratch) = (game, Scratch::default());
    (0..60 * 12).for_each(|_| game.step(&[], &Serial));
    let (brains, world) = game.parts_mut();
    let fallen = leader(brains).unwrap();
    let way = brains.brain(fallen).unwrap().path.clone();
    world.bury(brains, fallen, &mut scratch);
    // The squad notices, and tells who leads now.
    game.step(&[], &Serial);
    let heir = leader(game.brains()).unwrap();
    game.step(&[], &Serial);
    assert!(heir != fallen && way.len() > 1 && game.brains().brain(heir).unwrap().path == way);
    while game.ending().is_none() {
        game.step(&[], &Serial);
    }
    assert_eq!(game.ending(), Some("in formation"));
    let place = plane::ground(game.brains().presence(heir).unwrap().body.pose.position);
    assert!(place.distance(*layout.route.last().unwrap()) < 0.5, "the heir stands at {place}");
    assert_eq!(formation(game.brains()).unwrap().cost().empty, 0);
}

#[test]
fn an_order_to_others_lets_a_formation_march_on_and_one_to_followers_ends_it() {
    let setup = crate::CATALOG.find("formation").unwrap().setup(3, Changes::default()).unwrap();
    let plan = Plan { patterns: vec![Pattern::Triangle], legs: 9, ..plan_of(&setup) };
    let layout = Layout::of(level_asset(&setup, layout::NAME).unwrap()).unwrap();
    let mut game = begin(&setup, plan, |_, _| 0).unwrap();
    (0..60 * 12).for_each(|_| game.step(&[], &Serial));
    let (brains, world) = game.parts_mut();
    let (first, to) = (leader(brains).unwrap(), Vec2::new(-4.0, 8.0));
    let (formed, way) = (formation(brains).unwrap().clone(), brains.brain(first).unwrap().path.clone());
    assert!(!way.is_empty());
    let outsider = world.enlist(brains, 0, layout.route[0], 0.0).unwrap();
    world.selected = vec![outsider];
    world.order(brains, What::Go { to });
    // The squad hears of it, and they of what it tells.
    (0..2).for_each(|_| game.step(&[], &Serial));
    assert_eq!(formation(game.brains()).unwrap().members(), formed.members());
    let (brains, world) = game.parts_mut();
    let soldiers = || formed.members().iter().map(|member| brains.brain(member.agent).unwrap());
    assert_eq!((leader(brains), &brains.brain(first).unwrap().path), (Some(first), &way));
    assert!(soldiers().all(|soldier| soldier.task != Task::Idle));
    assert!(matches!(brains.brain(outsider).unwrap().task, Task::Go { .. }));
    // Two followers, and not their leader.
    world.selected = formed.members()[3..5].iter().map(|member| member.agent).collect();
    world.order(brains, What::Go { to });
    (0..2).for_each(|_| game.step(&[], &Serial));
    let (brains, world) = game.parts_mut();
    assert_eq!((leader(brains), brains.brain(first).unwrap().task), (None, Task::Idle));
    for member in formed.members() {
        let is_sent = world.selected.contains(&member.agent);
        assert_eq!(brains.brain(member.agent).unwrap().task != Task::Idle, is_sent);
    }
}

#[test]
fn who_loses_its_slot_stops_where_it_is() {
    let setup = crate::CATALOG.find("formation").unwrap().setup(3, Changes::default()).unwrap();
    let plan = Plan { patterns: vec![Pattern::Line], legs: 9, ..plan_of(&setup) };
    let mut game = begin(&setup, plan, |_, _| 0).unwrap();
    (0..60 * 12).for_each(|_| game.step(&[], &Serial));
    let (brains, world) = game.parts_mut();
    let recruit = |&agent| {
        let position = world::place_of(brains, agent).unwrap();
        Recruit { agent, kind: march::kind_of(0), position }
    };
    let recruits: Vec<Recruit> = world.selected.iter().map(recruit).collect();
    assert!(recruits.iter().all(|one| brains.brain(one.agent).unwrap().task != Task::Idle));
    // A diamond has room for four of them.
    let mut march = brains.squad(SQUAD).unwrap().clone();
    march.formation = Formation::form(Pattern::Diamond, Rule::Plain, 1.2, &recruits, 0.0);
    brains.brief_squad(SQUAD, march);
    (0..2).for_each(|_| game.step(&[], &Serial));
    let members = formation(game.brains()).unwrap().members();
    assert_eq!(members.iter().filter(|member| member.slot.is_none()).count(), 8);
    for member in members {
        let soldier = game.brains().brain(member.agent).unwrap();
        assert_eq!(soldier.task == Task::Idle, member.slot.is_none(), "{soldier:?}");
    }
}

#[test]
fn every_field_of_the_state_counts() {
    let setup = crate::CATALOG.find("formation").unwrap().setup(3, Changes::default()).unwrap();
    let plan = Plan { patterns: vec![Pattern::Line], legs: 9, ..plan_of(&setup) };
    let mut game = begin(&setup, plan, |_, _| 0).unwrap();
    (0..400).for_each(|_| game.step(&[], &Serial));
    assert!(game.perturb().iter().all(|one| one.outcome != state::Noticed::No));
}
