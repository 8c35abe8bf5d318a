//! The figures of `levels`.

use sentir::prelude::*;

use super::RATE;
use sentir_harness::metric::Metric;
use sentir_sim::body::CharacterBody;

/// What is counted and summed.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub(super) struct Tally {
    pub(super) searches: Searches,
    /// Ways walked to their end.
    pub(super) arrivals: u32,
    /// Jumps over links.
    pub(super) jumps: u32,
    /// Ways asked for anew, since one was pushed off or held up.
    pub(super) replans: u32,
    /// Ticks on the way on the ground, over all bodies, and those of them beside the mesh.
    ticks: u64,
    off_ticks: u64,
    /// The longest that anybody stood on its way, ticks.
    stood_max: u32,
}

/// What became of all searches for ways.
#[derive(Clone, Copy, Debug, Default, PartialEq, State)]
pub(super) struct Searches {
    /// Ways found, and asked for in vain.
    ways: u32,
    failed: u32,
    /// Lengths of all ways, and of the straight lines between their ends, m.
    way_m: f64,
    straight_m: f64,
}

impl Searches {
    /// Notes a search for a way; where it leads, and where it should.
    pub(super) fn note(&mut self, is_found: bool, path: &[Vec3], goal: Vec3) {
        let Some(&from) = path.first().filter(|_| is_found) else {
            self.failed += 1;
            return;
        };
        self.ways += 1;
        self.way_m += path.windows(2).map(|pair| f64::from(pair[0].distance(pair[1]))).sum::<f64>();
        self.straight_m += f64::from(from.distance(goal));
    }
}

impl Tally {
    /// Notes a body in a tick.
    pub(super) fn walked(&mut self, walker: &CharacterBody, stood: u32, is_on_mesh: bool, counts: bool) {
        self.stood_max = self.stood_max.max(stood);
        if counts && walker.is_grounded {
            self.ticks += 1;
            self.off_ticks += u64::from(!is_on_mesh);
        }
    }

    /// The figures by name.
    pub(super) fn metrics(&self) -> Vec<Metric> {
        let share = |part: f64, whole: f64| if whole > 0.0 { (part / whole) as f32 } else { f32::NAN };
        vec![
            Metric::new("arrivals", self.arrivals as f32),
            Metric::new("ways", self.searches.ways as f32),
            Metric::new("ways_failed", self.searches.failed as f32),
            Metric::new("way_over_straight", share(self.searches.way_m, self.searches.straight_m)),
            Metric::new("links_used", self.jumps as f32),
            Metric::new("replans", self.replans as f32),
            Metric::new("off_mesh_share", share(self.off_ticks as f64, self.ticks as f64)),
            Metric::new("longest_stand_s", RATE.seconds(u64::from(self.stood_max))),
        ]
    }
}
