//! Keys of imported trees: what they are called here, of which kind they are, and which are ports.
//!
//! There each tree has a blackboard of its own. A port of a subtree stays a port. Else a name in a tree that nobody uses as
//! a subtree, or that is used with `_autoremap`, is a key as it stands; in any other it is a key with the tree's name
//! before its own. Kinds spread from where they are known (models of nodes, values that are set) along ports.

use std::collections::{BTreeMap, BTreeSet};

use roxmltree::Node as Element;
use sentir_asset::{Node, Value};

use super::super::{COMPARISONS, TYPES};
use super::{is_subtree, plain};

/// Attributes that hold scripts.
pub(super) const SCRIPTS: [&str; 8] =
    ["_skipIf", "_successIf", "_failureIf", "_while", "_onSuccess", "_onFailure", "_onHalted", "_post"];

/// A name in a tree there.
type Cell = (String, String);

#[derive(Default)]
pub(super) struct Keys {
    /// Trees by their ID there: what they are called here.
    names: BTreeMap<String, String>,
    /// Trees that are subtrees with a blackboard of their own.
    private: BTreeSet<String>,
    /// Trees that are used with the keys of those who use them.
    shared: BTreeSet<String>,
    /// Ports of trees.
    ports: BTreeSet<Cell>,
    /// Kinds of ports by node, and of names by tree.
    kinds: BTreeMap<Cell, &'static str>,
    /// Kinds that values suggest, for what nothing else is known of.
    hints: BTreeMap<Cell, &'static str>,
    links: Vec<(Cell, Cell)>,
    /// Keys that are used here, with what they are there.
    used: BTreeMap<String, (Cell, &'static str)>,
}

/// What a key is compared with.
pub(super) enum Operand<'a> {
    Key(&'a str),
    Value(Node),
}

impl Keys {
    pub(super) fn add_port(&mut self, node: &str, port: &str, kind: &str) {
        if let Some((_, kind)) = TYPES.iter().find(|(name, _)| *name == kind) {
            self.kinds.insert((node.to_owned(), port.to_owned()), kind);
        }
    }

    /// The tree that thinks is called `main` here; another one of that name gets a number.
    pub(super) fn name_trees(&mut self, ids: &[&str], main: Option<&str>) {
        for &id in ids {
            let mut name = id.to_owned();
            if Some(id) == main {
                crate::brain::MAIN_TREE.clone_into(&mut name);
            } else if main.is_some() && id == crate::brain::MAIN_TREE {
                let is_free = |name: &String| !ids.contains(&name.as_str());
                name = (2..).map(|number| format!("{id}_{number}")).find(is_free).unwrap_or(name);
            }
            self.names.insert(id.to_owned(), name);
        }
    }

    pub(super) fn name_of(&self, tree: &str) -> &str {
        self.names.get(tree).map_or("", String::as_str)
    }

    /// Notes what a node says of keys.
    pub(super) fn survey(&mut self, tree: &str, node: Element<'_, '_>) {
        let tag = node.tag_name().name();
        let cell = |name: &str| (tree.to_owned(), name.to_owned());
        if is_subtree(tag) {
            let used = node.attribute("ID").unwrap_or_default().to_owned();
            let shares = ["_autoremap", "__autoremap", "__shared_blackboard"];
            let is_shared = shares.iter().any(|name| matches!(node.attribute(*name), Some("true" | "1")));
            let list = if is_shared { &mut self.shared } else { &mut self.private };
            list.insert(used.clone());
            for one in node.attributes().filter(|one| is_port(one.name())) {
                let port = (used.clone(), one.name().to_owned());
                match pointed(one.name(), one.value()) {
                    Some(key) => self.links.push((port.clone(), cell(key))),
                    None => self.hint(&port, &plain(one.value())),
                }
                self.ports.insert(port);
            }
        } else if tag == "SetBlackboard" {
            let to = cell(node.attribute("output_key").unwrap_or_default().trim_matches(['{', '}']));
            let value = node.attribute("value").unwrap_or_default();
            match pointed("value", value) {
                Some(from) => self.links.push((to, cell(from))),
                None => self.hint(&to, &plain(value)),
            }
        } else if tag == "ScriptCondition" {
            match comparison(node.attribute("code").unwrap_or_default()) {
                Some((key, _, Operand::Key(other))) => self.links.push((cell(key), cell(other))),
                Some((key, _, Operand::Value(value))) => self.hint(&cell(key), &value),
                None => {}
            }
        } else {
            let id = if matches!(tag, "Action" | "Condition") { node.attribute("ID").unwrap_or_default() } else { tag };
            for one in node.attributes().filter(|one| is_port(one.name())) {
                if let Some(key) = pointed(one.name(), one.value()) {
                    self.links.push(((id.to_owned(), one.name().to_owned()), cell(key)));
                }
            }
        }
    }

    fn hint(&mut self, cell: &Cell, value: &Node) {
        let kind = match value.value {
            Value::Bool(_) => "bool",
            Value::Int(_) => "int",
            Value::Float(_) => "float",
            _ => return,
        };
        self.hints.entry(cell.clone()).or_insert(kind);
    }

    /// Spreads the kinds, those of models first.
    pub(super) fn settle(&mut self) {
        self.spread();
        for (cell, kind) in std::mem::take(&mut self.hints) {
            self.kinds.entry(cell).or_insert(kind);
            self.spread();
        }
    }

    fn spread(&mut self) {
        let mut is_settled = false;
        // Every round but the last finds a kind.
        while !is_settled {
            is_settled = true;
            for (one, other) in &self.links {
                for (from, to) in [(one, other), (other, one)] {
                    if let (Some(&kind), false) = (self.kinds.get(from), self.kinds.contains_key(to)) {
                        self.kinds.insert(to.clone(), kind);
                        is_settled = false;
                    }
                }
            }
        }
    }

    fn kind(&self, cell: &Cell) -> &'static str {
        self.kinds.get(cell).copied().unwrap_or("symbol")
    }

    /// The ports of a tree, with their kinds.
    pub(super) fn ports_of(&self, tree: &str) -> Vec<(String, &'static str)> {
        let ports = self.ports.iter().filter(|(of, _)| of == tree);
        ports.map(|port| (snake(&port.1), self.kind(port))).collect()
    }

    /// The ports of a subtree, with what a use of it gives them.
    pub(super) fn given(&self, node: Element<'_, '_>, used: &str) -> Vec<(String, Option<String>)> {
        let ports = self.ports.iter().filter(|(of, _)| of == used);
        ports.map(|(_, port)| (port.clone(), node.attribute(port.as_str()).map(str::to_owned))).collect()
    }

    /// What a name in a tree is called here; the other name when two would be one.
    pub(super) fn key(&mut self, tree: &str, name: &str) -> Result<String, String> {
        // `@` means the outermost blackboard.
        let (is_outer, name) = name.strip_prefix('@').map_or((false, name), |name| (true, name));
        let cell = (tree.to_owned(), name.to_owned());
        if !is_outer && self.ports.contains(&cell) {
            return Ok(snake(name));
        }
        let is_private = !is_outer && self.private.contains(tree) && !self.shared.contains(tree);
        let key = if is_private { format!("{}_{}", snake(tree), snake(name)) } else { snake(name) };
        let kind = self.kind(&cell);
        let known = self.used.entry(key.clone()).or_insert_with(|| (cell.clone(), kind));
        if known.1 == "symbol" {
            known.1 = kind;
        }
        let is_same = known.0.1 == name && (!is_private || known.0.0 == tree);
        if is_same { Ok(key) } else { Err(known.0.1.clone()) }
    }

    /// A key for a port that a use of a subtree leaves to it.
    pub(super) fn declare_private(&mut self, tree: &str, port: &str) -> String {
        let (key, cell) = (format!("{}_{}", snake(tree), snake(port)), (tree.to_owned(), port.to_owned()));
        let kind = self.kind(&cell);
        self.used.entry(key.clone()).or_insert((cell, kind));
        key
    }

    /// A key that says whether something was done.
    pub(super) fn declare_once(&mut self, number: u32) -> String {
        let key = format!("run_once_{number}");
        self.used.insert(key.clone(), ((String::new(), key.clone()), "bool"));
        key
    }

    pub(super) fn declared(&self) -> impl Iterator<Item = (&str, &'static str)> {
        self.used.iter().map(|(name, (_, kind))| (name.as_str(), *kind))
    }
}

/// Whether an attribute is a port, and not about the node itself.
pub(super) fn is_port(name: &str) -> bool {
    !matches!(name, "ID" | "name") && !name.starts_with('_')
}

/// The key that an attribute points to, if it does: `{name}`, or `{=}` for the attribute's own name.
pub(super) fn pointed<'a>(attribute: &'a str, text: &'a str) -> Option<&'a str> {
    let key = text.strip_prefix('{')?.strip_suffix('}')?;
    Some(if key == "=" { attribute } else { key })
}

/// A script that is one comparison, taken apart.
pub(super) fn comparison(code: &str) -> Option<(&str, &'static str, Operand<'_>)> {
    let (at, how) = COMPARISONS.into_iter().find_map(|how| Some((code.find(how)?, how)))?;
    let is_name = |text: &str| {
        let starts = text.starts_with(|first: char| first.is_alphabetic() || first == '_' || first == '@');
        starts && text.chars().skip(1).all(|letter| letter.is_alphanumeric() || letter == '_')
    };
    let (key, with) = (code[..at].trim(), code[at + how.len()..].trim());
    let quoted = with.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
    let operand = match quoted {
        Some(text) if !text.contains('\'') => Operand::Value(Node::new(Value::Text(text.to_owned()))),
        Some(_) => return None,
        None => match plain(with).value {
            Value::Text(_) if is_name(with) => Operand::Key(with),
            Value::Text(_) => return None,
            value => Operand::Value(Node::new(value)),
        },
    };
    is_name(key).then_some((key, how, operand))
}

/// A name as keys here have them: lower case, words joined by underscores.
pub(super) fn snake(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    let mut was_small = false;
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && was_small {
            out.push('_');
        }
        was_small = letter.is_ascii_lowercase() || letter.is_ascii_digit();
        out.push(if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '_' });
    }
    if !out.starts_with(|first: char| first.is_ascii_lowercase()) {
        out.insert_str(0, "key_");
    }
    out
}
