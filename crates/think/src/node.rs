//! Ids of nodes that outlive an edit of the file.
//!
//! A node with an authored `id` is named by it, within the subtree it is in. Any other is named by its parent, its kind,
//! its name and its number among siblings that are equal in both. So edits elsewhere, and new siblings of another kind or
//! name, leave an id as it was.

use sentir_core::State;
use sentir_core::state::hash;

/// Names a node of a brain: of a tree, a state machine, a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, State)]
pub struct NodeId(pub u64);

impl NodeId {
    /// The id that nothing has: the parent of roots.
    pub const NONE: NodeId = NodeId(0);

    /// The id of a node without an authored one. `ordinal` counts earlier siblings of the same kind and name.
    pub fn derived(parent: NodeId, kind: &str, name: &str, ordinal: u32) -> NodeId {
        NodeId(hash(&((parent.0, ordinal), kind.to_owned(), name.to_owned())))
    }

    /// The id of a node with an authored one. `within` is the root of the subtree it stands in, or [`NodeId::NONE`].
    pub fn authored(within: NodeId, id: &str) -> NodeId {
        NodeId(hash(&(within.0, id.to_owned())))
    }
}

impl std::fmt::Display for NodeId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn each_part_of_an_id_counts() {
        let ids: BTreeSet<NodeId> = [
            NodeId::derived(NodeId(1), "task", "go", 0),
            NodeId::derived(NodeId(2), "task", "go", 0),
            NodeId::derived(NodeId(1), "check", "go", 0),
            NodeId::derived(NodeId(1), "task", "stay", 0),
            NodeId::derived(NodeId(1), "task", "go", 1),
            NodeId::authored(NodeId(1), "go"),
            NodeId::authored(NodeId(2), "go"),
        ]
        .into();
        assert_eq!(ids.len(), 7);
        assert_eq!(NodeId::derived(NodeId(1), "task", "go", 0), NodeId::derived(NodeId(1), "task", "go", 0));
    }
}
