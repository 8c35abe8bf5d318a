//! Several behaviors, one body: how wishes become one acceleration.
//!
//! | room | holds |
//! |---|---|
//! | here | sums: truncated, weighted, prioritized |
//! | [`arbiter`] | turns by groups: a round robin with quanta |
//! | [`context`] | interest and danger in all directions |
//! | [`behavior`] | behaviors as data, each with weight and target, switched on and off by a set of bits |
//!
//! The sums are plain functions of wishes in any order one likes; nothing they give is longer than the limit.

pub mod arbiter;
pub mod behavior;
pub mod context;

use sentir_core::glam::Vec2;

use crate::mover::limited;

pub use arbiter::{Arbiter, Group, Scheme, Turn};
pub use behavior::{Around, Behavior, BehaviorKind, Combiner, Memory, Part, PartSet, Repertoire, Target};
pub use context::ContextMap;

/// The sum of all wishes, cut at the limit.
pub fn truncated_sum(limit: f32, wishes: impl IntoIterator<Item = Vec2>) -> Vec2 {
    weighted_sum(limit, wishes.into_iter().map(|wish| (1.0, wish)))
}

/// The sum of all wishes by weight, cut at the limit. A wish or weight that is no number does not count.
pub fn weighted_sum(limit: f32, wishes: impl IntoIterator<Item = (f32, Vec2)>) -> Vec2 {
    let mut sum = Vec2::ZERO;
    for (weight, wish) in wishes {
        let part = wish * weight;
        if part.is_finite() {
            sum += part;
        }
    }
    limited(sum, limit)
}

/// Wishes by weight in the order of their priority, each as far as the limit goes: lengths add up, the last one is cut to
/// what is left, and what comes after is not even asked for. The wishes are pulled one by one, so let the iterator work
/// them out lazily.
pub fn prioritized_sum(limit: f32, wishes: impl IntoIterator<Item = (f32, Vec2)>) -> Vec2 {
    let (mut sum, mut left) = (Vec2::ZERO, limit);
    let mut wishes = wishes.into_iter();
    // Not for a limit that is no number either.
    while left > 0.0 {
        let Some((weight, wish)) = wishes.next() else { break };
        let part = wish * weight;
        if part.is_nan() {
            continue;
        }
        let clamped = limited(part, left);
        // The length that was spent, not the length of the sum: two that cancel out have both been heard.
        left -= clamped.length();
        sum += clamped;
        if clamped != part {
            break;
        }
    }
    limited(sum, limit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn sums_are_cut_at_the_limit() {
        assert_eq!(truncated_sum(5.0, [Vec2::X, Vec2::Y * 2.0]), Vec2::new(1.0, 2.0));
        assert_eq!(truncated_sum(5.0, [Vec2::X * 30.0, Vec2::Y * 40.0]), Vec2::new(3.0, 4.0));
        assert_eq!(weighted_sum(9.0, [(2.0, Vec2::X), (0.5, Vec2::Y), (f32::NAN, Vec2::ONE)]), Vec2::new(2.0, 0.5));
        assert_eq!(weighted_sum(-1.0, [(1.0, Vec2::X)]), Vec2::ZERO);
    }

    #[test]
    fn priority_fills_the_budget_and_asks_no_further() {
        let asked = std::cell::Cell::new(0);
        let wishes = [(1.0, Vec2::X * 3.0), (2.0, Vec2::Y * 2.0), (1.0, Vec2::NEG_X * 9.0)];
        let lazily = || {
            asked.set(0);
            wishes.iter().map(|&wish| {
                asked.set(asked.get() + 1);
                wish
            })
        };
        assert_eq!(prioritized_sum(100.0, lazily()), Vec2::new(-6.0, 4.0));
        // 3 of 5 go to the first, 2 of the second's 4 fit.
        assert_eq!((prioritized_sum(5.0, lazily()), asked.get()), (Vec2::new(3.0, 2.0), 2));
        // Used up to the last bit: the next is not computed. The source computes one more.
        assert_eq!((prioritized_sum(3.0, lazily()), asked.get()), (Vec2::X * 3.0, 1));
        assert_eq!((prioritized_sum(0.0, lazily()), asked.get()), (Vec2::ZERO, 0));
    }

    proptest! {
        #[test]
        fn no_sum_is_longer_than_its_limit_or_no_number(
            wishes in proptest::collection::vec((any::<f32>(), any::<f32>(), any::<f32>()), 0..8),
            limit in 0.0f32..1e6,
        ) {
            let wishes: Vec<(f32, Vec2)> = wishes.iter().map(|&(weight, x, y)| (weight, Vec2::new(x, y))).collect();
            for sum in [
                truncated_sum(limit, wishes.iter().map(|wish| wish.1)),
                weighted_sum(limit, wishes.iter().copied()),
                prioritized_sum(limit, wishes.iter().copied()),
            ] {
                prop_assert!(sum.is_finite() && sum.length() <= limit * 1.000_01, "{}", sum);
            }
        }
    }
}
