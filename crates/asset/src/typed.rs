//! Nodes to typed values, by serde: the deserializer over a [`Node`]. An error gets the place of the innermost value it is
//! about; an unknown key that of the key.

use std::fmt;

use serde::de::value::StrDeserializer;
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Expected, IntoDeserializer, MapAccess,
    SeqAccess, Unexpected, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use crate::error::{FilePosition, Problem, Refusal, shortened};
use crate::node::{Entry, Node, Value};
use crate::placed::PLACED;

/// Makes a typed value of a node.
pub(crate) fn read<T: DeserializeOwned>(node: &Node) -> Result<T, Refusal> {
    T::deserialize(Reader(node)).map_err(|fault| at(node.place, fault).into_refusal())
}

/// A refusal whose place may still have to be found out by whoever knows it.
#[derive(Debug)]
struct Fault {
    place: Option<FilePosition>,
    problem: Problem,
}

impl Fault {
    fn into_refusal(self) -> Refusal {
        Refusal::new(self.place.unwrap_or_default(), self.problem)
    }
}

fn at(place: FilePosition, mut fault: Fault) -> Fault {
    fault.place.get_or_insert(place);
    fault
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.problem.fmt(f)
    }
}

impl std::error::Error for Fault {}

impl de::Error for Fault {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Fault { place: None, problem: Problem::Wrong(message.to_string()) }
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Fault::custom(format!("found {}: expected {expected}", shortened(&found.to_string())))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Fault::invalid_type(found, expected)
    }

    fn invalid_length(count: usize, expected: &dyn Expected) -> Self {
        Fault::custom(format!("found {count} values: expected {expected}"))
    }

    fn unknown_variant(name: &str, expected: &'static [&'static str]) -> Self {
        Fault { place: None, problem: Problem::unknown("kind", name, expected.iter().copied()) }
    }

    fn unknown_field(name: &str, expected: &'static [&'static str]) -> Self {
        Fault { place: None, problem: Problem::unknown("key", name, expected.iter().copied()) }
    }

    fn missing_field(name: &'static str) -> Self {
        Fault { place: None, problem: Problem::Missing(name.to_owned()) }
    }

    fn duplicate_field(name: &'static str) -> Self {
        Fault { place: None, problem: Problem::Twice { what: "keys", name: name.to_owned() } }
    }
}

impl Node {
    fn refuse<T>(&self, what: &str) -> Result<T, Fault> {
        let Refusal { place, problem } = self.expected(what);
        Err(Fault { place: Some(place), problem })
    }
}

macro_rules! whole {
    ($($method:ident $visit:ident $number:ty,)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
            let Value::Int(found) = self.0.value else { return self.0.refuse("a whole number") };
            match <$number>::try_from(found) {
                Ok(number) => visitor.$visit(number).map_err(|fault| at(self.0.place, fault)),
                Err(_) => {
                    let range = format!("{} to {}", <$number>::MIN, <$number>::MAX);
                    Err(at(self.0.place, de::Error::custom(format!("found {found}: expected {range}"))))
                }
            }
        }
    )*};
}

/// Reads a node.
#[derive(Clone, Copy)]
struct Reader<'de>(&'de Node);

impl<'de> Deserializer<'de> for Reader<'de> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        let result = match &self.0.value {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::Int(value) => visitor.visit_i64(*value),
            Value::Float(value) => visitor.visit_f64(*value),
            Value::Text(text) => visitor.visit_borrowed_str(text),
            Value::List(nodes) => visitor.visit_seq(Nodes { rest: nodes.iter() }),
            Value::Map(entries) => visitor.visit_map(Entries { rest: entries.iter(), value: None }),
        };
        result.map_err(|fault| at(self.0.place, fault))
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        let Value::Bool(_) = self.0.value else { return self.0.refuse("`true` or `false`") };
        self.deserialize_any(visitor)
    }

    whole! {
        deserialize_i8 visit_i8 i8, deserialize_i16 visit_i16 i16, deserialize_i32 visit_i32 i32,
        deserialize_i64 visit_i64 i64, deserialize_u8 visit_u8 u8, deserialize_u16 visit_u16 u16,
        deserialize_u32 visit_u32 u32, deserialize_u64 visit_u64 u64,
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_f64(visitor)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        let result = match self.0.value {
            Value::Int(number) => visitor.visit_f64(number as f64),
            Value::Float(number) => visitor.visit_f64(number),
            _ => return self.0.refuse("a number"),
        };
        result.map_err(|fault| at(self.0.place, fault))
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        let Value::Text(_) = self.0.value else { return self.0.refuse("text") };
        self.deserialize_any(visitor)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        if self.0.value == Value::Null { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Fault> {
        let result = if name == PLACED {
            visitor.visit_seq(PlacedParts { place: self.0.place, value: self, told: 0 })
        } else {
            visitor.visit_newtype_struct(self)
        };
        result.map_err(|fault| at(self.0.place, fault))
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        let Value::List(_) = self.0.value else { return self.0.refuse("a list") };
        self.deserialize_any(visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Fault> {
        match &self.0.value {
            Value::List(nodes) if nodes.len() == length => self.deserialize_any(visitor),
            Value::List(nodes) => {
                let counted = format!("found {} values: expected {length}", nodes.len());
                Err(at(self.0.place, de::Error::custom(counted)))
            }
            _ => self.0.refuse(&format!("a list of {length}")),
        }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        // Nothing at all reads as no keys: so that parameters that all have defaults may be left out.
        if self.0.value == Value::Null {
            let none = Entries { rest: [].iter(), value: None };
            return visitor.visit_map(none).map_err(|fault| at(self.0.place, fault));
        }
        let Value::Map(_) = self.0.value else { return self.0.refuse("keys with values") };
        self.deserialize_any(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.deserialize_map(visitor)
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _name: &'static str, visitor: V) -> Result<V::Value, Fault> {
        match &self.0.value {
            Value::Map(entries) if entries.is_empty() => visitor.visit_unit(),
            Value::Map(entries) => {
                let problem = Problem::unknown("key", &entries[0].key, []);
                Err(Fault { place: Some(entries[0].place), problem })
            }
            Value::Null => visitor.visit_unit(),
            _ => self.0.refuse("nothing"),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        let (name, place, content) = match &self.0.value {
            Value::Text(name) => (name, self.0.place, None),
            Value::Map(entries) if entries.len() == 1 => (&entries[0].key, entries[0].place, Some(&entries[0].node)),
            _ => return self.0.refuse(&format!("one of {}", variants.join(", "))),
        };
        visitor.visit_enum(Choice { name, place, content }).map_err(|fault| at(self.0.place, fault))
    }

    forward_to_deserialize_any! { i128 u128 char bytes byte_buf unit tuple_struct identifier ignored_any }
}

/// Reads a key: text, with its place for who asks for it.
#[derive(Clone, Copy)]
struct KeyReader<'de>(&'de Entry);

impl<'de> Deserializer<'de> for KeyReader<'de> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_borrowed_str(&self.0.key)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Fault> {
        if name == PLACED {
            visitor.visit_seq(PlacedParts { place: self.0.place, value: self, told: 0 })
        } else {
            visitor.visit_newtype_struct(self)
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        visitor.visit_enum(StrDeserializer::new(&self.0.key))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct seq tuple
        tuple_struct map struct identifier ignored_any
    }
}

/// A value as [`Placed`](crate::placed::Placed) reads it: line, column, value.
struct PlacedParts<R> {
    place: FilePosition,
    value: R,
    told: u8,
}

impl<'de, R: Deserializer<'de, Error = Fault> + Copy> SeqAccess<'de> for PlacedParts<R> {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Fault> {
        let FilePosition { line, column } = self.place;
        self.told += 1;
        match self.told {
            1 => seed.deserialize(line.into_deserializer()).map(Some),
            2 => seed.deserialize(column.into_deserializer()).map(Some),
            3 => seed.deserialize(self.value).map(Some),
            _ => Ok(None),
        }
    }
}

struct Nodes<'de> {
    rest: std::slice::Iter<'de, Node>,
}

impl<'de> SeqAccess<'de> for Nodes<'de> {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Fault> {
        self.rest.next().map(|node| seed.deserialize(Reader(node)).map_err(|fault| at(node.place, fault))).transpose()
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.rest.len())
    }
}

struct Entries<'de> {
    rest: std::slice::Iter<'de, Entry>,
    value: Option<&'de Node>,
}

impl<'de> MapAccess<'de> for Entries<'de> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Fault> {
        let Some(entry) = self.rest.next() else { return Ok(None) };
        self.value = Some(&entry.node);
        seed.deserialize(KeyReader(entry)).map(Some).map_err(|fault: Fault| at(entry.place, fault))
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Fault> {
        let node = self.value.take().ok_or_else(|| <Fault as de::Error>::custom("a value without a key"))?;
        seed.deserialize(Reader(node)).map_err(|fault| at(node.place, fault))
    }
}

/// A variant: a word, or a key with its content.
struct Choice<'de> {
    name: &'de str,
    place: FilePosition,
    content: Option<&'de Node>,
}

impl<'de> EnumAccess<'de> for Choice<'de> {
    type Error = Fault;
    type Variant = Self;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self), Fault> {
        let variant =
            seed.deserialize(StrDeserializer::new(self.name)).map_err(|fault: Fault| at(self.place, fault))?;
        Ok((variant, self))
    }
}

impl Choice<'_> {
    fn bare<T>(&self) -> Result<T, Fault> {
        let sentence = format!("`{}` stands alone: expected a value after it, as in `{}: …`", self.name, self.name);
        Err(Fault { place: Some(self.place), problem: Problem::Wrong(sentence) })
    }
}

impl<'de> VariantAccess<'de> for Choice<'de> {
    type Error = Fault;

    fn unit_variant(self) -> Result<(), Fault> {
        match self.content {
            Some(node) if node.value != Value::Null => node.refuse("nothing"),
            _ => Ok(()),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Fault> {
        match self.content {
            Some(node) => seed.deserialize(Reader(node)).map_err(|fault| at(node.place, fault)),
            None => self.bare(),
        }
    }

    fn tuple_variant<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Fault> {
        match self.content {
            Some(node) => Reader(node).deserialize_tuple(length, visitor),
            None => self.bare(),
        }
    }

    fn struct_variant<V: Visitor<'de>>(self, _fields: &'static [&'static str], visitor: V) -> Result<V::Value, Fault> {
        match self.content {
            Some(node) => Reader(node).deserialize_map(visitor),
            None => self.bare(),
        }
    }
}
