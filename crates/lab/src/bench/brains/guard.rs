//! A guard whose brain has something to do: tasks that run and end, and a world that changes now and then.

use sentir::prelude::*;
use sentir::think::board::Blackboard;
use sentir::think::key::{Key, Keys};
use sentir::think::leaf::{Host, Status, Task};
use sentir::think::registry::Leaves;
use sentir::think::thought::Thought;

/// A game in which tasks only take their time.
pub(super) struct Guarded;

impl Host for Guarded {
    type View<'a> = ();
    /// Ticks of tasks.
    type Out = u64;
}

#[derive(serde::Deserialize)]
struct ActParams {
    for_s: Option<f32>,
    clears: Option<Key<bool>>,
    forgets: Option<Key<bool>>,
}

struct Act;

impl Task<Guarded> for Act {
    const NAME: &'static str = "act";
    type Params = ActParams;
    type State = Tick;

    fn start(params: &ActParams, since: &mut Tick, thought: &mut Thought<'_, Guarded>) {
        *since = thought.tick;
        if let Some(key) = params.forgets {
            thought.board.write(key, false);
        }
    }

    fn tick(params: &ActParams, since: &mut Tick, thought: &mut Thought<'_, Guarded>) -> Status {
        *thought.out += 1;
        if params.for_s.is_none_or(|seconds| thought.tick.since(*since) < thought.rate.ticks(seconds)) {
            return Status::Running;
        }
        if let Some(key) = params.clears {
            thought.board.write(key, false);
        }
        Status::Success
    }
}

#[derive(serde::Deserialize)]
struct PatrolParams {
    leg: Key<i32>,
    for_s: f32,
}

struct Patrol;

impl Task<Guarded> for Patrol {
    const NAME: &'static str = "patrol";
    type Params = PatrolParams;
    type State = Tick;

    fn start(_: &PatrolParams, since: &mut Tick, thought: &mut Thought<'_, Guarded>) {
        *since = thought.tick;
    }

    fn tick(params: &PatrolParams, since: &mut Tick, thought: &mut Thought<'_, Guarded>) -> Status {
        *thought.out += 1;
        if thought.tick.since(*since) >= thought.rate.ticks(params.for_s) {
            *since = thought.tick;
            let leg = thought.board.read(params.leg).unwrap_or(0);
            thought.board.write(params.leg, 1 - leg);
        }
        Status::Running
    }
}

pub(super) fn leaves() -> Leaves<Guarded> {
    let mut leaves = Leaves::default();
    leaves.task::<Act>().task::<Patrol>();
    leaves
}

/// What happens to guards: each hears something every 4 s, is called every 7 s, sees somebody every 13 s for a second, and is
/// badly hurt every 29 s for a second. Not all at once.
pub(super) struct Events {
    yes_or_no: [(Key<bool>, u64); 3],
    health: Key<f32>,
    nerve: Key<f32>,
}

/// Ticks of a second.
const SECOND: u64 = 10;

impl Events {
    /// None when the brain has other keys.
    pub(super) fn new(keys: &Keys) -> Option<Events> {
        let key = |name: &str| keys.key::<bool>(name).ok();
        let yes_or_no = [(key("heard")?, 4 * SECOND), (key("phone")?, 7 * SECOND), (key("seen")?, 13 * SECOND)];
        Some(Events { yes_or_no, health: keys.key("health").ok()?, nerve: keys.key("nerve").ok()? })
    }

    pub(super) fn begin(&self, board: &mut Blackboard) {
        for (key, _) in self.yes_or_no {
            board.set(key, false);
        }
        board.set(self.health, 1.0);
        board.set(self.nerve, 0.3);
    }

    /// What happens to a guard in that tick.
    pub(super) fn happen(&self, number: u64, tick: u64, board: &mut Blackboard) {
        let moment = tick + number.wrapping_mul(7919);
        for (key, period) in self.yes_or_no {
            if moment.is_multiple_of(period) {
                board.set(key, true);
            }
        }
        let (seen, period) = self.yes_or_no[2];
        if moment % period == SECOND {
            board.set(seen, false);
        }
        match moment % (29 * SECOND) {
            0 => board.set(self.health, 0.1),
            SECOND => board.set(self.health, 1.0),
            _ => {}
        }
    }
}
