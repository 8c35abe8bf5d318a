//! The drill ground in play: who is there, who is selected, how they form and move.

use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_act::Moving;
use sentir_act::formation::trail::is_clear;
use sentir_act::formation::{Formation, Ground, Ordered, Pattern, Recruit, Rule, SlotPose, UnitType, Way, order};

use super::layout::Layout;
use super::mind::{Drill, HURRY_M_PER_S, MARCH_M_PER_S, Notice};
use super::script::{Script, Tally};
use crate::body::Walker;
use crate::cast::{Cast, CastScratch};
use crate::input::Input;

/// Radius that slots and ways allow for, m: a body and a hand's breadth.
pub const RADIUS_M: f32 = 0.33;
const ORDER: Purpose = Purpose::new("formation.order");
/// From this turn on, a formation ordered elsewhere faces about rather than wind round its leader, rad.
const WHEEL_RAD: f32 = 1.9;

/// What is remembered beside the brains.
#[derive(State)]
pub struct Field {
    /// The bodies.
    pub cast: Cast,
    /// The formation; nobody's if there is none.
    pub formation: Formation,
    /// Who is selected, in order.
    pub selected: Vec<AgentId>,
    /// The controls that hold.
    pub input: Input,
    /// Where a drag began.
    pub drag: Option<Vec2>,
    /// Whether a person plays.
    pub is_played: bool,
    /// Key of the next one who comes.
    pub next_key: u64,
    /// Mean and greatest slot error now, m.
    pub error_m: [f32; 2],
    /// Where the script stands.
    pub script: Script,
    /// What is measured.
    pub tally: Tally,
    /// Whether and how it ended.
    pub ending: Ending,
}

/// How a drill ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State)]
pub enum Ending {
    /// It goes on.
    #[default]
    None,
    /// The script is through.
    Formed,
    /// Out of time.
    TimeUp,
}

/// What a step needs and need not remember.
#[derive(Debug, Default)]
pub struct FieldCache {
    /// The bodies'.
    pub cast: CastScratch,
    ahead: Vec<Vec2>,
    poses: Vec<SlotPose>,
}

/// What somebody is, from the kind of its agent.
pub fn kind_of(kind: u16) -> UnitType {
    UnitType::ALL[usize::from(kind) % UnitType::ALL.len()]
}

/// Where an agent is, m.
pub fn place_of(brains: &Loop<Drill>, agent: AgentId) -> Option<Vec2> {
    brains.presence(agent).map(|it| plane::ground(it.body.pose.position))
}

/// Somebody as a formation wants to know it.
pub fn recruit(brains: &Loop<Drill>, agent: AgentId) -> Option<Recruit> {
    let it = brains.presence(agent)?;
    Some(Recruit { agent, kind: kind_of(it.kind), position: plane::ground(it.body.pose.position) })
}

/// The formation's ground.
pub fn ground(layout: &Layout) -> Ground<'_> {
    Ground { walls: &layout.walls, radius_m: RADIUS_M, speed_m_per_s: MARCH_M_PER_S }
}

impl Field {
    /// Brings a soldier in.
    pub fn enlist(&mut self, brains: &mut Loop<Drill>, kind: u16, place: Vec2, yaw: f32) -> Option<AgentId> {
        let key = HostKey(self.next_key);
        let pose = Pose { position: plane::lift(place, 0.02), yaw };
        let body = Walker::at(pose).body();
        let agent = brains.spawn(AgentSpec { kind, body, ..AgentSpec::new(key) }).ok()?;
        self.cast.add(key, 0, pose);
        self.next_key += 1;
        Some(agent)
    }

    /// Takes a soldier out; the formation closes up.
    pub fn bury(&mut self, brains: &mut Loop<Drill>, agent: AgentId, scratch: &mut Scratch) {
        let Some(key) = brains.presence(agent).map(|it| it.key) else { return };
        let has_led = self.formation.leader() == Some(agent);
        let path = brains.brain(agent).map(|soldier| soldier.path.clone()).unwrap_or_default();
        brains.despawn_into(agent, scratch);
        self.cast.remove(key);
        self.selected.retain(|&one| one != agent);
        self.formation.leave(agent, |one| place_of(brains, one));
        // Who leads now takes over the path.
        if let Some(heir) = self.formation.leader().filter(|_| has_led) {
            tell(brains, heir, Notice::Halt);
            path.iter().for_each(|&place| tell(brains, heir, Notice::Place(place)));
        }
    }

    /// Forms up all who are selected, looking where the first one looks.
    pub fn form(&mut self, brains: &mut Loop<Drill>, pattern: Pattern, rule: Rule, spacing_m: f32) {
        let recruits: Vec<Recruit> = self.selected.iter().filter_map(|&agent| recruit(brains, agent)).collect();
        let first = recruits.first().and_then(|one| brains.presence(one.agent));
        let yaw = first.map_or(0.0, |it| it.body.pose.yaw);
        for member in self.formation.members() {
            halt(brains, member.agent);
        }
        for one in &recruits {
            halt(brains, one.agent);
        }
        self.formation = Formation::form(pattern, rule, spacing_m, &recruits, yaw);
    }

    /// Sends all who are selected to a place: a formation by its leader, along `route` if there is one.
    pub fn send(&mut self, brains: &mut Loop<Drill>, layout: &Layout, place: Vec2, route: Option<&[Vec2]>) {
        let mut random = brains.streams().at(0, ORDER, brains.tick());
        let members: Vec<AgentId> = self.formation.members().iter().map(|member| member.agent).collect();
        let (mut orders, mut path) = (Vec::new(), Vec::new());
        let walls = &layout.walls;
        let ordered = order(&mut self.formation, &self.selected, place, RADIUS_M, walls, &mut random, &mut orders);
        // Who was of a formation that is no more keeps no slot.
        if self.formation.members().is_empty() {
            members.iter().for_each(|&agent| halt(brains, agent));
        }
        for (agent, goal) in orders {
            let Some(from) = place_of(brains, agent) else { continue };
            path.clear();
            match route {
                Some(route) if ordered == Ordered::March => path.extend(route.iter().rev()),
                _ => layout.path(from, goal, &mut path),
            }
            tell(brains, agent, Notice::Halt);
            path.iter().for_each(|&place| tell(brains, agent, Notice::Place(place)));
            let pace_m_per_s = if ordered == Ordered::March { MARCH_M_PER_S } else { HURRY_M_PER_S * 0.7 };
            tell(brains, agent, Notice::Go { pace_m_per_s });
            let first = path.last().map_or(Vec2::ZERO, |next| next - from);
            if ordered == Ordered::March {
                self.face(brains, first);
            }
        }
    }

    /// Faces about if the way leads back.
    fn face(&mut self, brains: &Loop<Drill>, first: Vec2) {
        let came = self.formation.trail().heading();
        let turn = math::angle_between(plane::yaw(came), plane::yaw(first)).abs();
        if first.length() > 0.5 && came != Vec2::ZERO && turn > WHEEL_RAD {
            self.formation.wheel(plane::yaw(first), |one| place_of(brains, one));
        }
    }

    /// Keeps the formation for a tick: slots along the leader's way, everybody told his, the leader's pace.
    pub fn keep(&mut self, brains: &mut Loop<Drill>, layout: &Layout, cache: &mut FieldCache) {
        let FieldCache { ahead, poses, .. } = cache;
        let leader = self.formation.leader();
        let Some(body) = leader.and_then(|leader| brains.presence(leader)).map(|it| Moving::of(&it.body)) else {
            self.error_m = [0.0; 2];
            return;
        };
        let soldier = leader.and_then(|leader| brains.brain(leader));
        ahead.clear();
        ahead.extend(soldier.iter().flat_map(|soldier| soldier.path.iter().rev()));
        let ground = ground(layout);
        self.formation.poses(&body, ahead, &ground, poses);
        let (mut sum, mut worst, mut count) = (0.0, 0.0, 0.0);
        for member in self.formation.members() {
            if member.slot.is_none() {
                // Whatever it held or led before.
                halt(brains, member.agent);
            }
            let Some(pose) = member.slot.and_then(|slot| poses.get(usize::from(slot))) else { continue };
            let Some(at) = place_of(brains, member.agent) else { continue };
            let error = pose.position.distance(at);
            (sum, worst, count) = (sum + error, math::max(worst, error), count + 1.0);
            if Some(member.agent) == leader {
                continue;
            }
            let way =
                Way { behind: self.formation.trail().points(), here: body.position, heading: body.heading(), ahead };
            let goal = via(at, pose, &way, layout);
            tell(brains, member.agent, Notice::Hold { slot: *pose, goal });
        }
        self.error_m = [if count > 0.0 { sum / count } else { 0.0 }, worst];
        self.formation.step(&body, ahead, &ground, worst, brains.rate().tick_s());
        let pace_m_per_s = MARCH_M_PER_S * self.formation.pace();
        if let Some(leader) = leader {
            tell(brains, leader, Notice::Go { pace_m_per_s });
        }
    }

    /// Whether the leader has come to the end of its path.
    pub fn has_arrived(&self, brains: &Loop<Drill>) -> bool {
        // Who has just been told of a path has not come to its end.
        let is_there = |leader: AgentId| {
            brains.brain(leader).is_none_or(|soldier| soldier.path.is_empty()) && brains.inbox(leader).is_empty()
        };
        self.formation.leader().is_none_or(is_there)
    }

    /// Where the slots are, for who looks at them.
    pub fn slots(&self, brains: &Loop<Drill>, layout: &Layout) -> Vec<SlotPose> {
        let mut cache = FieldCache::default();
        let leader = self.formation.leader();
        if let Some(it) = leader.and_then(|leader| brains.presence(leader)) {
            let soldier = leader.and_then(|leader| brains.brain(leader));
            cache.ahead.extend(soldier.iter().flat_map(|soldier| soldier.path.iter().rev()));
            self.formation.poses(&Moving::of(&it.body), &cache.ahead, &ground(layout), &mut cache.poses);
        }
        cache.poses
    }
}

/// Stops whatever somebody was told.
fn halt(brains: &mut Loop<Drill>, agent: AgentId) {
    tell(brains, agent, Notice::Halt);
}

/// Tells somebody something, unless it is what it does already and was told nothing else.
fn tell(brains: &mut Loop<Drill>, agent: AgentId, notice: Notice) {
    let is_known = brains.brain(agent).is_none_or(|soldier| notice.is_known(soldier));
    if !is_known || !brains.inbox(agent).is_empty() {
        brains.notify(agent, notice);
    }
}

/// Where to go for a slot: straight there, or by the leader's way if a wall is in between.
fn via(at: Vec2, slot: &SlotPose, way: &Way<'_>, layout: &Layout) -> Vec2 {
    let is_free = |to: Vec2| is_clear(at, to, 0.2, &layout.walls);
    if is_free(slot.position) {
        return slot.position;
    }
    let steps = math::clamp(way.behind_m() + slot.arc_m, 0.0, 64.0) as u32;
    let place = |step: u32| way.at(slot.arc_m - step as f32);
    (0..=steps).map(place).find(|&place| is_free(place)).unwrap_or(slot.position)
}
