//! The outline of a machine.

use super::brain::{Machine, MachineState};
use super::build::{OUTSIDE, Way};
use super::spec::Ended;
use crate::leaf::Host;
use crate::node::NodeId;
use crate::outline::{Outline, OutlineWay, clause_in_words, span_in_words};

impl<H: Host> Machine<H> {
    /// The states, one inside the other, and the transitions: as ways, and as parts of the state they lead away from, so that
    /// what refused one has a place.
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
                let label = self.way_in_words(way);
                let to = &self.layout.states[usize::from(way.to)].name;
                outline.add(way.id, Some(from), "transition", &format!("to {to}: {label}"));
                outline.ways.push(OutlineWay { id: way.id, from, to: usize::from(way.to) + 1, label });
            }
        }
        outline
    }

    /// When a transition is taken.
    fn way_in_words(&self, way: &Way<H>) -> String {
        let mut words = Vec::new();
        if let Some(ended) = way.on {
            words.push(match ended {
                Ended::Done => "done".to_owned(),
                Ended::Success => "success".to_owned(),
                Ended::Failure => "failure".to_owned(),
            });
        }
        if !way.when.is_always() {
            words.push(clause_in_words(&way.when, &self.keys));
        }
        let mut label = words.join(" and ");
        for (word, span) in [("after", way.after), ("for", way.delay)] {
            let Some(span) = span else { continue };
            let gap = if label.is_empty() { "" } else { " " };
            label = format!("{label}{gap}{word} {}", span_in_words(span));
        }
        if label.is_empty() { "always".to_owned() } else { label }
    }

    /// The nodes at work.
    pub fn active_nodes(&self, state: &MachineState) -> Vec<NodeId> {
        let names: Vec<&str> = self.active(state).collect();
        self.nodes().filter(|(name, _)| names.contains(name)).map(|(_, id)| id).collect()
    }
}
