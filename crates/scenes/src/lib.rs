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

/// Every scene, by family.
pub const CATALOG: Catalog = Catalog {
    families: &[
        Family {
            name: "firefight",
            about: "soldiers against a player, and each behavior alone",
            scenes: firefight::SCENES,
        },
        Family {
            name: "horde",
            about: "zombies in rounds, and the bot that measures their minds",
            scenes: horde::SCENES,
        },
        Family { name: "combat", about: "the rules of fighting", scenes: combat::SCENES },
        Family { name: "brain", about: "every kind of brain", scenes: brain::SCENES },
        Family { name: "sense", about: "senses and honesty", scenes: sense::SCENES },
        Family { name: "vision", about: "synthetic vision", scenes: vision::SCENES },
        Family { name: "steering", about: "steering behaviors, locomotion, flocks", scenes: steering::SCENES },
        Family { name: "formation", about: "formations, roles, columns", scenes: formation::SCENES },
        Family { name: "crowd", about: "mutual avoidance and right of way", scenes: crowd::SCENES },
        Family { name: "grid", about: "searches on tile grids", scenes: grid::SCENES },
        Family { name: "navigation", about: "navigation meshes and tactical paths", scenes: navigation::SCENES },
        Family { name: "space", about: "visibility, influence, environment queries, cover", scenes: space::SCENES },
        Family { name: "war", about: "a small real-time strategy game", scenes: war::SCENES },
    ],
};

/// Scenes that are exempt from the honesty test, and why; every other scene of the catalog is tested.
pub const HONESTY_EXEMPT: &[(&str, &str)] = &[
    ("missile", "flies over an empty field, where nothing hides anything: whatever is changed is soon in view"),
    ("driver", "is alone on a track that stands: there is nobody and nothing to change"),
];
