//! One panel of `maze`: a search, how far it came with a budget, and its path once it is done.

use sentir_nav::grid::{
    AnyAngle, Astar, AstarConfig, Cell, Dstar, FlowField, Heuristic, Hierarchy, HierarchyConfig, HierarchySearch,
    JumpPoint, Lrta, LrtaStep, Neighbors, Query, Terrain, UnitGrid,
};
use sentir_nav::{Ending, PathAnswer};

/// The searches, in the order of their panels.
pub(super) const NAMES: [&str; 8] =
    ["A*", "Dijkstra", "jump points", "any angle", "hierarchy", "D* Lite", "flow field", "LRTA*"];

/// What a search has to show.
#[derive(Clone, Debug, Default)]
pub(super) struct Progress {
    /// Cells taken from the open list so far.
    pub(super) expanded: u32,
    pub(super) cells: Vec<Cell>,
    pub(super) path: Vec<Cell>,
    pub(super) cost: f64,
    /// Whether the budget sufficed.
    pub(super) is_done: bool,
}

impl Progress {
    fn of(answer: PathAnswer<'_, Cell>) -> Progress {
        let is_done = answer.ending != Ending::OutOfBudget;
        Progress {
            expanded: answer.expanded,
            cells: Vec::new(),
            path: answer.path.to_vec(),
            cost: answer.cost,
            is_done,
        }
    }
}

/// Runs the search of a panel with a budget.
pub(super) fn run(number: usize, terrain: &Terrain, ground: &UnitGrid, query: &Query) -> Progress {
    match number {
        0 => astar(ground, query, Heuristic::Octile),
        1 => astar(ground, query, Heuristic::Zero),
        2 => {
            let mut search = JumpPoint::default();
            let progress = Progress::of(search.query(ground, query));
            Progress { cells: search.expanded(ground).collect(), ..progress }
        }
        3 => {
            let mut search = AnyAngle::default();
            let progress = Progress::of(search.query(ground, query));
            // Where Theta* ran out, the taut path is known already; here it may take its time.
            let is_done = progress.is_done && progress.expanded < query.expansions_max;
            Progress { cells: search.expanded(ground).collect(), is_done, ..progress }
        }
        4 => {
            let map = Hierarchy::build(ground, &HierarchyConfig { side: 8, spacing: 6 });
            let mut search = HierarchySearch::default();
            let progress = Progress::of(search.query(ground, &map, query));
            let is_done = progress.is_done && progress.expanded < query.expansions_max;
            Progress { cells: search.expanded(ground).collect(), is_done, ..progress }
        }
        5 => {
            let (mut plan, mut path) = (Dstar::new(query.goal), Vec::new());
            let progress = Progress::of(plan.plan(terrain, ground, query.start, query.expansions_max, &mut path));
            Progress { cells: plan.settled(ground).collect(), ..progress }
        }
        6 => flow(ground, query),
        _ => lrta(ground, query),
    }
}

fn astar(ground: &UnitGrid, query: &Query, heuristic: Heuristic) -> Progress {
    let mut search = Astar::default();
    let progress = Progress::of(search.query(ground, query, &AstarConfig { neighbors: Neighbors::Eight, heuristic }));
    Progress { cells: search.expanded(ground).collect(), ..progress }
}

fn flow(ground: &UnitGrid, query: &Query) -> Progress {
    let mut field = FlowField::default();
    let (ending, expanded) = field.fill(ground, &[query.goal], query.expansions_max);
    let (columns, rows) = (ground.width() as u16, ground.height() as u16);
    let all = (0..rows).flat_map(|y| (0..columns).map(move |x| Cell::new(x, y)));
    let cells = all.filter(|&cell| field.length(cell).is_some()).collect();
    let is_done = ending == Ending::Found;
    let mut path = vec![query.start];
    while let Some(next) = path.last().and_then(|&cell| field.next(cell)).filter(|_| is_done) {
        path.push(next);
    }
    Progress { expanded, cells, path, cost: field.length(query.start).unwrap_or(0.0), is_done }
}

/// A step is an expansion; its path is all it walked.
fn lrta(ground: &UnitGrid, query: &Query) -> Progress {
    let mut unit = Lrta::new(ground, query.start, query.goal);
    let mut path = vec![query.start];
    while unit.steps() < query.expansions_max {
        match unit.step(ground) {
            LrtaStep::Moved(cell) => path.push(cell),
            _ => break,
        }
    }
    let is_diagonal = |pair: &&[Cell]| pair[0].x != pair[1].x && pair[0].y != pair[1].y;
    let diagonals = path.windows(2).filter(is_diagonal).count() as f64;
    let cost = (path.len() - 1) as f64 + diagonals * (std::f64::consts::SQRT_2 - 1.0);
    Progress { expanded: unit.steps(), cells: path.clone(), path, cost, is_done: unit.cell() == query.goal }
}
