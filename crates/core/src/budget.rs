//! Nominal work: what a stage may do this tick, counted in units that do not depend on the machine or on any cache.

/// How much work is left. A unit is what the spender says it is: a ray, a node, an expansion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    granted: u32,
    spent: u32,
}

impl Budget {
    /// A budget of so many units.
    pub fn new(units: u32) -> Self {
        Budget { granted: units, spent: 0 }
    }

    /// Takes `units` out. False, and nothing taken, when fewer are left: the work must then not be done.
    #[must_use]
    pub fn spend(&mut self, units: u32) -> bool {
        let fits = units <= self.left();
        if fits {
            self.spent += units;
        }
        fits
    }

    /// Units left.
    pub fn left(&self) -> u32 {
        self.granted - self.spent
    }

    /// Units spent.
    pub fn spent(&self) -> u32 {
        self.spent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_spent_whole_or_not_at_all() {
        let mut budget = Budget::new(5);
        assert!(budget.spend(3));
        assert!(!budget.spend(3));
        assert_eq!((budget.left(), budget.spent()), (2, 3));
        assert!(budget.spend(2));
        assert!(!budget.spend(u32::MAX));
        assert!(budget.spend(0));
    }
}
