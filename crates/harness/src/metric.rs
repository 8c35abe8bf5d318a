//! The figures that a match reports.

/// A number that a match reports.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Metric {
    /// Name with its unit, as in `walked_m`.
    pub name: &'static str,
    /// Value; NaN where there is nothing to tell, as the time of something that did not happen.
    pub value: f64,
}

impl Metric {
    /// A metric from a single-precision figure, in its shortest decimal form: 0.1 stays 0.1.
    pub fn new(name: &'static str, value: f32) -> Metric {
        Metric { name, value: value.to_string().parse().unwrap_or(f64::NAN) }
    }
}
