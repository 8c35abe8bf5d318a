//! Random worlds of cells, as patches, and a slow twin that knows nothing of polygons' neighbors: which points are on
//! free cells, what sees what, and the shortest way by a graph of all corners.

use sentir_core::glam::{DVec2, Vec3};
use sentir_core::random::{Purpose, Stream, Streams};
use sentir_nav::mesh::{AreaId, Mesh, Patch, Polygon, TileGrid};

/// How a world is cut into polygons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// A polygon a cell, corners moved at random.
    Cells,
    /// Two triangles a cell, corners moved at random.
    Triangles,
    /// Runs of cells along x, corners where they are: many on one line.
    Runs,
}

pub const CUTS: [Cut; 3] = [Cut::Cells, Cut::Triangles, Cut::Runs];

pub struct World {
    pub size: usize,
    pub tile: usize,
    pub free: Vec<bool>,
    pub corners: Vec<DVec2>,
    pub cut: Cut,
}

pub fn stream(seed: u64) -> Stream {
    Streams { seed }.stream(0, Purpose::new("mesh tests"))
}

/// The height of the ground everywhere: a slope.
pub fn height(at: DVec2) -> f32 {
    (0.125 * at.x + 0.0625 * at.y) as f32
}

pub fn point(at: DVec2) -> Vec3 {
    Vec3::new(at.x as f32, height(at), -at.y as f32)
}

pub fn ground(at: Vec3) -> DVec2 {
    DVec2::new(f64::from(at.x), -f64::from(at.z))
}

impl World {
    /// A world of `size` × `size` cells of 1 m, a share of them blocked; corners on lines between tiles stay in place.
    pub fn new(seed: u64, size: usize, tile: usize, cut: Cut) -> World {
        let mut random = stream(seed);
        let mut free: Vec<bool> = (0..size * size).map(|_| !random.chance(0.35)).collect();
        // Where two blocked cells touch with a corner alone, one is freed: what passes there is a matter of taste.
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for number in 0..(size - 1) * (size - 1) {
                let at = number / (size - 1) * size + number % (size - 1);
                let [a, b, c, d] = [at, at + 1, at + size, at + size + 1];
                let is_crossed = (free[a] == free[d] && free[b] == free[c]) && free[a] != free[b];
                if is_crossed {
                    [a, b, c, d].into_iter().for_each(|it| free[it] = true);
                    is_changed = true;
                }
            }
        }
        let mut corners = Vec::new();
        for row in 0..=size {
            for column in 0..=size {
                let mut shift = |line: usize| {
                    let moved = f64::from(random.between(-0.3, 0.3));
                    let is_fixed = cut == Cut::Runs || line.is_multiple_of(tile);
                    if is_fixed { 0.0 } else { moved }
                };
                let at = DVec2::new(column as f64 + shift(column), row as f64 + shift(row));
                corners.push(DVec2::new(f64::from(at.x as f32), f64::from(at.y as f32)));
            }
        }
        // Moved by so little, four corners may still be bent: then they go back.
        let mut world = World { size, tile, free, corners, cut };
        for cell in 0..size * size {
            if !is_convex(&world.cell(cell)) {
                for corner in world.cell_corners(cell) {
                    world.corners[corner] = DVec2::new((corner % (size + 1)) as f64, (corner / (size + 1)) as f64);
                }
            }
        }
        world
    }

    pub fn cell_corners(&self, cell: usize) -> [usize; 4] {
        let first = cell / self.size * (self.size + 1) + cell % self.size;
        [first, first + 1, first + self.size + 2, first + self.size + 1]
    }

    pub fn cell(&self, cell: usize) -> [DVec2; 4] {
        self.cell_corners(cell).map(|corner| self.corners[corner])
    }

    /// Whether all cells are still convex (going back may bend a neighbor).
    pub fn is_valid(&self) -> bool {
        (0..self.size * self.size).all(|cell| is_convex(&self.cell(cell))) && self.free.contains(&true)
    }

    /// The part of the world in a rectangle of cells as a patch. `is_sparse` leaves out corners in the middle of borders
    /// between tiles.
    pub fn patch(&self, columns: std::ops::Range<usize>, rows: std::ops::Range<usize>, is_sparse: bool) -> Patch {
        let corners = self.corners.iter().map(|&corner| point(corner)).collect();
        let mut patch = Patch { corners, ..Patch::default() };
        let mut add = |ring: &[usize]| {
            let first = patch.loops.len() as u32;
            patch.loops.extend(ring.iter().map(|&corner| corner as u32));
            patch.polygons.push(Polygon { first, count: ring.len() as u32, area: AreaId(0) });
        };
        for row in rows {
            let mut column = columns.start;
            while column < columns.end {
                let cell = row * self.size + column;
                column += 1;
                if !self.free[cell] {
                    continue;
                }
                let [a, b, c, d] = self.cell_corners(cell);
                match self.cut {
                    Cut::Cells => add(&[a, b, c, d]),
                    Cut::Triangles => [[a, b, c], [a, c, d]].iter().for_each(|ring| add(ring)),
                    Cut::Runs => {
                        while column < columns.end && self.free[row * self.size + column] {
                            column += 1;
                        }
                        let length = column - cell % self.size;
                        let is_kept = |line: usize| !(is_sparse && line.is_multiple_of(self.tile));
                        let mut ring: Vec<usize> = vec![a];
                        ring.extend((1..length).filter(|_| is_kept(row)).map(|step| a + step));
                        ring.extend([a + length, d + length]);
                        ring.extend((1..length).rev().filter(|_| is_kept(row + 1)).map(|step| d + step));
                        ring.push(d);
                        add(&ring);
                    }
                }
            }
        }
        compact(&patch)
    }

    pub fn mesh(&self) -> Mesh {
        Mesh::from_patch(self.patch(0..self.size, 0..self.size, false)).unwrap()
    }

    pub fn grid(&self) -> TileGrid {
        let count = (self.size / self.tile) as u32;
        let tile_size_m = self.tile as f32;
        let origin = Vec3::new(0.0, 0.0, -(self.size as f32));
        TileGrid { origin, tile_size_m, columns: count, rows: count, climb_m: 0.1, border_m: 0.001 }
    }

    pub fn tile_patch(&self, tile: usize) -> Patch {
        let count = self.size / self.tile;
        let span = |number: usize| number * self.tile..(number + 1) * self.tile;
        // Rows of tiles go along z, those of cells against it.
        self.patch(span(tile % count), span(count - 1 - tile / count), true)
    }

    pub fn tiled(&self) -> Mesh {
        let count = self.size / self.tile;
        Mesh::from_tiles(self.grid(), (0..count * count).map(|tile| self.tile_patch(tile)).collect()).unwrap()
    }

    /// Whether a point is on a free cell, give or take.
    pub fn is_free(&self, at: DVec2, slack: f64) -> bool {
        let reach =
            |value: f64| (value.floor() as i64 - 1).max(0) as usize..=(value.floor() as i64 + 1).max(0) as usize;
        reach(at.y).any(|row| {
            reach(at.x).any(|column| {
                let is_inside = row < self.size && column < self.size && self.free[row * self.size + column];
                is_inside && is_in(&self.cell(row * self.size + column), at, slack)
            })
        })
    }

    /// Edges between free and blocked cells.
    pub fn walls(&self) -> Vec<[DVec2; 2]> {
        let mut walls = Vec::new();
        for cell in (0..self.size * self.size).filter(|&cell| self.free[cell]) {
            let (row, column) = (cell / self.size, cell % self.size);
            let corners = self.cell(cell);
            let is_free = |row: Option<usize>, column: Option<usize>| match (row, column) {
                (Some(row), Some(column)) if row < self.size && column < self.size => {
                    self.free[row * self.size + column]
                }
                _ => false,
            };
            let sides = [
                (row.checked_sub(1), Some(column)),
                (Some(row), Some(column + 1)),
                (Some(row + 1), Some(column)),
                (Some(row), column.checked_sub(1)),
            ];
            for (number, (row, column)) in sides.into_iter().enumerate() {
                if !is_free(row, column) {
                    walls.push([corners[number], corners[(number + 1) % 4]]);
                }
            }
        }
        walls
    }

    /// Whether a straight line stays on free ground: cut at every wall it meets, the middle of each piece must be free.
    pub fn sees(&self, walls: &[[DVec2; 2]], a: DVec2, b: DVec2) -> bool {
        let way = b - a;
        let mut shares = vec![0.0, 1.0];
        for &[p, q] in walls {
            let along = q - p;
            let spread = way.perp_dot(along);
            if spread != 0.0 {
                shares.push((p - a).perp_dot(along) / spread);
            }
            shares.extend([p, q].map(|end| (end - a).dot(way) / way.length_squared()));
        }
        shares.retain(|share| (0.0..=1.0).contains(share));
        shares.sort_by(f64::total_cmp);
        shares
            .windows(2)
            .all(|pair| pair[1] - pair[0] < 1e-9 || self.is_free(a + way * (0.5 * (pair[0] + pair[1])), 1e-6))
    }

    /// The slow twin: Dijkstra over the graph of all wall corners, start and goal.
    pub fn shortest(&self, from: DVec2, to: DVec2) -> Option<f64> {
        let walls = self.walls();
        let mut points = vec![from, to];
        for wall in &walls {
            if !points[2..].contains(&wall[0]) {
                points.push(wall[0]);
            }
        }
        let (mut costs, mut is_done) = (vec![f64::INFINITY; points.len()], vec![false; points.len()]);
        costs[0] = 0.0;
        loop {
            let open = (0..points.len()).filter(|&it| !is_done[it] && costs[it].is_finite());
            let here = open.min_by(|&a, &b| costs[a].total_cmp(&costs[b]))?;
            if here == 1 {
                return Some(costs[1]);
            }
            is_done[here] = true;
            for other in 0..points.len() {
                let cost = costs[here] + (points[other] - points[here]).length();
                if !is_done[other] && cost < costs[other] && self.sees(&walls, points[here], points[other]) {
                    costs[other] = cost;
                }
            }
        }
    }

    /// A random point of a free cell: in the middle, on a corner or on an edge.
    pub fn place(&self, random: &mut Stream) -> DVec2 {
        loop {
            let cell = random.below((self.size * self.size) as u32) as usize;
            if !self.free[cell] {
                continue;
            }
            let [a, b, c, d] = self.cell(cell);
            let at = match random.below(4) {
                0 => a,
                1 => a + (b - a) * 0.5,
                _ => {
                    let (u, v) = (f64::from(random.between(0.05, 0.95)), f64::from(random.between(0.05, 0.95)));
                    (a * (1.0 - u) + b * u) * (1.0 - v) + (d * (1.0 - u) + c * u) * v
                }
            };
            let single = DVec2::new(f64::from(at.x as f32), f64::from(at.y as f32));
            if self.is_free(single, 1e-6) {
                return single;
            }
        }
    }
}

/// Valid worlds from seeds on.
pub fn worlds(from: u64, count: usize, size: usize, tile: usize) -> impl Iterator<Item = World> {
    (from..).map(move |seed| World::new(seed, size, tile, CUTS[seed as usize % 3])).filter(World::is_valid).take(count)
}

/// Leaves out corners nobody uses.
fn compact(patch: &Patch) -> Patch {
    let mut used: Vec<u32> = patch.loops.clone();
    used.sort_unstable();
    used.dedup();
    let number = |corner: u32| used.binary_search(&corner).unwrap() as u32;
    Patch {
        corners: used.iter().map(|&corner| patch.corners[corner as usize]).collect(),
        loops: patch.loops.iter().map(|&corner| number(corner)).collect(),
        polygons: patch.polygons.clone(),
    }
}

fn is_convex(ring: &[DVec2]) -> bool {
    let at = |number: usize| ring[number % ring.len()];
    (0..ring.len()).all(|it| (at(it + 1) - at(it)).perp_dot(at(it + 2) - at(it + 1)) > 1e-3)
}

pub fn is_in(ring: &[DVec2], at: DVec2, slack: f64) -> bool {
    let next = |number: usize| ring[(number + 1) % ring.len()];
    (0..ring.len()).all(|it| {
        let along = next(it) - ring[it];
        along.perp_dot(at - ring[it]) >= -slack * along.length()
    })
}
