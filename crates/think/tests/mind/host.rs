//! A game with almost no body: it shows what it does.

use schemars::JsonSchema;
use sentir_core::State;
use sentir_core::id::AgentId;
use sentir_core::random::Streams;
use sentir_core::tick::{Tick, TickRate};
use sentir_core::why::WhyLog;
use sentir_think::board::{Blackboard, Board};
use sentir_think::key::{Bind, Key, Keys};
use sentir_think::leaf::{Condition, ConditionResult, Host, Score, Status, Task};
use sentir_think::registry::Leaves;
use sentir_think::thought::{Sinks, Thinker, Thought};
use sentir_think::value::Symbol;
use sentir_think::why::Why;
use serde::Deserialize;

#[derive(Clone, Debug)]
pub struct Game;

impl Host for Game {
    type View<'a> = ();
    type Out = Body;
}

/// What the last thought showed, and how often tasks were begun and broken off.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Body {
    pub shows: Option<Symbol>,
    pub started: u32,
    pub aborted: u32,
    pub ended: u32,
    /// What `mark` left, as far as there is room.
    pub log: Vec<Symbol>,
}

impl Body {
    /// The names in the log, out of some.
    pub fn names<'a>(&self, known: &[&'a str]) -> Vec<&'a str> {
        let name = |one: &Symbol| known.iter().find(|name| Symbol::new(name) == *one).copied().unwrap_or("?");
        self.log.iter().map(name).collect()
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ActParams {
    /// What is shown.
    what: String,
    /// For how long; for ever without.
    for_s: Option<f32>,
    /// Set to false at the end.
    clears: Option<Key<bool>>,
    /// Set to true at the end.
    sets: Option<Key<bool>>,
    /// Set to false at the beginning.
    forgets: Option<Key<bool>>,
    /// Ends in vain.
    #[serde(default)]
    fails: bool,
}

/// Shows something for a while.
pub struct Act;

impl Task<Game> for Act {
    const NAME: &'static str = "act";
    type Params = ActParams;
    type State = Tick;

    fn start(params: &ActParams, since: &mut Tick, thought: &mut Thought<'_, Game>) {
        *since = thought.tick;
        thought.out.started += 1;
        if let Some(key) = params.forgets {
            thought.board.write(key, false);
        }
    }

    fn tick(params: &ActParams, since: &mut Tick, thought: &mut Thought<'_, Game>) -> Status {
        if params.for_s.is_some_and(|seconds| thought.tick.since(*since) >= thought.rate.ticks(seconds)) {
            thought.out.ended += 1;
            if params.fails {
                return Status::Failure;
            }
            for (key, value) in [(params.clears, false), (params.sets, true)] {
                if let Some(key) = key {
                    thought.board.write(key, value);
                }
            }
            return Status::Success;
        }
        thought.out.shows = Some(Symbol::new(&params.what));
        Status::Running
    }

    fn abort(_: &ActParams, _: &mut Tick, thought: &mut Thought<'_, Game>) {
        thought.out.aborted += 1;
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MarkParams {
    what: String,
}

/// Leaves a mark in the log and is done.
pub struct Mark;

impl Task<Game> for Mark {
    const NAME: &'static str = "mark";
    type Params = MarkParams;
    type State = ();

    fn tick(params: &MarkParams, (): &mut (), thought: &mut Thought<'_, Game>) -> Status {
        if thought.out.log.len() < thought.out.log.capacity() {
            thought.out.log.push(Symbol::new(&params.what));
        }
        Status::Success
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PatrolParams {
    leg: Key<i32>,
    for_s: f32,
}

/// Walks between the door and the safe for ever; which leg it is on stays on the board.
pub struct Patrol;

impl Task<Game> for Patrol {
    const NAME: &'static str = "patrol";
    type Params = PatrolParams;
    type State = Tick;

    fn start(_: &PatrolParams, since: &mut Tick, thought: &mut Thought<'_, Game>) {
        *since = thought.tick;
        thought.out.started += 1;
    }

    fn tick(params: &PatrolParams, since: &mut Tick, thought: &mut Thought<'_, Game>) -> Status {
        let mut leg = thought.board.read(params.leg).unwrap_or(0);
        if thought.tick.since(*since) >= thought.rate.ticks(params.for_s) {
            leg = 1 - leg;
            *since = thought.tick;
            thought.board.write(params.leg, leg);
        }
        thought.out.shows = Some(Symbol::new(if leg == 0 { "door" } else { "safe" }));
        Status::Running
    }

    fn abort(_: &PatrolParams, _: &mut Tick, thought: &mut Thought<'_, Game>) {
        thought.out.aborted += 1;
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BelowParams {
    what: Key<f32>,
    limit: Bind<f32>,
}

pub struct Below;

impl Condition<Game> for Below {
    const NAME: &'static str = "below";
    type Params = BelowParams;

    fn check(params: &BelowParams, thought: &Thought<'_, Game>) -> ConditionResult {
        let value = thought.board.read(params.what).unwrap_or(f32::INFINITY);
        ConditionResult::below(value, params.limit.read(&thought.board).unwrap_or(0.0))
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TimesParams {
    what: Bind<f32>,
    by: f32,
}

pub struct Times;

impl Score<Game> for Times {
    const NAME: &'static str = "times";
    type Params = TimesParams;

    fn score(params: &TimesParams, thought: &Thought<'_, Game>) -> f32 {
        params.what.read(&thought.board).map_or(f32::NAN, |value| value * params.by)
    }
}

pub fn leaves() -> Leaves<Game> {
    let mut leaves = Leaves::default();
    leaves.task_with_schema::<Act>().task_with_schema::<Mark>().task_with_schema::<Patrol>();
    leaves.condition_with_schema::<Below>().score_with_schema::<Times>();
    leaves
}

/// The world around one brain.
#[derive(Clone)]
pub struct World {
    pub keys: Keys,
    pub own: Blackboard,
    pub shared: Blackboard,
    pub tick: Tick,
    pub body: Body,
    pub why: WhyLog<Why>,
    pub seed: u64,
}

#[derive(Clone, Debug, PartialEq, State)]
pub struct Saved {
    own: Blackboard,
    tick: Tick,
}

impl World {
    pub fn new(keys: &Keys) -> World {
        let board = Blackboard::new(keys);
        World {
            keys: keys.clone(),
            own: board.clone(),
            shared: board,
            tick: Tick(0),
            body: Body { log: Vec::with_capacity(64), ..Body::default() },
            why: WhyLog::default(),
            seed: 1,
        }
    }

    pub fn saved(&self) -> Saved {
        Saved { own: self.own.clone(), tick: self.tick }
    }

    pub fn restore(&mut self, saved: Saved) {
        self.own = saved.own;
        self.tick = saved.tick;
    }

    pub fn set_bool(&mut self, key: &str, value: bool) {
        self.own.set(self.keys.key::<bool>(key).unwrap(), value);
    }

    pub fn set_float(&mut self, key: &str, value: f32) {
        self.own.set(self.keys.key::<f32>(key).unwrap(), value);
    }

    pub fn set_int(&mut self, key: &str, value: i32) {
        self.own.set(self.keys.key::<i32>(key).unwrap(), value);
    }

    /// Whether that is shown.
    pub fn shows(&self, what: &str) -> bool {
        self.body.shows == Some(Symbol::new(what))
    }

    /// One thought; then time goes on.
    pub fn think<T>(&mut self, brain: impl FnOnce(&mut Thought<'_, Game>) -> T) -> T {
        self.body.shows = None;
        let board = Board { own: &mut self.own, team: &self.shared, world: &self.shared };
        let (agent, rate, streams) = (AgentId::from_bits(7), TickRate::new(10), Streams { seed: self.seed });
        let thinker = Thinker { agent, tick: self.tick, rate, streams };
        let mut thought = Thought::new(thinker, (), board, Sinks { out: &mut self.body, why: &mut self.why });
        let result = brain(&mut thought);
        self.tick = self.tick + 1;
        result
    }
}
