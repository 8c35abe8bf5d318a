//! The mind of everybody in the horde: simple senses, a brain out of a file, legs on the mesh; and the pack's alarms.

use std::sync::Arc;

use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir::walk::{Field, Router, WalkConfig, WalkRequest, Walks};
use sentir_act::follow::Follower;
use sentir_nav::request::{RequestConfig, Requests};
use sentir_squad::alarm::{AlarmConfig, Alarms};
use sentir_think::board::{Blackboard, Board};
use sentir_think::brain::{Brain, BrainScratch, BrainState};
use sentir_think::thought::{Sinks, Thinker, Thought};

use super::briefing::Briefing;
use super::ground::Ground;
use super::leaf::{AtNode, CRY, Deed, Game, Known, Memory, Wish};
use super::registry::Registry;
use super::rules::{KindRules, Rules};
use super::{BARKER, HORDE, PLAYER, STEALTHY, TANK, THROWER};

/// A noise that carries less is no reason to come, m.
const LOUD_M: f32 = 20.0;
/// Parts of all minds are numbered in one row, each mind from a multiple of this on.
pub(super) const PARTS: u32 = sentir_think::tree::NODES_MAX as u32;
/// How long the bot remembers where one went that it no longer sees, s.
const TRACK_S: f32 = 0.3;

/// Tables and tuning, shared by all.
pub(crate) struct HordeMind {
    pub(super) rules: Rules,
    pub(super) ground: Arc<Ground>,
    pub(super) registry: Registry,
    pub(super) gait: WalkConfig,
    pub(super) requests: RequestConfig,
    pub(super) alarm: AlarmConfig,
    /// How far a howl reaches, m.
    pub(super) reach_m: f32,
    /// Whether cries raise alarms.
    pub(super) has_alarms: bool,
    pub(super) at_node: Option<AtNode>,
    /// Whether a person plays the player.
    pub(super) is_steered: bool,
    /// The boards of the team and of the world, which nobody writes here.
    pub(super) shared: Blackboard,
    /// While a file is edited: its name, and its brain as it was.
    pub(super) old: Option<(&'static str, Brain<Game>)>,
}

/// What somebody remembers.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub(crate) struct Head {
    /// Which mind it wears.
    pub(super) mind: u8,
    /// Whether alarms reach its kind.
    pub(super) hears_alarms: bool,
    pub(super) state: BrainState,
    pub(super) board: Blackboard,
    pub(super) memory: Memory,
    /// What it did last.
    pub(super) deed: u16,
    /// An edit of the file ended what was done: the next thought begins at rest.
    pub(super) is_cut: bool,
}

/// What the legs remember.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub(crate) struct Motor {
    pub(super) follower: Follower,
}

/// What a team remembers.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub(crate) struct Pack {
    pub(super) requests: Requests,
    pub(super) alarms: Alarms,
}

/// What somebody is told.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub(crate) enum Notice {
    /// By the pack: what it knows of alarms.
    Briefing(Briefing),
    /// By the rules: a point was used by it and is back then.
    Used {
        /// Which.
        point: u8,
        /// When it is back.
        back_at: Tick,
    },
    /// By the rules: it was touched.
    Touched,
}

impl HordeMind {
    /// The numbers of a kind.
    pub(super) fn kind(&self, kind: u16) -> &KindRules {
        match kind {
            BARKER => &self.rules.barker,
            STEALTHY => &self.rules.stealthy,
            THROWER => &self.rules.thrower,
            TANK => &self.rules.tank,
            _ => &self.rules.dummy,
        }
    }

    /// What somebody remembers at the beginning.
    pub(super) fn fresh(&self, mind: u8, kind: u16) -> Head {
        let Some(file) = self.registry.mind(mind) else { return Head::default() };
        let mut board = Blackboard::new(file.brain.keys());
        for name in ["near", "touched", "dead"] {
            if let Ok(key) = file.brain.keys().key::<bool>(name) {
                board.set(key, false);
            }
        }
        Head { mind, hears_alarms: self.hears_alarms(kind), state: file.brain.start(), board, ..Head::default() }
    }

    pub(super) fn known<'a>(&'a self, beliefs: &'a Beliefs, kind: u16) -> Known<'a> {
        let Self { rules, ground, at_node, .. } = self;
        Known { beliefs, rules, kind: self.kind(kind), ground, at_node: *at_node }
    }

    /// Whether an alarm can reach a kind.
    pub(super) fn hears_alarms(&self, kind: u16) -> bool {
        kind != STEALTHY && (kind != THROWER || self.rules.special.thrower_hears_alarms)
    }

    /// What the eyes of the bot give: zombies in its cone, and those it has noticed as far as it fires.
    fn look_as_bot(&self, view: &SenseView<'_>, beliefs: &mut Beliefs, notes: &mut Notes<'_>) {
        let (bot, seen_m) = (self.rules.bot, self.rules.special.stealth_seen_m);
        let body = &view.me.body;
        let (eye, ahead) = (body.eye(), plane::heading(body.pose.yaw));
        let cos = math::cos(bot.half_rad);
        beliefs.revise(|other| {
            let it = view.world.presence(other.who);
            if let Some(it) = it {
                let apart_m = it.body.pose.position.distance(body.pose.position);
                let way = plane::ground(it.body.pose.position - body.pose.position);
                let shows = apart_m <= bot.keep_m
                    && (it.kind != STEALTHY || apart_m <= seen_m)
                    && ahead.dot(way) >= way.length() * cos
                    && view.world.geometry.is_clear(eye, it.body.pose.position + Vec3::Y * it.body.eye_m);
                if shows {
                    *other = Other::seen(it.agent, it.team, &it.body, view.tick);
                    return true;
                }
            }
            other.is_visible = false;
            view.tick.since(other.at) < view.rate.ticks(TRACK_S)
        });
        for it in view.world.presences().filter(|it| it.team == HORDE) {
            let apart = it.body.pose.position - body.pose.position;
            let range_m = if it.kind == STEALTHY { seen_m } else { bot.sight_m };
            if apart.length_squared() > range_m * range_m || beliefs.other(it.agent).is_some_and(|it| it.is_visible) {
                continue;
            }
            let way = plane::ground(apart);
            if ahead.dot(way) < way.length() * cos
                || !view.world.geometry.is_clear(eye, it.body.pose.position + Vec3::Y * it.body.eye_m)
            {
                continue;
            }
            beliefs.update(Other::seen(it.agent, it.team, &it.body, view.tick));
            let (id, value) = (it.agent.index() as u32, it.kind);
            let thing = Thing { id, value, position: it.body.pose.position, at: view.tick, source: Sense::Sight };
            beliefs.note(thing);
            notes.event(EventKind::Noticed { other: it.agent });
        }
    }

    /// What a zombie feels and sees of the player, hears of its pack, and of loud noises.
    fn sense_as_zombie(&self, view: &SenseView<'_>, beliefs: &mut Beliefs, notes: &mut Notes<'_>) {
        let (zombie, kind) = (self.rules.zombie, self.kind(view.me.kind));
        for message in view.messages().filter(|message| message.say.word == CRY) {
            let from = view.world.presence(message.from).map(|it| it.body.pose.position);
            let is_heard = from.is_some_and(|from| from.distance(view.me.body.pose.position) <= self.reach_m);
            if is_heard && self.hears_alarms(view.me.kind) {
                beliefs.messages.push(*message);
                notes.wake();
            }
        }
        for noise in view.noises().filter(|noise| noise.range_m >= LOUD_M && self.hears_alarms(view.me.kind)) {
            let apart_m = noise.position.distance(view.me.body.pose.position);
            if apart_m < noise.range_m {
                let loudness = 1.0 - apart_m / noise.range_m;
                beliefs.noises.push(Heard { position: noise.position, loudness, at: noise.at });
                notes.wake();
            }
        }
        let body = &view.me.body;
        let mut sees = false;
        for it in view.world.presences().filter(|it| it.team == PLAYER) {
            let way = it.body.pose.position - body.pose.position;
            let apart_m = way.length();
            if apart_m > math::max(zombie.near_m, kind.sight_m) {
                continue;
            }
            let level = plane::ground(way);
            let is_ahead = plane::heading(body.pose.yaw).dot(level) >= level.length() * math::cos(zombie.half_rad);
            let is_in = apart_m <= zombie.near_m || (is_ahead && apart_m <= kind.sight_m);
            if !is_in || !view.world.geometry.is_clear(body.eye(), it.body.pose.position + Vec3::Y * it.body.eye_m) {
                continue;
            }
            sees = true;
            if beliefs.other(it.agent).is_none_or(|other| !other.is_visible) {
                notes.event(EventKind::Noticed { other: it.agent });
                notes.wake();
            }
            beliefs.update(Other::seen(it.agent, it.team, &it.body, view.tick));
        }
        if !sees && !beliefs.others().is_empty() {
            beliefs.revise(|other| {
                if other.is_visible {
                    other.is_visible = false;
                    notes.event(EventKind::Lost { other: other.who });
                }
                view.tick.since(other.at) < view.rate.ticks(zombie.forget_s)
            });
        }
    }

    /// What the prototype's machine goes by.
    fn write_facts(&self, view: &ThinkView<'_>, head: &mut Head) {
        let Some(file) = self.registry.mind(head.mind) else { return };
        let keys = file.brain.keys();
        let near_m = self.kind(view.kind).sight_m;
        let is_near =
            view.beliefs.others().iter().any(|it| it.position.distance(view.beliefs.me.pose.position) < near_m);
        let facts = [("near", is_near), ("touched", head.memory.touched), ("dead", view.beliefs.me.health <= 0.0)];
        for (name, value) in facts {
            if let Ok(key) = keys.key::<bool>(name) {
                head.board.set(key, value);
            }
        }
    }

    /// Straight at the goal, as the prototype goes.
    fn straight(&self, view: &ActView<'_>, motion: &mut Motion, travel: Travel) {
        let way = plane::ground(travel.goal - view.me.body.pose.position);
        motion.velocity = plane::lift(plane::direction(way) * math::min(travel.pace_m_per_s, way.length() * 4.0), 0.0);
    }

    /// Turns to where it wants to look, as fast as it can.
    fn gaze(&self, view: &ActView<'_>, motion: &mut Motion) {
        let body = &view.me.body;
        let bot_rad = self.rules.bot.turn_rad_per_s;
        let turn = if view.me.team == PLAYER { bot_rad } else { self.rules.zombie.turn_rad_per_s };
        let going = plane::ground(motion.velocity);
        motion.pitch = 0.0;
        let yaw = match view.gaze() {
            Gaze::Along(yaw) => yaw,
            Gaze::Ahead if going.length() > 0.3 => plane::yaw(going),
            Gaze::Ahead => body.pose.yaw,
            Gaze::At(point) => {
                let toward = point - body.eye();
                let level = plane::ground(toward);
                motion.pitch = math::atan2(toward.y, level.length());
                if level.length() > 0.05 { plane::yaw(level) } else { body.pose.yaw }
            }
        };
        motion.yaw = math::approach_angle(body.pose.yaw, yaw, turn * view.rate.tick_s());
    }
}

impl Mind for HordeMind {
    type Senses = ();
    type Brain = Head;
    type Motor = Motor;
    type Squad = Pack;
    type Notice = Notice;

    fn receive(&self, _view: &ThinkView<'_>, notice: Notice, head: &mut Head) {
        match notice {
            Notice::Briefing(briefing) => head.memory.briefing = briefing,
            Notice::Used { point, back_at } => {
                if let Some(slot) = head.memory.back_at.get_mut(usize::from(point)) {
                    *slot = back_at;
                }
            }
            Notice::Touched => head.memory.touched = true,
        }
    }

    fn sense(&self, view: &SenseView<'_>, (): &mut (), beliefs: &mut Beliefs, notes: &mut Notes<'_>) {
        if view.me.team == HORDE {
            self.sense_as_zombie(view, beliefs, notes);
        } else if self.is_steered {
            // What a person's ears hear, for the screen.
            beliefs.noises.extend(view.noises().filter_map(|noise| {
                let apart_m = noise.position.distance(view.me.body.pose.position);
                let loudness = 1.0 - apart_m / noise.range_m;
                (loudness > 0.0).then_some(Heard { position: noise.position, loudness, at: noise.at })
            }));
        } else {
            self.look_as_bot(view, beliefs, notes);
        }
    }

    fn think(&self, view: &ThinkView<'_>, head: &mut Head, intents: &mut Intents, notes: &mut Notes<'_>) {
        if view.team == PLAYER && self.is_steered {
            return;
        }
        let Some(file) = self.registry.mind(head.mind) else { return };
        if view.kind == TANK {
            self.write_facts(view, head);
        }
        if std::mem::take(&mut head.is_cut) {
            intents.stay();
        }
        let known = self.known(view.beliefs, view.kind);
        let Head { mind, state, board, memory, deed, .. } = head;
        let mut wish = Wish { intents: std::mem::take(intents), memory: *memory };
        wish.memory.claims = false;
        let breakpoint = notes.think(|why| {
            let board = Board { own: board, team: &self.shared, world: &self.shared };
            let mut thought = Thought::<Game>::new(thinker(view), &known, board, Sinks { out: &mut wish, why });
            file.brain.tick(state, &mut BrainScratch::default(), &mut thought);
            thought.breakpoint
        });
        *intents = wish.intents;
        *memory = wish.memory;
        if let Some(node) = breakpoint {
            let place = file.brain.outline(None).parts.iter().position(|part| part.id == node).unwrap_or(0);
            notes.event(EventKind::Breakpoint { part: u32::from(*mind) * PARTS + place as u32 });
        }
        if intents.behavior != *deed {
            *deed = intents.behavior;
            notes.event(EventKind::Decided { decision: *deed });
        }
    }

    fn coordinate(&self, view: &SquadView, pack: &mut Pack, roster: &mut Roster<'_, '_, Self>) {
        if view.squad.team == HORDE && self.has_alarms {
            self.brief(view, &mut pack.alarms, roster);
        }
        let field = Field::plain(&self.ground.mesh);
        Router { field, config: &self.requests, follow: &self.gait.follow }.route(view, roster, &mut pack.requests);
    }

    fn act(
        &self,
        view: &ActView<'_>,
        legs: &mut Motor,
        motion: &mut Motion,
        out: &mut Outcomes<'_>,
        notes: &mut Notes<'_>,
    ) {
        motion.actions = view.actions();
        if view.me.team == PLAYER && self.is_steered {
            return;
        }
        match view.travel() {
            Some((_, travel)) if travel.manner == Manner::Straight => self.straight(view, motion, travel),
            travel => {
                let (pace, arrive_m) = travel.map_or((1.6, 0.3), |(_, travel)| (travel.pace_m_per_s, travel.arrive_m));
                let errand = WalkRequest::of(view, pace, arrive_m);
                let ground = Field::plain(&self.ground.mesh).ground(view.me.agent);
                let stride = self.gait.stride(view, &ground, &mut legs.follower, &errand);
                stride.report(out, notes);
                motion.velocity = plane::lift(stride.velocity, 0.0);
            }
        }
        self.gaze(view, motion);
    }

    fn adopt(&self, _old: &Self, view: &ThinkView<'_>, intents: &Intents, head: &mut Head) {
        self.take_over(view, intents, head);
    }

    fn decision_name(&self, decision: u16) -> &'static str {
        Deed::name(decision)
    }
}

impl Walks for HordeMind {
    fn follower(legs: &mut Motor) -> Option<&mut Follower> {
        Some(&mut legs.follower)
    }
}

/// Who thinks, as a brain wants to know it.
pub(super) fn thinker(view: &ThinkView<'_>) -> Thinker {
    Thinker { agent: view.agent, tick: view.tick, rate: view.rate, streams: view.streams() }
}
