//! The map of a war: tiles, what they cost each kind of unit, and where things stand. The same turned by half a turn.

use sentir::core::geometry::{Geometry, Prop, Ray, RayHit};
use sentir::core::{math, plane};
use sentir::prelude::*;
use sentir_act::Wall;
use sentir_harness::info::SceneError;
use sentir_nav::grid::{self, Cell, Cost, GridError, Terrain, Unit, UnitGrid};

use super::rules::{Kind, Rules};

/// Side of a tile, m.
pub(crate) const CELL_M: f32 = 2.0;
/// How far around a base or rally point units stand, m.
const MUSTER_M: f32 = 9.0;
/// Where the tiles come from, in errors.
const FILE: &str = "war/map.txt";

/// What grows or lies on a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ground {
    Path,
    Grass,
    Forest,
    Water,
    Rock,
}

impl Ground {
    const NAMES: [(&'static str, Ground); 5] = [
        ("path", Ground::Path),
        ("grass", Ground::Grass),
        ("forest", Ground::Forest),
        ("water", Ground::Water),
        ("rock", Ground::Rock),
    ];
}

/// Places of both sides, m; blue's first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places {
    pub(crate) base: [Vec2; 2],
    pub(crate) hospital: [Vec2; 2],
    pub(crate) sites: [[Vec2; 2]; 2],
    pub(crate) resources: Vec<Vec2>,
    pub(crate) rally: [Vec2; 2],
    pub(crate) patrol: [Vec<Vec2>; 2],
    /// Where defenders and waiting workers stand, around the rally point, nearest first.
    pub(crate) posts: [Vec<Vec2>; 2],
    /// Where the dead come back, around the base, nearest first.
    pub(crate) spawns: [Vec<Vec2>; 2],
}

impl Places {
    /// Where structures stand or can be built, of both sides.
    pub(crate) fn structures(&self) -> impl Iterator<Item = Vec2> + use<> {
        let [blue, red] = self.sites;
        self.base.into_iter().chain(self.hospital).chain(blue).chain(red)
    }
}

/// The map.
pub(crate) struct WarMap {
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// By cell, row 0 in the south.
    pub(crate) ground: Vec<Ground>,
    /// As each kind of unit walks it.
    pub(crate) grids: Vec<UnitGrid>,
    pub(crate) places: Places,
    /// Borders of what cannot be walked on, for formations.
    pub(crate) walls: Vec<Wall>,
}

fn refused(error: &GridError) -> SceneError {
    let (line, column) = (error.line as usize, error.column as usize);
    SceneError::Asset { name: FILE.to_owned(), line, column, what: error.problem.to_string() }
}

fn wrong(what: String) -> SceneError {
    SceneError::Asset { name: FILE.to_owned(), line: 0, column: 0, what }
}

impl WarMap {
    /// Reads the tiles and lays out the places that the rules name, with room for so many units on either side.
    pub(crate) fn read(text: &str, rules: &Rules, units: u32) -> Result<WarMap, SceneError> {
        let (mut terrain, _) = grid::text(text.as_bytes(), FILE).map_err(|error| refused(&error))?;
        let ground_of = |name: &String| Ground::NAMES.iter().find(|(it, _)| it == name).map(|(_, ground)| *ground);
        let mut tags = Vec::new();
        for name in terrain.names() {
            let known = Ground::NAMES.map(|(name, _)| name).join(", ");
            tags.push(ground_of(name).ok_or_else(|| wrong(format!("`{name}` is no ground: expected one of {known}")))?);
        }
        let (width, height) = (terrain.width(), terrain.height());
        let cells = || (0..height as u16).flat_map(|y| (0..width as u16).map(move |x| Cell::new(x, y)));
        let tag = |cell: Cell| terrain.tag(cell).and_then(|tag| tags.get(usize::from(tag.0)).copied());
        let ground: Vec<Ground> = cells().map(|cell| tag(cell).unwrap_or(Ground::Water)).collect();
        let count = ground.len();
        if let Some(place) = (0..count).find(|&place| ground[place] != ground[count - 1 - place]) {
            let (x, y) = (place as u32 % width, place as u32 / width);
            return Err(wrong(format!(
                "column {x}, row {y} is not the same turned by half a turn: both sides need equal ground"
            )));
        }
        let mut map = WarMap { width, height, ground, grids: Vec::new(), places: Places::default(), walls: Vec::new() };
        map.grids = grids_of(&terrain, &tags, rules)?;
        map.places = map.lay_out(rules, units)?;
        // Ways lead round structures, built or not.
        for place in map.places.structures() {
            terrain.block(map.cell(place));
        }
        map.grids = grids_of(&terrain, &tags, rules)?;
        map.walls = map.borders();
        Ok(map)
    }

    fn lay_out(&self, rules: &Rules, units: u32) -> Result<Places, SceneError> {
        // A circle of this radius has some three square meters for each of a large army.
        let range_m = math::max(MUSTER_M, (units as f32).sqrt());
        let spec = &rules.spec.places;
        let blue = |name: &str, [x, y]: [u16; 2]| -> Result<Vec2, SceneError> {
            let cell = Cell::new(x, y);
            if self.grids[0].is_free(cell) {
                return Ok(self.center(cell));
            }
            Err(wrong(format!("`{name}` at column {x}, row {y} is where nobody can stand")))
        };
        let both = |place: Vec2| [place, self.turned(place)];
        let list = |name: &str, all: &[[u16; 2]]| all.iter().map(|&one| blue(name, one)).collect::<Result<Vec<_>, _>>();
        let sites = [blue("sites", spec.sites[0])?, blue("sites", spec.sites[1])?];
        let (patrol, own) = (list("patrol", &spec.patrol)?, list("resources", &spec.resources)?);
        let mut places = Places {
            base: both(blue("base", spec.base)?),
            hospital: both(blue("hospital", spec.hospital)?),
            sites: [sites, sites.map(|site| self.turned(site))],
            resources: own.iter().flat_map(|&one| both(one)).collect(),
            rally: both(blue("rally", spec.rally)?),
            patrol: [patrol.clone(), patrol.iter().map(|&one| self.turned(one)).collect()],
            ..Places::default()
        };
        let is_apart = |at: Vec2| places.base.iter().chain(&places.hospital).all(|it| it.distance(at) > 3.5);
        for side in 0..2 {
            let turned = |at: Vec2| if side == 0 { at } else { self.turned(at) };
            // Laid out for blue and turned for red, so that neither is better off.
            let around = |at: Vec2| {
                let mut free = self.around(turned(at), range_m);
                free.retain(|&it| is_apart(it));
                free.into_iter().map(turned).collect::<Vec<_>>()
            };
            (places.posts[side], places.spawns[side]) = (around(places.rally[side]), around(places.base[side]));
        }
        Ok(places)
    }

    /// The middles of all free cells within a range of a place, nearest first.
    fn around(&self, at: Vec2, range_m: f32) -> Vec<Vec2> {
        let mut found: Vec<Vec2> = self
            .cells()
            .filter(|&cell| self.is_free(cell))
            .map(|cell| self.center(cell))
            .filter(|it| it.distance(at) <= range_m)
            .collect();
        found.sort_by(|a, b| {
            a.distance(at).total_cmp(&b.distance(at)).then(a.x.total_cmp(&b.x)).then(a.y.total_cmp(&b.y))
        });
        found
    }

    pub(crate) fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let (width, height) = (self.width as u16, self.height as u16);
        (0..height).flat_map(move |y| (0..width).map(move |x| Cell::new(x, y)))
    }

    /// Its extent, m.
    pub(crate) fn size(&self) -> Vec2 {
        Vec2::new(self.width as f32, self.height as f32) * CELL_M
    }

    /// The same place for the other side.
    pub(crate) fn turned(&self, place: Vec2) -> Vec2 {
        self.size() - place
    }

    pub(crate) fn center(&self, cell: Cell) -> Vec2 {
        Vec2::new(f32::from(cell.x) + 0.5, f32::from(cell.y) + 0.5) * CELL_M
    }

    /// The cell of a place; the nearest one for what is outside.
    pub(crate) fn cell(&self, place: Vec2) -> Cell {
        let at = (place / CELL_M).clamp(Vec2::ZERO, Vec2::new(self.width as f32 - 1.0, self.height as f32 - 1.0));
        Cell::new(at.x as u16, at.y as u16)
    }

    pub(crate) fn index(&self, cell: Cell) -> usize {
        usize::from(cell.y) * self.width as usize + usize::from(cell.x)
    }

    pub(crate) fn ground_at(&self, place: Vec2) -> Ground {
        self.ground[self.index(self.cell(place))]
    }

    pub(crate) fn is_free(&self, cell: Cell) -> bool {
        self.grids[0].is_free(cell)
    }

    /// The nearest cell to a place on which one can stand.
    pub(crate) fn footing(&self, place: Vec2) -> Cell {
        let cell = self.cell(place);
        if self.is_free(cell) {
            return cell;
        }
        let near = |it: &Cell| (self.center(*it).distance(place) * 1024.0) as u32;
        self.cells().filter(|&it| self.is_free(it)).min_by_key(|it| (near(it), it.y, it.x)).unwrap_or(cell)
    }

    /// Whether somebody can walk straight from one place to another with some room on either side.
    pub(crate) fn is_straight(&self, from: Vec2, to: Vec2, half_m: f32) -> bool {
        let way = to - from;
        let steps = math::max((way.length() / 0.5).ceil(), 1.0);
        let aside = plane::left_of(plane::direction(way)) * half_m;
        (0..=steps as u32).all(|step| {
            let at = from + way * (step as f32 / steps);
            [at - aside, at + aside].into_iter().all(|point| self.is_inside(point) && self.is_free(self.cell(point)))
        })
    }

    fn is_inside(&self, place: Vec2) -> bool {
        let size = self.size();
        place.x >= 0.0 && place.y >= 0.0 && place.x < size.x && place.y < size.y
    }

    /// Pushes a disc off what cannot be walked on, and onto the map.
    pub(crate) fn push_out(&self, place: &mut Vec2, radius_m: f32) {
        let size = self.size();
        *place = place.clamp(Vec2::splat(radius_m), size - Vec2::splat(radius_m));
        let own = self.cell(*place);
        if !self.is_free(own) {
            let free = self.center(self.footing(*place));
            // To the rim of the free cell, not to its middle.
            let low = free - Vec2::splat(0.5 * CELL_M - radius_m - 0.01);
            let high = free + Vec2::splat(0.5 * CELL_M - radius_m - 0.01);
            *place = place.clamp(low, high);
            return;
        }
        for (dx, dy) in [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1)] {
            let (Some(x), Some(y)) = (own.x.checked_add_signed(dx), own.y.checked_add_signed(dy)) else { continue };
            let near = Cell::new(x, y);
            if u32::from(x) >= self.width || u32::from(y) >= self.height || self.is_free(near) {
                continue;
            }
            let low = self.center(near) - Vec2::splat(0.5 * CELL_M);
            let nearest = place.clamp(low, low + Vec2::splat(CELL_M));
            let (off, distance) = (*place - nearest, place.distance(nearest));
            if distance > 1e-4 && distance < radius_m {
                *place = nearest + off * (radius_m / distance);
            }
        }
    }

    /// The sides of cells between where one can walk and where one cannot, joined along rows and columns; the free side is on the right.
    fn borders(&self) -> Vec<Wall> {
        let mut walls: Vec<Wall> = Vec::new();
        let is_free = |x: i32, y: i32| {
            let is_in = x >= 0 && y >= 0 && x < self.width as i32 && y < self.height as i32;
            is_in && self.is_free(Cell::new(x as u16, y as u16))
        };
        let (width, height) = (self.width as i32, self.height as i32);
        let point = |x: i32, y: i32| Vec2::new(x as f32, y as f32) * CELL_M;
        let mut add = |from: Vec2, to: Vec2| match walls.last_mut() {
            // Straight on.
            Some(last) if last.to == from && plane::side(last.from, last.to, to) == 0.0 => last.to = to,
            _ => walls.push(Wall { from, to }),
        };
        for y in 0..=height {
            for x in (0..width).rev() {
                if is_free(x, y) && !is_free(x, y - 1) {
                    add(point(x + 1, y), point(x, y));
                }
            }
            for x in 0..width {
                if is_free(x, y - 1) && !is_free(x, y) {
                    add(point(x, y), point(x + 1, y));
                }
            }
        }
        for x in 0..=width {
            for y in 0..height {
                if is_free(x, y) && !is_free(x - 1, y) {
                    add(point(x, y), point(x, y + 1));
                }
            }
            for y in (0..height).rev() {
                if is_free(x - 1, y) && !is_free(x, y) {
                    add(point(x, y + 1), point(x, y));
                }
            }
        }
        walls
    }
}

/// The terrain as each kind of unit walks it.
fn grids_of(terrain: &Terrain, tags: &[Ground], rules: &Rules) -> Result<Vec<UnitGrid>, SceneError> {
    let kinds = Kind::ALL.into_iter().take(Kind::UNITS);
    kinds.map(|kind| unit_grid(terrain, tags, rules, kind).map_err(|error| refused(&error))).collect()
}

/// The terrain as a kind of unit walks it.
fn unit_grid(terrain: &Terrain, tags: &[Ground], rules: &Rules, kind: Kind) -> Result<UnitGrid, GridError> {
    let taste = rules.kind(kind).taste;
    let cost = |ground: &Ground| match ground {
        Ground::Path => Cost::Times(taste[0]),
        Ground::Grass => Cost::Times(taste[1]),
        Ground::Forest => Cost::Times(taste[2]),
        Ground::Water | Ground::Rock => Cost::Impassable,
    };
    UnitGrid::build(terrain, &Unit { name: kind.name().to_owned(), costs: tags.iter().map(cost).collect() })
}

/// The map as eyes meet it: rocks end a look. What lies about are the resources that are there.
pub(crate) struct Field<'a> {
    pub(crate) map: &'a WarMap,
    /// Whether looks end anywhere.
    pub(crate) has_fog: bool,
    /// Where each resource is, and whether one is there.
    pub(crate) resources: &'a [bool],
}

/// How far below the ground looks end, m.
const BELOW_M: f32 = -1.0;
/// Height of rocks, m: nobody looks over them.
const ROCK_M: f32 = 4.5;

impl Geometry for Field<'_> {
    fn version(&self) -> u64 {
        0
    }

    fn ray(&self, ray: &Ray) -> Option<RayHit> {
        // Nobody looks below the ground, where those are who are not there.
        if ray.origin.y + ray.direction.y * ray.length_m < BELOW_M {
            let distance_m = math::max((ray.origin.y - BELOW_M) / -ray.direction.y, 0.0);
            return Some(RayHit { distance_m, normal: Vec3::Y, surface: 0 });
        }
        if !self.has_fog {
            return None;
        }
        // Cell by cell along the ground (Amanatides and Woo 1987).
        let (origin, way) = (plane::ground(ray.origin) / CELL_M, plane::ground(ray.direction) / CELL_M);
        let (mut x, mut y) = (origin.x.floor() as i32, origin.y.floor() as i32);
        let step = |value: f32| if value > 0.0 { 1 } else { -1 };
        let (step_x, step_y) = (step(way.x), step(way.y));
        let first = |at: f32, cell: i32, way: f32| {
            let edge = if way > 0.0 { cell as f32 + 1.0 } else { cell as f32 };
            if way == 0.0 { f32::INFINITY } else { (edge - at) / way }
        };
        let (mut next_x, mut next_y) = (first(origin.x, x, way.x), first(origin.y, y, way.y));
        let each = |way: f32| if way == 0.0 { f32::INFINITY } else { (1.0 / way).abs() };
        let (each_x, each_y) = (each(way.x), each(way.y));
        loop {
            let (distance, normal) = if next_x < next_y {
                x += step_x;
                let at = next_x;
                next_x += each_x;
                (at, Vec2::new(-step_x as f32, 0.0))
            } else {
                y += step_y;
                let at = next_y;
                next_y += each_y;
                (at, Vec2::new(0.0, -step_y as f32))
            };
            // What is no number ends it, too.
            if distance.is_nan()
                || distance > ray.length_m
                || x < 0
                || y < 0
                || x >= self.map.width as i32
                || y >= self.map.height as i32
            {
                return None;
            }
            let is_rock = self.map.ground[y as usize * self.map.width as usize + x as usize] == Ground::Rock;
            if is_rock && ray.origin.y + ray.direction.y * distance < ROCK_M {
                return Some(RayHit { distance_m: distance, normal: plane::lift(normal, 0.0), surface: 0 });
            }
        }
    }

    fn overlap(&self, center: Vec3, radius_m: f32) -> bool {
        let mut place = plane::ground(center);
        let before = place;
        self.map.push_out(&mut place, radius_m);
        place != before
    }

    fn visit_props(&self, visit: &mut dyn FnMut(&Prop)) {
        for (&is_there, &place) in self.resources.iter().zip(&self.map.places.resources) {
            visit(&Prop { class: u8::from(is_there), position: plane::lift(place, 0.4), ..Prop::default() });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::war::game::asset::{MAP, RULES};

    fn map() -> WarMap {
        WarMap::read(MAP.1, &Rules::read(RULES.1.as_bytes(), RULES.0).unwrap(), 16).unwrap()
    }

    #[test]
    fn the_map_is_as_large_as_it_should_be_and_the_river_is_crossed_at_two_bridges_only() {
        let map = map();
        assert_eq!((map.width, map.height), (48, 30));
        let mut stretches = 0;
        for y in 0..30 {
            let is_open = |y: u16| (22..26).all(|x| map.is_free(Cell::new(x, y)));
            stretches += u32::from(is_open(y) && (y == 0 || !is_open(y - 1)));
        }
        assert_eq!(stretches, 2);
        let [blue, red] = map.places.rally;
        assert_eq!(map.grids[0].component(map.cell(blue)), map.grids[0].component(map.cell(red)));
        assert!(map.places.structures().all(|place| !map.is_free(map.cell(place))), "ways lead round structures");
    }

    #[test]
    fn a_map_that_is_not_fair_or_has_unknown_ground_is_refused() {
        let rules = Rules::read(RULES.1.as_bytes(), RULES.0).unwrap();
        let said =
            |from: &str, to: &str| WarMap::read(&MAP.1.replacen(from, to, 1), &rules, 16).err().unwrap().to_string();
        assert!(said(".fff..f........", ".fff..f.......f").contains("turned by half a turn"));
        assert!(said(". grass", ". gras").contains("`gras` is no ground: expected one of path, grass"));
    }

    #[test]
    fn rocks_end_a_look_and_water_does_not() {
        let map = map();
        let field = Field { map: &map, has_fog: true, resources: &[] };
        let at = |x: u16, y: u16| plane::lift(map.center(Cell::new(x, y)), 1.5);
        assert_eq!(map.ground[map.index(Cell::new(9, 19))], Ground::Rock);
        assert!(!field.is_clear(at(7, 19), at(11, 19)) && field.is_clear(at(7, 20), at(11, 20)));
        assert!(field.is_clear(at(21, 15), at(26, 15)), "over the river");
        assert!(field.is_clear(at(7, 19), at(8, 19)) && field.is_clear(at(8, 19), at(7, 18)));
        let without = Field { has_fog: false, ..field };
        assert!(without.is_clear(at(7, 19), at(11, 19)));
    }

    #[test]
    fn nobody_stays_in_what_cannot_be_walked_on() {
        let map = map();
        for number in 0..2000u32 {
            let share = |by: u32| (number.wrapping_mul(by) % 997) as f32 / 997.0;
            let mut place = Vec2::new(share(389) * 110.0 - 7.0, share(601) * 74.0 - 7.0);
            map.push_out(&mut place, 0.45);
            assert!(map.is_free(map.cell(place)), "{place}");
        }
    }
}
