//! `honesty`: the test, seen. Two worlds side by side: as it is, and with something changed behind everybody's back. Every few
//! seconds the second is taken from the first again and changed anew.

use sentir::core::draw::{Color, DrawList, Layer, Shape};
use sentir::core::{plane, state};
use sentir::prelude::*;
use sentir_level::{Level, LevelState, LevelView};

use super::oracle::{self, Contact, Reach};
use super::tamper::{Allowed, Tamper, apply, choose, sentence};
use super::truth::{Side, Truth};
use crate::body::BodyConfig;
use crate::cast::{Cast, CastScratch, Seen};
use crate::noise::{NoiseTable, Stride, noise, stride};
use crate::scene::{Match, Metric, Scene, SceneError, Setting, SettingKind, Setup, level_asset};
use crate::scout::look::{INK, draw_dark, draw_mode, draw_scout};
use crate::scout::{Leak, ROAMER, Scout};
use crate::story::{Moment, Story, Tale};

/// The scene.
pub const SCENE: Scene = Scene {
    name: "honesty",
    title: "Two worlds, one of them changed where nobody looks",
    about: "Two teams roam through a building; they follow foes they see, look after noises, go round doors they saw \
            shut, and tell their team. On the right the same world, with something changed out of everybody's senses: \
            somebody moved, added or removed, a door, a noise. Until one of them could know, all do the same to the bit. \
            With a leak planted, they do not, and it shows.",
    controls: "",
    settings: SETTINGS,
    assets: &[("rooms.yaml", include_str!("../../assets/rooms.yaml"))],
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
    body: [BodyConfig; 1],
    noises: NoiseTable,
    ticks_max: u64,
}

/// What is remembered beside the brains.
#[derive(State)]
struct Worlds {
    here: Half,
    twin: Option<Twin>,
    /// Changes followed to the end or to a contact, those with a leak, ticks compared.
    changes: u32,
    leaks: u32,
    compared: u64,
    is_over: bool,
}

/// The bodies of one world.
#[derive(State)]
struct Half {
    cast: Cast,
    strides: Vec<Stride>,
}

/// The changed world.
#[derive(State)]
struct Twin {
    brains: Loop<Scout>,
    half: Half,
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
struct Caches {
    here: CastScratch,
    there: CastScratch,
    scratch: Scratch,
}

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    Ok(Box::new(begin(setup)?))
}

fn begin(setup: &Setup) -> Result<Tale<Honesty>, SceneError> {
    let mut mind = Scout::of(level_asset(setup, "rooms.yaml")?);
    if mind.ways.points.len() < 2 {
        let what = "needs at least two annotations of kind 'point'".to_owned();
        return Err(SceneError::Asset { name: "rooms.yaml".to_owned(), line: 0, column: 0, what });
    }
    mind.leak = Leak::named(setup.settings.word("leak"));
    let config = LoopConfig { rate: RATE, index_cell_m: 4.0, ..LoopConfig::default() };
    let mut brains = Loop::<Scout>::new(config, setup.seed);
    let mut luck = brains.streams().stream(0, PLACE);
    let mut cast = Cast::new(&mind.level);
    let count = setup.settings.whole("team") * 2;
    let mut points = mind.ways.points.clone();
    luck.shuffle(&mut points);
    for number in 0..count {
        let place = points[number as usize % points.len()];
        let aside = Vec2::X * (number as usize / points.len()) as f32;
        let pose = Pose { position: plane::lift(place + aside, 0.02), yaw: luck.between(-3.0, 3.0) };
        let key = HostKey(u64::from(number));
        let body = cast.add(key, 0, pose).body();
        let importance = if number % 3 == 2 { Importance::Near } else { Importance::Full };
        let team = TeamId((number % 2) as u8);
        let spec = AgentSpec { team, kind: ROAMER, body, importance, ..AgentSpec::new(key) };
        // Keys are all different and the body is finite: nobody is refused.
        let _ = brains.spawn(spec);
    }
    let half = Half { strides: vec![Stride::default(); cast.len()], cast };
    let world = Worlds { here: half, twin: None, changes: 0, leaks: 0, compared: 0, is_over: false };
    let body = [BodyConfig { turn_rad_per_s_max: 4.0, acceleration_m_per_s2: 12.0, ..BodyConfig::default() }];
    let ticks_max = RATE.ticks(setup.settings.number("seconds"));
    Ok(Tale::new(Honesty { mind, body, noises: NoiseTable::default(), ticks_max }, brains, world))
}

impl Honesty {
    /// One tick of one of the worlds.
    fn play(
        &self,
        brains: &mut Loop<Scout>,
        half: &mut Half,
        pool: &dyn Pool,
        scratch: &mut Scratch,
        cache: &mut CastScratch,
    ) {
        let seen = Seen(LevelView { level: &self.mind.level, state: &half.cast.level });
        brains.step(&self.mind, &seen, pool, scratch);
        half.cast.follow(brains, &self.body);
        half.cast.step(&self.mind.level, &self.body, RATE, pool, cache);
        half.cast.tell(brains);
        for ((key, walker), way) in half.cast.iter().zip(&mut half.strides) {
            let speed = plane::ground(walker.velocity).length();
            let range_m = stride(&self.noises, way, speed, walker.body().stance, RATE.tick_s());
            let by = brains.agent_of(key);
            if let Some(noise) =
                range_m.filter(|_| speed > QUIET_M_PER_S).and_then(|m| noise(walker.pose.position, m, by))
            {
                brains.noise(noise);
            }
        }
    }

    fn side<'a>(&'a self, brains: &'a Loop<Scout>, state: &'a LevelState) -> Side<'a, Scout> {
        Side { brains, level: &self.mind.level, state, items: Vec::new() }
    }

    /// Takes the second world from the first, and changes it where nobody can know. None if no draw does.
    fn part(&self, brains: &Loop<Scout>, here: &Half) -> Option<Twin> {
        let mut luck = brains.streams().at(0, CHANGE, brains.tick());
        let truth = self.side(brains, &here.cast.level);
        let keys: Vec<HostKey> = here.cast.iter().map(|(key, _)| key).collect();
        // A copy by the bytes of its state: what is not state is not in it.
        let bytes = (state::to_bytes(brains), state::to_bytes(here));
        for number in 0..40 {
            let Some(tamper) = choose(&truth, &self.mind.level, &keys, &self.allowed(), number, &mut luck) else {
                continue;
            };
            let (Ok(mut twin), Ok(mut half)) =
                (state::from_bytes::<Loop<Scout>>(&bytes.0), state::from_bytes::<Half>(&bytes.1))
            else {
                return None;
            };
            if !apply(&mut twin, &mut half.cast, &self.mind.level, &tamper) {
                continue;
            }
            half.strides.resize(half.cast.len(), Stride::default());
            let watchers: Vec<HostKey> = keys.iter().copied().filter(|key| Some(*key) != tamper.key()).collect();
            let other = self.side(&twin, &half.cast.level);
            if oracle::contact(&self.reach().unwrap_or_default(), &truth, &other, &watchers).is_none() {
                let from = brains.tick();
                return Some(Twin { brains: twin, half, tamper, from, contact: None, leak: None, watchers });
            }
        }
        None
    }

    /// Whether anybody could know now, and whether anybody did something else before.
    fn judge(&self, brains: &Loop<Scout>, here: &Half, twin: &mut Twin, is_before: bool) {
        if twin.contact.is_some() || twin.leak.is_some() {
            return;
        }
        let one = self.side(brains, &here.cast.level);
        let other = self.side(&twin.brains, &twin.half.cast.level);
        if is_before {
            let found = oracle::contact(&self.reach().unwrap_or_default(), &one, &other, &twin.watchers);
            twin.contact = found.map(|(key, _): (HostKey, Contact)| (brains.tick(), key));
        } else {
            let differs = |key: &&HostKey| one.decision(**key) != other.decision(**key);
            twin.leak = twin.watchers.iter().find(differs).map(|&key| (brains.tick(), key));
        }
    }
}

impl Story for Honesty {
    type Mind = Scout;
    type World = Worlds;
    type Cache = Caches;

    fn decision_name(&self, decision: u16) -> &'static str {
        self.mind.decision_name(decision)
    }

    fn step(&self, moment: Moment<'_, Honesty>) {
        let Moment { brains, world, pool, scratch, cache, .. } = moment;
        let tick = brains.tick();
        if tick.0 > 0 && tick.0.is_multiple_of(FOLLOWED) && !world.is_over {
            world.twin = self.part(brains, &world.here);
            world.changes += u32::from(world.twin.is_some());
        }
        if let Some(twin) = &mut world.twin {
            self.judge(brains, &world.here, twin, true);
        }
        self.play(brains, &mut world.here, pool, scratch, &mut cache.here);
        if let Some(twin) = &mut world.twin {
            let is_open = twin.contact.is_none() && twin.leak.is_none();
            self.play(&mut twin.brains, &mut twin.half, pool, &mut cache.scratch, &mut cache.there);
            self.judge(brains, &world.here, twin, false);
            world.compared += u64::from(is_open);
            world.leaks += u32::from(is_open && twin.leak.is_some());
        }
        world.is_over = tick.0 + 1 >= self.ticks_max;
    }

    fn fits(&self, world: &Worlds) -> bool {
        let level = &self.mind.level;
        world.here.cast.fits(level) && world.twin.as_ref().is_none_or(|twin| twin.half.cast.fits(level))
    }

    fn ending(&self, world: &Worlds) -> Option<&'static str> {
        world.is_over.then_some(if world.leaks > 0 { "leaks" } else { "honest" })
    }

    fn metrics(&self, world: &Worlds) -> Vec<Metric> {
        vec![
            Metric::new("changes", world.changes as f32),
            Metric::new("leaks", world.leaks as f32),
            Metric::new("compared_ticks", world.compared as f32),
        ]
    }

    fn parts(&self, world: &Worlds) -> Vec<(&'static str, u64)> {
        let figures = (world.changes, world.leaks, world.compared, world.is_over);
        vec![
            ("bodies", state::hash(&world.here)),
            ("twin", state::hash(&world.twin)),
            ("figures", state::hash(&figures)),
        ]
    }

    fn reach(&self) -> Option<Reach> {
        let sight = &self.mind.senses.sight;
        Some(Reach { sight_m: sight.range_m, half_rad: sight.half_rad, near_m: 2.5, hearing: 1.0, talks: true })
    }

    fn stage<'a>(&'a self, world: &'a Worlds) -> Option<(&'a Level, &'a Cast)> {
        Some((&self.mind.level, &world.here.cast))
    }

    fn stage_mut<'a>(&'a self, world: &'a mut Worlds) -> Option<(&'a Level, &'a mut Cast)> {
        Some((&self.mind.level, &mut world.here.cast))
    }

    fn allowed(&self) -> Allowed {
        // Strides go by place in the list: nobody is removed.
        Allowed { moves: true, adds: true, removes: false, items: 0 }
    }

    fn draw(&self, brains: &Loop<Scout>, world: &Worlds, list: &mut DrawList) {
        let right = Vec3::X * ASIDE_M;
        sentir_level::draw::draw(&LevelView { level: &self.mind.level, state: &world.here.cast.level }, list);
        self.draw_half(brains, None, Vec3::ZERO, list);
        let title = Vec3::new(0.0, 0.0, -13.6);
        list.label(Layer::NAMES, INK, title, format_args!("as it is"));
        // The second level is always there, so that the picture has room for it.
        let state = world.twin.as_ref().map_or(&world.here.cast.level, |twin| &twin.half.cast.level);
        let mut moved = DrawList::default();
        sentir_level::draw::draw(&LevelView { level: &self.mind.level, state }, &mut moved);
        shifted(&moved, right, list);
        let Some(twin) = &world.twin else {
            list.label(Layer::NAMES, INK, title + right, format_args!("nothing changed yet"));
            return;
        };
        self.draw_half(&twin.brains, twin.tamper.key(), right, list);
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
        let below = Vec3::new(0.0, 0.0, 13.8);
        list.label(Layer::NAMES, INK, below + right, format_args!("{says}"));
        let (changes, leaks) = (world.changes, world.leaks);
        list.label(Layer::NAMES, INK, below, format_args!("{changes} changes, {leaks} leaks"));
    }
}

impl Honesty {
    fn draw_half(&self, brains: &Loop<Scout>, changed: Option<HostKey>, shift: Vec3, list: &mut DrawList) {
        draw_dark(&self.mind, shift, list);
        for (it, _) in brains.motions() {
            let is_changed = changed == Some(it.key);
            let color = if is_changed { CHANGED } else { TEAMS[usize::from(it.team.0) % 2] };
            draw_scout(&self.mind, brains, it, color, shift, list);
            if is_changed {
                list.circle(Layer::BODIES, CHANGED, it.body.pose.position + shift, 0.8, false);
            }
            draw_mode(brains, it, shift, list);
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
