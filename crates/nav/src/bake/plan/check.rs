//! Which floor plans are refused, and why.

use i_overlay::i_float::int::point::IntPoint;
use sentir_core::glam::Vec2;

use super::{CORNERS_MAX, PlanConfig, PlanShape, RADIUS_MAX_M, REACH_M, UNITS_PER_M};

/// Why a floor plan is refused. Shapes, rings, corners and sides are counted from 1; ring 1 is the border, side 1 leads from
/// corner 1 to corner 2.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum PlanError {
    /// A setting is out of its range.
    #[error("{what} is {value}: expected {low} to {high}")]
    Range {
        /// Which setting.
        what: &'static str,
        /// What it is.
        value: f32,
        /// Least allowed value.
        low: f32,
        /// Greatest allowed value.
        high: f32,
    },
    /// More corners than a plan may have.
    #[error("the plan has {count} corners: expected at most {CORNERS_MAX}")]
    TooMany {
        /// How many.
        count: u64,
    },
    /// Under three corners.
    #[error("ring {ring} of shape {shape} has {count} corners: expected at least 3")]
    TooFew {
        /// Which shape.
        shape: u32,
        /// Which ring.
        ring: u32,
        /// How many.
        count: u32,
    },
    /// A corner is no number, or too far out.
    #[error("corner {corner} of ring {ring} of shape {shape} is ({x}, {y}): expected coordinates within ±{REACH_M} m")]
    Corner {
        /// Which shape.
        shape: u32,
        /// Which ring.
        ring: u32,
        /// Which corner.
        corner: u32,
        /// Where it is, m.
        x: f32,
        /// See `x`.
        y: f32,
    },
    /// Two corners in a row at one place, to the quarter of a millimeter.
    #[error("corners {corner} and {next} of ring {ring} of shape {shape} are at one place")]
    Repeated {
        /// Which shape.
        shape: u32,
        /// Which ring.
        ring: u32,
        /// Which corner.
        corner: u32,
        /// The one after it.
        next: u32,
    },
    /// A ring crosses or touches itself.
    #[error("side {side} of ring {ring} of shape {shape} meets side {other}: expected a ring that never meets itself")]
    Crossing {
        /// Which shape.
        shape: u32,
        /// Which ring.
        ring: u32,
        /// Which side.
        side: u32,
        /// Which other side.
        other: u32,
    },
    /// A ring without area.
    #[error("ring {ring} of shape {shape} has no area")]
    Flat {
        /// Which shape.
        shape: u32,
        /// Which ring.
        ring: u32,
    },
    /// A hole is not wholly inside, or meets another ring.
    #[error("ring {ring} of shape {shape} is a hole that is not inside the border, or meets ring {other}")]
    Hole {
        /// Which shape.
        shape: u32,
        /// Which ring.
        ring: u32,
        /// The ring it meets; 1 is the border.
        other: u32,
    },
    /// Rounding left an outline that crosses itself.
    #[error(
        "what is left of the plan is finer than its units of 1/{UNITS_PER_M} m: move corners that nearly touch apart"
    )]
    TooFine,
}

pub(super) type Ring = Vec<IntPoint<i32>>;

/// The rings in units, borders counter-clockwise, holes the other way.
pub(super) fn check(shapes: &[PlanShape], config: &PlanConfig) -> Result<Vec<Vec<Ring>>, PlanError> {
    let range = |what: &'static str, value: f32, low: f32, high: f32| {
        let is_in = value >= low && value <= high;
        if is_in { Ok(()) } else { Err(PlanError::Range { what, value, low, high }) }
    };
    range("the radius of the body", config.radius_m, 0.0, RADIUS_MAX_M)?;
    range("the height of the floor", config.level_m, -REACH_M, REACH_M)?;
    range("the count of corners a polygon", config.corners_max.into(), 3.0, 16.0)?;
    let rings = shapes.iter().flat_map(|shape| shape.holes.iter().chain([&shape.border]));
    let count: usize = rings.map(Vec::len).sum();
    if count > CORNERS_MAX {
        return Err(PlanError::TooMany { count: count as u64 });
    }
    let mut checked = Vec::with_capacity(shapes.len());
    for (number, shape) in (1..).zip(shapes) {
        let mut rings = vec![ring(&shape.border, number, 1)?];
        for (index, hole) in (2..).zip(&shape.holes) {
            let mut hole = ring(hole, number, index)?;
            for (other, before) in (1..).zip(&rings) {
                let is_inside = contains(before, hole[0]);
                let is_wrong = if other == 1 { !is_inside } else { is_inside || contains(&hole, before[0]) };
                if is_wrong || sides(&hole).any(|(a, b)| sides(before).any(|(c, d)| meet(a, b, c, d))) {
                    return Err(PlanError::Hole { shape: number, ring: index, other });
                }
            }
            hole.reverse();
            rings.push(hole);
        }
        checked.push(rings);
    }
    Ok(checked)
}

/// A ring in units, counter-clockwise.
fn ring(corners: &[Vec2], shape: u32, ring: u32) -> Result<Ring, PlanError> {
    if corners.len() < 3 {
        return Err(PlanError::TooFew { shape, ring, count: corners.len() as u32 });
    }
    let mut units = Ring::with_capacity(corners.len());
    for (corner, &at) in (1..).zip(corners) {
        if !(at.x.abs() <= REACH_M && at.y.abs() <= REACH_M) {
            return Err(PlanError::Corner { shape, ring, corner, x: at.x, y: at.y });
        }
        let unit = |x: f32| (f64::from(x) * f64::from(UNITS_PER_M)).round() as i32;
        units.push(IntPoint::new(unit(at.x), unit(at.y)));
    }
    let count = units.len();
    let next = |index: usize| (index + 1) % count;
    for index in 0..count {
        if units[index] == units[next(index)] {
            let (corner, next) = (index as u32 + 1, next(index) as u32 + 1);
            return Err(PlanError::Repeated { shape, ring, corner, next });
        }
    }
    for first in 0..count {
        for second in first + 1..count {
            let (a, b, c, d) = (units[first], units[next(first)], units[second], units[next(second)]);
            let folds = |a, b, d| turn(a, b, d) == 0 && dot(b, a, d) > 0;
            let crosses = if next(first) == second {
                folds(a, b, d) || count == 3 && turn(a, b, d) == 0
            } else if next(second) == first {
                folds(c, d, b)
            } else {
                meet(a, b, c, d)
            };
            if crosses {
                return Err(PlanError::Crossing { shape, ring, side: first as u32 + 1, other: second as u32 + 1 });
            }
        }
    }
    let area: i64 = (1..count - 1).map(|index| turn(units[0], units[index], units[index + 1])).sum();
    if area == 0 {
        return Err(PlanError::Flat { shape, ring });
    }
    if area < 0 {
        units.reverse();
    }
    Ok(units)
}

fn turn(a: IntPoint<i32>, b: IntPoint<i32>, c: IntPoint<i32>) -> i64 {
    let [ax, ay, bx, by, cx, cy] = [a.x, a.y, b.x, b.y, c.x, c.y].map(i64::from);
    (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
}

/// The product of the ways from `at` to two points.
fn dot(at: IntPoint<i32>, a: IntPoint<i32>, b: IntPoint<i32>) -> i64 {
    let [ox, oy, ax, ay, bx, by] = [at.x, at.y, a.x, a.y, b.x, b.y].map(i64::from);
    (ax - ox) * (bx - ox) + (ay - oy) * (by - oy)
}

fn sides(ring: &[IntPoint<i32>]) -> impl Iterator<Item = (IntPoint<i32>, IntPoint<i32>)> {
    (0..ring.len()).map(|index| (ring[index], ring[(index + 1) % ring.len()]))
}

/// Whether two closed segments share a point.
fn meet(a: IntPoint<i32>, b: IntPoint<i32>, c: IntPoint<i32>, d: IntPoint<i32>) -> bool {
    let (abc, abd, cda, cdb) =
        (turn(a, b, c).signum(), turn(a, b, d).signum(), turn(c, d, a).signum(), turn(c, d, b).signum());
    let on = |from: IntPoint<i32>, to: IntPoint<i32>, at: IntPoint<i32>, side: i64| side == 0 && dot(at, from, to) <= 0;
    (abc * abd < 0 && cda * cdb < 0) || on(a, b, c, abc) || on(a, b, d, abd) || on(c, d, a, cda) || on(c, d, b, cdb)
}

/// Whether a point is in a ring; on its border, either may be said.
fn contains(ring: &[IntPoint<i32>], at: IntPoint<i32>) -> bool {
    let crosses =
        |&(a, b): &(IntPoint<i32>, IntPoint<i32>)| (a.y > at.y) != (b.y > at.y) && (turn(a, b, at) > 0) == (b.y > a.y);
    sides(ring).filter(crosses).count() % 2 == 1
}
