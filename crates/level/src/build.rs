//! From a spec to a level: every number, name and polygon is checked here, once.

use glam::{UVec2, Vec2, Vec3};
use sentir_core::body::Pose;
use sentir_core::{math, plane};

use crate::aabb::Aabb;
use crate::check::Checker;
use crate::error::{Fault, FilePosition, LevelError, Problem};
use crate::level::{
    Annotation, Area, Door, Floor, FloorId, Item, Leg, Level, Obstacle, Path, Piece, Spawn, Tag, TileMap,
};
use crate::mesh::TRIANGLES_MAX;
use crate::polygon;
use crate::solid::{Build, Patch, PatchKind, Stuff, turn, turned};
use crate::spec::{
    FloorSpec, LevelSpec, MeshUseSpec, PathSpec, PieceSpec, Placed, REACH_M, SlabSpec, SolidSpec, TileSpec,
};
use crate::surface::{self, SurfaceClass};
use crate::tree::Tree;
use crate::{stand, state::LevelState, view::LevelView};

/// Tiles of a level at most.
pub const TILES_MAX: usize = 16 << 20;
/// Tiles along one axis at most.
pub const TILES_PER_AXIS_MAX: usize = 4096;
/// Pieces of a level at most: every ray asks each of them whether it is near.
pub const PIECES_MAX: usize = 1024;
/// Other authored things of one kind at most.
pub const THINGS_MAX: usize = 65_535;

impl LevelSpec {
    /// Checks everything and makes the level, or says what is wrong and where.
    pub fn build(&self) -> Result<Level, LevelError> {
        let check = Checker { file: if self.file.is_empty() { &self.name } else { &self.file } };
        check.counts(self)?;
        let surfaces = surfaces(&check, self)?;
        let floors = floors(&check, &self.floors)?;
        let maker = Maker { check, spec: self, surfaces: &surfaces, floors: &floors };
        let fixed = maker.solids(&self.solids, None, TRIANGLES_MAX)?;
        let mut triangles_left = TRIANGLES_MAX - fixed.triangles.len();
        let mut pieces = Vec::new();
        for piece in &self.pieces {
            let piece = maker.piece(piece, triangles_left)?;
            triangles_left -= piece.tree.triangles.len();
            pieces.push(piece);
        }
        let mut patches = fixed.patches;
        let top = |patch: &Patch| patch.corners.iter().fold(f32::NEG_INFINITY, |most, at| math::max(most, at.y));
        patches.sort_by(|a, b| top(a).total_cmp(&top(b)));
        let mut level = Level {
            name: self.name.clone(),
            tree: Tree::build(fixed.triangles),
            patches,
            dropped: fixed.dropped,
            left_out_spawns: 0,
            obstacles: maker.each(&self.obstacles, Maker::obstacle)?,
            tiles: maker.tiles()?,
            spawns: maker.each(&self.spawns, Maker::spawn)?,
            items: maker.each(&self.items, Maker::item)?,
            areas: maker.each(&self.areas, Maker::area)?,
            annotations: maker.each(&self.annotations, Maker::annotation)?,
            pieces,
            surfaces,
            floors,
        };
        if self.is_foreign {
            settle_spawns(&mut level);
        } else {
            stand_spawns(&check, self, &mut level)?;
        }
        settle_items(self, &mut level);
        Ok(level)
    }
}

/// Puts spawns on the ground and sees that there is room, with every piece in its first pose.
fn stand_spawns(check: &Checker<'_>, spec: &LevelSpec, level: &mut Level) -> Result<(), LevelError> {
    let state = LevelState::new(level);
    let mut feet = Vec::new();
    for (spawn, authored) in level.spawns.iter().zip(&spec.spawns) {
        let view = LevelView { level, state: &state };
        let (team, [x, y]) = (spawn.team.clone(), authored.value.at);
        let found = stand::feet(&view, spawn.pose.position, spawn.floor);
        feet.push(found.map_err(|refused| {
            let problem = match refused {
                stand::Refused::NoGround => Problem::SpawnOffGround { team, x, y, reach: stand::REACH_M },
                stand::Refused::NoRoom => Problem::SpawnBlocked { team, x, y },
            };
            check.error(authored.place, problem)
        })?);
    }
    for (spawn, feet) in level.spawns.iter_mut().zip(feet) {
        spawn.pose.position = feet;
    }
    Ok(())
}

/// Lets spawns fall onto the ground and leaves out those where nobody can stand.
fn settle_spawns(level: &mut Level) {
    let state = LevelState::new(level);
    let view = LevelView { level, state: &state };
    let feet = |spawn: &Spawn| stand::fallen(&view, spawn.pose.position, spawn.floor).ok();
    let feet: Vec<Option<Vec3>> = level.spawns.iter().map(feet).collect();
    let mut settled = Vec::new();
    for (spawn, feet) in std::mem::take(&mut level.spawns).into_iter().zip(feet) {
        match feet {
            Some(position) => settled.push(Spawn { pose: Pose { position, ..spawn.pose }, ..spawn }),
            None => level.left_out_spawns += 1,
        }
    }
    level.spawns = settled;
}

/// Lets items fall onto the ground below them, as far as there is any.
fn settle_items(spec: &LevelSpec, level: &mut Level) {
    if spec.falling_items.is_empty() {
        return;
    }
    let state = LevelState::new(level);
    let mut places = Vec::new();
    for &number in &spec.falling_items {
        let Some(item) = level.items.get(number as usize) else { continue };
        let above = item.position + Vec3::Y * stand::REACH_M;
        let ground = LevelView { level, state: &state }.ground_below(above, stand::FALL_M);
        places.extend(ground.map(|ground| (number, ground.position)));
    }
    for (number, position) in places {
        level.items[number as usize].position = position;
    }
}

fn surfaces(check: &Checker<'_>, spec: &LevelSpec) -> Result<Vec<SurfaceClass>, LevelError> {
    let mut all = surface::stock();
    for one in &spec.surfaces {
        let names: Vec<&str> = all.iter().map(|class| class.name.as_str()).collect();
        check.new_name(one.place, "surfaces", &one.value.name, &names)?;
        all.push(one.value.clone());
    }
    Ok(all)
}

fn floors(check: &Checker<'_>, specs: &[Placed<FloorSpec>]) -> Result<Vec<Floor>, LevelError> {
    let mut floors: Vec<Floor> = Vec::new();
    for Placed { value: one, place } in specs {
        let names: Vec<&str> = floors.iter().map(|floor| floor.name.as_str()).collect();
        check.new_name(*place, "floors", &one.name, &names)?;
        check.range(*place, "`level_m`", one.level_m, -REACH_M, REACH_M)?;
        check.range(*place, "`down_m`", one.down_m, 0.0, REACH_M)?;
        check.range(*place, "`up_m`", one.up_m, 0.1, REACH_M)?;
        let outline = match one.outline.as_slice() {
            [] => Vec::new(),
            corners => check.ring(*place, "the outline", corners)?,
        };
        let (low_m, high_m) = (one.level_m - one.down_m, one.level_m + one.up_m);
        floors.push(Floor { name: one.name.clone(), level_m: one.level_m, low_m, high_m, outline });
    }
    if floors.is_empty() {
        let (name, outline) = ("ground".to_owned(), Vec::new());
        floors.push(Floor { name, level_m: 0.0, low_m: -0.5, high_m: 2.5, outline });
    }
    Ok(floors)
}

/// Makes things of specs, with the names they may use.
struct Maker<'a> {
    check: Checker<'a>,
    spec: &'a LevelSpec,
    surfaces: &'a [SurfaceClass],
    floors: &'a [Floor],
}

impl Maker<'_> {
    fn each<S, T>(
        &self,
        specs: &[Placed<S>],
        make: impl Fn(&Self, &Placed<S>) -> Result<T, LevelError>,
    ) -> Result<Vec<T>, LevelError> {
        specs.iter().map(|one| make(self, one)).collect()
    }

    fn floor(&self, place: FilePosition, name: Option<&str>) -> Result<FloorId, LevelError> {
        let names: Vec<&str> = self.floors.iter().map(|floor| floor.name.as_str()).collect();
        let index = name.map_or(Ok(0), |name| self.check.known(place, "floor", name, &names))?;
        Ok(FloorId(index as u16))
    }

    fn surface(&self, place: FilePosition, name: Option<&str>) -> Result<u16, LevelError> {
        let names: Vec<&str> = self.surfaces.iter().map(|class| class.name.as_str()).collect();
        let index = name.map_or(Ok(0), |name| self.check.known(place, "surface", name, &names))?;
        Ok(index as u16)
    }

    /// A place in space from an authored one.
    fn lifted(&self, place: FilePosition, at: [f32; 2], base_m: f32, floor: FloorId) -> Result<Vec3, LevelError> {
        self.check.point(place, "`at`", at)?;
        self.check.range(place, "`base_m`", base_m, -REACH_M, REACH_M)?;
        Ok(plane::lift(at.into(), self.floors[usize::from(floor.0)].level_m + base_m))
    }

    fn yaw(&self, place: FilePosition, yaw_deg: f32) -> Result<f32, LevelError> {
        self.check.range(place, "`yaw_deg`", yaw_deg, -360.0, 360.0)?;
        Ok(math::wrap_angle(yaw_deg.to_radians()))
    }

    fn stuff(
        &self,
        place: FilePosition,
        surface: Option<&str>,
        floor: Option<&str>,
        base_m: f32,
        is_local: bool,
    ) -> Result<Stuff, LevelError> {
        if is_local && floor.is_some() {
            return Err(self.check.error(place, Problem::Wrong("a piece's solids name no floor: the piece does")));
        }
        let surface = self.surface(place, surface)?;
        let floor = self.floor(place, floor)?;
        self.check.range(place, "`base_m`", base_m, -REACH_M, REACH_M)?;
        let level_m = if is_local { 0.0 } else { self.floors[usize::from(floor.0)].level_m };
        let blocks = self.surfaces[usize::from(surface)].blocks().0;
        Ok(Stuff { surface, blocks, floor: floor.0, base_m: level_m + base_m })
    }

    /// All solids of the level, or those of a piece about its pivot.
    fn solids(&self, specs: &[Placed<SolidSpec>], piece: Option<FloorId>, most: usize) -> Result<Build, LevelError> {
        let mut build = Build::default();
        for one in specs {
            self.solid(one, piece.is_some(), &mut build)?;
            let count = build.triangles.len();
            self.check.count(one.place, "triangles", count, most)?;
        }
        for patch in build.patches.iter_mut() {
            patch.floor = piece.map_or(patch.floor, |floor| floor.0);
        }
        Ok(build)
    }

    fn solid(&self, one: &Placed<SolidSpec>, is_local: bool, build: &mut Build) -> Result<(), LevelError> {
        let (check, place) = (&self.check, one.place);
        let stuff = |surface: &Option<String>, floor: &Option<String>, base_m: f32| {
            self.stuff(place, surface.as_deref(), floor.as_deref(), base_m, is_local)
        };
        match &one.value {
            SolidSpec::Box(spec) => {
                let stuff = stuff(&spec.surface, &spec.floor, spec.base_m)?;
                check.point(place, "`at`", spec.at)?;
                check.sizes(place, "`size`", &spec.size)?;
                check.sizes(place, "`height_m`", &[spec.height_m])?;
                self.yaw(place, spec.yaw_deg)?;
                build.block(spec, stuff);
            }
            SolidSpec::Wall(spec) => {
                let stuff = stuff(&spec.surface, &spec.floor, spec.base_m)?;
                check.line(place, "`along`", &spec.along)?;
                check.sizes(place, "`height_m`", &[spec.height_m])?;
                check.sizes(place, "`thickness_m`", &[spec.thickness_m])?;
                build.wall(spec, stuff);
            }
            SolidSpec::Ramp(spec) => {
                let stuff = stuff(&spec.surface, &spec.floor, spec.base_m)?;
                check.line(place, "`from` and `to`", &[spec.from, spec.to])?;
                check.sizes(place, "`width_m`", &[spec.width_m])?;
                check.sizes(place, "`rise_m`", &[spec.rise_m])?;
                build.ramp(spec, stuff);
            }
            SolidSpec::Stairs(spec) => {
                let stuff = stuff(&spec.surface, &spec.floor, spec.base_m)?;
                check.line(place, "`from` and `to`", &[spec.from, spec.to])?;
                check.sizes(place, "`width_m`", &[spec.width_m])?;
                check.sizes(place, "`rise_m`", &[spec.rise_m])?;
                check.range(place, "`steps`", spec.steps as f32, 1.0, 256.0)?;
                build.stairs(spec, stuff);
            }
            SolidSpec::Slab(spec) => self.slab(place, spec, stuff(&spec.surface, &spec.floor, spec.base_m)?, build)?,
            SolidSpec::Mesh(spec) => self.mesh(place, spec, stuff(&spec.surface, &spec.floor, spec.base_m)?, build)?,
        }
        Ok(())
    }

    fn slab(&self, place: FilePosition, spec: &SlabSpec, stuff: Stuff, build: &mut Build) -> Result<(), LevelError> {
        let check = &self.check;
        check.range(place, "`thickness_m`", spec.thickness_m, 0.0, REACH_M)?;
        let corners = spec.outline.len() + spec.holes.iter().map(Vec::len).sum::<usize>();
        check.count(place, "corners of a slab", corners, polygon::POLYGON_CORNERS_MAX)?;
        let mut rings = vec![check.ring(place, "the outline", &spec.outline)?];
        for hole in &spec.holes {
            rings.push(check.ring(place, "a hole", hole)?);
        }
        let refused = |fault: Fault| check.error(place, Problem::Polygon { what: "the outline", fault });
        polygon::check_holes(&rings[0], &rings[1..]).map_err(refused)?;
        let Some(flat) = polygon::triangulate(&rings[0], &rings[1..]) else {
            let why = "the outline cannot be cut into triangles: its corners are too near each other";
            return Err(check.error(place, Problem::Wrong(why)));
        };
        build.slab(spec, &rings, &flat, stuff);
        Ok(())
    }

    fn mesh(&self, place: FilePosition, spec: &MeshUseSpec, stuff: Stuff, build: &mut Build) -> Result<(), LevelError> {
        let check = &self.check;
        let names: Vec<&str> = self.spec.meshes.keys().map(String::as_str).collect();
        let name = names[check.known(place, "mesh", &spec.name, &names)?];
        let mesh = &self.spec.meshes[name];
        check.point(place, "`at`", spec.at)?;
        check.range(place, "`scale`", spec.scale, 1e-4, 1e4)?;
        self.yaw(place, spec.yaw_deg)?;
        check.count(place, "triangles", build.triangles.len() + mesh.triangles.len(), TRIANGLES_MAX)?;
        let classes = self.mesh_classes(place, spec, &mesh.material_names, stuff)?;
        let frame = turn(spec.yaw_deg);
        let mut moved = Vec::with_capacity(mesh.vertices.len());
        for &vertex in &mesh.vertices {
            let vertex = Vec3::from(vertex) * spec.scale;
            let ground = Vec2::from(spec.at) + turned(plane::ground(vertex), frame);
            let vertex = plane::lift(ground, vertex.y + stuff.base_m);
            for number in vertex.to_array() {
                check.range(place, "a coordinate of the mesh", number, -REACH_M, REACH_M)?;
            }
            moved.push(vertex);
        }
        for (triangle, material) in mesh.triangles.iter().zip(&mesh.materials) {
            let corner = |number: u32| moved.get(number as usize).copied();
            let (Some(stuff), [Some(a), Some(b), Some(c)]) =
                (classes.get(usize::from(*material)), triangle.map(corner))
            else {
                let why = "a triangle of the mesh names a vertex or material that is not there";
                return Err(check.error(place, Problem::Wrong(why)));
            };
            build.triangle([a, b, c], *stuff, false);
            let up = (b - a).cross(c - a);
            if up.y > 0.3 * up.length() {
                let (corners, foot_m) = (vec![a, b, c], math::min(a.y, math::min(b.y, c.y)));
                let (kind, surface, floor) = (PatchKind::Ground, stuff.surface, stuff.floor);
                build.patches.push(Patch { kind, corners, foot_m, surface, floor });
            }
        }
        Ok(())
    }

    fn mesh_classes(
        &self,
        place: FilePosition,
        spec: &MeshUseSpec,
        materials: &[String],
        stuff: Stuff,
    ) -> Result<Vec<Stuff>, LevelError> {
        let names: Vec<&str> = materials.iter().map(String::as_str).collect();
        for material in spec.surfaces.keys() {
            self.check.known(place, "material of the mesh", material, &names)?;
        }
        let class = |material: &String| {
            let own = self.surfaces.iter().any(|class| class.name == *material).then_some(material);
            match spec.surfaces.get(material).or(own) {
                None => Ok(stuff),
                Some(name) => {
                    let surface = self.surface(place, Some(name))?;
                    Ok(Stuff { surface, blocks: self.surfaces[usize::from(surface)].blocks().0, ..stuff })
                }
            }
        };
        materials.iter().map(class).collect()
    }

    fn obstacle(&self, one: &Placed<crate::spec::ObstacleSpec>) -> Result<Obstacle, LevelError> {
        let spec = &one.value;
        Ok(Obstacle {
            floor: self.floor(one.place, spec.floor.as_deref())?,
            outline: self.check.ring(one.place, "the outline", &spec.outline)?,
            surface: self.surface(one.place, spec.surface.as_deref())?,
        })
    }

    fn spawn(&self, one: &Placed<crate::spec::SpawnSpec>) -> Result<Spawn, LevelError> {
        let spec = &one.value;
        let floor = self.floor(one.place, spec.floor.as_deref())?;
        let position = self.lifted(one.place, spec.at, spec.base_m, floor)?;
        let yaw = self.yaw(one.place, spec.yaw_deg)?;
        Ok(Spawn { team: spec.team.clone(), pose: Pose { position, yaw }, floor })
    }

    fn item(&self, one: &Placed<crate::spec::ItemSpec>) -> Result<Item, LevelError> {
        let spec = &one.value;
        let floor = self.floor(one.place, spec.floor.as_deref())?;
        self.check.range(one.place, "`amount`", spec.amount, 0.0, 1e6)?;
        self.check.range(one.place, "`respawn_s`", spec.respawn_s, 0.0, 1e6)?;
        Ok(Item {
            kind: spec.kind.clone(),
            position: self.lifted(one.place, spec.at, spec.base_m, floor)?,
            floor,
            amount: spec.amount,
            respawn_s: spec.respawn_s,
        })
    }

    fn area(&self, one: &Placed<crate::spec::AreaSpec>) -> Result<Area, LevelError> {
        let spec = &one.value;
        Ok(Area {
            name: spec.name.clone(),
            kind: spec.kind.clone(),
            floor: self.floor(one.place, spec.floor.as_deref())?,
            outline: self.check.ring(one.place, "the outline", &spec.outline)?,
        })
    }

    fn annotation(&self, one: &Placed<crate::spec::AnnotationSpec>) -> Result<Annotation, LevelError> {
        let spec = &one.value;
        let floor = self.floor(one.place, spec.floor.as_deref())?;
        Ok(Annotation {
            kind: spec.kind.clone(),
            position: self.lifted(one.place, spec.at, spec.base_m, floor)?,
            floor,
            yaw: spec.yaw_deg.map(|yaw_deg| self.yaw(one.place, yaw_deg)).transpose()?,
            text: spec.text.clone(),
        })
    }

    fn tiles(&self) -> Result<Vec<TileMap>, LevelError> {
        let mut left = TILES_MAX;
        let mut maps = Vec::new();
        for one in &self.spec.tiles {
            let map = self.tile_map(one, left)?;
            left -= map.cells.len();
            maps.push(map);
        }
        Ok(maps)
    }

    fn tile_map(&self, one: &Placed<TileSpec>, most: usize) -> Result<TileMap, LevelError> {
        let (spec, place, check) = (&one.value, one.place, &self.check);
        let floor = self.floor(place, spec.floor.as_deref())?;
        check.point(place, "`origin`", spec.origin)?;
        check.range(place, "`cell_m`", spec.cell_m, 0.01, 1000.0)?;
        check.legend(place, &spec.legend)?;
        let (columns, cells) = match &spec.cells {
            Some(cells) => (cells.columns as usize, cells.tags.clone()),
            None => check.rows(place, spec)?,
        };
        let rows = cells.len().checked_div(columns).unwrap_or(0);
        check.count(place, "tiles", cells.len(), most)?;
        check.count(place, "tiles in a row or column", columns.max(rows), TILES_PER_AXIS_MAX)?;
        let is_whole = columns > 0 && rows * columns == cells.len();
        if !is_whole || cells.iter().any(|&cell| usize::from(cell) >= spec.legend.len()) {
            return Err(
                check.error(place, Problem::Wrong("the tiles are not whole rows of kinds that the legend names"))
            );
        }
        let tag = |tag: &Placed<crate::spec::TagSpec>| Tag {
            name: tag.value.tag.clone(),
            is_impassable: tag.value.is_impassable,
        };
        Ok(TileMap {
            floor,
            origin: spec.origin.into(),
            cell_m: spec.cell_m,
            size: UVec2::new(columns as u32, rows as u32),
            tags: spec.legend.iter().map(tag).collect(),
            cells,
        })
    }

    fn piece(&self, one: &Placed<PieceSpec>, triangles_max: usize) -> Result<Piece, LevelError> {
        let (spec, place, check) = (&one.value, one.place, &self.check);
        let floor = self.floor(place, spec.floor.as_deref())?;
        let position = self.lifted(place, spec.at, spec.base_m, floor)?;
        let pose = Pose { position, yaw: self.yaw(place, spec.yaw_deg)? };
        if let Some(health) = spec.health {
            check.range(place, "`health`", health, 1e-3, 1e9)?;
        }
        if spec.door.is_some() && spec.path.is_some() {
            let why = "a piece has a `door` or a `path`, not both: a door is moved by opening it";
            return Err(check.error(place, Problem::Wrong(why)));
        }
        let build = self.solids(&spec.solids, Some(floor), triangles_max)?;
        if build.triangles.is_empty() {
            return Err(check.error(place, Problem::Wrong("a piece needs at least one solid")));
        }
        let door = spec.door.as_ref().map(|door| -> Result<Door, LevelError> {
            let open = self.shifted(place, pose, door.by, door.rise_m, door.turn_deg)?;
            check.range(place, "`open_s`", door.open_s, 0.01, 1000.0)?;
            Ok(Door { open, open_s: door.open_s, starts_open: door.starts_open, is_locked: door.is_locked })
        });
        let tree = Tree::build(build.triangles);
        Ok(Piece {
            name: spec.name.clone(),
            floor,
            pose,
            door: door.transpose()?,
            health: spec.health,
            path: spec.path.as_ref().map(|path| self.path(place, pose, path)).transpose()?,
            patches: build.patches,
            reach: reach(&tree),
            tree,
        })
    }

    fn shifted(
        &self,
        place: FilePosition,
        from: Pose,
        by: [f32; 2],
        rise_m: f32,
        turn_deg: f32,
    ) -> Result<Pose, LevelError> {
        self.check.point(place, "`by`", by)?;
        self.check.range(place, "`rise_m`", rise_m, -REACH_M, REACH_M)?;
        self.check.range(place, "`turn_deg`", turn_deg, -180.0, 180.0)?;
        Ok(Pose {
            position: from.position + plane::lift(by.into(), rise_m),
            yaw: math::wrap_angle(from.yaw + turn_deg.to_radians()),
        })
    }

    fn path(&self, place: FilePosition, home: Pose, spec: &PathSpec) -> Result<Path, LevelError> {
        let check = &self.check;
        check.range(place, "the count of `stops`", spec.stops.len() as f32, 1.0, 64.0)?;
        let mut legs = Vec::new();
        let (mut from, mut wait_s, mut round_s) = (home, spec.wait_s, 0.0);
        check.range(place, "`wait_s`", wait_s, 0.0, 1000.0)?;
        let mut leg = |to: Pose, travel_s: f32, next_wait_s: f32| {
            legs.push(Leg { from, to, wait_s, travel_s });
            round_s += wait_s + travel_s;
            (from, wait_s) = (to, next_wait_s);
        };
        for Placed { value: stop, place } in &spec.stops {
            check.range(*place, "`travel_s`", stop.travel_s, 0.01, 1000.0)?;
            check.range(*place, "`wait_s`", stop.wait_s, 0.0, 1000.0)?;
            leg(self.shifted(*place, home, stop.by, stop.rise_m, stop.turn_deg)?, stop.travel_s, stop.wait_s);
        }
        check.range(place, "`back_s`", spec.back_s, 0.01, 1000.0)?;
        leg(home, spec.back_s, 0.0);
        Ok(Path { legs, round_s })
    }
}

/// The box about the pivot that holds a shape at any yaw, a millimeter wider for the rounding of turned rays.
fn reach(tree: &Tree) -> Aabb {
    let mut radius_squared = 0.0;
    for corner in tree.triangles.iter().flat_map(|one| one.corners) {
        radius_squared = math::max(radius_squared, corner.x * corner.x + corner.z * corner.z);
    }
    let (radius, bounds) = (radius_squared.sqrt(), tree.bounds());
    Aabb { low: Vec3::new(-radius, bounds.low.y, -radius), high: Vec3::new(radius, bounds.high.y, radius) }.grown(1e-3)
}
