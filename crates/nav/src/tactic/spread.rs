//! A mesh as a graph for tactical searches: points spread over it.
//!
//! Tactical costs bend ways anywhere, not at corners alone, so the mesh is sampled: both ends of every edge between two
//! polygons (a shortest way turns only there), its middle, more points along long ones, and a square lattice of points
//! inside polygons that have room for it. In a convex polygon everything sees everything: points on its border are joined to
//! each other and to all of the same polygon within [`REACH`] lattice steps; lattice points to what is within that reach
//! (sixteen directions). What is lost: a way is the cheapest *through these points*; it is pulled taut afterwards where that
//! is no dearer (see [`search`](super::search)). Links join the points where they begin and end.
//!
//! Built once a mesh, O(points); the edges are never written down.

use std::fmt;

use sentir_core::glam::{DVec2, Vec3};

use super::exposure::steps;
use super::graph::Graph;
use super::layer::{Segment, ground};
use crate::mesh::{AreaCosts, Mesh, MeshPoint};

/// How far lattice points are joined, in lattice steps: a knight's move and a little.
pub const REACH: f64 = 2.3;
/// Points of a mesh at most.
pub const POINTS_MAX: usize = 1 << 22;

/// How dense points lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpreadConfig {
    /// Distance of points along edges between polygons at most, m. Limit: 0.05..=1000.
    pub portal_m: f32,
    /// Distance of points inside polygons, m; 0 for none. Limit: 0, or 0.05..=1000.
    pub lattice_m: f32,
}

impl Default for SpreadConfig {
    fn default() -> Self {
        SpreadConfig { portal_m: 2.0, lattice_m: 2.0 }
    }
}

/// Why points are not spread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SpreadError {
    /// A distance is out of its limits.
    Range {
        /// What it is, m.
        value: f32,
    },
    /// There would be over [`POINTS_MAX`] points.
    TooLarge,
}

impl fmt::Display for SpreadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SpreadError::Range { value } => write!(f, "points cannot lie {value} m apart: expected 0.05 to 1000 m"),
            SpreadError::TooLarge => write!(f, "there would be over {POINTS_MAX} points: spread them wider"),
        }
    }
}

impl std::error::Error for SpreadError {}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Node {
    point: Vec3,
    /// The polygons it is on; the same twice for one inside.
    polygons: [u32; 2],
}

/// A link between two points of the spread.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Hop {
    from: u32,
    to: u32,
    link: u32,
}

/// Points spread over a mesh. Of use with that mesh only; after a change of its tiles or links it is built anew, but opening
/// and closing links needs nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spread {
    nodes: Vec<Node>,
    /// The nodes of each polygon: where they begin in `members`, and the end.
    firsts: Vec<u32>,
    members: Vec<u32>,
    hops: Vec<Hop>,
    /// Nodes from this one on are ends of links.
    links_from: u32,
    reach_m: f64,
}

impl Spread {
    /// Spreads points over a mesh.
    ///
    /// # Errors
    /// When a distance is out of its limits, or there would be too many points.
    pub fn build(mesh: &Mesh, config: &SpreadConfig) -> Result<Spread, SpreadError> {
        // None inside counts as well.
        for (value, is_none) in [(config.portal_m, false), (config.lattice_m, config.lattice_m == 0.0)] {
            if !(is_none || (0.05..=1000.0).contains(&value)) {
                return Err(SpreadError::Range { value });
            }
        }
        let mut spread = Spread { reach_m: REACH * f64::from(config.lattice_m), ..Spread::default() };
        for polygon in 0..mesh.polygon_count() {
            spread.add_portals(mesh, polygon, config.portal_m);
            if config.lattice_m > 0.0 {
                spread.add_lattice(mesh, polygon, f64::from(config.lattice_m));
            }
            if spread.nodes.len() > POINTS_MAX {
                return Err(SpreadError::TooLarge);
            }
        }
        spread.links_from = spread.nodes.len() as u32;
        spread.add_links(mesh);
        spread.list(mesh.polygon_count());
        Ok(spread)
    }

    /// How many points there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none: a mesh of one small polygon needs none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The points.
    pub fn points(&self) -> impl ExactSizeIterator<Item = Vec3> + '_ {
        self.nodes.iter().map(|node| node.point)
    }

    /// Where a point is, and the polygons it is on.
    pub(super) fn node(&self, node: u32) -> (Vec3, [u32; 2]) {
        let Node { point, polygons } = self.nodes[node as usize];
        (point, polygons)
    }

    /// Whether it was built of a mesh with as many polygons.
    pub(super) fn fits(&self, mesh: &Mesh) -> bool {
        self.firsts.len() == mesh.polygon_count() as usize + 1
    }

    fn add_portals(&mut self, mesh: &Mesh, polygon: u32, portal_m: f32) {
        let ends = mesh.ring(polygon).zip(mesh.ring(polygon).cycle().skip(1));
        for ((from, to), neighbor) in ends.zip(mesh.neighbors(polygon)) {
            // Each edge once, from the side of the polygon with the lesser number.
            let Some(other) = neighbor.filter(|&other| other > polygon) else { continue };
            // An even count, so that the middle is one of them.
            let count = steps((ground(to) - ground(from)).length(), f64::from(portal_m)).next_multiple_of(2);
            for number in 0..=count {
                let point = if number == count { to } else { from + (to - from) * (number as f32 / count as f32) };
                self.nodes.push(Node { point, polygons: [polygon, other] });
            }
            if self.nodes.len() > POINTS_MAX {
                return;
            }
        }
    }

    fn add_lattice(&mut self, mesh: &Mesh, polygon: u32, lattice_m: f64) {
        let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        for corner in mesh.ring(polygon) {
            (low, high) = (low.min(ground(corner)), high.max(ground(corner)));
        }
        let [first, last] = [(low / lattice_m).ceil(), (high / lattice_m).floor()];
        let size = last - first + DVec2::ONE;
        if !(size.x >= 1.0 && size.y >= 1.0) {
            return;
        }
        if size.x * size.y > POINTS_MAX as f64 {
            // Noticed by whoever counts.
            self.nodes.resize(POINTS_MAX + 1, Node { point: Vec3::ZERO, polygons: [polygon; 2] });
            return;
        }
        for row in 0..size.y as u32 {
            for column in 0..size.x as u32 {
                let at = (first + DVec2::new(column.into(), row.into())) * lattice_m;
                let ends = mesh.ring(polygon).zip(mesh.ring(polygon).cycle().skip(1));
                // Well inside: border points serve near the border.
                let is_inside = |(a, b): (Vec3, Vec3)| {
                    let (a, b) = (ground(a), ground(b));
                    (b - a).perp_dot(at - a) > 0.1 * lattice_m * (b - a).length()
                };
                if ends.into_iter().all(is_inside) {
                    let point = Vec3::new(at.x as f32, mesh.surface(polygon, at), -at.y as f32);
                    self.nodes.push(Node { point, polygons: [polygon; 2] });
                }
            }
        }
    }

    fn add_links(&mut self, mesh: &Mesh) {
        let reach = Vec3::new(0.01, 0.5, 0.01);
        for (number, link) in mesh.links().iter().enumerate() {
            let (Some(from), Some(to)) = (mesh.nearest(link.from, reach), mesh.nearest(link.to, reach)) else {
                continue;
            };
            let first = self.nodes.len() as u32;
            for MeshPoint { polygon, point } in [from, to] {
                self.nodes.push(Node { point, polygons: [polygon; 2] });
            }
            let link_number = number as u32;
            self.hops.push(Hop { from: first, to: first + 1, link: link_number });
            if link.is_two_way {
                self.hops.push(Hop { from: first + 1, to: first, link: link_number });
            }
        }
        self.hops.sort_unstable_by_key(|hop| (hop.from, hop.to));
    }

    /// Lists the nodes of each polygon.
    fn list(&mut self, polygon_count: u32) {
        let mut pairs: Vec<(u32, u32)> = Vec::with_capacity(self.nodes.len() * 2);
        for (number, node) in (0u32..).zip(&self.nodes) {
            let [a, b] = node.polygons;
            pairs.push((a, number));
            if a != b {
                pairs.push((b, number));
            }
        }
        pairs.sort_unstable();
        self.firsts = (0..=polygon_count).map(|it| pairs.partition_point(|pair| pair.0 < it) as u32).collect();
        self.members = pairs.into_iter().map(|pair| pair.1).collect();
    }

    /// Whether a node is joined to everything of its polygon: it lies on a border, or a link begins there.
    pub(super) fn is_wide(&self, node: u32) -> bool {
        let [a, b] = self.nodes[node as usize].polygons;
        a != b || self.reach_m == 0.0 || node >= self.links_from
    }
}

/// A spread with the two ends of a request: the start is the last node but one, the goal the last one.
#[derive(Clone, Copy, Debug)]
pub(super) struct SpreadGraph<'a> {
    pub(super) spread: &'a Spread,
    pub(super) mesh: &'a Mesh,
    pub(super) costs: &'a AreaCosts,
    pub(super) ends: [MeshPoint; 2],
}

impl SpreadGraph<'_> {
    pub(super) fn start(&self) -> u32 {
        self.spread.nodes.len() as u32
    }

    pub(super) fn goal(&self) -> u32 {
        self.spread.nodes.len() as u32 + 1
    }

    pub(super) fn polygons(&self, node: u32) -> [u32; 2] {
        match self.spread.nodes.get(node as usize) {
            Some(node) => node.polygons,
            None => [self.ends[usize::from(node == self.goal())].polygon; 2],
        }
    }
}

impl Graph for SpreadGraph<'_> {
    fn node_count(&self) -> u32 {
        self.spread.nodes.len() as u32 + 2
    }

    fn point(&self, node: u32) -> Vec3 {
        let end = || self.ends[usize::from(node == self.goal())].point;
        self.spread.nodes.get(node as usize).map_or_else(end, |node| node.point)
    }

    fn visit_edges(&self, node: u32, visit: &mut dyn FnMut(u32, &Segment)) {
        let here = self.point(node);
        let at = ground(here);
        let is_end = node >= self.start();
        let is_wide = is_end || self.spread.is_wide(node);
        let reach_m = self.spread.reach_m;
        let polygons = self.polygons(node);
        for polygon in polygons.into_iter().take(if polygons[0] == polygons[1] { 1 } else { 2 }) {
            let area = self.mesh.area(polygon);
            if !self.costs.is_passable(area) && polygon != self.ends[0].polygon {
                continue;
            }
            let run = self.spread.firsts[polygon as usize] as usize..self.spread.firsts[polygon as usize + 1] as usize;
            for &other in &self.spread.members[run] {
                let there = self.spread.nodes[other as usize].point;
                let to = ground(there);
                let is_joined =
                    (to - at).length_squared() <= reach_m * reach_m || (is_wide && self.spread.is_wide(other));
                if is_joined && other != node {
                    let height_m = (here.y + there.y) * 0.5;
                    visit(other, &Segment { from: at, to, height_m, area, link_cost_m: None });
                }
            }
            if polygon == self.ends[1].polygon && node != self.goal() {
                visit(self.goal(), &Segment::new(here, self.ends[1].point, area));
            }
        }
        let first = self.spread.hops.partition_point(|hop| hop.from < node);
        for hop in self.spread.hops[first..].iter().take_while(|hop| hop.from == node) {
            let link = &self.mesh.links()[hop.link as usize];
            let there = self.spread.nodes[hop.to as usize];
            if link.is_open && self.costs.is_passable(self.mesh.area(there.polygons[0])) {
                let segment = Segment::new(here, there.point, self.mesh.area(there.polygons[0]));
                visit(hop.to, &Segment { link_cost_m: Some(f64::from(link.cost_m)), ..segment });
            }
        }
    }

    fn thrift(&self) -> f64 {
        let mut thrift = 1.0;
        for link in self.mesh.links().iter().filter(|link| link.is_open) {
            let length = (ground(link.to) - ground(link.from)).length();
            if f64::from(link.cost_m) < thrift * length {
                thrift = f64::from(link.cost_m) / length;
            }
        }
        thrift
    }
}
