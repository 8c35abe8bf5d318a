//! A scene is found by its name: the scene `door` of the family `crowd` is `crates/scenes/src/crowd/door.rs` or a folder of
//! that name, and one line of the table in `crowd/mod.rs`.

use super::{Breach, Source};

const ROOT: &str = "crates/scenes/src/";
const CONSTANT: &str = "const SCENE: SceneInfo =";

/// Scenes whose file has another name, and scenes that no table has.
pub fn check(sources: &[Source]) -> Vec<Breach> {
    let scenes = sources.iter().filter(|source| source.path.starts_with(ROOT) && source.is_rust());
    scenes
        .flat_map(|source| {
            let found = source.text.match_indices(CONSTANT);
            found.map(|(at, _)| (source.text[..at].lines().count(), &source.text[at..])).flat_map(|(line, text)| {
                let sentence = wrong(source, text, sources);
                sentence.map(|sentence| source.breach(line, sentence))
            })
        })
        .collect()
}

/// What is wrong with a scene whose constant a text begins with.
fn wrong(source: &Source, text: &str, sources: &[Source]) -> Option<String> {
    let is_name =
        |word: &&str| !word.is_empty() && word.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-');
    let name = text.split('"').skip(1).step_by(2).find(is_name)?;
    let module = name.replace('-', "_");
    let inside = source.path.strip_prefix(ROOT)?;
    let parts: Vec<&str> = inside.split('/').collect();
    let (family, is_there) = match parts.as_slice() {
        [family, file] => (*family, *file == format!("{module}.rs")),
        [family, folder, "mod.rs"] => (*family, *folder == module),
        _ => (parts[0], false),
    };
    if !is_there {
        return Some(format!("the scene '{name}' must be in {ROOT}{family}/{module}.rs, or in a folder of that name"));
    }
    let table = sources.iter().find(|other| other.path == format!("{ROOT}{family}/mod.rs"));
    let is_listed = table.is_some_and(|table| {
        table.text.contains(&format!("{module}::SCENE,")) || table.text.contains(&format!("{module}::SCENE]"))
    });
    (!is_listed).then(|| format!("the scene '{name}' has no line `{module}::SCENE` in {ROOT}{family}/mod.rs"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, table: &str) -> Vec<String> {
        let source = |path: &str, text: &str| Source { path: path.to_owned(), text: text.to_owned() };
        let text = "//! Doc.\n\npub const SCENE: SceneInfo = SceneInfo {\n    name: \"path-follow\",\n};\n";
        let sources = [source(&format!("{ROOT}{path}"), text), source(&format!("{ROOT}steering/mod.rs"), table)];
        check(&sources).into_iter().map(|breach| format!("{}: {}", breach.line, breach.sentence)).collect()
    }

    #[test]
    fn a_scene_is_found_by_its_name() {
        let table = "const SCENES: &[SceneInfo] = &[\n    path_follow::SCENE,\n];\n";
        assert!(found("steering/path_follow.rs", table).is_empty());
        assert!(found("steering/path_follow/mod.rs", table).is_empty());
        let place = "3: the scene 'path-follow' must be in crates/scenes/src/steering/path_follow.rs, or in a folder of that name";
        assert_eq!(found("steering/path.rs", table), [place]);
        assert_eq!(found("steering/path/follow/path_follow.rs", table), [place]);
        let line = "3: the scene 'path-follow' has no line `path_follow::SCENE` in crates/scenes/src/steering/mod.rs";
        assert_eq!(found("steering/path_follow.rs", ""), [line]);
    }
}
