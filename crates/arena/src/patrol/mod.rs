//! `patrol`: a guard walks its round, an intruder comes near, the guard follows and gives up.

mod layout;
mod mind;
mod sight;
mod tally;

pub use layout::Layout;
pub use mind::{Brain, Mode, PatrolMind};

use sentir::core::draw::DrawList;
use sentir::core::{math, plane, state};
use sentir::prelude::*;

use crate::flat::{self, Disc, FlatScratch};
use crate::input::Input;
use crate::scene::{Match, Metric, Scene, SceneError, Setting, SettingKind, Setup};
use crate::story::{Moment, Story, Tale};
use mind::{GUARD, GUARDS, INTRUDER, INTRUDERS};
use tally::Tally;

/// The scene.
pub const SCENE: Scene = Scene {
    name: "patrol",
    title: "A guard on its round, and an intruder",
    about: "A guard walks from waypoint to waypoint round a hut. An intruder sneaks into the yard and runs when a guard \
            comes near; the guard follows, loses him, looks around, gives up and goes back to its round.",
    controls: "with --set intruder=input: the stick moves the intruder, forward is the top of the map",
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
        kind: SettingKind::Choice(&["script", "input"]),
        stock: "script",
    },
];

/// What is remembered beside the brains.
#[derive(State)]
struct Yard {
    discs: Vec<Disc>,
    intruder: Intruder,
    input: Input,
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
            Ending::TimeUp => "time up",
        }
    }
}

/// The story of `patrol`.
struct Patrol {
    mind: PatrolMind,
    is_steered: bool,
}

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    Ok(Box::new(begin(setup)?))
}

fn begin(setup: &Setup) -> Result<Tale<Patrol>, SceneError> {
    let layout = Layout::parse(setup.asset(layout::NAME))?;
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
    let mut discs = Vec::new();
    for number in 0..guards {
        let (place, stop) = on_the_round(&mind.layout.waypoints, number as f32 / guards as f32 + shift);
        let disc = disc(HostKey(u64::from(number) + 1), place.0, place.1, mind.run_m_per_s);
        let spec = AgentSpec { team: GUARDS, kind: GUARD, body: disc.body, ..AgentSpec::new(disc.key) };
        if let Ok(agent) = brains.spawn(spec)
            && let Some(brain) = brains.brain_mut(agent)
        {
            brain.stop = stop;
        }
        discs.push(disc);
    }
    let is_steered = setup.settings.word("intruder") == "input";
    let world = Yard {
        discs,
        intruder: Intruder::Expected { at, route },
        input: Input::default(),
        tally: Tally::default(),
        ending: None,
    };
    Ok(Tale::new(Patrol { mind, is_steered }, brains, world))
}

fn disc(key: HostKey, place: Vec2, yaw: f32, speed_max: f32) -> Disc {
    let pose = Pose { position: plane::lift(place, 0.0), yaw };
    Disc { key, body: Body { pose, ..Body::default() }, speed_max, turn_max: 3.5 }
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
    fn welcome(&self, moment: &mut Moment<'_, Patrol>) {
        let Intruder::Expected { at, route } = moment.world.intruder else { return };
        if moment.brains.tick() < at {
            return;
        }
        let way = &self.mind.layout.routes[usize::from(route) % self.mind.layout.routes.len()];
        let disc = disc(INTRUDER_KEY, way[0], plane::yaw(way[1] - way[0]), FLEE);
        let spec = AgentSpec { team: INTRUDERS, kind: INTRUDER, body: disc.body, ..AgentSpec::new(disc.key) };
        if let Ok(agent) = moment.brains.spawn_from(spec, moment.scratch) {
            if let Some(brain) = moment.brains.brain_mut(agent) {
                brain.route = route;
                brain.is_steered = self.is_steered;
            }
            moment.world.discs.push(disc);
            moment.world.intruder = Intruder::Here { agent };
        }
    }

    /// Moves every body as its agent wants, or as the input says.
    fn move_bodies(&self, moment: &mut Moment<'_, Patrol>) {
        let Moment { brains, world, pool, cache, .. } = moment;
        for disc in &mut world.discs {
            let Some(agent) = brains.agent_of(disc.key) else { continue };
            let mut motion = brains.motion(agent).copied().unwrap_or_default();
            if self.is_steered && disc.key == INTRUDER_KEY {
                let stick = world.input.stick();
                motion.velocity = plane::lift(stick * disc.speed_max, 0.0);
                motion.yaw = if stick == Vec2::ZERO { disc.body.pose.yaw } else { plane::yaw(stick) };
            }
            flat::drive(disc, &motion, RATE);
        }
        flat::settle(&mut world.discs, &self.mind.layout.walls, *pool, cache);
        for disc in &world.discs {
            if let Some(agent) = brains.agent_of(disc.key) {
                brains.observe(agent, disc.body);
            }
        }
    }

    /// Whether the intruder was caught or is out again.
    fn part(&self, moment: &mut Moment<'_, Patrol>) {
        let Moment { brains, world, scratch, .. } = moment;
        let Intruder::Here { agent } = world.intruder else { return };
        let Some(thief) = world.discs.iter().find(|disc| disc.key == INTRUDER_KEY) else { return };
        let place = plane::ground(thief.body.pose.position);
        let guards = world.discs.iter().filter(|disc| disc.key != INTRUDER_KEY);
        let distances = guards.map(|guard| plane::ground(guard.body.pose.position).distance(place));
        let nearest = distances.fold(f32::INFINITY, math::min);
        world.tally.least_distance_m = math::min(world.tally.least_distance_m, nearest);
        let is_caught = nearest < CATCH_M;
        let is_leaving = brains.brain(agent).is_some_and(|brain| brain.mode.is_leaving());
        let gate = self.mind.layout.routes.iter().map(|route| route[0].distance(place));
        let is_out = is_leaving && gate.fold(f32::INFINITY, math::min) < 0.7;
        if is_caught || is_out {
            brains.despawn_into(agent, scratch);
            world.discs.retain(|disc| disc.key != INTRUDER_KEY);
            world.intruder = Intruder::Gone;
        }
        if is_caught {
            world.ending = Some(Ending::Caught);
        }
    }

    /// The match is over when the intruder is gone and every guard is back on its round.
    fn judge(&self, moment: &mut Moment<'_, Patrol>) {
        let Moment { brains, world, .. } = moment;
        if world.ending.is_some() {
            return;
        }
        let on_round = |disc: &Disc| {
            let brain = brains.agent_of(disc.key).and_then(|agent| brains.brain(agent));
            brain.is_some_and(|brain| !brain.is_off_round)
        };
        if world.intruder == Intruder::Gone && world.discs.iter().all(on_round) {
            let was_followed = world.tally.follows > 0;
            world.ending = Some(if was_followed { Ending::GaveUp } else { Ending::Unnoticed });
        } else if brains.tick().0 >= SCENE.ticks_max {
            world.ending = Some(Ending::TimeUp);
        }
    }
}

impl Story for Patrol {
    type Mind = PatrolMind;
    type World = Yard;
    type Cache = FlatScratch;

    fn step(&self, mut moment: Moment<'_, Patrol>) {
        if let Some(input) = moment.inputs.iter().rev().find(|input| input.player == 0) {
            moment.world.input = *input;
        }
        self.welcome(&mut moment);
        moment.brains.step(&self.mind, &self.mind.layout.walls, moment.pool, moment.scratch);
        self.move_bodies(&mut moment);
        moment.world.tally.count(moment.scratch.events(), moment.brains, RATE);
        self.part(&mut moment);
        self.judge(&mut moment);
    }

    fn ending(&self, world: &Yard) -> Option<&'static str> {
        world.ending.map(Ending::name)
    }

    fn metrics(&self, world: &Yard) -> Vec<Metric> {
        world.tally.metrics()
    }

    fn parts(&self, world: &Yard) -> Vec<(&'static str, u64)> {
        vec![
            ("bodies", state::hash(&world.discs)),
            ("input", state::hash(&world.input)),
            ("tally", state::hash(&world.tally)),
            ("rules", state::hash(&world.intruder) ^ state::hash(&world.ending)),
        ]
    }

    fn draw(&self, brains: &Loop<PatrolMind>, _world: &Yard, list: &mut DrawList) {
        sight::draw(&self.mind, brains, list);
    }
}

#[cfg(test)]
mod tests;
