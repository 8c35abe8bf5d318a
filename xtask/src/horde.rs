//! `cargo xtask prove horde`: the bot against five versions of the horde on seeds that nothing was tuned on, beside the tables of
//! the source; and what each drop is owed to, by switching single causes off.
//!
//! All versions play by one rules file, whose hash is told, over the same seeds. Intervals are 95 %: Wilson's for shares, of the
//! mean for the rest.

use std::path::Path;

use serde_json::Value;

use crate::figure::Outcome;
use crate::horde_picture::{self, Bars};
use crate::{cpu, process};

/// The first seed, past all that were used for tuning; matches of a version and of an ablation.
const SEED: u64 = 10_001;
const MATCHES: u64 = 1000;
const ABLATIONS: u64 = 300;
const RULES: &str = "crates/scenes/assets/horde/rules.yaml";
const MINDS: &str = "crates/scenes/assets/horde/minds";

/// A row of the source's tables 4 and 5: damage, hits, kills, heals, wins in percent.
const SOURCE: [(&str, [f64; 5]); 3] = [
    ("v1", [40.54, 4.05, 29.35, 0.14, 97.30]),
    ("v2", [238.78, 18.68, 18.16, 0.95, 43.24]),
    ("v3", [224.05, 18.84, 8.89, 0.41, 10.81]),
];
/// The same figures as the battery calls them.
const ROWS: [&str; 4] = ["damage_taken", "hits_taken", "kills", "heals"];
/// What is told of every version beside them.
const MORE: [&str; 14] = [
    "bites_of_dummies",
    "bites_of_barkers",
    "first_bite_s",
    "sectors_held",
    "surrounded_s",
    "surrounded_times",
    "escapes",
    "escape_share",
    "alarms",
    "alarmed_s",
    "match_s",
    "stupid_stuck",
    "stupid_wavered",
    "stupid",
];
/// The source's table 2: model, orders without and with an early end of sequences.
const TABLE_2: [(&str, &str, &str); 6] = [
    ("dummy_v1", "2.5^2, 2.5^1", "1.75^2, 1.75^1"),
    ("dummy_v2", "2.5^3, 2.5^1", "1.66^3, 1.66^1"),
    ("barker_v1", "2.8^2, 2.8^1", "1.8^3, 1.8^1"),
    ("barker_v2", "2.37^3, 2.37^1", "1.66^3, 1.66^1"),
    ("barker_v3", "2.6^4, 2.6^1", "2^4, 2^1"),
    ("barker_v4", "2.6^4, 2.6^1", "2^4, 2^1"),
];
/// Words of the battery, and what they show.
const CAUSES: &[(&str, &str)] = &[
    ("--set version=v2 --set alarms=off", "v2 without alarms: the drop from v1 is the alarm's, if this is v1 again"),
    ("--set version=v2 --set dummy=dummy_v1", "v2 whose dummies heed no alarm"),
    ("--set version=v2 --set barker=barker_v3", "v2 whose barkers rest between howls"),
    ("--set version=v2 --set at_node=go_on", "v2 that goes on from its node to the last known place"),
    ("--set version=v3 --set alarms=off", "v3 without alarms"),
    ("--set version=v3 --set at_node=stay", "v3 that stays at its node"),
    ("--set version=v3 --set barker=barker_v2", "v3 whose barkers stay in the alarm"),
    ("--set version=v3 --set nodes=farthest", "v3 sent to the farthest nodes in the radius"),
    ("--set version=v4 --set nodes=farthest", "v4 with seats at the farthest nodes"),
    ("--set version=v4 --set seats=order_lost", "v4 with the source's bug: nodes in no order"),
    ("--set version=v4 --set seats=seats_kept", "v4 with the source's bug: seats never free again"),
    ("--set version=v5 --set dummy=dummy_v4", "v5 whose dummies chase from as far as those of v4"),
    ("--set version=v5 --set nodes=nearest", "v5 at the nodes of the map: no ring"),
];

/// What a battery told.
struct Told {
    /// Share of wins in percent, with its interval.
    wins: [f64; 3],
    /// By name: mean and interval.
    metrics: Vec<(String, [f64; 3])>,
}

impl Told {
    fn of(&self, name: &str) -> [f64; 3] {
        self.metrics.iter().find(|it| it.0 == name).map_or([f64::NAN; 3], |it| it.1)
    }
}

/// Plays one battery.
fn battery(root: &Path, words: &str, matches: u64) -> Result<Told, String> {
    let line = format!("run --release -- battery horde-battery --matches {matches} --seed {SEED} {words} --json");
    let object = process::json_watched(&mut process::cargo(root, &line))?;
    read(&object).ok_or_else(|| format!("the battery `{words}` tells nothing: {object}"))
}

fn read(object: &Value) -> Option<Told> {
    let scene = object.get("scenes")?.get(0)?;
    let three = |one: &Value, first: &str| {
        let number = |name: &str| one.get(name).and_then(Value::as_f64);
        let middle = number(first)?;
        Some([middle, number("low").unwrap_or(middle), number("high").unwrap_or(middle)])
    };
    let outcomes = scene.get("outcomes")?.as_array()?;
    let won = outcomes.iter().find(|one| one.get("outcome").and_then(Value::as_str) == Some("won"));
    let wins = won.and_then(|one| three(one, "share")).unwrap_or([0.0; 3]).map(|share| 100.0 * share);
    let metrics = scene
        .get("metrics")?
        .as_array()?
        .iter()
        .filter_map(|one| Some((one.get("metric")?.as_str()?.to_owned(), three(one, "mean")?)));
    Some(Told { wins, metrics: metrics.collect() })
}

/// A hash of the rules (FNV-1a of 64 bits), so that a figure says by which it was made.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

fn span([middle, low, high]: [f64; 3]) -> String {
    format!("{middle:.2} [{low:.2}, {high:.2}]")
}

/// Plays all of it.
pub fn measure(root: &Path) -> Result<Outcome, String> {
    let rules = std::fs::read(root.join(RULES)).map_err(|error| format!("'{RULES}' cannot be read: {error}"))?;
    let mut output = format!("rules {RULES}, hash {:016x}; seeds from {SEED} on, the same for all\n\n", hash(&rules));
    output.push_str(&shapes(root)?);
    // Built before the clock runs.
    process::run(&mut process::cargo(root, "build --release -p sentir_lab"))?;
    let mut all = Vec::new();
    let mut speeds = String::new();
    for version in ["v1", "v2", "v3", "v4", "v5"] {
        let before = cpu::seconds().unwrap_or(0.0);
        let told = battery(root, &format!("--set version={version}"), MATCHES)?;
        let cpu_s = cpu::seconds().unwrap_or(0.0) - before;
        let played_s = told.of("match_s")[0] * MATCHES as f64;
        println!("{version}: wins {}", span(told.wins));
        speeds.push_str(&format!(" {version} {:.0} ({played_s:.0} s in {cpu_s:.0} s of CPU);", played_s / cpu_s));
        all.push((version, told));
    }
    output.push_str(&tables(&all));
    output.push_str(&format!("\nspeed, times real time a core, begin and statistics of matches and all:{speeds}\n"));
    output.push_str(&format!("\nablations, {ABLATIONS} matches each: wins of the bot, %, and bites it took\n"));
    for (words, about) in CAUSES {
        let told = battery(root, words, ABLATIONS)?;
        let line = format!("  {about}: wins {}, bites {} ({words})\n", span(told.wins), span(told.of("hits_taken")));
        print!("{line}");
        output.push_str(&line);
    }
    pictures(root, &all)?;
    output.push_str("\npictures: figures/horde-wins.svg, figures/horde-normalized.svg\n");
    Ok(Outcome { command: "cargo xtask prove horde".to_owned(), output })
}

/// Table 2: counts, factors and orders of every mind, ours beside the source's.
fn shapes(root: &Path) -> Result<String, String> {
    let mut text = String::from(
        "shapes (table 2): nodes but the root / nodes with children, the same with an early end of sequences, depth; orders b^depth, b^1\n",
    );
    for (name, plain, early) in TABLE_2 {
        let object =
            process::json(&mut process::cargo(root, &format!("run --release -- analyze {MINDS}/{name}.yaml --json")))?;
        let brain = object.pointer("/brains/0").ok_or("analyze tells nothing")?;
        let ratio = |key: &str| {
            let part = |at: usize| brain.get(key).and_then(|it| it.get(at)).and_then(Value::as_u64).unwrap_or(0);
            format!("{}/{}", part(0), part(1))
        };
        let word = |key: &str| brain.get(key).and_then(Value::as_str).unwrap_or("–").to_owned();
        text.push_str(&format!(
            "  {name}: {} and {}, depth {}; ours {} and {}; source {plain} and {early}\n",
            ratio("branching"),
            ratio("effective_branching"),
            brain.get("depth").and_then(Value::as_u64).unwrap_or(0),
            word("order_in_space"),
            word("order_in_time"),
        ));
    }
    text.push_str(
        "  (the source's table gives barker_v2 1.66 and its text 1.8; depth 3 where its deepest leaf is at 4)\n",
    );
    Ok(text)
}

/// Tables 4 and 5, and what is measured beside them.
fn tables(all: &[(&str, Told)]) -> String {
    let mut text = format!(
        "\n{MATCHES} matches a version; mean [95 % interval], the source's of 37 matches after it (tables 4 and 5)\n"
    );
    for (version, told) in all {
        let source = SOURCE.iter().find(|row| row.0 == *version).map(|row| row.1);
        let beside = |at: usize| source.map_or_else(String::new, |row| format!(" (source {:.2})", row[at]));
        text.push_str(&format!("  {version}: wins, % {}{}", span(told.wins), beside(4)));
        for (at, name) in ROWS.iter().enumerate() {
            text.push_str(&format!(", {name} {}{}", span(told.of(name)), beside(at)));
        }
        text.push('\n');
        let more: Vec<String> = MORE.iter().map(|name| format!("{name} {}", span(told.of(name)))).collect();
        text.push_str(&format!("      {}\n", more.join(", ")));
        let [tens, fifteens] = ["bites_of_dummies", "bites_of_barkers"].map(|name| told.of(name)[0]);
        text.push_str(&format!(
            "      share of bites of 10: {:.1} %, of 15: {:.1} %\n",
            100.0 * tens / (tens + fifteens),
            100.0 * fifteens / (tens + fifteens)
        ));
    }
    text.push_str("  the source's bites of 10 and 15: v1 150 and 0, v2 306 and 385, v3 433 and 264\n");
    text
}

/// Wins and losses as bars, and values normalized to the greatest of their row.
fn pictures(root: &Path, all: &[(&str, Told)]) -> Result<(), String> {
    let groups: Vec<String> = all.iter().map(|it| it.0.to_owned()).collect();
    let source = |at: usize| -> Vec<f64> {
        let row = |version: &str| SOURCE.iter().find(|row| row.0 == version).map_or(f64::NAN, |row| row.1[at]);
        all.iter().map(|it| row(it.0)).collect()
    };
    let ours: Vec<f64> = all.iter().map(|it| it.1.wins[0]).collect();
    let lost: Vec<f64> = ours.iter().map(|won| 100.0 - won).collect();
    let series = vec![("won, ours", ours), ("not won, ours", lost), ("won, source", source(4))];
    let wins = Bars { title: "The bot's matches by version, %", groups: groups.clone(), series, most: 100.0 };
    let mut series = Vec::new();
    for name in ROWS {
        let values: Vec<f64> = all.iter().map(|it| it.1.of(name)[0]).collect();
        let most = values.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        series.push((name, values.iter().map(|value| value / most).collect()));
    }
    let normal = Bars { title: "Values by version, as shares of the greatest", groups, series, most: 1.0 };
    for (name, bars) in [("horde-wins", wins), ("horde-normalized", normal)] {
        let path = root.join(format!("figures/{name}.svg"));
        std::fs::write(&path, horde_picture::svg(&bars))
            .map_err(|error| format!("'{name}.svg' cannot be written: {error}"))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wins_and_means_are_read_with_their_intervals_and_no_win_is_none() {
        let text = r#"{"scenes":[{"outcomes":[{"outcome":"lost","share":0.75,"low":0.6,"high":0.9},
            {"outcome":"won","share":0.25,"low":0.1,"high":0.4}],
            "metrics":[{"metric":"kills","mean":3,"low":2,"high":4}]}]}"#;
        let told = read(&serde_json::from_str(text).expect("an object")).expect("a battery's");
        assert_eq!((told.wins, told.of("kills")), ([25.0, 10.0, 40.0], [3.0, 2.0, 4.0]));
        assert!(told.of("heals")[0].is_nan());
        let none = r#"{"scenes":[{"outcomes":[],"metrics":[]}]}"#;
        assert_eq!(read(&serde_json::from_str(none).expect("an object")).expect("a battery's").wins, [0.0; 3]);
        assert!(read(&Value::Null).is_none());
    }

    #[test]
    fn another_rule_is_another_hash() {
        assert_ne!(hash(b"near_m: 8"), hash(b"near_m: 9"));
        assert_eq!(hash(b""), 0xcbf2_9ce4_8422_2325);
    }
}
