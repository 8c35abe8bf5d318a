//! The way to a target on the ground: a cubic Bézier curve that leaves the way one faces.

use sentir_core::glam::Vec2;
use sentir_core::plane;

/// Pieces a curve is measured by.
const PIECES: usize = 32;

/// A cubic curve on the ground, with its length by share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curve {
    /// Its four control points, m.
    pub points: [Vec2; 4],
    length_m: f32,
}

impl Curve {
    /// The curve from a place to a target that leaves along `heading` and arrives along the straight line. None when they
    /// are in one place, or not finite.
    pub fn to(from: Vec2, heading: Vec2, target: Vec2) -> Option<Curve> {
        let straight = target - from;
        let distance = straight.length();
        let (heading, straight) = (plane::direction(heading), plane::direction(straight));
        if straight == Vec2::ZERO || !(from.is_finite() && target.is_finite()) {
            return None;
        }
        let third = distance / 3.0;
        Some(Curve::of([from, from + heading * third, target - straight * third, target]))
    }

    /// The curve of four control points, m.
    pub fn of(points: [Vec2; 4]) -> Curve {
        let mut curve = Curve { points, length_m: 0.0 };
        curve.length_m = curve.rail().lengths_m.iter().sum();
        curve
    }

    /// Its pieces, measured once, for whoever asks about many places on it.
    pub(crate) fn rail(&self) -> Rail {
        let knots: [Vec2; PIECES + 1] = std::array::from_fn(|piece| self.at(piece as f32 / PIECES as f32));
        Rail { knots, lengths_m: std::array::from_fn(|piece| knots[piece].distance(knots[piece + 1])) }
    }

    /// The point at a parameter, 0..=1.
    pub fn at(&self, share: f32) -> Vec2 {
        let rest = 1.0 - share;
        let [a, b, c, d] = self.points;
        a * (rest * rest * rest)
            + b * (3.0 * rest * rest * share)
            + c * (3.0 * rest * share * share)
            + d * (share * share * share)
    }

    /// Its length, m; of 32 straight pieces.
    pub fn length_m(&self) -> f32 {
        self.length_m
    }

    /// The point so far along, m, and the direction there. Before the start is the start, past the end the end.
    pub fn along(&self, way_m: f32) -> (Vec2, Vec2) {
        self.rail().along(way_m)
    }
}

/// A curve as straight pieces.
pub(crate) struct Rail {
    knots: [Vec2; PIECES + 1],
    lengths_m: [f32; PIECES],
}

impl Rail {
    /// As [`Curve::along`].
    pub(crate) fn along(&self, way_m: f32) -> (Vec2, Vec2) {
        let mut left = if way_m > 0.0 { way_m } else { 0.0 };
        for (piece, &length) in self.lengths_m.iter().enumerate() {
            if left <= length && length > 0.0 {
                let (from, to) = (self.knots[piece], self.knots[piece + 1]);
                return (from + (to - from) * (left / length), plane::direction(to - from));
            }
            left -= length;
        }
        (self.knots[PIECES], plane::direction(self.knots[PIECES] - self.knots[PIECES - 1]))
    }
}
