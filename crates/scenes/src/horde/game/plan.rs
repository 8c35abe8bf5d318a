//! What differs between the scenes of the horde, and how a match of one begins.

use sentir::prelude::*;
use sentir::walk::WalkConfig;
use sentir_act::avoid::AvoidConfig;
use sentir_act::follow::FollowConfig;
use sentir_harness::game_match::Match;
use sentir_harness::info::{BY_PERSON, SceneError, Setup, asset_error};
use sentir_harness::scene_match::SceneMatch;
use sentir_nav::request::{BudgetScope, RequestConfig};
use sentir_sim::body::BodyConfig;
use sentir_sim::body_set::BodySet;
use sentir_sim::health::Vitals;
use sentir_sim::input::{Held, Input};
use sentir_sim::kit::Kit;
use sentir_sim::noise::Footsteps;
use sentir_squad::alarm::{AlarmConfig, AlarmVariant, FillOrder, NodeStrategy};
use sentir_think::board::Blackboard;

use super::director::Director;
use super::felt::Felt;
use super::ground::{Ground, POINTS_MAX};
use super::leaf::AtNode;
use super::mind::HordeMind;
use super::registry::Registry;
use super::rules::{Difficulty, Rules};
use super::surround::Surround;
use super::tally::Tally;
use super::{
    BARKER, DUMMY, Horde, MARKS_MAX, PERSON, PLAYER, PLAYER_KEY, Player, RULES, Round, STEALTHY, THROWER, World,
    Zombie, weapons,
};

const PLACE: Purpose = Purpose::new("horde.place");
const HEALTH: Purpose = Purpose::new("horde.health");

/// What a scene of the horde is.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) rate: TickRate,
    /// Which asset is the level.
    pub(crate) level: &'static str,
    /// The pool: how many of each kind, and the name of their mind.
    pub(crate) crowd: Vec<(u16, u32, String)>,
    /// Rounds that win the match.
    pub(crate) rounds: u32,
    /// When it is over at the latest, ticks.
    pub(crate) ticks_max: u64,
    /// Whether all are there from the beginning, anywhere; else they come in by the zones.
    pub(crate) is_battery: bool,
    /// Whether a touch by anybody loses (the prototype).
    pub(crate) touch_loses: bool,
    /// Whether the director paces who comes in.
    pub(crate) has_director: bool,
    /// Whether a person plays.
    pub(crate) is_steered: bool,
    /// Whether the player just stands there.
    pub(crate) is_dummy_player: bool,
    /// Factor of the health of zombies.
    pub(crate) health: f32,
    /// Whether howls are local.
    pub(crate) is_local: bool,
    pub(crate) strategy: NodeStrategy,
    pub(crate) fill: FillOrder,
    pub(crate) variant: AlarmVariant,
    pub(crate) has_alarms: bool,
    pub(crate) at_node: Option<AtNode>,
}

impl Plan {
    /// The plan of a scene with these rules, before anything is special.
    pub(crate) fn new(setup: &Setup, rate: TickRate, level: &'static str) -> Plan {
        let word = setup.settings.word("player");
        Plan {
            rate,
            level,
            crowd: Vec::new(),
            rounds: 1,
            ticks_max: rate.ticks(setup.settings.number("seconds")),
            is_battery: false,
            touch_loses: false,
            has_director: false,
            is_steered: word == BY_PERSON,
            is_dummy_player: word == "still",
            health: 1.0,
            is_local: false,
            strategy: NodeStrategy::Nearest,
            fill: FillOrder::NearestFirst,
            variant: AlarmVariant::Sound,
            has_alarms: true,
            at_node: None,
        }
    }

    /// The mix of a difficulty.
    pub(crate) fn difficulty(self, count: u32, it: &Difficulty) -> Plan {
        let total = ((count as f32 * it.share).round() as u32).max(1);
        let [barkers, stealthy, throwers] = [it.barkers, it.stealthy, it.throwers].map(|tenth| total * tenth / 10);
        let dummies = total.saturating_sub(barkers + stealthy + throwers);
        let crowd = vec![
            (DUMMY, dummies, it.dummy.clone()),
            (BARKER, barkers, it.barker.clone()),
            (STEALTHY, stealthy, "stealthy".to_owned()),
            (THROWER, throwers, "thrower".to_owned()),
        ];
        Plan { crowd, health: it.health, is_local: it.is_local, ..self }
    }

    /// The seats of the fifth version: on a ring, filled evenly.
    pub(crate) fn ring(self, rules: &Rules) -> Plan {
        let strategy = NodeStrategy::Ring { radius_m: rules.alarm.ring_m };
        Plan { strategy, fill: FillOrder::EmptiestFirst, ..self }
    }
}

/// The rules of a setup.
pub(crate) fn rules(setup: &Setup) -> Result<Rules, SceneError> {
    Rules::read(setup.asset(RULES), RULES).map_err(|error| asset_error(&error))
}

/// A match by a plan.
pub(crate) fn play(setup: &Setup, plan: Plan) -> Result<Box<dyn Match>, SceneError> {
    Ok(Box::new(begin(setup, plan)?))
}

/// How a team's alarms are.
fn alarm_config(plan: &Plan, rules: &Rules, ground: &Ground) -> AlarmConfig {
    let alarm = &rules.alarm;
    let is_ring = matches!(plan.strategy, NodeStrategy::Ring { .. });
    AlarmConfig {
        nodes: ground.nodes.clone(),
        radius_m: alarm.node_radius_m,
        node_count: if is_ring { 8 } else { alarm.node_count },
        strategy: plan.strategy,
        fill: plan.fill,
        seats_per_node: if is_ring { alarm.seats_per_node.min(4) } else { alarm.seats_per_node },
        lasts: plan.rate.ticks(alarm.lasts_s),
        merge_m: if plan.is_local { alarm.local_reach_m * 0.7 } else { f32::INFINITY },
        variant: plan.variant,
    }
}

/// How everybody walks.
fn gait() -> WalkConfig {
    WalkConfig {
        follow: FollowConfig { look_m: 0.0, goal_slack_m: 6.0, acceleration_m_per_s2: 18.0, ..FollowConfig::default() },
        avoid: AvoidConfig { range_m: 2.5, neighbors_max: 6, wall_horizon_s: 0.3, separate_s: 0.3 },
        look: AvoidConfig { range_m: 2.5, neighbors_max: 6, wall_horizon_s: 0.3, separate_s: 0.3 },
        margin_m: 0.03,
        horizon_s: 0.6,
        ..WalkConfig::default()
    }
}

/// Bodies by kind; the last is that of a person.
fn bodies(rules: &Rules) -> [BodyConfig; 7] {
    let walker = |speed_m_per_s_max: f32, radius_m: f32| BodyConfig {
        radius_m,
        speed_m_per_s_max,
        turn_rad_per_s_max: 20.0,
        acceleration_m_per_s2: 40.0,
        ..BodyConfig::default()
    };
    let player = walker(rules.player.speed_m_per_s, BodyConfig::default().radius_m);
    let of = |kind: &super::rules::KindRules| walker(kind.speed_m_per_s, kind.radius_m);
    let person = BodyConfig { turn_rad_per_s_max: 60.0, ..player };
    let tank = BodyConfig { stand_m: 2.2, stand_eye_m: 1.9, ..of(&rules.tank) };
    [player, of(&rules.dummy), of(&rules.barker), of(&rules.stealthy), of(&rules.thrower), tank, person]
}

/// How often who does what: the bot in every tick, those who are after somebody three times a second less, who wanders seldom.
fn loop_config(rate: TickRate) -> LoopConfig {
    let every = |hz: u16| (rate.hz() / hz).max(1);
    let detail = |sense, think, act| Detail {
        sense_every: sense,
        think_every: think,
        coordinate_every: 1,
        act_every: act,
        quota: Quota::default(),
    };
    let details = [
        detail(1, 1, 1),
        detail(every(10), every(10), 1),
        detail(every(10), every(10), every(10)),
        detail(every(5), every(5), every(5)),
    ];
    LoopConfig { rate, detail: details, index_cell_m: 3.0 }
}

/// The pool at its beginning: who is of which kind and wears which mind.
fn zombies(mind: &HordeMind, plan: &Plan, luck: &mut Stream) -> Result<Vec<Zombie>, SceneError> {
    let mut pool = Vec::new();
    for (kind, count, name) in &plan.crowd {
        let number = mind.registry.named(name)?;
        for _ in 0..*count {
            let [least, most] = mind.kind(*kind).health;
            pool.push(Zombie {
                kind: *kind,
                mind: number,
                agent: None,
                vitals: Vitals::new(luck.between(least, most) * plan.health),
                is_waiting: true,
                head: Some(mind.fresh(number, *kind)),
                bite_since: None,
                bite_from: Tick(0),
                bitten_at: None,
                stride: Footsteps::default(),
            });
        }
    }
    Ok(pool)
}

/// The mind of everybody.
fn mind(setup: &Setup, plan: &Plan) -> Result<HordeMind, SceneError> {
    let rules = rules(setup)?;
    let ground = Ground::of(setup, plan.level)?;
    let alarm = alarm_config(plan, &rules, &ground);
    let reach_m = if plan.is_local { rules.alarm.local_reach_m } else { rules.alarm.reach_m };
    Ok(HordeMind {
        rules,
        ground,
        registry: Registry::of(setup)?,
        gait: gait(),
        requests: RequestConfig { expansions_per_tick: 60, scope: BudgetScope::Each, ..RequestConfig::default() },
        alarm,
        reach_m,
        has_alarms: plan.has_alarms,
        at_node: plan.at_node,
        is_steered: plan.is_steered || plan.is_dummy_player,
        shared: Blackboard::EMPTY,
        old: None,
    })
}

pub(super) fn begin(setup: &Setup, plan: Plan) -> Result<SceneMatch<Horde>, SceneError> {
    let mind = mind(setup, &plan)?;
    let (armory, arms) = weapons(&mind.rules)?;
    let body = bodies(&mind.rules);
    let bot = mind.registry.named("bot")?;
    let mut brains = Loop::<HordeMind>::new(loop_config(plan.rate), setup.seed);
    let mut rng = brains.streams().stream(0, PLACE);
    let start = rng.pick(&mind.ground.starts).copied().unwrap_or_default();
    let yaw = if plan.is_battery { rng.between(-3.0, 3.0) } else { start.yaw };
    let start = Pose { position: start.position + Vec3::Y * 0.02, yaw };
    let mut world = World {
        bodies: BodySet::new(&mind.ground.level),
        player: Player {
            agent: None,
            vitals: Vitals::new(mind.rules.player.health),
            kit: Kit::full(&armory, &[arms.primary, arms.secondary, arms.decoy]),
            is_using: false,
            is_changing: false,
        },
        zombies: zombies(&mind, &plan, &mut brains.streams().stream(1, HEALTH))?,
        flights: Vec::with_capacity(16),
        back_at: [Tick(0); POINTS_MAX],
        round: Round { number: 1, break_until: None, spawn_from: Tick(0), since: Tick(0) },
        tally: Tally::default(),
        surround: Surround::default(),
        director: Director::default(),
        felt: Felt::default(),
        marks: Vec::with_capacity(MARKS_MAX),
        // Who does nothing looks where he came in looking.
        input: if plan.is_steered { Input::looking(yaw).held() } else { Held::default() },
        ending: None,
    };
    let horde = Horde { mind, armory, arms, body, plan };
    let kind = if horde.plan.is_steered { 6 } else { 0 };
    let walker = *world.bodies.add(PLAYER_KEY, kind, start);
    let spec = AgentSpec { team: PLAYER, kind: PERSON, body: walker.body(), ..AgentSpec::new(PLAYER_KEY) };
    // The first one, and its body is finite: it is not refused.
    world.player.agent = brains.spawn_with(spec, horde.mind.fresh(bot, PERSON)).ok();
    horde.fill(&mut brains, &mut world, &mut Scratch::default());
    Ok(SceneMatch::new(horde, brains, world))
}
