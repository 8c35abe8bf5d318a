//! What holds for every scene, with every set of settings it names for trial.

use sentir::core::draw::{DrawList, Layer};
use sentir::core::plane;
use sentir::core::pool::{Pool, Serial};
use sentir::core::state::{FileKind, pack, unpack};
use sentir::prelude::*;
use sentir_harness::game_match::Match;
use sentir_harness::honesty::Tamper;
use sentir_harness::info::{BY_PERSON, Binding, Changes, SceneError, SceneInfo, Setting, SettingKind, Setup};
use sentir_harness::recording::{Recording, ReplayError};
use sentir_sim::input::Input;

fn trials() -> Vec<(&'static SceneInfo, Vec<(String, String)>)> {
    let pair = |text: &&str| text.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned())).unwrap();
    sentir_scenes::CATALOG
        .scenes()
        .flat_map(|scene| scene.trials.iter().map(move |trial| (scene, trial.iter().map(pair).collect())))
        .collect()
}

fn setup(scene: &SceneInfo, seed: u64, changes: &[(String, String)]) -> Setup {
    scene.setup(seed, Changes { settings: changes, assets: &[] }).unwrap()
}

/// Inputs that shake every stick now and then.
fn inputs(tick: u64) -> Vec<Input> {
    let angle = tick as f32;
    let stick = plane::heading(angle);
    if tick.is_multiple_of(20) {
        vec![Input::quantized(0, stick, angle, 0.0, Stance::Stand, Actions::FIRE)]
    } else {
        Vec::new()
    }
}

#[test]
fn a_scene_is_described_and_its_stock_settings_are_valid() {
    for scene in sentir_scenes::CATALOG.scenes() {
        assert!(!scene.title.is_empty() && !scene.about.is_empty() && scene.ticks_max > 0);
        assert!(!scene.trials.is_empty(), "{} has no trials", scene.name);
        for setting in scene.settings {
            let same = [(setting.name.to_owned(), setting.stock.to_owned())];
            let settings = setup(scene, 1, &same).settings;
            assert_eq!(settings.word(setting.name), setting.stock, "{} is not in its own spelling", setting.name);
            assert!(!setting.about.is_empty());
        }
        assert!(sentir_scenes::CATALOG.scenes().filter(|other| other.name == scene.name).count() == 1);
    }
}

#[test]
fn every_match_ends_in_time() {
    for (scene, changes) in trials() {
        let mut game = scene.start(&setup(scene, 3, &changes)).unwrap();
        while game.ending().is_none() {
            assert!(game.tick().0 <= scene.ticks_max, "{} {changes:?} does not end", scene.name);
            game.step(&inputs(game.tick().0), &Serial);
        }
        assert!(game.metrics().iter().any(|metric| metric.value.is_finite()));
    }
}

#[test]
fn the_seed_decides() {
    for (scene, changes) in trials() {
        let hash = |seed| {
            let mut game = scene.start(&setup(scene, seed, &changes)).unwrap();
            (0..120).for_each(|tick| game.step(&inputs(tick), &Serial));
            game.hash()
        };
        let one = hash(1);
        assert_eq!(one, hash(1));
        assert_ne!(one, hash(2));
    }
}

#[test]
fn reasons_and_dropped_caches_change_nothing() {
    for (scene, changes) in trials() {
        let start = || scene.start(&setup(scene, 5, &changes)).unwrap();
        let (mut plain, mut listening, mut forgetful) = (start(), start(), start());
        listening.scratch_mut().listen(true);
        for tick in 0..400 {
            forgetful.drop_caches();
            for game in [&mut plain, &mut listening, &mut forgetful] {
                game.step(&inputs(tick), &Serial);
            }
            assert_eq!(plain.hash(), listening.hash(), "{} at {tick}", scene.name);
            assert_eq!(plain.hash(), forgetful.hash(), "{} at {tick}", scene.name);
            assert_eq!(plain.events(), forgetful.events());
        }
        assert!(plain.scratch().whys().entries().is_empty() && !listening.scratch().whys().entries().is_empty());
    }
}

#[test]
fn the_parts_of_the_hash_follow_the_whole() {
    for (scene, changes) in trials() {
        let mut game = scene.start(&setup(scene, 5, &changes)).unwrap();
        let mut before = (game.hash(), game.hash_parts());
        for tick in 0..200 {
            game.step(&inputs(tick), &Serial);
            let now = (game.hash(), game.hash_parts());
            assert_eq!(before.0 == now.0, before.1 == now.1);
            before = now;
        }
    }
}

#[test]
fn ticks_allocate_nothing_but_for_lists_that_grow_to_a_size_they_never_had() {
    for (scene, changes) in trials() {
        let mut game = scene.start(&setup(scene, 2, &changes)).unwrap();
        (0..2400).for_each(|_| game.step(&[], &Serial));
        // Tiles of a mesh that are rebuilt are new lists: those ticks may allocate, and are few.
        let rebuilt = |game: &dyn Match| game.metrics().iter().find(|it| it.name == "tiles_rebuilt").map(|it| it.value);
        let allocating = (0..600).filter(|_| {
            let before = rebuilt(&*game);
            let counted = allocation_counter::measure(|| game.step(&[], &Serial));
            counted.count_total > 0 && rebuilt(&*game) == before
        });
        let ticks = allocating.count();
        assert!(ticks <= 6, "{} {changes:?}: {ticks} of 600 ticks allocated", scene.name);
    }
}

#[test]
fn what_is_drawn_is_finite_and_shows_every_agent() {
    for (scene, changes) in trials() {
        let mut game = scene.start(&setup(scene, 2, &changes)).unwrap();
        let (mut list, mut agents) = (DrawList::default(), Vec::new());
        for tick in 0..300 {
            // What is played on after the end is no scene any more.
            if game.ending().is_some() {
                break;
            }
            game.step(&inputs(tick), &Serial);
            list.clear();
            game.draw(&mut list);
            game.agents(&mut agents);
            for it in &agents {
                let is_drawn = list.bodies().iter().any(|body| body.key == it.key.0);
                assert!(is_drawn, "{} does not draw the body of agent {}", scene.name, it.key.0);
            }
            let is_named = |layer| scene.layers.contains(&layer);
            let odd = list.items().iter().find(|item| !is_named(item.layer));
            assert!(odd.is_none(), "{} draws {:?}, which its list of layers lacks", scene.name, odd.map(|it| it.layer));
            let (low, high) = list.bounds(|_| true).unwrap();
            assert!(low.is_finite() && high.is_finite() && (high - low).max_element() < 200.0);
        }
    }
}

/// Takes off `left` what a scene draws, until nothing is left or the match is over.
fn draw_off(scene: &SceneInfo, changes: &[(String, String)], left: &mut Vec<Layer>) {
    let mut game = scene.start(&setup(scene, 3, changes)).unwrap();
    let (mut list, mut agents) = (DrawList::default(), Vec::new());
    while !left.is_empty() && game.ending().is_none() && game.tick().0 < 3600 {
        game.step(&[], &Serial);
        if game.tick().0 % 7 == 1 {
            list.clear();
            game.draw(&mut list);
            game.agents(&mut agents);
            if let Some(inspector) = game.inspector() {
                agents.iter().for_each(|it| inspector.study(it.agent, &mut list));
            }
            left.retain(|layer| list.items().iter().all(|item| item.layer != *layer));
        }
    }
}

#[test]
fn a_scene_draws_each_layer_of_its_list_at_some_time() {
    for scene in sentir_scenes::CATALOG.scenes() {
        let places: Vec<_> = scene.layers.iter().map(|it| Layer::ALL.iter().position(|layer| layer == it)).collect();
        assert!(places.is_sorted_by(|a, b| a.is_some() && a < b), "the layers of {} are not in order", scene.name);
        let mut left = scene.layers.to_vec();
        draw_off(scene, &[], &mut left);
        for (_, changes) in trials().iter().filter(|(one, _)| one.name == scene.name) {
            draw_off(scene, changes, &mut left);
        }
        assert!(left.is_empty(), "{} never draws {left:?}", scene.name);
    }
}

#[test]
fn controls_and_kinds_of_a_scene_are_those_of_its_settings_and_agents() {
    for scene in sentir_scenes::CATALOG.scenes() {
        let by_person =
            |setting: &&Setting| matches!(setting.kind, SettingKind::Choice(words) if words.contains(&BY_PERSON));
        let named = scene.settings.iter().find(by_person).map(|setting| setting.name);
        assert_eq!(scene.controls.and_then(|controls| controls.setting), named, "{}", scene.name);
        if let Some(controls) = scene.controls {
            assert!(!controls.bindings.is_empty() && controls.bindings.iter().all(|it| !it.about.is_empty()));
            let is_twice =
                |it: &Binding| controls.bindings.iter().filter(|other| other.action == it.action).count() > 1;
            assert!(!controls.bindings.iter().any(is_twice), "{} binds something twice", scene.name);
        }
        assert!(scene.kinds.is_sorted_by(|a, b| a.kind < b.kind), "the kinds of {} are not in order", scene.name);
        let game = scene.start(&setup(scene, 1, &[])).unwrap();
        let mut agents = Vec::new();
        game.agents(&mut agents);
        if let Some(first) = scene.kinds.first() {
            assert!(agents.iter().all(|it| it.kind >= first.kind), "{} has agents of no kind", scene.name);
        }
    }
}

fn recorded(scene: &SceneInfo, setup: &Setup, ticks: u64, pool: &dyn Pool) -> Recording {
    let mut game = scene.start(setup).unwrap();
    let mut recording = Recording::new(scene, setup);
    while game.ending().is_none() && game.tick().0 < ticks {
        let inputs = inputs(game.tick().0);
        game.step(&inputs, pool);
        recording.note(&*game, &inputs);
    }
    recording.finish(&*game);
    recording
}

fn replayed(recording: &Recording, changes: &[(String, String)]) -> sentir_harness::recording::Replay {
    recording.replay(&sentir_scenes::CATALOG, Changes { settings: changes, assets: &[] }, &Serial, |_| {}).unwrap()
}

#[test]
fn a_recording_replays_identically_with_its_inputs() {
    for (scene, changes) in trials() {
        let recording = recorded(scene, &setup(scene, 4, &changes), 1500, &Serial);
        let file = recording.to_file();
        assert_eq!(Recording::from_file(&file).unwrap(), recording);
        let replay = replayed(&recording, &[]);
        assert!(replay.is_identical(), "{}: {:?}", scene.name, replay.outcome);
        assert_eq!((replay.difference, replay.changes.len()), (None, 0));
        assert_eq!(replay.ticks, recording.hashes.len() as u64);
    }
}

#[test]
fn a_ten_minute_recording_is_small() {
    // Short hashes are noise to a compressor: what a real match writes, at its rate and for ten minutes.
    for scene in [sentir_scenes::CATALOG.find("patrol").unwrap(), sentir_scenes::CATALOG.find("firefight").unwrap()] {
        let bytes = ten_minutes_bytes(scene);
        assert!(bytes < 300_000, "{}: {bytes} bytes", scene.name);
    }
}

fn ten_minutes_bytes(scene: &SceneInfo) -> usize {
    let mut recording = recorded(scene, &setup(scene, 4, &[]), 600, &Serial);
    let parts = recording.parts[0].clone();
    let mut noise = Streams { seed: 1 }.stream(0, Purpose::new("noise"));
    recording.hashes = (0..36_000).map(|_| noise.bits() as u32).collect();
    let fresh = |(name, _): &(String, u64), noise: &mut Stream| (name.clone(), noise.bits());
    recording.parts = (0..600)
        .map(|_| {
            let mut one = parts.clone();
            one.parts = one.parts.iter().map(|part| fresh(part, &mut noise)).collect();
            one
        })
        .collect();
    recording.to_file().len()
}

/// Moves the first body that may be moved by a millimeter; false if the scene lets nobody be moved.
fn nudge(game: &mut dyn Match) -> bool {
    let mut all = Vec::new();
    game.agents(&mut all);
    let Some(mut auditor) = game.auditor().filter(|it| it.allowed().moves) else { return false };
    all.iter().any(|it| {
        let mut to = it.body.pose;
        to.position.x += 0.001;
        auditor.may_change(it) && auditor.tamper(&Tamper::Moved { key: it.key, to })
    })
}

#[test]
fn a_body_moved_by_a_hair_is_found_at_its_tick() {
    let mut nudged = 0;
    for scene in sentir_scenes::CATALOG.scenes() {
        let setup = setup(scene, 4, &[]);
        let (mut game, mut recording) = (scene.start(&setup).unwrap(), Recording::new(scene, &setup));
        let mut expected = None;
        for tick in (0..90).map(Tick) {
            if tick == Tick(50) && nudge(&mut *game) {
                expected = Some(tick);
                nudged += 1;
            }
            game.step(&[], &Serial);
            recording.note(&*game, &[]);
        }
        recording.finish(&*game);
        let found = replayed(&recording, &[]).difference.map(|first| first.tick);
        assert_eq!(found, expected, "{}", scene.name);
    }
    assert!(nudged >= 10, "only {nudged} scenes let somebody be moved");
}

#[test]
fn a_decision_that_comes_out_otherwise_is_found_at_its_own_tick() {
    let scene = sentir_scenes::CATALOG.find("patrol").unwrap();
    let changes = [("give_up_s".to_owned(), "1".to_owned())];
    let wants = |game: &dyn Match| {
        let mut all = Vec::new();
        game.agents(&mut all);
        let seen = |it: &Presence| game.inspect(it.agent).map(|seen| (seen.intents.clone(), *seen.motion)).unwrap();
        all.iter().map(seen).collect::<Vec<_>>()
    };
    let mut found = 0;
    for seed in 0..8 {
        let (stock, other) = (setup(scene, seed, &[]), setup(scene, seed, &changes));
        let [mut one, mut two] = [&stock, &other].map(|setup| scene.start(setup).unwrap());
        let mut parted = None;
        while one.ending().is_none() && two.ending().is_none() && parted.is_none() {
            let tick = one.tick();
            one.step(&[], &Serial);
            two.step(&[], &Serial);
            parted = (wants(&*one) != wants(&*two)).then_some(tick);
        }
        let Some(parted) = parted else { continue };
        let mut game = scene.start(&stock).unwrap();
        let mut recording = Recording::new(scene, &stock);
        while game.tick() <= parted + 60 && game.ending().is_none() {
            game.step(&[], &Serial);
            recording.note(&*game, &[]);
        }
        recording.finish(&*game);
        assert_eq!(replayed(&recording, &changes).difference.map(|first| first.tick), Some(parted), "seed {seed}");
        found += 1;
    }
    assert!(found >= 3, "only {found} of 8 seeds gave up at all");
}

#[test]
fn no_byte_of_the_state_is_outside_of_the_full_hashes() {
    for scene in sentir_scenes::CATALOG.scenes() {
        let mut game = scene.start(&setup(scene, 5, &[])).unwrap();
        (0..70).for_each(|tick| game.step(&inputs(tick), &Serial));
        let (before, parts) = (game.hash(), game.hash_parts());
        let envelope = unpack(FileKind::Snapshot, &game.snapshot()).unwrap();
        let step = (envelope.content.len() / 40).max(1);
        let mut changed = 0;
        for at in (0..envelope.content.len()).step_by(step) {
            let mut other = envelope.clone();
            other.content[at] ^= 1;
            // Many bytes are lengths or checked values: those are refused, and the match stays as it was.
            let is_other = game.restore(&other.to_file()).is_ok() && game.hash() != before;
            assert_eq!(game.hash_parts() != parts, is_other, "{}: byte {at}", scene.name);
            changed += u32::from(is_other);
            game.restore(&envelope.to_file()).unwrap();
        }
        assert!(changed >= 5, "{}: only {changed} bytes could be changed", scene.name);
    }
}

#[test]
fn the_short_hash_is_of_the_state_alone() {
    for scene in sentir_scenes::CATALOG.scenes() {
        let mut game = scene.start(&setup(scene, 5, &[])).unwrap();
        (0..45).for_each(|tick| game.step(&inputs(tick), &Serial));
        let (short, file) = (game.short_hash(), game.snapshot());
        game.step(&[], &Serial);
        assert_ne!(game.short_hash(), short, "{}", scene.name);
        game.restore(&file).unwrap();
        assert_eq!(game.short_hash(), short, "{}", scene.name);
    }
}

#[test]
fn a_recording_of_before_there_were_buttons_is_refused() {
    let scene = sentir_scenes::CATALOG.find("patrol").unwrap();
    let recording = recorded(scene, &setup(scene, 4, &[]), 30, &Serial);
    let error = Recording::from_file(&pack(FileKind::Recording, 4, &recording)).unwrap_err().to_string();
    assert!(error.contains("which reads other recordings"), "{error}");
}

#[test]
fn inputs_out_of_order_are_refused() {
    let scene = sentir_scenes::CATALOG.find("patrol").unwrap();
    let mut recording = recorded(scene, &setup(scene, 4, &[]), 60, &Serial);
    recording.inputs.reverse();
    let error = Recording::from_file(&recording.to_file()).unwrap_err().to_string();
    assert!(error.contains("inputs or edits are not in the order of their ticks"), "{error}");
}

#[test]
fn a_changed_setting_or_asset_is_named_as_the_cause() {
    let scene = sentir_scenes::CATALOG.find("patrol").unwrap();
    let recording = recorded(scene, &setup(scene, 4, &[]), 600, &Serial);
    let replay = replayed(&recording, &[("guards".to_owned(), "2".to_owned())]);
    assert_eq!(replay.changes, ["the setting 'guards' changed from 1 to 2"]);
    let first = replay.difference.unwrap();
    assert_eq!(first.tick, Tick(0));
    assert!(first.parts.contains(&"bodies".to_owned()));
    // A run stopped in the middle of a second has its parts, too.
    let short = recorded(scene, &setup(scene, 4, &[]), 30, &Serial);
    let first = replayed(&short, &[("guards".to_owned(), "2".to_owned())]).difference.unwrap();
    assert!(first.parts.contains(&"bodies".to_owned()));
    // The stock asset was another one when this was recorded: its hash says so.
    let mut older = recording.clone();
    older.assets[0].hash ^= 1;
    assert_eq!(replayed(&older, &[]).changes, ["the asset 'patrol.yaml' changed"]);
    // A setting that the recording does not know of.
    let mut older = recording.clone();
    older.settings.retain(|(name, _)| name != "sight_m");
    assert_eq!(replayed(&older, &[]).changes, ["the setting 'sight_m' is new; it is 11 here"]);
    let mut other_rate = recording;
    other_rate.rate = TickRate::new(50);
    assert_eq!(replayed(&other_rate, &[]).changes, ["the tick rate changed from 50 to 60 Hz"]);
}

#[test]
fn an_asset_of_ones_own_is_embedded() {
    let scene = sentir_scenes::CATALOG.find("patrol").unwrap();
    let mine = scene.assets[0].1.replace("[7, 2.5], [11, 2.5]", "[7, 3], [11, 3]");
    assert_ne!(mine, scene.assets[0].1);
    let setup = scene.setup(4, Changes { settings: &[], assets: &[("patrol.yaml".to_owned(), mine.clone())] }).unwrap();
    let recording = recorded(scene, &setup, 300, &Serial);
    assert_eq!(recording.assets[0].content.as_deref(), Some(mine.as_str()));
    assert_eq!(replayed(&recording, &[]).difference, None);
    // The stock content under another path is still stock.
    let same = scene
        .setup(4, Changes { settings: &[], assets: &[("patrol.yaml".to_owned(), scene.assets[0].1.to_owned())] })
        .unwrap();
    assert!(same.assets[0].is_stock);
}

#[test]
fn a_tampered_hash_is_found_at_its_tick() {
    let scene = sentir_scenes::CATALOG.find("patrol").unwrap();
    let recording = recorded(scene, &setup(scene, 4, &[]), 300, &Serial);
    let mut tampered = recording.clone();
    tampered.hashes[130] ^= 8;
    let first = replayed(&tampered, &[]).difference.unwrap();
    assert_eq!((first.tick, first.alike_ticks, first.parts.len()), (Tick(130), 120, 0));
    let mut tampered = recording;
    tampered.parts[2].parts[0].1 ^= 8;
    let first = replayed(&tampered, &[]).difference.unwrap();
    assert_eq!((first.tick, first.alike_ticks, first.parts), (Tick(179), 120, vec!["brains".to_owned()]));
}

#[test]
fn a_recording_of_something_else_is_refused_with_a_sentence() {
    let scene = sentir_scenes::CATALOG.find("patrol").unwrap();
    let recording = recorded(scene, &setup(scene, 4, &[]), 60, &Serial);
    let say = |recording: &Recording| match recording
        .replay(&sentir_scenes::CATALOG, Changes::default(), &Serial, |_| {})
        .unwrap_err()
    {
        ReplayError::Setup(error) => error.to_string(),
        other => panic!("{other}"),
    };
    let other = Recording { scene: "patrool".to_owned(), ..recording.clone() };
    assert_eq!(say(&other), "there is no scene 'patrool', did you mean 'patrol'?");
    let mut other = recording.clone();
    other.settings[0].0 = "gards".to_owned();
    assert_eq!(say(&other), "there is no setting 'gards', did you mean 'guards'?");
    let mut other = recording;
    other.assets[0].content = Some("walls: []".to_owned());
    assert!(matches!(
        other.replay(&sentir_scenes::CATALOG, Changes::default(), &Serial, |_| {}),
        Err(ReplayError::Setup(SceneError::Asset { .. }))
    ));
}

#[test]
fn unknown_scenes_and_assets_are_told_with_the_nearest() {
    let say = |result: Result<Setup, SceneError>| result.unwrap_err().to_string();
    assert_eq!(
        sentir_scenes::CATALOG.find("patol").err().unwrap().to_string(),
        "there is no scene 'patol', did you mean 'patrol'?"
    );
    let scene = sentir_scenes::CATALOG.find("patrol").unwrap();
    let asset = [("patrol.yml".to_owned(), String::new())];
    assert_eq!(
        say(scene.setup(1, Changes { settings: &[], assets: &asset })),
        "the scene 'patrol' has no asset 'patrol.yml', did you mean 'patrol.yaml'?"
    );
}

#[test]
fn a_damaged_snapshot_leaves_the_match_as_it_was() {
    let scene = sentir_scenes::CATALOG.find("patrol").unwrap();
    let mut game = scene.start(&setup(scene, 4, &[])).unwrap();
    (0..50).for_each(|_| game.step(&[], &Serial));
    let (before, mut file) = (game.hash(), game.snapshot());
    let middle = file.len() / 2;
    file[middle] ^= 1;
    assert!(game.restore(&file).is_err());
    assert_eq!(game.hash(), before);
}

#[test]
fn a_snapshot_file_says_whose_it_is() {
    use sentir_harness::snapshot::{from_file, to_file};
    let scene = sentir_scenes::CATALOG.find("patrol").unwrap();
    let (mine, mut game) = (setup(scene, 4, &[]), scene.start(&setup(scene, 4, &[])).unwrap());
    (0..50).for_each(|_| game.step(&[], &Serial));
    let file = to_file(scene, &mine, &*game);
    assert_eq!(from_file(scene, &mine, &file).unwrap().hash(), game.hash());
    let say = |scene: &SceneInfo, setup: &Setup| from_file(scene, setup, &file).err().unwrap().to_string();
    assert_eq!(say(scene, &setup(scene, 5, &[])), "is of another run: its seed is 4, not 5");
    let three = setup(scene, 4, &[("guards".to_owned(), "3".to_owned())]);
    assert_eq!(say(scene, &three), "is of another run: its setting 'guards' is 1, not 3");
    let range = sentir_scenes::CATALOG.find("range").unwrap();
    assert_eq!(say(range, &setup(range, 4, &[])), "is of another run: its scene is patrol, not range");
    let other = mine.assets[0].content.replace("height_m: 0.9", "height_m: 0.8");
    let changed = scene.setup(4, Changes { settings: &[], assets: &[("patrol.yaml".to_owned(), other)] }).unwrap();
    assert_eq!(say(scene, &changed), "is of another run: its asset 'patrol.yaml' is another one, not this one");
}

#[test]
fn every_agent_can_be_looked_into_and_the_truth_agrees() {
    for scene in sentir_scenes::CATALOG.scenes() {
        let mut game = scene.start(&setup(scene, 2, &[])).unwrap();
        (0..90).for_each(|tick| game.step(&inputs(tick), &Serial));
        let mut list = Vec::new();
        game.agents(&mut list);
        assert_eq!(list.len(), game.agent_count(), "{}", scene.name);
        for presence in &list {
            let seen = game.inspect(presence.agent).unwrap();
            assert_eq!(seen.presence, presence);
            assert!(seen.motion.velocity.is_finite());
        }
        assert!(game.inspect(AgentId::from_bits(u64::MAX)).is_none());
        let hash = game.hash();
        game.agents(&mut list);
        assert_eq!(game.hash(), hash);
    }
}
