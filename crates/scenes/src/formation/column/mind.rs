//! The mind of one who marches: the leader follows its path, the others keep their slots, by a path of their own where a slot
//! is out of sight.

use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir::walk::{Field, WalkConfig, WalkRequest, Walks};
use sentir_act::follow::Follower;
use sentir_act::formation::hold;
use sentir_act::{Mover, Moving};
use sentir_nav::mesh::{AreaCosts, Mesh};
use sentir_nav::request::RequestConfig;

use super::march::March;

/// Tables and tuning, shared by all.
pub(super) struct Drill {
    pub(super) mesh: Mesh,
    pub(super) gait: WalkConfig,
    /// Where they march.
    pub(super) route: Vec<Vec3>,
    /// How much is searched for paths.
    pub(super) requests: RequestConfig,
}

/// What somebody is told to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub(super) enum Task {
    /// Nothing.
    #[default]
    Idle,
    /// Lead to a place, at a pace, m/s.
    Lead(Vec3, f32),
    /// Keep a slot, with a yaw.
    Hold(Vec3, f32),
}

/// What the legs remember.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub(super) struct Motor {
    pub(super) follower: Follower,
    /// Where it leads to, or where a slot was that is out of sight, and the number of that errand.
    errand: Option<Vec3>,
    number: u32,
    /// The slot at the last act, and how it moves, smoothed, m/s.
    last: Option<Vec2>,
    drift: Vec2,
    /// Why it cannot come back to its slot, if so.
    pub(super) lost: Option<Cause>,
}

/// How fast a leader marches, and how fast one catches up, m/s.
pub(super) const MARCH_M_PER_S: f32 = 1.5;
pub(super) const HURRY_M_PER_S: f32 = 2.6;
/// So near is there, m.
const ARRIVE_M: f32 = 0.3;
/// A slot out of sight that moved by this is another errand, m.
const ERRAND_M: f32 = 3.0;
/// A ray that ends this near to a slot has reached it, m; and how much higher or lower it may be.
const SEEN_M: f32 = 0.05;
const LEVEL_M: f32 = 1.0;
/// A slot that is faster was put elsewhere, m/s.
const JUMP_M_PER_S: f32 = 6.0;

impl Drill {
    fn sees(&self, legs: &Motor, slot: Vec3) -> bool {
        let ray = legs.follower.place().and_then(|place| self.mesh.ray(place, slot, &AreaCosts::PLAIN));
        ray.is_some_and(|ray| {
            let end = ray.place.point;
            plane::ground(end).distance(plane::ground(slot)) <= SEEN_M && (end.y - slot.y).abs() <= LEVEL_M
        })
    }
}

impl Motor {
    /// How the slot moves.
    fn learn(&mut self, slot: Vec2, tick_s: f32) {
        let moved = self.last.map_or(Vec2::ZERO, |last| (slot - last) / tick_s);
        let moved = if moved.length() > JUMP_M_PER_S { Vec2::ZERO } else { moved };
        self.drift += (moved - self.drift) * 0.2;
        self.last = Some(slot);
    }

    /// Goes for the place that it leads to: the same errand at any pace.
    fn lead(&mut self, goal: Vec3) -> (Ticket, Vec3) {
        if self.errand != Some(goal) {
            (self.errand, self.number) = (Some(goal), self.number.wrapping_add(1).max(1));
        }
        (Ticket(self.number), goal)
    }

    /// Goes for a slot that is out of sight.
    fn seek(&mut self, slot: Vec3) -> (Ticket, Vec3) {
        if self.errand.is_none_or(|errand| errand.distance(slot) > ERRAND_M) {
            (self.errand, self.number) = (Some(slot), self.number.wrapping_add(1).max(1));
        }
        (Ticket(self.number), self.errand.unwrap_or(slot))
    }
}

impl Motor {
    /// What became of a walk: a leader's is told as it is; of the others only a failure is.
    fn settle(&mut self, outcome: Outcome, ticket: Ticket, leads: bool, out: &mut Outcomes<'_>, notes: &mut Notes<'_>) {
        match outcome {
            Outcome::Failed { cause, .. } => {
                (self.lost, self.errand) = (Some(cause), None);
                out.report(Outcome::Failed { ticket, cause });
            }
            Outcome::Arrived { .. } if leads => {
                out.report(Outcome::Arrived { ticket });
                notes.event(EventKind::Arrived { ticket });
            }
            Outcome::Arrived { .. } => self.errand = None,
            _ => {}
        }
    }
}

impl Mind for Drill {
    type Senses = ();
    type Brain = Task;
    type Motor = Motor;
    type Squad = March;
    /// Another task.
    type Notice = Task;

    fn receive(&self, _view: &ThinkView<'_>, told: Task, task: &mut Task) {
        *task = told;
    }

    fn coordinate(&self, view: &SquadView, march: &mut March, roster: &mut Roster<'_, '_, Self>) {
        self.command(view, march, roster);
    }

    fn think(&self, view: &ThinkView<'_>, task: &mut Task, intents: &mut Intents, notes: &mut Notes<'_>) {
        let travel = |goal, manner, pace_m_per_s| Travel { goal, manner, pace_m_per_s, arrive_m: ARRIVE_M };
        match *task {
            Task::Idle => intents.stay(),
            Task::Lead(goal, pace_m_per_s) => {
                intents.go(travel(goal, Manner::Shortest, pace_m_per_s));
                intents.gaze = Gaze::Ahead;
            }
            Task::Hold(slot, yaw) => {
                let error = slot.distance(view.beliefs.me.pose.position);
                notes.because(|| Reason { what: "on its slot", held: error < 1.0, value: error, limit: 1.0 });
                intents.go(travel(slot, Manner::Straight, HURRY_M_PER_S));
                intents.gaze = Gaze::Along(yaw);
            }
        }
    }

    fn act(
        &self,
        view: &ActView<'_>,
        legs: &mut Motor,
        motion: &mut Motion,
        out: &mut Outcomes<'_>,
        notes: &mut Notes<'_>,
    ) {
        let (me, tick_s) = (view.me, view.rate.tick_s());
        let travel = view.travel();
        let leads = travel.is_some_and(|(_, travel)| travel.manner == Manner::Shortest);
        let pace_m_per_s = travel.map_or(HURRY_M_PER_S, |(_, travel)| travel.pace_m_per_s);
        let mut errand = WalkRequest { goal: None, ..WalkRequest::of(view, pace_m_per_s, ARRIVE_M) };
        if travel.is_none() {
            // Who has nothing to do is not lost.
            legs.lost = None;
        }
        if let Some((_, travel)) = travel.filter(|_| leads) {
            errand.goal = Some(legs.lead(travel.goal));
        }
        if let Some((_, travel)) = travel.filter(|_| !leads) {
            let slot = plane::ground(travel.goal);
            legs.learn(slot, tick_s);
            if self.sees(legs, travel.goal) {
                legs.errand = None;
                let at = Moving::of(&me.body);
                let mover = Mover { at, speed_m_per_s_max: HURRY_M_PER_S, ..Mover::default() };
                errand.instead = Some(hold::wanted(&mover, slot, legs.drift));
            } else {
                errand.goal = Some(legs.seek(travel.goal));
            }
        }
        let ground = Field::plain(&self.mesh).ground(me.agent);
        let stride = self.gait.stride(view, &ground, &mut legs.follower, &errand);
        if let (Some(outcome), Some((ticket, _))) = (stride.advice.outcome, travel) {
            legs.settle(outcome, ticket, leads, out, notes);
        }
        motion.velocity = plane::lift(stride.velocity, 0.0);
        let yaw = match view.gaze() {
            Gaze::Along(yaw) if errand.instead.is_some() && stride.velocity.length() < 2.0 => Some(yaw),
            _ => (stride.velocity.length() > 0.3).then(|| plane::yaw(stride.velocity)),
        };
        if let Some(yaw) = yaw {
            motion.yaw = math::approach_angle(me.body.pose.yaw, yaw, self.gait.turn_rad_per_s * tick_s);
        }
    }
}

impl Walks for Drill {
    fn follower(legs: &mut Motor) -> Option<&mut Follower> {
        Some(&mut legs.follower)
    }
}
