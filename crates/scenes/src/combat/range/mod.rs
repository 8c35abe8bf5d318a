//! `range`: weapons against targets. Every shot's chance to hit is known from its spread, so the hits can be judged.

mod mind;

use sentir::core::draw::{Color, DrawList, Layer};
use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_level::{Level, LevelView};

use mind::{MARKSMAN, MARKSMEN, Marksman, RangeMind};
use sentir_harness::game_match::Match;
use sentir_harness::honesty::tamper::{Allowed, apply};
use sentir_harness::honesty::{Reach, Tamper};
use sentir_harness::info::{
    Ground, KindLook, Model, SceneError, SceneInfo, SceneLook, Setting, SettingKind, Setup, level_asset,
};
use sentir_harness::metric::Metric;
use sentir_harness::scene::{Audited, Scene, StepContext};
use sentir_harness::scene_match::SceneMatch;
use sentir_sim::armory::{Armory, WeaponId, WeaponKind, stock};
use sentir_sim::body::{BodyConfig, CharacterBody};
use sentir_sim::body_set::{BodySet, BodySetScratch};
use sentir_sim::combat::{Battle, CombatOutcome, CombatScratch, Combatants, Hands, Shooter};
use sentir_sim::event::{Totals, emit};
use sentir_sim::health::{FriendlyFire, Vitals};
use sentir_sim::kit::Carried;
use sentir_sim::noise::NoiseTable;
use sentir_sim::shot::{ShotWhat, Target};
use sentir_sim::weapon::Weapon;

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "range",
    title: "Four weapons against four targets",
    about: "Four marksmen with a rifle, a machine gun, a shotgun and a pistol fire at a target each, reload when empty and \
            go on until the reserve is gone. The chance of every round follows from its spread, so hits are compared with \
            what they should be.",
    controls: None,
    kinds: &[KindLook::new(MARKSMAN, "marksman", Model::Soldier), KindLook::new(TARGET, "target", Model::Person)],
    look: SceneLook::on(Ground::Concrete),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::NAMES, Layer::SENSES],
    settings: SETTINGS,
    assets: &[("range.yaml", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/combat/range.yaml")))],
    rate: RATE,
    ticks_max: 60 * 60,
    trials: &[&[], &["distance_m=45", "seconds=10"]],
    build,
};

const RATE: TickRate = TickRate::new(60);
const TARGETS: TeamId = TeamId(1);
const TARGET: u16 = 1;
/// The weapons, by stand.
const WEAPONS: [&str; 4] = ["rifle", "machine gun", "shotgun", "pistol"];
/// Middle of a standing target over its feet, m.
const MIDDLE_M: f32 = 0.9;
/// What a target can take.
const TARGET_HEALTH: f32 = 100.0;
/// Keys of targets begin here.
const TARGET_KEY: u64 = 100;
/// What is heard beside the weapons: nothing, as everybody looks at a target.
const NOISES: NoiseTable = NoiseTable { reload_m: 0.0, ..NoiseTable::STOCK };
/// How long a shot is shown, ticks.
const TRACE: u64 = 6;

const SETTINGS: &[Setting] = &[
    Setting {
        name: "distance_m",
        about: "how far away the targets stand, m",
        kind: SettingKind::Number { min: 5.0, max: 55.0 },
        stock: "25",
    },
    Setting {
        name: "seconds",
        about: "how long they shoot, s",
        kind: SettingKind::Number { min: 1.0, max: 60.0 },
        stock: "20",
    },
];

/// The story of `range`.
struct Range {
    mind: RangeMind,
    level: Level,
    armory: Armory,
    body: [BodyConfig; 1],
    ticks_max: u64,
}

/// What is remembered beside the brains.
#[derive(State)]
struct World {
    bodies: BodySet,
    stands: Vec<Stand>,
    traces: Vec<Trace>,
    totals: Totals,
    is_over: bool,
}

/// A marksman's weapon, target and figures.
#[derive(Clone, Debug, PartialEq, State)]
struct Stand {
    key: HostKey,
    carried: Carried,
    target: Vitals,
    rounds: u32,
    hits: u32,
    /// Sum of the chances of all rounds.
    expected: f64,
    /// Sum of chance × (1 − chance): the variance of the hits.
    variance: f64,
    /// Targets put down.
    downs: u32,
}

/// A shot to be shown.
#[derive(Clone, Copy, Debug, PartialEq, State)]
struct Trace {
    from: Vec3,
    to: Vec3,
    at: Tick,
    is_hit: bool,
}

/// What a step needs and need not remember.
#[derive(Default)]
struct Cache {
    bodies: BodySetScratch,
    combat: CombatScratch,
}

/// Whatever the marksman of a stand hits counts as his own target.
impl Combatants for Stand {
    fn weapon_mut(&mut self, _who: AgentId) -> Option<&mut Carried> {
        Some(&mut self.carried)
    }

    fn vitals_mut(&mut self, _who: AgentId) -> Option<&mut Vitals> {
        self.rise();
        Some(&mut self.target)
    }
}

impl Stand {
    /// A target that is down stands up for the next pellet.
    fn rise(&mut self) {
        if self.target.is_dead() {
            self.target = Vitals::new(TARGET_HEALTH);
        }
    }
}

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let level = level_asset(setup, "range.yaml")?;
    let armory = stock();
    let config = LoopConfig { rate: RATE, index_cell_m: 0.0, ..LoopConfig::every_tick(RATE) };
    let mut brains = Loop::<RangeMind>::new(config, setup.seed);
    let mut bodies = BodySet::new(&level);
    let mut stands = Vec::new();
    let distance_m = setup.settings.number("distance_m");
    for (number, (spawn, name)) in (0..).zip(level.spawns().iter().zip(WEAPONS)) {
        let far = spawn.pose.position + plane::lift(Vec2::Y * distance_m, 0.0);
        let pose = Pose { position: far, yaw: math::PI };
        let what = |error: sentir_sim::armory::WeaponError| SceneError::Asset {
            name: "armory".to_owned(),
            line: 0,
            column: 0,
            what: error.to_string(),
        };
        let weapon_id = armory.named(name).map_err(what)?;
        let is_single =
            armory.spec(weapon_id).is_some_and(|spec| matches!(&spec.kind, WeaponKind::Gun(gun) if !gun.is_automatic));
        for (key, kind, team, pose) in
            [(HostKey(number), MARKSMAN, MARKSMEN, spawn.pose), (HostKey(number + TARGET_KEY), TARGET, TARGETS, pose)]
        {
            let body = bodies.add(key, 0, pose).body();
            // Keys are all different and the level's poses are finite: nobody is refused.
            let _ = brains.spawn_with(AgentSpec { team, kind, body, ..AgentSpec::new(key) }, Marksman::new(is_single));
        }
        let weapon = armory.spec(weapon_id).map_or_else(Weapon::default, Weapon::full);
        stands.push(Stand {
            key: HostKey(number),
            carried: Carried { id: weapon_id, weapon },
            target: Vitals::new(TARGET_HEALTH),
            rounds: 0,
            hits: 0,
            expected: 0.0,
            variance: 0.0,
            downs: 0,
        });
    }
    let world = World { bodies, stands, traces: Vec::new(), totals: Totals::default(), is_over: false };
    let ticks_max = RATE.ticks(setup.settings.number("seconds"));
    let mind = RangeMind { middle_m: MIDDLE_M, lane_m: 1.0 };
    let body = [BodyConfig::default()];
    Ok(Box::new(SceneMatch::new(Range { mind, level, armory, body, ticks_max }, brains, world)))
}

/// The share of a cone's rounds that meet an upright capsule whose middle it is aimed at: the part of a disc of the
/// cone's radius there that the capsule's outline covers, in strips. For cones of a few degrees.
fn chance(spread_rad: f32, distance_m: f32, radius_m: f32, height_m: f32) -> f64 {
    const STRIPS: u32 = 512;
    let disc = f64::from(math::tan(spread_rad) * distance_m);
    let (radius, straight) = (f64::from(radius_m), f64::from(height_m * 0.5 - radius_m));
    if disc < 1e-6 {
        return 1.0;
    }
    let half = if radius < disc { radius } else { disc };
    let strip = |number: u32| {
        let x = half * (f64::from(number) + 0.5) / f64::from(STRIPS);
        let outline = straight + (radius * radius - x * x).sqrt();
        let rim = (disc * disc - x * x).sqrt();
        if outline < rim { outline } else { rim }
    };
    let covered: f64 = (0..STRIPS).map(strip).sum::<f64>() * (half / f64::from(STRIPS)) * 4.0;
    covered / (std::f64::consts::PI * disc * disc)
}

fn target_of(brains: &Loop<RangeMind>, key: HostKey, walker: &CharacterBody) -> Option<Target> {
    let agent = brains.agent_of(key)?;
    Some(Target::of(agent, brains.presence(agent)?.team, walker))
}

/// What is fired by one pull of a trigger.
#[derive(Clone, Copy, Debug)]
struct Volley {
    weapon: WeaponId,
    /// Half the angle of the cone, rad.
    spread_rad: f32,
    /// Where it is fired from, m.
    eye: Vec3,
}

impl Range {
    /// Pulls triggers and reloads, as the marksmen want.
    fn fire(&self, moment: &mut StepContext<'_, Range>) {
        let StepContext { brains, world, cache, .. } = moment;
        cache.combat.targets.clear();
        cache.combat.targets.extend(world.bodies.iter().filter_map(|(key, walker)| target_of(brains, key, walker)));
        for number in 0..world.stands.len() {
            let stand = &mut world.stands[number];
            let Some(agent) = brains.agent_of(stand.key) else { continue };
            let wants = brains.motion(agent).map_or(Actions::default(), |motion| motion.actions);
            let Some(walker) = world.bodies.walker(stand.key) else { continue };
            let shooter = Shooter { pace: 0.0, ..Shooter::of(agent, MARKSMEN, walker, self.body[0].speed_m_per_s_max) };
            let mut battle = Battle {
                armory: &self.armory,
                level: &self.level,
                state: &mut world.bodies.level,
                combatants: &mut *stand,
                friendly_fire: FriendlyFire::On,
                streams: brains.streams(),
                tick: brains.tick(),
                rate: RATE,
                scratch: &mut cache.combat,
            };
            let (reloads, pulls) = (wants.contains(Actions::RELOAD), wants.contains(Actions::FIRE));
            battle.act(&shooter, Hands { reloads, pulls });
            stand.rise();
            let mut chance = 0.0;
            for outcome in &cache.combat.outcomes {
                if let CombatOutcome::Fired { weapon, spread_rad, at, .. } = *outcome {
                    chance = self.chance(world, number, Volley { weapon, spread_rad, eye: at });
                }
                world.count(number, outcome, chance, brains.tick());
                report(brains, &mut world.totals, outcome);
            }
        }
    }

    /// The chance of each pellet of a volley from a stand to hit its target.
    fn chance(&self, world: &World, number: usize, volley: Volley) -> f64 {
        let Volley { weapon, spread_rad, eye } = volley;
        let key = HostKey(world.stands[number].key.0 + TARGET_KEY);
        let (Some(spec), Some(mark)) = (self.armory.spec(weapon), world.bodies.walker(key)) else { return 0.0 };
        let WeaponKind::Gun(gun) = &spec.kind else { return 0.0 };
        let distance_m = eye.distance(mark.pose.position + Vec3::Y * MIDDLE_M);
        // Past its range a round meets nothing.
        if distance_m < gun.range_m { chance(spread_rad, distance_m, mark.radius_m, mark.height_m) } else { 0.0 }
    }
}

impl World {
    /// Counts something that happened at a stand, and shows it; `chance` is that of each pellet to hit.
    fn count(&mut self, number: usize, outcome: &CombatOutcome, chance: f64, tick: Tick) {
        let stand = &mut self.stands[number];
        match *outcome {
            CombatOutcome::Shot { from, hit, .. } => {
                let is_hit = matches!(hit.what, ShotWhat::Body { .. });
                stand.rounds += 1;
                stand.hits += u32::from(is_hit);
                stand.expected += chance;
                stand.variance += chance * (1.0 - chance);
                self.traces.push(Trace { from, to: hit.point, at: tick, is_hit });
            }
            CombatOutcome::Died(_) => stand.downs += 1,
            _ => {}
        }
    }
}

/// Reports something that happened to the loop. Targets are dummies: they notice nothing, and nobody dies.
fn report(brains: &mut Loop<RangeMind>, totals: &mut Totals, outcome: &CombatOutcome) {
    if matches!(outcome, CombatOutcome::NearMiss { .. } | CombatOutcome::Died(_)) {
        return;
    }
    if let CombatOutcome::Empty { by } = *outcome {
        brains.report(by, Outcome::Refused { action: Actions::FIRE });
    }
    if let Some(event) = outcome.event() {
        emit(brains, &event, |_, kind| totals.add(kind));
    }
    if let Some(noise) = outcome.noise(&NOISES) {
        brains.noise(noise);
    }
}

impl Scene for Range {
    type Mind = RangeMind;
    type World = World;
    type Cache = Cache;

    fn step(&self, mut moment: StepContext<'_, Range>) {
        let view = LevelView { level: &self.level, state: &moment.world.bodies.level };
        moment.brains.step(&self.mind, &view, moment.pool, moment.scratch);
        moment.world.bodies.follow(moment.brains, &self.body);
        moment.world.bodies.step(&self.level, &self.body, RATE, moment.pool, &mut moment.cache.bodies);
        moment.world.bodies.observe(moment.brains);
        // The first second is for taking aim.
        if moment.brains.tick().0 > u64::from(RATE.hz()) {
            self.fire(&mut moment);
        }
        let tick = moment.brains.tick();
        moment.world.traces.retain(|trace| tick.since(trace.at) < TRACE);
        let is_dry = moment.world.stands.iter().all(|stand| stand.carried.weapon.rounds() == 0);
        moment.world.is_over = is_dry || tick.0 >= self.ticks_max;
    }

    fn fits(&self, world: &World) -> bool {
        world.bodies.fits(&self.level)
    }

    fn ending(&self, world: &World) -> Option<&'static str> {
        world.is_over.then_some("done")
    }

    fn metrics(&self, world: &World) -> Vec<Metric> {
        const SHARES: [[&str; 2]; 4] = [
            ["rifle_hit_share", "rifle_expected_share"],
            ["machine_gun_hit_share", "machine_gun_expected_share"],
            ["shotgun_hit_share", "shotgun_expected_share"],
            ["pistol_hit_share", "pistol_expected_share"],
        ];
        let sum = |part: fn(&Stand) -> f64| world.stands.iter().map(part).sum::<f64>();
        let (hits, expected) = (sum(|stand| f64::from(stand.hits)), sum(|stand| stand.expected));
        let deviation = sum(|stand| stand.variance).sqrt();
        let z = if deviation > 0.0 { (hits - expected) / deviation } else { f64::NAN };
        let mut metrics = vec![
            Metric { name: "rounds", value: sum(|stand| f64::from(stand.rounds)) },
            Metric { name: "hits", value: hits },
            Metric { name: "expected_hits", value: expected },
            Metric { name: "deviations", value: z },
            Metric { name: "reloads", value: f64::from(world.totals.count(EventTag::Reloaded)) },
            Metric { name: "downs", value: sum(|stand| f64::from(stand.downs)) },
        ];
        for (stand, names) in world.stands.iter().zip(SHARES) {
            let share = |part: f64| if stand.rounds > 0 { part / f64::from(stand.rounds) } else { f64::NAN };
            metrics.push(Metric { name: names[0], value: share(f64::from(stand.hits)) });
            metrics.push(Metric { name: names[1], value: share(stand.expected) });
        }
        metrics
    }

    fn draw(&self, brains: &Loop<RangeMind>, world: &World, list: &mut DrawList) {
        sentir_level::draw::draw(&LevelView { level: &self.level, state: &world.bodies.level }, list);
        for trace in &world.traces {
            let color = Color::rgb(if trace.is_hit { 0xb8433f } else { 0x9aa4ad }).alpha(160);
            list.line(Layer::SENSES, color, trace.from, trace.to, 0.06);
        }
        for (it, _) in brains.motions() {
            let color = Color::rgb(if it.kind == MARKSMAN { 0x2f6fb0 } else { 0xb8433f });
            list.body(it.key.0, color, it.body.pose.position, it.body.radius_m);
        }
        for (stand, name) in world.stands.iter().zip(WEAPONS) {
            let Some(walker) = world.bodies.walker(stand.key) else { continue };
            let doing = if stand.carried.weapon.is_reloading() { ", reloads" } else { "" };
            let text = format_args!("{name} {}/{}{doing}", stand.carried.weapon.magazine, stand.carried.weapon.reserve);
            list.label(Layer::NAMES, Color::rgb(0x23272b), walker.pose.position + Vec3::Z * 2.0, text);
        }
    }

    fn audited(&self) -> Option<&dyn Audited<Self>> {
        Some(self)
    }
}

impl Audited for Range {
    fn reach(&self) -> Reach {
        Reach { sight_m: 100.0, ..Reach::legs(2.0) }
    }

    fn level<'a>(&'a self, world: &'a World) -> LevelView<'a> {
        LevelView { level: &self.level, state: &world.bodies.level }
    }

    fn change(&self, brains: &mut Loop<RangeMind>, world: &mut World, tamper: &Tamper) -> bool {
        apply(brains, &mut world.bodies, &self.level, tamper)
    }

    fn allowed(&self) -> Allowed {
        // Stands go by number: nobody is removed.
        Allowed::LISTED
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sentir_harness::info::Changes;

    #[test]
    fn the_chance_is_that_of_a_disc_where_the_target_is_one() {
        // A capsule of no straight part is a ball: the share is the ratio of the areas.
        for (spread, distance) in [(0.02, 50.0), (0.05, 30.0)] {
            let disc = f64::from(math::tan(spread) * distance);
            let expected = 0.3 * 0.3 / (disc * disc);
            assert!((chance(spread, distance, 0.3, 0.6) - expected).abs() < 1e-4);
        }
        assert_eq!(chance(0.0, 20.0, 0.3, 1.8), 1.0);
        assert!((chance(0.01, 10.0, 0.3, 1.8) - 1.0).abs() < 1e-3, "all within the body");
    }

    #[test]
    fn hits_follow_the_spread_within_their_intervals() {
        // Twenty matches: two standard deviations hold about 95 % of them.
        let scene = crate::CATALOG.find("range").unwrap();
        let mut within = 0;
        let (mut hits, mut expected, mut rounds) = (0.0, 0.0, 0.0);
        for seed in 0..20 {
            let mut game = scene.start(&scene.setup(seed, Changes::default()).unwrap()).unwrap();
            while game.ending().is_none() {
                game.step(&[], &Serial);
            }
            let metric = |name: &str| game.metrics().iter().find(|metric| metric.name == name).unwrap().value;
            within += u32::from(metric("deviations").abs() <= 1.96);
            hits += metric("hits");
            expected += metric("expected_hits");
            rounds += metric("rounds");
            assert!(metric("reloads") >= 2.0);
        }
        assert!(within >= 16, "only {within} of 20 matches are within 1.96 deviations");
        assert!(rounds > 3000.0 && (hits / expected - 1.0).abs() < 0.03, "{hits} hits, {expected} expected");
    }
}
