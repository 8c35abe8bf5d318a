//! The same on a graph: nodes with values and edges with lengths, as the polygons of a navigation mesh. O(edges) an update.

use sentir_core::State;
use sentir_core::glam::Vec3;
use sentir_core::math;
use sentir_nav::mesh::Mesh;

use super::Config;

/// Nodes and edges, fixed.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// Where the edges of each node begin; one more at the end.
    starts: Vec<u32>,
    /// Whom it leads to, and how long it is, m.
    edges: Vec<(u32, f32)>,
}

impl Graph {
    /// A graph of `count` nodes; edges go both ways. Those that name no node, or whose length is negative or no number, are
    /// left out.
    #[must_use]
    pub fn build(count: u32, edges: &[(u32, u32, f32)]) -> Graph {
        let is_sound = |&&(a, b, length_m): &&(u32, u32, f32)| a < count && b < count && length_m >= 0.0;
        let mut both: Vec<(u32, u32, f32)> =
            edges.iter().filter(is_sound).flat_map(|&(a, b, length_m)| [(a, b, length_m), (b, a, length_m)]).collect();
        both.sort_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2)));
        let mut starts = vec![0; count as usize + 1];
        for &(from, ..) in &both {
            starts[from as usize + 1] += 1;
        }
        for node in 0..count as usize {
            starts[node + 1] += starts[node];
        }
        Graph { starts, edges: both.into_iter().map(|(_, to, length_m)| (to, length_m)).collect() }
    }

    /// The polygons of a mesh; an edge is as long as the way from middle to middle over the middle of the border between.
    /// Links are left out.
    #[must_use]
    pub fn from_mesh(mesh: &Mesh) -> Graph {
        let middle = |polygon: u32| mesh.ring(polygon).sum::<Vec3>() / mesh.ring(polygon).len().max(1) as f32;
        let mut edges = Vec::new();
        for polygon in 0..mesh.polygon_count() {
            let sides = mesh.ring(polygon).zip(mesh.ring(polygon).cycle().skip(1));
            for ((from, to), neighbor) in sides.zip(mesh.neighbors(polygon)) {
                if let Some(other) = neighbor.filter(|&other| other > polygon) {
                    let border = (from + to) * 0.5;
                    let length_m = middle(polygon).distance(border) + border.distance(middle(other));
                    edges.push((polygon, other, length_m));
                }
            }
        }
        Graph::build(mesh.polygon_count(), &edges)
    }

    /// How many nodes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The edges of a node: whom to, and how long, m.
    pub fn edges(&self, node: u32) -> &[(u32, f32)] {
        let at = |number: usize| self.starts.get(number).map_or(0, |&start| start as usize);
        let range = at(node as usize)..at(node as usize + 1);
        self.edges.get(range).unwrap_or_default()
    }
}

/// A value for each node; state.
#[derive(Clone, Debug, PartialEq, State)]
pub struct GraphMap {
    values: Vec<f32>,
}

impl GraphMap {
    /// A map with nothing on it.
    #[must_use]
    pub fn new(graph: &Graph) -> GraphMap {
        GraphMap { values: vec![0.0; graph.len()] }
    }

    /// The value of a node; 0 if there is none.
    #[must_use]
    pub fn value(&self, node: u32) -> f32 {
        self.values.get(node as usize).copied().unwrap_or(0.0)
    }

    /// All values.
    #[must_use]
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// Raises a node to at least `strength`; one that is not there, or NaN, changes nothing.
    pub fn raise(&mut self, node: u32, strength: f32) {
        if let Some(value) = self.values.get_mut(node as usize) {
            *value = math::max(*value, strength);
        }
    }

    /// One update, as [`Map::update`](super::Map::update); watched nodes are emptied. A map of another graph is left alone.
    pub fn update(
        &mut self,
        graph: &Graph,
        config: &Config,
        is_watched: impl Fn(u32) -> bool,
        scratch: &mut super::Scratch,
    ) {
        if self.values.len() != graph.len() {
            return;
        }
        let config = config.checked();
        let fade = math::exp(-config.fade_per_s * config.period_s);
        let next = scratch.fit(self.values.len());
        for (node, new) in (0u32..).zip(next.iter_mut()) {
            let old = self.values[node as usize];
            let came =
                |&(from, length_m): &(u32, f32)| self.values[from as usize] * math::exp(-config.decay_per_m * length_m);
            let best = graph.edges(node).iter().map(came).fold(old, math::max);
            let value = old * config.momentum + best * fade * (1.0 - config.momentum);
            *new = if is_watched(node) { 0.0 } else { value };
        }
        std::mem::swap(&mut self.values, next);
    }
}
