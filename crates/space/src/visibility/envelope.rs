//! The lower envelope of walls round a point: for each direction, which wall is nearest.
//!
//! A list of breaks by direction; from a break to the next one wall is nearest (or nothing is, or the direction is closed).
//! Two lists are merged in one pass; a single wall is laid in where it is, by bisection. Where two walls change places between
//! two directions, they cross there, and the point becomes a break. Whatever rounding does, breaks stay in order.

use sentir_core::glam::DVec2;

use super::tree::Bounds;
use super::{Watcher, edges, key, key_within};

/// The edge of directions in which nothing is, as a number of a line.
pub(super) const OPEN: u32 = 0;
/// The edge of directions that are closed.
pub(super) const SHUT: u32 = 1;
/// The direction in which the list begins and ends.
const EAST: DVec2 = DVec2::X;
/// Parts of the circle for each of which it is known where in the list it begins.
const PARTS: usize = 16;
/// Parts a unit of a key.
const PARTS_PER_KEY: f64 = PARTS as f64 / 4.0;
/// Two walls this much of their distance apart are equally far.
const TIE: f64 = 1e-11;

/// The line of a wall as seen from the origin: p is on or before it while normal · p <= offset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Line {
    pub(super) normal: DVec2,
    pub(super) offset: f64,
}

impl Line {
    /// The line from `a` to `b`, with the origin on its left.
    #[inline(always)]
    pub(super) fn through(a: DVec2, b: DVec2) -> Line {
        let along = b - a;
        Line { normal: DVec2::new(along.y, -along.x), offset: a.perp_dot(b) }
    }

    /// Whether all of a box is on the line or behind it, and whether all of it is before it.
    #[inline(always)]
    fn sides(&self, bounds: &Bounds) -> (bool, bool) {
        let Bounds { low, high } = *bounds;
        let (near_x, far_x) = if self.normal.x > 0.0 { (low.x, high.x) } else { (high.x, low.x) };
        let (near_y, far_y) = if self.normal.y > 0.0 { (low.y, high.y) } else { (high.y, low.y) };
        let near = self.normal.x * near_x + self.normal.y * near_y;
        let far = self.normal.x * far_x + self.normal.y * far_y;
        (near >= self.offset, far < self.offset)
    }

    /// Where a direction meets it.
    #[inline(always)]
    pub(super) fn at(&self, direction: DVec2) -> DVec2 {
        direction * (self.offset / self.normal.dot(direction))
    }
}

/// Where the nearest wall changes; `line` holds from here on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Break {
    pub(super) key: f64,
    pub(super) direction: DVec2,
    pub(super) line: u32,
}

/// A direction with its key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    pub(super) key: f64,
    pub(super) direction: DVec2,
}

impl Way {
    /// The way toward a point, or along a direction.
    #[inline(always)]
    pub(super) fn toward(direction: DVec2) -> Way {
        Way { key: key(direction), direction }
    }
}

impl Break {
    /// Where it is.
    #[inline(always)]
    fn way(&self) -> Way {
        Way { key: self.key, direction: self.direction }
    }
}

/// Who is nearer over a stretch.
enum Nearer {
    Old,
    New,
    /// The old one up to this direction, then the new one.
    OldThenNew(DVec2),
    NewThenOld(DVec2),
}

#[derive(Clone, Debug, Default)]
pub(super) struct Envelope {
    pub(super) breaks: Vec<Break>,
    pub(super) lines: Vec<Line>,
    fresh: Vec<Break>,
    /// For each part of the circle the stretch that it begins in.
    parts: [u32; PARTS],
    /// Stretches looked at: what laying walls in one by one has cost.
    pub(super) work: u64,
}

/// The part of the circle that a key is in, or the one before at its very beginning. A cast would have to look for numbers
/// out of range; added to 2⁵² a number stands in the low bits.
#[inline(always)]
fn part(key: f64) -> usize {
    // More by once around, so that what is rounded is never under 2⁵².
    const WHOLE: f64 = ((1u64 << 52) + PARTS as u64) as f64;
    (key * PARTS_PER_KEY - 0.5 + WHOLE).to_bits() as usize & (PARTS - 1)
}

/// How much nearer the new line is in a direction: less than 0 if it is; 0 if they are equally far.
#[inline(always)]
fn lead(old: &Line, new: &Line, direction: DVec2) -> f64 {
    let theirs = new.offset * old.normal.dot(direction);
    let ours = old.offset * new.normal.dot(direction);
    let lead = theirs - ours;
    if lead.abs() <= TIE * theirs { 0.0 } else { lead }
}

/// The lead at two directions at which it differs in sign, with ties told.
#[inline(never)]
fn settled(old: &Line, new: &Line, from: DVec2, to: DVec2) -> (f64, f64) {
    (lead(old, new, from), lead(old, new, to))
}

#[inline(always)]
fn nearer(old: &Line, new: &Line, from: DVec2, to: DVec2) -> Nearer {
    // How much farther off the new wall is, as a function of the direction: one product each.
    let farther = old.normal * new.offset - new.normal * old.offset;
    let (mut first, mut last) = (farther.dot(from), farther.dot(to));
    if (first < 0.0) != (last < 0.0) {
        (first, last) = settled(old, new, from, to);
    }
    if first >= 0.0 && last >= 0.0 {
        Nearer::Old
    } else if first <= 0.0 && last <= 0.0 {
        Nearer::New
    } else if first < 0.0 {
        Nearer::NewThenOld(crossing(old, new))
    } else {
        Nearer::OldThenNew(crossing(old, new))
    }
}

/// Where two lines meet.
#[inline(never)]
fn crossing(a: &Line, b: &Line) -> DVec2 {
    let flat = a.normal.perp_dot(b.normal);
    let x = (a.offset * b.normal.y - b.offset * a.normal.y) / flat;
    let y = (b.offset * a.normal.x - a.offset * b.normal.x) / flat;
    DVec2::new(x, y)
}

/// A crossing as a break within a stretch, whatever rounding made of it.
fn within(across: DVec2, line: u32, from: Way, to: Way) -> Break {
    let at = key_within(across, from.key, to.key);
    let direction = if at <= from.key {
        from.direction
    } else if at >= to.key {
        to.direction
    } else {
        across
    };
    Break { key: at, direction, line }
}

/// Adds a stretch to a list, joined with the one before if it is the same wall; one of no width is replaced.
#[inline(always)]
fn emit(list: &mut Vec<Break>, at: Break) {
    match list.last_mut() {
        Some(last) if last.line == at.line => {}
        Some(last) if last.key >= at.key => last.line = at.line,
        _ => list.push(at),
    }
}

/// What comes of two walls over a stretch.
#[inline(always)]
fn settle(list: &mut Vec<Break>, verdict: &Nearer, [old, new]: [u32; 2], from: Way, to: Way) {
    let begin = |line: u32| Break { key: from.key, direction: from.direction, line };
    match *verdict {
        Nearer::Old => emit(list, begin(old)),
        Nearer::New => emit(list, begin(new)),
        Nearer::OldThenNew(across) => {
            emit(list, begin(old));
            emit(list, within(across, new, from, to));
        }
        Nearer::NewThenOld(across) => {
            emit(list, begin(new));
            emit(list, within(across, old, from, to));
        }
    }
}

/// Begins the fresh breaks: with what is left of the old stretch before a direction.
#[inline(always)]
fn start(fresh: &mut Vec<Break>, old: &Break, key: f64) {
    fresh.clear();
    if old.key < key {
        fresh.push(*old);
    }
}

/// A chain of walls on its way into the list.
struct Chain<'a> {
    /// How far it is in.
    from: Way,
    /// The end of the wall under way, and the corners after it.
    corner: Way,
    rest: std::slice::Iter<'a, Way>,
    line: u32,
}

impl Chain<'_> {
    /// Goes on to the next wall; false if that was the last one.
    #[inline(always)]
    fn turn(&mut self) -> bool {
        let Some(&further) = self.rest.next() else { return false };
        self.line += 1;
        self.corner = further;
        true
    }

    /// Goes up to the next break, all of the chain being before or behind what is there: the wall `old`, if fresh breaks are
    /// noted. Whether the chain ends there.
    #[inline(always)]
    fn pass(&mut self, fresh: &mut Vec<Break>, next: &Break, is_before: bool, old: Option<u32>) -> bool {
        if let Some(old) = old {
            let line = if is_before { self.line } else { old };
            emit(fresh, Break { key: self.from.key, direction: self.from.direction, line });
        }
        let is_noted = is_before && old.is_some();
        while self.corner.key <= next.key {
            self.from = self.corner;
            if !self.turn() {
                return true;
            }
            if is_noted && self.from.key < next.key {
                emit(fresh, Break { key: self.from.key, direction: self.from.direction, line: self.line });
            }
        }
        self.from = next.way();
        false
    }
}

impl Envelope {
    /// Nothing but the field of view. Whether there is any.
    pub(super) fn begin(&mut self, watcher: &Watcher) -> bool {
        self.breaks.clear();
        self.lines.clear();
        self.work = 0;
        self.lines.push(Line { normal: DVec2::ZERO, offset: 1.0 });
        self.lines.push(Line { normal: DVec2::ZERO, offset: 0.0 });
        let at = |key: f64, direction: DVec2, line: u32| Break { key, direction, line };
        match edges(watcher) {
            None => self.breaks.push(at(0.0, EAST, OPEN)),
            Some([right, left]) => {
                let (first, last) = (key(right), key(left));
                if first < last {
                    self.breaks.push(at(0.0, EAST, SHUT));
                    emit(&mut self.breaks, at(first, right, OPEN));
                    self.breaks.push(at(last, left, SHUT));
                } else if first > last {
                    self.breaks.push(at(0.0, EAST, OPEN));
                    emit(&mut self.breaks, at(last, left, SHUT));
                    self.breaks.push(at(first, right, OPEN));
                } else {
                    return false;
                }
            }
        }
        self.breaks.push(at(4.0, EAST, SHUT));
        let mut stretch = 0;
        for (part, begin) in self.parts.iter_mut().enumerate() {
            let key = part as f64 / PARTS_PER_KEY;
            while self.breaks[stretch + 1].key <= key {
                stretch += 1;
            }
            *begin = stretch as u32;
        }
        true
    }

    /// The stretch that holds a direction.
    #[inline(always)]
    fn locate(&self, key: f64) -> usize {
        // The first break is at 0 and the last at 4; a direction at the very end is in the last stretch.
        let mut at = self.parts[part(key)] as usize;
        for next in &self.breaks[at + 1..self.breaks.len() - 1] {
            if next.key > key {
                break;
            }
            at += 1;
        }
        at
    }

    /// Whether everything in a box lies behind walls that are there already. The box is seen from the origin.
    pub(super) fn hides(&mut self, bounds: &Bounds) -> bool {
        let Bounds { low, high } = *bounds;
        let (is_right, is_left) = (low.x > 0.0, high.x < 0.0);
        let (is_above, is_below) = (low.y > 0.0, high.y < 0.0);
        if !(is_right || is_left || is_above || is_below) {
            return false;
        }
        // The two corners that bound what is seen of it, counter-clockwise.
        let from_high_x = is_above || (!is_below && is_left);
        let from_high_y = is_left || (!is_right && is_below);
        let to_high_x = is_below || (!is_above && is_left);
        let to_high_y = is_right || (!is_left && is_below);
        let pick = |is_high: bool, low: f64, high: f64| if is_high { high } else { low };
        let from = DVec2::new(pick(from_high_x, low.x, high.x), pick(from_high_y, low.y, high.y));
        let to = DVec2::new(pick(to_high_x, low.x, high.x), pick(to_high_y, low.y, high.y));
        let (first, last) = (key(from), key(to));
        if first <= last {
            self.closes(first, last, bounds)
        } else {
            self.closes(first, 4.0, bounds) && self.closes(0.0, last, bounds)
        }
    }

    /// Whether a box lies behind every wall between two directions.
    #[inline(always)]
    fn closes(&mut self, first: f64, last: f64, bounds: &Bounds) -> bool {
        let start = self.locate(first);
        for at in &self.breaks[start..] {
            if at.key >= last && at.key > first {
                break;
            }
            self.work += 1;
            let Line { normal, offset } = self.lines[at.line as usize];
            let x = normal.x * if normal.x > 0.0 { bounds.low.x } else { bounds.high.x };
            let y = normal.y * if normal.y > 0.0 { bounds.low.y } else { bounds.high.y };
            if x + y < offset {
                return false;
            }
        }
        true
    }

    /// Lays the wall from `a` to `b` in, both as seen from the origin. What is seen edge-on is nothing.
    #[inline(always)]
    pub(super) fn add(&mut self, a: DVec2, b: DVec2) {
        let turn = a.perp_dot(b);
        if turn > 0.0 {
            self.lay(&[Way::toward(a), Way::toward(b)], None);
        } else if turn < 0.0 {
            self.lay(&[Way::toward(b), Way::toward(a)], None);
        }
    }

    /// Lays a chain of walls in whose corners are in counter-clockwise order, less than half a turn in all; all of it is in
    /// the box, if there is one.
    #[inline(always)]
    pub(super) fn lay(&mut self, chain: &[Way], bounds: Option<&Bounds>) {
        let [first, .., last] = chain else { return };
        let (from, count) = (self.lines.len(), chain.len() - 1);
        self.lines.extend(chain.windows(2).map(|pair| Line::through(pair[0].direction, pair[1].direction)));
        let is_seen = if first.key <= last.key {
            self.insert(chain, from as u32, bounds)
        } else {
            self.lay_over_east(chain, from as u32)
        };
        if !is_seen {
            self.lines.truncate(self.lines.len() - count);
        }
    }

    /// A chain that goes over the direction in which the list begins: in two parts.
    #[inline(never)]
    fn lay_over_east(&mut self, chain: &[Way], line: u32) -> bool {
        let mut is_seen = false;
        for (line, pair) in (line..).zip(chain.windows(2)) {
            let (from, to) = (pair[0], pair[1]);
            if from.key <= to.key {
                is_seen |= self.insert(pair, line, None);
            } else {
                is_seen |= self.insert(&[from, Way { key: 4.0, direction: EAST }], line, None);
                is_seen |= self.insert(&[Way { key: 0.0, direction: EAST }, to], line, None);
            }
        }
        is_seen
    }

    /// Whether anything of a chain is seen that begins with wall `line` and does not go over the east. Both lists are walked
    /// in step, from corner or break to the next corner or break; where all of the chain's box is on one side of what is there,
    /// from break to break.
    fn insert(&mut self, chain: &[Way], line: u32, bounds: Option<&Bounds>) -> bool {
        let [begin, second, rest @ ..] = chain else { return false };
        let mut at = self.locate(begin.key);
        let Envelope { breaks, lines, fresh, .. } = self;
        let mut chain = Chain { from: *begin, corner: *second, rest: rest.iter(), line };
        let (mut old, mut next) = (breaks[at], &breaks[at + 1]);
        let mut theirs = lines[old.line as usize];
        let (mut first, mut work) = (usize::MAX, 0);
        loop {
            work += 1;
            let (is_behind, is_before) = bounds.map_or((false, false), |bounds| theirs.sides(bounds));
            let (is_break, is_done);
            if is_behind || is_before {
                if is_before && first == usize::MAX && chain.from.key < next.key {
                    first = at;
                    start(fresh, &old, chain.from.key);
                }
                let is_noted = first != usize::MAX && chain.from.key < next.key;
                is_done = chain.pass(fresh, next, is_before, is_noted.then_some(old.line));
                is_break = !is_done;
            } else {
                let corner = chain.corner;
                let is_corner = corner.key <= next.key;
                is_break = next.key <= corner.key;
                let to = if is_corner { corner } else { next.way() };
                if chain.from.key < to.key {
                    let verdict = nearer(&theirs, &lines[chain.line as usize], chain.from.direction, to.direction);
                    if first == usize::MAX && !matches!(verdict, Nearer::Old) {
                        first = at;
                        start(fresh, &old, chain.from.key);
                    }
                    if first != usize::MAX {
                        settle(fresh, &verdict, [old.line, chain.line], chain.from, to);
                    }
                    chain.from = to;
                }
                is_done = is_corner && !chain.turn();
            }
            // The last break stays: the list ends there.
            if is_break && next.key < 4.0 {
                at += 1;
                (old, next) = (breaks[at], &breaks[at + 1]);
                theirs = lines[old.line as usize];
            }
            if is_done {
                break;
            }
        }
        let (from, end_key) = (chain.from, next.key);
        self.work += work;
        if first == usize::MAX {
            return false;
        }
        let mut stop = at;
        if old.key < from.key {
            stop += 1;
            if from.key < end_key {
                emit(&mut self.fresh, Break { key: from.key, direction: from.direction, line: old.line });
            }
        }
        self.replace(first, stop);
        true
    }

    /// Puts the fresh breaks in place of those from `first` to before `end`.
    #[inline(always)]
    fn replace(&mut self, first: usize, end: usize) {
        let (count, length) = (self.fresh.len(), self.breaks.len());
        let new_end = first + count;
        let (low, high) = (self.breaks[first].key, self.breaks[end].key);
        if new_end > end {
            self.breaks.resize(length + new_end - end, Break { key: 4.0, direction: EAST, line: SHUT });
            self.breaks.copy_within(end..length, new_end);
        } else if new_end < end {
            self.breaks.copy_within(end..length, new_end);
            self.breaks.truncate(length + new_end - end);
        }
        self.breaks[first..new_end].copy_from_slice(&self.fresh);
        // Parts that begin before the fresh breaks stay, those after them move on, those within are looked at.
        let mut part = part(low) + 1;
        let mut stretch = first;
        while part < PARTS && part as f64 / PARTS_PER_KEY < high {
            while self.breaks[stretch + 1].key <= part as f64 / PARTS_PER_KEY {
                stretch += 1;
            }
            self.parts[part] = stretch as u32;
            part += 1;
        }
        if let Some(rest) = self.parts.get_mut(part..).filter(|_| new_end != end) {
            let shift = (new_end as u32).wrapping_sub(end as u32);
            rest.iter_mut().for_each(|begin| *begin = begin.wrapping_add(shift));
        }
    }

    /// Merges two lists over the whole circle into `merged`.
    pub(super) fn merge(lines: &[Line], old: &[Break], new: &[Break], merged: &mut Vec<Break>) {
        let start = merged.len();
        let (mut i, mut j) = (0, 0);
        let mut list = Vec::new();
        std::mem::swap(&mut list, merged);
        // Joining looks back one break: never into the list before.
        let mut from = Way { key: 0.0, direction: EAST };
        let mut is_first = true;
        while i + 1 < old.len() && j + 1 < new.len() {
            let (end_old, end_new) = (&old[i + 1], &new[j + 1]);
            let end = if end_old.key <= end_new.key { end_old } else { end_new };
            let to = end.way();
            let [a, b] = [old[i].line, new[j].line];
            let verdict = nearer(&lines[a as usize], &lines[b as usize], from.direction, to.direction);
            if is_first {
                let line = if matches!(verdict, Nearer::New | Nearer::NewThenOld(_)) { b } else { a };
                list.push(Break { key: from.key, direction: from.direction, line });
                is_first = false;
            }
            settle(&mut list, &verdict, [a, b], from, to);
            let (is_old, is_new) = (end_old.key <= end.key, end_new.key <= end.key);
            i += usize::from(is_old);
            j += usize::from(is_new);
            from = to;
        }
        debug_assert!(list.len() > start, "a list is never empty");
        list.push(Break { key: 4.0, direction: EAST, line: SHUT });
        std::mem::swap(&mut list, merged);
    }
}
