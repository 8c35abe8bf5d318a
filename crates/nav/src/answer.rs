//! What every search answers with, on grids and on meshes.
//!
//! A search never fails: a goal that cannot be reached, a budget that ran out or a start in a wall are outcomes. The path
//! lies in the search's own scratch and is borrowed, so a warm search allocates nothing.

/// What is wrong with a start or a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Not a finite number.
    NotFinite,
    /// Outside the world.
    Outside,
    /// Inside the world, where this kind of body cannot be.
    Blocked,
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The path leads from the start to the goal.
    Found,
    /// No way exists. The path leads to the reachable place nearest to the goal, in a straight line.
    NoPath,
    /// The budget of expansions was used up. The path leads to the most promising place seen; with no budget at all it
    /// is the start alone.
    OutOfBudget,
    /// Nobody can stand at the start. The path is empty.
    BadStart(Fault),
    /// Nobody can stand at the goal. The path is empty.
    BadGoal(Fault),
}

/// The answer of a search over places of type `P` (grid cells, points on a mesh).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathAnswer<'a, P> {
    /// How it ended.
    pub ending: Ending,
    /// From the start (always first) to where it leads; empty if start or goal is bad.
    pub path: &'a [P],
    /// The cost of the path, in the world's own unit. Limit: finite, >= 0.
    pub cost: f64,
    /// Nodes taken from the open list: the work a budget counts.
    pub expanded: u32,
}

impl<P> PathAnswer<'_, P> {
    /// An answer without a path.
    #[must_use]
    pub fn refused(ending: Ending) -> Self {
        Self { ending, path: &[], cost: 0.0, expanded: 0 }
    }

    /// Whether the path leads to the goal.
    #[must_use]
    pub fn is_found(&self) -> bool {
        self.ending == Ending::Found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_answer_has_no_path_and_is_not_found() {
        let answer = PathAnswer::<u8>::refused(Ending::BadGoal(Fault::Blocked));
        assert!(answer.path.is_empty() && !answer.is_found());
        assert_eq!(answer.ending, Ending::BadGoal(Fault::Blocked));
    }
}
