//! What ground costs: one factor an area type, chosen per request.

use super::AreaId;

/// How dear an area is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AreaCost {
    /// So many times as dear as plain ground. Limit: >= 1; less (and NaN) counts as 1.
    Times(f32),
    /// Not to be entered. A start inside is still a start.
    Impassable,
}

/// The costs of all area types for one kind of body. Factors are never under 1, so that a straight line never costs more
/// than the way, and searches stay optimal for their cost.
#[derive(Clone, Debug, PartialEq)]
pub struct AreaCosts {
    /// Infinity where one cannot go.
    factors: [f32; 256],
    has_walls: bool,
}

impl Default for AreaCosts {
    fn default() -> Self {
        AreaCosts::PLAIN
    }
}

impl AreaCosts {
    /// Every area is plain ground.
    pub const PLAIN: AreaCosts = AreaCosts { factors: [1.0; 256], has_walls: false };

    /// The same costs with another one for `area`.
    #[must_use]
    pub fn with(mut self, area: AreaId, cost: AreaCost) -> Self {
        self.factors[usize::from(area.0)] = match cost {
            AreaCost::Times(factor) if factor > 1.0 && factor.is_finite() => factor,
            AreaCost::Times(_) => 1.0,
            AreaCost::Impassable => f32::INFINITY,
        };
        self.has_walls = self.factors.iter().any(|factor| factor.is_infinite());
        self
    }

    /// The same costs with the areas from `first` on replaced, each by that of another area or, with none, impassable.
    #[must_use]
    #[cfg(feature = "bake")]
    pub(crate) fn overlaid(&self, first: u8, areas: impl Iterator<Item = Option<AreaId>>) -> Self {
        let mut costs = self.clone();
        for (at, base) in (usize::from(first)..256).zip(areas) {
            costs.factors[at] = base.map_or(f32::INFINITY, |base| self.factors[usize::from(base.0)]);
        }
        costs.has_walls = costs.factors.iter().any(|factor| factor.is_infinite());
        costs
    }

    /// How dear an area is.
    pub fn cost(&self, area: AreaId) -> AreaCost {
        match self.factors[usize::from(area.0)] {
            factor if factor.is_finite() => AreaCost::Times(factor),
            _ => AreaCost::Impassable,
        }
    }

    /// Whether one may enter an area.
    #[inline]
    pub fn is_passable(&self, area: AreaId) -> bool {
        !self.has_walls || self.factors[usize::from(area.0)].is_finite()
    }

    /// The factor of an area one is in already: that of plain ground if it is impassable.
    #[inline]
    pub(super) fn factor(&self, area: AreaId) -> f64 {
        let factor = self.factors[usize::from(area.0)];
        if factor.is_finite() { f64::from(factor) } else { 1.0 }
    }

    /// Whether any area is impassable.
    #[inline]
    pub(super) fn has_walls(&self) -> bool {
        self.has_walls
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_are_never_under_one() {
        for odd in [0.5, -3.0, f32::NAN, f32::INFINITY] {
            let costs = AreaCosts::PLAIN.with(AreaId(3), AreaCost::Times(odd));
            assert_eq!(costs.cost(AreaId(3)), AreaCost::Times(1.0));
        }
        let costs = AreaCosts::PLAIN.with(AreaId(3), AreaCost::Impassable).with(AreaId(4), AreaCost::Times(2.5));
        assert!(!costs.is_passable(AreaId(3)) && costs.is_passable(AreaId(4)) && costs.has_walls());
        assert_eq!((costs.factor(AreaId(3)), costs.factor(AreaId(4))), (1.0, 2.5));
        assert!(!costs.with(AreaId(3), AreaCost::Times(1.0)).has_walls());
    }
}
