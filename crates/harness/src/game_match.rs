//! A match being played, whatever its scene: what programs, pages and tests hold.
//!
//! The trait [`Match`] has what every match has. What only some have is a side that it hands out: [`Editor`], [`Inspector`],
//! [`Auditor`], [`Play`]. All are implemented once, by [`SceneMatch`](crate::scene_match::SceneMatch).

use sentir::core::chart::Chart;
use sentir::core::draw::DrawList;
use sentir::core::event::GameEvent;
use sentir::core::id::AgentId;
use sentir::core::pool::Pool;
use sentir::core::state::EnvelopeError;
use sentir::core::tick::Tick;
use sentir::prelude::HostKey;
use sentir::prelude::Importance;
use sentir::{Presence, Scratch};
use sentir_sim::input::Input;

use crate::animation::Animation;
use crate::edit::Breakpoint;
use crate::honesty::tamper::Allowed;
use crate::honesty::{Reach, Tamper, Truth};
use crate::hud::Play;
use crate::info::SceneError;
use crate::inspection::{Eyesight, Inspection};
use crate::metric::Metric;
use crate::sound::Sound;

/// A match being played. Everything that a lab, a studio or a test does with a scene goes through this.
pub trait Match: Send {
    /// Plays one tick. `inputs` are the controls that begin to hold at this tick.
    fn step(&mut self, inputs: &[Input], pool: &dyn Pool);
    /// The tick that the next step will play.
    fn tick(&self) -> Tick;
    /// How it ended, once it has.
    fn ending(&self) -> Option<&'static str>;
    /// What is measured so far.
    fn metrics(&self) -> Vec<Metric>;
    /// What was stupid so far: a figure for each kind of [`stupidity`](crate::stupidity), and the sum.
    fn stupidity(&self) -> Vec<Metric>;
    /// How often a wanted motion or a body was no number: an error of the program, which debug builds stop at.
    fn bad_numbers(&self) -> u64;
    /// How many agents there are.
    fn agent_count(&self) -> usize;
    /// The truth about every agent, in slot order: replaces what was in `list`.
    fn agents(&self, list: &mut Vec<Presence>);
    /// Looks into an agent; none if it is not there.
    fn inspect(&self, agent: AgentId) -> Option<Inspection<'_>>;
    /// Adds what there is to see.
    fn draw(&self, list: &mut DrawList);
    /// The hash of the whole state.
    fn hash(&self) -> u64;
    /// A hash of what the last tick came to, at little cost: bodies, decisions, what was to be heard and felt. What only
    /// minds remember may be left out; it is in [`hash`](Match::hash).
    fn short_hash(&self) -> u32;
    /// The hashes of the parts of the state, by name: which part differs first says where to look. A part is the brains, each
    /// field of the scene's world, or a field of the match itself.
    fn hash_parts(&self) -> Vec<(&'static str, u64)>;
    /// The whole state as the bytes of a file.
    fn snapshot(&self) -> Vec<u8>;
    /// Goes on from a snapshot of the same scene and setup.
    fn restore(&mut self, file: &[u8]) -> Result<(), EnvelopeError>;
    /// Forgets everything that is not state.
    fn drop_caches(&mut self);
    /// What was noted beside the state: events of the last tick, and reasons while somebody listens.
    fn scratch(&self) -> &Scratch;
    /// The same, to start or stop listening, or to forget reasons.
    fn scratch_mut(&mut self) -> &mut Scratch;
    /// What happened in the last tick.
    fn events(&self) -> &[GameEvent] {
        self.scratch().events()
    }

    /// The editor of its files; none if its scene has none that can be edited.
    fn editor(&self) -> Option<&dyn Editor>;
    /// The same, to edit. Some if [`editor`](Match::editor) is.
    fn editor_mut(&mut self) -> Option<&mut dyn Editor>;
    /// Shows what its agents think and see; none if its scene shows nothing of it.
    fn inspector(&self) -> Option<&dyn Inspector>;
    /// What a screen shows beside the picture; none if there is nothing to tell.
    fn play(&self) -> Option<Play>;
    /// The agent that a person's controls move, alive or dead; none where they move nobody.
    fn player(&self) -> Option<HostKey>;
    /// What an agent is called, where its scene has a name for it.
    fn name_of(&self, agent: &Presence) -> Option<String>;
    /// The kind whose look an agent has.
    fn looks_as(&self, agent: &Presence) -> u16;
    /// Whether an agent is to be seen on a screen.
    fn is_shown(&self, agent: &Presence) -> bool;
    /// What the figures of these agents do, one by one.
    fn animate(&self, agents: &[Presence]) -> Vec<Animation>;
    /// What could be heard of the last tick.
    fn sounds(&self) -> Vec<Sound>;
    /// What the honesty test needs; none if its scene cannot be tested.
    fn auditor(&mut self) -> Option<Box<dyn Auditor + '_>>;
}

/// Edits the files of a match while it goes on.
pub trait Editor {
    /// A file as it is now; none if it cannot be edited.
    fn text(&self, name: &str) -> Option<&str>;
    /// What is wrong with another version of a file; nothing is changed.
    fn check(&self, name: &str, text: &str) -> Result<(), SceneError>;
    /// Takes another version of a file between two ticks: who thinks by it goes on where it was, node by node. A broken one
    /// is refused, and nothing is changed.
    fn edit(&mut self, name: &str, text: &str) -> Result<(), SceneError>;
    /// The file that an agent's brain is read from; none if it is not there, or its brain is no file that can be edited.
    fn brain_file(&self, agent: AgentId) -> Option<&'static str>;
    /// The first breakpoint that somebody's brain entered in the last tick.
    fn breakpoint(&self) -> Option<Breakpoint>;
}

/// Shows what an agent thinks and sees, beside what [`Match::inspect`] tells of everybody. Looking changes nothing.
pub trait Inspector {
    /// The brain of an agent; none if it is not there, or has nothing to show. Reasons are in it while somebody listens.
    fn chart(&self, agent: AgentId) -> Option<Chart>;
    /// What an agent that sees by synthetic vision sees now; none if it is not there, or does not see so.
    fn eyesight(&self, agent: AgentId) -> Option<Eyesight>;
    /// Adds what an agent weighs just now, as the points of its query; nothing if it is not there, or weighs nothing.
    fn study(&self, agent: AgentId, list: &mut DrawList);
    /// The name of a decision that events speak of; empty if it has none.
    fn decision_name(&self, decision: u16) -> &'static str;
}

/// A match as the [honesty](crate::honesty) test holds it: the truth, and what can be changed of it.
pub trait Auditor {
    /// What senses reach at the most.
    fn reach(&self) -> Reach;
    /// What kinds of changes the scene can take.
    fn allowed(&self) -> Allowed;
    /// Whether an agent may be changed.
    fn may_change(&self, it: &Presence) -> bool;
    /// Whether somebody is told how a changed one is: see [`Audited::is_told`](crate::scene::Audited::is_told).
    fn is_told(&self, changed: &Presence, it: &Presence) -> bool;
    /// The truth.
    fn truth(&self) -> Box<dyn Truth + '_>;
    /// Changes something behind everybody's back. Whether there was anything to change.
    fn tamper(&mut self, tamper: &Tamper) -> bool;
    /// Says how much an agent matters.
    fn set_importance(&mut self, agent: AgentId, importance: Importance);
}
