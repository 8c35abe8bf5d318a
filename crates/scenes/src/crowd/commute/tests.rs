//! What `commute` must show.

use crate::walk_scene::play;

const CAUSES: [&str; 5] =
    ["failed_no_path", "failed_bad_goal", "failed_out_of_budget", "failed_stuck", "failed_bad_start"];

#[test]
fn one_alone_takes_the_time_of_the_path() {
    for seed in [1, 2, 3] {
        let (_, metric) = play("commute", seed, &[("count", "1"), ("seconds", "240")]);
        assert!(metric("trips") >= 5.0, "{} trips", metric("trips"));
        assert!((0.9..1.1).contains(&metric("time_ratio")), "{}", metric("time_ratio"));
        assert_eq!((metric("failed_stuck"), metric("off_mesh_ticks"), metric("stalls")), (0.0, 0.0, 0.0));
    }
}

#[test]
fn a_crowd_arrives_and_stays_on_the_mesh() {
    let (_, metric) = play("commute", 3, &[("count", "60"), ("seconds", "60")]);
    assert!(metric("trips") >= 60.0, "{} trips", metric("trips"));
    for cause in CAUSES {
        assert_eq!(metric(cause), 0.0, "{cause}");
    }
    assert_eq!((metric("off_mesh_ticks"), metric("stuck")), (0.0, 0.0));
    assert!(metric("longest_stand_s") < 4.0, "{}", metric("longest_stand_s"));
    assert!(metric("time_ratio") < 1.1, "{}", metric("time_ratio"));
}

#[test]
fn five_hundred_flow() {
    let (_, metric) = play("commute", 3, &[("seconds", "50")]);
    assert!(metric("trips") >= 400.0, "{} trips", metric("trips"));
    for cause in CAUSES {
        assert_eq!(metric(cause), 0.0, "{cause}");
    }
    assert_eq!((metric("off_mesh_ticks"), metric("stuck")), (0.0, 0.0));
    assert!(metric("held_share") < 0.02, "{}", metric("held_share"));
}

#[test]
fn without_a_budget_every_trip_says_so() {
    let (_, metric) = play("commute", 3, &[("count", "6"), ("seconds", "60"), ("expansions", "0")]);
    assert!(metric("failed_out_of_budget") >= 6.0, "{}", metric("failed_out_of_budget"));
}
