//! Bad input: each has its outcome or its sentence.

use sentir_nav::core::glam::Vec2;
use sentir_nav::grid::{
    AnyAngle, Astar, AstarConfig, Cell, Cost, Dstar, FlowField, Hierarchy, HierarchyConfig, HierarchySearch, JumpPoint,
    Query, Unit, UnitGrid, is_clear, is_walkable, map, plain_unit, raster, scenarios, text,
};
use sentir_nav::{Ending, Fault};

use crate::oracle;

/// How every search ends on a query, and how long its path is.
fn endings(ground: &UnitGrid, query: Query) -> Vec<(Ending, usize)> {
    let terrain = oracle::drawn(&["....", ".#..", "...."]);
    let hierarchy = Hierarchy::build(ground, &HierarchyConfig::default());
    let mut path = Vec::new();
    let (mut astar, mut jump, mut angle) = (Astar::default(), JumpPoint::default(), AnyAngle::default());
    let (mut clusters, mut plan) = (HierarchySearch::default(), Dstar::new(query.goal));
    let answers = [
        astar.query(ground, &query, &AstarConfig::default()),
        jump.query(ground, &query),
        angle.query(ground, &query),
        clusters.query(ground, &hierarchy, &query),
        plan.plan(&terrain, ground, query.start, query.expansions_max, &mut path),
    ];
    answers.iter().map(|answer| (answer.ending, answer.path.len())).collect()
}

#[test]
fn bad_starts_and_goals_are_outcomes_of_every_search() {
    let ground = UnitGrid::build(&oracle::drawn(&["....", ".#..", "...."]), &oracle::unit(1, 1)).unwrap();
    let (free, wall, outside) = (Cell::new(0, 0), Cell::new(1, 1), Cell::new(4, 0));
    for (start, goal, expected) in [
        (wall, free, Ending::BadStart(Fault::Blocked)),
        (free, wall, Ending::BadGoal(Fault::Blocked)),
        (outside, free, Ending::BadStart(Fault::Outside)),
        (free, Cell::new(u16::MAX, u16::MAX), Ending::BadGoal(Fault::Outside)),
        (outside, wall, Ending::BadStart(Fault::Outside)),
    ] {
        assert_eq!(endings(&ground, Query::new(start, goal)), [(expected, 0); 5]);
    }
}

#[test]
fn without_a_budget_the_path_is_the_start_alone() {
    let ground = UnitGrid::build(&oracle::drawn(&["....", ".#..", "...."]), &oracle::unit(1, 1)).unwrap();
    let query = Query { start: Cell::new(0, 0), goal: Cell::new(3, 2), expansions_max: 0 };
    assert_eq!(endings(&ground, query), [(Ending::OutOfBudget, 1); 5]);
    let here = Query { goal: Cell::new(0, 0), ..query };
    assert!(endings(&ground, here).iter().all(|&(_, length)| length == 1));
}

#[test]
fn a_small_budget_leads_toward_the_goal() {
    let ground = UnitGrid::build(&oracle::drawn(&["............"; 12]), &oracle::unit(1, 1)).unwrap();
    let query = Query { start: Cell::new(0, 0), goal: Cell::new(11, 7), expansions_max: 5 };
    let mut astar = Astar::default();
    let answer = astar.query(&ground, &query, &AstarConfig::default());
    assert_eq!((answer.ending, answer.expanded, answer.path[0]), (Ending::OutOfBudget, 5, query.start));
    assert!(answer.path.len() > 3 && is_walkable(&ground, answer.path));
}

#[test]
fn a_map_without_free_cells_refuses_every_start() {
    let ground = UnitGrid::build(&oracle::drawn(&["##", "##"]), &oracle::unit(1, 1)).unwrap();
    let query = Query::new(Cell::new(0, 0), Cell::new(1, 1));
    assert_eq!(endings(&ground, query), [(Ending::BadStart(Fault::Blocked), 0); 5]);
    assert_eq!(ground.nearest(query.start, query.goal), None);
    assert!(!is_clear(&ground, query.start, query.goal));
}

#[test]
fn a_flow_field_without_goals_leads_nowhere() {
    let ground = UnitGrid::build(&oracle::drawn(&["..#", "..#"]), &oracle::unit(1, 1)).unwrap();
    let mut field = FlowField::default();
    assert_eq!(field.direction(Vec2::ONE), Vec2::ZERO);
    assert_eq!(field.fill(&ground, &[Cell::new(2, 0), Cell::new(9, 9)], u32::MAX), (Ending::NoPath, 0));
    assert_eq!((field.length(Cell::new(0, 0)), field.next(Cell::new(0, 0))), (None, None));
    assert_eq!(field.fill(&ground, &[Cell::new(0, 0)], 0), (Ending::OutOfBudget, 0));
    assert_eq!(field.fill(&ground, &[Cell::new(0, 0), Cell::new(0, 0)], u32::MAX).0, Ending::Found);
    assert_eq!(field.next(Cell::new(1, 1)), Some(Cell::new(0, 0)));
    assert!(field.direction(Vec2::new(1.5, 1.5)).x < 0.0);
    for lost in [
        Vec2::splat(f32::NAN),
        Vec2::new(-0.1, 0.0),
        Vec2::new(3.0, 0.5),
        Vec2::splat(f32::INFINITY),
        Vec2::new(2.5, 0.5),
    ] {
        assert_eq!(field.direction(lost), Vec2::ZERO, "{lost}");
    }
}

#[test]
fn units_that_do_not_match_are_refused_with_a_sentence() {
    let terrain = oracle::drawn(&[".."]);
    let sentence =
        |costs: Vec<Cost>| UnitGrid::build(&terrain, &Unit { name: "u".into(), costs }).unwrap_err().to_string();
    assert_eq!(sentence(vec![]), "grid: the unit has 0 costs: expected one for each of the 4 tags");
    let costs = [Cost::Times(1), Cost::Impassable, Cost::Times(0), Cost::Times(1)];
    assert_eq!(sentence(costs.to_vec()), "grid: `grass` costs 0: expected 1 to 64, or impassable");
    assert!(sentence([Cost::Times(65); 4].to_vec()).contains("`path` costs 65"));
}

const MAP: &str = "type octile\nheight 2\nwidth 3\nmap\n.G@\nTSW\n";

#[test]
fn a_map_is_read_and_its_faults_are_told() {
    let terrain = map(MAP.as_bytes(), "a.map").unwrap();
    let ground = UnitGrid::build(&terrain, &plain_unit()).unwrap();
    let free: Vec<bool> = (0..6).map(|index| ground.is_free(Cell::new(index % 3, index / 3))).collect();
    assert_eq!(free, [true, true, false, false, true, false]);
    assert_eq!(terrain.tag(Cell::new(2, 1)), terrain.named("water"));
    let sentence = |text: &str| map(text.as_bytes(), "a.map").unwrap_err().to_string();
    assert_eq!(sentence(""), "a.map: the file ends too early: there is no line `map`");
    assert_eq!(sentence("map\n"), "a.map: the file ends too early: there is no line `height NUMBER`");
    assert_eq!(sentence(&MAP.replace("TSW\n", "")), "a.map:5: the file ends too early: expected 2 rows, there are 1");
    assert_eq!(
        sentence(&MAP.replace("TSW", "TS")),
        "a.map:6: `TS` is not understood: expected a row of 3 letters, not 2"
    );
    assert_eq!(
        sentence(&MAP.replace('W', "?")),
        "a.map:6:3: `?` stands for no terrain: expected one of `.`, `G`, `@`, `O`, `T`, `S`, `W`"
    );
    assert!(sentence(&MAP.replace("octile", "hex")).starts_with("a.map:1:1: `type hex` is not understood: expected"));
    assert!(sentence(&MAP.replace("height 2", "height two")).contains("a.map:2:1: `height two`"));
    let lying = MAP.replace("height 2", "height 4000000000");
    assert_eq!(
        sentence(&lying),
        "a.map:4: 3 × 4000000000 cells: expected 1 to 4096 along each side and at most 4194304 in all"
    );
    assert_eq!(map(&[0xff, 0xfe], "a.map").unwrap_err().to_string(), "a.map: not UTF-8 text");
    assert!(map(&vec![b'.'; 40_000_000], "a.map").unwrap_err().to_string().contains("bytes are too many"));
    assert!(sentence(&MAP.replace("width 3", "width 0")).contains("0 × 2 cells"));
}

#[test]
fn scenarios_are_read_and_their_faults_are_told() {
    let text = "version 1\n0\tm.map\t3\t2\t0\t0\t1\t1\t1.41421\n\n";
    let list = scenarios(text.as_bytes(), "a.scen").unwrap();
    assert_eq!((list.len(), list[0].map.as_str(), list[0].goal), (1, "m.map", Cell::new(1, 1)));
    assert!(list[0].agrees(2f64.sqrt()) && !list[0].agrees(1.416) && !list[0].agrees(f64::NAN));
    let sentence = |text: &str| scenarios(text.as_bytes(), "a.scen").unwrap_err().to_string();
    assert_eq!(sentence(""), "a.scen: the file ends too early: there is no line `version 1`");
    assert_eq!(sentence("version 2\n"), "a.scen:1:1: `version 2` is not understood: expected `version 1`");
    for line in
        ["0 m 3 2 0 0 1 1", "0 m 3 2 0 0 1 -1 1", "0 m 3 2 0 0 1 1 inf", "0 m 3 2 0 0 1 1 1 1", "0 m 3 x 0 0 1 1 1"]
    {
        let told = sentence(&format!("version 1\n{line}\n"));
        assert!(told.starts_with(&format!("a.scen:2:1: `{line}` is not understood: expected nine fields")), "{told}");
    }
}

#[test]
fn text_maps_and_pictures_become_ground() {
    let islet = b"legend:\n. grass\n~ water impassable\nmap:\n~~~\n~..\n";
    let (terrain, unit) = text(islet, "islet.txt").unwrap();
    let ground = UnitGrid::build(&terrain, &unit).unwrap();
    // The last line is the south, which is row 0.
    assert!(ground.is_free(Cell::new(1, 0)) && !ground.is_free(Cell::new(1, 1)) && !ground.is_free(Cell::new(0, 0)));
    let told = text(b"legend:\n. grass\nmap:\n..\n.?\n", "islet.txt").unwrap_err().to_string();
    assert!(told.starts_with("islet.txt:5:"), "{told}");
    let (terrain, unit) = raster(2, 2, &[255, 10, 128, 127], 128).unwrap();
    let ground = UnitGrid::build(&terrain, &unit).unwrap();
    let free: Vec<bool> = (0..4).map(|index| ground.is_free(Cell::new(index % 2, index / 2))).collect();
    assert_eq!(free, [true, false, true, false]);
    assert_eq!(raster(2, 2, &[0; 3], 9).unwrap_err().to_string(), "grid: 3 cells are given: expected 4");
}
