//! That a formation travels on a mesh.

use crate::walk_scene::play;

#[test]
fn a_formation_travels_on_the_mesh_narrows_at_the_door_and_closes_up() {
    for pattern in ["triangle", "squares"] {
        let changes = [("pattern", pattern)];
        let (_, metric) = play("column", 1, &changes);
        assert_eq!(metric("arrived"), 1.0, "{pattern}");
        assert_eq!(metric("off_mesh_ticks"), 0.0, "{pattern}: {} m off", metric("off_mesh_m_max"));
        assert!(metric("narrow_max") > 1.9 && metric("close_ups") >= 1.0, "{pattern}");
        assert!(metric("open_error_m") < 0.1, "{pattern}: {}", metric("open_error_m"));
        assert!(metric("open_error_m_max") < 0.4, "{pattern}: {}", metric("open_error_m_max"));
        assert_eq!(metric("marching"), 9.0);
    }
}

#[test]
fn who_is_lost_rejoins_or_is_left_with_a_cause() {
    let (_, metric) = play("column", 1, &[("stray", "far")]);
    assert_eq!((metric("rejoined"), metric("marching"), metric("arrived")), (1.0, 9.0, 1.0));
    assert_eq!(metric("off_mesh_ticks"), 0.0, "{} m off", metric("off_mesh_m_max"));
    let (_, metric) = play("column", 1, &[("stray", "island")]);
    assert_eq!((metric("left_no_path"), metric("left_other"), metric("marching")), (1.0, 0.0, 8.0));
    assert_eq!((metric("arrived"), metric("off_mesh_ticks")), (1.0, 0.0));
}
