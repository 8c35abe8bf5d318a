//! Total orders: every comparison of scores is settled, to the last tie.

use std::cmp::Ordering;

/// A float with an index, ordered by value and then by index. NaN is past everything (negative NaN before everything),
/// and −0 comes before 0, as [`f32::total_cmp`] has it.
#[derive(Clone, Copy, Debug)]
pub struct Ranked {
    /// What is compared first.
    pub value: f32,
    /// What settles ties.
    pub index: u32,
}

impl PartialEq for Ranked {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Ranked {}
impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> Ordering {
        self.value.total_cmp(&other.value).then(self.index.cmp(&other.index))
    }
}

/// The position of the smallest value, the first of equals; values that are NaN never win. None if none is left.
pub fn least(values: impl IntoIterator<Item = f32>) -> Option<usize> {
    best(values, |new, old| new < old)
}

/// The position of the greatest value, the first of equals; values that are NaN never win. None if none is left.
pub fn greatest(values: impl IntoIterator<Item = f32>) -> Option<usize> {
    best(values, |new, old| new > old)
}

fn best(values: impl IntoIterator<Item = f32>, better: impl Fn(f32, f32) -> bool) -> Option<usize> {
    let mut best: Option<(usize, f32)> = None;
    for (index, value) in values.into_iter().enumerate() {
        if !value.is_nan() && best.is_none_or(|(_, old)| better(value, old)) {
            best = Some((index, value));
        }
    }
    best.map(|(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_go_to_the_lower_index_and_nan_goes_last() {
        let mut ranks: Vec<_> = [(1.0, 2), (f32::NAN, 0), (1.0, 1), (-0.0, 5), (0.0, 4)]
            .map(|(value, index)| Ranked { value, index })
            .into();
        ranks.sort();
        assert_eq!(ranks.iter().map(|rank| rank.index).collect::<Vec<_>>(), [5, 4, 1, 2, 0]);
    }

    #[test]
    fn the_best_is_the_first_of_equals_and_never_nan() {
        assert_eq!(least([f32::NAN, 2.0, 1.0, 1.0]), Some(2));
        assert_eq!(greatest([f32::NAN, 2.0, 2.0, 1.0]), Some(1));
        assert_eq!(least([f32::NAN]), None);
        assert_eq!(greatest([]), None);
    }
}
