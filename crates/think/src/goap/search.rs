//! The search of a plan: A* backward from the goal, over needs.
//!
//! A node is a need: the situations from which the actions after it lead to the goal. Going back through an action frees
//! what it sets and adds what it needs; a need that allows no more than the one it came from is no progress and is
//! dropped. The search ends at the first need taken from the open list that the situation meets. Two estimates, both from
//! one pass over the actions before the search, hold it together (the greater one counts):
//! - the cost of the dearest unmet value when all others are free (Haslum & Geffner's h max), which also finds values that
//!   nothing can bring about;
//! - the sum over the unmet variables of the way each has to go on its own, with every action's cost shared out among the
//!   variables it changes (a cost partition, Katz & Domshlak), which sees that independent wants add up.
//!
//! Neither ever says too much, so the plan is a cheapest one. An expansion costs O(actions that change something needed);
//! one that is reached again at less cost is opened again. Warm, nothing is allocated.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::repertoire::{Parts, Repertoire, Turn};
use super::{ACTIONS_MAX, STEPS_MAX};
use crate::situation::{BITS_MAX, Need, Situation, VariableId, Variables, filled};

/// Most needs a search may hold, whatever it may expand: some 20 MB.
pub const NODES_MAX: usize = 1 << 18;

/// A cost above all others: cannot be brought about.
const NEVER: u32 = u32::MAX;
/// No parent.
const ROOT: u32 = u32::MAX;

/// What became of the search for a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Planned {
    /// There is a plan; its actions are in [`PlanScratch::steps`]. None are needed when the goal holds already.
    Found {
        /// The sum of the actions' costs, thousandths.
        cost: u32,
    },
    /// Nothing these actions can do leads to the goal.
    NoPlan,
    /// The allowed expansions or the room for needs were used up, or the plan has too many steps.
    OutOfBudget,
}

#[derive(Clone, Copy, Debug)]
struct NodeRow {
    cost: u32,
    parent: u32,
    action: u32,
    is_closed: bool,
}

/// Memory of the search, kept between searches; what it holds never changes a result.
#[derive(Clone, Debug, Default)]
pub struct PlanScratch {
    nodes: Vec<NodeRow>,
    /// The needs of the nodes, one after the other.
    needs: Vec<u64>,
    /// Least estimate first, then the farther from the goal, then the earlier.
    open: BinaryHeap<Reverse<(u32, u32, u32)>>,
    /// Open addressing: which search wrote the slot, and its node.
    slots: Vec<(u32, u32)>,
    stamp: u32,
    /// By value: least cost with all others free.
    alone: Vec<u32>,
    /// By value: least shared cost on its variable's own way.
    share: Vec<u32>,
    steps: Vec<u16>,
    expansions: u32,
}

impl PlanScratch {
    /// The actions of the plan found last, first one first, by number.
    pub fn steps(&self) -> &[u16] {
        &self.steps
    }

    /// Needs expanded by the search made last: its nominal work.
    pub fn expansions(&self) -> u32 {
        self.expansions
    }

    /// Whether a value that a need allows of a variable could come about in the search made last, with all others free.
    pub(super) fn is_reachable(&self, table: &Variables, need: &Need, id: VariableId) -> bool {
        let variable = table.variable(id);
        let from = usize::from(variable.word) * 64 + usize::from(variable.shift);
        let allowed = table.allowed(need, id);
        (0..usize::from(variable.width))
            .any(|code| allowed >> code & 1 == 1 && self.alone.get(from + code) != Some(&NEVER))
    }
}

/// Searches for a cheapest plan from a situation to a goal, with at most so many expansions. `costs` are those of the
/// actions now, in thousandths; an action without one, or with `u32::MAX`, is not used.
pub fn plan(
    repertoire: &Repertoire,
    costs: &[u32],
    start: &Situation,
    goal: &Need,
    expansions_max: u32,
    scratch: &mut PlanScratch,
) -> Planned {
    scratch.begin();
    reach(repertoire, costs, start, scratch);
    match repertoire.table.used {
        1 => search::<1>(repertoire, costs, start, goal, expansions_max, scratch),
        2 => search::<2>(repertoire, costs, start, goal, expansions_max, scratch),
        _ => search::<4>(repertoire, costs, start, goal, expansions_max, scratch),
    }
}

impl PlanScratch {
    fn begin(&mut self) {
        self.nodes.clear();
        self.needs.clear();
        self.open.clear();
        self.steps.clear();
        self.expansions = 0;
        if self.slots.is_empty() {
            self.slots.resize(256, (0, 0));
        }
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.slots.fill((0, 0));
            self.stamp = 1;
        }
    }

    #[inline]
    fn need<const W: usize>(&self, node: usize) -> [u64; W] {
        let mut need = [0; W];
        need.copy_from_slice(&self.needs[node * W..node * W + W]);
        need
    }

    /// The slot of a need: of its node, or free.
    #[inline]
    fn slot<const W: usize>(&self, need: &[u64; W]) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = mixed(need) & mask;
        loop {
            let (stamp, node) = self.slots[at];
            if stamp != self.stamp || self.need::<W>(node as usize) == *need {
                return at;
            }
            at = (at + 1) & mask;
        }
    }

    /// Adds a node, or gives one that is known a cheaper way. Nothing when it is known at this cost or less.
    #[inline]
    fn reach_node<const W: usize>(&mut self, need: &[u64; W], row: NodeRow, estimate: u32) {
        let slot = self.slot(need);
        let (stamp, known) = self.slots[slot];
        let node = if stamp == self.stamp {
            if self.nodes[known as usize].cost <= row.cost {
                return;
            }
            self.nodes[known as usize] = row;
            known
        } else {
            // Limited by NODES_MAX.
            let node = self.nodes.len() as u32;
            self.nodes.push(row);
            self.needs.extend_from_slice(need);
            self.slots[slot] = (self.stamp, node);
            if self.nodes.len() * 2 > self.slots.len() {
                self.grow::<W>();
            }
            node
        };
        self.open.push(Reverse((row.cost.saturating_add(estimate), NEVER - row.cost, node)));
    }

    fn grow<const W: usize>(&mut self) {
        let size = self.slots.len() * 2;
        self.slots.clear();
        self.slots.resize(size, (0, 0));
        for node in 0..self.nodes.len() {
            let mask = size - 1;
            let mut at = mixed(&self.need::<W>(node)) & mask;
            while self.slots[at].0 == self.stamp {
                at = (at + 1) & mask;
            }
            self.slots[at] = (self.stamp, node as u32);
        }
    }
}

#[inline]
fn mixed<const W: usize>(need: &[u64; W]) -> usize {
    let mut hash = 0u64;
    for word in need {
        hash = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^= hash >> 29;
    }
    (hash >> 7) as usize
}

fn search<const W: usize>(
    repertoire: &Repertoire,
    costs: &[u32],
    start: &Situation,
    goal: &Need,
    expansions_max: u32,
    scratch: &mut PlanScratch,
) -> Planned {
    let table = &repertoire.table;
    let goal: [u64; W] = std::array::from_fn(|word| goal.words[word]);
    let here: [u64; W] = std::array::from_fn(|word| start.words[word]);
    let Some(estimate) = estimate(table, &repertoire.owner, &here, &goal, scratch) else { return Planned::NoPlan };
    scratch.reach_node(&goal, NodeRow { cost: 0, parent: ROOT, action: 0, is_closed: false }, estimate);
    while let Some(Reverse((_, far, node))) = scratch.open.pop() {
        let row = &mut scratch.nodes[node as usize];
        if row.is_closed || NEVER - far != row.cost {
            continue;
        }
        let cost = row.cost;
        let need = scratch.need::<W>(node as usize);
        if (0..W).all(|word| here[word] & !need[word] == 0) {
            return finish(node, cost, scratch);
        }
        if scratch.expansions == expansions_max || scratch.nodes.len() + ACTIONS_MAX > NODES_MAX {
            return Planned::OutOfBudget;
        }
        scratch.expansions += 1;
        scratch.nodes[node as usize].is_closed = true;
        expand(&Options { repertoire, costs, here: &here }, &Expanded { need, node, cost }, scratch);
    }
    Planned::NoPlan
}

/// What a search may do, and where it leads from.
struct Options<'a, const W: usize> {
    repertoire: &'a Repertoire,
    /// By action.
    costs: &'a [u32],
    here: &'a [u64; W],
}

/// A node of the search being expanded.
struct Expanded<const W: usize> {
    need: [u64; W],
    node: u32,
    /// What the plan from there on costs.
    cost: u32,
}

/// Goes back from a need through every action that changes something needed.
#[inline]
fn expand<const W: usize>(options: &Options<'_, W>, from: &Expanded<W>, scratch: &mut PlanScratch) {
    let (&Options { repertoire, costs, here }, Expanded { need, node, cost }) = (options, from);
    let table = &repertoire.table;
    let mut useful = [0u64; ACTIONS_MAX / 64];
    for (word, allowed) in need.iter().enumerate() {
        let (tops, rests) = (table.tops[word], table.rests[word]);
        let mut needed = filled((tops | rests) & !allowed, tops, rests);
        while needed != 0 {
            let owner = repertoire.owner[word * 64 + needed.trailing_zeros() as usize];
            needed &= needed - 1;
            for (all, more) in useful.iter_mut().zip(&repertoire.changers[usize::from(owner)]) {
                *all |= more;
            }
        }
    }
    for (word, mut useful) in useful.into_iter().enumerate() {
        while useful != 0 {
            let number = word * 64 + useful.trailing_zeros() as usize;
            useful &= useful - 1;
            let Some(&price) = costs.get(number).filter(|&&price| price != NEVER) else { continue };
            let Some(before) = regressed(repertoire, number, need) else { continue };
            let Some(estimate) = estimate(table, &repertoire.owner, here, &before, scratch) else { continue };
            let row =
                NodeRow { cost: cost.saturating_add(price), parent: *node, action: number as u32, is_closed: false };
            scratch.reach_node(&before, row, estimate);
        }
    }
}

/// What must hold before an action so that `need` holds after it; none when it spoils the need, when nothing could meet
/// what comes out, or when that is no progress.
#[inline]
fn regressed<const W: usize>(repertoire: &Repertoire, number: usize, need: &[u64; W]) -> Option<[u64; W]> {
    let row = &repertoire.rows[number];
    let mut spoiled = 0;
    for (allowed, value) in need.iter().zip(row.values) {
        spoiled |= value & !allowed;
    }
    if spoiled != 0 {
        return None;
    }
    let mut before: [u64; W] = std::array::from_fn(|word| need[word] | row.groups[word]);
    if row.is_moving {
        for one in &repertoire.actions[number].effects.moves {
            let word = &mut before[usize::from(one.word)];
            *word = one.backward(*word);
        }
    }
    let (mut fresh, mut empty) = (0, 0);
    for word in 0..W {
        before[word] &= row.need[word];
        fresh |= before[word] & !need[word];
        let tops = repertoire.table.tops[word];
        empty |= tops & !filled(before[word], tops, repertoire.table.rests[word]);
    }
    (fresh != 0 && empty == 0).then_some(before)
}

/// At least so much it costs to meet a need from here; none when it can never be met.
#[inline]
fn estimate<const W: usize>(
    table: &Variables,
    owner: &[u8],
    here: &[u64; W],
    need: &[u64; W],
    scratch: &PlanScratch,
) -> Option<u32> {
    let (mut dearest, mut sum) = (0u32, 0u32);
    for word in 0..W {
        let (tops, rests) = (table.tops[word], table.rests[word]);
        let mut unmet = tops & !filled(need[word] & here[word], tops, rests);
        while unmet != 0 {
            let top = unmet.trailing_zeros() as usize;
            unmet &= unmet - 1;
            let variable = &table.list()[usize::from(owner[word * 64 + top])];
            let mut allowed = need[word] & variable.group();
            let (mut alone, mut share) = (NEVER, NEVER);
            while allowed != 0 {
                let bit = word * 64 + allowed.trailing_zeros() as usize;
                allowed &= allowed - 1;
                alone = alone.min(scratch.alone[bit]);
                share = share.min(scratch.share[bit]);
            }
            if alone == NEVER || share == NEVER {
                return None;
            }
            dearest = dearest.max(alone);
            sum = sum.saturating_add(share);
        }
    }
    Some(dearest.max(sum))
}

/// Fills both estimates of every value, by going round the actions until nothing gets cheaper.
fn reach(repertoire: &Repertoire, costs: &[u32], start: &Situation, scratch: &mut PlanScratch) {
    for values in [&mut scratch.alone, &mut scratch.share] {
        values.clear();
        values.resize(BITS_MAX, NEVER);
        for (word, mut bits) in start.words.into_iter().enumerate() {
            while bits != 0 {
                values[word * 64 + bits.trailing_zeros() as usize] = 0;
                bits &= bits - 1;
            }
        }
    }
    // Every round but the last makes a value cheaper for good; a way through all values takes as many rounds.
    for _ in 0..=BITS_MAX {
        let mut is_settled = true;
        for (parts, &price) in repertoire.parts.iter().zip(costs) {
            if price != NEVER {
                is_settled &= !relax(parts, price, &mut scratch.alone, &mut scratch.share);
            }
        }
        if is_settled {
            break;
        }
    }
}

/// Lets one action make values cheaper. Whether it did.
fn relax(parts: &Parts, price: u32, alone: &mut [u32], share: &mut [u32]) -> bool {
    let least = |values: &[u32], word: u8, mut bits: u64| {
        let mut least = NEVER;
        while bits != 0 {
            least = least.min(values[usize::from(word) * 64 + bits.trailing_zeros() as usize]);
            bits &= bits - 1;
        }
        least
    };
    let mut base = 0;
    for part in &parts.conditions {
        base = base.max(least(alone, part.word, part.before));
    }
    if base == NEVER {
        return false;
    }
    let mut changed = false;
    let mut lower = |value: &mut u32, to: u32| {
        if to < *value {
            *value = to;
            changed = true;
        }
    };
    let part_price = price / parts.effects.len().max(1) as u32;
    for part in &parts.effects {
        match part.turn {
            Turn::Stay => {}
            Turn::To(bit) => {
                lower(&mut alone[usize::from(bit)], base.saturating_add(price));
                let from = least(share, part.word, part.before);
                lower(&mut share[usize::from(bit)], from.saturating_add(part_price));
            }
            Turn::By(by) => {
                let mut bits = part.before;
                while bits != 0 {
                    let from = usize::from(part.word) * 64 + bits.trailing_zeros() as usize;
                    bits &= bits - 1;
                    let to = from.wrapping_add_signed(by.into());
                    let reached = base.max(alone[from]).saturating_add(price);
                    lower(&mut alone[to], reached);
                    let reached = share[from].saturating_add(part_price);
                    lower(&mut share[to], reached);
                }
            }
        }
    }
    changed
}

fn finish(node: u32, cost: u32, scratch: &mut PlanScratch) -> Planned {
    let mut at = node as usize;
    while scratch.nodes[at].parent != ROOT {
        if scratch.steps.len() == STEPS_MAX {
            scratch.steps.clear();
            return Planned::OutOfBudget;
        }
        scratch.steps.push(scratch.nodes[at].action as u16);
        at = scratch.nodes[at].parent as usize;
    }
    Planned::Found { cost }
}
