//! Times as designers write them: seconds, give or take, so that decisions look thought.

use sentir_core::random::Stream;
use sentir_core::tick::TickRate;
use serde::de::{Deserialize, Deserializer, Error as _};

use crate::value::Literal;

/// A time with a deviation: `2 s ± 0.5`. In files a number of seconds, `[2, 0.5]`, or the text `2 ± 0.5`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Span {
    /// Mean, s. Negative and NaN count as 0.
    pub seconds: f32,
    /// The most it may be shorter or longer, s, each length equally likely. 0 draws nothing.
    pub deviation_s: f32,
}

impl Span {
    /// Exactly so many seconds.
    pub const fn exact(seconds: f32) -> Span {
        Span { seconds, deviation_s: 0.0 }
    }

    /// So many seconds, give or take.
    pub const fn about(seconds: f32, deviation_s: f32) -> Span {
        Span { seconds, deviation_s }
    }

    /// The time in ticks; `random` is asked only if there is a deviation.
    pub fn ticks(self, rate: TickRate, random: impl FnOnce() -> Stream) -> u64 {
        // A deviation of NaN is none.
        if self.deviation_s > 0.0 {
            rate.ticks(random().about(self.seconds, self.deviation_s))
        } else {
            rate.ticks(self.seconds)
        }
    }

    fn checked(seconds: f64, deviation_s: f64) -> Option<Span> {
        let is_fine = |number: f64| (0.0..=1.0e6).contains(&number);
        let span = Span { seconds: seconds as f32, deviation_s: deviation_s as f32 };
        (is_fine(seconds) && is_fine(deviation_s)).then_some(span)
    }

    fn parse(text: &str) -> Option<Span> {
        let number = |part: &str| part.trim().trim_end_matches('s').trim().parse().ok();
        match text.split_once('±') {
            Some((mean, deviation)) => Span::checked(number(mean)?, number(deviation)?),
            None => Span::checked(number(text)?, 0.0),
        }
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let span = match Literal::deserialize(deserializer)? {
            Literal::Int(number) => Span::checked(number as f64, 0.0),
            Literal::Float(number) => Span::checked(number, 0.0),
            Literal::Numbers(numbers) => match numbers[..] {
                [seconds, deviation] => Span::checked(seconds, deviation),
                _ => None,
            },
            Literal::Text(text) => Span::parse(&text),
            Literal::Bool(_) => None,
        };
        span.ok_or_else(|| {
            D::Error::custom("not a time: expected seconds, as in 2, [2, 0.5] or 2 ± 0.5, none negative")
        })
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Span {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "span".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "A time in seconds, as in 2, [2, 0.5] or 2 ± 0.5.",
            "anyOf": [
                {"type": "number", "minimum": 0},
                {"type": "array", "items": {"type": "number", "minimum": 0}, "minItems": 2, "maxItems": 2},
                {"type": "string"},
            ],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sentir_asset::{Node, parse};
    use sentir_core::random::{Purpose, Streams};

    fn read(text: &str) -> Result<Span, String> {
        let node: Node = parse(text.as_bytes(), "a.yaml").unwrap();
        node.read().map_err(|refusal| refusal.to_string())
    }

    #[test]
    fn times_read_as_designers_write_them() {
        assert_eq!(read("2"), Ok(Span::exact(2.0)));
        assert_eq!(read("[2, 0.5]"), Ok(Span::about(2.0, 0.5)));
        assert_eq!(read("2 s ± 0.5"), Ok(Span::about(2.0, 0.5)));
        let wrong = "not a time: expected seconds, as in 2, [2, 0.5] or 2 ± 0.5, none negative";
        for text in ["-1", "soon", "[1, 2, 3]", "true", "2 ± -1", "1e9"] {
            assert_eq!(read(text), Err(format!("1:1: {wrong}")), "{text}");
        }
    }

    #[test]
    fn drawn_times_stay_within_their_deviation() {
        let rate = TickRate::new(10);
        let random = |owner| move || Streams { seed: 1 }.stream(owner, Purpose::new("span"));
        let drawn: Vec<u64> = (0..200).map(|owner| Span::about(2.0, 0.5).ticks(rate, random(owner))).collect();
        assert!(drawn.iter().all(|ticks| (15..=25).contains(ticks)));
        assert!(drawn.iter().any(|&ticks| ticks < 18) && drawn.iter().any(|&ticks| ticks > 22));
        assert_eq!(Span::exact(2.0).ticks(rate, || unreachable!("nothing to draw")), 20);
        assert_eq!(Span::exact(-1.0).ticks(rate, || unreachable!("nothing to draw")), 0);
    }
}
