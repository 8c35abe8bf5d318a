//! `sentir battery` and `sentir check` as people and scripts call them: what they print and leave, how they fail.

use crate::process::{Folder, done, object, program, refused, sentir, text};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Every file of a folder, by name.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
    entries.map(|one| (one.file_name().into_string().unwrap(), std::fs::read(one.path()).unwrap())).collect()
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

/// The fields of the rows of a CSV file without quoted fields, head first.
fn fields(csv: &str) -> Vec<Vec<&str>> {
    csv.lines().map(|line| line.split(',').collect()).collect()
}

#[test]
fn the_same_numbers_and_files_whatever_the_number_of_threads() {
    let folder = Folder::new("threads");
    let mut all = Vec::new();
    for (index, threads) in ["1", "2", "1", "2", "5"].into_iter().enumerate() {
        let out = folder.0.join(index.to_string());
        let place = out.display().to_string();
        let csv = folder.file(&format!("{index}.csv"));
        let told = done(&[
            "battery",
            "patrol",
            "--matches",
            "40",
            "--threads",
            threads,
            "--out",
            &place,
            "--csv",
            &csv,
            "--json",
        ]);
        let files = files(&out);
        assert_eq!(std::fs::read(&csv).unwrap(), files["matches.csv"]);
        assert_eq!(told.as_bytes(), files["summary.json"]);
        all.push((told, files));
    }
    let (first, rest) = all.split_first().unwrap();
    assert!(rest.iter().all(|other| other == first), "a byte differs");
    let names: Vec<&str> = first.1.keys().map(String::as_str).collect();
    assert!(names.contains(&"patrol-outcomes.svg") && names.contains(&"patrol-walked_m.svg"), "{names:?}");
    assert!(first.1.keys().all(|name| !name.ends_with(".part")));
    for (name, bytes) in first.1.iter().filter(|(name, _)| name.ends_with(".svg")) {
        let plot = text(bytes);
        assert!(plot.starts_with("<svg ") && plot.ends_with("</svg>\n"), "{name}");
    }
}

#[test]
fn a_row_is_the_match_that_run_plays_with_its_seed() {
    let folder = Folder::new("row");
    let csv = folder.file("matches.csv");
    done(&["battery", "patrol", "--matches", "5", "--seed", "30", "--set", "guards=2", "--csv", &csv]);
    let csv = std::fs::read_to_string(&csv).unwrap();
    let (head, rows) = (fields(&csv)[0].clone(), fields(&csv)[1..].to_vec());
    assert_eq!(head[..5], ["scene", "seed", "outcome", "ticks", "seconds"]);
    assert_eq!(rows.iter().map(|row| row[1]).collect::<Vec<_>>(), ["30", "31", "32", "33", "34"]);
    for row in rows {
        let run = object(&["run", "patrol", "--seed", row[1], "--set", "guards=2", "--json"]);
        let number = |text: &str| text.parse::<f64>().ok();
        assert_eq!((row[0], row[2]), (run["scene"].as_str().unwrap(), run["outcome"].as_str().unwrap()));
        // What reads JSON here may be off by the last bit of a float.
        let is_same = |a: Option<f64>, b: Option<f64>| match (a, b) {
            (Some(a), Some(b)) => (a - b).abs() <= a.abs() * 1e-15,
            (a, b) => a == b,
        };
        assert_eq!(number(row[3]), run["ticks"].as_f64());
        assert!(is_same(number(row[4]), run["seconds"].as_f64()), "{} and {}", row[4], run["seconds"]);
        let told: Vec<_> = keys(&run["metrics"]).into_iter().chain(keys(&run["stupidity"])).collect();
        assert_eq!(head[5..], told);
        for (name, field) in head.iter().zip(&row).skip(5) {
            let told = run["metrics"][name].as_f64().or_else(|| run["stupidity"][name].as_f64());
            assert!(is_same(number(field), told), "{name} of seed {}: {field} and {told:?}", row[1]);
        }
    }
}

#[test]
fn a_battery_is_one_object_with_stable_keys() {
    let told = object(&["battery", "patrol", "--matches", "12", "--set", "guards=2", "--json"]);
    assert_eq!(
        keys(&told),
        ["seed", "matches", "played", "planned", "stopped", "failed", "settings", "assets", "scenes"]
    );
    assert_eq!((told["played"].as_u64(), told["stopped"].as_bool()), (Some(12), Some(false)));
    assert_eq!(told["settings"]["guards"], "2");
    let scene = &told["scenes"][0];
    assert_eq!(keys(scene), ["scene", "matches", "warning", "outcomes", "metrics"]);
    let mut counted = 0;
    for outcome in scene["outcomes"].as_array().unwrap() {
        assert_eq!(keys(outcome), ["outcome", "count", "share", "low", "high"]);
        let [low, share, high] = ["low", "share", "high"].map(|key| outcome[key].as_f64().unwrap());
        assert!(0.0 <= low && low <= share && share <= high && high <= 1.0);
        counted += outcome["count"].as_u64().unwrap();
    }
    assert_eq!(counted, 12);
    for metric in scene["metrics"].as_array().unwrap() {
        assert_eq!(
            keys(metric),
            ["metric", "matches", "mean", "low", "high", "interval", "why_none", "min", "median", "p90", "max"]
        );
        for order in [["min", "mean", "max"], ["low", "mean", "high"]] {
            // Either there is an interval, or the reason why there is none.
            assert_eq!(metric["low"].is_null(), metric["why_none"].is_string(), "{metric}");
            let numbers: Vec<f64> = order.iter().filter_map(|key| metric[*key].as_f64()).collect();
            assert!(numbers.is_sorted(), "{metric}");
        }
    }
}

#[test]
fn the_tables_tell_the_same_as_the_object() {
    let call = ["battery", "patrol", "--matches", "12"];
    let (tables, told) = (done(&call), object(&[&call[..], &["--json"]].concat()));
    for outcome in told["scenes"][0]["outcomes"].as_array().unwrap() {
        let share = format!("{:.1} %", outcome["share"].as_f64().unwrap() * 100.0);
        assert!(tables.contains(outcome["outcome"].as_str().unwrap()) && tables.contains(&share), "{tables}");
    }
    for metric in told["scenes"][0]["metrics"].as_array().unwrap() {
        assert!(tables.contains(metric["metric"].as_str().unwrap()), "{tables}");
    }
    assert!(tables.contains("12 of 12 matches, seeds 1 to 12") && tables.contains("matches/s"), "{tables}");
}

#[cfg(unix)]
#[test]
fn an_interrupt_keeps_what_is_finished() {
    let folder = Folder::new("interrupt");
    let out = folder.0.join("results");
    let place = out.display().to_string();
    let battery = program()
        .args(["battery", "patrol", "--matches", "200000", "--threads", "2", "--out", &place])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The folder is made just before the first match.
    while !out.is_dir() {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(1500));
    assert!(Command::new("kill").args(["-INT", &battery.id().to_string()]).status().unwrap().success());
    let output = battery.wait_with_output().unwrap();
    let told = text(&output.stdout);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(1), String::new()));
    let files = files(&out);
    let csv = text(&files["matches.csv"]);
    let finished = fields(&csv).len() - 1;
    assert!(finished > 0 && told.contains(&format!("stopped after {finished} of 200000 matches")), "{told}");
    assert!(csv.ends_with('\n') && fields(&csv).iter().all(|row| row.len() == fields(&csv)[0].len()));
    let summary: Value = serde_json::from_slice(&files["summary.json"]).unwrap();
    assert_eq!((summary["stopped"].as_bool(), summary["played"].as_u64()), (Some(true), Some(finished as u64)));
    for (name, bytes) in files.iter().filter(|(name, _)| name.ends_with(".svg")) {
        assert!(bytes.ends_with(b"</svg>\n"), "{name} is not whole");
    }
    assert!(files.keys().all(|name| !name.ends_with(".part")), "{:?}", files.keys());
    // What is there is what a battery that nobody stopped has there.
    let whole = folder.file("whole.csv");
    done(&["battery", "patrol", "--matches", "1", "--csv", &whole]);
    assert!(csv.starts_with(&std::fs::read_to_string(&whole).unwrap()));
}

#[test]
fn wrong_batteries_are_refused_with_a_sentence() {
    let few = ["--matches", "2"];
    let refuse = |words: &[&str], code| refused(&[&["battery"], words, &few].concat(), code);
    assert!(refuse(&["patorl"], 2).contains("there is no scene 'patorl', did you mean 'patrol'?"));
    assert!(refuse(&["patrol", "patrol"], 2).contains("the scene 'patrol' is named twice: name each scene once"));
    assert!(refuse(&["patrol", "--set", "gards=2"], 2).contains("did you mean 'guards'?"));
    assert!(refuse(&["patrol", "--threads", "0"], 2).contains("0 is not in 1..=256"));
    assert!(refuse(&["patrol", "--seed", "18446744073709551615"], 2).contains("there are no 2 seeds from"));
    assert!(refused(&["battery", "patrol", "--matches", "0"], 2).contains("0 is not in 1..=1000000"));
    assert!(refused(&["battery", "patrol"], 2).contains("--matches <N>"));
    assert!(refused(&["battery", "--matches", "2"], 2).contains("<SCENE>"));
}

#[test]
fn places_that_cannot_be_written_are_told_before_the_matches() {
    let folder = Folder::new("places");
    // So many matches that the test would not end if they were played.
    let refuse = |option: &str, place: &str| refused(&["battery", "patrol", "--matches", "1000000", option, place], 1);
    let file = folder.with("file", "");
    assert!(refuse("--out", &file).contains("cannot be written: it is a file, not a folder"));
    assert!(refuse("--out", &format!("{file}/deeper")).contains("cannot be written: not a directory"));
    assert!(refuse("--csv", &folder.0.display().to_string()).contains("cannot be written: it is a folder"));
    assert!(refuse("--csv", &folder.file("no/such.csv")).contains("cannot be written: its folder does not exist"));
}

#[cfg(not(feature = "parquet"))]
#[test]
fn parquet_names_the_feature_it_needs() {
    let error = refused(&["battery", "patrol", "--matches", "1000000", "--parquet", "out.parquet"], 2);
    assert!(error.contains("--parquet needs the feature 'parquet'"), "{error}");
    assert!(!Path::new("out.parquet").exists());
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_is_the_same_for_any_number_of_threads() {
    let folder = Folder::new("parquet");
    let bytes = ["1", "2"].map(|threads| {
        let path = folder.file(&format!("{threads}.parquet"));
        done(&["battery", "patrol", "--matches", "20", "--threads", threads, "--parquet", &path]);
        std::fs::read(path).unwrap()
    });
    assert_eq!(bytes[0], bytes[1]);
    assert!(bytes[0].starts_with(b"PAR1") && bytes[0].ends_with(b"PAR1"));
}

const YARD: &str = include_str!("../../../scenes/assets/sense/patrol.yaml");
const LEVEL: &str = include_str!("../../../level/levels/yard.yaml");

#[test]
fn good_files_are_told_with_what_they_hold() {
    let folder = Folder::new("good");
    let (yard, level) = (folder.with("layout.yaml", YARD), folder.with("level.yaml", LEVEL));
    let (recording, snapshot) = (folder.file("out.srec"), folder.file("half.snap"));
    done(&["run", "patrol", "--seed", "5", "--record", &recording]);
    done(&["run", "patrol", "--ticks", "60", "--snapshot", &snapshot]);
    let told = done(&["check", &yard, &level, &recording, &snapshot]);
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines.len(), 4, "{told}");
    assert!(
        lines[0].contains(": layout 'patrol', ") && lines[0].ends_with(" triangles, 4 waypoints, 4 routes"),
        "{told}"
    );
    assert!(lines[1].contains("level 'yard', ") && lines[1].contains(" triangles, 1 floor, 2 spawns"), "{told}");
    assert!(lines[2].contains("recording 'patrol', ") && lines[2].contains("; seed 5, ends '"), "{told}");
    assert!(lines[3].contains("snapshot, ") && lines[3].ends_with("envelope whole"), "{told}");
    assert!(lines.iter().all(|line| line.starts_with("ok: ")), "{told}");
    // The content decides, not the name.
    std::fs::rename(&recording, folder.file("renamed")).unwrap();
    assert!(done(&["check", &folder.file("renamed")]).contains("recording 'patrol'"));
}

#[test]
fn bad_files_are_told_with_their_place_and_leave_no_good_one_out() {
    let folder = Folder::new("bad");
    let good = folder.with("good.yaml", YARD);
    let yard = folder.with("yard.yaml", YARD.replace("annotations:", "anotations:"));
    let level = folder.with("level.yaml", LEVEL.replace("thickness_m", "thicknes_m"));
    let (none, odd) = (folder.file("none.yaml"), folder.with("odd.yamll", ""));
    let cut = folder.with("cut.srec", b"\x89SENTIR\nsrec");
    let output = sentir(&["check", &yard, &level, &none, &odd, &cut, &good]);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(1), String::new()));
    let told = text(&output.stdout);
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines.len(), 6, "{told}");
    let line = 1 + YARD.lines().position(|line| line == "annotations:").unwrap();
    assert!(lines[0].starts_with(&format!("bad: {yard}:{line}:1: ")), "{told}");
    assert!(lines[0].contains("did you mean `annotations`?"), "{told}");
    assert!(lines[1].starts_with(&format!("bad: {level}:7:")), "{told}");
    assert!(lines[1].contains("(did you mean `thickness_m`?)"), "{told}");
    assert_eq!(lines[2], format!("bad: {none} cannot be read: no such file or directory"));
    assert!(lines[3].starts_with(&format!("bad: {odd} is of no known kind (did you mean .yaml?): ")), "{told}");
    assert!(lines[4].starts_with(&format!("bad: {cut} is cut short: ")), "{told}");
    assert!(lines[5].starts_with("ok: "), "{told}");
}

#[test]
fn a_check_is_one_object_with_stable_keys() {
    let folder = Folder::new("object");
    let good = folder.with("good.yaml", LEVEL);
    let bad = folder.with("bad.yaml", LEVEL.replace("thickness_m", "thicknes_m"));
    let output = sentir(&["check", "--json", &good, &bad]);
    assert_eq!(output.status.code(), Some(1));
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(keys(&told), ["checked", "bad", "files"]);
    assert_eq!((told["checked"].as_u64(), told["bad"].as_u64()), (Some(2), Some(1)));
    let [good, bad] = [&told["files"][0], &told["files"][1]];
    assert_eq!(keys(good), ["file", "kind", "ok", "name", "counts", "error"]);
    assert_eq!(keys(bad), keys(good));
    assert_eq!((good["kind"].as_str(), good["name"].as_str()), (Some("level"), Some("yard")));
    assert!(good["counts"]["triangles"].as_u64().unwrap() > 0 && good["error"].is_null());
    assert_eq!(keys(&bad["error"]), ["line", "column", "message"]);
    assert_eq!((bad["ok"].as_bool(), bad["error"]["line"].as_u64()), (Some(false), Some(7)));
}

#[test]
fn every_brain_that_comes_along_is_checked_analyzed_and_drawn() {
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../think/assets");
    let folder = Folder::new("brains");
    let svg = folder.file("brain.svg");
    let mut count = 0;
    for part in ["", "guard", "rts"] {
        for entry in std::fs::read_dir(assets.join(part)).unwrap() {
            let path = entry.unwrap().path().display().to_string();
            if !path.ends_with(".yaml") {
                continue;
            }
            let told = done(&["check", &path]);
            assert!(told.starts_with("ok: ") && told.contains(": brain, "), "{told}");
            let told = object(&["analyze", &path, "--json", "--svg", &svg]);
            assert!(told["brains"][0]["parts"].as_u64().unwrap() > 2, "{path}: {told}");
            assert!(std::fs::read_to_string(&svg).unwrap().starts_with("<svg"), "{path}");
            assert!(done(&["migrate", &path]).ends_with(": current already\n"), "{path}");
            count += 1;
        }
    }
    assert!(count >= 16, "{count}");
}

#[test]
fn what_a_file_should_be_can_be_said() {
    let folder = Folder::new("as");
    let yard = folder.with("yard.yaml", YARD);
    assert!(done(&["check", "--as", "layout", &yard]).contains("layout 'patrol'"));
    let output = sentir(&["check", "--as", "recording", &yard]);
    assert!(text(&output.stdout).contains("is not a sentir recording"), "{}", text(&output.stdout));
    assert!(done(&["check", "--as", "level", &yard]).contains("level 'patrol'"));
    let plain = folder.with("plain.yaml", LEVEL);
    let output = text(&sentir(&["check", "--as", "layout", &plain]).stdout);
    assert!(output.starts_with("bad: ") && output.contains("annotations of kind"), "{output}");
    assert!(refused(&["check", "--as", "levle", &yard], 2).contains("'level'"));
    assert!(refused(&["check"], 2).contains("<FILE>"));
}

/// The guard's tree as it comes along.
const TREE: &str = include_str!("../../../think/assets/guard/tree.yaml");

#[test]
fn the_leaves_of_a_brain_are_checked_for_the_scene_it_is_for() {
    let folder = Folder::new("leaves");
    let check = |scene: &str, text: String| {
        let mine = folder.with("mine.yaml", text);
        let told = self::text(&sentir(&["check", "--scene", scene, &mine]).stdout);
        told.replace(&mine, "mine.yaml").trim_end().to_owned()
    };
    let tree = |old: &str, new: &str| {
        assert!(TREE.contains(old), "{old}");
        TREE.replace(old, new)
    };
    let good = check("guard", TREE.to_owned());
    assert!(good.starts_with("ok: mine.yaml: brain, ") && good.ends_with("; behavior tree, leaves of guard"), "{good}");
    for (old, new, sentence) in [
        ("{task: patrol,", "{task: patroll,", "21:16: unknown task `patroll` (did you mean `patrol`?)"),
        ("what: flee}", "what: fle}", "11:50: unknown kind `fle` (did you mean `flee`?)"),
        ("for_s: 0.3}", "for_x: 0.3}", "21:42: unknown key `for_x` (did you mean `for_s`?): expected `leg`, `for_s`"),
        ("for_s: 0.3}", "for_s: soon}", "21:49: found text: expected a number"),
        ("{leg: $leg, ", "{", "21:30: `leg` is missing"),
        (
            "leg: $leg,",
            "leg: $heard,",
            "21:36: found a key of kind bool: expected a whole number, or a key of kind int",
        ),
        ("leg: $leg,", "leg: $lek,", "21:36: unknown blackboard key `lek` (did you mean `leg`?)"),
    ] {
        let told = check("guard", tree(old, new));
        assert!(told.starts_with(&format!("bad: mine.yaml:{sentence}")), "{new}: {told}");
    }
    assert!(check("firefight", TREE.to_owned()).contains("unknown task `act`"));
    let soldier = include_str!("../../../squad/assets/soldier.yaml");
    assert!(check("firefight", soldier.to_owned()).ends_with("leaves of firefight"));
    assert!(check("soldier-plan", soldier.to_owned()).starts_with("bad: mine.yaml:"));
    let mine = folder.with("mine.yaml", tree("{task: patrol,", "{task: patroll,"));
    assert!(done(&["check", &mine]).ends_with("leaves not checked (--scene SCENE does)\n"));
    let stock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../think/assets/guard/htn.yaml").display().to_string();
    assert!(done(&["check", &stock]).ends_with("leaves of guard\n"));
    let error = refused(&["check", "--scene", "patrol", &mine], 2);
    assert!(error.starts_with("error: the brains of 'patrol' are no files: expected one of firefight, "), "{error}");
    assert!(refused(&["check", "--scene", "gard", &mine], 2).contains("did you mean 'guard'?"));
}
