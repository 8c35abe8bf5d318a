//! Plans the raid of `assets/raid.yaml` so many times: `goap_plan COUNT`. For counting instructions (the difference of two
//! counts is that of the plans) and for looking at the plan.

use sentir_think::goap::{Goap, PlanScratch, Planned, plan};
use sentir_think::key::Keys;
use sentir_think::leaf::{Host, Status, Task};
use sentir_think::registry::Leaves;
use sentir_think::situation::{Allowed, Sample, needed};
use sentir_think::thought::Thought;

struct Game;

impl Host for Game {
    type View<'a> = ();
    type Out = ();
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct ActParams {
    #[expect(dead_code, reason = "only the plan is looked at")]
    what: String,
    #[expect(dead_code, reason = "only the plan is looked at")]
    for_s: f32,
}

struct Act;

impl Task<Game> for Act {
    const NAME: &'static str = "act";
    type Params = ActParams;
    type State = ();

    fn tick(_: &ActParams, (): &mut (), _: &mut Thought<'_, Game>) -> Status {
        Status::Success
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let count: u32 = std::env::args().nth(1).map_or(Ok(1), |text| text.parse())?;
    let mut leaves = Leaves::default();
    leaves.task::<Act>();
    let bytes = include_bytes!("../assets/raid.yaml");
    let raid: Goap<Game> = Goap::read(bytes, "raid.yaml", &Keys::default(), &leaves)?;
    let repertoire = raid.repertoire();
    let costs: Vec<u32> = repertoire.actions().iter().map(|action| action.cost).collect();
    let (yes, nowhere) = (Allowed::Is(Sample::Bool(true)), sentir_asset::FilePosition::default());
    let goal = needed(repertoire.table(), [("enemy_dead", &yes, nowhere), ("reported", &yes, nowhere)])?;
    let start = repertoire.table().first();
    let mut scratch = PlanScratch::default();
    let mut found = Planned::NoPlan;
    for _ in 0..count {
        found = plan(repertoire, &costs, &start, &goal, 10_000, &mut scratch);
    }
    let names: Vec<&str> =
        scratch.steps().iter().map(|&step| repertoire.actions()[usize::from(step)].name.as_str()).collect();
    println!("{} actions, {found:?}, {} steps, {} expansions", costs.len(), names.len(), scratch.expansions());
    println!("{}", names.join(", "));
    Ok(())
}
