//! `cover`: one hides from a watcher who walks his round.

use super::{Plan, RATE, TICKS_MAX, begin, query_of};
use crate::scene::{Match, Scene, SceneError, Setting, SettingKind, Setup};

/// The scene.
pub const SCENE: Scene = Scene {
    name: "cover",
    title: "Out of sight of a watcher who walks",
    about: "The red one walks its round and sees what is tinted red. Whenever it sees the orange one, that one asks the stock \
            query `cover` and goes to the best place. Edges of cover are drawn along the walls: blue covers who stands, \
            orange who crouches, with longer ticks where one may lean out. The rose at the orange one is the map of its cell: \
            from where it is covered, and how far one sees elsewhere.",
    controls: "",
    settings: SETTINGS,
    assets: &[("vantage.yaml", include_str!("../../assets/vantage.yaml"))],
    rate: RATE,
    ticks_max: TICKS_MAX + 60,
    trials: &[&[], &["hides=no"]],
    build,
};

const SETTINGS: &[Setting] = &[Setting {
    name: "hides",
    about: "whether the one who is seen hides",
    kind: SettingKind::Choice(&["yes", "no"]),
    stock: "yes",
}];

fn build(setup: &Setup) -> Result<Box<dyn Match>, SceneError> {
    let plan = Plan {
        query: query_of("cover", "query")?,
        period_s: 0.25,
        goes: setup.settings.word("hides") == "yes",
        is_shy: true,
        shows_cover: true,
        shows_rumor: false,
    };
    Ok(Box::new(begin(setup, plan)?))
}

#[cfg(test)]
mod tests {
    use crate::stroll::play;

    #[test]
    fn who_hides_is_seen_less() {
        let (ending, hidden) = play("cover", 1, &[]);
        let (_, open) = play("cover", 1, &[("hides", "no")]);
        assert_eq!(ending, Some(crate::story::TIME_UP));
        assert!(hidden("seen_s") < 0.5 * open("seen_s"), "{} of {}", hidden("seen_s"), open("seen_s"));
        assert!(hidden("asked") > 0.0);
    }
}
