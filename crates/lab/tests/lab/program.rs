//! The program as people and scripts call it: what it prints, what it leaves, how it fails.

use crate::process::{Folder, done, object, program, refused, sentir, text};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Stdio;

#[test]
fn a_run_is_one_object_with_stable_keys() {
    let run = object(&["run", "patrol", "--seed", "7", "--json"]);
    let keys: Vec<_> = run.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(
        keys,
        ["scene", "seed", "ticks", "seconds", "hash", "outcome", "metrics", "stupidity", "breakpoints", "bad_numbers"]
    );
    assert_eq!((run["scene"].as_str(), run["seed"].as_u64()), (Some("patrol"), Some(7)));
    assert_eq!(run["seconds"].as_f64().unwrap(), run["ticks"].as_f64().unwrap() / 60.0);
    assert!(run["metrics"]["walked_m"].as_f64().unwrap() > 0.0);
    assert_eq!(run, object(&["run", "patrol", "--seed", "7", "--json"]));
    assert_ne!(run["hash"], object(&["run", "patrol", "--seed", "8", "--json"])["hash"]);
}

#[test]
fn threads_change_nothing() {
    let run = |threads| object(&["run", "patrol", "--set", "guards=150", "--json", "--hashes", "--threads", threads]);
    let alone = run("1");
    assert_eq!(alone["hashes"].as_array().unwrap().len() as u64, alone["ticks"].as_u64().unwrap());
    for threads in ["2", "3", "4"] {
        assert!(run(threads) == alone, "{threads} threads");
    }
}

#[test]
fn a_recording_replays_identically() {
    let folder = Folder::new("replay");
    let file = folder.file("out.srec");
    let told = done(&["run", "patrol", "--seed", "5", "--record", &file]);
    assert!(told.contains("written: "));
    assert!(done(&["replay", &file]).starts_with("identical: "));
    assert!(done(&["replay", &file, "--threads", "3"]).starts_with("identical: "));
    let json = object(&["replay", &file, "--json"]);
    assert_eq!((&json["identical"], &json["first_difference"]), (&Value::Bool(true), &Value::Null));
}

#[test]
fn each_broken_recording_has_its_own_sentence() {
    let folder = Folder::new("broken");
    let file = folder.file("out.srec");
    done(&["run", "patrol", "--ticks", "90", "--record", &file]);
    let whole = std::fs::read(&file).unwrap();
    let refuse = |bytes: &[u8]| {
        let path = folder.file("bad.srec");
        std::fs::write(&path, bytes).unwrap();
        let error = refused(&["replay", &path], 1);
        error.strip_prefix(&format!("error: {path} ")).unwrap_or(&error).trim_end().to_owned()
    };
    assert_eq!(refuse(&[]), "is empty");
    let cut = whole.len() - 9;
    assert_eq!(refuse(&whole[..cut]), format!("is cut short: it has {cut} of {} bytes", whole.len()));
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 16;
    assert_eq!(refuse(&flipped), "is damaged: its content does not match its checksum");
    assert_eq!(
        refuse(b"not a recording at all, but long enough"),
        "is not a sentir recording: its first bytes are something else"
    );
    let mut longer = whole.clone();
    longer.extend_from_slice(b"more");
    assert_eq!(refuse(&longer), "is damaged: it has 4 bytes after its end");
    let newer = of_another_version(&whole);
    let sentence = refuse(&newer);
    assert!(sentence.starts_with("was written by sentir 9.9.9; this is sentir 0."), "{sentence}");
    let folder_error = refused(&["replay", &folder.0.display().to_string()], 1);
    assert!(folder_error.contains("cannot be read: it is a folder"), "{folder_error}");
    assert!(refused(&["replay", &folder.file("none.srec")], 1).contains("cannot be read: no such file"));
    let snapshot = folder.file("a.snap");
    done(&["run", "patrol", "--ticks", "9", "--snapshot", &snapshot]);
    assert!(refused(&["replay", &snapshot], 1).contains("is a sentir snapshot, not a recording"));
    assert!(refused(&["run", "patrol", "--from", &file], 1).contains("is a sentir recording, not a snapshot"));
}

/// The same file as a later version of the program would have written it: another format number, and whole.
fn of_another_version(file: &[u8]) -> Vec<u8> {
    use sentir::core::state::{FileKind, unpack};
    let mut envelope = unpack(FileKind::Recording, file).unwrap();
    envelope.format += 1;
    envelope.writer = "9.9.9".to_owned();
    envelope.to_file()
}

#[test]
fn a_changed_setting_or_asset_is_named_as_the_cause() {
    let folder = Folder::new("cause");
    let file = folder.file("out.srec");
    done(&["run", "patrol", "--record", &file]);
    let output = sentir(&["replay", &file, "--set", "sight_m=4"]);
    let told = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        told.starts_with("differs: ") && told.contains("because the setting 'sight_m' changed from 11 to 4"),
        "{told}"
    );
    // A yard of one's own travels with the recording; another one is named.
    let yard = folder.file("yard.yaml");
    let stock = include_str!("../../../scenes/assets/sense/patrol.yaml");
    std::fs::write(&yard, stock.replace("[[7, 2.5], [11, 2.5]]", "[[7, 3], [11, 3]]")).unwrap();
    let mine = folder.file("mine.srec");
    done(&["run", "patrol", "--asset", &format!("patrol.yaml={yard}"), "--record", &mine]);
    assert!(done(&["replay", &mine]).starts_with("identical: "));
    std::fs::write(&yard, stock.replace("[-8.5, -6.5]", "[-8.5, -7.5]")).unwrap();
    let output = sentir(&["replay", &mine, "--asset", &format!("patrol.yaml={yard}"), "--json"]);
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["identical"], false);
    assert_eq!(json["changes"][0], "the asset 'patrol.yaml' changed");
}

fn with<'a>(base: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    base.iter().chain(more).copied().collect()
}

#[test]
fn a_match_saved_at_any_tick_goes_on_in_another_process() {
    let folder = Folder::new("resume");
    let scenes: Value = object(&["scenes", "--json"]);
    for (number, scene) in scenes.as_array().unwrap().iter().enumerate() {
        let name = scene["name"].as_str().unwrap();
        // Twenty ticks of the first scene, a few of each other.
        let count = if number == 0 { 20 } else { 3 };
        // The first set of settings that the scene names for trial.
        let sets = scene["trials"][0].as_array().unwrap().iter().flat_map(|set| ["--set", set.as_str().unwrap()]);
        let base: Vec<&str> = ["run", name, "--seed", "3", "--ticks", "900"].into_iter().chain(sets).collect();
        let whole = object(&with(&base, &["--json", "--hashes"]));
        let hashes = whole["hashes"].as_array().unwrap();
        let mut random = sentir::prelude::Streams { seed: 20 }.stream(0, sentir::prelude::Purpose::new("ticks"));
        for _ in 0..count {
            let tick = 1 + random.below(hashes.len() as u32 - 1) as usize;
            let file = folder.file("at.snap");
            let (at, left) = (tick.to_string(), (hashes.len() - tick).to_string());
            done(&with(&base, &["--ticks", &at, "--snapshot", &file]));
            let rest = object(&with(&base, &["--ticks", &left, "--from", &file, "--json", "--hashes"]));
            assert!(rest["hashes"].as_array().unwrap() == &hashes[tick..], "{name} saved at tick {tick}");
            assert_eq!(
                (&rest["hash"], &rest["metrics"], &rest["outcome"]),
                (&whole["hash"], &whole["metrics"], &whole["outcome"])
            );
        }
    }
}

#[test]
fn a_snapshot_of_another_run_is_refused() {
    let folder = Folder::new("other");
    let file = folder.file("at.snap");
    done(&["run", "patrol", "--seed", "7", "--ticks", "60", "--snapshot", &file]);
    let say = |more: &[&str]| refused(&with(&["run", "patrol", "--from", &file], more), 1);
    assert!(say(&[]).contains("its seed is 7, not 1"));
    assert!(say(&["--seed", "7", "--set", "guards=2"]).contains("its setting 'guards' is 1, not 2"));
    assert!(refused(&["run", "range", "--from", &file], 1).contains("its scene is patrol, not range"));
}

#[test]
fn outputs_do_not_overwrite_each_other_and_come_when_they_are_said_to() {
    let folder = Folder::new("outputs");
    let [one, film, picture] = ["one.x", "film.png", "p.png"].map(|name| folder.file(name));
    assert!(refused(&["run", "patrol", "--record", &one, "--snapshot", &one], 2).contains("is named twice"));
    // A film of two ticks, off the beat of its frames, is there all the same.
    let snap = folder.file("at.snap");
    done(&["run", "patrol", "--ticks", "91", "--snapshot", &snap]);
    done(&["run", "patrol", "--from", &snap, "--ticks", "2", "--width", "320", "--film", &film]);
    assert!(std::fs::read(&film).unwrap().starts_with(b"\x89PNG"));
    let late = ["run", "patrol", "--ticks", "60", "--picture", &picture, "--at", "5"];
    assert!(refused(&late, 1).contains("the match lasted from 0.00 to 1.00 s, not 5.00 s"));
    assert!(refused(&["run", "patrol", "--picture", &picture, "--at", "nan"], 2).contains("expected seconds"));
    done(&["run", "patrol", "--ticks", "9", "--record", "/dev/null"]);
}

#[test]
fn a_typo_on_the_command_line_is_not_the_recordings_fault() {
    let folder = Folder::new("typo");
    let file = folder.file("out.srec");
    done(&["run", "patrol", "--ticks", "30", "--record", &file]);
    assert!(refused(&["replay", &file, "--set", "gards=2"], 2).starts_with("error: there is no setting 'gards'"));
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let mut child = program()
        .args(["run", "patrol", "--ticks", "1200", "--hashes"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
}

#[test]
fn wrong_calls_say_what_would_be_right() {
    assert!(refused(&["run", "patorl"], 2).contains("there is no scene 'patorl', did you mean 'patrol'?"));
    assert!(refused(&["rum", "patrol"], 2).contains("'run'"));
    assert!(refused(&["run", "patrol", "--sed", "3"], 2).contains("'--seed'"));
    assert!(refused(&["run", "patrol", "--seed", "x"], 2).contains("invalid value 'x'"));
    assert!(refused(&["run", "patrol", "--set", "gards=2"], 2).contains("did you mean 'guards'?"));
    assert!(refused(&["run", "patrol", "--set", "guards"], 2).contains("'guards' is not of the form KEY=VALUE"));
    assert!(refused(&["run", "patrol", "--set", "guards=many"], 2).contains("expected a whole number from 1 to 2000"));
    assert!(refused(&["run", "patrol", "--threads", "0"], 2).contains("0 is not in 1..=256"));
    assert!(refused(&["run", "patrol", "--asset", "yard.yaml=x"], 1).contains("x cannot be read: no such file"));
    assert!(refused(&["run"], 2).contains("<SCENE>"));
}

#[test]
fn files_that_cannot_be_written_are_told_before_the_match() {
    let folder = Folder::new("write");
    let place = folder.0.display().to_string();
    assert!(refused(&["run", "patrol", "--record", &place], 1).contains("cannot be written: it is a folder"));
    let deep = folder.file("no/such/out.srec");
    assert!(refused(&["run", "patrol", "--record", &deep], 1).contains("cannot be written: its folder does not exist"));
    assert!(!Path::new(&deep).exists());
}

#[test]
fn a_broken_asset_is_told_with_its_line() {
    let folder = Folder::new("asset");
    let yard = folder.file("yard.yaml");
    let stock = include_str!("../../../scenes/assets/sense/patrol.yaml");
    std::fs::write(&yard, stock.replace("annotations:", "anotations:")).unwrap();
    let error = refused(&["run", "patrol", "--asset", &format!("patrol.yaml={yard}")], 1);
    assert!(error.contains("patrol.yaml:18:1:") && error.contains("annotations"), "{error}");
    std::fs::write(&yard, [0xff, 0xfe, 0x00]).unwrap();
    assert!(
        refused(&["run", "patrol", "--asset", &format!("patrol.yaml={yard}")], 1)
            .contains("it is not UTF-8 text from byte 0 on")
    );
}

#[test]
fn help_has_examples_and_the_bare_program_says_what_to_try() {
    for command in ["scenes", "run", "replay", "bench"] {
        assert!(done(&[command, "--help"]).contains(&format!("sentir {command}")), "{command} has no example");
    }
    assert!(done(&["--help"]).contains("Exit code: 0 done, 1 it failed, 2 called wrongly."));
    assert!(done(&[]).contains("Try first:"));
    assert!(done(&["scenes"]).contains("--set guards=1"));
}

#[test]
fn scenes_tell_how_they_are_played_and_who_is_in_them() {
    let all = object(&["scenes", "--json"]);
    let of = |name: &str| all.as_array().unwrap().iter().find(|scene| scene["name"] == name).unwrap().clone();
    let fight = of("firefight");
    assert_eq!((&fight["family"], &fight["controls"]["mode"]), (&"firefight".into(), &"first_person".into()));
    assert_eq!(fight["controls"]["setting"], "player");
    assert!(fight["controls"]["bindings"].as_array().unwrap().iter().any(|it| it["action"] == "fire"));
    assert_eq!(
        fight["kinds"][0],
        serde_json::json!({ "kind": 0, "name": "soldier", "model": "soldier", "title": "soldier" })
    );
    assert_eq!((&fight["ground"], &fight["minimap"]), (&"concrete".into(), &false.into()));
    assert_eq!((&fight["views"][0], &fight["controls"]["difficulty"]), (&"orbit".into(), &"difficulty".into()));
    assert!(fight["layers"].as_array().unwrap().contains(&"shots".into()));
    assert!(of("circle")["controls"].is_null());
    let told = done(&["scenes"]);
    for text in [fight["controls"]["sentence"].as_str().unwrap(), "Agents: guard, intruder", "FORMATION: formations,"] {
        assert!(told.contains(text), "{text}");
    }
}

#[test]
fn the_table_tells_the_same_as_the_object() {
    let table = done(&["run", "patrol", "--seed", "5"]);
    let run = object(&["run", "patrol", "--seed", "5", "--json"]);
    for word in [run["hash"].as_str().unwrap(), run["outcome"].as_str().unwrap(), "× real time"] {
        assert!(table.contains(word), "{word} is missing in\n{table}");
    }
}

#[test]
fn pictures_films_and_sheets_are_written_whole() {
    let folder = Folder::new("camera");
    let [film, gif, picture, sheet] = ["f.png", "f.gif", "p.png", "s.png"].map(|name| folder.file(name));
    let short = ["--ticks", "60", "--width", "320"];
    done(&[&["run", "patrol", "--film", &film, "--picture", &picture, "--sheet", &sheet], &short[..]].concat());
    done(&[&["run", "patrol", "--film", &gif, "--dark", "--layers", "-senses"], &short[..]].concat());
    let starts = |path: &str, magic: &[u8]| std::fs::read(path).unwrap().starts_with(magic);
    assert!([&film, &picture, &sheet].iter().all(|path| starts(path, b"\x89PNG")) && starts(&gif, b"GIF89a"));
    let has_frames = std::fs::read(&film).unwrap().windows(4).any(|four| four == b"acTL");
    assert!(has_frames, "the film moves");
    // The camera only looks: the match is the same.
    let plain = object(&["run", "patrol", "--ticks", "60", "--json"]);
    let filmed = object(&["run", "patrol", "--ticks", "60", "--json", "--picture", &picture, "--at", "0.5"]);
    assert_eq!(plain, filmed);
    assert!(
        refused(&["run", "patrol", "--film", &folder.file("f.mp4")], 2).contains("its name must end in .png or .gif")
    );
    assert!(refused(&["run", "patrol", "--layers", "sensez"], 2).contains("did you mean 'senses'?"));
}

#[test]
fn bytes_per_agent_and_per_snapshot_are_printed() {
    let told = done(&["bench", "memory"]);
    assert!(told.contains("bytes per agent") && told.contains("snapshot of patrol"), "{told}");
}

#[test]
fn programs_read_benches_and_honesty_as_json() {
    let told = object(&["bench", "memory", "--json"]);
    let item = &told["items"][0];
    assert_eq!(item["item"], "memory");
    assert_eq!(item["rows"][0]["key"], "agent");
    assert!(item["rows"][0]["value"].as_f64().is_some_and(|bytes| bytes > 0.0), "{told}");
    let told = object(&["honesty", "skirmish", "--changes", "2", "--json"]);
    assert_eq!((told["tested"].as_u64(), told["leaks"].as_u64()), (Some(1), Some(0)), "{told}");
    assert!(told["changes"].as_u64().is_some_and(|count| count >= 2), "{told}");
}

#[test]
fn the_studio_is_served_where_it_is_built_and_says_how_to_build_it_elsewhere() {
    let folder = Folder::new("studio");
    let error = refused(&["studio", "--files", &folder.file("nowhere")], 1);
    assert!(error.contains("cargo xtask studio") && error.contains("--files"), "{error}");
    std::fs::write(folder.file("index.html"), "<title>a studio</title>").unwrap();
    let path = folder.0.display().to_string();
    let mut program = program();
    program.args(["studio", "--port", "0", "--no-open", "--files", &path]).stdout(Stdio::piped());
    let mut served = program.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(served.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let address = line.split("http://").nth(1).and_then(|rest| rest.split('/').next()).unwrap().to_owned();
    // The port is taken now.
    let port = address.rsplit(':').next().unwrap();
    let error = refused(&["studio", "--files", &path, "--port", port], 1);
    assert!(error.contains(&format!("port {port} cannot be served")), "{error}");
    let mut stream = TcpStream::connect(&address).unwrap();
    write!(stream, "GET / HTTP/1.1\r\nHost: {address}\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    served.kill().unwrap();
    served.wait().unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK") && answer.ends_with("<title>a studio</title>"), "{answer}");
}

#[test]
fn a_bake_is_measured_on_the_level_that_is_named() {
    let folder = Folder::new("bake");
    let file = folder.file("floor.obj");
    std::fs::write(&file, "v 0 0 0\nv 20 0 0\nv 20 0 20\nv 0 0 20\nf 3 2 1\nf 4 3 1\n").unwrap();
    let told = done(&["bench", "bake", "--data", &file]);
    assert!(told.contains("in one piece") && told.contains("4 polygons") && told.contains("bytes a tile"), "{told}");
    assert!(refused(&["bench", "bake"], 2).contains("bake needs --data FILE, which was not given"));
    assert!(refused(&["bench", "bake", "--data", &folder.file("none.obj")], 1).contains("cannot be read"));
    std::fs::write(&file, "v 0 0 0\nf 1 2 3\n").unwrap();
    assert!(refused(&["bench", "bake", "--data", &file], 1).contains("the number of a vertex above"));
}

#[test]
fn grids_are_measured_from_a_folder_and_a_missing_one_is_told() {
    let folder = Folder::new("grid");
    let (map, scenarios) = (folder.file("a.map"), folder.file("a.map.scen"));
    let place = folder.0.display().to_string();
    assert!(refused(&["bench", "grid"], 2).contains("grid needs --data FOLDER"));
    assert!(refused(&["bench", "grid", "--data", &folder.file("none")], 1).contains("cannot be read"));
    assert!(refused(&["bench", "grid", "--data", &place], 1).contains("has no file whose name ends in .map.scen"));
    std::fs::write(&scenarios, "version 1\n0\ta.map\t3\t2\t0\t0\t2\t0\t2\n").unwrap();
    assert!(refused(&["bench", "grid", "--data", &place], 1).contains("a.map cannot be read"));
    std::fs::write(&map, "type octile\nheight 2\nwidth 3\nmap\n...\n..?\n").unwrap();
    assert!(refused(&["bench", "grid", "--data", &place], 1).contains("a.map:6:3: `?` stands for no terrain"));
    std::fs::write(&map, "type octile\nheight 2\nwidth 3\nmap\n...\n..@\n").unwrap();
    let told = done(&["bench", "grid", "--data", &place, "--map", "a"]);
    assert!(told.contains("a: 1 queries") && told.contains("0 wrong lengths"), "{told}");
    let told = done(&["bench", "grid", "--data", &place, "--only", "jump", "--repeat", "3"]);
    assert!(told.contains("jump-point search") && !told.contains("any angle"), "{told}");
}

#[test]
fn what_an_eye_sees_is_written_as_three_pictures() {
    let folder = Folder::new("vision");
    let level = concat!(env!("CARGO_MANIFEST_DIR"), "/../level/levels/heights.yaml");
    let out = folder.file("seen");
    let table = done(&["vision", level, "--out", &out, "--size", "32x24", "--scale", "2"]);
    assert!(table.contains("32 × 24 pixels") && table.contains("floors"), "{table}");
    for name in ["static.png", "depth.png", "dynamic.png"] {
        let bytes = std::fs::read(Path::new(&out).join(name)).unwrap();
        assert!(bytes.starts_with(b"\x89PNG"), "{name}");
        assert_eq!((bytes[19], bytes[23]), (64, 48), "{name} is twice as large");
    }
    fn look<'a>(level: &'a str, out: &'a str, words: &[&'a str]) -> Vec<&'a str> {
        [&["vision", level, "--out", out], words].concat()
    }
    // From far outside there is nothing, and it says so.
    let output = sentir(&look(level, &out, &["--at", "0,5000,0", "--look", "0"]));
    assert!(output.status.success() && text(&output.stderr).contains("nothing is seen from there"));
    for (words, code, expected) in [
        (&["--at", "1,2"][..], 2, "expected x,y,z in meters"),
        (&["--look", "north"], 2, "expected degrees"),
        (&["--size", "big"], 2, "expected columns and rows"),
        (&["--size", "0x9"], 2, "expected 1 to 4096 each"),
        (&["--fov", "300"], 2, "expected degrees from 0.6 to 171"),
        (&["--fov", "wide"], 2, "expected degrees from 0.6 to 171"),
        (&["--far", "0"], 2, "seen from"),
        (&["--size", "4096x64", "--scale", "2"], 2, "lessen --size or --scale"),
        (&["--speed-max", "0"], 2, "expected more than 0"),
        (&["--enemy", "1,2,3"], 2, "expected x,y,z,vx,vy,vz"),
    ] {
        let error = refused(&look(level, &out, words), code);
        assert!(error.contains(expected), "{words:?}: {error}");
    }
    assert!(refused(&["vision", "nowhere.yaml", "--out", &out], 1).contains("nowhere.yaml"));
}

#[test]
fn schemas_are_the_published_ones() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for kind in ["tree", "machine", "decision", "utility", "goap", "htn", "rule"] {
        let file = root.join(format!("think/schema/{kind}.json"));
        assert_eq!(done(&["schema", kind]), std::fs::read_to_string(file).unwrap(), "{kind}");
    }
    let file = root.join("space/queries/query.schema.json");
    assert_eq!(done(&["schema", "query"]), std::fs::read_to_string(file).unwrap());
    assert!(refused(&["schema", "qery"], 2).contains("query"));
}

/// The guard's tree as it comes along.
const TREE: &str = include_str!("../../../think/assets/guard/tree.yaml");

#[test]
fn a_brain_of_ones_own_is_played_recorded_and_refused_at_its_place() {
    let folder = Folder::new("own-brain");
    let (mine, record) = (folder.file("mine.yaml"), folder.file("out.srec"));
    let write = |text: String| std::fs::write(&mine, text).unwrap();
    write(TREE.replace("do: {force_failure: {task: act, name: talk", "do: {breakpoint: {task: act, name: talk"));
    let asset = format!("guard/tree.yaml={mine}");
    let run = ["run", "guard", "--seed", "3", "--asset", &asset];
    let told = done(&[&run[..], &["--record", &record]].concat());
    assert!(told.lines().any(|line| line.contains("breakpoints") && !line.contains(" 0 ")), "{told}");
    assert!(object(&[&run[..], &["--json"]].concat())["breakpoints"].as_u64().unwrap() > 0);
    // The recording has the file in it: nothing else is needed to play it again.
    std::fs::remove_file(&mine).unwrap();
    assert!(done(&["replay", &record]).starts_with("identical: "));
    write(TREE.replace("{task: act, name: flee", "{task: atc, name: flee"));
    let error = refused(&run, 1);
    assert!(error.starts_with("error: guard/tree.yaml:11:20: unknown task `atc` (did you mean `act`?)"), "{error}");
    let error = refused(&["run", "guard", "--asset", &format!("tree.yaml={mine}")], 2);
    assert!(error.contains("has no asset 'tree.yaml', did you mean 'guard/tree.yaml'?"), "{error}");
}

/// The blocks of a guide with this tag.
fn blocks<'a>(guide: &'a str, tag: &str) -> Vec<&'a str> {
    let begin = format!("```{tag}\n");
    guide.split(begin.as_str()).skip(1).filter_map(|rest| rest.split("```").next()).collect()
}

#[test]
fn the_guide_to_brains_says_what_is_true() {
    let guide = include_str!("../../../../docs/guide/brain.md");
    let folder = Folder::new("guide");
    let [tree, conditions, part] = blocks(guide, "yaml")[..] else { panic!("another number of files") };
    std::fs::write(folder.file("mine.yaml"), tree).unwrap();
    let run = |line: &str| {
        let words = line.strip_prefix("cargo run --release -- ").unwrap().split_whitespace();
        let output = program().args(words).current_dir(&folder.0).output().unwrap();
        assert!(output.status.success(), "{line}: {}", text(&output.stderr));
        text(&output.stdout)
    };
    let commands: Vec<_> = blocks(guide, "sh").iter().flat_map(|block| block.lines()).collect();
    assert!(commands.len() >= 6, "{commands:?}");
    commands.iter().for_each(|line| drop(run(line)));
    assert!(run(commands[0]).ends_with("behavior tree, leaves of guard\n"));
    // Its conditions in the tree of its beginning.
    let keys = "keys: {heard: bool, leg: int, health: float, seen: bool}\n";
    let named = tree.replace("keys: {heard: bool, leg: int}\n", &format!("{keys}{conditions}"));
    std::fs::write(folder.file("mine.yaml"), named.replace("{key: $heard, \"==\": true}", "{any: [$heard, $afraid]}"))
        .unwrap();
    assert!(named.contains("$weak") && run(commands[0]).ends_with("behavior tree, leaves of guard\n"));
    // The breakpoint of its end there.
    let line = tree.lines().find(|line| line.trim_start().starts_with("do: ")).unwrap();
    std::fs::write(folder.file("mine.yaml"), tree.replace(line.trim_start(), part.trim_end())).unwrap();
    assert!(run(commands[1]).contains("breakpoints"));
}

#[test]
fn the_guide_to_the_horde_says_what_is_true() {
    let guide = include_str!("../../../../docs/guide/horde.md");
    let folder = Folder::new("horde-guide");
    let [mind] = blocks(guide, "yaml")[..] else { panic!("another number of files") };
    std::fs::write(folder.file("mine.yaml"), mind).unwrap();
    let commands: Vec<_> = blocks(guide, "sh").iter().flat_map(|block| block.lines()).collect();
    assert!(commands.len() >= 6, "{commands:?}");
    for line in commands {
        let words = line.strip_prefix("cargo run --release -- ").unwrap().split_whitespace();
        let output = program().args(words).current_dir(&folder.0).output().unwrap();
        assert!(output.status.success(), "{line}: {}", text(&output.stderr));
    }
    // Every leaf that it names is one of the scene.
    for name in ["seat_free", "spread_alarm", "go_to_seat", "stalk", "enemy_known"] {
        assert!(guide.contains(&format!("`{name}`")));
    }
}

#[test]
fn what_happened_is_written_as_a_table() {
    let folder = Folder::new("events");
    let file = folder.file("out.csv");
    let told = done(&["run", "firefight", "--seed", "1", "--ticks", "900", "--events", &file]);
    assert!(told.contains("written: "), "{told}");
    let text = std::fs::read_to_string(&file).unwrap();
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    assert_eq!(lines.next().unwrap(), ["seconds", "tick", "key", "team", "what"]);
    let rows: Vec<_> = lines.collect();
    assert!(rows.iter().all(|row| row.len() == 5 && row[0].parse::<f64>().is_ok() && row[1].parse::<u64>().is_ok()));
    for what in ["decided to push", "fired 1", "noticed somebody"] {
        assert!(rows.iter().any(|row| row[4] == what && row[3] == "1" && !row[2].is_empty()), "nobody {what}");
    }
    let nowhere = folder.file("no/such/folder.csv");
    assert!(refused(&["run", "patrol", "--events", &nowhere], 1).contains("folder"), "before anything is played");
    let twice = ["run", "patrol", "--events", &file, "--record", &file];
    assert!(refused(&twice, 2).contains("out.csv"));
}
