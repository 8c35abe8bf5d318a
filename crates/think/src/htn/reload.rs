//! Blocks that come from elsewhere: of another version of a brain of tasks, or from a file that may say anything.

use super::brain::{Htn, HtnState};
use super::decompose::{CHOICES_MAX, Choice, NOBODY, Pending, STEPS_MAX, tail};
use super::network::Job;
use crate::align::{Part, align};
use crate::leaf::Host;
use crate::node::NodeId;
use crate::situation::Situation;
use crate::thought::Thought;
use crate::why::Cause;
use crate::work::Running;

impl<H: Host> Htn<H> {
    /// Takes over what an agent remembers of another version of this brain. With the same tasks and methods the plan goes
    /// on. With others the step at work goes on as long as it, and the methods it comes from, are there under the same ids,
    /// and what comes behind it is planned when it is done; otherwise the plan is given up, and the next thought plans anew.
    pub fn adopt(&self, old: &Htn<H>, state: &mut HtnState, thought: &mut Thought<'_, H>) {
        old.mend(state);
        let is_same = self.ids == old.ids
            && self.methods == old.methods
            && self.network.root() == old.network.root()
            && (0..self.methods.len() as u16).all(|one| self.network.subtasks(one) == old.network.subtasks(one));
        let notes = self.facts.carried(&old.facts, &state.notes);
        let step = state.plan.get(usize::from(state.at)).copied();
        if !is_same && let Some(last) = step.or(state.pause) {
            match self.way_to(old, &state.choices, last) {
                Some((choices, point)) => self.shorten(&choices, point, step.is_some(), state),
                None => old.abort(NodeId::NONE, |_| Cause::Host, state, thought),
            }
        }
        let fresh = self.start();
        match step.and_then(|step| Some((step, old.leaves[usize::from(step.task)].as_ref()?))) {
            Some((step, leaf)) if state.has_plan => {
                let now = state.plan.get(usize::from(state.at)).map(|step| usize::from(step.task));
                let new = now.and_then(|task| self.leaves[task].as_ref());
                let running = Running { task: leaf, node: old.ids[usize::from(step.task)] };
                state.work.adopt(fresh.work, &running, new, thought);
            }
            _ => state.work = fresh.work,
        }
        // Whatever else has changed is looked at with the next thought.
        (state.notes, state.seen, state.gave_up) = (notes, Situation::default(), false);
    }

    /// The choices that lead to a task, outermost first, and the task itself, in the numbers of this network; none when
    /// any of them is gone.
    fn way_to(&self, old: &Htn<H>, choices: &[Choice], last: Pending) -> Option<(Vec<Choice>, Pending)> {
        let mut chain = Vec::new();
        let mut at = last;
        while let Some(choice) = choices.get(usize::from(at.owner)) {
            chain.push(*choice);
            at = choice.whom;
        }
        chain.reverse();
        let mut found: Vec<Choice> = Vec::new();
        // What each choice, and in the end the task, is about.
        let whoms = chain.iter().map(|choice| choice.whom).chain([last]);
        for (number, whom) in whoms.enumerate() {
            let owner = number.checked_sub(1).map(|above| (chain[above].method, found[above].method));
            let (task, place) = match owner {
                None => (self.network.root(), 0),
                Some((was, now)) => self.subtask(old, was, now, whom.place)?,
            };
            let is_same = self.id_of(task) == old.id_of(whom.task);
            let owner = number.checked_sub(1).map_or(NOBODY, |above| above as u16);
            let whom = Some(Pending { task, owner, place }).filter(|_| is_same)?;
            let Some(choice) = chain.get(number) else { return Some((found, whom)) };
            let id = old.methods[usize::from(choice.method)];
            let method = self.methods.iter().position(|one| *one == id)? as u16;
            // Limited by DEPTH_MAX.
            found.push(Choice { whom, method, depth: number as u8 });
        }
        None
    }

    /// Where a task of an old method stands in the new one.
    fn subtask(&self, old: &Htn<H>, was: u16, now: u16, place: u16) -> Option<(u16, u16)> {
        let parts = |htn: &Htn<H>, method: u16| {
            let part = |task: &u16| Part { id: NodeId::NONE, is_authored: false, name: htn.id_of(*task).0, content: 0 };
            htn.network.subtasks(method).iter().map(part).collect::<Vec<_>>()
        };
        let partners = align(&parts(old, was), &parts(self, now));
        let at = partners.iter().position(|was| *was == Some(usize::from(place)))?;
        Some((self.network.subtasks(now)[at], at as u16))
    }

    /// The id of a task; that of a pause is its own.
    fn id_of(&self, task: u16) -> NodeId {
        self.ids.get(usize::from(task)).copied().unwrap_or(NodeId(u64::from(task)))
    }

    /// Keeps of a plan the step at work, or nothing of it; what comes behind is to be planned.
    fn shorten(&self, choices: &[Choice], point: Pending, is_step: bool, state: &mut HtnState) {
        let mut rest = Vec::new();
        tail(&self.network, choices, point, &mut rest);
        state.plan.clear();
        state.plan.extend(Some(point).filter(|_| is_step));
        state.pause = Some(point).filter(|_| !is_step || !rest.is_empty());
        state.choices.clear();
        state.choices.extend_from_slice(choices);
        state.at = 0;
        // Only the first choice is comparable with that of a whole plan: those for what is done already are left out.
        state.mended = Some(1);
        state.is_reacting = false;
    }

    /// A block from outside may say anything; what does not fit is forgotten.
    pub(super) fn mend(&self, state: &mut HtnState) {
        let stands = |one: &Pending, before: usize| match state.choices[..before].get(usize::from(one.owner)) {
            Some(choice) => self.network.subtasks(choice.method).get(usize::from(one.place)) == Some(&one.task),
            None => *one == Pending { task: self.network.root(), owner: NOBODY, place: 0 },
        };
        let is_choice = |(at, choice): (usize, &Choice)| {
            let methods = match self.network.jobs.get(usize::from(choice.whom.task)) {
                Some(&Job::Compound { first, count }) => first..first + count,
                _ => 0..0,
            };
            let above = state.choices[..at].get(usize::from(choice.whom.owner));
            let depth = above.map_or(Some(0), |above| above.depth.checked_add(1));
            methods.contains(&choice.method) && depth == Some(choice.depth) && stands(&choice.whom, at)
        };
        let count = state.choices.len();
        let is_step = |step: &Pending| {
            self.leaves.get(usize::from(step.task)).is_some_and(Option::is_some) && stands(step, count)
        };
        let fits = count <= CHOICES_MAX
            && state.plan.len() <= STEPS_MAX
            // In this order: what stands where is asked of choices that are known to be sound.
            && state.choices.iter().enumerate().all(is_choice)
            && state.plan.iter().all(is_step)
            && state.pause.is_none_or(|pause| stands(&pause, count))
            && usize::from(state.at) <= state.plan.len()
            && (state.has_plan || !state.work.is_running());
        if !fits {
            *state = self.start();
        }
    }
}
