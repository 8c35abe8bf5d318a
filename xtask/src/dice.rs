//! Random numbers for checks: splitmix64 (Steele et al. 2014), by a seed.

/// A stream of numbers.
pub struct Dice(u64);

impl Dice {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    /// Any 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number under `limit`; 0 if that is 0. What the remainder favors is far below what a check could see.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.bits().checked_rem(limit).unwrap_or(0)
    }

    /// A number from 0 to 1, 1 not included.
    pub fn share(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_seed_and_within_their_limits() {
        // The first number of the published algorithm for seed 0.
        assert_eq!(Dice::new(0).bits(), 0xe220_a839_7b1d_cdaf);
        let mut dice = Dice::new(7);
        assert!((0..1000).all(|_| dice.below(6) < 6 && (0.0..1.0).contains(&dice.share())));
        assert_eq!(dice.below(0), 0);
    }
}
