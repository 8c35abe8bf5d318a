//! `soldier-plan`: targets come up; the soldier shoots while it has rounds, then runs there and uses its knife.

use sentir::core::chart::Chart;
use sentir::core::draw::{DrawList, Layer};
use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_level::LevelView;
use sentir_think::stock;

use super::guard::leaf::{Deed, REACH_M};
use super::guard::mind::{BrainFile, FOE, GUARD, GuardMind, Memory, Notice};
use super::guard::{FOE_KEY, FOES, GUARD_KEY, GUARD_LEVEL, GUARDS, LEVEL, body, check_given, picture, posts, standing};
use sentir_harness::edit::part_name;
use sentir_harness::game_match::Match;
use sentir_harness::honesty::tamper::{Allowed, apply};
use sentir_harness::honesty::{Reach, Tamper};
use sentir_harness::info::{Ground, KindLook, Model, SceneError, SceneInfo, SceneLook, Setup, level_asset};
use sentir_harness::metric::Metric;
use sentir_harness::scene::{Audited, Editable, Inspectable, MatchView, Scene, StepContext, TIME_UP};
use sentir_harness::scene_match::SceneMatch;
use sentir_sim::body::BodyConfig;
use sentir_sim::body_set::{BodySet, BodySetScratch, Seen};

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "soldier-plan",
    title: "A soldier who plans: rifle, else knife",
    about: "A soldier stands watch. When somebody comes up it plans by a network of tasks: aim and shoot while there are \
            rounds, else run there and use the knife. Rounds come back after a while, and so does the rifle. Its brain is a \
            file: play your own with --asset soldier-plan/htn.yaml=PATH, or edit it in the studio while it thinks.",
    controls: None,
    kinds: &[KindLook::new(GUARD, "guard", Model::Soldier), KindLook::new(FOE, "foe", Model::Soldier)],
    look: SceneLook::on(Ground::Tile),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::NAMES, Layer::SENSES, Layer::PATHS],
    settings: &[],
    assets: &[GUARD_LEVEL, (BRAIN, stock::SOLDIER.1)],
    rate: RATE,
    ticks_max: 60 * 75,
    trials: &[&[]],
    build,
};

const BRAIN: &str = "soldier-plan/htn.yaml";
const RATE: TickRate = TickRate::new(60);
const SCRIPT: Purpose = Purpose::new("soldier.script");
/// How often a round hits.
const HIT_SHARE: f32 = 0.7;
/// Targets fought by knife before new rounds are handed out.
const KNIFED_MAX: u32 = 2;

/// All that is remembered beside the brain.
#[derive(State)]
struct World {
    bodies: BodySet,
    target: Option<(AgentId, f32)>,
    next: Tick,
    was_firing: bool,
    was_stabbing: bool,
    knifed: u32,
    tally: Tally,
    is_over: bool,
}

#[derive(Clone, Debug, Default, PartialEq, State)]
struct Tally {
    targets: u32,
    shots: u32,
    hits: u32,
    by_rifle: u32,
    by_knife: u32,
    shots_without_rounds: u32,
}

struct SoldierPlan {
    mind: GuardMind,
    body_configs: [BodyConfig; 2],
}

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let level = level_asset(setup, LEVEL)?;
    let posts = posts(&level)?;
    let brain = BrainFile { name: "soldier", file: BRAIN, text: setup.asset(BRAIN) };
    let mind = GuardMind::new(level, posts, brain, 0.0)?;
    check_given(setup)?;
    let mut brains =
        Loop::<GuardMind>::new(LoopConfig { rate: RATE, index_cell_m: 5.0, ..LoopConfig::default() }, setup.seed);
    let mut bodies = BodySet::new(&mind.level);
    let walker = bodies.add(GUARD_KEY, GUARD as u8, standing(mind.posts.door, -math::FRAC_PI_2));
    let spec = AgentSpec { team: GUARDS, kind: GUARD, body: walker.body(), ..AgentSpec::new(GUARD_KEY) };
    // The first one, and its body is finite: it is not refused.
    let _ = brains.spawn_with(spec, mind.fresh());
    let world = World {
        bodies,
        target: None,
        next: Tick(RATE.ticks(2.0)),
        was_firing: false,
        was_stabbing: false,
        knifed: 0,
        tally: Tally::default(),
        is_over: false,
    };
    Ok(Box::new(SceneMatch::new(SoldierPlan { mind, body_configs: [body(3.8), body(2.8)] }, brains, world)))
}

impl SoldierPlan {
    /// A target comes up somewhere before the soldier.
    fn raise(&self, moment: &mut StepContext<'_, SoldierPlan>) {
        let now = moment.brains.tick();
        if moment.world.target.is_some() || now < moment.world.next {
            return;
        }
        let mut random = moment.brains.streams().at(0, SCRIPT, now);
        let posts = &self.mind.posts;
        let along = posts.door.lerp(posts.safe, random.between(0.2, 0.55));
        let place = along + Vec3::Z * random.between(-2.5, 2.5);
        let walker = moment.world.bodies.add(FOE_KEY, FOE as u8, standing(place, math::FRAC_PI_2));
        let spec = AgentSpec { team: FOES, kind: FOE, body: walker.body(), ..AgentSpec::new(FOE_KEY) };
        match moment.brains.spawn_from(spec, Memory::default(), moment.scratch) {
            Ok(agent) => {
                moment.world.target = Some((agent, 1.0));
                moment.world.tally.targets += 1;
            }
            Err(_) => {
                moment.world.bodies.remove(FOE_KEY);
            }
        }
    }

    /// Shots and stabs, each once when it begins.
    fn judge(&self, moment: &mut StepContext<'_, SoldierPlan>) {
        let StepContext { brains, world, scratch, .. } = moment;
        let Some(soldier) = brains.agent_of(GUARD_KEY) else { return };
        let actions = brains.motion(soldier).map_or_else(Actions::default, |motion| motion.actions);
        let deed = brains.intents(soldier).and_then(Deed::of);
        let (fires, stabs) = (actions.contains(Actions::FIRE), actions.contains(Actions::MELEE));
        let (shot, stab) = (fires && !world.was_firing, stabs && !world.was_stabbing);
        (world.was_firing, world.was_stabbing) = (fires, stabs);
        let now = brains.tick();
        let mut random = brains.streams().at(1, SCRIPT, now);
        let rounds = brains.brain(soldier).map_or(0, |memory| self.mind.rounds(memory));
        if shot {
            world.tally.shots += 1;
            world.tally.shots_without_rounds += u32::from(rounds <= 0);
        }
        let Some((target, mut health)) = world.target else { return };
        let place = |key| world.bodies.walker(key).map(|walker| walker.pose.position);
        let (Some(me), Some(it)) = (place(GUARD_KEY), place(FOE_KEY)) else { return };
        if shot && random.chance(HIT_SHARE) {
            world.tally.hits += 1;
            health -= 0.5;
        }
        let is_knifed = stab && plane::ground(it - me).length() < REACH_M * 1.2;
        health -= if is_knifed { 1.0 } else { 0.0 };
        world.target = Some((target, health));
        if health > 0.0 {
            return;
        }
        let by_knife = deed == Some(Deed::Stab);
        world.tally.by_knife += u32::from(by_knife);
        world.tally.by_rifle += u32::from(!by_knife);
        brains.despawn_into(target, scratch);
        world.bodies.remove(FOE_KEY);
        world.target = None;
        world.next = now + RATE.ticks(random.between(2.0, 4.0));
        world.knifed += u32::from(by_knife);
        if world.knifed >= KNIFED_MAX {
            world.knifed = 0;
            brains.notify(soldier, Notice::Rounds);
        }
    }
}

impl Scene for SoldierPlan {
    type Mind = GuardMind;
    type World = World;
    type Cache = BodySetScratch;

    fn step(&self, mut moment: StepContext<'_, SoldierPlan>) {
        self.raise(&mut moment);
        let seen = Seen(LevelView { level: &self.mind.level, state: &moment.world.bodies.level });
        moment.brains.step(&self.mind, &seen, moment.pool, moment.scratch);
        let StepContext { brains, world, pool, cache, .. } = &mut moment;
        world.bodies.follow(brains, &self.body_configs);
        world.bodies.step(&self.mind.level, &self.body_configs, RATE, *pool, cache);
        for (key, walker) in world.bodies.iter() {
            let health = if key == FOE_KEY { world.target.map_or(0.0, |(_, health)| health) } else { 1.0 };
            if let Some(agent) = brains.agent_of(key) {
                brains.observe(agent, Body { health, ..walker.body() });
            }
        }
        self.judge(&mut moment);
        moment.world.is_over = moment.brains.tick().0 >= SCENE.ticks_max;
    }

    fn fits(&self, world: &World) -> bool {
        world.bodies.fits(&self.mind.level)
    }

    fn ending(&self, world: &World) -> Option<&'static str> {
        world.is_over.then_some(TIME_UP)
    }

    fn metrics(&self, world: &World) -> Vec<Metric> {
        let count = |name, value: u32| Metric { name, value: f64::from(value) };
        let tally = &world.tally;
        vec![
            count("targets", tally.targets),
            count("shots", tally.shots),
            count("hits", tally.hits),
            count("by_rifle", tally.by_rifle),
            count("by_knife", tally.by_knife),
            count("shots_without_rounds", tally.shots_without_rounds),
        ]
    }

    fn draw(&self, brains: &Loop<GuardMind>, world: &World, list: &mut DrawList) {
        picture::draw(&self.mind, brains, &world.bodies.level, list);
    }

    fn editable(&self) -> Option<&dyn Editable<Self>> {
        Some(self)
    }

    fn editable_mut(&mut self) -> Option<&mut dyn Editable<Self>> {
        Some(self)
    }

    fn inspectable(&self) -> Option<&dyn Inspectable<Self>> {
        Some(self)
    }

    fn audited(&self) -> Option<&dyn Audited<Self>> {
        Some(self)
    }
}

impl Editable for SoldierPlan {
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

impl Inspectable for SoldierPlan {
    fn chart(&self, view: MatchView<'_, Self>, agent: AgentId) -> Option<Chart> {
        let is_soldier = view.brains.presence(agent)?.kind == GUARD;
        is_soldier.then(|| view.brains.brain(agent)).flatten().map(|memory| self.mind.chart(memory, agent, view.whys))
    }

    fn decision_name(&self, decision: u16) -> &'static str {
        self.mind.decision_name(decision)
    }
}

impl Audited for SoldierPlan {
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
