//! What the formation scenes read out of their level: walls, the march, and ways for whoever is sent somewhere.

use sentir::core::glam::Vec2;
use sentir::core::plane;
use sentir_act::Wall;
use sentir_level::Level;

use super::way::{Search, Tiles};
use sentir_harness::info::SceneError;
use sentir_sim::wall::walls;

/// Name of the asset.
pub const NAME: &str = "formation.yaml";
/// Its stock content.
pub const STOCK: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/formation/formation.yaml"));

/// The level with its march, checked.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The level.
    pub level: Level,
    /// Its walls.
    pub walls: Vec<Wall>,
    /// The march: at least two places.
    pub route: Vec<Vec2>,
    /// What it is walked by.
    tiles: Tiles,
}

impl Layout {
    /// Reads and checks.
    pub fn of(level: Level) -> Result<Layout, SceneError> {
        let of_kind = |kind: &'static str| level.annotations().iter().filter(move |note| note.kind == kind);
        let route: Vec<Vec2> = of_kind("route").map(|note| plane::ground(note.position)).collect();
        if route.len() < 2 {
            return Err(whole("a march needs at least two annotations of kind 'route'".to_owned()));
        }
        let walls = walls(&level);
        let tiles = Tiles::of(&walls, &route).ok_or_else(|| whole("there is nothing to walk on".to_owned()))?;
        Ok(Layout { walls, level, route, tiles })
    }

    /// Fills `out` with a way, the next place last; false if no way leads there.
    pub fn path(&self, from: Vec2, to: Vec2, search: Search, out: &mut Vec<Vec2>) -> bool {
        self.tiles.path([from, to], search, &self.walls, out)
    }

    /// Fills `out` with the way along the march up to one of its places, the next place last; false if no way leads there.
    pub fn march(&self, from: Vec2, legs: usize, search: Search, out: &mut Vec<Vec2>) -> bool {
        let (mut at, mut leg) = (from, Vec::new());
        out.clear();
        for &place in &self.route[1..self.route.len().min(1 + legs)] {
            if !self.path(at, place, search, &mut leg) {
                out.clear();
                return false;
            }
            out.splice(0..0, leg.iter().copied());
            at = place;
        }
        !out.is_empty()
    }
}

/// A fault of the asset as a whole.
fn whole(what: String) -> SceneError {
    SceneError::Asset { name: NAME.to_owned(), line: 0, column: 0, what }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sentir_act::formation::trail::is_clear;

    fn layout(text: &str) -> Result<Layout, SceneError> {
        Layout::of(sentir_level::parse(text.as_bytes(), NAME).and_then(|spec| spec.build()).unwrap())
    }

    #[test]
    fn ways_lead_round_walls_and_through_the_door_by_either_search() {
        let layout = layout(STOCK).unwrap();
        let mut out = Vec::new();
        for (from, to) in [([-15.0, -8.0], [-15.0, 8.0]), ([-10.0, 10.0], [18.0, -10.0]), ([0.0, -8.0], [4.0, -8.0])] {
            let (from, to) = (Vec2::from(from), Vec2::from(to));
            let mut lengths = [0.0; 2];
            for (search, length) in [Search::Astar, Search::Lrta].into_iter().zip(&mut lengths) {
                assert!(layout.path(from, to, search, &mut out), "{search:?} {from} to {to}");
                assert_eq!(out[0], to);
                let mut at = from;
                for &next in out.iter().rev() {
                    assert!(is_clear(at, next, 0.3, &layout.walls), "{search:?} {from} to {to}: {out:?}");
                    *length += at.distance(next);
                    at = next;
                }
            }
            assert!(lengths[0] <= lengths[1] + 0.5, "{lengths:?}: nothing is shorter than the shortest");
        }
    }

    #[test]
    fn where_no_way_leads_to_that_is_said() {
        let shut = STOCK.replace("[2, 6.3]", "[2, 7.7]");
        assert_ne!(shut, STOCK);
        let (layout, mut out) = (layout(&shut).unwrap(), vec![Vec2::ONE]);
        for search in [Search::Astar, Search::Lrta] {
            assert!(!layout.path(Vec2::new(-7.0, -7.5), Vec2::new(-12.0, 7.0), search, &mut out) && out.is_empty());
            assert!(!layout.march(Vec2::new(-7.0, -7.5), 3, search, &mut out) && out.is_empty());
            assert!(layout.march(Vec2::new(-7.0, -7.5), 2, search, &mut out) && !out.is_empty());
            // Into a crate.
            assert!(!layout.path(Vec2::new(-7.0, -7.5), Vec2::new(400.0, 0.0), search, &mut out));
        }
    }

    #[test]
    fn a_level_without_a_march_is_refused() {
        let none = STOCK.replace("kind: route", "kind: other");
        let said = layout(&none).unwrap_err().to_string();
        assert_eq!(said, "formation.yaml:0:0: a march needs at least two annotations of kind 'route'");
    }
}
