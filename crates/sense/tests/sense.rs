//! What senses promise: which targets are seen, when they are noticed, how late at most, and what is remembered.
#![allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]

use proptest::prelude::*;
use sentir_core::belief::{Beliefs, Sense};
use sentir_core::body::{Body, Pose};
use sentir_core::budget::Budget;
use sentir_core::geometry::{Geometry, Open, Ray, RayHit};
use sentir_core::glam::{Vec2, Vec3};
use sentir_core::id::{AgentId, TeamId};
use sentir_core::random::{Purpose, Stream, Streams};
use sentir_core::state::{Noticed, from_bytes, hash, perturb, to_bytes};
use sentir_core::tick::{Tick, TickRate};
use sentir_core::{math, plane};
use sentir_sense::notice::notice_s;
use sentir_sense::sight::{Look, Sighting, Zone, look, looks_max};
use sentir_sense::{MemoryConfig, SenseConfig, Senses, SightConfig, Subject, Surroundings, Visible, memory};

const RATE: TickRate = TickRate::new(60);

/// Upright walls of a height, as segments on the ground.
struct Walls(Vec<(Vec2, Vec2, f32)>);

impl Geometry for Walls {
    fn version(&self) -> u64 {
        0
    }

    fn ray(&self, ray: &Ray) -> Option<RayHit> {
        let (from, way) = (plane::ground(ray.origin), plane::ground(ray.direction));
        let meets = |(a, b, height): &(Vec2, Vec2, f32)| {
            let along = *b - *a;
            let cross = way.perp_dot(along);
            let (t, u) = ((*a - from).perp_dot(along) / cross, (*a - from).perp_dot(way) / cross);
            let y = ray.origin.y + ray.direction.y * t;
            (t > 0.0 && t < ray.length_m && (0.0..=1.0).contains(&u) && y <= *height).then_some(t)
        };
        let nearest = self.0.iter().filter_map(meets).fold(f32::INFINITY, math::min);
        (nearest < f32::INFINITY).then_some(RayHit { distance_m: nearest, normal: Vec3::Y, surface: 0 })
    }

    fn overlap(&self, _: Vec3, _: f32) -> bool {
        false
    }
}

/// Light everywhere the same.
struct Lamp(f32);

impl Surroundings for Lamp {
    fn light(&self, _: Vec3) -> f32 {
        self.0
    }
}

fn body(place: Vec2, yaw: f32) -> Body {
    Body { pose: Pose { position: plane::lift(place, 0.0), yaw }, ..Body::default() }
}

fn subject(number: u64, body: &Body) -> Subject<'_> {
    Subject { who: AgentId::from_bits(number), team: TeamId(number as u32), body }
}

/// One who looks, always from the same place.
struct Watcher {
    config: SenseConfig,
    body: Body,
    senses: Senses,
    beliefs: Beliefs,
    events: Vec<Sighting>,
}

impl Watcher {
    fn new(config: SenseConfig) -> Watcher {
        let (senses, beliefs) = (Senses::default(), Beliefs::default());
        Watcher { config, body: body(Vec2::ZERO, 0.0), senses, beliefs, events: Vec::new() }
    }

    fn look(&mut self, tick: u64, bodies: &[Body], geometry: &dyn Geometry, around: &dyn Surroundings, quota: u32) {
        let me = subject(0, &self.body);
        let now = Look { me, now: Tick(tick), rate: RATE, geometry, around };
        self.events.clear();
        let (events, mut budget) = (&mut self.events, Budget::new(quota));
        look(
            &self.config,
            &now,
            |_, visit| (1..).zip(bodies).for_each(|(number, body)| visit(subject(number, body))),
            &mut self.senses,
            &mut self.beliefs,
            &mut budget,
            |event| events.push(event),
        );
        memory::age(&self.config, Tick(tick), RATE, &mut self.beliefs);
    }

    fn knows(&self, number: u64) -> bool {
        self.beliefs.other(AgentId::from_bits(number)).is_some_and(|other| other.is_visible)
    }
}

/// Notices at first sight.
fn instant() -> SenseConfig {
    let sight = SightConfig { near_s: 0.0, far_s: 0.0, ..SightConfig::default() };
    SenseConfig { sight, ..SenseConfig::default() }
}

#[test]
fn one_of_whom_only_the_head_or_a_shoulder_shows_is_seen_and_none_is_not() {
    let target = body(Vec2::new(0.0, 8.0), 0.0);
    // Head at 1.7, shoulders at 1.445 over the ground, 0.3 to either side. The wall is half way.
    let wall = |from: f32, to: f32, height| Walls(vec![(Vec2::new(from, 4.0), Vec2::new(to, 4.0), height)]);
    let sees = |walls: &Walls| {
        let mut watcher = Watcher::new(instant());
        watcher.look(0, &[target], walls, &(), 64);
        watcher.knows(1)
    };
    assert!(sees(&wall(-9.0, 9.0, 1.65)), "the head shows over it");
    assert!(sees(&wall(-0.1, 9.0, 3.0)), "the left shoulder shows beside it");
    assert!(sees(&wall(-9.0, 0.1, 3.0)), "the right shoulder shows beside it");
    assert!(!sees(&wall(-9.0, 9.0, 3.0)), "nothing shows");
    assert!(!sees(&wall(-0.2, 0.2, 3.0)), "a post as wide as the target hides it");
}

#[test]
fn eyes_have_a_range_two_cones_and_hands() {
    let at = |angle: f32, distance: f32| body(plane::heading(angle) * distance, 0.0);
    let sees = |target: Body| {
        let mut watcher = Watcher::new(instant());
        watcher.look(0, &[target], &Open, &(), 64);
        watcher.knows(1)
    };
    assert!(sees(at(0.5, 29.0)) && !sees(at(0.5, 31.0)));
    assert!(sees(at(-1.0, 17.0)) && !sees(at(-1.0, 19.0)) && !sees(at(1.1, 5.0)));
    assert!(sees(at(math::PI, 0.9)), "in touch, behind");
    assert!(!sees(at(math::PI, 1.1)));
    let mut watcher = Watcher::new(instant());
    watcher.look(0, &[at(math::PI, 0.9)], &Open, &(), 64);
    assert_eq!(watcher.beliefs.others()[0].source, Sense::Touch);
    watcher.look(6, &[at(0.0, 3.0)], &Walls(vec![(Vec2::new(-1.0, 1.0), Vec2::new(1.0, 1.0), 3.0)]), &(), 64);
    assert!(!watcher.knows(1));
}

#[test]
fn times_to_notice_follow_the_curves() {
    // Looks every 6 ticks that begin at any tick of a period, at many distances, speeds and lights: the time from entry to
    // notice is the curve's, rounded up to the next look, and so over all phases half a period more on average.
    let config = SenseConfig::default();
    let mut off_s = Vec::new();
    for (number, distance) in [2.0f32, 6.0, 10.0, 16.0, 24.0, 29.0].into_iter().enumerate() {
        for (speed, light) in [(0.0f32, 1.0f32), (1.5, 1.0), (4.0, 1.0), (4.0, 0.4), (0.0, 0.2)] {
            for (angle, zone) in [(0.1f32, Zone::Focus), (0.8, Zone::Periphery)] {
                if zone == Zone::Periphery && distance > 17.0 {
                    continue;
                }
                let mut target = body(plane::heading(angle) * distance, 0.0);
                target.velocity = Vec3::X * speed;
                let needed_s = notice_s(&config.sight, zone, distance, speed, light);
                let phase = number as u64 % 6;
                let mut watcher = Watcher::new(config);
                // Enters at tick 10, unseen before.
                let mut noticed = None;
                for tick in (phase..2000).step_by(6) {
                    let here = if tick >= 10 { std::slice::from_ref(&target) } else { &[] };
                    watcher.look(tick, here, &Open, &Lamp(light), 64);
                    if watcher.knows(1) {
                        noticed = Some(tick);
                        break;
                    }
                }
                let took_s = RATE.seconds(noticed.unwrap() - 10);
                // Up to a period until the first look, and up to one until the look that completes it.
                let late_s = took_s - needed_s;
                assert!((-1e-3..=0.2).contains(&late_s), "{distance} m, {speed} m/s, {light}: {took_s} for {needed_s}");
                off_s.push(late_s);
            }
        }
    }
    let mean_s = off_s.iter().sum::<f32>() / off_s.len() as f32;
    assert!((0.03..0.15).contains(&mean_s), "{mean_s}");
}

#[test]
fn nobody_is_noticed_in_the_dark_nor_for_a_moment() {
    let target = body(Vec2::new(0.0, 10.0), 0.0);
    let mut watcher = Watcher::new(SenseConfig::default());
    (0..600).step_by(6).for_each(|tick| watcher.look(tick, &[target], &Open, &Lamp(0.05), 64));
    assert!(watcher.beliefs.others().is_empty());
    // A tenth of a second in view every two seconds.
    let mut watcher = Watcher::new(SenseConfig::default());
    for tick in (0..3600).step_by(6) {
        let here = if tick % 120 < 12 { std::slice::from_ref(&target) } else { &[] };
        watcher.look(tick, here, &Open, &(), 64);
        assert!(!watcher.knows(1), "at {tick}");
    }
}

#[test]
fn who_went_away_is_lost_and_then_vanished_and_then_forgotten() {
    let config = SenseConfig { memory: MemoryConfig { half_life_s: 2.0, ..MemoryConfig::default() }, ..instant() };
    let mut watcher = Watcher::new(config);
    let who = AgentId::from_bits(1);
    let wall = Walls(vec![(Vec2::new(-9.0, 4.0), Vec2::new(9.0, 4.0), 3.0)]);
    watcher.look(0, &[body(Vec2::new(0.0, 8.0), 0.0)], &Open, &(), 64);
    assert!(matches!(watcher.events[..], [Sighting::Noticed { .. }]));
    // A wall between: the target may still be there.
    watcher.look(6, &[body(Vec2::new(3.0, 8.0), 0.0)], &wall, &(), 64);
    assert_eq!(watcher.events, [Sighting::Lost { who }]);
    watcher.look(12, &[body(Vec2::new(3.0, 8.0), 0.0)], &wall, &(), 64);
    let known = watcher.beliefs.others()[0];
    assert!(!known.is_vanished && known.confidence < 1.0 && known.position.distance(Vec3::new(0.0, 0.0, -8.0)) < 1e-4);
    // The wall is gone, and so is the target.
    watcher.look(18, &[], &Open, &(), 64);
    assert_eq!(watcher.events, [Sighting::Vanished { who }]);
    let vanished = watcher.beliefs.others()[0];
    assert!(vanished.is_vanished && vanished.confidence < known.confidence * 0.5);
    // Seen again, it has not vanished.
    watcher.look(24, &[body(Vec2::new(2.0, 9.0), 0.0)], &Open, &(), 64);
    assert!(!watcher.beliefs.others()[0].is_vanished && watcher.beliefs.others()[0].confidence == 1.0);
    (30..900).step_by(6).for_each(|tick| watcher.look(tick, &[], &wall, &(), 64));
    assert!(watcher.beliefs.others().is_empty() && watcher.senses == Senses::default());
}

/// A door that is open from a tick on, and a bridge whose fall everybody is told of.
struct Doors(u16);

impl Surroundings for Doors {
    fn visit_things(&self, _: Vec3, _: f32, visit: &mut dyn FnMut(&Visible)) {
        let door =
            Visible { id: 3, value: self.0, position: Vec3::new(0.0, 1.0, -8.0), radius_m: 0.7, is_public: false };
        visit(&door);
        visit(&Visible { id: 9, value: self.0, position: Vec3::new(0.0, 1.0, 50.0), is_public: true, ..door });
    }
}

#[test]
fn things_are_believed_as_they_were_last_seen() {
    let mut watcher = Watcher::new(instant());
    // The door itself ends the ray at its skin, and is seen; a wall before it hides it.
    let door = Walls(vec![(Vec2::new(-0.7, 8.0), Vec2::new(0.7, 8.0), 2.0)]);
    let wall = Walls(vec![(Vec2::new(-9.0, 4.0), Vec2::new(9.0, 4.0), 3.0)]);
    let value = |watcher: &Watcher, id| watcher.beliefs.thing(id).map(|thing| (thing.value, thing.source));
    watcher.look(0, &[], &wall, &Doors(0), 64);
    assert_eq!((value(&watcher, 3), value(&watcher, 9)), (None, Some((0, Sense::Public))));
    watcher.look(6, &[], &door, &Doors(0), 64);
    assert_eq!(watcher.events, [Sighting::Changed { id: 3 }]);
    watcher.look(12, &[], &wall, &Doors(1), 64);
    assert_eq!((value(&watcher, 3), value(&watcher, 9)), (Some((0, Sense::Sight)), Some((1, Sense::Public))));
    watcher.look(18, &[], &Open, &Doors(1), 64);
    assert_eq!(value(&watcher, 3), Some((1, Sense::Sight)));
}

#[test]
fn a_quota_under_three_rays_sees_nobody_and_says_so() {
    assert_eq!([0, 2, 3, 7, 30].map(|quota| looks_max(10, quota)), [None, None, Some(10), Some(5), Some(1)]);
    let mut watcher = Watcher::new(instant());
    watcher.look(0, &[body(Vec2::new(0.0, 8.0), 0.0)], &Open, &(), 2);
    assert_eq!(watcher.events, [Sighting::Unserved { count: 1 }]);
    assert!(watcher.beliefs.others().is_empty());
}

#[test]
fn odd_numbers_are_no_senses_and_no_panic() {
    let odd = SightConfig { range_m: f32::NAN, touch_m: f32::NAN, half_rad: f32::NAN, ..SightConfig::default() };
    let mut watcher = Watcher::new(SenseConfig { sight: odd, ..SenseConfig::default() });
    watcher.look(0, &[body(Vec2::new(0.0, 1.0), 0.0), body(Vec2::NAN, f32::NAN)], &Open, &Lamp(f32::NAN), 64);
    assert!(watcher.beliefs.others().is_empty());
    let crowd: Vec<_> = (0..400u16).map(|number| body(Vec2::new(0.0, 2.0 + f32::from(number) * 0.05), 0.0)).collect();
    let mut watcher = Watcher::new(instant());
    (0..600).step_by(6).for_each(|tick| watcher.look(tick, &crowd, &Open, &(), 64));
    assert!(watcher.senses.glimpses().len() <= sentir_sense::GLIMPSES_MAX);
    assert!(watcher.beliefs.others().len() > 200, "{} in view", watcher.beliefs.others().len());
}

fn walk(luck: &mut Stream, bodies: &mut [Body]) {
    for body in bodies {
        if luck.chance(0.2) {
            body.velocity = plane::lift(plane::heading(luck.between(0.0, 6.0)) * luck.between(0.0, 3.0), 0.0);
        }
        body.pose.position += body.velocity * 0.1;
    }
}

/// A yard with some walls and walkers, by number.
fn yard(seed: u64, count: usize) -> (Walls, Vec<Body>, Stream) {
    let mut luck = Streams { seed }.stream(0, Purpose::new("yard"));
    let mut place = |reach: f32| Vec2::new(luck.between(-reach, reach), luck.between(-reach, reach));
    let walls = (0..6).map(|_| (place(15.0), place(15.0), 3.0)).collect();
    let bodies = (0..count).map(|_| body(place(20.0), 0.0)).collect();
    (Walls(walls), bodies, luck)
}

/// The slow, obvious twin of a look with enough rays: each target by itself, all three rays every time.
struct Twin {
    progress: f32,
    last: Option<u64>,
    is_seen: bool,
}

impl Twin {
    fn look(&mut self, config: &SightConfig, me: &Body, it: &Body, tick: u64, walls: &Walls) -> bool {
        let way = plane::ground(it.pose.position - me.pose.position);
        let distance = way.length();
        let angle = math::angle_between(me.pose.yaw, plane::yaw(way)).abs();
        let zone = if distance <= config.touch_m + 0.6 {
            Some(Zone::Touch)
        } else if distance <= config.range_m && angle <= config.focus_half_rad {
            Some(Zone::Focus)
        } else if distance <= config.range_m * config.periphery_share && angle <= config.half_rad {
            Some(Zone::Periphery)
        } else {
            None
        };
        let is_clear = it.outline(me.eye()).iter().any(|&point| walls.is_clear(me.eye(), point));
        let since_s = RATE.seconds(tick - self.last.unwrap_or(tick));
        self.last = Some(tick);
        match zone.filter(|_| is_clear) {
            Some(zone) => {
                let needed_s = notice_s(config, zone, distance, it.velocity.length(), 1.0);
                let gained = if self.is_seen { since_s / needed_s } else { 0.0 };
                self.progress = if needed_s <= 0.0 { 1.0 } else { math::saturate(self.progress + gained) };
                self.is_seen = true;
            }
            None => {
                self.progress = math::saturate(self.progress - since_s / config.fade_s);
                self.is_seen = false;
            }
        }
        self.is_seen && self.progress >= 1.0
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn a_look_is_its_slow_twin(seed in any::<u64>()) {
        let (walls, mut bodies, mut luck) = yard(seed, 12);
        let mut watcher = Watcher::new(SenseConfig::default());
        let mut twins: Vec<_> = bodies.iter().map(|_| Twin { progress: 0.0, last: None, is_seen: false }).collect();
        for tick in (0..900).step_by(6) {
            walk(&mut luck, &mut bodies);
            watcher.body.pose.yaw = math::wrap_angle(watcher.body.pose.yaw + luck.between(-0.2, 0.2));
            watcher.look(tick, &bodies, &walls, &(), 64);
            for (number, twin) in (1..).zip(&mut twins) {
                let it = &bodies[number as usize - 1];
                let is_noticed = twin.look(&watcher.config.sight, &watcher.body, it, tick, &walls);
                prop_assert_eq!(watcher.knows(number), is_noticed, "{} at {}", number, tick);
            }
        }
    }

    #[test]
    fn everybody_in_the_cone_is_looked_for_within_the_bound(
        seed in any::<u64>(), count in 1usize..40, quota in 3u32..40,
    ) {
        // Targets in plain sight, coming and going at random; how many looks until each is first looked for?
        let mut luck = Streams { seed }.stream(0, Purpose::new("bound"));
        let bodies: Vec<_> = (0..count).map(|_| body(Vec2::new(luck.between(-1.0, 1.0), luck.between(5.0, 20.0)), 0.0)).collect();
        let away = body(Vec2::new(0.0, -20.0), 0.0);
        let limit = u64::from(looks_max(count as u32, quota).unwrap());
        let mut watcher = Watcher::new(instant());
        let mut entered: Vec<Option<u64>> = vec![None; count];
        for turn in 0..120u64 {
            for one in &mut entered {
                if luck.chance(if one.is_some() { 0.03 } else { 0.2 }) {
                    *one = if one.is_some() { None } else { Some(turn) };
                }
            }
            let now: Vec<_> = entered.iter().zip(&bodies).map(|(one, body)| if one.is_some() { *body } else { away }).collect();
            watcher.look(turn * 6, &now, &Open, &(), quota);
            for (number, one) in (1..).zip(&entered) {
                let waited = one.map_or(0, |since| turn + 1 - since);
                prop_assert!(waited < limit || one.is_none() || watcher.knows(number), "{} waits for {}", number, waited);
            }
        }
    }

    #[test]
    fn nothing_is_remembered_that_was_never_sensed_and_a_restored_mind_goes_on(seed in any::<u64>()) {
        let (walls, mut bodies, mut luck) = yard(seed, 16);
        let mut watcher = Watcher::new(SenseConfig::default());
        let mut ever = [false; 17];
        let mut twin: Option<Watcher> = None;
        for tick in (0..1200).step_by(6) {
            walk(&mut luck, &mut bodies);
            watcher.body.pose.yaw = math::wrap_angle(watcher.body.pose.yaw + 0.05);
            // A generous eye: any ray to any part, all round.
            for (number, it) in (1..).zip(&bodies) {
                let eye = watcher.body.eye();
                ever[number] |= it.outline(eye).iter().any(|&point| walls.is_clear(eye, point));
            }
            watcher.look(tick, &bodies, &walls, &(), 24);
            for other in watcher.beliefs.others() {
                prop_assert!(ever[other.who.to_bits() as usize], "{:?} was never in view", other.who);
                prop_assert!((0.0..=1.0).contains(&other.confidence) && other.at <= Tick(tick));
                prop_assert!(other.confidence >= watcher.config.memory.forget_below);
            }
            if tick == 600 {
                let senses: Senses = from_bytes(&to_bytes(&watcher.senses)).unwrap();
                let beliefs: Beliefs = from_bytes(&to_bytes(&watcher.beliefs)).unwrap();
                twin = Some(Watcher { senses, beliefs, ..Watcher::new(watcher.config) });
            }
            if let Some(twin) = &mut twin {
                twin.body = watcher.body;
                if tick > 600 {
                    twin.look(tick, &bodies, &walls, &(), 24);
                }
                prop_assert_eq!(hash(&twin.senses), hash(&watcher.senses));
                prop_assert_eq!(hash(&twin.beliefs), hash(&watcher.beliefs));
            }
        }
    }

    #[test]
    fn who_is_hidden_changes_nothing_while_the_quota_is_enough(seed in any::<u64>()) {
        let (mut walls, mut bodies, mut luck) = yard(seed, 8);
        // A room that nobody sees into.
        for side in 0..4u8 {
            let corner = |turn: u8| plane::heading(0.785 + f32::from(turn) * math::FRAC_PI_2) * 4.0 + Vec2::new(0.0, 14.0);
            walls.0.push((corner(side), corner(side + 1), 3.0));
        }
        let mut hidden: Vec<_> = (0..4u8).map(|number| body(Vec2::new(f32::from(number) * 0.7 - 1.0, 14.0), 0.0)).collect();
        let (mut plain, mut beside) = (Watcher::new(SenseConfig::default()), Watcher::new(SenseConfig::default()));
        for tick in (0..900).step_by(6) {
            walk(&mut luck, &mut bodies);
            bodies.iter_mut().for_each(|body| {
                // Nobody walks into the room.
                let off = plane::ground(body.pose.position) - Vec2::new(0.0, 14.0);
                if off.length() < 4.6 {
                    body.pose.position = plane::lift(Vec2::new(-9.0, 3.0), 0.0);
                }
            });
            walk(&mut luck, &mut hidden[..1]);
            hidden[0].pose.position = plane::lift(Vec2::new(luck.between(-1.0, 1.0), 14.0), 0.0);
            let all: Vec<_> = bodies.iter().chain(&hidden).copied().collect();
            plain.look(tick, &bodies, &walls, &(), 64);
            beside.look(tick, &all, &walls, &(), 64);
            prop_assert_eq!(hash(&plain.beliefs), hash(&beside.beliefs), "at {}", tick);
        }
    }
}

#[test]
fn looks_allocate_nothing_once_lists_have_their_size() {
    let (walls, mut bodies, mut luck) = yard(5, 24);
    let mut grown = 0;
    let mut watcher = Watcher::new(SenseConfig::default());
    for tick in (0..6000).step_by(6) {
        walk(&mut luck, &mut bodies);
        bodies.iter_mut().filter(|body| body.pose.position.length() > 25.0).for_each(|body| body.pose.position *= 0.2);
        watcher.body.pose.yaw = math::wrap_angle(watcher.body.pose.yaw + 0.07);
        let counted = allocation_counter::measure(|| watcher.look(tick, &bodies, &walls, &(), 64));
        grown += u32::from(tick >= 600 && counted.count_total > 0);
    }
    // Two lists that may double once more.
    assert!(grown <= 3, "{grown} of 900 looks allocated");
    assert!(!watcher.beliefs.others().is_empty());
}

#[test]
fn every_field_of_the_senses_counts() {
    let mut watcher = Watcher::new(SenseConfig::default());
    watcher.look(6, &[body(Vec2::new(0.0, 9.0), 0.0), body(Vec2::new(1.0, 9.0), 0.0)], &Open, &(), 64);
    assert!(perturb(&watcher.senses).iter().all(|one| one.outcome != Noticed::No));
    let mut bytes = to_bytes(&watcher.senses);
    let turned: Vec<u8> = bytes.drain(..).rev().collect();
    assert!(from_bytes::<Senses>(&turned).is_err());
}
