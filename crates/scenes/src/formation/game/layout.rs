//! What the formation scenes read out of their level: walls, the march, and ways for whoever is sent somewhere.

use sentir::core::glam::Vec2;
use sentir::core::plane;
use sentir_act::Wall;
use sentir_act::formation::trail::is_clear;
use sentir_level::Level;

use sentir_harness::info::SceneError;
use sentir_sim::wall::walls;

/// Name of the asset.
pub const NAME: &str = "formation.yaml";
/// Its stock content.
pub const STOCK: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/formation/formation.yaml"));

/// What a way needs on either side, m.
const CLEARANCE_M: f32 = 0.45;

/// The level with its march, checked.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The level.
    pub level: Level,
    /// Its walls.
    pub walls: Vec<Wall>,
    /// The march: at least two places.
    pub route: Vec<Vec2>,
    /// Places by which one gets everywhere, those of the route among them.
    nodes: Vec<Vec2>,
}

impl Layout {
    /// Reads and checks.
    pub fn of(level: Level) -> Result<Layout, SceneError> {
        let of_kind = |kind: &'static str| level.annotations().iter().filter(move |note| note.kind == kind);
        let route: Vec<Vec2> = of_kind("route").map(|note| plane::ground(note.position)).collect();
        let mut nodes = route.clone();
        nodes.extend(of_kind("node").map(|note| plane::ground(note.position)));
        let layout = Layout { walls: walls(&level), level, route, nodes };
        if layout.route.len() < 2 {
            return Err(whole("a march needs at least two annotations of kind 'route'".to_owned()));
        }
        match layout.route.windows(2).find(|leg| !layout.is_passable(leg[0], leg[1])) {
            Some(leg) => Err(whole(format!("something stands in the way from {} to {}", leg[0], leg[1]))),
            None => Ok(layout),
        }
    }

    /// Whether somebody could go straight from one place to another.
    pub fn is_passable(&self, from: Vec2, to: Vec2) -> bool {
        is_clear(from, to, CLEARANCE_M, &self.walls)
    }

    /// Fills `out` with a way, the next place last: straight, or over the nodes by the shortest way; straight, too, if
    /// there is none. A stand-in until there is navigation.
    pub fn path(&self, from: Vec2, to: Vec2, out: &mut Vec<Vec2>) {
        out.clear();
        out.push(to);
        if self.is_passable(from, to) {
            return;
        }
        // From the goal backward, so that the way comes out with the next place last.
        let mut best: Vec<(f32, Option<usize>)> = self
            .nodes
            .iter()
            .map(|&node| if self.is_passable(node, to) { (node.distance(to), None) } else { (f32::INFINITY, None) })
            .collect();
        // Each round settles at least one node.
        for _ in 0..self.nodes.len() {
            for (one, &at) in self.nodes.iter().enumerate() {
                for (other, &by) in self.nodes.iter().enumerate() {
                    let cost = best[other].0 + at.distance(by);
                    if cost < best[one].0 && self.is_passable(at, by) {
                        best[one] = (cost, Some(other));
                    }
                }
            }
        }
        let reach = |number: usize| {
            let node = self.nodes[number];
            if self.is_passable(from, node) { best[number].0 + node.distance(from) } else { f32::NAN }
        };
        let first = sentir::core::order::least((0..self.nodes.len()).map(reach));
        let first = first.filter(|&number| best[number].0.is_finite());
        let chain = std::iter::successors(first, |&number| best[number].1).take(self.nodes.len());
        out.extend(chain.map(|number| self.nodes[number]));
        out[1..].reverse();
    }
}

/// A fault of the asset as a whole.
fn whole(what: String) -> SceneError {
    SceneError::Asset { name: NAME.to_owned(), line: 0, column: 0, what }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(text: &str) -> Result<Layout, SceneError> {
        Layout::of(sentir_level::parse(text.as_bytes(), NAME).and_then(|spec| spec.build()).unwrap())
    }

    #[test]
    fn ways_lead_round_walls_and_through_the_door() {
        let layout = layout(STOCK).unwrap();
        let mut out = Vec::new();
        for (from, to) in [([-15.0, -8.0], [-15.0, 8.0]), ([-10.0, 10.0], [18.0, -10.0]), ([0.0, -8.0], [4.0, -8.0])] {
            let (from, to) = (Vec2::from(from), Vec2::from(to));
            layout.path(from, to, &mut out);
            assert_eq!(out[0], to);
            let mut at = from;
            for &next in out.iter().rev() {
                assert!(layout.is_passable(at, next), "{from} to {to}: {out:?}");
                at = next;
            }
        }
    }

    #[test]
    fn a_march_that_cannot_be_walked_is_refused() {
        let say = |text: &str| layout(text).unwrap_err().to_string();
        let none = STOCK.replace("kind: route", "kind: other");
        assert_eq!(say(&none), "formation.yaml:0:0: a march needs at least two annotations of kind 'route'");
        let shut = STOCK.replace("at: [12, -7.5]", "at: [-11, 7]");
        assert_eq!(say(&shut), "formation.yaml:0:0: something stands in the way from [-7, -7.5] to [-11, 7]");
    }
}
