//! The soldier in the loop: senses, brain, coordination and legs as a [`Mind`].
//!
//! A host makes a [`SoldierMind`] of a level, spawns agents with what [`SoldierMind::recruit`] gives, and steps the loop. What
//! only the host can know it tells by [`SoldierNotice`]s: how the gun is, and that the target is dead.
//!
//! A game whose characters are not all soldiers wraps this mind in its own and implements [`Ranks`]: who has a soldier's
//! memory is coordinated with its squad, and whoever has [`SoldierMotor`] gets its paths.

use sentir_act::avoid::AvoidConfig;
use sentir_act::follow::{FollowConfig, Follower, MeshGround};
use sentir_core::State;
use sentir_core::belief::Beliefs;
use sentir_core::chart::Chart;
use sentir_core::event::EventKind;
use sentir_core::glam::Vec3;
use sentir_core::id::{AgentId, TeamId};
use sentir_core::intent::{Intents, Manner, Motion};
use sentir_core::math;
use sentir_core::outcome::{Cause, Outcome};
use sentir_core::why::WhyLog;
use sentir_nav::mesh::AreaCosts;
use sentir_nav::request::Method;
use sentir_sense::{SenseConfig, Senses, SightConfig};
use sentir_space::query::QueryRun;
use sentir_squad::AssetError;
use sentir_squad::coordinator::{
    Asker, Coordinator, CoordinatorScratch, Queries, QueryName, SquadContext, Tables, request_config,
};
use sentir_squad::soldier::{Handover, Soldier, SoldierBehavior, SoldierMemory, SoldierNotice, ThinkContext, enemy_of};
use sentir_squad::tactical_map::TacticalMap;
use sentir_squad::team::{Member, TeamScratch};
use sentir_think::board::Blackboard;
use sentir_think::node::NodeId;

use crate::coordinate::{Roster, SquadView};
use crate::cycle::Loop;
use crate::mind::{ActView, Mind, Notes, Outcomes, SenseView, ThinkView};
use crate::walk::{Field, Router, WalkConfig, WalkRequest, Walks};
use crate::why::Why;

/// The fastest body that avoidance reckons with, m/s.
const SPEED_M_PER_S_MAX: f32 = 6.0;
/// As fast at least makes room who stands, m/s.
const ROOM_M_PER_S: f32 = 1.0;

/// What a soldier's legs remember.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub struct SoldierMotor {
    /// The way.
    pub follower: Follower,
    /// Whether the way is to be the safest one.
    pub is_safest: bool,
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
    /// How it walks.
    pub gait: WalkConfig,
}

/// A mind in which some are soldiers.
pub trait Ranks: Walks<Notice: From<SoldierNotice>, Squad = Coordinator> {
    /// What it remembers as a soldier; none of who is none.
    fn soldier(brain: &Self::Brain) -> Option<&SoldierMemory>;
}

/// Lists of a squad's coordination; may be dropped at any tick.
#[derive(Clone, Debug, Default)]
pub struct RankScratch {
    members: Vec<Member>,
    /// Where each of them is in the roster.
    places: Vec<u32>,
    searches: CoordinatorScratch,
    team: TeamScratch,
}

impl SoldierMind {
    /// The soldier that comes with the library, on a ground.
    ///
    /// # Errors
    /// Never with the stock files: a test holds that.
    pub fn stock(tactical_map: TacticalMap) -> Result<SoldierMind, AssetError> {
        Ok(SoldierMind::new(Soldier::stock(tactical_map)?, Queries::stock()?))
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
        let gait = WalkConfig {
            follow,
            avoid: AvoidConfig::default(),
            look: AvoidConfig::default(),
            margin_m: 0.06,
            storey_m: 1.5,
            horizon_s: 1.2,
            standing_priority: 0.5,
            turn_rad_per_s: 6.0,
            look_rad_per_s: 9.0,
        };
        SoldierMind { soldier, queries, senses, gait }
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
        let moment = ThinkContext { agent, team, tick, rate, board: view.board, streams: view.streams() };
        let verdict = notes.think(|why| self.soldier.think(&moment, view.beliefs, memory, intents, why));
        if verdict.is_new {
            notes.event(EventKind::Decided { decision: memory.status.behavior as u16 });
        }
        verdict.breakpoint
    }

    /// Moves: along a path, past others, looking where it wants to.
    pub fn act_as_soldier(
        &self,
        view: &ActView<'_>,
        legs: &mut SoldierMotor,
        motion: &mut Motion,
        out: &mut Outcomes<'_>,
        notes: &mut Notes<'_>,
    ) {
        let travel = view.travel().map(|(_, travel)| travel);
        legs.is_safest = travel.map_or(legs.is_safest, |travel| travel.manner == Manner::Safest);
        let pace = travel.map_or(0.0, |travel| travel.pace_m_per_s);
        let pace = math::min(math::max(pace, ROOM_M_PER_S), SPEED_M_PER_S_MAX);
        let errand = WalkRequest::of(view, pace, travel.map_or(0.3, |travel| travel.arrive_m));
        let stride = self.gait.stride(view, &self.ground(), &mut legs.follower, &errand);
        stride.report(out, notes);
        if let Some(Outcome::Failed { cause, .. }) = stride.advice.outcome {
            legs.failed[place_of(cause)] += 1;
        }
        motion.velocity = sentir_core::plane::lift(stride.velocity, 0.0);
        motion.stance = view.intents().stance;
        motion.actions = view.actions().with(stride.advice.actions);
        self.gait.gaze(view, &stride, motion);
    }

    /// What a squad is coordinated by.
    pub fn tables(&self) -> Tables<'_> {
        Tables { tactical_map: &self.soldier.tactical_map, tuning: &self.soldier.tuning, queries: &self.queries }
    }

    /// Coordinates a squad: takes in what its soldiers report, briefs them, answers their questions, and finds ways for
    /// everybody with legs.
    pub fn coordinate_squad<M: Ranks>(
        &self,
        view: &SquadView,
        squad: &mut Coordinator,
        roster: &mut Roster<'_, '_, M>,
    ) {
        let tables = self.tables();
        let mut scratch = roster.take_scratch::<RankScratch>();
        let RankScratch { members, places, searches, team } = &mut *scratch;
        members.clear();
        places.clear();
        for place in 0..roster.members().len() {
            let Some(one) = roster.member(place) else { continue };
            let Some(memory) = M::soldier(one.brain) else { continue };
            members.push(report(one.agent, one.beliefs, memory, view.squad.team));
            places.push(place as u32);
        }
        let SquadView { tick: now, rate, place, .. } = *view;
        let moment = SquadContext { now, rate, streams: view.streams(), place };
        squad.update(&tables, members, &moment, searches);
        self.soldier.brief(members, roster.board_mut());
        if members.len() > 1 {
            team.note_places(members);
        }
        for (number, &place) in places.iter().enumerate() {
            let place = place as usize;
            for asked in 0..roster.asks(place).len() {
                squad.take(members[number].agent, roster.asks(place)[asked]);
            }
            if !roster.thinks_soon(place) {
                continue;
            }
            let mut briefing = squad.team.news();
            if members.len() > 1 {
                team.tell_friends(members, number, &mut briefing);
            }
            roster.notify(place, SoldierNotice::Briefing(briefing).into());
        }
        squad.answer_waiting(&tables, members, &moment, searches, |who, ticket, answer| {
            if let Some(place) = roster.place_of(who) {
                roster.answer(place, ticket, answer);
            }
        });
        let config = request_config(tables.tuning, roster.members().len());
        let mesh = tables.tactical_map.mesh();
        let version = tables.tactical_map.version();
        let field = Field { version, ..Field::plain(mesh) };
        let router = Router { field, config: &config, follow: &self.gait.follow };
        router.post(view, roster, &mut squad.paths.requests);
        squad.find_paths(&tables, members, now, searches, |reply| router.deliver(roster, reply));
        roster.put_scratch(scratch);
    }

    /// The ground as legs know it.
    pub fn ground(&self) -> MeshGround<'_> {
        let tactical_map = &self.soldier.tactical_map;
        MeshGround { mesh: tactical_map.mesh(), version: tactical_map.version(), costs: &AreaCosts::PLAIN }
    }

    /// Hands a soldier's brain over from another version of its files to this one.
    pub fn adopt_soldier(
        &self,
        old: &SoldierMind,
        view: &ThinkView<'_>,
        intents: &Intents,
        memory: &mut SoldierMemory,
    ) {
        let (agent, team, tick, rate) = (view.agent, view.team, view.tick, view.rate);
        let moment = ThinkContext { agent, team, tick, rate, board: view.board, streams: view.streams() };
        let handover = Handover { old: &old.soldier, moment: &moment, beliefs: view.beliefs, intents: intents.clone() };
        self.soldier.take_over(handover, memory);
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

/// What a soldier reports to its squad.
fn report(agent: AgentId, beliefs: &Beliefs, memory: &SoldierMemory, team: TeamId) -> Member {
    let (me, gear, doing) = (&beliefs.me, &memory.gear, memory.status.behavior);
    let is_away = matches!(doing, SoldierBehavior::Hide | SoldierBehavior::Supply);
    Member {
        agent,
        position: me.pose.position,
        velocity: me.velocity,
        yaw: me.pose.yaw,
        eye_m: me.eye_m,
        enemy: enemy_of(beliefs, team),
        report: memory.report,
        claims: memory.status.claims,
        fires_at: memory.status.fires_at,
        is_reloading: gear.is_reloading,
        is_ready: gear.share() > 0.0 && !gear.is_reloading && !is_away,
    }
}

impl Mind for SoldierMind {
    type Senses = Senses;
    type Brain = SoldierMemory;
    type Motor = SoldierMotor;
    type Squad = Coordinator;
    type Notice = SoldierNotice;

    fn receive(&self, _view: &ThinkView<'_>, notice: SoldierNotice, memory: &mut SoldierMemory) {
        memory.receive(notice);
    }

    fn sense(&self, view: &SenseView<'_>, senses: &mut Senses, beliefs: &mut Beliefs, notes: &mut Notes<'_>) {
        self.sense_as_soldier(view, senses, beliefs, notes);
    }

    fn think(&self, view: &ThinkView<'_>, memory: &mut SoldierMemory, intents: &mut Intents, notes: &mut Notes<'_>) {
        self.think_as_soldier(view, memory, intents, notes);
    }

    fn coordinate(&self, view: &SquadView, squad: &mut Coordinator, roster: &mut Roster<'_, '_, Self>) {
        self.coordinate_squad(view, squad, roster);
    }

    fn act(
        &self,
        view: &ActView<'_>,
        legs: &mut SoldierMotor,
        motion: &mut Motion,
        out: &mut Outcomes<'_>,
        notes: &mut Notes<'_>,
    ) {
        self.act_as_soldier(view, legs, motion, out, notes);
    }

    fn adopt(&self, old: &Self, view: &ThinkView<'_>, intents: &Intents, memory: &mut SoldierMemory) {
        self.adopt_soldier(old, view, intents, memory);
    }

    fn adopt_board(&self, old: &Self, board: &mut Blackboard) {
        self.soldier.take_over_board(&old.soldier, board);
    }

    fn decision_name(&self, decision: u16) -> &'static str {
        SoldierBehavior::ALL.get(usize::from(decision)).map_or("", |behavior| behavior.name())
    }
}

impl Ranks for SoldierMind {
    fn soldier(brain: &SoldierMemory) -> Option<&SoldierMemory> {
        Some(brain)
    }
}

impl Walks for SoldierMind {
    fn follower(motor: &mut SoldierMotor) -> Option<&mut Follower> {
        Some(&mut motor.follower)
    }

    fn method(motor: &SoldierMotor) -> Method {
        motor.method()
    }
}

impl SoldierMotor {
    /// By which search its way is to be found.
    pub fn method(&self) -> Method {
        if self.is_safest { Method::Tactic } else { Method::Shortest }
    }
}

/// Lets somebody look at what a soldier would ask about places now: `visit` gets every point with its score. Made anew of the
/// state, which it leaves alone; nothing happens if the agent is no soldier, or is at nothing that asks.
pub fn study<M: Ranks>(
    mind: &SoldierMind,
    brains: &Loop<M>,
    agent: AgentId,
    scratch: &mut RankScratch,
    visit: impl FnOnce(QueryName, &QueryRun),
) {
    let (Some(it), Some(memory)) = (brains.presence(agent), brains.brain(agent).and_then(M::soldier)) else { return };
    let name = match memory.status.behavior {
        SoldierBehavior::Idle | SoldierBehavior::Patrol | SoldierBehavior::Supply => return,
        SoldierBehavior::Search => QueryName::Search,
        SoldierBehavior::Hide => QueryName::Cover,
        SoldierBehavior::Push => QueryName::Advance,
        SoldierBehavior::Attack | SoldierBehavior::Rush | SoldierBehavior::Hold => QueryName::Attack,
    };
    let squad_id = it.squad_id();
    let Some((_, agents, squad)) = brains.squads().find(|(id, ..)| *id == squad_id) else { return };
    let RankScratch { members, searches, .. } = scratch;
    members.clear();
    members.extend(agents.iter().filter_map(|&one| {
        let (beliefs, memory) = (brains.beliefs(one)?, brains.brain(one).and_then(M::soldier)?);
        Some(report(one, beliefs, memory, squad_id.team))
    }));
    let Some(me) = members.iter().find(|me| me.agent == agent) else { return };
    visit(name, squad.study(&mind.tables(), Asker { members, me }, name, brains.tick().0, searches));
}
