//! The drill ground in play: who is there, who is selected, what is ordered.

use sentir::core::plane;
use sentir::prelude::*;
use sentir_act::Moving;
use sentir_act::formation::{Formation, SlotPose};

use super::layout::Layout;
use super::march::{March, SQUAD, ground};
use super::mind::{Command, Drill, Notice, What};
use super::script::{Script, Tally};
use sentir_sim::body::CharacterBody;
use sentir_sim::body_set::BodySet;
use sentir_sim::input::Held;

/// What is remembered beside the brains.
#[derive(State)]
pub struct World {
    /// The bodies.
    pub bodies: BodySet,
    /// Who is selected, in order.
    pub selected: Vec<AgentId>,
    /// How many orders were given.
    pub orders: u32,
    /// The controls that hold.
    pub input: Held,
    /// Where a drag began.
    pub drag: Option<Vec2>,
    /// Whether a person plays.
    pub is_played: bool,
    /// Key of the next one who comes.
    pub next_key: u64,
    /// Mean and greatest slot error now, m: as the squad has it.
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
    /// The script is through, and the leader is where the march was to end.
    Formed,
    /// The script is through, and the leader is somewhere else.
    Elsewhere,
    /// Out of time.
    TimeUp,
}

/// Where an agent is, m.
pub fn place_of(brains: &Loop<Drill>, agent: AgentId) -> Option<Vec2> {
    brains.presence(agent).map(|it| plane::ground(it.body.pose.position))
}

/// The formation, as the squad has it.
pub fn formation(brains: &Loop<Drill>) -> Option<&Formation> {
    brains.squad(SQUAD).map(|march| &march.formation)
}

/// Who leads it.
pub fn leader(brains: &Loop<Drill>) -> Option<AgentId> {
    formation(brains).and_then(Formation::leader)
}

/// Where the slots are, for who looks at them.
pub fn slots(brains: &Loop<Drill>, layout: &Layout) -> Vec<SlotPose> {
    let mut poses = Vec::new();
    let it = leader(brains).and_then(|leader| Some((brains.presence(leader)?, brains.brain(leader)?)));
    if let (Some((it, soldier)), Some(formation)) = (it, formation(brains)) {
        let ahead: Vec<Vec2> = soldier.path.iter().rev().copied().collect();
        formation.poses(&Moving::of(&it.body), &ahead, &ground(layout), &mut poses);
    }
    poses
}

impl World {
    /// Brings a soldier in.
    pub fn enlist(&mut self, brains: &mut Loop<Drill>, kind: u16, place: Vec2, yaw: f32) -> Option<AgentId> {
        let key = HostKey(self.next_key);
        let pose = Pose { position: plane::lift(place, 0.02), yaw };
        let body = CharacterBody::at(pose).body();
        let agent = brains.spawn(AgentSpec { kind, body, ..AgentSpec::new(key) }).ok()?;
        self.bodies.add(key, 0, pose);
        self.next_key += 1;
        Some(agent)
    }

    /// Takes a soldier out.
    pub fn bury(&mut self, brains: &mut Loop<Drill>, agent: AgentId, scratch: &mut Scratch) {
        let Some(key) = brains.presence(agent).map(|it| it.key) else { return };
        brains.despawn_into(agent, scratch);
        self.bodies.remove(key);
        self.selected.retain(|&one| one != agent);
    }

    /// Orders something of all who are selected.
    pub fn order(&mut self, brains: &mut Loop<Drill>, what: What) {
        self.orders += 1;
        for (rank, &agent) in (0..).zip(&self.selected) {
            brains.notify(agent, Notice::Command(Command { number: self.orders, rank, what }));
        }
    }

    /// Takes in how the squad is.
    pub fn look(&mut self, brains: &Loop<Drill>) {
        if let Some(&March { error_m, reassigned, .. }) = brains.squad(SQUAD) {
            (self.error_m, self.tally.reassigned) = (error_m, reassigned);
        }
    }

    /// Whether the leader has come to the end of its path.
    pub fn has_arrived(&self, brains: &Loop<Drill>) -> bool {
        // Who has just been told of a path has not come to its end; nor has one who fell and whom nobody follows yet.
        let is_there = |leader: AgentId| {
            brains.brain(leader).is_some_and(|soldier| soldier.path.is_empty()) && brains.inbox(leader).is_empty()
        };
        leader(brains).is_none_or(is_there)
    }
}
