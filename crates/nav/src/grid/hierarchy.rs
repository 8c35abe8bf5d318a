//! Hierarchical search: long ways on big maps, over doors between clusters of cells. (HPA*: Botea, Müller, Schaeffer 2004.)
//!
//! For: many queries on a big map that seldom changes, with any costs. The map is cut into square clusters; where two touch,
//! each stretch of open border gets crossings, and the lengths between the crossings of a cluster are kept. A query searches
//! from crossing to crossing, fills in the steps within each cluster, and straightens the result; short ways are searched
//! plainly. On ground of one cost paths are some permille too long on average, and under 5 % at worst (see the tests); more
//! where costs change from cell to cell. Building costs O(cells · crossings of a cluster); an edit rebuilds its cluster and
//! the four around it.
//! Bytes a cell: 1 here and [`HierarchySearch::BYTES_PER_CELL`] in the search, beside the lengths, some bytes a cell more.

mod cluster;
mod search;

use super::bucket::BucketQueue;
use super::{Cell, Terrain, UnitGrid};
use cluster::Patch;
pub use search::HierarchySearch;

/// How to cut the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HierarchyConfig {
    /// Side of a cluster, cells. Limit: 4..=32; what is outside counts as the nearest of these.
    pub side: u32,
    /// Cells of open border for each crossing, at most. Fewer give shorter paths and more work. Limit: 1 to half
    /// the side; what is outside counts as the nearest of these.
    pub spacing: u32,
}

impl Default for HierarchyConfig {
    fn default() -> HierarchyConfig {
        HierarchyConfig { side: 16, spacing: 5 }
    }
}

/// Not a crossing.
const PLAIN: u8 = u8::MAX;
/// No way within the cluster.
const FAR: u32 = u32::MAX;

/// A square of cells, its crossings and the lengths between them.
#[derive(Clone, Debug, Default, PartialEq)]
struct Cluster {
    crossings: Vec<u32>,
    /// Between all pairs, row by row.
    lengths: Vec<u32>,
}

/// The map cut into clusters.
#[derive(Clone, Debug)]
pub struct Hierarchy {
    config: HierarchyConfig,
    /// Clusters along x.
    columns: u32,
    clusters: Vec<Cluster>,
    /// Number of each cell among the crossings of its cluster.
    slots: Vec<u8>,
    version: u64,
    patch: Patch,
    queue: BucketQueue,
}

impl Hierarchy {
    /// Cuts a ground into clusters.
    #[must_use]
    pub fn build(ground: &UnitGrid, config: &HierarchyConfig) -> Hierarchy {
        let side = config.side.clamp(4, 32);
        let config = HierarchyConfig { side, spacing: config.spacing.clamp(1, side / 2) };
        let columns = ground.width().div_ceil(config.side);
        let count = (columns * ground.height().div_ceil(config.side)) as usize;
        let mut hierarchy = Hierarchy {
            config,
            columns,
            clusters: vec![Cluster::default(); count],
            slots: vec![PLAIN; ground.len()],
            version: ground.version(),
            patch: Patch::default(),
            queue: BucketQueue::default(),
        };
        for number in 0..count {
            hierarchy.rebuild(ground, number as u32);
        }
        hierarchy
    }

    /// Takes over what changed in the terrain; `ground` must follow it already. Only clusters near a change are rebuilt.
    pub fn follow(&mut self, terrain: &Terrain, ground: &UnitGrid) {
        let Some(changes) = terrain.changes_since(self.version).filter(|_| self.slots.len() == ground.len()) else {
            *self = Hierarchy::build(ground, &self.config);
            return;
        };
        let mut touched: Vec<u32> = Vec::new();
        for change in changes {
            let Some(index) = ground.index(change.cell) else { continue };
            let number = self.cluster_of(ground, index);
            let (x, y) = (number % self.columns, number / self.columns);
            let rows = self.clusters.len() as u32 / self.columns;
            touched.push(number);
            touched.extend((x > 0).then(|| number - 1));
            touched.extend((x + 1 < self.columns).then(|| number + 1));
            touched.extend((y > 0).then(|| number - self.columns));
            touched.extend((y + 1 < rows).then(|| number + self.columns));
        }
        touched.sort_unstable();
        touched.dedup();
        for number in touched {
            self.rebuild(ground, number);
        }
        self.version = terrain.version();
    }

    /// Crossings in all.
    #[must_use]
    pub fn crossing_count(&self) -> usize {
        self.clusters.iter().map(|cluster| cluster.crossings.len()).sum()
    }

    /// The crossings, for pictures.
    pub fn crossings<'a>(&'a self, ground: &'a UnitGrid) -> impl Iterator<Item = Cell> + 'a {
        self.clusters.iter().flat_map(|cluster| &cluster.crossings).map(|&index| ground.cell(index))
    }

    /// Bytes held for each cell, about.
    #[must_use]
    pub fn bytes_per_cell(&self) -> f64 {
        let held = |cluster: &Cluster| 4 * (cluster.crossings.len() + cluster.lengths.len()) + size_of::<Cluster>();
        let clusters: usize = self.clusters.iter().map(held).sum();
        (clusters + self.slots.len()) as f64 / self.slots.len().max(1) as f64
    }

    fn cluster_of(&self, ground: &UnitGrid, index: u32) -> u32 {
        let (x, y) = (index % ground.width(), index / ground.width());
        y / self.config.side * self.columns + x / self.config.side
    }
}
