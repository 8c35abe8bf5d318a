//! Obstacles: polygons and walls that end looks, in a tree of boxes, with versions and a log of what moved.
//!
//! A convex polygon is one piece: from outside only its front is looked at. Anything else is cut into chains of a few walls
//! that count from both sides, so rings may be hollow, cross themselves or be wound either way. Moving costs O(log n); what is
//! added lies beside the tree until [`Obstacles::settle`], or until there is a quarter of it.
//!
//! A version is a hash of everything that ever happened to the set: two sets with the same version hold the same walls
//! (but for an accident of one in 2⁶⁴), so caches can tell sets apart, and a set that was rolled back from one that was not.

use sentir_core::glam::{DVec2, Vec2};
use sentir_core::state::hash;
use thiserror::Error;

use super::REACH_M;
use super::tree::{Bounds, Tree};

/// Corners of a set at most.
pub const CORNERS_MAX: usize = 1 << 20;
/// Changes that are remembered at most; the older half goes when there are more.
pub const CHANGES_MAX: usize = 256;
/// Walls of a chain.
const CHAIN: usize = 6;
/// Pieces beside the tree before it is built anew, at least.
const LOOSE_MIN: usize = 8;

/// A number of an obstacle of its set. Never used twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, sentir_core::State)]
pub struct ObstacleId(pub u32);

/// Why an obstacle is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ObstacleError {
    /// Too few corners.
    #[error("an obstacle has {count} corners: expected at least {least}")]
    TooFew {
        /// How many there are.
        count: usize,
        /// How many there must be.
        least: usize,
    },
    /// A corner is no number, or too far out.
    #[error("corner {corner} of an obstacle is no number or too far out: expected at most {REACH_M} m along each axis")]
    OutOfReach {
        /// Which corner, from 0.
        corner: usize,
    },
    /// Too many corners.
    #[error("the obstacles have too many corners: expected at most {CORNERS_MAX}")]
    TooLarge,
    /// No such obstacle.
    #[error("there is no obstacle {id}: it was removed, or belongs to another set")]
    Unknown {
        /// Its number.
        id: u32,
    },
}

#[derive(Clone, Copy, Debug)]
struct Shape {
    is_closed: bool,
    is_gone: bool,
    first_piece: u32,
    piece_count: u32,
    bounds: Bounds,
}

/// A run of corners: a convex ring, or a chain of walls.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    first: u32,
    count: u32,
    pub(crate) is_convex: bool,
}

/// One change: where something was, and where it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    version: u64,
    pub(crate) boxes: [Bounds; 2],
}

/// What ends looks.
#[derive(Clone, Debug, Default)]
pub struct Obstacles {
    shapes: Vec<Shape>,
    pieces: Vec<Piece>,
    bounds: Vec<Bounds>,
    points: Vec<DVec2>,
    pub(crate) tree: Tree,
    /// How many pieces the tree holds; those after are loose.
    indexed: usize,
    /// Moves since the tree was built.
    moves: usize,
    version: u64,
    /// The version before the oldest change.
    base: u64,
    changes: Vec<Change>,
    walls: usize,
}

impl Obstacles {
    /// A set of polygons and of single walls, with its tree.
    ///
    /// # Errors
    /// The first obstacle that is none.
    pub fn build(polygons: &[Vec<Vec2>], walls: &[[Vec2; 2]]) -> Result<Obstacles, ObstacleError> {
        let mut set = Obstacles::default();
        for polygon in polygons {
            set.place(polygon, true)?;
        }
        for wall in walls {
            set.place(wall, false)?;
        }
        set.settle();
        Ok(set)
    }

    /// Adds a polygon, wound either way; its inside is not seen from outside.
    ///
    /// # Errors
    /// When it is none, or the set would be too large.
    pub fn add_polygon(&mut self, corners: &[Vec2]) -> Result<ObstacleId, ObstacleError> {
        self.place(corners, true).inspect(|_| self.settle_if_many())
    }

    /// Adds a chain of walls from corner to corner.
    ///
    /// # Errors
    /// When it is none, or the set would be too large.
    pub fn add_walls(&mut self, corners: &[Vec2]) -> Result<ObstacleId, ObstacleError> {
        self.place(corners, false).inspect(|_| self.settle_if_many())
    }

    /// Gives an obstacle other corners: moves, turns or bends it.
    ///
    /// # Errors
    /// When the corners are no obstacle or there is none of that number; it is as it was then.
    pub fn replace(&mut self, id: ObstacleId, corners: &[Vec2]) -> Result<(), ObstacleError> {
        let shape = self.shape(id)?;
        self.check(corners, shape.is_closed)?;
        let before = shape.bounds;
        let is_convex = shape.is_closed && convex_turn(corners).is_some();
        let old: Vec<Piece> = self.pieces[shape.first_piece as usize..][..shape.piece_count as usize].to_vec();
        let fits = match *old.as_slice() {
            [piece] if piece.is_convex => is_convex && piece.count as usize == corners.len(),
            [piece] => !is_convex && !shape.is_closed && piece.count as usize == corners.len(),
            _ => false,
        };
        if fits {
            let piece = old[0];
            let turn = if is_convex { convex_turn(corners).unwrap_or(1.0) } else { 1.0 };
            let count = corners.len();
            for number in 0..count {
                let from = if turn < 0.0 { count - 1 - number } else { number };
                self.points[piece.first as usize + number] = corners[from].as_dvec2();
            }
            let bounds = self.around(&piece);
            self.bounds[shape.first_piece as usize] = bounds;
            self.tree.refit(shape.first_piece, bounds);
            self.shapes[id.0 as usize].bounds = bounds;
        } else {
            self.clear_pieces(&shape);
            let (first_piece, bounds) = self.cut(corners, shape.is_closed);
            let piece_count = self.pieces.len() as u32 - first_piece;
            self.shapes[id.0 as usize] = Shape { first_piece, piece_count, bounds, ..shape };
        }
        self.note(id, corners, [before, self.shapes[id.0 as usize].bounds]);
        self.moves += 1;
        self.settle_if_many();
        Ok(())
    }

    /// Takes an obstacle away.
    ///
    /// # Errors
    /// When there is none of that number.
    pub fn remove(&mut self, id: ObstacleId) -> Result<(), ObstacleError> {
        let shape = self.shape(id)?;
        self.clear_pieces(&shape);
        let gone = Shape { is_gone: true, piece_count: 0, bounds: Bounds::EMPTY, ..shape };
        self.shapes[id.0 as usize] = gone;
        self.note(id, &[], [shape.bounds, Bounds::EMPTY]);
        self.moves += 1;
        self.settle_if_many();
        Ok(())
    }

    /// Builds the tree anew over all that there is: O(n log n). Answers are the same before and after.
    pub fn settle(&mut self) {
        let (mut pieces, mut points, mut bounds) = (Vec::new(), Vec::new(), Vec::new());
        for shape in &mut self.shapes {
            let old = &self.pieces[shape.first_piece as usize..][..shape.piece_count as usize];
            shape.first_piece = pieces.len() as u32;
            for piece in old {
                let run = &self.points[piece.first as usize..][..piece.count as usize];
                pieces.push(Piece { first: points.len() as u32, ..*piece });
                bounds.push(Bounds::around(run.iter().copied()));
                points.extend_from_slice(run);
            }
        }
        (self.pieces, self.points, self.bounds) = (pieces, points, bounds);
        self.tree.build(&self.bounds);
        (self.indexed, self.moves) = (self.pieces.len(), 0);
    }

    /// A number that differs whenever the walls do.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// How many obstacles there are.
    pub fn len(&self) -> usize {
        self.shapes.iter().filter(|shape| !shape.is_gone).count()
    }

    /// Whether nothing ends a look.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many walls there are.
    pub fn wall_count(&self) -> usize {
        self.walls
    }

    /// Every wall, in a fixed order.
    pub fn walls(&self) -> impl Iterator<Item = [Vec2; 2]> + '_ {
        self.pieces.iter().flat_map(|piece| self.piece_walls(piece)).map(|wall| wall.map(|end| end.as_vec2()))
    }

    /// The corners of an obstacle of one convex piece or one chain; none of what is gone or was cut into several.
    pub(crate) fn rings(&self) -> impl Iterator<Item = (&[DVec2], bool)> + '_ {
        let all = self.pieces.iter().filter(|piece| piece.count > 0);
        all.map(|piece| (self.corners(piece), piece.is_convex))
    }

    /// What changed since a version, the oldest first; none if that is not known.
    pub(crate) fn changes_since(&self, version: u64) -> Option<&[Change]> {
        if version == self.version {
            return Some(&[]);
        }
        if version == self.base {
            return Some(&self.changes);
        }
        let last = self.changes.iter().rposition(|change| change.version == version)?;
        Some(&self.changes[last + 1..])
    }

    #[inline(always)]
    pub(crate) fn piece(&self, number: u32) -> &Piece {
        &self.pieces[number as usize]
    }

    #[inline(always)]
    pub(crate) fn corners(&self, piece: &Piece) -> &[DVec2] {
        &self.points[piece.first as usize..][..piece.count as usize]
    }

    /// Pieces beside the tree, with their boxes.
    pub(crate) fn loose(&self) -> impl Iterator<Item = (u32, &Bounds)> {
        (self.indexed as u32..).zip(&self.bounds[self.indexed..])
    }

    pub(crate) fn piece_walls(&self, piece: &Piece) -> impl Iterator<Item = [DVec2; 2]> + '_ {
        let corners = self.corners(piece);
        let closing = if piece.is_convex { corners.last().zip(corners.first()) } else { None };
        let chain = corners.windows(2).map(|pair| [pair[0], pair[1]]);
        chain.chain(closing.map(|(&a, &b)| [a, b]))
    }

    fn shape(&self, id: ObstacleId) -> Result<Shape, ObstacleError> {
        let shape = self.shapes.get(id.0 as usize).filter(|shape| !shape.is_gone);
        shape.copied().ok_or(ObstacleError::Unknown { id: id.0 })
    }

    fn check(&self, corners: &[Vec2], is_closed: bool) -> Result<(), ObstacleError> {
        let (count, least) = (corners.len(), if is_closed { 3 } else { 2 });
        if count < least {
            return Err(ObstacleError::TooFew { count, least });
        }
        let is_out = |corner: &Vec2| !(corner.x.abs() <= REACH_M && corner.y.abs() <= REACH_M);
        if let Some(corner) = corners.iter().position(is_out) {
            return Err(ObstacleError::OutOfReach { corner });
        }
        if self.points.len() + 2 * count > 2 * CORNERS_MAX {
            return Err(ObstacleError::TooLarge);
        }
        Ok(())
    }

    fn place(&mut self, corners: &[Vec2], is_closed: bool) -> Result<ObstacleId, ObstacleError> {
        self.check(corners, is_closed)?;
        let id = ObstacleId(self.shapes.len() as u32);
        let (first_piece, bounds) = self.cut(corners, is_closed);
        let piece_count = self.pieces.len() as u32 - first_piece;
        self.shapes.push(Shape { is_closed, is_gone: false, first_piece, piece_count, bounds });
        self.note(id, corners, [Bounds::EMPTY, bounds]);
        Ok(id)
    }

    /// Makes pieces of corners; the first one's number, and the box around all.
    fn cut(&mut self, corners: &[Vec2], is_closed: bool) -> (u32, Bounds) {
        let first_piece = self.pieces.len() as u32;
        let turn = if is_closed { convex_turn(corners) } else { None };
        if let Some(turn) = turn {
            let first = self.points.len() as u32;
            self.points.extend(corners.iter().map(|corner| corner.as_dvec2()));
            if turn < 0.0 {
                self.points[first as usize..].reverse();
            }
            self.push(Piece { first, count: corners.len() as u32, is_convex: true });
        } else {
            let count = corners.len() + usize::from(is_closed);
            let mut begin = 0;
            while begin + 1 < count {
                let end = (begin + CHAIN + 1).min(count);
                let first = self.points.len() as u32;
                let run = (begin..end).map(|number| corners[number % corners.len()].as_dvec2());
                self.points.extend(run);
                self.push(Piece { first, count: (end - begin) as u32, is_convex: false });
                begin = end - 1;
            }
        }
        (first_piece, Bounds::around(corners.iter().map(|corner| corner.as_dvec2())))
    }

    fn push(&mut self, piece: Piece) {
        self.walls += piece.count as usize - usize::from(!piece.is_convex);
        self.pieces.push(piece);
        let bounds = self.around(&piece);
        self.bounds.push(bounds);
    }

    fn around(&self, piece: &Piece) -> Bounds {
        Bounds::around(self.corners(piece).iter().copied())
    }

    fn clear_pieces(&mut self, shape: &Shape) {
        for number in shape.first_piece..shape.first_piece + shape.piece_count {
            let piece = &mut self.pieces[number as usize];
            self.walls -= piece.count as usize - usize::from(!piece.is_convex);
            *piece = Piece { first: 0, count: 0, is_convex: true };
            self.bounds[number as usize] = Bounds::EMPTY;
            self.tree.refit(number, Bounds::EMPTY);
        }
    }

    fn settle_if_many(&mut self) {
        let loose = self.pieces.len() - self.indexed;
        if loose > LOOSE_MIN + self.indexed / 4 || self.moves > LOOSE_MIN + 4 * self.pieces.len() {
            self.settle();
        }
    }

    fn note(&mut self, id: ObstacleId, corners: &[Vec2], boxes: [Bounds; 2]) {
        let count = corners.len() as u64;
        let content = corners.iter().fold(hash(&(u64::from(id.0), count)), |so_far, corner| {
            hash(&(so_far, (u64::from(corner.x.to_bits()) << 32) | u64::from(corner.y.to_bits())))
        });
        self.version = hash(&(self.version, content));
        if self.changes.len() >= CHANGES_MAX {
            self.base = self.changes[CHANGES_MAX / 2 - 1].version;
            self.changes.drain(..CHANGES_MAX / 2);
        }
        self.changes.push(Change { version: self.version, boxes });
    }
}

/// Which way a convex ring turns (> 0 is counter-clockwise); none for a ring that is not convex, has no area, or the same
/// corner twice in turn.
fn convex_turn(corners: &[Vec2]) -> Option<f64> {
    let count = corners.len();
    let at = |number: usize| corners[number % count].as_dvec2();
    let (mut turn, mut swaps) = (0.0, [0; 2]);
    let mut last = [0.0; 2];
    // Twice around, so that the first direction is compared, too.
    for number in 0..2 * count {
        let (a, b, c) = (at(number), at(number + 1), at(number + 2));
        if a == b {
            return None;
        }
        let here = (b - a).perp_dot(c - b);
        if here != 0.0 {
            if turn != 0.0 && (here > 0.0) != (turn > 0.0) {
                return None;
            }
            turn = here;
        }
        for axis in 0..2 {
            let step = (b - a)[axis];
            if step != 0.0 {
                swaps[axis] += u32::from(last[axis] != 0.0 && (step > 0.0) != (last[axis] > 0.0));
                last[axis] = step;
            }
        }
    }
    // A convex ring goes forth and back once along each axis: at most four swaps in two rounds.
    (turn != 0.0 && swaps.iter().all(|&count| count <= 4)).then_some(turn)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring(corners: &[(f32, f32)]) -> Vec<Vec2> {
        corners.iter().map(|&(x, y)| Vec2::new(x, y)).collect()
    }

    #[test]
    fn convex_rings_are_told_from_others_either_way_round() {
        let square = ring(&[(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]);
        let back: Vec<Vec2> = square.iter().rev().copied().collect();
        assert!(convex_turn(&square).unwrap() > 0.0 && convex_turn(&back).unwrap() < 0.0);
        let bow = ring(&[(0.0, 0.0), (1.0, 1.0), (1.0, 0.0), (0.0, 1.0)]);
        let flat = ring(&[(0.0, 0.0), (1.0, 0.0), (2.0, 0.0)]);
        let spike = ring(&[(0.0, 0.0), (3.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)]);
        // All turns the same way, but twice around.
        let star = ring(&[(0.0, 3.0), (-1.8, -2.4), (2.9, 0.9), (-2.9, 0.9), (1.8, -2.4)]);
        for odd in [bow, flat, spike, star] {
            assert_eq!(convex_turn(&odd), None, "{odd:?}");
        }
    }

    #[test]
    fn what_is_no_obstacle_is_refused_with_a_sentence() {
        let mut set = Obstacles::default();
        let say = |result: Result<ObstacleId, ObstacleError>| result.unwrap_err().to_string();
        let two = ring(&[(0.0, 0.0), (1.0, 0.0)]);
        assert_eq!(say(set.add_polygon(&two)), "an obstacle has 2 corners: expected at least 3");
        assert_eq!(say(set.add_walls(&two[..1])), "an obstacle has 1 corners: expected at least 2");
        let far = ring(&[(0.0, 0.0), (f32::NAN, 0.0)]);
        let sentence =
            "corner 1 of an obstacle is no number or too far out: expected at most 1000000 m along each axis";
        assert_eq!(say(set.add_walls(&far)), sentence);
        assert_eq!(set.add_walls(&vec![Vec2::ZERO; CORNERS_MAX + 1]), Err(ObstacleError::TooLarge));
        assert_eq!(set.version(), 0);
        let gone = "there is no obstacle 3: it was removed, or belongs to another set";
        assert_eq!(set.remove(ObstacleId(3)).unwrap_err().to_string(), gone);
    }

    #[test]
    fn edits_are_versions_and_leave_as_many_walls_as_there_should_be() {
        let square = ring(&[(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]);
        let shifted: Vec<Vec2> = square.iter().map(|&corner| corner + Vec2::new(5.0, 0.0)).collect();
        let hollow = ring(&[(0.0, 0.0), (3.0, 0.0), (1.0, 1.0), (0.0, 3.0)]);
        let mut set = Obstacles::build(std::slice::from_ref(&square), &[[Vec2::ZERO, Vec2::X]]).unwrap();
        let before = set.version();
        let id = ObstacleId(0);
        set.replace(id, &shifted).unwrap();
        assert_eq!((set.wall_count(), set.walls().count(), set.changes_since(before).unwrap().len()), (5, 5, 1));
        set.replace(id, &hollow).unwrap();
        assert_eq!((set.wall_count(), set.len()), (5, 2));
        set.replace(id, &square[..3]).unwrap();
        set.remove(id).unwrap();
        assert_eq!((set.wall_count(), set.walls().count(), set.len()), (1, 1, 1));
        assert!(set.replace(id, &square).is_err() && set.changes_since(12).is_none());
        // The same history gives the same version, another one another.
        let again = Obstacles::build(std::slice::from_ref(&square), &[[Vec2::ZERO, Vec2::X]]).unwrap();
        let other = Obstacles::build(std::slice::from_ref(&square), &[[Vec2::ZERO, Vec2::Y]]).unwrap();
        assert!(again.version() == before && other.version() != before);
        for _ in 0..2 * CHANGES_MAX {
            set.add_walls(&[Vec2::ZERO, Vec2::ONE]).unwrap();
        }
        assert!(set.changes_since(before).is_none() && set.walls().count() == 1 + 2 * CHANGES_MAX);
    }
}
