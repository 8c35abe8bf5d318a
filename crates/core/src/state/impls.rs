//! `State` of the plain types: numbers, text, lists, options, vectors.

use std::collections::BTreeMap;
use std::marker::PhantomData;

use glam::{DVec2, DVec3, IVec2, IVec3, UVec2, UVec3, Vec2, Vec3};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Key, Leaf, LoadError, Numbers, Schema, Sink, State, StateReader, len_u32};

macro_rules! number {
    ($($type:ty => $leaf:ident),*) => {$(
        impl State for $type {
            #[inline]
            fn save<S: Sink>(&self, sink: &mut S) {
                sink.leaf(Leaf::$leaf(*self));
            }
            #[inline]
            fn load(source: &mut StateReader<'_>) -> Result<Self, LoadError> {
                Ok(<$type>::from_le_bytes(source.take()?))
            }
            fn schema(schema: &mut Schema) {
                schema.leaf(stringify!($type));
            }
            #[inline]
            fn save_items<S: Sink>(items: &[Self], sink: &mut S) {
                sink.numbers(Numbers::$leaf(items));
            }
        }
    )*};
}

number!(u8 => U8, u16 => U16, u32 => U32, u64 => U64, i8 => I8, i16 => I16, i32 => I32, i64 => I64, f32 => F32, f64 => F64);

macro_rules! vector {
    ($($type:ident: $number:ty => $($axis:ident)*),*) => {$(
        impl State for $type {
            #[inline]
            fn save<S: Sink>(&self, sink: &mut S) {
                $(sink.enter(Key::Field(stringify!($axis))); self.$axis.save(sink); sink.leave();)*
            }
            #[inline]
            fn load(source: &mut StateReader<'_>) -> Result<Self, LoadError> {
                Ok($type { $($axis: <$number>::load(source)?),* })
            }
            fn schema(schema: &mut Schema) {
                schema.leaf(stringify!($type));
            }
        }
    )*};
}

vector!(
    Vec2: f32 => x y, Vec3: f32 => x y z, DVec2: f64 => x y, DVec3: f64 => x y z,
    IVec2: i32 => x y, IVec3: i32 => x y z, UVec2: u32 => x y, UVec3: u32 => x y z
);

macro_rules! tuple {
    ($($name:ident $index:tt),*) => {
        impl<$($name: State),*> State for ($($name,)*) {
            fn save<SinkType: Sink>(&self, _sink: &mut SinkType) {
                $(_sink.enter(Key::Field(stringify!($index))); self.$index.save(_sink); _sink.leave();)*
            }
            fn load(_source: &mut StateReader<'_>) -> Result<Self, LoadError> {
                Ok(($($name::load(_source)?,)*))
            }
            fn schema(schema: &mut Schema) {
                schema.open("tuple", 0);
                $($name::schema(schema);)*
                schema.close();
            }
        }
    };
}

tuple!();
tuple!(A 0, B 1);
tuple!(A 0, B 1, C 2);
tuple!(A 0, B 1, C 2, D 3);

impl State for bool {
    #[inline]
    fn save<S: Sink>(&self, sink: &mut S) {
        sink.leaf(Leaf::Bool(*self));
    }
    #[inline]
    fn load(source: &mut StateReader<'_>) -> Result<Self, LoadError> {
        match source.take::<1>()?[0] {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(LoadError::invalid(source, "a yes or no is neither 0 nor 1")),
        }
    }
    fn schema(schema: &mut Schema) {
        schema.leaf("bool");
    }
}

impl State for String {
    fn save<S: Sink>(&self, sink: &mut S) {
        sink.leaf(Leaf::Text(self));
    }
    fn load(source: &mut StateReader<'_>) -> Result<Self, LoadError> {
        let len = source.list_len::<u8>()?;
        let bytes = source.slice(len as usize)?.to_vec();
        String::from_utf8(bytes).map_err(|_| LoadError::invalid(source, "text is not UTF-8"))
    }
    fn schema(schema: &mut Schema) {
        schema.leaf("text");
    }
}

impl<T: State> State for Vec<T> {
    fn save<S: Sink>(&self, sink: &mut S) {
        sink.leaf(Leaf::Len(len_u32(self.len())));
        T::save_items(self, sink);
    }
    fn load(source: &mut StateReader<'_>) -> Result<Self, LoadError> {
        // Grown item by item: a forged length is bounded by the input, an item's own size is not.
        let mut items = Vec::new();
        for _ in 0..source.list_len::<T>()? {
            items.push(T::load(source)?);
        }
        Ok(items)
    }
    fn schema(schema: &mut Schema) {
        schema.open("list", 0);
        T::schema(schema);
        schema.close();
    }
}

impl<T: State> State for Option<T> {
    fn save<S: Sink>(&self, sink: &mut S) {
        match self {
            None => sink.leaf(Leaf::Tag { index: 0, name: "None" }),
            Some(value) => {
                sink.leaf(Leaf::Tag { index: 1, name: "Some" });
                value.save(sink);
            }
        }
    }
    fn load(source: &mut StateReader<'_>) -> Result<Self, LoadError> {
        match source.tag()? {
            0 => Ok(None),
            1 => Ok(Some(T::load(source)?)),
            other => Err(LoadError::unknown_tag(source, "Option", other)),
        }
    }
    fn schema(schema: &mut Schema) {
        schema.open("option", 0);
        T::schema(schema);
        schema.close();
    }
}

impl<T: State + Copy + Default, const N: usize> State for [T; N] {
    fn save<S: Sink>(&self, sink: &mut S) {
        T::save_items(self, sink);
    }
    fn load(source: &mut StateReader<'_>) -> Result<Self, LoadError> {
        let mut items = [T::default(); N];
        for item in &mut items {
            *item = T::load(source)?;
        }
        Ok(items)
    }
    fn schema(schema: &mut Schema) {
        schema.open("array", len_u32(N));
        T::schema(schema);
        schema.close();
    }
}

impl<K: State + Ord, V: State> State for BTreeMap<K, V> {
    fn save<S: Sink>(&self, sink: &mut S) {
        sink.leaf(Leaf::Len(len_u32(self.len())));
        for (index, (key, value)) in (0..).zip(self) {
            sink.enter(Key::Item(index));
            sink.enter(Key::Field("key"));
            key.save(sink);
            sink.leave();
            sink.enter(Key::Field("value"));
            value.save(sink);
            sink.leave();
            sink.leave();
        }
    }
    fn load(source: &mut StateReader<'_>) -> Result<Self, LoadError> {
        let mut map = BTreeMap::new();
        for _ in 0..source.list_len::<(K, V)>()? {
            let key = K::load(source)?;
            if map.last_key_value().is_some_and(|(last, _)| *last >= key) {
                return Err(LoadError::invalid(source, "the keys of a map are out of order"));
            }
            map.insert(key, V::load(source)?);
        }
        Ok(map)
    }
    fn schema(schema: &mut Schema) {
        schema.open("map", 0);
        K::schema(schema);
        V::schema(schema);
        schema.close();
    }
}

impl<T> State for PhantomData<T> {
    fn save<S: Sink>(&self, _sink: &mut S) {}
    fn load(_source: &mut StateReader<'_>) -> Result<Self, LoadError> {
        Ok(PhantomData)
    }
    fn schema(_schema: &mut Schema) {}
}

impl State for Xoshiro256PlusPlus {
    fn save<S: Sink>(&self, sink: &mut S) {
        for (index, word) in (0..).zip(self.state().chunks_exact(8)) {
            sink.enter(Key::Item(index));
            let mut bytes = [0; 8];
            bytes.copy_from_slice(word);
            sink.leaf(Leaf::U64(u64::from_le_bytes(bytes)));
            sink.leave();
        }
    }
    fn load(source: &mut StateReader<'_>) -> Result<Self, LoadError> {
        let seed = source.take::<32>()?;
        if seed == [0; 32] {
            return Err(LoadError::invalid(source, "a random stream is all zero"));
        }
        Ok(Xoshiro256PlusPlus::from_seed(seed))
    }
    fn schema(schema: &mut Schema) {
        schema.leaf("xoshiro256++");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{Schema, from_bytes, hash, to_bytes};
    use proptest::prelude::*;
    use sentir_derive::State;

    #[derive(Clone, Debug, PartialEq, State)]
    enum Mood {
        Calm,
        Wary(u8, bool),
        Angry { at: Vec3, since: u64 },
    }

    #[derive(Clone, Debug, PartialEq, State)]
    struct Pair<T> {
        left: T,
        right: Vec<T>,
    }

    #[derive(Clone, Debug, PartialEq, State)]
    struct Everything {
        small: i8,
        float: f32,
        double: f64,
        name: String,
        mood: Mood,
        pair: Pair<(u16, i32)>,
        maybe: Option<Option<bool>>,
        map: BTreeMap<u32, String>,
        fixed: [i64; 3],
        nothing: (),
    }

    fn mood() -> impl Strategy<Value = Mood> {
        prop_oneof![
            Just(Mood::Calm),
            (any::<u8>(), any::<bool>()).prop_map(|(a, b)| Mood::Wary(a, b)),
            (any::<[i16; 3]>(), any::<u64>())
                .prop_map(|(at, since)| Mood::Angry { at: Vec3::new(at[0].into(), at[1].into(), at[2].into()), since }),
        ]
    }

    fn everything() -> impl Strategy<Value = Everything> {
        let numbers = (any::<i8>(), -1e9f32..1e9, -1e9f64..1e9, ".{0,12}");
        let rest = (
            mood(),
            (any::<(u16, i32)>(), any::<Vec<(u16, i32)>>()),
            any::<Option<Option<bool>>>(),
            proptest::collection::btree_map(any::<u32>(), ".{0,4}", 0..5),
            any::<[i64; 3]>(),
        );
        (numbers, rest).prop_map(|((small, float, double, name), (mood, (left, right), maybe, map, fixed))| {
            Everything { small, float, double, name, mood, pair: Pair { left, right }, maybe, map, fixed, nothing: () }
        })
    }

    proptest! {
        #[test]
        fn load_gives_back_what_save_wrote(value in everything()) {
            let bytes = to_bytes(&value);
            prop_assert_eq!(&from_bytes::<Everything>(&bytes).unwrap(), &value);
            prop_assert_eq!(hash(&value), crate::state::hash_bytes(&bytes));
        }

        #[test]
        fn cut_state_is_refused_everywhere(value in everything(), share in 0.0..1.0f64) {
            let bytes = to_bytes(&value);
            let cut = (bytes.len() as f64 * share) as usize;
            prop_assert!(from_bytes::<Everything>(&bytes[..cut]).is_err());
        }

        #[test]
        fn any_bytes_load_or_are_refused_without_panic(bytes in any::<Vec<u8>>()) {
            if let Ok(value) = from_bytes::<Everything>(&bytes) {
                // What loads is canonical: it saves to the very same bytes, NaN payloads aside.
                prop_assert!(value.float.is_nan() || value.double.is_nan() || to_bytes(&value) == bytes);
            }
        }
    }

    #[test]
    fn a_forged_length_is_refused_before_it_allocates() {
        let error = from_bytes::<Vec<u64>>(&u32::MAX.to_le_bytes()).unwrap_err();
        assert_eq!(error.to_string(), "byte 0 announces 4294967295 items, but only 0 bytes follow");
    }

    #[test]
    fn errors_say_where_and_what() {
        let error = |bytes: &[u8]| from_bytes::<Mood>(bytes).unwrap_err().to_string();
        assert_eq!(error(&[7]), "byte 0: Mood has no variant 7");
        assert_eq!(error(&[]), "the state ends at byte 0, 1 more expected");
        assert_eq!(error(&[0, 0]), "1 bytes are left over after the state, from byte 1");
        assert_eq!(error(&[1, 0, 9]), "byte 3: a yes or no is neither 0 nor 1");
    }

    #[test]
    fn every_nan_is_the_same_state() {
        let odd = f32::from_bits(0xffc0_1234);
        assert!(odd.is_nan());
        assert_eq!(hash(&odd), hash(&f32::NAN));
        assert_ne!(hash(&0.0f32), hash(&-0.0f32));
    }

    #[test]
    fn the_schema_follows_names_types_order_and_version() {
        mod renamed {
            #[derive(sentir_derive::State)]
            pub struct Pair<T> {
                pub left: T,
                pub rite: Vec<T>,
            }
        }
        mod versioned {
            #[derive(sentir_derive::State)]
            #[state(version = 2)]
            pub struct Pair<T> {
                pub left: T,
                pub right: Vec<T>,
            }
        }
        let base = Schema::of::<Pair<u8>>();
        assert_eq!(base, Schema::of::<Pair<u8>>());
        assert_ne!(base, Schema::of::<Pair<i8>>());
        assert_ne!(base, Schema::of::<renamed::Pair<u8>>());
        assert_ne!(base, Schema::of::<versioned::Pair<u8>>());
    }
}
