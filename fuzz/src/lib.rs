//! Fuzz targets: every door through which bytes come in. A target must not panic, hang or allocate without bound,
//! whatever it is fed.
//!
//! The same table serves two drivers: libFuzzer (`fuzz/libfuzzer`, with a nightly compiler) and the plain random one in
//! `main.rs`, which mutates the targets' own seeds.

mod scene;

use sentir::core::state::{self, FileKind};
use sentir::core::why::WhyLog;
use sentir::prelude::*;
use sentir_harness::game_match::Match;
use sentir_harness::info::{Changes, SceneInfo};
use sentir_harness::recording::Recording;
use sentir_nav::bake::{self, BakeConfig, BakeSource, Obstacle, PlanConfig, PlanShape, Shape};
use sentir_nav::grid;
use sentir_think::board::{Blackboard, Board};
use sentir_think::brain::BrainScratch;
use sentir_think::thought::{Sinks, Thinker, Thought};

/// One door.
#[derive(Clone, Copy)]
pub struct Target {
    /// Name, as libFuzzer's target has it.
    pub name: &'static str,
    /// Feeds it.
    pub feed: fn(&[u8]),
    /// Valid inputs to start from.
    pub seeds: fn() -> Vec<Vec<u8>>,
}

/// Every door.
pub const TARGETS: &[Target] = &[
    Target { name: "recording", feed: feed_recording, seeds: seed_recording },
    Target { name: "snapshot", feed: feed_snapshot, seeds: seed_snapshot },
    Target { name: "content", feed: feed_content, seeds: seed_content },
    Target { name: "world", feed: feed_world, seeds: seed_world },
    Target { name: "scene_state", feed: scene::feed_state, seeds: scene::seed_state },
    Target { name: "tuning", feed: feed_tuning, seeds: seed_tuning },
    Target { name: "layout", feed: feed_layout, seeds: seed_layout },
    Target { name: "settings", feed: feed_settings, seeds: seed_settings },
    Target { name: "level_yaml", feed: sentir_level::load::fuzz_yaml, seeds: seed_level_yaml },
    Target { name: "level_tile", feed: sentir_level::load::fuzz_tile, seeds: seed_level_tile },
    Target { name: "level_image", feed: sentir_level::load::fuzz_image, seeds: seed_level_image },
    Target { name: "level_obj", feed: sentir_level::load::fuzz_obj, seeds: seed_level_obj },
    Target { name: "query", feed: sentir_space::query::stock::fuzz, seeds: seed_query },
    Target { name: "level_bsp", feed: sentir_level::load::fuzz_bsp, seeds: seed_level_bsp },
    Target { name: "level_gltf", feed: sentir_level::load::fuzz_gltf, seeds: seed_level_gltf },
    Target { name: "nav_plan", feed: feed_nav_plan, seeds: seed_nav_plan },
    Target { name: "nav_bake", feed: feed_nav_bake, seeds: seed_nav_bake },
    Target { name: "mesh", feed: sentir_nav::mesh::load::fuzz, seeds: seed_mesh },
    Target { name: "grid_map", feed: feed_grid_map, seeds: seed_grid_map },
    Target { name: "grid_scen", feed: feed_grid_scen, seeds: seed_grid_scen },
    Target { name: "grid_text", feed: feed_grid_text, seeds: seed_level_tile },
    Target { name: "brain_yaml", feed: feed_brain_yaml, seeds: seed_brain_yaml },
    Target { name: "tree_xml", feed: feed_tree_xml, seeds: seed_tree_xml },
    Target { name: "tree_yaml", feed: sentir_think::tree::asset::fuzz, seeds: seed_tree_yaml },
];

/// Everything about a soldier that is a matter of taste.
fn feed_tuning(bytes: &[u8]) {
    let _ = sentir::squad::tuning::Tuning::read(bytes, "fuzz.yaml");
}

fn seed_tuning() -> Vec<Vec<u8>> {
    vec![sentir::squad::stock::TUNING.1.as_bytes().to_vec()]
}

fn seed_query() -> Vec<Vec<u8>> {
    sentir_space::query::STOCK.iter().map(|(_, bytes)| bytes.to_vec()).collect()
}

/// Feeds the target of that name; for libFuzzer.
pub fn feed(name: &str, bytes: &[u8]) {
    if let Some(target) = TARGETS.iter().find(|target| target.name == name) {
        (target.feed)(bytes);
    }
}

/// Longest match that a fuzzed file may ask for, ticks.
const TICKS_MAX: usize = 120;

/// A file of any bytes as a recording; what can be read is played.
fn feed_recording(bytes: &[u8]) {
    if let Ok(recording) = Recording::from_file(bytes) {
        play(recording);
    }
}

/// Content of any bytes in a whole envelope: past the checksum, into the loader.
fn feed_content(bytes: &[u8]) {
    if let Ok(recording) = state::from_bytes::<Recording>(bytes) {
        play(recording);
    }
    if let Ok(mut brains) = state::from_bytes::<Loop<()>>(bytes) {
        step(&mut brains);
    }
}

fn play(mut recording: Recording) {
    recording.hashes.truncate(TICKS_MAX);
    // A forged setting may ask for thousands of guards: legal, and slow.
    for (name, value) in &mut recording.settings {
        if name == "guards" && value.parse::<u32>().is_ok_and(|count| count > 9) {
            *value = "9".to_owned();
        }
    }
    let _ = recording.replay(&sentir_scenes::CATALOG, Changes::default(), &Serial, |_| {});
}

fn feed_snapshot(bytes: &[u8]) {
    if let Ok(mut brains) = Loop::<()>::restore(bytes) {
        step(&mut brains);
    }
    let mut game = fresh_match();
    if game.restore(bytes).is_ok() {
        for _ in 0..TICKS_MAX {
            game.step(&[], &Serial);
        }
    }
}

/// The state of a scene of any bytes in a whole envelope; what loads is played.
fn feed_world(bytes: &[u8]) {
    let mut game = fresh_match();
    let stock = state::unpack(FileKind::Snapshot, &game.snapshot()).expect("a snapshot opens");
    let forged = state::Envelope { content: bytes.to_vec(), ..stock };
    if game.restore(&forged.to_file()).is_ok() {
        for _ in 0..TICKS_MAX {
            game.step(&[], &Serial);
        }
        game.draw(&mut sentir::core::draw::DrawList::default());
    }
}

/// The scene that is fed with whatever comes.
fn patrol() -> &'static SceneInfo {
    sentir_scenes::CATALOG.find("patrol").expect("a scene")
}

fn fresh_match() -> Box<dyn Match> {
    let setup = patrol().setup(1, Changes::default()).expect("stock settings are valid");
    patrol().start(&setup).expect("stock assets are valid")
}

fn seed_world() -> Vec<Vec<u8>> {
    let mut game = fresh_match();
    let mut seeds = Vec::new();
    for tick in 0..900 {
        game.step(&[], &Serial);
        if tick % 300 == 0 {
            let file = game.snapshot();
            seeds.push(state::unpack(FileKind::Snapshot, &file).expect("a snapshot opens").content);
        }
    }
    seeds
}

fn step(brains: &mut Loop<()>) {
    let mut scratch = Scratch::default();
    for _ in 0..4 {
        brains.step(&(), &Open, &Serial, &mut scratch);
    }
    let again = Loop::<()>::restore(&brains.snapshot()).expect("what was restored can be saved and restored again");
    assert_eq!(state::hash(&again), state::hash(brains));
}

/// Text as the asset of the first scene.
fn feed_layout(bytes: &[u8]) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        let asset = [(patrol().assets[0].0.to_owned(), text.to_owned())];
        let _ = patrol().setup(1, Changes { settings: &[], assets: &asset }).and_then(|setup| patrol().start(&setup));
    }
}

/// Lines of `key=value` for the first scene.
fn feed_settings(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let pair = |line: &str| line.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
    let changes: Vec<_> = text.lines().filter_map(pair).collect();
    let _ = patrol().setup(1, Changes { settings: &changes, assets: &[] });
}

/// A grid map of any bytes; what can be read is searched.
fn feed_grid_map(bytes: &[u8]) {
    if let Ok(terrain) = grid::map(bytes, "fuzz.map") {
        search(&terrain, &grid::plain_unit());
    }
}

fn feed_grid_text(bytes: &[u8]) {
    if let Ok((terrain, unit)) = grid::text(bytes, "fuzz.txt") {
        search(&terrain, &unit);
    }
}

fn feed_grid_scen(bytes: &[u8]) {
    if let Ok(list) = grid::scenarios(bytes, "fuzz.scen") {
        assert!(list.iter().all(|one| one.agrees(one.length)));
    }
}

/// From corner to corner, with two searches that must agree.
fn search(terrain: &grid::Terrain, unit: &grid::Unit) {
    let Ok(ground) = grid::UnitGrid::build(terrain, unit) else { return };
    let corner = grid::Cell::new(ground.width() as u16 - 1, ground.height() as u16 - 1);
    let query = grid::Query::new(grid::Cell::default(), corner);
    let (mut astar, mut jump) = (grid::Astar::default(), grid::JumpPoint::default());
    let plain = astar.query(&ground, &query, &grid::AstarConfig::default());
    let jumped = jump.query(&ground, &query);
    assert_eq!((plain.ending, plain.cost), (jumped.ending, jumped.cost));
    assert!(grid::is_walkable(&ground, plain.path) && grid::is_walkable(&ground, jumped.path));
}

fn short_recording() -> Recording {
    let scene: &SceneInfo = patrol();
    let setup = scene.setup(3, Changes::default()).expect("stock settings are valid");
    let mut game = scene.start(&setup).expect("stock assets are valid");
    let mut recording = Recording::new(scene, &setup);
    for _ in 0..90 {
        game.step(&[], &Serial);
        recording.note(&*game, &[]);
    }
    recording
}

fn small_loop() -> Loop<()> {
    let mut brains = Loop::<()>::new(LoopConfig::default(), 5);
    for key in 0..3 {
        let _ = brains.spawn(AgentSpec { team: TeamId(key as u32 % 2), ..AgentSpec::new(HostKey(key)) });
    }
    brains.noise(Noise { position: Vec3::ZERO, range_m: 3.0, by: None, at: Tick(0) });
    brains
}

fn seed_recording() -> Vec<Vec<u8>> {
    vec![short_recording().to_file()]
}

fn seed_content() -> Vec<Vec<u8>> {
    vec![state::to_bytes(&short_recording()), state::to_bytes(&small_loop())]
}

fn seed_snapshot() -> Vec<Vec<u8>> {
    let forged = state::pack(FileKind::Snapshot, 1, &vec![1u8; 64]);
    vec![small_loop().snapshot(), fresh_match().snapshot(), forged]
}

fn seed_layout() -> Vec<Vec<u8>> {
    patrol().assets.iter().map(|(_, content)| content.as_bytes().to_vec()).collect()
}

fn seed_settings() -> Vec<Vec<u8>> {
    let lines = patrol().settings.iter().map(|setting| format!("{}={}\n", setting.name, setting.stock));
    vec![lines.collect::<String>().into_bytes()]
}

fn seed_level_yaml() -> Vec<Vec<u8>> {
    sentir_level::STOCK.iter().map(|(_, bytes)| bytes.to_vec()).collect()
}

fn seed_level_tile() -> Vec<Vec<u8>> {
    vec![
        b"name: islet\ncell_m: 1\norigin: 0 0\nlegend:\n. grass\n~ water impassable\nmap:\n~~~~\n~..~\n~~~~\n".to_vec(),
    ]
}

/// A small picture.
fn seed_level_image() -> Vec<Vec<u8>> {
    let list = sentir::core::draw::DrawList::default();
    let view = sentir_film::View::fit(None, 16, 1.0);
    let frame = sentir_film::paint(&list, &view, &sentir_film::Style::light(), &sentir_film::LayerFilter::all(), "");
    vec![sentir_film::png(&frame)]
}

fn seed_level_obj() -> Vec<Vec<u8>> {
    vec![b"v 0 0 0\nv 1 0 0\nv 0 0 1\nv 1 1 1\ng floor\nusemtl solid\nf 1 2 3\nf 2 3 -1\n".to_vec()]
}

fn seed_level_bsp() -> Vec<Vec<u8>> {
    vec![sentir_level::bsp::write::BspWriter::sample().bytes()]
}

fn seed_level_gltf() -> Vec<Vec<u8>> {
    [true, false].map(sentir_level::gltf::sample).to_vec()
}

/// Numbers of two bytes each, sixteenths of a meter; the first is how many corners a ring has, and so on.
fn numbers(bytes: &[u8]) -> Vec<f32> {
    let number = |pair: &[u8]| f32::from(i16::from_le_bytes([pair[0], pair[1]])) / 16.0;
    bytes.chunks_exact(2).take(2048).map(number).collect()
}

/// Rings of any corners as a floor plan: refused, or polygons with area.
fn feed_nav_plan(bytes: &[u8]) {
    let numbers = numbers(bytes);
    let Some((radius, mut rest)) = numbers.split_first() else { return };
    let mut rings = Vec::new();
    while let [count, more @ ..] = rest {
        let count = (count.abs() as usize % 32 * 2).min(more.len());
        rings.push(more[..count].chunks_exact(2).map(|at| Vec2::new(at[0], at[1])).collect::<Vec<_>>());
        rest = &more[count..];
    }
    let Some(border) = rings.pop() else { return };
    let config = PlanConfig { radius_m: radius.abs() / 64.0, ..PlanConfig::default() };
    let alone = PlanShape { border: border.clone(), holes: Vec::new() };
    for shape in [alone, PlanShape { border, holes: rings }] {
        if let Ok(patch) = bake::plan(&[shape], &config) {
            assert_polygons(&patch);
        }
    }
}

/// Triangles of any corners, baked with an obstacle; what comes out has area.
fn feed_nav_bake(bytes: &[u8]) {
    let numbers: Vec<f32> = numbers(bytes).iter().map(|number| number % 32.0).collect();
    let corner = |at: &[f32]| Vec3::new(at[0], at[1] / 4.0, at[2]);
    let triangles = numbers.chunks_exact(9).take(64).map(|nine| [0, 3, 6].map(|at| corner(&nine[at..at + 3])));
    let source = BakeSource::from_triangles(triangles.collect());
    let shape = Shape::Circle { center: Vec2::ZERO, radius_m: 3.0 };
    let obstacles = [Obstacle { shape, low_m: -1.0, high_m: 1.0 }];
    let table = bake::bake(&source, &obstacles, &BakeConfig::default()).expect("near and finite triangles are baked");
    table.patches.iter().for_each(assert_polygons);
}

fn assert_polygons(patch: &sentir_nav::mesh::Patch) {
    for polygon in &patch.polygons {
        let corners = &patch.loops[polygon.first as usize..(polygon.first + polygon.count) as usize];
        // In doubles: kilometers out, the area of a sliver is lost among the steps of single ones.
        let at = |index: usize| sentir::core::plane::ground(patch.corners[corners[index] as usize]).as_dvec2();
        let side = |index: usize| (at(index) - at(0)).perp_dot(at(index + 1) - at(0));
        assert!((1..corners.len() - 1).map(side).sum::<f64>() > 0.0, "a polygon has area");
    }
}

fn seed_numbers(numbers: &[i16]) -> Vec<u8> {
    numbers.iter().flat_map(|number| (number * 16).to_le_bytes()).collect()
}

fn seed_nav_plan() -> Vec<Vec<u8>> {
    let square = [20, 4, 0, 0, 40, 0, 40, 40, 0, 40];
    let pillar = [20, 4, 10, 10, 20, 10, 20, 20, 10, 20, 4, 0, 0, 40, 0, 40, 40, 0, 40];
    vec![seed_numbers(&square), seed_numbers(&pillar)]
}

fn seed_nav_bake() -> Vec<Vec<u8>> {
    let floor = [0, 0, 0, 0, 0, 30, 30, 0, 0, 30, 0, 30, 30, 0, 0, 0, 0, 30];
    let step = [5, 2, 5, 5, 2, 15, 15, 2, 5, 0, 12, 0, 0, 12, 20, 20, 12, 0];
    vec![seed_numbers(&floor), seed_numbers(&[&floor[..], &step].concat())]
}

/// Two squares side by side, and a query.
fn seed_mesh() -> Vec<Vec<u8>> {
    let mesh = b"mesh\n2\n6 2\n0 0 2 0 -1\n1 0 3 0 1 -1\n2 0 2 1 -1\n2 1 2 1 -1\n1 1 3 1 0 -1\n0 1 2 0 -1\n\
                 4 0 1 4 5 -1 1 -1 -1\n4 1 2 3 4 -1 -1 -1 0\n";
    vec![mesh.to_vec(), b"version 1\n0\tmaps/a.map\t49\t49\t1\t11\t1\t12\t1.5\n".to_vec()]
}

fn seed_grid_map() -> Vec<Vec<u8>> {
    vec![b"type octile\nheight 3\nwidth 5\nmap\n...@.\n.T.S.\n.G.W.\n".to_vec()]
}

fn seed_grid_scen() -> Vec<Vec<u8>> {
    vec![b"version 1\n0\ta.map\t5\t3\t0\t0\t4\t2\t5.41421\n0\ta.map\t5\t3\t0\t0\t2\t0\t2\n".to_vec()]
}

fn seed_tree_yaml() -> Vec<Vec<u8>> {
    let small = b"sentir: tree 1\nkeys: {a: bool, b: float}\ntrees:\n  one:\n    selector:\n      - when: {key: $a, \"==\": true}\n        \
                  aborts: both\n        do: {subtree: two, ports: {x: $b}}\n      - sequence: [{set: $a, to: true}, {wait: 1 \xc2\xb1 0.5}, idle]\n  \
                  two:\n    ports: {x: float, y: {kind: int, default: 3}}\n    root: {repeat: $y, do: {test: {key: $b, \"<\": $x}}}\n";
    let worth = b"sentir: tree 1\nkeys: {a: float, b: bool}\ntrees:\n  day:\n    utility_selector: [succeed, {wait: 1}, fail]\n    \
                  scores:\n      - {weight: $a, considerations: [{name: x, input: $a, from: 1, to: 9, curve: {logistic: {slope: 5}}}]}\n      \
                  - {considerations: [{name: y, when: {any: [{set: $b}, {not: {set: $a}}]}, curve: {table: [[0, 1], [1, 0.5]]}}]}\n      \
                  - {considerations: [{name: z, input: 0.5, curve: {polynomial: {exponent: 2.5}}}, {name: w, input: $a, curve: {bell: {width: 0.3}}}]}\n";
    let zombies = include_bytes!("../../crates/think/assets/zombies.yaml");
    vec![small.to_vec(), worth.to_vec(), zombies.to_vec()]
}

/// Any kind of brain, with leaves that nobody registered: what is read thinks a few times, and is drawn.
fn feed_brain_yaml(bytes: &[u8]) {
    let leaves = sentir_think::registry::Leaves::<Nobody>::open();
    let keys = sentir_think::key::Keys::default();
    let Ok(brain) = sentir_think::brain::Brain::read(bytes, "a.yaml", &keys, &leaves) else { return };
    let shared = Blackboard::new(brain.keys());
    let (mut own, mut why, mut out) = (shared.clone(), WhyLog::default(), ());
    let (mut state, mut scratch) = (brain.start(), BrainScratch::default());
    why.listen(true);
    for tick in 0..4 {
        let board = Board { own: &mut own, team: &shared, world: &shared };
        let (agent, rate, streams) = (AgentId::from_bits(1), TickRate::new(2), Streams { seed: 1 });
        let thinker = Thinker { agent, tick: Tick(tick), rate, streams };
        let mut thought = Thought::new(thinker, (), board, Sinks { out: &mut out, why: &mut why });
        brain.tick(&mut state, &mut scratch, &mut thought);
    }
    let _ = brain.chart("a", &state, why.entries().iter().map(|entry| &entry.why)).svg();
}

/// A game without anything.
struct Nobody;

impl sentir_think::leaf::Host for Nobody {
    type View<'a> = ();
    type Out = ();
}

fn seed_brain_yaml() -> Vec<Vec<u8>> {
    let mut seeds: Vec<Vec<u8>> =
        sentir_think::stock::GUARD.iter().map(|(_, _, text)| text.as_bytes().to_vec()).collect();
    seeds.push(sentir_think::stock::SOLDIER.1.as_bytes().to_vec());
    seeds
}

/// XML in; what comes out is a file of ours, which goes out again.
fn feed_tree_xml(bytes: &[u8]) {
    if let Ok(text) = sentir_think::tree::xml::import(bytes, "a.xml") {
        let _ = sentir_think::tree::xml::export(text.as_bytes(), "a.yaml");
    }
}

fn seed_tree_xml() -> Vec<Vec<u8>> {
    let small = "<root BTCPP_format=\"4\" main_tree_to_execute=\"A\"><BehaviorTree ID=\"A\"><Fallback name=\"f\">\
                 <Sequence><Condition ID=\"sees\"/><Timeout msec=\"500\"><Action ID=\"go\" to=\"{place}\" speed=\"2.5\"/></Timeout></Sequence>\
                 <Repeat num_cycles=\"3\"><SubTree ID=\"B\"/></Repeat><Inverter><Parallel success_count=\"1\"><AlwaysSuccess/><Sleep msec=\"20\"/></Parallel></Inverter>\
                 </Fallback></BehaviorTree><BehaviorTree ID=\"B\"><SetBlackboard value=\"1\" output_key=\"x\"/></BehaviorTree></root>";
    vec![small.as_bytes().to_vec()]
}
