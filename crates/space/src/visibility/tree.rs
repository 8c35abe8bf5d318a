//! A tree of boxes over pieces, built by halving at the median, refitted when a piece moves.
//!
//! Building costs O(n log² n) at most, a refit O(depth), and the depth is at most ⌈log₂ n⌉ + 1. Both boxes of a node's
//! children lie in the node, so that going down touches one node a step.

use sentir_core::glam::DVec2;

/// A box on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bounds {
    pub(crate) low: DVec2,
    pub(crate) high: DVec2,
}

impl Bounds {
    pub(crate) const EMPTY: Bounds = Bounds { low: DVec2::INFINITY, high: DVec2::NEG_INFINITY };

    pub(crate) fn around(points: impl IntoIterator<Item = DVec2>) -> Bounds {
        let grow = |it: Bounds, at: DVec2| Bounds { low: it.low.min(at), high: it.high.max(at) };
        points.into_iter().fold(Bounds::EMPTY, grow)
    }

    pub(crate) fn union(self, other: Bounds) -> Bounds {
        Bounds { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// The square of how far it is from zero.
    #[inline(always)]
    pub(crate) fn distance_squared(&self) -> f64 {
        let axis = |low: f64, high: f64| {
            let apart = if low > -high { low } else { -high };
            if apart > 0.0 { apart } else { 0.0 }
        };
        let (x, y) = (axis(self.low.x, self.high.x), axis(self.low.y, self.high.y));
        x * x + y * y
    }

    /// The same box, seen from another point.
    #[inline(always)]
    pub(crate) fn seen_from(&self, origin: DVec2) -> Bounds {
        Bounds { low: self.low - origin, high: self.high - origin }
    }
}

/// Marks a child as a piece.
pub(crate) const LEAF: u32 = 1 << 31;
/// No child.
pub(crate) const NONE: u32 = u32::MAX;
/// Nodes that wait at most, while going down with one waiting a level: far over any depth of a halving tree.
pub(crate) const STACK_MAX: usize = 64;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) bounds: [Bounds; 2],
    /// A node, or a piece with [`LEAF`], or [`NONE`].
    pub(crate) child: [u32; 2],
    parent: u32,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    pub(crate) nodes: Vec<Node>,
    /// For each piece: the node it hangs on, and on which side.
    places: Vec<(u32, u8)>,
}

impl Tree {
    /// A tree over pieces with these boxes.
    pub(crate) fn build(&mut self, bounds: &[Bounds]) {
        self.nodes.clear();
        self.places.clear();
        self.places.resize(bounds.len(), (NONE, 0));
        let mut order: Vec<u32> = (0..bounds.len() as u32).collect();
        match order.as_mut_slice() {
            [] => {}
            [only] => {
                let bounds = [bounds[*only as usize], Bounds::EMPTY];
                self.nodes.push(Node { bounds, child: [LEAF | *only, NONE], parent: NONE });
                self.places[0] = (0, 0);
            }
            all => {
                self.split(all, bounds, NONE);
            }
        }
    }

    /// A node over at least two pieces; its number and box.
    fn split(&mut self, order: &mut [u32], bounds: &[Bounds], parent: u32) -> (u32, Bounds) {
        let middle = |piece: u32| bounds[piece as usize].low + bounds[piece as usize].high;
        let spread = Bounds::around(order.iter().map(|&piece| middle(piece)));
        let size = spread.high - spread.low;
        let axis = usize::from(size.y > size.x);
        let half = order.len() / 2;
        order.select_nth_unstable_by(half, |&a, &b| middle(a)[axis].total_cmp(&middle(b)[axis]).then(a.cmp(&b)));
        let number = self.nodes.len() as u32;
        self.nodes.push(Node { bounds: [Bounds::EMPTY; 2], child: [NONE; 2], parent });
        let (left, right) = order.split_at_mut(half);
        for (side, part) in [left, right].into_iter().enumerate() {
            let (child, around) = if let [piece] = *part {
                self.places[piece as usize] = (number, side as u8);
                (LEAF | piece, bounds[piece as usize])
            } else {
                self.split(part, bounds, number)
            };
            let node = &mut self.nodes[number as usize];
            (node.child[side], node.bounds[side]) = (child, around);
        }
        let [a, b] = self.nodes[number as usize].bounds;
        (number, a.union(b))
    }

    /// Takes over the new box of a piece.
    pub(crate) fn refit(&mut self, piece: u32, bounds: Bounds) {
        let Some(&(mut number, mut side)) = self.places.get(piece as usize) else { return };
        let mut bounds = bounds;
        while number != NONE {
            let node = &mut self.nodes[number as usize];
            node.bounds[usize::from(side)] = bounds;
            bounds = node.bounds[0].union(node.bounds[1]);
            let parent = node.parent;
            if parent != NONE {
                side = u8::from(self.nodes[parent as usize].child[1] == number);
            }
            number = parent;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn depth(tree: &Tree, node: u32) -> usize {
        1 + tree.nodes[node as usize]
            .child
            .iter()
            .map(|&child| if child & LEAF == 0 { depth(tree, child) } else { 0 })
            .max()
            .unwrap_or(0)
    }

    #[test]
    fn a_tree_is_balanced_and_follows_a_move() {
        let at = |x: f64| Bounds { low: DVec2::new(x, 0.0), high: DVec2::new(x + 1.0, 1.0) };
        for count in [1u32, 2, 3, 7, 100, 1000] {
            // All in one place, too.
            for step in [0.0, 3.0] {
                let boxes: Vec<Bounds> = (0..count).map(|number| at(f64::from(number) * step)).collect();
                let mut tree = Tree::default();
                tree.build(&boxes);
                assert!(depth(&tree, 0) <= count.ilog2() as usize + 1);
                tree.refit(0, at(-500.0));
                let [a, b] = tree.nodes[0].bounds;
                assert_eq!(a.union(b).low.x, -500.0);
            }
        }
    }
}
