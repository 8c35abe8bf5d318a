//! Trees in files.
//!
//! ```yaml
//! sentir: tree 1
//! keys:
//!   alarm: {kind: bool, scope: team}
//!   post: place
//! trees:
//!   guard:
//!     selector:
//!       - when: {key: $alarm, "==": true}
//!         aborts: both
//!         do: {subtree: reach, ports: {goal: $post}}
//!       - sequence:
//!           - {task: patrol, with: {speed: 2}}
//!           - wait: 2 ± 0.5
//!   reach:
//!     ports: {goal: place, speed: {kind: float, default: 4}}
//!     root:
//!       time_limit: 10
//!       do: {task: go, with: {to: $goal, speed: $speed}}
//! ```
//!
//! A node is a map with one key that names its kind; what a kind takes besides is in [`KINDS`]. Any node may have an `id`
//! and a `name`. A [`Library`] holds the trees of several files; a subtree is any tree of the library, put in place with its
//! ports bound to values or keys. Every refusal names file, line, column, and the nearest valid word.
//!
//! `conditions` are yes-or-no keys that the tree keeps itself, see [`ConditionSpec`].
//!
//! A `utility_selector` has a score for each child: one of the game's own, or considerations with response curves, as in
//! [`utility`](crate::utility); a branch that is worth nothing is not tried.
//!
//! ```yaml
//! utility_selector: [{task: eat}, {task: sleep}]
//! scores:
//!   - {weight: 2, considerations: [{name: hunger, input: $hunger, curve: {logistic: {slope: 10}}}]}
//!   - {score: tiredness, with: {factor: 0.5}}
//! ```
//!
//! ```
//! use sentir_think::key::Keys;
//! use sentir_think::leaf::Host;
//! use sentir_think::registry::Leaves;
//! use sentir_think::tree::asset::Library;
//!
//! struct Game;
//! impl Host for Game {
//!     type View<'a> = ();
//!     type Out = ();
//! }
//!
//! let file = b"sentir: tree 1\ntrees:\n  nap: {sequence: [{wait: 2}, idle]}\n";
//! let library = Library::read(&Keys::default(), [("nap.yaml", &file[..])]).unwrap();
//! let tree = library.tree::<Game>("nap", &Leaves::default()).unwrap();
//! assert_eq!(tree.len(), 3);
//!
//! let file = b"sentir: tree 1\ntrees:\n  nap: {sequense: [{wait: 2}, idle]}\n";
//! let library = Library::read(&Keys::default(), [("nap.yaml", &file[..])]).unwrap();
//! let refused = library.tree::<Game>("nap", &Leaves::default()).unwrap_err().to_string();
//! assert!(refused.starts_with("nap.yaml:3:9: unknown kind of node `sequense` (did you mean `sequence`?)"));
//! ```

use std::collections::BTreeMap;

use sentir_asset::{AssetError, Entry, FilePosition, Header, Node, Problem, Refusal, Value as Asset};
#[cfg(feature = "files")]
use sentir_asset::{Migration, MigrationError, MigrationPlan};
use sentir_core::state::hash;

use super::condition::{ConditionSpec, read_conditions};
use super::port::{Port, bind_ports, read_ports, stand_in};
use super::{Aborts, DEPTH_MAX, NODES_MAX, NodeKind, NodeSpec, Quorum, Tree};
use crate::align::content_of;
use crate::clause::with;
use crate::file::{Ports, read_bind, read_key, read_test, resolve, with_keys};
use crate::key::{AnyKey, Keys};
use crate::leaf::{Host, ScoreLeaf};
use crate::registry::Leaves;
use crate::span::Span;
use crate::utility::{Appeal, Appraise};

/// The kind of these files and its current version.
pub const FORMAT: (&str, u32) = ("tree", 1);

/// Steps from older versions of the format; there are none yet.
#[cfg(feature = "files")]
pub const MIGRATIONS: &[Migration] = &[];

/// Brings a file to the current version of the format; none when it is there already.
#[cfg(feature = "files")]
pub fn migrate(text: &str, file: &str) -> Result<Option<String>, MigrationError> {
    sentir_asset::migrate(text, file, &MigrationPlan { known: &[FORMAT], steps: MIGRATIONS })
}

/// What the key of a kind holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// The list of its children.
    Children,
    /// Its only child.
    Child,
    /// A parameter; its child is under `do`.
    ParameterDo,
    /// A parameter; it has no child.
    Parameter,
    /// Nothing.
    Nothing,
}

/// The kinds of nodes in files: what their key holds, and which other keys they may have.
pub const KINDS: &[(&str, Holds, &[&str])] = &[
    ("sequence", Holds::Children, &[]),
    ("selector", Holds::Children, &[]),
    ("reactive_sequence", Holds::Children, &[]),
    ("reactive_selector", Holds::Children, &[]),
    ("parallel", Holds::Children, &["success", "failure"]),
    ("random_selector", Holds::Children, &["weights"]),
    ("random_sequence", Holds::Children, &["weights"]),
    ("utility_selector", Holds::Children, &["scores"]),
    ("invert", Holds::Child, &[]),
    ("force_success", Holds::Child, &[]),
    ("force_failure", Holds::Child, &[]),
    ("until_success", Holds::Child, &[]),
    ("until_failure", Holds::Child, &[]),
    ("loop", Holds::Child, &[]),
    ("breakpoint", Holds::Child, &[]),
    ("repeat", Holds::ParameterDo, &[]),
    ("cooldown", Holds::ParameterDo, &["aborts"]),
    ("time_limit", Holds::ParameterDo, &[]),
    ("probability", Holds::ParameterDo, &[]),
    ("when", Holds::ParameterDo, &["aborts"]),
    ("if", Holds::ParameterDo, &["with"]),
    ("run_limit", Holds::ParameterDo, &[]),
    ("catch", Holds::ParameterDo, &[]),
    ("delay", Holds::ParameterDo, &[]),
    ("log", Holds::ParameterDo, &[]),
    ("service", Holds::ParameterDo, &["with", "every"]),
    ("check", Holds::Parameter, &["with"]),
    ("test", Holds::Parameter, &[]),
    ("task", Holds::Parameter, &["with"]),
    ("wait", Holds::Parameter, &[]),
    ("set", Holds::Parameter, &["to"]),
    ("clear", Holds::Parameter, &[]),
    ("succeed", Holds::Nothing, &[]),
    ("fail", Holds::Nothing, &[]),
    ("idle", Holds::Nothing, &[]),
    ("subtree", Holds::Parameter, &["ports"]),
];

/// The trees of several files.
#[derive(Clone, Debug, Default)]
pub struct Library {
    trees: BTreeMap<String, Authored>,
    keys: Keys,
    conditions: Vec<ConditionSpec>,
}

/// A tree as its file has it.
#[derive(Clone, Debug)]
struct Authored {
    file: String,
    place: FilePosition,
    ports: Vec<Port>,
    root: Node,
}

/// A refusal with the file it is about.
type Fault = (String, Refusal);

impl Library {
    /// Reads files, each a name and its bytes. `keys` are those the game has already; the files may declare more.
    #[cfg(feature = "files")]
    pub fn read<'a>(keys: &Keys, files: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Result<Library, AssetError> {
        let mut library = Library { keys: keys.clone(), ..Library::default() };
        for (file, bytes) in files {
            let node: Node = sentir_asset::parse(bytes, file)?;
            library.add(file, &node).map_err(|refusal| AssetError::new(file, refusal))?;
        }
        Ok(library)
    }

    fn add(&mut self, file: &str, node: &Node) -> Result<(), Refusal> {
        Header::expect(node, &[FORMAT])?;
        node.allow(&[Header::KEY, "keys", "conditions", "trees"])?;
        if let Some(keys) = node.find("keys") {
            self.keys = with_keys(&self.keys, keys)?;
        }
        if let Some(conditions) = node.find("conditions") {
            self.keys = read_conditions(conditions, &self.keys, &mut self.conditions)?;
        }
        for entry in node.need("trees")?.map()? {
            if self.trees.contains_key(&entry.key) {
                return Err(Refusal::new(entry.place, Problem::Twice { what: "trees", name: entry.key.clone() }));
            }
            let has = |key| entry.node.find(key).is_some();
            let is_whole = has("root") || has("ports") && !has("subtree");
            let (ports, root) = if is_whole {
                entry.node.allow(&["ports", "root"])?;
                let ports = entry.node.find("ports").map_or(Ok(Vec::new()), read_ports)?;
                (ports, entry.node.need("root")?.clone())
            } else {
                (Vec::new(), entry.node.clone())
            };
            let authored = Authored { file: file.to_owned(), place: entry.place, ports, root };
            self.trees.insert(entry.key.clone(), authored);
        }
        Ok(())
    }

    /// The keys of the game and of the files.
    pub fn keys(&self) -> &Keys {
        &self.keys
    }

    /// The names of the trees, ascending.
    pub fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.trees.keys().map(String::as_str)
    }

    /// The names of the trees of one file, ascending.
    pub fn names_in(&self, file: &str) -> impl Iterator<Item = &str> {
        self.trees.iter().filter(move |(_, tree)| tree.file == file).map(|(name, _)| name.as_str())
    }

    /// Builds a tree. One with ports that have no default can only be a subtree.
    pub fn tree<H: Host>(&self, name: &str, leaves: &Leaves<H>) -> Result<Tree<H>, AssetError> {
        let Some(authored) = self.trees.get(name) else {
            return Err(AssetError::new("", Refusal::unknown(FilePosition::default(), "tree", name, self.names())));
        };
        let missing = authored.ports.iter().find(|port| port.default.is_none());
        if let Some(port) = missing {
            let sentence = format!("`{name}` is a subtree: its port `{}` has no default", port.name);
            return Err(AssetError::new(&authored.file, Refusal::wrong(authored.place, sentence)));
        }
        self.build(name, authored, leaves, &|_| None)
    }

    /// Builds every tree, those with ports over stand-ins, and so checks all files.
    pub fn check<H: Host>(&self, leaves: &Leaves<H>) -> Result<(), AssetError> {
        for (name, authored) in &self.trees {
            self.check_one(name, authored, leaves)?;
        }
        Ok(())
    }

    /// Builds one tree over stand-ins for its ports: values, as times and numbers need them, and keys where a value gets
    /// no farther, because something is written there.
    fn check_one<H: Host>(&self, name: &str, authored: &Authored, leaves: &Leaves<H>) -> Result<(), AssetError> {
        let mut keys: Vec<&str> = Vec::new();
        let built = |keys: &[&str]| {
            let stand = |port: &Port| Some(stand_in(port.kind, keys.contains(&port.name.as_str())));
            self.build(name, authored, leaves, &stand).err()
        };
        let Some(mut error) = built(&keys) else { return Ok(()) };
        for port in &authored.ports {
            keys.push(&port.name);
            match built(&keys) {
                None => return Ok(()),
                Some(other) if other.file == error.file && other.place > error.place => error = other,
                Some(_) => keys.truncate(keys.len() - 1),
            }
        }
        Err(error)
    }

    fn build<H: Host>(
        &self,
        name: &str,
        authored: &Authored,
        leaves: &Leaves<H>,
        stand_in: &dyn Fn(&Port) -> Option<Node>,
    ) -> Result<Tree<H>, AssetError> {
        let mut loader = Loader { library: self, leaves, way: vec![name.to_owned()], count: 0, level: 0 };
        let mut ports = Ports::new();
        for port in &authored.ports {
            if let Some(node) = port.default.clone().or_else(|| stand_in(port)) {
                ports.insert(port.name.clone(), node);
            }
        }
        let spec = loader.node(&authored.root, &ports).map_err(|(file, refusal)| AssetError::new(&file, refusal))?;
        Tree::build_with(spec, self.conditions.clone()).map_err(|error| {
            // A node of a subtree stands in the subtree's file.
            let file = self.file_of(&error.tree, &authored.file);
            AssetError::new(&file, error.into())
        })
    }

    fn file_of(&self, subtree: &str, file: &str) -> String {
        self.trees.get(subtree).map_or(file, |authored| &authored.file).to_owned()
    }
}

struct Loader<'a, H: Host> {
    library: &'a Library,
    leaves: &'a Leaves<H>,
    /// The trees one is in, the innermost last.
    way: Vec<String>,
    count: usize,
    /// Nodes above the present one, subtrees as nodes.
    level: usize,
}

impl<H: Host> Loader<'_, H> {
    /// Adds to a refusal the file one is in.
    fn here<T>(&self, result: Result<T, Refusal>) -> Result<T, Fault> {
        result.map_err(|refusal| {
            let tree = self.way.last().map_or("", String::as_str);
            (self.library.file_of(tree, ""), refusal)
        })
    }

    fn node(&mut self, node: &Node, ports: &Ports) -> Result<NodeSpec<H>, Fault> {
        self.level += 1;
        let spec = self.node_here(node, ports)?;
        self.level -= 1;
        Ok(spec)
    }

    fn node_here(&mut self, node: &Node, ports: &Ports) -> Result<NodeSpec<H>, Fault> {
        self.count += 1;
        if self.level > DEPTH_MAX {
            let sentence = format!("the tree is more than {DEPTH_MAX} levels deep, with its subtrees");
            return self.here(Err(Refusal::wrong(node.place, sentence)));
        }
        if self.count > NODES_MAX {
            let sentence = format!("the tree has more than {NODES_MAX} nodes, with its subtrees");
            return self.here(Err(Refusal::wrong(node.place, sentence)));
        }
        let bare;
        let node = match &node.value {
            // `- succeed` for `- succeed:`.
            Asset::Text(word) => {
                let entry = Entry { key: word.clone(), place: node.place, node: Node::default() };
                bare = Node { place: node.place, value: Asset::Map(vec![entry]) };
                &bare
            }
            _ => node,
        };
        let (entry, holds, more) = self.here(kind_of(node))?;
        self.here(allow(node, &entry.key, holds, more))?;
        if entry.key == "subtree" {
            return self.subtree(node, &entry.node, ports);
        }
        let children = match holds {
            Holds::Children => self.here(entry.node.list())?.iter().collect(),
            Holds::Child => vec![&entry.node],
            Holds::ParameterDo => vec![self.here(node.need("do"))?],
            Holds::Parameter | Holds::Nothing => Vec::new(),
        };
        let kind = self.here(self.kind(node, entry, ports))?;
        let children = children.into_iter().map(|child| self.node(child, ports)).collect::<Result<Vec<_>, _>>()?;
        let mut spec = NodeSpec { place: entry.place, ..kind.of(children) };
        spec.tree = self.way.last().cloned().unwrap_or_default();
        spec.content = content_of(node);
        spec.id = self.here(optional_text(node, "id"))?;
        spec.name = self.here(optional_text(node, "name"))?.unwrap_or_default();
        // A leaf that stands in for one of an unknown game is told by its name in the file.
        let is_stand_in = self.leaves.is_open() && !spec.kind.leaf_name().is_empty() && spec.name.is_empty();
        if entry.key == "log" || is_stand_in {
            spec.name = self.here(entry.node.text().map(str::to_owned))?;
        }
        Ok(spec)
    }

    fn subtree(&mut self, node: &Node, name: &Node, ports: &Ports) -> Result<NodeSpec<H>, Fault> {
        let library = self.library;
        let text = self.here(name.text())?;
        let unknown = || Refusal::unknown(name.place, "tree", text, library.names());
        let authored = self.here(library.trees.get(text).ok_or_else(unknown))?;
        if self.way.iter().any(|one| one == text) {
            let way = self.way.join("` → `");
            let sentence = format!("a tree cannot be part of itself: `{way}` → `{text}`");
            return self.here(Err(Refusal::wrong(name.place, sentence)));
        }
        let empty = Node::default();
        let given = node.find("ports").unwrap_or(&empty);
        let bound = self.here(bind_ports(&authored.ports, text, name.place, given, &library.keys, ports))?;
        self.way.push(text.to_owned());
        let mut spec = self.node(&authored.root, &bound)?;
        self.way.pop();
        let (id, called) = (self.here(optional_text(node, "id"))?, self.here(optional_text(node, "name"))?);
        // Where it is used it is known by its name there; inside it keeps its own.
        spec.subtree = Some(called.unwrap_or_else(|| text.to_owned()));
        spec.id = id.or(spec.id);
        spec.content = hash(&(content_of(node), spec.content));
        Ok(spec)
    }

    /// A key that a node may write: none that the tree itself keeps.
    fn writable(&self, node: &Node) -> Result<AnyKey, Refusal> {
        let key = read_key(node)?;
        match self.library.conditions.iter().find(|one| one.key.any() == key) {
            None => Ok(key),
            Some(condition) => {
                let sentence = format!("`{}` is a condition, which is not written: expected a key", condition.name);
                Err(Refusal::wrong(node.place, sentence))
            }
        }
    }

    fn kind(&self, node: &Node, entry: &Entry, ports: &Ports) -> Result<NodeKind<H>, Refusal> {
        use NodeKind as K;
        let keys = &self.library.keys;
        let value = &entry.node;
        let with = || match node.find("with") {
            Some(params) => resolve(params, keys, ports),
            None => Ok(Node { place: entry.place, value: Asset::Null }),
        };
        // Numbers and times may come from a port.
        let plain = |node: &Node| resolve(node, keys, ports);
        let span = |node: &Node| plain(node)?.read::<Span>();
        let count = |node: &Node| plain(node)?.read::<u32>();
        Ok(match entry.key.as_str() {
            "sequence" => K::Sequence,
            "selector" => K::Selector,
            "reactive_sequence" => K::ReactiveSequence,
            "reactive_selector" => K::ReactiveSelector,
            "parallel" => K::Parallel {
                success: quorum(node.find("success"), Quorum::All)?,
                failure: quorum(node.find("failure"), Quorum::One)?,
            },
            "random_selector" => K::RandomSelector { weights: weights(node)? },
            "random_sequence" => K::RandomSequence { weights: weights(node)? },
            "utility_selector" => {
                let score = |one: &Node| read_score(&plain(one)?, self.leaves);
                K::UtilitySelector { scores: node.need("scores")?.list()?.iter().map(score).collect::<Result<_, _>>()? }
            }
            "invert" => K::Invert,
            "force_success" => K::ForceSuccess,
            "force_failure" => K::ForceFailure,
            "until_success" => K::UntilSuccess,
            "until_failure" => K::UntilFailure,
            "loop" => K::Loop,
            "breakpoint" => K::Breakpoint,
            "log" => K::Log,
            "repeat" => K::Repeat { times: count(value)? },
            "run_limit" => K::RunLimit { runs: count(value)? },
            "catch" => K::Catch { restarts: count(value)? },
            "cooldown" => K::Cooldown { rest: span(value)?, aborts: aborts(node)? },
            "time_limit" => K::TimeLimit { limit: span(value)? },
            "delay" => K::Delay { wait: span(value)? },
            "probability" => K::Probability { chance: plain(value)?.number()? as f32 },
            "when" => K::When { test: read_test(&plain(value)?)?, aborts: aborts(node)? },
            "if" => K::If { condition: self.leaves.bind_condition(value, &with()?)? },
            "service" => {
                K::Service { service: self.leaves.bind_service(value, &with()?)?, period: span(node.need("every")?)? }
            }
            "check" => K::Check(self.leaves.bind_condition(value, &with()?)?),
            "test" => K::Test(read_test(&plain(value)?)?),
            "task" => K::Task(self.leaves.bind_task(value, &with()?)?),
            "wait" => K::Wait(span(value)?),
            "set" => {
                let key = self.writable(&plain(value)?)?;
                K::Set { key, value: Some(read_bind(&plain(node.need("to")?)?, key.kind())?) }
            }
            "clear" => K::Set { key: self.writable(&plain(value)?)?, value: None },
            "fail" => K::Fail,
            "idle" => K::Idle,
            _ => K::Succeed,
        })
    }
}

/// The entry that names the node's kind.
pub(super) fn kind_of(node: &Node) -> Result<(&Entry, Holds, &'static [&'static str]), Refusal> {
    let names = || KINDS.iter().map(|(name, ..)| *name);
    let mut found = None;
    for entry in node.map()? {
        let Some((_, holds, more)) = KINDS.iter().find(|(name, ..)| *name == entry.key) else { continue };
        if found.is_some() {
            let sentence = format!("a second kind of node, `{}`: expected one a node", entry.key);
            return Err(Refusal::wrong(entry.place, sentence));
        }
        found = Some((entry, *holds, *more));
    }
    let known = ["id", "name", "do", "with", "aborts", "ports", "every", "to"];
    found.ok_or_else(|| match node.entries().iter().find(|entry| !known.contains(&entry.key.as_str())) {
        Some(entry) => Refusal::unknown(entry.place, "kind of node", &entry.key, names()),
        None => node.expected("a key that names the kind of node, as in `sequence:` or `task:`"),
    })
}

fn allow(node: &Node, kind: &str, holds: Holds, more: &[&str]) -> Result<(), Refusal> {
    let mut known = vec![kind, "id", "name"];
    if holds == Holds::ParameterDo {
        known.push("do");
    }
    known.extend(more);
    node.allow(&known)
}

fn optional_text(node: &Node, key: &str) -> Result<Option<String>, Refusal> {
    node.find(key).map(|node| node.text().map(str::to_owned)).transpose()
}

fn aborts(node: &Node) -> Result<Aborts, Refusal> {
    let Some(node) = node.find("aborts") else { return Ok(Aborts::Nothing) };
    let text = node.text()?;
    let found = Aborts::NAMES.iter().find(|(name, _)| *name == text);
    let unknown = || Refusal::unknown(node.place, "abort mode", text, Aborts::NAMES.map(|(name, _)| name));
    found.map(|(_, aborts)| *aborts).ok_or_else(unknown)
}

fn quorum(node: Option<&Node>, otherwise: Quorum) -> Result<Quorum, Refusal> {
    let Some(node) = node else { return Ok(otherwise) };
    match &node.value {
        Asset::Text(text) if text == "one" => Ok(Quorum::One),
        Asset::Text(text) if text == "all" => Ok(Quorum::All),
        Asset::Int(_) => node.read().map(Quorum::Count),
        _ => Err(node.expected("`one`, `all` or a number")),
    }
}

/// A score of the game's own, or an appeal: `{score: name, with: …}`, or `{weight: …, considerations: […]}`.
fn read_score<H: Host>(node: &Node, leaves: &Leaves<H>) -> Result<ScoreLeaf<H>, Refusal> {
    if let Some(name) = node.find("score") {
        node.allow(&["score", "with"])?;
        return leaves.bind_score(name, &with(node));
    }
    if node.map()?.is_empty() {
        return Err(node.expected("`score`, or `weight` and `considerations`"));
    }
    node.allow(&["score", "weight", "considerations"])?;
    Appeal::read(node, leaves).map(ScoreLeaf::new::<Appraise>)
}

fn weights(node: &Node) -> Result<Vec<f32>, Refusal> {
    node.find("weights").map_or(Ok(Vec::new()), Node::read)
}

/// Feeds any bytes to the reader, and ticks what was read; for fuzzing. There are no leaves but those of the trees.
#[doc(hidden)]
#[cfg(feature = "files")]
pub fn fuzz(bytes: &[u8]) {
    use crate::board::{Blackboard, Board};
    use crate::thought::{Sinks, Thinker, Thought};
    use sentir_core::{id::AgentId, random::Streams, tick::Tick, tick::TickRate, why::WhyLog};
    struct Nobody;
    impl Host for Nobody {
        type View<'a> = ();
        type Out = ();
    }
    let Ok(library) = Library::read(&Keys::default(), [("fuzz.yaml", bytes)]) else { return };
    let leaves = Leaves::<Nobody>::default();
    let _ = library.check(&leaves);
    let shared = Blackboard::new(library.keys());
    let (mut own, mut why) = (Blackboard::new(library.keys()), WhyLog::default());
    let trees: Vec<Tree<Nobody>> =
        library.names().take(8).filter_map(|name| library.tree(name, &leaves).ok()).collect();
    let mut state = super::TreeState::default();
    for (number, tree) in trees.iter().enumerate() {
        for tick in 0..8 {
            let board = Board { own: &mut own, team: &shared, world: &shared };
            let (agent, tick_now) = (AgentId::from_bits(1), Tick(number as u64 * 8 + tick));
            let thinker = Thinker { agent, tick: tick_now, rate: TickRate::new(2), streams: Streams { seed: 1 } };
            let mut out = ();
            let mut thought = Thought::new(thinker, (), board, Sinks { out: &mut out, why: &mut why });
            if tick == 0 && number > 0 {
                tree.adopt(&trees[number - 1], &mut state, &mut thought);
            }
            tree.tick(&mut state, &mut thought);
        }
    }
}
