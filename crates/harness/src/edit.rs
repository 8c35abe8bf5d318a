//! Edits: other versions of a scene's files, taken while a match goes on.
//!
//! An edit is an input at a tick: it is recorded, and played again when a moment is sought. What is edited is part of a
//! match's state, so that a snapshot brings back the files that its brains think by.

use sentir::State;
use sentir::core::tick::Tick;
use sentir::prelude::{EventKind, Notes};
use sentir_think::node::NodeId;
use sentir_think::outline::Outline;

use crate::game_match::{Editor, Match};
use crate::info::SceneError;

/// Another version of a file, and when it begins to hold.
#[derive(Clone, Debug, PartialEq, Eq, State)]
pub struct EditAt {
    /// From which tick on.
    pub tick: Tick,
    /// Which asset of the scene.
    pub name: String,
    /// Its whole text.
    pub text: String,
}

/// Texts of files by name, each name once, in the order they came.
#[derive(Clone, Debug, Default, PartialEq, Eq, State)]
pub struct Texts {
    all: Vec<(String, String)>,
}

impl Texts {
    /// The text of a file, if it is among them.
    pub fn of(&self, name: &str) -> Option<&str> {
        self.all.iter().find(|(other, _)| other == name).map(|(_, text)| text.as_str())
    }

    /// Puts a file in the place of its last version.
    pub fn put(&mut self, name: &str, text: &str) {
        self.remove(name);
        self.all.push((name.to_owned(), text.to_owned()));
    }

    /// Leaves a file out.
    pub fn remove(&mut self, name: &str) {
        self.all.retain(|(other, _)| other != name);
    }

    /// The names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.all.iter().map(|(name, _)| name.as_str())
    }
}

/// The editor of a match, to edit a file; an error where no file can be edited.
pub fn editor<'a>(game: &'a mut dyn Match, name: &str) -> Result<&'a mut dyn Editor, SceneError> {
    game.editor_mut().ok_or_else(|| SceneError::fixed(name))
}

/// A breakpoint of a brain that was entered in the last tick.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breakpoint {
    /// By whom.
    pub agent: sentir::core::id::AgentId,
    /// What it is called, or what it stands before.
    pub node: String,
}

/// Emits that a brain came to a breakpoint, by the number of its part in the outline.
pub fn emit_breakpoint(outline: &Outline, node: NodeId, notes: &mut Notes<'_>) {
    let place = outline.parts.iter().position(|part| part.id == node);
    notes.event(EventKind::Breakpoint { part: place.unwrap_or(0) as u32 });
}

/// What a part of a brain is called; a breakpoint without a name by what it stands before.
pub fn part_name(outline: &Outline, part: usize) -> String {
    let Some(it) = outline.parts.get(part) else { return String::new() };
    let inner = outline.parts.iter().find(|one| one.parent == Some(part)).filter(|_| it.label.is_empty());
    inner.map_or_else(|| it.label.clone(), |inner| format!("{} {}", inner.kind, inner.label).trim_end().to_owned())
}
