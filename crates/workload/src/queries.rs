//! A hall of pillars in which one asks for places, for measuring environment queries: the region of the watcher is swept anew
//! for each query, as its own work.

use sentir::core::budget::Budget;
use sentir::core::plane;
use sentir::prelude::*;
use sentir_nav::bake::{PlanConfig, PlanShape, plan};
use sentir_nav::mesh::{AnyAngleSearch, AreaCosts, Mesh, MeshPoint};
use sentir_nav::tactic::{Exposure, ExposurePrice, Flood, FloodQuery, LabelConfig, Spread, SpreadConfig, Tactic};
use sentir_nav::tactic::{TacticQuery, TacticSearch};
use sentir_space::cover::Borders;
use sentir_space::query::{Lexicon, Progress, Query, QueryRun, QueryWorld, Subject, load};
use sentir_space::visibility::{Obstacles, Region, Seen, Sweep, Watcher};

use sentir_harness::info::SceneError;

/// Work of a stage when a query is asked in stages, units.
pub const STAGE_UNITS: u32 = 1000;
/// Half of the side of the hall, m.
const HALF_M: f32 = 30.0;
const ASKER: Vec2 = Vec2::new(5.0, -5.0);
const CLAIMED: Vec2 = Vec2::new(5.0, 5.0);
const WATCHER: Vec2 = Vec2::new(-5.0, 5.0);

/// A hall of 60 m with 25 pillars: one asks, one watches, one place is taken.
pub struct Survey {
    query: Query,
    mesh: Mesh,
    spread: Spread,
    obstacles: Obstacles,
    borders: Borders,
    sweep: Sweep,
    region: Region,
    run: QueryRun,
}

/// By how much costs of one search for all points are off those of a search for each.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Accuracy {
    /// Points that both reach.
    pub count: u32,
    /// The mean of the difference as a share of the cost.
    pub mean: f64,
    /// The greatest.
    pub most: f64,
}

fn square(x: f32, y: f32, half: f32) -> Vec<Vec2> {
    [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(u, v)| Vec2::new(x + u * half, y + v * half)).to_vec()
}

fn refuse(error: impl std::fmt::Display) -> SceneError {
    SceneError::Asset { name: "survey".to_owned(), line: 0, column: 0, what: error.to_string() }
}

impl Survey {
    /// A query of (2 · `half` + 1)² points and six tests: seen by the watcher, near pillars, from another flank, near by way
    /// (`by` is `length` or `tactic`), near the watcher, and chance.
    ///
    /// # Errors
    /// When `by` is neither, or `half` is more than a query may have.
    pub fn new(half: u32, by: &str) -> Result<Survey, SceneError> {
        let text = format!(
            "sentir: query 1\nname: attack\npoints:\n  - grid: {{ half_m: {half}, step_m: 1 }}\ntests:\n  \
             - test: {{ visibility: {{ by: target }} }}\n  - test: {{ obstacles: {{ reach_m: 2 }} }}\n    weight: 5\n  \
             - test: {{ flank: {{}} }}\n    weight: 4\n  - test: {{ path_cost: {{ by: {by} }} }}\n    weight: 3\n  \
             - test: {{ distance: {{ to: target }} }}\n    weight: 2\n  - test: {{ randomness: {{}} }}\n"
        );
        let query = load(text.as_bytes(), "survey.yaml", &Lexicon::default()).map_err(refuse)?;
        let place = |number: u8| (f32::from(number % 5) * 10.0 - 20.0, f32::from(number / 5) * 10.0 - 20.0);
        let pillar = |number: u8| square(place(number).0, place(number).1, 1.0 + f32::from(number % 3));
        let holes: Vec<Vec<Vec2>> = (0..25).map(pillar).collect();
        let shape = PlanShape { border: square(0.0, 0.0, HALF_M), holes: holes.clone() };
        let patch = plan(&[shape], &PlanConfig::default()).map_err(refuse)?;
        let mesh = Mesh::from_patch(patch).map_err(refuse)?;
        let spread = Spread::build(&mesh, &SpreadConfig { portal_m: 4.0, lattice_m: 0.0 }).map_err(refuse)?;
        let obstacles = Obstacles::build(&holes, &[]).map_err(refuse)?;
        let borders = Borders::from_rings(&holes);
        let (sweep, region, run) = (Sweep::default(), Region::default(), QueryRun::default());
        Ok(Survey { query, mesh, spread, obstacles, borders, sweep, region, run })
    }

    /// Asks once, in one go or in stages of [`STAGE_UNITS`]; how many stages it took.
    pub fn ask(&mut self, rng: u64, is_staged: bool) -> u32 {
        let Survey { query, mesh, spread, obstacles, borders, sweep, region, run } = self;
        sweep.look(obstacles, &Watcher::all_round(WATCHER, 2.0 * HALF_M), region);
        let [oneself, claimed] = [ASKER, CLAIMED].map(|at| [Subject::new(plane::lift(at, 0.0))]);
        let target = [Subject { seen: Some(&*region), ..Subject::new(plane::lift(WATCHER, 0.0)) }];
        let sight = Seen { regions: std::slice::from_ref(region), band_m: [-10.0, 10.0] };
        let exposure = Some(Exposure { sight: &sight, price: ExposurePrice::new(1.0, 1.0) });
        let world = QueryWorld {
            spread: Some(spread),
            obstacles: Some(obstacles),
            borders: Some(borders),
            tactic: Tactic { layers: &[], exposure },
            contexts: &[&oneself, &target, &[], &claimed],
            ..QueryWorld::new(mesh)
        };
        if !is_staged {
            run.ask(query, &world, rng);
            return 1;
        }
        run.begin(query, &world, rng);
        let mut stages = 1;
        while run.step(query, &world, &mut Budget::new(STAGE_UNITS)) == Progress::Working {
            stages += 1;
        }
        stages
    }

    /// The last answer: how many points it looked at, how many were left, and the best score.
    #[must_use]
    pub fn outcome(&self) -> (usize, usize, f32) {
        let count = self.run.point_count();
        let kept = (0..count as u32).filter(|&index| self.run.score(index).is_some()).count();
        (count, kept, self.run.answer().best.first().map_or(0.0, |best| best.score))
    }

    /// How the one search for many points compares with a search for each, over a lattice of 2 m through the hall: by length,
    /// and with the price of being seen.
    pub fn accuracy(&mut self) -> [Accuracy; 2] {
        self.sweep.look(&self.obstacles, &Watcher::all_round(WATCHER, 2.0 * HALF_M), &mut self.region);
        let sight = Seen { regions: std::slice::from_ref(&self.region), band_m: [-10.0, 10.0] };
        let exposure = Exposure { sight: &sight, price: ExposurePrice::new(1.0, 1.0) };
        let place = |at: Vec2| self.mesh.nearest(plane::lift(at, 0.0), Vec3::new(0.1, 1.0, 0.1));
        let lattice = (0..29 * 29u16).map(|it| Vec2::new(f32::from(it % 29), f32::from(it / 29)) * 2.0 - 28.0);
        let to: Vec<MeshPoint> = lattice.filter_map(place).collect();
        let Some(from) = place(ASKER) else { return [Accuracy::default(); 2] };
        let (mut flood, mut plain, mut safe) = (Flood::default(), AnyAngleSearch::default(), TacticSearch::default());
        [None, Some(exposure)].map(|exposure| {
            let tactic = Tactic { layers: &[], exposure };
            let ask = FloodQuery {
                from,
                costs: &AreaCosts::PLAIN,
                tactic,
                bounds: LabelConfig::default(),
                cost_max: f64::INFINITY,
            };
            let costs = flood.fill(&self.mesh, &self.spread, &to, &ask).costs;
            let mut accuracy = Accuracy::default();
            for (&cost, &to) in costs.iter().zip(&to) {
                let single = if exposure.is_some() {
                    let query = TacticQuery { tactic, ..TacticQuery::new(from.point, to.point) };
                    safe.find(&self.mesh, &self.spread, &query).cost
                } else {
                    plain.find_between(&self.mesh, from, to, &AreaCosts::PLAIN, u32::MAX).cost
                };
                let off = if single > 0.0 { (cost - single).abs() / single } else { 0.0 };
                accuracy.count += 1;
                accuracy.mean += off;
                accuracy.most = if off > accuracy.most { off } else { accuracy.most };
            }
            accuracy.mean /= f64::from(accuracy.count.max(1));
            accuracy
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_search_for_all_points_costs_what_a_search_for_each_finds() {
        let [length, tactic] = Survey::new(4, "length").unwrap().accuracy();
        assert!(length.count > 500 && length.most < 1e-6, "{length:?}");
        assert!(tactic.mean < 0.005 && tactic.most < 0.05, "{tactic:?}");
    }

    #[test]
    fn stages_change_nothing_and_an_unknown_way_is_refused() {
        for by in ["length", "tactic"] {
            let mut survey = Survey::new(5, by).unwrap();
            assert_eq!(survey.ask(3, false), 1);
            let whole = survey.outcome();
            assert!(survey.ask(3, true) > 1);
            assert_eq!(survey.outcome(), whole);
            assert!(whole.0 == 121 && whole.1 > 0, "{whole:?}");
        }
        assert!(Survey::new(4, "bus").is_err());
    }
}
