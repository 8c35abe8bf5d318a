//! Bronto, the agent that lives by what it sees: it walks around, looks for what it lacks, chases or avoids what flies at it.
//!
//! **Method.** Its eyes render three views from [`Bronto::eye`] a few times a second, and [`perceive`] makes a [`Percept`] of
//! them: all that its brain gets. The brain makes up its mind by [`Bronto::decide`]; [`Bronto::step`] follows the Bézier
//! curves that come of it in between. Nothing else of the world is known: what it does is a function of viewports, its own
//! body and its own past (tested). There are two ways of seeing: [`Way::Source`], the
//! pixel heuristics that synthetic vision began with, and [`Way::Ours`], which walks on the ground it sees, sweeps its
//! width along every curve, chains two of them around what is in the way, avoids where it has just been, and moves its
//! eyes. Cost: O(pixels) a look. A warm Bronto allocates nothing.

mod ground;
mod percept;
mod source;
mod vital;

use sentir_core::State;
use sentir_core::belief::{Percept, Sighted};
use sentir_core::glam::{Vec2, Vec3};
use sentir_core::intent::Attention;
use sentir_core::random::Stream;
use sentir_core::tick::{Tick, TickRate};
use sentir_core::{math, plane};

pub use ground::GLANCE_RAD;
pub use percept::{Glance, perceive};
pub use vital::{Decay, Mood, ThresholdError, Thresholds, VITAL_MAX, Vital};

use crate::classic::{Margins, SideRule};
use crate::color::ENEMY;
use crate::curve::Curve;
use crate::eye::Eye;
use crate::object::Object;
use crate::outlook::{BodyLimits, Outlook, OutlookMemory};

/// By what it finds its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// By upright rectangles of floor pixels, as the source of synthetic vision does, with its three known defects.
    Source(SideRule),
    /// By the ground that is seen.
    Ours,
}

/// Tuning. Every value is valid; odd ones make an odd Bronto.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BrontoConfig {
    /// By what it finds its way.
    pub way: Way,
    /// When it wants what. See [`Thresholds::check`].
    pub thresholds: Thresholds,
    /// The body on the picture, for the source's way.
    pub margins: Margins,
    /// Share of a way that is walked before the next one is looked for. Limit: 0..=1.
    pub renew_share: f32,
    /// How fast it walks, m/s.
    pub walk_m_per_s: f32,
    /// How fast it runs, m/s.
    pub run_m_per_s: f32,
    /// How long it holds a turn away from an enemy, s.
    pub hold_s: f32,
    /// Who wants to walk and has not moved for so long is stuck, s.
    pub stuck_s: f32,
    /// Size of what is picked up, m: pixels so near belong to one.
    pub object_m: f32,
    /// The body on the ground, for our way.
    pub gait: BodyLimits,
    /// How far up it looks, rad; down is negative.
    pub pitch: f32,
}

impl Default for BrontoConfig {
    /// A person 0.6 m wide, with eyes at 1.7 m behind a picture of 160 by 120 pixels.
    fn default() -> Self {
        BrontoConfig {
            way: Way::Ours,
            thresholds: Thresholds::default(),
            margins: Margins { half_width: 12, upper: 10, lower: 20 },
            renew_share: 0.6,
            walk_m_per_s: 1.6,
            run_m_per_s: 3.2,
            hold_s: 2.0,
            stuck_s: 1.0,
            object_m: 0.6,
            gait: BodyLimits::default(),
            pitch: -0.2,
        }
    }
}

impl BrontoConfig {
    /// Where eyes at a place look from and to, turned from the body by so much, rad.
    pub fn eye(&self, position: Vec3, body_yaw: f32, turn_rad: f32) -> Eye {
        Eye { position, yaw: math::wrap_angle(body_yaw + turn_rad), pitch: self.pitch }
    }
}

/// What it knows of itself without eyes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Feel {
    /// Its feet, m.
    pub feet: Vec3,
    /// Where its body faces, rad.
    pub yaw: f32,
    /// Health, 0..=100.
    pub health: u32,
    /// Ammunition, 0..=100.
    pub ammo: u32,
    /// The moment.
    pub tick: Tick,
    /// Ticks per second.
    pub rate: TickRate,
}

/// What its legs are to do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wish {
    /// The next point of its way, m; none to stand.
    pub to: Option<Vec2>,
    /// How fast, m/s.
    pub pace_m_per_s: f32,
    /// Where to face, rad.
    pub yaw: f32,
}

/// What enemies in sight make it do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State)]
pub enum Reaction {
    /// Nothing: there are none, or they go away.
    #[default]
    DontWorry,
    /// It goes for the nearest.
    Intercept,
    /// It has turned away and holds that for a while.
    Avoid,
}

/// What the way it is on leads to.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub enum Aim {
    /// Anywhere.
    #[default]
    Around,
    /// Something to pick up, there.
    Item(Vec2),
    /// An enemy.
    Enemy(Vec2),
}

/// Something seen at a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
struct Sighting {
    place: Vec2,
    at: Tick,
}

/// What it remembers.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub struct Bronto {
    /// Control points of the curves to walk, the current one first.
    legs: Vec<[Vec2; 4]>,
    /// How far along the first, m.
    travelled_m: f32,
    aim: Aim,
    mood: Mood,
    reaction: Reaction,
    /// Where it turns on the spot, rad.
    turn_to: Option<f32>,
    /// Until when reactions wait.
    hold_until: Tick,
    /// Where it stands since when, while it wants to walk.
    rest: Sighting,
    /// Turns on the spot in a row.
    turns: u32,
    /// Times it was stuck.
    stuck_count: u32,
    memory: OutlookMemory,
    /// Where it has been lately.
    trail: Vec<Vec2>,
    /// What it could not reach, and when it may try again.
    spurned: Sighting,
    /// Where the nearest enemy was.
    enemy: Option<Sighting>,
    looks: u32,
    /// Where the eyes are turned from the body, rad.
    neck: f32,
}

/// What a look needs and need not remember.
#[derive(Clone, Debug, Default)]
pub struct BrontoScratch {
    objects: Vec<Object>,
    outlook: Outlook,
}

/// The point it walks to is so far ahead on its curve, m.
const LEAD_M: f32 = 0.45;
/// So near to the end of a curve is there, m.
const ARRIVE_M: f32 = 0.25;
/// Who moves less than this does not move, m.
const STILL_M: f32 = 0.2;
/// Turned by so little is turned, rad.
const TURNED_RAD: f32 = 0.12;

impl Bronto {
    /// Where its eyes look from and to, for who has the brain at hand; senses go by [`Attention`].
    pub fn eye(&self, config: &BrontoConfig, position: Vec3, body_yaw: f32) -> Eye {
        config.eye(position, body_yaw, self.neck)
    }

    /// What it asks of its eyes until the next look.
    pub fn attention(&self, config: &BrontoConfig, enemies: bool) -> Attention {
        Attention {
            turn_rad: self.neck,
            is_idle: !self.is_looking(config, enemies),
            is_daring: self.is_searching(config),
        }
    }

    /// Whether the next look matters: not while it turns on the spot, unless it has just done so in vain. Where there are no
    /// `enemies` to be seen, who walks by the source's way does not look either until it needs a new way. When it does not,
    /// an empty percept does as well as any that shows no enemy.
    pub fn is_looking(&self, config: &BrontoConfig, enemies: bool) -> bool {
        let is_busy = !self.legs.is_empty() && self.share_travelled() < config.renew_share;
        let is_heedless = !enemies && is_busy && matches!(config.way, Way::Source(_));
        (self.turn_to.is_none() || self.is_searching(config)) && !is_heedless
    }

    /// Whether it turns on the spot for a second time: then it looks out for a way while it turns.
    fn is_searching(&self, config: &BrontoConfig) -> bool {
        config.way == Way::Ours && self.turns >= 2
    }

    /// Takes a look in: decides where to go.
    pub fn decide(
        &mut self,
        config: &BrontoConfig,
        percept: &Percept,
        feel: &Feel,
        random: &mut Stream,
        scratch: &mut BrontoScratch,
    ) {
        self.looks = self.looks.wrapping_add(1);
        self.mood = Mood::of(feel.health, feel.ammo, &config.thresholds);
        if self.turn_to.is_some() && !self.is_searching(config) {
            return;
        }
        match config.way {
            Way::Source(_) => self.decide_by_source(config, percept, feel, random),
            Way::Ours => self.decide_by_ground(config, percept, feel, random, scratch),
        }
    }

    /// Goes on along its way: what the legs are to do now. To be called once a tick.
    pub fn step(&mut self, config: &BrontoConfig, feel: &Feel, random: &mut Stream) -> Wish {
        let here = plane::ground(feel.feet);
        self.mind_rest(config, feel, random);
        if let Some(yaw) = self.turn_to {
            if math::angle_between(feel.yaw, yaw).abs() > TURNED_RAD {
                return Wish { to: None, pace_m_per_s: 0.0, yaw };
            }
            self.turn_to = None;
        }
        let Some(&points) = self.legs.first() else { return Wish { to: None, pace_m_per_s: 0.0, yaw: feel.yaw } };
        let curve = Curve::of(points);
        let rail = curve.rail();
        // Half a meter a tick at most.
        for _ in 0..10 {
            let is_far = rail.along(self.travelled_m).0.distance(here) > LEAD_M;
            if is_far || self.travelled_m >= curve.length_m() {
                break;
            }
            self.travelled_m += 0.05;
        }
        let (ahead, tangent) = rail.along(self.travelled_m);
        if self.travelled_m >= curve.length_m() && ahead.distance(here) < ARRIVE_M {
            self.legs.remove(0);
            self.travelled_m = 0.0;
        }
        let toward = if ahead.distance(here) > 0.1 { ahead - here } else { tangent };
        let is_quick = self.mood.is_quick() || self.reaction != Reaction::DontWorry;
        let pace = if is_quick { config.run_m_per_s } else { config.walk_m_per_s };
        // Who has to turn far does not run meanwhile.
        let along = math::max(plane::heading(feel.yaw).dot(plane::direction(toward)), 0.15);
        Wish { to: Some(ahead), pace_m_per_s: pace * along, yaw: plane::yaw(toward) }
    }

    /// Notices that it does not get on.
    fn mind_rest(&mut self, config: &BrontoConfig, feel: &Feel, random: &mut Stream) {
        let here = plane::ground(feel.feet);
        let wants = !self.legs.is_empty() && self.turn_to.is_none();
        if !wants || here.distance(self.rest.place) > STILL_M {
            self.rest = Sighting { place: here, at: feel.tick };
            return;
        }
        if feel.tick.since(self.rest.at) < feel.rate.ticks(config.stuck_s) {
            return;
        }
        let ahead = self.heading_at(here);
        self.stuck_count += 1;
        self.halt();
        self.rest.at = feel.tick;
        match config.way {
            Way::Source(_) => self.turn(feel.yaw, math::PI, random),
            Way::Ours => {
                // What stopped it was felt, if not seen.
                self.memory.feel(here + ahead * (config.gait.half_width_m + 0.1));
                self.turn(feel.yaw, 2.0, random);
            }
        }
    }

    /// Which way the current curve leads from here.
    fn heading_at(&self, here: Vec2) -> Vec2 {
        self.legs
            .first()
            .map_or(Vec2::ZERO, |&points| plane::direction(Curve::of(points).along(self.travelled_m).0 - here))
    }

    /// Forgets its way.
    fn halt(&mut self) {
        self.legs.clear();
        self.travelled_m = 0.0;
        self.aim = Aim::Around;
    }

    /// Turns on the spot, to a random side.
    fn turn(&mut self, yaw: f32, by: f32, random: &mut Stream) {
        let by = if random.chance(0.5) { by } else { -by };
        self.turn_to = Some(math::wrap_angle(yaw + by));
        self.turns = self.turns.saturating_add(1);
        self.neck = 0.0;
    }

    fn go(&mut self, aim: Aim, curves: &[Curve]) {
        self.legs.clear();
        self.legs.extend(curves.iter().map(|curve| curve.points));
        (self.travelled_m, self.aim, self.turns, self.turn_to) = (0.0, aim, 0, None);
    }

    /// How much of its way is behind it, 0..=1; 1 when it has none.
    fn share_travelled(&self) -> f32 {
        let length: f32 = self.legs.iter().map(|&points| Curve::of(points).length_m()).sum();
        if length > 0.0 { self.travelled_m / length } else { 1.0 }
    }

    /// What the enemies in sight make it do; the nearest of them. A turn away is held for a while.
    fn react(&mut self, config: &BrontoConfig, percept: &Percept, feel: &Feel) -> Option<Sighted> {
        if feel.tick < self.hold_until {
            return None;
        }
        let mut enemies = percept.objects.iter().filter(|object| object.class == ENEMY.0);
        let limits = &config.thresholds;
        let is_fit = feel.health >= limits.health_high && feel.ammo >= limits.ammo_high;
        let nearest = enemies.next().copied();
        let comes = nearest.iter().chain(enemies).any(|enemy| enemy.comes);
        self.reaction = match nearest {
            None => Reaction::DontWorry,
            Some(_) if is_fit => Reaction::Intercept,
            Some(_) if comes => Reaction::Avoid,
            Some(_) => Reaction::DontWorry,
        };
        if self.reaction == Reaction::Avoid {
            self.halt();
            self.hold_until = feel.tick + feel.rate.ticks(config.hold_s);
            self.turn_to = Some(math::wrap_angle(feel.yaw + math::PI));
            (self.neck, self.turns) = (0.0, 0);
        }
        nearest
    }

    /// Its way: the curves that are left, the current one first.
    pub fn curves(&self) -> impl Iterator<Item = Curve> + '_ {
        self.legs.iter().map(|&points| Curve::of(points))
    }

    /// What its way leads to.
    pub fn aim(&self) -> Aim {
        self.aim
    }

    /// What it is after.
    pub fn mood(&self) -> Mood {
        self.mood
    }

    /// What enemies make it do.
    pub fn reaction(&self) -> Reaction {
        self.reaction
    }

    /// Where it turns on the spot, rad.
    pub fn turning(&self) -> Option<f32> {
        self.turn_to
    }

    /// How often it was stuck.
    pub fn stuck_count(&self) -> u32 {
        self.stuck_count
    }

    /// How many looks it took.
    pub fn look_count(&self) -> u32 {
        self.looks
    }

    /// Where its eyes are turned from the body, rad.
    pub fn neck(&self) -> f32 {
        self.neck
    }
}
