//! Worlds made to be difficult, and sight by asking about every wall.

use sentir_space::core::glam::{DVec2, Vec2};
use sentir_space::core::math;
use sentir_space::core::plane;
use sentir_space::core::random::Stream;
use sentir_space::visibility::{Obstacles, Watcher};

/// A world and who looks at it.
pub struct World {
    pub polygons: Vec<Vec<Vec2>>,
    pub walls: Vec<[Vec2; 2]>,
    pub watcher: Watcher,
}

/// Side of the worlds, m.
pub const SIDE: f32 = 20.0;

/// A coordinate; on a lattice, so that things touch, share corners and lie in line, or anywhere.
fn place(random: &mut Stream, is_lattice: bool) -> Vec2 {
    let mut one = || {
        let at = random.between(0.0, SIDE);
        if is_lattice { at.round() } else { at }
    };
    Vec2::new(one(), one())
}

/// A regular polygon.
pub fn regular(center: Vec2, radius: f32, corners: u32, turn: f32) -> Vec<Vec2> {
    (0..corners)
        .map(|number| center + plane::heading(turn + math::TAU * number as f32 / corners as f32) * radius)
        .collect()
}

impl World {
    /// Polygons and walls that touch, overlap and cross, and an origin anywhere, on a wall or on a corner.
    pub fn random(random: &mut Stream) -> World {
        let is_lattice = random.chance(0.6);
        let mut polygons: Vec<Vec<Vec2>> = Vec::new();
        for _ in 0..random.below(8) {
            let at = place(random, is_lattice);
            let size = place(random, is_lattice) * 0.2;
            let ring = match random.below(4) {
                0 => vec![at, at + Vec2::new(size.x, 0.0), at + size, at + Vec2::new(0.0, size.y)],
                1 => regular(at, random.between(0.3, 3.0), 3 + random.below(5), random.between(0.0, 3.0)),
                2 => (0..3 + random.below(6)).map(|_| place(random, is_lattice)).collect(),
                // One that touches the last: a copy beside it.
                _ => match polygons.last() {
                    Some(last) => last.iter().map(|&corner| corner + (last[1] - last[0])).collect(),
                    None => vec![at, at + Vec2::X, at + Vec2::Y],
                },
            };
            polygons.push(ring);
        }
        let mut walls: Vec<[Vec2; 2]> =
            (0..random.below(10)).map(|_| [(); 2].map(|()| place(random, is_lattice))).collect();
        if random.chance(0.5) {
            let corners = [Vec2::ZERO, Vec2::new(SIDE, 0.0), Vec2::splat(SIDE), Vec2::new(0.0, SIDE)];
            walls.extend((0..4).map(|side| [corners[side], corners[(side + 1) % 4]]));
        }
        let mut world = World { polygons, walls, watcher: Watcher::all_round(Vec2::ZERO, 1.0) };
        let all = world.all_walls();
        let origin = match (random.below(4), all.get(random.below(all.len() as u32) as usize)) {
            (0, Some(wall)) => wall[0].as_vec2(),
            (1, Some(wall)) => ((wall[0] + wall[1]) * 0.5).as_vec2(),
            _ => place(random, is_lattice),
        };
        let half_angle_rad = if random.chance(0.3) { math::PI } else { random.between(0.05, 3.1) };
        let facing = random.between(-4.0, 4.0);
        world.watcher = Watcher { origin, facing, half_angle_rad, range_m: random.between(1.0, 40.0) };
        world
    }

    pub fn obstacles(&self) -> Obstacles {
        Obstacles::build(&self.polygons, &self.walls).unwrap()
    }

    pub fn all_walls(&self) -> Vec<[DVec2; 2]> {
        let sides =
            self.polygons.iter().flat_map(|ring| (0..ring.len()).map(|at| [ring[at], ring[(at + 1) % ring.len()]]));
        sides.chain(self.walls.iter().copied()).map(|wall| wall.map(|end| end.as_dvec2())).collect()
    }
}

/// Whether a watcher sees a point: in range, within the view, and no wall between.
pub fn sees(walls: &[[DVec2; 2]], watcher: &Watcher, point: DVec2) -> bool {
    let d = point - watcher.origin.as_dvec2();
    let length = d.length();
    if length > f64::from(watcher.range_m) {
        return false;
    }
    let yaw = plane::yaw(d.as_vec2());
    if !watcher.is_all_round() && math::angle_between(watcher.facing, yaw).abs() > watcher.half_angle_rad {
        return false;
    }
    walls.iter().all(|wall| {
        let [a, b] = wall.map(|end| end - watcher.origin.as_dvec2());
        let along = b - a;
        let turn = d.perp_dot(along);
        let (far, share) = (a.perp_dot(along) / turn, a.perp_dot(d) / turn);
        !(turn != 0.0 && far > 1e-9 && far < 1.0 && (0.0..=1.0).contains(&share))
    })
}

/// The same, if it is the same all round a point; none at a border.
pub fn sees_clearly(walls: &[[DVec2; 2]], watcher: &Watcher, point: DVec2) -> Option<bool> {
    let is_seen = sees(walls, watcher, point);
    let is_same = (0..8).all(|number| {
        let shift = plane::heading(number as f32 * math::TAU / 8.0).as_dvec2() * 1e-4;
        sees(walls, watcher, point + shift) == is_seen
    });
    is_same.then_some(is_seen)
}
