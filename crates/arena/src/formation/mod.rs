//! `formation` and `formation-roles`: a squad forms up, marches round a corner and through a door; roles, losses and
//! reinforcements. Both can be played.

mod field;
mod hand;
mod layout;
mod mind;
mod picture;
mod script;

use sentir::core::draw::DrawList;
use sentir::core::{math, state};
use sentir::prelude::*;
use sentir_act::formation::{Formation, Pattern, Rule};
use sentir_level::LevelView;

use crate::body::BodyConfig;
use crate::cast::Cast;
use crate::honesty::Reach;
use crate::honesty::tamper::Allowed;
use crate::input::Input;
use crate::scene::{Match, Metric, Scene, SceneError, Setting, SettingKind, Setup, level_asset};
use crate::story::{Moment, Story, TIME_UP, Tale, stage};
use field::{Ending, Field, FieldCache};
use layout::Layout;
use mind::Drill;
use script::{Plan, Script, Tally};

/// The scene `formation`.
pub const SCENE: Scene = Scene {
    name: "formation",
    title: "A squad forms up and marches round a corner and through a door",
    about: "A dozen soldiers form each pattern in turn, or the one that is set, then march: slots lie along the leader's \
            way, bend round the corners, narrow to a file before the door and widen behind it. The leader waits for \
            stragglers.",
    controls: hand::CONTROLS,
    settings: SETTINGS,
    assets: &[(layout::NAME, layout::STOCK)],
    rate: RATE,
    ticks_max: TICKS_MAX,
    trials: &[&[], &["pattern=squares"], &["pattern=line", "count=7"], &["pattern=fixed1", "count=3"]],
    build,
};

/// The scene `formation-roles`.
pub const ROLES: Scene = Scene {
    name: "formation-roles",
    title: "A formation with roles, losses and reinforcements",
    about: "Four types of soldiers take slots of four roles. Hard roles leave a slot empty rather than break a rule; soft \
            roles fill every slot as well as can be. Some die, others join: who can keeps the slot it has.",
    controls: hand::CONTROLS,
    settings: ROLES_SETTINGS,
    assets: &[(layout::NAME, layout::STOCK)],
    rate: RATE,
    ticks_max: TICKS_MAX,
    trials: &[&[], &["roles=soft"], &["mix=foot", "pattern=fixed2", "count=9"]],
    build: build_roles,
};

const RATE: TickRate = TickRate::new(60);
const TICKS_MAX: u64 = 180 * 60;
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

const SETTINGS: &[Setting] = &[
    Setting {
        name: "pattern",
        about: "what is formed: one pattern, or all in turn with the triangle for the march",
        kind: SettingKind::Choice(&["all", "fixed1", "fixed2", "circle", "triangle", "squares", "column", "line"]),
        stock: "all",
    },
    COUNT,
    SPACING,
];

const ROLES_SETTINGS: &[Setting] = &[
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
    layout: Layout,
    body: [BodyConfig; 1],
    plan: Plan,
}

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let patterns = match pattern_of(setup.settings.word("pattern")) {
        Some(pattern) => vec![pattern],
        None => Pattern::ALL.into_iter().chain([Pattern::Triangle]).collect(),
    };
    let plan = Plan { patterns, rule: Rule::Plain, changes: 0, legs: usize::MAX - 1, ..plan_of(setup) };
    Ok(Box::new(begin(setup, plan, |number, _| number as u16)?))
}

fn build_roles(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
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

fn begin(setup: &Setup, plan: Plan, kind: impl Fn(u32, &mut Stream) -> u16) -> Result<Tale<Parade>, SceneError> {
    let layout = Layout::of(level_asset(setup, layout::NAME)?)?;
    let config = LoopConfig { index_cell_m: 2.0, ..LoopConfig::every_tick(RATE) };
    let mut brains = Loop::<Drill>::new(config, setup.seed);
    let mut field = Field {
        cast: Cast::new(&layout.level),
        formation: Formation::default(),
        selected: Vec::new(),
        input: Input::default(),
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
        field.enlist(&mut brains, kind, layout.route[0] + place + jitter, looks);
    }
    let body = [BodyConfig {
        speed_m_per_s_max: mind::HURRY_M_PER_S,
        acceleration_m_per_s2: 12.0,
        turn_rad_per_s_max: mind::TURN_RAD_PER_S,
        ..BodyConfig::default()
    }];
    Ok(Tale::new(Parade { layout, body, plan }, brains, field))
}

impl Story for Parade {
    type Mind = Drill;
    type World = Field;
    type Cache = FieldCache;

    fn step(&self, moment: Moment<'_, Parade>) {
        let Moment { brains, world, inputs, pool, scratch, cache } = moment;
        hand::play(world, brains, &self.layout, inputs, self.plan.spacing_m);
        if !world.is_played {
            world.follow_script(brains, &self.layout, &self.plan, scratch);
        }
        world.keep(brains, &self.layout, cache);
        world.measure(brains);
        let view = LevelView { level: &self.layout.level, state: &world.cast.level };
        brains.step(&Drill, &view, pool, scratch);
        world.cast.follow(brains, &self.body);
        world.cast.step(&self.layout.level, &self.body, RATE, pool, &mut cache.cast);
        world.cast.tell(brains);
        if world.ending == Ending::None && brains.tick().0 >= self.plan.ticks_max {
            world.ending = Ending::TimeUp;
        }
    }

    fn fits(&self, world: &Field) -> bool {
        world.cast.fits(&self.layout.level)
    }

    fn ending(&self, world: &Field) -> Option<&'static str> {
        match world.ending {
            Ending::None => None,
            Ending::Formed => Some("in formation"),
            Ending::TimeUp => Some(TIME_UP),
        }
    }

    fn metrics(&self, world: &Field) -> Vec<Metric> {
        world.metrics(self.plan.rule != Rule::Plain)
    }

    fn parts(&self, world: &Field) -> Vec<(&'static str, u64)> {
        let hands = (&world.selected, world.input, world.drag, world.is_played);
        let figures = (&world.tally, world.error_m, world.next_key);
        vec![
            ("bodies", state::hash(&world.cast)),
            ("formation", state::hash(&world.formation)),
            ("hands", state::hash(&hands.0.clone()) ^ state::hash(&(hands.1, hands.2, hands.3))),
            ("script", state::hash(&(world.script, world.ending))),
            ("figures", state::hash(figures.0) ^ state::hash(&(figures.1, figures.2))),
        ]
    }

    fn reach(&self) -> Option<Reach> {
        Some(Reach::legs(mind::NEAR_M + 1.0))
    }

    stage! { self, world => &self.layout.level, world.cast }

    fn allowed(&self) -> Allowed {
        Allowed::STRANGERS
    }

    fn draw(&self, brains: &Loop<Drill>, world: &Field, list: &mut DrawList) {
        picture::draw(&self.layout, brains, world, list);
    }
}

#[cfg(test)]
mod tests;
