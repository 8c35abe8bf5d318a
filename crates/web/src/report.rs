//! Scenes, figures and agents as JSON, in the shapes that `types.d.ts` names.

use sentir::core::belief::Smelled;
use sentir::core::chart::{Arrow, Chart, Part, PartId};
use sentir::core::draw::Layer;
use sentir::core::glam::Vec3;
use sentir::core::tick::Tick;
use sentir::prelude::{Actions, EventKind, GameEvent, Gaze, HostKey, Order, Other, Presence, Stance, Thing, Travel};
use sentir_harness::hud::{Fallen, Hud, Sign};
use sentir_harness::info::{BY_PERSON, Binding, Catalog, Controls, Family, KindLook, SceneInfo, Setting, SettingKind};
use sentir_harness::inspection::Inspection;
use sentir_harness::sound::Sound;
use serde_json::{Value, json};

use crate::compare::Parting;
use crate::note::Note;
use crate::session::Session;

use crate::screen::weapon;
pub use crate::screen::{minimap, screen};

/// Numbers of one agent in [`agents`], by name.
pub const AGENT_NUMBERS: [&str; AGENT_STRIDE] = [
    "key", "team", "kind", "x", "y", "z", "yaw", "radius", "eye", "health", "crouched", "speed", "side", "lean",
    "activity", "share", "pitch",
];

/// How many there are.
pub const AGENT_STRIDE: usize = 17;

/// Every family of a catalog with its scenes.
pub fn catalog(catalog: &Catalog) -> Value {
    let family = |family: &Family| json!({ "name": family.name, "about": family.about, "scenes": family.scenes.iter().map(scene).collect::<Value>() });
    catalog.families.iter().map(family).collect()
}

/// The layers, in the order that pictures count them; the last stands for all others.
pub fn layers() -> Value {
    let layer = |layer: &Layer| {
        json!({
            "name": layer.0,
            "title": layer.title(),
            "is_world": layer.is_world(),
            "is_shown": layer.is_shown_at_first(),
        })
    };
    let other = json!({ "name": OTHER, "title": "all else", "is_world": false, "is_shown": true });
    Layer::ALL.iter().map(layer).chain([other]).collect()
}

/// The name of what is of no layer that the library names.
const OTHER: &str = "other";

fn scene(scene: &SceneInfo) -> Value {
    json!({
        "name": scene.name,
        "title": scene.title,
        "about": scene.about,
        "controls": scene.controls.map(|it| controls(&it)),
        "kinds": scene.kinds.iter().map(look).collect::<Value>(),
        "ground": scene.look.ground.name(),
        "minimap": scene.look.has_minimap,
        "views": scene.look.views.iter().map(|view| view.name()).collect::<Value>(),
        "layers": scene.layers.iter().map(|layer| layer.0).collect::<Value>(),
        "rate_hz": scene.rate.hz(),
        "ticks_max": scene.ticks_max,
        "settings": scene.settings.iter().map(setting).collect::<Value>(),
    })
}

fn controls(controls: &Controls) -> Value {
    let binding = |it: &Binding| json!({ "action": it.action.name(), "letter": it.action.letter(), "about": it.about });
    json!({
        "mode": controls.mode.name(),
        "setting": controls.setting.map(|name| json!({ "name": name, "value": BY_PERSON })),
        "difficulty": controls.difficulty,
        "opening": controls.opening(),
        "sentence": controls.sentence(),
        "bindings": controls.bindings.iter().map(binding).collect::<Value>(),
    })
}

fn look(look: &KindLook) -> Value {
    json!({ "kind": look.kind, "name": look.name, "model": look.model.name(), "title": look.title })
}

fn setting(setting: &Setting) -> Value {
    let kind = match setting.kind {
        SettingKind::Whole { min, max } => json!({ "kind": "whole", "min": min, "max": max }),
        SettingKind::Number { min, max } => json!({ "kind": "number", "min": min, "max": max }),
        SettingKind::Choice(words) => json!({ "kind": "choice", "words": words }),
    };
    json!({ "name": setting.name, "about": setting.about, "stock": setting.stock, "limits": kind })
}

/// Where a run stands: tick, known ticks, ending and figures. Asked for every frame, so the hash of all state is not in it.
pub fn status(session: &Session) -> Value {
    let metric = |metric: &sentir_harness::metric::Metric| json!({ "name": metric.name, "value": metric.value });
    let (bytes, count) = session.snapshot_bytes();
    let breakpoint = session.breakpoint().map(|it| {
        let key = session.agents().iter().find(|presence| presence.agent == it.agent).map(|presence| presence.key.0);
        json!({ "key": key, "node": it.node })
    });
    json!({
        "tick": session.tick(),
        "known_ticks": session.known_ticks(),
        "ending": session.ending(),
        "metrics": session.metrics().iter().map(metric).collect::<Value>(),
        "snapshots": count,
        "snapshot_bytes": bytes,
        "breakpoint": breakpoint,
        "player": session.player().map(|key| key.0),
    })
}

/// Every agent that is to be seen, [`AGENT_STRIDE`] numbers each: key, team, kind, x, y, z, yaw, radius, eye height, health, 1 if crouched; then
/// what its figure does: speed along its face, speed to its right, lean, activity by number, share of that, pitch.
pub fn agents(session: &Session) -> Vec<f64> {
    let agents = session.shown_agents();
    let mut numbers = Vec::with_capacity(agents.len() * AGENT_STRIDE);
    for (presence, figure) in agents.iter().zip(session.animate(&agents)) {
        let body = &presence.body;
        let [x, y, z] = body.pose.position.to_array().map(f64::from);
        let crouched = f64::from(u8::from(body.stance == Stance::Crouch));
        let [yaw, radius, eye, health] = [body.pose.yaw, body.radius_m, body.eye_m, body.health].map(f64::from);
        let kind = f64::from(session.looks_as(presence));
        let (key, team) = (presence.key.0 as f64, f64::from(presence.team.0));
        numbers.extend([key, team, kind, x, y, z, yaw, radius, eye, health, crouched]);
        let [speed, side, lean] = [figure.speed_m_per_s, figure.side_m_per_s, figure.lean].map(f64::from);
        let activity = f64::from(figure.activity as u8);
        numbers.extend([speed, side, lean, activity, f64::from(figure.share), f64::from(figure.pitch_rad)]);
    }
    numbers
}

/// What every agent is called: key and name, in the order of [`agents`].
pub fn names(session: &Session) -> Value {
    session.shown_agents().iter().map(|it| json!([it.key.0, session.name_of(it)])).collect()
}

/// What could be heard of the last tick.
pub fn sounds(session: &Session) -> Value {
    let sound = |it: &Sound| {
        let [x, y, z] = it.position.to_array();
        let (kind, key) = (it.kind.name(), it.key.map(|key| key.0));
        json!({ "kind": kind, "x": x, "y": y, "z": z, "loudness": it.loudness, "key": key, "text": it.text })
    };
    session.sounds().iter().map(sound).collect()
}

/// Numbers of one of the dead in [`fallen`], by name.
pub const FALLEN_NUMBERS: [&str; FALLEN_STRIDE] = ["key", "team", "x", "y", "z", "yaw", "seconds", "kind"];

/// How many there are.
pub const FALLEN_STRIDE: usize = 8;

/// Who lies dead, [`FALLEN_STRIDE`] numbers each: key, team, x, y, z, yaw, for how many seconds, and kind.
pub fn fallen(session: &Session) -> Vec<f64> {
    let numbers = |it: Fallen| {
        let [x, y, z] = it.pose.position.to_array().map(f64::from);
        let age_s = session.scene().rate.seconds(session.tick().saturating_sub(it.at.0));
        let (key, team, kind) = (it.key.0 as f64, f64::from(it.team.0), f64::from(it.kind));
        [key, team, x, y, z, f64::from(it.pose.yaw), f64::from(age_s), kind]
    };
    session.fallen().into_iter().flat_map(numbers).collect()
}

/// The player's body, as the player feels it; null where nobody plays. Ages are in seconds.
pub fn hud(session: &Session) -> Value {
    session.hud().map_or(Value::Null, |hud| hud_of(session, &hud))
}

pub(crate) fn hud_of(session: &Session, hud: &Hud) -> Value {
    let age = |at: Tick| session.scene().rate.seconds(session.tick().saturating_sub(at.0));
    let signs = |all: &[Option<Sign>]| -> Value {
        let sign =
            |it: &Sign| json!({ "from": point(it.from), "amount": it.amount, "tick": it.at.0, "age_s": age(it.at) });
        all.iter().flatten().map(sign).collect()
    };
    let [fired, hit, head, kill] = hud.last.map(|at| at.map(age));
    let ([health, health_max], [magazine, magazine_max, reserve]) = (hud.health, hud.rounds);
    let [shots, hits, kills] = hud.counts;
    json!({
        "key": hud.key.0,
        "health": health, "health_max": health_max,
        "magazine": magazine, "magazine_max": magazine_max, "reserve": reserve,
        "reload": hud.reload,
        "spread_rad": hud.spread_rad, "pitch_rad": hud.pitch_rad,
        "shots": shots, "hits": hits, "kills": kills,
        "fired_s": fired, "hit_s": hit, "head_s": head, "kill_s": kill,
        "hurts": signs(&hud.hurts), "noises": signs(&hud.noises),
        "foes": hud.foes, "left_s": hud.left_s, "is_won": hud.is_won,
        "weapons": hud.weapons.iter().map(weapon).collect::<Value>(),
    })
}

/// What happened in the last tick: to whom, and what, in words.
pub fn events(session: &Session) -> Value {
    let agents = session.agents();
    let key_of = |id| agents.iter().find(|presence| Some(presence.agent) == id).map(|presence| presence.key.0);
    let event = |event: &GameEvent| happened(session, event.tick, key_of(event.agent), event.kind);
    session.events().iter().map(event).collect()
}

/// What was worth a mark in the run so far, oldest first.
pub fn marks(session: &Session) -> Value {
    let mark = |note: &Note| {
        let mut told = happened(session, note.tick, note.key.map(|key| key.0), note.kind);
        told["weight"] = note.weight.into();
        told
    };
    session.notes().iter().map(mark).collect()
}

/// Where two runs part, in words.
pub fn decision(found: &Parting) -> Value {
    let decided = found.decision.as_ref();
    json!({
        "first_tick": found.first_tick,
        "tick": decided.map(|it| it.tick),
        "key": decided.map(|it| it.key.0),
        "here": decided.map_or("", |it| &it.here),
        "there": decided.map_or("", |it| &it.there),
    })
}

/// One event as pages are told of it: the only place that names, words and classes of events come from.
fn happened(session: &Session, tick: Tick, key: Option<u64>, kind: EventKind) -> Value {
    let (name, class) = named(kind);
    let what = kind.words(|decision| session.decision_name(decision));
    json!({ "tick": tick.0, "key": key, "name": name, "what": what, "class": class.name() })
}

/// The name of an event for programs, and what it is about.
fn named(kind: EventKind) -> (String, EventClass) {
    let class = match kind {
        EventKind::Spawned
        | EventKind::Despawned
        | EventKind::Teleported
        | EventKind::Noticed { .. }
        | EventKind::Lost { .. }
        | EventKind::Decided { .. }
        | EventKind::Arrived { .. }
        | EventKind::Failed { .. }
        | EventKind::Overruled { .. }
        | EventKind::Released
        | EventKind::Said { .. }
        | EventKind::Forgot
        | EventKind::BadBody => EventClass::Agent,
        EventKind::Blunder { kind } => return (kind.name().to_owned(), EventClass::Stupid),
        _ => EventClass::Game,
    };
    (snake_case(&format!("{:?}", kind.tag())), class)
}

/// `HeadHit` as `head_hit`.
fn snake_case(name: &str) -> String {
    let mut words = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push('_');
        }
        words.extend(letter.to_lowercase());
    }
    words
}

/// What an event is about, for the color of its mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventClass {
    /// The library's own: what an agent noticed, decided, reached.
    Agent,
    /// The rules of the game.
    Game,
    /// Something stupid.
    Stupid,
}

impl EventClass {
    /// Every class.
    pub const ALL: [EventClass; 3] = [EventClass::Agent, EventClass::Game, EventClass::Stupid];

    /// Its name for programs.
    pub fn name(self) -> &'static str {
        match self {
            EventClass::Agent => "agent",
            EventClass::Game => "game",
            EventClass::Stupid => "stupid",
        }
    }
}

/// One agent, looked into; null if there is none of that key.
pub fn agent(session: &Session, key: HostKey) -> Value {
    let agents = session.agents();
    let found = agents.iter().find(|presence| presence.key == key);
    let Some(seen) = found.and_then(|presence| session.inspect(presence.agent)) else { return Value::Null };
    let mut told = looked_into(&seen, &agents);
    told["brain_file"] = session.brain_file(seen.presence.agent).into();
    told["brain"] = session.chart(seen.presence.agent).map_or(Value::Null, |it| chart(&it));
    told
}

/// A brain as a list, depth first: what each part is, how deep it lies and what it is doing.
fn chart(chart: &Chart) -> Value {
    let order: Vec<_> = chart.in_order().collect();
    let place = |id| order.iter().position(|(one, _)| *one == id);
    let part = |&(id, part): &(PartId, &Part)| {
        json!({
            "depth": chart.depth(id),
            "kind": part.kind,
            "label": part.label,
            "mood": part.mood.name(),
            "note": part.note,
            "share": part.share,
        })
    };
    let arrow = |arrow: &Arrow| json!({ "from": place(arrow.from), "to": place(arrow.to), "label": arrow.label, "is_lit": arrow.is_lit });
    json!({
        "kind": chart.kind,
        "name": chart.name,
        "parts": order.iter().map(part).collect::<Value>(),
        "arrows": chart.arrows().iter().map(arrow).collect::<Value>(),
    })
}

fn looked_into(seen: &Inspection<'_>, agents: &[Presence]) -> Value {
    let Presence { agent, key, team, squad, kind, body } = seen.presence;
    let beliefs = seen.beliefs;
    json!({
        "key": key.0,
        "id": agent.to_string(),
        "team": team.0,
        "squad": squad,
        "kind": kind,
        "body": {
            "position": point(body.pose.position),
            "yaw": body.pose.yaw,
            "velocity": point(body.velocity),
            "speed_m_per_s": body.velocity.length(),
            "radius_m": body.radius_m,
            "eye_m": body.eye_m,
            "health": body.health,
            "stance": stance(body.stance),
        },
        "motion": {
            "velocity": point(seen.motion.velocity),
            "yaw": seen.motion.yaw,
            "stance": stance(seen.motion.stance),
            "actions": actions(seen.motion.actions),
        },
        "intents": {
            "travel": seen.intents.travel().map(|(_, it)| travel(&it)),
            "gaze": gaze(seen.intents.gaze),
            "stance": stance(seen.intents.stance),
            "actions": actions(seen.intents.actions),
            "behavior": seen.intents.behavior,
        },
        "order": seen.order.map(order),
        "beliefs": {
            "others": beliefs.others().iter().map(|it| other(it, agents)).collect::<Value>(),
            "noises": beliefs.noises.iter().map(|it| point(it.position)).collect::<Value>(),
            "smells": beliefs.smells.iter().map(smelled).collect::<Value>(),
            "hurts": beliefs.hurts.iter().map(|it| it.amount).collect::<Value>(),
            "messages": beliefs.messages.len(),
            "things": beliefs.things().iter().map(thing).collect::<Value>(),
            "outcomes": beliefs.outcomes().iter().map(|it| format!("{it:?}")).collect::<Value>(),
        },
    })
}

/// What is believed about another, beside the truth.
fn other(other: &Other, agents: &[Presence]) -> Value {
    let truth = agents.iter().find(|presence| presence.agent == other.who);
    let real = truth.map(|presence| presence.body.pose.position);
    json!({
        "key": truth.map(|presence| presence.key.0),
        "team": other.team.0,
        "believed": point(other.position),
        "real": real.map(point),
        "error_m": real.map(|real| real.distance(other.position)),
        "at_tick": other.at.0,
        "is_visible": other.is_visible,
        "is_vanished": other.is_vanished,
        "confidence": other.confidence,
        "source": format!("{:?}", other.source).to_lowercase(),
    })
}

/// A trace in its nose: where, of what kind, how strong.
fn smelled(smell: &Smelled) -> Value {
    json!({ "position": point(smell.position), "kind": smell.kind, "strength": smell.strength, "left_tick": smell.left_at.0 })
}

/// What is believed about a door, an obstacle, an item.
fn thing(thing: &Thing) -> Value {
    json!({
        "id": thing.id,
        "value": thing.value,
        "at_tick": thing.at.0,
        "source": format!("{:?}", thing.source).to_lowercase(),
    })
}

fn order(order: &Order) -> Value {
    json!({
        "travel": order.travel.as_ref().map(travel),
        "gaze": order.gaze.map(gaze),
        "actions": order.actions.map(actions),
    })
}

fn travel(travel: &Travel) -> Value {
    json!({
        "goal": point(travel.goal),
        "manner": format!("{:?}", travel.manner).to_lowercase(),
        "pace_m_per_s": travel.pace_m_per_s,
        "arrive_m": travel.arrive_m,
    })
}

fn gaze(gaze: Gaze) -> Value {
    match gaze {
        Gaze::Ahead => json!("ahead"),
        Gaze::At(place) => json!({ "at": point(place) }),
        Gaze::Along(yaw) => json!({ "along": yaw }),
    }
}

fn actions(set: Actions) -> Value {
    action_names(set).collect()
}

/// The names of the actions in a set.
pub fn action_names(set: Actions) -> impl Iterator<Item = &'static str> {
    let all = [
        (Actions::FIRE, "fire"),
        (Actions::RELOAD, "reload"),
        (Actions::JUMP, "jump"),
        (Actions::USE, "use"),
        (Actions::MELEE, "melee"),
        (Actions::THROW, "throw"),
    ];
    all.into_iter().filter(move |(action, _)| set.contains(*action)).map(|(_, name)| name)
}

fn stance(stance: Stance) -> &'static str {
    match stance {
        Stance::Stand => "stand",
        Stance::Crouch => "crouch",
    }
}

fn point(point: Vec3) -> Value {
    json!(point.to_array())
}
