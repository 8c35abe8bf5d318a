//! Characters that fight together: what a team knows and claims, and the soldier, as data files and leaves.
//!
//! | module | holds |
//! |---|---|
//! | [`tactical_map`] | the ground of a fight, made once of a level: where one walks, hides and is seen |
//! | [`tuning`] | everything about a soldier that is a matter of taste, as a file |
//! | [`alarm`] | alarms, the nodes they report, and seats at them; for any game |
//! | [`claim`] | places that an agent has taken for a purpose |
//! | [`team`] | what a team knows through its members: alert, lead, where the target may be |
//! | [`soldier`] | the soldier's brain: the tree, its memory, one thought |
//! | [`strategy`] | what a whole side is at: a brain out of a file over the side's report |
//! | [`coordinator`] | briefs a squad, answers its questions about places and ways, within a budget a tick |
//!
//! A soldier is a tree out of a file over leaves written here; what it knows is in its beliefs, in what its hands feel
//! ([`soldier::Gear`]) and in what its team tells it ([`team::Briefing`]). A team senses through its members only. Places come
//! from environment queries, ways from tactical searches; both are asked for in a thought and answered by the squad's
//! coordination, so that all a thought does is cheap and runs in parallel.
//!
//! Nothing here reads a clock or allocates in steady ticks; the same calls give the same bits.

pub use sentir_act as act;
pub use sentir_asset as asset;
pub use sentir_asset::AssetError;
pub use sentir_core as core;
pub use sentir_level as level;
pub use sentir_nav as nav;
pub use sentir_space as space;
pub use sentir_think as think;

pub mod alarm;
pub mod claim;
pub mod coordinator;
mod fact;
mod fire;
mod leaf;
pub mod soldier;
mod storey;
pub mod strategy;
pub mod tactical_map;
pub mod team;
pub mod tuning;

/// Name and text of the soldier's tree, tuning and own queries, as they come with the library.
pub mod stock {
    /// The tree.
    pub const TREE: (&str, &str) = ("soldier.yaml", include_str!("../assets/soldier.yaml"));
    /// The tuning.
    pub const TUNING: (&str, &str) = ("tuning.yaml", include_str!("../assets/tuning.yaml"));
    /// Where to look.
    pub const SEARCH: &str = include_str!("../assets/queries/search.yaml");
    /// Where to hide.
    pub const COVER: &str = include_str!("../assets/queries/cover.yaml");
    /// Where to shoot from.
    pub const ATTACK: &str = include_str!("../assets/queries/attack.yaml");
    /// Where to gain ground.
    pub const ADVANCE: &str = include_str!("../assets/queries/advance.yaml");
}
