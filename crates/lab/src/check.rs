//! `sentir check`: are these files what they should be? One line a file; every file is read, whatever the others are.

use crate::brain::Anybody;
use crate::cli::{CheckKind, CheckOptions, SchemaKind};
use crate::error::LabError;
use crate::{Done, file};
use clap::ValueEnum;
use sentir::core::state::{EnvelopeError, FileKind, unpack};
use sentir::think::outline::Outline;
use sentir::think::registry::Leaves;
use sentir_asset::nearest;
use sentir_harness::info::SceneError;
use sentir_harness::recording::Recording;
use sentir_level::{Level, LevelError, LevelState, Problem};
use sentir_nav::bake::{self, BakeConfig, BakeError, BakeSource, LevelFilter};
use sentir_scenes::brain_file;
use sentir_scenes::sense::patrol::Layout;
use sentir_space::query::Lexicon;
use serde_json::{Map, Value, json};
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

/// Ends of names that tell what a file should be; YAML is told by what it holds.
const ENDINGS: &[(&str, Option<CheckKind>)] = &[
    ("yaml", None),
    ("yml", None),
    ("txt", Some(CheckKind::Level)),
    ("png", Some(CheckKind::Level)),
    ("obj", Some(CheckKind::Level)),
    ("bsp", Some(CheckKind::Level)),
    ("glb", Some(CheckKind::Level)),
    ("gltf", Some(CheckKind::Level)),
    ("srec", Some(CheckKind::Recording)),
    ("snap", Some(CheckKind::Snapshot)),
];
/// What a level has, at the least, that `patrol` can be played in.
const LAYOUT_MARK: &str = "kind: route";
/// How the head of a query begins.
const QUERY_MARK: &str = "sentir: query";
/// The same of a soldier's tuning.
const TUNING_MARK: &str = "sentir: soldier";

/// Prints the schema of a kind of file.
pub(crate) fn schema(kind: SchemaKind) -> Done {
    let text = match kind.to_possible_value() {
        Some(brain) if kind != SchemaKind::Query => {
            let schema = sentir::think::schema::schema(brain.get_name(), &Leaves::<Anybody>::open());
            // The alternate form is the published one, over several lines.
            schema.map_or_else(String::new, |schema| format!("{schema:#}\n"))
        }
        _ => sentir_space::query::schema::schema(),
    };
    write!(std::io::stdout(), "{text}")?;
    Ok(ExitCode::SUCCESS)
}

/// What a good file holds.
#[derive(Debug, PartialEq)]
struct Content {
    /// Name of the level or scene.
    name: Option<String>,
    /// How many of what. In the order told.
    counts: Vec<(&'static str, u64)>,
    /// What else people want to know.
    remark: String,
}

/// What is wrong with a bad one.
#[derive(Debug, PartialEq)]
struct Fault {
    /// From 1; 0 where no line is known.
    line: u64,
    /// From 1; 0 where no column is known.
    column: u64,
    /// A sentence; its subject is the file unless there is a colon before it.
    message: String,
    /// Whether the sentence goes on from the file's name: 'FILE is empty'.
    is_predicate: bool,
}

/// What was found out about one file.
struct Finding {
    kind: Option<CheckKind>,
    result: Result<Content, Fault>,
}

/// Checks all files.
pub(crate) fn check(options: &CheckOptions) -> Done {
    if let Some(scene) = &options.scene
        && brain_file::of_scene(sentir_scenes::CATALOG.find(scene)?.name).is_none()
    {
        return Err(LabError::NoBrainFile { scene: scene.clone() });
    }
    let mut out = std::io::stdout().lock();
    let mut bad = 0;
    let mut objects = Vec::new();
    for path in &options.files {
        let finding = look_at(path, options.kind, options.scene.as_deref());
        bad += usize::from(finding.result.is_err());
        if options.json {
            objects.push(as_json(path, &finding));
        } else {
            writeln!(out, "{}", as_line(path, &finding))?;
        }
    }
    if options.json {
        let object = json!({ "checked": options.files.len(), "bad": bad, "files": objects });
        writeln!(out, "{object}")?;
    }
    Ok(if bad == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn look_at(path: &Path, kind: Option<CheckKind>, scene: Option<&str>) -> Finding {
    let bytes = match file::read(path) {
        Ok(bytes) => bytes,
        Err(LabError::Read { why, .. }) => {
            return Finding { kind, result: Err(predicate(format!("cannot be read: {why}"))) };
        }
        Err(other) => return Finding { kind, result: Err(predicate(other.to_string())) },
    };
    let kind = match kind.map_or_else(|| kind_of(path, &bytes), Ok) {
        Ok(kind) => kind,
        Err(fault) => return Finding { kind: None, result: Err(fault) },
    };
    let result = match kind {
        CheckKind::Level => level(path, &bytes),
        CheckKind::Layout => layout(path, &bytes),
        CheckKind::Recording => recording(&bytes),
        CheckKind::Snapshot => snapshot(&bytes),
        CheckKind::Query => query(path, &bytes),
        CheckKind::Tuning => tuning(path, &bytes),
        CheckKind::Brain => brain(path, &bytes, scene),
    };
    Finding { kind: Some(kind), result }
}

/// What a file should be: by its first bytes, else by the end of its name, else by its keys.
fn kind_of(path: &Path, bytes: &[u8]) -> Result<CheckKind, Fault> {
    match unpack(FileKind::Recording, bytes) {
        Ok(_) => return Ok(CheckKind::Recording),
        Err(EnvelopeError::OtherKind { found: FileKind::Snapshot, .. }) => return Ok(CheckKind::Snapshot),
        Err(EnvelopeError::Empty | EnvelopeError::NotOurs(_)) => {}
        // Ours and broken: the reader of recordings says how.
        Err(_) => return Ok(CheckKind::Recording),
    }
    let ending = path.extension().map(|end| end.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
    match ENDINGS.iter().find(|(end, _)| *end == ending) {
        Some((_, Some(kind))) => Ok(*kind),
        Some((_, None)) => Ok(kind_of_yaml(&String::from_utf8_lossy(bytes))),
        None => {
            let ends: Vec<String> = ENDINGS.iter().map(|(end, _)| format!(".{end}")).collect();
            let near = nearest(&ending, ENDINGS.iter().map(|&(end, _)| end));
            let near = near.map_or_else(String::new, |end| format!(" (did you mean .{end}?)"));
            let ends = ends.join(" ");
            Err(predicate(format!(
                "is of no known kind{near}: expected a name that ends in {ends}, or say it with --as"
            )))
        }
    }
}

/// A level with routes for an intruder is a layout of `patrol`; any other is a level.
fn kind_of_yaml(text: &str) -> CheckKind {
    if text.lines().any(|line| line.starts_with(QUERY_MARK)) {
        return CheckKind::Query;
    }
    if text.lines().any(|line| line.starts_with(TUNING_MARK)) {
        return CheckKind::Tuning;
    }
    let is_brain =
        |line: &str| sentir::think::brain::KINDS.iter().any(|(kind, _)| line.starts_with(&format!("sentir: {kind}")));
    if text.lines().any(is_brain) {
        return CheckKind::Brain;
    }
    let is_layout = text.lines().any(|line| !line.trim_start().starts_with('#') && line.contains(LAYOUT_MARK));
    if is_layout { CheckKind::Layout } else { CheckKind::Level }
}

fn built(path: &Path, bytes: &[u8]) -> Result<Level, Fault> {
    let name = path.display().to_string();
    sentir_level::parse(bytes, &name).and_then(|spec| spec.build()).map_err(|error| level_fault(&error))
}

/// Whether navigation can be made of a level with the stock settings, without making it.
fn check_bake(level: &Level) -> Result<(), Fault> {
    let source = BakeSource::from_level(level, &LevelState::new(level), &LevelFilter::default());
    let refuse =
        |why: BakeError| Fault { line: 0, column: 0, message: format!("cannot be baked: {why}"), is_predicate: true };
    bake::check(&source, &BakeConfig::default()).map_err(refuse)
}

fn level(path: &Path, bytes: &[u8]) -> Result<Content, Fault> {
    let level = built(path, bytes)?;
    check_bake(&level)?;
    let mut counts = vec![("triangles", level.triangle_count()), ("floors", level.floors().len())];
    // What a level has none of is not worth a word.
    let rest = [
        ("tile maps", level.tiles().len()),
        ("obstacles", level.obstacles().len()),
        ("spawns", level.spawns().len()),
        ("items", level.items().len()),
        ("areas", level.areas().len()),
        ("pieces", level.pieces().len()),
    ];
    counts.extend(rest.into_iter().filter(|(_, count)| *count > 0));
    let dropped = level.dropped_triangle_count();
    let remark = if dropped > 0 { format!("; {dropped} triangles without area were dropped") } else { String::new() };
    let counts = counts.into_iter().map(|(what, count)| (what, count as u64)).collect();
    Ok(Content { name: Some(level.name().to_owned()), counts, remark })
}

fn level_fault(error: &LevelError) -> Fault {
    let (line, column) = (error.place.line.into(), error.place.column.into());
    let is_predicate = false;
    let message = match &error.problem {
        // Only --as leads here with such a name.
        Problem::UnknownFormat => {
            "a level file has a name that ends in .yaml, .yml, .txt, .png, .obj or .bsp".to_owned()
        }
        problem => problem.to_string(),
    };
    Fault { line, column, message, is_predicate }
}

fn layout(path: &Path, bytes: &[u8]) -> Result<Content, Fault> {
    let layout = Layout::of(built(path, bytes)?).map_err(|error| match error {
        SceneError::Asset { line, column, what, .. } => {
            Fault { line: line as u64, column: column as u64, message: what, is_predicate: false }
        }
        other => predicate(other.to_string()),
    })?;
    let counts = [
        ("triangles", layout.level.triangle_count()),
        ("waypoints", layout.waypoints.len()),
        ("routes", layout.routes.len()),
    ];
    let counts = counts.map(|(what, count)| (what, count as u64)).to_vec();
    Ok(Content { name: Some(layout.level.name().to_owned()), counts, remark: String::new() })
}

/// A query is checked with the names every host has; contexts, maps, tests and generators of a host's own are not known here.
fn query(path: &Path, bytes: &[u8]) -> Result<Content, Fault> {
    let name = path.display().to_string();
    let query = sentir_space::query::load(bytes, &name, &Lexicon::default()).map_err(|error| asset_fault(&error))?;
    let filters = query.tests().iter().filter(|test| test.is_filter).count();
    let counts = vec![("tests", query.tests().len() as u64), ("filters", filters as u64)];
    Ok(Content { name: Some(query.name().to_owned()), counts, remark: String::new() })
}

/// Everything about a soldier that is a matter of taste.
fn tuning(path: &Path, bytes: &[u8]) -> Result<Content, Fault> {
    let name = path.display().to_string();
    sentir::squad::tuning::Tuning::read(bytes, &name).map_err(|error| asset_fault(&error))?;
    Ok(Content { name: None, counts: Vec::new(), remark: "every number is within its limits".to_owned() })
}

fn asset_fault(error: &sentir_asset::AssetError) -> Fault {
    Fault {
        line: error.place.line.into(),
        column: error.place.column.into(),
        message: error.problem.to_string(),
        is_predicate: error.place.line == 0,
    }
}

/// A brain of any kind. Its leaves are the game's: they are checked if it is known which.
fn brain(path: &Path, bytes: &[u8], scene: Option<&str>) -> Result<Content, Fault> {
    let fault = |error: sentir_asset::AssetError| asset_fault(&error);
    let scene = scene.or_else(|| path.canonicalize().ok().and_then(|whole| brain_file::scene_of(&whole)));
    let leaves = match scene.and_then(|name| Some((name, brain_file::of_scene(name)?))) {
        Some((name, check)) => {
            check(&path.display().to_string(), bytes).map_err(fault)?;
            format!("leaves of {name}")
        }
        None => "leaves not checked (--scene SCENE does)".to_owned(),
    };
    // What the scene has read may have keys that only the scene knows: it has no outline then.
    let (outlines, unnamed) = match crate::brain::outlines(path, bytes) {
        Err(_) if leaves.starts_with("leaves of") => (Vec::new(), "brain"),
        other => (other.map_err(fault)?, "parts for other trees"),
    };
    let sum = |count: fn(&Outline) -> usize| outlines.iter().map(|one| count(one) as u64).sum::<u64>();
    let mut counts = vec![("parts", sum(|one| one.parts.len())), ("transitions", sum(|one| one.ways.len()))];
    if outlines.len() > 1 {
        counts.insert(0, ("trees", outlines.len() as u64));
    }
    let kind = outlines.first().map_or(unnamed, |one| one.kind);
    Ok(Content { name: None, counts, remark: format!("; {kind}, {leaves}") })
}

fn recording(bytes: &[u8]) -> Result<Content, Fault> {
    let recording = Recording::from_file(bytes).map_err(|error| predicate(error.to_string()))?;
    let counts = vec![("ticks", recording.hashes.len() as u64), ("inputs", recording.inputs.len() as u64)];
    let ending = recording.ending.map_or_else(|| "not played to its end".to_owned(), |end| format!("ends '{end}'"));
    Ok(Content { name: Some(recording.scene), counts, remark: format!("; seed {}, {ending}", recording.seed) })
}

fn snapshot(bytes: &[u8]) -> Result<Content, Fault> {
    let envelope = unpack(FileKind::Snapshot, bytes).map_err(|error| predicate(error.to_string()))?;
    let counts = vec![("bytes of state", envelope.content.len() as u64)];
    let remark = format!("; written by sentir {}, envelope whole", envelope.writer);
    Ok(Content { name: None, counts, remark })
}

/// A fault of the file as a whole, told as a sentence about it.
fn predicate(message: String) -> Fault {
    Fault { line: 0, column: 0, message, is_predicate: true }
}

fn kind_name(kind: CheckKind) -> String {
    kind.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

fn as_line(path: &Path, finding: &Finding) -> String {
    let path = path.display();
    let line = match &finding.result {
        Ok(content) => {
            let kind = finding.kind.map(kind_name).unwrap_or_default();
            let name = content.name.as_ref().map_or_else(String::new, |name| format!(" '{name}'"));
            let told = |&(what, count): &(&str, u64)| match what.strip_suffix('s').filter(|_| count == 1) {
                Some(single) => format!("1 {single}"),
                None => format!("{count} {what}"),
            };
            let counts = content.counts.iter().map(told).collect::<Vec<_>>().join(", ");
            format!("ok: {path}: {kind}{name}, {counts}{}", content.remark)
        }
        Err(fault) => {
            let number = |number: u64| if number > 0 { format!(":{number}") } else { String::new() };
            let place = number(fault.line) + &if fault.line > 0 { number(fault.column) } else { String::new() };
            let colon = if fault.is_predicate { "" } else { ":" };
            format!("bad: {path}{place}{colon} {}", fault.message)
        }
    };
    // One line a file, whatever names and messages hold.
    line.replace(char::is_control, " ")
}

fn as_json(path: &Path, finding: &Finding) -> Value {
    let (content, fault) = (finding.result.as_ref().ok(), finding.result.as_ref().err());
    let number = |number: u64| if number > 0 { Value::from(number) } else { Value::Null };
    let counts = content.map_or(&[][..], |content| &content.counts);
    let counts: Map<String, Value> = counts.iter().map(|&(what, count)| (what.to_owned(), count.into())).collect();
    let error = fault
        .map(|fault| json!({ "line": number(fault.line), "column": number(fault.column), "message": fault.message }));
    json!({
        "file": path.display().to_string(),
        "kind": finding.kind.map(kind_name),
        "ok": fault.is_none(),
        "name": content.and_then(|content| content.name.as_deref()),
        "counts": counts,
        "error": error,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stock_levels_and_the_stock_yard_are_told_apart_by_what_they_hold() {
        for (name, bytes) in sentir_level::STOCK {
            assert_eq!(kind_of_yaml(&String::from_utf8_lossy(bytes)), CheckKind::Level, "{name}");
        }
        let yard = include_str!("../../scenes/assets/sense/patrol.yaml");
        assert_eq!(kind_of_yaml(yard), CheckKind::Layout);
        assert_eq!(kind_of_yaml(""), CheckKind::Level);
        for (name, bytes) in sentir_space::query::STOCK {
            assert_eq!(kind_of_yaml(&String::from_utf8_lossy(bytes)), CheckKind::Query, "{name}");
            let content = query(Path::new("stock.yaml"), bytes).unwrap();
            assert!(content.counts[0].1 >= 2);
        }
        let fault = query(Path::new("a.yaml"), b"sentir: query 1\nname: a\npoints: []\ntests: []\n").unwrap_err();
        assert_eq!((fault.line, fault.column, fault.is_predicate), (3, 9, false));
        let (_, text) = sentir::squad::stock::TUNING;
        assert_eq!(kind_of_yaml(text), CheckKind::Tuning);
        assert!(tuning(Path::new("t.yaml"), text.as_bytes()).is_ok());
        let fault = tuning(Path::new("t.yaml"), text.replace("close_m: 7", "close_m: -7").as_bytes()).unwrap_err();
        assert!(fault.line > 10 && fault.message.contains("`close_m` is -7"), "{}", fault.message);
    }

    #[test]
    fn a_name_of_no_known_kind_is_told_the_nearest() {
        let fault = kind_of(Path::new("a.yamll"), b"name: x").unwrap_err();
        assert!(fault.message.contains("(did you mean .yaml?)") && fault.message.contains("--as"), "{}", fault.message);
    }
}
