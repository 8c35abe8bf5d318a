//! `range`: weapons against targets. Every shot's chance to hit is known from its spread, so the hits can be judged.

mod mind;

use sentir::core::draw::{Color, DrawList, Layer};
use sentir::core::{math, plane, state};
use sentir::prelude::*;
use sentir_level::{Level, LevelView};

use crate::armory::{Armory, GunSpec, WeaponId, WeaponKind, WeaponSpec, stock};
use crate::body::{BodyConfig, Walker};
use crate::cast::{Cast, CastScratch};
use crate::event::{ArenaEvent, Totals, code, game_events};
use crate::health::Vitals;
use crate::honesty::Reach;
use crate::honesty::tamper::Allowed;
use crate::scene::{Match, Metric, Scene, SceneError, Setting, SettingKind, Setup, level_asset};
use crate::shot::{ShotWhat, Target, shoot};
use crate::story::{Moment, Story, Tale};
use crate::weapon::{Reload, Weapon, reload, scatter, shot_stream, spread_rad, trigger};
use mind::{MARKSMAN, MARKSMEN, Marksman, RangeMind};

/// The scene.
pub const SCENE: Scene = Scene {
    name: "range",
    title: "Four weapons against four targets",
    about: "Four marksmen with a rifle, a machine gun, a shotgun and a pistol fire at a target each, reload when empty and \
            go on until the reserve is gone. The chance of every round follows from its spread, so hits are compared with \
            what they should be.",
    controls: "",
    settings: SETTINGS,
    assets: &[("range.yaml", include_str!("../../assets/range.yaml"))],
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
/// Keys of targets begin here.
const TARGET_KEY: u64 = 100;
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
struct Lanes {
    cast: Cast,
    stands: Vec<Stand>,
    traces: Vec<Trace>,
    totals: Totals,
    is_over: bool,
}

/// A marksman's weapon, target and figures.
#[derive(Clone, Debug, PartialEq, State)]
struct Stand {
    key: HostKey,
    weapon_id: WeaponId,
    weapon: Weapon,
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
struct RangeCache {
    cast: CastScratch,
    targets: Vec<Target>,
}

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let level = level_asset(setup, "range.yaml")?;
    let armory = stock();
    let config = LoopConfig { rate: RATE, index_cell_m: 0.0, ..LoopConfig::every_tick(RATE) };
    let mut brains = Loop::<RangeMind>::new(config, setup.seed);
    let mut cast = Cast::new(&level);
    let mut stands = Vec::new();
    let distance_m = setup.settings.number("distance_m");
    for (number, (spawn, name)) in (0..).zip(level.spawns().iter().zip(WEAPONS)) {
        let far = spawn.pose.position + plane::lift(Vec2::Y * distance_m, 0.0);
        let pose = Pose { position: far, yaw: math::PI };
        let what = |error: crate::armory::WeaponError| SceneError::Asset {
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
            let body = cast.add(key, 0, pose).body();
            // Keys are all different and the level's poses are finite: nobody is refused.
            let _ = brains.spawn_with(AgentSpec { team, kind, body, ..AgentSpec::new(key) }, Marksman::new(is_single));
        }
        let weapon = armory.spec(weapon_id).map_or_else(Weapon::default, Weapon::full);
        let (key, target) = (HostKey(number), Vitals::new(100.0));
        stands.push(Stand {
            key,
            weapon_id,
            weapon,
            target,
            rounds: 0,
            hits: 0,
            expected: 0.0,
            variance: 0.0,
            downs: 0,
        });
    }
    let world = Lanes { cast, stands, traces: Vec::new(), totals: Totals::default(), is_over: false };
    let ticks_max = RATE.ticks(setup.settings.number("seconds"));
    let mind = RangeMind { middle_m: MIDDLE_M, lane_m: 1.0 };
    let body = [BodyConfig::default()];
    Ok(Box::new(Tale::new(Range { mind, level, armory, body, ticks_max }, brains, world)))
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

/// Where a body looks.
fn aim(walker: &Walker) -> Vec3 {
    let (sin, cos) = math::sin_cos(walker.pitch);
    plane::lift(plane::heading(walker.pose.yaw) * cos, sin)
}

fn target_of(brains: &Loop<RangeMind>, key: HostKey, walker: &Walker) -> Option<Target> {
    let agent = brains.agent_of(key)?;
    let team = brains.presence(agent)?.team;
    let foot = walker.pose.position;
    Some(Target { agent, team, foot, head: foot + Vec3::Y * walker.height_m, radius_m: walker.radius_m })
}

impl Range {
    /// Pulls triggers and reloads, as the marksmen want.
    fn fire(&self, moment: &mut Moment<'_, Range>) {
        let tick = moment.brains.tick();
        // Taken out for the time being, so that the moment can be handed on.
        let mut targets = std::mem::take(&mut moment.cache.targets);
        targets.clear();
        targets.extend(moment.world.cast.iter().filter_map(|(key, walker)| target_of(moment.brains, key, walker)));
        for number in 0..moment.world.stands.len() {
            let Some(agent) = moment.brains.agent_of(moment.world.stands[number].key) else { continue };
            let wants = moment.brains.motion(agent).map_or(Actions::default(), |motion| motion.actions);
            let Some(spec) = self.armory.spec(moment.world.stands[number].weapon_id) else { continue };
            let WeaponKind::Gun(gun) = &spec.kind else { continue };
            let stand = &mut moment.world.stands[number];
            if wants.contains(Actions::RELOAD)
                && matches!(reload(&mut stand.weapon, spec, tick, RATE), Reload::Began { .. })
            {
                tell(moment, &ArenaEvent::Reloaded { who: agent }, tick);
                continue;
            }
            let is_held = wants.contains(Actions::FIRE);
            match trigger(&mut stand.weapon, spec, is_held, tick, RATE) {
                Some(fired) => {
                    tell(
                        moment,
                        &ArenaEvent::Fired {
                            by: agent,
                            weapon: moment.world.stands[number].weapon_id,
                            rounds: fired.rounds,
                        },
                        tick,
                    );
                    let spread = spread_rad(gun, fired.recoil_rad, 0.0);
                    self.rounds(moment, number, agent, (spec, gun), (spread, fired.rounds), &targets);
                }
                None if is_held && stand.weapon.magazine == 0 && !stand.weapon.is_reloading() => {
                    moment.brains.report(agent, Outcome::Refused { action: Actions::FIRE });
                }
                None => {}
            }
        }
        moment.cache.targets = targets;
    }

    /// Sends the rounds of one pull on their way.
    fn rounds(
        &self,
        moment: &mut Moment<'_, Range>,
        number: usize,
        agent: AgentId,
        (spec, gun): (&WeaponSpec, &GunSpec),
        (spread, rounds): (f32, u32),
        targets: &[Target],
    ) {
        let tick = moment.brains.tick();
        let key = moment.world.stands[number].key;
        let Some(shooter) = moment.world.cast.walker(key).copied() else { return };
        let Some(mark) = moment.world.cast.walker(HostKey(key.0 + TARGET_KEY)).copied() else { return };
        let eye = shooter.body().eye();
        let middle = mark.pose.position + Vec3::Y * MIDDLE_M;
        let distance_m = eye.distance(middle);
        // Past its range a round meets nothing.
        let chance =
            if distance_m < gun.range_m { chance(spread, distance_m, mark.radius_m, mark.height_m) } else { 0.0 };
        let mut luck = shot_stream(moment.brains.streams(), agent, tick);
        for _ in 0..rounds * gun.pellets.max(1) {
            let ray = Ray { origin: eye, direction: scatter(aim(&shooter), spread, &mut luck), length_m: gun.range_m };
            let hit = shoot(&LevelView { level: &self.level, state: &moment.world.cast.level }, &ray, agent, targets);
            let stand = &mut moment.world.stands[number];
            stand.rounds += 1;
            stand.expected += chance;
            stand.variance += chance * (1.0 - chance);
            let is_hit = matches!(hit.what, ShotWhat::Body { .. });
            moment.world.traces.push(Trace { from: eye, to: hit.point, at: tick, is_hit });
            if let ShotWhat::Body { agent: who, is_head } = hit.what {
                let stand = &mut moment.world.stands[number];
                stand.hits += 1;
                let wound = stand.target.hurt(gun.damage * if is_head { gun.head_factor } else { 1.0 });
                if wound.died {
                    stand.downs += 1;
                    stand.target = Vitals::new(100.0);
                }
                tell(moment, &ArenaEvent::Hurt { who, by: Some(agent), lost: wound.lost, is_head }, tick);
            }
        }
        moment.brains.noise(Noise { position: eye, range_m: spec.noise_m, by: Some(agent), at: tick });
    }
}

/// Hands a happening to the loop's events and to the figures.
fn tell(moment: &mut Moment<'_, Range>, event: &ArenaEvent, tick: Tick) {
    game_events(event, tick, |event| {
        moment.world.totals.add(&event);
        moment.brains.emit(event.agent, event.kind);
    });
}

impl Story for Range {
    type Mind = RangeMind;
    type World = Lanes;
    type Cache = RangeCache;

    fn step(&self, mut moment: Moment<'_, Range>) {
        let view = LevelView { level: &self.level, state: &moment.world.cast.level };
        moment.brains.step(&self.mind, &view, moment.pool, moment.scratch);
        moment.world.cast.follow(moment.brains, &self.body);
        moment.world.cast.step(&self.level, &self.body, RATE, moment.pool, &mut moment.cache.cast);
        moment.world.cast.tell(moment.brains);
        // The first second is for taking aim.
        if moment.brains.tick().0 > u64::from(RATE.hz()) {
            self.fire(&mut moment);
        }
        let tick = moment.brains.tick();
        moment.world.traces.retain(|trace| tick.since(trace.at) < TRACE);
        let is_dry = moment.world.stands.iter().all(|stand| stand.weapon.rounds() == 0);
        moment.world.is_over = is_dry || tick.0 >= self.ticks_max;
    }

    fn fits(&self, world: &Lanes) -> bool {
        world.cast.fits(&self.level)
    }

    fn ending(&self, world: &Lanes) -> Option<&'static str> {
        world.is_over.then_some("done")
    }

    fn metrics(&self, world: &Lanes) -> Vec<Metric> {
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
            Metric { name: "reloads", value: f64::from(world.totals.count(code::RELOAD)) },
            Metric { name: "downs", value: sum(|stand| f64::from(stand.downs)) },
        ];
        for (stand, names) in world.stands.iter().zip(SHARES) {
            let share = |part: f64| if stand.rounds > 0 { part / f64::from(stand.rounds) } else { f64::NAN };
            metrics.push(Metric { name: names[0], value: share(f64::from(stand.hits)) });
            metrics.push(Metric { name: names[1], value: share(stand.expected) });
        }
        metrics
    }

    fn parts(&self, world: &Lanes) -> Vec<(&'static str, u64)> {
        let rules = state::hash(&world.totals) ^ u64::from(world.is_over);
        vec![
            ("bodies", state::hash(&world.cast)),
            ("stands", state::hash(&world.stands)),
            ("traces", state::hash(&world.traces)),
            ("rules", rules),
        ]
    }

    fn reach(&self) -> Option<Reach> {
        Some(Reach { sight_m: 100.0, ..Reach::legs(2.0) })
    }

    fn stage<'a>(&'a self, world: &'a Lanes) -> Option<(&'a Level, &'a Cast)> {
        Some((&self.level, &world.cast))
    }

    fn stage_mut<'a>(&'a self, world: &'a mut Lanes) -> Option<(&'a Level, &'a mut Cast)> {
        Some((&self.level, &mut world.cast))
    }

    fn allowed(&self) -> Allowed {
        // Stands go by number: nobody is removed.
        Allowed::LISTED
    }

    fn draw(&self, brains: &Loop<RangeMind>, world: &Lanes, list: &mut DrawList) {
        sentir_level::draw::draw(&LevelView { level: &self.level, state: &world.cast.level }, list);
        for trace in &world.traces {
            let color = Color::rgb(if trace.is_hit { 0xb8433f } else { 0x9aa4ad }).alpha(160);
            list.line(Layer::SENSES, color, trace.from, trace.to, 0.06);
        }
        for (it, _) in brains.motions() {
            let color = Color::rgb(if it.kind == MARKSMAN { 0x2f6fb0 } else { 0xb8433f });
            list.circle(Layer::BODIES, color, it.body.pose.position, it.body.radius_m, true);
        }
        for (stand, name) in world.stands.iter().zip(WEAPONS) {
            let Some(walker) = world.cast.walker(stand.key) else { continue };
            let doing = if stand.weapon.is_reloading() { ", reloads" } else { "" };
            let text = format_args!("{name} {}/{}{doing}", stand.weapon.magazine, stand.weapon.reserve);
            list.label(Layer::NAMES, Color::rgb(0x23272b), walker.pose.position + Vec3::Z * 2.0, text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let scene = Scene::find("range").unwrap();
        let mut within = 0;
        let (mut hits, mut expected, mut rounds) = (0.0, 0.0, 0.0);
        for seed in 0..20 {
            let mut game = scene.start(&scene.setup(seed, &[], &[]).unwrap()).unwrap();
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
