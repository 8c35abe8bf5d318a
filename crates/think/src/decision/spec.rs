//! A decision tree as it is written.

use std::collections::BTreeMap;

use sentir_asset::{Entry, FilePosition, Node, Refusal, Value};

use crate::align::content_of;
use crate::clause::{Clause, with};
use crate::leaf::{Host, TaskLeaf};
use crate::open::id_in;
use crate::registry::Leaves;
use crate::span::Span;

/// Most nodes of a tree, with every used part counted where it is used.
pub const NODES_MAX: usize = 1024;

/// A node of a tree.
#[derive(Clone, Debug)]
pub enum NodeSpec<H: Host> {
    /// A question.
    Branch(Box<BranchSpec<H>>),
    /// Something to do.
    Act {
        /// Its name.
        name: String,
        /// What is done.
        task: TaskLeaf<H>,
        /// The authored id, if any.
        id: Option<String>,
        /// Stands for what its file says of it; 0 when made by code. After an edit it tells which is which.
        content: u64,
    },
}

/// A question and what follows from its answers.
#[derive(Clone, Debug)]
pub struct BranchSpec<H: Host> {
    /// Its name.
    pub name: String,
    /// The question.
    pub when: Clause<H>,
    /// The question while the answer is yes, if it is another one.
    pub keep: Option<Clause<H>>,
    /// How long a yes stays one at least.
    pub hold: Option<Span>,
    /// After a yes.
    pub yes: NodeSpec<H>,
    /// After a no.
    pub no: NodeSpec<H>,
    /// The authored id, if any.
    pub id: Option<String>,
    /// Where its no stands in the file; unknown when made by code.
    pub place: FilePosition,
    /// Stands for what its file asks; 0 when made by code. After an edit it tells which question is which.
    pub content: u64,
}

impl<H: Host> NodeSpec<H> {
    /// Something to do, made by code.
    pub fn act(name: &str, task: TaskLeaf<H>) -> NodeSpec<H> {
        NodeSpec::Act { name: name.to_owned(), task, id: None, content: 0 }
    }

    /// The authored id, if any.
    pub(super) fn id(&self) -> Option<&str> {
        match self {
            NodeSpec::Branch(branch) => branch.id.as_deref(),
            NodeSpec::Act { id, .. } => id.as_deref(),
        }
    }

    /// A question made by code.
    pub fn branch(name: &str, when: Clause<H>, yes: NodeSpec<H>, no: NodeSpec<H>) -> NodeSpec<H> {
        let (name, place) = (name.to_owned(), FilePosition::default());
        let (keep, hold, id, content) = (None, None, None, 0);
        NodeSpec::Branch(Box::new(BranchSpec { name, when, keep, hold, yes, no, id, place, content }))
    }
}

/// A decision tree as it is written.
#[derive(Clone, Debug)]
pub struct DecisionSpec<H: Host> {
    /// The first node.
    pub root: NodeSpec<H>,
    /// How long it takes to turn to something else.
    pub delay: Span,
}

pub(super) fn read<H: Host>(node: &Node, leaves: &Leaves<H>) -> Result<DecisionSpec<H>, Refusal> {
    node.allow(&["sentir", "keys", "delay", "root", "parts"])?;
    let parts = match node.find("parts") {
        None => &[],
        Some(parts) => parts.map()?,
    };
    let mut reader = Reader {
        leaves,
        parts: parts.iter().map(|entry| (entry.key.as_str(), &entry.node)).collect(),
        open: Vec::new(),
        used: Vec::new(),
        nodes: 0,
    };
    let root = reader.node(node.need("root")?)?;
    let unused = |entry: &&Entry| !reader.used.contains(&entry.key.as_str());
    if let Some(entry) = parts.iter().find(unused) {
        return Err(Refusal::wrong(entry.place, format!("`{}` is out of reach: nothing uses this part", entry.key)));
    }
    Ok(DecisionSpec { root, delay: node.find("delay").map_or(Ok(Span::default()), Node::read)? })
}

struct Reader<'a, H: Host> {
    leaves: &'a Leaves<H>,
    parts: BTreeMap<&'a str, &'a Node>,
    /// The parts that are being put in.
    open: Vec<&'a str>,
    used: Vec<&'a str>,
    nodes: usize,
}

impl<'a, H: Host> Reader<'a, H> {
    fn node(&mut self, node: &'a Node) -> Result<NodeSpec<H>, Refusal> {
        self.nodes += 1;
        if self.nodes > NODES_MAX {
            let sentence = format!("more than {NODES_MAX} nodes, with every used part counted, are too many");
            return Err(Refusal::wrong(node.place, sentence));
        }
        if let Some(part) = node.find("use") {
            node.allow(&["use"])?;
            return self.part(part);
        }
        if let Some(task) = node.find("do") {
            node.allow(&["do", "with", "name", "id"])?;
            let leaf = self.leaves.bind_task(task, &with(node))?;
            let name = node.find("name").unwrap_or(task).text()?.to_owned();
            return Ok(NodeSpec::Act { name, task: leaf, id: id_in(node)?, content: content_of(node) });
        }
        if node.find("if").is_none()
            && let Some(first) = node.map()?.first()
        {
            return Err(Refusal::unknown(first.place, "decision", &first.key, ["if", "do", "use"]));
        }
        node.allow(&["if", "keep", "hold", "then", "else", "name", "id"])?;
        let when = Clause::read(node.need("if")?, self.leaves)?;
        let no = node.need("else")?;
        if when.is_always() {
            return Err(Refusal::wrong(
                no.place,
                "this is out of reach: the question before it is always answered yes",
            ));
        }
        Ok(NodeSpec::Branch(Box::new(BranchSpec {
            name: node.find("name").map_or(Ok(String::new()), |name| name.text().map(str::to_owned))?,
            when,
            keep: node.find("keep").map(|keep| Clause::read(keep, self.leaves)).transpose()?,
            hold: node.find("hold").map(Node::read).transpose()?,
            yes: self.node(node.need("then")?)?,
            no: self.node(no)?,
            id: id_in(node)?,
            place: no.place,
            content: asked(node),
        })))
    }

    fn part(&mut self, name: &'a Node) -> Result<NodeSpec<H>, Refusal> {
        let text = name.text()?;
        let Some((&text, &node)) = self.parts.get_key_value(text) else {
            return Err(Refusal::unknown(name.place, "part", text, self.parts.keys().copied()));
        };
        if self.open.contains(&text) {
            return Err(Refusal::wrong(name.place, format!("the part `{text}` uses itself: expected no cycle")));
        }
        self.open.push(text);
        self.used.push(text);
        let read = self.node(node);
        self.open.pop();
        read
    }
}

/// Stands for a question without what follows from its answers.
fn asked(node: &Node) -> u64 {
    let asked = |entry: &&Entry| !matches!(entry.key.as_str(), "then" | "else");
    let entries = node.entries().iter().filter(asked).cloned().collect();
    content_of(&Node { place: node.place, value: Value::Map(entries) })
}
