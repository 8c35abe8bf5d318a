//! What a query is asked of: names known when it is built, and the world handed in when it runs.

use sentir_core::glam::{DVec2, Vec2, Vec3};
use sentir_level::LevelView;
use sentir_nav::mesh::{AreaCosts, Mesh, MeshPoint};
use sentir_nav::tactic::{Field, RegionSet, Spread, Tactic};

use crate::cover::{Borders, CoverMap, CoverSet};
use crate::influence::{Grid, Map};
use crate::visibility::{Obstacles, Region};

/// Whether a context is somebody, or any number of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContextKind {
    /// One subject, without whom the query cannot be answered.
    One,
    /// Any number, none included.
    Many,
}

/// A context by name: relative to whom points are tested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Context {
    /// The name, as files use it.
    pub name: String,
    /// How many there are.
    pub kind: ContextKind,
}

/// The names a host knows; queries are built with them, and refer to them by number afterwards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lexicon {
    /// Contexts. The first is who asks.
    pub contexts: Vec<Context>,
    /// Influence maps.
    pub maps: Vec<String>,
    /// Classes of agents.
    pub classes: Vec<String>,
    /// Tests of its own.
    pub tests: Vec<String>,
    /// Generators of its own.
    pub generators: Vec<String>,
}

impl Lexicon {
    /// Number of the context `self`.
    pub const ONESELF: usize = 0;
    /// Number of the context `target`.
    pub const TARGET: usize = 1;
    /// Number of the context `allies`.
    pub const ALLIES: usize = 2;
    /// Number of the context `claimed`: points that others have taken for the same purpose.
    pub const CLAIMED: usize = 3;

    /// The same names and one more context.
    #[must_use]
    pub fn with_context(mut self, name: &str, kind: ContextKind) -> Self {
        self.contexts.push(Context { name: name.to_owned(), kind });
        self
    }

    /// The same names and one more influence map.
    #[must_use]
    pub fn with_map(mut self, name: &str) -> Self {
        self.maps.push(name.to_owned());
        self
    }
}

impl Default for Lexicon {
    /// `self`, `target`, `allies`, `claimed`; the map `prediction`; the classes `ally`, `enemy`; nothing of one's own.
    fn default() -> Self {
        let context = |name: &str, kind| Context { name: name.to_owned(), kind };
        Lexicon {
            contexts: vec![
                context("self", ContextKind::One),
                context("target", ContextKind::One),
                context("allies", ContextKind::Many),
                context("claimed", ContextKind::Many),
            ],
            maps: vec!["prediction".to_owned()],
            classes: vec!["ally".to_owned(), "enemy".to_owned()],
            tests: Vec::new(),
            generators: Vec::new(),
        }
    }
}

/// What somebody sees of the ground.
pub trait Seer {
    /// Whether a ground point at a height is in sight.
    fn sees(&self, at: Vec2, height_m: f32) -> bool;
}

impl Seer for RegionSet {
    fn sees(&self, at: Vec2, height_m: f32) -> bool {
        self.contains(at, height_m)
    }
}

impl Seer for Region {
    /// All heights of its floor are one.
    fn sees(&self, at: Vec2, _height_m: f32) -> bool {
        self.contains(at)
    }
}

/// A value over the ground, on cells.
pub trait Chart {
    /// The mean over the cell of a ground point at a height and its neighbors; 0 off the map.
    fn mean(&self, at: Vec2, height_m: f32) -> f32;
}

/// A field of the navigation's, with its cells: the mean is that of nine samples a cell apart.
#[derive(Clone, Copy, Debug)]
pub struct FieldChart<'a> {
    /// The field.
    pub field: &'a Field,
    /// Side of its cells, m.
    pub cell_m: f32,
}

impl Chart for FieldChart<'_> {
    fn mean(&self, at: Vec2, height_m: f32) -> f32 {
        if !(height_m >= self.field.band_m[0] && height_m <= self.field.band_m[1]) {
            return 0.0;
        }
        let mut sum = 0.0;
        for row in -1i8..=1 {
            for column in -1i8..=1 {
                let at = at + Vec2::new(column.into(), row.into()) * self.cell_m;
                sum += self.field.sample(DVec2::new(at.x.into(), at.y.into()));
            }
        }
        (sum / 9.0) as f32
    }
}

/// An influence map with its grid: the mean is that of walkable cells about the point's own one.
#[derive(Clone, Copy, Debug)]
pub struct MapChart<'a> {
    /// The values.
    pub map: &'a Map,
    /// Where their cells are.
    pub grid: &'a Grid,
}

impl Chart for MapChart<'_> {
    /// All heights of its floor are one.
    fn mean(&self, at: Vec2, _height_m: f32) -> f32 {
        // From anywhere in a cell the middles of its eight neighbors are mostly within.
        self.map.mean(self.grid, at, 1.5 * self.grid.cell_m())
    }
}

/// Somebody, or some point, that tests refer to.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// Where, on the ground, m.
    pub position: Vec3,
    /// Where it looks, rad.
    pub yaw: f32,
    /// What it sees; none if it is blind.
    pub seen: Option<&'a dyn Seer>,
    /// Where it sees who crouches; none if that is not told apart.
    pub seen_low: Option<&'a dyn Seer>,
}

impl Subject<'static> {
    /// A blind one that looks along yaw 0.
    pub fn new(position: Vec3) -> Self {
        Subject { position, yaw: 0.0, seen: None, seen_low: None }
    }
}

/// A test of the host's own: any number. What is not finite drops the point.
pub type OwnTest<'a> = dyn Fn(MeshPoint, u32) -> f32 + 'a;
/// A generator of the host's own: calls back with points.
pub type OwnGenerator<'a> = dyn Fn(&mut dyn FnMut(Vec3)) + 'a;

/// The world as a query sees it. Lists go by the numbers of the [`Lexicon`] the query was built with; what is missing at
/// their ends is empty.
///
/// What moves (subjects, what they see, influence) is read once, when a query begins. What stands (mesh, level, obstacles,
/// cover, tactic) is read while it runs: its owner raises `version` with every change.
#[derive(Clone, Copy)]
pub struct QueryWorld<'a> {
    /// Raised whenever what stands has changed.
    pub version: u64,
    /// The navigable ground.
    pub mesh: &'a Mesh,
    /// Points spread over it, for path costs; none and nothing can be reached but in a straight line.
    pub spread: Option<&'a Spread>,
    /// Where one may go.
    pub costs: &'a AreaCosts,
    /// What ways cost beside length.
    pub tactic: Tactic<'a>,
    /// Geometry, for shots and annotations.
    pub level: Option<LevelView<'a>>,
    /// What ends looks, for cover in a direction; none and the walls of the mesh stand for it.
    pub obstacles: Option<&'a Obstacles>,
    /// Borders of obstacles, for nearness to them; none and the walls of the mesh stand for them.
    pub borders: Option<&'a Borders>,
    /// Cover along edges.
    pub cover: Option<&'a CoverSet>,
    /// Directional cover of cells.
    pub cover_map: Option<&'a CoverMap>,
    /// Who is in each context.
    pub contexts: &'a [&'a [Subject<'a>]],
    /// Influence maps.
    pub maps: &'a [&'a dyn Chart],
    /// Agents: class and position.
    pub agents: &'a [(u16, Vec3)],
    /// The host's own tests.
    pub tests: &'a [&'a OwnTest<'a>],
    /// The host's own generators.
    pub generators: &'a [&'a OwnGenerator<'a>],
}

impl<'a> QueryWorld<'a> {
    /// A world of a mesh and nothing else.
    pub fn new(mesh: &'a Mesh) -> QueryWorld<'a> {
        QueryWorld {
            version: 0,
            mesh,
            spread: None,
            costs: &AreaCosts::PLAIN,
            tactic: Tactic::default(),
            level: None,
            obstacles: None,
            borders: None,
            cover: None,
            cover_map: None,
            contexts: &[],
            maps: &[],
            agents: &[],
            tests: &[],
            generators: &[],
        }
    }

    pub(super) fn subjects(&self, context: usize) -> &'a [Subject<'a>] {
        self.contexts.get(context).copied().unwrap_or_default()
    }
}
