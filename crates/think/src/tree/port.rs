//! Ports of subtrees: what is put into them where they are used.

use sentir_asset::{Entry, FilePosition, Node, Refusal, Value as Asset};

use crate::file::{Ports, read_bind, resolve};
use crate::key::{AnyBind, Keys};
use crate::value::Kind;

/// A port as it is declared.
#[derive(Clone, Debug)]
pub(super) struct Port {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) default: Option<Node>,
}

/// Reads the declarations of ports: `name: kind`, or `name: {kind: …, default: …}`.
pub(super) fn read_ports(node: &Node) -> Result<Vec<Port>, Refusal> {
    let kind_of = |node: &Node| {
        let name = node.text()?;
        let found = Kind::NAMES.iter().find(|(one, _)| *one == name).map(|(_, kind)| *kind);
        found.ok_or_else(|| Refusal::unknown(node.place, "kind of port", name, Kind::NAMES.map(|(name, _)| name)))
    };
    let read = |entry: &Entry| {
        let name = entry.key.clone();
        if let Asset::Text(_) = entry.node.value {
            return Ok(Port { name, kind: kind_of(&entry.node)?, default: None });
        }
        entry.node.allow(&["kind", "default"])?;
        let kind = kind_of(entry.node.need("kind")?)?;
        let default = entry.node.find("default").cloned();
        if let Some(node) = &default {
            read_bind(node, kind)?;
        }
        Ok(Port { name, kind, default })
    };
    node.map()?.iter().map(read).collect()
}

/// Something of that kind, or a key that holds it, for checking a subtree on its own.
pub(super) fn stand_in(kind: Kind, is_key: bool) -> Node {
    if is_key {
        return Node::new(Asset::Text(format!("$0 1 {kind}")));
    }
    let number = || Node::new(Asset::Int(0));
    Node::new(match kind {
        Kind::Bool => Asset::Bool(false),
        Kind::Int | Kind::Long | Kind::Tick => Asset::Int(0),
        Kind::Float => Asset::Int(0),
        Kind::FilePosition => Asset::List(vec![number(), number(), number()]),
        Kind::Symbol => Asset::Text("any".to_owned()),
        Kind::Agent => Asset::Text("$0 1 agent".to_owned()),
    })
}

/// What the ports of a subtree stand for where it is used.
pub(super) fn bind_ports(
    ports: &[Port],
    name: &str,
    place: FilePosition,
    given: &Node,
    keys: &Keys,
    outer: &Ports,
) -> Result<Ports, Refusal> {
    if given.value != Asset::Null {
        let known: Vec<&str> = ports.iter().map(|port| port.name.as_str()).collect();
        for entry in given.map()? {
            if !known.contains(&entry.key.as_str()) {
                return Err(Refusal::unknown(entry.place, "port", &entry.key, known));
            }
        }
    }
    let mut bound = Ports::new();
    for port in ports {
        let node = match (given.find(&port.name), &port.default) {
            (Some(node), _) => {
                let resolved = resolve(node, keys, outer)?;
                let _checked: AnyBind = read_bind(&resolved, port.kind)?;
                resolved
            }
            (None, Some(default)) => default.clone(),
            (None, None) => {
                let sentence = format!(
                    "the port `{}` of `{name}` is not given: expected `ports: {{{}: …}}`",
                    port.name, port.name
                );
                return Err(Refusal::wrong(place, sentence));
            }
        };
        bound.insert(port.name.clone(), node);
    }
    Ok(bound)
}
