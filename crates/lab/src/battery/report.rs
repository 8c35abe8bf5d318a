//! What a battery tells: tables for people, one object for machines.

use super::journal::Journal;
use super::round::{Played, Row};
use super::summary::{Figures, Outcome, Summary};
use super::{BatteryOptions, Changed};
use crate::error::LabError;
use crate::play::number;
use crate::stats::MATCHES_FEW;
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use serde_json::{Map, Value, json};
use std::io::Write;
use std::path::PathBuf;

/// The object of `--json` and `summary.json`. It holds nothing that differs from call to call.
pub(crate) fn as_json(options: &BatteryOptions, changes: &Changed, played: &Played, summaries: &[Summary]) -> Value {
    let settings: Map<String, Value> =
        changes.settings.iter().map(|(name, value)| (name.clone(), Value::from(value.as_str()))).collect();
    json!({
        "seed": options.seed,
        "matches": options.matches,
        "played": played.rows.len(),
        "planned": played.planned,
        "stopped": played.is_stopped,
        "failed": failures(played),
        "settings": settings,
        "assets": changes.assets.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(),
        "scenes": summaries.iter().map(scene_json).collect::<Vec<_>>(),
    })
}

/// The matches that broke off, as sentences.
pub(crate) fn failures(played: &Played) -> Vec<String> {
    let told = |row: &Row| {
        let why = row.failure.as_ref()?;
        Some(format!("{} with seed {} failed: {why}", row.scene, row.seed))
    };
    played.rows.iter().filter_map(told).collect()
}

/// What people should know before they believe an interval; none of enough matches.
fn warning(summary: &Summary) -> Option<String> {
    let is_few = summary.matches > 0 && summary.matches < MATCHES_FEW;
    is_few.then(|| {
        format!("fewer than {MATCHES_FEW} matches: intervals are wide, and what is rare may not have come yet")
    })
}

fn scene_json(summary: &Summary) -> Value {
    json!({
        "scene": summary.scene.name,
        "matches": summary.matches,
        "warning": warning(summary),
        "outcomes": summary.outcomes.iter().map(outcome_json).collect::<Vec<_>>(),
        "metrics": summary.metrics.iter().map(metric_json).collect::<Vec<_>>(),
    })
}

fn outcome_json(outcome: &Outcome) -> Value {
    json!({
        "outcome": outcome.name,
        "count": outcome.count,
        "share": number(outcome.share),
        "low": number(outcome.interval.low),
        "high": number(outcome.interval.high),
    })
}

fn metric_json(figures: &Figures) -> Value {
    let spread = figures.spread;
    let told = |value: Option<f64>| value.map_or(Value::Null, number);
    let interval = spread.and_then(|all| all.interval.ok());
    let why = spread.map_or(Some("no match has a value"), |all| all.interval.err());
    json!({
        "metric": figures.name,
        "matches": figures.values.len(),
        "mean": told(spread.map(|all| all.mean)),
        "low": told(interval.map(|(range, _)| range.low)),
        "high": told(interval.map(|(range, _)| range.high)),
        "interval": interval.map(|(_, method)| method.name()),
        "why_none": why,
        "min": told(spread.map(|all| all.min)),
        "median": told(spread.map(|all| all.median)),
        "p90": told(spread.map(|all| all.p90)),
        "max": told(spread.map(|all| all.max)),
    })
}

/// Prints the object.
pub(crate) fn print_json(object: &Value) -> Result<(), LabError> {
    writeln!(std::io::stdout(), "{object}")?;
    Ok(())
}

/// Prints two tables per scene, then what was written and how fast it went.
pub(crate) fn print_tables(
    options: &BatteryOptions,
    played: &Played,
    summaries: &[Summary],
    written: &[PathBuf],
) -> Result<(), LabError> {
    let mut out = std::io::stdout().lock();
    for summary in summaries {
        let seeds = summary.seeds.map_or_else(String::new, |(first, last)| format!(", seeds {first} to {last}"));
        let (name, title) = (summary.scene.name, summary.scene.title);
        writeln!(out, "{name}: {title}; {} of {} matches{seeds}", summary.matches, options.matches)?;
        if summary.matches == 0 {
            continue;
        }
        writeln!(out, "{}", outcome_table(&summary.outcomes))?;
        writeln!(out, "{}", metric_table(&summary.metrics))?;
        if let Some(warning) = warning(summary) {
            writeln!(out, "note: {warning}")?;
        }
    }
    for failure in failures(played) {
        writeln!(out, "failed: {failure}")?;
    }
    for path in written {
        let bytes = std::fs::metadata(path).map_or(0, |about| about.len());
        writeln!(out, "written: {} ({bytes} bytes)", path.display())?;
    }
    if played.is_stopped {
        writeln!(out, "stopped after {} of {} matches", played.rows.len(), played.planned)?;
    } else {
        writeln!(out, "{} matches, {:.1} matches/s", played.rows.len(), played.matches_per_s)?;
    }
    Ok(())
}

/// Tells what a journal had to do with it.
pub(crate) fn print_journal(journal: Option<&Journal>, found: usize, is_stopped: bool) -> Result<(), LabError> {
    let Some(journal) = journal else { return Ok(()) };
    let (mut out, path) = (std::io::stdout().lock(), journal.path().display());
    if found > 0 {
        writeln!(out, "{found} of them were played before, by {path}")?;
    }
    if is_stopped {
        writeln!(out, "the same call goes on from here: {path} has what was played")?;
    }
    Ok(())
}

/// A table with a head, whose first column is text and whose others are figures.
fn table<const N: usize>(head: [&str; N]) -> Table {
    let mut table = Table::new();
    // Figures never wrap, however narrow the terminal is.
    table.load_style(presets::UTF8_BORDERS_ONLY).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(head);
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

fn outcome_table(outcomes: &[Outcome]) -> Table {
    let mut table = table(["outcome", "matches", "share", "95 % interval"]);
    for one in outcomes {
        let percent = |share: f64| format!("{:.1}", share * 100.0);
        let interval = format!("{} to {} %", percent(one.interval.low), percent(one.interval.high));
        table.add_row([one.name, &one.count.to_string(), &format!("{} %", percent(one.share)), &interval]);
    }
    table
}

fn metric_table(metrics: &[Figures]) -> Table {
    let mut table = table(["metric", "mean", "95 % interval", "min", "median", "p90", "max", "matches"]);
    for one in metrics {
        let count = one.values.len().to_string();
        let Some(all) = one.spread else {
            table.add_row([one.name, "–", "–", "–", "–", "–", "–", &count]);
            continue;
        };
        let interval = all.interval.map(|(range, _)| format!("{} to {}", figure(range.low), figure(range.high)));
        let interval = interval.unwrap_or_else(|_| "–".to_owned());
        table.add_row([
            one.name,
            &figure(all.mean),
            &interval,
            &figure(all.min),
            &figure(all.median),
            &figure(all.p90),
            &figure(all.max),
            &count,
        ]);
    }
    table
}

/// A figure for people: two decimals unless it is whole, four where two would leave little of it.
pub(crate) fn figure(value: f64) -> String {
    let text = if value.abs() < 0.1 { format!("{value:.4}") } else { format!("{value:.2}") };
    let text = text.trim_end_matches(".0000").trim_end_matches(".00");
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_few_decimals() {
        let told = [0.0, -0.00001, 12.0, 100.0, 1.5, 2.345, -7.25, 0.0125].map(figure);
        assert_eq!(told, ["0", "0", "12", "100", "1.50", "2.35", "-7.25", "0.0125"]);
    }
}
