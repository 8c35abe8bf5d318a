//! Path requests: ways on which the target sees least of one, and that cross no friend's line of fire.

use sentir_core::glam::Vec3;
use sentir_core::tick::Tick;
use sentir_core::{State, plane};
use sentir_nav::answer::PathAnswer;
use sentir_nav::mesh::AreaCosts;
use sentir_nav::request::{ProcessContext, Reply, Request, RequestConfig, RequestScratch, Requests, Tactician};
use sentir_nav::tactic::{
    Exposure, ExposurePrice, FireLine, FireLines, LabelConfig, Tactic, TacticQuery, TacticSearch, Weighted,
};
use sentir_space::visibility::{Region, Seen};

use super::{Sights, Tables, quota};
use crate::tactical_map::TacticalMap;
use crate::team::{Lead, Member};
use crate::tuning::Tuning;

/// Lines of fire at most.
const LINES_MAX: usize = 16;

/// The ways that members want.
#[derive(Clone, Debug, Default, PartialEq, State)]
pub struct Paths {
    /// Path requests of the members.
    pub requests: Requests,
}

/// Memory of path searches; may be dropped at any tick.
#[derive(Clone, Debug, Default)]
pub(super) struct PathScratch {
    requests: RequestScratch,
    tactic: TacticSearch,
}

/// What ways are found by.
#[derive(Clone, Copy)]
pub(super) struct PathContext<'a> {
    /// Ground and tuning.
    pub(super) tables: &'a Tables<'a>,
    /// All members, ascending by id.
    pub(super) members: &'a [Member],
    /// Where the target is thought to be.
    pub(super) lead: Option<Lead>,
    /// When.
    pub(super) now: Tick,
}

impl Paths {
    /// Finds ways for the open requests; `reply` hears each answer once.
    pub(super) fn find(
        &mut self,
        context: PathContext<'_>,
        sights: &mut Sights,
        scratch: &mut PathScratch,
        reply: impl FnMut(&Reply<'_>),
    ) {
        if self.requests.open_count() == 0 {
            return;
        }
        let PathContext { tables, members, lead, now } = context;
        let &Tables { tactical_map, tuning, .. } = tables;
        let Sights { sweep, regions: [target_region, ..] } = sights;
        if let Some(lead) = lead {
            tactical_map.look(lead.place, true, sweep, target_region);
        }
        let band_m = lead.map_or([0.0; 2], |lead| tactical_map.band(lead.place.y));
        let PathScratch { requests, tactic } = scratch;
        let mut guide = Guide {
            tactical_map,
            tuning,
            search: tactic,
            region: target_region,
            band_m,
            has_lead: lead.is_some(),
            members,
        };
        let config = request_config(tuning, members.len());
        let tactician: Option<&mut dyn Tactician> = Some(&mut guide);
        let context = ProcessContext { mesh: tactical_map.mesh(), costs: &[], tactician, now, config: &config };
        self.requests.process(context, requests, reply);
    }
}

/// The budget of path searches of a squad of so many.
pub fn request_config(tuning: &Tuning, members: usize) -> RequestConfig {
    RequestConfig {
        expansions_per_tick: quota(tuning.expansions_per_tick, members),
        expansions_max: tuning.expansions_max,
        ..RequestConfig::default()
    }
}

/// What being seen costs.
pub(super) fn price(tuning: &Tuning) -> ExposurePrice {
    ExposurePrice::new(tuning.exposure_weight.into(), tuning.exposure_exponent.into())
}

/// Ways on which the target sees least of one, and that cross no friend's line of fire.
struct Guide<'a> {
    tactical_map: &'a TacticalMap,
    tuning: &'a Tuning,
    search: &'a mut TacticSearch,
    region: &'a Region,
    band_m: [f32; 2],
    has_lead: bool,
    members: &'a [Member],
}

impl Tactician for Guide<'_> {
    fn find(&mut self, request: &Request, costs: &AreaCosts, expansions_max: u32) -> PathAnswer<'_, Vec3> {
        let mut lines = [FireLine { from: Default::default(), to: Default::default(), width_m: 0.0 }; LINES_MAX];
        let firing = self.members.iter().filter(|it| it.agent != request.agent);
        let fired = firing.filter_map(|it| Some((plane::ground(it.position), plane::ground(it.fires_at?))));
        let mut count = 0;
        for (line, (from, to)) in lines.iter_mut().zip(fired) {
            *line = FireLine { from, to, width_m: self.tuning.fire_line_width_m };
            count += 1;
        }
        let layer = FireLines { lines: &lines[..count] };
        let layers = [Weighted { layer: &layer, weight: self.tuning.fire_line_m.into() }];
        let layers = if count == 0 { &[][..] } else { &layers };
        let sight = Seen { regions: std::slice::from_ref(self.region), band_m: self.band_m };
        let exposure = Exposure { sight: &sight, price: price(self.tuning) };
        let query = TacticQuery {
            from: request.from,
            to: request.to,
            extent: request.extent,
            costs,
            tactic: Tactic { layers, exposure: self.has_lead.then_some(exposure) },
            bounds: LabelConfig { expansions_max, ..LabelConfig::default() },
        };
        self.search.find(self.tactical_map.mesh(), self.tactical_map.spread(), &query)
    }
}
