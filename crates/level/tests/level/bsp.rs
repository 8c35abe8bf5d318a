//! Contract: Quake III levels are read as documented; cut off, flipped or lying files are refused with a sentence.

use std::panic::catch_unwind;

use glam::Vec3;
use proptest::prelude::*;
use sentir_core::geometry::Ray;
use sentir_level::bsp::lump::{Plane, Vertex};
use sentir_level::bsp::write::BspWriter;
use sentir_level::bsp::{self, UNIT_M};
use sentir_level::{Blocks, Level, LevelState, LevelView, parse};

fn built(writer: &BspWriter) -> Level {
    parse(&writer.bytes(), "maps/sample.bsp").and_then(|spec| spec.build()).unwrap_or_else(|error| panic!("{error}"))
}

fn refused(bytes: &[u8]) -> String {
    parse(bytes, "a.bsp").and_then(|spec| spec.build()).map(|_| ()).expect_err("a bad file").to_string()
}

/// A floor of 1024 x 1024 units, its top at 0, and a solid shader.
fn floor() -> (BspWriter, i32) {
    let mut writer = BspWriter::default();
    let solid = writer.texture("textures/base/floor", 0, 1);
    writer.block([-512.0, -512.0, -32.0], [512.0, 512.0, 0.0], solid);
    (writer, solid)
}

/// The first thing below a point of the file, in units down.
fn below(level: &Level, [x, y, z]: [f32; 3], blocks: Blocks) -> Option<(f32, String)> {
    let state = LevelState::new(level);
    let ray = Ray { origin: bsp::meters([x, y, z]), direction: Vec3::NEG_Y, length_m: 1e4 };
    let hit = LevelView { level, state: &state }.hit(&ray, blocks)?.hit;
    Some((hit.distance_m / UNIT_M, level.surfaces()[usize::from(hit.surface)].name.clone()))
}

#[test]
fn the_sample_has_some_of_everything() {
    let level = built(&BspWriter::sample());
    assert_eq!(level.name(), "sample");
    let spawns: Vec<(&str, Vec3)> = level.spawns().iter().map(|one| (one.team.as_str(), one.pose.position)).collect();
    assert_eq!(spawns, [("free", Vec3::new(-8.0, 0.0, -4.0)), ("red", Vec3::new(-8.0, 0.0, -8.0))]);
    assert!(level.spawns()[0].pose.yaw.abs() < 1e-6, "to the north");
    let items: Vec<_> = level.items().iter().map(|item| (item.kind.as_str(), item.amount, item.position.y)).collect();
    assert_eq!(items, [("health", 25.0, 0.0), ("shotgun", 10.0, (96.0 - 15.0) * UNIT_M)]);
    let door = &level.pieces()[0];
    assert_eq!((level.pieces().len(), door.pose.position), (1, Vec3::new(8.25, 0.0, 0.0)));
    let opening = door.door.unwrap();
    assert_eq!((opening.open.position.y, opening.open_s), ((96.0 - 8.0) * UNIT_M, 88.0 / 200.0));
    let pad = &level.annotations()[0];
    assert_eq!((pad.kind.as_str(), bsp::link_end(pad)), ("jump_pad", Some(Vec3::new(0.0, 8.0, 0.0))));
    assert_eq!(level.left_out_spawn_count(), 0);
}

#[test]
fn classes_block_what_they_should() {
    let level = built(&BspWriter::sample());
    let clip = Some((72.0, "clip".to_owned()));
    assert_eq!(below(&level, [0.0, 0.0, 200.0], Blocks::BODIES), clip, "a clip holds bodies");
    assert_eq!(below(&level, [0.0, 0.0, 200.0], Blocks::SHOTS), Some((200.0, "solid".to_owned())));
    assert_eq!(below(&level, [0.0, 0.0, 200.0], Blocks::SIGHT), Some((200.0, "solid".to_owned())));
    // The middle of the arch: a quarter of the way between its ends and its crest, twice.
    let (deep, class) = below(&level, [192.0, 64.0, 200.0], Blocks::BODIES).unwrap();
    assert!((deep - (200.0 - 36.0)).abs() <= 2.0 && class == "solid", "{deep}");
    let state = LevelState::new(&level);
    let look = |y: f32| Ray { origin: bsp::meters([-150.0, y, 120.0]), direction: Vec3::NEG_Z, length_m: 3.0 };
    let view = LevelView { level: &level, state: &state };
    assert!(view.is_blocked(&look(-32.0), Blocks::SIGHT) && !view.is_blocked(&look(-32.0), Blocks::BODIES), "a banner");
    assert!(!view.is_blocked(&look(32.0), Blocks::SIGHT));
}

#[test]
fn what_looks_out_of_the_level_or_into_a_wall_is_cut_away() {
    let (mut writer, solid) = floor();
    writer.end_model();
    let alone = built(&writer).triangle_count();
    assert_eq!(alone, 12, "a box");
    // Inside is what is over the floor: its top alone is left.
    writer.split(Plane { normal: [0.0, 0.0, 1.0], distance: -0.5 });
    assert_eq!(built(&writer).triangle_count(), 2 + 8, "sides reach over the plane, the bottom does not");
    let (mut writer, _) = floor();
    writer.block([-64.0, -64.0, 0.0], [64.0, 64.0, 128.0], solid);
    writer.end_model();
    let level = built(&writer);
    // The pillar has no foot, and the floor a hole under it: four parts of two triangles.
    assert_eq!(level.triangle_count(), 10 + 8 + 10);
    assert_eq!(below(&level, [0.0, 0.0, 64.0], Blocks::BODIES), Some((96.0, "solid".to_owned())), "the floor's bottom");
    assert_eq!(below(&level, [80.0, 0.0, 64.0], Blocks::BODIES), Some((64.0, "solid".to_owned())));
}

#[test]
fn a_way_is_followed_through_the_leafs_of_the_tree() {
    let (mut writer, _) = floor();
    writer.end_model();
    writer.split(Plane { normal: [0.0, 0.0, 1.0], distance: -16.0 });
    let bsp = bsp::lump::read(&writer.bytes()).expect("a good file");
    let (up, down) = ([5.0, 6.0, 48.0], [5.0, 6.0, -80.0]);
    assert_eq!(bsp.leafs_along(up, down), [(0, 0.0, 0.5), (1, 0.5, 1.0)]);
    assert_eq!(bsp.leafs_along(down, up), [(1, 0.0, 0.5), (0, 0.5, 1.0)]);
    assert_eq!(bsp.leafs_along(up, [900.0, -6.0, 47.0]), [(0, 0.0, 1.0)]);
    // Each part is in the leaf that its middle is in.
    for (leaf, enter, leave) in bsp.leafs_along(up, down) {
        let middle = 48.0 - 128.0 * ((enter + leave) / 2.0) as f32;
        assert_eq!(bsp.cluster_at([5.0, 6.0, middle]), Some(bsp.leafs[leaf as usize].cluster));
    }
    // Surfaces look into the level alone: from outside of it, one looks through its walls. So looks are held against the
    // table of a file from inside of the level only.
    let view = (built(&writer), [0.0, 0.0, -64.0]);
    let state = LevelState::new(&view.0);
    let from_below =
        LevelView { level: &view.0, state: &state }.sees(bsp::meters(view.1), bsp::meters([0.0, 0.0, -8.0]));
    assert!(from_below, "the bottom of the floor is not there");
    assert!(!LevelView { level: &view.0, state: &state }.sees(bsp::meters(view.1), bsp::meters([0.0, 0.0, 8.0])));
}

#[test]
fn two_brushes_in_one_place_leave_one_surface() {
    let (mut writer, solid) = floor();
    writer.block([-512.0, -512.0, -32.0], [512.0, 512.0, 0.0], solid);
    writer.end_model();
    assert_eq!(built(&writer).triangle_count(), 12);
}

#[test]
fn a_spawn_in_a_wall_or_over_nothing_is_left_out_and_counted() {
    let (mut writer, _) = floor();
    writer.end_model();
    for origin in ["0 0 40", "5000 0 40", "0 0 -20000"] {
        writer.entity(&[("classname", "info_player_deathmatch"), ("origin", origin)]);
    }
    let level = built(&writer);
    assert_eq!((level.spawns().len(), level.left_out_spawn_count()), (1, 2));
}

#[test]
fn movers_that_do_not_open_are_fixed_and_platforms_begin_below() {
    let (mut writer, solid) = floor();
    writer.end_model();
    writer.block([0.0, 0.0, 0.0], [64.0, 64.0, 64.0], solid);
    writer.end_model();
    writer.block([128.0, 0.0, 64.0], [192.0, 64.0, 80.0], solid);
    writer.end_model();
    writer.block([128.0, 128.0, 64.0], [192.0, 192.0, 80.0], solid);
    writer.end_model();
    writer.entity(&[("classname", "func_static"), ("model", "*1"), ("origin", "-256 0 0")]);
    writer.entity(&[("classname", "func_plat"), ("model", "*2"), ("height", "64")]);
    writer.entity(&[("classname", "func_bobbing"), ("model", "*3"), ("height", "32")]);
    writer.entity(&[("classname", "func_static"), ("model", "*3"), ("origin", "0 -256 0")]);
    let level = built(&writer);
    assert_eq!(below(&level, [-224.0, 32.0, 100.0], Blocks::BODIES), Some((36.0, "solid".to_owned())));
    let plat = &level.pieces()[0];
    assert_eq!((level.pieces().len(), plat.pose.position), (2, Vec3::new(5.0, 0.0, -1.0)));
    let path = plat.path.as_ref().unwrap();
    assert_eq!((path.legs[0].to.position.y, path.legs.len()), (2.0, 2));
}

#[test]
fn what_is_drawn_is_told_apart_from_what_holds() {
    let mesh = bsp::drawn(&BspWriter::sample().bytes(), "a.bsp").unwrap();
    assert_eq!(mesh.material_names[0], "textures/base/floor");
    // The banner and the arch; bodies of brushes are not drawn.
    assert!(mesh.triangles.len() > 8 && mesh.triangles.len() < 40, "{}", mesh.triangles.len());
}

#[test]
fn bad_files_are_told_what_is_wrong() {
    let good = BspWriter::sample().bytes();
    let wrong = "a.bsp: this is no Quake III level: expected a file that begins with `IBSP` and version 46";
    assert_eq!(refused(b""), wrong);
    assert_eq!(refused(b"IBSP\x2f\0\0\0"), wrong);
    let cut = "a.bsp: the file is cut off, or its directory is wrong: the directory should be at bytes 8 to 144 of 8";
    assert_eq!(refused(&good[..8]), cut);
    let half = refused(&good[..good.len() / 2]);
    assert!(half.contains("cut off") && half.contains(&format!(" of {}", good.len() / 2)), "{half}");
    // Where the directory has a lump, and where a lump begins.
    let patched = |at: usize, number: i32| {
        let mut bytes = good.clone();
        bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
        refused(&bytes)
    };
    let lump = |number: usize| i32::from_le_bytes(good[8 + 8 * number..12 + 8 * number].try_into().unwrap()) as usize;
    assert!(patched(8 + 8 * 2, -16).contains("the planes should be at bytes 4294967280"));
    assert!(patched(12 + 8 * 2, 17).ends_with("the planes have 17 bytes: expected whole records of 16 bytes"));
    assert_eq!(patched(lump(9), 9999), "a.bsp: brush side 0 names a plane that is not there");
    assert_eq!(patched(lump(8) + 4, 9999), "a.bsp: brush 0 names sides that are not there");
    assert_eq!(patched(lump(2), 0), "a.bsp: plane 0 has no unit normal");
    assert_eq!(
        patched(lump(10), f32::NAN.to_bits() as i32),
        "a.bsp: vertex 0 is too far away or nowhere: expected within 320 000 units"
    );
    assert_eq!(
        patched(lump(13) + 96, 4),
        "a.bsp: face 0 is a patch of a bad size: expected 3, 5, .. 65 control points a side"
    );
    assert_eq!(
        patched(lump(13) + 16, 8),
        "a.bsp: face 0 is a patch with more or fewer control points than its sides say"
    );
    assert_eq!(patched(lump(11), 77), "a.bsp: face 1 has a triangle with a corner that is none of its vertices");
    assert_eq!(patched(lump(3) + 4, 0), "a.bsp: node 0 names a child that is not after it");
    assert_eq!(patched(lump(16), 1 << 20), "a.bsp: the table of visibility is shorter than it says");
    let mut nothing = BspWriter::default();
    let water = nothing.texture("textures/liquids/water", 0, 0x20);
    nothing.block([0.0; 3], [64.0; 3], water);
    nothing.end_model();
    let error = refused(&nothing.bytes());
    assert_eq!(error, "a.bsp: the level has no surface: expected brushes or patches that hold bodies");
}

#[test]
fn entities_that_cannot_be_read_are_told_with_their_line() {
    let mut writer = BspWriter::sample();
    writer.entity(&[("a\" \"b\" }\n}\n{ \"", "c")]);
    let error = refused(&writer.bytes());
    assert!(error.starts_with("a.bsp:") && error.contains("expected an entity, which begins with `{`"), "{error}");
    let empty = BspWriter::default();
    assert_eq!(refused(&empty.bytes()), "a.bsp: the level has no model: expected at least the world");
}

/// The slow, obvious twin of cutting: whether any box holds the point.
fn holds(boxes: &[([f32; 3], [f32; 3])], point: [f32; 3]) -> bool {
    boxes.iter().any(|(low, high)| (0..3).all(|axis| low[axis] < point[axis] && point[axis] < high[axis]))
}

proptest! {
    /// Rays from outside of all boxes meet the cut surface where they first enter a box.
    #[test]
    fn cut_brushes_are_met_where_the_boxes_begin(
        corners in proptest::collection::vec(([-8i8..8, -8i8..8, -8i8..8], [1i8..8, 1i8..8, 1i8..8]), 1..8),
        x in -250.0f32..250.0,
        y in -250.0f32..250.0,
    ) {
        let mut writer = BspWriter::default();
        let solid = writer.texture("textures/base/floor", 0, 1);
        let mut boxes = Vec::new();
        for (low, size) in corners {
            let low = low.map(|at| f32::from(at) * 16.0);
            let high: [f32; 3] = std::array::from_fn(|axis| low[axis] + f32::from(size[axis]) * 16.0);
            writer.block(low, high, solid);
            boxes.push((low, high));
        }
        writer.end_model();
        // Off the seams, where a ray may run in a face.
        let is_near = |at: f32, sides: [f32; 2]| sides.iter().any(|side| (at - side).abs() < 0.1);
        prop_assume!(!boxes.iter().any(|(low, high)| is_near(x, [low[0], high[0]]) || is_near(y, [low[1], high[1]])));
        let level = built(&writer);
        let top = boxes.iter().filter(|(low, high)| (0..2).all(|axis| low[axis] < [x, y][axis] && [x, y][axis] < high[axis]));
        let top = top.map(|(_, high)| high[2]).fold(f32::NEG_INFINITY, sentir_core::math::max);
        let found = below(&level, [x, y, 1000.0], Blocks::BODIES).map_or(f32::NEG_INFINITY, |(deep, _)| 1000.0 - deep);
        prop_assert!((top == found) || (top - found).abs() < 0.01, "{top} {found}");
        // Nothing is left inside: from there, the first surface above is the end of all boxes.
        let state = LevelState::new(&level);
        let view = LevelView { level: &level, state: &state };
        for (low, high) in &boxes {
            let mut at = [x, y, (low[2] + high[2]) * 0.5 + 0.37];
            if holds(&boxes, at) {
                let up = Ray { origin: bsp::meters(at), direction: Vec3::Y, length_m: 1e4 };
                let length = view.hit(&up, Blocks::BODIES).map(|hit| hit.hit.distance_m / UNIT_M);
                prop_assert!(length.is_some(), "a surface above the inside");
                at[2] += length.unwrap_or(0.0);
                at[2] += 0.01;
                prop_assert!(!holds(&boxes, at), "a surface is inside at {at:?}");
            }
        }
    }

    #[test]
    fn flipped_and_cut_files_are_read_or_refused(
        flips in proptest::collection::vec((any::<prop::sample::Index>(), 0..8u8), 0..6),
        cut in any::<prop::sample::Index>(),
        is_cut in any::<bool>(),
        numbers in proptest::collection::vec((any::<prop::sample::Index>(), prop_oneof![Just(-1), Just(i32::MAX), Just(i32::MIN), -9..99]), 0..3),
    ) {
        let mut bytes = BspWriter::sample().bytes();
        for (at, bit) in flips {
            let at = at.index(bytes.len());
            bytes[at] ^= 1 << bit;
        }
        for (at, number) in numbers {
            let at = at.index(bytes.len() / 4 - 1) * 4;
            bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
        }
        if is_cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        prop_assert!(catch_unwind(|| sentir_level::load::fuzz_bsp(&bytes)).is_ok());
    }
}

#[test]
fn a_patch_of_many_points_stays_bounded() {
    let mut writer = BspWriter::default();
    let solid = writer.texture("textures/base/arch", 0, 1);
    let point = |at: usize| {
        let (column, row) = ((at % 33) as f32, (at / 33) as f32);
        let height = if at.is_multiple_of(2) { 0.0 } else { 10_000.0 };
        Vertex { position: [column * 64.0, row * 64.0, height], normal: [0.0, 0.0, 1.0] }
    };
    writer.patch(&(0..33 * 33).map(point).collect::<Vec<_>>(), 33, solid);
    writer.end_model();
    // 16 by 16 surfaces of at most 16 by 16 steps of two triangles.
    assert_eq!(built(&writer).triangle_count(), 16 * 16 * 16 * 16 * 2);
}
