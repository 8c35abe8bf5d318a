//! The soldier in the loop: senses, brain and legs as a [`Mind`], and the desk of its team served between two ticks.
//!
//! A host makes a [`SoldierMind`] of a level, spawns agents with what [`SoldierMind::recruit`] gives, and calls [`serve`] for
//! each team once a tick, after [`Loop::step`]. What only the host can know it writes into the memory:
//! [`Gear`](sentir_squad::soldier::Gear) before each step.
//!
//! A game whose characters are not all soldiers wraps this mind in its own and implements [`Ranks`]: who has a soldier's
//! memory is a member of its team, and whoever has [`Legs`] gets its paths.

use sentir_act::Moving;
use sentir_act::avoid::{AvoidConfig, Avoider, Nearest, Neighbor};
use sentir_act::follow::{FollowConfig, Follower, Ground, SteerConfig, Walk};
use sentir_core::State;
use sentir_core::belief::Beliefs;
use sentir_core::body::Body;
use sentir_core::chart::Chart;
use sentir_core::event::EventKind;
use sentir_core::glam::Vec3;
use sentir_core::id::{AgentId, TeamId};
use sentir_core::intent::{Ask, Gaze, Intents, Manner, Motion, Question};
use sentir_core::outcome::{Cause, Outcome};
use sentir_core::why::WhyLog;
use sentir_core::{math, plane};
use sentir_nav::mesh::AreaCosts;
use sentir_nav::request::{Method, Request};
use sentir_sense::{SenseConfig, Senses, SightConfig};
use sentir_space::query::QueryRun;
use sentir_squad::AssetError;
use sentir_squad::desk::{Desk, DeskScratch, Queries, QueryName, request_config};
use sentir_squad::soldier::{Doing, Moment, Soldier, SoldierMemory, enemy_of};
use sentir_squad::team::Member;
use sentir_squad::theater::Theater;
use sentir_think::node::NodeId;

use crate::cycle::Loop;
use crate::mind::{ActView, Mind, Notes, Outcomes, SenseView, ThinkView};
use crate::why::Why;

/// Questions that wait at most; more are dropped, and not answered.
const ASKS_MAX: usize = 4;
/// Room kept to others beside the bodies, m.
const MARGIN_M: f32 = 0.06;
/// The fastest body that avoidance reckons with, m/s.
const SPEED_M_PER_S_MAX: f32 = 6.0;
/// Fastest turn of who looks where it goes, and of who looks at something, rad/s.
const TURNS_RAD_PER_S: [f32; 2] = [6.0, 9.0];

/// What a soldier's legs remember.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub struct Legs {
    /// The way.
    pub follower: Follower,
    /// Whether the way is to be the safest one.
    pub is_safest: bool,
    /// Questions about places that wait for the desk, oldest first.
    pub asks: Vec<Ask>,
    /// Ways that failed so far, by [`Cause`].
    pub failed: [u32; 5],
}

/// The mind of soldiers: tables and tuning, shared by all.
#[derive(Clone)]
pub struct SoldierMind {
    /// The brain, with the ground and the tuning.
    pub soldier: Soldier,
    /// What it asks of places.
    pub queries: Queries,
    /// Eyes and ears.
    pub senses: SenseConfig,
    /// Following.
    pub follow: FollowConfig,
    /// Avoiding others.
    pub avoid: AvoidConfig,
}

/// A mind in which some are soldiers.
pub trait Ranks: Mind {
    /// What it remembers as a soldier; none of who is none.
    fn soldier(brain: &Self::Brain) -> Option<&SoldierMemory>;
    /// The same, to be written.
    fn soldier_mut(brain: &mut Self::Brain) -> Option<&mut SoldierMemory>;
    /// Its legs.
    fn legs(motor: &mut Self::Motor) -> &mut Legs;
}

/// Lists of [`serve`]; may be dropped at any tick.
#[derive(Clone, Debug, Default)]
pub struct ServeScratch {
    members: Vec<Member>,
    walkers: Vec<(AgentId, Vec3)>,
    desk: DeskScratch,
}

impl SoldierMind {
    /// The soldier that comes with the library, on a ground.
    ///
    /// # Errors
    /// Never with the stock files: a test holds that.
    pub fn stock(theater: Theater) -> Result<SoldierMind, AssetError> {
        Ok(SoldierMind::new(Soldier::stock(theater)?, Queries::stock()?))
    }

    /// A mind by a soldier and its queries.
    pub fn new(soldier: Soldier, queries: Queries) -> SoldierMind {
        let tuning = &soldier.tuning;
        let sight = SightConfig {
            range_m: tuning.sight_m,
            focus_half_rad: tuning.half_rad * 0.5,
            half_rad: tuning.half_rad,
            near_s: tuning.notice_near_s,
            far_s: tuning.notice_far_s,
            touch_m: 0.8,
            ..SightConfig::default()
        };
        let senses = SenseConfig { sight, ..SenseConfig::default() };
        let follow = FollowConfig {
            passage_m: 0.0,
            replan_s: 1.5,
            give_up_s: 6.0,
            acceleration_m_per_s2: 14.0,
            // Soldiers face what they fear, not where they go: nobody can tell who is against whom.
            room_s: 0.0,
            ..FollowConfig::default()
        };
        SoldierMind { soldier, queries, senses, follow, avoid: AvoidConfig::default() }
    }

    /// What a soldier remembers at the beginning, who walks from post to post.
    pub fn recruit(&self, posts: Vec<Vec3>) -> SoldierMemory {
        self.soldier.recruit(posts)
    }

    /// Senses.
    pub fn sense_as_soldier(
        &self,
        view: &SenseView<'_>,
        senses: &mut Senses,
        beliefs: &mut Beliefs,
        notes: &mut Notes<'_>,
    ) {
        view.perceive(&self.senses, &(), senses, beliefs, notes);
    }

    /// Thinks. The breakpoint of the tree that it came to, if any: a host that wants to stop there does.
    pub fn think_as_soldier(
        &self,
        view: &ThinkView<'_>,
        memory: &mut SoldierMemory,
        intents: &mut Intents,
        notes: &mut Notes<'_>,
    ) -> Option<NodeId> {
        let (agent, team, tick, rate) = (view.agent, view.team, view.tick, view.rate);
        let moment = Moment { agent, team, tick, rate, streams: view.streams() };
        let verdict = notes.think(|why| self.soldier.think(&moment, view.beliefs, memory, intents, why));
        if verdict.is_new {
            notes.event(EventKind::Decided { decision: memory.hand.doing as u16 });
        }
        verdict.breakpoint
    }

    /// Moves: along a path, past others, looking where it wants to.
    pub fn act_as_soldier(
        &self,
        view: &ActView<'_>,
        legs: &mut Legs,
        motion: &mut Motion,
        out: &mut Outcomes<'_>,
        notes: &mut Notes<'_>,
    ) {
        for ask in view.asks().iter().filter(|ask| matches!(ask.question, Question::Place { .. })) {
            if legs.asks.len() < ASKS_MAX {
                legs.asks.push(*ask);
            }
        }
        let (body, tick_s) = (&view.me.body, view.rate.tick_s());
        let ground = self.ground();
        let mut pace_m_per_s = 0.0;
        let mut arrive_m = 0.3;
        match view.travel() {
            Some((ticket, travel)) => {
                legs.follower.go(ticket, travel.goal, &self.follow);
                legs.is_safest = travel.manner == Manner::Safest;
                (pace_m_per_s, arrive_m) = (travel.pace_m_per_s, travel.arrive_m);
            }
            None => legs.follower.stop(),
        }
        let at = Moving::of(body);
        let walk = Walk {
            position: body.pose.position,
            velocity: at.velocity,
            is_grounded: true,
            pace_m_per_s,
            arrive_m,
            tick_s,
        };
        let advice = legs.follower.step(&ground, &walk, &self.follow);
        if let Some(outcome) = advice.outcome {
            out.report(outcome);
            match outcome {
                Outcome::Arrived { ticket } => notes.event(EventKind::Arrived { ticket }),
                Outcome::Failed { cause, .. } => legs.failed[place_of(cause)] += 1,
                _ => {}
            }
        }
        let avoider = Avoider {
            position: at.position,
            velocity: at.velocity,
            wanted: advice.wanted,
            radius_m: at.radius_m + MARGIN_M,
            speed_m_per_s_max: math::min(math::max(pace_m_per_s, 1.0), SPEED_M_PER_S_MAX),
            priority: priority(body),
            horizon_s: 1.2,
        };
        let steer = SteerConfig { follow: &self.follow, avoid: &self.avoid, tick_s };
        let near = self.near(view);
        let velocity = legs.follower.steer(&ground, &avoider, view.me.agent.index() as u32, &near, &steer);
        motion.velocity = plane::lift(velocity, 0.0);
        motion.stance = view.intents().stance;
        motion.actions = view.actions().with(advice.actions);
        look(view, velocity, motion);
    }

    /// The ground as legs know it.
    pub fn ground(&self) -> Ground<'_> {
        let theater = &self.soldier.theater;
        Ground { mesh: theater.mesh(), version: theater.version(), costs: &AreaCosts::PLAIN }
    }

    fn near(&self, view: &ActView<'_>) -> Nearest {
        let me = view.me;
        let place = me.body.pose.position;
        let mut near = Nearest::around(plane::ground(place), me.agent.index() as u32, &self.avoid);
        view.world.visit_near(place, self.avoid.range_m, |other| {
            // Who is on another storey is not in the way.
            if (other.body.pose.position.y - place.y).abs() < 1.5 {
                let mut at = Moving::of(&other.body);
                at.radius_m += MARGIN_M;
                near.add(Neighbor::of(&at, priority(&other.body), other.agent.index() as u32));
            }
        });
        near
    }

    /// The brain of one soldier as one can look at it, with the reasons of its last thought.
    pub fn chart(&self, memory: &SoldierMemory, agent: AgentId, whys: &WhyLog<Why>) -> Chart {
        let mine = || {
            whys.entries().iter().filter(move |entry| entry.agent == agent).filter_map(|entry| match &entry.why {
                Why::Brain(why) => Some((entry.tick, why)),
                _ => None,
            })
        };
        let last = mine().map(|(tick, _)| tick).next_back();
        let reasons: Vec<_> = mine().filter(|(tick, _)| Some(*tick) == last).map(|(_, why)| why).collect();
        self.soldier.chart(memory, reasons)
    }
}

/// The place of a cause in the counts.
fn place_of(cause: Cause) -> usize {
    match cause {
        Cause::NoPath => 0,
        Cause::BadGoal => 1,
        Cause::OutOfBudget => 2,
        Cause::Stuck => 3,
        Cause::BadStart => 4,
    }
}

/// Anybody can see who stands, so both sides agree.
fn priority(body: &Body) -> f32 {
    if body.velocity.length() < 0.1 { 0.5 } else { 1.0 }
}

/// Turns to where it wants to look.
fn look(view: &ActView<'_>, velocity: sentir_core::glam::Vec2, motion: &mut Motion) {
    let body = &view.me.body;
    let tick_s = view.rate.tick_s();
    let [calm, quick] = TURNS_RAD_PER_S;
    motion.pitch = 0.0;
    let (yaw, rate) = match view.gaze() {
        Gaze::Along(yaw) => (yaw, calm),
        Gaze::Ahead if velocity.length() > 0.3 => (plane::yaw(velocity), calm),
        Gaze::Ahead => (body.pose.yaw, calm),
        Gaze::At(point) => {
            let toward = point - body.eye();
            let level = plane::ground(toward);
            motion.pitch = math::atan2(toward.y, level.length());
            (if level.length() > 0.05 { plane::yaw(level) } else { body.pose.yaw }, quick)
        }
    };
    motion.yaw = math::approach_angle(body.pose.yaw, yaw, rate * tick_s);
}

impl Mind for SoldierMind {
    type Senses = Senses;
    type Brain = SoldierMemory;
    type Motor = Legs;
    type Squad = ();

    fn sense(&self, view: &SenseView<'_>, senses: &mut Senses, beliefs: &mut Beliefs, notes: &mut Notes<'_>) {
        self.sense_as_soldier(view, senses, beliefs, notes);
    }

    fn think(&self, view: &ThinkView<'_>, memory: &mut SoldierMemory, intents: &mut Intents, notes: &mut Notes<'_>) {
        self.think_as_soldier(view, memory, intents, notes);
    }

    fn act(
        &self,
        view: &ActView<'_>,
        legs: &mut Legs,
        motion: &mut Motion,
        out: &mut Outcomes<'_>,
        notes: &mut Notes<'_>,
    ) {
        self.act_as_soldier(view, legs, motion, out, notes);
    }

    fn decision_name(&self, decision: u16) -> &'static str {
        Doing::ALL.get(usize::from(decision)).map_or("", |doing| doing.name())
    }
}

impl Ranks for SoldierMind {
    fn soldier(brain: &SoldierMemory) -> Option<&SoldierMemory> {
        Some(brain)
    }

    fn soldier_mut(brain: &mut SoldierMemory) -> Option<&mut SoldierMemory> {
        Some(brain)
    }

    fn legs(motor: &mut Legs) -> &mut Legs {
        motor
    }
}

/// What the desk of a team does between two ticks: takes in what members know, tells them what the team knows, answers
/// their questions and finds their ways. To be called once a tick for each team, after the step. `is_dead`: whether the game
/// tells that the target of this team is dead.
pub fn serve<M: Ranks>(
    desk: &mut Desk,
    mind: &SoldierMind,
    brains: &mut Loop<M>,
    team: TeamId,
    is_dead: bool,
    scratch: &mut ServeScratch,
) {
    let (theater, tuning) = (&mind.soldier.theater, &mind.soldier.tuning);
    let (now, rate, streams) = (brains.tick(), brains.rate(), brains.streams());
    muster(brains, team, scratch);
    let ServeScratch { members, walkers, desk: searches } = scratch;
    desk.update((theater, tuning), members, (now, rate), is_dead, searches);
    for me in members.iter() {
        if let Some(memory) = brains.brain_mut(me.agent).and_then(M::soldier_mut) {
            desk.tell(members, me, &mut memory.told);
        }
    }
    // Members take turns at being first.
    let first = if members.is_empty() { 0 } else { (now.0 % members.len() as u64) as usize };
    let mut left = tuning.queries_per_tick;
    for place in (first..members.len()).chain(0..first) {
        let me = members[place];
        let Some(legs) = brains.motor_mut(me.agent).map(M::legs) else { continue };
        if left == 0 || legs.asks.is_empty() {
            continue;
        }
        left -= 1;
        let Ask { ticket, question } = legs.asks.remove(0);
        let Question::Place { query } = question else { continue };
        let by = (theater, tuning, &mind.queries);
        let answer = desk.answer(by, (members, &me), query, (now, rate, streams), searches);
        brains.report(me.agent, Outcome::Answered { ticket, answer });
    }
    let config = request_config(tuning);
    for &(agent, from) in walkers.iter() {
        let Some(legs) = brains.motor_mut(agent).map(M::legs) else { continue };
        let method = if legs.is_safest { Method::Tactic } else { Method::Shortest };
        let request = Request { method, ..Request::new(agent, from, from) };
        legs.follower.post_as(request, &mut desk.requests, now, &config);
    }
    let ground = mind.ground();
    desk.serve((theater, tuning), members, now, searches, |reply| {
        if let Some(legs) = brains.motor_mut(reply.agent).map(M::legs) {
            legs.follower.take(reply, &ground, &mind.follow);
        }
    });
}

/// Lets somebody look at what a soldier would ask about places now: `visit` gets every point with its score. Made anew of the
/// state, which it leaves alone; nothing happens if the agent is no soldier, or is at nothing that asks.
pub fn study<M: Ranks>(
    (desk, mind): (&Desk, &SoldierMind),
    brains: &Loop<M>,
    agent: AgentId,
    scratch: &mut ServeScratch,
    visit: impl FnOnce(QueryName, &QueryRun),
) {
    let (Some(it), Some(memory)) = (brains.presence(agent), brains.brain(agent).and_then(M::soldier)) else { return };
    let name = match memory.hand.doing {
        Doing::Idle | Doing::Patrol | Doing::Supply => return,
        Doing::Search => QueryName::Search,
        Doing::Hide => QueryName::Cover,
        Doing::Push => QueryName::Advance,
        Doing::Attack | Doing::Rush | Doing::Hold => QueryName::Attack,
    };
    muster(brains, it.team, scratch);
    let ServeScratch { members, desk: searches, .. } = scratch;
    let Some(me) = members.iter().find(|me| me.agent == agent) else { return };
    let by = (&mind.soldier.theater, &mind.soldier.tuning, &mind.queries);
    visit(name, desk.study(by, (members, me), name, brains.tick().0, searches));
}

/// Copies of what the members know and want, in slot order.
fn muster<M: Ranks>(brains: &Loop<M>, team: TeamId, scratch: &mut ServeScratch) {
    scratch.members.clear();
    scratch.walkers.clear();
    for (it, _) in brains.motions().filter(|(it, _)| it.team == team) {
        let body = &it.body;
        scratch.walkers.push((it.agent, body.pose.position));
        let memory = brains.brain(it.agent).and_then(M::soldier);
        let (Some(memory), Some(beliefs)) = (memory, brains.beliefs(it.agent)) else { continue };
        scratch.members.push(Member {
            agent: it.agent,
            position: body.pose.position,
            velocity: body.velocity,
            yaw: body.pose.yaw,
            eye_m: body.eye_m,
            enemy: enemy_of(beliefs, team),
            report: memory.report,
            claims: memory.hand.claims,
            fires_at: memory.hand.fires_at,
        });
    }
}
