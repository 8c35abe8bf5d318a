//! How a scene looks in 3D: the models of its kinds of agents, its plain ground, the cameras that suit it. Colors are the draw
//! list's.

/// How agents of one kind look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KindLook {
    /// The kind; and those after it, up to the next one of the table.
    pub kind: u16,
    /// What such an agent is, in a word or two; with its number, what it is called.
    pub name: &'static str,
    /// Its model.
    pub model: Model,
    /// What it is, for people; the name where there is no more to say.
    pub title: &'static str,
}

impl KindLook {
    /// Agents from this kind on are these.
    pub const fn new(kind: u16, name: &'static str, model: Model) -> KindLook {
        KindLook { kind, name, model, title: name }
    }

    /// The same with a title for people.
    pub const fn titled(self, title: &'static str) -> KindLook {
        KindLook { title, ..self }
    }
}

/// Declares an enum of plain names with `ALL` and `name`.
macro_rules! names {
    ($(#[$about:meta])* $type:ident { $($(#[$note:meta])* $variant:ident = $name:literal,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $type {
            $($(#[$note])* $variant,)+
        }

        impl $type {
            /// All of them.
            pub const ALL: &'static [$type] = &[$($type::$variant),+];

            /// Its name for programs.
            pub const fn name(self) -> &'static str {
                match self {
                    $($type::$variant => $name,)+
                }
            }
        }
    };
}
pub(crate) use names;

names! {
    /// What an agent is drawn as in 3D.
    Model {
        /// Somebody with a rifle.
        Soldier = "soldier",
        /// The same as a person plays it.
        Player = "player",
        /// A zombie that walks and bites.
        ZombieDummy = "zombie_dummy",
        /// One that howls for the others.
        ZombieBarker = "zombie_barker",
        /// One that sneaks.
        ZombieStealthy = "zombie_stealthy",
        /// One that throws.
        ZombieThrower = "zombie_thrower",
        /// Gathers and builds.
        Worker = "worker",
        /// Light foot.
        Light = "light",
        /// Heavy foot.
        Heavy = "heavy",
        /// Shoots from afar.
        Ranged = "ranged",
        /// Goes unseen.
        Spy = "spy",
        /// A sheep.
        Sheep = "sheep",
        /// A dog.
        Dog = "dog",
        /// A fox.
        Fox = "fox",
        /// A rabbit.
        Rabbit = "rabbit",
        /// A ghost.
        Ghost = "ghost",
        /// A fish.
        Fish = "fish",
        /// A shark.
        Shark = "shark",
        /// A car.
        Car = "car",
        /// A plane.
        Plane = "plane",
        /// A missile.
        Missile = "missile",
        /// A gun on a mount.
        Turret = "turret",
        /// A tracked hull with a turret.
        Tank = "tank",
        /// The building that an army comes from.
        Base = "base",
        /// The building that heals.
        Hospital = "hospital",
        /// A barrel.
        Barrel = "barrel",
        /// The walker of the scenes of synthetic vision.
        Bronto = "bronto",
        /// A ball.
        Ball = "ball",
        /// Somebody on two legs.
        Person = "person",
        /// A bird.
        Bird = "bird",
        /// Something that stands and marks a place.
        Beacon = "beacon",
    }
}

names! {
    /// How plain ground looks; terrain of the draw list has its own colors.
    Ground {
        /// A yard, a hall, a street.
        Concrete = "concrete",
        /// A meadow.
        Grass = "grass",
        /// A beach, a desert.
        Sand = "sand",
        /// The sea, seen from above.
        Water = "water",
        /// The floor of a building.
        Tile = "tile",
        /// A sheet of squared paper: where the place is no place.
        Paper = "paper",
    }
}

impl Ground {
    /// The tints of plain ground in pictures (`0xRRGGBB`), low down and high up; water is blue, grass is green.
    pub fn tints(self) -> [u32; 2] {
        match self {
            Ground::Grass => [0x9b_bb78, 0xb4_d092],
            Ground::Sand => [0xd6_bd86, 0xe8_d5a4],
            Ground::Water => [0x4c_8cbe, 0x6f_abd6],
            Ground::Concrete | Ground::Tile | Ground::Paper => sentir_level::draw::GROUND,
        }
    }
}

names! {
    /// From where a scene is watched.
    View {
        /// From above, as a map.
        Above = "above",
        /// In 3D, around a point.
        Orbit = "orbit",
        /// In 3D, behind an agent.
        Follow = "follow",
        /// Out of an agent's eyes.
        Eyes = "eyes",
    }
}

/// How a scene looks beside its agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SceneLook {
    /// Its plain ground.
    pub ground: Ground,
    /// Whether it has a minimap.
    pub has_minimap: bool,
    /// The views that make sense; the first is the one it is shown by.
    pub views: &'static [View],
}

impl SceneLook {
    /// In 3D from around, on this ground; every other view makes sense, too.
    pub const fn on(ground: Ground) -> SceneLook {
        SceneLook { ground, has_minimap: false, views: &[View::Orbit, View::Above, View::Follow, View::Eyes] }
    }

    /// From above: what is shown is a map.
    pub const fn map(ground: Ground) -> SceneLook {
        SceneLook { ground, has_minimap: false, views: &[View::Above, View::Orbit] }
    }

    /// The same with these views.
    pub const fn seen(self, views: &'static [View]) -> SceneLook {
        SceneLook { views, ..self }
    }

    /// The same with a minimap.
    pub const fn with_minimap(self) -> SceneLook {
        SceneLook { has_minimap: true, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_models_grounds_and_views_are_all_different() {
        let models = Model::ALL.iter().map(|it| it.name());
        let grounds = Ground::ALL.iter().map(|it| it.name());
        let views = View::ALL.iter().map(|it| it.name());
        for names in [models.collect::<Vec<_>>(), grounds.collect(), views.collect()] {
            for (number, name) in names.iter().enumerate() {
                assert!(!names[..number].contains(name), "{name}");
                assert!(name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'), "{name}");
            }
        }
    }

    #[test]
    fn water_is_blue_and_grass_is_green() {
        let parts = |tint: u32| [16, 8, 0].map(|shift| (tint >> shift) & 0xff);
        for tint in Ground::Water.tints() {
            let [red, green, blue] = parts(tint);
            assert!(blue > green && green > red, "{tint:06x}");
        }
        for tint in Ground::Grass.tints() {
            let [red, green, blue] = parts(tint);
            assert!(green > red && red > blue, "{tint:06x}");
        }
    }

    #[test]
    fn a_kind_without_a_title_is_titled_by_its_name() {
        const LOOK: KindLook = KindLook::new(3, "spy", Model::Spy);
        assert_eq!((LOOK.title, LOOK.titled("goes unseen").title), ("spy", "goes unseen"));
        assert_eq!(LOOK.titled("goes unseen").model, Model::Spy);
    }
}
