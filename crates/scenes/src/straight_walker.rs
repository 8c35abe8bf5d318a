//! The plainest mind there is: straight at the goal, whatever stands in the way. The baseline that real movement has to
//! beat.

use sentir::core::{math, plane};
use sentir::prelude::*;

/// Goes through a list of places, one after the other.
#[derive(Clone, Copy, Debug, Default)]
pub struct StraightWalker {
    /// How fast, m/s.
    pub pace_m_per_s: f32,
    /// How far the way sways to either side, rad; drawn anew at every act. Nobody walks along a ruler, and bodies that did
    /// would lock in an arch before a door for ever; nor does anybody push on the spot for ever.
    pub sway_rad: f32,
}

const SWAY: Purpose = Purpose::new("plain.sway");
const JOSTLE: Purpose = Purpose::new("plain.jostle");

/// What one remembers: where to.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub struct WalkerBrain {
    /// Places still to go to, the next one last.
    pub stops: Vec<Vec2>,
}

/// What one may be told: a way, place by place, so that nothing is allocated.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub enum Notice {
    /// All places are off.
    Halt,
    /// A place to go to before all that it was told so far, m.
    Stop(Vec2),
}

/// What the legs remember.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub struct WalkerMotor {
    /// The last wish that was reported as reached.
    arrived: Ticket,
    /// For how many acts on end it has been held up.
    held: u16,
    /// How many it bears before it gives way; drawn anew each time, so that not all do at once.
    patience: u16,
    /// Until when it gives way.
    back_until: Tick,
    /// Which way it then goes, rad.
    back_yaw: f32,
}

/// Slower than this share of the wanted speed is held up.
const HELD_SHARE: f32 = 0.3;
/// Acts that one bears to be held up, at least and at most.
const PATIENCE: [f32; 2] = [5.0, 60.0];
/// How long one gives way, s.
const BACK_S: [f32; 2] = [0.2, 1.2];
/// How far off straight back, to either side, rad.
const BACK_RAD: f32 = 1.2;
/// Share of the pace at which one does.
const BACK_SHARE: f32 = 0.6;

impl Mind for StraightWalker {
    type Senses = ();
    type Brain = WalkerBrain;
    type Motor = WalkerMotor;
    type Squad = ();
    type Notice = Notice;

    fn receive(&self, _view: &ThinkView<'_>, notice: Notice, errand: &mut WalkerBrain) {
        match notice {
            Notice::Halt => errand.stops.clear(),
            Notice::Stop(place) => errand.stops.push(place),
        }
    }

    fn think(&self, view: &ThinkView<'_>, errand: &mut WalkerBrain, intents: &mut Intents, notes: &mut Notes<'_>) {
        if view.has_arrived(intents) {
            errand.stops.pop();
            // The next stop may be the same place again: a new wish all the same.
            intents.stay();
        }
        match errand.stops.last() {
            Some(&stop) => {
                let (goal, pace_m_per_s) = (plane::lift(stop, 0.0), self.pace_m_per_s);
                notes.because(|| Reason {
                    what: "stops left",
                    held: true,
                    value: errand.stops.len() as f32,
                    limit: 0.0,
                });
                intents.go(Travel { goal, manner: Manner::Straight, pace_m_per_s, arrive_m: 0.5 });
            }
            None => intents.stay(),
        }
    }

    fn act(
        &self,
        view: &ActView<'_>,
        gait: &mut WalkerMotor,
        motion: &mut Motion,
        out: &mut Outcomes<'_>,
        notes: &mut Notes<'_>,
    ) {
        motion.velocity = Vec3::ZERO;
        let Some((ticket, travel)) = view.travel() else { return };
        let way = plane::ground(travel.goal - view.me.body.pose.position);
        let distance = way.length();
        if distance <= travel.arrive_m && gait.arrived != ticket {
            gait.arrived = ticket;
            out.report(Outcome::Arrived { ticket });
            notes.event(EventKind::Arrived { ticket });
        }
        let speed = math::min(travel.pace_m_per_s, distance * 3.0);
        // Held for a third of a second: a sway, not a tremor.
        let sway = view.random_for(SWAY, 20).between(-self.sway_rad, self.sway_rad);
        let yaw = plane::yaw(way) + sway;
        let is_held = speed > 0.5 && view.me.body.velocity.length() < speed * HELD_SHARE;
        gait.held = if is_held { gait.held.saturating_add(1) } else { 0 };
        if gait.held > gait.patience {
            let mut random = view.random(JOSTLE);
            gait.held = 0;
            gait.patience = random.between(PATIENCE[0], PATIENCE[1]) as u16;
            gait.back_until = view.tick + view.rate.ticks(random.between(BACK_S[0], BACK_S[1]));
            gait.back_yaw = yaw + math::PI + random.between(-BACK_RAD, BACK_RAD);
        }
        let gives_way = view.tick < gait.back_until;
        let heading = if gives_way { plane::heading(gait.back_yaw) * BACK_SHARE } else { plane::heading(yaw) };
        motion.velocity = plane::lift(heading * speed, 0.0);
        if distance > 0.2 {
            motion.yaw = plane::yaw(way);
        }
    }
}
