//! `guard`: one guard, any kind of brain. `soldier-plan`: a soldier who plans with rifle and knife.
//!
//! The guard walks between a door and a safe, looks into noises, answers the phone and goes back to what it did, fights who
//! comes in, flees when badly hurt and comes back. All eight brains are files over the same two leaves.

pub(crate) mod leaf;
pub(crate) mod mind;
pub(crate) mod picture;
mod reload;
mod world;

use sentir::core::chart::Chart;
use sentir::core::draw::{DrawList, Layer};
use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_level::{Level, LevelView};
use sentir_think::brain::Brain;
use sentir_think::key::Keys;
use sentir_think::stock;

use leaf::Posts;
use mind::{BrainFile, GUARD, GuardMind};
use sentir_harness::edit::part_name;
use sentir_harness::game_match::Match;
use sentir_harness::honesty::tamper::{Allowed, apply};
use sentir_harness::honesty::{Reach, Tamper};
use sentir_harness::info::{
    Ground, KindLook, Model, SceneError, SceneInfo, SceneLook, Setting, SettingKind, Setup, level_asset,
};
use sentir_harness::metric::Metric;
use sentir_harness::scene::{Audited, Editable, Inspectable, MatchView, Scene, StepContext, TIME_UP};
use sentir_harness::scene_match::SceneMatch;
use sentir_harness::sound::{Sound, SoundKind};
use sentir_sim::body::BodyConfig;
use sentir_sim::body_set::{BodySet, BodySetScratch, Seen};
use world::World;

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "guard",
    title: "One guard, any kind of brain",
    about: "A guard walks between a door and a safe. It looks into noises, answers the phone and goes back to the very leg it \
            left, fights who comes in, flees to the first-aid box when badly hurt and comes back. Its brain is a file: a \
            behavior tree, a flat or a nested state machine, a decision tree, options by worth, goals and plans, a network \
            of tasks, or rules; all do the same. Play your own with --asset guard/tree.yaml=PATH, or the file of another \
            kind with --set brain=...; in the studio, edit it while it thinks.",
    controls: None,
    kinds: &[KindLook::new(GUARD, "guard", Model::Soldier), KindLook::new(mind::FOE, "foe", Model::Soldier)],
    look: SceneLook::on(Ground::Tile),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::NAMES, Layer::SENSES, Layer::PATHS],
    settings: SETTINGS,
    assets: ASSETS,
    rate: RATE,
    ticks_max: 60 * 90,
    trials: &[&[], &["brain=goap"], &["brain=htn", "nerve=0.6"], &["brain=hfsm"]],
    build,
};

pub(crate) const LEVEL: &str = "guard.yaml";
pub(crate) const GUARD_LEVEL: (&str, &str) =
    (LEVEL, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/brain/guard.yaml")));
/// The level, and the brain of each kind as a file.
const ASSETS: &[(&str, &str)] = &{
    let mut all = [GUARD_LEVEL; 1 + stock::GUARD.len()];
    let mut at = 0;
    while at < stock::GUARD.len() {
        let (_, file, text) = stock::GUARD[at];
        at += 1;
        all[at] = (file, text);
    }
    all
};
const RATE: TickRate = TickRate::new(60);
pub(crate) const GUARD_KEY: HostKey = HostKey(1);
pub(crate) const FOE_KEY: HostKey = HostKey(2);
pub(crate) const GUARDS: TeamId = TeamId(0);
pub(crate) const FOES: TeamId = TeamId(1);

const SETTINGS: &[Setting] = &[
    Setting {
        name: "brain",
        about: "which kind of brain the guard has",
        kind: SettingKind::Choice(&["bt", "fsm", "hfsm", "dtree", "utility", "goap", "htn", "rules"]),
        stock: "bt",
    },
    Setting {
        name: "nerve",
        about: "the share of health under which the guard flees: character",
        kind: SettingKind::Number { min: 0.0, max: 1.0 },
        stock: "0.35",
    },
];

/// The scene.
struct Guard {
    mind: GuardMind,
    body_configs: [BodyConfig; 2],
}

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    Ok(Box::new(begin(setup)?))
}

/// The places of a level, by the names of its annotations.
pub(crate) fn posts(level: &Level) -> Result<Posts, SceneError> {
    let place = |name: &str| {
        let found = level.annotations().iter().find(|note| note.kind == "post" && note.text == name);
        found.map(|note| note.position).ok_or_else(|| SceneError::Asset {
            name: LEVEL.to_owned(),
            line: 0,
            column: 0,
            what: format!("no annotation of kind `post` and text `{name}`"),
        })
    };
    Ok(Posts {
        door: place("door")?,
        safe: place("safe")?,
        phone: place("phone")?,
        aid: place("aid")?,
        gate: place("gate")?,
    })
}

pub(crate) fn body(speed_m_per_s_max: f32) -> BodyConfig {
    BodyConfig { speed_m_per_s_max, turn_rad_per_s_max: 5.0, acceleration_m_per_s2: 12.0, ..BodyConfig::default() }
}

/// On the ground at a place, looking along a yaw.
pub(crate) fn standing(place: Vec3, yaw: f32) -> Pose {
    Pose { position: plane::lift(plane::ground(place), place.y + 0.02), yaw }
}

/// Files that nobody uses in this match are to be right as well, if they were given.
pub(crate) fn check_given(setup: &Setup) -> Result<(), SceneError> {
    let given = setup.assets.iter().filter(|asset| !asset.is_stock && asset.name != LEVEL);
    given.map(|asset| mind::read(&asset.name, &asset.content)).try_for_each(|brain| brain.map(drop))
}

/// What is wrong with a brain for the leaves of `guard` and `soldier-plan`; `file` is its name in errors.
pub fn check(file: &str, bytes: &[u8]) -> Result<(), sentir_asset::AssetError> {
    Brain::read(bytes, file, &Keys::default(), &leaf::leaves()).map(drop)
}

fn begin(setup: &Setup) -> Result<SceneMatch<Guard>, SceneError> {
    let level = level_asset(setup, LEVEL)?;
    let posts = posts(&level)?;
    let word = setup.settings.word("brain");
    let (name, file, _) = stock::GUARD.iter().find(|(name, ..)| *name == word).copied().unwrap_or(stock::GUARD[0]);
    let brain = BrainFile { name, file, text: setup.asset(file) };
    let mind = GuardMind::new(level, posts, brain, setup.settings.number("nerve"))?;
    check_given(setup)?;
    let mut brains =
        Loop::<GuardMind>::new(LoopConfig { rate: RATE, index_cell_m: 5.0, ..LoopConfig::default() }, setup.seed);
    let mut bodies = BodySet::new(&mind.level);
    let between = mind.posts.door.lerp(mind.posts.safe, 0.4);
    let walker = bodies.add(GUARD_KEY, GUARD as u8, standing(between, math::FRAC_PI_2));
    let spec = AgentSpec { team: GUARDS, kind: GUARD, body: walker.body(), ..AgentSpec::new(GUARD_KEY) };
    // The first one, and its body is finite: it is not refused.
    let _ = brains.spawn_with(spec, mind.fresh());
    let world = World::new(bodies, brains.streams(), RATE);
    Ok(SceneMatch::new(Guard { mind, body_configs: [body(3.8), body(2.8)] }, brains, world))
}

impl Scene for Guard {
    type Mind = GuardMind;
    type World = World;
    type Cache = BodySetScratch;

    fn step(&self, mut moment: StepContext<'_, Guard>) {
        self.script(&mut moment);
        let seen = Seen(LevelView { level: &self.mind.level, state: &moment.world.bodies.level });
        moment.brains.step(&self.mind, &seen, moment.pool, moment.scratch);
        let StepContext { brains, world, pool, cache, .. } = &mut moment;
        world.bodies.follow(brains, &self.body_configs);
        world.bodies.step(&self.mind.level, &self.body_configs, RATE, *pool, cache);
        world.observe(brains);
        self.fight(&mut moment);
        let StepContext { brains, world, .. } = moment;
        let guard = brains.agent_of(GUARD_KEY);
        let deed = guard.and_then(|agent| brains.intents(agent)).and_then(leaf::Deed::of);
        world.tally.count(deed, RATE);
        world.is_over = brains.tick().0 >= SCENE.ticks_max;
    }

    fn fits(&self, world: &World) -> bool {
        world.bodies.fits(&self.mind.level)
    }

    fn ending(&self, world: &World) -> Option<&'static str> {
        world.is_over.then_some(TIME_UP)
    }

    fn metrics(&self, world: &World) -> Vec<Metric> {
        world.tally.metrics()
    }

    fn draw(&self, brains: &Loop<GuardMind>, world: &World, list: &mut DrawList) {
        picture::draw(&self.mind, brains, &world.bodies.level, list);
        if world.is_ringing {
            picture::ring(self.mind.posts.phone, brains.tick(), list);
        }
    }

    fn editable(&self) -> Option<&dyn Editable<Self>> {
        Some(self)
    }

    fn editable_mut(&mut self) -> Option<&mut dyn Editable<Self>> {
        Some(self)
    }

    /// What is heard from where the phone is, and from nobody, is the phone.
    fn sounds(&self, _view: MatchView<'_, Self>, list: &mut Vec<Sound>) {
        let phone = self.mind.posts.phone;
        for sound in list.iter_mut().filter(|sound| sound.key.is_none() && sound.position.distance(phone) < 1.0) {
            sound.kind = SoundKind::Alarm;
        }
    }

    fn inspectable(&self) -> Option<&dyn Inspectable<Self>> {
        Some(self)
    }

    fn audited(&self) -> Option<&dyn Audited<Self>> {
        Some(self)
    }
}

impl Editable for Guard {
    fn text(&self, name: &str) -> Option<&str> {
        self.mind.text(name)
    }

    fn check(&self, name: &str, text: &str) -> Result<(), SceneError> {
        self.mind.check(name, text).map(drop)
    }

    fn reload(&mut self, name: &str, text: &str, brains: Option<&mut Loop<GuardMind>>) -> Result<(), SceneError> {
        self.mind.reload(name, text, brains)
    }

    fn brain_file(&self, brains: &Loop<GuardMind>, agent: AgentId) -> Option<&'static str> {
        self.mind.brain_file(brains, agent)
    }

    fn part_name(&self, part: usize) -> String {
        part_name(&self.mind.brain.outline(None), part)
    }
}

impl Inspectable for Guard {
    fn chart(&self, view: MatchView<'_, Self>, agent: AgentId) -> Option<Chart> {
        let is_guard = view.brains.presence(agent)?.kind == GUARD;
        is_guard.then(|| view.brains.brain(agent)).flatten().map(|memory| self.mind.chart(memory, agent, view.whys))
    }

    fn decision_name(&self, decision: u16) -> &'static str {
        self.mind.decision_name(decision)
    }
}

impl Audited for Guard {
    fn reach(&self) -> Reach {
        self.mind.reach()
    }

    fn level<'a>(&'a self, world: &'a World) -> LevelView<'a> {
        LevelView { level: &self.mind.level, state: &world.bodies.level }
    }

    fn change(&self, brains: &mut Loop<GuardMind>, world: &mut World, tamper: &Tamper) -> bool {
        apply(brains, &mut world.bodies, &self.mind.level, tamper)
    }

    fn allowed(&self) -> Allowed {
        // The script goes by who is there: nobody is removed.
        Allowed::LISTED
    }
}

#[cfg(test)]
mod tests;
