//! Opening a file of a brain: header, keys, names resolved.

use std::collections::BTreeMap;

use sentir_asset::{AssetError, FilePosition, Header, Node, Problem, Refusal, Value};

use crate::file::{Ports, resolve, with_keys};
use crate::key::Keys;
use crate::node::NodeId;

/// A file of a brain.
pub(crate) struct BrainFile<'a> {
    pub(crate) bytes: &'a [u8],
    /// Its name.
    pub(crate) file: &'a str,
    /// The kind and version that it must have.
    pub(crate) format: (&'a str, u32),
    /// The game's keys.
    pub(crate) keys: &'a Keys,
}

/// Reads a file of one kind: the keys it adds to the game's are declared under `keys`; every `$name` is resolved. Then
/// `read` makes something of the file.
#[cfg(feature = "files")]
pub(crate) fn open<T>(
    source: &BrainFile<'_>,
    read: impl FnOnce(&Node, Keys) -> Result<T, Refusal>,
) -> Result<T, AssetError> {
    let &BrainFile { bytes, file, format, keys } = source;
    let node: Node = sentir_asset::parse(bytes, file)?;
    let opened = || {
        Header::expect(&node, &[format])?;
        let keys = node.find("keys").map_or_else(|| Ok(keys.clone()), |declared| with_keys(keys, declared))?;
        let resolved = resolve(&node, &keys, &Ports::new())?;
        read(&resolved, keys)
    };
    opened().map_err(|refusal| AssetError::new(file, refusal))
}

/// Ids of the named parts of a brain: `id` if there is one, else from kind and name.
pub(crate) fn id_of(root: NodeId, kind: &str, name: &str, id: Option<&str>) -> NodeId {
    id.map_or_else(|| NodeId::derived(root, kind, name, 0), |id| NodeId::authored(root, id))
}

/// The authored ids of a brain so far: each must be there once.
#[derive(Debug, Default)]
pub(crate) struct Ids {
    known: BTreeMap<String, (String, FilePosition)>,
}

impl Ids {
    /// Adds the id of a part, if it has one; refused when another part has it.
    pub(crate) fn add(&mut self, id: Option<&str>, name: &str, place: FilePosition) -> Result<(), Refusal> {
        let Some(id) = id else { return Ok(()) };
        let Some((first, at)) = self.known.get(id) else {
            self.known.insert(id.to_owned(), (name.to_owned(), place));
            return Ok(());
        };
        // What is made by code stands nowhere.
        let at = if *at == FilePosition::default() { String::new() } else { format!(" at {}:{}", at.line, at.column) };
        let sentence = format!("`{name}` has the id `{id}`, as `{first}`{at} has: expected every id once");
        Err(Refusal::wrong(place, sentence))
    }
}

/// The name of a part, which must be there.
pub(crate) fn name_of(node: &Node) -> Result<String, Refusal> {
    node.need("name")?.text().map(str::to_owned)
}

/// The authored id of a part, if it has one.
pub(crate) fn id_in(node: &Node) -> Result<Option<String>, Refusal> {
    node.find("id").map(|id| id.text().map(str::to_owned)).transpose()
}

/// A whole number at a key, held to a range, or what it is otherwise.
pub(crate) fn count_in(node: &Node, key: &str, otherwise: u32, most: u32) -> Result<u32, Refusal> {
    let Some(node) = node.find(key) else { return Ok(otherwise) };
    match node.value {
        Value::Int(number) if (1..=i64::from(most)).contains(&number) => Ok(number as u32),
        _ => {
            Err(Refusal::wrong(node.place, format!("found {}: expected a whole number from 1 to {most}", shown(node))))
        }
    }
}

fn shown(node: &Node) -> String {
    match &node.value {
        Value::Int(number) => number.to_string(),
        other => other.kind().to_owned(),
    }
}

/// Refuses a list in which a name repeats.
pub(crate) fn refuse_twice<'a>(
    what: &'static str,
    names: impl Iterator<Item = (&'a str, FilePosition)>,
) -> Result<(), Refusal> {
    let mut seen = std::collections::BTreeSet::new();
    for (name, place) in names {
        if !seen.insert(name) {
            return Err(Refusal::new(place, Problem::Twice { what, name: name.to_owned() }));
        }
    }
    Ok(())
}
