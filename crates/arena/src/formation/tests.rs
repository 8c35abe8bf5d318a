//! What the formation scenes must show, whatever the seed.

use super::*;
use mind::Task;
use sentir::core::plane;

fn start(scene: &str, seed: u64, changes: &[(&str, &str)]) -> Box<dyn Match> {
    let changes: Vec<_> = changes.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
    let scene = Scene::find(scene).unwrap();
    scene.start(&scene.setup(seed, &changes, &[]).unwrap()).unwrap()
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

fn press(game: &mut dyn Match, input: Input) {
    game.step(&[input], &Serial);
    game.step(&[Input { key: 0, actions: Actions::default(), ..input }], &Serial);
}

/// A click selects one; with Ctrl another joins, and a second click on it takes it out again.
fn adds_and_takes_out(tale: &mut Tale<Parade>) {
    let places: Vec<(AgentId, Vec2)> =
        tale.brains().motions().map(|(it, _)| (it.agent, plane::ground(it.body.pose.position))).collect();
    let mut click = |place: Vec2, is_adding: bool| {
        let input = Input { is_adding, actions: Actions::FIRE, ..Input::default().with_spot(place) };
        press(tale, input);
        tale.world().selected.clone()
    };
    let [(first, here), .., (last, there)] = places[..] else { panic!("somebody") };
    assert_eq!(click(here, false), [first]);
    assert_eq!(click(there, true), [first, last]);
    assert_eq!(click(there, true), [first]);
    assert_eq!(click(there, false), [last]);
}

#[test]
fn a_person_selects_forms_and_sends() {
    let setup = Scene::find("formation").unwrap().setup(3, &[], &[]).unwrap();
    let plan = Plan { patterns: vec![Pattern::Line], legs: 9, ..plan_of(&setup) };
    let mut tale = begin(&setup, plan, |_, _| 0).unwrap();
    let at = |spot: [f32; 2], actions| Input { actions, ..Input::default().with_spot(spot.into()) };
    tale.step(&[at([-21.0, -13.5], Actions::FIRE)], &Serial);
    assert!(tale.world().is_played);
    tale.step(&[at([0.0, -2.0], Actions::default())], &Serial);
    assert_eq!(tale.world().selected.len(), 12);
    for (key, pattern) in [
        ('z', Pattern::Diamond),
        ('x', Pattern::Pairs),
        ('c', Pattern::Circle),
        ('v', Pattern::Triangle),
        ('b', Pattern::Squares),
    ] {
        press(&mut tale, Input::default().with_key(key));
        assert_eq!(tale.world().formation.pattern(), pattern);
    }
    press(&mut tale, Input::default().with_key('n'));
    assert_eq!((tale.world().formation.rule(), tale.world().formation.pattern()), (Rule::Hard, Pattern::Squares));
    press(&mut tale, Input::default().with_key('m'));
    assert_eq!(tale.world().formation.rule(), Rule::Soft);
    press(&mut tale, Input::default().with_key('b'));
    press(&mut tale, at([-4.0, 8.0], Actions::USE));
    let leader = tale.world().formation.leader().unwrap();
    for _ in 0..60 * 75 {
        tale.step(&[], &Serial);
    }
    let place = plane::ground(tale.brains().presence(leader).unwrap().body.pose.position);
    assert!(place.distance(Vec2::new(-4.0, 8.0)) < 0.5, "the leader stands at {place}");
    assert!(tale.world().error_m[1] < 0.5, "{:?}", tale.world().error_m);
    // With four in a diamond and all selected, an order dissolves it and everybody goes.
    press(&mut tale, Input::default().with_key('z'));
    press(&mut tale, at([-12.0, 8.0], Actions::USE));
    assert_eq!(tale.world().formation.leader(), None);
    for _ in 0..60 * 15 {
        tale.step(&[], &Serial);
    }
    adds_and_takes_out(&mut tale);
    let far = |it: &Presence| plane::ground(it.body.pose.position).distance(Vec2::new(-12.0, 8.0));
    assert!(tale.brains().motions().all(|(it, _)| far(it) < 4.0));
}

#[test]
fn when_the_leader_falls_on_the_march_the_next_one_leads_on() {
    let setup = Scene::find("formation").unwrap().setup(3, &[], &[]).unwrap();
    let plan = Plan { patterns: vec![Pattern::Triangle], legs: 9, ..plan_of(&setup) };
    let layout = Layout::of(level_asset(&setup, layout::NAME).unwrap()).unwrap();
    let tale = begin(&setup, plan, |_, _| 0).unwrap();
    let (mut field, mut scratch) = (tale, Scratch::default());
    (0..60 * 12).for_each(|_| field.step(&[], &Serial));
    let (brains, world) = field.parts_mut();
    let fallen = world.formation.leader().unwrap();
    let way = brains.brain(fallen).unwrap().path.clone();
    world.bury(brains, fallen, &mut scratch);
    let heir = world.formation.leader().unwrap();
    field.step(&[], &Serial);
    assert!(heir != fallen && way.len() > 1 && field.brains().brain(heir).unwrap().path == way);
    while field.ending().is_none() {
        field.step(&[], &Serial);
    }
    assert_eq!(field.ending(), Some("in formation"));
    let place = plane::ground(field.brains().presence(heir).unwrap().body.pose.position);
    assert!(place.distance(*layout.route.last().unwrap()) < 0.5, "the heir stands at {place}");
    assert_eq!(field.world().formation.cost().empty, 0);
}

#[test]
fn an_order_to_others_lets_a_formation_march_on_and_one_to_followers_ends_it() {
    let setup = Scene::find("formation").unwrap().setup(3, &[], &[]).unwrap();
    let plan = Plan { patterns: vec![Pattern::Triangle], legs: 9, ..plan_of(&setup) };
    let layout = Layout::of(level_asset(&setup, layout::NAME).unwrap()).unwrap();
    let mut tale = begin(&setup, plan, |_, _| 0).unwrap();
    (0..60 * 12).for_each(|_| tale.step(&[], &Serial));
    let (brains, world) = tale.parts_mut();
    let (leader, place) = (world.formation.leader().unwrap(), Vec2::new(-4.0, 8.0));
    let (formed, way) = (world.formation.clone(), brains.brain(leader).unwrap().path.clone());
    assert!(!way.is_empty());
    let outsider = world.enlist(brains, 0, layout.route[0], 0.0).unwrap();
    world.selected = vec![outsider];
    world.send(brains, &layout, place, None);
    assert_eq!(world.formation, formed);
    tale.step(&[], &Serial);
    let (brains, world) = tale.parts_mut();
    let soldiers = || formed.members().iter().map(|member| brains.brain(member.agent).unwrap());
    assert_eq!((world.formation.leader(), &brains.brain(leader).unwrap().path), (Some(leader), &way));
    assert!(soldiers().all(|soldier| soldier.task != Task::Idle));
    assert!(matches!(brains.brain(outsider).unwrap().task, Task::Go { .. }));
    // Two followers, and not their leader.
    world.selected = formed.members()[3..5].iter().map(|member| member.agent).collect();
    world.send(brains, &layout, place, None);
    tale.step(&[], &Serial);
    let (brains, world) = tale.parts_mut();
    assert_eq!((world.formation.leader(), brains.brain(leader).unwrap().task), (None, Task::Idle));
    for member in formed.members() {
        let is_sent = world.selected.contains(&member.agent);
        assert_eq!(brains.brain(member.agent).unwrap().task != Task::Idle, is_sent);
    }
}

#[test]
fn who_loses_its_slot_stops_where_it_is() {
    let setup = Scene::find("formation").unwrap().setup(3, &[], &[]).unwrap();
    let plan = Plan { patterns: vec![Pattern::Line], legs: 9, ..plan_of(&setup) };
    let mut tale = begin(&setup, plan, |_, _| 0).unwrap();
    (0..60 * 12).for_each(|_| tale.step(&[], &Serial));
    let (brains, world) = tale.parts_mut();
    let recruits: Vec<_> = world.selected.iter().filter_map(|&agent| field::recruit(brains, agent)).collect();
    assert!(recruits.iter().all(|one| brains.brain(one.agent).unwrap().task != Task::Idle));
    // A diamond has room for four of them.
    world.formation = Formation::form(Pattern::Diamond, Rule::Plain, 1.2, &recruits, 0.0);
    tale.step(&[], &Serial);
    let members = tale.world().formation.members();
    assert_eq!(members.iter().filter(|member| member.slot.is_none()).count(), 8);
    for member in members {
        let soldier = tale.brains().brain(member.agent).unwrap();
        assert_eq!(soldier.task == Task::Idle, member.slot.is_none(), "{soldier:?}");
    }
}

#[test]
fn every_field_of_the_state_counts() {
    let setup = Scene::find("formation").unwrap().setup(3, &[], &[]).unwrap();
    let plan = Plan { patterns: vec![Pattern::Line], legs: 9, ..plan_of(&setup) };
    let mut tale = begin(&setup, plan, |_, _| 0).unwrap();
    (0..400).for_each(|_| tale.step(&[], &Serial));
    assert!(tale.perturb().iter().all(|one| one.outcome != state::Noticed::No));
}
