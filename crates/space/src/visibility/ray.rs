//! Single rays against obstacles.

use sentir_core::glam::{DVec2, Vec2};

use super::obstacle::{Obstacles, Piece};
use super::tree::{Bounds, LEAF, STACK_MAX};

/// Walls nearer than this are where one stands, m.
const TOUCH_M: f64 = 1e-9;

/// How far along a ray a wall is, in lengths of its direction.
#[inline]
pub(super) fn meet(direction: DVec2, a: DVec2, b: DVec2) -> Option<f64> {
    let along = b - a;
    let turn = direction.perp_dot(along);
    if turn == 0.0 {
        return None;
    }
    let (far, share) = (a.perp_dot(along) / turn, a.perp_dot(direction) / turn);
    (far > TOUCH_M && (0.0..=1.0).contains(&share)).then_some(far)
}

/// Whether a ray up to `far` may touch a box seen from its start.
fn passes(direction: DVec2, bounds: &Bounds, far: f64) -> bool {
    let (mut first, mut last) = (0.0, far);
    for axis in 0..2 {
        let (low, high, step) = (bounds.low[axis], bounds.high[axis], direction[axis]);
        if step == 0.0 {
            if low > 0.0 || high < 0.0 {
                return false;
            }
            continue;
        }
        let (near, past) = if step > 0.0 { (low / step, high / step) } else { (high / step, low / step) };
        first = if near > first { near } else { first };
        last = if past < last { past } else { last };
    }
    // A hair more, for rounding: a box too many costs little.
    first <= last + 1e-9 * (1.0 + last.abs())
}

impl Obstacles {
    /// How far the first wall on a ray is, in lengths of `direction`, if it is nearer than `far`. Where one stands does not
    /// count, nor does a wall along the ray.
    pub fn ray(&self, origin: Vec2, direction: Vec2, far: f64) -> Option<f64> {
        let (origin, direction) = (origin.as_dvec2(), direction.as_dvec2());
        if !origin.is_finite() || !direction.is_finite() {
            return None;
        }
        let mut best = far;
        let meet_piece = |piece: &Piece, best: &mut f64| {
            for wall in self.piece_walls(piece) {
                let [a, b] = wall.map(|end| end - origin);
                if let Some(far) = meet(direction, a, b).filter(|far| far < best) {
                    *best = far;
                }
            }
        };
        let mut stack = [0u32; STACK_MAX];
        let mut count = usize::from(!self.tree.nodes.is_empty());
        while count > 0 {
            count -= 1;
            let node = &self.tree.nodes[stack[count] as usize];
            for side in 0..2 {
                if !passes(direction, &node.bounds[side].seen_from(origin), best) {
                    continue;
                }
                let child = node.child[side];
                if child & LEAF != 0 {
                    meet_piece(self.piece(child & !LEAF), &mut best);
                } else {
                    stack[count] = child;
                    count += 1;
                }
            }
        }
        for (number, bounds) in self.loose() {
            if passes(direction, &bounds.seen_from(origin), best) {
                meet_piece(self.piece(number), &mut best);
            }
        }
        (best < far).then_some(best)
    }
}
