//! What is authored: a query as data. [`QuerySpec::build`] checks it once; see [`load`](super::load) for files.

use serde::Deserialize;

use super::curve::Curve;

/// A query as it is written.
///
/// ```yaml
/// sentir: query 1
/// name: cover
/// points:
///   - grid: { around: self, half_m: 12, step_m: 1 }
/// tests:
///   - test: { behind_cover: { from: target } }
///     weight: 3
///   - test: { path_cost: { by: tactic } }
///   - test: { randomness: { share: 0.08 } }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct QuerySpec {
    /// The head of a file: `query 1`. Not used by code.
    #[serde(default)]
    pub sentir: String,
    /// Its name, for people.
    pub name: String,
    /// How many points are wanted, best first; 0 for all.
    #[serde(default = "one")]
    pub best: u32,
    /// How far points may be off the navigable ground to be put onto it.
    #[serde(default)]
    pub project: ProjectSpec,
    /// Where points come from; one after the other.
    pub points: Vec<GeneratorSpec>,
    /// What is asked of them.
    pub tests: Vec<TestSpec>,
}

fn one() -> u32 {
    1
}

/// How points are put onto the navigable ground.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ProjectSpec {
    /// How far to the side, m. Limit: 0..=100.
    #[serde(default = "across")]
    pub across_m: f32,
    /// How far up or down, m. Limit: 0..=100.
    #[serde(default = "height")]
    pub height_m: f32,
}

fn across() -> f32 {
    0.25
}

fn height() -> f32 {
    2.0
}

impl Default for ProjectSpec {
    fn default() -> Self {
        ProjectSpec { across_m: across(), height_m: height() }
    }
}

/// Where points come from.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum GeneratorSpec {
    /// A square lattice about each subject of a context.
    Grid {
        /// About whom.
        #[serde(default = "oneself")]
        around: String,
        /// Half of its side, m. Limit: 0..=1000.
        half_m: f32,
        /// Distance between neighbors, m. Limit: 0.1..=100.
        step_m: f32,
    },
    /// Rings about each subject of a context, from near to far.
    Ring {
        /// About whom.
        #[serde(default = "oneself")]
        around: String,
        /// Radius of the first ring, m. Limit: 0..=1000.
        least_m: f32,
        /// No ring is wider, m. Limit: least_m..=1000.
        most_m: f32,
        /// Distance between rings, and about that between points on a ring, m. Limit: 0.1..=100.
        step_m: f32,
    },
    /// Along the shortest way from oneself to the first subject of a context.
    Path {
        /// To whom.
        to: String,
        /// Distance between points, m. Limit: 0.1..=100.
        step_m: f32,
    },
    /// Along edges of cover near the subjects of a context.
    Edges {
        /// Near whom.
        #[serde(default = "oneself")]
        around: String,
        /// How near, m. Limit: 0..=1000.
        within_m: f32,
    },
    /// A lattice within the cone that each subject of a context looks into.
    Cone {
        /// Whose cone.
        #[serde(default = "oneself")]
        around: String,
        /// Angle to either side, degrees. Limit: 0..=180.
        half_angle_deg: f32,
        /// How far, m. Limit: 0..=1000.
        range_m: f32,
        /// Distance between neighbors, m. Limit: 0.1..=100.
        step_m: f32,
    },
    /// The points of the navigation mesh near the subjects of a context: middles of polygons, and those spread over it.
    Mesh {
        /// Near whom.
        #[serde(default = "oneself")]
        around: String,
        /// How near, m. Limit: 0..=1000.
        within_m: f32,
    },
    /// Where the agents of a class are.
    Agents {
        /// Which class; the host knows them by name.
        class: String,
    },
    /// What designers wrote into the level.
    Notes {
        /// Which kind of annotation, as `cover` or `attack`.
        kind: String,
        /// Near whom.
        #[serde(default = "oneself")]
        around: String,
        /// How near, m. Limit: 0..=1000.
        within_m: f32,
    },
    /// A generator of the host's own.
    Own {
        /// The name the host gave it.
        name: String,
    },
}

fn oneself() -> String {
    "self".to_owned()
}

fn target() -> String {
    "target".to_owned()
}

fn claimed() -> String {
    "claimed".to_owned()
}

fn allies() -> String {
    "allies".to_owned()
}

/// One test, and what its answer is for.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TestSpec {
    /// What is asked.
    pub test: TestKindSpec,
    /// Whether points are dropped by it, scored, or both. Left out: what the test is usually for; both if a bound is given.
    #[serde(default, rename = "use")]
    pub purpose: Option<Purpose>,
    /// Points under this are dropped.
    #[serde(default)]
    pub least: Option<f32>,
    /// Points over this are dropped.
    #[serde(default)]
    pub most: Option<f32>,
    /// How much the score counts beside those of the other tests. Limit: 0..=1000.
    #[serde(default = "weight")]
    pub weight: f32,
    /// How values become shares. Left out: the test's usual scale.
    #[serde(default)]
    pub scale: Option<Scale>,
    /// How shares become scores. Left out: nearer is better for distances and costs, more is better for all else.
    #[serde(default)]
    pub curve: Option<Curve>,
}

fn weight() -> f32 {
    1.0
}

impl TestSpec {
    /// A test with everything else left out.
    pub fn new(test: TestKindSpec) -> TestSpec {
        TestSpec { test, purpose: None, least: None, most: None, weight: 1.0, scale: None, curve: None }
    }
}

/// What a test is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// Points out of bounds are dropped.
    Filter,
    /// Points get a score.
    Score,
    /// Both.
    Both,
}

/// How values become shares of 0..=1.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Scale {
    /// From the least to the greatest value of the points that are left; a half if all are equal.
    Survivors,
    /// From 0 to the greatest value of the points that are left.
    Greatest,
    /// From one value to another, held within.
    Range {
        /// What is 0.
        low: f32,
        /// What is 1. Limit: > low.
        high: f32,
    },
}

/// How the answers about several subjects become one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Each {
    /// The least.
    #[default]
    Least,
    /// The greatest.
    Most,
    /// The mean.
    Mean,
}

/// How somebody is at a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Posture {
    /// On its feet.
    #[default]
    Standing,
    /// Low, as behind a low wall.
    Crouching,
}

/// What a path costs by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PathBy {
    /// Length.
    #[default]
    Length,
    /// The layers the host hands in: exposure, influence, lines of fire.
    Tactic,
}

/// What is asked of a point.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum TestKindSpec {
    /// What the way from oneself costs, m of plain way. One search serves all points; what cannot be reached is dropped. With
    /// a scale of a range, ways are looked for only to points that may still be among the best.
    PathCost {
        /// By what.
        #[serde(default)]
        by: PathBy,
    },
    /// How far it is as the crow flies, m.
    Distance {
        /// From whom.
        #[serde(default = "target")]
        to: String,
        /// For several subjects.
        #[serde(default)]
        each: Each,
    },
    /// Whether it is seen: 1, or 0.
    Visibility {
        /// By whom.
        #[serde(default = "target")]
        by: String,
        /// Whether seen points are kept, or unseen ones.
        #[serde(default = "yes")]
        seen: bool,
        /// For several subjects: the least asks for all of them, the greatest for any.
        #[serde(default)]
        each: Each,
        /// Whether who stands there is seen, or who crouches there.
        #[serde(default)]
        of: Posture,
    },
    /// How far it is to the obstacle in the direction of those one hides from, m; seen points are dropped.
    BehindCover {
        /// From whom.
        #[serde(default = "target")]
        from: String,
        /// From which distance on an obstacle is worth nothing, m. Limit: 0.1..=1000.
        #[serde(default = "shelter")]
        reach_m: f32,
    },
    /// How near obstacles are: for each within reach 1 when it is touched, 0 at reach, and all of them together.
    Obstacles {
        /// How near counts, m. Limit: 0.1..=100.
        #[serde(default = "nearby")]
        reach_m: f32,
    },
    /// Chance in place of a part of the score.
    Randomness {
        /// Which part. Limit: 0..=0.1.
        #[serde(default = "rng")]
        share: f32,
    },
    /// The mean of an influence map about it.
    Influence {
        /// Which map; the host knows them by name.
        map: String,
    },
    /// How far it is to the nearest point claimed, m.
    Spread {
        /// Claimed by whom.
        #[serde(default = "claimed")]
        from: String,
    },
    /// The least angle between it and the points claimed, seen from the target, rad.
    Flank {
        /// Seen from whom.
        #[serde(default = "target")]
        target: String,
        /// Claimed by whom.
        #[serde(default = "claimed")]
        from: String,
    },
    /// Drops what is near a claimed point. The value is the distance to the nearest one, m.
    Repetition {
        /// Claimed by whom.
        #[serde(default = "claimed")]
        from: String,
        /// How near is too near, m. Limit: 0..=1000.
        within_m: f32,
    },
    /// Whether a shot from there reaches: 1, or 0.
    LineOfFire {
        /// To whom.
        #[serde(default = "target")]
        to: String,
        /// Who must not be in the way.
        #[serde(default = "allies")]
        past: String,
        /// How far from the line they must be, m. Limit: 0..=10.
        #[serde(default = "breadth")]
        width_m: f32,
        /// Height of the muzzle over the ground, m. Limit: 0..=10.
        #[serde(default = "muzzle")]
        height_m: f32,
        /// Height of the mark, m; none is that of the muzzle. Limit: 0..=10.
        #[serde(default)]
        mark_m: Option<f32>,
    },
    /// How far it is in front of somebody: cosine of the angle off the facing, 1 straight ahead, -1 behind.
    Facing {
        /// Whose facing.
        #[serde(default = "target")]
        of: String,
        /// For several subjects.
        #[serde(default)]
        each: Each,
    },
    /// How much higher it is than somebody, m.
    Height {
        /// Than whom.
        #[serde(default = "oneself")]
        above: String,
        /// For several subjects.
        #[serde(default)]
        each: Each,
    },
    /// How well it is covered against somebody, by the map of cover: 0 open, 1/2 when crouching, 1 when standing.
    CoverQuality {
        /// Against whom; the worst counts.
        #[serde(default = "target")]
        from: String,
    },
    /// How far the nearest wall is, at most so much, m.
    Clearance {
        /// At most, m. Limit: 0.1..=100.
        #[serde(default = "nearby")]
        reach_m: f32,
    },
    /// A test of the host's own.
    Own {
        /// The name the host gave it.
        name: String,
    },
}

fn yes() -> bool {
    true
}

fn shelter() -> f32 {
    8.0
}

fn nearby() -> f32 {
    2.0
}

fn rng() -> f32 {
    0.08
}

fn breadth() -> f32 {
    0.5
}

fn muzzle() -> f32 {
    1.4
}

impl GeneratorSpec {
    /// Its name in files.
    pub fn name(&self) -> &'static str {
        match self {
            GeneratorSpec::Grid { .. } => "grid",
            GeneratorSpec::Ring { .. } => "ring",
            GeneratorSpec::Path { .. } => "path",
            GeneratorSpec::Edges { .. } => "edges",
            GeneratorSpec::Cone { .. } => "cone",
            GeneratorSpec::Mesh { .. } => "mesh",
            GeneratorSpec::Agents { .. } => "agents",
            GeneratorSpec::Notes { .. } => "notes",
            GeneratorSpec::Own { .. } => "own",
        }
    }
}

impl TestKindSpec {
    /// Its name in files.
    pub fn name(&self) -> &'static str {
        match self {
            TestKindSpec::PathCost { .. } => "path_cost",
            TestKindSpec::Distance { .. } => "distance",
            TestKindSpec::Visibility { .. } => "visibility",
            TestKindSpec::BehindCover { .. } => "behind_cover",
            TestKindSpec::Obstacles { .. } => "obstacles",
            TestKindSpec::Randomness { .. } => "randomness",
            TestKindSpec::Influence { .. } => "influence",
            TestKindSpec::Spread { .. } => "spread",
            TestKindSpec::Flank { .. } => "flank",
            TestKindSpec::Repetition { .. } => "repetition",
            TestKindSpec::LineOfFire { .. } => "line_of_fire",
            TestKindSpec::Facing { .. } => "facing",
            TestKindSpec::Height { .. } => "height",
            TestKindSpec::CoverQuality { .. } => "cover_quality",
            TestKindSpec::Clearance { .. } => "clearance",
            TestKindSpec::Own { .. } => "own",
        }
    }
}
