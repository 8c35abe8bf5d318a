//! `collapse-demo`: doors open, walls break, a cart and a platform move, and people stroll through it all: the change log,
//! seen.

use sentir::core::draw::{Color, DrawList, Layer};
use sentir::core::plane;
use sentir::prelude::*;
use sentir_level::{Aabb, Changes, Level, LevelView, PieceId};

use crate::straight_walker::{StraightWalker, WalkerBrain};
use sentir_harness::game_match::Match;
use sentir_harness::honesty::tamper::apply;
use sentir_harness::honesty::{Reach, Tamper};
use sentir_harness::info::{
    Ground, KindLook, Model, SceneError, SceneInfo, SceneLook, Setting, SettingKind, Setup, level_asset,
};
use sentir_harness::metric::Metric;
use sentir_harness::scene::{Audited, Scene, StepContext};
use sentir_harness::scene_match::SceneMatch;
use sentir_sim::body::BodyConfig;
use sentir_sim::body_set::{BodySet, BodySetScratch};

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "collapse-demo",
    title: "Pieces fall and doors open: the change log, seen",
    about: "Every second or two something happens to a piece of the level: a door opens or closes, a wall takes damage \
            and breaks. A cart and a platform move all the time. Strollers walk among it; a line of sight through each \
            piece is watched, and must open or close at the very tick of the change.",
    controls: None,
    kinds: &[KindLook::new(0, "walker", Model::Person)],
    look: SceneLook::on(Ground::Concrete),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::SENSES],
    settings: SETTINGS,
    assets: &[("collapse.yaml", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../level/levels/collapse.yaml")))],
    rate: RATE,
    ticks_max: 30 * 60,
    trials: &[&[], &["strollers=30"]],
    build,
};

const RATE: TickRate = TickRate::new(60);
const SCRIPT: Purpose = Purpose::new("collapse.script");
const STROLL: Purpose = Purpose::new("collapse.stroll");
/// How long a change is shown, ticks.
const FLASH: u64 = 40;

const SETTINGS: &[Setting] = &[Setting {
    name: "strollers",
    about: "how many people walk about",
    kind: SettingKind::Whole { min: 0, max: 60 },
    stock: "8",
}];

/// The story of `collapse-demo`.
struct Collapse {
    mind: StraightWalker,
    level: Level,
    body: [BodyConfig; 1],
}

/// What is remembered beside the brains.
#[derive(State)]
struct World {
    bodies: BodySet,
    /// The version of the level that was looked at last.
    looked: u64,
    /// When the next thing happens.
    next: Tick,
    /// Recent changes: where, and when.
    flashes: Vec<Flash>,
    figures: Figures,
    is_over: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, State)]
struct Flash {
    low: Vec3,
    high: Vec3,
    at: Tick,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
struct Figures {
    /// Changes in the log.
    changes: u32,
    doors: u32,
    broken: u32,
    /// Checks of a line of sight against the piece's own state.
    looks: u32,
    /// Those that did not agree: must be 0.
    stale_looks: u32,
}

/// What a step needs and need not remember.
#[derive(Default)]
struct Cache {
    bodies: BodySetScratch,
    boxes: Vec<(PieceId, Aabb)>,
}

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let level = level_asset(setup, "collapse.yaml")?;
    let mut brains = Loop::<StraightWalker>::new(LoopConfig { rate: RATE, ..LoopConfig::default() }, setup.seed);
    let mut bodies = BodySet::new(&level);
    let mut random = brains.streams().stream(0, STROLL);
    for number in 0..u64::from(setup.settings.whole("strollers")) {
        let (column, row) = (number % 10, number / 10);
        let place = Vec2::new(-18.0 + column as f32 * 0.9, -11.0 + row as f32 * 0.9);
        let pose = Pose { position: plane::lift(place, 0.02), yaw: 0.0 };
        let walker = bodies.add(HostKey(number), 0, pose);
        let spec = AgentSpec { body: walker.body(), ..AgentSpec::new(HostKey(number)) };
        let stops = (0..24).map(|_| Vec2::new(random.between(-18.0, 8.5), random.between(-10.5, 6.5))).collect();
        // Keys are all different and the body is finite: nobody is refused.
        let _ = brains.spawn_with(spec, WalkerBrain { stops });
    }
    let world = World {
        looked: bodies.level.version(),
        bodies,
        next: Tick(60),
        flashes: Vec::new(),
        figures: Figures::default(),
        is_over: false,
    };
    let body = [BodyConfig { speed_m_per_s_max: 1.4, turn_rad_per_s_max: 4.0, ..BodyConfig::default() }];
    Ok(Box::new(SceneMatch::new(
        Collapse { mind: StraightWalker { pace_m_per_s: 1.4, sway_rad: 0.2 }, level, body },
        brains,
        world,
    )))
}

impl Collapse {
    /// Something happens to a piece.
    fn happen(&self, brains: &Loop<StraightWalker>, world: &mut World) {
        if brains.tick() < world.next || self.level.pieces().is_empty() {
            return;
        }
        let mut random = brains.streams().at(0, SCRIPT, brains.tick());
        world.next = brains.tick() + RATE.ticks(random.between(0.8, 2.0));
        let piece = PieceId(random.below(self.level.pieces().len() as u32) as u16);
        let (spec, is_open) = (
            &self.level.pieces()[usize::from(piece.0)],
            world.bodies.level.piece(piece).is_some_and(|one| one.is_opening),
        );
        if spec.door.is_some() {
            world.bodies.level.lock_door(piece, false);
            if is_open {
                world.bodies.level.close_door(&self.level, piece);
            } else {
                world.bodies.level.open_door(&self.level, piece);
            }
            world.figures.doors = world.figures.doors.saturating_add(1);
        } else if world.bodies.level.damage_piece(&self.level, piece, 60.0) {
            world.figures.broken = world.figures.broken.saturating_add(1);
        }
    }

    /// Reads the log, and looks whether a ray agrees with it: a broken piece stops none.
    fn look(&self, world: &mut World, boxes: &mut Vec<(PieceId, Aabb)>, tick: Tick) {
        boxes.clear();
        if let Changes::Some(changes) = world.bodies.level.changes_since(world.looked) {
            boxes.extend(changes.iter().map(|change| (change.piece, change.after)));
        }
        world.looked = world.bodies.level.version();
        world.figures.changes += boxes.len() as u32;
        for &(piece, after) in boxes.iter() {
            let (low, high) = (after.low, after.high);
            if (low.is_finite() && high.is_finite()) && world.flashes.last().is_none_or(|last| last.low != low) {
                world.flashes.push(Flash { low, high, at: tick });
            }
            let view = LevelView { level: &self.level, state: &world.bodies.level };
            let is_gone = world.bodies.level.piece(piece).is_some_and(|one| one.is_destroyed);
            // Straight down through the middle of where it is now.
            let middle = (low + high) * 0.5;
            let ray = Ray {
                origin: Vec3::new(middle.x, high.y + 0.05, middle.z),
                direction: Vec3::NEG_Y,
                length_m: 0.1 + (high.y - low.y),
            };
            let meets = view.hit(&ray, sentir_level::Blocks::ANYTHING).is_some_and(|hit| hit.piece == Some(piece));
            world.figures.looks = world.figures.looks.saturating_add(1);
            world.figures.stale_looks =
                world.figures.stale_looks.saturating_add(u32::from(is_gone == meets && middle.is_finite()));
        }
        world.flashes.retain(|flash| tick.since(flash.at) < FLASH);
    }
}

impl Scene for Collapse {
    type Mind = StraightWalker;
    type World = World;
    type Cache = Cache;

    fn step(&self, moment: StepContext<'_, Collapse>) {
        let StepContext { brains, world, pool, scratch, cache, .. } = moment;
        self.happen(brains, world);
        let view = LevelView { level: &self.level, state: &world.bodies.level };
        brains.step(&self.mind, &view, pool, scratch);
        world.bodies.follow(brains, &self.body);
        world.bodies.step(&self.level, &self.body, RATE, pool, &mut cache.bodies);
        world.bodies.observe(brains);
        self.look(world, &mut cache.boxes, brains.tick());
        world.is_over = brains.tick().0 >= SCENE.ticks_max;
    }

    fn fits(&self, world: &World) -> bool {
        world.bodies.fits(&self.level)
    }

    fn ending(&self, world: &World) -> Option<&'static str> {
        world.is_over.then_some("shown")
    }

    fn metrics(&self, world: &World) -> Vec<Metric> {
        let Figures { changes, doors, broken, looks, stale_looks } = world.figures;
        [
            ("changes", changes),
            ("doors_moved", doors),
            ("pieces_broken", broken),
            ("looks", looks),
            ("stale_looks", stale_looks),
        ]
        .map(|(name, value)| Metric::new(name, value as f32))
        .into()
    }

    fn draw(&self, brains: &Loop<StraightWalker>, world: &World, list: &mut DrawList) {
        let view = LevelView { level: &self.level, state: &world.bodies.level };
        sentir_level::draw::draw(&view, list);
        for flash in &world.flashes {
            let age = brains.tick().since(flash.at).min(FLASH) as f32 / FLASH as f32;
            let color = Color::rgb(0xd9822b).alpha((255.0 * (1.0 - age)) as u8);
            let corners = [
                (flash.low.x, flash.low.z),
                (flash.high.x, flash.low.z),
                (flash.high.x, flash.high.z),
                (flash.low.x, flash.high.z),
            ];
            for side in 0..4 {
                let [from, to] = [corners[side], corners[(side + 1) % 4]].map(|(x, z)| Vec3::new(x, 0.0, z));
                list.line(Layer::SENSES, color, from, to, 0.12);
            }
        }
        for (it, _) in brains.motions() {
            // Purple up on the bridge, faint under it.
            let is_up = it.body.pose.position.y > 1.5;
            let is_roofed = !view.is_clear(it.body.eye(), it.body.eye() + Vec3::Y * 3.0);
            let color = Color::rgb(if is_up { 0x7a5ea8 } else { 0x2f6fb0 }).alpha(if is_roofed { 90 } else { 255 });
            list.body(it.key.0, color, it.body.pose.position, it.body.radius_m);
            let nose = it.body.pose.position + it.body.facing() * (it.body.radius_m * 1.8);
            list.line(Layer::BODIES, color, it.body.pose.position, nose, 0.12);
        }
    }

    fn audited(&self) -> Option<&dyn Audited<Self>> {
        Some(self)
    }
}

impl Audited for Collapse {
    fn reach(&self) -> Reach {
        Reach::legs(2.5)
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
    fn every_change_is_seen_at_once() {
        let scene = crate::CATALOG.find("collapse-demo").unwrap();
        for seed in 0..4 {
            let mut game = scene.start(&scene.setup(seed, Changes::default()).unwrap()).unwrap();
            while game.ending().is_none() {
                game.step(&[], &Serial);
            }
            let metric = |name: &str| game.metrics().iter().find(|metric| metric.name == name).unwrap().value;
            assert_eq!(metric("stale_looks"), 0.0, "seed {seed}");
            assert!(metric("changes") > 500.0 && metric("doors_moved") > 0.0 && metric("pieces_broken") > 0.0);
        }
    }
}
