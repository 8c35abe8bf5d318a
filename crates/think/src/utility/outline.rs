//! The outline of a brain of options.

use super::appeal::consideration_id;
use super::brain::{Utility, UtilityState};
use crate::leaf::Host;
use crate::node::NodeId;
use crate::outline::Outline;

impl<H: Host> Utility<H> {
    /// The options with what is considered for each.
    pub fn outline(&self) -> Outline {
        let mut outline = Outline::new("utility");
        let root = outline.add(self.root, None, "options", "");
        for (option, act) in self.options.iter().zip(&self.acts) {
            let place = outline.add(act.id, Some(root), "option", &option.name);
            for consideration in &option.appeal.considerations {
                let id = consideration_id(act.id, &consideration.name);
                outline.add(id, Some(place), "consideration", &consideration.name);
            }
        }
        outline
    }

    /// The nodes at work.
    pub fn active_nodes(&self, state: &UtilityState) -> Vec<NodeId> {
        state.current().and_then(|one| self.acts.get(usize::from(one))).map(|act| act.id).into_iter().collect()
    }
}
