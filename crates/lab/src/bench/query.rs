//! `sentir bench query`: environment queries of 80 and 500 points with six tests, the path search and the sweep of the
//! watcher's region with them. Instructions are counted by running callgrind on the example `query_rounds` of the crate
//! `sentir_space`, with two counts of rounds.

use super::{Rows, median_ms, row};
use crate::error::LabError;
use sentir::core::budget::Budget;
use sentir::core::plane;
use sentir::prelude::*;
use sentir_nav::bake::{PlanConfig, PlanShape, plan};
use sentir_nav::mesh::Mesh;
use sentir_nav::tactic::{Exposure, ExposurePrice, Spread, SpreadConfig, Tactic};
use sentir_space::cover::Borders;
use sentir_space::query::{Lexicon, Progress, Query, QueryRun, Subject, World, load};
use sentir_space::visibility::{Obstacles, Region, Seen, Sweep, Watcher};
use std::hint::black_box;

/// Work of a stage when a query is asked in stages.
const STAGE_UNITS: u32 = 1000;

fn square(x: f32, y: f32, half: f32) -> Vec<Vec2> {
    [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(u, v)| Vec2::new(x + u * half, y + v * half)).to_vec()
}

/// A query of (2 · half + 1)² points: seen by the target, near obstacles, from another flank, near by way, near the target, chance.
fn query(half: u32, by: &str) -> Result<Query, LabError> {
    let text = format!(
        "sentir: query 1\nname: attack\npoints:\n  - grid: {{ half_m: {half}, step_m: 1 }}\ntests:\n  \
         - test: {{ visibility: {{ by: target }} }}\n  - test: {{ obstacles: {{ reach_m: 2 }} }}\n    weight: 5\n  \
         - test: {{ flank: {{}} }}\n    weight: 4\n  - test: {{ path_cost: {{ by: {by} }} }}\n    weight: 3\n  \
         - test: {{ distance: {{ to: target }} }}\n    weight: 2\n  - test: {{ randomness: {{}} }}\n"
    );
    load(text.as_bytes(), "bench.yaml", &Lexicon::default()).map_err(refuse)
}

fn refuse(error: impl std::fmt::Display) -> LabError {
    LabError::Measure(error.to_string())
}

/// A hall of 60 m with 25 pillars.
struct Hall {
    mesh: Mesh,
    spread: Spread,
    obstacles: Obstacles,
    borders: Borders,
}

fn hall() -> Result<Hall, LabError> {
    let place = |number: u8| (f32::from(number % 5) * 10.0 - 20.0, f32::from(number / 5) * 10.0 - 20.0);
    let pillar = |number: u8| square(place(number).0, place(number).1, 1.0 + f32::from(number % 3));
    let holes: Vec<Vec<Vec2>> = (0..25).map(pillar).collect();
    let shape = PlanShape { border: square(0.0, 0.0, 30.0), holes: holes.clone() };
    let patch = plan(&[shape], &PlanConfig::default()).map_err(refuse)?;
    let mesh = Mesh::from_patch(patch).map_err(refuse)?;
    let spread = Spread::build(&mesh, &SpreadConfig { portal_m: 4.0, lattice_m: 0.0 }).map_err(refuse)?;
    let obstacles = Obstacles::build(&holes, &[]).map_err(refuse)?;
    Ok(Hall { mesh, spread, obstacles, borders: Borders::from_rings(&holes) })
}

/// Queries by number of points, in one go and in stages.
pub(super) fn rows() -> Result<Rows, LabError> {
    let Hall { mesh, spread, obstacles, borders } = hall()?;
    let watcher = Watcher::all_round(Vec2::new(-5.0, 5.0), 60.0);
    let (mut sweep, mut region) = (Sweep::default(), Region::default());
    let oneself = [Subject::new(plane::lift(Vec2::new(5.0, -5.0), 0.0))];
    let claimed = [Subject::new(plane::lift(Vec2::new(5.0, 5.0), 0.0))];
    let mut rows = Rows::new();
    for (half, by, limit) in
        [(4, "length", "limit 0.12 ms"), (11, "length", "limit 0.5 ms"), (4, "tactic", ""), (11, "tactic", "")]
    {
        let query = query(half, by)?;
        let mut run = QueryRun::default();
        let mut stages = 0;
        let mut ask = |is_staged: bool, run: &mut QueryRun| {
            sweep.look(&obstacles, &watcher, &mut region);
            let target = [Subject { seen: Some(&region), ..Subject::new(plane::lift(watcher.origin, 0.0)) }];
            let sight = Seen { regions: std::slice::from_ref(&region), band_m: [-10.0, 10.0] };
            let exposure = Some(Exposure { sight: &sight, price: ExposurePrice::new(1.0, 1.0) });
            let world = World {
                spread: Some(&spread),
                obstacles: Some(&obstacles),
                borders: Some(&borders),
                tactic: Tactic { layers: &[], exposure },
                contexts: &[&oneself, &target, &[], &claimed],
                ..World::new(&mesh)
            };
            if is_staged {
                run.begin(&query, &world, 1);
                stages = 1;
                while run.step(&query, &world, &mut Budget::new(STAGE_UNITS)) == Progress::Working {
                    stages += 1;
                }
            } else {
                black_box(run.ask(&query, &world, 1));
            }
        };
        let whole_ms = median_ms(301, || ask(false, &mut run));
        let staged_ms = median_ms(301, || ask(true, &mut run));
        let points = run.point_count();
        let what = format!("query of {points} points, six tests, path cost by {by}, in one go");
        rows.push(row(what, format!("{whole_ms:.3} ms"), limit));
        let what = format!("the same in {stages} stages of at most {STAGE_UNITS} units");
        rows.push(row(what, format!("{staged_ms:.3} ms"), ""));
    }
    Ok(rows)
}
