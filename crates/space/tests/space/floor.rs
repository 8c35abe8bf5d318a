//! Floors of levels against rays through them.

use sentir_level::{FloorId, Level, LevelState, LevelView, stock};
use sentir_space::core::glam::Vec2;
use sentir_space::core::plane;
use sentir_space::core::random::{Purpose, Stream, Streams};
use sentir_space::core::tick::TickRate;
use sentir_space::visibility::{FloorSight, Region, Watcher};

/// Compares a region with rays at its height; how many points were compared and how many seen.
fn compare(view: &LevelView<'_>, sight: &mut FloorSight, random: &mut Stream) -> [u32; 2] {
    let bounds = view.level.bounds();
    let mut place = || {
        let x = random.between(bounds.low.x, bounds.high.x);
        Vec2::new(x, -random.between(bounds.low.z, bounds.high.z))
    };
    let watcher = Watcher::all_round(place(), 500.0);
    let mut region = Region::default();
    sight.look(&watcher, &mut region);
    let height_m = sight.height_m();
    let sees = |point: Vec2| view.sees(plane::lift(watcher.origin, height_m), plane::lift(point, height_m));
    let mut counts = [0, 0];
    for _ in 0..60 {
        let point = place();
        let is_seen = sees(point);
        let shifts = [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y];
        if shifts.iter().all(|&shift| sees(point + shift * 2e-3) == is_seen) {
            assert_eq!(region.contains(point), is_seen, "{} from {}: {point}", view.level.name(), watcher.origin);
            counts[0] += 1;
            counts[1] += u32::from(is_seen);
        }
    }
    counts
}

#[test]
fn every_stock_level_is_seen_as_its_rays_see_it() {
    let mut random = Streams { seed: 1 }.stream(0, Purpose::new("floors"));
    let mut all = [0, 0];
    for (name, _) in sentir_level::STOCK {
        let level = stock(name).unwrap();
        let state = LevelState::new(&level);
        let view = LevelView { level: &level, state: &state };
        for floor in 0..level.floors().len() as u16 {
            // No height at which something ends: there a look along the top is neither blocked nor free.
            for eye_m in [0.37, 1.13, 1.61] {
                let mut sight = FloorSight::build(&view, FloorId(floor), eye_m).unwrap();
                for _ in 0..20 {
                    let counts = compare(&view, &mut sight, &mut random);
                    all = [all[0] + counts[0], all[1] + counts[1]];
                }
            }
        }
    }
    assert!(all[0] > 10_000 && all[1] > 2000 && all[1] < all[0], "{all:?}");
}

fn collapse() -> (Level, LevelState) {
    let level = stock("collapse").unwrap();
    let state = LevelState::new(&level);
    (level, state)
}

#[test]
fn doors_and_movers_are_followed() {
    let (level, mut state) = collapse();
    let mut random = Streams { seed: 2 }.stream(0, Purpose::new("floors"));
    let mut sight = FloorSight::build(&LevelView { level: &level, state: &state }, FloorId(0), 1.13).unwrap();
    let before = sight.obstacles().version();
    assert!(!sight.follow(&LevelView { level: &level, state: &state }).unwrap());
    for name in ["door south", "door middle"] {
        state.open_door(&level, level.piece_named(name).unwrap());
    }
    state.close_door(&level, level.piece_named("door middle").unwrap());
    let mut seen = 0;
    for step in 0..200 {
        state.step(&level, TickRate::new(60));
        if step == 100 {
            state.damage_piece(&level, level.piece_named("wall south").unwrap(), 1e6);
        }
        // Now and then, as a brain would, so that several changes come at once.
        if step % 7 == 0 {
            let view = LevelView { level: &level, state: &state };
            sight.follow(&view).unwrap();
            seen += compare(&view, &mut sight, &mut random)[1];
        }
    }
    assert!(seen > 100 && sight.obstacles().version() != before);
    // Too far behind for the log: all is taken anew.
    for _ in 0..3000 {
        state.step(&level, TickRate::new(60));
    }
    let view = LevelView { level: &level, state: &state };
    sight.follow(&view).unwrap();
    for _ in 0..20 {
        compare(&view, &mut sight, &mut random);
    }
}
