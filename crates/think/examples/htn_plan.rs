//! Plans ten steps among fifty primitive tasks so many times, with a method to take back in every stage: `htn_plan COUNT`.
//! For counting instructions: the difference of two counts is that of the plans.

use sentir_asset::FilePosition;
use sentir_think::htn::{Decomposed, MethodSpec, Network, Request, TaskScratch, TaskSpec, decompose, whole};
use sentir_think::situation::{Allowed, Change, Domain, Sample, VariableSpec, Variables};

/// Stages of the plan, each of one step.
const STAGES: usize = 10;
/// Ways through a stage, each with a primitive task of its own; only the last works out.
const WAYS: usize = 5;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let count: u32 = std::env::args().nth(1).map_or(Ok(1), |text| text.parse())?;
    let mut variables = vec![VariableSpec::new("stage", Domain::Range { low: 0, high: STAGES as i32 })];
    variables.extend((0..WAYS).map(|way| VariableSpec::new(&format!("way{way}"), Domain::Bool)));
    let table = Variables::build(variables)?;
    let yes = Allowed::Is(Sample::Bool(true));
    let mut specs = Vec::new();
    for stage in 0..STAGES {
        let mut methods = Vec::new();
        for way in 0..WAYS {
            let (name, fact) = (format!("do{stage}_{way}"), format!("way{way}"));
            // The first ways are refused by the method itself, the one before the last by its task, which is taken back.
            let here = [("stage", Allowed::Is(Sample::Int(stage as i64))), (fact.as_str(), yes.clone())];
            let by_method = if way + 2 < WAYS { &here[1..] } else { &[] };
            let by_task = if way + 1 == WAYS { &here[..1] } else { &here[..] };
            specs.push(TaskSpec::primitive(&name, by_task).making(&[("stage", Change::Add(1))]));
            methods.push(MethodSpec::new(&fact, by_method, &[&name]));
        }
        specs.push(TaskSpec::compound(&format!("stage{stage}"), methods));
    }
    let stages: Vec<String> = (0..STAGES).map(|stage| format!("stage{stage}")).collect();
    let stages: Vec<&str> = stages.iter().map(String::as_str).collect();
    specs.push(TaskSpec::compound("all", vec![MethodSpec::new("plain", &[], &stages)]));
    let network = Network::build(table, &specs, "all", FilePosition::default())?;
    let start = network.table().first();
    let agenda = whole(&network);
    let request = Request { agenda: &agenda, kept: &[], first_method: 0, beat: None, tries_max: 10_000 };
    let mut scratch = TaskScratch::default();
    let mut found = Decomposed::NoPlan;
    for _ in 0..count {
        found = decompose(&network, &start, request, &mut scratch);
    }
    println!(
        "{} primitive tasks, {found:?}, {} steps, {} tries",
        STAGES * WAYS,
        scratch.steps().len(),
        scratch.tries()
    );
    Ok(())
}
