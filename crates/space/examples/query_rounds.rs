//! Asks one query many times, to be counted by callgrind: `query_rounds HALF ROUNDS [tactic]`. A query has
//! (2 · HALF + 1)² points and six tests; the difference between two counts of rounds is the work of a warm query.

use std::hint::black_box;

use sentir_nav::bake::{PlanConfig, PlanShape, plan};
use sentir_nav::mesh::Mesh;
use sentir_nav::tactic::{Exposure, ExposurePrice, Spread, SpreadConfig, Tactic};
use sentir_space::core::glam::Vec2;
use sentir_space::core::plane;
use sentir_space::cover::Borders;
use sentir_space::query::{Lexicon, QueryRun, Subject, World, load};
use sentir_space::visibility::{Obstacles, Region, Seen, Sweep, Watcher};

fn square(x: f32, y: f32, half: f32) -> Vec<Vec2> {
    [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(u, v)| Vec2::new(x + u * half, y + v * half)).to_vec()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize| words.get(at).and_then(|word| word.parse::<u32>().ok()).unwrap_or(11);
    let (half, rounds) = (number(0), number(1));
    let by = if words.get(2).is_some_and(|word| word == "tactic") { "tactic" } else { "length" };
    let text = format!(
        "sentir: query 1\nname: attack\npoints:\n  - grid: {{ half_m: {half}, step_m: 1 }}\ntests:\n  \
         - test: {{ visibility: {{ by: target }} }}\n  - test: {{ obstacles: {{ reach_m: 2 }} }}\n    weight: 5\n  \
         - test: {{ flank: {{}} }}\n    weight: 4\n  - test: {{ path_cost: {{ by: {by} }} }}\n    weight: 3\n  \
         - test: {{ distance: {{ to: target }} }}\n    weight: 2\n  - test: {{ randomness: {{}} }}\n"
    );
    let query = load(text.as_bytes(), "bench.yaml", &Lexicon::default())?;
    let place = |number: u8| (f32::from(number % 5) * 10.0 - 20.0, f32::from(number / 5) * 10.0 - 20.0);
    let holes: Vec<Vec<Vec2>> =
        (0..25).map(|number| square(place(number).0, place(number).1, 1.0 + f32::from(number % 3))).collect();
    let shape = PlanShape { border: square(0.0, 0.0, 30.0), holes: holes.clone() };
    let mesh = Mesh::from_patch(plan(&[shape], &PlanConfig::default())?)?;
    let spread = Spread::build(&mesh, &SpreadConfig { portal_m: 4.0, lattice_m: 0.0 })?;
    let (obstacles, borders) = (Obstacles::build(&holes, &[])?, Borders::from_rings(&holes));
    let (mut sweep, mut region) = (Sweep::default(), Region::default());
    let watcher = Watcher::all_round(Vec2::new(-5.0, 5.0), 60.0);
    sweep.look(&obstacles, &watcher, &mut region);
    let oneself = [Subject::new(plane::lift(Vec2::new(5.0, -5.0), 0.0))];
    let claimed = [Subject::new(plane::lift(Vec2::new(5.0, 5.0), 0.0))];
    let mut run = QueryRun::default();
    let mut best = 0;
    for round in 0..rounds {
        // The region is part of the query's work: it is swept anew for each.
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
        best += black_box(run.ask(&query, &world, u64::from(round))).best.len();
    }
    let kept = (0..run.point_count() as u32).filter(|&index| run.score(index).is_some()).count();
    let answer = run.answer();
    let best_m = answer.best.first().map(|best| best.place.point);
    println!(
        "{} points, {kept} kept, {} polygons, {} nodes; {best} answers, the last {best_m:?}",
        run.point_count(),
        mesh.polygon_count(),
        spread.len()
    );
    Ok(())
}
