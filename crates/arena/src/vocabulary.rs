//! Brains as files against the leaves of the scene they are for: what a task is called, what it takes and which keys it
//! may name is known only there.

use sentir::squad::soldier::Soldier;
use sentir_asset::AssetError;

use crate::scene::SCENES;

/// Checks the bytes of a brain; the first is the name of its file in errors.
pub type Check = fn(&str, &[u8]) -> Result<(), AssetError>;

/// Which assets are brains, by how their names begin, and how they are checked.
const BRAINS: &[(&str, Check)] =
    &[("guard/", crate::guard::check), ("soldier-plan/", crate::guard::check), ("soldier/tree", Soldier::check)];

/// Where the files of those scenes lie in the library, and which scene reads them. A name ends at the file, or at the folder
/// that holds it.
const FILES: &[(&str, &str)] = &[
    ("think/assets/guard", "guard"),
    ("think/assets/soldier.yaml", "soldier-plan"),
    ("squad/assets/soldier.yaml", "firefight"),
];

/// The names of the scenes whose brains are files.
pub fn scenes() -> impl Iterator<Item = &'static str> {
    SCENES.iter().map(|scene| scene.name).filter(|name| of_scene(name).is_some())
}

/// How a scene checks a brain; none if its brains are no files.
pub fn of_scene(name: &str) -> Option<Check> {
    let scene = SCENES.iter().find(|scene| scene.name == name)?;
    let has = |start: &str| scene.assets.iter().any(|(file, _)| file.starts_with(start));
    BRAINS.iter().find(|(start, _)| has(start)).map(|(_, check)| *check)
}

/// The scene that a file of the library belongs to, by its whole path; none for a file of anybody else.
pub fn scene_of(path: &std::path::Path) -> Option<&'static str> {
    let is_at = |end: &str| path.ends_with(end) || path.parent().is_some_and(|folder| folder.ends_with(end));
    FILES.iter().find(|(end, _)| is_at(end)).map(|(_, scene)| *scene)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may fail by unwrapping")]
mod tests {
    use super::*;
    use crate::scene::Scene;

    #[test]
    fn every_scene_whose_brains_are_files_reads_its_own() {
        for name in scenes() {
            let (scene, check) = (Scene::find(name).unwrap(), of_scene(name).unwrap());
            let is_brain = |text: &str| {
                let kinds = sentir_think::brain::KINDS.iter();
                kinds.map(|(kind, _)| format!("\nsentir: {kind}")).any(|head| text.contains(&head))
            };
            let assets: Vec<_> = scene.assets.iter().filter(|(_, text)| is_brain(text)).collect();
            assert!(!assets.is_empty(), "{name} has no brain");
            assets.iter().for_each(|(file, text)| check(file, text.as_bytes()).unwrap());
        }
        assert!(of_scene("patrol").is_none());
        assert!(["guard", "soldier-plan", "firefight", "attack"].iter().all(|name| scenes().any(|one| one == *name)));
    }

    #[test]
    fn files_of_the_library_are_known_by_where_they_lie() {
        let scene = |path: &str| scene_of(std::path::Path::new(path));
        assert_eq!(scene("/any/crates/think/assets/guard/goap.yaml"), Some("guard"));
        assert_eq!(scene("/any/crates/think/assets/soldier.yaml"), Some("soldier-plan"));
        assert_eq!(scene("/any/crates/squad/assets/soldier.yaml"), Some("firefight"));
        assert_eq!((scene("guard/tree.yaml"), scene("/any/soldier.yaml")), (None, None));
    }
}
