//! `cargo xtask prove firefight`: what the soldiers of the firefight do, over many matches, beside soldiers that lack
//! something.

use std::path::Path;

use serde_json::Value;

use crate::figure::Outcome;
use crate::{limits, process};

/// A battery and what of it is told: a title, its words, and the metrics; `stupid*` is all that begin so.
struct Subject {
    title: &'static str,
    words: &'static str,
    metrics: &'static [&'static str],
}

const FOUND: &[&str] = &["match_s"];
const WINS: &[&str] = &["match_s", "soldiers_left"];
const STUPID: &[&str] = &["stupid*"];

const fn subject(title: &'static str, words: &'static str, metrics: &'static [&'static str]) -> Subject {
    Subject { title, words, metrics }
}

const SUBJECTS: &[Subject] = &[
    subject("time to find who hides, four searchers, s (at most 60)", "search --matches 1000", FOUND),
    subject("the same, one searcher", "search --matches 1000 --set soldiers=1", FOUND),
    subject("the same, four who look anywhere", "search --matches 1000 --set mind=random-search", FOUND),
    subject(
        "the same, one who looks anywhere",
        "search --matches 1000 --set mind=random-search --set soldiers=1",
        FOUND,
    ),
    subject("least angle between attackers", "group-attack --matches 1000", &["least_angle_rad"]),
    subject("the same without the flank test", "group-attack --matches 1000 --set mind=no-flank", &["least_angle_rad"]),
    subject("share of the way that the target sees", "firefight --matches 200 --set player=camper", &["exposed_share"]),
    subject(
        "the same by the shortest ways",
        "firefight --matches 200 --set player=camper --set mind=plain-paths",
        &["exposed_share"],
    ),
    subject("four against a strong player", "firefight --matches 200", WINS),
    subject("four against a hider", "firefight --matches 200 --set player=hider", WINS),
    subject("four against a camper", "firefight --matches 200 --set player=camper", WINS),
    subject("four against a rusher", "firefight --matches 200 --set player=rusher", WINS),
    subject("four against a flanker", "firefight --matches 200 --set player=flanker", WINS),
    subject("four against the base game's mind", "firefight --matches 200 --set player=base", WINS),
    subject("four of the base game's against a strong player", "firefight --matches 200 --set mind=base", WINS),
    subject("soldier against soldier, who differ in where they begin", "duel --matches 400", WINS),
    subject("soldier (as player) against the base game's mind", "duel --matches 400 --set mind=base", WINS),
    subject("soldier against the base game's mind (as player)", "duel --matches 400 --set player=base", WINS),
    subject("stupidity a match", "firefight --matches 1000 --seed 5001", STUPID),
    subject("the same in the warehouse", "firefight --matches 200 --seed 5001 --set arena=warehouse", STUPID),
    subject("the same in the street", "firefight --matches 200 --seed 5001 --set arena=street", STUPID),
    subject("the same against a hider", "firefight --matches 200 --seed 5001 --set player=hider", STUPID),
    subject("the same against a rusher", "firefight --matches 200 --seed 5001 --set player=rusher", STUPID),
];

/// Plays all of them.
pub fn measure(root: &Path) -> Result<Outcome, String> {
    let mut output = String::new();
    for Subject { title, words, metrics } in SUBJECTS {
        let text =
            process::capture_watched(&mut process::cargo(root, &format!("run --release -- battery {words} --json")))?;
        let told = tell(&text, metrics).ok_or_else(|| format!("the battery `{words}` tells nothing:\n{text}"))?;
        let lines = format!("{title}: sentir battery {words}\n{told}");
        print!("{lines}");
        output.push_str(&lines);
    }
    let line = format!("matches of over 60 s with every behavior: {}\n", limits::hold_row(root, "every-behavior")?);
    print!("{line}");
    output.push_str(&line);
    Ok(Outcome { command: "cargo xtask prove firefight".to_owned(), output })
}

/// Outcomes and metrics of a battery's object.
fn tell(text: &str, metrics: &[&str]) -> Option<String> {
    let object: Value = serde_json::from_str(text.trim()).ok()?;
    let scene = object.get("scenes")?.get(0)?;
    let number = |value: &Value, name: &str| value.get(name).and_then(Value::as_f64);
    let mut lines = String::new();
    for one in scene.get("outcomes")?.as_array()? {
        let percent = |name| Some(100.0 * number(one, name)?);
        let (share, low, high) = (percent("share")?, percent("low")?, percent("high")?);
        lines.push_str(&format!("  {}: {share:.1} % [{low:.1}, {high:.1}]\n", one.get("outcome")?.as_str()?));
    }
    let all = scene.get("metrics")?.as_array()?;
    let name_of = |one: &Value| one.get("metric").and_then(Value::as_str).unwrap_or_default().to_owned();
    let is_meant = |name: &str, wanted: &str| match wanted.strip_suffix('*') {
        Some(begin) => name.starts_with(begin),
        None => name == wanted,
    };
    let mut chosen = Vec::new();
    for wanted in metrics {
        let before = chosen.len();
        chosen.extend(all.iter().filter(|one| is_meant(&name_of(one), wanted)));
        if chosen.len() == before {
            return None;
        }
    }
    for one in chosen {
        let name = name_of(one);
        let Some(mean) = number(one, "mean") else {
            lines.push_str(&format!("  {name}: nothing to tell\n"));
            continue;
        };
        let (low, high) = (number(one, "low").unwrap_or(mean), number(one, "high").unwrap_or(mean));
        let (median, p90, max) = (number(one, "median")?, number(one, "p90")?, number(one, "max")?);
        lines.push_str(&format!(
            "  {name}: mean {mean:.3} [{low:.3}, {high:.3}], median {median:.2}, p90 {p90:.2}, most {max:.2}, {} matches\n",
            one.get("matches")?
        ));
    }
    Some(lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_from_a_batterys_object() {
        let text = r#"{"scenes":[{"outcomes":[{"outcome":"time up","share":0.5,"low":0.25,"high":0.75}],
            "metrics":[{"metric":"a_s","mean":1.5,"low":1,"high":2,"median":1.25,"p90":3,"max":4,"matches":7}]}]}"#;
        let told = tell(text, &["a_s"]).expect("a right object");
        assert!(told.contains("time up: 50.0 % [25.0, 75.0]"), "{told}");
        assert!(told.contains("a_s: mean 1.500 [1.000, 2.000], median 1.25, p90 3.00, most 4.00, 7 matches"), "{told}");
        assert_eq!(tell(text, &["a*"]).expect("one begins so"), told);
        assert_eq!((tell(text, &["b_s"]), tell(text, &["a"]), tell(text, &["b*"])), (None, None, None));
        assert_eq!(tell("", &[]), None);
    }
}
