//! `sentir analyze`, `sentir migrate` and `sentir convert`: brains as files. Leaves of the game are taken as they are: what
//! they are called and what they take is checked by the game that has them.

use crate::cli::{AnalyzeOptions, ConvertOptions, MigrateOptions};
use crate::error::LabError;
use crate::{Done, file};
use comfy_table::{Table, presets};
use sentir::think::brain::{Brain, KINDS};
use sentir::think::key::Keys;
use sentir::think::leaf::Host;
use sentir::think::outline::Outline;
use sentir::think::registry::Leaves;
use sentir::think::tree::asset::Library;
use sentir::think::tree::{Analysis, xml};
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

/// A game that nobody knows.
pub(crate) struct Anybody;

impl Host for Anybody {
    type View<'a> = ();
    type Out = ();
}

/// Reads a brain of any kind, whatever leaves it names.
pub(crate) fn read(path: &Path, bytes: &[u8]) -> Result<Brain<Anybody>, sentir_asset::AssetError> {
    Brain::read(bytes, &path.display().to_string(), &Keys::default(), &Leaves::open())
}

/// What the brains of a file are made of: every tree of a file of trees, or the one brain of any other.
pub(crate) fn outlines(path: &Path, bytes: &[u8]) -> Result<Vec<Outline>, sentir_asset::AssetError> {
    let name = path.display().to_string();
    let node: sentir_asset::Node = sentir_asset::parse(bytes, &name)?;
    let header = sentir_asset::Header::expect(&node, &KINDS).map_err(|it| sentir_asset::AssetError::new(&name, it))?;
    if header.kind != "tree" {
        return Ok(vec![read(path, bytes)?.outline(None)]);
    }
    let library = Library::read(&Keys::default(), [(name.as_str(), bytes)])?;
    let leaves = Leaves::<Anybody>::open();
    library.check(&leaves)?;
    // What needs ports is only a part of others.
    let trees = library.names().filter_map(|name| library.tree(name, &leaves).ok());
    Ok(trees.map(|tree| tree.outline(library.keys())).collect())
}

/// The figures of one brain, or of one tree of a file.
struct Figures {
    name: String,
    kind: &'static str,
    parts: usize,
    leaves: usize,
    depth: usize,
    ways: usize,
    tree: Option<Analysis>,
}

impl Figures {
    fn of(name: &str, outline: &Outline, tree: Option<Analysis>) -> Figures {
        let depth_of = |mut at: usize| {
            let mut depth = 0;
            while let Some(parent) = outline.parts[at].parent {
                (at, depth) = (parent, depth + 1);
            }
            depth
        };
        let is_leaf = |at: &usize| !outline.parts.iter().any(|part| part.parent == Some(*at));
        Figures {
            name: name.to_owned(),
            kind: outline.kind,
            parts: outline.parts.len(),
            leaves: (0..outline.parts.len()).filter(is_leaf).count(),
            depth: (0..outline.parts.len()).map(depth_of).max().unwrap_or(0),
            ways: outline.ways.len(),
            tree,
        }
    }

    fn row(&self) -> Vec<String> {
        let ratio = |pick: fn(&Analysis) -> sentir::think::tree::Ratio| {
            self.tree.as_ref().map(pick).map_or_else(
                || "–".to_owned(),
                |ratio| format!("{}/{} = {:.2}", ratio.nodes, ratio.branches, ratio.value()),
            )
        };
        vec![
            self.name.clone(),
            self.kind.to_owned(),
            self.parts.to_string(),
            self.leaves.to_string(),
            self.depth.to_string(),
            self.ways.to_string(),
            ratio(|tree| tree.branching),
            ratio(|tree| tree.effective),
            self.orders(|depth| depth),
            self.orders(|_| 1),
        ]
    }

    /// The orders of a search through the tree, without and with an early end of sequences: the branching factor to the power
    /// of what `power` makes of the depth. In space that is the depth; in time 1, as a solution is at the first level.
    fn orders(&self, power: impl Fn(u32) -> u32) -> String {
        let order =
            |tree: &Analysis, ratio: sentir::think::tree::Ratio| format!("{:.2}^{}", ratio.value(), power(tree.depth));
        self.tree.as_ref().map_or_else(
            || "–".to_owned(),
            |tree| format!("{}, {}", order(tree, tree.branching), order(tree, tree.effective)),
        )
    }

    fn json(&self) -> Value {
        let ratio = |ratio: sentir::think::tree::Ratio| json!([ratio.nodes, ratio.branches]);
        json!({
            "name": self.name, "kind": self.kind, "parts": self.parts, "leaves": self.leaves, "depth": self.depth,
            "transitions": self.ways,
            "branching": self.tree.map(|tree| ratio(tree.branching)),
            "effective_branching": self.tree.map(|tree| ratio(tree.effective)),
            "order_in_space": self.orders(|depth| depth), "order_in_time": self.orders(|_| 1),
        })
    }
}

/// Counts what is in brains, and draws them.
pub(crate) fn analyze(options: &AnalyzeOptions) -> Done {
    let mut all = Vec::new();
    for path in &options.files {
        let bytes = file::read(path)?;
        all.extend(look_into(path, &bytes, options.tree.as_deref())?);
    }
    if let Some(target) = &options.svg {
        let Some((_, outline, keys)) = all.first() else { return Err(LabError::NoBrain) };
        let name = &all[0].0.name;
        file::write(target, outline.chart(name, keys, &[], []).svg().as_bytes())?;
    }
    let mut out = std::io::stdout().lock();
    if options.json {
        let objects: Vec<Value> = all.iter().map(|(figures, ..)| figures.json()).collect();
        writeln!(out, "{}", json!({ "brains": objects }))?;
    } else {
        let mut table = Table::new();
        let head = [
            "brain",
            "kind",
            "parts",
            "leaves",
            "depth",
            "transitions",
            "branching",
            "effective branching",
            "orders in space",
            "orders in time",
        ];
        table.load_style(presets::UTF8_BORDERS_ONLY).set_header(head);
        all.iter().for_each(|(figures, ..)| {
            table.add_row(figures.row());
        });
        writeln!(out, "{table}")?;
        if let Some(target) = &options.svg {
            writeln!(out, "the first is drawn in {}", target.display())?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The brains of a file: every tree of a file of trees, or the one brain of any other.
fn look_into(path: &Path, bytes: &[u8], only: Option<&str>) -> Result<Vec<(Figures, Outline, Keys)>, LabError> {
    let name = path.display().to_string();
    let node: sentir_asset::Node = sentir_asset::parse(bytes, &name)?;
    let header = sentir_asset::Header::expect(&node, &KINDS).map_err(|it| sentir_asset::AssetError::new(&name, it))?;
    if header.kind != "tree" {
        let brain = read(path, bytes)?;
        let outline = brain.outline(None);
        let stem = path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        return Ok(vec![(Figures::of(&stem, &outline, None), outline, brain.keys().clone())]);
    }
    let library = Library::read(&Keys::default(), [(name.as_str(), bytes)])?;
    let leaves = Leaves::<Anybody>::open();
    library.check(&leaves)?;
    let mut found = Vec::new();
    for tree_name in library.names().filter(|name| only.is_none_or(|only| only == *name)) {
        // What needs ports is only a part of others.
        let Ok(tree) = library.tree(tree_name, &leaves) else { continue };
        let outline = tree.outline(library.keys());
        // Of a file with one tree, the file says what it is.
        let is_alone = library.names().count() == 1 && tree_name == sentir::think::brain::MAIN_TREE;
        let stem = path.file_stem().filter(|_| is_alone).map(|stem| stem.to_string_lossy().into_owned());
        let title = stem.as_deref().unwrap_or(tree_name);
        found.push((Figures::of(title, &outline, Some(tree.analyze())), outline, library.keys().clone()));
    }
    match only {
        Some(only) if found.is_empty() => {
            let refusal = sentir_asset::Refusal::unknown(Default::default(), "tree", only, library.names());
            Err(sentir_asset::AssetError::new(&name, refusal).into())
        }
        _ => Ok(found),
    }
}

/// Brings files to the current version of their formats.
pub(crate) fn migrate(options: &MigrateOptions) -> Done {
    let mut out = std::io::stdout().lock();
    for path in &options.files {
        let (text, name) = (file::read_text(path)?, path.display().to_string());
        let moved = sentir_asset::migrate(
            &text,
            &name,
            &sentir_asset::MigrationPlan { known: &KINDS, steps: sentir::think::tree::asset::MIGRATIONS },
        )
        .map_err(|error| LabError::Brain(error.to_string()))?;
        match moved {
            None => writeln!(out, "{name}: current already")?,
            Some(text) if options.write => {
                file::write(path, text.as_bytes())?;
                writeln!(out, "{name}: brought forward")?;
            }
            Some(text) => writeln!(out, "{text}")?,
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// From the XML of BehaviorTree.CPP to a file of ours, or the other way round, by the end of the name.
pub(crate) fn convert(options: &ConvertOptions) -> Done {
    if let Some(path) = options.out.as_ref().filter(|path| file::is_same(path, &options.file)) {
        return Err(LabError::OverItself { path: path.clone() });
    }
    let (bytes, name) = (file::read(&options.file)?, options.file.display().to_string());
    let is_xml = options.file.extension().is_some_and(|end| end.eq_ignore_ascii_case("xml"));
    let text = if is_xml { xml::import(&bytes, &name)? } else { xml::export(&bytes, &name)? };
    match &options.out {
        Some(path) => file::write(path, text.as_bytes())?,
        None => write!(std::io::stdout().lock(), "{text}")?,
    }
    Ok(ExitCode::SUCCESS)
}
