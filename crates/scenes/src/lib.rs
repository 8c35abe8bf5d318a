//! Every scene of the product. A scene is `<family>/<scene_name>.rs` (or a folder of that name) with a constant `SCENE`, and
//! one line in the table of its family. What the scenes of a family share is beside them. A scene's state is called `World`, what
//! it need not remember `Cache`.
//!
//! | family | shows |
//! |---|---|
//! | `firefight` | soldiers against a player, and each behavior of a soldier alone |
//! | `horde` | zombies in rounds, and the bot that measures their minds |
//! | `combat` | the rules of fighting: a range, two teams |
//! | `brain` | every kind of brain |
//! | `sense` | senses and honesty |
//! | `vision` | synthetic vision |
//! | `steering` | steering behaviors, locomotion, flocks |
//! | `formation` | formations, roles, columns |
//! | `crowd` | mutual avoidance and right of way |
//! | `grid` | searches on tile grids |
//! | `navigation` | navigation meshes and tactical paths |
//! | `space` | visibility, influence, environment queries, cover |
//! | `war` | a small real-time strategy game: sides, attitudes, fog, influence on ways |

mod brain;
pub mod brain_file;
mod combat;
mod cone;
mod crowd;
mod firefight;
mod formation;
mod grid;
mod horde;
mod navigation;
mod orca_walker;
pub mod sense;
mod space;
mod steering;
mod straight_walker;
mod vision;
mod walk_scene;
mod war;

use sentir_harness::info::{Catalog, Family};

/// A constant for each family: a program that names only some has only the scenes of those in it, as the linker drops the rest. Then all
/// of them, in the order of lists.
macro_rules! families {
    ($($(#[$doc:meta])* $constant:ident = $module:ident: $about:literal;)+) => {
        $($(#[$doc])* pub const $constant: Family =
            Family { name: stringify!($module), about: $about, scenes: $module::SCENES };)+

        /// Every scene, by family.
        pub const CATALOG: Catalog = Catalog { families: &[$($constant),+] };
    };
}

families! {
    /// Soldiers against a player.
    FIREFIGHT = firefight: "soldiers against a player, and each behavior alone";
    /// Zombies in rounds, and the bot that measures their minds.
    HORDE = horde: "zombies in rounds, and the bot that measures their minds";
    /// The rules of fighting.
    COMBAT = combat: "the rules of fighting";
    /// Every kind of brain.
    BRAIN = brain: "every kind of brain";
    /// Senses and honesty.
    SENSE = sense: "senses and honesty";
    /// Synthetic vision.
    VISION = vision: "synthetic vision";
    /// Steering behaviors, locomotion, flocks.
    STEERING = steering: "steering behaviors, locomotion, flocks";
    /// Formations, roles, columns.
    FORMATION = formation: "formations, roles, columns";
    /// Mutual avoidance and right of way.
    CROWD = crowd: "mutual avoidance and right of way";
    /// Searches on tile grids.
    GRID = grid: "searches on tile grids";
    /// Navigation meshes and tactical paths.
    NAVIGATION = navigation: "navigation meshes and tactical paths";
    /// Visibility, influence, environment queries, cover.
    SPACE = space: "visibility, influence, environment queries, cover";
    /// A small real-time strategy game.
    WAR = war: "a small real-time strategy game";
}

/// Scenes that are exempt from the honesty test, and why; every other scene of the catalog is tested.
pub const HONESTY_EXEMPT: &[(&str, &str)] = &[
    ("missile", "flies over an empty field, where nothing hides anything: whatever is changed is soon in view"),
    ("driver", "is alone on a track that stands: there is nobody and nothing to change"),
];
