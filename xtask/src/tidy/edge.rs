//! ARCHITECTURE.md says which workspace crate may use which, in a block tagged `edges`, one line a crate:
//! `sentir_sim: sentir`, or `sentir_core: -` for none. The tree must agree, in both directions.

use std::collections::{BTreeMap, BTreeSet};

use super::{Breach, Source};
use crate::workspace::Member;

const MAP: &str = "ARCHITECTURE.md";
const TAG: &str = "```edges";

/// A line of the block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Line<'a> {
    /// Counted from 1.
    number: usize,
    uses: BTreeSet<&'a str>,
}

/// Edges that are not on the map, and the other way round.
pub fn check(members: &[Member], sources: &[Source]) -> Vec<Breach> {
    let map = sources.iter().find(|source| source.path == MAP);
    let Some((map, block)) = map.and_then(|map| Some((map, block(&map.text)?))) else {
        let sentence = format!("there is no block tagged {TAG} with a line `crate: uses` for every crate");
        return vec![Breach { path: MAP.to_owned(), line: 1, sentence }];
    };
    let mut breaches = Vec::new();
    let lines: BTreeMap<&str, Line> = block
        .iter()
        .filter_map(|&(number, text)| match parse(number, text) {
            Some(line) => Some(line),
            None => {
                breaches.push(map.breach(number, format!("expected `crate: uses` or `crate: -`, not `{text}`")));
                None
            }
        })
        .collect();
    let first = block.first().map_or(1, |(number, _)| *number);
    for member in members {
        let Some(line) = lines.get(member.name.as_str()) else {
            breaches.push(map.breach(first, format!("crate {} has no line in the block {TAG}", member.name)));
            continue;
        };
        let real: BTreeSet<&str> = member.uses.iter().map(String::as_str).collect();
        for extra in real.difference(&line.uses) {
            breaches.push(unlisted(member, extra, sources));
        }
        for missing in line.uses.difference(&real) {
            let sentence = format!("{} -> {missing} is on the map, but no longer in the tree", member.name);
            breaches.push(map.breach(line.number, sentence));
        }
    }
    for (name, line) in &lines {
        if members.iter().all(|member| member.name != **name) {
            breaches.push(map.breach(line.number, format!("there is no crate {name} in the workspace")));
        }
    }
    breaches
}

/// The lines inside the block, numbered from 1; none when there is no block.
fn block(text: &str) -> Option<Vec<(usize, &str)>> {
    let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
    lines.find(|(_, line)| *line == TAG)?;
    let inside = lines.take_while(|(_, line)| !line.starts_with("```"));
    Some(inside.filter(|(_, line)| !line.is_empty()).collect())
}

fn parse(number: usize, text: &str) -> Option<(&str, Line<'_>)> {
    let (name, uses) = text.split_once(':')?;
    let uses: BTreeSet<&str> = uses.split_whitespace().collect();
    if uses.is_empty() || (uses.contains("-") && uses.len() > 1) {
        return None;
    }
    let uses = uses.into_iter().filter(|name| *name != "-").collect();
    Some((name.trim(), Line { number, uses }))
}

/// A breach at the line of the manifest that draws the edge.
fn unlisted(member: &Member, used: &str, sources: &[Source]) -> Breach {
    let path = format!("{}/Cargo.toml", member.folder);
    let draws = |line: &str| line.strip_prefix(used).is_some_and(|rest| rest.starts_with([' ', '.', '=']));
    let line = sources
        .iter()
        .find(|source| source.path == path)
        .and_then(|source| source.text.lines().position(draws))
        .map_or(1, |index| index + 1);
    let sentence = format!("{} -> {used} is not on the map in {MAP}", member.name);
    Breach { path, line, sentence }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(name: &str, uses: &[&str]) -> Member {
        let uses = uses.iter().map(|name| (*name).to_owned()).collect();
        Member { name: name.to_owned(), folder: format!("crates/{name}"), library: None, uses }
    }

    fn found(members: &[Member], map: &str) -> Vec<String> {
        let source = |path: &str, text: &str| Source { path: path.to_owned(), text: text.to_owned() };
        let manifest = "[dependencies]\nglam.workspace = true\ncore = { workspace = true }\n";
        let sources = [source(MAP, map), source("crates/top/Cargo.toml", manifest)];
        check(members, &sources)
            .into_iter()
            .map(|breach| format!("{}:{}: {}", breach.path, breach.line, breach.sentence))
            .collect()
    }

    #[test]
    fn a_true_map_passes() {
        let map = "# Map\n```edges\ncore: -\n\ntop: core\n```\nother: words\n";
        assert_eq!(found(&[member("core", &[]), member("top", &["core"])], map), Vec::<String>::new());
    }

    #[test]
    fn edges_are_compared_in_both_directions() {
        let map = "```edges\ncore: top\ntop: -\nold: core\nodd\nboth: - core\n```\n";
        let members = [member("core", &[]), member("top", &["core"]), member("new", &[])];
        assert_eq!(
            found(&members, map),
            [
                "ARCHITECTURE.md:5: expected `crate: uses` or `crate: -`, not `odd`",
                "ARCHITECTURE.md:6: expected `crate: uses` or `crate: -`, not `both: - core`",
                "ARCHITECTURE.md:2: core -> top is on the map, but no longer in the tree",
                "crates/top/Cargo.toml:3: top -> core is not on the map in ARCHITECTURE.md",
                "ARCHITECTURE.md:2: crate new has no line in the block ```edges",
                "ARCHITECTURE.md:4: there is no crate old in the workspace",
            ]
        );
    }

    #[test]
    fn a_missing_map_is_a_breach() {
        let breach = ["ARCHITECTURE.md:1: there is no block tagged ```edges with a line `crate: uses` for every crate"];
        assert_eq!(found(&[], "# Map\n"), breach);
    }
}
