//! A draw list as JavaScript likes it: one array of floats, one of whole numbers, one text. They can be copied out and
//! handed to another thread as they are, and read with a few strides.
//!
//! `words` begins with a head: for each kind, in the order of [`KINDS`], where its floats begin, where its words begin,
//! and how many there are. Each shape has the floats and words of its kind's strides; its first three words are the
//! color (`0xRRGGBBAA`), the layer (an index into `Layer::ALL`; one past the end for a layer that is not there), and its
//! place in the list, back to front. Polygons and heat maps go on with where their corners (x, y, z) and values lie in
//! `floats`, and how many there are. Labels are lines of `texts`, in their order.

use sentir::core::draw::{DrawList, DrawnBody, Item, Layer, Shape};
use sentir::core::glam::Vec3;

/// A kind of shape, and how many floats and words each takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Its name.
    pub name: &'static str,
    /// Floats of one shape.
    pub floats: usize,
    /// Words of one shape.
    pub words: usize,
}

const fn kind(name: &'static str, floats: usize, words: usize) -> Kind {
    Kind { name, floats, words }
}

/// Every kind, in the order of the head.
pub const KINDS: [Kind; 8] = [
    // From, to, width.
    kind("lines", 7, 3),
    kind("arrows", 7, 3),
    // Middle, radius, 1 if filled.
    kind("circles", 5, 3),
    // Tip, yaw, half angle, radius.
    kind("sectors", 6, 3),
    // First float of the corners, corners.
    kind("polygons", 0, 5),
    // Place.
    kind("labels", 3, 3),
    // Corner, side of a cell; first float of the values, cells along x, cells along y.
    kind("heats", 4, 6),
    // Height of the foot; first float of the top's corners, corners.
    kind("prisms", 1, 5),
];

/// Words of the head.
pub const HEAD: usize = KINDS.len() * 3;

/// A draw list, flat.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    /// Numbers of all shapes.
    pub floats: Vec<f32>,
    /// The head, then colors, layers, places and spans of all shapes.
    pub words: Vec<u32>,
    /// The labels, one a line.
    pub texts: String,
    /// The colors of agents' bodies: key and color (`0xRRGGBB`), two numbers each.
    pub colors: Vec<f64>,
}

#[derive(Default)]
struct Part {
    floats: Vec<f32>,
    words: Vec<u32>,
    count: u32,
}

impl Part {
    fn add(&mut self, place: u32, item: &Item) {
        let color = item.color;
        let layer = Layer::ALL.iter().position(|layer| *layer == item.layer).unwrap_or(Layer::ALL.len());
        self.words.extend([u32::from_be_bytes([color.r, color.g, color.b, color.a]), layer as u32, place]);
        self.count += 1;
    }

    fn points(&mut self, points: impl IntoIterator<Item = Vec3>) {
        self.floats.extend(points.into_iter().flat_map(|point| point.to_array()));
    }
}

impl Picture {
    /// A draw list, flat.
    pub fn of(list: &DrawList) -> Picture {
        let mut parts: [Part; KINDS.len()] = Default::default();
        // What polygons and heat maps point into; it comes first, so that their spans are known.
        let mut spans: Vec<f32> = Vec::new();
        let mut texts = String::new();
        for (place, item) in (0..).zip(list.items()) {
            let part = &mut parts[kind_of(&item.shape)];
            part.add(place, item);
            match &item.shape {
                Shape::Line { from, to, width_m } | Shape::Arrow { from, to, width_m } => {
                    part.points([*from, *to]);
                    part.floats.push(*width_m);
                }
                Shape::Circle { center, radius_m, is_filled } => {
                    part.points([*center]);
                    part.floats.extend([*radius_m, f32::from(u8::from(*is_filled))]);
                }
                Shape::Sector { center, yaw, half_angle, radius_m } => {
                    part.points([*center]);
                    part.floats.extend([*yaw, *half_angle, *radius_m]);
                }
                Shape::Polygon { corners } | Shape::Prism { corners, .. } => {
                    if let Shape::Prism { foot_m, .. } = item.shape {
                        part.floats.push(foot_m);
                    }
                    let corners = list.corners(corners);
                    part.words.extend([spans.len() as u32, corners.len() as u32]);
                    spans.extend(corners.iter().flat_map(|corner| corner.to_array()));
                }
                Shape::Label { at, text } => {
                    part.points([*at]);
                    let line = list.text(text).chars().map(|letter| if letter == '\n' { ' ' } else { letter });
                    texts.extend(line);
                    texts.push('\n');
                }
                Shape::Heat { origin, cell_m, size, values } => {
                    part.points([*origin]);
                    part.floats.push(*cell_m);
                    part.words.extend([spans.len() as u32, size.x, size.y]);
                    spans.extend(list.values(values));
                }
            }
        }
        let color =
            |it: &DrawnBody| [it.key as f64, f64::from(u32::from_be_bytes([0, it.color.r, it.color.g, it.color.b]))];
        let colors = list.bodies().iter().flat_map(color).collect();
        Picture { colors, ..joined(&parts, spans, texts) }
    }
}

fn joined(parts: &[Part; KINDS.len()], spans: Vec<f32>, texts: String) -> Picture {
    let mut picture = Picture { floats: spans, words: vec![0; HEAD], texts, colors: Vec::new() };
    for (number, part) in parts.iter().enumerate() {
        let head = [picture.floats.len() as u32, picture.words.len() as u32, part.count];
        picture.words[number * 3..][..3].copy_from_slice(&head);
        picture.floats.extend_from_slice(&part.floats);
        picture.words.extend_from_slice(&part.words);
    }
    picture
}

/// The place of a shape's kind in [`KINDS`].
fn kind_of(shape: &Shape) -> usize {
    match shape {
        Shape::Line { .. } => 0,
        Shape::Arrow { .. } => 1,
        Shape::Circle { .. } => 2,
        Shape::Sector { .. } => 3,
        Shape::Polygon { .. } => 4,
        Shape::Label { .. } => 5,
        Shape::Heat { .. } => 6,
        Shape::Prism { .. } => 7,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sentir::core::draw::Color;
    use sentir::core::glam::UVec2;

    #[test]
    fn every_shape_is_found_by_its_kind_with_color_layer_and_place() {
        let (red, at) = (Color::rgb(0x12_3456).alpha(7), Vec3::new(1.0, 2.0, 3.0));
        let mut list = DrawList::default();
        list.body(5, red, at, 0.5);
        list.line(Layer::PATHS, red, at, Vec3::ZERO, 0.1);
        list.polygon(Layer::LEVEL, red, [Vec3::X, Vec3::Y, Vec3::Z]);
        list.prism(Layer::LEVEL, red, [Vec3::Z, Vec3::Y, Vec3::X], -1.5);
        list.label(Layer::NAMES, red, at, format_args!("two\nlines, \u{e9}"));
        list.heat(Layer("unknown"), red, at, 2.0, UVec2::new(2, 1), &[0.25, 0.75]);
        list.label(Layer::NAMES, red, at, format_args!(""));
        list.add(Layer::FORCES, red, Shape::Arrow { from: at, to: at, width_m: 0.2 });
        list.add(Layer::SENSES, red, Shape::Sector { center: at, yaw: 0.1, half_angle: 0.2, radius_m: 9.0 });
        let picture = Picture::of(&list);
        let counts: Vec<u32> = (0..KINDS.len()).map(|kind| picture.words[kind * 3 + 2]).collect();
        assert_eq!(counts, [1, 1, 1, 1, 1, 2, 1, 1]);
        let floats = |kind: usize| &picture.floats[picture.words[kind * 3] as usize..][..KINDS[kind].floats];
        let words = |kind: usize| &picture.words[picture.words[kind * 3 + 1] as usize..][..KINDS[kind].words];
        assert_eq!(floats(2), [1.0, 2.0, 3.0, 0.5, 1.0]);
        assert_eq!(picture.colors, [5.0, f64::from(0x12_3456)]);
        assert_eq!(words(2), [0x1234_5607, 1, 0]);
        assert_eq!(floats(0), [1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 0.1]);
        let [_, layer, place, first, count] = *words(4) else { panic!("five words") };
        assert_eq!((layer, place, count), (0, 2, 3));
        assert_eq!(picture.floats[first as usize..][..9], [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
        let [_, _, place, first, count] = *words(7) else { panic!("five words") };
        assert_eq!((floats(7), place, count), (&[-1.5f32][..], 3, 3));
        assert_eq!(picture.floats[first as usize..][..3], [0.0, 0.0, 1.0]);
        let [_, layer, _, first, wide, high] = *words(6) else { panic!("six words") };
        assert_eq!((layer as usize, wide, high), (Layer::ALL.len(), 2, 1));
        assert_eq!(picture.floats[first as usize..][..2], [0.25, 0.75]);
        assert_eq!(picture.texts, "two lines, \u{e9}\n\n");
        assert_eq!(floats(3), [1.0, 2.0, 3.0, 0.1, 0.2, 9.0]);
    }

    #[test]
    fn an_empty_list_is_a_head_of_nothing() {
        let picture = Picture::of(&DrawList::default());
        assert_eq!((picture.words.len(), picture.floats.len(), picture.texts.as_str()), (HEAD, 0, ""));
    }
}
