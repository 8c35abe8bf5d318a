//! A mind that goes through a list of places like [`straight_walker`](crate::straight_walker) but minds the others on the way: mutual
//! avoidance (`sentir_act::avoid`) inside of `act`, smoothed so that nobody trembles.
//!
//! Before a gate there is an order: who is nearer goes first, and who is behind does all of the yielding. So the first one
//! is always free to go, and no arch holds for ever.
//!
//! Elsewhere there is an order, too, or a press of people who all want through each other stands for ever, in whatever
//! direction they bear: among those who are held up, who has the lower rank goes first. The others see it as coming the way
//! it faces, and do all of the yielding, so that the one of the lowest rank gets on, and then the next. Who rests makes
//! room for whoever is held up right before it. Read of the others is what can be seen: place, velocity, facing, rank.

use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_act::avoid::{self, AvoidConfig, Avoider, Nearest, Neighbor, Planes, WallIndex};
use sentir_act::{Moving, mover};

/// A narrow place that everybody has to pass one after the other.
#[derive(Clone, Copy, Debug)]
pub struct Gate {
    /// Its middle, m.
    pub at: Vec2,
    /// The way through it; unit length.
    pub ahead: Vec2,
    /// How far to either side of the middle one can walk through, m.
    pub half_m: f32,
}

impl Gate {
    /// How far somebody has come: minus the distance before it, plus the distance past it, m.
    fn progress(&self, place: Vec2) -> f32 {
        let way = place - self.at;
        if way.dot(self.ahead) > 0.0 { way.length() } else { -way.length() }
    }

    /// Where to walk at from `place`: straight through where that is possible.
    fn mouth(&self, place: Vec2) -> Vec2 {
        let left = plane::left_of(self.ahead);
        self.at + left * math::clamp((place - self.at).dot(left), -self.half_m, self.half_m)
    }
}

/// Tuning, shared by all.
#[derive(Clone, Debug, Default)]
pub struct OrcaWalker {
    /// How fast, m/s.
    pub pace_m_per_s: f32,
    /// How far ahead others are looked at, s.
    pub horizon_s: f32,
    /// Room kept to others beside the bodies, m.
    pub margin_m: f32,
    /// Priority of who stands, where who goes has 1. Below 1 they make room.
    pub stand_priority: f32,
    /// How far who is held up bears to the right at most, rad.
    pub lean_rad_max: f32,
    /// Strongest change of the wish, m/s².
    pub acceleration_m_per_s2: f32,
    /// Avoidance.
    pub avoid: AvoidConfig,
    /// The walls.
    pub walls: WallIndex,
    /// The narrow place, if there is one.
    pub gate: Option<Gate>,
}

/// What one remembers: where to.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub struct WalkerBrain {
    /// Places still to go to, the next one last.
    pub stops: Vec<Vec2>,
}

/// What the legs remember.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub struct WalkerMotor {
    /// The last wish that was reported as reached.
    arrived: Ticket,
    /// What it does now, smoothed, m/s.
    velocity: Vec2,
    /// For how many acts on end it has been held up.
    held: u16,
    /// How far it bears to the right, rad.
    lean: f32,
    /// Whether it is on its way to the left instead.
    tries_left: bool,
}

/// Held up for so long near the goal, one is content, s.
const PATIENCE_S: f32 = 1.0;
/// How fast one comes to bear to the right, rad/s.
const LEAN_RAD_PER_S: f32 = 0.3;
/// Standing for so long, one tries the other side, s.
const TRY_S: f32 = 5.0;
/// Slower than this is standing, m/s.
const STILL_M_PER_S: f32 = 0.06;
/// Within this of a goal that others stand on, not to get on is being there, m.
const NEAR_ENOUGH_M: f32 = 2.5;
/// So near to a stop on the way is past it, and so near to the last is there, m.
const PASSED_M: f32 = 2.0;
const THERE_M: f32 = 0.4;
/// The order of a gate holds up to here past it, m.
const PAST_M: f32 = 1.2;
/// Who stands this near to a gate is given room by those behind, m, who back at this pace, m/s.
const MOUTH_M: f32 = 1.1;
const GIVE_M_PER_S: f32 = 0.6;
/// Slower than this share of its wish, somebody is held up.
const HELD: f32 = 0.6;
/// With less room between two, m, one who is held up is seen as coming at this share of the pace. At the whole of it bodies
/// run into each other far more, and turn more.
const PRESS_M: f32 = 1.5;
const COMES: f32 = 0.5;
/// The same for who rests: with less room than this, m, and faced within this, as a cosine.
const REST_M: f32 = 0.6;
const REST_FACING: f32 = 0.6;
/// Calm turns while waiting, rad/s.
const TURN_RAD_PER_S: f32 = 4.0;

impl OrcaWalker {
    /// The velocity it would take alone, toward a stop.
    pub fn wish(&self, place: Vec2, stop: Vec2) -> Vec2 {
        let is_before = |gate: &Gate| (place - gate.at).dot(gate.ahead) < 0.0 && (stop - gate.at).dot(gate.ahead) > 0.0;
        let target = match &self.gate {
            // Past the mouth's line, so that nobody slows down in it.
            Some(gate) if is_before(gate) => gate.mouth(place) + gate.ahead * 0.5,
            _ => stop,
        };
        let way = target - place;
        let speed = if target == stop { math::min(self.pace_m_per_s, way.length() * 2.0) } else { self.pace_m_per_s };
        plane::direction(way) * speed
    }

    /// Anybody can see who stands, so both sides agree.
    fn priority(&self, body: &Body) -> f32 {
        if body.velocity.length() < 0.1 { self.stand_priority } else { 1.0 }
    }

    /// How somebody looks to avoidance who wants this.
    pub fn avoider(&self, it: &Presence, wanted: Vec2) -> Avoider {
        let at = Moving::of(&it.body);
        Avoider {
            position: at.position,
            velocity: at.velocity,
            wanted,
            radius_m: at.radius_m + self.margin_m,
            speed_m_per_s_max: self.pace_m_per_s,
            priority: self.priority(&it.body),
            horizon_s: self.horizon_s,
        }
    }

    /// The velocity by which somebody held up is seen as coming, by who has to make room for it; none for the others. Who
    /// `rests` wants nowhere, and makes room for anybody.
    fn comes(&self, me: &Presence, rests: bool, other: &Presence) -> Option<Vec2> {
        let is_held = |it: &Presence| it.body.velocity.length() < HELD * self.pace_m_per_s;
        // Who does not move at all may rest, and stay: in a press there is hardly anybody who does not.
        let moves = other.body.velocity.length() >= STILL_M_PER_S;
        let is_before = rests || moves && is_held(me) && other.agent.index() < me.agent.index();
        if !is_before || !is_held(other) {
            return None;
        }
        let (mine, theirs) = (Moving::of(&me.body), Moving::of(&other.body));
        let (off, ahead) = (mine.position - theirs.position, plane::heading(theirs.yaw));
        let (gap_m, cosine) = if rests { (REST_M, REST_FACING) } else { (PRESS_M, 0.0) };
        let is_in_way =
            off.length() - mine.radius_m - theirs.radius_m < gap_m && ahead.dot(off) > cosine * off.length();
        is_in_way.then(|| ahead * (COMES * self.pace_m_per_s))
    }

    /// Takes in another, for who may be at rest; at a gate, unless it is behind in the order and so has to yield by itself.
    pub fn mind(&self, me: &Presence, rests: bool, other: &Presence, near: &mut Nearest) {
        let rank = other.agent.index() as u32;
        let mut at = Moving::of(&other.body);
        let mut priority = self.priority(&other.body);
        let place = plane::ground(me.body.pose.position);
        let is_in_line = |gate: &&Gate| gate.progress(place) < PAST_M;
        if let Some(gate) = self.gate.as_ref().filter(is_in_line) {
            let (mine, theirs) = (gate.progress(place), gate.progress(at.position));
            if theirs < mine || (theirs == mine && rank > me.agent.index() as u32) {
                return;
            }
            priority = f32::INFINITY;
            // Who is first and held up wants the room one stands in: it is seen as coming.
            let comes = plane::direction(gate.mouth(at.position) + gate.ahead * 0.5 - at.position) * self.pace_m_per_s;
            let toward = place - at.position;
            if theirs < 0.0 && comes.dot(toward) > 0.0 {
                at.velocity = comes;
            } else if (-MOUTH_M..0.0).contains(&theirs) && at.velocity.length() < 0.2 {
                // Held up right at the gate, it needs room to get round the post, wherever that is.
                at.velocity = plane::direction(toward) * GIVE_M_PER_S;
            }
        }
        if self.gate.is_none()
            && let Some(velocity) = self.comes(me, rests, other)
        {
            (at.velocity, priority) = (velocity, f32::INFINITY);
        }
        at.radius_m += self.margin_m;
        near.add(Neighbor::of(&at, priority, rank));
    }

    /// The velocity that avoidance chooses; what it weighed stays in `planes`.
    pub fn choose(&self, me: &Presence, wanted: Vec2, near: &Nearest, planes: &mut Planes) -> Vec2 {
        let it = self.avoider(me, wanted);
        let reach_m = it.radius_m + it.speed_m_per_s_max * self.avoid.wall_horizon_s;
        // Walls are kept off by the body's own radius: margins are for people.
        let slim = Avoider { radius_m: me.body.radius_m + 0.01, ..it };
        let walls = self.walls.around(it.position, reach_m);
        planes.clear();
        for wall in walls {
            if let Some(plane) = avoid::wall_plane(&slim, &wall, &self.avoid) {
                planes.push_wall(plane);
            }
        }
        avoid::avoid_neighbors(&it, me.agent.index() as u32, &self.avoid, near, planes)
    }
}

impl Mind for OrcaWalker {
    type Senses = ();
    type Brain = WalkerBrain;
    type Motor = WalkerMotor;
    type Squad = ();
    type Notice = ();

    fn think(&self, view: &ThinkView<'_>, errand: &mut WalkerBrain, intents: &mut Intents, notes: &mut Notes<'_>) {
        if view.has_arrived(intents) {
            errand.stops.pop();
            intents.stay();
        }
        let left = errand.stops.len() as f32;
        notes.because(|| Reason { what: "stops left", held: left > 0.0, value: left, limit: 0.0 });
        match errand.stops.last() {
            Some(&stop) => {
                let (goal, pace_m_per_s) = (plane::lift(stop, 0.0), self.pace_m_per_s);
                let arrive_m = if errand.stops.len() > 1 { PASSED_M } else { THERE_M };
                intents.go(Travel { goal, manner: Manner::Straight, pace_m_per_s, arrive_m });
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
        let me = view.me;
        let place = plane::ground(me.body.pose.position);
        let tick_s = view.rate.tick_s();
        let mut wanted = Vec2::ZERO;
        let travel = view.travel();
        if let Some((ticket, travel)) = travel {
            let stop = plane::ground(travel.goal);
            wanted = self.wish(place, stop);
            let distance = place.distance(stop);
            let is_there =
                distance <= travel.arrive_m || (distance < NEAR_ENOUGH_M && f32::from(gait.held) * tick_s > PATIENCE_S);
            if is_there && gait.arrived != ticket {
                gait.arrived = ticket;
                out.report(Outcome::Arrived { ticket });
                notes.event(EventKind::Arrived { ticket });
            }
        }
        // In the open, who does not get on near its goal need not stand still to be content: others stand on it.
        let is_near = travel.is_some_and(|(_, travel)| place.distance(plane::ground(travel.goal)) < NEAR_ENOUGH_M);
        let still_m_per_s = if is_near && self.gate.is_none() { HELD * wanted.length() } else { 0.1 };
        let is_held = wanted.length() > 0.3 && me.body.velocity.length() < still_m_per_s;
        gait.held = if is_held { gait.held.saturating_add(1) } else { 0 };
        if self.gate.is_none() {
            // Where all ways cross, those who are held up bear to the right, all the more the longer: the crowd turns.
            // Who is held up for all that (by a wall, by people who stand) tries the other side, and so on.
            let is_slow = me.body.velocity.length() < HELD * wanted.length();
            let most = if gait.tries_left { -self.lean_rad_max } else { self.lean_rad_max };
            let (to, rate) = if is_slow { (most, LEAN_RAD_PER_S) } else { (0.0, 2.0 * LEAN_RAD_PER_S) };
            gait.lean = math::approach(gait.lean, to, rate * tick_s);
            if f32::from(gait.held) * tick_s > TRY_S {
                (gait.held, gait.tries_left) = (0, !gait.tries_left);
            }
            gait.tries_left &= gait.lean != 0.0;
            let (sin, cos) = math::sin_cos(gait.lean);
            wanted = wanted * cos - plane::left_of(wanted) * sin;
        }
        let mut near = Nearest::around(place, me.agent.index() as u32, &self.avoid);
        view.world.visit_near(me.body.pose.position, self.avoid.range_m, |other| {
            self.mind(me, travel.is_none(), other, &mut near);
        });
        let chosen = self.choose(me, wanted, &near, &mut Planes::default());
        let chosen = if chosen.length() < STILL_M_PER_S { Vec2::ZERO } else { chosen };
        let change = mover::limited(chosen - gait.velocity, self.acceleration_m_per_s2 * tick_s);
        gait.velocity += change;
        motion.velocity = plane::lift(gait.velocity, 0.0);
        let facing = if gait.velocity.length() > 0.4 { gait.velocity } else { wanted };
        if facing.length() > 0.2 {
            motion.yaw = math::approach_angle(me.body.pose.yaw, plane::yaw(facing), TURN_RAD_PER_S * tick_s);
        }
    }
}
