//! The mind of who commutes: a random place, a way there, the next place.

use sentir::core::plane;
use sentir::prelude::*;
use sentir::walk::{Field, Router, WalkConfig, WalkRequest, Walks};
use sentir_act::follow::Follower;
use sentir_nav::mesh::Mesh;
use sentir_nav::request::{RequestConfig, Requests};

/// Tuning, shared by all. The building is public knowledge.
pub(super) struct Commuter {
    pub(super) mesh: Mesh,
    /// The part of it in which all trips are.
    pub(super) component: u32,
    pub(super) pace_m_per_s: f32,
    pub(super) gait: WalkConfig,
    /// How much is searched for ways.
    pub(super) requests: RequestConfig,
}

/// What one remembers: whether it is on a trip.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub(super) struct Plan {
    is_on_trip: bool,
}

/// What the legs remember.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub(super) struct Motor {
    pub(super) follower: Follower,
    /// Length of the way of this trip as it was found, m; 0 before it is.
    way_m: f32,
    /// Since when the trip is on, ticks.
    on_way: u32,
    pub(super) trips: Trips,
}

/// Figures of trips.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub(super) struct Trips {
    pub(super) arrived: u64,
    /// Failed: no path, bad goal, out of budget, stuck, bad start.
    pub(super) failed: [u64; 5],
    /// Times that somebody was held up for long.
    pub(super) blocked: u64,
    /// Of those that arrived: ways, m, and times, ticks.
    pub(super) way_m: f64,
    pub(super) ticks: u64,
}

impl Trips {
    pub(super) fn add(&mut self, other: &Trips) {
        self.arrived += other.arrived;
        for (sum, one) in self.failed.iter_mut().zip(other.failed) {
            *sum += one;
        }
        self.blocked += other.blocked;
        self.way_m += other.way_m;
        self.ticks += other.ticks;
    }
}

/// A random place in a part of the mesh; none if it is not found in a few draws.
pub(super) fn place_in(mesh: &Mesh, component: u32, random: &mut Stream) -> Option<Vec3> {
    let draw = |_| mesh.random_place(random).filter(|place| mesh.component(place.polygon) == Some(component));
    (0..16).find_map(draw).map(|place| place.point)
}

const TRIP: Purpose = Purpose::new("commute.trip");
/// So near is there, m.
const ARRIVE_M: f32 = 0.4;
/// A trip is this long at least, in a straight line, m.
const TRIP_M_MIN: f32 = 5.0;

impl Commuter {
    /// Figures of this tick.
    fn note(&self, legs: &mut Motor, outcome: Option<Outcome>) {
        let Motor { follower, trips, .. } = legs;
        if legs.way_m == 0.0 {
            legs.way_m = follower.length_m();
        }
        legs.on_way += 1;
        match outcome {
            Some(Outcome::Arrived { .. }) => {
                trips.arrived += 1;
                trips.way_m += f64::from(legs.way_m);
                trips.ticks += u64::from(legs.on_way);
            }
            Some(Outcome::Failed { cause, .. }) => trips.failed[cause as usize] += 1,
            Some(Outcome::Blocked { .. }) => trips.blocked += 1,
            _ => {}
        }
        if matches!(outcome, Some(Outcome::Arrived { .. } | Outcome::Failed { .. })) {
            (legs.way_m, legs.on_way) = (0.0, 0);
        }
    }
}

impl Mind for Commuter {
    type Senses = ();
    type Brain = Plan;
    type Motor = Motor;
    type Squad = Requests;
    type Notice = ();

    fn think(&self, view: &ThinkView<'_>, plan: &mut Plan, intents: &mut Intents, notes: &mut Notes<'_>) {
        let wish = intents.travel().map(|(ticket, _)| ticket);
        let ends = |one: &Outcome| match one {
            Outcome::Arrived { ticket } | Outcome::Failed { ticket, .. } => Some(*ticket) == wish,
            _ => false,
        };
        if view.beliefs.outcomes().iter().any(ends) {
            plan.is_on_trip = false;
        }
        let is_on_trip = plan.is_on_trip;
        notes.because(|| Reason {
            what: "on a trip",
            held: is_on_trip,
            value: f32::from(u8::from(is_on_trip)),
            limit: 0.5,
        });
        if plan.is_on_trip {
            return;
        }
        let mut random = view.random(TRIP);
        let here = view.beliefs.me.pose.position;
        for _ in 0..8 {
            let Some(goal) = place_in(&self.mesh, self.component, &mut random) else { return };
            if goal.distance(here) > TRIP_M_MIN {
                let pace_m_per_s = self.pace_m_per_s;
                intents.go(Travel { goal, manner: Manner::Shortest, pace_m_per_s, arrive_m: ARRIVE_M });
                plan.is_on_trip = true;
                return;
            }
        }
    }

    fn coordinate(&self, view: &SquadView, requests: &mut Requests, roster: &mut Roster<'_, '_, Self>) {
        let field = Field::plain(&self.mesh);
        Router { field, config: &self.requests, follow: &self.gait.follow }.route(view, roster, requests);
    }

    fn act(
        &self,
        view: &ActView<'_>,
        legs: &mut Motor,
        motion: &mut Motion,
        out: &mut Outcomes<'_>,
        notes: &mut Notes<'_>,
    ) {
        let arrive_m = view.travel().map_or(ARRIVE_M, |(_, travel)| travel.arrive_m);
        let errand = WalkRequest::of(view, self.pace_m_per_s, arrive_m);
        let ground = Field::plain(&self.mesh).ground(view.me.agent);
        let stride = self.gait.stride(view, &ground, &mut legs.follower, &errand);
        stride.report(out, notes);
        self.note(legs, stride.advice.outcome);
        motion.velocity = plane::lift(stride.velocity, 0.0);
        motion.actions = stride.advice.actions;
        self.gait.face(view, &stride, motion);
    }
}

impl Walks for Commuter {
    fn follower(legs: &mut Motor) -> Option<&mut Follower> {
        Some(&mut legs.follower)
    }
}
