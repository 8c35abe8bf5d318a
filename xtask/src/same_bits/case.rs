//! What is compared: the cases that the scenes ask for, and the hashes that a run reports.

use serde_json::Value;

use crate::workspace::{array, text};

const SEEDS: [u32; 2] = [1, 7];

/// One run to repeat in every build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Its name.
    pub scene: String,
    /// Of the whole world.
    pub seed: u32,
    /// `key=value` each; none means stock settings.
    pub settings: Vec<String>,
    /// Where to stop at the latest, ticks; 0 for the end of the match.
    pub ticks_max: u32,
}

impl Case {
    /// For people.
    pub fn name(&self) -> String {
        let settings = if self.settings.is_empty() { "stock settings".to_owned() } else { self.settings.join(" ") };
        format!("{} seed {} ({settings})", self.scene, self.seed)
    }
}

/// Every scene with every seed and every set of settings it wants tried.
pub fn cases(scenes: &str, ticks_max: u32) -> Result<Vec<Case>, String> {
    let scenes: Value = serde_json::from_str(scenes)
        .map_err(|error| format!("`sentir scenes --json` wrote something that is no JSON: {error}"))?;
    let mut cases = Vec::new();
    for scene in scenes.as_array().map_or(&[][..], Vec::as_slice) {
        let name = text(scene, "name").ok_or("`sentir scenes --json` lists a scene without a name")?;
        let trials = array(scene, "trials");
        if trials.is_empty() {
            return Err(format!("scene '{name}' lists no trials; one empty list means stock settings"));
        }
        for trial in trials {
            let settings: Option<Vec<String>> = trial
                .as_array()
                .and_then(|trial| trial.iter().map(|setting| setting.as_str().map(str::to_owned)).collect());
            let settings =
                settings.ok_or_else(|| format!("a trial of scene '{name}' is no list of \"key=value\" texts"))?;
            cases.extend(SEEDS.map(|seed| Case {
                scene: name.to_owned(),
                seed,
                settings: settings.clone(),
                ticks_max,
            }));
        }
    }
    if cases.is_empty() {
        return Err("`sentir scenes --json` lists no scene".to_owned());
    }
    Ok(cases)
}

/// The hashes in a run's JSON. `hash` and `ticks`, where given, must fit them.
pub fn read_hashes(answer: &str) -> Result<Vec<String>, String> {
    let run: Value =
        serde_json::from_str(answer).map_err(|error| format!("wrote something that is no JSON: {error}"))?;
    let is_hash = |text: &&str| text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let hashes: Vec<String> =
        array(&run, "hashes").iter().filter_map(Value::as_str).filter(is_hash).map(str::to_owned).collect();
    if hashes.is_empty() || hashes.len() != array(&run, "hashes").len() {
        return Err("gave no list `hashes` of 16 hex digits each".to_owned());
    }
    if text(&run, "hash").is_some_and(|hash| hashes.last().map(String::as_str) != Some(hash)) {
        return Err("gave a `hash` that is not the last of its `hashes`".to_owned());
    }
    if run.get("ticks").and_then(Value::as_u64).is_some_and(|ticks| ticks != hashes.len() as u64) {
        return Err(format!("gave {} hashes for another count of `ticks`", hashes.len()));
    }
    Ok(hashes)
}

/// The first tick, counted from 1, after which two runs differ.
pub fn first_difference(left: &[String], right: &[String]) -> Option<usize> {
    let shorter = left.len().min(right.len());
    let equal = left.iter().zip(right).take_while(|(left, right)| left == right).count();
    (equal < shorter || left.len() != right.len()).then_some(equal + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &str = "00000000000000aa";
    const B: &str = "00000000000000bb";

    fn owned(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| (*text).to_owned()).collect()
    }

    #[test]
    fn every_trial_runs_with_every_seed() {
        let scenes = r#"[{ "name": "guard", "trials": [[], ["agents=9", "sight=off"]] }]"#;
        let names: Vec<String> = cases(scenes, 0).expect("readable").iter().map(Case::name).collect();
        assert_eq!(
            names,
            [
                "guard seed 1 (stock settings)",
                "guard seed 7 (stock settings)",
                "guard seed 1 (agents=9 sight=off)",
                "guard seed 7 (agents=9 sight=off)",
            ]
        );
    }

    #[test]
    fn a_list_that_would_test_nothing_is_refused() {
        for (scenes, expected) in [
            ("[]", "`sentir scenes --json` lists no scene"),
            ("{}", "`sentir scenes --json` lists no scene"),
            ("scenes:", "`sentir scenes --json` wrote something that is no JSON"),
            (r#"[{ "trials": [[]] }]"#, "`sentir scenes --json` lists a scene without a name"),
            (r#"[{ "name": "guard" }]"#, "scene 'guard' lists no trials"),
            (r#"[{ "name": "guard", "trials": [[9]] }]"#, "a trial of scene 'guard' is no list"),
        ] {
            let error = cases(scenes, 0).unwrap_err();
            assert!(error.starts_with(expected), "{scenes}: {error}");
        }
    }

    #[test]
    fn hashes_are_read_and_checked() {
        let whole = format!(r#"{{ "hash": "{B}", "ticks": 2, "hashes": ["{A}", "{B}"] }}"#);
        assert_eq!(read_hashes(&whole), Ok(owned(&[A, B])));
        let bare = format!(r#"{{ "hashes": ["{A}"] }}"#);
        assert_eq!(read_hashes(&bare), Ok(owned(&[A])));
        for (answer, expected) in [
            ("", "wrote something that is no JSON"),
            (r#"{ "hashes": [] }"#, "gave no list `hashes`"),
            (r#"{ "hashes": ["12"] }"#, "gave no list `hashes`"),
            (&whole.replace(r#"hash": "0"#, r#"hash": "1"#), "gave a `hash` that is not the last"),
            (&whole.replace(": 2", ": 3"), "gave 2 hashes for another count"),
        ] {
            let error = read_hashes(answer).unwrap_err();
            assert!(error.starts_with(expected), "{answer}: {error}");
        }
    }

    #[test]
    fn the_first_difference_is_found() {
        let two = owned(&[A, B]);
        assert_eq!(first_difference(&two, &two), None);
        assert_eq!(first_difference(&two, &owned(&[A, A])), Some(2));
        assert_eq!(first_difference(&two, &owned(&[B, B])), Some(1));
        assert_eq!(first_difference(&two, &owned(&[A])), Some(2));
    }
}
