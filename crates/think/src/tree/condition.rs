//! Named conditions: yes-or-no keys that the tree itself keeps, so that what a brain decides by stands once, under a name,
//! in its file.
//!
//! ```yaml
//! conditions:
//!   low: {key: $magazine, "<": 0.4}                             # holds while its test does
//!   hides: {when: [$low, $watched], keep: {key: $magazine, "<": 1}} # once it holds, `keep` is enough
//!   sure: {when: $sees_target, after: 0.5}                      # holds when it has done so for so long, s
//! ```
//!
//! They are asked at the start of each tick, in order, before the observers; what they say is on the own board, and so a
//! change of it is news like any other. A condition may read those above it. With nothing changed and no time gone,
//! asking again changes nothing: `when || before && keep`. So a tree that waits need not ask.
//!
//! What is remembered is the key itself, and for `after` a word of the tree's block: since when.

use sentir_asset::{Entry, FilePosition, Node, Problem, Refusal, Value};

use super::run::Run;
use crate::board::Board;
use crate::file::{Ports, read_test, resolve, with_keys};
use crate::key::{AnyKey, Bind, Key, Keys};
use crate::leaf::Host;
use crate::test::{Finding, Test};
use crate::value::Kind;
use crate::why::Cause;

/// A named condition as it is authored.
#[derive(Clone, Debug, PartialEq)]
pub struct ConditionSpec {
    /// Its name, which is its key's.
    pub name: String,
    /// Where its answer is kept: an own key that nothing else writes.
    pub key: Key<bool>,
    /// What makes it hold.
    pub when: Test,
    /// What is enough for it to go on holding; none: nothing is but `when`.
    pub keep: Option<Test>,
    /// How long that must have been so before the key says yes, s; a key without a value is never long enough.
    pub after_s: Option<Bind<f32>>,
    /// Where it stands in its file.
    pub place: FilePosition,
}

impl ConditionSpec {
    /// A condition that holds while a test does.
    pub fn new(name: &str, key: Key<bool>, when: Test) -> ConditionSpec {
        ConditionSpec { name: name.to_owned(), key, when, keep: None, after_s: None, place: FilePosition::default() }
    }

    /// Shows each key it reads.
    pub(crate) fn each_key(&self, show: &mut dyn FnMut(AnyKey)) {
        self.when.each_key(show);
        if let Some(keep) = &self.keep {
            keep.each_key(show);
        }
        if let Some(Bind::Key(after)) = self.after_s {
            show(after.any());
        }
    }
}

/// A condition that reads one which is not asked before it, and that one's name.
pub(crate) fn too_early(conditions: &[ConditionSpec]) -> Option<(&ConditionSpec, &str)> {
    conditions.iter().enumerate().find_map(|(place, spec)| {
        let mut early = None;
        let not_yet = &conditions[place..];
        spec.each_key(&mut |key| early = early.or(not_yet.iter().find(|one| one.key.any() == key)));
        early.map(|one| (spec, one.name.as_str()))
    })
}

/// Reads what stands under `conditions`: a test, or `{when: …, keep: …, after: seconds}`, under a name, which becomes an own
/// key. Gives the keys with those.
pub(crate) fn read_conditions(node: &Node, keys: &Keys, read: &mut Vec<ConditionSpec>) -> Result<Keys, Refusal> {
    let kind = || Node::new(Value::Text(Kind::Bool.name().to_owned()));
    let declared = |entry: &Entry| Entry { key: entry.key.clone(), place: entry.place, node: kind() };
    let declared = Value::Map(node.map()?.iter().map(declared).collect());
    let keys = with_keys(keys, &Node { place: node.place, value: declared })?;
    for entry in node.map()? {
        if read.iter().any(|one| one.name == entry.key) {
            return Err(Refusal::new(entry.place, Problem::Twice { what: "conditions", name: entry.key.clone() }));
        }
        let key = keys.key(&entry.key).map_err(|error| Refusal::wrong(entry.place, error.to_string()))?;
        let body = resolve(&entry.node, &keys, &Ports::new())?;
        let mut spec =
            ConditionSpec { place: entry.place, ..ConditionSpec::new(&entry.key, key, Test::All(Vec::new())) };
        spec.when = match body.find("when") {
            None => read_test(&body)?,
            Some(when) => {
                body.allow(&["when", "keep", "after"])?;
                spec.keep = body.find("keep").map(read_test).transpose()?;
                spec.after_s = body.find("after").map(read_after).transpose()?;
                read_test(when)?
            }
        };
        read.push(spec);
    }
    match too_early(read) {
        None => Ok(keys),
        Some((spec, other)) => {
            let sentence = format!("`{}` reads `{other}`, which is asked after it: expected that above it", spec.name);
            Err(Refusal::wrong(spec.place, sentence))
        }
    }
}

fn read_after(node: &Node) -> Result<Bind<f32>, Refusal> {
    let after: Bind<f32> = node.read()?;
    match after {
        Bind::Literal(seconds) if !(0.0..=1.0e6).contains(&seconds) => Err(node.expected("seconds, 0 to 1 000 000")),
        after => Ok(after),
    }
}

/// A named condition of a built tree.
pub(crate) struct TreeCondition {
    pub(crate) spec: ConditionSpec,
    /// Its word in the block, if it has an `after`: the tick after the one since which it would hold; 0 if it would not.
    pub(crate) word: Option<u32>,
}

impl TreeCondition {
    /// Whether `when` holds, or `keep` does for one that held `before`.
    fn would_hold(&self, before: bool, board: &Board<'_>) -> bool {
        let is_kept = || before && self.spec.keep.as_ref().is_some_and(|keep| keep.holds(board));
        self.spec.when.holds(board) || is_kept()
    }

    /// The test that made it say what it says; none if the board has changed since, or its time has not come.
    fn decisive(&self, said: bool, board: &Board<'_>) -> Option<&Test> {
        let Self { spec: ConditionSpec { when, keep, .. }, .. } = self;
        match said {
            true if when.holds(board) => Some(when),
            true => keep.as_ref().filter(|keep| keep.holds(board)),
            false => Some(when).filter(|when| !when.holds(board)),
        }
    }
}

impl<H: Host> Run<'_, '_, H> {
    /// Asks the named conditions, in order.
    pub(super) fn judge(&mut self) {
        let (tree, now) = (self.tree, self.thought.tick.0);
        for condition in &tree.conditions {
            let key = condition.spec.key;
            let board = &self.thought.board;
            let Some(word) = condition.word.map(|word| word as usize) else {
                let holds = condition.would_hold(board.read(key) == Some(true), board);
                self.thought.board.write(key, holds);
                continue;
            };
            let before = self.state.words[word];
            let since = match condition.would_hold(before != 0, board) {
                true if before == 0 => now.saturating_add(1),
                true => before,
                false => 0,
            };
            let after_s = condition.spec.after_s.as_ref().and_then(|after| after.read(board));
            let wait = after_s.map(|after_s| self.thought.rate.ticks(after_s));
            let due = wait.filter(|_| since != 0).map(|wait| (since - 1).saturating_add(wait));
            self.state.words[word] = since;
            self.thought.board.write(key, due.is_some_and(|due| now >= due));
            if let Some(due) = due.filter(|&due| now < due) {
                self.due(due);
            }
        }
    }

    /// What decided a test; a named condition is told by what decided that.
    pub(super) fn cause(&self, test: &Test) -> Cause {
        let board = &self.thought.board;
        let Some(mut finding) = test.finding(board) else { return test.cause(board) };
        while let Some(deeper) = self.behind(&finding) {
            finding = deeper;
        }
        Cause::Finding(finding)
    }

    /// What stands behind a finding about a named condition. Conditions read only those above them, so this comes to an end.
    fn behind(&self, finding: &Finding) -> Option<Finding> {
        let condition = self.tree.conditions.iter().find(|one| one.spec.key.any() == finding.key)?;
        let (board, wanted) = (&self.thought.board, finding.wanted.answer()?);
        let said = board.read(condition.spec.key).unwrap_or(false);
        condition.decisive(said, board)?.found(board, wanted)
    }
}
