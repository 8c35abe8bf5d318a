//! The one mind of all four: to the next goal, looking at the post, by arriving and nothing else.

use sentir::core::plane;
use sentir::prelude::*;
use sentir_act::steer::Deceleration;
use sentir_act::{Drive, Locomotion, LocomotionState};

/// Tuning: what each kind of agent moves like.
pub(super) struct Driver {
    pub(super) kinds: [Locomotion; 4],
    /// How gently all of them come to a stop.
    pub(super) deceleration: Deceleration,
}

/// What one wants.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub(super) struct WalkerBrain {
    /// Places still to go to, the next one last.
    pub(super) stops: Vec<Vec2>,
    /// What to look at.
    pub(super) watched: Vec2,
}

/// What movement remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub(super) struct Motor {
    pub(super) stride: LocomotionState,
    /// Whether the stride has been set on the body.
    is_set: bool,
    /// The last wish that was reported as reached.
    arrived: Ticket,
}

/// How near is there, m, and how slow is at rest, m/s.
const ARRIVE_M: f32 = 0.3;
const REST_M_PER_S: f32 = 0.2;
/// A body this much off the velocity it was given was held up, m/s; less is what quantized controls lose.
const HELD_UP_M_PER_S: f32 = 0.35;

impl Mind for Driver {
    type Senses = ();
    type Brain = WalkerBrain;
    type Motor = Motor;
    type Squad = ();
    type Notice = ();

    fn think(&self, view: &ThinkView<'_>, errand: &mut WalkerBrain, intents: &mut Intents, notes: &mut Notes<'_>) {
        if view.has_arrived(intents) {
            errand.stops.pop();
        }
        let left = errand.stops.len() as f32;
        notes.because(|| Reason { what: "goals left", held: left > 0.0, value: left, limit: 0.0 });
        intents.gaze = Gaze::At(plane::lift(errand.watched, 0.0));
        match errand.stops.last() {
            Some(&stop) => {
                let (goal, manner) = (plane::lift(stop, 0.0), Manner::Straight);
                intents.go(Travel { goal, manner, pace_m_per_s: f32::INFINITY, arrive_m: ARRIVE_M });
            }
            None => intents.stay(),
        }
    }

    fn act(
        &self,
        view: &ActView<'_>,
        motor: &mut Motor,
        motion: &mut Motion,
        out: &mut Outcomes<'_>,
        notes: &mut Notes<'_>,
    ) {
        let Some(body) = self.kinds.get(usize::from(view.me.kind)) else { return };
        let seen = &view.me.body;
        let (place, velocity) = (plane::ground(seen.pose.position), plane::ground(seen.velocity));
        let stride = &mut motor.stride;
        if !motor.is_set {
            (*stride, motor.is_set) = (LocomotionState::at(place, seen.pose.yaw), true);
        }
        // Where the body really is, and how it moves if somebody was in its way.
        stride.position = place;
        if stride.velocity.distance(velocity) > HELD_UP_M_PER_S {
            stride.velocity = velocity;
        }
        let mover = body.mover(stride);
        let drive = match view.travel() {
            Some((ticket, travel)) => {
                let goal = plane::ground(travel.goal);
                let is_there = place.distance(goal) <= travel.arrive_m && stride.velocity.length() <= REST_M_PER_S;
                if is_there && motor.arrived != ticket {
                    motor.arrived = ticket;
                    out.report(Outcome::Arrived { ticket });
                    notes.event(EventKind::Arrived { ticket });
                }
                Drive::arrive(&mover, goal, self.deceleration)
            }
            None => Drive { velocity: Some(Vec2::ZERO), acceleration: mover.toward(Vec2::ZERO), ..Drive::default() },
        };
        let face = match view.gaze() {
            Gaze::At(point) => Some(plane::yaw(plane::ground(point) - place)),
            Gaze::Along(yaw) => Some(yaw),
            Gaze::Ahead => None,
        };
        let tick_s = view.rate.tick_s();
        body.step(stride, &Drive { face, ..drive }, tick_s);
        motion.velocity = plane::lift((stride.position - place) / tick_s, 0.0);
        motion.yaw = stride.yaw;
    }
}
