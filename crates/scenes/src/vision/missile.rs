//! `missile`: missiles seek what is hot, a gun seeks missiles, all by sight alone.

use sentir::core::draw::{Color, DrawList, Layer, Shape};
use sentir::core::geometry::Open;
use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_vision::seeker::{Seeker, fix};
use sentir_vision::{Class, ENEMY, Eye, Eyesight, Lens, MotionMode, Palette, Scenery, Solid, Thing};

use super::bronto_game::RATE;
use super::bronto_game::picture::{inset, panel};
use super::bronto_game::sight::{Drawn, Sight, SightScratch};
use sentir_harness::game_match::Match;
use sentir_harness::info::{Ground, KindLook, Model, SceneError, SceneInfo, SceneLook, Setting, SettingKind, Setup};
use sentir_harness::metric::Metric;
use sentir_harness::scene::{Inspectable, MatchView, Scene, StepContext, TIME_UP};
use sentir_harness::scene_match::SceneMatch;

const SETTINGS: &[Setting] = &[
    Setting {
        name: "seconds",
        about: "how long it is, s",
        kind: SettingKind::Number { min: 1.0, max: 600.0 },
        stock: "90",
    },
    Setting {
        name: "width",
        about: "columns of the picture each sees, pixels",
        kind: SettingKind::Whole { min: 40, max: 320 },
        stock: "120",
    },
    Setting { name: "gun", about: "whether the gun shoots", kind: SettingKind::Choice(&["on", "off"]), stock: "on" },
    Setting {
        name: "gain",
        about: "how much faster than its line of sight a missile turns; 0 chases instead",
        kind: SettingKind::Number { min: 0.0, max: 10.0 },
        stock: "4",
    },
];

/// The scene.
pub const SCENE: SceneInfo = SceneInfo {
    name: "missile",
    title: "A missile that sees heat, a gun that sees missiles",
    about: "A plane circles over the field. Missiles start at its borders and fly at what they see hot, turning ahead of its \
            line of sight; a gun in the middle turns to what it sees coming and shoots where it will be. Neither knows a \
            position: each has a tiny picture from its own nose.",
    controls: None,
    kinds: &[
        KindLook::new(PLANE, "plane", Model::Plane),
        KindLook::new(MISSILE, "missile", Model::Missile),
        KindLook::new(GUN, "gun", Model::Turret),
    ],
    look: SceneLook::on(Ground::Grass),
    layers: &[Layer::LEVEL, Layer::BODIES, Layer::NAMES, Layer::SENSES, Layer::PATHS],
    settings: SETTINGS,
    assets: &[],
    rate: RATE,
    ticks_max: 18_000,
    trials: &[&["seconds=40", "width=60"], &["seconds=20", "width=60", "gun=off"]],
    build,
};

/// Kinds of agents.
const PLANE: u16 = 0;
const MISSILE: u16 = 1;
const GUN: u16 = 2;
/// What a missile looks like to eyes.
const MISSILE_CLASS: Class = Class(7);
const MISSILES: u64 = 2;

const PLANE_M_PER_S: f32 = 11.0;
const MISSILE_M_PER_S: f32 = 19.0;
const MISSILE_TURN_RAD_PER_S: f32 = 1.4;
const GUN_TURN_RAD_PER_S: f32 = 2.2;
const SHOT_M_PER_S: f32 = 60.0;
/// How long a missile flies, waits for its start, and a shot flies, s.
const FUEL_S: f32 = 9.0;
const WAIT_S: f32 = 3.0;
const SHOT_S: f32 = 1.2;
/// From shot to shot, s.
const RELOAD_S: f32 = 0.35;
/// A missile so near has hit, a shot too, m.
const HIT_M: f32 = 1.2;
const SHOT_HIT_M: f32 = 0.9;
/// The gun shoots when it points so near to where it aims.
const AIMED_COS: f32 = 0.9995;
const LOOK_EVERY: u64 = 2;
const FIELD_M: f32 = 40.0;
const START: Purpose = Purpose::new("missile.start");

/// The mind of all three: a look, what to aim at, and where to point.
struct Gunner {
    scenery: Scenery,
    lens: Lens,
    gain: f32,
    has_gun: bool,
    plane: Solid,
    missile: Solid,
}

/// What one remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
struct Mark {
    seeker: Seeker,
    /// Where to point, a direction; zero before the first look.
    aim: Vec3,
    /// When the last look was that it took in.
    seen: Option<Tick>,
}

impl Mind for Gunner {
    type Senses = ();
    type Brain = Mark;
    type Motor = ();
    type Squad = ();
    type Notice = ();

    fn sense(&self, view: &SenseView<'_>, _senses: &mut (), beliefs: &mut Beliefs, notes: &mut Notes<'_>) {
        let (me, percept) = (view.me, &mut beliefs.percept);
        if !self.has_eyes(me) || !view.is_due(LOOK_EVERY) {
            return;
        }
        percept.begin(view.tick, me.body.eye());
        let mut scratch = notes.take_scratch::<SightScratch>();
        if let Some(sight) = Sight::provide(&mut scratch.sight, self.lens) {
            self.look(sight, me, view.world.presences());
            let class = target_of(me.kind);
            let seen = fix(&sight.view, class);
            percept.objects.extend(seen.map(|seen| Sighted {
                class: class.0,
                place: seen.place,
                ..Sighted::default()
            }));
        }
        notes.put_scratch(scratch);
    }

    fn think(&self, view: &ThinkView<'_>, mark: &mut Mark, intents: &mut Intents, notes: &mut Notes<'_>) {
        self.take_in(view, mark);
        let lost = mark.seeker.lost_looks() as f32;
        notes.because(|| Reason { what: "sees its target", held: lost < 1.0, value: lost, limit: 1.0 });
        intents.gaze = Gaze::At(view.beliefs.me.pose.position + mark.aim * 100.0);
        let is_seen = mark.seeker.lost_looks() == 0 && mark.aim != Vec3::ZERO;
        intents.actions = if view.kind == GUN && is_seen { Actions::FIRE } else { Actions::default() };
    }

    fn act(
        &self,
        view: &ActView<'_>,
        _motor: &mut (),
        motion: &mut Motion,
        _out: &mut Outcomes<'_>,
        _notes: &mut Notes<'_>,
    ) {
        motion.actions = view.actions();
        if let Gaze::At(place) = view.gaze() {
            let way = place - view.me.body.pose.position;
            if way.length_squared() > 1.0 {
                motion.yaw = plane::yaw(plane::ground(way));
                motion.pitch = math::atan2(way.y, plane::ground(way).length());
            }
        }
    }
}

/// What a missile or the gun aims at.
fn target_of(kind: u16) -> Class {
    if kind == GUN { MISSILE_CLASS } else { ENEMY }
}

impl Gunner {
    /// Missiles in flight see, and the gun if it is on; the plane does not.
    fn has_eyes(&self, it: &Presence) -> bool {
        match it.kind {
            MISSILE => is_flying(it),
            GUN => self.has_gun,
            _ => false,
        }
    }

    /// Renders what somebody sees of the others.
    fn look<'a>(&self, sight: &mut Sight, me: &Presence, all: impl Iterator<Item = &'a Presence>) {
        let mut drawn = Drawn::new(&self.plane);
        for it in all.filter(|it| it.agent != me.agent) {
            let (solid, class) = match it.kind {
                PLANE => (&self.plane, ENEMY),
                MISSILE if is_flying(it) => (&self.missile, MISSILE_CLASS),
                _ => continue,
            };
            let Body { pose, velocity, .. } = it.body;
            drawn.add(Thing { solid, position: pose.position, yaw: pose.yaw, velocity, class });
        }
        sight.look(&eye_of(&me.body), &self.scenery, &drawn, MotionMode::Line, 30.0);
    }

    /// Aims by what its eyes told, if that is news.
    fn take_in(&self, view: &ThinkView<'_>, mark: &mut Mark) {
        let (percept, me) = (&view.beliefs.percept, &view.beliefs.me);
        let Some(at) = percept.at.filter(|_| percept.is_newer(mark.seen)) else { return };
        mark.seen = Some(at);
        let nose = direction(me.pose.yaw, me.pitch);
        let is_gun = view.kind == GUN;
        let target = percept.objects.first().map(|object| object.place);
        mark.aim = match mark.seeker.see(percept.from, target, at) {
            Some(seen) if is_gun => (seen.lead(view.rate, SHOT_M_PER_S) - me.pose.position).normalize_or_zero(),
            Some(seen) => seen.pursue(nose, self.gain),
            // Looks around: to the left, a little up.
            None if is_gun => {
                let left = plane::left_of(plane::ground(nose));
                (nose * 0.4 + plane::lift(plane::direction(left), 0.35)).normalize_or_zero()
            }
            None => {
                let left = plane::lift(plane::left_of(plane::ground(nose)), 0.0);
                (nose + Vec3::Y * 0.05 + left * 0.2).normalize_or_zero()
            }
        };
    }
}

/// Anybody can see whether a missile flies: it stands until it starts.
fn is_flying(it: &Presence) -> bool {
    it.body.velocity != Vec3::ZERO
}

/// The direction of a yaw and a pitch, of unit length.
fn direction(yaw: f32, pitch: f32) -> Vec3 {
    let (sin, cos) = math::sin_cos(pitch);
    plane::lift(plane::heading(yaw) * cos, sin)
}

/// Something that flies, or the gun: where it is, and where its nose points.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
struct Craft {
    position: Vec3,
    /// Unit length.
    nose: Vec3,
    /// A missile: until when it flies, or waits for its start.
    until: Tick,
    is_flying: bool,
}

/// A shot of the gun.
#[derive(Clone, Copy, Debug, PartialEq, State)]
struct Shot {
    position: Vec3,
    velocity: Vec3,
    until: Tick,
}

/// What never changes.
struct Range {
    mind: Gunner,
    ticks_max: u64,
}

/// What is remembered beside the brains.
#[derive(State)]
struct World {
    /// By key: the plane, the missiles, the gun.
    crafts: Vec<Craft>,
    shots: Vec<Shot>,
    loaded: Tick,
    launched: u32,
    hits: u32,
    shot_down: u32,
    missed: u32,
    fired: u32,
    nearest_m: f32,
    is_over: bool,
}

/// The plane's way: an eight over the field, climbing and sinking.
fn plane_at(time_s: f32, phase: f32) -> Vec3 {
    let turn = time_s * PLANE_M_PER_S / 26.0 + phase;
    Vec3::new(24.0 * math::sin(turn), 13.0 + 3.0 * math::sin(turn * 1.7), 15.0 * math::sin(turn * 2.0))
}

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let mut config = LoopConfig { rate: RATE, index_cell_m: 0.0, ..LoopConfig::default() };
    (config.detail[0].sense_every, config.detail[0].think_every) = (1, 1);
    let mut brains = Loop::<Gunner>::new(config, setup.seed);
    let mut crafts = Vec::new();
    let kinds = std::iter::once(PLANE).chain((0..MISSILES).map(|_| MISSILE)).chain([GUN]);
    for (key, kind) in (0u64..).zip(kinds) {
        let mut craft = Craft { nose: Vec3::NEG_Z, ..Craft::default() };
        match kind {
            PLANE => craft.position = plane_at(0.0, phase(&brains)),
            GUN => craft.position = Vec3::Y * 1.5,
            _ => {
                craft.until = Tick(RATE.ticks(WAIT_S * key as f32 * 0.6));
                craft.position = pad(&brains, key, Tick(0));
            }
        }
        // Keys differ and bodies are finite: nobody is refused.
        let _ = brains.spawn(AgentSpec { body: body_of(&craft, kind), kind, ..AgentSpec::new(HostKey(key)) });
        crafts.push(craft);
    }
    let ground = Solid::cuboid(Vec3::new(FIELD_M, 0.5, FIELD_M));
    let width = setup.settings.whole("width");
    let mind = Gunner {
        scenery: Scenery::build(
            &ground.triangles().iter().map(|it| it.map(|at| at - Vec3::Y * 0.5)).collect::<Vec<_>>(),
        ),
        lens: Lens { width, height: width * 3 / 4, fov_y_rad: 1.2, near_m: 0.1, far_m: 150.0 },
        gain: setup.settings.number("gain"),
        has_gun: setup.settings.word("gun") == "on",
        plane: Solid::cuboid(Vec3::new(1.2, 0.4, 1.2)),
        missile: Solid::ball(0.45, 4),
    };
    let range = Range { mind, ticks_max: RATE.ticks(setup.settings.number("seconds")) };
    let world = World {
        crafts,
        shots: Vec::with_capacity(16),
        loaded: Tick(0),
        launched: 0,
        hits: 0,
        shot_down: 0,
        missed: 0,
        fired: 0,
        nearest_m: FIELD_M * 4.0,
        is_over: false,
    };
    Ok(Box::new(SceneMatch::new(range, brains, world)))
}

fn phase(brains: &Loop<Gunner>) -> f32 {
    brains.streams().stream(0, START).between(0.0, math::TAU)
}

/// Where a missile starts next.
fn pad(brains: &Loop<Gunner>, key: u64, now: Tick) -> Vec3 {
    let angle = brains.streams().at(key, START, now).between(-math::PI, math::PI);
    plane::lift(plane::heading(angle) * (FIELD_M - 4.0), 1.0)
}

fn body_of(craft: &Craft, kind: u16) -> Body {
    let level = plane::ground(craft.nose);
    let pose = Pose { position: craft.position, yaw: plane::yaw(level) };
    let speed = match kind {
        PLANE => PLANE_M_PER_S,
        MISSILE if craft.is_flying => MISSILE_M_PER_S,
        _ => 0.0,
    };
    let pitch = math::atan2(craft.nose.y, level.length());
    Body { pose, pitch, velocity: craft.nose * speed, radius_m: 0.5, eye_m: 0.0, ..Body::default() }
}

/// The eye in the nose.
fn eye_of(body: &Body) -> Eye {
    Eye { position: body.eye(), yaw: body.pose.yaw, pitch: body.pitch }
}

/// A direction turned toward another by an angle at most.
fn turned(from: Vec3, to: Vec3, by: f32) -> Vec3 {
    let cosine = math::clamp(from.dot(to), -1.0, 1.0);
    let angle = math::acos(cosine);
    if angle <= by {
        return to;
    }
    let aside = (to - from * cosine).normalize_or_zero();
    // Straight back: any side will do.
    let aside = if aside == Vec3::ZERO { from.any_orthonormal_vector() } else { aside };
    let (sin, cos) = math::sin_cos(by);
    (from * cos + aside * sin).normalize_or_zero()
}

impl Range {
    /// What somebody sees now, for pictures.
    fn seen(&self, brains: &Loop<Gunner>, me: &Presence) -> Option<Sight> {
        let mut sight = Sight::new(self.mind.lens)?;
        self.mind.look(&mut sight, me, brains.motions().map(|(it, _)| it));
        Some(sight)
    }

    /// Everything moves as its mind wants.
    fn fly(&self, brains: &Loop<Gunner>, world: &mut World, now: Tick) {
        let tick_s = RATE.tick_s();
        let phase = phase(brains);
        let World { crafts, shots, loaded, launched, fired, .. } = world;
        for (key, craft) in (0u64..).zip(crafts.iter_mut()) {
            let motion = brains.agent_of(HostKey(key)).and_then(|agent| brains.motion(agent));
            let wanted = motion.map_or(craft.nose, |motion| direction(motion.yaw, motion.pitch));
            if key == 0 {
                let to = plane_at(RATE.seconds(now.0), phase);
                craft.nose = (to - craft.position).normalize_or(craft.nose);
                craft.position = to;
            } else if key <= MISSILES {
                if !craft.is_flying {
                    if now >= craft.until {
                        // Straight up and a little toward the middle.
                        craft.nose = (Vec3::Y * 0.8 - craft.position * 0.02).normalize_or_zero();
                        (craft.is_flying, craft.until) = (true, now + RATE.ticks(FUEL_S));
                        *launched += 1;
                    }
                    continue;
                }
                craft.nose = turned(craft.nose, wanted, MISSILE_TURN_RAD_PER_S * tick_s);
                craft.position += craft.nose * (MISSILE_M_PER_S * tick_s);
            } else if self.mind.has_gun {
                craft.nose = turned(craft.nose, wanted, GUN_TURN_RAD_PER_S * tick_s);
                let is_firing = motion.is_some_and(|motion| motion.actions.contains(Actions::FIRE));
                if is_firing && now >= *loaded && craft.nose.dot(wanted) > AIMED_COS && now.0 > LOOK_EVERY {
                    let until = now + RATE.ticks(SHOT_S);
                    shots.push(Shot { position: craft.position, velocity: craft.nose * SHOT_M_PER_S, until });
                    (*loaded, *fired) = (now + RATE.ticks(RELOAD_S), *fired + 1);
                }
            }
        }
        for shot in shots.iter_mut() {
            shot.position += shot.velocity * tick_s;
        }
        shots.retain(|shot| now < shot.until);
    }

    /// What met what.
    fn meet(&self, brains: &Loop<Gunner>, world: &mut World, now: Tick) {
        let tick_s = RATE.tick_s();
        let target = world.crafts[0].position;
        for number in 1..=MISSILES as usize {
            let craft = world.crafts[number];
            if !craft.is_flying {
                continue;
            }
            let off = craft.position.distance(target);
            world.nearest_m = math::min(world.nearest_m, off);
            // A shot flies two meters a tick: its whole way counts.
            let struck = |shot: &Shot| {
                let from = shot.position - shot.velocity * tick_s;
                let along = math::saturate(
                    (craft.position - from).dot(shot.velocity) / (shot.velocity.length_squared() * tick_s),
                );
                (from + shot.velocity * (tick_s * along)).distance(craft.position) < SHOT_HIT_M
            };
            let is_hit = off < HIT_M + MISSILE_M_PER_S * tick_s / 2.0;
            let is_shot = world.shots.iter().any(struck);
            let is_spent = now >= craft.until || craft.position.y < 0.0;
            if is_hit || is_shot || is_spent {
                *(match (is_hit, is_shot) {
                    (true, _) => &mut world.hits,
                    (_, true) => &mut world.shot_down,
                    _ => &mut world.missed,
                }) += 1;
                let position = pad(brains, number as u64, now);
                world.crafts[number] =
                    Craft { position, nose: Vec3::Y, until: now + RATE.ticks(WAIT_S), is_flying: false };
            }
        }
    }
}

impl Scene for Range {
    type Mind = Gunner;
    type World = World;
    type Cache = ();

    fn step(&self, moment: StepContext<'_, Range>) {
        let StepContext { brains, world, pool, scratch, .. } = moment;
        brains.step(&self.mind, &Open, pool, scratch);
        let now = brains.tick();
        self.fly(brains, world, now);
        self.meet(brains, world, now);
        for (key, craft) in (0u64..).zip(&world.crafts) {
            if let Some(agent) = brains.agent_of(HostKey(key)) {
                let kind = brains.presence(agent).map_or(PLANE, |it| it.kind);
                brains.observe(agent, body_of(craft, kind));
            }
        }
        world.is_over |= now.0 >= self.ticks_max;
    }

    fn fits(&self, world: &World) -> bool {
        world.crafts.len() as u64 == MISSILES + 2
    }

    fn ending(&self, world: &World) -> Option<&'static str> {
        world.is_over.then_some(TIME_UP)
    }

    fn metrics(&self, world: &World) -> Vec<Metric> {
        vec![
            Metric::new("launched", world.launched as f32),
            Metric::new("hits", world.hits as f32),
            Metric::new("shot_down", world.shot_down as f32),
            Metric::new("missed", world.missed as f32),
            Metric::new("shots", world.fired as f32),
            Metric::new("nearest_m", world.nearest_m),
        ]
    }

    fn draw(&self, brains: &Loop<Gunner>, world: &World, list: &mut DrawList) {
        let (ink, field) = (Color::rgb(0x23_272b), Color::rgb(0xe4_e9df));
        let corner = |x: f32, z: f32| Vec3::new(x * FIELD_M, -0.05, z * FIELD_M);
        list.polygon(Layer::LEVEL, field, [corner(-1.0, 1.0), corner(1.0, 1.0), corner(1.0, -1.0), corner(-1.0, -1.0)]);
        panel(Vec3::new(-FIELD_M, 0.0, FIELD_M), Vec3::new(FIELD_M, 0.0, FIELD_M + 22.0), list);
        for (number, craft) in world.crafts.iter().enumerate() {
            let (color, radius_m) = match number as u64 {
                0 => (Color::rgb(0xa8_2ca8), 1.3),
                number if number <= MISSILES => (Color::rgb(0xc0_392b), 0.7),
                _ => (Color::rgb(0x2f_6fb0), 1.2),
            };
            let is_idle = (1..=MISSILES).contains(&(number as u64)) && !craft.is_flying;
            let color = if is_idle { color.alpha(90) } else { color };
            list.body(number as u64, color, craft.position, radius_m);
            let to = craft.position + craft.nose * 4.0;
            list.add(Layer::BODIES, color, Shape::Arrow { from: craft.position, to, width_m: 0.25 });
            let mark = brains.agent_of(HostKey(number as u64)).and_then(|agent| brains.brain(agent));
            let is_gun = number as u64 == MISSILES + 1;
            if let Some(mark) = mark.filter(|mark| mark.aim != Vec3::ZERO && (craft.is_flying || is_gun)) {
                let lens = &self.mind.lens;
                let half_angle = math::atan2(lens.width as f32 / 2.0, lens.focal_px());
                let yaw = plane::yaw(plane::ground(craft.nose));
                let sector = Shape::Sector { center: craft.position, yaw, half_angle, radius_m: 8.0 };
                list.add(Layer::SENSES, color.alpha(28), sector);
                let to = craft.position + mark.aim * 8.0;
                list.line(Layer::PATHS, color.alpha(150), craft.position, to, 0.15);
            }
        }
        for shot in &world.shots {
            list.line(Layer::BODIES, ink, shot.position - shot.velocity * 0.03, shot.position, 0.25);
        }
        let World { launched, hits, shot_down, .. } = world;
        let at = Vec3::new(0.0, 0.0, FIELD_M + 2.0);
        list.label(Layer::NAMES, ink, at, format_args!("{launched} started, {hits} hit, {shot_down} shot down"));
        for (number, x) in [(1, -24.0), (MISSILES + 1, 4.0)] {
            let it = brains.agent_of(HostKey(number)).and_then(|agent| brains.presence(agent));
            if let Some(sight) = it.and_then(|it| self.seen(brains, it)) {
                inset(&sight.view, Vec3::new(x, 0.0, FIELD_M + 4.0), 20.0, list);
                let who = if number == 1 { "what a missile sees" } else { "what the gun sees" };
                let at = Vec3::new(x + 10.0, 0.0, FIELD_M + 20.5);
                list.label(Layer::NAMES, ink, at, format_args!("{who}"));
            }
        }
    }

    fn inspectable(&self) -> Option<&dyn Inspectable<Self>> {
        Some(self)
    }
}

impl Inspectable for Range {
    fn eyesight(&self, view: MatchView<'_, Self>, agent: AgentId) -> Option<Eyesight> {
        let brains = view.brains;
        let (presence, mark) = (brains.presence(agent).filter(|it| it.kind != PLANE)?, brains.brain(agent)?);
        let sight = self.seen(brains, presence)?;
        let mut seen = Eyesight::of(&sight.view, &Palette::source());
        if mark.aim != Vec3::ZERO {
            seen.mark(&sight.view, "target", [presence.body.eye() + mark.aim * 20.0]);
        }
        Some(seen)
    }
}
