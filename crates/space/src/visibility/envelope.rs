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
pub(super) type Way = (f64, DVec2);

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
    /// Stretches looked at: what laying walls in one by one has cost.
    pub(super) work: u64,
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
    let at = key_within(across, from.0, to.0);
    let direction = if at <= from.0 {
        from.1
    } else if at >= to.0 {
        to.1
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
    let begin = |line: u32| Break { key: from.0, direction: from.1, line };
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
        true
    }

    /// The stretch that holds a direction.
    #[inline(always)]
    fn locate(&self, key: f64) -> usize {
        // The first break is at 0 and the last at 4; a direction at the very end is in the last stretch.
        let inner = self.breaks.len() - 1;
        self.breaks[1..inner].partition_point(|at| at.key <= key)
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
            self.lay(&[(key(a), a), (key(b), b)]);
        } else if turn < 0.0 {
            self.lay(&[(key(b), b), (key(a), a)]);
        }
    }

    /// Lays a chain of walls in whose corners are in counter-clockwise order, less than half a turn in all.
    #[inline(always)]
    pub(super) fn lay(&mut self, chain: &[Way]) {
        let [first, .., last] = chain else { return };
        let (from, count) = (self.lines.len(), chain.len() - 1);
        self.lines.extend(chain.windows(2).map(|pair| Line::through(pair[0].1, pair[1].1)));
        let is_seen =
            if first.0 <= last.0 { self.insert(chain, from as u32) } else { self.lay_over_east(chain, from as u32) };
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
            if from.0 <= to.0 {
                is_seen |= self.insert(pair, line);
            } else {
                is_seen |= self.insert(&[from, (4.0, EAST)], line);
                is_seen |= self.insert(&[(0.0, EAST), to], line);
            }
        }
        is_seen
    }

    /// Whether anything of a chain is seen that begins with wall `line` and does not go over the east. Both lists are walked
    /// in step, from corner or break to the next corner or break.
    fn insert(&mut self, chain: &[Way], mut line: u32) -> bool {
        let [begin, rest @ ..] = chain else { return false };
        let mut at = self.locate(begin.0);
        let (breaks, lines) = (self.breaks.as_slice(), self.lines.as_slice());
        let (mut old, mut next) = (breaks[at], &breaks[at + 1]);
        let (mut ours, mut theirs) = (lines[line as usize], lines[old.line as usize]);
        let mut from = *begin;
        let (mut first, mut work) = (usize::MAX, 0);
        let mut corners = rest.iter();
        let mut corner = match corners.next() {
            Some(corner) => *corner,
            None => return false,
        };
        loop {
            work += 1;
            let (is_corner, is_break) = (corner.0 <= next.key, next.key <= corner.0);
            let to = if is_corner { corner } else { (next.key, next.direction) };
            if from.0 < to.0 {
                let verdict = nearer(&theirs, &ours, from.1, to.1);
                if first == usize::MAX && !matches!(verdict, Nearer::Old) {
                    first = at;
                    self.fresh.clear();
                    if old.key < from.0 {
                        self.fresh.push(old);
                    }
                }
                if first != usize::MAX {
                    settle(&mut self.fresh, &verdict, [old.line, line], from, to);
                }
                from = to;
            }
            // The last break stays: the list ends there.
            if is_break && next.key < 4.0 {
                at += 1;
                (old, next) = (breaks[at], &breaks[at + 1]);
                theirs = lines[old.line as usize];
            }
            if is_corner {
                let Some(&further) = corners.next() else { break };
                line += 1;
                corner = further;
                ours = lines[line as usize];
            }
        }
        let (end_key, rest) = (next.key, Break { key: from.0, direction: from.1, line: old.line });
        self.work += work;
        if first == usize::MAX {
            return false;
        }
        let mut stop = at;
        if old.key < from.0 {
            stop += 1;
            if from.0 < end_key {
                emit(&mut self.fresh, rest);
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
        if new_end > end {
            self.breaks.resize(length + new_end - end, Break { key: 4.0, direction: EAST, line: SHUT });
            self.breaks.copy_within(end..length, new_end);
        } else if new_end < end {
            self.breaks.copy_within(end..length, new_end);
            self.breaks.truncate(length + new_end - end);
        }
        self.breaks[first..new_end].copy_from_slice(&self.fresh);
    }

    /// Merges two lists over the whole circle into `merged`.
    pub(super) fn merge(lines: &[Line], old: &[Break], new: &[Break], merged: &mut Vec<Break>) {
        let start = merged.len();
        let (mut i, mut j) = (0, 0);
        let mut list = Vec::new();
        std::mem::swap(&mut list, merged);
        // Joining looks back one break: never into the list before.
        let mut from = (0.0, EAST);
        let mut is_first = true;
        while i + 1 < old.len() && j + 1 < new.len() {
            let (end_old, end_new) = (&old[i + 1], &new[j + 1]);
            let end = if end_old.key <= end_new.key { end_old } else { end_new };
            let to = (end.key, end.direction);
            let [a, b] = [old[i].line, new[j].line];
            let verdict = nearer(&lines[a as usize], &lines[b as usize], from.1, to.1);
            if is_first {
                let line = if matches!(verdict, Nearer::New | Nearer::NewThenOld(_)) { b } else { a };
                list.push(Break { key: from.0, direction: from.1, line });
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
