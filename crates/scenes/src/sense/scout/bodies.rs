//! Scouts and their bodies on the level, in step: what the scenes in which they roam, seek and hide have in common.

use sentir::core::plane;
use sentir::prelude::*;
use sentir_level::{Level, LevelView};

use super::{Head, Scout};
use sentir_sim::body::BodyConfig;
use sentir_sim::body_set::{BodySet, BodySetScratch, Seen};
use sentir_sim::noise::{Footsteps, NoiseTable, noise, stride};

/// The bodies of scouts, and the way each has gone since its last step.
#[derive(Clone, Debug, PartialEq, State)]
pub(crate) struct ScoutBodies {
    pub(crate) bodies: BodySet,
    strides: Vec<(HostKey, Footsteps)>,
}

/// How scouts move and sound.
#[derive(Clone, Debug)]
pub(crate) struct Gear {
    /// By kind of body.
    pub(crate) body_configs: Vec<BodyConfig>,
    pub(crate) noises: NoiseTable,
    /// Steps slower than this make no noise, m/s.
    pub(crate) quiet_m_per_s: f32,
}

impl ScoutBodies {
    /// Nobody on a fresh level.
    pub(crate) fn new(level: &Level) -> ScoutBodies {
        ScoutBodies { bodies: BodySet::new(level), strides: Vec::new() }
    }

    /// Brings one in: `spec` but for the body, which stands at `pose` and is of a kind of the gear.
    pub(crate) fn join(&mut self, brains: &mut Loop<Scout>, body_kind: u8, pose: Pose, spec: AgentSpec) {
        let body = self.bodies.add(spec.key, body_kind, pose).body();
        self.strides.push((spec.key, Footsteps::default()));
        // Keys are all different and the body is finite: nobody is refused.
        let _ = brains.spawn_with(AgentSpec { body, ..spec }, Head::looking(pose.yaw));
    }

    /// Takes a body out; its agent is the caller's.
    pub(crate) fn remove(&mut self, key: HostKey) {
        self.bodies.remove(key);
        self.strides.retain(|(one, _)| *one != key);
    }

    /// One tick: minds, bodies, and the steps that are heard of them.
    pub(crate) fn step(
        &mut self,
        mind: &Scout,
        gear: &Gear,
        brains: &mut Loop<Scout>,
        pool: &dyn Pool,
        scratch: &mut Scratch,
        cache: &mut BodySetScratch,
    ) {
        let rate = brains.rate();
        let seen = Seen(LevelView { level: &mind.level, state: &self.bodies.level });
        brains.step(mind, &seen, pool, scratch);
        self.bodies.follow(brains, &gear.body_configs);
        self.bodies.step(&mind.level, &gear.body_configs, rate, pool, cache);
        self.bodies.observe(brains);
        mind.leak.notify(brains);
        for (key, walker) in self.bodies.iter() {
            let place = self.strides.iter().position(|(one, _)| *one == key);
            let place = place.unwrap_or_else(|| {
                // Somebody whom others brought in.
                self.strides.push((key, Footsteps::default()));
                self.strides.len() - 1
            });
            let speed = plane::ground(walker.velocity).length();
            let range_m = stride(&gear.noises, &mut self.strides[place].1, speed, walker.body().stance, rate.tick_s());
            let range_m = range_m.filter(|_| speed > gear.quiet_m_per_s);
            let (foot, by) = (walker.pose.position + Vec3::Y * 0.1, brains.agent_of(key));
            if let Some(noise) = range_m.and_then(|meters| noise(foot, meters, by)) {
                brains.noise(noise);
            }
        }
    }
}
