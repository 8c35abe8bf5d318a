//! Trees to and from the XML of BehaviorTree.CPP (version 4, and the nodes it shares with version 3), so that trees drawn
//! in its editors can be used here, and ours there.
//!
//! | XML | file |
//! |---|---|
//! | `Sequence`, `Fallback`, `ReactiveSequence`, `ReactiveFallback`, `Parallel` | `sequence`, `selector`, … |
//! | `Inverter`, `ForceSuccess`, `ForceFailure`, `KeepRunningUntilFailure` | `invert`, `force_success`, …; `invert: until_failure` |
//! | `Repeat`, `RetryUntilSuccessful` | `repeat` or `loop`; `catch` or `until_success` |
//! | `Timeout`, `Delay`, `Sleep`, `RunOnce` | `time_limit`, `delay`, `wait`, `run_limit: 1` |
//! | `AlwaysSuccess`, `AlwaysFailure`, `SetBlackboard`, `SubTree` | `succeed`, `fail`, `set`, `subtree` |
//! | `Action`, `Condition`, and nodes of the game's own | `task`, `check` |
//!
//! Whether a node of the game's own is a condition says its `TreeNodesModel`; without one it counts as a task. A value
//! `{name}` is the key `$name`; the kind of a key comes from the model's port, else it is a symbol. Scripts, preconditions
//! and what else has no counterpart are refused, with the place. On the way out the kinds of keys are lost: they would be in
//! a model of the game's nodes, which only the game has.

use std::collections::BTreeMap;
use std::fmt::Write;

use roxmltree::{Document, Node as Element};
use sentir_asset::{AssetError, Entry, Node, Place, Problem, Refusal, Value};

/// Most nodes of a file.
const ELEMENTS_MAX: usize = 20_000;
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
/// Most levels.
const DEPTH_MAX: usize = 60;

/// Reads XML; gives the text of a file of ours.
pub fn import(bytes: &[u8], file: &str) -> Result<String, AssetError> {
    let refused = |refusal| AssetError::new(file, refusal);
    if bytes.len() > sentir_asset::BYTES_MAX {
        let (bytes, limit) = (bytes.len() as u64, sentir_asset::BYTES_MAX as u64);
        return Err(refused(Refusal::new(Place::default(), Problem::TooLong { bytes, limit })));
    }
    let text = std::str::from_utf8(bytes).map_err(|_| refused(Refusal::new(Place::default(), Problem::NotText)))?;
    let options = roxmltree::ParsingOptions { nodes_limit: ELEMENTS_MAX as u32, ..Default::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| {
        let at = error.pos();
        refused(Refusal::wrong(Place { line: at.row, column: at.col }, format!("no XML that can be read: {error}")))
    })?;
    read(&document).map_err(refused)
}

/// What the file says about its own nodes.
#[derive(Default)]
struct Model {
    conditions: Vec<String>,
    /// Kinds of ports by node and port.
    kinds: BTreeMap<(String, String), &'static str>,
}

struct Reader<'a, 'input> {
    document: &'a Document<'input>,
    model: Model,
    /// Keys that are used, with their kinds.
    keys: BTreeMap<String, &'static str>,
}

fn read(document: &Document<'_>) -> Result<String, Refusal> {
    let root = document.root_element();
    let mut reader = Reader { document, model: Model::default(), keys: BTreeMap::new() };
    if root.tag_name().name() != "root" {
        return Err(reader.wrong(root, "expected `root` around the trees"));
    }
    reader.read_model(root);
    let main = root.attribute("main_tree_to_execute");
    let mut trees = Vec::new();
    let elements = root.children().filter(|node| node.is_element());
    let elements: Vec<_> = elements.filter(|node| node.tag_name().name() == "BehaviorTree").collect();
    for &tree in &elements {
        let name = tree.attribute("ID").ok_or_else(|| reader.wrong(tree, "a `BehaviorTree` needs an `ID`"))?;
        let child = reader.only_child(tree)?;
        // The one that thinks is called `main` here.
        let is_main = main == Some(name) || (main.is_none() && elements.len() == 1);
        let name = if is_main { crate::brain::MAIN_TREE } else { name };
        trees.push(entry(name, reader.node(child, 0)?));
    }
    if trees.is_empty() {
        return Err(reader.wrong(root, "no `BehaviorTree` in it"));
    }
    let keys = reader.keys.iter().map(|(name, kind)| entry(name, word(kind))).collect();
    let mut file = vec![entry("sentir", word("tree 1"))];
    if !reader.keys.is_empty() {
        file.push(entry("keys", map(keys)));
    }
    file.push(entry("trees", map(trees)));
    let mut text = String::new();
    write_block(&map(file), 0, &mut text);
    Ok(text)
}

fn entry(key: &str, node: Node) -> Entry {
    Entry { key: key.to_owned(), place: Place::default(), node }
}

fn word(text: &str) -> Node {
    Node::new(Value::Text(text.to_owned()))
}

fn map(entries: Vec<Entry>) -> Node {
    Node::new(Value::Map(entries))
}

impl<'a, 'input> Reader<'a, 'input> {
    fn place(&self, node: Element<'_, '_>) -> Place {
        let at = self.document.text_pos_at(node.range().start);
        Place { line: at.row, column: at.col }
    }

    fn wrong(&self, node: Element<'_, '_>, sentence: impl Into<String>) -> Refusal {
        Refusal::wrong(self.place(node), sentence)
    }

    fn read_model(&mut self, root: Element<'a, 'input>) {
        for model in root.children().filter(|node| node.tag_name().name() == "TreeNodesModel") {
            for own in model.children().filter(Element::is_element) {
                let id = own.attribute("ID").unwrap_or_default().to_owned();
                if own.tag_name().name() == "Condition" {
                    self.model.conditions.push(id.clone());
                }
                for port in own.children().filter(Element::is_element) {
                    let kind = match port.attribute("type").unwrap_or_default() {
                        "int" | "unsigned" | "int32_t" => "int",
                        "double" | "float" => "float",
                        "bool" => "bool",
                        _ => continue,
                    };
                    let name = port.attribute("name").unwrap_or_default().to_owned();
                    self.model.kinds.insert((id.clone(), name), kind);
                }
            }
        }
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

    fn node(&mut self, node: Element<'a, 'input>, depth: usize) -> Result<Node, Refusal> {
        if depth > DEPTH_MAX {
            return Err(self.wrong(node, format!("more than {DEPTH_MAX} levels deep")));
        }
        if let Some(script) = node.attributes().find(|one| one.name().starts_with('_')) {
            let sentence = format!("the script `{}` has no counterpart: write it as a condition", script.name());
            return Err(self.wrong(node, sentence));
        }
        let tag = node.tag_name().name();
        let mut entries = match tag {
            "Sequence" | "SequenceStar" | "Fallback" | "ReactiveSequence" | "ReactiveFallback" | "Parallel" => {
                self.composite(node, tag, depth)?
            }
            "Inverter"
            | "ForceSuccess"
            | "ForceFailure"
            | "KeepRunningUntilFailure"
            | "Repeat"
            | "RetryUntilSuccessful"
            | "RetryUntilSuccesful"
            | "Timeout"
            | "Delay"
            | "RunOnce" => self.decorator(node, tag, depth)?,
            "AlwaysSuccess" => vec![entry("succeed", Node::default())],
            "AlwaysFailure" => vec![entry("fail", Node::default())],
            "Sleep" => vec![entry("wait", self.seconds(node, "msec")?)],
            "SetBlackboard" => self.set(node)?,
            "SubTree" | "SubTreePlus" => self.subtree(node)?,
            "Precondition" | "Script" | "ScriptCondition" | "IfThenElse" | "WhileDoElse" | "Switch2" | "Switch3"
            | "SwitchNode" | "LoopDouble" | "LoopInt" | "WasEntryUpdated" | "SkipUnlessUpdated" => {
                return Err(self.wrong(node, format!("`{tag}` has no counterpart here")));
            }
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
        let children = children.into_iter().map(|child| self.node(child, depth + 1)).collect::<Result<_, _>>()?;
        let key = match tag {
            "Fallback" => "selector",
            "ReactiveSequence" => "reactive_sequence",
            "ReactiveFallback" => "reactive_selector",
            "Parallel" => "parallel",
            _ => "sequence",
        };
        let mut entries = vec![entry(key, Node::new(Value::List(children)))];
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
        let child = self.node(child, depth + 1)?;
        let over = |key: &str, parameter: Node, child: Node| vec![entry(key, parameter), entry("do", child)];
        let times = |count: i64| Node::new(Value::Int(count));
        Ok(match tag {
            "Inverter" => vec![entry("invert", child)],
            "ForceSuccess" => vec![entry("force_success", child)],
            "ForceFailure" => vec![entry("force_failure", child)],
            // There it fails in the end, here it succeeds.
            "KeepRunningUntilFailure" => vec![entry("invert", map(vec![entry("until_failure", child)]))],
            "Timeout" => over("time_limit", self.seconds(node, "msec")?, child),
            "Delay" => over("delay", self.seconds(node, "delay_msec")?, child),
            "RunOnce" => over("run_limit", times(1), child),
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
        let key = key.trim_matches(['{', '}']).to_owned();
        let text = node.attribute("value").ok_or_else(|| missing("value"))?;
        let value = self.value(text, "symbol");
        let kind = match value.value {
            Value::Bool(_) => "bool",
            Value::Int(_) => "int",
            Value::Float(_) => "float",
            _ => "symbol",
        };
        self.keys.entry(key.clone()).or_insert(kind);
        Ok(vec![entry("set", word(&format!("${key}"))), entry("to", value)])
    }

    fn subtree(&mut self, node: Element<'a, 'input>) -> Result<Vec<Entry>, Refusal> {
        let name = node.attribute("ID").ok_or_else(|| self.wrong(node, "`SubTree` without `ID`"))?;
        if node.attributes().any(|one| !matches!(one.name(), "ID" | "name" | "_autoremap" | "__shared_blackboard")) {
            let sentence = "ports of subtrees are declared with their kinds here: write them into the file by hand";
            return Err(self.wrong(node, sentence));
        }
        Ok(vec![entry("subtree", word(name))])
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
        let is_condition = tag == "Condition" || self.model.conditions.iter().any(|one| one == id);
        let mut params = Vec::new();
        for attribute in node.attributes().filter(|one| !matches!(one.name(), "ID" | "name")) {
            let kind = self.model.kinds.get(&(id.to_owned(), attribute.name().to_owned())).copied().unwrap_or("symbol");
            params.push(entry(attribute.name(), self.value(attribute.value(), kind)));
        }
        let mut entries = vec![entry(if is_condition { "check" } else { "task" }, word(id))];
        if !params.is_empty() {
            entries.push(entry("with", map(params)));
        }
        Ok(entries)
    }

    /// A value, or a key that is noted with its kind.
    fn value(&mut self, text: &str, kind: &'static str) -> Node {
        if let Some(key) = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
            self.keys.entry(key.to_owned()).or_insert(kind);
            return word(&format!("${key}"));
        }
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
}

/// Writes a tree of values as a file, two spaces a level.
fn write_block(node: &Node, depth: usize, out: &mut String) {
    match &node.value {
        Value::Map(entries) => {
            for (index, entry) in entries.iter().enumerate() {
                if index > 0 {
                    out.extend(std::iter::repeat_n("  ", depth));
                }
                out.push_str(&scalar(&entry.key));
                out.push(':');
                write_value(&entry.node, depth, out);
            }
        }
        Value::List(nodes) => {
            for (index, node) in nodes.iter().enumerate() {
                if index > 0 {
                    out.extend(std::iter::repeat_n("  ", depth));
                }
                out.push_str("- ");
                write_block(node, depth + 1, out);
            }
        }
        value => {
            out.push_str(&plain(value));
            out.push('\n');
        }
    }
}

fn write_value(node: &Node, depth: usize, out: &mut String) {
    match &node.value {
        Value::Null => out.push('\n'),
        Value::Map(_) | Value::List(_) => {
            out.push('\n');
            out.extend(std::iter::repeat_n("  ", depth + 1));
            write_block(node, depth + 1, out);
        }
        value => {
            out.push(' ');
            out.push_str(&plain(value));
            out.push('\n');
        }
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Float(value) => format!("{value:?}"),
        Value::Text(text) => scalar(text),
        _ => "~".to_owned(),
    }
}

/// Text as YAML: bare if that is safe, else in quotes.
fn scalar(text: &str) -> String {
    let is_word = |text: &str| {
        let body = text.strip_prefix('$').unwrap_or(text);
        let starts = body.chars().next().is_some_and(|first| first.is_alphabetic() || first == '_');
        starts && body.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '.' | '-' | ' '))
    };
    let is_special =
        matches!(text.to_ascii_lowercase().as_str(), "true" | "false" | "null" | "yes" | "no" | "on" | "off");
    if is_word(text) && !is_special && !text.ends_with(' ') {
        return text.to_owned();
    }
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            control if control.is_control() => {
                let _ = write!(out, "\\u{:04x}", control as u32);
            }
            other => out.push(other),
        }
    }
    out.push('"');
    out
}

/// Writes a file of ours as XML. What has no counterpart is refused, with the place.
pub fn export(bytes: &[u8], file: &str) -> Result<String, AssetError> {
    let node: Node = sentir_asset::parse(bytes, file)?;
    write_xml(&node).map_err(|refusal| AssetError::new(file, refusal))
}

fn write_xml(node: &Node) -> Result<String, Refusal> {
    sentir_asset::Header::expect(node, &[super::asset::FORMAT])?;
    let trees = node.need("trees")?.map()?;
    let main = trees.iter().find(|tree| tree.key == crate::brain::MAIN_TREE).or(trees.first());
    let mut out = String::from("<root BTCPP_format=\"4\"");
    if let Some(main) = main {
        let _ = write!(out, " main_tree_to_execute=\"{}\"", escaped(&main.key));
    }
    out.push_str(">\n");
    for tree in trees {
        if let Some(ports) = tree.node.find("ports") {
            return Err(Refusal::wrong(ports.place, "ports of subtrees have no counterpart that keeps their kinds"));
        }
        let root = tree.node.find("root").unwrap_or(&tree.node);
        let _ = writeln!(out, "  <BehaviorTree ID=\"{}\">", escaped(&tree.key));
        write_node(root, 2, &mut out)?;
        out.push_str("  </BehaviorTree>\n");
    }
    out.push_str("</root>\n");
    Ok(out)
}

/// A tag with its attributes and what is in it.
struct Tag {
    name: String,
    attributes: Vec<(String, String)>,
}

impl Tag {
    fn new(name: &str) -> Tag {
        Tag { name: name.to_owned(), attributes: Vec::new() }
    }

    fn with(mut self, name: &str, value: impl Into<String>) -> Tag {
        self.attributes.push((name.to_owned(), value.into()));
        self
    }
}

fn write_node(node: &Node, depth: usize, out: &mut String) -> Result<(), Refusal> {
    let bare;
    let node = if let Value::Text(kind) = &node.value {
        bare = Node {
            place: node.place,
            value: Value::Map(vec![Entry { key: kind.clone(), place: node.place, node: Node::default() }]),
        };
        &bare
    } else {
        node
    };
    let (entry, ..) = super::asset::kind_of(node)?;
    let (mut tags, children) = counterpart(node, entry)?;
    if let (Some(name), Some(tag)) = (node.find("name"), tags.first_mut()) {
        tag.attributes.push(("name".to_owned(), name.text()?.to_owned()));
    }
    let last = tags.len() - 1;
    for (index, tag) in tags.iter().enumerate() {
        out.extend(std::iter::repeat_n("  ", depth + index));
        let _ = write!(out, "<{}", tag.name);
        for (name, value) in &tag.attributes {
            let _ = write!(out, " {name}=\"{}\"", escaped(value));
        }
        out.push_str(if index == last && children.is_empty() { "/>\n" } else { ">\n" });
    }
    for child in &children {
        write_node(child, depth + tags.len(), out)?;
    }
    for (index, tag) in tags.iter().enumerate().rev() {
        if index != last || !children.is_empty() {
            out.extend(std::iter::repeat_n("  ", depth + index));
            let _ = writeln!(out, "</{}>", tag.name);
        }
    }
    Ok(())
}

/// The tags that stand for a node, outermost first, and its children.
fn counterpart<'a>(node: &'a Node, entry: &'a Entry) -> Result<(Vec<Tag>, Vec<&'a Node>), Refusal> {
    let value = &entry.node;
    let list = || value.list().map(|nodes| nodes.iter().collect::<Vec<_>>());
    let child = || node.need("do").map(|child| vec![child]);
    let milliseconds = |node: &Node| node.number().map(|seconds| format!("{}", (seconds * 1000.0).round() as i64));
    let whole = |node: &Node, more: i64| node.read::<i64>().map(|count| (count + more).to_string());
    let one = |tag: Tag| vec![tag];
    Ok(match entry.key.as_str() {
        "sequence" => (one(Tag::new("Sequence")), list()?),
        "selector" => (one(Tag::new("Fallback")), list()?),
        "reactive_sequence" => (one(Tag::new("ReactiveSequence")), list()?),
        "reactive_selector" => (one(Tag::new("ReactiveFallback")), list()?),
        "parallel" => {
            let count = |key: &str, stock: &str| match node.find(key).map(|node| (node, &node.value)) {
                None => Ok(stock.to_owned()),
                Some((_, Value::Text(all))) if all == "all" => Ok("-1".to_owned()),
                Some((_, Value::Text(one))) if one == "one" => Ok("1".to_owned()),
                Some((node, _)) => whole(node, 0),
            };
            let tag = Tag::new("Parallel").with("success_count", count("success", "-1")?);
            (one(tag.with("failure_count", count("failure", "1")?)), list()?)
        }
        "invert" => match value.find("until_failure") {
            Some(inner) => (one(Tag::new("KeepRunningUntilFailure")), vec![inner]),
            None => (one(Tag::new("Inverter")), vec![value]),
        },
        "force_success" => (one(Tag::new("ForceSuccess")), vec![value]),
        "force_failure" => (one(Tag::new("ForceFailure")), vec![value]),
        "until_failure" => (vec![Tag::new("Inverter"), Tag::new("KeepRunningUntilFailure")], vec![value]),
        "until_success" => (one(Tag::new("RetryUntilSuccessful").with("num_attempts", "-1")), vec![value]),
        "loop" => (one(Tag::new("Repeat").with("num_cycles", "-1")), vec![value]),
        "repeat" => (one(Tag::new("Repeat").with("num_cycles", whole(value, 0)?)), child()?),
        "catch" => (one(Tag::new("RetryUntilSuccessful").with("num_attempts", whole(value, 1)?)), child()?),
        "time_limit" => (one(Tag::new("Timeout").with("msec", milliseconds(value)?)), child()?),
        "delay" => (one(Tag::new("Delay").with("delay_msec", milliseconds(value)?)), child()?),
        "run_limit" if value.value == Value::Int(1) => (one(Tag::new("RunOnce")), child()?),
        "wait" => (one(Tag::new("Sleep").with("msec", milliseconds(value)?)), Vec::new()),
        "succeed" => (one(Tag::new("AlwaysSuccess")), Vec::new()),
        "fail" => (one(Tag::new("AlwaysFailure")), Vec::new()),
        "set" => {
            let key = value.text()?.trim_start_matches('$').to_owned();
            (
                one(Tag::new("SetBlackboard").with("value", attribute(node.need("to")?)?).with("output_key", key)),
                Vec::new(),
            )
        }
        "subtree" if node.find("ports").is_none() => (one(Tag::new("SubTree").with("ID", value.text()?)), Vec::new()),
        "task" | "check" => {
            let mut tag = Tag::new(if entry.key == "task" { "Action" } else { "Condition" }).with("ID", value.text()?);
            for param in node.find("with").map_or(&[][..], Node::entries) {
                tag = tag.with(&param.key, attribute(&param.node)?);
            }
            (one(tag), Vec::new())
        }
        other => return Err(Refusal::wrong(entry.place, format!("`{other}` has no counterpart in that XML"))),
    })
}

/// A value as an attribute; a key in braces.
fn attribute(node: &Node) -> Result<String, Refusal> {
    match &node.value {
        Value::Bool(value) => Ok(value.to_string()),
        Value::Int(value) => Ok(value.to_string()),
        Value::Float(value) => Ok(format!("{value:?}")),
        Value::Text(text) => Ok(text.strip_prefix('$').map_or_else(|| text.clone(), |key| format!("{{{key}}}"))),
        _ => Err(node.expected("a plain value or a key, which is all an attribute can hold")),
    }
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            control if control.is_control() => out.push('?'),
            other => out.push(other),
        }
    }
    out
}
