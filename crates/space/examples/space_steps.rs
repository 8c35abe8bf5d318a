//! Does one kind of work so often, for counting instructions: the difference between two counts of rounds is that of the work
//! alone. `space_steps hexagons COUNT ROUNDS [region|contains]` and `space_steps influence SIDE ROUNDS [open|walled]`.
//!
//! Hexagons stand on a jittered lattice in a square room; the watcher looks all round from twenty places between them in turn.

use sentir_nav::grid::Cell;
use sentir_space::core::glam::Vec2;
use sentir_space::core::random::{Purpose, Streams};
use sentir_space::core::{math, plane};
use sentir_space::influence::{Config, Grid, Map, Scratch};
use sentir_space::visibility::{Obstacles, Region, Sweep, Watcher};
use std::hint::black_box;

const USAGE: &str = "usage: space_steps hexagons|influence COUNT ROUNDS [region|contains|open|walled]";

/// A square room of `side` × `side` places with a hexagon in each; and places to look from.
fn hexagons(count: u32) -> (Obstacles, Vec<Vec2>) {
    let side = f64::from(count).sqrt().round() as u32;
    let mut random = Streams { seed: 1 }.stream(0, Purpose::new("hexagons"));
    let room = side as f32 * 4.0;
    let mut polygons = vec![vec![Vec2::ZERO, Vec2::new(room, 0.0), Vec2::splat(room), Vec2::new(0.0, room)]];
    for number in 0..count {
        let cell = Vec2::new((number % side) as f32, (number / side) as f32);
        let middle = (cell + Vec2::new(random.between(0.35, 0.65), random.between(0.35, 0.65))) * 4.0;
        let (radius, turn) = (random.between(0.9, 1.4), random.between(0.0, 2.0));
        let corner = |at: u32| middle + plane::heading(turn + math::TAU * at as f32 / 6.0) * radius;
        polygons.push((0..6).map(corner).collect());
    }
    let places = (0..20).map(|_| {
        let corner = || ((side - 1) as f32 * 0.5).floor();
        let shift = Vec2::new(random.below(5) as f32 - 2.0, random.below(5) as f32 - 2.0);
        (Vec2::new(corner(), corner()) + shift) * 4.0
    });
    let places = places.collect();
    (Obstacles::build(&polygons, &[]).expect("sound hexagons"), places)
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [what, count, rounds, rest @ ..] = words.as_slice() else {
        println!("{USAGE}");
        return;
    };
    let (count, rounds) = (count.parse().unwrap_or(100), rounds.parse().unwrap_or(1));
    let kind = rest.first().map_or("", String::as_str);
    match what.as_str() {
        "hexagons" => look(count, rounds, kind),
        "influence" => spread(count, rounds, kind),
        _ => println!("{USAGE}"),
    }
}

fn look(count: u32, rounds: u32, kind: &str) {
    let (obstacles, places) = hexagons(count);
    let (mut sweep, mut region) = (Sweep::default(), Region::default());
    let (mut sectors, mut held) = (0, 0);
    let mut ring = Vec::new();
    for &place in &places {
        sweep.look(&obstacles, &Watcher::all_round(place, 1e4), &mut region);
        region.ring(0.01, &mut ring);
        sectors += ring.len();
    }
    let corners = sectors as f64 / places.len() as f64;
    sectors = 0;
    for round in 0..rounds {
        let origin = places[round as usize % places.len()];
        if kind != "contains" || round == 0 {
            sweep.look(&obstacles, &Watcher::all_round(origin, 1e4), black_box(&mut region));
            sectors += region.sector_count();
        }
        if kind == "contains" {
            held += u32::from(black_box(&region).contains(black_box(origin + Vec2::new(3.0, 1.0))));
        }
    }
    let mean = sectors as f64 / f64::from(rounds.max(1));
    println!("{} walls, {corners:.1} corners and {mean:.1} sectors a region, {held} held", obstacles.wall_count());
}

fn spread(side: u32, rounds: u32, kind: &str) {
    let mut random = Streams { seed: 1 }.stream(0, Purpose::new("cells"));
    let is_walled = kind == "walled";
    let grid =
        Grid::build(Vec2::ZERO, 0.5, [side, side], |_| !(is_walled && random.chance(0.05))).expect("a sound grid");
    let (mut map, mut scratch) = (Map::new(&grid), Scratch::default());
    map.raise(&grid, Cell::new(side as u16 / 2, side as u16 / 2), 1.0);
    for _ in 0..rounds {
        map.update(&grid, black_box(&Config::TACTICAL), None, &mut scratch);
    }
    println!("{} free cells, {} in the middle", grid.free_count(), map.greatest().0);
}
