use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::situation::{Allowed, Change, Domain, Need, Sample, Situation, VariableSpec, Variables};

/// The cheapest cost by Dijkstra's search forward, over whole situations.
fn twin(repertoire: &Repertoire, start: &Situation, goal: &Need) -> Option<u32> {
    let mut best: BTreeMap<[u64; 4], u32> = BTreeMap::new();
    let mut open = std::collections::BTreeSet::from([(0u32, start.words)]);
    best.insert(start.words, 0);
    while let Some((cost, words)) = open.pop_first() {
        let here = Situation { words };
        if here.meets(goal) {
            return Some(cost);
        }
        for action in repertoire.actions() {
            if here.meets(&action.need) {
                let next = action.effects.apply(&here).words;
                let total = cost + action.cost;
                if best.get(&next).is_none_or(|&known| total < known) {
                    best.insert(next, total);
                    open.insert((total, next));
                }
            }
        }
    }
    None
}

/// Six facts of yes or no, a number of 0 to 5, and a place of four.
fn table() -> Variables {
    let mut specs: Vec<VariableSpec> =
        ["a", "b", "c", "d", "e", "f"].map(|name| VariableSpec::new(name, Domain::Bool)).into();
    specs.push(VariableSpec::new("ammo", Domain::Range { low: 0, high: 5 }));
    let words = ["base", "yard", "gate", "roof"].map(str::to_owned).to_vec();
    specs.push(VariableSpec::new("at", Domain::Words(words)));
    Variables::build(specs).unwrap()
}

fn allowed() -> impl Strategy<Value = Vec<(&'static str, Allowed)>> {
    let fact = (0usize..6, any::<bool>())
        .prop_map(|(index, value)| (["a", "b", "c", "d", "e", "f"][index], Allowed::Is(Sample::Bool(value))));
    let ammo = (0i64..6, any::<bool>())
        .prop_map(|(limit, least)| ("ammo", if least { Allowed::AtLeast(limit) } else { Allowed::AtMost(limit) }));
    let place = (0usize..4)
        .prop_map(|index| ("at", Allowed::Is(Sample::Word(["base", "yard", "gate", "roof"][index].to_owned()))));
    proptest::collection::vec(prop_oneof![4 => fact, 1 => ammo, 1 => place], 0..4)
}

fn changes() -> impl Strategy<Value = Vec<(&'static str, Change)>> {
    let facts = proptest::array::uniform6(prop_oneof![4 => Just(None), 1 => any::<bool>().prop_map(Some)]);
    let ammo = prop_oneof![4 => Just(None), 1 => (1i64..4).prop_map(Some), 2 => (-3i64..0).prop_map(Some)];
    let place = prop_oneof![2 => Just(None), 1 => (0usize..4).prop_map(Some)];
    (facts, ammo, place).prop_map(|(facts, ammo, place)| {
        let mut changes = Vec::new();
        for (name, to) in ["a", "b", "c", "d", "e", "f"].into_iter().zip(facts) {
            changes.extend(to.map(|to| (name, Change::Set(Sample::Bool(to)))));
        }
        changes.extend(ammo.map(|by| ("ammo", Change::Add(by))));
        let word = |index: usize| ["base", "yard", "gate", "roof"][index].to_owned();
        changes.extend(place.map(|index| ("at", Change::Set(Sample::Word(word(index))))));
        changes
    })
}

/// Actions that cannot be built (no effect, impossible, contradicting conditions) are left out.
fn repertoire() -> impl Strategy<Value = Repertoire> {
    let action = (allowed(), changes(), 0u32..6);
    proptest::collection::vec(action, 1..16).prop_map(|actions| {
        let mut specs = Vec::new();
        for (index, (when, makes, cost)) in actions.into_iter().enumerate() {
            let mut spec = ActionSpec::new(&format!("x{index}")).costs(cost as f32 * 0.5);
            for (name, allowed) in when {
                spec = spec.when(name, allowed);
            }
            for (name, change) in makes {
                spec = spec.makes(name, change);
            }
            if Repertoire::build(table(), std::slice::from_ref(&spec)).is_ok() {
                specs.push(spec);
            }
        }
        Repertoire::build(table(), &specs).unwrap()
    })
}

fn start(table: &Variables, codes: [u8; 8]) -> Situation {
    let mut situation = table.first();
    for (id, code) in table.ids().zip(codes) {
        let width = table.variable(id).width;
        table.set(&mut situation, id, code % width);
    }
    situation
}

fn costs(repertoire: &Repertoire) -> Vec<u32> {
    repertoire.actions().iter().map(|action| action.cost).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]
    #[test]
    fn plans_are_the_cheapest_there_are(repertoire in repertoire(), codes in any::<[u8; 8]>(), wants in allowed()) {
        let table = repertoire.table();
        let wants = wants.iter().map(|(name, allowed)| (*name, allowed, sentir_asset::FilePosition::default()));
        let goal = crate::situation::needed(table, wants);
        prop_assume!(goal.is_ok());
        let goal = goal.unwrap();
        let start = start(table, codes);
        let mut scratch = PlanScratch::default();
        let costs = costs(&repertoire);
        let planned = plan(&repertoire, &costs, &start, &goal, 1_000_000, &mut scratch);
        match twin(&repertoire, &start, &goal) {
            None => prop_assert_eq!(planned, Planned::NoPlan),
            Some(cost) => {
                prop_assert_eq!(planned, Planned::Found { cost });
                let mut here = start;
                let mut total = 0;
                for &step in scratch.steps() {
                    let action = &repertoire.actions()[usize::from(step)];
                    prop_assert!(here.meets(&action.need), "{} cannot be done", action.name);
                    here = action.effects.apply(&here);
                    total += action.cost;
                }
                prop_assert!(here.meets(&goal) && total == cost);
            }
        }
        // The same again, and with a memory that has seen other searches.
        let (steps, work) = (scratch.steps().to_vec(), scratch.expansions());
        plan(&repertoire, &costs, &table.first(), &goal, 10, &mut scratch);
        prop_assert_eq!(plan(&repertoire, &costs, &start, &goal, 1_000_000, &mut scratch), planned);
        prop_assert_eq!((scratch.steps(), scratch.expansions()), (&steps[..], work));
        // A cap at the work it took is enough; one less is not.
        prop_assert_eq!(plan(&repertoire, &costs, &start, &goal, work, &mut scratch), planned);
        if work > 0 {
            prop_assert_eq!(plan(&repertoire, &costs, &start, &goal, work - 1, &mut scratch), Planned::OutOfBudget);
        }
    }
}

#[test]
fn an_action_without_a_cost_now_is_not_used() {
    let go = |name: &str, cost| ActionSpec::new(name).makes("a", Change::Set(Sample::Bool(true))).costs(cost);
    let repertoire = Repertoire::build(table(), &[go("cheap", 1.0), go("dear", 9.0)]).unwrap();
    let goal = crate::situation::needed(
        repertoire.table(),
        [("a", &Allowed::Is(Sample::Bool(true)), sentir_asset::FilePosition::default())],
    )
    .unwrap();
    let here = repertoire.table().first();
    let mut scratch = PlanScratch::default();
    let mut ask = |costs: &[u32]| (plan(&repertoire, costs, &here, &goal, 10, &mut scratch), scratch.steps().to_vec());
    assert_eq!(ask(&[1000, 9000]), (Planned::Found { cost: 1000 }, vec![0]));
    assert_eq!(ask(&[u32::MAX, 9000]), (Planned::Found { cost: 9000 }, vec![1]));
    assert_eq!(ask(&[u32::MAX]), (Planned::NoPlan, vec![]));
    assert_eq!(ask(&[]), (Planned::NoPlan, vec![]));
    assert_eq!(cost_units(f32::NAN), None);
    assert_eq!((cost_units(-1.0), cost_units(1000.1), cost_units(0.25)), (None, None, Some(250)));
}

#[test]
fn bad_actions_say_what() {
    let say = |spec: ActionSpec| Repertoire::build(table(), &[spec]).unwrap_err().problem.to_string();
    let shoot = ActionSpec::new("shoot");
    assert_eq!(say(shoot.clone()), "`shoot` changes nothing, so no plan can use it: expected effects");
    assert_eq!(
        say(shoot.clone().makes("ammo", Change::Add(-3)).when("ammo", Allowed::AtMost(2))),
        "`shoot` can never be done: what it adds always leaves the range"
    );
    assert_eq!(say(shoot.clone().makes("ammo", Change::Add(-1)).costs(-2.0)), "`shoot` costs -2: expected 0 to 1000");
    let twice = [shoot.clone().makes("ammo", Change::Add(-1)), shoot.makes("ammo", Change::Add(-1))];
    let refused = Repertoire::build(table(), &twice).unwrap_err();
    assert_eq!(refused.problem.to_string(), "two actions are called `shoot`: expected every name once");
}
