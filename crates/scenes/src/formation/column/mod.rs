//! `column`: a formation on a navigation mesh, through a door, along a corridor, up a ramp.

mod march;
mod mind;
#[cfg(test)]
mod tests;

use sentir::core::draw::{Color, DrawList, Layer};
use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir::walk::WalkConfig;
use sentir_act::Moving;
use sentir_act::avoid::AvoidConfig;
use sentir_act::follow::FollowConfig;
use sentir_act::formation::{self, Formation, Pattern, Recruit, Rule, UnitType};
use sentir_level::{Level, LevelState, LevelView};
use sentir_nav::bake::{BakeConfig, LevelFilter};
use sentir_nav::mesh::Mesh;
use sentir_nav::request::{BudgetScope, RequestConfig};

use march::{Kit, Leader, March, ON_SLOT_M, RADIUS_M, Tally};
use mind::{Drill, HURRY_M_PER_S};
use sentir_harness::game_match::Match;
use sentir_harness::honesty::tamper::{Allowed, apply};
use sentir_harness::honesty::{Reach, Tamper};
use sentir_harness::info::{
    Ground, KindLook, Model, SceneError, SceneInfo, SceneLook, Setting, SettingKind, Setup, level_asset,
};
use sentir_harness::metric::Metric;
use sentir_harness::scene::{Audited, Scene, StepContext, TIME_UP};
use sentir_harness::scene_match::SceneMatch;
use sentir_sim::body::BodyConfig;
use sentir_sim::body_set::{BodySet, BodySetScratch};

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "column",
    title: "A formation on a mesh: through a door, along a corridor, up a ramp",
    about: "A squad in formation follows its leader's path over a baked navigation mesh. Slots lie along the leader's way and \
            on the ground; before the door they narrow to a file, behind it they close up. Who is not with the others comes \
            by a path of its own, or says why it cannot and is left.",
    controls: None,
    kinds: &[KindLook::new(0, "light foot", Model::Light)],
    look: SceneLook::on(Ground::Tile),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::PATHS, Layer::SLOTS, Layer::NAVMESH],
    settings: SETTINGS,
    assets: &[(LEVEL, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/formation/column.yaml")))],
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
/// Off the mesh by more than this counts, m.
const OFF_M: f32 = 0.1;

/// All of them are of one squad.
const SQUAD: SquadId = SquadId::whole(TeamId(0));

/// The scene.
struct Column {
    mind: Drill,
    level: Level,
}

/// What is remembered beside the brains.
#[derive(State)]
struct World {
    bodies: BodySet,
    off: Off,
    /// What the squad counts, and whether it has come to the last place of the route.
    tally: Tally,
    is_last: bool,
    is_over: bool,
}

/// Bodies off the mesh, by ticks, and the farthest, m.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
struct Off {
    ticks: u64,
    m_max: f32,
}

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    Ok(Box::new(begin(setup)?))
}

fn begin(setup: &Setup) -> Result<SceneMatch<Column>, SceneError> {
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
    let mut bodies = BodySet::new(&level);
    let yaw = plane::yaw(plane::ground(route[1] - route[0]));
    let count = setup.settings.whole("count");
    let mut recruits = Vec::new();
    for number in 0..count {
        let (row, column) = (number / 3, number % 3);
        let beside = Vec3::new((column as f32 - 1.0) * 1.2, 0.05, row as f32 * 1.2);
        let apart = stray.filter(|_| number + 1 == count).map(|one| one.position + Vec3::Y * 1.3);
        let position = apart.unwrap_or(route[0] + beside);
        let key = HostKey(number.into());
        let body = bodies.add(key, 0, Pose { position, yaw }).body();
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
    let gait = WalkConfig {
        follow,
        avoid,
        look: avoid,
        margin_m: 0.03,
        storey_m: 1.0,
        horizon_s: 0.6,
        ..WalkConfig::default()
    };
    let tally = Tally { strays: u32::from(stray.is_some()), ..Tally::default() };
    brains.brief_squad(SQUAD, March { formation, next: 1, tally, ..March::default() });
    let world = World { bodies, off: Off::default(), tally, is_last: false, is_over: false };
    let requests = RequestConfig { expansions_per_tick: 200, scope: BudgetScope::Each, ..RequestConfig::default() };
    Ok(SceneMatch::new(Column { mind: Drill { mesh, gait, route, requests }, level }, brains, world))
}

/// Where an agent is, m.
fn place_of(brains: &Loop<Drill>, agent: AgentId) -> Option<Vec3> {
    brains.presence(agent).map(|it| it.body.pose.position)
}

impl Off {
    fn look(&mut self, mesh: &Mesh, bodies: &BodySet) {
        for (_, walker) in bodies.iter() {
            let at = walker.pose.position;
            let place = mesh.nearest(at, Vec3::new(1.0, 1.5, 1.0)).map(|place| plane::ground(place.point));
            let off_m = place.map_or(1.0, |place| place.distance(plane::ground(at)));
            self.ticks += u64::from(off_m > OFF_M);
            self.m_max = math::max(self.m_max, off_m);
        }
    }
}

impl Scene for Column {
    type Mind = Drill;
    type World = World;
    type Cache = BodySetScratch;

    fn step(&self, moment: StepContext<'_, Column>) {
        let StepContext { brains, world, pool, scratch, cache, .. } = moment;
        let view = LevelView { level: &self.level, state: &world.bodies.level };
        brains.step(&self.mind, &view, pool, scratch);
        let body = [BodyConfig { speed_m_per_s_max: HURRY_M_PER_S, ..BodyConfig::default() }];
        world.bodies.follow(brains, &body);
        world.bodies.step(&self.level, &body, RATE, pool, cache);
        world.bodies.observe(brains);
        world.off.look(&self.mind.mesh, &world.bodies);
        if let Some(march) = brains.squad(SQUAD) {
            world.tally = march.tally;
            world.is_last = march.next as usize + 1 >= self.mind.route.len();
            world.is_over |= march.is_there;
        }
        world.is_over |= brains.tick().0 >= SCENE.ticks_max;
    }

    fn fits(&self, world: &World) -> bool {
        world.bodies.fits(&self.level)
    }

    fn ending(&self, world: &World) -> Option<&'static str> {
        let is_there = world.is_last && world.tally.worst_m < ON_SLOT_M;
        world.is_over.then_some(if is_there { "there, in formation" } else { TIME_UP })
    }

    fn metrics(&self, world: &World) -> Vec<Metric> {
        let Tally { error_m, errors, error_m_max, close_ups, narrow_max, rejoined, left, marching, .. } = world.tally;
        let is_there = self.ending(world) == Some("there, in formation");
        vec![
            Metric::new("arrived", f32::from(u8::from(is_there))),
            Metric::new("off_mesh_ticks", world.off.ticks as f32),
            Metric::new("off_mesh_m_max", world.off.m_max),
            Metric::new("open_error_m", if errors > 0 { (error_m / errors as f64) as f32 } else { f32::NAN }),
            Metric::new("open_error_m_max", error_m_max),
            Metric::new("narrow_max", narrow_max),
            Metric::new("close_ups", close_ups as f32),
            Metric::new("rejoined", rejoined as f32),
            Metric::new("left_no_path", left[Cause::NoPath as usize] as f32),
            Metric::new("left_other", left.iter().sum::<u32>() as f32 - left[Cause::NoPath as usize] as f32),
            Metric::new("marching", marching as f32),
        ]
    }

    fn draw(&self, brains: &Loop<Drill>, world: &World, list: &mut DrawList) {
        sentir_level::draw::draw(&LevelView { level: &self.level, state: &world.bodies.level }, list);
        sentir_nav::mesh::draw::draw(&self.mind.mesh, list);
        let leader = brains.squad(SQUAD).and_then(|march| self.draw_formation(brains, &march.formation, list));
        for (it, _) in brains.motions() {
            let color = Color::rgb(if Some(it.agent) == leader { 0xd9822b } else { 0x2f6fb0 });
            let at = it.body.pose.position;
            list.body(it.key.0, color, at, it.body.radius_m);
            let nose = at + plane::lift(plane::heading(it.body.pose.yaw) * it.body.radius_m, 0.0);
            list.line(Layer::BODIES, Color::rgb(0xffffff), at, nose, 0.08);
        }
    }

    fn audited(&self) -> Option<&dyn Audited<Self>> {
        Some(self)
    }
}

impl Audited for Column {
    fn reach(&self) -> Reach {
        Reach::legs(self.mind.gait.look.range_m + 1.0)
    }

    fn level<'a>(&'a self, world: &'a World) -> LevelView<'a> {
        LevelView { level: &self.level, state: &world.bodies.level }
    }

    fn change(&self, brains: &mut Loop<Drill>, world: &mut World, tamper: &Tamper) -> bool {
        apply(brains, &mut world.bodies, &self.level, tamper)
    }

    fn allowed(&self) -> Allowed {
        Allowed::STRANGERS
    }
}

impl Column {
    /// The slots and the leader's trail; gives the leader.
    fn draw_formation(&self, brains: &Loop<Drill>, formed: &Formation, list: &mut DrawList) -> Option<AgentId> {
        formation::draw::trail(formed, list);
        let leader = formed.leader()?;
        let (body, ahead) = (brains.presence(leader)?.body, brains.motor(leader)?.follower.ahead());
        let mut kit = Kit::default();
        if self.mind.lay(formed, &Leader { at: Moving::of(&body), feet: body.pose.position, ahead }, &mut kit) {
            let at = |agent| place_of(brains, agent).map(plane::ground);
            formation::draw::slots(formed, &kit.poses, at, list);
        }
        Some(leader)
    }
}
