//! Brains as files: every scene that has any takes them by its name.

use crate::process::{done, object, refused};

#[test]
fn every_scene_that_reads_a_brain_checks_one() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../");
    let mut soldiers = 0;
    for scene in object(&["scenes", "--json"]).as_array().unwrap() {
        let name = scene["name"].as_str().unwrap();
        let assets: Vec<_> = scene["assets"].as_array().unwrap().iter().filter_map(|it| it.as_str()).collect();
        let file = match () {
            () if assets.contains(&"soldier/tree.yaml") => "squad/assets/soldier.yaml",
            () if assets.contains(&"horde/bot.yaml") => "scenes/assets/horde/minds/bot.yaml",
            () if assets.contains(&"war/soldier.yaml") => "scenes/assets/war/soldier.yaml",
            () if assets.contains(&"guard/tree.yaml") => "think/assets/guard/tree.yaml",
            () if assets.contains(&"soldier-plan/htn.yaml") => "think/assets/soldier.yaml",
            () => {
                let error = refused(&["check", "--scene", name, &format!("{root}squad/assets/soldier.yaml")], 2);
                assert!(error.contains("are no files") && error.contains("group-attack"), "{error}");
                continue;
            }
        };
        soldiers += u32::from(file.starts_with("squad"));
        let told = done(&["check", "--scene", name, &format!("{root}{file}")]);
        assert!(told.ends_with(&format!("leaves of {name}\n")), "{told}");
    }
    assert_eq!(soldiers, 10);
}
