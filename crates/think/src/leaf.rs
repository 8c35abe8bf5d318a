//! Leaves: the game's own Rust, under the contract that every kind of brain uses.
//!
//! | leaf | answers | keeps state |
//! |---|---|---|
//! | [`Condition`] | yes or no, and by which value | no |
//! | [`Score`] | how good, as a number | no |
//! | [`Task`] | goes on, succeeded or failed; starts, ticks, is aborted | yes |
//! | [`Service`] | nothing: it keeps facts fresh now and then, while its branch runs | yes |
//!
//! A leaf is a type that is never made: its functions get their parameters, their state and the [`Thought`]. Parameters
//! are checked once, when a brain is built; state is plain and lives in the agent's block, so that a running brain saves,
//! loads and hashes. `ConditionLeaf` and its like are leaves with their parameters, ready to be part of a brain.
//!
//! ```
//! use sentir_think::leaf::{ConditionResult, Condition, ConditionLeaf, Host};
//! use sentir_think::thought::Thought;
//!
//! struct Game;
//! impl Host for Game {
//!     type View<'a> = f32; // health
//!     type Out = ();
//! }
//!
//! struct Hurt;
//! impl Condition<Game> for Hurt {
//!     const NAME: &'static str = "hurt";
//!     type Params = f32;
//!     fn check(limit: &f32, thought: &Thought<'_, Game>) -> ConditionResult {
//!         ConditionResult::below(thought.view, *limit)
//!     }
//! }
//! let badly_hurt = ConditionLeaf::<Game>::new::<Hurt>(0.2);
//! assert_eq!(badly_hurt.name(), "hurt");
//! ```
//!
//! Every started task ends or is aborted exactly once: brains guarantee it.

use std::marker::PhantomData;
use std::sync::Arc;

use sentir_core::State;
use sentir_core::state::{Leaf, Sink, StateReader};

use crate::node::NodeId;
use crate::thought::Thought;
use crate::why::{Cause, Why};

/// A game, as its brains see it.
pub trait Host: Sized + 'static {
    /// What leaves may read: beliefs, and who they are about. A reference or something as small.
    type View<'a>: Copy;
    /// Where leaves write what they want, for example [`sentir_core::intent::Intents`].
    type Out;
}

/// How a task or a branch stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Done, well.
    Success,
    /// Done, in vain.
    Failure,
    /// Goes on.
    Running,
}

/// What a condition found: the answer and the numbers behind it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConditionResult {
    /// Whether it holds.
    pub held: bool,
    /// The value that decided.
    pub value: f32,
    /// What it was compared with.
    pub limit: f32,
}

impl ConditionResult {
    /// Holds when `value` is below `limit`.
    #[inline]
    pub fn below(value: f32, limit: f32) -> ConditionResult {
        ConditionResult { held: value < limit, value, limit }
    }

    /// Holds when `value` is at least `limit`.
    #[inline]
    pub fn at_least(value: f32, limit: f32) -> ConditionResult {
        ConditionResult { held: value >= limit, value, limit }
    }
}

impl From<bool> for ConditionResult {
    #[inline]
    fn from(held: bool) -> ConditionResult {
        ConditionResult { held, value: f32::from(u8::from(held)), limit: 1.0 }
    }
}

/// A yes or no question about the view and the boards. It must not change anything.
pub trait Condition<H: Host>: 'static {
    /// Its name in files.
    const NAME: &'static str;
    /// Its parameters.
    type Params: Send + Sync + 'static;
    /// Asks.
    fn check(params: &Self::Params, thought: &Thought<'_, H>) -> ConditionResult;
}

/// How good something is. It must not change anything.
pub trait Score<H: Host>: 'static {
    /// Its name in files.
    const NAME: &'static str;
    /// Its parameters.
    type Params: Send + Sync + 'static;
    /// More is better. −∞, and NaN, which counts as that, mean: not at all.
    fn score(params: &Self::Params, thought: &Thought<'_, H>) -> f32;
    /// Says why `node` comes behind what scored `best`, to somebody who listens. Must change no decision.
    fn refuse(_params: &Self::Params, node: NodeId, score: f32, best: f32, thought: &mut Thought<'_, H>) {
        let cause = Cause::ConditionResult(ConditionResult { held: false, value: score, limit: best });
        thought.because(|| Why::Refused { node, cause });
    }
}

/// Something to do that may take time.
pub trait Task<H: Host>: 'static {
    /// Its name in files.
    const NAME: &'static str;
    /// Its parameters.
    type Params: Send + Sync + 'static;
    /// What it remembers while it runs. Starts from the default each time. Limit: [`SLOT_BYTES_MAX`] saved.
    type State: State + Copy + Default + 'static;
    /// Begins; the first tick follows at once.
    fn start(_params: &Self::Params, _state: &mut Self::State, _thought: &mut Thought<'_, H>) {}
    /// Goes on. May call [`Thought::sleep_until`] when it has nothing to do before a moment.
    fn tick(params: &Self::Params, state: &mut Self::State, thought: &mut Thought<'_, H>) -> Status;
    /// Ends before it is done. What it wanted and nobody wants any more should be taken back here. In a reactive branch
    /// the task that takes over may have started already: take back only what is one's own.
    fn abort(_params: &Self::Params, _state: &mut Self::State, _thought: &mut Thought<'_, H>) {}
}

/// Something that keeps facts fresh, now and then, while its branch runs.
pub trait Service<H: Host>: 'static {
    /// Its name in files.
    const NAME: &'static str;
    /// Its parameters.
    type Params: Send + Sync + 'static;
    /// What it remembers while its branch runs. Limit: [`SLOT_BYTES_MAX`] saved.
    type State: State + Copy + Default + 'static;
    /// Works.
    fn run(params: &Self::Params, state: &mut Self::State, thought: &mut Thought<'_, H>);
}

/// The most bytes a leaf's state may take, saved.
pub const SLOT_BYTES_MAX: usize = 1024;

/// Room for a state of that type: options and enums may take more bytes saved than in memory, by a tag each.
fn slot_bytes<S>() -> usize {
    match size_of::<S>() {
        0 => 0,
        size => (size * 2 + 8).min(SLOT_BYTES_MAX),
    }
}

/// Pours a state into a slot.
struct SlotSink<'a> {
    slot: &'a mut [u8],
    at: usize,
}

impl SlotSink<'_> {
    fn take(&mut self, bytes: &[u8]) {
        // What does not fit is lost; reading the slot then gives the default.
        if let Some(room) = self.slot.get_mut(self.at..self.at + bytes.len()) {
            room.copy_from_slice(bytes);
        }
        self.at += bytes.len();
    }
}

impl Sink for SlotSink<'_> {
    #[inline]
    fn leaf(&mut self, leaf: Leaf<'_>) {
        match leaf {
            Leaf::Bool(value) => self.take(&[u8::from(value)]),
            Leaf::U8(value) => self.take(&[value]),
            Leaf::U16(value) => self.take(&value.to_le_bytes()),
            Leaf::U32(value) | Leaf::Len(value) => self.take(&value.to_le_bytes()),
            Leaf::U64(value) => self.take(&value.to_le_bytes()),
            Leaf::I8(value) => self.take(&value.to_le_bytes()),
            Leaf::I16(value) => self.take(&value.to_le_bytes()),
            Leaf::I32(value) => self.take(&value.to_le_bytes()),
            Leaf::I64(value) => self.take(&value.to_le_bytes()),
            Leaf::F32(value) => self.take(&if value.is_nan() { f32::NAN } else { value }.to_le_bytes()),
            Leaf::F64(value) => self.take(&if value.is_nan() { f64::NAN } else { value }.to_le_bytes()),
            Leaf::Text(text) => {
                self.take(&(text.len() as u32).to_le_bytes());
                self.take(text.as_bytes());
            }
            Leaf::Tag { index, .. } => self.take(&[index]),
        }
    }
}

#[inline]
fn load<S: State + Default>(slot: &[u8]) -> S {
    if size_of::<S>() == 0 {
        return S::default();
    }
    S::load(&mut StateReader::new(slot)).unwrap_or_default()
}

#[inline]
fn store<S: State>(state: &S, slot: &mut [u8]) {
    if size_of::<S>() == 0 {
        return;
    }
    let mut sink = SlotSink { slot, at: 0 };
    state.save(&mut sink);
    let end = sink.at;
    debug_assert!(end <= slot.len(), "the state of a leaf takes {end} bytes and has {}", slot.len());
    // What an earlier, longer value left behind must not count in a hash.
    if let Some(rest) = slot.get_mut(end..) {
        rest.fill(0);
    }
}

trait AnyCondition<H: Host>: Send + Sync {
    /// The answer alone: the numbers behind it are asked for only when somebody wants to know why.
    fn holds(&self, thought: &Thought<'_, H>) -> bool;
    fn check(&self, thought: &Thought<'_, H>) -> ConditionResult;
}

trait AnyScore<H: Host>: Send + Sync {
    fn score(&self, thought: &Thought<'_, H>) -> f32;
    fn refuse(&self, node: NodeId, score: f32, best: f32, thought: &mut Thought<'_, H>);
}

trait AnyTask<H: Host>: Send + Sync {
    fn start(&self, slot: &mut [u8], thought: &mut Thought<'_, H>) -> Status;
    fn tick(&self, slot: &mut [u8], thought: &mut Thought<'_, H>) -> Status;
    fn abort(&self, slot: &mut [u8], thought: &mut Thought<'_, H>);
}

trait AnyService<H: Host>: Send + Sync {
    fn start(&self, slot: &mut [u8], thought: &mut Thought<'_, H>);
    fn run(&self, slot: &mut [u8], thought: &mut Thought<'_, H>);
}

/// A leaf's type with its parameters.
struct Bound<L, P> {
    params: P,
    of: PhantomData<fn() -> L>,
}

impl<H: Host, L: Condition<H>> AnyCondition<H> for Bound<L, L::Params> {
    #[inline]
    fn holds(&self, thought: &Thought<'_, H>) -> bool {
        L::check(&self.params, thought).held
    }

    #[inline]
    fn check(&self, thought: &Thought<'_, H>) -> ConditionResult {
        L::check(&self.params, thought)
    }
}

impl<H: Host, L: Score<H>> AnyScore<H> for Bound<L, L::Params> {
    fn score(&self, thought: &Thought<'_, H>) -> f32 {
        L::score(&self.params, thought)
    }

    fn refuse(&self, node: NodeId, score: f32, best: f32, thought: &mut Thought<'_, H>) {
        L::refuse(&self.params, node, score, best, thought);
    }
}

impl<H: Host, L: Task<H>> AnyTask<H> for Bound<L, L::Params> {
    fn start(&self, slot: &mut [u8], thought: &mut Thought<'_, H>) -> Status {
        let mut state = L::State::default();
        L::start(&self.params, &mut state, thought);
        let status = L::tick(&self.params, &mut state, thought);
        store(&state, slot);
        status
    }

    fn tick(&self, slot: &mut [u8], thought: &mut Thought<'_, H>) -> Status {
        let mut state = load(slot);
        let status = L::tick(&self.params, &mut state, thought);
        store(&state, slot);
        status
    }

    fn abort(&self, slot: &mut [u8], thought: &mut Thought<'_, H>) {
        let mut state = load(slot);
        L::abort(&self.params, &mut state, thought);
        slot.fill(0);
    }
}

impl<H: Host, L: Service<H>> AnyService<H> for Bound<L, L::Params> {
    fn start(&self, slot: &mut [u8], thought: &mut Thought<'_, H>) {
        let mut state = L::State::default();
        L::run(&self.params, &mut state, thought);
        store(&state, slot);
    }

    fn run(&self, slot: &mut [u8], thought: &mut Thought<'_, H>) {
        let mut state = load(slot);
        L::run(&self.params, &mut state, thought);
        store(&state, slot);
    }
}

macro_rules! leaf {
    ($(#[$doc:meta])* $name:ident $any:ident $of:ident, $bytes:expr) => {
        $(#[$doc])*
        pub struct $name<H: Host> {
            name: &'static str,
            slot_bytes: usize,
            leaf: Arc<dyn $any<H>>,
        }

        impl<H: Host> $name<H> {
            /// The leaf with its parameters.
            pub fn new<L: $of<H>>(params: L::Params) -> Self {
                let leaf = Arc::new(Bound::<L, _> { params, of: PhantomData });
                $name { name: L::NAME, slot_bytes: $bytes, leaf }
            }

            /// Its name in files.
            pub fn name(&self) -> &'static str {
                self.name
            }

            /// Bytes of state it needs in the agent's block.
            pub fn slot_bytes(&self) -> usize {
                self.slot_bytes
            }
        }

        impl<H: Host> Clone for $name<H> {
            fn clone(&self) -> Self {
                $name { name: self.name, slot_bytes: self.slot_bytes, leaf: Arc::clone(&self.leaf) }
            }
        }

        impl<H: Host> std::fmt::Debug for $name<H> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name)
            }
        }
    };
}

leaf!(
    /// A condition with its parameters.
    ConditionLeaf AnyCondition Condition, 0
);
leaf!(
    /// A score with its parameters.
    ScoreLeaf AnyScore Score, 0
);
leaf!(
    /// A task with its parameters. Its state is in a slot of [`TaskLeaf::slot_bytes`] bytes that the brain keeps.
    TaskLeaf AnyTask Task, slot_bytes::<L::State>()
);
leaf!(
    /// A service with its parameters. Its state is in a slot as a task's is.
    ServiceLeaf AnyService Service, slot_bytes::<L::State>()
);

impl<H: Host> ConditionLeaf<H> {
    /// Asks for the answer alone.
    #[inline]
    pub fn holds(&self, thought: &Thought<'_, H>) -> bool {
        self.leaf.holds(thought)
    }

    /// Asks.
    #[inline]
    pub fn check(&self, thought: &Thought<'_, H>) -> ConditionResult {
        self.leaf.check(thought)
    }
}

impl<H: Host> ScoreLeaf<H> {
    /// How good it is; NaN becomes −∞: not at all.
    #[inline]
    pub fn score(&self, thought: &Thought<'_, H>) -> f32 {
        let score = self.leaf.score(thought);
        if score.is_nan() { f32::NEG_INFINITY } else { score }
    }

    /// Says why `node` comes behind what scored `best`.
    pub fn refuse(&self, node: NodeId, score: f32, best: f32, thought: &mut Thought<'_, H>) {
        self.leaf.refuse(node, score, best, thought);
    }
}

impl<H: Host> TaskLeaf<H> {
    /// Starts it and ticks it once.
    #[inline]
    pub fn start(&self, slot: &mut [u8], thought: &mut Thought<'_, H>) -> Status {
        self.leaf.start(slot, thought)
    }

    /// Ticks it: it must have been started, and not have ended since.
    #[inline]
    pub fn tick(&self, slot: &mut [u8], thought: &mut Thought<'_, H>) -> Status {
        self.leaf.tick(slot, thought)
    }

    /// Ends it before it is done.
    pub fn abort(&self, slot: &mut [u8], thought: &mut Thought<'_, H>) {
        self.leaf.abort(slot, thought);
    }
}

impl<H: Host> ServiceLeaf<H> {
    /// Runs it for the first time since its branch started.
    pub fn start(&self, slot: &mut [u8], thought: &mut Thought<'_, H>) {
        self.leaf.start(slot, thought);
    }

    /// Runs it again.
    pub fn run(&self, slot: &mut [u8], thought: &mut Thought<'_, H>) {
        self.leaf.run(slot, thought);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sentir_core::glam::Vec3;
    use sentir_core::tick::Tick;

    #[derive(Clone, Copy, Debug, Default, PartialEq, State)]
    enum Mode {
        #[default]
        Idle,
        Going(Option<Vec3>, Option<bool>, Tick),
    }

    #[test]
    fn states_come_back_from_their_slots() {
        let mut slot = vec![0; slot_bytes::<Mode>()];
        for mode in [Mode::Going(Some(Vec3::X), Some(true), Tick(7)), Mode::Going(None, None, Tick(1)), Mode::Idle] {
            store(&mode, &mut slot);
            assert_eq!(load::<Mode>(&slot), mode);
        }
        assert!(slot.iter().all(|&byte| byte == 0), "a shorter value leaves nothing behind");
        assert_eq!(slot_bytes::<()>(), 0);
    }

    #[test]
    fn damaged_slots_read_as_the_default() {
        assert_eq!(load::<Mode>(&[9; 48]), Mode::Idle);
        assert_eq!(load::<Mode>(&[1]), Mode::Idle);
    }
}
