//! Formations: a group that moves as one.
//!
//! | part | does |
//! |---|---|
//! | [`pattern`] | lays out slots for any number: two fixed patterns, circle, triangle, squares, column, line |
//! | [`role`] | four roles, four types of units, the hard and the soft table |
//! | [`assign`] | who takes which slot: the best assignment, kept as far as it can be when somebody dies or joins |
//! | [`trail`] | the leader's way, along which slots lie, and the room beside it |
//! | [`footing`] | the same on a navigation mesh: heights, slots on the ground, walls near by |
//! | [`hold`] | how a unit keeps its slot, and how a leader waits |
//! | [`order`](mod@order) | what a click comes to |
//! | [`draw`] | slots, who is to be where, and the trail, made visible |
//!
//! **Method.** Slots are given in the frame of the leader (the first unit selected that has a slot). How far a slot lies
//! back is measured along the leader's way, how far aside across it, so a formation bends round corners. Before a place
//! too narrow for the pattern, slots glide over into a double or a single file, no faster than the leader goes, so that
//! nobody walks back; past it they glide back. Slots that fall into a wall move in toward the way.
//!
//! **Cost** of a tick: O((slots + samples of the way) · (walls + trail)). After the first ticks nothing is allocated.

pub mod assign;
pub mod draw;
#[cfg(feature = "nav")]
pub mod footing;
pub mod hold;
mod march;
mod matching;
pub mod order;
pub mod pattern;
pub mod role;
pub mod trail;

use sentir_core::State;
use sentir_core::glam::Vec2;
use sentir_core::id::AgentId;
use sentir_core::{math, plane};

pub use assign::{Candidate, Cost, Rule};
#[cfg(feature = "nav")]
pub use footing::{Footing, Surroundings};
pub use hold::SlotPose;
pub use march::MarchGround;
pub use order::{Destination, GroupOrder, Ordered, order};
pub use pattern::{Pattern, Slot};
pub use role::{Role, UnitType};
pub use trail::{Trail, Way};

use crate::Moving;

/// Somebody selected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recruit {
    /// Who.
    pub agent: AgentId,
    /// What it is.
    pub kind: UnitType,
    /// Where it is, m.
    pub position: Vec2,
}

/// Somebody of a formation: selected, with a slot or without.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct Member {
    /// Who.
    pub agent: AgentId,
    /// What it is.
    pub kind: UnitType,
    /// Which slot it has; none if there are too few, or none that it may take.
    pub slot: Option<u16>,
}

/// A group in formation; nobody by default.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub struct Formation {
    pattern: Pattern,
    rule: Rule,
    /// Distance between neighbors, m.
    spacing_m: f32,
    /// In the order of selection.
    members: Vec<Member>,
    slots: Vec<Slot>,
    /// Place of each slot in a single file, front first.
    ranks: Vec<u16>,
    /// The slots of that file, front first: the inverse of `ranks`.
    file: Vec<u16>,
    trail: Trail,
    /// From 0, the pattern, over 1, a double file, to 2, a single file.
    narrow: f32,
    /// Where `narrow` is going.
    narrow_goal: f32,
    /// The leader's speed as a share.
    pace: f32,
}

impl Formation {
    /// Forms up: slot 0 where the first recruit is, looking along `yaw`. Each recruit should be there once.
    pub fn form(pattern: Pattern, rule: Rule, spacing_m: f32, recruits: &[Recruit], yaw: f32) -> Formation {
        let spacing_m = if spacing_m.is_nan() { 1.0 } else { math::clamp(spacing_m, 0.0, 1000.0) };
        let mut formation = Formation { pattern, rule, spacing_m, pace: 1.0, ..Formation::default() };
        let Some(first) = recruits.first() else { return formation };
        let member = |one: &Recruit| Member { agent: one.agent, kind: one.kind, slot: None };
        formation.members.extend(recruits.iter().map(member));
        formation.lay_out();
        let frame = Moving { yaw, ..Moving::at(first.position) };
        let places: Vec<Vec2> = formation.slots.iter().map(|slot| frame.to_world(slot.offset)).collect();
        formation.assign(&places, |agent| recruits.iter().find(|one| one.agent == agent).map(|one| one.position));
        let leader = formation.leader();
        let here = recruits.iter().find(|one| Some(one.agent) == leader).map_or(first.position, |one| one.position);
        formation.trail.begin(here, plane::heading(yaw));
        formation
    }

    /// Takes somebody out, as one who died. The others keep their slots but for as few as must close up; `at` says where
    /// everybody is. False if it is no member.
    pub fn leave(&mut self, agent: AgentId, at: impl Fn(AgentId) -> Option<Vec2>) -> bool {
        let Some(place) = self.members.iter().position(|member| member.agent == agent) else { return false };
        let before = self.leader();
        self.members.remove(place);
        self.close_up(before, at);
        true
    }

    /// Takes somebody in, last in the order. The others keep their slots but where that would leave one empty or suit the
    /// roles worse. False if it is a member already.
    pub fn join(&mut self, recruit: Recruit, at: impl Fn(AgentId) -> Option<Vec2>) -> bool {
        if self.members.iter().any(|member| member.agent == recruit.agent) {
            return false;
        }
        let before = self.leader();
        self.members.push(Member { agent: recruit.agent, kind: recruit.kind, slot: None });
        self.close_up(before, |agent| if agent == recruit.agent { Some(recruit.position) } else { at(agent) });
        true
    }

    /// Turns to another direction: the trail begins anew, straight behind the leader, and everybody goes to the slot that
    /// is best now.
    pub fn wheel(&mut self, yaw: f32, at: impl Fn(AgentId) -> Option<Vec2>) {
        let Some(here) = self.leader().and_then(&at) else { return };
        self.trail.begin(here, plane::heading(yaw));
        (self.narrow, self.narrow_goal) = (0.0, 0.0);
        let frame = Moving { yaw, ..Moving::at(here) };
        let base = self.base().0;
        self.members.iter_mut().for_each(|member| member.slot = None);
        let places: Vec<Vec2> = self.slots.iter().map(|slot| frame.to_world(slot.offset - base)).collect();
        self.assign(&places, at);
    }

    /// Each unit goes its own way.
    pub fn dissolve(&mut self) {
        *self = Formation::default();
    }

    /// Its pattern.
    pub fn pattern(&self) -> Pattern {
        self.pattern
    }

    /// How roles count.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// Everybody, in the order of selection.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// The slots of the pattern.
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// Where the leader was.
    pub fn trail(&self) -> &Trail {
        &self.trail
    }

    /// The first of the selection who has a slot: who gets the path. Who is selected first leads, unless hard roles leave
    /// it without a slot.
    pub fn leader(&self) -> Option<AgentId> {
        self.members.iter().find(|member| member.slot.is_some()).map(|member| member.agent)
    }

    /// Which slot somebody has.
    pub fn slot_of(&self, agent: AgentId) -> Option<u16> {
        self.members.iter().find(|member| member.agent == agent).and_then(|member| member.slot)
    }

    /// Who has a slot.
    pub fn holder(&self, slot: u16) -> Option<AgentId> {
        self.members.iter().find(|member| member.slot == Some(slot)).map(|member| member.agent)
    }

    /// What the assignment costs now: empty slots and role costs; ways and moves are 0.
    pub fn cost(&self) -> Cost {
        let unit = |member: &Member| Candidate { kind: member.kind, slot: member.slot, position: Vec2::ZERO };
        let units: Vec<Candidate> = self.members.iter().map(unit).collect();
        let taken: Vec<Option<u16>> = self.members.iter().map(|member| member.slot).collect();
        Cost { walk_mm2: 0, ..assign::cost(&units, &self.slots, &[], self.rule, &taken) }
    }

    /// The leader's speed, as a share of its own: less while somebody straggles or files are still forming.
    pub fn pace(&self) -> f32 {
        self.pace
    }

    /// How narrow it is: from 0, the pattern, over 1, a double file, to 2, a single file.
    pub fn narrow(&self) -> f32 {
        self.narrow
    }

    /// Whether its slots have stopped gliding between the pattern and a file.
    pub fn is_settled(&self) -> bool {
        self.narrow == self.narrow_goal
    }

    /// Lays the pattern out for as many as there are, and ranks its slots for a file.
    fn lay_out(&mut self) {
        self.pattern.lay_out(self.members.len(), self.spacing_m, &mut self.slots);
        self.file.clear();
        self.file.extend(0..self.slots.len() as u16);
        let key = |&slot: &u16| {
            let Vec2 { x, y } = self.slots[usize::from(slot)].offset;
            // In steps of a centimeter, so that slots of one row are of one row.
            let steps = |value: f32| (value * 100.0).round() as i32;
            (-steps(y), steps(x.abs()), slot)
        };
        self.file.sort_by_key(key);
        self.ranks.clear();
        self.ranks.resize(self.slots.len(), 0);
        for (rank, &slot) in (0..).zip(&self.file) {
            self.ranks[usize::from(slot)] = rank;
        }
    }

    /// The leader's slot: its offset and its rank.
    fn base(&self) -> (Vec2, u16) {
        let slot = self.leader().and_then(|leader| self.slot_of(leader)).map_or(0, usize::from);
        let offset = self.slots.get(slot).map_or(Vec2::ZERO, |slot| slot.offset);
        (offset, self.ranks.get(slot).copied().unwrap_or(0))
    }

    /// Lays out anew for a changed number and assigns with as few moves as can be; `before` is who led so far.
    fn close_up(&mut self, before: Option<AgentId>, at: impl Fn(AgentId) -> Option<Vec2>) {
        // The heir stands farther back on the way, and the pattern with it.
        let heir = self.leader();
        self.hand_over(before, heir, &at);
        let here = heir.and_then(&at).unwrap_or_default();
        self.lay_out();
        let count = self.slots.len();
        for member in &mut self.members {
            member.slot = member.slot.filter(|&slot| usize::from(slot) < count);
        }
        let base = self.base().0;
        let frame = Moving { yaw: plane::yaw(self.trail.heading()), ..Moving::at(here) };
        let places: Vec<Vec2> = self.slots.iter().map(|slot| frame.to_world(slot.offset - base)).collect();
        self.assign(&places, &at);
        // With roles, slots may go so that again another one leads.
        self.hand_over(heir, self.leader(), &at);
    }

    /// Shortens the trail to what lies behind whoever leads now, if that is another one.
    fn hand_over(&mut self, from: Option<AgentId>, to: Option<AgentId>, at: impl Fn(AgentId) -> Option<Vec2>) {
        if from != to
            && let Some(here) = to.and_then(at)
        {
            self.trail.rewind(here);
        }
    }

    fn assign(&mut self, places: &[Vec2], at: impl Fn(AgentId) -> Option<Vec2>) {
        let unit = |member: &Member| Candidate {
            kind: member.kind,
            position: at(member.agent).unwrap_or_default(),
            slot: member.slot,
        };
        let units: Vec<Candidate> = self.members.iter().map(unit).collect();
        let mut taken = Vec::new();
        assign::assign(&units, &self.slots, places, self.rule, &mut taken);
        for (member, slot) in self.members.iter_mut().zip(taken) {
            member.slot = slot;
        }
    }
}

#[cfg(test)]
mod tests;
