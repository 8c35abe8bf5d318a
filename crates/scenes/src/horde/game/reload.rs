//! Another version of the file of a mind, while those who wear it think.

use sentir::core::chart::Chart;
use sentir::core::why::WhyLog;
use sentir::prelude::*;
use sentir_harness::info::SceneError;
use sentir_think::board::{Blackboard, Board};
use sentir_think::brain::Brain;
use sentir_think::thought::{Sinks, Thought};

use super::leaf::{Game, Wish};
use super::mind::{Head, HordeMind, thinker};
use super::registry;

impl HordeMind {
    /// A mind's file as it is now.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.registry.0.iter().find(|mind| mind.file == name).map(|mind| mind.text.as_str())
    }

    /// The brain that another version of a file would be.
    pub(super) fn check(&self, name: &str, text: &str) -> Result<Brain<Game>, SceneError> {
        match self.text(name) {
            Some(_) => registry::read(name, text),
            None => Err(SceneError::Fixed { name: name.to_owned() }),
        }
    }

    /// Lets those who wear a mind think by another version of its file from now on. Those of `brains` go on where they were.
    pub(super) fn reload(
        &mut self,
        name: &str,
        text: &str,
        brains: Option<&mut Loop<HordeMind>>,
    ) -> Result<(), SceneError> {
        let brain = self.check(name, text)?;
        let Some(mind) = self.registry.0.iter_mut().find(|mind| mind.file == name) else { return Ok(()) };
        let old = std::mem::replace(&mut mind.brain, brain);
        mind.text = text.to_owned();
        self.old = Some((mind.file, old));
        if let Some(brains) = brains {
            brains.adopt(self, self);
        }
        self.old = None;
        Ok(())
    }

    /// Brings what one agent remembers from the old version of its mind to the new one.
    pub(super) fn take_over(&self, view: &ThinkView<'_>, intents: &Intents, head: &mut Head) {
        let (Some((file, old)), Some(mind)) = (&self.old, self.registry.mind(head.mind)) else { return };
        if mind.file != *file {
            return;
        }
        let known = self.known(view.beliefs, view.kind);
        // What ends is ended by the old leaves, over the old keys.
        let (shared, mut unheard) = (Blackboard::new(old.keys()), WhyLog::default());
        let mut wish = Wish { intents: intents.clone(), memory: head.memory };
        let board = Board { own: &mut head.board, team: &shared, world: &shared };
        let sinks = Sinks { out: &mut wish, why: &mut unheard };
        let mut thought = Thought::<Game>::new(thinker(view), &known, board, sinks);
        mind.brain.adopt(old, &mut head.state, &mut thought);
        head.memory = wish.memory;
        // An earlier edit may have cut it before this one.
        head.is_cut |= wish.intents != *intents;
        if old.keys() != mind.brain.keys() {
            let mut board = self.fresh(head.mind, view.kind).board;
            board.carry(mind.brain.keys(), &head.board, old.keys());
            head.board = board;
        }
    }

    /// The brain of one agent as one can look at it.
    pub(super) fn chart(&self, head: &Head, agent: AgentId, whys: &WhyLog<Why>) -> Option<Chart> {
        let mind = self.registry.mind(head.mind)?;
        let mine = || whys.entries().iter().filter(move |entry| entry.agent == agent);
        let is_brain = |why: &Why| matches!(why, Why::Brain(_));
        let last = mine().filter(|entry| is_brain(&entry.why)).map(|entry| entry.tick).next_back();
        let reasons: Vec<_> = mine()
            .filter(|entry| Some(entry.tick) == last)
            .filter_map(|entry| match &entry.why {
                Why::Brain(why) => Some(why),
                _ => None,
            })
            .collect();
        Some(mind.brain.chart(mind.name, &head.state, reasons))
    }
}
