//! Hand-made worlds: a hall with square pillars.

use sentir_nav::bake::{PlanConfig, PlanShape, plan};
use sentir_nav::mesh::Mesh;
use sentir_nav::tactic::{Spread, SpreadConfig};
use sentir_space::core::glam::{Vec2, Vec3};
use sentir_space::core::plane;
use sentir_space::cover::Borders;
use sentir_space::query::{GeneratorSpec, Lexicon, Query, QuerySpec, QueryWorld, TestKindSpec, TestSpec};
use sentir_space::visibility::{Obstacles, Region, Sweep, Watcher};

/// A square about a point.
pub fn square(x: f32, y: f32, half: f32) -> Vec<Vec2> {
    [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(u, v)| Vec2::new(x + u * half, y + v * half)).to_vec()
}

/// A hall of 20 m and what stands in it.
pub struct Yard {
    pub mesh: Mesh,
    pub spread: Spread,
    pub obstacles: Obstacles,
    pub borders: Borders,
}

impl Yard {
    /// A hall with these pillars: middle and half side.
    pub fn new(pillars: &[(f32, f32, f32)]) -> Yard {
        Yard::of(pillars, &[])
    }

    /// The same with ground beside it that no way leads to.
    pub fn with_island(pillars: &[(f32, f32, f32)]) -> Yard {
        Yard::of(pillars, &[PlanShape { border: square(13.0, 0.0, 2.0), holes: Vec::new() }])
    }

    fn of(pillars: &[(f32, f32, f32)], beside: &[PlanShape]) -> Yard {
        let holes: Vec<Vec<Vec2>> = pillars.iter().map(|&(x, y, half)| square(x, y, half)).collect();
        let shapes = [&[PlanShape { border: square(0.0, 0.0, 10.0), holes: holes.clone() }], beside].concat();
        let mesh = Mesh::from_patch(plan(&shapes, &PlanConfig::default()).unwrap()).unwrap();
        let spread = Spread::build(&mesh, &SpreadConfig::default()).unwrap();
        let obstacles = Obstacles::build(&holes, &[]).unwrap();
        Yard { mesh, spread, obstacles, borders: Borders::from_rings(&holes) }
    }

    /// The world of it, with nobody in it.
    pub fn world(&self) -> QueryWorld<'_> {
        QueryWorld {
            spread: Some(&self.spread),
            obstacles: Some(&self.obstacles),
            borders: Some(&self.borders),
            ..QueryWorld::new(&self.mesh)
        }
    }

    /// What somebody sees who looks all round.
    pub fn region(&self, x: f32, y: f32) -> Region {
        let mut region = Region::default();
        Sweep::default().look(&self.obstacles, &Watcher::all_round(Vec2::new(x, y), 100.0), &mut region);
        region
    }
}

/// A point in space over ground coordinates.
pub fn at(x: f32, y: f32) -> Vec3 {
    plane::lift(Vec2::new(x, y), 0.0)
}

/// Names with a generator `points` and tests `table` and `other`.
pub fn lexicon() -> Lexicon {
    Lexicon {
        tests: vec!["table".to_owned(), "other".to_owned()],
        generators: vec!["points".to_owned()],
        ..Lexicon::default()
    }
}

/// The points that the host gives.
pub fn own() -> Vec<GeneratorSpec> {
    vec![GeneratorSpec::Own { name: "points".to_owned() }]
}

/// A query of tests over the host's points, all of them in order.
pub fn query(tests: Vec<TestSpec>) -> Query {
    let spec = QuerySpec { name: "test".to_owned(), best: 0, points: own(), tests, ..QuerySpec::default() };
    spec.build(&lexicon()).unwrap()
}

/// One test with everything else left out.
pub fn only(test: TestKindSpec) -> Query {
    query(vec![TestSpec::new(test)])
}
