//! Planning brains: the raid, plans that are kept, mended and given up, costs by leaf and key, bad files.

use sentir_think::node::NodeId;
use sentir_think::outline::in_words;
use sentir_think::why::Why;

use super::host::World;
use super::kind::{Brain, read, reasons, refused};

fn brain(text: &str) -> (Brain, World) {
    let brain = read(text, "plan.yaml").unwrap();
    let world = World::new(brain.keys());
    (brain, world)
}

fn plan(brain: &Brain) -> Vec<&str> {
    match brain {
        Brain::Goap(goap, state, _) => goap.plan(state).map(|(_, steps)| steps.collect()).unwrap_or_default(),
        _ => panic!("no planner"),
    }
}

fn searches(brain: &Brain) -> u64 {
    match brain {
        Brain::Goap(_, _, scratch) => scratch.searches(),
        _ => panic!("no planner"),
    }
}

fn think(brain: &mut Brain, world: &mut World, ticks: u32) {
    for _ in 0..ticks {
        world.think(|thought| brain.tick(thought));
    }
}

#[test]
fn the_raid_is_planned_and_carried_out() {
    let (mut brain, mut world) = brain(include_str!("../../assets/raid.yaml"));
    think(&mut brain, &mut world, 1);
    let steps = [
        "gate_to_street",
        "street_to_shop",
        "take_rifle",
        "take_ammo",
        "load",
        "shop_to_house",
        "house_to_roof",
        "aim",
        "shoot",
        "signal",
    ];
    let Brain::Goap(goap, ..) = &brain else { panic!() };
    assert_eq!(goap.repertoire().actions().len(), 50);
    let mut ours = plan(&brain);
    // The first may be swapped where their order is moot; their number and the way are not.
    assert_eq!(ours.len(), 10);
    ours.sort_unstable();
    let mut sorted = steps;
    sorted.sort_unstable();
    assert_eq!(ours, sorted);
    think(&mut brain, &mut world, 9);
    assert_eq!((searches(&brain), world.body.ended), (1, 9), "one plan for all of its steps");
    think(&mut brain, &mut world, 1);
    assert_eq!((searches(&brain), world.body.ended), (2, 10), "then it begins anew");
}

#[test]
fn a_warm_search_of_ten_steps_among_fifty_actions_allocates_nothing() {
    let (mut brain, mut world) = brain(include_str!("../../assets/raid.yaml"));
    think(&mut brain, &mut world, 11);
    let before = searches(&brain);
    let counted = allocation_counter::measure(|| think(&mut brain, &mut world, 11));
    assert_eq!(counted.count_total, 0);
    assert!(searches(&brain) > before, "it planned again");
}

const DOOR: &str = "
sentir: goap 1
keys: {inside: bool, has_key: bool, enemy: bool, fear: float}
delay: DELAY
retry: 0.5
facts:
  inside: {key: $inside}
  has_key: {key: $has_key}
  enemy: {key: $enemy}
actions:
  - {name: take_key, makes: {has_key: true}, task: act, with: {what: take_key, for_s: 0.2, sets: $has_key}}
  - {name: unlock, when: {has_key: true}, makes: {inside: true}, task: act, with: {what: unlock, for_s: 0.2, sets: $inside, fails: FAILS}}
  - {name: kick, makes: {inside: true}, cost: COST, task: act, with: {what: kick, for_s: 0.2, sets: $inside}}
  - {name: fight, when: {enemy: true}, makes: {enemy: false}, task: act, with: {what: fight, for_s: 0.2, clears: $enemy}}
goals:
  - {name: safety, when: {enemy: true}, wants: {enemy: false}}
  - {name: entry, wants: {inside: true}}
";

fn door(delay: &str, fails: &str, cost: &str) -> (Brain, World) {
    let (brain, mut world) = brain(&DOOR.replace("DELAY", delay).replace("FAILS", fails).replace("COST", cost));
    for key in ["inside", "has_key", "enemy"] {
        world.set_bool(key, false);
    }
    (brain, world)
}

#[test]
fn a_plan_is_kept_while_it_holds_and_steps_that_are_done_are_skipped() {
    let (mut brain, mut world) = door("0", "false", "5");
    think(&mut brain, &mut world, 1);
    assert_eq!(plan(&brain), ["take_key", "unlock"]);
    // Somebody hands it the key.
    world.set_bool("has_key", true);
    think(&mut brain, &mut world, 1);
    assert_eq!((plan(&brain), searches(&brain)), (vec!["unlock"], 1));
    assert!(world.shows("unlock") && world.body.aborted == 1);
    // Somebody takes it away: this plan is no use any more.
    world.set_bool("has_key", false);
    think(&mut brain, &mut world, 1);
    assert_eq!((plan(&brain), searches(&brain)), (vec!["take_key", "unlock"], 2));
    // Somebody opens the door: nothing is left to do.
    world.set_bool("inside", true);
    think(&mut brain, &mut world, 1);
    assert!(plan(&brain).is_empty() && world.body.shows.is_none());
}

#[test]
fn a_failed_step_is_left_out_for_a_while() {
    let (mut brain, mut world) = door("0", "true", "5");
    think(&mut brain, &mut world, 5);
    assert_eq!(plan(&brain), ["kick"]);
    assert!(world.shows("kick"));
}

#[test]
fn a_weightier_goal_interrupts_after_the_reaction_time() {
    for (delay, expected) in [("0", 0), ("0.3", 3)] {
        let (mut brain, mut world) = door(delay, "false", "5");
        think(&mut brain, &mut world, 1);
        world.set_bool("enemy", true);
        let mut waited = 0;
        think(&mut brain, &mut world, 1);
        while !world.shows("fight") {
            waited += 1;
            think(&mut brain, &mut world, 1);
        }
        assert_eq!(waited, expected);
        think(&mut brain, &mut world, 2);
        assert!(world.shows("take_key") || world.shows("unlock"), "back to what it did");
    }
}

#[test]
fn costs_may_come_from_keys_and_from_the_game() {
    for (cost, fear, expected) in [
        ("$fear", Some(0.5), "kick"),
        ("$fear", Some(9.0), "take_key"),
        ("$fear", None, "take_key"),
        ("{score: times, with: {what: $fear, by: 2}}", Some(0.9), "kick"),
        ("{score: times, with: {what: $fear, by: 2}}", Some(1.1), "take_key"),
        ("{score: times, with: {what: $fear, by: 2}}", None, "take_key"),
    ] {
        let (mut brain, mut world) = door("0", "false", cost);
        if let Some(fear) = fear {
            world.set_float("fear", fear);
        }
        think(&mut brain, &mut world, 1);
        assert_eq!(plan(&brain)[0], expected, "{cost}, {fear:?}");
    }
}

#[test]
fn no_plan_leaves_the_agent_idle_and_searches_no_more() {
    let text = DOOR.replace("DELAY", "0").replace("FAILS", "false").replace("cost: COST", "when: {enemy: true}");
    let text = text.replace("{name: take_key, makes", "{name: take_key, when: {enemy: true}, makes");
    let (mut brain, mut world) = brain(&text);
    for key in ["inside", "has_key", "enemy"] {
        world.set_bool(key, false);
    }
    think(&mut brain, &mut world, 10);
    assert_eq!((searches(&brain), world.body.started), (1, 0));
    world.set_bool("enemy", true);
    think(&mut brain, &mut world, 1);
    assert!(world.shows("fight"));
}

#[test]
fn an_exhausted_budget_is_no_plan() {
    let text = include_str!("../../assets/raid.yaml").replace("expansions_max: 2000", "expansions_max: 3");
    let (mut brain, mut world) = brain(&text);
    think(&mut brain, &mut world, 3);
    assert_eq!((searches(&brain), world.body.started), (1, 0));
}

#[test]
fn effects_may_be_written_to_keys() {
    let text = "
sentir: goap 1
keys: {ammo: int, weapon: symbol}
facts:
  ammo: {key: $ammo, from: 0, to: 6, write: true}
  weapon: {key: $weapon, words: [none, knife, rifle], write: true}
actions:
  - {name: arm, makes: {weapon: rifle}, task: act, with: {what: arm, for_s: 0.1}}
  - {name: buy, when: {weapon: rifle}, makes: {ammo: {add: 2}}, task: act, with: {what: buy, for_s: 0.1}}
goals:
  - {name: stock, wants: {ammo: '>= 5'}}
";
    let (mut brain, mut world) = brain(text);
    world.set_int("ammo", 1);
    think(&mut brain, &mut world, 10);
    assert_eq!(world.own.get(world.keys.key::<i32>("ammo").unwrap()), Some(5));
    let weapon = world.own.get(world.keys.key::<sentir_think::value::Symbol>("weapon").unwrap());
    assert_eq!(weapon, Some(sentir_think::value::Symbol::new("rifle")));
}

#[test]
fn bad_planners_say_what_and_where() {
    let say = |facts: &str, action: &str, goal: &str| {
        refused(&format!(
            "sentir: goap 1\nkeys: {{a: bool, n: int, f: float, w: symbol}}\nfacts: {{{facts}}}\nactions:\n  - {{{action}}}\ngoals:\n  - {{{goal}}}\n"
        ))
    };
    let (fact, action) = ("a: {key: $a}", "name: x, makes: {a: true}, task: act, with: {what: x}");
    let goal = "name: g, wants: {a: true}";
    assert_eq!(
        say("a: {key: $f}", action, goal),
        "brain.yaml:3:18: found a key of kind float: expected one of kind bool, or a test of the key"
    );
    assert_eq!(
        say("a: {key: $n}", action, goal),
        "brain.yaml:3:18: found a key of kind int: expected one of kind bool, or `from` and `to` for its range"
    );
    assert_eq!(say("a: {key: $n, from: 0}", action, goal), "brain.yaml:3:12: `to` is missing");
    assert_eq!(
        say("a: {key: $n, from: 0, to: 99}", action, goal),
        "brain.yaml:3:9: `a` has 100 values: expected 2 to 64"
    );
    assert_eq!(
        say("a: nte", action, goal),
        "brain.yaml:3:12: unknown sort of fact `nte` (did you mean `note`?): expected `note`"
    );
    assert_eq!(
        say("a: {check: belo}", action, goal),
        "brain.yaml:3:20: unknown condition `belo` (did you mean `below`?): expected `below`"
    );
    assert_eq!(
        say(fact, "name: x, makes: {b: true}, task: act, with: {what: x}", goal),
        "brain.yaml:5:23: unknown fact `b` (did you mean `a`?): expected `a`"
    );
    assert_eq!(
        say(fact, "name: x, task: act, with: {what: x}", goal),
        "brain.yaml:5:5: `x` changes nothing, so no plan can use it: expected effects"
    );
    assert_eq!(
        say(fact, "name: x, makes: {a: true}, cost: -1, task: act, with: {what: x}", goal),
        "brain.yaml:5:39: `x` costs -1: expected 0 to 1000"
    );
    assert_eq!(say(fact, action, "name: g, wants: {}"), "brain.yaml:7:5: `g` wants nothing: expected facts");
    assert_eq!(
        say(fact, action, "name: g, wants: {a: 3}"),
        "brain.yaml:7:23: `a` is a number here: expected `true` or `false`"
    );
    assert_eq!(say(fact, action, "name: g"), "brain.yaml:7:5: `wants` is missing");
    assert_eq!(
        refused("sentir: goap 1\nexpansions_max: 0\nfacts: {}\nactions: []\ngoals: []\n"),
        "brain.yaml:2:17: found 0: expected a whole number from 1 to 100000"
    );
    assert_eq!(
        refused("sentir: goap 1\nfacts: {}\nactions: []\ngoals: []\n"),
        "brain.yaml: 0 goals: expected 1 to 256"
    );
}

#[test]
fn every_action_that_fails_rests_for_its_own_time() {
    let text = "sentir: goap 1\nkeys: {p: bool}\nfacts: {p: {key: $p}}\nretry: 5\nactions:\n  - {name: a, cost: 1, makes: {p: true}, task: act, with: {what: a, for_s: 0, fails: true}}\n  - {name: b, cost: 2, makes: {p: true}, task: act, with: {what: b, for_s: 0.3, fails: true}}\ngoals: [{name: g, wants: {p: true}}]\n";
    let (mut brain, mut world) = brain(text);
    think(&mut brain, &mut world, 50);
    assert_eq!(world.body.started, 2, "one after the other, then both rest");
    think(&mut brain, &mut world, 2);
    assert_eq!(world.body.started, 3, "the first is back after five seconds");
    think(&mut brain, &mut world, 5);
    assert_eq!(world.body.started, 4, "the second, which failed later, a little later");
}

#[test]
fn a_price_that_appears_is_noticed_after_a_while() {
    let text = "sentir: goap 1\nkeys: {p: bool, q: bool, price: float}\nfacts: {p: {key: $p}, q: {key: $q}}\nretry: 0.5\nactions:\n  - {name: a, cost: $price, makes: {p: true}, task: act, with: {what: a}}\n  - {name: b, makes: {q: true}, task: act, with: {what: b}}\ngoals: [{name: g, wants: {p: true}}, {name: h, wants: {q: true}}]\n";
    for is_content in [true, false] {
        let (mut brain, mut world) = brain(text);
        world.set_bool("q", is_content);
        think(&mut brain, &mut world, 3);
        assert_eq!(world.shows("b"), !is_content);
        world.set_float("price", 1.0);
        think(&mut brain, &mut world, 6);
        assert!(world.shows("a"), "whether it did nothing or something else");
    }
}

#[test]
fn an_action_and_a_goal_with_one_id_are_refused() {
    assert_eq!(
        refused(
            "sentir: goap 1\nfacts: {p: note}\nactions:\n  - {name: a, id: x, makes: {p: true}, task: act, with: {what: a}}\ngoals:\n  - {name: g, id: x, wants: {p: true}}\n"
        ),
        "brain.yaml:6:5: `g` has the id `x`, as `a` at 4:5 has: expected every id once"
    );
    assert_eq!(
        refused("sentir: goap 1\nkeys: {p: bool}\nfacts: {p: $p}\nactions: []\ngoals: []\n"),
        "brain.yaml:3:12: found the key $p alone: expected {key: $p}, or `note`"
    );
}

/// What a brain with these actions says of its goal at first, and of its actions.
fn obstacles(actions: &str) -> (Brain, World, Vec<String>) {
    let text = format!(
        "sentir: goap 1\nkeys: {{p: bool, q: bool, r: bool, price: float}}\nfacts: {{p: {{key: $p}}, q: {{key: $q}}, r: {{key: $r}}}}\nretry: 3\nactions:\n{actions}goals: [{{name: g, wants: {{p: true}}}}]\n"
    );
    let (mut brain, mut world) = brain(&text);
    for key in ["p", "q", "r"] {
        world.set_bool(key, false);
    }
    think(&mut brain, &mut world, 1);
    world.set_bool("q", true);
    think(&mut brain, &mut world, 1);
    world.set_bool("q", false);
    let why = reasons(&mut brain, &mut world);
    let Brain::Goap(goap, ..) = &brain else { panic!() };
    let names: Vec<(String, NodeId)> =
        goap.goals().chain(goap.nodes()).map(|(name, id)| (name.to_owned(), id)).collect();
    let told = why.iter().filter_map(|one| match one {
        Why::Refused { node, cause } => {
            let name = &names.iter().find(|(_, id)| id == node)?.0;
            Some(format!("{name}: {}", in_words(cause, &world.keys)))
        }
        _ => None,
    });
    let told = told.collect();
    (brain, world, told)
}

#[test]
fn a_goal_without_a_plan_names_the_fact_that_is_missing() {
    let chain = "  - {name: a, when: {q: true}, makes: {p: true}, task: act, with: {what: a}}\n  - {name: b, when: {r: true}, makes: {q: true}, task: act, with: {what: b}}\n";
    let (mut brain, mut world, told) = obstacles(chain);
    assert_eq!(told, ["g: r is false, wanted == true"], "not p, not q: nothing brings about r");
    // Just that, and there is a plan.
    world.set_bool("r", true);
    think(&mut brain, &mut world, 1);
    assert!(world.shows("b"));
    let unpriced = "  - {name: a, cost: $price, makes: {p: true}, task: act, with: {what: a}}\n";
    assert_eq!(obstacles(unpriced).2, ["g: p is false, wanted == true", "a: price is not set"]);
    let failing = "  - {name: a, makes: {p: true}, task: act, with: {what: a, for_s: 0, fails: true}}\n";
    assert_eq!(obstacles(failing).2, ["g: p is false, wanted == true", "a: rests until tick 30"]);
}

#[test]
fn what_can_never_come_about_is_refused() {
    let say = |actions: &str, goal: &str| {
        refused(&format!(
            "sentir: goap 1\nkeys: {{p: bool, q: bool}}\nfacts: {{p: {{key: $p}}, q: {{key: $q}}, n: note, m: {{from: 0, to: 3}}}}\nactions:\n{actions}goals:\n  - {{name: g, {goal}}}\n"
        ))
    };
    let act = "task: act, with: {what: a}";
    assert_eq!(
        say(&format!("  - {{name: a, makes: {{p: true}}, {act}}}\n"), "wants: {q: true}"),
        "brain.yaml:7:5: no plan can lead to `g`: no action makes `q` true"
    );
    assert_eq!(
        say(&format!("  - {{name: a, makes: {{p: true}}, {act}}}\n"), "wants: {p: true, n: true}"),
        "brain.yaml:7:5: no plan can lead to `g`: no action makes `n` true"
    );
    assert_eq!(
        say(&format!("  - {{name: a, when: {{n: true}}, makes: {{p: true}}, {act}}}\n"), "wants: {p: true}"),
        "brain.yaml:5:5: `a` can never be done: nothing makes `n` true"
    );
    let counted = format!(
        "  - {{name: a, when: {{m: \">= 2\"}}, makes: {{p: true}}, {act}}}\n  - {{name: b, makes: {{m: {{add: -1}}}}, {act}}}\n"
    );
    assert_eq!(say(&counted, "wants: {p: true}"), "brain.yaml:5:5: `a` can never be done: nothing makes `m` 2 or 3");
    // What is read may become true by itself, and counting up gets there.
    let fine = counted.replace("add: -1", "add: 1")
        + &format!("  - {{name: c, when: {{q: true}}, makes: {{p: true}}, {act}}}\n");
    let text = format!(
        "sentir: goap 1\nkeys: {{p: bool, q: bool}}\nfacts: {{p: {{key: $p}}, q: {{key: $q}}, m: {{from: 0, to: 3}}}}\nactions:\n{fine}goals:\n  - {{name: g, wants: {{p: true, q: true}}}}\n"
    );
    assert!(read(&text, "a.yaml").is_ok());
}
