//! Another version of a planning brain for an agent that wears the old one.

use sentir_core::tick::Tick;

use super::brain::{Goap, GoapState, NEVER};
use crate::leaf::Host;
use crate::node::NodeId;
use crate::situation::Situation;
use crate::thought::Thought;
use crate::why::Cause;
use crate::work::Running;

impl<H: Host> Goap<H> {
    /// Takes over what an agent remembers of another version of this brain: the plan goes on as long as its goal and the
    /// rest of its actions are there under the same ids, whatever else was added or taken out; otherwise it is given up.
    /// Actions that failed go on resting. The next thought looks whether the plan still leads to its goal.
    pub fn adopt(&self, old: &Goap<H>, state: &mut GoapState, thought: &mut Thought<'_, H>) {
        old.mend(state);
        // Limited by ACTIONS_MAX and GOALS_MAX.
        let action = |was: u16| self.steps.iter().position(|one| one.id == old.steps[usize::from(was)].id);
        let goal = |was: u16| self.goals.iter().position(|one| one.id == old.goals[usize::from(was)].id);
        let rest = state.plan.get(usize::from(state.at)..).unwrap_or_default();
        let plan: Option<Vec<u16>> = rest.iter().map(|&step| action(step).map(|at| at as u16)).collect();
        let wanted = state.goal.and_then(goal).map(|at| at as u16).zip(plan.filter(|plan| !plan.is_empty()));
        if wanted.is_none() {
            old.abort(NodeId::NONE, |_| Cause::Host, state, thought);
        }
        let mut fresh = self.start();
        fresh.notes = self.facts.carried(&old.facts, &state.notes);
        let was = |id: NodeId| old.steps.iter().position(|one| one.id == id);
        for (step, until) in self.steps.iter().zip(&mut fresh.failed) {
            *until = was(step.id).map_or(Tick(0), |was| state.failed[was]);
        }
        fresh.retry_at = fresh.failed.iter().copied().filter(|until| *until != Tick(0)).min().unwrap_or(NEVER);
        if let Some((goal_now, plan)) = wanted {
            let before = state.plan.get(usize::from(state.at)).map(|&step| &old.steps[usize::from(step)]);
            let after = plan.first().map(|&step| &self.steps[usize::from(step)].task);
            if let Some(before) = before {
                state.work.adopt(fresh.work, &Running { task: &before.task, node: before.id }, after, thought);
                fresh.work = std::mem::take(&mut state.work);
            }
            fresh.plan.extend_from_slice(&plan);
            fresh.goal = Some(goal_now);
            fresh.pending = state.pending.and_then(goal).map(|at| at as u16);
            fresh.react_at = state.react_at;
        }
        // Whatever else has changed is looked at with the next thought.
        fresh.seen = Situation::default();
        *state = fresh;
    }
}
