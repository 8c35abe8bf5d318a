//! String pulling: the shortest way through a row of portals, after Lee and Preparata's funnel.
//!
//! The apex is the last certain corner; the funnel's sides are the tightest portal ends seen from it. A portal end that
//! crosses over to the other side makes that side's end the next apex, and the walk goes on from there. Sides are compared
//! on given points in double precision. Cost O(portals) as a rule, O(portals²) at worst (a fan walked anew at each corner).

use sentir_core::glam::{DVec2, Vec3};

use super::patch::ground;

/// An edge to pass, and the cost factor of the ground beyond.
#[derive(Clone, Copy, Debug)]
pub(super) struct Portal {
    pub(super) left: Vec3,
    pub(super) right: Vec3,
    pub(super) factor: f64,
}

/// Memory of [`Funnel::pull`].
#[derive(Clone, Debug, Default)]
pub(super) struct Funnel {
    /// Corners, each with the number of portals before it.
    corners: Vec<(Vec3, u32)>,
}

impl Funnel {
    /// Adds the way from `from` (left out) to `to` through the portals to `path`; its cost.
    pub(super) fn pull(&mut self, from: Vec3, to: Vec3, portals: &[Portal], factor: f64, path: &mut Vec<Vec3>) -> f64 {
        self.corners.clear();
        let end = Portal { left: to, right: to, factor: 1.0 };
        let portal = |number: usize| portals.get(number).unwrap_or(&end);
        let (mut apex, mut at) = (ground(from), 0);
        // Ends of the funnel, and the portals they are of.
        let (mut left, mut right) = (apex, apex);
        let (mut left_portal, mut right_portal) = (0, 0);
        let mut is_new = true;
        while at <= portals.len() {
            let Portal { left: to_left, right: to_right, .. } = *portal(at);
            let (new_left, new_right) = (ground(to_left), ground(to_right));
            if is_new && stands_in(apex, new_left, new_right) {
                // It stands in this portal already, and may turn round there at will.
                at += 1;
                continue;
            }
            if is_new {
                (left, right, left_portal, right_portal, is_new) = (new_left, new_right, at, at, false);
                at += 1;
                continue;
            }
            let side = |a: DVec2, b: DVec2| (a - apex).perp_dot(b - apex);
            if side(right, new_right) >= 0.0 {
                if side(left, new_right) <= 0.0 {
                    (right, right_portal) = (new_right, at);
                } else {
                    // The right end crosses over the left one: a corner there.
                    self.corners.push((portal(left_portal).left, left_portal as u32 + 1));
                    (apex, at, is_new) = (left, left_portal + 1, true);
                    continue;
                }
            }
            if side(left, new_left) <= 0.0 {
                if side(right, new_left) >= 0.0 {
                    (left, left_portal) = (new_left, at);
                } else {
                    self.corners.push((portal(right_portal).right, right_portal as u32 + 1));
                    (apex, at, is_new) = (right, right_portal + 1, true);
                    continue;
                }
            }
            at += 1;
        }
        self.corners.push((to, portals.len() as u32));
        self.measure(from, portals, factor, path)
    }

    /// Writes the corners down and sums costs, portal by portal where factors differ.
    fn measure(&self, from: Vec3, portals: &[Portal], factor: f64, path: &mut Vec<Vec3>) -> f64 {
        let is_plain = factor == 1.0 && portals.iter().all(|portal| portal.factor == 1.0);
        let (mut here, mut passed, mut cost, mut factor) = (ground(from), 0, 0.0, factor);
        for &(corner, count) in &self.corners {
            let there = ground(corner);
            let mut spot = here;
            if !is_plain {
                for portal in portals.get(passed..count as usize).unwrap_or_default() {
                    let (a, b) = (ground(portal.right), ground(portal.left));
                    let (way, along) = (there - here, b - a);
                    let spread = way.perp_dot(along);
                    let share = if spread > 0.0 { (a - here).perp_dot(along) / spread } else { 1.0 };
                    let share = if share > 0.0 { if share < 1.0 { share } else { 1.0 } } else { 0.0 };
                    let cross = here + way * share;
                    if (cross - here).dot(way) > (spot - here).dot(way) {
                        cost += factor * (cross - spot).length();
                        spot = cross;
                    }
                    factor = portal.factor;
                }
            }
            cost += factor * (there - spot).length();
            if path.last() != Some(&corner) {
                path.push(corner);
            }
            (here, passed) = (there, count as usize);
        }
        cost
    }
}

/// Whether a point is in a portal already: on one of its ends, or on the line between them but for a rounding.
fn stands_in(apex: DVec2, left: DVec2, right: DVec2) -> bool {
    if left == apex || right == apex {
        return true;
    }
    let (to_left, to_right) = (left - apex, right - apex);
    let rounding = 1e-6 * (1.0 + apex.x.abs() + apex.y.abs());
    to_left.dot(to_right) < 0.0 && to_right.perp_dot(to_left) <= rounding * (left - right).length()
}
