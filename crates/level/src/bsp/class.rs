//! What surfaces of the file are: shader names, surface flags and content flags become surface classes.
//!
//! | class | made of | looks | shots | bodies | walked on |
//! |---|---|---|---|---|---|
//! | `solid` | solid | end | end | held | yes |
//! | `metal`, `slick` | solid, with that flag | end | end | held | yes |
//! | `ladder` | solid, with that flag | end | end | held | no |
//! | `glass` | solid and see-through; weapon clips, too | pass | end | held | yes |
//! | `sky` | solid, with the flag of the sky | end | end | held | no |
//! | `clip` | player clip | pass | pass | held | yes |
//! | `lava`, `slime` | that | end | pass | held | no |
//! | `drawn` | a draw face without a body | end | pass | pass | no |
//!
//! Lava and slime hold bodies here, though in the game one sinks into them: who thinks ahead does not go there, and
//! whoever is pushed stays on top. Water, fog, triggers, hints, and clips for bots alone are left out.

use crate::surface::{Blocks, SurfaceClass};

use super::lump::Texture;

/// Content flags.
pub mod contents {
    /// Solid.
    pub const SOLID: u32 = 0x1;
    /// Lava.
    pub const LAVA: u32 = 0x8;
    /// Slime.
    pub const SLIME: u32 = 0x10;
    /// Water.
    pub const WATER: u32 = 0x20;
    /// Fog.
    pub const FOG: u32 = 0x40;
    /// Holds players alone.
    pub const PLAYER_CLIP: u32 = 0x1_0000;
    /// Does not end looks.
    pub const TRANSLUCENT: u32 = 0x2000_0000;
}

/// Surface flags.
pub mod flags {
    /// Slippery.
    pub const SLICK: u32 = 0x2;
    /// The sky.
    pub const SKY: u32 = 0x4;
    /// One climbs on it.
    pub const LADDER: u32 = 0x8;
    /// Never drawn.
    pub const NO_DRAW: u32 = 0x80;
    /// Steps ring.
    pub const METAL: u32 = 0x1000;
}

/// A class, by its number in [`surfaces`] plus one; 0 is `solid`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Class(pub u16);

impl Class {
    /// Solid.
    pub const SOLID: Class = Class(0);
    /// Solid, steps ring.
    pub const METAL: Class = Class(1);
    /// Solid, slippery.
    pub const SLICK: Class = Class(2);
    /// Solid, to be climbed on.
    pub const LADDER: Class = Class(3);
    /// Solid and see-through.
    pub const GLASS: Class = Class(4);
    /// The sky.
    pub const SKY: Class = Class(5);
    /// Holds bodies alone.
    pub const CLIP: Class = Class(6);
    /// Lava.
    pub const LAVA: Class = Class(7);
    /// Slime.
    pub const SLIME: Class = Class(8);
    /// Ends looks alone.
    pub const DRAWN: Class = Class(9);

    /// What it blocks, as bits.
    pub fn blocks(self) -> u8 {
        let (_, sight, shots, bodies, _) = TABLE[usize::from(self.0)];
        let bit = |is_set: bool, bits: Blocks| if is_set { bits.0 } else { 0 };
        bit(sight, Blocks::SIGHT) | bit(shots, Blocks::SHOTS) | bit(bodies, Blocks::BODIES)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        TABLE[usize::from(self.0)].0
    }
}

/// Name, then what it blocks (looks, shots, bodies), then whether one walks on it.
const TABLE: [(&str, bool, bool, bool, bool); 10] = [
    ("solid", true, true, true, true),
    ("metal", true, true, true, true),
    ("slick", true, true, true, true),
    ("ladder", true, true, true, false),
    ("glass", false, true, true, true),
    ("sky", true, true, true, false),
    ("clip", false, false, true, true),
    ("lava", true, false, true, false),
    ("slime", true, false, true, false),
    ("drawn", true, false, false, false),
];

/// The classes such a level has besides the stock ones.
pub fn surfaces() -> Vec<SurfaceClass> {
    let class = |&(name, blocks_sight, blocks_shots, blocks_bodies, is_walkable): &(&str, bool, bool, bool, bool)| {
        SurfaceClass { name: name.to_owned(), blocks_sight, blocks_shots, blocks_bodies, is_walkable }
    };
    TABLE[1..].iter().map(class).collect()
}

/// Names of all classes, in order: the materials of the meshes.
pub fn names() -> Vec<String> {
    TABLE.iter().map(|(name, ..)| (*name).to_owned()).collect()
}

/// Shaders of the tools that are no bodies, whatever flags the compiler gave them.
const NOTHING: [&str; 10] = [
    "areaportal",
    "botclip",
    "clusterportal",
    "donotenter",
    "hint",
    "nodrawnonsolid",
    "nodrop",
    "origin",
    "skip",
    "trigger",
];

/// The tool a shader belongs to, as in `textures/common/clip`.
fn tool(name: &str) -> Option<&str> {
    name.strip_prefix("textures/common/")
}

/// What a body is: by the shader of the brush. None for what is no body.
pub fn of_body(texture: &Texture) -> Option<Class> {
    let has = |bits: u32| texture.contents & bits != 0;
    match tool(&texture.name) {
        Some(tool) if NOTHING.contains(&tool) => return None,
        Some("clip" | "playerclip" | "fullclip") => return Some(Class::CLIP),
        _ => {}
    }
    if has(contents::SOLID) {
        return Some(if has(contents::TRANSLUCENT) { Class::GLASS } else { Class::SOLID });
    }
    [(contents::PLAYER_CLIP, Class::CLIP), (contents::LAVA, Class::LAVA), (contents::SLIME, Class::SLIME)]
        .into_iter()
        .find_map(|(bits, class)| has(bits).then_some(class))
}

/// What a side of a body is, by its own shader.
pub fn of_side(body: Class, side: &Texture) -> Class {
    if body != Class::SOLID {
        return body;
    }
    let is_sky = side.flags & flags::SKY != 0 || side.name.starts_with("textures/skies/");
    let flags = [(flags::LADDER, Class::LADDER), (flags::SLICK, Class::SLICK), (flags::METAL, Class::METAL)];
    let flagged = flags.into_iter().find_map(|(bits, class)| (side.flags & bits != 0).then_some(class));
    if is_sky { Class::SKY } else { flagged.unwrap_or(body) }
}

/// Whether a draw face without a body ends looks.
pub fn is_opaque(texture: &Texture) -> bool {
    const NOT: u32 = contents::TRANSLUCENT | contents::WATER | contents::FOG | contents::LAVA | contents::SLIME;
    let is_sky = texture.flags & flags::SKY != 0;
    texture.contents & NOT == 0 && texture.flags & flags::NO_DRAW == 0 && !is_sky
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texture(name: &str, flags: u32, contents: u32) -> Texture {
        Texture { name: name.to_owned(), flags, contents }
    }

    #[test]
    fn contents_and_flags_decide_and_tools_go_by_name() {
        let body = |name: &str, contents: u32| of_body(&texture(name, 0, contents));
        assert_eq!(body("textures/base/floor", contents::SOLID), Some(Class::SOLID));
        assert_eq!(body("textures/base/pane", contents::SOLID | contents::TRANSLUCENT), Some(Class::GLASS));
        assert_eq!(body("textures/base/x", contents::PLAYER_CLIP), Some(Class::CLIP));
        assert_eq!(body("textures/common/clip", contents::SOLID), Some(Class::CLIP));
        assert_eq!(body("textures/common/trigger", contents::SOLID), None);
        assert_eq!(body("textures/liquids/lava", contents::LAVA), Some(Class::LAVA));
        assert_eq!(body("textures/liquids/water", contents::WATER), None);
        let side = |flags: u32| of_side(Class::SOLID, &texture("textures/base/x", flags, contents::SOLID));
        assert_eq!(side(0), Class::SOLID);
        assert_eq!(side(flags::SKY | flags::METAL), Class::SKY);
        assert_eq!(side(flags::METAL), Class::METAL);
        assert_eq!(of_side(Class::CLIP, &texture("textures/skies/dusk", flags::SKY, 0)), Class::CLIP);
    }

    #[test]
    fn every_class_is_a_surface_class_that_blocks_the_same() {
        let surfaces = surfaces();
        for (number, name) in (0u16..).zip(names()).skip(1) {
            let surface = &surfaces[usize::from(number) - 1];
            assert_eq!((surface.name.as_str(), surface.blocks().0), (name.as_str(), Class(number).blocks()));
        }
        assert_eq!(Class::SOLID.blocks(), Blocks::ANYTHING.0);
        assert_eq!(Class::DRAWN.name(), "drawn");
    }
}
