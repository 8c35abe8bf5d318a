//! What a body wants to do this tick: where it turns and how its velocity changes.

use sentir::core::glam::Vec3;
use sentir::core::{math, plane};
use sentir::prelude::{Actions, Pose, Stance};
use sentir_level::LevelView;

use super::{BodyConfig, CharacterBody, REACH_M, Track};
use crate::input::Input;

/// Fastest any body may be, m/s.
const SPEED_MAX: f32 = 60.0;
/// What is left of a way below this is not worth a pass, m.
const WISH_MIN_M: f32 = 1e-6;
/// Shortest way of a pass before long ones are split, m.
const PASS_M: f32 = 0.15;
/// How far a step onto a ledge goes at least, m: enough to stand on its edge.
pub(super) const STEP_ADVANCE_M: f32 = 0.06;

impl Track {
    /// Farthest it can come this tick, m.
    pub(super) fn reach_m(&self, tick_s: f32) -> f32 {
        let push = self.config.push_m_per_s_max * tick_s + self.carried.length();
        // Slopes may turn a level way up, by no more than its length.
        self.wish.length() * 2.0 + push + STEP_ADVANCE_M
    }

    /// What it wants of a pass of which `left` are left.
    pub(super) fn wish_of_pass(&self, left: u32) -> Vec3 {
        let mut rest = self.wish - self.gone;
        if self.is_walking {
            rest.y = 0.0;
        }
        let length = rest.length();
        if length < WISH_MIN_M {
            return Vec3::ZERO;
        }
        let most = math::max(PASS_M, length / left as f32);
        if length > most { rest * (most / length) } else { rest }
    }
}

/// Makes a forged or broken state a sound one.
fn heal(walker: &mut CharacterBody, config: &BodyConfig) {
    if !walker.pose.is_finite() {
        *walker = CharacterBody { stance: walker.stance, ..CharacterBody::at(Pose::default()) };
    }
    let place = &mut walker.pose.position;
    let held = |value: f32| math::clamp(value, -REACH_M, REACH_M);
    let inside = Vec3::new(held(place.x), held(place.y), held(place.z));
    if inside != *place {
        (*place, walker.velocity) = (inside, Vec3::ZERO);
    }
    if !walker.velocity.is_finite() {
        walker.velocity = Vec3::ZERO;
    }
    let squared = walker.velocity.length_squared();
    if squared > SPEED_MAX * SPEED_MAX {
        // Too long to be squared is too long by far.
        let scaled = walker.velocity * (SPEED_MAX / squared.sqrt());
        walker.velocity = if squared.is_finite() { scaled } else { Vec3::ZERO };
    }
    if !walker.pitch.is_finite() {
        walker.pitch = 0.0;
    }
    walker.pose.yaw = math::wrap_angle(walker.pose.yaw);
    // Feet are on or over their support, by a step at most.
    let feet = walker.pose.position.y;
    let support = if walker.support_m.is_nan() { feet } else { walker.support_m };
    walker.support_m = math::clamp(support, feet - config.step_up_m, feet + config.radius_m);
    if walker.ride.is_some_and(|ride| !ride.pose.is_finite()) {
        walker.ride = None;
    }
    walker.radius_m = config.radius_m;
}

/// Turns, and plans the way of this tick. Standing up waits until the room is known; crouching is done here.
pub(super) fn drive(
    walker: &mut CharacterBody,
    input: Input,
    config: BodyConfig,
    view: &LevelView<'_>,
    tick_s: f32,
) -> Track {
    heal(walker, &config);
    let turn = config.turn_rad_per_s_max * tick_s;
    walker.pose.yaw = math::approach_angle(walker.pose.yaw, input.yaw_rad(), turn);
    walker.pitch = math::approach(walker.pitch, input.pitch_rad(), turn);
    // A taller body than its last height, by stance or by config, must first ask for room.
    let wanted_m = config.height_m(input.stance);
    if !walker.height_m.is_finite() || walker.height_m >= wanted_m {
        (walker.stance, walker.height_m) = (input.stance, wanted_m);
    }
    let is_low = walker.stance == Stance::Crouch || input.stance == Stance::Crouch;
    let factor = if is_low { config.crouch_factor } else { 1.0 };
    let wanted = plane::lift(input.stick() * (config.speed_m_per_s_max * factor), 0.0);
    let jumps = input.actions.contains(Actions::JUMP);
    let starts_jump = jumps && !walker.is_jump_held && walker.is_grounded && config.jump_m_per_s > 0.0;
    walker.is_jump_held = jumps;
    let is_walking = walker.is_grounded && !starts_jump;
    let level = Vec3::new(walker.velocity.x, 0.0, walker.velocity.z);
    let gain = config.acceleration_m_per_s2 * tick_s;
    let wish = if is_walking {
        walker.velocity = level + (wanted - level).clamp_length_max(gain);
        walker.velocity * tick_s
    } else {
        let up = if starts_jump { config.jump_m_per_s } else { walker.velocity.y };
        let change = if wanted == Vec3::ZERO { Vec3::ZERO } else { wanted - level };
        let level = level + change.clamp_length_max(gain * config.air_factor);
        let fall = config.gravity_m_per_s2 * tick_s;
        walker.velocity = level + Vec3::Y * math::max(up - fall, -SPEED_MAX);
        // The mean of both ends of the tick: a jump is as high as its parabola at any rate.
        level * tick_s + Vec3::Y * ((up + walker.velocity.y) * 0.5 * tick_s)
    };
    let carried = carry(walker, view, is_walking);
    Track {
        config,
        wish,
        gone: Vec3::ZERO,
        carried,
        is_walking,
        support_m: walker.support_m,
        stance: input.stance,
        faces: [0; 2],
        near: [0; 2],
        bumps: [None; 2],
    }
}

/// Where the piece under the feet has taken them since the last tick, m. Turns the body along.
fn carry(walker: &mut CharacterBody, view: &LevelView<'_>, is_walking: bool) -> Vec3 {
    let Some(ride) = walker.ride.filter(|_| is_walking) else { return Vec3::ZERO };
    let Some(piece) = view.state.piece(ride.piece).filter(|piece| !piece.is_destroyed) else { return Vec3::ZERO };
    if piece.pose == ride.pose {
        return Vec3::ZERO;
    }
    let turn = math::angle_between(ride.pose.yaw, piece.pose.yaw);
    let moved = carried(walker.pose.position, &ride.pose, &piece.pose);
    // A piece that was put elsewhere altogether leaves its riders behind.
    if moved.is_finite() && moved.length() <= 1.0 {
        walker.pose.yaw = math::wrap_angle(walker.pose.yaw + turn);
        moved
    } else {
        Vec3::ZERO
    }
}

/// The way of a point that moves with a piece, m.
pub(super) fn carried(point: Vec3, from: &Pose, to: &Pose) -> Vec3 {
    let (sin, cos) = math::sin_cos(math::angle_between(from.yaw, to.yaw));
    let arm = point - from.position;
    let turned = Vec3::new(arm.x * cos + arm.z * sin, arm.y, arm.z * cos - arm.x * sin);
    to.position + turned - point
}
