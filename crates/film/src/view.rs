//! Which part of the ground a picture shows, and at what size.

use glam::{DVec2, Vec2};
use sentir_core::math;

use crate::{SIDE_PX_MAX, SIDE_PX_MIN};

/// What is shown when there is nothing to fit, m.
const METERS_ACROSS_DEFAULT: f32 = 20.0;
/// The least and the greatest part of the ground a picture shows, m.
const METERS_ACROSS_RANGE: (f32, f32) = (0.1, 1e6);
/// Height over width of a fitted picture: flat enough for a screen, high enough for a caption.
const ASPECT_RANGE: (f32, f32) = (0.3, 2.0);

/// A window on the ground, seen from above: x to the right, y up.
///
/// Any value is valid: sides are held within 16..=4096 px, `meters_across` within 0.1..=1e6, and what is not a number
/// counts as the default (the origin, 20 m).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// The ground point in the middle of the picture, m.
    pub center: Vec2,
    /// Ground length across the picture's width, m.
    pub meters_across: f32,
    /// Picture width, px.
    pub width_px: u32,
    /// Picture height, px.
    pub height_px: u32,
}

impl View {
    /// The view that holds `bounds` (two corners, as from `DrawList::bounds`) and a margin around them.
    ///
    /// The height follows the shape of the bounds, between 0.3 and 2 times the width, and is even. Without bounds, or
    /// with bounds that are not finite, it shows 20 m around the origin.
    pub fn fit(bounds: Option<(Vec2, Vec2)>, width_px: u32, margin_m: f32) -> View {
        let width_px = width_px.clamp(SIDE_PX_MIN, SIDE_PX_MAX);
        let margin = if margin_m.is_finite() { math::max(margin_m, 0.0) } else { 0.0 };
        let finite = bounds.filter(|(low, high)| low.is_finite() && high.is_finite() && (*high - *low).is_finite());
        let Some((low, high)) = finite else {
            return View {
                center: Vec2::ZERO,
                meters_across: METERS_ACROSS_DEFAULT,
                width_px,
                height_px: width_px * 3 / 4,
            }
            .clamped();
        };
        let (least, most) = METERS_ACROSS_RANGE;
        let size = (high - low).abs() + Vec2::splat(2.0 * margin);
        // A single point has no size: show the default around it.
        let size = if size.x < least && size.y < least { Vec2::new(METERS_ACROSS_DEFAULT, 15.0) } else { size };
        let size = Vec2::new(math::clamp(size.x, least, most), math::clamp(size.y, least, most));
        let aspect = math::clamp(size.y / size.x, ASPECT_RANGE.0, ASPECT_RANGE.1);
        let height_px = ((aspect * width_px as f32 * 0.5).round() as u32 * 2).clamp(SIDE_PX_MIN, SIDE_PX_MAX);
        let meters_across = math::max(size.x, size.y * width_px as f32 / height_px as f32);
        View { center: low + (high - low) * 0.5, meters_across, width_px, height_px }.clamped()
    }

    /// Pixels a meter takes.
    pub fn px_per_m(&self) -> f32 {
        self.scale() as f32
    }

    /// Where a ground point lies on the picture, px from its upper left corner, y down.
    pub fn to_px(&self, ground: Vec2) -> Vec2 {
        self.clamped().project(ground).as_vec2()
    }

    /// The ground point under a place on the picture.
    pub fn to_ground(&self, px: Vec2) -> Vec2 {
        let view = self.clamped();
        let from_middle = px.as_dvec2() - view.middle_px();
        (view.center.as_dvec2() + DVec2::new(from_middle.x, -from_middle.y) / view.scale()).as_vec2()
    }

    /// The same view with every field inside its limits.
    pub(crate) fn clamped(&self) -> View {
        let (least, most) = METERS_ACROSS_RANGE;
        let across = if self.meters_across.is_nan() { METERS_ACROSS_DEFAULT } else { self.meters_across };
        View {
            center: if self.center.is_finite() { self.center } else { Vec2::ZERO },
            meters_across: math::clamp(across, least, most),
            width_px: self.width_px.clamp(SIDE_PX_MIN, SIDE_PX_MAX),
            height_px: self.height_px.clamp(SIDE_PX_MIN, SIDE_PX_MAX),
        }
    }

    /// As [`View::to_px`], of a held view; in f64, so that no finite point overflows.
    pub(crate) fn project(&self, ground: Vec2) -> DVec2 {
        let from_center = (ground.as_dvec2() - self.center.as_dvec2()) * self.scale();
        self.middle_px() + DVec2::new(from_center.x, -from_center.y)
    }

    /// Pixels a meter takes.
    pub(crate) fn scale(&self) -> f64 {
        let view = self.clamped();
        f64::from(view.width_px) / f64::from(view.meters_across)
    }

    /// How much thicker than on a 960 px wide picture thin lines are drawn.
    pub(crate) fn thickness(&self) -> f64 {
        f64::from(math::clamp(self.width_px as f32 / 960.0, 0.75, 3.0))
    }

    fn middle_px(&self) -> DVec2 {
        DVec2::new(f64::from(self.width_px), f64::from(self.height_px)) * 0.5
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fitted_view_holds_the_bounds() {
        for (low, high) in [
            (Vec2::new(-10.0, -5.0), Vec2::new(30.0, 20.0)),
            (Vec2::new(0.0, 0.0), Vec2::new(1.0, 500.0)),
            (Vec2::new(-300.0, 1.0), Vec2::new(300.0, 1.0)),
            (Vec2::splat(7.0), Vec2::splat(7.0)),
        ] {
            for width in [0, 16, 960, 4096, u32::MAX] {
                let view = View::fit(Some((low, high)), width, 2.0);
                assert!((SIDE_PX_MIN..=SIDE_PX_MAX).contains(&view.width_px));
                assert!((SIDE_PX_MIN..=SIDE_PX_MAX).contains(&view.height_px));
                for corner in [low, high] {
                    let px = view.to_px(corner);
                    assert!(px.x >= -0.01 && px.x <= view.width_px as f32 + 0.01, "{px} in {view:?}");
                    assert!(px.y >= -0.01 && px.y <= view.height_px as f32 + 0.01, "{px} in {view:?}");
                    assert!((view.to_ground(px) - corner).length() < 0.01);
                }
            }
        }
    }

    #[test]
    fn without_bounds_twenty_meters_around_the_origin_are_shown() {
        let odd = [None, Some((Vec2::NAN, Vec2::ONE)), Some((Vec2::MIN, Vec2::MAX))];
        for bounds in odd {
            let view = View::fit(bounds, 960, f32::NAN);
            assert_eq!(view, View { center: Vec2::ZERO, meters_across: 20.0, width_px: 960, height_px: 720 });
        }
    }

    #[test]
    fn up_on_the_ground_is_up_on_the_picture() {
        let view = View { center: Vec2::ZERO, meters_across: 10.0, width_px: 100, height_px: 100 };
        assert_eq!(view.to_px(Vec2::new(1.0, 2.0)), Vec2::new(60.0, 30.0));
    }
}
