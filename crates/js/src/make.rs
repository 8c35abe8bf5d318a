//! Levels, meshes and brains out of what a page gives, checked once.

use sentir::core::state::hash_bytes;
use sentir::level::{Level, LevelState, obj};
use sentir::nav::bake::{self, BakeConfig, LevelFilter};
use sentir::nav::mesh::Mesh;
use sentir::prelude::*;
use sentir::think::asset::{self, AssetError, Node, Refusal, Value};
use sentir::think::brain::Brain;
use sentir::think::key::{Keys, Scope};
use sentir::think::value::Literal;

use crate::fact::FactKeys;
use crate::leaf::leaves;
use crate::mind::NamedBrain;
use crate::page::Page;
use crate::world::{BodySize, BrainSource, LevelSource, WorldError};

/// How often a second agents sense and think; in between they go on with what they want.
const THOUGHTS_HZ: u16 = 10;

/// Every stage as often as it does at 60 Hz, whatever the rate.
pub(crate) fn loop_config(rate: TickRate) -> LoopConfig {
    let mut config = LoopConfig { rate, ..LoopConfig::default() };
    let every = (rate.hz() / THOUGHTS_HZ).max(1);
    for detail in &mut config.detail {
        (detail.sense_every, detail.think_every) = (every, every);
        (detail.coordinate_every, detail.act_every) = (1, 1);
    }
    config
}

/// The level that a page gives, built.
pub(crate) fn level_of(source: LevelSource<'_>) -> Result<Level, WorldError> {
    let spec = match source {
        LevelSource::File(name, bytes) => sentir::level::parse(bytes, name)?,
        LevelSource::Triangles(corners, numbers) => obj::parse(&obj_of(corners, numbers)?, "triangles")?,
        LevelSource::Flat(size_m) => {
            if !(1.0..=2000.0).contains(&size_m) {
                return Err(number("flat_m", size_m, "a width from 1 to 2000 m"));
            }
            let half = size_m / 2.0;
            let corners = [-half, 0.0, -half, half, 0.0, -half, half, 0.0, half, -half, 0.0, half];
            obj::parse(&obj_of(&corners, &[0, 2, 1, 0, 3, 2])?, "flat")?
        }
    };
    Ok(spec.build()?)
}

/// Triangles as the bytes of an OBJ file: numbers are written so that the same ones are read again.
fn obj_of(corners: &[f32], numbers: &[u32]) -> Result<Vec<u8>, WorldError> {
    let uneven = |what, count: usize| WorldError::Number {
        what,
        value: count as f64,
        expected: "a count that three divides, above 0",
    };
    if corners.is_empty() || !corners.len().is_multiple_of(3) {
        return Err(uneven("positions.length", corners.len()));
    }
    if numbers.is_empty() || !numbers.len().is_multiple_of(3) {
        return Err(uneven("indices.length", numbers.len()));
    }
    let count = corners.len() / 3;
    if let Some(&over) = numbers.iter().find(|&&number| number as usize >= count) {
        return Err(WorldError::Number { what: "indices", value: over.into(), expected: "the number of a corner" });
    }
    let mut text = String::new();
    for corner in corners.chunks_exact(3) {
        check_place("positions", Vec3::from_slice(corner))?;
        text += &format!("v {} {} {}\n", corner[0], corner[1], corner[2]);
    }
    for triangle in numbers.chunks_exact(3) {
        text += &format!("f {} {} {}\n", triangle[0] + 1, triangle[1] + 1, triangle[2] + 1);
    }
    Ok(text.into_bytes())
}

/// Where a body of that size can walk.
pub(crate) fn mesh_of(level: &Level, state: &LevelState, body: BodySize) -> Result<Mesh, WorldError> {
    let BodySize { radius_m, height_m, climb_m } = body;
    let config = BakeConfig { radius_m, height_m, climb_m, tile_cells: 48, ..BakeConfig::default() };
    let filter = LevelFilter { has_pieces: true, ..LevelFilter::default() };
    let mesh = bake::level(level, state, &filter, &config)?.mesh()?;
    if mesh.polygon_count() == 0 {
        return Err(WorldError::NoGround { radius_m, height_m });
    }
    Ok(mesh)
}

/// What a save must fit: the level's bytes and for whom it was baked.
pub(crate) fn ground_hash(source: LevelSource<'_>, body: BodySize) -> u64 {
    let mut bytes = Vec::new();
    match source {
        LevelSource::File(name, file) => {
            bytes.extend_from_slice(name.as_bytes());
            bytes.push(0);
            bytes.extend_from_slice(file);
        }
        LevelSource::Triangles(corners, numbers) => {
            bytes.extend(corners.iter().flat_map(|it| it.to_le_bytes()));
            bytes.extend(numbers.iter().flat_map(|it| it.to_le_bytes()));
        }
        LevelSource::Flat(size_m) => bytes.extend(size_m.to_le_bytes()),
    }
    bytes.extend([body.radius_m, body.height_m, body.climb_m].iter().flat_map(|it| it.to_le_bytes()));
    hash_bytes(&bytes)
}

/// The brain of a file.
pub(crate) fn read_brain(source: &BrainSource<'_>, page: &dyn Page) -> Result<NamedBrain, WorldError> {
    let BrainSource { name, text, senses } = *source;
    let brain = Brain::read(text.as_bytes(), name, &Keys::default(), &leaves())?;
    let node: Node = asset::parse(text.as_bytes(), name)?;
    let names = page.task_names();
    check_calls(&node, &names).map_err(|refusal| AssetError::new(name, refusal))?;
    let shared = brain.keys().specs().iter().find(|spec| spec.scope != Scope::Own);
    if let Some(spec) = shared {
        let scope = if spec.scope == Scope::Team { "team" } else { "world" };
        return Err(WorldError::Shared { file: name.to_owned(), key: spec.name.clone(), scope });
    }
    let facts = FactKeys::of(brain.keys()).map_err(|error| WorldError::FactKind { file: name.to_owned(), error })?;
    Ok(NamedBrain::new(name, hash_bytes(text.as_bytes()), brain, facts, senses))
}

/// Whether the page has every task that `task: call` names, at any depth: a misspelled one is found here and not in the game.
fn check_calls(node: &Node, names: &[String]) -> Result<(), Refusal> {
    let is_call = node.find("task").and_then(|task| task.text().ok()) == Some("call");
    if is_call && let Some(called) = node.find("with").and_then(|with| with.find("name")) {
        let name = called.text()?;
        if !names.iter().any(|one| one == name) {
            let known = names.iter().map(String::as_str);
            return Err(Refusal::unknown(called.place, "task of the page", name, known));
        }
    }
    match &node.value {
        Value::List(nodes) => nodes.iter().try_for_each(|one| check_calls(one, names)),
        Value::Map(entries) => entries.iter().try_for_each(|entry| check_calls(&entry.node, names)),
        _ => Ok(()),
    }
}

/// A sentence about a number.
pub(crate) fn number(what: &'static str, value: f32, expected: &'static str) -> WorldError {
    WorldError::Number { what, value: value.into(), expected }
}

/// A place of finite numbers.
pub(crate) fn check_place(what: &'static str, place: Vec3) -> Result<(), WorldError> {
    match place.to_array().into_iter().find(|number| !number.is_finite()) {
        Some(value) => Err(number(what, value, "three finite numbers")),
        None => Ok(()),
    }
}

/// A body that can be: the first number that cannot is named.
pub(crate) fn check_body(body: &Body) -> Result<(), WorldError> {
    check_place("position", body.pose.position)?;
    check_place("velocity", body.velocity)?;
    let numbers = [("yaw", body.pose.yaw), ("pitch", body.pitch)];
    if let Some((what, value)) = numbers.into_iter().find(|(_, value)| !value.is_finite()) {
        return Err(number(what, value, "a finite number"));
    }
    if !(0.01..=10.0).contains(&body.radius_m) {
        return Err(number("radius_m", body.radius_m, "0.01 to 10 m"));
    }
    if !(0.0..=20.0).contains(&body.eye_m) {
        return Err(number("eye_m", body.eye_m, "0 to 20 m"));
    }
    if !(0.0..=1.0).contains(&body.health) {
        return Err(number("health", body.health, "a share of full health, 0 to 1"));
    }
    Ok(())
}

/// What a fact is, in words.
pub(crate) fn shown(fact: &Literal) -> &'static str {
    match fact {
        Literal::Bool(_) => "a boolean",
        Literal::Int(_) => "a whole number",
        Literal::Float(_) => "a number",
        Literal::Text(_) => "a text",
        Literal::Numbers(_) => "a list of numbers",
    }
}

/// Brains and their versions, in words.
pub(crate) fn versions(brains: &[(String, u64)]) -> String {
    let one = |(name, hash): &(String, u64)| format!("'{name}' {:08x}", hash >> 32);
    match brains {
        [] => "no brains".to_owned(),
        _ => brains.iter().map(one).collect::<Vec<_>>().join(", "),
    }
}
