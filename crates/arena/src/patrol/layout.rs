//! The yard of `patrol` as an asset: walls, the guards' round, ways for the intruder.

use sentir::core::glam::Vec2;
use serde::Deserialize;
use serde_saphyr::{Spanned, options};

use crate::flat::{Wall, Walls};
use crate::scene::SceneError;

/// Name of the asset.
pub const NAME: &str = "patrol.yaml";
/// Its stock content.
pub const STOCK: &str = include_str!("../../assets/patrol.yaml");

/// Bytes a file may have.
const BYTES_MAX: usize = 1 << 20;
/// Points, walls and routes a file may have.
const COUNT_MAX: usize = 1000;
/// Coordinates lie within this, m.
const REACH_M: f32 = 1000.0;
/// What a way needs on either side, m: a body and a hand's breadth.
pub const CLEARANCE_M: f32 = 0.35;

/// The yard, checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// The walls.
    pub walls: Walls,
    /// The guards' round; at least two.
    pub waypoints: Vec<Vec2>,
    /// Ways for the intruder, at least one, each of at least two points.
    pub routes: Vec<Vec<Vec2>>,
}

type Point = Spanned<[f32; 2]>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LayoutSpec {
    version: Spanned<u32>,
    walls: Vec<Vec<Point>>,
    waypoints: Vec<Point>,
    routes: Vec<Vec<Point>>,
}

impl Layout {
    /// Reads and checks the asset.
    pub fn parse(text: &str) -> Result<Layout, SceneError> {
        let spec = read(text)?;
        if spec.version.value != 1 {
            let what = format!("version {} is not known here: expected 1", spec.version.value);
            return Err(error(spec.version.referenced.line(), spec.version.referenced.column(), what));
        }
        let lists = [spec.walls.len(), spec.waypoints.len(), spec.routes.len()];
        let longest = spec.walls.iter().chain(&spec.routes).map(Vec::len).max().unwrap_or(0);
        if lists.into_iter().chain([longest]).any(|len| len > COUNT_MAX) {
            return Err(error(0, 0, format!("a list has more than {COUNT_MAX} items")));
        }
        let mut walls = Walls::default();
        for line in &spec.walls {
            let points = points(line)?;
            walls.list.extend(points.windows(2).map(|pair| Wall { a: pair[0], b: pair[1] }));
        }
        let waypoints = points(&spec.waypoints)?;
        if waypoints.len() < 2 {
            return Err(error(0, 0, "a round needs at least two waypoints".to_owned()));
        }
        check_way(&walls, &spec.waypoints, "waypoint")?;
        let ends: Vec<Point> =
            spec.waypoints.iter().take(1).chain(spec.waypoints.iter().rev().take(1)).cloned().collect();
        check_way(&walls, &ends, "waypoint")?;
        let mut routes = Vec::new();
        for route in &spec.routes {
            if route.len() < 2 {
                return Err(error(0, 0, "a route needs at least two points".to_owned()));
            }
            check_way(&walls, route, "route point")?;
            routes.push(points(route)?);
        }
        if routes.is_empty() {
            return Err(error(0, 0, "there must be at least one route".to_owned()));
        }
        Ok(Layout { walls, waypoints, routes })
    }
}

fn read(text: &str) -> Result<LayoutSpec, SceneError> {
    if text.len() > BYTES_MAX {
        return Err(error(0, 0, format!("the file has {} bytes, at most {BYTES_MAX} are read", text.len())));
    }
    let strict = options! {
        merge_keys: options::MergeKeyPolicy::Error,
        strict_booleans: true,
        reject_unsupported_tags: true,
        with_snippet: false,
        budget: serde_saphyr::budget! { max_anchors: 0, max_aliases: 0, max_depth: 64, flow_nesting_limit: 64 },
    };
    serde_saphyr::from_str_with_options(text, strict).map_err(|refusal| {
        let (line, column) = refusal.location().map_or((0, 0), |at| (at.line(), at.column()));
        // The parser's own sentence repeats the place behind ' at line'; ours stands in front.
        let text = refusal.to_string();
        let what = text.split(" at line ").next().unwrap_or_default().lines().next().unwrap_or_default();
        error(line, column, with_hint(what))
    })
}

/// Adds the nearest valid name to the parser's 'unknown field' sentence.
fn with_hint(what: &str) -> String {
    let unknown = what.split('`').nth(1).filter(|_| what.contains("unknown field"));
    let near = unknown.and_then(|word| crate::scene::nearest(word, ["version", "walls", "waypoints", "routes"]));
    near.map_or_else(|| what.to_owned(), |name| format!("{what}, did you mean `{name}`?"))
}

fn points(line: &[Point]) -> Result<Vec<Vec2>, SceneError> {
    line.iter()
        .map(|point| {
            let [x, y] = point.value;
            if x.abs() <= REACH_M && y.abs() <= REACH_M {
                Ok(Vec2::new(x, y))
            } else {
                Err(at(point, format!("the point [{x}, {y}] is not within {REACH_M} m of the middle")))
            }
        })
        .collect()
}

/// Every point stands clear of the walls, and the straight way to the next one is free.
fn check_way(walls: &Walls, way: &[Point], what: &str) -> Result<(), SceneError> {
    let place = |point: &Point| Vec2::from(point.value);
    for point in way {
        if !walls.is_passable(place(point), place(point), CLEARANCE_M) {
            let [x, y] = point.value;
            return Err(at(point, format!("the {what} [{x}, {y}] is in a wall or nearer than {CLEARANCE_M} m to one")));
        }
    }
    for pair in way.windows(2) {
        if !walls.is_passable(place(&pair[0]), place(&pair[1]), CLEARANCE_M) {
            let ([x, y], [to_x, to_y]) = (pair[0].value, pair[1].value);
            return Err(at(&pair[0], format!("a wall stands in the way from [{x}, {y}] to [{to_x}, {to_y}]")));
        }
    }
    Ok(())
}

fn at(point: &Point, what: String) -> SceneError {
    error(point.referenced.line(), point.referenced.column(), what)
}

fn error(line: u64, column: u64, what: String) -> SceneError {
    let number = |number: u64| usize::try_from(number).unwrap_or(0);
    SceneError::Asset { name: NAME.to_owned(), line: number(line), column: number(column), what }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn say(text: &str) -> String {
        Layout::parse(text).unwrap_err().to_string()
    }

    /// A small yard with one thing changed.
    fn with(key: &str, value: &str) -> String {
        let lines = [
            ("version", "1"),
            ("walls", "[[[0, -5], [0, 5]]]"),
            ("waypoints", "[[2, 0], [4, 0]]"),
            ("routes", "[[[2, 2], [4, 4]]]"),
        ];
        let line = |(name, stock): (&str, &str)| format!("{name}: {}\n", if name == key { value } else { stock });
        lines.map(line).concat()
    }

    #[test]
    fn the_stock_yard_is_whole() {
        let layout = Layout::parse(STOCK).unwrap();
        assert_eq!((layout.waypoints.len(), layout.routes.len()), (4, 4));
        assert!(Layout::parse(&with("", "")).is_ok());
    }

    #[test]
    fn each_mistake_is_told_with_its_place() {
        for (text, sentence) in [
            (with("version", "7"), "patrol.yaml:1:10: version 7 is not known here: expected 1"),
            (
                with("waypoints", "[[2, 0], [-2, 0]]"),
                "patrol.yaml:3:13: a wall stands in the way from [2, 0] to [-2, 0]",
            ),
            (
                with("waypoints", "[[2, 0], [0.1, 0]]"),
                "patrol.yaml:3:21: the waypoint [0.1, 0] is in a wall or nearer than 0.35 m to one",
            ),
            (with("waypoints", "[[2, 0]]"), "patrol.yaml:0:0: a round needs at least two waypoints"),
            (with("routes", "[]"), "patrol.yaml:0:0: there must be at least one route"),
            (with("routes", "[[[1, 1]]]"), "patrol.yaml:0:0: a route needs at least two points"),
            (
                with("walls", "[[[0, 9999], [0, 5]]]"),
                "patrol.yaml:2:10: the point [0, 9999] is not within 1000 m of the middle",
            ),
        ] {
            assert_eq!(say(&text), sentence);
        }
    }

    #[test]
    fn the_parser_refuses_what_is_not_the_strict_subset() {
        assert!(say(&with("version", ".nan")).starts_with("patrol.yaml:1:10:"));
        assert!(say(&with("waypoints", "[[.nan, 0], [4, 0]]")).starts_with("patrol.yaml:3:"));
        assert!(say(&with("walls", "&a [[[0, -5], [0, 5]]]")).starts_with("patrol.yaml:2:"));
        assert!(say(&with("walls", "!mine [[[0, -5], [0, 5]]]")).starts_with("patrol.yaml:2:"));
        assert!(say(&with("walls", &("[".repeat(100) + &"]".repeat(100)))).starts_with("patrol.yaml:"));
        assert!(say(&" ".repeat(BYTES_MAX + 1)).contains("at most 1048576 are read"));
        let unknown = say(&(with("", "") + "waypoint: []\n"));
        assert!(unknown.starts_with("patrol.yaml:5:1:") && unknown.ends_with("did you mean `waypoints`?"), "{unknown}");
        assert!(say("").starts_with("patrol.yaml:"));
    }

    proptest! {
        #[test]
        fn broken_files_are_refused_without_panic(cut in 0..STOCK.len(), junk in ".{0,8}") {
            let mut text = STOCK.to_owned();
            let cut = (0..=cut).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
            text.insert_str(cut, &junk);
            if let Err(error) = Layout::parse(&text) {
                prop_assert!(error.to_string().starts_with("patrol.yaml:"));
            }
        }
    }
}
