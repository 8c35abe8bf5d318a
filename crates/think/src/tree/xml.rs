//! Trees to and from the XML of BehaviorTree.CPP (version 4, and the nodes it shares with version 3), so that trees drawn
//! in its editors can be used here, and ours there.
//!
//! | XML | file |
//! |---|---|
//! | `Sequence`, `Fallback`, `ReactiveSequence`, `ReactiveFallback`, `Parallel` | `sequence`, `selector`, … |
//! | `Inverter`, `ForceSuccess`, `ForceFailure`, `KeepRunningUntilFailure` | `invert`, `force_success`, …; `invert: until_failure` |
//! | `Repeat`, `RetryUntilSuccessful` | `repeat` or `loop`; `catch` or `until_success` |
//! | `Timeout`, `Delay`, `Sleep` | `time_limit`, `delay`, `wait` |
//! | `AlwaysSuccess`, `AlwaysFailure`, `SetBlackboard`, `UnsetBlackboard` | `succeed`, `fail`, `set`, `clear` |
//! | `ScriptCondition` with one comparison | `test` |
//! | `SubTree` with its ports | `subtree` with `ports` |
//! | `Action`, `Condition`, and nodes of the game's own | `task`, `check` |
//! | `RunOnce` | a key of its own that says that it was done; in: only |
//! | `Sequence` or `ReactiveSequence` with a condition first | `if`, `when`; out: only |
//!
//! Whether a node of the game's own is a condition says its `TreeNodesModel`; without one it counts as a task. A value
//! `{name}` is the key `$name`, in lower case; the kind of a key comes from the model's port, a value it gets or a port it
//! goes through, else it is a symbol. A subtree there has a blackboard of its own: what is no port of it becomes a key with
//! the subtree's name before its own, unless `_autoremap` says that it is the one outside. Scripts, preconditions and what
//! else has no counterpart are refused, with the place and what to write instead.
//!
//! Named conditions, and tests put together by `not`, `all` and `any`, are refused on the way out, with their place.
//!
//! On the way out an observer (`when` with `aborts`) becomes a `ReactiveSequence`, and its selector a `ReactiveFallback`.
//! One difference remains: there a branch that failed is tried again in the next tick while its condition holds; here it
//! waits for a change. The kinds of keys are lost, but for those of ports, which are in the model.

mod export;
mod import;

pub use export::export;
pub use import::import;

/// What a comparison may be, in scripts there as in tests here; longer ones first, so that they are found.
const COMPARISONS: [&str; 6] = ["==", "!=", "<=", ">=", "<", ">"];

/// Names of types of ports there, and the kinds they are here. The first of a kind is the one that is written.
const TYPES: [(&str, &str); 16] = [
    ("bool", "bool"),
    ("int", "int"),
    ("unsigned", "int"),
    ("int32_t", "int"),
    ("int64_t", "long"),
    ("double", "float"),
    ("float", "float"),
    ("std::string", "symbol"),
    ("string", "symbol"),
    ("place", "place"),
    ("agent", "agent"),
    ("tick", "tick"),
    ("long", "long"),
    ("symbol", "symbol"),
    ("uint32_t", "int"),
    ("uint8_t", "int"),
];
