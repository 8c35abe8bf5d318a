//! Asks the queries of a scenario file so often, for counting instructions: the difference between two counts of rounds is
//! that of the queries alone.
//!
//! `grid_queries SEARCH ROUNDS MAP SCENARIOS [SPREAD]`, where SEARCH is `astar`, `jump` or `hierarchy` and SPREAD is how many queries,
//! evenly over the file (all if not given). Says how many lengths differ from the file's, and
//! how long all ways are beside the file's.

use sentir_nav::grid::{
    Astar, AstarConfig, Hierarchy, HierarchyConfig, HierarchySearch, JumpPoint, Query, Scenario, UnitGrid, map,
    plain_unit, scenarios,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [search, rounds, map_file, scenario_file, spread @ ..] = &words[..] else {
        println!("usage: grid_queries astar|jump|hierarchy ROUNDS MAP SCENARIOS [SPREAD]");
        return Ok(());
    };
    let terrain = map(&std::fs::read(map_file)?, map_file)?;
    let ground = UnitGrid::build(&terrain, &plain_unit())?;
    let all = scenarios(&std::fs::read(scenario_file)?, scenario_file)?;
    let count = spread.first().map_or(Ok(all.len()), |word| word.parse())?.clamp(1, all.len());
    let chosen: Vec<&Scenario> = (0..count).map(|number| &all[number * all.len() / count]).collect();
    let (mut astar, mut jump, config) = (Astar::default(), JumpPoint::default(), AstarConfig::default());
    let (clusters, mut hierarchy) =
        (Hierarchy::build(&ground, &HierarchyConfig::default()), HierarchySearch::default());
    let (mut wrong, mut expanded, mut length, mut least, mut worst) = (0u32, 0u64, 0.0, 0.0, 1.0);
    for _ in 0..rounds.parse::<u32>()? {
        for one in &chosen {
            let query = Query::new(one.start, one.goal);
            let answer = match search.as_str() {
                "astar" => astar.query(&ground, &query, &config),
                "jump" => jump.query(&ground, &query),
                "hierarchy" => hierarchy.query(&ground, &clusters, &query),
                other => return Err(format!("'{other}' is no search: expected astar, jump or hierarchy").into()),
            };
            wrong += u32::from(!answer.is_found() || !one.agrees(answer.cost));
            expanded += u64::from(answer.expanded);
            length += answer.cost;
            least += one.length;
            if one.length > 0.0 && answer.cost / one.length > worst {
                worst = answer.cost / one.length;
            }
        }
    }
    let share = length / least;
    println!("{} queries, {wrong} wrong lengths, {expanded} expansions in all rounds", chosen.len());
    println!("{share:.4} of the least length, {worst:.4} at worst");
    Ok(())
}
