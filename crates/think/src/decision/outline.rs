//! The outline of a decision tree.

use super::brain::{Decision, DecisionState, Next};
use crate::leaf::Host;
use crate::node::NodeId;
use crate::outline::{Outline, clause_in_words};

impl<H: Host> Decision<H> {
    /// The questions, and what follows from a yes and from a no.
    pub fn outline(&self) -> Outline {
        let mut outline = Outline::new("decision tree");
        self.add_part(self.first, None, "", &mut outline);
        outline
    }

    fn add_part(&self, next: Next, parent: Option<usize>, side: &str, outline: &mut Outline) {
        let name_of = |id: NodeId| self.nodes().find(|(_, one)| *one == id).map_or("", |(name, _)| name);
        let told = |name: &str| if side.is_empty() { name.to_owned() } else { format!("{side}: {name}") };
        match next {
            Next::Act(number) => {
                let act = &self.acts[usize::from(number)];
                outline.add(act.id, parent, "action", &told(name_of(act.id)));
            }
            Next::Branch(number) => {
                let branch = &self.branches[usize::from(number)];
                let question = format!("{} ({})", name_of(branch.id), clause_in_words(&branch.when, self.keys()));
                let place = outline.add(branch.id, parent, "question", &told(&question));
                self.add_part(branch.yes, Some(place), "yes", outline);
                self.add_part(branch.no, Some(place), "no", outline);
            }
        }
    }

    /// The nodes at work.
    pub fn active_nodes(&self, state: &DecisionState) -> Vec<NodeId> {
        let act = state.current_task.current().and_then(|one| self.acts.get(usize::from(one)));
        act.map(|act| act.id).into_iter().collect()
    }
}
