//! Walking in the loop: from a wish to be somewhere to a velocity, and the paths that it takes.
//!
//! A mind whose agents go on a navigation mesh keeps a [`Follower`] in what its movement remembers and says so by [`Walks`].
//! In `act` it calls [`WalkConfig::stride`]: the wish goes to the follower, the follower gives a way, others are given way to, and what
//! became of the wish comes out. In `coordinate` it calls [`Router::route`]: what the followers need goes to the squad's queue
//! of requests, and the answers go back. What is special to a game, as whom to count or where to look, stays in its mind.
//!
//! **Cost** of a stride: a look at who is near, and that of [`Follower::step`] and [`Follower::steer`]. Nothing is allocated when
//! warm. A stride reads the own state and the presences of the tick before, so the passes run in parallel with the same bits.

use sentir_act::Moving;
use sentir_act::avoid::{AvoidConfig, Avoider, Nearest, Neighbor};
use sentir_act::follow::{Advice, FollowConfig, Follower, MeshGround, Neighborhood, SteerConfig, Walk};
use sentir_core::event::EventKind;
use sentir_core::glam::{Vec2, Vec3};
use sentir_core::id::AgentId;
use sentir_core::intent::{Gaze, Motion, Ticket};
use sentir_core::outcome::Outcome;
use sentir_core::{math, plane};
use sentir_nav::mesh::{AreaCosts, Mesh};
use sentir_nav::request::{Method, ProcessContext, Reply, Request, RequestConfig, RequestScratch, Requests};

use crate::coordinate::{Roster, SquadView};
use crate::mind::{ActView, Mind, Notes, Outcomes};

/// Slower than this one stands, as anybody can see, m/s.
const STANDING_M_PER_S: f32 = 0.1;
/// Faster up or down than this one has no ground under the feet, m/s.
const FALLING_M_PER_S: f32 = 2.0;
/// Faster than this one looks where it goes, slower, where it wants to go, m/s; and what is no wish.
const GOING_M_PER_S: f32 = 0.4;
const WISH_M_PER_S: f32 = 0.2;
/// Faster than this who looks ahead turns to where it goes, m/s.
const AHEAD_M_PER_S: f32 = 0.3;

/// A mind whose agents walk.
pub trait Walks: Mind {
    /// The way of one, in what its movement remembers; none of who does not walk.
    fn follower(motor: &mut Self::Motor) -> Option<&mut Follower>;
    /// By which search its way is to be found.
    fn method(_motor: &Self::Motor) -> Method {
        Method::Corridor
    }
}

/// How people walk: tuning, the same for all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WalkConfig {
    /// Following a path.
    pub follow: FollowConfig,
    /// Giving way to others.
    pub avoid: AvoidConfig,
    /// Who is seen at all, for a way past them: as many as are avoided, or more from farther.
    pub look: AvoidConfig,
    /// Room kept to others beside the bodies, m. Limit: ≥ 0.
    pub margin_m: f32,
    /// Who is farther above or below is on another storey and in nobody's way, m.
    pub storey_m: f32,
    /// How far ahead one avoids others, s.
    pub horizon_s: f32,
    /// How little who stands gives way, where who walks has 1. Limit: ≥ 0.
    pub standing_priority: f32,
    /// How fast one turns to where it goes, rad/s.
    pub turn_rad_per_s: f32,
    /// How fast one turns to a place that it wants to look at, rad/s.
    pub look_rad_per_s: f32,
}

impl Default for WalkConfig {
    /// People on foot.
    fn default() -> Self {
        WalkConfig {
            follow: FollowConfig::default(),
            avoid: AvoidConfig::default(),
            look: AvoidConfig::default(),
            margin_m: 0.05,
            storey_m: 1.3,
            horizon_s: 2.0,
            standing_priority: 1.0,
            turn_rad_per_s: 5.0,
            look_rad_per_s: 9.0,
        }
    }
}

/// What one wants of its legs in a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WalkRequest {
    /// Where to, by the ticket of that wish; none for nowhere.
    pub goal: Option<(Ticket, Vec3)>,
    /// How fast, m/s; who has no goal makes room as fast.
    pub pace_m_per_s: f32,
    /// How near is there, m.
    pub arrive_m: f32,
    /// A velocity to take in place of the way's, as on a slot in sight, m/s.
    pub instead: Option<Vec2>,
}

impl WalkRequest {
    /// The journey that a view asks for, at a pace.
    pub fn of(view: &ActView<'_>, pace_m_per_s: f32, arrive_m: f32) -> WalkRequest {
        WalkRequest {
            goal: view.travel().map(|(ticket, travel)| (ticket, travel.goal)),
            pace_m_per_s,
            arrive_m,
            instead: None,
        }
    }
}

/// What came of a tick of walking.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WalkStep {
    /// What the follower said: the velocity it would take alone, what links ask for, what became of the wish.
    pub advice: Advice,
    /// The velocity to take, m/s.
    pub velocity: Vec2,
}

impl WalkConfig {
    /// One tick: where to, past whom, and what became of it.
    pub fn stride(
        &self,
        view: &ActView<'_>,
        ground: &MeshGround<'_>,
        follower: &mut Follower,
        errand: &WalkRequest,
    ) -> WalkStep {
        let (body, tick_s) = (&view.me.body, view.rate.tick_s());
        match errand.goal {
            Some((ticket, goal)) => follower.go(ticket, goal, &self.follow),
            None => follower.stop(),
        }
        let at = Moving::of(body);
        let me = Walk {
            position: body.pose.position,
            velocity: at.velocity,
            is_grounded: body.velocity.y.abs() < FALLING_M_PER_S,
            pace_m_per_s: errand.pace_m_per_s,
            arrive_m: errand.arrive_m,
            tick_s,
        };
        let advice = follower.step(ground, &me, &self.follow);
        let me = Avoider {
            position: at.position,
            velocity: at.velocity,
            wanted: errand.instead.unwrap_or(advice.wanted),
            radius_m: at.radius_m + self.margin_m,
            speed_m_per_s_max: errand.pace_m_per_s,
            priority: self.priority(at.velocity),
            horizon_s: self.horizon_s,
        };
        let steer = SteerConfig { follow: &self.follow, avoid: &self.avoid, tick_s };
        let around = Neighborhood { me, rank: view.me.agent.index() as u32, near: &self.near(view) };
        let velocity = follower.steer(ground, &around, &steer);
        WalkStep { advice, velocity }
    }

    /// Anybody can see who stands, so both sides agree.
    fn priority(&self, velocity: Vec2) -> f32 {
        if velocity.length() < STANDING_M_PER_S { self.standing_priority } else { 1.0 }
    }

    /// Who is near, on the same storey.
    pub fn near(&self, view: &ActView<'_>) -> Nearest {
        let (feet, rank) = (view.me.body.pose.position, view.me.agent.index() as u32);
        let mut near = Nearest::around(plane::ground(feet), rank, &self.look);
        view.world.visit_near(feet, self.look.range_m, |other| {
            if (other.body.pose.position.y - feet.y).abs() < self.storey_m {
                let mut at = Moving::of(&other.body);
                at.radius_m += self.margin_m;
                near.add(Neighbor::of(&at, self.priority(at.velocity), other.agent.index() as u32));
            }
        });
        near
    }

    /// Turns to where it goes, or wants to go, as fast as it turns.
    pub fn face(&self, view: &ActView<'_>, stride: &WalkStep, motion: &mut Motion) {
        let facing = if stride.velocity.length() > GOING_M_PER_S { stride.velocity } else { stride.advice.wanted };
        if facing.length() > WISH_M_PER_S {
            let step = self.turn_rad_per_s * view.rate.tick_s();
            motion.yaw = math::approach_angle(view.me.body.pose.yaw, plane::yaw(facing), step);
        }
    }
}

impl WalkConfig {
    /// Turns to where it wants to look, up and down as well; ahead is where it goes.
    pub fn gaze(&self, view: &ActView<'_>, stride: &WalkStep, motion: &mut Motion) {
        let body = &view.me.body;
        motion.pitch = 0.0;
        let (yaw, rate) = match view.gaze() {
            Gaze::Along(yaw) => (yaw, self.turn_rad_per_s),
            Gaze::Ahead if stride.velocity.length() > AHEAD_M_PER_S => {
                (plane::yaw(stride.velocity), self.turn_rad_per_s)
            }
            Gaze::Ahead => (body.pose.yaw, self.turn_rad_per_s),
            Gaze::At(point) => {
                let toward = point - body.eye();
                let level = plane::ground(toward);
                motion.pitch = math::atan2(toward.y, level.length());
                let yaw = if level.length() > 0.05 { plane::yaw(level) } else { body.pose.yaw };
                (yaw, self.look_rad_per_s)
            }
        };
        motion.yaw = math::approach_angle(body.pose.yaw, yaw, rate * view.rate.tick_s());
    }
}

impl WalkStep {
    /// Reports what became of the wish, if that was settled now.
    pub fn report(&self, out: &mut Outcomes<'_>, notes: &mut Notes<'_>) {
        let Some(outcome) = self.advice.outcome else { return };
        out.report(outcome);
        if let Outcome::Arrived { ticket } = outcome {
            notes.event(EventKind::Arrived { ticket });
        }
    }
}

/// The ground of all, and what each believes of it.
#[derive(Clone, Copy, Debug)]
pub struct Field<'a> {
    /// The mesh.
    pub mesh: &'a Mesh,
    /// By slot: what ground costs; empty where it costs everybody the same, its length.
    pub costs: &'a [AreaCosts],
    /// By slot: another number whenever the mesh or the costs of that one may have changed; `version` where there is none.
    pub versions: &'a [u32],
    /// Another number whenever the mesh changed.
    pub version: u32,
}

impl<'a> Field<'a> {
    /// A mesh that never changes and is known to all.
    pub fn plain(mesh: &'a Mesh) -> Field<'a> {
        Field { mesh, costs: &[], versions: &[], version: 0 }
    }

    /// The ground as an agent believes it to be.
    pub fn ground(&self, agent: AgentId) -> MeshGround<'a> {
        let slot = agent.index();
        let costs = self.costs.get(slot).unwrap_or(&AreaCosts::PLAIN);
        MeshGround { mesh: self.mesh, version: self.versions.get(slot).copied().unwrap_or(self.version), costs }
    }
}

/// How a squad's walkers get their paths: the ground, the budget, and how they follow.
#[derive(Clone, Copy, Debug)]
pub struct Router<'a> {
    /// The ground.
    pub field: Field<'a>,
    /// The budget.
    pub config: &'a RequestConfig,
    /// How paths are followed.
    pub follow: &'a FollowConfig,
}

impl Router<'_> {
    /// Brings what walkers need to the squad's queue, and the answers back: the whole of a coordination that is about paths only.
    pub fn route<M: Walks>(&self, view: &SquadView, roster: &mut Roster<'_, '_, M>, requests: &mut Requests) {
        self.post(view, roster, requests);
        if requests.open_count() == 0 {
            return;
        }
        let mut searches = roster.take_scratch::<RequestScratch>();
        let Field { mesh, costs, .. } = self.field;
        let context = ProcessContext { mesh, costs, tactician: None, now: view.tick, config: self.config };
        requests.process(context, &mut searches, |reply| self.deliver(roster, reply));
        roster.put_scratch(searches);
    }

    /// Brings what walkers need to the queue, in the order of the members; requests of who is gone are taken back.
    ///
    /// Who stands in what it believes to be shut begins at the nearest ground that is not.
    pub fn post<M: Walks>(&self, view: &SquadView, roster: &mut Roster<'_, '_, M>, requests: &mut Requests) {
        if requests.open_count() > 0 {
            requests.keep(|agent| roster.place_of(agent).is_some());
        }
        for place in 0..roster.members().len() {
            let Some(member) = roster.member(place).filter(|_| roster.is_active(place)) else { continue };
            let (agent, position) = (member.agent, member.beliefs.me.pose.position);
            let Some(motor) = roster.motor_mut(place) else { continue };
            let method = M::method(motor);
            let Some(follower) = M::follower(motor) else { continue };
            let from = follower.place().map_or(position, |it| it.point);
            let slot = if self.field.costs.is_empty() { 0 } else { agent.index() };
            let costs = u16::try_from(slot).unwrap_or(u16::MAX);
            let request = Request { costs, method, ..Request::new(agent, from, from) };
            follower.post(request, requests, view.tick, self.config);
        }
    }

    /// Brings an answer to who asked.
    pub fn deliver<M: Walks>(&self, roster: &mut Roster<'_, '_, M>, reply: &Reply<'_>) {
        let Some(motor) = roster.place_of(reply.agent).and_then(|place| roster.motor_mut(place)) else { return };
        if let Some(follower) = M::follower(motor) {
            follower.take(reply, &self.field.ground(reply.agent), self.follow);
        }
    }
}
