//! The outline of a planning brain.

use super::brain::{Goap, GoapState};
use crate::leaf::Host;
use crate::node::NodeId;
use crate::outline::Outline;

impl<H: Host> Goap<H> {
    /// The goals, the weightiest first, the plan at work under its goal, and all actions.
    pub fn outline(&self, state: Option<&GoapState>) -> Outline {
        let mut outline = Outline::new("goals and plans");
        let root = outline.add(self.root, None, "goals", "");
        let at_work = state.and_then(|state| self.plan(state));
        let (goal, plan) = match at_work {
            Some((goal, plan)) => (Some(goal), plan.collect()),
            None => (None, Vec::new()),
        };
        for (name, id) in self.goals() {
            let place = outline.add(id, Some(root), "goal", name);
            if Some(name) == goal {
                for (number, step) in (1..).zip(&plan) {
                    let id = self.nodes().find(|(one, _)| one == step).map_or(NodeId::NONE, |(_, id)| id);
                    outline.add(id, Some(place), "step", &format!("{number}. {step}"));
                }
            }
        }
        let actions = outline.add(NodeId::NONE, Some(root), "actions", "");
        for (name, id) in self.nodes() {
            if !plan.contains(&name) {
                outline.add(id, Some(actions), "action", name);
            }
        }
        outline
    }

    /// The nodes at work: the goal and the step.
    pub fn active_nodes(&self, state: &GoapState) -> Vec<NodeId> {
        let Some((goal, mut plan)) = self.plan(state) else { return Vec::new() };
        let step = plan.next();
        let goal = self.goals().find(|(name, _)| *name == goal).map(|(_, id)| id);
        let step = step.and_then(|step| self.nodes().find(|(name, _)| *name == step)).map(|(_, id)| id);
        goal.into_iter().chain(step).collect()
    }
}
