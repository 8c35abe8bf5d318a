//! The rows of `figures/limits.yaml`, read and checked once; and their last figures, written back line by line, so that
//! comments and order stay as they are.

use sentir_asset::{AssetError, Placed, Refusal, parse};
use serde::Deserialize;

use super::bound::{Bound, Side};
use super::figure::{Figure, FigureSpec};

/// The file, from the root.
pub const FILE: &str = "figures/limits.yaml";

/// When a row is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// In the suite, too: never by the clock, and within seconds.
    Sample,
    /// By `prove limits`.
    Quick,
    /// By `prove limits --all`.
    Long,
}

/// One promise with a number.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub name: String,
    /// What is promised, in a sentence.
    pub promise: String,
    pub class: Class,
    /// What measures it, but for seeds and `--json`.
    pub command: String,
    /// First and last seed.
    pub seeds: Option<[u64; 2]>,
    pub figure: Figure,
    pub limit: Bound,
    pub unmet: Option<Unmet>,
    /// Share by which the figure may differ from the last one without anything having changed.
    pub noise: f64,
    pub by_clock: bool,
    pub last: Option<Last>,
}

/// A target that is not reached: truth over target, and `limit` then is what must not get worse.
#[derive(Clone, Debug, PartialEq)]
pub struct Unmet {
    pub target: Bound,
    pub why: String,
}

/// What was measured last.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Last {
    pub value: f64,
    /// The 95 % interval, where there is one.
    #[serde(default)]
    pub interval: Option<[f64; 2]>,
    pub date: String,
    pub commit: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileSpec {
    rows: Vec<RowSpec>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RowSpec {
    name: Placed<String>,
    promise: String,
    class: Class,
    command: String,
    #[serde(default)]
    seeds: Option<[u64; 2]>,
    figure: FigureSpec,
    limit: Placed<String>,
    #[serde(default)]
    unmet: Option<UnmetSpec>,
    #[serde(default)]
    noise: f64,
    #[serde(default)]
    clock: bool,
    #[serde(default)]
    last: Option<Last>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UnmetSpec {
    target: Placed<String>,
    why: String,
}

/// Reads the rows; a refusal names the line and column.
pub fn read(text: &str) -> Result<Vec<Row>, String> {
    let refuse = |refusal| AssetError::new(FILE, refusal).to_string();
    let file: FileSpec = parse(text.as_bytes(), FILE).map_err(|error| error.to_string())?;
    let mut rows: Vec<Row> = Vec::new();
    for spec in file.rows {
        let place = spec.name.place;
        if rows.iter().any(|row| row.name == spec.name.value) {
            return Err(refuse(Refusal::wrong(place, format!("two rows are called `{}`", spec.name.value))));
        }
        rows.push(build(spec).map_err(refuse)?);
    }
    Ok(rows)
}

fn build(spec: RowSpec) -> Result<Row, Refusal> {
    let (name, place) = (spec.name.value, spec.name.place);
    let wrong = |sentence: String| Refusal::wrong(place, format!("the row `{name}`: {sentence}"));
    let is_plain = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
    if name.is_empty() || !name.chars().all(is_plain) {
        return Err(wrong("a name has small letters, digits and `-` only".to_owned()));
    }
    let bound = |text: &Placed<String>| Bound::parse(&text.value).map_err(|why| Refusal::wrong(text.place, why));
    let limit = bound(&spec.limit)?;
    let unmet = match spec.unmet {
        Some(UnmetSpec { target, why }) => Some(Unmet { target: bound(&target)?, why }),
        None => None,
    };
    if unmet.as_ref().is_some_and(|unmet| !unmet.target.is_within(&limit) || unmet.target.unit != limit.unit) {
        return Err(wrong(format!("its target must be within its limit, `{limit}`, in the same unit")));
    }
    if !(0.0..1.0).contains(&spec.noise) || (spec.clock && spec.noise > 0.0) {
        return Err(wrong("noise is a share from 0 to 1, and not given for a clock".to_owned()));
    }
    let figure = spec.figure.build(&spec.command, spec.seeds).map_err(wrong)?;
    if matches!((&figure, limit.side), (Figure::Outcome(_), Side::AtMost(_))) {
        return Err(wrong("an outcome needs a least share: a misspelled one would keep to any greatest".to_owned()));
    }
    let is_bare = |command: &str| {
        ["sentir ", "cargo tree "].iter().any(|start| command.starts_with(start)) && !command.contains('{')
    };
    if spec.class == Class::Sample && (spec.clock || !is_bare(&spec.command)) {
        let sentence = "what the suite measures must be the same on every machine: no clock, no files from elsewhere, \
                        the program `sentir` or `cargo tree` alone";
        return Err(wrong(sentence.to_owned()));
    }
    let RowSpec { promise, class, command, seeds, noise, clock, last, .. } = spec;
    Ok(Row { name, promise, class, command, seeds, figure, limit, unmet, noise, by_clock: clock, last })
}

/// The text with new last figures; all else stays to the letter.
pub fn rewritten(text: &str, updates: &[(String, Last)]) -> String {
    let mut lines = Vec::new();
    // The update of the row one is in, until its line is found.
    let mut open: Option<(String, &Last)> = None;
    for line in text.lines() {
        let content = line.trim_start();
        let indent = &line[..line.len() - content.len()];
        if let Some(rest) = content.strip_prefix("- name:") {
            let name = rest.split(" #").next().unwrap_or_default().trim();
            lines.extend(open.take().map(|(indent, last)| rendered(&indent, last)));
            let update = updates.iter().find(|(one, _)| one == name);
            open = update.map(|(_, last)| (format!("{indent}  "), last));
        }
        match open.take_if(|_| content.starts_with("last:")) {
            Some((indent, last)) => lines.push(rendered(&indent, last)),
            None => lines.push(line.to_owned()),
        }
    }
    lines.extend(open.map(|(indent, last)| rendered(&indent, last)));
    lines.join("\n") + "\n"
}

fn rendered(indent: &str, last: &Last) -> String {
    let interval = last.interval.map(|[low, high]| format!("interval: [{}, {}], ", kept(low), kept(high)));
    let Last { value, date, commit, .. } = last;
    let interval = interval.unwrap_or_default();
    format!("{indent}last: {{ value: {}, {interval}date: {date}, commit: \"{commit}\" }}", kept(*value))
}

/// A number with at most nine digits that count: as exact as verdicts are.
fn kept(value: f64) -> f64 {
    format!("{value:.8e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str = "\
# Promises.
rows:
# How fast.
- name: step
  promise: a step is quick
  class: quick
  command: sentir bench loop
  figure: { key: step_1 }
  limit: at most 1 ms
  clock: true
  last: { value: 0.5, date: 2026-11-17, commit: abc1234 }

- name: fights  # a remark
  promise: most are won
  class: sample
  command: sentir battery firefight
  seeds: [1, 40]
  figure: { outcome: the soldiers win }
  limit: from 0.5 to 0.75
  unmet: { target: from 0.6 to 0.7, why: aim }
";

    #[test]
    fn rows_are_read() {
        let rows = read(TWO).expect("a right file");
        let last = Last { value: 0.5, interval: None, date: "2026-11-17".to_owned(), commit: "abc1234".to_owned() };
        assert_eq!((rows[0].class, rows[0].by_clock, rows[0].last.clone()), (Class::Quick, true, Some(last)));
        assert_eq!((rows[1].seeds, rows[1].limit.side), (Some([1, 40]), Side::Between(0.5, 0.75)));
        assert_eq!(rows[1].figure, Figure::Outcome("the soldiers win".to_owned()));
        assert_eq!(rows[1].unmet.as_ref().map(|unmet| unmet.why.as_str()), Some("aim"));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        for (from, to, expected) in [
            ("  class: quick\n", "  class: slow\n", ":6:"),
            ("  clock: true\n", "  clocks: true\n", "unknown key `clocks` (did you mean `clock`?)"),
            ("at most 1 ms", "under 1 ms", "figures/limits.yaml:9:10: a limit is `at most N UNIT`"),
            ("name: fights", "name: step", "figures/limits.yaml:13:9: two rows are called `step`"),
            ("name: step", "name: Step", "a name has small letters"),
            ("from 0.6 to 0.7", "from 0.4 to 0.7", "its target must be within its limit"),
            ("from 0.6 to 0.7", "from 0.6 to 0.7 ms", "in the same unit"),
            ("  clock: true\n", "  clock: true\n  noise: 0.1\n", "not given for a clock"),
            (
                "limit: from 0.5 to 0.75\n  unmet: { target: from 0.6 to 0.7, why: aim }",
                "limit: at most 1",
                "a least share",
            ),
            ("class: quick", "class: sample", "the same on every machine"),
            ("sentir bench loop", "sentir dance", "what runs is"),
            ("  promise: a step is quick\n", "", "promise"),
        ] {
            assert!(TWO.contains(from), "{from}");
            let error = read(&TWO.replace(from, to)).expect_err(to);
            assert!(error.contains(expected), "{to}: {error}");
        }
    }

    #[test]
    fn only_last_figures_are_rewritten() {
        let last =
            |value, interval| Last { value, interval, date: "2026-12-01".to_owned(), commit: "def+changes".to_owned() };
        let updates = [("step".to_owned(), last(0.25, None)), ("fights".to_owned(), last(0.65, Some([0.6, 0.7])))];
        let text = rewritten(TWO, &updates);
        let expected = TWO.replace(
            "last: { value: 0.5, date: 2026-11-17, commit: abc1234 }",
            "last: { value: 0.25, date: 2026-12-01, commit: \"def+changes\" }",
        ) + "  last: { value: 0.65, interval: [0.6, 0.7], date: 2026-12-01, commit: \"def+changes\" }\n";
        assert_eq!(text, expected);
        let rows = read(&text).expect("still a right file");
        assert_eq!(rows[1].last, Some(last(0.65, Some([0.6, 0.7]))));
        assert_eq!(rewritten(TWO, &[]), TWO);
    }

    #[test]
    fn a_row_without_a_last_figure_gets_one_before_the_next_row() {
        let text = TWO.replace("  last: { value: 0.5, date: 2026-11-17, commit: abc1234 }\n\n", "");
        let last = Last { value: 1.0 / 3.0, interval: None, date: "2026-12-01".to_owned(), commit: "5e10".to_owned() };
        let text = rewritten(&text, &[("step".to_owned(), last.clone())]);
        assert!(text.contains("  clock: true\n  last: { value: 0.333333333, "), "{text}");
        // A hash that looks like a number stays a text.
        assert_eq!(read(&text).expect("a right file")[0].last.as_ref().map(|last| last.commit.as_str()), Some("5e10"));
    }
}
