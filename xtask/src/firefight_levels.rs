//! `cargo xtask prove firefight-levels`: the firefight on ten real levels, with obstacles that appear. Nobody may be stuck for
//! 2 s nor off the mesh; ways that fail are counted by cause.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use serde_json::Value;

use crate::figure::Outcome;
use crate::{levels, package, process};

/// Levels, small and large: rooms, bases, terrain, several storeys.
const LEVELS: [&str; 10] = [
    "aggressor",
    "oa_dm1",
    "oa_dm5",
    "kaos2",
    "oa_minia",
    "oa_koth1",
    "islanddm",
    "hydronex",
    "czest1tourney",
    "ctf_compromise",
];
/// Matches on each.
const MATCHES: u32 = 20;
/// A crate appears every so often, s.
const OBSTACLE_S: u32 = 5;
/// Figures whose sum over all matches is printed; the first two must be 0.
const SUMS: [&str; 8] = [
    "stuck",
    "off_mesh",
    "ways_failed_no_path",
    "ways_failed_bad_goal",
    "ways_failed_budget",
    "ways_failed_stuck",
    "ways_failed_bad_start",
    "obstacles",
];

/// Plays, and holds what must hold against it.
pub fn measure(root: &Path) -> Result<Outcome, String> {
    let all = levels::fetch(root)?;
    // The program itself is timed, not what cargo does before it.
    let program = package::native(root)?;
    let mut output = format!(
        "{MATCHES} matches on each level, a crate every {OBSTACLE_S} s. Sums over the matches of a level; start: time to read and \
         bake it, with tables for sight and ways\n{:<15}{:>8}{:>9}{:>7}{:>9}{:>8}{:>9}{:>7}{:>7}{:>10}{:>8}{:>9}\n",
        "level",
        "start_s",
        "match_s",
        "stuck",
        "off_mesh",
        "no_path",
        "bad_goal",
        "budget",
        "stuck",
        "bad_start",
        "crates",
        "wins"
    );
    let mut bad = Vec::new();
    for (name, path) in LEVELS.iter().zip(levels::named(&all, &LEVELS)?) {
        let asset = format!("level.yaml={}", path.display());
        let begin = Instant::now();
        let mut short = Command::new(&program);
        process::capture(short.args(["run", "firefight-level", "--set", "seconds=1", "--asset", &asset]))?;
        let start_s = begin.elapsed().as_secs_f64();
        let words = format!("battery firefight-level --json --matches {MATCHES} --set obstacle_s={OBSTACLE_S} --asset");
        let mut battery = Command::new(&program);
        let answer = process::json(battery.args(words.split(' ')).arg(&asset).current_dir(root))?;
        let (line, is_good) = row(name, start_s, &answer)?;
        print!("{line}");
        output.push_str(&line);
        if !is_good {
            bad.push(*name);
        }
    }
    output.push_str("Must hold: nobody stuck on its way for 2 s, no body off the mesh for over 0.1 s; jumps and falls do not count\n");
    output.push_str(&format!("{} levels on which somebody was stuck or off the mesh\n", bad.len()));
    if bad.is_empty() {
        Ok(Outcome { command: "cargo xtask prove firefight-levels".to_owned(), output })
    } else {
        Err(format!("somebody was stuck or off the mesh on: {}\n{output}", bad.join(", ")))
    }
}

/// The line of a level, and whether what must hold holds.
fn row(name: &str, start_s: f64, answer: &Value) -> Result<(String, bool), String> {
    let scene = &answer["scenes"][0];
    let mean = |metric: &str| {
        let list = scene["metrics"].as_array().and_then(|list| list.iter().find(|it| it["metric"] == metric));
        list.and_then(|it| it["mean"].as_f64()).ok_or_else(|| format!("the battery on {name} has no figure {metric}"))
    };
    let mut line = format!("{name:<15}{start_s:>8.1}{:>9.1}", mean("match_s")?);
    let mut is_good = true;
    for (number, (metric, width)) in SUMS.iter().zip([7, 9, 8, 9, 7, 7, 10, 8]).enumerate() {
        let sum = (mean(metric)? * f64::from(MATCHES)).round();
        is_good &= number > 1 || sum == 0.0;
        let _ = write!(line, "{sum:>width$}");
    }
    let wins = |metric: &str| Ok::<f64, String>((mean(metric)? * f64::from(MATCHES)).round());
    let _ = writeln!(line, "{:>9}", format!("{} : {}", wins("soldiers_win")?, wins("player_wins")?));
    Ok((line, is_good))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_on_which_somebody_was_stuck_is_bad() {
        let answer = |stuck: f64| {
            let others = SUMS.iter().skip(1).chain(&["match_s", "soldiers_win", "player_wins"]);
            let mut metrics: Vec<Value> =
                others.map(|name| serde_json::json!({ "metric": name, "mean": 0.0 })).collect();
            metrics.push(serde_json::json!({ "metric": "stuck", "mean": stuck }));
            serde_json::json!({ "scenes": [{ "metrics": metrics }] })
        };
        assert_eq!(row("x", 1.0, &answer(0.0)).map(|it| it.1), Ok(true));
        assert_eq!(row("x", 1.0, &answer(0.05)).map(|it| it.1), Ok(false));
        assert!(row("x", 1.0, &serde_json::json!({})).is_err_and(|why| why.contains("has no figure match_s")));
    }
}
