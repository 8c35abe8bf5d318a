//! Tactical ways: a path's cost is a sum of layers, each with a weight, chosen per request.
//!
//! cost = length + Σ weight · layer(segment) + weight · Σ (run / 1 m)^exponent, the last sum over the longest stretches in
//! sight of a watcher. All parts are >= 0, so the straight line never costs more than the way, and searches stay optimal for
//! their cost. A stretch goes on over corners and borders of polygons: the cost of a step depends on how long one has been
//! seen already, so the search keeps labels (cost, open run) instead of one cost a node.
//!
//! | room | holds |
//! |---|---|
//! | [`layer`] | the interface of a layer, segments, costs by layer |
//! | [`taste`] | layers: terrain, influence, lines of fire, points, stance, one's own |
//! | [`exposure`], [`region`] | what is seen of a segment, sampled and exact, and its price |
//! | [`graph`], [`label`] | a small interface of graphs, and the search with labels on them |
//! | [`spread`] | a mesh as such a graph |
//! | [`search`] | ways on a mesh |
//! | [`flood`] | what it costs to go from one place to many, by one search |
//! | [`why`] | what a way costs by layer, and the way that was refused; drawing |

pub mod exposure;
pub mod flood;
pub mod graph;
pub mod label;
pub mod layer;
pub mod region;
pub mod search;
pub mod spread;
pub mod taste;
pub mod why;

pub use exposure::{ExposurePrice, Sampled, Sight, Spans};
pub use flood::{Flood, FloodAnswer, FloodQuery};
pub use graph::{Graph, LineGraph};
pub use label::{LabelConfig, LabelSearch};
pub use layer::{CostLayer, Exposure, LayerCosts, LayerKind, Segment, Tactic, Walk, Weighted};
pub use region::{Region, RegionError, RegionSet};
pub use search::{TacticQuery, TacticSearch};
pub use spread::{Spread, SpreadConfig};
pub use taste::{Field, FieldError, FireLine, FireLines, Influence, Own, Points, Stance, StanceLayer, Taste, Terrain};
pub use why::{PathCost, PathWhy};
