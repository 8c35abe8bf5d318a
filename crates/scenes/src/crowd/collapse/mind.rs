//! The mind of who lives in the ruin: a place, a way there by what it believes, the next place. Sight and touch are
//! stand-ins for the senses.

use sentir::core::plane;
use sentir::prelude::*;
use sentir::walk::{self, Field, Router, WalkConfig, Walks};
use sentir_act::follow::Follower;
use sentir_nav::dynamic::{DynamicMesh, Eye, Knowledge, Obstacles};
use sentir_nav::mesh::AreaCosts;
use sentir_nav::request::{RequestConfig, Requests};

/// Tables and tuning, shared by all; made anew from the state of the world whenever it is dropped.
pub(super) struct Dweller {
    /// The mesh as it is, marks and all.
    pub(super) dynamic: DynamicMesh,
    /// The truth, lent by the world while minds are at work: senses look at it.
    pub(super) truth: Obstacles,
    /// By slot: what ground costs by what an agent believes, and the version of that.
    pub(super) costs: Vec<AreaCosts>,
    pub(super) versions: Vec<u32>,
    pub(super) tuning: Tuning,
}

/// Tuning.
#[derive(Clone, Debug)]
pub(super) struct Tuning {
    /// Where people go.
    pub(super) stops: Vec<Vec3>,
    pub(super) pace_m_per_s: f32,
    pub(super) sight_m: f32,
    pub(super) gait: WalkConfig,
    /// How much is searched for ways.
    pub(super) requests: RequestConfig,
}

/// What the senses remember: beliefs about what stands where, and how they came.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub(super) struct Senses {
    pub(super) knowledge: Knowledge,
    /// Obstacles noticed by sight, and by walking into them.
    pub(super) seen: u32,
    pub(super) felt: u32,
    /// Those that were not where they had been.
    pub(super) missed: u32,
}

/// Where to go next.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub(super) enum WalkerBrain {
    /// Anywhere it likes.
    #[default]
    Any,
    /// Nowhere.
    Stay,
    /// There, and nowhere after.
    To(Vec3),
}

/// What one remembers: whether it is on a trip, and until when it rests.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub(super) struct Plan {
    pub(super) is_on_trip: bool,
    pub(super) rests_until: Tick,
    pub(super) errand: WalkerBrain,
}

/// What the legs remember.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub(super) struct Motor {
    pub(super) follower: Follower,
    pub(super) trips: Trips,
    /// How many walls it knew of at the last act; none before the first.
    walls: Option<u32>,
}

/// Figures of trips.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State)]
pub(super) struct Trips {
    pub(super) arrived: u32,
    /// Failed: no path, bad goal, out of budget, stuck.
    pub(super) failed: [u32; 4],
    pub(super) blocked: u32,
}

const TRIP: Purpose = Purpose::new("collapse.trip");
/// So near is there, m.
const ARRIVE_M: f32 = 0.4;
/// How long one stays at a place, s.
const REST_S: [f32; 2] = [0.2, 1.5];
/// Looks around every so many ticks.
const LOOK_TICKS: u64 = 3;
/// How far to either side one sees, rad.
pub(super) const LOOK_RAD: f32 = 1.9;
/// Room round a body in which one feels what stands there, m; and how far one feels about when blocked.
const FEEL_M: f32 = 0.15;
const GROPE_M: f32 = 0.8;
/// How far ahead one avoids others, s: ways past them are seen from farther, and who avoids them early, too, stands before
/// doors through which others come: with seeds 1 to 7, 20 stood for over 2 s with a horizon of 2 s, 3 with this one.
pub(super) const HORIZON_S: f32 = 0.4;

impl Dweller {
    /// The ground, as each believes it to be.
    pub(super) fn field(&self) -> Field<'_> {
        let version = self.dynamic.version();
        Field { mesh: self.dynamic.mesh(), costs: &self.costs, versions: &self.versions, version }
    }
}

impl Walks for Dweller {
    fn follower(legs: &mut Motor) -> Option<&mut Follower> {
        Some(&mut legs.follower)
    }
}

impl Trips {
    pub(super) fn add(&mut self, other: &Trips) {
        self.arrived += other.arrived;
        self.blocked += other.blocked;
        self.failed.iter_mut().zip(other.failed).for_each(|(sum, one)| *sum += one);
    }

    fn note(&mut self, outcome: Option<Outcome>) {
        match outcome {
            Some(Outcome::Arrived { .. }) => self.arrived = self.arrived.saturating_add(1),
            Some(Outcome::Failed { cause, .. }) => {
                self.failed[cause as usize] = self.failed[cause as usize].saturating_add(1);
            }
            Some(Outcome::Blocked { .. }) => self.blocked = self.blocked.saturating_add(1),
            _ => {}
        }
    }
}

impl Mind for Dweller {
    type Senses = Senses;
    type Brain = Plan;
    type Motor = Motor;
    type Squad = Requests;
    /// Where it is sent.
    type Notice = WalkerBrain;

    fn receive(&self, _view: &ThinkView<'_>, errand: WalkerBrain, plan: &mut Plan) {
        *plan = Plan { errand, ..Plan::default() };
    }

    fn coordinate(&self, view: &SquadView, requests: &mut Requests, roster: &mut Roster<'_, '_, Self>) {
        let Tuning { gait, requests: config, .. } = &self.tuning;
        Router { field: self.field(), config, follow: &gait.follow }.route(view, roster, requests);
    }

    fn sense(&self, view: &SenseView<'_>, senses: &mut Senses, beliefs: &mut Beliefs, notes: &mut Notes<'_>) {
        let body = &view.me.body;
        senses.knowledge.revise(&self.truth);
        let has_no_way = |one: &Outcome| matches!(one, Outcome::Failed { cause: Cause::NoPath, .. });
        if beliefs.outcomes().iter().any(has_no_way) {
            let value = senses.knowledge.doubt() as f32;
            notes.because(|| Reason { what: "doubts what it knew", held: true, value, limit: 0.0 });
        }
        let is_blocked = beliefs.outcomes().iter().any(|one| matches!(one, Outcome::Blocked { .. }));
        let reach_m = body.radius_m + if is_blocked { GROPE_M } else { FEEL_M };
        let felt = senses.knowledge.touch(&self.truth, body.pose.position, reach_m);
        senses.felt += felt.found;
        if felt.is_any() {
            notes.because(|| Reason { what: "walked into something", held: true, value: 1.0, limit: 0.0 });
        }
        if !(view.tick.0 + view.me.agent.index() as u64).is_multiple_of(LOOK_TICKS) {
            return;
        }
        let (position, yaw, range_m) = (body.eye(), body.pose.yaw, self.tuning.sight_m);
        let eye = Eye { position, yaw, range_m, half_angle_rad: LOOK_RAD };
        let seen = senses.knowledge.look(&self.truth, &eye, |from, to| view.world.geometry.is_clear(from, to));
        senses.seen += seen.found;
        senses.missed += seen.lost;
        if seen.is_any() {
            let value = seen.found as f32;
            notes.because(|| Reason { what: "sees what has changed", held: true, value, limit: 0.0 });
        }
    }

    fn think(&self, view: &ThinkView<'_>, plan: &mut Plan, intents: &mut Intents, notes: &mut Notes<'_>) {
        let wish = intents.travel().map(|(ticket, _)| ticket);
        let ends = |one: &Outcome| match one {
            Outcome::Arrived { ticket } | Outcome::Failed { ticket, .. } => Some(*ticket) == wish,
            _ => false,
        };
        let mut random = view.random(TRIP);
        if plan.is_on_trip && view.beliefs.outcomes().iter().any(ends) {
            plan.is_on_trip = false;
            plan.rests_until = view.tick + view.rate.ticks(random.between(REST_S[0], REST_S[1]));
        }
        let is_on_trip = plan.is_on_trip;
        let value = f32::from(u8::from(is_on_trip));
        notes.because(|| Reason { what: "on a trip", held: is_on_trip, value, limit: 0.5 });
        let stops = &self.tuning.stops;
        if is_on_trip || view.tick < plan.rests_until || stops.is_empty() {
            return;
        }
        let goal = match plan.errand {
            WalkerBrain::Any => stops[random.below(stops.len() as u32) as usize],
            WalkerBrain::Stay => return,
            WalkerBrain::To(goal) => goal,
        };
        if plan.errand != WalkerBrain::Any {
            plan.errand = WalkerBrain::Stay;
        }
        if goal.distance(view.beliefs.me.pose.position) > ROOM_M {
            let pace_m_per_s = self.tuning.pace_m_per_s;
            intents.go(Travel { goal, manner: Manner::Shortest, pace_m_per_s, arrive_m: ARRIVE_M });
            plan.is_on_trip = true;
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
        let Tuning { pace_m_per_s, gait, .. } = &self.tuning;
        let walls = self.truth.footprints().filter(|it| it.is_public).count() as u32;
        if legs.walls.replace(walls).is_some_and(|before| walls < before) {
            // One broke, and everybody hears that: there may be a better way.
            legs.follower.reconsider();
        }
        let errand = walk::WalkRequest::of(view, *pace_m_per_s, ARRIVE_M);
        let stride = gait.stride(view, &self.field().ground(view.me.agent), &mut legs.follower, &errand);
        legs.trips.note(stride.advice.outcome);
        stride.report(out, notes);
        motion.velocity = plane::lift(stride.velocity, 0.0);
        motion.actions = stride.advice.actions;
        gait.face(view, &stride, motion);
    }
}

/// A trip is this long at least, in a straight line, m.
const ROOM_M: f32 = 7.0;
