//! Keys: the names of facts, which exist once, in a table. At run time a key is a small number.
//!
//! A key belongs to a scope: an agent's own, its team's, the world's. A key that *falls through* is looked for further up
//! when its own board has no value for it.
//!
//! ```
//! use sentir_think::key::{KeySpec, Keys, Scope};
//!
//! let keys = Keys::build([
//!     KeySpec::new::<f32>("health", Scope::Own),
//!     KeySpec::new::<bool>("alarm", Scope::Team),
//! ])
//! .unwrap();
//! let health = keys.key::<f32>("health").unwrap();
//! assert_eq!(keys.name(health.any()), "health");
//! assert_eq!(
//!     keys.key::<f32>("helth").unwrap_err().to_string(),
//!     "unknown blackboard key `helth` (did you mean `health`?)"
//! );
//! assert!(keys.key::<bool>("health").is_err());
//! ```

use std::collections::BTreeMap;
use std::marker::PhantomData;

use sentir_core::State;
use serde::de::{Deserialize, Deserializer, Error as _, SeqAccess, Visitor};
use thiserror::Error;

use crate::board::Board;
use crate::value::{Fact, Kind, Literal, Value};

/// Most keys of a table.
pub const KEYS_MAX: usize = 256;

/// Whose board a key is on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State)]
pub enum Scope {
    /// The agent's own.
    #[default]
    Own,
    /// The team's.
    Team,
    /// The world's.
    World,
}

/// One key as it is declared.
#[derive(Clone, Debug, PartialEq)]
pub struct KeySpec {
    /// Its name: lower-case letters, digits and underscores, a letter first.
    pub name: String,
    /// What it holds.
    pub kind: Kind,
    /// Whose it is.
    pub scope: Scope,
    /// Whether a missing value is looked for in the wider scopes.
    pub falls_through: bool,
}

impl KeySpec {
    /// A key that is looked for in its own scope only.
    pub fn new<T: Fact>(name: &str, scope: Scope) -> KeySpec {
        KeySpec { name: name.to_owned(), kind: T::KIND, scope, falls_through: false }
    }

    /// A key that falls through to the wider scopes.
    pub fn falling<T: Fact>(name: &str, scope: Scope) -> KeySpec {
        KeySpec { falls_through: true, ..KeySpec::new::<T>(name, scope) }
    }
}

/// Why a table of keys, or a look-up in it, is refused.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum KeyError {
    /// No such key.
    #[error("unknown blackboard key `{name}`{}", .nearest.as_ref().map(|one| format!(" (did you mean `{one}`?)")).unwrap_or_default())]
    Unknown {
        /// The name.
        name: String,
        /// The nearest that exists.
        nearest: Option<String>,
    },
    /// The key holds something else.
    #[error("the blackboard key `{name}` holds a {found}: expected a key of kind {wanted}")]
    OtherKind {
        /// The key.
        name: String,
        /// What it holds.
        found: Kind,
        /// What was asked for.
        wanted: Kind,
    },
    /// Two of one name.
    #[error("two blackboard keys are called `{0}`: expected every name once")]
    Twice(String),
    /// A name that files cannot write.
    #[error("`{0}` cannot be the name of a key: expected lower-case letters, digits and underscores, a letter first")]
    BadName(String),
    /// More than the limit.
    #[error("{0} blackboard keys are too many: expected at most {KEYS_MAX}")]
    TooMany(usize),
}

/// Where to look for a fact, in which order: bits for the own, the team's and the world's board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Route(pub(crate) u8);

impl Route {
    pub(crate) const OWN: u8 = 1;
    pub(crate) const TEAM: u8 = 2;
    pub(crate) const WORLD: u8 = 4;

    fn new(scope: Scope, falls_through: bool) -> Route {
        Route(match (scope, falls_through) {
            (Scope::Own, false) => Route::OWN,
            (Scope::Own, true) => Route::OWN | Route::TEAM | Route::WORLD,
            (Scope::Team, false) => Route::TEAM,
            (Scope::Team, true) => Route::TEAM | Route::WORLD,
            (Scope::World, _) => Route::WORLD,
        })
    }
}

/// A key whose kind is known at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnyKey {
    pub(crate) index: u8,
    pub(crate) route: Route,
    pub(crate) kind: Kind,
}

impl AnyKey {
    /// Its place in the table.
    pub fn index(self) -> usize {
        self.index.into()
    }

    /// What it holds.
    pub fn kind(self) -> Kind {
        self.kind
    }

    /// The typed key, if it holds that type.
    pub fn typed<T: Fact>(self) -> Option<Key<T>> {
        (self.kind == T::KIND).then_some(Key { any: self, of: PhantomData })
    }

    /// The key as the loader of files hands it to parameters, and back by [`AnyKey::from_mark`]. Not for people.
    pub(crate) fn mark(self) -> String {
        format!("${} {} {}", self.index, self.route.0, self.kind)
    }

    pub(crate) fn from_mark(mark: &str) -> Option<AnyKey> {
        let mut parts = mark.strip_prefix('$')?.split(' ');
        let index = parts.next()?.parse().ok()?;
        let route = Route(parts.next()?.parse().ok()?);
        let name = parts.next()?;
        let kind = Kind::NAMES.iter().find(|(one, _)| *one == name)?.1;
        Some(AnyKey { index, route, kind })
    }
}

/// A key that holds a `T`. As a parameter of a leaf, files write it as `$name`.
#[derive(Debug)]
pub struct Key<T> {
    any: AnyKey,
    of: PhantomData<fn() -> T>,
}

// By hand, because a derive would ask the same of `T`.
impl<T> Clone for Key<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Key<T> {}
impl<T> PartialEq for Key<T> {
    fn eq(&self, other: &Self) -> bool {
        self.any == other.any
    }
}

impl<T: Fact> Key<T> {
    /// The key without its type.
    pub fn any(self) -> AnyKey {
        self.any
    }
}

impl<'de, T: Fact> Deserialize<'de> for Key<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Bind::<T>::deserialize(deserializer)? {
            Bind::Key(key) => Ok(key),
            Bind::Literal(_) => Err(D::Error::custom("found a value: expected a blackboard key, as in $name")),
        }
    }
}

/// A parameter that is either written out or read from a key: in files a value, or `$name`.
#[derive(Debug)]
pub enum Bind<T> {
    /// Written out.
    Literal(T),
    /// Read from a key when it is needed.
    Key(Key<T>),
}

impl<T: Copy> Clone for Bind<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T: Copy> Copy for Bind<T> {}
impl<T: PartialEq> PartialEq for Bind<T> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Bind::Literal(a), Bind::Literal(b)) => a == b,
            (Bind::Key(a), Bind::Key(b)) => a == b,
            _ => false,
        }
    }
}

impl<T: Fact> Bind<T> {
    /// What it stands for now; none when its key has no value.
    #[inline]
    pub fn read(&self, board: &Board<'_>) -> Option<T> {
        match self {
            Bind::Literal(value) => Some(*value),
            Bind::Key(key) => board.read(*key),
        }
    }

    /// The same without its type.
    pub fn any(&self) -> AnyBind {
        match self {
            Bind::Literal(value) => AnyBind::Literal(value.to_value()),
            Bind::Key(key) => AnyBind::Key(key.any),
        }
    }
}

impl<T> From<T> for Bind<T> {
    fn from(value: T) -> Self {
        Bind::Literal(value)
    }
}

impl<'de, T: Fact> Deserialize<'de> for Bind<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let wanted = |what: &str| D::Error::custom(format!("found {what}: expected {}", expected(T::KIND)));
        let literal = deserializer.deserialize_any(LiteralVisitor)?;
        if let Literal::Text(text) = &literal
            && text.starts_with('$')
        {
            let key = AnyKey::from_mark(text).ok_or_else(|| wanted("the name of a key where none is read"))?;
            let other = || wanted(&format!("a key of kind {}", key.kind));
            return key.typed().map(Bind::Key).ok_or_else(other);
        }
        let value = literal.value(T::KIND).and_then(T::from_value);
        value.map(Bind::Literal).ok_or_else(|| wanted(&shown(&literal)))
    }
}

fn shown(literal: &Literal) -> String {
    match literal {
        Literal::Bool(value) => format!("`{value}`"),
        Literal::Int(value) => format!("`{value}`"),
        Literal::Float(value) => format!("`{value}`"),
        Literal::Text(text) => format!("the text `{}`", sentir_asset::shortened(text)),
        Literal::Numbers(list) => format!("a list of {}", list.len()),
    }
}

/// What a file may write for a value of that kind.
pub(crate) fn expected(kind: Kind) -> String {
    let literal = match kind {
        Kind::Bool => "`true` or `false`",
        Kind::Int | Kind::Long => "a whole number",
        Kind::Float => "a number",
        Kind::FilePosition => "a place as in [1, 0, 2]",
        Kind::Tick => "a tick count",
        Kind::Symbol => "a word",
        Kind::Agent => return "a key of kind agent, as in $name".to_owned(),
    };
    format!("{literal}, or a key of kind {kind}, as in $name")
}

impl<'de> Deserialize<'de> for Literal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(LiteralVisitor)
    }
}

struct LiteralVisitor;

impl<'de> Visitor<'de> for LiteralVisitor {
    type Value = Literal;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a plain value or a blackboard key, as in $name")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Literal, E> {
        Ok(Literal::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Literal, E> {
        Ok(Literal::Int(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Literal, E> {
        Ok(i64::try_from(value).map_or(Literal::Float(value as f64), Literal::Int))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Literal, E> {
        Ok(Literal::Float(value))
    }

    fn visit_str<E>(self, text: &str) -> Result<Literal, E> {
        Ok(Literal::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Literal, A::Error> {
        let mut numbers = Vec::new();
        while let Some(number) = list.next_element::<f64>()? {
            numbers.push(number);
        }
        Ok(Literal::Numbers(numbers))
    }
}

#[cfg(feature = "schema")]
macro_rules! schema {
    ($($type:ident $what:literal),*) => {$(
        impl<T: Fact> schemars::JsonSchema for $type<T> {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                format!(concat!($what, "_{}"), T::KIND).into()
            }
            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let key = serde_json::json!({"type": "string", "pattern": "^\\$[a-z][a-z0-9_]*$"});
                let literal = match T::KIND {
                    Kind::Bool => serde_json::json!({"type": "boolean"}),
                    Kind::Int | Kind::Long | Kind::Tick => serde_json::json!({"type": "integer"}),
                    Kind::Float => serde_json::json!({"type": "number"}),
                    Kind::Symbol => serde_json::json!({"type": "string"}),
                    Kind::FilePosition => {
                        serde_json::json!({"type": "array", "items": {"type": "number"}, "minItems": 3, "maxItems": 3})
                    }
                    Kind::Agent => key.clone(),
                };
                let description = format!("{}", expected(T::KIND));
                let either = match $what {
                    "key" => serde_json::json!({"description": description, "anyOf": [key]}),
                    _ => serde_json::json!({"description": description, "anyOf": [literal, key]}),
                };
                schemars::Schema::try_from(either).unwrap_or_default()
            }
        }
    )*};
}

#[cfg(feature = "schema")]
schema!(Key "key", Bind "value_or_key");

/// A value or a key, of a kind known at run time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AnyBind {
    /// Written out.
    Literal(Value),
    /// Read from a key.
    Key(AnyKey),
}

impl AnyBind {
    /// What it stands for now.
    #[inline]
    pub fn read(self, board: &Board<'_>) -> Option<Value> {
        match self {
            AnyBind::Literal(value) => Some(value),
            AnyBind::Key(key) => board.value(key),
        }
    }
}

/// A set of keys, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, State)]
pub struct KeySet {
    pub(crate) words: [u64; KEYS_MAX / 64],
}

impl KeySet {
    /// No key.
    pub const EMPTY: KeySet = KeySet { words: [0; KEYS_MAX / 64] };

    /// Adds a key.
    pub fn insert(&mut self, key: AnyKey) {
        self.insert_index(key.index);
    }

    pub(crate) fn insert_index(&mut self, index: u8) {
        self.words[usize::from(index >> 6)] |= 1 << (index & 63);
    }

    /// Whether the key is in it.
    pub fn contains(&self, key: AnyKey) -> bool {
        self.contains_index(key.index)
    }

    #[inline]
    pub(crate) fn contains_index(&self, index: u8) -> bool {
        self.words[usize::from(index >> 6)] >> (index & 63) & 1 == 1
    }

    /// Adds all keys of another.
    pub fn extend(&mut self, other: &KeySet) {
        for (word, more) in self.words.iter_mut().zip(other.words) {
            *word |= more;
        }
    }

    /// Whether both have a key.
    #[inline]
    pub fn meets(&self, other: &KeySet) -> bool {
        let [a, b, c, d] = self.words;
        let [e, f, g, h] = other.words;
        (a & e) | (b & f) | (c & g) | (d & h) != 0
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// The places of its keys, ascending.
    #[cfg(test)]
    pub(crate) fn indices(&self) -> impl Iterator<Item = u8> + '_ {
        (0..=u8::MAX).filter(|&index| self.words[usize::from(index >> 6)] >> (index & 63) & 1 == 1)
    }
}

/// The table of all keys of a game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Keys {
    specs: Vec<KeySpec>,
    by_name: BTreeMap<String, u8>,
}

impl Keys {
    /// Builds the table; keys are numbered in this order.
    pub fn build(specs: impl IntoIterator<Item = KeySpec>) -> Result<Keys, KeyError> {
        let specs: Vec<KeySpec> = specs.into_iter().take(KEYS_MAX + 1).collect();
        if specs.len() > KEYS_MAX {
            return Err(KeyError::TooMany(specs.len()));
        }
        let mut by_name = BTreeMap::new();
        for (index, spec) in (0..=u8::MAX).zip(&specs) {
            let mut letters = spec.name.chars();
            let is_plain = |one: char| one.is_ascii_lowercase() || one.is_ascii_digit() || one == '_';
            if !letters.next().is_some_and(|first| first.is_ascii_lowercase()) || !letters.all(is_plain) {
                return Err(KeyError::BadName(sentir_asset::shortened(&spec.name)));
            }
            if by_name.insert(spec.name.clone(), index).is_some() {
                return Err(KeyError::Twice(spec.name.clone()));
            }
        }
        Ok(Keys { specs, by_name })
    }

    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.specs.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.specs.is_empty()
    }

    /// The declarations, in order.
    pub fn specs(&self) -> &[KeySpec] {
        &self.specs
    }

    /// The key of that name, whatever it holds.
    pub fn any(&self, name: &str) -> Result<AnyKey, KeyError> {
        let unknown = || KeyError::Unknown {
            name: sentir_asset::shortened(name),
            nearest: sentir_asset::nearest(name, self.by_name.keys().map(String::as_str)),
        };
        let index = *self.by_name.get(name).ok_or_else(unknown)?;
        let spec = &self.specs[usize::from(index)];
        Ok(AnyKey { index, route: Route::new(spec.scope, spec.falls_through), kind: spec.kind })
    }

    /// The key of that name and type.
    pub fn key<T: Fact>(&self, name: &str) -> Result<Key<T>, KeyError> {
        let any = self.any(name)?;
        any.typed().ok_or_else(|| KeyError::OtherKind { name: name.to_owned(), found: any.kind, wanted: T::KIND })
    }

    /// The name of a key; empty for a key of another table.
    pub fn name(&self, key: AnyKey) -> &str {
        self.specs.get(key.index()).map_or("", |spec| &spec.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_way_to_be_wrong_has_its_own_sentence() {
        let say = |specs: Vec<KeySpec>| Keys::build(specs).unwrap_err().to_string();
        let key = |name: &str| KeySpec::new::<bool>(name, Scope::Own);
        assert_eq!(say(vec![key("a"), key("a")]), "two blackboard keys are called `a`: expected every name once");
        assert_eq!(
            say(vec![key("Goal here")]),
            "`Goal here` cannot be the name of a key: expected lower-case letters, digits and underscores, a letter first"
        );
        let many = (0..257).map(|number| key(&format!("k{number}"))).collect();
        assert_eq!(say(many), "257 blackboard keys are too many: expected at most 256");
        let keys = Keys::build([key("alarm")]).unwrap();
        assert_eq!(
            keys.key::<f32>("alarm").unwrap_err().to_string(),
            "the blackboard key `alarm` holds a bool: expected a key of kind float"
        );
    }

    #[test]
    fn sets_hold_what_was_put_in() {
        let keys = Keys::build((0..256).map(|number| KeySpec::new::<bool>(&format!("k{number}"), Scope::Own))).unwrap();
        let key = |number: u32| keys.any(&format!("k{number}")).unwrap();
        let (mut some, mut others) = (KeySet::default(), KeySet::default());
        for number in [0, 63, 64, 255] {
            some.insert(key(number));
        }
        others.insert(key(65));
        assert!(some.contains(key(255)) && !some.contains(key(1)) && !some.meets(&others));
        others.extend(&some);
        assert!(some.meets(&others) && !some.is_empty());
        assert_eq!(some.indices().collect::<Vec<_>>(), [0, 63, 64, 255]);
    }

    #[test]
    fn a_marked_key_comes_back() {
        let keys = Keys::build([KeySpec::falling::<f32>("health", Scope::Team)]).unwrap();
        let key = keys.any("health").unwrap();
        assert_eq!(AnyKey::from_mark(&key.mark()), Some(key));
        assert_eq!(AnyKey::from_mark("$300 1 float"), None);
        assert_eq!(AnyKey::from_mark("health"), None);
    }
}
