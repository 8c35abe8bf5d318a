//! Graphs as the search with labels sees them: nodes with points, and edges that are segments.

use sentir_core::glam::Vec3;

use super::layer::Segment;
use crate::mesh::AreaId;

/// Something to search on.
pub trait Graph {
    /// How many nodes there are.
    fn node_count(&self) -> u32;
    /// Where a node is, m. Limit: finite.
    fn point(&self, node: u32) -> Vec3;
    /// Calls `visit` with each node that an edge leads to, and the edge; always in the same order.
    fn visit_edges(&self, node: u32, visit: &mut dyn FnMut(u32, &Segment));
    /// Meters of way per meter of straight line at least: under 1 if a link is cheaper than its length. Limit: 0..=1.
    fn thrift(&self) -> f64 {
        1.0
    }
}

/// A graph of points and straight lines between them, for waypoints and tests.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LineGraph {
    points: Vec<Vec3>,
    /// Edges by the node they begin at: where to, and over what kind of ground.
    edges: Vec<(u32, u32, AreaId)>,
}

impl LineGraph {
    /// A graph of points and edges (from, to, kind of ground), one-way each. None if a point is not finite or an edge names
    /// a point that does not exist.
    #[must_use]
    pub fn new(points: Vec<Vec3>, mut edges: Vec<(u32, u32, AreaId)>) -> Option<LineGraph> {
        let count = points.len() as u64;
        let is_whole = edges.iter().all(|edge| u64::from(edge.0) < count && u64::from(edge.1) < count);
        edges.sort_unstable();
        (is_whole && count < u64::from(u32::MAX) && points.iter().all(|it| it.is_finite()))
            .then_some(LineGraph { points, edges })
    }
}

impl Graph for LineGraph {
    fn node_count(&self) -> u32 {
        self.points.len() as u32
    }

    fn point(&self, node: u32) -> Vec3 {
        self.points[node as usize]
    }

    fn visit_edges(&self, node: u32, visit: &mut dyn FnMut(u32, &Segment)) {
        let from = self.edges.partition_point(|edge| edge.0 < node);
        for &(_, to, area) in self.edges[from..].iter().take_while(|edge| edge.0 == node) {
            visit(to, &Segment::new(self.point(node), self.point(to), area));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_graph_with_an_edge_to_nowhere_is_refused() {
        let points = vec![Vec3::ZERO, Vec3::X];
        assert!(LineGraph::new(points.clone(), vec![(0, 2, AreaId(0))]).is_none());
        assert!(LineGraph::new(vec![Vec3::NAN], vec![]).is_none());
        let graph = LineGraph::new(points, vec![(1, 0, AreaId(0)), (0, 1, AreaId(3))]).unwrap();
        let mut seen = Vec::new();
        graph.visit_edges(0, &mut |to, segment| seen.push((to, segment.area)));
        assert_eq!(seen, [(1, AreaId(3))]);
    }
}
