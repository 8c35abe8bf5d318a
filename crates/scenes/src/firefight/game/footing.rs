//! How everybody gets on, both sides, whatever minds report: who is stuck, who is off the mesh, and why ways failed.
//!
//! *Stuck*: on its way (its legs have somewhere to go) and within 0.4 m of one place for 2 s, whatever holds it; with
//! another body beside it is told apart. *Off the mesh*: feet on the ground, and the mesh of that tick more than 0.3 m aside or
//! 0.8 m off in height for over 0.1 s; in the air one is not off it: jumps and falls do not count. The mesh keeps 0.15 m more
//! from walls than a body needs, so a body that is pushed against a wall is not off it. *Failed*: what legs gave up, by
//! cause. Each is counted once an episode.

use sentir::core::plane;
use sentir::prelude::*;
use sentir::squad::tactical_map::TacticalMap;
use sentir_act::follow::Phase;

use super::mind::FirefightMind;
use super::{RATE, World};
use sentir_harness::metric::Metric;
use sentir_sim::body::CharacterBody;

/// Within this of one place is standing, m.
const NEAR_M: f32 = 0.4;
/// Who has another body as near as this, from middle to middle, has it beside it, m.
const CLOSE_M: f32 = 1.2;
/// Standing this long on the way is being stuck, s.
const STUCK_S: f32 = 2.0;
/// Off the mesh for more ticks than this counts.
const OFF_TICKS: u32 = 6;
/// How far the mesh may be: aside, up or down, m.
const REACH: Vec3 = Vec3::new(0.3, 0.8, 0.3);
/// Causes, in their order.
const CAUSES: [&str; 5] =
    ["ways_failed_no_path", "ways_failed_bad_goal", "ways_failed_budget", "ways_failed_stuck", "ways_failed_bad_start"];

/// How one gets on.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
struct Step {
    key: HostKey,
    at: Vec3,
    still: u32,
    off: u32,
    /// Where the mesh was last looked for, and which one it was: who stands is not looked at again.
    looked: (Vec3, u32),
    /// Ways that failed, by cause, as its legs count them.
    failed: [u32; 5],
}

/// The figures.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub(super) struct Footing {
    /// One of everybody who ever was.
    steps: Vec<Step>,
    /// Times somebody was stuck, and those of them with another body close by.
    stuck: u32,
    crowded: u32,
    /// Longest that anybody stood on its way, ticks, and when that was.
    longest: u32,
    longest_at: Tick,
    off: u32,
    /// Ticks off the mesh, of all, and the last of them.
    off_ticks: u32,
    off_at: Tick,
}

impl Footing {
    /// As a scene reports them.
    pub(super) fn report(&self, metrics: &mut Vec<Metric>) {
        metrics.push(Metric::new("stuck", self.stuck as f32));
        metrics.push(Metric::new("stuck_beside_others", self.crowded as f32));
        metrics.push(Metric::new("longest_stand_s", RATE.seconds(u64::from(self.longest))));
        metrics.push(Metric::new("longest_stand_at_s", RATE.seconds(self.longest_at.0)));
        metrics.push(Metric::new("off_mesh", self.off as f32));
        metrics.push(Metric::new("off_mesh_ticks", self.off_ticks as f32));
        let at = if self.off_ticks > 0 { RATE.seconds(self.off_at.0) } else { f32::NAN };
        metrics.push(Metric::new("off_mesh_at_s", at));
        for (cause, name) in CAUSES.into_iter().enumerate() {
            let sum: u32 = self.steps.iter().map(|step| step.failed[cause]).sum();
            metrics.push(Metric::new(name, sum as f32));
        }
    }
}

/// Looks at everybody after a tick, on the mesh of that tick. Who is steered by a person goes where it likes.
pub(super) fn look(tactical_map: &TacticalMap, brains: &Loop<FirefightMind>, world: &mut World, is_steered: bool) {
    let World { bodies, fighters, footing, .. } = world;
    for it in fighters.iter().filter(|it| !is_steered || it.key != super::PLAYER_KEY) {
        let (Some(walker), Some(legs)) = (bodies.walker(it.key), brains.motor(it.agent)) else { continue };
        let number = footing.steps.iter().position(|step| step.key == it.key).unwrap_or_else(|| {
            footing.steps.push(Step { key: it.key, at: walker.pose.position, ..Step::default() });
            footing.steps.len() - 1
        });
        let step = &mut footing.steps[number];
        step.failed = legs.failed;
        let position = walker.pose.position;
        let goes = legs.follower.phase() != Phase::Idle;
        if goes && plane::ground(position - step.at).length() <= NEAR_M {
            step.still += 1;
        } else {
            (step.at, step.still) = (position, 0);
        }
        if u64::from(step.still) == RATE.ticks(STUCK_S) {
            let is_close = |other: &CharacterBody| other.pose.position.distance(position) < CLOSE_M;
            footing.stuck += 1;
            footing.crowded += u32::from(bodies.iter().any(|(key, other)| key != it.key && is_close(other)));
        }
        if step.still > footing.longest {
            (footing.longest, footing.longest_at) = (step.still, brains.tick());
        }
        let looked = (position, tactical_map.version());
        let is_known = step.looked == looked && step.off == 0;
        let is_on = is_known || !walker.is_grounded || tactical_map.mesh().nearest(position, REACH).is_some();
        if walker.is_grounded {
            step.looked = looked;
        }
        step.off = if is_on { 0 } else { step.off + 1 };
        if !is_on {
            (footing.off_ticks, footing.off_at) = (footing.off_ticks + 1, brains.tick());
        }
        footing.off += u32::from(step.off == OFF_TICKS);
    }
}
