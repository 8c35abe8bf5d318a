//! What the scenes of courteous people have in common: everybody walks its errand; figures of arrival, room and standing.

use sentir::core::draw::{Color, DrawList, Layer};
use sentir::core::index::PointIndex;
use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_act::avoid::{self, Nearest, Planes};
use sentir_level::{Level, LevelView};

use crate::orca_walker::{OrcaWalker, WalkerBrain};
use sentir_harness::honesty::tamper::{Allowed, apply};
use sentir_harness::honesty::{Reach, Tamper};
use sentir_harness::metric::Metric;
use sentir_harness::scene::{Audited, Scene, StepContext, TIME_UP};
use sentir_harness::scene_match::SceneMatch;
use sentir_sim::body::BodyConfig;
use sentir_sim::body_set::{BodySet, BodySetScratch};

/// Ticks per second of these scenes.
pub(crate) const RATE: TickRate = TickRate::new(60);

/// When somebody is done.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Finish {
    /// No stop is left.
    Stops,
    /// Past this x, m.
    East(f32),
}

/// The scene.
pub(crate) struct Stroll {
    pub(crate) mind: OrcaWalker,
    pub(crate) level: Level,
    pub(crate) body: [BodyConfig; 1],
    pub(crate) ticks_max: u64,
    pub(crate) finish: Finish,
    /// Whether one is gone from the world when done.
    pub(crate) leaves: bool,
    /// Where the count is written.
    pub(crate) label: Vec2,
}

/// What is remembered beside the brains.
#[derive(State)]
#[state(check)]
pub(crate) struct World {
    bodies: BodySet,
    walks: Vec<Walk>,
    /// How many there were at the start.
    total: u32,
    done: Done,
    /// The longest that anybody stood on end before it was done, ticks.
    stood_max: u32,
    /// Ticks in which somebody who had chosen to go did not move, summed over bodies.
    stuck_ticks: u64,
    /// Least room between two bodies so far, m.
    gap_m: f32,
    /// Most that two would have come to overlap by what they chose, had the bodies let them, m.
    overlap_m: f32,
    is_over: bool,
}

/// Who was done when.
#[derive(Clone, Copy, Debug, PartialEq, State)]
struct Done {
    count: u32,
    /// The first, the last, and all together, s; NaN before.
    first_s: f32,
    last_s: f32,
    sum_s: f32,
}

/// How far one has come.
#[derive(Clone, Copy, Debug, PartialEq, State)]
struct Walk {
    is_done: bool,
    /// How long its way was at the start, m.
    way_m: f32,
    /// For how many ticks on end it has stood, wishing to go on.
    stood: u32,
}

impl World {
    fn check(&self) -> Result<(), &'static str> {
        if self.walks.len() == self.bodies.len() { Ok(()) } else { Err("bodies and walks are not as many") }
    }

    fn is_clear(&self) -> bool {
        self.done.count == self.total
    }
}

/// What a step needs and need not remember.
#[derive(Default)]
pub(crate) struct Cache {
    bodies: BodySetScratch,
    index: PointIndex,
    points: Vec<Vec2>,
}

/// Puts somebody into the world, with stops, the next one last.
pub(crate) fn put(brains: &mut Loop<OrcaWalker>, bodies: &mut BodySet, number: u64, place: Vec2, stops: Vec<Vec2>) {
    let ahead = stops.last().map_or(Vec2::Y, |stop| *stop - place);
    let pose = Pose { position: plane::lift(place, 0.02), yaw: plane::yaw(ahead) };
    let walker = bodies.add(HostKey(number), 0, pose);
    let spec = AgentSpec { body: walker.body(), ..AgentSpec::new(HostKey(number)) };
    // Keys are all different and the body is finite: nobody is refused.
    let _ = brains.spawn_with(spec, WalkerBrain { stops });
}

/// The loop of such a scene.
pub(crate) fn brains(seed: u64) -> Loop<OrcaWalker> {
    Loop::new(LoopConfig { rate: RATE, index_cell_m: 1.5, ..LoopConfig::default() }, seed)
}

/// The match.
pub(crate) fn begin(scene: Stroll, brains: Loop<OrcaWalker>, bodies: BodySet) -> SceneMatch<Stroll> {
    let way = |(key, walker): (HostKey, &sentir_sim::body::CharacterBody)| {
        let errand = brains.agent_of(key).and_then(|agent| brains.brain(agent));
        let place = plane::ground(walker.pose.position);
        let way_m = errand.map_or(0.0, |errand| rest_m(place, &errand.stops));
        Walk { is_done: false, way_m, stood: 0 }
    };
    let walks = bodies.iter().map(way).collect();
    let world = World {
        walks,
        total: bodies.len() as u32,
        bodies,
        done: Done { count: 0, first_s: f32::NAN, last_s: f32::NAN, sum_s: 0.0 },
        stood_max: 0,
        stuck_ticks: 0,
        gap_m: f32::INFINITY,
        overlap_m: 0.0,
        is_over: false,
    };
    SceneMatch::new(scene, brains, world)
}

/// Takes those who are done out of the world.
fn leave(brains: &mut Loop<OrcaWalker>, world: &mut World, scratch: &mut Scratch) {
    while let Some(place) = world.walks.iter().position(|walk| walk.is_done) {
        world.walks.remove(place);
        let Some((key, _)) = world.bodies.iter().nth(place) else { return };
        world.bodies.remove(key);
        if let Some(agent) = brains.agent_of(key) {
            brains.despawn_into(agent, scratch);
        }
    }
}

/// Length of the way through all stops, m.
fn rest_m(place: Vec2, stops: &[Vec2]) -> f32 {
    let legs = stops.windows(2).map(|pair| pair[0].distance(pair[1])).sum::<f32>();
    legs + stops.last().map_or(0.0, |stop| stop.distance(place))
}

impl Stroll {
    /// Whether somebody with this errand is done there.
    fn is_done(&self, errand: Option<&WalkerBrain>, place: Vec2) -> bool {
        match self.finish {
            Finish::Stops => errand.is_none_or(|errand| errand.stops.is_empty()),
            Finish::East(x) => place.x > x,
        }
    }

    /// Notes who is done, who stands, and how near they are to each other.
    fn note(&self, brains: &Loop<OrcaWalker>, world: &mut World, desk: &mut Cache) {
        let now_s = RATE.seconds(brains.tick().0);
        desk.points.clear();
        let radius_m = self.body[0].radius_m;
        for ((key, walker), walk) in world.bodies.iter().zip(&mut world.walks) {
            let place = plane::ground(walker.pose.position);
            desk.points.push(place);
            let errand = brains.agent_of(key).and_then(|agent| brains.brain(agent));
            if !walk.is_done && self.is_done(errand, place) {
                walk.is_done = true;
                let Done { count, first_s, last_s, sum_s } = &mut world.done;
                *first_s = if *count == 0 { now_s } else { *first_s };
                (*count, *last_s, *sum_s) = (*count + 1, now_s, *sum_s + now_s);
            }
            let stands = !walk.is_done && walker.velocity.length() < 0.1;
            walk.stood = if stands { walk.stood + 1 } else { 0 };
            world.stood_max = world.stood_max.max(walk.stood);
        }
        desk.index.build(&desk.points, 4.0 * radius_m, &Serial);
        for (number, &place) in (0u32..).zip(&desk.points) {
            desk.index.visit_radius(place, 4.0 * radius_m, |other, square| {
                if other > number {
                    world.gap_m = math::min(world.gap_m, square.sqrt() - 2.0 * radius_m);
                }
            });
        }
    }

    /// How far what everybody chose would bring bodies into each other, were it done as it is.
    fn foresee(&self, brains: &Loop<OrcaWalker>, world: &mut World, desk: &mut Cache) {
        desk.points.clear();
        let tick_s = RATE.tick_s();
        for (it, motion) in brains.motions() {
            desk.points.push(plane::ground(it.body.pose.position + motion.velocity * tick_s));
            let is_stuck = motion.velocity.length() > 0.5 && it.body.velocity.length() < 0.1;
            world.stuck_ticks += u64::from(is_stuck);
        }
        let reach_m = 2.0 * self.body[0].radius_m;
        desk.index.build(&desk.points, reach_m, &Serial);
        for (number, &place) in (0u32..).zip(&desk.points) {
            desk.index.visit_radius(place, reach_m, |other, square| {
                if other > number {
                    world.overlap_m = math::max(world.overlap_m, reach_m - square.sqrt());
                }
            });
        }
    }

    /// The half-planes of the one who is watched: the first that is not done.
    fn draw_watched(&self, brains: &Loop<OrcaWalker>, world: &World, list: &mut DrawList) {
        let open = world.bodies.iter().zip(&world.walks).find(|(_, walk)| !walk.is_done);
        let agent = open.and_then(|((key, _), _)| brains.agent_of(key));
        let Some(me) = agent.and_then(|agent| brains.presence(agent)) else { return };
        let Some(&stop) = brains.brain(me.agent).and_then(|errand| errand.stops.last()) else { return };
        let place = plane::ground(me.body.pose.position);
        let mut near = Nearest::around(place, me.agent.index() as u32, &self.mind.avoid);
        brains.motions().for_each(|(other, _)| self.mind.mind(me, false, other, &mut near));
        let wanted = self.mind.wish(place, stop);
        let mut planes = Planes::default();
        let chosen = self.mind.choose(me, wanted, &near, &mut planes);
        avoid::draw::draw(&self.mind.avoider(me, wanted), &planes, chosen, 1.0, list);
    }
}

impl Scene for Stroll {
    type Mind = OrcaWalker;
    type World = World;
    type Cache = Cache;

    fn step(&self, moment: StepContext<'_, Stroll>) {
        let StepContext { brains, world, pool, scratch, cache, .. } = moment;
        let view = LevelView { level: &self.level, state: &world.bodies.level };
        brains.step(&self.mind, &view, pool, scratch);
        self.foresee(brains, world, cache);
        world.bodies.follow(brains, &self.body);
        world.bodies.step(&self.level, &self.body, RATE, pool, &mut cache.bodies);
        world.bodies.observe(brains);
        self.note(brains, world, cache);
        if self.leaves {
            leave(brains, world, scratch);
        }
        world.is_over = world.is_clear() || brains.tick().0 >= self.ticks_max;
    }

    fn fits(&self, world: &World) -> bool {
        world.bodies.fits(&self.level)
    }

    fn ending(&self, world: &World) -> Option<&'static str> {
        world.is_over.then_some(if world.is_clear() { "cleared" } else { TIME_UP })
    }

    fn metrics(&self, world: &World) -> Vec<Metric> {
        let Done { count, first_s, last_s, sum_s } = world.done;
        let done = count as f32;
        let flow = (done - 1.0) / (last_s - first_s);
        vec![
            Metric::new("arrived", done),
            Metric::new("first_s", first_s),
            Metric::new("mean_s", if done > 0.0 { sum_s / done } else { f32::NAN }),
            Metric::new("last_s", last_s),
            Metric::new("flow_per_s", if flow.is_finite() { flow } else { f32::NAN }),
            Metric::new("least_gap_m", if world.gap_m.is_finite() { world.gap_m } else { f32::NAN }),
            Metric::new("avoidance_overlap_m", world.overlap_m),
            Metric::new("stuck_body_s", RATE.seconds(world.stuck_ticks)),
            Metric::new("longest_stand_s", RATE.seconds(u64::from(world.stood_max))),
        ]
    }

    fn draw(&self, brains: &Loop<OrcaWalker>, world: &World, list: &mut DrawList) {
        sentir_level::draw::draw(&LevelView { level: &self.level, state: &world.bodies.level }, list);
        for ((key, walker), walk) in world.bodies.iter().zip(&world.walks) {
            let errand = brains.agent_of(key).and_then(|agent| brains.brain(agent));
            let place = plane::ground(walker.pose.position);
            let rest = errand.map_or(0.0, |errand| rest_m(place, &errand.stops));
            let color = if walk.is_done { DONE } else { progress_color(1.0 - rest / math::max(walk.way_m, 0.1)) };
            let at = walker.pose.position;
            list.body(key.0, color, at, walker.radius_m);
            let nose = at + plane::lift(plane::heading(walker.pose.yaw) * walker.radius_m, 0.0);
            list.line(Layer::BODIES, Color::rgb(0xffffff), at, nose, 0.08);
        }
        self.draw_watched(brains, world, list);
        let (done, all) = (world.done.count, world.total);
        list.label(Layer::NAMES, Color::rgb(0x23272b), plane::lift(self.label, 0.0), format_args!("{done} of {all}"));
    }

    fn audited(&self) -> Option<&dyn Audited<Self>> {
        Some(self)
    }
}

impl Audited for Stroll {
    fn reach(&self) -> Reach {
        Reach::legs(self.mind.avoid.range_m + 1.0)
    }

    fn level<'a>(&'a self, world: &'a World) -> LevelView<'a> {
        LevelView { level: &self.level, state: &world.bodies.level }
    }

    fn change(&self, brains: &mut Loop<OrcaWalker>, world: &mut World, tamper: &Tamper) -> bool {
        apply(brains, &mut world.bodies, &self.level, tamper)
    }

    fn allowed(&self) -> Allowed {
        // Figures go by place in the list: nobody is removed.
        Allowed::LISTED
    }
}

const DONE: Color = Color::rgb(0x2a8c4a);

/// From red (at the start) over yellow to blue (nearly there).
fn progress_color(share: f32) -> Color {
    let share = math::saturate(share);
    let mix = |from: f32, to: f32, share: f32| math::lerp(from, to, share) as u8;
    let (a, b, t) = if share < 0.5 {
        ([184.0, 67.0, 63.0], [224.0, 176.0, 60.0], share * 2.0)
    } else {
        ([224.0, 176.0, 60.0], [47.0, 111.0, 176.0], share * 2.0 - 1.0)
    };
    Color { r: mix(a[0], b[0], t), g: mix(a[1], b[1], t), b: mix(a[2], b[2], t), a: 255 }
}

/// Plays a scene of this kind to its end: ending and metrics by name.
#[cfg(test)]
pub(crate) fn play(name: &str, seed: u64, changes: &[(&str, &str)]) -> (Option<&'static str>, impl Fn(&str) -> f64) {
    let scene = crate::CATALOG.find(name).unwrap();
    let changes: Vec<_> = changes.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let changes = sentir_harness::info::Changes { settings: &changes, assets: &[] };
    let mut game = scene.start(&scene.setup(seed, changes).unwrap()).unwrap();
    while game.ending().is_none() {
        game.step(&[], &Serial);
    }
    let metrics = game.metrics();
    (game.ending(), move |name: &str| metrics.iter().find(|metric| metric.name == name).unwrap().value)
}
