//! A game for tests: tasks and conditions do as a script says, and all that happens is noted.

use sentir_core::State;
use sentir_core::glam::Vec3;
use sentir_core::id::AgentId;
use sentir_core::random::{Purpose, Streams};
use sentir_core::tick::{Tick, TickRate};
use sentir_core::why::WhyLog;
use sentir_think::board::{Blackboard, Board};
use sentir_think::key::{AnyBind, AnyKey, Bind, KeySpec, Keys, Scope};
use sentir_think::leaf::{Condition, ConditionResult, Host, Score, Service, Status, Task};
use sentir_think::test::{Comparison, Test};
use sentir_think::thought::{Sinks, Thinker, Thought};
use sentir_think::tree::{Tree, TreeState};
use sentir_think::value::Value;
use sentir_think::why::Why;

/// Leaves are named by letters.
pub const LEAVES: usize = 26;
/// Keys p, q, r of the own board, t of the team's, w of the world's. Each holds or not, in a way of its own: p and w are yes or
/// no, q is a number that has to be small, r a place that has to be near, t a number that has to reach another key's.
pub const KEYS: [(&str, Scope); 5] =
    [("p", Scope::Own), ("q", Scope::Own), ("r", Scope::Own), ("t", Scope::Team), ("w", Scope::World)];

pub struct Stage;

impl Host for Stage {
    type View<'a> = &'a Script;
    type Out = Notes;
}

/// What the leaves do.
#[derive(Clone, Debug)]
pub enum Script {
    /// For each leaf, one letter a call, the last one again and again: S, F, R, or a digit: runs and sleeps so long.
    Letters(Vec<Vec<u8>>),
    /// Anything, by a seed.
    Chance(u64),
}

impl Script {
    /// What a task says at its `call`th tick: how it stands, and how many ticks it sleeps.
    pub fn task(&self, leaf: u8, call: u32, tick: u64) -> (Status, u64) {
        let letter = match self {
            Script::Letters(leaves) => {
                let letters = &leaves[usize::from(leaf)];
                letters.get(call as usize).or(letters.last()).copied().unwrap_or(b'S')
            }
            Script::Chance(_) => b"SSSFFFRRRR29"[self.draw(leaf, tick, 12) as usize],
        };
        match letter {
            b'S' => (Status::Success, 0),
            b'F' => (Status::Failure, 0),
            b'R' => (Status::Running, 1),
            digit => (Status::Running, u64::from(digit - b'0')),
        }
    }

    pub fn condition(&self, leaf: u8, call: u32, tick: u64) -> bool {
        match self {
            Script::Letters(_) => self.task(leaf, call, tick).0 == Status::Success,
            Script::Chance(_) => self.draw(leaf, tick, 3) > 0,
        }
    }

    pub fn score(&self, leaf: u8, tick: u64) -> f32 {
        match self {
            Script::Letters(_) => f32::from(leaf),
            Script::Chance(_) => match self.draw(leaf, tick, 5) {
                4 => f32::NAN,
                score => score as f32,
            },
        }
    }

    fn draw(&self, leaf: u8, tick: u64, below: u32) -> u32 {
        let Script::Chance(seed) = *self else { return 0 };
        Streams { seed }.at(leaf.into(), Purpose::new("script"), Tick(tick)).below(below)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    Start(u8),
    /// A tick, and the how-manieth since the start: so it shows whether state is kept.
    Tick(u8, u32),
    Abort(u8, u32),
    Serve(u8, u32),
}

/// What happened.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    pub events: Vec<Event>,
    pub calls: [u32; LEAVES],
}

impl Notes {
    pub fn call(&mut self, leaf: u8) -> u32 {
        let calls = &mut self.calls[usize::from(leaf)];
        *calls += 1;
        *calls - 1
    }
}

#[derive(Clone, Copy, Debug, Default, State)]
pub struct Count {
    pub ticks: u32,
}

pub struct Work;

impl Task<Stage> for Work {
    const NAME: &'static str = "work";
    type Params = u8;
    type State = Count;

    fn start(leaf: &u8, _: &mut Count, thought: &mut Thought<'_, Stage>) {
        thought.out.events.push(Event::Start(*leaf));
    }

    fn tick(leaf: &u8, count: &mut Count, thought: &mut Thought<'_, Stage>) -> Status {
        count.ticks += 1;
        thought.out.events.push(Event::Tick(*leaf, count.ticks));
        let call = thought.out.call(*leaf);
        let (status, sleep) = thought.view.task(*leaf, call, thought.tick.0);
        if sleep > 1 {
            thought.sleep_until(thought.tick + sleep);
        }
        status
    }

    fn abort(leaf: &u8, count: &mut Count, thought: &mut Thought<'_, Stage>) {
        thought.out.events.push(Event::Abort(*leaf, count.ticks));
    }
}

pub struct Ask;

impl Condition<Stage> for Ask {
    const NAME: &'static str = "ask";
    type Params = u8;

    fn check(leaf: &u8, thought: &Thought<'_, Stage>) -> ConditionResult {
        // Conditions change nothing, so that calls are not counted: a table gives them one letter.
        thought.view.condition(*leaf, 0, thought.tick.0).into()
    }
}

pub struct Worth;

impl Score<Stage> for Worth {
    const NAME: &'static str = "worth";
    type Params = u8;

    fn score(leaf: &u8, thought: &Thought<'_, Stage>) -> f32 {
        thought.view.score(*leaf, thought.tick.0)
    }
}

pub struct Serve;

impl Service<Stage> for Serve {
    const NAME: &'static str = "serve";
    type Params = u8;
    type State = Count;

    fn run(leaf: &u8, count: &mut Count, thought: &mut Thought<'_, Stage>) {
        count.ticks += 1;
        thought.out.events.push(Event::Serve(*leaf, count.ticks));
    }
}

/// The key that t is compared with, behind those.
pub const LIMIT: (&str, Scope) = ("limit", Scope::Team);

pub fn keys() -> Keys {
    let spec = |(number, (name, scope)): (u8, (&str, Scope))| {
        let kind = value(number, true).kind();
        KeySpec { name: name.to_owned(), kind, scope, falls_through: false }
    };
    let limit = KeySpec::new::<i32>(LIMIT.0, LIMIT.1);
    Keys::build((0..).zip(KEYS).map(spec).chain([limit])).unwrap()
}

/// What makes the test of a key hold, and what does not.
pub fn value(key: u8, holds: bool) -> Value {
    match key {
        1 => Value::Float(if holds { 0.25 } else { 0.75 }),
        2 => Value::FilePosition(Vec3::new(if holds { 0.5 } else { 5.0 }, 0.0, 0.0)),
        3 => Value::Int(if holds { 2 } else { 1 }),
        _ => Value::Bool(holds),
    }
}

/// The test of a key.
pub fn test(key: u8, keys: &[AnyKey]) -> Test {
    let at = keys[usize::from(key)];
    let compare = |how, with| Test::Compare { key: at, how, with };
    match key {
        1 => compare(Comparison::Less, AnyBind::Literal(Value::Float(0.5))),
        2 => Test::IsAt { here: at.typed().unwrap(), place: Bind::Literal(Vec3::ZERO), within_m: 1.0 },
        3 => compare(Comparison::AtLeast, AnyBind::Key(keys[KEYS.len()])),
        _ => compare(Comparison::Equal, AnyBind::Literal(Value::Bool(true))),
    }
}

/// The boards, the block and the notes of one agent.
#[derive(Clone)]
pub struct Actor {
    pub keys: Vec<AnyKey>,
    pub own: Blackboard,
    pub team: Blackboard,
    pub world: Blackboard,
    pub state: TreeState,
    pub notes: Notes,
    pub why: WhyLog<Why>,
    pub tick: u64,
    pub seed: u64,
}

impl Actor {
    pub fn new(seed: u64) -> Actor {
        let table = keys();
        let board = Blackboard::new(&table);
        let mut team = board.clone();
        team.set(table.key(LIMIT.0).unwrap(), 2);
        Actor {
            keys: KEYS.iter().chain([&LIMIT]).map(|(name, _)| table.any(name).unwrap()).collect(),
            own: board.clone(),
            team,
            world: board,
            state: TreeState::default(),
            notes: Notes::default(),
            why: WhyLog::default(),
            tick: 0,
            seed,
        }
    }

    /// Makes the test of a key hold or not, on the board it belongs to.
    pub fn set(&mut self, key: u8, holds: bool) {
        self.put(key, value(key, holds));
    }

    /// Sets a key on the board it belongs to.
    pub fn put(&mut self, key: u8, value: Value) {
        let place = usize::from(key);
        let board = match KEYS[place].1 {
            Scope::Own => &mut self.own,
            Scope::Team => &mut self.team,
            Scope::World => &mut self.world,
        };
        board.put(self.keys[place], Some(value));
    }

    pub fn with<T>(&mut self, script: &Script, act: impl FnOnce(&mut TreeState, &mut Thought<'_, Stage>) -> T) -> T {
        let board = Board { own: &mut self.own, team: &self.team, world: &self.world };
        let (agent, rate, streams) = (AgentId::from_bits(1), TickRate::new(1), Streams { seed: self.seed });
        let thinker = Thinker { agent, tick: Tick(self.tick), rate, streams };
        let mut thought = Thought::new(thinker, script, board, Sinks { out: &mut self.notes, why: &mut self.why });
        act(&mut self.state, &mut thought)
    }

    /// A tick; what was set on shared boards arrives after it.
    pub fn step(&mut self, tree: &Tree<Stage>, script: &Script) -> Status {
        let status = self.with(script, |state, thought| tree.tick(state, thought));
        self.own.deliver(&mut self.team, &mut self.world);
        self.tick += 1;
        status
    }
}
