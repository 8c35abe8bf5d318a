//! What a page is told beside the picture, as JSON; and buttons, which are inputs: recorded, replayed, forked.

use sentir::core::pool::Serial;
use sentir::prelude::{Actions, Stance, Vec2};
use sentir_harness::hud::{Minimap, Play};
use sentir_harness::info::{Changes, SettingKind};
use sentir_harness::recording::Recording;
use sentir_sim::input::Input;
use sentir_web::compare::first_decision;
use sentir_web::report;
use sentir_web::session::Session;
use serde_json::{Value, json};

const STOCK: [&str; 0] = [];

fn screen(session: &Session) -> Value {
    session.screen().map_or(Value::Null, |play| report::screen(session, &play))
}

/// The button of a text in the panels of a moment.
fn button(session: &Session, text: &str) -> Value {
    let screen = screen(session);
    let panels = screen["panels"].as_array().unwrap();
    let all = panels.iter().flat_map(|panel| panel["buttons"].as_array().unwrap());
    all.clone().find(|button| button["text"].as_str().unwrap().starts_with(text)).cloned().unwrap()
}

fn press(session: &mut Session, text: &str) {
    let id = button(session, text)["id"].as_u64().unwrap() as u16;
    session.give(Input::default().with_button(id)).unwrap();
    session.step(1);
}

#[test]
fn a_button_is_recorded_replayed_and_forked() {
    let mut session = Session::start("formation", 3, &STOCK).unwrap();
    session.step(5);
    press(&mut session, "Select everybody");
    press(&mut session, "Line");
    session.step(120);
    assert_eq!(button(&session, "Line")["is_on"], true, "{}", screen(&session));
    assert_eq!(button(&session, "Circle")["is_on"], false);
    let mut fork = session.fork().unwrap();
    press(&mut fork, "Circle");
    fork.step(119);
    session.step(120);
    assert_eq!(
        (button(&fork, "Circle")["is_on"].clone(), button(&session, "Line")["is_on"].clone()),
        (true.into(), true.into())
    );
    // Memories part at the tick of the button.
    assert_eq!(session.first_difference(&fork), Some(127));
    assert!(first_decision(&session, &fork).unwrap().is_some());
    for run in [&mut session, &mut fork] {
        let hash = run.hash();
        let recording = Recording::from_file(&run.record().unwrap()).unwrap();
        assert!(recording.inputs.iter().all(|one| one.input.button > 0));
        let replay = recording.replay(&sentir_scenes::CATALOG, Changes::default(), &Serial, |_| {}).unwrap();
        assert_eq!((replay.ticks, replay.difference), (247, None));
        // Back and forth through the press comes to the same.
        run.seek(4).unwrap();
        assert_eq!((run.seek(247), run.hash()), (Ok(247), hash));
    }
    // What was pressed is played again, whatever came first.
    session.seek(60).unwrap();
    assert_eq!(button(&session, "Line")["is_on"], true);
}

#[test]
fn a_button_is_pressed_once_and_not_held() {
    let mut session = Session::start("formation", 3, &STOCK).unwrap();
    session.step(5);
    press(&mut session, "Select everybody");
    let mut twin = session.fork().unwrap();
    press(&mut session, "Line");
    session.step(30);
    press(&mut twin, "Line");
    twin.give(Input::default()).unwrap();
    twin.step(30);
    assert_eq!(session.hash(), twin.hash(), "an input without a button ends nothing");
}

#[test]
fn a_commander_selects_by_button_and_the_screen_says_whom() {
    let mut session = Session::start("formation", 3, &["count=6"]).unwrap();
    session.step(2);
    // A click beside everybody selects nobody.
    let aside = Input { actions: Actions::FIRE, ..Input::default().with_spot(Vec2::new(500.0, 500.0)) };
    session.give(aside).unwrap();
    session.step(1);
    session.give(Input { actions: Actions::default(), ..aside }).unwrap();
    session.step(1);
    assert_eq!(screen(&session)["selection"], json!([]));
    assert_eq!(button(&session, "Line")["is_enabled"], false);
    press(&mut session, "Select everybody");
    assert_eq!(screen(&session)["selection"], json!([0, 1, 2, 3, 4, 5]));
    assert_eq!(button(&session, "Line")["is_enabled"], true);
    assert_eq!(button(&session, "Select everybody")["is_enabled"], false);
    assert_eq!(
        screen(&session)["panels"][0]["rows"][0],
        json!({ "name": "selected", "text": "6 of 6", "share": null, "tone": "plain" })
    );
}

#[test]
fn the_screen_of_a_firefight_has_weapons_gauges_prompts_banner_and_result() {
    let mut session = Session::start("firefight", 7, &["player=input", "difficulty=easy"]).unwrap();
    session.step(10);
    let first = screen(&session);
    assert_eq!(first["banner"]["text"], "4 soldiers against the player");
    assert_eq!(first["banner"]["until_tick"], 150);
    let weapons = first["hud"]["weapons"].as_array().unwrap();
    assert_eq!(weapons.len(), 1);
    assert_eq!((&weapons[0]["name"], &weapons[0]["is_held"]), (&"rifle".into(), &true.into()));
    assert_eq!(weapons[0]["rounds"], first["hud"]["magazine"]);
    assert_eq!((&first["prompt"], &first["result"], &first["minimap"]), (&Value::Null, &Value::Null, &Value::Null));
    let names: Vec<&str> = first["gauges"].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["soldiers left", "time left"]);
    // An empty magazine asks for a reload.
    session.give(Input::quantized(0, Vec2::ZERO, 0.0, 0.0, Stance::Stand, Actions::FIRE)).unwrap();
    while session.hud().unwrap().rounds[0] > 0 {
        session.step(1);
    }
    session.step(1);
    assert_eq!(screen(&session)["prompt"], json!({ "key": "R", "text": "reload" }));
    let mut lost = Session::start("firefight", 7, &["player=input", "health=1"]).unwrap();
    lost.seek(u64::MAX).unwrap();
    let card = screen(&lost)["result"].clone();
    assert_eq!((&card["title"], &card["is_won"]), (&"You are dead".into(), &false.into()));
    assert_eq!(card["rows"][3], json!({ "name": "kills", "text": "0 of 4" }));
}

#[test]
fn everybody_has_a_name_and_the_numbers_of_a_figure() {
    let mut session = Session::start("firefight", 7, &STOCK).unwrap();
    session.step(30);
    let names = report::names(&session);
    assert_eq!(names[0], json!([0, "player"]));
    assert_eq!(names[3], json!([3, "soldier 3"]));
    let numbers = report::agents(&session);
    let place = |name: &str| report::AGENT_NUMBERS.iter().position(|one| *one == name).unwrap();
    let mut walks = 0;
    for (agent, presence) in numbers.chunks(report::AGENT_STRIDE).zip(session.agents()) {
        let (ahead, aside) = (agent[place("speed")], agent[place("side")]);
        let along = (ahead * ahead + aside * aside).sqrt();
        let speed = f64::from(presence.body.velocity.with_y(0.0).length());
        assert!((along - speed).abs() < 1e-3, "{along} beside {speed}");
        walks += u32::from(along > 0.5);
        assert_eq!(agent[place("pitch")], f64::from(presence.body.pitch));
        assert_eq!(agent[place("kind")], f64::from(u8::from(presence.key.0 == 0)), "the player looks like one");
    }
    assert!(walks > 0, "a soldier walks its post");
}

#[test]
fn what_is_heard_has_place_kind_and_words() {
    let mut session = Session::start("firefight", 7, &STOCK).unwrap();
    let (mut shots, mut words) = (0, 0);
    while session.tick() < 1800 && session.ending().is_none() {
        session.step(1);
        for sound in report::sounds(&session).as_array().unwrap() {
            assert!(["x", "y", "z", "loudness"].iter().all(|name| sound[name].is_number()), "{sound}");
            shots += u32::from(sound["kind"] == "shot");
            words += u32::from(sound["kind"] == "voice" && sound["text"].is_string());
        }
    }
    assert!(shots > 5 && words > 2, "{shots} shots, {words} words");
    // Gone back to, a moment sounds as it did.
    let (tick, sounds) = (session.tick(), report::sounds(&session));
    session.seek(100).unwrap();
    session.seek(tick).unwrap();
    assert_eq!(report::sounds(&session), sounds);
}

#[test]
fn the_catalog_tells_looks_ground_views_and_difficulty() {
    let catalog = report::catalog(&sentir_scenes::CATALOG);
    let scenes = catalog.as_array().unwrap().iter().flat_map(|family| family["scenes"].as_array().unwrap());
    let find = |name: &str| scenes.clone().find(|scene| scene["name"] == name).unwrap();
    assert_eq!(find("shark")["ground"], "water");
    assert_eq!(find("herding")["kinds"][1], json!({ "kind": 1, "name": "sheep", "model": "sheep", "title": "sheep" }));
    assert_eq!(find("unit-tastes")["views"][0], "above");
    let fight = find("firefight");
    let difficulty = fight["controls"]["difficulty"].as_str().unwrap();
    let scene = sentir_scenes::CATALOG.find("firefight").unwrap();
    let setting = scene.settings.iter().find(|setting| setting.name == difficulty).unwrap();
    assert_eq!(setting.kind, SettingKind::Choice(&["easy", "normal", "hard"]));
    assert!(scenes.clone().all(|scene| scene["minimap"].is_boolean() && scene["kinds"][0]["model"].is_string()));
}

#[test]
fn a_minimap_is_told_by_corner_size_and_cells() {
    let rgba = vec![7; 2 * 3 * 4];
    let map = Minimap { corner: Vec2::new(-4.0, -6.0), size: Vec2::new(8.0, 12.0), cells: [2, 3], rgba };
    let told = json!({ "x": -4.0, "y": -6.0, "width": 8.0, "height": 12.0, "cells_across": 2, "cells_down": 3 });
    assert_eq!(report::minimap(&map), told);
    let session = Session::start("patrol", 1, &STOCK).unwrap();
    let play = Play { minimap: Some(map), ..Play::default() };
    assert_eq!(report::screen(&session, &play)["minimap"], told);
}
