//! Pieces of a level as obstacles.

use sentir_core::body::Pose;
use sentir_core::tick::TickRate;
use sentir_level::{Level, LevelView, PieceId};

use super::*;

const RATE: TickRate = TickRate::new(30);

const YARD: &str = "
name: yard
solids:
- slab: {outline: [[0, 0], [20, 0], [20, 12], [0, 12]]}
pieces:
- {name: door, at: [5, 6], solids: [{box: {at: [0, 0], size: [0.1, 3], height_m: 2}}], door: {by: [0, 3], open_s: 1}}
- {name: crate, at: [10, 3], solids: [{box: {at: [0, 0], size: [1, 1], height_m: 1, yaw_deg: 30}}], path: {stops: [{by: [4, 0], travel_s: 4, wait_s: 2}], back_s: 4, wait_s: 1}}
- {name: wall, at: [15, 8], health: 10, solids: [{box: {at: [0, 0], size: [2, 0.3], height_m: 2}}]}
";

struct Yard {
    level: Level,
    state: LevelState,
    table: TileTable,
    obstacles: Obstacles,
    watch: PieceWatch,
}

impl Yard {
    fn new() -> Yard {
        let level = sentir_level::yaml::parse(YARD.as_bytes(), "yard.yaml").unwrap().build().unwrap();
        let state = LevelState::new(&level);
        let table = crate::bake::level(&level, &state, &LevelFilter::default(), &config()).unwrap();
        let (mut obstacles, mut watch) = (Obstacles::default(), PieceWatch::default());
        for number in 0..3 {
            let view = LevelView { level: &level, state: &state };
            let tiles = ObstacleTiles { table: &table, obstacles: &mut obstacles };
            let made = watch.watch(PieceId(number), false, view, tiles);
            assert!(made.unwrap().is_some());
        }
        obstacles.step(&table, u32::MAX);
        Yard { level, state, table, obstacles, watch }
    }

    /// One tick; how many changes the obstacles had.
    fn tick(&mut self) -> u64 {
        let before = self.obstacles.counts().changes;
        self.state.step(&self.level, RATE);
        let view = LevelView { level: &self.level, state: &self.state };
        let tiles = ObstacleTiles { table: &self.table, obstacles: &mut self.obstacles };
        self.watch.follow(view, tiles).unwrap();
        self.obstacles.sweep(&self.table, |_| false);
        self.obstacles.step(&self.table, u32::MAX);
        self.obstacles.counts().changes - before
    }

    fn ticks(&mut self, count: u32) {
        for _ in 0..count {
            self.tick();
        }
    }

    fn middle(&self, piece: u16) -> Option<Vec2> {
        let id = self.watch.obstacle(PieceId(piece))?;
        self.obstacles.footprint_of(id).map(|it| (it.obstacle.bounds().0 + it.obstacle.bounds().1) * 0.5)
    }
}

#[test]
fn a_thin_door_takes_cells_and_stands_where_it_goes() {
    let mut yard = Yard::new();
    yard.ticks(31);
    let door = yard.obstacles.footprint_of(yard.watch.obstacle(PieceId(0)).unwrap()).unwrap().obstacle.clone();
    assert!(door.distance_m(Vec2::new(5.0, 6.0)) == 0.0 && (door.low_m, door.high_m) == (0.0, 2.0));
    let open_m2 = |obstacles: &[Obstacle]| {
        let patches: Vec<_> = yard.table.fields.iter().map(|field| field.polygonize(obstacles)).collect();
        Mesh::from_tiles(yard.table.grid, patches).unwrap().area_m2()
    };
    // With the radius and half a cell to each side, about 1.15 m by 4.05 m, rounded to cells.
    let taken = open_m2(&[]) - open_m2(&[door]);
    assert!((3.5..7.0).contains(&taken), "{taken} m²");
    yard.state.open_door(&yard.level, PieceId(0));
    yard.tick();
    assert!(yard.middle(0).unwrap().distance(Vec2::new(5.0, 9.0)) < 1e-3, "{:?}", yard.middle(0));
    assert!(yard.state.piece(PieceId(0)).unwrap().openness < 0.1);
}

#[test]
fn a_mover_is_told_now_and_then_and_when_it_rests() {
    let mut yard = Yard::new();
    let mut told = 0;
    for tick in 0..RATE.ticks(5.5) {
        let changes = yard.tick();
        told += changes;
        let is = plane::ground(yard.state.piece(PieceId(1)).unwrap().pose.position);
        assert!(yard.middle(1).unwrap().distance(is) <= crate::dynamic::piece::SLACK_M + 1e-3, "at tick {tick}");
    }
    // Four meters in steps of three quarters of one, each a move: out and in.
    assert!((10..=14).contains(&told), "{told} changes");
    assert!(yard.middle(1).unwrap().distance(Vec2::new(14.0, 3.0)) < 1e-3);
}

#[test]
fn what_breaks_is_gone_and_what_is_foretold_is_there() {
    let mut yard = Yard::new();
    assert!(yard.state.damage_piece(&yard.level, PieceId(2), 10.0));
    yard.tick();
    assert_eq!((yard.middle(2), yard.watch.obstacle(PieceId(2))), (None, None));
    let pose = Pose { position: Vec3::new(5.0, 0.0, -9.0), yaw: 0.0 };
    let tiles = ObstacleTiles { table: &yard.table, obstacles: &mut yard.obstacles };
    let told = yard.watch.foretell(PieceId(0), pose, &yard.level, tiles);
    assert_eq!(told, Ok(true));
    yard.ticks(20);
    assert!(yard.middle(0).unwrap().distance(Vec2::new(5.0, 9.0)) < 1e-3);
    yard.state.open_door(&yard.level, PieceId(0));
    yard.ticks(40);
    // It is there now, and moves on as doors do.
    yard.state.close_door(&yard.level, PieceId(0));
    yard.tick();
    assert!(yard.middle(0).unwrap().distance(Vec2::new(5.0, 6.0)) < 1e-3);
    let tiles = ObstacleTiles { table: &yard.table, obstacles: &mut yard.obstacles };
    let unknown = yard.watch.foretell(PieceId(9), pose, &yard.level, tiles);
    assert_eq!(unknown, Ok(false));
    assert!(state::perturb(&yard.watch).iter().all(|one| one.outcome != state::Noticed::No));
}

#[test]
fn a_watch_begun_again_from_bytes_goes_on_the_same() {
    let mut yard = Yard::new();
    yard.ticks(50);
    yard.watch = state::from_bytes(&state::to_bytes(&yard.watch)).unwrap();
    let mut twin = Yard::new();
    twin.ticks(50);
    for _ in 0..200 {
        assert_eq!(yard.tick(), twin.tick());
    }
    assert_eq!(yard.obstacles, twin.obstacles);
}
