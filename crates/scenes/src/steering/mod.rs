//! The steering scenes: one stage, one mind, and for each scene its roles and what it measures.
//!
//! A scene is a [`SteeringScene`]: a function that makes the roles, and one that looks at every tick and keeps its figures. The
//! stage does the rest: bodies on the level, a player's or a script's controls for the first role, trails, drawing.

mod mind;
mod stage;

pub use mind::{Glance, Role, Steerer, Turns};
pub use stage::{Look, SteeringScene, begin, field_of};

pub mod flock;
pub mod flow;
pub mod fox;
pub mod ghost;
pub mod herding;
pub mod hide;
pub mod interpose;
pub mod leader;
pub mod locomotion;
pub mod path_follow;
pub mod shark;
pub mod steering_basic;
pub mod steering_collision;
pub mod steering_delegated;
pub mod steering_head_on;
pub mod wall_following;

use sentir_harness::info::{Binding, ControlAction, ControlMode, Controls, SceneInfo};

/// How a person takes the first role over from its script.
const fn walked_as(whom: &'static str) -> Controls {
    const WALK: &[Binding] = &[Binding::new(ControlAction::Move, "walk")];
    Controls { mode: ControlMode::Walk, setting: None, difficulty: None, whom, bindings: WALK }
}

/// The scenes of this family.
pub(crate) const SCENES: &[SceneInfo] = &[
    steering_basic::SCENE,
    steering_delegated::SCENE,
    steering_collision::SCENE,
    steering_head_on::SCENE,
    wall_following::SCENE,
    hide::SCENE,
    interpose::SCENE,
    path_follow::SCENE,
    leader::SCENE,
    shark::SCENE,
    fox::SCENE,
    ghost::SCENE,
    herding::SCENE,
    flow::SCENE,
    flock::SCENE,
    locomotion::SCENE,
];

#[cfg(test)]
mod tests {
    use sentir::prelude::Serial;
    use sentir_harness::info::Changes;

    /// Plays a scene to its end and gives its figures by name.
    pub(super) fn figures(name: &str, seed: u64, changes: &[(&str, &str)]) -> impl Fn(&str) -> f64 + use<> {
        let scene = crate::CATALOG.find(name).expect("a scene");
        let changes: Vec<_> = changes.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
        let mut game = scene
            .start(&scene.setup(seed, Changes { settings: &changes, assets: &[] }).expect("a setup"))
            .expect("a match");
        while game.ending().is_none() {
            game.step(&[], &Serial);
        }
        let metrics = game.metrics();
        let ending = game.ending();
        move |name: &str| {
            let metric = metrics.iter().find(|metric| metric.name == name);
            metric.unwrap_or_else(|| panic!("no figure {name}; it ended: {ending:?}")).value
        }
    }
}
