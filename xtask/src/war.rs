//! `cargo xtask prove war`: what the specification of the war asks for, over many matches, with intervals; and attitudes against each
//! other with sides swapped.

use std::fmt::Write;
use std::path::Path;

use crate::figure::Outcome;
use crate::process;

/// A match of a battery, as its table tells it.
struct Row {
    outcome: String,
    /// Names and values; what is empty is no number.
    values: Vec<(String, f64)>,
}

impl Row {
    fn value(&self, name: &str) -> f64 {
        self.values.iter().find(|(it, _)| it == name).map_or(f64::NAN, |(_, value)| *value)
    }

    /// Whether a side won; blue is 0.
    fn is_won_by(&self, side: f64) -> bool {
        self.value("winner") == side
    }
}

/// The first seed: what is below was used for tuning.
const SEED: u32 = 9001;
/// What leads a side.
const LEADS: [&str; 4] = ["attack", "defend", "total", "strategy"];

/// The rows of a table.
fn rows(text: &str) -> Option<Vec<Row>> {
    let mut lines = text.lines();
    let head: Vec<&str> = lines.next()?.split(',').collect();
    let place = head.iter().position(|name| *name == "outcome")?;
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |(name, cell): (&&str, &&str)| ((*name).to_owned(), cell.parse().unwrap_or(f64::NAN));
        let values = head.iter().zip(&cells).map(number).collect();
        (cells.len() == head.len()).then(|| Row { outcome: cells[place].to_owned(), values })
    };
    lines.filter(|line| !line.is_empty()).map(row).collect()
}

/// Plays a battery.
fn battery(root: &Path, words: &str) -> Result<Vec<Row>, String> {
    let table = root.join("target").join("war-battery.csv");
    std::fs::create_dir_all(root.join("target")).map_err(|error| format!("no target folder: {error}"))?;
    let line = format!("run --release -- battery {words} --csv {}", table.display());
    process::capture_watched(&mut process::cargo(root, &line))?;
    let text =
        std::fs::read_to_string(&table).map_err(|error| format!("'{}' cannot be read: {error}", table.display()))?;
    rows(&text).ok_or_else(|| format!("the table of `{words}` is not understood"))
}

/// A share of some with its Wilson interval of 95 %.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Share {
    share: f64,
    low: f64,
    high: f64,
    count: usize,
}

impl Share {
    fn of(hits: usize, count: usize) -> Share {
        const Z: f64 = 1.959_964;
        if count == 0 {
            return Share { share: f64::NAN, low: 0.0, high: 1.0, count };
        }
        let (all, share) = (count as f64, hits as f64 / count as f64);
        let (middle, scale) = (share + Z * Z / (2.0 * all), 1.0 + Z * Z / all);
        let half = Z * (share * (1.0 - share) / all + Z * Z / (4.0 * all * all)).sqrt();
        Share { share, low: (middle - half) / scale, high: (middle + half) / scale, count }
    }

    fn among(rows: &[&Row], is_hit: impl Fn(&Row) -> bool) -> Share {
        Share::of(rows.iter().filter(|row| is_hit(row)).count(), rows.len())
    }

    fn text(self) -> String {
        let [share, low, high] = [self.share, self.low, self.high].map(|it| 100.0 * it);
        format!("{share:.1} % [{low:.1}, {high:.1}] of {}", self.count)
    }
}

/// A line of the figure: what is asked, what was found, whether it holds.
fn line(output: &mut String, what: &str, found: &str, holds: bool) {
    let verdict = if holds { "holds" } else { "DOES NOT HOLD" };
    let text = format!("{what}: {found}: {verdict}\n");
    print!("{text}");
    output.push_str(&text);
}

fn mean(rows: &[Row], name: &str) -> f64 {
    let known: Vec<f64> = rows.iter().map(|row| row.value(name)).filter(|value| value.is_finite()).collect();
    known.iter().sum::<f64>() / known.len() as f64
}

/// Matches of one lead against another, from the first seed that nothing was tuned on.
struct Duel {
    blue: &'static str,
    red: &'static str,
    rows: Vec<Row>,
}

impl Duel {
    /// How often blue won of those that were decided.
    fn blue(&self) -> Share {
        let decided = self.rows.iter().filter(|row| row.value("winner").is_finite()).count();
        Share::of(self.rows.iter().filter(|row| row.is_won_by(0.0)).count(), decided)
    }
}

/// How many matches of a pair: mirrors and whatever `strategy` plays are promises.
fn count_of(blue: &str, red: &str) -> usize {
    match (blue, red) {
        _ if blue == red => 400,
        ("strategy", _) | (_, "strategy") => 100,
        _ => 40,
    }
}

/// Every pair of leads from both sides.
fn tournament(root: &Path) -> Result<Vec<Duel>, String> {
    let mut duels = Vec::new();
    for blue in LEADS {
        for red in LEADS {
            let count = count_of(blue, red);
            let words = format!("war --matches {count} --seed {SEED} --set blue={blue} --set red={red}");
            let duel = Duel { blue, red, rows: battery(root, &words)? };
            println!("{blue} against {red}: blue wins {}", duel.blue().text());
            duels.push(duel);
        }
    }
    Ok(duels)
}

/// Mirror matches, and `strategy` against each fixed attitude from both sides.
fn promises(duels: &[Duel], output: &mut String) {
    for mirror in duels.iter().filter(|duel| duel.blue == duel.red) {
        let blue = mirror.blue();
        let found = format!("blue wins {} decided", blue.text());
        line(output, &format!("mirror, {} (45 to 55 %)", mirror.blue), &found, (0.45..=0.55).contains(&blue.share));
    }
    for other in &LEADS[..3] {
        let pair = |blue: &str, red: &str| duels.iter().find(|duel| duel.blue == blue && duel.red == red);
        let sides = [(pair("strategy", other), 0.0), (pair(other, "strategy"), 1.0)];
        let rows = || sides.iter().flat_map(|(duel, own)| duel.iter().flat_map(|it| &it.rows).map(|row| (row, *own)));
        let share = Share::of(rows().filter(|(row, own)| row.is_won_by(*own)).count(), rows().count());
        let what = format!("strategy against {other}, both sides (at least 60 %, interval above 50)");
        line(output, &what, &share.text(), share.share >= 0.6 && share.low > 0.5);
    }
}

/// Building, time, ground, bridges.
fn rules(root: &Path, duels: &[Duel], output: &mut String) -> Result<(), String> {
    let economy = battery(root, &format!("war-economy --matches 200 --seed {SEED} --set seconds=90"))?;
    let economy: Vec<&Row> = economy.iter().collect();
    let turret = Share::among(&economy, |row| row.value("first_turret_s") <= 60.0);
    line(output, "first turret within 60 s (at least 95 %)", &turret.text(), turret.share >= 0.95);
    let matches: Vec<&Row> = duels.iter().flat_map(|duel| &duel.rows).collect();
    let decided = Share::among(&matches, |row| row.value("winner").is_finite() && row.value("length_s") <= 900.5);
    line(output, "decided within 15 minutes (at least 95 %)", &decided.text(), decided.share >= 0.95);
    let fallen = Share::among(&matches, |row| row.value("by_base") == 1.0);
    let _ = writeln!(output, "  of these by a base that fell: {}; the others by the rule of time", fallen.text());
    let balance = |row: &Row| {
        let left = row.value("resources_taken") - row.value("resources_used") - row.value("resources_lost");
        (0.0..=6.0).contains(&left)
    };
    let kept = Share::among(&matches, balance);
    line(output, "resources taken are built with, lost with a carrier, or carried", &kept.text(), kept.share == 1.0);
    let jam = matches.iter().map(|row| row.value("bridge_held_s")).fold(0.0, f64::max);
    line(output, "longest anybody is held up on a bridge (at most 5 s)", &format!("{jam:.1} s"), jam <= 5.0);
    let stupid = matches.iter().map(|row| row.value("stupid")).sum::<f64>() / matches.len() as f64;
    let _ = writeln!(output, "what was stupid, in the mean of all matches: {stupid:.2} a match");
    let march = battery(root, &format!("war-march --matches 20 --seed {SEED}"))?;
    let jam = march.iter().map(|row| row.value("bridge_held_s")).fold(0.0, f64::max);
    let march: Vec<&Row> = march.iter().collect();
    let arrived = Share::among(&march, |row| row.outcome == "done");
    let found = format!("{} arrive, held up {jam:.1} s at most", arrived.text());
    line(output, "a formation over both bridges", &found, arrived.share == 1.0 && jam <= 5.0);
    let tastes = battery(root, &format!("war-tastes --matches 20 --seed {SEED}"))?;
    for (kind, worker) in [
        ("light_on_path", "worker_on_path"),
        ("heavy_on_path", "worker_on_path"),
        ("ranged_on_grass", "worker_on_grass"),
        ("spy_in_forest", "worker_in_forest"),
    ] {
        let ratio = mean(&tastes, kind) / mean(&tastes, worker);
        let found = format!("{:.2} and {:.2}, {ratio:.2} times", mean(&tastes, kind), mean(&tastes, worker));
        line(output, &format!("{kind} beside {worker} (at least 1.5 times)"), &found, ratio >= 1.5);
    }
    Ok(())
}

/// Every pair of leads; blue in rows, red in columns.
fn table(duels: &[Duel], output: &mut String) {
    output.push_str(
        "\nwins of blue in percent of what was decided, by who leads blue (rows) and red (columns); 400 matches of a\n",
    );
    output.push_str("lead against itself, 100 with strategy on one side, 40 of all others:\n");
    let _ = writeln!(output, "{:>10}{}", "", LEADS.map(|lead| format!("{lead:>22}")).concat());
    for row in duels.chunks(LEADS.len()) {
        let _ = write!(output, "{:>10}", row[0].blue);
        for duel in row {
            let share = duel.blue();
            let [now, low, high] = [share.share, share.low, share.high].map(|it| 100.0 * it);
            let _ = write!(output, "{:>22}", format!("{now:.0} [{low:.0}, {high:.0}]"));
        }
        output.push('\n');
    }
}

/// Plays all of it.
pub fn measure(root: &Path) -> Result<Outcome, String> {
    let mut output = String::new();
    let duels = tournament(root)?;
    promises(&duels, &mut output);
    rules(root, &duels, &mut output)?;
    table(&duels, &mut output);
    Ok(Outcome { command: "cargo xtask prove war".to_owned(), output })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_by_the_names_of_their_columns() {
        let text = "scene,seed,outcome,winner,length_s\nwar,1,blue is better off,0,900\nwar,2,a draw,,12.5\n";
        let rows = rows(text).expect("a right table");
        assert_eq!((rows[0].outcome.as_str(), rows[0].value("length_s")), ("blue is better off", 900.0));
        assert!(rows[0].is_won_by(0.0) && !rows[1].is_won_by(0.0) && rows[1].value("winner").is_nan());
        assert!(super::rows("scene,seed\n1,2\n").is_none() && super::rows("outcome,a\nx\n").is_none());
    }

    #[test]
    fn intervals_hold_the_share_and_shrink_with_the_count() {
        let (few, many) = (Share::of(6, 10), Share::of(600, 1000));
        assert!(few.low < 0.6 && few.high > 0.6 && many.high - many.low < few.high - few.low);
        assert!((many.low - 0.569).abs() < 1e-3 && (many.high - 0.630).abs() < 1e-3);
        assert!(Share::of(0, 0).share.is_nan());
        assert_eq!(Share::of(10, 10).text(), "100.0 % [72.2, 100.0] of 10");
    }
}
