//! The mind of `skirmish`: a soldier by a few plain rules, first that applies. A stand-in until real brains exist.
//!
//! It sees what is before its eyes, hears shots, remembers both for a while. It strikes who is at arm's length, falls back
//! to heal or to its base for rounds when it must, shoots whom it sees while it sidesteps, throws a grenade at whom it
//! knows behind cover, and else goes to where a foe was last or might be.

use sentir::core::body::person::EYE_M;
use sentir::core::{math, order, plane};
use sentir::prelude::*;
use sentir::sense::{HearingConfig, MemoryConfig, SightConfig};

use super::layout::{Layout, foe_of};

const ROAM: Purpose = Purpose::new("skirmish.roam");
const DODGE: Purpose = Purpose::new("skirmish.dodge");
const AIM: Purpose = Purpose::new("skirmish.aim");

/// How far one sees, m, and how far to either side, rad.
const SIGHT_M: f32 = 36.0;
pub(super) const HALF_ANGLE: f32 = 1.05;
/// How long a foe must be in view before one acts on it, s.
const NOTICE_S: f32 = 0.25;
/// How long a foe out of sight is remembered, s.
const MEMORY_S: f32 = 7.0;
/// How loud a noise must be to be heeded; what comes from so near to where a comrade was seen just now is the comrade's, m and s.
const HEED: f32 = 0.1;
const COMRADE_M: f32 = 4.0;
const COMRADE_S: f32 = 3.0;
/// Within this one strikes, m.
const STRIKE_M: f32 = 2.2;
/// Within this one goes for the blade when the gun is empty, m.
const RUSH_M: f32 = 5.0;
/// Below this share of health one goes for some.
const LOW: f32 = 0.45;
/// Paces, m/s.
const RUN: f32 = 4.0;
const DODGE_PACE: f32 = 2.2;
/// Distances at which one throws, m.
const THROW_M: [f32; 2] = [6.0, 18.0];
/// How long one aims a throw, and how long until the next, s.
const THROW_AIM_S: f32 = 0.5;
const THROW_PAUSE_S: f32 = 6.0;
/// Rounds with which one leaves the base again.
const ROUNDS_ENOUGH: u32 = 60;
/// How often the way is asked anew, ticks.
const HOP_TICKS: u64 = 12;
/// The usual error of aim, rad.
const AIM_OFF_RAD: f32 = 0.035;
/// For how long, and how near, one fires at where a foe just went, s and m.
const SUPPRESS_S: f32 = 1.5;
const SUPPRESS_M: f32 = 16.0;
/// Height of the chest over the feet, m.
const CHEST_M: f32 = 1.2;

/// The mind of all soldiers.
#[derive(Clone, Debug)]
pub(super) struct Soldier {
    pub(super) layout: Layout,
    /// How fast grenades leave the hand, m/s, and fall, m/s².
    pub(super) throw: (f32, f32),
}

/// What somebody does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State)]
pub(super) enum Mode {
    #[default]
    Hunt,
    Fight,
    Strike,
    Throw,
    Heal,
    Arm,
}

impl Mode {
    pub(super) fn name(self) -> &'static str {
        ["hunt", "fight", "strike", "throw", "heal", "arm"][self as usize]
    }
}

/// What the hands feel of the own gear; told by the host when it changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State)]
pub(super) struct Gear {
    pub(super) magazine: u32,
    pub(super) magazine_max: u32,
    pub(super) reserve: u32,
    pub(super) grenades: u32,
}

/// Where a foe was or may be, and since when that is known.
#[derive(Clone, Copy, Debug, PartialEq, State)]
struct Lead {
    position: Vec3,
    at: Tick,
}

/// What a soldier remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub(super) struct Brain {
    pub(super) mode: Mode,
    pub(super) gear: Gear,
    /// Since when it is in its mode.
    since: Tick,
    has_begun: bool,
    /// The way point it roams to; none before it first roams.
    roam: Option<u16>,
    /// Which item it goes for.
    item: u16,
    /// When it may throw again.
    throw_from: Tick,
    /// Where it wants to, and the next place on the way.
    goal: Vec2,
    hop: Vec2,
    /// How far off it aims, in parts of the usual error, and since when.
    aim_off: Vec3,
    aimed_at: Tick,
    /// The last noise that may have been a foe's.
    heard: Option<Lead>,
}

/// What the legs remember.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub(super) struct Motor {
    held: u16,
    aside_until: Tick,
    aside_yaw: f32,
    use_from: Tick,
}

impl Mind for Soldier {
    type Senses = Senses;
    type Brain = Brain;
    type Motor = Motor;
    type Squad = ();
    /// What its hands feel now.
    type Notice = Gear;

    fn receive(&self, _view: &ThinkView<'_>, gear: Gear, brain: &mut Brain) {
        brain.gear = gear;
    }

    fn sense(&self, view: &SenseView<'_>, senses: &mut Senses, beliefs: &mut Beliefs, notes: &mut Notes<'_>) {
        view.perceive(&sense_config(), &(), senses, beliefs, notes);
    }

    fn think(&self, view: &ThinkView<'_>, brain: &mut Brain, intents: &mut Intents, notes: &mut Notes<'_>) {
        let before = brain.mode;
        intents.actions = Actions::default();
        intents.gaze = Gaze::Ahead;
        self.decide(view, brain, intents, notes);
        if brain.mode != before || !brain.has_begun {
            brain.has_begun = true;
            brain.since = view.tick;
            notes.event(EventKind::Decided { decision: brain.mode as u16 });
        }
    }

    fn act(&self, view: &ActView<'_>, legs: &mut Motor, motion: &mut Motion, _: &mut Outcomes<'_>, _: &mut Notes<'_>) {
        let body = &view.me.body;
        motion.velocity = Vec3::ZERO;
        motion.actions = view.actions();
        motion.pitch = 0.0;
        let here = plane::ground(body.pose.position);
        let mut way = Vec2::ZERO;
        if let Some((_, travel)) = view.travel() {
            way = plane::ground(travel.goal) - here;
            let speed = math::min(travel.pace_m_per_s, way.length() * 4.0);
            self.walk(view, legs, motion, Course { way, speed_m_per_s: speed });
        }
        match view.gaze() {
            Gaze::Along(yaw) => motion.yaw = yaw,
            Gaze::Ahead if way.length() > 0.3 => motion.yaw = plane::yaw(way),
            Gaze::Ahead => {}
            Gaze::At(point) => {
                let toward = point - body.eye();
                let level = plane::ground(toward);
                motion.yaw = plane::yaw(level);
                motion.pitch = math::atan2(toward.y, level.length());
            }
        }
    }

    fn decision_name(&self, decision: u16) -> &'static str {
        const NAMES: [Mode; 6] = [Mode::Hunt, Mode::Fight, Mode::Strike, Mode::Throw, Mode::Heal, Mode::Arm];
        NAMES.get(usize::from(decision)).map_or("", |mode| mode.name())
    }
}

/// The senses of a soldier: keen eyes, ears, and a memory of some seconds.
fn sense_config() -> SenseConfig {
    let sight = SightConfig {
        range_m: SIGHT_M,
        focus_half_rad: HALF_ANGLE,
        half_rad: HALF_ANGLE,
        periphery_share: 1.0,
        touch_m: 0.9,
        near_s: NOTICE_S,
        far_s: NOTICE_S,
        still_factor: 1.0,
        periphery_factor: 1.0,
        fade_s: 1.0,
        sees_team: true,
        ..SightConfig::default()
    };
    // Half is left after 2 s, a tenth after 7.
    let memory = MemoryConfig { half_life_s: MEMORY_S * 0.3, forget_below: 0.1, vanished_share: 1.0 };
    let hearing = HearingConfig { wall_m: 0.0, ..HearingConfig::default() };
    SenseConfig { sight, memory, hearing, ..SenseConfig::default() }
}

/// Where somebody walks.
#[derive(Clone, Copy, Debug)]
struct Course {
    /// To the goal, m.
    way: Vec2,
    speed_m_per_s: f32,
}

impl Soldier {
    fn decide(&self, view: &ThinkView<'_>, brain: &mut Brain, intents: &mut Intents, notes: &mut Notes<'_>) {
        let me = &view.beliefs.me;
        let here = plane::ground(me.pose.position);
        let apart = |other: &Other| other.position.distance(me.pose.position);
        let others = view.beliefs.others().iter().filter(|other| other.team == foe_of(view.team));
        self.heed(view, brain);
        let foe = others.clone().filter(|other| other.is_visible).min_by(|a, b| apart(a).total_cmp(&apart(b)));
        let gear = brain.gear;
        let is_low = me.health < LOW;
        let is_dry = gear.magazine + gear.reserve == 0;
        notes.because(|| Reason { what: "health is low", held: is_low, value: me.health, limit: LOW });
        if gear.magazine == 0 || (foe.is_none() && gear.magazine * 2 < gear.magazine_max) {
            intents.actions = intents.actions.with(Actions::RELOAD);
        }
        if let Some(foe) = foe {
            let near = apart(foe);
            let is_empty = gear.magazine == 0;
            if near < STRIKE_M || (is_empty && near < RUSH_M) {
                brain.mode = Mode::Strike;
                intents.gaze = Gaze::At(foe.position + Vec3::Y * CHEST_M);
                self.go(view, brain, intents, plane::ground(foe.position), RUN);
                intents.actions = if near < STRIKE_M { Actions::MELEE } else { Actions::default() };
                return;
            }
            let errand = brain.mode;
            self.shoot(view, foe, brain, intents);
            if is_low {
                brain.mode = errand;
                self.heal(view, brain, here, intents);
            } else if is_dry {
                self.arm(view, brain, here, intents);
            }
            return;
        }
        let is_arming = brain.mode == Mode::Arm && gear.magazine + gear.reserve < ROUNDS_ENOUGH;
        if is_low {
            self.heal(view, brain, here, intents);
        } else if is_dry || is_arming || gear.magazine + gear.reserve < gear.magazine_max / 3 {
            self.arm(view, brain, here, intents);
        } else if let Some(lead) = others
            .map(|other| Lead { position: other.position, at: other.at })
            .chain(brain.heard)
            .max_by_key(|it| it.at)
        {
            self.pursue(view, &lead, brain, intents);
        } else {
            self.roam(view, brain, here, intents);
        }
    }

    /// Remembers where a foe may have made noise: the loudest that came from no place where a comrade was seen just now.
    fn heed(&self, view: &ThinkView<'_>, brain: &mut Brain) {
        let is_comrade = |heard: &&Heard| {
            let fresh = |other: &&Other| view.tick.since(other.at) < view.rate.ticks(COMRADE_S);
            let comrades = view.beliefs.others().iter().filter(|other| other.team == view.team);
            comrades.filter(fresh).any(|other| other.position.distance(heard.position) < COMRADE_M)
        };
        let noises = view.beliefs.noises.iter().filter(|heard| heard.loudness > HEED && !is_comrade(heard));
        if let Some(heard) = noises.max_by(|a, b| a.loudness.total_cmp(&b.loudness)) {
            let ground = view.beliefs.me.pose.position.y;
            let position = Vec3::new(heard.position.x, ground, heard.position.z);
            brain.heard = Some(Lead { position, at: heard.at });
        }
        if brain.heard.is_some_and(|lead| view.tick.since(lead.at) >= view.rate.ticks(MEMORY_S)) {
            brain.heard = None;
        }
    }

    /// Shoots at who is in sight, in bursts, while it sidesteps.
    fn shoot(&self, view: &ThinkView<'_>, foe: &Other, brain: &mut Brain, intents: &mut Intents) {
        brain.mode = Mode::Fight;
        let me = &view.beliefs.me;
        let here = plane::ground(me.pose.position);
        let way = plane::ground(foe.position - me.pose.position);
        intents.gaze = Gaze::At(self.aim_at(view, brain, foe.position + Vec3::Y * CHEST_M));
        let is_aimed = math::angle_between(me.pose.yaw, plane::yaw(way)).abs() < 0.1;
        let age = view.tick.since(brain.since);
        let is_burst = age % 40 < 26;
        if is_aimed && is_burst && brain.gear.magazine > 0 {
            intents.actions = intents.actions.with(Actions::FIRE);
        }
        if age.is_multiple_of(45) {
            let mut rng = view.random(DODGE);
            let side = plane::left_of(plane::direction(way)) * if rng.chance(0.5) { 2.0 } else { -2.0 };
            let on = plane::direction(way) * if way.length() > 14.0 { 2.0 } else { rng.between(-1.0, 1.0) };
            let goal = here + side + on;
            if self.layout.is_free(here, goal) {
                self.go(view, brain, intents, goal, DODGE_PACE);
            } else {
                intents.stay();
            }
        }
    }

    /// Where one really aims who aims at a point: off by a little, drawn anew three times a second.
    fn aim_at(&self, view: &ThinkView<'_>, brain: &mut Brain, point: Vec3) -> Vec3 {
        if view.tick.since(brain.aimed_at) >= view.rate.ticks(0.33) {
            let mut rng = view.random(AIM);
            brain.aimed_at = view.tick;
            brain.aim_off = Vec3::new(rng.about(0.0, 1.0), rng.about(0.0, 0.6), rng.about(0.0, 1.0));
        }
        point + brain.aim_off * (AIM_OFF_RAD * point.distance(view.beliefs.me.pose.position))
    }

    /// After a foe out of sight: a grenade if that may reach it, else to where it was.
    fn pursue(&self, view: &ThinkView<'_>, known: &Lead, brain: &mut Brain, intents: &mut Intents) {
        let me = &view.beliefs.me;
        let here = plane::ground(me.pose.position);
        let there = plane::ground(known.position);
        let distance = here.distance(there);
        let is_fresh = view.tick.since(known.at) < view.rate.ticks(2.5);
        let is_throwing = brain.mode == Mode::Throw && view.tick.since(brain.since) < view.rate.ticks(1.0);
        let may_throw = brain.gear.grenades > 0 && view.tick >= brain.throw_from && is_fresh;
        if (THROW_M[0]..THROW_M[1]).contains(&distance) && (may_throw || is_throwing) {
            let began = if brain.mode == Mode::Throw { brain.since } else { view.tick };
            brain.mode = Mode::Throw;
            intents.stay();
            let rise = self.lob(distance);
            let ahead = plane::lift(plane::direction(there - here), math::tan(rise));
            intents.gaze = Gaze::At(me.pose.position + Vec3::Y * EYE_M + ahead * 10.0);
            if view.tick.since(began) >= view.rate.ticks(THROW_AIM_S) {
                intents.actions = Actions::THROW;
                brain.throw_from = view.tick + view.rate.ticks(THROW_PAUSE_S);
            }
            return;
        }
        brain.mode = Mode::Hunt;
        let is_hot = view.tick.since(known.at) < view.rate.ticks(SUPPRESS_S) && distance < SUPPRESS_M;
        if is_hot && brain.gear.magazine * 3 > brain.gear.magazine_max {
            // Through what breaks, or over what it hides behind.
            intents.gaze = Gaze::At(self.aim_at(view, brain, known.position + Vec3::Y * CHEST_M));
            intents.actions = Actions::FIRE;
        }
        if distance > 1.5 {
            self.go(view, brain, intents, there, RUN);
        } else {
            // There, and nobody in sight: looks around.
            intents.stay();
            let turn = view.rate.seconds(view.tick.0) * 2.5;
            intents.gaze = Gaze::Along(math::wrap_angle(turn));
        }
    }

    /// The high one of the two angles at which a throw from eye height comes down at a distance, rad; 45° if it is too far.
    fn lob(&self, distance_m: f32) -> f32 {
        let (speed, fall) = self.throw;
        let squared = speed * speed;
        let under = squared * squared - fall * (fall * distance_m * distance_m - 2.0 * 1.5 * squared);
        if under > 0.0 { math::atan((squared + under.sqrt()) / (fall * distance_m)) } else { math::FRAC_PI_2 * 0.5 }
    }

    /// To some health; when it is not there, to the next.
    fn heal(&self, view: &ThinkView<'_>, brain: &mut Brain, here: Vec2, intents: &mut Intents) {
        let was_healing = std::mem::replace(&mut brain.mode, Mode::Heal) == Mode::Heal;
        let places = &self.layout.health;
        if places.is_empty() {
            return;
        }
        if !was_healing {
            let nearest = order::least(places.iter().map(|place| place.distance_squared(here)));
            brain.item = nearest.unwrap_or(0) as u16;
        }
        let place = places[usize::from(brain.item) % places.len()];
        if here.distance(place) < 0.4 {
            brain.item = brain.item.wrapping_add(1);
        }
        self.go(view, brain, intents, place, RUN);
    }

    /// To rounds: those that lie about, or back to the base, whichever is nearer.
    fn arm(&self, view: &ThinkView<'_>, brain: &mut Brain, here: Vec2, intents: &mut Intents) {
        brain.mode = Mode::Arm;
        let base = self.layout.base(view.team);
        let apart = |place: &Vec2| place.distance(here);
        let lying = self.layout.ammo.iter().copied().min_by(|a, b| apart(a).total_cmp(&apart(b)));
        // One that was just emptied is no use: then the base.
        let goal = lying.filter(|place| apart(place) < apart(&base) && apart(place) > 0.5).unwrap_or(base);
        self.go(view, brain, intents, goal, RUN);
    }

    /// To a point of the other half, drawn anew at each.
    fn roam(&self, view: &ThinkView<'_>, brain: &mut Brain, here: Vec2, intents: &mut Intents) {
        brain.mode = Mode::Hunt;
        let points = &self.layout.points;
        let at = |point: u16| points[usize::from(point) % points.len()];
        let roam = brain.roam.filter(|&point| here.distance(at(point)) >= 0.6).unwrap_or_else(|| {
            let away = self.layout.base(foe_of(view.team));
            let mut rng = view.random(ROAM);
            let drawn = [rng.below(points.len() as u32) as u16, rng.below(points.len() as u32) as u16];
            let far = |one: u16| at(one).distance(away);
            if far(drawn[0]) <= far(drawn[1]) { drawn[0] } else { drawn[1] }
        });
        brain.roam = Some(roam);
        self.go(view, brain, intents, at(roam), RUN);
    }

    /// Sets out for a place; which way is asked anew when it has changed, and now and then.
    fn go(&self, view: &ThinkView<'_>, brain: &mut Brain, intents: &mut Intents, goal: Vec2, pace_m_per_s: f32) {
        let here = plane::ground(view.beliefs.me.pose.position);
        let is_due = (view.tick.0 + view.agent.index() as u64).is_multiple_of(HOP_TICKS);
        if is_due || brain.goal.distance(goal) > 0.5 || intents.travel().is_none() || here.distance(brain.hop) < 0.3 {
            (brain.goal, brain.hop) = (goal, self.layout.toward(here, goal));
        }
        let goal = plane::lift(brain.hop, 0.0);
        intents.go(Travel { goal, manner: Manner::Straight, pace_m_per_s, arrive_m: 0.2 });
    }

    /// Walks on; who is held up tries the door before it, or goes around by a side step.
    fn walk(&self, view: &ActView<'_>, legs: &mut Motor, motion: &mut Motion, course: Course) {
        let Course { way, speed_m_per_s: speed } = course;
        let body = &view.me.body;
        let here = plane::ground(body.pose.position);
        let is_held = speed > 0.8 && body.velocity.length() < speed * 0.3;
        legs.held = if is_held { legs.held.saturating_add(1) } else { 0 };
        let door = self.layout.door_near(here, 1.3).filter(|door| (*door - here).dot(way) > 0.0);
        if legs.held > 8 && door.is_some() && view.tick >= legs.use_from {
            motion.actions = motion.actions.with(Actions::USE);
            legs.use_from = view.tick + view.rate.ticks(1.5);
            legs.held = 0;
        } else if legs.held > 30 {
            legs.held = 0;
            let turn = view.random(DODGE).between(1.2, 1.9);
            legs.aside_yaw = plane::yaw(way) + if view.random(ROAM).chance(0.5) { turn } else { -turn };
            legs.aside_until = view.tick + view.rate.ticks(0.4);
        }
        let heading = if view.tick < legs.aside_until { plane::heading(legs.aside_yaw) } else { plane::direction(way) };
        motion.velocity = plane::lift(heading * speed, 0.0);
    }
}
