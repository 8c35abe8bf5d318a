//! What is seen of the bodies, whatever their minds report: who is off the mesh, who stands.
//!
//! A body stands while it is on its way and stays within [`NEAR_M`] of one place: whoever queues in a stream that goes on
//! does not stand, whoever steps to and fro does. Standing for [`STALL_S`] is a stall, for [`STUCK_S`] it is stuck.

use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_nav::mesh::Mesh;

use super::RATE;
use sentir_harness::metric::Metric;
use sentir_sim::body_set::BodySet;

/// Within this of one place is standing, m.
const NEAR_M: f32 = 0.5;
/// Standing this long is a stall, and is being stuck, s.
const STALL_S: f32 = 2.0;
const STUCK_S: f32 = 10.0;
/// Off the mesh by more than this counts, m.
const OFF_M: f32 = 0.1;
/// How far the mesh is looked for: aside and up or down, m.
const REACH: Vec3 = Vec3::new(1.0, 0.7, 1.0);

/// Where somebody stands, and for how long.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
struct Stand {
    at: Vec3,
    ticks: u32,
}

/// How far beside the mesh a point is, m. Over or under ground it is not beside it: on a slope the nearest place in space is
/// another than the one underfoot.
fn off_m(mesh: &Mesh, at: Vec3) -> f32 {
    if mesh.locate(at, REACH.y).is_some() {
        return 0.0;
    }
    mesh.nearest(at, REACH).map_or(REACH.x, |place| plane::ground(place.point).distance(plane::ground(at)))
}

/// The figures.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub(super) struct Watch {
    /// By body, in the order of the bodies; none before the first look.
    stands: Vec<Stand>,
    /// Looks at a body, and those that found it off the mesh.
    looks: u64,
    off: u64,
    /// Farthest off the mesh, m.
    off_m_max: f32,
    /// Looks that found it in a stall; stalls; times stuck.
    held: u64,
    stalls: u64,
    stuck: u64,
    /// Longest that anybody stood, ticks.
    longest: u32,
}

impl Watch {
    /// Looks at everybody after a tick; `goes` says who is on its way.
    pub(super) fn look(&mut self, mesh: &Mesh, bodies: &BodySet, goes: impl Fn(HostKey) -> bool) {
        self.stands.resize(bodies.len(), Stand::default());
        let [stall, stuck] = [STALL_S, STUCK_S].map(|seconds| RATE.ticks(seconds) as u32);
        for ((key, walker), stand) in bodies.iter().zip(&mut self.stands) {
            let at = walker.pose.position;
            let off_m = off_m(mesh, at);
            self.looks += 1;
            self.off += u64::from(off_m > OFF_M);
            self.off_m_max = math::max(self.off_m_max, off_m);
            if goes(key) && stand.at.distance(at) <= NEAR_M {
                stand.ticks += 1;
            } else {
                *stand = Stand { at, ticks: 0 };
            }
            self.held += u64::from(stand.ticks > stall);
            self.stalls += u64::from(stand.ticks == stall);
            self.stuck += u64::from(stand.ticks == stuck);
            self.longest = self.longest.max(stand.ticks);
        }
    }

    /// Whether it is of as many bodies.
    pub(super) fn fits(&self, bodies: &BodySet) -> bool {
        self.stands.is_empty() || self.stands.len() == bodies.len()
    }

    pub(super) fn metrics(&self, metrics: &mut Vec<Metric>) {
        let held = if self.looks > 0 { self.held as f32 / self.looks as f32 } else { f32::NAN };
        metrics.extend([
            Metric::new("off_mesh_ticks", self.off as f32),
            Metric::new("off_mesh_m_max", self.off_m_max),
            Metric::new("stalls", self.stalls as f32),
            Metric::new("held_share", held),
            Metric::new("stuck", self.stuck as f32),
            Metric::new("longest_stand_s", RATE.seconds(u64::from(self.longest))),
        ]);
    }
}
