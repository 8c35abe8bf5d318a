//! Where to look: to look around until a question is answered, and to follow a mover with the eyes.
//!
//! The circle around a body is kept as [`SECTORS`] sectors with the moment each was seen last. A question is an arc that must
//! be seen since some moment; the answer is where to look next, and none once all of it was seen. Eyes turn at a limited
//! speed, and only so far from where the body faces. Plain arithmetic, O(sectors).

use sentir_core::State;
use sentir_core::glam::Vec3;
use sentir_core::math;
use sentir_core::plane;
use sentir_core::tick::Tick;

use crate::eye::Lens;

/// Sectors of the circle that are told apart.
pub const SECTORS: usize = 24;

/// How eyes turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GazeConfig {
    /// How far from where the body faces the eyes turn, rad; π for no limit.
    pub off_rad_max: f32,
    /// How far up and down, rad. Limit: under π/2.
    pub pitch_rad_max: f32,
    /// How fast, rad/s.
    pub turn_rad_per_s: f32,
}

impl Default for GazeConfig {
    fn default() -> Self {
        GazeConfig { off_rad_max: 1.2, pitch_rad_max: 1.0, turn_rad_per_s: 4.0 }
    }
}

/// Where somebody looks, and what was looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub struct Gaze {
    /// Where the eyes look, rad in the world.
    pub yaw: f32,
    /// How far up, rad.
    pub pitch: f32,
    /// Moment after each sector was seen last; 0 is never. Sector 0 begins at yaw 0, and they turn left.
    seen: [u64; SECTORS],
}

/// Something to be found out by looking: what is in an arc of the world?
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Question {
    /// The middle of the arc, rad.
    pub yaw: f32,
    /// How far it goes to either side, rad; π is all around.
    pub half_rad: f32,
    /// Looks at or after this moment count.
    pub since: Tick,
}

/// A mover to follow with the eyes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GazeTarget {
    /// Where the eyes are, m.
    pub eye: Vec3,
    /// Where the mover is, m.
    pub position: Vec3,
    /// Its velocity, m/s.
    pub velocity: Vec3,
    /// The eyes look where it will be after so long, s: eyes that take a while to turn do not lag behind. Limit: ≥ 0.
    pub lead_s: f32,
}

/// The middle of a sector, rad.
fn middle(sector: usize) -> f32 {
    math::wrap_angle((sector as f32 + 0.5) * (math::TAU / SECTORS as f32))
}

impl Gaze {
    /// Turns the eyes toward a direction, as far as they get in a time, s; `body_yaw` is where the body faces. Directions that
    /// are no numbers turn nothing.
    pub fn turn(&mut self, config: &GazeConfig, body_yaw: f32, yaw: f32, pitch: f32, step_s: f32) {
        if !(yaw.is_finite() && pitch.is_finite() && body_yaw.is_finite() && step_s > 0.0) {
            return;
        }
        let step = math::max(config.turn_rad_per_s, 0.0) * step_s;
        let reach = |yaw: f32| {
            let off = math::angle_between(body_yaw, yaw);
            math::wrap_angle(body_yaw + math::clamp(off, -config.off_rad_max, config.off_rad_max))
        };
        self.yaw = reach(math::approach_angle(self.yaw, reach(yaw), step));
        let pitch = math::clamp(pitch, -config.pitch_rad_max, config.pitch_rad_max);
        self.pitch = math::approach(self.pitch, pitch, step);
    }

    /// Follows a mover with the eyes for a time, s; `body_yaw` is where the body faces.
    pub fn follow(&mut self, config: &GazeConfig, body_yaw: f32, target: &GazeTarget, step_s: f32) {
        let off = target.position + target.velocity * target.lead_s - target.eye;
        let ground = plane::ground(off);
        if off.is_finite() && ground.length() > 0.0 {
            self.turn(config, body_yaw, plane::yaw(ground), math::atan2(off.y, ground.length()), step_s);
        }
    }

    /// Notes what a look in the current direction saw: every sector whose middle was on the picture.
    pub fn note(&mut self, lens: &Lens, now: Tick) {
        let half = math::atan(lens.width as f32 / 2.0 / lens.focal_px());
        for (sector, seen) in self.seen.iter_mut().enumerate() {
            if math::angle_between(self.yaw, middle(sector)).abs() <= half {
                *seen = now.0.saturating_add(1);
            }
        }
    }

    /// When a direction was seen last; none if never.
    pub fn seen(&self, yaw: f32) -> Option<Tick> {
        let turn = math::wrap_angle(yaw) / math::TAU;
        let share = if turn < 0.0 { turn + 1.0 } else { turn };
        let sector = ((share * SECTORS as f32) as usize).min(SECTORS - 1);
        self.seen[sector].checked_sub(1).map(Tick)
    }

    /// Where to look next to answer a question: the sector of its arc, within reach of the eyes, that was unseen the longest,
    /// and of equals the one that takes the least turning. None once every one was seen since the moment it asks for.
    pub fn next(&self, config: &GazeConfig, body_yaw: f32, question: &Question) -> Option<f32> {
        let asked = |sector: &usize| {
            let yaw = middle(*sector);
            let is_asked = math::angle_between(question.yaw, yaw).abs() <= question.half_rad;
            let is_in_reach = math::angle_between(body_yaw, yaw).abs() <= config.off_rad_max;
            is_asked && is_in_reach && self.seen[*sector] <= question.since.0
        };
        let turning = |sector: usize| math::angle_between(self.yaw, middle(sector)).abs();
        let best = (0..SECTORS)
            .filter(asked)
            .min_by(|&a, &b| self.seen[a].cmp(&self.seen[b]).then(turning(a).total_cmp(&turning(b))));
        best.map(middle)
    }
}
