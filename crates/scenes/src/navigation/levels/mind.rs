//! The mind of people who follow ways on a mesh: they pick a place, are brought a way by the coordination, walk it leg by
//! leg, mind the others on their floor, and never step off the mesh: what they choose is cut at its border.
//!
//! A leg over a jump link is a task of its own: stand before the gap, run, jump, land.

use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_act::avoid::{self, AvoidConfig, Avoider, Nearest, Neighbor, Planes};
use sentir_act::{Moving, mover};
use sentir_nav::mesh::{AreaCosts, CorridorSearch, Mesh, MeshQuery};

use super::tally::Searches;

/// Tuning and tables, shared by all.
pub(super) struct Traveler {
    /// Where one can walk.
    pub(super) mesh: Mesh,
    /// Where people go.
    pub(super) stops: Vec<Vec3>,
    avoid: AvoidConfig,
}

/// A straight part of a way.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub(super) struct Leg {
    /// Where it ends, m.
    pub(super) to: Vec3,
    /// Whether it is jumped.
    pub(super) is_jump: bool,
}

/// What one remembers: where to, and the way there.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub(super) struct WalkerBrain {
    /// Which stop; past the last one for none yet.
    pub(super) goal: u8,
    /// Whether it waits for a way to the goal.
    pub(super) needs_way: bool,
    /// Whether it has no ground under the feet.
    pub(super) is_in_air: bool,
    /// Where the leg began, m.
    pub(super) from: Vec3,
    /// The legs that are left, the next one last.
    pub(super) legs: Vec<Leg>,
    /// Until when it stays where it is.
    rests_until: Tick,
    /// Whether the rest is over once it has begun.
    has_goal: bool,
}

/// What one is told.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub(super) enum Notice {
    /// It was pushed off its way or is held up: it needs another, as it feels itself.
    Lost,
    /// It left the ground, or landed.
    Air(bool),
    /// A way from a place; its legs follow, the last one first.
    Way {
        /// Where it begins, m.
        from: Vec3,
    },
    /// A leg of that way.
    Leg(Leg),
}

/// What the legs remember.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub(super) struct WalkerMotor {
    /// The last wish that was reported as reached.
    arrived: Ticket,
    /// What it does now, smoothed, m/s.
    velocity: Vec2,
    /// For how many acts on end it has been held up.
    held: u16,
}

/// Ticks between two turns of one to be given a way. Everybody has turns of its own: nobody waits for who else is there.
const TURN_TICKS: u64 = 4;
/// Polygons that one search may look at.
const EXPANSIONS_MAX: u32 = 2000;
/// How far from the mesh bodies and places may be, m.
pub(super) const REACH: Vec3 = Vec3::new(1.0, 1.0, 1.0);
/// Corners of a way at most; what is longer is walked in parts.
const LEGS_MAX: usize = 64;
const GOAL: Purpose = Purpose::new("levels.goal");
const REST: Purpose = Purpose::new("levels.rest");
/// How fast one goes, and runs before a jump, m/s.
const PACE_M_PER_S: f32 = 1.8;
pub(super) const RUN_M_PER_S: f32 = 3.0;
/// So near to a corner on the way is past it, to the last is there, and to the edge of a gap is before it, m.
const PASSED_M: f32 = 0.2;
const THERE_M: f32 = 0.3;
const TAKE_OFF_M: f32 = 0.15;
/// Held up for so long, s, within so much of the last corner, m, one is content.
const PATIENCE_S: f32 = 0.5;
const CROWDED_M: f32 = 2.0;
/// How long one stays at a place, s.
const REST_S: [f32; 2] = [0.4, 1.6];
/// Whose feet are this much higher or lower is on another floor, m.
const FLOOR_M: f32 = 1.5;
/// How far ahead the border of the mesh is looked for, s.
const LOOK_S: f32 = 0.3;
/// How fast one comes back onto the mesh, per second.
const BACK_PER_S: f32 = 4.0;
/// How much of the speed along a border is turned away from it.
const INWARD: f32 = 0.05;
const ACCELERATION_M_PER_S2: f32 = 8.0;
const TURN_RAD_PER_S: f32 = 7.0;
/// Who runs at this share of the run's speed jumps.
const RUN_UP: f32 = 0.75;

impl Traveler {
    pub(super) fn new(mesh: Mesh, stops: Vec<Vec3>) -> Traveler {
        let avoid = AvoidConfig { range_m: 4.0, neighbors_max: 8, wall_horizon_s: 0.4, separate_s: 0.4 };
        Traveler { mesh, stops, avoid }
    }

    /// Cuts a velocity at the border of the mesh: along it, where it would lead over it.
    fn held(&self, feet: Vec3, velocity: Vec2) -> Vec2 {
        let Some(place) = self.mesh.nearest(feet, Vec3::new(0.8, 0.8, 0.8)) else { return velocity };
        // Who was pushed off comes back.
        let mut way = velocity + plane::ground(place.point - feet) * BACK_PER_S;
        for _ in 0..2 {
            let to = place.point + plane::lift(way * LOOK_S, 0.0);
            let Some(ray) = self.mesh.ray(place, to, &AreaCosts::PLAIN) else { return way };
            let Some([right, left]) = ray.wall else { return way };
            let along = plane::direction(plane::ground(left - right));
            // As much as there is room for, then along the border; a little away from it, so that the next look is free.
            let slide = along * way.dot(along) + plane::left_of(along) * (INWARD * way.length());
            way = way * ray.share + slide * (1.0 - ray.share);
        }
        let to = place.point + plane::lift(way * LOOK_S, 0.0);
        let is_free = self.mesh.ray(place, to, &AreaCosts::PLAIN).is_none_or(|ray| ray.wall.is_none());
        if is_free { way } else { Vec2::ZERO }
    }

    /// The velocity that avoidance chooses among those on the same floor.
    fn choose(&self, view: &ActView<'_>, wanted: Vec2) -> Vec2 {
        let (me, rank) = (view.me, view.me.agent.index() as u32);
        let at = Moving::of(&me.body);
        let priority = |body: &Body| if body.velocity.length() < 0.1 { 0.5 } else { 1.0 };
        let mut near = Nearest::around(at.position, rank, &self.avoid);
        let feet = me.body.pose.position;
        view.world.visit_near(feet, self.avoid.range_m, |other| {
            let it = Moving::of(&other.body);
            let is_here = (other.body.pose.position.y - feet.y).abs() < FLOOR_M;
            if is_here && other.agent != me.agent {
                near.add(Neighbor::of(&it, priority(&other.body), other.agent.index() as u32));
            }
        });
        let avoider = Avoider {
            position: at.position,
            velocity: at.velocity,
            wanted,
            radius_m: at.radius_m + 0.05,
            speed_m_per_s_max: PACE_M_PER_S,
            priority: priority(&me.body),
            horizon_s: 1.5,
        };
        avoid::avoid_neighbors(&avoider, rank, &self.avoid, &near, &mut Planes::default())
    }

    /// Leaves a corner out once the next one can be walked to straight; those before and after a gap stay.
    fn look_ahead(&self, feet: Vec3, errand: &mut WalkerBrain) {
        let [.., next, leg] = errand.legs.as_slice() else { return };
        if leg.is_jump || next.is_jump || errand.needs_way {
            return;
        }
        let place = self.mesh.nearest(feet, Vec3::new(0.3, 0.6, 0.3));
        let ray = place.and_then(|place| self.mesh.ray(place, next.to, &AreaCosts::PLAIN));
        // The next corner lies on the border, so that the ray may end a hair before it. Over a bridge or under it, the ray
        // ends on one of two floors.
        if ray.is_some_and(|ray| ray.share > 0.999 && (ray.place.point.y - next.to.y).abs() < 0.5) {
            errand.legs.pop();
            errand.from = feet;
        }
    }

    /// Picks the next goal, another than the last.
    fn next_goal(&self, view: &ThinkView<'_>, errand: &mut WalkerBrain) {
        let count = self.stops.len() as u32;
        let mut random = view.random(GOAL);
        let last = if errand.has_goal { u32::from(errand.goal) } else { count };
        let draw = random.below(if last < count { count - 1 } else { count });
        errand.goal = (draw + u32::from(draw >= last)) as u8;
        (errand.has_goal, errand.needs_way) = (true, true);
    }
}

impl Mind for Traveler {
    type Senses = ();
    type Brain = WalkerBrain;
    type Motor = WalkerMotor;
    type Squad = Searches;
    type Notice = Notice;

    fn receive(&self, _view: &ThinkView<'_>, notice: Notice, errand: &mut WalkerBrain) {
        match notice {
            Notice::Lost => errand.needs_way = true,
            Notice::Air(is_in_air) => errand.is_in_air = is_in_air,
            Notice::Way { from } => {
                errand.legs.clear();
                // Room for the longest, once: later ways take no memory.
                errand.legs.reserve(LEGS_MAX);
                // No way, or none worth it: another goal, after a while.
                (errand.needs_way, errand.from) = (false, from);
            }
            Notice::Leg(leg) => errand.legs.push(leg),
        }
    }

    fn coordinate(&self, view: &SquadView, searches: &mut Searches, roster: &mut Roster<'_, '_, Self>) {
        let mut search = roster.take_scratch::<CorridorSearch>();
        for place in 0..roster.members().len() {
            let Some(member) = roster.member(place) else { continue };
            let is_due = (view.tick.0 + member.agent.index() as u64).is_multiple_of(TURN_TICKS);
            let (errand, from) = (member.brain, member.beliefs.me.pose.position);
            let goal = self.stops.get(usize::from(errand.goal)).filter(|_| errand.needs_way && !errand.is_in_air);
            let Some(&goal) = goal.filter(|_| is_due) else { continue };
            let query = MeshQuery { extent: REACH, expansions_max: EXPANSIONS_MAX, ..MeshQuery::new(from, goal) };
            let answer = search.find(&self.mesh, &query);
            searches.note(answer.is_found(), answer.path, goal);
            roster.notify(place, Notice::Way { from });
            // The last leg first, as they are remembered.
            let legs = answer.path.len().min(LEGS_MAX);
            for number in (1..legs).rev() {
                let is_jump = search.links().iter().any(|&(link, _)| link as usize + 1 == number);
                roster.notify(place, Notice::Leg(Leg { to: search.path()[number], is_jump }));
            }
        }
        roster.put_scratch(search);
    }

    fn think(&self, view: &ThinkView<'_>, errand: &mut WalkerBrain, intents: &mut Intents, notes: &mut Notes<'_>) {
        if view.has_arrived(intents) && !errand.needs_way {
            if let Some(leg) = errand.legs.pop() {
                errand.from = leg.to;
            }
            intents.stay();
            if errand.legs.is_empty() {
                let rest_s = view.random(REST).between(REST_S[0], REST_S[1]);
                errand.rests_until = view.tick + view.rate.ticks(rest_s);
            }
        }
        self.look_ahead(view.beliefs.me.pose.position, errand);
        if errand.needs_way {
            // A way comes before the next thought, as a rule.
            errand.from = view.beliefs.me.pose.position;
        } else if errand.legs.is_empty() && view.tick >= errand.rests_until {
            errand.from = view.beliefs.me.pose.position;
            self.next_goal(view, errand);
        }
        let left = errand.legs.len() as f32;
        notes.because(|| Reason { what: "legs left", held: left > 0.0, value: left, limit: 0.0 });
        intents.actions = Actions::default();
        match errand.legs.last() {
            Some(leg) => {
                let before = errand.legs.len().checked_sub(2).and_then(|number| errand.legs.get(number));
                let (pace_m_per_s, arrive_m) = match before {
                    _ if leg.is_jump => (RUN_M_PER_S, 0.7),
                    Some(next) if next.is_jump => (PACE_M_PER_S, TAKE_OFF_M),
                    Some(_) => (PACE_M_PER_S, PASSED_M),
                    None => (PACE_M_PER_S, THERE_M),
                };
                if leg.is_jump {
                    intents.actions = Actions::JUMP;
                }
                intents.go(Travel { goal: leg.to, manner: Manner::Straight, pace_m_per_s, arrive_m });
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
        let feet = me.body.pose.position;
        let tick_s = view.rate.tick_s();
        let is_jump = view.actions().contains(Actions::JUMP);
        let mut wanted = Vec2::ZERO;
        if let Some((ticket, travel)) = view.travel() {
            let way = plane::ground(travel.goal - feet);
            let is_level = (travel.goal.y - feet.y).abs() < FLOOR_M * 0.5 && me.body.velocity.y.abs() < 0.5;
            let is_last = travel.arrive_m == THERE_M;
            let is_held = me.body.velocity.length() < 0.2;
            gait.held = if is_held { gait.held.saturating_add(1) } else { 0 };
            // Where others stand already, near is near enough.
            let is_content = is_last && way.length() < CROWDED_M && f32::from(gait.held) * tick_s > PATIENCE_S;
            let is_there = way.length() <= travel.arrive_m || is_content;
            if is_there && (is_level || !is_jump) && gait.arrived != ticket {
                gait.arrived = ticket;
                out.report(Outcome::Arrived { ticket });
                notes.event(EventKind::Arrived { ticket });
            }
            // Slow only where one stops: at the last corner, and before a gap.
            let is_stop = is_last || travel.arrive_m == TAKE_OFF_M;
            let speed = if is_stop { math::min(travel.pace_m_per_s, way.length() * 3.0) } else { travel.pace_m_per_s };
            wanted = plane::direction(way) * speed;
        }
        motion.actions = Actions::default();
        if is_jump {
            // On the link nobody is minded: one runs, and leaves the ground when fast enough.
            let speed = plane::ground(me.body.velocity).dot(plane::direction(wanted));
            if speed > RUN_UP * RUN_M_PER_S {
                motion.actions = Actions::JUMP;
            }
            gait.velocity = wanted;
        } else {
            let chosen = self.held(feet, self.choose(view, wanted));
            gait.velocity += mover::limited(chosen - gait.velocity, ACCELERATION_M_PER_S2 * tick_s);
            gait.velocity = self.held(feet, gait.velocity);
        }
        motion.velocity = plane::lift(gait.velocity, 0.0);
        let facing = if gait.velocity.length() > 0.3 { gait.velocity } else { wanted };
        if facing.length() > 0.2 {
            motion.yaw = math::approach_angle(me.body.pose.yaw, plane::yaw(facing), TURN_RAD_PER_S * tick_s);
        }
    }
}
