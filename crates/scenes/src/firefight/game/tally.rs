//! What the firefight measures: what soldiers did and for how long, how they stood to the player, what their ways were like.

use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir::squad::coordinator::least_angle;
use sentir::squad::soldier::{SoldierBehavior, Trigger};

use super::mind::{FirefightMind, Head};
use super::{Firefight, PLAYER_TEAM, RATE, SOLDIER_TEAM, World};
use sentir_harness::metric::Metric;
use sentir_sim::event::Totals;

const SECONDS: [&str; SoldierBehavior::ALL.len()] =
    ["idle_s", "patrol_s", "search_s", "hide_s", "push_s", "attack_s", "rush_s", "hold_s", "supply_s"];
/// A soldier slower than this is not on its way, m/s.
const MOVES_M_PER_S: f32 = 0.5;
/// How often it is looked whether somebody on its way could be seen, ticks.
const LOOK_TICKS: u64 = 6;

/// Who has stood for so long holds a place, s; one is left within so long of a hit, s, and by so much, m.
const HOLD_S: f32 = 0.5;
const LEAVE_S: f32 = 3.0;
const LEFT_M: f32 = 1.0;

/// The figures.
#[derive(Clone, Debug, PartialEq, State)]
pub(super) struct Tally {
    sides: [Totals; 2],
    /// Ticks of each doing, over all soldiers.
    doings: [u32; SoldierBehavior::ALL.len()],
    /// Ticks in which somebody shot at a point where the player would come out, most such points at once.
    suppressed: u32,
    points_max: u32,
    /// How far apart all who did so at once were at least, seen from where he is thought to be, at best, rad.
    suppressed_rad: f32,
    /// When the player was first seen by soldiers, ticks; none before.
    found: Option<Tick>,
    /// Sum of the least angles between attackers who see him, and how often it was taken.
    angles: (f64, u32),
    /// Reloads of the soldiers' side, begun where they hide.
    hidden_reloads: u32,
    /// Those who hold a place; by the soldier's number.
    stands: Vec<Stand>,
    /// Ticks for which somebody held a place to shoot from; times one was left within [`LEAVE_S`] of a hit or
    /// a near miss, and was not.
    held: u32,
    left: u32,
    stayed: u32,
    /// Way that soldiers went in a fight, m: all of it, and what the player could see of it.
    ways_m: [f64; 2],
    ticks: u32,
}

/// Somebody who holds a place to shoot from, or did when it was hit.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
struct Stand {
    /// For how many ticks.
    held: u32,
    /// Where it was hit and when, and has not left yet.
    hit: Option<(Vec3, Tick)>,
}

impl Stand {
    /// Whether it has left the place where it was hit; none while that is open.
    fn leaves(&mut self, place: Vec3, behavior: SoldierBehavior, tick: Tick) -> Option<bool> {
        let (at, when) = self.hit?;
        let has_left = at.distance(place) > LEFT_M || behavior == SoldierBehavior::Hide;
        let is_over = has_left || tick.since(when) > RATE.ticks(LEAVE_S);
        is_over.then(|| {
            self.hit = None;
            has_left
        })
    }
}

impl Tally {
    pub(super) fn new() -> Tally {
        Tally {
            sides: [Totals::default(); 2],
            doings: [0; SoldierBehavior::ALL.len()],
            suppressed: 0,
            points_max: 0,
            suppressed_rad: 0.0,
            found: None,
            angles: (0.0, 0),
            hidden_reloads: 0,
            stands: vec![Stand::default(); 8],
            held: 0,
            left: 0,
            stayed: 0,
            ways_m: [0.0; 2],
            ticks: 0,
        }
    }

    /// An event of somebody of a side.
    pub(super) fn add(&mut self, team: TeamId, kind: EventKind) {
        self.sides[usize::from(team == PLAYER_TEAM)].add(kind);
    }

    /// The player is seen.
    pub(super) fn find(&mut self, tick: Tick) {
        self.found = self.found.or(Some(tick));
    }

    /// Whether every behavior of a soldier has been seen: patrol, search, hide, push, suppression, attack.
    fn has_everything(&self) -> bool {
        let ticks = |behavior: SoldierBehavior| self.doings[behavior as usize];
        let attacks = ticks(SoldierBehavior::Attack) + ticks(SoldierBehavior::Rush);
        let all = [
            ticks(SoldierBehavior::Patrol),
            ticks(SoldierBehavior::Search),
            ticks(SoldierBehavior::Hide),
            ticks(SoldierBehavior::Push),
            attacks,
        ];
        all.into_iter().chain([self.suppressed]).all(|ticks| ticks > 0)
    }

    /// Shots, hits and kills of the player.
    pub(super) fn player_counts(&self) -> [u32; 3] {
        super::felt::COUNTS.map(|tag| self.sides[1].count(tag))
    }

    /// The sum of what the player's events of a kind carried.
    pub(super) fn player_sum(&self, tag: EventTag) -> f64 {
        self.sides[1].sum(tag)
    }

    /// How long the match has gone on, s.
    pub(super) fn seconds(&self) -> f32 {
        self.ticks as f32 * RATE.tick_s()
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
        metrics.push(Metric::new("suppressed_angle_rad", self.suppressed_rad));
        metrics.push(Metric::new("reloads_in_cover", self.hidden_reloads as f32));
        metrics.push(Metric::new("least_angle_rad", (self.angles.0 / f64::from(self.angles.1)) as f32));
        let [soldiers, player] = &self.sides;
        for (name, side, tag) in [
            ("soldier_shots", soldiers, EventTag::Fired),
            ("soldier_hits", soldiers, EventTag::Hit),
            ("soldier_deaths", soldiers, EventTag::Died),
            ("soldier_reloads", soldiers, EventTag::Reloaded),
            ("player_shots", player, EventTag::Fired),
            ("player_hits", player, EventTag::Hit),
        ] {
            metrics.push(Metric::new(name, side.count(tag) as f32));
        }
        metrics.push(Metric::new("held_s", self.held as f32 * RATE.tick_s()));
        metrics.push(Metric::new("left_under_fire", self.left as f32));
        metrics.push(Metric::new("stayed_under_fire", self.stayed as f32));
        metrics.push(Metric::new("exposed_share", (self.ways_m[1] / self.ways_m[0]) as f32));
        metrics.push(Metric::new("every_behavior", f32::from(u8::from(self.has_everything()))));
    }
}

impl Tally {
    /// Counts the reloads of soldiers who hide.
    fn count_reloads(&mut self, brains: &Loop<FirefightMind>, events: &[GameEvent]) {
        for event in events {
            let (EventKind::Reloaded, Some(agent)) = (event.kind, event.agent) else { continue };
            // The player may have the mind of a soldier; his reloads are not the soldiers'.
            let is_ours = brains.presence(agent).is_some_and(|it| it.team == SOLDIER_TEAM);
            let is_hidden = brains.brain(agent).and_then(Head::behavior) == Some(SoldierBehavior::Hide);
            self.hidden_reloads += u32::from(is_ours && is_hidden);
        }
    }
}

impl Firefight {
    /// Looks at everybody after a tick.
    pub(super) fn watch(&self, brains: &Loop<FirefightMind>, world: &mut World, events: &[GameEvent]) {
        let World { tally, fighters, bodies, .. } = world;
        tally.ticks += 1;
        let tick = brains.tick();
        let (mut attackers, mut count) = ([Vec3::ZERO; 8], 0);
        let (mut suppressors, mut fire) = ([Vec3::ZERO; 8], 0);
        let player = fighters.iter().find(|it| it.team == PLAYER_TEAM).and_then(|it| bodies.walker(it.key));
        let eye = player.map(|walker| walker.body().eye());
        for it in fighters.iter().filter(|it| it.team == SOLDIER_TEAM) {
            let (Some(head), Some(walker)) = (brains.brain(it.agent), bodies.walker(it.key)) else { continue };
            let Some(behavior) = head.behavior() else { continue };
            tally.doings[behavior as usize] += 1;
            if matches!(head.soldier.status.trigger, Trigger::Point(_)) && fire < suppressors.len() {
                suppressors[fire] = walker.pose.position;
                fire += 1;
            }
            let sees = || self.mind.soldiers.soldier.flag(&head.soldier, "target_visible") == Some(true);
            if matches!(behavior, SoldierBehavior::Attack | SoldierBehavior::Hold) && count < attackers.len() && sees()
            {
                attackers[count] = walker.pose.position;
                count += 1;
            }
            let speed = plane::ground(walker.velocity).length();
            if let Some(stand) = (it.key.0 as usize).checked_sub(1).and_then(|number| tally.stands.get_mut(number)) {
                let holds = behavior == SoldierBehavior::Attack && speed < 0.1;
                stand.held = if holds { stand.held + 1 } else { 0 };
                tally.held += u32::from(holds);
                let is_hit =
                    |event: &&GameEvent| event.agent == Some(it.agent) && matches!(event.kind, EventKind::Hurt { .. });
                // A near miss counts where crouching would not hide it.
                let is_passed = || head.soldier.gear.passed_at.is_some_and(|at| tick.since(at) <= 1);
                let is_bare = || self.mind.soldiers.soldier.flag(&head.soldier, "here_safe") == Some(false);
                let is_shot_at = || events.iter().any(|event| is_hit(&event)) || is_passed() && is_bare();
                if u64::from(stand.held) >= RATE.ticks(HOLD_S) && is_shot_at() {
                    stand.hit = stand.hit.or(Some((walker.pose.position, tick)));
                }
                match stand.leaves(walker.pose.position, behavior, tick) {
                    Some(true) => tally.left += 1,
                    Some(false) => tally.stayed += 1,
                    None => {}
                }
            }
            let is_fighting =
                matches!(behavior, SoldierBehavior::Hide | SoldierBehavior::Push | SoldierBehavior::Attack);
            if tick.0.is_multiple_of(LOOK_TICKS) && is_fighting && speed > MOVES_M_PER_S {
                let way_m = f64::from(speed * RATE.tick_s()) * LOOK_TICKS as f64;
                let tactical_map = &self.mind.soldiers.soldier.tactical_map;
                let is_seen =
                    eye.is_some_and(|eye| tactical_map.is_in_sight(eye, walker.pose.position, walker.height_m * 0.9));
                tally.ways_m[0] += way_m;
                tally.ways_m[1] += if is_seen { way_m } else { 0.0 };
            }
        }
        let squad = brains.squad(SquadId::whole(SOLDIER_TEAM));
        let target = squad.and_then(|squad| squad.team.lead()).map(|lead| lead.place);
        if let Some(angle) = target.and_then(|target| least_angle(target, &attackers[..count])) {
            tally.angles = (tally.angles.0 + f64::from(angle), tally.angles.1 + 1);
        }
        tally.suppressed += u32::from(fire > 0);
        tally.points_max = tally.points_max.max(fire as u32);
        if let Some(angle) = target.and_then(|target| least_angle(target, &suppressors[..fire])) {
            tally.suppressed_rad = math::max(tally.suppressed_rad, angle);
        }
        tally.count_reloads(brains, events);
    }
}
