//! `honesty`: the test, seen. Two worlds side by side: as it is, and with something changed behind everybody's back. Every few
//! seconds the second is taken from the first again and changed anew.

use sentir::core::draw::{Color, DrawList, Layer, Shape};
use sentir::core::state::StateHasher;
use sentir::core::{plane, state};
use sentir::prelude::*;
use sentir_level::{LevelState, LevelView};

use crate::sense::scout::look::{INK, draw_dark, draw_margin, draw_mode, draw_scout};
use crate::sense::scout::{Gear, KINDS, Leak, ROAMER, Scout, ScoutBodies};
use sentir_harness::game_match::Match;
use sentir_harness::honesty::oracle::{self, Contact, Reach};
use sentir_harness::honesty::tamper::{Tamper, apply, choose, sentence};
use sentir_harness::honesty::truth::{Side, Truth};
use sentir_harness::info::{Ground, SceneError, SceneInfo, SceneLook, Setting, SettingKind, Setup, level_asset};
use sentir_harness::metric::Metric;
use sentir_harness::scene::{Audited, Inspectable, Scene, StepContext};
use sentir_harness::scene_match::SceneMatch;
use sentir_sim::body::BodyConfig;
use sentir_sim::body_set::BodySetScratch;
use sentir_sim::noise::NoiseTable;

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "honesty",
    title: "Two worlds, one of them changed where nobody looks",
    about: "Two teams roam through a building; they follow foes they see, look after noises, go round doors they saw \
            shut, and tell their team. On the right the same world, with something changed out of everybody's senses: \
            somebody moved, added or removed, a door, a noise. Until one of them could know, all do the same to the bit. \
            With a leak planted, they do not, and it shows.",
    controls: None,
    kinds: KINDS,
    look: SceneLook::on(Ground::Tile),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::NAMES, Layer::SENSES],
    settings: SETTINGS,
    assets: &[("rooms.yaml", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/sense/rooms.yaml")))],
    rate: RATE,
    ticks_max: 60 * 120,
    trials: &[&["seconds=36"], &["leak=team", "seconds=30"]],
    build,
};

const RATE: TickRate = TickRate::new(60);
const PLACE: Purpose = Purpose::new("honesty.place");
const CHANGE: Purpose = Purpose::new("honesty.change");
/// Ticks for which a change is followed, and ticks before the first.
const FOLLOWED: u64 = 480;
/// Steps slower than this make no noise, m/s.
const QUIET_M_PER_S: f32 = 2.5;
/// How far the second world is drawn aside, m.
const ASIDE_M: f32 = 40.0;
const TEAMS: [Color; 2] = [Color::rgb(0x2f6fb0), Color::rgb(0xb8433f)];
const CHANGED: Color = Color::rgb(0xd9822b);

const SETTINGS: &[Setting] = &[
    Setting { name: "team", about: "how many on each side", kind: SettingKind::Whole { min: 1, max: 8 }, stock: "3" },
    Setting {
        name: "leak",
        about: "what everybody knows that they should not",
        kind: SettingKind::Choice(&Leak::NAMES),
        stock: "none",
    },
    Setting {
        name: "seconds",
        about: "how long it goes on, s",
        kind: SettingKind::Number { min: 1.0, max: 120.0 },
        stock: "90",
    },
];

/// The story of `honesty`.
struct Honesty {
    mind: Scout,
    gear: Gear,
    ticks_max: u64,
}

/// What is remembered beside the brains.
#[derive(State)]
struct World {
    here: ScoutBodies,
    twin: Option<Twin>,
    /// Changes followed to the end or to a contact, those with a leak, ticks compared.
    changes: u32,
    leaks: u32,
    compared: u64,
    is_over: bool,
}

/// The changed world.
#[derive(State)]
struct Twin {
    brains: Loop<Scout>,
    scouts: ScoutBodies,
    tamper: Tamper,
    from: Tick,
    /// When somebody could first know, who, and how.
    contact: Option<(Tick, HostKey)>,
    /// The first who did something else before that.
    leak: Option<(Tick, HostKey)>,
    watchers: Vec<HostKey>,
}

/// What a step needs and need not remember.
#[derive(Default)]
struct Cache {
    here: BodySetScratch,
    there: BodySetScratch,
    scratch: Scratch,
}

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    Ok(Box::new(begin(setup)?))
}

fn begin(setup: &Setup) -> Result<SceneMatch<Honesty>, SceneError> {
    let mut mind = Scout::of(level_asset(setup, "rooms.yaml")?);
    if mind.ways.points.len() < 2 {
        let what = "needs at least two annotations of kind 'point'".to_owned();
        return Err(SceneError::Asset { name: "rooms.yaml".to_owned(), line: 0, column: 0, what });
    }
    mind.leak = Leak::named(setup.settings.word("leak"));
    let config = LoopConfig { rate: RATE, index_cell_m: 4.0, ..LoopConfig::default() };
    let mut brains = Loop::<Scout>::new(config, setup.seed);
    let mut rng = brains.streams().stream(0, PLACE);
    let mut scouts = ScoutBodies::new(&mind.level);
    let count = setup.settings.whole("team") * 2;
    let mut points = mind.ways.points.clone();
    rng.shuffle(&mut points);
    for number in 0..count {
        let place = points[number as usize % points.len()];
        let aside = Vec2::X * (number as usize / points.len()) as f32;
        let pose = Pose { position: plane::lift(place + aside, 0.02), yaw: rng.between(-3.0, 3.0) };
        let key = HostKey(u64::from(number));
        let importance = if number % 3 == 2 { Importance::Near } else { Importance::Full };
        let team = TeamId(number % 2);
        scouts.join(&mut brains, 0, pose, AgentSpec { team, kind: ROAMER, importance, ..AgentSpec::new(key) });
    }
    let world = World { here: scouts, twin: None, changes: 0, leaks: 0, compared: 0, is_over: false };
    let body = BodyConfig { turn_rad_per_s_max: 4.0, acceleration_m_per_s2: 12.0, ..BodyConfig::default() };
    let gear = Gear { body_configs: vec![body], noises: NoiseTable::default(), quiet_m_per_s: QUIET_M_PER_S };
    let ticks_max = RATE.ticks(setup.settings.number("seconds"));
    Ok(SceneMatch::new(Honesty { mind, gear, ticks_max }, brains, world))
}

impl Honesty {
    fn side<'a>(&'a self, brains: &'a Loop<Scout>, state: &'a LevelState) -> Side<'a, Scout> {
        Side {
            brains,
            level: LevelView { level: &self.mind.level, state },
            items: Vec::new(),
            knowledge: Box::new(|_| 0),
            traces: &[],
            plan: None,
        }
    }

    /// Takes the second world from the first, and changes it where nobody can know. None if no draw does.
    fn part(&self, brains: &Loop<Scout>, here: &ScoutBodies) -> Option<Twin> {
        let mut rng = brains.streams().at(0, CHANGE, brains.tick());
        let truth = self.side(brains, &here.bodies.level);
        let keys: Vec<HostKey> = here.bodies.iter().map(|(key, _)| key).collect();
        // A copy by the bytes of its state: what is not state is not in it.
        let bytes = (state::to_bytes(brains), state::to_bytes(here));
        for number in 0..40 {
            let Some(tamper) = choose(&truth, &keys, &self.allowed(), number, &mut rng) else {
                continue;
            };
            let (Ok(mut twin), Ok(mut scouts)) =
                (state::from_bytes::<Loop<Scout>>(&bytes.0), state::from_bytes::<ScoutBodies>(&bytes.1))
            else {
                return None;
            };
            if !apply(&mut twin, &mut scouts.bodies, &self.mind.level, &tamper) {
                continue;
            }
            let watchers: Vec<HostKey> = keys.iter().copied().filter(|key| Some(*key) != tamper.key()).collect();
            let contact = {
                let other = self.side(&twin, &scouts.bodies.level);
                oracle::contact(&self.reach(), &truth, &other, &watchers)
            };
            if contact.is_none() {
                let from = brains.tick();
                return Some(Twin { brains: twin, scouts, tamper, from, contact: None, leak: None, watchers });
            }
        }
        None
    }

    /// Whether anybody could know now, and whether anybody did something else before.
    fn judge(&self, brains: &Loop<Scout>, here: &ScoutBodies, twin: &mut Twin, is_before: bool) {
        if twin.contact.is_some() || twin.leak.is_some() {
            return;
        }
        let one = self.side(brains, &here.bodies.level);
        let other = self.side(&twin.brains, &twin.scouts.bodies.level);
        if is_before {
            let found = oracle::contact(&self.reach(), &one, &other, &twin.watchers);
            twin.contact = found.map(|(key, _): (HostKey, Contact)| (brains.tick(), key));
        } else {
            let differs = |key: &&HostKey| one.decision(**key) != other.decision(**key);
            twin.leak = twin.watchers.iter().find(differs).map(|&key| (brains.tick(), key));
        }
    }
}

impl Scene for Honesty {
    type Mind = Scout;
    type World = World;
    type Cache = Cache;

    fn step(&self, moment: StepContext<'_, Honesty>) {
        let StepContext { brains, world, pool, scratch, cache, .. } = moment;
        let tick = brains.tick();
        if tick.0 > 0 && tick.0.is_multiple_of(FOLLOWED) && !world.is_over {
            world.twin = self.part(brains, &world.here);
            world.changes += u32::from(world.twin.is_some());
        }
        if let Some(twin) = &mut world.twin {
            self.judge(brains, &world.here, twin, true);
        }
        world.here.step(&self.mind, &self.gear, brains, pool, scratch, &mut cache.here);
        if let Some(twin) = &mut world.twin {
            let is_open = twin.contact.is_none() && twin.leak.is_none();
            let Cache { there, scratch, .. } = cache;
            twin.scouts.step(&self.mind, &self.gear, &mut twin.brains, pool, scratch, there);
            self.judge(brains, &world.here, twin, false);
            world.compared += u64::from(is_open);
            world.leaks += u32::from(is_open && twin.leak.is_some());
        }
        world.is_over = tick.0 + 1 >= self.ticks_max;
    }

    fn fits(&self, world: &World) -> bool {
        let level = &self.mind.level;
        world.here.bodies.fits(level) && world.twin.as_ref().is_none_or(|twin| twin.scouts.bodies.fits(level))
    }

    fn ending(&self, world: &World) -> Option<&'static str> {
        world.is_over.then_some(if world.leaks > 0 { "leaks" } else { "honest" })
    }

    fn metrics(&self, world: &World) -> Vec<Metric> {
        vec![
            Metric::new("changes", world.changes as f32),
            Metric::new("leaks", world.leaks as f32),
            Metric::new("compared_ticks", world.compared as f32),
        ]
    }

    fn draw(&self, brains: &Loop<Scout>, world: &World, list: &mut DrawList) {
        let right = Vec3::X * ASIDE_M;
        let view = LevelView { level: &self.mind.level, state: &world.here.bodies.level };
        sentir_level::draw::draw(&view, list);
        draw_margin(17.5, list);
        self.draw_half(&view, brains, None, Vec3::ZERO, list);
        let title = Vec3::new(0.0, 0.0, -14.2);
        list.label(Layer::NAMES, INK, title, format_args!("as it is"));
        // The second level is always there, so that the picture has room for it.
        let state = world.twin.as_ref().map_or(&world.here.bodies.level, |twin| &twin.scouts.bodies.level);
        let mut moved = DrawList::default();
        sentir_level::draw::draw(&LevelView { level: &self.mind.level, state }, &mut moved);
        shifted(&moved, right, list);
        let Some(twin) = &world.twin else {
            list.label(Layer::NAMES, INK, title + right, format_args!("nothing changed yet"));
            return;
        };
        let there = LevelView { level: &self.mind.level, state: &twin.scouts.bodies.level };
        self.draw_half(&there, &twin.brains, twin.tamper.key(), right, list);
        if let Tamper::Noise { position, range_m } = twin.tamper {
            let spot = Vec3::new(position.x, 0.0, position.z) + right;
            list.circle(Layer::SENSES, CHANGED.alpha(160), spot, range_m, false);
        }
        list.label(Layer::NAMES, CHANGED, title + right, format_args!("{}", sentence(&twin.tamper)));
        let says = match (twin.leak, twin.contact) {
            (Some((at, key)), _) => format!("LEAK: {} differs after {} ticks", key.0, at.since(twin.from)),
            (None, Some((at, key))) => format!("{} can know since {} ticks", key.0, brains.tick().since(at)),
            (None, None) => format!("equal to the bit for {} ticks", brains.tick().since(twin.from)),
        };
        let below = Vec3::new(0.0, 0.0, 14.4);
        list.label(Layer::NAMES, INK, below + right, format_args!("{says}"));
        let (changes, leaks) = (world.changes, world.leaks);
        list.label(Layer::NAMES, INK, below, format_args!("{changes} changes, {leaks} leaks"));
    }

    /// Of the twin, too, only what can be seen.
    fn digest(&self, world: &World, hasher: &mut StateHasher) {
        hasher.add(&world.here);
        if let Some(twin) = &world.twin {
            twin.brains.digest(hasher);
            hasher.add(&twin.scouts);
        }
        hasher.add(&(world.changes, world.leaks, world.compared, world.is_over));
    }

    fn inspectable(&self) -> Option<&dyn Inspectable<Self>> {
        Some(self)
    }

    fn audited(&self) -> Option<&dyn Audited<Self>> {
        Some(self)
    }
}

impl Inspectable for Honesty {
    fn decision_name(&self, decision: u16) -> &'static str {
        self.mind.decision_name(decision)
    }
}

impl Audited for Honesty {
    fn reach(&self) -> Reach {
        let sight = &self.mind.senses.sight;
        let (sight_m, half_rad) = (sight.range_m, sight.half_rad);
        Reach { sight_m, half_rad, near_m: 2.5, ..Reach::default() }
    }

    fn level<'a>(&'a self, world: &'a World) -> LevelView<'a> {
        LevelView { level: &self.mind.level, state: &world.here.bodies.level }
    }

    fn change(&self, brains: &mut Loop<Scout>, world: &mut World, tamper: &Tamper) -> bool {
        apply(brains, &mut world.here.bodies, &self.mind.level, tamper)
    }
}

impl Honesty {
    fn draw_half(
        &self,
        view: &LevelView<'_>,
        brains: &Loop<Scout>,
        changed: Option<HostKey>,
        shift: Vec3,
        list: &mut DrawList,
    ) {
        draw_dark(&self.mind, shift, list);
        for (it, _) in brains.motions() {
            let is_changed = changed == Some(it.key);
            let color = if is_changed { CHANGED } else { TEAMS[it.team.0 as usize % 2] };
            draw_scout(&self.mind, view, brains, it, color, shift, list);
            if is_changed {
                list.circle(Layer::BODIES, CHANGED, it.body.pose.position + shift, 0.8, false);
            }
            // On the right, all who are not changed do the same: no word for them.
            if is_changed || shift == Vec3::ZERO {
                draw_mode(brains, it, shift, list);
            }
        }
    }
}

/// Adds what another list shows, moved aside.
fn shifted(from: &DrawList, shift: Vec3, list: &mut DrawList) {
    for item in from.items() {
        let (layer, color) = (item.layer, item.color);
        match item.shape.clone() {
            Shape::Polygon { corners } => {
                list.polygon(layer, color, from.corners(&corners).iter().map(|&at| at + shift));
            }
            Shape::Prism { corners, foot_m } => {
                list.prism(layer, color, from.corners(&corners).iter().map(|&at| at + shift), foot_m);
            }
            Shape::Line { from, to, width_m } => list.line(layer, color, from + shift, to + shift, width_m),
            Shape::Circle { center, radius_m, is_filled } => {
                list.circle(layer, color, center + shift, radius_m, is_filled);
            }
            // Levels are drawn of nothing else.
            _ => {}
        }
    }
}
