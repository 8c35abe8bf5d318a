//! A session is one run that can be moved through: whatever the way to a moment, the moment is the same, and what is
//! recorded here replays elsewhere.
#![allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]

mod screen;

use sentir::core::draw::{DrawList, Layer};
use sentir::core::glam::Vec2;
use sentir::core::pool::Serial;
use sentir::prelude::{Actions, HostKey, Stance};
use sentir_harness::animation::Activity;
use sentir_harness::hud::{Place, Tone};
use sentir_harness::info::{BY_PERSON, Changes, ControlAction, ControlMode, Ground, Model, View};
use sentir_harness::recording::Recording;
use sentir_harness::sound::SoundKind;
use sentir_sim::input::Input;
use sentir_web::note::NOTES_MAX;
use sentir_web::picture::{HEAD, Picture};
use sentir_web::session::{INPUTS_PER_TICK_MAX, Session, SessionError};
use sentir_web::{compare, report};

const STOCK: [&str; 0] = [];

fn stick(east: f32, north: f32) -> Input {
    Input::quantized(0, Vec2::new(east, north), 0.3, 0.0, Stance::Stand, Actions::default())
}

fn picture(session: &Session) -> Picture {
    let mut list = DrawList::default();
    session.draw(&mut list);
    Picture::of(&list)
}

/// Everything that can be told of a moment.
fn moment(session: &Session) -> (u64, String, Picture, Vec<f64>) {
    let seen = report::agents(session);
    (session.hash(), report::events(session).to_string(), picture(session), seen)
}

#[test]
fn seeking_back_and_forth_gives_the_same_moment_in_every_scene() {
    for scene in sentir_scenes::CATALOG.scenes() {
        let mut session = Session::start(scene.name, 7, &STOCK).unwrap();
        session.step(20);
        session.give(stick(1.0, 0.5)).unwrap();
        let mut played = vec![moment(&session)];
        for _ in 0..130 {
            session.step(1);
            played.push(moment(&session));
        }
        for tick in [150, 21, 90, 89, 91, 60, 61, 150, 30, 31, 20, 149] {
            assert_eq!(session.seek(tick), Ok(tick), "{}", scene.name);
            assert!(moment(&session) == played[tick as usize - 20], "{} differs at {tick}", scene.name);
        }
        assert_eq!((session.seek(0), session.known_ticks()), (Ok(0), 150));
    }
}

#[test]
fn seeking_beyond_what_is_known_plays_on_and_stops_at_the_end() {
    let mut session = Session::start("patrol", 7, &STOCK).unwrap();
    let end = session.seek(u64::MAX).unwrap();
    assert!(end > 60 && session.ending().is_some() && session.known_ticks() == end);
    let hash = session.hash();
    assert_eq!((session.step(5), session.seek(end + 9), session.hash()), (0, Ok(end), hash));
    assert_eq!(session.give(stick(1.0, 0.0)), Err(SessionError::Over { tick: end }));
    session.seek(end - 1).unwrap();
    assert!(session.ending().is_none());
}

#[test]
fn a_bound_on_snapshots_is_kept_and_changes_no_moment() {
    let mut wide = Session::start("patrol", 3, &STOCK).unwrap();
    wide.step(600);
    let (bytes, count) = wide.snapshot_bytes();
    assert!(count > 15, "{count}");
    let bound = bytes / 3;
    let mut tight = Session::start("patrol", 3, &STOCK).unwrap().with_snapshot_bytes_max(bound);
    tight.step(600);
    let (bytes, few) = tight.snapshot_bytes();
    assert!(bytes <= bound && few < count, "{bytes} of {bound}, {few} of {count}");
    let mut bare = Session::start("patrol", 3, &STOCK).unwrap().with_snapshot_bytes_max(0);
    bare.step(600);
    assert_eq!(bare.snapshot_bytes().1, 1);
    for tick in [599, 301, 17, 450] {
        for session in [&mut wide, &mut tight, &mut bare] {
            session.seek(tick).unwrap();
        }
        assert_eq!((wide.hash(), wide.hash()), (tight.hash(), bare.hash()), "at {tick}");
    }
}

#[test]
fn an_input_moves_the_player_and_is_played_again_when_sought() {
    let mut still = Session::start("steering-basic", 1, &STOCK).unwrap();
    let mut played = Session::start("steering-basic", 1, &STOCK).unwrap();
    still.step(240);
    played.step(40);
    played.give(stick(1.0, 0.0)).unwrap();
    played.step(200);
    assert_ne!(still.hash(), played.hash());
    assert_eq!(still.first_difference(&played), Some(40));
    let hash = played.hash();
    played.seek(39).unwrap();
    played.seek(240).unwrap();
    assert_eq!(played.hash(), hash);
}

#[test]
fn an_input_in_the_past_starts_another_future() {
    let mut session = Session::start("steering-basic", 1, &STOCK).unwrap();
    session.step(50);
    session.give(stick(1.0, 0.0)).unwrap();
    session.step(100);
    let before = session.hash();
    session.seek(50).unwrap();
    session.give(stick(-1.0, 0.0)).unwrap();
    assert_eq!(session.known_ticks(), 50);
    session.step(100);
    assert_ne!(session.hash(), before);
    session.seek(50).unwrap();
    session.give(stick(1.0, 0.0)).unwrap();
    session.step(100);
    assert_eq!(session.hash(), before);
}

#[test]
fn forks_go_their_own_ways() {
    let mut first = Session::start("steering-basic", 5, &STOCK).unwrap();
    first.step(90);
    let mut second = first.fork().unwrap();
    assert_eq!((first.hash(), first.tick()), (second.hash(), second.tick()));
    second.give(stick(0.0, -1.0)).unwrap();
    first.step(60);
    second.step(60);
    assert_eq!(first.first_difference(&second), Some(90));
    let [a, b] = [&mut first, &mut second].map(|session| session.seek(70).map(|_| session.hash()));
    assert_eq!(a, b);
    let twin = first.fork().unwrap();
    assert_eq!(first.first_difference(&twin), None);
}

#[test]
fn what_is_recorded_here_replays_natively_in_every_scene() {
    for scene in sentir_scenes::CATALOG.scenes() {
        let mut session = Session::start(scene.name, 11, &STOCK).unwrap();
        session.step(33);
        session.give(stick(0.4, -0.9)).unwrap();
        session.step(80);
        session.give(Input { key: b'C', ..stick(0.0, 0.0) }).unwrap();
        session.step(7);
        session.seek(70).unwrap();
        let hash = session.hash();
        let file = session.record().unwrap();
        assert_eq!((session.tick(), session.hash()), (70, hash), "recording moved {}", scene.name);
        let recording = Recording::from_file(&file).unwrap();
        assert_eq!((recording.hashes.len(), recording.inputs.len()), (120, 2));
        let replay = recording.replay(&sentir_scenes::CATALOG, Changes::default(), &Serial, |_| {}).unwrap();
        assert_eq!((replay.ticks, replay.difference, replay.changes), (120, None, Vec::new()), "{}", scene.name);
    }
}

#[test]
fn an_input_that_no_tick_has_taken_is_not_recorded() {
    let mut session = Session::start("patrol", 1, &STOCK).unwrap();
    session.step(10);
    session.give(stick(1.0, 0.0)).unwrap();
    let recording = Recording::from_file(&session.record().unwrap()).unwrap();
    assert_eq!((recording.hashes.len(), recording.inputs.len()), (10, 0));
}

#[test]
fn what_cannot_be_done_is_told_in_a_sentence() {
    let say = |scene: &str, settings: &[&str]| Session::start(scene, 1, settings).err().unwrap().to_string();
    assert_eq!(say("patrl", &[]), "there is no scene 'patrl', did you mean 'patrol'?");
    assert_eq!(say("patrol", &["guards"]), "'guards' is not of the form KEY=VALUE");
    assert_eq!(say("patrol", &["gards=2"]), "there is no setting 'gards', did you mean 'guards'?");
    let mut session = Session::start("patrol", 1, &STOCK).unwrap();
    for _ in 0..INPUTS_PER_TICK_MAX {
        session.give(stick(1.0, 0.0)).unwrap();
    }
    let sentence = session.give(stick(1.0, 0.0)).unwrap_err().to_string();
    assert_eq!(sentence, "tick 0 already has 64 inputs: step before giving more");
}

#[test]
fn every_scene_has_something_to_see_and_somebody_to_ask() {
    for scene in sentir_scenes::CATALOG.scenes() {
        let mut session = Session::start(scene.name, 2, &STOCK).unwrap();
        session.step(60);
        let picture = picture(&session);
        assert!(picture.words.len() > HEAD && picture.floats.len() > 10, "{} shows nothing", scene.name);
        let keys: Vec<f64> = report::agents(&session).chunks(report::AGENT_STRIDE).map(|agent| agent[0]).collect();
        assert!(!keys.is_empty(), "{} has nobody", scene.name);
        for key in keys {
            let agent = report::agent(&session, HostKey(key as u64));
            assert_eq!(agent["key"].as_f64(), Some(key), "{}", scene.name);
            assert!(agent["beliefs"]["others"].is_array() && agent["intents"]["gaze"] != serde_json::Value::Null);
        }
        assert!(report::agent(&session, HostKey(u64::MAX)).is_null());
        let status = report::status(&session);
        assert_eq!(status["tick"], 60);
        assert_eq!(status["known_ticks"], 60);
    }
}

#[test]
fn the_list_of_scenes_tells_limits() {
    let catalog = report::catalog();
    let families = catalog.as_array().unwrap();
    let names: Vec<&str> = families.iter().map(|family| family["name"].as_str().unwrap()).collect();
    assert_eq!(names, sentir_scenes::CATALOG.families.iter().map(|family| family.name).collect::<Vec<_>>());
    let scenes: Vec<_> = families.iter().flat_map(|family| family["scenes"].as_array().unwrap()).collect();
    let patrol = scenes.iter().find(|scene| scene["name"] == "patrol").unwrap();
    let guards = patrol["settings"].as_array().unwrap().iter().find(|setting| setting["name"] == "guards").unwrap();
    assert_eq!((&guards["limits"]["kind"], guards["limits"]["min"].as_u64()), (&"whole".into(), Some(1)));
    assert_eq!(scenes.len(), sentir_scenes::CATALOG.scenes().count());
}

/// The words of a union type in the types that JavaScript is given.
fn union_of(name: &str) -> Vec<&'static str> {
    let types = include_str!("../src/types.d.ts");
    let (_, from) = types.split_once(&format!("export type {name} =")).unwrap();
    let (body, _) = from.split_once(';').unwrap();
    body.split('"').skip(1).step_by(2).collect()
}

#[test]
fn the_types_name_just_what_the_tables_have() {
    assert_eq!(union_of("ControlMode"), ControlMode::ALL.map(ControlMode::name));
    assert_eq!(union_of("ControlAction"), ControlAction::ALL.map(ControlAction::name));
    let names = |all: &mut dyn Iterator<Item = &'static str>| all.collect::<Vec<_>>();
    assert_eq!(union_of("Model"), names(&mut Model::ALL.iter().map(|it| it.name())));
    assert_eq!(union_of("Ground"), names(&mut Ground::ALL.iter().map(|it| it.name())));
    assert_eq!(union_of("View"), names(&mut View::ALL.iter().map(|it| it.name())));
    assert_eq!(union_of("Tone"), names(&mut Tone::ALL.iter().map(|it| it.name())));
    assert_eq!(union_of("Place"), names(&mut Place::ALL.iter().map(|it| it.name())));
    assert_eq!(union_of("Activity"), names(&mut Activity::ALL.iter().map(|it| it.name())));
    assert_eq!(union_of("SoundKind"), names(&mut SoundKind::ALL.iter().map(|it| it.name())));
    assert_eq!(union_of("AgentNumber"), report::AGENT_NUMBERS);
    assert_eq!(union_of("FallenNumber"), report::FALLEN_NUMBERS);
    assert_eq!(union_of("EventClass"), report::EventClass::ALL.map(report::EventClass::name));
    let layers = report::layers();
    let names: Vec<&str> = layers.as_array().unwrap().iter().map(|layer| layer["name"].as_str().unwrap()).collect();
    assert_eq!(union_of("LayerName"), names);
}

#[test]
fn a_scene_tells_how_it_is_played_and_whom_the_controls_move() {
    let mut played = Vec::new();
    for scene in sentir_scenes::CATALOG.scenes() {
        let mut stock = Session::start(scene.name, 7, &STOCK).unwrap();
        let Some(controls) = scene.controls else {
            assert_eq!(stock.player(), None, "{}", scene.name);
            continue;
        };
        let handed = controls.setting.map(|name| format!("{name}={BY_PERSON}"));
        let mut session = Session::start(scene.name, 7, &handed.iter().collect::<Vec<_>>()).unwrap();
        // Fighters of a round come in with its first ticks.
        session.step(30);
        stock.step(30);
        // Without a setting the first input takes over; with one nobody is moved until it is set.
        assert_eq!(stock.player(), if handed.is_none() { session.player() } else { None }, "{}", scene.name);
        // Who commands is nobody of them.
        assert_eq!(session.player().is_none(), controls.mode == ControlMode::Command, "{}", scene.name);
        assert_eq!(report::status(&session)["player"].as_u64(), session.player().map(|key| key.0));
        played.push((scene.name, controls.mode.name()));
    }
    assert!(
        played.contains(&("firefight", "first_person")) && played.contains(&("formation", "command")),
        "{played:?}"
    );
}

#[test]
fn the_stick_moves_the_agent_that_is_said_to_be_the_players() {
    for (scene, setting) in [("skirmish", "who=input"), ("patrol", "intruder=input"), ("firefight", "player=input")] {
        let mut session = Session::start(scene, 7, &[setting]).unwrap();
        session.step(30);
        let mine = session.player().unwrap();
        // The intruder of patrol comes in after a while.
        let is_there = |session: &Session| session.agents().iter().any(|presence| presence.key == mine);
        while !is_there(&session) && session.tick() < 1800 {
            session.step(10);
        }
        session.give(stick(1.0, 0.0)).unwrap();
        session.step(20);
        let it = session.agents().into_iter().find(|presence| presence.key == mine);
        let it = it.unwrap_or_else(|| panic!("the player of {scene} is not there"));
        assert!(it.body.velocity.x > 0.5, "{scene}: {:?}", it.body.velocity);
    }
}

#[test]
fn something_stupid_is_marked_as_such() {
    // With friendly fire in a narrow place, somebody does something stupid before long.
    let marks = (0..20).find_map(|seed| {
        let mut session = Session::start("skirmish", seed, &STOCK).unwrap();
        session.seek(u64::MAX).unwrap();
        let marks = report::marks(&session);
        marks.as_array().unwrap().iter().find(|mark| mark["class"] == "stupid").cloned()
    });
    let mark = marks.expect("twenty matches without anything stupid");
    assert!(mark["name"].as_str().unwrap().starts_with("stupid_") && mark["weight"] == 2, "{mark}");
}

#[test]
fn what_is_worth_finding_again_is_noted_once_however_the_run_is_moved_through() {
    let mut session = Session::start("patrol", 7, &STOCK).unwrap();
    let end = session.seek(u64::MAX).unwrap();
    let marks = report::marks(&session);
    let marks = marks.as_array().unwrap();
    let has = |word: &str| marks.iter().any(|mark| mark["what"].as_str().unwrap().contains(word));
    assert!(has("noticed somebody") && has("decided to"), "{marks:?}");
    assert!(marks.iter().all(|mark| (1..=3).contains(&mark["weight"].as_u64().unwrap())));
    let ticks: Vec<u64> = marks.iter().map(|mark| mark["tick"].as_u64().unwrap()).collect();
    assert!(ticks.is_sorted() && ticks.last().unwrap() < &end);
    session.seek(30).unwrap();
    session.seek(end).unwrap();
    assert_eq!(report::marks(&session).as_array().unwrap(), marks);
    // Another future has other notes; the past keeps its own.
    session.seek(ticks[1] + 1).unwrap();
    session.give(stick(1.0, 0.0)).unwrap();
    let past = ticks.iter().filter(|tick| **tick < ticks[1] + 1).count();
    assert_eq!(session.notes().len(), past);
}

#[test]
fn notes_are_bounded_in_a_long_fight() {
    let mut session = Session::start("skirmish", 7, &STOCK).unwrap();
    let end = session.seek(u64::MAX).unwrap();
    assert!(end > 1_000 && session.notes().len() <= NOTES_MAX);
    assert!(session.notes().iter().any(|note| note.weight == 3), "somebody died in {end} ticks");
}

#[test]
fn two_runs_part_at_an_input_and_are_told_apart_by_their_first_decision() {
    let mut original = Session::start("skirmish", 7, &["who=input"]).unwrap();
    original.seek(1_500).unwrap();
    original.seek(200).unwrap();
    let mut fork = original.fork().unwrap();
    assert_eq!(compare::first_decision(&original, &fork), Ok(None));
    fork.give(stick(0.0, 1.0)).unwrap();
    fork.seek(1_500).unwrap();
    let parting = compare::first_decision(&original, &fork).unwrap().unwrap();
    let decision = parting.decision.unwrap();
    assert!(parting.first_tick >= 200 && decision.tick >= parting.first_tick, "{decision:?}");
    assert_ne!(decision.here, decision.there);
    // It is true: before it everybody wants the same, in it they do not.
    let wishes = |session: &Session, tick: u64| {
        let mut run = session.fork().unwrap();
        run.seek(tick + 1).unwrap();
        report::agent(&run, decision.key)["intents"].clone()
    };
    assert_ne!(wishes(&original, decision.tick), wishes(&fork, decision.tick));
    let told = report::decision(&compare::first_decision(&original, &fork).unwrap().unwrap());
    assert_eq!((told["first_tick"].as_u64(), told["key"].as_u64()), (Some(parting.first_tick), Some(decision.key.0)));
    // The runs themselves stay where they are.
    assert_eq!((original.tick(), fork.tick()), (200, 1_500));
}

#[test]
fn an_input_that_nobody_heeds_makes_runs_differ_but_no_decision() {
    let mut original = Session::start("patrol", 7, &STOCK).unwrap();
    original.seek(100).unwrap();
    let mut fork = original.fork().unwrap();
    fork.give(stick(1.0, 0.0)).unwrap();
    original.step(50);
    fork.step(50);
    let parting = compare::first_decision(&original, &fork).unwrap().unwrap();
    assert_eq!((parting.first_tick, parting.decision), (100, None));
}

/// Looks along a yaw, with some actions.
fn hands(stick: Vec2, yaw: f32, stance: Stance, actions: Actions) -> Input {
    Input::quantized(0, stick, yaw, 0.0, stance, actions)
}

/// A person plays a firefight for ten seconds: walks, turns, shoots, reloads, crouches, jumps.
fn played() -> Session {
    let mut session = Session::start("firefight", 7, &["player=input"]).unwrap();
    let none = Actions::default();
    for (ticks, input) in [
        (60, hands(Vec2::new(-1.0, 0.0), 1.57, Stance::Stand, none)),
        (50, hands(Vec2::ZERO, 0.4, Stance::Stand, Actions::FIRE)),
        (30, hands(Vec2::ZERO, 0.4, Stance::Crouch, Actions::RELOAD)),
        (200, hands(Vec2::new(0.0, 0.5), 0.4, Stance::Crouch, none)),
        (20, hands(Vec2::new(0.0, 1.0), 0.0, Stance::Stand, Actions::JUMP)),
        (240, hands(Vec2::new(-0.7, 0.7), 0.8, Stance::Stand, none)),
    ] {
        session.give(input).unwrap();
        session.step(ticks);
    }
    session
}

#[test]
fn what_a_person_played_is_recorded_and_replays_to_the_same_bits() {
    let mut session = played();
    let file = session.record().unwrap();
    let recording = Recording::from_file(&file).unwrap();
    assert!(recording.inputs.len() >= 6);
    let replay = recording.replay(&sentir_scenes::CATALOG, Changes::default(), &Serial, |_| {}).unwrap();
    assert_eq!((replay.ticks, replay.difference, replay.changes), (600, None, Vec::new()));
    let hash = session.hash();
    session.seek(31).unwrap();
    session.seek(600).unwrap();
    assert_eq!(session.hash(), hash);
}

#[test]
fn the_screen_of_who_plays_tells_the_numbers_of_the_world() {
    let mut session = played();
    let number = |session: &Session, name: &str| {
        session.metrics().iter().find(|metric| metric.name == name).map(|metric| metric.value).unwrap()
    };
    session.seek(110).unwrap();
    let fired = session.hud().unwrap();
    let [shots, hits, _] = fired.counts;
    assert!(shots >= 4, "{fired:?}");
    assert_eq!(f64::from(shots), number(&session, "player_shots"));
    assert_eq!(f64::from(hits), number(&session, "player_hits"));
    let [magazine, full, reserve] = fired.rounds;
    assert_eq!(magazine + shots, full);
    session.seek(125).unwrap();
    assert!(session.hud().unwrap().reload.is_some_and(|share| share > 0.0 && share < 1.0));
    session.seek(360).unwrap();
    let loaded = session.hud().unwrap();
    assert_eq!((loaded.rounds, loaded.reload), ([full, full, reserve - shots], None));
    assert_eq!(f64::from(loaded.foes), number(&session, "soldiers_left"));
    let told = report::hud(&session);
    assert_eq!(
        (told["magazine"].as_u64(), told["reserve"].as_u64()),
        (Some(full.into()), Some((reserve - shots).into()))
    );
}

#[test]
fn who_is_shot_dead_lies_there_and_his_screen_says_so() {
    let mut session = Session::start("firefight", 7, &["player=input", "health=1"]).unwrap();
    session.seek(u64::MAX).unwrap();
    let hud = session.hud().unwrap();
    assert_eq!((session.ending(), hud.is_won), (Some("the soldiers win"), Some(false)));
    assert_eq!((hud.health[0], hud.rounds[0]), (0.0, 0));
    assert!(hud.hurts[0].is_some(), "it is told from where");
    let lying = report::fallen(&session);
    assert_eq!((lying.len(), lying[0]), (report::FALLEN_STRIDE, 0.0));
}

#[test]
fn where_nobody_plays_there_is_no_screen() {
    for scene in sentir_scenes::CATALOG.scenes() {
        let session = Session::start(scene.name, 7, &STOCK).unwrap();
        assert!(session.hud().is_none() && report::hud(&session).is_null(), "{}", scene.name);
    }
}

#[test]
fn every_way_to_look_into_a_firefight_shows_something_and_changes_nothing() {
    let mut session = Session::start("firefight", 7, &STOCK).unwrap();
    let mut seen = Vec::new();
    while session.ending().is_none() && session.tick() < 3600 {
        session.step(60);
        let hash = session.hash();
        let mut list = DrawList::default();
        session.draw(&mut list);
        for it in session.agents() {
            session.study(it.agent, &mut list);
        }
        assert_eq!(session.hash(), hash, "looking changed the run");
        seen.extend(list.items().iter().map(|item| item.layer));
    }
    seen.sort();
    seen.dedup();
    for layer in
        [Layer::SENSES, Layer::PATHS, Layer::INFLUENCE, Layer::QUERIES, Layer::FIRE, Layer::CLAIMS, Layer::SHOTS]
    {
        assert!(seen.contains(&layer), "{} shows nothing", layer.0);
    }
}

const TREE: &str = "guard/tree.yaml";

/// The guard's tree with a part put in the place of another.
fn tree_with(session: &Session, old: &str, new: &str) -> String {
    let text = session.asset(TREE).unwrap();
    assert!(text.contains(old), "{old}");
    text.replace(old, new)
}

#[test]
fn an_edited_brain_holds_from_the_next_tick_on_and_whatever_the_way_to_a_moment() {
    let mut stock = Session::start("guard", 3, &STOCK).unwrap();
    stock.step(400);
    let mut session = Session::start("guard", 3, &STOCK).unwrap();
    session.step(200);
    let guard = session.agent_of(HostKey(1)).unwrap();
    assert_eq!(session.brain_file(guard), Some(TREE));
    assert_eq!(report::agent(&session, HostKey(1))["brain_file"], TREE);
    let (old, text) = (session.asset(TREE).unwrap().to_owned(), tree_with(&session, "for_s: 0.3}", "for_s: 0.1}"));
    session.edit(TREE, &text).unwrap();
    assert_eq!(session.asset(TREE), Some(text.as_str()));
    let mut played = Vec::new();
    for _ in 0..200 {
        session.step(1);
        played.push(moment(&session));
    }
    assert_eq!(stock.first_difference(&session), Some(200));
    for tick in [400, 201, 330, 299, 240, 360] {
        session.seek(tick).unwrap();
        assert!(moment(&session) == played[tick as usize - 201], "differs at {tick}");
    }
    // Before the edit there is the old file; a fork takes the new one along.
    session.seek(199).unwrap();
    assert_eq!(session.asset(TREE), Some(old.as_str()));
    session.seek(400).unwrap();
    let mut fork = session.fork().unwrap();
    assert_eq!((fork.hash(), fork.asset(TREE)), (session.hash(), Some(text.as_str())));
    fork.seek(250).unwrap();
    assert_eq!(fork.asset(TREE), Some(text.as_str()));
    let recording = Recording::from_file(&session.record().unwrap()).unwrap();
    assert_eq!(recording.edits.len(), 1);
    assert_eq!(
        recording.replay(&sentir_scenes::CATALOG, Changes::default(), &Serial, |_| {}).unwrap().difference,
        None
    );
    // Taken back at the same moment, it is as if it had never been.
    session.seek(200).unwrap();
    session.edit(TREE, &old).unwrap();
    assert_eq!(session.known_ticks(), 200);
    session.step(200);
    assert_eq!(stock.first_difference(&session), None);
}

#[test]
fn a_broken_edit_keeps_the_run_and_its_known_future() {
    let mut session = Session::start("guard", 3, &STOCK).unwrap();
    session.step(90);
    session.seek(60).unwrap();
    let hash = session.hash();
    let text = tree_with(&session, "what: flee", "what: fle");
    let refused = session.edit(TREE, &text).unwrap_err().to_string();
    assert!(refused.starts_with("guard/tree.yaml:11:") && refused.contains("flee"), "{refused}");
    let fixed = session.edit("guard.yaml", "").unwrap_err().to_string();
    assert!(fixed.starts_with("the file 'guard.yaml' cannot be edited while a match goes on"), "{fixed}");
    assert_eq!((session.hash(), session.tick(), session.known_ticks()), (hash, 60, 90));
    // The text that is there already begins no other future.
    let same = session.asset(TREE).unwrap().to_owned();
    session.edit(TREE, &same).unwrap();
    assert_eq!(session.known_ticks(), 90);
}

#[test]
fn playing_stops_where_a_brain_comes_to_a_breakpoint() {
    let mut session = Session::start("guard", 3, &STOCK).unwrap();
    let text = tree_with(&session, "{force_failure: {task: act, name: talk", "{breakpoint: {task: act, name: talk");
    session.edit(TREE, &text).unwrap();
    let played = session.play(5000);
    assert!(played < 5000 && session.tick() == played, "{played}");
    assert_eq!(report::status(&session)["breakpoint"], serde_json::json!({ "key": 1, "node": "task talk" }));
    assert!(report::events(&session).to_string().contains("came to a breakpoint"));
    let marks = report::marks(&session);
    let mark = marks.as_array().unwrap().iter().find(|mark| mark["what"] == "came to a breakpoint").unwrap();
    assert_eq!((mark["tick"].as_u64(), mark["weight"].as_u64()), (Some(played - 1), Some(2)));
    // Playing goes on from there, and a moment that is sought stops for nothing.
    assert!(session.play(5) == 5 && report::status(&session)["breakpoint"].is_null());
    assert_eq!(session.seek(played - 1), Ok(played - 1));
    assert_eq!(session.seek(played + 5), Ok(played + 5));
}
