//! The draw list: what there is to show, for any host to draw. Films, the studio and engine gizmos consume the same one.
//!
//! Shapes are plain values; texts, corners and heat values lie in shared buffers, so that a list can be cleared and
//! filled each frame without allocating, and handed to another language as flat arrays.

use std::ops::Range;

use glam::{UVec2, Vec2, Vec3};

/// A color with opacity, 0..=255 each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color {
    /// Red.
    pub r: u8,
    /// Green.
    pub g: u8,
    /// Blue.
    pub b: u8,
    /// Opacity.
    pub a: u8,
}

impl Color {
    /// An opaque color, written as 0xRRGGBB.
    pub const fn rgb(hex: u32) -> Color {
        Color { r: (hex >> 16) as u8, g: (hex >> 8) as u8, b: hex as u8, a: 255 }
    }

    /// The same color at another opacity.
    pub const fn alpha(self, a: u8) -> Color {
        Color { a, ..self }
    }
}

/// One of the things that can be shown or hidden by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Layer(pub &'static str);

impl Layer {
    /// Walls, floors, doors.
    pub const LEVEL: Layer = Layer("level");
    /// Bodies with their facing.
    pub const BODIES: Layer = Layer("bodies");
    /// Names and current decisions.
    pub const NAMES: Layer = Layer("names");
    /// What is seen, heard and remembered.
    pub const SENSES: Layer = Layer("senses");
    /// Ways and goals.
    pub const PATHS: Layer = Layer("paths");
    /// What steering asks for: accelerations, wanted velocities, feelers, wander circles, auxiliary targets.
    pub const FORCES: Layer = Layer("forces");
    /// Places in formations.
    pub const SLOTS: Layer = Layer("slots");
    /// Half-planes of mutual avoidance.
    pub const AVOIDANCE: Layer = Layer("avoidance");
    /// Where one can walk: polygons, their edges, links.
    pub const NAVMESH: Layer = Layer("navmesh");
    /// Maps of where somebody may be, or who holds what.
    pub const INFLUENCE: Layer = Layer("influence");
    /// Points of environment queries, with their scores.
    pub const QUERIES: Layer = Layer("queries");
    /// Lines of fire: who shoots at what.
    pub const FIRE: Layer = Layer("fire");
    /// Places that somebody has taken for a purpose.
    pub const CLAIMS: Layer = Layer("claims");
    /// Shots on their way: what anybody there would see.
    pub const SHOTS: Layer = Layer("shots");
    /// Every layer, by name.
    pub const ALL: [Layer; 14] = [
        Layer::LEVEL,
        Layer::BODIES,
        Layer::NAMES,
        Layer::SENSES,
        Layer::PATHS,
        Layer::FORCES,
        Layer::SLOTS,
        Layer::AVOIDANCE,
        Layer::NAVMESH,
        Layer::INFLUENCE,
        Layer::QUERIES,
        Layer::FIRE,
        Layer::CLAIMS,
        Layer::SHOTS,
    ];

    /// What it shows, in a few words for people; empty for a layer that is not of [`ALL`](Layer::ALL).
    pub fn title(self) -> &'static str {
        match self {
            Layer::LEVEL => "walls, floors, doors",
            Layer::BODIES => "bodies with their facing",
            Layer::NAMES => "names and current decisions",
            Layer::SENSES => "what is seen, heard and remembered",
            Layer::PATHS => "paths and goals",
            Layer::FORCES => "what steering asks for",
            Layer::SLOTS => "places in formations",
            Layer::AVOIDANCE => "half-planes of mutual avoidance",
            Layer::NAVMESH => "where agents can walk",
            Layer::INFLUENCE => "maps of where somebody may be, or who holds what",
            Layer::QUERIES => "points of environment queries, with their scores",
            Layer::FIRE => "lines of fire",
            Layer::CLAIMS => "places that somebody has taken for a purpose",
            Layer::SHOTS => "shots on their way",
            _ => "",
        }
    }

    /// Whether it shows the world as anybody there would see it, rather than minds and the work of algorithms.
    pub fn is_world(self) -> bool {
        matches!(self, Layer::LEVEL | Layer::BODIES | Layer::SHOTS)
    }

    /// Whether it is shown until somebody hides it. Half-planes are not: they are about the solver, not about the scene.
    pub fn is_shown_at_first(self) -> bool {
        self != Layer::AVOIDANCE
    }
}

/// A shape, in meters.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A straight line.
    Line {
        /// One end.
        from: Vec3,
        /// The other end.
        to: Vec3,
        /// How thick, m.
        width_m: f32,
    },
    /// A line with a head at `to`.
    Arrow {
        /// Tail.
        from: Vec3,
        /// Head.
        to: Vec3,
        /// How thick, m.
        width_m: f32,
    },
    /// A level disc or ring.
    Circle {
        /// Middle.
        center: Vec3,
        /// Radius, m.
        radius_m: f32,
        /// A disc rather than a ring.
        is_filled: bool,
    },
    /// A level slice of a disc: what a cone of sight looks like from above.
    Sector {
        /// Tip.
        center: Vec3,
        /// Middle direction, rad.
        yaw: f32,
        /// Angle to either side, rad.
        half_angle: f32,
        /// Radius, m.
        radius_m: f32,
    },
    /// A filled polygon; corners by [`DrawList::corners`].
    Polygon {
        /// Which corners.
        corners: Range<u32>,
    },
    /// A solid: a polygon, which is its top, and upright sides down to its foot. From above it is a polygon.
    Prism {
        /// Which corners, of the top.
        corners: Range<u32>,
        /// Height of its foot, m.
        foot_m: f32,
    },
    /// Text; by [`DrawList::text`].
    Label {
        /// Where its middle stands.
        at: Vec3,
        /// Which text.
        text: Range<u32>,
    },
    /// A level grid of values from 0 (clear) to 1 (full color); by [`DrawList::values`].
    Heat {
        /// The corner with the least ground coordinates, and the height.
        origin: Vec3,
        /// Side of a cell, m.
        cell_m: f32,
        /// Cells along ground x and y.
        size: UVec2,
        /// Which values, row by row.
        values: Range<u32>,
    },
}

/// A shape with its layer and color.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// By what name it is shown or hidden.
    pub layer: Layer,
    /// Its color.
    pub color: Color,
    /// The shape.
    pub shape: Shape,
}

/// What there is to show, back to front.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DrawList {
    items: Vec<Item>,
    corners: Vec<Vec3>,
    texts: String,
    values: Vec<f32>,
    bodies: Vec<DrawnBody>,
}

/// The color of an agent's body, for hosts that draw bodies of their own in place of discs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawnBody {
    /// The host's key of the agent.
    pub key: u64,
    /// Its color.
    pub color: Color,
}

impl DrawList {
    /// Empties the list and keeps its memory.
    pub fn clear(&mut self) {
        self.items.clear();
        self.corners.clear();
        self.texts.clear();
        self.values.clear();
        self.bodies.clear();
    }

    /// The items, back to front.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// The colors of the agents' bodies, in the order they were added.
    pub fn bodies(&self) -> &[DrawnBody] {
        &self.bodies
    }

    /// The corners of a polygon of this list.
    pub fn corners(&self, range: &Range<u32>) -> &[Vec3] {
        self.corners.get(range.start as usize..range.end as usize).unwrap_or_default()
    }

    /// The text of a label of this list.
    pub fn text(&self, range: &Range<u32>) -> &str {
        self.texts.get(range.start as usize..range.end as usize).unwrap_or_default()
    }

    /// The values of a heat map of this list.
    pub fn values(&self, range: &Range<u32>) -> &[f32] {
        self.values.get(range.start as usize..range.end as usize).unwrap_or_default()
    }

    /// Adds a shape that needs no buffer.
    pub fn add(&mut self, layer: Layer, color: Color, shape: Shape) {
        self.items.push(Item { layer, color, shape });
    }

    /// Adds a line.
    pub fn line(&mut self, layer: Layer, color: Color, from: Vec3, to: Vec3, width_m: f32) {
        self.add(layer, color, Shape::Line { from, to, width_m });
    }

    /// Adds a disc (`is_filled`) or a ring.
    pub fn circle(&mut self, layer: Layer, color: Color, center: Vec3, radius_m: f32, is_filled: bool) {
        self.add(layer, color, Shape::Circle { center, radius_m, is_filled });
    }

    /// Adds the body of the agent with that host key: a disc, and its color for hosts that draw another body there.
    pub fn body(&mut self, key: u64, color: Color, center: Vec3, radius_m: f32) {
        self.tint(key, color);
        self.circle(Layer::BODIES, color, center, radius_m, true);
    }

    /// Says the color of an agent whose body is drawn by other shapes.
    pub fn tint(&mut self, key: u64, color: Color) {
        self.bodies.push(DrawnBody { key, color });
    }

    /// Adds a filled polygon.
    pub fn polygon(&mut self, layer: Layer, color: Color, corners: impl IntoIterator<Item = Vec3>) {
        let corners = self.keep(corners);
        self.add(layer, color, Shape::Polygon { corners });
    }

    /// Adds a solid with this top, down to `foot_m`.
    pub fn prism(&mut self, layer: Layer, color: Color, corners: impl IntoIterator<Item = Vec3>, foot_m: f32) {
        let corners = self.keep(corners);
        self.add(layer, color, Shape::Prism { corners, foot_m });
    }

    fn keep(&mut self, corners: impl IntoIterator<Item = Vec3>) -> Range<u32> {
        let from = self.corners.len() as u32;
        self.corners.extend(corners);
        from..self.corners.len() as u32
    }

    /// Adds a text.
    pub fn label(&mut self, layer: Layer, color: Color, at: Vec3, text: std::fmt::Arguments<'_>) {
        use std::fmt::Write;
        let from = self.texts.len() as u32;
        // Writing to a string cannot fail.
        let _ = self.texts.write_fmt(text);
        let text = from..self.texts.len() as u32;
        self.add(layer, color, Shape::Label { at, text });
    }

    /// Adds a heat map. Values past the grid are left out; missing ones are 0.
    pub fn heat(&mut self, layer: Layer, color: Color, origin: Vec3, cell_m: f32, size: UVec2, values: &[f32]) {
        let count = size.x as usize * size.y as usize;
        let from = self.values.len() as u32;
        self.values.extend(values.iter().copied().chain(std::iter::repeat(0.0)).take(count));
        let values = from..self.values.len() as u32;
        self.add(layer, color, Shape::Heat { origin, cell_m, size, values });
    }

    /// The least box on the ground that holds every shape of the chosen layers: two corners. None when there is nothing
    /// finite to show.
    pub fn bounds(&self, is_chosen: impl Fn(Layer) -> bool) -> Option<(Vec2, Vec2)> {
        let mut bounds: Option<(Vec2, Vec2)> = None;
        let mut hold = |point: Vec3, margin: f32| {
            let point = crate::plane::ground(point);
            if point.is_finite() && margin.is_finite() {
                let (low, high) = bounds.unwrap_or((point, point));
                bounds = Some((low.min(point - Vec2::splat(margin)), high.max(point + Vec2::splat(margin))));
            }
        };
        for item in self.items.iter().filter(|item| is_chosen(item.layer)) {
            match &item.shape {
                Shape::Line { from, to, width_m } | Shape::Arrow { from, to, width_m } => {
                    hold(*from, *width_m);
                    hold(*to, *width_m);
                }
                Shape::Circle { center, radius_m, .. } | Shape::Sector { center, radius_m, .. } => {
                    hold(*center, *radius_m);
                }
                Shape::Polygon { corners } | Shape::Prism { corners, .. } => {
                    self.corners(corners).iter().for_each(|&corner| hold(corner, 0.0));
                }
                Shape::Label { at, .. } => hold(*at, 0.0),
                Shape::Heat { origin, cell_m, size, .. } => {
                    hold(*origin, 0.0);
                    let far = size.as_vec2() * *cell_m;
                    hold(*origin + crate::plane::lift(far, 0.0), 0.0);
                }
            }
        }
        bounds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_gives_back_what_was_put_in() {
        let mut list = DrawList::default();
        let red = Color::rgb(0xff0000);
        for round in 0..2 {
            list.clear();
            list.polygon(Layer::LEVEL, red, [Vec3::ZERO, Vec3::X, Vec3::Z]);
            list.label(Layer::NAMES, red.alpha(9), Vec3::ONE, format_args!("round {round}"));
            list.heat(Layer::SENSES, red, Vec3::ZERO, 2.0, UVec2::new(2, 2), &[1.0, 0.5]);
            let [polygon, label, heat] = list.items() else { panic!("three shapes") };
            let Shape::Polygon { corners } = &polygon.shape else { panic!("a polygon") };
            assert_eq!(list.corners(corners), [Vec3::ZERO, Vec3::X, Vec3::Z]);
            let Shape::Label { text, .. } = &label.shape else { panic!("a label") };
            assert_eq!(list.text(text), format!("round {round}"));
            let Shape::Heat { values, .. } = &heat.shape else { panic!("a heat map") };
            assert_eq!(list.values(values), [1.0, 0.5, 0.0, 0.0]);
        }
        assert_eq!(list.bounds(|_| true), Some((Vec2::new(-0.0, -1.0), Vec2::new(4.0, 4.0))));
        assert_eq!(list.bounds(|layer| layer == Layer::NAMES), Some((Vec2::new(1.0, -1.0), Vec2::new(1.0, -1.0))));
    }

    #[test]
    fn a_body_is_a_disc_with_the_key_of_its_agent() {
        let mut list = DrawList::default();
        list.body(7, Color::rgb(0x00ff00), Vec3::ONE, 0.3);
        list.tint(9, Color::rgb(0x0000ff));
        let [disc] = list.items() else { panic!("one shape") };
        assert_eq!(disc.layer, Layer::BODIES);
        let bodies = [(7, 0x00ff00), (9, 0x0000ff)].map(|(key, hex)| DrawnBody { key, color: Color::rgb(hex) });
        assert_eq!(list.bodies(), bodies);
        list.clear();
        assert!(list.bodies().is_empty());
    }

    #[test]
    fn every_layer_has_a_name_and_a_title_of_its_own() {
        for layer in Layer::ALL {
            assert!(!layer.title().is_empty(), "{} has no title", layer.0);
            let same = |other: &&Layer| other.0 == layer.0 || other.title() == layer.title();
            assert_eq!(Layer::ALL.iter().filter(same).count(), 1, "{}", layer.0);
        }
        assert_eq!(Layer("unknown").title(), "");
    }

    #[test]
    fn what_is_not_finite_has_no_place() {
        let mut list = DrawList::default();
        assert_eq!(list.bounds(|_| true), None);
        list.line(Layer::PATHS, Color::rgb(0), Vec3::NAN, Vec3::INFINITY, 1.0);
        assert_eq!(list.bounds(|_| true), None);
        assert_eq!(list.text(&(5..9)), "");
    }
}
