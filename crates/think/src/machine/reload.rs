//! Another version of a machine for an agent that wears the old one.

use super::brain::{Machine, MachineState, NEVER, TIME};
use super::build::{Layout, OUTSIDE};
use crate::align::align;
use crate::leaf::Host;
use crate::node::NodeId;
use crate::thought::Thought;
use crate::why::Cause;
use crate::work::{Running, is_same};

impl<H: Host> Machine<H> {
    /// Takes over what an agent remembers of another version of this machine: it stays in its state, with its history and
    /// its times, if they are there under the same ids; a task that is another one now is ended and begins anew. A state
    /// that is gone is left as it should be, by its own machine, and the next thought begins at the start.
    pub fn adopt(&self, old: &Machine<H>, state: &mut MachineState, thought: &mut Thought<'_, H>) {
        old.mend(state);
        // Limited by STATES_MAX.
        let place = |was: u16| self.layout.states.iter().position(|row| row.id == old.row(was).id).map(|at| at as u16);
        let leaf =
            state.leaf.and_then(|was| Some((was, place(was)?))).filter(|(_, now)| self.row(*now).start.is_none());
        if leaf.is_none() {
            old.leave(OUTSIDE, NodeId::NONE, |_| Cause::Host, state, thought);
        }
        let mut fresh = self.start();
        for (was, last) in (0..).zip(&state.last) {
            if let (Some(at), Some(last)) = (place(was), last.and_then(place))
                && self.row(last).parent == at
            {
                fresh.last[usize::from(at)] = Some(last);
            }
        }
        if let Some((was, now)) = leaf {
            let (before, after) = (old.row(was), self.row(now));
            if let Some(task) = &before.task {
                state.work.adopt(fresh.work, &Running { task, node: before.id }, after.task.as_ref(), thought);
                fresh.work = std::mem::take(&mut state.work);
            }
            // That another task ended says nothing of this one.
            fresh.ended = state.ended.filter(|_| is_same(before.task.as_ref(), after.task.as_ref()));
            fresh.leaf = Some(now);
        }
        self.carry_times(old, state, &mut fresh);
        self.begin_times(&mut fresh, thought);
        *state = fresh;
    }

    /// Times that are counted go on for the transitions that are still there.
    fn carry_times(&self, old: &Machine<H>, state: &MachineState, fresh: &mut MachineState) {
        let before = |id: NodeId| old.layout.states.iter().find(|row| row.id == id).map(|row| row.go);
        let rows = self.layout.states.iter().map(|row| (row.go, before(row.id)));
        let parts = |layout: &Layout<H>, (from, to): (u16, u16)| {
            layout.ways[usize::from(from)..usize::from(to)].iter().map(|way| way.part).collect::<Vec<_>>()
        };
        for (now, was) in rows.chain([(self.layout.any, Some(old.layout.any))]) {
            let Some(was) = was else { continue };
            for (at, partner) in align(&parts(&old.layout, was), &parts(&self.layout, now)).into_iter().enumerate() {
                let Some(partner) = partner else { continue };
                let (at, partner) = (usize::from(now.0) + at, usize::from(was.0) + partner);
                let (new_way, old_way) = (&self.layout.ways[at], &old.layout.ways[partner]);
                if new_way.after.is_some() == old_way.after.is_some() {
                    fresh.due[at] = state.due[partner];
                }
            }
        }
    }

    /// A transition with a time that is new to an active state counts from now on.
    fn begin_times(&self, fresh: &mut MachineState, thought: &mut Thought<'_, H>) {
        let mut at = fresh.leaf.unwrap_or(OUTSIDE);
        while at != OUTSIDE {
            let row = self.row(at);
            for number in usize::from(row.go.0)..usize::from(row.go.1) {
                let way = &self.layout.ways[number];
                if let Some(after) = way.after.filter(|_| fresh.due[number] == NEVER) {
                    thought.node = way.id;
                    fresh.due[number] = thought.tick + after.ticks(thought.rate, || thought.random(TIME));
                }
            }
            at = row.parent;
        }
    }
}
