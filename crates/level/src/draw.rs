//! The level from above: floors light, what stands on them darker with height, pieces in their own tints.

use glam::Vec3;
use sentir_core::draw::{Color, DrawList, Layer};
use sentir_core::{math, plane};

use crate::level::{Piece, PieceId, TileMap};
use crate::solid::{Patch, PatchKind};
use crate::state::{Frame, PieceState, STOWED_M};
use crate::surface::Blocks;
use crate::view::LevelView;

/// Heights at which tints reach their ends, m.
const TINT_LOW_M: f32 = -2.0;
const TINT_HIGH_M: f32 = 6.0;

/// The tints of plain ground.
pub const GROUND: [u32; 2] = [0xd8_d2c4, 0xf7_f4ec];
const RISE: [u32; 2] = [0xcf_c3a8, 0xf0_e6cc];
const BLOCK: [u32; 2] = [0x9a_a1ad, 0x4c_5563];
const DOOR: u32 = 0xb0_7d45;
const MOVER: u32 = 0x76_8fb0;
const BREAKABLE: u32 = 0xa9_7762;
const OBSTACLE: u32 = 0x86_8d99;
const GLASS: u32 = 0xa8_c6d6;
const EDGE: u32 = 0x5b_6270;

/// Draws the level as it stands, on plain ground.
pub fn draw(view: &LevelView<'_>, list: &mut DrawList) {
    draw_on(view, GROUND, list);
}

/// The same on ground of these tints (`0xRRGGBB`): low down and high up.
pub fn draw_on(view: &LevelView<'_>, ground: [u32; 2], list: &mut DrawList) {
    for map in view.level.tiles() {
        draw_tiles(view, map, list);
    }
    // Pieces come between the patches, by height: a bridge covers the door below it.
    let mut pieces: Vec<(f32, PieceId)> = Vec::new();
    for (index, (piece, state)) in (0..).zip(view.level.pieces().iter().zip(view.state.pieces())) {
        if !state.is_destroyed && state.pose.position.y > STOWED_M {
            let top = piece.patches.iter().map(top_m).fold(f32::NEG_INFINITY, math::max);
            pieces.push((top + state.pose.position.y, PieceId(index)));
        }
    }
    pieces.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut next = pieces.iter().peekable();
    for patch in view.level.patches() {
        while let Some((_, id)) = next.next_if(|(height, _)| *height < top_m(patch)) {
            draw_piece(view, *id, list);
        }
        draw_patch(view, patch, ground, list);
    }
    next.for_each(|(_, id)| draw_piece(view, *id, list));
    draw_marks(view, list);
}

fn top_m(patch: &Patch) -> f32 {
    patch.corners.iter().fold(f32::NEG_INFINITY, |most, corner| math::max(most, corner.y))
}

fn draw_patch(view: &LevelView<'_>, patch: &Patch, ground: [u32; 2], list: &mut DrawList) {
    let tints = match patch.kind {
        PatchKind::Ground => ground,
        PatchKind::Rise => RISE,
        PatchKind::Block => BLOCK,
    };
    let blocks = view.level.surfaces().get(usize::from(patch.surface)).map_or(Blocks::ANYTHING, |class| class.blocks());
    let color = if patch.kind == PatchKind::Block && blocks.0 & Blocks::SIGHT.0 == 0 {
        Color::rgb(GLASS)
    } else {
        mixed(tints, (top_m(patch) - TINT_LOW_M) / (TINT_HIGH_M - TINT_LOW_M))
    };
    list.prism(Layer::LEVEL, color, patch.corners.iter().copied(), patch.foot_m);
}

fn draw_piece(view: &LevelView<'_>, id: PieceId, list: &mut DrawList) {
    let index = usize::from(id.0);
    let (piece, state) = (&view.level.pieces()[index], &view.state.pieces()[index]);
    let frame = Frame::new(&state.pose);
    let color = piece_color(piece, state);
    for patch in &piece.patches {
        let foot_m = frame.to_world(Vec3::new(0.0, patch.foot_m, 0.0)).y;
        list.prism(Layer::LEVEL, color, patch.corners.iter().map(|&corner| frame.to_world(corner)), foot_m);
        for (index, &corner) in patch.corners.iter().enumerate() {
            let next = patch.corners[(index + 1) % patch.corners.len()];
            let (from, to) = (frame.to_world(corner), frame.to_world(next));
            list.line(Layer::LEVEL, Color::rgb(EDGE).alpha(120), from, to, 0.03);
        }
    }
}

fn piece_color(piece: &Piece, state: &PieceState) -> Color {
    match (&piece.door, &piece.path, piece.health) {
        (Some(_), _, _) if state.is_locked => Color::rgb(0x8f_5a3c),
        (Some(_), _, _) => Color::rgb(DOOR),
        (None, Some(_), _) => Color::rgb(MOVER),
        // What is about to break looks the part.
        (None, None, Some(health)) => mixed([0xc9_a999, BREAKABLE], state.health / health),
        (None, None, None) => Color::rgb(MOVER),
    }
}

fn draw_tiles(view: &LevelView<'_>, map: &TileMap, list: &mut DrawList) {
    let height = view.level.floors()[usize::from(map.floor.0)].level_m;
    for (number, tag) in (0u8..).zip(&map.tags) {
        let values: Vec<f32> = map.cells.iter().map(|&cell| f32::from(u8::from(cell == number))).collect();
        let plain = Color::rgb(if tag.is_impassable { OBSTACLE } else { GROUND[1] });
        let color = terrain_tint(&tag.name).map_or(plain, Color::rgb);
        list.heat(Layer::LEVEL, color, plane::lift(map.origin, height), map.cell_m, map.size, &values);
    }
}

fn draw_marks(view: &LevelView<'_>, list: &mut DrawList) {
    let level = view.level;
    let height = |floor: crate::level::FloorId| level.floors()[usize::from(floor.0)].level_m;
    for obstacle in level.obstacles() {
        let lifted = obstacle.outline.iter().map(|&corner| plane::lift(corner, height(obstacle.floor)));
        list.polygon(Layer::LEVEL, Color::rgb(OBSTACLE), lifted);
    }
    for area in level.areas() {
        let corner = |index: usize| plane::lift(area.outline[index % area.outline.len()], height(area.floor));
        // Terrain covers the ground; all else is marked on it.
        if let Some(tint) = terrain_tint(&area.kind) {
            list.polygon(Layer::LEVEL, Color::rgb(tint), (0..area.outline.len()).map(corner));
            continue;
        }
        let color = Color::rgb(kind_tint(&area.kind));
        list.polygon(Layer::LEVEL, color.alpha(26), (0..area.outline.len()).map(corner));
        for index in 0..area.outline.len() {
            list.line(Layer::LEVEL, color.alpha(170), corner(index), corner(index + 1), 0.06);
        }
    }
    for item in level.items() {
        let color = Color::rgb(kind_tint(&item.kind));
        list.circle(Layer::LEVEL, color, item.position, 0.22, true);
        list.circle(Layer::LEVEL, color.alpha(140), item.position, 0.36, false);
    }
    for note in level.annotations() {
        let color = Color::rgb(kind_tint(&note.kind)).alpha(150);
        list.circle(Layer::LEVEL, color, note.position, 0.12, false);
        if let Some(yaw) = note.yaw {
            let to: Vec3 = note.position + plane::lift(plane::heading(yaw) * 0.5, 0.0);
            list.line(Layer::LEVEL, color, note.position, to, 0.04);
        }
    }
}

/// The tint of a kind of terrain, as it looks: water is blue. None for what is no terrain.
fn terrain_tint(kind: &str) -> Option<u32> {
    match kind {
        "water" => Some(0x5b_9bcb),
        "forest" => Some(0x4d_7a4e),
        "grass" => Some(0xa9_c985),
        "path" => Some(0xdc_c592),
        _ => None,
    }
}

/// A tint for a kind of area, item or hint; kinds we do not know share a quiet one.
fn kind_tint(kind: &str) -> u32 {
    match kind {
        "health" | "heal" => 0xbf_6b6b,
        "ammo" | "supply" => 0xb8_9448,
        "goal" => 0x7d_6cab,
        "cover" => 0x5b_8e7d,
        "attack" => 0xa8_6a8a,
        _ => 0x6e_7f91,
    }
}

fn mixed([low, high]: [u32; 2], share: f32) -> Color {
    let share = math::saturate(share);
    let part = |shift: u32| {
        let byte = |color: u32| ((color >> shift) & 0xff) as f32;
        math::lerp(byte(low), byte(high), share) as u8
    };
    Color { r: part(16), g: part(8), b: part(0), a: 255 }
}
