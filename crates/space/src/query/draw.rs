//! Points of a query as a picture. The colors of all query points are in this file.

use sentir_core::draw::{Color, DrawList, Layer};
use sentir_core::glam::Vec3;
use sentir_core::math;

use super::run::QueryRun;

const DROPPED: Color = Color::rgb(0x9aa0a6).alpha(110);
const BEST: Color = Color::rgb(0x14532d);
const LABEL: Color = Color::rgb(0x23272b);
/// Height of a point above the ground, m: over what is drawn on it.
const LIFT: Vec3 = Vec3::new(0.0, 0.05, 0.0);

/// Draws points with their scores: from red over yellow to green, worst to best, and those without a score, which were dropped,
/// as small gray rings.
pub fn draw_points(points: impl Iterator<Item = (Vec3, Option<f32>)> + Clone, list: &mut DrawList) {
    let (low, high) = points
        .clone()
        .filter_map(|(_, score)| score)
        .fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), score| (math::min(low, score), math::max(high, score)));
    for (point, score) in points {
        let Some(score) = score else {
            list.circle(Layer::QUERIES, DROPPED, point + LIFT, 0.08, false);
            continue;
        };
        let share = if high > low { (score - low) / (high - low) } else { 1.0 };
        list.circle(Layer::QUERIES, ramp(share), point + LIFT, 0.2, true);
    }
}

/// A ring around the best point.
pub fn draw_best(point: Vec3, list: &mut DrawList) {
    list.circle(Layer::QUERIES, BEST, point + LIFT, 0.42, false);
}

/// A score beside its point.
pub fn draw_score(point: Vec3, score: f32, list: &mut DrawList) {
    let beside = point + LIFT + Vec3::new(0.0, 0.0, -0.35);
    list.label(Layer::QUERIES, LABEL, beside, format_args!("{score:.2}"));
}

impl QueryRun {
    /// Draws every point, the best one with a ring. Scores are written beside them if `has_labels`.
    pub fn draw(&self, has_labels: bool, list: &mut DrawList) {
        let points = (0..).zip(&self.places).map(|(index, place)| (place.point, self.score(index)));
        draw_points(points.clone(), list);
        for (point, score) in points.filter(|_| has_labels) {
            if let Some(score) = score {
                draw_score(point, score, list);
            }
        }
        if let Some(best) = self.best.first() {
            draw_best(best.place.point, list);
        }
    }
}

/// From red over yellow to green.
fn ramp(share: f32) -> Color {
    let share = math::saturate(share);
    let part = |from: f32, to: f32, at: f32| (from + (to - from) * at) as u8;
    let (r, g) = if share < 0.5 {
        (214, part(48.0, 200.0, share * 2.0))
    } else {
        (part(214.0, 40.0, share * 2.0 - 1.0), part(200.0, 160.0, share * 2.0 - 1.0))
    };
    Color { r, g, b: 48, a: 255 }
}
