//! The rules of the small games together: a duel on the range, from the trigger to the last event.
#![allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]

use sentir::core::state::{hash, perturb};
use sentir::prelude::*;
use sentir_level::{Level, LevelState};
use sentir_sim::actor::{ActorId, Actors, SpawnTable};
use sentir_sim::armory::{Armory, stock};
use sentir_sim::combat::{Battle, CombatOutcome, CombatScratch, Combatants, Hands, Shooter};
use sentir_sim::event::{SimEvent, Totals, game_events};
use sentir_sim::health::{FriendlyFire, Vitals};
use sentir_sim::kit::{Carried, Kit};
use sentir_sim::noise::NoiseTable;
use sentir_sim::round::{self, Phase, Round, RoundRules, Score, Standing, WinRule};
use sentir_sim::shot::Target;

const TEAMS: [TeamId; 2] = [TeamId(1), TeamId(2)];

/// A lane of 40 m, one shooter at each end.
const LANE: &str = "
name: lane
solids:
  - slab: { outline: [[-5, -5], [5, -5], [5, 45], [-5, 45]], thickness_m: 0.5 }
spawns:
  - { team: south, at: [0, 0] }
  - { team: north, at: [0, 40], yaw_deg: 180 }
";

#[derive(Clone, Debug, PartialEq, State)]
struct Fighter {
    agent: AgentId,
    team: TeamId,
    pose: Pose,
    vitals: Vitals,
    kit: Kit,
}

#[derive(Clone, Debug, PartialEq, State)]
struct Duel {
    fighters: Actors<Fighter>,
    round: Round,
    score: Score,
    totals: Totals,
    fired: u32,
}

/// What stays the same.
struct Ground {
    level: Level,
    state: LevelState,
    armory: Armory,
    rules: RoundRules,
    rate: TickRate,
    streams: Streams,
}

fn ground(hz: u16, seed: u64) -> Ground {
    let level = sentir_level::parse(LANE.as_bytes(), "lane.yaml").unwrap().build().unwrap();
    let state = LevelState::new(&level);
    let rules =
        RoundRules { win: WinRule::LastTeam, time_limit_s: 120.0, respawn_s: None, break_s: 0.0, rounds_to_win: 1 };
    rules.check().unwrap();
    Ground { level, state, armory: stock(), rules, rate: TickRate::new(hz), streams: Streams { seed } }
}

fn duel(ground: &Ground) -> Duel {
    let spawns = SpawnTable::build(&ground.level, &[("south", TEAMS[0]), ("north", TEAMS[1])]).unwrap();
    let mut fighters = Actors::new(2);
    for team in TEAMS {
        let mut rng = ground.streams.stream(team.0.into(), Purpose::new("spawn"));
        let pose = spawns.choose(team, 1.0, &[], |_| false, &mut rng).unwrap();
        let kit = Kit::full(&ground.armory, &[ground.armory.named("rifle").unwrap()]);
        let agent = AgentId::from_bits(u64::from(team.0) << 32);
        fighters.spawn(Fighter { agent, team, pose, vitals: Vitals::new(300.0), kit }).unwrap();
    }
    let totals = Totals::default();
    Duel { fighters, round: Round::first(Tick(0)), score: Score::new(&TEAMS), totals, fired: 0 }
}

impl Combatants for Duel {
    fn weapon_mut(&mut self, who: AgentId) -> Option<&mut Carried> {
        self.fighters.iter_mut().find(|(_, it)| it.agent == who)?.1.kit.in_hand_mut()
    }

    fn vitals_mut(&mut self, who: AgentId) -> Option<&mut Vitals> {
        self.fighters.iter_mut().find(|(_, it)| it.agent == who).map(|(_, it)| &mut it.vitals)
    }
}

/// One tick: both hold the trigger, and reload when they must.
fn step(ground: &mut Ground, duel: &mut Duel, tick: Tick) {
    let mut events = Vec::new();
    let ids: Vec<ActorId> = duel.fighters.iter().map(|(id, _)| id).collect();
    let alive = duel.fighters.iter().filter(|(_, it)| !it.vitals.is_dead());
    let targets = alive.map(|(_, it)| Target::standing(it.agent, it.team, it.pose.position));
    let mut scratch = CombatScratch::default();
    scratch.targets.extend(targets);
    for id in ids {
        let me = duel.fighters.at(id).unwrap();
        if me.vitals.is_dead() {
            continue;
        }
        let body = Body { pose: me.pose, eye_m: 1.4, ..Body::default() };
        let (agent, team, eye, aim) = (me.agent, me.team, body.eye(), body.facing());
        let reloads = me.kit.places[0].unwrap().weapon.magazine == 0;
        let mut battle = Battle {
            armory: &ground.armory,
            level: &ground.level,
            state: &mut ground.state,
            combatants: duel,
            friendly_fire: FriendlyFire::Off,
            streams: ground.streams,
            tick,
            rate: ground.rate,
            scratch: &mut scratch,
        };
        let shooter = Shooter { agent, team, eye, aim, velocity: Vec3::ZERO, pace: 0.0 };
        battle.act(&shooter, Hands { reloads, pulls: true });
        for outcome in &scratch.outcomes {
            events.extend(outcome.event());
            match outcome {
                CombatOutcome::Fired { rounds, .. } => {
                    duel.fired += rounds;
                    assert_eq!(outcome.noise(&NoiseTable::default()).unwrap().range_m, 60.0);
                }
                CombatOutcome::Hurt(it) => assert!(it.told.from == eye && (0.0..=1.0).contains(&it.told.amount)),
                CombatOutcome::Died(it) => duel.score.count_death(it.team, Some(it.by_team)),
                _ => {}
            }
        }
    }
    let standing = TEAMS.map(|team| {
        let alive = duel.fighters.iter().filter(|(_, it)| it.team == team && !it.vitals.is_dead());
        Standing { team, count: alive.count() as u32 }
    });
    let ended = round::step(&ground.rules, &mut duel.round, &mut duel.score, &standing, tick, ground.rate);
    events.extend(ended.map(SimEvent::Round));
    events.iter().for_each(|event| game_events(event, |_, kind| duel.totals.add(kind)));
}

fn play(hz: u16, seed: u64) -> (Duel, u64) {
    let mut ground = ground(hz, seed);
    let mut duel = duel(&ground);
    let mut ticks = 0;
    while !duel.round.is_over() {
        step(&mut ground, &mut duel, Tick(ticks));
        ticks += 1;
    }
    (duel, ticks)
}

#[test]
fn a_duel_ends_and_its_events_add_up() {
    for hz in [20, 60, 144] {
        for seed in 0..10 {
            let (duel, ticks) = play(hz, seed);
            let Phase::Over { winner } = duel.round.phase else { panic!() };
            let totals = &duel.totals;
            let left: u32 = duel.fighters.iter().map(|(_, it)| it.kit.places[0].unwrap().weapon.rounds()).sum();
            assert_eq!(left + duel.fired, 300, "every round is in a weapon or was fired");
            assert_eq!(totals.sum(EventTag::Fired), f64::from(duel.fired));
            let lost: f32 = duel.fighters.iter().map(|(_, it)| 300.0 - it.vitals.health).sum();
            assert!((totals.sum(EventTag::Hurt) - f64::from(lost)).abs() < 1e-2);
            assert_eq!(totals.sum(EventTag::Hurt), totals.sum(EventTag::Hit));
            assert!(totals.count(EventTag::Hit) + totals.count(EventTag::NearMiss) <= duel.fired);
            assert!(
                totals.count(EventTag::NearMiss) > 0 && totals.count(EventTag::HeadHit) <= totals.count(EventTag::Hit)
            );
            let deaths = totals.count(EventTag::Died);
            assert_eq!(deaths, totals.count(EventTag::Killed));
            assert_eq!(totals.count(EventTag::RoundEnded), 1);
            match winner {
                Some(team) => assert_eq!((deaths, duel.score.of(team).unwrap().kills), (1, 1)),
                None => assert!(deaths != 1, "two who die in one tick, or time up"),
            }
            assert!(ticks <= 120 * u64::from(hz) + 1);
        }
    }
}

#[test]
fn the_same_seed_is_the_same_duel_and_another_is_not() {
    let hashes: Vec<_> = [3, 3, 4].map(|seed| hash(&play(60, seed).0)).into();
    assert_eq!(hashes[0], hashes[1]);
    assert_ne!(hashes[0], hashes[2]);
}

#[test]
fn every_field_of_a_duel_counts() {
    use sentir::core::state::Noticed;
    let (duel, _) = play(60, 1);
    for one in perturb(&duel) {
        let may_be_refused = one.is_shape || one.path.contains("free") || one.path.contains("capacity");
        match &one.outcome {
            Noticed::Yes => {}
            Noticed::Refused(_) => assert!(may_be_refused, "{one:?}"),
            Noticed::No => panic!("{} can change unnoticed", one.path),
        }
    }
}
