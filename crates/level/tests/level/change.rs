//! Contract: moved pieces are seen at once and named in the log; the log is bounded; the state is whole.

use glam::Vec3;
use sentir_core::body::Pose;
use sentir_core::geometry::{Geometry, Ray};
use sentir_core::state::{Noticed, from_bytes, hash, perturb, to_bytes};
use sentir_core::tick::TickRate;
use sentir_level::state::CHANGES_MAX;
use sentir_level::{Blocks, ChangeKind, Changes, DoorAnswer, Level, LevelState, LevelView, PieceId, stock};

const RATE: TickRate = TickRate::new(60);

fn collapse() -> (Level, LevelState) {
    let level = stock("collapse").expect("a stock level");
    let state = LevelState::new(&level);
    (level, state)
}

fn named(level: &Level, name: &str) -> PieceId {
    level.piece_named(name).expect("a piece of that name")
}

/// Whether one can walk straight through the eastern opening at ground y.
fn is_open(level: &Level, state: &LevelState, y: f32) -> bool {
    let view = LevelView { level, state };
    view.is_clear(Vec3::new(8.0, 1.0, -y), Vec3::new(11.2, 1.0, -y))
}

#[test]
fn doors_open_in_their_time_and_locked_ones_do_not() {
    let (level, mut state) = collapse();
    let [south, middle, north] = ["door south", "door middle", "door north"].map(|name| named(&level, name));
    assert_eq!([-8.0, 0.0, 8.0].map(|y| is_open(&level, &state, y)), [false, true, false]);
    assert_eq!(state.open_door(&level, south), DoorAnswer::Moves);
    assert_eq!(state.open_door(&level, north), DoorAnswer::Locked);
    assert_eq!(state.close_door(&level, middle), DoorAnswer::Moves);
    assert_eq!(state.open_door(&level, named(&level, "cart")), DoorAnswer::NoDoor);
    assert_eq!(state.open_door(&level, PieceId(999)), DoorAnswer::NoDoor);
    for _ in 0..61 {
        state.step(&level, RATE);
    }
    assert_eq!([-8.0, 0.0, 8.0].map(|y| is_open(&level, &state, y)), [true, false, false]);
    let door = state.piece(south).unwrap();
    assert_eq!((door.openness, door.pose), (1.0, level.pieces()[usize::from(south.0)].door.unwrap().open));
    state.lock_door(north, false);
    assert_eq!(state.open_door(&level, north), DoorAnswer::Moves);
    for _ in 0..91 {
        state.step(&level, RATE);
    }
    assert!(is_open(&level, &state, 8.0));
}

#[test]
fn a_broken_wall_lets_through_and_is_named_in_the_log() {
    let (level, mut state) = collapse();
    let wall = named(&level, "wall south");
    let (from, to) = (Vec3::new(15.0, 1.0, 6.0), Vec3::new(15.0, 1.0, 2.0));
    let ray = Ray::between(from, to).unwrap();
    let hit = LevelView { level: &level, state: &state }.hit(&ray, Blocks::SHOTS).unwrap();
    assert_eq!(hit.piece, Some(wall));
    assert_eq!(state.changes_since(0), Changes::None);
    assert!(!state.damage_piece(&level, wall, 119.0) && !state.damage_piece(&level, wall, f32::NAN));
    assert_eq!(state.version(), 0, "hurt, but still where it was");
    assert!(state.damage_piece(&level, wall, 2.0));
    assert!(!state.damage_piece(&level, wall, 2.0), "it breaks once");
    let view = LevelView { level: &level, state: &state };
    assert!(view.is_clear(from, to) && view.version() == 1);
    let Changes::Some([change]) = state.changes_since(0) else { panic!("one change") };
    assert_eq!((change.piece, change.kind, change.version), (wall, ChangeKind::Destroyed, 1));
    assert!(change.after.is_empty() && change.before.low.x < 11.0 && change.before.high.x > 19.0);
    let platform = named(&level, "platform");
    assert!(!state.damage_piece(&level, platform, 1e9), "what has no health does not break");
    assert!(!state.move_piece(&level, wall, Pose::default()), "what is gone does not move");
}

#[test]
fn a_moved_piece_is_seen_at_once_with_both_boxes_in_the_log() {
    let (level, mut state) = collapse();
    let cart = named(&level, "cart");
    let pose = Pose { position: Vec3::new(-15.0, 0.0, 0.0), yaw: 1.0 };
    let before = state.version();
    assert!(state.move_piece(&level, cart, pose));
    let ray = Ray { origin: Vec3::new(-15.0, 5.0, 0.0), direction: Vec3::NEG_Y, length_m: 10.0 };
    let hit = LevelView { level: &level, state: &state }.hit(&ray, Blocks::BODIES).unwrap();
    assert_eq!(hit.piece, Some(cart));
    assert!((hit.hit.distance_m - 3.5).abs() < 1e-5 && (hit.hit.normal - Vec3::Y).length() < 1e-5);
    let Changes::Some([change]) = state.changes_since(before) else { panic!("one change") };
    assert_eq!((change.piece, change.kind), (cart, ChangeKind::Moved));
    assert!(change.before.high.z > 8.0 && change.after.low.x < -15.0 && change.after.high.x > -15.0);
    assert!(state.move_piece(&level, cart, pose), "again to the same place");
    assert_eq!(state.version(), before + 1, "is no change");
    for odd in [Vec3::NAN, Vec3::splat(1e9)] {
        assert!(!state.move_piece(&level, cart, Pose { position: odd, yaw: 0.0 }));
    }
}

#[test]
fn who_reads_the_log_in_time_sees_every_change_and_who_comes_late_is_told_all() {
    let (level, mut state) = collapse();
    let (mut read, mut seen) = (0, 0);
    for tick in 0..600 {
        state.step(&level, RATE);
        if tick % 10 == 9 {
            match state.changes_since(read) {
                Changes::None => {}
                Changes::Some(changes) => {
                    assert!(changes.iter().enumerate().all(|(index, one)| one.version == read + 1 + index as u64));
                    seen += changes.len() as u64;
                }
                Changes::All => panic!("ten ticks of a few movers fit into the log"),
            }
            read = state.version();
        }
    }
    assert_eq!(seen, state.version());
    assert!(state.version() > CHANGES_MAX as u64 && state.changes_since(0) == Changes::All);
    assert_eq!(state.changes_since(state.version() + 1), Changes::All, "a version of another state");
    let kept = (0..).find(|&version| state.changes_since(version) != Changes::All).unwrap();
    let Changes::Some(all) = state.changes_since(kept) else { panic!("some are kept") };
    assert!(all.len() >= CHANGES_MAX / 2 && all.len() <= CHANGES_MAX);
}

#[test]
fn movers_come_back_and_carry_who_stands_on_them() {
    let (level, mut state) = collapse();
    let platform = named(&level, "platform");
    let first = state.piece(platform).unwrap().pose;
    let round = level.pieces()[usize::from(platform.0)].path.as_ref().unwrap().round_s;
    assert!((round - 23.0).abs() < 1e-4);
    let mut highest: f32 = 0.0;
    for _ in 0..(23 * 60) {
        state.step(&level, RATE);
        let pose = state.piece(platform).unwrap().pose;
        let view = LevelView { level: &level, state: &state };
        let ground = view.ground_below(pose.position + Vec3::Y, 2.0).unwrap();
        assert_eq!(ground.piece, Some(platform));
        assert!((ground.position.y - pose.position.y - 0.2).abs() < 1e-4);
        highest = sentir_core::math::max(highest, pose.position.y);
    }
    assert!((highest - 2.8).abs() < 1e-4);
    assert!((state.piece(platform).unwrap().pose.position - first.position).length() < 0.02);
}

/// A state with something in every field.
fn busy() -> (Level, LevelState) {
    let (level, mut state) = collapse();
    let _ = state.open_door(&level, named(&level, "door south"));
    state.damage_piece(&level, named(&level, "wall north"), 1e6);
    for _ in 0..130 {
        state.step(&level, RATE);
    }
    (level, state)
}

#[test]
fn a_loaded_state_goes_on_like_the_saved_one() {
    let (level, mut state) = busy();
    let mut loaded: LevelState = from_bytes(&to_bytes(&state)).unwrap();
    assert!(loaded.fits(&level) && !loaded.fits(&stock("yard").unwrap()));
    assert_eq!(hash(&loaded), hash(&state));
    for _ in 0..100 {
        state.step(&level, RATE);
        loaded.step(&level, RATE);
        assert_eq!(hash(&loaded), hash(&state));
    }
    assert!(to_bytes(&state).len() < 32_000, "small, even with a full log");
}

#[test]
fn every_leaf_of_the_state_is_noticed() {
    let (_, state) = busy();
    for one in perturb(&state) {
        let is_checked = one.path.contains("ersion") || one.path == "kept_from" || one.path.contains("openness");
        match one.outcome {
            Noticed::Yes => {}
            Noticed::Refused(why) => assert!(one.is_shape || is_checked, "{} was refused: {why}", one.path),
            Noticed::No => panic!("{} can change unnoticed", one.path),
        }
    }
}

#[test]
fn a_forged_state_is_refused() {
    let (_, state) = busy();
    let mut bytes = to_bytes(&state);
    bytes[0] ^= 1;
    let error = from_bytes::<LevelState>(&bytes).unwrap_err();
    assert!(error.to_string().contains("the change log does not lead up to the version"), "{error}");
    let mut bytes = to_bytes(&LevelState::new(&stock("range").unwrap()));
    let end = bytes.len();
    bytes[end - 4..].copy_from_slice(&f32::NAN.to_le_bytes());
    let error = from_bytes::<LevelState>(&bytes).unwrap_err();
    assert!(error.to_string().contains("a piece has a number out of its range"), "{error}");
}
