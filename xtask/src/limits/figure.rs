//! How the figure of a row is found in what its command says: typed, so that no row depends on prose that may change.

use serde::Deserialize;
use serde_json::Value;

/// Where a figure is.
#[derive(Clone, Debug, PartialEq)]
pub enum Figure {
    /// A metric of `sentir run` or `sentir battery`.
    Metric { name: String, of: Stat },
    /// The mean of a metric over the matches of a battery that go on for longer than so many seconds.
    LongMatches { metric: String, after_s: f64 },
    /// The share of matches with an outcome.
    Outcome(String),
    /// A row of `sentir bench` by its key, or a further figure of it.
    Key { key: String, also: Option<String> },
    /// A number of a JSON object by its name.
    Field(String),
    /// Instructions of one round, by callgrind, from the difference between two counts of rounds; `each` is what a round does.
    Instructions { rounds: [u64; 2], each: u64 },
    /// Bytes of a file, from the root; `sentir` is the program.
    Bytes(String),
    /// Bytes of a file when it is gzipped.
    Gzipped(String),
    /// Crates that `cargo tree --prefix none` lists, each version once, but for those whose name begins so.
    CratesBesides(String),
    /// The number that stands for `{}` in the last line that has the words around it.
    Text(String),
}

/// What of a metric over many matches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stat {
    #[default]
    Mean,
    /// Over all matches: for what is counted.
    Sum,
    Min,
    Median,
    P90,
    Max,
}

/// A figure as it is written.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FigureSpec {
    metric: Option<String>,
    of: Option<Stat>,
    after_s: Option<f64>,
    outcome: Option<String>,
    key: Option<String>,
    also: Option<String>,
    field: Option<String>,
    instructions: Option<[u64; 2]>,
    each: Option<u64>,
    bytes: Option<String>,
    gzipped: Option<String>,
    crates_besides: Option<String>,
    text: Option<String>,
}

/// What a row is measured by: the beginning of its command, the figures it gives, and whether it takes seeds.
const PROGRAMS: &[(&str, &[&str], bool)] = &[
    ("sentir run ", &["metric", "outcome", "field"], true),
    ("sentir battery ", &["metric", "outcome"], true),
    ("sentir honesty", &["field"], true),
    ("sentir bench ", &["key"], false),
    ("callgrind ", &["instructions"], false),
    ("cargo tree ", &["crates_besides"], false),
    ("cargo ", &["bytes", "gzipped", "text"], false),
];

impl FigureSpec {
    /// The figure, if it is one and the command gives it.
    pub fn build(self, command: &str, seeds: Option<[u64; 2]>) -> Result<Figure, String> {
        let Some(&(program, kinds, takes_seeds)) = PROGRAMS.iter().find(|(start, ..)| command.starts_with(start))
        else {
            let known: Vec<_> = PROGRAMS.iter().map(|(start, ..)| start.trim()).collect();
            return Err(format!("what runs is one of `{}`, but not `{command}`", known.join("`, `")));
        };
        let is_right = match seeds {
            Some([first, last]) => first == last || (first < last && program == "sentir battery "),
            None => !takes_seeds,
        };
        if !is_right || (seeds.is_some() && !takes_seeds) {
            let rule = "`seeds: [FIRST, LAST]` is for batteries, `[SEED, SEED]` for runs and honesty";
            return Err(format!("{rule}, and nothing else takes any"));
        }
        let counts_rounds = command.contains(" #") == self.instructions.is_some();
        let (kind, figure) = self.one()?;
        if !kinds.contains(&kind) {
            return Err(format!("`{}` gives {}, but no {kind}", program.trim(), kinds.join(", ")));
        }
        if !counts_rounds {
            return Err("a word `#` of the command stands for the rounds of `instructions: [LESS, MORE]`".to_owned());
        }
        Ok(figure)
    }

    fn one(self) -> Result<(&'static str, Figure), String> {
        let found = match self {
            Self { metric: Some(name), of, after_s: None, .. } => {
                ("metric", Figure::Metric { name, of: of.unwrap_or_default() })
            }
            Self { metric: Some(metric), of: None, after_s: Some(after_s), .. } => {
                ("metric", Figure::LongMatches { metric, after_s })
            }
            Self { outcome: Some(name), .. } => ("outcome", Figure::Outcome(name)),
            Self { key: Some(key), also, .. } => ("key", Figure::Key { key, also }),
            Self { field: Some(name), .. } => ("field", Figure::Field(name)),
            Self { instructions: Some([less, more]), each, .. } if less < more => {
                ("instructions", Figure::Instructions { rounds: [less, more], each: each.unwrap_or(1).max(1) })
            }
            Self { bytes: Some(path), .. } => ("bytes", Figure::Bytes(path)),
            Self { gzipped: Some(path), .. } => ("gzipped", Figure::Gzipped(path)),
            Self { crates_besides: Some(ours), .. } => ("crates_besides", Figure::CratesBesides(ours)),
            Self { text: Some(words), .. } if words.contains("{}") => ("text", Figure::Text(words)),
            _ => {
                let sentence = "a figure is `metric: NAME` (with `of` or `after_s`), `outcome: NAME`, `key: NAME` (with \
                                `also`), `field: NAME`, `instructions: [LESS, MORE]` (with `each`), `bytes: FILE`, \
                                `gzipped: FILE`, `crates_besides: NAME` or `text: WORDS {} WORDS`";
                return Err(sentence.to_owned());
            }
        };
        Ok(found)
    }
}

/// A figure that was found, with its 95 % interval where there is one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    pub value: f64,
    pub interval: Option<[f64; 2]>,
}

impl From<f64> for Reading {
    fn from(value: f64) -> Self {
        Reading { value, interval: None }
    }
}

/// Finds a figure in what a command said: JSON, or plain text for [`Figure::Text`] and [`Figure::CratesBesides`].
pub fn find(figure: &Figure, output: &str) -> Result<Reading, String> {
    if let Figure::Text(words) = figure {
        return number_in(words, output).map(Reading::from).ok_or_else(|| format!("no line is like `{words}`"));
    }
    if let Figure::CratesBesides(ours) = figure {
        return crates_besides(ours, output).map(|count| Reading::from(count as f64));
    }
    let object: Value = serde_json::from_str(output.trim()).map_err(|error| format!("it gave no JSON: {error}"))?;
    match figure {
        Figure::Metric { name, of } => metric(&object, name, *of),
        Figure::Outcome(name) => outcome(&object, name),
        Figure::Key { key, also } => keyed(&object, key, also.as_deref()),
        Figure::Field(name) => object
            .get(name)
            .and_then(Value::as_f64)
            .map(Reading::from)
            .ok_or_else(|| format!("it has no number `{name}`")),
        Figure::LongMatches { .. }
        | Figure::Instructions { .. }
        | Figure::Bytes(_)
        | Figure::Gzipped(_)
        | Figure::CratesBesides(_)
        | Figure::Text(_) => Err("it is not found in JSON".to_owned()),
    }
}

fn metric(object: &Value, name: &str, of: Stat) -> Result<Reading, String> {
    let missing = || format!("it has no metric `{name}`");
    let Some(scene) = object.get("scenes").and_then(|scenes| scenes.get(0)) else {
        let found = ["metrics", "stupidity"].iter().find_map(|part| object.get(part)?.get(name)?.as_f64());
        return found.map(Reading::from).ok_or_else(missing);
    };
    let all = scene.get("metrics").and_then(Value::as_array).ok_or_else(missing)?;
    let one = all.iter().find(|one| one.get("metric").and_then(Value::as_str) == Some(name)).ok_or_else(missing)?;
    let number = |key: &str| one.get(key).and_then(Value::as_f64);
    let found = match of {
        Stat::Mean => number("mean"),
        Stat::Sum => number("mean").zip(number("matches")).map(|(mean, matches)| (mean * matches * 1e6).round() / 1e6),
        Stat::Min => number("min"),
        Stat::Median => number("median"),
        Stat::P90 => number("p90"),
        Stat::Max => number("max"),
    };
    let interval = number("low").zip(number("high")).filter(|_| of == Stat::Mean).map(|(low, high)| [low, high]);
    Ok(Reading { value: found.ok_or_else(|| format!("the metric `{name}` has nothing to tell"))?, interval })
}

/// The share of an outcome; one that never came has 0.
fn outcome(object: &Value, name: &str) -> Result<Reading, String> {
    let Some(scene) = object.get("scenes").and_then(|scenes| scenes.get(0)) else {
        let ending = object.get("outcome").and_then(Value::as_str);
        return Ok(Reading::from(if ending == Some(name) { 1.0 } else { 0.0 }));
    };
    let all = scene.get("outcomes").and_then(Value::as_array).ok_or("it has no outcomes")?;
    let Some(one) = all.iter().find(|one| one.get("outcome").and_then(Value::as_str) == Some(name)) else {
        return Ok(Reading::from(0.0));
    };
    let number = |key: &str| one.get(key).and_then(Value::as_f64).ok_or_else(|| format!("the outcome has no `{key}`"));
    Ok(Reading { value: number("share")?, interval: Some([number("low")?, number("high")?]) })
}

fn keyed(object: &Value, key: &str, also: Option<&str>) -> Result<Reading, String> {
    let items = object.get("items").and_then(Value::as_array).into_iter().flatten();
    let rows: Vec<&Value> = items.filter_map(|item| item.get("rows")?.as_array()).flatten().collect();
    let of = |row: &Value| row.get("key").and_then(Value::as_str).map(str::to_owned);
    let Some(row) = rows.iter().find(|row| of(row).as_deref() == Some(key)) else {
        let keys: Vec<String> = rows.iter().filter_map(|row| of(row)).collect();
        let nearest = sentir_asset::nearest(key, keys.iter().map(String::as_str));
        let hint =
            nearest.map_or_else(|| format!("; it has {}", keys.join(", ")), |one| format!(", did you mean `{one}`?"));
        return Err(format!("it has no row `{key}`{hint}"));
    };
    let found = match also {
        None => row.get("value"),
        Some(name) => row.get("also").and_then(|also| also.get(name)),
    };
    let what = also.map_or_else(String::new, |name| format!(" of `{name}`"));
    found.and_then(Value::as_f64).map(Reading::from).ok_or_else(|| format!("the row `{key}` has no number{what}"))
}

/// The number between the words before and after `{}`, in the last line that has them.
fn number_in(words: &str, text: &str) -> Option<f64> {
    let (before, after) = words.split_once("{}")?;
    text.lines().rev().find_map(|line| {
        let rest = &line[line.find(before)? + before.len()..];
        let end = if after.is_empty() { rest.len() } else { rest.find(after)? };
        rest[..end].trim().parse().ok()
    })
}

/// Names and versions in the lines of a `cargo tree`, each once; none at all is an error, as is no crate of ours.
fn crates_besides(ours: &str, tree: &str) -> Result<usize, String> {
    let lines = tree.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        Some((words.next()?, words.next()?))
    });
    let all: std::collections::BTreeSet<(&str, &str)> = lines.collect();
    let others = all.iter().filter(|(name, _)| !name.starts_with(ours)).count();
    if others == all.len() { Err(format!("it lists no crate `{ours}…`")) } else { Ok(others) }
}

/// Matches of a battery's CSV that go on for longer than `after_s`: the mean of a metric over them, and how many they are.
pub fn long_matches(csv: &str, metric: &str, after_s: f64) -> Result<(f64, usize), String> {
    let mut rows = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = rows.next().unwrap_or_default();
    let place =
        |name: &str| head.iter().position(|one| *one == name).ok_or_else(|| format!("the table has no `{name}`"));
    let (seconds, metric) = (place("seconds")?, place(metric)?);
    let number = |row: &[&str], at: usize| row.get(at).and_then(|text| text.parse::<f64>().ok());
    let long = rows.filter(|row| number(row, seconds).is_some_and(|seconds| seconds > after_s));
    let values: Vec<f64> = long.map(|row| number(&row, metric).unwrap_or(0.0)).collect();
    if values.is_empty() {
        return Err(format!("no match goes on for over {after_s} s"));
    }
    Ok((values.iter().sum::<f64>() / values.len() as f64, values.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(command: &str, seeds: Option<[u64; 2]>, yaml: &str) -> Result<Figure, String> {
        let spec: FigureSpec = sentir_asset::parse(yaml.as_bytes(), "x").map_err(|error| error.to_string())?;
        spec.build(command, seeds)
    }

    #[test]
    fn figures_fit_their_commands() {
        let stupid = Figure::Metric { name: "stupid".to_owned(), of: Stat::Sum };
        assert_eq!(figure("sentir battery duel", Some([1, 9]), "metric: stupid\nof: sum"), Ok(stupid));
        let count = Figure::Instructions { rounds: [1, 3], each: 42 };
        assert_eq!(figure("callgrind sentir_nav/x astar #", None, "instructions: [1, 3]\neach: 42"), Ok(count));
        for (command, seeds, yaml, expected) in [
            ("sentir dance", None, "key: a", "what runs is one of `sentir run`"),
            ("sentir bench loop", None, "metric: a", "`sentir bench` gives key, but no metric"),
            ("sentir bench loop", Some([1, 1]), "key: a", "nothing else takes any"),
            ("sentir battery duel", None, "metric: a", "`seeds: [FIRST, LAST]` is for batteries"),
            ("sentir battery duel", Some([9, 1]), "metric: a", "`seeds: [FIRST, LAST]` is for batteries"),
            ("sentir run duel", Some([1, 9]), "metric: a", "`[SEED, SEED]` for runs"),
            ("callgrind a/b c", None, "instructions: [1, 3]", "a word `#` of the command"),
            ("callgrind a/b #", None, "instructions: [3, 1]", "a figure is `metric: NAME`"),
            ("cargo xtask test", None, "text: total", "a figure is `metric: NAME`"),
            (
                "cargo xtask test",
                None,
                "crates_besides: x",
                "`cargo` gives bytes, gzipped, text, but no crates_besides",
            ),
            ("cargo tree", None, "crates_besides: x", "`cargo` gives bytes, gzipped, text, but no crates_besides"),
            ("cargo xtask test", None, "of: sum", "a figure is `metric: NAME`"),
        ] {
            let error = figure(command, seeds, yaml).expect_err(command);
            assert!(error.contains(expected), "{command}: {error}");
        }
    }

    #[test]
    fn crates_of_others_count_once_a_version() {
        let tree = "our_act v0.1.0 (/here/act)\nour_core v0.1.0 (/here/core)\nglam v1.0.0\n  \nsyn v2.0.0\nsyn v3.0.0\n\
                    our_core v0.1.0 (/here/core) (*)\nsyn v3.0.0 (*)\n";
        let of = |tree: &str| find(&Figure::CratesBesides("our".to_owned()), tree).map(|it| it.value);
        assert_eq!(of(tree), Ok(3.0));
        assert_eq!(of("our_act v0.1.0\n"), Ok(0.0));
        assert_eq!(of("syn v3.0.0\n"), Err("it lists no crate `our…`".to_owned()));
        assert!(of("").is_err());
    }

    const BATTERY: &str = r#"{"scenes":[{"outcomes":[{"outcome":"time up","count":2,"share":0.5,"low":0.25,"high":0.75}],
        "metrics":[{"metric":"a_s","mean":1.5,"low":1,"high":2,"min":0,"median":1.25,"p90":3,"max":4,"matches":7},
        {"metric":"b","mean":null,"matches":0}]}]}"#;

    #[test]
    fn batteries_tell_metrics_and_outcomes_with_intervals() {
        let of = |of| find(&Figure::Metric { name: "a_s".to_owned(), of }, BATTERY).map(|it| (it.value, it.interval));
        assert_eq!(of(Stat::Mean), Ok((1.5, Some([1.0, 2.0]))));
        assert_eq!(of(Stat::Sum), Ok((10.5, None)));
        assert_eq!(of(Stat::P90), Ok((3.0, None)));
        let share = |name: &str| find(&Figure::Outcome(name.to_owned()), BATTERY).map(|it| (it.value, it.interval));
        assert_eq!(share("time up"), Ok((0.5, Some([0.25, 0.75]))));
        assert_eq!(share("dead"), Ok((0.0, None)));
        let missing =
            |name: &str| find(&Figure::Metric { name: name.to_owned(), of: Stat::Mean }, BATTERY).unwrap_err();
        assert_eq!(missing("c"), "it has no metric `c`");
        assert_eq!(missing("b"), "the metric `b` has nothing to tell");
        assert!(find(&Figure::Outcome("x".to_owned()), "a table").unwrap_err().starts_with("it gave no JSON"));
    }

    #[test]
    fn runs_tell_metrics_outcomes_and_fields() {
        let run = r#"{"ticks":90,"outcome":"all there","metrics":{"arrived":3},"stupidity":{"stupid":1}}"#;
        let of = |figure: Figure| find(&figure, run).map(|it| it.value);
        assert_eq!(of(Figure::Metric { name: "arrived".to_owned(), of: Stat::Mean }), Ok(3.0));
        assert_eq!(of(Figure::Metric { name: "stupid".to_owned(), of: Stat::Mean }), Ok(1.0));
        assert_eq!(of(Figure::Outcome("all there".to_owned())), Ok(1.0));
        assert_eq!(of(Figure::Field("ticks".to_owned())), Ok(90.0));
        assert_eq!(of(Figure::Field("tacks".to_owned())), Err("it has no number `tacks`".to_owned()));
    }

    #[test]
    fn benches_are_found_by_key() {
        let bench = r#"{"items":[{"item":"loop","rows":[{"key":"step","value":0.5,"also":{"speedup":1.8}},{"key":"peer","value":null}]}]}"#;
        let of = |key: &str, also: Option<&str>| {
            find(&Figure::Key { key: key.to_owned(), also: also.map(str::to_owned) }, bench).map(|it| it.value)
        };
        assert_eq!((of("step", None), of("step", Some("speedup"))), (Ok(0.5), Ok(1.8)));
        assert_eq!(of("stepp", None), Err("it has no row `stepp`, did you mean `step`?".to_owned()));
        assert_eq!(of("peer", None), Err("the row `peer` has no number".to_owned()));
        assert_eq!(of("step", Some("x")), Err("the row `step` has no number of `x`".to_owned()));
    }

    #[test]
    fn numbers_stand_between_words() {
        let text = "unit passed 3.0 s\ntotal 4.5 s\nbuild\ntotal      12.5 s\n";
        assert_eq!(number_in("total {} s", text), Some(12.5));
        assert_eq!(number_in("unit passed {} s", text), Some(3.0));
        assert_eq!(number_in("sum {} s", text), None);
        assert_eq!(number_in("total {} ms", text), None);
    }

    #[test]
    fn only_matches_of_over_a_minute_count() {
        let csv = "scene,seconds,every_behavior\nx,61,1\nx,59,1\nx,70,0\n";
        assert_eq!(long_matches(csv, "every_behavior", 60.0), Ok((0.5, 2)));
        assert_eq!(long_matches(csv, "none", 60.0), Err("the table has no `none`".to_owned()));
        assert!(long_matches(csv, "every_behavior", 99.0).unwrap_err().starts_with("no match goes on"));
    }
}
