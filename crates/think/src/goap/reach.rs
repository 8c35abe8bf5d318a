//! What can never come about: at the door, so that a file that cannot work is refused; and at run time, as a reason.

use sentir_asset::Refusal;
use sentir_core::tick::Tick;

use super::brain::{GoalSpec, Goap, GoapScratch, GoapState, Price, StepSpec};
use super::repertoire::{Repertoire, Turn};
use super::search::PlanScratch;
use crate::key::Bind;
use crate::leaf::Host;
use crate::node::NodeId;
use crate::situation::{Facts, Need, Situation, VariableId};
use crate::test::{Finding, Wanted};
use crate::thought::Thought;
use crate::value::Value;
use crate::why::{Cause, Why};

/// A goal, and what it wants, compiled.
pub(super) struct GoalNeed<'a> {
    pub(super) spec: &'a GoalSpec,
    pub(super) wants: Need,
}

/// A goal that no plan leads to.
pub(super) struct Unreached<'a> {
    pub(super) goal: NodeId,
    pub(super) wants: &'a Need,
    pub(super) now: &'a Situation,
}

/// Refuses an action that can never be done and a goal that no action serves. Facts that are read may become anything by
/// themselves; a note changes by actions alone.
pub(super) fn check<H: Host>(
    facts: &Facts<H>,
    repertoire: &Repertoire,
    actions: &[StepSpec<H>],
    goals: &[GoalNeed<'_>],
) -> Result<(), Refusal> {
    let table = facts.table();
    let mut possible = facts.possible();
    let mut is_settled = false;
    // Every round but the last adds a value.
    while !is_settled {
        is_settled = true;
        for action in repertoire.actions() {
            if table.out_of_reach(&possible, &action.need).is_none() {
                is_settled &= !action.effects.spread(&action.need, &mut possible);
            }
        }
    }
    let wanted = |need: &Need, id: VariableId| {
        let variable = table.variable(id);
        format!("`{}` {}", variable.name, variable.shown_set(table.allowed(need, id)))
    };
    for (spec, action) in actions.iter().zip(repertoire.actions()) {
        if let Some(id) = table.out_of_reach(&possible, &action.need) {
            let sentence = format!("`{}` can never be done: nothing makes {}", action.name, wanted(&action.need, id));
            return Err(Refusal::wrong(spec.action.place, sentence));
        }
    }
    for GoalNeed { spec, wants } in goals {
        let about = |id: &VariableId| table.allowed(wants, *id) != table.allowed(&table.anything(), *id);
        let ids: Vec<VariableId> = table.ids().filter(about).collect();
        let never = table.out_of_reach(&possible, wants);
        let is_served = ids.iter().any(|id| changers(repertoire, *id, *wants).next().is_some());
        if let Some(id) = never.or(ids.first().copied().filter(|_| !is_served)) {
            let sentence = format!("no plan can lead to `{}`: no action makes {}", spec.name, wanted(wants, id));
            return Err(Refusal::wrong(spec.place, sentence));
        }
    }
    Ok(())
}

/// The actions that may give a variable a value that a need allows, by number.
fn changers(repertoire: &Repertoire, id: VariableId, need: Need) -> impl Iterator<Item = usize> {
    let variable = repertoire.table().variable(id);
    repertoire.parts.iter().enumerate().filter_map(move |(number, parts)| {
        let mut effects = parts.effects.iter().filter(|part| part.word == variable.word);
        let group = variable.group();
        let leads = effects.any(|part| match part.turn {
            Turn::To(bit) => need.words[usize::from(bit) / 64] & group & 1 << (bit % 64) != 0,
            Turn::By(_) => part.before & group != 0,
            Turn::Stay => false,
        });
        leads.then_some(number)
    })
}

/// The fact at the bottom of it when a need cannot be met, and the need it belongs to: no action can bring it about, or only
/// such as need what cannot be either. None when each fact alone could be.
fn missing(repertoire: &Repertoire, costs: &[u32], need: &Need, scratch: &PlanScratch) -> Option<(VariableId, Need)> {
    let table = repertoire.table();
    let out = |need: &Need| table.ids().find(|&id| !scratch.is_reachable(table, need, id));
    let (mut id, mut need) = (out(need)?, *need);
    let mut seen = Vec::new();
    while !seen.contains(&id) {
        seen.push(id);
        let mut usable = changers(repertoire, id, need).filter(|&number| costs.get(number) != Some(&u32::MAX));
        let deeper = usable.find_map(|number| {
            let need = repertoire.actions()[number].need;
            out(&need).filter(|id| !seen.contains(id)).map(|id| (id, need))
        });
        let Some(next) = deeper else { break };
        (id, need) = next;
    }
    Some((id, need))
}

impl<H: Host> Goap<H> {
    /// Says why no plan leads to a goal: which fact is missing, and which actions are left out.
    pub(super) fn tell_obstacle(
        &self,
        unreached: &Unreached<'_>,
        state: &GoapState,
        scratch: &GoapScratch,
        thought: &mut Thought<'_, H>,
    ) {
        if !thought.why.is_on() {
            return;
        }
        let &Unreached { goal, wants, now } = unreached;
        let found = missing(self.repertoire(), &scratch.costs, wants, &scratch.plan);
        let cause = match found {
            Some((id, need)) => self.facts.cause_of(id, now, &need, thought),
            None => self.facts.cause(now, wants, thought),
        };
        thought.because(|| Why::Refused { node: goal, cause });
        for (step, until) in self.steps.iter().zip(&state.failed) {
            let cause = match &step.price {
                _ if *until != Tick(0) => Cause::Cooldown { until: *until },
                Price::Key(Bind::Key(key)) => match thought.board.read(*key) {
                    Some(price) if super::cost_units(price).is_some() => continue,
                    value => {
                        let value = value.map(Value::Float);
                        Cause::Finding(Finding { key: key.any(), value, wanted: Wanted::Set })
                    }
                },
                _ => continue,
            };
            thought.because(|| Why::Refused { node: step.id, cause });
        }
    }
}
