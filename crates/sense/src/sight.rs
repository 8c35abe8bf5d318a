//! Sight: who is in one of two cones is looked for with three rays (head, both shoulders), so that a peeking target is
//! seen; who is seen for long enough is noticed (see [`notice`](crate::notice)).
//!
//! Cost of a look: one cone test for everybody near, one ray for who is seen (the point that was seen last is tried first),
//! three for who is hidden, from the agent's quota. When the quota is not enough, who waits longest comes first, the
//! lower id of equals, so nobody waits for more than [`looks_max`] looks. Rays of two agents that look at each other are
//! not shared: looks are spread over the ticks by the loop, so two agents look in the same tick once in as many ticks as
//! there are between looks, and the rays are not even the same (shoulders are across the line of sight). What is shared
//! is the answer of the last look: which point to try first.
//!
//! Cones lie on the ground, heights aside: one looks up and down as far as one likes.

use sentir_core::belief::{Beliefs, Other, Sense, Thing};
use sentir_core::budget::Budget;
use sentir_core::geometry::Geometry;
use sentir_core::glam::{Vec2, Vec3};
use sentir_core::id::AgentId;
use sentir_core::tick::{Tick, TickRate};
use sentir_core::{math, plane};

use crate::memory;
use crate::notice::notice_s;
use crate::senses::{Glimpse, Senses};
use crate::surroundings::Surroundings;
use crate::{SenseConfig, Subject};

/// Rays to a body at the most: head and both shoulders.
pub const RAYS: u32 = 3;

/// Most others that one look considers: those who wait longest.
pub const CANDIDATES_MAX: usize = 64;

/// Most things that one look considers, in the order the host shows them.
pub const THINGS_PER_LOOK: u32 = 8;

/// Tuning of eyes and hands. What is no number counts as 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SightConfig {
    /// How far one sees, m.
    pub range_m: f32,
    /// How far to either side one looks closely, rad. Limit: 0..=π.
    pub focus_half_rad: f32,
    /// How far to either side one sees at all, rad. Limit: 0..=π.
    pub half_rad: f32,
    /// Share of the range that the corners of the eyes have, 0..=1.
    pub periphery_share: f32,
    /// How near skin to skin is touch, m: whoever is there is noticed at once, whatever one looks at.
    pub touch_m: f32,
    /// Time to notice a runner at arm's length in daylight, s.
    pub near_s: f32,
    /// The same at the end of the range, s.
    pub far_s: f32,
    /// How much longer it takes for who stands still.
    pub still_factor: f32,
    /// The speed from which on nobody is noticed any sooner, m/s.
    pub moving_m_per_s: f32,
    /// How much longer it takes in the corner of the eye.
    pub periphery_factor: f32,
    /// Light at and below which nobody is seen, 0..=1.
    pub dark: f32,
    /// How long a full notice takes to fade when it is out of view, s: until then one is noticed again sooner.
    pub fade_s: f32,
    /// Whether one looks for the own team, too.
    pub sees_team: bool,
}

impl Default for SightConfig {
    /// A person with a field of view of 60° and 120° at the corners of the eyes.
    fn default() -> Self {
        SightConfig {
            range_m: 30.0,
            focus_half_rad: 0.52,
            half_rad: 1.05,
            periphery_share: 0.6,
            touch_m: 0.4,
            near_s: 0.1,
            far_s: 1.2,
            still_factor: 1.6,
            moving_m_per_s: 3.0,
            periphery_factor: 2.5,
            dark: 0.05,
            fade_s: 2.0,
            sees_team: false,
        }
    }
}

/// Where somebody is before the eyes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zone {
    /// In reach of the hands.
    Touch,
    /// Where one looks closely.
    Focus,
    /// In the corner of the eye.
    Periphery,
}

/// A look at a moment.
#[derive(Clone, Copy)]
pub struct Look<'a> {
    /// Who looks.
    pub me: Subject<'a>,
    /// When.
    pub now: Tick,
    /// Ticks per second.
    pub rate: TickRate,
    /// What ends a look. Surfaces that let see are the host's to leave out.
    pub geometry: &'a dyn Geometry,
    /// Light and things.
    pub around: &'a dyn Surroundings,
}

/// What came of a look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sighting {
    /// Somebody came into view and was noticed.
    Noticed {
        /// Whom.
        who: AgentId,
        /// How far away, m.
        distance_m: f32,
        /// Time to notice under the conditions of this look, s.
        notice_s: f32,
    },
    /// Somebody is no longer seen.
    Lost {
        /// Whom.
        who: AgentId,
    },
    /// The last known place of a target is in view, and the target is not there.
    Vanished {
        /// Who.
        who: AgentId,
    },
    /// A thing is another than was believed, or is known for the first time.
    Changed {
        /// Which thing.
        id: u32,
    },
    /// The quota was too small; so many were not looked for.
    Unserved {
        /// How many.
        count: u32,
    },
}

/// In how many looks everybody in the cone is looked for, whoever else comes and goes, when never more than `candidates` are
/// there at once and a look may cast `quota` rays; none if the quota is under three rays: then nobody ever is. With
/// `sense_every` ticks between looks that is `looks_max · sense_every` ticks, and the time to notice comes on top. Rays to
/// things and last known places are beside the quota: at most [`THINGS_PER_LOOK`] + [`memory::PLACES_PER_LOOK`] a look.
pub fn looks_max(candidates: u32, quota: u32) -> Option<u32> {
    let served = quota / RAYS;
    (served > 0).then(|| candidates.div_ceil(served).max(1))
}

/// The eyes of a look, with what does not change during it.
pub(crate) struct Eyes {
    pub(crate) eye: Vec3,
    place: Vec2,
    heading: Vec2,
    focus_cos: f32,
    half_cos: f32,
    /// Whether both cones are within a right angle: nobody behind is in them.
    is_ahead: bool,
    /// Squared, m².
    focus_m2: f32,
    periphery_m2: f32,
}

impl Eyes {
    pub(crate) fn new(config: &SightConfig, me: &Subject<'_>) -> Eyes {
        let squared = |range_m: f32| if range_m > 0.0 { range_m * range_m } else { -1.0 };
        let (focus_cos, half_cos) = (cos_of(config.focus_half_rad), cos_of(config.half_rad));
        Eyes {
            eye: me.body.eye(),
            place: plane::ground(me.body.pose.position),
            heading: plane::heading(me.body.pose.yaw),
            focus_cos,
            half_cos,
            is_ahead: focus_cos >= 0.0 && half_cos >= 0.0,
            focus_m2: squared(config.range_m),
            periphery_m2: squared(config.range_m * config.periphery_share),
        }
    }

    /// Where a place on the ground is, and how far; none if it is not before the eyes. Touch is for bodies.
    #[inline]
    pub(crate) fn zone_of(&self, place: Vec2, touch_m: f32) -> Option<(Zone, f32)> {
        let way = place - self.place;
        let squared = way.length_squared();
        if touch_m > 0.0 && squared <= touch_m * touch_m {
            return Some((Zone::Touch, squared.sqrt()));
        }
        // What is no number is nowhere.
        let is_near = squared <= self.focus_m2;
        let ahead = self.heading.dot(way);
        // Most are too far or behind: no root for them.
        if !is_near || (self.is_ahead && ahead < 0.0) {
            return None;
        }
        let distance = squared.sqrt();
        if ahead >= distance * self.focus_cos {
            Some((Zone::Focus, distance))
        } else if squared <= self.periphery_m2 && ahead >= distance * self.half_cos {
            Some((Zone::Periphery, distance))
        } else {
            None
        }
    }
}

/// The least cosine within an angle; nothing is within what is no number.
fn cos_of(half_rad: f32) -> f32 {
    if half_rad >= math::PI {
        -2.0
    } else if half_rad >= 0.0 {
        math::cos(half_rad)
    } else {
        2.0
    }
}

/// Somebody before the eyes.
#[derive(Clone, Copy)]
struct Candidate<'a> {
    queued: Tick,
    it: Subject<'a>,
    zone: Zone,
    distance_m: f32,
}

impl Candidate<'_> {
    fn rank(&self) -> (Tick, AgentId) {
        (self.queued, self.it.who)
    }
}

/// Those before the eyes who wait longest.
struct Candidates<'a> {
    list: [Option<Candidate<'a>>; CANDIDATES_MAX],
    count: usize,
    left_out: u32,
}

impl<'a> Candidates<'a> {
    fn add(&mut self, one: Candidate<'a>) {
        if self.count < CANDIDATES_MAX {
            self.list[self.count] = Some(one);
            self.count += 1;
            return;
        }
        self.left_out += 1;
        let rank_of = |place: &usize| self.list[*place].map(|old| old.rank());
        if let Some(last) = (0..CANDIDATES_MAX).max_by_key(rank_of)
            && rank_of(&last) > Some(one.rank())
        {
            self.list[last] = Some(one);
        }
    }

    fn sort(&mut self) {
        self.list[..self.count].sort_unstable_by_key(|one| one.map(|one| one.rank()));
    }
}

/// Looks around: notices who is in view for long enough, loses who is not, and sees what became of places and things.
/// `near` is to show everybody within a radius of the looker, at least, in a fixed order; `tell` learns what came of it.
/// Rays to bodies come out of `budget`, a unit each. Beliefs of those in view are as they are; the rest is for
/// [`memory::age`].
pub fn look<'a>(
    config: &SenseConfig,
    look: &Look<'a>,
    near: impl FnOnce(f32, &mut dyn FnMut(Subject<'a>)),
    senses: &mut Senses,
    beliefs: &mut Beliefs,
    budget: &mut Budget,
    mut tell: impl FnMut(Sighting),
) {
    let sight = &config.sight;
    let eyes = Eyes::new(sight, &look.me);
    memory::recheck(config, look, &eyes, senses, beliefs, &mut tell);
    see_things(sight, look, &eyes, beliefs, &mut tell);
    let mut found = Candidates { list: [None; CANDIDATES_MAX], count: 0, left_out: 0 };
    let reach_m = math::max(sight.range_m, sight.touch_m + 2.0 * look.me.body.radius_m);
    near(reach_m, &mut |it| {
        let is_meant = it.who != look.me.who && (sight.sees_team || it.team != look.me.team);
        let touch_m = sight.touch_m + look.me.body.radius_m + it.body.radius_m;
        if is_meant
            && let Some((zone, distance_m)) = eyes.zone_of(plane::ground(it.body.pose.position), touch_m)
            && let Some(queued) = senses.meet(it.who, look.now)
        {
            found.add(Candidate { queued, it, zone, distance_m });
        }
    });
    if found.count as u32 * RAYS > budget.left() {
        found.sort();
    }
    let mut unserved = found.left_out;
    for one in found.list[..found.count].iter().flatten() {
        if budget.left() < RAYS {
            unserved += 1;
            continue;
        }
        let Ok(place) = senses.place_of(one.it.who) else { continue };
        attend(sight, look, &eyes, one, &mut senses.glimpses[place], beliefs, budget, &mut tell);
    }
    if unserved > 0 {
        tell(Sighting::Unserved { count: unserved });
    }
    lose(sight, look, senses, beliefs, &mut tell);
}

/// Casts rays to one, and notices it if that is enough.
#[allow(clippy::too_many_arguments, reason = "a look, one of it, and where what comes of it goes")]
fn attend(
    sight: &SightConfig,
    look: &Look<'_>,
    eyes: &Eyes,
    one: &Candidate<'_>,
    glimpse: &mut Glimpse,
    beliefs: &mut Beliefs,
    budget: &mut Budget,
    tell: &mut impl FnMut(Sighting),
) {
    let body = one.it.body;
    let since_s = look.rate.seconds(look.now.since(glimpse.queued));
    let was_seen = glimpse.is_seen;
    glimpse.queued = look.now;
    let part = seen_part(look, eyes.eye, body.outline(eyes.eye), glimpse.part, budget);
    let speed = body.velocity.length();
    let light = if part.is_some() { look.around.light(body.pose.position) } else { 0.0 };
    let needed_s = notice_s(sight, one.zone, one.distance_m, speed, light);
    glimpse.is_seen = part.is_some() && needed_s.is_finite();
    if !glimpse.is_seen {
        fade(glimpse, since_s, sight.fade_s);
        return;
    }
    glimpse.part = part.unwrap_or(0);
    // The time before the first ray that met it does not count.
    let gained_s = if was_seen { since_s } else { 0.0 };
    glimpse.progress = if gained_s >= needed_s || needed_s <= 0.0 {
        1.0
    } else {
        math::saturate(glimpse.progress + gained_s / needed_s)
    };
    if glimpse.progress < 1.0 {
        return;
    }
    let was_visible = beliefs.other(one.it.who).is_some_and(|other| other.is_visible);
    let source = if one.zone == Zone::Touch { Sense::Touch } else { Sense::Sight };
    beliefs.update(Other { source, ..Other::seen(one.it.who, one.it.team, body, look.now) });
    if !was_visible {
        tell(Sighting::Noticed { who: one.it.who, distance_m: one.distance_m, notice_s: needed_s });
    }
}

/// Which of three points is seen, the one that was seen last first; a unit a ray.
fn seen_part(look: &Look<'_>, eye: Vec3, points: [Vec3; 3], first: u8, budget: &mut Budget) -> Option<u8> {
    const ORDERS: [[u8; 3]; 3] = [[0, 1, 2], [1, 0, 2], [2, 0, 1]];
    let order = ORDERS[usize::from(first.min(2))];
    let found = look.geometry.first_clear(eye, &order.map(|part| points[usize::from(part)]));
    // Paid as if each ray were cast by itself, whatever the geometry saves; whoever is attended to has rays enough.
    let _ = budget.spend(found.map_or(RAYS, |number| number as u32 + 1));
    found.map(|number| order[number.min(2)])
}

fn fade(glimpse: &mut Glimpse, since_s: f32, fade_s: f32) {
    let lost = if fade_s > 0.0 { since_s / fade_s } else { 1.0 };
    glimpse.progress = math::saturate(glimpse.progress - lost);
}

/// Who is no longer before the eyes fades; who is no longer seen is lost.
fn lose(
    sight: &SightConfig,
    look: &Look<'_>,
    senses: &mut Senses,
    beliefs: &mut Beliefs,
    tell: &mut impl FnMut(Sighting),
) {
    senses.glimpses.retain_mut(|glimpse| {
        if glimpse.here == look.now {
            return true;
        }
        let since_s = look.rate.seconds(look.now.since(glimpse.queued));
        (glimpse.queued, glimpse.is_seen) = (look.now, false);
        fade(glimpse, since_s, sight.fade_s);
        glimpse.progress > 0.0
    });
    beliefs.revise(|other| {
        if other.is_visible && !senses.glimpse(other.who).is_some_and(|glimpse| glimpse.is_seen) {
            other.is_visible = false;
            tell(Sighting::Lost { who: other.who });
        }
        true
    });
}

/// Sees how the things before the eyes are.
fn see_things(
    sight: &SightConfig,
    look: &Look<'_>,
    eyes: &Eyes,
    beliefs: &mut Beliefs,
    tell: &mut impl FnMut(Sighting),
) {
    let mut served = 0;
    look.around.visit_things(look.me.body.pose.position, sight.range_m, &mut |it| {
        let is_before = eyes.zone_of(plane::ground(it.position), sight.touch_m + it.radius_m).is_some();
        let is_seen = is_before && served < THINGS_PER_LOOK && {
            served += 1;
            let way = it.position - eyes.eye;
            let short_m = way.length() - math::max(it.radius_m, 0.0);
            // Within its reach one stands at it.
            let skin = eyes.eye + way * (math::max(short_m, 0.0) / math::max(way.length(), 1e-6));
            look.around.light(it.position) > sight.dark && look.geometry.is_clear(eyes.eye, skin)
        };
        if is_seen || it.is_public {
            let source = if is_seen { Sense::Sight } else { Sense::Public };
            let (id, value, position, at) = (it.id, it.value, it.position, look.now);
            if beliefs.note(Thing { id, value, position, at, source }) {
                tell(Sighting::Changed { id });
            }
        }
    });
}
