//! What one agent believes about obstacles: learned by sight, by touch or by failing there; unlearned by seeing the place.
//!
//! Public obstacles need no belief. Of the others an agent believes in one footprint each: the one it noticed last. Looking
//! takes up to nine rays a footprint within range; touching takes none. Nothing here is told what an agent did not notice.

use sentir_core::State;
use sentir_core::glam::{Vec2, Vec3};
use sentir_core::{math, plane};

use super::obstacles::{Footprint, FootprintId, ObstacleId, Obstacles};

/// Beliefs one agent keeps at most; that in the oldest footprint goes first.
pub const BELIEFS_MAX: usize = 64;
/// How far beside an obstacle a look at it ends, m: just before its surface.
const BESIDE_M: f32 = 0.12;
/// A look at a place ends this far inside of where the surface was, as a share of the way to the middle.
const INSIDE: f32 = 0.5;

/// One belief.
#[derive(Clone, Copy, Debug, PartialEq, Eq, State)]
pub struct Belief {
    /// About which obstacle.
    pub of: ObstacleId,
    /// Where it is believed to be.
    pub footprint: FootprintId,
}

/// All beliefs of one agent, one an obstacle.
#[derive(Clone, Debug, Default, PartialEq, Eq, State)]
#[state(check)]
pub struct Knowledge {
    /// Ascending by obstacle.
    beliefs: Vec<Belief>,
    /// How often they changed.
    changes: u32,
}

/// How somebody looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Eye {
    /// Where the eye is, m.
    pub position: Vec3,
    /// Where it looks, rad.
    pub yaw: f32,
    /// How far it sees, m.
    pub range_m: f32,
    /// How far to either side, rad; π is all around.
    pub half_angle_rad: f32,
}

/// What a look or a touch taught.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Learned {
    /// Obstacles that are new, or elsewhere than believed.
    pub found: u32,
    /// Obstacles that are not where they were believed to be.
    pub lost: u32,
}

impl Learned {
    /// Whether anything was learned.
    pub fn is_any(&self) -> bool {
        self.found + self.lost > 0
    }
}

impl Knowledge {
    /// The beliefs, ascending by obstacle.
    pub fn beliefs(&self) -> &[Belief] {
        &self.beliefs
    }

    /// How often they changed: a version of them.
    pub fn changes(&self) -> u32 {
        self.changes
    }

    /// Whether it believes that an obstacle stands there.
    pub fn believes(&self, footprint: FootprintId) -> bool {
        self.beliefs.iter().any(|it| it.footprint == footprint)
    }

    /// Believes in a footprint, and in no other of the same obstacle. Whether that is new.
    pub fn learn(&mut self, footprint: &Footprint) -> bool {
        let belief = Belief { of: footprint.of, footprint: footprint.id };
        match self.beliefs.binary_search_by_key(&belief.of, |it| it.of) {
            Ok(place) if self.beliefs[place] == belief => return false,
            Ok(place) => self.beliefs[place] = belief,
            Err(_) if self.beliefs.len() >= BELIEFS_MAX => {
                let oldest = (0..self.beliefs.len()).min_by_key(|&place| self.beliefs[place].footprint);
                self.beliefs.remove(oldest.unwrap_or(0));
                return self.learn(footprint);
            }
            Err(place) => self.beliefs.insert(place, belief),
        }
        self.changes = self.changes.wrapping_add(1);
        true
    }

    /// Believes no more that an obstacle is anywhere. Whether it did.
    pub fn forget(&mut self, of: ObstacleId) -> bool {
        let Ok(place) = self.beliefs.binary_search_by_key(&of, |it| it.of) else { return false };
        self.beliefs.remove(place);
        self.changes = self.changes.wrapping_add(1);
        true
    }

    /// Takes nothing for granted any more: for who finds no way by what it believes, and goes to look again. How many beliefs
    /// are gone.
    pub fn doubt(&mut self) -> u32 {
        let gone = self.beliefs.len() as u32;
        self.beliefs.clear();
        self.changes = self.changes.wrapping_add(gone);
        gone
    }

    /// Drops beliefs in footprints that are in the mesh no more. How many.
    pub fn revise(&mut self, obstacles: &Obstacles) -> u32 {
        let before = self.beliefs.len();
        self.beliefs.retain(|it| obstacles.footprint(it.footprint).is_some());
        let gone = (before - self.beliefs.len()) as u32;
        self.changes = self.changes.wrapping_add(gone);
        gone
    }

    /// The footprint it believes in and stands in, if there is one: the oldest.
    pub fn within(&self, obstacles: &Obstacles, feet: Vec3) -> Option<FootprintId> {
        let at = plane::ground(feet);
        let stands_in = |id: &FootprintId| obstacles.footprint(*id).is_some_and(|it| it.obstacle.distance_m(at) <= 0.0);
        self.beliefs().iter().map(|belief| belief.footprint).find(stands_in)
    }

    /// Looks around: finds what is in sight, and unlearns what is not there. `is_clear` tells whether nothing is between two
    /// points.
    pub fn look(&mut self, obstacles: &Obstacles, eye: &Eye, mut is_clear: impl FnMut(Vec3, Vec3) -> bool) -> Learned {
        let mut learned = Learned::default();
        if !eye.position.is_finite() {
            return learned;
        }
        for footprint in obstacles.footprints().filter(|it| !it.is_public) {
            let is_believed = self.believes(footprint.id);
            if is_believed == footprint.is_there() {
                continue;
            }
            let mut sees = |share: f32, beside_m: f32| {
                points(footprint, eye, share, beside_m)
                    .any(|point| is_near(eye, point) && is_clear(eye.position, point))
            };
            if footprint.is_there() && sees(1.0, BESIDE_M) {
                learned.found += u32::from(self.learn(footprint));
            } else if is_believed && sees(INSIDE, 0.0) {
                learned.lost += u32::from(self.forget(footprint.of));
            }
        }
        learned
    }

    /// Feels around: finds what is within reach of a body's middle on the ground, with its feet at a height.
    pub fn touch(&mut self, obstacles: &Obstacles, feet: Vec3, reach_m: f32) -> Learned {
        let mut learned = Learned::default();
        for footprint in obstacles.footprints().filter(|it| !it.is_public && it.is_there()) {
            let is_level = footprint.obstacle.low_m <= feet.y + BODY_M && footprint.obstacle.high_m >= feet.y;
            if is_level && footprint.obstacle.distance_m(plane::ground(feet)) <= reach_m {
                learned.found += u32::from(self.learn(footprint));
            }
        }
        learned
    }

    fn check(&self) -> Result<(), &'static str> {
        let is_sound = self.beliefs.is_sorted_by(|a, b| a.of < b.of) && self.beliefs.len() <= BELIEFS_MAX;
        if is_sound { Ok(()) } else { Err("beliefs about obstacles are not in order") }
    }
}

/// What is lower than this over the feet can be felt, m.
const BODY_M: f32 = 1.6;

/// Whether a point is within the range and the angle of an eye.
fn is_near(eye: &Eye, point: Vec3) -> bool {
    let way = plane::ground(point - eye.position);
    let length = way.length();
    length <= eye.range_m && way.dot(plane::heading(eye.yaw)) >= math::cos(eye.half_angle_rad) * length
}

/// Points of a footprint to look at: its corners and the middles of its sides, a share of the way from its middle and
/// `beside_m` more; its middle as well if it is looked into.
fn points(footprint: &Footprint, eye: &Eye, share: f32, beside_m: f32) -> impl Iterator<Item = Vec3> {
    let obstacle = &footprint.obstacle;
    let (low, high) = (obstacle.low_m + 0.1, math::max(obstacle.high_m - 0.1, obstacle.low_m));
    let height = math::max(math::min(eye.position.y, high), math::min(low, high));
    let (middle, ring) = obstacle.ring();
    let count = ring.count;
    let out = move |point: Vec2| middle + (point - middle) * share + plane::direction(point - middle) * beside_m;
    let corners = (0..count).map(move |at| ring.corners[at]);
    let sides = (0..count).map(move |at| (ring.corners[at] + ring.corners[(at + 1) % count]) * 0.5);
    let inner = (share < 1.0).then_some(middle);
    inner.into_iter().chain(sides.map(out)).chain(corners.map(out)).map(move |point| plane::lift(point, height))
}
