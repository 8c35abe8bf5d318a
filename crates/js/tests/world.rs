//! A world as a page has it: what guards do, what is refused and how it is said, saves, edits, callbacks. What only JavaScript can
//! give (objects, functions, freed handles) is tried in `xtask/node/engine.mjs`.

#![allow(clippy::unwrap_used, reason = "what is unwrapped is what is tested")]

use std::sync::{Arc, Mutex};

use sentir::prelude::*;
use sentir::think::leaf::Status;
use sentir::think::value::Literal;
use sentir_js::page::{NoPage, Page, Phase, TaskCall};
use sentir_js::view;
use sentir_js::world::{BodySize, BrainSource, LevelSource, Newcomer, World, WorldError, WorldSpec};

const YARD: &str = include_str!("yard.yaml");
const GUARD: &str = include_str!("guard.yaml");
const RUNNER: u64 = 3;

fn spec<'a>(brains: &'a [BrainSource<'a>], page: Box<dyn Page>, has_own_rays: bool) -> WorldSpec<'a> {
    let level = LevelSource::File("yard.yaml", YARD.as_bytes());
    WorldSpec { seed: 7, rate_hz: 60, level, has_own_rays, body: BodySize::default(), brains, page }
}

fn source(text: &str) -> BrainSource<'_> {
    BrainSource { name: "guard", text, senses: SenseConfig::default() }
}

fn world_of(text: &str, page: Box<dyn Page>, has_own_rays: bool) -> Result<World, WorldError> {
    World::new(spec(&[source(text)], page, has_own_rays))
}

fn somebody(key: u64, team: u32, brain: Option<&str>, position: Vec3) -> Newcomer<'_> {
    let body = Body { pose: Pose { position, yaw: 0.0 }, ..Body::default() };
    Newcomer { key, team, kind: 5, brain, body }
}

fn yard() -> World {
    let mut world = world_of(GUARD, Box::new(NoPage), false).unwrap();
    for (key, x) in [(1, -12.0), (2, 8.0)] {
        world.add(somebody(key, 1, Some("guard"), Vec3::new(x, 0.0, 6.0))).unwrap();
    }
    world.add(somebody(RUNNER, 2, None, Vec3::new(-8.0, 0.0, 2.0))).unwrap();
    world
}

/// Moves bodies as they are asked to.
fn follow(world: &mut World, keys: &[u64]) {
    for &key in keys {
        let motion = world.motion(key).unwrap();
        let mut body = world.body(key).unwrap();
        body.pose.position += motion.velocity / 60.0;
        (body.pose.yaw, body.velocity) = (motion.yaw, motion.velocity);
        world.observe(key, body).unwrap();
    }
}

/// Moves the runner toward a place, at 4 m/s.
fn run_to(world: &mut World, to: Vec3) -> bool {
    let mut body = world.body(RUNNER).unwrap();
    let way = to - body.pose.position;
    if way.length() < 0.1 {
        body.velocity = Vec3::ZERO;
        world.observe(RUNNER, body).unwrap();
        return true;
    }
    body.velocity = way.normalize() * 4.0;
    body.pose.position += body.velocity / 60.0;
    world.observe(RUNNER, body).unwrap();
    false
}

fn doing(world: &World, key: u64) -> String {
    view::agent(world, key)["doing"].to_string()
}

/// Plays until the runner is hidden and forgotten; what the guards were at, in order, each once.
fn play(world: &mut World, ticks: u64) -> Vec<String> {
    let mut way = vec![
        Vec3::new(9.0, 0.0, 2.0),
        Vec3::new(9.0, 0.0, -5.0),
        Vec3::new(13.0, 0.0, -8.0),
        Vec3::new(13.0, 0.0, -3.0),
    ];
    let mut seen = Vec::new();
    for _ in 0..ticks {
        world.step();
        follow(world, &[1, 2]);
        if way.first().is_some_and(|&to| run_to(world, to)) {
            way.remove(0);
        }
        for key in [1, 2] {
            let now = format!("{key} {}", doing(world, key));
            if seen.iter().rev().find(|one: &&String| one.starts_with(&now[..1])) != Some(&now) {
                seen.push(now);
            }
        }
    }
    seen
}

#[test]
fn guards_see_a_runner_chase_it_and_lose_it() {
    let mut world = yard();
    let story = play(&mut world, 1800);
    let place = |what: &str| story.iter().position(|one| one.contains(what));
    let (chase, search) = (place("chase").expect("a chase"), place("search").expect("a search"));
    let patrol = story.iter().rposition(|one| one.contains("patrol")).expect("a patrol");
    assert!(place("patrol").unwrap() < chase && chase < search && search < patrol, "{story:?}");
    let beliefs = view::agent(&world, 1);
    assert_eq!((beliefs["kind"].as_u64(), beliefs["facts"]["health"].as_f64()), (Some(5), Some(1.0)), "{beliefs}");
}

#[test]
fn the_same_calls_give_the_same_bits_and_a_saved_world_goes_on_as_it_would_have() {
    let (mut one, mut other) = (yard(), yard());
    play(&mut one, 400);
    play(&mut other, 400);
    assert_eq!(one.hash(), other.hash());
    let saved = one.save();
    let on = |world: &mut World| {
        for _ in 0..300 {
            world.step();
            follow(world, &[1, 2]);
        }
        world.hash()
    };
    let expected = on(&mut one);
    let mut fresh = yard();
    fresh.load(&saved).unwrap();
    assert_eq!(on(&mut fresh), expected);
    assert_ne!(yard().hash(), expected);
}

#[test]
fn a_save_fits_the_level_and_the_files_that_it_was_made_with() {
    let world = yard();
    let saved = world.save();
    let mut edited = world_of(&GUARD.replace("pace_m_per_s: 3", "pace_m_per_s: 2"), Box::new(NoPage), false).unwrap();
    let refused = edited.load(&saved).unwrap_err().to_string();
    assert!(
        refused.starts_with("the save was made with 'guard' ") && refused.contains("and this world has 'guard' "),
        "{refused}"
    );
    assert_eq!(edited.agents().len(), 0);
    let level = YARD.replace("height_m: 3", "height_m: 2.9");
    let other =
        WorldSpec { level: LevelSource::File("yard.yaml", level.as_bytes()), ..spec(&[], Box::new(NoPage), false) };
    assert!(
        World::new(other).unwrap().load(&saved).unwrap_err().to_string().starts_with("the save is of another level")
    );
    let mut fresh = yard();
    for length in [0, 1, 40, saved.len() - 1] {
        let refused = fresh.load(&saved[..length]).unwrap_err().to_string();
        assert!(refused.starts_with("the save "), "{refused}");
    }
    assert_eq!(fresh.hash(), world.hash());
}

#[test]
fn what_guards_cannot_sense_changes_nothing_they_do() {
    let moves = |hidden: Vec3| {
        let mut world = yard();
        world.teleport(RUNNER, Pose { position: hidden, yaw: 0.0 }).unwrap();
        let mut all = Vec::new();
        for _ in 0..600 {
            world.step();
            follow(&mut world, &[1, 2]);
            all.extend(view::motions(&world));
        }
        all
    };
    // Both are behind the wall, out of sight of who patrols before it.
    assert_eq!(moves(Vec3::new(0.0, 0.0, -4.0)), moves(Vec3::new(2.0, 0.0, -3.0)));
}

#[test]
fn what_is_wrong_is_said_and_nothing_is_changed() {
    let mut world = yard();
    let hash = world.hash();
    let nan = Body { pose: Pose { position: Vec3::NAN, yaw: 0.0 }, ..Body::default() };
    let body = Body::default();
    let say = |refused: Result<(), WorldError>| refused.unwrap_err().to_string();
    let sentences = [
        (say(world.observe(1, nan)), "`position` is NaN: expected three finite numbers"),
        (say(world.observe(9, body)), "there is no agent with key 9: add it first"),
        (say(world.observe(1, Body { health: 2.0, ..body })), "`health` is 2: expected a share of full health, 0 to 1"),
        (say(world.observe(1, Body { radius_m: 0.0, ..body })), "`radius_m` is 0: expected 0.01 to 10 m"),
        (say(world.add(somebody(1, 1, None, Vec3::ZERO))), "the host key 1 already has agent"),
        (say(world.add(somebody(4, 1, Some("gard"), Vec3::ZERO))), "there is no brain 'gard', did you mean 'guard'?"),
        (say(world.noise(Vec3::ZERO, 0.0, None)), "`range_m` is 0: expected a number above 0"),
        (say(world.noise(Vec3::ZERO, 3.0, Some(8))), "there is no agent with key 8"),
        (say(world.hurt(1, f32::NAN, Vec3::ZERO)), "`amount` is NaN: expected a share of full health"),
        (say(world.tell(RUNNER, "enemy", None)), "agent 3 has no brain"),
        (say(world.tell(1, "enemi", None)), "the brain 'guard' has no key `enemi`, did you mean 'enemy'?"),
        (
            say(world.tell(1, "enemy", Some(&Literal::Bool(true)))),
            "the key `enemy` of the brain 'guard' holds a place: a boolean was given",
        ),
        (
            say(world.edit("guard", "sentir: tree 1\ntrees: {a: {task: gp}}")),
            "guard:2:19: unknown task `gp` (did you mean `go`?)",
        ),
        (
            say(world.teleport(1, Pose { position: Vec3::ZERO, yaw: f32::INFINITY })),
            "`yaw` is inf: expected a finite number",
        ),
    ];
    for (sentence, expected) in sentences {
        assert!(sentence.starts_with(expected), "{sentence}\n  instead of\n{expected}");
    }
    assert!(world.due(f64::NAN).is_err() && world.due(-1.0).is_err());
    assert!(!world.remove(9));
    assert_eq!(world.hash(), hash);
}

#[test]
fn levels_and_brains_that_cannot_be_are_refused_when_the_world_is_made() {
    let refused = |level: LevelSource<'_>, text: &str| {
        let brains = [source(text)];
        World::new(WorldSpec { level, ..spec(&brains, Box::new(NoPage), false) })
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default()
    };
    let yard = LevelSource::File("yard.yaml", YARD.as_bytes());
    for (level, text, expected) in [
        (LevelSource::File("a.yaml", b"nam: a"), GUARD, "a.yaml:1:1: unknown key `nam` (did you mean `name`?)"),
        (LevelSource::File("a.zip", b""), GUARD, "a.zip: unknown kind of level file"),
        (LevelSource::Flat(0.0), GUARD, "`flat_m` is 0: expected a width from 1 to 2000 m"),
        (LevelSource::Triangles(&[0.0, 1.0], &[0, 0, 0]), GUARD, "`positions.length` is 2"),
        (LevelSource::Triangles(&[0.0; 9], &[0, 1, 3]), GUARD, "`indices` is 3: expected the number of a corner"),
        (LevelSource::Triangles(&[f32::NAN; 9], &[0, 1, 2]), GUARD, "`positions` is NaN"),
        (
            LevelSource::Triangles(&[0.0, 0.0, 0.0, 0.1, 0.0, 0.0, 0.0, 0.0, 0.1], &[0, 1, 2]),
            GUARD,
            "nobody of 0.35 m by 1.8 m can stand anywhere in this level",
        ),
        (
            yard,
            "sentir: tree 1\nkeys: {seen: float}\ntrees: {a: idle}",
            "guard: the blackboard key `seen` holds a float: expected a key of kind bool",
        ),
        (
            yard,
            "sentir: tree 1\nkeys: {alarm: {kind: bool, scope: team}}\ntrees: {a: idle}",
            "guard: the key `alarm` is of scope team",
        ),
        (
            yard,
            "sentir: tree 1\ntrees: {a: {task: call, with: {name: ring}}}",
            "guard:2:38: unknown task of the page `ring`",
        ),
        (yard, "sentir: tree 1\ntrees: {a: {task: patrol, with: {places: []}}}", "guard:2:42: found no place to go to"),
        (
            yard,
            "sentir: tree 1\ntrees: {a: {task: go, with: {too: [0, 0, 0]}}}",
            "guard:2:30: unknown key `too` (did you mean `to`?)",
        ),
    ] {
        let sentence = refused(level, text);
        assert!(sentence.starts_with(expected), "{sentence}\n  instead of\n{expected}");
    }
}

#[test]
fn an_edit_goes_on_where_it_was() {
    let mut world = yard();
    play(&mut world, 200);
    assert!(doing(&world, 1).contains("chase"), "{}", doing(&world, 1));
    world.edit("guard", &GUARD.replace("pace_m_per_s: 3", "pace_m_per_s: 4")).unwrap();
    world.step();
    assert!(doing(&world, 1).contains("chase"));
    let wants = |world: &World| view::agent(world, 1)["wants"]["pace_m_per_s"].as_f64();
    for _ in 0..12 {
        world.step();
    }
    assert_eq!(wants(&world), Some(4.0));
}

#[test]
fn facts_are_told_noises_heard_and_hurts_felt_from_the_next_thought_on() {
    let text =
        "sentir: tree 1\nkeys: {alarm: bool, heard: bool, noise: place, hurt: bool, here: place}\ntrees: {a: idle}";
    let mut world = world_of(text, Box::new(NoPage), false).unwrap();
    world.add(somebody(1, 1, Some("guard"), Vec3::new(0.0, 0.0, 5.0))).unwrap();
    let fact = |world: &World, name: &str| view::agent(world, 1)["facts"][name].clone();
    world.step();
    assert_eq!((fact(&world, "alarm"), fact(&world, "heard")), (serde_json::Value::Null, false.into()));
    world.tell(1, "alarm", Some(&Literal::Bool(true))).unwrap();
    world.noise(Vec3::new(3.0, 0.0, 5.0), 10.0, None).unwrap();
    world.hurt(1, 0.25, Vec3::ZERO).unwrap();
    for _ in 0..12 {
        world.step();
    }
    assert_eq!([fact(&world, "alarm"), fact(&world, "heard"), fact(&world, "hurt")], [true, true, true]);
    assert_eq!(fact(&world, "noise"), view::point(Vec3::new(3.0, 0.1, 5.0)));
    world.tell(1, "heard", None).unwrap();
    world.step();
    assert_eq!(fact(&world, "heard"), serde_json::Value::Null);
}

/// A call of a task: where it stood, and what the file gave.
type Called = (Phase, Option<Vec3>, Option<f32>);

/// A page that notes what it is asked.
#[derive(Clone, Default)]
struct Noting {
    calls: Arc<Mutex<Vec<Called>>>,
    rays: Arc<Mutex<u32>>,
}

impl Page for Noting {
    fn ray(&self, _from: Vec3, _to: Vec3) -> Option<f32> {
        *self.rays.lock().unwrap() += 1;
        Some(0.5)
    }

    fn task(&self, call: &TaskCall<'_>) -> Status {
        assert_eq!((call.name, call.key, call.text), ("ring", 1, Some("loud")));
        self.calls.lock().unwrap().push((call.phase, call.at, call.number));
        if call.seconds > 0.5 { Status::Success } else { Status::Running }
    }

    fn task_names(&self) -> Vec<String> {
        vec!["ring".to_owned()]
    }
}

#[test]
fn tasks_of_the_page_start_go_on_and_are_aborted() {
    let text = "sentir: tree 1\nkeys: {stop: bool, spot: place}\ntrees:\n  a:\n    selector:\n      - {when: {key: $stop, \"==\": true}, aborts: both, do: idle}\n      - {task: call, with: {name: ring, at: $spot, number: 2, text: loud}}\n";
    let page = Noting::default();
    let mut world = world_of(text, Box::new(page.clone()), false).unwrap();
    world.add(somebody(1, 1, Some("guard"), Vec3::new(0.0, 0.0, 5.0))).unwrap();
    world.tell(1, "spot", Some(&Literal::Numbers(vec![1.0, 0.0, 2.0]))).unwrap();
    for _ in 0..20 {
        world.step();
    }
    world.tell(1, "stop", Some(&Literal::Bool(true))).unwrap();
    for _ in 0..12 {
        world.step();
    }
    let calls = page.calls.lock().unwrap();
    let spot = Some(Vec3::new(1.0, 0.0, 2.0));
    assert_eq!(calls.first(), Some(&(Phase::Start, spot, Some(2.0))));
    assert!(calls.len() > 2 && calls[1..calls.len() - 1].iter().all(|call| call.0 == Phase::Tick), "{calls:?}");
    assert_eq!(calls.last().map(|call| call.0), Some(Phase::Abort));
}

#[test]
fn own_rays_take_the_place_of_the_level() {
    let page = Noting::default();
    let mut world = world_of(GUARD, Box::new(page.clone()), true).unwrap();
    world.add(somebody(1, 1, Some("guard"), Vec3::new(0.0, 0.0, 8.0))).unwrap();
    world.add(somebody(2, 2, None, Vec3::new(0.0, 0.0, 4.0))).unwrap();
    for _ in 0..120 {
        world.step();
    }
    assert!(*page.rays.lock().unwrap() > 0);
    assert_eq!(view::agent(&world, 1)["believes"], serde_json::json!([]));
    assert_eq!(world.ray(Vec3::ZERO, Vec3::X), Some(0.5));
    let mut open = world_of(GUARD, Box::new(NoPage), true).unwrap();
    open.add(somebody(1, 1, Some("guard"), Vec3::new(0.0, 0.0, 8.0))).unwrap();
    // Behind the wall of the level, which the page's rays do not know.
    open.add(somebody(2, 2, None, Vec3::new(0.0, 0.0, -4.0))).unwrap();
    for _ in 0..120 {
        open.step();
    }
    assert_eq!(view::agent(&open, 1)["believes"][0]["key"], 2);
}

#[test]
fn the_ground_can_be_asked_for_ways_heights_and_triangles() {
    let world = yard();
    let path = world.path(Vec3::new(0.0, 0.0, 4.0), Vec3::new(0.0, 0.0, -4.0)).expect("a way round the wall");
    assert!(path.len() > 2 && path.iter().any(|corner| corner.x.abs() > 6.0), "{path:?}");
    assert_eq!(world.path(Vec3::new(0.0, 0.0, 4.0), Vec3::new(0.0, 0.0, 40.0)), None);
    assert!(world.ground(Vec3::new(0.0, 0.0, 4.0)).is_some_and(|height| height.abs() < 0.3));
    assert_eq!(world.ground(Vec3::new(40.0, 0.0, 4.0)), None);
    let share = world.ray(Vec3::new(0.0, 1.0, 4.0), Vec3::new(0.0, 1.0, -4.0)).expect("a wall");
    assert!((share - 3.5 / 8.0).abs() < 0.01, "{share}");
    let triangles = world.triangles();
    assert!(triangles.len() > 90 && triangles.len().is_multiple_of(9));
    let flat = WorldSpec { level: LevelSource::Flat(20.0), ..spec(&[], Box::new(NoPage), false) };
    assert_eq!(World::new(flat).unwrap().triangles().len(), 18);
}

#[test]
fn reasons_change_nothing_and_say_why() {
    let (mut plain, mut heard) = (yard(), yard());
    heard.listen(true);
    let noted = |world: &World| {
        let parts = view::why(world, 2)["parts"].as_array().cloned().unwrap_or_default();
        parts.iter().any(|part| part["note"].as_str().is_some_and(|note| note.contains("enemy_age_s")))
    };
    let mut was_noted = false;
    for _ in 0..12 {
        plain.step();
        heard.step();
        was_noted |= noted(&heard);
        assert!(!noted(&plain));
    }
    assert!(was_noted);
    play(&mut plain, 120);
    play(&mut heard, 120);
    assert_eq!(plain.hash(), heard.hash());
    assert_eq!(view::why(&heard, RUNNER), serde_json::Value::Null);
}
