//! `sentir bench space`: regions among hexagons and the spread of influence. Instructions are counted by running callgrind on
//! the example `space_steps` of the crate `sentir_space`, with two counts of rounds.

use super::{Figure, Rows, median_ms, row};
use crate::error::LabError;
use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_nav::grid::Cell;
use sentir_space::influence::{Config, Grid, Map, Prediction, PredictionConfig, Scratch as Buffer};
use sentir_space::visibility::{Obstacles, Region, Sweep, Watcher};
use std::hint::black_box;

/// The rows of every subject.
pub(super) fn rows() -> Result<Rows, LabError> {
    let mut rows = regions();
    rows.extend(spread());
    Ok(rows)
}

/// Places from which is looked.
const PLACES: usize = 20;

/// A square room with hexagons on a jittered lattice, and places in its middle to look from.
fn hexagons(side: u32) -> (Obstacles, Vec<Vec2>) {
    let mut random = Streams { seed: 1 }.stream(0, Purpose::new("hexagons"));
    let room = side as f32 * 4.0;
    let mut polygons = vec![vec![Vec2::ZERO, Vec2::new(room, 0.0), Vec2::splat(room), Vec2::new(0.0, room)]];
    for number in 0..side * side {
        let cell = Vec2::new((number % side) as f32, (number / side) as f32);
        let middle = (cell + Vec2::new(random.between(0.35, 0.65), random.between(0.35, 0.65))) * 4.0;
        let (radius, turn) = (random.between(0.9, 1.4), random.between(0.0, 2.0));
        let corner = |at: u32| middle + plane::heading(turn + math::TAU * at as f32 / 6.0) * radius;
        polygons.push((0..6).map(corner).collect());
    }
    let middle = ((side - 1) as f32 * 0.5).floor();
    let mut place = || Vec2::new(random.below(5) as f32 - 2.0, random.below(5) as f32 - 2.0);
    let places = (0..PLACES).map(|_| (Vec2::splat(middle) + place()) * 4.0).collect();
    // Hexagons are sound: nothing is refused.
    (Obstacles::build(&polygons, &[]).unwrap_or_default(), places)
}

fn regions() -> Rows {
    let mut rows = Rows::new();
    for side in [10, 20] {
        let (obstacles, places) = hexagons(side);
        let (mut sweep, mut region, mut ring) = (Sweep::default(), Region::default(), Vec::new());
        let mut corners = 0;
        let ms = median_ms(301, || {
            for &place in &places {
                sweep.look(&obstacles, &Watcher::all_round(place, 1e4), black_box(&mut region));
            }
        });
        for &place in &places {
            sweep.look(&obstacles, &Watcher::all_round(place, 1e4), &mut region);
            region.ring(0.01, &mut ring);
            corners += ring.len();
        }
        let what = format!("region among {} hexagons, {} walls", side * side, obstacles.wall_count());
        let mean = corners as f64 / places.len() as f64;
        let (count, figure) = (side * side, Figure::new(ms * 1e3 / places.len() as f64, 2, "µs"));
        rows.push(row(format!("region_{count}"), what, figure, format!("{mean:.0} corners on a region")));
        let built = median_ms(31, || {
            black_box(obstacles.clone()).settle();
        });
        let (what, built) = (format!("tree of {count} hexagons"), Figure::new(built, 3, "ms"));
        rows.push(row(format!("region_{count}_tree"), what, built, "all the set-up there is"));
        let mut held = 0u32;
        let points: Vec<Vec2> = (0..1000u16).map(|at| places[0] + plane::heading(f32::from(at)) * 3.0).collect();
        let ms = median_ms(301, || {
            held = points.iter().map(|&point| u32::from(black_box(&region).contains(point))).sum();
        });
        let (figure, remark) = (Figure::new(ms * 1e3, 0, "ns"), format!("{held} of 1000 held"));
        rows.push(row(format!("region_{count}_holds"), "does it hold a point", figure, remark));
    }
    rows
}

fn spread() -> Rows {
    let mut rows = Rows::new();
    for (side, walls) in [(512u32, 0.0), (512, 0.05), (64, 0.05)] {
        let mut random = Streams { seed: 1 }.stream(0, Purpose::new("cells"));
        let Ok(grid) = Grid::build(Vec2::ZERO, 0.5, [side, side], |_| !random.chance(walls)) else { continue };
        let (mut map, mut buffer) = (Map::new(&grid), Buffer::default());
        map.raise(&grid, Cell::new(side as u16 / 2, side as u16 / 2), 1.0);
        let ms = median_ms(301, || map.update(&grid, black_box(&Config::TACTICAL), None, &mut buffer));
        let what = format!("influence, {side} × {side} cells, {} % walls", walls * 100.0);
        let key = format!("{side}_{:.0}", walls * 100.0);
        rows.push(row(format!("influence_{key}"), what, Figure::new(ms, 3, "ms an update"), ""));
        let config = PredictionConfig { speed_m_per_s: 0.5, period_s: 0.5, ..PredictionConfig::default() };
        let mut prediction = Prediction::new(&grid);
        prediction.lost(&grid, &config, Vec2::splat(side as f32 * 0.25), Vec2::X);
        let ms = median_ms(101, || prediction.update(&grid, &config, None, &mut buffer));
        let what = "prediction, the same cells, one cell a step";
        rows.push(row(format!("prediction_{key}"), what, Figure::new(ms, 3, "ms an update"), ""));
    }
    rows
}
