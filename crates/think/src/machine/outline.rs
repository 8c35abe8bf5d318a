//! The outline of a machine.

use super::brain::{Machine, MachineState};
use super::build::OUTSIDE;
use super::spec::Ended;
use crate::leaf::Host;
use crate::node::NodeId;
use crate::outline::{Outline, OutlineWay, clause_in_words};

impl<H: Host> Machine<H> {
    /// The states, one inside the other, and the transitions.
    pub fn outline(&self) -> Outline {
        let mut outline = Outline::new("state machine");
        let root = outline.add(self.root, None, "machine", "");
        for row in &self.layout.states {
            // Rows come after what they are in; place 0 is the machine itself.
            let parent = if row.parent == OUTSIDE { root } else { usize::from(row.parent) + 1 };
            let kind = if row.start.is_some() { "machine" } else { "state" };
            outline.add(row.id, Some(parent), kind, &row.name);
        }
        let rows = (1..).zip(self.layout.states.iter().map(|row| row.go)).chain([(root, self.layout.any)]);
        for (from, (first, last)) in rows {
            for way in &self.layout.ways[usize::from(first)..usize::from(last)] {
                let mut label = clause_in_words(&way.when, &self.keys);
                if let Some(ended) = way.on {
                    let end = match ended {
                        Ended::Done => "done",
                        Ended::Success => "success",
                        Ended::Failure => "failure",
                    };
                    label = if way.when.is_always() { end.to_owned() } else { format!("{end} and {label}") };
                }
                outline.ways.push(OutlineWay { id: way.id, from, to: usize::from(way.to) + 1, label });
            }
        }
        outline
    }

    /// The nodes at work.
    pub fn active_nodes(&self, state: &MachineState) -> Vec<NodeId> {
        let names: Vec<&str> = self.active(state).collect();
        self.nodes().filter(|(name, _)| names.contains(name)).map(|(_, id)| id).collect()
    }
}
