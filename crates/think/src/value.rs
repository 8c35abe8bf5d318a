//! Facts of a blackboard: small values of a few kinds, 16 bytes each.

use sentir_core::State;
use sentir_core::glam::Vec3;
use sentir_core::id::AgentId;
use sentir_core::tick::Tick;
use std::cmp::Ordering;
use std::fmt;

/// What kind of fact a key holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, State)]
pub enum Kind {
    /// Yes or no.
    Bool,
    /// A whole number of 32 bits.
    Int,
    /// A whole number of 64 bits.
    Long,
    /// A number, never NaN.
    Float,
    /// A place, m.
    FilePosition,
    /// Somebody.
    Agent,
    /// A moment.
    Tick,
    /// One of the game's own words.
    Symbol,
}

impl Kind {
    /// All kinds, with their names in files.
    pub const NAMES: [(&'static str, Kind); 8] = [
        ("bool", Kind::Bool),
        ("int", Kind::Int),
        ("long", Kind::Long),
        ("float", Kind::Float),
        ("place", Kind::FilePosition),
        ("agent", Kind::Agent),
        ("tick", Kind::Tick),
        ("symbol", Kind::Symbol),
    ];

    /// The name in files.
    pub fn name(self) -> &'static str {
        Kind::NAMES.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }

    /// Whether one value of the kind can be less than another.
    pub fn is_ordered(self) -> bool {
        matches!(self, Kind::Int | Kind::Long | Kind::Float | Kind::Tick)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A word of the game's own, as in `red` or `reloading`: the hash of its name, so that code and files agree on it without
/// a table. Two words of one game that collide in 32 bits are the game's bad luck; `Symbol::new` in a `const` shows it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, State)]
pub struct Symbol(pub u32);

impl Symbol {
    /// The symbol of that name.
    pub const fn new(name: &str) -> Symbol {
        // FNV-1a, because it is a few lines of `const`.
        let bytes = name.as_bytes();
        let mut hash = 0x811c_9dc5_u32;
        let mut index = 0;
        while index < bytes.len() {
            hash = (hash ^ bytes[index] as u32).wrapping_mul(0x0100_0193);
            index += 1;
        }
        Symbol(hash)
    }
}

/// A fact of any kind.
#[derive(Clone, Copy, Debug, PartialEq, State)]
pub enum Value {
    /// Yes or no.
    Bool(bool),
    /// A whole number of 32 bits.
    Int(i32),
    /// A whole number of 64 bits.
    Long(i64),
    /// A number.
    Float(f32),
    /// A place, m.
    FilePosition(Vec3),
    /// Somebody.
    Agent(AgentId),
    /// A moment.
    Tick(Tick),
    /// A word.
    Symbol(Symbol),
}

impl Value {
    /// Its kind.
    pub fn kind(self) -> Kind {
        match self {
            Value::Bool(_) => Kind::Bool,
            Value::Int(_) => Kind::Int,
            Value::Long(_) => Kind::Long,
            Value::Float(_) => Kind::Float,
            Value::FilePosition(_) => Kind::FilePosition,
            Value::Agent(_) => Kind::Agent,
            Value::Tick(_) => Kind::Tick,
            Value::Symbol(_) => Kind::Symbol,
        }
    }

    /// Whether any number in it is NaN: such a value is as good as none.
    pub fn is_nan(self) -> bool {
        match self {
            Value::Float(number) => number.is_nan(),
            Value::FilePosition(place) => place.is_nan(),
            _ => false,
        }
    }

    /// How it stands to another of the same kind. None when they differ and have no order, or are of two kinds.
    #[inline]
    pub fn order(self, other: Value) -> Option<Ordering> {
        match (self, other) {
            (Value::Bool(a), Value::Bool(b)) => Some(a.cmp(&b)),
            (Value::Int(a), Value::Int(b)) => Some(a.cmp(&b)),
            (Value::Long(a), Value::Long(b)) => Some(a.cmp(&b)),
            (Value::Float(a), Value::Float(b)) => a.partial_cmp(&b),
            (Value::Tick(a), Value::Tick(b)) => Some(a.cmp(&b)),
            (a, b) => (a == b).then_some(Ordering::Equal),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(value) => value.fmt(f),
            Value::Int(value) => value.fmt(f),
            Value::Long(value) => value.fmt(f),
            Value::Float(value) => value.fmt(f),
            Value::FilePosition(value) => write!(f, "({}, {}, {})", value.x, value.y, value.z),
            Value::Agent(value) => value.fmt(f),
            Value::Tick(value) => write!(f, "tick {value}"),
            Value::Symbol(value) => write!(f, "symbol {:08x}", value.0),
        }
    }
}

/// A plain value as a file writes it, before its kind is known.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number.
    Float(f64),
    /// Text.
    Text(String),
    /// Several numbers.
    Numbers(Vec<f64>),
}

impl Literal {
    /// The literal as a value of that kind; none when it is not one. Agents cannot be written in files.
    pub fn value(&self, kind: Kind) -> Option<Value> {
        let value = match (kind, self) {
            (Kind::Bool, &Literal::Bool(value)) => Value::Bool(value),
            (Kind::Int, &Literal::Int(number)) => Value::Int(i32::try_from(number).ok()?),
            (Kind::Long, &Literal::Int(number)) => Value::Long(number),
            (Kind::Float, &Literal::Int(number)) => Value::Float(number as f32),
            (Kind::Float, &Literal::Float(number)) => Value::Float(number as f32),
            (Kind::Tick, &Literal::Int(number)) => Value::Tick(Tick(u64::try_from(number).ok()?)),
            (Kind::Symbol, Literal::Text(name)) => Value::Symbol(Symbol::new(name)),
            (Kind::FilePosition, Literal::Numbers(numbers)) => match numbers[..] {
                [x, y, z] => Value::FilePosition(Vec3::new(x as f32, y as f32, z as f32)),
                _ => return None,
            },
            _ => return None,
        };
        (!value.is_nan()).then_some(value)
    }
}

/// A Rust type that a key can hold.
pub trait Fact: Copy + 'static {
    /// The kind of its keys.
    const KIND: Kind;
    /// The fact in a value; none when it is of another kind.
    fn from_value(value: Value) -> Option<Self>;
    /// The fact as a value.
    fn to_value(self) -> Value;
}

macro_rules! fact {
    ($($type:ty => $variant:ident),*) => {$(
        impl Fact for $type {
            const KIND: Kind = Kind::$variant;
            #[inline]
            fn from_value(value: Value) -> Option<Self> {
                match value {
                    Value::$variant(fact) => Some(fact),
                    _ => None,
                }
            }
            #[inline]
            fn to_value(self) -> Value {
                Value::$variant(self)
            }
        }
    )*};
}

fact!(bool => Bool, i32 => Int, i64 => Long, f32 => Float, Vec3 => FilePosition, AgentId => Agent, Tick => Tick, Symbol => Symbol);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_takes_sixteen_bytes_set_or_not() {
        assert_eq!(size_of::<Option<Value>>(), 16);
    }

    #[test]
    fn literals_become_values_of_the_kind_that_is_asked_for() {
        let place = Literal::Numbers(vec![1.0, 2.0, 3.0]);
        assert_eq!(place.value(Kind::FilePosition), Some(Value::FilePosition(Vec3::new(1.0, 2.0, 3.0))));
        assert_eq!(Literal::Numbers(vec![1.0]).value(Kind::FilePosition), None);
        assert_eq!(Literal::Int(3).value(Kind::Float), Some(Value::Float(3.0)));
        assert_eq!(Literal::Int(1 << 40).value(Kind::Int), None);
        assert_eq!(Literal::Int(-1).value(Kind::Tick), None);
        assert_eq!(Literal::Float(f64::NAN).value(Kind::Float), None);
        assert_eq!(Literal::Bool(true).value(Kind::Agent), None);
        assert_eq!(Literal::Text("red".to_owned()).value(Kind::Symbol), Some(Value::Symbol(Symbol::new("red"))));
    }

    #[test]
    fn what_has_no_order_is_equal_or_not() {
        let at = |x| Value::FilePosition(Vec3::new(x, 0.0, 0.0));
        assert_eq!(at(1.0).order(at(1.0)), Some(Ordering::Equal));
        assert_eq!(at(1.0).order(at(2.0)), None);
        assert_eq!(Value::Int(1).order(Value::Int(2)), Some(Ordering::Less));
        assert_eq!(Value::Int(1).order(Value::Float(2.0)), None);
    }
}
