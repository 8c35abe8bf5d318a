//! The region of a watcher: walls laid into an envelope, nearest boxes first.
//!
//! Boxes of the tree are taken nearest first (a stack, the nearer child on top), those out of range or hidden are dropped.
//! Order is for speed alone: any order gives the same region. Should laying in one by one do too much (far walls that are
//! seen through very many gaps), what is left is merged by halves, which is O(n log n) whatever the walls are like.

use sentir_core::glam::DVec2;

use super::envelope::{Break, Envelope, Line, OPEN, SHUT, Way};
use super::obstacle::{Obstacles, Piece};
use super::region::{Region, Sector};
use super::tree::{Bounds, LEAF, Node, STACK_MAX};
use super::{Watcher, key, key_within};

/// Stretches that may be looked at for each wall and level of halving before the rest is merged.
const WORK_PER_WALL: u64 = 4;

/// Buffers of the sweep; may be dropped at any time.
#[derive(Clone, Debug, Default)]
pub struct Sweep {
    envelope: Envelope,
    /// The front of a convex ring.
    chain: Vec<Way>,
    /// Lists being merged, one after the other, and where each begins.
    lists: [Vec<Break>; 2],
    starts: [Vec<u32>; 2],
    merges_all: bool,
}

impl Sweep {
    /// One that merges all walls by halves, hidden or not: the same answers for more work. The worst case, for comparison.
    #[must_use]
    pub fn by_halves() -> Sweep {
        Sweep { merges_all: true, ..Sweep::default() }
    }

    /// Fills `region` with what a watcher sees; an empty region for one that cannot see at all.
    pub fn look(&mut self, obstacles: &Obstacles, watcher: &Watcher, region: &mut Region) {
        region.begin(watcher, obstacles.version());
        if !watcher.is_sound() || !self.envelope.begin(watcher) {
            return;
        }
        let origin = watcher.origin.as_dvec2();
        let range = f64::from(watcher.range_m);
        let walls = obstacles.wall_count() as u64;
        let work_max = if self.merges_all { 0 } else { WORK_PER_WALL * (walls + 16) * u64::from((walls + 16).ilog2()) };
        self.gather(obstacles, origin, range * range, work_max);
        finish(&self.envelope, range, region);
    }

    fn gather(&mut self, obstacles: &Obstacles, origin: DVec2, range_squared: f64, work_max: u64) {
        let nodes = &obstacles.tree.nodes;
        // Each entry is a node and a side of it: twice its number, plus the side.
        let mut stack = [0u32; STACK_MAX];
        let mut count = 0;
        if !nodes.is_empty() {
            count = push_near_last(&nodes[0], 0, origin, range_squared, &mut stack, 0);
        }
        while count > 0 {
            if self.envelope.work >= work_max {
                return self.merge_rest(obstacles, origin, range_squared, &stack[..count]);
            }
            count -= 1;
            let entry = stack[count];
            let (node, side) = (&nodes[entry as usize >> 1], entry as usize & 1);
            let child = node.child[side];
            let bounds = node.bounds[side].seen_from(origin);
            // What is near for its size is hardly ever hidden; what is in it is looked at one by one anyway.
            let is_wide = child & LEAF == 0 && bounds.distance_squared() < (bounds.high - bounds.low).length_squared();
            if !is_wide && self.envelope.hides(&bounds) {
                continue;
            }
            if child & LEAF != 0 {
                self.add_piece(obstacles, obstacles.piece(child & !LEAF), origin, &bounds);
            } else {
                count = push_near_last(&nodes[child as usize], child, origin, range_squared, &mut stack, count);
            }
        }
        for (number, bounds) in obstacles.loose() {
            let bounds = bounds.seen_from(origin);
            if bounds.distance_squared() <= range_squared && !self.envelope.hides(&bounds) {
                self.add_piece(obstacles, obstacles.piece(number), origin, &bounds);
            }
        }
    }

    fn add_piece(&mut self, obstacles: &Obstacles, piece: &Piece, origin: DVec2, bounds: &Bounds) {
        let corners = obstacles.corners(piece);
        if !piece.is_convex {
            let mut ends = corners.iter().map(|&corner| corner - origin);
            let Some(mut a) = ends.next() else { return };
            for b in ends {
                self.envelope.add(a, b);
                a = b;
            }
            return;
        }
        if !self.lay_front(corners, origin, bounds) {
            // From inside, or from its border, all of it is looked at.
            for wall in obstacles.piece_walls(piece) {
                self.envelope.add(wall[0] - origin, wall[1] - origin);
            }
        }
    }

    /// Lays in what is seen of a convex ring from outside; false from inside. The ring is counter-clockwise, its inside on the
    /// left: seen from outside, the front runs clockwise, and is one chain.
    fn lay_front(&mut self, corners: &[DVec2], origin: DVec2, bounds: &Bounds) -> bool {
        let Some(&last) = corners.last() else { return true };
        let mut a = last - origin;
        let mut was_front = false;
        // The corner at which the front begins, if not before the first, and how many walls of it there are.
        let (mut begin, mut count) = (usize::MAX, 0);
        for (number, &corner) in corners.iter().enumerate() {
            let b = corner - origin;
            let is_front = a.perp_dot(b) < 0.0;
            if is_front && !was_front && number > 0 {
                begin = number;
            }
            count += usize::from(is_front);
            was_front = is_front;
            a = b;
        }
        if count == 0 {
            return false;
        }
        let length = corners.len();
        let first = if begin == usize::MAX { length - 1 } else { begin - 1 };
        // From its last corner back to its first: counter-clockwise as seen from here.
        let mut at = if first + count < length { first + count } else { first + count - length };
        self.chain.clear();
        for _ in 0..=count {
            let d = corners[at] - origin;
            self.chain.push(Way::toward(d));
            at = if at == 0 { length - 1 } else { at - 1 };
        }
        self.envelope.lay(&self.chain, Some(bounds));
        true
    }

    /// Merges everything below the nodes of the stack, and what is loose, into the envelope by halves.
    #[inline(never)]
    fn merge_rest(&mut self, obstacles: &Obstacles, origin: DVec2, range_squared: f64, stack: &[u32]) {
        self.lists[0].clear();
        self.starts[0].clear();
        let nodes = &obstacles.tree.nodes;
        let mut waiting = [0u32; 2 * STACK_MAX];
        waiting[..stack.len()].copy_from_slice(stack);
        let mut count = stack.len();
        while count > 0 {
            count -= 1;
            let child = nodes[waiting[count] as usize >> 1].child[waiting[count] as usize & 1];
            if child & LEAF != 0 {
                self.add_lists(obstacles, child & !LEAF, origin);
            } else {
                count = push_near_last(&nodes[child as usize], child, origin, range_squared, &mut waiting, count);
            }
        }
        for (number, _) in obstacles.loose() {
            self.add_lists(obstacles, number, origin);
        }
        while self.starts[0].len() > 1 {
            self.merge_pairs();
        }
        if !self.starts[0].is_empty() {
            let [merged, whole] = &mut self.lists;
            whole.clear();
            Envelope::merge(&self.envelope.lines, &self.envelope.breaks, merged, whole);
            std::mem::swap(&mut self.envelope.breaks, whole);
        }
    }

    /// A list for each wall of a piece, round which nothing is.
    fn add_lists(&mut self, obstacles: &Obstacles, piece: u32, origin: DVec2) {
        let east = |key: f64, line: u32| Break { key, direction: DVec2::X, line };
        for wall in obstacles.piece_walls(obstacles.piece(piece)) {
            let [a, b] = wall.map(|end| end - origin);
            let turn = a.perp_dot(b);
            if turn == 0.0 {
                continue;
            }
            let (a, b) = if turn > 0.0 { (a, b) } else { (b, a) };
            let (from, to) = (key(a), key(b));
            let line = self.envelope.lines.len() as u32;
            self.envelope.lines.push(Line::through(a, b));
            let list = &mut self.lists[0];
            self.starts[0].push(list.len() as u32);
            let (first, between) = if from <= to { (OPEN, line) } else { (line, OPEN) };
            let breaks = if from <= to { [(from, a), (to, b)] } else { [(to, b), (from, a)] };
            list.push(east(0.0, first));
            list.push(Break { key: breaks[0].0, direction: breaks[0].1, line: between });
            list.push(Break { key: breaks[1].0, direction: breaks[1].1, line: first });
            list.push(east(4.0, SHUT));
        }
    }

    /// Half as many lists.
    fn merge_pairs(&mut self) {
        let [old, new] = &mut self.lists;
        let [starts, merged] = &mut self.starts;
        new.clear();
        merged.clear();
        let range = |number: usize| {
            let end = starts.get(number + 1).map_or(old.len(), |&end| end as usize);
            starts[number] as usize..end
        };
        for first in (0..starts.len()).step_by(2) {
            merged.push(new.len() as u32);
            if first + 1 < starts.len() {
                Envelope::merge(&self.envelope.lines, &old[range(first)], &old[range(first + 1)], new);
            } else {
                new.extend_from_slice(&old[range(first)]);
            }
        }
        std::mem::swap(old, new);
        std::mem::swap(starts, merged);
    }
}

/// Puts the children of a node that are in range on the stack, the nearer one last.
#[inline(always)]
fn push_near_last(
    node: &Node,
    number: u32,
    origin: DVec2,
    range_squared: f64,
    stack: &mut [u32],
    mut count: usize,
) -> usize {
    let apart =
        [node.bounds[0].seen_from(origin).distance_squared(), node.bounds[1].seen_from(origin).distance_squared()];
    let near = usize::from(apart[1] < apart[0]);
    for side in [1 - near, near] {
        // A child that is not there has an empty box, which is out of any range.
        if apart[side] <= range_squared {
            stack[count] = number * 2 + side as u32;
            count += 1;
        }
    }
    count
}

/// Makes sectors of the envelope: cuts walls at the range.
fn finish(envelope: &Envelope, range: f64, region: &mut Region) {
    let square = range * range;
    for pair in envelope.breaks.windows(2) {
        let (begin, end) = (&pair[0], &pair[1]);
        if begin.key >= end.key {
            continue;
        }
        match begin.line {
            SHUT | OPEN => quarter(region, begin, end, range),
            number => {
                let line = envelope.lines[number as usize];
                let (from, to) = (line.at(begin.direction), line.at(end.direction));
                if from.length_squared() <= square && to.length_squared() <= square {
                    region.push(Sector { key: begin.key, normal: line.normal, offset: line.offset, from, to });
                } else {
                    cut(region, [begin, end], &line, [from, to], range);
                }
            }
        }
    }
}

/// A stretch without a wall, cut at the axes: no sector is wider than half a turn.
fn quarter(region: &mut Region, begin: &Break, end: &Break, range: f64) {
    let mut from = (begin.key, begin.direction);
    let axes = [(1.0, DVec2::Y), (2.0, DVec2::NEG_X), (3.0, DVec2::NEG_Y), (end.key, end.direction)];
    for to in axes {
        if to.0 <= from.0 || to.0 > end.key {
            continue;
        }
        match begin.line {
            SHUT => region.push(Sector::shut(from.0, from.1)),
            _ => region.push_arc(from.0, from.1, to.1, range),
        }
        from = to;
    }
}

/// A wall that is out of range in part, or wholly.
fn cut(region: &mut Region, [begin, end]: [&Break; 2], line: &Line, [from, to]: [DVec2; 2], range: f64) {
    let key_of = |at: DVec2| key_within(at, begin.key, end.key);
    let length = line.normal.length();
    let along = DVec2::new(-line.normal.y, line.normal.x) / length;
    let foot = line.normal * (line.offset / (length * length));
    let half_squared = range * range - foot.length_squared();
    if half_squared <= 0.0 {
        return region.push_arc(begin.key, from, to, range);
    }
    let half = half_squared.sqrt();
    let (first, last) = (along.dot(from), along.dot(to));
    if first >= half || last <= -half {
        return region.push_arc(begin.key, from, to, range);
    }
    let mut start = (begin.key, from);
    if first < -half {
        let entry = foot - along * half;
        region.push_arc(begin.key, from, entry, range);
        start = (key_of(entry), entry);
    }
    let stop = if last > half { foot + along * half } else { to };
    region.push(Sector { key: start.0, normal: line.normal, offset: line.offset, from: start.1, to: stop });
    if last > half {
        region.push_arc(key_of(stop), stop, to, range);
    }
}
