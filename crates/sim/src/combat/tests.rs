//! What holds for every fight, in whatever scene.
#![allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]

use super::*;
use crate::armory::stock;
use crate::kit::Kit;
use proptest::prelude::*;
use sentir_level::parse;

const RATE: TickRate = TickRate::new(60);
const US: TeamId = TeamId(1);
const THEM: TeamId = TeamId(2);

/// A yard with a wall across one lane, and a piece that breaks across another. Ground y is −z.
const YARD: &str = "
name: yard
solids:
  - slab: { outline: [[-20, -5], [30, -5], [30, 60], [-20, 60]], thickness_m: 0.5 }
  - wall: { along: [[8, 10], [12, 10]], height_m: 3 }
pieces:
  - { name: crate, at: [20, 10], health: 20, solids: [{ box: { at: [0, 0], size: [2, 0.2], height_m: 3 } }] }
";

#[derive(Clone, Debug, PartialEq)]
struct One {
    agent: AgentId,
    team: TeamId,
    at: Vec3,
    kit: Kit,
    vitals: Vitals,
}

impl Combatant for One {
    fn agent(&self) -> AgentId {
        self.agent
    }

    fn weapon_mut(&mut self) -> Option<&mut Carried> {
        self.kit.in_hand_mut()
    }

    fn vitals_mut(&mut self) -> &mut Vitals {
        &mut self.vitals
    }
}

struct Yard {
    level: Level,
    state: LevelState,
    armory: Armory,
    all: Vec<One>,
    friendly_fire: FriendlyFire,
    seed: u64,
    scratch: CombatScratch,
}

/// The stock weapons, but for one gun.
fn armory(gun: GunSpec) -> Armory {
    let mut specs = stock().specs().to_vec();
    specs[0].kind = WeaponKind::Gun(gun);
    Armory::build(specs).unwrap()
}

fn rifle() -> GunSpec {
    match stock().specs()[0].kind {
        WeaponKind::Gun(gun) => gun,
        _ => panic!(),
    }
}

impl Yard {
    /// The first has the gun and stands at (0, 0); the others stand where they are put.
    fn new(gun: GunSpec, others: &[(TeamId, f32, f32)]) -> Yard {
        let level = parse(YARD.as_bytes(), "yard.yaml").unwrap().build().unwrap();
        let armory = armory(gun);
        let places = [(US, 0.0, 0.0)].into_iter().chain(others.iter().copied());
        let all = (1..).zip(places).map(|(number, (team, x, y))| One {
            agent: AgentId::from_bits(number << 32),
            team,
            at: Vec3::new(x, 0.0, -y),
            kit: Kit::full(&armory, &[WeaponId(0), WeaponId(4), WeaponId(5)]),
            vitals: Vitals::new(100.0),
        });
        let (all, state, scratch) = (all.collect(), LevelState::new(&level), CombatScratch::default());
        Yard { level, state, armory, all, friendly_fire: FriendlyFire::On, seed: 1, scratch }
    }

    fn shooter(&self, to: Vec3) -> Shooter {
        let One { agent, team, at, .. } = self.all[0];
        let eye = at + Vec3::Y * 1.2;
        Shooter { agent, team, eye, aim: (to - eye).normalize(), velocity: Vec3::ZERO, pace: 0.0 }
    }

    fn look_around(&mut self) {
        let body = |it: &One| Target::standing(it.agent, it.team, it.at);
        self.scratch.targets = self.all.iter().map(body).collect();
    }

    fn battle(&mut self, tick: u64) -> Battle<'_, Vec<One>> {
        Battle {
            armory: &self.armory,
            level: &self.level,
            state: &mut self.state,
            combatants: &mut self.all,
            friendly_fire: self.friendly_fire,
            streams: Streams { seed: self.seed },
            tick: Tick(tick),
            rate: RATE,
            scratch: &mut self.scratch,
        }
    }

    /// The first holds the trigger, aimed at a point, for one tick.
    fn fire(&mut self, to: Vec3, tick: u64) -> Vec<CombatOutcome> {
        self.look_around();
        let shooter = self.shooter(to);
        self.battle(tick).act(&shooter, Hands { reloads: false, pulls: true });
        self.scratch.outcomes.clone()
    }

    fn fire_at(&mut self, number: usize, tick: u64) -> Vec<CombatOutcome> {
        let to = self.all[number].at + Vec3::Y * 1.2;
        self.fire(to, tick)
    }
}

fn shots(outcomes: &[CombatOutcome]) -> Vec<ShotHit> {
    let hit = |it: &CombatOutcome| match it {
        CombatOutcome::Shot { hit, .. } => Some(*hit),
        _ => None,
    };
    outcomes.iter().filter_map(hit).collect()
}

fn hurts(outcomes: &[CombatOutcome]) -> Vec<Injury> {
    let injury = |it: &CombatOutcome| match it {
        CombatOutcome::Hurt(injury) => Some(*injury),
        _ => None,
    };
    outcomes.iter().filter_map(injury).collect()
}

fn rounds(outcomes: &[CombatOutcome]) -> u32 {
    let fired = |it: &CombatOutcome| match it {
        CombatOutcome::Fired { rounds, .. } => *rounds,
        _ => 0,
    };
    outcomes.iter().map(fired).sum()
}

proptest! {
    /// Each pellet of each round is a ray of its own, drawn from the one stream of shooter and tick: what the plain loop over
    /// that stream says is what is hit.
    #[test]
    fn pellets_are_as_many_rays_out_of_one_stream(
        pellets in 1u32..12, rounds_per_minute in 60u32..6000, spread in 0.001f32..0.4, seed in any::<u64>(),
        places in proptest::collection::vec((any::<bool>(), -6.0f32..24.0, 3.0f32..40.0), 0..6),
    ) {
        let gun = GunSpec { pellets, rounds_per_minute, spread_rad: spread, magazine: 50, damage: 1.0, ..rifle() };
        let others: Vec<_> = places.iter().map(|&(is_friend, x, y)| (if is_friend { US } else { THEM }, x, y)).collect();
        let mut yard = Yard::new(gun, &others);
        yard.seed = seed;
        for tick in 0..30 {
            let recoil = yard.all[0].kit.places[0].unwrap().weapon;
            let recoil = crate::weapon::recoil_at(&recoil, &yard.armory.specs()[0], Tick(tick), RATE);
            let outcomes = yard.fire(Vec3::new(2.0, 1.0, -20.0), tick);
            let (hits, count) = (shots(&outcomes), rounds(&outcomes));
            prop_assert_eq!(hits.len() as u32, count * pellets);
            let shooter = yard.shooter(Vec3::new(2.0, 1.0, -20.0));
            let mut rng = shot_stream(Streams { seed }, shooter.agent, Tick(tick));
            for hit in &hits {
                let direction = scatter(shooter.aim, spread_rad(&gun, recoil, 0.0), &mut rng);
                let ray = Ray { origin: shooter.eye, direction, length_m: gun.range_m };
                // Until something breaks, the level is as it was.
                let view = LevelView { level: &yard.level, state: &LevelState::new(&yard.level) };
                let twin = shoot(&view, &ray, shooter.agent, &yard.scratch.targets);
                if !matches!(twin.what, ShotWhat::Piece(_)) {
                    prop_assert_eq!(*hit, twin);
                }
            }
            let hit_bodies = hits.iter().filter(|hit| matches!(hit.what, ShotWhat::Body { .. })).count();
            prop_assert!(hurts(&outcomes).len() <= hit_bodies);
        }
    }

    /// Same seed, same bits, and whoever else is listed before or after the shooter changes nothing of where rays go.
    #[test]
    fn the_same_fight_is_the_same_bits(seed in any::<u64>(), ticks in 1u64..40) {
        let gun = GunSpec { pellets: 3, rounds_per_minute: 1800, ..rifle() };
        let play = |others: &[(TeamId, f32, f32)]| {
            let mut yard = Yard::new(gun, others);
            yard.seed = seed;
            let all: Vec<_> = (0..ticks).map(|tick| yard.fire(Vec3::new(0.0, 1.0, -20.0), tick)).collect();
            (all, yard.all.clone())
        };
        let others = [(THEM, 0.0, 20.0), (US, 0.5, 30.0)];
        prop_assert_eq!(play(&others), play(&others));
        let [alone, beside] = [play(&[]), play(&[(THEM, -15.0, 50.0)])].map(|(all, _)| all);
        prop_assert_eq!(alone, beside);
    }
}

#[test]
fn several_rounds_of_a_tick_go_different_ways() {
    // 6000 rounds a minute are more than one a tick.
    let mut yard = Yard::new(GunSpec { rounds_per_minute: 6000, spread_rad: 0.1, magazine: 100, ..rifle() }, &[]);
    let mut most = 0;
    for tick in 0..20 {
        let outcomes = yard.fire(Vec3::new(0.0, 1.2, -30.0), tick);
        let points: Vec<_> = shots(&outcomes).iter().map(|hit| hit.point).collect();
        most = most.max(points.len());
        for (place, point) in points.iter().enumerate() {
            assert!(!points[..place].contains(point), "two rounds of tick {tick} went one way: {points:?}");
        }
    }
    assert!(most >= 2);
}

#[test]
fn another_shooter_at_the_same_tick_has_other_luck() {
    let gun = GunSpec { spread_rad: 0.1, ..rifle() };
    let [mut one, mut other] = [Yard::new(gun, &[]), Yard::new(gun, &[])];
    other.all[0].agent = AgentId::from_bits(9 << 32);
    let [one, other] = [&mut one, &mut other].map(|yard| shots(&yard.fire(Vec3::new(0.0, 1.2, -30.0), 5))[0].point);
    assert_ne!(one, other);
}

#[test]
fn walls_stop_shots_and_pieces_break() {
    let gun = GunSpec { spread_rad: 0.0, rounds_per_minute: 3600, damage: 15.0, ..rifle() };
    let mut yard = Yard::new(gun, &[(THEM, 10.0, 15.0), (THEM, 20.0, 15.0)]);
    yard.all[0].at = Vec3::new(10.0, 0.0, 0.0);
    let outcomes = yard.fire_at(1, 0);
    assert_eq!(shots(&outcomes)[0].what, ShotWhat::Level);
    assert!(hurts(&outcomes).is_empty() && yard.all[1].vitals.health == 100.0);
    yard.all[0].at = Vec3::new(20.0, 0.0, 0.0);
    // Twenty of health: the second of fifteen breaks it, and the third goes through.
    let broke = |outcomes: &[CombatOutcome]| outcomes.iter().any(|it| matches!(it, CombatOutcome::Broke { .. }));
    let three = [1, 2, 3].map(|tick| yard.fire_at(2, tick));
    assert_eq!(three.clone().map(|outcomes| broke(&outcomes)), [false, true, false]);
    assert_eq!(three.map(|outcomes| hurts(&outcomes).len()), [0, 0, 1]);
}

#[test]
fn friends_are_hurt_by_rule_and_told_apart() {
    let gun = GunSpec { spread_rad: 0.0, rounds_per_minute: 3600, ..rifle() };
    for (rule, lost) in [(FriendlyFire::On, 15.0), (FriendlyFire::Off, 0.0), (FriendlyFire::Share(0.2), 3.0)] {
        let mut yard = Yard::new(gun, &[(US, 0.0, 20.0), (THEM, 5.0, 20.0)]);
        yard.friendly_fire = rule;
        let outcomes = yard.fire_at(1, 0);
        assert!(matches!(shots(&outcomes)[0].what, ShotWhat::Body { .. }), "a friend stops a shot by any rule");
        assert!((100.0 - yard.all[1].vitals.health - lost).abs() < 1e-4, "{rule:?}");
        assert!(hurts(&outcomes).iter().all(Injury::is_friend));
        let outcomes = yard.fire_at(2, 1);
        assert_eq!(yard.all[2].vitals.health, 85.0);
        assert!(hurts(&outcomes).iter().all(|it| !it.is_friend() && it.by == yard.all[0].agent));
    }
}

#[test]
fn near_misses_are_told_with_whose_they_were_and_none_to_who_was_hit() {
    let gun = GunSpec { spread_rad: 0.0, ..rifle() };
    let mut yard = Yard::new(gun, &[(THEM, 0.0, 20.0), (US, 0.8, 10.0), (THEM, -0.8, 12.0), (THEM, 5.0, 10.0)]);
    let outcomes = yard.fire_at(1, 0);
    let passed = |it: &CombatOutcome| match it {
        CombatOutcome::NearMiss { who, is_friend, apart_m, .. } => Some((*who, *is_friend, *apart_m < 0.6)),
        _ => None,
    };
    let passed: Vec<_> = outcomes.iter().filter_map(passed).collect();
    assert_eq!(passed, [(yard.all[2].agent, true, true), (yard.all[3].agent, false, true)]);
    assert_eq!(hurts(&outcomes).iter().map(|it| it.who).collect::<Vec<_>>(), [yard.all[1].agent]);
}

#[test]
fn one_dies_once_and_what_follows_hurts_no_more() {
    let gun = GunSpec { spread_rad: 0.0, pellets: 10, damage: 30.0, ..rifle() };
    let mut yard = Yard::new(gun, &[(THEM, 0.0, 20.0)]);
    let outcomes = yard.fire_at(1, 0);
    let deaths = outcomes.iter().filter(|it| matches!(it, CombatOutcome::Died(_))).count();
    assert_eq!((shots(&outcomes).len(), hurts(&outcomes).len(), deaths), (10, 4, 1));
    assert!(yard.all[1].vitals.is_dead());
}

#[test]
fn events_noises_and_hurts_say_what_the_loop_is_to_be_told() {
    let gun = GunSpec { spread_rad: 0.0, magazine: 1, reserve: 1, reload_s: 0.1, ..rifle() };
    let mut yard = Yard::new(gun, &[(THEM, 0.0, 20.0)]);
    let (me, foe, table) = (yard.all[0].agent, yard.all[1].agent, NoiseTable::default());
    let outcomes = yard.fire_at(1, 0);
    let events: Vec<_> = outcomes.iter().filter_map(CombatOutcome::event).collect();
    assert_eq!(events[0], SimEvent::Fired { by: me, weapon: WeaponId(0), rounds: 1 });
    assert_eq!(events[1], SimEvent::Hurt { who: foe, by: Some(me), lost: 15.0, is_head: false });
    let heard: Vec<_> = outcomes.iter().filter_map(|it| it.noise(&table)).collect();
    assert_eq!((heard.len(), heard[0].range_m, heard[0].by), (1, 60.0, Some(me)));
    let felt: Vec<_> = outcomes.iter().filter_map(CombatOutcome::hurt).collect();
    assert_eq!((felt.len(), felt[0].who, felt[0].amount), (1, foe, 0.15));
    assert_eq!(yard.fire_at(1, 10), [CombatOutcome::Empty { by: me }]);
    yard.look_around();
    let shooter = yard.shooter(Vec3::Z);
    yard.battle(11).act(&shooter, Hands { reloads: true, pulls: false });
    assert_eq!(yard.scratch.outcomes[0].event(), Some(SimEvent::Reloaded { who: me }));
    assert_eq!(yard.scratch.outcomes[0].noise(&table).unwrap().range_m, table.reload_m);
}

#[test]
fn blades_reach_and_blasts_hurt_whom_they_have_an_open_line_to() {
    let mut yard = Yard::new(rifle(), &[(THEM, 0.0, 1.2), (THEM, 10.0, 13.0), (THEM, 10.0, 8.0)]);
    yard.all[0].kit.in_hand = 1;
    let outcomes = yard.fire_at(1, 0);
    assert!(matches!(outcomes[1], CombatOutcome::Struck { .. }));
    assert_eq!(
        hurts(&outcomes).iter().map(|it| (it.who, it.cause)).collect::<Vec<_>>(),
        [(yard.all[1].agent, Cause::Blade)]
    );
    yard.all[0].kit.in_hand = 2;
    let outcomes = yard.fire_at(1, 100);
    let Some(CombatOutcome::Thrown(flight)) = outcomes.last().copied() else { panic!("{outcomes:?}") };
    // On this side of the wall, between both.
    let mut flights = vec![Flight { position: Vec3::new(10.0, 1.0, -9.0), burst_at: Tick(101), ..flight }];
    yard.look_around();
    yard.battle(101).fly(&mut flights);
    assert!(flights.is_empty());
    let outcomes = &yard.scratch.outcomes;
    assert!(matches!(outcomes[0], CombatOutcome::Burst { reached: 1, .. }), "{outcomes:?}");
    assert_eq!(
        hurts(outcomes).iter().map(|it| (it.who, it.cause)).collect::<Vec<_>>(),
        [(yard.all[3].agent, Cause::Blast)]
    );
}
