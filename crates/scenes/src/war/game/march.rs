//! Groups that a person commands: formations on the march, and orders to several at once. The squad hears of an order from those who
//! were told, carries it out, and tells everybody its slot.

use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_act::Moving;
use sentir_act::formation::{
    Destination, Formation, GroupOrder, MarchGround, Member, Ordered, Pattern, Recruit, Rule, SlotPose, UnitType, order,
};

use super::mind::{GroupWhat, Notice, Order, WarMind};
use super::rules::Kind;
use super::side::{Side, seen};

/// Distance between neighbors in a formation, m.
pub(crate) const SPACING_M: f32 = 1.6;
/// Room that a unit needs to either side on the march, m.
const RADIUS_M: f32 = 0.6;
/// Speed of a march: that of the slowest kind, m/s.
const MARCH_M_PER_S: f32 = 2.1;
/// How near the leader of a march must be to its goal, m.
const THERE_M: f32 = 1.3;
const SCATTER: Purpose = Purpose::new("war.scatter");

/// What a side remembers of its formation.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub(crate) struct March {
    pub(crate) formation: Formation,
    /// Where it was sent; none while it stands.
    pub(crate) goal: Option<Vec2>,
    /// Mean and greatest distance of members from their slots, m.
    pub(crate) error_m: [f32; 2],
    /// Number of the last order that was carried out.
    done: u32,
}

/// What a run needs and need not remember.
#[derive(Default)]
struct MarchScratch {
    ahead: Vec<Vec2>,
    poses: Vec<SlotPose>,
}

/// A pattern and how roles count in it, by their numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State)]
pub(crate) struct FormOrder {
    pub(crate) pattern: u8,
    pub(crate) rule: u8,
}

/// An order to some to go to a place.
struct GoOrder<'a> {
    chosen: &'a [AgentId],
    place: Vec2,
}

type Squad<'a, 'b> = Roster<'a, 'b, WarMind>;

/// What roles know a kind as; workers take the place of light foot.
fn unit_type(kind: Kind) -> UnitType {
    match kind {
        Kind::Heavy => UnitType::Heavy,
        Kind::Spy => UnitType::Spy,
        Kind::Ranged => UnitType::Ranged,
        _ => UnitType::Light,
    }
}

/// The patterns by the numbers that orders have.
pub(crate) const PATTERNS: [Pattern; 7] = [
    Pattern::Diamond,
    Pattern::Pairs,
    Pattern::Circle,
    Pattern::Triangle,
    Pattern::Squares,
    Pattern::Column,
    Pattern::Line,
];
/// The rules about roles by the numbers that orders have.
pub(crate) const RULES: [Rule; 3] = [Rule::Plain, Rule::Hard, Rule::Soft];
/// As number of a pattern: the one that stands.
pub(crate) const AS_IT_STANDS: u8 = u8::MAX;

fn moving(roster: &Squad<'_, '_>, agent: AgentId) -> Option<Moving> {
    let place = roster.place_of(agent)?;
    let it = seen(roster, place)?;
    let me = roster.member(place)?.beliefs.me;
    Some(Moving { position: it.place, velocity: plane::ground(me.velocity), yaw: me.pose.yaw, radius_m: RADIUS_M })
}

fn at(roster: &Squad<'_, '_>, agent: AgentId) -> Option<Vec2> {
    moving(roster, agent).map(|at| at.position)
}

impl WarMind {
    /// Carries out what groups were ordered, and keeps the formation.
    pub(crate) fn march(&self, view: &SquadView, side: &mut Side, roster: &mut Squad<'_, '_>) {
        self.close_ranks(side, roster);
        let heard = |place: usize| roster.member(place).and_then(|member| member.brain.group);
        let newest = (0..roster.members().len()).filter_map(heard).map(|group| group.number).max().unwrap_or(0);
        if newest > side.march.done {
            side.march.done = newest;
            let mut chosen: Vec<(u16, AgentId)> = Vec::new();
            let mut what = None;
            for (place, &agent) in roster.members().iter().enumerate() {
                if let Some(group) = heard(place).filter(|group| group.number == newest) {
                    chosen.push((group.rank, agent));
                    what = Some(group.what);
                }
            }
            chosen.sort_unstable();
            let chosen: Vec<AgentId> = chosen.into_iter().map(|(_, agent)| agent).collect();
            match what {
                Some(GroupWhat::Form(shape)) => self.form(side, roster, &chosen, shape),
                Some(GroupWhat::Go(place)) => self.send(view, side, roster, &GoOrder { chosen: &chosen, place }),
                Some(GroupWhat::Free) => self.release(side, roster, &chosen, true),
                Some(GroupWhat::Leave) => self.release(side, roster, &chosen, false),
                None => {}
            }
        }
        self.keep(view, side, roster);
    }

    /// Leaves out who fell.
    fn close_ranks(&self, side: &mut Side, roster: &Squad<'_, '_>) {
        let formation = &mut side.march.formation;
        let is_gone = |agent: &AgentId| at(roster, *agent).is_none();
        while let Some(gone) = formation.members().iter().map(|member| member.agent).find(is_gone) {
            formation.leave(gone, |one| at(roster, one));
        }
    }

    fn form(&self, side: &mut Side, roster: &mut Squad<'_, '_>, chosen: &[AgentId], shape: FormOrder) {
        self.disband(side, roster);
        let recruit = |&agent: &AgentId| {
            let kind =
                roster.place_of(agent).and_then(|place| seen(roster, place)).filter(|it| !it.kind.is_structure())?;
            Some(Recruit { agent, kind: unit_type(kind.kind), position: kind.place })
        };
        let recruits: Vec<Recruit> = chosen.iter().filter_map(recruit).collect();
        let yaw = recruits.first().and_then(|one| moving(roster, one.agent)).map_or(0.0, |at| at.yaw);
        let stands = side.march.formation.pattern();
        let pattern = PATTERNS.get(usize::from(shape.pattern)).copied().unwrap_or(stands);
        let rule = RULES.get(usize::from(shape.rule)).copied().unwrap_or_default();
        side.march.formation = Formation::form(pattern, rule, SPACING_M, &recruits, yaw);
        side.march.goal = None;
    }

    /// Everybody of the formation is free again.
    fn disband(&self, side: &Side, roster: &mut Squad<'_, '_>) {
        for member in side.march.formation.members() {
            if let Some(place) = roster.place_of(member.agent) {
                roster.notify(place, Notice::Order(Order::None));
            }
        }
    }

    fn release(&self, side: &mut Side, roster: &mut Squad<'_, '_>, chosen: &[AgentId], is_free: bool) {
        for &agent in chosen {
            side.march.formation.leave(agent, |one| at(roster, one));
            if let Some(place) = roster.place_of(agent).filter(|_| is_free) {
                roster.notify(place, Notice::Order(Order::None));
            }
        }
    }

    /// Sends all who are chosen to a place: a formation by its leader, others each to a spot near by.
    fn send(&self, view: &SquadView, side: &mut Side, roster: &mut Squad<'_, '_>, order_to: &GoOrder<'_>) {
        let &GoOrder { chosen, place: to } = order_to;
        let to =
            self.map.center(self.map.footing(to)).lerp(to, if self.map.is_free(self.map.cell(to)) { 1.0 } else { 0.0 });
        let (mut orders, mut random) = (Vec::new(), view.random(SCATTER));
        let mut formation = side.march.formation.clone();
        let group = GroupOrder { selected: chosen, place: to, radius_m: RADIUS_M, walls: &self.map.walls };
        let ordered = order(&mut formation, &group, &mut random, &mut orders);
        if formation.members().is_empty() {
            self.disband(side, roster);
        }
        side.march.formation = formation;
        side.march.goal = (ordered == Ordered::March).then_some(to);
        for Destination { agent, place: goal } in orders {
            if let Some(place) = roster.place_of(agent).filter(|_| side.march.goal.is_none()) {
                roster.notify(place, Notice::Order(Order::Go(goal)));
            }
        }
    }

    /// Keeps the formation for a tick: slots along the leader's way, everybody told his.
    fn keep(&self, view: &SquadView, side: &mut Side, roster: &mut Squad<'_, '_>) {
        let march = &mut side.march;
        let leader = march.formation.leader();
        let Some((leader, here)) = leader.and_then(|leader| Some((leader, moving(roster, leader)?))) else {
            march.error_m = [0.0; 2];
            return;
        };
        if let Some(goal) = march.goal {
            // Who leads now goes on to where its forerunner was sent; in steps, so that it is not told anew at every tick.
            let pace = MARCH_M_PER_S * math::max((march.formation.pace() * 8.0).round() / 8.0, 0.125);
            let order = Order::Lead(goal, pace);
            let place = roster
                .place_of(leader)
                .filter(|&place| roster.member(place).is_some_and(|member| member.brain.order != order));
            if let Some(place) = place {
                roster.notify(place, Notice::Order(order));
            }
            if here.position.distance(goal) < THERE_M {
                march.goal = None;
            }
        }
        let mut scratch = roster.take_scratch::<MarchScratch>();
        let MarchScratch { ahead, poses } = &mut *scratch;
        ahead.clear();
        if let Some(member) = roster.place_of(leader).and_then(|place| roster.member(place)) {
            ahead.extend(member.motor.path().iter().rev());
        }
        let ground = MarchGround { walls: &self.map.walls, radius_m: RADIUS_M, speed_m_per_s: MARCH_M_PER_S };
        march.formation.poses(&here, ahead, &ground, poses);
        let (mut sum, mut worst, mut count) = (0.0, 0.0, 0.0);
        for number in 0..march.formation.members().len() {
            let Member { agent, slot, .. } = march.formation.members()[number];
            let (Some(place), Some(its)) = (roster.place_of(agent), at(roster, agent)) else { continue };
            let Some(pose) = slot.and_then(|slot| poses.get(usize::from(slot))) else { continue };
            let error = pose.position.distance(its);
            (sum, worst, count) = (sum + error, math::max(worst, error), count + 1.0);
            if agent != leader {
                roster.notify(place, Notice::Order(Order::Slot { place: pose.position, yaw: pose.yaw }));
            }
        }
        march.error_m = [if count > 0.0 { sum / count } else { 0.0 }, worst];
        march.formation.step(&here, ahead, &ground, worst, view.rate.tick_s());
        roster.put_scratch(scratch);
    }
}
