//! The outline of a brain of tasks.

use super::brain::{Htn, HtnState};
use super::network::Job;
use crate::leaf::Host;
use crate::node::NodeId;
use crate::outline::Outline;

impl<H: Host> Htn<H> {
    /// The plan at work, then every compound task with its methods and what they come apart into.
    pub fn outline(&self, state: Option<&HtnState>) -> Outline {
        let mut outline = Outline::new("task network");
        let network = self.network();
        let root = outline.add(NodeId::NONE, None, "tasks", network.name(network.root()));
        let plan: Vec<&str> = state.map_or_else(Vec::new, |state| self.plan(state).collect());
        if !plan.is_empty() {
            let place = outline.add(NodeId::NONE, Some(root), "plan", "");
            for (number, step) in (1..).zip(&plan) {
                let id = self.nodes().find(|(one, _)| one == step).map_or(NodeId::NONE, |(_, id)| id);
                outline.add(id, Some(place), "step", &format!("{number}. {step}"));
            }
        }
        for ((task, id), job) in self.nodes().zip(&network.jobs) {
            let Job::Compound { .. } = job else { continue };
            let place = outline.add(id, Some(root), "task", task);
            for (_, method, id) in self.methods().filter(|(of, ..)| *of == task) {
                outline.add(id, Some(place), "method", method);
            }
        }
        outline
    }

    /// The nodes at work: the step of the plan.
    pub fn active_nodes(&self, state: &HtnState) -> Vec<NodeId> {
        let step = self.plan(state).next();
        step.and_then(|step| self.nodes().find(|(name, _)| *name == step)).map(|(_, id)| id).into_iter().collect()
    }
}
