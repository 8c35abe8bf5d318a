//! `patrol`: a guard walks its round, an intruder comes near, the guard follows and gives up.

mod layout;
mod mind;
mod sight;
mod tally;

pub use layout::Layout;
pub use mind::{Brain, Mode, PatrolMind};

use sentir::core::draw::{DrawList, Layer};
use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_level::LevelView;

use mind::{GUARD, GUARDS, INTRUDER, INTRUDERS};
use sentir_harness::game_match::Match;
use sentir_harness::honesty::tamper::apply;
use sentir_harness::honesty::{Reach, Tamper};
use sentir_harness::hud::{Play, ResultCard};
use sentir_harness::info::{
    BY_PERSON, Binding, ControlAction, ControlMode, Controls, Ground, KindLook, Model, SceneError, SceneInfo,
    SceneLook, Setting, SettingKind, Setup, level_asset,
};
use sentir_harness::metric::Metric;
use sentir_harness::scene::{Audited, Inspectable, MatchView, Scene, StepContext, TIME_UP};
use sentir_harness::scene_match::SceneMatch;
use sentir_harness::sound::{Sound, SoundKind, loudness};
use sentir_sim::body::{BodyConfig, CharacterBody};
use sentir_sim::body_set::{BodySet, BodySetScratch, Seen};
use sentir_sim::input::{Held, Input};
use tally::Tally;

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "patrol",
    title: "A guard on its round, and an intruder",
    about: "A guard walks from waypoint to waypoint round a hut. An intruder sneaks into the yard and runs when a guard \
            comes near; the guard follows, loses him, looks around, gives up and goes back to its round.",
    controls: Some(Controls {
        mode: ControlMode::Walk,
        setting: Some("intruder"),
        difficulty: None,
        whom: "the intruder",
        bindings: &[
            Binding::new(ControlAction::Move, "walk, forward to the top of the map"),
            Binding::new(ControlAction::Crouch, "crouch"),
            Binding::new(ControlAction::Jump, "jump"),
        ],
    }),
    kinds: &[KindLook::new(GUARD, "guard", Model::Soldier), KindLook::new(INTRUDER, "intruder", Model::Person)],
    look: SceneLook::on(Ground::Tile),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::NAMES, Layer::SENSES, Layer::PATHS],
    settings: SETTINGS,
    assets: &[(layout::NAME, layout::STOCK)],
    rate: RATE,
    ticks_max: 60 * 60,
    trials: &[&[], &["guards=150"], &["guards=3", "run_m_per_s=6", "intruder=input"]],
    build,
};

const RATE: TickRate = TickRate::new(60);
/// How near a guard must come to catch the intruder, m from middle to middle.
const CATCH_M: f32 = 0.9;
/// The intruder's host key; guards have theirs from 1 on.
const INTRUDER_KEY: HostKey = HostKey(0);
/// How fast the intruder runs, m/s.
const FLEE: f32 = 4.4;
const ARRIVAL: Purpose = Purpose::new("patrol.arrival");

const SETTINGS: &[Setting] = &[
    Setting {
        name: "guards",
        about: "how many guards walk the round",
        kind: SettingKind::Whole { min: 1, max: 2000 },
        stock: "1",
    },
    Setting {
        name: "sight_m",
        about: "how far everybody sees, m",
        kind: SettingKind::Number { min: 1.0, max: 100.0 },
        stock: "11",
    },
    Setting {
        name: "notice_s",
        about: "how long one must be in view to be noticed, s",
        kind: SettingKind::Number { min: 0.0, max: 10.0 },
        stock: "0.3",
    },
    Setting {
        name: "give_up_s",
        about: "how long a guard looks for an intruder it lost, s",
        kind: SettingKind::Number { min: 0.0, max: 60.0 },
        stock: "4",
    },
    Setting {
        name: "run_m_per_s",
        about: "how fast a guard runs, m/s; the intruder runs 4.4",
        kind: SettingKind::Number { min: 0.5, max: 8.0 },
        stock: "3.8",
    },
    Setting {
        name: "intruder",
        about: "who moves the intruder",
        kind: SettingKind::Choice(&["script", BY_PERSON]),
        stock: "script",
    },
];

/// What is remembered beside the brains.
#[derive(State)]
struct World {
    bodies: BodySet,
    intruder: Intruder,
    input: Held,
    tally: Tally,
    ending: Option<Ending>,
}

/// Where the intruder is in his story.
#[derive(Clone, Copy, Debug, PartialEq, State)]
enum Intruder {
    /// Comes at that tick, by that route.
    Expected { at: Tick, route: u16 },
    /// In the yard.
    Here { agent: AgentId },
    /// Out again, or caught.
    Gone,
}

/// How a match ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, State)]
enum Ending {
    Caught,
    GaveUp,
    Unnoticed,
    TimeUp,
}

impl Ending {
    fn name(self) -> &'static str {
        match self {
            Ending::Caught => "caught",
            Ending::GaveUp => "gave up",
            Ending::Unnoticed => "unnoticed",
            Ending::TimeUp => TIME_UP,
        }
    }
}

/// The story of `patrol`.
struct Patrol {
    mind: PatrolMind,
    is_steered: bool,
    /// Bodies by kind: guard, intruder.
    body_configs: [BodyConfig; 2],
}

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    Ok(Box::new(begin(setup)?))
}

fn begin(setup: &Setup) -> Result<SceneMatch<Patrol>, SceneError> {
    let layout = Layout::of(level_asset(setup, layout::NAME)?)?;
    let number = |name| setup.settings.number(name);
    let mind = PatrolMind {
        layout,
        sight_m: number("sight_m"),
        half_angle: 0.96,     // 55 degrees
        wary_half_angle: 2.0, // 115 degrees
        notice_s: number("notice_s"),
        give_up_s: number("give_up_s"),
        run_m_per_s: number("run_m_per_s"),
        flee_m_per_s: FLEE,
        scare_m: 8.5,
    };
    let config = LoopConfig { rate: RATE, index_cell_m: 5.0, ..LoopConfig::default() };
    let mut brains = Loop::<PatrolMind>::new(config, setup.seed);
    let mut arrival = brains.streams().stream(0, ARRIVAL);
    let at = Tick(RATE.ticks(arrival.between(1.0, 6.0)));
    let route = arrival.below(mind.layout.routes.len() as u32) as u16;
    let guards = setup.settings.whole("guards");
    let shift = arrival.unit();
    let mut bodies = BodySet::new(&mind.layout.level);
    for number in 0..guards {
        let ((place, yaw), stop) = on_the_round(&mind.layout.waypoints, number as f32 / guards as f32 + shift);
        let key = HostKey(u64::from(number) + 1);
        let walker = bodies.add(key, GUARD as u8, standing(place, yaw));
        let spec = AgentSpec { team: GUARDS, kind: GUARD, body: walker.body(), ..AgentSpec::new(key) };
        // Keys are all different and the body is finite: nobody is refused.
        let _ = brains.spawn_with(spec, Brain::guarding(stop));
    }
    let body = |speed_m_per_s_max| BodyConfig {
        speed_m_per_s_max,
        turn_rad_per_s_max: 3.5,
        acceleration_m_per_s2: 12.0,
        ..BodyConfig::default()
    };
    let body_configs = [body(mind.run_m_per_s), body(FLEE)];
    let is_steered = setup.settings.word("intruder") == BY_PERSON;
    let world = World {
        bodies,
        intruder: Intruder::Expected { at, route },
        input: Held::default(),
        tally: Tally::default(),
        ending: None,
    };
    Ok(SceneMatch::new(Patrol { mind, is_steered, body_configs }, brains, world))
}

/// On the ground, looking along a yaw.
fn standing(place: Vec2, yaw: f32) -> Pose {
    Pose { position: plane::lift(place, 0.02), yaw }
}

/// A place and yaw a share of the way round (whole numbers aside), and the next waypoint from there.
fn on_the_round(waypoints: &[Vec2], share: f32) -> ((Vec2, f32), u16) {
    let count = waypoints.len();
    let leg = |stop: usize| waypoints[(stop + 1) % count] - waypoints[stop];
    let length: f32 = (0..count).map(|stop| leg(stop).length()).sum();
    let mut left = (share - share.floor()) * length;
    for (stop, &from) in waypoints.iter().enumerate() {
        let here = leg(stop).length();
        if left <= here || stop + 1 == count {
            let along = plane::direction(leg(stop));
            let place = from + along * math::min(left, here);
            return ((place, plane::yaw(along)), ((stop + 1) % count) as u16);
        }
        left -= here;
    }
    ((waypoints[0], 0.0), 0)
}

impl Patrol {
    /// Brings the intruder in when it is time.
    fn welcome(&self, moment: &mut StepContext<'_, Patrol>) {
        let Intruder::Expected { at, route } = moment.world.intruder else { return };
        if moment.brains.tick() < at {
            return;
        }
        let way = &self.mind.layout.routes[usize::from(route) % self.mind.layout.routes.len()];
        let pose = standing(way[0], plane::yaw(way[1] - way[0]));
        let body = CharacterBody::at(pose).body();
        let spec = AgentSpec { team: INTRUDERS, kind: INTRUDER, body, ..AgentSpec::new(INTRUDER_KEY) };
        let brain = Brain::intruding(route, self.is_steered);
        if let Ok(agent) = moment.brains.spawn_from(spec, brain, moment.scratch) {
            moment.world.bodies.add(INTRUDER_KEY, INTRUDER as u8, pose);
            moment.world.intruder = Intruder::Here { agent };
        }
    }

    /// Moves every body as its agent wants, or as the input says.
    fn move_bodies(&self, moment: &mut StepContext<'_, Patrol>) {
        let StepContext { brains, world, pool, cache, .. } = moment;
        world.bodies.follow(brains, &self.body_configs);
        if self.is_steered {
            let stick = world.input.input().stick();
            let looks = world.bodies.walker(INTRUDER_KEY).map_or(0.0, |walker| walker.pose.yaw);
            let yaw = if stick == Vec2::ZERO { looks } else { plane::yaw(stick) };
            let Held { stance, actions, .. } = world.input;
            world.bodies.steer(INTRUDER_KEY, Input::quantized(0, stick, yaw, 0.0, stance, actions));
        }
        world.bodies.step(&self.mind.layout.level, &self.body_configs, RATE, *pool, cache);
        world.bodies.observe(brains);
    }

    /// Whether the intruder was caught or is out again.
    fn part(&self, moment: &mut StepContext<'_, Patrol>) {
        let StepContext { brains, world, scratch, .. } = moment;
        let Intruder::Here { agent } = world.intruder else { return };
        let Some(thief) = world.bodies.walker(INTRUDER_KEY) else { return };
        let place = plane::ground(thief.pose.position);
        let guards = world.bodies.iter().filter(|(key, _)| *key != INTRUDER_KEY);
        let distances = guards.map(|(_, guard)| plane::ground(guard.pose.position).distance(place));
        let nearest = distances.fold(f32::INFINITY, math::min);
        world.tally.least_distance_m = math::min(world.tally.least_distance_m, nearest);
        let is_caught = nearest < CATCH_M;
        let is_leaving = brains.brain(agent).is_some_and(|brain| brain.mode.is_leaving());
        let gate = self.mind.layout.routes.iter().map(|route| route[0].distance(place));
        let is_out = is_leaving && gate.fold(f32::INFINITY, math::min) < 0.7;
        if is_caught || is_out {
            brains.despawn_into(agent, scratch);
            world.bodies.remove(INTRUDER_KEY);
            world.intruder = Intruder::Gone;
        }
        if is_caught {
            world.ending = Some(Ending::Caught);
        }
    }

    /// The match is over when the intruder is gone and every guard is back on its round.
    fn judge(&self, moment: &mut StepContext<'_, Patrol>) {
        let StepContext { brains, world, .. } = moment;
        if world.ending.is_some() {
            return;
        }
        let on_round = |(key, _): (HostKey, &CharacterBody)| {
            let brain = brains.agent_of(key).and_then(|agent| brains.brain(agent));
            brain.is_some_and(|brain| !brain.is_off_round)
        };
        if world.intruder == Intruder::Gone && world.bodies.iter().all(on_round) {
            let was_followed = world.tally.follows > 0;
            world.ending = Some(if was_followed { Ending::GaveUp } else { Ending::Unnoticed });
        } else if brains.tick().0 >= SCENE.ticks_max {
            world.ending = Some(Ending::TimeUp);
        }
    }
}

/// How far a guard's call carries, m.
const CALL_M: f32 = 20.0;

impl Patrol {
    /// How it ended for the intruder, who may be somebody that plays.
    fn result(&self, world: &World, ending: Ending) -> ResultCard {
        let (title, is_won) = match ending {
            Ending::Caught => ("Caught", false),
            Ending::GaveUp => ("Seen, and got away", true),
            Ending::Unnoticed => ("In and out, and nobody noticed", true),
            Ending::TimeUp => ("Time is up", false),
        };
        let least_m = world.tally.least_distance_m;
        let mut rows = vec![("times followed", world.tally.follows.to_string())];
        if least_m.is_finite() {
            rows.push(("nearest guard", format!("{least_m:.1} m")));
        }
        ResultCard { title: title.to_owned(), is_won: self.is_steered.then_some(is_won), rows }
    }
}

impl Scene for Patrol {
    type Mind = PatrolMind;
    type World = World;
    type Cache = BodySetScratch;

    fn step(&self, mut moment: StepContext<'_, Patrol>) {
        if let Some(input) = moment.inputs.iter().rev().find(|input| input.player == 0) {
            moment.world.input = input.held();
        }
        self.welcome(&mut moment);
        let seen = Seen(LevelView { level: &self.mind.layout.level, state: &moment.world.bodies.level });
        moment.brains.step(&self.mind, &seen, moment.pool, moment.scratch);
        self.move_bodies(&mut moment);
        moment.world.tally.count(moment.scratch.events(), moment.brains, RATE);
        self.part(&mut moment);
        self.judge(&mut moment);
    }

    fn player(&self, _world: &World) -> Option<HostKey> {
        self.is_steered.then_some(INTRUDER_KEY)
    }

    fn fits(&self, world: &World) -> bool {
        world.bodies.fits(&self.mind.layout.level)
    }

    fn ending(&self, world: &World) -> Option<&'static str> {
        world.ending.map(Ending::name)
    }

    fn metrics(&self, world: &World) -> Vec<Metric> {
        world.tally.metrics()
    }

    fn draw(&self, brains: &Loop<PatrolMind>, world: &World, list: &mut DrawList) {
        sight::draw(&self.mind, brains, &world.bodies.level, list);
    }

    fn play(&self, view: MatchView<'_, Self>) -> Option<Play> {
        let result = view.world.ending.map(|ending| self.result(view.world, ending));
        Some(Play { result, ..Play::default() })
    }

    fn name_of(&self, _world: &World, agent: &Presence) -> Option<String> {
        (agent.key == INTRUDER_KEY).then(|| if self.is_steered { "player" } else { "intruder" }.to_owned())
    }

    /// Guards call out, for ears of people alone.
    fn sounds(&self, view: MatchView<'_, Self>, list: &mut Vec<Sound>) {
        for event in view.events {
            let guard = event.agent.and_then(|agent| view.brains.presence(agent)).filter(|it| it.kind == GUARD);
            let text = match event.kind {
                EventKind::Noticed { .. } => "Who is there?",
                EventKind::Decided { decision } if decision == Mode::Follow as u16 => "Stop!",
                EventKind::Decided { decision } if decision == Mode::Search as u16 => "Where is he?",
                EventKind::Custom { code: mind::GAVE_UP, .. } => "Nobody here.",
                _ => continue,
            };
            if let Some(it) = guard {
                let call = Sound::new(SoundKind::Voice, it.body.eye(), loudness(CALL_M), Some(it.key));
                list.push(call.saying(text));
            }
        }
    }

    fn inspectable(&self) -> Option<&dyn Inspectable<Self>> {
        Some(self)
    }

    fn audited(&self) -> Option<&dyn Audited<Self>> {
        Some(self)
    }
}

impl Inspectable for Patrol {
    fn decision_name(&self, decision: u16) -> &'static str {
        self.mind.decision_name(decision)
    }
}

impl Audited for Patrol {
    fn reach(&self) -> Reach {
        Reach { sight_m: self.mind.sight_m, ..Reach::legs(2.0) }
    }

    fn level<'a>(&'a self, world: &'a World) -> LevelView<'a> {
        LevelView { level: &self.mind.layout.level, state: &world.bodies.level }
    }

    fn change(&self, brains: &mut Loop<PatrolMind>, world: &mut World, tamper: &Tamper) -> bool {
        apply(brains, &mut world.bodies, &self.mind.layout.level, tamper)
    }
}

#[cfg(test)]
mod tests;
