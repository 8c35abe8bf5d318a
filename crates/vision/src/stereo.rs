//! Two eyes: distance from where a thing is on two pictures, without a depth buffer.
//!
//! Both eyes look the same way, `gap_m` apart, so a point lies in one row of both pictures, and its columns differ by
//! focal length · gap / distance. Measured on the middles of objects, to a fraction of a pixel. O(pixels) a class.

use sentir_core::glam::Vec3;
use sentir_core::math;

use crate::eye::{Eye, Lens};
use crate::thing::Class;
use crate::viewport::Viewport;

/// The left and the right eye of a head whose eyes are `gap_m` apart.
pub fn pair(head: &Eye, gap_m: f32) -> [Eye; 2] {
    let (sin, cos) = math::sin_cos(head.yaw);
    let right = Vec3::new(cos, 0.0, -sin) * (gap_m / 2.0);
    [Eye { position: head.position - right, ..*head }, Eye { position: head.position + right, ..*head }]
}

/// Distance along the view of what is at these columns of the left and the right picture, m; none if it would be at or beyond
/// infinity.
pub fn distance_m(lens: &Lens, gap_m: f32, left: f32, right: f32) -> Option<f32> {
    let distance = lens.focal_px() * gap_m / (left - right);
    (distance > 0.0 && distance.is_finite()).then_some(distance)
}

/// The middle of all pixels of a class: column and row, with fractions; none if there are none.
pub fn middle(view: &Viewport, class: Class) -> Option<(f32, f32)> {
    let width = view.lens().width as usize;
    let (mut columns, mut rows, mut count) = (0u64, 0u64, 0u64);
    for (place, _) in view.classes.iter().enumerate().filter(|(_, one)| **one == class) {
        columns += (place % width) as u64;
        rows += (place / width) as u64;
        count += 1;
    }
    let mean = |sum: u64| (sum as f64 / count as f64 + 0.5) as f32;
    (count > 0).then(|| (mean(columns), mean(rows)))
}

/// Distance along the view of the one thing of a class that both eyes see whole, m. None if either does not see it, or if it is
/// too far for these eyes: a difference under half a pixel.
pub fn judge_m(left: &Viewport, right: &Viewport, gap_m: f32, class: Class) -> Option<f32> {
    let ((a, _), (b, _)) = (middle(left, class)?, middle(right, class)?);
    if (a - b).abs() < 0.5 {
        return None;
    }
    distance_m(left.lens(), gap_m, a, b)
}
