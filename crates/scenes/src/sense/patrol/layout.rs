//! What `patrol` reads out of its level: the guards' round and ways for the intruder.

use sentir::core::geometry::Ray;
use sentir::core::glam::{Vec2, Vec3};
use sentir::core::plane;
use sentir_level::{Blocks, Level, LevelState, LevelView};

use sentir_harness::info::SceneError;

/// Name of the asset.
pub const NAME: &str = "patrol.yaml";
/// Its stock content.
pub const STOCK: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/sense/patrol.yaml"));

/// What a way needs on either side, m: a body and a hand's breadth.
const CLEARANCE_M: f32 = 0.35;
/// How high over the ground a way must be free, m: over what one steps on, under the knee.
const KNEE_M: f32 = 0.5;

/// The level with its round and routes, checked.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The level: public knowledge.
    pub level: Level,
    /// As it stands at the beginning; nothing moves here.
    state: LevelState,
    /// The guards' round; at least two.
    pub waypoints: Vec<Vec2>,
    /// Ways for the intruder, at least one, each of at least two points.
    pub routes: Vec<Vec<Vec2>>,
}

impl Layout {
    /// Reads the round and the routes out of the level, and checks them.
    pub fn of(level: Level) -> Result<Layout, SceneError> {
        let state = LevelState::new(&level);
        let of_kind = |kind: &'static str| level.annotations().iter().filter(move |note| note.kind == kind);
        let waypoints: Vec<Vec2> = of_kind("waypoint").map(|note| plane::ground(note.position)).collect();
        let mut routes: Vec<(&str, Vec<Vec2>)> = Vec::new();
        for note in of_kind("route") {
            let place = plane::ground(note.position);
            match routes.iter_mut().find(|(name, _)| *name == note.text) {
                Some((_, route)) => route.push(place),
                None => routes.push((&note.text, vec![place])),
            }
        }
        if waypoints.len() < 2 {
            return Err(whole("a round needs at least two annotations of kind 'waypoint'".to_owned()));
        }
        if routes.is_empty() {
            return Err(whole("an intruder needs annotations of kind 'route'".to_owned()));
        }
        if let Some((name, _)) = routes.iter().find(|(_, route)| route.len() < 2) {
            return Err(whole(format!("the route '{name}' needs at least two points")));
        }
        let routes: Vec<_> = routes.into_iter().map(|(_, route)| route).collect();
        let layout = Layout { state, waypoints, routes, level };
        layout.check_ways()?;
        Ok(layout)
    }

    /// Whether somebody could go straight from one place to another: nothing at knee height, on either side.
    pub fn is_passable(&self, from: Vec2, to: Vec2) -> bool {
        let view = LevelView { level: &self.level, state: &self.state };
        let aside = plane::left_of(plane::direction(to - from)) * CLEARANCE_M;
        [aside, -aside].into_iter().all(|aside| {
            let lift = |place: Vec2| plane::lift(place + aside, 0.0) + Vec3::Y * KNEE_M;
            Ray::between(lift(from), lift(to)).is_none_or(|ray| !view.is_blocked(&ray, Blocks::BODIES))
        })
    }

    fn check_ways(&self) -> Result<(), SceneError> {
        let round = self.waypoints.iter().zip(self.waypoints.iter().cycle().skip(1));
        let ways = self.routes.iter().flat_map(|route| route.iter().zip(route.iter().skip(1)));
        match round.chain(ways).find(|(from, to)| !self.is_passable(**from, **to)) {
            Some((from, to)) => Err(whole(format!("something stands in the way from {from} to {to}"))),
            None => Ok(()),
        }
    }
}

fn whole(what: String) -> SceneError {
    SceneError::Asset { name: NAME.to_owned(), line: 0, column: 0, what }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sentir_harness::info::{Changes, level_asset};

    fn parse(text: &str) -> Result<Layout, SceneError> {
        let scene = crate::CATALOG.find("patrol").unwrap();
        let setup = scene.setup(1, Changes { settings: &[], assets: &[(NAME.to_owned(), text.to_owned())] }).unwrap();
        Layout::of(level_asset(&setup, NAME)?)
    }

    fn say(text: &str) -> String {
        parse(text).unwrap_err().to_string()
    }

    #[test]
    fn the_stock_yard_is_whole() {
        let layout = parse(STOCK).unwrap();
        assert_eq!((layout.waypoints.len(), layout.routes.len()), (4, 4));
        assert!(!layout.is_passable(Vec2::new(-8.5, 0.0), Vec2::new(4.5, 0.0)), "the hut stands there");
    }

    #[test]
    fn each_mistake_is_told() {
        for (from, to, sentence) in [
            (
                "kind: waypoint",
                "kind: wapyoint",
                "patrol.yaml:0:0: a round needs at least two annotations of kind 'waypoint'",
            ),
            ("kind: route", "kind: rout", "patrol.yaml:0:0: an intruder needs annotations of kind 'route'"),
            (
                "text: south, at: [-20, -5.5]",
                "text: alone, at: [-20, -5.5]",
                "patrol.yaml:0:0: the route 'alone' needs at least two points",
            ),
            (
                "waypoint, at: [4.5, 6.5]",
                "waypoint, at: [9.5, -6.5]",
                "patrol.yaml:0:0: something stands in the way from [4.5, -6.5] to [9.5, -6.5]",
            ),
        ] {
            assert_eq!(say(&STOCK.replace(from, to)), sentence);
        }
        let unknown = say(&STOCK.replace("annotations:", "anotations:"));
        assert!(unknown.starts_with("patrol.yaml:18:1:") && unknown.contains("annotations"), "{unknown}");
        assert!(say("").starts_with("patrol.yaml:"));
    }
}
