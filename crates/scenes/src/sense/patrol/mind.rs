//! The minds of `patrol`: a guard that walks its round, follows and gives up; an intruder that sneaks in and runs.
//!
//! Stand-ins for real paths and brains, kept small. What the guard knows beside its beliefs is public: the walls
//! and its round.

use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir::sense::{HearingConfig, MemoryConfig, SightConfig, TalkConfig};

use super::layout::Layout;

/// Kind of a guard.
pub const GUARD: u16 = 0;
/// Kind of an intruder.
pub const INTRUDER: u16 = 1;
/// The guards' team.
pub const GUARDS: TeamId = TeamId(0);
/// The intruder's team.
pub const INTRUDERS: TeamId = TeamId(1);

/// Event: a guard gave up its search; the value is how long the intruder had been out of sight, s.
pub const GAVE_UP: u16 = 0;
/// The word a guard shouts on noticing an intruder.
const WORD_INTRUDER: u16 = 0;
const WAIT: Purpose = Purpose::new("patrol.wait");

/// Places kept of the way back.
const TRAIL_MAX: usize = 32;
/// Distance between two of them, m.
const TRAIL_STEP_M: f32 = 2.0;
/// Paces, m/s.
const WALK: f32 = 1.4;
const SNEAK: f32 = 1.8;
/// How near is there, m.
const ARRIVE_M: f32 = 0.3;

/// Tuning of both minds.
#[derive(Clone, Debug)]
pub struct PatrolMind {
    /// Public knowledge: the walls and the round.
    pub layout: Layout,
    /// How far one sees, m.
    pub sight_m: f32,
    /// How far to either side a guard sees, rad.
    pub half_angle: f32,
    /// The same for the intruder, who is wary, rad.
    pub wary_half_angle: f32,
    /// How long somebody must be in view to be noticed, s.
    pub notice_s: f32,
    /// How long a guard follows somebody it no longer sees, s.
    pub give_up_s: f32,
    /// How fast a guard runs, m/s.
    pub run_m_per_s: f32,
    /// How fast the intruder runs, m/s.
    pub flee_m_per_s: f32,
    /// How near a guard must be for the intruder to run, m.
    pub scare_m: f32,
}

/// What somebody does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State)]
pub enum Mode {
    /// On the way to a waypoint.
    #[default]
    Patrol,
    /// At a waypoint, for a while.
    Wait,
    /// After somebody in sight.
    Follow,
    /// To the last known place, looking around there.
    Search,
    /// On the way back to the round.
    Return,
    /// Into the yard.
    Sneak,
    /// At the end of the way in, looking around.
    Linger,
    /// Out of the yard again, unhurried.
    Leave,
    /// Out of the yard, fast.
    Flee,
}

impl Mode {
    const ALL: [Mode; 9] = [
        Mode::Patrol,
        Mode::Wait,
        Mode::Follow,
        Mode::Search,
        Mode::Return,
        Mode::Sneak,
        Mode::Linger,
        Mode::Leave,
        Mode::Flee,
    ];

    /// As an event tells it.
    pub fn name(self) -> &'static str {
        ["patrol", "wait", "follow", "search", "return", "sneak", "linger", "leave", "flee"][self as usize]
    }

    /// Whether it is on its way out.
    pub fn is_leaving(self) -> bool {
        matches!(self, Mode::Leave | Mode::Flee)
    }
}

/// What a guard or intruder remembers.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub struct Brain {
    /// What it does.
    pub mode: Mode,
    /// Since when.
    pub since: Tick,
    /// Waypoint or point of the route it is on the way to.
    pub stop: u16,
    /// Until when it waits.
    until: Tick,
    /// Whether it left its round and has not reached a waypoint again.
    pub is_off_round: bool,
    /// The one it is after.
    pub quarry: Option<AgentId>,
    /// Places it came by since it left its round, oldest first.
    trail: Vec<Vec2>,
    /// Whether it has begun.
    has_begun: bool,
    /// Which route it takes.
    pub route: u16,
    /// Whether an input and not the brain moves the body.
    pub is_steered: bool,
}

impl Brain {
    /// A guard on the way to a waypoint of its round.
    pub fn guarding(stop: u16) -> Brain {
        Brain { stop, ..Brain::default() }
    }

    /// An intruder on a route.
    pub fn intruding(route: u16, is_steered: bool) -> Brain {
        Brain { route, is_steered, ..Brain::default() }
    }
}

/// What movement remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub struct Motor {
    /// The last wish that was reported as reached.
    arrived: Ticket,
}

impl Mind for PatrolMind {
    type Senses = Senses;
    type Brain = Brain;
    type Motor = Motor;
    type Squad = ();
    type Notice = ();

    fn sense(&self, view: &SenseView<'_>, senses: &mut Senses, beliefs: &mut Beliefs, notes: &mut Notes<'_>) {
        view.perceive(&self.sense_config(view.me.kind), &(), senses, beliefs, notes);
    }

    fn think(&self, view: &ThinkView<'_>, brain: &mut Brain, intents: &mut Intents, notes: &mut Notes<'_>) {
        let before = brain.mode;
        if view.kind == INTRUDER {
            self.sneak(view, brain, intents, notes);
        } else {
            self.guard(view, brain, intents, notes);
        }
        if brain.mode != before || !brain.has_begun {
            brain.has_begun = true;
            brain.since = view.tick;
            notes.event(EventKind::Decided { decision: brain.mode as u16 });
        }
    }

    fn act(
        &self,
        view: &ActView<'_>,
        motor: &mut Motor,
        motion: &mut Motion,
        out: &mut Outcomes<'_>,
        notes: &mut Notes<'_>,
    ) {
        let body = &view.me.body;
        motion.velocity = Vec3::ZERO;
        let Some((ticket, travel)) = view.travel() else {
            look(view.gaze(), Vec2::ZERO, body, motion);
            return;
        };
        let way = plane::ground(travel.goal - body.pose.position);
        let distance = way.length();
        if distance <= travel.arrive_m && motor.arrived != ticket {
            motor.arrived = ticket;
            out.report(Outcome::Arrived { ticket });
            notes.event(EventKind::Arrived { ticket });
        }
        // Slows down so that it stops at the goal, and while it still faces elsewhere.
        let heading = plane::direction(way);
        let speed = math::min(travel.pace_m_per_s, distance * 3.0);
        let facing = plane::heading(body.pose.yaw).dot(heading);
        let speed = speed * math::clamp(facing, 0.15, 1.0);
        motion.velocity = plane::lift(heading * speed, 0.0);
        look(view.gaze(), way, body, motion);
    }

    fn decision_name(&self, decision: u16) -> &'static str {
        Mode::ALL.get(usize::from(decision)).map_or("", |mode| mode.name())
    }
}

/// Turns the gaze into a yaw.
fn look(gaze: Gaze, way: Vec2, body: &Body, motion: &mut Motion) {
    let toward = match gaze {
        Gaze::Along(yaw) => {
            motion.yaw = yaw;
            return;
        }
        Gaze::Ahead => way,
        Gaze::At(place) => plane::ground(place - body.pose.position),
    };
    // Too near to have a direction: keep the old one rather than spin.
    if toward.length() > 0.2 {
        motion.yaw = plane::yaw(toward);
    }
}

impl PatrolMind {
    /// The senses of a kind: eyes that notice after a while, hands, and a memory that lasts for the match.
    fn sense_config(&self, kind: u16) -> SenseConfig {
        let half_rad = self.half_angle_of(kind);
        let sight = SightConfig {
            range_m: self.sight_m,
            focus_half_rad: half_rad,
            half_rad,
            periphery_share: 1.0,
            touch_m: 0.9,
            near_s: self.notice_s,
            far_s: self.notice_s,
            still_factor: 1.0,
            periphery_factor: 1.0,
            fade_s: 1.0,
            ..SightConfig::default()
        };
        let hearing = HearingConfig { keenness: 0.0, ..HearingConfig::default() };
        let talk = TalkConfig { range_m: 0.0, ..TalkConfig::default() };
        let memory = MemoryConfig { forget_below: 0.0, ..MemoryConfig::default() };
        SenseConfig { sight, hearing, talk, memory, ..SenseConfig::default() }
    }

    /// How far to either side a kind sees, rad.
    pub fn half_angle_of(&self, kind: u16) -> f32 {
        if kind == INTRUDER { self.wary_half_angle } else { self.half_angle }
    }

    fn guard(&self, view: &ThinkView<'_>, brain: &mut Brain, intents: &mut Intents, notes: &mut Notes<'_>) {
        let me = plane::ground(view.beliefs.me.pose.position);
        if let Some(foe) = view.beliefs.others().iter().find(|other| other.is_visible) {
            if brain.mode != Mode::Follow {
                intents.say(Say {
                    word: WORD_INTRUDER,
                    place: Some(foe.position),
                    who: Some(foe.who),
                    team: Some(foe.team),
                });
            }
            brain.mode = Mode::Follow;
            brain.is_off_round = true;
            brain.quarry = Some(foe.who);
            self.leave_trail(brain, me);
            self.go(intents, plane::ground(foe.position), self.run_m_per_s, 0.5);
            intents.gaze = Gaze::At(foe.position);
            return;
        }
        let has_arrived = view.beliefs.outcomes().iter().any(|one| matches!(one, Outcome::Arrived { .. }));
        match brain.mode {
            Mode::Follow | Mode::Search => self.search(view, brain, intents, notes, has_arrived),
            Mode::Wait if view.tick < brain.until => {
                intents.stay();
                intents.gaze = Gaze::Ahead;
            }
            Mode::Wait => {
                brain.stop = (brain.stop + 1) % self.layout.waypoints.len() as u16;
                self.walk_on(brain, intents);
            }
            Mode::Return if has_arrived => self.go_back(brain, intents, me),
            Mode::Return => {}
            _ if has_arrived => {
                brain.mode = Mode::Wait;
                brain.is_off_round = false;
                let wait_s = view.random(WAIT).about(1.0, 0.5);
                brain.until = view.tick + view.rate.ticks(wait_s);
                intents.stay();
            }
            _ => self.walk_on(brain, intents),
        }
    }

    /// Goes to where the quarry was last, looks around, and gives up after a while.
    fn search(
        &self,
        view: &ThinkView<'_>,
        brain: &mut Brain,
        intents: &mut Intents,
        notes: &mut Notes<'_>,
        has_arrived: bool,
    ) {
        let me = plane::ground(view.beliefs.me.pose.position);
        let last = brain.quarry.and_then(|quarry| view.beliefs.other(quarry));
        let lost_s = last.map_or(f32::INFINITY, |other| view.rate.seconds(view.tick.since(other.at)));
        let gives_up = lost_s > self.give_up_s;
        notes.because(|| Reason { what: "lost for too long", held: gives_up, value: lost_s, limit: self.give_up_s });
        if gives_up {
            notes.event(EventKind::Custom { code: GAVE_UP, value: lost_s });
            brain.quarry = None;
            self.go_back(brain, intents, me);
            return;
        }
        let entered = brain.mode != Mode::Search;
        brain.mode = Mode::Search;
        self.leave_trail(brain, me);
        if let Some(other) = last {
            if entered {
                self.go(intents, plane::ground(other.position), self.run_m_per_s, ARRIVE_M);
                intents.gaze = Gaze::Ahead;
            } else if has_arrived || intents.travel().is_none() {
                // There, and nobody in sight: look to where the intruder ran, then around.
                intents.stay();
                let ran = plane::yaw(plane::ground(other.velocity));
                let swing = math::sin(view.rate.seconds(view.tick.since(brain.since)) * 2.0) * 1.2;
                intents.gaze = Gaze::Along(math::wrap_angle(ran + swing));
            }
        }
    }

    /// Back to the round: straight to the nearest waypoint if the way is free, else back along the trail.
    fn go_back(&self, brain: &mut Brain, intents: &mut Intents, me: Vec2) {
        let is_free = |to: Vec2| self.layout.is_passable(me, to);
        let reach = |&at: &Vec2| if is_free(at) { at.distance_squared(me) } else { f32::NAN };
        if let Some(stop) = sentir::core::order::least(self.layout.waypoints.iter().map(reach)) {
            brain.stop = stop as u16;
            brain.trail.clear();
            self.walk_on(brain, intents);
            return;
        }
        brain.mode = Mode::Return;
        // The oldest place it can reach, or else the newest: it came from there.
        let place = brain.trail.iter().position(|&at| is_free(at)).unwrap_or(brain.trail.len().saturating_sub(1));
        let back = brain.trail.get(place).copied().unwrap_or(self.layout.waypoints[0]);
        brain.trail.truncate(place);
        self.go(intents, back, WALK, ARRIVE_M);
        intents.gaze = Gaze::Ahead;
    }

    fn walk_on(&self, brain: &mut Brain, intents: &mut Intents) {
        brain.mode = Mode::Patrol;
        let stop = usize::from(brain.stop) % self.layout.waypoints.len();
        self.go(intents, self.layout.waypoints[stop], WALK, ARRIVE_M);
        intents.gaze = Gaze::Ahead;
    }

    fn leave_trail(&self, brain: &mut Brain, me: Vec2) {
        let is_new = brain.trail.last().is_none_or(|last| last.distance(me) > TRAIL_STEP_M);
        if is_new && brain.trail.len() < TRAIL_MAX {
            brain.trail.push(me);
        }
    }

    fn sneak(&self, view: &ThinkView<'_>, brain: &mut Brain, intents: &mut Intents, notes: &mut Notes<'_>) {
        if !brain.has_begun {
            brain.mode = Mode::Sneak;
            brain.stop = 1;
        }
        if brain.is_steered {
            intents.stay();
            return;
        }
        let route = &self.layout.routes[usize::from(brain.route) % self.layout.routes.len()];
        let me = view.beliefs.me.pose.position;
        let near = |other: &&Other| other.is_visible && other.position.distance(me) < self.scare_m;
        let has_arrived = view.beliefs.outcomes().iter().any(|one| matches!(one, Outcome::Arrived { .. }));
        if let Some(guard) = view.beliefs.others().iter().find(near)
            && brain.mode != Mode::Flee
        {
            let distance = guard.position.distance(me);
            notes.because(|| Reason { what: "a guard is too near", held: true, value: distance, limit: self.scare_m });
            // On the way in it turns back to where it came from; on the way out that is where it goes already.
            if brain.mode == Mode::Sneak {
                brain.stop = brain.stop.saturating_sub(1);
            }
            brain.mode = Mode::Flee;
        } else if brain.mode == Mode::Linger && view.tick >= brain.until {
            brain.mode = Mode::Leave;
        } else if has_arrived {
            match brain.mode {
                Mode::Sneak if usize::from(brain.stop) + 1 < route.len() => brain.stop += 1,
                Mode::Sneak => {
                    brain.mode = Mode::Linger;
                    let linger_s = view.random(WAIT).between(6.0, 14.0);
                    brain.until = view.tick + view.rate.ticks(linger_s);
                }
                _ => brain.stop = brain.stop.saturating_sub(1),
            }
        }
        intents.gaze = Gaze::Ahead;
        if brain.mode == Mode::Linger {
            intents.stay();
            // A slow look from side to side.
            let swing = math::sin(view.rate.seconds(view.tick.0) * 0.8) * 1.5;
            let along = plane::yaw(route[route.len() - 1] - route[route.len() - 2]);
            intents.gaze = Gaze::Along(math::wrap_angle(along + swing));
            return;
        }
        let pace = if brain.mode == Mode::Flee { self.flee_m_per_s } else { SNEAK };
        self.go(intents, route[usize::from(brain.stop).min(route.len() - 1)], pace, 0.6);
    }

    fn go(&self, intents: &mut Intents, to: Vec2, pace_m_per_s: f32, arrive_m: f32) {
        intents.go(Travel { goal: plane::lift(to, 0.0), manner: Manner::Straight, pace_m_per_s, arrive_m });
    }
}
