//! Another version of the file of a brain, while it thinks.

use sentir::core::why::WhyLog;
use sentir::prelude::*;
use sentir_think::board::{Blackboard, Board};
use sentir_think::brain::Brain;
use sentir_think::thought::{Sinks, Thought};

use super::leaf::{Game, Known};
use super::mind::{BrainFile, GUARD, GuardMind, Memory, read, thinker};
use sentir_harness::edit::part_name;
use sentir_harness::info::SceneError;
use sentir_harness::scene::{Editable, Scene};

impl GuardMind {
    /// The brain that another version of its file would be.
    fn read_again(&self, name: &str, text: &str) -> Result<Brain<Game>, SceneError> {
        if name == self.file { read(name, text) } else { Err(SceneError::Fixed { name: name.to_owned() }) }
    }

    /// Brings what one agent remembers from the old brain to the new one.
    pub(crate) fn take_over(&self, old: &GuardMind, view: &ThinkView<'_>, intents: &Intents, memory: &mut Memory) {
        let (thinker, old) = (thinker(view), &old.brain);
        let known = Known { beliefs: view.beliefs, posts: &self.posts, noise: memory.noise };
        // What ends is ended by the old leaves, over the old keys.
        let (shared, mut wanted, mut unheard) = (Blackboard::new(old.keys()), intents.clone(), WhyLog::default());
        let board = Board { own: &mut memory.board, team: &shared, world: &shared };
        let sinks = Sinks { out: &mut wanted, why: &mut unheard };
        let mut thought = Thought::<Game>::new(thinker, &known, board, sinks);
        self.brain.adopt(old, &mut memory.state, &mut thought);
        // An earlier edit may have cut it before this one.
        memory.is_cut |= wanted != *intents;
        if old.keys() != self.brain.keys() {
            let mut board = self.fresh().board;
            board.carry(self.brain.keys(), &memory.board, old.keys());
            memory.board = board;
        }
    }
}

impl<S: Scene<Mind = GuardMind>> Editable<S> for GuardMind {
    fn text(&self, name: &str) -> Option<&str> {
        (name == self.file).then_some(&self.text)
    }

    fn check(&self, name: &str, text: &str) -> Result<(), SceneError> {
        self.read_again(name, text).map(drop)
    }

    fn reload(&mut self, name: &str, text: &str, brains: Option<&mut Loop<GuardMind>>) -> Result<(), SceneError> {
        self.read_again(name, text)?;
        let file = BrainFile { name: self.name, file: self.file, text };
        let new = GuardMind::new(self.level.clone(), self.posts, file, self.nerve)?;
        let old = std::mem::replace(self, new);
        if let Some(brains) = brains {
            brains.adopt(&old, self);
        }
        Ok(())
    }

    fn brain_file(&self, brains: &Loop<GuardMind>, agent: AgentId) -> Option<&'static str> {
        brains.presence(agent).filter(|it| it.kind == GUARD).map(|_| self.file)
    }

    fn part_name(&self, part: usize) -> String {
        part_name(&self.brain.outline(None), part)
    }
}

#[cfg(test)]
mod tests;
