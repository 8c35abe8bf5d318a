//! The test must pass over honest minds and fail over each planted leak.

use super::*;
use crate::scene::Scene;

fn findings(scene: &str, changes: &[(&str, &str)], config: &TrialConfig) -> Option<Finding> {
    let changes: Vec<_> = changes.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
    let scene = Scene::find(scene).unwrap();
    examine(scene, &scene.setup(1, &changes, &[]).unwrap(), config).unwrap()
}

/// Fifty changes each, none of which anybody could know of for a second.
fn ticks_compared(scene: &str, changes: &[(&str, &str)]) -> u64 {
    let found = findings(scene, changes, &TrialConfig::default()).unwrap();
    assert_eq!(found.leak().map(ToString::to_string), None, "{scene}");
    assert_eq!(found.cases.len(), 50, "{scene}: too few that nobody knew of; {} were seen", found.seen_too_soon);
    found.ticks()
}

#[test]
fn minds_with_senses_decide_the_same_whatever_no_sense_reached() {
    for scene in ["patrol", "range", "duel", "senses", "hide-and-seek", "honesty"] {
        assert!(ticks_compared(scene, &[]) >= 50 * 60);
    }
}

#[test]
fn crowds_and_steering_mind_only_what_is_near() {
    assert!(ticks_compared("crowd", &[("count", "12")]) >= 50 * 60);
    for scene in ["hide", "shark", "fox", "ghost", "herding"] {
        assert!(ticks_compared(scene, &[]) >= 50 * 60);
    }
}

#[test]
fn each_planted_leak_is_found() {
    for leak in ["sight", "hearing", "path", "map", "team"] {
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
