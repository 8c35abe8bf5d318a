//! A file as a tree of values, each with its place.

use std::marker::PhantomData;

use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use crate::error::{FilePosition, Problem, Refusal};
use crate::placed::Placed;

/// A value of a file and where it stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Node {
    /// Where it begins.
    pub place: FilePosition,
    /// What it is.
    pub value: Value,
}

/// What a node is.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Value {
    /// Nothing: `null`, `~` or an empty place.
    #[default]
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number with a fraction or an exponent; from a file always finite.
    Float(f64),
    /// Text, plain or quoted.
    Text(String),
    /// Several values.
    List(Vec<Node>),
    /// Keys with values, in the order of the file; every key once.
    Map(Vec<Entry>),
}

/// A key and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// Where the key stands.
    pub place: FilePosition,
    /// Its value.
    pub node: Node,
}

impl Node {
    /// A value made by code, at no place.
    pub fn new(value: Value) -> Node {
        Node { place: FilePosition::default(), value }
    }

    /// The value of a key; none when there is no such key, or when this has no keys.
    pub fn find(&self, key: &str) -> Option<&Node> {
        self.entries().iter().find(|entry| entry.key == key).map(|entry| &entry.node)
    }

    /// The value of a key that must be there.
    pub fn need(&self, key: &str) -> Result<&Node, Refusal> {
        let Value::Map(_) = self.value else { return Err(self.expected("keys with values")) };
        self.find(key).ok_or_else(|| Refusal::new(self.place, Problem::Missing(key.to_owned())))
    }

    /// The keys with their values; none when this has no keys.
    pub fn entries(&self) -> &[Entry] {
        match &self.value {
            Value::Map(entries) => entries,
            _ => &[],
        }
    }

    /// The keys with their values, when this is a map.
    pub fn map(&self) -> Result<&[Entry], Refusal> {
        match &self.value {
            Value::Map(entries) => Ok(entries),
            _ => Err(self.expected("keys with values")),
        }
    }

    /// The values, when this is a list.
    pub fn list(&self) -> Result<&[Node], Refusal> {
        match &self.value {
            Value::List(nodes) => Ok(nodes),
            _ => Err(self.expected("a list")),
        }
    }

    /// The text, when this is text.
    pub fn text(&self) -> Result<&str, Refusal> {
        match &self.value {
            Value::Text(text) => Ok(text),
            _ => Err(self.expected("text")),
        }
    }

    /// The number, when this is a finite number.
    pub fn number(&self) -> Result<f64, Refusal> {
        match self.value {
            Value::Int(number) => Ok(number as f64),
            Value::Float(number) if number.is_finite() => Ok(number),
            _ => Err(self.expected("a number")),
        }
    }

    /// Refuses the first key that is not among `known`.
    pub fn allow(&self, known: &[&str]) -> Result<(), Refusal> {
        for entry in self.map()? {
            if !known.contains(&entry.key.as_str()) {
                return Err(Refusal::unknown(entry.place, "key", &entry.key, known.iter().copied()));
            }
        }
        Ok(())
    }

    /// Makes a typed value of this part of the file.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, Refusal> {
        crate::typed::read(self)
    }

    /// That something else was expected here.
    pub fn expected(&self, what: &str) -> Refusal {
        Refusal::wrong(self.place, format!("found {}: expected {what}", self.value.kind()))
    }
}

impl Value {
    /// What this is, in words for a message.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Null => "nothing",
            Value::Bool(_) => "`true` or `false`",
            Value::Int(_) => "a whole number",
            Value::Float(_) => "a number",
            Value::Text(_) => "text",
            Value::List(_) => "a list",
            Value::Map(_) => "keys with values",
        }
    }
}

impl<'de> Deserialize<'de> for Node {
    /// A copy of what our own reader reads.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Placed { value: Content(value, _), place } =
            Placed::<Content<Node, Placed<String>>>::deserialize(deserializer)?;
        Ok(Node { place, value })
    }
}

/// A node as the reader of YAML gives it.
#[cfg(feature = "yaml")]
pub(crate) struct RawNode(pub(crate) Node);

#[cfg(feature = "yaml")]
impl From<RawNode> for Node {
    fn from(RawNode(node): RawNode) -> Node {
        node
    }
}

#[cfg(feature = "yaml")]
impl<'de> Deserialize<'de> for RawNode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Spot(Placed { value: Content(value, _), place }) =
            Spot::<Content<RawNode, Spot<String>>>::deserialize(deserializer)?;
        Ok(RawNode(Node { place, value }))
    }
}

/// A value with its place as the reader of YAML knows it.
#[cfg(feature = "yaml")]
struct Spot<T>(Placed<T>);

#[cfg(feature = "yaml")]
impl From<Spot<String>> for Placed<String> {
    fn from(Spot(placed): Spot<String>) -> Placed<String> {
        placed
    }
}

#[cfg(feature = "yaml")]
impl<'de, T: Deserialize<'de>> Deserialize<'de> for Spot<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = serde_saphyr::Spanned::<T>::deserialize(deserializer)?;
        let place = FilePosition::new(spanned.referenced.line(), spanned.referenced.column());
        Ok(Spot(Placed { value: spanned.value, place }))
    }
}

/// A value whose parts are read as `N` and whose keys as `K`: readers give places in ways of their own.
struct Content<N, K>(Value, PhantomData<(N, K)>);

impl<'de, N, K> Deserialize<'de> for Content<N, K>
where
    N: Deserialize<'de> + Into<Node>,
    K: Deserialize<'de> + Into<Placed<String>>,
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ContentVisitor::<N, K>(PhantomData)).map(|value| Content(value, PhantomData))
    }
}

struct ContentVisitor<N, K>(PhantomData<(N, K)>);

impl<'de, N, K> Visitor<'de> for ContentVisitor<N, K>
where
    N: Deserialize<'de> + Into<Node>,
    K: Deserialize<'de> + Into<Placed<String>>,
{
    type Value = Value;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        Content::<N, K>::deserialize(deserializer).map(|Content(value, _)| value)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Int(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(i64::try_from(value).map_or(Value::Float(value as f64), Value::Int))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Float(value))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Value, E> {
        Ok(Value::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut nodes = Vec::new();
        while let Some(node) = list.next_element::<N>()? {
            nodes.push(node.into());
        }
        Ok(Value::List(nodes))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(key) = map.next_key::<K>()? {
            let Placed { value: key, place } = key.into();
            entries.push(Entry { key, place, node: map.next_value::<N>()?.into() });
        }
        Ok(Value::Map(entries))
    }
}
