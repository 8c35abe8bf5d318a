//! One step of the interval search: what a cone falls on in the polygon it enters, and what lies round its corners.

use sentir_core::glam::DVec2;

use super::super::patch::ground;
use super::super::table::Edge;
use super::super::tile::NONE;
use super::{AnyAngleSearch, Best, Cone, LEFT_END, RIGHT_END, ROOT, Root, Task};

impl AnyAngleSearch {
    /// What a cone leads to in the polygon it enters.
    pub(super) fn look(&mut self, task: &mut Task<'_>, cone: &Cone) {
        let mesh = task.mesh;
        let polygon = mesh.owners[cone.edge as usize];
        let face = mesh.faces[polygon as usize];
        let entry = Entry { first: face.first, count: u32::from(face.count), edge: cone.edge - face.first };
        let ring = &mesh.edges[face.first as usize..][..usize::from(face.count)];
        let at = self.roots[(cone.root & ROOT) as usize].at;
        if self.marks[polygon as usize] == self.round * 2 + 1 {
            if !task.is_many {
                return self.finish(task, cone, &entry);
            }
            self.finish_many(task, cone, &entry, polygon);
        }
        if face.has_link {
            self.reach_links(task, cone, &entry, polygon);
        }
        let limit = mesh.tolerance;
        let (root, count) = (cone.root & ROOT, entry.count);
        // Edge j of the ring lies from corner j to corner j + 1; edge 0 is where the cone comes in, corner 1 its right
        // end, corner `count` its left end. First, what is right of the cone.
        let mut number = 1;
        let mut is_rim = cone.root & RIGHT_END != 0;
        let mut corner = DVec2::ZERO;
        let mut start = ring[entry.ring(1)].at() - at;
        let mut is_chain = is_rim;
        while number < count {
            corner = ring[entry.ring(number + 1)].at() - at;
            let side = cone.right.perp_dot(corner);
            if side > limit {
                break;
            }
            let is_next_rim = side >= -limit;
            // Edges along the rim, one after the other and away from the root: their near ends may be turns.
            is_chain &= is_next_rim && cone.right.dot(corner) > cone.right.dot(start);
            if is_chain && number > 1 {
                self.see(task, entry.edge(number), cone.right, cone.right, root | RIGHT_END | LEFT_END);
            }
            is_rim = is_next_rim;
            start = corner;
            number += 1;
        }
        let right_count = number;
        let is_cut = !is_rim && number < count;
        // Then what it falls on.
        let mut from = if is_rim && number > 1 { start } else { cone.right };
        let mut flags = root | if is_rim { RIGHT_END } else { 0 };
        let mut left_rim = false;
        while number < count {
            let side = cone.left.perp_dot(corner);
            if side >= -limit || number + 1 == count {
                left_rim = if number + 1 == count { cone.root & LEFT_END != 0 } else { side <= limit };
                let (left, end) = if left_rim { (corner, LEFT_END) } else { (cone.left, 0) };
                self.see(task, entry.edge(number), from, left, flags | end);
                break;
            }
            self.see(task, entry.edge(number), from, corner, flags | LEFT_END);
            from = corner;
            flags = root | RIGHT_END;
            number += 1;
            corner = ring[entry.ring(number + 1)].at() - at;
        }
        let left_from = number;
        if right_count > 1 && cone.root & RIGHT_END != 0 && ring[entry.ring(1)].turn() != Edge::NO_TURN {
            self.turn_right(task, cone, &entry, right_count, is_cut);
        }
        if left_from + 1 < count && cone.root & LEFT_END != 0 {
            self.look_left(task, cone, &entry, left_from, left_rim);
        }
    }

    /// What lies left of a cone whose left rim goes through the end of its edge.
    pub(super) fn look_left(&mut self, task: &mut Task<'_>, cone: &Cone, entry: &Entry, last: u32, is_rim: bool) {
        let (mesh, limit) = (task.mesh, task.mesh.tolerance);
        let at = self.roots[(cone.root & ROOT) as usize].at;
        let point = |number: u32| mesh.edges[entry.edge(number) as usize].at() - at;
        // Edges along the rim.
        let mut is_rim = is_rim;
        for number in last + 1..entry.count - 1 {
            if !is_rim || cone.left.perp_dot(point(number + 1)) > limit {
                break;
            }
            is_rim = true;
            let flags = RIGHT_END | LEFT_END;
            self.see(task, entry.edge(number), cone.left, cone.left, (cone.root & ROOT) | flags);
        }
        if mesh.edges[entry.edge(0) as usize].turn() != Edge::NO_TURN {
            let is_cut = cone.left.perp_dot(point(last + 1)) > limit;
            self.turn_left(task, cone, entry, last, is_cut);
        }
    }

    /// The new root when a way turns where an edge begins.
    #[inline]
    pub(super) fn turn_at(&mut self, task: &Task<'_>, parent: u32, edge: u32) -> Option<u32> {
        let corner = task.mesh.edges[edge as usize];
        let Root { at, cost, .. } = self.roots[parent as usize];
        let cost = cost + (corner.at() - at).length();
        let height = task.mesh.heights[edge as usize];
        self.root(task, Root { at: corner.at(), cost, height, parent, key: corner.turn(), link: NONE })
    }

    /// Turns right at the right end of the cone's edge: what is right of the cone in this polygon, up to edge `last` (cut
    /// by the cone's rim if `is_cut`), and all further polygons of the fan.
    pub(super) fn turn_right(&mut self, task: &mut Task<'_>, cone: &Cone, entry: &Entry, last: u32, is_cut: bool) {
        let mesh = task.mesh;
        let Some(root) = self.turn_at(task, cone.root & ROOT, entry.edge(1)) else { return };
        let at = self.roots[root as usize].at;
        let point = |number: u32| mesh.edges[entry.edge(number) as usize].at() - at;
        let end = if is_cut { last } else { last - 1 };
        for number in 2..=end.min(entry.count - 1) {
            let (left, flag) = if is_cut && number == last { (cone.right, 0) } else { (point(number + 1), LEFT_END) };
            self.see(task, entry.edge(number), point(number), left, root | RIGHT_END | flag);
        }
        let mut edge = entry.edge(1);
        while self.is_passage(task, edge) {
            let twin = mesh.edges[edge as usize].twin;
            let other = mesh.owners[twin as usize];
            if other == mesh.owners[cone.edge as usize] {
                break;
            }
            self.see_fan(task, other, twin, root, 2);
            edge = mesh.next(twin);
        }
    }

    /// As [`Self::turn_right`], at the left end.
    pub(super) fn turn_left(&mut self, task: &mut Task<'_>, cone: &Cone, entry: &Entry, first: u32, is_cut: bool) {
        let mesh = task.mesh;
        let Some(root) = self.turn_at(task, cone.root & ROOT, entry.edge(0)) else { return };
        let at = self.roots[root as usize].at;
        let point = |number: u32| mesh.edges[entry.edge(number) as usize].at() - at;
        for number in if is_cut { first } else { first + 1 }..entry.count - 1 {
            let (right, flag) = if is_cut && number == first { (cone.left, 0) } else { (point(number), RIGHT_END) };
            self.see(task, entry.edge(number), right, point(number + 1), root | LEFT_END | flag);
        }
        let mut edge = entry.edge(entry.count - 1);
        while self.is_passage(task, edge) {
            let twin = mesh.edges[edge as usize].twin;
            let other = mesh.owners[twin as usize];
            if other == mesh.owners[cone.edge as usize] {
                break;
            }
            self.see_fan(task, other, twin, root, 1);
            edge = mesh.previous(twin);
        }
    }

    /// A root sees a polygon from one of its corners: every edge but the two there. `skip` is how far after `edge` the
    /// first one comes.
    pub(super) fn see_fan(&mut self, task: &mut Task<'_>, polygon: u32, edge: u32, root: u32, skip: u32) {
        let mesh = task.mesh;
        self.arrive(task, polygon, root);
        let at = self.roots[root as usize].at;
        let face = mesh.faces[polygon as usize];
        let entry = Entry { first: face.first, count: u32::from(face.count), edge: edge - face.first };
        let mut from = mesh.edges[entry.edge(skip) as usize].at() - at;
        for number in skip..skip + entry.count - 2 {
            let to = mesh.edges[entry.edge(number + 1) as usize].at() - at;
            self.see(task, entry.edge(number), from, to, root | RIGHT_END | LEFT_END);
            from = to;
        }
    }

    /// The length from a cone's root to a point in the polygon it enters, straight or round an end of the edge. The
    /// turn is given as the edge that begins there.
    pub(super) fn length_within(
        &self,
        task: &Task<'_>,
        cone: &Cone,
        entry: &Entry,
        point: DVec2,
    ) -> Option<(f64, Option<u32>)> {
        let at = self.roots[(cone.root & ROOT) as usize].at;
        let way = point - at;
        let room = task.mesh.tolerance.sqrt() * 16.0;
        let is_off = |side: f64, rim: DVec2| side > task.mesh.tolerance && side > room * rim.length();
        let turn = if is_off(-cone.right.perp_dot(way), cone.right) {
            (RIGHT_END, entry.edge(1))
        } else if is_off(cone.left.perp_dot(way), cone.left) {
            (LEFT_END, entry.edge(0))
        } else {
            return Some((way.length(), None));
        };
        let corner = task.mesh.edges[turn.1 as usize];
        let is_turn = cone.root & turn.0 != 0 && corner.turn() != Edge::NO_TURN;
        is_turn.then(|| ((corner.at() - at).length() + (point - corner.at()).length(), Some(turn.1)))
    }

    /// The cone enters the polygon of the goal.
    pub(super) fn finish(&mut self, task: &mut Task<'_>, cone: &Cone, entry: &Entry) {
        let Some((length, turn)) = self.length_within(task, cone, entry, task.goal) else { return };
        let mut root = cone.root & ROOT;
        let cost = self.roots[root as usize].cost + length;
        if cost < task.best.cost {
            if let Some(edge) = turn {
                let Some(turned) = self.turn_at(task, root, edge) else { return };
                root = turned;
            }
            task.best = Best { cost, root };
        }
    }

    /// The cone enters a polygon with links.
    pub(super) fn reach_links(&mut self, task: &mut Task<'_>, cone: &Cone, entry: &Entry, polygon: u32) {
        for (number, hop) in task.mesh.hops_from(polygon) {
            let point = ground(hop.from.point);
            let Some((length, turn)) = self.length_within(task, cone, entry, point) else { continue };
            let root = cone.root & ROOT;
            match turn.map(|edge| self.turn_at(task, root, edge)) {
                None => self.hop(task, number, root, length),
                Some(Some(turned)) => {
                    let length = (point - self.roots[turned as usize].at).length();
                    self.hop(task, number, turned, length);
                }
                Some(None) => {}
            }
        }
    }
}

/// A ring, counted from the edge by which it is entered.
pub(super) struct Entry {
    first: u32,
    count: u32,
    edge: u32,
}

impl Entry {
    /// MeshPoint in the ring of the edge so many after the entry. Limit: under twice the count.
    #[inline]
    fn ring(&self, number: u32) -> usize {
        let at = self.edge + number;
        (if at >= self.count { at - self.count } else { at }) as usize
    }

    /// The same, as an edge of the mesh.
    #[inline]
    fn edge(&self, number: u32) -> u32 {
        self.first + self.ring(number) as u32
    }
}
