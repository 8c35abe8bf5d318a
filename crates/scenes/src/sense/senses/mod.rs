//! `senses`: five stations that show what senses do: cones, a shoulder behind a pillar, steps through a door, a dark corner,
//! a trail.

mod trail;

use sentir::core::draw::{Color, DrawList, Layer};
use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir::sense::smell::Trace;
use sentir_level::{LevelView, PieceId};

use crate::sense::scout::look::{INK, draw_dark, draw_mode, draw_scout};
use crate::sense::scout::{HOUND, Head, KINDS, PUPPET, Scout, WATCHER};
use sentir_harness::game_match::Match;
use sentir_harness::honesty::tamper::apply;
use sentir_harness::honesty::{Reach, Tamper};
use sentir_harness::info::{Ground, SceneError, SceneInfo, SceneLook, Setting, SettingKind, Setup, level_asset};
use sentir_harness::metric::Metric;
use sentir_harness::scene::{Audited, Inspectable, Scene, StepContext};
use sentir_harness::scene_match::SceneMatch;
use sentir_sim::body::BodyConfig;
use sentir_sim::body_set::{BodySet, BodySetScratch, Seen};
use sentir_sim::input::Input;
use sentir_sim::noise::{Footsteps, NoiseTable, noise, stride};
use trail::Trails;

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "senses",
    title: "Cones, a peek, steps through a door, a dark corner, a trail",
    about: "Five stations. Somebody walks through the cones of one and is noticed the later the farther and \
            the more aside he is. Somebody steps out behind a pillar until a shoulder shows. A runner is heard while the \
            door is open, and not through the shut one. Two step out at the same time, one in the light and one in the \
            dark. A hound that neither sees nor hears follows where somebody walked, gap by gap, by its nose.",
    controls: None,
    kinds: KINDS,
    look: SceneLook::on(Ground::Tile),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::NAMES, Layer::SENSES],
    settings: SETTINGS,
    assets: &[("senses.yaml", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/sense/senses.yaml")))],
    rate: RATE,
    ticks_max: 60 * 120,
    trials: &[&[], &["range_m=12", "seconds=20"]],
    build,
};

const RATE: TickRate = TickRate::new(60);
const PLACE: Purpose = Purpose::new("senses.place");
const WATCHERS: TeamId = TeamId(0);
const PUPPETS: TeamId = TeamId(1);
/// Looks along +x and −x.
const EAST: f32 = -math::FRAC_PI_2;
const WEST: f32 = math::FRAC_PI_2;
/// A round of every station, s, and the half of it in which somebody is out and the door is open.
const ROUND_S: f32 = 12.0;
const OUT_S: f32 = 6.0;
const COLORS: [Color; 2] = [Color::rgb(0x2f6fb0), Color::rgb(0xb8433f)];

const SETTINGS: &[Setting] = &[
    Setting {
        name: "range_m",
        about: "how far everybody sees, m",
        kind: SettingKind::Number { min: 1.0, max: 40.0 },
        stock: "22",
    },
    Setting {
        name: "seconds",
        about: "how long it goes on, s",
        kind: SettingKind::Number { min: 1.0, max: 120.0 },
        stock: "48",
    },
];

/// The watchers: where, and where they look. The third listens.
const POSTS: [(Vec2, f32); 4] = [
    (Vec2::new(-16.5, 5.5), EAST),
    (Vec2::new(3.0, 5.5), EAST),
    (Vec2::new(-12.0, -5.5), WEST),
    (Vec2::new(3.0, -5.4), EAST),
];

/// The others: who walks, peeks, runs, steps out in the light and in the dark, leaves a trail.
const PUPPETS_AT: [Vec2; 6] = [
    Vec2::new(-5.0, 1.5),
    Vec2::new(13.2, 5.5),
    Vec2::new(-5.0, -8.5),
    Vec2::new(15.5, -2.2),
    Vec2::new(15.5, -8.6),
    trail::WALKER_AT,
];
const PACES: [f32; 6] = [1.6, 1.0, 4.0, 2.0, 2.0, trail::PACE_M_PER_S + 0.2];
const HOUND_KEY: HostKey = HostKey((POSTS.len() + PUPPETS_AT.len()) as u64);

/// Where a puppet wants to be at a time.
fn wanted(streams: Streams, puppet: usize, time_s: f32) -> Vec2 {
    let turn = time_s - (time_s / ROUND_S).floor() * ROUND_S;
    let is_out = turn < OUT_S;
    match puppet {
        // Across the cones and back, nearer each time.
        0 => {
            let near = 4.0 * ((time_s / ROUND_S).floor() - ((time_s / ROUND_S) / 3.0).floor() * 3.0);
            Vec2::new(-3.5 - near, if is_out { 9.3 } else { 0.8 })
        }
        // A shoulder shows at 4.4.
        1 => Vec2::new(13.2, if is_out { 4.4 } else { 5.5 }),
        2 => {
            let beat = time_s - (time_s / 4.0).floor() * 4.0;
            Vec2::new(-5.0, if beat < 2.0 { -2.0 } else { -9.0 })
        }
        3 => Vec2::new(15.5, if is_out { -4.6 } else { -2.2 }),
        4 => Vec2::new(15.5, if is_out { -6.4 } else { -8.6 }),
        _ => trail::wanted(streams, time_s),
    }
}

/// The story of `senses`.
struct Stations {
    mind: Scout,
    body: [BodyConfig; 1],
    noises: NoiseTable,
    door: Option<PieceId>,
    ticks_max: u64,
}

/// What is remembered beside the brains.
#[derive(State)]
struct World {
    bodies: BodySet,
    stride: Footsteps,
    trails: Trails,
    figures: Figures,
    is_over: bool,
}

/// What is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
struct Figures {
    /// Times the walker and the one who peeks were noticed.
    cone_notices: u32,
    peek_notices: u32,
    /// Ticks in which steps were heard, with the door open and shut.
    heard_open: u32,
    heard_shut: u32,
    /// Sum of the times to notice who stepped out, s, and how often, in the light and in the dark.
    light_s: f32,
    light_notices: u32,
    dark_s: f32,
    dark_notices: u32,
}

/// What a step needs and need not remember.
#[derive(Default)]
struct Cache {
    bodies: BodySetScratch,
    /// The mind with the trails of the world in it while it is at work; made anew when it is missing.
    mind: Option<Box<Scout>>,
}

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let mut mind = Scout::of(level_asset(setup, "senses.yaml")?);
    mind.senses.sight.range_m = setup.settings.number("range_m");
    let config = LoopConfig { rate: RATE, index_cell_m: 4.0, ..LoopConfig::default() };
    let mut brains = Loop::<Scout>::new(config, setup.seed);
    let mut rng = brains.streams().stream(0, PLACE);
    let mut bodies = BodySet::new(&mind.level);
    let watchers = POSTS.into_iter().map(|(at, yaw)| (at, yaw, WATCHERS, WATCHER));
    let puppets = PUPPETS_AT.into_iter().map(|at| (at, 0.0, PUPPETS, PUPPET));
    let hound = (trail::HOUND_AT, EAST, WATCHERS, HOUND);
    for (number, (at, yaw, team, kind)) in (0..).zip(watchers.chain(puppets).chain([hound])) {
        let jitter = Vec2::new(rng.between(-0.02, 0.02), rng.between(-0.02, 0.02));
        let pose = Pose { position: plane::lift(at + jitter, 0.02), yaw };
        let body = bodies.add(HostKey(number), 0, pose).body();
        // Keys are all different and the body is finite: nobody is refused.
        let _ =
            brains.spawn_with(AgentSpec { team, kind, body, ..AgentSpec::new(HostKey(number)) }, Head::looking(yaw));
    }
    let door = mind.level.piece_named("door");
    let body = [BodyConfig { turn_rad_per_s_max: 4.0, acceleration_m_per_s2: 12.0, ..BodyConfig::default() }];
    let trails = Trails::new(PUPPETS_AT.len());
    let world = World { bodies, stride: Footsteps::default(), trails, figures: Figures::default(), is_over: false };
    let ticks_max = RATE.ticks(setup.settings.number("seconds"));
    Ok(Box::new(SceneMatch::new(
        Stations { mind, body, noises: NoiseTable::default(), door, ticks_max },
        brains,
        world,
    )))
}

fn puppet_key(puppet: usize) -> HostKey {
    HostKey((POSTS.len() + puppet) as u64)
}

impl Stations {
    /// Moves the puppets and the door by the script; the runner is heard.
    fn direct(&self, brains: &mut Loop<Scout>, world: &mut World, time_s: f32) {
        for (puppet, pace) in PACES.into_iter().enumerate() {
            let Some(walker) = world.bodies.walker(puppet_key(puppet)) else { continue };
            let way = wanted(brains.streams(), puppet, time_s) - plane::ground(walker.pose.position);
            let speed = math::min(pace, way.length() * 4.0);
            let yaw = if way.length() > 0.3 { plane::yaw(way) } else { walker.pose.yaw };
            let stick = plane::direction(way) * (speed / self.body[0].speed_m_per_s_max);
            let input = Input::quantized(0, stick, yaw, 0.0, Stance::Stand, Actions::default());
            world.bodies.steer(puppet_key(puppet), input);
        }
        if let Some(door) = self.door {
            let turn = time_s - (time_s / ROUND_S).floor() * ROUND_S;
            if turn < OUT_S {
                world.bodies.level.open_door(&self.mind.level, door);
            } else {
                world.bodies.level.close_door(&self.mind.level, door);
            }
        }
        let runner = world.bodies.walker(puppet_key(2)).copied();
        if let Some(runner) = runner {
            let speed = plane::ground(runner.velocity).length();
            let range_m = stride(&self.noises, &mut world.stride, speed, Stance::Stand, RATE.tick_s());
            let by = brains.agent_of(puppet_key(2));
            if let Some(noise) = range_m.and_then(|m| noise(runner.pose.position + Vec3::Y * 0.1, m, by)) {
                brains.noise(noise);
            }
        }
    }

    fn count(&self, brains: &Loop<Scout>, world: &mut World, events: &[GameEvent], time_s: f32) {
        let turn_s = time_s - (time_s / ROUND_S).floor() * ROUND_S;
        let figures = &mut world.figures;
        let key = |agent: AgentId| brains.presence(agent).map_or(u64::MAX, |it| it.key.0);
        for event in events {
            let (EventKind::Noticed { other }, Some(agent)) = (event.kind, event.agent) else { continue };
            match (key(agent), key(other)) {
                (0, _) => figures.cone_notices += 1,
                (1, _) => figures.peek_notices += 1,
                (3, whom) if turn_s < OUT_S && whom == puppet_key(3).0 => {
                    (figures.light_s, figures.light_notices) = (figures.light_s + turn_s, figures.light_notices + 1);
                }
                (3, whom) if turn_s < OUT_S && whom == puppet_key(4).0 => {
                    (figures.dark_s, figures.dark_notices) = (figures.dark_s + turn_s, figures.dark_notices + 1);
                }
                _ => {}
            }
        }
        let place = |key| world.bodies.walker(key).map(|walker| plane::ground(walker.pose.position));
        if let (Some(walker), Some(hound)) = (place(puppet_key(5)), place(HOUND_KEY)) {
            world.trails.count(walker, hound);
        }
        let ears = brains.agent_of(HostKey(2)).and_then(|agent| brains.beliefs(agent));
        if ears.is_some_and(|beliefs| !beliefs.noises.is_empty()) {
            // A door on its way counts as open.
            let openness = self.door.and_then(|door| world.bodies.level.piece(door)).map_or(1.0, |door| door.openness);
            *(if openness > 0.0 { &mut figures.heard_open } else { &mut figures.heard_shut }) += 1;
        }
    }
}

impl Scene for Stations {
    type Mind = Scout;
    type World = World;
    type Cache = Cache;

    fn step(&self, moment: StepContext<'_, Stations>) {
        let StepContext { brains, world, pool, scratch, cache, .. } = moment;
        let seen = Seen(LevelView { level: &self.mind.level, state: &world.bodies.level });
        let mut mind = cache.mind.take().unwrap_or_else(|| Box::new(self.mind.clone()));
        std::mem::swap(&mut mind.scents, &mut world.trails.scents);
        brains.step(&*mind, &seen, pool, scratch);
        std::mem::swap(&mut mind.scents, &mut world.trails.scents);
        cache.mind = Some(mind);
        let time_s = RATE.seconds(brains.tick().0);
        world.bodies.follow(brains, &self.body);
        self.direct(brains, world, time_s);
        world.bodies.step(&self.mind.level, &self.body, RATE, pool, &mut cache.bodies);
        world.bodies.observe(brains);
        world.trails.leave(brains, &world.bodies, puppet_key);
        self.count(brains, world, scratch.events(), time_s);
        world.is_over = brains.tick().0 >= self.ticks_max;
    }

    fn fits(&self, world: &World) -> bool {
        world.bodies.fits(&self.mind.level)
    }

    fn ending(&self, world: &World) -> Option<&'static str> {
        world.is_over.then_some("done")
    }

    fn metrics(&self, world: &World) -> Vec<Metric> {
        let it = &world.figures;
        let mean = |sum: f32, count: u32| if count > 0 { sum / count as f32 } else { f32::NAN };
        vec![
            Metric::new("cone_notices", it.cone_notices as f32),
            Metric::new("peek_notices", it.peek_notices as f32),
            Metric::new("heard_open_ticks", it.heard_open as f32),
            Metric::new("heard_shut_ticks", it.heard_shut as f32),
            Metric::new("noticed_in_light_s", mean(it.light_s, it.light_notices)),
            Metric::new("noticed_in_dark_s", mean(it.dark_s, it.dark_notices)),
            Metric::new("trail_gaps_followed", world.trails.followed as f32),
            Metric::new("trail_gaps_missed", world.trails.missed as f32),
            Metric::new("trail_found", world.trails.found as f32),
        ]
    }

    fn draw(&self, brains: &Loop<Scout>, world: &World, list: &mut DrawList) {
        let view = LevelView { level: &self.mind.level, state: &world.bodies.level };
        sentir_level::draw::draw(&view, list);
        draw_dark(&self.mind, Vec3::ZERO, list);
        for noise in brains.noises() {
            let spot = Vec3::new(noise.position.x, 0.0, noise.position.z);
            list.circle(Layer::SENSES, COLORS[1].alpha(50), spot, noise.range_m, false);
        }
        world.trails.draw(brains.tick(), RATE, COLORS[1], list);
        for (it, _) in brains.motions() {
            draw_scout(&self.mind, &view, brains, it, COLORS[it.team.0 as usize % 2], Vec3::ZERO, list);
            if it.kind != PUPPET {
                draw_mode(brains, it, Vec3::ZERO, list);
                draw_glimpses(brains, it, list);
            }
            if it.kind == HOUND {
                draw_nose(self.mind.nose().smell.range_m, world.trails.scents.traces(), it, list);
            }
        }
        let titles = ["cones", "a peek", "steps through a door", "light and dark", "a trail"];
        let places = [(-9.0, 9.0), (9.0, 9.0), (-14.0, -1.2), (5.0, -1.2), (-16.6, -11.0)];
        for (title, place) in titles.into_iter().zip(places) {
            list.label(Layer::NAMES, INK, plane::lift(place.into(), 0.0), format_args!("{title}"));
        }
    }

    fn inspectable(&self) -> Option<&dyn Inspectable<Self>> {
        Some(self)
    }

    fn audited(&self) -> Option<&dyn Audited<Self>> {
        Some(self)
    }
}

impl Inspectable for Stations {
    fn decision_name(&self, decision: u16) -> &'static str {
        self.mind.decision_name(decision)
    }
}

impl Audited for Stations {
    fn reach(&self) -> Reach {
        let sight = &self.mind.senses.sight;
        let (sight_m, half_rad, smell_m) = (sight.range_m, sight.half_rad, self.mind.nose().smell.range_m + 0.5);
        Reach { sight_m, half_rad, hearing: 1.0, smell_m, ..Reach::legs(2.0) }
    }

    fn level<'a>(&'a self, world: &'a World) -> LevelView<'a> {
        LevelView { level: &self.mind.level, state: &world.bodies.level }
    }

    fn change(&self, brains: &mut Loop<Scout>, world: &mut World, tamper: &Tamper) -> bool {
        apply(brains, &mut world.bodies, &self.mind.level, tamper)
    }

    fn traces<'a>(&'a self, world: &'a World) -> &'a [Trace] {
        world.trails.scents.traces()
    }
}

/// How far a nose reaches at the most, and rings around the traces within.
fn draw_nose(nose_m: f32, traces: &[Trace], it: &Presence, list: &mut DrawList) {
    let at = it.body.pose.position;
    list.circle(Layer::SENSES, COLORS[0].alpha(120), at, nose_m, false);
    for trace in traces.iter().filter(|trace| trace.position.distance(at) <= nose_m) {
        list.circle(Layer::SENSES, COLORS[0], trace.position, 0.2, false);
    }
}

/// Whom somebody has half noticed, and by how much.
fn draw_glimpses(brains: &Loop<Scout>, it: &Presence, list: &mut DrawList) {
    for glimpse in brains.senses(it.agent).map(Senses::glimpses).unwrap_or_default() {
        let Some(other) = brains.presence(glimpse.who).filter(|_| glimpse.progress > 0.0) else { continue };
        let alpha = (40.0 + 200.0 * glimpse.progress) as u8;
        let (eye, spot) = (it.body.pose.position, other.body.pose.position);
        list.line(Layer::SENSES, COLORS[0].alpha(alpha), eye, eye.lerp(spot, glimpse.progress), 0.07);
        let below = spot - plane::lift(Vec2::Y * 0.9, 0.0);
        list.label(Layer::NAMES, COLORS[0], below, format_args!("{:.0} %", glimpse.progress * 100.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sentir_harness::info::Changes;

    #[test]
    fn stations_show_what_they_promise() {
        let scene = crate::CATALOG.find("senses").unwrap();
        for seed in 1..4 {
            let mut game = scene.start(&scene.setup(seed, Changes::default()).unwrap()).unwrap();
            while game.ending().is_none() {
                game.step(&[], &Serial);
            }
            let metric = |name: &str| game.metrics().iter().find(|metric| metric.name == name).unwrap().value;
            assert!(metric("cone_notices") >= 3.0, "{:?}", game.metrics());
            assert!(metric("peek_notices") >= 3.0, "{:?}", game.metrics());
            assert!(metric("heard_open_ticks") > 20.0 && metric("heard_shut_ticks") == 0.0, "{:?}", game.metrics());
            let (light_s, dark_s) = (metric("noticed_in_light_s"), metric("noticed_in_dark_s"));
            let [followed, missed] = ["trail_gaps_followed", "trail_gaps_missed"].map(metric);
            assert!(followed >= 3.0 && missed == 0.0, "{followed} gaps taken after him, {missed} not");
            assert!(light_s > 0.2 && dark_s > light_s + 1.0, "{light_s} in the light, {dark_s} in the dark");
        }
    }
}
