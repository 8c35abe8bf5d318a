//! What a page is told of every scene beside its picture: looks, names, panels with buttons, sounds. All of it is derived: asking
//! changes nothing, and a button is an input like any other.

use std::collections::BTreeMap;

use sentir::core::draw::{DrawList, Shape};
use sentir::core::pool::Serial;
use sentir::prelude::*;
use sentir_harness::game_match::Match;
use sentir_harness::hud::{Button, Play};
use sentir_harness::info::{BY_PERSON, Changes, SceneInfo, SettingKind};
use sentir_harness::sound::SoundKind;
use sentir_sim::input::Input;

/// A match of each scene, and another one that a person plays where a setting says so.
fn matches() -> Vec<(&'static SceneInfo, Box<dyn Match>)> {
    let mut all = Vec::new();
    for scene in sentir_scenes::CATALOG.scenes() {
        let handed = scene.controls.and_then(|it| it.setting).map(|name| (name.to_owned(), BY_PERSON.to_owned()));
        for settings in [Vec::new(), Vec::from_iter(handed)] {
            let setup = scene.setup(5, Changes { settings: &settings, assets: &[] }).unwrap();
            all.push((scene, scene.start(&setup).unwrap()));
            if scene.controls.and_then(|it| it.setting).is_none() {
                break;
            }
        }
    }
    all
}

fn agents(game: &dyn Match) -> Vec<Presence> {
    let mut list = Vec::new();
    game.agents(&mut list);
    list
}

fn name(scene: &SceneInfo, game: &dyn Match, agent: &Presence) -> String {
    game.name_of(agent).unwrap_or_else(|| scene.name_of(game.looks_as(agent), agent.key))
}

#[test]
fn every_kind_that_comes_has_a_model_and_every_agent_a_name_of_its_own() {
    for (scene, mut game) in matches() {
        assert!(scene.kinds.is_sorted_by(|a, b| a.kind < b.kind), "{}", scene.name);
        assert_eq!(scene.kinds.first().map(|look| look.kind), Some(0), "{} has kinds without a look", scene.name);
        assert!(scene.kinds.iter().all(|look| !look.name.is_empty() && !look.title.is_empty()));
        for _ in 0..90 {
            game.step(&[], &Serial);
        }
        let mut names: BTreeMap<String, HostKey> = BTreeMap::new();
        for agent in agents(&*game) {
            let look = scene.look_of(game.looks_as(&agent));
            assert!(look.is_some(), "{}: nothing looks like kind {}", scene.name, agent.kind);
            let name = name(scene, &*game, &agent);
            assert!(!name.is_empty() && name != "agent", "{}", scene.name);
            let twin = names.insert(name.clone(), agent.key);
            assert_eq!(twin, None, "{}: two are called '{name}'", scene.name);
        }
    }
}

#[test]
fn every_scene_has_a_view_to_begin_with_and_a_difficulty_that_is_one_of_its_choices() {
    for scene in sentir_scenes::CATALOG.scenes() {
        let views = scene.look.views;
        assert!(!views.is_empty(), "{}", scene.name);
        assert!(views.iter().enumerate().all(|(place, view)| !views[..place].contains(view)), "{}", scene.name);
        let Some(name) = scene.controls.and_then(|it| it.difficulty) else { continue };
        let setting = scene.settings.iter().find(|setting| setting.name == name);
        let words = setting.map(|setting| matches!(setting.kind, SettingKind::Choice(words) if words.len() > 1));
        assert_eq!(words, Some(true), "{}", scene.name);
    }
}

#[test]
fn an_easier_firefight_is_one_with_more_health() {
    let health = |word: &str| {
        let settings = [("player", "input"), ("difficulty", word)].map(|(a, b)| (a.to_owned(), b.to_owned()));
        let scene = sentir_scenes::CATALOG.find("firefight").unwrap();
        let setup = scene.setup(1, Changes { settings: &settings, assets: &[] }).unwrap();
        scene.start(&setup).unwrap().play().unwrap().hud.unwrap().health[1]
    };
    assert!(health("easy") > health("normal") && health("normal") > health("hard") && health("normal") == 700.0);
}

#[test]
fn looking_changes_nothing() {
    for (scene, mut game) in matches() {
        for _ in 0..40 {
            game.step(&[], &Serial);
            let hash = game.hash();
            let all = agents(&*game);
            let told = (game.play(), game.animate(&all), game.sounds());
            assert_eq!((game.play(), game.animate(&all), game.sounds()), told, "{}", scene.name);
            assert_eq!(game.hash(), hash, "{}", scene.name);
            assert_eq!(told.1.len(), all.len());
            for figure in &told.1 {
                let numbers = [figure.speed_m_per_s, figure.side_m_per_s, figure.pitch_rad];
                assert!(numbers.iter().all(|number| number.is_finite()), "{}: {figure:?}", scene.name);
                assert!((0.0..=1.0).contains(&figure.share) && figure.lean.abs() <= 1.0, "{}: {figure:?}", scene.name);
            }
            for sound in &told.2 {
                assert!(
                    sound.position.is_finite() && (0.0..=1.0).contains(&sound.loudness),
                    "{}: {sound:?}",
                    scene.name
                );
            }
        }
    }
}

fn buttons(play: &Play) -> impl Iterator<Item = &Button> {
    play.panels.iter().flat_map(|panel| &panel.buttons)
}

/// What a match comes to a few ticks after an input.
fn after(scene: &SceneInfo, file: &[u8], input: Input) -> u64 {
    let mut game = scene.start(&scene.setup(5, Changes::default()).unwrap()).unwrap();
    game.restore(file).unwrap();
    game.step(&[input], &Serial);
    (0..3).for_each(|_| game.step(&[], &Serial));
    game.hash()
}

#[test]
fn buttons_keep_their_numbers_and_each_does_something_or_is_off() {
    let (mut pressed, mut off) = (0, 0);
    for scene in sentir_scenes::CATALOG.scenes() {
        let mut game = scene.start(&scene.setup(5, Changes::default()).unwrap()).unwrap();
        let mut known: BTreeMap<u16, String> = BTreeMap::new();
        for round in 0..4u32 {
            if let Some(play) = game.play() {
                let file = game.snapshot();
                let idle = after(scene, &file, Input::default());
                let mut seen = Vec::new();
                for button in buttons(&play) {
                    let Button { id, text, is_enabled, .. } = button;
                    assert!(*id > 0 && !text.is_empty() && !button.about.is_empty(), "{}: {button:?}", scene.name);
                    assert!(!seen.contains(id), "{}: two buttons have the number {id}", scene.name);
                    seen.push(*id);
                    let same = known.entry(*id).or_insert_with(|| text.clone());
                    assert_eq!(same, text, "{}: button {id} is another one now", scene.name);
                    let hash = after(scene, &file, Input::default().with_button(*id));
                    assert_eq!(hash != idle, *is_enabled, "{}: {text} in round {round}", scene.name);
                    *(if *is_enabled { &mut pressed } else { &mut off }) += 1;
                }
                let ids: Vec<&str> = play.panels.iter().map(|panel| panel.id).collect();
                assert!(ids.iter().enumerate().all(|(place, id)| !ids[..place].contains(id)), "{}", scene.name);
            }
            (0..25 * u64::from(round)).for_each(|_| game.step(&[], &Serial));
        }
        // A number that no button has does nothing.
        let file = game.snapshot();
        let unknown = Input::default().with_button(u16::MAX);
        assert_eq!(after(scene, &file, unknown), after(scene, &file, Input::default()), "{}", scene.name);
    }
    assert!(pressed >= 10 && off >= 2, "{pressed} pressed, {off} off");
}

#[test]
fn no_cone_is_drawn_through_walls() {
    // Cones are drawn as far as one sees; only over open ground is a plain sector the same.
    let open = ["missile"];
    for (scene, mut game) in matches() {
        let mut list = DrawList::default();
        for _ in 0..8 {
            (0..30).for_each(|_| game.step(&[], &Serial));
            list.clear();
            game.draw(&mut list);
            let has_sector = list.items().iter().any(|item| matches!(item.shape, Shape::Sector { .. }));
            assert!(!has_sector || open.contains(&scene.name), "{} draws a cone through walls", scene.name);
        }
    }
}

/// Counts what is heard of a match of a scene, by kind, in so many ticks.
fn heard(scene: &str, settings: &[(&str, &str)], ticks: u32) -> BTreeMap<&'static str, u32> {
    let settings: Vec<_> = settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let scene = sentir_scenes::CATALOG.find(scene).unwrap();
    let mut game = scene.start(&scene.setup(5, Changes { settings: &settings, assets: &[] }).unwrap()).unwrap();
    let mut counts = BTreeMap::new();
    for _ in 0..ticks {
        game.step(&[], &Serial);
        for sound in game.sounds() {
            *counts.entry(sound.kind.name()).or_insert(0) += 1;
            assert!(sound.text.is_none() || sound.kind == SoundKind::Voice, "{sound:?}");
        }
    }
    counts
}

#[test]
fn a_fight_is_heard_shot_by_shot_and_step_by_step() {
    let counts = heard("firefight", &[], 1800);
    let scene = sentir_scenes::CATALOG.find("firefight").unwrap();
    let mut game = scene.start(&scene.setup(5, Changes::default()).unwrap()).unwrap();
    let mut shots = 0;
    for _ in 0..1800 {
        game.step(&[], &Serial);
        shots += game.events().iter().filter(|event| matches!(event.kind, EventKind::Fired { .. })).count() as u32;
    }
    assert_eq!(counts.get("shot").copied(), Some(shots));
    let many = |kind: &str| counts.get(kind).copied().unwrap_or(0);
    assert!(
        shots > 20 && many("step") > 100 && many("impact") > 10 && many("voice") > 5 && many("reload") > 0,
        "{counts:?}"
    );
    let yard = heard("skirmish", &[], 1800);
    assert!(["shot", "step", "reload", "impact"].iter().all(|kind| yard.contains_key(kind)), "{yard:?}");
    let court = heard("guard", &[], 2400);
    assert!(court.contains_key("alarm"), "{court:?}");
    assert!(heard("patrol", &[], 1800).contains_key("voice"));
}

#[test]
fn figures_shoot_reload_and_are_hit_in_a_fight_and_walk_backward_now_and_then() {
    let scene = sentir_scenes::CATALOG.find("firefight").unwrap();
    let mut game = scene.start(&scene.setup(5, Changes::default()).unwrap()).unwrap();
    let (mut seen, mut backward, mut sideways) = (BTreeMap::new(), 0, 0);
    let mut reload: BTreeMap<u64, f32> = BTreeMap::new();
    for _ in 0..2400 {
        game.step(&[], &Serial);
        let all = agents(&*game);
        for (agent, figure) in all.iter().zip(game.animate(&all)) {
            *seen.entry(figure.activity.name()).or_insert(0u32) += 1;
            backward += u32::from(figure.speed_m_per_s < -0.5);
            sideways += u32::from(figure.side_m_per_s.abs() > 0.5);
            if figure.activity.name() == "reload" {
                // A reload goes on until it is done.
                let before = reload.insert(agent.key.0, figure.share).unwrap_or(0.0);
                assert!(figure.share >= before || figure.share < 0.1, "{before} then {}", figure.share);
            }
        }
    }
    assert!(["none", "fire", "reload", "hit"].iter().all(|name| seen.contains_key(name)), "{seen:?}");
    assert!(backward > 0 && sideways > 0, "{backward} backward, {sideways} sideways");
}

#[test]
fn the_dead_lie_as_what_they_were_and_a_match_ends_with_a_card() {
    let settings = [("soldiers", "1"), ("seconds", "60")].map(|(a, b)| (a.to_owned(), b.to_owned()));
    let scene = sentir_scenes::CATALOG.find("firefight").unwrap();
    let mut game = scene.start(&scene.setup(5, Changes { settings: &settings, assets: &[] }).unwrap()).unwrap();
    let mut banners = Vec::new();
    while game.ending().is_none() {
        game.step(&[], &Serial);
        let play = game.play().unwrap();
        assert_eq!(play.result.is_some(), game.ending().is_some());
        banners.extend(play.banner.map(|banner| banner.text));
        assert!(play.gauges.iter().any(|gauge| gauge.name == "soldiers left"));
    }
    banners.dedup();
    assert_eq!(banners.first().map(String::as_str), Some("One soldier against the player"));
    let play = game.play().unwrap();
    let rows: Vec<&str> = play.result.as_ref().unwrap().rows.iter().map(|row| row.0).collect();
    assert_eq!(rows, ["time", "shots", "hits", "kills", "damage dealt", "damage taken"]);
    assert_eq!(play.result.unwrap().is_won, None, "nobody played");
    for dead in play.fallen {
        let look = scene.look_of(dead.kind).unwrap();
        assert_eq!(look.name, if dead.key == HostKey(0) { "player" } else { "soldier" });
    }
}
