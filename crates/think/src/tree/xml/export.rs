//! From a file of ours to XML.

use std::fmt::Write;

use sentir_asset::{AssetError, Entry, Node, Refusal, Value};
use sentir_core::chart::escaped;

use super::{COMPARISONS, TYPES};

/// Writes a file of ours as XML. What has no counterpart is refused, with the place.
pub fn export(bytes: &[u8], file: &str) -> Result<String, AssetError> {
    let node: Node = sentir_asset::parse(bytes, file)?;
    write_xml(&node).map_err(|refusal| AssetError::new(file, refusal))
}

fn write_xml(node: &Node) -> Result<String, Refusal> {
    sentir_asset::Header::expect(node, &[super::super::asset::FORMAT])?;
    if let Some(named) = node.find("conditions").and_then(|conditions| conditions.entries().first()) {
        let sentence = "a named condition has no counterpart in that XML: expected its test where it is used";
        return Err(Refusal::wrong(named.place, sentence));
    }
    let trees = node.need("trees")?.map()?;
    let main = trees.iter().find(|tree| tree.key == crate::brain::MAIN_TREE).or(trees.first());
    let mut out = String::from("<root BTCPP_format=\"4\"");
    if let Some(main) = main {
        let _ = write!(out, " main_tree_to_execute=\"{}\"", escaped(&main.key));
    }
    out.push_str(">\n");
    let writer = Writer { trees };
    for tree in trees {
        let root = tree.node.find("root").unwrap_or(&tree.node);
        let _ = writeln!(out, "  <BehaviorTree ID=\"{}\">", escaped(&tree.key));
        writer.write_node(root, false, 2, &mut out)?;
        out.push_str("  </BehaviorTree>\n");
    }
    write_model(trees, &mut out)?;
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

    fn write(&self, depth: usize, is_closed: bool, out: &mut String) {
        out.extend(std::iter::repeat_n("  ", depth));
        let _ = write!(out, "<{}", self.name);
        for (name, value) in &self.attributes {
            let _ = write!(out, " {name}=\"{}\"", escaped(value));
        }
        out.push_str(if is_closed { "/>\n" } else { ">\n" });
    }
}

/// The ports of all trees that have some, with their kinds: the XML has no other place for those.
fn write_model(trees: &[Entry], out: &mut String) -> Result<(), Refusal> {
    let with_ports = trees.iter().filter_map(|tree| Some((&tree.key, ports_of(&tree.node)?)));
    let mut lines = String::new();
    for (name, ports) in with_ports {
        let _ = writeln!(lines, "    <SubTree ID=\"{}\">", escaped(name));
        for port in ports {
            let kind = port.node.find("kind").unwrap_or(&port.node).text()?;
            let kind = TYPES.iter().find(|(_, ours)| *ours == kind).map_or(kind, |(theirs, _)| theirs);
            let _ = writeln!(lines, "      <inout_port name=\"{}\" type=\"{}\"/>", escaped(&port.key), escaped(kind));
        }
        lines.push_str("    </SubTree>\n");
    }
    if !lines.is_empty() {
        let _ = write!(out, "  <TreeNodesModel>\n{lines}  </TreeNodesModel>\n");
    }
    Ok(())
}

fn ports_of(tree: &Node) -> Option<&[Entry]> {
    tree.find("root")?;
    tree.find("ports").map(Node::entries).filter(|ports| !ports.is_empty())
}

struct Writer<'a> {
    trees: &'a [Entry],
}

/// What stands for a node: tags, outermost first, a line before the children, and the children.
struct Counterpart<'a> {
    tags: Vec<Tag>,
    first: Option<Tag>,
    children: Vec<&'a Node>,
    /// Whether the children are asked again in every tick.
    is_reactive: bool,
}

impl<'a> Counterpart<'a> {
    fn new(tag: Tag, children: Vec<&'a Node>) -> Self {
        Counterpart { tags: vec![tag], first: None, children, is_reactive: false }
    }

    fn leaf(tag: Tag) -> Self {
        Counterpart::new(tag, Vec::new())
    }
}

impl Writer<'_> {
    /// Writes a node; `is_observed` says that what is above asks it again in every tick.
    fn write_node(&self, node: &Node, is_observed: bool, depth: usize, out: &mut String) -> Result<(), Refusal> {
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
        let (entry, ..) = super::super::asset::kind_of(node)?;
        let Counterpart { mut tags, first, children, is_reactive } = self.counterpart(node, entry, is_observed)?;
        if let (Some(name), Some(tag)) = (node.find("name"), tags.first_mut()) {
            tag.attributes.push(("name".to_owned(), name.text()?.to_owned()));
        }
        let last = tags.len() - 1;
        let is_leaf = children.is_empty() && first.is_none();
        for (index, tag) in tags.iter().enumerate() {
            tag.write(depth + index, index == last && is_leaf, out);
        }
        if let Some(tag) = &first {
            tag.write(depth + tags.len(), true, out);
        }
        for child in &children {
            self.write_node(child, is_reactive, depth + tags.len(), out)?;
        }
        for (index, tag) in tags.iter().enumerate().rev() {
            if index != last || !is_leaf {
                out.extend(std::iter::repeat_n("  ", depth + index));
                let _ = writeln!(out, "</{}>", tag.name);
            }
        }
        Ok(())
    }

    fn counterpart<'n>(&self, node: &'n Node, entry: &'n Entry, is_observed: bool) -> Result<Counterpart<'n>, Refusal> {
        let value = &entry.node;
        Ok(match entry.key.as_str() {
            "sequence" | "selector" | "reactive_sequence" | "reactive_selector" | "parallel" => composite(node, entry)?,
            "invert" | "force_success" | "force_failure" | "until_failure" | "until_success" | "loop" | "repeat"
            | "catch" | "time_limit" | "delay" => decorator(node, entry)?,
            "when" => observer(node, entry, is_observed)?,
            // A sequence goes on where it was, so the condition is asked on the way in only, as here.
            "if" => Counterpart {
                first: Some(leaf(node, value, "Condition")?),
                ..Counterpart::new(Tag::new("Sequence"), vec![node.need("do")?])
            },
            "wait" => Counterpart::leaf(Tag::new("Sleep").with("msec", milliseconds(value)?)),
            "succeed" => Counterpart::leaf(Tag::new("AlwaysSuccess")),
            "fail" => Counterpart::leaf(Tag::new("AlwaysFailure")),
            "test" => Counterpart::leaf(script(value)?),
            "set" => {
                let key = value.text()?.trim_start_matches('$').to_owned();
                let tag = Tag::new("SetBlackboard").with("value", attribute(node.need("to")?)?);
                Counterpart::leaf(tag.with("output_key", key))
            }
            "clear" => {
                let key = value.text()?.trim_start_matches('$').to_owned();
                Counterpart::leaf(Tag::new("UnsetBlackboard").with("key", key))
            }
            "subtree" => Counterpart::leaf(self.subtree(node, value)?),
            "task" => Counterpart::leaf(leaf(node, value, "Action")?),
            "check" => Counterpart::leaf(leaf(node, value, "Condition")?),
            other => {
                let sentence =
                    format!("`{other}` has no counterpart in that XML: expected a task of the game's own for it");
                return Err(Refusal::wrong(entry.place, sentence));
            }
        })
    }

    /// A use of a subtree with all its ports. What is no port is a key outside, which there has to be said.
    fn subtree(&self, node: &Node, name: &Node) -> Result<Tag, Refusal> {
        let mut tag = Tag::new("SubTree").with("ID", name.text()?);
        let used = self.trees.iter().find(|tree| Ok(tree.key.as_str()) == name.text());
        for port in used.and_then(|tree| ports_of(&tree.node)).unwrap_or_default() {
            let given = node.find("ports").and_then(|ports| ports.find(&port.key));
            if let Some(given) = given.or(port.node.find("default")) {
                tag = tag.with(&port.key, attribute(given)?);
            }
        }
        Ok(tag.with("_autoremap", "true"))
    }
}

fn composite<'n>(node: &'n Node, entry: &'n Entry) -> Result<Counterpart<'n>, Refusal> {
    let children: Vec<&Node> = entry.node.list()?.iter().collect();
    Ok(match entry.key.as_str() {
        "sequence" => Counterpart::new(Tag::new("Sequence"), children),
        "selector" if !children.iter().any(|child| observes(child)) => Counterpart::new(Tag::new("Fallback"), children),
        "selector" => {
            // There all of them are asked in every tick, so what is no observer would be done again and again.
            let plain = children[..children.len() - 1].iter().find(|child| !observes(child));
            if let Some(plain) = plain {
                let sentence = "stands beside branches with `aborts: lower` or `both`, which that XML can say only if every branch but the last is such a `when`: expected a `when` around it";
                return Err(Refusal::wrong(plain.place, sentence));
            }
            Counterpart { is_reactive: true, ..Counterpart::new(Tag::new("ReactiveFallback"), children) }
        }
        "reactive_sequence" => Counterpart::new(Tag::new("ReactiveSequence"), children),
        "reactive_selector" => {
            Counterpart { is_reactive: true, ..Counterpart::new(Tag::new("ReactiveFallback"), children) }
        }
        _ => {
            let count = |key: &str, stock: &str| match node.find(key).map(|node| (node, &node.value)) {
                None => Ok(stock.to_owned()),
                Some((_, Value::Text(all))) if all == "all" => Ok("-1".to_owned()),
                Some((_, Value::Text(one))) if one == "one" => Ok("1".to_owned()),
                Some((node, _)) => whole(node, 0),
            };
            let tag = Tag::new("Parallel").with("success_count", count("success", "-1")?);
            Counterpart::new(tag.with("failure_count", count("failure", "1")?), children)
        }
    })
}

fn decorator<'n>(node: &'n Node, entry: &'n Entry) -> Result<Counterpart<'n>, Refusal> {
    let value = &entry.node;
    let over = |tag: Tag| node.need("do").map(|child| Counterpart::new(tag, vec![child]));
    Ok(match entry.key.as_str() {
        "invert" => match value.find("until_failure") {
            Some(inner) => Counterpart::new(Tag::new("KeepRunningUntilFailure"), vec![inner]),
            None => Counterpart::new(Tag::new("Inverter"), vec![value]),
        },
        "force_success" => Counterpart::new(Tag::new("ForceSuccess"), vec![value]),
        "force_failure" => Counterpart::new(Tag::new("ForceFailure"), vec![value]),
        "until_failure" => {
            let tags = vec![Tag::new("Inverter"), Tag::new("KeepRunningUntilFailure")];
            Counterpart { tags, ..Counterpart::new(Tag::new(""), vec![value]) }
        }
        "until_success" => Counterpart::new(Tag::new("RetryUntilSuccessful").with("num_attempts", "-1"), vec![value]),
        "loop" => Counterpart::new(Tag::new("Repeat").with("num_cycles", "-1"), vec![value]),
        "repeat" => over(Tag::new("Repeat").with("num_cycles", whole(value, 0)?))?,
        "catch" => over(Tag::new("RetryUntilSuccessful").with("num_attempts", whole(value, 1)?))?,
        "time_limit" => over(Tag::new("Timeout").with("msec", milliseconds(value)?))?,
        _ => over(Tag::new("Delay").with("delay_msec", milliseconds(value)?))?,
    })
}

/// Whether a branch may end what runs to its right.
fn observes(node: &Node) -> bool {
    let aborts = node.find("aborts").and_then(|aborts| aborts.text().ok());
    node.find("when").is_some() && matches!(aborts, Some("lower" | "both"))
}

/// A branch under a test: asked on the way in only, or in every tick if it may end itself.
fn observer<'n>(node: &'n Node, entry: &'n Entry, is_observed: bool) -> Result<Counterpart<'n>, Refusal> {
    if observes(node) && !is_observed {
        let sentence = "ends lower branches, which that XML can say only directly under a selector: expected it there, or another `aborts`";
        return Err(Refusal::wrong(entry.place, sentence));
    }
    let ends_itself = matches!(node.find("aborts").map(Node::text).transpose()?, Some("self" | "both"));
    let tag = Tag::new(if ends_itself { "ReactiveSequence" } else { "Sequence" });
    Ok(Counterpart { first: Some(script(&entry.node)?), ..Counterpart::new(tag, vec![node.need("do")?]) })
}

/// A test as a script.
fn script(test: &Node) -> Result<Tag, Refusal> {
    if let Some(flag) = test.text().ok().and_then(|text| text.strip_prefix('$')) {
        return Ok(Tag::new("ScriptCondition").with("code", format!("{flag} == true")));
    }
    let compared = test.find("key").zip(test.entries().iter().find(|entry| COMPARISONS.contains(&entry.key.as_str())));
    let Some((key, how)) = compared else {
        let sentence = "a test that is no single comparison has no counterpart in that XML: expected a condition of the game's own";
        return Err(Refusal::wrong(test.place, sentence));
    };
    let with = match &how.node.value {
        Value::Text(text) => text.strip_prefix('$').map_or_else(|| format!("'{text}'"), str::to_owned),
        _ => attribute(&how.node)?,
    };
    let code = format!("{} {} {with}", key.text()?.trim_start_matches('$'), how.key);
    Ok(Tag::new("ScriptCondition").with("code", code))
}

/// A leaf of the game's own.
fn leaf(node: &Node, name: &Node, tag: &str) -> Result<Tag, Refusal> {
    let mut tag = Tag::new(tag).with("ID", name.text()?);
    for param in node.find("with").map_or(&[][..], Node::entries) {
        tag = tag.with(&param.key, attribute(&param.node)?);
    }
    Ok(tag)
}

fn milliseconds(node: &Node) -> Result<String, Refusal> {
    node.number().map(|seconds| format!("{}", (seconds * 1000.0).round() as i64))
}

fn whole(node: &Node, more: i64) -> Result<String, Refusal> {
    node.read::<i64>().map(|count| (count + more).to_string())
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
