//! `formation` and `formation-roles`: a squad forms up, marches round a corner and through a door; roles, losses and
//! reinforcements. Both can be played.

pub(crate) mod hand;
pub(crate) mod layout;
mod march;
mod mind;
mod picture;
mod script;
mod world;

use sentir::core::draw::DrawList;
use sentir::core::math;
use sentir::prelude::*;
use sentir_act::formation::{Pattern, Rule};
use sentir_level::LevelView;

use layout::Layout;
use mind::Drill;
use script::{Plan, Script, Tally};
use sentir_harness::game_match::Match;
use sentir_harness::honesty::tamper::{Allowed, apply};
use sentir_harness::honesty::{Reach, Tamper};
use sentir_harness::hud::{Play, ResultCard};
use sentir_harness::info::{KindLook, Model, SceneError, Setting, SettingKind, Setup, level_asset};
use sentir_harness::metric::Metric;
use sentir_harness::scene::{Audited, MatchView, Scene, StepContext, TIME_UP};
use sentir_harness::scene_match::SceneMatch;
use sentir_sim::body::BodyConfig;
use sentir_sim::body_set::{BodySet, BodySetScratch};
use sentir_sim::input::Held;
use world::{Ending, World};

/// Units, in the order of [`UnitType::ALL`](sentir_act::formation::role::UnitType::ALL).
pub const KINDS: &[KindLook] = &[
    KindLook::new(0, "light foot", Model::Light),
    KindLook::new(1, "heavy foot", Model::Heavy),
    KindLook::new(2, "spy", Model::Spy),
    KindLook::new(3, "ranged", Model::Ranged),
];
pub(crate) const RATE: TickRate = TickRate::new(60);
pub(crate) const TICKS_MAX: u64 = 180 * 60;
const MUSTER: Purpose = Purpose::new("formation.muster");
const PATTERNS: &[&str] = &["fixed1", "fixed2", "circle", "triangle", "squares", "column", "line"];

const COUNT: Setting =
    Setting { name: "count", about: "how many soldiers", kind: SettingKind::Whole { min: 1, max: 24 }, stock: "12" };
const SPACING: Setting = Setting {
    name: "spacing_m",
    about: "distance between neighbors, m",
    kind: SettingKind::Number { min: 0.9, max: 3.0 },
    stock: "1.2",
};

pub(crate) const SETTINGS: &[Setting] = &[
    Setting {
        name: "pattern",
        about: "what is formed: one pattern, or all in turn with the triangle for the march",
        kind: SettingKind::Choice(&["all", "fixed1", "fixed2", "circle", "triangle", "squares", "column", "line"]),
        stock: "all",
    },
    COUNT,
    SPACING,
];

pub(crate) const ROLES_SETTINGS: &[Setting] = &[
    Setting {
        name: "roles",
        about: "whether roles are rules or costs",
        kind: SettingKind::Choice(&["hard", "soft"]),
        stock: "hard",
    },
    Setting {
        name: "mix",
        about: "who is there: all types alike, light and heavy foot, spies and ranged, or by chance",
        kind: SettingKind::Choice(&["even", "foot", "shadows", "chance"]),
        stock: "even",
    },
    Setting { name: "pattern", about: "what is formed", kind: SettingKind::Choice(PATTERNS), stock: "squares" },
    COUNT,
    SPACING,
];

/// The story of both scenes.
struct Parade {
    mind: Drill,
    body: [BodyConfig; 1],
    plan: Plan,
}

pub(crate) fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let patterns = match pattern_of(setup.settings.word("pattern")) {
        Some(pattern) => vec![pattern],
        None => Pattern::ALL.into_iter().chain([Pattern::Triangle]).collect(),
    };
    let plan = Plan { patterns, rule: Rule::Plain, changes: 0, legs: usize::MAX - 1, ..plan_of(setup) };
    Ok(Box::new(begin(setup, plan, |number, _| number as u16)?))
}

pub(crate) fn build_roles(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let rule = if setup.settings.word("roles") == "soft" { Rule::Soft } else { Rule::Hard };
    let patterns = vec![pattern_of(setup.settings.word("pattern")).unwrap_or(Pattern::Squares)];
    let plan = Plan { patterns, rule, changes: 6, legs: 1, ..plan_of(setup) };
    let mix = setup.settings.word("mix").to_owned();
    let kind = move |number: u32, random: &mut Stream| match mix.as_str() {
        "foot" => number as u16 % 2,
        "shadows" => number as u16 % 2 + 2,
        "chance" => random.below(4) as u16,
        _ => number as u16 % 4,
    };
    Ok(Box::new(begin(setup, plan, kind)?))
}

fn plan_of(setup: &Setup) -> Plan {
    let spacing_m = setup.settings.number("spacing_m");
    Plan { patterns: Vec::new(), rule: Rule::Plain, spacing_m, changes: 0, legs: 0, ticks_max: TICKS_MAX }
}

fn pattern_of(word: &str) -> Option<Pattern> {
    PATTERNS.iter().position(|name| *name == word).map(|place| Pattern::ALL[place])
}

fn begin(setup: &Setup, plan: Plan, kind: impl Fn(u32, &mut Stream) -> u16) -> Result<SceneMatch<Parade>, SceneError> {
    let layout = Layout::of(level_asset(setup, layout::NAME)?)?;
    let config = LoopConfig { index_cell_m: 2.0, ..LoopConfig::every_tick(RATE) };
    let mut brains = Loop::<Drill>::new(config, setup.seed);
    let mut world = World {
        bodies: BodySet::new(&layout.level),
        selected: Vec::new(),
        orders: 0,
        input: Held::default(),
        drag: None,
        is_played: false,
        next_key: 0,
        error_m: [0.0; 2],
        script: Script::default(),
        tally: Tally::default(),
        ending: Ending::None,
    };
    let mut random = brains.streams().stream(0, MUSTER);
    // Places strewn about the start; the first one, the leader, stands on it and looks along the route.
    let mut places: Vec<Vec2> =
        (0..25u8).map(|place| Vec2::new(f32::from(place % 5) - 3.0, f32::from(place / 5) - 2.0) * 1.8).collect();
    places.retain(|&place| place != Vec2::ZERO);
    random.shuffle(&mut places);
    places.insert(0, Vec2::ZERO);
    let yaw = -math::FRAC_PI_2;
    for (number, place) in (0..setup.settings.whole("count")).zip(places) {
        let jitter = Vec2::new(random.between(-0.4, 0.4), random.between(-0.4, 0.4));
        let looks = if number == 0 { yaw } else { random.between(-math::PI, math::PI) };
        let kind = kind(number, &mut random);
        world.enlist(&mut brains, kind, layout.route[0] + place + jitter, looks);
    }
    let body = [BodyConfig {
        speed_m_per_s_max: mind::HURRY_M_PER_S,
        acceleration_m_per_s2: 12.0,
        turn_rad_per_s_max: mind::TURN_RAD_PER_S,
        ..BodyConfig::default()
    }];
    Ok(SceneMatch::new(Parade { mind: Drill { layout }, body, plan }, brains, world))
}

impl Scene for Parade {
    type Mind = Drill;
    type World = World;
    type Cache = BodySetScratch;

    fn step(&self, moment: StepContext<'_, Parade>) {
        let StepContext { brains, world, inputs, pool, scratch, cache } = moment;
        let level = &self.mind.layout.level;
        hand::play(world, brains, inputs, self.plan.spacing_m);
        if !world.is_played {
            world.follow_script(brains, &self.mind.layout, &self.plan, scratch);
        }
        let view = LevelView { level, state: &world.bodies.level };
        brains.step(&self.mind, &view, pool, scratch);
        world.look(brains);
        world.measure(brains);
        world.bodies.follow(brains, &self.body);
        world.bodies.step(level, &self.body, RATE, pool, cache);
        world.bodies.observe(brains);
        if world.ending == Ending::None && brains.tick().0 >= self.plan.ticks_max {
            world.ending = Ending::TimeUp;
        }
    }

    fn fits(&self, world: &World) -> bool {
        world.bodies.fits(&self.mind.layout.level)
    }

    fn ending(&self, world: &World) -> Option<&'static str> {
        match world.ending {
            Ending::None => None,
            Ending::Formed => Some("in formation"),
            Ending::Elsewhere => Some("not at the goal"),
            Ending::TimeUp => Some(TIME_UP),
        }
    }

    fn metrics(&self, world: &World) -> Vec<Metric> {
        world.metrics(self.plan.rule != Rule::Plain)
    }

    fn draw(&self, brains: &Loop<Drill>, world: &World, list: &mut DrawList) {
        picture::draw(&self.mind.layout, brains, world, list);
    }

    fn play(&self, view: MatchView<'_, Self>) -> Option<Play> {
        let key = |agent: &AgentId| view.brains.presence(*agent).map(|it| it.key);
        let selection = view.world.selected.iter().filter_map(key).collect();
        let result = self.ending(view.world).map(|title| ResultCard {
            title: title.to_owned(),
            is_won: None,
            rows: vec![("orders", view.world.orders.to_string())],
        });
        Some(Play { panels: vec![hand::panel(view.world, view.brains)], selection, result, ..Play::default() })
    }

    /// Numbers beyond the types count on from the first.
    fn looks_as(&self, _world: &World, agent: &Presence) -> u16 {
        agent.kind % KINDS.len() as u16
    }

    fn audited(&self) -> Option<&dyn Audited<Self>> {
        Some(self)
    }
}

impl Audited for Parade {
    fn reach(&self) -> Reach {
        Reach::legs(mind::NEAR_M + 1.0)
    }

    fn level<'a>(&'a self, world: &'a World) -> LevelView<'a> {
        LevelView { level: &self.mind.layout.level, state: &world.bodies.level }
    }

    fn change(&self, brains: &mut Loop<Drill>, world: &mut World, tamper: &Tamper) -> bool {
        apply(brains, &mut world.bodies, &self.mind.layout.level, tamper)
    }

    fn allowed(&self) -> Allowed {
        Allowed::STRANGERS
    }
}

#[cfg(test)]
mod tests;
