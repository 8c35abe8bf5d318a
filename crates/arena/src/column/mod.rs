//! `column`: a formation on a navigation mesh, through a door, along a corridor, up a ramp.

mod mind;
#[cfg(test)]
mod tests;

use sentir::core::draw::{Color, DrawList, Layer};
use sentir::core::{math, plane, state};
use sentir::prelude::*;
use sentir::walk::{self, Field, Gait, RouteScratch};
use sentir_act::Moving;
use sentir_act::avoid::AvoidConfig;
use sentir_act::follow::FollowConfig;
use sentir_act::formation::{self, Footing, Formation, Pattern, Recruit, Rule, SlotPose, Surroundings, UnitType};
use sentir_level::{Level, LevelState, LevelView};
use sentir_nav::bake::{BakeConfig, LevelFilter};
use sentir_nav::mesh::{AreaCosts, Mesh};
use sentir_nav::request::{Purse, RequestConfig, Requests};

use crate::body::BodyConfig;
use crate::cast::{Cast, CastScratch};
use crate::honesty::Reach;
use crate::honesty::tamper::Allowed;
use crate::scene::{Match, Metric, Scene, SceneError, Setting, SettingKind, Setup, level_asset};
use crate::story::{Moment, Story, TIME_UP, Tale, stage};
use mind::{Drill, HURRY_M_PER_S, MARCH_M_PER_S, Task};

/// The scene.
pub const SCENE: Scene = Scene {
    name: "column",
    title: "A formation on a mesh: through a door, along a corridor, up a ramp",
    about: "A squad in formation follows its leader's path over a baked navigation mesh. Slots lie along the leader's way and \
            on the ground; before the door they narrow to a file, behind it they close up. Who is not with the others comes \
            by a path of its own, or says why it cannot and is left.",
    controls: "",
    settings: SETTINGS,
    assets: &[(LEVEL, include_str!("../../assets/column.yaml"))],
    rate: RATE,
    ticks_max: 120 * 30,
    trials: &[&[], &["stray=far", "pattern=squares"], &["stray=island", "count=5"]],
    build,
};

const LEVEL: &str = "column.yaml";
const RATE: TickRate = TickRate::new(30);
const SETTINGS: &[Setting] = &[
    Setting { name: "count", about: "how many march", kind: SettingKind::Whole { min: 2, max: 16 }, stock: "9" },
    Setting {
        name: "pattern",
        about: "what is formed",
        kind: SettingKind::Choice(&["triangle", "squares", "column", "line"]),
        stock: "triangle",
    },
    Setting {
        name: "stray",
        about: "where the last one is at the start: with the others, in the closet, on the table",
        kind: SettingKind::Choice(&["none", "far", "island"]),
        stock: "none",
    },
];

/// What the mesh is baked for: the body below, with some room.
const BAKE: BakeConfig = BakeConfig { cell_m: 0.2, radius_m: RADIUS_M, climb_m: 0.35, ..BakeConfig::PERSON };

const SPACING_M: f32 = 1.4;
/// Room that one needs to either side, m: what the mesh keeps free.
const RADIUS_M: f32 = 0.4;
/// How far round the leader the formation looks for walls, and how much higher or lower, m.
const AROUND_M: f32 = 16.0;
const STOREY_M: f32 = 2.6;
/// On its slot, m.
const ON_SLOT_M: f32 = 0.6;
/// Past a place on the route, m.
const PASSED_M: f32 = 0.6;
/// After the start, slots have so long to be taken before errors count, s.
const FORMED_S: f32 = 8.0;
/// Off the mesh by more than this counts, m.
const OFF_M: f32 = 0.1;

/// The story.
struct Column {
    mind: Drill,
    level: Level,
    route: Vec<Vec3>,
    requests: RequestConfig,
}

/// What is remembered beside the brains.
#[derive(State)]
struct Squad {
    cast: Cast,
    requests: Requests,
    formation: Formation,
    footing: Footing,
    /// The place of the route that is next.
    next: u32,
    tally: Tally,
    is_over: bool,
}

/// Figures.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
struct Tally {
    /// Bodies off the mesh, by ticks, and the farthest, m.
    off: u64,
    off_m_max: f32,
    /// Slot errors in the open: sum, count and greatest, m.
    error_m: f64,
    errors: u64,
    error_m_max: f32,
    /// Greatest slot error now, m.
    worst_m: f32,
    /// Whether it went narrow since it last closed up; times that it closed up; the narrowest.
    is_narrow: bool,
    close_ups: u32,
    narrow_max: f32,
    /// Times that somebody far from its slot was on it again; who was left, by cause.
    strays: u32,
    rejoined: u32,
    left: [u32; 5],
}

/// What a step needs and need not remember.
#[derive(Default)]
struct Kit {
    cast: CastScratch,
    walk: RouteScratch,
    around: Surroundings,
    corners: Vec<Vec3>,
    ahead: Vec<Vec2>,
    poses: Vec<SlotPose>,
}

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    Ok(Box::new(begin(setup)?))
}

fn begin(setup: &Setup) -> Result<Tale<Column>, SceneError> {
    let level = level_asset(setup, LEVEL)?;
    let wrong = |what: String| SceneError::Asset { name: LEVEL.to_owned(), line: 0, column: 0, what };
    let table = sentir_nav::bake::level(&level, &LevelState::new(&level), &LevelFilter::default(), &BAKE);
    let mesh = table.map_err(|error| wrong(error.to_string()))?.mesh().map_err(|error| wrong(error.to_string()))?;
    let of_kind = |kind: &'static str| level.annotations().iter().filter(move |one| one.kind == kind);
    let route: Vec<Vec3> = of_kind("route").map(|one| one.position).collect();
    if route.len() < 2 {
        return Err(wrong("expected at least two annotations of the kind 'route'".to_owned()));
    }
    if let Some(stop) = route.iter().find(|&&stop| mesh.nearest(stop, Vec3::ONE).is_none()) {
        return Err(wrong(format!("the route leads over {stop}, where nobody can walk")));
    }
    let stray = match setup.settings.word("stray") {
        "far" => of_kind("far").next(),
        "island" => of_kind("island").next(),
        _ => None,
    };
    let mut brains = Loop::<Drill>::new(LoopConfig { index_cell_m: 2.0, ..LoopConfig::every_tick(RATE) }, setup.seed);
    let mut cast = Cast::new(&level);
    let yaw = plane::yaw(plane::ground(route[1] - route[0]));
    let count = setup.settings.whole("count");
    let mut recruits = Vec::new();
    for number in 0..count {
        let (row, column) = (number / 3, number % 3);
        let beside = Vec3::new((column as f32 - 1.0) * 1.2, 0.05, row as f32 * 1.2);
        let apart = stray.filter(|_| number + 1 == count).map(|one| one.position + Vec3::Y * 1.3);
        let position = apart.unwrap_or(route[0] + beside);
        let key = HostKey(number.into());
        let body = cast.add(key, 0, Pose { position, yaw }).body();
        if let Ok(agent) = brains.spawn(AgentSpec { body, ..AgentSpec::new(key) }) {
            recruits.push(Recruit { agent, kind: UnitType::Light, position: plane::ground(position) });
        }
    }
    let pattern = match setup.settings.word("pattern") {
        "squares" => Pattern::Squares,
        "column" => Pattern::Column,
        "line" => Pattern::Line,
        _ => Pattern::Triangle,
    };
    let formation = Formation::form(pattern, Rule::Plain, SPACING_M, &recruits, yaw);
    // They have the road to themselves: no sides, no ways round.
    let follow = FollowConfig { passage_m: 0.0, look_m: 0.0, corner_m: 0.8, room_s: 0.0, ..FollowConfig::default() };
    let avoid = AvoidConfig { range_m: 3.0, neighbors_max: 8, wall_horizon_s: 0.3, separate_s: 0.4 };
    let gait = Gait { follow, avoid, look: avoid, margin_m: 0.03, storey_m: 1.0, horizon_s: 0.6, ..Gait::default() };
    let world = Squad {
        cast,
        requests: Requests::default(),
        formation,
        footing: Footing::default(),
        next: 1,
        tally: Tally { strays: u32::from(stray.is_some()), ..Tally::default() },
        is_over: false,
    };
    let requests = RequestConfig { expansions_per_tick: 200, purse: Purse::Each, ..RequestConfig::default() };
    let story = Column { mind: Drill { mesh, gait }, level, route, requests };
    Ok(Tale::new(story, brains, world))
}

/// Where an agent is, m.
fn place_of(brains: &Loop<Drill>, agent: AgentId) -> Option<Vec3> {
    brains.presence(agent).map(|it| it.body.pose.position)
}

impl Column {
    /// Where the slots are in the plane, and on the ground by [`Footing::place`].
    fn lay(&self, brains: &Loop<Drill>, world: &Squad, kit: &mut Kit) -> Option<(Moving, Vec3)> {
        let Kit { around, corners, ahead, poses, .. } = kit;
        let leader = world.formation.leader()?;
        let body = brains.presence(leader)?.body;
        let (here, at) = (body.pose.position, Moving::of(&body));
        corners.clear();
        corners.extend(brains.motor(leader)?.follower.ahead());
        ahead.clear();
        ahead.extend(corners.iter().map(|&corner| plane::ground(corner)));
        let place = self.mind.mesh.nearest(here, Vec3::ONE)?;
        around.gather(&self.mind.mesh, &AreaCosts::PLAIN, place, AROUND_M, STOREY_M, RADIUS_M);
        world.formation.poses(&at, ahead, &ground(around), poses);
        Some((at, here))
    }

    /// Keeps the formation for a tick: everybody is told its slot, the leader its goal and pace.
    fn keep(&self, brains: &mut Loop<Drill>, world: &mut Squad, kit: &mut Kit) {
        self.dismiss(brains, world);
        let Some((at, here)) = self.lay(brains, world, kit) else { return };
        let leader = world.formation.leader();
        let mut worst_m = 0.0;
        let is_open = world.formation.narrow() == 0.0 && brains.tick().0 > RATE.ticks(FORMED_S);
        for member in world.formation.members() {
            let Some(pose) = member.slot.and_then(|slot| kit.poses.get(usize::from(slot))) else { continue };
            let mesh = &self.mind.mesh;
            let Some(place) = world.footing.place(pose, here, &kit.corners, mesh, &AreaCosts::PLAIN) else { continue };
            let Some(feet) = place_of(brains, member.agent) else { continue };
            if Some(member.agent) == leader {
                continue;
            }
            let error_m = plane::ground(place.point).distance(plane::ground(feet));
            worst_m = math::max(worst_m, error_m);
            if is_open {
                world.tally.error_m += f64::from(error_m);
                world.tally.errors += 1;
            }
            if let Some(task) = brains.brain_mut(member.agent) {
                *task = Task::Hold(place.point, pose.yaw);
            }
        }
        world.footing.record(here);
        world.formation.step(&at, &kit.ahead, &ground(&kit.around), worst_m, RATE.tick_s());
        world.tally.note(&world.formation, worst_m, is_open);
        let goal = self.route.get(world.next as usize).or(self.route.last()).copied().unwrap_or(here);
        let pace_m_per_s = MARCH_M_PER_S * world.formation.pace();
        if let Some(leader) = leader {
            if let Some(task) = brains.brain_mut(leader) {
                *task = Task::Lead(goal);
            }
            if let Some(legs) = brains.motor_mut(leader) {
                legs.pace_m_per_s = pace_m_per_s;
            }
        }
        if plane::ground(goal).distance(at.position) < PASSED_M && (goal.y - here.y).abs() < 1.0 {
            let is_last = world.next as usize + 1 >= self.route.len();
            world.next += u32::from(!is_last);
            world.is_over |= is_last && worst_m < ON_SLOT_M;
        }
    }

    /// Leaves behind who cannot come, and counts why.
    fn dismiss(&self, brains: &mut Loop<Drill>, world: &mut Squad) {
        let lost = |agent: AgentId| brains.motor(agent).and_then(|legs| legs.lost);
        let one = world.formation.members().iter().find_map(|it| Some((it.agent, lost(it.agent)?)));
        let Some((agent, cause)) = one else { return };
        world.tally.left[cause as usize] += 1;
        world.formation.leave(agent, |one| place_of(brains, one).map(plane::ground));
        if let Some(task) = brains.brain_mut(agent) {
            *task = Task::Idle;
        }
        if let Some(legs) = brains.motor_mut(agent) {
            legs.lost = None;
        }
    }
}

fn ground(around: &Surroundings) -> formation::Ground<'_> {
    formation::Ground { walls: around.walls(), radius_m: RADIUS_M, speed_m_per_s: MARCH_M_PER_S }
}

impl Tally {
    fn note(&mut self, formation: &Formation, worst_m: f32, is_open: bool) {
        let narrow = formation.narrow();
        (self.worst_m, self.narrow_max) = (worst_m, math::max(self.narrow_max, narrow));
        if worst_m < ON_SLOT_M && self.rejoined < self.strays && self.left.iter().all(|&count| count == 0) {
            self.rejoined = self.strays;
        }
        if is_open && self.rejoined == self.strays {
            self.error_m_max = math::max(self.error_m_max, worst_m);
        }
        self.is_narrow |= narrow > 0.9;
        if self.is_narrow && narrow == 0.0 && worst_m < ON_SLOT_M {
            (self.is_narrow, self.close_ups) = (false, self.close_ups + 1);
        }
    }

    fn look(&mut self, mesh: &Mesh, cast: &Cast) {
        for (_, walker) in cast.iter() {
            let at = walker.pose.position;
            let place = mesh.nearest(at, Vec3::new(1.0, 1.5, 1.0)).map(|place| plane::ground(place.point));
            let off_m = place.map_or(1.0, |place| place.distance(plane::ground(at)));
            self.off += u64::from(off_m > OFF_M);
            self.off_m_max = math::max(self.off_m_max, off_m);
        }
    }
}

impl Story for Column {
    type Mind = Drill;
    type World = Squad;
    type Cache = Kit;

    fn step(&self, moment: Moment<'_, Column>) {
        let Moment { brains, world, pool, scratch, cache, .. } = moment;
        self.keep(brains, world, cache);
        let view = LevelView { level: &self.level, state: &world.cast.level };
        brains.step(&self.mind, &view, pool, scratch);
        let (queue, field) = ((&mut world.requests, &self.requests), Field::plain(&self.mind.mesh));
        walk::route(brains, queue, &field, &self.mind.gait.follow, &mut cache.walk);
        let body = [BodyConfig { speed_m_per_s_max: HURRY_M_PER_S, ..BodyConfig::default() }];
        world.cast.follow(brains, &body);
        world.cast.step(&self.level, &body, RATE, pool, &mut cache.cast);
        world.cast.tell(brains);
        world.tally.look(&self.mind.mesh, &world.cast);
        world.is_over |= brains.tick().0 >= SCENE.ticks_max;
    }

    fn fits(&self, world: &Squad) -> bool {
        world.cast.fits(&self.level) && (world.next as usize) < self.route.len()
    }

    fn ending(&self, world: &Squad) -> Option<&'static str> {
        let is_there = world.next as usize + 1 >= self.route.len() && world.tally.worst_m < ON_SLOT_M;
        world.is_over.then_some(if is_there { "there, in formation" } else { TIME_UP })
    }

    fn metrics(&self, world: &Squad) -> Vec<Metric> {
        let Tally { off, off_m_max, error_m, errors, error_m_max, close_ups, narrow_max, rejoined, left, .. } =
            world.tally;
        let is_there = self.ending(world) == Some("there, in formation");
        vec![
            Metric::new("arrived", f32::from(u8::from(is_there))),
            Metric::new("off_mesh_ticks", off as f32),
            Metric::new("off_mesh_m_max", off_m_max),
            Metric::new("open_error_m", if errors > 0 { (error_m / errors as f64) as f32 } else { f32::NAN }),
            Metric::new("open_error_m_max", error_m_max),
            Metric::new("narrow_max", narrow_max),
            Metric::new("close_ups", close_ups as f32),
            Metric::new("rejoined", rejoined as f32),
            Metric::new("left_no_path", left[Cause::NoPath as usize] as f32),
            Metric::new("left_other", left.iter().sum::<u32>() as f32 - left[Cause::NoPath as usize] as f32),
            Metric::new("marching", world.formation.members().len() as f32),
        ]
    }

    fn parts(&self, world: &Squad) -> Vec<(&'static str, u64)> {
        vec![
            ("bodies", state::hash(&world.cast)),
            ("requests", state::hash(&world.requests)),
            ("formation", state::hash(&world.formation) ^ state::hash(&world.footing)),
            ("figures", state::hash(&(world.tally, world.next, world.is_over))),
        ]
    }

    fn reach(&self) -> Option<Reach> {
        Some(Reach::legs(self.mind.gait.look.range_m + 1.0))
    }

    stage! { self, world => &self.level, world.cast }

    fn allowed(&self) -> Allowed {
        Allowed::STRANGERS
    }

    fn draw(&self, brains: &Loop<Drill>, world: &Squad, list: &mut DrawList) {
        sentir_level::draw::draw(&LevelView { level: &self.level, state: &world.cast.level }, list);
        sentir_nav::mesh::draw::draw(&self.mind.mesh, list);
        formation::draw::trail(&world.formation, list);
        let mut kit = Kit::default();
        if self.lay(brains, world, &mut kit).is_some() {
            let at = |agent| place_of(brains, agent).map(plane::ground);
            formation::draw::slots(&world.formation, &kit.poses, at, list);
        }
        let leader = world.formation.leader();
        for (it, _) in brains.motions() {
            let color = Color::rgb(if Some(it.agent) == leader { 0xd9822b } else { 0x2f6fb0 });
            let at = it.body.pose.position;
            list.circle(Layer::BODIES, color, at, it.body.radius_m, true);
            let nose = at + plane::lift(plane::heading(it.body.pose.yaw) * it.body.radius_m, 0.0);
            list.line(Layer::BODIES, Color::rgb(0xffffff), at, nose, 0.08);
        }
    }
}
