//! Clauses: what must hold before a brain takes a transition, a branch, an option or a rule.
//!
//! A clause is a test of boards, a condition of the game's own, or made of others by *all*, *any* and *not*. In files:
//!
//! ```yaml
//! when: {set: $enemy}                                  # a test
//! when: {check: is_near, with: {range_m: 5}}           # a condition of the game's own
//! when: [{set: $enemy}, {not: {set: $alarm}}]          # a list means all of them
//! when: {any: [{key: $ammo, "==": 0}, $jammed]}         # a yes-or-no key alone means that it says yes
//! ```
//!
//! Asking costs no more than the parts that are looked at: *all* stops at the first that does not hold, *any* at the first
//! that does. Nothing is allocated.

use sentir_asset::{Node, Refusal, Value};

use crate::file::read_test;
use crate::leaf::{ConditionLeaf, ConditionResult, Host};
use crate::registry::Leaves;
use crate::test::Test;
use crate::thought::Thought;
use crate::why::Cause;

/// Something that holds or not.
#[derive(Debug, Default)]
pub enum Clause<H: Host> {
    /// Holds.
    #[default]
    Always,
    /// A test of boards.
    Test(Test),
    /// A condition of the game's own.
    Check(ConditionLeaf<H>),
    /// Holds when the other does not.
    Not(Box<Clause<H>>),
    /// Holds when all do.
    All(Vec<Clause<H>>),
    /// Holds when one does.
    Any(Vec<Clause<H>>),
}

// By hand, because a derive would ask the same of `H`.
impl<H: Host> Clone for Clause<H> {
    fn clone(&self) -> Self {
        match self {
            Clause::Always => Clause::Always,
            Clause::Test(test) => Clause::Test(test.clone()),
            Clause::Check(leaf) => Clause::Check(leaf.clone()),
            Clause::Not(inner) => Clause::Not(inner.clone()),
            Clause::All(parts) => Clause::All(parts.clone()),
            Clause::Any(parts) => Clause::Any(parts.clone()),
        }
    }
}

impl<H: Host> Clause<H> {
    /// Reads a clause of a resolved file.
    pub fn read(node: &Node, leaves: &Leaves<H>) -> Result<Clause<H>, Refusal> {
        let several = |node: &Node| -> Result<Vec<Clause<H>>, Refusal> {
            node.list()?.iter().map(|one| Clause::read(one, leaves)).collect()
        };
        if let Value::List(_) = node.value {
            return several(node).map(Clause::All);
        }
        if let Value::Text(_) = node.value {
            return read_test(node).map(Clause::Test);
        }
        if let Some(name) = node.find("check") {
            node.allow(&["check", "with"])?;
            return leaves.bind_condition(name, &with(node)).map(Clause::Check);
        }
        for key in ["not", "all", "any"] {
            if let Some(inner) = node.find(key) {
                node.allow(&[key])?;
                return Ok(match key {
                    "not" => Clause::Not(Box::new(Clause::read(inner, leaves)?)),
                    "all" => Clause::All(several(inner)?),
                    _ => Clause::Any(several(inner)?),
                });
            }
        }
        if let Some(first) = node.map()?.first()
            && !["set", "unset", "key", "at"].iter().any(|form| node.find(form).is_some())
        {
            let forms = ["check", "set", "unset", "key", "at", "not", "all", "any"];
            return Err(Refusal::unknown(first.place, "condition", &first.key, forms));
        }
        read_test(node).map(Clause::Test)
    }

    /// Reads the clause of a key that may be missing, which means always.
    pub fn read_optional(node: Option<&Node>, leaves: &Leaves<H>) -> Result<Clause<H>, Refusal> {
        node.map_or(Ok(Clause::Always), |node| Clause::read(node, leaves))
    }

    /// Whether nothing can make it false.
    pub fn is_always(&self) -> bool {
        match self {
            Clause::Always => true,
            Clause::All(parts) => parts.iter().all(Clause::is_always),
            Clause::Any(parts) => parts.iter().any(Clause::is_always),
            _ => false,
        }
    }

    /// Whether it holds now.
    pub fn holds(&self, thought: &Thought<'_, H>) -> bool {
        match self {
            Clause::Always => true,
            Clause::Test(test) => test.holds(&thought.board),
            Clause::Check(leaf) => leaf.check(thought).held,
            Clause::Not(inner) => !inner.holds(thought),
            Clause::All(parts) => parts.iter().all(|part| part.holds(thought)),
            Clause::Any(parts) => parts.iter().any(|part| part.holds(thought)),
        }
    }

    /// What decided: the first part that made it hold or not, and the value it found.
    pub fn cause(&self, thought: &Thought<'_, H>) -> Cause {
        let held = self.holds(thought);
        match self {
            Clause::Always => Cause::ConditionResult(ConditionResult::from(true)),
            Clause::Test(test) => test.cause(&thought.board),
            Clause::Check(leaf) => Cause::ConditionResult(leaf.check(thought)),
            Clause::Not(inner) => inner.cause(thought),
            Clause::All(parts) | Clause::Any(parts) => {
                let decisive = parts.iter().find(|part| part.holds(thought) == held);
                decisive.map_or(Cause::ConditionResult(ConditionResult::from(held)), |part| part.cause(thought))
            }
        }
    }
}

/// The parameters of a leaf: what stands under `with`, or no keys at all.
pub(crate) fn with(node: &Node) -> Node {
    let none = || Node { place: node.place, value: Value::Map(Vec::new()) };
    node.find("with").cloned().unwrap_or_else(none)
}
