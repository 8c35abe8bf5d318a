//! What the firefight measures: what soldiers did and for how long, and what was stupid.
//!
//! Stupid is what a player would laugh at. Each kind is counted once an episode: walking against something for 0.5 s, stuck
//! for 2 s, ignoring who hit one for 1 s, a friend killed, a reload in plain sight with cover within 3 m, crossing a
//! friend's line of fire, two still at one place for 1 s, more than three changes between two decisions in 2 s.

use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir::squad::desk::least_angle;
use sentir::squad::soldier::{Doing, Trigger};

use super::mind::FirefightMind;
use super::{Field, Firefight, PLAYER, RATE, SOLDIERS};
use crate::event::{Totals, code};
use crate::scene::Metric;

/// Kinds of stupidity.
const KINDS: usize = 8;
const WALL: usize = 0;
const STUCK: usize = 1;
const IGNORED: usize = 2;
const KILLED: usize = 3;
const RELOADED: usize = 4;
const CROSSED: usize = 5;
const CROWDED: usize = 6;
const WAVERED: usize = 7;
const NAMES: [&str; KINDS] = [
    "stupid_walked_into_a_wall",
    "stupid_stuck",
    "stupid_ignored_a_shooter",
    "stupid_killed_a_friend",
    "stupid_reloaded_in_sight",
    "stupid_crossed_a_line_of_fire",
    "stupid_two_at_one_point",
    "stupid_wavered",
];
const SECONDS: [&str; 8] = ["idle_s", "patrol_s", "search_s", "hide_s", "push_s", "attack_s", "rush_s", "hold_s"];
/// A friend's shot nearer than this to the skin crossed one's way, m.
const CROSS_M: f32 = 0.3;
/// Nearer than this, from middle to middle, two are at one place, m.
const CROWD_M: f32 = 0.75;
/// Decisions kept for each soldier.
const DECISIONS: usize = 5;

/// The figures.
#[derive(Clone, Debug, PartialEq, State)]
pub(super) struct Tally {
    sides: [Totals; 2],
    /// Ticks of each doing, over all soldiers.
    doings: [u32; 8],
    stupid: [u32; KINDS],
    watches: Vec<Watch>,
    /// Ticks in which somebody shot at a point where the player would come out, most such points at once.
    suppressed: u32,
    points_max: u32,
    /// When the player was first seen by soldiers, ticks; none before.
    found: Option<Tick>,
    /// Sum of the least angles between attackers who see him, and how often it was taken.
    angles: (f64, u32),
    hidden_reloads: u32,
    ticks: u32,
}

/// What is kept of one soldier.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
struct Watch {
    agent: Option<AgentId>,
    /// For how many ticks it goes against something.
    held: u32,
    /// Where it was when it last had got on, and since when it wants to and does not.
    place: Vec3,
    stalled: u32,
    /// Who hit it from where and when, and has not been minded yet.
    hit: Option<(Vec3, Tick)>,
    crossed: Option<Tick>,
    crowded: u32,
    /// The last decisions and when, newest first.
    decisions: [(u16, Tick); DECISIONS],
}

impl Tally {
    pub(super) fn new(soldiers: u32) -> Tally {
        Tally {
            sides: [Totals::default(); 2],
            doings: [0; 8],
            stupid: [0; KINDS],
            watches: vec![Watch::default(); soldiers as usize],
            suppressed: 0,
            points_max: 0,
            found: None,
            angles: (0.0, 0),
            hidden_reloads: 0,
            ticks: 0,
        }
    }

    /// An event of somebody of a side.
    pub(super) fn add(&mut self, team: TeamId, event: &GameEvent) {
        self.sides[usize::from(team == PLAYER)].add(event);
        if let EventKind::Custom { code: code::FRIEND_KILL, .. } = event.kind
            && team == SOLDIERS
        {
            self.stupid[KILLED] += 1;
        }
    }

    fn watch_of(&mut self, agent: AgentId) -> Option<&mut Watch> {
        self.watches.iter_mut().find(|watch| watch.agent == Some(agent))
    }

    /// The player is seen.
    pub(super) fn find(&mut self, tick: Tick) {
        self.found = self.found.or(Some(tick));
    }

    /// Somebody was hit from a place.
    pub(super) fn was_hit(&mut self, who: AgentId, from: Vec3, tick: Tick) {
        if let Some(watch) = self.watch_of(who) {
            watch.hit = watch.hit.or(Some((from, tick)));
        }
    }

    /// A shot of its own side passed somebody.
    pub(super) fn crossed(&mut self, team: TeamId, who: AgentId, tick: Tick, apart_m: f32) {
        if team != SOLDIERS || apart_m > CROSS_M {
            return;
        }
        let Some(watch) = self.watch_of(who) else { return };
        let is_new = watch.crossed.is_none_or(|at| tick.since(at) > RATE.ticks(1.0));
        watch.crossed = Some(tick);
        self.stupid[CROSSED] += u32::from(is_new);
    }

    pub(super) fn reloaded_in_sight(&mut self, who: AgentId) {
        if self.watch_of(who).is_some() {
            self.stupid[RELOADED] += 1;
        }
    }

    /// As a scene reports them.
    pub(super) fn report(&self, metrics: &mut Vec<Metric>) {
        metrics.push(Metric::new("match_s", self.ticks as f32 * RATE.tick_s()));
        metrics.push(Metric::new("found_s", self.found.map_or(f32::NAN, |at| RATE.seconds(at.0))));
        for (name, ticks) in SECONDS.into_iter().zip(self.doings) {
            metrics.push(Metric::new(name, ticks as f32 * RATE.tick_s()));
        }
        metrics.push(Metric::new("suppress_s", self.suppressed as f32 * RATE.tick_s()));
        metrics.push(Metric::new("suppressed_points_max", self.points_max as f32));
        metrics.push(Metric::new("reloads_in_cover", self.hidden_reloads as f32));
        metrics.push(Metric::new("least_angle_rad", (self.angles.0 / f64::from(self.angles.1)) as f32));
        let [soldiers, player] = &self.sides;
        for (name, side, code) in [
            ("soldier_shots", soldiers, code::SHOT),
            ("soldier_hits", soldiers, code::HIT),
            ("soldier_deaths", soldiers, code::DEATH),
            ("soldier_reloads", soldiers, code::RELOAD),
            ("player_shots", player, code::SHOT),
            ("player_hits", player, code::HIT),
        ] {
            metrics.push(Metric::new(name, side.count(code) as f32));
        }
        for (name, count) in NAMES.into_iter().zip(self.stupid) {
            metrics.push(Metric::new(name, count as f32));
        }
        metrics.push(Metric::new("stupid", self.stupid.iter().sum::<u32>() as f32));
    }
}

impl Firefight {
    /// Looks at everybody after a tick.
    pub(super) fn watch(&self, brains: &Loop<FirefightMind>, world: &mut Field, events: &[GameEvent]) {
        let Field { tally, fighters, cast, desks, .. } = world;
        tally.ticks += 1;
        let tick = brains.tick();
        let mut points = 0;
        let mut attackers = [Vec3::ZERO; 8];
        let mut count = 0;
        for it in fighters.iter().filter(|it| it.team == SOLDIERS) {
            let number = it.key.0 as usize - 1;
            let (Some(head), Some(walker)) = (brains.brain(it.agent), cast.walker(it.key)) else { continue };
            let Some(doing) = head.doing() else { continue };
            tally.doings[doing as usize] += 1;
            points += u32::from(matches!(head.soldier.hand.trigger, Trigger::Point(_)));
            let sees = self.mind.soldiers.soldier.flag(&head.soldier, "target_visible") == Some(true);
            if matches!(doing, Doing::Attack | Doing::Hold) && sees && count < attackers.len() {
                attackers[count] = walker.pose.position;
                count += 1;
            }
            let wants = brains.motion(it.agent).map_or(Vec3::ZERO, |motion| motion.velocity);
            let others = fighters.iter().filter(|other| other.key != it.key && other.team == SOLDIERS);
            let others = others.filter_map(|other| cast.walker(other.key));
            let near = |other: &&crate::body::Walker| {
                other.pose.position.distance(walker.pose.position) < CROWD_M && other.velocity.length() < 0.1
            };
            let is_crowded = walker.velocity.length() < 0.1 && others.clone().any(|other| near(&other));
            let Some(watch) = tally.watches.get_mut(number) else { continue };
            watch.agent = Some(it.agent);
            let found = watch.look(walker, wants, doing, is_crowded, tick);
            for (kind, is_found) in found.into_iter().enumerate() {
                tally.stupid[kind] += u32::from(is_found);
            }
        }
        let target = desks.first().and_then(|desk| desk.team.lead()).map(|lead| lead.place);
        if let Some(angle) = target.and_then(|target| least_angle(target, &attackers[..count])) {
            tally.angles = (tally.angles.0 + f64::from(angle), tally.angles.1 + 1);
        }
        tally.suppressed += u32::from(points > 0);
        tally.points_max = tally.points_max.max(points);
        for event in events {
            match event.kind {
                EventKind::Decided { decision } => {
                    let wavers = tally.watch_of(event.agent).is_some_and(|watch| watch.decide(decision, event.tick));
                    tally.stupid[WAVERED] += u32::from(wavers);
                }
                EventKind::Custom { code: code::RELOAD, .. } => {
                    let head = brains.brain(event.agent).filter(|head| head.is_soldier);
                    let is_hidden = head.is_some_and(|head| head.soldier.hand.doing == Doing::Hide);
                    tally.hidden_reloads += u32::from(is_hidden);
                }
                _ => {}
            }
        }
    }
}

impl Watch {
    /// Which kinds of stupidity begin to count in this tick.
    fn look(
        &mut self,
        walker: &crate::body::Walker,
        wants: Vec3,
        doing: Doing,
        is_crowded: bool,
        tick: Tick,
    ) -> [bool; KINDS] {
        let mut found = [false; KINDS];
        let (wanted, real) = (plane::ground(wants).length(), plane::ground(walker.velocity).length());
        self.held = if wanted > 1.0 && real < 0.15 * wanted { self.held + 1 } else { 0 };
        found[WALL] = u64::from(self.held) == RATE.ticks(0.5);
        if wanted < 0.5 || walker.pose.position.distance(self.place) > 0.4 {
            (self.place, self.stalled) = (walker.pose.position, 0);
        } else {
            self.stalled += 1;
        }
        found[STUCK] = u64::from(self.stalled) == RATE.ticks(2.0);
        self.crowded = if is_crowded { self.crowded + 1 } else { 0 };
        found[CROWDED] = u64::from(self.crowded) == RATE.ticks(1.0);
        if let Some((from, at)) = self.hit {
            let yaw = plane::yaw(plane::ground(from - walker.pose.position));
            let faces = math::angle_between(walker.pose.yaw, yaw).abs() < 1.05;
            if faces || real > 1.0 || doing == Doing::Hide {
                self.hit = None;
            } else if tick.since(at) > RATE.ticks(1.0) {
                (self.hit, found[IGNORED]) = (None, true);
            }
        }
        found
    }

    /// Notes a decision; whether it goes to and fro.
    fn decide(&mut self, decision: u16, tick: Tick) -> bool {
        self.decisions.copy_within(0..DECISIONS - 1, 1);
        self.decisions[0] = (decision, tick);
        let [a, b, c, d, e] = self.decisions;
        let swings = a.0 == c.0 && c.0 == e.0 && b.0 == d.0 && a.0 != b.0;
        let wavers = swings && tick.since(e.1) <= RATE.ticks(2.0);
        if wavers {
            self.decisions = [(u16::MAX, Tick(0)); DECISIONS];
        }
        wavers
    }
}
