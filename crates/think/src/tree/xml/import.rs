//! From XML to a file of ours.

mod key;
mod strict;
mod write;

use roxmltree::{Document, Node as Element};
use sentir_asset::{AssetError, Entry, FilePosition, Node, Problem, Refusal, Value};

use key::{Keys, SCRIPTS};
use write::write_block;

/// Most nodes of a file.
const ELEMENTS_MAX: usize = 20_000;
/// Most levels.
const DEPTH_MAX: usize = 60;
/// What has children there, and is known here.
const PARENTS: [&str; 14] = [
    "Sequence",
    "Fallback",
    "ReactiveSequence",
    "ReactiveFallback",
    "Parallel",
    "Inverter",
    "ForceSuccess",
    "ForceFailure",
    "KeepRunningUntilFailure",
    "Repeat",
    "RetryUntilSuccessful",
    "Timeout",
    "Delay",
    "RunOnce",
];
/// What has no counterpart, and what to write instead.
const REFUSED: [(&str, &str); 19] = [
    (
        "SequenceStar",
        "`Sequence`, with a `RetryUntilSuccessful` around each child that may fail: it goes on at the one that failed",
    ),
    (
        "SequenceWithMemory",
        "`Sequence`, with a `RetryUntilSuccessful` around each child that may fail: it goes on at the one that failed",
    ),
    ("AsyncSequence", "`Sequence`, with a `Sleep` where a tick should pass between children"),
    ("AsyncFallback", "`Fallback`, with a `Sleep` where a tick should pass between children"),
    ("Precondition", "`Sequence` with a `ScriptCondition` first, or `ReactiveSequence` if it is asked in every tick"),
    ("Script", "`SetBlackboard`"),
    ("IfThenElse", "`Fallback` of two `Sequence`s, each with its condition first"),
    ("WhileDoElse", "`ReactiveFallback` of a `ReactiveSequence` with the condition first, and the other branch"),
    ("Switch2", "`Fallback` of `Sequence`s, each with its condition first"),
    ("Switch3", "`Fallback` of `Sequence`s, each with its condition first"),
    ("Switch4", "`Fallback` of `Sequence`s, each with its condition first"),
    ("Switch5", "`Fallback` of `Sequence`s, each with its condition first"),
    ("Switch6", "`Fallback` of `Sequence`s, each with its condition first"),
    ("ManualSelector", "`Fallback`"),
    ("LoopDouble", "`Repeat`"),
    ("LoopInt", "`Repeat`"),
    ("LoopString", "`Repeat`"),
    ("WasEntryUpdated", "a condition of the game's own"),
    ("SkipUnlessUpdated", "a condition of the game's own in a `Sequence`"),
];

/// Reads XML; gives the text of a file of ours.
pub fn import(bytes: &[u8], file: &str) -> Result<String, AssetError> {
    let refused = |refusal| AssetError::new(file, refusal);
    if bytes.len() > sentir_asset::BYTES_MAX {
        let (bytes, limit) = (bytes.len() as u64, sentir_asset::BYTES_MAX as u64);
        return Err(refused(Refusal::new(FilePosition::default(), Problem::TooLong { bytes, limit })));
    }
    let text =
        std::str::from_utf8(bytes).map_err(|_| refused(Refusal::new(FilePosition::default(), Problem::NotText)))?;
    let options = roxmltree::ParsingOptions { nodes_limit: ELEMENTS_MAX as u32, ..Default::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| {
        let at = error.pos();
        refused(Refusal::wrong(
            FilePosition { line: at.row, column: at.col },
            format!("no XML that can be read: {error}"),
        ))
    })?;
    read(&document).map_err(refused)
}

struct Reader<'a, 'input> {
    document: &'a Document<'input>,
    /// What the file says of its own nodes.
    conditions: Vec<String>,
    keys: Keys,
    /// The tree one is in.
    tree: String,
    /// `RunOnce` nodes so far.
    onces: u32,
}

fn read(document: &Document<'_>) -> Result<String, Refusal> {
    let root = document.root_element();
    let mut reader = Reader { document, conditions: Vec::new(), keys: Keys::default(), tree: String::new(), onces: 0 };
    if root.tag_name().name() != "root" {
        return Err(reader.wrong(root, "expected `root` around the trees"));
    }
    let elements: Vec<_> = root.children().filter(|node| node.tag_name().name() == "BehaviorTree").collect();
    if elements.is_empty() {
        return Err(reader.wrong(root, "no `BehaviorTree` in it"));
    }
    reader.check_nothing_is_dropped(root)?;
    reader.read_model(root);
    reader.read_names(root, &elements)?;
    reader.check_circles(&elements)?;
    let mut trees = Vec::new();
    for &tree in &elements {
        tree.attribute("ID").unwrap_or_default().clone_into(&mut reader.tree);
        let child = reader.only_child(tree)?;
        let node = reader.node(child, None, 0)?;
        let ports = reader.keys.ports_of(&reader.tree);
        let node = match ports.is_empty() {
            true => node,
            false => map(vec![
                entry("ports", map(ports.iter().map(|(name, kind)| entry(name, word(kind))).collect())),
                entry("root", node),
            ]),
        };
        trees.push(entry(reader.keys.name_of(&reader.tree), node));
    }
    let keys: Vec<Entry> = reader.keys.declared().map(|(name, kind)| entry(name, word(kind))).collect();
    let mut file = vec![entry("sentir", word("tree 1"))];
    if !keys.is_empty() {
        file.push(entry("keys", map(keys)));
    }
    file.push(entry("trees", map(trees)));
    let mut text = String::new();
    write_block(&map(file), 0, &mut text);
    Ok(text)
}

fn entry(key: &str, node: Node) -> Entry {
    Entry { key: key.to_owned(), place: FilePosition::default(), node }
}

fn word(text: &str) -> Node {
    Node::new(Value::Text(text.to_owned()))
}

fn map(entries: Vec<Entry>) -> Node {
    Node::new(Value::Map(entries))
}

fn list(nodes: Vec<Node>) -> Node {
    Node::new(Value::List(nodes))
}

fn one(key: &str, node: Node) -> Node {
    map(vec![entry(key, node)])
}

/// A plain value as an attribute writes it.
fn plain(text: &str) -> Node {
    Node::new(match text {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        _ => match (text.parse::<i64>(), text.parse::<f64>()) {
            (Ok(number), _) => Value::Int(number),
            (_, Ok(number)) if number.is_finite() => Value::Float(number),
            _ => Value::Text(text.to_owned()),
        },
    })
}

impl<'a, 'input> Reader<'a, 'input> {
    fn place(&self, node: Element<'_, '_>) -> FilePosition {
        let at = self.document.text_pos_at(node.range().start);
        FilePosition { line: at.row, column: at.col }
    }

    fn wrong(&self, node: Element<'_, '_>, sentence: impl Into<String>) -> Refusal {
        Refusal::wrong(self.place(node), sentence)
    }

    fn read_model(&mut self, root: Element<'a, 'input>) {
        for model in root.children().filter(|node| node.tag_name().name() == "TreeNodesModel") {
            for own in model.children().filter(Element::is_element) {
                let id = own.attribute("ID").unwrap_or_default();
                if own.tag_name().name() == "Condition" {
                    self.conditions.push(id.to_owned());
                }
                for port in own.children().filter(Element::is_element) {
                    let (name, kind) = (port.attribute("name").unwrap_or_default(), port.attribute("type"));
                    self.keys.add_port(id, name, kind.unwrap_or_default());
                }
            }
        }
    }

    /// What the trees are called here, their ports, and the kinds of all keys.
    fn read_names(&mut self, root: Element<'a, 'input>, trees: &[Element<'a, 'input>]) -> Result<(), Refusal> {
        let mut ids: Vec<&str> = Vec::new();
        for &tree in trees {
            let id = tree.attribute("ID").ok_or_else(|| self.wrong(tree, "a `BehaviorTree` needs an `ID`"))?;
            if ids.contains(&id) {
                return Err(self.wrong(tree, format!("a second `BehaviorTree` with the ID `{id}`: expected one")));
            }
            ids.push(id);
        }
        let main = root.attribute("main_tree_to_execute");
        if let Some(unknown) = main.filter(|main| !ids.contains(main)) {
            return Err(Refusal::unknown(self.place(root), "tree", unknown, ids.iter().copied()));
        }
        self.keys.name_trees(&ids, main.or(Some(ids[0]).filter(|_| ids.len() == 1)));
        for &tree in trees {
            let id = tree.attribute("ID").unwrap_or_default();
            for node in tree.descendants().filter(Element::is_element) {
                let used = node.attribute("ID").unwrap_or_default();
                if is_subtree(node.tag_name().name()) && !ids.contains(&used) {
                    return Err(Refusal::unknown(self.place(node), "tree", used, ids.iter().copied()));
                }
                self.keys.survey(id, node);
            }
        }
        self.keys.settle();
        Ok(())
    }

    fn only_child(&self, node: Element<'a, 'input>) -> Result<Element<'a, 'input>, Refusal> {
        let mut children = node.children().filter(Element::is_element);
        match (children.next(), children.next()) {
            (Some(child), None) => Ok(child),
            (None, _) => Err(self.wrong(node, format!("`{}` has no child: expected one", node.tag_name().name()))),
            (_, Some(second)) => {
                Err(self.wrong(second, format!("a second child of `{}`: expected one", node.tag_name().name())))
            }
        }
    }

    /// A node; `within` is what it is a child of, if that goes on from child to child.
    fn node(&mut self, node: Element<'a, 'input>, within: Option<&str>, depth: usize) -> Result<Node, Refusal> {
        if depth > DEPTH_MAX {
            return Err(self.wrong(node, format!("more than {DEPTH_MAX} levels deep")));
        }
        if let Some(script) = node.attributes().find(|one| SCRIPTS.contains(&one.name())) {
            let sentence = format!("the script `{}` has no counterpart: write it as a condition", script.name());
            return Err(self.wrong(node, sentence));
        }
        let tag = node.tag_name().name();
        if let Some((_, instead)) = REFUSED.iter().find(|(refused, _)| *refused == tag) {
            return Err(self.wrong(node, format!("`{tag}` has no counterpart here: expected {instead}")));
        }
        let mut entries = match tag {
            "Sequence" | "Fallback" | "ReactiveSequence" | "ReactiveFallback" | "Parallel" => {
                self.composite(node, tag, depth)?
            }
            "RunOnce" => self.run_once(node, within, depth)?,
            "Inverter"
            | "ForceSuccess"
            | "ForceFailure"
            | "KeepRunningUntilFailure"
            | "Repeat"
            | "RetryUntilSuccessful"
            | "RetryUntilSuccesful"
            | "Timeout"
            | "Delay" => self.decorator(node, tag, depth)?,
            "AlwaysSuccess" => vec![entry("succeed", Node::default())],
            "AlwaysFailure" => vec![entry("fail", Node::default())],
            "Sleep" => vec![entry("wait", self.seconds(node, "msec")?)],
            "SetBlackboard" => self.set(node)?,
            "UnsetBlackboard" => {
                let key = node.attribute("key").ok_or_else(|| self.wrong(node, "`UnsetBlackboard` without `key`"))?;
                vec![entry("clear", self.key(node, key.trim_matches(['{', '}']))?)]
            }
            "ScriptCondition" => vec![entry("test", self.script(node)?)],
            tag if is_subtree(tag) => self.subtree(node)?,
            _ => self.own(node, tag)?,
        };
        if let Some(name) = node.attribute("name").filter(|name| !name.is_empty()) {
            entries.push(entry("name", word(name)));
        }
        Ok(map(entries))
    }

    fn composite(&mut self, node: Element<'a, 'input>, tag: &str, depth: usize) -> Result<Vec<Entry>, Refusal> {
        let children: Vec<_> = node.children().filter(Element::is_element).collect();
        if children.is_empty() {
            return Err(self.wrong(node, format!("`{tag}` has no children: expected some")));
        }
        let count = children.len();
        let is_skipped = |child: &Element<'_, '_>| child.tag_name().name() == "RunOnce" && then_skips(*child);
        if children.iter().all(is_skipped) {
            let sentence = format!(
                "a `{tag}` of nothing but `RunOnce` is skipped as a whole, which has no counterpart here: expected another child"
            );
            return Err(self.wrong(node, sentence));
        }
        let within = Some(tag).filter(|tag| *tag != "Parallel");
        let children = children.into_iter().map(|child| self.node(child, within, depth + 1));
        let children = children.collect::<Result<_, _>>()?;
        let key = match tag {
            "Fallback" => "selector",
            "ReactiveSequence" => "reactive_sequence",
            "ReactiveFallback" => "reactive_selector",
            "Parallel" => "parallel",
            _ => "sequence",
        };
        let mut entries = vec![entry(key, list(children))];
        if tag == "Parallel" {
            for (attribute, key, stock) in [("success_count", "success", -1), ("failure_count", "failure", 1)] {
                let wanted = self.whole(node, attribute)?.unwrap_or(stock);
                let quorum = match wanted {
                    -1 => word("all"),
                    1 => word("one"),
                    some if (1..=count as i64).contains(&some) => Node::new(Value::Int(some)),
                    _ => return Err(self.wrong(node, format!("`{attribute}` is {wanted}: expected -1 to {count}"))),
                };
                entries.push(entry(key, quorum));
            }
        }
        Ok(entries)
    }

    fn decorator(&mut self, node: Element<'a, 'input>, tag: &str, depth: usize) -> Result<Vec<Entry>, Refusal> {
        let child = self.only_child(node)?;
        let child = self.node(child, None, depth + 1)?;
        let over = |key: &str, parameter: Node, child: Node| vec![entry(key, parameter), entry("do", child)];
        let times = |count: i64| Node::new(Value::Int(count));
        Ok(match tag {
            "Inverter" => vec![entry("invert", child)],
            "ForceSuccess" => vec![entry("force_success", child)],
            "ForceFailure" => vec![entry("force_failure", child)],
            // There it fails in the end, here it succeeds.
            "KeepRunningUntilFailure" => vec![entry("invert", one("until_failure", child))],
            "Timeout" => over("time_limit", self.seconds(node, "msec")?, child),
            "Delay" => over("delay", self.seconds(node, "delay_msec")?, child),
            "Repeat" => match self.whole(node, "num_cycles")? {
                Some(-1) => vec![entry("loop", child)],
                Some(count) if count > 0 => over("repeat", times(count), child),
                _ => return Err(self.wrong(node, "`num_cycles` is missing, or neither -1 nor over 0")),
            },
            _ => match self.whole(node, "num_attempts")? {
                Some(-1) => vec![entry("until_success", child)],
                Some(count) if count > 0 => over("catch", times(count - 1), child),
                _ => return Err(self.wrong(node, "`num_attempts` is missing, or neither -1 nor over 0")),
            },
        })
    }

    /// There it is done once, whether well or not, and then skipped, as if it were not there; or, with `then_skip` false,
    /// says for ever how it ended. Here a key remembers that. What is skipped counts in a sequence as a success, in a
    /// selector as a failure.
    fn run_once(
        &mut self,
        node: Element<'a, 'input>,
        within: Option<&str>,
        depth: usize,
    ) -> Result<Vec<Entry>, Refusal> {
        let child = self.only_child(node)?;
        let child = self.node(child, None, depth + 1)?;
        self.onces += 1;
        let key = word(&format!("${}", self.keys.declare_once(self.onces)));
        let skips = then_skips(node);
        let is_done =
            |is: bool| one("test", map(vec![entry("key", key.clone()), entry("==", Node::new(Value::Bool(is)))]));
        let set = |to: bool| map(vec![entry("set", key.clone()), entry("to", Node::new(Value::Bool(to)))]);
        let tried = one("sequence", list(vec![child, set(true)]));
        let failed = one("force_failure", set(skips));
        let first = one("selector", list(vec![tried, failed]));
        let is_new = one("test", one("unset", key.clone()));
        Ok(match within {
            _ if !skips => {
                vec![entry("selector", list(vec![is_done(true), one("sequence", list(vec![is_new, first]))]))]
            }
            Some("Sequence" | "ReactiveSequence") => vec![entry("selector", list(vec![is_done(true), first]))],
            Some(_) => vec![entry("sequence", list(vec![is_new, first]))],
            None => {
                let sentence = "a `RunOnce` that is skipped later has a counterpart only as a child of a sequence or fallback: expected it there, or `then_skip=\"false\"`";
                return Err(self.wrong(node, sentence));
            }
        })
    }

    fn whole(&self, node: Element<'_, '_>, attribute: &str) -> Result<Option<i64>, Refusal> {
        let Some(text) = node.attribute(attribute) else { return Ok(None) };
        let number = text.trim().parse().ok().filter(|number: &i64| (-1..=1_000_000).contains(number));
        number.map(Some).ok_or_else(|| self.wrong(node, format!("`{attribute}` is `{text}`: expected a whole number")))
    }

    /// Milliseconds of an attribute as seconds.
    fn seconds(&self, node: Element<'_, '_>, attribute: &str) -> Result<Node, Refusal> {
        let missing = || self.wrong(node, format!("`{attribute}` is missing: expected milliseconds"));
        let milliseconds = self.whole(node, attribute)?.filter(|&count| count >= 0).ok_or_else(missing)?;
        Ok(Node::new(Value::Float(milliseconds as f64 / 1000.0)))
    }

    fn set(&mut self, node: Element<'a, 'input>) -> Result<Vec<Entry>, Refusal> {
        let missing = |what: &str| self.wrong(node, format!("`SetBlackboard` without `{what}`"));
        let key = node.attribute("output_key").ok_or_else(|| missing("output_key"))?;
        let text = node.attribute("value").ok_or_else(|| missing("value"))?;
        let key = self.key(node, key.trim_matches(['{', '}']))?;
        Ok(vec![entry("set", key), entry("to", self.value(node, "value", text)?)])
    }

    /// A script that is one comparison of a key.
    fn script(&mut self, node: Element<'a, 'input>) -> Result<Node, Refusal> {
        let code = node.attribute("code").ok_or_else(|| self.wrong(node, "`ScriptCondition` without `code`"))?;
        let Some((key, how, with)) = key::comparison(code) else {
            let sentence = format!(
                "the script `{code}` has no counterpart: expected one comparison of a key, or a condition of the game's own"
            );
            return Err(self.wrong(node, sentence));
        };
        let key = self.key(node, key)?;
        let with = match with {
            key::Operand::Key(other) => self.key(node, other)?,
            key::Operand::Value(value) => value,
        };
        Ok(map(vec![entry("key", key), entry(how, with)]))
    }

    fn subtree(&mut self, node: Element<'a, 'input>) -> Result<Vec<Entry>, Refusal> {
        let used = node.attribute("ID").unwrap_or_default();
        let mut ports = Vec::new();
        for (port, given) in self.keys.given(node, used) {
            let value = match given {
                Some(text) => self.value(node, &port, &text)?,
                // A key of the subtree's own.
                None => word(&format!("${}", self.keys.declare_private(used, &port))),
            };
            ports.push(entry(&key::snake(&port), value));
        }
        let mut entries = vec![entry("subtree", word(self.keys.name_of(used)))];
        if !ports.is_empty() {
            entries.push(entry("ports", map(ports)));
        }
        Ok(entries)
    }

    /// A node of the game's own, written out (`Action ID="…"`) or as its own tag.
    fn own(&mut self, node: Element<'a, 'input>, tag: &str) -> Result<Vec<Entry>, Refusal> {
        if node.children().any(|child| child.is_element()) {
            return Err(Refusal::unknown(self.place(node), "node with children", tag, PARENTS));
        }
        let id = match tag {
            "Action" | "Condition" => {
                node.attribute("ID").ok_or_else(|| self.wrong(node, format!("`{tag}` without `ID`")))?
            }
            own => own,
        };
        let is_condition = tag == "Condition" || self.conditions.iter().any(|one| one == id);
        let mut params = Vec::new();
        for attribute in node.attributes().filter(|one| key::is_port(one.name())) {
            params.push(entry(attribute.name(), self.value(node, attribute.name(), attribute.value())?));
        }
        let mut entries = vec![entry(if is_condition { "check" } else { "task" }, word(id))];
        if !params.is_empty() {
            entries.push(entry("with", map(params)));
        }
        Ok(entries)
    }

    /// The value of an attribute, or a key.
    fn value(&mut self, node: Element<'_, '_>, attribute: &str, text: &str) -> Result<Node, Refusal> {
        match key::pointed(attribute, text) {
            Some(key) => self.key(node, key),
            None => Ok(plain(text)),
        }
    }

    fn key(&mut self, node: Element<'_, '_>, name: &str) -> Result<Node, Refusal> {
        let found = self.keys.key(&self.tree, name).map(|key| word(&format!("${key}")));
        found.map_err(|other| {
            self.wrong(
                node,
                format!("`{name}` and `{other}` would be one key here: expected names that differ in more than case"),
            )
        })
    }
}

fn is_subtree(tag: &str) -> bool {
    matches!(tag, "SubTree" | "SubTreePlus")
}

fn then_skips(node: Element<'_, '_>) -> bool {
    !matches!(node.attribute("then_skip"), Some("false" | "0"))
}
