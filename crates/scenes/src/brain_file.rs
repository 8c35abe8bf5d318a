//! Brains as files against the leaves of the scene they are for: what a task is called, what it takes and which keys it
//! may name is known only there.

use std::path::Path;

use sentir::squad::soldier::Soldier;
use sentir_asset::AssetError;

use sentir_harness::info::SceneInfo;

/// Checks the bytes of a brain; the first is the name of its file in errors.
pub type Check = fn(&str, &[u8]) -> Result<(), AssetError>;

/// A family of brains that are files.
struct Family {
    /// How the names of its files begin, in the table of assets of the scenes that read them.
    start: &'static str,
    /// Where the library keeps them: a file, or the folder that holds them.
    path: &'static str,
    check: Check,
}

/// Which assets of scenes are brains. Which scenes have any is in their own tables.
const FAMILIES: &[Family] = &[
    Family { start: "guard/", path: "think/assets/guard", check: crate::brain::guard::check },
    Family { start: "soldier-plan/", path: "think/assets/soldier.yaml", check: crate::brain::guard::check },
    Family { start: "war/", path: "scenes/assets/war", check: crate::war::game::leaf::check },
    Family { start: "soldier/tree", path: "squad/assets/soldier.yaml", check: Soldier::check },
    Family { start: "horde/", path: "scenes/assets/horde/minds", check: crate::horde::game::registry::check },
];

impl Family {
    fn is_in(&self, scene: &SceneInfo) -> bool {
        scene.assets.iter().any(|(file, _)| file.starts_with(self.start))
    }

    fn is_at(&self, path: &Path) -> bool {
        path.ends_with(self.path) || path.parent().is_some_and(|folder| folder.ends_with(self.path))
    }
}

/// The names of the scenes whose brains are files.
pub fn scenes() -> impl Iterator<Item = &'static str> {
    crate::CATALOG.scenes().map(|scene| scene.name).filter(|name| of_scene(name).is_some())
}

/// How a scene checks a brain; none if its brains are no files.
pub fn of_scene(name: &str) -> Option<Check> {
    let scene = crate::CATALOG.scenes().find(|scene| scene.name == name)?;
    FAMILIES.iter().find(|family| family.is_in(scene)).map(|family| family.check)
}

/// The first scene that reads a file of the library, by its whole path; none for a file of anybody else.
pub fn scene_of(path: &Path) -> Option<&'static str> {
    let family = FAMILIES.iter().find(|family| family.is_at(path))?;
    crate::CATALOG.scenes().find(|scene| family.is_in(scene)).map(|scene| scene.name)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]
mod tests {
    use super::*;

    /// The assets of a scene that say of themselves that they are brains.
    fn brains(scene: &SceneInfo) -> impl Iterator<Item = &'static (&'static str, &'static str)> {
        let is_brain = |text: &str| {
            let is_head = |line: &str| {
                let kinds = sentir_think::brain::KINDS.iter();
                kinds.map(|(kind, _)| format!("sentir: {kind} ")).any(|head| line.starts_with(&head))
            };
            text.lines().any(is_head)
        };
        scene.assets.iter().filter(move |(_, text)| is_brain(text))
    }

    #[test]
    fn every_scene_whose_brains_are_files_reads_its_own() {
        let mut count = 0;
        for scene in crate::CATALOG.scenes() {
            let check = of_scene(scene.name);
            assert_eq!(check.is_some(), brains(scene).next().is_some(), "{}", scene.name);
            for (file, text) in brains(scene) {
                check.unwrap()(file, text.as_bytes()).unwrap();
                count += 1;
            }
        }
        // Eight kinds of guards, the planner, the soldier of ten scenes, thirteen minds in five scenes of the horde, and four
        // files in each of five scenes of the war.
        assert_eq!(count, 19 + 5 * 13 + 5 * 4);
    }

    #[test]
    fn every_scene_of_the_firefight_family_knows_the_soldiers_file() {
        let family = [
            "firefight",
            "duel",
            "firefight-level",
            "search",
            "hide-cover",
            "push",
            "suppression",
            "attack",
            "group-attack",
            "supply",
        ];
        let (name, tree) = sentir::squad::stock::TREE;
        for scene in family {
            let check = of_scene(scene).unwrap();
            check(name, tree.as_bytes()).unwrap();
            let broken = tree.replacen("task: look_around", "task: look_arond", 1);
            assert_ne!(broken, tree);
            let error = check(name, broken.as_bytes()).unwrap_err().to_string();
            assert!(error.contains("look_around"), "{scene}: {error}");
        }
        assert!(of_scene("patrol").is_none());
    }

    #[test]
    fn files_of_the_library_are_known_by_where_they_lie() {
        let scene = |path: &str| scene_of(Path::new(path));
        assert_eq!(scene("/any/crates/think/assets/guard/goap.yaml"), Some("guard"));
        assert_eq!(scene("/any/crates/think/assets/soldier.yaml"), Some("soldier-plan"));
        assert_eq!(scene("/any/crates/squad/assets/soldier.yaml"), Some("firefight"));
        assert_eq!((scene("guard/tree.yaml"), scene("/any/soldier.yaml")), (None, None));
    }
}
