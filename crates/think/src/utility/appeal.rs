//! Appeal: how much something is worth doing now, out of several considerations. Usable alone, by a selector of a tree as
//! well as by a brain of its own.
//!
//! Each consideration brings an input to 0..=1 and through a curve; all are multiplied, so any may forbid. A product of
//! many is smaller than each of them, which would punish those who consider much; after Mark's compensation the loss is
//! given back in part: p + (1 − p) · (1 − 1/n) · p for a product p of n. Cost: O(considerations); none are looked at after
//! one that forbids.

use sentir_asset::{FilePosition, Node, Refusal};
use sentir_core::math;
use sentir_core::random::Stream;

use super::curve::Curve;
use crate::clause::{Clause, with};
use crate::file::read_bind;
use crate::key::{AnyBind, Bind};
use crate::leaf::{ConditionResult, Host, Score, ScoreLeaf};
use crate::node::NodeId;
use crate::open::name_of;
use crate::registry::Leaves;
use crate::test::{Comparison, Finding, Wanted};
use crate::thought::Thought;
use crate::value::{Kind, Value};
use crate::why::{Cause, Why};

/// Where the input of a consideration comes from.
#[derive(Clone, Debug)]
pub enum Input<H: Host> {
    /// From a key, or written out. A missing value forbids.
    Key(Bind<f32>),
    /// From the game.
    Score(ScoreLeaf<H>),
    /// 1 when it holds, else 0.
    When(Clause<H>),
}

/// One thing to consider.
#[derive(Clone, Debug)]
pub struct Consideration<H: Host> {
    /// Its name.
    pub name: String,
    /// What is looked at.
    pub input: Input<H>,
    /// The input that counts as 0.
    pub from: f32,
    /// The input that counts as 1.
    pub to: f32,
    /// How much it matters.
    pub curve: Curve,
}

/// How much something is worth.
#[derive(Clone, Debug)]
pub struct Appeal<H: Host> {
    /// What the considerations are multiplied with; a key here is a trait of character. Negative and missing count as 0.
    pub weight: Bind<f32>,
    /// What is considered.
    pub considerations: Vec<Consideration<H>>,
}

impl<H: Host> Consideration<H> {
    /// How much it matters now, 0..=1.
    pub fn value(&self, thought: &Thought<'_, H>) -> f32 {
        let input = match &self.input {
            Input::Key(bind) => match bind.read(&thought.board) {
                Some(input) => input,
                None => return 0.0,
            },
            Input::Score(leaf) => leaf.score(thought),
            Input::When(clause) => return self.curve.at(f32::from(u8::from(clause.holds(thought)))),
        };
        self.curve.at((input - self.from) / (self.to - self.from))
    }

    /// Why it matters no more than `value`: the key it looks at, what stands there, and what would matter most.
    fn cause(&self, value: f32, thought: &Thought<'_, H>) -> Cause {
        match &self.input {
            Input::When(clause) if !clause.holds(thought) => clause.cause(thought),
            Input::Key(Bind::Key(key)) => {
                let found = thought.board.read(*key);
                let wanted = found.map_or(Wanted::Set, |found| {
                    let best = self.best();
                    let how = if found < best { Comparison::AtLeast } else { Comparison::AtMost };
                    Wanted::Compared { how, with: Some(Value::Float(best)) }
                });
                Cause::Finding(Finding { key: key.any(), value: found.map(Value::Float), wanted })
            }
            _ => Cause::ConditionResult(ConditionResult { held: false, value, limit: 1.0 }),
        }
    }

    /// The input that matters most, to a sixteenth of the range; the first of equals.
    fn best(&self) -> f32 {
        let mut best = (0.0, self.curve.at(0.0));
        for step in 1..=16 {
            let share = step as f32 / 16.0;
            let value = self.curve.at(share);
            if value > best.1 {
                best = (share, value);
            }
        }
        self.from + best.0 * (self.to - self.from)
    }

    fn read(node: &Node, leaves: &Leaves<H>) -> Result<Consideration<H>, Refusal> {
        node.allow(&["name", "input", "score", "with", "when", "from", "to", "curve"])?;
        let input = match (node.find("input"), node.find("score"), node.find("when")) {
            (Some(input), None, None) => Input::Key(read_number(input)?),
            (None, Some(score), None) => Input::Score(leaves.bind_score(score, &with(node))?),
            (None, None, Some(when)) => Input::When(Clause::read(when, leaves)?),
            _ => return Err(Refusal::wrong(node.place, "expected one of `input`, `score` and `when`")),
        };
        let number =
            |key: &str, otherwise: f32| node.find(key).map_or(Ok(otherwise), |node| node.number().map(|it| it as f32));
        let (from, to) = (number("from", 0.0)?, number("to", 1.0)?);
        if from == to {
            return Err(Refusal::wrong(
                node.place,
                format!("the input goes from {from} to {to}: expected two numbers"),
            ));
        }
        let curve: Curve = node.find("curve").map_or(Ok(Curve::default()), Node::read)?;
        if let Some(problem) = curve.problem() {
            return Err(Refusal::wrong(node.find("curve").map_or(node.place, |curve| curve.place), problem));
        }
        Ok(Consideration { name: name_of(node)?, input, from, to, curve })
    }
}

/// A number, or a key that holds one.
pub(crate) fn read_number(node: &Node) -> Result<Bind<f32>, Refusal> {
    match read_bind(node, Kind::Float)? {
        AnyBind::Literal(Value::Float(number)) => Ok(Bind::Literal(number)),
        AnyBind::Key(key) => key.typed().map(Bind::Key).ok_or_else(|| node.expected("a number")),
        AnyBind::Literal(_) => Err(node.expected("a number")),
    }
}

impl<H: Host> Appeal<H> {
    /// Reads `weight` and `considerations` of a resolved node.
    pub fn read(node: &Node, leaves: &Leaves<H>) -> Result<Appeal<H>, Refusal> {
        let weight = node.find("weight").map_or(Ok(Bind::Literal(1.0)), read_number)?;
        let considerations = match node.find("considerations") {
            None => Vec::new(),
            Some(list) => list.list()?.iter().map(|one| Consideration::read(one, leaves)).collect::<Result<_, _>>()?,
        };
        let names = considerations.iter().map(|one: &Consideration<H>| (one.name.as_str(), node.place));
        crate::open::refuse_twice("considerations", names)?;
        Ok(Appeal { weight, considerations })
    }

    /// How much it is worth now: 0 is not at all.
    pub fn score(&self, thought: &Thought<'_, H>) -> f32 {
        // A weight of NaN, which only code can write, is none.
        let Some(weight) = self.weight.read(&thought.board).filter(|&weight| weight > 0.0) else { return 0.0 };
        let mut product = 1.0;
        for one in &self.considerations {
            product *= one.value(thought);
            if product <= 0.0 {
                return 0.0;
            }
        }
        weight * compensated(product, self.considerations.len())
    }

    /// Says why it was not taken: its score against the one that was, and the consideration that weighed least.
    pub(crate) fn refuse(&self, node: NodeId, score: f32, best: f32, thought: &mut Thought<'_, H>) {
        if !thought.why.is_on() {
            return;
        }
        let least = self.considerations.iter().map(|one| (one.value(thought), one));
        let least = least.min_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((value, one)) = least {
            let node = consideration_id(node, &one.name);
            let cause = one.cause(value, thought);
            thought.because(|| Why::Refused { node, cause });
        }
        let cause = Cause::ConditionResult(ConditionResult { held: false, value: score, limit: best });
        thought.because(|| Why::Refused { node, cause });
    }
}

/// An appeal as a score, for a selector of a tree that goes by scores: what is worth nothing is not tried.
#[derive(Clone, Copy, Debug)]
pub struct Appraise;

impl<H: Host> Score<H> for Appraise {
    const NAME: &'static str = "appeal";
    type Params = Appeal<H>;

    fn score(appeal: &Appeal<H>, thought: &Thought<'_, H>) -> f32 {
        let score = appeal.score(thought);
        if score > 0.0 { score } else { f32::NEG_INFINITY }
    }

    fn refuse(appeal: &Appeal<H>, node: NodeId, score: f32, best: f32, thought: &mut Thought<'_, H>) {
        appeal.refuse(node, math::max(score, 0.0), math::max(best, 0.0), thought);
    }
}

/// The node of a consideration of an option.
pub fn consideration_id(option: NodeId, name: &str) -> NodeId {
    NodeId::derived(option, "consideration", name, 0)
}

/// A product of so many factors, with part of the loss given back.
pub fn compensated(product: f32, factors: usize) -> f32 {
    if factors < 2 {
        return product;
    }
    let share = 1.0 - 1.0 / factors as f32;
    product + (1.0 - product) * share * product
}

/// How to choose among scores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pick {
    /// The best; the first of equals.
    #[default]
    Best,
    /// Any of so many best, equally likely.
    Top(u32),
    /// Any of so many best, the likelier the better.
    Weighted(u32),
}

impl Pick {
    /// Reads `best`, `{top: 3}` or `{weighted: 3}`.
    pub fn read(node: Option<&Node>) -> Result<Pick, Refusal> {
        let Some(node) = node else { return Ok(Pick::Best) };
        if let Ok(text) = node.text() {
            return match text {
                "best" => Ok(Pick::Best),
                other => Err(Refusal::unknown(node.place, "way to pick", other, ["best", "top", "weighted"])),
            };
        }
        node.allow(&["top", "weighted"])?;
        let count = |key| crate::open::count_in(node, key, 1, SCORES_MAX as u32);
        match (node.find("top"), node.find("weighted")) {
            (Some(_), None) => count("top").map(Pick::Top),
            (None, Some(_)) => count("weighted").map(Pick::Weighted),
            _ => Err(node.expected("`best`, {top: 3} or {weighted: 3}")),
        }
    }

    /// The number among the best that still counts as good enough to go on with.
    pub(crate) fn breadth(self) -> usize {
        match self {
            Pick::Best => 1,
            Pick::Top(count) | Pick::Weighted(count) => count as usize,
        }
    }

    /// Picks one of the scores above 0; none when there is none. `random` is asked only when there is a choice.
    pub fn choose(self, scores: &[f32], random: impl FnOnce() -> Stream) -> Option<usize> {
        let mut order = [0u16; SCORES_MAX];
        let good = ranked(scores, &mut order);
        let top = &good[..good.len().min(self.breadth())];
        let first = usize::from(*top.first()?);
        match self {
            _ if top.len() == 1 => Some(first),
            Pick::Best => Some(first),
            Pick::Top(_) => random().pick(top).map(|&one| usize::from(one)),
            Pick::Weighted(_) => {
                let total = top.iter().fold(0.0, |sum, &one| sum + scores[usize::from(one)]);
                let mut left = random().unit() * total;
                for &one in top {
                    left -= scores[usize::from(one)];
                    if left < 0.0 {
                        return Some(one.into());
                    }
                }
                Some(first)
            }
        }
    }
}

/// Most scores that are compared at once.
pub const SCORES_MAX: usize = 64;

/// The numbers of the scores above 0, best first, then in order; those past the limit are left out.
pub(crate) fn ranked<'a>(scores: &[f32], order: &'a mut [u16; SCORES_MAX]) -> &'a [u16] {
    let mut count = 0;
    for (number, &score) in scores.iter().enumerate().take(SCORES_MAX) {
        // NaN fails the comparison.
        if score > 0.0 {
            order[count] = number as u16;
            count += 1;
        }
    }
    let good = &mut order[..count];
    good.sort_unstable_by(|&a, &b| scores[usize::from(b)].total_cmp(&scores[usize::from(a)]).then(a.cmp(&b)));
    good
}

/// The scores of several appeals, for a selector that tries its branches in that order. As many as both have room for.
pub fn scores<H: Host>(appeals: &[Appeal<H>], thought: &Thought<'_, H>, into: &mut [f32]) {
    for (score, appeal) in into.iter_mut().zip(appeals) {
        *score = math::max(appeal.score(thought), 0.0);
    }
}

/// Where an appeal made by code stands: nowhere.
pub(crate) const NOWHERE: FilePosition = FilePosition { line: 0, column: 0 };
