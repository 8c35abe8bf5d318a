//! Response curves: how much an input matters, both from 0 to 1.

use std::cmp::Ordering;

use sentir_core::math;
use serde::Deserialize;

/// A curve from 0..=1 to 0..=1; what leaves the range is cut off, NaN is 0.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Curve {
    /// slope · x + shift.
    Linear {
        /// Rise over the whole input.
        #[serde(default = "one")]
        slope: f32,
        /// Value at 0.
        #[serde(default)]
        shift: f32,
    },
    /// slope · (x − middle) ^ exponent + shift. A power of something negative counts as 0 unless the exponent is whole.
    Polynomial {
        /// The power.
        exponent: f32,
        /// Factor.
        #[serde(default = "one")]
        slope: f32,
        /// Where the power is 0.
        #[serde(default)]
        middle: f32,
        /// Added at the end.
        #[serde(default)]
        shift: f32,
    },
    /// 1 / (1 + e^(−slope · (x − middle))): a soft step up, or down with a negative slope.
    Logistic {
        /// Steepness; 10 is a usual value.
        slope: f32,
        /// Where it is one half.
        #[serde(default = "half")]
        middle: f32,
    },
    /// slope · ln(x / (1 − x)) + one half: steep at both ends, flat between them.
    Logit {
        /// Factor; 0.1 is a usual value, negative turns it over.
        slope: f32,
    },
    /// e^(−((x − middle) / width)² / 2): matters most in the middle.
    Bell {
        /// Where it is 1.
        #[serde(default = "half")]
        middle: f32,
        /// How far from the middle it is about 0.6. Limit: > 0.
        width: f32,
    },
    /// Straight lines between points of (x, y), ascending by x; the ends are held.
    Table(Vec<[f32; 2]>),
}

impl Default for Curve {
    fn default() -> Self {
        Curve::Linear { slope: 1.0, shift: 0.0 }
    }
}

fn one() -> f32 {
    1.0
}

fn half() -> f32 {
    0.5
}

/// How near to its ends the logit is looked at: it is infinite there. About ±6.9 times the slope.
const LOGIT_END: f32 = 1.0 / 1024.0;

impl Curve {
    /// What is wrong with it, if anything.
    pub fn problem(&self) -> Option<String> {
        match self {
            Curve::Bell { width, .. } if width.is_nan() || *width <= 0.0 => {
                Some(format!("a bell is {width} wide: expected more than 0"))
            }
            Curve::Table(points) if points.is_empty() => {
                Some("a table without points: expected at least one".to_owned())
            }
            Curve::Table(points) => {
                let wrong = points.windows(2).find(|pair| pair[0][0].partial_cmp(&pair[1][0]) != Some(Ordering::Less));
                wrong.map(|pair| format!("{} follows {} in a table: expected ascending inputs", pair[1][0], pair[0][0]))
            }
            _ => None,
        }
    }

    /// The value at an input, which is held to 0..=1.
    pub fn at(&self, input: f32) -> f32 {
        // NaN becomes 0: what is not known does not matter.
        let x = if input.is_nan() { 0.0 } else { math::saturate(input) };
        let y = match self {
            Curve::Linear { slope, shift } => slope * x + shift,
            Curve::Polynomial { exponent, slope, middle, shift } => slope * power(x - middle, *exponent) + shift,
            Curve::Logistic { slope, middle } => 1.0 / (1.0 + math::exp(-slope * (x - middle))),
            Curve::Logit { slope } => {
                let x = math::clamp(x, LOGIT_END, 1.0 - LOGIT_END);
                slope * math::ln(x / (1.0 - x)) + 0.5
            }
            Curve::Bell { middle, width } => {
                let far = (x - middle) / width;
                math::exp(-0.5 * far * far)
            }
            Curve::Table(points) => between(points, x),
        };
        if y.is_nan() { 0.0 } else { math::saturate(y) }
    }
}

fn power(base: f32, exponent: f32) -> f32 {
    if exponent == exponent.round() && exponent.abs() <= 64.0 {
        math::powi(base, exponent as i32)
    } else {
        math::pow(math::max(base, 0.0), exponent)
    }
}

fn between(points: &[[f32; 2]], x: f32) -> f32 {
    let after = points.partition_point(|point| point[0] <= x);
    match (after.checked_sub(1).map(|at| points[at]), points.get(after)) {
        (Some([x0, y0]), Some(&[x1, y1])) => math::lerp(y0, y1, (x - x0) / (x1 - x0)),
        (Some([_, y]), None) => y,
        (None, Some(&[_, y])) => y,
        (None, None) => 0.0,
    }
}
