//! Axis-aligned boxes.

use glam::Vec3;
use sentir_core::{State, math};

/// An axis-aligned box, m. Empty when `low` is past `high` on any axis.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub struct Aabb {
    /// The corner with the least coordinates.
    pub low: Vec3,
    /// The corner with the greatest coordinates.
    pub high: Vec3,
}

impl Aabb {
    /// The box that holds nothing.
    pub const EMPTY: Aabb = Aabb { low: Vec3::INFINITY, high: Vec3::NEG_INFINITY };

    /// The least box that holds every point.
    #[inline]
    pub fn around(points: impl IntoIterator<Item = Vec3>) -> Aabb {
        points.into_iter().fold(Aabb::EMPTY, Aabb::with)
    }

    /// The least box that also holds `point`.
    #[inline]
    pub fn with(self, point: Vec3) -> Aabb {
        self.union(Aabb { low: point, high: point })
    }

    /// The least box that holds both.
    #[inline]
    pub fn union(self, other: Aabb) -> Aabb {
        let low = |axis: usize| math::min(self.low[axis], other.low[axis]);
        let high = |axis: usize| math::max(self.high[axis], other.high[axis]);
        Aabb { low: Vec3::new(low(0), low(1), low(2)), high: Vec3::new(high(0), high(1), high(2)) }
    }

    /// The box grown by `margin_m` on every side.
    #[inline]
    pub fn grown(self, margin_m: f32) -> Aabb {
        Aabb { low: self.low - Vec3::splat(margin_m), high: self.high + Vec3::splat(margin_m) }
    }

    /// Whether the boxes share a point; touching counts.
    #[inline]
    pub fn touches(&self, other: &Aabb) -> bool {
        (0..3).all(|axis| self.low[axis] <= other.high[axis] && other.low[axis] <= self.high[axis])
    }

    /// Whether it holds nothing.
    #[inline]
    pub fn is_empty(&self) -> bool {
        (0..3).any(|axis| self.low[axis] > self.high[axis])
    }

    /// Squared distance from a point, m²; 0 inside.
    #[inline]
    pub fn distance_squared(&self, point: Vec3) -> f32 {
        let mut sum = 0.0;
        for axis in 0..3 {
            let gap = math::max(math::max(self.low[axis] - point[axis], point[axis] - self.high[axis]), 0.0);
            sum += gap * gap;
        }
        sum
    }

    /// Half the surface, m²; what a ray's chance to enter goes by.
    #[inline]
    pub(crate) fn half_area(&self) -> f32 {
        let size = self.high - self.low;
        if self.is_empty() { 0.0 } else { size.x * size.y + size.y * size.z + size.z * size.x }
    }
}
