//! Random streams from (world seed, owner, purpose): no draw of one agent ever shifts another's luck.
//!
//! A [`Streams`] is the world seed. It gives two kinds of stream:
//! * [`Streams::at`] starts anew at every tick, so there is nothing to save, and a draw more or less today changes
//!   nothing tomorrow. The loop hands these to every stage.
//! * [`Streams::stream`] goes on for ever and is state of whoever keeps it.
//!
//! The generator is xoshiro256++; its seed is a splitmix64 mix of all parts of the key, so that neighboring keys give
//! unrelated streams. Goldens in the tests pin the numbers: a change of them breaks every recording.

use std::convert::Infallible;

use rand_core::{Rng, SeedableRng, TryRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use sentir_derive::State;

use crate::tick::Tick;

/// What a stream is for: a name that exists once, as a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Purpose(u64);

impl Purpose {
    /// The purpose of that name.
    pub const fn new(name: &str) -> Self {
        // FNV-1a, because it is a few lines of `const`; the seed mix below does the rest.
        let bytes = name.as_bytes();
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        let mut index = 0;
        while index < bytes.len() {
            hash = (hash ^ bytes[index] as u64).wrapping_mul(0x0000_0100_0000_01b3);
            index += 1;
        }
        Purpose(hash)
    }
}

/// The root of all randomness of a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, State)]
pub struct Streams {
    /// The world seed.
    pub seed: u64,
}

impl Streams {
    /// A stream that goes on for ever. `owner` is an agent's id as bits, or any other number.
    pub fn stream(self, owner: u64, purpose: Purpose) -> Stream {
        Stream::keyed([self.seed, owner, purpose.0, u64::MAX])
    }

    /// The stream of one tick.
    pub fn at(self, owner: u64, purpose: Purpose, tick: Tick) -> Stream {
        Stream::keyed([self.seed, owner, purpose.0, tick.0])
    }
}

/// A source of random numbers. Also a `rand_core` generator, for whoever needs a distribution that is not here.
#[derive(Clone, Debug, PartialEq, Eq, State)]
pub struct Stream {
    generator: Xoshiro256PlusPlus,
}

impl Stream {
    fn keyed(key: [u64; 4]) -> Self {
        let mut mixed = 0;
        for part in key {
            mixed = splitmix(mixed ^ part);
        }
        let mut seed = [0; 32];
        for word in seed.chunks_exact_mut(8) {
            mixed = splitmix(mixed);
            word.copy_from_slice(&mixed.to_le_bytes());
        }
        Stream { generator: Xoshiro256PlusPlus::from_seed(seed) }
    }

    /// Any 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.generator.next_u64()
    }

    /// Uniform in [0, 1), in steps of 2^-24.
    pub fn unit(&mut self) -> f32 {
        (self.bits() >> 40) as f32 * (1.0 / 16_777_216.0)
    }

    /// Uniform between `low` and `high`; rounding may reach `high`. With `high` below `low` it runs downwards.
    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    /// `mean` give or take `deviation`, uniform: what a designer writes as 2 s ± 0.5.
    pub fn about(&mut self, mean: f32, deviation: f32) -> f32 {
        self.between(mean - deviation, mean + deviation)
    }

    /// True with the given probability: at or under 0 (or NaN) never, from 1 on always.
    pub fn chance(&mut self, probability: f32) -> bool {
        self.unit() < probability
    }

    /// Uniform below `count`, without bias; 0 for 0.
    pub fn below(&mut self, count: u32) -> u32 {
        // Lemire's multiply and reject.
        let threshold = if count == 0 { 0 } else { count.wrapping_neg() % count };
        loop {
            let product = (self.bits() >> 32) * u64::from(count);
            if product as u32 >= threshold {
                return (product >> 32) as u32;
            }
        }
    }

    /// One of the items; none of none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        let count = u32::try_from(items.len()).unwrap_or(u32::MAX);
        items.get(self.below(count) as usize)
    }

    /// Puts the items into a random order, each equally likely.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let count = u32::try_from(last + 1).unwrap_or(u32::MAX);
            items.swap(last, self.below(count) as usize);
        }
    }
}

impl TryRng for Stream {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.generator.next_u32())
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.generator.next_u64())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.generator.fill_bytes(bytes);
        Ok(())
    }
}

/// One step of splitmix64: a bijection that spreads every bit over all others.
fn splitmix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::{from_bytes, to_bytes};

    const AIM: Purpose = Purpose::new("aim");
    const WAIT: Purpose = Purpose::new("wait");

    #[test]
    fn the_numbers_are_pinned() {
        let streams = Streams { seed: 7 };
        let mut lasting = streams.stream(1, AIM);
        let mut passing = streams.at(1, AIM, Tick(0));
        let lasting: Vec<_> = (0..3).map(|_| lasting.bits()).collect();
        let passing: Vec<_> = (0..3).map(|_| passing.bits()).collect();
        assert_eq!(lasting, GOLDEN_LASTING);
        assert_eq!(passing, GOLDEN_PASSING);
    }

    const GOLDEN_LASTING: [u64; 3] = [8927524919798078945, 3965775428902710469, 10145063955934528620];
    const GOLDEN_PASSING: [u64; 3] = [6547806052151533244, 2495569463347318109, 1588396229383380208];

    #[test]
    fn each_part_of_the_key_gives_another_stream() {
        let first = |seed, owner, purpose, tick| Streams { seed }.at(owner, purpose, Tick(tick)).bits();
        let base = first(1, 1, AIM, 1);
        assert_eq!(base, first(1, 1, AIM, 1));
        for other in [first(2, 1, AIM, 1), first(1, 2, AIM, 1), first(1, 1, WAIT, 1), first(1, 1, AIM, 2)] {
            assert_ne!(base, other);
        }
    }

    #[test]
    fn neighboring_streams_are_unrelated() {
        // Correlation of the first draws of neighboring owners: for 10 000 pairs its standard error is 0.01.
        let draw = |owner: u64| f64::from(Streams { seed: 3 }.at(owner, AIM, Tick(5)).unit()) - 0.5;
        let sum: f64 = (0..10_000).map(|owner| draw(owner) * draw(owner + 1)).sum();
        assert!((sum / 10_000.0 * 12.0).abs() < 0.05);
    }

    #[test]
    fn a_saved_stream_goes_on_where_it_was() {
        let mut stream = Streams { seed: 1 }.stream(2, WAIT);
        stream.bits();
        let mut again: Stream = from_bytes(&to_bytes(&stream)).unwrap();
        assert_eq!(stream.bits(), again.bits());
        assert!(from_bytes::<Stream>(&[0; 32]).is_err());
    }

    #[test]
    fn below_is_uniform_and_in_range() {
        let mut stream = Streams { seed: 9 }.stream(0, AIM);
        let mut counts = [0u32; 7];
        for _ in 0..70_000 {
            counts[stream.below(7) as usize] += 1;
        }
        // Chi squared with 6 degrees of freedom: above 22.5 once in a thousand.
        let squared = |n: u32| (f64::from(n) - 10_000.0) * (f64::from(n) - 10_000.0);
        let chi: f64 = counts.iter().map(|&n| squared(n) / 10_000.0).sum();
        assert!(chi < 22.5, "chi squared {chi}");
        assert_eq!(stream.below(0), 0);
        assert_eq!(stream.below(1), 0);
    }

    #[test]
    fn odd_arguments_have_defined_answers() {
        let mut stream = Streams { seed: 4 }.stream(0, AIM);
        for _ in 0..1000 {
            assert!((0.0..1.0).contains(&stream.unit()));
            assert!((1.5..=2.5).contains(&stream.about(2.0, 0.5)));
            assert!(!stream.chance(f32::NAN) && !stream.chance(0.0) && stream.chance(1.0));
        }
        assert_eq!(stream.pick::<u8>(&[]), None);
        let mut order: Vec<_> = (0..50).collect();
        stream.shuffle(&mut order);
        assert_ne!(order, (0..50).collect::<Vec<_>>());
        order.sort_unstable();
        assert_eq!(order, (0..50).collect::<Vec<_>>());
    }
}
