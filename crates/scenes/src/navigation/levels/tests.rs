//! That people get where they want, on both levels, and stay on the mesh.

use super::*;
use sentir_harness::info::Changes;
use sentir_nav::mesh::{CorridorSearch, MeshQuery};

fn played(seed: u64, changes: &[(&str, &str)]) -> impl Fn(&str) -> f64 {
    let changes: Vec<_> = changes.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let mut game = SCENE.start(&SCENE.setup(seed, Changes { settings: &changes, assets: &[] }).unwrap()).unwrap();
    while game.ending().is_none() {
        game.step(&[], &Serial);
    }
    let metrics = game.metrics();
    move |name: &str| metrics.iter().find(|metric| metric.name == name).unwrap().value
}

#[test]
fn everybody_gets_about_on_both_levels_and_over_the_gap() {
    for seed in [1, 2, 3] {
        let metric = played(seed, &[]);
        // Ten people, ways of about 25 m at 1.8 m/s: each some seven or eight times in two minutes.
        assert!(metric("arrivals") >= 50.0, "{}", metric("arrivals"));
        assert!(metric("links_used") >= 3.0, "{}", metric("links_used"));
        assert_eq!(metric("ways_failed"), 0.0);
        assert!(metric("off_mesh_share") < 0.01, "{}", metric("off_mesh_share"));
        assert!(metric("way_over_straight") > 1.1 && metric("way_over_straight") < 2.5);
        assert!(metric("longest_stand_s") < 5.0, "{}", metric("longest_stand_s"));
    }
}

#[test]
fn the_mesh_has_both_levels_in_one_part_and_the_tower_by_its_link_alone() {
    let level = level_asset(&SCENE.setup(1, Changes::default()).unwrap(), LEVEL).unwrap();
    let mut mesh = mesh_of(&level, &BodyConfig::default()).unwrap();
    let mut search = CorridorSearch::default();
    let stops: Vec<Vec3> =
        level.annotations().iter().filter(|one| one.kind == "stop").map(|one| one.position).collect();
    for &from in &stops {
        for &to in &stops {
            assert!(search.find(&mesh, &MeshQuery::new(from, to)).is_found(), "{from} {to}");
        }
    }
    let tower = MeshQuery::new(stops[1], stops[0]);
    assert!(search.find(&mesh, &tower).is_found() && search.links().len() == 1);
    mesh.set_link_open(sentir_nav::mesh::LinkId(0), false);
    assert!(!search.find(&mesh, &tower).is_found());
    // Under the bridge and on it are two places.
    let [low, high] = [0.0, 3.0].map(|height| mesh.height(Vec3::new(0.0, height, -5.7), 0.5));
    assert!(low.is_some_and(|height| height < 0.3) && high.is_some_and(|height| (height - 3.0).abs() < 0.2));
}

#[test]
fn a_level_without_stops_or_with_one_in_a_wall_is_refused() {
    let refusal = |text: &str| {
        let assets = [(LEVEL.to_owned(), text.to_owned())];
        SCENE.start(&SCENE.setup(1, Changes { settings: &[], assets: &assets }).unwrap()).err().unwrap().to_string()
    };
    let floor = "name: t\nsolids:\n- slab: {outline: [[0, 0], [9, 0], [9, 9], [0, 9]]}\n";
    assert!(refusal(floor).contains("expected at least two annotations of the kind 'stop'"));
    let blocked = "- box: {at: [4, 4], size: [4, 4], height_m: 3}\n\
                   annotations:\n- {kind: stop, at: [1, 1]}\n- {kind: stop, at: [4, 4]}\n";
    assert!(refusal(&format!("{floor}{blocked}")).contains("off the walkable ground"));
}
