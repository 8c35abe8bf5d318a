//! Bounded, compared whole, never lost: what an attack on the program broke once, as it was done.

use crate::process::{Folder, done, object, program, refused, sentir, text};
use sentir::core::state::{FileKind, from_bytes, pack, to_bytes, unpack};
use sentir_harness::recording::Recording;
use serde_json::Value;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Three squares of 4.8 km, one over the other.
fn stacked_squares() -> String {
    let mut text = String::new();
    for height in [0, 5, 10] {
        for (x, z) in [(-2400, -2400), (-2400, 2400), (2400, 2400), (2400, -2400)] {
            text.push_str(&format!("v {x} {height} {z}\n"));
        }
        text.push_str("f -4 -3 -2 -1\n");
    }
    text
}

#[test]
fn a_level_that_would_take_gigabytes_is_refused_at_once() {
    let folder = Folder::new("stacked");
    let path = folder.with("squares.obj", stacked_squares());
    let started = Instant::now();
    let checked = sentir(&["check", &path]);
    assert_eq!(checked.status.code(), Some(1));
    let line = text(&checked.stdout);
    assert!(
        line.contains("squares.obj cannot be baked: cells would be 256000000: expected at most 33554432"),
        "{line}"
    );
    assert!(refused(&["level", "info", &path], 1).contains("cells would be 256000000"));
    let boxes = "- box: {at: [0, 0], size: [20, 20], height_m: 3}\n".repeat(18_000);
    let pile = folder.with("pile.yaml", format!("name: pile\nsolids:\n{boxes}"));
    assert!(text(&sentir(&["check", &pile]).stdout).contains("cannot be baked: cells under all triangles would be"));
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
}

fn recorded(folder: &Folder, name: &str, words: &[&str]) -> String {
    let path = folder.file(name);
    done(&[&["run", "patrol", "--record", &path], words].concat());
    path
}

/// A recording with something in it changed, in an envelope that is whole.
fn forged(path: &str, change: impl FnOnce(&mut Recording)) -> Vec<u8> {
    let mut recording = Recording::from_file(&std::fs::read(path).unwrap()).unwrap();
    change(&mut recording);
    recording.to_file()
}

#[test]
fn a_replay_compares_the_ending_and_the_figures_too() {
    let folder = Folder::new("replay-whole");
    let good = recorded(&folder, "good.srec", &[]);
    assert_eq!(object(&["replay", &good, "--json"])["identical"], true);
    let ending = folder.with("ending.srec", forged(&good, |it| it.ending = Some("all went home".to_owned())));
    let told = sentir(&["replay", &ending]);
    assert_eq!(told.status.code(), Some(1));
    assert!(text(&told.stdout).contains("the ending was 'all went home', and is "), "{}", text(&told.stdout));
    let figures = folder.with("figures.srec", forged(&good, |it| it.metrics[0].1 += 1.0));
    let told: Value = serde_json::from_slice(&sentir(&["replay", &figures, "--json"]).stdout).unwrap();
    assert_eq!((&told["identical"], &told["first_difference"]), (&Value::Bool(false), &Value::Null));
    assert!(told["outcome"][0].as_str().unwrap().starts_with("the figure '"), "{told}");
}

#[test]
fn no_ticks_are_not_identical() {
    let folder = Folder::new("replay-none");
    let path = recorded(&folder, "none.srec", &["--ticks", "0"]);
    let told = sentir(&["replay", &path]);
    assert_eq!(told.status.code(), Some(1));
    assert!(text(&told.stdout).starts_with("nothing to compare: "), "{}", text(&told.stdout));
}

#[test]
fn a_recording_that_announces_too_much_is_refused_before_it_is_unpacked() {
    let folder = Folder::new("bombs");
    // A content of nothing but zeros packs a thousandfold: a 'recording' of a gigabyte in a file of some megabytes.
    let bomb = folder.with("bomb.srec", pack(FileKind::Recording, 6, &vec![0_u64; 12 << 20]));
    let line = text(&sentir(&["check", &bomb]).stdout);
    assert!(line.contains("would take 100663300 bytes when unpacked: a recording has at most 67108864"), "{line}");
    let good = recorded(&folder, "good.srec", &[]);
    let long = folder.with("long.srec", forged(&good, |it| it.hashes.resize(9_000_000, 0)));
    let line = text(&sentir(&["check", &long]).stdout);
    assert!(line.contains("there are more ticks than a recording may have, 8000000"), "{line}");
    // Within the limit it is played until the match is over, not for all the ticks that it announces.
    let longer = folder.with("longer.srec", forged(&good, |it| it.hashes.resize(7_000_000, 0)));
    let started = Instant::now();
    let told = text(&sentir(&["replay", &longer]).stdout);
    assert!(told.contains("the match is over after ") && started.elapsed() < Duration::from_secs(60), "{told}");
}

#[test]
fn outputs_are_tried_before_the_first_match() {
    let started = Instant::now();
    let told = refused(&["battery", "patrol", "--matches", "1000000", "--csv", "/proc/matches.csv"], 1);
    assert!(told.contains("/proc/matches.csv cannot be written"), "{told}");
    assert!(started.elapsed() < Duration::from_secs(20));
}

#[test]
fn one_output_that_fails_does_not_lose_the_others() {
    let folder = Folder::new("full");
    let out = folder.file("out");
    let told = sentir(&["battery", "patrol", "--matches", "2", "--csv", "/dev/full", "--out", &out]);
    assert_eq!(told.status.code(), Some(1));
    assert!(
        text(&told.stdout).contains("2 of 2 matches") && text(&told.stderr).contains("/dev/full cannot be written")
    );
    assert!(folder.0.join("out/summary.json").is_file() && folder.0.join("out/matches.csv").is_file());
    let recording = folder.file("a.srec");
    let told = sentir(&["run", "patrol", "--ticks", "60", "--events", "/dev/full", "--record", &recording]);
    assert_eq!(told.status.code(), Some(1));
    assert!(text(&told.stdout).contains("stopped by --ticks") && text(&told.stderr).contains("/dev/full"));
    done(&["replay", &recording]);
}

#[test]
fn a_killed_battery_goes_on_from_its_journal() {
    let folder = Folder::new("resume-battery");
    let (out, whole) = (folder.file("out"), folder.file("whole"));
    let words = |out: &str| ["battery", "patrol", "--matches", "60", "--threads", "1", "--out", out].map(str::to_owned);
    let mut battery = program().args(words(&out)).stdout(Stdio::null()).spawn().unwrap();
    let journal = folder.0.join("out/battery.journal");
    let noted = || std::fs::read_to_string(&journal).map_or(0, |text| text.lines().count());
    let until = Instant::now() + Duration::from_secs(60);
    while noted() < 4 && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(5));
    }
    battery.kill().unwrap();
    battery.wait().unwrap();
    assert!((2..60).contains(&noted()), "{} lines", noted());
    let again = program().args(words(&out)).output().unwrap();
    assert!(again.status.success() && text(&again.stdout).contains("of them were played before"), "{again:?}");
    assert!(!journal.exists());
    program().args(words(&whole)).output().unwrap();
    for name in ["matches.csv", "summary.json"] {
        let read = |out: &str| std::fs::read(folder.0.join(out).join(name)).unwrap();
        assert_eq!(read("out"), read("whole"), "{name}");
    }
}

#[test]
fn plots_of_another_battery_do_not_stay_and_files_of_others_do() {
    let folder = Folder::new("stale");
    let out = folder.file("out");
    done(&["battery", "patrol", "--matches", "2", "--out", &out]);
    std::fs::write(folder.0.join("out/patrol-notes.svg"), "<svg>mine</svg>").unwrap();
    done(&["battery", "hide-and-seek", "--matches", "2", "--out", &out]);
    let names: Vec<String> =
        std::fs::read_dir(&out).unwrap().map(|one| one.unwrap().file_name().into_string().unwrap()).collect();
    let of_patrol: Vec<&String> = names.iter().filter(|name| name.starts_with("patrol-")).collect();
    assert_eq!(of_patrol, ["patrol-notes.svg"]);
    assert!(names.iter().any(|name| name.starts_with("hide-and-seek-")));
}

#[test]
fn an_interrupted_run_keeps_its_recording() {
    let folder = Folder::new("interrupted-run");
    let path = folder.file("a.srec");
    let mut run = program()
        .args(["run", "commute", "--set", "seconds=7200", "--set", "count=100", "--record", &path])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_secs(3));
    assert!(Command::new("kill").args(["-INT", &run.id().to_string()]).status().unwrap().success());
    assert_eq!(run.wait().unwrap().code(), Some(1));
    let recording = Recording::from_file(&std::fs::read(&path).unwrap()).unwrap();
    assert!(!recording.hashes.is_empty() && recording.ending.is_none());
}

#[test]
fn a_file_is_not_converted_onto_itself() {
    let folder = Folder::new("onto-itself");
    let xml = "<root><BehaviorTree ID=\"A\"><AlwaysSuccess/></BehaviorTree></root>";
    let path = folder.with("a.xml", xml);
    assert!(refused(&["convert", &path, "--out", &path], 2).contains("would be written over itself"));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), xml);
}

#[test]
fn layers_are_all_but_some() {
    let folder = Folder::new("layers");
    let picture = folder.file("a.png");
    for layers in ["all,-senses", "-senses,all", "-senses"] {
        let told = done(&["run", "patrol", "--ticks", "5", "--picture", &picture, "--layers", layers]);
        assert!(told.contains("written: "), "{layers}: {told}");
    }
}

#[test]
fn few_matches_come_with_a_warning_and_what_never_came_with_an_interval() {
    let few = object(&["battery", "patrol", "--matches", "5", "--json"]);
    let warning = few["scenes"][0]["warning"].as_str().unwrap();
    assert!(warning.starts_with("fewer than 30 matches"), "{warning}");
    let metrics = few["scenes"][0]["metrics"].as_array().unwrap();
    let never = metrics.iter().find(|one| one["max"].as_f64() == Some(0.0) && one["interval"] == "poisson").unwrap();
    let (low, high) = (never["low"].as_f64().unwrap(), never["high"].as_f64().unwrap());
    assert!(low == 0.0 && (high - 3.688_879_454 / 5.0).abs() < 1e-6, "{never}");
}

#[test]
fn a_forged_envelope_is_still_an_envelope() {
    // The tests above forge by the same means as files are written: what is not forged comes back.
    let folder = Folder::new("forged");
    let good = recorded(&folder, "good.srec", &["--ticks", "30"]);
    let bytes = std::fs::read(&good).unwrap();
    let content = unpack(FileKind::Recording, &bytes).unwrap().content;
    let recording: Recording = from_bytes(&content).unwrap();
    assert_eq!(to_bytes(&recording), content);
    assert_eq!(recording.to_file(), bytes);
}
