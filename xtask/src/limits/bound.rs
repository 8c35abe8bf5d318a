//! A limit: at most, at least, or between two numbers, with a unit. `at most 8_000_000 instructions` is how it is written.

use std::fmt;

/// What a figure must keep to.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    pub side: Side,
    /// For people; two bounds of one row have the same.
    pub unit: String,
}

/// On which side the good figures are; the numbers themselves are good.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Side {
    AtMost(f64),
    AtLeast(f64),
    Between(f64, f64),
}

impl Bound {
    /// Reads `at most N UNIT`, `at least N UNIT` or `from N to M UNIT`.
    pub fn parse(text: &str) -> Result<Bound, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let refuse =
            || format!("a limit is `at most N UNIT`, `at least N UNIT` or `from N to M UNIT`, but this is `{text}`");
        let (side, rest) = match words[..] {
            ["at", "most", limit, ref rest @ ..] => (Side::AtMost(number(limit).ok_or_else(refuse)?), rest),
            ["at", "least", limit, ref rest @ ..] => (Side::AtLeast(number(limit).ok_or_else(refuse)?), rest),
            ["from", low, "to", high, ref rest @ ..] => {
                let (low, high) = (number(low).ok_or_else(refuse)?, number(high).ok_or_else(refuse)?);
                (Side::Between(low, high), rest)
            }
            _ => return Err(refuse()),
        };
        if let Side::Between(low, high) = side
            && low >= high
        {
            return Err(format!("a limit goes from the lesser to the greater number, but this is `{text}`"));
        }
        Ok(Bound { side, unit: rest.join(" ") })
    }

    /// Whether a figure keeps to it. What is not a number never does.
    pub fn holds(&self, value: f64) -> bool {
        match self.side {
            Side::AtMost(limit) => value <= limit,
            Side::AtLeast(limit) => value >= limit,
            Side::Between(low, high) => (low..=high).contains(&value),
        }
    }

    /// Whether one figure is better than another; between two numbers none is.
    pub fn prefers(&self, value: f64, to: f64) -> bool {
        match self.side {
            Side::AtMost(_) => value < to,
            Side::AtLeast(_) => value > to,
            Side::Between(..) => false,
        }
    }

    /// Whether whatever keeps to `self` keeps to `other`, too.
    pub fn is_within(&self, other: &Bound) -> bool {
        match (self.side, other.side) {
            (Side::AtMost(own), Side::AtMost(theirs)) => own <= theirs,
            (Side::AtLeast(own), Side::AtLeast(theirs)) => own >= theirs,
            (Side::Between(low, high), _) => other.holds(low) && other.holds(high),
            _ => false,
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.side {
            Side::AtMost(limit) => write!(out, "at most {}", shown(limit))?,
            Side::AtLeast(limit) => write!(out, "at least {}", shown(limit))?,
            Side::Between(low, high) => write!(out, "from {} to {}", shown(low), shown(high))?,
        }
        if self.unit.is_empty() { Ok(()) } else { write!(out, " {}", self.unit) }
    }
}

/// A number with `_` between its digits or not.
fn number(word: &str) -> Option<f64> {
    word.replace('_', "").parse::<f64>().ok().filter(|value| value.is_finite())
}

/// A figure for people: whole numbers in groups of three, others with four digits that count.
pub fn shown(value: f64) -> String {
    if !value.is_finite() {
        return "none".to_owned();
    }
    if value.fract() != 0.0 && value.abs() < 1000.0 {
        let decimals = (3.0 - value.abs().log10().floor()).clamp(1.0, 8.0) as usize;
        return format!("{value:.decimals$}").trim_end_matches('0').trim_end_matches('.').to_owned();
    }
    let digits = format!("{:.0}", value.abs());
    let mut text = String::from(if value < 0.0 { "-" } else { "" });
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_with_their_unit_and_told_as_they_are_written() {
        let bound = Bound::parse("at most 8_000_000 instructions a query").expect("a right limit");
        assert_eq!(bound, Bound { side: Side::AtMost(8e6), unit: "instructions a query".to_owned() });
        assert_eq!(bound.to_string(), "at most 8 000 000 instructions a query");
        assert_eq!(Bound::parse("at least 0.5").map(|it| it.to_string()).as_deref(), Ok("at least 0.5"));
        assert_eq!(Bound::parse("from 0.9 to 1.1 ×").map(|it| it.to_string()).as_deref(), Ok("from 0.9 to 1.1 ×"));
    }

    #[test]
    fn what_is_no_limit_is_refused() {
        for text in ["", "8", "most 8", "at most", "at most much", "from 1 2", "at most NaN", "under 8 ms"] {
            let error = Bound::parse(text).expect_err(text);
            assert!(error.starts_with("a limit is `at most N UNIT`"), "{error}");
        }
        assert!(Bound::parse("from 2 to 1").unwrap_err().contains("from the lesser to the greater"));
    }

    #[test]
    fn the_number_itself_is_good_and_no_number_never_is() {
        let of = |text| Bound::parse(text).expect("a right limit");
        assert!(of("at most 3").holds(3.0) && !of("at most 3").holds(3.001));
        assert!(of("at least 3").holds(3.0) && !of("at least 3").holds(2.999));
        assert!(of("from 1 to 2").holds(1.0) && of("from 1 to 2").holds(2.0) && !of("from 1 to 2").holds(2.1));
        for text in ["at most 3", "at least 3", "from 1 to 2"] {
            assert!(!of(text).holds(f64::NAN), "{text}");
        }
    }

    #[test]
    fn better_is_less_or_more_as_the_limit_says() {
        let of = |text| Bound::parse(text).expect("a right limit");
        assert!(of("at most 3").prefers(1.0, 2.0) && !of("at most 3").prefers(2.0, 2.0));
        assert!(of("at least 3").prefers(5.0, 4.0));
        assert!(!of("from 1 to 9").prefers(5.0, 4.0) && !of("from 1 to 9").prefers(4.0, 5.0));
    }

    #[test]
    fn a_target_is_within_the_limit_or_not() {
        let of = |text| Bound::parse(text).expect("a right limit");
        assert!(of("at most 3").is_within(&of("at most 4")) && !of("at most 4").is_within(&of("at most 3")));
        assert!(of("at least 4").is_within(&of("at least 3")) && !of("at least 4").is_within(&of("at most 9")));
        assert!(of("from 2 to 3").is_within(&of("from 1 to 3")) && !of("from 2 to 3").is_within(&of("from 2 to 2.5")));
    }

    #[test]
    fn figures_have_few_digits_and_groups_of_three() {
        let told = [0.0, 3_015_393.0, 1234.5, 999.0, 6.0972, 0.017_6, 0.000_123_45, -12_345.0, f64::NAN].map(shown);
        assert_eq!(told, ["0", "3 015 393", "1 234", "999", "6.097", "0.0176", "0.0001234", "-12 345", "none"]);
    }
}
