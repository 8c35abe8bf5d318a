//! The mind of the scenes of the senses: somebody who watches, roams, seeks or hides by what its senses gave, and nothing
//! else. A stand-in brain of a few rules; the senses are the library's.

mod bodies;
mod brain;
mod leak;
pub(crate) mod look;
mod rooms;
mod trail;

pub(crate) use bodies::{Gear, ScoutBodies};
pub(crate) use brain::{Head, Mode, Notice};
pub(crate) use leak::Leak;

use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir::sense::{HearingConfig, MemoryConfig, Scents, SightConfig, SmellConfig, TalkConfig};
use sentir_harness::info::{KindLook, Model};
use sentir_level::Level;

use crate::sense::waypoint_path::Ways;
use rooms::Rooms;

/// Stands, and turns to what it notices or hears.
pub(crate) const WATCHER: u16 = 0;
/// Is moved by somebody else.
pub(crate) const PUPPET: u16 = 1;
/// Roams, follows foes, looks after noises.
pub(crate) const ROAMER: u16 = 2;
/// Goes through all places in turn, and follows whom it finds.
pub(crate) const SEEKER: u16 = 3;
/// Hides, and hides elsewhere when it is found.
pub(crate) const HIDER: u16 = 4;

/// Follows a trail by its nose, and has no eyes or ears for anything else.
pub(crate) const HOUND: u16 = 5;
/// The kinds, for who looks on.
pub(crate) const KINDS: &[KindLook] = &[
    KindLook::new(WATCHER, "watcher", Model::Person),
    KindLook::new(PUPPET, "puppet", Model::Person),
    KindLook::new(ROAMER, "roamer", Model::Person),
    KindLook::new(SEEKER, "seeker", Model::Person),
    KindLook::new(HIDER, "hider", Model::Person),
    KindLook::new(HOUND, "hound", Model::Dog),
];

/// How light it is in an area of kind `dark`.
pub(crate) const DARK: f32 = 0.15;

const SIDESTEP: Purpose = Purpose::new("scout.sidestep");

/// Tuning and public knowledge: the walls, the points, where one can hide.
#[derive(Clone, Debug)]
pub(crate) struct Scout {
    pub(crate) level: Level,
    pub(crate) ways: Ways,
    pub(crate) hides: Vec<Vec2>,
    pub(crate) senses: SenseConfig,
    /// The trails, lent by the world while minds are at work.
    pub(crate) scents: Scents,
    /// Paces, m/s.
    pub(crate) walk: f32,
    pub(crate) run: f32,
    /// What it knows that it should not.
    pub(crate) leak: Leak,
    /// Until when seekers count and hiders may take their places.
    pub(crate) counts_until: Tick,
}

/// What movement remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub(crate) struct Motor {
    arrived: Ticket,
    held: u16,
    aside_until: Tick,
    aside_yaw: f32,
    /// How many are near; 0 unless that is the leak.
    near: u32,
}

impl Scout {
    /// Everybody of a level.
    pub(crate) fn of(level: Level) -> Scout {
        let ways = Ways::of(&level);
        let hides = level.annotations().iter().filter(|note| note.kind == "hide");
        let hides = hides.map(|note| plane::ground(note.position)).collect();
        Scout {
            ways,
            hides,
            level,
            senses: SenseConfig {
                sight: SightConfig { range_m: 22.0, far_s: 0.9, ..SightConfig::default() },
                hearing: HearingConfig { wall_m: 9.0, ..HearingConfig::default() },
                talk: TalkConfig { range_m: 25.0, delay_s: 0.3, trust: 0.8 },
                memory: MemoryConfig { half_life_s: 5.0, ..MemoryConfig::default() },
                ..SenseConfig::default()
            },
            scents: Scents::default(),
            walk: 1.5,
            run: 3.6,
            leak: Leak::None,
            counts_until: Tick(0),
        }
    }

    /// Where one of a kind has to look, at most 64 places: the points, and for who seeks also where one could hide.
    pub(crate) fn stations(&self, kind: u16) -> impl Iterator<Item = Vec2> + '_ {
        let hides = if kind == SEEKER { self.hides.as_slice() } else { &[] };
        self.ways.points.iter().chain(hides).copied().take(64)
    }

    /// What a hound has: a nose, and hands to touch with.
    pub(crate) fn nose(&self) -> SenseConfig {
        SenseConfig {
            smell: SmellConfig { range_m: trail::NOSE_M, fade_s: trail::FADE_S },
            sight: SightConfig { range_m: 0.0, ..self.senses.sight },
            hearing: HearingConfig { keenness: 0.0, ..self.senses.hearing },
            ..self.senses
        }
    }
}

impl Mind for Scout {
    type Senses = Senses;
    type Brain = Head;
    type Motor = Motor;
    type Squad = ();
    type Notice = Notice;

    fn receive(&self, _view: &ThinkView<'_>, Notice::Lead(place): Notice, head: &mut Head) {
        head.lead = Some(place);
    }

    fn sense(&self, view: &SenseView<'_>, senses: &mut Senses, beliefs: &mut Beliefs, notes: &mut Notes<'_>) {
        if view.me.kind == PUPPET {
            return;
        }
        let rooms = Rooms { scout: self, geometry: view.world.geometry };
        let config = if view.me.kind == HOUND { self.nose() } else { self.leak.tuned(&self.senses) };
        view.perceive(&config, &rooms, senses, beliefs, notes);
        self.leak.leaks(self, view, beliefs);
    }

    fn think(&self, view: &ThinkView<'_>, head: &mut Head, intents: &mut Intents, notes: &mut Notes<'_>) {
        let before = head.mode;
        let was_new = !head.has_begun();
        match view.kind {
            WATCHER => brain::watch(view, head, intents),
            ROAMER | SEEKER => brain::hunt(self, view, head, intents, notes),
            HOUND => trail::follow(self, view, head, intents),
            HIDER => brain::hide(self, view, head, intents, notes),
            _ => intents.stay(),
        }
        if head.mode != before || was_new {
            head.begin(view.tick);
            notes.event(EventKind::Decided { decision: head.mode as u16 });
        }
    }

    fn coordinate(&self, _view: &SquadView, (): &mut (), roster: &mut Roster<'_, '_, Self>) {
        self.leak.writes(roster);
    }

    fn act(
        &self,
        view: &ActView<'_>,
        legs: &mut Motor,
        motion: &mut Motion,
        out: &mut Outcomes<'_>,
        _notes: &mut Notes<'_>,
    ) {
        let body = &view.me.body;
        legs.near = self.leak.counts(view);
        motion.velocity = Vec3::ZERO;
        motion.stance = view.intents().stance;
        let mut way = Vec2::ZERO;
        if let Some((ticket, travel)) = view.travel() {
            way = plane::ground(travel.goal - body.pose.position);
            let distance = way.length();
            if distance <= travel.arrive_m && legs.arrived != ticket {
                legs.arrived = ticket;
                out.report(Outcome::Arrived { ticket });
            }
            let speed = math::min(travel.pace_m_per_s, distance * 4.0);
            let is_held = speed > 0.6 && body.velocity.length() < speed * 0.3;
            legs.held = if is_held { legs.held.saturating_add(1) } else { 0 };
            if legs.held > 20 {
                let mut rng = view.random(SIDESTEP);
                let turn = rng.between(0.9, 1.9) * if rng.chance(0.5) { 1.0 } else { -1.0 };
                legs.held = 0;
                legs.aside_yaw = plane::yaw(way) + turn;
                legs.aside_until = view.tick + view.rate.ticks(0.5);
            }
            let is_aside = view.tick < legs.aside_until;
            let heading = if is_aside { plane::heading(legs.aside_yaw) } else { plane::direction(way) };
            motion.velocity = plane::lift(heading * speed, 0.0);
        }
        match view.gaze() {
            Gaze::Along(yaw) => motion.yaw = yaw,
            Gaze::Ahead if way.length() > 0.2 => motion.yaw = plane::yaw(way),
            Gaze::Ahead => {}
            Gaze::At(place) => {
                let toward = plane::ground(place - body.pose.position);
                if toward.length() > 0.2 {
                    motion.yaw = plane::yaw(toward);
                }
            }
        }
    }

    fn decision_name(&self, decision: u16) -> &'static str {
        Mode::ALL.get(usize::from(decision)).map_or("", |mode| mode.name())
    }
}
