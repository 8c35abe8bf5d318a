//! Answers every query of a scenario file so often, for counting instructions: the difference between two counts of rounds
//! is that of the queries alone. `mesh_queries MESH SCENARIOS ROUNDS [angle|corridor|straight|nearest|ray|parts]`; a number in
//! place of the scenarios is a count of random pairs. The mesh is a file of the public benchmark, or a level that is baked
//! in one piece (`LEVEL.obj`, `LEVEL.bsp`) or by tiles (`tiled:LEVEL.obj`).

use sentir_nav::bake::{BakeConfig, BakeSource, LevelFilter, bake, whole};
use sentir_nav::core::glam::Vec3;
use sentir_nav::core::random::{Purpose, Streams};
use sentir_nav::mesh::{AnyAngleSearch, AreaCosts, CorridorSearch, Mesh, MeshPoint, MeshQuery, load};
use std::hint::black_box;

const USAGE: &str = "usage: mesh_queries MESH SCENARIOS|COUNT ROUNDS [angle|corridor|straight|nearest|ray|parts]";
const EXTENT: Vec3 = Vec3::new(1.0, 2.0, 1.0);

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [mesh, scenarios, rounds, rest @ ..] = words.as_slice() else {
        println!("{USAGE}");
        return;
    };
    let read = |path: &String| std::fs::read_to_string(path).unwrap_or_default();
    let mesh = if [".obj", ".bsp"].iter().any(|end| mesh.ends_with(end)) {
        baked(mesh)
    } else {
        Mesh::from_patch(load::mesh(&read(mesh)).expect("a mesh file")).expect("a valid mesh")
    };
    if rest.first().is_some_and(|kind| kind == "parts") {
        return parts(&mesh);
    }
    let pairs = match scenarios.parse::<usize>() {
        Ok(count) => random_pairs(&mesh, count),
        Err(_) => {
            let queries = load::scenarios(&read(scenarios)).expect("a scenario file");
            let place = |point| mesh.nearest(point, EXTENT).unwrap_or(MeshPoint { polygon: 0, point });
            queries.iter().map(|it| [place(it.from), place(it.to)]).collect()
        }
    };
    run(&mesh, &pairs, rounds.parse().unwrap_or(1), rest.first().map_or("angle", String::as_str));
}

/// The mesh of a level.
fn baked(path: &str) -> Mesh {
    let file = path.strip_prefix("tiled:").unwrap_or(path);
    let bytes = std::fs::read(file).expect("a level file");
    let level = sentir_level::parse(&bytes, file).and_then(|spec| spec.build()).expect("a valid level");
    let source = BakeSource::from_level(&level, &sentir_level::LevelState::new(&level), &LevelFilter::default());
    let config = BakeConfig::default();
    if file == path {
        Mesh::from_patch(whole(&source, &config).expect("a level that can be baked")).expect("a valid mesh")
    } else {
        bake(&source, &[], &config).expect("a level that can be baked").mesh().expect("a valid mesh")
    }
}

/// Says how much ground each part of the mesh has, largest first.
fn parts(mesh: &Mesh) {
    let mut areas = std::collections::BTreeMap::<u32, (f64, u32, Vec3)>::new();
    for polygon in 0..mesh.polygon_count() {
        let ring: Vec<Vec3> = mesh.ring(polygon).collect();
        let twice: f32 = (1..ring.len() - 1).map(|at| (ring[at] - ring[0]).cross(ring[at + 1] - ring[0]).y).sum();
        let part = areas.entry(mesh.component(polygon).unwrap_or(u32::MAX)).or_insert((0.0, 0, ring[0]));
        (part.0, part.1) = (part.0 + f64::from(twice) * 0.5, part.1 + 1);
    }
    let mut areas: Vec<_> = areas.into_values().collect();
    areas.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (area, polygons, corner) in areas {
        println!("{area:.2} m² in {polygons} polygons, at {corner}");
    }
}

/// Pairs of random places with a way between them.
fn random_pairs(mesh: &Mesh, count: usize) -> Vec<[MeshPoint; 2]> {
    let mut random = Streams { seed: 1 }.stream(0, Purpose::new("mesh_queries"));
    let pairs = std::iter::repeat_with(|| {
        let [from, to] = [0, 1].map(|_| mesh.random_place(&mut random).expect("a mesh with ground"));
        [from, to]
    });
    pairs.filter(|[from, to]| mesh.component(from.polygon) == mesh.component(to.polygon)).take(count).collect()
}

/// Asks for the way between all pairs, so often.
fn run(mesh: &Mesh, pairs: &[[MeshPoint; 2]], rounds: u32, kind: &str) {
    let (mut angle, mut corridor) = (AnyAngleSearch::default(), CorridorSearch::default());
    let (mut sum, mut expanded, mut crossed) = (0.0, 0u64, 0usize);
    for _ in 0..rounds {
        for &[from, to] in pairs {
            let answer = match kind {
                "angle" => angle.find(mesh, &MeshQuery { extent: EXTENT, ..MeshQuery::new(from.point, to.point) }),
                "corridor" => corridor.corridor_between(mesh, from, to, &AreaCosts::PLAIN, 1_000_000),
                "straight" => corridor.find_between(mesh, from, to, &AreaCosts::PLAIN, 1_000_000),
                "nearest" => {
                    black_box(mesh.nearest(from.point, EXTENT));
                    continue;
                }
                _ => {
                    black_box(mesh.ray(from, to.point, &AreaCosts::PLAIN));
                    continue;
                }
            };
            sum += answer.cost;
            expanded += u64::from(answer.expanded);
            crossed += corridor.corridor().len();
        }
    }
    let count = pairs.len() as f64 * f64::from(rounds);
    let (length, expanded, crossed) = (sum / count, expanded as f64 / count, crossed as f64 / count);
    println!("{} queries, mean length {length:.6}, expanded {expanded:.1}, polygons {crossed:.1}", pairs.len());
}
