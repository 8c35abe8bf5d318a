//! What holds in every war.

use proptest::prelude::*;
use sentir::prelude::*;
use sentir_harness::game_match::Match;
use sentir_harness::info::{Changes, Setup};
use sentir_harness::scene_match::SceneMatch;
use sentir_sim::input::Input;
use sentir_squad::strategy::Attitude;

use super::command::{FREE_BUTTON, button_of};
use super::leaf::Deed;
use super::mind::Order;
use super::rules::Kind;
use super::world::{Work, World};
use super::{WarScene, begin};

fn setup(scene: &str, seed: u64, changes: &[(&str, &str)]) -> Setup {
    let changes: Vec<(String, String)> = changes.iter().map(|&(name, value)| (name.into(), value.into())).collect();
    crate::CATALOG.find(scene).unwrap().setup(seed, Changes { settings: &changes, assets: &[] }).unwrap()
}

fn war(seed: u64, changes: &[(&str, &str)]) -> SceneMatch<WarScene> {
    let setup = setup("war", seed, changes);
    begin(&setup, &crate::war::war::plan(&setup).unwrap()).unwrap()
}

fn steps(game: &mut SceneMatch<WarScene>, ticks: u64) {
    (0..ticks).for_each(|_| game.step(&[], &Serial));
}

/// Resources in hand now.
fn carried(world: &World) -> u32 {
    world.pieces.iter().map(|it| u32::from(it.carries)).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    fn no_resource_is_doubled_and_none_is_lost_but_with_its_carrier(
        seed in 0u64..1_000_000,
        leads in (0usize..3, 0usize..3),
        units in 4u32..14,
    ) {
        let words = ["attack", "defend", "total"];
        let units = units.to_string();
        let mut game = war(seed, &[("blue", words[leads.0]), ("red", words[leads.1]), ("units", &units)]);
        let total = game.world().resources.len() as u32;
        for _ in 0..1600 {
            let before = (game.world().tally.clone(), carried(game.world()));
            game.step(&[], &Serial);
            let world = game.world();
            let tally = &world.tally;
            // What was taken is built with, lost, or in somebody's hands; what is not there will be back.
            prop_assert_eq!(tally.taken, tally.used + tally.lost + carried(world));
            let away = world.resources.iter().filter(|back| back.is_some()).count() as u32;
            prop_assert_eq!(tally.taken - tally.grown, away);
            prop_assert!(away <= total);
            // Lost only when somebody fell.
            let fell = |tally: &super::tally::Tally| tally.deaths.iter().map(|side| side[0]).sum::<u32>();
            prop_assert!(tally.lost == before.0.lost || fell(tally) > fell(&before.0));
        }
    }
}

#[test]
fn workers_build_both_turrets_of_either_side_and_then_wait_at_the_base() {
    let mut game = crate::CATALOG.find("war-economy").unwrap().start(&setup("war-economy", 3, &[])).unwrap();
    while game.ending().is_none() {
        game.step(&[], &Serial);
    }
    let metric = |name: &str| game.metrics().iter().find(|it| it.name == name).unwrap().value;
    assert_eq!((metric("blue_turrets_built"), metric("red_turrets_built")), (2.0, 2.0));
    assert!(metric("first_turret_s") < 60.0, "{}", metric("first_turret_s"));
    assert_eq!(metric("builds_interrupted"), 0.0);
}

/// The first piece of a side and kind.
fn key_of(world: &World, side: u8, kind: Kind) -> usize {
    world.pieces.iter().position(|it| it.side == side && it.what() == kind).unwrap()
}

#[test]
fn who_builds_and_is_disturbed_stops_fights_keeps_the_resource_and_begins_anew() {
    let mut game = war(5, &[("blue", "defend"), ("red", "defend"), ("units", "5")]);
    let worker = key_of(game.world(), 0, Kind::Worker);
    let mut ticks = 0;
    while !matches!(game.world().pieces[worker].work, Work::Build(_, done) if done > 40) {
        steps(&mut game, 1);
        ticks += 1;
        assert!(ticks < 1600, "never builds");
    }
    let (brains, world) = game.parts_mut();
    let intruder = key_of(world, 1, Kind::Light);
    world.pieces[intruder].place = world.pieces[worker].place + Vec2::new(4.0, 0.0);
    let agent = World::agent(brains, intruder).unwrap();
    let pose = Pose { position: sentir::core::plane::lift(world.pieces[intruder].place, 0.0), yaw: 0.0 };
    brains.teleport(agent, pose);
    steps(&mut game, 30);
    let piece = game.world().pieces[worker];
    assert!(!matches!(piece.work, Work::Build(..)) && piece.carries, "{piece:?}");
    // Its own side's only: the other side's workers are about their own business.
    assert_eq!(game.world().tally.interrupted[0], 1);
    let me = World::agent(game.brains(), worker).unwrap();
    let deed = Deed::of(game.brains().brain(me).unwrap().deed);
    assert!(matches!(deed, Deed::Attack | Deed::Chase), "{deed:?}");
}

#[test]
fn the_dead_come_back_at_their_base_until_the_reserves_are_used_up() {
    let mut game = war(2, &[("blue", "defend"), ("red", "defend")]);
    steps(&mut game, 40);
    let light = key_of(game.world(), 0, Kind::Light);
    let (brains, world) = game.parts_mut();
    // As a blow does it.
    world.pieces[light].health = 0.0;
    world.pieces[light].back = Some(brains.tick() + 200);
    steps(&mut game, 199);
    assert!(!game.world().pieces[light].is_up());
    steps(&mut game, 3);
    let piece = game.world().pieces[light];
    assert!(piece.is_up() && piece.place.distance(Vec2::new(9.0, 43.0)) < 10.0, "{piece:?}");
}

#[test]
fn attitudes_are_set_by_buttons_and_change_what_everybody_does() {
    let mut game = war(3, &[("blue", "defend"), ("red", "defend")]);
    steps(&mut game, 200);
    let deeds = |game: &SceneMatch<WarScene>, side: u8, deed: Deed| {
        let world = game.world();
        let keys = (0..world.pieces.len()).filter(|&key| world.pieces[key].side == side);
        let brains = game.brains();
        keys.filter(|&key| Deed::of(brains.brain(World::agent(brains, key).unwrap()).unwrap().deed) == deed).count()
    };
    assert_eq!(deeds(&game, 0, Deed::March), 0);
    game.step(&[Input::default().with_button(button_of(0, Attitude::Total))], &Serial);
    steps(&mut game, 60);
    assert!(deeds(&game, 0, Deed::March) >= 10, "{}", deeds(&game, 0, Deed::March));
    assert_eq!(deeds(&game, 1, Deed::March), 0, "the other side goes on as it was");
}

fn click(game: &mut SceneMatch<WarScene>, place: Vec2, actions: Actions) {
    game.step(&[Input { actions, ..Input::default().with_spot(place) }], &Serial);
    game.step(&[Input::default().with_spot(place)], &Serial);
}

#[test]
fn a_person_selects_sends_builds_attacks_forms_and_lets_go() {
    let mut game = war(4, &[("blue", "input"), ("red", "defend")]);
    steps(&mut game, 20);
    // A box around the base.
    game.step(&[Input { actions: Actions::FIRE, ..Input::default().with_spot(Vec2::new(0.5, 30.0)) }], &Serial);
    game.step(&[Input::default().with_spot(Vec2::new(30.0, 58.0))], &Serial);
    let count = game.world().selected.len();
    assert_eq!(count, 16, "all units, no structures, nobody of red");
    game.step(&[Input::default().with_key('b')], &Serial);
    game.step(&[Input::default()], &Serial);
    let march = |game: &SceneMatch<WarScene>| game.brains().squad(SquadId::whole(TeamId(0))).unwrap().march.clone();
    assert_eq!(march(&game).formation.members().len(), 16);
    let goal = Vec2::new(30.0, 43.0);
    click(&mut game, goal, Actions::USE);
    steps(&mut game, 2);
    assert_eq!(march(&game).goal, Some(goal));
    steps(&mut game, 900);
    let leader = march(&game).formation.leader().unwrap();
    let place = sentir::core::plane::ground(game.brains().presence(leader).unwrap().body.pose.position);
    assert!(place.distance(goal) < 3.0, "the leader stands at {place}");
    // By themselves again.
    game.step(&[Input::default().with_button(FREE_BUTTON)], &Serial);
    steps(&mut game, 3);
    assert!(march(&game).formation.members().is_empty());
    // One worker to a site, and to the enemy's base.
    let worker = key_of(game.world(), 0, Kind::Worker);
    let at = game.world().pieces[worker].place;
    click(&mut game, at, Actions::FIRE);
    assert_eq!(game.world().selected.len(), 1);
    let order = |game: &SceneMatch<WarScene>| {
        let key = game.world().selected[0] as usize;
        game.brains().brain(World::agent(game.brains(), key).unwrap()).unwrap().order
    };
    click(&mut game, Vec2::new(87.0, 17.0), Actions::USE);
    steps(&mut game, 2);
    assert!(matches!(order(&game), Order::Attack(..)), "{:?}", order(&game));
    let play = game.play().unwrap();
    assert_eq!((play.selection.len(), play.panels.len()), (1, 3));
    assert!(play.minimap.is_some_and(|map| map.rgba.len() == 48 * 30 * 4));
}
