//! Maps to search on, and the slow and obvious twin of every search: Dijkstra over cells, in floats, with the corner rule
//! spelled out.

use sentir_nav::core::random::Stream;
use sentir_nav::grid::{Cell, Cost, Terrain, Unit, UnitGrid};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What tags cost in the tests: 0 is free ground, 1 a wall, 2 and 3 cost more.
pub(crate) fn unit(grass: u8, forest: u8) -> Unit {
    let costs = vec![Cost::Times(1), Cost::Impassable, Cost::Times(grass), Cost::Times(forest)];
    Unit { name: "walker".into(), costs }
}

pub(crate) fn terrain(width: u32, height: u32, tags: Vec<u8>) -> Terrain {
    let names = ["path", "wall", "grass", "forest"].map(str::to_owned).to_vec();
    Terrain::build(width, height, names, tags).unwrap()
}

/// A terrain from rows of letters, the first row being row 0: `.` path, `#` wall, `g` grass, `f` forest.
pub(crate) fn drawn(rows: &[&str]) -> Terrain {
    let tag = |mark: char| ".#gf".find(mark).unwrap() as u8;
    let tags = rows.iter().flat_map(|row| row.chars().map(tag)).collect();
    terrain(rows[0].len() as u32, rows.len() as u32, tags)
}

/// Speckles: so many in a hundred cells are walls.
pub(crate) fn speckled(width: u32, height: u32, walls: u32, random: &mut Stream) -> Terrain {
    let tags = (0..width * height).map(|_| u8::from(random.below(100) < walls)).collect();
    terrain(width, height, tags)
}

/// Rooms with doors, some of them shut; terrain of all kinds if asked for.
pub(crate) fn rooms(width: u32, height: u32, side: u32, is_weighted: bool, random: &mut Stream) -> Terrain {
    let mut tags: Vec<u8> = (0..width * height)
        .map(|index| u8::from((index % width).is_multiple_of(side) || (index / width).is_multiple_of(side)))
        .collect();
    for room_y in 0..height.div_ceil(side) {
        for room_x in 0..width.div_ceil(side) {
            let (x, y) = (room_x * side, room_y * side);
            let (along, across) = (1 + random.below(side - 1), 1 + random.below(side - 1));
            for (door_x, door_y) in [(x, y + across), (x + along, y)] {
                if door_x < width && door_y < height && random.below(10) < 8 {
                    tags[(door_y * width + door_x) as usize] = 0;
                }
            }
        }
    }
    for tag in &mut tags {
        if *tag == 0 && is_weighted {
            *tag = [0, 2, 3][random.below(3) as usize];
        }
    }
    terrain(width, height, tags)
}

/// A free cell, chosen by chance.
pub(crate) fn spot(ground: &UnitGrid, random: &mut Stream) -> Option<Cell> {
    (0..1000)
        .map(|_| Cell::new(random.below(ground.width()) as u16, random.below(ground.height()) as u16))
        .find(|&cell| ground.is_free(cell))
}

/// The neighbors of a cell by the rule: four straight ones, and diagonal ones with both sides free.
pub(crate) fn neighbors(ground: &UnitGrid, cell: Cell, is_eight: bool) -> Vec<(Cell, f64)> {
    let at = |dx: i32, dy: i32| {
        let (x, y) = (i32::from(cell.x) + dx, i32::from(cell.y) + dy);
        (x >= 0 && y >= 0).then(|| Cell::new(x as u16, y as u16)).filter(|&cell| ground.is_free(cell))
    };
    let mut list = Vec::new();
    for (dx, dy) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
        list.extend(at(dx, dy).map(|cell| (cell, 1.0)));
    }
    for (dx, dy) in [(-1, -1), (1, -1), (-1, 1), (1, 1)] {
        if is_eight && at(dx, 0).is_some() && at(0, dy).is_some() {
            list.extend(at(dx, dy).map(|cell| (cell, 2f64.sqrt())));
        }
    }
    list
}

/// The cost from a cell to every cell, row by row; infinite where no way leads.
pub(crate) fn lengths(ground: &UnitGrid, from: Cell, is_eight: bool) -> Vec<f64> {
    let width = ground.width() as usize;
    let index = |cell: Cell| usize::from(cell.y) * width + usize::from(cell.x);
    let mut best = vec![f64::INFINITY; width * ground.height() as usize];
    let mut open = BinaryHeap::new();
    best[index(from)] = 0.0;
    // Bits of floats that are not negative are in their order.
    open.push(Reverse((0u64, from)));
    while let Some(Reverse((bits, cell))) = open.pop() {
        let length = f64::from_bits(bits);
        if length > best[index(cell)] {
            continue;
        }
        for (next, step) in neighbors(ground, cell, is_eight) {
            let mean = (f64::from(ground.cost(cell).unwrap()) + f64::from(ground.cost(next).unwrap())) / 2.0;
            let total = length + step * mean;
            if total < best[index(next)] {
                best[index(next)] = total;
                open.push(Reverse((total.to_bits(), next)));
            }
        }
    }
    best
}
