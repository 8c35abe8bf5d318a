//! What kinds of agents a scene has, and how they look in 3D. Colors are the draw list's.

/// How agents of one kind look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KindLook {
    /// The kind; and those after it, up to the next one of the table.
    pub kind: u16,
    /// What such an agent is, in a word or two.
    pub name: &'static str,
    /// Its shape.
    pub shape: BodyShape,
}

/// The shape of a body in 3D.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BodyShape {
    /// Somebody on two legs.
    #[default]
    Person,
    /// Somebody with a rifle.
    Soldier,
    /// Something on four legs.
    Animal,
    /// Something that swims or flies by itself, as fish and birds.
    Fish,
    /// Something on wheels or tracks.
    Vehicle,
    /// Something that flies by an engine.
    Craft,
    /// A ball.
    Ball,
}

impl BodyShape {
    /// Every shape.
    pub const ALL: [BodyShape; 7] = [
        BodyShape::Person,
        BodyShape::Soldier,
        BodyShape::Animal,
        BodyShape::Fish,
        BodyShape::Vehicle,
        BodyShape::Craft,
        BodyShape::Ball,
    ];

    /// Its name for programs.
    pub fn name(self) -> &'static str {
        match self {
            BodyShape::Person => "person",
            BodyShape::Soldier => "soldier",
            BodyShape::Animal => "animal",
            BodyShape::Fish => "fish",
            BodyShape::Vehicle => "vehicle",
            BodyShape::Craft => "craft",
            BodyShape::Ball => "ball",
        }
    }
}

impl KindLook {
    /// Agents from this kind on are these.
    pub const fn new(kind: u16, name: &'static str, shape: BodyShape) -> KindLook {
        KindLook { kind, name, shape }
    }
}
