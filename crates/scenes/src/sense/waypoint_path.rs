//! Ways through a small building by points that its level names: what the scenes of the senses walk by. A stand-in for
//! navigation meshes, with doors that a walker may believe to be shut.
//!
//! A way is found by looking at all points (Dijkstra, O(points²)); straight if nothing stands between.

use sentir::core::geometry::Ray;
use sentir::core::glam::{Vec2, Vec3};
use sentir::core::plane;
use sentir::core::tick::TickRate;
use sentir_level::{Blocks, Level, LevelState, LevelView, PieceId};

/// What a way needs on either side, m.
const CLEARANCE_M: f32 = 0.34;
/// How high over the ground it must be free, m.
const KNEE_M: f32 = 0.5;
/// How near a door's middle a way leads through it, m.
const DOOR_M: f32 = 0.8;
/// How near one stands at a point, m.
const AT_M: f32 = 0.45;
/// Points at most, so that a search needs no memory of its own.
const POINTS_MAX: usize = 64;

/// A doorway.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Doorway {
    /// Which piece.
    pub(crate) piece: PieceId,
    /// The middle of the opening, m.
    pub(crate) at: Vec2,
    /// A unit vector through it.
    pub(crate) through: Vec2,
}

/// The ways of a level.
#[derive(Clone, Debug)]
pub(crate) struct Ways {
    /// With all doors open.
    open: LevelState,
    /// The points, in the level's order.
    pub(crate) points: Vec<Vec2>,
    /// Its doors, in the level's order.
    pub(crate) doors: Vec<Doorway>,
    /// By pair of points: the length, infinite if something stands between, and which door is on it.
    edges: Vec<(f32, Option<u8>)>,
}

impl Ways {
    /// The ways between the annotations of kind `point`.
    pub(crate) fn of(level: &Level) -> Ways {
        let mut open = LevelState::new(level);
        let is_door = |piece: &usize| level.pieces()[*piece].door.is_some();
        let doors: Vec<Doorway> = (0..level.pieces().len())
            .filter(is_door)
            .map(|index| {
                let piece = &level.pieces()[index];
                let at = plane::ground(piece.pose.position);
                // What slides goes along its wall; what does not is taken to stand across its own heading.
                let slides = piece.door.map_or(Vec2::ZERO, |door| plane::ground(door.open.position) - at);
                let along = plane::direction(slides);
                let through = if along == Vec2::ZERO { plane::heading(piece.pose.yaw) } else { plane::left_of(along) };
                Doorway { piece: PieceId(index as u16), at, through }
            })
            .collect();
        for door in &doors {
            open.open_door(level, door.piece);
        }
        // Longer than any door takes.
        (0..100).for_each(|_| open.step(level, TickRate::new(10)));
        let points: Vec<Vec2> = level
            .annotations()
            .iter()
            .filter(|note| note.kind == "point")
            .map(|note| plane::ground(note.position))
            .take(POINTS_MAX)
            .collect();
        let mut ways = Ways { open, points, doors, edges: Vec::new() };
        let pairs = ways.points.iter().flat_map(|&from| ways.points.iter().map(move |&to| (from, to)));
        ways.edges = pairs.map(|(from, to)| ways.edge(level, from, to)).collect();
        ways
    }

    fn edge(&self, level: &Level, from: Vec2, to: Vec2) -> (f32, Option<u8>) {
        let length_m = if self.is_passable(level, from, to) { from.distance(to) } else { f32::INFINITY };
        (length_m, self.door_between(from, to))
    }

    /// The door that a straight way leads through.
    fn door_between(&self, from: Vec2, to: Vec2) -> Option<u8> {
        let is_on = |door: &Doorway| {
            let (nearest, _) = plane::nearest_on_segment(from, to, door.at);
            let sides = ((from - door.at).dot(door.through), (to - door.at).dot(door.through));
            nearest.distance(door.at) < DOOR_M && sides.0 * sides.1 < 0.0
        };
        self.doors.iter().position(is_on).map(|place| place as u8)
    }

    /// Whether one could go straight from one place to another, all doors open.
    pub(crate) fn is_passable(&self, level: &Level, from: Vec2, to: Vec2) -> bool {
        let view = LevelView { level, state: &self.open };
        let aside = plane::left_of(plane::direction(to - from)) * CLEARANCE_M;
        [aside, -aside].into_iter().all(|aside| {
            let lift = |place: Vec2| plane::lift(place + aside, 0.0) + Vec3::Y * KNEE_M;
            Ray::between(lift(from), lift(to)).is_none_or(|ray| !view.is_blocked(&ray, Blocks::BODIES))
        })
    }

    /// The next place for who stands at a point: by that point's own ways, which are known to be free. None if it stands at
    /// none, or there is no way on.
    fn next_from(
        &self,
        from: Vec2,
        to: Vec2,
        left_m: &[f32],
        may: &impl Fn(Option<u8>) -> bool,
        straight: &impl Fn(Vec2, Vec2) -> f32,
    ) -> Option<(Vec2, f32)> {
        let count = left_m.len();
        let apart = |point: &usize| self.points[*point].distance(from);
        let at = (0..count).filter(|point| apart(point) < AT_M).min_by(|a, b| apart(a).total_cmp(&apart(b)))?;
        let last_m = straight(self.points[at], to);
        if last_m < f32::INFINITY {
            return Some((to, last_m));
        }
        let whole_m = |point: &usize| {
            let (length_m, door) = self.edges[at * count + point];
            if may(door) { length_m + left_m[*point] } else { f32::INFINITY }
        };
        let ways = (0..count).filter(|point| *point != at);
        let next = ways.min_by(|a, b| whole_m(a).total_cmp(&whole_m(b)))?;
        (whole_m(&next) < f32::INFINITY).then(|| (self.points[next], whole_m(&next)))
    }

    /// The next place on the way, and how long the whole way is, m; none if there is none. `is_shut` says which doors are
    /// believed to be shut.
    pub(crate) fn toward(
        &self,
        level: &Level,
        from: Vec2,
        to: Vec2,
        is_shut: impl Fn(u8) -> bool,
    ) -> Option<(Vec2, f32)> {
        let may = |door: Option<u8>| door.is_none_or(|door| !is_shut(door));
        let straight = |a: Vec2, b: Vec2| {
            let (length_m, door) = self.edge(level, a, b);
            if may(door) { length_m } else { f32::INFINITY }
        };
        let direct_m = straight(from, to);
        if direct_m < f32::INFINITY {
            return Some((to, direct_m));
        }
        // From the goal backward, so that the first hop is the answer.
        let count = self.points.len();
        let mut left_m = [f32::INFINITY; POINTS_MAX];
        let mut is_done = [false; POINTS_MAX];
        for (left, &point) in left_m.iter_mut().zip(&self.points) {
            *left = straight(point, to);
        }
        loop {
            let open = (0..count).filter(|&point| !is_done[point] && left_m[point] < f32::INFINITY);
            let Some(best) = open.min_by(|&a, &b| left_m[a].total_cmp(&left_m[b])) else { break };
            is_done[best] = true;
            for point in 0..count {
                let (length_m, door) = self.edges[best * count + point];
                if may(door) && left_m[best] + length_m < left_m[point] {
                    left_m[point] = left_m[best] + length_m;
                }
            }
        }
        if let Some(next) = self.next_from(from, to, &left_m[..count], &may, &straight) {
            return Some(next);
        }
        let whole_m = |point: &usize| left_m[*point] + self.points[*point].distance(from);
        let mut near: [(f32, usize); POINTS_MAX] = [(f32::INFINITY, 0); POINTS_MAX];
        for (place, entry) in near.iter_mut().enumerate().take(count) {
            *entry = (whole_m(&place), place);
        }
        near[..count].sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        // The best that one can go to: rays are cast in that order, so few are.
        let first = near[..count].iter().find(|(_, point)| {
            let spot = self.points[*point];
            spot.distance(from) > 0.3 && left_m[*point] < f32::INFINITY && straight(from, spot) < f32::INFINITY
        });
        first.map(|&(whole_m, point)| (self.points[point], whole_m))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]
mod tests {
    use super::*;
    use sentir_level::parse;

    #[test]
    fn every_point_of_the_rooms_is_reached_from_every_other_and_doors_matter() {
        let text = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/sense/rooms.yaml"));
        let level = parse(text.as_bytes(), "rooms.yaml").unwrap().build().unwrap();
        let ways = Ways::of(&level);
        let hides = level.annotations().iter().filter(|note| note.kind == "hide");
        let goals: Vec<Vec2> =
            ways.points.iter().copied().chain(hides.map(|note| plane::ground(note.position))).collect();
        for &goal in &goals {
            for &from in &ways.points {
                assert!(ways.toward(&level, from, goal, |_| false).is_some(), "from {from} to {goal}");
            }
        }
        let (from, to) = (Vec2::new(0.0, 0.0), Vec2::new(0.0, 10.0));
        let (_, open_m) = ways.toward(&level, from, to, |_| false).unwrap();
        let (_, round_m) = ways.toward(&level, from, to, |door| door == 0).unwrap();
        assert!(open_m < 13.0 && round_m > 25.0, "{open_m} and {round_m}");
        assert!(ways.toward(&level, from, Vec2::new(-16.0, -6.0), |_| true).is_none());
    }
}
