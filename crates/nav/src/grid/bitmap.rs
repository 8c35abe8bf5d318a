//! Free cells as bits, by lines, with a rim of blocked cells: what jump-point search scans 64 cells at a time.
//!
//! One bitmap holds the rows, a second one the columns. Cell (x, y) is bit x + 1 of line y + 1.

/// Lines of bits; a set bit is a free cell.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct Bitmap {
    /// Words of a line.
    pub(crate) words: usize,
    bits: Vec<u64>,
}

/// Where a scan ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stop {
    /// The position.
    pub(crate) at: usize,
    /// Whether it is free, and so a jump point; else it is the first blocked one.
    pub(crate) is_jump: bool,
}

impl Bitmap {
    /// All blocked.
    pub(crate) fn new(length: usize, lines: usize) -> Bitmap {
        let words = (length + 2).div_ceil(64);
        Bitmap { words, bits: vec![0; words * (lines + 2)] }
    }

    pub(crate) fn set(&mut self, at: usize, line: usize, is_free: bool) {
        let (word, bit) = ((line + 1) * self.words + ((at + 1) >> 6), 1 << ((at + 1) & 63));
        if is_free {
            self.bits[word] |= bit;
        } else {
            self.bits[word] &= !bit;
        }
    }

    /// Whether the bit is free; position and line count the rim.
    #[inline(always)]
    pub(crate) fn is_free(&self, at: usize, line: usize) -> bool {
        self.bits[line * self.words + (at >> 6)] >> (at & 63) & 1 == 1
    }

    /// Scans a line upward from a free position: to the first blocked one, or the first free one beside which a
    /// neighboring line opens (blocked before, free here). Position and line count the rim.
    #[inline(always)]
    pub(crate) fn scan_up(&self, from: usize, line: usize) -> Stop {
        let words = self.words;
        let rows = &self.bits[(line - 1) * words..(line + 2) * words];
        let (below, rest) = rows.split_at(words);
        let (here, above) = rest.split_at(words);
        let first = from + 1;
        let mut word = first >> 6;
        let mut mask = u64::MAX << (first & 63);
        let (mut old_below, mut old_above) = if first & 63 == 0 { (below[word - 1], above[word - 1]) } else { (0, 0) };
        loop {
            let (low, middle, high) = (below[word], here[word], above[word]);
            let opens = (low & !(low << 1 | old_below >> 63)) | (high & !(high << 1 | old_above >> 63));
            let stops = (opens | !middle) & mask;
            if stops != 0 {
                let bit = stops.trailing_zeros() as usize;
                return Stop { at: word << 6 | bit, is_jump: middle >> bit & 1 == 1 };
            }
            (mask, old_below, old_above) = (u64::MAX, low, high);
            word += 1;
        }
    }

    /// The same downward.
    #[inline(always)]
    pub(crate) fn scan_down(&self, from: usize, line: usize) -> Stop {
        let words = self.words;
        let rows = &self.bits[(line - 1) * words..(line + 2) * words];
        let (below, rest) = rows.split_at(words);
        let (here, above) = rest.split_at(words);
        let first = from - 1;
        let mut word = first >> 6;
        let mut mask = u64::MAX >> (63 - (first & 63));
        let (mut old_below, mut old_above) = if first & 63 == 63 { (below[word + 1], above[word + 1]) } else { (0, 0) };
        loop {
            let (low, middle, high) = (below[word], here[word], above[word]);
            let opens = (low & !(low >> 1 | old_below << 63)) | (high & !(high >> 1 | old_above << 63));
            let stops = (opens | !middle) & mask;
            if stops != 0 {
                let bit = 63 - stops.leading_zeros() as usize;
                return Stop { at: word << 6 | bit, is_jump: middle >> bit & 1 == 1 };
            }
            (mask, old_below, old_above) = (u64::MAX, low, high);
            word -= 1;
        }
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.bits.len() * 8
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The obvious twin of both scans.
    fn walk(map: &Bitmap, from: usize, line: usize, step: isize) -> Stop {
        let mut at = from;
        loop {
            let (old, new) = (at, at.wrapping_add_signed(step));
            let opens = |line: usize| map.is_free(new, line) && !map.is_free(old, line);
            if !map.is_free(new, line) {
                return Stop { at: new, is_jump: false };
            }
            if opens(line - 1) || opens(line + 1) {
                return Stop { at: new, is_jump: true };
            }
            at = new;
        }
    }

    proptest! {
        #[test]
        fn scans_agree_with_walking(cells in proptest::collection::vec(0u8..40, 3 * 200), from in 0usize..200) {
            let mut map = Bitmap::new(200, 3);
            for (index, &cell) in cells.iter().enumerate() {
                map.set(index % 200, index / 200, cell != 0);
            }
            map.set(from, 1, true);
            prop_assert_eq!(map.scan_up(from + 1, 2), walk(&map, from + 1, 2, 1));
            prop_assert_eq!(map.scan_down(from + 1, 2), walk(&map, from + 1, 2, -1));
        }
    }
}
