//! The test must pass over honest minds and fail over each planted leak.

use sentir_harness::honesty::*;
use sentir_harness::info::{Changes, SceneInfo};
use sentir_scenes::HONESTY_EXEMPT;

fn findings(scene: &str, changes: &[(&str, &str)], config: &TrialConfig) -> Option<Finding> {
    let scene = sentir_scenes::CATALOG.find(scene).unwrap();
    examine(scene, &scene.setup(1, Changes { settings: &owned(changes), assets: &[] }).unwrap(), config).unwrap()
}

fn owned(changes: &[(&str, &str)]) -> Vec<(String, String)> {
    changes.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// Fifty changes each, none of which anybody could know of for a second.
fn ticks_compared(scene: &str, changes: &[(&str, &str)]) -> u64 {
    let found = findings(scene, changes, &TrialConfig::default()).unwrap();
    assert_eq!(found.leak().map(ToString::to_string), None, "{scene}");
    assert_eq!(found.cases.len(), 50, "{scene}: too few that nobody knew of; {} were seen", found.seen_too_soon);
    found.ticks()
}

/// The settings of the first trial of a scene: it is to be cheap.
fn trial(scene: &SceneInfo) -> Vec<(&'static str, &'static str)> {
    scene.trials[0].iter().map(|text| text.split_once('=').unwrap()).collect()
}

/// The fewest ticks compared in any of a third of all scenes, so that three tests may run side by side.
fn least_of_a_third(which: usize) -> u64 {
    let all =
        sentir_scenes::CATALOG.scenes().filter(|scene| HONESTY_EXEMPT.iter().all(|(name, _)| *name != scene.name));
    let mine = all.skip(which).step_by(3);
    mine.map(|scene| ticks_compared(scene.name, &trial(scene))).min().unwrap_or(0)
}

#[test]
fn every_scene_is_tested_or_says_why_not() {
    for scene in sentir_scenes::CATALOG.scenes() {
        let setup = scene.setup(1, Changes { settings: &owned(&trial(scene)), assets: &[] }).unwrap();
        let mut game = scene.start(&setup).unwrap();
        let is_tested = game.auditor().is_some();
        let has_reason = HONESTY_EXEMPT.iter().any(|(name, why)| *name == scene.name && !why.is_empty());
        assert_ne!(
            is_tested, has_reason,
            "{}: declare the reach of its senses, or say in HONESTY_EXEMPT why not",
            scene.name
        );
    }
    assert!(HONESTY_EXEMPT.iter().all(|(name, _)| sentir_scenes::CATALOG.find(name).is_ok()));
}

#[test]
fn minds_decide_the_same_whatever_no_sense_reached() {
    assert!(least_of_a_third(0) >= 50 * 60);
}

#[test]
fn minds_decide_the_same_whatever_no_sense_reached_second_third() {
    assert!(least_of_a_third(1) >= 50 * 60);
}

#[test]
fn minds_decide_the_same_whatever_no_sense_reached_last_third() {
    assert!(least_of_a_third(2) >= 50 * 60);
}

#[test]
fn every_kind_of_brain_of_the_guard_is_honest() {
    for brain in ["bt", "fsm", "hfsm", "dtree", "utility", "goap", "htn", "rules"] {
        assert!(ticks_compared("guard", &[("brain", brain)]) >= 50 * 60);
    }
}

#[test]
fn each_planted_leak_is_found() {
    for leak in ["sight", "hearing", "path", "map", "team", "told", "board"] {
        let config = TrialConfig { changes: 200, ..TrialConfig::default() };
        let found = findings("honesty", &[("leak", leak)], &config).unwrap();
        assert!(found.leak().is_some(), "the leak of {leak} was not found in {} changes", found.cases.len());
    }
}

#[test]
fn a_case_reads_as_a_sentence() {
    let found = findings("honesty", &[("leak", "sight")], &TrialConfig::default()).unwrap();
    let said = found.leak().unwrap().to_string();
    assert!(said.starts_with("at ") && said.contains("LEAK: ") && said.contains(" differs in "), "{said}");
    let calm = Case { leak: None, contact: None, ..found.leak().unwrap().clone() };
    assert!(calm.to_string().ends_with("equal to the end"));
}

#[test]
fn a_leak_through_a_notice_or_a_board_is_named_for_what_it_is() {
    let config = TrialConfig { changes: 200, ..TrialConfig::default() };
    for leak in ["told", "board"] {
        let found = findings("honesty", &[("leak", leak)], &config).unwrap();
        let (_, what) = found.leak().unwrap().leak.unwrap();
        assert_eq!(what, "told", "{}", found.leak().unwrap());
    }
    // The other leaks come by the senses.
    let found = findings("honesty", &[("leak", "team")], &config).unwrap();
    assert!(["beliefs", "intents"].contains(&found.leak().unwrap().leak.unwrap().1));
}

#[test]
fn each_part_of_a_decision_counts_and_who_believes_the_same_was_told() {
    let one = Decision { believed: 1, wanted: 2, moved: 3, told: 4, thought: 5 };
    let told = Decision { told: 0, ..one };
    assert_eq!(one.difference(&one), None);
    assert_eq!(one.difference(&told), Some("told"));
    assert_eq!(one.difference(&Decision { thought: 0, ..one }), Some("told"));
    assert!(one.is_pending(&told) && !one.is_pending(&Decision { thought: 0, ..one }));
    assert_eq!(one.difference(&Decision { wanted: 0, ..told }), Some("told"));
    assert_eq!(one.difference(&Decision { wanted: 0, ..one }), Some("intents"));
    assert_eq!(one.difference(&Decision { believed: 0, ..told }), Some("beliefs"));
    assert_eq!(one.difference(&Decision { moved: 0, ..one }), Some("motion"));
}
