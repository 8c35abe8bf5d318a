//! What surfaces are made of: what sees, shoots and walks through them.

use serde::Deserialize;

/// What a surface may block, or what a ray asks for; a set of bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blocks(pub u8);

impl Blocks {
    /// Looks.
    pub const SIGHT: Blocks = Blocks(1);
    /// Shots.
    pub const SHOTS: Blocks = Blocks(2);
    /// Bodies: what is solid.
    pub const BODIES: Blocks = Blocks(4);
    /// Everything that is there.
    pub const ANYTHING: Blocks = Blocks(7);
}

/// A class of surfaces.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SurfaceClass {
    /// By what name it is asked for.
    pub name: String,
    /// Whether looks end here. Windows and fences let see.
    #[serde(default = "yes")]
    pub blocks_sight: bool,
    /// Whether shots end here. Fences and hedges let shoot.
    #[serde(default = "yes")]
    pub blocks_shots: bool,
    /// Whether bodies are held. Curtains and hedges let pass.
    #[serde(default = "yes")]
    pub blocks_bodies: bool,
    /// Whether one may walk on it, where it is flat enough.
    #[serde(default = "yes")]
    pub is_walkable: bool,
}

fn yes() -> bool {
    true
}

impl SurfaceClass {
    /// What it blocks, as bits.
    pub fn blocks(&self) -> Blocks {
        let bit = |is_set: bool, bits: Blocks| if is_set { bits.0 } else { 0 };
        Blocks(
            bit(self.blocks_sight, Blocks::SIGHT)
                | bit(self.blocks_shots, Blocks::SHOTS)
                | bit(self.blocks_bodies, Blocks::BODIES),
        )
    }
}

/// The classes every level has, before its own: number 0 is `solid`.
pub fn stock() -> Vec<SurfaceClass> {
    let class = |name: &str, blocks_sight, blocks_shots, blocks_bodies, is_walkable| SurfaceClass {
        name: name.to_owned(),
        blocks_sight,
        blocks_shots,
        blocks_bodies,
        is_walkable,
    };
    vec![
        class("solid", true, true, true, true),
        class("window", false, true, true, false),
        class("fence", false, false, true, false),
        class("hedge", true, false, false, false),
    ]
}
