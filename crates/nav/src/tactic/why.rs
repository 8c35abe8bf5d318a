//! Why this way: what it costs by layer, stretch by stretch, beside the shortest way that was refused. Plain values for a
//! studio to show, and their drawing.

use sentir_core::draw::{Color, DrawList, Layer, Shape};
use sentir_core::glam::Vec3;

use super::layer::{LayerCosts, LayerKind};
use super::region::RegionSet;

/// What a way costs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PathCost {
    /// From start to end, m.
    pub points: Vec<Vec3>,
    /// The costs of each stretch between two points; one less than points.
    pub segments: Vec<LayerCosts>,
    /// The whole way.
    pub total: LayerCosts,
    /// Length on the ground, m.
    pub length_m: f64,
    /// How much of it is in sight, m.
    pub seen_m: f64,
}

impl PathCost {
    pub(super) fn clear(&mut self) {
        self.points.clear();
        self.segments.clear();
        (self.total, self.length_m, self.seen_m) = (LayerCosts::default(), 0.0, 0.0);
    }

    pub(super) fn push(&mut self, costs: LayerCosts, length_m: f64, seen_m: f64) {
        self.total.add(&costs);
        self.segments.push(costs);
        self.length_m += length_m;
        self.seen_m += seen_m;
    }
}

/// Why a way was taken.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PathWhy {
    /// The way of the answer.
    pub taken: PathCost,
    /// The shortest way, by the same costs: the best one that was refused, or the same if nothing is cheaper.
    pub shortest: PathCost,
}

impl PathWhy {
    /// What taking this way saves against the shortest one, in meters of plain way. Limit: >= 0 but for rounding.
    pub fn saved(&self) -> f64 {
        self.shortest.total.total() - self.taken.total.total()
    }
}

/// The color of a layer.
pub fn layer_color(kind: LayerKind) -> Color {
    Color::rgb(match kind {
        LayerKind::Length => 0x2a8c4a,
        LayerKind::Terrain => 0x8a6d3b,
        LayerKind::Influence => 0x7f63b8,
        LayerKind::Exposure => 0xd1403c,
        LayerKind::Fire => 0xe0762a,
        LayerKind::Points => 0x2f6fb0,
        LayerKind::Stance => 0x2aa198,
        LayerKind::Own => 0x6c7680,
    })
}

/// Adds a way on [`Layer::PATHS`]: each stretch in the color of its dearest layer beside length (that of length if it is
/// free), thicker the dearer a meter of it is; dots at its points.
pub fn draw_path(path: &PathCost, list: &mut DrawList) {
    let up = Vec3::new(0.0, 0.06, 0.0);
    for (pair, costs) in path.points.windows(2).zip(&path.segments) {
        let color = layer_color(costs.dearest().unwrap_or(LayerKind::Length));
        let length = costs.of(LayerKind::Length);
        let rate = if length > 0.0 { costs.total() / length } else { 1.0 };
        // From 8 cm for plain ground to 24 cm for five times as dear and more.
        let rate = if rate < 5.0 { rate } else { 5.0 };
        let width_m = 0.04 + 0.04 * rate as f32;
        list.line(Layer::PATHS, color, pair[0] + up, pair[1] + up, width_m);
        list.add(Layer::PATHS, color, Shape::Circle { center: pair[1] + up, radius_m: 0.12, is_filled: true });
    }
}

/// Adds what is in sight on [`Layer::SENSES`], faint.
pub fn draw_regions(regions: &RegionSet, height_m: f32, list: &mut DrawList) {
    let color = layer_color(LayerKind::Exposure).alpha(45);
    for ring in regions.rings() {
        list.polygon(Layer::SENSES, color, ring.iter().map(|at| Vec3::new(at.x as f32, height_m, -at.y as f32)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tactic::Region;
    use sentir_core::glam::Vec2;

    #[test]
    fn a_way_is_drawn_in_the_colors_of_what_it_costs() {
        let mut path = PathCost { points: vec![Vec3::ZERO, Vec3::X, Vec3::X * 2.0], ..PathCost::default() };
        let mut costs = LayerCosts::default();
        costs.by_layer[0] = 1.0;
        path.push(costs, 1.0, 0.0);
        costs.by_layer[LayerKind::Exposure as usize] = 3.0;
        path.push(costs, 1.0, 1.0);
        assert_eq!((path.total.total(), path.length_m, path.seen_m), (5.0, 2.0, 1.0));
        let mut list = DrawList::default();
        draw_path(&path, &mut list);
        let colors: Vec<Color> = list.items().iter().map(|item| item.color).collect();
        let [plain, seen] = [LayerKind::Length, LayerKind::Exposure].map(layer_color);
        assert_eq!(colors, [plain, plain, seen, seen]);
        let set = RegionSet::new(&[Region::new(vec![Vec2::ZERO, Vec2::X, Vec2::Y])]).unwrap();
        draw_regions(&set, 0.0, &mut list);
        assert_eq!(list.items().len(), 5);
    }
}
