//! Contract: Bronto decides by its three views, its body and its past alone, and as its table says.

use proptest::prelude::*;
use sentir_core::belief::Percept;
use sentir_core::glam::{Vec2, Vec3};
use sentir_core::random::{Purpose, Stream, Streams};
use sentir_core::tick::{Tick, TickRate};
use sentir_core::{math, plane, state};
use sentir_vision::bronto::{Aim, Bronto, BrontoConfig, BrontoScratch, Feel, Glance, Reaction, Way, perceive};
use sentir_vision::classic::SideRule;
use sentir_vision::{
    AMMO, Class, ENEMY, Eye, HEALTH, Lens, Motion, MotionMode, Retina, Scenery, Solid, Thing, Viewport,
};

const LENS: Lens = Lens { width: 160, height: 120, fov_y_rad: 1.309, near_m: 0.05, far_m: 60.0 };
const SOURCE: BrontoConfig = BrontoConfig { way: Way::Source(SideRule::Away), ..OURS };
const RATE: TickRate = TickRate::new(30);
/// The default, as a constant.
const OURS: BrontoConfig = BrontoConfig {
    way: Way::Ours,
    thresholds: sentir_vision::bronto::Thresholds { health_low: 35, health_high: 75, ammo_low: 25, ammo_high: 65 },
    margins: sentir_vision::classic::Margins { half_width: 12, upper: 10, lower: 20 },
    renew_share: 0.6,
    walk_m_per_s: 1.6,
    run_m_per_s: 3.2,
    hold_s: 2.0,
    stuck_s: 1.0,
    object_m: 0.6,
    gait: sentir_vision::BodyLimits { half_width_m: 0.45, step_m: 0.4, drop_m: 0.4, slope: 0.7, near_m: 4.0 },
    pitch: -0.2,
};

fn feel(health: u32, ammo: u32, tick: u64) -> Feel {
    Feel { feet: Vec3::ZERO, yaw: 0.0, health, ammo, tick: Tick(tick), rate: RATE }
}

fn luck() -> Stream {
    Streams { seed: 1 }.stream(0, Purpose::new("bronto test"))
}

fn cuboid(low: Vec3, high: Vec3) -> Vec<[Vec3; 3]> {
    let middle = (low + high) / 2.0;
    Solid::cuboid((high - low) / 2.0).triangles().iter().map(|corners| corners.map(|corner| corner + middle)).collect()
}

fn ground() -> Vec<[Vec3; 3]> {
    cuboid(Vec3::new(-50.0, -1.0, -50.0), Vec3::new(50.0, 0.0, 50.0))
}

fn eye() -> Eye {
    Bronto::default().eye(&OURS, Vec3::Y * 1.7, 0.0)
}

/// What Bronto sees at the origin, facing −Z.
fn seen(parts: &[Vec<[Vec3; 3]>], things: &[(Class, Vec3, Vec3)]) -> Viewport {
    let solid = Solid::cuboid(Vec3::splat(0.22));
    let things: Vec<Thing<'_>> = things
        .iter()
        .map(|&(class, position, velocity)| Thing { solid: &solid, position, yaw: 0.0, velocity, class })
        .collect();
    let mut retina = Retina::new(LENS).unwrap();
    retina.look(&eye(), &Scenery::build(&parts.concat()), &things);
    let mut view = Viewport::new(LENS).unwrap();
    assert!(view.take(&retina, &eye(), MotionMode::View, 10.0));
    view
}

/// Open floor with walls drawn over it by hand: `height` gives the rows of floor in each column.
fn drawn(height: impl Fn(u32) -> u32) -> Viewport {
    let mut view = seen(&[ground()], &[]);
    for column in 0..LENS.width {
        for row in height(column)..LENS.height {
            view.draw(column, row, Class::WALL, 0.1, Motion::STILL);
        }
    }
    view
}

/// Eyes and brain in one.
#[derive(Default)]
struct Look {
    percept: Percept,
    scratch: BrontoScratch,
}

impl Look {
    fn see(&mut self, bronto: &mut Bronto, config: &BrontoConfig, view: &Viewport, feel: &Feel, random: &mut Stream) {
        let Look { percept, scratch } = self;
        percept.begin(feel.tick, view.eye().position);
        let is_daring = bronto.attention(config, true).is_daring;
        perceive(&Glance { config, view, feet_m: feel.feet.y, is_daring }, percept, scratch);
        bronto.decide(config, percept, feel, random, scratch);
    }
}

fn after(config: &BrontoConfig, view: &Viewport, feel: &Feel) -> Bronto {
    let mut bronto = Bronto::default();
    Look::default().see(&mut bronto, config, view, feel, &mut luck());
    bronto
}

/// Where its way ends.
fn end(bronto: &Bronto) -> Option<Vec2> {
    bronto.curves().last().map(|curve| curve.points[3])
}

#[test]
fn the_source_walks_to_the_end_of_the_central_way() {
    let view = drawn(|_| 50);
    let bronto = after(&SOURCE, &view, &feel(100, 100, 0));
    assert_eq!(end(&bronto), view.unproject(79, 40).map(plane::ground));
    assert_eq!((bronto.aim(), bronto.turning()), (Aim::Around, None));
}

#[test]
fn the_source_goes_beside_an_obstacle_by_its_rule() {
    // The right half of the central way ends early.
    let view = drawn(|column| if (80..=110).contains(&column) { 10 } else { 50 });
    let away = end(&after(&SOURCE, &view, &feel(100, 100, 0))).unwrap();
    let toward = BrontoConfig { way: Way::Source(SideRule::Toward), ..OURS };
    let toward = end(&after(&toward, &view, &feel(100, 100, 0))).unwrap();
    assert!(away.x < 0.0 && toward.x > 0.0, "{away} {toward}");
}

#[test]
fn the_source_turns_to_a_side_where_no_way_is_free() {
    // Enough floor for a turn to the left alone, none for a way.
    let view = drawn(|column| if column < 90 { 25 } else { 0 });
    let bronto = after(&SOURCE, &view, &feel(100, 100, 0));
    assert_eq!(end(&bronto), view.unproject(10, 20).map(plane::ground));
    let view = drawn(|column| if column > 70 { 25 } else { 0 });
    assert_eq!(end(&after(&SOURCE, &view, &feel(100, 100, 0))), view.unproject(149, 20).map(plane::ground));
}

#[test]
fn who_stands_before_nothing_but_wall_turns_around_and_who_moves_goes_on() {
    let (free, wall) = (drawn(|_| 50), drawn(|_| 0));
    for config in [SOURCE, OURS] {
        let bronto = after(&config, &wall, &feel(100, 100, 0));
        assert_eq!(bronto.curves().count(), 0);
        assert!((bronto.turning().unwrap().abs() - math::PI).abs() < 1e-4, "{:?}", bronto.turning());
    }
    let mut moving = after(&SOURCE, &free, &feel(100, 100, 0));
    let before = end(&moving);
    Look::default().see(&mut moving, &SOURCE, &wall, &feel(100, 100, 6), &mut luck());
    assert_eq!((end(&moving), moving.turning()), (before, None));
}

#[test]
fn a_view_that_is_not_read_does_not_matter() {
    let (free, wall) = (drawn(|_| 50), drawn(|_| 0));
    for (config, first) in [(SOURCE, &wall), (OURS, &wall), (SOURCE, &free)] {
        let bronto = after(&config, first, &feel(100, 100, 0));
        assert!(!bronto.is_looking(&config, false));
        let next = |view: &Viewport| {
            let mut it = bronto.clone();
            Look::default().see(&mut it, &config, view, &feel(100, 100, 6), &mut luck());
            state::hash(&it)
        };
        assert_eq!(next(&free), next(&wall));
        assert!(bronto.attention(&config, false).is_idle);
        let (mut it, mut nothing) = (bronto.clone(), Percept::default());
        nothing.begin(Tick(6), eye().position);
        it.decide(&config, &nothing, &feel(100, 100, 6), &mut luck(), &mut BrontoScratch::default());
        assert_eq!(next(&free), state::hash(&it), "closed eyes do as well");
    }
    assert!(after(&SOURCE, &free, &feel(100, 100, 0)).is_looking(&SOURCE, true), "something may fly at it");
    assert!(after(&OURS, &free, &feel(100, 100, 0)).is_looking(&OURS, false), "it watches its way");
}

#[test]
fn who_turned_in_vain_looks_for_a_way_while_it_turns_on() {
    let (free, wall) = (drawn(|_| 50), drawn(|_| 0));
    let mut bronto = after(&OURS, &wall, &feel(100, 100, 0));
    let yaw = bronto.turning().unwrap();
    bronto.step(&OURS, &Feel { yaw, ..feel(100, 100, 5) }, &mut luck());
    assert_eq!(bronto.turning(), None);
    let mut look = Look::default();
    look.see(&mut bronto, &OURS, &wall, &Feel { yaw, ..feel(100, 100, 6) }, &mut luck());
    assert!(bronto.turning().is_some() && bronto.is_looking(&OURS, false));
    look.see(&mut bronto, &OURS, &free, &feel(100, 100, 12), &mut luck());
    assert_eq!((bronto.turning(), bronto.curves().count()), (None, 1));
}

#[test]
fn a_new_way_is_looked_for_only_after_its_share_of_the_old_one() {
    let (near, far) = (drawn(|_| 40), drawn(|_| 60));
    let mut bronto = after(&SOURCE, &near, &feel(100, 100, 0));
    let first = end(&bronto).unwrap();
    let walk = |bronto: &mut Bronto, way_m: f32| {
        let feel = Feel { feet: Vec3::new(0.0, 0.0, -way_m), ..feel(100, 100, 1) };
        let wish = bronto.step(&SOURCE, &feel, &mut luck());
        assert!(wish.to.is_some());
        Look::default().see(bronto, &SOURCE, &far, &feel, &mut luck());
    };
    for way in [0.1, 0.3, 0.5] {
        walk(&mut bronto, way);
        assert_eq!(end(&bronto), Some(first));
    }
    for way in [0.8, 1.2, 1.6, 2.0] {
        walk(&mut bronto, way);
    }
    assert_ne!(end(&bronto), Some(first));
}

#[test]
fn what_is_wanted_is_gone_for_and_other_things_are_not() {
    let things = [(HEALTH, Vec3::new(1.0, 0.3, -5.0), Vec3::ZERO), (AMMO, Vec3::new(-1.0, 0.3, -4.0), Vec3::ZERO)];
    let view = seen(&[ground()], &things);
    for config in [SOURCE, OURS] {
        let goal = |health: u32, ammo: u32| end(&after(&config, &view, &feel(health, ammo, 0))).unwrap();
        let (health, ammo) = (Vec2::new(1.0, 5.0), Vec2::new(-1.0, 4.0));
        assert!(goal(70, 100).distance(health) < 0.8, "{}", goal(70, 100));
        assert!(goal(100, 60).distance(ammo) < 0.8, "{}", goal(100, 60));
        // Any: the nearest.
        assert!(goal(70, 60).distance(ammo) < 0.8);
        assert!(goal(10, 60).distance(health) < 0.8, "health first");
        let around = after(&config, &view, &feel(100, 100, 0));
        assert_eq!(around.aim(), Aim::Around);
    }
}

#[test]
fn without_a_thing_or_floor_below_it_one_walks_around() {
    let nothing = seen(&[ground()], &[]);
    assert_eq!(after(&SOURCE, &nothing, &feel(10, 100, 0)).aim(), Aim::Around);
    // A thing before a wall, with no floor as far as it below.
    let mut view = drawn(|_| 50);
    view.draw(79, 80, HEALTH, 0.5, Motion::STILL);
    let bronto = after(&SOURCE, &view, &feel(10, 100, 0));
    assert_eq!((bronto.aim(), end(&bronto)), (Aim::Around, view.unproject(79, 40).map(plane::ground)));
}

#[test]
fn enemies_are_intercepted_avoided_or_not_worried_about() {
    let coming = seen(&[ground()], &[(ENEMY, Vec3::new(0.0, 0.5, -6.0), Vec3::Z * 3.0)]);
    let going = seen(&[ground()], &[(ENEMY, Vec3::new(0.0, 0.5, -6.0), Vec3::NEG_Z * 3.0)]);
    let across = seen(&[ground()], &[(ENEMY, Vec3::new(0.0, 0.5, -6.0), Vec3::X * 3.0)]);
    for config in [SOURCE, OURS] {
        let reaction =
            |view: &Viewport, health: u32, ammo: u32| after(&config, view, &feel(health, ammo, 0)).reaction();
        assert_eq!(reaction(&coming, 75, 65), Reaction::Intercept);
        assert_eq!(reaction(&going, 75, 65), Reaction::Intercept);
        assert_eq!((reaction(&coming, 74, 65), reaction(&coming, 75, 64)), (Reaction::Avoid, Reaction::Avoid));
        assert_eq!((reaction(&going, 74, 65), reaction(&across, 74, 65)), (Reaction::DontWorry, Reaction::DontWorry));
        assert_eq!(reaction(&seen(&[ground()], &[]), 10, 10), Reaction::DontWorry);
        let chasing = after(&config, &going, &feel(100, 100, 0));
        assert!(matches!(chasing.aim(), Aim::Enemy(_)));
        assert!(end(&chasing).unwrap().distance(Vec2::new(0.0, 6.0)) < 1.0);
    }
}

#[test]
fn an_enemy_over_no_floor_leaves_the_source_to_what_it_did() {
    let mut view = drawn(|_| 50);
    view.draw(79, 90, ENEMY, 0.9, Motion::STILL);
    let bronto = after(&SOURCE, &view, &feel(100, 100, 0));
    assert_eq!((bronto.reaction(), bronto.aim()), (Reaction::Intercept, Aim::Around));
}

#[test]
fn a_turn_away_is_held_for_a_while() {
    let coming = seen(&[ground()], &[(ENEMY, Vec3::new(0.0, 0.5, -6.0), Vec3::Z * 3.0)]);
    for config in [SOURCE, OURS] {
        let mut bronto = after(&config, &coming, &feel(50, 100, 0));
        assert!((bronto.turning().unwrap().abs() - math::PI).abs() < 1e-4);
        // Turned around, it sees one that comes from there, too: and does not turn back at once.
        let back = |tick: u64| Feel { yaw: math::PI, ..feel(50, 100, tick) };
        assert!(bronto.step(&config, &back(20), &mut luck()).to.is_none());
        Look::default().see(&mut bronto, &config, &coming, &back(24), &mut luck());
        assert_eq!((bronto.turning(), bronto.reaction()), (None, Reaction::Avoid));
        Look::default().see(&mut bronto, &config, &coming, &back(66), &mut luck());
        assert!(bronto.turning().is_some());
    }
}

#[test]
fn who_does_not_get_on_for_a_while_turns_around() {
    let view = drawn(|_| 50);
    for config in [SOURCE, OURS] {
        let mut bronto = after(&config, &view, &feel(100, 100, 0));
        for tick in 0..=30 {
            assert_eq!(bronto.turning(), None, "{tick}");
            bronto.step(&config, &feel(100, 100, tick), &mut luck());
        }
        assert!(bronto.turning().is_some() && bronto.stuck_count() == 1 && bronto.curves().count() == 0);
    }
}

#[test]
fn quick_moods_run_and_others_walk() {
    let view = seen(&[ground()], &[]);
    for (health, pace) in [(100, 1.6), (50, 1.6), (10, 3.2)] {
        let mut bronto = after(&SOURCE, &view, &feel(health, 100, 0));
        let wish = bronto.step(&SOURCE, &feel(health, 100, 1), &mut luck());
        assert!((wish.pace_m_per_s - pace).abs() < 0.05, "{health}: {wish:?}");
    }
}

#[test]
fn ours_goes_around_what_is_between_by_two_curves() {
    // A bench between Bronto and what it wants, low enough to look over.
    let bench = cuboid(Vec3::new(-1.2, 0.0, -4.0), Vec3::new(1.2, 0.8, -3.4));
    let view = seen(&[ground(), bench], &[(HEALTH, Vec3::new(0.0, 0.3, -9.0), Vec3::ZERO)]);
    let clear_m = |bronto: &Bronto| {
        let off = |at: Vec2| (at - at.clamp(Vec2::new(-1.2, 3.4), Vec2::new(1.2, 4.0))).length();
        let places = bronto.curves().flat_map(|curve| (0..=40).map(move |step| curve.at(step as f32 / 40.0)));
        places.map(off).fold(f32::INFINITY, |least, one| if one < least { one } else { least })
    };
    let source = after(&SOURCE, &view, &feel(50, 100, 0));
    assert_eq!((source.curves().count(), clear_m(&source)), (1, 0.0));
    let ours = after(&OURS, &view, &feel(50, 100, 0));
    assert_eq!(ours.curves().count(), 2);
    assert!(end(&ours).unwrap().distance(Vec2::new(0.0, 9.0)) < 0.6);
    assert!(clear_m(&ours) > 0.3, "{}", clear_m(&ours));
}

#[test]
fn steps_are_climbed_and_boxes_are_not() {
    use sentir_vision::{BodyLimits, Outlook, OutlookMemory};
    let stairs = |rise_m: f32| -> Vec<[Vec3; 3]> {
        let step = |number: u32| {
            let (high, near) = (rise_m * (number + 1) as f32, -3.0 - number as f32 * 0.5);
            cuboid(Vec3::new(-3.0, 0.0, -9.0), Vec3::new(3.0, high, near))
        };
        (0..5).flat_map(step).collect()
    };
    let free_m = |rise_m: f32| {
        let (mut outlook, mut memory) = (Outlook::default(), OutlookMemory::default());
        outlook.look(&seen(&[ground(), stairs(rise_m)], &[]), 0.0, &BodyLimits::default(), &[], &mut memory);
        outlook.free_m(Vec2::Y, 8.0)
    };
    assert!(free_m(0.18) > 5.0, "{}", free_m(0.18));
    assert!(free_m(0.6) < 3.0, "{}", free_m(0.6));
}

#[test]
fn the_same_views_of_another_world_make_the_same_decision() {
    let room = [
        ground(),
        cuboid(Vec3::new(-3.0, 0.0, -9.0), Vec3::new(-2.5, 3.0, 5.0)),
        cuboid(Vec3::new(0.5, 0.0, -5.0), Vec3::new(1.5, 0.9, -4.0)),
    ];
    let things = [(AMMO, Vec3::new(-1.0, 0.3, -6.0), Vec3::ZERO), (ENEMY, Vec3::new(2.0, 1.0, -8.0), Vec3::X)];
    let true_view = seen(&room, &things);
    // No world at all: pixels, copied by hand.
    let mut copy = Viewport::new(LENS).unwrap();
    copy.set_eye(eye());
    for row in 0..LENS.height {
        for column in 0..LENS.width {
            let (class, depth) = (true_view.class(column, row), true_view.depth(column, row));
            copy.draw(column, row, class, depth, true_view.motion(column, row));
        }
    }
    // And a world with more in it, all of it out of sight.
    let hidden = cuboid(Vec3::new(-20.0, 0.0, 2.0), Vec3::new(20.0, 4.0, 30.0));
    let more = [things[0], things[1], (HEALTH, Vec3::new(0.0, 0.3, 9.0), Vec3::ZERO)];
    let other = seen(&[room.concat(), hidden], &more);
    for config in [SOURCE, OURS] {
        for (health, ammo) in [(100, 100), (50, 100), (100, 50), (50, 50), (10, 10)] {
            let hash = |view: &Viewport| state::hash(&after(&config, view, &feel(health, ammo, 0)));
            assert_eq!(hash(&true_view), hash(&copy));
            assert_eq!(hash(&true_view), hash(&other));
        }
    }
}

#[test]
fn a_warm_bronto_allocates_nothing() {
    let view = seen(&[ground()], &[(AMMO, Vec3::new(-1.0, 0.3, -6.0), Vec3::ZERO)]);
    for config in [SOURCE, OURS] {
        let (mut bronto, mut look, mut random) = (Bronto::default(), Look::default(), luck());
        let mut run = |ticks: std::ops::Range<u64>| {
            for tick in ticks {
                let feel = Feel { feet: Vec3::new(0.0, 0.0, -(tick as f32) * 0.05), ..feel(100, 50, tick) };
                bronto.step(&config, &feel, &mut random);
                look.see(&mut bronto, &config, &view, &feel, &mut random);
            }
        };
        run(0..300);
        assert_eq!(allocation_counter::measure(|| run(300..400)).count_total, 0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn whatever_is_seen_decisions_are_finite_and_repeat(
        seed in any::<u64>(),
        health in 0u32..=100,
        ammo in 0u32..=100,
        ours in any::<bool>(),
    ) {
        let mut random = Streams { seed }.stream(0, Purpose::new("noise"));
        let mut view = Viewport::new(LENS).unwrap();
        view.set_eye(eye());
        for row in 0..LENS.height {
            for column in 0..LENS.width {
                let class = Class(random.below(8) as u8);
                let motion = Motion { speed: random.unit(), away: random.unit(), across: random.unit() };
                view.draw(column, row, class, random.unit(), motion);
            }
        }
        let config = if ours { OURS } else { SOURCE };
        let mut bronto = after(&config, &view, &feel(health, ammo, 0));
        prop_assert_eq!(state::hash(&bronto), state::hash(&after(&config, &view, &feel(health, ammo, 0))));
        let wish = bronto.step(&config, &feel(health, ammo, 1), &mut luck());
        prop_assert!(wish.yaw.is_finite() && wish.pace_m_per_s.is_finite() && wish.to.is_none_or(Vec2::is_finite));
    }
}
