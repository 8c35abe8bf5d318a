//! The fifth station: somebody walks past three screens, each time by one of two gaps; a hound goes after him by its nose.

use sentir::core::draw::{Color, DrawList, Layer};
use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir::sense::Scents;
use sentir::sense::smell::Trace;

use crate::sense::scout::PUPPET;
use sentir_sim::body_set::BodySet;

/// Where the screens stand, m, the middles of the gaps north and south of them, and the ends of the run.
const SCREENS_X: [f32; 3] = [-9.0, 0.0, 9.0];
const GAPS_Y: [f32; 2] = [-11.5, -16.1];
const ENDS_X: f32 = 15.5;
const MIDDLE_Y: f32 = -13.7;
/// How far before and behind a screen he goes straight, m.
const BESIDE_M: f32 = 1.3;
/// A run from end to end, with a rest at the end, s; and how fast he walks, m/s.
const RUN_S: f32 = 33.0;
pub(super) const PACE_M_PER_S: f32 = 1.5;
/// Where the two begin.
pub(super) const WALKER_AT: Vec2 = Vec2::new(-ENDS_X, MIDDLE_Y);
pub(super) const HOUND_AT: Vec2 = Vec2::new(-ENDS_X - 1.3, MIDDLE_Y);
/// Traces that the world keeps, and the way between two of one walker, m.
const TRACES: u32 = 512;
const TRACE_STEP_M: f32 = 0.6;
/// How near the hound has found him, m.
const FOUND_M: f32 = 1.3;
const GAP: Purpose = Purpose::new("senses.gap");

/// What is remembered of trails.
#[derive(Clone, Debug, PartialEq, State)]
pub(super) struct Trails {
    pub(super) scents: Scents,
    /// By puppet: where it left its last trace.
    last: Vec<Vec2>,
    /// Which gap of each screen the walker took last: north 0, south 1; 2 for none yet.
    taken: [u8; 3],
    /// Where the walker and the hound were a tick ago, x, m.
    before: [f32; 2],
    /// Gaps that the hound took after him, and those that he had not taken.
    pub(super) followed: u32,
    pub(super) missed: u32,
    /// Times that it found him.
    pub(super) found: u32,
    is_with: bool,
}

impl Trails {
    pub(super) fn new(puppets: usize) -> Trails {
        Trails {
            scents: Scents::new(TRACES),
            last: vec![Vec2::ZERO; puppets],
            taken: [2; 3],
            before: [WALKER_AT.x, HOUND_AT.x],
            followed: 0,
            missed: 0,
            found: 0,
            is_with: true,
        }
    }

    /// Everybody who is moved by the script leaves traces where he goes.
    pub(super) fn leave(&mut self, brains: &Loop<impl Mind>, bodies: &BodySet, key: impl Fn(usize) -> HostKey) {
        for (puppet, last) in self.last.iter_mut().enumerate() {
            let (Some(walker), Some(by)) = (bodies.walker(key(puppet)), brains.agent_of(key(puppet))) else { continue };
            let position = walker.pose.position;
            if plane::ground(position).distance(*last) >= TRACE_STEP_M {
                *last = plane::ground(position);
                self.scents.leave(Trace { by, kind: PUPPET, position, at: brains.tick() });
            }
        }
    }

    /// Counts through which gaps both went.
    pub(super) fn count(&mut self, walker: Vec2, hound: Vec2) {
        for (number, screen) in SCREENS_X.into_iter().enumerate() {
            let crosses = |from: f32, to: f32| (from < screen) != (to < screen);
            let gap = |place: Vec2| u8::from(place.y < MIDDLE_Y);
            if crosses(self.before[0], walker.x) {
                self.taken[number] = gap(walker);
            }
            if crosses(self.before[1], hound.x) {
                let is_right = self.taken[number] == gap(hound);
                *(if is_right { &mut self.followed } else { &mut self.missed }) += 1;
            }
        }
        self.before = [walker.x, hound.x];
        let is_with = walker.distance(hound) < FOUND_M;
        self.found += u32::from(is_with && !self.is_with);
        self.is_with = is_with;
    }

    /// Dots where traces lie, the fresher the darker.
    pub(super) fn draw(&self, now: Tick, rate: TickRate, color: Color, list: &mut DrawList) {
        for trace in self.scents.traces().iter().filter(|trace| plane::ground(trace.position).y < -10.0) {
            let fresh = 1.0 - rate.seconds(now.since(trace.at)) / 20.0;
            if fresh > 0.0 {
                list.circle(Layer::SENSES, color.alpha((200.0 * fresh) as u8), trace.position, 0.11, true);
            }
        }
    }
}

/// Where the walker wants to be at a time: along his way, which he draws anew for each run.
pub(super) fn wanted(streams: Streams, time_s: f32) -> Vec2 {
    let run = math::max(time_s / RUN_S, 0.0).floor();
    let mut rng = streams.at(run as u64, GAP, Tick(0));
    let side = if run % 2.0 == 0.0 { 1.0 } else { -1.0 };
    let mut way = [Vec2::new(-ENDS_X * side, MIDDLE_Y); 8];
    for (number, screen) in SCREENS_X.into_iter().enumerate() {
        let gap = GAPS_Y[usize::from(rng.chance(0.5))];
        way[1 + 2 * number] = Vec2::new((screen - BESIDE_M) * side, gap);
        way[2 + 2 * number] = Vec2::new((screen + BESIDE_M) * side, gap);
    }
    way[7] = Vec2::new(ENDS_X * side, MIDDLE_Y);
    let mut left_m = (time_s - run * RUN_S) * PACE_M_PER_S;
    for leg in way.windows(2) {
        let length_m = leg[0].distance(leg[1]);
        if left_m < length_m {
            return leg[0].lerp(leg[1], left_m / length_m);
        }
        left_m -= length_m;
    }
    way[7]
}
