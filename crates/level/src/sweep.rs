//! Whether a piece can move on without running into a body.
//!
//! The way is sampled so densely that nothing as thick as a person can slip between two samples. O(samples × triangles of
//! the piece near the body); one box test for everybody else. Nothing allocates.

use std::ops::ControlFlow;

use glam::Vec3;
use sentir_core::body::Pose;
use sentir_core::math;

use crate::aabb::Aabb;
use crate::cast;
use crate::level::{Piece, PieceId};
use crate::overlap;
use crate::state::Frame;
use crate::surface::Blocks;
use crate::view::LevelView;

/// Farthest that a point of a piece goes between two samples, m.
const SAMPLE_M: f32 = 0.05;
/// Samples at most; a piece that goes farther in a tick is put there rather than moved.
const SAMPLES_MAX: u32 = 64;
/// Coming nearer by less than this is rounding, m.
const NEARER_MIN_M: f32 = 1e-5;

/// A body as a piece meets it: everything within a radius of an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CapsuleAxis {
    /// The lower end of the axis, m.
    pub low: Vec3,
    /// The upper end of the axis, m.
    pub high: Vec3,
    /// How far off the axis the body reaches, m. Limit: ≥ 0.
    pub radius_m: f32,
}

impl LevelView<'_> {
    /// Whether a piece can go from where it is to `next` without touching a body. What touches it already may go away from
    /// it. A piece that is not there can.
    pub fn piece_may_go(&self, id: PieceId, next: &Pose, body: &CapsuleAxis) -> bool {
        let index = usize::from(id.0);
        let (Some(piece), Some(state)) = (self.level.pieces.get(index), self.state.piece(id)) else { return true };
        let around = Aabb::around([body.low, body.high]).grown(body.radius_m);
        let reach = |pose: &Pose| [piece.reach.low + pose.position, piece.reach.high + pose.position];
        let ([a, b], [c, d]) = (reach(&state.pose), reach(next));
        if state.is_destroyed || !Aabb::around([a, b, c, d]).touches(&around) {
            return true;
        }
        let arm_m = math::max(piece.reach.low.length(), piece.reach.high.length());
        let turn_rad = math::angle_between(state.pose.yaw, next.yaw).abs();
        let way_m = state.pose.position.distance(next.position) + turn_rad * arm_m;
        // `as` saturates, so that no way is too long.
        let samples = ((way_m / SAMPLE_M).ceil() as u32).clamp(1, SAMPLES_MAX);
        let mut last_m = apart_m(piece, &state.pose, body);
        for sample in 1..=samples {
            let pose = if sample == samples { *next } else { state.pose.lerp(*next, sample as f32 / samples as f32) };
            let now_m = apart_m(piece, &pose, body);
            if now_m < body.radius_m && now_m < last_m - NEARER_MIN_M {
                return false;
            }
            last_m = now_m;
        }
        true
    }
}

/// How far the solid part of a piece in a pose is from the axis of a body, m; its radius if it is farther than that.
fn apart_m(piece: &Piece, pose: &Pose, body: &CapsuleAxis) -> f32 {
    let frame = Frame::new(pose);
    let (from, to, radius_m) = (frame.to_local(body.low), frame.to_local(body.high), body.radius_m);
    let around = Aabb::around([from, to]).grown(radius_m);
    let mut squared = radius_m * radius_m;
    cast::visit(
        &piece.tree,
        |bounds| bounds.touches(&around),
        |id| {
            let triangle = &piece.tree.triangles[id as usize];
            if triangle.blocks & Blocks::BODIES.0 != 0 {
                squared = math::min(squared, overlap::segment_distance_squared(from, to, &triangle.corners));
            }
            ControlFlow::Continue(())
        },
    );
    squared.sqrt()
}
