//! The coordination of the drill: carries out what was ordered, keeps the formation along its leader's way, and tells everybody
//! its slot.
//!
//! A person or a script orders by telling those who are meant ([`Command`]); the squad hears it from them in the same tick. What
//! it tells them they know on the next one, so slots are laid where they will be then.

use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_act::Moving;
use sentir_act::formation::trail::is_clear;
use sentir_act::formation::{
    Destination, Formation, GroupOrder, MarchGround, Member, Ordered, Recruit, SlotPose, UnitType, Way, order,
};

use super::layout::Layout;
use super::mind::{Command, Drill, HURRY_M_PER_S, MARCH_M_PER_S, Notice, Soldier, What};
use super::way::Search;

/// All of them are of one squad.
pub const SQUAD: SquadId = SquadId::whole(TeamId(0));
/// Radius that slots and ways allow for, m: a body and a hand's breadth.
pub const RADIUS_M: f32 = 0.33;
const ORDER: Purpose = Purpose::new("formation.order");
/// From this turn on, a formation ordered elsewhere faces about rather than wind round its leader, rad.
const WHEEL_RAD: f32 = 1.9;

/// What the squad remembers.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub struct March {
    /// The formation; nobody's if there is none.
    pub formation: Formation,
    /// Mean and greatest slot error, as of the next tick, m.
    pub error_m: [f32; 2],
    /// Times that somebody got another slot because one was lost or joined.
    pub reassigned: u32,
    /// The leader's way, the next place last: who takes over goes on with it.
    way: Vec<Vec2>,
    /// Who goes along it: another leader is told of it.
    led: Option<AgentId>,
    /// How often somebody was sent where no way leads to, and whether the last order was such.
    pub refused: u32,
    pub is_refused: bool,
    /// Number of the last order that was carried out.
    done: u32,
}

/// What a run needs and need not remember.
#[derive(Default)]
struct MarchScratch {
    /// Who was told something in this run.
    told: Vec<AgentId>,
    /// Whom an order is meant for, by rank.
    chosen: Vec<(u16, AgentId)>,
    ahead: Vec<Vec2>,
    poses: Vec<SlotPose>,
}

type Squad<'a, 'b> = Roster<'a, 'b, Drill>;

/// What somebody is, from the kind of its agent.
pub fn kind_of(kind: u16) -> UnitType {
    UnitType::ALL[usize::from(kind) % UnitType::ALL.len()]
}

/// The formation's ground.
pub fn ground(layout: &Layout) -> MarchGround<'_> {
    MarchGround { walls: &layout.walls, radius_m: RADIUS_M, speed_m_per_s: MARCH_M_PER_S }
}

/// How a member stands and moves.
fn moving(roster: &Squad<'_, '_>, agent: AgentId) -> Option<Moving> {
    let me = roster.member(roster.place_of(agent)?)?.beliefs.me;
    let (position, velocity) = (plane::ground(me.pose.position), plane::ground(me.velocity));
    Some(Moving { position, velocity, yaw: me.pose.yaw, radius_m: RADIUS_M })
}

fn place(roster: &Squad<'_, '_>, agent: AgentId) -> Option<Vec2> {
    moving(roster, agent).map(|at| at.position)
}

/// What a member remembers.
fn soldier<'a>(roster: &'a Squad<'_, '_>, agent: AgentId) -> Option<&'a Soldier> {
    Some(roster.member(roster.place_of(agent)?)?.brain)
}

/// Somebody as a formation wants to know it.
fn recruit(roster: &Squad<'_, '_>, agent: AgentId) -> Option<Recruit> {
    let kind = kind_of(soldier(roster, agent)?.kind);
    Some(Recruit { agent, kind, position: place(roster, agent)? })
}

impl March {
    /// Counts who got another slot.
    fn count_moved(&mut self, before: &[Member]) {
        let is_other = |old: &&Member| {
            let now = self.formation.members().iter().find(|member| member.agent == old.agent);
            now.is_some_and(|member| member.slot != old.slot)
        };
        self.reassigned += before.iter().filter(is_other).count() as u32;
    }
}

/// A run of the squad.
struct Run<'r, 'a, 'b> {
    layout: &'r Layout,
    search: Search,
    view: &'r SquadView,
    march: &'r mut March,
    roster: &'r mut Squad<'a, 'b>,
    scratch: &'r mut MarchScratch,
}

impl Drill {
    /// Runs the squad: losses, orders, slots.
    pub fn lead(&self, view: &SquadView, march: &mut March, roster: &mut Squad<'_, '_>) {
        let mut scratch = roster.take_scratch::<MarchScratch>();
        scratch.told.clear();
        let leader = march.formation.leader().filter(|leader| march.led == Some(*leader));
        if let Some(leader) = leader.and_then(|leader| soldier(roster, leader)) {
            march.way.clone_from(&leader.path);
        }
        let mut run = Run { layout: &self.layout, search: self.search, view, march, roster, scratch: &mut scratch };
        run.close_ranks();
        while let Some(what) = run.next_order() {
            run.obey(what);
        }
        run.keep();
        roster.put_scratch(scratch);
    }
}

impl Run<'_, '_, '_> {
    /// Notifies somebody of something, unless it is what it does already and was told nothing else.
    fn notify(&mut self, agent: AgentId, notice: Notice) {
        let is_known = soldier(self.roster, agent).is_none_or(|soldier| notice.is_known(soldier));
        if is_known && !self.scratch.told.contains(&agent) {
            return;
        }
        if let Some(place) = self.roster.place_of(agent) {
            self.scratch.told.push(agent);
            self.roster.notify(place, notice);
        }
    }

    /// Gives somebody another way, the next place last.
    fn guide(&mut self, agent: AgentId, way: &[Vec2]) {
        self.notify(agent, Notice::Halt);
        for &place in way {
            self.notify(agent, Notice::Place(place));
        }
    }

    /// Leaves out who is no more.
    fn close_ranks(&mut self) {
        let Run { march, roster, .. } = &mut *self;
        let roster = &**roster;
        let is_gone = |agent: &AgentId| roster.place_of(*agent).is_none();
        while let Some(gone) = march.formation.members().iter().map(|member| member.agent).find(is_gone) {
            let before = march.formation.members().to_vec();
            march.formation.leave(gone, |one| place(roster, one));
            march.count_moved(&before);
        }
    }

    /// An order outlives who carried it out: whoever leads now goes on along the way.
    fn take_over(&mut self, leader: AgentId) {
        if self.march.led.replace(leader) != Some(leader) && !self.march.way.is_empty() {
            let way = std::mem::take(&mut self.march.way);
            self.guide(leader, &way);
            self.march.way = way;
        }
    }

    /// The next order that members have heard and that is not carried out yet; whom it is meant for is in the scratch then.
    fn next_order(&mut self) -> Option<What> {
        let Run { march, roster, scratch, .. } = self;
        let heard = |place: usize| roster.member(place).map_or(&[][..], |it| it.brain.commands.as_slice());
        let open = (0..roster.members().len()).flat_map(heard).filter(|it| it.number > march.done);
        let &Command { number, what, .. } = open.min_by_key(|it| it.number)?;
        march.done = number;
        scratch.chosen.clear();
        for (place, &agent) in roster.members().iter().enumerate() {
            let mine = heard(place).iter().find(|it| it.number == number);
            scratch.chosen.extend(mine.map(|it| (it.rank, agent)));
        }
        scratch.chosen.sort_unstable();
        Some(what)
    }

    fn obey(&mut self, what: What) {
        let chosen: Vec<AgentId> = self.scratch.chosen.iter().map(|&(_, agent)| agent).collect();
        match what {
            What::Form { pattern, rule, spacing_m } => {
                self.halt_members();
                chosen.iter().for_each(|&agent| self.notify(agent, Notice::Halt));
                let recruits: Vec<Recruit> = chosen.iter().filter_map(|&agent| recruit(self.roster, agent)).collect();
                let first = recruits.first().and_then(|one| moving(self.roster, one.agent));
                let yaw = first.map_or(0.0, |at| at.yaw);
                self.march.formation = Formation::form(pattern, rule, spacing_m, &recruits, yaw);
                self.march.way.clear();
            }
            What::Join => {
                let Run { march, roster, .. } = self;
                for newcomer in chosen.iter().filter_map(|&agent| recruit(roster, agent)) {
                    let before = march.formation.members().to_vec();
                    march.formation.join(newcomer, |one| place(roster, one));
                    march.count_moved(&before);
                }
            }
            What::Go { to } => self.send(&chosen, to, None),
            What::March { legs } => {
                let last = usize::from(legs).min(self.layout.route.len() - 1);
                self.send(&chosen, self.layout.route[last], Some(last));
            }
        }
    }

    fn halt_members(&mut self) {
        let members: Vec<AgentId> = self.march.formation.members().iter().map(|member| member.agent).collect();
        members.iter().for_each(|&agent| self.notify(agent, Notice::Halt));
    }

    /// Sends all who are chosen to a place: a formation by its leader, along so many places of the route if it is said. Whom no way
    /// leads there stays.
    fn send(&mut self, chosen: &[AgentId], to: Vec2, legs: Option<usize>) {
        let layout = self.layout;
        let (mut orders, mut path, mut random) = (Vec::new(), Vec::new(), self.view.random(ORDER));
        let mut formation = self.march.formation.clone();
        let group = GroupOrder { selected: chosen, place: to, radius_m: RADIUS_M, walls: &layout.walls };
        let ordered = order(&mut formation, &group, &mut random, &mut orders);
        // Who was of a formation that is no more keeps no slot.
        if formation.members().is_empty() {
            self.halt_members();
            self.march.way.clear();
        }
        self.march.formation = formation;
        let is_march = ordered == Ordered::March;
        self.march.is_refused = false;
        for Destination { agent, place: goal } in orders {
            let Some(from) = place(self.roster, agent) else { continue };
            let is_found = match legs {
                Some(legs) if is_march => layout.march(from, legs, self.search, &mut path),
                _ => layout.path(from, goal, self.search, &mut path),
            };
            if !is_found {
                self.march.refused += 1;
                self.march.is_refused = true;
                continue;
            }
            self.guide(agent, &path);
            let pace_m_per_s = if is_march { MARCH_M_PER_S } else { HURRY_M_PER_S * 0.7 };
            self.notify(agent, Notice::Go { pace_m_per_s });
            if is_march {
                self.march.led = Some(agent);
                self.march.way.clone_from(&path);
                self.face(path.last().map_or(Vec2::ZERO, |next| next - from));
            }
        }
    }

    /// Faces about if the way leads back.
    fn face(&mut self, first: Vec2) {
        let Run { march, roster, .. } = self;
        let came = march.formation.trail().heading();
        let turn = math::angle_between(plane::yaw(came), plane::yaw(first)).abs();
        if first.length() > 0.5 && came != Vec2::ZERO && turn > WHEEL_RAD {
            march.formation.wheel(plane::yaw(first), |one| place(roster, one));
        }
    }

    /// Keeps the formation for a tick: slots along the leader's way, every member told its own, the leader's pace.
    fn keep(&mut self) {
        let leader = self.march.formation.leader();
        let Some((leader, at)) = leader.and_then(|leader| Some((leader, moving(self.roster, leader)?))) else {
            self.march.error_m = [0.0; 2];
            return;
        };
        self.take_over(leader);
        let tick_s = self.view.rate.tick_s();
        let next = |at: &Moving| at.position + at.velocity * tick_s;
        let then = Moving { position: next(&at), ..at };
        let (mut ahead, mut poses) = (std::mem::take(&mut self.scratch.ahead), std::mem::take(&mut self.scratch.poses));
        ahead.clear();
        ahead.extend(self.march.way.iter().rev());
        let ground = ground(self.layout);
        self.march.formation.poses(&then, &ahead, &ground, &mut poses);
        let (mut sum, mut worst, mut count) = (0.0, 0.0, 0.0);
        for number in 0..self.march.formation.members().len() {
            let Member { agent, slot, .. } = self.march.formation.members()[number];
            if slot.is_none() {
                // Whatever it held or led before.
                self.notify(agent, Notice::Halt);
            }
            let Some(pose) = slot.and_then(|slot| poses.get(usize::from(slot))) else { continue };
            let Some(its) = moving(self.roster, agent) else { continue };
            let error = pose.position.distance(next(&its));
            (sum, worst, count) = (sum + error, math::max(worst, error), count + 1.0);
            if agent == leader {
                continue;
            }
            let behind = self.march.formation.trail().points();
            let way = Way { behind, here: then.position, heading: then.heading(), ahead: &ahead };
            let goal = via(its.position, pose, &way, self.layout);
            self.notify(agent, Notice::Hold { slot: *pose, goal });
        }
        self.march.error_m = [if count > 0.0 { sum / count } else { 0.0 }, worst];
        self.march.formation.step(&at, &ahead, &ground, worst, tick_s);
        let pace_m_per_s = MARCH_M_PER_S * self.march.formation.pace();
        self.notify(leader, Notice::Go { pace_m_per_s });
        (self.scratch.ahead, self.scratch.poses) = (ahead, poses);
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
