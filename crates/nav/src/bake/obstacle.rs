//! Obstacles that come and go: shapes on the ground with a foot and a top. A cell is taken when its middle is inside.

use sentir_core::glam::Vec2;
use sentir_core::{State, math, plane};

use super::config::BakeError;

/// The outline of an obstacle on the ground.
#[derive(Clone, Debug, PartialEq, State)]
pub enum Shape {
    /// A circle: a cylinder.
    Circle {
        /// Middle, ground coordinates, m.
        center: Vec2,
        /// Radius, m. Limit: > 0.
        radius_m: f32,
    },
    /// A rectangle, turned about its middle.
    Rectangle {
        /// Middle, ground coordinates, m.
        center: Vec2,
        /// Half the extent along its own axes, m. Limit: > 0.
        half: Vec2,
        /// Turn, counter-clockwise from above, rad.
        yaw: f32,
    },
    /// A convex polygon, either way round.
    Polygon(
        /// Corners, ground coordinates, m. Limit: 3..=64.
        Vec<Vec2>,
    ),
}

/// An obstacle: nobody walks where a body would touch it.
#[derive(Clone, Debug, PartialEq, State)]
pub struct Obstacle {
    /// Its outline.
    pub shape: Shape,
    /// Height of its foot, m.
    pub low_m: f32,
    /// Height of its top, m. Limit: ≥ `low_m`.
    pub high_m: f32,
}

/// Some points round an obstacle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ring {
    pub(crate) count: usize,
    pub(crate) corners: [Vec2; 8],
}

impl Obstacle {
    /// Whether it is a shape with an inside and finite numbers. `number` is told in the error.
    pub fn check(&self, number: usize) -> Result<(), BakeError> {
        let refuse = |why: &'static str| Err(BakeError::Shape { what: "obstacle", number: number as u64, why });
        if !(self.low_m.is_finite() && self.high_m.is_finite() && self.low_m <= self.high_m) {
            return refuse("its heights are no numbers, or its top is under its foot");
        }
        match &self.shape {
            Shape::Circle { center, radius_m } if !(center.is_finite() && *radius_m > 0.0 && *radius_m < 1e6) => {
                refuse("expected a finite middle and a radius over 0 m")
            }
            Shape::Rectangle { center, half, yaw }
                if !(center.is_finite() && half.is_finite() && half.x > 0.0 && half.y > 0.0 && yaw.is_finite()) =>
            {
                refuse("expected a finite middle and turn, and a size over 0 m")
            }
            Shape::Polygon(corners) if !is_convex(corners) => {
                refuse("expected 3 to 64 finite corners of a convex polygon")
            }
            _ => Ok(()),
        }
    }

    /// The box around it on the ground, m.
    pub fn bounds(&self) -> (Vec2, Vec2) {
        match &self.shape {
            Shape::Circle { center, radius_m } => (*center - Vec2::splat(*radius_m), *center + Vec2::splat(*radius_m)),
            _ => around(&self.outline()),
        }
    }

    /// Its corners, counter-clockwise; none for a circle.
    pub(crate) fn outline(&self) -> Vec<Vec2> {
        match &self.shape {
            Shape::Circle { .. } => Vec::new(),
            Shape::Rectangle { center, half, yaw } => {
                let (sin, cos) = math::sin_cos(*yaw);
                let corner = |x: f32, y: f32| *center + Vec2::new(x * cos - y * sin, x * sin + y * cos);
                vec![corner(-half.x, -half.y), corner(half.x, -half.y), corner(half.x, half.y), corner(-half.x, half.y)]
            }
            Shape::Polygon(corners) => {
                let mut corners = corners.clone();
                let turn: f32 = corners.windows(2).map(|pair| plane::side(corners[0], pair[0], pair[1])).sum();
                if turn < 0.0 {
                    corners.reverse();
                }
                corners
            }
        }
    }

    /// Its middle, and corners round it: all of a box, up to eight of a polygon, four points of a circle.
    pub(crate) fn ring(&self) -> (Vec2, Ring) {
        let mut ring = Ring { count: 4, corners: [Vec2::ZERO; 8] };
        let center = match &self.shape {
            Shape::Circle { center, radius_m } => {
                let way = [Vec2::X, Vec2::Y, Vec2::NEG_X, Vec2::NEG_Y];
                (0..4).for_each(|at| ring.corners[at] = *center + way[at] * *radius_m);
                *center
            }
            Shape::Rectangle { center, half, yaw } => {
                let (sin, cos) = math::sin_cos(*yaw);
                for (at, (x, y)) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].into_iter().enumerate() {
                    let (x, y) = (half.x * x, half.y * y);
                    ring.corners[at] = *center + Vec2::new(x * cos - y * sin, x * sin + y * cos);
                }
                *center
            }
            Shape::Polygon(corners) => {
                ring.count = corners.len().clamp(1, 8);
                for at in 0..ring.count.min(corners.len()) {
                    ring.corners[at] = corners[at * corners.len() / ring.count];
                }
                corners.iter().sum::<Vec2>() / corners.len().max(1) as f32
            }
        };
        (center, ring)
    }

    /// How far a ground point is from it, m; 0 inside.
    pub fn distance_m(&self, point: Vec2) -> f32 {
        let ring = |corners: &[Vec2]| {
            let count = corners.len();
            let sides = || (0..count).map(|at| (corners[at], corners[(at + 1) % count]));
            let is_left = |sign: f32| sides().all(|(a, b)| sign * plane::side(a, b, point) >= 0.0);
            if is_left(1.0) || is_left(-1.0) {
                return 0.0;
            }
            let gap = |(a, b): (Vec2, Vec2)| plane::nearest_on_segment(a, b, point).0.distance(point);
            sides().map(gap).fold(f32::INFINITY, math::min)
        };
        match &self.shape {
            Shape::Circle { center, radius_m } => math::max(center.distance(point) - radius_m, 0.0),
            Shape::Rectangle { .. } => ring(&self.ring().1.corners[..4]),
            Shape::Polygon(corners) => ring(corners),
        }
    }

    /// Whether a ground point is inside; `outline` is its [`outline`](Self::outline).
    #[inline]
    pub(crate) fn holds(&self, outline: &[Vec2], point: Vec2) -> bool {
        match &self.shape {
            Shape::Circle { center, radius_m } => (point - *center).length_squared() <= radius_m * radius_m,
            _ => is_inside(outline, point),
        }
    }
}

/// Whether a point is in a counter-clockwise convex polygon, its border included.
pub(crate) fn is_inside(outline: &[Vec2], point: Vec2) -> bool {
    (0..outline.len()).all(|at| plane::side(outline[at], outline[(at + 1) % outline.len()], point) >= 0.0)
}

/// The box around points.
pub(crate) fn around(points: &[Vec2]) -> (Vec2, Vec2) {
    points.iter().fold((Vec2::INFINITY, Vec2::NEG_INFINITY), |(low, high), at| {
        let low = Vec2::new(math::min(low.x, at.x), math::min(low.y, at.y));
        (low, Vec2::new(math::max(high.x, at.x), math::max(high.y, at.y)))
    })
}

/// Whether corners bound a convex polygon, either way round, that goes round once.
pub(crate) fn is_convex(corners: &[Vec2]) -> bool {
    let count = corners.len();
    if !(3..=64).contains(&count) || !corners.iter().all(|corner| corner.is_finite()) {
        return false;
    }
    let at = |index: usize| corners[index % count];
    let sides = |sign: f32| (0..count).all(|index| sign * plane::side(at(index), at(index + 1), at(index + 2)) >= 0.0);
    let fan = |sign: f32| (1..count - 1).all(|index| sign * plane::side(at(0), at(index), at(index + 1)) >= 0.0);
    let area: f32 = (1..count - 1).map(|index| plane::side(at(0), at(index), at(index + 1))).sum();
    (area > 0.0 && sides(1.0) && fan(1.0)) || (area < 0.0 && sides(-1.0) && fan(-1.0))
}
