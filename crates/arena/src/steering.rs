//! The steering scenes: one stage, one mind, and for each scene its roles and what it measures.
//!
//! A scene is a [`Show`]: a function that makes the roles, and one that looks at every tick and keeps its figures. The
//! stage does the rest: bodies on the level, a player's or a script's controls for the first role, trails, drawing.

mod mind;
mod stage;

pub use mind::{Glance, Role, Steerer, Turns};
pub use stage::{Look, Player, Show, Staged, begin, field_of};

pub mod basic;
pub mod collision;
pub mod delegated;
pub mod flow;
pub mod fox;
pub mod ghost;
pub mod head_on;
pub mod herding;
pub mod hide;
pub mod interpose;
pub mod leader;
pub mod path;
pub mod shark;
pub mod wall;

#[cfg(test)]
mod tests {
    use crate::scene::Scene;
    use sentir::prelude::Serial;

    /// Plays a scene to its end and gives its figures by name.
    pub(super) fn figures(name: &str, seed: u64, changes: &[(&str, &str)]) -> impl Fn(&str) -> f64 + use<> {
        let scene = Scene::find(name).expect("a scene");
        let changes: Vec<_> = changes.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
        let mut game = scene.start(&scene.setup(seed, &changes, &[]).expect("a setup")).expect("a match");
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
