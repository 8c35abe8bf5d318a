//! `crowd`: five hundred bodies pushed through one door by plain seeking. Ugly on purpose: the baseline for avoidance.

use sentir::core::draw::{Color, DrawList, Layer};
use sentir::core::plane;
use sentir::prelude::*;
use sentir_level::{Level, LevelView};

use crate::straight_walker::{StraightWalker, WalkerBrain};
use sentir_harness::game_match::Match;
use sentir_harness::honesty::tamper::apply;
use sentir_harness::honesty::{Reach, Tamper};
use sentir_harness::info::{
    Ground, KindLook, Model, SceneError, SceneInfo, SceneLook, Setting, SettingKind, Setup, level_asset,
};
use sentir_harness::metric::Metric;
use sentir_harness::scene::{Audited, Scene, StepContext, TIME_UP};
use sentir_harness::scene_match::SceneMatch;
use sentir_sim::body::BodyConfig;
use sentir_sim::body_set::{BodySet, BodySetScratch};

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "crowd",
    title: "Five hundred through one door, by plain seeking",
    about: "Everybody in the west hall wants to the east hall, and goes straight at the door between them. Bodies are in \
            each other's way and never in each other, and nobody looks at anybody: they jam in arches before the door. \
            Who is held up loses patience and backs off a little, blindly; so arches break, and in the end, \
            minutes later, all are through. The ugly baseline.",
    controls: None,
    kinds: &[KindLook::new(0, "walker", Model::Person)],
    look: SceneLook::on(Ground::Concrete),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::NAMES],
    settings: SETTINGS,
    assets: &[("doorway.yaml", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../level/levels/doorway.yaml")))],
    rate: RATE,
    ticks_max: 900 * 60,
    trials: &[&["count=40"], &["count=200", "seconds=10"]],
    build,
};

const RATE: TickRate = TickRate::new(60);
const PLACE: Purpose = Purpose::new("crowd.place");
/// Distance between two bodies at the start, m.
const STEP_M: f32 = 0.75;

const SETTINGS: &[Setting] = &[
    Setting { name: "count", about: "how many bodies", kind: SettingKind::Whole { min: 1, max: 600 }, stock: "500" },
    Setting {
        name: "seconds",
        about: "when the match ends at the latest, s",
        kind: SettingKind::Number { min: 1.0, max: 900.0 },
        stock: "900",
    },
];

/// The story of `crowd`.
struct Crowd {
    mind: StraightWalker,
    level: Level,
    body: [BodyConfig; 1],
    ticks_max: u64,
}

/// What is remembered beside the brains.
#[derive(State)]
struct World {
    bodies: BodySet,
    /// Who is through, in all.
    through: u32,
    /// When the first was, s; NaN before.
    first_s: f32,
    /// When the last was, s; NaN before.
    last_s: f32,
    /// Ticks in which somebody who wants to go did not move, summed over bodies.
    stuck_ticks: u64,
    is_over: bool,
}

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let level = level_asset(setup, "doorway.yaml")?;
    let mut brains =
        Loop::<StraightWalker>::new(LoopConfig { rate: RATE, index_cell_m: 0.0, ..LoopConfig::default() }, setup.seed);
    let mut bodies = BodySet::new(&level);
    let mut random = brains.streams().stream(0, PLACE);
    // A grid in the west hall, shuffled, so that neighbors in the hall are no neighbors in the list.
    let mut places: Vec<Vec2> = (0..32u16)
        .flat_map(|column| (0..24u16).map(move |row| (column, row)))
        .map(|(column, row)| Vec2::new(-28.5 + f32::from(column) * STEP_M, (f32::from(row) - 11.5) * STEP_M))
        .collect();
    random.shuffle(&mut places);
    for (number, &place) in (0..u64::from(setup.settings.whole("count"))).zip(&places) {
        let jitter = Vec2::new(random.between(-0.05, 0.05), random.between(-0.05, 0.05));
        let pose = Pose { position: plane::lift(place + jitter, 0.02), yaw: plane::yaw(-place) };
        let walker = bodies.add(HostKey(number), 0, pose);
        let spec = AgentSpec { body: walker.body(), ..AgentSpec::new(HostKey(number)) };
        let far = Vec2::new(random.between(8.0, 28.0), random.between(-8.5, 8.5));
        let stops = vec![far, Vec2::new(1.6, 0.0), Vec2::new(-0.2, 0.0)];
        // Keys are all different and the body is finite: nobody is refused.
        let _ = brains.spawn_with(spec, WalkerBrain { stops });
    }
    let mind = StraightWalker { pace_m_per_s: 1.5, sway_rad: 0.9 };
    let body = [BodyConfig { speed_m_per_s_max: 1.5, ..BodyConfig::default() }];
    let world = World { bodies, through: 0, first_s: f32::NAN, last_s: f32::NAN, stuck_ticks: 0, is_over: false };
    let ticks_max = RATE.ticks(setup.settings.number("seconds"));
    Ok(Box::new(SceneMatch::new(Crowd { mind, level, body, ticks_max }, brains, world)))
}

impl Scene for Crowd {
    type Mind = StraightWalker;
    type World = World;
    type Cache = BodySetScratch;

    fn step(&self, moment: StepContext<'_, Crowd>) {
        let StepContext { brains, world, pool, scratch, cache, .. } = moment;
        let view = LevelView { level: &self.level, state: &world.bodies.level };
        brains.step(&self.mind, &view, pool, scratch);
        world.bodies.follow(brains, &self.body);
        world.bodies.step(&self.level, &self.body, RATE, pool, cache);
        world.bodies.observe(brains);
        let through = world.bodies.iter().filter(|(_, walker)| walker.pose.position.x > 0.5).count() as u32;
        let now_s = RATE.seconds(brains.tick().0);
        if through > world.through {
            world.through = through;
            world.last_s = now_s;
            world.first_s = if world.first_s.is_nan() { now_s } else { world.first_s };
        }
        let is_stuck =
            |(it, motion): &(&Presence, &Motion)| motion.velocity.length() > 0.5 && it.body.velocity.length() < 0.1;
        world.stuck_ticks += brains.motions().filter(is_stuck).count() as u64;
        world.is_over = through as usize == world.bodies.len() || brains.tick().0 >= self.ticks_max;
    }

    fn fits(&self, world: &World) -> bool {
        world.bodies.fits(&self.level)
    }

    fn ending(&self, world: &World) -> Option<&'static str> {
        let is_clear = world.through as usize == world.bodies.len();
        world.is_over.then_some(if is_clear { "cleared" } else { TIME_UP })
    }

    fn metrics(&self, world: &World) -> Vec<Metric> {
        let flow = (world.through.saturating_sub(1)) as f32 / (world.last_s - world.first_s);
        vec![
            Metric::new("through", world.through as f32),
            Metric::new("first_s", world.first_s),
            Metric::new("last_s", world.last_s),
            Metric::new("flow_per_s", if flow.is_finite() { flow } else { f32::NAN }),
            Metric::new("stuck_body_s", RATE.seconds(world.stuck_ticks)),
        ]
    }

    fn draw(&self, brains: &Loop<StraightWalker>, world: &World, list: &mut DrawList) {
        sentir_level::draw::draw(&LevelView { level: &self.level, state: &world.bodies.level }, list);
        for (it, motion) in brains.motions() {
            let wanted = motion.velocity.length();
            let going = if wanted > 0.1 { it.body.velocity.length() / wanted } else { 1.0 };
            // From red (held up) to blue (on the way).
            let color = if going < 0.25 {
                Color::rgb(0xb8433f)
            } else if going < 0.7 {
                Color::rgb(0xd9822b)
            } else {
                Color::rgb(0x2f6fb0)
            };
            list.body(it.key.0, color, it.body.pose.position, it.body.radius_m);
        }
        let at = Vec3::new(0.0, 0.0, -11.3);
        list.label(
            Layer::NAMES,
            Color::rgb(0x23272b),
            at,
            format_args!("{} of {} through", world.through, world.bodies.len()),
        );
    }

    fn audited(&self) -> Option<&dyn Audited<Self>> {
        Some(self)
    }
}

impl Audited for Crowd {
    fn reach(&self) -> Reach {
        Reach::legs(2.0)
    }

    fn level<'a>(&'a self, world: &'a World) -> LevelView<'a> {
        LevelView { level: &self.level, state: &world.bodies.level }
    }

    fn change(&self, brains: &mut Loop<StraightWalker>, world: &mut World, tamper: &Tamper) -> bool {
        apply(brains, &mut world.bodies, &self.level, tamper)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sentir_harness::info::Changes;

    #[test]
    fn a_few_get_through_quickly_and_many_jam() {
        let play = |count: &str| {
            let scene = crate::CATALOG.find("crowd").unwrap();
            let changes =
                [("count", count), ("seconds", "30")].map(|(name, value)| (name.to_owned(), value.to_owned()));
            let mut game = scene.start(&scene.setup(3, Changes { settings: &changes, assets: &[] }).unwrap()).unwrap();
            while game.ending().is_none() {
                game.step(&[], &Serial);
            }
            let metric = |name: &str| game.metrics().iter().find(|metric| metric.name == name).unwrap().value;
            (game.ending(), metric("through"), metric("stuck_body_s"))
        };
        let (few_end, few, _) = play("3");
        assert_eq!((few_end, few), (Some("cleared"), 3.0));
        let (many_end, many, stuck_s) = play("150");
        assert_eq!(many_end, Some(TIME_UP));
        assert!(many >= 1.0 && stuck_s > 100.0, "{many} through, {stuck_s} s stuck");
    }

    #[test]
    fn arches_break_and_a_jam_clears_in_the_end() {
        let scene = crate::CATALOG.find("crowd").unwrap();
        for seed in 1..4 {
            let count = [("count".to_owned(), "60".to_owned())];
            let mut game = scene.start(&scene.setup(seed, Changes { settings: &count, assets: &[] }).unwrap()).unwrap();
            while game.ending().is_none() && game.tick().0 < 150 * 60 {
                game.step(&[], &Serial);
            }
            assert_eq!(game.ending(), Some("cleared"), "seed {seed}: {:?}", game.metrics());
        }
    }
}
