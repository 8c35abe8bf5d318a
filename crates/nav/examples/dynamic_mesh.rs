//! A wall falls across a hall with two doors: who saw it goes round, who did not walks up to it, feels it, and goes round.

use sentir_nav::bake::{BakeConfig, LevelFilter, Obstacle, Shape, level};
use sentir_nav::core::glam::{Vec2, Vec3};
use sentir_nav::dynamic::{DynamicMesh, Knowledge, Obstacles};
use sentir_nav::mesh::{AreaCosts, CorridorSearch, MeshQuery};

const HALL: &[u8] = b"
name: hall
solids:
- slab: {outline: [[0, 0], [20, 0], [20, 12], [0, 12]]}
- wall: {along: [[10, 0], [10, 2]], height_m: 3}
- wall: {along: [[10, 4], [10, 9]], height_m: 3}
- wall: {along: [[10, 11], [10, 12]], height_m: 3}
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let hall = sentir_level::yaml::parse(HALL, "hall.yaml")?.build()?;
    let state = sentir_level::LevelState::new(&hall);
    let config = BakeConfig { height_m: 2.0, climb_m: 0.3, ..BakeConfig::PERSON_CLOSE };
    let table = level(&hall, &state, &LevelFilter::default(), &config)?;
    let (mut obstacles, mut dynamic) = (Obstacles::default(), DynamicMesh::new(&table)?);
    let (mut watcher, mut stranger) = (Knowledge::default(), Knowledge::default());

    // The southern door, at y = 3, is blocked. Nobody is told.
    let shape = Shape::Rectangle { center: Vec2::new(10.0, 3.0), half: Vec2::new(0.4, 1.2), yaw: 0.0 };
    let rubble = obstacles.add(&table, Obstacle { shape, low_m: 0.0, high_m: 2.0 }, false)?;
    while !obstacles.waiting().is_empty() {
        // A tick: so many spans of work, and the mesh follows.
        obstacles.step(&table, 2000);
        dynamic.follow(&table, &obstacles)?;
    }
    watcher.learn(obstacles.footprint_of(rubble).ok_or("it was added just now")?);

    let mut search = CorridorSearch::default();
    let mut length_m = |knowledge: &Knowledge| {
        let costs = dynamic.costs(&AreaCosts::PLAIN, knowledge);
        let query = MeshQuery::new(Vec3::new(3.0, 0.0, -3.0), Vec3::new(17.0, 0.0, -3.0));
        search.find(dynamic.mesh(), &MeshQuery { costs: &costs, ..query }).cost
    };
    println!("who saw it fall plans {:.1} m, who did not {:.1} m", length_m(&watcher), length_m(&stranger));
    stranger.touch(&obstacles, Vec3::new(9.4, 0.0, -3.0), 0.4);
    println!("having walked into it, he plans {:.1} m as well", length_m(&stranger));
    Ok(())
}
