//! `hide-and-seek`: one seeks five, by sight and sound.

use sentir::core::draw::{Color, DrawList, Layer};
use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_level::LevelView;

use crate::sense::scout::look::{INK, draw_dark, draw_margin, draw_mode, draw_scout};
use crate::sense::scout::{Gear, HIDER, KINDS, Mode, SEEKER, Scout, ScoutBodies};
use sentir_harness::game_match::Match;
use sentir_harness::honesty::tamper::apply;
use sentir_harness::honesty::{Reach, Tamper};
use sentir_harness::info::{Ground, SceneError, SceneInfo, SceneLook, Setting, SettingKind, Setup, level_asset};
use sentir_harness::metric::Metric;
use sentir_harness::scene::{Audited, Inspectable, Scene, StepContext};
use sentir_harness::scene_match::SceneMatch;
use sentir_sim::body::BodyConfig;
use sentir_sim::body_set::BodySetScratch;
use sentir_sim::noise::NoiseTable;

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "hide-and-seek",
    title: "One seeks five, by sight and sound",
    about: "The seeker counts in the hallway while five take their places behind furniture and in dark corners. Then he \
            goes through the rooms: whom he notices he runs after, where he hears steps he goes to look, and whom he \
            touches is out. Who hides keeps still; when the seeker comes too near, or his steps do, one runs to another \
            place, and is heard.",
    controls: None,
    kinds: KINDS,
    look: SceneLook::on(Ground::Tile),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::NAMES, Layer::SENSES, Layer::PATHS],
    settings: SETTINGS,
    assets: &[("rooms.yaml", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/sense/rooms.yaml")))],
    rate: RATE,
    ticks_max: 60 * 180,
    trials: &[&[], &["hiders=2", "count_s=3"]],
    build,
};

const RATE: TickRate = TickRate::new(60);
const PLACE: Purpose = Purpose::new("hide.place");
const SEEKERS: TeamId = TeamId(0);
const HIDERS: TeamId = TeamId(1);
/// How near is touched, m from middle to middle.
const CATCH_M: f32 = 0.9;
const COLORS: [Color; 2] = [Color::rgb(0xb8433f), Color::rgb(0x3a8a5a)];

const SETTINGS: &[Setting] = &[
    Setting { name: "hiders", about: "how many hide", kind: SettingKind::Whole { min: 1, max: 10 }, stock: "5" },
    Setting {
        name: "count_s",
        about: "how long the seeker counts, s",
        kind: SettingKind::Number { min: 0.0, max: 60.0 },
        stock: "9",
    },
    Setting {
        name: "hearing",
        about: "how keen ears are; 0 is deaf",
        kind: SettingKind::Number { min: 0.0, max: 3.0 },
        stock: "1",
    },
];

/// The story of `hide-and-seek`.
struct Game {
    mind: Scout,
    /// Bodies of two kinds: seeker, hider.
    gear: Gear,
    count: u32,
}

/// What is remembered beside the brains.
#[derive(State)]
struct World {
    scouts: ScoutBodies,
    caught: u32,
    /// When the first and the last was caught, s; NaN before.
    first_s: f32,
    last_s: f32,
    /// Times the seeker noticed somebody, went after a noise, and a hider changed its place.
    noticed: u32,
    checks: u32,
    runs: u32,
    ending: Option<bool>,
}

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let mut mind = Scout::of(level_asset(setup, "rooms.yaml")?);
    if mind.ways.points.len() < 2 || mind.hides.is_empty() {
        let what = "needs annotations of the kinds 'point' and 'hide'".to_owned();
        return Err(SceneError::Asset { name: "rooms.yaml".to_owned(), line: 0, column: 0, what });
    }
    mind.counts_until = Tick(RATE.ticks(setup.settings.number("count_s")));
    mind.senses.hearing.keenness = setup.settings.number("hearing");
    mind.walk = 2.0;
    let config = LoopConfig { rate: RATE, index_cell_m: 4.0, ..LoopConfig::default() };
    let mut brains = Loop::<Scout>::new(config, setup.seed);
    let mut rng = brains.streams().stream(0, PLACE);
    let mut scouts = ScoutBodies::new(&mind.level);
    let hiders = setup.settings.whole("hiders");
    for number in 0..=hiders {
        let is_seeker = number == 0;
        let aside = number as f32 * 0.9 - hiders as f32 * 0.45;
        let place = if is_seeker { Vec2::new(0.0, -0.9) } else { Vec2::new(aside, 0.4) };
        let yaw = if is_seeker { math::PI } else { rng.between(-1.0, 1.0) };
        let pose = Pose { position: plane::lift(place, 0.02), yaw };
        let key = HostKey(u64::from(number));
        let (team, kind) = if is_seeker { (SEEKERS, SEEKER) } else { (HIDERS, HIDER) };
        scouts.join(&mut brains, u8::from(!is_seeker), pose, AgentSpec { team, kind, ..AgentSpec::new(key) });
    }
    let body = |speed| BodyConfig {
        speed_m_per_s_max: speed,
        turn_rad_per_s_max: 5.0,
        acceleration_m_per_s2: 12.0,
        ..BodyConfig::default()
    };
    let world =
        World { scouts, caught: 0, first_s: f32::NAN, last_s: f32::NAN, noticed: 0, checks: 0, runs: 0, ending: None };
    let gear = Gear { body_configs: vec![body(3.9), body(3.6)], noises: NoiseTable::default(), quiet_m_per_s: 0.0 };
    Ok(Box::new(SceneMatch::new(Game { mind, gear, count: hiders }, brains, world)))
}

impl Game {
    /// Takes out whom the seeker touches.
    fn touch(&self, brains: &mut Loop<Scout>, world: &mut World, scratch: &mut Scratch) {
        if brains.tick() < self.mind.counts_until {
            return;
        }
        let Some(seeker) = world.scouts.bodies.walker(HostKey(0)).map(|walker| walker.pose.position) else { return };
        let near = |(key, walker): &(HostKey, &sentir_sim::body::CharacterBody)| {
            key.0 != 0 && walker.pose.position.distance(seeker) < CATCH_M
        };
        let Some((key, _)) = world.scouts.bodies.iter().find(near) else { return };
        world.scouts.remove(key);
        if let Some(agent) = brains.agent_of(key) {
            brains.despawn_into(agent, scratch);
        }
        world.caught += 1;
        world.last_s = RATE.seconds(brains.tick().0);
        world.first_s = if world.first_s.is_nan() { world.last_s } else { world.first_s };
    }

    fn count(&self, brains: &Loop<Scout>, world: &mut World, events: &[GameEvent]) {
        let is_seeker = |agent: AgentId| brains.presence(agent).is_some_and(|it| it.kind == SEEKER);
        for event in events {
            match event.kind {
                EventKind::Noticed { .. } if event.agent.is_some_and(is_seeker) => world.noticed += 1,
                EventKind::Decided { decision } if decision == Mode::Check as u16 => world.checks += 1,
                EventKind::Decided { decision } if decision == Mode::Run as u16 => {
                    world.runs += u32::from(event.tick >= self.mind.counts_until);
                }
                _ => {}
            }
        }
    }
}

impl Scene for Game {
    type Mind = Scout;
    type World = World;
    type Cache = BodySetScratch;

    fn step(&self, moment: StepContext<'_, Game>) {
        let StepContext { brains, world, pool, scratch, cache, .. } = moment;
        world.scouts.step(&self.mind, &self.gear, brains, pool, scratch, cache);
        self.count(brains, world, scratch.events());
        self.touch(brains, world, scratch);
        if world.caught >= self.count {
            world.ending = Some(true);
        } else if brains.tick().0 >= SCENE.ticks_max {
            world.ending = Some(false);
        }
    }

    fn fits(&self, world: &World) -> bool {
        world.scouts.bodies.fits(&self.mind.level)
    }

    fn ending(&self, world: &World) -> Option<&'static str> {
        world.ending.map(|all| if all { "all found" } else { "some were not found" })
    }

    fn metrics(&self, world: &World) -> Vec<Metric> {
        vec![
            Metric::new("caught", world.caught as f32),
            Metric::new("first_s", world.first_s),
            Metric::new("last_s", world.last_s),
            Metric::new("noticed", world.noticed as f32),
            Metric::new("noises_checked", world.checks as f32),
            Metric::new("places_changed", world.runs as f32),
        ]
    }

    fn draw(&self, brains: &Loop<Scout>, world: &World, list: &mut DrawList) {
        let view = LevelView { level: &self.mind.level, state: &world.scouts.bodies.level };
        sentir_level::draw::draw(&view, list);
        draw_margin(15.0, list);
        draw_dark(&self.mind, Vec3::ZERO, list);
        for &spot in &self.mind.hides {
            list.circle(Layer::PATHS, INK.alpha(60), plane::lift(spot, 0.0), 0.35, false);
        }
        for noise in brains.noises() {
            let spot = Vec3::new(noise.position.x, 0.0, noise.position.z);
            list.circle(Layer::SENSES, INK.alpha(30), spot, noise.range_m, false);
        }
        for (it, _) in brains.motions() {
            draw_scout(&self.mind, &view, brains, it, COLORS[it.team.0 as usize % 2], Vec3::ZERO, list);
            draw_mode(brains, it, Vec3::ZERO, list);
        }
        let at = Vec3::new(0.0, 0.0, 13.8);
        list.label(Layer::NAMES, INK, at, format_args!("{} of {} found", world.caught, self.count));
    }

    fn inspectable(&self) -> Option<&dyn Inspectable<Self>> {
        Some(self)
    }

    fn audited(&self) -> Option<&dyn Audited<Self>> {
        Some(self)
    }
}

impl Inspectable for Game {
    fn decision_name(&self, decision: u16) -> &'static str {
        self.mind.decision_name(decision)
    }
}

impl Audited for Game {
    fn reach(&self) -> Reach {
        let sight = &self.mind.senses.sight;
        let hearing = self.mind.senses.hearing.keenness;
        let (sight_m, half_rad) = (sight.range_m, sight.half_rad);
        Reach { sight_m, half_rad, near_m: 2.5, hearing, ..Reach::default() }
    }

    fn level<'a>(&'a self, world: &'a World) -> LevelView<'a> {
        LevelView { level: &self.mind.level, state: &world.scouts.bodies.level }
    }

    fn change(&self, brains: &mut Loop<Scout>, world: &mut World, tamper: &Tamper) -> bool {
        apply(brains, &mut world.scouts.bodies, &self.mind.level, tamper)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sentir_harness::info::Changes;

    fn play(seed: u64, hearing: &str) -> (f64, f64, f64) {
        let scene = crate::CATALOG.find("hide-and-seek").unwrap();
        let changes = [("hearing".to_owned(), hearing.to_owned())];
        let mut game = scene.start(&scene.setup(seed, Changes { settings: &changes, assets: &[] }).unwrap()).unwrap();
        while game.ending().is_none() {
            game.step(&[], &Serial);
        }
        let metric = |name: &str| game.metrics().iter().find(|metric| metric.name == name).unwrap().value;
        (metric("caught"), metric("noises_checked"), metric("first_s"))
    }

    #[test]
    fn the_seeker_finds_most_of_them_after_he_counted() {
        let games: Vec<_> = (1..7).map(|seed| play(seed, "1")).collect();
        let caught: f64 = games.iter().map(|game| game.0).sum();
        assert!(caught >= 18.0, "{caught} of 30 found: {games:?}");
        assert!(games.iter().all(|game| game.2 > 9.0 || game.2.is_nan()));
        assert!(games.iter().any(|game| game.1 > 0.0), "nobody heard anything");
    }

    #[test]
    fn a_deaf_seeker_checks_no_noises() {
        assert_eq!(play(3, "0").1, 0.0);
    }
}
