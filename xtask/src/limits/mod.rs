//! `cargo xtask prove limits`: every promise with a number, in one file, held by the command that measures it.
//!
//! A promise is a row of `figures/limits.yaml`; the head of that file says how a row is written. The suite runs the rows of
//! class `sample`, `prove limits` those and the `quick` ones, `prove limits --all` every one. A figure outside its limit is
//! BROKEN, and the exit code is 1; one that differs from the last is said to have moved. Last figures are written back when
//! every row that was measured holds, or with `--write`.

mod bound;
mod figure;
mod judge;
mod measure;
mod row;

use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::{Failure, date};
use bound::shown;
use figure::{Figure, Reading};
use judge::{Verdict, judge};
use measure::{Lab, Missing};
use row::{Class, FILE, Last, Row};

pub use bound::Bound;
pub use measure::gzipped;

/// What the command line asks for.
#[derive(Debug, Default, PartialEq, Eq)]
struct Options {
    /// Names of rows; empty means by class.
    only: Vec<String>,
    all: bool,
    list: bool,
    write: bool,
    data: Option<PathBuf>,
}

/// A row that was measured, or not.
struct Outcome<'a> {
    row: &'a Row,
    reading: Option<Reading>,
    verdict: Verdict,
    /// Why there is no figure.
    why: String,
}

/// Measures what `arguments` ask for, after the word `limits`.
pub fn prove(root: &Path, arguments: &[String]) -> Result<(), Failure> {
    let rows = rows(root)?;
    let options = parse(arguments, &rows)?;
    let chosen: Vec<&Row> = rows.iter().filter(|row| is_chosen(row, &options)).collect();
    if options.list {
        chosen.iter().for_each(|row| print!("{}", listed(row)));
        println!("{} of {} rows", chosen.len(), rows.len());
        return Ok(());
    }
    let mut lab = Lab::new(root, options.data.as_deref())?;
    let outcomes = measured(&mut lab, &chosen);
    let broken = broken(&outcomes);
    println!("{}", summary(&outcomes));
    if broken.is_empty() || options.write {
        write(root, &outcomes)?;
    } else {
        println!("{FILE} is left as it was: a limit is broken (--write writes the figures all the same)");
    }
    if broken.is_empty() { Ok(()) } else { Err(Failure::Check(format!("broken: {}", broken.join(", ")))) }
}

/// The step of the suite: rows of class `sample`; the file is left alone.
pub fn sample(root: &Path) -> Result<(), String> {
    let rows = rows(root)?;
    let chosen: Vec<&Row> = rows.iter().filter(|row| row.class == Class::Sample).collect();
    let outcomes = measured(&mut Lab::new(root, None)?, &chosen);
    println!("{}", summary(&outcomes));
    let broken = broken(&outcomes);
    let again = "run it again with `cargo xtask prove limits --only";
    if broken.is_empty() { Ok(()) } else { Err(format!("broken limits; {again} {}`", broken.join(","))) }
}

/// Lines with the instructions of the rows whose command `is_wanted`, each with its limit: for the figures of `prove`.
pub fn counted(root: &Path, data: Option<&Path>, is_wanted: impl Fn(&str) -> bool) -> Result<String, String> {
    let rows = rows(root)?;
    let is_count = |row: &&Row| matches!(row.figure, Figure::Instructions { .. }) && is_wanted(&row.command);
    let chosen: Vec<&Row> = rows.iter().filter(is_count).collect();
    let mut lab = Lab::new(root, data)?;
    lab.count_ahead(&chosen);
    let mut text = String::new();
    for row in chosen {
        text += &match lab.measure(row) {
            Ok(reading) => format!("{}: {} ({})\n", row.name, shown(reading.value), row.limit),
            Err(Missing::NotHere(why)) => format!("{}: not counted: {why}\n", row.name),
            Err(Missing::Failed(why)) => return Err(why),
        };
    }
    print!("{text}");
    Ok(text)
}

/// Measures one row: the sentence about it, or the same as an error when its limit is broken.
pub fn hold_row(root: &Path, name: &str) -> Result<String, String> {
    let rows = rows(root)?;
    let row = rows.iter().find(|row| row.name == name).ok_or_else(|| unknown(name, &rows))?;
    match Lab::new(root, None)?.measure(row) {
        Ok(reading) => judged(row, reading.value),
        Err(Missing::NotHere(why) | Missing::Failed(why)) => Err(why),
    }
}

/// Holds a figure that somebody else measured against the limit of a row.
pub fn hold(root: &Path, name: &str, value: f64) -> Result<String, String> {
    let rows = rows(root)?;
    judged(rows.iter().find(|row| row.name == name).ok_or_else(|| unknown(name, &rows))?, value)
}

/// The limit of a row, for those who tell what was used of it.
pub fn limit(root: &Path, name: &str) -> Result<Bound, String> {
    let rows = rows(root)?;
    rows.iter().find(|row| row.name == name).map(|row| row.limit.clone()).ok_or_else(|| unknown(name, &rows))
}

fn judged(row: &Row, value: f64) -> Result<String, String> {
    let sentence = format!("{}: {} ({})", row.name, shown(value), row.limit);
    if row.limit.holds(value) { Ok(sentence) } else { Err(format!("{sentence}: the limit is broken")) }
}

fn rows(root: &Path) -> Result<Vec<Row>, String> {
    let text = std::fs::read_to_string(root.join(FILE)).map_err(|error| format!("{FILE} cannot be read: {error}"))?;
    row::read(&text)
}

fn unknown(name: &str, rows: &[Row]) -> String {
    let hint = sentir_asset::nearest(name, rows.iter().map(|row| row.name.as_str()));
    let hint = hint.map_or_else(|| format!("; {FILE} has them all"), |one| format!("; did you mean '{one}'?"));
    format!("there is no limit called '{name}'{hint}")
}

fn parse(arguments: &[String], rows: &[Row]) -> Result<Options, Failure> {
    let mut options = Options::default();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--all" => options.all = true,
            "--list" => options.list = true,
            "--write" => options.write = true,
            "--data" => match words.next() {
                Some(folder) => options.data = Some(PathBuf::from(folder)),
                None => return Err(Failure::Usage("--data needs a folder".to_owned())),
            },
            "--only" => {
                let names = words.next().map_or("", String::as_str);
                options.only.extend(names.split(',').filter(|name| !name.is_empty()).map(str::to_owned));
                if options.only.is_empty() {
                    return Err(Failure::Usage("--only needs names of rows, as in --only orca,flock".to_owned()));
                }
            }
            other => {
                let expected = "--all, --only NAME,NAME, --list, --write or --data FOLDER";
                return Err(Failure::Usage(format!("'prove limits' takes no '{other}'; expected {expected}")));
            }
        }
    }
    match options.only.iter().find(|name| rows.iter().all(|row| row.name != **name)) {
        Some(name) => Err(Failure::Usage(unknown(name, rows))),
        None => Ok(options),
    }
}

fn is_chosen(row: &Row, options: &Options) -> bool {
    if !options.only.is_empty() {
        return options.only.contains(&row.name);
    }
    options.all || options.list || row.class < Class::Long
}

/// A row for `--list`.
fn listed(row: &Row) -> String {
    let class = format!("{:?}", row.class).to_lowercase();
    let last = row.last.as_ref().map_or_else(
        || "never measured".to_owned(),
        |last| format!("last {} on {} at {}", shown(last.value), last.date, last.commit),
    );
    let unmet = row.unmet.as_ref().map_or_else(String::new, |it| format!("\n    not met: {}; {}", it.target, it.why));
    let Row { name, promise, limit, .. } = row;
    format!("{name} ({class}): {limit}; {last}{unmet}\n    {promise}\n    {}\n", measure::line(row))
}

/// Measures rows in their order, a line of the table each as it is known.
fn measured<'a>(lab: &mut Lab, rows: &[&'a Row]) -> Vec<Outcome<'a>> {
    lab.count_ahead(rows);
    println!("{}", cells(["name", "limit", "last", "now", "verdict"]));
    let mut outcomes = Vec::new();
    for (number, row) in (1..).zip(rows) {
        eprintln!("[{number}/{}] {}", rows.len(), row.name);
        let started = Instant::now();
        let outcome = match lab.measure(row) {
            Ok(reading) => {
                Outcome { row, reading: Some(reading), verdict: judge(row, reading.value), why: String::new() }
            }
            Err(Missing::NotHere(why)) => Outcome { row, reading: None, verdict: Verdict::NotMeasured, why },
            Err(Missing::Failed(why)) => Outcome { row, reading: None, verdict: Verdict::Broken, why },
        };
        println!("{}", told(&outcome, started.elapsed().as_secs_f64()));
        outcomes.push(outcome);
    }
    outcomes
}

fn cells([name, limit, last, now, verdict]: [&str; 5]) -> String {
    format!("{name:<28} {limit:<42} {last:>14} {now:>14}  {verdict}").trim_end().to_owned()
}

/// The line of a row, with the seconds that it took.
fn told(outcome: &Outcome, seconds: f64) -> String {
    let row = outcome.row;
    let now = outcome.reading.map_or_else(String::new, |reading| shown(reading.value));
    let last = row.last.as_ref().map_or_else(String::new, |last| shown(last.value));
    let target = row.unmet.as_ref().map_or_else(String::new, |unmet| format!(", target {}", unmet.target));
    let why = if outcome.why.is_empty() { String::new() } else { format!(": {}", outcome.why) };
    let verdict = format!("{}{target}{why} [{seconds:.1} s]", outcome.verdict.word());
    cells([&row.name, &row.limit.to_string(), &last, &now, &verdict])
}

fn broken<'a>(outcomes: &[Outcome<'a>]) -> Vec<&'a str> {
    let broken = outcomes.iter().filter(|outcome| outcome.verdict == Verdict::Broken);
    broken.map(|outcome| outcome.row.name.as_str()).collect()
}

/// How many there were of each verdict, and the names of those that are news.
fn summary(outcomes: &[Outcome]) -> String {
    let names = |is_wanted: &dyn Fn(Verdict) -> bool| {
        let wanted = outcomes.iter().filter(|outcome| is_wanted(outcome.verdict));
        wanted.map(|outcome| format!("{} {}", outcome.row.name, outcome.verdict.word())).collect::<Vec<_>>()
    };
    let broken = names(&|verdict| verdict == Verdict::Broken);
    let missing = names(&|verdict| verdict == Verdict::NotMeasured);
    let news = names(&Verdict::is_news);
    let unmet = outcomes.iter().filter(|outcome| outcome.row.unmet.is_some()).count();
    let mut text = format!(
        "\n{} limits: {} broken, {} not as they were, {} not measured; {unmet} targets are not met",
        outcomes.len(),
        broken.len(),
        news.len(),
        missing.len(),
    );
    for (title, names) in [("broken", broken), ("news", news), ("not measured", missing)] {
        if !names.is_empty() {
            text += &format!("\n{title}: {}", names.join(", "));
        }
    }
    text
}

/// Writes the figures that were measured into the file.
fn write(root: &Path, outcomes: &[Outcome]) -> Result<(), String> {
    let path = root.join(FILE);
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{FILE} cannot be read: {error}"))?;
    let (now, commit) = (date::now_utc(), crate::figure::commit(root));
    let last = |reading: &Reading| Last {
        value: reading.value,
        interval: reading.interval,
        date: now.get(..10).unwrap_or_default().to_owned(),
        commit: commit.clone(),
    };
    let of = |outcome: &Outcome| Some((outcome.row.name.clone(), last(outcome.reading.as_ref()?)));
    let updates: Vec<(String, Last)> = outcomes.iter().filter_map(of).collect();
    let text = row::rewritten(&text, &updates);
    // Whatever was written must be read again: a broken file never replaces a good one.
    row::read(&text)?;
    std::fs::write(&path, text).map_err(|error| format!("{FILE} cannot be written: {error}"))?;
    println!("wrote {} figures into {FILE}", updates.len());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own_rows() -> Vec<Row> {
        rows(&crate::workspace::root().expect("a workspace")).expect("figures/limits.yaml is right")
    }

    fn words(line: &str) -> Vec<String> {
        line.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn the_file_is_right_and_every_class_has_rows() {
        let rows = own_rows();
        for class in [Class::Sample, Class::Quick, Class::Long] {
            assert!(rows.iter().any(|row| row.class == class), "{class:?}");
        }
    }

    #[test]
    fn last_figures_hold_what_is_promised() {
        for row in own_rows() {
            if let Some(last) = &row.last {
                assert!(row.limit.holds(last.value), "{}: {} is not {}", row.name, last.value, row.limit);
                let is_reached = row.unmet.as_ref().is_some_and(|unmet| unmet.target.holds(last.value));
                assert!(!is_reached, "{}: its target is met by {}", row.name, last.value);
            }
        }
    }

    #[test]
    fn rows_are_chosen_by_class_or_name() {
        let rows = own_rows();
        let chosen = |line: &str| {
            let options = parse(&words(line), &rows).expect("a right call");
            rows.iter().filter(|row| is_chosen(row, &options)).count()
        };
        let (quick, all) = (chosen(""), chosen("--all"));
        assert!(quick < all && all == rows.len(), "{quick} of {all}");
        assert_eq!(chosen(&format!("--only {},{}", rows[0].name, rows[1].name)), 2);
        let options = parse(&words("--all --write --data x"), &rows).expect("a right call");
        let expected = Options { all: true, write: true, data: Some(PathBuf::from("x")), ..Options::default() };
        assert_eq!(options, expected);
    }

    #[test]
    fn wrong_calls_are_refused_with_the_nearest_name() {
        let rows = own_rows();
        let typo = rows[0].name.replacen('-', "_", 1) + "x";
        for (line, expected) in [
            (format!("--only {typo}"), format!("there is no limit called '{typo}'; did you mean '{}'?", rows[0].name)),
            (
                "--only qqqqqqqqqqqq".to_owned(),
                "there is no limit called 'qqqqqqqqqqqq'; figures/limits.yaml has".to_owned(),
            ),
            ("--only".to_owned(), "--only needs names of rows".to_owned()),
            ("--data".to_owned(), "--data needs a folder".to_owned()),
            ("--fast".to_owned(), "'prove limits' takes no '--fast'; expected --all".to_owned()),
        ] {
            let Err(Failure::Usage(sentence)) = parse(&words(&line), &rows) else {
                panic!("'{line}' was taken for a right call");
            };
            assert!(sentence.starts_with(&expected), "{line}: {sentence}");
        }
    }

    #[test]
    fn a_figure_measured_elsewhere_is_held_against_its_row() {
        let root = crate::workspace::root().expect("a workspace");
        let rows = own_rows();
        let last = rows.iter().find_map(|row| Some((&row.name, row.last.as_ref()?.value)));
        let (name, value) = last.expect("something was measured");
        assert!(hold(&root, name, value).is_ok_and(|sentence| sentence.starts_with(name.as_str())));
        assert!(hold(&root, name, f64::NAN).is_err_and(|sentence| sentence.ends_with("the limit is broken")));
        assert!(hold(&root, "no-such-limit", 1.0).is_err_and(|sentence| sentence.starts_with("there is no limit")));
    }

    #[test]
    fn the_summary_names_what_is_broken_and_what_moved() {
        let rows = own_rows();
        let outcome = |at: usize, verdict| Outcome { row: &rows[at], reading: None, verdict, why: String::new() };
        let outcomes = [outcome(0, Verdict::Broken), outcome(1, Verdict::Moved), outcome(2, Verdict::Same)];
        let text = summary(&outcomes);
        assert!(text.starts_with("\n3 limits: 1 broken, 1 not as they were, 0 not measured"), "{text}");
        assert!(text.contains(&format!("\nbroken: {} BROKEN", rows[0].name)), "{text}");
        assert!(text.contains(&format!("\nnews: {} moved", rows[1].name)), "{text}");
        assert_eq!(broken(&outcomes), [rows[0].name.as_str()]);
    }

    #[test]
    fn the_line_of_a_row_has_its_limit_and_both_figures() {
        let row = row::read(
            "rows:\n- name: a\n  promise: p\n  class: quick\n  command: sentir bench x\n  figure: { key: k }\n  limit: at most 9 ms\n  last: { value: 2, date: d, commit: c }\n",
        );
        let row = row.expect("a right row").remove(0);
        let reading = Some(Reading::from(1234.0));
        let line = told(&Outcome { row: &row, reading, verdict: Verdict::Broken, why: String::new() }, 1.26);
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(words, ["a", "at", "most", "9", "ms", "2", "1", "234", "BROKEN", "[1.3", "s]"]);
    }
}
