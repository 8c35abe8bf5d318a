//! The outline of a tree.

use super::{NodeKind, Tree};
use crate::key::Keys;
use crate::leaf::Host;
use crate::outline::{Outline, test_in_words};

impl<H: Host> Tree<H> {
    /// The nodes with their names; tests are told by the names of `keys`.
    pub fn outline(&self, keys: &Keys) -> Outline {
        let mut outline = Outline::new("behavior tree");
        for (at, (id, label)) in self.labels().enumerate() {
            let node = &self.nodes[at];
            let parent = (at > 0).then(|| usize::from(node.parent));
            let told = match &node.kind {
                NodeKind::When { test, .. } | NodeKind::Test(test) => test_in_words(test, keys),
                _ => String::new(),
            };
            let name = match (label.name.is_empty(), told.is_empty()) {
                (true, _) => told,
                (false, true) => label.name.clone(),
                (false, false) => format!("{}: {told}", label.name),
            };
            outline.add(id, parent, label.kind, &name);
        }
        outline
    }
}
