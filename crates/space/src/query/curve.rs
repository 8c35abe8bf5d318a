//! Curves from shares to shares: how much a value is worth.

use sentir_core::math;
use serde::Deserialize;

/// A curve over 0..=1. Whatever goes in, what comes out is 0..=1, and NaN is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Curve {
    /// More is better, evenly.
    #[default]
    Linear,
    /// Less is better, evenly.
    Inverse,
    /// More is better: share to the power.
    Power {
        /// The power. Limit: 0.01..=100; over 1 only much is good, under 1 some is nearly as good as much.
        exponent: f32,
    },
    /// Less is better: one less the share, to the power.
    InversePower {
        /// The power. Limit: 0.01..=100.
        exponent: f32,
    },
    /// All from a share on, nothing below.
    Step {
        /// From where on. Limit: 0..=1.
        at: f32,
    },
    /// From 0 to 1 with no bend at either end.
    Smooth,
    /// Best at one share, less on both sides.
    Bell {
        /// Where it is best. Limit: 0..=1.
        middle: f32,
        /// How far from there it has fallen to 1/e. Limit: 0.001..=100.
        width: f32,
    },
    /// An S about one share.
    Logistic {
        /// Where it is a half. Limit: 0..=1.
        middle: f32,
        /// How steep it is there; negative for falling. Limit: -1000..=1000, not 0.
        steepness: f32,
    },
}

impl Curve {
    /// What a share is worth.
    #[inline]
    pub fn at(self, share: f32) -> f32 {
        let share = if share > 0.0 { math::min(share, 1.0) } else { 0.0 };
        let worth = match self {
            Curve::Linear => share,
            Curve::Inverse => 1.0 - share,
            Curve::Power { exponent } => math::pow(share, exponent),
            Curve::InversePower { exponent } => math::pow(1.0 - share, exponent),
            Curve::Step { at } => f32::from(u8::from(share >= at)),
            Curve::Smooth => share * share * (3.0 - 2.0 * share),
            Curve::Bell { middle, width } => {
                let off = (share - middle) / width;
                math::exp(-off * off)
            }
            Curve::Logistic { middle, steepness } => 1.0 / (1.0 + math::exp(-steepness * (share - middle))),
        };
        if worth > 0.0 { math::min(worth, 1.0) } else { 0.0 }
    }

    /// The name of a parameter that is out of its limits, its value and the limits.
    pub fn flaw(self) -> Option<(&'static str, f32, &'static str)> {
        let held = |name, value: f32, low: f32, high: f32, limits| {
            (!(low..=high).contains(&value)).then_some((name, value, limits))
        };
        match self {
            Curve::Linear | Curve::Inverse | Curve::Smooth => None,
            Curve::Power { exponent } | Curve::InversePower { exponent } => {
                held("exponent", exponent, 0.01, 100.0, "0.01 to 100")
            }
            Curve::Step { at } => held("at", at, 0.0, 1.0, "0 to 1"),
            Curve::Bell { middle, width } => {
                held("middle", middle, 0.0, 1.0, "0 to 1").or(held("width", width, 0.001, 100.0, "0.001 to 100"))
            }
            Curve::Logistic { middle, steepness } => held("middle", middle, 0.0, 1.0, "0 to 1")
                .or(held("steepness", steepness, -1000.0, 1000.0, "-1000 to 1000, not 0"))
                .or((steepness == 0.0).then_some(("steepness", steepness, "-1000 to 1000, not 0"))),
        }
    }

    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Curve::Linear => "linear",
            Curve::Inverse => "inverse",
            Curve::Power { .. } => "power",
            Curve::InversePower { .. } => "inverse_power",
            Curve::Step { .. } => "step",
            Curve::Smooth => "smooth",
            Curve::Bell { .. } => "bell",
            Curve::Logistic { .. } => "logistic",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ALL: [Curve; 8] = [
        Curve::Linear,
        Curve::Inverse,
        Curve::Power { exponent: 2.0 },
        Curve::InversePower { exponent: 0.5 },
        Curve::Step { at: 0.5 },
        Curve::Smooth,
        Curve::Bell { middle: 0.5, width: 0.2 },
        Curve::Logistic { middle: 0.5, steepness: 10.0 },
    ];

    #[test]
    fn curves_go_through_their_points() {
        let ends = ALL.map(|curve| [curve.at(0.0), curve.at(0.5), curve.at(1.0)].map(|it| (it * 100.0).round()));
        let expected = [
            [0.0, 50.0, 100.0],
            [100.0, 50.0, 0.0],
            [0.0, 25.0, 100.0],
            [100.0, 71.0, 0.0],
            [0.0, 100.0, 100.0],
            [0.0, 50.0, 100.0],
            [0.0, 100.0, 0.0],
            [1.0, 50.0, 99.0],
        ];
        assert_eq!(ends, expected);
        assert!(ALL.iter().all(|curve| curve.flaw().is_none()));
    }

    #[test]
    fn parameters_out_of_their_limits_are_named() {
        let flaw = |curve: Curve| curve.flaw().map(|it| it.0);
        assert_eq!(flaw(Curve::Power { exponent: f32::NAN }), Some("exponent"));
        assert_eq!(flaw(Curve::Step { at: 2.0 }), Some("at"));
        assert_eq!(flaw(Curve::Bell { middle: 0.5, width: 0.0 }), Some("width"));
        assert_eq!(flaw(Curve::Logistic { middle: 0.5, steepness: 0.0 }), Some("steepness"));
    }

    proptest! {
        #[test]
        fn whatever_goes_in_a_share_comes_out(share in any::<f32>(), number in 0usize..8) {
            prop_assert!((0.0..=1.0).contains(&ALL[number].at(share)));
        }
    }
}
