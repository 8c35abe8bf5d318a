//! Contract: every option of the eye is off by default, deterministic, and does what its name says; none shows what was not
//! there.

use sentir_core::glam::Vec3;
use sentir_core::math;
use sentir_core::random::{Purpose, Streams};
use sentir_core::tick::{Tick, TickRate};
use sentir_vision::gaze::{Gaze, GazeConfig, GazeTarget, Question};
use sentir_vision::light::{Adaptation, AdaptationConfig, Lamp, Light};
use sentir_vision::noise::Noise;
use sentir_vision::object::Object;
use sentir_vision::panorama::Panorama;
use sentir_vision::recall::{Recall, RecallConfig};
use sentir_vision::segment::{self, SegmentConfig, SegmentScratch};
use sentir_vision::spectrum::Spectrum;
use sentir_vision::stereo;
use sentir_vision::tiredness::{self, Tiredness, TirednessConfig};
use sentir_vision::{Class, Eye, Lens, Motion, MotionMode, Retina, Scenery, Solid, Thing, Viewport};

const ENEMY: Class = Class(6);
const LENS: Lens = Lens { width: 160, height: 120, fov_y_rad: 1.0, near_m: 0.05, far_m: 60.0 };

/// A floor 40 m wide with a ball on it for each place, all moving the same way.
fn seen(eye: &Eye, places: &[Vec3], velocity: Vec3) -> Viewport {
    let floor = [Vec3::new(-40., 0., 40.), Vec3::new(40., 0., 40.), Vec3::new(0., 0., -80.)];
    let ball = Solid::ball(0.5, 10);
    let thing = |&position: &Vec3| Thing { solid: &ball, position, yaw: 0.0, velocity, class: ENEMY };
    let things: Vec<Thing<'_>> = places.iter().map(thing).collect();
    let mut retina = Retina::new(LENS).unwrap();
    retina.look(eye, &Scenery::build(&[floor]), &things);
    let mut view = Viewport::new(LENS).unwrap();
    assert!(view.take(&retina, eye, MotionMode::View, 10.0));
    view
}

fn eye() -> Eye {
    Eye { position: Vec3::Y * 1.6, yaw: 0.0, pitch: -0.1 }
}

fn pixels(view: &Viewport) -> impl Iterator<Item = (Class, u32, Motion)> {
    let lens = *view.lens();
    let all = (0..lens.height).flat_map(move |row| (0..lens.width).map(move |column| (column, row)));
    all.map(|(column, row)| (view.class(column, row), view.depth(column, row).to_bits(), view.motion(column, row)))
}

fn count(view: &Viewport, class: Class) -> usize {
    pixels(view).filter(|(one, ..)| *one == class).count()
}

fn objects(view: &Viewport) -> Vec<Object> {
    let mut objects = Vec::new();
    segment::find(view, &[ENEMY], &SegmentConfig::default(), &mut SegmentScratch::default(), &mut objects);
    objects
}

#[test]
fn options_at_their_defaults_change_no_bit() {
    let plain = seen(&eye(), &[Vec3::new(1.0, 0.5, -6.0)], Vec3::X);
    let mut view = plain.clone();
    let mut random = Streams { seed: 1 }.stream(0, Purpose::new("noise"));
    Noise::default().apply(&mut view, &mut random);
    Tiredness::default().apply(&TirednessConfig::default(), &mut view);
    Spectrum::default().apply(&mut view);
    let light = Light { ambient: 300.0, lamps: &[] };
    Adaptation::default().apply(&AdaptationConfig::default(), &mut view, &light, &[]);
    assert!(pixels(&plain).eq(pixels(&view)));
}

#[test]
fn noise_is_as_large_as_asked_for_and_the_same_for_the_same_stream() {
    let plain = seen(&eye(), &[Vec3::new(0.0, 0.5, -6.0)], Vec3::ZERO);
    let noisy = |noise: Noise| {
        let mut view = plain.clone();
        noise.apply(&mut view, &mut Streams { seed: 9 }.stream(0, Purpose::new("noise")));
        view
    };
    let noise = Noise { distance_share: 0.1, missed_share: 0.2 };
    let (once, again) = (noisy(noise), noisy(noise));
    assert!(pixels(&once).eq(pixels(&again)));
    let there = |view: &Viewport| pixels(view).filter(|(class, ..)| *class != Class::NOTHING).count() as f64;
    let kept = there(&once) / there(&plain);
    assert!((kept - 0.8).abs() < 0.02, "{kept}");
    let mut sum = 0.0;
    let mut squares = 0.0;
    let mut seen = 0.0;
    for (column, row) in (0..120).flat_map(|row| (0..160).map(move |column| (column, row))) {
        if once.class(column, row) != Class::NOTHING {
            let off = f64::from(once.distance_m(column, row) / plain.distance_m(column, row)) - 1.0;
            (sum, squares, seen) = (sum + off, squares + off * off, seen + 1.0);
        }
    }
    let (mean, deviation) = (sum / seen, f64::sqrt(squares / seen));
    assert!(mean.abs() < 0.01 && (deviation - 0.1 / 3f64.sqrt()).abs() < 0.003, "{mean} ± {deviation}");
    // More than all, or no number, is held within limits.
    assert_eq!(there(&noisy(Noise { distance_share: f32::NAN, missed_share: 7.0 })), 0.0);
}

#[test]
fn tired_eyes_lose_what_is_far_and_rest_brings_it_back() {
    let config = TirednessConfig::default();
    let plain = seen(&eye(), &[Vec3::new(0.3, 0.5, -45.0)], Vec3::ZERO);
    assert!((1..12).contains(&count(&plain, ENEMY)), "a far ball is a few pixels: {}", count(&plain, ENEMY));
    let mut eyes = Tiredness::default();
    eyes.step(&config, 1.0, config.tire_s);
    assert!((eyes.level() - 0.632).abs() < 0.01, "{}", eyes.level());
    eyes.step(&config, 1.0, 1e6);
    let mut view = plain.clone();
    eyes.apply(&config, &mut view);
    assert_eq!(eyes.block_px(&config), 6);
    assert_eq!(count(&view, ENEMY) % 36, 0, "whole blocks or none");
    eyes.step(&config, 0.0, 1e6);
    assert_eq!((eyes.level(), eyes.block_px(&config)), (0.0, 1));
    eyes.step(&config, f32::NAN, f32::NAN);
    assert!((0.0..=1.0).contains(&eyes.level()));
    assert_eq!(tiredness::strain(&plain, &plain), 0.0);
    assert_eq!(tiredness::strain(&plain, &Viewport::new(Lens { width: 8, ..LENS }).unwrap()), 1.0);
    let dark = Viewport::new(LENS).unwrap();
    let changed = tiredness::strain(&dark, &plain);
    assert!(changed > 0.3 && changed < 1.0, "{changed}");
}

#[test]
fn eyes_get_used_to_the_dark_slowly_and_to_the_bright_fast() {
    let config = AdaptationConfig::default();
    let night = Light { ambient: 0.1, lamps: &[] };
    let plain = seen(&eye(), &[Vec3::new(0.0, 0.5, -6.0)], Vec3::ZERO);
    let shown = |used: &Adaptation, light: &Light<'_>| {
        let mut view = plain.clone();
        used.apply(&config, &mut view, light, &[]);
        count(&view, ENEMY)
    };
    let mut used = Adaptation::default();
    assert_eq!(shown(&used, &night), 0, "out of a lit room, the night is black");
    used.step(&config, &plain, &night, 2.0);
    assert_eq!(shown(&used, &night), 0, "two seconds are too short");
    used.step(&config, &plain, &night, 40.0);
    assert_eq!(shown(&used, &night), count(&plain, ENEMY));
    // Now the day dazzles, for a moment.
    let day = Light { ambient: 10_000.0, lamps: &[] };
    assert_eq!(shown(&used, &day), 0);
    used.step(&config, &plain, &day, 3.0);
    assert_eq!(shown(&used, &day), count(&plain, ENEMY));
    // A lamp lights what is near it, and what glows is seen all the same.
    let lamps = [Lamp { position: Vec3::new(0.0, 2.0, -6.0), strength: 1000.0 }];
    let lit = Light { ambient: 0.0, lamps: &lamps };
    assert_eq!(shown(&Adaptation::default(), &lit), count(&plain, ENEMY));
    let mut view = plain.clone();
    Adaptation::default().apply(&config, &mut view, &Light { ambient: f32::NAN, lamps: &[] }, &[ENEMY]);
    assert_eq!((count(&view, ENEMY), count(&view, Class::FLOOR)), (count(&plain, ENEMY), 0));
}

#[test]
fn other_visions_show_less_and_never_more() {
    let velocity = Vec3::X * 5.0;
    let plain = seen(&eye(), &[Vec3::new(0.0, 0.5, -6.0)], velocity);
    let through = |spectrum: Spectrum<'_>| {
        let mut view = plain.clone();
        spectrum.apply(&mut view);
        for ((was, depth, _), (is, seen, _)) in pixels(&plain).zip(pixels(&view)) {
            assert!(was != Class::NOTHING || is == Class::NOTHING);
            assert!(is == Class::NOTHING || depth == seen);
        }
        view
    };
    let warm = through(Spectrum::Infrared { warmths: &[(ENEMY, 37.0)], warmth_min: 30.0 });
    assert_eq!((count(&warm, ENEMY), count(&warm, Class::FLOOR)), (count(&plain, ENEMY), 0));
    let cold = through(Spectrum::Infrared { warmths: &[(ENEMY, f32::NAN)], warmth_min: 30.0 });
    assert_eq!(count(&cold, ENEMY), 0);
    let frog = through(Spectrum::Moving { speed_min: 0.1 });
    assert_eq!((count(&frog, ENEMY), count(&frog, Class::FLOOR)), (count(&plain, ENEMY), 0));
    assert_eq!(count(&through(Spectrum::Moving { speed_min: 0.6 }), ENEMY), 0);
    let echo = through(Spectrum::Echo { range_m: 10.0 });
    assert_eq!(count(&echo, ENEMY), 0);
    assert!(pixels(&echo).all(|(class, _, motion)| class.0 <= 1 && motion == Motion::STILL));
    assert!(count(&echo, Class::WALL) > 1000 && count(&echo, Class::NOTHING) > count(&plain, Class::NOTHING));
}

#[test]
fn two_eyes_tell_a_distance_without_depth() {
    let gap_m = 0.3;
    for distance in [3.0f32, 6.0, 12.0] {
        let place = Vec3::new(0.4, 1.6, -distance);
        let head = Eye { position: Vec3::Y * 1.6, yaw: 0.0, pitch: 0.0 };
        let [left, right] = stereo::pair(&head, gap_m).map(|eye| seen(&eye, &[place], Vec3::ZERO));
        let judged = stereo::judge_m(&left, &right, gap_m, ENEMY).unwrap();
        assert!((judged / distance - 1.0).abs() < 0.08, "{judged} of {distance} m");
    }
    let [left, right] = stereo::pair(&eye(), gap_m).map(|eye| seen(&eye, &[Vec3::new(0.0, 0.5, -55.0)], Vec3::ZERO));
    let judged = stereo::judge_m(&left, &right, 0.01, ENEMY);
    assert!(judged.is_none_or(|judged| judged > 0.0));
    assert_eq!(stereo::judge_m(&left, &Viewport::new(LENS).unwrap(), gap_m, ENEMY), None);
    assert_eq!(stereo::distance_m(&LENS, gap_m, 5.0, 5.0), None);
    assert_eq!(stereo::distance_m(&LENS, gap_m, 5.0, 6.0), None);
}

#[test]
fn a_panorama_sees_what_stands_behind() {
    let ball = Solid::ball(0.5, 10);
    let eye = Eye { position: Vec3::Y * 1.6, yaw: 0.4, pitch: 0.3 };
    for sectors in [3, 4, 7] {
        let mut around = Panorama::new(&Lens { height: 60, ..LENS }, sectors).unwrap();
        for turn in 0..36 {
            let yaw = turn as f32 * math::TAU / 36.0 - 3.0;
            let toward = Vec3::new(-math::sin(yaw), 0.0, -math::cos(yaw));
            let position = eye.position + toward * 5.0;
            let thing = Thing { solid: &ball, position, yaw: 0.0, velocity: toward, class: ENEMY };
            around.look(&eye, &Scenery::default(), &[thing], 10.0);
            let found = around.at(yaw, 0.0);
            assert_eq!(found.class, ENEMY, "{sectors} sectors, yaw {yaw}");
            assert!(found.place.unwrap().distance(position) < 0.7);
            assert!(found.motion.away > 0.99, "it goes away along the line of sight: {:?}", found.motion);
            assert_eq!(around.at(yaw + 1.0, 0.0).class, Class::NOTHING);
        }
        assert_eq!(around.at(0.0, 1.5).class, Class::NOTHING);
        assert_eq!(around.sectors().len(), sectors as usize);
    }
    assert_eq!(Panorama::new(&LENS, 0).unwrap().sectors().len(), 3);
    assert!(Panorama::new(&Lens { far_m: 0.0, ..LENS }, 4).is_err());
}

#[test]
fn what_was_seen_is_remembered_carried_on_and_struck_out() {
    let (config, rate) = (RecallConfig::default(), TickRate::new(10));
    let mut recall = Recall::default();
    let places = [Vec3::new(-1.5, 0.5, -8.0), Vec3::new(2.5, 0.5, -8.0)];
    let view = seen(&eye(), &places, Vec3::ZERO);
    recall.look(&config, &view, &objects(&view), Tick(0), rate);
    assert_eq!(recall.sightings().len(), 2);
    // One moves; the other is out of view, once the eye turns.
    let moved = [places[0] + Vec3::X * 0.2, places[1]];
    let view = seen(&eye(), &moved, Vec3::ZERO);
    recall.look(&config, &view, &objects(&view), Tick(1), rate);
    let mover = recall.nearest(&config, ENEMY, moved[0], Tick(1), rate).unwrap();
    assert!((mover.velocity.x - 2.0).abs() < 0.6 && mover.looks == 2, "{mover:?}");
    assert!((mover.expected(&config, Tick(6), rate).x - mover.place.x - 1.0).abs() < 0.3);
    let away = Eye { yaw: 3.0, ..eye() };
    let view = seen(&away, &moved, Vec3::ZERO);
    recall.look(&config, &view, &objects(&view), Tick(2), rate);
    assert_eq!(recall.sightings().len(), 2, "what is out of view is still remembered");
    // Looked at again: both places are empty.
    let view = seen(&eye(), &[], Vec3::ZERO);
    recall.look(&config, &view, &objects(&view), Tick(3), rate);
    assert_eq!(recall.sightings(), []);
    // Forgotten after a minute, and never too many.
    let view = seen(&eye(), &places, Vec3::ZERO);
    recall.look(&config, &view, &objects(&view), Tick(4), rate);
    let blind = Viewport::new(LENS).unwrap();
    let one = RecallConfig { sightings_max: 1, ..config };
    let mut short = Recall::default();
    short.look(&one, &view, &objects(&view), Tick(4), rate);
    assert_eq!(short.sightings().len(), 1);
    let mut hidden = blind.clone();
    hidden.set_eye(away);
    recall.look(&config, &hidden, &[], Tick(604), rate);
    assert_eq!(recall.sightings().len(), 2);
    recall.look(&config, &hidden, &[], Tick(605), rate);
    assert_eq!(recall.sightings(), []);
}

/// The twin: pixels flooded one by one.
fn flooded(view: &Viewport, config: &SegmentConfig) -> Vec<(u32, u32, u32)> {
    let lens = *view.lens();
    let span = lens.far_m - lens.near_m;
    let mut is_done = vec![false; (lens.width * lens.height) as usize];
    let mut found = Vec::new();
    for (row, column) in (0..lens.height).flat_map(|row| (0..lens.width).map(move |column| (row, column))) {
        let mut waiting = vec![(column, row)];
        let mut pixels = 0;
        while let Some((column, row)) = waiting.pop() {
            let place = (row * lens.width + column) as usize;
            if view.class(column, row) != ENEMY || is_done[place] {
                continue;
            }
            is_done[place] = true;
            pixels += 1;
            let around = [(1, 0), (0, 1), (-1, 0), (0, -1)];
            for (x, y) in around.map(|(x, y)| (column.wrapping_add_signed(x), row.wrapping_add_signed(y))) {
                let step = (view.depth(column, row) - view.depth(x, y)).abs() * span;
                let (one, other) = (view.motion(column, row).color(), view.motion(x, y).color());
                let alike = (0..3).all(|part| (one[part] - other[part]).abs() <= config.motion_off_max);
                if view.class(x, y) == ENEMY && step <= config.step_m && alike {
                    waiting.push((x, y));
                }
            }
        }
        if pixels > 0 {
            found.push((column, row, pixels));
        }
    }
    found
}

#[test]
fn objects_that_touch_on_the_picture_are_told_apart() {
    // One behind the other, overlapping on the picture.
    let view = seen(&eye(), &[Vec3::new(0.0, 0.5, -6.0), Vec3::new(0.6, 0.5, -9.0)], Vec3::ZERO);
    assert_eq!(objects(&view).len(), 2);
    // Side by side in one plane, moving apart: a picture made by hand.
    let mut view = Viewport::new(LENS).unwrap();
    for (column, row) in (0..20).flat_map(|column| (0..5).map(move |row| (column, row))) {
        let away = if column < 10 { 0.2 } else { 0.8 };
        view.draw(column, row, ENEMY, 0.1, Motion { speed: 0.5, away, across: 0.9 });
    }
    let found = objects(&view);
    assert_eq!(found.iter().map(|one| one.pixels).collect::<Vec<_>>(), [50, 50]);
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(40))]

    #[test]
    fn objects_are_what_a_flood_finds(seed in proptest::prelude::any::<u64>(), share in 0.3f32..0.9) {
        let lens = Lens { width: 33, height: 21, ..LENS };
        let mut view = Viewport::new(lens).unwrap();
        let mut random = Streams { seed }.stream(0, Purpose::new("flood"));
        for (column, row) in (0..21).flat_map(|row| (0..33).map(move |column| (column, row))) {
            if random.chance(share) {
                let depth = if random.chance(0.8) { 0.1 } else { 0.2 };
                view.draw(column, row, ENEMY, depth, Motion::STILL);
            }
        }
        let found: Vec<_> = objects(&view).iter().map(|one| (one.column, one.row, one.pixels)).collect();
        let slow = flooded(&view, &SegmentConfig::default());
        proptest::prop_assert_eq!(&found[..], &slow[..slow.len().min(256)]);
    }
}

#[test]
fn looking_around_answers_a_question_and_ends() {
    let config = GazeConfig { off_rad_max: math::PI, ..GazeConfig::default() };
    let mut gaze = Gaze::default();
    let question = Question { yaw: 0.5, half_rad: 2.0, since: Tick(10) };
    let mut looks = 0;
    let mut tick = Tick(10);
    while let Some(yaw) = gaze.next(&config, 0.0, &question) {
        gaze.turn(&config, 0.0, yaw, 0.0, 10.0);
        assert!(math::angle_between(gaze.yaw, yaw).abs() < 1e-4);
        gaze.note(&LENS, tick);
        (tick, looks) = (tick + 1, looks + 1);
        assert!(looks < 20, "it ends");
    }
    // An arc of 4 rad by looks of about 1.26 rad.
    assert!((4..=9).contains(&looks), "{looks}");
    assert!(gaze.seen(0.5).is_some() && gaze.seen(-1.4).is_some());
    assert_eq!(gaze.seen(0.5 + math::PI), None, "nobody asked for what is behind");
    // Asked anew, it begins with what was unseen the longest.
    let again = gaze.next(&config, 0.0, &Question { since: tick, ..question }).unwrap();
    assert!(gaze.seen(again).unwrap().0 <= 11);
    // What the neck does not reach is not waited for.
    let stiff = GazeConfig { off_rad_max: 0.2, ..config };
    assert_eq!(gaze.next(&stiff, math::PI, &Question { yaw: 0.0, half_rad: 1.0, since: Tick(99) }), None);
}

#[test]
fn eyes_follow_a_mover_no_faster_and_no_farther_than_they_turn() {
    let config = GazeConfig { turn_rad_per_s: 2.0, ..GazeConfig::default() };
    let mut gaze = Gaze::default();
    let eye = eye();
    let velocity = Vec3::X * -4.0;
    let at = |tick: u32| Vec3::new(4.0, 1.6, -6.0) + velocity * (tick as f32 / 60.0);
    for tick in 0..180 {
        let before = gaze.yaw;
        let target = GazeTarget { eye: eye.position, position: at(tick), velocity, lead_s: 1.0 / 60.0 };
        gaze.follow(&config, 0.0, &target, 1.0 / 60.0);
        assert!(math::angle_between(before, gaze.yaw).abs() <= 2.0 / 60.0 + 1e-4);
        assert!(gaze.yaw.abs() <= config.off_rad_max + 1e-4);
        if tick > 40 {
            let next = at(tick + 1);
            let wanted = math::atan2(-next.x, -next.z);
            let off = math::angle_between(gaze.yaw, wanted).abs();
            assert!(off < 0.02, "tick {tick}: {off} rad behind");
        }
    }
    let before = gaze;
    let nowhere = GazeTarget { eye: eye.position, position: Vec3::NAN, velocity, lead_s: 0.0 };
    gaze.follow(&config, 0.0, &nowhere, 0.1);
    gaze.turn(&config, 0.0, f32::NAN, 0.0, 0.1);
    gaze.turn(&config, 0.0, 1.0, 0.0, f32::NAN);
    assert_eq!(gaze, before);
}

#[test]
fn warm_options_allocate_nothing() {
    let plain = seen(&eye(), &[Vec3::new(0.0, 0.5, -6.0), Vec3::new(2.0, 0.5, -9.0)], Vec3::X);
    let mut view = plain.clone();
    let (mut found, mut scratch, mut recall) = (Vec::new(), SegmentScratch::default(), Recall::default());
    let (rate, mut random) = (TickRate::new(10), Streams { seed: 1 }.stream(0, Purpose::new("noise")));
    let light = Light { ambient: 300.0, lamps: &[] };
    let mut around = Panorama::new(&LENS, 4).unwrap();
    let mut look = |tick: u64| {
        segment::find(&plain, &[ENEMY], &SegmentConfig::default(), &mut scratch, &mut found);
        recall.look(&RecallConfig::default(), &plain, &found, Tick(tick), rate);
        Noise { distance_share: 0.1, missed_share: 0.1 }.apply(&mut view, &mut random);
        Tiredness::new(0.5).apply(&TirednessConfig::default(), &mut view);
        Adaptation::default().apply(&AdaptationConfig::default(), &mut view, &light, &[]);
        Spectrum::Echo { range_m: 9.0 }.apply(&mut view);
        around.look(&eye(), &Scenery::default(), &[], 10.0);
    };
    look(0);
    let used = allocation_counter::measure(|| look(1));
    assert_eq!(used.count_total, 0);
    assert_eq!(recall.sightings().len(), 2);
}
