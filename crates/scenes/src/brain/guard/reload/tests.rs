//! Brains as files that are edited while they think: they go on where they were, a broken version changes nothing, and what
//! was edited is recorded, saved and played again.

use sentir::core::chart::Mood;
use sentir::core::pool::Serial;
use sentir_think::stock;

use super::*;
use sentir_harness::edit::EditAt;
use sentir_harness::game_match::Match;
use sentir_harness::info::{Changes, Setup};
use sentir_harness::recording::Recording;

const TREE: &str = "guard/tree.yaml";

fn setup(brain: &str, assets: &[(&str, &str)]) -> Result<Setup, SceneError> {
    let owned = |pairs: &[(&str, &str)]| pairs.iter().map(|&(a, b)| (a.to_owned(), b.to_owned())).collect::<Vec<_>>();
    crate::CATALOG.find("guard")?.setup(3, Changes { settings: &owned(&[("brain", brain)]), assets: &owned(assets) })
}

fn start(brain: &str, assets: &[(&str, &str)]) -> Result<Box<dyn Match>, SceneError> {
    crate::CATALOG.find("guard")?.start(&setup(brain, assets)?)
}

/// A match some ticks old.
fn played(brain: &str, ticks: u64) -> Box<dyn Match> {
    let mut game = start(brain, &[]).unwrap();
    play(&mut *game, ticks);
    game
}

fn play(game: &mut dyn Match, ticks: u64) {
    (0..ticks).for_each(|_| game.step(&[], &Serial));
}

fn tree() -> &'static str {
    stock::GUARD[0].2
}

/// The tree with a part put in the place of another.
fn with(old: &str, new: &str) -> String {
    assert!(tree().contains(old), "{old}");
    tree().replace(old, new)
}

/// The stock tree with a branch before the one that walks.
fn with_a_branch() -> String {
    let branch = "- when: {key: $leg, \">\": 7}\n        do: {task: act, name: dance, with: {what: talk}}\n      ";
    with("- {task: patrol", &format!("{branch}- {{task: patrol"))
}

/// What happened around the brain, whatever the brain is.
fn deeds(game: &dyn Match) -> Vec<(&'static str, u64)> {
    game.hash_parts().into_iter().filter(|(name, _)| ["bodies", "tally"].contains(name)).collect()
}

/// The parts of the guard's brain that run.
fn active(game: &dyn Match) -> Vec<String> {
    let mut agents = Vec::new();
    game.agents(&mut agents);
    let chart = agents.iter().find_map(|it| game.inspector()?.chart(it.agent)).unwrap();
    let parts = chart.in_order().filter(|(_, part)| part.mood == Mood::Active);
    parts.map(|(_, part)| format!("{} {}", part.kind, part.label)).collect()
}

#[test]
fn an_edited_brain_goes_on_at_the_same_node_whatever_was_put_before_it() {
    // While it walks, stands at a post and counts the time, investigates, fights.
    for ticks in [40, 130, 171, 700, 1500] {
        let (mut stock, mut edited) = (played("bt", ticks), played("bt", ticks));
        let before = active(&*edited);
        edited.editor_mut().unwrap().edit(TREE, &with_a_branch()).unwrap();
        assert_eq!(active(&*edited), before, "at {ticks}");
        for _ in 0..900 {
            stock.step(&[], &Serial);
            edited.step(&[], &Serial);
            assert_eq!(deeds(&*stock), deeds(&*edited), "edited at {ticks}, differs at {}", stock.tick());
        }
    }
}

#[test]
fn a_new_key_moves_the_others_and_loses_no_fact() {
    let text = with("keys: {heard", "keys: {brave: bool, heard");
    for ticks in [200, 900, 1500] {
        let (mut stock, mut edited) = (played("bt", ticks), played("bt", ticks));
        edited.editor_mut().unwrap().edit(TREE, &text).unwrap();
        play(&mut *stock, 900);
        play(&mut *edited, 900);
        assert_eq!(deeds(&*stock), deeds(&*edited), "edited at {ticks}");
    }
}

#[test]
fn a_comment_changes_nothing_for_any_kind_of_brain() {
    for (brain, file, text) in stock::GUARD {
        for ticks in [100, 1500] {
            let (mut stock, mut edited) = (played(brain, ticks), played(brain, ticks));
            edited.editor_mut().unwrap().edit(file, &format!("# Mine.\n{text}")).unwrap();
            play(&mut *stock, 900);
            play(&mut *edited, 900);
            assert_eq!(deeds(&*stock), deeds(&*edited), "{brain} edited at {ticks}");
        }
    }
}

#[test]
fn what_an_edit_takes_away_ends_and_what_it_changes_holds() {
    let mut game = played("bt", 40);
    let walks = |game: &dyn Match| {
        let mut agents = Vec::new();
        game.agents(&mut agents);
        agents.iter().any(|it| game.inspect(it.agent).unwrap().intents.travel().is_some())
    };
    assert!(walks(&*game));
    let waits = with("- {task: patrol, with: {leg: $leg, for_s: 0.3}}", "- {wait: 9 s}");
    game.editor_mut().unwrap().edit(TREE, &waits).unwrap();
    // Another edit before anything was thought forgets nothing of the first.
    game.editor_mut().unwrap().edit(TREE, &format!("# Mine.\n{waits}")).unwrap();
    // It thinks some times a second.
    play(&mut *game, 20);
    assert!(!walks(&*game) && active(&*game).last().unwrap().starts_with("wait"), "{:?}", active(&*game));
    game.editor_mut().unwrap().edit(TREE, tree()).unwrap();
    play(&mut *game, 20);
    assert!(walks(&*game));
}

#[test]
fn a_broken_edit_is_refused_with_its_line_and_nothing_changes() {
    let (mut game, stock) = (played("bt", 150), played("bt", 150));
    let text = with("{task: act, name: attack", "{task: atc, name: attack");
    let sentence = "guard/tree.yaml:14:20: unknown task `atc` (did you mean `act`?)";
    for refused in [game.editor().unwrap().check(TREE, &text), game.editor_mut().unwrap().edit(TREE, &text)] {
        assert!(refused.as_ref().unwrap_err().to_string().starts_with(sentence), "{refused:?}");
    }
    let fixed = "the file 'guard/goap.yaml' cannot be edited while a match goes on: no brain thinks by it here";
    assert_eq!(game.editor_mut().unwrap().edit("guard/goap.yaml", "").unwrap_err().to_string(), fixed);
    assert_eq!((game.hash(), game.editor().unwrap().text(TREE)), (stock.hash(), Some(tree())));
    // The text that is there already is no edit either.
    game.editor_mut().unwrap().edit(TREE, tree()).unwrap();
    assert_eq!(game.hash(), stock.hash());
}

/// A recording of 400 ticks with an edit before the last half.
fn recorded() -> Recording {
    let scene = crate::CATALOG.find("guard").unwrap();
    let mut game = start("bt", &[]).unwrap();
    let mut recording = Recording::new(scene, &setup("bt", &[]).unwrap());
    for tick in 0..400 {
        if tick == 200 {
            let edit = EditAt { tick: game.tick(), name: TREE.to_owned(), text: with("for_s: 0.3}", "for_s: 0.1}") };
            game.editor_mut().unwrap().edit(&edit.name, &edit.text).unwrap();
            recording.edits.push(edit);
        }
        game.step(&[], &Serial);
        recording.note(&*game, &[]);
    }
    recording
}

#[test]
fn a_recording_with_an_edit_replays_identically() {
    let recording = Recording::from_file(&recorded().to_file()).unwrap();
    let replay =
        |recording: &Recording| recording.replay(&crate::CATALOG, Changes::default(), &Serial, |_| {}).unwrap();
    assert_eq!(replay(&recording).difference, None);
    let first = replay(&Recording { edits: Vec::new(), ..recording.clone() }).difference.unwrap();
    assert_eq!(first.tick, Tick(200));
    let mut broken = recording;
    broken.edits[0].text = "sentir: tree 1\ntrees: {guard: {task: none}}\n".to_owned();
    let refused = broken.replay(&crate::CATALOG, Changes::default(), &Serial, |_| {}).unwrap_err().to_string();
    assert!(refused.starts_with("cannot be played by this program: guard/tree.yaml:2:23: unknown task"), "{refused}");
}

#[test]
fn a_snapshot_after_an_edit_brings_the_edited_brain_back() {
    let mut game = played("bt", 60);
    let before = game.snapshot();
    play(&mut *game, 40);
    game.editor_mut().unwrap().edit(TREE, &with_a_branch()).unwrap();
    let at_once = game.snapshot();
    play(&mut *game, 50);
    let (after, hash) = (game.snapshot(), game.hash());
    play(&mut *game, 100);
    let end = game.hash();
    // Into a match that knows of no edit, and back and forth in the same one.
    for other in [&mut *start("bt", &[]).unwrap(), &mut *game] {
        for (file, ticks) in [(&after, 100), (&at_once, 150)] {
            other.restore(&before).unwrap();
            assert_eq!(other.editor().unwrap().text(TREE), Some(tree()));
            other.restore(file).unwrap();
            assert_eq!(other.editor().unwrap().text(TREE), Some(with_a_branch().as_str()));
            play(other, ticks);
            assert_eq!(other.hash(), end);
        }
        other.restore(&after).unwrap();
        assert_eq!(other.hash(), hash);
    }
    // A scene that cannot read it leaves everything as it is.
    let mut goap = played("goap", 10);
    let hash = goap.hash();
    let refused = goap.restore(&after).unwrap_err().to_string();
    assert!(refused.contains("an edited file that this scene cannot read"), "{refused}");
    assert_eq!(goap.hash(), hash);
}

#[test]
fn a_brain_of_ones_own_is_an_asset_and_a_broken_one_is_refused_at_its_place() {
    let mine = with("for_s: 0.3}", "for_s: 0.1}");
    let mut own = start("bt", &[(TREE, &mine)]).unwrap();
    let stock = played("bt", 900);
    play(&mut *own, 900);
    assert_eq!(own.editor().unwrap().text(TREE), Some(mine.as_str()));
    assert_ne!(deeds(&*own), deeds(&*stock));
    let broken = with("leg: $leg,", "leg: $lek,");
    // Also where another kind of brain thinks: who gives a file wants to know.
    for brain in ["bt", "goap"] {
        let refused = start(brain, &[(TREE, &broken)]).err().unwrap().to_string();
        assert!(refused.starts_with("guard/tree.yaml:21:36: ") && refused.contains("leg"), "{refused}");
    }
    let scene = crate::CATALOG.find("soldier-plan").unwrap();
    let assets = [("soldier-plan/htn.yaml".to_owned(), "sentir: htn 1\n".to_owned())];
    let refused =
        scene.start(&scene.setup(1, Changes { settings: &[], assets: &assets }).unwrap()).err().unwrap().to_string();
    assert!(refused.starts_with("soldier-plan/htn.yaml:"), "{refused}");
}

#[test]
fn a_soldier_who_plans_is_edited_while_it_plans() {
    let scene = crate::CATALOG.find("soldier-plan").unwrap();
    let mut game = scene.start(&scene.setup(3, Changes::default()).unwrap()).unwrap();
    play(&mut *game, 150);
    let file = "soldier-plan/htn.yaml";
    let text = game.editor().unwrap().text(file).unwrap().replace("{rifle: true, ammo", "{rifle: false, ammo");
    game.editor_mut().unwrap().edit(file, &text).unwrap();
    let shots = |game: &dyn Match| game.metrics().iter().find(|it| it.name == "shots").unwrap().value;
    // The plan at work goes on: its tasks are the same. The next one is by the new file.
    play(&mut *game, 120);
    let before = shots(&*game);
    play(&mut *game, 900);
    assert_eq!(shots(&*game), before, "it shoots though its file forbids it");
}

#[test]
fn a_breakpoint_is_told_by_its_name_in_the_tick_it_is_entered() {
    let text = with("do: {force_failure: {task: act, name: talk", "do: {breakpoint: {task: act, name: talk");
    let named = text.replace("{breakpoint: {task: act, name: talk", "{name: phone, breakpoint: {task: act, name: talk");
    for (text, name) in [(&text, "task talk"), (&named, "phone")] {
        let mut game = start("bt", &[(TREE, text)]).unwrap();
        let mut hits = Vec::new();
        while game.ending().is_none() {
            game.step(&[], &Serial);
            hits.extend(game.editor().unwrap().breakpoint());
        }
        assert!(!hits.is_empty() && hits.iter().all(|hit| hit.node == name), "{hits:?}");
    }
}
