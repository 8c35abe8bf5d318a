//! What agents believe, want and why, as JSON in the shapes that `types.d.ts` names: for who looks, not for who decides.

use sentir::core::chart::{Arrow, Chart, Part, PartId};
use sentir::prelude::*;
use sentir::think::value::Value as Known;
use serde_json::{Value, json};

use crate::leaf::ACTIONS;
use crate::world::World;

/// Numbers of one agent in [`motions`].
pub const MOTION_STRIDE: usize = 8;

/// What all bodies with a brain are asked to do, [`MOTION_STRIDE`] numbers each, ascending by key: key, velocity x, y, z, yaw, pitch,
/// 1 if crouched, actions as bits.
pub fn motions(world: &World) -> Vec<f64> {
    let mind = world.mind();
    let mut all: Vec<(&Presence, &Motion)> =
        world.agents().motions().filter(|(it, _)| mind.brain(it.kind).is_some()).collect();
    all.sort_by_key(|(it, _)| it.key);
    let numbers = |(it, motion): (&Presence, &Motion)| {
        let [x, y, z] = motion.velocity.to_array().map(f64::from);
        let crouched = f64::from(u8::from(motion.stance == Stance::Crouch));
        let (yaw, pitch) = (f64::from(motion.yaw), f64::from(motion.pitch));
        [it.key.0 as f64, x, y, z, yaw, pitch, crouched, f64::from(motion.actions.0)]
    };
    all.into_iter().flat_map(numbers).collect()
}

/// One motion, by name.
pub fn motion(motion: &Motion) -> Value {
    json!({
        "velocity": point(motion.velocity), "yaw": motion.yaw, "pitch": motion.pitch,
        "is_crouched": motion.stance == Stance::Crouch, "actions": actions(motion.actions),
    })
}

/// An agent, looked into; null if there is none.
pub fn agent(world: &World, key: u64) -> Value {
    let brains = world.agents();
    let Some(it) = brains.agent_of(HostKey(key)).and_then(|agent| brains.presence(agent)) else { return Value::Null };
    let (Some(beliefs), Some(intents)) = (brains.beliefs(it.agent), brains.intents(it.agent)) else {
        return Value::Null;
    };
    let memory = brains.brain(it.agent);
    let brain = world.mind().brain(it.kind);
    let chart = memory.and_then(|memory| world.mind().chart(it, memory, world.scratch().whys()));
    let path = brains.motor(it.agent).map_or(&[][..], |legs| legs.follower.ahead());
    json!({
        "key": key, "team": it.team.0, "kind": memory.map_or(0, |memory| memory.kind),
        "brain": brain.map(|brain| brain.name.as_str()),
        "doing": chart.as_ref().map_or_else(Vec::new, doing),
        "facts": facts(world, it),
        "believes": others(world, beliefs),
        "heard": beliefs.noises.iter().map(|it| point(it.position)).collect::<Value>(),
        "wants": intents.travel().map(|(_, travel)| json!({
            "goal": point(travel.goal), "pace_m_per_s": travel.pace_m_per_s, "arrive_m": travel.arrive_m,
        })),
        "looks": match intents.gaze {
            Gaze::Ahead => Value::Null,
            Gaze::At(place) => json!({ "at": point(place) }),
            Gaze::Along(yaw) => json!({ "along": yaw }),
        },
        "actions": actions(intents.actions),
        "path": path.iter().map(|&corner| point(corner)).collect::<Value>(),
    })
}

/// The brain of an agent with the reasons of its last thought; null if it has none.
pub fn why(world: &World, key: u64) -> Value {
    let brains = world.agents();
    let Some(it) = brains.agent_of(HostKey(key)).and_then(|agent| brains.presence(agent)) else { return Value::Null };
    let memory = brains.brain(it.agent);
    let chart = memory.and_then(|memory| world.mind().chart(it, memory, world.scratch().whys()));
    chart.map_or(Value::Null, |chart| shown(&chart))
}

/// What happened in the last tick and since the one before.
pub fn events(world: &World) -> Value {
    let brains = world.agents();
    let key = |agent: AgentId| brains.presence(agent).map(|it| it.key.0);
    let event = |event: &GameEvent| {
        let other = match event.kind {
            EventKind::Noticed { other } | EventKind::Lost { other } => key(other),
            _ => None,
        };
        json!({
            "tick": event.tick.0, "key": event.agent.and_then(key), "name": format!("{:?}", event.kind.tag()).to_lowercase(),
            "what": event.kind.words(|_| ""), "other": other,
        })
    };
    world.scratch().events().iter().map(event).collect()
}

fn others(world: &World, beliefs: &Beliefs) -> Value {
    let (brains, now, rate) = (world.agents(), world.agents().tick(), world.agents().rate());
    let other = |it: &Other| {
        json!({
            "key": brains.presence(it.who).map(|it| it.key.0), "team": it.team.0, "at": point(it.position),
            "age_s": rate.seconds(now.since(it.at)), "is_visible": it.is_visible, "is_vanished": it.is_vanished,
            "confidence": it.confidence,
        })
    };
    beliefs.others().iter().map(other).collect()
}

fn facts(world: &World, it: &Presence) -> Value {
    let (Some(brain), Some(memory)) = (world.mind().brain(it.kind), world.agents().brain(it.agent)) else {
        return json!({});
    };
    let keys = brain.brain.keys();
    let fact = |name: &String| {
        let value = keys.any(name).ok().and_then(|key| memory.board.value(key));
        (name.clone(), value.map_or(Value::Null, |value| known(world, value)))
    };
    Value::Object(keys.specs().iter().map(|spec| fact(&spec.name)).collect())
}

fn known(world: &World, value: Known) -> Value {
    match value {
        Known::Bool(value) => value.into(),
        Known::Int(value) => value.into(),
        Known::Long(value) => value.into(),
        Known::Float(value) => value.into(),
        Known::FilePosition(place) => point(place),
        Known::Agent(agent) => world.agents().presence(agent).map(|it| it.key.0).into(),
        Known::Tick(tick) => tick.0.into(),
        Known::Symbol(_) => value.to_string().into(),
    }
}

/// The labels of what is at work and has no part at work below it.
fn doing(chart: &Chart) -> Vec<String> {
    let parts = chart.parts();
    let is_active = |part: &Part| part.mood == sentir::core::chart::Mood::Active;
    let has_active_part = |place: usize| {
        parts.iter().any(|part| is_active(part) && part.parent.is_some_and(|parent| parent.index() == place))
    };
    let leaf = |(place, part): &(usize, &Part)| is_active(part) && !has_active_part(*place);
    parts.iter().enumerate().filter(leaf).map(|(_, part)| part.label.clone()).collect()
}

fn shown(chart: &Chart) -> Value {
    let order: Vec<(PartId, &Part)> = chart.in_order().collect();
    let place = |id: PartId| order.iter().position(|(one, _)| *one == id);
    let part = |&(id, part): &(PartId, &Part)| {
        json!({
            "depth": chart.depth(id), "kind": part.kind, "label": part.label, "mood": part.mood.name(),
            "note": part.note, "share": part.share,
        })
    };
    let arrow =
        |it: &Arrow| json!({ "from": place(it.from), "to": place(it.to), "label": it.label, "is_lit": it.is_lit });
    json!({
        "kind": chart.kind, "name": chart.name,
        "parts": order.iter().map(part).collect::<Value>(),
        "arrows": chart.arrows().iter().map(arrow).collect::<Value>(),
    })
}

/// A point as three numbers.
pub fn point(at: Vec3) -> Value {
    json!([at.x, at.y, at.z])
}

fn actions(actions: Actions) -> Value {
    ACTIONS.iter().filter(|(_, one)| actions.contains(*one)).map(|(name, _)| *name).collect()
}
