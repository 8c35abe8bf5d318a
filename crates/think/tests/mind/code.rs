//! Every kind can be built in code, with types instead of names, and does the same as its file.

use sentir_think::clause::Clause;
use sentir_think::decision::{Decision, DecisionSpec, NodeSpec};
use sentir_think::goap::{ActionSpec, GoalSpec, Goap, GoapScratch, GoapSpec, Price, StepSpec};
use sentir_think::htn::{Htn, HtnSpec, HtnTask, MethodSpec, TaskScratch, TaskSpec};
use sentir_think::key::{Bind, KeySpec, Keys, Scope};
use sentir_think::leaf::TaskLeaf;
use sentir_think::rule::{Fuzzy, RuleSpec, Rules, RulesSpec};
use sentir_think::situation::{Allowed, Change, Domain, FactSource, FactSpec, Sample};
use sentir_think::span::Span;
use sentir_think::test::{Comparison, Test};
use sentir_think::utility::{Appeal, Consideration, Curve, Input, OptionSpec, Pick, Utility, UtilitySpec};

use super::host::{Act, Game, World};
use super::kind::Brain;

fn keys() -> Keys {
    Keys::build([KeySpec::new::<bool>("enemy", Scope::Own)]).unwrap()
}

fn act(what: &str) -> TaskLeaf<Game> {
    TaskLeaf::new::<Act>(sentir_asset::parse(format!("what: {what}").as_bytes(), "code").unwrap())
}

fn sees() -> Clause<Game> {
    Clause::Test(Test::compare(keys().key::<bool>("enemy").unwrap(), Comparison::Equal, true))
}

fn enemy_fact() -> Vec<FactSpec<Game>> {
    let source = FactSource::Key { key: keys().any("enemy").unwrap(), writes: false };
    vec![FactSpec::new("enemy", Domain::Bool, source), FactSpec::new("walked", Domain::Bool, FactSource::Note)]
}

fn is(value: bool) -> Allowed {
    Allowed::Is(Sample::Bool(value))
}

fn makes(value: bool) -> Change {
    Change::Set(Sample::Bool(value))
}

fn decision() -> Brain {
    let root =
        NodeSpec::branch("sees", sees(), NodeSpec::act("fight", act("fight")), NodeSpec::act("walk", act("walk")));
    let brain = Decision::build(DecisionSpec { root, delay: Span::default() }, keys()).unwrap();
    let state = brain.start();
    Brain::Decision(brain, state)
}

fn rules() -> Brain {
    let rule = |name: &str, when| {
        let (name, task) = (name.to_owned(), act(name));
        RuleSpec {
            name,
            when,
            feels: Vec::new(),
            priority: 0,
            task,
            id: None,
            place: sentir_asset::FilePosition::default(),
        }
    };
    let rules = vec![rule("fight", sees()), rule("walk", Clause::Always)];
    let spec =
        RulesSpec { fuzzy: Fuzzy::default(), rules, outputs: Vec::new(), threshold: 0.5, delay: Span::default() };
    let brain = Rules::build(spec, keys()).unwrap();
    let state = brain.start();
    Brain::Rules(brain, state)
}

fn utility() -> Brain {
    let mut fight = OptionSpec::new("fight", act("fight"));
    let sees = Consideration {
        name: "sees".to_owned(),
        input: Input::When(sees()),
        from: 0.0,
        to: 1.0,
        curve: Curve::default(),
    };
    fight.appeal = Appeal { weight: Bind::Literal(2.0), considerations: vec![sees] };
    let options = vec![fight, OptionSpec::new("walk", act("walk"))];
    let (least, delay) = (Span::default(), Span::default());
    let brain = Utility::build(UtilitySpec { options, pick: Pick::Best, inertia: 0.0, least, delay }, keys()).unwrap();
    let state = brain.start();
    Brain::Utility(brain, state)
}

fn goap() -> Brain {
    let step = |action: ActionSpec| StepSpec { task: act(&action.name), action, price: Price::Fixed, id: None };
    let place = sentir_asset::FilePosition::default();
    let goal = |name: &str, fact: &str, value| GoalSpec {
        name: name.to_owned(),
        when: Vec::new(),
        wants: vec![(fact.to_owned(), is(value), place)],
        id: None,
        place,
    };
    let spec = GoapSpec {
        facts: enemy_fact(),
        actions: vec![
            step(ActionSpec::new("fight").makes("enemy", makes(false))),
            step(ActionSpec::new("walk").makes("walked", makes(true))),
        ],
        goals: vec![goal("win", "enemy", false), goal("round", "walked", true)],
        expansions_max: 100,
        delay: Span::default(),
        retry: Span::default(),
    };
    let brain = Goap::build(spec, keys()).unwrap();
    let state = brain.start();
    Brain::Goap(brain, state, GoapScratch::default())
}

fn htn() -> Brain {
    let mut fight = MethodSpec::new("fight", &[], &["fight"]);
    fight.keeps.push(("enemy".to_owned(), is(true), sentir_asset::FilePosition::default()));
    let root = TaskSpec::compound("root", vec![fight, MethodSpec::new("walk", &[], &["walk"])]);
    let primitive = |name: &str| HtnTask { spec: TaskSpec::primitive(name, &[]), leaf: Some(act(name)), id: None };
    let spec = HtnSpec {
        facts: enemy_fact(),
        tasks: vec![HtnTask { spec: root, leaf: None, id: None }, primitive("fight"), primitive("walk")],
        root: ("root".to_owned(), sentir_asset::FilePosition::default()),
        tries_max: 100,
        delay: Span::default(),
        retry: Span::default(),
    };
    let brain = Htn::build(spec, keys()).unwrap();
    let state = brain.start();
    Brain::Htn(brain, state, TaskScratch::default())
}

#[test]
fn brains_made_by_code_decide_alike() {
    for (number, mut brain) in [decision(), rules(), utility(), goap(), htn()].into_iter().enumerate() {
        let mut world = World::new(brain.keys());
        for (enemy, expected) in [(false, "walk"), (true, "fight"), (true, "fight"), (false, "walk")] {
            world.set_bool("enemy", enemy);
            world.think(|thought| brain.tick(thought));
            assert!(world.shows(expected), "brain {number}, enemy {enemy}");
        }
    }
}
