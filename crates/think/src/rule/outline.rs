//! The outline of a list of rules.

use super::brain::{Rules, RulesState};
use crate::leaf::Host;
use crate::node::NodeId;
use crate::outline::{Outline, clause_in_words};

impl<H: Host> Rules<H> {
    /// The rules in the order of their priority.
    pub fn outline(&self) -> Outline {
        let mut outline = Outline::new("rules");
        let root = outline.add(self.root, None, "rules", "");
        for (rule, act) in self.rules.iter().zip(&self.acts) {
            let label = format!("{} ({})", rule.name, clause_in_words(&rule.when, &self.keys));
            outline.add(act.id, Some(root), "rule", &label);
        }
        outline
    }

    /// The nodes at work.
    pub fn active_nodes(&self, state: &RulesState) -> Vec<NodeId> {
        let act = state.current_task.current().and_then(|one| self.acts.get(usize::from(one)));
        act.map(|act| act.id).into_iter().collect()
    }
}
