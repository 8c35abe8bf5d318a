//! What everybody knows of the ground of `skirmish`: way points, the ways between them, items, bases. A stand-in for path
//! finding: straight lines between points, and a table of how far it is from each to each.

use sentir::core::glam::{Vec2, Vec3};
use sentir::core::id::TeamId;
use sentir::core::tick::TickRate;
use sentir::core::{order, plane};
use sentir_level::{Level, LevelState, LevelView, PieceId};

use super::{BLUE, RED};
use sentir_harness::info::SceneError;
use sentir_sim::item::{Gives, ItemTable};

/// What a way needs on either side, m: a body and a hand's breadth.
const CLEARANCE_M: f32 = 0.36;
/// How high over the ground a way must be free, m: over what one steps on, under the knee.
const KNEE_M: f32 = 0.5;
/// Way points at most.
const POINTS_MAX: usize = 64;

/// Public knowledge, checked.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) level: Level,
    /// With every door open and every wall whole.
    open: LevelState,
    /// Way points.
    pub(super) points: Vec<Vec2>,
    /// Length of the way from one point to another, m; row by row.
    ways_m: Vec<f32>,
    /// Where health lies.
    pub(super) health: Vec<Vec2>,
    /// Where ammunition lies.
    pub(super) ammo: Vec<Vec2>,
    /// Middles of the supply areas of both sides.
    bases: [Vec2; 2],
    /// Middles of closed doors.
    pub(super) doors: Vec<Vec2>,
}

impl Layout {
    /// Reads a level, and checks that every way point can be reached from every other.
    pub(super) fn of(level: Level, items: &ItemTable) -> Result<Layout, SceneError> {
        let notes = level.annotations().iter().filter(|note| note.kind == "way");
        let points: Vec<Vec2> = notes.map(|note| plane::ground(note.position)).collect();
        if points.is_empty() || points.len() > POINTS_MAX {
            return Err(whole(format!("there are {} annotations of kind 'way'; 1 to {POINTS_MAX} work", points.len())));
        }
        let mut open = LevelState::new(&level);
        let mut doors = Vec::new();
        for (index, piece) in (0..).zip(level.pieces()) {
            if let Some(door) = &piece.door {
                // Of a door that slides, half the way is the middle of the opening.
                doors.push(plane::ground((piece.pose.position + door.open.position) * 0.5));
                open.lock_door(PieceId(index), false);
                open.open_door(&level, PieceId(index));
                open.step(&level, TickRate::new(1));
            }
        }
        let of_kind = |gives: Gives| {
            let rules = items.rules().iter().filter(move |rule| rule.gives == gives);
            rules.map(|rule| plane::ground(rule.position)).collect()
        };
        let base = |name: &str| -> Result<Vec2, SceneError> {
            let area = level.areas().iter().find(|area| area.kind == "supply" && area.name == name);
            let area = area.ok_or_else(|| whole(format!("there is no supply area named '{name}'")))?;
            Ok(area.outline.iter().copied().sum::<Vec2>() / area.outline.len() as f32)
        };
        let bases = [base("red base")?, base("blue base")?];
        let (health, ammo) = (of_kind(Gives::Health), of_kind(Gives::Ammo));
        let mut layout = Layout { level, open, points, ways_m: Vec::new(), health, ammo, bases, doors };
        layout.connect();
        match layout.ways_m.iter().position(|way_m| !way_m.is_finite()) {
            Some(place) => {
                let (from, to) = (place / layout.points.len(), place % layout.points.len());
                Err(whole(format!("no way leads from way point {} to way point {}", from + 1, to + 1)))
            }
            None => Ok(layout),
        }
    }

    /// Fills the table of ways (Floyd and Warshall).
    fn connect(&mut self) {
        let count = self.points.len();
        self.ways_m = vec![f32::INFINITY; count * count];
        for from in 0..count {
            for to in 0..count {
                let (a, b) = (self.points[from], self.points[to]);
                if from == to || self.is_free(a, b) {
                    self.ways_m[from * count + to] = a.distance(b);
                }
            }
        }
        for over in 0..count {
            for from in 0..count {
                for to in 0..count {
                    let way_m = self.ways_m[from * count + over] + self.ways_m[over * count + to];
                    if way_m < self.ways_m[from * count + to] - 1e-3 {
                        self.ways_m[from * count + to] = way_m;
                    }
                }
            }
        }
    }

    /// Whether a body can walk straight from one place to another, through open doors.
    pub(super) fn is_free(&self, from: Vec2, to: Vec2) -> bool {
        let view = LevelView { level: &self.level, state: &self.open };
        !view.capsule_overlap(plane::lift(from, KNEE_M), plane::lift(to, KNEE_M), CLEARANCE_M)
    }

    /// Where to walk next, straight, to come to `goal`; the goal itself if nothing is between.
    pub(super) fn toward(&self, from: Vec2, goal: Vec2) -> Vec2 {
        if self.is_free(from, goal) {
            return goal;
        }
        let last = self.nearest(goal).unwrap_or(0);
        let count = self.points.len();
        let whole_m = |place: usize| {
            let point = self.points[place];
            if self.is_free(from, point) { from.distance(point) + self.ways_m[place * count + last] } else { f32::NAN }
        };
        let first = order::least((0..count).map(whole_m)).or_else(|| self.nearest(from));
        first.map_or(goal, |place| self.points[place])
    }

    /// The nearest way point that a place is open to; the nearest of all if there is none.
    fn nearest(&self, place: Vec2) -> Option<usize> {
        let apart = |point: &Vec2| point.distance_squared(place);
        let open = |point: &Vec2| if self.is_free(place, *point) { apart(point) } else { f32::NAN };
        order::least(self.points.iter().map(open)).or_else(|| order::least(self.points.iter().map(apart)))
    }

    /// The middle of a side's supply area.
    pub(super) fn base(&self, team: TeamId) -> Vec2 {
        self.bases[usize::from(team != RED)]
    }

    /// Whether the eyes of somebody who stands at `from` see one who stands at `to`, doors open and walls whole.
    pub(super) fn sees(&self, from: Vec3, to: Vec3) -> bool {
        LevelView { level: &self.level, state: &self.open }.sees(from, to)
    }

    /// The first door within `reach_m` of a place.
    pub(super) fn door_near(&self, place: Vec2, reach_m: f32) -> Option<Vec2> {
        self.doors.iter().copied().find(|door| door.distance(place) <= reach_m)
    }
}

/// The other side.
pub(super) fn foe_of(team: TeamId) -> TeamId {
    if team == RED { BLUE } else { RED }
}

fn whole(what: String) -> SceneError {
    SceneError::Asset { name: super::LEVEL.to_owned(), line: 0, column: 0, what }
}
