//! The figures of a tree: how big, how deep, how broad.

use super::{NodeKind, Tree};
use crate::leaf::Host;

/// A ratio of two counts, kept apart so that it can be told exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ratio {
    /// Above.
    pub nodes: u32,
    /// Below; 0 in a tree of one leaf.
    pub branches: u32,
}

impl Ratio {
    /// The ratio as a number; 0 without branches.
    pub fn value(self) -> f64 {
        if self.branches == 0 { 0.0 } else { f64::from(self.nodes) / f64::from(self.branches) }
    }
}

/// The figures of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Analysis {
    /// All nodes.
    pub nodes: u32,
    /// Nodes without children.
    pub leaves: u32,
    /// Steps from the root to its deepest leaf.
    pub depth: u32,
    /// Branching factor: nodes but the root, over nodes with children.
    pub branching: Ratio,
    /// The same over the nodes that are visited when every sequence fails at its first child, and every selector so tries
    /// all its children.
    pub effective: Ratio,
}

impl<H: Host> Tree<H> {
    /// The figures of the tree. Decorators count as nodes with a child.
    pub fn analyze(&self) -> Analysis {
        let nodes = self.nodes.len() as u32;
        let is_leaf = |at: usize| usize::from(self.nodes[at].end) == at + 1;
        let leaves = (0..self.nodes.len()).filter(|&at| is_leaf(at)).count() as u32;
        let mut depths = vec![0_u32; self.nodes.len()];
        for at in 1..self.nodes.len() {
            depths[at] = depths[usize::from(self.nodes[at].parent)] + 1;
        }
        let mut visited = vec![false; self.nodes.len()];
        for at in 0..self.nodes.len() {
            let parent = usize::from(self.nodes[at].parent);
            let is_sequence = matches!(
                self.nodes[parent].kind,
                NodeKind::Sequence | NodeKind::ReactiveSequence | NodeKind::RandomSequence { .. }
            );
            visited[at] = at == 0 || visited[parent] && (!is_sequence || at == parent + 1);
        }
        let seen = |test: &dyn Fn(usize) -> bool| (0..self.nodes.len()).filter(|&at| visited[at] && test(at)).count();
        Analysis {
            nodes,
            leaves,
            depth: depths.iter().copied().max().unwrap_or(0),
            branching: Ratio { nodes: nodes - 1, branches: nodes - leaves },
            effective: Ratio { nodes: seen(&|at| at != 0) as u32, branches: seen(&|at| !is_leaf(at)) as u32 },
        }
    }
}
