//! Entities become spawns, items, doors and movers, and hints.
//!
//! | entity | becomes |
//! |---|---|
//! | `info_player_deathmatch`, `info_player_start` | a spawn of team `free` |
//! | `team_CTF_redplayer`, `..redspawn`, `..blueplayer`, `..bluespawn` | a spawn of team `red` or `blue` |
//! | `item_health..`, `item_armor..`, `ammo_..` | an item of kind `health`, `armor` or `ammo`, with the game's amounts |
//! | `weapon_X`, `holdable_X`, other `item_X` | an item of kind X |
//! | `team_CTF_redflag` and so on | an item of kind `red_flag`, `blue_flag` or `neutral_flag` |
//! | `func_door` | a piece with a door |
//! | `func_plat`, `func_bobbing` | a piece with a path |
//! | other models that hold bodies (`func_static`, `func_button`, `func_train`, ..) | fixed geometry where they begin |
//! | `trigger_push`, `trigger_teleport` | annotations `jump_pad`, `teleporter`; [`link_end`](super::link_end) says where to |
//! | `trigger_hurt` | an annotation `hurt` |
//! | `misc_teleporter_dest`, `item_botroam`, `info_camp`, `target_location` | annotations |

use std::collections::BTreeMap;

use glam::Vec3;

use crate::build::{PIECES_MAX, THINGS_MAX};
use crate::error::Problem;
use crate::spec::{
    AnnotationSpec, DoorSpec, ItemSpec, LevelSpec, PathSpec, PieceSpec, REACH_M, SolidSpec, SpawnSpec, StopSpec,
};

use super::brush::Cutter;
use super::entity::Entity;
use super::lump::{Bsp, Model};
use super::surface::{self, Sheet};
use super::{UNIT_M, meters};

/// How far above the feet the origin of a player is, units.
const FEET_UNITS: f32 = 24.0;
/// How far above the ground the origin of an item is, units.
const ITEM_UNITS: f32 = 15.0;
/// Bit of an item that does not fall.
const SUSPENDED: u32 = 1;

/// Teams by the class of their spawns.
const TEAMS: [(&str, &str); 6] = [
    ("info_player_deathmatch", "free"),
    ("info_player_start", "free"),
    ("team_CTF_redplayer", "red"),
    ("team_CTF_redspawn", "red"),
    ("team_CTF_blueplayer", "blue"),
    ("team_CTF_bluespawn", "blue"),
];

/// Items whose class says more than its own name: kind, amount, and when they come back, s.
const ITEMS: [(&str, &str, f32, f32); 24] = [
    ("item_health_small", "health", 5.0, 35.0),
    ("item_health", "health", 25.0, 35.0),
    ("item_health_large", "health", 50.0, 35.0),
    ("item_health_mega", "health", 100.0, 35.0),
    ("item_armor_shard", "armor", 5.0, 25.0),
    ("item_armor_combat", "armor", 50.0, 25.0),
    ("item_armor_body", "armor", 100.0, 25.0),
    ("ammo_shells", "ammo", 10.0, 40.0),
    ("ammo_bullets", "ammo", 50.0, 40.0),
    ("ammo_grenades", "ammo", 5.0, 40.0),
    ("ammo_cells", "ammo", 30.0, 40.0),
    ("ammo_lightning", "ammo", 60.0, 40.0),
    ("ammo_rockets", "ammo", 5.0, 40.0),
    ("ammo_slugs", "ammo", 10.0, 40.0),
    ("ammo_bfg", "ammo", 15.0, 40.0),
    ("ammo_nails", "ammo", 20.0, 40.0),
    ("ammo_mines", "ammo", 10.0, 40.0),
    ("ammo_belt", "ammo", 100.0, 40.0),
    ("team_CTF_redflag", "red_flag", 1.0, 0.0),
    ("team_CTF_blueflag", "blue_flag", 1.0, 0.0),
    ("team_CTF_neutralflag", "neutral_flag", 1.0, 0.0),
    ("item_haste", "haste", 30.0, 120.0),
    ("item_quad", "quad", 30.0, 120.0),
    ("item_regen", "regen", 30.0, 120.0),
];

/// Beginnings of classes of items that go by the rest of their name: amount, and when they come back, s.
const PREFIXES: [(&str, f32, f32); 3] = [("weapon_", 10.0, 5.0), ("holdable_", 1.0, 60.0), ("item_", 1.0, 120.0)];

/// Hints by class.
const HINTS: [(&str, &str); 5] = [
    ("misc_teleporter_dest", "teleport_target"),
    ("item_botroam", "roam"),
    ("info_camp", "camp"),
    ("target_location", "location"),
    ("info_location", "location"),
];

/// Places by the name that others aim at.
type Targets<'a> = BTreeMap<&'a str, Vec3>;

/// Adds everything that the entities say to the level and, for what does not move, to the fixed geometry.
pub(super) fn entities(
    bsp: &Bsp,
    entities: &[Entity],
    cutter: &mut Cutter<'_>,
    world: &mut Sheet,
    spec: &mut LevelSpec,
) -> Result<(), Problem> {
    let mut targets = Targets::new();
    for entity in entities {
        if let (Some(name), Some(end)) = (entity.value("targetname"), entity.numbers("origin").and_then(near)) {
            targets.entry(name).or_insert(end);
        }
    }
    // A model belongs to one entity; whoever names it again has none.
    let mut is_used = vec![false; bsp.models.len()];
    for (number, entity) in entities.iter().enumerate() {
        let class = entity.class();
        let model = entity.model().filter(|&model| model > 0 && is_used.get(model) == Some(&false));
        let model = model.map(|model| {
            is_used[model] = true;
            &bsp.models[model]
        });
        match (class, model) {
            ("trigger_push", Some(model)) => link(spec, "jump_pad", model, entity, &targets),
            ("trigger_teleport", Some(model)) => link(spec, "teleporter", model, entity, &targets),
            ("trigger_hurt", Some(model)) => hint(spec, "hurt", middle(model), None, String::new()),
            (trigger, _) if trigger.starts_with("trigger_") => {}
            (_, Some(model)) => mover(bsp, number, entity, model, cutter, world, spec)?,
            (_, None) => point(entity, spec),
        }
    }
    Ok(())
}

/// The angle of the file, degrees, as ours: 0 is along +y, counter-clockwise.
fn yaw_deg(angle_deg: f32) -> f32 {
    let turned = (angle_deg - 90.0) % 360.0;
    match turned {
        _ if turned > 180.0 => turned - 360.0,
        _ if turned <= -180.0 => turned + 360.0,
        _ => turned,
    }
}

fn angle_deg(entity: &Entity) -> f32 {
    entity.number("angle").or_else(|| entity.numbers("angles").map(|[_, yaw, _]| yaw)).unwrap_or(0.0)
}

/// A point that may lie in a level.
fn near(units: [f32; 3]) -> Option<Vec3> {
    let point = meters(units);
    point.to_array().iter().all(|x| x.abs() <= REACH_M).then_some(point)
}

fn middle(model: &Model) -> [f32; 3] {
    std::array::from_fn(|axis| (model.low[axis] + model.high[axis]) * 0.5)
}

/// Spawns, items and hints.
fn point(entity: &Entity, spec: &mut LevelSpec) {
    let Some([x, y, z]) = entity.numbers("origin") else { return };
    let class = entity.class();
    if let Some((_, team)) = TEAMS.iter().find(|(name, _)| *name == class) {
        let Some(feet) = near([x, y, z - FEET_UNITS]).filter(|_| spec.spawns.len() < THINGS_MAX) else { return };
        let (team, yaw_deg) = ((*team).to_owned(), yaw_deg(angle_deg(entity)));
        let spawn = SpawnSpec { team, at: [feet.x, -feet.z], yaw_deg, base_m: feet.y, floor: None };
        return spec.spawns.push(spawn.into());
    }
    if let Some((_, kind)) = HINTS.iter().find(|(name, _)| *name == class) {
        let text = entity.value("message").or_else(|| entity.value("targetname")).unwrap_or_default();
        let yaw = entity.number("angle").map(yaw_deg);
        return hint(spec, kind, [x, y, z], yaw, text.chars().take(256).collect());
    }
    let known = ITEMS.iter().find(|(name, ..)| *name == class).map(|&(_, kind, amount, s)| (kind, amount, s));
    let other = || PREFIXES.iter().find_map(|&(prefix, amount, s)| Some((class.strip_prefix(prefix)?, amount, s)));
    let ammo = || class.starts_with("ammo_").then_some(("ammo", 10.0, 40.0));
    let Some((kind, amount, respawn_s)) = known.or_else(ammo).or_else(other) else { return };
    let Some(at) = near([x, y, z - ITEM_UNITS]).filter(|_| spec.items.len() < THINGS_MAX) else { return };
    let amount = entity.number("count").filter(|count| (1.0..=1e6).contains(count)).unwrap_or(amount);
    let respawn_s = entity.number("wait").filter(|wait| (1.0..=1e4).contains(wait)).unwrap_or(respawn_s);
    if entity.number("spawnflags").unwrap_or(0.0) as u32 & SUSPENDED == 0 {
        spec.falling_items.push(spec.items.len() as u32);
    }
    let kind = kind.chars().take(64).collect();
    spec.items.push(ItemSpec { kind, at: [at.x, -at.z], base_m: at.y, amount, respawn_s, floor: None }.into());
}

fn hint(spec: &mut LevelSpec, kind: &str, units: [f32; 3], yaw_deg: Option<f32>, text: String) {
    let Some(at) = near(units).filter(|_| spec.annotations.len() < THINGS_MAX) else { return };
    let (kind, floor) = (kind.to_owned(), None);
    spec.annotations.push(AnnotationSpec { kind, at: [at.x, -at.z], base_m: at.y, yaw_deg, text, floor }.into());
}

/// A jump pad or a teleporter: where it is, and where its target is.
fn link(spec: &mut LevelSpec, kind: &str, model: &Model, entity: &Entity, targets: &Targets<'_>) {
    let end = entity.value("target").and_then(|name| targets.get(name));
    let text = end.map_or_else(String::new, |end| format!("to {} {} {}", end.x, -end.z, end.y));
    hint(spec, kind, middle(model), None, text);
}

/// A model that is no trigger: a piece if it opens or goes by itself, else fixed.
fn mover(
    bsp: &Bsp,
    number: usize,
    entity: &Entity,
    model: &Model,
    cutter: &mut Cutter<'_>,
    world: &mut Sheet,
    spec: &mut LevelSpec,
) -> Result<(), Problem> {
    let origin = entity.numbers("origin").filter(|&origin| near(origin).is_some()).unwrap_or([0.0; 3]);
    let Some(motion) = Motion::of(entity, model).filter(|_| spec.pieces.len() < PIECES_MAX) else {
        cutter.emit(model.brushes.range(), false, origin, world)?;
        return surface::patches(bsp, model, origin, world);
    };
    // About the middle of its foot.
    let [x, y, _] = middle(model);
    let pivot = [x, y, model.low[2]];
    let mut sheet = Sheet::default();
    let back = pivot.map(|at| -at);
    cutter.emit(model.brushes.range(), false, back, &mut sheet)?;
    surface::patches(bsp, model, back, &mut sheet)?;
    let home: [f32; 3] = std::array::from_fn(|axis| origin[axis] + pivot[axis] + motion.home[axis]);
    let Some(at) = near(home).filter(|_| !sheet.mesh.triangles.is_empty()) else { return Ok(()) };
    let name = format!("{} {number}", motion.kind);
    spec.meshes.insert(name.clone(), sheet.mesh);
    spec.pieces.push(
        PieceSpec {
            solids: vec![SolidSpec::Mesh(surface::use_of(&name)).into()],
            name,
            at: [at.x, -at.z],
            base_m: at.y,
            yaw_deg: 0.0,
            floor: None,
            door: motion.door,
            health: None,
            path: motion.path,
        }
        .into(),
    );
    Ok(())
}

/// How a piece moves.
struct Motion {
    kind: &'static str,
    /// From where it is in the file to where it begins, units.
    home: [f32; 3],
    door: Option<DoorSpec>,
    path: Option<PathSpec>,
}

impl Motion {
    fn of(entity: &Entity, model: &Model) -> Option<Motion> {
        match entity.class() {
            "func_door" => Some(Motion::door(entity, model)),
            "func_plat" => Some(Motion::plat(entity, model)),
            "func_bobbing" => Some(Motion::bobbing(entity)),
            _ => None,
        }
    }

    /// A door slides along its angle (-1 is up, -2 down) by its own extent less the lip.
    fn door(entity: &Entity, model: &Model) -> Motion {
        let way = match angle_deg(entity) {
            -1.0 => Vec3::Z,
            -2.0 => Vec3::NEG_Z,
            angle => {
                let (sin, cos) = crate::solid::turn(angle % 360.0);
                Vec3::new(cos, sin, 0.0)
            }
        };
        let size = Vec3::from(model.high) - Vec3::from(model.low);
        let lip = positive(entity, "lip", 8.0, 1e5);
        let length = sentir_core::math::max(way.abs().dot(size) - lip, 0.0);
        let shift = meters((way * length).to_array());
        let open_s = seconds(length, positive(entity, "speed", 400.0, 1e5));
        let starts_open = entity.number("spawnflags").unwrap_or(0.0) as u32 & 1 != 0;
        let door =
            DoorSpec { by: [shift.x, -shift.z], rise_m: shift.y, turn_deg: 0.0, open_s, starts_open, is_locked: false };
        Motion { kind: "door", home: [0.0; 3], door: Some(door), path: None }
    }

    /// A platform is drawn at its top and waits at its bottom.
    fn plat(entity: &Entity, model: &Model) -> Motion {
        let lip = positive(entity, "lip", 8.0, 1e5);
        let height = positive(entity, "height", model.high[2] - model.low[2] - lip, 1e5);
        let height = sentir_core::math::max(height, 1.0);
        let travel_s = seconds(height, positive(entity, "speed", 200.0, 1e5));
        let top = StopSpec { by: [0.0; 2], rise_m: height * UNIT_M, turn_deg: 0.0, travel_s, wait_s: 2.0 };
        let path = PathSpec { stops: vec![top.into()], back_s: travel_s, wait_s: 2.0 };
        Motion { kind: "plat", home: [0.0, 0.0, -height], door: None, path: Some(path) }
    }

    /// To and fro about its place: up and down, or along x or y.
    fn bobbing(entity: &Entity) -> Motion {
        let height_m = positive(entity, "height", 32.0, 1e5) * UNIT_M;
        let round_s = sentir_core::math::clamp(positive(entity, "speed", 4.0, 1e3), 0.1, 1000.0);
        let axes = entity.number("spawnflags").unwrap_or(0.0) as u32;
        let stop = |reach_m: f32, travel_s: f32| {
            let (by, rise_m) = match axes & 3 {
                1 => ([reach_m, 0.0], 0.0),
                2 => ([0.0, reach_m], 0.0),
                _ => ([0.0; 2], reach_m),
            };
            StopSpec { by, rise_m, turn_deg: 0.0, travel_s, wait_s: 0.0 }
        };
        let stops = vec![stop(height_m, round_s / 4.0).into(), stop(-height_m, round_s / 2.0).into()];
        let path = PathSpec { stops, back_s: round_s / 4.0, wait_s: 0.0 };
        Motion { kind: "bobbing", home: [0.0; 3], door: None, path: Some(path) }
    }
}

/// A number of an entity from 0 to `most`, or what the game takes without it.
fn positive(entity: &Entity, key: &str, otherwise: f32, most: f32) -> f32 {
    entity.number(key).filter(|number| (0.0..=most).contains(number)).unwrap_or(otherwise)
}

/// How long a way takes, within what a level allows, s.
fn seconds(length_units: f32, speed: f32) -> f32 {
    let s = if speed > 0.0 { length_units / speed } else { 1.0 };
    sentir_core::math::clamp(s, 0.05, 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_of_the_file_become_ours() {
        for (file, ours) in [(0.0, -90.0), (90.0, 0.0), (180.0, 90.0), (270.0, 180.0), (360.0, -90.0), (-90.0, 180.0)] {
            assert_eq!(yaw_deg(file), ours, "{file}");
        }
    }
}
